package chaintest

import (
	"glim/core/crypto/edwards"
	"glim/core/keys"
	"glim/core/tx"
	"glim/core/xmr"
)

// Activity generates random transactions for a wallet: payments of all kinds to its addresses, spends, change,
// repeated one-time keys (burnt outputs), and transactions that only look like payments.
type Activity struct {
	Owner        *keys.Keys
	Accounts     uint32 // payments go to accounts 0 to Accounts−1
	Subaddresses uint32 // and to addresses 0 to Subaddresses−1 in each
	Burn         bool   // whether one-time keys repeat

	secrets []burnt
}

type burnt struct {
	secret *edwards.Scalar
	at     keys.Index
}

// GrowWith appends n blocks of random activity.
func (c *Chain) GrowWith(a *Activity, n int) {
	for range n {
		var specs []Spec
		spendable := c.Unspent(a.Owner)
		for range c.Random.IntN(3) {
			s := a.payment(c.Random)
			if len(spendable) > 0 && c.Random.OneIn(2) {
				i := c.Random.IntN(len(spendable))
				s.Spend = []xmr.KeyImage{spendable[i].Image}
				s.Version = 0
				spendable = append(spendable[:i], spendable[i+1:]...)
				if len(spendable) > 0 && c.Random.OneIn(2) {
					s.Spend = append(s.Spend, spendable[0].Image)
					spendable = spendable[1:]
				}
			}
			specs = append(specs, s)
		}
		miner := Spec{Pay: []Payment{{Amount: 600_000_000_000}}}
		if c.Random.OneIn(8) {
			miner.Pay[0].To = a.Owner
		}
		c.Mine(miner, specs...)
	}
}

// Unspent returns the unspent outputs of owner in the chain, one for each one-time key.
func (c *Chain) Unspent(owner *keys.Keys) []MadeOutput {
	spent := map[xmr.KeyImage]bool{}
	for _, b := range c.Blocks {
		for _, t := range b.Txs {
			for _, in := range t.Tx.Inputs {
				spent[in.KeyImage] = true
			}
		}
	}
	var out []MadeOutput
	for _, made := range c.Made {
		for _, m := range made {
			if m.Owner == owner && m.Flaw == NoFlaw && !spent[m.Image] {
				spent[m.Image] = true
				out = append(out, m)
			}
		}
	}
	return out
}

func (a *Activity) index(r *Random) keys.Index {
	return keys.Index{Major: uint32(r.IntN(int(a.Accounts))), Minor: uint32(r.IntN(int(a.Subaddresses)))}
}

// payment returns a transaction that pays the owner, or seems to.
func (a *Activity) payment(r *Random) Spec {
	s := Spec{Fee: 1 + r.Uint64()%1_000_000, Kind: tx.RingCTType(1 + r.IntN(6)), NoViewTags: r.OneIn(4)}
	amount := func() uint64 { return 1 + r.Uint64()%1_000_000_000_000 }
	first := Payment{To: a.Owner, At: a.index(r), Amount: amount()}
	s.Pay = []Payment{first}
	switch r.IntN(12) {
	case 0:
		s.Pay[0] = Payment{Amount: amount()}
	case 1:
		s.Pay[0].Flaw = Flaw(1 + r.IntN(3))
		s.NoViewTags = false
	case 2:
		s.Pay = append(s.Pay, Payment{To: a.Owner, At: a.index(r), Amount: amount()}, Payment{Amount: amount()})
		s.Additional = true
	case 3:
		s.Pay = append(s.Pay, Payment{To: a.Owner, At: first.At, Amount: amount()})
		s.RepeatPublicKey = true
	case 4:
		s.KeysBefore = []xmr.PublicKey{r.Point(), InvalidPoint}
		s.KeysAfter = []xmr.PublicKey{r.Point()}
	case 5:
		s.Version, s.Kind = 1, 0
	case 6:
		s.Pay[0].At = keys.Index{}
		s.PaymentID = &[8]byte{byte(r.Uint64()), 1, 2}
	case 7:
		id := xmr.Hash(r.Bytes32())
		s.LongPaymentID = &id
		s.ExtraSuffix = []byte{0xff, 1, 2, 3}
	case 8:
		s.UnlockTime = r.Uint64() % 400
	case 9:
		s.UnlockTime = StartTime + r.Uint64()%40_000
	case 10:
		s.Pay[0].Amount = 0
	case 11:
		s.Pay = append(s.Pay, Payment{To: a.Owner, Amount: amount()}) // the change of a payment to a subaddress
	}
	if a.Burn && r.OneIn(3) {
		a.repeat(r, &s)
	}
	return s
}

// repeat sets the secret of s to that of an earlier transaction, so that its first one-time key repeats.
func (a *Activity) repeat(r *Random, s *Spec) {
	if s.Additional || s.Pay[0].To == nil {
		return
	}
	if len(a.secrets) < 4 {
		s.Secret = r.Scalar()
		a.secrets = append(a.secrets, burnt{s.Secret, s.Pay[0].At})
		return
	}
	b := a.secrets[r.IntN(len(a.secrets))]
	s.Secret, s.Pay[0].At = b.secret, b.at
	if len(s.Pay) > 1 && s.RepeatPublicKey {
		s.Pay[1].At = b.at
	}
}
