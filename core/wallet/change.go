package wallet

import (
	"cmp"
	"errors"
	"slices"

	"glim/core/codec/epee"
	"glim/core/keys"
	"glim/core/multisig"
	"glim/core/order"
	"glim/core/say"
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
	Sent      []Sent       `json:"sent"` // added, or replaced by ID
	States    []SendChange `json:"states"`
	Freeze    []Freeze     `json:"freeze"`
	Notes     []Note       `json:"notes"`
	Attrs     []Attribute  `json:"attributes"`
	Book      []BookChange `json:"book"`
	Tags      []TagChange  `json:"tags"`
	Described []Attribute  `json:"described"` // tags with their descriptions
	Images    []KnownImage `json:"images"`    // added, or replaced by key
	TxKeys    []TxKey      `json:"tx_keys"`

	Background *Background `json:"background"`

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
	Reward   uint64       `json:"reward"` // of the last of Blocks, atomic units
	Time     uint64       `json:"time"`   // highest timestamp of the blocks read, POSIX seconds

	// Of a wallet whose spend key is elsewhere.
	NotedFrom *uint64 `json:"noted_from"` // since which block it notes
	Noted     []Noted `json:"noted"`
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
	return u.Lookahead == nil && u.Background == nil && !u.EnableMultisig && len(u.Labels)+len(u.Sent)+len(u.States)+len(u.Freeze)+len(u.Notes)+len(u.Attrs)+
		len(u.Book)+len(u.Tags)+len(u.Described)+len(u.Images)+len(u.TxKeys)+len(u.Nonces)+len(u.Told) == 0
}

