package signer_test

import (
	"context"
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

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
	"glim/core/txbuild"
	"glim/core/xmr"
)

// TestPayments makes the same payments with a local secret and an external signer: fee, weight and change are equal,
// and each recipient finds its payment.
func TestPayments(t *testing.T) {
	k, alice, bob := person(t, "k"), person(t, "alice"), person(t, "bob")
	away, _, w := apart(t, k, signer.Host{})
	integrated, err := addressOf(bob, main).WithPaymentID([8]byte{1, 2, 3})
	require.NoError(t, err)
	to := func(a *keys.Keys, i keys.Index, amount uint64) txbuild.Destination {
		return txbuild.Destination{Address: addressOf(a, i), Amount: amount, Text: "as typed"}
	}
	for name, shape := range map[string]struct {
		inputs []uint64
		to     []txbuild.Destination
		change keys.Index
		modify func(*txbuild.Plan)
	}{
		"one":          {inputs: []uint64{5e12}, to: []txbuild.Destination{to(alice, main, 1e12)}},
		"three inputs": {inputs: []uint64{5e12, 3e12, 7e12}, to: []txbuild.Destination{to(alice, main, 9e12)}},
		"of account 3": {
			inputs: []uint64{5e12, 2e12},
			to:     []txbuild.Destination{to(alice, sub, 6e12)},
			change: keys.Index{Major: 3},
		},
		"two": {
			inputs: []uint64{5e12},
			to:     []txbuild.Destination{to(alice, sub, 1e12), to(bob, main, 2e12)},
		},
		"integrated": {inputs: []uint64{5e12}, to: []txbuild.Destination{{Address: integrated, Amount: 1e12}}},
		"to oneself": {inputs: []uint64{5e12}, to: []txbuild.Destination{to(k, main, 1e12)}},
		"sweep": {
			inputs: []uint64{5e12, 1e12},
			to:     []txbuild.Destination{to(alice, sub, 0)},
			modify: func(p *txbuild.Plan) { p.Sweep = true },
		},
		"recipient pays": {
			inputs: []uint64{5e12},
			to:     []txbuild.Destination{to(alice, main, 1e12)},
			modify: func(p *txbuild.Plan) { p.Subtract = []int{0} },
		},
	} {
		t.Run(name, func(t *testing.T) {
			plan, rings := payment(t, k, shape.change, shape.inputs, shape.to...)
			if shape.modify != nil {
				shape.modify(&plan)
			}
			here, err := txbuild.Construct(random, k, plan, rings, rate(t))
			require.NoError(t, err)
			there, err := txbuild.Construct(random, away.WithContext(t.Context()), plan, rings, rate(t))
			require.NoError(t, err)
			parsed, id, err := tx.ParseWithHash(there.Blob)
			require.NoError(t, err)
			require.Equal(t, id, there.ID)
			require.Equal(t, parsed, there.Tx)
			require.NotEqual(t, here.ID, there.ID)
			require.InDelta(t, here.Fee, there.Fee, 2*20000)
			require.Equal(
				t, here.Change+here.Fee, there.Change+there.Fee+sum(there.Destinations)-sum(here.Destinations),
			)
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
				require.InDelta(t, found(t, p, here.Tx), found(t, p, there.Tx), 2*20000, "received amounts")
			}
		})
	}
	secret, _ := k.SpendSecret()
	require.False(t, w.knows(secret))
}

func sum(list []txbuild.Destination) (n uint64) {
	for _, d := range list {
		n += d.Amount
	}
	return n
}

// found returns what k receives in a transaction.
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

