package wallet_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"glim/core/keys"
	"glim/core/wallet"
	"glim/core/xmr"
)

// TestSharedCache writes the contents of a wallet to a cache, and takes the cache over again after the other program
// changed it. Only what that program changed is changed in the wallet.
func TestSharedCache(t *testing.T) {
	r := create(t, owner(t, "shared"), near)
	require.True(t, r.Contents().Blank())
	require.Zero(t, r.CacheDigest())
	r.change(r.DecideTakeOver(cacheContents(), 5))
	require.Equal(t, [32]byte{1}, r.CacheDigest())
	before := r.Revision()
	note := wallet.Note{TxID: xmr.Hash{5}, Text: "ours"}
	r.change(wallet.ChangeSet{User: wallet.UserChange{Notes: []wallet.Note{note}}})
	require.Greater(t, r.Revision(), before)
	f := r.Contents()
	require.False(t, f.Blank())
	require.Equal(t, []wallet.Note{{TxID: xmr.Hash{1}, Text: "a note"}, note}, f.Notes)
	require.Equal(t, []wallet.Attribute{{Key: "till", Value: "what is in it"}}, f.Described)
	require.Equal(t, []uint32{uint32(4 + near.Minor - 1), near.Minor}, f.Watched()[:2])
	print := r.Fingerprint(f)
	require.Equal(t, print, r.Fingerprint(r.Contents()))
	f.Frozen = nil // a cache without outputs
	at := r.Revision()
	r.change(r.DecideShared(f, print, [32]byte{7}))
	require.Equal(t, at, r.Revision())
	require.Equal(t, [32]byte{7}, r.CacheDigest())
	require.Equal(t, print, r.Shared().Content)
	same(t, r.Wallet, r.reloaded())

	unchanged := r.DecideTakeOver(r.Contents(), 6)
	require.Zero(t, unchanged.User.Takeover.Changed)
	f.Notes = f.Notes[1:]
	f.Labels[0][1] = "theirs"
	f.Digest = [32]byte{8}
	r.change(r.decided(r.DecideLabel(keys.Index{Minor: 3}, "ours")))
	r.change(r.DecideTakeOver(f, 7))
	require.Nil(t, r.Shared())
	require.Empty(t, r.Note(xmr.Hash{1}), "the other program deleted it")
	require.Equal(t, "ours", r.Note(xmr.Hash{5}))
	require.Equal(t, []string{"Primary account", "theirs", "", "ours"}, labels(r.Wallet, 0))
	require.True(t, r.IsFrozen(&wallet.OwnedOutput{Key: xmr.PublicKey{7}}), "the cache could not contain it")
	require.NotEqual(t, print, r.Fingerprint(r.Contents()))
	same(t, r.Wallet, r.reloaded())
}
