package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"

	"gitlab.com/moneropay/moneropay/v2/pkg/model"
)

// shop is MoneroPay with its database, and its callbacks.
type shop struct {
	ctx                        context.Context
	wallet, payer, folder, url string
	program                    string
	daemon                     daemon
	process                    *exec.Cmd
	mu                         sync.Mutex
	posted                     []json.RawMessage
	address                    string                   // of the invoice, if there is one
	last                       model.ReceiveGetResponse // its last known state
}

// sell makes an invoice with MoneroPay and pays it in parts. The covered amount never decreases between requests.
func sell(ctx context.Context, wallet string, d daemon, payer, program, folder string) (err error) {
	s := &shop{ctx: ctx, wallet: wallet, payer: payer, program: program, folder: folder, daemon: d}
	hook := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err == nil {
			s.mu.Lock()
			s.posted = append(s.posted, body)
			s.mu.Unlock()
		}
	}))
	defer hook.Close()
	if err := s.start(); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.stop()) }()

	const coin = 1_000_000_000_000
	var invoice model.ReceivePostResponse
	steps := []func() error{
		func() error { return s.step("health", http.MethodGet, "/health", nil, nil) },
		func() error { return s.step("balance", http.MethodGet, "/balance", nil, nil) },
		func() error {
			return s.step("invoice", http.MethodPost, "/receive", model.ReceivePostRequest{
				Amount: 3 * coin, Description: "socks ü", CallbackUrl: hook.URL}, &invoice)
		},
		func() error { s.address = invoice.Address; return nil },
		func() error { return s.step("no JSON", http.MethodPost, "/receive", "x", nil) },
		func() error { return s.step("of nobody", http.MethodGet, "/receive/"+nobody, nil, nil) },
		func() error { return s.covered("unpaid", 0, 0) },
		func() error { return s.mine(1) }, // there is no callback for the block after an invoice
		func() error { return s.pay(coin) },
		func() error { return s.covered("in the pool", 0, 0) },
		func() error { return s.mine(1) },
		func() error { return s.covered("a part, locked", coin, 0) },
		func() error { return s.callbacks("of a part", 1) },
		func() error { return s.pay(2 * coin) },
		func() error { return s.mine(1) },
		func() error { return s.covered("all, locked", 3*coin, 0) },
		func() error { return s.mine(8) },
		func() error { return s.covered("a part unlocked", 3*coin, coin) },
		func() error { return s.mine(4) },
		func() error { return s.covered("complete", 3*coin, 3*coin) },
		func() error { return s.callbacks("of what is unlocked", 3) },
		func() error {
			return s.step("some heights", http.MethodGet, "/receive/"+invoice.Address+"?min=1&max=20", nil, nil)
		},
		func() error { return s.step("balance after", http.MethodGet, "/balance", nil, nil) },
		func() error { return s.refund(coin) },
		func() error { return s.transfer("to nobody", map[string]any{"amount": coin, "address": "nobody"}, nil) },
		func() error {
			return s.transfer("too much", map[string]any{"amount": 900 * coin, "address": nobody}, nil)
		},
		func() error {
			return s.step("no transfer", http.MethodGet, "/transfer/"+strings.Repeat("ab", 32), nil, nil)
		},
		func() error { return s.step("not a hash", http.MethodGet, "/transfer/x", nil, nil) },
	}
	for _, step := range steps {
		if err := step(); err != nil {
			return err
		}
	}
	return nil
}

// start starts MoneroPay, which checks for payments immediately and then every 30 seconds, and waits until it answers.
func (s *shop) start() error {
	free, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	address := free.Addr().String()
	if err := free.Close(); err != nil {
		return err
	}
	log, err := os.Create(filepath.Join(s.folder, "moneropay.log"))
	if err != nil {
		return err
	}
	defer log.Close()
	// Its default unlock time is refused by releases since 0.18.3.4.
	s.process = exec.CommandContext(s.ctx, s.program, "-bind", address, "-rpc-address", s.wallet+"/json_rpc",
		"-transfer-unlock-time", "0", "-log-format", "json", "-sqlite", "file:"+filepath.Join(s.folder, "moneropay.db"))
	s.process.Dir = os.Getenv("MONEROPAY_SOURCE") // it reads db/sqlite3 there
	s.process.Stdout, s.process.Stderr = log, log
	if err := s.process.Start(); err != nil {
		return err
	}
	s.url = "http://" + address
	return until(s.ctx, func() (bool, error) {
		res, err := http.Get(s.url + "/health")
		if err != nil {
			return false, nil
		}
		return res.StatusCode == http.StatusOK, res.Body.Close()
	})
}

func (s *shop) stop() error {
	if err := s.process.Process.Signal(os.Interrupt); err != nil {
		return err
	}
	return s.process.Wait()
}

