package session_test

import (
	"bytes"
	"context"
	"reflect"
	"slices"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"glim/core/chaintest"
	"glim/core/journal"
	"glim/core/keys"
	"glim/core/session"
	"glim/core/signer"
	"glim/core/wallet"
	"glim/core/xmr"
)

// vault is a signer server that can be killed at a request, and records its answers.
type vault struct {
	mu      sync.Mutex
	server  *signer.Server
	asked   int
	dieAt   int // number of the request that is not answered; 0 disables it
	answers [][]byte
}

func newVault() *vault { return &vault{server: newServer()} }

func newServer() *signer.Server {
	return signer.New(signer.Host{Random: chaintest.NewRandom("vault")})
}

func (v *vault) post(ctx context.Context, request []byte) ([]byte, error) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.asked++; v.asked == v.dieAt {
		v.server = newServer() // a restarted signer has no open wallets
		return nil, errHost
	}
	answer := v.server.Serve(ctx, request)
	v.answers = append(v.answers, slices.Clone(answer))
	return answer, nil
}

// leaked reports whether an answer contained a secret.
func (v *vault) leaked(secret []byte) bool {
	v.mu.Lock()
	defer v.mu.Unlock()
	return slices.ContainsFunc(v.answers, func(a []byte) bool { return bytes.Contains(a, secret) })
}

func createSealed(t testing.TB, st journal.Storage, v *vault, h session.Host) *session.Session {
	t.Helper()
	opened, err := signer.Transport(v.post).Create(
		t.Context(), []byte("password"), journal.WeakestKDF(), xmr.Regtest, owner(t), nil,
	)
	require.NoError(t, err)
	s, err := session.CreateWithSigner(st, v.post, opened, wallet.Identity{
		Network: xmr.Regtest, RestoreHeight: 1,
	}, near, h)
	require.NoError(t, err)
	return s
}

func openSealed(t testing.TB, content []byte, v *vault, password string) *session.Session {
	t.Helper()
	s, err := session.OpenWithSigner(
		t.Context(), &journal.Memory{Content: slices.Clone(content)}, []byte(password), v.post, host(),
	)
	require.NoError(t, err)
	return s
}

// TestSealedEqualsPlain checks that a wallet with an external signer equals one with its own spend key in everything
// except its identity: payments, spends, a reorganisation and a pool; in one session, reopened, and with the signer
// killed at every request.
func TestSealedEqualsPlain(t *testing.T) {
	c, branch := lively(t, "sealed", 24)
	plain := create(t, journal.NewMemory(), host())
	src := chaintest.NewSource(c)
	src.Batch = 5
	ctx := t.Context()
	require.NoError(t, journey(ctx, plain, src, c, branch))
	want := state(t, plain)[1:]

	v, st := newVault(), journal.NewMemory()
	s := createSealed(t, st, v, host())
	require.True(t, s.UsesSigner())
	require.True(t, s.Keys().CanSpend())
	begin := v.asked
	require.NoError(t, journey(ctx, s, src, c, branch))
	require.Equal(t, want, state(t, s)[1:])
	asked := v.asked - begin
	require.Greater(t, asked, 3)
	sameMoney(t, plain, s)

	again := openSealed(t, st.Content, v, "password")
	require.Equal(t, want, state(t, again)[1:])
	sameMoney(t, plain, again)
	_, err := session.Open(&journal.Memory{Content: slices.Clone(st.Content)}, []byte("password"), host())
	require.ErrorIs(t, err, session.ErrNeedsSigner)
	_, err = session.OpenWithSigner(
		ctx, &journal.Memory{Content: slices.Clone(st.Content)}, []byte("other"), v.post, host(),
	)
	require.ErrorIs(t, err, session.ErrPassword)
	require.False(t, session.NeedsSigner(journal.NewMemory()))

	for at := 1; at <= asked; at++ {
		v, st := newVault(), journal.NewMemory()
		s := createSealed(t, st, v, host())
		v.dieAt = v.asked + at
		require.ErrorIs(t, journey(ctx, s, src, c, branch), errHost, at)
		_, err := s.Refresh(ctx, src, 0)
		require.ErrorIs(t, err, signer.ErrNotOpen, "a restarted signer has no open wallets")
		if at%2 == 0 {
			s = openSealed(t, st.Content, v, "password")
		} else {
			require.NoError(t, s.CheckPassword(ctx, []byte("password")), "the key opens the spend key there")
		}
		_, err = s.Refresh(ctx, src, 0)
		require.NoError(t, err, at)
		src.Switch(branch)
		_, err = s.Refresh(ctx, src, 0)
		require.NoError(t, err, at)
		require.True(t, reflect.DeepEqual(want, state(t, s)[1:]), at)
	}
	secret, _ := owner(t).SpendSecret()
	require.False(t, v.leaked(secret[:16]))
	require.False(t, bytes.Contains(st.Content, secret[:16]))
}

