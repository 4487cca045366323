//go:build !nocarrot

package manykeys

import (
	"glim/core/carrot"
	"glim/core/crypto/edwards"
	"glim/core/fcmptx"
	"glim/core/scan"
)

// runCarrot is run for a transaction of the next hard fork: one exchange for each ephemeral key and account, then the
// view tags. A transaction has one ephemeral key for each output, or one for all.
func (p *piece) runCarrot() error {
	p.main = fcmptx.AppendEphemeral(p.main[:0], p.tx)
	for number, key := range p.main {
		from, to := number, number+1
		if len(p.main) == 1 {
			from, to = 0, len(p.tx.Outputs)
		}
		if err := p.tryCarrot(key, number, from, to); err != nil {
			return err
		}
	}
	return nil
}

// tryCarrot looks for outputs from from to to, exclusively, with the view tag of an exchange with key.
func (p *piece) tryCarrot(key [32]byte, number, from, to int) error {
	valid := p.table.SetExchange(key, p.end-p.first)
	shared := make([][32]byte, min(accountsAtOnce, p.end-p.first)) // zeros if key is not valid, as in package carrot
	defer clear(shared)
	coinbase := p.tx.IsCoinbase()
	for first := p.first; first < p.end; first += accountsAtOnce {
		if err := p.ctx.Err(); err != nil {
			return err
		}
		some := shared[:min(len(shared), p.end-first)]
		if valid {
			p.table.Exchange(some, p.snapshot.views, first)
		}
		for o := from; o < to; o++ {
			var tagged func(*carrot.Shared) bool
			if coinbase {
				e := fcmptx.CoinbaseEnoteAt(p.tx, p.main, o)
				tagged = e.Tagged
			} else {
				e := fcmptx.EnoteAt(p.tx, p.main, o)
				tagged = e.Tagged
			}
			for i := range some {
				if tagged((*carrot.Shared)(&some[i])) {
					c := scan.Candidate{Key: number, Output: o, Derivation: some[i]}
					p.open(first+i, &c)
				}
			}
		}
	}
	return nil
}

// open makes a match of an output that has the view tag of an account, if it is for an address of the account.
func (p *piece) open(account int, c *scan.Candidate) {
	a := p.snapshot.accounts[account]
	view := edwards.EncodeScalar(&p.snapshot.scalars[account])
	defer clear(view[:])
	v, err := carrot.NewIncoming(carrot.Default, view, a.spend)
	if err != nil {
		return // the spend key has torsion, so the account has no addresses of the fork
	}
	r, ok := scan.Open(v, p.tx, c)
	if !ok {
		return
	}
	index, ours := a.find(r.Spend)
	if !ours {
		return
	}
	c.SpendKey = r.Spend
	p.matches = append(p.matches, Match{
		Account: a.id, Tx: p.index, Candidate: *c, Index: index,
		Amount: r.Amount, Mask: edwards.EncodeScalar(r.Mask), Opens: true,
	})
}
