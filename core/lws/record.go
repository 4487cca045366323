package lws

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"slices"

	"glim/core/keys"
	"glim/core/smallfmt"
	"glim/core/xmr"
)

// Record is a key with its value.
type Record struct{ Key, Value []byte }

// Store stores the records of a Book. The Book never calls two methods at the same time.
type Store interface {
	// Load calls visit for every record, in any order, and returns the error of visit. key and value are valid only
	// during the call.
	Load(visit func(key, value []byte) error) error
	// Commit writes the records of put and deletes those of drop, which may be missing. If it returns nil, all changes
	// are durable; otherwise either all or none of them are made. It must not keep its arguments.
	Commit(put []Record, drop [][]byte) error
}

// The first byte of a record's key.
const (
	metaRecord    = 'M'
	accountRecord = 'A' // and the account's ID
	outputRecord  = 'O' // and the account's ID, height, position and index
	spendRecord   = 'S' // and the account's ID, height, position, input and member
	blockRecord   = 'B' // and the height
	requestRecord = 'R' // and the kind and the address
	hookRecord    = 'H' // and the ID
	ongoingRecord = 'G' // and the webhook's ID, and the key of an output without its first byte
	callRecord    = 'C' // and the number
)

// ErrRecord reports a record that this version cannot read.
var ErrRecord = errors.New("lws: the database has a record that this version cannot read")

// ErrNetwork reports a database of another network.
var ErrNetwork = errors.New("lws: the database belongs to another network; choose another folder")

// meta identifies the contents of a database.
type meta struct {
	Format  int
	Network string
	NextID  uint64
}

const format = 1

var metaKey = []byte{metaRecord}

func accountKey(id uint64) []byte { return binary.BigEndian.AppendUint64([]byte{accountRecord}, id) }

func blockKey(height uint64) []byte {
	return binary.BigEndian.AppendUint64([]byte{blockRecord}, height)
}

func requestKey(k Kind, a Address) []byte {
	return slices.Concat([]byte{requestRecord, byte(k)}, a.Spend[:], a.View[:])
}

func outputKey(id uint64, o *Output) []byte {
	b := binary.BigEndian.AppendUint64([]byte{outputRecord}, id)
	b = binary.BigEndian.AppendUint64(b, o.Height)
	b = binary.BigEndian.AppendUint32(b, uint32(o.Position))
	return binary.BigEndian.AppendUint32(b, uint32(o.Index))
}

func spendKey(id uint64, s *Spend) []byte {
	b := binary.BigEndian.AppendUint64([]byte{spendRecord}, id)
	b = binary.BigEndian.AppendUint64(b, s.Height)
	b = binary.BigEndian.AppendUint32(b, uint32(s.Position))
	b = binary.BigEndian.AppendUint32(b, uint32(s.Input))
	return binary.BigEndian.AppendUint32(b, uint32(s.Member))
}

// encode encodes the value of a record. The types of records have nothing that fails.
func encode(v any) []byte {
	b, err := json.Marshal(v)
	if err != nil {
		panic("unreachable: records are plain data")
	}
	return b
}

func record(key []byte, v any) Record { return Record{key, encode(v)} }

func accountRecordOf(a *Account) Record { return record(accountKey(a.ID), a) }

// contents are the records of a store.
type contents struct {
	meta     *meta
	accounts map[uint64]*account
	blocks   map[uint64]xmr.Hash
	requests map[Kind]map[Address]*Request
	hooks    map[HookID]*Hook
	ongoing  map[uint64][]ongoing
	calls    []*Call
}

func newContents() *contents {
	return &contents{
		accounts: map[uint64]*account{}, blocks: map[uint64]xmr.Hash{},
		requests: map[Kind]map[Address]*Request{Create: {}, Import: {}},
		hooks:    map[HookID]*Hook{}, ongoing: map[uint64][]ongoing{},
	}
}

// account returns the account with an ID, and makes room for it if its record is still to come.
func (c *contents) account(id uint64) *account {
	a := c.accounts[id]
	if a == nil {
		a = &account{}
		c.accounts[id] = a
	}
	return a
}

