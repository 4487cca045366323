package carrot

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"glim/core/address"
	"glim/core/crypto/edwards"
	"glim/core/keys"
	"glim/core/xmr"
)

// TestRoundTrips sends enotes of all kinds to all addresses of both kinds of wallets, and finds and opens them.
func TestRoundTrips(t *testing.T) {
	for n, version := range versions {
		r := version.rules
		stranger := newRandom(99).master(t, r)
		for _, s := range send(t, r, byte(n)) {
			t.Run(fmt.Sprint(r, "/", s.kind, "/", s.to, "/", s.index), func(t *testing.T) {
				got, _ := s.scan(&s.enote, &s.id)
				s.opens(t, r, &got)
				_, ok := stranger.ScanAll(&s.enote, &s.id)
				require.False(t, ok, "another wallet finds it")
				if s.kind == internal {
					_, ok := s.to.Scan(&s.enote, &s.id)
					require.False(t, ok, "the view key finds an internal enote")
				} else if m, ok := s.to.(*Master); ok {
					_, ok := m.ScanInternal(&s.enote)
					require.False(t, ok, "an internal scan finds what others sent")
				}
				_, ok = s.scan(&s.enote, nil)
				require.Equal(t, s.kind != integrated, ok, "without the payment ID")
			})
		}
	}
}

// opens requires that the wallet's secrets are those of the output and its commitment, and that the key image follows
// from them.
func (s *sent) opens(t *testing.T, r *Rules, got *Received) {
	require.Equal(t, s.enote.Commitment, edwards.Commit(got.Mask, got.Amount).Encode())
	x, y, err := s.to.Opening(got, s.index)
	require.NoError(t, err)
	require.Equal(t, s.enote.Key, xmr.PublicKey(r.outputKey(x, y).Encode()))
	image, err := s.to.KeyImage(got, s.index)
	require.NoError(t, err)
	hash := r.HashToPoint(s.enote.Key[:])
	require.Equal(t, image, xmr.KeyImage(hash.ScalarMult(x, hash).Encode()))
	require.NotEqual(t, image, r.KeyImage(LegacyOutput, s.enote.Key, x))
	for _, other := range indices {
		if other != s.index {
			_, _, err := s.to.Opening(got, other)
			require.ErrorIs(t, err, ErrMismatch)
			_, err = s.to.KeyImage(got, other)
			require.ErrorIs(t, err, ErrMismatch)
		}
	}
}

// TestCoinbase pays the main address of both kinds of wallets.
func TestCoinbase(t *testing.T) {
	for _, version := range versions {
		r, random := version.rules, newRandom(7)
		carrot, legacy := random.master(t, r), random.legacy(t, r)
		for _, w := range []spender{carrot, legacy} {
			p := &Payment{To: w.Address(xmr.Mainnet, keys.Index{}), Amount: 600000000000, Anchor: random.anchor(t)}
			e, err := r.NewCoinbaseEnote(p, 3_500_000)
			require.NoError(t, err)
			got, ok := w.ScanCoinbase(e)
			require.True(t, ok)
			require.Equal(t, w.SpendKey(keys.Index{}), got.Spend)
			require.Equal(t, p.Amount, got.Amount)
			require.Equal(t, PaymentEnote, got.Type)
			require.Equal(t, edwards.CommitPublic(p.Amount).Encode(), edwards.Commit(got.Mask, got.Amount).Encode())
			x, y, err := w.Opening(&got, keys.Index{})
			require.NoError(t, err)
			require.Equal(t, e.Key, xmr.PublicKey(r.outputKey(x, y).Encode()))
			image, err := w.KeyImage(&got, keys.Index{})
			require.NoError(t, err)
			require.Equal(t, r.KeyImage(CarrotOutput, e.Key, x), image)
			_, ok = random.master(t, r).ScanCoinbase(e)
			require.False(t, ok)

			p.To = w.Address(xmr.Mainnet, indices[1])
			_, err = r.NewCoinbaseEnote(p, 1)
			require.ErrorIs(t, err, ErrAddress)
			p.To = w.Integrated(xmr.Mainnet, [8]byte{1})
			_, err = r.NewCoinbaseEnote(p, 1)
			require.ErrorIs(t, err, ErrAddress)
		}
	}
}

