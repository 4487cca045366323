package signer_test

import (
	"context"
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"glim/core/build"
	"glim/core/coldset"
	"glim/core/decoy"
	"glim/core/fee"
	"glim/core/internal/proof"
	"glim/core/journal"
	"glim/core/keys"
	"glim/core/multisig"
	"glim/core/scan"
	"glim/core/signer"
	"glim/core/tx"
	"glim/core/xmr"
)

// TestPayments makes the same payments with the secret here and elsewhere: fee, weight and change are the same, and each recipient finds in
// the bytes what was meant for him.
func TestPayments(t *testing.T) {
	k, alice, bob := person(t, "k"), person(t, "alice"), person(t, "bob")
	away, _, w := apart(t, k, signer.Host{})
	integrated, err := addressOf(bob, main).WithPaymentID([8]byte{1, 2, 3})
	require.NoError(t, err)
	to := func(a *keys.Keys, i keys.Index, amount uint64) build.Destination {
		return build.Destination{Address: addressOf(a, i), Amount: amount, Text: "as typed"}
	}
	for name, shape := range map[string]struct {
		inputs []uint64
		to     []build.Destination
		change keys.Index
		bend   func(*build.Plan)
	}{
		"one":            {inputs: []uint64{5e12}, to: []build.Destination{to(alice, main, 1e12)}},
		"three inputs":   {inputs: []uint64{5e12, 3e12, 7e12}, to: []build.Destination{to(alice, main, 9e12)}},
		"of account 3":   {inputs: []uint64{5e12, 2e12}, to: []build.Destination{to(alice, sub, 6e12)}, change: keys.Index{Major: 3}},
		"two":            {inputs: []uint64{5e12}, to: []build.Destination{to(alice, sub, 1e12), to(bob, main, 2e12)}},
		"integrated":     {inputs: []uint64{5e12}, to: []build.Destination{{Address: integrated, Amount: 1e12}}},
		"to oneself":     {inputs: []uint64{5e12}, to: []build.Destination{to(k, main, 1e12)}},
		"sweep":          {inputs: []uint64{5e12, 1e12}, to: []build.Destination{to(alice, sub, 0)}, bend: func(p *build.Plan) { p.Sweep = true }},
		"recipient pays": {inputs: []uint64{5e12}, to: []build.Destination{to(alice, main, 1e12)}, bend: func(p *build.Plan) { p.Subtract = []int{0} }},
	} {
		t.Run(name, func(t *testing.T) {
			plan, rings := payment(t, k, shape.change, shape.inputs, shape.to...)
			if shape.bend != nil {
				shape.bend(&plan)
			}
			here, err := build.Construct(random, k, plan, rings, rate(t))
			require.NoError(t, err)
			there, err := build.Construct(random, away.Within(t.Context()), plan, rings, rate(t))
			require.NoError(t, err)
			parsed, id, err := tx.ParseWithHash(there.Blob)
			require.NoError(t, err)
			require.Equal(t, id, there.ID)
			require.Equal(t, parsed, there.Tx)
			require.NotEqual(t, here.ID, there.ID)
			require.InDelta(t, here.Fee, there.Fee, 2*20000)
			require.Equal(t, here.Change+here.Fee, there.Change+there.Fee+sum(there.Destinations)-sum(here.Destinations))
			require.Equal(t, here.PaymentID, there.PaymentID)
			require.Equal(t, here.Inputs, there.Inputs)
			require.Equal(t, here.Rings, there.Rings)
			require.Len(t, there.AdditionalKeys, len(here.AdditionalKeys))
			require.NotZero(t, there.Key)
			for i := range here.Destinations {
				require.Equal(t, here.Destinations[i].Address, there.Destinations[i].Address)
				require.Equal(t, here.Destinations[i].Text, there.Destinations[i].Text)
			}
			for _, p := range []*keys.Keys{alice, bob, k} {
				require.InDelta(t, found(t, p, here.Tx), found(t, p, there.Tx), 2*20000, "what everybody gets")
			}
		})
	}
	secret, _ := k.SpendSecret()
	require.False(t, w.knows(secret))
}

