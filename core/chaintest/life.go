package chaintest

import (
	"glim/core/crypto/edwards"
	"glim/core/keys"
	"glim/core/tx"
	"glim/core/xmr"
)

// Life is what happens by chance to one wallet: payments of every kind to its addresses, spends, change, the same
// one-time key twice, and what only looks like a payment.
type Life struct {
	Owner    *keys.Keys
	Accounts uint32 // payments go to accounts 0 to Accounts−1
	Minors   uint32 // and to addresses 0 to Minors−1 in each
	Burn     bool   // whether one-time keys repeat

	secrets []burnt
}

type burnt struct {
	secret *edwards.Scalar
	at     keys.Index
}

// Live appends n blocks of l.
func (c *Chain) Live(l *Life, n int) {
	for range n {
		var specs []Spec
		spendable := c.Unspent(l.Owner)
		for range c.Random.IntN(3) {
			s := l.payment(c.Random)
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
			miner.Pay[0].To = l.Owner
		}
		c.Mine(miner, specs...)
	}
}

// Unspent returns what the blocks of c hold for owner and none of them spends, one output a key.
func (c *Chain) Unspent(owner *keys.Keys) []Made {
	spent := map[xmr.KeyImage]bool{}
	for _, b := range c.Blocks {
		for _, t := range b.Txs {
			for _, in := range t.Tx.Inputs {
				spent[in.KeyImage] = true
			}
		}
	}
	var out []Made
	for _, made := range c.Made {
		for _, m := range made {
			if m.Owner == owner && m.Flaw == Sound && !spent[m.Image] {
				spent[m.Image] = true
				out = append(out, m)
			}
		}
	}
	return out
}

func (l *Life) index(r *Random) keys.Index {
	return keys.Index{Major: uint32(r.IntN(int(l.Accounts))), Minor: uint32(r.IntN(int(l.Minors)))}
}

// payment returns a transaction that pays the owner, or seems to.
func (l *Life) payment(r *Random) Spec {
	s := Spec{Fee: 1 + r.Uint64()%1_000_000, Kind: tx.RingCTType(1 + r.IntN(6)), Untagged: r.OneIn(4)}
	amount := func() uint64 { return 1 + r.Uint64()%1_000_000_000_000 }
	first := Payment{To: l.Owner, At: l.index(r), Amount: amount()}
	s.Pay = []Payment{first}
	switch r.IntN(12) {
	case 0:
		s.Pay[0] = Payment{Amount: amount()}
	case 1:
		s.Pay[0].Flaw = Flaw(1 + r.IntN(3))
		s.Untagged = false
	case 2:
		s.Pay = append(s.Pay, Payment{To: l.Owner, At: l.index(r), Amount: amount()}, Payment{Amount: amount()})
		s.Additional = true
	case 3:
		s.Pay = append(s.Pay, Payment{To: l.Owner, At: first.At, Amount: amount()})
		s.KeyTwice = true
	case 4:
		s.KeysBefore = []xmr.PublicKey{r.Point(), NoPoint}
		s.KeysAfter = []xmr.PublicKey{r.Point()}
	case 5:
		s.Version, s.Kind = 1, 0
	case 6:
		s.Pay[0].At = keys.Index{}
		s.PaymentID = &[8]byte{byte(r.Uint64()), 1, 2}
	case 7:
		id := xmr.Hash(r.Bytes32())
		s.LongID = &id
		s.GarbageLast = []byte{0xff, 1, 2, 3}
	case 8:
		s.UnlockTime = r.Uint64() % 400
	case 9:
		s.UnlockTime = StartTime + r.Uint64()%40_000
	case 10:
		s.Pay[0].Amount = 0
	case 11:
		s.Pay = append(s.Pay, Payment{To: l.Owner, Amount: amount()}) // change of who pays a subaddress
	}
	if l.Burn && r.OneIn(3) {
		l.repeat(r, &s)
	}
	return s
}

// repeat gives s the secret of an earlier transaction, so that its first one-time key is an earlier one.
func (l *Life) repeat(r *Random, s *Spec) {
	if s.Additional || s.Pay[0].To == nil {
		return
	}
	if len(l.secrets) < 4 {
		s.Secret = r.Scalar()
		l.secrets = append(l.secrets, burnt{s.Secret, s.Pay[0].At})
		return
	}
	b := l.secrets[r.IntN(len(l.secrets))]
	s.Secret, s.Pay[0].At = b.secret, b.at
	if len(s.Pay) > 1 && s.KeyTwice {
		s.Pay[1].At = b.at
	}
}
