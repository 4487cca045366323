// Package manykeys scans one stream of transactions for the outputs of many wallets, as a light wallet server does.
//
// A Set holds the accounts: view keys, public spend keys and subaddresses. Its Scan finds for every account exactly
// what scan.Find finds for its wallet, with one pass over the transactions: each transaction public key is decoded
// once, and a table of its multiples serves all accounts (edwards.KeyTable). This is faster from about ten accounts on.
// To scan many transactions for one account, such as the past of a new one, use package scan, which prepares the view
// key instead.
//
// Transactions of the next hard fork (Carrot) are scanned as well, for payments from others: as in package scan, a view
// key alone does not find what a wallet sends to itself in internal enotes.
//
// # Secrets
//
// A derivation takes the same time for all view keys and reads the same memory, and so does the hash that gives its
// view tag. What follows happens only for outputs with the view tag of an account, about one in 256 for each, and for
// outputs without view tags: it takes time that depends on the derivation, as in package scan. So the time of a scan
// reveals about how many view tags matched, and whether outputs belong to accounts. View keys do not appear in texts,
// and Remove overwrites them.
package manykeys

import (
	"cmp"
	"errors"
	"runtime"
	"sync"

	"glim/core/crypto/edwards"
	"glim/core/internal/smallsort"
	"glim/core/keys"
	"glim/core/smallfmt"
	"glim/core/xmr"
)

var (
	// ErrExists reports that a set already has an account with the ID.
	ErrExists = errors.New("manykeys: account exists")
	// ErrUnknown reports that a set has no account with the ID.
	ErrUnknown = errors.New("manykeys: unknown account")
)

// ID is the caller's number of an account.
type ID uint64

// Set is a set of accounts. All methods may be called by several goroutines at once. The zero value is an empty set. An
// account takes about 240 bytes, and each of its subaddresses about 80.
type Set struct {
	// Workers is the number of goroutines of a Scan, or 0 for as many as Go uses processors.
	Workers int
	// LowPriority, if not nil, runs work at a lower scheduling priority and returns when it is done.
	LowPriority func(work func())

	mu       sync.Mutex
	accounts map[ID]*account
	current  *snapshot // nil after a change
}

// account is a wallet to scan for.
type account struct {
	id    ID
	view  edwards.Scalar
	spend xmr.PublicKey

	mu   sync.RWMutex
	subs map[xmr.PublicKey]keys.Index // by public spend key; nil without subaddresses
}

// snapshot is what scans use of the accounts at one time. It has copies of the view keys, which are overwritten when
// the snapshot is outdated and the last scan has ended.
type snapshot struct {
	accounts []*account // by ID
	views    *edwards.ViewKeys
	scalars  []edwards.Scalar
	scans    int // how many scans use it; Set.mu guards it
}

// String tells the number of accounts.
func (s *Set) String() string { return smallfmt.Sprintf("%d accounts", s.Len()) }

// GoString is String.
func (s *Set) GoString() string { return s.String() }

// Len returns the number of accounts.
func (s *Set) Len() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.accounts)
}

// Add adds an account with its secret view key and public spend key. Scans that are running do not see it. It returns
// ErrExists, keys.ErrKey for an invalid view key, or edwards.ErrPoint for an invalid spend key.
func (s *Set) Add(id ID, view keys.Secret, spend xmr.PublicKey) error {
	v, err := edwards.DecodeScalar(view)
	if err != nil || view == (keys.Secret{}) {
		return keys.ErrKey
	}
	defer edwards.Wipe(v)
	if _, err := edwards.DecodePoint(spend); err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.accounts[id] != nil {
		return ErrExists
	}
	a := &account{id: id, spend: spend}
	a.view.Set(v)
	if s.accounts == nil {
		s.accounts = map[ID]*account{}
	}
	s.accounts[id] = a
	s.outdate()
	return nil
}

