package wallet_test

import (
	"context"
	"crypto/rand"
	"errors"
	"iter"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"glim/bindings/wallet"
	"glim/bindings/wallet/regtest"
	"glim/core/keys"
	"glim/core/rpc"
	"glim/core/service"
	"glim/core/walletfile"
	"glim/core/walletrpc"
)

// TestPaymentBetweenWallets creates two wallets, pays from one to the other, and closes and opens them again.
func TestPaymentBetweenWallets(t *testing.T) {
	t.Parallel()
	ctx, chain, c, m := setUp(t)
	alice := funded(t, m, chain, "alice")
	bob, err := m.CreatePolyseed(ctx, "bob", "other secret")
	require.NoError(t, err)
	order, err := bob.NewAddress(ctx, 0, "order 1")
	require.NoError(t, err)
	require.Equal(t, wallet.Address{Index: 1, Text: order.Text, Label: "order 1"}, order)
	require.NoError(t, wallet.CheckAddress(wallet.Regtest, order.Text))

	before := balance(t, alice)
	require.Equal(t, before.Total, before.Unlocked)
	to := []wallet.Destination{{Address: order.Text, Amount: 3 * wallet.XMR / 2}}
	p, err := alice.Send(ctx, wallet.Payment{To: to})
	require.NoError(t, err)
	require.Equal(t, 3*wallet.XMR/2, p.Amount)
	require.NotZero(t, p.Fee)
	require.Equal(t, to, p.To)
	require.Len(t, p.Transactions, 1)
	require.False(t, p.Confirmed())
	require.Equal(t, before, balance(t, alice), "nothing has been sent yet")
	ids, err := p.Confirm(ctx)
	require.NoError(t, err)
	require.Equal(t, p.Transactions, ids)
	require.True(t, p.Confirmed())
	require.Equal(t, before.Total-p.Amount-p.Fee, balance(t, alice).Total)

	require.Equal(t, p.Amount, balance(t, bob).Total, "the pending payment counts")
	seen, err := bob.Transfers(ctx, ids[0])
	require.NoError(t, err)
	require.Len(t, seen, 1)
	require.Equal(t, wallet.Pending, seen[0].State)
	require.Equal(t, order.Text, seen[0].Address)
	require.NoError(t, chain.Mine(ctx, regtest.Confirmations, ""))
	require.Equal(t, wallet.Balance{Total: p.Amount, Unlocked: p.Amount}, balance(t, bob))

	require.NoError(t, m.Close())
	m = newManager(t, c)
	alice, err = m.Open(ctx, "alice", "secret")
	require.NoError(t, err)
	require.Empty(t, alice.Warning())
	b, err := alice.Balance(ctx)
	require.NoError(t, err)
	require.Equal(t, before.Total-p.Amount-p.Fee, b.Total, "everything read and sent was stored")
	require.NoError(t, alice.Sync(ctx, nil))
	requireHistory(t, alice, p)
	require.NoError(t, alice.ChangePassword(ctx, "secret", "newer"))
	require.NoError(t, alice.Close())
	_, err = m.Open(ctx, "alice", "secret")
	require.ErrorIs(t, err, wallet.ErrWrongPassword)
	_, err = m.Open(ctx, "alice", "newer")
	require.NoError(t, err)
}

// TestKeysFiles: the files with which monero-wallet-rpc opens a wallet are made with it, unless NoKeysFile is set. A
// folder made with one setting opens with the other.
func TestKeysFiles(t *testing.T) {
	t.Parallel()
	ctx, _, c, _ := setUp(t)
	for _, without := range []bool{true, false, true} {
		c.NoKeysFile = without
		m := newManager(t, c)
		w, err := m.Open(ctx, "one", "secret")
		if errors.Is(err, wallet.ErrNotFound) {
			w, err = m.Create(ctx, "one", "secret")
			require.NoError(t, err)
			require.NoFileExists(t, filepath.Join(c.Folder, "one.keys"))
		}
		require.NoError(t, err)
		require.Empty(t, w.Warning())
		if !without {
			for _, name := range []string{"one", "one.keys", "one.glim"} {
				require.FileExists(t, filepath.Join(c.Folder, name))
			}
		}
		require.NoError(t, m.Close())
	}
}

