package main

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"time"

	"glim/core/build"
	corechain "glim/core/chain"
	"glim/core/decoy"
	"glim/core/keys"
	"glim/core/node"
	"glim/core/syncer"
)

// fixtureSize says what the chain of a fixture holds.
type fixtureSize struct {
	ripe   int // blocks before the first payment; of those all but unripe can be spent
	splits int // transactions of 1 input and 16 outputs, which the others spend
	bulk   int // transactions of 2 inputs and 2 outputs
	rounds int // blocks whose coming is measured
	narrow int // transactions of 2 inputs and 2 outputs in each of those
	wide   int // transactions of 1 input and 16 outputs in each of those
}

// duelSize is what so many rounds take. What the splits make has to suffice for everything that spends it.
func duelSize(rounds int) fixtureSize {
	s := fixtureSize{ripe: 200, bulk: 160, rounds: rounds, narrow: 40, wide: 2}
	s.splits = max(40, (s.spent()-s.rewards()+perTx-1)/perTx)
	s.ripe = max(s.ripe, s.splits+unripe)
	return s
}

// unripe is how many of the blocks before the first payment pay what cannot be spent then.
const unripe = 60

// rewards is how many outputs there are for the splits.
func (s fixtureSize) rewards() int { return s.ripe - unripe }

// spent is how many outputs are spent after the splits, each of which makes perTx more of them.
func (s fixtureSize) spent() int { return 2*s.bulk + s.rounds*(2*s.narrow+s.wide) }

// blockTxs is how many transactions a block of the fixture has at most, so that none costs a penalty.
const blockTxs = 40

// minedBlock is a block with the transactions that it holds besides its coinbase.
type minedBlock struct {
	blob         []byte
	narrow, wide [][]byte // of 2 inputs and 2 outputs, of 16 outputs
}

// fixture are blocks for daemons, in order: the chain, then one for each round.
type fixture struct{ chain, rounds []minedBlock }

// fixtureMaker grows a chain in this process.
type fixtureMaker struct {
	*payer
	node *node.Regtest
}

// makeFixture mines blocks that a wallet of ours fills. They are of the present, so that daemons take them.
func makeFixture(ctx context.Context, s fixtureSize, out io.Writer) (f fixture, err error) {
	began := time.Now()
	n, err := node.NewRegtest(now, rand.Reader)
	if err != nil {
		return f, err
	}
	p, err := newPayerOver(n.Registry(), ourKeys("payer"))
	if err != nil {
		return f, err
	}
	m := fixtureMaker{p, n}
	if err := m.mine(ctx, s.ripe); err != nil {
		return f, err
	}
	if err := m.pay(ctx, 0, s.splits); err != nil {
		return f, err
	}
	if err := m.mine(ctx, 10); err != nil { // now what the payments brought can be spent
		return f, err
	}
	if err := m.pay(ctx, s.bulk, 0); err != nil {
		return f, err
	}
	before := n.Height()
	for range s.rounds {
		if err := m.pay(ctx, s.narrow, s.wide); err != nil {
			return f, err
		}
	}
	n.Chain().View(func(v corechain.View) {
		for h := uint64(1); h < v.Height(); h++ {
			b := v.Block(h)
			mined := minedBlock{blob: b.Blob}
			for _, t := range b.Txs {
				if len(t.Tx.Outputs) == 2 {
					mined.narrow = append(mined.narrow, t.Blob)
				} else {
					mined.wide = append(mined.wide, t.Blob)
				}
			}
			if h < before {
				f.chain = append(f.chain, mined)
			} else {
				f.rounds = append(f.rounds, mined)
			}
		}
	})
	if len(f.rounds) != s.rounds {
		return f, fmt.Errorf("%d blocks instead of %d hold what is measured", len(f.rounds), s.rounds)
	}
	fmt.Fprintf(out, "made a chain of %d blocks in %s\n", len(f.chain)+len(f.rounds), time.Since(began).Round(time.Second))
	return f, nil
}

func (m *fixtureMaker) mine(ctx context.Context, n int) error {
	_, err := m.node.Mine(ctx, n, addressOf(m.Keys(), keys.Index{}).String())
	return err
}

// pay mines so many transactions of both kinds, in blocks of at most blockTxs.
func (m *fixtureMaker) pay(ctx context.Context, narrow, wide int) error {
	if err := m.refresh(ctx); err != nil {
		return err
	}
	plans, err := m.plans(narrow, wide)
	if err != nil {
		return err
	}
	rings, err := m.rings(ctx)
	if err != nil {
		return err
	}
	for len(plans) > 0 {
		n := min(len(plans), blockTxs+wide)
		if err := m.buildAll(ctx, rings, plans[:n]); err != nil {
			return err
		}
		if err := m.mine(ctx, 1); err != nil {
			return err
		}
		plans = plans[n:]
	}
	return nil
}

func (m *fixtureMaker) plans(narrow, wide int) (plans []build.Plan, err error) {
	inputs := m.spendable(2*narrow + wide)
	if len(inputs) < 2*narrow+wide {
		return nil, fmt.Errorf("%d outputs for %d and %d transactions", len(inputs), narrow, wide)
	}
	to, change := addressOf(m.Keys(), keys.Index{}), addressOf(m.Keys(), keys.Index{})
	for ; wide > 0; wide-- {
		plan := build.Plan{Inputs: inputs[:1], Change: change}
		for range perTx {
			plan.Destinations = append(plan.Destinations, build.Destination{Address: to, Amount: inputs[0].Amount / (perTx + 1)})
		}
		plans, inputs = append(plans, plan), inputs[1:]
	}
	for ; narrow > 0; narrow-- {
		plans = append(plans, build.Plan{Inputs: inputs[:2], Change: change,
			Destinations: []build.Destination{{Address: addressOf(ourKeys("measured"), keys.Index{}), Amount: inputs[0].Amount}}})
		inputs = inputs[2:]
	}
	return plans, nil
}

// buildAll puts the transactions of plans into the pool.
func (m *fixtureMaker) buildAll(ctx context.Context, rings ringMaker, plans []build.Plan) error {
	return syncer.Crew{Size: 2}.Split(ctx, len(plans), func(i int) error { return m.buildOne(ctx, rings, plans[i]) })
}

// buildOne puts a transaction into the pool, whether or not its rings look usual, which on so young a chain few do.
func (m *fixtureMaker) buildOne(ctx context.Context, rings ringMaker, plan build.Plan) error {
	for range 1000 {
		made, err := m.build(ctx, rings, plan)
		if errors.Is(err, decoy.ErrUnlikely) {
			continue
		}
		if err != nil {
			return err
		}
		_, err = m.node.Chain().AddTx(made.Blob, false)
		return err
	}
	return decoy.ErrUnlikely
}
