package coldset_test

import (
	"bytes"
	"crypto/rand"
	"encoding/json"
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"glim/core/coldset"
	"glim/core/internal/codec/wire"
	"glim/core/keys"
	"glim/core/xmr"
)

func file(t testing.TB, name string) []byte {
	t.Helper()
	b, err := os.ReadFile("testdata/" + name)
	require.NoError(t, err)
	return b
}

// TestOldFormats reads messages of 2021, and distinguishes older formats from garbage.
func TestOldFormats(t *testing.T) {
	ctx := file(t, "cold-transaction-CTX1")
	u, err := coldset.ParseUnsignedSet(ctx)
	require.NoError(t, err)
	require.Equal(t, ctx, u.Append(nil))
	require.Zero(t, u.Version)
	require.Len(t, u.Transactions, 1)
	require.Len(t, u.Transactions[0].Sources, 4)
	require.Len(t, u.Transactions[0].Sources[0].Ring, 11)
	ds, _, err := u.Describe(xmr.Testnet)
	require.NoError(t, err)
	require.EqualValues(t, 11, ds[0].RingSize)
	_, _, err = u.Transactions[0].Plan(xmr.Testnet, testKeys(t, "glim cold set"), nil)
	require.ErrorIs(t, err, coldset.ErrUnsupported)

	outs := file(t, "cold-outputs-all-6")
	s, err := coldset.ParseOutputSet(outs)
	require.NoError(t, err)
	require.Equal(t, outs, s.Append(nil))
	require.Len(t, s.Transfers, 6)
	current, err := s.Exported()
	require.NoError(t, err)
	for i, o := range current {
		require.Equal(t, s.Transfers[i].Tx.Outputs[o.Index].Key, o.Key)
		require.NotZero(t, o.TxKey)
	}
	outs = file(t, "cold-outputs-none-6")
	s, err = coldset.ParseOutputSet(outs)
	require.NoError(t, err)
	require.Equal(t, outs, s.Append(nil))
	require.EqualValues(t, 6, s.Offset)

	box := coldset.NewCipher(testKeys(t, "glim cold set"), 1)
	_, err = box.DecodeUnsigned(file(t, "unsigned-set-3"))
	require.ErrorIs(t, err, coldset.ErrDeprecated)
	_, err = box.DecodeSigned(file(t, "signed-set-3"))
	require.ErrorIs(t, err, coldset.ErrDeprecated)
	_, err = box.DecodeOutputs(file(t, "outputs-3"))
	require.ErrorIs(t, err, coldset.ErrDeprecated)
	_, err = box.DecodeOutputs(file(t, "signed-set-3"))
	require.ErrorIs(t, err, coldset.ErrMagic)
	_, err = box.DecodeSigned([]byte("Monero signed tx set\x06"))
	require.ErrorIs(t, err, coldset.ErrVersion)
}

func recorded(t testing.TB) (f fixtures) {
	t.Helper()
	require.NoError(t, json.Unmarshal(reference, &f))
	return f
}

// TestLayouts writes outputs in the layout of each generation of wallets. The bytes of the newest follow the fields in
// src/wallet/wallet2.h of 0.18.5.1; no message of that program is recorded.
func TestLayouts(t *testing.T) {
	o := coldset.ExportedOutput{
		Version: 1, Key: xmr.PublicKey{1}, Index: 300, GlobalIndex: 5, TxKey: xmr.PublicKey{2}, RingCT: true,
		ImageRequested: true,
		Amount:         1000, AdditionalKeys: []xmr.PublicKey{{3}}, Address: keys.Index{Major: 1, Minor: 200},
	}
	s := coldset.OutputSet{Offset: 4, Total: 9, Outputs: []coldset.ExportedOutput{o}}
	key := func(first byte) []byte { return append([]byte{first}, make([]byte, 31)...) }
	newest := bytes.Join(
		[][]byte{{3, 4, 9, 1, 1}, key(1), {0xac, 2, 5}, key(2), {0x14, 0xe8, 7, 1}, key(3), {1, 0xc8, 1}}, nil,
	)
	require.Equal(t, newest, s.Append(nil))
	back, err := coldset.ParseOutputSet(newest)
	require.NoError(t, err)
	require.Equal(t, &s, back)

	old := s.Legacy()
	require.EqualValues(t, 1, s.Outputs[0].Version, "the original is unchanged")
	require.Equal(
		t, bytes.Join([][]byte{{2, 4, 1, 0}, key(1), {0xac, 2, 5}, key(2), {0x14, 0xe8, 7, 1}, key(3)}, nil),
		old.Append(nil),
	)
	back, err = coldset.ParseOutputSet(old.Append(nil))
	require.NoError(t, err)
	require.Equal(t, &old, back)

	for _, set := range []coldset.OutputSet{s, old, {Offset: 3, Total: 2}, {Paired: true}} {
		u := coldset.NewUnsignedSet(nil, set)
		require.Equal(t, set.Paired, u.Version == 1)
		again, err := coldset.ParseUnsignedSet(u.Append(nil))
		require.NoError(t, err)
		require.Equal(t, u.Append(nil), again.Append(nil))
	}

	for name, b := range map[string][]byte{
		"empty":            nil,
		"another count":    append([]byte{4}, newest[1:]...),
		"trailing byte":    append(bytes.Clone(newest), 0),
		"missing byte":     newest[:len(newest)-1],
		"end above total":  append([]byte{3, 9}, newest[2:]...),
		"unknown flag":     bytes.Replace(newest, []byte{0x14, 0xe8}, []byte{0x54, 0xe8}, 1),
		"newer version":    append([]byte{3, 4, 9, 1, 2}, newest[5:]...),
		"excessive count":  {3, 4, 9, 0xff, 0xff, 0xff, 7},
		"overlong number":  append([]byte{3, 0x84, 0}, newest[2:]...),
		"index of 33 bits": bytes.Replace(newest, []byte{1, 0xc8, 1}, []byte{1, 0xff, 0xff, 0xff, 0xff, 0x1f}, 1),
		"offset wraps": append(
			[]byte{2, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 1}, old.Append(nil)[2:]...,
		),
		"elements of either": append([]byte{3, 4, 9, 2, 1}, newest[5:]...),
	} {
		_, err := coldset.ParseOutputSet(b)
		require.Error(t, err, name)
	}
}

