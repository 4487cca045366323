package fcmpbuild

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"glim/core/address"
	"glim/core/carrot"
	"glim/core/crypto/edwards"
	"glim/core/fcmp"
	"glim/core/fee"
	"glim/core/keys"
	"glim/core/treecache"
	"glim/core/txbuild"
	"glim/core/xmr"
)

// sub is a subaddress.
var sub = keys.Index{Major: 1, Minor: 3}

// world has two wallets, whose outputs are in a tree with others.
type world struct {
	testing.TB
	legacy  *carrot.LegacyMaster
	keys    *keys.Keys // those of legacy
	master  *carrot.Master
	tree    *Tree
	inputs  []Input // of legacy: before the fork at both addresses, a payment and change of Carrot
	carrots []Input // of master: the same
}

func newWorld(t testing.TB) *world {
	w := &world{TB: t}
	var err error
	w.keys, err = keys.FromSeed([32]byte{1})
	require.NoError(t, err)
	w.legacy, err = carrot.NewLegacyMaster(rules, w.keys)
	require.NoError(t, err)
	w.master, err = carrot.NewMaster(rules, [32]byte{2})
	require.NoError(t, err)
	scanLegacy := func(e *carrot.Enote) (carrot.Received, bool) { return w.legacy.Scan(e, nil) }
	scanMaster := func(e *carrot.Enote) (carrot.Received, bool) { return w.master.ScanAll(e, nil) }
	w.inputs = w.received(w.legacy, w.legacy.Address, scanLegacy)
	w.carrots = w.received(w.master, w.master.Address, scanMaster)

	block := treecache.Block{Txs: make([]treecache.Tx, 1)}
	for i := range uint64(30) {
		p := new(edwards.Point).ScalarBaseMult(edwards.ScalarFromUint64(i + 5)).Encode()
		block.Txs[0].Outputs = append(block.Txs[0].Outputs, treecache.Output{Key: p, Commitment: p})
	}
	cache := treecache.New(rules, 1)
	for _, in := range slices.Concat(w.inputs, w.carrots) {
		cache.Register(in.Leaf())
		block.Txs[0].Outputs = append(block.Txs[0].Outputs, in.Leaf())
	}
	for ; block.Height < xmr.SpendableAge; block.Height++ {
		require.NoError(t, cache.Add(&block))
		block.Txs = nil
	}
	w.tree, err = TreeOf(cache, block.Height-1)
	require.NoError(t, err)
	_, err = TreeOf(cache, block.Height+1)
	require.ErrorIs(t, err, treecache.ErrReference)
	return w
}

// received returns outputs of a wallet: two of 1e12 from before the fork, a payment of 2e12 to the subaddress, and
// change of 3e12.
func (w *world) received(
	s Spender, to func(xmr.Network, keys.Index) address.Address, scan func(*carrot.Enote) (carrot.Received, bool),
) []Input {
	var list []Input
	for n, at := range []keys.Index{{}, sub} {
		derivation := edwards.Derivation{byte(n), 7}
		spend := s.SpendKey(at)
		key, err := derivation.PublicKey(uint64(n), spend)
		require.NoError(w, err)
		in, err := NewLegacyInput(&txbuild.Input{
			Index: uint64(n), Amount: 1e12, Mask: [32]byte{9}, Key: key, Derivation: derivation, Address: at,
		}, spend)
		require.NoError(w, err)
		list = append(list, in)
	}
	image := xmr.KeyImage{1}
	pay := carrot.Payment{To: to(xmr.Mainnet, sub), Amount: 2e12, Anchor: [16]byte{5}}
	change := carrot.SelfSend{Spend: s.SpendKey(keys.Index{}), Amount: 3e12, Type: carrot.ChangeEnote}
	outputs, _, err := rules.NewOutputs([]carrot.Payment{pay}, []carrot.SelfSend{change}, s, image, [8]byte{})
	require.NoError(w, err)
	for _, o := range outputs {
		got, ok := scan(&o.Enote)
		require.True(w, ok)
		in := Input{Format: carrot.CarrotOutput, Received: got}
		if got.Amount == 2e12 {
			in.Address = sub
		}
		list = append(list, in)
	}
	for i := range list {
		require.NoError(w, list[i].SetImage(s))
	}
	return list
}

