//go:build !nocarrot

package wallet

import (
	"glim/core/carrot"
	"glim/core/crypto/edwards"
	"glim/core/fcmptx"
	"glim/core/scan"
	"glim/core/tx"
	"glim/core/xmr"
)

// What opens outputs of the next hard fork, and what is in one.
type (
	opener = carrot.Incoming
	enote  = carrot.Received
)

// parsePruned parses a pruned transaction from before or after the next hard fork.
func parsePruned(b []byte) (*tx.Transaction, error) { return fcmptx.Default.ParsePrunedAny(b) }

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
	if !ok || e.Amount == 0 {
		return m, false
	}
	i, ours := d.indexOf(e.Spend)
	return match{Candidate: c, address: i, amount: e.Amount, mask: edwards.EncodeScalar(e.Mask), enote: &e}, ours
}

// paymentID returns the payment ID of an output of the next hard fork, where it belongs to one output.
func (m *match) paymentID() (id xmr.Hash) {
	if m.enote != nil {
		copy(id[:], m.enote.PaymentID[:])
	}
	return id
}

// fillCarrot completes o, which e was opened for. The key image stays unknown without the spend key itself: an external
// signer and a multisig group have no protocol for it yet.
func (d *draft) fillCarrot(o *OwnedOutput, e *enote) {
	o.Carrot, o.EnoteType, o.Derivation = true, EnoteType(e.Type), e.Secret
	o.Image, o.ImageKnown = carrot.Default.LegacyKeyImage(d.w.identity.Keys, o.Address, o.Key, e.ExtensionG)
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
