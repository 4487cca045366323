package randomx

import "golang.org/x/crypto/blake2b"

// Version is a version of RandomX. Both versions use the same caches.
type Version uint8

// The versions. Compared with V1, programs of V2 have half as many instructions more, change the rounding mode more
// rarely, and mix the registers f and e with AES at the end of an iteration; and the address of a dataset item is known
// one iteration earlier.
// Source: https://github.com/tevador/RandomX at v2.0, doc/design_v2.md.
const (
	V1 Version = iota + 1 // in Monero since 2019, hard fork 12
	V2                    // of 2026, which no network uses yet
)

// variant holds what differs between the versions in the machine.
type variant struct {
	size  int32  // number of instructions in a program
	rare  uint64 // bits of the rotated source that must be zero for opRound to change the mode
	ahead bool   // registers change the address two iterations ahead, not that of the next one
	aes   bool   // AES mixes f and e, not XOR
}

// variants is indexed by version.
// Source: RandomX specification at v2.0, chapter 4.3 (mp), sections 4.6.2 and 5.4.1; src/configuration.h.
var variants = [...]variant{
	V1: {size: 256},
	V2: {size: maxProgramSize, rare: 0x3c, ahead: true, aes: true},
}

// Commitment returns the commitment to the RandomX hash of an input. With the input and the hash, checking it takes
// one hash of BLAKE2b instead of RandomX; so the commitment as proof of work lets cheap checks come first.
// Source: https://github.com/tevador/RandomX at v2.0, src/randomx.cpp, randomx_calculate_commitment.
func Commitment(input []byte, hash [32]byte) [32]byte {
	b := make([]byte, 0, len(input)+len(hash))
	return blake2b.Sum256(append(append(b, input...), hash[:]...))
}
