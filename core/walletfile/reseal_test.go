package walletfile

import (
	"crypto/rand"
	"testing"

	"github.com/stretchr/testify/require"

	"glim/core/internal/crypto/chacha"
	"glim/core/keys"
	"glim/core/xmr"
)

// TestReseal changes the password of a keys file. The settings of the reference that glim does not know stay in it,
// byte for byte.
func TestReseal(t *testing.T) {
	k, err := keys.FromSeed([32]byte{1})
	require.NoError(t, err)
	w := &Wallet{Keys: k, Network: xmr.Stagenet, Language: "Fran\u00e7ais", RestoreHeight: 77}
	key := chacha.Key([]byte("old"), 1)
	a := newAccount(w)
	a.crypt(&Password{key: key})
	plain, err := appendObject(nil, w, a)
	require.NoError(t, err)
	extra := `,"device_name":"Default","odd":"` + "\x80\xff\xc3\xa9\\\"\\u0001" + `","confirm_export_overwrite":1}`
	file, err := (&Password{key: key}).sealObject(append(plain[:len(plain)-1:len(plain)-1], extra...), rand.Reader)
	require.NoError(t, err)

	_, err = Reseal(file, []byte("new"), []byte("old"), 1, rand.Reader)
	require.ErrorIs(t, err, ErrPassword)
	_, err = Reseal(file[:9], []byte("old"), []byte("new"), 1, rand.Reader)
	require.ErrorIs(t, err, ErrFormat)
	next, err := Reseal(file, []byte("old"), []byte("new"), 1, rand.Reader)
	require.NoError(t, err)
	_, err = Open(next, []byte("old"), 1)
	require.ErrorIs(t, err, ErrPassword)
	got, err := Open(next, []byte("new"), 1)
	require.NoError(t, err)
	require.Equal(t, k.SpendPublic, got.Keys.SpendPublic)
	secret, _ := k.SpendSecret()
	opened, _ := got.Keys.SpendSecret()
	require.Equal(t, secret, opened)
	require.Equal(t, "Fran\u00e7ais", got.Language)
	require.EqualValues(t, 77, got.RestoreHeight)

	objects := [2]object{}
	for i, sealed := range []struct {
		file     []byte
		password string
	}{{file, "old"}, {next, "new"}} {
		iv, text, err := split(sealed.file)
		require.NoError(t, err)
		key := chacha.Key([]byte(sealed.password), 1)
		chacha.XOR(text, text, &key, iv)
		objects[i], err = parseObject(text)
		require.NoError(t, err)
		require.NotEmpty(t, objects[i]["key_data"])
		delete(objects[i], "key_data")
	}
	require.Equal(t, objects[0], objects[1])
}
