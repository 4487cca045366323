package scenario

import (
	"bytes"
	"encoding/hex"
	"flag"
	"fmt"
	"math"
	"math/bits"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"glim/bindings/peers"
	"glim/core/block"
	"glim/core/chaintest"
	"glim/core/crypto/bulletproofsplus"
	"glim/core/crypto/clsag"
	"glim/core/crypto/edwards"
	"glim/core/keys"
	"glim/core/tx"
	"glim/core/xmr"
)

var (
	shapes    = flag.Int("shapes", 13, "how many signed transactions of unusual shapes TestMutatedTransactions makes")
	shapeSeed = flag.String("shapes.seed", "shapes", "the seed of their random choices")
)

// owned is an output on the chain of the daemons.
type owned struct {
	member clsag.Member
	amount uint64
	secret *edwards.Scalar // nil if it is not alice's
}

// form is a transaction before it is signed.
type form struct {
	reals   []int      // numbers of the outputs spent
	rings   [][]uint64 // numbers of ring members, ascending
	outputs []tx.Output
	amounts []uint64 // of the outputs; the last one receives the rest
	more    uint64   // by how much outputs exceed inputs
	extra   []byte
	unlock  uint64
	fee     uint64
	percent uint64 // of the lowest fee; 0 keeps fee as it is
	asIs    bool   // inputs and outputs are not sorted
	split   bool   // one range proof for each output
}

// shaper makes transactions of alice in any shape.
type shaper struct {
	t       *testing.T
	r       *chaintest.Random
	outputs []owned
	price   uint64 // atomic units a byte
	mask    uint64 // fees are multiples of it
}

// newShaper reads the rewards on the chain, which has no other outputs.
func newShaper(t *testing.T, d *peers.Daemon, seed string) *shaper {
	t.Helper()
	s := &shaper{t: t, r: chaintest.NewRandom(seed)}
	k, err := keys.FromSeed(seedOf(alice))
	require.NoError(t, err)
	height, _ := chainTop(t, d)
	for h := uint64(1); h < height; h++ {
		blob, _ := fetchBlock(t, d, h)
		b, err := block.Parse(blob)
		require.NoError(t, err)
		o := b.MinerTx.Outputs[0]
		own := owned{member: clsag.Member{
			Key: o.Key, Commitment: edwards.Commit(edwards.ScalarFromUint64(1), o.Amount).Encode(),
		}, amount: o.Amount}
		extra, _ := tx.ParseExtra(b.MinerTx.Extra)
		derivation, err := edwards.Derive(k.ViewScalar(), extra.PublicKeys[0])
		require.NoError(t, err)
		if x, ok := k.OutputSecret(derivation, 0, keys.Index{}); ok &&
			new(edwards.Point).ScalarBaseMult(x).Encode() == [32]byte(o.Key) {
			own.secret = x
		}
		s.outputs = append(s.outputs, own)
	}
	fees := call[struct {
		Fee  uint64 `json:"fee"`
		Mask uint64 `json:"quantization_mask"`
	}](t, d, "get_fee_estimate", nil)
	s.price, s.mask = fees.Fee, fees.Mask
	return s
}

// draw returns a random shape that both daemons accept.
func (s *shaper) draw() *form {
	var mine []int
	for n, o := range s.outputs {
		if o.secret != nil {
			mine = append(mine, n)
		}
	}
	x := &form{percent: 150}
	for range 1 + s.r.IntN(3) {
		at := s.r.IntN(len(mine))
		x.reals = append(x.reals, mine[at])
		mine = slices.Delete(mine, at, at+1)
	}
	for _, spent := range x.reals {
		x.rings = append(x.rings, s.ring(spent, xmr.RingSize))
	}
	for range 2 + s.r.IntN(3) {
		x.outputs = append(x.outputs, tx.Output{Key: s.r.Point(), Tagged: true, ViewTag: byte(s.r.Uint64())})
		x.amounts = append(x.amounts, s.r.Uint64()%1e9)
	}
	x.extra = tx.AppendPublicKey(nil, s.r.Point())
	return x
}

// unlocked is the number of outputs that may be in a ring.
const unlocked = 104 - xmr.CoinbaseUnlock

