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

// TestStory: two wallets are made, one pays the other, all is closed and opened again.
func TestStory(t *testing.T) {
	t.Parallel()
	ctx, chain := deadline(t), newChain(t)
	c := config(t, chain)
	m := newManager(t, c)
	alice := rich(t, m, chain, "alice")
	bob, err := m.CreatePolyseed(ctx, "bob", "other secret")
	require.NoError(t, err)
	order, err := bob.NewAddress(ctx, 0, "order 1")
	require.NoError(t, err)
	require.Equal(t, wallet.Address{Index: 1, Text: order.Text, Label: "order 1"}, order)
	require.NoError(t, wallet.CheckAddress(wallet.Regtest, order.Text))

	before := balance(t, alice)
	require.Equal(t, before.Total, before.Unlocked)
	p, err := alice.Send(ctx, wallet.Payment{To: []wallet.Destination{{Address: order.Text,
		Amount: 3 * wallet.XMR / 2}}})
	require.NoError(t, err)
	require.Equal(t, 3*wallet.XMR/2, p.Amount)
	require.NotZero(t, p.Fee)
	require.Equal(t, []wallet.Destination{{Address: order.Text, Amount: p.Amount}}, p.To)
	require.Len(t, p.Transactions, 1)
	require.False(t, p.Confirmed())
	require.Equal(t, before, balance(t, alice), "nothing is sent yet")
	ids, err := p.Confirm(ctx)
	require.NoError(t, err)
	require.Equal(t, p.Transactions, ids)
	require.True(t, p.Confirmed())
	require.Equal(t, before.Total-p.Amount-p.Fee, balance(t, alice).Total)

	require.Equal(t, p.Amount, balance(t, bob).Total, "on its way")
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
	require.Equal(t, before.Total-p.Amount-p.Fee, b.Total, "what was read and sent is kept")
	require.NoError(t, alice.Sync(ctx, nil))
	history, err := alice.History(ctx, wallet.Filter{})
	require.NoError(t, err)
	require.Len(t, history, 21)
	last := history[20]
	b, err = alice.Balance(ctx)
	require.NoError(t, err)
	require.Equal(t, ids[0], last.TxID)
	require.True(t, last.Out)
	require.Equal(t, []wallet.Destination{{Address: order.Text, Amount: p.Amount}}, last.To)
	require.Equal(t, p.Fee, last.Fee)
	require.EqualValues(t, regtest.Confirmations, last.Confirmations)
	for _, reward := range history[:20] {
		require.True(t, reward.Coinbase)
		require.False(t, reward.Out)
		require.Equal(t, wallet.Confirmed, reward.State)
	}
	some, err := alice.History(ctx, wallet.Filter{From: last.Height, To: last.Height})
	require.NoError(t, err)
	require.Equal(t, []wallet.Transfer{last}, some)
	require.NoError(t, alice.ChangePassword(ctx, "secret", "newer"))
	require.NoError(t, alice.Close())
	_, err = m.Open(ctx, "alice", "secret")
	require.ErrorIs(t, err, wallet.ErrWrongPassword)
	alice, err = m.Open(ctx, "alice", "newer")
	require.NoError(t, err)

	// Accounts, and all the rest to one of them.
	savings, err := alice.NewAccount(ctx, "savings")
	require.NoError(t, err)
	p, err = alice.Send(ctx, wallet.Payment{To: []wallet.Destination{{Address: savings.Address}}, All: true})
	require.NoError(t, err)
	require.Equal(t, b.Total, p.Amount+p.Fee)
	require.Equal(t, p.Amount, p.To[0].Amount)
	_, err = p.Confirm(ctx)
	require.NoError(t, err)
	require.NoError(t, chain.Mine(ctx, regtest.Confirmations, ""))
	require.Equal(t, wallet.Balance{Total: p.Amount, Unlocked: p.Amount}, balance(t, alice))
	accounts, err := alice.Accounts(ctx)
	require.NoError(t, err)
	require.Equal(t, []wallet.Account{
		{Index: 0, Label: "Primary account", Address: addressOf(t, alice)},
		{Index: 1, Label: "savings", Address: savings.Address,
			Balance: wallet.Balance{Total: p.Amount, Unlocked: p.Amount}},
	}, accounts)
	p, err = alice.Send(ctx, wallet.Payment{Account: 1, To: []wallet.Destination{{order.Text, wallet.XMR},
		{savings.Address, wallet.XMR}}, FeeFromAmounts: true})
	require.NoError(t, err)
	require.Equal(t, 2*wallet.XMR, p.Amount+p.Fee)
	require.Equal(t, p.Amount, p.To[0].Amount+p.To[1].Amount)

	// What has no method here is there by the contract.
	version, err := rpc.Call(ctx, alice, walletrpc.GetVersion, walletrpc.Empty{})
	require.NoError(t, err)
	require.NotZero(t, version.Version)
	_, err = rpc.Call(ctx, alice, walletrpc.CloseWallet, walletrpc.CloseWalletRequest{})
	require.Error(t, err)
	_, err = alice.Balance(ctx)
	require.NoError(t, err, "it is still open")
}

