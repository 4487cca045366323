package randomx

import "errors"

// MaxKey is the length of the longest key, in bytes. Monero's are block IDs, of 32.
const MaxKey = 60

// ErrKey says that a key is longer than MaxKey.
var ErrKey = errors.New("randomx: key is longer than 60 bytes")

const (
	cacheBlocks = 1 << 18
	cacheLines  = cacheBlocks * blockLines
	cacheReads  = 8 // for one item of the dataset
	salt        = "RandomX\x03"
)

// CacheSize is the memory a Cache takes, in bytes.
const CacheSize = cacheLines * 64

// Cache is what a key makes of 256 MiB: all that hashing under this key needs. It does not change, and any number of
// goroutines may use it.
type Cache struct {
	lines    *[cacheLines]line
	programs [cacheReads]*superscalar
}

// fillCache returns the cache of a key of MaxKey bytes at most, in memory with any content. It computes for a second or a
// few, on one processor: the fill has a single lane, each step of which needs the last.
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
		// A first look at the lines brings them from memory while the program runs.
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