// ring returns a ring of n different outputs that are unlocked.
func (s *shaper) ring(spent, n int) []uint64 {
	ring := []uint64{uint64(spent)}
	for len(ring) < n {
		if m := uint64(s.r.IntN(unlocked)); !slices.Contains(ring, m) {
			ring = append(ring, m)
		}
	}
	slices.Sort(ring)
	return ring
}

// sign returns the transaction that x describes, with valid proofs where possible.
func (s *shaper) sign(x *form) []byte {
	if x.percent > 0 {
		x.fee = 1 << 40 // takes as many bytes as the final fee
		weight := s.transaction(x, false).Weight()
		x.fee = (weight*s.price*x.percent/100 + s.mask - 1) / s.mask * s.mask
	}
	return s.transaction(x, true).Append(nil)
}

// spentInput is an input with the number of the output that it spends, and its ring.
type spentInput struct {
	tx.Input
	real int
	ring []uint64
}

// inputs returns the inputs of x and the sum of their amounts.
func (s *shaper) inputs(x *form) (inputs []spentInput, sum uint64) {
	for i, spent := range x.reals {
		o := s.outputs[spent]
		in := tx.Input{KeyImage: edwards.GenerateKeyImage(o.member.Key, o.secret)}
		for j, n := range x.rings[i] {
			if j > 0 {
				n -= x.rings[i][j-1]
			}
			in.KeyOffsets = append(in.KeyOffsets, n)
		}
		inputs = append(inputs, spentInput{in, spent, x.rings[i]})
		sum += o.amount
	}
	if !x.asIs {
		slices.SortFunc(inputs, func(a, b spentInput) int { return bytes.Compare(b.KeyImage[:], a.KeyImage[:]) })
	}
	return inputs, sum
}

// transaction returns the transaction that x describes, with proofs or with as many zero bytes.
func (s *shaper) transaction(x *form, proved bool) *tx.Transaction {
	s.t.Helper()
	inputs, left := s.inputs(x)
	left += x.more
	outputs, amounts := slices.Clone(x.outputs), slices.Clone(x.amounts)
	for _, a := range amounts[:len(amounts)-1] {
		left -= a
	}
	amounts[len(amounts)-1] = left - x.fee
	t := &tx.Transaction{Version: 2, UnlockTime: x.unlock, Outputs: outputs, Extra: x.extra,
		RingCT: tx.RingCT{Type: tx.RingCTBulletproofPlus, Fee: x.fee, Prunable: new(tx.Prunable)}}
	for _, in := range inputs {
		t.Inputs = append(t.Inputs, in.Input)
	}
	p, sum := t.RingCT.Prunable, edwards.NewScalar()
	masks := make([]*edwards.Scalar, len(amounts))
	for i := range masks {
		masks[i] = s.r.Scalar()
		sum.Add(sum, masks[i])
		t.RingCT.Ecdh = append(t.RingCT.Ecdh, tx.EcdhInfo{Amount: [32]byte{byte(s.r.Uint64())}})
	}
	step := len(amounts)
	if x.split {
		step = 1
	}
	for i := 0; i < len(amounts); i += step {
		rounds := 6 + bits.Len(uint(step-1))
		proof, commitments, err := bulletproofsplus.Proof{L: make([][32]byte, rounds), R: make([][32]byte, rounds)},
			make([][32]byte, step), error(nil)
		if proved {
			proof, commitments, err = bulletproofsplus.Prove(s.r, amounts[i:i+step], masks[i:i+step])
		}
		require.NoError(s.t, err)
		p.BulletproofsPlus = append(p.BulletproofsPlus, tx.BulletproofPlus(proof))
		t.RingCT.Commitments = append(t.RingCT.Commitments, commitments...)
	}
	pseudo := make([]*edwards.Scalar, len(inputs))
	for i, in := range inputs {
		if pseudo[i] = s.r.Scalar(); i == len(inputs)-1 {
			pseudo[i] = sum
		}
		sum = edwards.NewScalar().Subtract(sum, pseudo[i])
		p.PseudoOuts = append(p.PseudoOuts, edwards.Commit(pseudo[i], s.outputs[in.real].amount).Encode())
	}
	s.signInputs(t, inputs, pseudo, proved)
	return t
}

