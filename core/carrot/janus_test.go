package carrot

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"glim/core/address"
	"glim/core/crypto/edwards"
	"glim/core/keys"
	"glim/core/xmr"
)

// janus is an attack by somebody who knows several addresses and tests whether they belong to one wallet: the wallet
// would find such an enote, and confirm it, only if they do.
type janus struct {
	pays   address.Address // the output is for this one
	shares address.Address // the exchange uses the view key of this one
	base   address.Address // the ephemeral key is for this one
	hashed address.Address // the ephemeral secret is derived from this one
}

// honest reports whether all addresses are the same.
func (j *janus) honest() bool { return j.pays == j.shares && j.pays == j.base && j.pays == j.hashed }

// exchange returns the ephemeral key and the shared secret as the attacker computes them.
func (j *janus) exchange(t *testing.T, anchor *[16]byte, context *inputContext) (ephemeral, shared [32]byte) {
	secret := ephemeralSecret(anchor, context, &j.hashed.Spend, &[8]byte{})
	base, err := edwards.DecodePoint(j.base.Spend)
	require.NoError(t, err)
	if j.base.Kind != address.Subaddress {
		base = nil
	}
	view, err := edwards.DecodePoint(j.shares.View)
	require.NoError(t, err)
	return ephemeralKey(secret, base), senderShared(secret, view)
}

// TestJanusAttacks combines the main address and two subaddresses of a wallet in all ways.
func TestJanusAttacks(t *testing.T) {
	random := newRandom(40)
	for _, w := range []spender{random.master(t, Default), random.legacy(t, Default)} {
		var list []address.Address
		for _, i := range indices[:3] {
			list = append(list, w.Address(xmr.Mainnet, i))
		}
		honest, found := 0, 0
		for n := range 81 {
			j := janus{list[n%3], list[n/3%3], list[n/9%3], list[n/27]}
			context, anchor := contextOf(xmr.KeyImage{1}), random.anchor(t)
			ephemeral, shared := j.exchange(t, &anchor, &context)
			e := crafted{j.pays, ephemeral, shared}.enote(t, random, &anchor)
			// Where the exchange and the ephemeral key are for one address, the wallet shares the attacker's secret.
			// Then nothing but the check of the anchor is left.
			if j.shares == j.base {
				require.Equal(t, shared, sharedOf(w, ephemeral))
				found++
			}
			got, ok := w.Scan(&e, nil)
			require.Equal(t, j.honest(), ok, fmt.Sprint(w, n))
			if ok {
				require.Equal(t, j.pays.Spend, got.Spend)
				honest++
			}
		}
		require.Equal(t, 3, honest)
		require.Equal(t, 27, found)
	}
}

// TestJanusCoinbase pays the main address with exchanges for the main address and for subaddresses.
func TestJanusCoinbase(t *testing.T) {
	random := newRandom(41)
	for _, w := range []spender{random.master(t, Default), random.legacy(t, Default)} {
		main := w.Address(xmr.Mainnet, keys.Index{})
		for n := range 9 {
			other := w.Address(xmr.Mainnet, indices[n%3])
			j := janus{pays: main, shares: other, base: other, hashed: w.Address(xmr.Mainnet, indices[n/3])}
			context, anchor := coinbaseContext(9), random.anchor(t)
			ephemeral, shared := j.exchange(t, &anchor, &context)
			secret := contextualSecret(&shared, &ephemeral, &context)
			e := CoinbaseEnote{Amount: 5, Ephemeral: ephemeral, Height: 9}
			key := Default.outputKey(coinbaseExtensions(&secret, 5, &main.Spend))
			spend, err := edwards.DecodePoint(main.Spend)
			require.NoError(t, err)
			e.Key = key.Add(key, spend).Encode()
			e.ViewTag = viewTag(&shared, &context, &e.Key)
			e.Anchor = xor16(anchor, anchorMask(&secret, &e.Key))
			_, ok := w.ScanCoinbase(&e)
			require.Equal(t, j.honest(), ok)
		}
	}
}

// TestSpecialAnchorIsOfOneEnote moves the anchor of a special enote to an enote of an attacker, who has no other way to
// make one that fits. It is bound to the output and the transaction.
func TestSpecialAnchorIsOfOneEnote(t *testing.T) {
	random := newRandom(42)
	w := random.legacy(t, Default)
	main, sub := w.Address(xmr.Mainnet, indices[0]), w.Address(xmr.Mainnet, indices[1])
	o, err := w.NewSelfSend(&SelfSend{Spend: sub.Spend, Amount: 77, Ephemeral: random.ephemeral(t)}, xmr.KeyImage{1})
	require.NoError(t, err)
	context := contextOf(o.FirstKeyImage)
	view := [32]byte(w.full.ViewSecret())
	anchor := specialAnchor(&view, &o.Ephemeral, &context, &o.Key)
	shared := sharedOf(w, o.Ephemeral)
	same := crafted{sub, o.Ephemeral, shared}.enote(t, random, &anchor)
	_, ok := w.Scan(&same, nil)
	require.True(t, ok, "the enote itself")
	other := crafted{main, o.Ephemeral, shared}.enote(t, random, &anchor)
	_, ok = w.Scan(&other, nil)
	require.False(t, ok, "another address")
}
