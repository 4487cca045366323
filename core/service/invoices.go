//go:build !js

package service

import (
	"cmp"
	"context"
	"slices"
	"strconv"
	"strings"

	"glim/core/address"
	"glim/core/invoice"
	"glim/core/keys"
	"glim/core/rpc"
	"glim/core/smallfmt"
	"glim/core/wallet"
	"glim/core/walletrpc"
	"glim/core/xmr"
)

// invoicePrefix begins the keys of the attributes that store invoices, before the index of the address.
const invoicePrefix = "glim.invoice."

// invoices implements the operations on invoices.
type invoices struct {
	active  *active
	network xmr.Network
	now     func() uint64
}

// registerInvoices lists the operations on invoices.
func registerInvoices(r *rpc.Registry, a *active, network xmr.Network, now func() uint64) {
	s := &invoices{a, network, now}
	rpc.Handle(r, walletrpc.CreateInvoice, s.createInvoice)
	rpc.Handle(r, walletrpc.GetInvoices, s.getInvoices)
	rpc.Handle(r, walletrpc.CancelInvoice, s.cancelInvoice)
}

func invoiceKey(at keys.Index) string {
	return invoicePrefix + strconv.FormatUint(uint64(at.Major), 10) + "/" + strconv.FormatUint(uint64(at.Minor), 10)
}

// invoicesOf returns the invoices of a wallet by their address. Attributes that hold no invoice, because
// set_attribute or another program has changed them, are ignored.
func invoicesOf(w *wallet.Wallet) map[keys.Index]invoice.Invoice {
	var all map[keys.Index]invoice.Invoice
	for key, text := range w.Attributes(invoicePrefix) {
		i, err := invoice.Parse(text)
		at := keys.Index{Major: i.Account, Minor: i.Address}
		if err != nil || key != invoiceKey(at) {
			continue
		}
		if all == nil {
			all = map[keys.Index]invoice.Invoice{}
		}
		all[at] = i
	}
	return all
}

// invoicePayments returns what the chain and the pool have for the addresses of invoices.
func invoicePayments(
	w *wallet.Wallet, all map[keys.Index]invoice.Invoice, now uint64,
) map[keys.Index][]invoice.Payment {
	if len(all) == 0 {
		return nil
	}
	type transfer struct {
		at   keys.Index
		txID xmr.Hash
	}
	// When each payment was first seen, as far as the wallet keeps its notices.
	first := w.LastNotice()
	for _, i := range all {
		first = min(first, i.Notice)
	}
	first = max(first, w.FirstNotice()-1)
	seen := map[transfer]uint64{}
	notices, _ := w.Notices(first, wallet.KeptNotices)
	for k := range notices {
		n := &notices[k]
		if _, ours := all[n.Address]; !ours || n.Out || n.Timestamp == 0 {
			continue
		}
		t := transfer{n.Address, n.TxID}
		if had, ok := seen[t]; !ok || n.Timestamp < had {
			seen[t] = n.Timestamp
		}
	}
	found := map[keys.Index][]invoice.Payment{}
	clock := w.Clock(now)
	add := func(p *wallet.Payment) {
		if _, ours := all[p.Address]; !ours {
			return
		}
		one := invoice.Payment{TxID: p.TxID, Amount: p.Amount, Height: p.Height, Seen: p.Timestamp}
		if at, ok := seen[transfer{p.Address, p.TxID}]; ok {
			one.Seen = at
		}
		one.Locked = p.UnlockTime > 0 && !clock.Unlocked(p.UnlockTime, p.Height)
		found[p.Address] = append(found[p.Address], one)
	}
	mined := w.PaymentsIn(0, ^uint64(0))
	for k := range mined {
		add(&mined[k])
	}
	for _, t := range w.Pool() {
		for k := range t.Payments {
			add(&t.Payments[k])
		}
	}
	for _, list := range found {
		slices.SortStableFunc(list, func(a, b invoice.Payment) int { return cmp.Compare(a.Seen, b.Seen) })
	}
	return found
}

// invoiceStates is the state of each invoice of a wallet.
type invoiceStates map[keys.Index]string

// of returns the state of the invoice at an address; empty without one.
func (s invoiceStates) of(at keys.Index) string { return s[at] }

// statesOf returns the states at this moment; never nil.
func statesOf(w *wallet.Wallet, o *openWallet) invoiceStates {
	all, now := invoicesOf(w), o.now()
	payments := invoicePayments(w, all, now)
	states := invoiceStates{}
	for at, i := range all {
		states[at] = string(i.Status(payments[at], w.Height(), now).State)
	}
	return states
}

// since returns the states that are not as last told, ordered by address; nothing if none have been told.
func (s invoiceStates) since(told invoiceStates) (list []invoiceNews) {
	for at, state := range s {
		if told != nil && told[at] != state {
			list = append(list, invoiceNews{at, state})
		}
	}
	slices.SortFunc(list, func(a, b invoiceNews) int {
		return cmp.Or(cmp.Compare(a.at.Major, b.at.Major), cmp.Compare(a.at.Minor, b.at.Minor))
	})
	return list
}

// invoiceNews is a new state of an invoice.
type invoiceNews struct {
	at    keys.Index
	state string
}