// signInputs adds the ring signatures to t, or as many zero bytes. pseudo are the masks of the pseudo-outputs.
func (s *shaper) signInputs(t *tx.Transaction, inputs []spentInput, pseudo []*edwards.Scalar, proved bool) {
	s.t.Helper()
	p, message := t.RingCT.Prunable, t.PreMLSAGHash()
	for i, in := range inputs {
		if !proved {
			p.CLSAGs = append(p.CLSAGs, tx.CLSAG{S: make([][32]byte, len(in.ring))})
			continue
		}
		var ring []clsag.Member
		for _, n := range in.ring {
			ring = append(ring, s.outputs[min(n, uint64(len(s.outputs)-1))].member)
		}
		signature, _, err := clsag.Sign(s.r, message, ring, slices.Index(in.ring, uint64(in.real)),
			clsag.Secret{Key: s.outputs[in.real].secret, Mask: edwards.ScalarFromUint64(1)}, pseudo[i], p.PseudoOuts[i])
		require.NoError(s.t, err)
		p.CLSAGs = append(p.CLSAGs, tx.CLSAG(signature))
	}
}

// bends returns changes that make a shape unusual; the result is signed.
func (s *shaper) bends() []func(*form) {
	n := func(below int) int { return s.r.IntN(below) }
	output := func(x *form) *tx.Output { return &x.outputs[n(len(x.outputs))] }
	torsion := [32]byte{0xec, 31: 0x7f} // the point of order two: x = 0, y = −1
	for i := 1; i < 31; i++ {
		torsion[i] = 0xff
	}
	grow := func(x *form, count int) {
		for len(x.outputs) < count {
			x.outputs = append(x.outputs, tx.Output{Key: s.r.Point(), Tagged: true})
			x.amounts = append(x.amounts, 1)
		}
	}
	return []func(*form){
		func(*form) {}, // unchanged
		func(x *form) { x.percent = uint64(90 + n(15)) },
		func(x *form) { x.percent = 100 },
		func(x *form) { x.percent, x.fee = 0, uint64(n(3)) },
		func(x *form) { x.percent, x.fee = 0, 1e12 },
		func(x *form) { x.outputs, x.amounts = x.outputs[:1], x.amounts[:1] },
		func(x *form) { grow(x, 3+n(14)) },
		func(x *form) { grow(x, 16) },
		func(x *form) {
			i := n(len(x.rings))
			x.rings[i] = s.ring(x.reals[i], []int{1, 2, 11, 15, 17, 30}[n(6)])
		},
		func(x *form) { // a number twice
			r := x.rings[n(len(x.rings))]
			at := n(len(r) - 1)
			if !slices.Contains(x.reals, int(r[at])) {
				r[at] = r[at+1]
			}
		},
		func(x *form) { // too young, or not on the chain
			i := n(len(x.rings))
			if r := x.rings[i]; r[len(r)-1] != uint64(x.reals[i]) {
				r[len(r)-1] = unlocked + uint64(n(80))
			}
		},
		func(x *form) { // the last unlocked output, or the first locked one
			i := n(len(x.rings))
			if r := x.rings[i]; r[len(r)-1] < unlocked-1 {
				x.rings[i] = append(r[1:], unlocked-1+uint64(n(2)))
				if !slices.Contains(x.rings[i], uint64(x.reals[i])) {
					x.rings[i] = append([]uint64{uint64(x.reals[i])}, x.rings[i][1:]...)
				}
			}
		},
		func(x *form) { x.reals, x.rings = append(x.reals, x.reals[0]), append(x.rings, x.rings[0]) },
		func(x *form) { slices.Reverse(x.reals); slices.Reverse(x.rings); x.asIs = true },
		func(x *form) { x.extra = nil },
		func(x *form) { b := s.r.Bytes32(); x.extra = append(x.extra, b[:n(32)]...) },
		func(x *form) { x.extra = append(x.extra, make([]byte, n(1200))...) },
		func(x *form) { x.extra = append(make([]byte, 1), x.extra...) },
		func(x *form) { x.extra = tx.AppendPublicKey(x.extra, xmr.PublicKey(chaintest.InvalidPoint)) },
		func(x *form) { x.extra = tx.AppendPaymentID(x.extra, s.r.Bytes32()) },
		func(x *form) { x.extra = tx.AppendAdditionalKeys(x.extra, make([]xmr.PublicKey, 1+n(20))) },
		func(x *form) { x.unlock = []uint64{1, 104, 1e9, math.MaxUint64}[n(4)] },
		func(x *form) { output(x).Tagged = false },
		func(x *form) {
			for i := range x.outputs {
				x.outputs[i].Tagged = false
			}
		},
		func(x *form) { output(x).Amount = uint64(1 + n(5)) },
		func(x *form) { output(x).Key = x.outputs[0].Key },
		func(x *form) { output(x).Key = xmr.PublicKey(chaintest.InvalidPoint) },
		func(x *form) { output(x).Key = [32]byte{1} },                     // the identity
		func(x *form) { output(x).Key = [32]byte{1, 31: 0x80} },           // the identity with the wrong sign
		func(x *form) { output(x).Key = [32]byte{} },                      // of order four
		func(x *form) { output(x).Key = torsion },                         // of order two
		func(x *form) { output(x).Key = s.outputs[n(100)].member.Key },    // a key on the chain
		func(x *form) { output(x).Key = plus(s.t, s.r.Point(), torsion) }, // outside the prime-order group
		func(x *form) { x.more = uint64(1 + n(9)) },
		func(x *form) { x.more = math.MaxUint64 }, // one less than the inputs
		func(x *form) { x.split = true },
		func(x *form) { x.amounts[0] = 0 },
	}
}