// TestProofs makes every kind of proof with an external signer and checks it.
func TestProofs(t *testing.T) {
	k := person(t, "k")
	away, _, w := apart(t, k, signer.Host{})
	ctx := t.Context()
	bound := away.WithContext(ctx)
	plan, rings := payment(
		t, k, main, []uint64{5e12, 4e12}, txbuild.Destination{Address: addressOf(k, sub), Amount: 6e12},
	)
	paid, err := txbuild.Construct(random, k, plan, rings, rate(t))
	require.NoError(t, err)

	// Spend proof.
	var spent []keys.OwnOutput
	var keysOf [][]xmr.PublicKey
	for i := range paid.Inputs {
		in := &paid.Inputs[i]
		spent = append(
			spent, keys.OwnOutput{Derivation: in.Derivation, Index: in.Index, Address: in.Address, Key: in.Key},
		)
		var ring []xmr.PublicKey
		for _, m := range paid.Rings[i].Members {
			ring = append(ring, m.Key)
		}
		keysOf = append(keysOf, ring)
	}
	text, err := proof.ProveSpend(random, paid.ID, paid.Tx, bound, keysOf, spent, "mine")
	require.NoError(t, err)
	require.NoError(t, proof.CheckSpend(paid.ID, paid.Tx, keysOf, "mine", text))

	// Reserve proof.
	held, txs := holdings(t, k, paid)
	require.Len(t, held, 2)
	text, err = proof.ProveReserve(random, bound, held, txs, "held")
	require.NoError(t, err)
	p, err := proof.ParseReserve(text)
	require.NoError(t, err)
	var sources []proof.FetchedTx
	for _, x := range txs {
		sources = append(sources, proof.FetchedTx{ID: paid.ID, Tx: x, Mined: true})
	}
	total, spentSum, err := p.Check(addressOf(k, main), "held", sources, make([]bool, len(sources)))
	require.NoError(t, err)
	require.Zero(t, spentSum)
	require.Equal(t, paid.Change+6e12, total)

	// Signed messages.
	for _, i := range []keys.Index{main, sub} {
		for _, kind := range []proof.KeyKind{proof.SpendKey, proof.ViewKey} {
			text, err := proof.SignMessage(random, bound, i, kind, "said")
			require.NoError(t, err)
			signed, err := proof.VerifyMessage("said", addressOf(k, i), text)
			require.NoError(t, err)
			require.Equal(t, kind, signed.Key)
		}
	}
	_, err = proof.SignMessage(random, away, main, proof.ViewKey, "the wallet has the view key")
	require.NoError(t, err)

	checkKeyImages(t, k, away, bound, paid)
	checkPrepare(t, k, bound)
	secret, _ := k.SpendSecret()
	require.False(t, w.knows(secret), "no answer contains the secret")
	got, _, ok, err := bound.Reveal()
	require.NoError(t, err)
	require.True(t, ok)
	require.Equal(t, secret, got)
	require.True(t, w.knows(secret), "Reveal does")
}

// checkKeyImages compares key images of the inputs of paid, signed and unsigned, with those of k. away has an external
// signer; bound has one with a context.
func checkKeyImages(t *testing.T, k, away, bound *keys.Keys, paid *txbuild.Result) {
	t.Helper()
	ctx := t.Context()
	outputs := []keys.OwnOutput{named(&paid.Inputs[0]), named(&paid.Inputs[1])}
	signed, err := coldset.SignImages(random, bound, outputs)
	require.NoError(t, err)
	for i, s := range signed {
		require.NoError(t, s.Verify(outputs[i].Key))
		image, ok, err := k.KeyImage(outputs[i].Derivation, outputs[i].Index, outputs[i].Address, outputs[i].Key)
		require.NoError(t, err)
		require.True(t, ok)
		require.Equal(t, image, s.Image)
		_, ok, err = away.KeyImage(outputs[i].Derivation, outputs[i].Index, outputs[i].Address, outputs[i].Key)
		var wanted *keys.UnknownKeyImagesError
		require.ErrorAs(t, err, &wanted)
		require.ErrorIs(t, err, keys.ErrUnknownKeyImage)
		require.False(t, ok)
		require.NoError(t, away.FetchKeyImages(ctx, wanted.Outputs))
		got, ok, err := away.KeyImage(outputs[i].Derivation, outputs[i].Index, outputs[i].Address, outputs[i].Key)
		require.NoError(t, err)
		require.True(t, ok)
		require.Equal(t, image, got)
	}
}

