package terminal

import (
	"context"
	"fmt"
	"io"
	"os"
	"strings"

	"glim/bindings/wallet"
	"glim/core/rpc"
	"glim/core/walletrpc"
)

// maxReceipt is the largest size of a receipt's file in bytes; a receipt of 15 recipients has less than 8 KiB.
const maxReceipt = 64 << 10

func receiptCommands() []command {
	return []command{
		{name: "link", args: "ADDRESS AMOUNT …", min: 2, max: -1,
			about: "make a payment link for one or more recipients; needs no wallet",
			more:  "AMOUNT is in XMR; 0 leaves it to the payer. Wallets up to 0.18.5.1 read no links for several.",
			options: []option{{"message", "TEXT", "text about the payment", "",
				text(func(c *config) *string { return &c.message })}},
			run: makeLink},
		{name: "receipt", args: "NAME TXID LINK", min: 3, max: 3, wallet: true,
			about: "make a receipt: proof that a transaction of this wallet paid a link", run: makeReceipt},
		{name: "check-receipt", args: "FILE LINK", min: 2, max: 2,
			about: "check a receipt for a link; needs a daemon and no wallet", run: checkReceipt},
	}
}

func makeLink(ctx context.Context, c *call) error {
	if len(c.args)%2 == 1 {
		return misuse("each address is followed by its amount in XMR, or 0")
	}
	l := walletrpc.PaymentLink{TxDescription: c.message}
	for i := 0; i < len(c.args); i += 2 {
		if err := c.checkAddress(c.args[i]); err != nil {
			return err
		}
		amount, err := wallet.ParseAmount(c.args[i+1])
		if err != nil {
			return misuse("%q: %w", printable(c.args[i+1]), err)
		}
		l.Recipients = append(l.Recipients, walletrpc.LinkRecipient{Address: c.args[i], Amount: uint64(amount)})
	}
	c.offline = true
	return c.withoutWallet(ctx, func(t rpc.Transport) error {
		made, err := rpc.Call(ctx, t, walletrpc.MakePaymentLink, l)
		if err != nil {
			return refusal("link", err)
		}
		return c.print(map[string]string{"uri": made.URI}, func(out io.Writer) { fmt.Fprintln(out, made.URI) })
	})
}

func makeReceipt(ctx context.Context, c *call) error {
	return c.withWallet(ctx, func(ctx context.Context, w *wallet.Wallet) error {
		got, err := rpc.Call(ctx, w, walletrpc.MakeReceipt,
			walletrpc.MakeReceiptRequest{TxID: c.args[1], URI: c.args[2]})
		if err != nil {
			return refusal("receipt", err)
		}
		return c.print(map[string]string{"receipt": got.Receipt}, func(out io.Writer) { fmt.Fprint(out, got.Receipt) })
	})
}

func checkReceipt(ctx context.Context, c *call) error {
	f, err := os.Open(c.args[0])
	if err != nil {
		return misuse("%w", err)
	}
	defer f.Close()
	receipt, err := io.ReadAll(io.LimitReader(f, maxReceipt))
	if err != nil {
		return err
	}
	if err := c.needDaemon(); err != nil {
		return err
	}
	return c.withoutWallet(ctx, func(t rpc.Transport) error {
		got, err := rpc.Call(ctx, t, walletrpc.CheckReceipt,
			walletrpc.CheckReceiptRequest{Receipt: string(receipt), URI: c.args[1]})
		if err != nil {
			return refusal("check-receipt", err)
		}
		where := fmt.Sprintf("in the chain with %d confirmations", got.Confirmations)
		if got.InPool {
			where = "not in a block yet"
		}
		var text strings.Builder
		recipients := []map[string]string{}
		for _, r := range got.Recipients {
			received := wallet.Amount(r.Received)
			fmt.Fprintf(&text, "%s received %s XMR.\n", r.Address, short(received))
			recipients = append(recipients, map[string]string{"address": r.Address,
				"amount": wallet.Amount(r.Amount).String(), "received": received.String()})
		}
		fmt.Fprintf(&text, "The receipt is valid, and the link is paid; transaction %s is %s.", got.TxID, where)
		return c.judge(got.Good && got.Paid, map[string]any{"good": got.Good, "paid": got.Paid, "txid": got.TxID,
			"recipients": recipients, "in_pool": got.InPool, "confirmations": got.Confirmations}, text.String(),
			map[bool]string{true: "the receipt is valid, but the transaction pays too little for the link or is locked",
				false: "the receipt is not valid for this link"}[got.Good])
	})
}
