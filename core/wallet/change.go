package wallet

import (
	"cmp"

	"glim/core/internal/order"
	"glim/core/keys"
	"glim/core/xmr"
)

// ChangeSet is one change of a wallet: what a decision returns, a log holds and Commit applies. Its parts are kept apart, so that
// what the chain gives back can be thrown away without losing what only the user has, and what was told.
type ChangeSet struct {
	User    UserChange
	Chain   ChainChange
	Notices NoticeChange
}

// UserChange is what no chain gives back.
type UserChange struct {
	Lookahead *Lookahead   `json:"lookahead"`
	Labels    []Label      `json:"labels"`
	Sent      []Sent       `json:"sent"`   // added, or replaced by ID
	Drafts    []Sent       `json:"drafts"` // likewise
	States    []SendChange `json:"states"`
	Freeze    []Freeze     `json:"freeze"`
	Notes     []Note       `json:"notes"`
	Attrs     []Attribute  `json:"attributes"`
	Book      []BookChange `json:"book"`
	Tags      []TagChange  `json:"tags"`
	Described []Attribute  `json:"described"` // tags with their descriptions
	Images    []KnownImage `json:"images"`    // added, or replaced by key
	TxKeys    []TxKey      `json:"tx_keys"`
	Hidden    []Hidden     `json:"hidden"`                  // replaced by key
	Reread    bool         `json:"reread" epee:"omitempty"` // the owner has the chain read again
	Takeover  *Takeover    `json:"takeover"`

	Background *Background `json:"background"`

	MaxReorgDepth *uint64 `json:"max_reorg_depth"` // see Wallet.MaxReorgDepth

	EnableMultisig bool           `json:"enable_multisig"` // never taken back
	Nonces         []OutputNonces `json:"nonces"`          // replaced by key; without secrets they are used up
	Told           []OutputTold   `json:"told"`            // replaced by key
}

// Label sets the label of an address, which exists from then on with all before it.
type Label struct {
	Index keys.Index `json:"index"`
	Text  string     `json:"text"`
}

// SendChange moves a sent transaction to another state.
type SendChange struct {
	TxID   xmr.Hash  `json:"txid"`
	State  SendState `json:"state"`
	Reason string    `json:"reason"`
	SentAt uint64    `json:"sent_at"` // when it was pending anew; 0 leaves it
}

// Freeze freezes the output with this key, or thaws it.
type Freeze struct {
	Key  xmr.PublicKey `json:"key"`
	Thaw bool          `json:"thaw"`
}

// ChainChange is what scanning found. Its parts apply in this order.
type ChainChange struct {
	Clear    bool         `json:"clear"`  // forget everything scanned
	Detach   *uint64      `json:"detach"` // then drop every block at or above this index
	Rescan   bool         `json:"rescan"` // Detach is for the blocks to be read again; what they held is awaited
	Rewind   *uint64      `json:"rewind"` // then drop what was found at or above this index; the blocks stay
	Used     []keys.Index `json:"used"`   // then make these addresses exist
	Spends   []Spend      `json:"spends"`
	Outputs  []Output     `json:"outputs" epee:"blob"` // those with a key already known compete with it, see supersedes
	Payments []Payment    `json:"payments"`
	Blocks   []BlockID    `json:"blocks"`
	Reward   uint64       `json:"reward"`                 // of the last of Blocks, atomic units
	Total    uint64       `json:"total" epee:"omitempty"` // RingCT outputs of the chain up to and including the last of Blocks; 0 when not known
	Time     uint64       `json:"time"`                   // highest timestamp of the blocks read, POSIX seconds

	// Of a wallet whose spend key is elsewhere.
	NotedFrom *uint64 `json:"noted_from"` // since which block it notes
	Noted     []Noted `json:"noted"`

	Accounts []uint32 `json:"accounts"`              // keep so many addresses of each account; empty for all
	Peak     uint64   `json:"peak" epee:"omitempty"` // index of the highest block read, where that is not the tip
	Awaited  *BlockID `json:"awaited"`               // a block to be read again that has to be the same
}

// Heights returns the indices of the blocks that the change knows something of the wallet from.
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
	return u.Takeover == nil && u.Lookahead == nil && u.Background == nil && u.MaxReorgDepth == nil &&
		!u.EnableMultisig && !u.Reread && len(u.Labels)+len(u.Sent)+len(u.Drafts)+len(u.States)+len(u.Freeze)+
		len(u.Notes)+len(u.Attrs)+len(u.Book)+len(u.Tags)+len(u.Described)+len(u.Images)+len(u.TxKeys)+len(u.Nonces)+
		len(u.Told)+len(u.Hidden) == 0
}

