package scenario

import (
	"cmp"
	"context"
	"crypto/rand"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"glim/bindings/engine"
	"glim/bindings/internal/chainfile"
	"glim/bindings/native"
	"glim/bindings/peers"
	"glim/bindings/peers/own"
	"glim/core/chain"
	"glim/core/journal"
	"glim/core/node"
	"glim/core/rpc"
	"glim/core/service"
	spender "glim/core/signer"
	"glim/core/xmr"
)

// writeGolden makes a set of golden files instead of opening those there are. A set is never written again: a format that changes gets
// another set beside it.
var writeGolden = flag.String("golden.write", "", "folder under testdata/golden to write today's files to")

const goldenPassword = "golden"

// goldenWallets are what every set holds: NAME as a wallet's file, NAME.json as what it answers.
var goldenWallets = []string{"plain", "sealed", "view-only", "sixteen-words", "background", "signer-1", "signer-2"}

// goldenQuestions are what a wallet answers without a daemon and without the time mattering.
var goldenQuestions = []struct {
	method string
	params object
}{
	{"get_accounts", object{"strict_balances": true}},
	{"get_address", object{"account_index": 0}},
	{"get_height", nil},
	{"get_transfers", object{"in": true, "out": true, "pending": true, "failed": true, "all_accounts": true}},
	{"incoming_transfers", object{"transfer_type": "all", "verbose": true}},
	{"get_address_book", nil},
	{"get_attribute", object{"key": "golden"}},
	{"get_account_tags", nil},
	{"is_multisig", nil},
	{"get_events", object{"cursor": 0}},
	{"query_key", object{"key_type": "view_key"}},
	{"query_key", object{"key_type": "spend_key"}},
	{"query_key", object{"key_type": "mnemonic"}},
}

// inEngine is a service on a folder; without a daemon when url is empty.
func inEngine(t *testing.T, url, dir string, vault spender.Post) caller {
	t.Helper()
	e, err := engine.New(service.Config{
		Network: xmr.Mainnet, Files: native.WalletDir(dir), Lookahead: closeBy, KDF: journal.KDF{Time: 1, MemoryKiB: 64, Lanes: 4}, Vault: vault,
		Random: rand.Reader, Now: func() uint64 { return uint64(time.Now().Unix()) }, Workers: 1, Match: native.Match,
		Wait: func(ctx context.Context, _ time.Duration) error { <-ctx.Done(); return ctx.Err() },
		Connect: func(d service.DaemonConfig) (rpc.Transport, error) {
			return native.NewTransport(native.TransportOptions{Address: d.Address, SSL: native.SSL{Mode: native.SSLDisabled}})
		},
	}, service.DaemonConfig{Address: url, Trusted: url != ""})
	require.NoError(t, err)
	t.Cleanup(func() { _ = e.Close() })
	return &glim{e}
}

// goldenAnswers asks a wallet that is open.
func goldenAnswers(t *testing.T, c caller) []any {
	t.Helper()
	var all []any
	for _, q := range goldenQuestions {
		var answer any
		err := c.JSON(deadline(t), q.method, q.params, &answer)
		var refused *peers.Error
		if err != nil {
			require.ErrorAs(t, err, &refused, q.method)
			answer = object{"error": float64(refused.Code)}
		}
		all = append(all, answer)
	}
	return all
}

// holds wants everything of want to be in got, which may know more.
func holds(t *testing.T, want, got any, path string) {
	t.Helper()
	switch want := want.(type) {
	case nil: // the operation came later
	case object:
		got, ok := got.(object)
		require.True(t, ok, path)
		for name := range want {
			holds(t, want[name], got[name], path+"."+name)
		}
	case []any:
		got, ok := got.([]any)
		require.True(t, ok, path)
		require.Len(t, got, len(want), path)
		want, got = byTransaction(want), byTransaction(got)
		for i := range want {
			holds(t, want[i], got[i], path+"[]")
		}
	default:
		require.Equal(t, want, got, path)
	}
}

// byTransaction sorts a list of transfers, for their order came later; other lists stay as they are.
func byTransaction(list []any) []any {
	key := func(entry any) string {
		e, _ := entry.(object)
		return fmt.Sprint(e["txid"], e["tx_hash"], e["type"], e["address"], e["key_image"])
	}
	list = slices.Clone(list)
	slices.SortStableFunc(list, func(a, b any) int { return cmp.Compare(key(a), key(b)) })
	return list
}

