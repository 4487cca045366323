package coldset

import (
	"io"
	"slices"

	"glim/core/address"
	"glim/core/build"
	"glim/core/fee"
	"glim/core/keys"
	"glim/core/scan"
	"glim/core/tx"
	"glim/core/xmr"
)

// Signer is the wallet that signs, and what it knows.
type Signer struct {
	Network   xmr.Network
	Keys      *keys.Keys
	Addresses Addresses // may be nil: addresses that a set names are found without
	// Images are the key images of the view-only wallet's outputs as far as earlier messages told of them, from its first on.
	Images  []xmr.KeyImage
	Ceiling fee.Ceiling // the most that it pays as fee, per byte
}

// Import returns the key images of the view-only wallet's outputs after a message with s. Errors: ErrGap, ErrNotOurs,
// build.ErrViewOnly.
// Source: src/wallet/wallet2.cpp, import_outputs.
func (w *Signer) Import(s *OutputSet) ([]xmr.KeyImage, error) {
	outputs, err := s.Current()
	if err != nil || len(outputs) == 0 {
		return slices.Clone(w.Images), err
	}
	if s.Offset > uint64(len(w.Images)) {
		return nil, ErrGap
	}
	if err := w.foresee(outputs); err != nil {
		return nil, err
	}
	images := slices.Clone(w.Images[:s.Offset])
	for i := range outputs {
		image, err := outputs[i].KeyImage(w.Keys, w.Addresses)
		if err != nil {
			return nil, err
		}
		images = append(images, image)
	}
	if n := len(images); n < len(w.Images) {
		images = append(images, w.Images[n:min(uint64(len(w.Images)), max(s.Total, uint64(n)))]...)
	}
	return images, nil
}

// foresee asks the place of the spend secret for all key images at once, where it is elsewhere.
func (w *Signer) foresee(outputs []Output) error {
	if !w.Keys.Away() {
		return nil
	}
	all := make([]keys.Output, len(outputs))
	for i := range outputs {
		o := &outputs[i]
		at, err := o.Own(w.Keys, w.Addresses)
		if err != nil {
			return err
		}
		all[i] = keys.Output{Derivation: at.Derivation, Index: o.Index, Address: at.Address, Key: o.Key}
	}
	return w.Keys.Foresee(all)
}

// Sign makes and signs the transactions of u and returns them for the view-only wallet, along with what stays here: their
// keys. Everything is checked before anything is signed: see Describe and Construction.Plan. Errors: theirs, those of
// Import and of build.Sign.
// Source: src/wallet/wallet2.cpp, sign_tx.
func (w *Signer) Sign(random io.Reader, u *UnsignedSet) (*SignedSet, []*build.Result, error) {
	if !w.Keys.CanSpend() {
		return nil, nil, build.ErrViewOnly
	}
	if _, _, err := u.Describe(w.Network); err != nil {
		return nil, nil, err
	}
	signed := new(SignedSet)
	var err error
	if signed.KeyImages, err = w.Import(&u.Outputs); err != nil {
		return nil, nil, err
	}
	var results []*build.Result
	for i := range u.Transactions {
		c := &u.Transactions[i]
		plan, rings, err := c.Plan(w.Network, w.Keys, w.Addresses)
		if err != nil {
			return nil, nil, err
		}
		result, err := build.Sign(random, w.Keys, plan, rings, w.Ceiling)
		if err != nil {
			return nil, nil, err
		}
		results = append(results, result)
		p := Pending{
			Version: pendingVersion, Tx: result.Tx, Fee: result.Fee, Change: c.Change, Selected: c.Selected,
			KeyImages: imagesText(result.Tx), Payments: c.Payments, Construction: *c,
			Key: keys.Secret{1}, // what signers write instead of the key, which the view-only wallet is not to know
		}
		signed.Transactions = append(signed.Transactions, p)
		if err := w.received(signed, result); err != nil {
			return nil, nil, err
		}
	}
	return signed, results, nil
}