func sum(list []build.Destination) (n uint64) {
	for _, d := range list {
		n += d.Amount
	}
	return n
}

// found returns what k gets of a transaction.
func found(t testing.TB, k *keys.Keys, x *tx.Transaction) (sum uint64) {
	t.Helper()
	r, err := scan.Run(scan.Job{View: k.ViewSecret(), Txs: []scan.Tx{{Tx: x}}})
	require.NoError(t, err)
	for _, f := range r.Found {
		for _, c := range f.Candidates {
			for _, i := range []keys.Index{main, sub, {Major: 3}} {
				if k.SpendKey(i) == c.SpendKey {
					amount, _, ok := scan.Amount(x, c.Output, c.Derivation)
					require.True(t, ok)
					sum += amount
				}
			}
		}
	}
	return sum
}

// TestProofs makes every kind of proof elsewhere, and checks it as a stranger does.
func TestProofs(t *testing.T) {
	k := person(t, "k")
	away, _, w := apart(t, k, signer.Host{})
	ctx := t.Context()
	bound := away.Within(ctx)
	plan, rings := payment(t, k, main, []uint64{5e12, 4e12}, build.Destination{Address: addressOf(k, sub), Amount: 6e12})
	paid, err := build.Construct(random, k, plan, rings, rate(t))
	require.NoError(t, err)

	// That it was spent.
	var spent []proof.Owned
	var keysOf [][]xmr.PublicKey
	for i := range paid.Inputs {
		in := &paid.Inputs[i]
		spent = append(spent, proof.Owned{Derivation: in.Derivation, Output: in.Index, Address: in.Address, Key: in.Key})
		var ring []xmr.PublicKey
		for _, m := range paid.Rings[i].Members {
			ring = append(ring, m.Key)
		}
		keysOf = append(keysOf, ring)
	}
	text, err := proof.ProveSpend(random, paid.ID, paid.Tx, bound, keysOf, spent, "mine")
	require.NoError(t, err)
	require.NoError(t, proof.CheckSpend(paid.ID, paid.Tx, keysOf, "mine", text))

	// What is held.
	held, txs := holdings(t, k, paid)
	require.Len(t, held, 2)
	text, err = proof.ProveReserve(random, bound, held, txs, "held")
	require.NoError(t, err)
	p, err := proof.ParseReserve(text)
	require.NoError(t, err)
	var sources []proof.Source
	for _, x := range txs {
		sources = append(sources, proof.Source{ID: paid.ID, Tx: x, Mined: true})
	}
	total, gone, err := p.Check(addressOf(k, main), "held", sources, make([]bool, len(sources)))
	require.NoError(t, err)
	require.Zero(t, gone)
	require.Equal(t, paid.Change+6e12, total)

	// Who says something.
	for _, i := range []keys.Index{main, sub} {
		for _, kind := range []proof.KeyKind{proof.SpendKey, proof.ViewKey} {
			text, err := proof.SignMessage(random, bound, i, kind, "said")
			require.NoError(t, err)
			signed, err := proof.VerifyMessage("said", addressOf(k, i), text)
			require.NoError(t, err)
			require.Equal(t, kind, signed.Key)
		}
	}
	_, err = proof.SignMessage(random, away, main, proof.ViewKey, "the view key is here")
	require.NoError(t, err)

	// Key images, and that they are.
	outputs := []keys.Output{named(&paid.Inputs[0]), named(&paid.Inputs[1])}
	signed, err := coldset.SignImages(random, bound, outputs)
	require.NoError(t, err)
	for i, s := range signed {
		require.NoError(t, s.Verify(outputs[i].Key))
		image, ok, err := k.KeyImage(outputs[i].Derivation, outputs[i].Index, outputs[i].Address, outputs[i].Key)
		require.NoError(t, err)
		require.True(t, ok)
		require.Equal(t, image, s.Image)
		_, ok, err = away.KeyImage(outputs[i].Derivation, outputs[i].Index, outputs[i].Address, outputs[i].Key)
		var wanted *keys.WantedError
		require.ErrorAs(t, err, &wanted)
		require.ErrorIs(t, err, keys.ErrWanted)
		require.False(t, ok)
		require.NoError(t, away.Learn(ctx, wanted.Outputs))
		got, ok, err := away.KeyImage(outputs[i].Derivation, outputs[i].Index, outputs[i].Address, outputs[i].Key)
		require.NoError(t, err)
		require.True(t, ok)
		require.Equal(t, image, got)
	}

	// The first round of several signers.
	here, err := multisig.Prepare(random, k)
	require.NoError(t, err)
	there, err := multisig.Prepare(random, bound)
	require.NoError(t, err)
	one, err := multisig.ParseMessage(here)
	require.NoError(t, err)
	two, err := multisig.ParseMessage(there)
	require.NoError(t, err)
	require.Equal(t, one.Signer, two.Signer)
	require.Equal(t, one.Secret, two.Secret)

	secret, _ := k.SpendSecret()
	require.False(t, w.knows(secret), "nothing of all that tells the secret")
	got, _, ok, err := bound.Reveal()
	require.NoError(t, err)
	require.True(t, ok)
	require.Equal(t, secret, got)
	require.True(t, w.knows(secret), "but for who asks for it by name")
}

