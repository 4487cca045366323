package terminal

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"glim/bindings/engine"
	"glim/bindings/native"
	"glim/bindings/wallet"
	"glim/core/mnemonic/languages"
	"glim/core/rpc"
	"glim/core/service"
	state "glim/core/wallet"
	"glim/core/walletrpc"
)

func proofCommands() []command {
	return []command{
		{name: "sign", args: "NAME [MESSAGE]", min: 1, max: 2, wallet: true,
			about: "sign a message with the key of an address", options: []option{
				accountOption, messageFileOption,
			}, run: signMessage},
		{name: "verify", args: "ADDRESS SIGNATURE [MESSAGE]", min: 2, max: 3,
			about: "verify the signature of a message; needs no wallet", options: []option{messageFileOption},
			run: verifyMessage},
		{name: "prove", args: "NAME (payment TXID ADDRESS | spend TXID | reserve [AMOUNT])", min: 2, max: 4,
			wallet: true, about: "prove a payment, that the wallet made a transaction, or that it has money",
			more: "payment: the transaction paid the address, as its sender or its recipient. spend: this wallet " +
				"made the transaction. reserve: the wallet has unspent money, of AMOUNT XMR at least in the account, " +
				"or all of the wallet.",
			options: append([]option{accountOption}, messageOptions...), run: proveSomething},
		{name: "check", args: "(payment TXID ADDRESS PROOF | spend TXID PROOF | reserve ADDRESS PROOF)", min: 3, max: 4,
			about: "check a proof; needs a daemon and no wallet", options: messageOptions, run: checkProof},
	}
}

// messageAt returns the message: the argument at a position, or the content of --message-file.
func (c *call) messageAt(at int) (string, error) {
	switch {
	case len(c.args) > at && c.messageFile != "":
		return "", misuse("give either a message or --message-file, not both")
	case len(c.args) > at:
		return c.args[at], nil
	case c.messageFile == "":
		return "", misuse("the message is missing; see also --message-file")
	}
	return c.message, nil
}

func signMessage(ctx context.Context, c *call) error {
	message, err := c.messageAt(1)
	if err != nil {
		return err
	}
	return c.withWallet(ctx, func(ctx context.Context, w *wallet.Wallet) error {
		got, err := rpc.Call(ctx, w, walletrpc.Sign, walletrpc.SignRequest{Data: message, AccountIndex: c.account})
		if err != nil {
			return refusal("sign", err)
		}
		return c.printProof(got.Signature)
	})
}

func (c *call) printProof(signature string) error {
	return c.print(map[string]string{"signature": signature}, func(out io.Writer) { fmt.Fprintln(out, signature) })
}

// withoutWallet calls f with operations of the wallet service that need no wallet of the user: it makes one in memory
// for them.
func (c *call) withoutWallet(ctx context.Context, f func(rpc.Transport) error) (err error) {
	if c.opened != nil {
		return f(c.opened.wallet)
	}
	d := service.DaemonConfig{}
	if !c.offline {
		t := c.daemon.TLS
		d = service.DaemonConfig{Address: c.daemon.Address, Username: c.daemon.Username,
			Password: string(c.daemon.Password), Proxy: c.daemon.Proxy, Trusted: c.daemon.Trusted,
			SSL: service.SSL{CAFile: t.CAFile, AllowedFingerprints: t.Fingerprints, AllowAnyCert: t.AnyCertificate}}
	}
	e, err := engine.New(service.Config{
		// A wallet without a name is in memory, and this folder remains as it is.
		Files: native.WalletDir(os.TempDir()), Lookahead: state.Lookahead{Major: 1, Minor: 1},
		Network: c.network, Random: rand.Reader, Workers: 1, Languages: languages.All(), Wait: native.Wait,
		Now: func() uint64 { return uint64(time.Now().Unix()) },
		Connect: func(d service.DaemonConfig) (rpc.Transport, error) {
			return native.DaemonTransport(d, c.network.DaemonPort(), false)
		},
	}, d)
	if err != nil {
		return misuse("--daemon-address: %w", err)
	}
	defer func() { err = errors.Join(err, e.Close()) }()
	if _, err := rpc.Call(ctx, e, walletrpc.CreateWallet,
		walletrpc.CreateWalletRequest{Language: "English"}); err != nil {
		return refusal(c.command.name, err)
	}
	return f(e)
}

func verifyMessage(ctx context.Context, c *call) error {
	message, err := c.messageAt(2)
	if err != nil {
		return err
	}
	if err := c.checkAddress(c.args[0]); err != nil {
		return err
	}
	c.offline = true
	return c.withoutWallet(ctx, func(t rpc.Transport) error {
		got, err := rpc.Call(ctx, t, walletrpc.Verify,
			walletrpc.VerifyRequest{Data: message, Address: c.args[0], Signature: c.args[1]})
		if err != nil {
			return refusal("verify", err)
		}
		return c.judge(got.Good, map[string]any{"good": got.Good, "key": got.SignatureType, "version": got.Version},
			"The signature is valid: the owner of the address signed this message with its "+got.SignatureType+" key.",
			"the signature is not valid for this address and message")
	})
}