// TestRestore: a wallet comes back from its words of either kind, from its keys, and as one that only sees.
func TestRestore(t *testing.T) {
	t.Parallel()
	ctx, chain := deadline(t), newChain(t)
	m := newManager(t, config(t, chain))
	old := rich(t, m, chain, "old")
	b := balance(t, old)
	words, err := old.Seed(ctx, "")
	require.NoError(t, err)
	covered, err := old.Seed(ctx, "passphrase")
	require.NoError(t, err)
	require.NotEqual(t, string(words), string(covered))
	keys, err := old.Keys(ctx)
	require.NoError(t, err)
	for name, from := range map[string]wallet.Backup{
		"words": wallet.Seed{Words: words}, "covered": wallet.Seed{Words: covered,
			Passphrase: "passphrase"}, "keys": keys,
		"height": wallet.Seed{Words: words, Since: wallet.Since{Height: 1}},
		"date":   wallet.Seed{Words: words, Since: wallet.Since{Date: time.Date(2015, 1, 1, 0, 0, 0, 0, time.UTC)}},
	} {
		w, err := m.Restore(ctx, name, "secret", from)
		require.NoError(t, err, name)
		require.Equal(t, addressOf(t, old), addressOf(t, w))
		require.Equal(t, b, balance(t, w), name)
		require.NoError(t, w.Close())
	}
	seen, err := m.Restore(ctx, "view-only", "secret", wallet.Keys{Address: keys.Address, ViewKey: keys.ViewKey})
	require.NoError(t, err)
	require.Equal(t, b, balance(t, seen))
	_, err = seen.Seed(ctx, "")
	require.ErrorIs(t, err, wallet.ErrViewOnly)
	own, err := seen.Keys(ctx)
	require.NoError(t, err)
	require.Equal(t, wallet.Keys{Address: keys.Address, ViewKey: keys.ViewKey}, own)
	p, err := seen.Send(ctx, wallet.Payment{To: []wallet.Destination{{keys.Address, wallet.XMR}}})
	require.NoError(t, err)
	require.NotEmpty(t, p.Unsigned)
	require.Empty(t, p.Transactions)
	_, err = p.Confirm(ctx)
	require.ErrorIs(t, err, wallet.ErrUnsigned)
	require.NoError(t, p.Discard())

	sixteen, err := m.CreatePolyseed(ctx, "sixteen", "secret")
	require.NoError(t, err)
	words, err = sixteen.Seed(ctx, "")
	require.NoError(t, err)
	require.Len(t, strings.Fields(string(words)), 16)
	again, err := m.Restore(ctx, "sixteen again", "secret", wallet.Seed{Words: words})
	require.NoError(t, err)
	require.Equal(t, addressOf(t, sixteen), addressOf(t, again))

	for _, from := range []wallet.Backup{nil, wallet.Seed{}, wallet.Seed{Words: "abbey abbey"}, wallet.Keys{},
		wallet.Keys{Address: keys.Address, ViewKey: "00"},
		wallet.Keys{Address: addressOf(t, sixteen), ViewKey: keys.ViewKey}} {
		_, err := m.Restore(ctx, "none", "secret", from)
		require.ErrorIs(t, err, wallet.ErrBackup)
	}
	_, err = os.Stat(filepath.Join(t.TempDir(), "none"))
	require.ErrorIs(t, err, os.ErrNotExist)
	_, err = m.Restore(ctx, "none", "secret", keys)
	require.NoError(t, err, "a refusal leaves the name free")
}