// holdings returns what k holds of a transaction.
func holdings(t testing.TB, k *keys.Keys, paid *build.Result) (held []proof.Holding, txs []*tx.Transaction) {
	t.Helper()
	r, err := scan.Run(scan.Job{View: k.ViewSecret(), Txs: []scan.Tx{{ID: paid.ID, Tx: paid.Tx}}})
	require.NoError(t, err)
	for _, f := range r.Found {
		for _, c := range f.Candidates {
			for _, i := range []keys.Index{main, sub} {
				if k.SpendKey(i) != c.SpendKey {
					continue
				}
				o := proof.Owned{Derivation: c.Derivation, Output: uint64(c.Output), Address: i, Key: paid.Tx.Outputs[c.Output].Key}
				image, _, err := k.KeyImage(o.Derivation, o.Output, i, o.Key)
				require.NoError(t, err)
				amount, _, ok := scan.Amount(paid.Tx, c.Output, c.Derivation)
				require.True(t, ok)
				held, txs = append(held, proof.Holding{Owned: o, TxID: paid.ID, Image: image, Amount: amount}), append(txs, paid.Tx)
			}
		}
	}
	return held, txs
}

// TestRefuses asks a server for what it must not do.
func TestRefuses(t *testing.T) {
	k, alice := person(t, "k"), person(t, "alice")
	away, o, w := apart(t, k, signer.Host{})
	ctx := t.Context()
	post := signer.Post(w.post)
	settled := func() (build.Plan, []decoy.Ring) {
		plan, rings := payment(t, k, main, []uint64{5e12}, build.Destination{Address: addressOf(alice, main), Amount: 1e12})
		plan, err := build.Settle(random, k, plan, rings, rate(t))
		require.NoError(t, err)
		return plan, rings
	}
	plan, rings := settled()
	_, err := o.Place.SignPlan(ctx, plan, rings)
	require.NoError(t, err)
	for name, c := range map[string]struct {
		bend func(*build.Plan, []decoy.Ring)
		want error
	}{
		"pays more than it spends": {func(p *build.Plan, _ []decoy.Ring) { p.Destinations[0].Amount = 6e12 }, build.ErrNotPossible},
		"amounts beyond counting":  {func(p *build.Plan, _ []decoy.Ring) { p.Destinations[0].Amount = 1<<64 - 1 }, xmr.ErrOverflow},
		"another's output":         {func(p *build.Plan, _ []decoy.Ring) { p.Inputs[0].Key = random.Point() }, keys.ErrMismatch},
		"another amount":           {func(p *build.Plan, r []decoy.Ring) { p.Inputs[0].Amount++ }, nil},
		"another mask":             {func(p *build.Plan, r []decoy.Ring) { p.Inputs[0].Mask = [32]byte{1} }, nil},
		"a ring without it":        {func(p *build.Plan, r []decoy.Ring) { r[0].Real ^= 1 }, build.ErrInsane},
		"a short ring":             {func(p *build.Plan, r []decoy.Ring) { r[0].Members = r[0].Members[:r[0].Real+1] }, build.ErrInsane},
		"no amount":                {func(p *build.Plan, _ []decoy.Ring) { p.Destinations[0].Amount = 0 }, build.ErrZeroAmount},
		"a fee that is a gift":     {func(p *build.Plan, _ []decoy.Ring) { p.Fee = 39e11 }, nil},
		"not settled":              {func(p *build.Plan, _ []decoy.Ring) { p.Sweep = true }, signer.ErrRequest},
	} {
		plan, rings := settled()
		c.bend(&plan, rings)
		result, err := o.Place.SignPlan(ctx, plan, rings)
		require.Error(t, err, name)
		require.Nil(t, result, name)
		if c.want != nil {
			require.ErrorIs(t, err, c.want, name)
		}
	}
	// On a chain that is no private one, fees are bounded by the network's.
	plan, rings = settled()
	_, err = build.Sign(random, away.Within(ctx), plan, rings, fee.Ceiling{})
	var high *fee.TooHighError
	require.ErrorAs(t, err, &high, "and by the wallet's own ceiling")

	paid, err := build.Construct(random, k, plan, rings, rate(t))
	require.NoError(t, err)
	held, txs := holdings(t, k, paid)
	_, err = o.Place.ProveReserve(ctx, held, txs, "\x01 as a transaction begins")
	require.ErrorIs(t, err, proof.ErrMessage)
	in := &paid.Inputs[0]
	owned := []proof.Owned{{Derivation: in.Derivation, Output: in.Index, Address: in.Address, Key: in.Key}}
	pruned := *paid.Tx
	pruned.RingCT.Prunable = nil
	_, err = o.Place.ProveSpend(ctx, paid.ID, &pruned, [][]xmr.PublicKey{{in.Key}}, owned, "")
	require.ErrorIs(t, err, proof.ErrTransaction)
	_, err = o.Place.ProveSpend(ctx, random.Bytes32(), paid.Tx, [][]xmr.PublicKey{{in.Key}}, owned, "")
	require.ErrorIs(t, err, proof.ErrTransaction, "an ID of one's choice")
	stranger := named(in)
	stranger.Key = random.Point()
	_, err = o.Place.KeyImages(ctx, []keys.Output{named(in), stranger})
	require.ErrorIs(t, err, keys.ErrMismatch)

	_, err = post.Unlock(ctx, []byte("wrong"), o.Sealed)
	require.ErrorIs(t, err, journal.ErrPassword)
	for i := range o.Sealed {
		bent := append([]byte(nil), o.Sealed...)
		bent[i] ^= 1
		_, err = post.Unlock(ctx, password, bent)
		require.Error(t, err, i)
	}
	_, err = post.Create(ctx, password, journal.KDF{Time: 1 << 30, MemoryKiB: 8, Lanes: 1}, xmr.Regtest, k, nil)
	require.ErrorIs(t, err, journal.ErrLimit)
	_, err = post.Create(ctx, password, journal.WeakestKDF(), xmr.Regtest, k, make([]byte, 5000))
	require.Error(t, err)

	// Nobody is asked without a place, nor after it is closed.
	_, _, err = (&keys.Keys{}).Place()
	require.NoError(t, err)
	_, err = proof.SignMessage(random, away, main, proof.SpendKey, "")
	require.ErrorIs(t, err, keys.ErrAway, "not within anything")
	require.NoError(t, o.Place.Close(ctx))
	_, err = proof.SignMessage(random, away.Within(ctx), main, proof.SpendKey, "")
	require.ErrorIs(t, err, signer.ErrGone)
	away.Attach(nil)
	require.ErrorIs(t, away.Learn(ctx, []keys.Output{named(in)}), keys.ErrAway)
	down := signer.Post(func(context.Context, []byte) ([]byte, error) { return nil, errors.New("down") })
	_, err = down.Unlock(ctx, password, o.Sealed)
	require.ErrorIs(t, err, signer.ErrUnreachable)
}

