package manykeys_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"glim/core/carrot"
	"glim/core/chaintest"
	"glim/core/crypto/edwards"
	"glim/core/manykeys"
	"glim/core/scan"
	"glim/core/tx"
	"glim/core/xmr"
)

// TestMixedChain scans transactions from before and after the next hard fork: what a set finds after it is what package
// scan finds and opens for each wallet.
func TestMixedChain(t *testing.T) {
	list, s := wallets(t, 9)
	c := chaintest.New("mixed", xmr.Regtest)
	c.CarrotFrom = 10
	c.GrowWith(&chaintest.Activity{Owner: list[2].Keys, Accounts: 2, Subaddresses: 4}, 15)
	c.GrowWith(&chaintest.Activity{Owner: list[8].Keys, Accounts: 2, Subaddresses: 4}, 8)
	var txs []*tx.Transaction
	for _, b := range c.Blocks {
		for i := range b.Txs {
			txs = append(txs, b.Txs[i].Tx)
		}
	}
	var want []manykeys.Match
	carrots := 0
	for n, x := range txs {
		if x.Carrot == nil {
			for _, m := range oracle(t, list, txs[n:n+1]) {
				m.Tx = n
				want = append(want, m)
			}
			continue
		}
		for i, w := range list {
			v, err := carrot.NewIncoming(carrot.Default, w.ViewSecret(), w.SpendPublic)
			require.NoError(t, err)
			found, err := scan.Run(scan.Job{View: w.ViewSecret(), Txs: []scan.Tx{{Tx: x}}})
			require.NoError(t, err)
			for _, f := range found.Found {
				for _, c := range f.Candidates {
					r, ok := scan.Open(v, x, &c)
					if index, ours := w.addresses[r.Spend]; ok && ours {
						c.SpendKey = r.Spend
						want = append(want, manykeys.Match{
							Account: manykeys.ID(100 + i), Tx: n, Candidate: c, Index: index,
							Amount: r.Amount, Mask: edwards.EncodeScalar(r.Mask), Opens: true,
						})
						carrots++
					}
				}
			}
		}
	}
	require.Greater(t, carrots, 10)
	require.Less(t, carrots, len(want))
	got, err := s.Scan(t.Context(), txs)
	require.NoError(t, err)
	require.Equal(t, want, got)
}
