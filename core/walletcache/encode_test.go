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

// encode writes a cache.
func encode(c *Cache, indexSize int) []byte {
	w := &writer{b: []byte(magic), indexSize: indexSize}
	w.varint(c.Version)
	w.varint(0)
	w.varint(c.Chain.Offset)
	w.key(c.Chain.Genesis)
	keysOf(w, c.Chain.Hashes)
	each(w, c.Transfers, w.output)
	w.key(c.Spend)
	w.key(c.View)
	each(w, c.KeyImages, func(i ImageOf) { w.pair(); w.key(i.Image); w.transfer(i.Transfer) })
	each(w, c.Pending, func(s Sent) { w.sent(s, true) })
	each(w, c.Payments, func(p Payment) { w.pair(); w.payment(p) })
	var single, additional []TxKey
	for _, k := range c.TxKeys {
		if k.Additional == nil || k.Key != [32]byte{} {
			single = append(single, k)
		}
		if k.Additional != nil {
			additional = append(additional, k)
		}
	}
	each(w, single, func(k TxKey) { w.pair(); w.key(k.TxID); w.key(k.Key) })
	each(w, c.Confirmed, func(s Sent) { w.sent(s, false) })
	each(w, c.Notes, func(n Note) { w.pair(); w.key(n.TxID); w.text(n.Text) })
	each(w, c.Pool, func(p PoolPayment) {
		w.pair()
		w.key(p.PaymentID)
		w.varint(0)
		w.details(p.Payment)
		w.flag(p.DoubleSpendSeen)
	})
	each(w, c.OutputKeys, func(k KeyOf) { w.pair(); w.key(k.Key); w.transfer(k.Transfer) })
	each(w, c.AddressBook, func(r Contact) {
		w.varint(0)
		w.key(r.Spend)
		w.key(r.View)
		w.raw(r.PaymentID[:])
		w.text(r.Description)
		w.flag(r.IsSubaddress)
		w.flag(r.HasPaymentID)
	})
	keysOf(w, c.ScannedPool[0])
	keysOf(w, c.ScannedPool[1])
	each(w, c.Table, func(t Watched) { w.pair(); w.key([32]byte{}); w.place(Index{t.Account, t.Addresses - 1}) })
	each(w, c.Labels, func(labels []string) { each(w, labels, w.text) })
	each(w, additional, func(k TxKey) { w.pair(); w.key(k.TxID); keysOf(w, k.Additional) })
	each(w, c.Attributes, func(a Attribute) { w.pair(); w.text(a.Key); w.text(a.Value) })
	w.pair()
	each(w, c.Tags, func(t Tag) { w.pair(); w.text(t.Name); w.text(t.Description) })
	each(w, c.AccountTags, w.text)
	w.flag(c.RingsSaved)
	w.u64(c.LastBlockReward)
	each(w, c.DeviceData, func(d DeviceData) { w.pair(); w.key(d.TxID); w.text(string(d.Data)) })
	w.u64(c.DeviceSynced)
	each(w, c.ColdKeyImages, func(i ColdImage) { w.pair(); w.key(i.Key); w.key(i.Image) })
	w.key(c.RPCClientSecret)
	if c.Version >= 1 {
		w.flag(c.EverRefreshed)
	}
	if c.Version >= 2 {
		w.background(c.BackgroundSynced)
	}
	return w.b
}

func (w *writer) output(t Transfer) {
	w.u64(t.Height)
	w.prefix(t.Prefix)
	w.key(t.TxID)
	w.u64(t.OutputIndex)
	w.u64(t.GlobalIndex)
	w.flag(t.Spent)
	w.flag(t.Frozen)
	w.u64(t.SpentHeight)
	w.key(t.KeyImage)
	w.key(t.Mask)
	w.u64(t.Amount)
	w.flag(t.RingCT)
	w.flag(t.KeyImageKnown)
	w.flag(t.KeyImageRequested)
	w.u64(t.PublicKey)
	w.place(t.Index)
	w.flag(t.KeyImagePartial)
	keysOf(w, t.MultisigNonces)
	each(w, t.MultisigInfo, func(i MultisigInfo) {
		w.key(i.Signer)
		each(w, i.Nonces, func(n [2][32]byte) { w.key(n[0]); w.key(n[1]) })
		keysOf(w, i.PartialKeyImages)
	})
	each(w, t.Uses, func(u Use) { w.pair(); w.varint(u.Height); w.key(u.TxID) })
}

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

func (w *writer) payment(p Payment) {
	w.key(p.PaymentID)
	w.details(p)
}

func (w *writer) details(p Payment) {
	w.varint(0)
	w.key(p.TxID)
	w.varint(p.Amount)
	each(w, p.Amounts, w.varint)
	w.varint(p.Fee)
	w.varint(p.Height)
	w.varint(p.UnlockTime)
	w.varint(p.Timestamp)
	w.flag(p.Coinbase)
	w.place(p.Index)
}

func (w *writer) background(b *Background) {
	w.varint(0)
	w.flag(b.Refreshed)
	w.u64(b.StartHeight)
	each(w, b.Transactions, func(t BackgroundTx) {
		w.pair()
		w.key(t.TxID)
		w.varint(0)
		w.varint(t.Order)
		w.raw(t.Base)
		each(w, t.OutputIndices, w.varint)
		w.varint(t.Height)
		w.varint(t.Timestamp)
		w.flag(t.DoubleSpendSeen)
	})
	w.u64(b.RestoreHeight)
	w.varint(b.LookaheadMajor)
	w.varint(b.LookaheadMinor)
	w.varint(b.RefreshType)
}
