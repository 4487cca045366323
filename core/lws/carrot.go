package lws

import (
	"glim/core/carrot"
	"glim/core/crypto/edwards"
	"glim/core/fcmptx"
	"glim/core/scan"
	"glim/core/tx"
)

// openCarrot returns the output that a candidate of a transaction of the next hard fork is. ok is false if it was not
// paid to the account, or has no amount, as the output that a sender without change makes for itself.
func (a *scanned) openCarrot(t *tx.Transaction, c *scan.Candidate) (h Hit, ok bool) {
	v, err := carrot.NewIncoming(carrot.Default, a.view, a.spend)
	if err != nil {
		return Hit{}, false // the spend key has torsion, so the account has no addresses of the fork
	}
	r, ok := scan.Open(v, t, c)
	if !ok || r.Amount == 0 {
		return Hit{}, false
	}
	at, ours := a.index(r.Spend)
	keys := fcmptx.AppendEphemeral(nil, t)
	return Hit{
		Output: c.Output, Amount: r.Amount, Mask: edwards.EncodeScalar(r.Mask), At: at,
		TxKey: keys[min(c.Output, len(keys)-1)], PaymentID: r.PaymentID,
	}, ours
}
