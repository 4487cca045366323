package wallet

import (
	"errors"
	"slices"

	"glim/core/keys"
	"glim/core/say"
	"glim/core/scan"
	"glim/core/tx"
	"glim/core/xmr"
)

// ErrGap reports blocks that do not follow the wallet's last one.
var ErrGap = errors.New("wallet: blocks do not follow the last one scanned")

// ErrAmounts reports a transaction whose amounts add up to more than there can be. No chain holds one: whoever told of it lies, and
// nothing of what he told is recorded, so that the wallet goes on with somebody else.
var ErrAmounts = errors.New("wallet: a transaction of more money than there can be")

// Block is a scanned block.
type Block struct {
	BlockID
	Version   uint8  // major version: the hard fork whose rules it follows
	Timestamp uint64 // POSIX seconds
	Txs       []Tx   // the miner's first
}

// Tx is a scanned transaction. Indices are its outputs' global indices; a pool transaction has none yet.
type Tx struct {
	ID              xmr.Hash
	Tx              *tx.Transaction
	Indices         []uint64
	Found           *scan.Found // nil when nothing may be the wallet's
	Wide            *Wide       // in its place, of a transaction for which scan.Wide holds
	DoubleSpendSeen bool        // the daemon's word about a pool transaction
}

// EventKind says what happened.
type EventKind uint8

// The kinds.
const (
	MoneyReceived         EventKind = iota // an output on the chain
	MoneySpent                             // a transaction on the chain spent outputs
	MoneyInPool                            // a payment awaits its block
	BurntOutput                            // an output that can never be spent, for its key was used before; not counted
	Reorganised                            // blocks from Height on were dropped
	ReorganisationRefused                  // the daemon has other blocks from Height on, and too many would have been dropped
)

// Event tells the user something about a change.
type Event struct {
	Kind    EventKind
	TxID    xmr.Hash
	Amount  uint64 // atomic units
	Height  uint64 // index of the block; 0 in the pool
	Address keys.Index
}

// spends reports whether a transaction of b has key image i.
func (b *Block) spends(i xmr.KeyImage) bool {
	for t := range b.Txs {
		inputs := b.Txs[t].Tx.Inputs
		if slices.ContainsFunc(inputs, func(in tx.Input) bool { return same(&in, i) }) {
			return true
		}
	}
	return false
}

// DecideBlocks says what blocks change, given that they follow the wallet's tip. top is the index of the chain's last block
// as far as known. ErrGap when the blocks do not follow; a *keys.WantedError for key images that only another place can make, a
// *SearchError for transactions that must be looked through first: after that it is to be asked again.
func (w *Wallet) DecideBlocks(blocks []Block, top uint64) (ChangeSet, []Event, error) {
	clear := false
	if _, begun := w.chain.tip(); !begun && len(w.outputs) > 0 && len(blocks) > 0 {
		w, clear = w.fresh(), true
	}
	d, tell := newDraft(w), w.newTeller()
	d.change.Clear = clear
	d.blind = w.blind()
	ids := make([]BlockID, len(blocks))
	next, checked := uint64(0), false
	if tip, ok := w.chain.tip(); ok {
		next, checked = tip.Height+1, true
	}
	for i := range blocks {
		b := &blocks[i]
		if checked && b.Height != next {
			return ChangeSet{}, nil, say.Errorf("%w: block %d after %d", ErrGap, b.Height, next-1)
		}
		next, checked = b.Height+1, true
		ids[i] = b.BlockID
		d.block = b
		for j := range b.Txs {
			spends, payments := len(d.change.Spends), len(d.change.Payments)
			if err := d.apply(&b.Txs[j], b, j == 0); err != nil {
				return ChangeSet{}, nil, err
			}
			for _, s := range d.change.Spends[spends:] {
				tell.confirmed(spendNotice(&s, NoticeConfirmed))
			}
			for _, p := range d.change.Payments[payments:] {
				tell.confirmed(paymentNotice(&p, NoticeConfirmed))
			}
		}
		tell.end(b)
		d.change.Time = max(d.change.Time, b.Timestamp)
	}
	if err := d.lacks(); err != nil {
		return ChangeSet{}, nil, err
	}
	d.change.Blocks = worthKeeping(ids, top)
	if n := len(blocks); n > 0 && len(blocks[n-1].Txs) > 0 {
		for _, o := range blocks[n-1].Txs[0].Tx.Outputs {
			d.change.Reward += o.Amount
		}
		d.change.Total = blocks[n-1].total()
	}
	return ChangeSet{Chain: d.change, Notices: NoticeChange{Add: tell.told}}, d.events, nil
}

