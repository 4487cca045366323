package coldset_test

import (
	"crypto/rand"
	"maps"
	"testing"

	"github.com/stretchr/testify/require"

	"glim/core/address"
	"glim/core/coldset"
	"glim/core/crypto/edwards"
	"glim/core/decoy"
	"glim/core/fee"
	"glim/core/keys"
	"glim/core/scan"
	"glim/core/tx"
	"glim/core/txbuild"
	"glim/core/xmr"
)

func offlineSigner(k *keys.Keys) *coldset.ColdSigner {
	return &coldset.ColdSigner{Network: xmr.Regtest, Keys: k, Ceiling: fee.CeilingFor(xmr.Regtest)}
}

func recordedSet(t testing.TB) *coldset.UnsignedSet {
	t.Helper()
	f := recorded(t)
	u, err := coldset.NewCipher(testKeys(t, "glim cold set"), 1).DecodeUnsigned(unhex(t, f.Unsigned))
	require.NoError(t, err)
	return u
}

// TestSignReferenceSet signs the reference's set and reads the result like its view-only wallet.
func TestSignReferenceSet(t *testing.T) {
	k := testKeys(t, "glim cold set")
	u, f := recordedSet(t), recorded(t)
	// The recording omits outputs that the signer had received before.
	box := coldset.NewCipher(k, 1)
	all, err := box.DecodeOutputs(unhex(t, f.Outputs))
	require.NoError(t, err)
	w := offlineSigner(k)
	w.Images, err = w.Import(all)
	require.NoError(t, err)

	signed, results, err := w.Sign(rand.Reader, u)
	require.NoError(t, err)
	require.Len(t, results, 1)
	require.NotEqual(t, keys.Secret{1}, results[0].Key)
	message, err := box.EncodeSigned(rand.Reader, signed)
	require.NoError(t, err)
	got, err := box.DecodeSigned(message)
	require.NoError(t, err)
	require.Equal(t, signed.Append(nil), got.Append(nil))
	require.Equal(t, w.Images, got.KeyImages)

	theirs, err := box.DecodeSigned(unhex(t, f.Signed))
	require.NoError(t, err)
	require.Empty(t, theirs.KeyImages, "0.18.0.0 discards its list when a set has no outputs")
	require.Len(t, got.Received, len(theirs.Received))
	p, want := got.Transactions[0], theirs.Transactions[0]
	require.NoError(t, coldset.CheckSigned(k, &u.Transactions[0], &p))
	require.Equal(t, keys.Secret{1}, p.Key, "the view-only wallet does not receive the secret")
	require.Equal(t, want.Key, p.Key)
	require.Equal(t, want.Images(), p.Images())
	require.Equal(t, want.KeyImages, p.KeyImages)
	require.Equal(t, want.Fee, p.Fee)
	require.Equal(t, want.Selected, p.Selected)
	require.Equal(t, want.Payments, p.Payments)
	require.Equal(t, len(want.Blob()), len(p.Blob()))
	require.Equal(t, want.Construction.Change, p.Construction.Change)
}

// refusal is a change to a recorded set, and the error of signing it; nil for *fee.TooHighError.
type refusal struct {
	change func(*coldset.UnsignedSet, *coldset.Construction)
	want   error
}

