package wallet

import (
	"sync"

	"glim/core/address"
	"glim/core/keys"
	"glim/core/xmr"
)

// Texts writes the wallet's addresses and remembers them, for to make one takes longer than all else that a reading of it
// does. It may be used from any goroutine at any time, whoever owns the wallet.
type Texts struct {
	network xmr.Network
	keys    *keys.Keys

	mu    sync.RWMutex
	known map[keys.Index]string
}

// maxTexts is how many addresses are remembered: some 45 MB of them.
const maxTexts = 1 << 18

// textsAtOnce is how many addresses one goroutine makes at a time.
const textsAtOnce = 256

func newTexts(o Origin) *Texts {
	return &Texts{network: o.Network, keys: o.Keys, known: map[keys.Index]string{}}
}

// Texts returns what writes the wallet's addresses.
func (w *Wallet) Texts() *Texts { return w.texts }

// Of returns the address i, whether or not it was handed out.
func (t *Texts) Of(i keys.Index) string { return t.All([]keys.Index{i}, 1)[0] }

// All returns the addresses of list, made by so many goroutines.
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
	var group sync.WaitGroup
	share := max((len(unknown)+max(workers, 1)-1)/max(workers, 1), textsAtOnce)
	for len(unknown) > share {
		part := unknown[:share]
		unknown = unknown[share:]
		group.Go(func() { t.make(list, part, out) })
	}
	t.make(list, unknown, out)
	group.Wait()
	return out
}

// make writes those of list that part names.
func (t *Texts) make(list []keys.Index, part []int, out []string) {
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