// TestConsent has the owner see what is going to be signed, and refuse.
func TestConsent(t *testing.T) {
	k, alice := person(t, "k"), person(t, "alice")
	var asked []signer.Ask
	refuse := false
	away, _, _ := apart(t, k, signer.Host{Consent: func(_ context.Context, a signer.Ask) error {
		asked = append(asked, a)
		if refuse {
			return errors.New("no")
		}
		return nil
	}})
	bound := away.Within(t.Context())
	to := build.Destination{Address: addressOf(alice, sub), Amount: 1e12}
	plan, rings := payment(t, k, main, []uint64{5e12}, to, build.Destination{Address: addressOf(k, main), Amount: 1e11})
	paid, err := build.Construct(random, bound, plan, rings, rate(t))
	require.NoError(t, err)
	require.Len(t, asked, 1)
	to.Text = to.Address.String()
	require.Equal(t, signer.Ask{Kind: signer.Payment, Wallet: k.SpendPublic, Destinations: []build.Destination{to}, Fee: paid.Fee, In: 5e12,
		Returned: paid.Change + 1e11}, asked[0])

	// Change to somebody else is what it is.
	plan.Change = addressOf(alice, main)
	paid, err = build.Construct(random, bound, plan, rings, rate(t))
	require.NoError(t, err)
	require.Len(t, asked[1].Destinations, 3)
	require.Zero(t, asked[1].Returned)
	require.Equal(t, paid.Change, asked[1].Destinations[2].Amount)
	require.Equal(t, plan.Change.String(), asked[1].Destinations[2].Text)

	refuse = true
	before := len(asked)
	_, err = build.Construct(random, bound, plan, rings, rate(t))
	require.ErrorIs(t, err, signer.ErrRefused)
	_, err = proof.SignMessage(random, bound, main, proof.SpendKey, "text")
	require.ErrorIs(t, err, signer.ErrRefused)
	require.Equal(t, signer.Ask{Kind: signer.Message, Wallet: k.SpendPublic, Text: "text"}, asked[len(asked)-1])
	_, _, _, err = bound.Reveal()
	require.ErrorIs(t, err, signer.ErrRefused)
	_, err = multisig.Prepare(random, bound)
	require.ErrorIs(t, err, signer.ErrRefused)
	_, err = coldset.SignImages(random, bound, []keys.Output{named(&plan.Inputs[0])})
	require.ErrorIs(t, err, signer.ErrRefused)
	require.Len(t, asked, before+5)
	_, here := bound.SpendSecret()
	require.False(t, here)
	for _, a := range asked {
		require.NotContains(t, a.Kind.String(), "kind(")
	}
}

// TestNoNonceTwice: the same question asked twice is answered with other nonces, for one nonce under two challenges is the key.
func TestNoNonceTwice(t *testing.T) {
	k := person(t, "k")
	away, _, w := apart(t, k, signer.Host{})
	first, err := proof.SignMessage(random, away.Within(t.Context()), main, proof.SpendKey, "text")
	require.NoError(t, err)
	again, err := proof.SignMessage(random, away.Within(t.Context()), main, proof.SpendKey, "text")
	require.NoError(t, err)
	require.NotEqual(t, first, again)
	require.Len(t, w.answers, 3)
}
