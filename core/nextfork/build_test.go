package nextfork

import (
	"context"
	"crypto/rand"
	"errors"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"glim/core/address"
	"glim/core/block"
	"glim/core/carrot"
	"glim/core/chain"
	"glim/core/consensus"
	"glim/core/crypto/edwards"
	"glim/core/fcmpbuild"
	"glim/core/keys"
	"glim/core/scan"
	"glim/core/syncer"
	"glim/core/treecache"
	"glim/core/txbuild"
	"glim/core/wallet"
	"glim/core/xmr"
)

// person is a wallet that follows the chain of a world with the paths of its outputs, and makes transactions.
type person struct {
	*world
	fcmpbuild.Spender
	wallet *wallet.Wallet
	cache  *treecache.Cache
	ids    []xmr.Hash // of the blocks that it has read
	to     func(i keys.Index) address.Address
}

// sub is a subaddress.
var sub = keys.Index{Major: 0, Minor: 2}

// person returns a wallet with keys k, which s has, too.
func (w *world) person(k *keys.Keys, s fcmpbuild.Spender, to func(xmr.Network, keys.Index) address.Address) *person {
	identity := wallet.Identity{Network: xmr.Mainnet, Keys: k, Language: "English", RestoreHeight: 1}
	return &person{
		world: w, Spender: s, wallet: wallet.New(identity, wallet.Lookahead{Major: 2, Minor: 4}),
		cache: treecache.New(rules, 100),
		to:    func(i keys.Index) address.Address { return to(xmr.Mainnet, i) },
	}
}

// legacyPerson has today's keys.
func (w *world) legacyPerson(k *keys.Keys) *person {
	m, err := carrot.NewLegacyMaster(rules, k)
	require.NoError(w, err)
	return w.person(k, m, m.Address)
}

// carrotPerson has Carrot's keys.
func (w *world) carrotPerson(seed byte) *person {
	a, err := carrot.NewMasterAccount(rules, [32]byte{seed})
	require.NoError(w, err)
	k, err := a.Keys()
	require.NoError(w, err)
	m, err := carrot.NewMaster(rules, [32]byte{seed})
	require.NoError(w, err)
	return w.person(k, m, m.Address)
}

// follow reads the blocks that are new, after those that are no longer in the chain are detached.
func (p *person) follow() {
	p.Helper()
	var blocks []syncer.Block
	var trees []*block.Tree
	common := uint64(0)
	p.View(func(v chain.View) {
		for common < min(uint64(len(p.ids)), v.Height()) && v.Block(common).ID == p.ids[common] {
			common++
		}
		p.ids = p.ids[:common]
		for h := common; h < v.Height(); h++ {
			b := v.Block(h)
			out := syncer.Block{
				Height: h, Hash: b.ID, Prev: b.Block.Prev, Version: b.Block.Major, Timestamp: b.Block.Timestamp,
				Txs: []syncer.Tx{{ID: b.CoinbaseID, Tx: &b.Block.MinerTx, Indices: b.Indices[0], Proven: true}},
			}
			for i, t := range b.Txs {
				out.Txs = append(out.Txs, syncer.Tx{ID: t.ID, Tx: t.Tx, Indices: b.Indices[i+1], Proven: true})
			}
			blocks, trees, p.ids = append(blocks, out), append(trees, b.Block.Tree), append(p.ids, b.ID)
		}
	})
	if common < p.wallet.Height() {
		change, _ := p.wallet.DecideDetach(common, p.now)
		p.wallet.Commit(change)
	}
	require.NoError(p, p.cache.Detach(common))
	p.scan(slices.DeleteFunc(slices.Clone(blocks), func(b syncer.Block) bool { return b.Height < p.wallet.Height() }))
	for i := range p.wallet.Outputs() {
		in := p.input(&p.wallet.Outputs()[i])
		p.cache.Register(in.Leaf())
	}
	for i, b := range blocks {
		read := &treecache.Block{Height: b.Height, Tree: trees[i]}
		for _, t := range b.Txs {
			read.Txs = append(read.Txs, treecache.TxOf(t.Tx))
		}
		require.NoError(p, p.cache.Add(read))
	}
}

