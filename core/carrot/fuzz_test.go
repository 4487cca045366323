package carrot

import (
	"testing"

	"github.com/stretchr/testify/require"

	"glim/core/address"
	"glim/core/crypto/edwards"
	"glim/core/xmr"
)

// enoteSize is the number of bytes of an Enote and an encrypted payment ID.
const enoteSize = 32 + 32 + 8 + 3 + 32 + 32 + 16 + 8

// enoteOf reads an enote field by field, in the order of fields; missing bytes are zero.
func enoteOf(b []byte) (e Enote, id [8]byte) {
	for _, f := range fields {
		b = b[copy(f.of(&e, &id), b):]
	}
	return e, id
}

// FuzzScan changes enotes of all kinds. What a wallet finds opens: the key and the commitment are those of the enote.
// Whether the view tag fits is left to the bytes for half of the inputs, and ensured for the others.
func FuzzScan(f *testing.F) {
	all := send(f, Default, 60)
	f.Add(uint8(0), false, make([]byte, enoteSize))
	f.Add(uint8(3), true, []byte{1})
	f.Add(uint8(14), true, append(make([]byte, 155), 1))
	f.Add(uint8(20), true, append(make([]byte, 120), 255, 255))
	f.Fuzz(func(t *testing.T, n uint8, retag bool, change []byte) {
		s := all[int(n)%len(all)]
		e, id := enoteOf(change)
		for _, f := range fields {
			original, changed := f.of(&s.enote, &s.id), f.of(&e, &id)
			for i := range changed {
				changed[i] ^= original[i]
			}
		}
		if retag {
			s.retag(&e)
		}
		got, ok := s.scan(&e, &id)
		if e == s.enote {
			require.True(t, ok || s.kind == integrated && id != s.id)
		}
		if ok {
			require.Equal(t, e.Key, got.Key)
			require.Equal(t, e.Commitment, edwards.Commit(got.Mask, got.Amount).Encode())
			if x, y, err := s.to.Opening(&got, s.index); err == nil {
				require.Equal(t, e.Key, xmr.PublicKey(Default.outputKey(x, y).Encode()))
			}
		}
		c := CoinbaseEnote{Key: e.Key, Anchor: e.Anchor, ViewTag: e.ViewTag, Ephemeral: e.Ephemeral, Amount: uint64(n)}
		if retag {
			shared, context := sharedOf(s.to, c.Ephemeral), coinbaseContext(c.Height)
			c.ViewTag = viewTag(&shared, &context, &c.Key)
		}
		if _, ok := s.to.ScanCoinbase(&c); ok {
			t.Error("a coinbase enote of nobody is received")
		}
	})
}

// FuzzKeys makes every tier of any bytes: it works, or the error says that the keys are invalid.
func FuzzKeys(f *testing.F) {
	m := newRandom(61).master(f, Default)
	spend, view, mainView := m.AccountKeys()
	secret := m.ViewSecret()
	f.Add(secret[:], spend[:], view[:], mainView[:])
	f.Add([]byte{}, []byte{1}, []byte{2}, []byte{3})
	f.Fuzz(func(t *testing.T, secret, first, second, third []byte) {
		var s, a, b, c [32]byte
		copy(s[:], secret)
		copy(a[:], first)
		copy(b[:], second)
		copy(c[:], third)
		check := func(err error, valid bool) {
			t.Helper()
			if valid {
				require.NoError(t, err)
			} else {
				require.ErrorIs(t, err, ErrKey)
			}
		}
		_, aValid := inSubgroup(a)
		_, bValid := inSubgroup(b)
		_, cValid := inSubgroup(c)
		scalar, err := edwards.DecodeScalar(s)
		sValid := err == nil && !isZero(scalar)
		_, err = NewIncoming(Default, s, a)
		check(err, sValid && aValid)
		received, err := NewViewReceived(Default, s, b, a)
		check(err, sValid && aValid)
		addresses, err := NewGenerateAddress(s, a, b, c)
		check(err, aValid && bValid && cValid)
		if addresses != nil {
			require.Equal(t, addresses.SpendKey(indices[2]), addresses.Address(xmr.Mainnet, indices[2]).Spend)
		}
		if received != nil {
			require.Equal(t, received.SpendKey(indices[2]), received.Address(xmr.Mainnet, indices[2]).Spend)
		}
		all, err := NewViewAll(Default, s, a)
		check(err, aValid)
		if all != nil {
			_, err = NewViewReceived(Default, all.ViewSecret(), all.AddressSecret(), all.SpendKey(indices[0]))
			require.NoError(t, err)
		}
		_, err = NewMaster(Default, s)
		require.NoError(t, err)
	})
}

// FuzzSend pays to any address: the output is complete, or the address is invalid.
func FuzzSend(f *testing.F) {
	w := newRandom(62).master(f, Default)
	a := w.Address(xmr.Mainnet, indices[1])
	f.Add(uint8(0), a.Spend[:], a.View[:], []byte{1}, uint64(7))
	f.Add(uint8(2), a.Spend[:], a.View[:], []byte{1, 2}, uint64(7))
	f.Fuzz(func(t *testing.T, kind uint8, spend, view, anchor []byte, amount uint64) {
		p := Payment{To: address.Address{Kind: address.Kind(kind % 3)}, Amount: amount}
		copy(p.To.Spend[:], spend)
		copy(p.To.View[:], view)
		copy(p.Anchor[:], anchor)
		o, _, err := Default.NewOutput(&p, xmr.KeyImage{1})
		_, ok1 := inSubgroup(p.To.Spend)
		_, ok2 := inSubgroup(p.To.View)
		if p.Anchor == ([16]byte{}) {
			require.ErrorIs(t, err, ErrAnchor)
			return
		}
		if !ok1 || !ok2 {
			require.ErrorIs(t, err, ErrAddress)
			return
		}
		require.NoError(t, err)
		require.Equal(t, o.Commitment, edwards.Commit(o.Mask, amount).Encode())
		_, valid := inSubgroup(o.Key)
		require.True(t, valid)
		s, err := w.NewSelfSend(&SelfSend{Spend: p.To.Spend, Amount: amount, Ephemeral: o.Ephemeral}, xmr.KeyImage{1})
		require.NoError(t, err)
		got, ok := w.ScanAll(&s.Enote, nil)
		require.True(t, ok)
		require.Equal(t, p.To.Spend, got.Spend)
	})
}

// FuzzAccount checks that any bytes are refused or those of an account.
func FuzzAccount(f *testing.F) {
	top, err := NewMasterAccount(Default, newRandom(62).bytes32())
	require.NoError(f, err)
	received := &Account{received: top.received}
	all := &Account{received: top.received, all: top.all}
	for _, a := range []*Account{top, all, received} {
		f.Add(a.Encode())
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		a, err := DecodeAccount(Default, b)
		if err != nil {
			require.ErrorIs(t, err, ErrKey)
			return
		}
		require.Equal(t, b, a.Encode())
	})
}
