package scenario

import (
	"encoding/hex"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"glim/bindings/peers"
	"glim/core/block"
	"glim/core/chain"
	"glim/core/crypto/edwards"
	"glim/core/daemonrpc"
	"glim/core/tx"
	"glim/core/xmr"
)

// newJudges returns monerod and our node on one chain, and a transaction both take: with two inputs and three outputs.
func newJudges(t *testing.T) (*peers.Daemon, answering, *chain.Chain, []byte) {
	t.Helper()
	d, n := newMinedMonerod(t), newNode(t)
	feed(t, d, n.Chain(), 1)
	w := newGlimOn(t, n.Registry())
	restore(t, w, "alice", alice)
	refresh(t, w)
	made := call[struct {
		Blob string `json:"tx_blob"`
	}](t, w, "transfer", object{
		"destinations": []destination{{at(t, bob, 0, 0), 40 * coin}, {at(t, bob, 1, 0), coin}}, "get_tx_hex": true,
		"do_not_relay": true,
	})
	return d, answering{n.Registry()}, n.Chain(), unhex(t, made.Blob)
}

// handOver hands a transaction to a daemon. The reference fails altogether on invalid points, and hangs up: that
// is a refusal, too.
func handOver(t *testing.T, d daemon, blob []byte) (r daemonrpc.SendRawTransactionResponse) {
	t.Helper()
	request := object{"tx_as_hex": hex.EncodeToString(blob), "do_sanity_checks": false}
	var err error
	for range 3 {
		r = daemonrpc.SendRawTransactionResponse{}
		if err = d.Path(deadline(t), "/send_raw_transaction", request, &r); err == nil {
			return r
		}
		if strings.Contains(err.Error(), "(500)") {
			r.Status = daemonrpc.StatusFailed
			return r
		}
	}
	require.NoError(t, err)
	return r
}

// flags are the reasons in an answer to send_raw_transaction. Release 0.18.0.0 never sets the last two.
type flags [10]bool

func reasons(r daemonrpc.SendRawTransactionResponse) flags {
	return flags{
		r.LowMixin, r.DoubleSpend, r.InvalidInput, r.InvalidOutput, r.TooBig, r.Overspend, r.FeeTooLow, r.TooFewOutputs,
		r.TxExtraTooBig, r.NonzeroUnlockTime,
	}
}

