package txbuild

import (
	"crypto/rand"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"glim/core/address"
	"glim/core/crypto/clsag"
	"glim/core/crypto/edwards"
	"glim/core/decoy"
	"glim/core/keys"
	"glim/core/tx"
	"glim/core/xmr"
)

// union is a wallet whose spend key is split between two signers.
type union struct {
	whole  *keys.Keys // nobody has it
	common *keys.Keys // what both have
	halves [2]*edwards.Scalar
}

func newUnion(t testing.TB) *union {
	t.Helper()
	u := &union{whole: newKeys(t)}
	var err error
	u.common, err = keys.ViewOnly(u.whole.ViewSecret(), u.whole.SpendPublic)
	require.NoError(t, err)
	secret, ok := u.whole.SpendSecret()
	require.True(t, ok)
	u.halves[1], err = edwards.DecodeScalar(secret)
	require.NoError(t, err)
	u.halves[0], err = edwards.RandomScalar(rand.Reader)
	require.NoError(t, err)
	u.halves[1].Subtract(u.halves[1], u.halves[0])
	return u
}

// secret returns the part of an output's secret key with which the maker of a transaction responds.
func (u *union) secret(t testing.TB, in Input) *edwards.Scalar {
	t.Helper()
	whole, ok := u.whole.OutputSecret(in.Derivation, in.Index, in.Address)
	require.True(t, ok)
	return whole.Subtract(whole, u.halves[1])
}

func (u *union) image(t testing.TB, in Input) xmr.KeyImage {
	t.Helper()
	image, ok, err := u.whole.KeyImage(in.Derivation, in.Index, in.Address, in.Key)
	require.NoError(t, err)
	require.True(t, ok)
	return image
}

// pay returns a settled plan with one input per amount.
func (u *union) pay(
	t testing.TB, amounts []uint64, to []Destination, from keys.Index, sweep bool,
) (plan Plan, rings []decoy.Ring, images []xmr.KeyImage) {
	t.Helper()
	plan = Plan{Destinations: to, Change: addressOf(u.whole, keys.Index{Major: from.Major}), Fee: 3e7, Sweep: sweep}
	for i, amount := range amounts {
		in := owned(t, u.whole, keys.Index{Major: from.Major, Minor: uint32(i)}, amount, uint64(100000+1000*i))
		plan.Inputs, rings, images = append(plan.Inputs, in), append(
			rings, ringAround(t, in),
		), append(images, u.image(t, in))
	}
	plan, err := Settle(rand.Reader, u.common, plan, rings, testRate(t))
	require.NoError(t, err)
	return plan, rings, images
}

// terms returns the description of s for another signer.
func terms(s *MultisigTx, plan Plan) *MultisigTerms {
	received := &MultisigTerms{
		Plan:    plan,
		Rings:   slices.Clone(s.Rings),
		Outputs: slices.Clone(s.Outputs),
		Change:  s.Change,
		Entropy: s.Entropy,
	}
	received.Plan.Inputs, received.Plan.Change = slices.Clone(s.Inputs), s.ChangeTo
	for i := range s.Tx.Inputs {
		received.Images = append(received.Images, s.Tx.Inputs[i].KeyImage)
	}
	return received
}

// reread serialises and parses t.
func reread(t testing.TB, in *tx.Transaction) *tx.Transaction {
	t.Helper()
	out, err := tx.Parse(in.Append(nil))
	require.NoError(t, err)
	return out
}

// sign lets both signers sign and returns first challenges and responses.
func (u *union) sign(t testing.TB, maker, second *MultisigTx) (first, responses [][32]byte) {
	t.Helper()
	for i := range maker.Signatures {
		var nonces [2][clsag.Nonces]*edwards.Scalar
		var total clsag.Points
		for j := range clsag.Nonces {
			g, h := edwards.Identity(), edwards.Identity()
			for who := range nonces {
				var err error
				nonces[who][j], err = edwards.RandomScalar(rand.Reader)
				require.NoError(t, err)
				gb, hb := clsag.NoncePoints(maker.Inputs[i].Key, nonces[who][j])
				gp, err := clsag.Nonce(gb)
				require.NoError(t, err)
				hp, err := clsag.Nonce(hb)
				require.NoError(t, err)
				g.Add(g, gp)
				h.Add(h, hp)
			}
			total.G[j], total.H[j] = g.Encode(), h.Encode()
		}
		mine, err := maker.Signatures[i].Challenge(total)
		require.NoError(t, err)
		theirs, err := second.Signatures[i].Challenge(total)
		require.NoError(t, err)
		require.Equal(t, mine.C1, theirs.C1)
		sum := maker.Signatures[i].Respond(mine, nonces[0], u.secret(t, maker.Inputs[i]), maker.Mask(i))
		require.Nil(t, second.Mask(i))
		sum.Add(sum, second.Signatures[i].Respond(theirs, nonces[1], u.halves[1], second.Mask(i)))
		first, responses = append(first, mine.C1), append(responses, edwards.EncodeScalar(sum))
	}
	return first, responses
}

