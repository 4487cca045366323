package wallet

import (
	"bytes"
	"encoding/binary"
	"maps"
	"slices"

	"glim/core/crypto/keccak"
	"glim/core/internal/order"
	"glim/core/keys"
	"glim/core/say"
	"glim/core/xmr"
)

// Former is what the file of another program knows of the wallet beside its keys and the chain, see DecideTakeOver.
type Former struct {
	Digest [32]byte // of the file
	Height uint64   // number of blocks that the other program had read
	First  uint64   // index of the first block with anything of the wallet; ^0 when there is no such block
	// Labels has one list an account with one label an address: their lengths say how many accounts and addresses
	// exist.
	Labels    [][]string
	Lookahead Lookahead // beyond them; zeros when it is not known
	Tags      []string  // by account; may be shorter than Labels
	Described []Attribute
	Notes     []Note
	Attrs     []Attribute
	Book      []BookEntry
	Sent      []Sent // SendMined, SendPending, SendInPool or SendFailed
	TxKeys    []TxKey
	Frozen    []xmr.PublicKey // outputs, by their keys
	Images    []KnownImage    // of a wallet without the spend key
	Left      []string        // what the file has and the wallet does not take, for people
}

// Takeover says what a wallet took over from the file of another program, and what of it is remembered for the next
// time.
type Takeover struct {
	Digest [32]byte `json:"digest"` // of the file; zeros when there was no file, or it was left out
	Time   uint64   `json:"time"`   // POSIX seconds
	Height uint64   `json:"height"` // number of blocks that the other program had read
	// What the file has.
	Accounts     uint64 `json:"accounts"`
	Addresses    uint64 `json:"addresses"`
	Labels       uint64 `json:"labels"` // that are not the ones a new address gets
	Tags         uint64 `json:"tags"`
	Notes        uint64 `json:"notes"`
	Attributes   uint64 `json:"attributes"`
	Book         uint64 `json:"book"`
	TxKeys       uint64 `json:"tx_keys"`
	Sent         uint64 `json:"sent"` // transactions with their destinations
	Unmined      uint64 `json:"unmined"`
	Frozen       uint64 `json:"frozen"`
	Images       uint64 `json:"images"`
	Changed      uint64 `json:"changed"`       // entries of the wallet that are new or another since
	LeftOut      bool   `json:"left_out"`      // the owner wanted the wallet without the file
	NewAddresses uint64 `json:"new_addresses"` // of Addresses, those that the wallet did not have
	Reread       bool   `json:"reread"`        // some were beyond the lookahead: blocks that were read may pay them

	Left  []string `json:"left"`
	Aside []Aside  `json:"aside"`
	// Base has eight bytes of the hash of each entry's name, ascending, each with eight of the hash of its content:
	// what the file had. So a later file tells what was changed there since.
	Base []byte `json:"base"`
}

// Aside is a text that gave way to another, because both programs had changed it.
type Aside struct {
	Kind string `json:"kind"` // label, tag, description, note, attribute or address book
	Name string `json:"name"` // account/address, account, tag, transaction ID, key or address
	Text string `json:"text"`
}

// Takeover returns what the wallet took over from another program's file; nil when it never did. Read only.
func (w *Wallet) Takeover() *Takeover { return w.takeover }

// Decide returns w.DecideTakeOver in parts that a log takes, to be committed one after the other. The last one alone
// has the file's digest: until it is stored, the file has not been taken over, and what is there already changes
// nothing when it is taken over again.
func (f *Former) Decide(w *Wallet, now uint64) []ChangeSet {
	last := w.DecideTakeOver(f, now)
	u := &last.User
	var parts []ChangeSet
	if last.Chain.Clear || u.Lookahead != nil { // before the addresses that it is for exist
		parts = append(parts, ChangeSet{User: UserChange{Lookahead: u.Lookahead}, Chain: last.Chain})
		u.Lookahead, last.Chain = nil, ChainChange{}
	}
	u.Labels = shorten(&parts, u.Labels, func(l []Label) UserChange { return UserChange{Labels: l} })
	u.Sent = shorten(&parts, u.Sent, func(l []Sent) UserChange { return UserChange{Sent: l} })
	u.TxKeys = shorten(&parts, u.TxKeys, func(l []TxKey) UserChange { return UserChange{TxKeys: l} })
	u.Notes = shorten(&parts, u.Notes, func(l []Note) UserChange { return UserChange{Notes: l} })
	u.Attrs = shorten(&parts, u.Attrs, func(l []Attribute) UserChange { return UserChange{Attrs: l} })
	u.Images = shorten(&parts, u.Images, func(l []KnownImage) UserChange { return UserChange{Images: l} })
	return append(parts, last)
}