func sourceRefusals() map[string]refusal {
	strange := [32]byte{7}
	return map[string]refusal{
		"locked": {
			func(_ *coldset.UnsignedSet, c *coldset.Construction) { c.UnlockTime = 1 }, coldset.ErrUnsupported,
		},
		"no RingCT": {
			func(_ *coldset.UnsignedSet, c *coldset.Construction) { c.UseRingCT = false }, coldset.ErrUnsupported,
		},
		"no view tags": {
			func(_ *coldset.UnsignedSet, c *coldset.Construction) { c.UseViewTags = false }, coldset.ErrUnsupported,
		},
		"older proof": {
			func(_ *coldset.UnsignedSet, c *coldset.Construction) { c.Bulletproof = 3 }, coldset.ErrUnsupported,
		},
		"small ring": {func(_ *coldset.UnsignedSet, c *coldset.Construction) {
			s := &c.Sources[0]
			s.Ring, s.Real = s.Ring[s.Real:s.Real+1], 0
		}, coldset.ErrUnsupported},
		"multisig": {
			func(_ *coldset.UnsignedSet, c *coldset.Construction) { c.Sources[0].Multisig[3] = strange },
			coldset.ErrMultisig,
		},
		"ring out of order": {func(_ *coldset.UnsignedSet, c *coldset.Construction) {
			r := c.Sources[0].Ring
			r[0].Index, r[1].Index = r[1].Index, r[0].Index
		}, coldset.ErrMalformed},
		"another's output": {func(_ *coldset.UnsignedSet, c *coldset.Construction) {
			s := &c.Sources[0]
			s.Real = (s.Real + 1) % uint64(len(s.Ring))
		}, coldset.ErrNotOurs},
		"another index": {
			func(_ *coldset.UnsignedSet, c *coldset.Construction) { c.Sources[0].Index++ }, coldset.ErrNotOurs,
		},
		"index out of range": {
			func(_ *coldset.UnsignedSet, c *coldset.Construction) { c.Sources[0].Index = 1 << 40 },
			coldset.ErrMalformed,
		},
		"another amount": {func(_ *coldset.UnsignedSet, c *coldset.Construction) {
			c.Sources[0].Amount++
		}, coldset.ErrMalformed},
		"another mask": {
			func(_ *coldset.UnsignedSet, c *coldset.Construction) { c.Sources[0].Mask = strange }, coldset.ErrMalformed,
		},
	}
}

func changeRefusals(foreign *keys.Keys) map[string]refusal {
	return map[string]refusal{
		"change to a foreign address": {func(_ *coldset.UnsignedSet, c *coldset.Construction) {
			for i := range c.Outputs {
				if c.Outputs[i].Spend == c.Change.Spend {
					c.Outputs[i].Spend, c.Outputs[i].View = foreign.SpendPublic, foreign.ViewPublic
				}
			}
			c.Change.Spend, c.Change.View = foreign.SpendPublic, foreign.ViewPublic
		}, coldset.ErrChange},
		"change with a foreign view key": {func(_ *coldset.UnsignedSet, c *coldset.Construction) {
			for i := range c.Outputs {
				if c.Outputs[i].Spend == c.Change.Spend {
					c.Outputs[i].View = foreign.ViewPublic
				}
			}
			c.Change.View = foreign.ViewPublic
		}, coldset.ErrChange},
		"change that is not paid": {func(_ *coldset.UnsignedSet, c *coldset.Construction) {
			c.Outputs = c.Outputs[:0:0]
			c.Outputs = append(c.Outputs, c.Payments[0])
		}, coldset.ErrChange},
		"more change than is paid": {
			func(_ *coldset.UnsignedSet, c *coldset.Construction) { c.Change.Amount = 1 << 62 }, coldset.ErrChange,
		},
		"change differs from its output": {
			func(_ *coldset.UnsignedSet, c *coldset.Construction) { c.Change.Amount-- }, coldset.ErrChange,
		},
		"two change addresses": {func(u *coldset.UnsignedSet, _ *coldset.Construction) {
			two := u.Transactions[0]
			two.Change.Spend, two.Change.View = foreign.SpendPublic, foreign.ViewPublic
			two.Outputs = append([]coldset.DestinationEntry{two.Change}, two.Outputs...)
			two.Sources = append(append([]coldset.SourceEntry{}, two.Sources...), two.Sources...)
			u.Transactions = append(u.Transactions, two)
		}, coldset.ErrChange},
	}
}

