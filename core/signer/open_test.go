package signer_test

import (
	"bytes"
	"context"
	"errors"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"glim/core/internal/proof"
	"glim/core/journal"
	"glim/core/keys"
	"glim/core/signer"
	"glim/core/xmr"
)

// TestSealed opens a sealed wallet in another process and under another password, and checks the key of the log. The
// client's data opens nothing else.
func TestSealed(t *testing.T) {
	ctx := t.Context()
	k := person(t, "k")
	_, o, w := apart(t, k, signer.Host{})
	st := journal.NewMemory()
	_, err := journal.Replace(st, o.Key, random, append([]byte("regtest\x00"), o.Sealed...), []byte("record"))
	require.NoError(t, err)
	secret, _ := k.SpendSecret()
	require.False(t, bytes.Contains(o.Sealed, secret[:16]))

	w.server = signer.New(signer.Host{Random: random}) // another process
	require.ErrorIs(t, o.Wallet.Close(ctx), nil, "closing a wallet that is not open is no error")
	_, err = o.Wallet.KeyImages(ctx, nil)
	require.ErrorIs(t, err, signer.ErrNotOpen)
	post := signer.Transport(w.post)
	again, err := post.Unlock(ctx, password, o.Sealed)
	require.NoError(t, err)
	require.Equal(t, o.Key, again.Key)
	require.Equal(t, o.Sealed, again.Sealed)
	require.Equal(t, k.SpendPublic, again.SpendPublic)
	require.Equal(t, k.ViewSecret(), again.View)
	require.True(t, again.Deterministic)
	o.Wallet.Replace(ctx, again.Wallet)
	_, err = o.Wallet.KeyImages(ctx, nil)
	require.NoError(t, err, "the wallet is found again")
	_, records, err := journal.OpenKey(st, again.Key, random)
	require.NoError(t, err)
	require.Equal(t, [][]byte{[]byte("record")}, records)

	// The key of the log differs from the key of the sealed secrets and from the password's.
	_, err = again.Key.Open(o.Sealed[36:], o.Sealed[:36])
	require.ErrorIs(t, err, journal.ErrPassword)
	_, _, err = journal.Open(st, password, random)
	require.ErrorIs(t, err, journal.ErrPassword)

	_, _, err = post.ChangePassword(ctx, o.Sealed, []byte("wrong"), []byte("next"))
	require.ErrorIs(t, err, journal.ErrPassword)
	key, resealed, err := post.ChangePassword(ctx, o.Sealed, password, []byte("next"))
	require.NoError(t, err)
	require.NotEqual(t, o.Key, key)
	_, err = post.Unlock(ctx, password, resealed)
	require.ErrorIs(t, err, journal.ErrPassword)
	next, err := post.Unlock(ctx, []byte("next"), resealed)
	require.NoError(t, err)
	require.Equal(t, key, next.Key)
	require.False(t, w.knows(secret))
}

// TestCreateFresh lets the server generate a wallet whose secret only the server has.
func TestCreateFresh(t *testing.T) {
	ctx := t.Context()
	w := &wire{server: signer.New(signer.Host{Random: random})}
	o, err := signer.Transport(w.post).Create(ctx, password, journal.WeakestKDF(), xmr.Stagenet, nil, nil)
	require.NoError(t, err)
	k, err := o.Keys()
	require.NoError(t, err)
	require.True(t, k.Deterministic())
	require.True(t, k.CanSpend())
	spend, words, ok, err := k.WithContext(ctx).Reveal()
	require.NoError(t, err)
	require.True(t, ok)
	require.Empty(t, words)
	whole, err := keys.FromSecrets(spend, k.ViewSecret())
	require.NoError(t, err)
	require.Equal(t, k.SpendPublic, whole.SpendPublic)
	require.True(t, whole.Deterministic())
	for _, a := range w.answers[:1] {
		require.False(t, bytes.Contains(a, spend[:16]))
	}
	here, words, err := k.WithContext(ctx).WithRevealedSecret()
	require.NoError(t, err)
	require.Empty(t, words)
	got, ok := here.SpendSecret()
	require.True(t, ok)
	require.Equal(t, spend, got)
}