// request pays 5e11 to addresses of the other wallet.
func (w *world) request(inputs []Input, outputs int) Request {
	r := Request{Inputs: inputs, PerByte: 19_000, Change: sub}
	for range outputs - 1 {
		r.Destinations = append(r.Destinations, txbuild.Destination{
			Address: w.master.Address(xmr.Mainnet, sub), Amount: 5e11,
		})
	}
	return r
}

// TestSeparately: a host that can only view the wallet proposes, proves membership and finishes, and a device without
// the tree signs. Each kind of output is spent by the wallet with today's keys and by that with Carrot's.
func TestSeparately(t *testing.T) {
	w := newWorld(t)
	view, err := carrot.NewLegacyView(rules, w.keys)
	require.NoError(t, err)
	all, err := carrot.NewViewAll(rules, w.master.BalanceSecret(), w.master.PartialSpendKey())
	require.NoError(t, err)
	for _, c := range []struct {
		host    Viewer
		device  Spender
		inputs  []Input
		outputs int
	}{{view, w.legacy, w.inputs, 3}, {all, w.master, w.carrots, 2}} {
		p, err := Propose(rand.Reader, c.host, w.request(c.inputs, c.outputs))
		require.NoError(t, err)
		m, err := ProveMembership(context.Background(), rand.Reader, p, w.tree, nil)
		require.NoError(t, err)
		spends, err := Sign(rand.Reader, c.device, xmr.Mainnet, p)
		require.NoError(t, err)
		r, err := Finish(rand.Reader, c.host, p, spends, m, w.tree.Reference)
		require.NoError(t, err)
		require.Equal(t, p.Weight(), r.Weight)
		require.Equal(t, p.Fee, r.Fee)
		require.Equal(t, 7e12, float64(r.Fee+r.Change)+5e11*float64(c.outputs-1))
		require.Equal(t, w.tree.Reference, r.Tx.Proofs.ReferenceBlock)
		id, err := format.Hash(r.Tx)
		require.NoError(t, err)
		require.Equal(t, id, r.ID)

		// The device signs something else than what the host finishes.
		p.ChangeAmount--
		p.Fee++
		_, err = Finish(rand.Reader, c.host, p, spends, m, w.tree.Reference)
		require.ErrorIs(t, err, txbuild.ErrMismatch)
		p.ChangeAmount++
		p.Fee--
		spends[0].Proof[100] ^= 1
		_, err = Finish(rand.Reader, c.host, p, spends, m, w.tree.Reference)
		require.ErrorIs(t, err, txbuild.ErrMismatch)
		_, err = Finish(rand.Reader, c.host, p, spends[1:], m, w.tree.Reference)
		require.ErrorIs(t, err, txbuild.ErrMismatch)
		_, err = Finish(rand.Reader, c.host, p, spends, nil, w.tree.Reference)
		require.ErrorIs(t, err, txbuild.ErrMismatch)
		_, err = Finish(rand.Reader, c.host, p, make([]*fcmp.Spend, len(spends)), m, w.tree.Reference)
		require.ErrorIs(t, err, txbuild.ErrMismatch)
		_, err = Finish(failing{io.ErrClosedPipe}, c.host, p, spends, m, w.tree.Reference)
		require.ErrorIs(t, err, io.ErrClosedPipe)
		p.Wipe()
		_, err = Sign(rand.Reader, c.device, xmr.Mainnet, p)
		require.Error(t, err)
	}
}

