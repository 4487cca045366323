//go:build !js

package service

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"glim/core/node"
	"glim/core/walletrpc"
	"glim/core/xmr"
)

// TestInvoices: invoices follow what arrives at their addresses in the pool, in blocks and across reorganisations, and
// are what they were after the wallet is closed and opened.
func TestInvoices(t *testing.T) {
	p, s, _ := named(t, nil)
	do(t, s, walletrpc.CreateAccount, walletrpc.CreateAccountRequest{}) // receives; the first one pays
	start := uint64(time.Now().Unix())
	create := func(amount uint64, change func(*walletrpc.CreateInvoiceRequest)) walletrpc.Invoice {
		t.Helper()
		req := walletrpc.CreateInvoiceRequest{Amount: amount, AccountIndex: 1, Label: "order", ExpiresIn: 3600,
			Required: 2}
		if change != nil {
			change(&req)
		}
		i := do(t, s, walletrpc.CreateInvoice, req)
		require.Equal(t, "pending", i.State)
		require.GreaterOrEqual(t, i.Created, start)
		return i
	}
	paid, part := create(xmr.Coin, nil), create(xmr.Coin, nil)
	more := create(xmr.Coin, func(r *walletrpc.CreateInvoiceRequest) { r.ExpiresIn = 0 })
	pool := create(xmr.Coin, func(r *walletrpc.CreateInvoiceRequest) { r.Required = 0 })
	require.Equal(t, paid.Created+3600, paid.Expires)
	require.Zero(t, more.Expires)
	require.Equal(t, "order", more.Label)
	addresses := map[string]bool{}
	for _, i := range []walletrpc.Invoice{paid, part, more, pool} {
		addresses[i.Address] = true
	}
	require.Len(t, addresses, 4)

	o, err := s.operations.files.active.current()
	require.NoError(t, err)
	stream := o.follow(NewEventsOnly)
	told := map[string]string{} // by address, from the events of invoices
	transfers := map[string]string{}
	read := func() {
		t.Helper()
		for _, e := range stream.available() {
			switch {
			case e.Type == walletrpc.EventInvoice:
				told[e.Address] = e.InvoiceState
			case e.Direction == "in" && e.InvoiceState != "":
				transfers[e.Address] = e.InvoiceState
			case addresses[e.Address]:
				t.Errorf("an event of an invoice has no state: %s", e.Type)
			}
		}
	}
	read()
	require.Empty(t, told, "states from before are not news")

	do(t, s, walletrpc.Transfer, walletrpc.TransferRequest{Destinations: []walletrpc.Destination{
		{Amount: xmr.Coin, Address: paid.Address}, {Amount: xmr.Coin - 1, Address: part.Address},
		{Amount: xmr.Coin + 5, Address: more.Address}, {Amount: xmr.Coin, Address: pool.Address},
	}})
	do(t, s, walletrpc.Refresh, walletrpc.RefreshRequest{})
	states := func(want ...string) []walletrpc.Invoice {
		t.Helper()
		got := do(t, s, walletrpc.GetInvoices, walletrpc.GetInvoicesRequest{Limit: 1000})
		require.EqualValues(t, len(want), got.Total)
		for k, i := range got.Invoices {
			require.Equal(t, want[k], i.State, "invoice %d", k)
		}
		return got.Invoices
	}
	states("seen", "underpaid", "seen", "confirmed")
	read()
	want := map[string]string{paid.Address: "seen", part.Address: "underpaid", more.Address: "seen",
		pool.Address: "confirmed"}
	require.Equal(t, want, told)
	require.Equal(t, want, transfers)

	p.mine(1, s)
	one := states("seen", "underpaid", "seen", "confirmed")[0]
	require.EqualValues(t, 1, one.Confirmations)
	require.EqualValues(t, xmr.Coin, one.Received)
	require.Len(t, one.Payments, 1)
	require.NotZero(t, one.Payments[0].Height)
	p.mine(1, s)
	before := states("confirmed", "underpaid", "overpaid", "confirmed")
	read()
	require.Equal(t, "overpaid", told[more.Address])
	require.EqualValues(t, xmr.Coin+5, before[2].Received)

	// Opened again, everything is as it was.
	do(t, s, walletrpc.CloseWallet, walletrpc.CloseWalletRequest{})
	do(t, s, walletrpc.OpenWallet, walletrpc.OpenWalletRequest{Filename: "w"})
	require.Equal(t, before, states("confirmed", "underpaid", "overpaid", "confirmed"))

	// Blocks are replaced: the payments are in the pool again, and count as seen when they were first seen.
	_, err = p.chain.Reorganise(t.Context(), 2, node.UnspendableAddress())
	require.NoError(t, err)
	do(t, s, walletrpc.Refresh, walletrpc.RefreshRequest{})
	back := states("seen", "underpaid", "seen", "confirmed")
	require.Zero(t, back[0].Payments[0].Height)
	p.mine(2, s)
	after := states("confirmed", "underpaid", "overpaid", "confirmed")
	require.Equal(t, before[0].Payments[0].Seen, after[0].Payments[0].Seen, "when it was first seen")

	// Choosing, cancelling, removing.
	got := do(t, s, walletrpc.GetInvoices, walletrpc.GetInvoicesRequest{Limit: 1, Offset: 1,
		States: []string{"confirmed"}})
	require.EqualValues(t, 2, got.Total)
	require.Equal(t, pool.Address, got.Invoices[0].Address)
	do(t, s, walletrpc.CancelInvoice, walletrpc.CancelInvoiceRequest{Address: paid.Address})
	got = do(t, s, walletrpc.GetInvoices, walletrpc.GetInvoicesRequest{Limit: 9, Addresses: []string{paid.Address}})
	require.Equal(t, "cancelled", got.Invoices[0].State)
	do(t, s, walletrpc.CancelInvoice, walletrpc.CancelInvoiceRequest{Address: paid.Address, Remove: true})
	states("underpaid", "overpaid", "confirmed")
	require.Empty(t, do(t, s, walletrpc.GetInvoices, walletrpc.GetInvoicesRequest{Limit: 9, Offset: 9}).Invoices)
}

