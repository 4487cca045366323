package txbuild

import (
	"crypto/rand"
	"io"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"glim/core/address"
	"glim/core/crypto/edwards"
	"glim/core/decoy"
	"glim/core/fee"
	"glim/core/keys"
	"glim/core/scan"
	"glim/core/tx"
	"glim/core/xmr"
)

func newKeys(t testing.TB) *keys.Keys {
	t.Helper()
	var seed [32]byte
	_, err := rand.Read(seed[:])
	require.NoError(t, err)
	k, err := keys.FromSeed(seed)
	require.NoError(t, err)
	return k
}

func addressOf(k *keys.Keys, i keys.Index) address.Address {
	spend, view := k.Address(i)
	a := address.Address{Network: xmr.Regtest, Kind: address.Subaddress, Spend: spend, View: view}
	if i == (keys.Index{}) {
		a.Kind = address.Standard
	}
	return a
}

func randomPoint(t testing.TB) [32]byte {
	t.Helper()
	s, err := edwards.RandomScalar(rand.Reader)
	require.NoError(t, err)
	return new(edwards.Point).ScalarBaseMult(s).Encode()
}

// owned makes an output that k received at address i.
func owned(t testing.TB, k *keys.Keys, i keys.Index, amount, global uint64) Input {
	t.Helper()
	spend, view := k.Address(i)
	r, err := edwards.RandomScalar(rand.Reader)
	require.NoError(t, err)
	d, err := edwards.Derive(r, view)
	require.NoError(t, err)
	key, err := d.PublicKey(0, spend)
	require.NoError(t, err)
	in := Input{
		TxID: xmr.Hash(randomPoint(t)), GlobalIndex: global, Amount: amount, Key: key, Derivation: d, Address: i,
		Height: global, RingCT: true, Mask: edwards.EncodeScalar(keys.CommitmentMask(d.Scalar(0))),
	}
	return in
}

func ringAround(t testing.TB, in Input) decoy.Ring {
	t.Helper()
	var r decoy.Ring
	r.Real = int(in.GlobalIndex) % xmr.RingSize
	for i := range xmr.RingSize {
		m := decoy.Member{
			Index:      in.GlobalIndex - uint64(r.Real) + uint64(i),
			Key:        randomPoint(t),
			Commitment: randomPoint(t),
		}
		if i == r.Real {
			m.Key, m.Commitment = in.Key, in.Commitment()
		}
		r.Members = append(r.Members, m)
	}
	return r
}

func testRate(t testing.TB) Rate {
	t.Helper()
	e, err := fee.NewEstimate(fee.CeilingFor(xmr.Regtest), []uint64{20000, 80000, 320000, 4000000}, fee.Quantum)
	require.NoError(t, err)
	return Rate{Fees: e, Priority: fee.Slow}
}

// constructShape is a transaction to make, by the amounts of its inputs.
type constructShape struct {
	inputs []uint64
	to     []Destination
	change keys.Index
}

// constructShapes returns transactions to alice, bob and an integrated address.
func constructShapes(sender, alice, bob *keys.Keys, integrated address.Address) map[string]constructShape {
	main, sub := keys.Index{}, keys.Index{Major: 2, Minor: 7}
	return map[string]constructShape{
		"one to a standard address": {
			[]uint64{5e12}, []Destination{{Address: addressOf(alice, main), Amount: 1e12}}, main,
		},
		"two inputs": {
			[]uint64{5e12, 3e12}, []Destination{{Address: addressOf(alice, main), Amount: 6e12}}, main,
		},
		"to a subaddress": {
			[]uint64{5e12}, []Destination{{Address: addressOf(alice, sub), Amount: 1e12}}, main,
		},
		"to a subaddress, account 3": {
			[]uint64{5e12},
			[]Destination{{Address: addressOf(alice, sub), Amount: 1e12}},
			keys.Index{Major: 3},
		},
		"to two subaddresses": {
			[]uint64{5e12},
			[]Destination{{Address: addressOf(alice, sub), Amount: 1e12}, {Address: addressOf(bob, sub), Amount: 2e12}},
			main,
		},
		"to a subaddress and a primary": {
			[]uint64{5e12},
			[]Destination{
				{Address: addressOf(alice, sub), Amount: 1e12},
				{Address: addressOf(bob, main), Amount: 2e12},
			},
			main,
		},
		"to an integrated address": {[]uint64{5e12}, []Destination{{Address: integrated, Amount: 1e12}}, main},
		"integrated among others": {
			[]uint64{5e12},
			[]Destination{{Address: integrated, Amount: 1e12}, {Address: addressOf(alice, main), Amount: 1e12}}, main,
		},
		"to oneself": {
			[]uint64{5e12}, []Destination{{Address: addressOf(sender, main), Amount: 1e12}}, main,
		},
		"twice the same": {
			[]uint64{5e12},
			[]Destination{
				{Address: addressOf(alice, main), Amount: 1e12},
				{Address: addressOf(alice, main), Amount: 1e12},
			},
			main,
		},
		"fifteen": {
			[]uint64{50e12},
			repeat(Destination{Address: addressOf(alice, sub), Amount: 1e12}, 15),
			main,
		},
	}
}