// TestSealedPassword changes the password with storage that fails before and after writing: one password opens both
// the log and the spend key.
func TestSealedPassword(t *testing.T) {
	ctx := t.Context()
	v, st := newVault(), journal.NewMemory()
	failing := &torn{Memory: st}
	s := createSealed(t, failing, v, host())
	require.ErrorIs(t, s.ChangePassword(ctx, []byte("wrong"), []byte("next")), session.ErrPassword)
	failing.before = true
	require.ErrorIs(t, s.ChangePassword(ctx, []byte("password"), []byte("next")), errHost)
	openSealed(t, st.Content, v, "password")
	require.NoError(t, s.CheckPassword(ctx, []byte("password")))
	failing.before, failing.after = false, true
	require.ErrorIs(t, s.ChangePassword(ctx, []byte("password"), []byte("next")), errHost)
	failing.after = false
	s = openSealed(t, st.Content, v, "next")
	require.NoError(t, s.ChangePassword(ctx, []byte("next"), []byte("last")))
	require.ErrorIs(t, s.CheckPassword(ctx, []byte("next")), session.ErrPassword)
	require.NoError(t, s.CheckPassword(ctx, []byte("last")))
	require.NoError(t, s.Close())
	_, _, _, err := s.Keys().WithContext(ctx).Reveal()
	require.ErrorIs(t, err, signer.ErrNotOpen, "a closed wallet is forgotten")
}

// torn is storage that fails to replace its content, before or after doing so.
type torn struct {
	*journal.Memory
	before, after bool
}

func (s *torn) Replace(p []byte) error {
	if s.before {
		return errHost
	}
	if err := s.Memory.Replace(p); err != nil || !s.after {
		return err
	}
	return errHost
}

// TestMoveToSigner moves a wallet's spend key out of its log.
func TestMoveToSigner(t *testing.T) {
	ctx := t.Context()
	c, _ := lively(t, "seal", 16)
	v, st := newVault(), journal.NewMemory()
	failing := &torn{Memory: st}
	s := create(t, failing, host())
	read(t, s, c)
	want := state(t, s)[1:]
	old := s.Keys()
	failing.before = true
	require.ErrorIs(t, s.MoveToSigner(ctx, v.post, []byte("next"), journal.WeakestKDF()), errHost)
	failing.before = false
	require.True(t, open(t, st.Content).Keys().CanSpend())
	require.NoError(t, s.MoveToSigner(ctx, v.post, []byte("next"), journal.WeakestKDF()))
	require.Equal(t, want, state(t, s)[1:])
	secret, _ := old.SpendSecret()
	require.Zero(t, secret, "the key is overwritten in memory")
	require.True(t, s.Keys().External())
	require.ErrorIs(t, s.MoveToSigner(ctx, v.post, nil, journal.WeakestKDF()), keys.ErrKey)
	again := openSealed(t, st.Content, v, "next")
	require.Equal(t, want, state(t, again)[1:])
	got, _, ok, err := again.Keys().WithContext(ctx).Reveal()
	require.NoError(t, err)
	require.True(t, ok)
	own, _ := owner(t).SpendSecret()
	require.Equal(t, own, got)
}

