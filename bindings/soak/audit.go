package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"
)

// errLost reports that something is not there at the end.
var errLost = errors.New("something was lost")

// audit brings everything to rest and counts: what the wallets have is what the chain has, every payment that was answered is known to
// who paid and to who was paid and on the chain; the same after the service ended and began again; and the same as wallets know that are
// restored from the seeds alone.
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
	if err := s.again(ctx, s.service.URL, accounts, lived, "opened again", open); err != nil {
		return err
	}
	// What a new process needs for the same wallets is what they hold; the rest would have been left behind.
	anew, err := s.memory(ctx)
	if err != nil {
		return err
	}
	fmt.Fprintf(s.out, "at the end  %s\nanew        %s\n", used, anew)
	if err := s.end(); err != nil {
		return err
	}
	if s.service, err = s.start(ctx, "restored"); err != nil {
		return err
	}
	restore := func(a *account) error {
		return a.JSON(ctx, "restore_deterministic_wallet", map[string]any{"password": "", "seed": a.seed, "restore_height": 0}, nil)
	}
	if err := s.again(ctx, s.service.URL, accounts, lived, "restored", restore); err != nil {
		return err
	}
	s.summary(lived)
	return s.end()
}

// settle mines until nothing is on its way, and lets every wallet read all of it.
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

// holding is what a wallet says it has.
type holding struct {
	Balance  uint64 `json:"balance"`
	incoming []string
}

// holdings asks every wallet.
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

// compareWithChain holds the sum of the wallets against all money there is: every block pays one of them.
func (s *soak) compareWithChain(ctx context.Context, lived []holding) error {
	var last struct{ Count uint64 }
	if err := s.daemon.JSON(ctx, "get_block_count", nil, &last); err != nil {
		return err
	}
	var made struct {
		Emission uint64 `json:"emission_amount"`
	}
	// The first block's reward is nobody's.
	if err := s.daemon.JSON(ctx, "get_coinbase_tx_sum", map[string]any{"height": 1, "count": last.Count - 1}, &made); err != nil {
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

// findPayments looks for every payment that was answered, where it must be.
func (s *soak) findPayments(ctx context.Context, accounts []*account) error {
	for _, a := range accounts {
		reader := &client{soak: s, account: a}
		if err := reader.readEvents(ctx); err != nil {
			return err
		}
	}
	if len(s.payments) == 0 {
		return errors.New("nobody paid anything")
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
		if err := errors.Join(p.from.JSON(ctx, "get_transfer_by_txid", ask, &out), p.to.JSON(ctx, "get_transfer_by_txid", ask, &in),
			p.from.JSON(ctx, "get_tx_key", ask, &key)); err != nil {
			return fmt.Errorf("%w: %s: %w", errLost, txid, err)
		}
		if out.Transfer.Type != "out" || in.Transfer.Type != "in" || out.Transfer.Amount != p.amount || in.Transfer.Amount != p.amount ||
			out.Transfer.Fee != p.fee || out.Transfer.Height == 0 || out.Transfer.Height != in.Transfer.Height || key.Key != p.key {
			return fmt.Errorf("%w: %s of %d: paid as %+v, received as %+v", errLost, txid, p.amount, out.Transfer, in.Transfer)
		}
		for _, a := range []*account{p.from, p.to} {
			if !s.events[a.name][txid] {
				return fmt.Errorf("%w: no event of %s tells of %s", errLost, a.name, txid)
			}
		}
	}
	return nil
}

// again has every wallet come to the service of that address by open, and holds what it has against what it had.
func (s *soak) again(ctx context.Context, url string, accounts []*account, lived []holding, how string, open func(*account) error) error {
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

// summary says what was counted.
func (s *soak) summary(lived []holding) {
	var sum uint64
	transfers := 0
	for _, h := range lived {
		sum += h.Balance
		transfers += len(h.incoming)
	}
	fmt.Fprintf(s.out, "nothing lost: %d wallets have %d atomic units in %d transfers, as the chain has; %d payments found, %d reorganisations\n",
		len(lived), sum, transfers, len(s.payments), s.reorgs)
	for why, n := range s.refused {
		fmt.Fprintf(s.out, "refused %d times: %s\n", n, why)
	}
}