// TestCipher decrypts its own messages only.
func TestCipher(t *testing.T) {
	k := testKeys(t, "glim cold set")
	box := coldset.NewCipher(k, 1)
	view, err := keys.ViewOnly(k.ViewSecret(), k.SpendPublic)
	require.NoError(t, err)
	for _, plain := range [][]byte{nil, []byte("x"), bytes.Repeat([]byte("long"), 1000)} {
		sealed, err := box.Encrypt(rand.Reader, plain)
		require.NoError(t, err)
		again, err := box.Encrypt(rand.Reader, plain)
		require.NoError(t, err)
		require.NotEqual(t, sealed, again)
		got, err := coldset.NewCipher(view, 0).Decrypt(sealed)
		require.NoError(t, err)
		require.Equal(t, append([]byte{}, plain...), got)
		for i := 0; i < len(sealed); i += 1 + len(sealed)/64 {
			bad := bytes.Clone(sealed)
			bad[i] ^= 1
			_, err = box.Decrypt(bad)
			require.ErrorIs(t, err, coldset.ErrSeal)
			_, err = box.Decrypt(sealed[:i])
			require.ErrorIs(t, err, coldset.ErrSeal)
		}
		_, err = coldset.NewCipher(testKeys(t, "another"), 1).Decrypt(sealed)
		require.ErrorIs(t, err, coldset.ErrSeal)
	}
	require.NotContains(t, box.String()+box.GoString(), "key:")

	twice := coldset.NewCipher(k, 2)
	sealed, err := twice.Encrypt(rand.Reader, []byte("Monero"))
	require.NoError(t, err)
	got, err := box.Decrypt(sealed)
	require.NoError(t, err, "the signature does not cover the number of rounds")
	require.NotEqual(t, []byte("Monero"), got)

	// The same view key with another spend key is another wallet.
	other, err := keys.ViewOnly(k.ViewSecret(), testKeys(t, "another").SpendPublic)
	require.NoError(t, err)
	message, err := box.EncodeOutputs(rand.Reader, &coldset.OutputSet{})
	require.NoError(t, err)
	_, err = coldset.NewCipher(other, 1).DecodeOutputs(message)
	require.ErrorIs(t, err, coldset.ErrAccount)
	message, err = box.EncodeImages(rand.Reader, &coldset.ImageSet{})
	require.NoError(t, err)
	_, err = coldset.NewCipher(other, 1).DecodeImages(message)
	require.ErrorIs(t, err, coldset.ErrAccount)
}

// TestImages signs key images, passes them as a file and verifies them.
func TestImages(t *testing.T) {
	f := recorded(t)
	k := testKeys(t, "glim cold set")
	box := coldset.NewCipher(k, 1)
	outputs, err := box.DecodeOutputs(unhex(t, f.Outputs))
	require.NoError(t, err)
	set := &coldset.ImageSet{Offset: 2}
	for i := range outputs.Outputs[2:6] {
		o := &outputs.Outputs[2+i]
		at, err := o.Owned(k, nil)
		require.NoError(t, err)
		s, err := coldset.SignImage(rand.Reader, k, at, o.Index, o.Key)
		require.NoError(t, err)
		require.Equal(t, f.Images[2+i].KeyImage, s.Image.String())
		set.Images = append(set.Images, s)
	}
	message, err := box.EncodeImages(rand.Reader, set)
	require.NoError(t, err)
	require.Equal(t, "Monero key image export\x03", string(message[:24]))
	got, err := box.DecodeImages(message)
	require.NoError(t, err)
	require.Equal(t, set, got)
	for i := range got.Images {
		require.NoError(t, got.Images[i].Verify(outputs.Outputs[2+i].Key))
		require.Error(t, got.Images[i].Verify(outputs.Outputs[3+i].Key))
		forged := got.Images[i]
		forged.Image[0] ^= 1
		require.Error(t, forged.Verify(outputs.Outputs[2+i].Key))
	}
	for _, plain := range [][]byte{nil, make([]byte, 67)} {
		sealed, err := box.Encrypt(rand.Reader, plain)
		require.NoError(t, err)
		_, err = box.DecodeImages(append([]byte("Monero key image export\x03"), sealed...))
		require.ErrorIs(t, err, wire.ErrShort)
	}
	plain, err := box.Decrypt(message[24:])
	require.NoError(t, err)
	sealed, err := box.Encrypt(rand.Reader, append(plain, 0))
	require.NoError(t, err)
	_, err = box.DecodeImages(append([]byte("Monero key image export\x03"), sealed...))
	require.ErrorIs(t, err, wire.ErrTrailing)
}