// TestConfigIsChecked: whatever is wrong is refused at once, and the error names the field.
func TestConfigIsChecked(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	file := filepath.Join(folder, "file")
	require.NoError(t, os.WriteFile(file, nil, 0o600))
	for want, change := range map[string]func(*wallet.Config){
		"Network":         func(c *wallet.Config) { c.Network = 9 },
		"Folder":          func(c *wallet.Config) { c.Folder = "" },
		"Folder ":         func(c *wallet.Config) { c.Folder = file },
		"Daemon.Address":  func(c *wallet.Config) { c.Daemon.Address = "" },
		"Daemon.Address ": func(c *wallet.Config) { c.Daemon.Address = "ftp://example.org" },
		"Daemon.Proxy":    func(c *wallet.Config) { c.Daemon.Proxy = "nowhere" },
		"Daemon.TLS":      func(c *wallet.Config) { c.Daemon.TLS.CAFile = filepath.Join(folder, "missing") },
		"Offline":         func(c *wallet.Config) { c.Offline = true },
		"Transport":       func(c *wallet.Config) { c.Transport = stuck(nil) },
		"Refresh":         func(c *wallet.Config) { c.Refresh = time.Millisecond },
		"Workers":         func(c *wallet.Config) { c.Workers = -1 },
		"Accounts":        func(c *wallet.Config) { c.Accounts = -1 },
		"Addresses":       func(c *wallet.Config) { c.Addresses = 2_000_000 },
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

// TestConstants: what is said here is what the engine means by it.
func TestConstants(t *testing.T) {
	require.Equal(t, service.FromNow, wallet.FromNow)
	require.Equal(t, service.DefaultAutoRefresh, wallet.DefaultRefresh)
}

// TestKinds: each failure has its kind.
func TestKinds(t *testing.T) {
	t.Parallel()
	ctx, chain := deadline(t), newChain(t)
	c := config(t, chain)
	m := newManager(t, c)
	w := rich(t, m, chain, "one")
	kind := func(want, err error) {
		t.Helper()
		require.ErrorIs(t, err, want)
		var e *wallet.Error
		require.ErrorAs(t, err, &e)
		require.Equal(t, want, e.Kind)
		require.True(t, strings.HasPrefix(err.Error(), "wallet: "+e.Op+": "+want.Error()), "%v", err)
	}
	_, err := m.Open(ctx, "one", "secret")
	kind(wallet.ErrInUse, err)
	other := newManager(t, c)
	_, err = other.Open(ctx, "one", "secret")
	kind(wallet.ErrInUse, err)
	_, err = other.Create(ctx, "one", "secret")
	kind(wallet.ErrExists, err)
	_, err = m.Open(ctx, "two", "")
	kind(wallet.ErrNotFound, err)
	for _, name := range []string{"", "a/b", `a\b`, "..", ".hidden", "one.keys", "one.GLIM", "con"} {
		_, err = m.Create(ctx, name, "")
		kind(wallet.ErrName, err)
	}
	require.NoError(t, os.WriteFile(filepath.Join(c.Folder, "torn"), []byte("not a wallet"), 0o600))
	_, err = m.Open(ctx, "torn", "")
	kind(wallet.ErrDamaged, err)
	k, err := keys.FromSeed([32]byte{1})
	require.NoError(t, err)
	theirs, err := walletfile.Seal(&walletfile.Wallet{Keys: k}, nil, walletfile.Rounds, rand.Reader)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(filepath.Join(c.Folder, "torn.keys"), theirs, 0o600))
	_, err = m.Open(ctx, "torn", "")
	kind(wallet.ErrCache, err)
	without := c
	without.WithoutCache = true
	manager := newManager(t, without)
	_, err = manager.Open(ctx, "torn", "")
	require.NoError(t, err)
	require.NoError(t, manager.Close())
	stage := c
	stage.Network = wallet.Stagenet
	require.NoError(t, w.Close())
	_, err = newManager(t, stage).Open(ctx, "one", "secret")
	kind(wallet.ErrNetwork, err)
	w, err = m.Open(ctx, "one", "secret")
	require.NoError(t, err)
	require.ErrorIs(t, w.ChangePassword(ctx, "wrong", "x"), wallet.ErrWrongPassword)

	home, b := addressOf(t, w), balance(t, w)
	send := func(p wallet.Payment) error {
		_, err := w.Send(ctx, p)
		return err
	}
	to := func(amounts ...wallet.Amount) (list []wallet.Destination) {
		for _, a := range amounts {
			list = append(list, wallet.Destination{Address: home, Amount: a})
		}
		return list
	}
	kind(wallet.ErrNotEnoughMoney, send(wallet.Payment{To: to(b.Total + 1)}))
	kind(wallet.ErrNotEnoughMoney, send(wallet.Payment{To: to(b.Total)})) // nothing is left for the fee
	kind(wallet.ErrAddress, send(wallet.Payment{To: []wallet.Destination{{"4bad", 1}}}))
	kind(wallet.ErrPayment, send(wallet.Payment{}))
	kind(wallet.ErrPayment, send(wallet.Payment{To: to(0)}))
	kind(wallet.ErrPayment, send(wallet.Payment{To: to(1), All: true}))
	kind(wallet.ErrPayment, send(wallet.Payment{To: to(1), Priority: 9}))
	kind(wallet.ErrNotEnoughMoney, send(wallet.Payment{To: to(1), Account: 1}))
	kind(wallet.ErrAddress, wallet.CheckAddress(wallet.Stagenet, home))
	_, err = w.NewAddress(ctx, 7, "")
	kind(wallet.ErrNotFound, err)
	_, err = w.Transfers(ctx, strings.Repeat("0", 64))
	kind(wallet.ErrNotFound, err)
	_, err = w.Transfers(ctx, "x")
	kind(wallet.ErrNotFound, err)

	require.NoError(t, chain.Mine(ctx, 1, home))
	young := balance(t, w)
	kind(wallet.ErrMoneyLocked, send(wallet.Payment{To: to(young.Total - wallet.XMR)}))

	// Two previews of the same money: one of them is paid.
	first, err := w.Send(ctx, wallet.Payment{To: to(b.Unlocked - wallet.XMR)})
	require.NoError(t, err)
	second, err := w.Send(ctx, wallet.Payment{To: to(b.Unlocked - wallet.XMR)})
	require.NoError(t, err)
	_, err = first.Confirm(ctx)
	require.NoError(t, err)
	_, err = second.Confirm(ctx)
	kind(wallet.ErrSpent, err)
	kind(wallet.ErrConfirmed, first.Discard())

	// Daemons that cannot be reached, and none at all.
	away := c
	away.Transport, away.Daemon.Address, away.Folder = nil, "127.0.0.1:1", t.TempDir()
	lonely, err := newManager(t, away).Create(ctx, "lonely", "")
	require.NoError(t, err, "a wallet is made without a daemon, too")
	err = lonely.Sync(ctx, nil)
	kind(wallet.ErrDaemon, err)
	require.Contains(t, err.Error(), "127.0.0.1:1", "it says which, and why")
	away.Daemon.Address, away.Offline = "", true
	hermit, err := newManager(t, away).Open(ctx, "lonely", "")
	kind(wallet.ErrInUse, err)
	require.Nil(t, hermit)
	require.NoError(t, lonely.Close())
	hermit, err = newManager(t, away).Open(ctx, "lonely", "")
	require.NoError(t, err)
	kind(wallet.ErrDaemon, hermit.Sync(ctx, nil))
	var code *rpc.Error
	require.ErrorAs(t, send(wallet.Payment{}), &code, "the contract's code is there, too")
	require.Equal(t, walletrpc.CodeZeroDestination, code.Code)
}

// TestUseAfterClose calls every method of a wallet that is closed, of its previews and its manager.
func TestUseAfterClose(t *testing.T) {
	t.Parallel()
	ctx, chain := deadline(t), newChain(t)
	m := newManager(t, config(t, chain))
	w := rich(t, m, chain, "one")
	p, err := w.Send(ctx, wallet.Payment{To: []wallet.Destination{{addressOf(t, w), 1}}})
	require.NoError(t, err)
	events := w.Events(ctx, wallet.FromNow)
	require.NoError(t, w.Close())
	require.NoError(t, w.Close(), "closing twice is harmless")
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

// stuck is a way to a daemon that answers nothing until it is let go, whatever becomes of contexts.
type stuck chan struct{}

func (s stuck) Post(context.Context, string, []byte) ([]byte, error) {
	<-s
	return nil, errors.New("let go")
}

// TestCancelled: a call whose context ends returns, although the daemon answers nothing. A wallet that was opened in
// vain is closed.
func TestCancelled(t *testing.T) {
	t.Parallel()
	hold := make(stuck)
	var once sync.Once
	release := func() { once.Do(func() { close(hold) }) }
	t.Cleanup(release) // before the managers are closed: they wait for what goes on
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
		require.ErrorIs(t, <-got, context.Canceled, name) // the deadline of the test ends the wait of one that stays
		require.ErrorIs(t, f(ctx), context.Canceled, "with a context that has ended, too: "+name)
	}
	release()
	// The name that was to be made is free again, whatever came of it.
	require.Eventually(t, func() bool {
		w, err := m.Open(deadline(t), "two", "")
		if errors.Is(err, wallet.ErrNotFound) {
			w, err = m.Create(deadline(t), "two", "")
		}
		return err == nil && w.Close() == nil
	}, patience, time.Millisecond)
	require.NoError(t, m.Close())
}

// TestNothingIsLeft: when a manager is closed, no goroutine of it is there any more, whatever was under way.
func TestNothingIsLeft(t *testing.T) { // alone: it looks at all goroutines
	chain := newChain(t)
	c := config(t, chain)
	c.Refresh = time.Second
	before := ours()
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
		require.Eventually(t, func() bool { return len(ours()) <= len(before) }, patience, time.Millisecond, "%v",
			ours())
	}
}