// requireHistory requires that w has received 20 mining rewards and then sent p.
func requireHistory(t *testing.T, w *wallet.Wallet, p *wallet.Preview) {
	t.Helper()
	history, err := w.History(deadline(t), wallet.Filter{})
	require.NoError(t, err)
	require.Len(t, history, 21)
	last := history[20]
	require.Equal(t, p.Transactions[0], last.TxID)
	require.True(t, last.Out)
	require.Equal(t, p.To, last.To)
	require.Equal(t, p.Fee, last.Fee)
	require.EqualValues(t, regtest.Confirmations, last.Confirmations)
	for _, reward := range history[:20] {
		require.True(t, reward.Coinbase)
		require.False(t, reward.Out)
		require.Equal(t, wallet.Confirmed, reward.State)
	}
	filtered, err := w.History(deadline(t), wallet.Filter{From: last.Height, To: last.Height})
	require.NoError(t, err)
	require.Equal(t, []wallet.Transfer{last}, filtered)
}

// TestAccounts sends all money of one account to another, and from there with the fee taken from the amounts.
func TestAccounts(t *testing.T) {
	t.Parallel()
	ctx, chain, _, m := setUp(t)
	w := funded(t, m, chain, "one")
	home, b := addressOf(t, w), balance(t, w)
	savings, err := w.NewAccount(ctx, "savings")
	require.NoError(t, err)
	p, err := w.Send(ctx, wallet.Payment{To: []wallet.Destination{{Address: savings.Address}}, All: true})
	require.NoError(t, err)
	require.Equal(t, b.Total, p.Amount+p.Fee)
	require.Equal(t, p.Amount, p.To[0].Amount)
	_, err = p.Confirm(ctx)
	require.NoError(t, err)
	require.NoError(t, chain.Mine(ctx, regtest.Confirmations, ""))
	all := wallet.Balance{Total: p.Amount, Unlocked: p.Amount}
	require.Equal(t, all, balance(t, w))
	accounts, err := w.Accounts(ctx)
	require.NoError(t, err)
	require.Equal(t, []wallet.Account{
		{Index: 0, Label: "Primary account", Address: home},
		{Index: 1, Label: "savings", Address: savings.Address, Balance: all},
	}, accounts)
	p, err = w.Send(ctx, wallet.Payment{
		Account:        1,
		To:             []wallet.Destination{{home, wallet.XMR}, {savings.Address, wallet.XMR}},
		FeeFromAmounts: true,
	})
	require.NoError(t, err)
	require.Equal(t, 2*wallet.XMR, p.Amount+p.Fee)
	require.Equal(t, p.Amount, p.To[0].Amount+p.To[1].Amount)
}

// TestPost calls operations of the contract that have no method: they work, but they cannot close the wallet.
func TestPost(t *testing.T) {
	t.Parallel()
	ctx, _, _, m := setUp(t)
	w, err := m.Create(ctx, "one", "")
	require.NoError(t, err)
	version, err := rpc.Call(ctx, w, walletrpc.GetVersion, walletrpc.Empty{})
	require.NoError(t, err)
	require.NotZero(t, version.Version)
	_, err = rpc.Call(ctx, w, walletrpc.CloseWallet, walletrpc.CloseWalletRequest{})
	require.Error(t, err)
	_, err = w.Balance(ctx)
	require.NoError(t, err, "the wallet is still open")
}

