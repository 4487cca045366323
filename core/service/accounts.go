package service

import (
	"cmp"
	"context"
	"slices"

	"glim/core/address"
	"glim/core/keys"
	"glim/core/wallet"
	"glim/core/walletrpc"
	"glim/core/xmr"
)

// accounts implements the operations on accounts and addresses.
type accounts struct {
	active  *active
	aliases *aliases
	network xmr.Network
	now     func() uint64
	workers int
	match   func(expression string) (fits func(text string) bool, err error) // Config.Match
}

// maxNewAddresses limits create_address. Source: src/wallet/wallet_rpc_server.cpp, on_create_address.
const maxNewAddresses = 65536

// maxPattern limits a regular expression for tags, in bytes.
const maxPattern = 1024

// tagFilter returns a function that reports whether the request selects accounts with a tag.
func tagFilter(
	w *wallet.Wallet, req walletrpc.GetAccountsRequest, match func(string) (func(string) bool, error),
) (func(tag string) bool, error) {
	switch {
	case req.Tag == "":
		return func(string) bool { return true }, nil
	case (req.Regexp || req.Regex):
		if len(req.Tag) > maxPattern {
			return nil, walletrpc.Fail(walletrpc.CodeUnknown, "A regex filter may have at most %d bytes.", maxPattern)
		}
		if match == nil {
			return nil, walletrpc.Fail(walletrpc.CodeUnknown, "Regex filters are not supported here.")
		}
		fits, err := match(req.Tag)
		if err != nil {
			return nil, walletrpc.Fail(walletrpc.CodeUnknown, "%s", err)
		}
		return fits, nil
	}
	if !slices.ContainsFunc(w.Tags(), func(t wallet.TagInfo) bool { return t.Tag == req.Tag }) {
		return nil, walletrpc.Fail(walletrpc.CodeUnknown, "Tag %s is unregistered.", req.Tag)
	}
	return func(tag string) bool { return tag == req.Tag }, nil
}

func (s *accounts) getBalance(
	_ context.Context, req walletrpc.GetBalanceRequest,
) (resp walletrpc.GetBalanceResponse, err error) {
	indices := req.AddressIndices
	if req.AllAccounts {
		indices = nil
	}
	if err := checkListed(len(indices)); err != nil {
		return resp, err
	}
	indices = slices.Compact(slices.Sorted(slices.Values(indices)))
	var texts *wallet.Texts
	var list []keys.Index
	err = s.active.view(func(w *wallet.Wallet) error {
		now := s.now()
		texts = w.Texts()
		first, last := req.AccountIndex, req.AccountIndex
		if req.AllAccounts {
			first, last = 0, w.Accounts()-1
		}
		var all wallet.Balance
		for account := first; ; account++ {
			all.Add(w.AccountBalance(account, req.Strict, now))
			for _, b := range w.AddressBalances(account, indices, req.Strict, now) {
				i := keys.Index{Major: account, Minor: b.Minor}
				list = append(list, i)
				resp.PerSubaddress = append(resp.PerSubaddress, walletrpc.SubaddressBalance{
					AccountIndex: account, AddressIndex: b.Minor, Balance: b.Total, UnlockedBalance: b.Unlocked,
					Label:             w.Label(i),
					NumUnspentOutputs: b.Unspent, BlocksToUnlock: b.BlocksToUnlock, TimeToUnlock: b.TimeToUnlock,
				})
			}
			if account == last {
				break
			}
		}
		resp.Balance, resp.UnlockedBalance = all.Total, all.Unlocked
		resp.MultisigImportNeeded = w.ImagesMissing()
		resp.BlocksToUnlock, resp.TimeToUnlock = all.BlocksToUnlock, all.TimeToUnlock
		return nil
	})
	if err != nil {
		return resp, err
	}
	for n, text := range texts.All(list, s.workers) {
		resp.PerSubaddress[n].Address = text
	}
	return resp, nil
}

