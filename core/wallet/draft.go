package wallet

import (
	"cmp"
	"errors"
	"slices"

	"glim/core/internal/smallsort"
	"glim/core/keys"
	"glim/core/scan"
	"glim/core/smallfmt"
	"glim/core/tx"
	"glim/core/xmr"
)

// draft is the wallet as it will be after the change being decided.
type draft struct {
	w             *Wallet
	block         *ScannedBlock // being processed; nil for the pool
	change        ChainChange
	events        []HostEvent
	accounts      [][]string
	table         *table                         // addresses that the wallet's own table lacks
	byKey         map[xmr.PublicKey]*OwnedOutput // best output of each key, from this change
	byImage       map[imageBegin]*OwnedOutput    // the same by key image
	spentAt       map[xmr.KeyImage]uint64        // heights of spends in this change
	unknownImages map[member]bool                // outputs without a key image, in background syncing; nil otherwise
	// Outputs whose key images the external signer must compute; the draft is then discarded.
	wanted   []keys.OwnOutput
	search   []*Wide // wide transactions to search first; the draft is then discarded
	notedNew bool    // whether a transaction was noted only because it may spend any output
	carrot   *opener // opens outputs of the next hard fork; nil before the first
}

// collectWanted collects the outputs of a *keys.UnknownKeyImagesError, so that all are requested together. It returns
// other errors.
func (d *draft) collectWanted(err error) error {
	var w *keys.UnknownKeyImagesError
	if !errors.As(err, &w) {
		return err
	}
	d.wanted = append(d.wanted, w.Outputs...)
	return nil
}

// missing returns an error that describes what the draft needs before it can be used.
func (d *draft) missing() error {
	if len(d.search) > 0 {
		return (*SearchError)(nil).merge(d)
	}
	if len(d.wanted) == 0 {
		return nil
	}
	return &keys.UnknownKeyImagesError{Outputs: d.wanted}
}

func newDraft(w *Wallet) *draft {
	return &draft{
		w:       w,
		byKey:   map[xmr.PublicKey]*OwnedOutput{},
		byImage: map[imageBegin]*OwnedOutput{},
		spentAt: map[xmr.KeyImage]uint64{},
	}
}

func (d *draft) indexOf(spend xmr.PublicKey) (keys.Index, bool) {
	if i, ok := d.w.table.filled().index[spend]; ok {
		return i, true
	}
	if d.table == nil {
		return keys.Index{}, false
	}
	i, ok := d.table.index[spend]
	return i, ok
}

// use records that address i received something, and reports whether that created it. The table then grows at once,
// so that addresses within the new lookahead are found.
func (d *draft) use(i keys.Index) bool {
	accounts := d.accounts
	if accounts == nil {
		accounts = d.w.accounts
	}
	if int(i.Major) < len(accounts) && int(i.Minor) < len(accounts[i.Major]) {
		return false
	}
	if d.accounts == nil {
		d.accounts = make([][]string, len(d.w.accounts))
		for j, labels := range d.w.accounts {
			d.accounts[j] = slices.Clone(labels)
		}
		d.table = newTable()
		d.table.sizes = slices.Clone(d.w.table.filled().sizes)
	}
	d.accounts = grown(d.accounts, i)
	counts := make([]uint32, len(d.accounts))
	for j, labels := range d.accounts {
		counts[j] = uint32(len(labels))
	}
	d.table.grow(d.w.identity.Keys, d.w.lookahead, counts)
	d.change.Used = append(d.change.Used, i)
	return true
}

func (d *draft) outputByKey(k xmr.PublicKey) *OwnedOutput {
	if o := d.byKey[k]; o != nil {
		return o
	}
	if n, ok := d.w.byKey[k]; ok {
		return &d.w.outputs[n]
	}
	return nil
}

