package wallet

import (
	"bytes"
	"encoding/binary"
	"maps"
	"slices"

	"glim/core/crypto/keccak"
	"glim/core/internal/smallsort"
	"glim/core/keys"
	"glim/core/smallfmt"
	"glim/core/xmr"
)

// CacheContents is what another program's wallet cache contains besides the keys and the chain, see DecideTakeOver.
type CacheContents struct {
	Digest [32]byte // of the file
	Height uint64   // number of blocks that the other program had scanned
	First  uint64   // index of the first block that concerns the wallet, or ^0
	// Labels has one label for each address of each account; the lengths of the lists are the numbers of accounts and
	// addresses.
	Labels    [][]string
	Lookahead Lookahead // beyond those addresses; zero if unknown
	Tags      []string  // by account; may be shorter than Labels
	Described []Attribute
	Notes     []Note
	Attrs     []Attribute
	Book      []BookEntry
	Sent      []Sent   // SendMined, SendPending, SendInPool or SendFailed
	Mined     []uint64 // indices of the blocks of Sent; only from Wallet.Contents
	TxKeys    []TxKey
	Frozen    []xmr.PublicKey // outputs, by their keys
	Images    []KnownImage    // of a wallet without the spend key
	Left      []string        // descriptions, for display, of what is not taken over
}

// Takeover reports what a wallet took over from another program's file, and remembers the file's entries for the next
// time.
type Takeover struct {
	Digest [32]byte `json:"digest"` // of the file; zero if there was no file or it was left out
	Time   uint64   `json:"time"`   // POSIX seconds
	Height uint64   `json:"height"` // number of blocks that the other program had scanned
	// Numbers of entries in the file.
	Accounts     uint64 `json:"accounts"`
	Addresses    uint64 `json:"addresses"`
	Labels       uint64 `json:"labels"` // other than the default labels of new accounts
	Tags         uint64 `json:"tags"`
	Notes        uint64 `json:"notes"`
	Attributes   uint64 `json:"attributes"`
	Book         uint64 `json:"book"`
	TxKeys       uint64 `json:"tx_keys"`
	Sent         uint64 `json:"sent"` // transactions with their destinations
	Unmined      uint64 `json:"unmined"`
	Frozen       uint64 `json:"frozen"`
	Images       uint64 `json:"images"`
	Changed      uint64 `json:"changed"`       // entries of the wallet that were added or changed
	LeftOut      bool   `json:"left_out"`      // the owner chose not to take over the file
	NewAddresses uint64 `json:"new_addresses"` // those of Addresses that the wallet did not have
	Reread       bool   `json:"reread"`        // some were beyond the lookahead, so scanned blocks may pay them

	Left  []string `json:"left"`
	Aside []Aside  `json:"aside"`
	// Base has, for each entry of the file, eight bytes of the hash of its name, ascending, and eight bytes of the
	// hash of its content. It shows what changed in a later file.
	Base []byte `json:"base"`
}

// Aside is a text that was replaced because both programs had changed the entry.
type Aside struct {
	Kind string `json:"kind"` // label, tag, description, note, attribute or address book
	Name string `json:"name"` // account/address, account, tag, transaction ID, key or address
	Text string `json:"text"`
}

// Takeover returns the report of the last takeover from another program's file; nil without one. The caller must not
// change it.
func (w *Wallet) Takeover() *Takeover { return w.takeover }

