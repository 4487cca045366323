// Package scenario compares glim with the real monerod and monero-wallet-rpc in complete scenarios.
package scenario

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"glim/bindings/engine"
	"glim/bindings/native"
	"glim/bindings/peers"
	"glim/bindings/peers/inprocess"
	"glim/core/journal"
	"glim/core/keys"
	"glim/core/mnemonic"
	"glim/core/mnemonic/languages"
	polyseeds "glim/core/polyseed/languages"
	"glim/core/rpc"
	"glim/core/rpc/digest"
	"glim/core/service"
	"glim/core/wallet"
	"glim/core/walletfile"
	"glim/core/xmr"
)

// patience is the deadline of every wait. It only guards against hanging.
const patience = 5 * time.Minute

const coin = 1_000_000_000_000 // atomic units

func deadline(t *testing.T) context.Context {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	t.Cleanup(cancel)
	return ctx
}

// until waits for a result of another process.
func until(t *testing.T, done func() bool) {
	t.Helper()
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	for ctx := deadline(t); !done(); {
		select {
		case <-tick.C:
		case <-ctx.Done():
			t.Fatal("timed out")
		}
	}
}

type object = map[string]any

// caller is a wallet service, ours or the reference's.
type caller interface {
	JSON(ctx context.Context, method string, params, out any) error
}

// glim is our service in this process.
type glim struct {
	*engine.Engine
}

// options configure newGlim.
type options struct {
	lookahead   wallet.Lookahead // near if zero
	dir         string
	now         func() uint64
	workers     int
	connections int  // to the daemon; 0 for the default
	without     bool // ignores caches of the reference
	files       func(native.WalletDir) service.Files
	log         service.Log
}

// newGlim configures the service as the command does, except for a fast key derivation.
func newGlim(t *testing.T, daemonURL string, o options) *glim {
	t.Helper()
	if o.dir == "" {
		o.dir = t.TempDir()
	}
	if o.lookahead == (wallet.Lookahead{}) {
		o.lookahead = near
	}
	if o.now == nil {
		o.now = func() uint64 { return uint64(time.Now().Unix()) }
	}
	if o.files == nil {
		o.files = func(d native.WalletDir) service.Files { return native.SharedDir{WalletDir: d} }
	}
	e, err := engine.New(service.Config{
		Network: xmr.Mainnet, Files: o.files(native.WalletDir(o.dir)), Lookahead: o.lookahead,
		WithoutCache: o.without, Log: o.log, KDF: journal.WeakestKDF(),
		Random: rand.Reader, Now: o.now, Workers: max(o.workers, 2),
		Languages: languages.All(), Polyseeds: polyseeds.All(), Match: native.Match,
		Paths: native.WalletDir(o.dir).Paths,
		Wait:  func(ctx context.Context, _ time.Duration) error { <-ctx.Done(); return ctx.Err() },
		Connect: func(d service.DaemonConfig) (rpc.Transport, error) {
			return native.NewTransport(native.TransportOptions{
				Address: d.Address, Login: digest.NewLogin(d.Username, d.Password),
				SSL:         native.SSL{Mode: native.SSLDisabled},
				Connections: o.connections,
			})
		},
	}, service.DaemonConfig{Address: daemonURL, Trusted: true})
	require.NoError(t, err)
	t.Cleanup(func() { _ = e.Close() })
	return &glim{e}
}

// JSON calls an operation. An error answer is a *peers.Error, as with the reference.
func (g *glim) JSON(ctx context.Context, method string, params, out any) error {
	return inProcess(g.Call).JSON(ctx, method, params, out)
}

// inProcess calls operations of an engine.
type inProcess func(ctx context.Context, method string, params []byte, bigStrings bool) ([]byte, error)