// spentBy returns the output that an input spends, or nil.
func (d *draft) spentBy(in *tx.Input) *OwnedOutput {
	if in.Coinbase {
		return nil
	}
	if o := d.byImage[begin(in.KeyImage)]; o != nil {
		return o
	}
	if n, ok := d.w.byImage[begin(in.KeyImage)]; ok {
		return &d.w.outputs[n]
	}
	return nil
}

// supersedes is Wallet.supersedes including the spends of this change. An output spent in the same block counts as
// spent regardless of the order within the block: only heights are stored, and replaying the same outputs must give
// the same result.
func (d *draft) supersedes(later, earlier *OwnedOutput) bool {
	if d.block == nil && d.w.IsSpent(earlier, true) {
		return false // pool transactions are later than all blocks
	}
	if earlier.ImageKnown && d.block != nil && d.block.spends(earlier.Image) {
		return false
	}
	if h, ok := d.spentAt[earlier.Image]; ok && earlier.ImageKnown && h <= later.Height {
		return false
	}
	return d.w.supersedes(later, earlier)
}

// apply adds the effects of one transaction.
// Source: src/wallet/wallet2.cpp, process_new_transaction.
func (d *draft) apply(t *ScannedTx, b *ScannedBlock, miner bool) error {
	had := len(d.change.Outputs)
	got, err := d.receive(t, b, miner)
	if err != nil {
		return err
	}
	spend, err := d.spend(t, b, got)
	if err != nil {
		return err
	}
	if d.unknownImages != nil {
		d.note(t, b, spend != nil, d.change.Outputs[had:])
	}

	// Whatever the spending account receives is change, at any of its addresses.
	if spend != nil {
		got = slices.DeleteFunc(got, func(r received) bool { return r.address.Major == spend.Account })
	}
	if len(got) == 0 {
		return nil
	}
	fee := uint64(0)
	if !miner {
		fee = transactionFee(t.Tx, spend)
	}
	var id xmr.Hash
	if t.Tx.Carrot == nil {
		id = paymentID(t, b.Version)
	}
	for _, r := range got {
		if t.Tx.Carrot != nil {
			id = r.id
		}
		total, err := xmr.Sum(r.amounts...)
		if err != nil {
			return smallfmt.Errorf("%w: %s", ErrAmounts, t.ID)
		}
		d.change.Payments = append(d.change.Payments, Payment{
			TxID: t.ID, PaymentID: id, Amount: total, Amounts: r.amounts, Fee: fee, Height: b.Height,
			Timestamp: b.Timestamp, UnlockTime: t.Tx.UnlockTime, Coinbase: miner, Address: r.address,
		})
	}
	return nil
}

// received is what one transaction paid to one address.
type received struct {
	address keys.Index
	amounts []uint64
	id      xmr.Hash // payment ID, of an output of the next hard fork; zero otherwise
}

// match is a candidate that belongs to the wallet.
type match struct {
	*scan.Candidate
	address keys.Index
	amount  uint64
	mask    [32]byte
	enote   *enote // of an output of the next hard fork; nil otherwise
}

// own returns the outputs of t that belong to the wallet, in order. If one of them extends the address table, the
// others are checked again. Each output counts once, however many transaction public keys match it.
func (d *draft) own(t *ScannedTx) []match {
	var candidates []scan.Candidate
	if f := t.found(); f != nil {
		candidates = f.Candidates
	}
	external := len(candidates)
	if keys.HasHierarchies {
		candidates = append(candidates[:external:external], d.internal(t.Tx)...)
	}
	found := make([]*match, len(candidates))
	taken := map[int]bool{}
	for grew := true; grew; {
		grew = false
		for n := range candidates {
			c := &candidates[n]
			if taken[c.Output] {
				continue
			}
			var m match
			var ok bool
			if keys.HasHierarchies && n >= external {
				m, ok = d.openInternal(t.Tx, c)
			} else {
				m, ok = d.open(t.Tx, c)
			}
			if !ok {
				continue
			}
			taken[c.Output] = true
			found[n] = &m
			grew = d.use(m.address) || grew
		}
	}
	var out []match
	for _, m := range found {
		if m != nil {
			out = append(out, *m)
		}
	}
	if keys.HasHierarchies && len(candidates) > external {
		smallsort.Stable(out, func(a, b match) int { return cmp.Compare(a.Output, b.Output) })
	}
	return out
}