// TestRestore restores a wallet from both kinds of seeds and from its keys, with and without the spend key.
func TestRestore(t *testing.T) {
	t.Parallel()
	ctx, chain, _, m := setUp(t)
	old := funded(t, m, chain, "old")
	b := balance(t, old)
	words, err := old.Seed(ctx, "")
	require.NoError(t, err)
	protected, err := old.Seed(ctx, "passphrase")
	require.NoError(t, err)
	require.NotEqual(t, string(words), string(protected))
	keys, err := old.Keys(ctx)
	require.NoError(t, err)
	for name, from := range map[string]wallet.Backup{
		"words":      wallet.Seed{Words: words},
		"passphrase": wallet.Seed{Words: protected, Passphrase: "passphrase"},
		"keys":       keys,
		"height":     wallet.Seed{Words: words, Since: wallet.Since{Height: 1}},
		"date":       wallet.Seed{Words: words, Since: wallet.Since{Date: time.Date(2015, 1, 1, 0, 0, 0, 0, time.UTC)}},
	} {
		w, err := m.Restore(ctx, name, "secret", from)
		require.NoError(t, err, name)
		require.Equal(t, addressOf(t, old), addressOf(t, w))
		require.Equal(t, b, balance(t, w), name)
		require.NoError(t, w.Close())
	}
	viewOnly, err := m.Restore(ctx, "view-only", "secret", wallet.Keys{Address: keys.Address, ViewKey: keys.ViewKey})
	require.NoError(t, err)
	require.Equal(t, b, balance(t, viewOnly))
	_, err = viewOnly.Seed(ctx, "")
	require.ErrorIs(t, err, wallet.ErrViewOnly)
	got, err := viewOnly.Keys(ctx)
	require.NoError(t, err)
	require.Equal(t, wallet.Keys{Address: keys.Address, ViewKey: keys.ViewKey}, got)
	p, err := viewOnly.Send(ctx, wallet.Payment{To: []wallet.Destination{{keys.Address, wallet.XMR}}})
	require.NoError(t, err)
	require.NotEmpty(t, p.Unsigned)
	require.Empty(t, p.Transactions)
	_, err = p.Confirm(ctx)
	require.ErrorIs(t, err, wallet.ErrUnsigned)
	require.NoError(t, p.Discard())

	polyseed, err := m.CreatePolyseed(ctx, "polyseed", "secret")
	require.NoError(t, err)
	words, err = polyseed.Seed(ctx, "")
	require.NoError(t, err)
	require.Len(t, strings.Fields(string(words)), 16)
	again, err := m.Restore(ctx, "polyseed again", "secret", wallet.Seed{Words: words})
	require.NoError(t, err)
	require.Equal(t, addressOf(t, polyseed), addressOf(t, again))

	hardware := wallet.Seed{Words: "alcohol woman abuse must during monitor noble actual mixed trade anger aisle"}
	known := map[string]bool{}
	for name, from := range map[string]wallet.Seed{
		"trezor": {Kind: "trezor"}, "second": {Kind: "trezor", Account: 1}, "ledger": {Kind: "ledger"},
	} {
		from.Words = hardware.Words
		w, err := m.Restore(ctx, name, "secret", from)
		require.NoError(t, err)
		known[addressOf(t, w)] = true
		require.NoError(t, w.Close())
	}
	require.Len(t, known, 3)

	for _, from := range []wallet.Backup{nil, wallet.Seed{}, wallet.Seed{Words: "abbey abbey"}, hardware, wallet.Keys{},
		wallet.Keys{Address: keys.Address, ViewKey: "00"},
		wallet.Keys{Address: addressOf(t, polyseed), ViewKey: keys.ViewKey}} {
		_, err := m.Restore(ctx, "none", "secret", from)
		require.ErrorIs(t, err, wallet.ErrBackup)
	}
	_, err = os.Stat(filepath.Join(t.TempDir(), "none"))
	require.ErrorIs(t, err, os.ErrNotExist)
	_, err = m.Restore(ctx, "none", "secret", keys)
	require.NoError(t, err, "the name is free after a failure")
}

