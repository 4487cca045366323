//go:build unix

package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"

	"glim/bindings/peers"
	"glim/core/address"
	"glim/core/keys"
	"glim/core/xmr"
	"glim/scripts/internal/shell"
)

// rig is the programs for one run of a suite.
type rig struct {
	dir            string
	work           string // compiled suite
	tests          string // class
	only           string
	wallet, daemon []string // commands
}

// Of the suite's TestUtils: the wallet that it expects to be funded, from firstReceived on.
const (
	walletName    = "test_wallet_1"
	walletLogin   = "rpc_user:abc123"
	password      = "supersecretpassword123"
	firstReceived = 171
)

// difficulty lets a mining daemon find a few blocks a second. The suite waits for blocks.
const difficulty = 5

// lightMining makes monerod mine without RandomX's dataset of two gigabytes, which takes minutes to compute. The value
// is RANDOMX_FLAG_FULL_MEM. Source: src/crypto/rx-slow-hash.c, disabled_flags.
const lightMining = "MONERO_RANDOMX_UMASK=4"

// run starts the programs, funds the suite's wallet and runs the suite.
func (r rig) run(ctx context.Context) (results []result, err error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel() // ends what the suite has not stopped
	name, value, _ := strings.Cut(lightMining, "=")
	if err := os.Setenv(name, value); err != nil {
		return nil, err
	}
	if err := os.MkdirAll(r.dir, 0o700); err != nil {
		return nil, err
	}
	d, err := peers.StartDaemon(ctx, peers.Options{
		Dir: filepath.Join(r.dir, "daemon"), Command: own(r.daemon), FixedDifficulty: difficulty,
	})
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, d.Kill()) }()
	w, err := peers.StartWalletRPC(ctx, d, peers.Options{
		Dir: filepath.Join(r.dir, "service"), Command: own(r.wallet), RPCLogin: walletLogin,
	})
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, w.Kill()) }()
	address, err := r.fund(ctx, d, w)
	if err != nil {
		return nil, fmt.Errorf("funding the wallet: %w", err)
	}
	if err := r.wrap(); err != nil {
		return nil, err
	}
	port, err := peers.FreePort()
	if err != nil {
		return nil, err
	}
	first, err := strconv.Atoi(port)
	if err != nil {
		return nil, err
	}
	miner, err := someone(3)
	if err != nil {
		return nil, err
	}
	file := filepath.Join(r.dir, "results.jsonl")
	if err := r.script(ctx, suiteConfig{
		Address: address, Miner: miner, Daemon: d.URL, Wallet: w.URL, FirstPort: first,
		Programs: filepath.Join(r.dir, "bin"), Wallets: w.Wallets, Results: file,
	}); err != nil {
		return nil, fmt.Errorf("%w; see %s", err, filepath.Join(r.dir, "suite.log"))
	}
	return readResults(file)
}

// own returns a command for peers.Options, which is empty for a packaged program.
func own(command []string) []string {
	if len(command) == 1 {
		return nil
	}
	return command
}

// wrap writes programs that the suite starts as monerod and monero-wallet-rpc. They replace the suite's flag for the
// network, because a private chain has none.
func (r rig) wrap() error {
	dir := filepath.Join(r.dir, "bin")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	for name, p := range map[string]struct {
		command []string
		flags   string
	}{
		"monerod":           {r.daemon, "--regtest --offline"},
		"monero-wallet-rpc": {r.wallet, "--allow-mismatched-daemon-version"},
	} {
		text := fmt.Sprintf(`#!/bin/sh
n=$#
while [ $n -gt 0 ]; do
	[ "$1" = --mainnet ] || set -- "$@" "$1"
	shift
	n=$((n - 1))
done
exec %s "$@" %s --log-file %s.$$.log
`, shell.Quote(p.command...), p.flags, shell.Quote(filepath.Join(r.dir, name)))
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o700); err != nil {
			return err
		}
	}
	return nil
}

