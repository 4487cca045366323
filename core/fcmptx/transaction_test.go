package fcmptx

import (
	"bytes"
	"fmt"
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"glim/core/carrot"
	"glim/core/crypto/keccak"
	"glim/core/fcmp"
	"glim/core/internal/codec/wire"
	"glim/core/tx"
	"glim/core/xmr"
)

// TestProofSizes compares with the proofs that the beta publishes. Source: tests/data/fcmp_pp_verify_inputs_*in.bin of
// the beta: numbers of inputs and layers, and the length of the proof.
func TestProofSizes(t *testing.T) {
	for inputs, size := range map[int]int{1: 6_688, 2: 8_064, 4: 10_688, 8: 15_808, 128: 166_080} {
		require.Equal(t, size, ProofSize(inputs, 7), inputs)
	}
	for inputs := 1; inputs <= Beta.MaxInputs; inputs++ {
		for layers := uint8(1); layers <= Beta.MaxLayers; layers++ {
			size := ProofSize(inputs, layers)
			require.Zero(t, size%32)
			require.Greater(t, size, inputs*inputSize+pokSize)
			require.Less(t, size, 300_000)
			require.Equal(t, size, inputs*inputSize+fcmp.MembershipProofSize(inputs, int(layers)))
		}
	}
}

// TestWeight: the largest transaction has the largest weight of the beta, and a transaction with the longest fee and
// reference block, in a tree of seven layers, has its size as weight.
func TestWeight(t *testing.T) {
	require.Equal(t, Beta.MaxWeight, Beta.Weight(128, 16, xmr.MaxExtra))
	r := newRandom(1)
	payer, payee := r.wallet(t), r.wallet(t)
	for _, c := range []struct{ inputs, outputs int }{{1, 2}, {2, 3}, {3, 16}, {127, 2}, {128, 9}} {
		x := r.transaction(t, payer, payee, c.inputs, c.outputs, Beta.WeightLayers)
		x.Fee, x.Proofs.ReferenceBlock = math.MaxUint64, 1<<35-1
		require.Equal(t, uint64(len(Beta.Append(nil, x))), Beta.Weight(c.inputs, c.outputs, len(x.Extra)))
	}
	for _, c := range []struct{ inputs, outputs, extra int }{
		{0, 2, 0}, {129, 2, 0}, {1, 1, 0}, {1, 17, 0}, {1, 2, -1}, {1, 2, xmr.MaxExtra + 1},
	} {
		require.Equal(t, uint64(math.MaxUint64), Beta.Weight(c.inputs, c.outputs, c.extra))
	}
}

// TestRoundTrips writes and reads transactions whole and pruned, and finds the payments in what was read.
func TestRoundTrips(t *testing.T) {
	r := newRandom(2)
	payer, payee := r.wallet(t), r.wallet(t)
	for outputs := 2; outputs <= 16; outputs++ {
		for _, inputs := range []int{1, 2, 128} {
			x := r.transaction(t, payer, payee, inputs, outputs, uint8(1+outputs%12))
			b := Beta.Append(nil, x)
			whole, err := Beta.Parse(b)
			require.NoError(t, err)
			require.Equal(t, b, Beta.Append(nil, whole))
			require.Equal(t, x.Proofs, whole.Proofs)
			require.False(t, whole.IsPruned())

			x.Proofs = nil
			short := Beta.Append(nil, x)
			require.True(t, bytes.HasPrefix(b, short))
			pruned, err := Beta.ParsePruned(short)
			require.NoError(t, err)
			require.Equal(t, x, pruned)
			id, err := Beta.Hash(whole)
			require.NoError(t, err)
			require.Equal(t, id, Beta.PrunedHash(pruned, whole.PrunableHash()))
			_, err = Beta.Hash(pruned)
			require.ErrorIs(t, err, ErrPruned)
			require.Equal(t, Beta.SignableHash(whole), Beta.SignableHash(pruned))

			found, change := uint64(0), 0
			list, paymentID, err := pruned.Enotes()
			require.NoError(t, err)
			require.NotNil(t, paymentID)
			for i := range list {
				if got, ok := payee.ScanAll(&list[i], paymentID); ok {
					found += got.Amount
				}
				if got, ok := payer.ScanAll(&list[i], paymentID); ok {
					require.Equal(t, carrot.ChangeEnote, got.Type)
					change++
				}
			}
			require.Equal(t, uint64(outputs*(outputs-1)/2), found)
			require.Equal(t, 1, change)
		}
	}
}

