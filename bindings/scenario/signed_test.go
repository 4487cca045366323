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
	construct "glim/core/build"
	"glim/core/chaintest"
	"glim/core/crypto/bulletproofsplus"
	"glim/core/crypto/clsag"
	"glim/core/crypto/edwards"
	"glim/core/keys"
	"glim/core/tx"
	"glim/core/xmr"
)

var (
	shapes    = flag.Int("shapes", 13, "how many signed transactions of strange shapes TestMutatedTransactions makes")
	shapeSeed = flag.String("shapes.seed", "shapes", "from which they are drawn")
)

// owned is an output that a judge's chain has.
type owned struct {
	member clsag.Member
	amount uint64
	secret *edwards.Scalar // nil: a stranger's
}

// form is a transaction before it is signed.
type form struct {
	reals   []int      // numbers of the outputs spent
	rings   [][]uint64 // numbers of ring members, ascending
	outputs []tx.Output
	amounts []uint64 // what outputs hide; the last is the rest
	more    uint64   // what outputs have that inputs do not
	extra   []byte
	unlock  uint64
	fee     uint64
	percent uint64 // of the smallest fee; 0 takes fee as it is
	asIs    bool   // inputs and outputs are not sorted
	split   bool   // one range proof an output
}

// smith makes transactions of alice's, whatever they look like.
type smith struct {
	t       *testing.T
	r       *chaintest.Random
	outputs []owned
	price   uint64 // atomic units a byte
	mask    uint64 // fees are multiples of it
}

