package service

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"glim/core/coldset"
	"glim/core/journal"
	"glim/core/node"
	"glim/core/rpc"
	"glim/core/signer"
	"glim/core/wallet"
	"glim/core/walletrpc"
	"glim/core/xmr"
)

// cosigners are a group on a private chain, each in a service of its own.
type cosigners struct {
	t       *testing.T
	chain   *node.Regtest
	files   []*folder
	s       []*Service
	address string
}

func newCosigners(t *testing.T, threshold, total, blocks int) *cosigners {
	t.Helper()
	g := &cosigners{t: t}
	var err error
	g.chain, err = node.NewRegtest(func() uint64 { return uint64(time.Now().Unix()) }, rand.Reader)
	require.NoError(t, err)
	t.Cleanup(func() { _ = g.chain.Close() })
	texts := make([]string, total)
	for i := range texts {
		g.files = append(g.files, &folder{files: map[string]*shelf{}})
		g.s = append(g.s, g.serve(i))
		do(t, g.s[i], walletrpc.CreateWallet, walletrpc.CreateWalletRequest{Filename: "w", Language: "English"})
		texts[i] = do(t, g.s[i], walletrpc.PrepareMultisig, walletrpc.PrepareMultisigRequest{EnableMultisigExperimental: true}).MultisigInfo
	}
	for round := range total - threshold + 2 {
		next := make([]string, total)
		for i := range texts {
			others := slices.Delete(slices.Clone(texts), i, i+1)
			var r walletrpc.MultisigRoundResponse
			if round == 0 {
				r = do(t, g.s[i], walletrpc.MakeMultisig, walletrpc.MakeMultisigRequest{MultisigInfo: others, Threshold: uint32(threshold)})
			} else {
				r = do(t, g.s[i], walletrpc.ExchangeMultisigKeys, walletrpc.ExchangeMultisigKeysRequest{MultisigInfo: others})
			}
			next[i], g.address = r.MultisigInfo, r.Address
		}
		texts = next
	}
	require.NotEmpty(t, g.address)
	_, err = g.chain.Mine(t.Context(), blocks, g.address)
	require.NoError(t, err)
	require.NoError(t, g.chain.Fund(t.Context(), 20, node.Nobody()))
	g.refresh()
	return g
}

// serve starts a service for signer i.
func (g *cosigners) serve(i int) *Service {
	g.t.Helper()
	var vault signer.Post
	if i%2 == 1 { // it makes no difference
		vault = signer.New(signer.Host{Random: rand.Reader}).Post()
	}
	s, err := New(Config{
		Vault: vault, Network: xmr.Regtest, Files: g.files[i], Random: rand.Reader, Now: func() uint64 { return uint64(time.Now().Unix()) }, Workers: 1,
		KDF: journal.WeakestKDF(), Lookahead: wallet.Lookahead{Major: 2, Minor: 2},
		Wait:    func(ctx context.Context, _ time.Duration) error { <-ctx.Done(); return ctx.Err() },
		Connect: func(DaemonConfig) (rpc.Transport, error) { return g.chain.Registry(), nil },
	}, DaemonConfig{Address: "here", Trusted: true})
	require.NoError(g.t, err)
	g.t.Cleanup(func() { _ = s.Close() })
	return s
}

// restart kills signer i and starts it again with what was on its disk.
func (g *cosigners) restart(i int, disk []byte) {
	g.t.Helper()
	g.files[i] = &folder{files: map[string]*shelf{}}
	g.files[i].files["w"] = &shelf{&journal.Memory{Content: slices.Clone(disk)}, g.files[i], false}
	g.s[i] = g.serve(i)
	do(g.t, g.s[i], walletrpc.OpenWallet, walletrpc.OpenWalletRequest{Filename: "w"})
	do(g.t, g.s[i], walletrpc.Refresh, walletrpc.RefreshRequest{})
}

func (g *cosigners) disk(i int) *journal.Memory { return g.files[i].files["w"].Memory }

func (g *cosigners) refresh() {
	g.t.Helper()
	for _, s := range g.s {
		do(g.t, s, walletrpc.Refresh, walletrpc.RefreshRequest{})
	}
}