// TestWeight: the weight that the fee follows from is that of the transaction, for every number of outputs.
func TestWeight(t *testing.T) {
	w := newWorld(t)
	for outputs := 2; outputs <= format.MaxOutputs; outputs++ {
		for inputs := 1; inputs <= len(w.inputs); inputs += 3 {
			r := w.request(w.inputs[:inputs], outputs)
			for i := range r.Destinations {
				r.Destinations[i].Amount = 1
			}
			p, err := Propose(rand.Reader, w.legacy, r)
			require.NoError(t, err)
			_, made, err := p.outputs(w.legacy)
			require.NoError(t, err)
			require.Equal(t, format.Weight(inputs, outputs, len(made.Extra)), p.Weight())
			require.Zero(t, p.Fee%fee.Quantum)
			require.GreaterOrEqual(t, p.Fee, p.Weight()*r.PerByte)
			require.Less(t, p.Fee, p.Weight()*r.PerByte+fee.Quantum)
		}
	}
}

// TestPaysItself: a wallet that pays its own main address finds the payment and the change, although both have the same
// ephemeral key.
func TestPaysItself(t *testing.T) {
	w := newWorld(t)
	r := w.request(w.inputs, 2)
	r.Change, r.Destinations[0].Address = keys.Index{}, w.legacy.Address(xmr.Mainnet, keys.Index{})
	r.PerByte, r.Destinations[0].Amount = 0, 7e12/2 // the same amount for both
	p, err := Propose(rand.Reader, w.legacy, r)
	require.NoError(t, err)
	outputs, _, err := p.outputs(w.legacy)
	require.NoError(t, err)
	require.NotEqual(t, outputs[0].Key, outputs[1].Key)
	require.Equal(t, outputs[0].Ephemeral, outputs[1].Ephemeral)
	types := map[carrot.EnoteType]bool{}
	for _, o := range outputs {
		got, ok := w.legacy.Scan(&o.Enote, nil)
		require.True(t, ok)
		require.Equal(t, uint64(7e12/2), got.Amount)
		types[got.Type] = true
	}
	require.Len(t, types, 2)
}

// TestProposeRefuses asks for transactions that cannot be made.
func TestProposeRefuses(t *testing.T) {
	w := newWorld(t)
	try := func(want error, change func(r *Request)) {
		t.Helper()
		r := w.request(slices.Clone(w.inputs[:1]), 2)
		change(&r)
		_, err := Propose(rand.Reader, w.legacy, r)
		require.ErrorIs(t, err, want)
	}
	integrated := w.master.Integrated(xmr.Mainnet, [8]byte{1})
	try(nil, func(*Request) {})
	try(txbuild.ErrNotEnough, func(r *Request) { r.Destinations[0].Amount = 1e12 })
	try(txbuild.ErrNotEnough, func(r *Request) { r.PerByte = 1e9 })
	try(txbuild.ErrNotEnough, func(r *Request) { r.PerByte, r.Sweep = 1e9, true })
	try(txbuild.ErrNotEnough, func(r *Request) { r.Inputs, r.PerByte, r.Destinations[0].Amount = nil, 0, 1 })
	try(txbuild.ErrNoDestination, func(r *Request) { r.Destinations = nil })
	try(txbuild.ErrNoDestination, func(r *Request) { r.Destinations, r.Sweep = w.request(nil, 3).Destinations, true })
	try(txbuild.ErrZeroAmount, func(r *Request) { r.Destinations[0].Amount = 0 })
	try(txbuild.ErrTooManyOutputs, func(r *Request) { r.Destinations = w.request(nil, 17).Destinations })
	try(txbuild.ErrTooHeavy, func(r *Request) { r.Inputs = make([]Input, 129) })
	try(txbuild.ErrPaymentIDs, func(r *Request) {
		r.Destinations = []txbuild.Destination{{Address: integrated, Amount: 1}, {Address: integrated, Amount: 1}}
	})
	try(carrot.ErrAddress, func(r *Request) { r.Destinations[0].Address.View = xmr.PublicKey{2} })
	try(xmr.ErrOverflow, func(r *Request) { r.Destinations[0].Amount = math.MaxUint64 })
	try(xmr.ErrOverflow, func(r *Request) {
		r.Inputs = slices.Clone(w.inputs[:2])
		r.Inputs[0].Received.Amount = math.MaxUint64
	})
	try(fee.ErrOverflow, func(r *Request) { r.PerByte = math.MaxUint64 })
	try(ErrInput, func(r *Request) { r.Inputs = append(r.Inputs, r.Inputs[0]) })
	try(ErrInput, func(r *Request) { r.Inputs[0].Image = xmr.KeyImage{} })
	try(ErrInput, func(r *Request) { r.Inputs[0].Received.Mask = nil })
	try(ErrInput, func(r *Request) { r.Inputs[0].Received.ExtensionT = nil })
	for uses := range 5 {
		failed := errors.New("no randomness")
		source := io.MultiReader(io.LimitReader(rand.Reader, 16*int64(uses)), failing{failed})
		_, err := Propose(source, w.legacy, w.request(w.inputs[:1], 2))
		require.ErrorIs(t, err, failed)
	}
	_, err := NewLegacyInput(&txbuild.Input{Mask: [32]byte{31: 0xff}}, xmr.PublicKey{})
	require.ErrorIs(t, err, ErrInput)
}

