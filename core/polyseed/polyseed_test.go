package polyseed

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"glim/core/mnemonic"
)

const published = "raven tail swear infant grief assist regular lamp duck valid someone little harsh puppy airport " +
	"language"

// TestEnglishWords checks the hash of BIP 39's list.
func TestEnglishWords(t *testing.T) {
	sum := sha256.Sum256([]byte(englishWords))
	require.Equal(t, "2f5eed53a4727b4bf8880d8f3f199efc90e58503646d9ff8eff3a2ed3b24dbda", hex.EncodeToString(sum[:]))
	require.Panics(t, func() { NewLanguage(Spec{Words: "one\n"}) })
}

func english(t *testing.T, text string) *Seed {
	s, l, err := Languages{English()}.Decode(text)
	require.NoError(t, err)
	require.Same(t, English(), l)
	return s
}

// TestChecksum detects any replaced word and any two swapped words.
func TestChecksum(t *testing.T) {
	list := strings.Fields(published)
	for i := range list {
		wrong := append([]string(nil), list...)
		wrong[i] = "zoo"
		_, _, err := Languages{English()}.Decode(strings.Join(wrong, " "))
		require.ErrorIs(t, err, ErrChecksum)
		wrong = append([]string(nil), list...)
		j := (i + 1) % len(list)
		wrong[i], wrong[j] = wrong[j], wrong[i]
		_, _, err = Languages{English()}.Decode(strings.Join(wrong, " "))
		require.ErrorIs(t, err, ErrChecksum)
	}
	list[4] = "qqqq"
	_, _, err := Languages{English()}.Decode(strings.Join(list, " "))
	var at *mnemonic.WordError
	require.ErrorAs(t, err, &at)
	require.Equal(t, 5, at.Position)
	require.NotContains(t, err.Error(), "qqqq")
	_, _, err = Languages(nil).Decode(published)
	require.ErrorIs(t, err, mnemonic.ErrLanguage)
}

// TestOtherCoin refuses the seed of another coin, whose number is added to the second word.
// Source: tests/tests.c, test_decode_en_coin.
func TestOtherCoin(t *testing.T) {
	d := english(t, published).digits()
	d[1] ^= 1
	_, err := fromDigits(&d)
	require.ErrorIs(t, err, ErrChecksum)
}

func TestFeatures(t *testing.T) {
	for feature := range 5 {
		s := english(t, published)
		s.features = 1 << feature
		d := s.digits()
		got, err := fromDigits(&d)
		if s.features == encrypted {
			require.NoError(t, err)
			require.True(t, s.Equal(got))
			continue
		}
		require.ErrorIs(t, err, ErrFeatures)
	}
}

func TestCrypt(t *testing.T) {
	whole := english(t, published)
	s := english(t, published)
	require.NoError(t, s.Crypt("password", nil))
	// PBKDF2-HMAC-SHA256 of "password" with the salt of tests/tests.c, pbkdf2_dummy3, 10000 iterations, computed with
	// Python.
	mask, err := hex.DecodeString("886777de23641e21a0fd252d37a9d06b2d87fd1f3c8c001624e909b31f2c9be5")
	require.NoError(t, err)
	for i := range s.secret {
		want := whole.secret[i] ^ mask[i]
		if i == secretSize-1 {
			want &= lastMask
		}
		require.Equal(t, want, s.secret[i])
	}
	require.True(t, s.Encrypted())
	_, err = s.Key()
	require.ErrorIs(t, err, ErrEncrypted)
	require.Equal(t, whole.Birthday(), s.Birthday())

	again := english(t, s.Words(English()))
	require.True(t, again.Encrypted())
	require.NoError(t, again.Crypt("password", nil))
	require.True(t, whole.Equal(again))

	require.NoError(t, s.Crypt("another", nil))
	require.False(t, whole.Equal(s))

	require.ErrorIs(t, s.Crypt("Zürich", nil), ErrPassphrase)
	a, b := english(t, published), english(t, published)
	require.NoError(t, a.Crypt("Zürich", func(string) string { return "Zu\u0308rich" }))
	require.NoError(t, b.Crypt("Zu\u0308rich", func(p string) string { return p }))
	require.True(t, a.Equal(b))
	require.False(t, a.Equal(whole))
}

func TestNew(t *testing.T) {
	full := bytes.Repeat([]byte{0xff}, secretSize)
	for _, c := range []struct{ now, birthday uint64 }{
		{0, epoch}, {epoch - 1, epoch}, {epoch, epoch}, {epoch + month - 1, epoch}, {epoch + month, epoch + month},
		{epoch + 1023*month, epoch + 1023*month},
	} {
		s, err := New(bytes.NewReader(full), c.now)
		require.NoError(t, err)
		require.Equal(t, c.birthday, s.Birthday())
		require.True(t, s.Equal(english(t, s.Words(English()))))
		require.EqualValues(t, lastMask, s.secret[secretSize-1])
	}
	_, err := New(bytes.NewReader(full[1:]), 0)
	require.ErrorIs(t, err, io.ErrUnexpectedEOF)
}

func TestNeverPrints(t *testing.T) {
	s := english(t, published)
	for _, text := range []string{fmt.Sprint(s), fmt.Sprintf("%v %+v %#v %s", s, s, s, s)} {
		require.NotContains(t, text, "221")
		require.Contains(t, text, "[polyseed]")
	}
}
