//go:build !nocarrot

package wallet

import (
	"errors"

	"glim/core/carrot"
	"glim/core/crypto/edwards"
	"glim/core/fcmptx"
	"glim/core/keys"
	"glim/core/scan"
	"glim/core/tx"
	"glim/core/xmr"
)

// What opens outputs of the next hard fork, and what is in one.
type (
	opener = carrot.Incoming
	enote  = carrot.Received
)

// ErrCarrotKeys reports a payment of a wallet with the keys of the next hard fork.
var ErrCarrotKeys = errors.New("the wallet has the keys of the next hard fork: spending its outputs takes " +
	"membership proofs, which the chain does not accept yet, or this wallet cannot make. It still receives; nothing " +
	"was sent, and the outputs stay as they are")

// checkKeys returns ErrCarrotKeys for a wallet with such keys.
func (w *Wallet) checkKeys() error {
	if w.identity.Keys.Hierarchy() != nil {
		return ErrCarrotKeys
	}
	return nil
}

// computesImages reports whether the keys of w suffice for key images: today's spend key, or the tier view-all.
func (w *Wallet) computesImages() bool {
	if a := carrot.AccountOf(w.identity.Keys); a != nil {
		_, ok := a.ViewAll()
		return ok
	}
	return w.identity.Keys.CanSpend()
}

// cutHierarchy returns the account in front of an identity, if any, and the rest.
func cutHierarchy(b []byte) (account, rest []byte) {
	if len(b) < 2 || b[0] != recordHierarchy || len(b)-2 < int(b[1]) {
		return nil, b
	}
	return b[2 : 2+b[1]], b[2+b[1]:]
}

// appendHierarchy appends the account of k to b; nothing if k are today's keys.
func appendHierarchy(b []byte, k *keys.Keys) []byte {
	a := carrot.AccountOf(k)
	if a == nil {
		return b
	}
	secrets := a.Encode()
	defer clear(secrets)
	return append(append(b, recordHierarchy, byte(len(secrets))), secrets...)
}

// hierarchyKeys returns the keys of an encoded account.
func hierarchyKeys(b []byte) (*keys.Keys, error) {
	a, err := carrot.DecodeAccount(carrot.Default, b)
	if err != nil {
		return nil, err
	}
	return a.Keys()
}

// parsePruned parses a pruned transaction from before or after the next hard fork.
func parsePruned(b []byte) (*tx.Transaction, error) { return fcmptx.Default.ParsePrunedAny(b) }

// internal returns the outputs of t that have the view tags of what the wallet sent to itself in internal enotes: none
// without the view-balance secret.
func (d *draft) internal(t *tx.Transaction) (list []scan.Candidate) {
	a := carrot.AccountOf(d.w.identity.Keys)
	if a == nil || t.Carrot == nil || t.IsCoinbase() {
		return nil
	}
	all, ok := a.ViewAll()
	ephemeral := fcmptx.AppendEphemeral(nil, t)
	if !ok || len(ephemeral) == 0 {
		return nil
	}
	for o := range t.Outputs {
		if e := fcmptx.EnoteAt(t, ephemeral, o); all.TaggedInternal(&e) {
			list = append(list, scan.Candidate{Key: min(o, len(ephemeral)-1), Output: o})
		}
	}
	return list
}

// openInternal is openCarrot for a candidate that internal returned.
func (d *draft) openInternal(t *tx.Transaction, c *scan.Candidate) (m match, ok bool) {
	all, _ := carrot.AccountOf(d.w.identity.Keys).ViewAll()
	enote := fcmptx.EnoteAt(t, fcmptx.AppendEphemeral(nil, t), c.Output)
	e, ok := all.ScanInternal(&enote)
	if !ok {
		return m, false
	}
	return d.matched(c, &e)
}

// openCarrot is open for outputs of the next hard fork. Outputs with an amount of zero, which a sender without change
// makes for itself, are not kept: nothing can be spent with them.
func (d *draft) openCarrot(t *tx.Transaction, c *scan.Candidate) (m match, ok bool) {
	if d.carrot == nil {
		k := d.w.identity.Keys
		v, err := carrot.NewIncoming(carrot.Default, k.ViewSecret(), k.SpendPublic)
		if err != nil {
			return m, false // nobody can pay such keys
		}
		d.carrot = v
	}
	e, ok := scan.Open(d.carrot, t, c)
	if !ok {
		return m, false
	}
	return d.matched(c, &e)
}

// matched returns the match of c, which e is in; false if e is empty or for an address that the wallet does not have.
func (d *draft) matched(c *scan.Candidate, e *enote) (m match, ok bool) {
	if e.Amount == 0 {
		return m, false
	}
	i, ours := d.indexOf(e.Spend)
	return match{Candidate: c, address: i, amount: e.Amount, mask: edwards.EncodeScalar(e.Mask), enote: e}, ours
}

// paymentID returns the payment ID of an output of the next hard fork, where it belongs to one output.
func (m *match) paymentID() (id xmr.Hash) {
	if m.enote != nil {
		copy(id[:], m.enote.PaymentID[:])
	}
	return id
}

// fillCarrot completes o, which e was opened for. The key image stays unknown without the spend key or the tier
// view-all: a multisig group has no protocol for it yet. It returns the errors of the external signer.
func (d *draft) fillCarrot(o *OwnedOutput, e *enote) error {
	o.Carrot, o.EnoteType, o.Derivation = true, EnoteType(e.Type), e.Secret
	k := d.w.identity.Keys
	if !k.External() {
		o.Image, o.ImageKnown = carrot.Default.WalletKeyImage(k, o.Address, o.Key, e.ExtensionG)
		return nil
	}
	image, err := k.ExternalKeyImage(keys.OwnOutput{
		Address: o.Address, Key: o.Key, Extensions: &keys.Extensions{
			G: edwards.EncodeScalar(e.ExtensionG), T: edwards.EncodeScalar(e.ExtensionT),
		},
	})
	if err != nil {
		return d.collectWanted(err)
	}
	o.Image, o.ImageKnown = image, true
	return nil
}

// CarrotExtensions returns the differences between the secret keys of o, an output of the next hard fork, for G and T,
// and those of its address, whose spend key is spend. Together with the view key they reveal the address's secret, so
// the caller wipes them.
func (o *OwnedOutput) CarrotExtensions(spend xmr.PublicKey) (g, t *edwards.Scalar, err error) {
	secret := carrot.EnoteSecret(o.Derivation)
	if o.Coinbase {
		g, t = secret.CoinbaseExtensions(o.Amount, spend)
		return g, t, nil
	}
	mask, err := edwards.DecodeScalar(o.Mask)
	if err != nil {
		return nil, nil, err
	}
	g, t = secret.Extensions(edwards.Commit(mask, o.Amount).Encode())
	return g, t, nil
}