// checkPrepare compares the first multisig messages of k and of bound, which has an external signer.
func checkPrepare(t *testing.T, k, bound *keys.Keys) {
	t.Helper()
	here, err := multisig.Prepare(random, k)
	require.NoError(t, err)
	there, err := multisig.Prepare(random, bound)
	require.NoError(t, err)
	one, err := multisig.ParseKexMessage(here)
	require.NoError(t, err)
	two, err := multisig.ParseKexMessage(there)
	require.NoError(t, err)
	require.Equal(t, one.Signer, two.Signer)
	require.Equal(t, one.Secret, two.Secret)
}

// holdings returns the outputs of k in a transaction.
func holdings(t testing.TB, k *keys.Keys, paid *txbuild.Result) (held []proof.Holding, txs []*tx.Transaction) {
	t.Helper()
	r, err := scan.Run(scan.Job{View: k.ViewSecret(), Txs: []scan.Tx{{ID: paid.ID, Tx: paid.Tx}}})
	require.NoError(t, err)
	for _, f := range r.Found {
		for _, c := range f.Candidates {
			for _, i := range []keys.Index{main, sub} {
				if k.SpendKey(i) != c.SpendKey {
					continue
				}
				o := keys.OwnOutput{
					Derivation: c.Derivation,
					Index:      uint64(c.Output),
					Address:    i,
					Key:        paid.Tx.Outputs[c.Output].Key,
				}
				image, _, err := k.KeyImage(o.Derivation, o.Index, i, o.Key)
				require.NoError(t, err)
				amount, _, ok := scan.Amount(paid.Tx, c.Output, c.Derivation)
				require.True(t, ok)
				held, txs = append(
					held, proof.Holding{OwnOutput: o, TxID: paid.ID, Image: image, Amount: amount},
				), append(txs, paid.Tx)
			}
		}
	}
	return held, txs
}

