package lws

import (
	"cmp"
	"slices"

	"glim/core/crypto/edwards"
	"glim/core/keys"
	"glim/core/xmr"
)

// owner returns the account of an owner who proves to have the view key, or ErrForbidden. The caller has called lock.
func (b *Book) owner(a Address, view keys.Secret) (*account, error) {
	if !matches(a, view) {
		return nil, ErrForbidden
	}
	acct := b.at[a]
	if acct == nil || acct.Status == Hidden {
		return nil, ErrForbidden
	}
	return acct, nil
}

// matches reports whether view is the secret view key of a.
func matches(a Address, view keys.Secret) bool {
	v, err := edwards.DecodeScalar(view)
	if err != nil {
		return false
	}
	return xmr.PublicKey(new(edwards.Point).ScalarBaseMult(v).Encode()) == a.View
}

// Login returns the account of an owner, or requests or creates one if create is set. created says that it did.
// generated is the owner's statement about a new account, or the stored one. It returns ErrForbidden for a wrong view
// key or a hidden account, ErrNoCreation, ErrDuplicate, ErrQueueFull, ErrMaxSubaddresses, ErrDaemon before the first
// block is read, or an error of the store.
func (b *Book) Login(
	a Address, view keys.Secret, create, generated bool, ahead Lookahead,
) (created, stated bool, watching Lookahead, err error) {
	if !matches(a, view) {
		return false, false, Lookahead{}, ErrForbidden
	}
	if _, err := keys.ViewOnly(view, a.Spend); err != nil {
		return false, false, Lookahead{}, ErrForbidden
	}
	b.lock()
	defer b.unlock()
	if acct := b.at[a]; acct != nil {
		if acct.Status == Hidden {
			return false, false, Lookahead{}, ErrForbidden
		}
		acct.Access = b.o.Now()
		return false, acct.GeneratedLocally, acct.Lookahead, nil
	}
	switch {
	case !create:
		return false, false, Lookahead{}, ErrNoCreation
	case b.chain.height() == 0:
		return false, false, Lookahead{}, ErrDaemon
	case b.requests[Create][a] != nil:
		return false, false, Lookahead{}, ErrDuplicate
	}
	if _, err := b.provision(ahead); err != nil {
		return false, false, Lookahead{}, err
	}
	r := &Request{
		Kind: Create, Address: a, View: view, Start: b.chain.height(), Created: b.o.Now(), GeneratedLocally: generated,
		Lookahead: ahead,
	}
	if b.o.AcceptCreation && len(b.accounts) < b.o.MaxAccounts {
		return true, generated, ahead, b.create(r, b.announce(a))
	}
	return true, generated, Lookahead{}, b.queue(r, b.announce(a))
}

// provision returns the addresses that a lookahead watches from the beginning. It returns ErrMaxSubaddresses.
func (b *Book) provision(l Lookahead) ([]Subaddresses, error) {
	return block(0, 0, l.Major, l.Minor, b.o.MaxSubaddresses)
}

// queue stores a request for the operator, and calls of webhooks about it. The caller has called lock.
func (b *Book) queue(r *Request, calls []*Call) error {
	if len(b.requests[Create])+len(b.requests[Import]) >= b.o.MaxRequests {
		return ErrQueueFull
	}
	put, drop, called := b.stage(calls, []Record{record(requestKey(r.Kind, r.Address), r)}, nil)
	if err := b.commit(put, drop); err != nil {
		return err
	}
	called()
	b.requests[r.Kind][r.Address] = r
	return nil
}

// create creates the account of a request, stores calls of webhooks about it, and removes the request. The caller
// has called lock.
func (b *Book) create(r *Request, calls []*Call) error {
	list, err := b.provision(r.Lookahead)
	if err != nil {
		return err
	}
	a := &account{Account: Account{
		ID: b.nextID, Address: r.Address, View: r.View, Start: r.Start, Next: r.Start, Created: b.o.Now(),
		Access: b.o.Now(), GeneratedLocally: r.GeneratedLocally, Lookahead: r.Lookahead, Subaddresses: list,
	}}
	if err := b.scannable(&a.Account); err != nil {
		return err
	}
	put, drop, called := b.stage(calls, []Record{b.meta(b.nextID + 1), accountRecordOf(&a.Account)},
		[][]byte{requestKey(Create, r.Address)})
	if err := b.commit(put, drop); err != nil {
		b.o.Scanner.Remove(a.ID)
		return err
	}
	called()
	b.accounts[a.ID] = a
	b.enter(a)
	b.nextID++
	delete(b.requests[Create], r.Address)
	return nil
}

// ImportAnswer is the answer to a request to scan from an earlier block.
type ImportAnswer struct {
	New       bool // the request was made by this call
	Fulfilled bool // the account is, or will be, scanned from there
	Lookahead Lookahead
}

