package fcmpbuild

import (
	"context"
	"crypto/rand"
	"math"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"glim/core/carrot"
	"glim/core/fcmp"
	"glim/core/fee"
	"glim/core/keys"
	"glim/core/txbuild"
	"glim/core/xmr"
)

// unsigned returns a payment with inputs, without their key images, as a view-only wallet prepares it.
func (w *world) unsigned(inputs []Input, outputs int) Unsigned {
	r := w.request(slices.Clone(inputs), outputs)
	for i := range r.Inputs {
		r.Inputs[i].Image = xmr.KeyImage{}
	}
	return Unsigned{
		Seed: [32]byte{7}, Inputs: r.Inputs, Destinations: r.Destinations, Change: r.Change, PerByte: r.PerByte,
	}
}

// viewers are the wallets without spend keys.
func (w *world) viewers() (legacy, all Viewer) {
	a, err := carrot.NewMasterAccount(rules, [32]byte{2})
	require.NoError(w, err)
	k, err := a.Keys()
	require.NoError(w, err)
	view, err := keys.ViewOnly(w.keys.ViewSecret(), w.keys.SpendPublic)
	require.NoError(w, err)
	legacy, err = ViewerOf(view)
	require.NoError(w, err)
	all, err = ViewerOf(k)
	require.NoError(w, err)
	return legacy, all
}

// TestColdSigning: sets travel as bytes; the view-only wallet finishes what the signer has signed.
func TestColdSigning(t *testing.T) {
	w := newWorld(t)
	legacy, all := w.viewers()
	for name, c := range map[string]struct {
		viewer  Viewer
		spender Spender
		inputs  []Input
		outputs int
	}{
		"today": {legacy, w.legacy, w.inputs, 2}, "carrot": {all, w.master, w.carrots, 4},
	} {
		set := UnsignedSet{Network: xmr.Mainnet, Height: 5, Transactions: []Unsigned{w.unsigned(c.inputs, c.outputs)}}
		set.Transactions[0].ChangeShares = []uint64{2, 1}
		b := set.Append(nil)
		read, err := ParseUnsignedSet(b)
		require.NoError(t, err, name)
		require.Equal(t, b, read.Append(nil))
		require.Equal(t, set.Height, read.Height)
		u := &read.Transactions[0]
		require.NotContains(t, u.String(), "7")
		p, err := u.Proposal(c.spender)
		require.NoError(t, err)
		extra, err := p.Extra(c.viewer)
		require.NoError(t, err)
		one, ephemerals, err := u.Sign(rand.Reader, c.spender, xmr.Mainnet)
		require.NoError(t, err)
		sealed := (&SignedSet{Transactions: []Signed{*one}}).Append(nil, xmr.Mainnet)
		signed, err := ParseSignedSet(sealed, xmr.Mainnet)
		require.NoError(t, err)
		require.Equal(t, sealed, signed.Append(nil, xmr.Mainnet))

		proposal, spends, err := signed.Transactions[0].Spends(rand.Reader, c.viewer)
		require.NoError(t, err)
		m, err := ProveMembership(context.Background(), rand.Reader, proposal, w.tree, nil)
		require.NoError(t, err)
		built, err := Finish(rand.Reader, c.viewer, proposal, spends, m, w.tree.Reference)
		require.NoError(t, err)
		require.Equal(t, p.Fee, built.Fee)
		require.Equal(t, p.ChangeAmount, built.Change)
		require.Equal(t, extra, built.Tx.Extra)
		require.Equal(t, ephemerals, built.Ephemerals)
		require.Equal(t, p.Weight(), built.Weight)
		u.Wipe()
		require.Zero(t, u.Seed)
	}
}