// mutations returns changes of one field of a transaction each.
func mutations() map[string]func(*tx.Transaction) {
	torsion := [32]byte{} // a point of order four
	point := edwards.Base().Encode()
	m := map[string]func(*tx.Transaction){
		"version":      func(x *tx.Transaction) { x.Version = 1 },
		"unlock time":  func(x *tx.Transaction) { x.UnlockTime = 1 },
		"fee more":     func(x *tx.Transaction) { x.RingCT.Fee++ },
		"fee less":     func(x *tx.Transaction) { x.RingCT.Fee-- },
		"fee low":      func(x *tx.Transaction) { x.RingCT.Fee = 1 },
		"no fee":       func(x *tx.Transaction) { x.RingCT.Fee = 0 },
		"extra":        func(x *tx.Transaction) { x.Extra[1] ^= 1 },
		"extra longer": func(x *tx.Transaction) { x.Extra = append(slices.Clone(x.Extra), 0) },
		"no extra":     func(x *tx.Transaction) { x.Extra = nil },
		"type":         func(x *tx.Transaction) { x.RingCT.Type = tx.RingCTNull },
		"one output": func(x *tx.Transaction) {
			x.Outputs, x.RingCT.Ecdh, x.RingCT.Commitments = x.Outputs[:1], x.RingCT.Ecdh[:1], x.RingCT.Commitments[:1]
		},
		"inputs order":  func(x *tx.Transaction) { x.Inputs[0], x.Inputs[1] = x.Inputs[1], x.Inputs[0] },
		"input twice":   func(x *tx.Transaction) { x.Inputs[1] = x.Inputs[0] },
		"amount":        func(x *tx.Transaction) { x.Inputs[0].Amount = 1 },
		"old amount":    func(x *tx.Transaction) { x.Inputs[0].Amount = 17592186044415 },
		"image":         func(x *tx.Transaction) { x.Inputs[0].KeyImage[0] ^= 1 },
		"image torsion": func(x *tx.Transaction) { x.Inputs[1].KeyImage = torsion },
		"image zero":    func(x *tx.Transaction) { x.Inputs[1].KeyImage = xmr.KeyImage{1} },
		"image base":    func(x *tx.Transaction) { x.Inputs[0].KeyImage = xmr.KeyImage(point) },
		"ring shift":    func(x *tx.Transaction) { x.Inputs[0].KeyOffsets[0]++ },
		"ring twice":    func(x *tx.Transaction) { x.Inputs[0].KeyOffsets[4] = 0 },
		"ring young":    func(x *tx.Transaction) { x.Inputs[0].KeyOffsets[15] += 60 },
		"ring beyond":   func(x *tx.Transaction) { x.Inputs[0].KeyOffsets[15] += 1 << 20 },
		"ring overflow": func(x *tx.Transaction) { x.Inputs[0].KeyOffsets[15] = 1<<64 - 1 },
		"output amount": func(x *tx.Transaction) { x.Outputs[0].Amount = 1 },
		"output key":    func(x *tx.Transaction) { x.Outputs[0].Key = xmr.PublicKey(point) },
		"output point":  func(x *tx.Transaction) { x.Outputs[0].Key = xmr.PublicKey{2} },
		"view tag":      func(x *tx.Transaction) { x.Outputs[0].ViewTag ^= 1 },
		"untagged":      func(x *tx.Transaction) { x.Outputs[0].Tagged = false },
		"all untagged": func(x *tx.Transaction) {
			for i := range x.Outputs {
				x.Outputs[i].Tagged = false
			}
		},
		"outputs order":     func(x *tx.Transaction) { x.Outputs[0], x.Outputs[1] = x.Outputs[1], x.Outputs[0] },
		"sealed amount":     func(x *tx.Transaction) { x.RingCT.Ecdh[0].Amount[3] ^= 4 },
		"commitment":        func(x *tx.Transaction) { x.RingCT.Commitments[0] = point },
		"commitment point":  func(x *tx.Transaction) { x.RingCT.Commitments[0] = [32]byte{2} },
		"commitments order": func(x *tx.Transaction) { c := x.RingCT.Commitments; c[0], c[1] = c[1], c[0] },
		"pseudo output":     func(x *tx.Transaction) { x.RingCT.Prunable.PseudoOuts[0] = point },
		"pseudo order":      func(x *tx.Transaction) { p := x.RingCT.Prunable.PseudoOuts; p[0], p[1] = p[1], p[0] },
		"signatures order":  func(x *tx.Transaction) { c := x.RingCT.Prunable.CLSAGs; c[0], c[1] = c[1], c[0] },
		"challenge":         func(x *tx.Transaction) { x.RingCT.Prunable.CLSAGs[0].C1[0] ^= 1 },
		"challenge large":   func(x *tx.Transaction) { x.RingCT.Prunable.CLSAGs[0].C1[31] = 0xff },
		"auxiliary":         func(x *tx.Transaction) { x.RingCT.Prunable.CLSAGs[1].D = point },
		"auxiliary zero":    func(x *tx.Transaction) { x.RingCT.Prunable.CLSAGs[1].D = [32]byte{1} },
		"response":          func(x *tx.Transaction) { x.RingCT.Prunable.CLSAGs[1].S[7][9] ^= 1 },
		"response large":    func(x *tx.Transaction) { x.RingCT.Prunable.CLSAGs[1].S[7][31] = 0xff },
		"rounds": func(x *tx.Transaction) {
			b := &x.RingCT.Prunable.BulletproofsPlus[0]
			b.L, b.R = append(b.L, b.L[0]), append(b.R, b.R[0])
		},
	}
	for i, name := range []string{"A", "A1", "B", "R1", "S1", "D1"} {
		m["range proof "+name] = func(x *tx.Transaction) {
			b := &x.RingCT.Prunable.BulletproofsPlus[0]
			[]*[32]byte{&b.A, &b.A1, &b.B, &b.R1, &b.S1, &b.D1}[i][0] ^= 1
		}
	}
	return m
}

