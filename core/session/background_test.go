package session_test

import (
	"context"
	"errors"
	"io"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"glim/core/chaintest"
	"glim/core/journal"
	"glim/core/keys"
	"glim/core/session"
	"glim/core/wallet"
	"glim/core/xmr"
)

// backgrounds are the ways to go on without the spend key.
var backgrounds = map[string]wallet.BackgroundType{"reuse": wallet.BackgroundReuse, "custom": wallet.BackgroundCustom}

const other = "another password"

func setup(t testing.TB, s *session.Session, kind wallet.BackgroundType, st journal.Storage) {
	t.Helper()
	if kind != wallet.BackgroundCustom {
		st = nil
	}
	require.NoError(t, s.SetupBackground(kind, st, []byte(other), journal.WeakestKDF()))
}

func read(t testing.TB, s *session.Session, c *chaintest.Chain) {
	t.Helper()
	_, err := s.Refresh(context.Background(), chaintest.NewSource(c), 0)
	require.NoError(t, err)
}

// money is what a wallet has and what became of it.
func money(s *session.Session) (b wallet.Balance, images []xmr.KeyImage, spends, payments int) {
	s.View(func(w *wallet.Wallet) {
		b = w.AccountBalance(0, true, 0)
		for _, o := range w.Outputs() {
			images = append(images, o.Image)
		}
		spends, payments = len(w.Spends()), len(w.Payments())
	})
	return b, images, spends, payments
}

func sameMoney(t testing.TB, want, got *session.Session, why ...any) {
	t.Helper()
	b, images, spends, payments := money(want)
	b2, images2, spends2, payments2 := money(got)
	require.Equal(t, b, b2, why...)
	require.Equal(t, images, images2, why...)
	require.Equal(t, spends, spends2, why...)
	require.Equal(t, payments, payments2, why...)
}

// TestBackground goes on without the spend key, in every way, and comes back: live, from what a killed process left, and from
// a background file that was opened by itself.
func TestBackground(t *testing.T) {
	c, _ := lively(t, "background", 40)
	half := c.Fork("half", 20)
	ctx := context.Background()
	straight := create(t, journal.NewMemory(), host())
	read(t, straight, c)
	for name, kind := range backgrounds {
		t.Run(name, func(t *testing.T) {
			own, file := journal.NewMemory(), journal.NewMemory()
			s := create(t, own, host())
			require.ErrorIs(t, s.StartBackground(file), session.ErrNotSetUp)
			setup(t, s, kind, file)
			read(t, s, half)
			old := s.Keys()
			before := slices.Clone(own.Content)
			require.NoError(t, s.StartBackground(file))
			require.NoError(t, s.StartBackground(file), "it is away already")
			require.True(t, s.Apart())
			require.False(t, s.Keys().CanSpend())
			secret, _ := old.SpendSecret()
			require.Zero(t, secret, "the key is overwritten where it was")
			if kind == wallet.BackgroundCustom {
				require.Equal(t, before, own.Content, "the wallet's own file stays as it is")
			}
			kept := slices.Clone(own.Content)
			read(t, s, c)
			require.Equal(t, kept, own.Content)
			s.View(func(w *wallet.Wallet) {
				require.EqualValues(t, 40+1, w.Height())
				last := w.Outputs()[len(w.Outputs())-1]
				require.False(t, last.ImageKnown, "it came while the key was away")
				require.NotEmpty(t, w.Noted())
			})

			// Killed now, nothing is lost.
			killed := open(t, own.Content)
			left := &journal.Memory{Content: slices.Clone(file.Content)}
			require.True(t, killed.Keys().CanSpend())
			require.NoError(t, killed.Gather(ctx, left))
			sameMoney(t, straight, killed)
			require.NoError(t, killed.Gather(ctx, left), "again changes nothing")
			sameMoney(t, straight, killed)

			// By itself the background file opens with its own password alone, and has no spend key.
			_, err := session.Open(&journal.Memory{Content: slices.Clone(file.Content)}, []byte("password"), host())
			require.ErrorIs(t, err, session.ErrPassword)
			alone, err := session.Open(&journal.Memory{Content: slices.Clone(file.Content)}, []byte(other), host())
			if kind == wallet.BackgroundCustom {
				require.NoError(t, err)
				require.False(t, alone.Keys().CanSpend())
			} else {
				require.ErrorIs(t, err, session.ErrPassword)
			}

			require.ErrorIs(t, s.StopBackground(ctx, own, []byte("wrong"), nil), session.ErrPassword)
			stranger := session.Seed{Spend: keys.Secret{1}}
			require.ErrorIs(t, s.StopBackground(ctx, own, []byte("password"), &stranger), session.ErrSpendKey)
			require.True(t, s.Apart())
			require.NoError(t, s.StopBackground(ctx, own, []byte("password"), nil))
			require.False(t, s.Apart())
			require.True(t, s.Keys().CanSpend())
			sameMoney(t, straight, s)
			require.Equal(t, state(t, s), state(t, open(t, own.Content)), "what is seen was stored")

			// And once more: the wallet goes on as if nothing had been.
			require.NoError(t, s.StartBackground(file))
			secret, _ = owner(t).SpendSecret()
			require.NoError(t, s.StopBackground(ctx, own, []byte("password"), &session.Seed{Spend: secret}))
			sameMoney(t, straight, s)
			require.NoError(t, s.Close())
			require.ErrorIs(t, s.StartBackground(file), session.ErrClosed)
			require.ErrorIs(t, s.StopBackground(ctx, own, []byte("password"), nil), session.ErrClosed)
		})
	}
}