// decode adds a record. It returns ErrRecord.
func (c *contents) decode(key, value []byte) error {
	if len(key) == 0 {
		return ErrRecord
	}
	id := uint64(0)
	if len(key) >= 9 {
		id = binary.BigEndian.Uint64(key[1:])
	}
	var err error
	switch kind := key[0]; {
	case kind == metaRecord && len(key) == 1:
		err = json.Unmarshal(value, &c.meta)
	case kind == accountRecord && len(key) == 9:
		a := c.account(id)
		if err = json.Unmarshal(value, &a.Account); err == nil && (a.ID != id || !a.Account.valid()) {
			err = ErrRecord
		}
	case kind == outputRecord && len(key) == 25:
		var o Output
		if err = json.Unmarshal(value, &o); err == nil && len(o.PaymentID) > 32 {
			err = ErrRecord
		}
		a := c.account(id)
		a.outputs = append(a.outputs, o)
	case kind == spendRecord && len(key) == 29:
		var s Spend
		err = json.Unmarshal(value, &s)
		a := c.account(id)
		a.spends = append(a.spends, s)
	case kind == blockRecord && len(key) == 9:
		if len(value) != 32 {
			return ErrRecord
		}
		c.blocks[id] = xmr.Hash(value)
	case kind == requestRecord && len(key) == 66:
		var r Request
		err = json.Unmarshal(value, &r)
		if err == nil && (r.Kind > Import || string(requestKey(r.Kind, r.Address)) != string(key)) {
			err = ErrRecord
		}
		if err == nil {
			c.requests[r.Kind][r.Address] = &r
		}
	default:
		err = c.decodeHooks(key, value)
	}
	if err != nil && !errors.Is(err, ErrRecord) {
		err = smallfmt.Errorf("%w: type %d", ErrRecord, key[0]) // the text of err may quote the record
	}
	return err
}

// decodeHooks adds a record about webhooks.
func (c *contents) decodeHooks(key, value []byte) error {
	switch kind := key[0]; {
	case kind == hookRecord && len(key) == 17:
		var h Hook
		if err := json.Unmarshal(value, &h); err != nil {
			return err
		}
		if h.ID != HookID(key[1:]) || h.Event > Spent || h.check() != nil {
			return ErrRecord
		}
		c.hooks[h.ID] = &h
	case kind == ongoingRecord && len(key) == 41:
		g := ongoing{
			HookID(key[1:17]), binary.BigEndian.Uint64(key[25:]), int(binary.BigEndian.Uint32(key[33:])),
			int(binary.BigEndian.Uint32(key[37:])),
		}
		account := binary.BigEndian.Uint64(key[17:])
		c.ongoing[account] = append(c.ongoing[account], g)
	case kind == callRecord && len(key) == 9:
		var call Call
		if err := json.Unmarshal(value, &call); err != nil {
			return err
		}
		if call.Number != binary.BigEndian.Uint64(key[1:]) || call.Number > maxCallNumber {
			return ErrRecord
		}
		c.calls = append(c.calls, &call)
	default:
		return ErrRecord
	}
	return nil
}

// maxCallNumber is the largest number of a stored call, so that there is always a next one.
const maxCallNumber = 1 << 62

// valid reports whether the fields of a decoded account can be used.
func (a *Account) valid() bool {
	if a.Status > Hidden || count(a.Subaddresses) > MaxSubaddresses {
		return false
	}
	if _, err := keys.ViewOnly(a.View, a.Address.Spend); err != nil {
		return false
	}
	for i := range a.Subaddresses {
		if !ordered(a.Subaddresses[i].Ranges) || i > 0 && a.Subaddresses[i-1].Major >= a.Subaddresses[i].Major {
			return false
		}
	}
	return true
}

// Memory is a Store in memory. The zero Memory is empty.
type Memory struct{ records map[string][]byte }

// Load implements Store.
func (m *Memory) Load(visit func(key, value []byte) error) error {
	for k, v := range m.records {
		if err := visit([]byte(k), v); err != nil {
			return err
		}
	}
	return nil
}

// Commit implements Store.
func (m *Memory) Commit(put []Record, drop [][]byte) error {
	if m.records == nil {
		m.records = map[string][]byte{}
	}
	for _, k := range drop {
		delete(m.records, string(k))
	}
	for _, r := range put {
		m.records[string(r.Key)] = slices.Clone(r.Value)
	}
	return nil
}