// TestNotDeterministic seals unrelated keys, and seed words.
func TestNotDeterministic(t *testing.T) {
	a, b := person(t, "a"), person(t, "b")
	spend, _ := a.SpendSecret()
	k, err := keys.FromSecrets(spend, b.ViewSecret())
	require.NoError(t, err)
	w := &wire{server: signer.New(signer.Host{Random: random})}
	words := []byte("one two three")
	o, err := signer.Transport(w.post).Create(t.Context(), nil, journal.WeakestKDF(), xmr.Mainnet, k, words)
	require.NoError(t, err)
	require.False(t, o.Deterministic)
	for range 2 {
		away, err := o.Keys()
		require.NoError(t, err)
		got, said, _, err := away.WithContext(t.Context()).Reveal()
		require.NoError(t, err)
		require.Equal(t, spend, got)
		require.Equal(t, words, said)
		o, err = signer.Transport(w.post).Unlock(t.Context(), nil, o.Sealed)
		require.NoError(t, err)
	}
	view, err := keys.ViewOnly(k.ViewSecret(), k.SpendPublic)
	require.NoError(t, err)
	_, err = signer.Transport(w.post).Create(t.Context(), nil, journal.WeakestKDF(), xmr.Mainnet, view, nil)
	require.ErrorIs(t, err, keys.ErrKey)
}

// TestTicket: the client passes a ticket in place of a password that it never sees.
func TestTicket(t *testing.T) {
	ctx := t.Context()
	k := person(t, "k")
	_, o, w := apart(t, k, signer.Host{})
	post := signer.Transport(w.post)
	ticket, err := w.server.Admit(password)
	require.NoError(t, err)
	next, err := w.server.Admit([]byte("next"))
	require.NoError(t, err)
	_, err = post.Unlock(ctx, []byte(ticket), o.Sealed)
	require.NoError(t, err)
	_, sealed, err := post.ChangePassword(ctx, o.Sealed, []byte(ticket), []byte(next))
	require.NoError(t, err)
	_, err = post.Unlock(ctx, []byte("next"), sealed)
	require.NoError(t, err)
	_, _, err = post.ChangePassword(ctx, o.Sealed, []byte(ticket), []byte("mine"))
	require.ErrorIs(t, err, signer.ErrRefused, "the client chose the password of this wallet")
	w.server.Withdraw(ticket)
	_, err = post.Unlock(ctx, []byte(ticket), o.Sealed)
	require.ErrorIs(t, err, journal.ErrPassword)
	for range 300 {
		if _, err = w.server.Admit(nil); err != nil {
			break
		}
	}
	require.ErrorIs(t, err, signer.ErrFull)
	w.server.Close()
	_, err = post.Unlock(ctx, []byte(next), sealed)
	require.ErrorIs(t, err, journal.ErrPassword)
	_, err = w.server.Admit(nil)
	require.NoError(t, err)
}

// TestAdmitWallet restores a wallet whose seed only the server sees.
func TestAdmitWallet(t *testing.T) {
	ctx := t.Context()
	k := person(t, "k")
	w := &wire{server: signer.New(signer.Host{Random: random})}
	post := signer.Transport(w.post)
	words := []byte("one two")
	ticket, err := w.server.AdmitWallet(k, words)
	require.NoError(t, err)
	require.True(t, signer.IsTicket(ticket))
	for range 2 {
		o, err := post.CreateFrom(ctx, password, journal.WeakestKDF(), xmr.Regtest, ticket)
		require.NoError(t, err)
		require.Equal(t, k.SpendPublic, o.SpendPublic)
		require.Equal(t, k.ViewSecret(), o.View)
	}
	secret, _ := k.SpendSecret()
	got, said, err := w.server.Secrets(ctx, k.SpendPublic)
	require.NoError(t, err)
	require.Equal(t, secret, got)
	require.Equal(t, words, said)
	_, _, err = w.server.Secrets(ctx, person(t, "alice").SpendPublic)
	require.ErrorIs(t, err, signer.ErrNotOpen)
	w.server.Withdraw(ticket)
	_, err = post.CreateFrom(ctx, password, journal.WeakestKDF(), xmr.Regtest, ticket)
	require.ErrorIs(t, err, signer.ErrRequest)
	require.False(t, w.knows(secret))
	for _, r := range w.requests {
		require.False(t, bytes.Contains(r, secret[:16]))
	}
	view, err := keys.ViewOnly(k.ViewSecret(), k.SpendPublic)
	require.NoError(t, err)
	_, err = w.server.AdmitWallet(view, nil)
	require.ErrorIs(t, err, keys.ErrKey)
}