// TestBackgroundFileByItself is opened, reads the chain and is closed; the wallet then has what it found.
func TestBackgroundFileByItself(t *testing.T) {
	c, branch := lively(t, "by itself", 40)
	own, file := journal.NewMemory(), journal.NewMemory()
	s := create(t, own, host())
	read(t, s, c.Fork("half", 20))
	setup(t, s, wallet.BackgroundCustom, file)
	require.NoError(t, s.RefreshApart(file))
	require.NoError(t, s.Close())

	alone, err := session.Open(file, []byte(other), host())
	require.NoError(t, err)
	read(t, alone, c)
	read(t, alone, branch)
	require.NoError(t, alone.Close())

	straight := create(t, journal.NewMemory(), host())
	read(t, straight, branch)
	s = open(t, own.Content)
	require.NoError(t, s.Gather(context.Background(), file))
	sameMoney(t, straight, s)
}

// TestBackgroundInMemory: a wallet without a file has its spend key nowhere else, so the seed has to bring it back.
func TestBackgroundInMemory(t *testing.T) {
	c, _ := lively(t, "in memory", 40)
	ctx := context.Background()
	own := journal.NewMemory()
	s := create(t, own, host())
	setup(t, s, wallet.BackgroundReuse, nil)
	read(t, s, c.Fork("half", 20))
	require.NoError(t, s.StartBackground(nil))
	again, err := session.Open(&journal.Memory{Content: slices.Clone(own.Content)}, []byte("password"), host())
	require.NoError(t, err)
	require.False(t, again.Keys().CanSpend(), "it is not in the log any more")
	read(t, s, c)
	secret, _ := owner(t).SpendSecret()
	require.ErrorIs(t, s.StopBackground(ctx, nil, []byte("wrong"), &session.Seed{Spend: secret}), session.ErrPassword)
	require.ErrorIs(t, s.StopBackground(ctx, nil, []byte("password"), nil), session.ErrSpendKey)
	require.ErrorIs(t, s.StopBackground(ctx, nil, []byte("password"), &session.Seed{Spend: keys.Secret{7}}), session.ErrSpendKey)
	require.NoError(t, s.StopBackground(ctx, nil, []byte("password"), &session.Seed{Spend: secret}))
	straight := create(t, journal.NewMemory(), host())
	read(t, straight, c)
	sameMoney(t, straight, s)
	require.Equal(t, state(t, s), state(t, open(t, own.Content)))
}

// TestBackgroundFailsAnywhere lets every single write fail, half done or not at all: the spend key is then where it was, the wallet
// opens, and with what there is of a background file it comes to the same end.
func TestBackgroundFailsAnywhere(t *testing.T) {
	c, _ := lively(t, "fails", 40)
	half := c.Fork("half", 20)
	ctx := context.Background()
	straight := create(t, journal.NewMemory(), host())
	read(t, straight, c)
	for name, kind := range backgrounds {
		for _, written := range []int{0, 1} {
			for fail := 1; ; fail++ {
				own, file := journal.NewMemory(), journal.NewMemory()
				writes := 0
				fault := func(_ journal.Op, p []byte) (int, error) {
					if writes++; writes == fail {
						return min(written, len(p)), errHost
					}
					return 0, nil
				}
				s := create(t, own, host())
				read(t, s, half)
				own.Fault, file.Fault = fault, fault
				err := func() error {
					st := journal.Storage(file)
					if kind == wallet.BackgroundReuse {
						st = nil
					}
					if err := s.SetupBackground(kind, st, []byte(other), journal.WeakestKDF()); err != nil {
						return err
					}
					if err := s.StartBackground(file); err != nil {
						require.False(t, s.Apart())
						require.True(t, s.Keys().CanSpend())
						return err
					}
					if _, err := s.Refresh(ctx, chaintest.NewSource(c), 0); err != nil {
						return err
					}
					if err := s.StopBackground(ctx, own, []byte("password"), nil); err != nil {
						require.True(t, s.Apart())
						require.False(t, s.Keys().CanSpend())
						return err
					}
					return nil
				}()
				if err != nil {
					require.True(t, errors.Is(err, errHost) || errors.Is(err, journal.ErrBroken), "%v", err)
				}
				own.Fault, file.Fault = nil, nil
				next := open(t, own.Content)
				require.NoError(t, next.Gather(ctx, file), "%s, write %d", name, fail)
				read(t, next, c)
				sameMoney(t, straight, next, "%s, write %d", name, fail)
				if writes < fail {
					require.NoError(t, err)
					require.Greater(t, fail, 4)
					break
				}
			}
		}
	}
}