// TestConfigIsChecked: NewManager refuses every wrong field, and the error names it.
func TestConfigIsChecked(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	file := filepath.Join(folder, "file")
	require.NoError(t, os.WriteFile(file, nil, 0o600))
	for want, change := range map[string]func(*wallet.Config){
		"Network":          func(c *wallet.Config) { c.Network = 9 },
		"Folder":           func(c *wallet.Config) { c.Folder = "" },
		"Folder ":          func(c *wallet.Config) { c.Folder = file },
		"Daemon.Address":   func(c *wallet.Config) { c.Daemon.Address = "" },
		"Daemon.Address ":  func(c *wallet.Config) { c.Daemon.Address = "ftp://example.org" },
		"Daemon.Proxy":     func(c *wallet.Config) { c.Daemon.Proxy = "nowhere" },
		"Daemon.TLS":       func(c *wallet.Config) { c.Daemon.TLS.CAFile = filepath.Join(folder, "missing") },
		"Sending.Address":  func(c *wallet.Config) { c.Sending.Address = c.Daemon.Address },
		"Sending.Address ": func(c *wallet.Config) { c.Sending.Address = "ftp://example.org" },
		"Sending.Proxy":    func(c *wallet.Config) { c.Sending.Proxy = "nowhere" },
		"Sending": func(c *wallet.Config) {
			c.Daemon.Address, c.Sending.Proxy, c.Transport = "", "127.0.0.1:1", stuck(nil)
		},
		"Offline":   func(c *wallet.Config) { c.Offline = true },
		"Transport": func(c *wallet.Config) { c.Transport = stuck(nil) },
		"Refresh":   func(c *wallet.Config) { c.Refresh = time.Millisecond },
		"Workers":   func(c *wallet.Config) { c.Workers = -1 },
		"Accounts":  func(c *wallet.Config) { c.Accounts = -1 },
		"Addresses": func(c *wallet.Config) { c.Addresses = 2_000_000 },
	} {
		c := wallet.Config{Network: wallet.Stagenet, Folder: filepath.Join(folder, "new"),
			Daemon: wallet.Daemon{Address: "node.example:38081"}}
		change(&c)
		_, err := wallet.NewManager(c)
		var wrong *wallet.ConfigError
		require.ErrorAs(t, err, &wrong, want)
		require.Equal(t, strings.TrimSpace(want), wrong.Field)
		require.Contains(t, err.Error(), "Config."+wrong.Field+": ")
	}
	m, err := wallet.NewManager(wallet.Config{Folder: filepath.Join(folder, "new", "er"),
		Daemon: wallet.Daemon{Address: "node.example"}})
	require.NoError(t, err)
	require.NoError(t, m.Close())
	info, err := os.Stat(filepath.Join(folder, "new", "er"))
	require.NoError(t, err)
	require.EqualValues(t, 0o700, info.Mode().Perm())
}

// TestConstants compares constants of this package with those of the engine.
func TestConstants(t *testing.T) {
	require.Equal(t, service.NewEventsOnly, wallet.FromNow)
	require.Equal(t, service.DefaultAutoRefresh, wallet.DefaultRefresh)
}

// requireKind requires that err is an *Error of a kind, and that its text starts with the operation and the kind.
func requireKind(t *testing.T, kind, err error) {
	t.Helper()
	require.ErrorIs(t, err, kind)
	var e *wallet.Error
	require.ErrorAs(t, err, &e)
	require.Equal(t, kind, e.Kind)
	require.True(t, strings.HasPrefix(err.Error(), "wallet: "+e.Op+": "+kind.Error()), "%v", err)
}

