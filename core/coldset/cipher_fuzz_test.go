package coldset

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"glim/core/keys"
)

// FuzzCipher passes the bytes to every decoder as a message, and as the plain text of a message from a holder of the
// view key.
func FuzzCipher(f *testing.F) {
	k, err := keys.FromSeed([32]byte{1, 2, 3})
	require.NoError(f, err)
	b, random := NewCipher(k, 1), rand.NewChaCha8([32]byte{4})
	decoders := []struct {
		magic  string
		decode func([]byte) error
	}{
		{magicImages, func(m []byte) error { _, err := b.DecodeImages(m); return err }},
		{magicOutputs, func(m []byte) error { _, err := b.DecodeOutputs(m); return err }},
		{magicSigned, func(m []byte) error { _, err := b.DecodeSigned(m); return err }},
		{magicNextImages, func(m []byte) error { _, err := b.DecodeNextImages(m); return err }},
		{magicNextOutputs, func(m []byte) error { _, err := b.DecodeNextOutputs(m); return err }},
		{magicUnsigned, func(m []byte) error { _, err := b.DecodeUnsigned(m); return err }},
	}
	images, err := b.EncodeImages(random, &ImageSet{})
	require.NoError(f, err)
	plain, err := b.DecryptMessage(images, magicImages)
	require.NoError(f, err)
	f.Add(images)
	f.Add(plain)
	f.Add(append(b.Header(), 0, 0))
	f.Add([]byte(magicUnsigned))
	f.Fuzz(func(t *testing.T, bytes []byte) {
		for _, d := range decoders {
			_ = d.decode(bytes)
			for _, plain := range [][]byte{bytes, append(b.Header(), bytes...)} {
				message, err := b.EncryptMessage(random, d.magic, plain)
				require.NoError(t, err)
				_ = d.decode(message)
				message[len(d.magic)] ^= 1
				require.Error(t, d.decode(message), "a message that was changed")
			}
		}
	})
}
