package carrot

import (
	"encoding/hex"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"glim/core/address"
	"glim/core/crypto/edwards"
	"glim/core/keys"
	"glim/core/xmr"
)

// field is a field of an enote as bytes.
type field struct {
	name string
	of   func(e *Enote, id *[8]byte) []byte
}

var fields = []field{
	{"key", func(e *Enote, _ *[8]byte) []byte { return e.Key[:] }},
	{"commitment", func(e *Enote, _ *[8]byte) []byte { return e.Commitment[:] }},
	{"amount", func(e *Enote, _ *[8]byte) []byte { return e.Amount[:] }},
	{"view tag", func(e *Enote, _ *[8]byte) []byte { return e.ViewTag[:] }},
	{"ephemeral key", func(e *Enote, _ *[8]byte) []byte { return e.Ephemeral[:] }},
	{"key image", func(e *Enote, _ *[8]byte) []byte { return e.FirstKeyImage[:] }},
	{"anchor", func(e *Enote, _ *[8]byte) []byte { return e.Anchor[:] }},
	{"payment ID", func(_ *Enote, id *[8]byte) []byte { return id[:] }},
}

// TestAlteredByte changes every byte of every field of enotes of all kinds, by one bit. They are not received then,
// with the view tag of the sender and with one that fits; only the payment ID of another output and the message of an
// internal enote are not authenticated.
func TestAlteredByte(t *testing.T) {
	altered := 0
	for _, s := range send(t, Default, 30) {
		before, _ := s.scan(&s.enote, &s.id)
		for _, f := range fields {
			for n := range f.of(&s.enote, &s.id) {
				e, id := s.enote, s.id
				f.of(&e, &id)[n] ^= 1 << (altered % 8)
				altered++
				got, ok := s.scan(&e, &id)
				name := fmt.Sprintf("%s: byte %d of the %s", s.kind, n, f.name)
				switch {
				case f.name == "payment ID" && s.kind != integrated:
					require.True(t, ok, name)
					require.Equal(t, before, got, name)
				case f.name == "anchor" && s.kind == internal:
					require.True(t, ok, name)
					require.NotEqual(t, before.Message, got.Message, name)
					got.Message = before.Message
					require.Equal(t, before, got, name)
				default:
					require.False(t, ok, name)
				}
				if f.name == "view tag" || ok {
					continue
				}
				s.retag(&e)
				_, ok = s.scan(&e, &id)
				require.False(t, ok, name+" and a view tag that fits")
			}
		}
	}
	require.Equal(t, 22*(32+32+8+3+32+32+16+8), altered)
}

// retag sets the view tag to the one that the recipient computes.
func (s *sent) retag(e *Enote) {
	context := contextOf(e.FirstKeyImage)
	var shared [32]byte
	switch to := s.to.(type) {
	case *Master:
		if shared = to.Shared(e.Ephemeral); s.kind == internal {
			shared = to.BalanceSecret()
		}
	case *LegacyMaster:
		shared = to.Shared(e.Ephemeral)
	}
	e.ViewTag = viewTag(&shared, &context, &e.Key)
}

// TestAlteredCoinbase changes every byte of a coinbase enote, by every bit.
func TestAlteredCoinbase(t *testing.T) {
	random := newRandom(31)
	for _, w := range []spender{random.master(t, Default), random.legacy(t, Default)} {
		p := &Payment{To: w.Address(xmr.Mainnet, keys.Index{}), Amount: random.Uint64(), Anchor: random.anchor(t)}
		whole, err := Default.NewCoinbaseEnote(p, 1<<40+7)
		require.NoError(t, err)
		for n := range 8 * (32 + 16 + 3 + 32 + 8 + 8) {
			e, bit := *whole, byte(1)<<(n%8)
			switch i := n / 8; {
			case i < 32:
				e.Key[i] ^= bit
			case i < 48:
				e.Anchor[i-32] ^= bit
			case i < 51:
				e.ViewTag[i-48] ^= bit
			case i < 83:
				e.Ephemeral[i-51] ^= bit
			case i < 91:
				e.Amount ^= uint64(bit) << (8 * (i - 83))
			default:
				e.Height ^= uint64(bit) << (8 * (i - 91))
			}
			_, ok := w.ScanCoinbase(&e)
			require.False(t, ok, n)
			if shared := sharedOf(w, e.Ephemeral); e.ViewTag == whole.ViewTag {
				context := coinbaseContext(e.Height)
				e.ViewTag = viewTag(&shared, &context, &e.Key)
				_, ok = w.ScanCoinbase(&e)
				require.False(t, ok, n)
			}
		}
	}
}