// total returns how many RingCT outputs the chain has up to and including b, by the indices of its last one; 0 when it has none.
func (b *Block) total() uint64 {
	for i := len(b.Txs) - 1; i >= 0; i-- {
		if t := &b.Txs[i]; t.Tx.Version >= 2 && len(t.Indices) > 0 {
			return t.Indices[len(t.Indices)-1] + 1
		}
	}
	return 0
}

// DecideDetach drops every block at or above height, because the chain took another way there. What this wallet sent
// in those blocks is pending again, as of now, POSIX seconds.
func (w *Wallet) DecideDetach(height, now uint64) (ChangeSet, []Event) {
	c := w.detaching(height, now)
	c.Notices.Add = w.detached(height)
	return c, []Event{{Kind: Reorganised, Height: height}}
}

func (w *Wallet) detaching(height, now uint64) ChangeSet {
	c := ChangeSet{Chain: ChainChange{Detach: &height}}
	for _, s := range w.Spends() {
		if _, ours := w.sent[s.TxID]; ours && s.Height >= height {
			c.User.States = append(c.User.States, SendChange{TxID: s.TxID, State: SendPending, SentAt: now})
		}
	}
	return c
}

// DecidePool says what the pool's transactions hold for the wallet, and which of them are news. now is POSIX seconds. A
// *keys.WantedError or *SearchError is as in DecideBlocks.
func (w *Wallet) DecidePool(txs []Tx, now uint64) ([]PoolTx, []Event, error) {
	var out []PoolTx
	var events []Event
	var wanted []keys.Output
	var search *SearchError
	for i := range txs {
		d := newDraft(w) // pool transactions do not build on each other: an output must be ten blocks old
		if err := d.apply(&txs[i], &Block{Timestamp: now, Version: ignoreLongIDs}, false); err != nil {
			return nil, nil, err
		}
		wanted, search = append(wanted, d.wanted...), search.lacking(d)
		p := PoolTx{TxID: txs[i].ID, Payments: d.change.Payments}
		if len(d.change.Spends) > 0 {
			p.Spend = &d.change.Spends[0]
		}
		if len(p.Payments) == 0 && p.Spend == nil {
			continue
		}
		known := w.pool[p.TxID]
		for j := range p.Payments {
			p.Payments[j].DoubleSpendSeen = txs[i].DoubleSpendSeen
			if known == nil {
				events = append(events, Event{MoneyInPool, p.TxID, p.Payments[j].Amount, 0, p.Payments[j].Address})
			} else {
				p.Payments[j].Timestamp = known.firstSeen(now)
			}
		}
		if p.Spend != nil && known != nil {
			p.Spend.Timestamp = known.firstSeen(now)
		}
		out = append(out, p)
	}
	if search != nil {
		return nil, nil, search
	}
	if len(wanted) > 0 {
		return nil, nil, &keys.WantedError{Outputs: wanted}
	}
	return out, events, nil
}

func (p *PoolTx) firstSeen(now uint64) uint64 {
	if len(p.Payments) > 0 {
		return p.Payments[0].Timestamp
	}
	if p.Spend != nil {
		return p.Spend.Timestamp
	}
	return now
}