// TestMutatedTransactions changes every field of a valid transaction, flips its bits and cuts it: we refuse what
// monerod refuses and accept what it accepts, with the same flags.
func TestMutatedTransactions(t *testing.T) {
	t.Parallel()
	d, ours, held, good := newJudges(t)
	old := !referenceAtLeast(t, 0, 18, 5)
	flush := func() {
		do(t, d, "flush_txpool", nil)
		do(t, ours, "flush_txpool", nil)
	}
	try := func(name string, blob []byte) bool {
		t.Helper()
		want, got := handOver(t, d, blob), handOver(t, ours, blob)
		require.Equal(t, want.Status, got.Status, "%s: the reference says %+v, we say %+v", name, want, got)
		switch {
		case old && (got.NonzeroUnlockTime || got.TxExtraTooBig):
			return false // it lacks these rules
		case old && want.FeeTooLow:
			return false // it checks the fee first
		case !old && want.InvalidInput && (got.FeeTooLow || got.TooFewOutputs || got.LowMixin):
			return false // it verifies the proofs first
		}
		// Where the reference gives a reason, ours is the same. It gives none for an invalid transaction.
		if reasons(want) != (flags{}) {
			require.Equal(t, reasons(want), reasons(got), name)
		}
		return want.Status == "OK"
	}
	accepted := 0
	for name, change := range mutations() {
		x, err := tx.Parse(slices.Clone(good))
		require.NoError(t, err)
		require.GreaterOrEqual(t, len(x.Inputs), 2)
		require.Len(t, x.Outputs, 3)
		change(x)
		if try(name, x.Append(nil)) {
			accepted++
		}
	}
	require.Zero(t, accepted)
	for at := 0; at < len(good); at += 1 + at%97 {
		flipped := slices.Clone(good)
		flipped[at] ^= 1 << (at % 8)
		require.False(t, try(fmt.Sprintf("bit of byte %d", at), flipped))
	}
	for n := 0; n < len(good); n += 1 + n/8 {
		require.False(t, try(fmt.Sprintf("%d bytes", n), good[:n]))
	}
	require.False(t, try("a byte more", append(slices.Clone(good), 0)))
	held.View(func(v chain.View) { require.Zero(t, v.PoolCount()) })

	require.True(t, try("the good one", good))
	flush()
	forgedTransactions(t, d, ours, held)
	strangeShapes(t, d, ours)
	mutatedBlocks(t, d, ours, held, good)
}

// blockChanges returns changes of one field of a block each.
func blockChanges() map[string]func(*block.Block) {
	return map[string]func(*block.Block){
		"major":       func(b *block.Block) { b.Major = 15 },
		"major more":  func(b *block.Block) { b.Major = 17 },
		"minor":       func(b *block.Block) { b.Minor = 15 },
		"minor more":  func(b *block.Block) { b.Minor = 200 },
		"past":        func(b *block.Block) { b.Timestamp = 1 },
		"future":      func(b *block.Block) { b.Timestamp += 3 * 3600 },
		"near future": func(b *block.Block) { b.Timestamp += 3600 },
		"parent":      func(b *block.Block) { b.Prev[3] ^= 1 },
		"nonce":       func(b *block.Block) { b.Nonce = 77 },
		"height":      func(b *block.Block) { b.MinerTx.Inputs[0].Height++ },
		"unlock":      func(b *block.Block) { b.MinerTx.UnlockTime-- },
		"version":     func(b *block.Block) { b.MinerTx.Version = 1 },
		"reward more": func(b *block.Block) { b.MinerTx.Outputs[0].Amount++ },
		"reward less": func(b *block.Block) { b.MinerTx.Outputs[0].Amount-- },
		"untagged":    func(b *block.Block) { b.MinerTx.Outputs[0].Tagged = false },
		"no point":    func(b *block.Block) { b.MinerTx.Outputs[0].Key = xmr.PublicKey{2} },
		"view tag":    func(b *block.Block) { b.MinerTx.Outputs[0].ViewTag ^= 1 },
		"extra":       func(b *block.Block) { b.MinerTx.Extra = nil },
		"no txs":      func(b *block.Block) { b.TxHashes = nil },
		"tx twice":    func(b *block.Block) { b.TxHashes = append(b.TxHashes, b.TxHashes[0]) },
		"tx unknown":  func(b *block.Block) { b.TxHashes[0][0] ^= 1 },
		"no output":   func(b *block.Block) { b.MinerTx.Outputs = nil },
		"two outputs": func(b *block.Block) {
			o := b.MinerTx.Outputs
			b.MinerTx.Outputs = []tx.Output{o[0], {Tagged: true}}
		},
		"overflow": func(b *block.Block) {
			b.MinerTx.Outputs = append(b.MinerTx.Outputs, tx.Output{Amount: 1<<64 - 1, Tagged: true})
		},
		"nothing else": func(*block.Block) {},
	}
}