// TestErrorKindsOfOpening provokes each failure to open or create a wallet.
func TestErrorKindsOfOpening(t *testing.T) {
	t.Parallel()
	ctx, _, c, m := setUp(t)
	w, err := m.Create(ctx, "one", "secret")
	require.NoError(t, err)
	_, err = m.Open(ctx, "one", "secret")
	requireKind(t, wallet.ErrInUse, err)
	other := newManager(t, c)
	_, err = other.Open(ctx, "one", "secret")
	requireKind(t, wallet.ErrInUse, err)
	_, err = other.Create(ctx, "one", "secret")
	requireKind(t, wallet.ErrExists, err)
	_, err = m.Open(ctx, "two", "")
	requireKind(t, wallet.ErrNotFound, err)
	for _, name := range []string{"", "a/b", `a\b`, "..", ".hidden", "one.keys", "one.GLIM", "con"} {
		_, err = m.Create(ctx, name, "")
		requireKind(t, wallet.ErrName, err)
	}
	requireDamagedFiles(t, m, c)
	stagenet := c
	stagenet.Network = wallet.Stagenet
	require.NoError(t, w.Close())
	_, err = newManager(t, stagenet).Open(ctx, "one", "secret")
	requireKind(t, wallet.ErrNetwork, err)
	w, err = m.Open(ctx, "one", "secret")
	require.NoError(t, err)
	require.ErrorIs(t, w.ChangePassword(ctx, "wrong", "x"), wallet.ErrWrongPassword)
}

// requireDamagedFiles writes a damaged cache, first alone and then with a keys file, and opens the wallet.
func requireDamagedFiles(t *testing.T, m *wallet.Manager, c wallet.Config) {
	t.Helper()
	ctx := deadline(t)
	require.NoError(t, os.WriteFile(filepath.Join(c.Folder, "torn"), []byte("not a wallet"), 0o600))
	_, err := m.Open(ctx, "torn", "")
	requireKind(t, wallet.ErrDamaged, err)
	k, err := keys.FromSeed([32]byte{1})
	require.NoError(t, err)
	keysFile, err := walletfile.Seal(&walletfile.Wallet{Keys: k}, nil, walletfile.Rounds, rand.Reader)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(filepath.Join(c.Folder, "torn.keys"), keysFile, 0o600))
	_, err = m.Open(ctx, "torn", "")
	requireKind(t, wallet.ErrCache, err)
	c.WithoutCache = true
	without := newManager(t, c)
	_, err = without.Open(ctx, "torn", "")
	require.NoError(t, err)
	require.NoError(t, without.Close())
}