// shorten makes parts of all of a list but its end, which it returns.
func shorten[T any](parts *[]ChangeSet, list []T, part func([]T) UserChange) []T {
	for len(list) > takeoverPart {
		*parts = append(*parts, ChangeSet{User: part(list[:takeoverPart:takeoverPart])})
		list = list[takeoverPart:]
	}
	return list
}

// takeoverPart is how many entries of one kind a part of taking over has at most: some 8 MiB of transactions with many
// inputs.
const takeoverPart = 4096

// Started returns First.
func (f *Former) Started() uint64 { return f.First }

// DecideTakeOver takes what f knows and the chain does not. Of an entry that the wallet has, too, the one that changed
// since the wallet last took over counts; where both did, f's, and the other is kept in Takeover.Aside. At the first
// time that is the wallet's own. The chain is forgotten, so that the next refresh reads it again, when f has addresses
// that the wallet did not look for in the blocks it has read. now is POSIX seconds.
func (w *Wallet) DecideTakeOver(f *Former, now uint64) ChangeSet {
	m := merge{w: w, first: true, base: map[[8]byte][8]byte{}}
	m.report = Takeover{Digest: f.Digest, Time: now, Height: f.Height, Left: f.Left}
	if t := w.takeover; t != nil {
		m.first = t.Digest == [32]byte{}
		m.report.Aside = slices.Clone(t.Aside)
		for b := t.Base; len(b) >= 16; b = b[16:] {
			m.base[[8]byte(b)] = [8]byte(b[8:])
		}
	}
	m.labels(f)
	m.tags(f)
	m.notes(f.Notes)
	for _, a := range f.Attrs {
		ours, had := w.Attribute(a.Key)
		if m.takes("attribute", a.Key, []byte(a.Key), ours, a.Value) || !had && a.Value == "" {
			m.u.Attrs = append(m.u.Attrs, a)
		}
	}
	m.book(f.Book)
	m.freeze(f.Frozen)
	m.sent(f)
	m.images(f.Images)
	had := w.lookahead
	l := Lookahead{max(had.Major, f.Lookahead.Major), max(had.Minor, f.Lookahead.Minor)}
	if !l.possible() {
		m.report.Left = append(slices.Clone(m.report.Left),
			say.Sprintf("a lookahead of %d:%d, which is more than a wallet can hold", l.Major, l.Minor))
		l = had
	}
	if l != had {
		m.u.Lookahead = &l
	}
	if f.First < w.origin.RestoreHeight {
		m.report.Left = append(slices.Clone(m.report.Left),
			say.Sprintf("money of blocks before %d, where the wallet begins to read; %d is the first with any",
				w.origin.RestoreHeight, f.First))
	}
	m.report.Attributes, m.report.Book = uint64(len(f.Attrs)), uint64(len(f.Book))
	m.report.Notes, m.report.Frozen = uint64(len(f.Notes)), uint64(len(f.Frozen))
	m.report.Images = uint64(len(f.Images))
	m.report.Base = m.encode()
	m.u.Takeover = &m.report
	return ChangeSet{User: m.u, Chain: ChainChange{Clear: m.report.Reread}}
}

// merge is a DecideTakeOver under way.
type merge struct {
	w      *Wallet
	first  bool // no file was taken over before
	base   map[[8]byte][8]byte
	next   [][16]byte
	u      UserChange
	report Takeover
}

// shortHash returns eight bytes of a hash; zeros for nothing.
func shortHash(kind string, content []byte) (h [8]byte) {
	if len(content) > 0 {
		sum := keccak.Sum256([]byte(kind), []byte{0}, content)
		copy(h[:], sum[:])
	}
	return h
}

