package randomx

import "errors"

// MaxKey is the maximum length of a key in bytes. Monero's keys are block IDs with 32 bytes.
const MaxKey = 60

// ErrKey reports a key that is longer than MaxKey.
var ErrKey = errors.New("randomx: key is longer than 60 bytes")

const (
	cacheBlocks = 1 << 18
	cacheLines  = cacheBlocks * blockLines
	cacheReads  = 8 // for one item of the dataset
	salt        = "RandomX\x03"
)

// CacheSize is the memory of a Cache in bytes.
const CacheSize = cacheLines * 64

// Cache holds the 256 MiB that hashing with a key needs. It is immutable, and any number of goroutines may use it.
type Cache struct {
	lines    *[cacheLines]line
	programs [cacheReads]*superscalar
}

// fillCache computes the cache of a key of at most MaxKey bytes in the given memory. It takes one or a few seconds on
// one processor; the fill cannot be parallelized, because each step depends on the one before.
// Source: RandomX specification, sections 7.1 and 7.2.
func fillCache(lines *[cacheLines]line, key []byte) *Cache {
	c := &Cache{lines: lines}
	argon2d{passes: 3, memory: cacheBlocks}.fill(c.lines[:], key, []byte(salt))
	random := newBlakeGenerator(key)
	for i := range c.programs {
		c.programs[i] = newSuperscalar(generateSuperscalar(random))
	}
	return c
}

// seeds are the constants that begin an item. Source: RandomX specification, section 7.3.
var seeds = line{6364136223846793005, 9298411001130361340, 12065312585734608966, 9306329213124626780,
	5281919268842080866, 10536153434571861004, 3398623926847679864, 9549104520008361294}

// items computes two items of the dataset from their numbers. Source: RandomX specification, section 7.3.
func (c *Cache) items(first, second uint64, a, b *line) {
	var r [8][2]uint64
	r[0] = [2]uint64{(first + 1) * seeds[0], (second + 1) * seeds[0]}
	for i := 1; i < len(r); i++ {
		r[i] = [2]uint64{r[0][0] ^ seeds[i], r[0][1] ^ seeds[i]}
	}
	for _, p := range c.programs {
		// Read the lines once, so that they are in the processor's cache when the program has run.
		x, y := &c.lines[first%cacheLines], &c.lines[second%cacheLines]
		x0, y0 := x[0], y[0]
		p.run2(&r)
		r[0][0] ^= x0
		r[0][1] ^= y0
		for i := 1; i < len(r); i++ {
			r[i][0] ^= x[i]
			r[i][1] ^= y[i]
		}
		first, second = r[p.address&7][0], r[p.address&7][1]
	}
	for i := range r {
		a[i], b[i] = r[i][0], r[i][1]
	}
}
