package coldset_test

import (
	"crypto/rand"
	"testing"

	"github.com/stretchr/testify/require"

	"glim/core/address"
	"glim/core/build"
	"glim/core/coldset"
	"glim/core/crypto/edwards"
	"glim/core/decoy"
	"glim/core/fee"
	"glim/core/keys"
	"glim/core/scan"
	"glim/core/tx"
	"glim/core/xmr"
)

func offlineSigner(k *keys.Keys) *coldset.Signer {
	return &coldset.Signer{Network: xmr.Regtest, Keys: k, Ceiling: fee.CeilingFor(xmr.Regtest)}
}

func recordedSet(t testing.TB) *coldset.UnsignedSet {
	t.Helper()
	f := recorded(t)
	u, err := coldset.NewBox(testKeys(t, "glim cold set"), 1).DecodeUnsigned(unhex(t, f.Unsigned))
	require.NoError(t, err)
	return u
}

// TestSignTheirs signs the set that the reference wrote and reads the result as the view-only wallet would.
func TestSignTheirs(t *testing.T) {
	k := testKeys(t, "glim cold set")
	u, f := recordedSet(t), recorded(t)
	// The recording leaves out outputs that the other had seen before.
	box := coldset.NewBox(k, 1)
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
	require.Empty(t, theirs.KeyImages, "0.18.0.0 forgets its list when a set brings no outputs")
	require.Len(t, got.Received, len(theirs.Received))
	p, want := got.Transactions[0], theirs.Transactions[0]
	require.NoError(t, coldset.CheckReturned(k, &u.Transactions[0], &p))
	require.Equal(t, keys.Secret{1}, p.Key, "the view-only wallet is not told")
	require.Equal(t, want.Key, p.Key)
	require.Equal(t, want.Images(), p.Images())
	require.Equal(t, want.KeyImages, p.KeyImages)
	require.Equal(t, want.Fee, p.Fee)
	require.Equal(t, want.Selected, p.Selected)
	require.Equal(t, want.Payments, p.Payments)
	require.Equal(t, len(want.Blob()), len(p.Blob()))
	require.Equal(t, want.Construction.Change, p.Construction.Change)
}