// sharedOf returns what w shares with the sender of an enote.
func sharedOf(w spender, ephemeral [32]byte) [32]byte {
	return w.(interface{ Shared([32]byte) Shared }).Shared(ephemeral)
}

// TestSmallOrders uses ephemeral keys of small order and of the twist, with which an attacker who does not know an
// address may guess the shared secret. The enotes fit otherwise.
func TestSmallOrders(t *testing.T) {
	random := newRandom(32)
	keysOfCurve := [][32]byte{
		{}, {1}, hex32(t, "e0eb7a7c3b41b8ae1656e3faf19fc46ada098deb9c32b1fd866205165f49b800"),
		hex32(t, "5f9c95bca3508c24b1d0b1559c83ef5b04445cc4581c8e86d8224eddd09f1157"),
		hex32(t, "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f"), {2}, {3},
	}
	for range 10 {
		keysOfCurve = append(keysOfCurve, random.bytes32()) // half of them belong to the twist
	}
	for _, w := range []spender{random.master(t, Default), random.legacy(t, Default)} {
		sharer := w.(interface{ NewSharer() *Sharer }).NewSharer()
		for n, shared := range sharer.Shared(keysOfCurve) {
			require.False(t, inCurve25519(keysOfCurve[n]))
			e := crafted{w.Address(xmr.Mainnet, indices[1]), keysOfCurve[n], shared}.enote(t, random, nil)
			_, ok := w.(interface {
				ScanShared(*Enote, *[8]byte, Shared) (Received, bool)
			}).ScanShared(&e, nil, shared)
			require.False(t, ok, "%x, by a Sharer", keysOfCurve[n])
		}
		for _, ephemeral := range keysOfCurve {
			for _, i := range indices[:2] {
				e := crafted{w.Address(xmr.Mainnet, i), ephemeral, sharedOf(w, ephemeral)}.enote(t, random, nil)
				_, ok := w.Scan(&e, nil)
				require.False(t, ok, "%x", ephemeral)
			}
		}
	}
}

// crafted is an enote that pays to an address, with an ephemeral key and a shared secret that the attacker chose.
type crafted struct {
	pays      address.Address
	ephemeral [32]byte
	shared    [32]byte
}

// enote returns the enote, with an anchor or a random one. Its parts fit to each other.
func (c crafted) enote(t *testing.T, random random, anchor *[16]byte) Enote {
	spend, err := edwards.DecodePoint(c.pays.Spend)
	require.NoError(t, err)
	first := xmr.KeyImage{1}
	context := contextOf(first)
	secret := contextualSecret(&c.shared, &c.ephemeral, &context)
	e := Default.seal(&secret, c.pays.Spend, spend, 77, PaymentEnote).Enote
	e.Ephemeral, e.FirstKeyImage = c.ephemeral, first
	e.ViewTag = viewTag(&c.shared, &context, &e.Key)
	if anchor == nil {
		a := random.anchor(t)
		anchor = &a
	}
	e.Anchor = xor16(*anchor, anchorMask(&secret, &e.Key))
	opened, _, ok := Default.open(&e, &secret)
	require.True(t, ok || !spend.IsTorsionFree(), "the enote itself is complete")
	require.True(t, !ok || opened.Spend == c.pays.Spend)
	return e
}

// TestOutputWithTorsion: an output whose address has a component of small order is not received, though the enote is
// complete.
func TestOutputWithTorsion(t *testing.T) {
	random := newRandom(33)
	m := random.master(t, Default)
	torsion, err := edwards.DecodePoint([32]byte{}) // y = 0: order 4
	require.NoError(t, err)
	for _, add := range []*edwards.Point{edwards.Identity(), torsion} {
		for _, i := range indices {
			a := m.Address(xmr.Mainnet, i)
			p, err := edwards.DecodePoint(a.Spend)
			require.NoError(t, err)
			a.Spend = p.Add(p, add).Encode()
			context, anchor := contextOf(xmr.KeyImage{1}), random.anchor(t)
			secret := ephemeralSecret(&anchor, &context, &a.Spend, &[8]byte{})
			base := p
			if i == (keys.Index{}) && add.IsIdentity() {
				base = nil
			}
			ephemeral := ephemeralKey(secret, base)
			e := crafted{a, ephemeral, m.Shared(ephemeral)}.enote(t, random, &anchor)
			_, ok := m.Scan(&e, nil)
			require.Equal(t, add.IsIdentity(), ok)
		}
	}
}

func hex32(t *testing.T, text string) (out [32]byte) {
	b, err := hex.DecodeString(text)
	require.NoError(t, err)
	return [32]byte(b)
}