// TestRefuses sends requests that a server must refuse.
func TestRefuses(t *testing.T) {
	k, alice := person(t, "k"), person(t, "alice")
	away, o, w := apart(t, k, signer.Host{})
	ctx := t.Context()
	post := signer.Transport(w.post)
	settled := func() (txbuild.Plan, []decoy.Ring) {
		plan, rings := payment(
			t, k, main, []uint64{5e12}, txbuild.Destination{Address: addressOf(alice, main), Amount: 1e12},
		)
		plan, err := txbuild.Settle(random, k, plan, rings, rate(t))
		require.NoError(t, err)
		return plan, rings
	}
	plan, rings := settled()
	_, err := o.Wallet.SignPlan(ctx, plan, rings)
	require.NoError(t, err)
	for name, c := range map[string]struct {
		modify func(*txbuild.Plan, []decoy.Ring)
		want   error
	}{
		"pays more than it spends": {
			func(p *txbuild.Plan, _ []decoy.Ring) { p.Destinations[0].Amount = 6e12 }, txbuild.ErrNotPossible,
		},
		"sum of amounts overflows": {
			func(p *txbuild.Plan, _ []decoy.Ring) { p.Destinations[0].Amount = 1<<64 - 1 }, xmr.ErrOverflow,
		},
		"another's output": {
			func(p *txbuild.Plan, _ []decoy.Ring) { p.Inputs[0].Key = random.Point() }, keys.ErrMismatch,
		},
		"another amount":          {func(p *txbuild.Plan, r []decoy.Ring) { p.Inputs[0].Amount++ }, nil},
		"another mask":            {func(p *txbuild.Plan, r []decoy.Ring) { p.Inputs[0].Mask = [32]byte{1} }, nil},
		"real output not in ring": {func(p *txbuild.Plan, r []decoy.Ring) { r[0].Real ^= 1 }, txbuild.ErrMismatch},
		"a short ring": {
			func(p *txbuild.Plan, r []decoy.Ring) { r[0].Members = r[0].Members[:r[0].Real+1] },
			txbuild.ErrMismatch,
		},
		"no amount": {
			func(p *txbuild.Plan, _ []decoy.Ring) { p.Destinations[0].Amount = 0 }, txbuild.ErrZeroAmount,
		},
		"excessive fee": {func(p *txbuild.Plan, _ []decoy.Ring) { p.Fee = 39e11 }, nil},
		"not settled":   {func(p *txbuild.Plan, _ []decoy.Ring) { p.Sweep = true }, signer.ErrRequest},
	} {
		plan, rings := settled()
		c.modify(&plan, rings)
		result, err := o.Wallet.SignPlan(ctx, plan, rings)
		require.Error(t, err, name)
		require.Nil(t, result, name)
		if c.want != nil {
			require.ErrorIs(t, err, c.want, name)
		}
	}
	// On a public chain, the network's ceiling applies.
	plan, rings = settled()
	_, err = txbuild.Sign(random, away.WithContext(ctx), plan, rings, fee.Ceiling{})
	var high *fee.TooHighError
	require.ErrorAs(t, err, &high, "the wallet applies the ceiling, too")

	paid, err := txbuild.Construct(random, k, plan, rings, rate(t))
	require.NoError(t, err)
	in := &paid.Inputs[0]
	refusesProofs(t, k, o.Wallet, paid)
	refusesPasswords(t, k, post, o.Sealed)

	// Requests fail without a signer, and after the wallet is closed.
	_, _, err = (&keys.Keys{}).Signer()
	require.NoError(t, err)
	_, err = proof.SignMessage(random, away, main, proof.SpendKey, "")
	require.ErrorIs(t, err, keys.ErrNoSigner, "without a context")
	require.NoError(t, o.Wallet.Close(ctx))
	_, err = proof.SignMessage(random, away.WithContext(ctx), main, proof.SpendKey, "")
	require.ErrorIs(t, err, signer.ErrNotOpen)
	away.AttachSigner(nil)
	require.ErrorIs(t, away.FetchKeyImages(ctx, []keys.OwnOutput{named(in)}), keys.ErrNoSigner)
	down := signer.Transport(func(context.Context, []byte) ([]byte, error) { return nil, errors.New("down") })
	_, err = down.Unlock(ctx, password, o.Sealed)
	require.ErrorIs(t, err, signer.ErrUnreachable)
}

func refusesProofs(t *testing.T, k *keys.Keys, w *signer.ExternalWallet, paid *txbuild.Result) {
	t.Helper()
	ctx := t.Context()
	held, txs := holdings(t, k, paid)
	_, err := w.ProveReserve(ctx, held, txs, "\x01 as a transaction begins")
	require.ErrorIs(t, err, proof.ErrMessage)
	in := &paid.Inputs[0]
	owned := []keys.OwnOutput{{Derivation: in.Derivation, Index: in.Index, Address: in.Address, Key: in.Key}}
	pruned := *paid.Tx
	pruned.RingCT.Prunable = nil
	_, err = w.ProveSpend(ctx, paid.ID, &pruned, [][]xmr.PublicKey{{in.Key}}, owned, "")
	require.ErrorIs(t, err, proof.ErrTransaction)
	_, err = w.ProveSpend(ctx, random.Bytes32(), paid.Tx, [][]xmr.PublicKey{{in.Key}}, owned, "")
	require.ErrorIs(t, err, proof.ErrTransaction, "a chosen ID")
	foreign := named(in)
	foreign.Key = random.Point()
	_, err = w.KeyImages(ctx, []keys.OwnOutput{named(in), foreign})
	require.ErrorIs(t, err, keys.ErrMismatch)
}

