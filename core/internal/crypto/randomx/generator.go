package randomx

import (
	"encoding/binary"

	"golang.org/x/crypto/blake2b"
)

// blakeGenerator gives the random numbers that superscalar programs are made of: a chain of BLAKE2b.
// Source: RandomX specification, section 3.5.
type blakeGenerator struct {
	data [64]byte
	at   int
}

// newBlakeGenerator begins a chain with key, of which MaxKey bytes count.
func newBlakeGenerator(key []byte) *blakeGenerator {
	g := &blakeGenerator{at: 64}
	copy(g.data[:MaxKey], key)
	return g
}

// take returns n bytes in a row, never from two links.
func (g *blakeGenerator) take(n int) []byte {
	if g.at+n > len(g.data) {
		g.data = blake2b.Sum512(g.data[:])
		g.at = 0
	}
	g.at += n
	return g.data[g.at-n : g.at]
}

func (g *blakeGenerator) byte() byte     { return g.take(1)[0] }
func (g *blakeGenerator) uint32() uint32 { return binary.LittleEndian.Uint32(g.take(4)) }