// request returns the status and the body of an answer.
func (s *shop) request(method, path string, body any) (int, []byte, error) {
	var text io.Reader
	if body != nil {
		b, err := json.Marshal(body)
		if err != nil {
			return 0, nil, err
		}
		text = strings.NewReader(string(b))
	}
	req, err := http.NewRequestWithContext(s.ctx, method, s.url+path, text)
	if err != nil {
		return 0, nil, err
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		return 0, nil, err
	}
	defer res.Body.Close()
	answer, err := io.ReadAll(res.Body)
	return res.StatusCode, answer, err
}

// step makes a request and writes the answer.
func (s *shop) step(name, method, path string, body, answer any) error {
	status, text, err := s.request(method, path, body)
	if err != nil {
		return err
	}
	var v json.RawMessage
	if err := json.Unmarshal(text, &v); err != nil {
		return fmt.Errorf("%s: %w: %s", name, err, text)
	}
	if answer != nil {
		if err := json.Unmarshal(text, answer); err != nil {
			return err
		}
	}
	return write("MoneroPay: "+name, map[string]any{"status": status, "body": v}, nil)
}

// pay pays from the payer's wallet and waits until the merchant's wallet lists the payment in the pool.
func (s *shop) pay(amount uint64) error {
	if err := ask(s.ctx, s.payer, "refresh", map[string]any{}, nil); err != nil {
		return err
	}
	var sent struct {
		TxHash string `json:"tx_hash"`
	}
	if err := ask(s.ctx, s.payer, "transfer", map[string]any{
		"destinations": []any{map[string]any{"amount": amount, "address": s.address}}}, &sent); err != nil {
		return err
	}
	return until(s.ctx, func() (bool, error) {
		return ask(s.ctx, s.wallet, "get_transfer_by_txid", map[string]any{"txid": sent.TxHash}, nil) == nil, nil
	})
}

// mine adds blocks and waits until the service has read them. Meanwhile it checks the invoice.
func (s *shop) mine(blocks int) error {
	if err := s.daemon.mine(s.ctx, blocks, nobody); err != nil {
		return err
	}
	return until(s.ctx, func() (bool, error) {
		if s.address != "" {
			if err := s.look(); err != nil {
				return false, err
			}
		}
		var read struct {
			Height uint64 `json:"height"`
		}
		var there struct {
			Count uint64 `json:"count"`
		}
		err := errors.Join(ask(s.ctx, s.wallet, "get_height", map[string]any{}, &read),
			ask(s.ctx, string(s.daemon), "get_block_count", map[string]any{}, &there))
		return err == nil && read.Height == there.Count, err
	})
}

// look requests the covered amounts of the invoice, which must not decrease.
func (s *shop) look() error {
	status, text, err := s.request(http.MethodGet, "/receive/"+s.address, nil)
	if err != nil {
		return err
	}
	if status != http.StatusOK {
		return fmt.Errorf("invoice of %s: status %d: %s", s.address, status, text)
	}
	var now model.ReceiveGetResponse
	if err := json.Unmarshal(text, &now); err != nil {
		return err
	}
	was, is := s.last.Amount.Covered, now.Amount.Covered
	if is.Total < was.Total || is.Unlocked < was.Unlocked {
		return fmt.Errorf("the covered amount decreases from %v to %v", was, is)
	}
	s.last = now
	return nil
}

// covered requires the covered and the unlocked amount of the invoice.
func (s *shop) covered(name string, total, unlocked uint64) error {
	if err := s.look(); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	if is := s.last.Amount.Covered; is.Total != total || is.Unlocked != unlocked {
		return fmt.Errorf("%s: covered %v instead of %d and %d", name, is, total, unlocked)
	}
	return s.step(name, http.MethodGet, "/receive/"+s.address, nil, nil)
}

// callbacks restarts MoneroPay, so that it checks for payments, and waits until there were n callbacks in all.
func (s *shop) callbacks(name string, n int) error {
	if err := errors.Join(s.stop(), s.start()); err != nil {
		return err
	}
	var posted []json.RawMessage
	if err := until(s.ctx, func() (bool, error) {
		s.mu.Lock()
		defer s.mu.Unlock()
		posted = append([]json.RawMessage{}, s.posted...)
		return len(posted) >= n, nil
	}); err != nil {
		return err
	}
	return write("MoneroPay: callbacks "+name, posted, nil)
}

func (s *shop) transfer(name string, to any, answer *model.TransferPostResponse) error {
	var in any
	if answer != nil {
		in = answer
	}
	return s.step(name, http.MethodPost, "/transfer", map[string]any{"destinations": []any{to}}, in)
}

// refund pays out an amount and checks the transfer.
func (s *shop) refund(amount uint64) error {
	var sent model.TransferPostResponse
	if err := s.transfer("refund", map[string]any{"amount": amount, "address": nobody}, &sent); err != nil {
		return err
	}
	path := "/transfer/" + sent.TxHash
	if err := s.step("refund on its way", http.MethodGet, path, nil, nil); err != nil {
		return err
	}
	s.address = "" // after a payout the invoice is not checked any more
	if err := s.mine(1); err != nil {
		return err
	}
	return s.step("refund done", http.MethodGet, path, nil, nil)
}
