package coldset

import (
	"io"
	"slices"

	"glim/core/address"
	"glim/core/fee"
	"glim/core/keys"
	"glim/core/scan"
	"glim/core/tx"
	"glim/core/txbuild"
	"glim/core/xmr"
)

// ColdSigner is the wallet that signs.
type ColdSigner struct {
	Network   xmr.Network
	Keys      *keys.Keys
	Addresses AddressLookup // may be nil; the addresses that a set names are found anyway
	// Images are the key images of the view-only wallet's outputs, from its first on, according to earlier messages.
	Images  []xmr.KeyImage
	Ceiling fee.Ceiling // the highest fee per byte
}

// Import returns the key images of the view-only wallet's outputs after a message with s. It returns ErrGap, ErrNotOurs
// or txbuild.ErrViewOnly.
// Source: src/wallet/wallet2.cpp, import_outputs.
func (w *ColdSigner) Import(s *OutputSet) ([]xmr.KeyImage, error) {
	outputs, err := s.Exported()
	if err != nil || len(outputs) == 0 {
		return slices.Clone(w.Images), err
	}
	if s.Offset > uint64(len(w.Images)) {
		return nil, ErrGap
	}
	if err := w.prefetch(outputs); err != nil {
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

// prefetch requests all key images at once from an external signer.
func (w *ColdSigner) prefetch(outputs []ExportedOutput) error {
	if !w.Keys.External() {
		return nil
	}
	all := make([]keys.OwnOutput, len(outputs))
	for i := range outputs {
		o := &outputs[i]
		at, err := o.Owned(w.Keys, w.Addresses)
		if err != nil {
			return err
		}
		all[i] = keys.OwnOutput{Derivation: at.Derivation, Index: o.Index, Address: at.Address, Key: o.Key}
	}
	return w.Keys.PrefetchKeyImages(all)
}

// Sign makes and signs the transactions of u. It returns them for the view-only wallet, and the results with the secret
// keys, which the signer keeps. It checks everything before signing anything: see Describe and Construction.Plan. It
// returns their errors and those of Import and txbuild.Sign.
// Source: src/wallet/wallet2.cpp, sign_tx.
func (w *ColdSigner) Sign(random io.Reader, u *UnsignedSet) (*SignedSet, []*txbuild.Result, error) {
	if !w.Keys.CanSpend() {
		return nil, nil, txbuild.ErrViewOnly
	}
	if _, _, err := u.Describe(w.Network); err != nil {
		return nil, nil, err
	}
	signed := new(SignedSet)
	var err error
	if signed.KeyImages, err = w.Import(&u.Outputs); err != nil {
		return nil, nil, err
	}
	var results []*txbuild.Result
	for i := range u.Transactions {
		c := &u.Transactions[i]
		plan, rings, err := c.Plan(w.Network, w.Keys, w.Addresses)
		if err != nil {
			return nil, nil, err
		}
		result, err := txbuild.Sign(random, w.Keys, plan, rings, w.Ceiling)
		if err != nil {
			return nil, nil, err
		}
		results = append(results, result)
		p := c.PendingTx(result.Tx, result.Fee)
		// Signers write this in place of the key, which they do not share with the view-only wallet.
		p.Key = keys.Secret{1}
		signed.Transactions = append(signed.Transactions, p)
		if err := w.received(signed, result); err != nil {
			return nil, nil, err
		}
	}
	return signed, results, nil
}

// received adds the key images of outputs that the transaction pays to the wallet itself.
func (w *ColdSigner) received(s *SignedSet, result *txbuild.Result) error {
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

// NewPendingTx returns the metadata of a transaction that the wallet made itself, for relaying it later. change is the
// plan's change address. It returns ErrNotOurs or random's error.
func NewPendingTx(
	random io.Reader, k *keys.Keys, result *txbuild.Result, change address.Address, at PositionLookup,
) (*PendingTx, error) {
	plan := txbuild.Plan{Inputs: result.Inputs, Destinations: result.Destinations, Change: change,
		ChangeShares: result.ChangeParts, Fee: result.Fee}
	c, err := NewConstruction(random, k, plan, result.Rings, at)
	if err != nil {
		return nil, err
	}
	c.Extra = result.Tx.Extra
	p := c.PendingTx(result.Tx, result.Fee)
	p.Key, p.AdditionalKeys = result.Key, result.AdditionalKeys
	return &p, nil
}

// CheckSigned returns txbuild.ErrMismatch unless signed transaction p matches the request c, as far as a view-only
// wallet can check: the rings, the fee, the number of outputs, and the change.
func CheckSigned(k *keys.Keys, c *Construction, p *PendingTx) error {
	t := p.Tx
	if t.Version != 2 || t.UnlockTime != 0 || t.RingCT.Type != tx.RingCTBulletproofPlus || t.IsPruned() ||
		len(t.Inputs) != len(c.Sources) || len(t.Outputs) != len(c.Outputs) {
		return txbuild.ErrMismatch
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
			return txbuild.ErrMismatch
		}
	}
	if out > in || t.RingCT.Fee != in-out {
		return txbuild.ErrMismatch
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
		return txbuild.ErrMismatch
	}
	return nil
}

func sameRing(in tx.Input, s SourceEntry) bool {
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
