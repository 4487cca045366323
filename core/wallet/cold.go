package wallet

import (
	"errors"

	"glim/core/keys"
	"glim/core/xmr"
)

// Errors of what a wallet is told by its other half: a view-only wallet by the one that signs, and the other way round.
var (
	ErrImage = errors.New("wallet: a key image that belongs to another output")
	ErrTold  = errors.New("wallet: a list of outputs that names one twice")
	ErrHot   = errors.New("wallet: one that reads the chain itself is not told of outputs")
)

// KnownImage is the key image of an output, as a wallet without the spend key was told. Proved says that a signature by the
// output's key came with it; without one, it is the word of whoever has the view key.
type KnownImage struct {
	Key    xmr.PublicKey `json:"key"`
	Image  xmr.KeyImage  `json:"image"`
	Proved bool          `json:"proved"`
}

// Position returns where among Outputs the one with this key is.
func (w *Wallet) Position(key xmr.PublicKey) (uint64, bool) {
	n, ok := w.byKey[key]
	return uint64(n), ok
}

// WantsImage reports whether a wallet without the spend key has no proof of o's key image; and, of an output that a signer was
// told of, whether the one who told asked for its key image.
// Source: src/wallet/wallet2.h, transfer_details, m_key_image_request.
func (w *Wallet) WantsImage(o *Output) bool {
	if w.origin.Keys.CanSpend() {
		return o.Requested
	}
	return !w.images[o.Key].Proved
}

// DecideImages takes the key images of outputs that the wallet has or will have. A proof replaces a word, a word nothing.
// ErrImage when an image is another output's.
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
		if o, ok := w.OutputByKey(k.Key); ok && o.ImageKnown && w.origin.Keys.CanSpend() {
			continue // it is known by heart
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
		for i := range w.twins {
			if w.twins[i].Key == k.Key {
				w.twins[i].Image, w.twins[i].ImageKnown = k.Image, true
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

// told fills in the key image of o from what the wallet was told.
func (w *Wallet) told(o *Output) {
	if k, ok := w.images[o.Key]; ok && !o.ImageKnown {
		o.Image, o.ImageKnown = k.Image, true
	}
}

// fresh is w as it is before the first block: outputs that it was told of give way to those it finds.
func (w *Wallet) fresh() *Wallet {
	f := w.clone()
	f.outputs, f.twins, f.byKey, f.byImage = nil, nil, map[xmr.PublicKey]int{}, map[imageBegin]int{}
	f.ledger = newLedger()
	return f
}

// DecideTold takes the outputs of the view-only wallet, from number offset on; total is how many that one has. Flags and
// key images are the caller's to have filled in. The wallet must never have seen a chain itself. Errors: ErrHot, ErrTold.
// Source: src/wallet/wallet2.cpp, import_outputs.
func (w *Wallet) DecideTold(offset, total uint64, list []Output) (ChangeSet, error) {
	if _, begun := w.Tip(); begun {
		return ChangeSet{}, ErrHot
	}
	known := uint64(len(w.outputs))
	if offset > known || offset+uint64(len(list)) > total {
		return ChangeSet{}, ErrTold
	}
	all := append(append([]Output(nil), w.outputs[:offset]...), list...)
	if n := uint64(len(all)); n < known && n < total {
		all = append(all, w.outputs[n:min(known, total)]...)
	}
	seen := make(map[xmr.PublicKey]bool, len(all))
	for i := range all {
		if seen[all[i].Key] {
			return ChangeSet{}, ErrTold
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
		if spend, _ := w.origin.Keys.Address(list[i].Address); w.table.filled().index[spend] == list[i].Address {
			c.Chain.Used = append(c.Chain.Used, list[i].Address)
		}
	}
	return c, nil
}

// FirstSeen returns the index of the block in which o's key first appeared: before it nothing spends o.
func (w *Wallet) FirstSeen(o *Output) uint64 {
	height := o.Height
	for i := range w.twins {
		if w.twins[i].Key == o.Key {
			height = min(height, w.twins[i].Height)
		}
	}
	return height
}

// DecideRescan forgets blocks so that what spends an output of block height, index from genesis, is looked for again. What this
// wallet sent in them is pending until it is found again. The chain has to be the same as far as no reorganisation may change it. now is POSIX
// seconds.
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

// TxKey is the secret keys of a transaction that this wallet signed for a view-only one to send, or that another
// program sent.
type TxKey struct {
	TxID       xmr.Hash      `json:"txid"`
	Key        keys.Secret   `json:"key"`
	Additional []keys.Secret `json:"additional" epee:"blob"`
}

// TxSecret returns the secret keys of a transaction: one that this wallet sent, or signed for a view-only one, or that
// another program sent.
func (w *Wallet) TxSecret(id xmr.Hash) (TxKey, bool) {
	if s := w.sent[id]; s != nil && s.Key != (keys.Secret{}) {
		return TxKey{TxID: id, Key: s.Key, Additional: s.AdditionalKeys}, true
	}
	k, ok := w.txKeys[id]
	return k, ok
}