// TestColdSigningRefuses: the signer signs for its own outputs and within its fee limit, and nothing that it signed can
// be replaced.
func TestColdSigningRefuses(t *testing.T) {
	w := newWorld(t)
	viewer, _ := w.viewers()
	sign := func(change func(*Unsigned)) (*Signed, error) {
		u := w.unsigned(w.inputs[2:], 2)
		change(&u)
		s, _, err := u.Sign(rand.Reader, w.legacy, xmr.Mainnet)
		return s, err
	}
	for name, change := range map[string]func(*Unsigned){
		"foreign":   func(u *Unsigned) { u.Inputs[0] = w.carrots[2] },
		"address":   func(u *Unsigned) { u.Inputs[0].Address.Minor++ },
		"key":       func(u *Unsigned) { u.Inputs[0].Received.Key = w.inputs[0].Received.Key },
		"twice":     func(u *Unsigned) { u.Inputs[0] = u.Inputs[1] },
		"extension": func(u *Unsigned) { u.Inputs[0].Received.ExtensionG = w.inputs[0].Received.ExtensionG },
	} {
		_, err := sign(change)
		require.ErrorIs(t, err, ErrInput, name)
	}
	_, err := sign(func(u *Unsigned) { u.Destinations[0].Amount = 1e18 })
	require.ErrorIs(t, err, txbuild.ErrNotEnough)
	_, err = sign(func(u *Unsigned) { u.Inputs[0].Received.Amount = math.MaxUint64 })
	require.ErrorIs(t, err, xmr.ErrOverflow)
	_, err = sign(func(u *Unsigned) { u.Destinations[0].Address.View = xmr.PublicKey{1} })
	require.ErrorIs(t, err, carrot.ErrAddress)
	var high *fee.TooHighError
	_, err = sign(func(u *Unsigned) { u.PerByte = 1e8 })
	require.ErrorAs(t, err, &high)

	// With another amount the input is in no tree.
	lied, err := sign(func(u *Unsigned) { u.Inputs[0].Received.Amount++ })
	require.NoError(t, err)
	p, _, err := lied.Spends(rand.Reader, viewer)
	require.NoError(t, err)
	_, err = ProveMembership(context.Background(), rand.Reader, p, w.tree, nil)
	require.Error(t, err)

	for name, change := range map[string]func(*Signed){
		"proof":    func(s *Signed) { s.Proofs[0][fcmp.SpendProofSize-32] ^= 1 },
		"order":    func(s *Signed) { s.Proofs[0], s.Proofs[1] = s.Proofs[1], s.Proofs[0] },
		"missing":  func(s *Signed) { s.Proofs = s.Proofs[:1] },
		"amount":   func(s *Signed) { s.Destinations[0].Amount++ },
		"payee":    func(s *Signed) { s.Destinations[0].Address = w.legacy.Address(xmr.Mainnet, sub) },
		"change":   func(s *Signed) { s.Change = keys.Index{} },
		"fee":      func(s *Signed) { s.PerByte *= 2 },
		"seed":     func(s *Signed) { s.Seed[1]++ },
		"images":   func(s *Signed) { s.Images[0], s.Images[1] = s.Images[1], s.Images[0] },
		"an image": func(s *Signed) { s.Images[0] = w.inputs[0].Image },
	} {
		s, err := sign(func(*Unsigned) {})
		require.NoError(t, err)
		change(s)
		_, _, err = s.Spends(rand.Reader, viewer)
		require.ErrorIs(t, err, ErrSigned, name)
	}
	s, err := sign(func(*Unsigned) {})
	require.NoError(t, err)
	s.Images = s.Images[:1]
	_, _, err = s.Spends(rand.Reader, viewer)
	require.ErrorIs(t, err, ErrInput)
}

// sets returns encoded sets, an unsigned and a signed one.
func (w *world) sets() (unsigned, signed []byte) {
	u := w.unsigned(w.inputs, 3)
	u.ChangeShares = []uint64{1, 300}
	u.Destinations[1].Address = w.legacy.Integrated(xmr.Mainnet, [8]byte{3})
	unsigned = (&UnsignedSet{Transactions: []Unsigned{u, u}}).Append(nil)
	s := Signed{Unsigned: u}
	for range u.Inputs {
		s.Images, s.Proofs = append(s.Images, xmr.KeyImage{1}), append(s.Proofs, make([]byte, fcmp.SpendProofSize))
	}
	return unsigned, (&SignedSet{Transactions: []Signed{s}}).Append(nil, xmr.Mainnet)
}

// TestColdSetBytes: sets that are cut off, too long, empty or of another network are refused.
func TestColdSetBytes(t *testing.T) {
	unsigned, signed := newWorld(t).sets()
	for n := range unsigned {
		_, err := ParseUnsignedSet(unsigned[:n])
		require.ErrorIs(t, err, ErrSet)
	}
	for n := range signed {
		_, err := ParseSignedSet(signed[:n], xmr.Mainnet)
		require.ErrorIs(t, err, ErrSet)
	}
	for _, b := range [][]byte{append(slices.Clone(unsigned), 0), {0, 0, 0}, {0, 0, 255, 255, 3}} {
		_, err := ParseUnsignedSet(b)
		require.ErrorIs(t, err, ErrSet)
	}
	for _, b := range [][]byte{append(slices.Clone(signed), 0), {0, 0}, {0, 255, 255, 3}} {
		_, err := ParseSignedSet(b, xmr.Mainnet)
		require.ErrorIs(t, err, ErrSet)
	}
	_, err := ParseSignedSet(signed, xmr.Stagenet)
	require.ErrorIs(t, err, ErrSet)
	const key = 1 + 1 + 1 + 32 + 3 + 2 + 1 + 1 + 2 + 32 // network, height, count, seed, fee, change, count, input
	for at, value := range map[int]byte{
		key - 35:     2,   // the format of an input
		key + 6 + 31: 255, // its mask
	} {
		b := slices.Clone(unsigned)
		b[at] = value
		_, err := ParseUnsignedSet(b)
		require.ErrorIs(t, err, ErrSet, at)
	}
}

// FuzzParseUnsignedSet: what is read is written as the same bytes.
func FuzzParseUnsignedSet(f *testing.F) {
	unsigned, _ := newWorld(f).sets()
	f.Add(unsigned)
	f.Fuzz(func(t *testing.T, b []byte) {
		set, err := ParseUnsignedSet(b)
		if err != nil {
			require.ErrorIs(t, err, ErrSet)
			return
		}
		require.LessOrEqual(t, len(set.Transactions), MaxSet)
		require.Equal(t, b, set.Append(nil))
	})
}

// FuzzParseSignedSet: what is read is written as the same bytes, and is refused as somebody's transaction.
func FuzzParseSignedSet(f *testing.F) {
	w := newWorld(f)
	_, signed := w.sets()
	viewer, _ := w.viewers()
	f.Add(signed)
	f.Fuzz(func(t *testing.T, b []byte) {
		set, err := ParseSignedSet(b, xmr.Mainnet)
		if err != nil {
			require.ErrorIs(t, err, ErrSet)
			return
		}
		require.Equal(t, b, set.Append(nil, xmr.Mainnet))
		_, _, err = set.Transactions[0].Spends(rand.Reader, viewer)
		require.Error(t, err)
	})
}
