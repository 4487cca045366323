package wallet

import (
	"cmp"

	"glim/core/internal/smallsort"
	"glim/core/keys"
	"glim/core/xmr"
)

// ChangeSet is one change of a wallet: the result of a decision, the content of a log record, and the argument of
// Commit. Its parts are separate so that everything recoverable from the chain can be discarded without losing user
// data and notices.
type ChangeSet struct {
	User    UserChange
	Chain   ChainChange
	Notices NoticeChange
}

// UserChange is the part of a change that cannot be recovered from the chain.
type UserChange struct {
	Lookahead   *Lookahead   `json:"lookahead"`
	Labels      []Label      `json:"labels"`
	Sent        []Sent       `json:"sent"`   // added, or replaced by ID
	Drafts      []Sent       `json:"drafts"` // added, or replaced by ID
	States      []SendChange `json:"states"`
	Freeze      []Freeze     `json:"freeze"`
	Notes       []Note       `json:"notes"`
	Attrs       []Attribute  `json:"attributes"`
	Book        []BookChange `json:"book"`
	Tags        []TagChange  `json:"tags"`
	Described   []Attribute  `json:"described"` // descriptions by tag
	Images      []KnownImage `json:"images"`    // added, or replaced by key
	TxKeys      []TxKey      `json:"tx_keys"`
	RingRecords []RingRecord `json:"hidden"`                  // replaced by key
	Reread      bool         `json:"reread" epee:"omitempty"` // the owner had the chain scanned again
	Takeover    *Takeover    `json:"takeover"`
	Shared      *SharedCache `json:"shared" epee:"omitempty"`

	Background *Background `json:"background"`

	MaxReorgDepth *uint64 `json:"max_reorg_depth"` // see Wallet.MaxReorgDepth

	EnableMultisig bool `json:"enable_multisig"` // never undone
	// Replaced by key; an entry without secrets removes used nonces.
	Nonces         []OutputNonces   `json:"nonces"`
	CosignerNonces []CosignerNonces `json:"told"` // replaced by key
}

// Label sets the label of an address and creates that address and all before it.
type Label struct {
	Index keys.Index `json:"index"`
	Text  string     `json:"text"`
}

// SendChange moves a sent transaction to another state.
type SendChange struct {
	TxID   xmr.Hash  `json:"txid"`
	State  SendState `json:"state"`
	Reason string    `json:"reason"`
	SentAt uint64    `json:"sent_at"` // POSIX seconds at which it became pending again; 0 leaves the time
}

// Freeze freezes or thaws the output with this key.
type Freeze struct {
	Key  xmr.PublicKey `json:"key"`
	Thaw bool          `json:"thaw"`
}

// ChainChange is the part of a change found by scanning. Its fields apply in the order of commitChain.
type ChainChange struct {
	Clear  bool         `json:"clear"`  // forget everything scanned
	Detach *uint64      `json:"detach"` // drop every block from this index on
	Rescan bool         `json:"rescan"` // Detach is for scanning the same blocks again; their transfers are awaited
	Rewind *uint64      `json:"rewind"` // drop what was found from this index on, but keep the blocks
	Used   []keys.Index `json:"used"`   // create these addresses
	Spends []Spend      `json:"spends"`
	// One with a known key competes with the known output, see supersedes.
	Outputs  []OwnedOutput `json:"outputs" epee:"blob"`
	Payments []Payment     `json:"payments"`
	Blocks   []BlockID     `json:"blocks"`
	Reward   uint64        `json:"reward"` // block reward of the last of Blocks, atomic units
	// RingCT outputs up to and including the last of Blocks; 0 if unknown.
	Total  uint64 `json:"total" epee:"omitempty"`
	Forked bool   `json:"forked" epee:"omitempty"` // the last of Blocks is of the next hard fork
	Time   uint64 `json:"time"`                    // highest lockTime of the scanned blocks, POSIX seconds

	// Of background syncing.
	NotedFrom *uint64 `json:"noted_from"` // index of the block from which transactions are recorded
	Noted     []Noted `json:"noted"`

	// Reduce each account to this number of addresses; empty for no change.
	Accounts []uint32 `json:"accounts"`
	Peak     uint64   `json:"peak" epee:"omitempty"` // index of the highest block ever scanned, if that is not the tip
	Awaited  *BlockID `json:"awaited"`               // a block that must be the same when it is scanned again
}

// Heights returns the indices of the blocks from which c has outputs, spends or payments.
func (c *ChainChange) Heights() map[uint64]bool {
	at := map[uint64]bool{}
	for i := range c.Outputs {
		at[c.Outputs[i].Height] = true
	}
	for i := range c.Spends {
		at[c.Spends[i].Height] = true
	}
	for i := range c.Payments {
		at[c.Payments[i].Height] = true
	}
	return at
}

// Empty reports whether the change does nothing.
func (c *ChangeSet) Empty() bool { return c.User.empty() && c.Chain.empty() && c.Notices.empty() }