func amountRefusals(t *testing.T, k, foreign *keys.Keys) map[string]refusal {
	return map[string]refusal{
		"more out than in": {
			func(_ *coldset.UnsignedSet, c *coldset.Construction) { c.Outputs[0].Amount += 1 << 62 },
			coldset.ErrUnbalanced,
		},
		"overflow": {func(_ *coldset.UnsignedSet, c *coldset.Construction) {
			for i := range c.Outputs {
				c.Outputs[i].Amount = 1 << 63
			}
		}, xmr.ErrOverflow},
		"all to the fee": {func(_ *coldset.UnsignedSet, c *coldset.Construction) {
			for i := range c.Outputs {
				if c.Outputs[i].Spend == c.Change.Spend && c.Outputs[i].Amount == c.Change.Amount {
					c.Outputs[i].Amount, c.Change.Amount = 1, 1
				}
			}
		}, nil},
		"no sources": {
			func(_ *coldset.UnsignedSet, c *coldset.Construction) { c.Sources = nil }, coldset.ErrUnbalanced,
		},
		"same input twice": {func(_ *coldset.UnsignedSet, c *coldset.Construction) {
			c.Sources = append(c.Sources, c.Sources[0])
			for i := range c.Outputs {
				if c.Outputs[i].Spend == c.Change.Spend && c.Outputs[i].Amount == c.Change.Amount {
					c.Outputs[i].Amount += c.Sources[0].Amount
					c.Change.Amount += c.Sources[0].Amount
					return
				}
			}
		}, txbuild.ErrMismatch},
		"payment ID for a subaddress": {func(_ *coldset.UnsignedSet, c *coldset.Construction) {
			for i := range c.Outputs {
				c.Outputs[i].Subaddress = true
			}
			c.Extra = tx.AppendEncryptedPaymentID(nil, [8]byte{1})
		}, coldset.ErrPaymentID},
		"long payment ID": {func(_ *coldset.UnsignedSet, c *coldset.Construction) {
			c.Extra = tx.AppendPaymentID(nil, xmr.Hash{1})
		}, coldset.ErrUnsupported},
		"broken extra": {
			func(_ *coldset.UnsignedSet, c *coldset.Construction) { c.Extra = []byte{0xff} }, coldset.ErrMalformed,
		},
		"zero payment": {func(_ *coldset.UnsignedSet, c *coldset.Construction) {
			c.Outputs = append(
				c.Outputs, coldset.DestinationEntry{Spend: foreign.SpendPublic, View: foreign.ViewPublic},
			)
		}, txbuild.ErrZeroAmount},
		"gap": {func(u *coldset.UnsignedSet, _ *coldset.Construction) {
			f := recorded(t)
			all, err := coldset.NewCipher(k, 1).DecodeOutputs(unhex(t, f.Outputs))
			require.NoError(t, err)
			u.Outputs = coldset.OutputSet{Offset: 5, Total: 99, Outputs: all.Outputs[5:6]}
		}, coldset.ErrGap},
	}
}

// TestSignRefuses changes the request as a malicious view-only wallet might.
func TestSignRefuses(t *testing.T) {
	k, foreign := testKeys(t, "glim cold set"), testKeys(t, "foreign wallet")
	cases := sourceRefusals()
	maps.Copy(cases, changeRefusals(foreign))
	maps.Copy(cases, amountRefusals(t, k, foreign))
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			u := recordedSet(t)
			u.Outputs = coldset.OutputSet{Paired: true}
			c.change(u, &u.Transactions[0])
			signed, results, err := offlineSigner(k).Sign(rand.Reader, u)
			if c.want == nil {
				var high *fee.TooHighError
				require.ErrorAs(t, err, &high)
			} else {
				require.ErrorIs(t, err, c.want)
			}
			require.Nil(t, signed)
			require.Nil(t, results)
		})
	}
	view, err := keys.ViewOnly(k.ViewSecret(), k.SpendPublic)
	require.NoError(t, err)
	_, _, err = offlineSigner(view).Sign(rand.Reader, recordedSet(t))
	require.ErrorIs(t, err, txbuild.ErrViewOnly)
	_, _, err = offlineSigner(foreign).Sign(rand.Reader, recordedSet(t))
	require.Error(t, err)
}

// TestCheckSigned: a signer returns another transaction than requested.
func TestCheckSigned(t *testing.T) {
	k := testKeys(t, "glim cold set")
	u := recordedSet(t)
	u.Outputs = coldset.OutputSet{Paired: true}
	signed, _, err := offlineSigner(k).Sign(rand.Reader, u)
	require.NoError(t, err)
	c, p := &u.Transactions[0], &signed.Transactions[0]
	view, err := keys.ViewOnly(k.ViewSecret(), k.SpendPublic)
	require.NoError(t, err)
	require.NoError(t, coldset.CheckSigned(view, c, p))
	for name, change := range map[string]func(*coldset.Construction, *tx.Transaction){
		"fee":         func(_ *coldset.Construction, x *tx.Transaction) { x.RingCT.Fee++ },
		"locked":      func(_ *coldset.Construction, x *tx.Transaction) { x.UnlockTime = 1 },
		"pruned":      func(_ *coldset.Construction, x *tx.Transaction) { x.RingCT.Prunable = nil },
		"input":       func(_ *coldset.Construction, x *tx.Transaction) { x.Inputs = nil },
		"ring":        func(_ *coldset.Construction, x *tx.Transaction) { x.Inputs[0].KeyOffsets[0]++ },
		"one output":  func(_ *coldset.Construction, x *tx.Transaction) { x.Outputs = x.Outputs[1:] },
		"less change": func(c *coldset.Construction, _ *tx.Transaction) { c.Change.Amount++; raise(c) },
	} {
		t.Run(name, func(t *testing.T) {
			other, err := tx.Parse(p.Blob())
			require.NoError(t, err)
			asked := *c
			asked.Outputs = append([]coldset.DestinationEntry{}, c.Outputs...)
			asked.Sources = append([]coldset.SourceEntry{}, c.Sources...)
			change(&asked, other)
			altered := *p
			altered.Tx = other
			require.ErrorIs(t, coldset.CheckSigned(view, &asked, &altered), txbuild.ErrMismatch)
		})
	}
}