// Import requests a scan from the block at index from on with a lookahead, unless the account is scanned like that
// already. With AcceptImport, three a day need no approval. It returns ErrForbidden, ErrMaxSubaddresses, ErrQueueFull,
// or an error of the store.
func (b *Book) Import(a Address, view keys.Secret, from uint64, ahead Lookahead) (ImportAnswer, error) {
	b.lock()
	defer b.unlock()
	acct, err := b.owner(a, view)
	if err != nil {
		return ImportAnswer{}, err
	}
	// A client that names no lookahead does not mean to give up the account's.
	ahead = Lookahead{max(ahead.Major, acct.Lookahead.Major), max(ahead.Minor, acct.Lookahead.Minor)}
	if _, err := b.provision(ahead); err != nil {
		return ImportAnswer{}, err
	}
	acct.Access = b.o.Now()
	from = max(from, 1)
	wider := ahead != acct.Lookahead || acct.LookaheadFail != 0
	if from >= acct.Start && !wider {
		return ImportAnswer{Fulfilled: true, Lookahead: acct.Lookahead}, nil
	}
	if b.requests[Import][a] != nil {
		return ImportAnswer{Lookahead: acct.Lookahead}, nil
	}
	r := &Request{Kind: Import, Address: a, Start: from, Created: b.o.Now(), Lookahead: ahead}
	if imports, since, ok := acct.mayImport(acct.Access); ok && b.o.AcceptImport {
		err := b.rescan(acct, r.Start, &r.Lookahead, func(a *Account) { a.Imports, a.ImportsFrom = imports, since })
		return ImportAnswer{New: true, Fulfilled: err == nil, Lookahead: acct.Lookahead}, err
	}
	return ImportAnswer{New: true, Lookahead: acct.Lookahead}, b.queue(r, nil)
}

// An owner gets so many scans in a period without approval, because each costs the server as much as all blocks since.
const (
	importsAtOnce = 3
	importPeriod  = 24 * 3600 // seconds
)

// mayImport reports whether a scan needs no approval, and returns what Imports and ImportsFrom are then.
func (a *Account) mayImport(now uint64) (imports uint32, from uint64, ok bool) {
	if now < a.ImportsFrom || now-a.ImportsFrom >= importPeriod {
		return 1, now, true
	}
	return a.Imports + 1, a.ImportsFrom, a.Imports < importsAtOnce
}

// rescan scans an account again from block from on, with a lookahead unless ahead is nil, and removes its request.
// note, if not nil, makes further changes of the account. The caller has called lock.
func (b *Book) rescan(a *account, from uint64, ahead *Lookahead, note func(*Account)) error {
	from = max(from, 1)
	moved := a.Account
	if note != nil {
		note(&moved)
	}
	moved.Live, moved.Next, moved.Prev = false, min(from, b.next(a)), xmr.Hash{}
	moved.Start = min(moved.Start, from)
	var added []Subaddresses
	if ahead != nil {
		list, err := b.provision(*ahead)
		if err != nil {
			return err
		}
		moved.Lookahead, moved.LookaheadFail = *ahead, 0
		moved.Subaddresses, added = merge(a.Subaddresses, list)
		if count(moved.Subaddresses) > uint64(b.o.MaxSubaddresses) {
			if len(added) > 0 {
				return ErrMaxSubaddresses
			}
			moved.Subaddresses = a.Subaddresses
		}
	}
	drop := append(b.from(a, moved.Next), requestKey(Import, a.Address))
	if err := b.commit([]Record{accountRecordOf(&moved)}, drop); err != nil {
		return err
	}
	b.o.Scanner.Watch(a.ID, watched(a.keys(), added))
	b.cut(a, moved.Next)
	a.Account = moved
	a.changes++
	b.show(a)
	delete(b.requests[Import], a.Address)
	return nil
}

// Upsert watches more subaddresses of an account from the next block on, and returns those that were not watched
// before, and all. It returns ErrForbidden, ErrMaxSubaddresses, or an error of the store.
func (b *Book) Upsert(a Address, view keys.Secret, list []Subaddresses) (added, all []Subaddresses, err error) {
	b.lock()
	defer b.unlock()
	acct, err := b.owner(a, view)
	if err != nil {
		return nil, nil, err
	}
	limit := uint64(b.o.MaxSubaddresses)
	if limit == 0 || count(list) > limit {
		return nil, nil, ErrMaxSubaddresses
	}
	list = slices.Clone(list)
	slices.SortStableFunc(list, func(x, y Subaddresses) int { return cmp.Compare(x.Major, y.Major) })
	acct.Access = b.o.Now()
	next := acct.Account
	next.Subaddresses, added = merge(acct.Subaddresses, list)
	if count(next.Subaddresses) > limit {
		return nil, nil, ErrMaxSubaddresses
	}
	if len(added) == 0 {
		return nil, acct.Subaddresses, nil
	}
	if err := b.commit([]Record{accountRecordOf(&next)}, nil); err != nil {
		return nil, nil, err
	}
	b.o.Scanner.Watch(acct.ID, watched(acct.keys(), added))
	acct.Account = next
	acct.changes++
	b.show(acct)
	return added, next.Subaddresses, nil
}