// TestTiers makes each tier from what the one above exports, and compares them.
func TestTiers(t *testing.T) {
	for n, version := range versions {
		r := version.rules
		m := newRandom(8).master(t, r)
		all, err := NewViewAll(r, m.BalanceSecret(), m.PartialSpendKey())
		require.NoError(t, err)
		spend, account, mainView := m.AccountKeys()
		received, err := NewViewReceived(r, all.ViewSecret(), all.AddressSecret(), spend)
		require.NoError(t, err)
		addresses, err := NewGenerateAddress(received.AddressSecret(), spend, account, mainView)
		require.NoError(t, err)
		incoming, err := NewIncoming(r, received.ViewSecret(), spend)
		require.NoError(t, err)
		own := NewInternal(r, all.BalanceSecret())
		for _, i := range indices {
			a := m.Address(xmr.Stagenet, i)
			require.Equal(t, a, all.Address(xmr.Stagenet, i))
			require.Equal(t, a, received.Address(xmr.Stagenet, i))
			require.Equal(t, a, addresses.Address(xmr.Stagenet, i))
			parsed, err := address.Parse(a.String())
			require.NoError(t, err)
			require.Equal(t, a, parsed, "an address like those of today")
			require.Equal(t, a.Spend, addresses.SpendKey(i))
		}
		id := [8]byte{1, 2, 3}
		require.Equal(t, m.Integrated(xmr.Mainnet, id), addresses.Integrated(xmr.Mainnet, id))

		// What the tiers of a wallet find.
		for _, s := range send(t, r, byte(20+n)) {
			owner, ok := s.to.(*Master)
			if !ok {
				continue
			}
			all, err := NewViewAll(r, owner.BalanceSecret(), owner.PartialSpendKey())
			require.NoError(t, err)
			found, ok := all.ScanAll(&s.enote, &s.id)
			require.True(t, ok)
			byOwner, err := owner.KeyImage(&found, s.index)
			require.NoError(t, err)
			byViewer, err := all.KeyImage(&found, s.index)
			require.NoError(t, err)
			require.Equal(t, byOwner, byViewer, "view-all sees where it is spent")
			part, err := NewIncoming(r, owner.ViewSecret(), owner.SpendKey(keys.Index{}))
			require.NoError(t, err)
			_, ok = part.Scan(&s.enote, &s.id)
			require.Equal(t, s.kind != internal, ok)
			_, ok = NewInternal(r, owner.BalanceSecret()).ScanInternal(&s.enote)
			require.Equal(t, s.kind == internal, ok)
		}
		_, ok := incoming.Scan(&Enote{}, nil)
		require.False(t, ok)
		_, ok = own.ScanInternal(&Enote{})
		require.False(t, ok)
	}
}

// TestLegacyAddresses: a wallet made today has the addresses of today, and needs the spend key to spend.
func TestLegacyAddresses(t *testing.T) {
	k, err := keys.FromSeed([32]byte{3})
	require.NoError(t, err)
	m, err := NewLegacyMaster(Default, k)
	require.NoError(t, err)
	for _, i := range indices {
		spend, view := k.Address(i)
		require.Equal(t, address.At(xmr.Mainnet, i, spend, view), m.Address(xmr.Mainnet, i))
		require.Equal(t, spend, m.SpendKey(i))
	}
	watching, err := keys.ViewOnly(k.ViewSecret(), k.SpendPublic)
	require.NoError(t, err)
	_, err = NewLegacyMaster(Default, watching)
	require.ErrorIs(t, err, ErrKey)
	view, err := NewLegacyView(Default, watching)
	require.NoError(t, err)
	p := &Payment{To: m.Address(xmr.Mainnet, indices[1]), Amount: 5, Anchor: [16]byte{1}}
	o, id, err := Default.NewOutput(p, xmr.KeyImage{1})
	require.NoError(t, err)
	found, ok := view.Scan(&o.Enote, &id)
	require.True(t, ok)
	require.Equal(t, view.SpendKey(indices[1]), found.Spend)
}

// TestKeyImagesOfLegacyOutputs: outputs from before the fork keep their key images.
func TestKeyImagesOfLegacyOutputs(t *testing.T) {
	k, err := keys.FromSeed([32]byte{4})
	require.NoError(t, err)
	d, err := edwards.Derive(k.ViewScalar(), edwards.Base().Encode())
	require.NoError(t, err)
	for _, i := range indices {
		output, err := d.PublicKey(2, k.SpendKey(i))
		require.NoError(t, err)
		want, ok, err := k.KeyImage(d, 2, i, output)
		require.NoError(t, err)
		require.True(t, ok)
		x, ok := k.OutputSecret(d, 2, i)
		require.True(t, ok)
		for _, version := range versions {
			require.Equal(t, want, version.rules.KeyImage(LegacyOutput, output, x))
			require.NotEqual(t, want, version.rules.KeyImage(CarrotOutput, output, x))
		}
	}
	x := edwards.ScalarFromUint64(5)
	require.NotEqual(t, Plain.KeyImage(CarrotOutput, xmr.PublicKey{1}, x),
		Personalised.KeyImage(CarrotOutput, xmr.PublicKey{1}, x))
}

// TestSharer computes what wallets share with the senders of all enotes at once, and finds the same.
func TestSharer(t *testing.T) {
	all := send(t, Default, 80)
	var ephemeral [][32]byte
	for _, s := range all {
		ephemeral = append(ephemeral, s.enote.Ephemeral)
	}
	for _, w := range []any{all[0].to, all[len(indices)+1].to} {
		sharer := w.(interface{ NewSharer() *Sharer }).NewSharer()
		list, again := sharer.Shared(ephemeral), sharer.Clone().Shared(ephemeral)
		require.Equal(t, list, again)
		incoming := incomingOf(w)
		for i, s := range all {
			require.Equal(t, incoming.Shared(ephemeral[i]), list[i])
			want, found := incoming.Scan(&s.enote, &s.id)
			got, ok := incoming.ScanShared(&s.enote, &s.id, list[i])
			require.Equal(t, found, ok)
			require.Equal(t, want, got)
			require.Equal(t, s.to == w && s.kind != internal, ok)
		}
	}
}

func incomingOf(w any) *Incoming {
	if m, ok := w.(*Master); ok {
		return &m.Incoming
	}
	return &w.(*LegacyMaster).Incoming
}