// open returns what a candidate contains if it belongs to the wallet.
func (d *draft) open(t *tx.Transaction, c *scan.Candidate) (m match, ok bool) {
	if t.Carrot != nil {
		return d.openCarrot(t, c)
	}
	i, ours := d.indexOf(c.SpendKey)
	if !ours {
		return m, false
	}
	amount, mask, ok := scan.Amount(t, c.Output, c.Derivation)
	return match{Candidate: c, address: i, amount: amount, mask: mask}, ok
}

func (d *draft) receive(t *ScannedTx, b *ScannedBlock, miner bool) ([]received, error) {
	if t.found() == nil && (!keys.HasHierarchies || t.Tx.Carrot == nil) {
		d.requireSearch(t)
		return nil, nil
	}
	var got []received
	own := d.own(t)
	d.requireSearch(t)
	for _, m := range own {
		o := OwnedOutput{
			TxID: t.ID, Index: uint64(m.Output), Amount: m.amount, Mask: m.mask, Key: t.Tx.Outputs[m.Output].Key,
			Address: m.address, Derivation: m.Derivation, Height: b.Height, Timestamp: b.Timestamp,
			UnlockTime: t.Tx.UnlockTime, Coinbase: miner,
			RingCT: t.Tx.Outputs[m.Output].Amount == 0 || miner && t.Tx.Version >= 2,
		}
		if t.Indices != nil {
			if m.Output >= len(t.Indices) {
				return nil, smallfmt.Errorf("wallet: no global index of output %d of transaction %s", m.Output, t.ID)
			}
			o.GlobalIndex = t.Indices[m.Output]
		}
		if keys.HasHierarchies && m.enote != nil {
			if err := d.fillCarrot(&o, m.enote); err != nil {
				return nil, err
			}
		} else {
			var err error
			o.Image, o.ImageKnown, err = d.w.identity.Keys.KeyImage(m.Derivation, o.Index, m.address, o.Key)
			if err != nil {
				if err = d.collectWanted(err); err != nil {
					return nil, err
				}
			}
		}
		d.w.fillImage(&o)
		if credit := d.add(&o); credit > 0 {
			got = credited(got, m.address, m.paymentID(), credit)
		}
	}
	return got, nil
}

// add adds o and returns by how much it increases the balance: 0 if an output with the same key counts instead, and
// only the difference if o replaces that one.
func (d *draft) add(o *OwnedOutput) uint64 {
	credit := o.Amount
	if old := d.outputByKey(o.Key); old != nil {
		if old.TxID == o.TxID && old.Index == o.Index {
			return 0
		}
		if !d.supersedes(o, old) {
			d.change.Outputs = append(d.change.Outputs, *o)
			d.events = append(d.events, HostEvent{BurntOutput, o.TxID, o.Amount, o.Height, o.Address})
			return 0
		}
		credit -= old.Amount
		d.events = append(d.events, HostEvent{BurntOutput, old.TxID, old.Amount, old.Height, old.Address})
	}
	d.change.Outputs = append(d.change.Outputs, *o)
	d.byKey[o.Key] = o
	if o.ImageKnown {
		d.byImage[begin(o.Image)] = o
	}
	d.events = append(d.events, HostEvent{MoneyReceived, o.TxID, credit, o.Height, o.Address})
	return credit
}

