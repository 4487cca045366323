package service

import (
	"context"
	"maps"
	"regexp"
	"slices"

	"glim/core/address"
	"glim/core/keys"
	"glim/core/wallet"
	"glim/core/walletrpc"
)

func index(i keys.Index) walletrpc.SubaddressIndex {
	return walletrpc.SubaddressIndex{Major: i.Major, Minor: i.Minor}
}

func (s *Service) getBalance(_ context.Context, req walletrpc.GetBalanceRequest) (resp walletrpc.GetBalanceResponse, err error) {
	err = s.view(func(w *wallet.Wallet) error {
		first, last := req.AccountIndex, req.AccountIndex
		if req.AllAccounts {
			first, last = 0, w.Accounts()-1
		}
		unspent := unspentOutputs(w)
		var all wallet.Balance
		for account := first; ; account++ {
			balances := w.Balances(account, req.Strict, s.config.Now())
			for _, b := range balances {
				all.Add(b)
			}
			minors := slices.Sorted(maps.Keys(balances))
			if !req.AllAccounts && len(req.AddressIndices) > 0 {
				minors = slices.Sorted(slices.Values(req.AddressIndices))
				minors = slices.Compact(minors)
			}
			for _, minor := range minors {
				i, b := keys.Index{Major: account, Minor: minor}, balances[minor]
				resp.PerSubaddress = append(resp.PerSubaddress, walletrpc.SubaddressBalance{
					AccountIndex: account, AddressIndex: minor, Address: w.Address(i).String(), Balance: b.Total,
					UnlockedBalance: b.Unlocked, Label: w.Label(i), NumUnspentOutputs: unspent[i],
					BlocksToUnlock: b.BlocksToUnlock, TimeToUnlock: b.TimeToUnlock,
				})
			}
			if account == last {
				break
			}
		}
		resp.Balance, resp.UnlockedBalance = all.Total, all.Unlocked
		resp.BlocksToUnlock, resp.TimeToUnlock = all.BlocksToUnlock, all.TimeToUnlock
		return nil
	})
	return resp, err
}

// unspentOutputs counts, by address, the outputs that nothing spends.
func unspentOutputs(w *wallet.Wallet) map[keys.Index]uint64 {
	n := map[keys.Index]uint64{}
	outputs := w.Outputs()
	for i := range outputs {
		if o := &outputs[i]; !w.IsSpent(o, false) {
			n[o.Address]++
		}
	}
	return n
}

func (s *Service) getAddress(_ context.Context, req walletrpc.GetAddressRequest) (resp walletrpc.GetAddressResponse, err error) {
	err = s.view(func(w *wallet.Wallet) error {
		n, err := w.Addresses(req.AccountIndex)
		if err != nil {
			return err
		}
		minors := req.AddressIndex
		if len(minors) == 0 {
			for i := range n {
				minors = append(minors, i)
			}
		}
		used := map[keys.Index]bool{}
		for _, o := range w.Outputs() {
			used[o.Address] = true
		}
		for _, minor := range minors {
			if minor >= n {
				return wallet.ErrAddress
			}
			i := keys.Index{Major: req.AccountIndex, Minor: minor}
			resp.Addresses = append(resp.Addresses, walletrpc.AddressInfo{
				Address: w.Address(i).String(), Label: w.Label(i), AddressIndex: minor, Used: used[i],
			})
		}
		resp.Address = w.Address(keys.Index{Major: req.AccountIndex}).String()
		return nil
	})
	return resp, err
}

func (s *Service) getAddressIndex(_ context.Context, req walletrpc.GetAddressIndexRequest) (resp walletrpc.GetAddressIndexResponse, err error) {
	err = s.view(func(w *wallet.Wallet) error {
		a, err := address.ParseFor(w.Origin().Network, req.Address)
		if err != nil {
			return walletrpc.Fail(walletrpc.CodeWrongAddress, "Invalid address")
		}
		i, ok := w.IndexOf(a.Spend)
		if !ok || w.Address(i).View != a.View {
			return walletrpc.Fail(walletrpc.CodeWrongAddress, "Address doesn't belong to the wallet")
		}
		resp.Index = index(i)
		return nil
	})
	return resp, err
}

// maxNewAddresses bounds create_address. Source: src/wallet/wallet_rpc_server.cpp, on_create_address.
const maxNewAddresses = 65536