// Nothing but a background file is ever replaced by one.
func TestBackgroundReplacesNothingElse(t *testing.T) {
	s, file := create(t, journal.NewMemory(), host()), journal.NewMemory()
	create(t, file, host())
	kept := slices.Clone(file.Content)
	require.ErrorIs(t, s.SetupBackground(wallet.BackgroundCustom, file, []byte(other), journal.WeakestKDF()), session.ErrForeign)
	setup(t, s, wallet.BackgroundReuse, nil)
	require.ErrorIs(t, s.StartBackground(file), session.ErrForeign)
	require.True(t, s.Keys().CanSpend())
	require.NoError(t, s.Gather(context.Background(), file))
	require.Equal(t, kept, file.Content)
	file.Content = []byte("something else")
	require.ErrorIs(t, s.StartBackground(file), session.ErrForeign)
}

// gate is randomness that waits where somebody reads from it, once.
type gate struct {
	io.Reader
	mu       sync.Mutex
	asked    chan struct{} // closed when somebody reads; nil while nobody is to wait
	released chan struct{}
}

func (g *gate) Read(p []byte) (int, error) {
	g.mu.Lock()
	asked := g.asked
	g.asked = nil
	g.mu.Unlock()
	if asked != nil {
		close(asked)
		<-g.released
	}
	return g.Reader.Read(p)
}

// TestSetupMakesItsKeyBefore: while a password becomes a key, which takes as long as its owner wants, the wallet can be changed; and the file is
// of the wallet as it is after that.
func TestSetupMakesItsKeyBefore(t *testing.T) {
	g := &gate{Reader: chaintest.NewRandom("gate"), released: make(chan struct{})}
	h := host()
	h.Random = g
	s := create(t, journal.NewMemory(), h)
	asked := make(chan struct{})
	g.mu.Lock()
	g.asked = asked
	g.mu.Unlock()

	st, done := journal.NewMemory(), make(chan error, 1)
	go func() { done <- s.SetupBackground(wallet.BackgroundCustom, st, []byte(other), journal.WeakestKDF()) }()
	<-asked
	changed := make(chan error, 1)
	go func() {
		changed <- s.Change(func(w *wallet.Wallet) (wallet.ChangeSet, []wallet.Event, error) {
			c, _, err := w.DecideAddresses(0, 6, "meanwhile")
			return c, nil, err
		})
	}()
	select {
	case err := <-changed:
		require.NoError(t, err)
	case <-time.After(time.Minute):
		t.Error("a change waits for the key")
	}
	close(g.released)
	require.NoError(t, <-done)

	log, records, err := journal.Open(st, []byte(other), chaintest.NewRandom("reader"))
	require.NoError(t, err)
	log.Forget()
	w, err := wallet.Replay(records)
	require.NoError(t, err)
	n, err := w.Addresses(0)
	require.NoError(t, err)
	require.EqualValues(t, 7, n)
}

// TestSetupStopsBetweenFileAndLog: when the log cannot be written after the file was, the wallet is set up as it was before, and what it was
// set up with takes the file back.
func TestSetupStopsBetweenFileAndLog(t *testing.T) {
	own, st := journal.NewMemory(), journal.NewMemory()
	s := create(t, own, host())
	require.NoError(t, s.SetupBackground(wallet.BackgroundCustom, st, []byte(other), journal.WeakestKDF()))
	own.Fault = func(journal.Op, []byte) (int, error) { return 0, errHost }
	require.ErrorIs(t, s.SetupBackground(wallet.BackgroundCustom, st, []byte("a third"), journal.WeakestKDF()), errHost)
	own.Fault = nil

	again := open(t, own.Content)
	require.NoError(t, again.Gather(context.Background(), st), "a file that the log does not open is passed over")
	require.NoError(t, again.RefreshApart(st))
	log, _, err := journal.Open(st, []byte(other), chaintest.NewRandom("reader"))
	require.NoError(t, err)
	log.Forget()
	require.NoError(t, again.StartBackground(st))
	require.True(t, again.Apart())
}
