package coldset

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"glim/core/keys"
)

// FuzzBox gives every decoder of messages the bytes as a message, and as what was sealed by somebody with the view key, which all who
// exchange messages have.
func FuzzBox(f *testing.F) {
	k, err := keys.FromSeed([32]byte{1, 2, 3})
	require.NoError(f, err)
	b, random := NewBox(k, 1), rand.NewChaCha8([32]byte{4})
	decoders := []struct {
		magic  string
		decode func([]byte) error
	}{
		{magicImages, func(m []byte) error { _, err := b.DecodeImages(m); return err }},
		{magicOutputs, func(m []byte) error { _, err := b.DecodeOutputs(m); return err }},
		{magicSharedInfo, func(m []byte) error { _, err := b.DecodeSharedInfo(m); return err }},
		{magicSharedSet, func(m []byte) error { _, err := b.DecodeSharedSet(m); return err }},
		{magicSigned, func(m []byte) error { _, err := b.DecodeSigned(m); return err }},
		{magicUnsigned, func(m []byte) error { _, err := b.DecodeUnsigned(m); return err }},
	}
	images, err := b.EncodeImages(random, &ImageSet{})
	require.NoError(f, err)
	plain, err := b.opened(images, magicImages)
	require.NoError(f, err)
	f.Add(images)
	f.Add(plain)
	f.Add(append(b.header(), 0, 0))
	f.Add([]byte(magicUnsigned))
	f.Fuzz(func(t *testing.T, bytes []byte) {
		for _, d := range decoders {
			_ = d.decode(bytes)
			for _, plain := range [][]byte{bytes, append(b.header(), bytes...)} {
				message, err := b.sealed(random, d.magic, plain)
				require.NoError(t, err)
				_ = d.decode(message)
				message[len(d.magic)] ^= 1
				require.Error(t, d.decode(message), "a message that was changed")
			}
		}
	})
}