// TestConstruct builds transactions of many shapes; every recipient finds its payments in the bytes.
func TestConstruct(t *testing.T) {
	sender, alice, bob := newKeys(t), newKeys(t), newKeys(t)
	integrated, err := addressOf(bob, keys.Index{}).WithPaymentID([8]byte{1, 2, 3, 4, 5, 6, 7, 8})
	require.NoError(t, err)
	shapes := constructShapes(sender, alice, bob, integrated)
	for name, shape := range shapes {
		t.Run(name, func(t *testing.T) {
			plan := Plan{Destinations: shape.to, Change: addressOf(sender, shape.change), Fee: 3e7}
			var rings []decoy.Ring
			for i, amount := range shape.inputs {
				in := owned(
					t, sender, keys.Index{Major: shape.change.Major, Minor: uint32(i)}, amount, uint64(100000+1000*i),
				)
				plan.Inputs, rings = append(plan.Inputs, in), append(rings, ringAround(t, in))
			}
			got, err := Construct(rand.Reader, sender, plan, rings, testRate(t))
			if name == "integrated among others" {
				require.ErrorIs(t, err, ErrPaymentIDs)
				return
			}
			require.NoError(t, err)
			parsed, id, err := tx.ParseWithHash(got.Blob)
			require.NoError(t, err)
			require.Equal(t, got.ID, id)
			require.Equal(t, parsed.Weight(), got.Weight)
			want, err := testRate(t).fee(got.Weight)
			require.NoError(t, err)
			require.GreaterOrEqual(t, got.Fee, want)
			require.LessOrEqual(t, got.Fee, want+2*20000, "a byte or two where the estimate's own digits were more")
			in, out, err := plan.sums()
			require.NoError(t, err)
			require.Equal(t, in-out-got.Fee, got.Change)

			expected := map[[32]byte][]uint64{}
			for _, d := range append(shape.to, Destination{Address: plan.Change, Amount: got.Change}) {
				expected[d.Address.Spend] = append(expected[d.Address.Spend], d.Amount)
			}
			found := 0
			for _, k := range []*keys.Keys{sender, alice, bob} {
				result, err := scan.Run(scan.Job{View: k.ViewSecret(), Txs: []scan.Tx{{ID: id, Tx: parsed}}})
				require.NoError(t, err)
				for _, f := range result.Found {
					for _, c := range f.Candidates {
						amounts, ours := expected[c.SpendKey]
						if !ours {
							continue
						}
						amount, _, ok := scan.Amount(parsed, c.Output, c.Derivation)
						require.True(t, ok)
						require.Contains(t, amounts, amount)
						found++
					}
					if name == "to an integrated address" && k == bob {
						extra, _ := tx.ParseExtra(parsed.Extra)
						require.NotNil(t, extra.EncryptedPaymentID)
						require.Equal(t, integrated.PaymentID, keys.DecryptPaymentID(f.Main, *extra.EncryptedPaymentID))
					}
				}
			}
			require.Equal(t, len(shape.to)+1, found)
		})
	}
}

func repeat(d Destination, n int) []Destination {
	out := make([]Destination, n)
	for i := range out {
		out[i] = d
	}
	return out
}

