package terminal

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"glim/bindings/wallet"
	"glim/core/address"
	"glim/core/xmr"
)

// TestPayments pays and sweeps between two wallets, as a script does.
func TestPayments(t *testing.T) {
	s := newStage(t)
	alice, bob := s.create(t, "alice"), s.create(t, "bob")
	require.Equal(t, "alice\nbob\n", s.must(t, "", "list"))
	s.fund(t, alice)

	// A preview sends nothing, and keeps the balance. A payment with a key is made once.
	pay := "transfer " + bob + " 1.5"
	once := pay + " --yes --priority elevated --idempotency-key 'order 1'"
	of := s.objects(t, "alice", "balance", pay+" --do-not-relay", "balance", once, once)
	balance, preview, sent, again := of[0], of[1], of[3], of[4]
	require.Equal(t, balance, of[2])
	require.EqualValues(t, 81, balance["height"])
	total, err := wallet.ParseAmount(balance["total"].(string))
	require.NoError(t, err)
	require.Greater(t, total, 600*wallet.XMR)
	require.Equal(t, balance["total"], balance["unlocked"])
	require.Len(t, balance["accounts"], 1)
	require.Equal(t, false, preview["sent"])
	require.Equal(t, "1.500000000000", preview["amount"])
	require.Equal(t, true, sent["sent"])
	require.Equal(t, false, sent["repeated"])
	require.Equal(t, []any{map[string]any{"address": bob, "amount": "1.500000000000"}}, sent["to"])
	require.Equal(t, sum(t, "1.5", sent["fee"].(string)), sent["total"])
	require.Len(t, sent["txids"], 1)
	require.Equal(t, true, again["repeated"])
	require.Equal(t, sent["txids"], again["txids"])
	require.Equal(t, sent["left"], again["left"])
	s.mine(t, 10)

	// Without a terminal nothing is sent unless --yes is given.
	message := s.fails(t, exitNotConfirmed, "NotConfirmed", "secret\ny\n", "transfer", "alice", bob, "1")
	require.Contains(t, message, "--yes")

	// Sweeping sends all but the fee.
	of = s.objects(t, "bob", "history", "sweep "+alice+" --yes", "balance --no-refresh")
	swept := of[1]
	history := of[0]["transfers"].([]any)
	require.Len(t, history, 1)
	received := history[0].(map[string]any)
	require.Equal(t, sent["txids"].([]any)[0], received["txid"])
	require.Equal(t, []any{"in", "confirmed", "1.500000000000", bob}, []any{received["type"], received["state"],
		received["amount"], received["address"]})
	require.Equal(t, "1.500000000000", swept["total"])
	require.Equal(t, "0.000000000000", swept["left"])
	require.Equal(t, "1.500000000000", sum(t, swept["amount"].(string), swept["fee"].(string)))
	require.Equal(t, "0.000000000000", of[2]["total"])
	text := s.session(t, "alice", "history --limit 2")
	require.Contains(t, text, sent["txids"].([]any)[0])
	require.Contains(t, text, swept["txids"].([]any)[0])
	require.Contains(t, text, "20 earlier ones are left out")

	// Bob has nothing left.
	s.fails(t, exitMoney, "NotEnoughMoney", "secret\n", "transfer", "bob", alice, "3", "--yes")
	s.fails(t, exitUsage, "Usage", "secret\n", "transfer", "bob", alice, "3", "--yes", "--offline")
}

// sum returns the sum of two amounts in XMR.
func sum(t *testing.T, a, b string) string {
	t.Helper()
	x, err := wallet.ParseAmount(a)
	require.NoError(t, err)
	y, err := wallet.ParseAmount(b)
	require.NoError(t, err)
	return (x + y).String()
}