func (u *UserChange) empty() bool {
	return u.Takeover == nil && u.Shared == nil && u.Lookahead == nil && u.Background == nil &&
		u.MaxReorgDepth == nil && !u.EnableMultisig && !u.Reread &&
		len(u.Labels)+len(u.Sent)+len(u.Drafts)+len(u.States)+len(u.Freeze)+len(u.Notes)+len(u.Attrs)+len(u.Book)+
			len(u.Tags)+len(u.Described)+len(u.Images)+len(u.TxKeys)+len(u.Nonces)+len(u.CosignerNonces)+
			len(u.RingRecords) == 0
}

func (c *ChainChange) empty() bool {
	return !c.Clear && c.Detach == nil && c.Rewind == nil && c.NotedFrom == nil && c.Peak == 0 && c.Awaited == nil &&
		len(c.Used)+len(c.Outputs)+len(c.Spends)+len(c.Payments)+len(c.Blocks)+len(c.Noted)+len(c.Accounts) == 0
}

// Commit applies c. It cannot fail: the decision that made c has checked it.
func (w *Wallet) Commit(c ChangeSet) {
	g := w.Growth(&c)
	for w.Extend(&g) {
	}
	w.CommitGrown(c, g)
}

// CommitGrown is Commit for an owner with concurrent readers. The owner computes g with Growth while readers
// continue, and applies it in parts with Extend, before calling CommitGrown.
func (w *Wallet) CommitGrown(c ChangeSet, g Growth) {
	w.copied = false
	w.revise(&c)
	w.commitUser(&c.User)
	w.notices.commit(&c.Notices)
	w.commitChain(&c.Chain)
	if g.replacement != nil {
		w.table = g.replacement
	}
	if w.replaying {
		return
	}
	if len(c.User.Sent)+len(c.User.States)+len(c.Chain.Spends) > 0 ||
		c.Chain.Clear || c.Chain.Detach != nil || c.Chain.Rewind != nil {
		w.reserve()
	}
	if w.ledger.shared {
		w.recount()
	} else {
		w.settle()
		w.ledger.sort()
	}
	w.updatePending()
}

func (w *Wallet) commitUser(u *UserChange) {
	if u.Lookahead != nil {
		w.lookahead = *u.Lookahead
	}
	if u.MaxReorgDepth != nil {
		w.maxReorgDepth = *u.MaxReorgDepth
	}
	if u.Takeover != nil {
		t := *u.Takeover
		t.Base = copyBytes(t.Base)
		w.takeover, w.shared = &t, nil
	}
	if u.Shared != nil {
		s := *u.Shared
		s.Base = copyBytes(s.Base)
		w.shared = &s
	}
	for _, l := range u.Labels {
		w.use(l.Index)
		w.markMade(l.Index)
		w.accounts[l.Index.Major][l.Index.Minor] = l.Text
	}
	for i := range u.Sent {
		s := u.Sent[i]
		s.Blob = copyBytes(s.Blob)
		w.keepRequest(&s)
		w.putSent(&s)
		delete(w.payees, s.TxID)
		delete(w.drafts, s.TxID)
		w.markMade(keys.Index{Major: s.Account})
		for _, minor := range s.Indices {
			w.markMade(keys.Index{Major: s.Account, Minor: minor})
		}
	}
	for i := range u.Drafts {
		if s := u.Drafts[i]; w.sent[s.TxID] == nil {
			w.drafts[s.TxID] = &s
		}
	}
	for _, c := range u.States {
		if s := w.sent[c.TxID]; s != nil {
			n := *s
			n.State, n.Reason = c.State, c.Reason
			if c.SentAt != 0 {
				n.SentAt = c.SentAt
			}
			w.putSent(&n)
		}
	}
	for _, f := range u.Freeze {
		if f.Thaw {
			delete(w.frozen, f.Key)
		} else {
			w.frozen[f.Key] = true
		}
		if n, ok := w.byKey[f.Key]; ok {
			w.enter(n)
		}
	}
	w.putImages(u.Images)
	for _, k := range u.TxKeys {
		w.txKeys[k.TxID] = k
	}
	w.commitRingRecords(u)
	w.annotations.commit(u)
	for _, t := range u.Tags {
		w.markMade(keys.Index{Major: t.Account})
	}
	if u.Background != nil {
		w.background = *u.Background
		w.background.Lock = copyBytes(w.background.Lock)
	}
	w.multisigEnabled = w.multisigEnabled || u.EnableMultisig
	w.commitCosigning(u)
}

// copyBytes returns a copy of b. Slices in a decoded change alias the log record and would keep all of it in memory.
// The result is nil only if b is empty.
func copyBytes(b []byte) []byte { return append([]byte(nil), b...) }

