package signer_test

import (
	"bytes"
	"context"
	"encoding/hex"
	"slices"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"glim/core/address"
	"glim/core/chaintest"
	"glim/core/crypto/edwards"
	"glim/core/decoy"
	"glim/core/fee"
	"glim/core/journal"
	"glim/core/keys"
	"glim/core/signer"
	"glim/core/txbuild"
	"glim/core/xmr"
)

var (
	random   = chaintest.NewRandom("signer")
	main     = keys.Index{}
	sub      = keys.Index{Major: 2, Minor: 7}
	password = []byte("pass word")
)

func person(t testing.TB, name string) *keys.Keys {
	t.Helper()
	k, err := keys.FromSeed(chaintest.NewRandom(name).Bytes32())
	require.NoError(t, err)
	return k
}

func addressOf(k *keys.Keys, i keys.Index) address.Address {
	spend, view := k.Address(i)
	a := address.Address{Network: xmr.Regtest, Kind: address.Subaddress, Spend: spend, View: view}
	if i == main {
		a.Kind = address.Standard
	}
	return a
}

// wire is a transport that records all answers.
type wire struct {
	mu       sync.Mutex
	server   *signer.Server
	answers  [][]byte
	requests [][]byte
}

func (w *wire) post(ctx context.Context, request []byte) ([]byte, error) {
	w.mu.Lock()
	s := w.server
	w.requests = append(w.requests, slices.Clone(request))
	w.mu.Unlock()
	answer := s.Serve(ctx, slices.Clone(request))
	w.mu.Lock()
	defer w.mu.Unlock()
	w.answers = append(w.answers, slices.Clone(answer))
	return answer, nil
}

// knows reports whether an answer contains half of a secret, in bytes or as text.
func (w *wire) knows(secret [32]byte) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, a := range w.answers {
		for i := 0; i <= 16; i += 8 {
			half := secret[i:][:16]
			if bytes.Contains(a, half) || bytes.Contains(a, []byte(hex.EncodeToString(half))) {
				return true
			}
		}
	}
	return false
}

// apart returns k with an external signer.
func apart(t testing.TB, k *keys.Keys, h signer.Host) (*keys.Keys, *signer.OpenedWallet, *wire) {
	t.Helper()
	h.Random = random
	w := &wire{server: signer.New(h)}
	o, err := signer.Transport(w.post).Create(t.Context(), password, journal.WeakestKDF(), xmr.Regtest, k, nil)
	require.NoError(t, err)
	away, err := o.Keys()
	require.NoError(t, err)
	require.Equal(t, k.SpendPublic, away.SpendPublic)
	require.Equal(t, k.ViewPublic, away.ViewPublic)
	return away, o, w
}

// owned makes an output that k received at address i.
func owned(t testing.TB, k *keys.Keys, i keys.Index, amount, global uint64) txbuild.Input {
	t.Helper()
	spend, view := k.Address(i)
	d, err := edwards.Derive(random.Scalar(), view)
	require.NoError(t, err)
	key, err := d.PublicKey(0, spend)
	require.NoError(t, err)
	return txbuild.Input{
		TxID: random.Bytes32(), GlobalIndex: global, Amount: amount, Key: key, Derivation: d, Address: i,
		Height: global, RingCT: true,
		Mask: edwards.EncodeScalar(keys.CommitmentMask(d.Scalar(0))),
	}
}

func ringAround(in txbuild.Input) decoy.Ring {
	r := decoy.Ring{Real: int(in.GlobalIndex) % xmr.RingSize}
	for i := range xmr.RingSize {
		m := decoy.Member{
			Index:      in.GlobalIndex - uint64(r.Real) + uint64(i),
			Key:        random.Point(),
			Commitment: random.Point(),
		}
		if i == r.Real {
			m.Key, m.Commitment = in.Key, in.Commitment()
		}
		r.Members = append(r.Members, m)
	}
	return r
}

func rate(t testing.TB) txbuild.Rate {
	t.Helper()
	e, err := fee.NewEstimate(fee.CeilingFor(xmr.Regtest), []uint64{20000, 80000, 320000, 4000000}, fee.Quantum)
	require.NoError(t, err)
	return txbuild.Rate{Fees: e, Priority: fee.Slow}
}

// payment returns a plan for a payment by k, with its rings.
func payment(
	t testing.TB, k *keys.Keys, back keys.Index, inputs []uint64, to ...txbuild.Destination,
) (txbuild.Plan, []decoy.Ring) {
	t.Helper()
	plan := txbuild.Plan{Destinations: to, Change: addressOf(k, back), Fee: 3e7}
	var rings []decoy.Ring
	for i, amount := range inputs {
		in := owned(t, k, keys.Index{Major: back.Major, Minor: uint32(i)}, amount, uint64(100000+1000*i))
		plan.Inputs, rings = append(plan.Inputs, in), append(rings, ringAround(in))
	}
	return plan, rings
}

func named(in *txbuild.Input) keys.OwnOutput {
	return keys.OwnOutput{Derivation: in.Derivation, Index: in.Index, Address: in.Address, Key: in.Key}
}

// destination returns a payment.
func destination(t testing.TB) txbuild.Destination {
	t.Helper()
	return txbuild.Destination{Address: addressOf(person(t, "alice"), sub), Amount: 1e12}
}
