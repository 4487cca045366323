package service

import (
	"glim/core/keys"
	"glim/core/rpc"
	"glim/core/wallet"
	"glim/core/walletrpc"
	"glim/core/xmr"
)

// invoiceStates is empty: pages have no invoices, which keeps their download small.
type invoiceStates struct{}

func (invoiceStates) of(keys.Index) string { return "" }

func statesOf(*wallet.Wallet, *openWallet) (s invoiceStates) { return s }

func (f *EventStream) addInvoices(out []walletrpc.Event, _ *eventSnapshot) []walletrpc.Event {
	return out
}

// registerInvoices lists nothing.
func registerInvoices(*rpc.Registry, *active, xmr.Network, func() uint64) {}