// TestIDs computes IDs from the bytes of the parts.
func TestIDs(t *testing.T) {
	r := newRandom(3)
	x := r.transaction(t, r.wallet(t), r.wallet(t), 2, 2, 7)
	whole := Beta.Append(nil, x)
	prefix := len(Beta.appendPrefix(nil, x))
	base := prefix + 1 + wire.VarintLen(x.Fee) + 2*(8+32)
	a, b, c := keccak.Sum256(whole[:prefix]), keccak.Sum256(whole[prefix:base]), keccak.Sum256(whole[base:])
	id, err := Beta.Hash(x)
	require.NoError(t, err)
	require.Equal(t, xmr.Hash(keccak.Sum256(a[:], b[:], c[:])), id)
	require.Equal(t, xmr.Hash(keccak.Sum256(a[:], b[:])), Beta.SignableHash(x))
	require.Equal(t, byte(typeFCMP), whole[prefix])

	coinbase := &r.block(t, r.wallet(t), 0).MinerTx
	raw := coinbase.Append(nil)
	a, b = keccak.Sum256(raw[:len(raw)-1]), keccak.Sum256([]byte{0})
	var zero [32]byte
	want := xmr.Hash(keccak.Sum256(a[:], b[:], zero[:]))
	id, err = coinbase.Hash()
	require.NoError(t, err)
	require.Equal(t, want, id)
	same, id, err := Beta.ParseForWallet(raw)
	require.NoError(t, err)
	require.Equal(t, want, id)
	require.Equal(t, coinbase, same)
	same, id, err = Beta.ParsePrunedForWallet(raw, xmr.Hash{1})
	require.NoError(t, err)
	require.Equal(t, want, id)
	require.Equal(t, coinbase, same)
}

// TestLayout reads a transaction byte by byte, as the beta's serialisation has it.
func TestLayout(t *testing.T) {
	r := newRandom(4)
	x := r.transaction(t, r.wallet(t), r.wallet(t), 1, 2, 3)
	in := wire.NewReader(Beta.Append(nil, x))
	next := func(want ...byte) {
		t.Helper()
		require.Equal(t, want, in.Bytes(len(want)))
	}
	next(2, 0, 1, 2, 0, 0) // version, unlock time, inputs, tag, amount, offsets
	next(x.Inputs[0].KeyImage[:]...)
	next(2)
	for _, o := range x.Outputs {
		next(0, 0) // amount, tag
		next(o.Key[:]...)
		next(o.ViewTag[:]...)
		next(o.Anchor[:]...)
	}
	next(byte(len(x.Extra)))
	next(x.Extra...)
	require.Equal(t, byte(1), x.Extra[0], "two outputs have one key")
	require.Len(t, x.Extra, 1+32+1+1+1+8)
	next(7)
	require.Equal(t, x.Fee, in.Varint())
	for _, a := range x.Amounts {
		next(a[:]...)
	}
	for _, c := range x.Commitments {
		next(c[:]...)
	}
	next(1)
	next(x.Proofs.Range.Append(nil)...)
	require.Equal(t, x.Proofs.ReferenceBlock, in.Varint())
	next(3)
	next(x.Proofs.Blob...)
	next(x.Proofs.PseudoOuts[0][:]...)
	require.NoError(t, in.Close())
}