func (s *invoices) createInvoice(
	_ context.Context, req walletrpc.CreateInvoiceRequest,
) (resp walletrpc.Invoice, err error) {
	o, err := s.active.current()
	if err == nil {
		err = o.checkSpendKey() // background syncing does not keep attributes
	}
	switch {
	case err != nil:
		return resp, err
	case req.Amount == 0:
		return resp, walletrpc.Fail(walletrpc.CodeZeroAmount, "amount: an invoice asks for more than 0")
	case req.Required > invoice.MaxConfirmations:
		return resp, refuse(smallfmt.Sprintf("required_confirmations: at most %d", invoice.MaxConfirmations))
	case req.ExpiresIn > invoice.MaxTime:
		return resp, refuse("expires_in: at most 100 years")
	}
	i := invoice.Invoice{Account: req.AccountIndex, Amount: req.Amount, Created: s.now(), Confirmations: req.Required}
	if req.ExpiresIn > 0 {
		i.Expires = i.Created + req.ExpiresIn
	}
	var at keys.Index
	err = s.active.change(func(w *wallet.Wallet) (c wallet.ChangeSet, err error) {
		if len(invoicesOf(w)) >= walletrpc.MaxInvoices {
			return c, refuse(smallfmt.Sprintf("the wallet has %d invoices: remove some with cancel_invoice",
				walletrpc.MaxInvoices))
		}
		c, i.Address, err = w.DecideAddresses(req.AccountIndex, 1, req.Label)
		i.Notice = w.LastNotice()
		at = keys.Index{Major: i.Account, Minor: i.Address}
		c.User.Attrs = append(c.User.Attrs, wallet.Attribute{Key: invoiceKey(at), Value: i.Text()})
		return c, err
	})
	if err != nil {
		return resp, err
	}
	err = s.active.view(func(w *wallet.Wallet) error {
		resp = s.describe(w, at, i, nil)
		return nil
	})
	return resp, err
}

// describe returns an invoice for clients.
func (s *invoices) describe(
	w *wallet.Wallet, at keys.Index, i invoice.Invoice, payments []invoice.Payment,
) walletrpc.Invoice {
	status := i.Status(payments, w.Height(), s.now())
	out := walletrpc.Invoice{
		Address: w.Texts().Of(at), SubaddrIndex: index(at), Label: w.Label(at), Amount: i.Amount, Created: i.Created,
		Expires: i.Expires, Required: i.Confirmations, State: string(status.State), Received: status.Received,
		Confirmations: status.Confirmations,
	}
	for _, p := range payments {
		out.Payments = append(out.Payments, walletrpc.InvoicePayment{TxID: p.TxID.String(), Amount: p.Amount,
			Height: p.Height, Seen: p.Seen, Locked: p.Locked})
	}
	return out
}

// find returns the index of the invoice with an address.
func (s *invoices) find(w *wallet.Wallet, all map[keys.Index]invoice.Invoice, text string) (keys.Index, error) {
	if a, err := address.ParseFor(s.network, text); err == nil {
		if at, ok := ownAddress(w, a); ok {
			if _, ok := all[at]; ok {
				return at, nil
			}
		}
	}
	return keys.Index{}, walletrpc.Fail(walletrpc.CodeWrongAddress, "no invoice has the address %s",
		strings.ToValidUTF8(text[:min(len(text), maxAddressShown)], "\ufffd"))
}

// maxAddressShown is how many bytes of a text that is no address an error contains.
const maxAddressShown = 200

func (s *invoices) getInvoices(
	_ context.Context, req walletrpc.GetInvoicesRequest,
) (resp walletrpc.GetInvoicesResponse, err error) {
	for _, state := range req.States {
		if !slices.Contains(invoice.States(), invoice.State(state)) {
			return resp, refuse("states: there is no such state")
		}
	}
	err = s.active.view(func(w *wallet.Wallet) error {
		all := invoicesOf(w)
		if len(req.Addresses) > 0 {
			chosen := map[keys.Index]invoice.Invoice{}
			for _, text := range req.Addresses {
				at, err := s.find(w, all, text)
				if err != nil {
					return err
				}
				chosen[at] = all[at]
			}
			all = chosen
		}
		now := s.now()
		payments := invoicePayments(w, all, now)
		var list []keys.Index
		for at, i := range all {
			state := string(i.Status(payments[at], w.Height(), now).State)
			if len(req.States) == 0 || slices.Contains(req.States, state) {
				list = append(list, at)
			}
		}
		slices.SortFunc(list, func(a, b keys.Index) int {
			return cmp.Or(cmp.Compare(all[a].Created, all[b].Created), cmp.Compare(a.Major, b.Major),
				cmp.Compare(a.Minor, b.Minor))
		})
		resp.Total = uint64(len(list))
		list = list[min(req.Offset, resp.Total):]
		for _, at := range list[:min(uint64(len(list)), req.Limit, walletrpc.MaxInvoicesAtOnce)] {
			resp.Invoices = append(resp.Invoices, s.describe(w, at, all[at], payments[at]))
		}
		return nil
	})
	return resp, err
}

func (s *invoices) cancelInvoice(_ context.Context, req walletrpc.CancelInvoiceRequest) (empty, error) {
	o, err := s.active.current()
	if err == nil {
		err = o.checkSpendKey()
	}
	if err != nil {
		return empty{}, err
	}
	return empty{}, s.active.change(func(w *wallet.Wallet) (c wallet.ChangeSet, err error) {
		all := invoicesOf(w)
		at, err := s.find(w, all, req.Address)
		if err != nil {
			return c, err
		}
		i := all[at]
		i.Cancelled = true
		a := wallet.Attribute{Key: invoiceKey(at), Value: i.Text()}
		if req.Remove {
			a.Value = ""
		}
		c.User.Attrs = []wallet.Attribute{a}
		return c, nil
	})
}