// TakeOver returns w.DecideTakeOver split into parts that fit into log records, to be committed in order. Only the
// last part has the file's digest: until it is stored, the file counts as not taken over, and taking it over again
// skips existing entries.
func (f *CacheContents) TakeOver(w *Wallet, now uint64) []ChangeSet {
	last := w.DecideTakeOver(f, now)
	u := &last.User
	var parts []ChangeSet
	if last.Chain.Clear || u.Lookahead != nil { // before the addresses are created
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

// shorten adds parts with all of list except its end, which it returns.
func shorten[T any](parts *[]ChangeSet, list []T, part func([]T) UserChange) []T {
	for len(list) > takeoverPart {
		*parts = append(*parts, ChangeSet{User: part(list[:takeoverPart:takeoverPart])})
		list = list[takeoverPart:]
	}
	return list
}

// takeoverPart is the maximum number of entries of one kind in a part: about 8 MiB of transactions with many inputs.
const takeoverPart = 4096

// Started returns First.
func (f *CacheContents) Started() uint64 { return f.First }

// DecideTakeOver adds the entries of f that are not on the chain. If the wallet has the same entry with different
// content, the one changed since the last takeover wins; if both changed, the entry of f wins and the wallet's is kept
// in Takeover.Aside. At the first takeover the wallet's own entry wins. If f has addresses beyond the lookahead of
// scanned blocks, the chain is forgotten, so that the next refresh scans it again. now is in POSIX seconds.
func (w *Wallet) DecideTakeOver(f *CacheContents, now uint64) ChangeSet {
	m := merge{w: w, first: true, base: map[[8]byte][8]byte{}}
	m.report = Takeover{Digest: f.Digest, Time: now, Height: f.Height, Left: f.Left}
	if t := w.takeover; t != nil {
		m.first = t.Digest == [32]byte{}
		m.report.Aside = slices.Clone(t.Aside)
		m.read(t.Base)
	}
	if s := w.shared; s != nil { // the other program has these entries from the wallet
		m.first, m.base = false, map[[8]byte][8]byte{}
		m.read(s.Base)
	}
	m.entries(f)
	m.sent(f)
	m.images(f.Images)
	had := w.lookahead
	l := Lookahead{max(had.Major, f.Lookahead.Major), max(had.Minor, f.Lookahead.Minor)}
	if !l.possible() {
		m.report.Left = append(slices.Clone(m.report.Left),
			smallfmt.Sprintf("a lookahead of %d:%d, which exceeds the limit of a wallet", l.Major, l.Minor))
		l = had
	}
	if l != had {
		m.u.Lookahead = &l
	}
	if f.First < w.identity.RestoreHeight {
		m.report.Left = append(slices.Clone(m.report.Left),
			smallfmt.Sprintf("money of blocks before %d, where the wallet begins to read; %d is the first with any",
				w.identity.RestoreHeight, f.First))
	}
	m.report.Attributes, m.report.Book = uint64(len(f.Attrs)), uint64(len(f.Book))
	m.report.Notes, m.report.Frozen = uint64(len(f.Notes)), uint64(len(f.Frozen))
	m.report.Images = uint64(len(f.Images))
	m.report.Base = m.encode()
	m.u.Takeover = &m.report
	return ChangeSet{User: m.u, Chain: ChainChange{Clear: m.report.Reread}}
}

// entries merges everything that Base records.
func (m *merge) entries(f *CacheContents) {
	m.labels(f)
	m.tags(f)
	m.notes(f.Notes)
	for _, a := range f.Attrs {
		ours, had := m.w.Attribute(a.Key)
		if m.takes("attribute", a.Key, []byte(a.Key), ours, a.Value) || !had && a.Value == "" {
			m.u.Attrs = append(m.u.Attrs, a)
		}
	}
	m.book(f.Book)
	m.freeze(f.Frozen)
}

// merge is the state of DecideTakeOver.
type merge struct {
	w      *Wallet
	first  bool // no file was taken over before
	base   map[[8]byte][8]byte
	next   [][16]byte
	u      UserChange
	report Takeover
}

// shortHash returns eight bytes of the hash of content; zeros for empty content.
func shortHash(kind string, content []byte) (h [8]byte) {
	if len(content) > 0 {
		sum := keccak.Sum256([]byte(kind), []byte{0}, content)
		copy(h[:], sum[:])
	}
	return h
}

// takes reports whether the other program's content of an entry replaces the wallet's. An empty text means that there
// is no entry.
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
	case shortHash("content", []byte(ours)) == before: // only the other program changed it
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

// read adds entries in the encoding of Takeover.Base.
func (m *merge) read(base []byte) {
	for b := base; len(b) >= 16; b = b[16:] {
		m.base[[8]byte(b)] = [8]byte(b[8:])
	}
}

// encode returns the entries of the file in the encoding of Takeover.Base.
func (m *merge) encode() []byte {
	smallsort.Sort(m.next, func(a, b [16]byte) int { return bytes.Compare(a[:], b[:]) })
	b := make([]byte, 0, 16*len(m.next))
	for _, e := range m.next {
		b = append(b, e[:]...)
	}
	return b
}

// given returns label; empty if it is the default label of a new account.
func given(i keys.Index, label string) string {
	if i == (keys.Index{}) && label == "Primary account" || i.Minor == 0 && label == "Untitled account" {
		return ""
	}
	return label
}

func (m *merge) labels(f *CacheContents) {
	w := m.w
	_, begun := w.Tip()
	ahead, counts := w.ahead(w.lookahead), w.addressCounts()
	for major, labels := range f.Labels {
		if len(labels) == 0 {
			labels = []string{""} // an account has at least one address
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
				name := smallfmt.Sprintf("%d/%d", i.Major, i.Minor)
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

func (m *merge) tags(f *CacheContents) {
	p := &m.w.annotations
	for account := range max(len(f.Labels), len(m.w.accounts)) {
		theirs, major := "", uint32(account)
		if account < len(f.Tags) {
			theirs = f.Tags[account]
		}
		if theirs != "" {
			m.report.Tags++
		}
		key := binary.LittleEndian.AppendUint32(nil, major)
		if m.takes("tag", smallfmt.Sprintf("%d", major), key, p.tags[major], theirs) {
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
	for _, id := range union(theirs, m.w.annotations.notes) {
		if m.takes("note", id.String(), id[:], m.w.annotations.notes[id], theirs[id]) {
			m.u.Notes = append(m.u.Notes, Note{id, theirs[id]})
		}
	}
}

// union returns the keys of both maps, ascending.
func union[V, W any](a map[xmr.Hash]V, b map[xmr.Hash]W) []xmr.Hash {
	all := map[xmr.Hash]bool{}
	for k := range a {
		all[k] = true
	}
	for k := range b {
		all[k] = true
	}
	return smallsort.Sorted(maps.Keys(all), func(a, b xmr.Hash) int { return bytes.Compare(a[:], b[:]) })
}

// book merges address books by address; an address may occur more than once.
func (m *merge) book(theirs []BookEntry) {
	named := func(book []BookEntry) []string {
		names, met := make([]string, len(book)), map[string]int{}
		for i, e := range book {
			met[e.Address]++
			names[i] = smallfmt.Sprintf("%s %d", e.Address, met[e.Address])
		}
		return names
	}
	// Distinguishes an empty description from a missing entry.
	content := func(e BookEntry) string { return "=" + e.Description }
	names := named(theirs)
	at := map[string]int{}
	for i, name := range names {
		at[name] = i
	}
	ours := m.w.annotations.book
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
	slices.Reverse(drops) // so that indices of entries still to be deleted stay valid
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

// sent adds transactions that the wallet does not have. The wallet keeps its own records, which follow the chain.
func (m *merge) sent(f *CacheContents) {
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
	smallsort.Sort(m.u.TxKeys, func(a, b TxKey) int { return bytes.Compare(a.TxID[:], b.TxID[:]) })
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