// someone returns the primary address of wallet number n.
func someone(n byte) (string, error) {
	k, err := keys.FromSeed([32]byte{n})
	if err != nil {
		return "", err
	}
	return address.Address{
		Network: xmr.Mainnet, Kind: address.Standard, Spend: k.SpendPublic, View: k.ViewPublic,
	}.String(), nil
}

var seedLine = regexp.MustCompile(`SEED = "([a-z ]+)"`)

// seed returns the seed words of the suite's wallet.
func (r rig) seed() (string, error) {
	utils, err := os.ReadFile(filepath.Join(r.work, "src", "test", "utils", "TestUtils.ts"))
	if err != nil {
		return "", err
	}
	m := seedLine.FindSubmatch(utils)
	if m == nil {
		return "", errors.New("TestUtils.ts contains no seed")
	}
	return string(m[1]), nil
}

// fund creates the suite's wallet in the service, with outputs at many addresses and with outgoing payments. It returns
// the primary address.
func (r rig) fund(ctx context.Context, d *peers.Daemon, w *peers.WalletRPC) (string, error) {
	seed, err := r.seed()
	if err != nil {
		return "", err
	}
	other, err := someone(1)
	if err != nil {
		return "", err
	}
	var made struct{ Address string }
	if err := errors.Join(
		d.Mine(ctx, firstReceived-1, other),
		w.JSON(ctx, "restore_deterministic_wallet", map[string]any{
			"filename": walletName, "password": password, "seed": seed, "restore_height": firstReceived,
		}, &made),
	); err != nil {
		return "", err
	}
	if err := errors.Join(d.Mine(ctx, 30, made.Address), d.Mine(ctx, 61, other)); err != nil {
		return "", err
	}
	all, err := addresses(ctx, w)
	if err != nil {
		return "", err
	}
	for range 4 { // the suite expects ten transactions
		if err := pay(ctx, w, all, 2e12); err != nil {
			return "", err
		}
		if err := pay(ctx, w, []string{other}, 3e11); err != nil {
			return "", err
		}
		if err := d.Mine(ctx, 11, other); err != nil {
			return "", err
		}
		if err := w.JSON(ctx, "refresh", nil, nil); err != nil {
			return "", err
		}
	}
	return made.Address, w.JSON(ctx, "close_wallet", nil, nil)
}

// addresses creates accounts with subaddresses and returns all addresses.
func addresses(ctx context.Context, w *peers.WalletRPC) (all []string, err error) {
	const accounts, each = 4, 5
	for account := range accounts {
		if account > 0 {
			if err := w.JSON(ctx, "create_account", map[string]any{"label": ""}, nil); err != nil {
				return nil, err
			}
		}
		if err := w.JSON(ctx, "create_address", map[string]any{"account_index": account, "count": each - 1},
			nil); err != nil {
			return nil, err
		}
		var list struct{ Addresses []struct{ Address string } }
		if err := w.JSON(ctx, "get_address", map[string]any{"account_index": account}, &list); err != nil {
			return nil, err
		}
		for _, a := range list.Addresses {
			all = append(all, a.Address)
		}
	}
	return all, w.JSON(ctx, "refresh", nil, nil)
}

// maxDestinations is the greatest number of payments in one transaction, with the change.
const maxDestinations = 15

// pay pays an amount of atomic units to each address, from account 0.
func pay(ctx context.Context, w *peers.WalletRPC, to []string, amount uint64) error {
	for len(to) > 0 {
		n := min(len(to), maxDestinations)
		var destinations []map[string]any
		for _, a := range to[:n] {
			destinations = append(destinations, map[string]any{"address": a, "amount": amount})
		}
		if err := w.JSON(ctx, "transfer", map[string]any{"destinations": destinations}, nil); err != nil {
			return err
		}
		to = to[n:]
	}
	return nil
}
