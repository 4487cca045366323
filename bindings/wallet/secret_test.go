package wallet_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"glim/bindings/wallet"
)

// TestSecretsAreNotPrinted prints every value that holds a secret with all verbs of package fmt, loggers and encoders.
func TestSecretsAreNotPrinted(t *testing.T) {
	t.Parallel()
	ctx, chain, _, m := setUp(t)
	w := funded(t, m, chain, "one")
	const password, passphrase = "hunter-two-is-long", "over-the-words"
	require.NoError(t, w.ChangePassword(ctx, "secret", password))
	words, err := w.Seed(ctx, "")
	require.NoError(t, err)
	keys, err := w.Keys(ctx)
	require.NoError(t, err)
	p, err := w.Send(ctx, wallet.Payment{To: []wallet.Destination{{Address: addressOf(t, w), Amount: 1}}, Key: "order"})
	require.NoError(t, err)
	_, wrong := m.Restore(ctx, "bad", password, wallet.Seed{Words: words + " abbey", Passphrase: passphrase})
	require.Error(t, wrong)
	_, swapped := m.Restore(ctx, "bad", password, wallet.Keys{Address: keys.Address, ViewKey: keys.SpendKey,
		SpendKey: keys.ViewKey})
	require.Error(t, swapped)
	require.NoError(t, w.Close())
	_, wrongPassword := m.Open(ctx, "one", passphrase)
	require.ErrorIs(t, wrongPassword, wallet.ErrWrongPassword)
	c := wallet.Config{Daemon: wallet.Daemon{Address: "node.example", Username: "user", Password: password,
		Proxy: "user:" + password + "@proxy:1"}}
	bad := c
	bad.Folder, bad.Daemon.Proxy = t.TempDir(), password
	_, refused := wallet.NewManager(bad)
	require.Error(t, refused)

	secrets := []string{password, passphrase, string(words), strings.Fields(string(words))[3] + " ",
		string(keys.SpendKey), string(keys.ViewKey)}
	check := func(how string, shown string) {
		t.Helper()
		for _, s := range secrets {
			require.NotContains(t, shown, s, how)
			require.NotContains(t, shown, fmt.Sprintf("%x", s), how)
		}
	}
	values := []any{words, keys, wallet.Seed{Words: words, Passphrase: passphrase}, c, c.Daemon, p, w, m, wrong,
		swapped, wrongPassword, refused}
	for _, value := range values {
		for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q", "%x", "%X", "%d", "%t", "%T", "%g"} {
			check(verb, fmt.Sprintf(verb, value))
			if _, isError := value.(error); !isError {
				check("in a list, "+verb, fmt.Sprintf(verb, []any{value}))
			}
		}
		for err, ok := value.(error); ok && err != nil; err = errors.Unwrap(err) {
			check("error", err.Error())
		}
	}
	check("panic", fmt.Sprint(words))
	for _, value := range []any{words, keys, wallet.Seed{Words: words, Passphrase: passphrase}, c, c.Daemon,
		c.Daemon.Password, p, wrong} {
		var b bytes.Buffer
		slog.New(slog.NewJSONHandler(&b, nil)).Info("value", "value", value)
		slog.New(slog.NewTextHandler(&b, nil)).Info("value", "value", value)
		check("log", b.String())
		text, err := json.Marshal(value)
		require.NoError(t, err)
		check("json", string(text))
	}
	require.Equal(t, "(secret)", words.String())
}

// TestAmounts: ParseAmount reads what String writes, and refuses everything that is not an amount.
func TestAmounts(t *testing.T) {
	t.Parallel()
	for _, a := range []wallet.Amount{0, 1, 10, wallet.XMR, 3 * wallet.XMR / 2, 123_456_789_012_345, math.MaxUint64} {
		back, err := wallet.ParseAmount(a.String())
		require.NoError(t, err)
		require.Equal(t, a, back)
	}
	for text, want := range map[string]wallet.Amount{"1": wallet.XMR, "0.5": wallet.XMR / 2, "00.000000000001": 1,
		"18446744.073709551615": math.MaxUint64} {
		a, err := wallet.ParseAmount(text)
		require.NoError(t, err)
		require.Equal(t, want, a)
	}
	require.Equal(t, "1.500000000000", (3 * wallet.XMR / 2).String())
	for _, text := range []string{"", ".", "1.", ".1", "-1", "+1", "1e3", "1,5", "1 ", " 1", "1.5 XMR", "0x1",
		"1_000", "1.0000000000001", "18446744.073709551616",
		"99999999999999999999", "１", "1.5.0", strings.Repeat("9", 1000)} {
		_, err := wallet.ParseAmount(text)
		require.ErrorIs(t, err, wallet.ErrAmount, text)
	}
}

// FuzzParseAmount: a text is refused, or is an amount that String and ParseAmount preserve.
func FuzzParseAmount(f *testing.F) {
	for _, seed := range []string{"1.5", "0", "18446744.073709551615", "1.", "-1", "٣"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		a, err := wallet.ParseAmount(text)
		if err != nil {
			require.ErrorIs(t, err, wallet.ErrAmount)
			return
		}
		back, err := wallet.ParseAmount(a.String())
		require.NoError(t, err)
		require.Equal(t, a, back)
	})
}
