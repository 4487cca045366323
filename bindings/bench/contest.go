package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"time"

	"glim/bindings/peers"
	"glim/core/keys"
)

// usageOf is what a process used.
type usageOf struct {
	cpu          time.Duration // user and system
	memory, peak float64       // MiB resident: now, and at most so far
}

// contest runs two services, each with as many threads as there are and with one.
type contest struct {
	daemon            *peers.Daemon
	dir, glim         string
	chain             chain
	rounds, transfers int
	out               io.Writer
	found             balance // by all of them
}

// entrant is one of those that are compared.
type entrant struct {
	name    string
	options peers.Options
	results results
}

// results are what was measured of an entrant, one number a round.
type results struct {
	restore, syncWall, syncCPU, transferWall, transferCPU []time.Duration
	memory, restorePeak, syncPeak                         []float64 // MiB; memory is after the sync
}

func (c *contest) entrants() (reference, ours, referenceOne, oursOne *entrant) {
	of := func(name string, command []string, args ...string) *entrant {
		return &entrant{name: name, options: peers.Options{Dir: filepath.Join(c.dir, name), Command: command, Args: args}}
	}
	command := []string{c.glim, "wallet-rpc", "--regtest"}
	one := []string{"--max-concurrency", "1"}
	return of("reference", nil), of("glim", command), of("reference-1", nil, one...), of("glim-1", command, one...)
}

func (c *contest) run(ctx context.Context) error {
	reference, ours, referenceOne, oursOne := c.entrants()
	all := []*entrant{reference, ours, referenceOne, oursOne}
	for round := range c.rounds {
		fmt.Fprintf(c.out, "round %d of %d\n", round+1, c.rounds)
		var balances []balance
		for i := range all {
			e := all[(i+round)%len(all)] // nobody is always the first, on an idle machine or with cold caches
			w, err := c.sync(ctx, e, round)
			if err != nil {
				return fmt.Errorf("%s: %w", e.name, err)
			}
			b, err := balanceOf(ctx, w)
			if err := errors.Join(err, w.Stop()); err != nil {
				return fmt.Errorf("%s: %w", e.name, err)
			}
			balances = append(balances, b)
		}
		for _, b := range balances[1:] {
			if b != balances[0] {
				return fmt.Errorf("the services do not find the same: %+v", balances)
			}
		}
		c.found = balances[0]
	}
	if err := c.buildTransfers(ctx, reference, ours); err != nil {
		return err
	}
	return c.report(reference, ours, referenceOne, oursOne)
}

// sync starts a service, restores the measured wallet in it, and refreshes from the first block to the last.
func (c *contest) sync(ctx context.Context, e *entrant, round int) (_ *peers.WalletRPC, err error) {
	w, err := peers.StartWalletRPC(ctx, c.daemon, e.options)
	if err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			_ = w.Kill()
		}
	}()
	seed, err := words(ourKeys("measured"))
	if err != nil {
		return nil, err
	}
	if err := w.JSON(ctx, "auto_refresh", map[string]any{"enable": false}, nil); err != nil {
		return nil, err
	}
	began := time.Now()
	if err := w.JSON(ctx, "restore_deterministic_wallet", map[string]any{
		"filename": fmt.Sprintf("round%d", round), "password": "", "seed": seed, "restore_height": 0, "language": "English"}, nil); err != nil {
		return nil, err
	}
	restored := time.Now()
	before, err := usage(w.PID())
	if err != nil {
		return nil, err
	}
	if err := forgetPeak(w.PID()); err != nil {
		return nil, err
	}
	var refreshed struct {
		Blocks int `json:"blocks_fetched"`
	}
	start := time.Now()
	if err := w.JSON(ctx, "refresh", map[string]any{"start_height": 0}, &refreshed); err != nil {
		return nil, err
	}
	wall := time.Since(start)
	after, err := usage(w.PID())
	if err != nil {
		return nil, err
	}
	if refreshed.Blocks < c.chain.Blocks-1 { // the genesis block may count or not
		return nil, fmt.Errorf("the refresh saw %d of %d blocks", refreshed.Blocks, c.chain.Blocks)
	}
	r := &e.results
	r.restore = append(r.restore, restored.Sub(began))
	r.syncWall, r.syncCPU = append(r.syncWall, wall), append(r.syncCPU, after.cpu-before.cpu)
	r.memory = append(r.memory, after.memory)
	r.restorePeak, r.syncPeak = append(r.restorePeak, before.peak), append(r.syncPeak, after.peak)
	return w, nil
}

// balance is what a wallet has found.
type balance struct {
	Balance  uint64 `json:"balance"`
	Unlocked uint64 `json:"unlocked_balance"`
	payments int
}

func balanceOf(ctx context.Context, w *peers.WalletRPC) (b balance, err error) {
	if err = w.JSON(ctx, "get_balance", map[string]any{"account_index": 0, "all_accounts": true}, &b); err != nil {
		return b, err
	}
	var transfers struct {
		In []any `json:"in"`
	}
	err = w.JSON(ctx, "get_transfers", map[string]any{"in": true, "all_accounts": true}, &transfers)
	b.payments = len(transfers.In)
	return b, err
}

// buildTransfers lets the services, both up to date, take turns at building a transfer that needs two inputs.
func (c *contest) buildTransfers(ctx context.Context, entrants ...*entrant) error {
	services := make([]*peers.WalletRPC, len(entrants))
	for i, e := range entrants {
		w, err := c.sync(ctx, e, c.rounds)
		if err != nil {
			return fmt.Errorf("%s: %w", e.name, err)
		}
		defer func() { _ = w.Kill() }() // after an error; otherwise it has stopped
		services[i] = w
	}
	request := map[string]any{"account_index": 0, "do_not_relay": true, "priority": 1, "destinations": []map[string]any{
		{"address": addressOf(ourKeys("payer"), keys.Index{}).String(), "amount": paymentAmount * 3 / 2}}}
	for n := range c.transfers + 1 {
		for i, w := range services {
			var made struct {
				Images struct {
					List []string `json:"key_images"`
				} `json:"spent_key_images"`
			}
			before, err := usage(w.PID())
			if err != nil {
				return err
			}
			start := time.Now()
			if err := w.JSON(ctx, "transfer", request, &made); err != nil {
				return fmt.Errorf("%s: %w", entrants[i].name, err)
			}
			wall := time.Since(start)
			after, err := usage(w.PID())
			if err != nil {
				return err
			}
			if len(made.Images.List) != 2 {
				return fmt.Errorf("%s: a transfer with %d inputs instead of 2", entrants[i].name, len(made.Images.List))
			}
			if n == 0 {
				continue // the first builds tables
			}
			r := &entrants[i].results
			r.transferWall, r.transferCPU = append(r.transferWall, wall), append(r.transferCPU, after.cpu-before.cpu)
		}
	}
	for i, w := range services {
		if err := w.Stop(); err != nil {
			return fmt.Errorf("%s: %w", entrants[i].name, err)
		}
	}
	return nil
}
