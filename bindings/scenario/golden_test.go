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
	"glim/bindings/peers/inprocess"
	"glim/core/chain"
	"glim/core/journal"
	"glim/core/node"
	"glim/core/rpc"
	"glim/core/service"
	spender "glim/core/signer"
	"glim/core/xmr"
)

// writeGolden makes a set of golden files before the test opens all sets. A set is never rewritten: a format that
// changes gets a new set next to the old ones.
var writeGolden = flag.String("golden.write", "", "folder under testdata/golden to write today's files to")

const goldenPassword = "golden"

// goldenWallets are the wallets of a set: NAME is the wallet file, NAME.json holds its answers.
var goldenWallets = []string{"plain", "sealed", "view-only", "sixteen-words", "background", "signer-1", "signer-2"}

// goldenRequests are requests whose answers need no daemon and do not depend on the time.
var goldenRequests = []struct {
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

// inEngine returns a service on a folder, without a daemon if url is empty.
func inEngine(t *testing.T, url, dir string, vault spender.Transport) caller {
	t.Helper()
	e, err := engine.New(service.Config{
		Network: xmr.Mainnet, Files: native.WalletDir(dir), Lookahead: closeBy,
		KDF: journal.KDF{Time: 1, MemoryKiB: 64, Lanes: 4}, Vault: vault,
		Random: rand.Reader, Now: func() uint64 { return uint64(time.Now().Unix()) }, Workers: 1, Match: native.Match,
		Wait: func(ctx context.Context, _ time.Duration) error { <-ctx.Done(); return ctx.Err() },
		Connect: func(d service.DaemonConfig) (rpc.Transport, error) {
			return native.NewTransport(native.TransportOptions{
				Address: d.Address, SSL: native.SSL{Mode: native.SSLDisabled},
			})
		},
	}, service.DaemonConfig{Address: url, Trusted: url != ""})
	require.NoError(t, err)
	t.Cleanup(func() { _ = e.Close() })
	return &glim{e}
}

// goldenAnswers returns the answers of the open wallet to goldenRequests.
func goldenAnswers(t *testing.T, c caller) []any {
	t.Helper()
	var all []any
	for _, q := range goldenRequests {
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

// holds requires got to have everything that want has; it may have more members.
func holds(t *testing.T, want, got any, path string) {
	t.Helper()
	switch want := want.(type) {
	case nil: // the operation was added later
	case object:
		got, ok := got.(object)
		require.True(t, ok, path)
		for name := range want {
			if strings.HasSuffix(path, "get_address_book.entries[]") && name == "payment_id" && want[name] == "" {
				continue // no longer sent, as in the reference
			}
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

// byTransaction sorts a list of transfers, because their order was defined later; other lists stay as they are.
func byTransaction(list []any) []any {
	key := func(entry any) string {
		e, _ := entry.(object)
		return fmt.Sprint(e["txid"], e["tx_hash"], e["type"], e["address"], e["key_image"])
	}
	list = slices.Clone(list)
	slices.SortStableFunc(list, func(a, b any) int { return cmp.Compare(key(a), key(b)) })
	return list
}

// onGolden starts a daemon of ours on a stored chain.
func onGolden(t *testing.T, folder string) *peers.Daemon {
	t.Helper()
	store, err := chainfile.Open(folder, false)
	require.NoError(t, err)
	t.Cleanup(func() { _ = store.Close() })
	n, err := node.New(node.Config{Chain: chain.Options{
		Network: xmr.Regtest, FixedDifficulty: 1, Random: rand.Reader, Store: store,
		Now: func() uint64 { return uint64(time.Now().Unix()) },
	}})
	require.NoError(t, err)
	d, err := inprocess.Serve(context.Background(), &node.Regtest{Node: n})
	require.NoError(t, err)
	t.Cleanup(func() { _ = d.Kill() })
	return d
}

// TestGoldenFiles opens wallets and chains that earlier versions wrote. Each wallet gives the answers that it gave
// then, and continues on its chain.
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
					continue // the set is older than this kind
				}
				require.NoError(t, err)
				wallets++
				var want []any
				require.NoError(t, json.Unmarshal(recorded, &want))
				do(t, offline, "open_wallet", object{"filename": name, "password": goldenPassword})
				got := goldenAnswers(t, offline)
				require.LessOrEqual(t, len(want), len(got))
				for i := range want {
					holds(t, want[i], got[i], name+": "+goldenRequests[i].method)
				}
			}
			require.GreaterOrEqual(t, wallets, 2)
			do(t, offline, "close_wallet", nil)
			if _, err := os.Stat(filepath.Join(dir, "background.background")); err == nil {
				do(t, offline, "open_wallet", object{"filename": "background.background", "password": "background"})
				require.NotEmpty(t, refusal(t, offline, "query_key", object{"key_type": "spend_key"}),
					"the background file must not hold the spend key")
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

// goldenSet is a set of golden files that is being written.
type goldenSet struct {
	*testing.T
	d                     *peers.Daemon
	dir                   string // of the wallets
	plain, sealed, second caller
}

// made restores wallet n.
func (g *goldenSet) made(c caller, name string, n byte) {
	do(g.T, c, "restore_deterministic_wallet", object{
		"filename": name, "password": goldenPassword, "seed": seed(g.T, n),
	})
}

// record writes the answers of the open wallet and closes it.
func (g *goldenSet) record(c caller, name string) {
	b, err := json.MarshalIndent(goldenAnswers(g.T, c), "", " ")
	require.NoError(g.T, err)
	require.NoError(g.T, os.WriteFile(filepath.Join(g.dir, name+".json"), append(b, '\n'), 0o644))
	do(g.T, c, "store", nil)
	do(g.T, c, "close_wallet", nil)
}

// writeGoldenSet makes a chain, and wallets that use every kind of record.
func writeGoldenSet(t *testing.T, to string) {
	t.Helper()
	require.NoError(t, os.Mkdir(to, 0o755))
	folder := t.TempDir()
	d := onGolden(t, folder)
	g := &goldenSet{T: t, d: d, dir: t.TempDir()}
	vault := spender.New(spender.Host{Random: rand.Reader})
	g.plain = inEngine(t, d.URL, g.dir, nil)
	g.sealed = inEngine(t, d.URL, g.dir, func(ctx context.Context, request []byte) ([]byte, error) {
		return vault.Serve(ctx, request), nil
	})
	g.second = inEngine(t, d.URL, g.dir, nil)
	mine(t, d, 2, at(t, 60, 0, 0))
	mine(t, d, 2, at(t, 61, 0, 0))
	mine(t, d, 16, at(t, nobody, 0, 0))
	mine(t, d, 60, at(t, nobody, 0, 0))

	g.made(g.plain, "signer-1", 62)
	g.made(g.second, "signer-2", 63)
	group := []signerOf{{g.plain, 0}, {g.second, 1}}
	mine(t, d, 1, goldenGroup(t, group))
	g.writePlain()
	g.writeSealed()
	g.writeOthers()
	g.writeSigners(group)
	require.NoError(t, d.Kill())

	files, err := os.ReadDir(g.dir)
	require.NoError(t, err)
	for _, f := range files {
		if strings.HasPrefix(f.Name(), ".") {
			continue
		}
		b, err := os.ReadFile(filepath.Join(g.dir, f.Name()))
		require.NoError(t, err)
		require.NoError(t, os.WriteFile(filepath.Join(to, f.Name()), b, 0o644))
	}
	content, err := os.ReadFile(filepath.Join(folder, chainfile.Name))
	require.NoError(t, err)
	require.NoError(t, os.Mkdir(filepath.Join(to, "chain"), 0o755))
	require.NoError(t, os.WriteFile(filepath.Join(to, "chain", chainfile.Name), content, 0o644))
}

// writePlain writes a wallet with accounts, labels, notes and payments.
func (g *goldenSet) writePlain() {
	g.made(g.plain, "plain", 60)
	refresh(g.T, g.plain)
	do(g.T, g.plain, "create_account", object{"label": "the second"})
	do(g.T, g.plain, "create_address", object{"account_index": 1, "label": "a label"})
	do(g.T, g.plain, "tag_accounts", object{"tag": "tagged", "accounts": []int{1}})
	do(g.T, g.plain, "set_account_tag_description", object{"tag": "tagged", "description": "a description"})
	do(g.T, g.plain, "add_address_book", object{"address": at(g.T, bob, 0, 1), "description": "bob"})
	do(g.T, g.plain, "set_attribute", object{"key": "golden", "value": "a value"})
	sent := pay(g.T, g.plain, []destination{{at(g.T, 60, 1, 1), 3 * coin}, {at(g.T, bob, 0, 1), coin}},
		object{"idempotency_key": "once"})
	do(g.T, g.plain, "set_tx_notes", object{"txids": []string{sent.TxHash}, "notes": []string{"a note"}})
	mine(g.T, g.d, 1, at(g.T, nobody, 0, 0))
	refresh(g.T, g.plain)
	images := call[struct {
		Transfers []struct {
			Image string `json:"key_image"`
		}
	}](g.T, g.plain, "incoming_transfers", object{"transfer_type": "available"}).Transfers
	do(g.T, g.plain, "freeze", object{"key_image": images[0].Image})
	g.record(g.plain, "plain")
}

// writeSealed writes a wallet whose spend key is in the vault.
func (g *goldenSet) writeSealed() {
	g.made(g.sealed, "sealed", 61)
	refresh(g.T, g.sealed)
	pay(g.T, g.sealed, []destination{{at(g.T, bob, 0, 1), coin}}, nil)
	mine(g.T, g.d, 61, at(g.T, nobody, 0, 0))
	refresh(g.T, g.sealed)
	g.record(g.sealed, "sealed")
}

// writeOthers writes a view-only wallet, one from a Polyseed and one with background sync.
func (g *goldenSet) writeOthers() {
	view := call[struct {
		Key string
	}](g.T, openedAgain(g.T, g.plain, "plain"), "query_key", object{"key_type": "view_key"}).Key
	do(g.T, g.plain, "close_wallet", nil)
	do(g.T, g.plain, "generate_from_keys", object{
		"filename": "view-only", "password": goldenPassword, "address": at(g.T, 60, 0, 0), "viewkey": view,
	})
	refresh(g.T, g.plain)
	g.record(g.plain, "view-only")
	do(g.T, g.plain, "create_wallet", object{
		"filename": "sixteen-words", "password": goldenPassword, "language": "English", "seed_type": "polyseed",
	})
	refresh(g.T, g.plain)
	g.record(g.plain, "sixteen-words")
	g.made(g.plain, "background", 60)
	refresh(g.T, g.plain)
	do(g.T, g.plain, "setup_background_sync",
		object{"background_sync_type": "custom-background-password", "wallet_password": goldenPassword,
			"background_cache_password": "background"})
	g.record(g.plain, "background")
}

// writeSigners writes the two wallets of a multisig group.
func (g *goldenSet) writeSigners(group []signerOf) {
	for _, s := range group {
		openedAgain(g.T, s.caller, []string{"signer-1", "signer-2"}[s.n])
		refresh(g.T, s)
	}
	infos := []string{}
	for _, s := range group {
		infos = append(infos, call[struct{ Info string }](g.T, s, "export_multisig_info", nil).Info)
	}
	do(g.T, g.second, "import_multisig_info", object{"info": infos[:1]})
	do(g.T, g.plain, "import_multisig_info", object{"info": infos[1:]})
	g.record(g.plain, "signer-1")
	g.record(g.second, "signer-2")
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

// goldenGroup makes two wallets the signers of a 2-of-2 group and returns its address.
func goldenGroup(t *testing.T, group []signerOf) string {
	t.Helper()
	texts := make([]string, 2)
	for i, s := range group {
		texts[i] = call[multisigInfo](t, s, "prepare_multisig", object{"enable_multisig_experimental": true}).Info
	}
	next := make([]string, 2)
	for i, s := range group {
		next[i] = call[multisigInfo](t, s, "make_multisig", object{
			"multisig_info": []string{texts[1-i]}, "threshold": 2, "password": goldenPassword,
		}).Info
	}
	address := ""
	for i, s := range group {
		address = call[multisigInfo](t, s, "exchange_multisig_keys", object{
			"multisig_info": []string{next[1-i]}, "password": goldenPassword,
		}).Address
	}
	for _, s := range group {
		do(t, s, "close_wallet", nil)
	}
	return address
}