// TestErrorKindsOfPayments provokes each failure of payments and of what a wallet is asked for.
func TestErrorKindsOfPayments(t *testing.T) {
	t.Parallel()
	ctx, chain, _, m := setUp(t)
	w := funded(t, m, chain, "one")
	home, b := addressOf(t, w), balance(t, w)
	send := func(p wallet.Payment) error {
		_, err := w.Send(ctx, p)
		return err
	}
	to := func(amount wallet.Amount) []wallet.Destination {
		return []wallet.Destination{{Address: home, Amount: amount}}
	}
	requireKind(t, wallet.ErrNotEnoughMoney, send(wallet.Payment{To: to(b.Total + 1)}))
	requireKind(t, wallet.ErrNotEnoughMoney, send(wallet.Payment{To: to(b.Total)})) // nothing is left for the fee
	requireKind(t, wallet.ErrAddress, send(wallet.Payment{To: []wallet.Destination{{"4bad", 1}}}))
	requireKind(t, wallet.ErrPayment, send(wallet.Payment{}))
	requireKind(t, wallet.ErrPayment, send(wallet.Payment{To: to(0)}))
	requireKind(t, wallet.ErrPayment, send(wallet.Payment{To: to(1), All: true}))
	requireKind(t, wallet.ErrPayment, send(wallet.Payment{To: to(1), Priority: 9}))
	requireKind(t, wallet.ErrNotEnoughMoney, send(wallet.Payment{To: to(1), Account: 1}))
	requireKind(t, wallet.ErrAddress, wallet.CheckAddress(wallet.Stagenet, home))
	var code *rpc.Error
	require.ErrorAs(t, send(wallet.Payment{}), &code, "the error of the contract is included")
	require.Equal(t, walletrpc.CodeZeroDestination, code.Code)
	_, err := w.NewAddress(ctx, 7, "")
	requireKind(t, wallet.ErrNotFound, err)
	_, err = w.Transfers(ctx, strings.Repeat("0", 64))
	requireKind(t, wallet.ErrNotFound, err)
	_, err = w.Transfers(ctx, "x")
	requireKind(t, wallet.ErrNotFound, err)

	require.NoError(t, chain.Mine(ctx, 1, home))
	withReward := balance(t, w)
	requireKind(t, wallet.ErrMoneyLocked, send(wallet.Payment{To: to(withReward.Total - wallet.XMR)}))

	// A payment from chosen outputs spends no others.
	requireKind(t, wallet.ErrPayment, send(wallet.Payment{To: to(1), KeyImages: []string{"x"}}))
	requireKind(t, wallet.ErrPayment, send(wallet.Payment{To: to(1), ChangeOutputs: 16}))
	requireKind(t, wallet.ErrPayment, send(wallet.Payment{To: to(1), ChangeOutputs: -1}))
	unknown := []string{strings.Repeat("ab", 32)}
	requireKind(t, wallet.ErrPayment, send(wallet.Payment{To: to(1), KeyImages: unknown}))
	requireKind(t, wallet.ErrPayment, send(wallet.Payment{To: to(0), All: true, KeyImages: unknown}))
	requireKind(t, wallet.ErrPayment, send(wallet.Payment{To: to(1), FeeFromAmounts: true, KeyImages: unknown}))

	// Accounts that are kept apart, and what a payment reveals.
	rent, err := w.NewAccount(ctx, "rent")
	require.NoError(t, err)
	_, err = rpc.Call(ctx, w, walletrpc.SetSeparateAccounts, walletrpc.SetSeparateAccountsRequest{
		Groups: []walletrpc.AccountGroup{{Accounts: []uint32{1}}}})
	require.NoError(t, err)
	apart := wallet.Payment{To: []wallet.Destination{{rent.Address, wallet.XMR}}}
	requireKind(t, wallet.ErrPayment, send(apart))
	apart.AllowLinks = true
	allowed, err := w.Send(ctx, apart)
	require.NoError(t, err)
	links, err := allowed.Links(ctx)
	require.NoError(t, err)
	require.Equal(t, "separate_accounts", links[0].Kind)
	require.Equal(t, rent.Address, links[0].Recipient)
	require.NotEmpty(t, links[0].Text)
	_, err = new(wallet.Preview).Links(ctx)
	requireKind(t, wallet.ErrPayment, err)

	// Two previews spend the same money; only one can be confirmed.
	first, err := w.Send(ctx, wallet.Payment{To: to(b.Unlocked - wallet.XMR)})
	require.NoError(t, err)
	second, err := w.Send(ctx, wallet.Payment{To: to(b.Unlocked - wallet.XMR)})
	require.NoError(t, err)
	_, err = first.Confirm(ctx)
	require.NoError(t, err)
	_, err = second.Confirm(ctx)
	requireKind(t, wallet.ErrSpent, err)
	requireKind(t, wallet.ErrConfirmed, first.Discard())
}

// TestErrorKindsWithoutDaemon uses wallets with a daemon that is unreachable, and with none.
func TestErrorKindsWithoutDaemon(t *testing.T) {
	t.Parallel()
	ctx := deadline(t)
	c := config(t, nil)
	c.Transport, c.Daemon.Address = nil, "127.0.0.1:1"
	w, err := newManager(t, c).Create(ctx, "one", "")
	require.NoError(t, err, "creating a wallet needs no daemon")
	err = w.Sync(ctx, nil)
	requireKind(t, wallet.ErrDaemon, err)
	require.Contains(t, err.Error(), "127.0.0.1:1", "the error names the daemon")
	c.Daemon.Address, c.Offline = "", true
	offline, err := newManager(t, c).Open(ctx, "one", "")
	requireKind(t, wallet.ErrInUse, err)
	require.Nil(t, offline)
	require.NoError(t, w.Close())
	offline, err = newManager(t, c).Open(ctx, "one", "")
	require.NoError(t, err)
	requireKind(t, wallet.ErrDaemon, offline.Sync(ctx, nil))
	_, err = offline.Send(ctx, wallet.Payment{})
	var code *rpc.Error
	require.ErrorAs(t, err, &code, "the error of the contract is included")
	require.Equal(t, walletrpc.CodeZeroDestination, code.Code)
}

