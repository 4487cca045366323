package walletcache

import (
	"encoding/binary"

	"glim/core/internal/codec/wire"
)

// writer writes the format of releases since 0.17.0.0, with indices of the given width.
type writer struct {
	b         []byte
	indexSize int
}

func (w *writer) varint(v uint64) { w.b = wire.AppendVarint(w.b, v) }

func (w *writer) raw(b []byte) { w.b = append(w.b, b...) }

func (w *writer) key(k [32]byte) { w.raw(k[:]) }

func (w *writer) u64(v uint64) { w.b = binary.LittleEndian.AppendUint64(w.b, v) }

func (w *writer) flag(v bool) {
	if v {
		w.b = append(w.b, 1)
	} else {
		w.b = append(w.b, 0)
	}
}

func (w *writer) text(s string) {
	w.varint(uint64(len(s)))
	w.raw([]byte(s))
}

func (w *writer) place(i Index) {
	w.b = binary.LittleEndian.AppendUint32(w.b, i.Account)
	w.b = binary.LittleEndian.AppendUint32(w.b, i.Address)
}

func (w *writer) transfer(n uint64) {
	switch w.indexSize {
	case 4:
		w.b = binary.LittleEndian.AppendUint32(w.b, uint32(n))
	case 8:
		w.u64(n)
	default:
		w.varint(n)
	}
}

func (w *writer) pair() { w.varint(2) }

func (w *writer) prefix(b []byte) {
	if b == nil {
		b = []byte{1, 0, 0, 0, 0}
	}
	w.raw(b)
}

func each[T any](w *writer, list []T, write func(T)) {
	w.varint(uint64(len(list)))
	for _, e := range list {
		write(e)
	}
}

func keysOf[T ~[32]byte](w *writer, list []T) { each(w, list, func(k T) { w.key(k) }) }

func (w *writer) sent(s Sent, pending bool) {
	w.pair()
	w.key(s.TxID)
	w.varint(1)
	w.prefix(s.Prefix)
	w.varint(s.AmountIn)
	w.varint(s.AmountOut)
	w.varint(s.Change)
	if pending {
		w.varint(s.SentTime)
	} else {
		w.varint(s.Height)
	}
	each(w, s.Destinations, func(d Destination) {
		w.text(d.Original)
		w.varint(d.Amount)
		w.key(d.Spend)
		w.key(d.View)
		w.flag(d.IsSubaddress)
		w.flag(d.IsIntegrated)
	})
	w.key(s.PaymentID)
	if pending {
		w.varint(uint64(s.State))
	}
	w.varint(s.Timestamp)
	if !pending {
		w.varint(s.UnlockTime)
	}
	w.varint(uint64(s.Account))
	each(w, s.Addresses, func(n uint32) { w.varint(uint64(n)) })
	each(w, s.Rings, func(r Ring) { w.pair(); w.key(r.KeyImage); each(w, r.Offsets, w.varint) })
}

// singleKeys writes the keys of transactions, except the additional ones.
func (w *writer) singleKeys(keys []TxKey) {
	var single []TxKey
	for _, k := range keys {
		if k.Additional == nil || k.Key != [32]byte{} {
			single = append(single, k)
		}
	}
	each(w, single, func(k TxKey) { w.pair(); w.key(k.TxID); w.key(k.Key) })
}

// additionalKeys writes the additional keys of transactions.
func (w *writer) additionalKeys(keys []TxKey) {
	var additional []TxKey
	for _, k := range keys {
		if k.Additional != nil {
			additional = append(additional, k)
		}
	}
	each(w, additional, func(k TxKey) { w.pair(); w.key(k.TxID); keysOf(w, k.Additional) })
}

func (w *writer) notes(notes []Note) {
	each(w, notes, func(n Note) { w.pair(); w.key(n.TxID); w.text(n.Text) })
}

func (w *writer) book(contacts []Contact) {
	each(w, contacts, func(c Contact) {
		w.varint(0)
		w.key(c.Spend)
		w.key(c.View)
		w.raw(c.PaymentID[:])
		w.text(c.Description)
		w.flag(c.IsSubaddress)
		w.flag(c.HasPaymentID)
	})
}

func (w *writer) attributes(attributes []Attribute) {
	each(w, attributes, func(a Attribute) { w.pair(); w.text(a.Key); w.text(a.Value) })
}

func (w *writer) tags(tags []Tag, accounts []string) {
	w.pair()
	each(w, tags, func(t Tag) { w.pair(); w.text(t.Name); w.text(t.Description) })
	each(w, accounts, w.text)
}

func (w *writer) coldImages(images []ColdImage) {
	each(w, images, func(i ColdImage) { w.pair(); w.key(i.Key); w.key(i.Image) })
}
