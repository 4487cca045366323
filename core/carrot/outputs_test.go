package carrot

import (
	"bytes"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/require"

	"glim/core/address"
	"glim/core/crypto/edwards"
	"glim/core/keys"
	"glim/core/xmr"
)

// TestNewOutputs makes transactions with two to sixteen outputs, and requires that their recipients find them.
func TestNewOutputs(t *testing.T) {
	random := newRandom(50)
	for _, w := range []spender{random.master(t, Default), random.legacy(t, Default)} {
		payee := random.legacy(t, Default)
		for n := 1; n <= 15; n++ {
			payments := make([]Payment, n)
			for i := range payments {
				to := payee.Address(xmr.Mainnet, indices[i%4])
				payments[i] = Payment{To: to, Amount: uint64(i), Anchor: random.anchor(t)}
			}
			payments[0].To = payee.Integrated(xmr.Mainnet, [8]byte{7, 7})
			change := SelfSend{Spend: w.SpendKey(indices[0]), Amount: 1000, Type: ChangeEnote}
			if n > 1 {
				change.Ephemeral = random.ephemeral(t)
			}
			outputs, id, err := Default.NewOutputs(payments, []SelfSend{change}, w, random.bytes32(), random.id())
			require.NoError(t, err)
			require.Len(t, outputs, n+1)
			byKey := func(a, b *Output) int { return bytes.Compare(a.Key[:], b.Key[:]) }
			require.True(t, slices.IsSortedFunc(outputs, byKey))
			var amounts, ids []string
			for _, o := range outputs {
				if got, ok := payee.Scan(&o.Enote, &id); ok {
					amounts = append(amounts, fmt.Sprint(got.Amount))
					if got.PaymentID != ([8]byte{}) {
						ids = append(ids, fmt.Sprint(got.Amount, got.PaymentID))
					}
				}
				s := sent{kind: special, to: w}
				if _, ok := w.(*Master); ok {
					s.kind = internal
				}
				if got, ok := s.scan(&o.Enote, &id); ok {
					require.Equal(t, ChangeEnote, got.Type)
					require.Equal(t, uint64(1000), got.Amount)
					amounts = append(amounts, "change")
				}
				require.Equal(t, n == 1, o.Ephemeral == outputs[0].Ephemeral && o.Ephemeral == outputs[n].Ephemeral)
			}
			require.Len(t, amounts, n+1)
			require.Equal(t, []string{"0 [7 7 0 0 0 0 0 0]"}, ids, "the payment ID belongs to one payment")
		}
	}
}

