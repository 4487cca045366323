package coldset_test

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"glim/core/coldset"
	"glim/core/internal/codec/wire"
	"glim/core/keys"
	"glim/core/xmr"
)

// nextOutputs has outputs from before and after the next hard fork.
func nextOutputs() *coldset.OutputSet {
	today := coldset.ExportedOutput{
		Version: 1, Key: xmr.PublicKey{1}, Index: 3, GlobalIndex: 500, TxKey: xmr.PublicKey{2}, RingCT: true,
		Amount: 1000, AdditionalKeys: []xmr.PublicKey{{3}}, Address: keys.Index{Major: 1, Minor: 200},
	}
	next := coldset.ExportedOutput{
		Key: xmr.PublicKey{4}, Index: 300, GlobalIndex: 5, RingCT: true, Frozen: true, ImageRequested: true,
		Amount: 1 << 40, Address: keys.Index{Minor: 7},
	}
	reward := next
	next.Carrot = &coldset.CarrotPart{Secret: [32]byte{5}, Mask: [32]byte{6}, EnoteType: 1}
	reward.Carrot = &coldset.CarrotPart{Secret: [32]byte{7}, Mask: [32]byte{8}, Coinbase: true}
	return &coldset.OutputSet{Offset: 4, Total: 9, Outputs: []coldset.ExportedOutput{today, next, reward}}
}

func nextImages() *coldset.ImageSet {
	s := &coldset.ImageSet{Offset: 300, Images: []coldset.SignedImage{
		{Image: xmr.KeyImage{1}}, {Image: xmr.KeyImage{2}, Opening: &[coldset.OpeningSize]byte{3}},
	}}
	s.Images[0].Signature.C, s.Images[0].Signature.R = [32]byte{4}, [32]byte{5}
	return s
}

// TestNextOutputSets: outputs of the next hard fork pass as a message, and anything shorter, longer, of another kind or
// beyond its limits is refused.
func TestNextOutputSets(t *testing.T) {
	s := nextOutputs()
	b := s.AppendNext(nil)
	got, err := coldset.ParseNextOutputSet(b)
	require.NoError(t, err)
	require.Equal(t, s, got)
	for n := range b {
		_, err := coldset.ParseNextOutputSet(b[:n])
		require.Error(t, err, n)
	}
	_, err = coldset.ParseNextOutputSet(append(b, 0))
	require.ErrorIs(t, err, wire.ErrTrailing)
	for name, change := range map[string]func(s *coldset.OutputSet){
		"index":        func(s *coldset.OutputSet) { s.Outputs[1].Index = 65536 },
		"type":         func(s *coldset.OutputSet) { s.Outputs[1].Carrot.EnoteType = 2 },
		"total":        func(s *coldset.OutputSet) { s.Total = 6 },
		"offset wraps": func(s *coldset.OutputSet) { s.Offset = 1<<64 - 1 },
	} {
		s := nextOutputs()
		change(s)
		_, err := coldset.ParseNextOutputSet(s.AppendNext(nil))
		require.ErrorIs(t, err, coldset.ErrMalformed, name)
	}
	_, err = coldset.ParseNextOutputSet([]byte{0, 1, 1, 2})
	require.Error(t, err, "another kind")
	_, err = coldset.ParseNextOutputSet([]byte{0, 0xff, 0xff, 0xff, 0xff, 7, 0xff, 0xff, 0xff, 7})
	require.Error(t, err, "more outputs than bytes")

	k := testKeys(t, "glim cold set")
	box := coldset.NewCipher(k, 1)
	message, err := box.EncodeNextOutputs(rand.NewChaCha8([32]byte{1}), s)
	require.NoError(t, err)
	got, err = box.DecodeNextOutputs(message)
	require.NoError(t, err)
	require.Equal(t, s, got)
	_, err = box.DecodeOutputs(message)
	require.ErrorIs(t, err, coldset.ErrMagic)
	_, err = box.DecodeNextImages(message)
	require.ErrorIs(t, err, coldset.ErrMagic)
	_, err = coldset.NewCipher(testKeys(t, "another"), 1).DecodeNextOutputs(message)
	require.ErrorIs(t, err, coldset.ErrSeal)
	sibling, err := keys.ViewOnly(k.ViewSecret(), testKeys(t, "another").SpendPublic)
	require.NoError(t, err)
	_, err = coldset.NewCipher(sibling, 1).DecodeNextOutputs(message)
	require.ErrorIs(t, err, coldset.ErrAccount)
	message[len("glim outputs")]++
	_, err = box.DecodeNextOutputs(message)
	require.ErrorIs(t, err, coldset.ErrVersion)
}

// TestNextImageSets: key images with proofs of both kinds pass as a message.
func TestNextImageSets(t *testing.T) {
	s := nextImages()
	random := rand.NewChaCha8([32]byte{1})
	box := coldset.NewCipher(testKeys(t, "glim cold set"), 1)
	message, err := box.EncodeNextImages(random, s)
	require.NoError(t, err)
	got, err := box.DecodeNextImages(message)
	require.NoError(t, err)
	require.Equal(t, s, got)
	_, err = box.DecodeImages(message)
	require.ErrorIs(t, err, coldset.ErrMagic)

	const magic = "glim key images\x01"
	plain, err := box.DecryptMessage(message, magic)
	require.NoError(t, err)
	first := 64 + 4 + 1 + 32 + 64 // the end of the first key image
	for n := 64; n < len(plain); n++ {
		cut, err := box.EncryptMessage(random, magic, plain[:n])
		require.NoError(t, err)
		_, err = box.DecodeNextImages(cut)
		if n == 64+4 || n == first {
			require.NoError(t, err, "between key images")
		} else {
			require.ErrorIs(t, err, wire.ErrShort, n)
		}
	}
	for _, bad := range []*coldset.ImageSet{{Offset: 1<<32 - 1, Images: s.Images}} {
		message, err := box.EncodeNextImages(random, bad)
		require.NoError(t, err)
		_, err = box.DecodeNextImages(message)
		require.ErrorIs(t, err, coldset.ErrMalformed)
	}
	plain[first] = 2
	message, err = box.EncryptMessage(random, magic, plain)
	require.NoError(t, err)
	_, err = box.DecodeNextImages(message)
	require.ErrorIs(t, err, coldset.ErrMalformed)
}

// FuzzParseNextOutputSet: what is read is written as the same bytes.
func FuzzParseNextOutputSet(f *testing.F) {
	b := nextOutputs().AppendNext(nil)
	f.Add(b)
	f.Add(b[:40])
	f.Add([]byte{0, 0, 0})
	f.Fuzz(func(t *testing.T, b []byte) {
		if s, err := coldset.ParseNextOutputSet(b); err == nil {
			require.Equal(t, b, s.AppendNext(nil))
		}
	})
}
