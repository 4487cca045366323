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

	"glim/core/journal"
	"glim/core/multisig"
	"glim/core/node"
	"glim/core/rpc"
	"glim/core/signer"
	"glim/core/wallet"
	"glim/core/walletrpc"
	"glim/core/xmr"
)

// cosigners are the signers of a group on a private chain, each in its own service.
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
		g.files = append(g.files, newFolder())
		g.s = append(g.s, g.serve(i))
		do(t, g.s[i], walletrpc.CreateWallet, walletrpc.CreateWalletRequest{Filename: "w", Language: "English"})
		texts[i] = do(t, g.s[i], walletrpc.PrepareMultisig,
			walletrpc.PrepareMultisigRequest{EnableMultisigExperimental: true}).MultisigInfo
	}
	for round := range total - threshold + 2 {
		next := make([]string, total)
		for i := range texts {
			others := slices.Delete(slices.Clone(texts), i, i+1)
			var r walletrpc.MultisigRoundResponse
			if round == 0 {
				r = do(t, g.s[i], walletrpc.MakeMultisig,
					walletrpc.MakeMultisigRequest{MultisigInfo: others, Threshold: uint32(threshold)})
			} else {
				r = do(t, g.s[i], walletrpc.ExchangeMultisigKeys,
					walletrpc.ExchangeMultisigKeysRequest{MultisigInfo: others})
			}
			next[i], g.address = r.MultisigInfo, r.Address
		}
		texts = next
	}
	require.NotEmpty(t, g.address)
	_, err = g.chain.Mine(t.Context(), blocks, g.address)
	require.NoError(t, err)
	require.NoError(t, g.chain.Fund(t.Context(), 20, node.UnspendableAddress()))
	g.refresh()
	return g
}

// serve starts a service for signer i.
func (g *cosigners) serve(i int) *Service {
	g.t.Helper()
	var vault signer.Transport
	if i%2 == 1 { // a vault makes no difference
		vault = signer.New(signer.Host{Random: rand.Reader}).Transport()
	}
	s, err := New(Config{
		Vault: vault, Network: xmr.Regtest, Files: g.files[i], Random: rand.Reader,
		Now: func() uint64 { return uint64(time.Now().Unix()) }, Workers: 1,
		KDF: journal.WeakestKDF(), Lookahead: wallet.Lookahead{Major: 2, Minor: 2},
		Wait:    func(ctx context.Context, _ time.Duration) error { <-ctx.Done(); return ctx.Err() },
		Connect: func(DaemonConfig) (rpc.Transport, error) { return g.chain.Registry(), nil },
	}, DaemonConfig{Address: "here", Trusted: true})
	require.NoError(g.t, err)
	g.t.Cleanup(func() { _ = s.Close() })
	return s
}

// restart kills signer i and starts it again with the contents of its disk.
func (g *cosigners) restart(i int, disk []byte) {
	g.t.Helper()
	g.files[i] = newFolder()
	g.files[i].files["w"] = &memoryFile{&journal.Memory{Content: slices.Clone(disk)}, g.files[i], false}
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
	_, err := g.chain.Mine(g.t.Context(), n, node.UnspendableAddress())
	require.NoError(g.t, err)
	g.refresh()
}

func (g *cosigners) export(i int) string {
	g.t.Helper()
	return do(g.t, g.s[i], walletrpc.ExportMultisigInfo, walletrpc.Empty{}).Info
}

// share has all signers export and import infos, and returns each export.
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

// propose has signer i make a transaction that pays amount to an unrelated address.
func (g *cosigners) propose(i int, amount uint64) string {
	g.t.Helper()
	return do(g.t, g.s[i], walletrpc.Transfer, walletrpc.TransferRequest{
		Destinations: []walletrpc.Destination{{Amount: amount, Address: node.UnspendableAddress()}}}).MultisigTxSet
}

