package walletcache

import (
	"bytes"
	"errors"
	"io"
	"math"

	"glim/core/internal/codec/wire"
	"glim/core/internal/crypto/chacha"
	"glim/core/walletfile"
	"glim/core/xmr"
)

// ErrArchive reports a cache of a release before 0.17.0.0, which Edit does not change. The reference writes it in the
// current format when it stores it.
var ErrArchive = errors.New("walletcache: in the format of releases before 0.17.0.0")

// Key encrypts the caches of a password. It never prints.
type Key struct{ key [32]byte }

// NewKey returns the key of a password that is hashed rounds times, see chacha.Key.
func NewKey(password []byte, rounds int) *Key { return &Key{passwordKey(password, rounds)} }

// PasswordKey returns the key of a password.
func PasswordKey(p *walletfile.Password) *Key { return &Key{p.Derive(cacheDomain)} }

// Wipe overwrites the key. k may be nil.
func (k *Key) Wipe() {
	if k != nil {
		clear(k.key[:])
	}
}

// String hides the key.
func (*Key) String() string { return "[secret]" }

// GoString hides the key.
func (*Key) GoString() string { return "[secret]" }

// WatchedKey is an address that a wallet watches, with its public spend key.
type WatchedKey struct {
	Index Index
	Spend xmr.PublicKey
}

// Edit returns a cache with the changes that edit makes to its contents, encrypted with the same key. It returns file
// itself if edit changes nothing. Everything else, such as the scanned chain, stays as it is, byte by byte.
//
// edit may change TxKeys, Confirmed, Notes, AddressBook, Labels, Attributes, Tags, AccountTags, ColdKeyImages and the
// Frozen of Transfers; other changes are ignored. It returns addresses to add to Table. Edit returns the error of edit
// or of random, ErrFormat, ErrVersion, ErrPassword, ErrOwner if the cache is not that of the primary address with these
// keys, and ErrArchive. random must be a cryptographic source.
func (k *Key) Edit(
	file []byte, spend, view xmr.PublicKey, random io.Reader, edit func(*Cache) ([]WatchedKey, error),
) ([]byte, error) {
	data, err := k.open(file)
	if err != nil {
		return nil, err
	}
	defer clear(data)
	c, at, err := parseLayout(data)
	if err != nil {
		return nil, err
	}
	defer c.Wipe()
	if c.Spend != spend || c.View != view {
		return nil, ErrOwner
	}
	before := at.editable(c)
	defer wipeParts(before)
	frozen := make([]bool, len(c.Transfers))
	for i := range c.Transfers {
		frozen[i] = c.Transfers[i].Frozen
	}
	added, err := edit(c)
	if err != nil {
		return nil, err
	}
	after := at.editable(c)
	defer wipeParts(after)
	next := make([]byte, 0, len(data)+41*len(added))
	copied := 0
	for i, part := range after {
		next = append(next, data[copied:part.from]...)
		switch {
		case part.table && len(added) > 0:
			next = appendTable(next, data[part.from:part.to], added)
		case part.table || bytes.Equal(part.content, before[i].content):
			next = append(next, data[part.from:part.to]...)
		default:
			next = append(next, part.content...)
		}
		copied = part.to
	}
	next = append(next, data[copied:]...)
	for i, offset := range at.frozen { // transfers come before all parts, so that their offsets are the same
		if c.Transfers[i].Frozen != frozen[i] {
			next[offset] = 0
			if !frozen[i] {
				next[offset] = 1
			}
		}
	}
	defer clear(next)
	if bytes.Equal(next, data) {
		return file, nil
	}
	if check, err := parse(next); err != nil {
		return nil, err
	} else {
		defer check.Wipe()
	}
	var iv [chacha.IVSize]byte
	if _, err := io.ReadFull(random, iv[:]); err != nil {
		return nil, err
	}
	return sealUnder(&k.key, next, iv), nil
}

// open decrypts a cache in the current format.
func (k *Key) open(file []byte) ([]byte, error) {
	if bytes.HasPrefix(file, []byte(archive)) || bytes.HasPrefix(file, []byte(unportable)) {
		return nil, ErrArchive
	}
	iv, sealed, err := split(file)
	if err != nil {
		return nil, err
	}
	data := try(sealed, &k.key, iv, chacha.XOR)
	switch {
	case data == nil:
		return nil, ErrPassword
	case !bytes.HasPrefix(data, []byte(magic)):
		clear(data)
		return nil, ErrArchive
	}
	return data, nil
}

// span is a range of bytes.
type span struct{ from, to int }

// part calls read and stores the range that it reads.
func (r *reader) part(at *span, read func()) {
	from := r.Offset()
	read()
	*at = span{from, r.Offset()}
}

// layout says where the parts are that Edit can replace, each with its length field.
type layout struct {
	txKeys, confirmed, notes, book, table, labels, additional, attributes, tags, coldKeyImages span

	frozen []int // offsets of the flags of transfers
}

// part is a part of a cache with its encoded content. That of the table is not encoded.
type part struct {
	span
	content []byte
	table   bool
}

// editable returns the parts that Edit can replace, in the order of the file, with the content that c has now.
func (l *layout) editable(c *Cache) []part {
	encoded := func(write func(*writer)) []byte {
		var w writer
		write(&w)
		return w.b
	}
	return []part{
		{span: l.txKeys, content: encoded(func(w *writer) { w.singleKeys(c.TxKeys) })},
		{span: l.confirmed, content: encoded(func(w *writer) {
			each(w, c.Confirmed, func(s Sent) { w.sent(s, false) })
		})},
		{span: l.notes, content: encoded(func(w *writer) { w.notes(c.Notes) })},
		{span: l.book, content: encoded(func(w *writer) { w.book(c.AddressBook) })},
		{span: l.table, table: true},
		{span: l.labels, content: encoded(func(w *writer) {
			each(w, c.Labels, func(labels []string) { each(w, labels, w.text) })
		})},
		{span: l.additional, content: encoded(func(w *writer) { w.additionalKeys(c.TxKeys) })},
		{span: l.attributes, content: encoded(func(w *writer) { w.attributes(c.Attributes) })},
		{span: l.tags, content: encoded(func(w *writer) { w.tags(c.Tags, c.AccountTags) })},
		{span: l.coldKeyImages, content: encoded(func(w *writer) { w.coldImages(c.ColdKeyImages) })},
	}
}

func wipeParts(parts []part) {
	for _, p := range parts {
		clear(p.content)
	}
}

// appendTable appends a table of subaddresses with further entries.
func appendTable(b, table []byte, added []WatchedKey) []byte {
	r := reader{Reader: wire.NewReader(table)}
	n := r.Count(math.MaxInt, 41)
	w := writer{b: b}
	w.varint(uint64(n + len(added)))
	w.raw(table[r.Offset():])
	for _, a := range added {
		w.pair()
		w.key(a.Spend)
		w.place(a.Index)
	}
	return w.b
}