// Holdings are what an account received and may have spent, with the progress of its scan. All heights are indices of
// blocks.
type Holdings struct {
	Outputs []Output // those that count
	Spends  []Spend
	Pool    Pending
	Scanned uint64 // last scanned block
	Start   uint64
	Top     uint64 // last block of the chain
	// Lookahead and LookaheadFail are those of the account.
	Lookahead     Lookahead
	LookaheadFail uint64
}

// Add creates an account without a request. It returns ErrForbidden if the view key is not that of the address,
// ErrExists, ErrDaemon before the first block is read, or an error of the store.
func (b *Book) Add(a Address, view keys.Secret) error {
	if _, err := keys.ViewOnly(view, a.Spend); err != nil || !matches(a, view) {
		return ErrForbidden
	}
	b.lock()
	defer b.unlock()
	switch _, exists := b.at[a]; {
	case exists:
		return ErrExists
	case b.chain.height() == 0:
		return ErrDaemon
	}
	return b.create(&Request{Kind: Create, Address: a, View: view, Start: b.chain.height()}, nil)
}

// Decide accepts or rejects the requests of a kind of these addresses. It returns the addresses whose request it
// found, up to the first error: ErrMaxSubaddresses, or an error of the store.
func (b *Book) Decide(k Kind, list []Address, accept bool) (decided []Address, err error) {
	b.lock()
	defer b.unlock()
	for _, a := range list {
		r := b.requests[k][a]
		acct := b.at[a]
		switch {
		case r == nil:
			continue
		case accept && k == Create && acct == nil:
			err = b.create(r, nil)
		case accept && k == Import && acct != nil:
			err = b.rescan(acct, r.Start, &r.Lookahead, nil)
		default:
			if err = b.commit(nil, [][]byte{requestKey(k, a)}); err == nil {
				delete(b.requests[k], a)
			}
		}
		if err != nil {
			return decided, err
		}
		decided = append(decided, a)
	}
	return decided, nil
}

// SetStatus changes the status of accounts and returns those that exist. It returns an error of the store.
func (b *Book) SetStatus(s Status, list []Address) (changed []Address, err error) {
	return b.each(list, func(a *account) error {
		next := a.Account
		next.Status = s
		if a.Live && s != Active { // it continues there
			next.Live, next.Next = false, b.chain.height()
			next.Prev, _ = b.chain.at(next.Next - 1)
		}
		if err := b.commit([]Record{accountRecordOf(&next)}, nil); err != nil {
			return err
		}
		a.Account = next
		a.changes++
		b.show(a)
		return nil
	})
}

// Rescan scans accounts again from block height on, and returns those that exist. It returns an error of the store.
func (b *Book) Rescan(height uint64, list []Address) (changed []Address, err error) {
	return b.each(list, func(a *account) error { return b.rescan(a, height, nil, nil) })
}

func (b *Book) each(list []Address, change func(*account) error) (changed []Address, err error) {
	b.lock()
	defer b.unlock()
	for _, at := range list {
		a := b.at[at]
		if a == nil {
			continue
		}
		if err := change(a); err != nil {
			return changed, err
		}
		changed = append(changed, at)
	}
	return changed, nil
}

// Listed is an account in the operator's list.
type Listed struct {
	Address Address
	Status  Status
	Scanned uint64 // index of the last scanned block
	Access  uint64 // POSIX seconds
}

// Accounts returns all accounts in the order of their creation.
func (b *Book) Accounts() []Listed {
	b.mu.RLock()
	defer b.mu.RUnlock()
	ids := make([]uint64, 0, len(b.accounts))
	for id := range b.accounts {
		ids = append(ids, id)
	}
	slices.Sort(ids)
	out := make([]Listed, len(ids))
	for i, id := range ids {
		a := b.accounts[id]
		next := b.next(a)
		out[i] = Listed{a.Address, a.Status, max(next, 1) - 1, a.Access}
	}
	return out
}

// Requests returns the requests that wait for approval, oldest first.
func (b *Book) Requests(k Kind) []Request {
	b.mu.RLock()
	defer b.mu.RUnlock()
	out := make([]Request, 0, len(b.requests[k]))
	for _, r := range b.requests[k] {
		out = append(out, *r)
	}
	slices.SortFunc(out, func(x, y Request) int {
		return cmp.Or(cmp.Compare(x.Created, y.Created), slices.Compare(x.Address.Spend[:], y.Address.Spend[:]))
	})
	return out
}