// scan adds what the wallet finds in blocks.
func (p *person) scan(blocks []syncer.Block) {
	p.Helper()
	found, err := syncer.Scan(context.Background(), p.wallet.Keys().ViewSecret(), blocks, syncer.Workers{})
	require.NoError(p, err)
	for {
		change, _, err := p.wallet.DecideBlocks(found, p.height()-1)
		var search *wallet.SearchError
		if errors.As(err, &search) {
			ours := func(list []scan.Candidate) []scan.Candidate { return search.Ours(p.wallet, list) }
			require.NoError(p, syncer.Search(
				context.Background(), p.wallet.Keys().ViewSecret(), search, ours, syncer.Workers{}))
			continue
		}
		require.NoError(p, err)
		p.wallet.Commit(change)
		return
	}
}

// owned returns the unspent output of an amount.
func (p *person) owned(amount uint64) *wallet.OwnedOutput {
	p.Helper()
	list := p.unspent(func(o *wallet.OwnedOutput) bool { return o.Amount == amount })
	require.Len(p, list, 1, amount)
	return list[0]
}

func (p *person) unspent(want func(o *wallet.OwnedOutput) bool) (list []*wallet.OwnedOutput) {
	for i := range p.wallet.Outputs() {
		if o := &p.wallet.Outputs()[i]; !p.wallet.IsSpent(o, true) && want(o) {
			list = append(list, o)
		}
	}
	return list
}

// balance returns the total of what is unspent.
func (p *person) balance() (total uint64) {
	for _, o := range p.unspent(func(*wallet.OwnedOutput) bool { return true }) {
		total += o.Amount
	}
	return total
}

// input returns an output of the wallet as the builder takes it. The key image is the wallet's, which the builder finds
// from the secret key, too.
func (p *person) input(o *wallet.OwnedOutput) fcmpbuild.Input {
	p.Helper()
	known, spend := txbuild.Input{
		Index: o.Index, Amount: o.Amount, Mask: o.Mask, Key: o.Key, Derivation: o.Derivation, Address: o.Address,
		RingCT: true,
	}, p.SpendKey(o.Address)
	in, err := fcmpbuild.NewLegacyInput(&known, spend)
	if o.Carrot {
		in, err = fcmpbuild.NewCarrotInput(&known, spend, o.Coinbase)
	}
	require.NoError(p, err)
	require.NoError(p, in.SetImage(p.Spender))
	require.True(p, o.ImageKnown)
	require.Equal(p, o.Image, in.Image)
	return in
}

// request returns a request to spend outputs at the chain's lowest fee.
func (p *person) request(outputs []*wallet.OwnedOutput, to ...txbuild.Destination) fcmpbuild.Request {
	p.Helper()
	r := fcmpbuild.Request{Destinations: to}
	for _, o := range outputs {
		r.Inputs = append(r.Inputs, p.input(o))
	}
	p.View(func(v chain.View) {
		levels, err := v.Fees(0)
		require.NoError(p, err)
		r.PerByte = levels[0]
	})
	return r
}

// build makes a transaction for the tree at the last block, which the wallet reads before.
func (p *person) build(r fcmpbuild.Request) *fcmpbuild.Result {
	p.Helper()
	p.follow()
	reference, ok := p.cache.Reference()
	require.True(p, ok)
	require.Equal(p, p.height()-1, reference)
	tree, err := fcmpbuild.TreeOf(p.cache, reference)
	require.NoError(p, err)
	built, err := fcmpbuild.Build(context.Background(), rand.Reader, p.Spender, xmr.Testnet, r, tree, nil)
	require.NoError(p, err)
	return built
}

// send adds a transaction to the pool.
func (w *world) send(r *fcmpbuild.Result) *fcmpbuild.Result {
	w.Helper()
	id, err := w.AddTx(r.Blob, false)
	require.NoError(w, err)
	require.Equal(w, r.ID, id)
	_, pooled := w.where(id)
	require.Equal(w, []uint64{r.Fee, r.Weight}, []uint64{pooled.Fee, pooled.Weight})
	return r
}

