package proof

import (
	"bytes"
	"crypto/rand"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"glim/core/address"
	"glim/core/crypto/edwards"
	"glim/core/internal/crypto/dleq"
	"glim/core/keys"
	"glim/core/scan"
	"glim/core/tx"
	"glim/core/xmr"
)

// letter replaces the letter at i by one that keeps the encoded number in range.
func letter(s string, i int) string {
	c := byte('1')
	if s[i] == c {
		c = '2'
	}
	return s[:i] + string(c) + s[i+1:]
}

func TestReferencePayments(t *testing.T) {
	w := load(t)
	kinds := map[string]int{}
	for _, p := range w.Payments {
		f, a := w.Txs[p.TxID], parse(t, p.Address)
		got, err := CheckPayment(id(t, p.TxID), f.tx, a, p.Message, p.Signature)
		require.NoError(t, err)
		require.Equal(t, Payment{p.Received, strings.HasPrefix(p.Signature, "Out"), dleq.V2}, got)
		k, err := ParseTxKey(f.TxKey)
		require.NoError(t, err)
		require.Equal(t, f.TxKey, k.Text())
		amount, err := ReceivedByKey(f.tx, k, a)
		require.NoError(t, err)
		require.Equal(t, p.Received, amount)
		kinds[p.Signature[:3]+" "+a.Kind.String()]++
		if len(k.Additional) > 0 {
			kinds["additional"]++
		}
	}
	for _, kind := range []string{
		"Out standard", "Out subaddress", "Out integrated", "InP standard", "InP subaddress", "InP integrated",
		"additional",
	} {
		require.NotZero(t, kinds[kind], kind)
	}
}

// TestPaymentTampering changes everything that a proof binds, one at a time.
func TestPaymentTampering(t *testing.T) {
	w := load(t)
	check := func(txid string, a address.Address, message, text string) error {
		_, err := CheckPayment(id(t, txid), w.Txs[txid].tx, a, message, text)
		return err
	}
	for _, p := range w.Payments {
		a := parse(t, p.Address)
		require.NoError(t, check(p.TxID, a, p.Message, p.Signature))
		require.ErrorIs(t, check(p.TxID, a, p.Message+" ", p.Signature), ErrInvalid)
		for txid := range w.Txs {
			if txid != p.TxID {
				require.Error(t, check(txid, a, p.Message, p.Signature))
			}
		}
		_, err := CheckPayment(xmr.Hash{}, w.Txs[p.TxID].tx, a, p.Message, p.Signature)
		require.ErrorIs(t, err, ErrTransaction, "the ID alone")
		_, err = CheckPayment(xmr.Hash{}, pruned(w.Txs[p.TxID].tx), a, p.Message, p.Signature)
		require.ErrorIs(t, err, ErrInvalid, "the ID alone")
		got, err := CheckPayment(id(t, p.TxID), pruned(w.Txs[p.TxID].tx), a, p.Message, p.Signature)
		require.NoError(t, err)
		require.Equal(t, p.Received, got.Amount)
		for name, wrong := range map[string]address.Address{
			"of somebody": addressOf(person(t, 3), keys.Index{}),
			"view key":    {Kind: a.Kind, Spend: a.Spend, View: a.Spend},
			"kind":        {Kind: address.Subaddress - a.Standard().Kind, Spend: a.Spend, View: a.View},
		} {
			require.ErrorIs(t, check(p.TxID, wrong, p.Message, p.Signature), ErrInvalid, name)
		}
		// A standard address's spend key is in no equation: the proof is valid, and that key received nothing.
		other := a
		other.Spend = person(t, 3).SpendPublic
		got, err = CheckPayment(id(t, p.TxID), w.Txs[p.TxID].tx, other, p.Message, p.Signature)
		if a.Kind == address.Subaddress {
			require.ErrorIs(t, err, ErrInvalid)
		} else {
			require.NoError(t, err)
			require.Zero(t, got.Amount)
		}
		name := strings.Index(p.Signature, "V2") + 2
		for from, to := range map[string]string{"V2": "V1", "OutProof": "InProof", "InProof": "OutProof"} {
			if strings.HasPrefix(p.Signature[:name], from) || from == "V2" {
				require.ErrorIs(t, check(p.TxID, a, p.Message, strings.Replace(p.Signature, from, to, 1)), ErrInvalid)
			}
		}
		if len(p.Signature) == name+132 { // with several keys, the one that matters may be untouched
			for i := name; i < len(p.Signature); i++ {
				require.Error(t, check(p.TxID, a, p.Message, letter(p.Signature, i)), i)
			}
		}
		for _, text := range []string{
			"", "OutProofV2", "InProofV3" + p.Signature[name:], " " + p.Signature, p.Signature + " ", p.Signature + "1",
			p.Signature[:len(p.Signature)-1], p.Signature + p.Signature[name:], strings.ToLower(p.Signature),
			p.Signature[:name] + "0" + p.Signature[name+1:],
			p.Signature[:name] + strings.Repeat("z", 11) + p.Signature[name+11:]} {
			require.ErrorIs(t, check(p.TxID, a, p.Message, text), ErrMalformed, text)
		}
	}
}

