package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"glim/bindings/peers"
	"glim/core/keys"
	"glim/core/syncer"
	"glim/core/txbuild"
)

// loadChain is a chain with many blocks, and many payments to one wallet.
type loadChain struct {
	Blocks   int `json:"blocks"`
	Payments int `json:"payments"` // to different addresses of the measured wallet
}

// perTx is the number of payments in a transaction: with change it has the most outputs allowed.
const perTx = 15

const (
	firstPaying = 200 // height from which rings have enough members to choose from
	roundBlocks = 20
)

// loadAmount is the amount of each payment, in atomic units.
const loadAmount = uint64(1_000_000_000)

// makeLoadChain extends the chain in a folder to at least so many blocks and payments.
func (l *load) makeLoadChain(ctx context.Context, dir string, blocks, payments int) (loadChain, error) {
	mark := filepath.Join(dir, "chain.json")
	var done loadChain
	b, err := os.ReadFile(mark)
	if err == nil {
		err = json.Unmarshal(b, &done)
	}
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return done, err
	}
	if done.Blocks >= blocks && done.Payments >= payments {
		return done, nil
	}
	p, err := newPayer(l.daemon.URL, ourKeys("payer"))
	if err != nil {
		return done, err
	}
	mine := func(n int) error {
		return l.daemon.Mine(ctx, n, addressOf(p.keys(), keys.Index{}).String())
	}
	// Mine what an interrupted run left in the pool, so that no output is spent twice.
	if err := mine(1); err != nil {
		return done, err
	}
	began, last := time.Now(), time.Now()
	for {
		if err := p.refresh(ctx); err != nil {
			return done, err
		}
		var info struct {
			Height int `json:"height"`
		}
		if err := l.daemon.JSON(ctx, "get_info", nil, &info); err != nil {
			return done, err
		}
		done.Blocks = info.Height
		if done.Blocks >= blocks && done.Payments >= payments {
			break
		}
		if time.Since(last) > 15*time.Second {
			last = time.Now()
			fmt.Fprintf(l.out, "making the chain: %d of %d blocks, %d of %d payments, %s\n",
				done.Blocks, blocks, done.Payments, payments, time.Since(began).Round(time.Second))
		}
		if info.Height >= firstPaying && done.Payments < payments {
			sent, err := l.payRound(ctx, p, done.Payments, min((payments-done.Payments+perTx-1)/perTx, 40))
			if err != nil {
				return done, err
			}
			done.Payments += sent * perTx
		}
		if err := mine(roundBlocks); err != nil {
			return done, err
		}
		if b, err = json.Marshal(done); err != nil {
			return done, err
		}
		if err := os.WriteFile(mark, b, 0o600); err != nil {
			return done, err
		}
	}
	fmt.Fprintf(l.out, "made a chain of %d blocks with %d payments in %s\n", done.Blocks, done.Payments,
		time.Since(began).Round(time.Second))
	return done, nil
}

// payRound sends up to count transactions, whose first payment is number first, and returns their number.
func (l *load) payRound(ctx context.Context, p *payer, first, count int) (int, error) {
	inputs := p.spendable(count)
	if len(inputs) == 0 {
		return 0, nil
	}
	rings, err := p.rings(ctx)
	if err != nil {
		return 0, err
	}
	return len(inputs), syncer.Workers{Count: 2}.For(ctx, len(inputs), func(i int) error {
		plan := txbuild.Plan{Inputs: inputs[i : i+1], Change: addressOf(p.Keys(), keys.Index{})}
		for n := range perTx {
			plan.Destinations = append(plan.Destinations, txbuild.Destination{
				Address: addressOf(ourKeys("measured"), loadIndex(first+i*perTx+n, l.addresses)), Amount: loadAmount})
		}
		return p.send(ctx, rings, plan)
	})
}

// startLoad starts the daemon, makes the chain and runs the measurement.
func startLoad(ctx context.Context, l *load, dir string, blocks, payments int, only bool) error {
	dir = filepath.Join(dir, fmt.Sprintf("load-%d", l.addresses)) // the payees depend on the number of addresses
	l.dir = filepath.Join(dir, "wallets")
	d, err := peers.StartDaemon(ctx, peers.Options{Dir: dir, KeepChain: true})
	if err != nil {
		return err
	}
	defer func() { _ = d.Stop() }() // a daemon that must be killed keeps its chain, too
	l.daemon = d
	if l.chain, err = l.makeLoadChain(ctx, dir, blocks, payments); err != nil || only {
		return err
	}
	return l.run(ctx)
}
