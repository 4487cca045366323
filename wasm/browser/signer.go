//go:build js && wasm

package main

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"syscall/js"

	"glim/core/address"
	"glim/core/keys"
	"glim/core/rpc"
	"glim/core/service"
	"glim/core/signer"
	"glim/core/wallet"
	"glim/core/walletrpc"
	"glim/wasm/host"
)

// keeper is the worker that has the spend keys, and where passwords and seeds come from the page. The engine gets tickets in their place, so
// that no secret but view keys is in the worker that reads what daemons say.
type keeper struct {
	server *signer.Server
	seeds  service.Seeds
	reveal atomic.Bool // the page lets the engine have a spend key, for what it writes into a file
}

// signing returns what a signer's worker can be asked: serve takes an engine's request as bytes and hands the answer to its second argument;
// ask takes what a page asks, a name and parameters, and hands kind, code and text to its third, of an error if kind is not empty.
func signing(outside js.Value) (map[string]any, error) {
	o, err := readOptions(outside)
	if err != nil {
		return nil, err
	}
	k := &keeper{seeds: service.Seeds{
		Network: networks[o.Network], Languages: seedLanguages(outside), Polyseeds: polyseedLanguages(outside), Random: host.Random{}, Now: host.Now,
	}}
	k.server = signer.New(signer.Host{Random: host.Random{}, Tickets: true, Least: o.kdf(), Consent: k.consent})
	return map[string]any{
		"serve": function(func(args []js.Value) any {
			request, done := host.FromJS(args[0]), args[1]
			go func() {
				defer clear(request)
				answer := k.server.Serve(context.Background(), request)
				defer clear(answer)
				done.Invoke(host.ToJS(answer))
			}()
			return nil
		}),
		"ask": function(func(args []js.Value) any {
			op, params, done := args[0].String(), args[1].String(), args[2]
			go func() {
				text, err := k.answer(op, []byte(params))
				var contract *rpc.Error
				switch {
				case err == nil:
					done.Invoke("", 0, text)
				case errors.Is(err, signer.ErrGone):
					done.Invoke("gone", 0, err.Error())
				case errors.As(err, &contract):
					done.Invoke("contract", contract.Code, contract.Message)
				default:
					done.Invoke("internal", 0, err.Error())
				}
			}()
			return nil
		}),
	}, nil
}

var errReveal = errors.New("the spend key stays where it is")

// consent is the signer.Server's: what is paid and signed the page asked for, through the engine; a spend key the engine does not get.
func (k *keeper) consent(_ context.Context, a signer.Ask) error {
	if a.Kind == signer.Reveal && !k.reveal.Load() {
		return errReveal
	}
	return nil
}

// told is what a page tells and asks, told by what.
type told struct {
	Password string   `json:"password"`
	Words    string   `json:"words"`
	Offset   string   `json:"offset"` // passphrase over words
	Language string   `json:"language"`
	Address  string   `json:"address"` // the wallet's first
	View     string   `json:"view"`
	Spend    string   `json:"spend"`
	Kind     string   `json:"kind"` // of the secret to show
	Tickets  []string `json:"tickets"`
}

// admitted is a ticket, and what of the wallet that it stands for is no secret but to who looks at the screen.
type admitted struct {
	Ticket     string `json:"ticket"`
	Language   string `json:"language"`
	Words      string `json:"words"`
	Birthday   uint64 `json:"birthday"`
	Deprecated bool   `json:"deprecated"`
}

func (k *keeper) answer(op string, params []byte) (string, error) {
	defer clear(params)
	var p told
	if err := rpc.Bind(params, &p); err != nil {
		return "", err
	}
	switch op {
	case "password":
		password := []byte(p.Password)
		defer clear(password)
		return k.server.Admit(password)
	case "new":
		o, err := k.seeds.Polyseed(p.Language)
		return k.admit(service.Found{Origin: o}, err)
	case "restore":
		return k.admit(k.seeds.Restore(p.Words, p.Offset, p.Language))
	case "keys":
		o, err := k.seeds.Keys(p.Address, p.View, p.Spend)
		return k.admit(service.Found{Origin: o}, err)
	case "secret":
		return k.secret(&p)
	case "reveal":
		k.reveal.Store(true)
		return "", nil
	case "hide":
		k.reveal.Store(false)
		return "", nil
	case "withdraw":
		for _, ticket := range p.Tickets {
			k.server.Withdraw(ticket)
		}
		return "", nil
	}
	return "", fmt.Errorf("there is nothing called %q", op)
}

// admit makes a ticket of a wallet, which is wiped.
func (k *keeper) admit(f service.Found, err error) (string, error) {
	if err != nil {
		return "", err
	}
	defer f.Origin.Keys.Forget()
	defer clear(f.Origin.Words)
	a := admitted{Language: f.Origin.Language, Birthday: f.Birthday, Deprecated: f.Deprecated}
	if a.Language != "" {
		if a.Words, err = k.seeds.Words(f.Origin, ""); err != nil {
			return "", err
		}
	}
	if a.Ticket, err = k.server.AdmitWallet(f.Origin.Keys, f.Origin.Words); err != nil {
		return "", err
	}
	text, err := rpc.EncodeBigStrings(&a)
	defer clear(text)
	return string(text), err
}

// secret is what query_key answers about a wallet that is open here.
func (k *keeper) secret(p *told) (string, error) {
	a, err := address.ParseFor(k.seeds.Network, p.Address)
	if err != nil {
		return "", err
	}
	spend, words, err := k.server.Secrets(context.Background(), a.Spend)
	if err != nil {
		return "", err
	}
	defer clear(spend[:])
	defer clear(words)
	own, err := keys.FromSeed(spend)
	if err != nil {
		return "", err
	}
	defer own.Forget()
	if p.Kind == "mnemonic" && own.ViewPublic != a.View {
		return "", walletrpc.Fail(walletrpc.CodeNonDeterministic, "")
	}
	return k.seeds.Secret(wallet.Origin{Keys: own, Words: words, Language: p.Language}, p.Kind, p.Offset)
}

var errNoSigner = errors.New("the worker with the spend keys does not answer; open the wallet again")

// vault asks the signer's worker.
func (e *engine) vault(ctx context.Context, request []byte) ([]byte, error) {
	v, err := host.Call(ctx, e.host, "vault", host.ToJS(request))
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if err != nil {
		return nil, errNoSigner
	}
	return host.FromJS(v), nil
}