func (g *cosigners) sign(i int, set string) (walletrpc.SignMultisigResponse, error) {
	return rpc.Call(g.t.Context(), g.s[i].Registry(), walletrpc.SignMultisig,
		walletrpc.SignMultisigRequest{TxDataHex: set})
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

func (g *cosigners) read(i int, set string) *multisig.TxSet {
	g.t.Helper()
	o, err := g.s[i].current()
	require.NoError(g.t, err)
	b, err := hex.DecodeString(set)
	require.NoError(g.t, err)
	s, err := multisig.DecodeTxSet(o.messages(), b)
	require.NoError(g.t, err)
	return s
}

// uses records which partial signatures used which nonces of a signer, and fails if a nonce is used twice.
type uses map[[32]byte]string

// note records the nonces of infos that a signed set used.
func (u uses) note(g *cosigners, i int, infos []string, set string, what string) {
	g.t.Helper()
	own := map[[32]byte]bool{}
	o, err := g.s[i].current()
	require.NoError(g.t, err)
	for _, text := range infos {
		b, err := hex.DecodeString(text)
		require.NoError(g.t, err)
		info, err := multisig.DecodeInfo(o.messages(), b)
		require.NoError(g.t, err)
		for _, out := range info.Outputs {
			for _, pair := range out.Nonces {
				own[pair.L] = true
			}
		}
	}
	used := 0
	for _, p := range g.read(i, set).Transactions {
		for _, a := range p.MultisigSigs {
			for _, l := range a.UsedL {
				if !own[l] {
					continue
				}
				used++
				require.Empty(g.t, u[l], "a nonce of %s was used before", what)
				u[l] = what
			}
		}
	}
	require.NotZero(g.t, used, "the test recognises the nonces")
}

// TestNoNonceTwice kills a signer at every step of exporting and signing, between the steps and within each write. No
// two partial signatures may share a nonce, and the wallet must still work.
func TestNoNonceTwice(t *testing.T) {
	g := newCosigners(t, 2, 2, 3)
	used := uses{}
	infos := g.share()
	all := []string{infos[1]}
	first, second := g.propose(0, xmr.Coin), g.propose(0, 2*xmr.Coin)
	before := slices.Clone(g.disk(1).Content)

	// Record what signing writes without a failure.
	var writes [][]byte
	g.disk(1).Fault = func(_ journal.Op, p []byte) (int, error) {
		writes = append(writes, slices.Clone(p))
		return 0, nil
	}
	signed, err := g.sign(1, first)
	require.NoError(t, err)
	require.Len(t, signed.TxHashList, 1)
	require.Len(t, writes, 2, "one write for the discarded nonces, one for the transaction's keys")
	used.note(g, 1, all, signed.TxDataHex, "first")
	_, err = g.sign(1, second)
	require.Error(t, err, "without a restart")
	after := slices.Clone(g.disk(1).Content)

	// Killed after the response: the nonces are lost for good.
	g.restart(1, after)
	for _, set := range []string{second, first} {
		_, err = g.sign(1, set)
		e := failure(t, err)
		require.Equal(t, walletrpc.CodeMultisigSignature, e.Code)
		require.Equal(t, "Failed to sign multisig tx: This signature was made with stale data: export fresh multisig "+
			"data, which other participants must then use", e.Message)
	}

	killWhileSigning(t, g, before, writes, first, second)

	// The wallet still works: after another export it signs a transaction that the network accepts.
	g.restart(1, after)
	infos = g.share()
	all = append(all, infos[1])
	third := g.propose(0, 3*xmr.Coin)
	signed, err = g.sign(1, third)
	require.NoError(t, err)
	used.note(g, 1, all, signed.TxDataHex, "third")
	g.finish(0, signed.TxDataHex)

	infos = g.share()
	all = append(all, infos[1])
	set := g.propose(0, xmr.Coin)
	killWhileExporting(t, g, set)
	// In any state, a new round of infos works.
	infos = g.share()
	all = append(all, infos[1])
	signed, err = g.sign(1, g.propose(0, xmr.Coin))
	require.NoError(t, err)
	used.note(g, 1, all, signed.TxDataHex, "last")
	g.finish(1, signed.TxDataHex)
}

var errPower = errors.New("power failure")

// killWhileSigning kills signer 1 within and between the writes of signing: no response was returned then. Whether it
// can sign afterwards depends on what the disk contains.
func killWhileSigning(t *testing.T, g *cosigners, before []byte, writes [][]byte, first, second string) {
	t.Helper()
	for n := range writes {
		for _, part := range []int{0, 1, len(writes[n]) / 2, len(writes[n]) - 1, len(writes[n])} {
			what := fmt.Sprintf("write %d, %d bytes", n, part)
			g.restart(1, before)
			count := 0
			g.disk(1).Fault = func(op journal.Op, _ []byte) (int, error) {
				if op != journal.OpAppend {
					return 0, errPower
				}
				count++
				if count <= n {
					return 0, nil
				}
				return part, errPower
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
}

// killWhileExporting kills signer 1 while it writes new nonces: the disk then contains either the old nonces or the new
// ones, which no other signer has received.
func killWhileExporting(t *testing.T, g *cosigners, set string) {
	t.Helper()
	before := slices.Clone(g.disk(1).Content)
	var record []byte
	g.disk(1).Fault = func(_ journal.Op, p []byte) (int, error) { record = slices.Clone(p); return 0, nil }
	g.export(1)
	for _, part := range []int{0, 1, len(record) / 2, len(record) - 1, len(record)} {
		g.restart(1, before)
		g.disk(1).Fault = func(op journal.Op, _ []byte) (int, error) {
			if op != journal.OpAppend {
				return 0, errPower
			}
			return part, errPower
		}
		got, err := rpc.Call(t.Context(), g.s[1].Registry(), walletrpc.ExportMultisigInfo, walletrpc.Empty{})
		require.Error(t, err)
		require.Empty(t, got.Info)
		g.restart(1, slices.Clone(g.disk(1).Content))
		_, err = g.sign(1, set)
		require.Equal(t, part == len(record), err != nil, "%d of %d bytes", part, len(record))
	}
}

func failure(t *testing.T, err error) rpc.Error {
	t.Helper()
	var e *rpc.Error
	require.ErrorAs(t, err, &e)
	return *e
}