func (s *accounts) getAddress(
	_ context.Context, req walletrpc.GetAddressRequest,
) (resp walletrpc.GetAddressResponse, err error) {
	if err := checkListed(len(req.AddressIndex)); err != nil {
		return resp, err
	}
	var texts *wallet.Texts
	var list []keys.Index
	err = s.active.view(func(w *wallet.Wallet) error {
		n, err := w.Addresses(req.AccountIndex)
		if err != nil {
			return err
		}
		texts = w.Texts()
		indices := req.AddressIndex
		if len(indices) == 0 {
			indices = countUp(0, n)
		}
		// The list may repeat an index; each address is encoded once.
		for _, minor := range slices.Compact(slices.Sorted(slices.Values(indices))) {
			list = append(list, keys.Index{Major: req.AccountIndex, Minor: minor})
		}
		resp.Addresses = make([]walletrpc.AddressInfo, 0, len(indices))
		for _, minor := range indices {
			if minor >= n {
				return wallet.ErrAddress
			}
			i := keys.Index{Major: req.AccountIndex, Minor: minor}
			resp.Addresses = append(resp.Addresses,
				walletrpc.AddressInfo{Label: w.Label(i), AddressIndex: minor, Used: w.IsUsed(i)})
		}
		return nil
	})
	if err != nil {
		return resp, err
	}
	all := texts.All(list, s.workers)
	for n := range resp.Addresses {
		at, _ := slices.BinarySearchFunc(list, resp.Addresses[n].AddressIndex,
			func(i keys.Index, minor uint32) int { return cmp.Compare(i.Minor, minor) })
		resp.Addresses[n].Address = all[at]
	}
	resp.Address = texts.Of(keys.Index{Major: req.AccountIndex})
	return resp, nil
}

func (s *accounts) getAddressIndex(
	_ context.Context, req walletrpc.GetAddressIndexRequest,
) (resp walletrpc.GetAddressIndexResponse, err error) {
	var a address.Address
	var i keys.Index
	var k *keys.Keys
	known := false
	err = s.active.view(func(w *wallet.Wallet) (err error) {
		if a, err = address.ParseFor(w.Identity().Network, req.Address); err != nil {
			return walletrpc.Fail(walletrpc.CodeWrongAddress, "Invalid address")
		}
		i, known = w.IndexOf(a.Spend)
		k = w.Keys()
		return nil
	})
	if err != nil {
		return resp, err
	}
	if known {
		_, view := k.Address(i)
		known = view == a.View
	}
	if !known {
		return resp, walletrpc.Fail(walletrpc.CodeWrongAddress, "Address doesn't belong to the wallet")
	}
	resp.Index = index(i)
	return resp, nil
}

func (s *accounts) createAddress(
	_ context.Context, req walletrpc.CreateAddressRequest,
) (resp walletrpc.CreateAddressResponse, err error) {
	if _, err := s.active.current(); err != nil {
		return resp, err
	}
	if req.Count < 1 || req.Count > maxNewAddresses {
		return resp, walletrpc.Fail(walletrpc.CodeUnknown, "Count must be between 1 and %d.", maxNewAddresses)
	}
	var first uint32
	var texts *wallet.Texts
	err = s.active.change(func(w *wallet.Wallet) (c wallet.ChangeSet, err error) {
		texts = w.Texts()
		c, first, err = w.DecideAddresses(req.AccountIndex, req.Count, req.Label)
		return c, err
	})
	if err != nil {
		return resp, err
	}
	resp.AddressIndices = countUp(first, req.Count)
	list := make([]keys.Index, req.Count)
	for n, minor := range resp.AddressIndices {
		list[n] = keys.Index{Major: req.AccountIndex, Minor: minor}
	}
	resp.Addresses = texts.All(list, s.workers)
	resp.Address, resp.AddressIndex = resp.Addresses[0], first
	return resp, nil
}

func (s *accounts) labelAddress(_ context.Context, req walletrpc.LabelAddressRequest) (empty, error) {
	return empty{}, s.label(keys.Index{Major: req.Index.Major, Minor: req.Index.Minor}, req.Label)
}

func (s *accounts) labelAccount(_ context.Context, req walletrpc.LabelAccountRequest) (empty, error) {
	return empty{}, s.label(keys.Index{Major: req.AccountIndex}, req.Label)
}

func (s *accounts) label(i keys.Index, text string) error {
	return s.active.change(func(w *wallet.Wallet) (wallet.ChangeSet, error) { return w.DecideLabel(i, text) })
}