// raise increases the change output and an input, so that the fee stays the same.
func raise(c *coldset.Construction) {
	for i := range c.Outputs {
		if c.Outputs[i].Spend == c.Change.Spend {
			c.Outputs[i].Amount++
			c.Sources[0].Amount++
			return
		}
	}
}

func randomPoint(t testing.TB) [32]byte {
	t.Helper()
	s, err := edwards.RandomScalar(rand.Reader)
	require.NoError(t, err)
	return new(edwards.Point).ScalarBaseMult(s).Encode()
}

// owned makes an output that k received at address i, with its ring.
func owned(t testing.TB, k *keys.Keys, i keys.Index, amount, global uint64) (txbuild.Input, decoy.Ring) {
	t.Helper()
	spend, view := k.Address(i)
	r, err := edwards.RandomScalar(rand.Reader)
	require.NoError(t, err)
	d, err := edwards.Derive(r, view)
	require.NoError(t, err)
	key, err := d.PublicKey(3, spend)
	require.NoError(t, err)
	in := txbuild.Input{
		TxID: xmr.Hash(randomPoint(t)), Index: 3, GlobalIndex: global, Amount: amount, Key: key, Derivation: d,
		Address: i, RingCT: true,
		Mask: edwards.EncodeScalar(keys.CommitmentMask(d.Scalar(3))),
	}
	ring := decoy.Ring{Real: 5}
	for n := range uint64(xmr.RingSize) {
		m := decoy.Member{Index: global - 5 + n, Key: randomPoint(t), Commitment: randomPoint(t)}
		if n == 5 {
			m.Key, m.Commitment = in.Key, in.Commitment()
		}
		ring.Members = append(ring.Members, m)
	}
	return in, ring
}

// received returns the sum that owner finds in a transaction of plan, and checks the payment ID unless id is nil.
func received(
	t *testing.T, owner *keys.Keys, parsed *tx.Transaction, settled txbuild.Plan, account uint32, id *[8]byte,
) (found uint64) {
	t.Helper()
	mine := map[xmr.PublicKey]bool{}
	for _, d := range append(settled.Destinations, txbuild.Destination{Address: settled.Change}) {
		for _, i := range []keys.Index{{}, {Major: account}, {Major: 4, Minor: 9}} {
			if addressOf(owner, i).Spend == d.Address.Spend {
				mine[d.Address.Spend] = true
			}
		}
	}
	result, err := scan.Run(scan.Job{View: owner.ViewSecret(), Txs: []scan.Tx{{Tx: parsed}}})
	require.NoError(t, err)
	for _, f := range result.Found {
		for _, x := range f.Candidates {
			if !mine[x.SpendKey] {
				continue
			}
			amount, _, ok := scan.Amount(parsed, x.Output, x.Derivation)
			require.True(t, ok)
			found += amount
		}
		if id != nil {
			extra, _ := tx.ParseExtra(parsed.Extra)
			require.Equal(
				t, *id, keys.DecryptPaymentID(f.Main, *extra.EncryptedPaymentID),
			)
		}
	}
	return found
}

// coldPayment is a payment from an account.
type coldPayment struct {
	to      []txbuild.Destination
	account uint32
	sweep   bool
}

