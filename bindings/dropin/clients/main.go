// Command clients drives a wallet service with published Go clients of monero-wallet-rpc, unchanged, and writes the
// results that they return: one JSON value a line, with its step. Values that differ in every run, such as hashes, are
// replaced by their kind.
//
//	clients go-monero WALLET_URL DAEMON_URL
//	clients go-monero-rpc-client WALLET_URL DAEMON_URL
//	clients moneropay WALLET_URL DAEMON_URL PAYER_URL PROGRAM FOLDER
//
// The service must have a funded wallet open; for MoneroPay the payer has it, and the merchant's wallet is empty.
package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"os"
	"time"

	"github.com/monero-ecosystem/go-monero-rpc-client/wallet"
	"gitlab.com/moneropay/go-monero/walletrpc"
)

// patience is the time limit of each wait.
const patience = 5 * time.Minute

func main() {
	ctx, cancel := context.WithTimeout(context.Background(), 2*patience)
	err := run(ctx, os.Args[1:])
	cancel()
	if err != nil {
		fmt.Fprintln(os.Stderr, "clients:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, args []string) error {
	switch {
	case len(args) == 3 && args[0] == "go-monero":
		client := walletrpc.New(walletrpc.Config{Address: args[1] + "/json_rpc"})
		return runSteps(ctx, client, daemon(args[2]))
	case len(args) == 3 && args[0] == "go-monero-rpc-client":
		return runSteps(ctx, wallet.New(wallet.Config{Address: args[1] + "/json_rpc"}), daemon(args[2]))
	case len(args) == 6 && args[0] == "moneropay":
		return sell(ctx, args[1], daemon(args[2]), args[3], args[4], args[5])
	}
	return errors.New("usage: see the comment of the command")
}

// out writes the lines.
var out = json.NewEncoder(os.Stdout)

// write writes the result of a step.
func write(step string, answer any, err error) error {
	if err != nil {
		return out.Encode(map[string]any{"step": step, "refused": plainText(err.Error())})
	}
	v, err := plain(answer)
	if err != nil {
		return err
	}
	return out.Encode(map[string]any{"step": step, "answer": v})
}

// daemon is the URL of a daemon.
type daemon string

// mine adds blocks once the daemon will include all pending transactions in the first one.
func (d daemon) mine(ctx context.Context, blocks int, address string) error {
	err := until(ctx, func() (bool, error) {
		var pool struct {
			Transactions []struct {
				Relayed bool `json:"relayed"`
			} `json:"transactions"`
		}
		err := post(ctx, string(d)+"/get_transaction_pool", map[string]any{}, &pool)
		for _, tx := range pool.Transactions {
			if !tx.Relayed {
				return false, err
			}
		}
		return true, err
	})
	if err != nil {
		return err
	}
	return ask(ctx, string(d), "generateblocks",
		map[string]any{"amount_of_blocks": blocks, "wallet_address": address, "starting_nonce": 0}, nil)
}

// ask calls a JSON-RPC method.
func ask(ctx context.Context, url, method string, params, result any) error {
	var answer struct {
		Result json.RawMessage `json:"result"`
		Error  *struct {
			Message string `json:"message"`
		} `json:"error"`
	}
	err := post(ctx, url+"/json_rpc", map[string]any{"jsonrpc": "2.0", "id": "0", "method": method, "params": params},
		&answer)
	switch {
	case err != nil:
		return err
	case answer.Error != nil:
		return fmt.Errorf("%s: %s", method, answer.Error.Message)
	case result == nil:
		return nil
	}
	return json.Unmarshal(answer.Result, result)
}

// post sends a JSON request and decodes the JSON answer.
func post(ctx context.Context, url string, body, answer any) error {
	b, err := json.Marshal(body)
	if err != nil {
		return err
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, url, bytes.NewReader(b))
	if err != nil {
		return err
	}
	req.Header.Set("Content-Type", "application/json")
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		return err
	}
	defer res.Body.Close()
	return json.NewDecoder(res.Body).Decode(answer)
}

// until calls done until it returns true.
func until(ctx context.Context, done func() (bool, error)) error {
	for end := time.Now().Add(patience); ; {
		if ok, err := done(); ok || err != nil {
			return err
		}
		if time.Now().After(end) {
			return errors.New("timed out")
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(50 * time.Millisecond):
		}
	}
}