// TestRestore restores wallets from everything that they can be restored from.
func TestRestore(t *testing.T) {
	s := newStage(t)
	a := s.create(t, "alice")
	of := s.objects(t, "alice", "seed\nsecret", "keys --spend-key\nsecret",
		"seed --seed-passphrase\nsecret\npassphrase")
	words, offset := of[0]["seed"].(string), of[2]["seed"].(string)
	require.Len(t, strings.Fields(words), 25)
	view, spend := of[1]["view_key"].(string), of[1]["spend_key"].(string)
	require.Equal(t, a, of[1]["address"])
	require.NotEqual(t, words, offset)
	_, err := s.daemon.Chain.Mine(t.Context(), 3, a)
	require.NoError(t, err)

	for name, c := range map[string]struct {
		input string
		flags []string
	}{
		"words":     {words + "\nsecret\n", []string{"--height", "2"}},
		"offset":    {offset + "\npassphrase\nsecret\n", []string{"--seed-passphrase"}},
		"spend":     {spend + "\n\nsecret\n", []string{"--keys"}},
		"both":      {spend + "\n" + view + "\nsecret\n", []string{"--keys", "--date", "2014-04-18"}},
		"view-only": {view + "\nsecret\n", []string{"--view-only", "--address", a}},
	} {
		made := s.object(t, c.input, append([]string{"restore", name}, c.flags...)...)
		require.Equal(t, a, made["address"], name)
	}
	seen := func(name string) int { return len(s.object(t, "secret\n", "history", name)["transfers"].([]any)) }
	require.Equal(t, []int{2, 3}, []int{seen("words"), seen("both")}, "blocks before --height are not read")
	status := s.object(t, "secret\n", "refresh", "view-only")
	require.Equal(t, map[string]any{"name": "view-only", "network": "regtest", "height": 4.0, "view_only": true},
		status)
	s.fails(t, exitOther, "ViewOnly", "secret\n", "keys", "view-only", "--spend-key")
	s.fails(t, exitOther, "ViewOnly", "secret\n", "seed", "view-only")

	made := s.object(t, "secret\n", "create", "poly", "--polyseed")
	words = s.object(t, "secret\n", "seed", "poly")["seed"].(string)
	require.Len(t, strings.Fields(words), 16)
	require.Equal(t, made["address"], s.object(t, words+"\nsecret\n", "restore", "poly2")["address"])

	// Seeds of other wallets. Source of the addresses: core/walletseed/testdata.
	phrase := strings.Repeat("abandon ", 11) + "about\nsecret\n"
	other := []string{"restore", "device"}
	s.fails(t, exitWallet, "InvalidSeed", phrase, other...)
	s.fails(t, exitUsage, "Usage", phrase, append(other, "--json", "--seed-type", "paper")...)
	s.fails(t, exitUsage, "Usage", phrase, append(other, "--seed-account", "1")...)
	s.fails(t, exitUsage, "Usage", phrase, append(other, "--seed-type", "trezor", "--keys")...)
	made = s.object(t, phrase, append(other, "--seed-type", "trezor", "--seed-account", "1")...)
	require.Equal(t, "43gVG8hoX8UL6wMn3Eai9dQVdP6BfQXiuSB5TqNBfHvPW5VUmx9WXV2Vnfta9b2S4v6gZwbsGF3MJ48JWh3pgnXSQQ3NhiL",
		made["address"])

	wrong := strings.Fields(words)
	wrong[3] = "xylophones"
	message := s.fails(t, exitWallet, "InvalidSeed", strings.Join(wrong, " ")+"\nsecret\n", "restore", "new")
	require.Contains(t, message, "unknown word, at word 4")
	require.NotContains(t, message, wrong[3])
	require.NotContains(t, message, strings.Join(wrong[:3], " "), "one word alone may be part of the message")
	message = s.fails(t, exitWallet, "InvalidSeed", spend[1:]+"\n\nsecret\n", "restore", "new", "--keys")
	require.NotContains(t, message, spend[1:10])
	s.fails(t, exitWallet, "InvalidSeed", spend+"\n"+strings.Repeat("f", 64)+"\nsecret\n", "restore", "new", "--keys")
	require.NotContains(t, s.must(t, "", "list"), "new")
}

// TestPassword changes a password.
func TestPassword(t *testing.T) {
	s := newStage(t)
	s.create(t, "alice")
	s.must(t, "secret\nbetter\n", "password", "alice")
	s.fails(t, exitPassword, "WrongPassword", "secret\n", "status", "alice")
	s.must(t, "", "password", "alice", "--password-file", passwordFile(t, "better"), "--new-password-file",
		passwordFile(t, "best"))
	require.Contains(t, s.must(t, "best\n", "status", "alice"), "alice is a wallet on regtest")
}