// TestOutputsRefused lists the sets that Carrot does not allow.
func TestOutputsRefused(t *testing.T) {
	random := newRandom(51)
	w, payee := random.master(t, Default), random.legacy(t, Default)
	pay := func(a address.Address) Payment { return Payment{To: a, Amount: 1, Anchor: random.anchor(t)} }
	main, whole := payee.Address(xmr.Mainnet, indices[0]), payee.Integrated(xmr.Mainnet, [8]byte{1})
	self := func(typ EnoteType, ephemeral [32]byte) SelfSend {
		return SelfSend{Spend: w.SpendKey(indices[1]), Amount: 1, Type: typ, Ephemeral: ephemeral}
	}
	e, f, none := random.ephemeral(t), random.ephemeral(t), [32]byte{}
	twice := pay(main)
	withMessage := self(ChangeEnote, none)
	withMessage.Message = [16]byte{1}
	for _, c := range []struct {
		name      string
		payments  []Payment
		selfSends []SelfSend
		want      error
	}{
		{"nothing", nil, nil, ErrOutputs},
		{"one output", nil, []SelfSend{self(ChangeEnote, e)}, ErrOutputs},
		{"no self-send", []Payment{pay(main), pay(main)}, nil, ErrOutputs},
		{"two payments to oneself alone", nil, []SelfSend{self(PaymentEnote, e), self(PaymentEnote, e)}, ErrOutputs},
		{"payment and change to oneself", nil, []SelfSend{self(PaymentEnote, e), self(ChangeEnote, none)}, nil},
		{"two ephemeral keys for two outputs", nil,
			[]SelfSend{self(PaymentEnote, e), self(ChangeEnote, f)}, ErrEphemeral},
		{"no ephemeral key", nil, []SelfSend{self(PaymentEnote, none), self(ChangeEnote, none)}, ErrEphemeral},
		{"another ephemeral key than the payment's", []Payment{pay(main)},
			[]SelfSend{self(ChangeEnote, e)}, ErrEphemeral},
		{"one ephemeral key for three outputs", []Payment{pay(main)},
			[]SelfSend{self(ChangeEnote, e), self(PaymentEnote, e)}, ErrEphemeral},
		{"the same self-send twice", []Payment{pay(main)},
			[]SelfSend{self(ChangeEnote, e), self(ChangeEnote, e)}, ErrOutputs},
		{"no ephemeral key for three outputs", []Payment{pay(main), pay(main)},
			[]SelfSend{self(ChangeEnote, none)}, ErrEphemeral},
		{"an anchor twice", []Payment{twice, twice}, []SelfSend{self(ChangeEnote, e)}, ErrOutputs},
		{"no anchor", []Payment{{To: main}}, []SelfSend{self(ChangeEnote, none)}, ErrAnchor},
		{"two payment IDs", []Payment{pay(whole), pay(whole)}, []SelfSend{self(ChangeEnote, e)}, ErrOutputs},
		{"an unknown type", []Payment{pay(main)}, []SelfSend{self(2, none)}, ErrAddress},
		{"a message", []Payment{pay(main)}, []SelfSend{withMessage}, nil},
	} {
		_, _, err := Default.NewOutputs(c.payments, c.selfSends, w, xmr.KeyImage{1}, [8]byte{})
		require.ErrorIs(t, err, c.want, c.name)
	}
	_, err := w.Incoming.NewSelfSend(&withMessage, xmr.KeyImage{})
	require.ErrorIs(t, err, ErrEphemeral)
	withMessage.Ephemeral = e
	_, err = w.Incoming.NewSelfSend(&withMessage, xmr.KeyImage{})
	require.ErrorIs(t, err, ErrOutputs, "special enotes have no place for a message")
}

// TestCoinbaseEnotes pays several miners in one block.
func TestCoinbaseEnotes(t *testing.T) {
	random := newRandom(52)
	var payments []Payment
	var miners []*Master
	for i := range 5 {
		miners = append(miners, random.master(t, Default))
		to := miners[i].Address(xmr.Mainnet, keys.Index{})
		payments = append(payments, Payment{To: to, Amount: uint64(i), Anchor: random.anchor(t)})
	}
	enotes, err := Default.NewCoinbaseEnotes(payments, 12)
	require.NoError(t, err)
	found := 0
	for i, e := range enotes {
		require.True(t, i == 0 || bytes.Compare(enotes[i-1].Key[:], e.Key[:]) < 0)
		for n, m := range miners {
			if got, ok := m.ScanCoinbase(e); ok {
				require.Equal(t, uint64(n), got.Amount)
				found++
			}
		}
	}
	require.Equal(t, 5, found)
	_, err = Default.NewCoinbaseEnotes(nil, 1)
	require.ErrorIs(t, err, ErrOutputs)
	payments[1].Anchor = payments[0].Anchor
	_, err = Default.NewCoinbaseEnotes(payments, 1)
	require.ErrorIs(t, err, ErrOutputs)
}

// invalidKeys are the neutral element, a point of order four, a point with torsion, and bytes that encode no point.
func invalidKeys() [][32]byte {
	torsion, err := edwards.DecodePoint([32]byte{})
	if err != nil {
		panic(err)
	}
	mixed := new(edwards.Point).Add(torsion, edwards.Base()).Encode()
	return [][32]byte{{1}, {}, mixed, {2}, {31: 0xff}}
}