// TestMultisigTx makes transactions of many shapes with two signers, of which the second reconstructs them from their
// description.
func TestMultisigTx(t *testing.T) {
	u, alice, bob := newUnion(t), newKeys(t), newKeys(t)
	main, sub := keys.Index{}, keys.Index{Major: 2, Minor: 7}
	integrated, err := addressOf(bob, main).WithPaymentID([8]byte{1, 2, 3, 4, 5, 6, 7, 8})
	require.NoError(t, err)
	own := addressOf(u.whole, main)
	for name, shape := range map[string]struct {
		inputs []uint64
		to     []Destination
		from   keys.Index
		sweep  bool
	}{
		"one": {
			[]uint64{5e12}, []Destination{{Address: addressOf(alice, main), Amount: 1e12}}, main, false,
		},
		"three inputs": {
			[]uint64{5e12, 3e12, 1e12}, []Destination{{Address: addressOf(alice, main), Amount: 7e12}}, main, false,
		},
		"to a subaddress": {
			[]uint64{5e12},
			[]Destination{{Address: addressOf(alice, sub), Amount: 1e12}},
			keys.Index{Major: 3},
			false,
		},
		"to two kinds": {
			[]uint64{5e12},
			[]Destination{
				{Address: addressOf(alice, sub), Amount: 1e12},
				{Address: addressOf(bob, main), Amount: 2e12},
			},
			main, false,
		},
		"to an integrated address":   {[]uint64{5e12}, []Destination{{Address: integrated, Amount: 1e12}}, main, false},
		"to oneself":                 {[]uint64{5e12}, []Destination{{Address: own, Amount: 1e12}}, main, false},
		"all of it":                  {[]uint64{5e12}, []Destination{{Address: addressOf(alice, main)}}, main, true},
		"all of it to oneself twice": {[]uint64{5e12}, []Destination{{Address: own}, {Address: own}}, main, true},
	} {
		t.Run(name, func(t *testing.T) {
			plan, rings, images := u.pay(t, shape.inputs, shape.to, shape.from, shape.sweep)
			made, err := NewMultisigTx(rand.Reader, u.common, plan, rings, images)
			require.NoError(t, err)
			require.ErrorIs(t, made.Verify(), ErrMismatch, "nobody has signed")
			again, err := Reconstruct(rand.Reader, u.common, terms(made, plan), reread(t, made.Tx))
			require.NoError(t, err)
			require.Equal(t, made.Key, again.Key)
			require.Equal(t, made.AdditionalKeys, again.AdditionalKeys)
			first, responses := u.sign(t, made, again)
			done, id, err := again.Complete(first, responses)
			require.NoError(t, err)
			require.Equal(t, made.Weight, done.Weight())
			_, want, err := tx.ParseWithHash(done.Append(nil))
			require.NoError(t, err)
			require.Equal(t, want, id)
			finished, err := Reconstruct(rand.Reader, u.common, terms(made, plan), reread(t, done))
			require.NoError(t, err)
			require.NoError(t, finished.Verify())
			if name == "to an integrated address" {
				require.Equal(t, integrated.PaymentID[:], made.PaymentID[:8])
			}
		})
	}
}

