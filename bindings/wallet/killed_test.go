package wallet_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"glim/bindings/peers"
	"glim/bindings/peers/inprocess"
	"glim/bindings/wallet"
	"glim/bindings/wallet/regtest"
	"glim/core/node"
)

// Parameters of the program that TestMain runs if envFolder is set.
const (
	envFolder, envDaemon, envShop = "GLIM_TEST_FOLDER", "GLIM_TEST_DAEMON", "GLIM_TEST_SHOP"
	orders                        = 12
	price                         = wallet.XMR / 10
)

// TestMain is also the program that TestKilled kills: it pays every order once, with the order's number as key.
func TestMain(m *testing.M) {
	if folder := os.Getenv(envFolder); folder != "" {
		if err := payAll(folder, os.Getenv(envDaemon), os.Getenv(envShop)); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// goroutines returns the number of goroutines except the idle threads that native.LowPriority keeps.
func goroutines() (n int) {
	all := make([]byte, 4<<20)
	for _, g := range strings.Split(string(all[:runtime.Stack(all, true)]), "\n\n") {
		if !strings.Contains(g, "native.takeLow") {
			n++
		}
	}
	return n
}

// payAll pays all orders and closes the manager.
func payAll(folder, daemon, shop string) (err error) {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	before := goroutines()
	m, err := wallet.NewManager(wallet.Config{Network: wallet.Regtest, Folder: folder,
		Daemon: wallet.Daemon{Address: daemon}, Refresh: time.Second})
	if err != nil {
		return err
	}
	defer func() {
		err = errors.Join(err, m.Close())
		for goroutines() > before && ctx.Err() == nil { // including connections to the daemon
			runtime.Gosched()
		}
		if ctx.Err() != nil {
			err = errors.Join(err, fmt.Errorf("%d goroutines remain, %d ran before", goroutines(), before))
		}
	}()
	w, err := m.Open(ctx, "payer", "secret")
	if err != nil {
		return err
	}
	if err := w.Sync(ctx, nil); err != nil {
		return err
	}
	for n := range orders {
		for {
			unconfirmed, err := w.Send(ctx, wallet.Payment{To: []wallet.Destination{{Address: shop, Amount: 1}}})
			if err == nil && n%2 == 0 {
				err = unconfirmed.Discard()
			}
			var p *wallet.Preview
			if err == nil {
				p, err = w.Send(ctx, wallet.Payment{To: []wallet.Destination{{Address: shop, Amount: price}},
					Key: fmt.Sprint("order ", n)})
			}
			if err == nil {
				_, err = p.Confirm(ctx)
			}
			if err == nil {
				break
			}
			if !errors.Is(err, wallet.ErrMoneyLocked) && !errors.Is(err, wallet.ErrNotFinal) {
				return fmt.Errorf("order %d: %w", n, err)
			}
			if err := w.Sync(ctx, nil); err != nil { // money unlocks some blocks later
				return err
			}
		}
	}
	return nil
}

// TestKilled kills a program at random moments while it pays, and starts it again until it is done: each order is paid
// once, and no money is lost.
func TestKilled(t *testing.T) { // not parallel, because a starting program briefly inherits open files of other tests
	ctx := deadline(t)
	daemon, err := inprocess.Start(ctx)
	require.NoError(t, err)
	t.Cleanup(func() { _ = daemon.Kill() })
	killed(t, daemon, 12)
}

// TestKilledOnMonerod is TestKilled with the real daemon.
func TestKilledOnMonerod(t *testing.T) {
	killed(t, peers.NewDaemon(t, peers.Options{}), 4)
}

func killed(t *testing.T, daemon *peers.Daemon, kills int) {
	ctx := deadline(t)
	c := wallet.Config{Network: wallet.Regtest, Folder: t.TempDir(), Daemon: wallet.Daemon{Address: daemon.URL},
		Refresh: -1}
	m := newManager(t, c)
	payer, err := m.Create(ctx, "payer", "secret")
	require.NoError(t, err)
	shop, err := m.Create(ctx, "shop", "")
	require.NoError(t, err)
	home := addressOf(t, shop)
	require.NoError(t, daemon.Mine(ctx, 40, addressOf(t, payer)))
	require.NoError(t, daemon.Mine(ctx, regtest.Unlock+regtest.Confirmations, node.UnspendableAddress()))
	before := balance(t, payer)
	require.NoError(t, payer.Close())

	starts := 0
	for {
		starts++
		cmd := exec.CommandContext(ctx, os.Args[0])
		cmd.Env = append(os.Environ(), envFolder+"="+c.Folder, envDaemon+"="+daemon.URL, envShop+"="+home)
		cmd.Stderr = t.Output()
		require.NoError(t, cmd.Start())
		ended := make(chan error, 1)
		go func() { ended <- cmd.Wait() }()
		var end error
		if starts <= kills {
			select {
			case end = <-ended:
			case <-time.After(time.Duration(20+rand.IntN(400)) * time.Millisecond):
				_ = cmd.Process.Kill()
				<-ended
				require.NoError(t, daemon.Mine(ctx, 1+rand.IntN(regtest.Confirmations), node.UnspendableAddress()))
				continue
			}
		} else {
			for over := false; !over; {
				select {
				case end = <-ended:
					over = true
				case <-time.After(200 * time.Millisecond):
					require.NoError(t, daemon.Mine(ctx, 1, node.UnspendableAddress()))
				}
			}
		}
		require.NoError(t, end)
		break
	}
	require.NoError(t, daemon.Mine(ctx, regtest.Confirmations, node.UnspendableAddress()))
	require.Equal(t, wallet.Balance{Total: orders * price, Unlocked: orders * price}, balance(t, shop),
		"each order is paid once, after %d starts", starts)
	payer, err = m.Open(ctx, "payer", "secret")
	require.NoError(t, err)
	after := balance(t, payer)
	require.Equal(t, after.Total, after.Unlocked, "no money is reserved")
	history, err := payer.History(ctx, wallet.Filter{})
	require.NoError(t, err)
	var fees wallet.Amount
	paid := 0
	for _, h := range history {
		if h.Out && h.State == wallet.Confirmed {
			fees += h.Fee
			paid++
		}
	}
	require.Equal(t, orders, paid)
	require.Equal(t, before.Total, after.Total+orders*price+fees, "no money is lost")
}