// takes reports whether the other program's content of an entry takes the place of the wallet's. Empty texts stand for
// no entry.
func (m *merge) takes(kind, name string, key []byte, ours, theirs string) bool {
	if ours == "" && theirs == "" {
		return false
	}
	at, now := shortHash(kind, key), shortHash("content", []byte(theirs))
	if theirs != "" {
		m.next = append(m.next, [16]byte(append(append([]byte(nil), at[:]...), now[:]...)))
	}
	before := m.base[at]
	aside := func(text string) {
		if kind != "frozen" {
			m.report.Aside = append(m.report.Aside, Aside{Kind: kind, Name: name, Text: text})
		}
	}
	switch {
	case ours == theirs || now == before:
		return false
	case shortHash("content", []byte(ours)) == before: // changed there alone
	case theirs == "":
		return false
	case m.first:
		aside(theirs)
		return false
	default:
		aside(ours)
	}
	m.report.Changed++
	return true
}

// encode returns what the file had, see Takeover.Base.
func (m *merge) encode() []byte {
	order.Sort(m.next, func(a, b [16]byte) int { return bytes.Compare(a[:], b[:]) })
	b := make([]byte, 0, 16*len(m.next))
	for _, e := range m.next {
		b = append(b, e[:]...)
	}
	return b
}

// given returns a label, empty for those that new accounts get.
func given(i keys.Index, label string) string {
	if i == (keys.Index{}) && label == "Primary account" || i.Minor == 0 && label == "Untitled account" {
		return ""
	}
	return label
}

func (m *merge) labels(f *Former) {
	w := m.w
	_, begun := w.Tip()
	ahead, counts := w.ahead(w.lookahead), w.addressCounts()
	for major, labels := range f.Labels {
		if len(labels) == 0 {
			labels = []string{""} // an account has an address
		}
		m.report.Accounts++
		for minor, text := range labels {
			i := keys.Index{Major: uint32(major), Minor: uint32(minor)}
			exists := major < len(w.accounts) && minor < len(w.accounts[major])
			ours := w.Label(i)
			m.report.Addresses++
			if !exists {
				m.report.NewAddresses++
				unseen := i.Major >= ahead.accountCount(counts) || i.Minor >= ahead.addressCount(counts, i.Major)
				m.report.Reread = m.report.Reread || begun && unseen
			}
			if given(i, text) != "" {
				m.report.Labels++
			}
			takes := false
			if given(i, ours)+given(i, text) != "" {
				var key [8]byte
				binary.LittleEndian.PutUint32(key[:], i.Major)
				binary.LittleEndian.PutUint32(key[4:], i.Minor)
				name := say.Sprintf("%d/%d", i.Major, i.Minor)
				takes = m.takes("label", name, key[:], given(i, ours), given(i, text))
			}
			switch {
			case takes || !exists:
				m.u.Labels = append(m.u.Labels, Label{i, text})
			case !w.isMade(i):
				m.u.Labels = append(m.u.Labels, Label{i, ours})
			}
		}
	}
}

func (m *merge) tags(f *Former) {
	p := &m.w.papers
	for account := range max(len(f.Labels), len(m.w.accounts)) {
		theirs, major := "", uint32(account)
		if account < len(f.Tags) {
			theirs = f.Tags[account]
		}
		if theirs != "" {
			m.report.Tags++
		}
		key := binary.LittleEndian.AppendUint32(nil, major)
		if m.takes("tag", say.Sprintf("%d", major), key, p.tags[major], theirs) {
			m.u.Tags = append(m.u.Tags, TagChange{major, theirs})
		}
	}
	for _, d := range f.Described {
		if m.takes("description", d.Key, []byte(d.Key), p.described[d.Key], d.Value) {
			m.u.Described = append(m.u.Described, d)
		}
	}
}

func (m *merge) notes(list []Note) {
	theirs := map[xmr.Hash]string{}
	for _, n := range list {
		theirs[n.TxID] = n.Text
	}
	for _, id := range union(theirs, m.w.papers.notes) {
		if m.takes("note", id.String(), id[:], m.w.papers.notes[id], theirs[id]) {
			m.u.Notes = append(m.u.Notes, Note{id, theirs[id]})
		}
	}
}

