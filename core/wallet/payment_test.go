package wallet_test

import (
	"errors"
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"glim/core/chaintest"
	"glim/core/txbuild"
	"glim/core/wallet"
	"glim/core/xmr"
)

// named returns a transaction of a payment with an idempotency key.
func named(request string, part uint32, id byte, at uint64, images ...xmr.KeyImage) wallet.Sent {
	s := spending(id, at, images...)
	s.Request, s.Part, s.Destinations = request, part, []wallet.Destination{{Address: "a", Amount: 5}}
	return s
}

// TestNoSecondPayment checks that a part of a payment is retried only by a transaction that conflicts with every
// attempt, submitted or draft.
func TestNoSecondPayment(t *testing.T) {
	r, _, images := funded(t, "second payment")
	never := func(xmr.Hash) bool { return false }
	require.NoError(t, r.send(named("invoice", 0, 1, 0, images[0], images[1]), 0))
	r.change(r.DecideRefused(xmr.Hash{1}, "busy"))
	require.ErrorIs(t, r.send(named("invoice", 0, 2, 1, images[2]), 1), wallet.ErrNotAgain, "other inputs")
	require.ErrorIs(t, r.send(named("invoice", 1, 2, 1, images[0]), 1), wallet.ErrNotAgain, "another part")
	require.NoError(t, r.send(named("other", 0, 9, 1, images[2]), 1), "another key")
	r.change(r.DecideRefused(xmr.Hash{9}, "busy"))
	draft := named("invoice", 0, 2, 2, images[1], images[2])
	c, err := r.DecideDrafts([]wallet.Sent{draft})
	require.NoError(t, err)
	r.change(c)
	require.Nil(t, r.Payment("invoice")[0].Stands)
	require.Len(t, r.Spendable(0, nil, r.Clock(0)), 3, "a draft reserves nothing")
	for _, w := range []*wallet.Wallet{r.reloaded(), r.compacted().Wallet} {
		same(t, r.Wallet, w)
		for _, s := range []wallet.Sent{
			named("invoice", 0, 3, 3, images[0]), named("invoice", 0, 3, 3, images[2]), named("invoice", 0, 3, 3),
		} {
			_, err := w.DecideSend(s, 3)
			require.ErrorIs(t, err, wallet.ErrNotAgain, "one of the attempts does not conflict")
		}
	}
	require.NoError(t, r.send(named("invoice", 0, 3, 3, images[0], images[2]), 3), "it conflicts with both")
	require.Equal(t, xmr.Hash{3}, r.Payment("invoice")[0].Stands.TxID)

	// The draft returns as transaction metadata, without its key.
	r.change(r.DecideSends(never, always, 9000))
	nameless := spending(2, 9001, images[1], images[2])
	require.NoError(t, r.send(nameless, 9001))
	s, ok := r.SentTx(xmr.Hash{2})
	require.True(t, ok)
	require.Equal(t, "invoice", s.Request)
	require.Equal(t, draft.Destinations, s.Destinations)
	require.Equal(t, xmr.Hash{2}, r.Payment("invoice")[0].Stands.TxID)
	require.Len(t, r.Payment("invoice")[0].Attempts, 3)
	// So does a failed transaction.
	r.change(r.DecideRefused(xmr.Hash{2}, "busy"))
	require.NoError(t, r.send(spending(1, 9002, images[0], images[1]), 9002))
	require.Equal(t, xmr.Hash{1}, r.Payment("invoice")[0].Stands.TxID)

	// Background syncing does not have the keys of drafts, and transactions taken over from it keep theirs.
	a := backgroundOf(t, r, false)
	require.Len(t, a.Payment("invoice")[0].Attempts, 3)
	o := r.compacted()
	takeBack(t, o, a)
	require.Equal(t, r.Payment("invoice"), o.Payment("invoice"))
}