// TestUseAfterClose calls every method of a closed wallet, of its previews and of its manager.
func TestUseAfterClose(t *testing.T) {
	t.Parallel()
	ctx, chain, _, m := setUp(t)
	w := funded(t, m, chain, "one")
	p, err := w.Send(ctx, wallet.Payment{To: []wallet.Destination{{addressOf(t, w), 1}}})
	require.NoError(t, err)
	events := w.Events(ctx, wallet.FromNow)
	require.NoError(t, w.Close())
	require.NoError(t, w.Close(), "a wallet may be closed twice")
	for _, list := range []iter.Seq2[wallet.Event, error]{events, w.Events(ctx, wallet.FromStart)} {
		var last error
		for _, last = range list {
		}
		require.ErrorIs(t, last, wallet.ErrClosed)
	}
	_, err = p.Confirm(ctx)
	require.ErrorIs(t, err, wallet.ErrClosed)
	require.NoError(t, m.Close())
	require.NoError(t, m.Close())
	called := 0
	for _, object := range []any{w, m} {
		v := reflect.ValueOf(object)
		for i := range v.NumMethod() {
			method, name := v.Method(i), v.Type().Method(i).Name
			kind := method.Type()
			if kind.NumIn() == 0 || kind.In(0) != reflect.TypeFor[context.Context]() ||
				kind.Out(kind.NumOut()-1) != reflect.TypeFor[error]() {
				continue
			}
			in := []reflect.Value{reflect.ValueOf(ctx)}
			for j := 1; j < kind.NumIn(); j++ {
				switch kind.In(j).Kind() {
				case reflect.String:
					in = append(in, reflect.ValueOf("one"))
				case reflect.Interface:
					in = append(in, reflect.ValueOf(wallet.Seed{}))
				default:
					in = append(in, reflect.Zero(kind.In(j)))
				}
			}
			out := method.Call(in)
			err, _ := out[len(out)-1].Interface().(error)
			require.ErrorIs(t, err, wallet.ErrClosed, name)
			called++
		}
	}
	require.Greater(t, called, 15)
}

// stuck is a connection to a daemon that does not respond until the channel is closed, even if contexts end.
type stuck chan struct{}

func (s stuck) Post(context.Context, string, []byte) ([]byte, error) {
	<-s
	return nil, errors.New("released")
}

// TestCancelled: a call whose context ends returns although the daemon does not respond. A wallet that opens after its
// caller has gone is closed.
func TestCancelled(t *testing.T) {
	t.Parallel()
	hold := make(stuck)
	var once sync.Once
	release := func() { once.Do(func() { close(hold) }) }
	t.Cleanup(release) // runs before the managers are closed, which wait for their tasks
	c := config(t, nil)
	c.Transport = hold
	m, err := wallet.NewManager(c)
	require.NoError(t, err)
	offline := c
	offline.Transport, offline.Offline = nil, true
	made := newManager(t, offline)
	w, err := made.Create(deadline(t), "one", "")
	require.NoError(t, err)
	home := addressOf(t, w)
	require.NoError(t, made.Close())
	w, err = m.Open(deadline(t), "one", "")
	require.NoError(t, err)

	for name, f := range map[string]func(context.Context) error{
		"sync":     func(ctx context.Context) error { return w.Sync(ctx, nil) },
		"progress": func(ctx context.Context) error { return w.Sync(ctx, func(wallet.Progress) {}) },
		"send": func(ctx context.Context) error {
			_, err := w.Send(ctx, wallet.Payment{To: []wallet.Destination{{home, 1}}})
			return err
		},
		"create": func(ctx context.Context) error { _, err := m.Create(ctx, "two", ""); return err },
		"events": func(ctx context.Context) error {
			for e, err := range w.Events(ctx, wallet.FromNow) {
				if err != nil {
					return err
				}
				_ = e
			}
			return nil
		},
	} {
		ctx, cancel := context.WithCancelCause(deadline(t))
		got := make(chan error)
		go func() { got <- f(ctx) }()
		time.AfterFunc(10*time.Millisecond, func() { cancel(errors.New("enough")) })
		require.ErrorIs(t, <-got, context.Canceled, name) // a call that does not return ends with the test's deadline
		require.ErrorIs(t, f(ctx), context.Canceled, "with an ended context: "+name)
	}
	release()
	// The name becomes free again, with or without a wallet.
	require.Eventually(t, func() bool {
		w, err := m.Open(deadline(t), "two", "")
		if errors.Is(err, wallet.ErrNotFound) {
			w, err = m.Create(deadline(t), "two", "")
		}
		return err == nil && w.Close() == nil
	}, patience, time.Millisecond)
	require.NoError(t, m.Close())
}