// TestEveryLinkIsBound: in a proof with several keys each part that does not verify counts for nothing.
func TestEveryLinkIsBound(t *testing.T) {
	w := load(t)
	tried := 0
	for _, p := range w.Payments {
		x := w.Txs[p.TxID].tx
		public, err := publicKeys(id(t, p.TxID), x)
		require.NoError(t, err)
		name := strings.Index(p.Signature, "V2") + 2
		if len(public) == 1 {
			continue
		}
		tried++
		counted := 0
		for i := range public {
			text := letter(p.Signature, name+i*132+50) // in the challenge
			got, err := CheckPayment(id(t, p.TxID), x, parse(t, p.Address), p.Message, text)
			if err != nil {
				require.ErrorIs(t, err, ErrInvalid)
			}
			if got.Amount < p.Received {
				counted++
			}
		}
		require.NotZero(t, counted, "at least one key carries the amount")
	}
	require.NotZero(t, tried)
}

func TestOwnPayments(t *testing.T) {
	w := load(t)
	for _, p := range w.Payments {
		f, a, txid := w.Txs[p.TxID], parse(t, p.Address), id(t, p.TxID)
		k, err := ParseTxKey(f.TxKey)
		require.NoError(t, err)
		text, err := ProveSent(rand.Reader, txid, f.tx, k, a, "")
		require.NoError(t, err)
		require.NotEqual(t, p.Signature, text)
		got, err := CheckPayment(txid, f.tx, a, "", text)
		require.NoError(t, err)
		require.Equal(t, Payment{p.Received, true, dleq.V2}, got)

		_, err = ProveSent(rand.Reader, txid, f.tx, k, addressOf(person(t, 3), keys.Index{}), "")
		require.ErrorIs(t, err, ErrNothing)
		_, err = ProveSent(
			rand.Reader, txid, f.tx, TxKey{Main: keys.Secret(edwards.EncodeScalar(one())), Additional: k.Additional},
			addressOf(person(t, 3), keys.Index{}), "",
		)
		require.ErrorIs(t, err, ErrNothing)
		wrong := k
		wrong.Additional = append(wrong.Additional[:len(k.Additional):len(k.Additional)], keys.Secret{1})
		_, err = ProveSent(rand.Reader, txid, f.tx, wrong, a, "")
		require.ErrorIs(t, err, ErrTxKey)
		_, err = ProveSent(
			rand.Reader, txid, f.tx, TxKey{Main: keys.Secret(bytes.Repeat([]byte{0xff}, 32)), Additional: k.Additional},
			a, "",
		)
		require.ErrorIs(t, err, ErrTxKey)
		_, err = ProveSent(bytes.NewReader(nil), txid, f.tx, k, a, "")
		require.Error(t, err)
		none := pruned(f.tx)
		none.Extra = nil
		for _, x := range []*tx.Transaction{nil, none, w.otherThan(f.tx)} {
			_, err = ProveSent(rand.Reader, txid, x, k, a, "")
			require.ErrorIs(t, err, ErrTransaction)
			_, err = ProveReceived(rand.Reader, txid, x, person(t, 2), keys.Index{}, "")
			require.ErrorIs(t, err, ErrTransaction)
			_, err = CheckPayment(txid, x, a, p.Message, p.Signature)
			require.ErrorIs(t, err, ErrTransaction)
		}
		_, err = ProveReceived(rand.Reader, txid, f.tx, person(t, 3), keys.Index{}, "")
		require.ErrorIs(t, err, ErrNothing)

		paid, i := w.recipient(t, a)
		text, err = ProveReceived(rand.Reader, txid, f.tx, paid, i, "")
		require.NoError(t, err)
		got, err = CheckPayment(txid, f.tx, a, "", text)
		require.NoError(t, err)
		require.Equal(t, Payment{p.Received, false, dleq.V2}, got)
		_, err = ProveReceived(strings.NewReader(""), txid, f.tx, paid, i, "")
		require.Error(t, err)
		_, err = ProveReceived(rand.Reader, txid, f.tx, paid, keys.Index{Major: 2, Minor: 19}, "")
		require.ErrorIs(t, err, ErrNothing, "another address of the same wallet")
	}
}