type failing struct{ err error }

func (f failing) Read([]byte) (int, error) { return 0, f.err }

// TestSignRefuses gives a device proposals that a host altered.
func TestSignRefuses(t *testing.T) {
	w := newWorld(t)
	try := func(want error, change func(p *Proposal)) {
		t.Helper()
		p, err := Propose(rand.Reader, w.legacy, w.request(w.inputs[:2], 2))
		require.NoError(t, err)
		change(p)
		_, err = Sign(rand.Reader, w.legacy, xmr.Mainnet, p)
		require.ErrorIs(t, err, want)
	}
	try(nil, func(*Proposal) {})
	try(ErrProposal, func(p *Proposal) { p.Fee++ })
	try(ErrProposal, func(p *Proposal) { p.Fee-- })
	try(ErrProposal, func(p *Proposal) { p.ChangeAmount = math.MaxUint64 })
	try(ErrProposal, func(p *Proposal) { p.Payments[0].Amount++ })
	try(ErrProposal, func(p *Proposal) { p.Blinds = p.Blinds[1:] })
	try(ErrProposal, func(p *Proposal) { slices.Reverse(p.Inputs) })
	try(ErrProposal, func(p *Proposal) { *p = Proposal{} })
	try(ErrInput, func(p *Proposal) { p.Inputs[0].Received.ExtensionG = nil })
	try(ErrImage, func(p *Proposal) { p.Inputs[0].Image[0] ^= 1 })
	try(ErrImage, func(p *Proposal) { p.Inputs[1].Format = carrot.CarrotOutput })
	try(carrot.ErrMismatch, func(p *Proposal) { p.Inputs[0].Address = keys.Index{Major: 9} })
	try(fcmp.ErrSecret, func(p *Proposal) {
		p.Inputs[0].Received.ExtensionT = edwards.ScalarFromUint64(1)
	})
	try(fcmp.ErrBlind, func(p *Proposal) { p.Blinds[1].R = edwards.NewScalar() })
	divided := func(want error, change func(p *Proposal)) {
		t.Helper()
		r := w.request(w.inputs[:2], 2)
		r.ChangeShares = []uint64{3, 1, 2}
		p, err := Propose(rand.Reader, w.legacy, r)
		require.NoError(t, err)
		require.Len(t, p.MoreChange, 2)
		change(p)
		_, err = Sign(rand.Reader, w.legacy, xmr.Mainnet, p)
		require.ErrorIs(t, err, want)
	}
	divided(nil, func(*Proposal) {})
	divided(nil, func(p *Proposal) { p.MoreChange[0].Amount++ }) // the first output of change has less
	divided(ErrProposal, func(p *Proposal) { p.MoreChange[1].Amount = 0 })
	divided(ErrProposal, func(p *Proposal) { p.MoreChange[1].Amount = p.ChangeAmount })
	divided(ErrProposal, func(p *Proposal) { p.MoreChange[1].Amount = math.MaxUint64 })
	divided(ErrProposal, func(p *Proposal) { p.MoreChange = p.MoreChange[:1]; p.Fee++ })
	divided(ErrProposal, func(p *Proposal) { p.MoreChange = append(p.MoreChange, make([]ChangePart, 12)...) })
	divided(carrot.ErrEphemeral, func(p *Proposal) { p.MoreChange[1].Ephemeral = p.MoreChange[0].Ephemeral })
	r := w.request(w.inputs[:2], 2)
	r.ChangeShares = []uint64{1, 0}
	_, err := Propose(rand.Reader, w.legacy, r)
	require.ErrorIs(t, err, txbuild.ErrNotEnough)
	r.ChangeShares = make([]uint64, 16)
	_, err = Propose(rand.Reader, w.legacy, r)
	require.ErrorIs(t, err, txbuild.ErrTooManyOutputs)
	var high *fee.TooHighError
	p, err := Propose(rand.Reader, w.legacy, w.request(w.inputs[:1], 2))
	require.NoError(t, err)
	p.Fee, p.ChangeAmount = p.Fee+p.ChangeAmount, 0
	_, err = Sign(rand.Reader, w.legacy, xmr.Mainnet, p)
	require.ErrorAs(t, err, &high)
	require.Equal(t, MaxFee(xmr.Mainnet, p.Weight()), high.Limit)
	require.Greater(t, MaxFee(xmr.Testnet, p.Weight()), high.Limit)
	require.Equal(t, uint64(math.MaxUint64), MaxFee(xmr.Mainnet, math.MaxUint64))
	_, err = Sign(failing{io.ErrUnexpectedEOF}, w.legacy, xmr.Testnet, p)
	require.ErrorIs(t, err, io.ErrUnexpectedEOF)
}