// onGolden serves a stored chain.
func onGolden(t *testing.T, folder string) *peers.Daemon {
	t.Helper()
	store, err := chainfile.Open(folder, false)
	require.NoError(t, err)
	t.Cleanup(func() { _ = store.Close() })
	n, err := node.New(node.Config{Chain: chain.Options{
		Network: xmr.Regtest, FixedDifficulty: 1, Now: func() uint64 { return uint64(time.Now().Unix()) }, Random: rand.Reader, Store: store,
	}})
	require.NoError(t, err)
	d, err := own.Serve(context.Background(), &node.Regtest{Node: n})
	require.NoError(t, err)
	t.Cleanup(func() { _ = d.Kill() })
	return d
}

// TestGoldenFiles opens wallets and chains as earlier versions wrote them, all of which are kept: each wallet answers what it answered then,
// and goes on living on the chain of its time.
func TestGoldenFiles(t *testing.T) {
	t.Parallel()
	if *writeGolden != "" {
		writeGoldenSet(t, filepath.Join("testdata/golden", *writeGolden))
	}
	sets, err := os.ReadDir("testdata/golden")
	require.NoError(t, err)
	require.NotEmpty(t, sets)
	for _, set := range sets {
		t.Run(set.Name(), func(t *testing.T) {
			dir := t.TempDir()
			require.NoError(t, os.CopyFS(dir, os.DirFS(filepath.Join("testdata/golden", set.Name()))))
			offline := inEngine(t, "", dir, nil)
			wallets := 0
			for _, name := range goldenWallets {
				recorded, err := os.ReadFile(filepath.Join(dir, name+".json"))
				if os.IsNotExist(err) {
					continue // its kind came later
				}
				require.NoError(t, err)
				wallets++
				var want []any
				require.NoError(t, json.Unmarshal(recorded, &want))
				do(t, offline, "open_wallet", object{"filename": name, "password": goldenPassword})
				got := goldenAnswers(t, offline)
				require.LessOrEqual(t, len(want), len(got))
				for i := range want {
					holds(t, want[i], got[i], name+": "+goldenQuestions[i].method)
				}
			}
			require.GreaterOrEqual(t, wallets, 2)
			do(t, offline, "close_wallet", nil)
			if _, err := os.Stat(filepath.Join(dir, "background.background")); err == nil {
				do(t, offline, "open_wallet", object{"filename": "background.background", "password": "background"})
				require.NotEmpty(t, refusal(t, offline, "query_key", object{"key_type": "spend_key"}), "the file that cannot spend")
				do(t, offline, "close_wallet", nil)
			}
			if _, err := os.Stat(filepath.Join(dir, "chain")); err != nil {
				return
			}
			d := onGolden(t, filepath.Join(dir, "chain"))
			online := inEngine(t, d.URL, dir, nil)
			mine(t, d, 12, at(t, nobody, 0, 0))
			for _, name := range []string{"plain", "sealed"} {
				do(t, online, "open_wallet", object{"filename": name, "password": goldenPassword})
				refresh(t, online)
				pay(t, online, []destination{{at(t, bob, 0, 0), coin}}, nil)
			}
			require.Len(t, pooled(t, d), 2)
		})
	}
}