func (call inProcess) JSON(ctx context.Context, method string, params, out any) error {
	var body []byte
	if params != nil {
		var err error
		if body, err = json.Marshal(params); err != nil {
			return err
		}
	}
	answer, err := call(ctx, method, body, false)
	var refused *rpc.Error
	if errors.As(err, &refused) {
		return &peers.Error{Code: refused.Code, Message: refused.Message}
	}
	if err != nil || out == nil {
		return err
	}
	return json.Unmarshal(answer, out)
}

// newDaemon starts a daemon of ours with a new chain. Scenarios use it unless monerod itself has to verify something.
func newDaemon(t *testing.T) *peers.Daemon {
	t.Helper()
	d, err := inprocess.Start(context.Background())
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, d.Kill()) })
	return d
}

// newMonerod starts the real daemon with a new chain.
func newMonerod(t *testing.T) *peers.Daemon {
	t.Helper()
	return peers.NewDaemon(t, peers.Options{KeepChain: true})
}

// newReference starts the real wallet service, without automatic refreshes.
func newReference(t *testing.T, d *peers.Daemon) *peers.WalletRPC {
	t.Helper()
	w := peers.NewWalletRPC(t, d, peers.Options{})
	do(t, w, "auto_refresh", object{"enable": false})
	return w
}

// call returns the result of a method that must succeed.
func call[R any](t *testing.T, c caller, method string, params any) (r R) {
	t.Helper()
	require.NoError(t, c.JSON(deadline(t), method, params, &r), method)
	return r
}

func do(t *testing.T, c caller, method string, params any) {
	t.Helper()
	require.NoError(t, c.JSON(deadline(t), method, params, nil), "%s of %T", method, c)
}

// refusal returns the error of a call that must fail.
func refusal(t *testing.T, c caller, method string, params any) peers.Error {
	t.Helper()
	var e *peers.Error
	require.ErrorAs(t, c.JSON(deadline(t), method, params, nil), &e, method)
	return *e
}

// seedOf returns the secret of wallet number n.
func seedOf(n byte) [32]byte { return [32]byte{n, 1, 2, 3, 5, 8, 13, 21} }

// seed returns the seed words of wallet number n.
func seed(t *testing.T, n byte) string {
	t.Helper()
	words, err := mnemonic.Encode(seedOf(n), mnemonic.English())
	require.NoError(t, err)
	return words
}

// at returns an address of wallet n.
func at(t *testing.T, n byte, major, minor uint32) string {
	t.Helper()
	a, err := addressOf(n, major, minor)
	require.NoError(t, err)
	return a
}

func addressOf(n byte, major, minor uint32) (string, error) {
	k, err := keys.FromSeed(seedOf(n))
	if err != nil {
		return "", err
	}
	return wallet.New(wallet.Identity{Network: xmr.Mainnet, Keys: k}, wallet.Lookahead{Major: 1, Minor: 1}).
		Address(keys.Index{Major: major, Minor: minor}).String(), nil
}

// near is the lookahead of most scenarios; far is that of the reference.
var near, far = wallet.Lookahead{Major: 8, Minor: 30}, wallet.Lookahead{Major: 50, Minor: 200}

// restore makes wallet n in a service and leaves it open. From a seed the reference takes seconds for the ten thousand
// addresses of its lookahead; a keys file sets a smaller one.
func restore(t *testing.T, c caller, name string, n byte) {
	t.Helper()
	reference, ok := c.(*peers.WalletRPC)
	if !ok {
		restoreFar(t, c, name, n)
		return
	}
	file, err := keysFile(n)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(filepath.Join(reference.Wallets, name+".keys"), file, 0o600))
	do(t, c, "open_wallet", object{"filename": name, "password": ""})
}

var keysFiles sync.Map