// poolPatience is how long a transaction may be missing from the pool before it counts as failed, in seconds.
// Source: src/wallet/wallet2.cpp, process_unconfirmed_transfer, tx_propagation_timeout.
const poolPatience = 500

// Overdue reports whether the pool has lacked the transaction for so long that it has failed unless a block holds it.
// now is POSIX seconds.
func (s *Sent) Overdue(now uint64) bool {
	return s.State == SendPending && now > s.SentAt+poolPatience
}

// DecideSends moves sent transactions between their states by what the daemon's pool holds. An overdue one has failed once
// explained holds it: the blocks that may contain it were read after it was missed in the pool. now is POSIX seconds.
func (w *Wallet) DecideSends(inPool, explained func(xmr.Hash) bool, now uint64) ChangeSet {
	var u UserChange
	for _, s := range w.Unmined() {
		switch seen := inPool(s.TxID); {
		case seen && s.State != SendInPool:
			u.States = append(u.States, SendChange{TxID: s.TxID, State: SendInPool})
		case !seen && s.State == SendInPool:
			// It may be on its way into a block, or was dropped: it gets the same time as a new one.
			u.States = append(u.States, SendChange{TxID: s.TxID, State: SendPending, SentAt: now})
		case !seen && s.Overdue(now) && explained(s.TxID):
			u.States = append(u.States, SendChange{TxID: s.TxID, State: SendFailed,
				Reason: "the daemon's transaction pool no longer holds it"})
		}
	}
	for id := range w.pool { // what another program saw in a block that is gone
		if s := w.sent[id]; s != nil && s.State == SendMined && w.spends[id] == nil && inPool(id) {
			u.States = append(u.States, SendChange{TxID: id, State: SendInPool})
		}
	}
	return ChangeSet{User: u}
}

// draft is the wallet as it will be when the change under way is committed.
type draft struct {
	w        *Wallet
	block    *Block // under way; nil for the pool
	change   ChainChange
	events   []Event
	accounts [][]string
	table    *table                    // what the wallet's own lacks
	byKey    map[xmr.PublicKey]*Output // best output of a key, of this change
	byImage  map[imageBegin]*Output    // likewise
	spentAt  map[xmr.KeyImage]uint64   // by this change
	blind    map[member]bool           // outputs without a key image, where transactions are noted for later; or nil
	wanted   []keys.Output             // whose key images only the place of the spend key can make: the draft is of no use then
	search   []*Wide                   // that must be looked through first: likewise
}

// want notes what err says is wanted, so that all is asked for at once; another error it returns.
func (d *draft) want(err error) error {
	var w *keys.WantedError
	if !errors.As(err, &w) {
		return err
	}
	d.wanted = append(d.wanted, w.Outputs...)
	return nil
}

// lacks returns what the draft lacks to be decided on, as an error.
func (d *draft) lacks() error {
	if len(d.search) > 0 {
		return (*SearchError)(nil).lacking(d)
	}
	if len(d.wanted) == 0 {
		return nil
	}
	return &keys.WantedError{Outputs: d.wanted}
}

func newDraft(w *Wallet) *draft {
	return &draft{w: w, byKey: map[xmr.PublicKey]*Output{}, byImage: map[imageBegin]*Output{}, spentAt: map[xmr.KeyImage]uint64{}}
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

// use notes that address i received something, and reports whether it is new; the table then grows at once, so that
// what it now covers is found.
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
	d.table.grow(d.w.origin.Keys, d.w.lookahead, counts)
	d.change.Used = append(d.change.Used, i)
	return true
}

func (d *draft) outputByKey(k xmr.PublicKey) *Output {
	if o := d.byKey[k]; o != nil {
		return o
	}
	if n, ok := d.w.byKey[k]; ok {
		return &d.w.outputs[n]
	}
	return nil
}

