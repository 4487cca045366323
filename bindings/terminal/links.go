package terminal

import (
	"context"
	"fmt"
	"io"
	"strconv"
	"strings"

	"glim/bindings/wallet"
	"glim/core/rpc"
	"glim/core/walletrpc"
)

// revealedJSON is one thing that a payment reveals about the wallet.
type revealedJSON struct {
	Kind string `json:"kind"`
	Text string `json:"text"`
}

// revealed returns what a payment reveals.
func revealed(ctx context.Context, preview *wallet.Preview) (list []revealedJSON, err error) {
	links, err := preview.Links(ctx)
	for _, l := range links {
		list = append(list, revealedJSON{l.Kind, l.Text})
	}
	return list, err
}

// separateAccounts sets the groups of accounts that payments must not link, if there are any, and shows them.
func separateAccounts(ctx context.Context, c *call) error {
	groups, err := accountGroups(c.args[1:])
	if err != nil {
		return err
	}
	return c.withWallet(ctx, func(ctx context.Context, w *wallet.Wallet) error {
		if len(c.args) > 1 {
			if _, err := rpc.Call(ctx, w, walletrpc.SetSeparateAccounts,
				walletrpc.SetSeparateAccountsRequest{Groups: groups}); err != nil {
				return refusal("separate", err)
			}
		}
		got, err := rpc.Call(ctx, w, walletrpc.GetSeparateAccounts, walletrpc.Empty{})
		if err != nil {
			return refusal("separate", err)
		}
		all := [][]uint32{}
		for _, g := range got.Groups {
			all = append(all, g.Accounts)
		}
		return c.print(map[string]any{"groups": all}, func(out io.Writer) {
			if len(all) == 0 {
				fmt.Fprintln(out, "No accounts are kept apart.")
				return
			}
			for _, accounts := range all {
				fmt.Fprintf(out, "Kept apart: %s\n", strings.Trim(fmt.Sprint(accounts), "[]"))
			}
			fmt.Fprintln(out, "All other accounts are one more group.")
		})
	})
}

// accountGroups parses groups of accounts; the word none alone gives no groups.
func accountGroups(texts []string) (groups []walletrpc.AccountGroup, err error) {
	if len(texts) == 1 && texts[0] == "none" {
		return nil, nil
	}
	for _, text := range texts {
		var g walletrpc.AccountGroup
		for number := range strings.SplitSeq(text, ",") {
			account, err := strconv.ParseUint(number, 10, 32)
			if err != nil {
				return nil, misuse("%q is not an account, or accounts with commas between them", printable(text))
			}
			g.Accounts = append(g.Accounts, uint32(account))
		}
		groups = append(groups, g)
	}
	return groups, nil
}
