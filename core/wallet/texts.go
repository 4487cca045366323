package wallet

import (
	"slices"
	"sync"

	"glim/core/address"
	"glim/core/internal/parallel"
	"glim/core/keys"
	"glim/core/xmr"
)

// Texts encodes the wallet's addresses and caches them, because encoding an address takes longer than any other part
// of answering a query. It is safe for concurrent use and needs no lock of the wallet's owner.
type Texts struct {
	network xmr.Network
	keys    *keys.Keys

	mu    sync.RWMutex
	known map[keys.Index]string
}

// maxTexts is the maximum number of cached addresses, about 45 MB.
const maxTexts = 1 << 18

// textsAtOnce is the number of addresses that one goroutine encodes at a time.
const textsAtOnce = 256

func newTexts(o Identity) *Texts {
	return &Texts{network: o.Network, keys: o.Keys, known: map[keys.Index]string{}}
}

// Texts returns the encoder of the wallet's addresses.
func (w *Wallet) Texts() *Texts { return w.texts }

// Of returns address i, whether or not it exists in the wallet.
func (t *Texts) Of(i keys.Index) string { return t.All([]keys.Index{i}, 1)[0] }

// All returns the addresses in list, encoded by at most the given number of goroutines.
func (t *Texts) All(list []keys.Index, workers int) []string {
	out := make([]string, len(list))
	var unknown []int
	t.mu.RLock()
	for n, i := range list {
		text, ok := t.known[i]
		if out[n] = text; !ok {
			unknown = append(unknown, n)
		}
	}
	t.mu.RUnlock()
	share := max((len(unknown)+max(workers, 1)-1)/max(workers, 1), textsAtOnce)
	parts := slices.Collect(slices.Chunk(unknown, share))
	parallel.ForN(workers, len(parts), func(i int) { t.encode(list, parts[i], out) })
	return out
}

// encode encodes the addresses of list at the indices in part, and stores them in out.
func (t *Texts) encode(list []keys.Index, part []int, out []string) {
	for len(part) > 0 {
		some := part[:min(textsAtOnce, len(part))]
		part = part[len(some):]
		which := make([]keys.Index, len(some))
		for j, n := range some {
			which[j] = list[n]
		}
		spends, views := t.keys.Addresses(which)
		for j, n := range some {
			out[n] = address.At(t.network, which[j], spends[j], views[j]).String()
		}
		t.mu.Lock()
		if len(t.known)+len(some) > maxTexts {
			t.known = map[keys.Index]string{}
		}
		for _, n := range some {
			t.known[list[n]] = out[n]
		}
		t.mu.Unlock()
	}
}
