package wallet

import (
	"errors"
	"slices"

	"glim/core/codec/epee"
	"glim/core/keys"
	"glim/core/multisig"
	"glim/core/smallfmt"
	"glim/core/xmr"
)

// ErrRecord reports an invalid log record.
var ErrRecord = errors.New("wallet: invalid log record")

// The first byte of a record says which parts of a change it has.
const (
	recordIdentity = 'o'
	recordUser     = 'u'
	recordChain    = 'c'
	recordBoth     = 'b' // user and chain
	recordNotices  = 'n'
	recordAll      = 'a'
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

// Encode returns c as one log record.
func (c *ChangeSet) Encode() ([]byte, error) {
	b := c.Chain.appendCarrot(nil)
	switch {
	case c.Notices.empty():
	case c.User.empty() && c.Chain.empty():
		return epee.Append(append(b, recordNotices), &c.Notices)
	default:
		return epee.Append(append(b, recordAll), &allChanges{c.User, c.Chain, c.Notices})
	}
	switch {
	case c.Chain.empty():
		return epee.Append(append(b, recordUser), &c.User)
	case c.User.empty():
		return epee.Append(append(b, recordChain), &c.Chain)
	}
	return epee.Append(append(b, recordBoth), &bothChanges{c.User, c.Chain})
}

// DecodeChange decodes the result of Encode. It returns ErrRecord if b is invalid. Byte slices in the result alias b.
func DecodeChange(b []byte) (ChangeSet, error) {
	var c ChangeSet
	if len(b) == 0 {
		return c, ErrRecord
	}
	marks, b, err := cutCarrot(b)
	if err != nil {
		return c, err
	}
	switch b[0] {
	case recordUser:
		err = epee.UnmarshalTrusted(b[1:], &c.User)
	case recordChain:
		err = epee.UnmarshalTrusted(b[1:], &c.Chain)
	case recordBoth:
		var both bothChanges
		err = epee.UnmarshalTrusted(b[1:], &both)
		c.User, c.Chain = both.User, both.Chain
	case recordNotices:
		err = epee.UnmarshalTrusted(b[1:], &c.Notices)
	case recordAll:
		var all allChanges
		err = epee.UnmarshalTrusted(b[1:], &all)
		c = ChangeSet(all)
	default:
		return c, ErrRecord
	}
	if err != nil {
		return ChangeSet{}, smallfmt.Errorf("%w: %w", ErrRecord, err)
	}
	if err := c.Chain.markCarrot(marks); err != nil {
		return ChangeSet{}, err
	}
	return c, nil
}

type identityRecord struct {
	Network        uint8       `json:"network"`
	Spend          keys.Secret `json:"spend"`
	SpendPublic    [32]byte    `json:"spend_public"`
	ViewOnly       bool        `json:"view_only"`
	View           keys.Secret `json:"view"`
	Language       string      `json:"language"`
	RestoreHeight  uint64      `json:"restore_height"`
	Lookahead      Lookahead   `json:"lookahead"`
	Background     bool        `json:"background"`
	Words          []byte      `json:"words"`
	Multisig       []byte      `json:"multisig"`
	Enabled        bool        `json:"enable_multisig"`
	ExternalSigner bool        `json:"elsewhere"`     // an external signer has the spend key
	Deterministic  bool        `json:"deterministic"` // the view key is derived from the spend key
}

// EncodeIdentity returns the first record of a log: the identity and the initial lookahead. It returns ErrLookahead
// if the lookahead is too large.
func EncodeIdentity(o Identity, l Lookahead) ([]byte, error) {
	if !l.possible() {
		return nil, ErrLookahead
	}
	r := identityRecord{
		Network: uint8(o.Network), SpendPublic: o.Keys.SpendPublic, View: o.Keys.ViewSecret(),
		Language: o.Language, RestoreHeight: o.RestoreHeight, Lookahead: l, Background: o.Background,
		Words: o.Words, Enabled: o.EnableMultisig,
	}
	defer clear(r.Spend[:])
	spend, ok := o.Keys.SpendSecret()
	r.Spend, r.ViewOnly = spend, !ok
	clear(spend[:])
	if o.Keys.External() {
		// The words determine the spend key.
		r.ExternalSigner, r.Deterministic, r.Words = true, o.Keys.Deterministic(), nil
	}
	if o.Multisig != nil {
		r.Multisig = o.Multisig.Encode()
		defer clear(r.Multisig)
	}
	b := []byte{recordIdentity}
	if keys.HasHierarchies {
		b = append(appendHierarchy(make([]byte, 0, 1024), o.Keys), recordIdentity) // long enough to stay in one place
	}
	return epee.Append(b, &r)
}

// recordHierarchy is the first byte of the identity of a wallet with the keys of the next hard fork: the length of its
// account and the account follow, then the identity as that of a view-only wallet. Versions that do not know such keys
// refuse the record, so they do not derive other addresses.
const recordHierarchy = 'h'

// ErrHierarchy reports a wallet with the keys of the next hard fork in a program without them.
var ErrHierarchy = errors.New("wallet: it has the keys of the next hard fork, which this program does not know; " +
	"it is not damaged: open it with a native program of this version or later")

// DecodeIdentity decodes the result of EncodeIdentity. It returns ErrRecord if b is invalid, and ErrHierarchy for keys
// that the build tag nocarrot leaves out. If an external signer
// has the spend key, the keys are not attached to it yet.
func DecodeIdentity(b []byte) (Identity, Lookahead, error) {
	var account []byte
	if keys.HasHierarchies {
		account, b = cutHierarchy(b)
	} else if len(b) > 0 && b[0] == recordHierarchy {
		return Identity{}, Lookahead{}, ErrHierarchy
	}
	if len(b) == 0 || b[0] != recordIdentity {
		return Identity{}, Lookahead{}, ErrRecord
	}
	var r identityRecord
	defer clear(r.Spend[:])
	if err := epee.Unmarshal(b[1:], &r); err != nil {
		return Identity{}, Lookahead{}, smallfmt.Errorf("%w: %w", ErrRecord, err)
	}
	if r.Network > uint8(xmr.Regtest) || !r.Lookahead.possible() ||
		r.ViewOnly && len(r.Words) > 0 || r.Background && !r.ViewOnly ||
		r.ExternalSigner && (!r.ViewOnly || r.Background || len(r.Multisig) > 0) ||
		r.Deterministic && !r.ExternalSigner ||
		keys.HasHierarchies && account != nil &&
			(!r.ViewOnly || r.ExternalSigner || r.Background || len(r.Multisig) > 0) {
		return Identity{}, Lookahead{}, ErrRecord
	}
	var k *keys.Keys
	var err error
	switch {
	case keys.HasHierarchies && account != nil:
		if k, err = hierarchyKeys(account); err == nil && k.ViewSecret() != r.View {
			err = keys.ErrMismatch
		}
	case r.ExternalSigner:
		k, err = keys.NewExternal(r.View, r.SpendPublic, r.Deterministic)
	case r.ViewOnly:
		k, err = keys.ViewOnly(r.View, r.SpendPublic)
	default:
		k, err = keys.FromSecrets(r.Spend, r.View)
	}
	if err != nil {
		return Identity{}, Lookahead{}, smallfmt.Errorf("%w: %w", ErrRecord, err)
	}
	if k.SpendPublic != r.SpendPublic {
		return Identity{}, Lookahead{}, smallfmt.Errorf("%w: %w", ErrRecord, keys.ErrMismatch)
	}
	o := Identity{Network: xmr.Network(r.Network), Keys: k, Language: r.Language, RestoreHeight: r.RestoreHeight,
		Background: r.Background, Words: slices.Clone(r.Words), EnableMultisig: r.Enabled}
	if len(r.Multisig) > 0 {
		o.Multisig, err = multisig.Decode(r.Multisig)
		if err != nil {
			return Identity{}, Lookahead{}, smallfmt.Errorf("%w: %w", ErrRecord, err)
		}
		if !r.ViewOnly || r.Background || o.Multisig.Spend() != k.SpendPublic || o.Multisig.View() != k.ViewPublic {
			return Identity{}, Lookahead{}, smallfmt.Errorf("%w: %w", ErrRecord, keys.ErrMismatch)
		}
	}
	return o, r.Lookahead, nil
}

// reaches reports whether every address that c creates is one that a decision could have created: at most the next
// one, or one within the lookahead. So no record can make a wallet much larger than itself.
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

// Limits of records in a snapshot, so that none exceeds journal.MaxRecord: the number of entries of fixed size, and
// of entries with texts or transactions.
const (
	partSmall = 4096
	partLarge = 64
	maxPart   = 1 << 24 // size in bytes above which a record is split further; a quarter of journal.MaxRecord
)

// Snapshot returns a short log that replays to w: the identity, the user's data, the notices, then data from the
// chain. The first record contains secret keys; the caller wipes it.
func (w *Wallet) Snapshot() ([][]byte, error) {
	first, err := EncodeIdentity(w.identity, w.lookahead)
	if err != nil {
		return nil, err
	}
	s := snapshot{records: [][]byte{first}}
	var u UserChange
	var used []keys.Index
	for major, labels := range w.accounts {
		for minor, text := range labels {
			if i := (keys.Index{Major: uint32(major), Minor: uint32(minor)}); w.isMade(i) {
				u.Labels = append(u.Labels, Label{i, text})
			} else {
				used = append(used, i)
			}
		}
	}
	for _, sent := range w.sent {
		u.Sent = append(u.Sent, *sent)
	}
	for _, h := range w.ringRecords {
		u.RingRecords = append(u.RingRecords, *h)
	}
	for _, draft := range w.drafts {
		u.Drafts = append(u.Drafts, *draft)
	}
	for key := range w.frozen {
		u.Freeze = append(u.Freeze, Freeze{Key: key})
	}
	w.annotations.snapshot(&u)
	if w.background.Type != BackgroundOff {
		u.Background = &w.background
	}
	u.EnableMultisig, u.Takeover, u.Shared = w.multisigEnabled, w.takeover, w.shared
	if w.maxReorgDepth != DefaultMaxReorgDepth {
		u.MaxReorgDepth = &w.maxReorgDepth
	}
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
	addParts(&s, u.Drafts, partLarge, func(c *ChangeSet, part []Sent) { c.User.Drafts = part })
	addParts(&s, u.Images, partSmall, func(c *ChangeSet, part []KnownImage) { c.User.Images = part })
	addParts(&s, u.TxKeys, partSmall, func(c *ChangeSet, part []TxKey) { c.User.TxKeys = part })
	addParts(&s, u.RingRecords, partSmall, func(c *ChangeSet, part []RingRecord) { c.User.RingRecords = part })
	addParts(&s, u.Notes, partSmall, func(c *ChangeSet, part []Note) { c.User.Notes = part })
	addParts(&s, u.Attrs, partSmall, func(c *ChangeSet, part []Attribute) { c.User.Attrs = part })
	addParts(&s, u.Book, partSmall, func(c *ChangeSet, part []BookChange) { c.User.Book = part })
	// Before their descriptions.
	addParts(&s, u.Tags, partSmall, func(c *ChangeSet, part []TagChange) { c.User.Tags = part })
	w.cosigning.snapshot(&s)
	u.Labels, u.Sent, u.Drafts, u.Images, u.TxKeys = nil, nil, nil, nil, nil
	u.RingRecords, u.Notes, u.Attrs, u.Book, u.Tags = nil, nil, nil, nil, nil
	s.add(ChangeSet{User: u})
	w.noticeSnapshot(&s)
	addParts(&s, used, partSmall, func(c *ChangeSet, part []keys.Index) { c.Chain.Used = part })
	// Spends come first because they decide between outputs with the same key.
	addParts(&s, spends, partSmall, func(c *ChangeSet, part []Spend) { c.Chain.Spends = part })
	addParts(&s, w.allOutputs(), partSmall, func(c *ChangeSet, part []OwnedOutput) { c.Chain.Outputs = part })
	addParts(&s, w.payments, partSmall, func(c *ChangeSet, part []Payment) { c.Chain.Payments = part })
	addParts(&s, w.chain.ids, 8*partSmall, func(c *ChangeSet, part []BlockID) {
		c.Chain.Blocks, c.Chain.Reward, c.Chain.Total, c.Chain.Forked = part, w.reward, w.total, w.forked
	})
	w.chain.snapshot(&s)
	w.noted.snapshot(&s, w.identity.Background)
	return s.records, s.err
}

// snapshot collects the records of a snapshot.
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

// addParts adds a record for each size entries of all, and more records where entries are large.
func addParts[T any](s *snapshot, all []T, size int, set func(*ChangeSet, []T)) {
	s.addParts(0, len(all), size, func(c *ChangeSet, from, to int) { set(c, all[from:to:to]) })
}

// addParts is the function addParts without a type parameter, so that it is compiled only once.
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