func coldPayments(t *testing.T, k, alice, bob *keys.Keys, integrated address.Address) map[string]coldPayment {
	t.Helper()
	zero, err := addressOf(bob, keys.Index{}).WithPaymentID([8]byte{})
	require.NoError(t, err)
	standard, sub := addressOf(alice, keys.Index{}), addressOf(bob, keys.Index{Major: 4, Minor: 9})
	return map[string]coldPayment{
		"standard":   {[]txbuild.Destination{{Address: standard, Amount: 1e12}}, 0, false},
		"subaddress": {[]txbuild.Destination{{Address: sub, Amount: 1e12}}, 3, false},
		"both": {
			[]txbuild.Destination{{Address: sub, Amount: 1e12}, {Address: standard, Amount: 2e12}}, 3, false,
		},
		"integrated": {
			[]txbuild.Destination{{Address: integrated, Amount: 1e12, Text: integrated.String()}}, 0, false,
		},
		"integrated, untold":   {[]txbuild.Destination{{Address: integrated, Amount: 1e12}}, 1, false},
		"integrated with zero": {[]txbuild.Destination{{Address: zero, Amount: 1e12}}, 1, false},
		"integrated among others": {
			[]txbuild.Destination{{Address: sub, Amount: 1e12}, {Address: integrated, Amount: 1e12}}, 1, false,
		},
		"sweep":            {[]txbuild.Destination{{Address: standard}}, 2, true},
		"sweep into three": {[]txbuild.Destination{{Address: sub}, {Address: sub}, {Address: sub}}, 2, true},
		"oneself": {
			[]txbuild.Destination{{Address: addressOf(k, keys.Index{Major: 2}), Amount: 1e12}}, 2, false,
		},
	}
}

// addInputs adds two inputs of k to plan. It returns their rings, and the view-only wallet's outputs with a lookup.
func addInputs(
	t *testing.T, plan *txbuild.Plan, k, view *keys.Keys, account uint32,
) (rings []decoy.Ring, set coldset.OutputSet, at coldset.PositionLookup) {
	t.Helper()
	set.Total = 2
	for n := range uint64(2) {
		in, ring := owned(t, k, keys.Index{Major: account, Minor: uint32(7 * n)}, 3e12, 1000+200*n)
		plan.Inputs, rings = append(plan.Inputs, in), append(rings, ring)
		o, err := coldset.NewExportedOutput(view, &in)
		require.NoError(t, err)
		set.Outputs = append(set.Outputs, o)
	}
	at = func(key xmr.PublicKey) (uint64, bool) {
		for i := range set.Outputs {
			if set.Outputs[i].Key == key {
				return uint64(i), true
			}
		}
		return 0, false
	}
	return rings, set, at
}

// TestColdSigning passes a plan through the bytes of every message to a transaction that the recipients find, for
// accounts and addresses of all kinds.
func TestColdSigning(t *testing.T) {
	k, alice, bob := testKeys(t, "glim cold set"), testKeys(t, "alice"), testKeys(t, "bob")
	view, err := keys.ViewOnly(k.ViewSecret(), k.SpendPublic)
	require.NoError(t, err)
	hot, cold := coldset.NewCipher(view, 1), coldset.NewCipher(k, 1)
	e, err := fee.NewEstimate(fee.CeilingFor(xmr.Regtest), []uint64{20000, 80000, 320000, 4000000}, fee.Quantum)
	require.NoError(t, err)
	rate := txbuild.Rate{Fees: e, Priority: fee.Slow}
	integrated, err := addressOf(bob, keys.Index{}).WithPaymentID([8]byte{8, 7, 6, 5, 4, 3, 2, 1})
	require.NoError(t, err)
	for name, c := range coldPayments(t, k, alice, bob, integrated) {
		t.Run(name, func(t *testing.T) {
			plan := txbuild.Plan{
				Destinations: c.to,
				Change:       addressOf(k, keys.Index{Major: c.account}),
				Fee:          1e9,
				Sweep:        c.sweep,
			}
			rings, set, at := addInputs(t, &plan, k, view, c.account)
			settled, err := txbuild.Settle(rand.Reader, view, plan, rings, rate)
			if name == "integrated among others" {
				require.ErrorIs(t, err, txbuild.ErrPaymentIDs)
				return
			}
			require.NoError(t, err)
			one, err := coldset.NewConstruction(rand.Reader, view, settled, rings, at)
			require.NoError(t, err)
			message, err := hot.EncodeUnsigned(rand.Reader, coldset.NewUnsignedSet([]coldset.Construction{one}, set))
			require.NoError(t, err)

			u, err := cold.DecodeUnsigned(message)
			require.NoError(t, err)
			require.EqualValues(t, 2, u.Version)
			ds, all, err := u.Describe(xmr.Regtest)
			require.NoError(t, err)
			require.Equal(t, settled.Fee, ds[0].Fee)
			require.Equal(t, settled.Fee, all.Fee)
			if c.to[0].Address == integrated {
				require.Equal(t, "0807060504030201", ds[0].PaymentID)
				if c.to[0].Text == "" {
					require.Equal(t, []coldset.Recipient{{Address: integrated, Amount: 1e12}}, ds[0].Recipients)
				}
			}
			signed, results, err := offlineSigner(k).Sign(rand.Reader, u)
			require.NoError(t, err)
			want, err := e.Fee(fee.Slow, results[0].Weight)
			require.NoError(t, err)
			require.Equal(t, settled.Fee, results[0].Fee)
			require.InDelta(t, want, results[0].Fee, 3*20000, "the fee matches the estimated weight")
			back, err := cold.EncodeSigned(rand.Reader, signed)
			require.NoError(t, err)
			got, err := hot.DecodeSigned(back)
			require.NoError(t, err)
			require.NoError(t, coldset.CheckSigned(view, &one, &got.Transactions[0]))
			require.Len(t, got.KeyImages, 2)

			found := uint64(0)
			for _, owner := range []*keys.Keys{k, alice, bob} {
				var id *[8]byte
				if owner == bob && c.to[0].Address.Kind == address.Integrated {
					id = &c.to[0].Address.PaymentID
				}
				found += received(t, owner, got.Transactions[0].Tx, settled, c.account, id)
			}
			require.EqualValues(t, 6e12, found+settled.Fee, "the amounts and the fee add up")
		})
	}
}