func (s *Service) createAddress(_ context.Context, req walletrpc.CreateAddressRequest) (resp walletrpc.CreateAddressResponse, err error) {
	if _, err := s.current(); err != nil {
		return resp, err
	}
	if req.Count < 1 || req.Count > maxNewAddresses {
		return resp, walletrpc.Fail(walletrpc.CodeUnknown, "Count must be between 1 and %d.", maxNewAddresses)
	}
	var first uint32
	err = s.change(func(w *wallet.Wallet) (c wallet.ChangeSet, err error) {
		c, first, err = w.DecideAddresses(req.AccountIndex, req.Count, req.Label)
		return c, err
	})
	if err != nil {
		return resp, err
	}
	err = s.view(func(w *wallet.Wallet) error {
		for minor := first; minor < first+req.Count; minor++ {
			resp.Addresses = append(resp.Addresses, w.Address(keys.Index{Major: req.AccountIndex, Minor: minor}).String())
			resp.AddressIndices = append(resp.AddressIndices, minor)
		}
		resp.Address, resp.AddressIndex = resp.Addresses[0], first
		return nil
	})
	return resp, err
}

func (s *Service) labelAddress(_ context.Context, req walletrpc.LabelAddressRequest) (empty, error) {
	return empty{}, s.label(keys.Index{Major: req.Index.Major, Minor: req.Index.Minor}, req.Label)
}

func (s *Service) labelAccount(_ context.Context, req walletrpc.LabelAccountRequest) (empty, error) {
	return empty{}, s.label(keys.Index{Major: req.AccountIndex}, req.Label)
}

func (s *Service) label(i keys.Index, text string) error {
	return s.change(func(w *wallet.Wallet) (wallet.ChangeSet, error) { return w.DecideLabel(i, text) })
}

func (s *Service) getAccounts(_ context.Context, req walletrpc.GetAccountsRequest) (resp walletrpc.GetAccountsResponse, err error) {
	err = s.view(func(w *wallet.Wallet) error {
		matches, err := tagFilter(w, req)
		if err != nil {
			return err
		}
		for account := range w.Accounts() {
			if !matches(w.Tag(account)) {
				continue
			}
			b := w.AccountBalance(account, req.StrictBalances, s.config.Now())
			i := keys.Index{Major: account}
			resp.SubaddressAccounts = append(resp.SubaddressAccounts, walletrpc.AccountInfo{
				AccountIndex: account, BaseAddress: w.Address(i).String(), Balance: b.Total,
				UnlockedBalance: b.Unlocked, Label: w.Label(i), Tag: w.Tag(account),
			})
			resp.TotalBalance += b.Total
			resp.TotalUnlockedBalance += b.Unlocked
		}
		if (req.Regexp || req.Regex) && len(resp.SubaddressAccounts) == 0 {
			return walletrpc.Fail(walletrpc.CodeUnknown, "No matches for regex filter %s .", req.Tag)
		}
		return nil
	})
	return resp, err
}

// tagFilter returns what decides whether an account with some tag is asked for.
func tagFilter(w *wallet.Wallet, req walletrpc.GetAccountsRequest) (func(tag string) bool, error) {
	switch {
	case req.Tag == "":
		return func(string) bool { return true }, nil
	case (req.Regexp || req.Regex):
		re, err := regexp.Compile(`\A(?:` + req.Tag + `)\z`)
		if err != nil {
			return nil, walletrpc.Fail(walletrpc.CodeUnknown, "%s", err)
		}
		return re.MatchString, nil
	}
	if !slices.ContainsFunc(w.Tags(), func(t wallet.TagInfo) bool { return t.Tag == req.Tag }) {
		return nil, walletrpc.Fail(walletrpc.CodeUnknown, "Tag %s is unregistered.", req.Tag)
	}
	return func(tag string) bool { return tag == req.Tag }, nil
}

func (s *Service) createAccount(_ context.Context, req walletrpc.CreateAccountRequest) (resp walletrpc.CreateAccountResponse, err error) {
	err = s.change(func(w *wallet.Wallet) (c wallet.ChangeSet, err error) {
		c, resp.AccountIndex = w.DecideAccount(req.Label)
		return c, nil
	})
	if err != nil {
		return resp, err
	}
	err = s.view(func(w *wallet.Wallet) error {
		resp.Address = w.Address(keys.Index{Major: resp.AccountIndex}).String()
		return nil
	})
	return resp, err
}

func (s *Service) validateAddress(_ context.Context, req walletrpc.ValidateAddressRequest) (resp walletrpc.ValidateAddressResponse, err error) {
	if !req.AnyNetType {
		if _, err := s.current(); err != nil {
			return resp, err
		}
	}
	a, err := address.Parse(req.Address)
	if err != nil || !req.AnyNetType && a.Network != s.config.Network.AddressNetwork() {
		return resp, nil
	}
	return walletrpc.ValidateAddressResponse{
		Valid: true, Integrated: a.Kind == address.Integrated, Subaddress: a.Kind == address.Subaddress,
		NetType: a.Network.String(),
	}, nil
}

func (s *Service) getHeight(context.Context, empty) (resp walletrpc.GetHeightResponse, err error) {
	err = s.view(func(w *wallet.Wallet) error {
		resp.Height = w.Height()
		return nil
	})
	return resp, err
}
