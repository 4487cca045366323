// Command phone does what an app on a phone does, with the package that gomobile binds for Kotlin and Swift.
//
// The app brings its own HTTP and a store of passwords with a user before it. While nobody looks, the spend key is not in memory.
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
	// Everything that happens is told: here only that money can be spent.
	money := listener{make(chan string, 1000)}
	place, err := e.Follow("main", "", money)
	if err != nil {
		return err
	}
	defer place.Cancel()

	// The app goes out of sight: from here on the key is on disk alone, and blocks are read all the same.
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
	if err := s.Daemon.Mine(ctx, 75, node.Nobody()); err != nil { // a reward rests for 60 blocks
		return err
	}
	if err := ask(e, "refresh", "", nil); err != nil {
		return err
	}
	select {
	case text := <-money.unlocked:
		fmt.Println("told:", text)
	case <-ctx.Done():
		return ctx.Err()
	}

	// Paying takes the key: the user is asked, once, and has the last word.
	pay := fmt.Sprintf(`{"destinations":[{"amount":"1500000000000","address":%q}]}`, a.Address)
	user.refuses = true
	if err := ask(e, "transfer", pay, nil); err == nil {
		return fmt.Errorf("it was paid though the user refused")
	}
	user.refuses = false
	var sent struct {
		ID  string `json:"tx_hash"`
		Fee string `json:"fee"` // amounts are decimal strings
	}
	if err := ask(e, "transfer", pay, &sent); err != nil {
		return err
	}
	fmt.Printf("paid with transaction %s, a fee of %s atomic units\n", sent.ID, sent.Fee)
	fmt.Println("the user was asked for:", user.asked)
	if len(user.asked) != 2 || len(sent.ID) != 64 {
		return fmt.Errorf("expected to be asked twice, and one transaction")
	}
	return nil
}

// ask carries out an operation on the app's wallet.
func ask(e *bridge.Engine, method, params string, out any) error {
	text, err := e.Call("main", method, params)
	if err != nil || out == nil {
		return err
	}
	return json.Unmarshal([]byte(text), out)
}

// user keeps the password, and is asked before it is given.
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

// listener hears that money can be spent.
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

// stack is the app's way to the daemon; a phone's would go through Tor, or know the daemon's certificate.
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
