package wallet_test

import (
	"context"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"glim/core/chaintest"
	"glim/core/keys"
	"glim/core/syncer"
	"glim/core/tx"
	"glim/core/wallet"
	"glim/core/xmr"
)

// TestDecisionsChangeNothing makes every decision there is on a wallet that has seen much, and on one that was told of its outputs. The wallet
// is as it was to the last field, and stays so when what was decided is committed to a copy of it.
func TestDecisionsChangeNothing(t *testing.T) {
	k := owner(t, "decisions")
	r := create(t, k, near)
	c := chaintest.New("decisions", xmr.Regtest)
	l := &chaintest.Life{Owner: k, Accounts: 2, Minors: 4, Burn: true}
	now := uint64(chaintest.StartTime)
	rnd := chaintest.NewRandom("decisions")
	for range 120 {
		randomChange(r, rnd, &c, l, &now)
	}
	require.NotEmpty(t, r.Outputs())
	require.NotEmpty(t, r.Spends())
	require.NotEmpty(t, r.Unmined())
	r.follow(c, 100)
	top := r.Height()
	away := apart(t, r, true)
	c.Live(l, 10)
	t1, _ := c.Tx(chaintest.Spec{Pay: []chaintest.Payment{{To: k, Amount: 5}, {To: k, At: keys.Index{Minor: 2}, Amount: 6}}}, nil)
	t1.Indices = nil
	away.follow(c, 100)
	chain := c

	scanned := func(list []syncer.Block) []wallet.Block {
		blocks, err := syncer.Scan(context.Background(), k.ViewSecret(), list, syncer.Crew{})
		require.NoError(t, err)
		return blocks
	}
	blocks := scanned(c.Blocks[top:])
	pool, err := syncer.ScanTxs(context.Background(), k.ViewSecret(), []syncer.Tx{t1}, syncer.Crew{})
	require.NoError(t, err)
	var noted []wallet.Mined
	for _, n := range away.Noted() {
		parsed, err := tx.ParsePruned(n.Blob)
		require.NoError(t, err)
		some, err := syncer.ScanTxs(context.Background(), k.ViewSecret(), []syncer.Tx{{ID: n.TxID, Tx: parsed, Indices: n.Indices}}, syncer.Crew{})
		require.NoError(t, err)
		noted = append(noted, wallet.Mined{Tx: some[0], Height: n.Height, Timestamp: n.Timestamp, Version: n.Version})
	}
	require.NotEmpty(t, noted)

	// A signer that was told of outputs and reads a chain for the first time.
	cold := create(t, k, near)
	told := slices.Clone(r.Outputs()[:2])
	cold.change(cold.decided(cold.DecideTold(0, 2, told)))

	sent := r.Unmined()[0]
	nonces := []wallet.OutputNonces{{Key: told[0].Key, Secrets: []keys.Secret{{1}}}}
	images := []wallet.KnownImage{{Key: xmr.PublicKey{1}, Image: xmr.KeyImage{1}}}
	type decision = wallet.ChangeSet
	one := func(c decision, _ error) decision { return c } // a refusal decides nothing
	tried := map[string]bool{}
	for name, decide := range map[string]func(w *wallet.Wallet) decision{
		"DecideBlocks": func(w *wallet.Wallet) (c decision) {
			list := blocks
			if w == cold.Wallet {
				list = scanned(chain.Blocks[1:10])
			}
			require.NoError(t, supplied(t, w, func() (err error) {
				c, _, err = w.DecideBlocks(list, list[len(list)-1].Height)
				return err
			}))
			return c
		},
		"DecidePool": func(w *wallet.Wallet) decision {
			require.NoError(t, supplied(t, w, func() error {
				_, _, err := w.DecidePool(pool, now)
				return err
			}))
			return decision{}
		},
		"DecideScan": func(w *wallet.Wallet) (c decision) {
			if w == cold.Wallet {
				return c // which has seen no block
			}
			list := mined(t, k, &chaintest.Chain{Blocks: chain.Blocks[:top]})
			require.NoError(t, supplied(t, w, func() (err error) {
				c, _, err = w.DecideScan(list)
				return err
			}))
			return c
		},
		"DecideReturn": func(w *wallet.Wallet) (c decision) {
			require.NoError(t, supplied(t, w, func() (err error) {
				c, _, err = w.DecideReturn(away.Wallet, noted)
				return err
			}))
			return c
		},
		"DecideDetach": func(w *wallet.Wallet) decision { c, _ := w.DecideDetach(top/2, now); return c },
		"DecideRescan": func(w *wallet.Wallet) decision { return w.DecideRescan(top/2, now) },
		"DecideSends": func(w *wallet.Wallet) decision {
			return w.DecideSends(func(xmr.Hash) bool { return false }, always, now+1000)
		},
		"DecideSend":    func(w *wallet.Wallet) decision { return one(w.DecideSend(*sent, now)) },
		"DecidePayment": func(w *wallet.Wallet) decision { return one(w.DecidePayment([]wallet.Sent{*sent}, now)) },
		"DecideDrafts": func(w *wallet.Wallet) decision {
			return one(w.DecideDrafts([]wallet.Sent{{TxID: xmr.Hash{7}, Request: "new"}}))
		},
		"DecideHidden":        func(w *wallet.Wallet) decision { return w.DecideHidden([]wallet.Hidden{{Key: told[0].Key}}) },
		"DecideDoubt":         func(w *wallet.Wallet) decision { return w.DecideDoubt([]xmr.PublicKey{told[0].Key}, 1) },
		"DecideReread":        func(w *wallet.Wallet) decision { return w.DecideReread() },
		"DecideReask":         func(w *wallet.Wallet) decision { return w.DecideReask() },
		"DecideMaxReorgDepth": func(w *wallet.Wallet) decision { return w.DecideMaxReorgDepth(7) },
		"DecideUnused":        func(w *wallet.Wallet) decision { return w.DecideUnused() },
		"DecideShown": func(w *wallet.Wallet) decision {
			return one(w.DecideShown([]wallet.Hidden{{Key: told[0].Key, Ring: []uint64{1, 2}}}))
		},
		"DecideRefused": func(w *wallet.Wallet) decision { return w.DecideRefused(sent.TxID, "refused") },
		"DecideSightings": func(w *wallet.Wallet) decision {
			return w.DecideSightings([]wallet.PoolTx{{TxID: xmr.Hash{1}, Payments: []wallet.Payment{{TxID: xmr.Hash{1}, Amount: 1}}}})
		},
		"DecideDelivered":      func(w *wallet.Wallet) decision { return w.DecideDelivered("receiver", w.LastNotice()) },
		"DecideImages":         func(w *wallet.Wallet) decision { return one(w.DecideImages(images)) },
		"DecideTold":           func(w *wallet.Wallet) decision { return one(w.DecideTold(0, 2, told)) },
		"DecideLookahead":      func(w *wallet.Wallet) decision { return one(w.DecideLookahead(wallet.Lookahead{Major: 9, Minor: 9})) },
		"DecideAccount":        func(w *wallet.Wallet) decision { c, _ := w.DecideAccount("new"); return c },
		"DecideAddresses":      func(w *wallet.Wallet) decision { c, _, err := w.DecideAddresses(0, 3, "new"); return one(c, err) },
		"DecideLabel":          func(w *wallet.Wallet) decision { return one(w.DecideLabel(keys.Index{}, "new")) },
		"DecideTags":           func(w *wallet.Wallet) decision { return one(w.DecideTags([]uint32{0}, "new")) },
		"DecideTagDescription": func(w *wallet.Wallet) decision { return one(w.DecideTagDescription("new", "text")) },
		"DecideBook":           func(w *wallet.Wallet) decision { return one(w.DecideBook(wallet.BookChange{})) },
		"DecideFreeze":         func(w *wallet.Wallet) decision { return one(w.DecideFreeze(told[0].Image, false)) },
		"DecideEnableMultisig": func(w *wallet.Wallet) decision { return w.DecideEnableMultisig() },
		"DecideExport":         func(w *wallet.Wallet) decision { return w.DecideExport(nonces) },
		"DecideUse":            func(w *wallet.Wallet) decision { return one(w.DecideUse(nil)) },
		"DecideToldBy": func(w *wallet.Wallet) decision {
			return w.DecideToldBy([]wallet.OutputTold{{Key: told[0].Key, By: []wallet.ToldBy{{}}}})
		},
		"DecideTakeOver": func(w *wallet.Wallet) decision { return w.DecideTakeOver(former(), now) },
		"DecideParts": func(w *wallet.Wallet) decision {
			c, _, err := w.DecideParts([]wallet.KnownImage{{Key: told[0].Key, Image: told[0].Image}}, now)
			return one(c, err)
		},
	} {
		tried[name] = true
		for _, w := range []*wallet.Wallet{r.Wallet, cold.Wallet} {
			before := w.Clone()
			change := decide(w)
			require.True(t, reflect.DeepEqual(before, w.Clone()), "%s changed the wallet", name)
			other := w.Clone()
			other.Commit(change)
			require.True(t, reflect.DeepEqual(before, w.Clone()), "what %s decided changed a wallet that did not commit it", name)
		}
	}
	all := reflect.TypeFor[*wallet.Wallet]()
	for i := range all.NumMethod() {
		if name := all.Method(i).Name; strings.HasPrefix(name, "Decide") {
			require.True(t, tried[name], "%s is not tried", name)
		}
	}
}
