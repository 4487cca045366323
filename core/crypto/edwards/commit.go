package edwards

import "sync"

// H returns the second generator, 8·map(Keccak(G)): nobody knows its logarithm to G.
// Source: src/ringct/rctTypes.h, H; checked there against toPoint(cn_fast_hash(G)).
func H() *Point { return new(Point).Set(generatorH) }

var generatorH = func() *Point {
	p, err := DecodePoint([32]byte{
		0x8b, 0x65, 0x59, 0x70, 0x15, 0x37, 0x99, 0xaf, 0x2a, 0xea, 0xdc, 0x9f, 0xf1, 0xad, 0xd0, 0xea,
		0x6c, 0x72, 0x51, 0xd5, 0x41, 0x54, 0xcf, 0xa9, 0x2c, 0x17, 0x3a, 0x0d, 0xd3, 0x9c, 0x1f, 0x94})
	if err != nil {
		panic("unreachable: H is a valid point")
	}
	return p
}()

// Commit returns the Pedersen commitment mask·G + amount·H, in constant time.
func Commit(mask *Scalar, amount uint64) *Point {
	p := new(Point).ScalarMult(ScalarFromUint64(amount), generatorH)
	return p.Add(p, new(Point).ScalarBaseMult(mask))
}

// multiplesOfH[i][n] is n·256^i·H.
var multiplesOfH = sync.OnceValue(func() *[8][256]Point {
	table := new([8][256]Point)
	step := new(Point).Set(generatorH)
	for i := range table {
		sum := Identity()
		for n := range table[i] {
			table[i][n].Set(sum)
			sum.Add(sum, step)
		}
		step.Set(sum)
	}
	return table
})

// CommitInTheOpen returns G + amount·H, what an output commits to whose amount everybody sees: faster than Commit, in a time
// that depends on the amount. Source: src/ringct/rctOps.cpp, zeroCommit.
func CommitInTheOpen(amount uint64) *Point {
	table := multiplesOfH()
	p := Base()
	for i := 0; amount != 0; i, amount = i+1, amount>>8 {
		if n := amount & 255; n != 0 {
			p.Add(p, &table[i][n])
		}
	}
	return p
}
