package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"
)

// errLost reports that something is missing at the end.
var errLost = errors.New("something was lost")

// audit mines all pending payments. It then checks that the wallets have exactly the coins of the chain, and that each
// payment with a response is in both wallets and on the chain. It repeats this after a restart of the service, and for
// wallets restored from their seeds.
func (s *soak) audit(ctx context.Context, accounts []*account) error {
	if err := s.settle(ctx, accounts); err != nil {
		return err
	}
	lived, err := s.holdings(ctx, accounts)
	if err != nil {
		return err
	}
	if err := s.compareWithChain(ctx, lived); err != nil {
		return err
	}
	if err := s.findPayments(ctx, accounts); err != nil {
		return err
	}
	used, err := s.memory(ctx)
	if err != nil {
		return err
	}
	if err := s.end(); err != nil {
		return err
	}
	if s.service, err = s.start(ctx, "service"); err != nil {
		return err
	}
	open := func(a *account) error { return a.JSON(ctx, "open_wallet", map[string]any{"password": "soak"}, nil) }
	if err := s.again(ctx, s.service.URL, accounts, lived, "reopened", open); err != nil {
		return err
	}
	// A new process needs only the memory for the same wallets; anything more in the old one would be a leak.
	fresh, err := s.memory(ctx)
	if err != nil {
		return err
	}
	fmt.Fprintf(s.out, "at the end  %s\nrestarted   %s\n", used, fresh)
	if err := s.end(); err != nil {
		return err
	}
	if s.service, err = s.start(ctx, "restored"); err != nil {
		return err
	}
	restore := func(a *account) error {
		return a.JSON(ctx, "restore_deterministic_wallet",
			map[string]any{"password": "", "seed": a.seed, "restore_height": 0}, nil)
	}
	if err := s.again(ctx, s.service.URL, accounts, lived, "restored", restore); err != nil {
		return err
	}
	s.summary(lived)
	return s.end()
}

// settle mines until no payment is pending, and refreshes every wallet.
func (s *soak) settle(ctx context.Context, accounts []*account) error {
	for deadline := time.Now().Add(5 * time.Minute); ; {
		if err := s.daemon.Mine(ctx, 1, accounts[0].address); err != nil {
			return err
		}
		var info struct {
			Pool int `json:"tx_pool_size"`
		}
		if err := s.daemon.JSON(ctx, "get_info", nil, &info); err != nil {
			return err
		}
		if info.Pool == 0 {
			break
		}
		if time.Now().After(deadline) {
			return fmt.Errorf("%d transactions stay in the pool", info.Pool)
		}
	}
	if err := s.daemon.Mine(ctx, 60, accounts[0].address); err != nil {
		return err
	}
	return s.refreshAll(ctx, accounts)
}

// holding is the balance and the incoming transfers of a wallet.
type holding struct {
	Balance  uint64 `json:"balance"`
	incoming []string
}

// holdings returns the holding of every wallet.
func (s *soak) holdings(ctx context.Context, accounts []*account) ([]holding, error) {
	all := make([]holding, len(accounts))
	for i, a := range accounts {
		var list struct {
			In []struct {
				TxID   string `json:"txid"`
				Height uint64 `json:"height"`
				Amount uint64 `json:"amount"`
			} `json:"in"`
		}
		if err := errors.Join(a.JSON(ctx, "get_balance", map[string]any{"account_index": 0}, &all[i]),
			a.JSON(ctx, "get_transfers", map[string]any{"in": true, "account_index": 0}, &list)); err != nil {
			return nil, err
		}
		for _, t := range list.In {
			all[i].incoming = append(all[i].incoming, fmt.Sprint(t.TxID, " ", t.Height, " ", t.Amount))
		}
		slices.Sort(all[i].incoming)
	}
	return all, nil
}