// crossed returns a chain that has crossed the fork, and two wallets, whose outputs from both sides of it may be spent.
// One has today's keys and the other Carrot's. Both have received rewards, and 1e12 at the subaddress before the fork.
func crossed(t *testing.T) (w *world, old, fresh *person) {
	w = newWorld(t, 90, 95)
	old, fresh = w.legacyPerson(w.miner), w.carrotPerson(9)
	w.mine(84, nil)
	for i, to := range []address.Address{old.to(sub), fresh.to(sub), fresh.to(keys.Index{})} {
		_, err := w.AddTx(w.payTo(to, uint64(1+i), 0), false)
		require.NoError(t, err)
	}
	w.mine(1, nil)
	w.mine(10, nil)
	w.to = fresh.to(keys.Index{})
	w.mine(4, nil)
	w.to = address.Address{Network: xmr.Mainnet, Spend: xmr.PublicKey(new(edwards.Point).ScalarBaseMult(
		edwards.ScalarFromUint64(3)).Encode()), View: edwards.Base().Encode()} // nobody's
	w.mine(64, nil)
	old.follow()
	fresh.follow()
	return w, old, fresh
}

func reward(carrot bool) func(o *wallet.OwnedOutput) bool {
	return func(o *wallet.OwnedOutput) bool { return o.Coinbase && o.Carrot == carrot }
}

// TestBuild: what two wallets received before and after the fork, at main addresses and subaddresses, moves after it,
// in transactions of 1 to 4 inputs and 2 to 16 outputs. The recipients find the amounts and spend them again.
func TestBuild(t *testing.T) {
	w, old, fresh := crossed(t)
	oldBefore, freshBefore := old.balance(), fresh.balance()

	one := w.send(old.build(old.request( // a reward from before the fork
		old.unspent(reward(false))[:1], txbuild.Destination{Address: fresh.to(sub), Amount: 3e12})))
	require.Len(t, one.Tx.Outputs, 2)
	require.Len(t, one.Tx.Inputs, 1)

	var many []txbuild.Destination
	for i := range uint64(15) {
		many = append(many, txbuild.Destination{Address: fresh.to(keys.Index{Minor: uint32(i % 3)}), Amount: 1e9 + i})
	}
	many[4].Address = old.to(sub)
	many[5].Address = old.to(keys.Index{})
	many[6].Address = fresh.to(keys.Index{})
	many[6].Address.Kind, many[6].Address.PaymentID = address.Integrated, [8]byte{1, 2, 3}
	two := w.send(old.build(old.request(
		[]*wallet.OwnedOutput{old.owned(1e12), old.unspent(reward(true))[0]}, many...)))
	require.Len(t, two.Tx.Outputs, 16)

	before := fresh.unspent(func(o *wallet.OwnedOutput) bool { return o.Amount == 1e12 })
	require.Len(t, before, 2)
	require.NotEqual(t, before[0].Address, before[1].Address)
	four := w.send(fresh.build(fresh.request(
		append(before, fresh.unspent(reward(true))[:2]...),
		txbuild.Destination{Address: old.to(sub), Amount: 2e12 + 5},
		txbuild.Destination{Address: old.to(keys.Index{}), Amount: 7})))
	require.Len(t, four.Tx.Inputs, 4)
	require.Len(t, four.Tx.Outputs, 3)

	w.mine(1, nil)
	for _, r := range []*fcmpbuild.Result{one, two, four} {
		mined, _ := w.where(r.ID)
		require.True(t, mined)
	}
	old.follow()
	fresh.follow()
	toFresh, toOld := uint64(3e12), uint64(2e12+5+7)
	for i := range many {
		if i != 4 && i != 5 {
			toFresh += many[i].Amount
		}
	}
	require.Equal(t, oldBefore-one.Fee-two.Fee-toFresh+toOld, old.balance())
	require.Equal(t, freshBefore-four.Fee-toOld+toFresh, fresh.balance())
	require.Equal(t, sub, fresh.owned(3e12).Address)
	require.Equal(t, sub, old.owned(2e12+5).Address)
	require.Equal(t, sub, old.owned(1e9+4).Address)
	require.Equal(t, one.Change, old.owned(one.Change).Amount)
	ids := 0
	for _, p := range fresh.wallet.Payments() {
		if p.PaymentID != (xmr.Hash{}) {
			ids++
			require.Equal(t, uint64(5e9+0+3+6+9+12), p.Amount, "all that was paid to the main address")
		}
	}
	require.Equal(t, 1, ids)

	// What was received, and change of both kinds, is spent again.
	w.mine(10, nil)
	sweep := old.request([]*wallet.OwnedOutput{old.owned(one.Change), old.owned(2e12 + 5)},
		txbuild.Destination{Address: fresh.to(keys.Index{})})
	sweep.Sweep = true
	swept := w.send(old.build(sweep))
	require.Zero(t, swept.Change)
	back := w.send(fresh.build(fresh.request([]*wallet.OwnedOutput{fresh.owned(four.Change), fresh.owned(3e12)},
		txbuild.Destination{Address: old.to(sub), Amount: 4e12})))
	w.mine(1, nil)
	old.follow()
	fresh.follow()
	require.Equal(t, one.Change+2e12+5-swept.Fee, fresh.owned(one.Change+2e12+5-swept.Fee).Amount)
	require.Equal(t, sub, old.owned(4e12).Address)
	require.Equal(t, back.Change, fresh.owned(back.Change).Amount)
	w.requireRoots()
}

