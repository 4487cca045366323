// Package uniform draws uniformly distributed integers from a source of random bytes.
package uniform

import (
	"encoding/binary"
	"io"
	"math/bits"
)

// Below returns a uniformly distributed number in [0, n), or the error of random. It consumes the same bytes as
// crypto/rand.Int. It panics if n is not positive.
func Below(random io.Reader, n int) (int, error) {
	if n <= 0 {
		panic("uniform: nothing to draw from")
	}
	most := uint64(n - 1)
	size := (bits.Len64(most) + 7) / 8
	mask := uint64(1)<<bits.Len64(most) - 1
	for {
		var b [8]byte
		if _, err := io.ReadFull(random, b[8-size:]); err != nil {
			return 0, err
		}
		if x := binary.BigEndian.Uint64(b[:]) & mask; x <= most {
			return int(x), nil
		}
	}
}