// blockJudges submits blocks to monerod and to our daemon.
type blockJudges struct {
	*testing.T
	d      *peers.Daemon
	ours   answering
	held   *chain.Chain
	height uint64
}

// try submits a block to both, which must agree. A block that extends the chain is removed again.
func (j *blockJudges) try(name string, blob []byte) {
	t, d, ours := j.T, j.d, j.ours
	t.Helper()
	params := []string{hex.EncodeToString(blob)}
	wantErr := d.JSON(deadline(t), "submit_block", params, nil)
	gotErr := ours.JSON(deadline(t), "submit_block", params, new(object))
	if wantErr == nil && gotErr == nil {
		a, _ := chainTop(t, d)
		j.held.View(func(v chain.View) { require.Equal(t, a, v.Height(), name) })
		if a > j.height {
			for _, peer := range []daemon{d, ours} {
				require.NoError(t, peer.Path(deadline(t), "/pop_blocks", object{"nblocks": 1}, new(object)))
			}
		}
		return
	}
	var want, got *peers.Error
	require.ErrorAs(t, wantErr, &want, "%s: we say %v", name, gotErr)
	require.ErrorAs(t, gotErr, &got, "%s: the reference says %v", name, wantErr)
	if want.Code != 0 { // for some bytes that are not a block the reference gives no reason
		require.Equal(t, want, got, name)
	}
}

// mutatedBlocks changes a block that holds the transaction.
func mutatedBlocks(t *testing.T, d *peers.Daemon, ours answering, held *chain.Chain, good []byte) {
	t.Helper()
	for _, peer := range []daemon{d, ours} {
		require.Equal(t, "OK", handOver(t, peer, good).Status)
	}
	b := template(t, held)
	require.Len(t, b.TxHashes, 1)
	judges := &blockJudges{t, d, ours, held, b.Height()}
	for name, change := range blockChanges() {
		x, err := block.Parse(slices.Clone(b.Append(nil)))
		require.NoError(t, err)
		change(x)
		judges.try(name, x.Append(nil))
	}
	blob := b.Append(nil)
	for at := 0; at < len(blob); at += 3 {
		flipped := slices.Clone(blob)
		flipped[at] ^= 1 << (at % 8)
		judges.try(fmt.Sprintf("bit of byte %d", at), flipped)
	}
	// Only ours gets blocks cut short: the reference may close the connection, or not answer at all.
	for n := range blob {
		require.Error(t, ours.JSON(deadline(t), "submit_block", []string{hex.EncodeToString(blob[:n])}, nil))
	}
	judges.try("a byte more", append(slices.Clone(blob), 0))
	judges.try("as it is", blob)
	sameChain(t, d, held, 100)
	mutatedTimes(t, d, ours, held)
}

// mutatedTimes mines a block that is later than its successor: both daemons take the later time as the current one for
// outputs that unlock at a time.
func mutatedTimes(t *testing.T, d *peers.Daemon, ours answering, held *chain.Chain) {
	t.Helper()
	for _, ahead := range []uint64{3600, 0, 1800} {
		b := template(t, held)
		b.Timestamp += ahead
		var times [2]uint64
		for i, peer := range []daemon{d, ours} {
			require.NoError(t, peer.JSON(deadline(t), "submit_block", []string{hex.EncodeToString(b.Append(nil))}, nil))
			times[i] = call[daemonrpc.GetInfoResponse](t, peer, "get_info", nil).AdjustedTime
		}
		require.Equal(t, times[0], times[1])
	}
	sameChain(t, d, held, 100)
}
