package wallet_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"glim/core/chaintest"
	"glim/core/keys"
	"glim/core/wallet"
	"glim/core/xmr"
)

// images returns the key images of w's outputs. Burnt outputs have the same keys, and so the same images.
func images(w *wallet.Wallet, proved bool) (list []wallet.KnownImage) {
	for _, o := range w.Outputs() {
		list = append(list, wallet.KnownImage{Key: o.Key, Image: o.Image, Proved: proved})
	}
	return list
}

// agree requires that a view-only wallet and the full wallet report the same money.
func agree(t *testing.T, whole, view *wallet.Wallet, why ...any) {
	t.Helper()
	now := uint64(chaintest.StartTime + 20_000)
	require.Equal(t, reads(whole, now)[1:], reads(view, now)[1:], why...)
}

// TestImportedImagesMakeAWalletComplete imports key images into a view-only wallet: after a rescan it has the same
// state as the full wallet, keeps it through reorganisations, rescans and reloads, and recognises later spends at once.
func TestImportedImagesMakeAWalletComplete(t *testing.T) {
	for seed := range 6 {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			k := owner(t, "images")
			c, l := livelyChain(t, fmt.Sprint("images ", seed), k, 60)
			whole, view := existing(t, k, 2, 3), existing(t, viewOnly(t, k), 2, 3)
			whole.follow(c, 60)
			view.follow(c, 7)
			require.NotEmpty(t, whole.Spends())
			require.Empty(t, view.Spends())

			view.change(view.decided(view.DecideImages(images(whole.Wallet, seed%2 == 0))))
			same(t, view.Wallet, view.reloaded())
			same(t, view.Wallet, view.compacted().Wallet)
			first := ^uint64(0)
			spent := 0
			for i := range view.Outputs() {
				o := &view.Outputs()[i]
				own, ok := whole.OutputByKey(o.Key)
				require.True(t, ok)
				require.Equal(t, own.Image, o.Image)
				require.Equal(t, seed%2 != 0, view.WantsImage(o))
				if whole.IsSpent(own, true) {
					first, spent = min(first, view.FirstSeen(o)), spent+1
				}
			}
			require.Positive(t, spent)
			view.change(view.DecideRescan(first, chaintest.StartTime))
			require.Less(t, view.Height(), c.Height())
			view.follow(c, 11)
			agree(t, whole.Wallet, view.Wallet)

			c.GrowWith(l, 5) // spends known outputs, pays unknown ones
			at := c.Height() - 20
			for _, r := range []*recorded{whole, view} {
				r.follow(c, 3)
			}
			view.change(view.decided(view.DecideImages(images(whole.Wallet, true))))
			same(t, view.Wallet, view.reloaded())
			for _, r := range []*recorded{whole, view} {
				r.detach(at)
				r.follow(c, 4)
			}
			agree(t, whole.Wallet, view.Wallet, "after a reorganisation")
			for _, r := range []*recorded{whole, view} {
				r.change(wallet.ChangeSet{Chain: wallet.ChainChange{Clear: true}})
				r.follow(c, 30)
			}
			agree(t, whole.Wallet, view.Wallet, "scanned again")
			same(t, view.Wallet, view.reloaded())
			same(t, view.Wallet, view.compacted().Wallet)
		})
	}
}

