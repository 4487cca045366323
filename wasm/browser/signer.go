//go:build js && wasm

package main

import (
	"context"
	"errors"
	"sync/atomic"
	"syscall/js"

	"glim/core/address"
	"glim/core/keys"
	"glim/core/rpc"
	"glim/core/service"
	"glim/core/signer"
	"glim/core/smallfmt"
	"glim/core/wallet"
	"glim/core/walletrpc"
	"glim/wasm/host"
)

// keeper is the worker that holds the spend keys, and receives passwords and seeds from the page. The engine gets
// tickets in place of them, so that the worker which parses data from daemons has no secrets except view keys.
type keeper struct {
	server *signer.Server
	seeds  service.Seeds
	reveal atomic.Bool // the page allows the engine to get a spend key, to write it into a file
}

// signing returns the functions of a signer's worker: serve takes a request of the engine as bytes and passes the
// answer to its second argument; ask takes the name and the parameters of a page's request, and passes kind, code,
// text and reason to its third argument. If kind is not empty, they describe an error.
func signing(outside js.Value) (map[string]any, error) {
	o, err := readOptions(outside)
	if err != nil {
		return nil, err
	}
	k := &keeper{seeds: service.Seeds{
		Network:   networks[o.Network],
		Languages: seedLanguages(outside),
		Polyseeds: polyseedLanguages(outside),
		Random:    host.Random{},
		Now:       host.Now,
	}}
	k.server = signer.New(signer.Host{Random: host.Random{}, TicketsOnly: true, MinKDF: o.kdf(), Consent: k.consent})
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
					done.Invoke("", 0, text, "")
				case errors.Is(err, signer.ErrNotOpen):
					done.Invoke("gone", 0, err.Error(), "")
				case errors.As(err, &contract):
					done.Invoke("contract", contract.Code, contract.Message, reasonOf(err))
				default:
					done.Invoke("internal", 0, err.Error(), reasonOf(err))
				}
			}()
			return nil
		}),
	}, nil
}

var errReveal = errors.New("the spend key may not leave the signer")

// consent decides on the requests to the signer.Server. It agrees to payments and signatures, because the page
// requested them through the engine, and reveals a spend key only while the page allows it.
func (k *keeper) consent(_ context.Context, a signer.ConsentRequest) error {
	if a.Kind == signer.KindReveal && !k.reveal.Load() {
		return errReveal
	}
	return nil
}

// pageMessage is a message of the page, decoded.
type pageMessage struct {
	Password string   `json:"password"`
	Words    string   `json:"words"`
	Offset   string   `json:"offset"` // passphrase of the seed
	Language string   `json:"language"`
	SeedType string   `json:"seed_type"` // of the words; see walletrpc.SeedKinds
	Account  uint32   `json:"account"`   // of a hardware wallet's seed
	Address  string   `json:"address"`   // the wallet's first address
	View     string   `json:"view"`
	Spend    string   `json:"spend"`
	Kind     string   `json:"kind"` // kind of secret to show
	Tickets  []string `json:"tickets"`
}

// admitted is a ticket with the data of its wallet that the page may show.
type admitted struct {
	Ticket     string `json:"ticket"`
	Language   string `json:"language"`
	Words      string `json:"words"`
	Birthday   uint64 `json:"birthday"`
	Deprecated bool   `json:"deprecated"`
}

func (k *keeper) answer(op string, params []byte) (string, error) {
	defer clear(params)
	var p pageMessage
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
		return k.admit(service.RestoredSeed{Origin: o}, err)
	case "restore":
		return k.admit(k.seeds.Restore(service.GivenSeed{
			Words: p.Words, Passphrase: p.Offset, Language: p.Language, Kind: p.SeedType, Account: p.Account,
		}))
	case "keys":
		o, err := k.seeds.Keys(p.Address, p.View, p.Spend)
		return k.admit(service.RestoredSeed{Origin: o}, err)
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
	return "", smallfmt.Errorf("there is no request called %q", op)
}

// admit makes a ticket for a wallet's keys, and wipes them here.
func (k *keeper) admit(f service.RestoredSeed, err error) (string, error) {
	if err != nil {
		return "", err
	}
	defer f.Origin.Keys.Forget()
	defer clear(f.Origin.Words)
	a := admitted{Language: f.Origin.Language, Birthday: f.Birthday, Deprecated: f.Deprecated}
	if a.Language != "" && f.Origin.Keys.Deterministic() {
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

// secret returns the result of query_key for a wallet that is open in this worker.
func (k *keeper) secret(p *pageMessage) (string, error) {
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
	return k.seeds.Secret(wallet.Identity{Keys: own, Words: words, Language: p.Language}, p.Kind, p.Offset)
}

var errNoSigner = errors.New("the worker with the spend keys does not answer; open the wallet again")

// vault sends a request to the signer's worker.
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