func (c *ChainChange) empty() bool {
	return !c.Clear && c.Detach == nil && c.Rewind == nil && c.NotedFrom == nil && c.Peak == 0 && c.Awaited == nil &&
		len(c.Used)+len(c.Outputs)+len(c.Spends)+len(c.Payments)+len(c.Blocks)+len(c.Noted)+len(c.Accounts) == 0
}

// Commit applies c. It cannot fail: what may not happen was refused by the decision that made c.
func (w *Wallet) Commit(c ChangeSet) {
	g := w.Growth(&c)
	for w.Extend(&g) {
	}
	w.CommitGrown(c, g)
}

// CommitGrown is Commit for an owner whom others wait for: he makes g, with Growth, before they have to, and hands its parts
// over, with Extend, before this.
func (w *Wallet) CommitGrown(c ChangeSet, g Growth) {
	w.copied = false
	w.commitUser(&c.User)
	w.notices.commit(&c.Notices)
	w.commitChain(&c.Chain)
	if g.instead != nil {
		w.table = g.instead
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
	w.lookAhead()
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
		t.Base = own(t.Base)
		w.takeover = &t
	}
	for _, l := range u.Labels {
		w.use(l.Index)
		w.make(l.Index)
		w.accounts[l.Index.Major][l.Index.Minor] = l.Text
	}
	for i := range u.Sent {
		s := u.Sent[i]
		s.Blob = own(s.Blob)
		w.keepName(&s)
		w.putSent(&s)
		delete(w.payees, s.TxID)
		delete(w.drafts, s.TxID)
		w.make(keys.Index{Major: s.Account})
		for _, minor := range s.Indices {
			w.make(keys.Index{Major: s.Account, Minor: minor})
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
	w.commitHidden(u)
	w.papers.commit(u)
	for _, t := range u.Tags {
		w.make(keys.Index{Major: t.Account})
	}
	if u.Background != nil {
		w.background = *u.Background
		w.background.Lock = own(w.background.Lock)
	}
	w.multisigEnabled = w.multisigEnabled || u.EnableMultisig
	w.commitCosigning(u)
}

// own copies b, which in a change that was read is a part of the log and would keep all of it in memory. Nothing becomes nil.
func own(b []byte) []byte { return append([]byte(nil), b...) }

func (w *Wallet) putSent(s *Sent) {
	w.sent[s.TxID] = s
	switch sp := w.spends[s.TxID]; {
	case sp == nil && s.State == SendMined:
		delete(w.unmined, s.TxID)
	case sp == nil:
		w.unmined[s.TxID] = s
	case sp.Height <= w.shedTo:
		w.shedSent(sp)
	}
}

// use makes the address i exist, with every account and address before it.
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
		w.reward, w.total = c.Reward, c.Total
	}
	w.keep(c.Accounts)
	w.shed()
	if !c.empty() {
		w.followLocks(c)
	}
}

// supersedes decides between two outputs of one key, of which the chain lets only one be spent: the larger, unless the
// other was already spent when the larger appeared.
// Source: src/wallet/wallet2.cpp, process_new_transaction.
func (w *Wallet) supersedes(later, earlier *Output) bool {
	if id, ok := w.SpentBy(earlier); ok && w.spends[id].Height <= later.Height {
		return false
	}
	return later.Amount > earlier.Amount
}

// allOutputs returns the outputs, each with its twins beside it, such that entering them again gives the same wallet.
func (w *Wallet) allOutputs() []Output {
	if len(w.twins) == 0 {
		return w.outputs
	}
	twins := map[xmr.PublicKey][]Output{}
	for _, o := range w.twins {
		twins[o.Key] = append(twins[o.Key], o)
	}
	var all []Output
	for _, o := range w.outputs {
		family := append([]Output{o}, twins[o.Key]...)
		order.Stable(family, func(a, b Output) int { return cmp.Compare(a.Height, b.Height) })
		all = append(all, family...)
	}
	return all
}

// reserve recomputes which outputs are held by transactions on their way. Of two that claim one output, as when one that
// was given up turns up in a pool, the older holds it.
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

// leavePool drops what is in a block now, so that nothing counts twice until the pool is looked at again.
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
	w.lookAhead()
}