func (s *accounts) getAccounts(
	_ context.Context, req walletrpc.GetAccountsRequest,
) (resp walletrpc.GetAccountsResponse, err error) {
	var texts *wallet.Texts
	var list []keys.Index
	err = s.active.view(func(w *wallet.Wallet) error {
		matches, err := tagFilter(w, req, s.match)
		if err != nil {
			return err
		}
		now := s.now()
		texts = w.Texts()
		var all wallet.Balance
		for account := range w.Accounts() {
			if !matches(w.Tag(account)) {
				continue
			}
			b := w.AccountBalance(account, req.StrictBalances, now)
			i := keys.Index{Major: account}
			list = append(list, i)
			resp.SubaddressAccounts = append(resp.SubaddressAccounts, walletrpc.AccountInfo{
				AccountIndex: account, Balance: b.Total, UnlockedBalance: b.Unlocked, Label: w.Label(i),
				Tag: w.Tag(account),
			})
			all.Add(b)
		}
		resp.TotalBalance, resp.TotalUnlockedBalance = all.Total, all.Unlocked
		if (req.Regexp || req.Regex) && len(resp.SubaddressAccounts) == 0 {
			return walletrpc.Fail(walletrpc.CodeUnknown, "No matches for regex filter %s .", req.Tag)
		}
		return nil
	})
	if err != nil {
		return resp, err
	}
	for n, text := range texts.All(list, s.workers) {
		resp.SubaddressAccounts[n].BaseAddress = text
	}
	return resp, nil
}

func (s *accounts) createAccount(
	_ context.Context, req walletrpc.CreateAccountRequest,
) (resp walletrpc.CreateAccountResponse, err error) {
	var texts *wallet.Texts
	err = s.active.change(func(w *wallet.Wallet) (c wallet.ChangeSet, err error) {
		texts = w.Texts()
		c, resp.AccountIndex = w.DecideAccount(req.Label)
		return c, nil
	})
	if err != nil {
		return resp, err
	}
	resp.Address = texts.Of(keys.Index{Major: resp.AccountIndex})
	return resp, nil
}

// validateAddress checks an address, or looks up an OpenAlias name. A name without a valid address is not an error.
// Source: src/wallet/wallet_rpc_server.cpp, on_validate_address.
func (s *accounts) validateAddress(
	ctx context.Context, req walletrpc.ValidateAddressRequest,
) (resp walletrpc.ValidateAddressResponse, err error) {
	if !req.AnyNetType {
		if _, err := s.active.current(); err != nil {
			return resp, err
		}
	}
	accept := func(a address.Address) bool { return req.AnyNetType || a.Network == s.network.AddressNetwork() }
	a, err := address.Parse(req.Address)
	if err != nil && req.AllowOpenAlias {
		resp.OpenAliasAddress, a, err = s.aliases.validate(ctx, req.Address, accept)
	}
	if err != nil || !accept(a) {
		return resp, nil
	}
	return walletrpc.ValidateAddressResponse{
		Valid: true, Integrated: a.Kind == address.Integrated, Subaddress: a.Kind == address.Subaddress,
		NetType: a.Network.String(), OpenAliasAddress: resp.OpenAliasAddress,
	}, nil
}

func (s *accounts) getAccountTags(context.Context, empty) (resp walletrpc.GetAccountTagsResponse, err error) {
	err = s.active.view(func(w *wallet.Wallet) error {
		for _, t := range w.Tags() {
			resp.AccountTags = append(resp.AccountTags,
				walletrpc.AccountTag{Tag: t.Tag, Label: t.Description, Accounts: t.Accounts})
		}
		return nil
	})
	return resp, err
}

func (s *accounts) tagAccounts(_ context.Context, req walletrpc.TagAccountsRequest) (empty, error) {
	return empty{}, s.active.change(
		func(w *wallet.Wallet) (wallet.ChangeSet, error) { return w.DecideTags(req.Accounts, req.Tag) },
	)
}

func (s *accounts) untagAccounts(_ context.Context, req walletrpc.UntagAccountsRequest) (empty, error) {
	return empty{}, s.active.change(
		func(w *wallet.Wallet) (wallet.ChangeSet, error) { return w.DecideTags(req.Accounts, "") },
	)
}

func (s *accounts) setAccountTagDescription(
	_ context.Context, req walletrpc.SetAccountTagDescriptionRequest,
) (empty, error) {
	return empty{}, s.active.change(func(w *wallet.Wallet) (wallet.ChangeSet, error) {
		return w.DecideTagDescription(req.Tag, req.Description)
	})
}