// ours returns the goroutines that run code of the engine.
func ours() (list []string) {
	all := make([]byte, 4<<20)
	for _, g := range strings.Split(string(all[:runtime.Stack(all, true)]), "\n\n") {
		if strings.Contains(g, "glim/core/service.") || strings.Contains(g, "glim/core/session.") ||
			strings.Contains(g, "glim/bindings/wallet.") {
			list = append(list, g)
		}
	}
	return list
}

// TestSyncTellsProgress: the first call of progress comes while blocks are read, the last tells the end, and none comes
// after Sync has returned.
func TestSyncTellsProgress(t *testing.T) {
	t.Parallel()
	ctx, chain := deadline(t), newChain(t)
	m := newManager(t, config(t, chain))
	w, err := m.Create(ctx, "one", "")
	require.NoError(t, err)
	require.NoError(t, chain.Mine(ctx, 100, ""))
	var over atomic.Bool
	var told []wallet.Progress
	require.NoError(t, w.Sync(ctx, func(p wallet.Progress) {
		require.False(t, over.Load())
		told = append(told, p)
	}))
	over.Store(true)
	require.NotEmpty(t, told)
	require.Equal(t, wallet.Progress{Height: 101, Target: 101}, told[len(told)-1])
	for i := range told[1:] {
		require.LessOrEqual(t, told[i].Height, told[i+1].Height)
	}
	require.Equal(t, wallet.Progress{Height: 101, Target: 101}, w.Progress())
}
