package p2p

import (
	"encoding/binary"
	"io"
	"math"
	"time"
)

// rng reads the host's random source. After an error, fault holds it and all numbers are 0.
type rng struct {
	r     io.Reader
	fault error
}

func (d *rng) bytes(p []byte) {
	if d.fault != nil {
		return
	}
	if _, err := io.ReadFull(d.r, p); err != nil {
		d.fault = err
		clear(p)
	}
}

func (d *rng) uint64() uint64 {
	var b [8]byte
	d.bytes(b[:])
	return binary.LittleEndian.Uint64(b[:])
}

// below returns a uniformly distributed number from 0 to n−1, and 0 if n is below 1.
func (d *rng) below(n int) int {
	if n <= 1 {
		return 0
	}
	limit := math.MaxUint64 - math.MaxUint64%uint64(n)
	for {
		if x := d.uint64(); x < limit {
			return int(x % uint64(n))
		}
	}
}

// within returns a random duration from 0 to span.
func (d *rng) within(span time.Duration) time.Duration { return time.Duration(d.below(int(span) + 1)) }

// poisson returns a Poisson distributed number. The mean must be at most a few hundred.
func (d *rng) poisson(mean float64) int {
	limit := math.Exp(-mean)
	product, n := 1.0, -1
	for product > limit && n < 10_000 {
		product *= float64(d.uint64()>>11) / (1 << 53)
		n++
	}
	return n
}

// shuffle shuffles a list.
func shuffle[T any](d *rng, list []T) {
	for i := len(list) - 1; i > 0; i-- {
		j := d.below(i + 1)
		list[i], list[j] = list[j], list[i]
	}
}
