package wallet_test

import (
	"context"
	"maps"
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

// decisions holds the data from which the arguments of decisions are made.
type decisions struct {
	t          *testing.T
	keys       *keys.Keys
	used       *recorded // a wallet with outputs, spends and sent transactions
	cold       *recorded // a signer into which outputs were imported, before its first scan
	background *recorded // used in background syncing, some blocks later
	noted      []wallet.MinedTx
	chain      *chaintest.Chain
	top        uint64                // height of used
	blocks     []wallet.ScannedBlock // from there on
	pool       []wallet.ScannedTx
	imported   []wallet.OwnedOutput // of cold
	now        uint64
}

func newDecisions(t *testing.T) *decisions {
	t.Helper()
	d := &decisions{t: t, keys: owner(t, "decisions"), now: chaintest.StartTime}
	d.used = create(t, d.keys, near)
	d.chain = chaintest.New("decisions", xmr.Regtest)
	l := &chaintest.Activity{Owner: d.keys, Accounts: 2, Subaddresses: 4, Burn: true}
	rnd := chaintest.NewRandom("decisions")
	for range 120 {
		randomChange(d.used, rnd, &d.chain, l, &d.now)
	}
	require.NotEmpty(t, d.used.Outputs())
	require.NotEmpty(t, d.used.Spends())
	require.NotEmpty(t, d.used.Unmined())
	d.used.follow(d.chain, 100)
	d.top = d.used.Height()
	d.background = backgroundOf(t, d.used, true)
	d.chain.GrowWith(l, 10)
	t1, _ := d.chain.Tx(chaintest.Spec{Pay: []chaintest.Payment{
		{To: d.keys, Amount: 5},
		{To: d.keys, At: keys.Index{Minor: 2}, Amount: 6},
	}}, nil)
	t1.Indices = nil
	d.background.follow(d.chain, 100)
	d.blocks, d.pool = d.scanned(d.chain.Blocks[d.top:]), d.scannedTxs(t1)
	for _, n := range d.background.Noted() {
		parsed, err := tx.ParsePruned(n.Blob)
		require.NoError(t, err)
		scanned := d.scannedTxs(syncer.Tx{ID: n.TxID, Tx: parsed, Indices: n.Indices})[0]
		d.noted = append(d.noted, wallet.MinedTx{
			ScannedTx: scanned, Height: n.Height, Timestamp: n.Timestamp, Version: n.Version,
		})
	}
	require.NotEmpty(t, d.noted)

	d.cold = create(t, d.keys, near)
	d.imported = slices.Clone(d.used.Outputs()[:2])
	d.cold.change(d.cold.decided(d.cold.DecideImportOutputs(0, 2, d.imported)))
	return d
}

func (d *decisions) scanned(list []syncer.Block) []wallet.ScannedBlock {
	blocks, err := syncer.Scan(context.Background(), d.keys.ViewSecret(), list, syncer.Workers{})
	require.NoError(d.t, err)
	return blocks
}

func (d *decisions) scannedTxs(list ...syncer.Tx) []wallet.ScannedTx {
	txs, err := syncer.ScanTxs(context.Background(), d.keys.ViewSecret(), list, syncer.Workers{})
	require.NoError(d.t, err)
	return txs
}

// decision is a call of one Decide method. If the method refuses, the change is empty.
type decision func(w *wallet.Wallet) wallet.ChangeSet

func unlessRefused(c wallet.ChangeSet, _ error) wallet.ChangeSet { return c }

// ofChain returns the decisions about blocks and the pool.
func (d *decisions) ofChain() map[string]decision {
	t := d.t
	return map[string]decision{
		"DecideBlocks": func(w *wallet.Wallet) (c wallet.ChangeSet) {
			list := d.blocks
			if w == d.cold.Wallet {
				list = d.scanned(d.chain.Blocks[1:10])
			}
			require.NoError(t, supplied(t, w, func() (err error) {
				c, _, err = w.DecideBlocks(list, list[len(list)-1].Height)
				return err
			}))
			return c
		},
		"DecidePool": func(w *wallet.Wallet) wallet.ChangeSet {
			require.NoError(t, supplied(t, w, func() error {
				_, _, err := w.DecidePool(d.pool, d.now)
				return err
			}))
			return wallet.ChangeSet{}
		},
		"DecideScan": func(w *wallet.Wallet) (c wallet.ChangeSet) {
			if w == d.cold.Wallet {
				return c // it has not scanned any block
			}
			list := mined(t, d.keys, &chaintest.Chain{Blocks: d.chain.Blocks[:d.top]})
			require.NoError(t, supplied(t, w, func() (err error) {
				c, _, err = w.DecideScan(list)
				return err
			}))
			return c
		},
		"DecideBackgroundCache": func(w *wallet.Wallet) (c wallet.ChangeSet) {
			require.NoError(t, supplied(t, w, func() (err error) {
				c, _, err = w.DecideBackgroundCache(d.background.Wallet, d.noted)
				return err
			}))
			return c
		},
		"DecideDetach": func(w *wallet.Wallet) wallet.ChangeSet {
			c, _ := w.DecideDetach(d.top/2, d.now)
			return c
		},
		"DecideRescan":        func(w *wallet.Wallet) wallet.ChangeSet { return w.DecideRescan(d.top/2, d.now) },
		"DecideRescanByOwner": func(w *wallet.Wallet) wallet.ChangeSet { return w.DecideRescanByOwner() },
		"DecideUnused":        func(w *wallet.Wallet) wallet.ChangeSet { return w.DecideUnused() },
		"DecideSightings": func(w *wallet.Wallet) wallet.ChangeSet {
			paid := wallet.Payment{TxID: xmr.Hash{1}, Amount: 1}
			return w.DecideSightings([]wallet.PoolTx{{TxID: xmr.Hash{1}, Payments: []wallet.Payment{paid}}})
		},
	}
}

// ofSending returns the decisions about transactions of the wallet and their rings.
func (d *decisions) ofSending() map[string]decision {
	sent, key := d.used.Unmined()[0], d.imported[0].Key
	never := func(xmr.Hash) bool { return false }
	return map[string]decision{
		"DecideSends": func(w *wallet.Wallet) wallet.ChangeSet { return w.DecideSends(never, always, d.now+1000) },
		"DecideSend":  func(w *wallet.Wallet) wallet.ChangeSet { return unlessRefused(w.DecideSend(*sent, d.now)) },
		"DecidePayment": func(w *wallet.Wallet) wallet.ChangeSet {
			return unlessRefused(w.DecidePayment([]wallet.Sent{*sent}, d.now))
		},
		"DecideDrafts": func(w *wallet.Wallet) wallet.ChangeSet {
			return unlessRefused(w.DecideDrafts([]wallet.Sent{{TxID: xmr.Hash{7}, Request: "new"}}))
		},
		"DecideRefused": func(w *wallet.Wallet) wallet.ChangeSet { return w.DecideRefused(sent.TxID, "refused") },
		"DecideRingRecords": func(w *wallet.Wallet) wallet.ChangeSet {
			return w.DecideRingRecords([]wallet.RingRecord{{Key: key}})
		},
		"DecideDoubt": func(w *wallet.Wallet) wallet.ChangeSet {
			return w.DecideDoubt([]xmr.PublicKey{key}, 1)
		},
		"DecideRequestRingsAgain": func(w *wallet.Wallet) wallet.ChangeSet { return w.DecideRequestRingsAgain() },
		"DecideShownRings": func(w *wallet.Wallet) wallet.ChangeSet {
			return unlessRefused(w.DecideShownRings([]wallet.RingRecord{{Key: key, Ring: []uint64{1, 2}}}))
		},
	}
}

// ofUser returns the decisions about addresses, annotations and settings.
func (d *decisions) ofUser() map[string]decision {
	return map[string]decision{
		"DecideMaxReorgDepth": func(w *wallet.Wallet) wallet.ChangeSet { return w.DecideMaxReorgDepth(7) },
		"DecideDelivered": func(w *wallet.Wallet) wallet.ChangeSet {
			return w.DecideDelivered("receiver", w.LastNotice())
		},
		"DecideLookahead": func(w *wallet.Wallet) wallet.ChangeSet {
			return unlessRefused(w.DecideLookahead(wallet.Lookahead{Major: 9, Minor: 9}))
		},
		"DecideAccount": func(w *wallet.Wallet) wallet.ChangeSet { c, _ := w.DecideAccount("new"); return c },
		"DecideAddresses": func(w *wallet.Wallet) wallet.ChangeSet {
			c, _, err := w.DecideAddresses(0, 3, "new")
			return unlessRefused(c, err)
		},
		"DecideLabel": func(w *wallet.Wallet) wallet.ChangeSet {
			return unlessRefused(w.DecideLabel(keys.Index{}, "new"))
		},
		"DecideTags": func(w *wallet.Wallet) wallet.ChangeSet {
			return unlessRefused(w.DecideTags([]uint32{0}, "new"))
		},
		"DecideTagDescription": func(w *wallet.Wallet) wallet.ChangeSet {
			return unlessRefused(w.DecideTagDescription("new", "text"))
		},
		"DecideBook": func(w *wallet.Wallet) wallet.ChangeSet {
			return unlessRefused(w.DecideBook(wallet.BookChange{}))
		},
		"DecideFreeze": func(w *wallet.Wallet) wallet.ChangeSet {
			return unlessRefused(w.DecideFreeze(d.imported[0].Image, false))
		},
		"DecideFreezeLabel": func(w *wallet.Wallet) wallet.ChangeSet {
			return unlessRefused(w.DecideFreezeLabel(w.Label(d.imported[0].Address), false))
		},
		"DecideTakeOver": func(w *wallet.Wallet) wallet.ChangeSet { return w.DecideTakeOver(cacheContents(), d.now) },
		"DecideShared": func(w *wallet.Wallet) wallet.ChangeSet {
			return w.DecideShared(cacheContents(), [32]byte{1}, [32]byte{2})
		},
	}
}

// ofSigners returns the decisions about key images, imported outputs and multisig.
func (d *decisions) ofSigners() map[string]decision {
	key, image := d.imported[0].Key, d.imported[0].Image
	nonces := []wallet.OutputNonces{{Key: key, Secrets: []keys.Secret{{1}}}}
	cosigners := []wallet.CosignerNonces{{Key: key, By: []wallet.SignerNonces{{}}}}
	return map[string]decision{
		"DecideImages": func(w *wallet.Wallet) wallet.ChangeSet {
			return unlessRefused(w.DecideImages([]wallet.KnownImage{{Key: xmr.PublicKey{1}, Image: xmr.KeyImage{1}}}))
		},
		"DecideImportOutputs": func(w *wallet.Wallet) wallet.ChangeSet {
			return unlessRefused(w.DecideImportOutputs(0, 2, d.imported))
		},
		"DecideEnableMultisig": func(w *wallet.Wallet) wallet.ChangeSet { return w.DecideEnableMultisig() },
		"DecideNewNonces":      func(w *wallet.Wallet) wallet.ChangeSet { return w.DecideNewNonces(nonces) },
		"DecideUseNonces": func(w *wallet.Wallet) wallet.ChangeSet {
			return unlessRefused(w.DecideUseNonces(nil))
		},
		"DecideCosignerNonces": func(w *wallet.Wallet) wallet.ChangeSet { return w.DecideCosignerNonces(cosigners) },
		"DecideMultisigImages": func(w *wallet.Wallet) wallet.ChangeSet {
			c, _, err := w.DecideMultisigImages([]wallet.KnownImage{{Key: key, Image: image}}, d.now)
			return unlessRefused(c, err)
		},
	}
}

// TestDecisionsChangeNothing calls every Decide method on a wallet with a long history and on one with imported
// outputs. No field of the wallet changes, even when the result is committed to a copy of it.
func TestDecisionsChangeNothing(t *testing.T) {
	d := newDecisions(t)
	all := map[string]decision{}
	for _, some := range []map[string]decision{d.ofChain(), d.ofSending(), d.ofUser(), d.ofSigners()} {
		maps.Copy(all, some)
	}
	for name, decide := range all {
		for _, w := range []*wallet.Wallet{d.used.Wallet, d.cold.Wallet} {
			before := w.Clone()
			change := decide(w)
			require.True(t, reflect.DeepEqual(before, w.Clone()), "%s changed the wallet", name)
			other := w.Clone()
			other.Commit(change)
			unchanged := reflect.DeepEqual(before, w.Clone())
			require.True(t, unchanged, "committing the result of %s to a copy changed the wallet", name)
		}
	}
	methods := reflect.TypeFor[*wallet.Wallet]()
	for i := range methods.NumMethod() {
		if name := methods.Method(i).Name; strings.HasPrefix(name, "Decide") {
			require.Contains(t, all, name, "every decision is tested")
		}
	}
}
