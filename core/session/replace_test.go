package session_test

import (
	"context"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"glim/core/chaintest"
	"glim/core/journal"
	"glim/core/keys"
	"glim/core/multisig"
	"glim/core/session"
	"glim/core/wallet"
)

// join makes the wallet of a session a member of a group of two, in two rounds.
func join(s *session.Session, texts [2]string) error {
	return s.Replace(func(w *wallet.Wallet) (*wallet.Wallet, error) {
		random := chaintest.NewRandom("join")
		var a *multisig.Account
		var err error
		if w.Multisig() == nil {
			a, _, err = multisig.Make(random, w.Keys(), 2, texts[:1])
		} else {
			a, _, err = w.Multisig().Exchange(random, texts[1:], false)
		}
		if err != nil {
			return nil, err
		}
		return w.InGroup(a)
	})
}

func signerKeys(t testing.TB, n byte) *keys.Keys {
	t.Helper()
	k, err := keys.FromSeed([32]byte{n})
	require.NoError(t, err)
	return k
}

// partner returns the messages of the other member in both rounds.
func partner(t testing.TB) (texts [2]string) {
	t.Helper()
	random := chaintest.NewRandom("partner")
	other := signerKeys(t, 2)
	own, err := multisig.Prepare(random, owner(t))
	require.NoError(t, err)
	texts[0], err = multisig.Prepare(random, other)
	require.NoError(t, err)
	_, texts[1], err = multisig.Make(random, other, 2, []string{own})
	require.NoError(t, err)
	return texts
}

// brittle is storage that fails from its n-th write on, before or after writing.
type brittle struct {
	*journal.Memory
	left  int
	after bool
}

func (b *brittle) Replace(p []byte) error {
	if b.left--; b.left >= 0 {
		return b.Memory.Replace(p)
	}
	if b.after {
		if err := b.Memory.Replace(p); err != nil {
			return err
		}
	}
	return errHost
}

// TestReplaceFailsAnywhere makes a wallet multisig on storage that fails at each write, before or after writing: the
// session is unchanged, the file holds either complete wallet, and the remaining steps lead to the same group.
func TestReplaceFailsAnywhere(t *testing.T) {
	texts := partner(t)
	whole := create(t, journal.NewMemory(), host())
	require.NoError(t, join(whole, texts))
	require.NoError(t, join(whole, texts))
	var want *multisig.Account
	whole.View(func(w *wallet.Wallet) { want = w.Multisig() })
	require.True(t, want.Ready())

	for step := range 2 {
		for _, after := range []bool{false, true} {
			st := &brittle{Memory: journal.NewMemory(), left: 1000, after: after}
			s := create(t, st, host())
			st.left = step
			rounds := 0
			for join(s, texts) == nil {
				rounds++
			}
			require.Equal(t, step, rounds)
			s.View(func(w *wallet.Wallet) {
				require.Equal(t, step > 0, w.Multisig() != nil)
				if step == 0 {
					require.Equal(t, owner(t).SpendPublic, w.Keys().SpendPublic)
					secret, ok := w.Keys().SpendSecret()
					require.True(t, ok)
					require.NotZero(t, secret)
				}
			})
			again := open(t, slices.Clone(st.Content))
			var round uint32
			for round < 2 {
				again.View(func(w *wallet.Wallet) {
					if round = 0; w.Multisig() != nil {
						round = w.Multisig().Round()
					}
				})
				if round < 2 {
					require.NoError(t, join(again, texts), "step %d, after %v, round %d", step, after, round)
				}
			}
			again.View(func(w *wallet.Wallet) { require.Equal(t, want.Encode(), w.Multisig().Encode()) })
		}
	}
}

// TestReplaceForgets checks that the old spend key is removed from memory and from the log.
func TestReplaceForgets(t *testing.T) {
	texts := partner(t)
	st := journal.NewMemory()
	s := create(t, st, host())
	old := s.Keys()
	require.NoError(t, join(s, texts))
	secret, _ := old.SpendSecret()
	require.Zero(t, secret)
	require.False(t, s.Keys().CanSpend())
	var records [][]byte
	s.View(func(w *wallet.Wallet) {
		var err error
		records, err = w.Snapshot()
		require.NoError(t, err)
	})
	begun, _ := owner(t).SpendSecret()
	require.NotContains(t, string(slices.Concat(records...)), string(begun[:]))
}

// TestNoScanWithoutAddress checks that a wallet without an address does not scan.
func TestNoScanWithoutAddress(t *testing.T) {
	c, _ := lively(t, "group", 6)
	src := chaintest.NewSource(c)
	texts := partner(t)
	s := create(t, journal.NewMemory(), host())
	random := chaintest.NewRandom("third")
	third, err := multisig.Prepare(random, signerKeys(t, 3))
	require.NoError(t, err)
	require.NoError(t, s.Replace(func(w *wallet.Wallet) (*wallet.Wallet, error) {
		a, _, err := multisig.Make(random, w.Keys(), 2, []string{texts[0], third})
		if err != nil {
			return nil, err
		}
		return w.InGroup(a)
	}))
	r, err := s.Refresh(context.Background(), src, 0)
	require.NoError(t, err)
	require.Zero(t, r.Blocks)
	s.View(func(w *wallet.Wallet) { require.False(t, w.HasAddress()); require.EqualValues(t, 1, w.Height()) })

	s = create(t, journal.NewMemory(), host())
	require.NoError(t, join(s, texts))
	r, err = s.Refresh(context.Background(), src, 0)
	require.NoError(t, err)
	require.NotZero(t, r.Blocks)
}

// An error of the replacing function changes nothing.
func TestRemakeRefused(t *testing.T) {
	st := journal.NewMemory()
	s := create(t, st, host())
	written := slices.Clone(st.Content)
	require.ErrorIs(t, s.Replace(func(*wallet.Wallet) (*wallet.Wallet, error) { return nil, errHost }), errHost)
	require.Equal(t, written, st.Content)
	require.True(t, s.Keys().CanSpend())
	require.NoError(t, s.Close())
	require.ErrorIs(t, s.Replace(func(w *wallet.Wallet) (*wallet.Wallet, error) { return w, nil }), session.ErrClosed)
}
