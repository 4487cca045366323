package edwards

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
