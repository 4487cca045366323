package lws

import (
	"cmp"
	"slices"
	"sync"
	"sync/atomic"

	"glim/core/keys"
	"glim/core/smallfmt"
	"glim/core/xmr"
)

// MaxSubaddresses is the largest Options.MaxSubaddresses.
const MaxSubaddresses = 1 << 18

// Options configure a Book.
type Options struct {
	Network xmr.Network
	Store   Store         // nil for a new Memory
	Scanner Scanner       // nil for a PerAccount with one goroutine
	Now     func() uint64 // POSIX seconds
	// MaxSubaddresses is the largest number of addresses that are watched for one account; 0 disables subaddresses.
	MaxSubaddresses uint32
	MaxRequests     int  // requests that wait for approval; 0 means 10,000. Source: monero-lws, create-queue-max
	MaxAccounts     int  // above this number, new accounts need approval even with AcceptCreation; 0 means 10,000
	AcceptCreation  bool // create accounts without approval
	AcceptImport    bool // scan from earlier blocks without approval
}

const (
	defaultMaxRequests = 10_000
	defaultMaxAccounts = 10_000
)

// Book has the accounts of a server, what they received, and the requests that wait for approval. Its methods are
// safe for concurrent use.
type Book struct {
	o Options

	// write is held by whoever changes the Book, and mu while its fields change, but not while the store works: readers
	// do not wait for a disk.
	write    sync.Mutex
	mu       sync.RWMutex
	nextID   uint64
	accounts map[uint64]*account
	at       map[Address]*account // written while entries is locked, too
	owners   map[Ref][]uint64     // accounts that received an output
	requests map[Kind]map[Address]*Request
	hooks    hooks
	calls    outbox
	chain    remembered
	pool     pool
	top      uint64 // index of the daemon's last block, as last reported

	// What requests of owners read instead of the fields above.
	entries sync.RWMutex // held only while at is read or written
	heights atomic.Pointer[heights]
}

// account is an Account with what it received. Its slices are only appended to or replaced, so readers may keep them.
type account struct {
	Account
	outputs []Output // in the order of the chain
	spends  []Spend  // in the order of the chain
	shown   atomic.Pointer[shown]
	changes int // counts changes by others than the scan, which invalidate a scan that runs meanwhile
}

// Open returns the Book in a store. It returns ErrRecord, ErrNetwork, or an error of the store.
func Open(o Options) (*Book, error) {
	if o.Store == nil {
		o.Store = &Memory{}
	}
	if o.Scanner == nil {
		o.Scanner = &PerAccount{}
	}
	o.MaxSubaddresses = min(o.MaxSubaddresses, MaxSubaddresses)
	if o.MaxRequests == 0 {
		o.MaxRequests = defaultMaxRequests
	}
	if o.MaxAccounts == 0 {
		o.MaxAccounts = defaultMaxAccounts
	}
	c := newContents()
	if err := o.Store.Load(c.decode); err != nil {
		return nil, err
	}
	b := &Book{
		o: o, nextID: 1, accounts: c.accounts, at: map[Address]*account{}, owners: map[Ref][]uint64{},
		requests: c.requests, calls: newOutbox(c.calls),
	}
	switch {
	case c.meta != nil && c.meta.Format != format:
		return nil, smallfmt.Errorf("%w: format %d", ErrRecord, c.meta.Format)
	case c.meta != nil && c.meta.Network != o.Network.String():
		return nil, ErrNetwork
	case c.meta != nil:
		b.nextID = c.meta.NextID
		b.calls.next = max(b.calls.next, b.nextID) // several Books on one store have ranges of IDs
	default:
		if err := o.Store.Commit([]Record{b.meta(b.nextID)}, nil); err != nil {
			return nil, err
		}
	}
	b.chain.load(c.blocks)
	for id, a := range b.accounts {
		if a.ID != id { // an output without its account
			return nil, ErrRecord
		}
		slices.SortFunc(a.outputs, func(x, y Output) int {
			return cmp.Or(cmp.Compare(x.Height, y.Height), cmp.Compare(x.Position, y.Position),
				cmp.Compare(x.Index, y.Index))
		})
		slices.SortFunc(a.spends, func(x, y Spend) int {
			return cmp.Or(cmp.Compare(x.Height, y.Height), cmp.Compare(x.Position, y.Position),
				cmp.Compare(x.Input, y.Input), cmp.Compare(x.Member, y.Member))
		})
		b.enter(a)
		for i := range a.outputs {
			b.own(id, a.outputs[i].Ref)
		}
		if err := b.scannable(&a.Account); err != nil {
			return nil, err
		}
	}
	b.showHeights()
	return b, b.hooks.load(c)
}

// lock prepares for changes of b.
func (b *Book) lock() {
	b.write.Lock()
	b.mu.Lock()
}

func (b *Book) unlock() {
	b.mu.Unlock()
	b.write.Unlock()
}