// TestTxKey checks the text of transaction keys.
func TestTxKey(t *testing.T) {
	w := load(t)
	p := w.Payments[0]
	f, a := w.Txs[p.TxID], parse(t, p.Address)
	zero := strings.Repeat("0", 64)
	k, err := ParseTxKey(zero)
	require.NoError(t, err)
	got, err := ReceivedByKey(f.tx, k, a)
	require.NoError(t, err)
	require.Zero(t, got)
	for _, text := range []string{
		"", zero[1:], zero + "0", zero + zero[1:], "g" + zero[1:], strings.Repeat("f", 64),
		zero + strings.Repeat("f", 64),
	} {
		_, err := ParseTxKey(text)
		require.ErrorIs(t, err, ErrTxKey, text)
	}
	upper, err := ParseTxKey(strings.ToUpper(f.TxKey))
	require.NoError(t, err)
	require.Equal(t, f.TxKey, upper.Text())
	_, err = ReceivedByKey(f.tx, TxKey{Additional: make([]keys.Secret, len(f.tx.Outputs)+1)}, a)
	require.ErrorIs(t, err, ErrTxKey)
	_, err = ReceivedByKey(f.tx, TxKey{Main: keys.Secret(bytes.Repeat([]byte{0xff}, 32))}, a)
	require.ErrorIs(t, err, ErrTxKey)
	_, err = ReceivedByKey(f.tx, k, address.Address{View: [32]byte{2}})
	require.ErrorIs(t, err, edwards.ErrPoint)
}

// TestAmountsAreChecked changes the view tag, encrypted amount, commitment and visible amount of a paid output.
func TestAmountsAreChecked(t *testing.T) {
	w := load(t)
	p := w.Payments[0]
	f, a := w.Txs[p.TxID], parse(t, p.Address)
	k, err := ParseTxKey(f.TxKey)
	require.NoError(t, err)
	s, err := edwards.DecodeScalar(k.Main)
	require.NoError(t, err)
	d, err := edwards.Derive(s, a.View)
	require.NoError(t, err)
	paid := -1
	for o := range f.tx.Outputs {
		if pays(&f.tx.Outputs[o], o, d, a.Spend) {
			paid = o
		}
	}
	require.GreaterOrEqual(t, paid, 0)
	amount, _, ok := scan.Amount(f.tx, paid, d)
	require.True(t, ok)
	require.Equal(t, p.Received, amount)
	for name, change := range map[string]func(*tx.Transaction){
		"view tag":   func(x *tx.Transaction) { x.Outputs[paid].ViewTag++ },
		"key":        func(x *tx.Transaction) { x.Outputs[paid].Key = a.Spend },
		"clear":      func(x *tx.Transaction) { x.Outputs[paid].Amount = 1 },
		"amount":     func(x *tx.Transaction) { x.RingCT.Ecdh[paid].Amount[0]++ },
		"commitment": func(x *tx.Transaction) { x.RingCT.Commitments[paid] = a.Spend },
		"missing":    func(x *tx.Transaction) { x.RingCT.Ecdh = nil },
	} {
		x := load(t).Txs[p.TxID].tx
		change(x)
		got, err := ReceivedByKey(x, k, a)
		require.NoError(t, err)
		require.Zero(t, got, name)
	}
	x := load(t).Txs[p.TxID].tx
	x.Version, x.Outputs[paid].Amount = 1, 77
	got, err := ReceivedByKey(x, k, a)
	require.NoError(t, err)
	require.EqualValues(t, 77, got, "version 1 shows amounts")
}