// TestMinKDF: a client cannot weaken password hashing, and cannot choose passwords where that is not allowed.
func TestMinKDF(t *testing.T) {
	ctx := t.Context()
	k := person(t, "k")
	server := signer.New(
		signer.Host{Random: random, TicketsOnly: true, MinKDF: journal.KDF{Time: 1, MemoryKiB: 64, Lanes: 1}},
	)
	post := server.Transport()
	fair := journal.KDF{Time: 2, MemoryKiB: 64, Lanes: 1}
	ticket, err := server.Admit(password)
	require.NoError(t, err)
	_, err = post.Create(ctx, password, fair, xmr.Regtest, k, nil)
	require.ErrorIs(t, err, signer.ErrRefused)
	_, err = post.Create(ctx, []byte(ticket), journal.WeakestKDF(), xmr.Regtest, k, nil)
	require.ErrorIs(t, err, journal.ErrLimit)
	o, err := post.Create(ctx, []byte(ticket), fair, xmr.Regtest, k, nil)
	require.NoError(t, err)
	_, weak, _ := apart(t, k, signer.Host{})
	for _, sealed := range [][]byte{weak.Sealed, signer.WithoutSecrets(weak.Sealed)} {
		_, err = post.Unlock(ctx, []byte(ticket), sealed)
		require.ErrorIs(t, err, journal.ErrLimit)
	}
	_, err = post.Unlock(ctx, password, o.Sealed)
	require.ErrorIs(t, err, signer.ErrRefused)
	_, err = post.Unlock(ctx, []byte(ticket), o.Sealed)
	require.NoError(t, err)
	bare, err := post.Unlock(ctx, []byte(ticket), signer.WithoutSecrets(o.Sealed))
	require.NoError(t, err)
	require.Nil(t, bare.Wallet)
	require.Equal(t, o.Key, bare.Key)
}

// vault is a keeper that can be locked, like the key store of a phone.
type vault struct {
	locked bool
	asked  int
}

var errLocked = errors.New("locked")

func (v *vault) Wrap(_ context.Context, secret []byte) ([]byte, error) { return flip(secret), nil }

func (v *vault) Unwrap(_ context.Context, wrapped []byte) ([]byte, error) {
	if v.asked++; v.locked {
		return nil, errLocked
	}
	return flip(wrapped), nil
}

func flip(b []byte) []byte {
	b = slices.Clone(b)
	for i := range b {
		b[i] ^= 0xa5
	}
	return b
}

// TestKeeper: the keeper unwraps the secret for each use, and can refuse.
func TestKeeper(t *testing.T) {
	v := &vault{}
	k := person(t, "k")
	away, _, w := apart(t, k, signer.Host{Keeper: v})
	bound := away.WithContext(t.Context())
	for range 2 {
		_, err := proof.SignMessage(random, bound, main, proof.SpendKey, "text")
		require.NoError(t, err)
	}
	require.Equal(t, 2, v.asked)
	v.locked = true
	_, err := proof.SignMessage(random, bound, main, proof.SpendKey, "text")
	require.ErrorContains(t, err, "locked")
	secret, _ := k.SpendSecret()
	require.False(t, w.knows(secret))
	require.NotZero(t, secret, "the caller's keys are not wiped")
}

// FuzzServe sends arbitrary requests: the server answers, and reveals the secret only to Reveal.
func FuzzServe(f *testing.F) {
	k := person(f, "fuzz")
	secret, _ := k.SpendSecret()
	server := signer.New(signer.Host{Random: random})
	var requests [][]byte
	post := signer.Transport(func(ctx context.Context, r []byte) ([]byte, error) {
		requests = append(requests, slices.Clone(r))
		return server.Serve(ctx, slices.Clone(r)), nil
	})
	o, err := post.Create(context.Background(), password, journal.WeakestKDF(), xmr.Regtest, k, nil)
	require.NoError(f, err)
	away, err := o.Keys()
	require.NoError(f, err)
	ask(f, k, away, o, post)
	handle := requests[1][1:17]
	for _, r := range requests {
		f.Add(r)
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		if len(b) > 17 {
			copy(b[1:], handle) // the fuzzer cannot guess the handle
		}
		named := len(b) > 0 && b[0] == requests[len(requests)-1][0]
		if len(b) > 0 && (b[0] == 1 || b[0] == 4) {
			return // created wallets would fill the server, and closing ends the test
		}
		if at := bytes.Index(b, o.Sealed[:8]); at >= 0 && !bytes.HasPrefix(b[at:], o.Sealed[:20]) {
			return // trying passwords may need 256 MiB, which a sealed key may demand
		}
		answer := server.Serve(context.Background(), slices.Clone(b))
		require.NotEmpty(t, answer)
		require.True(t, named || !bytes.Contains(answer, secret[:16]))
	})
}

