// Command clients drives a wallet service with clients of monero-wallet-rpc in Go, as they are published, and writes
// what they make of its answers: one JSON value a line, each with its step. What differs from run to run by its
// nature, such as hashes, is replaced by its kind.
//
// clients go-monero WALLET_URL DAEMON_URL clients go-monero-rpc-client WALLET_URL DAEMON_URL clients moneropay
// WALLET_URL DAEMON_URL PAYER_URL PROGRAM FOLDER
//
// The service has a wallet open that has money; for MoneroPay it is the payer's, and the merchant's is empty.
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

// patience is how long something that does not come is waited for.
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
		return tell(ctx, client, daemon(args[2]))
	case len(args) == 3 && args[0] == "go-monero-rpc-client":
		return tell(ctx, wallet.New(wallet.Config{Address: args[1] + "/json_rpc"}), daemon(args[2]))
	case len(args) == 6 && args[0] == "moneropay":
		return sell(ctx, args[1], daemon(args[2]), args[3], args[4], args[5])
	}
	return errors.New("see the comment of the command")
}

// out is where the lines go.
var out = json.NewEncoder(os.Stdout)

// write writes the line of a step.
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

// daemon is the URL of one.
type daemon string

// mine adds blocks once the daemon is ready to put what it was sent into the first.
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

// ask calls a method of JSON-RPC.
func ask(ctx context.Context, url, method string, params, result any) error {
	var answer struct {
		Result json.RawMessage `json:"result"`
		Error  *struct {
			Message string `json:"message"`
		} `json:"error"`
	}
	err := post(ctx, url+"/json_rpc", map[string]any{"jsonrpc": "2.0", "id": "0", "method": method, "params": params}, &answer)
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

// post sends JSON and reads JSON.
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

// until polls done.
func until(ctx context.Context, done func() (bool, error)) error {
	for end := time.Now().Add(patience); ; {
		if ok, err := done(); ok || err != nil {
			return err
		}
		if time.Now().After(end) {
			return errors.New("waited in vain")
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(50 * time.Millisecond):
		}
	}
}