// TestInvalidAdditionalKey: an invalid additional key, which any sender can include, does not spoil proofs with other
// keys.
func TestInvalidAdditionalKey(t *testing.T) {
	w := load(t)
	for _, p := range w.Payments {
		x := pruned(w.Txs[p.TxID].tx)
		public, err := publicKeys(id(t, p.TxID), x)
		require.NoError(t, err)
		if len(public) > 1 {
			continue
		}
		bad := []xmr.PublicKey{{2}, {2}, {2}}
		x.Extra = tx.AppendAdditionalKeys(x.Extra[:len(x.Extra):len(x.Extra)], bad)
		a := parse(t, p.Address)
		paid, i := w.recipient(t, a)
		text, err := ProveReceived(rand.Reader, id(t, p.TxID), x, paid, i, "")
		require.NoError(t, err)
		got, err := CheckPayment(id(t, p.TxID), x, a, "", text)
		require.NoError(t, err)
		require.Equal(t, p.Received, got.Amount)
	}
}

// TestOverflow sums amounts beyond 64 bits.
func TestOverflow(t *testing.T) {
	k, a := TxKey{Main: keys.Secret(edwards.EncodeScalar(one()))}, addressOf(person(t, 1), keys.Index{})
	d, err := edwards.Derive(one(), a.View)
	require.NoError(t, err)
	x := &tx.Transaction{Version: 1, Extra: tx.AppendPublicKey(nil, edwards.Base().Encode())}
	for o := range uint64(2) {
		key, err := d.PublicKey(o, a.Spend)
		require.NoError(t, err)
		x.Outputs = append(x.Outputs, tx.Output{Amount: 1 << 63, Key: key})
	}
	_, err = ReceivedByKey(x, k, a)
	require.ErrorIs(t, err, xmr.ErrOverflow)
	txid, err := x.Hash()
	require.NoError(t, err)
	_, err = ProveSent(rand.Reader, txid, x, k, a, "")
	require.ErrorIs(t, err, xmr.ErrOverflow)
}

func FuzzCheckPayment(f *testing.F) {
	w := load(f)
	p := w.Payments[0]
	for _, q := range w.Payments {
		f.Add(q.Signature)
	}
	x, a, txid := w.Txs[p.TxID].tx, parse(f, p.Address), id(f, p.TxID)
	good := map[string]bool{}
	for _, q := range w.Payments {
		good[q.Signature] = true
	}
	f.Fuzz(func(t *testing.T, text string) {
		if _, err := CheckPayment(txid, x, a, p.Message, text); err == nil {
			require.True(t, good[text], "forged")
		}
	})
}

func FuzzParseTxKey(f *testing.F) {
	f.Add(strings.Repeat("0", 64))
	f.Add(strings.Repeat("0a", 96))
	f.Fuzz(func(t *testing.T, text string) {
		if k, err := ParseTxKey(text); err == nil {
			require.Equal(t, strings.ToLower(text), k.Text())
		}
	})
}