func (w *Wallet) putSent(s *Sent) {
	w.sent[s.TxID] = s
	switch sp := w.spends[s.TxID]; {
	case sp == nil && s.State == SendMined:
		delete(w.unmined, s.TxID)
	case sp == nil:
		w.unmined[s.TxID] = s
	case sp.Height <= w.prunedTo:
		w.pruneSent(sp)
	}
}

// use creates the address i, with every account and address before it.
// Source: src/wallet/wallet2.cpp, expand_subaddresses.
func (w *Wallet) use(i keys.Index) { w.accounts = grown(w.accounts, i) }

func grown(accounts [][]string, i keys.Index) [][]string {
	for uint32(len(accounts)) <= i.Major {
		accounts = append(accounts, []string{"Untitled account"})
	}
	for uint32(len(accounts[i.Major])) <= i.Minor {
		accounts[i.Major] = append(accounts[i.Major], "")
	}
	return accounts
}

func (w *Wallet) commitChain(c *ChainChange) {
	if c.Clear {
		w.notices.await(w.transfers(0))
		w.clearChain()
	}
	switch {
	case c.Detach == nil:
	case c.Rescan:
		w.notices.await(w.transfers(*c.Detach))
		w.detach(*c.Detach)
	default:
		w.notices.mark.Height = min(w.notices.mark.Height, *c.Detach)
		w.detach(*c.Detach)
	}
	if c.Rewind != nil {
		w.drop(*c.Rewind)
	}
	for _, i := range c.Used {
		w.use(i)
	}
	w.putSpends(c.Spends)
	for _, o := range c.Outputs {
		w.putOutput(o)
	}
	w.putPayments(c.Payments)
	w.noted.commit(c)
	w.leavePool(c)
	w.chain.peak = max(w.chain.peak, c.Peak)
	if c.Awaited != nil {
		w.chain.awaited = c.Awaited
	}
	if len(c.Blocks) > 0 {
		w.chain.extend(c.Blocks)
		w.reward, w.total, w.forked = c.Reward, c.Total, c.Forked
	}
	w.trimAddresses(c.Accounts)
	w.prune()
	if !c.empty() {
		w.followLocks(c)
	}
}

// supersedes reports whether later replaces earlier, an output with the same key. The chain lets only one of them be
// spent: the larger counts, unless the other was already spent when the larger appeared.
// Source: src/wallet/wallet2.cpp, process_new_transaction.
func (w *Wallet) supersedes(later, earlier *OwnedOutput) bool {
	if id, ok := w.SpentBy(earlier); ok && w.spends[id].Height <= later.Height {
		return false
	}
	return later.Amount > earlier.Amount
}

// allOutputs returns the outputs, each together with its burnt outputs, in an order in which putOutput rebuilds the
// same wallet.
func (w *Wallet) allOutputs() []OwnedOutput {
	if len(w.burnt) == 0 {
		return w.outputs
	}
	burnt := map[xmr.PublicKey][]OwnedOutput{}
	for _, o := range w.burnt {
		burnt[o.Key] = append(burnt[o.Key], o)
	}
	var all []OwnedOutput
	for _, o := range w.outputs {
		sameKey := append([]OwnedOutput{o}, burnt[o.Key]...)
		smallsort.Stable(sameKey, func(a, b OwnedOutput) int { return cmp.Compare(a.Height, b.Height) })
		all = append(all, sameKey...)
	}
	return all
}

// reserve recomputes which outputs pending transactions reserve. If two claim one output, as when a failed
// transaction reappears in the pool, the older one holds it.
func (w *Wallet) reserve() {
	w.reserved = map[xmr.KeyImage]xmr.Hash{}
	for id, s := range w.unmined {
		if s.State == SendFailed {
			continue
		}
		for _, image := range s.Images() {
			if holder, held := w.reserved[image]; !held || s.before(w.sent[holder]) {
				w.reserved[image] = id
			}
		}
	}
}

// leavePool removes transactions from the pool that are now in a block, so that none counts twice before the next
// pool refresh.
func (w *Wallet) leavePool(c *ChainChange) {
	if len(w.pool) == 0 {
		return
	}
	mined := map[xmr.Hash]bool{}
	for i := range c.Spends {
		mined[c.Spends[i].TxID] = true
	}
	for i := range c.Payments {
		mined[c.Payments[i].TxID] = true
	}
	var left []PoolTx
	for id, p := range w.pool {
		if !mined[id] {
			left = append(left, *p)
		}
	}
	if len(left) != len(w.pool) {
		w.SetPool(left)
	}
}

// SetPool replaces what is known of the daemon's pool.
func (w *Wallet) SetPool(txs []PoolTx) {
	w.pool, w.inPool = map[xmr.Hash]*PoolTx{}, map[xmr.KeyImage]xmr.Hash{}
	for i := range txs {
		p := txs[i]
		w.pool[p.TxID] = &p
		if p.Spend != nil {
			for _, image := range p.Spend.Images {
				w.inPool[image] = p.TxID
			}
		}
	}
	w.updatePending()
}
