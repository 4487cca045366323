package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"glim/bindings/peers"
	"glim/core/keys"
)

// usageOf is the resource usage of a process.
type usageOf struct {
	cpu          time.Duration // user and system
	memory, peak float64       // MiB resident: now, and peak
}

// walletRun has services take turns in reading one chain with the same seed, then in making transactions.
type walletRun struct {
	daemon            *peers.Daemon
	dir               string
	glim              []version // the best first
	chain             forged
	rounds, transfers int
	out               io.Writer
}

// entrant is one of the compared services.
type entrant struct {
	name    string
	builds  bool // whether its transactions are measured, too
	options peers.Options
	results results
}

// results are the measurements of an entrant, one in each round.
type results struct {
	restore, syncWall, syncCPU []time.Duration
	memory, atMost             []float64 // MiB: after the sync, during it
	payments                   [][]sample
}

// entrants returns the reference, then ours with the best vector instructions first.
func (c *walletRun) entrants() []*entrant {
	of := func(name, folder string, builds bool, command []string, args ...string) *entrant {
		return &entrant{name: name, builds: builds,
			options: peers.Options{Dir: filepath.Join(c.dir, folder), Command: command, Args: args}}
	}
	fullBlocks := []string{"--compare-blocks", "0"} // as the reference reads
	all := []*entrant{of("monero-wallet-rpc", "reference", true, nil)}
	for i, v := range c.glim {
		command := []string{v.path, "wallet-rpc", "--regtest"}
		all = append(all, of("glim, "+v.name, v.folder, i == 0, command, fullBlocks...))
		if i == 0 {
			all = append(all, of("the same, compact blocks", "compact", false, command))
		}
	}
	return all
}

func (c *walletRun) run(ctx context.Context) error {
	if err := os.RemoveAll(c.dir); err != nil {
		return err
	}
	all := c.entrants()
	for round := range c.rounds {
		fmt.Fprintf(c.out, "round %d of %d\n", round+1, c.rounds)
		var first balance
		for i := range all {
			e := all[(i+round)%len(all)] // alternate, because the first has an idle machine and cold caches
			w, err := c.sync(ctx, e, round)
			if err != nil {
				return fmt.Errorf("%s: %w", e.name, err)
			}
			b, err := balanceOf(ctx, w)
			if err := errors.Join(err, w.Stop()); err != nil {
				return fmt.Errorf("%s: %w", e.name, err)
			}
			if b.payments != c.chain.Payments {
				return fmt.Errorf("%s: found %d of %d payments", e.name, b.payments, c.chain.Payments)
			}
			if i == 0 {
				first = b
			} else if b != first {
				return fmt.Errorf("%s finds %+v, another %+v", e.name, b, first)
			}
		}
	}
	if err := c.pay(ctx, all); err != nil {
		return err
	}
	return c.report(all)
}

// sync starts a service, restores the measured wallet in it, and refreshes from the first block to the last.
func (c *walletRun) sync(ctx context.Context, e *entrant, round int) (_ *peers.WalletRPC, err error) {
	w, err := peers.StartWalletRPC(ctx, c.daemon, e.options)
	if err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			_ = w.Kill()
		}
	}()
	seed, err := words(ourKeys("measured"))
	if err != nil {
		return nil, err
	}
	if err := w.JSON(ctx, "auto_refresh", map[string]any{"enable": false}, nil); err != nil {
		return nil, err
	}
	began := time.Now()
	if err := w.JSON(ctx, "restore_deterministic_wallet", map[string]any{
		"filename": fmt.Sprintf("round%d", round), "password": "", "seed": seed, "restore_height": 0,
		"language": "English"}, nil); err != nil {
		return nil, err
	}
	restored := time.Now()
	before, err := usage(w.PID())
	if err != nil {
		return nil, err
	}
	if err := forgetPeak(w.PID()); err != nil {
		return nil, err
	}
	var refreshed struct {
		Blocks int `json:"blocks_fetched"`
	}
	start := time.Now()
	if err := w.JSON(ctx, "refresh", map[string]any{"start_height": 0}, &refreshed); err != nil {
		return nil, err
	}
	wall := time.Since(start)
	after, err := usage(w.PID())
	if err != nil {
		return nil, err
	}
	if refreshed.Blocks < c.chain.Blocks-1 { // the genesis block may count or not
		return nil, fmt.Errorf("the refresh saw %d of %d blocks", refreshed.Blocks, c.chain.Blocks)
	}
	r := &e.results
	r.restore = append(r.restore, restored.Sub(began))
	r.syncWall, r.syncCPU = append(r.syncWall, wall), append(r.syncCPU, after.cpu-before.cpu)
	r.memory = append(r.memory, after.memory)
	r.atMost = append(r.atMost, after.peak)
	return w, nil
}