// TestImagesRefused checks that a proof wins over an unproved image, and that no two outputs have the same key image.
func TestImagesRefused(t *testing.T) {
	k := owner(t, "refused")
	c, _ := livelyChain(t, "refused", k, 30)
	whole, view := existing(t, k, 2, 3), existing(t, viewOnly(t, k), 2, 3)
	whole.follow(c, 30)
	view.follow(c, 30)
	list := images(whole.Wallet, true)
	require.Greater(t, len(list), 2)

	word := wallet.KnownImage{Key: list[0].Key, Image: xmr.KeyImage{1}}
	view.change(view.decided(view.DecideImages([]wallet.KnownImage{word})))
	require.True(t, view.WantsImage(&view.Outputs()[0]))
	view.change(view.decided(view.DecideImages(list[:1])))
	_, found := view.OutputByImage(word.Image)
	require.False(t, found)
	o, found := view.OutputByImage(list[0].Image)
	require.True(t, found)
	require.False(t, view.WantsImage(o))
	again, err := view.DecideImages([]wallet.KnownImage{word, list[0]})
	require.NoError(t, err)
	require.True(t, again.Empty())

	_, err = view.DecideImages([]wallet.KnownImage{{Key: list[1].Key, Image: list[0].Image}})
	require.ErrorIs(t, err, wallet.ErrImage)
	_, err = view.DecideImages([]wallet.KnownImage{
		{Key: list[1].Key, Image: word.Image}, {Key: list[2].Key, Image: word.Image},
	})
	require.ErrorIs(t, err, wallet.ErrImage)
	own, err := whole.DecideImages([]wallet.KnownImage{word})
	require.NoError(t, err)
	require.True(t, own.Empty(), "a wallet with the spend key computes it itself")
	same(t, view.Wallet, view.reloaded())
}

// TestImportOutputs checks that a signer uses the imported outputs until it scans a chain itself; from then on only
// the chain counts.
func TestImportOutputs(t *testing.T) {
	k := owner(t, "imported")
	c, _ := livelyChain(t, "imported", k, 40)
	whole := existing(t, k, 2, 3)
	whole.follow(c, 40)
	n := uint64(len(whole.Outputs()))
	require.Greater(t, n, uint64(6))
	list := make([]wallet.OwnedOutput, n)
	for i, o := range whole.Outputs() {
		list[i] = wallet.OwnedOutput{
			Index: o.Index, GlobalIndex: o.GlobalIndex, Amount: o.Amount, Key: o.Key, Image: o.Image,
			ImageKnown: true, Address: o.Address, Derivation: o.Derivation, RingCT: o.RingCT, Spent: i%2 == 0,
			ImageRequested: true,
		}
	}
	cold := existing(t, k, 2, 3)
	_, err := cold.DecideImportOutputs(1, n, list[1:])
	require.ErrorIs(t, err, wallet.ErrDuplicateOutput, "a gap")
	_, err = cold.DecideImportOutputs(0, n, append(list[:2:2], list[0]))
	require.ErrorIs(t, err, wallet.ErrDuplicateOutput, "a duplicate output")
	_, err = whole.DecideImportOutputs(0, n, list)
	require.ErrorIs(t, err, wallet.ErrScanned)

	cold.change(cold.decided(cold.DecideImportOutputs(0, n, list[:4])))
	cold.change(cold.decided(cold.DecideImportOutputs(4, n, list[4:])))
	require.Equal(t, list, cold.Outputs())
	same(t, cold.Wallet, cold.reloaded())
	same(t, cold.Wallet, cold.compacted().Wallet)
	require.True(t, cold.WantsImage(&cold.Outputs()[0]))
	require.True(t, cold.IsSpent(&cold.Outputs()[0], true))

	list[1].Spent = true
	cold.change(cold.decided(cold.DecideImportOutputs(1, n, list[1:2])))
	require.Equal(t, list, cold.Outputs())
	cold.change(cold.decided(cold.DecideImportOutputs(0, n-1, list[:2]))) // the view-only wallet has one output less
	require.Equal(t, list[:n-1], cold.Outputs())
	signed := wallet.TxKey{TxID: xmr.Hash{5}, Key: keys.Secret{7}, Additional: []keys.Secret{{8}}}
	cold.change(wallet.ChangeSet{User: wallet.UserChange{TxKeys: []wallet.TxKey{signed}}})
	same(t, cold.Wallet, cold.reloaded())

	cold.follow(c, 9)
	require.Equal(t, whole.Outputs(), cold.Outputs())
	agree(t, whole.Wallet, cold.Wallet)
	same(t, cold.Wallet, cold.reloaded())
	same(t, cold.Wallet, cold.compacted().Wallet)
	got, ok := cold.TxSecret(signed.TxID)
	require.True(t, ok)
	require.Equal(t, signed.Key, got.Key)
}
