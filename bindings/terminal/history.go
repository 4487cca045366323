package terminal

import (
	"context"
	"fmt"
	"io"
	"text/tabwriter"
	"time"

	"glim/bindings/wallet"
)

type transferJSON struct {
	TxID          string            `json:"txid"`
	Type          string            `json:"type"`
	State         string            `json:"state"`
	Amount        string            `json:"amount"`
	Fee           string            `json:"fee,omitempty"`
	Height        uint64            `json:"height,omitempty"`
	Confirmations uint64            `json:"confirmations"`
	Locked        bool              `json:"locked"`
	Time          string            `json:"time"`
	Account       uint32            `json:"account"`
	Index         uint32            `json:"index"`
	Address       string            `json:"address"`
	To            []destinationJSON `json:"to,omitempty"`
	PaymentID     string            `json:"payment_id,omitempty"`
	Note          string            `json:"note,omitempty"`
}

func transferOf(t *wallet.Transfer) transferJSON {
	j := transferJSON{TxID: t.TxID, Type: "in", State: string(t.State), Amount: t.Amount.String(), Height: t.Height,
		Confirmations: t.Confirmations, Locked: t.Locked, Time: t.Time.UTC().Format(time.RFC3339), Account: t.Account,
		Index: t.Index, Address: t.Address, PaymentID: t.PaymentID, Note: t.Note}
	switch {
	case t.Coinbase:
		j.Type = "mined"
	case t.Out:
		j.Type, j.Fee = "out", t.Fee.String()
	}
	for _, d := range t.To {
		j.To = append(j.To, destinationJSON{Address: d.Address, Amount: d.Amount.String()})
	}
	return j
}

func showHistory(ctx context.Context, c *call) error {
	return c.withWallet(ctx, func(ctx context.Context, w *wallet.Wallet) error {
		if err := c.refresh(ctx, w); err != nil {
			return err
		}
		all, err := w.History(ctx, wallet.Filter{})
		if err != nil {
			return err
		}
		left := 0
		if c.limit > 0 && uint64(len(all)) > uint64(c.limit) {
			left = len(all) - int(c.limit)
			all = all[left:]
		}
		list := make([]transferJSON, len(all))
		for i := range all {
			list[i] = transferOf(&all[i])
		}
		return c.print(map[string]any{"transfers": list, "left_out": left}, func(out io.Writer) {
			printHistory(out, all)
			if left > 0 {
				fmt.Fprintf(out, "%d earlier ones are left out; --limit 0 shows all.\n", left)
			}
		})
	})
}

func printHistory(out io.Writer, all []wallet.Transfer) {
	if len(all) == 0 {
		fmt.Fprintln(out, "No transfers yet.")
		return
	}
	table(out, func(row func(...any)) {
		row("time", "", "amount", "fee", "state", "transaction", "note")
		for i := range all {
			t := &all[i]
			state := string(t.State)
			if t.State == wallet.Confirmed {
				state = fmt.Sprintf("block %d", t.Height)
			}
			if t.Locked {
				state += ", locked"
			}
			j, fee := transferOf(t), ""
			if t.Out {
				fee = short(t.Fee)
			}
			row(t.Time.Local().Format("2006-01-02 15:04"), j.Type, short(t.Amount), fee, state, t.TxID, t.Note)
		}
	})
}

// table writes rows of cells in columns.
func table(out io.Writer, write func(row func(cells ...any))) {
	t := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	write(func(cells ...any) {
		for i, cell := range cells {
			if i > 0 {
				fmt.Fprint(t, "\t")
			}
			fmt.Fprint(t, printable(fmt.Sprint(cell)))
		}
		fmt.Fprintln(t)
	})
	_ = t.Flush() // as other output: a closed reader ends nothing
}