// judge prints that something is valid, with --json v; if it is not good, it returns errNotValid.
func (c *call) judge(good bool, v map[string]any, yes, no string) error {
	if !good {
		return fmt.Errorf("%w: %s", errNotValid, no)
	}
	return c.print(v, func(out io.Writer) { fmt.Fprintln(out, yes) })
}

func proveSomething(ctx context.Context, c *call) error {
	most := map[string]int{"payment": 4, "spend": 3, "reserve": 3}[c.args[1]]
	if len(c.args) > most || len(c.args) < most && c.args[1] != "reserve" {
		return misuse("the arguments are %s", c.command.args)
	}
	return c.withWallet(ctx, func(ctx context.Context, w *wallet.Wallet) (err error) {
		var got walletrpc.ProofResponse
		switch c.args[1] {
		case "payment":
			if err := c.checkAddress(c.args[3]); err != nil {
				return err
			}
			got, err = rpc.Call(ctx, w, walletrpc.GetTxProof,
				walletrpc.GetTxProofRequest{TxID: c.args[2], Address: c.args[3], Message: c.message})
		case "spend":
			got, err = rpc.Call(ctx, w, walletrpc.GetSpendProof,
				walletrpc.GetSpendProofRequest{TxID: c.args[2], Message: c.message})
		default:
			r := walletrpc.GetReserveProofRequest{All: true, AccountIndex: c.account, Message: c.message}
			if len(c.args) > 2 {
				amount, err := wallet.ParseAmount(c.args[2])
				if err != nil {
					return misuse("%q: %w", printable(c.args[2]), err)
				}
				r.All, r.Amount = false, uint64(amount)
			}
			if err := c.refresh(ctx, w); err != nil {
				return err
			}
			got, err = rpc.Call(ctx, w, walletrpc.GetReserveProof, r)
		}
		if err != nil {
			return refusal("prove", err)
		}
		return c.printProof(got.Signature)
	})
}

// invalid is the error of a proof that is not valid.
const invalid = "the proof is not valid for this transaction or address, and message"

func checkProof(ctx context.Context, c *call) error {
	kind := c.args[0]
	check := map[string]func(context.Context, *call, rpc.Transport) error{
		"payment": checkPayment, "spend": checkSpend, "reserve": checkReserve,
	}[kind]
	if n := map[string]int{"payment": 4, "spend": 3, "reserve": 3}[kind]; n != len(c.args) {
		return misuse("the arguments are %s", c.command.args)
	}
	if err := c.needDaemon(); err != nil {
		return err
	}
	if at := map[string]int{"payment": 2, "reserve": 1}[kind]; at > 0 {
		if err := c.checkAddress(c.args[at]); err != nil {
			return err
		}
	}
	return c.withoutWallet(ctx, func(t rpc.Transport) error { return check(ctx, c, t) })
}

func checkPayment(ctx context.Context, c *call, t rpc.Transport) error {
	got, err := rpc.Call(ctx, t, walletrpc.CheckTxProof, walletrpc.CheckTxProofRequest{
		TxID: c.args[1], Address: c.args[2], Message: c.message, Signature: c.args[3]})
	if err != nil {
		return refusal("check", err)
	}
	amount := wallet.Amount(got.Received)
	where := fmt.Sprintf("in the chain with %d confirmations", got.Confirmations)
	if got.InPool {
		where = "not in a block yet"
	}
	result := map[string]any{
		"good": got.Good, "received": amount.String(), "in_pool": got.InPool, "confirmations": got.Confirmations,
	}
	return c.judge(got.Good, result, fmt.Sprintf(
		"The proof is valid: the address received %s XMR; the transaction is %s.", short(amount), where), invalid)
}

func checkSpend(ctx context.Context, c *call, t rpc.Transport) error {
	got, err := rpc.Call(ctx, t, walletrpc.CheckSpendProof, walletrpc.CheckSpendProofRequest{
		TxID: c.args[1], Message: c.message, Signature: c.args[2]})
	if err != nil {
		return refusal("check", err)
	}
	return c.judge(got.Good, map[string]any{"good": got.Good}, "The proof is valid: its author made the transaction.",
		invalid)
}

func checkReserve(ctx context.Context, c *call, t rpc.Transport) error {
	got, err := rpc.Call(ctx, t, walletrpc.CheckReserveProof, walletrpc.CheckReserveProofRequest{
		Address: c.args[1], Message: c.message, Signature: c.args[2]})
	if err != nil {
		return refusal("check", err)
	}
	total, spent := wallet.Amount(got.Total), wallet.Amount(got.Spent)
	result := map[string]any{"good": got.Good, "total": total.String(), "spent": spent.String()}
	return c.judge(got.Good, result, fmt.Sprintf(
		"The proof is valid: the wallet had %s XMR, of which %s are spent since.", short(total), short(spent)), invalid)
}