// keysFile returns the reference's keys file of wallet n.
func keysFile(n byte) ([]byte, error) {
	if file, ok := keysFiles.Load(n); ok {
		return file.([]byte), nil
	}
	k, err := keys.FromSeed(seedOf(n))
	if err != nil {
		return nil, err
	}
	file, err := walletfile.Seal(&walletfile.Wallet{
		Keys: k, Network: xmr.Mainnet, Language: "English", LookaheadMajor: near.Major, LookaheadMinor: near.Minor,
	}, nil, walletfile.Rounds, rand.Reader)
	keysFiles.Store(n, file)
	return file, err
}

// restoreFar restores wallet n from its seed and leaves it open.
func restoreFar(t *testing.T, c caller, name string, n byte) {
	t.Helper()
	do(t, c, "restore_deterministic_wallet", object{
		"filename": name, "password": "", "seed": seed(t, n), "restore_height": 0,
	})
}

func refresh(t *testing.T, cs ...caller) {
	t.Helper()
	for _, c := range cs {
		do(t, c, "refresh", nil)
	}
}

type destination struct {
	Address string `json:"address"`
	Amount  uint64 `json:"amount"`
}

type transferred struct {
	TxHash string `json:"tx_hash"`
	TxKey  string `json:"tx_key"`
	Fee    uint64 `json:"fee"`
	Weight uint64 `json:"weight"`
	Blob   string `json:"tx_blob"`
	Amount uint64 `json:"amount"`
	Images struct {
		KeyImages []string `json:"key_images"`
	} `json:"spent_key_images"`
}

// pay makes a transfer; more has additional members of the request.
func pay(t *testing.T, c caller, to []destination, more object) transferred {
	t.Helper()
	params := object{"destinations": to, "get_tx_key": true}
	for k, v := range more {
		params[k] = v
	}
	return call[transferred](t, c, "transfer", params)
}

// chainTop returns the number of blocks and the ID of the last one.
func chainTop(t *testing.T, d *peers.Daemon) (height uint64, top string) {
	t.Helper()
	info := call[struct {
		Height uint64 `json:"height"`
		Top    string `json:"top_block_hash"`
	}](t, d, "get_info", nil)
	return info.Height, info.Top
}

// blockID returns the ID of the block at a height.
func blockID(t *testing.T, d *peers.Daemon, index uint64) string {
	t.Helper()
	h := call[struct {
		Header struct {
			Hash string `json:"hash"`
		} `json:"block_header"`
	}](t, d, "get_block_header_by_height", object{"height": index})
	return h.Header.Hash
}

// mine adds blocks, the first with all transactions of the pool. The daemon mines a new transaction only after it has
// relayed it, which takes a moment even without peers.
func mine(t *testing.T, d *peers.Daemon, n int, address string, prev ...string) {
	t.Helper()
	until(t, func() bool {
		var pool struct {
			Transactions []struct{ Relayed bool }
		}
		require.NoError(t, d.Path(deadline(t), "/get_transaction_pool", nil, &pool))
		for _, tx := range pool.Transactions {
			if !tx.Relayed {
				return false
			}
		}
		return true
	})
	require.NoError(t, d.Mine(deadline(t), n, address, prev...))
}

// lists are the arrays whose order is not defined.
var lists = []string{
	"payments", "in", "out", "pool", "pending", "failed", "transfers", "destinations", "per_subaddress", "key_images",
	"chains", "spent_key_images",
}

// plain decodes an answer for comparison: numbers as written, without the members of ignore, unordered lists sorted.
func plain(t *testing.T, raw []byte, ignore []string) any {
	t.Helper()
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	var v any
	require.NoError(t, d.Decode(&v))
	return tidy(t, v, ignore)
}

func tidy(t *testing.T, v any, ignore []string) any {
	switch v := v.(type) {
	case map[string]any:
		for name, member := range v {
			if slices.Contains(ignore, name) {
				delete(v, name)
				continue
			}
			v[name] = tidy(t, member, ignore)
			if list, ok := v[name].([]any); ok && slices.Contains(lists, name) {
				slices.SortFunc(list, func(a, b any) int { return bytes.Compare(text(t, older(a)), text(t, older(b))) })
			}
		}
	case []any:
		for i := range v {
			v[i] = tidy(t, v[i], ignore)
		}
	}
	return v
}