func (c *ChainChange) empty() bool {
	return !c.Clear && c.Detach == nil && c.Rewind == nil && c.NotedFrom == nil &&
		len(c.Used)+len(c.Outputs)+len(c.Spends)+len(c.Payments)+len(c.Blocks)+len(c.Noted) == 0
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
	for _, l := range u.Labels {
		w.use(l.Index)
		w.accounts[l.Index.Major][l.Index.Minor] = l.Text
	}
	for i := range u.Sent {
		s := u.Sent[i]
		s.Blob = own(s.Blob)
		w.putSent(&s)
		delete(w.payees, s.TxID)
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
	w.papers.commit(u)
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
	if len(c.Blocks) > 0 {
		w.chain.extend(c.Blocks)
		w.reward = c.Reward
	}
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
		for image := range s.spent() {
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

// ErrRecord reports a log record that is none.
var ErrRecord = errors.New("wallet: not a record of this wallet")

// The first byte of a record says which parts of a change it holds.
const (
	recordOrigin  = 'o'
	recordUser    = 'u'
	recordChain   = 'c'
	recordBoth    = 'b' // user and chain
	recordNotices = 'n'
	recordAll     = 'a'
)

type bothChanges struct {
	User  UserChange  `json:"user"`
	Chain ChainChange `json:"chain"`
}

type allChanges struct {
	User    UserChange   `json:"user"`
	Chain   ChainChange  `json:"chain"`
	Notices NoticeChange `json:"notices"`
}

// Encode writes c as one log record.
func (c *ChangeSet) Encode() ([]byte, error) {
	switch {
	case c.Notices.empty():
	case c.User.empty() && c.Chain.empty():
		return epee.Append([]byte{recordNotices}, &c.Notices)
	default:
		return epee.Append([]byte{recordAll}, &allChanges{c.User, c.Chain, c.Notices})
	}
	switch {
	case c.Chain.empty():
		return epee.Append([]byte{recordUser}, &c.User)
	case c.User.empty():
		return epee.Append([]byte{recordChain}, &c.Chain)
	}
	return epee.Append([]byte{recordBoth}, &bothChanges{c.User, c.Chain})
}

// DecodeChange reads what Encode wrote, or ErrRecord. Blobs of the result alias b.
func DecodeChange(b []byte) (ChangeSet, error) {
	var c ChangeSet
	if len(b) == 0 {
		return c, ErrRecord
	}
	var err error
	switch b[0] {
	case recordUser:
		err = epee.UnmarshalOwn(b[1:], &c.User)
	case recordChain:
		err = epee.UnmarshalOwn(b[1:], &c.Chain)
	case recordBoth:
		var both bothChanges
		err = epee.UnmarshalOwn(b[1:], &both)
		c.User, c.Chain = both.User, both.Chain
	case recordNotices:
		err = epee.UnmarshalOwn(b[1:], &c.Notices)
	case recordAll:
		var all allChanges
		err = epee.UnmarshalOwn(b[1:], &all)
		c = ChangeSet(all)
	default:
		return c, ErrRecord
	}
	if err != nil {
		return ChangeSet{}, say.Errorf("%w: %w", ErrRecord, err)
	}
	return c, nil
}

type originRecord struct {
	Network       uint8       `json:"network"`
	Spend         keys.Secret `json:"spend"`
	SpendPublic   [32]byte    `json:"spend_public"`
	ViewOnly      bool        `json:"view_only"`
	View          keys.Secret `json:"view"`
	Language      string      `json:"language"`
	RestoreHeight uint64      `json:"restore_height"`
	Lookahead     Lookahead   `json:"lookahead"`
	Background    bool        `json:"background"`
	Words         []byte      `json:"words"`
	Multisig      []byte      `json:"multisig"`
	Enabled       bool        `json:"enable_multisig"`
	Elsewhere     bool        `json:"elsewhere"`     // the spend key is in another place
	Deterministic bool        `json:"deterministic"` // the view key follows from it
}

// EncodeOrigin writes what the wallet is made of, with the lookahead it starts from: the first record of a log.
// ErrLookahead when that is more than a wallet can hold.
func EncodeOrigin(o Origin, l Lookahead) ([]byte, error) {
	if !l.possible() {
		return nil, ErrLookahead
	}
	r := originRecord{
		Network: uint8(o.Network), SpendPublic: o.Keys.SpendPublic, View: o.Keys.ViewSecret(),
		Language: o.Language, RestoreHeight: o.RestoreHeight, Lookahead: l, Background: o.Background,
		Words: o.Words, Enabled: o.EnableMultisig,
	}
	defer clear(r.Spend[:])
	spend, ok := o.Keys.SpendSecret()
	r.Spend, r.ViewOnly = spend, !ok
	clear(spend[:])
	if o.Keys.Away() {
		r.Elsewhere, r.Deterministic, r.Words = true, o.Keys.Deterministic(), nil // words say what the spend key is
	}
	if o.Multisig != nil {
		r.Multisig = o.Multisig.Encode()
		defer clear(r.Multisig)
	}
	return epee.Append([]byte{recordOrigin}, &r)
}

// DecodeOrigin reads what EncodeOrigin wrote, or ErrRecord. Keys whose spend secret is elsewhere ask nobody yet.
func DecodeOrigin(b []byte) (Origin, Lookahead, error) {
	if len(b) == 0 || b[0] != recordOrigin {
		return Origin{}, Lookahead{}, ErrRecord
	}
	var r originRecord
	defer clear(r.Spend[:])
	if err := epee.Unmarshal(b[1:], &r); err != nil {
		return Origin{}, Lookahead{}, say.Errorf("%w: %w", ErrRecord, err)
	}
	if r.Network > uint8(xmr.Regtest) || !r.Lookahead.possible() || r.ViewOnly && len(r.Words) > 0 || r.Background && !r.ViewOnly ||
		r.Elsewhere && (!r.ViewOnly || r.Background || len(r.Multisig) > 0) || r.Deterministic && !r.Elsewhere {
		return Origin{}, Lookahead{}, ErrRecord
	}
	var k *keys.Keys
	var err error
	switch {
	case r.Elsewhere:
		k, err = keys.Elsewhere(r.View, r.SpendPublic, r.Deterministic)
	case r.ViewOnly:
		k, err = keys.ViewOnly(r.View, r.SpendPublic)
	default:
		k, err = keys.FromSecrets(r.Spend, r.View)
	}
	if err != nil {
		return Origin{}, Lookahead{}, say.Errorf("%w: %w", ErrRecord, err)
	}
	if k.SpendPublic != r.SpendPublic {
		return Origin{}, Lookahead{}, say.Errorf("%w: %w", ErrRecord, keys.ErrMismatch)
	}
	o := Origin{Network: xmr.Network(r.Network), Keys: k, Language: r.Language, RestoreHeight: r.RestoreHeight,
		Background: r.Background, Words: slices.Clone(r.Words), EnableMultisig: r.Enabled}
	if len(r.Multisig) > 0 {
		o.Multisig, err = multisig.Decode(r.Multisig)
		if err != nil {
			return Origin{}, Lookahead{}, say.Errorf("%w: %w", ErrRecord, err)
		}
		if !r.ViewOnly || r.Background || o.Multisig.Spend() != k.SpendPublic || o.Multisig.View() != k.ViewPublic {
			return Origin{}, Lookahead{}, say.Errorf("%w: %w", ErrRecord, keys.ErrMismatch)
		}
	}
	return o, r.Lookahead, nil
}

// reaches reports whether every address that c makes exist is one a decision could have meant: at most the next one, or
// one in view. So a record never makes a wallet much larger than itself.
func (w *Wallet) reaches(c *ChangeSet) bool {
	l, counts := w.lookahead, w.addressCounts()
	if c.User.Lookahead != nil {
		l = *c.User.Lookahead
	}
	reach := func(i keys.Index) bool {
		if i.Major > l.accountCount(counts) || i.Minor > l.addressCount(counts, i.Major) {
			return false
		}
		for uint32(len(counts)) <= i.Major {
			counts = append(counts, 1)
		}
		counts[i.Major] = max(counts[i.Major], i.Minor+1)
		return true
	}
	return l.possible() && c.Notices.possible() &&
		!slices.ContainsFunc(c.User.Labels, func(l Label) bool { return !reach(l.Index) }) &&
		!slices.ContainsFunc(c.Chain.Used, func(i keys.Index) bool { return !reach(i) })
}

// How many things a record of a snapshot holds at most, so that none grows beyond what a log takes: of those whose size
// is known, and of those with text or transactions in them.
const (
	partSmall = 4096
	partLarge = 64
	maxPart   = 1 << 24 // bytes from which a record is split further; a log takes four times as many
)

// Snapshot returns a short log that replays to w: the origin, the user's half, what was told, the chain's half.
func (w *Wallet) Snapshot() ([][]byte, error) {
	first, err := EncodeOrigin(w.origin, w.lookahead)
	if err != nil {
		return nil, err
	}
	s := snapshot{records: [][]byte{first}}
	var u UserChange
	for major, labels := range w.accounts {
		for minor, text := range labels {
			u.Labels = append(u.Labels, Label{keys.Index{Major: uint32(major), Minor: uint32(minor)}, text})
		}
	}
	for _, sent := range w.sent {
		u.Sent = append(u.Sent, *sent)
	}
	for key := range w.frozen {
		u.Freeze = append(u.Freeze, Freeze{Key: key})
	}
	w.papers.snapshot(&u)
	if w.background.Type != BackgroundOff {
		u.Background = &w.background
	}
	u.EnableMultisig = w.multisigEnabled
	var spends []Spend
	for _, sp := range w.Spends() {
		spends = append(spends, *sp)
	}
	for _, k := range w.images {
		u.Images = append(u.Images, k)
	}
	for _, k := range w.txKeys {
		u.TxKeys = append(u.TxKeys, k)
	}
	addParts(&s, u.Labels, partSmall, func(c *ChangeSet, part []Label) { c.User.Labels = part })
	addParts(&s, u.Sent, partLarge, func(c *ChangeSet, part []Sent) { c.User.Sent = part })
	addParts(&s, u.Images, partSmall, func(c *ChangeSet, part []KnownImage) { c.User.Images = part })
	addParts(&s, u.TxKeys, partSmall, func(c *ChangeSet, part []TxKey) { c.User.TxKeys = part })
	addParts(&s, u.Notes, partSmall, func(c *ChangeSet, part []Note) { c.User.Notes = part })
	addParts(&s, u.Attrs, partSmall, func(c *ChangeSet, part []Attribute) { c.User.Attrs = part })
	addParts(&s, u.Book, partSmall, func(c *ChangeSet, part []BookChange) { c.User.Book = part })
	w.cosigning.snapshot(&s)
	u.Labels, u.Sent, u.Images, u.TxKeys, u.Notes, u.Attrs, u.Book = nil, nil, nil, nil, nil, nil, nil
	s.add(ChangeSet{User: u})
	w.noticeSnapshot(&s)
	// Spends first: they decide between outputs of one key.
	addParts(&s, spends, partSmall, func(c *ChangeSet, part []Spend) { c.Chain.Spends = part })
	addParts(&s, w.allOutputs(), partSmall, func(c *ChangeSet, part []Output) { c.Chain.Outputs = part })
	addParts(&s, w.payments, partSmall, func(c *ChangeSet, part []Payment) { c.Chain.Payments = part })
	addParts(&s, w.chain.ids, 8*partSmall, func(c *ChangeSet, part []BlockID) { c.Chain.Blocks, c.Chain.Reward = part, w.reward })
	w.noted.snapshot(&s, w.origin.Background)
	return s.records, s.err
}

// snapshot gathers the records of one.
type snapshot struct {
	records [][]byte
	err     error
}

func (s *snapshot) add(c ChangeSet) {
	if s.err != nil || c.Empty() {
		return
	}
	var record []byte
	if record, s.err = c.Encode(); s.err == nil {
		s.records = append(s.records, record)
	}
}

// addParts adds a record for every size things of all, and more where people wrote long texts.
func addParts[T any](s *snapshot, all []T, size int, set func(*ChangeSet, []T)) {
	s.addParts(0, len(all), size, func(c *ChangeSet, from, to int) { set(c, all[from:to:to]) })
}

// addParts is addParts for things of any type: what is generic is compiled once for all of them.
func (s *snapshot) addParts(from, to, size int, set func(c *ChangeSet, from, to int)) {
	for ; from < to; from += size {
		end := min(from+size, to)
		var c ChangeSet
		set(&c, from, end)
		record, err := c.Encode()
		switch {
		case err == nil && len(record) > maxPart && end-from > 1:
			s.addParts(from, end, (end-from+1)/2, set)
		case s.err != nil || c.Empty():
		case err != nil:
			s.err = err
		default:
			s.records = append(s.records, record)
		}
	}
}