// TestInvoiceTimes: an invoice without a payment expires, what is first seen after the deadline is late, and what was
// seen in time stays paid.
func TestInvoiceTimes(t *testing.T) {
	p, s, _ := named(t, nil)
	do(t, s, walletrpc.CreateAccount, walletrpc.CreateAccountRequest{})
	offset := int64(0)
	v := &invoices{s.operations.files.active, xmr.Regtest, func() uint64 { return uint64(time.Now().Unix() + offset) }}
	create := func() string {
		t.Helper()
		i, err := v.createInvoice(t.Context(), walletrpc.CreateInvoiceRequest{Amount: xmr.Coin, AccountIndex: 1,
			ExpiresIn: 1000})
		require.NoError(t, err)
		return i.Address
	}
	states := func(want ...string) {
		t.Helper()
		got, err := v.getInvoices(t.Context(), walletrpc.GetInvoicesRequest{Limit: 9})
		require.NoError(t, err)
		require.Len(t, got.Invoices, len(want))
		for k, i := range got.Invoices {
			require.Equal(t, want[k], i.State, "invoice %d", k)
		}
	}
	offset = -5000
	old := create()
	states("pending")
	offset = 0
	young := create()
	states("expired", "pending")
	do(t, s, walletrpc.Transfer, walletrpc.TransferRequest{Destinations: []walletrpc.Destination{
		{Amount: xmr.Coin, Address: old}, {Amount: xmr.Coin, Address: young}}})
	do(t, s, walletrpc.Refresh, walletrpc.RefreshRequest{})
	states("late", "confirmed")
	p.mine(1, s)
	states("late", "confirmed")
	offset = 1001
	states("late", "confirmed")
}

// TestInvoicesRefused: bad requests have their codes, and change nothing.
func TestInvoicesRefused(t *testing.T) {
	_, s, at := named(t, nil)
	for name, c := range map[string]struct {
		req  walletrpc.CreateInvoiceRequest
		code int
	}{
		"no amount": {walletrpc.CreateInvoiceRequest{}, walletrpc.CodeZeroAmount},
		"an unknown account": {walletrpc.CreateInvoiceRequest{Amount: 1, AccountIndex: 9},
			walletrpc.CodeAccountIndexOutOfBounds},
		"too many confirmations": {walletrpc.CreateInvoiceRequest{Amount: 1, Required: 10001}, walletrpc.CodeUnknown},
		"a deadline too far": {walletrpc.CreateInvoiceRequest{Amount: 1, ExpiresIn: ^uint64(0)},
			walletrpc.CodeUnknown},
	} {
		require.Equal(t, c.code, refused(t, s, walletrpc.CreateInvoice, c.req).Code, name)
	}
	for _, address := range []string{at, "", "x", strings.Repeat("y", 1<<16)} {
		e := refused(t, s, walletrpc.CancelInvoice, walletrpc.CancelInvoiceRequest{Address: address})
		require.Equal(t, walletrpc.CodeWrongAddress, e.Code)
		require.Less(t, len(e.Message), 400)
		e = refused(t, s, walletrpc.GetInvoices, walletrpc.GetInvoicesRequest{Addresses: []string{address}})
		require.Equal(t, walletrpc.CodeWrongAddress, e.Code)
	}
	require.Equal(t, walletrpc.CodeUnknown,
		refused(t, s, walletrpc.GetInvoices, walletrpc.GetInvoicesRequest{States: []string{"paid"}}).Code)
	require.Zero(t, do(t, s, walletrpc.GetInvoices, walletrpc.GetInvoicesRequest{Limit: 9}).Total)
	require.Len(t, do(t, s, walletrpc.GetAddress, walletrpc.GetAddressRequest{}).Addresses, 1, "no address was made")

	// An attribute that holds no invoice of its address does not count.
	for key, value := range map[string]string{"glim.invoice.0/1": "1 0 2 5 0 0 0 0 0", "glim.invoice.": "x"} {
		do(t, s, walletrpc.SetAttribute, walletrpc.SetAttributeRequest{Key: key, Value: value})
	}
	require.Zero(t, do(t, s, walletrpc.GetInvoices, walletrpc.GetInvoicesRequest{Limit: 9}).Total)
	do(t, s, walletrpc.CloseWallet, walletrpc.CloseWalletRequest{})
	require.Equal(t, walletrpc.CodeNotOpen,
		refused(t, s, walletrpc.CreateInvoice, walletrpc.CreateInvoiceRequest{Amount: 1}).Code)
	require.Equal(t, walletrpc.CodeNotOpen, refused(t, s, walletrpc.GetInvoices, walletrpc.GetInvoicesRequest{}).Code)
}