func TestInputSecretsAreForgotten(t *testing.T) {
	k, bob := newKeys(t), newKeys(t)
	in := owned(t, k, keys.Index{}, 5e12, 1000)
	plan := Plan{
		Inputs: []Input{in}, Fee: 3e7,
		Destinations: []Destination{{Address: addressOf(bob, keys.Index{}), Amount: 1e12}},
		Change:       addressOf(k, keys.Index{}),
	}
	for _, random := range []io.Reader{rand.Reader, strings.NewReader("")} {
		d, err := settle(rand.Reader, k, plan, []decoy.Ring{ringAround(t, in)}, testRate(t))
		require.NoError(t, err)
		require.Len(t, d.secrets, 1)
		require.Zero(t, d.secrets[0].Equal(edwards.NewScalar()))
		_, err = d.finish(random)
		require.Equal(t, random == rand.Reader, err == nil)
		require.Equal(t, 1, d.secrets[0].Equal(edwards.NewScalar()))
	}
}

// TestConstructWithoutChange spends everything: a companion output of amount zero hides that there is one recipient.
func TestConstructWithoutChange(t *testing.T) {
	sender, alice := newKeys(t), newKeys(t)
	in := owned(t, sender, keys.Index{}, 5e12, 100000)
	ring := ringAround(t, in)
	plan := Plan{Inputs: []Input{in}, Destinations: []Destination{{
		Address: addressOf(alice, keys.Index{}),
		Amount:  1e12,
	}},
		Change: addressOf(sender, keys.Index{}), Fee: 3e7}
	got, err := Construct(rand.Reader, sender, plan, []decoy.Ring{ring}, testRate(t))
	require.NoError(t, err)

	plan.Destinations[0].Amount, plan.Fee = 5e12-got.Fee, got.Fee
	got, err = Construct(rand.Reader, sender, plan, []decoy.Ring{ring}, testRate(t))
	require.NoError(t, err)
	require.Zero(t, got.Change)
	require.Len(t, got.Tx.Outputs, 2)
}

// TestConstructRefuses checks inputs and rings that do not fit the plan.
func TestConstructRefuses(t *testing.T) {
	sender, stranger := newKeys(t), newKeys(t)
	in := owned(t, sender, keys.Index{}, 5e12, 100000)
	to := []Destination{{Address: addressOf(stranger, keys.Index{}), Amount: 1e12}}
	change := addressOf(sender, keys.Index{})
	ring := ringAround(t, in)

	_, err := Construct(
		rand.Reader, stranger, Plan{Inputs: []Input{in}, Destinations: to, Change: change}, []decoy.Ring{ring},
		testRate(t),
	)
	require.ErrorIs(t, err, keys.ErrMismatch)

	elsewhere := ring
	elsewhere.Real = (ring.Real + 1) % xmr.RingSize
	_, err = Construct(
		rand.Reader, sender, Plan{Inputs: []Input{in}, Destinations: to, Change: change}, []decoy.Ring{elsewhere},
		testRate(t),
	)
	require.ErrorIs(t, err, ErrMismatch)

	richer := in
	richer.Amount++
	_, err = Construct(
		rand.Reader, sender, Plan{Inputs: []Input{richer}, Destinations: to, Change: change}, []decoy.Ring{ring},
		testRate(t),
	)
	require.Error(t, err)

	viewOnly, err := keys.ViewOnly(sender.ViewSecret(), sender.SpendPublic)
	require.NoError(t, err)
	_, err = Construct(
		rand.Reader, viewOnly, Plan{Inputs: []Input{in}, Destinations: to, Change: change}, []decoy.Ring{ring},
		testRate(t),
	)
	require.ErrorIs(t, err, ErrViewOnly)
}