// newSmith reads the rewards on the chain, which are all its outputs.
func newSmith(t *testing.T, d *peers.Daemon, seed string) *smith {
	t.Helper()
	s := &smith{t: t, r: chaintest.NewRandom(seed)}
	k, err := keys.FromSeed(seedOf(alice))
	require.NoError(t, err)
	height, _ := chainTop(t, d)
	for h := uint64(1); h < height; h++ {
		blob, _ := fetchBlock(t, d, h)
		b, err := block.Parse(blob)
		require.NoError(t, err)
		o := b.MinerTx.Outputs[0]
		own := owned{member: clsag.Member{Key: o.Key, Commitment: edwards.Commit(edwards.ScalarFromUint64(1), o.Amount).Encode()}, amount: o.Amount}
		extra, _ := tx.ParseExtra(b.MinerTx.Extra)
		derivation, err := edwards.Derive(k.ViewScalar(), extra.PublicKeys[0])
		require.NoError(t, err)
		if x, ok := k.OutputSecret(derivation, 0, keys.Index{}); ok && new(edwards.Point).ScalarBaseMult(x).Encode() == [32]byte(o.Key) {
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

// draw returns a shape that both daemons take.
func (s *smith) draw() *form {
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
	for _, real := range x.reals {
		x.rings = append(x.rings, s.ring(real, xmr.RingSize))
	}
	for range 2 + s.r.IntN(3) {
		x.outputs = append(x.outputs, tx.Output{Key: s.r.Point(), Tagged: true, ViewTag: byte(s.r.Uint64())})
		x.amounts = append(x.amounts, s.r.Uint64()%1e9)
	}
	x.extra = tx.AppendPublicKey(nil, s.r.Point())
	return x
}

// unlocked is how many outputs of the chain may be in a ring.
const unlocked = 104 - xmr.CoinbaseUnlock

// ring returns a ring of n different outputs that are unlocked.
func (s *smith) ring(real, n int) []uint64 {
	ring := []uint64{uint64(real)}
	for len(ring) < n {
		if m := uint64(s.r.IntN(unlocked)); !slices.Contains(ring, m) {
			ring = append(ring, m)
		}
	}
	slices.Sort(ring)
	return ring
}

// sign returns what x describes, with proofs that hold as far as it can be proved.
func (s *smith) sign(x *form) []byte {
	if x.percent > 0 {
		x.fee = 1 << 40 // as many bytes as those that follow
		weight := s.make(x, false).Weight()
		x.fee = (weight*s.price*x.percent/100 + s.mask - 1) / s.mask * s.mask
	}
	return s.make(x, true).Append(nil)
}

// make returns what x describes, with proofs or with as many bytes of zeros.
func (s *smith) make(x *form, proved bool) *tx.Transaction {
	s.t.Helper()
	type input struct {
		tx.Input
		real int
		ring []uint64
	}
	var inputs []input
	left := x.more
	for i, real := range x.reals {
		o := s.outputs[real]
		in := tx.Input{KeyImage: edwards.GenerateKeyImage(o.member.Key, o.secret)}
		for j, n := range x.rings[i] {
			if j > 0 {
				n -= x.rings[i][j-1]
			}
			in.KeyOffsets = append(in.KeyOffsets, n)
		}
		inputs = append(inputs, input{in, real, x.rings[i]})
		left += o.amount
	}
	outputs, amounts := slices.Clone(x.outputs), slices.Clone(x.amounts)
	if !x.asIs {
		slices.SortFunc(inputs, func(a, b input) int { return bytes.Compare(b.KeyImage[:], a.KeyImage[:]) })
	}
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
		proof, commitments, err := bulletproofsplus.Proof{L: make([][32]byte, rounds), R: make([][32]byte, rounds)}, make([][32]byte, step), error(nil)
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
	message := construct.Message(t)
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
	return t
}

// bends are what makes a shape strange, all of it signed.
func (s *smith) bends() []func(*form) {
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
		func(*form) {}, // as it should be
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
		func(x *form) { // young, or not there
			i := n(len(x.rings))
			if r := x.rings[i]; r[len(r)-1] != uint64(x.reals[i]) {
				r[len(r)-1] = unlocked + uint64(n(80))
			}
		},
		func(x *form) { // the last that is unlocked, and the first that is not
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
		func(x *form) { x.extra = tx.AppendPublicKey(x.extra, xmr.PublicKey(chaintest.NoPoint)) },
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
		func(x *form) { output(x).Key = xmr.PublicKey(chaintest.NoPoint) },
		func(x *form) { output(x).Key = [32]byte{1} },                     // the identity
		func(x *form) { output(x).Key = [32]byte{1, 31: 0x80} },           // the same, with the sign that it has not
		func(x *form) { output(x).Key = [32]byte{} },                      // of order four
		func(x *form) { output(x).Key = torsion },                         // of order two
		func(x *form) { output(x).Key = s.outputs[n(100)].member.Key },    // one that the chain has
		func(x *form) { output(x).Key = plus(s.t, s.r.Point(), torsion) }, // outside the prime-order group
		func(x *form) { x.more = uint64(1 + n(9)) },
		func(x *form) { x.more = math.MaxUint64 }, // one less
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

// strangeShapes hands daemons transactions that are signed and strange: what one takes the other takes, with one weight and fee, and what it
// refuses is refused for the same reasons.
func strangeShapes(t *testing.T, d *peers.Daemon, ours answering) {
	t.Helper()
	s := newSmith(t, d, *shapeSeed)
	bends := s.bends()
	taken := 0
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
		if got.NonzeroUnlockTime || got.TxExtraTooBig {
			require.NotEqual(t, "OK", got.Status)
			require.True(t, x.unlock != 0 || len(x.extra) > 1060, why)
		} else {
			require.Equal(t, want.Status, got.Status, "%s: the reference says %+v, we say %+v", why, want, got)
			if f := reasons(want); f != [8]bool{} {
				require.Equal(t, f, reasons(got), why)
			}
		}
		if got.Status == "OK" {
			taken++
			require.Equal(t, inThePool(t, d), inThePool(t, ours), why)
		}
		if want.Status == "OK" || got.Status == "OK" {
			do(t, d, "flush_txpool", nil)
			do(t, ours, "flush_txpool", nil)
		}
	}
	t.Logf("%d of %d shapes were taken", taken, *shapes)
	require.Positive(t, taken)
}

// waiting is what daemons say of a transaction in their pools.
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
