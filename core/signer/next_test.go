package signer_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"glim/core/carrot"
	"glim/core/crypto/edwards"
	"glim/core/keys"
	"glim/core/signer"
	"glim/core/xmr"
)

// carrotOutput returns an output of the next hard fork that address at of k received, and its key image.
func carrotOutput(t testing.TB, k *keys.Keys, at keys.Index) (keys.OwnOutput, xmr.KeyImage) {
	t.Helper()
	master, err := carrot.NewLegacyMaster(carrot.Default, k)
	require.NoError(t, err)
	received := carrot.Received{Spend: master.SpendKey(at), ExtensionG: random.Scalar(), ExtensionT: random.Scalar()}
	base, err := edwards.DecodePoint(carrot.Default.T)
	require.NoError(t, err)
	key, err := edwards.DecodePoint(received.Spend)
	require.NoError(t, err)
	key.Add(key, new(edwards.Point).ScalarBaseMult(received.ExtensionG))
	key.Add(key, base.ScalarMult(received.ExtensionT, base))
	received.Key = key.Encode()
	image, err := master.KeyImage(&received, at)
	require.NoError(t, err)
	return keys.OwnOutput{
		Extensions: &keys.Extensions{
			G: edwards.EncodeScalar(received.ExtensionG), T: edwards.EncodeScalar(received.ExtensionT),
		},
		Address: at, Key: received.Key,
	}, image
}

// TestNextImages: the server computes key images of the wallet's outputs of the next hard fork, and refuses those of
// others, for which a client could choose the point that the spend key is multiplied by.
func TestNextImages(t *testing.T) {
	k := person(t, "k")
	_, o, _ := apart(t, k, signer.Host{})
	first, image := carrotOutput(t, k, main)
	second, other := carrotOutput(t, k, sub)
	images, err := o.Wallet.KeyImages(t.Context(), []keys.OwnOutput{first, second})
	require.NoError(t, err)
	require.Equal(t, []xmr.KeyImage{image, other}, images)
	signed, err := o.Wallet.SignNextImages(t.Context(), []keys.OwnOutput{first, second})
	require.NoError(t, err)
	for i, own := range []keys.OwnOutput{first, second} {
		require.Equal(t, images[i], signed[i].Image)
		require.NoError(t, carrot.Default.VerifyKeyImage(carrot.CarrotOutput, own.Key, images[i],
			(*carrot.ImageProof)(signed[i].Opening)))
	}
	for name, change := range map[string]func(*keys.OwnOutput, *keys.Extensions){
		"another key":            func(o *keys.OwnOutput, _ *keys.Extensions) { o.Key = random.Point() },
		"another address":        func(o *keys.OwnOutput, _ *keys.Extensions) { o.Address = sub },
		"another extension of G": func(_ *keys.OwnOutput, e *keys.Extensions) { e.G[0] ^= 1 },
		"another extension of T": func(_ *keys.OwnOutput, e *keys.Extensions) { e.T[0] ^= 1 },
		"a large extension of G": func(_ *keys.OwnOutput, e *keys.Extensions) { e.G[31] = 255 },
		"a large extension of T": func(_ *keys.OwnOutput, e *keys.Extensions) { e.T[31] = 255 },
		"the output of a stranger": func(o *keys.OwnOutput, e *keys.Extensions) {
			foreign, _ := carrotOutput(t, person(t, "stranger"), main)
			o.Key, *e = foreign.Key, *foreign.Extensions
		},
	} {
		altered := first
		extensions := *first.Extensions
		altered.Extensions = &extensions
		change(&altered, &extensions)
		images, err := o.Wallet.KeyImages(t.Context(), []keys.OwnOutput{second, altered})
		require.ErrorIs(t, err, keys.ErrMismatch, name)
		require.Nil(t, images, name)
		signed, err := o.Wallet.SignNextImages(t.Context(), []keys.OwnOutput{second, altered})
		require.ErrorIs(t, err, keys.ErrMismatch, name)
		require.Nil(t, signed, name)
	}
}
