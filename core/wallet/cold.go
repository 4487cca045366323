package wallet

import (
	"errors"

	"glim/core/keys"
	"glim/core/xmr"
)

// Errors of exchanging outputs and key images between a view-only wallet and its signer.
var (
	ErrImage           = errors.New("wallet: the key image belongs to another output")
	ErrDuplicateOutput = errors.New("wallet: the list of outputs contains one twice")
	ErrScanned         = errors.New("wallet: outputs cannot be imported into a wallet that has scanned the chain")
)

// KnownImage is the key image of an output, imported into a wallet without the spend key. Proved says that a
// signature by the output's key came with it; otherwise the source of the import is trusted.
type KnownImage struct {
	Key    xmr.PublicKey `json:"key"`
	Image  xmr.KeyImage  `json:"image"`
	Proved bool          `json:"proved"`
}

// Position returns the index in Outputs of the output with this key.
func (w *Wallet) Position(key xmr.PublicKey) (uint64, bool) {
	n, ok := w.byKey[key]
	return uint64(n), ok
}

// WantsImage reports whether a wallet that does not compute key images itself lacks a proved key image of o. In others,
// it reports whether the view-only wallet that exported o requested its key image.
// Source: src/wallet/wallet2.h, transfer_details, m_key_image_request.
func (w *Wallet) WantsImage(o *OwnedOutput) bool {
	if w.computesImages() {
		return o.ImageRequested
	}
	return !w.images[o.Key].Proved
}

// DecideImages imports key images of outputs that the wallet has or may find later. A proved key image replaces an
// unproved one; an unproved one replaces nothing. It returns ErrImage if an image belongs to another output.
func (w *Wallet) DecideImages(list []KnownImage) (ChangeSet, error) {
	var u UserChange
	owner := map[xmr.KeyImage]xmr.PublicKey{}
	for _, k := range list {
		if other, ok := w.imageOwner[k.Image]; ok && other != k.Key && (w.images[other].Proved || !k.Proved) {
			return ChangeSet{}, ErrImage
		}
		if other, ok := owner[k.Image]; ok && other != k.Key {
			return ChangeSet{}, ErrImage
		}
		owner[k.Image] = k.Key
		if o, ok := w.OutputByKey(k.Key); ok && o.ImageKnown && w.computesImages() {
			continue // the wallet computed it itself
		}
		if had, ok := w.images[k.Key]; ok && (had.Proved || had == k || !k.Proved && had.Image == k.Image) {
			continue
		}
		u.Images = append(u.Images, k)
	}
	return ChangeSet{User: u}, nil
}

func (w *Wallet) putImages(list []KnownImage) {
	for _, k := range list {
		if had, ok := w.images[k.Key]; ok && w.imageOwner[had.Image] == k.Key {
			delete(w.imageOwner, had.Image)
		}
		w.images[k.Key], w.imageOwner[k.Image] = k, k.Key
		for i := range w.burnt {
			if w.burnt[i].Key == k.Key {
				w.burnt[i].Image, w.burnt[i].ImageKnown = k.Image, true
			}
		}
		n, ok := w.byKey[k.Key]
		if !ok {
			continue
		}
		w.ownOutputs()
		o := &w.outputs[n]
		if o.ImageKnown && w.byImage[begin(o.Image)] == n {
			delete(w.byImage, begin(o.Image))
		}
		o.Image, o.ImageKnown = k.Image, true
		w.claim(n)
		w.enter(n)
	}
}

// fillImage sets the key image of o if it was imported.
func (w *Wallet) fillImage(o *OwnedOutput) {
	if k, ok := w.images[o.Key]; ok && !o.ImageKnown {
		o.Image, o.ImageKnown = k.Image, true
	}
}

// withoutImported returns a copy of w without outputs, for the first scan: scanned outputs replace imported ones.
func (w *Wallet) withoutImported() *Wallet {
	f := w.clone()
	f.outputs, f.burnt, f.byKey, f.byImage = nil, nil, map[xmr.PublicKey]int{}, map[imageBegin]int{}
	f.ledger = newLedger()
	return f
}

// DecideImportOutputs imports outputs of the view-only wallet, starting at number offset of its total. The caller
// sets their flags and key images. The wallet must never have scanned the chain itself. Errors: ErrScanned,
// ErrDuplicateOutput.
// Source: src/wallet/wallet2.cpp, import_outputs.
func (w *Wallet) DecideImportOutputs(offset, total uint64, list []OwnedOutput) (ChangeSet, error) {
	if _, begun := w.Tip(); begun {
		return ChangeSet{}, ErrScanned
	}
	known := uint64(len(w.outputs))
	if offset > known || offset+uint64(len(list)) > total {
		return ChangeSet{}, ErrDuplicateOutput
	}
	all := append(append([]OwnedOutput(nil), w.outputs[:offset]...), list...)
	if n := uint64(len(all)); n < known && n < total {
		all = append(all, w.outputs[n:min(known, total)]...)
	}
	seen := make(map[xmr.PublicKey]bool, len(all))
	for i := range all {
		if seen[all[i].Key] {
			return ChangeSet{}, ErrDuplicateOutput
		}
		seen[all[i].Key] = true
	}
	var c ChangeSet
	if offset == known {
		c.Chain.Outputs = list
	} else {
		c.Chain.Clear, c.Chain.Outputs = true, all
	}
	for i := range list {
		if spend, _ := w.identity.Keys.Address(list[i].Address); w.table.filled().index[spend] == list[i].Address {
			c.Chain.Used = append(c.Chain.Used, list[i].Address)
		}
	}
	return c, nil
}

// FirstSeen returns the index of the block in which the key of o first appeared: no earlier block can spend o.
func (w *Wallet) FirstSeen(o *OwnedOutput) uint64 {
	height := o.Height
	for i := range w.burnt {
		if w.burnt[i].Key == o.Key {
			height = min(height, w.burnt[i].Height)
		}
	}
	return height
}

// DecideRescan drops blocks so that spends of an output in the block with index height are found again. Transactions
// sent in these blocks become pending until they are found again. Blocks below the maximum depth of a reorganisation
// must be the same then. now is in POSIX seconds.
func (w *Wallet) DecideRescan(height, now uint64) ChangeSet {
	for i := len(w.chain.ids) - 1; i >= 0; i-- {
		if at := w.chain.ids[i].Height; at <= height {
			c := w.detaching(at+1, now)
			c.Chain.Rescan, c.Chain.Awaited = true, w.settled(at)
			return c
		}
	}
	return ChangeSet{Chain: ChainChange{Clear: true, Awaited: w.settled(0)}}
}

// TxKey holds the secret keys of a transaction that this wallet signed for a view-only wallet, or that another
// program sent.
type TxKey struct {
	TxID       xmr.Hash      `json:"txid"`
	Key        keys.Secret   `json:"key"`
	Additional []keys.Secret `json:"additional" epee:"blob"`
}

// TxSecret returns the secret keys of a transaction that this wallet sent or signed for a view-only wallet, or that
// another program sent.
func (w *Wallet) TxSecret(id xmr.Hash) (TxKey, bool) {
	if s := w.sent[id]; s != nil && (s.Key != (keys.Secret{}) || s.AdditionalKeys != nil) {
		return TxKey{TxID: id, Key: s.Key, Additional: s.AdditionalKeys}, true
	}
	k, ok := w.txKeys[id]
	return k, ok
}