func credited(got []received, i keys.Index, id xmr.Hash, amount uint64) []received {
	for j := range got {
		if got[j].address == i {
			got[j].amounts = append(got[j].amounts, amount)
			if id != (xmr.Hash{}) {
				got[j].id = id
			}
			return got
		}
	}
	return append(got, received{i, []uint64{amount}, id})
}

// spend adds the transaction if it spends outputs of the wallet, and returns its Spend or nil.
func (d *draft) spend(t *ScannedTx, b *ScannedBlock, got []received) (*Spend, error) {
	var s *Spend
	for i := range t.Tx.Inputs {
		in := &t.Tx.Inputs[i]
		o := d.spentBy(in)
		if o == nil {
			continue
		}
		if s == nil {
			s = &Spend{TxID: t.ID, Height: b.Height, Timestamp: b.Timestamp, UnlockTime: t.Tx.UnlockTime}
		}
		amount := o.Amount
		if in.Amount != 0 {
			amount = in.Amount
		}
		var err error
		if s.AmountIn, err = xmr.Sum(s.AmountIn, amount); err != nil {
			return nil, smallfmt.Errorf("%w: %s", ErrAmounts, t.ID)
		}
		s.Account = o.Address.Major
		if !slices.Contains(s.Indices, o.Address.Minor) {
			s.Indices = append(s.Indices, o.Address.Minor)
		}
		image := in.KeyImage
		if in.ShortKeyImage {
			image = o.Image
		}
		s.Images = append(s.Images, image)
		d.spentAt[image] = b.Height
	}
	if s == nil {
		return nil, nil
	}
	slices.Sort(s.Indices)
	s.Fee = transactionFee(t.Tx, s)
	for _, r := range got {
		if r.address.Major == s.Account {
			sum, err := xmr.Sum(append([]uint64{s.Change}, r.amounts...)...)
			if err != nil {
				return nil, smallfmt.Errorf("%w: %s", ErrAmounts, t.ID)
			}
			s.Change = sum
		}
	}
	s.PaymentID = plainPaymentID(t.Tx)
	d.change.Spends = append(d.change.Spends, *s)
	d.events = append(d.events, HostEvent{Kind: MoneySpent, TxID: t.ID, Amount: s.AmountIn, Height: b.Height,
		Address: keys.Index{Major: s.Account}})
	return s, nil
}

// transactionFee returns the fee of t. Before RingCT it is the inputs minus the outputs, which requires that all
// inputs belong to the wallet.
func transactionFee(t *tx.Transaction, spend *Spend) uint64 {
	if t.Version >= 2 {
		return t.RingCT.Fee
	}
	if spend == nil {
		return 0
	}
	out := uint64(0)
	for i := range t.Outputs {
		out = saturated(out, t.Outputs[i].Amount)
	}
	return spend.AmountIn - min(out, spend.AmountIn)
}

// ignoreLongIDs is the hard fork from which unencrypted payment IDs are ignored.
// Source: src/wallet/wallet2.cpp, IGNORE_LONG_PAYMENT_ID_FROM_BLOCK_VERSION.
const ignoreLongIDs = 12

// paymentID returns the payment ID of a transaction; a short one is decrypted with the view key.
func paymentID(t *ScannedTx, version uint8) xmr.Hash {
	extra, _ := tx.ParseExtra(t.Tx.Extra)
	var id xmr.Hash
	switch {
	case extra.EncryptedPaymentID != nil:
		if main := t.found().Main; main != [32]byte{} {
			open := keys.DecryptPaymentID(main, *extra.EncryptedPaymentID)
			copy(id[:], open[:])
		}
	case extra.PaymentID != nil && version < ignoreLongIDs:
		id = *extra.PaymentID
	}
	return id
}

// plainPaymentID returns an unencrypted payment ID, as old transactions have it.
func plainPaymentID(t *tx.Transaction) xmr.Hash {
	extra, _ := tx.ParseExtra(t.Extra)
	if extra.PaymentID != nil {
		return *extra.PaymentID
	}
	return xmr.Hash{}
}