// TestImport updates a signer's list of key images with messages.
func TestImport(t *testing.T) {
	f := recorded(t)
	k := testKeys(t, "glim cold set")
	all, err := coldset.NewCipher(k, 1).DecodeOutputs(unhex(t, f.Outputs))
	require.NoError(t, err)
	w := &coldset.ColdSigner{Network: xmr.Regtest, Keys: k}
	want, err := w.Import(all)
	require.NoError(t, err)
	part := func(from, to int, total uint64) *coldset.OutputSet {
		return &coldset.OutputSet{Offset: uint64(from), Total: total, Outputs: all.Outputs[from:to]}
	}
	_, err = w.Import(part(2, 4, 9))
	require.ErrorIs(t, err, coldset.ErrGap)
	w.Images, err = w.Import(part(0, 4, 9))
	require.NoError(t, err)
	require.Equal(t, want[:4], w.Images)
	w.Images, err = w.Import(part(3, 8, 9))
	require.NoError(t, err)
	require.Equal(t, want[:8], w.Images)
	got, err := w.Import(part(1, 2, 9))
	require.NoError(t, err)
	require.Equal(t, want[:8], got, "the key images after the message stay")
	got, err = w.Import(part(1, 2, 5))
	require.NoError(t, err)
	require.Equal(t, want[:5], got, "the list becomes shorter")
	got, err = w.Import(&coldset.OutputSet{})
	require.NoError(t, err)
	require.Equal(t, want[:8], got)

	foreign := part(0, 1, 1)
	foreign.Outputs[0].Key = all.Outputs[1].Key
	_, err = w.Import(foreign)
	require.ErrorIs(t, err, coldset.ErrNotOurs)
	view, err := keys.ViewOnly(k.ViewSecret(), k.SpendPublic)
	require.NoError(t, err)
	_, err = (&coldset.ColdSigner{Keys: view}).Import(part(2, 4, 9))
	require.Error(t, err)
}

// seeds adds the recorded bodies.
func seeds(f *testing.F) {
	var x fixtures
	require.NoError(f, json.Unmarshal(reference, &x))
	box := coldset.NewCipher(testKeys(f, "glim cold set"), 1)
	for text, magic := range map[string]string{
		x.Outputs: "Monero output export\x04", x.Unsigned: "Monero unsigned tx set\x05",
		x.Signed: "Monero signed tx set\x05",
	} {
		b, err := box.Decrypt(unhex(f, text)[len(magic):])
		require.NoError(f, err)
		if magic[7] == 'o' {
			b = b[64:]
		}
		f.Add(b)
	}
	f.Add(unhex(f, x.Metadata))
	for _, name := range []string{"cold-transaction-CTX1", "cold-outputs-all-6", "cold-outputs-none-6"} {
		f.Add(file(f, name))
	}
	f.Add([]byte{3, 0, 0, 0})
	f.Add([]byte{2, 0, 3, 0, 0, 0})
}

// FuzzParseOutputSet: parsed bytes are reproduced exactly.
func FuzzParseOutputSet(f *testing.F) {
	seeds(f)
	f.Fuzz(func(t *testing.T, b []byte) {
		s, err := coldset.ParseOutputSet(b)
		if err != nil {
			return
		}
		require.Equal(t, b, s.Append(nil))
		_, _ = s.Exported()
	})
}

func FuzzParseUnsignedSet(f *testing.F) {
	seeds(f)
	k := testKeys(f, "glim cold set")
	f.Fuzz(func(t *testing.T, b []byte) {
		u, err := coldset.ParseUnsignedSet(b)
		if err != nil {
			return
		}
		require.Equal(t, b, u.Append(nil))
		if _, _, err := u.Describe(xmr.Regtest); err != nil {
			return
		}
		for i := range u.Transactions {
			_, _, _ = u.Transactions[i].Plan(xmr.Regtest, k, nil)
		}
	})
}

func FuzzParseSignedSet(f *testing.F) {
	seeds(f)
	f.Fuzz(func(t *testing.T, b []byte) {
		s, err := coldset.ParseSignedSet(b)
		if err == nil {
			require.Equal(t, b, s.Append(nil))
		}
	})
}

func FuzzParsePending(f *testing.F) {
	seeds(f)
	f.Fuzz(func(t *testing.T, b []byte) {
		p, err := coldset.ParsePendingTx(b)
		if err != nil {
			return
		}
		require.Equal(t, b, p.Append(nil))
		_, _ = p.ID()
		p.Images()
	})
}
