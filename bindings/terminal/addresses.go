package terminal

import (
	"context"
	"fmt"
	"io"

	"glim/bindings/wallet"
	"glim/core/rpc"
	"glim/core/walletrpc"
)

type addressJSON struct {
	Account uint32 `json:"account"`
	Index   uint32 `json:"index"`
	Address string `json:"address"`
	Label   string `json:"label"`
	Used    bool   `json:"used"`
	URI     string `json:"uri,omitempty"`
}

func showAddress(ctx context.Context, c *call) error {
	if c.fresh && c.index != nil {
		return misuse("--new and --index are mutually exclusive")
	}
	return c.withWallet(ctx, func(ctx context.Context, w *wallet.Wallet) error {
		all, err := c.chosenAddresses(ctx, w)
		if err != nil {
			return err
		}
		list := make([]addressJSON, len(all))
		for i, a := range all {
			list[i] = addressJSON{a.Account, a.Index, a.Text, a.Label, a.Used, ""}
		}
		if len(list) == 1 {
			if list[0].URI, err = c.uri(ctx, w, list[0].Address); err != nil {
				return err
			}
		}
		return c.print(map[string]any{"addresses": list}, func(out io.Writer) { err = c.printAddresses(out, list) })
	})
}

func (c *call) printAddresses(out io.Writer, list []addressJSON) error {
	if len(list) > 1 {
		table(out, func(row func(...any)) {
			row("index", "address", "used", "label")
			for _, a := range list {
				row(a.Index, a.Address, map[bool]string{true: "yes", false: "no"}[a.Used], a.Label)
			}
		})
		return nil
	}
	a := list[0]
	fmt.Fprintln(out, a.Address)
	if c.amount > 0 {
		fmt.Fprintln(out, a.URI)
	}
	if !c.qr {
		return nil
	}
	code, err := qrCode(a.URI)
	if err == nil {
		fmt.Fprint(out, code)
	}
	return err
}

// uri returns the payment link for an address, with the amount of --amount.
func (c *call) uri(ctx context.Context, w *wallet.Wallet, address string) (string, error) {
	made, err := rpc.Call(ctx, w, walletrpc.MakeURI, walletrpc.URISpec{Address: address, Amount: uint64(c.amount)})
	return made.URI, refusal("address", err)
}

// chosenAddresses returns the addresses that the flags select: a new one, the one of an index, with --qr the first, or
// all of the account.
func (c *call) chosenAddresses(ctx context.Context, w *wallet.Wallet) ([]wallet.Address, error) {
	label := ""
	if c.label != nil {
		label = *c.label
	}
	if c.fresh {
		a, err := w.NewAddress(ctx, c.account, label)
		return []wallet.Address{a}, err
	}
	all, err := w.Addresses(ctx, c.account)
	if err != nil {
		return nil, err
	}
	if c.index == nil && (c.qr || c.amount > 0 || c.label != nil) {
		c.index = new(uint32)
	}
	if c.index == nil {
		return all, nil
	}
	if uint64(*c.index) >= uint64(len(all)) {
		return nil, misuse("account %d has no address %d, only %d; --new makes one", c.account, *c.index, len(all))
	}
	one := all[*c.index]
	if c.label != nil {
		at := walletrpc.SubaddressIndex{Major: one.Account, Minor: one.Index}
		if _, err := rpc.Call(ctx, w, walletrpc.LabelAddress,
			walletrpc.LabelAddressRequest{Index: at, Label: label}); err != nil {
			return nil, refusal("address", err)
		}
		one.Label = label
	}
	return []wallet.Address{one}, nil
}
