package main

import (
	"context"
	"crypto/rand"
	"errors"
	"runtime"
	"time"

	"glim/bindings/native"
	"glim/core/daemon"
	"glim/core/decoy"
	"glim/core/fee"
	"glim/core/journal"
	"glim/core/keys"
	"glim/core/rpc"
	"glim/core/session"
	"glim/core/syncer"
	"glim/core/txbuild"
	"glim/core/wallet"
	"glim/core/xmr"
)

// chainSource implements the interface of package syncer for a daemon.
type chainSource struct{ client *daemon.Client }

func (s chainSource) Height(ctx context.Context) (uint64, error) {
	info, err := s.client.Info(ctx)
	return info.Height, err
}

func (s chainSource) Blocks(ctx context.Context, q syncer.Request) (syncer.Batch, error) {
	b, err := s.client.Blocks(ctx, daemon.BlocksRequest{History: q.History, Start: q.Start})
	out := syncer.Batch{Height: b.Current}
	for i := range b.Blocks {
		in := &b.Blocks[i]
		block := syncer.Block{
			Height: in.Height, Hash: in.Hash, Prev: in.Prev, Version: in.Major, Timestamp: in.Timestamp,
		}
		for _, t := range append([]daemon.Tx{in.MinerTx}, in.Txs...) {
			block.Txs = append(block.Txs, syncer.Tx{ID: t.ID, Tx: t.Transaction, Indices: t.OutputIndices})
		}
		out.Blocks = append(out.Blocks, block)
	}
	return out, err
}

func (chainSource) Pool(context.Context, func(*syncer.PoolEpoch, xmr.Hash) bool) (syncer.Pool, error) {
	return syncer.Pool{}, nil
}

// payer is a wallet in memory that mines, and spends each of its outputs once.
type payer struct {
	*session.Session
	client *daemon.Client
	used   map[xmr.PublicKey]bool
}

func newPayer(url string, k *keys.Keys) (*payer, error) {
	t, err := native.NewTransport(native.TransportOptions{Address: url})
	if err != nil {
		return nil, err
	}
	return newPayerOver(t, k)
}

func newPayerOver(t rpc.Transport, k *keys.Keys) (*payer, error) {
	s, err := session.Create(journal.NewMemory(), nil, journal.WeakestKDF(),
		wallet.Identity{Network: xmr.Regtest, Keys: k},
		wallet.Lookahead{Major: 1, Minor: 1}, session.Host{
			Random: rand.Reader, Now: now, Workers: runtime.GOMAXPROCS(0),
		})
	if err != nil {
		return nil, err
	}
	return &payer{s, daemon.New(t), map[xmr.PublicKey]bool{}}, nil
}

func now() uint64 { return uint64(time.Now().Unix()) }

func (p *payer) keys() *keys.Keys { return p.Keys() }

func (p *payer) refresh(ctx context.Context) error {
	_, err := p.Refresh(ctx, chainSource{p.client}, 0)
	return err
}

// spendable returns up to count outputs, the oldest first, and no output twice.
func (p *payer) spendable(count int) (out []txbuild.Input) {
	p.View(func(w *wallet.Wallet) {
		for _, in := range w.Spendable(0, nil, w.Clock(now())) {
			if len(out) < count && in.Amount > 2*paymentAmount && !p.used[in.Key] {
				p.used[in.Key] = true
				out = append(out, in)
			}
		}
	})
	return out
}

// ringMaker has the distribution of outputs and the fees at one height.
type ringMaker struct {
	picker *decoy.Picker
	rate   txbuild.Rate
}

func (p *payer) rings(ctx context.Context) (ringMaker, error) {
	start, cumulative, err := p.client.Distribution(ctx, 0, 0)
	if err != nil {
		return ringMaker{}, err
	}
	distribution, err := decoy.NewDistribution(start, cumulative)
	if err != nil {
		return ringMaker{}, err
	}
	picker, err := decoy.NewPicker(distribution)
	if err != nil {
		return ringMaker{}, err
	}
	fees, mask, err := p.client.FeeEstimate(ctx)
	if err != nil {
		return ringMaker{}, err
	}
	estimate, err := fee.NewEstimate(fee.CeilingFor(xmr.Regtest), fees, mask)
	return ringMaker{picker, txbuild.Rate{Fees: estimate, Priority: fee.Slow}}, err
}

// send makes the transaction of plan and sends it to the daemon.
func (p *payer) send(ctx context.Context, r ringMaker, plan txbuild.Plan) error {
	// On a short chain rings sometimes look unusual, to us or to the daemon, which may have more blocks by then.
	var err error
	for range 100 {
		var made *txbuild.Result
		if made, err = p.transaction(ctx, r, plan); errors.Is(err, decoy.ErrUnlikely) {
			continue
		}
		if err != nil {
			break
		}
		err = p.client.Send(ctx, made.Blob)
		var refused *daemon.Rejected
		if !errors.As(err, &refused) || !refused.Has(daemon.SanityCheckFailed) {
			break
		}
	}
	return err
}

// transaction makes the transaction of plan with random rings. It returns decoy.ErrUnlikely if these look unusual.
func (p *payer) transaction(ctx context.Context, r ringMaker, plan txbuild.Plan) (*txbuild.Result, error) {
	var spends []decoy.Spend
	for i := range plan.Inputs {
		in := &plan.Inputs[i]
		spends = append(spends, decoy.Spend{
			Member: decoy.Member{Index: in.GlobalIndex, Key: in.Key, Commitment: in.Commitment()},
		})
	}
	request, err := decoy.Plan(rand.Reader, r.picker, spends)
	if err != nil {
		return nil, err
	}
	outs, err := p.client.Outputs(ctx, request.Indices())
	if err != nil {
		return nil, err
	}
	answers := make([]decoy.OutputAnswer, len(outs))
	for i := range outs {
		answers[i] = decoy.OutputAnswer{Key: outs[i].Key, Commitment: outs[i].Commitment, Unlocked: outs[i].Unlocked}
	}
	rings, err := decoy.Choose(request, answers)
	if err != nil {
		return nil, err
	}
	return txbuild.Construct(rand.Reader, p.Keys(), plan, rings, r.rate)
}
