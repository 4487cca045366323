package chaintest

import (
	"encoding/binary"

	"glim/core/crypto/edwards"
	"glim/core/crypto/keccak"
)

// Random is a deterministic source of random bytes.
type Random struct {
	seed  [32]byte
	count uint64
	left  []byte
}

// NewRandom returns a source with this seed.
func NewRandom(seed string) *Random { return &Random{seed: keccak.Sum256([]byte(seed))} }

// Read fills p. It never fails.
func (r *Random) Read(p []byte) (int, error) {
	for done := 0; done < len(p); {
		if len(r.left) == 0 {
			block := keccak.Sum256(r.seed[:], binary.LittleEndian.AppendUint64(nil, r.count))
			r.count++
			r.left = block[:]
		}
		n := copy(p[done:], r.left)
		done, r.left = done+n, r.left[n:]
	}
	return len(p), nil
}

// Bytes32 returns the next 32 bytes.
func (r *Random) Bytes32() (b [32]byte) {
	_, _ = r.Read(b[:])
	return b
}

// Uint64 returns the next eight bytes as a number.
func (r *Random) Uint64() uint64 {
	var b [8]byte
	_, _ = r.Read(b[:])
	return binary.LittleEndian.Uint64(b[:])
}

// IntN returns a number from 0 to n−1.
func (r *Random) IntN(n int) int { return int(r.Uint64() % uint64(n)) }

// OneIn returns true with probability 1/n.
func (r *Random) OneIn(n int) bool { return r.IntN(n) == 0 }

// Scalar returns a scalar other than zero.
func (r *Random) Scalar() *edwards.Scalar {
	for {
		if s := edwards.ReduceScalar(r.Bytes32()); s.Equal(edwards.NewScalar()) == 0 {
			return s
		}
	}
}

// Point returns a point of the prime-order subgroup.
func (r *Random) Point() [32]byte { return new(edwards.Point).ScalarBaseMult(r.Scalar()).Encode() }

// InvalidPoint is not the encoding of a point: y = 2 is not on the curve.
var InvalidPoint = [32]byte{2}
