package lws_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"glim/core/chaintest"
	"glim/core/crypto/edwards"
	"glim/core/keys"
	"glim/core/lws"
	"glim/core/syncer"
	"glim/core/xmr"
)

// TestFork: accounts receive before and after the next hard fork, at their addresses, subaddresses and integrated
// addresses, in blocks and in the pool, whether they are scanned together or each for itself.
func TestFork(t *testing.T) {
	for name, scanner := range map[string]lws.Scanner{
		"each": &lws.PerAccount{}, "together": lws.NewTogether(syncer.Workers{Count: 2}),
	} {
		t.Run(name, func(t *testing.T) {
			c := chaintest.New("fork", xmr.Regtest)
			c.CarrotFrom = 8
			c.Grow(4)
			store := &lws.Memory{}
			a, _ := api(t, c, func(o *lws.Options) { o.Scanner, o.Store = scanner, store })
			s := chaintest.NewSource(c)
			var users []user
			for i := range 12 { // enough to be scanned together
				users = append(users, newUser(t, fmt.Sprint("fork ", i)))
				login(t, a.Book, users[i], lws.Lookahead{Major: 1, Minor: 3})
			}
			u := users[3]
			c.Add(pay(u, 1))
			c.Grow(4)
			require.Greater(t, c.Height(), c.CarrotFrom)
			id := [8]byte{7}
			sub := keys.Index{Minor: 2}
			c.Mine(chaintest.Spec{Pay: []chaintest.Payment{{To: u.Keys, Amount: 600}}},
				chaintest.Spec{Pay: []chaintest.Payment{{To: u.Keys, Amount: 40}, {Amount: 5}}, PaymentID: &id, Fee: 3},
				chaintest.Spec{Pay: []chaintest.Payment{
					{To: u.Keys, At: sub, Amount: 50}, {To: users[4].Keys, Amount: 9},
				}})
			pending, _ := c.Tx(pay(u, 8), nil)
			s.SetPool(pending)
			catchUp(t, a.Book, s)

			h := holdings(t, a.Book, u)
			require.Equal(t, []uint64{1, 600, 40, 50}, amounts(h))
			require.Equal(t, []uint64{9}, amounts(holdings(t, a.Book, users[4])))
			require.Empty(t, holdings(t, a.Book, users[5]).Outputs)
			require.Len(t, h.Pool.Outputs, 1)
			require.Equal(t, uint64(8), h.Pool.Outputs[0].Amount)
			require.Equal(t, id[:], h.Outputs[2].PaymentID)
			require.Equal(t, sub, h.Outputs[3].At)
			require.Equal(t, []bool{false, true, true, true}, []bool{
				h.Outputs[0].Carrot, h.Outputs[1].Carrot, h.Outputs[2].Carrot, h.Outputs[3].Carrot,
			})
			block := c.Blocks[c.Height()-1]
			for _, o := range h.Outputs[2:] {
				mask, err := edwards.DecodeScalar([32]byte(o.Rct[32:]))
				require.NoError(t, err)
				commitment := edwards.Commit(mask, o.Amount).Encode()
				require.Equal(t, o.Rct[:32], commitment[:])
				require.Equal(t, block.Txs[o.Position].Tx.RingCT.Commitments[o.Index], commitment)
			}
			unspent := call(t, a, "/get_unspent_outs", u.body(`,"amount":"1"`))["outputs"].([]any)
			require.Len(t, unspent, 4)
			require.Equal(t, kindOf(unspent[0]), kindOf(unspent[3]), "the same shape")
			require.Len(t, poolOf(t, a, u), 1)

			o := options(store)
			again := open(t, o)
			require.Equal(t, h.Outputs, holdings(t, again, u).Outputs)
		})
	}
}