// TestReconstructRefuses changes the description of a transaction, and the transaction.
func TestReconstructRefuses(t *testing.T) {
	u, alice := newUnion(t), newKeys(t)
	plan, rings, images := u.pay(
		t, []uint64{5e12, 3e12}, []Destination{{Address: addressOf(alice, keys.Index{}), Amount: 6e12}}, keys.Index{},
		false,
	)
	made, err := NewMultisigTx(rand.Reader, u.common, plan, rings, images)
	require.NoError(t, err)
	at := slices.IndexFunc(made.Outputs, func(d Destination) bool { return d.Amount == 6e12 })
	for name, change := range map[string]func(received *MultisigTerms, x *tx.Transaction){
		"another recipient": func(received *MultisigTerms, _ *tx.Transaction) {
			received.Outputs[at].Address = addressOf(newKeys(t), keys.Index{})
		},
		"another amount": func(received *MultisigTerms, _ *tx.Transaction) {
			received.Outputs[at].Amount--
			received.Outputs[1-at].Amount++
		},
		"a lower fee":    func(received *MultisigTerms, _ *tx.Transaction) { received.Plan.Fee-- },
		"outputs turned": func(received *MultisigTerms, _ *tx.Transaction) { slices.Reverse(received.Outputs) },
		"no change":      func(received *MultisigTerms, _ *tx.Transaction) { received.Plan.Change = address.Address{} },
		"another ring": func(received *MultisigTerms, _ *tx.Transaction) {
			received.Rings[0].Members = slices.Clone(received.Rings[0].Members)
			received.Rings[0].Members[15].Index++
		},
		"another real member": func(received *MultisigTerms, _ *tx.Transaction) { received.Rings[0].Real++ },
		"another key image":   func(received *MultisigTerms, _ *tx.Transaction) { received.Images[0][5] ^= 1 },
		"one key image twice": func(received *MultisigTerms, _ *tx.Transaction) {
			received.Images[0] = received.Images[1]
		},
		"an input less": func(
			received *MultisigTerms, _ *tx.Transaction,
		) {
			received.Plan.Inputs = received.Plan.Inputs[1:]
		},
		"other entropy":         func(received *MultisigTerms, _ *tx.Transaction) { received.Entropy[1] ^= 1 },
		"no entropy":            func(received *MultisigTerms, _ *tx.Transaction) { received.Entropy = keys.Secret{} },
		"a fee of its own":      func(_ *MultisigTerms, x *tx.Transaction) { x.RingCT.Fee++ },
		"another payment ID":    func(_ *MultisigTerms, x *tx.Transaction) { x.Extra[len(x.Extra)-1] ^= 1 },
		"an unlock time":        func(_ *MultisigTerms, x *tx.Transaction) { x.UnlockTime = 5 },
		"another output key":    func(_ *MultisigTerms, x *tx.Transaction) { x.Outputs[0].Key = randomPoint(t) },
		"another view tag":      func(_ *MultisigTerms, x *tx.Transaction) { x.Outputs[0].ViewTag++ },
		"another sealed amount": func(_ *MultisigTerms, x *tx.Transaction) { x.RingCT.Ecdh[0].Amount[0]++ },
		"another commitment": func(
			_ *MultisigTerms, x *tx.Transaction,
		) {
			x.RingCT.Commitments[0] = randomPoint(t)
		},
		"another pseudo-output": func(
			_ *MultisigTerms, x *tx.Transaction,
		) {
			x.RingCT.Prunable.PseudoOuts[0] = randomPoint(t)
		},
		"another range proof": func(
			_ *MultisigTerms, x *tx.Transaction,
		) {
			x.RingCT.Prunable.BulletproofsPlus[0].D1[0] ^= 1
		},
		"a response not reduced": func(
			_ *MultisigTerms, x *tx.Transaction,
		) {
			set(x.RingCT.Prunable.CLSAGs[0].S, [32]byte{31: 0xff})
		},
		"an auxiliary of nothing": func(_ *MultisigTerms, x *tx.Transaction) {
			x.RingCT.Prunable.CLSAGs[0].D = edwards.Identity().Encode()
		},
	} {
		received, x := terms(made, plan), reread(t, made.Tx)
		change(received, x)
		_, err := Reconstruct(rand.Reader, u.common, received, x)
		require.ErrorIs(t, err, ErrMismatch, name)
	}
	_, err = Reconstruct(rand.Reader, u.common, terms(made, plan), reread(t, made.Tx))
	require.NoError(t, err)
	_, err = NewMultisigTx(rand.Reader, u.common, plan, rings, images[1:])
	require.ErrorIs(t, err, ErrMismatch)
}

func set(list [][32]byte, to [32]byte) {
	for i := range list {
		list[i] = to
	}
}