// TestInvalidKeys: keys that are not in the prime-order subgroup are refused, in addresses and in wallets.
func TestInvalidKeys(t *testing.T) {
	random := newRandom(53)
	w := random.master(t, Default)
	spend, view, mainView := w.AccountKeys()
	for _, bad := range invalidKeys() {
		for _, a := range []address.Address{{Spend: bad, View: mainView}, {Spend: spend, View: bad}} {
			_, _, err := Default.NewOutput(&Payment{To: a, Anchor: [16]byte{1}}, xmr.KeyImage{})
			require.ErrorIs(t, err, ErrAddress)
			_, err = Default.NewCoinbaseEnote(&Payment{To: a, Anchor: [16]byte{1}}, 1)
			require.ErrorIs(t, err, ErrAddress)
		}
		_, err := w.NewSelfSend(&SelfSend{Spend: bad, Ephemeral: [32]byte{9}}, xmr.KeyImage{})
		require.ErrorIs(t, err, ErrAddress)
		_, err = w.Incoming.NewSelfSend(&SelfSend{Spend: bad, Ephemeral: [32]byte{9}}, xmr.KeyImage{})
		require.ErrorIs(t, err, ErrAddress)

		_, err = NewViewAll(Default, w.BalanceSecret(), bad)
		require.ErrorIs(t, err, ErrKey)
		_, err = NewViewReceived(Default, w.ViewSecret(), w.AddressSecret(), bad)
		require.ErrorIs(t, err, ErrKey)
		_, err = NewIncoming(Default, w.ViewSecret(), bad)
		require.ErrorIs(t, err, ErrKey)
		for n := range 3 {
			public := [3]xmr.PublicKey{spend, view, mainView}
			public[n] = bad
			_, err = NewGenerateAddress(w.AddressSecret(), public[0], public[1], public[2])
			require.ErrorIs(t, err, ErrKey)
		}
	}
	order := hex32(t, "edd3f55c1a631258d69cf7a2def9de1400000000000000000000000000000010")
	for _, bad := range []keys.Secret{{}, order, {31: 0xff}} {
		_, err := NewIncoming(Default, bad, spend)
		require.ErrorIs(t, err, ErrKey)
		_, err = NewViewReceived(Default, bad, keys.Secret{}, spend)
		require.ErrorIs(t, err, ErrKey)
	}
	for _, bad := range [][32]byte{{}, {1}, {2}, {31: 0x80, 0: 9}} { // small orders, the twist, an ignored bit
		s := &SelfSend{Spend: spend, Ephemeral: bad}
		_, err := w.NewSelfSend(s, xmr.KeyImage{})
		require.ErrorIs(t, err, ErrEphemeral)
		_, err = w.Incoming.NewSelfSend(s, xmr.KeyImage{})
		require.ErrorIs(t, err, ErrEphemeral)
	}
	standard := w.Address(xmr.Mainnet, keys.Index{})
	standard.PaymentID = [8]byte{1} // but not an integrated address
	_, _, err := Default.NewOutput(&Payment{To: standard, Anchor: [16]byte{1}}, xmr.KeyImage{})
	require.ErrorIs(t, err, ErrAddress)

	broken := errors.New("no randomness")
	_, err = RandomAnchor(iotest.ErrReader(broken))
	require.ErrorIs(t, err, broken)
	_, err = RandomEphemeral(iotest.ErrReader(broken))
	require.ErrorIs(t, err, broken)
	a, err := RandomAnchor(bytes.NewReader(append(make([]byte, 16), bytes.Repeat([]byte{5}, 16)...)))
	require.NoError(t, err)
	require.Equal(t, byte(5), a[0], "an anchor is not zero")
}

// TestSecretsAreNotPrinted prints everything that has secrets.
func TestSecretsAreNotPrinted(t *testing.T) {
	random := newRandom(54)
	m, legacy := random.master(t, Default), random.legacy(t, Default)
	balance, view, address := m.BalanceSecret(), m.ViewSecret(), m.AddressSecret()
	secrets := [][]byte{balance[:], view[:], address[:], m.prove.Bytes(), m.image.Bytes(), legacy.Incoming.view.Bytes()}
	shared := m.Shared([32]byte{9})
	secrets = append(secrets, shared[:])
	for _, v := range []any{
		m, *m, m.ViewAll, &m.ViewAll, m.ViewReceived, &m.ViewReceived, m.GenerateAddress, &m.GenerateAddress,
		m.Incoming, &m.Incoming, m.Internal, &m.Internal, m.NewSharer(), *m.NewSharer(),
		legacy, *legacy, legacy.LegacyView, &legacy.LegacyView, shared, balance,
	} {
		for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q", "%x", "%X"} {
			text := strings.ToLower(fmt.Sprintf(verb, v))
			for _, s := range secrets {
				require.NotContains(t, text, hex.EncodeToString(s))
				require.NotContains(t, text, strings.Trim(fmt.Sprint(s), "[]"))
				require.NotContains(t, text, strings.Trim(fmt.Sprintf("%#v", s), "[]byte{}"))
			}
			require.Less(t, len(text), 200, "only a name and a key")
		}
	}
	m.Forget()
	require.True(t, isZero(m.prove))
}
