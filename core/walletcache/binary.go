package walletcache

import (
	"cmp"
	"errors"
	"reflect"
	"slices"

	"glim/core/internal/codec/wire"
	"glim/core/xmr"
)

// reader reads the binary archive format of releases since 0.17.0.0.
//
// Source: src/serialization/binary_archive.h, container.h, containers.h, pair.h and string.h, release 0.18.5.1.
type reader struct {
	*wire.Reader
	// budget is the memory that parsing may still allocate. Some elements, such as empty texts, need much more memory
	// than space in the file, but a real cache has few of them.
	budget int
	// indexSize is the size of an index of m_transfers in bytes; 0 is a varint.
	indexSize int
	// outputs and extra belong to the last prefix.
	outputs []xmr.PublicKey
	extra   []byte

	layout layout
}

// allowance returns the memory budget for a cache with n bytes of data.
func allowance(n int) int { return 8*n + 1<<20 }

// list reads a list whose elements take at least smallest bytes each.
func list[T any](r *reader, smallest int, read func(*T)) []T {
	return many(r, r.Count(r.Len(), smallest), read)
}

// many reads n elements. It returns nil if n is 0, the budget is too small or the reader fails.
func many[T any](r *reader, n int, read func(*T)) []T {
	if n == 0 || !r.spend(n, int(reflect.TypeFor[T]().Size())) {
		return nil
	}
	all := make([]T, n)
	for i := range all {
		read(&all[i])
		if r.Err() != nil {
			return nil
		}
	}
	return all
}

// spend deducts the memory of n elements of size bytes from the budget. It fails and returns false if the budget is too
// small.
func (r *reader) spend(n, size int) bool {
	if n > r.budget/size {
		r.Fail(ErrFormat)
		return false
	}
	r.budget -= n * size
	return true
}

// version reads the version of a part. It fails with a *VersionError if the version exceeds highest.
func (r *reader) version(part string, highest uint64) uint64 {
	v := r.Varint()
	if v > highest {
		r.Fail(&VersionError{Part: part, Version: v})
	}
	return v
}

// pair reads the element count of a pair.
func (r *reader) pair() {
	if r.Varint() != 2 {
		r.Fail(ErrFormat)
	}
}

// bool accepts any byte as true except 0, because the reference has written uninitialised ones.
func (r *reader) bool() bool { return r.Byte() != 0 }

func (r *reader) text() string {
	n := r.Count(r.Len(), 1)
	if !r.spend(n, 1) {
		return ""
	}
	return string(r.Bytes(n))
}

// narrow reads a varint of 32 bits.
func (r *reader) narrow() uint32 {
	v := r.Varint()
	if v > 1<<32-1 {
		r.Fail(ErrFormat)
	}
	return uint32(v)
}

func (r *reader) index() Index { return Index{r.Uint32(), r.Uint32()} }

// transfer reads an index into m_transfers, the second element of a pair. Releases up to 0.17.1 wrote it in the
// machine's size of the type, unless that type is uint64_t. Source: pair.h, serialize_pair_element.
func (r *reader) transfer() uint64 {
	switch r.indexSize {
	case 4:
		return uint64(r.Uint32())
	case 8:
		return r.Uint64()
	}
	return r.Varint()
}

func (r *reader) numbers() []uint64 {
	return list(r, 1, func(n *uint64) { *n = r.Varint() })
}

// parts reads a list of 32-byte values.
func parts[T ~[32]byte](r *reader) []T {
	return list(r, 32, func(p *T) { *p = r.Bytes32() })
}

// parseBinary reads a cache.
func parseBinary(data []byte) (*Cache, error) {
	c, _, err := parseLayout(data)
	return c, err
}

// parseLayout reads a cache, and finds the parts that Edit can replace.
func parseLayout(data []byte) (c *Cache, at *layout, err error) {
	budget := allowance(len(data))
	for _, size := range []int{0, 8, 4} {
		r := &reader{Reader: wire.NewReader(data), budget: budget, indexSize: size}
		if c = r.cache(); r.Close() == nil {
			c.secret = data
			return c, &r.layout, nil
		}
		if err == nil {
			err = failure(r.Err())
		}
		budget = r.budget
	}
	return nil, nil, err
}

// failure converts a reader's error to an error of this package.
func failure(err error) error {
	if errors.Is(err, ErrVersion) {
		return err
	}
	return ErrFormat
}