// commit stores changes that b does not show yet. The caller has called lock; meanwhile, others may read b.
func (b *Book) commit(put []Record, drop [][]byte) error {
	b.mu.Unlock()
	defer b.mu.Lock()
	return b.o.Store.Commit(put, drop)
}

func (b *Book) meta(nextID uint64) Record {
	return record(metaKey, meta{format, b.o.Network.String(), nextID})
}

// scannable adds an account to the scanner.
func (b *Book) scannable(a *Account) error {
	if err := b.o.Scanner.Add(a.ID, a.View, a.Address.Spend); err != nil {
		return smallfmt.Errorf("%w: %w", errScanner, err)
	}
	if b.o.MaxSubaddresses > 0 {
		b.o.Scanner.Watch(a.ID, watched(a.keys(), a.Subaddresses))
	}
	return nil
}

// keys returns the account's keys, without the spend key.
func (a *Account) keys() *keys.Keys {
	k, err := keys.ViewOnly(a.View, a.Address.Spend)
	if err != nil {
		panic("unreachable: accounts have valid keys")
	}
	return k
}

// own notes that an account received an output.
func (b *Book) own(id uint64, r Ref) {
	if !slices.Contains(b.owners[r], id) {
		b.owners[r] = append(b.owners[r], id)
	}
}

func (b *Book) disown(id uint64, r Ref) {
	left := slices.DeleteFunc(slices.Clone(b.owners[r]), func(o uint64) bool { return o == id })
	if len(left) == 0 {
		delete(b.owners, r)
		return
	}
	b.owners[r] = left
}

// next returns the index of the next block to scan for a.
func (b *Book) next(a *account) uint64 {
	if a.Live {
		return b.chain.height()
	}
	return a.Next
}

// from returns the changes of the store that remove what a received and spent from block height on.
func (b *Book) from(a *account, height uint64) (drop [][]byte) {
	drop = b.hooks.from(a.ID, height)
	for i := range a.outputs {
		if a.outputs[i].Height >= height {
			drop = append(drop, outputKey(a.ID, &a.outputs[i]))
		}
	}
	for i := range a.spends {
		if a.spends[i].Height >= height {
			drop = append(drop, spendKey(a.ID, &a.spends[i]))
		}
	}
	return drop
}

// cut removes what a received and spent from block height on.
func (b *Book) cut(a *account, height uint64) {
	outputs := a.outputs
	a.outputs = slices.DeleteFunc(slices.Clone(a.outputs), func(o Output) bool { return o.Height >= height })
	a.spends = slices.DeleteFunc(slices.Clone(a.spends), func(s Spend) bool { return s.Height >= height })
	for _, o := range outputs[len(a.outputs):] {
		b.disown(a.ID, o.Ref)
	}
	b.hooks.cut(a.ID, height)
}

// remembered are the IDs of the newest blocks that were read: a run of consecutive blocks, and the genesis block.
type remembered struct {
	genesis xmr.Hash
	first   uint64 // index of ids[0]
	ids     []xmr.Hash
}

// keep is how many block IDs are remembered. A longer reorganisation is refused.
const keep = 1000

// load takes the stored IDs, of which the last run of consecutive ones counts.
func (r *remembered) load(ids map[uint64]xmr.Hash) {
	if len(ids) == 0 {
		return
	}
	last := uint64(0)
	for h := range ids {
		last = max(last, h)
	}
	first := last
	for first > 0 {
		if _, ok := ids[first-1]; !ok {
			break
		}
		first--
	}
	r.first = first
	for h := first; h <= last; h++ {
		r.ids = append(r.ids, ids[h])
	}
}

// height returns the index after the last block.
func (r *remembered) height() uint64 { return r.first + uint64(len(r.ids)) }

// at returns the ID of the block at an index.
func (r *remembered) at(height uint64) (xmr.Hash, bool) {
	if height < r.first || height >= r.height() {
		return xmr.Hash{}, false
	}
	return r.ids[height-r.first], true
}

// history returns IDs for a request: newest first, ten consecutive ones, then at growing distances, and the genesis
// block.
func (r *remembered) history() (out []xmr.Hash) {
	step := uint64(1)
	for h := r.height(); h > r.first; h -= min(step, h-r.first) {
		id, _ := r.at(h - 1)
		out = append(out, id)
		if len(out) >= 10 {
			step *= 2
		}
	}
	if len(r.ids) > 0 && r.ids[0] != out[len(out)-1] {
		out = append(out, r.ids[0])
	}
	if len(out) == 0 || out[len(out)-1] != r.genesis {
		out = append(out, r.genesis)
	}
	return out
}

// sum adds amounts, and returns the largest number if that is exceeded: decoys may count an output any number of
// times.
func sum(a, b uint64) uint64 {
	if a+b < a {
		return ^uint64(0)
	}
	return a + b
}