// ask sends every kind of request once, Reveal last.
func ask(t testing.TB, k, away *keys.Keys, o *signer.OpenedWallet, post signer.Transport) {
	t.Helper()
	ctx := context.Background()
	bound := away.WithContext(ctx)
	plan, rings := payment(t, k, main, []uint64{5e12, 4e12})
	plan.Destinations = plan.Destinations[:0]
	for range 2 {
		plan.Destinations = append(plan.Destinations, destination(t))
	}
	result, err := o.Wallet.SignPlan(ctx, plan, rings)
	require.NoError(t, err)
	held, txs := holdings(t, k, result)
	_, err = proof.ProveReserve(random, bound, held, txs, "text")
	require.NoError(t, err)
	in := &result.Inputs[0]
	_, err = o.Wallet.ProveSpend(ctx, result.ID, result.Tx, [][]xmr.PublicKey{{in.Key}, {in.Key}}, []keys.OwnOutput{
		{Derivation: in.Derivation, Index: in.Index, Address: in.Address, Key: in.Key}, {}}, "text")
	require.Error(t, err)
	_, err = proof.SignMessage(random, bound, sub, proof.ViewKey, "text")
	require.NoError(t, err)
	outputs := []keys.OwnOutput{named(in), named(&result.Inputs[1])}
	require.NoError(t, away.FetchKeyImages(ctx, outputs))
	next, _ := carrotOutput(t, k, sub)
	_, err = o.Wallet.KeyImages(ctx, []keys.OwnOutput{outputs[0], next})
	require.NoError(t, err)
	_, err = o.Wallet.SignImages(ctx, outputs)
	require.NoError(t, err)
	_, err = o.Wallet.MultisigSecret(ctx)
	require.NoError(t, err)
	_, err = post.Unlock(ctx, password, o.Sealed)
	require.NoError(t, err)
	_, _, err = post.ChangePassword(ctx, o.Sealed, password, []byte("next"))
	require.NoError(t, err)
	_, _, err = o.Wallet.Reveal(ctx)
	require.NoError(t, err)
}

// FuzzAnswer passes arbitrary answers to the client: it returns an error, or a result that fits the request.
func FuzzAnswer(f *testing.F) {
	k := person(f, "fuzz")
	away, o, w := apart(f, k, signer.Host{})
	ask(f, k, away, o, w.post)
	for _, a := range w.answers {
		f.Add(a)
	}
	f.Add([]byte{1, 1, 0, 2, 'n', 'o'})
	plan, rings := payment(f, k, main, []uint64{5e12, 4e12}, destination(f))
	f.Fuzz(func(t *testing.T, answer []byte) {
		ctx := t.Context()
		post := signer.Transport(func(context.Context, []byte) ([]byte, error) { return slices.Clone(answer), nil })
		if got, err := post.Unlock(ctx, nil, nil); err == nil && got.Wallet != nil {
			_, err := got.Keys()
			require.NoError(t, err)
			images, err := got.Wallet.KeyImages(ctx, make([]keys.OwnOutput, 2))
			require.True(t, err != nil || len(images) <= 2)
			signed, err := got.Wallet.SignImages(ctx, make([]keys.OwnOutput, 2))
			require.True(t, err != nil || len(signed) <= 2)
		}
		_, _, _ = post.ChangePassword(ctx, nil, nil, nil)
		unopened := signer.UnopenedWallet(post, k)
		if images, err := unopened.KeyImages(ctx, make([]keys.OwnOutput, 2)); err == nil {
			require.LessOrEqual(t, len(images), 2)
		}
		if result, err := unopened.SignPlan(ctx, plan, rings); err == nil {
			require.NotNil(t, result.Tx)
			require.LessOrEqual(t, len(result.Inputs), 2)
		}
		if _, words, err := unopened.Reveal(ctx); err == nil {
			require.LessOrEqual(t, len(words), 1024)
		}
		_, _ = unopened.SignMessage(ctx, main, proof.SpendKey, "")
		_, _ = unopened.SignImages(ctx, make([]keys.OwnOutput, 2))
		_, _ = unopened.MultisigSecret(ctx)
	})
}
