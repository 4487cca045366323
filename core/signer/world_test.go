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
	"glim/core/build"
	"glim/core/chaintest"
	"glim/core/crypto/edwards"
	"glim/core/decoy"
	"glim/core/fee"
	"glim/core/journal"
	"glim/core/keys"
	"glim/core/signer"
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

// wire is a way to a server that keeps all that comes back.
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

// knows reports whether anything that came back holds half a secret, in bytes or as text.
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

// apart returns k as a wallet has it whose secret is at a server.
func apart(t testing.TB, k *keys.Keys, h signer.Host) (*keys.Keys, *signer.Opened, *wire) {
	t.Helper()
	h.Random = random
	w := &wire{server: signer.New(h)}
	o, err := signer.Post(w.post).Create(t.Context(), password, journal.WeakestKDF(), xmr.Regtest, k, nil)
	require.NoError(t, err)
	away, err := o.Keys()
	require.NoError(t, err)
	require.Equal(t, k.SpendPublic, away.SpendPublic)
	require.Equal(t, k.ViewPublic, away.ViewPublic)
	return away, o, w
}

// owned makes an output of k at address i, as another's transaction would.
func owned(t testing.TB, k *keys.Keys, i keys.Index, amount, global uint64) build.Input {
	t.Helper()
	spend, view := k.Address(i)
	d, err := edwards.Derive(random.Scalar(), view)
	require.NoError(t, err)
	key, err := d.PublicKey(0, spend)
	require.NoError(t, err)
	return build.Input{
		TxID: random.Bytes32(), Global: global, Amount: amount, Key: key, Derivation: d, Address: i, Height: global, RingCT: true,
		Mask: edwards.EncodeScalar(keys.CommitmentMask(d.Scalar(0))),
	}
}

func ringAround(in build.Input) decoy.Ring {
	r := decoy.Ring{Real: int(in.Global) % xmr.RingSize}
	for i := range xmr.RingSize {
		m := decoy.Member{Index: in.Global - uint64(r.Real) + uint64(i), Key: random.Point(), Commitment: random.Point()}
		if i == r.Real {
			m.Key, m.Commitment = in.Key, in.Commitment()
		}
		r.Members = append(r.Members, m)
	}
	return r
}

func rate(t testing.TB) build.Rate {
	t.Helper()
	e, err := fee.NewEstimate(fee.CeilingFor(xmr.Regtest), []uint64{20000, 80000, 320000, 4000000}, fee.Quantum)
	require.NoError(t, err)
	return build.Rate{Fees: e, Priority: fee.Slow}
}

// payment is a plan of k's with its rings.
func payment(t testing.TB, k *keys.Keys, back keys.Index, inputs []uint64, to ...build.Destination) (build.Plan, []decoy.Ring) {
	t.Helper()
	plan := build.Plan{Destinations: to, Change: addressOf(k, back), Fee: 3e7}
	var rings []decoy.Ring
	for i, amount := range inputs {
		in := owned(t, k, keys.Index{Major: back.Major, Minor: uint32(i)}, amount, uint64(100000+1000*i))
		plan.Inputs, rings = append(plan.Inputs, in), append(rings, ringAround(in))
	}
	return plan, rings
}

func named(in *build.Input) keys.Output {
	return keys.Output{Derivation: in.Derivation, Index: in.Index, Address: in.Address, Key: in.Key}
}

// destination is a payment to somebody.
func destination(t testing.TB) build.Destination {
	t.Helper()
	return build.Destination{Address: addressOf(person(t, "alice"), sub), Amount: 1e12}
}