func refusesPasswords(t *testing.T, k *keys.Keys, post signer.Transport, sealed []byte) {
	t.Helper()
	ctx := t.Context()
	_, err := post.Unlock(ctx, []byte("wrong"), sealed)
	require.ErrorIs(t, err, journal.ErrPassword)
	for i := range sealed {
		bent := append([]byte(nil), sealed...)
		bent[i] ^= 1
		_, err = post.Unlock(ctx, password, bent)
		require.Error(t, err, i)
	}
	_, err = post.Create(ctx, password, journal.KDF{Time: 1 << 30, MemoryKiB: 8, Lanes: 1}, xmr.Regtest, k, nil)
	require.ErrorIs(t, err, journal.ErrLimit)
	_, err = post.Create(ctx, password, journal.WeakestKDF(), xmr.Regtest, k, make([]byte, 5000))
	require.Error(t, err)
}

// TestConsent checks what the owner is shown, and that requests fail if the owner refuses.
func TestConsent(t *testing.T) {
	k, alice := person(t, "k"), person(t, "alice")
	var asked []signer.ConsentRequest
	refuse := false
	away, _, _ := apart(t, k, signer.Host{Consent: func(_ context.Context, a signer.ConsentRequest) error {
		asked = append(asked, a)
		if refuse {
			return errors.New("no")
		}
		return nil
	}})
	bound := away.WithContext(t.Context())
	to := txbuild.Destination{Address: addressOf(alice, sub), Amount: 1e12}
	plan, rings := payment(
		t, k, main, []uint64{5e12}, to, txbuild.Destination{Address: addressOf(k, main), Amount: 1e11},
	)
	paid, err := txbuild.Construct(random, bound, plan, rings, rate(t))
	require.NoError(t, err)
	require.Len(t, asked, 1)
	to.Text = to.Address.String()
	require.Equal(t, signer.ConsentRequest{
		Kind: signer.KindPayment, Wallet: k.SpendPublic, Destinations: []txbuild.Destination{to},
		Fee: paid.Fee, In: 5e12, Change: paid.Change + 1e11,
	}, asked[0])

	// Change to a foreign address is shown as a destination.
	plan.Change = addressOf(alice, main)
	paid, err = txbuild.Construct(random, bound, plan, rings, rate(t))
	require.NoError(t, err)
	require.Len(t, asked[1].Destinations, 3)
	require.Zero(t, asked[1].Change)
	require.Equal(t, paid.Change, asked[1].Destinations[2].Amount)
	require.Equal(t, plan.Change.String(), asked[1].Destinations[2].Text)

	refuse = true
	before := len(asked)
	_, err = txbuild.Construct(random, bound, plan, rings, rate(t))
	require.ErrorIs(t, err, signer.ErrRefused)
	_, err = proof.SignMessage(random, bound, main, proof.SpendKey, "text")
	require.ErrorIs(t, err, signer.ErrRefused)
	require.Equal(
		t, signer.ConsentRequest{Kind: signer.KindMessage, Wallet: k.SpendPublic, Text: "text"}, asked[len(asked)-1],
	)
	_, _, _, err = bound.Reveal()
	require.ErrorIs(t, err, signer.ErrRefused)
	_, err = multisig.Prepare(random, bound)
	require.ErrorIs(t, err, signer.ErrRefused)
	_, err = coldset.SignImages(random, bound, []keys.OwnOutput{named(&plan.Inputs[0])})
	require.ErrorIs(t, err, signer.ErrRefused)
	require.Len(t, asked, before+5)
	_, here := bound.SpendSecret()
	require.False(t, here)
	for _, a := range asked {
		require.NotContains(t, a.Kind.String(), "kind(")
	}
}

// TestNoNonceTwice: two equal requests are answered with different nonces, because one nonce for two challenges reveals
// the key.
func TestNoNonceTwice(t *testing.T) {
	k := person(t, "k")
	away, _, w := apart(t, k, signer.Host{})
	first, err := proof.SignMessage(random, away.WithContext(t.Context()), main, proof.SpendKey, "text")
	require.NoError(t, err)
	again, err := proof.SignMessage(random, away.WithContext(t.Context()), main, proof.SpendKey, "text")
	require.NoError(t, err)
	require.NotEqual(t, first, again)
	require.Len(t, w.answers, 3)
}