func (g *cosigners) mine(n int) {
	g.t.Helper()
	_, err := g.chain.Mine(g.t.Context(), n, node.Nobody())
	require.NoError(g.t, err)
	g.refresh()
}

func (g *cosigners) export(i int) string {
	g.t.Helper()
	return do(g.t, g.s[i], walletrpc.ExportMultisigInfo, walletrpc.Empty{}).Info
}

// share has all export and all import, and returns what each exported.
func (g *cosigners) share() []string {
	g.t.Helper()
	infos := make([]string, len(g.s))
	for i := range g.s {
		infos[i] = g.export(i)
	}
	for i, s := range g.s {
		do(g.t, s, walletrpc.ImportMultisigInfo, walletrpc.ImportMultisigInfoRequest{
			Info: slices.Delete(slices.Clone(infos), i, i+1), RefreshAfterImport: true,
		})
	}
	return infos
}

// propose has signer i make a transaction that pays amount to nobody.
func (g *cosigners) propose(i int, amount uint64) string {
	g.t.Helper()
	return do(g.t, g.s[i], walletrpc.Transfer, walletrpc.TransferRequest{
		Destinations: []walletrpc.Destination{{Amount: amount, Address: node.Nobody()}}}).MultisigTxSet
}

func (g *cosigners) sign(i int, set string) (walletrpc.SignMultisigResponse, error) {
	return rpc.Call(g.t.Context(), g.s[i].Registry(), walletrpc.SignMultisig, walletrpc.SignMultisigRequest{TxDataHex: set})
}

// finish submits a set and has it mined.
func (g *cosigners) finish(i int, set string) {
	g.t.Helper()
	ids := do(g.t, g.s[i], walletrpc.SubmitMultisig, walletrpc.SubmitMultisigRequest{TxDataHex: set}).TxHashList
	require.Len(g.t, ids, 1)
	g.mine(10)
	got := do(g.t, g.s[i], walletrpc.GetTransferByTxID, walletrpc.GetTransferByTxIDRequest{TxID: ids[0]})
	require.Equal(g.t, "out", got.Transfer.Type)
}

func (g *cosigners) read(i int, set string) *coldset.SharedSet {
	g.t.Helper()
	o, err := g.s[i].current()
	require.NoError(g.t, err)
	b, err := hex.DecodeString(set)
	require.NoError(g.t, err)
	s, err := o.messages().DecodeSharedSet(b)
	require.NoError(g.t, err)
	return s
}

// uses remembers which nonces of a signer responded to what, and fails when one did twice.
type uses map[[32]byte]string

// note takes the nonces of infos that a signed set used.
func (u uses) note(g *cosigners, i int, infos []string, set string, what string) {
	g.t.Helper()
	own := map[[32]byte]bool{}
	o, err := g.s[i].current()
	require.NoError(g.t, err)
	for _, text := range infos {
		b, err := hex.DecodeString(text)
		require.NoError(g.t, err)
		info, err := o.messages().DecodeSharedInfo(b)
		require.NoError(g.t, err)
		for _, out := range info.Outputs {
			for _, pair := range out.Nonces {
				own[pair.L] = true
			}
		}
	}
	used := 0
	for _, p := range g.read(i, set).Transactions {
		for _, a := range p.Attempts {
			for _, l := range a.UsedL {
				if !own[l] {
					continue
				}
				used++
				require.Empty(g.t, u[l], "a nonce responds to %s", what)
				u[l] = what
			}
		}
	}
	require.NotZero(g.t, used, "the test knows the nonces it looks for")
}