// TestSealedBackground uses background syncing in a wallet with an external signer.
func TestSealedBackground(t *testing.T) {
	ctx := t.Context()
	c, _ := lively(t, "sealed background", 30)
	half := c.Fork("half", 15)
	straight := create(t, journal.NewMemory(), host())
	read(t, straight, c)
	for name, kind := range backgrounds {
		t.Run(name, func(t *testing.T) {
			v, own, file := newVault(), journal.NewMemory(), journal.NewMemory()
			s := createSealed(t, own, v, host())
			setup(t, s, kind, file)
			read(t, s, half)
			require.NoError(t, s.StartBackground(file))
			asked := v.asked
			require.False(t, s.Keys().CanSpend())
			read(t, s, c)
			require.Equal(t, asked, v.asked, "no request to the signer during background syncing")
			killed := openSealed(t, own.Content, v, "password")
			require.NoError(t, killed.ImportBackgroundFile(ctx, &journal.Memory{Content: slices.Clone(file.Content)}))
			sameMoney(t, straight, killed)
			require.NoError(t, session.CheckPasswordWithSigner(ctx, own, []byte("password"), v.post))
			require.ErrorIs(t, session.CheckPasswordWithSigner(ctx, own, []byte("wrong"), v.post), session.ErrPassword)
			require.ErrorIs(t, s.CheckPassword(ctx, []byte("password")), session.ErrNeedsSigner,
				"background syncing uses another file")

			require.ErrorIs(t, s.StopBackground(ctx, own, []byte("wrong"), nil), session.ErrPassword)
			require.ErrorIs(t, s.StopBackground(ctx, own, []byte("password"), &session.Seed{Spend: keys.Secret{1}}),
				session.ErrSpendKey)
			seed, _ := owner(t).SpendSecret()
			require.NoError(t, s.StopBackground(ctx, own, []byte("password"), &session.Seed{Spend: seed}))
			sameMoney(t, straight, s)
			sameMoney(t, straight, openSealed(t, own.Content, v, "password"))
			got, _, _, err := s.Keys().WithContext(ctx).Reveal()
			require.NoError(t, err)
			require.Equal(t, seed, got)
		})
	}
}

// TestSealedRemade replaces a wallet with an external signer by one without a spend key: nothing of the old secrets
// stays in its file, and its password still opens it and can be changed.
func TestSealedRemade(t *testing.T) {
	ctx := t.Context()
	v, st := newVault(), journal.NewMemory()
	s := createSealed(t, st, v, host())
	before := slices.Clone(st.Content)
	other, err := keys.ViewOnly(owner(t).ViewSecret(), chaintest.NewRandom("other").Point())
	require.NoError(t, err)
	require.NoError(t, s.Replace(func(*wallet.Wallet) (*wallet.Wallet, error) {
		return wallet.New(wallet.Identity{Network: xmr.Regtest, Keys: other, RestoreHeight: 1}, near), nil
	}))
	sealed, err := journal.Public(&journal.Memory{Content: before})
	require.NoError(t, err)
	require.False(t, bytes.Contains(st.Content, sealed[len(sealed)-40:]))
	check := func(right, wrong string) *session.Session {
		_, err := session.OpenWithSigner(
			ctx, &journal.Memory{Content: slices.Clone(st.Content)}, []byte(wrong), v.post, host(),
		)
		require.ErrorIs(t, err, session.ErrPassword)
		again, err := session.OpenWithSigner(ctx, st, []byte(right), v.post, host())
		require.NoError(t, err)
		require.False(t, again.Keys().CanSpend())
		require.NoError(t, again.CheckPassword(ctx, []byte(right)))
		require.ErrorIs(t, again.CheckPassword(ctx, []byte(wrong)), session.ErrPassword)
		return again
	}
	again := check("password", "next")
	require.ErrorIs(t, again.ChangePassword(ctx, []byte("next"), []byte("next")), session.ErrPassword)
	require.NoError(t, again.ChangePassword(ctx, []byte("password"), []byte("next")))
	check("next", "password")
}
