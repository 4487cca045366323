// Command phone does what a phone app does, with the package that gomobile binds for Kotlin and Swift.
//
// The app supplies an HTTP client and a key store that asks the user. While the app is in the background, the spend key
// is not in memory.
package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"path/filepath"

	"glim/core/node"
	"glim/examples/internal/stage"
	"glim/mobile/bridge"
)

func main() { stage.Run(phone) }

const password = "secret"

func phone(ctx context.Context, s *stage.Stage) error {
	user := &user{}
	o := bridge.NewOptions()
	o.Network, o.Daemon, o.Trusted = "regtest", s.Daemon.URL, true
	o.Folder = filepath.Join(s.Dir, "wallets")
	o.HTTP, o.KeyStore = stack{}, user
	e, err := bridge.Open(o)
	if err != nil {
		return err
	}
	defer e.Close()

	if _, err := e.Call("main", "create_wallet", `{"password":"secret","language":"English"}`); err != nil {
		return err
	}
	var a struct{ Address string }
	if err := ask(e, "get_address", "", &a); err != nil {
		return err
	}
	// The app follows all events; here it only uses "unlocked".
	money := listener{make(chan string, 1000)}
	place, err := e.Follow("main", "", money)
	if err != nil {
		return err
	}
	defer place.Cancel()

	// The app moves to the background: the key is now only on disk, and blocks are still read.
	const away = `{"background_sync_type":"reuse-wallet-password","wallet_password":"secret"}`
	if err := ask(e, "setup_background_sync", away, nil); err != nil {
		return err
	}
	if err := ask(e, "start_background_sync", "", nil); err != nil {
		return err
	}
	if err := s.Daemon.Mine(ctx, 1, a.Address); err != nil {
		return err
	}
	if err := s.Daemon.Mine(ctx, 75, node.UnspendableAddress()); err != nil { // rewards are locked for 60 blocks
		return err
	}
	if err := ask(e, "refresh", "", nil); err != nil {
		return err
	}
	select {
	case text := <-money.unlocked:
		fmt.Println("event:", text)
	case <-ctx.Done():
		return ctx.Err()
	}

	// A payment needs the key: the user is asked, once, and decides.
	pay := fmt.Sprintf(`{"destinations":[{"amount":"1500000000000","address":%q}]}`, a.Address)
	user.refuses = true
	if err := ask(e, "transfer", pay, nil); err == nil {
		return fmt.Errorf("the payment succeeded although the user refused")
	}
	user.refuses = false
	var sent struct {
		ID  string `json:"tx_hash"`
		Fee string `json:"fee"` // amounts are decimal strings
	}
	if err := ask(e, "transfer", pay, &sent); err != nil {
		return err
	}
	fmt.Printf("paid with transaction %s, fee %s atomic units\n", sent.ID, sent.Fee)
	fmt.Println("operations that asked the user:", user.asked)
	if len(user.asked) != 2 || len(sent.ID) != 64 {
		return fmt.Errorf("expected two questions to the user, and one transaction")
	}
	return nil
}

// ask calls an operation of the app's wallet.
func ask(e *bridge.Engine, method, params string, out any) error {
	text, err := e.Call("main", method, params)
	if err != nil || out == nil {
		return err
	}
	return json.Unmarshal([]byte(text), out)
}

// user has the password and is asked before each use.
type user struct {
	asked   []string
	refuses bool
}

func (u *user) Ask(q *bridge.Question) error {
	u.asked = append(u.asked, q.Operation())
	if u.refuses {
		q.Refuse()
	} else {
		q.Answer(password)
	}
	return nil
}

func (u *user) Forget(*bridge.Question) error { return nil }

// listener waits for outputs to be unlocked.
type listener struct{ unlocked chan string }

func (l listener) Events(text string) error {
	var events []struct{ Type, Amount string }
	if err := json.Unmarshal([]byte(text), &events); err != nil {
		return err
	}
	for _, e := range events {
		if e.Type == "unlocked" {
			l.unlocked <- e.Amount + " atomic units can be spent"
		}
	}
	return nil
}

func (listener) End(int32, string) error { return nil }

// stack is the HTTP client of the app; on a phone it might use Tor, or pin the certificate of the daemon.
type stack struct{}

func (stack) Send(r *bridge.Request) error {
	res, err := http.Post(r.URL(), r.ContentType(), bytes.NewReader(r.Body()))
	if err != nil {
		return err
	}
	defer res.Body.Close()
	body, err := io.ReadAll(io.LimitReader(res.Body, r.Limit()+1))
	if err != nil {
		return err
	}
	r.Answer(int32(res.StatusCode), "", body)
	return nil
}

func (stack) Abort(*bridge.Request) error { return nil }