// TestSignRefuses alters what was asked for, as a hostile view-only wallet might.
func TestSignRefuses(t *testing.T) {
	k, stranger := testKeys(t, "glim cold set"), testKeys(t, "a stranger")
	var strange [32]byte
	strange[0] = 7
	for name, c := range map[string]struct {
		change func(*coldset.UnsignedSet, *coldset.Construction)
		want   error
	}{
		"locked":       {func(_ *coldset.UnsignedSet, c *coldset.Construction) { c.UnlockTime = 1 }, coldset.ErrUnsupported},
		"no RingCT":    {func(_ *coldset.UnsignedSet, c *coldset.Construction) { c.UseRingCT = false }, coldset.ErrUnsupported},
		"no view tags": {func(_ *coldset.UnsignedSet, c *coldset.Construction) { c.UseViewTags = false }, coldset.ErrUnsupported},
		"older proof":  {func(_ *coldset.UnsignedSet, c *coldset.Construction) { c.Bulletproof = 3 }, coldset.ErrUnsupported},
		"small ring": {func(_ *coldset.UnsignedSet, c *coldset.Construction) {
			s := &c.Sources[0]
			s.Ring, s.Real = s.Ring[s.Real:s.Real+1], 0
		}, coldset.ErrUnsupported},
		"multisig": {func(_ *coldset.UnsignedSet, c *coldset.Construction) { c.Sources[0].Multisig[3] = strange }, coldset.ErrMultisig},
		"ring out of order": {func(_ *coldset.UnsignedSet, c *coldset.Construction) {
			r := c.Sources[0].Ring
			r[0].Index, r[1].Index = r[1].Index, r[0].Index
		}, coldset.ErrMalformed},
		"another's output": {func(_ *coldset.UnsignedSet, c *coldset.Construction) {
			s := &c.Sources[0]
			s.Real = (s.Real + 1) % uint64(len(s.Ring))
		}, coldset.ErrNotOurs},
		"another index": {func(_ *coldset.UnsignedSet, c *coldset.Construction) { c.Sources[0].Index++ }, coldset.ErrNotOurs},
		"absurd index":  {func(_ *coldset.UnsignedSet, c *coldset.Construction) { c.Sources[0].Index = 1 << 40 }, coldset.ErrMalformed},
		"another amount": {func(_ *coldset.UnsignedSet, c *coldset.Construction) {
			c.Sources[0].Amount++
		}, coldset.ErrMalformed},
		"another mask": {func(_ *coldset.UnsignedSet, c *coldset.Construction) { c.Sources[0].Mask = strange }, coldset.ErrMalformed},
		"change to a stranger": {func(_ *coldset.UnsignedSet, c *coldset.Construction) {
			for i := range c.Outputs {
				if c.Outputs[i].Spend == c.Change.Spend {
					c.Outputs[i].Spend, c.Outputs[i].View = stranger.SpendPublic, stranger.ViewPublic
				}
			}
			c.Change.Spend, c.Change.View = stranger.SpendPublic, stranger.ViewPublic
		}, coldset.ErrChange},
		"change nobody can see": {func(_ *coldset.UnsignedSet, c *coldset.Construction) {
			for i := range c.Outputs {
				if c.Outputs[i].Spend == c.Change.Spend {
					c.Outputs[i].View = stranger.ViewPublic
				}
			}
			c.Change.View = stranger.ViewPublic
		}, coldset.ErrChange},
		"change that is not paid": {func(_ *coldset.UnsignedSet, c *coldset.Construction) {
			c.Outputs = c.Outputs[:0:0]
			c.Outputs = append(c.Outputs, c.Payments[0])
		}, coldset.ErrChange},
		"more change than is paid": {func(_ *coldset.UnsignedSet, c *coldset.Construction) { c.Change.Amount = 1 << 62 }, coldset.ErrChange},
		"change not of one piece":  {func(_ *coldset.UnsignedSet, c *coldset.Construction) { c.Change.Amount-- }, coldset.ErrChange},
		"change to two": {func(u *coldset.UnsignedSet, _ *coldset.Construction) {
			two := u.Transactions[0]
			two.Change.Spend, two.Change.View = stranger.SpendPublic, stranger.ViewPublic
			two.Outputs = append([]coldset.Destination{two.Change}, two.Outputs...)
			two.Sources = append(append([]coldset.Source{}, two.Sources...), two.Sources...)
			u.Transactions = append(u.Transactions, two)
		}, coldset.ErrChange},
		"more out than in": {func(_ *coldset.UnsignedSet, c *coldset.Construction) { c.Outputs[0].Amount += 1 << 62 }, coldset.ErrUnbalanced},
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
		"no sources": {func(_ *coldset.UnsignedSet, c *coldset.Construction) { c.Sources = nil }, coldset.ErrUnbalanced},
		"same input twice": {func(_ *coldset.UnsignedSet, c *coldset.Construction) {
			c.Sources = append(c.Sources, c.Sources[0])
			for i := range c.Outputs {
				if c.Outputs[i].Spend == c.Change.Spend && c.Outputs[i].Amount == c.Change.Amount {
					c.Outputs[i].Amount += c.Sources[0].Amount
					c.Change.Amount += c.Sources[0].Amount
					return
				}
			}
		}, build.ErrInsane},
		"payment ID for a subaddress": {func(_ *coldset.UnsignedSet, c *coldset.Construction) {
			for i := range c.Outputs {
				c.Outputs[i].Subaddress = true
			}
			c.Extra = tx.AppendEncryptedPaymentID(nil, [8]byte{1})
		}, coldset.ErrPaymentID},
		"payment ID of old": {func(_ *coldset.UnsignedSet, c *coldset.Construction) {
			c.Extra = tx.AppendPaymentID(nil, xmr.Hash{1})
		}, coldset.ErrUnsupported},
		"broken extra": {func(_ *coldset.UnsignedSet, c *coldset.Construction) { c.Extra = []byte{0xff} }, coldset.ErrMalformed},
		"zero payment": {func(_ *coldset.UnsignedSet, c *coldset.Construction) {
			c.Outputs = append(c.Outputs, coldset.Destination{Spend: stranger.SpendPublic, View: stranger.ViewPublic})
		}, build.ErrZeroAmount},
		"gap": {func(u *coldset.UnsignedSet, _ *coldset.Construction) {
			f := recorded(t)
			all, err := coldset.NewBox(k, 1).DecodeOutputs(unhex(t, f.Outputs))
			require.NoError(t, err)
			u.Outputs = coldset.OutputSet{Offset: 5, Total: 99, Outputs: all.Outputs[5:6]}
		}, coldset.ErrGap},
	} {
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
	require.ErrorIs(t, err, build.ErrViewOnly)
	_, _, err = offlineSigner(stranger).Sign(rand.Reader, recordedSet(t))
	require.Error(t, err)
}

// TestCheckReturned lets a signer return something else than was asked for.
func TestCheckReturned(t *testing.T) {
	k := testKeys(t, "glim cold set")
	u := recordedSet(t)
	u.Outputs = coldset.OutputSet{Paired: true}
	signed, _, err := offlineSigner(k).Sign(rand.Reader, u)
	require.NoError(t, err)
	c, p := &u.Transactions[0], &signed.Transactions[0]
	view, err := keys.ViewOnly(k.ViewSecret(), k.SpendPublic)
	require.NoError(t, err)
	require.NoError(t, coldset.CheckReturned(view, c, p))
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
			asked.Outputs = append([]coldset.Destination{}, c.Outputs...)
			asked.Sources = append([]coldset.Source{}, c.Sources...)
			change(&asked, other)
			altered := *p
			altered.Tx = other
			require.ErrorIs(t, coldset.CheckReturned(view, &asked, &altered), build.ErrInsane)
		})
	}
}