// Remove removes an account and overwrites its view key. Scans that are running still report its outputs; they have
// their own copy of the key, which is overwritten when the last of them ends. It returns ErrUnknown.
func (s *Set) Remove(id ID) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	a := s.accounts[id]
	if a == nil {
		return ErrUnknown
	}
	delete(s.accounts, id)
	edwards.Wipe(&a.view)
	s.outdate()
	return nil
}

// outdate makes the next scan take a new snapshot. The caller holds s.mu.
func (s *Set) outdate() {
	if old := s.current; old != nil {
		s.current = nil
		old.wipe()
	}
}

// wipe overwrites the view keys unless a scan uses them. The caller holds Set.mu.
func (n *snapshot) wipe() {
	if n.scans > 0 {
		return
	}
	n.views.Wipe()
	for i := range n.scalars {
		edwards.Wipe(&n.scalars[i])
	}
}

// acquire returns a snapshot of the accounts for a scan, which releases it.
func (s *Set) acquire() *snapshot {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.current == nil {
		s.current = s.take()
	}
	s.current.scans++
	return s.current
}

func (s *Set) take() *snapshot {
	n := &snapshot{
		accounts: make([]*account, 0, len(s.accounts)),
		scalars:  make([]edwards.Scalar, len(s.accounts)),
	}
	for _, a := range s.accounts {
		n.accounts = append(n.accounts, a)
	}
	smallsort.Sort(n.accounts, func(a, b *account) int { return cmp.Compare(a.id, b.id) })
	views := make([]*edwards.Scalar, len(n.accounts))
	for i, a := range n.accounts {
		n.scalars[i].Set(&a.view)
		views[i] = &n.scalars[i]
	}
	n.views = edwards.NewViewKeys(views)
	return n
}

func (s *Set) release(n *snapshot) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if n.scans--; n != s.current {
		n.wipe()
	}
}

// AddSubaddresses makes scans find payments to the subaddresses of one major index with minor indices from from to to,
// exclusively. It computes their public spend keys. Scans that are running may or may not see them. It returns
// ErrUnknown.
func (s *Set) AddSubaddresses(id ID, major, from, to uint32) error {
	a, view, err := s.account(id)
	if err != nil {
		return err
	}
	list := keys.SpendKeysOf(view, a.spend, major, from, to)
	edwards.Wipe(view)
	a.mu.Lock()
	defer a.mu.Unlock()
	for i, key := range list {
		a.put(key, keys.Index{Major: major, Minor: from + uint32(i)})
	}
	return nil
}

// AddSpendKeys is AddSubaddresses for public spend keys that the caller has computed. It returns ErrUnknown.
func (s *Set) AddSpendKeys(id ID, list map[xmr.PublicKey]keys.Index) error {
	a, view, err := s.account(id)
	if err != nil {
		return err
	}
	edwards.Wipe(view)
	a.mu.Lock()
	defer a.mu.Unlock()
	for key, index := range list {
		a.put(key, index)
	}
	return nil
}

// put adds a subaddress. The caller holds a.mu.
func (a *account) put(key xmr.PublicKey, index keys.Index) {
	if a.subs == nil {
		a.subs = map[xmr.PublicKey]keys.Index{}
	}
	a.subs[key] = index
}

// account returns an account and a copy of its view key.
func (s *Set) account(id ID) (*account, *edwards.Scalar, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	a := s.accounts[id]
	if a == nil {
		return nil, nil, ErrUnknown
	}
	return a, edwards.NewScalar().Set(&a.view), nil
}

// find returns the index of the address with a public spend key.
func (a *account) find(spend xmr.PublicKey) (keys.Index, bool) {
	if spend == a.spend {
		return keys.Index{}, true
	}
	a.mu.RLock()
	defer a.mu.RUnlock()
	index, ok := a.subs[spend]
	return index, ok
}

func (s *Set) workers() int {
	if s.Workers > 0 {
		return s.Workers
	}
	return runtime.GOMAXPROCS(0)
}