// spentBy returns the output that an input spends.
func (d *draft) spentBy(in *tx.Input) *Output {
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

// supersedes is Wallet.supersedes with the spends of this change. What its own block spends is spent, wherever in the
// block: only heights are remembered, and entering the same outputs again must come to the same end.
func (d *draft) supersedes(later, earlier *Output) bool {
	if d.block == nil && d.w.IsSpent(earlier, true) {
		return false // what is in the pool comes after all that is in blocks
	}
	if earlier.ImageKnown && d.block != nil && d.block.spends(earlier.Image) {
		return false
	}
	if h, ok := d.spentAt[earlier.Image]; ok && earlier.ImageKnown && h <= later.Height {
		return false
	}
	return d.w.supersedes(later, earlier)
}

// apply adds what one transaction does.
// Source: src/wallet/wallet2.cpp, process_new_transaction.
func (d *draft) apply(t *Tx, b *Block, miner bool) error {
	had := len(d.change.Outputs)
	got, err := d.receive(t, b, miner)
	if err != nil {
		return err
	}
	spend, err := d.spend(t, b, got)
	if err != nil {
		return err
	}
	if d.blind != nil {
		d.note(t, b, spend != nil, d.change.Outputs[had:])
	}

	// What returns to the spending account is change, whichever of its addresses it came to.
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
	id := paymentID(t, b.Version)
	for _, r := range got {
		total, err := xmr.Sum(r.amounts...)
		if err != nil {
			return say.Errorf("%w: %s", ErrAmounts, t.ID)
		}
		d.change.Payments = append(d.change.Payments, Payment{
			TxID: t.ID, PaymentID: id, Amount: total, Amounts: r.amounts, Fee: fee, Height: b.Height,
			Timestamp: b.Timestamp, UnlockTime: t.Tx.UnlockTime, Coinbase: miner, Address: r.address,
		})
	}
	return nil
}

// received is what one transaction brought to one address.
type received struct {
	address keys.Index
	amounts []uint64
}

// match is a candidate that is the wallet's.
type match struct {
	*scan.Candidate
	address keys.Index
	amount  uint64
	mask    [32]byte
}

// own returns the outputs of t that are the wallet's, in order. What one of them makes the table grow to is looked for
// again among the others. Each output counts once, however many public keys find it.
func (d *draft) own(t *Tx) []match {
	candidates := t.found().Candidates
	found := make([]*match, len(candidates))
	taken := map[int]bool{}
	for grew := true; grew; {
		grew = false
		for n := range candidates {
			c := &candidates[n]
			i, ours := d.indexOf(c.SpendKey)
			if !ours || taken[c.Output] {
				continue
			}
			amount, mask, ok := scan.Amount(t.Tx, c.Output, c.Derivation)
			if !ok {
				continue
			}
			taken[c.Output] = true
			found[n] = &match{c, i, amount, mask}
			grew = d.use(i) || grew
		}
	}
	var out []match
	for _, m := range found {
		if m != nil {
			out = append(out, *m)
		}
	}
	return out
}

func (d *draft) receive(t *Tx, b *Block, miner bool) ([]received, error) {
	if t.found() == nil {
		d.sought(t)
		return nil, nil
	}
	var got []received
	own := d.own(t)
	d.sought(t)
	for _, m := range own {
		o := Output{
			TxID: t.ID, Index: uint64(m.Output), Amount: m.amount, Mask: m.mask, Key: t.Tx.Outputs[m.Output].Key,
			Address: m.address, Derivation: m.Derivation, Height: b.Height, Timestamp: b.Timestamp,
			UnlockTime: t.Tx.UnlockTime, Coinbase: miner,
			RingCT: t.Tx.Outputs[m.Output].Amount == 0 || miner && t.Tx.Version >= 2,
		}
		if t.Indices != nil {
			if m.Output >= len(t.Indices) {
				return nil, say.Errorf("wallet: transaction %s lacks the global index of output %d", t.ID, m.Output)
			}
			o.Global = t.Indices[m.Output]
		}
		var err error
		o.Image, o.ImageKnown, err = d.w.origin.Keys.KeyImage(m.Derivation, o.Index, m.address, o.Key)
		if err != nil {
			if err = d.want(err); err != nil {
				return nil, err
			}
		}
		d.w.told(&o)
		if credit := d.add(&o); credit > 0 {
			got = credited(got, m.address, credit)
		}
	}
	return got, nil
}

// add enters o and returns what it adds to the wallet's money: nothing when its key is known and the known output
// counts, only the difference when it takes that one's place.
func (d *draft) add(o *Output) uint64 {
	credit := o.Amount
	if old := d.outputByKey(o.Key); old != nil {
		if old.TxID == o.TxID && old.Index == o.Index {
			return 0
		}
		if !d.supersedes(o, old) {
			d.change.Outputs = append(d.change.Outputs, *o)
			d.events = append(d.events, Event{BurntOutput, o.TxID, o.Amount, o.Height, o.Address})
			return 0
		}
		credit -= old.Amount
		d.events = append(d.events, Event{BurntOutput, old.TxID, old.Amount, old.Height, old.Address})
	}
	d.change.Outputs = append(d.change.Outputs, *o)
	d.byKey[o.Key] = o
	if o.ImageKnown {
		d.byImage[begin(o.Image)] = o
	}
	d.events = append(d.events, Event{MoneyReceived, o.TxID, credit, o.Height, o.Address})
	return credit
}

func credited(got []received, i keys.Index, amount uint64) []received {
	for j := range got {
		if got[j].address == i {
			got[j].amounts = append(got[j].amounts, amount)
			return got
		}
	}
	return append(got, received{i, []uint64{amount}})
}

// spend enters the transaction when it spends the wallet's outputs, and returns it.
func (d *draft) spend(t *Tx, b *Block, got []received) (*Spend, error) {
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
			return nil, say.Errorf("%w: %s", ErrAmounts, t.ID)
		}
		s.Account = o.Address.Major
		if !slices.Contains(s.Indices, o.Address.Minor) {
			s.Indices = append(s.Indices, o.Address.Minor)
		}
		image := in.KeyImage
		if in.Short {
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
				return nil, say.Errorf("%w: %s", ErrAmounts, t.ID)
			}
			s.Change = sum
		}
	}
	s.PaymentID = plainPaymentID(t.Tx)
	d.change.Spends = append(d.change.Spends, *s)
	d.events = append(d.events, Event{Kind: MoneySpent, TxID: t.ID, Amount: s.AmountIn, Height: b.Height,
		Address: keys.Index{Major: s.Account}})
	return s, nil
}

