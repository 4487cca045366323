package carrot

import (
	"testing"

	"glim/core/address"
	"glim/core/xmr"
)

// JanusEnote returns an enote that pays 77 to one address, with the exchange and the ephemeral key of another, in a
// transaction with the returned first key image. If both are the same, it is a payment like others.
func JanusEnote(t *testing.T, pays, other address.Address) (Enote, xmr.KeyImage) {
	t.Helper()
	random, first := newRandom(42), xmr.KeyImage{1}
	context, anchor := contextOf(first), random.anchor(t)
	j := janus{pays: pays, shares: other, base: other, hashed: pays}
	ephemeral, shared := j.exchange(t, &anchor, &context)
	return crafted{pays, ephemeral, shared}.enote(t, random, &anchor), first
}