// received adds the key images of what the transaction pays back to the wallet.
func (w *Signer) received(s *SignedSet, result *build.Result) error {
	find := claimed(w.Keys, w.Addresses, result.Inputs[0].Address, keys.Index{Major: result.Inputs[0].Address.Major})
	found, err := scan.Find(w.Keys.ViewSecret(), result.Tx, func(spend xmr.PublicKey) bool {
		_, ours := find(spend)
		return ours
	})
	if err != nil {
		return err
	}
	for _, c := range found {
		at, _ := find(c.SpendKey)
		key := result.Tx.Outputs[c.Output].Key
		image, err := keyImage(w.Keys, Owned{Address: at, Derivation: c.Derivation}, uint64(c.Output), key)
		if err != nil {
			return err
		}
		if !slices.ContainsFunc(s.Received, func(r ReceivedImage) bool { return r.Key == key }) {
			s.Received = append(s.Received, ReceivedImage{Key: key, Image: image})
		}
	}
	return nil
}

// NewPending describes a transaction that the wallet made itself, as metadata that it or the reference relays later.
// change is where the plan sent change. Errors: ErrNotOurs, random's.
func NewPending(random io.Reader, k *keys.Keys, result *build.Result, change address.Address, at Positions) (*Pending, error) {
	plan := build.Plan{Inputs: result.Inputs, Destinations: result.Destinations, Change: change, Fee: result.Fee}
	c, err := NewConstruction(random, k, plan, result.Rings, at)
	if err != nil {
		return nil, err
	}
	c.Extra = result.Tx.Extra
	return &Pending{
		Version: pendingVersion, Tx: result.Tx, Fee: result.Fee, Change: c.Change, Selected: c.Selected,
		KeyImages: imagesText(result.Tx), Key: result.Key, AdditionalKeys: result.AdditionalKeys, Payments: c.Payments,
		Construction: c,
	}, nil
}

// CheckReturned returns build.ErrInsane unless signed transaction p does what was asked for in c, as far as a view-only
// wallet can tell: rings of the right outputs, the fee, the number of outputs, change that comes back.
func CheckReturned(k *keys.Keys, c *Construction, p *Pending) error {
	t := p.Tx
	if t.Version != 2 || t.UnlockTime != 0 || t.RingCT.Type != tx.RingCTBulletproofPlus || t.IsPruned() ||
		len(t.Inputs) != len(c.Sources) || len(t.Outputs) != len(c.Outputs) {
		return build.ErrInsane
	}
	var in, out, change uint64
	var err error
	for i := range c.Outputs {
		if out, err = xmr.Sum(out, c.Outputs[i].Amount); err != nil {
			return err
		}
		if c.Outputs[i].Spend == c.Change.Spend && c.Outputs[i].View == c.Change.View {
			change += c.Outputs[i].Amount
		}
	}
	for i := range c.Sources {
		if in, err = xmr.Sum(in, c.Sources[i].Amount); err != nil {
			return err
		}
		if !slices.ContainsFunc(t.Inputs, func(x tx.Input) bool { return sameRing(x, c.Sources[i]) }) {
			return build.ErrInsane
		}
	}
	if out > in || t.RingCT.Fee != in-out {
		return build.ErrInsane
	}
	found, err := scan.Find(k.ViewSecret(), t, func(spend xmr.PublicKey) bool { return spend == c.Change.Spend })
	if err != nil {
		return err
	}
	for _, x := range found {
		if amount, _, ok := scan.Amount(t, x.Output, x.Derivation); ok && amount <= change {
			change -= amount
		}
	}
	if change != 0 {
		return build.ErrInsane
	}
	return nil
}

func sameRing(in tx.Input, s Source) bool {
	indices := tx.AbsoluteOffsets(in.KeyOffsets)
	if in.Coinbase || len(indices) != len(s.Ring) {
		return false
	}
	for i := range indices {
		if indices[i] != s.Ring[i].Index {
			return false
		}
	}
	return true
}