// TestPropose checks the rules for choosing inputs.
func TestPropose(t *testing.T) {
	sender, alice := newKeys(t), newKeys(t)
	available := func(amounts ...uint64) (out []Input) {
		for i, a := range amounts {
			out = append(out, owned(t, sender, keys.Index{}, a, uint64(1000+100*i)))
		}
		return out
	}
	request := func(in []Input, balance uint64, amounts ...uint64) Request {
		r := Request{Available: in, Balance: balance, Change: addressOf(sender, keys.Index{}), Rate: testRate(t)}
		for _, a := range amounts {
			r.Destinations = append(r.Destinations, Destination{Address: addressOf(alice, keys.Index{}), Amount: a})
		}
		return r
	}
	propose := func(r Request) ([]Plan, error) { return Propose(rand.Reader, r) }

	_, err := propose(request(available(1e12), 1e12))
	require.ErrorIs(t, err, ErrNoDestination)
	_, err = propose(request(available(1e12), 1e12, 0))
	require.ErrorIs(t, err, ErrZeroAmount)
	_, err = propose(request(available(1e12), 1e12, 1<<63, 1<<63))
	require.ErrorIs(t, err, xmr.ErrOverflow)
	_, err = propose(request(available(1e12), 1e12, 2e12))
	require.ErrorIs(t, err, ErrNotEnough)
	_, err = propose(request(available(1e12), 3e12, 2e12))
	require.ErrorIs(t, err, ErrNotUnlocked)
	_, err = propose(request(available(1e12), 1e12, 1e12))
	require.ErrorIs(t, err, ErrNotEnough)
	_, err = propose(request(nil, 0, 1))
	require.ErrorIs(t, err, ErrNotEnough)

	plans, err := propose(request(available(1e12, 5e12, 1e12), 7e12, 3e12))
	require.NoError(t, err)
	require.Len(t, plans, 1)
	require.Equal(t, uint64(5e12), plans[0].Inputs[0].Amount, "one that suffices alone")
	require.Len(t, plans[0].Inputs, 2, "and a small one to go with it")

	plans, err = propose(request(available(2e12, 2e12, 3e12), 7e12, 3.5e12))
	require.NoError(t, err)
	require.Len(t, plans[0].Inputs, 2, "two that suffice together")

	plans, err = propose(request(available(1e12, 1e12, 1e12, 1e12, 1e12, 1e12), 6e12, 5.5e12))
	require.NoError(t, err)
	require.Len(t, plans[0].Inputs, 6)

	_, err = propose(request(available(30e12), 30e12, make16(1e12)...))
	require.Error(t, err)
	r := request(available(30e12, 30e12), 60e12, make16(1e12)...)
	r.Split = true
	plans, err = propose(r)
	require.NoError(t, err)
	require.Len(t, plans, 2)
	sum := 0
	for _, p := range plans {
		sum += len(p.Destinations)
		in, out, err := p.sums()
		require.NoError(t, err)
		require.GreaterOrEqual(t, in, out+p.Fee)
	}
	require.Equal(t, 16, sum)
}

func make16(amount uint64) []uint64 {
	out := make([]uint64, 16)
	for i := range out {
		out[i] = amount
	}
	return out
}

// TestProposeMust: required inputs of any address are spent, with others if needed, in one transaction.
func TestProposeMust(t *testing.T) {
	sender, alice := newKeys(t), newKeys(t)
	var available []Input
	for i, a := range []uint64{10e12, 1e12, 1, 2e12, 3e12} {
		available = append(available, owned(t, sender, keys.Index{Minor: uint32(i % 2)}, a, uint64(1000+100*i)))
	}
	for _, must := range [][]int{{1}, {2}, {3}, {2, 3}, {4, 1}, {0, 1, 2, 3, 4}} {
		for _, amount := range []uint64{1, 1e12, 5e12, 12e12} {
			plans, err := Propose(rand.Reader, Request{
				Available: available, Balance: 16e12, Change: addressOf(sender, keys.Index{}), Rate: testRate(t),
				Must:         must,
				Destinations: []Destination{{Address: addressOf(alice, keys.Index{}), Amount: amount}},
			})
			require.NoError(t, err, "%v %d", must, amount)
			require.Len(t, plans, 1)
			in, seen := uint64(0), map[xmr.PublicKey]bool{}
			for _, one := range plans[0].Inputs {
				require.False(t, seen[one.Key], "spent twice")
				in, seen[one.Key] = in+one.Amount, true
			}
			for _, i := range must {
				require.True(t, seen[available[i].Key], "%v %d", must, amount)
			}
			require.GreaterOrEqual(t, in, amount+plans[0].Fee)
		}
	}
}
