package proof

import (
	"crypto/rand"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"glim/core/crypto/edwards"
	"glim/core/keys"
	"glim/core/tx"
	"glim/core/xmr"
)

// maker returns the wallet that made a transaction, and the outputs that it spent.
func (w *world) maker(t testing.TB, x *tx.Transaction) (*keys.Keys, []keys.OwnOutput) {
	for n := byte(1); n <= 2; n++ {
		k := person(t, n)
		if _, ok := w.owned(t, k)[x.Inputs[0].KeyImage]; ok {
			return k, w.spent(t, k, x)
		}
	}
	require.Fail(t, "nobody made it")
	return nil, nil
}

func TestReferenceSpends(t *testing.T) {
	w := load(t)
	inputs := 0
	for _, s := range w.Spends {
		f, txid := w.Txs[s.TxID], id(t, s.TxID)
		inputs = max(inputs, len(f.tx.Inputs))
		check := func(message, text string) error { return CheckSpend(txid, f.tx, f.Rings, message, text) }
		require.NoError(t, check(s.Message, s.Signature))
		require.ErrorIs(t, check("", s.Signature), ErrInvalid)
		require.NoError(t, CheckSpend(txid, pruned(f.tx), f.Rings, s.Message, s.Signature))
		require.ErrorIs(t, CheckSpend(xmr.Hash{}, f.tx, f.Rings, s.Message, s.Signature), ErrTransaction)
		require.ErrorIs(t, CheckSpend(xmr.Hash{}, pruned(f.tx), f.Rings, s.Message, s.Signature), ErrInvalid)
		for i := len(spendV1); i < len(s.Signature); i += 43 { // in each signature's challenge and response
			require.Error(t, check(s.Message, letter(s.Signature, i)), i)
		}
		for _, text := range []string{
			s.Signature + "1",
			s.Signature[:len(s.Signature)-1],
			spendV1,
			s.Signature + s.Signature[len(spendV1):],
		} {
			require.ErrorIs(t, check(s.Message, text), ErrInvalid)
		}
		for _, text := range []string{
			"",
			"SpendProofV2" + s.Signature[12:],
			s.Signature[1:],
			spendV1 + "0" + s.Signature[13:],
			spendV1 + strings.Repeat("z", 11) + s.Signature[23:],
		} {
			require.ErrorIs(t, check(s.Message, text), ErrMalformed)
		}
		for n := range f.Rings {
			rings := slices.Clone(f.Rings)
			rings[n] = slices.Clone(rings[n])
			slices.Reverse(rings[n])
			require.ErrorIs(t, CheckSpend(txid, f.tx, rings, s.Message, s.Signature), ErrInvalid)
			rings[n] = rings[n][1:]
			require.ErrorIs(t, CheckSpend(txid, f.tx, rings, s.Message, s.Signature), ErrTransaction)
		}
		require.ErrorIs(t, CheckSpend(txid, f.tx, f.Rings[1:], s.Message, s.Signature), ErrTransaction)
		x := pruned(load(t).Txs[s.TxID].tx)
		x.Inputs[0].KeyImage = edwards.H().Encode()
		require.ErrorIs(t, CheckSpend(txid, x, f.Rings, s.Message, s.Signature), ErrInvalid)
		x.Inputs[0].KeyImage = edwards.Identity().Encode()
		require.ErrorIs(t, CheckSpend(txid, x, f.Rings, s.Message, s.Signature), ErrInvalid)
	}
	require.Greater(t, inputs, 1)
}

func TestProveSpend(t *testing.T) {
	w := load(t)
	for _, s := range w.Spends {
		f, txid := w.Txs[s.TxID], id(t, s.TxID)
		k, spent := w.maker(t, f.tx)
		text, err := ProveSpend(rand.Reader, txid, f.tx, k, f.Rings, spent, "mine")
		require.NoError(t, err)
		require.NoError(t, CheckSpend(txid, f.tx, f.Rings, "mine", text))
		require.Len(t, text, len(s.Signature))

		prove := func(k *keys.Keys, rings [][]xmr.PublicKey, spent []keys.OwnOutput) error {
			text, err := ProveSpend(rand.Reader, txid, f.tx, k, rings, spent, "")
			require.Empty(t, text)
			return err
		}
		only, err := keys.ViewOnly(k.ViewSecret(), k.SpendPublic)
		require.NoError(t, err)
		require.ErrorIs(t, prove(only, f.Rings, spent), ErrViewOnly)
		require.ErrorIs(t, prove(person(t, 3), f.Rings, spent), ErrSecret)
		require.ErrorIs(t, prove(k, f.Rings, spent[1:]), ErrTransaction)
		require.ErrorIs(t, prove(k, f.Rings[1:], spent), ErrTransaction)
		elsewhere := slices.Clone(spent)
		for _, h := range w.owned(t, k) {
			if !slices.Contains(f.Rings[0], h.Key) {
				elsewhere[0] = h.OwnOutput
			}
		}
		require.ErrorIs(t, prove(k, f.Rings, elsewhere), ErrSecret, "not in the ring")
		if !slices.Contains(f.Rings[0], elsewhere[0].Key) {
			rings := slices.Clone(f.Rings)
			rings[0] = slices.Clone(rings[0])
			rings[0][0] = elsewhere[0].Key
			require.ErrorIs(t, prove(k, rings, elsewhere), ErrSecret, "another key image")
			rings[0] = slices.Clone(f.Rings[0])
			bad := slices.IndexFunc(rings[0], func(p xmr.PublicKey) bool { return p != spent[0].Key })
			rings[0][bad] = xmr.PublicKey{2}
			require.ErrorIs(t, prove(k, rings, spent), ErrTransaction, "a ring member that is no point")
		}
		_, err = ProveSpend(strings.NewReader(""), txid, f.tx, k, f.Rings, spent, "")
		require.Error(t, err)
	}
	coinbase := &tx.Transaction{Version: 2, Inputs: []tx.Input{{Coinbase: true}}}
	txid, err := coinbase.Hash()
	require.NoError(t, err)
	_, err = ProveSpend(rand.Reader, txid, coinbase, person(t, 1), nil, nil, "")
	require.ErrorIs(t, err, ErrTransaction, "nobody spends in a coinbase")
	require.ErrorIs(t, CheckSpend(txid, coinbase, nil, "", spendV1), ErrInvalid)
}

func FuzzCheckSpend(f *testing.F) {
	w := load(f)
	s := w.Spends[0]
	for _, q := range w.Spends {
		f.Add(q.Signature)
	}
	fact, txid := w.Txs[s.TxID], id(f, s.TxID)
	f.Fuzz(func(t *testing.T, text string) {
		if CheckSpend(txid, fact.tx, fact.Rings, s.Message, text) == nil {
			require.Equal(t, s.Signature, text, "forged")
		}
	})
}
