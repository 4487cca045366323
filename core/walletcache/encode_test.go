package walletcache

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
	w.singleKeys(c.TxKeys)
	each(w, c.Confirmed, func(s Sent) { w.sent(s, false) })
	w.notes(c.Notes)
	each(w, c.Pool, func(p PoolPayment) {
		w.pair()
		w.key(p.PaymentID)
		w.varint(0)
		w.details(p.Payment)
		w.flag(p.DoubleSpendSeen)
	})
	each(w, c.OutputKeys, func(k KeyOf) { w.pair(); w.key(k.Key); w.transfer(k.Transfer) })
	w.book(c.AddressBook)
	keysOf(w, c.ScannedPool[0])
	keysOf(w, c.ScannedPool[1])
	each(w, c.Table, func(t Watched) { w.pair(); w.key([32]byte{}); w.place(Index{t.Account, t.Addresses - 1}) })
	each(w, c.Labels, func(labels []string) { each(w, labels, w.text) })
	w.additionalKeys(c.TxKeys)
	w.attributes(c.Attributes)
	w.tags(c.Tags, c.AccountTags)
	w.flag(c.RingsSaved)
	w.u64(c.LastBlockReward)
	each(w, c.DeviceData, func(d DeviceData) { w.pair(); w.key(d.TxID); w.text(string(d.Data)) })
	w.u64(c.DeviceSynced)
	w.coldImages(c.ColdKeyImages)
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