// compareWithChain compares the sum of all balances with the coins of the chain: every block pays one of the wallets.
func (s *soak) compareWithChain(ctx context.Context, lived []holding) error {
	var last struct{ Count uint64 }
	if err := s.daemon.JSON(ctx, "get_block_count", nil, &last); err != nil {
		return err
	}
	var made struct {
		Emission uint64 `json:"emission_amount"`
	}
	// The reward of the genesis block belongs to no wallet.
	if err := s.daemon.JSON(ctx, "get_coinbase_tx_sum", map[string]any{"height": 1, "count": last.Count - 1},
		&made); err != nil {
		return err
	}
	var sum uint64
	for _, h := range lived {
		sum += h.Balance
	}
	if sum != made.Emission || sum == 0 {
		return fmt.Errorf("%w: the wallets have %d, the chain %d", errLost, sum, made.Emission)
	}
	return nil
}

// findPayments looks for each payment with a response in both wallets and their events.
func (s *soak) findPayments(ctx context.Context, accounts []*account) error {
	for _, a := range accounts {
		reader := &client{soak: s, account: a}
		if err := reader.readEvents(ctx); err != nil {
			return err
		}
	}
	if len(s.payments) == 0 {
		return errors.New("there were no payments")
	}
	for txid, p := range s.payments {
		var out, in struct {
			Transfer struct {
				Type   string
				Amount uint64
				Fee    uint64
				Height uint64
			}
		}
		var key struct {
			Key string `json:"tx_key"`
		}
		ask := map[string]any{"txid": txid}
		if err := errors.Join(p.from.JSON(ctx, "get_transfer_by_txid", ask, &out),
			p.to.JSON(ctx, "get_transfer_by_txid", ask, &in),
			p.from.JSON(ctx, "get_tx_key", ask, &key)); err != nil {
			return fmt.Errorf("%w: %s: %w", errLost, txid, err)
		}
		paid, received := out.Transfer, in.Transfer
		types := paid.Type == "out" && received.Type == "in"
		amounts := paid.Amount == p.amount && received.Amount == p.amount && paid.Fee == p.fee
		if !types || !amounts || paid.Height == 0 || paid.Height != received.Height || key.Key != p.key {
			return fmt.Errorf("%w: %s of %d: paid as %+v, received as %+v",
				errLost, txid, p.amount, paid, received)
		}
		for _, a := range []*account{p.from, p.to} {
			if !s.events[a.name][txid] {
				return fmt.Errorf("%w: no event of %s reports %s", errLost, a.name, txid)
			}
		}
	}
	return nil
}

// again opens every wallet at the service with URL url by calling open, and compares its holding with the one in lived.
func (s *soak) again(ctx context.Context, url string, accounts []*account, lived []holding, how string,
	open func(*account) error) error {
	for _, a := range accounts {
		a.URL = url + "/wallets/" + a.name
		if err := open(a); err != nil {
			return err
		}
	}
	if err := s.refreshAll(ctx, accounts); err != nil {
		return err
	}
	now, err := s.holdings(ctx, accounts)
	if err != nil {
		return err
	}
	for i, h := range now {
		if h.Balance != lived[i].Balance || !slices.Equal(h.incoming, lived[i].incoming) {
			return fmt.Errorf("%w: %s, %s: had %d in %d transfers, has %d in %d", errLost, accounts[i].name, how,
				lived[i].Balance, len(lived[i].incoming), h.Balance, len(h.incoming))
		}
	}
	return nil
}

// summary prints the result.
func (s *soak) summary(lived []holding) {
	var sum uint64
	transfers := 0
	for _, h := range lived {
		sum += h.Balance
		transfers += len(h.incoming)
	}
	fmt.Fprintf(s.out, "nothing lost: %d wallets have %d atomic units in %d transfers, as the chain has; "+
		"%d payments found, %d reorganisations\n", len(lived), sum, transfers, len(s.payments), s.reorgs)
	for why, n := range s.refused {
		fmt.Fprintf(s.out, "%d errors: %s\n", n, why)
	}
}
