package terminal

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"glim/bindings/wallet"
	"glim/core/address"
	"glim/core/rpc"
	"glim/core/walletrpc"
)

// payingCommands are the commands that pay.
func payingCommands() []command {
	return []command{
		{name: "transfer", args: "NAME (ADDRESS AMOUNT … | LINK)", min: 2, max: -1, wallet: true,
			about: "pay to one or more addresses, or a payment link",
			more: "Shows recipients, amount and fee, and sends after a confirmation. AMOUNT is in XMR, such as 1.5. " +
				"LINK is a payment link that begins with monero: and has amounts. ADDRESS may be an OpenAlias " +
				"name, such as donate.getmonero.org.",
			options: append([]option{
				{"fee-from-amount", "", "subtract the fee from the amounts instead of adding it", "",
					boolean(func(c *config) *bool { return &c.feeFromAmounts })},
			}, paymentOptions...), run: transferMoney},
		{name: "sweep", args: "NAME ADDRESS", min: 2, max: 2, wallet: true,
			about:   "pay everything that is unlocked in an account to an address",
			more:    "ADDRESS may be an OpenAlias name, such as donate.getmonero.org.",
			options: paymentOptions, run: sweepMoney},
		{name: "separate", args: "NAME [ACCOUNTS … | none]", min: 1, max: -1, wallet: true,
			about: "keep accounts apart, or show which are",
			more: "Each of ACCOUNTS is one account, or several with commas between them; the others are one more " +
				"group. A payment that would link two groups is then refused: to an address of another group of " +
				"this wallet, or to one that another group has paid. none ends that.",
			run: separateAccounts},
	}
}

// checkAddress returns an error unless text is an address of the network.
func (c *call) checkAddress(text string) error {
	if _, err := address.ParseFor(c.network, text); err != nil {
		return &addressError{text, err}
	}
	return nil
}

func transferMoney(ctx context.Context, c *call) error {
	return c.pay(ctx, func(ctx context.Context, w *wallet.Wallet) (p wallet.Payment, err error) {
		p.To, err = c.destinations(ctx, w)
		return p, err
	})
}

func sweepMoney(ctx context.Context, c *call) error {
	return c.pay(ctx, func(ctx context.Context, _ *wallet.Wallet) (p wallet.Payment, err error) {
		to, err := c.recipient(ctx, c.args[1])
		p.All, p.To = true, []wallet.Destination{{Address: to}}
		return p, err
	})
}

// destinations returns the recipients of the command line: pairs of address and amount, or a payment link.
func (c *call) destinations(ctx context.Context, w *wallet.Wallet) ([]wallet.Destination, error) {
	given := c.args[1:]
	if len(given) == 1 && strings.HasPrefix(given[0], "monero:") {
		u, err := rpc.Call(ctx, w, walletrpc.ParsePaymentLink, walletrpc.ParseURIRequest{URI: given[0]})
		if err != nil {
			return nil, misuse("the payment link is not valid for %s: %w", networkName(c.network),
				refusal("transfer", err))
		}
		var to []wallet.Destination
		for _, r := range u.Recipients {
			if r.Amount == 0 {
				return nil, misuse("the payment link has no amount; give ADDRESS AMOUNT instead")
			}
			to = append(to, wallet.Destination{Address: r.Address, Amount: wallet.Amount(r.Amount)})
		}
		return to, nil
	}
	if len(given)%2 == 1 {
		return nil, misuse("each address is followed by its amount in XMR")
	}
	var to []wallet.Destination
	for i := 0; i < len(given); i += 2 {
		where, err := c.recipient(ctx, given[i])
		if err != nil {
			return nil, err
		}
		amount, err := wallet.ParseAmount(given[i+1])
		if err != nil {
			return nil, misuse("%q: %w", printable(given[i+1]), err)
		}
		if amount == 0 {
			return nil, misuse("an amount is 0")
		}
		to = append(to, wallet.Destination{Address: where, Amount: amount})
	}
	return to, nil
}

// pay prepares the payment that describe returns, shows it, and sends it after a confirmation.
func (c *call) pay(
	ctx context.Context, describe func(context.Context, *wallet.Wallet) (wallet.Payment, error),
) error {
	if err := c.needDaemon(); err != nil {
		return err
	}
	if !c.yes && !c.doNotRelay && c.console.file == nil {
		return fmt.Errorf("%w: --yes sends without a terminal, --do-not-relay shows the preview", errNotConfirmed)
	}
	return c.withWallet(ctx, func(ctx context.Context, w *wallet.Wallet) error {
		p, err := describe(ctx, w)
		if err != nil {
			return err
		}
		p.Account, p.Priority, p.Key, p.FeeFromAmounts = c.account, c.priority, c.key, c.feeFromAmounts
		if err := c.refresh(ctx, w); err != nil {
			return err
		}
		have, err := c.accountBalance(ctx, w)
		if err != nil {
			return err
		}
		p.AllowLinks = c.allowLinks
		preview, err := w.Send(ctx, p)
		if err != nil {
			return explainMoney(err, have, p)
		}
		if preview.Unsigned != "" {
			return &wallet.Error{Op: "transfer", Kind: wallet.ErrUnsigned}
		}
		return c.send(ctx, w, preview, have)
	})
}