func text(t *testing.T, v any) []byte {
	t.Helper()
	b, err := json.Marshal(v)
	require.NoError(t, err)
	return b
}

// compare sends a request to both services and requires equal answers or equal errors. It continues after a difference,
// so that a run reports all of them.
func compare(t *testing.T, reference, ours caller, method string, params any, ignore ...string) {
	t.Helper()
	comparison{ignore: ignore}.ask(t, reference, ours, method, params, params)
}

// comparison defines how two answers are compared.
type comparison struct {
	ignore []string // members that are not compared
	alike  []string // random members: of the same type, and both empty or both not
	barred bool     // the service refuses the operation as such, so nothing is recorded about it, see record
}

// ask sends theirs to the reference and our to us as the parameters.
func (c comparison) ask(t *testing.T, reference, ours caller, method string, theirs, our any) {
	t.Helper()
	var want, got json.RawMessage
	wantErr := reference.JSON(deadline(t), method, theirs, &want)
	gotErr := ours.JSON(deadline(t), method, our, &got)
	if !c.barred {
		record(method, wantErr != nil)
	}
	if wantErr != nil || gotErr != nil {
		var w, g *peers.Error
		require.True(t, (wantErr == nil || errors.As(wantErr, &w)) && (gotErr == nil || errors.As(gotErr, &g)),
			"%v / %v", wantErr, gotErr)
		if w == nil || g == nil || *w != *g {
			t.Errorf("%s %s: the reference says %v, we say %v", method, text(t, theirs), wantErr, gotErr)
		}
		return
	}
	asked, err := json.Marshal(theirs)
	require.NoError(t, err)
	w, g := c.plain(t, want), c.plain(t, got)
	forgive(method, w, g)
	difference(t, method+" "+string(asked), w, g)
}

// plain decodes an answer for comparison.
func (c comparison) plain(t *testing.T, raw []byte) any {
	t.Helper()
	return blur(plain(t, raw, c.ignore), c.alike)
}

// blur replaces members named in alike by their kind.
func blur(v any, alike []string) any {
	switch v := v.(type) {
	case map[string]any:
		for name, member := range v {
			if slices.Contains(alike, name) {
				v[name] = kind(member)
			} else {
				v[name] = blur(member, alike)
			}
		}
	case []any:
		for i := range v {
			v[i] = blur(v[i], alike)
		}
	}
	return v
}

// kind returns a value that depends only on the type of v, and on whether it is empty.
func kind(v any) any {
	switch v := v.(type) {
	case string:
		if v == "" {
			return ""
		}
		return "text"
	case json.Number:
		if v == "0" {
			return v
		}
		return "number"
	case []any:
		for i := range v {
			v[i] = kind(v[i])
		}
	}
	return v
}

// newer lists members of answers that the installed release of the reference does not have.
var newer = map[string][]string{
	"transfer": {"amounts_by_dest"}, "sweep_single": {"amounts_by_dest"},
	"transfer_split": {"amounts_by_dest_list"}, "sweep_all": {"amounts_by_dest_list"},
	"describe_transfer": {"sources", "weight"},
	"get_transfers":     {"change_amount"}, "get_transfer_by_txid": {"change_amount"},
	"is_multisig":      {"kex_is_done"},
	"get_address_book": {"payment_id"}, // of the published interface
}

// older returns an entry of a list without the members that are newer for any operation.
func older(entry any) any {
	members, ok := entry.(map[string]any)
	if !ok {
		return entry
	}
	members = maps.Clone(members)
	for _, list := range newer {
		for _, name := range list {
			delete(members, name)
		}
	}
	return members
}