// transactionFee returns the fee of t. Before RingCT it is what the inputs exceed the outputs by, which needs all
// inputs to be the wallet's.
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

// ignoreLongIDs is the hard fork from which unencrypted payment IDs no longer count.
// Source: src/wallet/wallet2.cpp, IGNORE_LONG_PAYMENT_ID_FROM_BLOCK_VERSION.
const ignoreLongIDs = 12

// paymentID returns the ID that came with a transaction; a short one is opened with the view key.
func paymentID(t *Tx, version uint8) xmr.Hash {
	extra, _ := tx.ParseExtra(t.Tx.Extra)
	var id xmr.Hash
	switch {
	case extra.EncryptedPaymentID != nil:
		if main := t.found().Main; main != [32]byte{} {
			open := keys.SealPaymentID(main, *extra.EncryptedPaymentID)
			copy(id[:], open[:])
		}
	case extra.PaymentID != nil && version < ignoreLongIDs:
		id = *extra.PaymentID
	}
	return id
}

// plainPaymentID returns an unencrypted payment ID of old.
func plainPaymentID(t *tx.Transaction) xmr.Hash {
	extra, _ := tx.ParseExtra(t.Extra)
	if extra.PaymentID != nil {
		return *extra.PaymentID
	}
	return xmr.Hash{}
}
