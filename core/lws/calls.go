package lws

import (
	"cmp"
	"encoding/binary"
	"slices"

	"glim/core/crypto/edwards"
)

// Call is a call of a webhook that was not made yet.
type Call struct {
	Number  uint64 // in the order of the calls
	Hook    HookID
	Address Address // of the account
	URL     string
	Body    []byte // JSON
	Height  uint64 // index of the block that caused it; 0 for none
	Created uint64 // POSIX seconds
}

// call returns a call about the account of an address, with a body of plain data.
func (h *Hook) call(of Address, height uint64, body any) *Call {
	return &Call{Hook: h.ID, Address: of, URL: h.URL, Body: encode(body), Height: height}
}

func byNumber(a, b *Call) int { return cmp.Compare(a.Number, b.Number) }

// Limits of calls that wait. Above them, the oldest ones are given up.
const (
	maxCalls      = 100_000
	maxCallsOfURL = 10_000
)

// outbox has the calls that wait, in their order by URL.
type outbox struct {
	next  uint64 // Number of the next call
	total int
	// perURL and all are maxCallsOfURL and maxCalls, except in tests.
	perURL, all int
	of          map[string][]*Call
	ready       chan struct{} // has an element after calls were added
}

func newOutbox(stored []*Call) outbox {
	o := outbox{next: 1, perURL: maxCallsOfURL, all: maxCalls, of: map[string][]*Call{}, ready: make(chan struct{}, 1)}
	slices.SortFunc(stored, byNumber)
	o.add(stored)
	return o
}

// number assigns numbers to new calls, and returns their records, the waiting calls that the limits displace, and the
// number after them.
func (o *outbox) number(calls []*Call, now uint64) (put []Record, displaced []*Call, next uint64) {
	next = o.next
	fresh := map[string]int{}
	for _, c := range calls {
		c.Number, c.Created = next, now
		next++
		fresh[c.URL]++
		put = append(put, record(callKey(c.Number), c))
	}
	for url, n := range fresh {
		if over := len(o.of[url]) + n - o.perURL; over > 0 {
			displaced = append(displaced, o.of[url][:min(over, len(o.of[url]))]...)
		}
	}
	if over := o.total - len(displaced) + len(calls) - o.all; over > 0 {
		gone := map[uint64]bool{}
		for _, c := range displaced {
			gone[c.Number] = true
		}
		rest := o.where(func(c *Call) bool { return !gone[c.Number] })
		displaced = append(displaced, rest[:min(over, len(rest))]...)
	}
	return put, displaced, next
}

// newest returns calls without the oldest ones of URLs that exceed a limit.
func (o *outbox) newest(calls []*Call) []*Call {
	over := map[string]int{}
	for _, c := range calls {
		over[c.URL]++
	}
	calls = slices.DeleteFunc(calls, func(c *Call) bool {
		over[c.URL]--
		return over[c.URL] >= o.perURL
	})
	return calls[max(len(calls)-o.all, 0):]
}

// add adds calls that are stored.
func (o *outbox) add(calls []*Call) {
	for _, c := range calls {
		o.of[c.URL] = append(o.of[c.URL], c)
		o.next = max(o.next, c.Number+1)
	}
	o.total += len(calls)
	if len(calls) > 0 {
		select {
		case o.ready <- struct{}{}:
		default:
		}
	}
}

// where returns the waiting calls that match, in their order.
func (o *outbox) where(match func(*Call) bool) (out []*Call) {
	for _, list := range o.of {
		for _, c := range list {
			if match(c) {
				out = append(out, c)
			}
		}
	}
	slices.SortFunc(out, byNumber)
	return out
}

// remove removes calls.
func (o *outbox) remove(calls []*Call) {
	gone := map[string]map[uint64]bool{}
	for _, c := range calls {
		if gone[c.URL] == nil {
			gone[c.URL] = map[uint64]bool{}
		}
		gone[c.URL][c.Number] = true
	}
	for url, numbers := range gone {
		left := o.of[url]
		for len(left) > 0 && numbers[left[0].Number] { // as a rule, these are all
			delete(numbers, left[0].Number)
			left = left[1:]
		}
		if len(numbers) > 0 {
			left = slices.DeleteFunc(slices.Clone(left), func(c *Call) bool { return numbers[c.Number] })
		}
		o.total -= len(o.of[url]) - len(left)
		if len(left) == 0 {
			delete(o.of, url)
			continue
		}
		o.of[url] = left
	}
}

// stage returns put and drop with the changes that store calls, and a function to call after they were committed. The
// caller has called lock.
func (b *Book) stage(calls []*Call, put []Record, drop [][]byte) ([]Record, [][]byte, func()) {
	if len(calls) == 0 {
		return put, drop, func() {}
	}
	calls = b.calls.newest(calls)
	more, displaced, next := b.calls.number(calls, b.o.Now())
	for _, c := range displaced {
		drop = append(drop, callKey(c.Number))
	}
	return append(put, more...), drop, func() {
		b.calls.remove(displaced)
		b.calls.add(calls)
		b.calls.next = next
	}
}

// Calling returns the URLs with calls that wait, and a channel that has an element after more were added.
func (b *Book) Calling() (urls []string, more <-chan struct{}) {
	b.mu.RLock()
	defer b.mu.RUnlock()
	for url := range b.calls.of {
		urls = append(urls, url)
	}
	return urls, b.calls.ready
}

// NextCall returns the oldest call of a URL that waits. It must not be modified.
func (b *Book) NextCall(url string) (c *Call, ok bool) {
	b.mu.RLock()
	defer b.mu.RUnlock()
	if len(b.calls.of[url]) == 0 {
		return nil, false
	}
	return b.calls.of[url][0], true
}

// Called removes a call that was made or given up. It returns an error of the store.
func (b *Book) Called(c *Call) error {
	b.lock()
	defer b.unlock()
	if !slices.ContainsFunc(b.calls.of[c.URL], func(o *Call) bool { return o.Number == c.Number }) {
		return nil // a reorganisation or an administrator removed it meanwhile
	}
	if err := b.commit(nil, [][]byte{callKey(c.Number)}); err != nil {
		return err
	}
	b.calls.remove([]*Call{c})
	return nil
}

func hookKey(id HookID) []byte { return append([]byte{hookRecord}, id[:]...) }

func callKey(number uint64) []byte { return binary.BigEndian.AppendUint64([]byte{callRecord}, number) }

// deriveFor returns the scalar of the secret that a and the sender of o share.
func deriveFor(a *account, o *Output) (*edwards.Scalar, error) {
	view, err := edwards.DecodeScalar(a.View)
	if err != nil {
		return nil, err
	}
	d, err := edwards.Derive(view, o.TxKey)
	if err != nil {
		return nil, err
	}
	return d.Scalar(uint64(o.Index)), nil
}