// forgive removes newer members from our answer if the reference does not have them.
func forgive(method string, want, got any) {
	switch w := want.(type) {
	case map[string]any:
		g, ok := got.(map[string]any)
		if !ok {
			return
		}
		for name, member := range g {
			if _, known := w[name]; known {
				forgive(method, w[name], member)
			} else if slices.Contains(newer[method], name) {
				delete(g, name)
			}
		}
	case []any:
		if g, ok := got.([]any); ok && len(g) == len(w) {
			for i := range w {
				forgive(method, w[i], g[i])
			}
		}
	}
}

// difference reports the differences of two answers.
func difference(t *testing.T, at string, want, got any) {
	t.Helper()
	switch w := want.(type) {
	case map[string]any:
		if g, ok := got.(map[string]any); ok {
			for name := range w {
				if _, ok := g[name]; !ok {
					t.Errorf("%s.%s: the reference has %s, we have nothing", at, name, text(t, w[name]))
					continue
				}
				difference(t, at+"."+name, w[name], g[name])
			}
			for name := range g {
				if _, ok := w[name]; !ok {
					t.Errorf("%s.%s: we have %s, the reference has nothing", at, name, text(t, g[name]))
				}
			}
			return
		}
	case []any:
		if g, ok := got.([]any); ok && len(g) == len(w) {
			for i := range w {
				difference(t, fmt.Sprintf("%s[%d]", at, i), w[i], g[i])
			}
			return
		}
	}
	if w, g := string(text(t, want)), string(text(t, got)); w != g {
		t.Errorf("%s: the reference says %s, we say %s", at, w, g)
	}
}

// local are the members of transfers that are not on the chain: what only the sender knows.
var local = []string{"destinations", "note"}

// compareAll compares everything that two copies of a wallet report about the chain, for the first accounts.
func compareAll(t *testing.T, reference, ours caller, accounts uint32, ignore ...string) {
	t.Helper()
	ask := func(method string, params object, more ...string) {
		t.Helper()
		compare(t, reference, ours, method, params, slices.Concat(ignore, more)...)
	}
	ask("get_height", nil)
	for _, strict := range []bool{false, true} {
		ask("get_balance", object{"account_index": 0, "all_accounts": true, "strict": strict})
		ask("get_accounts", object{"strict_balances": strict})
		for a := range accounts {
			ask("get_balance", object{"account_index": a, "strict": strict})
			ask("get_balance", object{"account_index": a, "address_indices": []int{0, 1, 2}, "strict": strict})
		}
	}
	for a := range accounts {
		ask("get_address", object{"account_index": a})
		for _, kind := range []string{"all", "available", "unavailable"} {
			ask("incoming_transfers", object{"transfer_type": kind, "account_index": a})
		}
		ask("incoming_transfers", object{"transfer_type": "all", "account_index": a, "subaddr_indices": []int{1}})
		ask("get_transfers", object{"in": true, "out": true, "account_index": a}, local...)
		ask("get_transfers", object{"in": true, "out": true, "account_index": a, "subaddr_indices": []int{1}}, local...)
	}
	top := call[struct{ Height uint64 }](t, reference, "get_height", nil).Height
	ask("get_transfers", object{"in": true, "out": true, "all_accounts": true}, local...)
	ask("get_transfers", object{"in": true, "out": true, "all_accounts": true, "filter_by_height": true,
		"min_height": top / 2, "max_height": top - 2}, local...)
	ask("get_transfers", object{"pool": true, "all_accounts": true}, append(local, "timestamp")...)
	type entry struct {
		TxID  string                 `json:"txid"`
		Index struct{ Major uint32 } `json:"subaddr_index"`
	}
	seen := map[entry]bool{}
	for _, list := range call[map[string][]entry](t, ours, "get_transfers",
		object{"in": true, "out": true, "all_accounts": true}) {
		for _, e := range list {
			if !seen[e] {
				seen[e] = true
				ask("get_transfer_by_txid", object{"txid": e.TxID, "account_index": e.Index.Major}, local...)
			}
		}
	}
}