// cache reads the whole cache. Source: wallet2.h, BEGIN_SERIALIZE_OBJECT of wallet2.
func (r *reader) cache() *Cache {
	c := new(Cache)
	r.Bytes(len(magic))
	c.Version = r.version("wallet2", 2)
	r.version("hashchain", 0)
	c.Chain.Offset, c.Chain.Genesis, c.Chain.Hashes = r.Varint(), r.Bytes32(), parts[xmr.Hash](r)
	c.Transfers = list(r, 170, r.output)
	c.Spend, c.View = r.Bytes32(), r.Bytes32()
	c.KeyImages = list(r, 34, func(i *ImageOf) {
		r.pair()
		i.Image, i.Transfer = r.Bytes32(), r.transfer()
	})
	c.Pending = list(r, 80, func(s *Sent) { r.sent(s, "unconfirmed_transfer_details") })
	c.Payments = list(r, 70, r.payment)
	r.part(&r.layout.txKeys, func() {
		c.TxKeys = list(r, 65, func(k *TxKey) {
			r.pair()
			k.TxID, k.Key = r.Bytes32(), r.Bytes32()
		})
	})
	r.part(&r.layout.confirmed, func() {
		c.Confirmed = list(r, 74, func(s *Sent) { r.sent(s, "confirmed_transfer_details") })
	})
	r.part(&r.layout.notes, func() {
		c.Notes = list(r, 34, func(n *Note) {
			r.pair()
			n.TxID, n.Text = r.Bytes32(), r.text()
		})
	})
	c.Pool = list(r, 72, func(p *PoolPayment) {
		r.pair()
		p.PaymentID = r.Bytes32()
		r.version("pool_payment_details", 0)
		r.details(&p.Payment)
		p.DoubleSpendSeen = r.bool()
	})
	c.OutputKeys = list(r, 34, func(k *KeyOf) {
		r.pair()
		k.Key, k.Transfer = r.Bytes32(), r.transfer()
	})
	r.part(&r.layout.book, func() {
		c.AddressBook = list(r, 76, r.contact)
	})
	c.ScannedPool[0], c.ScannedPool[1] = parts[xmr.Hash](r), parts[xmr.Hash](r)
	r.part(&r.layout.table, func() {
		c.Table = r.table()
	})
	r.part(&r.layout.labels, func() {
		c.Labels = list(r, 1, func(labels *[]string) { *labels = r.texts() })
	})
	var additional []TxKey
	r.part(&r.layout.additional, func() {
		additional = list(r, 34, func(k *TxKey) {
			r.pair()
			k.TxID, k.Additional = r.Bytes32(), parts[[32]byte](r)
		})
	})
	c.TxKeys = join(c.TxKeys, additional)
	r.part(&r.layout.attributes, func() {
		c.Attributes = list(r, 3, func(a *Attribute) {
			r.pair()
			a.Key, a.Value = r.text(), r.text()
		})
	})
	r.part(&r.layout.tags, func() {
		r.pair()
		c.Tags = list(r, 3, func(t *Tag) {
			r.pair()
			t.Name, t.Description = r.text(), r.text()
		})
		c.AccountTags = r.texts()
	})
	c.RingsSaved = r.bool()
	c.LastBlockReward = r.Uint64()
	c.DeviceData = list(r, 34, func(d *DeviceData) {
		r.pair()
		d.TxID, d.Data = r.Bytes32(), r.Bytes(r.Count(r.Len(), 1))
	})
	c.DeviceSynced = r.Uint64()
	r.part(&r.layout.coldKeyImages, func() {
		c.ColdKeyImages = list(r, 65, func(i *ColdImage) {
			r.pair()
			i.Key, i.Image = r.Bytes32(), r.Bytes32()
		})
	})
	c.RPCClientSecret = r.Bytes32()
	if c.Version >= 1 {
		c.EverRefreshed = r.bool()
	}
	if c.Version >= 2 {
		c.BackgroundSynced = r.background()
	}
	return c
}

// output reads an output of the wallet.
func (r *reader) output(t *Transfer) {
	t.Height = r.Uint64()
	t.Prefix = r.prefix()
	t.Extra = r.extra
	t.TxID = r.Bytes32()
	t.OutputIndex, t.GlobalIndex = r.Uint64(), r.Uint64()
	if t.OutputIndex >= uint64(len(r.outputs)) {
		r.Fail(ErrFormat)
		return
	}
	t.Key = r.outputs[t.OutputIndex]
	t.Spent = r.bool()
	r.layout.frozen = append(r.layout.frozen, r.Offset())
	t.Frozen = r.bool()
	t.SpentHeight = r.Uint64()
	t.KeyImage, t.Mask = r.Bytes32(), r.Bytes32()
	t.Amount = r.Uint64()
	t.RingCT, t.KeyImageKnown, t.KeyImageRequested = r.bool(), r.bool(), r.bool()
	t.PublicKey = r.Uint64()
	t.Index = r.index()
	t.KeyImagePartial = r.bool()
	t.MultisigNonces = parts[[32]byte](r)
	t.MultisigInfo = list(r, 34, func(i *MultisigInfo) {
		i.Signer = r.Bytes32()
		i.Nonces = list(r, 64, func(n *[2][32]byte) { *n = [2][32]byte{r.Bytes32(), r.Bytes32()} })
		i.PartialKeyImages = parts[xmr.KeyImage](r)
	})
	t.Uses = list(r, 34, func(u *Use) {
		r.pair()
		u.Height, u.TxID = r.Varint(), r.Bytes32()
	})
}