// TestNewConstructionRefuses refuses plans that are not settled or do not fit.
func TestNewConstructionRefuses(t *testing.T) {
	k := testKeys(t, "glim cold set")
	in, ring := owned(t, k, keys.Index{}, 3e12, 1000)
	integrated, err := addressOf(testKeys(t, "bob"), keys.Index{}).WithPaymentID([8]byte{1})
	require.NoError(t, err)
	another, err := integrated.Standard().WithPaymentID([8]byte{2})
	require.NoError(t, err)
	plan := txbuild.Plan{
		Inputs:       []txbuild.Input{in},
		Destinations: []txbuild.Destination{{Address: integrated, Amount: 1e12}},
		Change:       addressOf(k, keys.Index{}), Fee: 1e9}
	here := func(xmr.PublicKey) (uint64, bool) { return 0, true }
	for name, c := range map[string]struct {
		change func(*txbuild.Plan, *decoy.Ring)
		want   error
	}{
		"no inputs":      {func(p *txbuild.Plan, _ *decoy.Ring) { p.Inputs = nil }, coldset.ErrMalformed},
		"sweep":          {func(p *txbuild.Plan, _ *decoy.Ring) { p.Sweep = true }, coldset.ErrMalformed},
		"subtract":       {func(p *txbuild.Plan, _ *decoy.Ring) { p.Subtract = []int{0} }, coldset.ErrMalformed},
		"another's ring": {func(_ *txbuild.Plan, r *decoy.Ring) { r.Real++ }, coldset.ErrMalformed},
		"too much":       {func(p *txbuild.Plan, _ *decoy.Ring) { p.Fee = 2e12 + 1 }, coldset.ErrUnbalanced},
		"overflow":       {func(p *txbuild.Plan, _ *decoy.Ring) { p.Fee = 1<<64 - 1 }, xmr.ErrOverflow},
		"two payment IDs": {func(p *txbuild.Plan, _ *decoy.Ring) {
			p.Destinations = append(p.Destinations, txbuild.Destination{Address: another, Amount: 1})
		}, txbuild.ErrPaymentIDs},
		"no derivation": {
			func(p *txbuild.Plan, _ *decoy.Ring) { p.Inputs[0].Derivation = [32]byte{2} }, edwards.ErrPoint,
		},
	} {
		t.Run(name, func(t *testing.T) {
			p, r := plan, ring
			p.Inputs = []txbuild.Input{in}
			c.change(&p, &r)
			_, err := coldset.NewConstruction(rand.Reader, k, p, []decoy.Ring{r}, here)
			require.ErrorIs(t, err, c.want)
		})
	}
	_, err = coldset.NewConstruction(
		rand.Reader, k, plan, []decoy.Ring{ring}, func(xmr.PublicKey) (uint64, bool) { return 0, false },
	)
	require.ErrorIs(t, err, coldset.ErrNotOurs)
	_, err = coldset.NewConstruction(rand.Reader, k, plan, []decoy.Ring{ring}, here)
	require.NoError(t, err)
}
