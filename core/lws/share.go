package lws

import (
	"encoding/binary"
	"encoding/json"
	"slices"

	"glim/core/keys"
	"glim/core/smallfmt"
	"glim/core/xmr"
)

// Scope says what a record belongs to.
type Scope uint8

// The scopes.
const (
	OfBook     Scope = iota // the Book as a whole
	OfAccount               // an account: its own record
	OfHolding               // an account: an output or a spend
	OfChain                 // the chain: the ID of a block
	OfRequests              // the requests that wait for approval
	OfHook                  // a webhook: HookAccount has its account
	OfReport                // an account: a payment that a webhook reports
	OfCall                  // a call of a webhook: CallAddress has its account
)

// Place is where a record belongs, for stores that several Books share.
type Place struct {
	Scope   Scope
	Account uint64  // ID, for OfAccount, OfHolding and OfReport
	Height  uint64  // index of the block, for OfChain
	Address Address // of the request, for OfRequests
}

// Locate returns the place of the record with a key. It returns ErrRecord for a key of another form.
func Locate(key []byte) (p Place, err error) {
	kind := byte(0)
	if len(key) > 0 {
		kind = key[0]
	}
	switch {
	case kind == metaRecord && len(key) == 1:
		return Place{}, nil
	case kind == accountRecord && len(key) == 9:
		return Place{Scope: OfAccount, Account: binary.BigEndian.Uint64(key[1:])}, nil
	case kind == outputRecord && len(key) == 25, kind == spendRecord && len(key) == 29:
		return Place{Scope: OfHolding, Account: binary.BigEndian.Uint64(key[1:])}, nil
	case kind == blockRecord && len(key) == 9:
		return Place{Scope: OfChain, Height: binary.BigEndian.Uint64(key[1:])}, nil
	case kind == requestRecord && len(key) == 66:
		return Place{Scope: OfRequests, Address: Address{Spend: [32]byte(key[2:]), View: [32]byte(key[34:])}}, nil
	case kind == hookRecord && len(key) == 17:
		return Place{Scope: OfHook}, nil
	case kind == ongoingRecord && len(key) == 41:
		return Place{Scope: OfReport, Account: binary.BigEndian.Uint64(key[17:])}, nil
	case kind == callRecord && len(key) == 9:
		return Place{Scope: OfCall}, nil
	}
	return Place{}, ErrRecord
}

// HookAccount returns the ID of the account in the value of a webhook's record; 0 if the webhook reports new accounts.
// It returns ErrRecord.
func HookAccount(value []byte) (uint64, error) {
	var h Hook
	if err := json.Unmarshal(value, &h); err != nil {
		return 0, smallfmt.Errorf("%w: type %d", ErrRecord, int(hookRecord))
	}
	return h.Account, nil
}

// CallAddress returns the address of the account in the value of a call's record. It returns ErrRecord.
func CallAddress(value []byte) (Address, error) {
	var c Call
	if err := json.Unmarshal(value, &c); err != nil {
		return Address{}, smallfmt.Errorf("%w: type %d", ErrRecord, int(callRecord))
	}
	return c.Address, nil
}

// HookKey returns the key of a webhook's record.
func HookKey(id HookID) []byte { return hookKey(id) }

// ShareHooks replaces the webhooks for new accounts by those of records, which other Books on the same store may have
// added or deleted, and removes the calls of those that are deleted. It returns ErrRecord or an error of the store.
func (b *Book) ShareHooks(records []Record) error {
	c := newContents()
	for _, r := range records {
		if err := c.decode(r.Key, r.Value); err != nil {
			return err
		}
	}
	b.lock()
	defer b.unlock()
	gone := map[HookID]bool{}
	for _, h := range b.hooks.of[0] {
		gone[h.ID] = c.hooks[h.ID] == nil
	}
	unmade := b.calls.where(func(c *Call) bool { return gone[c.Hook] })
	if len(unmade) > 0 {
		var drop [][]byte
		for _, c := range unmade {
			drop = append(drop, callKey(c.Number))
		}
		if err := b.commit(nil, drop); err != nil {
			return err
		}
		b.calls.remove(unmade)
	}
	for _, h := range b.hooks.of[0] {
		delete(b.hooks.all, h.ID)
	}
	var list []*Hook
	for _, h := range c.hooks {
		if h.Account == 0 && h.Event == NewAccount {
			b.hooks.all[h.ID], list = h, append(list, h)
		}
	}
	slices.SortFunc(list, func(x, y *Hook) int { return slices.Compare(x.ID[:], y.ID[:]) })
	b.hooks.of[0] = list
	return nil
}

// MetaRecord returns the record of a Book on a network that gives its next account this ID. A store that several Books
// share returns it from Load instead of the one that a Book commits, so that no two Books give the same ID.
func MetaRecord(n xmr.Network, nextID uint64) Record {
	return record(metaKey, meta{format, n.String(), nextID})
}

// BlockRecord returns the record of a block's ID.
func BlockRecord(height uint64, id xmr.Hash) Record { return Record{blockKey(height), id[:]} }

// AddressOf returns the address in the value of an account's record. It returns ErrRecord.
func AddressOf(value []byte) (Address, error) {
	a, err := accountOf(value)
	return a.Address, err
}

// Parked returns the value of an account's record for a Book that has not read the same blocks: if the account follows
// the top of the chain, it continues at block next instead, after the block with ID prev. changed is false if the value
// stays. It returns ErrRecord.
func Parked(value []byte, next uint64, prev xmr.Hash) (parked []byte, changed bool, err error) {
	a, err := accountOf(value)
	if err != nil || !a.Live {
		return value, false, err
	}
	a.Live, a.Next, a.Prev = false, next, prev
	return encode(&a), true, nil
}

func accountOf(value []byte) (a Account, err error) {
	if err := json.Unmarshal(value, &a); err != nil || !a.valid() {
		return Account{}, smallfmt.Errorf("%w: type %d", ErrRecord, int(accountRecord)) // err may quote the record
	}
	return a, nil
}

// Matches reports whether view is the secret view key of a.
func (a Address) Matches(view keys.Secret) bool { return matches(a, view) }
