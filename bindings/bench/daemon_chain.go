package main

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"time"

	corechain "glim/core/chain"
	"glim/core/decoy"
	"glim/core/keys"
	"glim/core/node"
	"glim/core/syncer"
	"glim/core/txbuild"
)

// fixtureSize is the size of the chain of a fixture.
type fixtureSize struct {
	mature int // blocks before the first payment; all but the last immature can be spent
	splits int // transactions with 1 input and 16 outputs, which the others spend
	bulk   int // transactions of 2 inputs and 2 outputs
	rounds int // blocks that are measured
	narrow int // transactions of 2 inputs and 2 outputs in each of those
	wide   int // transactions of 1 input and 16 outputs in each of those
}

// daemonChainSize returns the size for a number of rounds. The splits make enough outputs for all other transactions.
func daemonChainSize(rounds int) fixtureSize {
	s := fixtureSize{mature: 200, bulk: 160, rounds: rounds, narrow: 40, wide: 2}
	s.splits = max(40, (s.spent()-s.rewards()+perTx-1)/perTx)
	s.mature = max(s.mature, s.splits+immature)
	return s
}

// immature is the number of rewards that are still locked at the first payment.
const immature = 60

// rewards returns the number of outputs for the splits.
func (s fixtureSize) rewards() int { return s.mature - immature }

// spent returns the number of outputs that are spent after the splits, each of which makes perTx of them.
func (s fixtureSize) spent() int { return 2*s.bulk + s.rounds*(2*s.narrow+s.wide) }

// blockTxs limits the transactions in a block of the fixture, so that no block has a penalty.
const blockTxs = 40

// minedBlock is a block with its transactions except the coinbase.
type minedBlock struct {
	blob         []byte
	narrow, wide [][]byte // of 2 inputs and 2 outputs, of 16 outputs
}

// fixture has blocks for daemons, in order: the chain, then one for each round.
type fixture struct{ chain, rounds []minedBlock }

// fixtureMaker grows a chain in this process.
type fixtureMaker struct {
	*payer
	node *node.Regtest
}

// makeFixture mines blocks with transactions of a wallet. Their timestamps are recent, so that daemons accept them.
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
	if err := m.mine(ctx, s.mature); err != nil {
		return f, err
	}
	if err := m.pay(ctx, 0, s.splits); err != nil {
		return f, err
	}
	if err := m.mine(ctx, 10); err != nil { // unlocks the outputs of the payments
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
		return f, fmt.Errorf("%d blocks instead of %d have transactions to measure", len(f.rounds), s.rounds)
	}
	fmt.Fprintf(out, "made a chain of %d blocks in %s\n", len(f.chain)+len(f.rounds),
		time.Since(began).Round(time.Second))
	return f, nil
}

func (m *fixtureMaker) mine(ctx context.Context, n int) error {
	_, err := m.node.Mine(ctx, n, addressOf(m.Keys(), keys.Index{}).String())
	return err
}

// pay mines transactions of both kinds, in blocks of at most blockTxs.
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

func (m *fixtureMaker) plans(narrow, wide int) (plans []txbuild.Plan, err error) {
	inputs := m.spendable(2*narrow + wide)
	if len(inputs) < 2*narrow+wide {
		return nil, fmt.Errorf("%d outputs for %d and %d transactions", len(inputs), narrow, wide)
	}
	to, change := addressOf(m.Keys(), keys.Index{}), addressOf(m.Keys(), keys.Index{})
	for ; wide > 0; wide-- {
		plan := txbuild.Plan{Inputs: inputs[:1], Change: change}
		for range perTx {
			plan.Destinations = append(plan.Destinations, txbuild.Destination{
				Address: to, Amount: inputs[0].Amount / (perTx + 1),
			})
		}
		plans, inputs = append(plans, plan), inputs[1:]
	}
	for ; narrow > 0; narrow-- {
		plans = append(plans, txbuild.Plan{Inputs: inputs[:2], Change: change,
			Destinations: []txbuild.Destination{{
				Address: addressOf(ourKeys("measured"), keys.Index{}), Amount: inputs[0].Amount,
			}}})
		inputs = inputs[2:]
	}
	return plans, nil
}

// buildAll puts the transactions of plans into the pool.
func (m *fixtureMaker) buildAll(ctx context.Context, rings ringMaker, plans []txbuild.Plan) error {
	return syncer.Workers{Count: 2}.For(ctx, len(plans), func(i int) error { return m.buildOne(ctx, rings, plans[i]) })
}

// buildOne puts a transaction into the pool. On a short chain most rings look unusual, so it tries often.
func (m *fixtureMaker) buildOne(ctx context.Context, rings ringMaker, plan txbuild.Plan) error {
	for range 1000 {
		made, err := m.transaction(ctx, rings, plan)
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
