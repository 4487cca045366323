package wallet

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"maps"
	"slices"

	"glim/core/crypto/keccak"
	"glim/core/internal/smallsort"
	"glim/core/xmr"
)

// SharedCache identifies the cache that was last written for another program. The wallet then had all its entries.
type SharedCache struct {
	Digest  [32]byte `json:"digest"`  // SHA-256 of the file
	Content [32]byte `json:"content"` // Fingerprint of what the wallet had
	Base    []byte   `json:"base"`    // the entries, as in Takeover.Base
}

// Shared returns the cache that was last written for another program; nil without one, or if the wallet has taken over
// a cache since. The caller must not change it.
func (w *Wallet) Shared() *SharedCache { return w.shared }

// CacheDigest returns the SHA-256 of the other program's cache that the wallet wrote or took over last; zeros without
// one.
func (w *Wallet) CacheDigest() [32]byte {
	switch {
	case w.shared != nil:
		return w.shared.Digest
	case w.takeover != nil:
		return w.takeover.Digest
	}
	return [32]byte{}
}

// Revision returns a number that grows with each change of what Contents returns.
func (w *Wallet) Revision() uint64 { return w.revision }

// revise counts c if it may change what Contents returns.
func (w *Wallet) revise(c *ChangeSet) {
	u, ch := &c.User, &c.Chain
	if u.Lookahead != nil || ch.Clear || ch.Detach != nil || ch.Rewind != nil ||
		len(u.Labels)+len(u.Sent)+len(u.States)+len(u.Freeze)+len(u.Notes)+len(u.Attrs)+len(u.Book)+len(u.Tags)+
			len(u.Described)+len(u.Images)+len(u.TxKeys)+len(ch.Used)+len(ch.Spends)+len(ch.Accounts) > 0 {
		w.revision++
	}
}

// Contents returns what the cache of another program should contain. Of the transactions that the wallet sent it has
// those on the chain, with their heights in Mined, and the secret keys of all. Lists are sorted; the address book is
// in its own order. The result shares texts with the wallet, but no list.
func (w *Wallet) Contents() *CacheContents {
	f := &CacheContents{Lookahead: w.ahead(w.lookahead), Book: slices.Clone(w.annotations.book)}
	for _, labels := range w.accounts {
		f.Labels = append(f.Labels, slices.Clone(labels))
	}
	if len(w.annotations.tags) > 0 {
		f.Tags = make([]string, len(w.accounts))
		for account, tag := range w.annotations.tags {
			if int(account) < len(f.Tags) {
				f.Tags[account] = tag
			}
		}
	}
	described := map[string]string{}
	for _, tag := range w.annotations.tags {
		described[tag] = w.annotations.described[tag]
	}
	f.Described, f.Attrs = pairs(described), pairs(w.annotations.attributes)
	for _, id := range union(w.annotations.notes, map[xmr.Hash]bool{}) {
		f.Notes = append(f.Notes, Note{id, w.annotations.notes[id]})
	}
	for _, id := range union(w.sent, w.txKeys) {
		if k, ok := w.TxSecret(id); ok {
			f.TxKeys = append(f.TxKeys, k)
		}
		if s, sp := w.sent[id], w.spends[id]; s != nil && sp != nil && len(s.Destinations) > 0 {
			f.Sent, f.Mined = append(f.Sent, *s), append(f.Mined, sp.Height)
		}
	}
	f.Frozen = sortedKeys(w.frozen)
	for _, key := range sortedKeys(w.images) {
		f.Images = append(f.Images, w.images[key])
	}
	return f
}

// Wipe overwrites the secret keys in contents of Wallet.Contents, except those that it shares with the wallet.
func (f *CacheContents) Wipe() {
	for i := range f.TxKeys {
		clear(f.TxKeys[i].Key[:])
	}
	for i := range f.Sent {
		clear(f.Sent[i].Key[:])
	}
}

// pairs returns the entries of m, sorted by key.
func pairs(m map[string]string) (list []Attribute) {
	for _, k := range smallsort.Sorted(maps.Keys(m), func(a, b string) int { return cmp.Compare(a, b) }) {
		list = append(list, Attribute{k, m[k]})
	}
	return list
}

func sortedKeys[K ~[32]byte, V any](m map[K]V) []K {
	return smallsort.Sorted(maps.Keys(m), func(a, b K) int { return bytes.Compare(a[:], b[:]) })
}

// Blank reports whether f contains nothing that a new wallet does not have.
func (f *CacheContents) Blank() bool {
	return len(f.Labels) <= 1 && (len(f.Labels) == 0 || len(f.Labels[0]) == 1 && f.Labels[0][0] == "Primary account") &&
		len(f.Tags)+len(f.Described)+len(f.Notes)+len(f.Attrs)+len(f.Book)+len(f.Sent)+len(f.TxKeys)+len(f.Frozen)+
			len(f.Images) == 0
}

// Watched returns the number of addresses to watch in each account, including the lookahead.
func (f *CacheContents) Watched() (sizes []uint32) {
	counts := make([]uint32, len(f.Labels))
	for i, labels := range f.Labels {
		counts[i] = uint32(len(labels))
	}
	for major := range f.Lookahead.accountCount(counts) {
		sizes = append(sizes, f.Lookahead.addressCount(counts, major))
	}
	return sizes
}

// DecideShared records that a cache with this digest has the contents f, which the wallet had before. fingerprint is
// that of everything that the wallet had then, of which a cache without outputs cannot have all.
func (w *Wallet) DecideShared(f *CacheContents, fingerprint, digest [32]byte) ChangeSet {
	return ChangeSet{User: UserChange{Shared: &SharedCache{digest, fingerprint, w.base(f)}}}
}

// Fingerprint returns a hash of f, which are contents of w.
func (w *Wallet) Fingerprint(f *CacheContents) [32]byte {
	b := w.base(f)
	for _, n := range f.Watched() {
		b = binary.LittleEndian.AppendUint32(b, n)
	}
	for _, labels := range f.Labels {
		b = binary.LittleEndian.AppendUint32(b, uint32(len(labels)))
	}
	for i := range f.TxKeys {
		b = append(b, f.TxKeys[i].TxID[:]...)
	}
	for i := range f.Sent {
		b = append(b, f.Sent[i].TxID[:]...)
		b = binary.LittleEndian.AppendUint64(b, f.Mined[i])
	}
	for i := range f.Images {
		b = append(b, f.Images[i].Image[:]...)
	}
	return keccak.Sum256(b)
}

// base returns the entries of f in the encoding of Takeover.Base.
func (w *Wallet) base(f *CacheContents) []byte {
	m := merge{w: w, first: true, base: map[[8]byte][8]byte{}}
	m.entries(f)
	return m.encode()
}