// union returns the keys of both, ascending.
func union[V, W any](a map[xmr.Hash]V, b map[xmr.Hash]W) []xmr.Hash {
	all := map[xmr.Hash]bool{}
	for k := range a {
		all[k] = true
	}
	for k := range b {
		all[k] = true
	}
	return order.Sorted(maps.Keys(all), func(a, b xmr.Hash) int { return bytes.Compare(a[:], b[:]) })
}

// book compares address books by the addresses in them, of which one may stand there more than once.
func (m *merge) book(theirs []BookEntry) {
	named := func(book []BookEntry) []string {
		names, met := make([]string, len(book)), map[string]int{}
		for i, e := range book {
			met[e.Address]++
			names[i] = say.Sprintf("%s %d", e.Address, met[e.Address])
		}
		return names
	}
	content := func(e BookEntry) string { return "=" + e.Description } // so that none is not one without a description
	names := named(theirs)
	at := map[string]int{}
	for i, name := range names {
		at[name] = i
	}
	ours := m.w.papers.book
	var sets, drops []BookChange
	for i, name := range named(ours) {
		n, both := at[name]
		if !both {
			if m.takes("address book", ours[i].Address, []byte(name), content(ours[i]), "") {
				drops = append(drops, BookChange{Kind: BookDelete, Index: uint64(i)})
			}
			continue
		}
		if m.takes("address book", ours[i].Address, []byte(name), content(ours[i]), content(theirs[n])) {
			sets = append(sets, BookChange{Kind: BookSet, Index: uint64(i), Entry: theirs[n]})
		}
		delete(at, name)
	}
	slices.Reverse(drops) // so that the others' places stay
	m.u.Book = append(sets, drops...)
	for i, name := range names {
		if _, missing := at[name]; missing &&
			m.takes("address book", theirs[i].Address, []byte(name), "", content(theirs[i])) {
			m.u.Book = append(m.u.Book, BookChange{Entry: theirs[i]})
		}
	}
}

func (m *merge) freeze(list []xmr.PublicKey) {
	const frozen = "frozen"
	theirs, ours := map[xmr.Hash]string{}, map[xmr.Hash]string{}
	for _, key := range list {
		theirs[xmr.Hash(key)] = frozen
	}
	for key := range m.w.frozen {
		ours[xmr.Hash(key)] = frozen
	}
	for _, key := range union(theirs, ours) {
		if m.takes("frozen", "", key[:], ours[key], theirs[key]) {
			m.u.Freeze = append(m.u.Freeze, Freeze{Key: xmr.PublicKey(key), Thaw: theirs[key] == ""})
		}
	}
}

// sent takes transactions that the wallet does not know. What it knows itself stays: it goes by the chain.
func (m *merge) sent(f *Former) {
	secrets := map[xmr.Hash]TxKey{}
	for _, k := range f.TxKeys {
		secrets[k.TxID] = k
	}
	m.report.TxKeys = uint64(len(secrets))
	for i := range f.Sent {
		s := f.Sent[i]
		if len(s.Destinations) > 0 {
			m.report.Sent++
		}
		if s.State != SendMined {
			m.report.Unmined++
		}
		if m.w.sent[s.TxID] != nil {
			continue
		}
		k := secrets[s.TxID]
		s.Key, s.AdditionalKeys = k.Key, k.Additional
		m.u.Sent = append(m.u.Sent, s)
		m.report.Changed++
		delete(secrets, s.TxID)
	}
	for id, k := range secrets {
		if _, known := m.w.TxSecret(id); !known {
			m.u.TxKeys = append(m.u.TxKeys, k)
			m.report.Changed++
		}
	}
	order.Sort(m.u.TxKeys, func(a, b TxKey) int { return bytes.Compare(a.TxID[:], b.TxID[:]) })
}

func (m *merge) images(list []KnownImage) {
	var lacking []KnownImage
	for _, k := range list {
		if _, known := m.w.images[k.Key]; !known {
			lacking = append(lacking, k)
		}
	}
	if c, err := m.w.DecideImages(lacking); err != nil {
		m.report.Left = append(slices.Clone(m.report.Left), "key images that contradict those the wallet has")
	} else if m.u.Images = c.User.Images; len(m.u.Images) > 0 {
		m.report.Changed += uint64(len(m.u.Images))
	}
}