// TestRefused cuts, extends and changes a transaction. Every change of a byte is refused or changes the ID.
func TestRefused(t *testing.T) {
	r := newRandom(5)
	payer, payee := r.wallet(t), r.wallet(t)
	x := r.transaction(t, payer, payee, 1, 2, 1)
	b := Beta.Append(nil, x)
	id, err := Beta.Hash(x)
	require.NoError(t, err)
	for n := range b {
		_, err := Beta.Parse(b[:n])
		require.Error(t, err, n)
		changed := bytes.Clone(b)
		changed[n] ^= 1 << (n % 8)
		y, err := Beta.Parse(changed)
		if err != nil {
			continue
		}
		require.Equal(t, changed, Beta.Append(nil, y))
		other, err := Beta.Hash(y)
		require.NoError(t, err)
		require.NotEqual(t, id, other, n)
	}
	_, err = Beta.Parse(append(bytes.Clone(b), 0))
	require.ErrorIs(t, err, wire.ErrTrailing)
	_, err = Beta.ParsePruned(b)
	require.ErrorIs(t, err, wire.ErrTrailing)

	for name, c := range map[string]struct {
		change func(x *Transaction)
		want   error
	}{
		"no inputs":        {func(x *Transaction) { x.Inputs = nil }, ErrInput},
		"too many inputs":  {func(x *Transaction) { x.Inputs = make([]tx.Input, 129) }, ErrInput},
		"no outputs":       {func(x *Transaction) { x.Outputs = nil }, ErrOutput},
		"too many outputs": {func(x *Transaction) { x.Outputs = make([]Output, 17) }, ErrOutput},
		"no layers":        {func(x *Transaction) { x.Proofs.Layers = 0 }, ErrLayers},
		"too many layers":  {func(x *Transaction) { x.Proofs.Layers = 13 }, ErrLayers},
		"proofs of fewer outputs": {func(x *Transaction) {
			x.Proofs.Range.L, x.Proofs.Range.R = x.Proofs.Range.L[:6], x.Proofs.Range.R[:6]
		}, tx.ErrProof},
		"a short proof": {func(x *Transaction) { x.Proofs.Blob = x.Proofs.Blob[32:] }, wire.ErrShort},
		"a long proof":  {func(x *Transaction) { x.Proofs.Blob = append(x.Proofs.Blob, 0) }, wire.ErrTrailing},
	} {
		x := r.transaction(t, payer, payee, 1, 2, 1)
		c.change(x)
		_, err := Beta.Parse(Beta.Append(nil, x))
		require.ErrorIs(t, err, c.want, name)
	}
	second := Beta.Append(nil, r.transaction(t, payer, payee, 2, 2, 1))
	second[3+1+1+1+32] = tagCoinbase
	_, err = Beta.Parse(second)
	require.ErrorIs(t, err, ErrInput, "a coinbase among inputs")
	other := *Beta
	other.OutputTag = 4
	_, err = other.Parse(b)
	require.ErrorIs(t, err, ErrOutput, "the tag is a parameter")
	again, err := other.Parse(other.Append(nil, x))
	require.NoError(t, err)
	require.Equal(t, x.Outputs, again.Outputs)
}

// TestSeparate: what is of the fork is refused by the package of today, and the reverse.
func TestSeparate(t *testing.T) {
	r := newRandom(6)
	x := r.transaction(t, r.wallet(t), r.wallet(t), 1, 2, 1)
	_, err := tx.Parse(Beta.Append(nil, x))
	require.ErrorIs(t, err, tx.ErrOutput)
	coinbase := r.block(t, r.wallet(t), 0).MinerTx.Append(nil)
	_, err = tx.Parse(coinbase)
	require.ErrorIs(t, err, tx.ErrOutput)
	_, err = Beta.Parse(coinbase)
	require.ErrorIs(t, err, ErrCoinbase)

	today := tx.Transaction{
		Version: 2, Inputs: []tx.Input{{Coinbase: true, Height: 5}}, Outputs: []tx.Output{{Amount: 1, Tagged: true}},
	}
	_, _, err = Beta.ParseForWallet(today.Append(nil))
	require.ErrorIs(t, err, ErrBlock)
	today.Version = 1
	_, err = Beta.Parse(append(today.Append(nil), make([]byte, 40)...))
	require.ErrorIs(t, err, ErrVersion)
}

// TestEphemeralKeys: extra has one key, or one for each output.
func TestEphemeralKeys(t *testing.T) {
	r := newRandom(7)
	x := r.transaction(t, r.wallet(t), r.wallet(t), 1, 3, 1)
	_, _, err := x.Enotes()
	require.NoError(t, err)
	additional := func(n int) []byte { return tx.AppendAdditionalKeys(nil, make([]xmr.PublicKey, n)) }
	for n, extra := range [][]byte{nil, {1}, additional(0), additional(2), additional(4)} {
		x.Extra = extra
		_, _, err := x.Enotes()
		require.ErrorIs(t, err, ErrEphemeral, fmt.Sprint(n))
	}
	x.Extra = tx.AppendAdditionalKeys(tx.AppendPublicKey(nil, xmr.PublicKey{1}), make([]xmr.PublicKey, 3))
	list, id, err := x.Enotes()
	require.NoError(t, err)
	require.Nil(t, id)
	require.Equal(t, [32]byte{1}, list[2].Ephemeral, "the transaction key comes first")
	_, err = CoinbaseEnotes(x.ForWallet())
	require.ErrorIs(t, err, ErrEphemeral)
	coinbase := r.block(t, r.wallet(t), 0).MinerTx
	coinbase.Carrot = nil
	_, err = CoinbaseEnotes(&coinbase)
	require.ErrorIs(t, err, ErrEphemeral)
	_, err = NewCoinbase(nil, 1, make([]byte, 256))
	require.ErrorIs(t, err, wire.ErrLimit)
}