// sent reads an outgoing transaction; kind is the reference's name of its type.
func (r *reader) sent(s *Sent, kind string) {
	pending := kind == "unconfirmed_transfer_details"
	r.pair()
	s.TxID = r.Bytes32()
	version := r.version(kind, 1)
	if pending || version >= 1 {
		s.Prefix = r.prefix()
	}
	s.AmountIn, s.AmountOut, s.Change = r.Varint(), r.Varint(), r.Varint()
	if pending {
		s.SentTime = r.Varint()
	} else {
		s.Height = r.Varint()
	}
	s.Destinations = list(r, 68, func(d *Destination) {
		d.Original, d.Amount = r.text(), r.Varint()
		d.Spend, d.View = r.Bytes32(), r.Bytes32()
		d.IsSubaddress, d.IsIntegrated = r.bool(), r.bool()
	})
	s.PaymentID = r.Bytes32()
	if pending && version >= 1 {
		state := r.Varint()
		if state > uint64(StateFailed) {
			r.Fail(ErrFormat)
		}
		s.State = State(state)
	}
	s.Timestamp = r.Varint()
	if !pending {
		s.UnlockTime = r.Varint()
	}
	s.Account = r.narrow()
	s.Addresses = list(r, 1, func(n *uint32) { *n = r.narrow() })
	s.Rings = list(r, 34, func(ring *Ring) {
		r.pair()
		ring.KeyImage, ring.Offsets = r.Bytes32(), r.numbers()
	})
}

func (r *reader) payment(p *Payment) {
	r.pair()
	p.PaymentID = r.Bytes32()
	r.details(p)
}

func (r *reader) details(p *Payment) {
	r.version("payment_details", 0)
	p.TxID, p.Amount, p.Amounts = r.Bytes32(), r.Varint(), r.numbers()
	p.Fee, p.Height, p.UnlockTime, p.Timestamp = r.Varint(), r.Varint(), r.Varint(), r.Varint()
	p.Coinbase = r.bool()
	p.Index = r.index()
}

func (r *reader) contact(c *Contact) {
	r.version("address_book_row", 0)
	c.Spend, c.View = r.Bytes32(), r.Bytes32()
	copy(c.PaymentID[:], r.Bytes(len(c.PaymentID)))
	c.Description = r.text()
	c.IsSubaddress, c.HasPaymentID = r.bool(), r.bool()
}

func (r *reader) texts() []string { return list(r, 1, func(s *string) { *s = r.text() }) }

// table reads the table of subaddresses. It keeps only their number by account, because their keys can be derived.
func (r *reader) table() []Watched {
	seen := watched{}
	for range r.Count(r.Len(), 41) {
		r.pair()
		r.Bytes(32)
		i := r.index()
		if r.Err() != nil {
			return nil
		}
		seen.add(i)
	}
	return seen.list(r)
}

// watched maps an account to its highest address index.
type watched map[uint32]uint32

func (w watched) add(i Index) {
	if highest, ok := w[i.Account]; !ok || highest < i.Address {
		w[i.Account] = i.Address
	}
}

// list returns the number of addresses of each account.
func (w watched) list(r *reader) []Watched {
	if len(w) == 0 {
		return nil
	}
	all := make([]Watched, 0, len(w))
	for account, highest := range w {
		if highest == 1<<32-1 {
			r.Fail(ErrFormat)
			return nil
		}
		all = append(all, Watched{account, highest + 1})
	}
	slices.SortFunc(all, func(a, b Watched) int { return cmp.Compare(a.Account, b.Account) })
	return all
}

// join merges additional keys into the transactions' keys.
func join(all, additional []TxKey) []TxKey {
	at := make(map[xmr.Hash]int, len(additional))
	for i := range additional {
		at[additional[i].TxID] = i
	}
	for i := range all {
		if k, ok := at[all[i].TxID]; ok {
			all[i].Additional = additional[k].Additional
			delete(at, all[i].TxID)
		}
	}
	for i := range additional {
		if at, ok := at[additional[i].TxID]; ok && at == i {
			all = append(all, additional[i])
		}
	}
	return all
}

func (r *reader) background() *Background {
	b := new(Background)
	r.version("background_sync_data_t", 0)
	b.Refreshed = r.bool()
	b.StartHeight = r.Uint64()
	b.Transactions = list(r, 44, func(t *BackgroundTx) {
		r.pair()
		t.TxID = r.Bytes32()
		r.version("background_synced_tx_t", 0)
		t.Order = r.Varint()
		t.Base = r.base()
		t.OutputIndices = r.numbers()
		t.Height, t.Timestamp = r.Varint(), r.Varint()
		t.DoubleSpendSeen = r.bool()
	})
	b.RestoreHeight = r.Uint64()
	b.LookaheadMajor, b.LookaheadMinor, b.RefreshType = r.Varint(), r.Varint(), r.Varint()
	return b
}