// explainMoney adds the balance to an error about too little money.
func explainMoney(err error, have wallet.Balance, p wallet.Payment) error {
	if !errors.Is(err, wallet.ErrNotEnoughMoney) && !errors.Is(err, wallet.ErrMoneyLocked) {
		return err
	}
	var need wallet.Amount
	for _, d := range p.To {
		need += d.Amount
	}
	return &moneyError{err, have, need}
}

func (c *call) accountBalance(ctx context.Context, w *wallet.Wallet) (wallet.Balance, error) {
	accounts, err := w.Accounts(ctx)
	if err != nil {
		return wallet.Balance{}, err
	}
	for _, a := range accounts {
		if a.Index == c.account {
			return a.Balance, nil
		}
	}
	return wallet.Balance{}, misuse("there is no account %d", c.account)
}

type destinationJSON struct {
	Address string `json:"address"`
	Amount  string `json:"amount"` // XMR
	Name    string `json:"name,omitempty"`
}

// payment is a prepared or sent payment. Amounts are in XMR.
type payment struct {
	Sent   bool              `json:"sent"`
	To     []destinationJSON `json:"to"`
	Amount string            `json:"amount"`
	Fee    string            `json:"fee"`
	Total  string            `json:"total"`
	Left   string            `json:"left"`  // what the account has afterwards, if it pays others
	TxIDs  []string          `json:"txids"` // with sent false, those that the transactions would have
	// Repeated reports that an earlier command with the same --idempotency-key has made the payment.
	Repeated bool `json:"repeated"`
	// Reveals says what the payment links, for a payment that was not sent before.
	Reveals []revealedJSON `json:"reveals,omitempty"`
}

// send shows a preview and sends it after a confirmation, unless flags say otherwise.
func (c *call) send(ctx context.Context, w *wallet.Wallet, preview *wallet.Preview, have wallet.Balance) error {
	total := preview.Amount + preview.Fee
	left := have.Total - min(total, have.Total)
	if preview.Begun { // the balance is that after the payment
		left = have.Total
	}
	r := payment{Amount: preview.Amount.String(), Fee: preview.Fee.String(), Total: total.String(), Left: left.String(),
		TxIDs: preview.Transactions, Repeated: preview.Begun}
	for _, d := range preview.To {
		r.To = append(r.To, destinationJSON{d.Address, d.Amount.String(), c.names[d.Address]})
	}
	reveals, err := revealed(ctx, preview)
	if err != nil {
		return err
	}
	r.Reveals = reveals
	shown := c.out
	if c.json {
		shown = c.console.out
	}
	if !c.json || !c.yes && !c.doNotRelay {
		printPreview(shown, preview, left, c.names)
		for _, one := range reveals {
			fmt.Fprintf(shown, "Reveals:   %s\n", indented(printable(one.Text), 11))
		}
	}
	if c.doNotRelay {
		_ = preview.Discard() // it has not been confirmed
		return c.print(r, func(out io.Writer) { fmt.Fprintln(out, "Nothing was sent.") })
	}
	if !c.yes {
		yes, err := c.console.confirm(ctx, "Send this payment?")
		if err != nil {
			return err
		}
		if !yes {
			_ = preview.Discard()
			return errNotConfirmed
		}
	}
	// Ctrl-C does not interrupt the sending; a second one ends the process, and the wallet has a record.
	sent, err := preview.Confirm(context.WithoutCancel(ctx))
	if err != nil {
		if errors.Is(err, wallet.ErrDaemon) {
			c.note("The payment may have been sent: glim wallet history %s shows it once the daemon answers.", w.Name())
		}
		return err
	}
	r.Sent, r.TxIDs = true, sent
	return c.print(r, func(out io.Writer) {
		for _, id := range sent {
			fmt.Fprintf(out, "Sent: transaction %s\n", id)
		}
	})
}

func printPreview(out io.Writer, p *wallet.Preview, left wallet.Amount, names map[string]string) {
	if p.Begun {
		fmt.Fprintln(out, "This payment was made before; it is not made twice.")
	}
	for _, d := range p.To {
		fmt.Fprintf(out, "Recipient: %s\n", d.Address)
		if name := names[d.Address]; name != "" {
			fmt.Fprintf(out, "  name:    %s\n", name)
		}
		if len(p.To) > 1 {
			fmt.Fprintf(out, "  gets:    %s XMR\n", short(d.Amount))
		}
	}
	fmt.Fprintf(out, "Amount:    %s XMR\nFee:       %s XMR\nTotal:     %s XMR\nLeft:      %s XMR in the account\n",
		short(p.Amount), short(p.Fee), short(p.Amount+p.Fee), short(left))
	if len(p.Transactions) > 1 {
		fmt.Fprintf(out, "It takes %d transactions.\n", len(p.Transactions))
	}
}