// TestBuildRefuses: paths that lead elsewhere, a context that ends before each step, and randomness that fails.
func TestBuildRefuses(t *testing.T) {
	w := newWorld(t)
	request := w.request(w.inputs[3:], 2)
	build := func(ctx context.Context, tree Tree, progress Progress) error {
		_, err := Build(ctx, rand.Reader, w.legacy, xmr.Mainnet, request, &tree, progress)
		return err
	}
	other := *w.tree
	other.Root.Hash[3] ^= 1
	require.ErrorIs(t, build(context.Background(), other, nil), fcmp.ErrPath)
	other = *w.tree
	path, err := w.tree.Path(&w.carrots[0])
	require.NoError(t, err)
	path.Leaves = path.Leaves[:30]
	other.Path = func(*Input) (fcmp.Path, error) { return path, nil }
	require.ErrorIs(t, build(context.Background(), other, nil), fcmp.ErrLeaf)
	request.Inputs = slices.Clone(request.Inputs)
	request.Inputs[0].Received.Mask = edwards.ScalarFromUint64(3)
	require.ErrorIs(t, build(context.Background(), *w.tree, nil), treecache.ErrUnknown)
	request = w.request(w.inputs[3:], 2)
	for last := range StepFinish + 1 {
		ctx, cancel := context.WithCancel(context.Background())
		var steps []Step
		before := -1
		require.ErrorIs(t, build(ctx, *w.tree, func(s Step, percent int) {
			require.GreaterOrEqual(t, percent, before)
			before = percent
			if len(steps) == 0 || steps[len(steps)-1] != s {
				steps = append(steps, s)
			}
			if s == last {
				cancel()
			}
		}), context.Canceled)
		require.Len(t, steps, int(last)+1)
		require.NotEmpty(t, last.String())
	}
}

// TestPlaceholders: formatting does not print secrets.
func TestPlaceholders(t *testing.T) {
	w := newWorld(t)
	p, err := Propose(rand.Reader, w.legacy, w.request(w.inputs[:1], 2))
	require.NoError(t, err)
	for _, verb := range []string{"%v", "%+v", "%#v", "%s"} {
		require.Equal(t, "fcmpbuild.Proposal(1 inputs, 1 payments)", fmt.Sprintf(verb, p))
		require.Equal(t, fmt.Sprintf("fcmpbuild.Input(%x)", p.Inputs[0].Image[:]), fmt.Sprintf(verb, p.Inputs[0]))
	}
}