// TestCloseEndsAllGoroutines closes managers in the middle of operations: no goroutine remains.
func TestCloseEndsAllGoroutines(t *testing.T) { // not parallel, because it inspects all goroutines
	chain := newChain(t)
	c := config(t, chain)
	c.Refresh = time.Second
	before := engineGoroutines()
	for range 3 {
		ctx, m := deadline(t), newManager(t, c)
		w, err := m.Open(ctx, "one", "secret")
		if errors.Is(err, wallet.ErrNotFound) {
			w, err = m.Create(ctx, "one", "secret")
		}
		require.NoError(t, err)
		require.NoError(t, chain.Mine(ctx, 20, addressOf(t, w)))
		var group sync.WaitGroup
		begun := make(chan struct{}, 1)
		group.Go(func() { _ = w.Sync(ctx, func(wallet.Progress) {}) })
		group.Go(func() {
			for _, err := range w.Events(ctx, wallet.FromStart) {
				select {
				case begun <- struct{}{}:
				default:
				}
				if err != nil {
					return
				}
			}
		})
		<-begun
		require.NoError(t, m.Close())
		group.Wait()
		ended := func() bool { return len(engineGoroutines()) <= len(before) }
		require.Eventually(t, ended, patience, time.Millisecond, "%v", engineGoroutines())
	}
}

// engineGoroutines returns the stacks of the goroutines that run code of the engine.
func engineGoroutines() (list []string) {
	all := make([]byte, 4<<20)
	for _, g := range strings.Split(string(all[:runtime.Stack(all, true)]), "\n\n") {
		if strings.Contains(g, "glim/core/service.") || strings.Contains(g, "glim/core/session.") ||
			strings.Contains(g, "glim/bindings/wallet.") {
			list = append(list, g)
		}
	}
	return list
}

// TestSyncReportsProgress: Sync calls progress while it reads blocks and at the end, with rising heights, and never
// after it has returned.
func TestSyncReportsProgress(t *testing.T) {
	t.Parallel()
	ctx, chain, _, m := setUp(t)
	w, err := m.Create(ctx, "one", "")
	require.NoError(t, err)
	require.NoError(t, chain.Mine(ctx, 100, ""))
	var over atomic.Bool
	var reported []wallet.Progress
	require.NoError(t, w.Sync(ctx, func(p wallet.Progress) {
		require.False(t, over.Load())
		reported = append(reported, p)
	}))
	over.Store(true)
	require.NotEmpty(t, reported)
	require.Equal(t, wallet.Progress{Height: 101, Target: 101}, reported[len(reported)-1])
	for i := range reported[1:] {
		require.LessOrEqual(t, reported[i].Height, reported[i+1].Height)
	}
	require.Equal(t, wallet.Progress{Height: 101, Target: 101}, w.Progress())
}