// TestAttemptsWithoutInputsBlockRetry checks that a payment is not retried after an attempt without recorded inputs.
func TestAttemptsWithoutInputsBlockRetry(t *testing.T) {
	r, _, images := funded(t, "former attempts")
	r.change(wallet.ChangeSet{User: wallet.UserChange{
		Sent: []wallet.Sent{{TxID: xmr.Hash{1}, Request: "invoice", State: wallet.SendFailed}},
	}})
	require.ErrorIs(t, r.send(named("invoice", 0, 2, 1, images...), 1), wallet.ErrNotAgain)
	_, err := r.ConflictingInputs(r.Payment("invoice")[0].Attempts, r.Spendable(0, nil, r.Clock(0)))
	require.ErrorIs(t, err, wallet.ErrNotAgain)
	require.ErrorContains(t, err, xmr.Hash{1}.String())
}

// TestPaymentIsOneRecord checks that either all transactions of a payment are recorded, or none.
func TestPaymentIsOneRecord(t *testing.T) {
	r, _, images := funded(t, "one record")
	before := len(r.log)
	_, err := r.DecidePayment([]wallet.Sent{
		named("invoice", 0, 1, 0, images[0]), named("invoice", 1, 2, 0, xmr.KeyImage{1}),
	}, 0)
	require.ErrorIs(t, err, wallet.ErrInputs)
	r.change(r.decided(r.DecidePayment([]wallet.Sent{
		named("invoice", 0, 1, 0, images[0]), named("invoice", 1, 2, 0, images[1]),
	}, 0)))
	require.Len(t, r.log, before+1)
	parts := r.Payment("invoice")
	require.Len(t, parts, 2)
	require.EqualValues(t, 1, parts[1].Number())
}

// branch is a chain of the model: the outputs that its blocks paid and spent.
type branch struct {
	ids     []wallet.BlockID
	outputs [][]wallet.OwnedOutput
	spends  [][]wallet.Spend
}

func (b *branch) clone(height int) *branch {
	return &branch{slices.Clone(b.ids[:height]), slices.Clone(b.outputs[:height]), slices.Clone(b.spends[:height])}
}

// payer is a wallet that makes payments with idempotency keys while chains change, and the transactions that it
// released for each key.
type payer struct {
	*recorded
	rnd *chaintest.Random
	now uint64
	at  *branch
	all []*branch
	ids uint64
	out map[string]map[uint32][]wallet.Sent
	// Numbers of retries and of refusals.
	again, refused int
}

func (p *payer) id() (h xmr.Hash) {
	p.ids++
	copy(h[:], fmt.Sprintf("%08d", p.ids))
	h[31] = 1
	return h
}

// grow adds a block that may pay the wallet and mine pending transactions.
func (p *payer) grow(b *branch, money bool) {
	height := uint64(len(b.ids) + 1)
	b.ids = append(b.ids, wallet.BlockID{Height: height, Hash: p.id()})
	var outputs []wallet.OwnedOutput
	var spends []wallet.Spend
	if money {
		k := p.id()
		outputs = []wallet.OwnedOutput{{
			TxID: p.id(), Key: xmr.PublicKey(k), Image: xmr.KeyImage(k), ImageKnown: true,
			Amount: 1 + p.rnd.Uint64()%9, Height: height, RingCT: true,
		}}
	}
	if p.rnd.OneIn(3) {
		for _, parts := range p.out {
			for _, list := range parts {
				s := list[p.rnd.IntN(len(list))]
				if b.holds(s) {
					spends = append(spends, wallet.Spend{TxID: s.TxID, Height: height, Images: s.Images()})
				}
			}
		}
		spends = spends[:min(1, len(spends))]
	}
	b.outputs, b.spends = append(b.outputs, outputs), append(b.spends, spends)
}