// balance is the balance of a wallet and the number of its payments.
type balance struct {
	Balance  uint64 `json:"balance"`
	Unlocked uint64 `json:"unlocked_balance"`
	payments int
}

func balanceOf(ctx context.Context, w *peers.WalletRPC) (b balance, err error) {
	if err = w.JSON(ctx, "get_balance", map[string]any{"account_index": 0, "all_accounts": true}, &b); err != nil {
		return b, err
	}
	var transfers struct {
		In []any `json:"in"`
	}
	err = w.JSON(ctx, "get_transfers", map[string]any{"in": true, "all_accounts": true}, &transfers)
	b.payments = len(transfers.In)
	return b, err
}

// payment is a kind of transaction that services make and do not relay.
type payment struct {
	name    string
	method  string
	request map[string]any
	inputs  int
	seldom  int // made once for so many of the others
}

func payments() []payment {
	to := addressOf(ourKeys("payer"), keys.Index{}).String()
	transfer := func(account uint32, outputs int, each uint64) map[string]any {
		var ds []map[string]any
		for range outputs {
			ds = append(ds, map[string]any{"address": to, "amount": each})
		}
		return map[string]any{"account_index": account, "do_not_relay": true, "priority": 1, "destinations": ds}
	}
	return []payment{
		{"1 input, 2 outputs", "transfer", transfer(loneAccount, 1, paymentAmount/2), 1, 1},
		{"2 inputs, 2 outputs", "transfer", transfer(0, 1, paymentAmount*3/2), 2, 1},
		{"2 inputs, 16 outputs", "transfer", transfer(0, 15, paymentAmount/10), 2, 2},
		{"all inputs of an account", "sweep_all",
			map[string]any{"account_index": sweptAccount, "do_not_relay": true, "priority": 1, "address": to},
			standardRecipe.Swept, 5},
	}
}

// pay has the services that make transactions take turns in each kind of payment, after a sync.
func (c *walletRun) pay(ctx context.Context, all []*entrant) error {
	var services []*peers.WalletRPC
	var builders []*entrant
	for _, e := range all {
		if !e.builds {
			continue
		}
		w, err := c.sync(ctx, e, c.rounds)
		if err != nil {
			return fmt.Errorf("%s: %w", e.name, err)
		}
		defer func() { _ = w.Kill() }() // after an error; otherwise it has stopped
		services, builders = append(services, w), append(builders, e)
		e.results.payments = make([][]sample, len(payments()))
	}
	for kind, p := range payments() {
		for n := range 1 + (c.transfers+p.seldom-1)/p.seldom {
			for i, w := range services {
				s, err := p.measure(ctx, w)
				if err != nil {
					return fmt.Errorf("%s: %s: %w", builders[i].name, p.name, err)
				}
				if n > 0 { // the first one computes tables
					list := &builders[i].results.payments[kind]
					*list = append(*list, s)
				}
			}
		}
	}
	for i, w := range services {
		if err := w.Stop(); err != nil {
			return fmt.Errorf("%s: %w", builders[i].name, err)
		}
	}
	return nil
}

// measure has a service make the transaction, and returns its cost.
func (p *payment) measure(ctx context.Context, w *peers.WalletRPC) (s sample, err error) {
	type images struct {
		List []string `json:"key_images"`
	}
	var made struct {
		Images images   `json:"spent_key_images"`
		Lists  []images `json:"spent_key_images_list"`
	}
	before, err := usage(w.PID())
	if err != nil {
		return s, err
	}
	start := time.Now()
	if err := w.JSON(ctx, p.method, p.request, &made); err != nil {
		return s, err
	}
	wall := time.Since(start)
	after, err := usage(w.PID())
	if err != nil {
		return s, err
	}
	if len(made.Lists) == 0 {
		made.Lists = []images{made.Images}
	}
	if len(made.Lists) != 1 || len(made.Lists[0].List) != p.inputs {
		return s, fmt.Errorf("%d transactions, the first with %d inputs, instead of one with %d",
			len(made.Lists), len(made.Lists[0].List), p.inputs)
	}
	return sample{1, wall, after.cpu - before.cpu}, nil
}
