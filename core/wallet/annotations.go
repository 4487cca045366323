package wallet

import (
	"cmp"
	"errors"
	"maps"
	"slices"
	"strings"

	"glim/core/internal/smallsort"
	"glim/core/xmr"
)

// Errors of annotations. The texts are the reference's.
var (
	ErrTagAccount   = errors.New("account index out of bound")
	ErrTagEmpty     = errors.New("tag must not be empty")
	ErrTagUnknown   = errors.New("tag is unregistered")
	ErrBookIndex    = errors.New("address book index out of range")
	ErrNoSuchOutput = errors.New("key image not found")
)

// Note is the user's note on a transaction; an empty text removes it.
type Note struct {
	TxID xmr.Hash `json:"txid"`
	Text string   `json:"text"`
}

// Attribute is a free-form key with a value.
type Attribute struct {
	Key   string `json:"key"`
	Value string `json:"value"`
}

// BookEntry is an entry of the address book, with the address as the user entered it.
type BookEntry struct {
	Address     string `json:"address"`
	Description string `json:"description"`
}

// BookChange appends an entry to the address book, or replaces or deletes the entry at Index; later entries move up.
type BookChange struct {
	Kind  BookKind  `json:"kind"`
	Index uint64    `json:"index"`
	Entry BookEntry `json:"entry"`
}

// BookKind is the kind of a BookChange.
type BookKind uint8

// The kinds.
const (
	BookAdd BookKind = iota
	BookSet
	BookDelete
)

// TagChange sets the tag of an account; an empty one removes it.
type TagChange struct {
	Account uint32 `json:"account"`
	Tag     string `json:"tag"`
}

// annotations are the notes, attributes, address book and tags of the user.
type annotations struct {
	notes      map[xmr.Hash]string
	attributes map[string]string
	book       []BookEntry
	tags       map[uint32]string // by account
	described  map[string]string // descriptions of tags in use
}

func newAnnotations() annotations {
	return annotations{map[xmr.Hash]string{}, map[string]string{}, nil, map[uint32]string{}, map[string]string{}}
}

func (p *annotations) commit(u *UserChange) {
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
			// no decision makes this
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

// put sets m[k], or deletes it if text is empty.
func put[K comparable](m map[K]string, k K, text string) {
	if text == "" {
		delete(m, k)
	} else {
		m[k] = text
	}
}

func (p *annotations) snapshot(u *UserChange) {
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

// Note returns the user's note on transaction id; empty without one.
func (w *Wallet) Note(id xmr.Hash) string { return w.annotations.notes[id] }

// Attribute returns the value of the attribute with this key; false without one.
func (w *Wallet) Attribute(key string) (string, bool) {
	v, ok := w.annotations.attributes[key]
	return v, ok
}

// Attributes returns the attributes whose keys have a prefix, in any order.
func (w *Wallet) Attributes(prefix string) map[string]string {
	some := map[string]string{}
	for k, v := range w.annotations.attributes {
		if strings.HasPrefix(k, prefix) {
			some[k] = v
		}
	}
	return some
}

// Book returns the address book. The caller must not change the slice.
func (w *Wallet) Book() []BookEntry { return w.annotations.book }

// Tag returns the tag of account; empty without one.
func (w *Wallet) Tag(account uint32) string { return w.annotations.tags[account] }

// TagInfo is a tag in use.
type TagInfo struct {
	Tag, Description string
	Accounts         []uint32 // ascending
}

// Tags returns the tags in use, sorted by tag.
func (w *Wallet) Tags() []TagInfo {
	byTag := map[string]*TagInfo{}
	for account := range w.Accounts() {
		tag := w.annotations.tags[account]
		if tag == "" {
			continue
		}
		if byTag[tag] == nil {
			byTag[tag] = &TagInfo{Tag: tag, Description: w.annotations.described[tag]}
		}
		byTag[tag].Accounts = append(byTag[tag].Accounts, account)
	}
	var out []TagInfo
	for _, t := range byTag {
		out = append(out, *t)
	}
	smallsort.Sort(out, func(a, b TagInfo) int { return cmp.Compare(a.Tag, b.Tag) })
	return out
}

// DecideTags sets or removes the tag of accounts. It returns ErrTagAccount if an account does not exist, and ErrLabel
// if the change is too large.
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

// DecideTagDescription sets the description of a tag in use. Errors: ErrTagEmpty, ErrTagUnknown.
func (w *Wallet) DecideTagDescription(tag, text string) (ChangeSet, error) {
	if tag == "" {
		return ChangeSet{}, ErrTagEmpty
	}
	if !slices.ContainsFunc(w.Tags(), func(t TagInfo) bool { return t.Tag == tag }) {
		return ChangeSet{}, ErrTagUnknown
	}
	return ChangeSet{User: UserChange{Described: []Attribute{{tag, text}}}}, nil
}

// DecideBook changes the address book. It returns ErrBookIndex if the entry does not exist.
func (w *Wallet) DecideBook(c BookChange) (ChangeSet, error) {
	if c.Kind != BookAdd && c.Index >= uint64(len(w.annotations.book)) {
		return ChangeSet{}, ErrBookIndex
	}
	return ChangeSet{User: UserChange{Book: []BookChange{c}}}, nil
}

// DecideFreeze freezes or thaws the output with key image i. It returns ErrNoSuchOutput if the wallet has no such
// output.
func (w *Wallet) DecideFreeze(i xmr.KeyImage, thaw bool) (ChangeSet, error) {
	o, ok := w.OutputByImage(i)
	if !ok {
		return ChangeSet{}, ErrNoSuchOutput
	}
	return ChangeSet{User: UserChange{Freeze: []Freeze{{o.Key, thaw}}}}, nil
}

// DecideFreezeLabel freezes or thaws the outputs received at addresses with a label. It returns ErrNoSuchOutput if
// there are none.
func (w *Wallet) DecideFreezeLabel(label string, thaw bool) (c ChangeSet, err error) {
	for _, o := range w.Labelled(label) {
		c.User.Freeze = append(c.User.Freeze, Freeze{o.Key, thaw})
	}
	if len(c.User.Freeze) == 0 {
		err = ErrNoSuchOutput
	}
	return c, err
}

// Labelled returns the outputs received at addresses with a label.
func (w *Wallet) Labelled(label string) (list []*OwnedOutput) {
	for i := range w.outputs {
		if o := &w.outputs[i]; w.Label(o.Address) == label {
			list = append(list, o)
		}
	}
	return list
}