// holds reports whether s may be mined next: its inputs exist and are unspent.
func (b *branch) holds(s wallet.Sent) bool {
	for _, image := range s.Images() {
		there := slices.ContainsFunc(b.outputs, func(list []wallet.OwnedOutput) bool {
			return slices.ContainsFunc(list, func(o wallet.OwnedOutput) bool { return o.Image == image })
		})
		spent := slices.ContainsFunc(b.spends, func(list []wallet.Spend) bool {
			return slices.ContainsFunc(list, func(sp wallet.Spend) bool { return slices.Contains(sp.Images, image) })
		})
		if !there || spent {
			return false
		}
	}
	return true
}

// follow makes the wallet follow the current chain.
func (p *payer) follow() {
	from := p.Height()
	for from > 1 {
		if id, ok := p.BlockAt(from - 1); ok && int(from-1) <= len(p.at.ids) && p.at.ids[from-2].Hash == id {
			break
		}
		from--
	}
	if from < p.Height() {
		c, _ := p.DecideDetach(from, p.now)
		p.change(c)
	}
	for h := from; h <= uint64(len(p.at.ids)); h++ {
		p.change(wallet.ChangeSet{Chain: wallet.ChainChange{
			Blocks: p.at.ids[h-1 : h], Outputs: p.at.outputs[h-1], Spends: p.at.spends[h-1],
		}})
	}
}

// attempt makes one transaction for a part of a payment in one of three ways: as a retry should, from arbitrary inputs,
// or by repeating an earlier attempt.
func (p *payer) attempt(name string, part uint32) wallet.Sent {
	free := p.Spendable(0, nil, p.Clock(p.now))
	var images []xmr.KeyImage
	take := func(in txbuild.Input) {
		if o, ok := p.OutputByKey(in.Key); ok && !slices.Contains(images, o.Image) {
			images = append(images, o.Image)
		}
	}
	for _, known := range p.Payment(name) {
		if known.Number() == part && !p.rnd.OneIn(3) {
			if p.rnd.OneIn(3) {
				s := *known.Attempts[p.rnd.IntN(len(known.Attempts))]
				s.State, s.SentAt = wallet.SendPending, p.now
				return s
			}
			must, err := p.ConflictingInputs(known.Attempts, free)
			if err != nil {
				p.refused++
			}
			for _, i := range must {
				take(free[i])
			}
		}
	}
	for range 1 + p.rnd.IntN(2) {
		if len(free) > 0 {
			take(free[p.rnd.IntN(len(free))])
		}
	}
	s := wallet.Sent{
		TxID: p.id(), SentAt: p.now, Request: name, Part: part,
		Destinations: []wallet.Destination{{Address: name, Amount: 1}}, Blob: []byte{1},
	}
	for _, image := range images {
		s.Rings = append(s.Rings, wallet.Ring{Image: image, Indices: ringOf(image)})
	}
	return s
}

// pay tries a payment and releases what was recorded for it.
func (p *payer) pay() {
	name := fmt.Sprint("name ", p.rnd.IntN(3))
	parts := uint32(1)
	if known := p.Payment(name); len(known) > 0 {
		parts = uint32(len(known))
	} else if p.rnd.OneIn(3) {
		parts = 2
	}
	var all []wallet.Sent
	for part := range parts {
		all = append(all, p.attempt(name, part))
	}
	if p.rnd.OneIn(3) {
		all = all[p.rnd.IntN(len(all)):][:1]
	}
	if p.rnd.OneIn(10) && p.out[name] != nil {
		all[0].Part++ // perhaps a part that does not exist
	}
	if slices.ContainsFunc(all, func(s wallet.Sent) bool { return len(s.Images()) == 0 }) {
		return
	}
	if p.rnd.OneIn(8) && len(p.out[name]) > 0 {
		all = all[:1]
		all[0].Request, all[0].Destinations = "", nil
		if _, known := p.SentTx(all[0].TxID); !known {
			return // a payment without a key
		}
	}
	var c wallet.ChangeSet
	var err error
	if p.rnd.OneIn(4) && all[0].Request != "" {
		c, err = p.DecideDrafts(all)
	} else {
		c, err = p.DecidePayment(all, p.now)
	}
	if err != nil {
		require.True(p.t, errors.Is(err, wallet.ErrNotAgain) || errors.Is(err, wallet.ErrInputs), "%v", err)
		return
	}
	if p.rnd.OneIn(6) {
		return // a crash before it is written
	}
	p.change(c)
	if p.out[name] == nil {
		p.out[name] = map[uint32][]wallet.Sent{}
	}
	for _, s := range append(c.User.Sent, c.User.Drafts...) {
		if len(p.out[name][s.Part]) > 0 {
			p.again++
		}
		p.out[name][s.Part] = append(p.out[name][s.Part], s)
		if p.rnd.OneIn(2) && s.State != wallet.SendDraft {
			p.change(p.DecideRefused(s.TxID, "refused"))
		}
	}
}