// TestAddresses makes accounts, addresses and payment links.
func TestAddresses(t *testing.T) {
	s := newStage(t)
	a := s.create(t, "alice")
	of := s.objects(t, "alice", "address --new --label shop", "accounts --new --label \"rent \x1b[2J\"", "accounts")
	second := of[0]["addresses"].([]any)[0].(map[string]any)
	require.Equal(t, []any{1.0, "shop", false}, []any{second["index"], second["label"], second["used"]})
	text := second["address"].(string)
	parsed, err := address.ParseFor(xmr.Regtest, text)
	require.NoError(t, err)
	require.Equal(t, address.Subaddress, parsed.Kind)
	require.Equal(t, 1.0, of[1]["index"])
	require.Len(t, of[2]["accounts"], 2)

	uri := "monero:" + text + "?tx_amount=0.250000000000"
	shown := s.session(t, "alice", "address", "accounts", "address --index 1 --amount 0.25 --qr")
	require.Contains(t, shown, a)
	require.Contains(t, shown, "rent \ufffd[2J", "a label does not control the terminal")
	require.Contains(t, shown, "\n"+uri+"\n")
	require.Equal(t, uri, readQRCode(t, shown))
	require.Equal(t, a+"\n", s.must(t, "secret\n", "address", "alice", "--index", "0"))
	s.fails(t, exitUsage, "Usage", "secret\n", "address", "alice", "--index", "2")
	s.fails(t, exitUsage, "Usage", "secret\n", "transfer", "alice", uri, "--yes", "--account", "7")
	s.fails(t, exitMoney, "NotEnoughMoney", "secret\n", "transfer", "alice", uri, "--yes")
}

// TestExitCodes checks the failures that other tests do not show.
func TestExitCodes(t *testing.T) {
	s := newStage(t)
	a := s.create(t, "alice")
	message := s.fails(t, exitWallet, "NotFound", "", "balance", "bob")
	require.Contains(t, message, s.dir)
	s.fails(t, exitWallet, "Exists", "", "create", "alice")
	s.fails(t, exitPassword, "NoPassword", "", "balance", "alice")
	s.fails(t, exitPassword, "WrongPassword", "wrong\n", "balance", "alice")
	s.fails(t, exitUsage, "Usage", "", "balance")
	s.fails(t, exitUsage, "Usage", "", "balance", "alice", "bob")
	s.fails(t, exitUsage, "Usage", "", "balance", "alice", "--password-file", "missing")
	s.fails(t, exitUsage, "Usage", "secret\n", "transfer", "alice", a, "0", "--yes")
	s.fails(t, exitUsage, "Usage", "secret\n", "transfer", "alice", a, "1", a, "--yes")
	s.fails(t, exitNetwork, "InvalidAddress", "secret\n", "sweep", "alice", a[1:], "--yes")
	other, err := address.Parse(a)
	require.NoError(t, err)
	other.Network = xmr.Stagenet
	message = s.fails(t, exitNetwork, "WrongNetwork", "secret\n", "sweep", "alice", other.String(), "--yes")
	require.Contains(t, message, "stagenet")

	// A daemon that does not answer, and one of another network.
	s.must(t, "secret\n", "create", "stage", "--offline", "--stagenet")
	ours := s.daemon.URL
	s.daemon.URL = "127.0.0.1:1"
	message = s.fails(t, exitDaemon, "Daemon", "secret\n", "balance", "alice")
	require.Contains(t, message, "--daemon-address")
	require.Contains(t, s.must(t, "secret\n", "balance", "alice", "--no-refresh"), "Balance: 0.00 XMR")
	s.daemon.URL = ours
	for _, line := range [][]string{{"status", "alice", "--stagenet"}, {"balance", "stage", "--stagenet"}} {
		s.fails(t, exitNetwork, "WrongNetwork", "secret\n", line...)
	}

	// Values of flags are not printed, because they can be parts of secrets.
	code, out, text := s.run(t, "", "balance", "alice", "--password", "hunter2")
	require.Equal(t, exitUsage, code)
	require.NotContains(t, out+text, "hunter2")
	code, out, text = s.run(t, "", "restore", "bob", "--seed=abbey abducts")
	require.Equal(t, exitUsage, code)
	require.NotContains(t, out+text, "abbey")
	code, _, text = s.run(t, "", "balanced")
	require.Equal(t, exitUsage, code)
	require.Contains(t, text, "unknown command balanced")
}
