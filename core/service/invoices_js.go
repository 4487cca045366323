package service

import (
	"glim/core/keys"
	"glim/core/rpc"
	"glim/core/wallet"
	"glim/core/xmr"
)

// invoiceStates is empty: pages have no invoices, which keeps their download small.
type invoiceStates struct{}

func (invoiceStates) of(keys.Index) string { return "" }

func statesOf(*wallet.Wallet, *openWallet) (s invoiceStates) { return s }

func (invoiceStates) since(invoiceStates) []invoiceNews { return nil }

// invoiceNews is a new state of an invoice.
type invoiceNews struct {
	at    keys.Index
	state string
}

// registerInvoices lists nothing.
func registerInvoices(*rpc.Registry, *active, xmr.Network, func() uint64) {}