func (p *payer) step() {
	p.now += p.rnd.Uint64() % 400
	switch p.rnd.IntN(10) {
	case 0, 1, 2:
		p.pay()
	case 3:
		p.at = p.all[p.rnd.IntN(len(p.all))]
		p.follow()
	case 4:
		height := 1 + p.rnd.IntN(len(p.at.ids))
		b := p.at.clone(height)
		for range len(p.at.ids) - height + p.rnd.IntN(3) {
			p.grow(b, p.rnd.OneIn(4))
		}
		if p.all = append(p.all, b); len(p.all) > 5 {
			p.all = p.all[1:]
		}
		p.at = b
		p.follow()
	case 5:
		p.grow(p.at, p.rnd.OneIn(2))
		p.follow()
	case 6:
		p.now += 600
		seen := p.rnd.IntN(3)
		p.change(p.DecideSends(func(id xmr.Hash) bool { return int(id[7])%3 == seen }, always, p.now))
	case 7:
		p.Wallet = p.reloaded()
	case 8:
		p.recorded = p.compacted()
	default:
		if p.rnd.OneIn(3) {
			for range 61 { // deep enough for pruning
				p.grow(p.at, false)
			}
			p.follow()
		} else {
			p.change(wallet.ChangeSet{Chain: wallet.ChainChange{Clear: true}})
			p.follow()
		}
	}
}

// check requires that no two transactions released for one part of a payment can be on one chain, and that no parts are
// added to a payment.
func (p *payer) check() {
	for name, parts := range p.out {
		require.Len(p.t, p.Payment(name), len(parts), name)
		for part, list := range parts {
			for i, a := range list {
				for _, b := range list[:i] {
					common := slices.ContainsFunc(a.Images(), func(image xmr.KeyImage) bool {
						return slices.Contains(b.Images(), image)
					})
					require.True(p.t, common, "%s, part %d: %s and %s", name, part, a.TxID, b.TxID)
				}
			}
		}
	}
}

// TestPaysOnceOnAnyChain makes payments with idempotency keys while the chain forks at any depth, with crashes,
// restarts, compactions and rescans, and retries them correctly and incorrectly: transactions for one part of a
// payment always conflict.
func TestPaysOnceOnAnyChain(t *testing.T) {
	again, refused := 0, 0
	for seed := range 80 {
		rnd := chaintest.NewRandom(fmt.Sprint("pays once ", seed))
		p := &payer{
			recorded: create(t, owner(t, "pays once"), near), rnd: rnd, now: 1000, at: &branch{},
			out: map[string]map[uint32][]wallet.Sent{},
		}
		for range 6 {
			p.grow(p.at, true)
		}
		for range 10 {
			p.grow(p.at, false)
		}
		p.all = append(p.all, p.at)
		p.follow()
		for range 60 {
			p.step()
			p.check()
		}
		same(t, p.Wallet, p.reloaded())
		again, refused = again+p.again, refused+p.refused
	}
	t.Logf("%d attempts after the first, %d refused", again, refused)
	require.Greater(t, again, 60)
	require.Greater(t, refused, 100)
}