// TestNoNonceTwice kills a signer at every step of exporting and of signing: between the steps, and in the middle of what each
// writes. Whatever answers got out, no nonce was in two of them; and the wallet goes on.
func TestNoNonceTwice(t *testing.T) {
	g := newCosigners(t, 2, 2, 3)
	used := uses{}
	infos := g.share()
	all := []string{infos[1]}
	first, second := g.propose(0, xmr.Coin), g.propose(0, 2*xmr.Coin)
	before := slices.Clone(g.disk(1).Content)

	// What signing writes, from a signer that nothing happens to.
	var writes [][]byte
	g.disk(1).Fault = func(_ journal.Op, p []byte) (int, error) {
		writes = append(writes, slices.Clone(p))
		return 0, nil
	}
	signed, err := g.sign(1, first)
	require.NoError(t, err)
	require.Len(t, signed.TxHashList, 1)
	require.Len(t, writes, 2, "that the nonces are used up, and the transaction's keys")
	used.note(g, 1, all, signed.TxDataHex, "first")
	_, err = g.sign(1, second)
	require.Error(t, err, "without a restart")
	after := slices.Clone(g.disk(1).Content)

	// Killed when the answer was out: nothing brings the nonces back.
	g.restart(1, after)
	for _, set := range []string{second, first} {
		_, err = g.sign(1, set)
		e := failure(t, err)
		require.Equal(t, walletrpc.CodeMultisigSignature, e.Code)
		require.Equal(t, "Failed to sign multisig tx: This signature was made with stale data: export fresh multisig data, which other participants must then use", e.Message)
	}

	// Killed while it writes, or between: then no answer was out. What it may do afterwards depends on what is on the disk.
	failed := errors.New("the power is gone")
	for n := range writes {
		for _, part := range []int{0, 1, len(writes[n]) / 2, len(writes[n]) - 1, len(writes[n])} {
			what := fmt.Sprintf("write %d, %d bytes", n, part)
			g.restart(1, before)
			count := 0
			g.disk(1).Fault = func(op journal.Op, _ []byte) (int, error) {
				if op != journal.OpAppend {
					return 0, failed
				}
				count++
				if count <= n {
					return 0, nil
				}
				return part, failed
			}
			got, err := g.sign(1, second)
			require.Equal(t, walletrpc.CodeMultisigSignature, failure(t, err).Code, what)
			require.Empty(t, got, what)
			disk := slices.Clone(g.disk(1).Content)
			g.restart(1, disk)
			again, err := g.sign(1, second)
			recorded := n > 0 || part == len(writes[0])
			require.Equal(t, recorded, err != nil, what)
			if err == nil {
				require.NotEmpty(t, again.TxDataHex)
				_, err = g.sign(1, first)
				require.Error(t, err, what)
			}
		}
	}

	// The wallet is not stuck: after another export it signs, and the network takes it.
	g.restart(1, after)
	infos = g.share()
	all = append(all, infos[1])
	third := g.propose(0, 3*xmr.Coin)
	signed, err = g.sign(1, third)
	require.NoError(t, err)
	used.note(g, 1, all, signed.TxDataHex, "third")
	g.finish(0, signed.TxDataHex)

	// Killed while it exports: either the old nonces are there or the new, which nobody was told.
	infos = g.share()
	all = append(all, infos[1])
	set := g.propose(0, xmr.Coin)
	before = slices.Clone(g.disk(1).Content)
	var record []byte
	g.disk(1).Fault = func(_ journal.Op, p []byte) (int, error) { record = slices.Clone(p); return 0, nil }
	g.export(1)
	for _, part := range []int{0, 1, len(record) / 2, len(record) - 1, len(record)} {
		g.restart(1, before)
		g.disk(1).Fault = func(op journal.Op, _ []byte) (int, error) {
			if op != journal.OpAppend {
				return 0, failed
			}
			return part, failed
		}
		got, err := rpc.Call(t.Context(), g.s[1].Registry(), walletrpc.ExportMultisigInfo, walletrpc.Empty{})
		require.Error(t, err)
		require.Empty(t, got.Info)
		g.restart(1, slices.Clone(g.disk(1).Content))
		_, err = g.sign(1, set)
		require.Equal(t, part == len(record), err != nil, "%d of %d bytes", part, len(record))
	}
	// Whatever was made with what came before, a new round of infos goes on.
	infos = g.share()
	all = append(all, infos[1])
	signed, err = g.sign(1, g.propose(0, xmr.Coin))
	require.NoError(t, err)
	used.note(g, 1, all, signed.TxDataHex, "last")
	g.finish(1, signed.TxDataHex)
}

func failure(t *testing.T, err error) rpc.Error {
	t.Helper()
	var e *rpc.Error
	require.ErrorAs(t, err, &e)
	return *e
}