// writeGoldenSet makes a chain and wallets with something of everything.
func writeGoldenSet(t *testing.T, to string) {
	t.Helper()
	require.NoError(t, os.Mkdir(to, 0o755))
	folder := t.TempDir()
	d := onGolden(t, folder)
	dir := t.TempDir()
	vault := spender.New(spender.Host{Random: rand.Reader})
	plain := inEngine(t, d.URL, dir, nil)
	sealed := inEngine(t, d.URL, dir, func(ctx context.Context, request []byte) ([]byte, error) { return vault.Serve(ctx, request), nil })
	second := inEngine(t, d.URL, dir, nil)
	made := func(c caller, name string, n byte) {
		do(t, c, "restore_deterministic_wallet", object{"filename": name, "password": goldenPassword, "seed": seed(t, n)})
	}
	record := func(c caller, name string) {
		b, err := json.MarshalIndent(goldenAnswers(t, c), "", " ")
		require.NoError(t, err)
		require.NoError(t, os.WriteFile(filepath.Join(dir, name+".json"), append(b, '\n'), 0o644))
		do(t, c, "store", nil)
		do(t, c, "close_wallet", nil)
	}
	mine(t, d, 2, at(t, 60, 0, 0))
	mine(t, d, 2, at(t, 61, 0, 0))
	mine(t, d, 16, at(t, nobody, 0, 0))
	mine(t, d, 60, at(t, nobody, 0, 0))

	made(plain, "signer-1", 62)
	made(second, "signer-2", 63)
	group := []signerOf{{plain, 0}, {second, 1}}
	joint := goldenGroup(t, group)
	mine(t, d, 1, joint)

	made(plain, "plain", 60)
	refresh(t, plain)
	do(t, plain, "create_account", object{"label": "the second"})
	do(t, plain, "create_address", object{"account_index": 1, "label": "a label"})
	do(t, plain, "tag_accounts", object{"tag": "tagged", "accounts": []int{1}})
	do(t, plain, "set_account_tag_description", object{"tag": "tagged", "description": "a description"})
	do(t, plain, "add_address_book", object{"address": at(t, bob, 0, 1), "description": "bob"})
	do(t, plain, "set_attribute", object{"key": "golden", "value": "a value"})
	sent := pay(t, plain, []destination{{at(t, 60, 1, 1), 3 * coin}, {at(t, bob, 0, 1), coin}}, object{"idempotency_key": "once"})
	do(t, plain, "set_tx_notes", object{"txids": []string{sent.TxHash}, "notes": []string{"a note"}})
	mine(t, d, 1, at(t, nobody, 0, 0))
	refresh(t, plain)
	images := call[struct {
		Transfers []struct {
			Image string `json:"key_image"`
		}
	}](t, plain, "incoming_transfers", object{"transfer_type": "available"}).Transfers
	do(t, plain, "freeze", object{"key_image": images[0].Image})
	record(plain, "plain")

	made(sealed, "sealed", 61)
	refresh(t, sealed)
	pay(t, sealed, []destination{{at(t, bob, 0, 1), coin}}, nil)
	mine(t, d, 61, at(t, nobody, 0, 0))
	refresh(t, sealed)
	record(sealed, "sealed")

	view := call[struct{ Key string }](t, openedAgain(t, plain, "plain"), "query_key", object{"key_type": "view_key"}).Key
	do(t, plain, "close_wallet", nil)
	do(t, plain, "generate_from_keys", object{"filename": "view-only", "password": goldenPassword, "address": at(t, 60, 0, 0), "viewkey": view})
	refresh(t, plain)
	record(plain, "view-only")
	do(t, plain, "create_wallet", object{"filename": "sixteen-words", "password": goldenPassword, "language": "English", "seed_type": "polyseed"})
	refresh(t, plain)
	record(plain, "sixteen-words")
	made(plain, "background", 60)
	refresh(t, plain)
	do(t, plain, "setup_background_sync", object{"background_sync_type": "custom-background-password", "wallet_password": goldenPassword,
		"background_cache_password": "background"})
	record(plain, "background")

	for _, s := range group {
		openedAgain(t, s.caller, []string{"signer-1", "signer-2"}[s.n])
		refresh(t, s)
	}
	infos := []string{}
	for _, s := range group {
		infos = append(infos, call[struct{ Info string }](t, s, "export_multisig_info", nil).Info)
	}
	do(t, second, "import_multisig_info", object{"info": infos[:1]})
	do(t, plain, "import_multisig_info", object{"info": infos[1:]})
	record(plain, "signer-1")
	record(second, "signer-2")
	require.NoError(t, d.Kill())

	files, err := os.ReadDir(dir)
	require.NoError(t, err)
	for _, f := range files {
		if strings.HasPrefix(f.Name(), ".") {
			continue
		}
		b, err := os.ReadFile(filepath.Join(dir, f.Name()))
		require.NoError(t, err)
		require.NoError(t, os.WriteFile(filepath.Join(to, f.Name()), b, 0o644))
	}
	content, err := os.ReadFile(filepath.Join(folder, chainfile.Name))
	require.NoError(t, err)
	require.NoError(t, os.Mkdir(filepath.Join(to, "chain"), 0o755))
	require.NoError(t, os.WriteFile(filepath.Join(to, "chain", chainfile.Name), content, 0o644))
}

type signerOf struct {
	caller
	n int
}

func openedAgain(t *testing.T, c caller, name string) caller {
	t.Helper()
	do(t, c, "open_wallet", object{"filename": name, "password": goldenPassword})
	return c
}

// goldenGroup makes two wallets one of two signers.
func goldenGroup(t *testing.T, group []signerOf) string {
	t.Helper()
	texts := make([]string, 2)
	for i, s := range group {
		texts[i] = call[multisigInfo](t, s, "prepare_multisig", object{"enable_multisig_experimental": true}).Info
	}
	next := make([]string, 2)
	for i, s := range group {
		next[i] = call[multisigInfo](t, s, "make_multisig", object{"multisig_info": []string{texts[1-i]}, "threshold": 2, "password": goldenPassword}).Info
	}
	address := ""
	for i, s := range group {
		address = call[multisigInfo](t, s, "exchange_multisig_keys", object{"multisig_info": []string{next[1-i]}, "password": goldenPassword}).Address
	}
	for _, s := range group {
		do(t, s, "close_wallet", nil)
	}
	return address
}
