package main

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"time"

	"glim/bindings/peers"
	"glim/core/walletrpc"
)

// client sends requests. Clients of the same wallet act independently.
type client struct {
	*soak
	*account
	others []*account
	chance *rand.Rand
	number int
	asked  int
	cursor uint64 // of the last event read; only the first client of a wallet reads events
}

func newClient(s *soak, n int, accounts []*account) *client {
	mine := n % len(accounts)
	// The sequence of requests is deterministic.
	c := &client{soak: s, account: accounts[mine], number: n, chance: rand.New(rand.NewPCG(uint64(n), 0))}
	for i, a := range accounts {
		if i != mine {
			c.others = append(c.others, a)
		}
	}
	return c
}

// live sends requests until the run is over. It returns an error if a response is wrong.
func (c *client) live(ctx context.Context) error {
	// Clients start at different times.
	if !rest(ctx, time.Duration(c.chance.Int64N(int64(c.pause)))) {
		return nil
	}
	for {
		// A request completes even if the time is up meanwhile, because the result of a payment must be known.
		if err := c.ask(context.WithoutCancel(ctx)); err != nil {
			return fmt.Errorf("client %d of %s: %w", c.number, c.name, err)
		}
		if !rest(ctx, c.pause/2+time.Duration(c.chance.Int64N(int64(c.pause)))) {
			return nil
		}
	}
}

// ask sends one request.
func (c *client) ask(ctx context.Context) error {
	c.asked++
	ctx, cancel := context.WithTimeout(ctx, 10*time.Minute)
	defer cancel()
	if c.number < len(c.others)+1 && c.asked%4 == 0 {
		return c.readEvents(ctx)
	}
	switch n := c.chance.IntN(100); {
	case n < 12:
		return c.pay(ctx)
	case n < 30:
		return c.call(ctx, "refresh", map[string]any{}, nil)
	case n < 65:
		return c.call(ctx, "get_balance", map[string]any{"account_index": 0}, nil)
	case n < 80:
		return c.recent(ctx)
	case n < 83:
		return c.call(ctx, "create_address", map[string]any{"account_index": 0}, nil)
	case n < 90:
		return c.call(ctx, "get_height", nil, nil)
	case n < 95:
		return c.call(ctx, "incoming_transfers", map[string]any{"transfer_type": "available", "account_index": 0}, nil)
	}
	return c.call(ctx, "get_address", map[string]any{"account_index": 0}, nil)
}

// call calls a method and counts it.
func (c *client) call(ctx context.Context, method string, params, out any) error {
	err := c.JSON(ctx, method, params, out)
	c.count(method, "")
	return err
}

// recent requests the transfers of the last blocks.
func (c *client) recent(ctx context.Context) error {
	var at struct{ Height uint64 }
	if err := c.call(ctx, "get_height", nil, &at); err != nil {
		return err
	}
	return c.call(ctx, "get_transfers",
		map[string]any{"in": true, "out": true, "pending": true, "pool": true, "account_index": 0,
			"filter_by_height": true, "min_height": at.Height - min(at.Height, 20), "max_height": at.Height}, nil)
}

// allowed are the error codes that a payment may return: the outputs of the wallet are pending, or the chain was
// reorganised during the payment.
var allowed = map[int]bool{
	walletrpc.CodeNotEnoughUnlockedMoney: true, walletrpc.CodeNotEnoughMoney: true, walletrpc.CodeTxNotPossible: true,
	walletrpc.CodeGenericTransfer: true, walletrpc.CodeNotEnoughOutsToMix: true,
}

// pay pays another wallet, and sometimes repeats the request with the same idempotency key, as after a lost connection.
func (c *client) pay(ctx context.Context) error {
	to := c.others[c.chance.IntN(len(c.others))]
	amount := 1_000_000 + c.chance.Uint64N(1_000_000_000)
	request := map[string]any{"destinations": []map[string]any{{"amount": amount, "address": to.address}},
		"account_index": 0, "get_tx_key": true,
		"idempotency_key": fmt.Sprintf("client-%d-%d", c.number, c.asked)}
	type answer struct {
		TxHash string `json:"tx_hash"`
		TxKey  string `json:"tx_key"`
		Amount uint64 `json:"amount"`
		Fee    uint64 `json:"fee"`
	}
	var first, second answer
	err := c.JSON(ctx, "transfer", request, &first)
	var refused *peers.Error
	if errors.As(err, &refused) && allowed[refused.Code] {
		c.count("transfer", fmt.Sprintf("%s (%d)", refused.Message, refused.Code))
		return nil
	}
	c.count("transfer", "")
	if err != nil {
		return err
	}
	if c.chance.IntN(10) == 0 {
		if err := c.call(ctx, "transfer", request, &second); err != nil {
			return fmt.Errorf("repeated: %w", err)
		}
		if second.TxHash != first.TxHash {
			return fmt.Errorf("a repeated request paid twice: %s and %s", first.TxHash, second.TxHash)
		}
	}
	if first.Amount != amount || first.TxKey == "" {
		return fmt.Errorf("the answer to a payment of %d says %d", amount, first.Amount)
	}
	return c.paid(first.TxHash, payment{c.account, to, first.Amount, first.Fee, first.TxKey})
}

// readEvents reads the events of the wallet since the last call.
func (c *client) readEvents(ctx context.Context) error {
	for {
		var news struct {
			Cursor uint64
			Lost   bool
			Events []struct{ Type, TxID string }
		}
		if err := c.call(ctx, "get_events", map[string]any{"cursor": c.cursor, "limit": 1000}, &news); err != nil {
			return err
		}
		if news.Lost {
			return errors.New("events were dropped before they were read")
		}
		for _, e := range news.Events {
			if e.Type == "confirmed" {
				c.confirmed(c.name, e.TxID)
			}
		}
		if c.cursor = news.Cursor; len(news.Events) == 0 {
			return nil
		}
	}
}
