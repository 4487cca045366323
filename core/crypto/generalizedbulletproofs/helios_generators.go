package generalizedbulletproofs

import (
	"strconv"
	"sync"

	"glim/core/crypto/helioselene"
	"glim/core/internal/parallel"
)

// heliosValue and heliosBlind are the generators of values and blinds.
var (
	heliosValue = sync.OnceValue(func() *helioselene.Helios { return helioselene.HashToHelios("Monero Helios G") })
	heliosBlind = sync.OnceValue(func() *helioselene.Helios { return helioselene.HashToHelios("Monero Helios H") })
)

// HeliosBlind returns the generator H of blinds.
func HeliosBlind() *helioselene.Helios { return new(helioselene.Helios).Set(heliosBlind()) }

// heliosVectors are the generators of vectors, as many as were needed until now. What the slices contain never changes.
var heliosVectors struct {
	mu   sync.Mutex
	g, h []helioselene.Helios
}

// heliosGenerators returns the first n generators G and H of vectors. Making new ones takes some 20 microseconds each.
func heliosGenerators(n int) (g, h []helioselene.Helios) {
	v := &heliosVectors
	v.mu.Lock()
	defer v.mu.Unlock()
	if before := len(v.g); before < n {
		v.g = append(make([]helioselene.Helios, 0, n), v.g...)[:n]
		v.h = append(make([]helioselene.Helios, 0, n), v.h...)[:n]
		parallel.For(n-before, func(i int) {
			i += before
			v.g[i] = *helioselene.HashToHelios("Monero Helios G " + strconv.Itoa(i))
			v.h[i] = *helioselene.HashToHelios("Monero Helios H " + strconv.Itoa(i))
		})
	}
	return v.g[:n], v.h[:n]
}
