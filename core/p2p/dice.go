package p2p

import (
	"encoding/binary"
	"io"
	"math"
	"time"
)

// dice draws from the host's random source. When that fails once, fault says so and every draw is 0.
type dice struct {
	r     io.Reader
	fault error
}

func (d *dice) bytes(p []byte) {
	if d.fault != nil {
		return
	}
	if _, err := io.ReadFull(d.r, p); err != nil {
		d.fault = err
		clear(p)
	}
}

func (d *dice) uint64() uint64 {
	var b [8]byte
	d.bytes(b[:])
	return binary.LittleEndian.Uint64(b[:])
}

// below returns a number from 0 to n−1, each as likely; 0 for n below 1.
func (d *dice) below(n int) int {
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

// within returns a duration from 0 to d.
func (d *dice) within(span time.Duration) time.Duration { return time.Duration(d.below(int(span) + 1)) }

// poisson returns a number of the Poisson distribution with this mean, which is at most some hundreds.
func (d *dice) poisson(mean float64) int {
	limit := math.Exp(-mean)
	product, n := 1.0, -1
	for product > limit && n < 10_000 {
		product *= float64(d.uint64()>>11) / (1 << 53)
		n++
	}
	return n
}

// shuffle puts things into an order of chance.
func shuffle[T any](d *dice, list []T) {
	for i := len(list) - 1; i > 0; i-- {
		j := d.below(i + 1)
		list[i], list[j] = list[j], list[i]
	}
}