// TestBuildRefused: the chain refuses a second spend, in the pool and in a block, and any altered byte.
func TestBuildRefused(t *testing.T) {
	w, old, fresh := crossed(t)
	list := old.unspent(reward(false))[:1]
	first := old.build(old.request(list, txbuild.Destination{Address: fresh.to(sub), Amount: 3e12}))
	for at := 1; at < len(first.Blob); at += len(first.Blob)/40 + 1 {
		altered := slices.Clone(first.Blob)
		altered[at] ^= 1
		_, err := w.AddTx(altered, false)
		require.Error(t, err, at)
	}
	second := old.build(old.request(list, txbuild.Destination{Address: fresh.to(sub), Amount: 2e12}))
	require.Equal(t, first.Tx.Inputs, second.Tx.Inputs)
	w.send(first)
	_, err := w.AddTx(second.Blob, false)
	require.ErrorIs(t, err, consensus.ErrDoubleSpend)
	w.mine(1, nil)
	_, err = w.AddTx(second.Blob, false)
	require.ErrorIs(t, err, consensus.ErrDoubleSpend)
	_, err = w.AddBlock(w.holding(second.Tx).Append(nil), second.Blob)
	require.ErrorIs(t, err, consensus.ErrDoubleSpend)
}

// TestBuildReorganised: a transaction whose reference block leaves the chain returns to the pool and stays out of
// blocks. The same output is spent again with the tree of the new chain.
func TestBuildReorganised(t *testing.T) {
	w, old, fresh := crossed(t)
	to := txbuild.Destination{Address: fresh.to(keys.Index{}), Amount: 3e12}
	request := old.request(old.unspent(reward(false))[:1], to)
	lost := old.build(request)
	top := w.height() - 1
	w.send(lost)
	w.mine(1, nil)

	// A branch without the reward that came into the tree last: other blocks since 70 blocks.
	back := w.id(top - 70)
	w.mine(72, &back)
	mined, pooled := w.where(lost.ID)
	require.False(t, mined)
	require.NotNil(t, pooled)
	w.mine(1, nil)
	mined, pooled = w.where(lost.ID)
	require.False(t, mined)
	require.NotNil(t, pooled)
	_, err := w.AddBlock(w.holding(lost.Tx).Append(nil))
	require.ErrorIs(t, err, consensus.ErrInput)

	require.NoError(t, w.FlushPool(lost.ID))
	_, err = w.AddTx(lost.Blob, false)
	require.ErrorIs(t, err, consensus.ErrInput)
	again := w.send(old.build(request))
	require.Equal(t, lost.Tx.Inputs, again.Tx.Inputs)
	w.mine(1, nil)
	mined, _ = w.where(again.ID)
	require.True(t, mined)

	// A reference block that the chain does not reach yet is refused, too.
	request.Inputs[0] = old.input(old.unspent(reward(false))[1])
	early := old.build(request)
	_, err = w.PopBlocks(1)
	require.NoError(t, err)
	_, err = w.AddTx(early.Blob, false)
	require.ErrorIs(t, err, consensus.ErrReference)
}
