package bulletproofsplus

import (
	"sync"

	"glim/core/crypto/edwards"
	"glim/core/crypto/keccak"
	"glim/core/internal/codec/wire"
)

// generators returns the first 64·outputs generators of both kinds. They are computed when first needed: most proofs
// have two outputs, and the tables for 16 need several megabytes.
func generators(outputs int) (g, h []*edwards.Table) {
	g = make([]*edwards.Table, 0, amountBits*outputs)
	h = make([]*edwards.Table, 0, amountBits*outputs)
	for _, slot := range slots[:outputs] {
		s := slot()
		g = append(g, s.g...)
		h = append(h, s.h...)
	}
	return g, h
}

// slot holds the generators of one amount.
type slot struct{ g, h []*edwards.Table }

var slots = func() (out [MaxOutputs]func() slot) {
	for j := range out {
		out[j] = sync.OnceValue(func() slot { return newSlot(j) })
	}
	return out
}()

// newSlot hashes the generators of amount j to the curve.
// Source: src/ringct/bulletproofs_plus.cc, get_exponent and init_exponents.
func newSlot(j int) slot {
	points := make([]*edwards.Point, 2*amountBits)
	base := edwards.H().Encode()
	for i := range amountBits {
		for kind := range 2 { // even indices are h, odd ones g
			b := append(base[:len(base):len(base)], "bulletproof_plus"...)
			b = wire.AppendVarint(b, uint64(2*(j*amountBits+i)+kind))
			points[(1-kind)*amountBits+i] = edwards.HashToPoint(keccak.Sum256(b))
		}
	}
	width := uint(5)
	if j < 2 {
		width = 7 // for the first two outputs, which most transactions have
	}
	tables := edwards.NewPermanentTables(points, width)
	return slot{tables[:amountBits:amountBits], tables[amountBits:]}
}

// bases are the tables of G and H, in this order.
var bases = sync.OnceValue(func() []*edwards.Table {
	return edwards.NewPermanentTables([]*edwards.Point{edwards.Base(), edwards.H()}, 8)
})
