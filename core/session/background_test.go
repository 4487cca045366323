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

// backgrounds are the types of background syncing.
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

// money returns a wallet's balance, its key images, and its numbers of spends and payments.
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

// TestBackground starts and stops background syncing of every type: in one session, after the process was killed, and
// with a background file that was opened separately.
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
			require.NoError(t, s.StartBackground(file), "the spend key is already removed")
			require.True(t, s.InBackground())
			require.False(t, s.Keys().CanSpend())
			secret, _ := old.SpendSecret()
			require.Zero(t, secret, "the key is overwritten in memory")
			if kind == wallet.BackgroundCustom {
				require.Equal(t, before, own.Content, "the wallet's own file is unchanged")
			}
			kept := slices.Clone(own.Content)
			read(t, s, c)
			require.Equal(t, kept, own.Content)
			s.View(func(w *wallet.Wallet) {
				require.EqualValues(t, 40+1, w.Height())
				last := w.Outputs()[len(w.Outputs())-1]
				require.False(t, last.ImageKnown, "it was received during background syncing")
				require.NotEmpty(t, w.Noted())
			})

			// If the process is killed now, nothing is lost.
			killed := open(t, own.Content)
			left := &journal.Memory{Content: slices.Clone(file.Content)}
			require.True(t, killed.Keys().CanSpend())
			require.NoError(t, killed.ImportBackgroundFile(ctx, left))
			sameMoney(t, straight, killed)
			require.NoError(t, killed.ImportBackgroundFile(ctx, left), "a second import changes nothing")
			sameMoney(t, straight, killed)

			// Opened separately, the background file opens only with its own password, and has no spend key.
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
			other := session.Seed{Spend: keys.Secret{1}}
			require.ErrorIs(t, s.StopBackground(ctx, own, []byte("password"), &other), session.ErrSpendKey)
			require.True(t, s.InBackground())
			require.NoError(t, s.StopBackground(ctx, own, []byte("password"), nil))
			require.False(t, s.InBackground())
			require.True(t, s.Keys().CanSpend())
			sameMoney(t, straight, s)
			require.Equal(t, state(t, s), state(t, open(t, own.Content)), "visible changes are stored")

			// Background syncing can be started again.
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

// TestBackgroundFileByItself opens a background file separately, scans and closes it; the wallet then takes over the
// results.
func TestBackgroundFileByItself(t *testing.T) {
	c, branch := lively(t, "by itself", 40)
	own, file := journal.NewMemory(), journal.NewMemory()
	s := create(t, own, host())
	read(t, s, c.Fork("half", 20))
	setup(t, s, wallet.BackgroundCustom, file)
	require.NoError(t, s.UpdateBackgroundFile(file))
	require.NoError(t, s.Close())

	alone, err := session.Open(file, []byte(other), host())
	require.NoError(t, err)
	read(t, alone, c)
	read(t, alone, branch)
	require.NoError(t, alone.Close())

	straight := create(t, journal.NewMemory(), host())
	read(t, straight, branch)
	s = open(t, own.Content)
	require.NoError(t, s.ImportBackgroundFile(context.Background(), file))
	sameMoney(t, straight, s)
}

// TestBackgroundInMemory checks that a wallet in memory needs its seed, because its spend key is stored nowhere else.
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
	require.False(t, again.Keys().CanSpend(), "the log no longer has it")
	read(t, s, c)
	secret, _ := owner(t).SpendSecret()
	require.ErrorIs(t, s.StopBackground(ctx, nil, []byte("wrong"), &session.Seed{Spend: secret}), session.ErrPassword)
	require.ErrorIs(t, s.StopBackground(ctx, nil, []byte("password"), nil), session.ErrSpendKey)
	require.ErrorIs(t, s.StopBackground(ctx, nil, []byte("password"), &session.Seed{Spend: keys.Secret{7}}),
		session.ErrSpendKey)
	require.NoError(t, s.StopBackground(ctx, nil, []byte("password"), &session.Seed{Spend: secret}))
	straight := create(t, journal.NewMemory(), host())
	read(t, straight, c)
	sameMoney(t, straight, s)
	require.Equal(t, state(t, s), state(t, open(t, own.Content)))
}

// TestBackgroundFailsAnywhere makes every single write fail, completely or halfway: the spend key stays where it was,
// the wallet opens, and it reaches the same state with the background file, if there is one.
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
						require.False(t, s.InBackground())
						require.True(t, s.Keys().CanSpend())
						return err
					}
					if _, err := s.Refresh(ctx, chaintest.NewSource(c), 0); err != nil {
						return err
					}
					if err := s.StopBackground(ctx, own, []byte("password"), nil); err != nil {
						require.True(t, s.InBackground())
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
				require.NoError(t, next.ImportBackgroundFile(ctx, file), "%s, write %d", name, fail)
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

// TestBackgroundReplacesNothingElse checks that a background file never overwrites another file.
func TestBackgroundReplacesNothingElse(t *testing.T) {
	s, file := create(t, journal.NewMemory(), host()), journal.NewMemory()
	create(t, file, host())
	kept := slices.Clone(file.Content)
	require.ErrorIs(t, s.SetupBackground(wallet.BackgroundCustom, file, []byte(other), journal.WeakestKDF()),
		session.ErrNotBackgroundFile)
	setup(t, s, wallet.BackgroundReuse, nil)
	require.ErrorIs(t, s.StartBackground(file), session.ErrNotBackgroundFile)
	require.True(t, s.Keys().CanSpend())
	require.NoError(t, s.ImportBackgroundFile(context.Background(), file))
	require.Equal(t, kept, file.Content)
	file.Content = []byte("something else")
	require.ErrorIs(t, s.StartBackground(file), session.ErrNotBackgroundFile)
}

// gate is a source of randomness that blocks one read until it is released.
type gate struct {
	io.Reader
	mu       sync.Mutex
	asked    chan struct{} // closed by the blocked read; nil disables blocking
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

// TestChangesDuringKeyDerivation checks that the wallet can be changed while the key of a password is derived, which
// may take long, and that the file includes such a change.
func TestChangesDuringKeyDerivation(t *testing.T) {
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
		changed <- s.Change(func(w *wallet.Wallet) (wallet.ChangeSet, []wallet.HostEvent, error) {
			c, _, err := w.DecideAddresses(0, 6, "meanwhile")
			return c, nil, err
		})
	}()
	select {
	case err := <-changed:
		require.NoError(t, err)
	case <-time.After(time.Minute):
		t.Error("a change waits for the key derivation")
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

// TestSetupStopsBetweenFileAndLog checks that the old setup stays, and restores its file, if the log cannot be
// written after the file was.
func TestSetupStopsBetweenFileAndLog(t *testing.T) {
	own, st := journal.NewMemory(), journal.NewMemory()
	s := create(t, own, host())
	require.NoError(t, s.SetupBackground(wallet.BackgroundCustom, st, []byte(other), journal.WeakestKDF()))
	own.Fault = func(journal.Op, []byte) (int, error) { return 0, errHost }
	require.ErrorIs(t, s.SetupBackground(wallet.BackgroundCustom, st, []byte("a third"), journal.WeakestKDF()), errHost)
	own.Fault = nil

	again := open(t, own.Content)
	require.NoError(t, again.ImportBackgroundFile(context.Background(), st),
		"a file that cannot be opened with a key in the log is ignored")
	require.NoError(t, again.UpdateBackgroundFile(st))
	log, _, err := journal.Open(st, []byte(other), chaintest.NewRandom("reader"))
	require.NoError(t, err)
	log.Forget()
	require.NoError(t, again.StartBackground(st))
	require.True(t, again.InBackground())
}
