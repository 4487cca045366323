package wallet

import (
	"cmp"
	"errors"
	"maps"
	"slices"

	"glim/core/internal/order"
	"glim/core/xmr"
)

// Errors about what the user keeps beside his money.
var (
	ErrTagAccount   = errors.New("account index out of bound")
	ErrTagEmpty     = errors.New("tag must not be empty")
	ErrTagUnknown   = errors.New("tag is unregistered")
	ErrBookIndex    = errors.New("address book index out of range")
	ErrNoSuchOutput = errors.New("key image not found")
)

// Note is the user's text about a transaction; empty removes it.
type Note struct {
	TxID xmr.Hash `json:"txid"`
	Text string   `json:"text"`
}

// Attribute is a free pair.
type Attribute struct {
	Key   string `json:"key"`
	Value string `json:"value"`
}

// BookEntry is an address worth remembering, as the user gave it.
type BookEntry struct {
	Address     string `json:"address"`
	Description string `json:"description"`
}

// BookChange adds an entry at the end of the address book, or replaces or deletes the one at Index; what follows a
// deleted one moves up.
type BookChange struct {
	Kind  BookKind  `json:"kind"`
	Index uint64    `json:"index"`
	Entry BookEntry `json:"entry"`
}

// BookKind is what a BookChange does.
type BookKind uint8

// The kinds.
const (
	BookAdd BookKind = iota
	BookSet
	BookDelete
)

// TagChange gives an account a tag; empty takes it away.
type TagChange struct {
	Account uint32 `json:"account"`
	Tag     string `json:"tag"`
}

// papers are what the user keeps beside his money.
type papers struct {
	notes      map[xmr.Hash]string
	attributes map[string]string
	book       []BookEntry
	tags       map[uint32]string // by account; none is no entry
	described  map[string]string // descriptions of tags in use
}

func newPapers() papers {
	return papers{map[xmr.Hash]string{}, map[string]string{}, nil, map[uint32]string{}, map[string]string{}}
}

func (p *papers) commit(u *UserChange) {
	for _, n := range u.Notes {
		put(p.notes, n.TxID, n.Text)
	}
	for _, a := range u.Attrs {
		p.attributes[a.Key] = a.Value
	}
	for _, c := range u.Book {
		switch i := int(c.Index); {
		case c.Kind == BookAdd:
			p.book = append(p.book, c.Entry)
		case c.Index >= uint64(len(p.book)):
			// a decision never says so
		case c.Kind == BookSet:
			p.book = slices.Clone(p.book)
			p.book[i] = c.Entry
		case c.Kind == BookDelete:
			p.book = slices.Concat(p.book[:i], p.book[i+1:])
		}
	}
	for _, t := range u.Tags {
		put(p.tags, t.Account, t.Tag)
	}
	for _, d := range u.Described {
		p.described[d.Key] = d.Value
	}
	inUse := map[string]bool{}
	for _, t := range p.tags {
		inUse[t] = true
	}
	maps.DeleteFunc(p.described, func(tag, _ string) bool { return !inUse[tag] })
}

// put sets m[k], or deletes it for the empty text.
func put[K comparable](m map[K]string, k K, text string) {
	if text == "" {
		delete(m, k)
	} else {
		m[k] = text
	}
}

func (p *papers) snapshot(u *UserChange) {
	for id, text := range p.notes {
		u.Notes = append(u.Notes, Note{id, text})
	}
	for k, v := range p.attributes {
		u.Attrs = append(u.Attrs, Attribute{k, v})
	}
	for _, e := range p.book {
		u.Book = append(u.Book, BookChange{Kind: BookAdd, Entry: e})
	}
	for account, tag := range p.tags {
		u.Tags = append(u.Tags, TagChange{account, tag})
	}
	for k, v := range p.described {
		u.Described = append(u.Described, Attribute{k, v})
	}
}

// Note returns the user's text about transaction id; empty when there is none.
func (w *Wallet) Note(id xmr.Hash) string { return w.papers.notes[id] }

// Attribute returns the value kept under key.
func (w *Wallet) Attribute(key string) (string, bool) {
	v, ok := w.papers.attributes[key]
	return v, ok
}

// Book returns the address book. Read only.
func (w *Wallet) Book() []BookEntry { return w.papers.book }

// Tag returns the tag of account; empty when it has none.
func (w *Wallet) Tag(account uint32) string { return w.papers.tags[account] }

// TagInfo is a tag in use.
type TagInfo struct {
	Tag, Description string
	Accounts         []uint32 // ascending
}

// Tags returns the tags in use, sorted.
func (w *Wallet) Tags() []TagInfo {
	byTag := map[string]*TagInfo{}
	for account := range w.Accounts() {
		tag := w.papers.tags[account]
		if tag == "" {
			continue
		}
		if byTag[tag] == nil {
			byTag[tag] = &TagInfo{Tag: tag, Description: w.papers.described[tag]}
		}
		byTag[tag].Accounts = append(byTag[tag].Accounts, account)
	}
	var out []TagInfo
	for _, t := range byTag {
		out = append(out, *t)
	}
	order.Sort(out, func(a, b TagInfo) int { return cmp.Compare(a.Tag, b.Tag) })
	return out
}

// DecideTags gives accounts a tag, or none. Errors, with which nothing changes: ErrTagAccount when one does not exist, ErrLabel.
func (w *Wallet) DecideTags(accounts []uint32, tag string) (ChangeSet, error) {
	var u UserChange
	accounts = slices.Compact(slices.Sorted(slices.Values(accounts)))
	if uint64(len(tag))*uint64(len(accounts)) > maxLabels {
		return ChangeSet{}, ErrLabel
	}
	for _, a := range accounts {
		if a >= w.Accounts() {
			return ChangeSet{}, ErrTagAccount
		}
		u.Tags = append(u.Tags, TagChange{a, tag})
	}
	return ChangeSet{User: u}, nil
}

// DecideTagDescription describes a tag in use. Errors: ErrTagEmpty, ErrTagUnknown.
func (w *Wallet) DecideTagDescription(tag, text string) (ChangeSet, error) {
	if tag == "" {
		return ChangeSet{}, ErrTagEmpty
	}
	if !slices.ContainsFunc(w.Tags(), func(t TagInfo) bool { return t.Tag == tag }) {
		return ChangeSet{}, ErrTagUnknown
	}
	return ChangeSet{User: UserChange{Described: []Attribute{{tag, text}}}}, nil
}

// DecideBook changes the address book. ErrBookIndex when the entry to change does not exist.
func (w *Wallet) DecideBook(c BookChange) (ChangeSet, error) {
	if c.Kind != BookAdd && c.Index >= uint64(len(w.papers.book)) {
		return ChangeSet{}, ErrBookIndex
	}
	return ChangeSet{User: UserChange{Book: []BookChange{c}}}, nil
}

// DecideFreeze freezes or thaws the output with key image i. ErrNoSuchOutput when the wallet has none.
func (w *Wallet) DecideFreeze(i xmr.KeyImage, thaw bool) (ChangeSet, error) {
	o, ok := w.OutputByImage(i)
	if !ok {
		return ChangeSet{}, ErrNoSuchOutput
	}
	return ChangeSet{User: UserChange{Freeze: []Freeze{{o.Key, thaw}}}}, nil
}