// raise makes the change output larger and an input with it, so that the fee stays.
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

// owned makes an output of k at address i in a ring, as another's transaction would; extra tells of additional keys.
func owned(t testing.TB, k *keys.Keys, i keys.Index, amount, global uint64) (build.Input, decoy.Ring) {
	t.Helper()
	spend, view := k.Address(i)
	r, err := edwards.RandomScalar(rand.Reader)
	require.NoError(t, err)
	d, err := edwards.Derive(r, view)
	require.NoError(t, err)
	key, err := d.PublicKey(3, spend)
	require.NoError(t, err)
	in := build.Input{
		TxID: xmr.Hash(randomPoint(t)), Index: 3, Global: global, Amount: amount, Key: key, Derivation: d, Address: i, RingCT: true,
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

// TestBetweenOurselves goes all the way from a plan to a transaction that the recipients find, through the bytes of every
// message, for accounts and addresses of all kinds.
func TestBetweenOurselves(t *testing.T) {
	k, alice, bob := testKeys(t, "glim cold set"), testKeys(t, "alice"), testKeys(t, "bob")
	view, err := keys.ViewOnly(k.ViewSecret(), k.SpendPublic)
	require.NoError(t, err)
	hot, cold := coldset.NewBox(view, 1), coldset.NewBox(k, 1)
	e, err := fee.NewEstimate(fee.CeilingFor(xmr.Regtest), []uint64{20000, 80000, 320000, 4000000}, fee.Quantum)
	require.NoError(t, err)
	rate := build.Rate{Fees: e, Priority: fee.Slow}
	integrated, err := addressOf(bob, keys.Index{}).WithPaymentID([8]byte{8, 7, 6, 5, 4, 3, 2, 1})
	require.NoError(t, err)
	zero, err := addressOf(bob, keys.Index{}).WithPaymentID([8]byte{})
	require.NoError(t, err)
	standard, sub := addressOf(alice, keys.Index{}), addressOf(bob, keys.Index{Major: 4, Minor: 9})

	for name, c := range map[string]struct {
		to      []build.Destination
		account uint32
		sweep   bool
	}{
		"standard":                {[]build.Destination{{Address: standard, Amount: 1e12}}, 0, false},
		"subaddress":              {[]build.Destination{{Address: sub, Amount: 1e12}}, 3, false},
		"both":                    {[]build.Destination{{Address: sub, Amount: 1e12}, {Address: standard, Amount: 2e12}}, 3, false},
		"integrated":              {[]build.Destination{{Address: integrated, Amount: 1e12, Text: integrated.String()}}, 0, false},
		"integrated, untold":      {[]build.Destination{{Address: integrated, Amount: 1e12}}, 1, false},
		"integrated with zero":    {[]build.Destination{{Address: zero, Amount: 1e12}}, 1, false},
		"integrated among others": {[]build.Destination{{Address: sub, Amount: 1e12}, {Address: integrated, Amount: 1e12}}, 1, false},
		"sweep":                   {[]build.Destination{{Address: standard}}, 2, true},
		"sweep into three":        {[]build.Destination{{Address: sub}, {Address: sub}, {Address: sub}}, 2, true},
		"oneself":                 {[]build.Destination{{Address: addressOf(k, keys.Index{Major: 2}), Amount: 1e12}}, 2, false},
	} {
		t.Run(name, func(t *testing.T) {
			plan := build.Plan{Destinations: c.to, Change: addressOf(k, keys.Index{Major: c.account}), Fee: 1e9, Sweep: c.sweep}
			var rings []decoy.Ring
			set := coldset.OutputSet{Total: 2}
			for n := range uint64(2) {
				in, ring := owned(t, k, keys.Index{Major: c.account, Minor: uint32(7 * n)}, 3e12, 1000+200*n)
				plan.Inputs, rings = append(plan.Inputs, in), append(rings, ring)
				o, err := coldset.NewOutput(view, &in)
				require.NoError(t, err)
				set.Outputs = append(set.Outputs, o)
			}
			at := func(key xmr.PublicKey) (uint64, bool) {
				for i := range set.Outputs {
					if set.Outputs[i].Key == key {
						return uint64(i), true
					}
				}
				return 0, false
			}
			settled, err := build.Settle(rand.Reader, view, plan, rings, rate)
			if name == "integrated among others" {
				require.ErrorIs(t, err, build.ErrPaymentIDs)
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
			require.InDelta(t, want, results[0].Fee, 3*20000, "the weight was foreseen")
			back, err := cold.EncodeSigned(rand.Reader, signed)
			require.NoError(t, err)
			got, err := hot.DecodeSigned(back)
			require.NoError(t, err)
			require.NoError(t, coldset.CheckReturned(view, &one, &got.Transactions[0]))
			require.Len(t, got.KeyImages, 2)

			found := uint64(0)
			parsed := got.Transactions[0].Tx
			for _, who := range []*keys.Keys{k, alice, bob} {
				mine := map[xmr.PublicKey]bool{}
				for _, d := range append(settled.Destinations, build.Destination{Address: settled.Change}) {
					for _, i := range []keys.Index{{}, {Major: c.account}, {Major: 4, Minor: 9}} {
						if addressOf(who, i).Spend == d.Address.Spend {
							mine[d.Address.Spend] = true
						}
					}
				}
				result, err := scan.Run(scan.Job{View: who.ViewSecret(), Txs: []scan.Tx{{Tx: parsed}}})
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
					if who == bob && c.to[0].Address.Kind == address.Integrated {
						extra, _ := tx.ParseExtra(parsed.Extra)
						require.Equal(t, c.to[0].Address.PaymentID, keys.SealPaymentID(f.Main, *extra.EncryptedPaymentID))
					}
				}
			}
			require.EqualValues(t, 6e12, found+settled.Fee, "all of it arrives")
		})
	}
}

// TestNewConstructionRefuses gives plans that are not settled or do not fit.
func TestNewConstructionRefuses(t *testing.T) {
	k := testKeys(t, "glim cold set")
	in, ring := owned(t, k, keys.Index{}, 3e12, 1000)
	integrated, err := addressOf(testKeys(t, "bob"), keys.Index{}).WithPaymentID([8]byte{1})
	require.NoError(t, err)
	another, err := integrated.Standard().WithPaymentID([8]byte{2})
	require.NoError(t, err)
	plan := build.Plan{Inputs: []build.Input{in}, Destinations: []build.Destination{{Address: integrated, Amount: 1e12}},
		Change: addressOf(k, keys.Index{}), Fee: 1e9}
	here := func(xmr.PublicKey) (uint64, bool) { return 0, true }
	for name, c := range map[string]struct {
		change func(*build.Plan, *decoy.Ring)
		want   error
	}{
		"no inputs":      {func(p *build.Plan, _ *decoy.Ring) { p.Inputs = nil }, coldset.ErrMalformed},
		"sweep":          {func(p *build.Plan, _ *decoy.Ring) { p.Sweep = true }, coldset.ErrMalformed},
		"subtract":       {func(p *build.Plan, _ *decoy.Ring) { p.Subtract = []int{0} }, coldset.ErrMalformed},
		"another's ring": {func(_ *build.Plan, r *decoy.Ring) { r.Real++ }, coldset.ErrMalformed},
		"too much":       {func(p *build.Plan, _ *decoy.Ring) { p.Fee = 2e12 + 1 }, coldset.ErrUnbalanced},
		"overflow":       {func(p *build.Plan, _ *decoy.Ring) { p.Fee = 1<<64 - 1 }, xmr.ErrOverflow},
		"two payment IDs": {func(p *build.Plan, _ *decoy.Ring) {
			p.Destinations = append(p.Destinations, build.Destination{Address: another, Amount: 1})
		}, build.ErrPaymentIDs},
		"no derivation": {func(p *build.Plan, _ *decoy.Ring) { p.Inputs[0].Derivation = [32]byte{2} }, edwards.ErrPoint},
	} {
		t.Run(name, func(t *testing.T) {
			p, r := plan, ring
			p.Inputs = []build.Input{in}
			c.change(&p, &r)
			_, err := coldset.NewConstruction(rand.Reader, k, p, []decoy.Ring{r}, here)
			require.ErrorIs(t, err, c.want)
		})
	}
	_, err = coldset.NewConstruction(rand.Reader, k, plan, []decoy.Ring{ring}, func(xmr.PublicKey) (uint64, bool) { return 0, false })
	require.ErrorIs(t, err, coldset.ErrNotOurs)
	_, err = coldset.NewConstruction(rand.Reader, k, plan, []decoy.Ring{ring}, here)
	require.NoError(t, err)
}
