//go:build !js

package service

import (
	"errors"
	"maps"
	"slices"
	"strconv"
	"strings"

	"glim/core/address"
	"glim/core/keys"
	"glim/core/smallfmt"
	"glim/core/wallet"
	"glim/core/walletrpc"
	"glim/core/xmr"
)

// ErrSeparateAccounts reports a payment that would link accounts that set_separate_accounts keeps apart.
var ErrSeparateAccounts = errors.New("the payment would link separate accounts")

// separateAttribute is the attribute that stores the groups: numbers of accounts with commas between them, and
// semicolons between groups.
const separateAttribute = "glim.separate_accounts"

// errSeparateAttribute reports an attribute that set_attribute or another program has changed. Payments stop then,
// because it is unknown what they may link.
var errSeparateAttribute = refuse("the attribute " + separateAttribute + " is not a list of accounts; " +
	"set it with set_separate_accounts")

// separation maps accounts to the numbers of their groups, from 1. All other accounts are in group 0.
type separation map[uint32]int

// separationOf returns the groups of accounts that payments must not link.
func separationOf(w *wallet.Wallet) (separation, error) {
	text, _ := w.Attribute(separateAttribute)
	if text == "" {
		return nil, nil
	}
	s := separation{}
	for n, list := range strings.Split(text, ";") {
		for number := range strings.SplitSeq(list, ",") {
			account, err := strconv.ParseUint(number, 10, 32)
			if _, twice := s[uint32(account)]; err != nil || twice {
				return nil, errSeparateAttribute
			}
			s[uint32(account)] = n + 1
		}
	}
	return s, nil
}

// groups returns the groups, each in ascending order.
func (s separation) groups() []walletrpc.AccountGroup {
	last := 0
	for _, n := range s {
		last = max(last, n)
	}
	list := make([]walletrpc.AccountGroup, last)
	for _, account := range slices.Sorted(maps.Keys(s)) {
		list[s[account]-1].Accounts = append(list[s[account]-1].Accounts, account)
	}
	return list
}

// apart reports whether payments must not link the accounts a and b.
func (s separation) apart(a, b uint32) bool { return s[a] != s[b] }

// linkedAccount says why a payment would link an account with another one.
type linkedAccount struct {
	account uint32     // the other one
	at      keys.Index // its address that the payment pays, if txID is zero
	txID    xmr.Hash   // its payment to the same address
	to      string     // the recipient
}

// linkedAccounts returns which accounts of other groups a payment from account would link with it: those that it pays,
// and those that have paid the same recipients. Failed payments do not count, because the recipient never saw them.
func (s separation) linkedAccounts(
	w *wallet.Wallet, network xmr.Network, account uint32, to []string,
) (list []linkedAccount) {
	if len(s) == 0 {
		return nil
	}
	recipients := map[[2]xmr.PublicKey]string{}
	for _, text := range to {
		a, err := address.ParseFor(network, text)
		if err != nil {
			continue // the payment is refused for this
		}
		if at, ok := ownAddress(w, a); !ok {
			recipients[[2]xmr.PublicKey{a.Spend, a.View}] = text
		} else if s.apart(account, at.Major) {
			list = append(list, linkedAccount{account: at.Major, at: at, to: text})
		}
	}
	for _, one := range sentTransactions(w) {
		if !s.apart(account, one.Account) {
			continue
		}
		for _, d := range one.Destinations {
			a, err := address.ParseFor(network, d.Address)
			if err != nil {
				continue
			}
			if text := recipients[[2]xmr.PublicKey{a.Spend, a.View}]; text != "" {
				list = append(list, linkedAccount{account: one.Account, txID: one.TxID, to: text})
			}
		}
	}
	return list
}

// ownAddress returns the index of an address of the wallet.
func ownAddress(w *wallet.Wallet, a address.Address) (keys.Index, bool) {
	at, ok := w.IndexOf(a.Spend)
	return at, ok && w.Address(at).View == a.View
}

// sentTransactions returns the transactions that the wallet made and that a daemon may have, oldest first.
func sentTransactions(w *wallet.Wallet) (list []*wallet.Sent) {
	for _, spend := range w.Spends() {
		if one, ok := w.SentTx(spend.TxID); ok {
			list = append(list, one)
		}
	}
	for _, one := range w.Unmined() {
		if one.State != wallet.SendFailed {
			list = append(list, one)
		}
	}
	return list
}

func (l *linkedAccount) text(account uint32) string {
	if l.txID == (xmr.Hash{}) {
		return smallfmt.Sprintf("account %d would pay the address %d/%d of this wallet, so that spending what it "+
			"receives there links the accounts %d and %d", account, l.at.Major, l.at.Minor, account, l.account)
	}
	return smallfmt.Sprintf("account %d has paid the same address, %s, in transaction %s, so that its owner can tell "+
		"that the accounts %d and %d are one person's", l.account, l.to, l.txID, account, l.account)
}

// payingAccount returns the account that pays, which for sweep_single is that of the output.
func (p *paymentTerms) payingAccount(w *wallet.Wallet) uint32 {
	if image, err := xmr.ParseKey(p.image); p.image != "" && err == nil {
		if o, ok := w.OutputByImage(image); ok {
			return o.Address.Major
		}
	}
	return p.account
}

// mayLink returns an error if the payment would link separate accounts and its request does not allow that.
func mayLink(w *wallet.Wallet, p *paymentTerms, network xmr.Network) error {
	s, err := separationOf(w)
	if err != nil || p.links {
		return err
	}
	to := make([]string, len(p.to))
	for i := range p.to {
		to[i] = p.to[i].Address
	}
	account := p.payingAccount(w)
	found := s.linkedAccounts(w, network, account, to)
	if len(found) == 0 {
		return nil
	}
	return &codedError{walletrpc.Fail(walletrpc.CodeGenericTransfer, "separate accounts: %s. Nothing was sent; "+
		"allow_links allows it for one payment", found[0].text(account)), ErrSeparateAccounts}
}

// separately returns build, which fails if the payment would link separate accounts and p does not allow that.
func separately(build buildFunc, p *paymentTerms, network xmr.Network) buildFunc {
	return func(o *openWallet, again *retry) ([]builtTx, error) {
		var err error
		o.View(func(w *wallet.Wallet) { err = mayLink(w, p, network) })
		if err != nil {
			return nil, err
		}
		return build(o, again)
	}
}

// separationText returns the attribute for groups. It returns wallet.ErrAccount for an unknown account.
func separationText(w *wallet.Wallet, groups []walletrpc.AccountGroup) (string, error) {
	seen := map[uint32]bool{}
	var texts []string
	for _, g := range groups {
		if len(g.Accounts) == 0 {
			return "", refuse("groups: a group has no accounts")
		}
		var numbers []string
		for _, account := range slices.Sorted(slices.Values(g.Accounts)) {
			switch {
			case account >= w.Accounts():
				return "", wallet.ErrAccount
			case seen[account]:
				return "", refuse(smallfmt.Sprintf("groups: account %d is in two groups, or twice in one", account))
			}
			seen[account] = true
			numbers = append(numbers, strconv.FormatUint(uint64(account), 10))
		}
		texts = append(texts, strings.Join(numbers, ","))
	}
	return strings.Join(texts, ";"), nil
}