func plus(t *testing.T, a, b [32]byte) [32]byte {
	t.Helper()
	p, err := edwards.DecodePoint(a)
	require.NoError(t, err)
	q, err := edwards.DecodePoint(b)
	require.NoError(t, err)
	return p.Add(p, q).Encode()
}

// strangeShapes sends signed transactions of unusual shapes to both daemons: they accept the same ones, with the same
// weight and fee, and refuse the others for the same reasons.
func strangeShapes(t *testing.T, d *peers.Daemon, ours answering) {
	t.Helper()
	s := newShaper(t, d, *shapeSeed)
	bends := s.bends()
	old := !referenceAtLeast(t, 0, 18, 5)
	accepted := 0
	for i := range *shapes {
		x, which := s.draw(), []int{3 * i % len(bends)}
		if i >= len(bends) || i > 0 && s.r.OneIn(3) {
			which = append(which, s.r.IntN(len(bends)))
		}
		for _, n := range which {
			bends[n](x)
		}
		blob := s.sign(x)
		why := fmt.Sprintf("shape %d of %q, %v: %s", i, *shapeSeed, which, hex.EncodeToString(blob))
		want, got := handOver(t, d, blob), handOver(t, ours, blob)
		if old && (got.NonzeroUnlockTime || got.TxExtraTooBig) {
			require.NotEqual(t, "OK", got.Status)
			require.True(t, x.unlock != 0 || len(x.extra) > 1060, why)
		} else {
			require.Equal(t, want.Status, got.Status, "%s: the reference says %+v, we say %+v", why, want, got)
			if f := reasons(want); f != (flags{}) && !(old && want.FeeTooLow) {
				require.Equal(t, f, reasons(got), why)
			}
		}
		if got.Status == "OK" {
			accepted++
			require.Equal(t, inThePool(t, d), inThePool(t, ours), why)
		}
		if want.Status == "OK" || got.Status == "OK" {
			do(t, d, "flush_txpool", nil)
			do(t, ours, "flush_txpool", nil)
		}
	}
	t.Logf("%d of %d shapes were accepted", accepted, *shapes)
	require.Positive(t, accepted)
}

// waiting is what a daemon reports about a transaction in its pool.
type waiting struct {
	ID     string `json:"id_hash"`
	Size   uint64 `json:"blob_size"`
	Weight uint64 `json:"weight"`
	Fee    uint64 `json:"fee"`
}

func inThePool(t *testing.T, d daemon) []waiting {
	t.Helper()
	var r struct {
		Transactions []waiting `json:"transactions"`
	}
	require.NoError(t, d.Path(deadline(t), "/get_transaction_pool", object{}, &r))
	return r.Transactions
}
