package main

import (
	"context"
	"errors"
	"strconv"

	"glim/core/daemonrpc"
	"glim/core/rpc"
	"glim/core/walletrpc"
)

// plugin is a shop with the calls of BTCPay Server's plugin.
// Source: btcpayserver, BTCPayServer/Plugins/Altcoins/Monero/Services/MoneroListener.cs, and its successor
// btcpayserver-monero-plugin, Plugins/Monero.
type plugin struct {
	wallet, daemon rpc.Transport
	hashes         <-chan string // of the callback
	height         uint64        // of the daemon when it was last seen
	stores         []*store
	invoices       []*invoice
}

// store is an account with its policy.
type store struct {
	name    string
	account uint32
	speed   speed
}

// speed is a policy for confirmations: the number of blocks that settle a payment.
type speed uint64

// The speed policies of BTCPay Server. A store can also have its own number.
const (
	highSpeed      speed = 0
	mediumSpeed    speed = 1
	lowMediumSpeed speed = 2
	lowSpeed       speed = 6
)

// invoice is an address with the amount to be paid to it. The address belongs to no other invoice.
type invoice struct {
	id       string
	store    *store
	address  string
	index    uint32 // of the address in the store's account
	price    uint64 // atomic units
	feeRate  uint64 // atomic units per byte when it was made, for the shown network fee
	payments map[string]payment
}

// payment is what one transaction pays to an invoice.
type payment struct{ amount, confirmations, unlockTime uint64 }

// needed returns the number of confirmations that settle the payment: as many as the policy, and as a lock demands.
func (p payment) needed(s speed) uint64 {
	if p.confirmations < p.unlockTime {
		return p.unlockTime - p.confirmations
	}
	return uint64(s)
}

// The states of an invoice.
const (
	unpaid     = "unpaid"
	partlyPaid = "partly paid"
	processing = "processing" // paid, but not every payment is settled
	settled    = "settled"
)

func (i *invoice) received() (sum uint64) {
	for _, p := range i.payments {
		sum += p.amount
	}
	return sum
}

func (i *invoice) confirmations() uint64 {
	least := ^uint64(0)
	for _, p := range i.payments {
		least = min(least, p.confirmations)
	}
	return least
}

func (i *invoice) state() string {
	switch sum := i.received(); {
	case sum == 0:
		return unpaid
	case sum < i.price:
		return partlyPaid
	}
	for _, p := range i.payments {
		if p.confirmations < p.needed(i.store.speed) {
			return processing
		}
	}
	return settled
}

// addStore creates an account for a store, unless there is one with its name.
func (p *plugin) addStore(ctx context.Context, name string, policy speed) (*store, error) {
	s := &store{name: name, speed: policy}
	list, err := rpc.Call(ctx, p.wallet, walletrpc.GetAccounts, walletrpc.GetAccountsRequest{})
	if err != nil {
		return nil, err
	}
	found := false
	for _, a := range list.SubaddressAccounts {
		if a.Label == name {
			s.account, found = a.AccountIndex, true
		}
	}
	if !found {
		made, err := rpc.Call(ctx, p.wallet, walletrpc.CreateAccount, walletrpc.CreateAccountRequest{Label: name})
		if err != nil {
			return nil, err
		}
		s.account = made.AccountIndex
	}
	p.stores = append(p.stores, s)
	return s, nil
}

// addInvoice reserves an address and saves the wallet, so that the address is never given out again.
func (p *plugin) addInvoice(ctx context.Context, s *store, price uint64) (*invoice, error) {
	if ready, err := p.available(ctx); err != nil || !ready {
		return nil, errors.Join(errors.New("node or wallet not available"), err)
	}
	i := &invoice{id: strconv.Itoa(len(p.invoices) + 1), store: s, price: price, payments: map[string]payment{}}
	fee, err := rpc.Call(ctx, p.daemon, daemonrpc.GetFeeEstimate, daemonrpc.GetFeeEstimateRequest{})
	if err != nil {
		return nil, err
	}
	i.feeRate = fee.Fee
	a, err := rpc.Call(ctx, p.wallet, walletrpc.CreateAddress, walletrpc.CreateAddressRequest{
		AccountIndex: s.account, Count: 1, Label: "btcpay invoice #" + i.id})
	if err != nil {
		return nil, err
	}
	i.address, i.index = a.Address, a.AddressIndex
	p.invoices = append(p.invoices, i)
	_, err = rpc.Call(ctx, p.wallet, walletrpc.Store, walletrpc.Empty{})
	return i, err
}

// available reports whether the daemon is synchronised and the wallet open.
func (p *plugin) available(ctx context.Context) (bool, error) {
	info, err := rpc.Call(ctx, p.daemon, daemonrpc.GetInfo, daemonrpc.PayerOnly{})
	if err != nil {
		return false, err
	}
	_, err = rpc.Call(ctx, p.wallet, walletrpc.GetHeight, walletrpc.Empty{})
	return err == nil && !info.BusySyncing, err
}

// poll reads the transactions of the callback and, after a new block, the payments to all invoices.
func (p *plugin) poll(ctx context.Context) error {
	for {
		select {
		case hash := <-p.hashes:
			if err := p.onTransaction(ctx, hash); err != nil {
				return err
			}
			continue
		default:
		}
		break
	}
	read, err := rpc.Call(ctx, p.wallet, walletrpc.GetHeight, walletrpc.Empty{})
	if err != nil || read.Height == p.height {
		return err
	}
	// The plugin is told of blocks by monerod's --block-notify and asks at once. A poll that waits for the wallet's
	// own height cannot be too early.
	p.height = read.Height
	return p.onBlock(ctx)
}

// onTransaction reads what a transaction pays to the invoices. The plugin asks for account 0 only, so that stores with
// another account see their payments after the next block; this asks for the account of each store.
func (p *plugin) onTransaction(ctx context.Context, hash string) error {
	for _, s := range p.stores {
		got, err := rpc.Call(ctx, p.wallet, walletrpc.GetTransferByTxID,
			walletrpc.GetTransferByTxIDRequest{TxID: hash, AccountIndex: s.account})
		var refused *rpc.Error
		if errors.As(err, &refused) && refused.Code == walletrpc.CodeWrongTxID {
			continue // it pays another store
		}
		if err != nil {
			return err
		}
		sums := map[string]payment{}
		for _, t := range got.Transfers {
			sums[t.Address] = payment{sums[t.Address].amount + t.Amount, got.Transfer.Confirmations,
				got.Transfer.UnlockTime}
		}
		for address, paid := range sums {
			p.record(address, hash, paid)
		}
	}
	return nil
}

// onBlock reads the mined payments to all invoices, in one request for each account.
func (p *plugin) onBlock(ctx context.Context) error {
	for _, s := range p.stores {
		var indices []uint32
		for _, i := range p.invoices {
			if i.store == s {
				indices = append(indices, i.index)
			}
		}
		if indices == nil {
			continue
		}
		got, err := rpc.Call(ctx, p.wallet, walletrpc.GetTransfers,
			walletrpc.GetTransfersRequest{In: true, AccountIndex: s.account, SubaddrIndices: indices})
		if err != nil {
			return err
		}
		for _, t := range got.In {
			p.record(t.Address, t.TxID, payment{t.Amount, t.Confirmations, t.UnlockTime})
		}
	}
	return nil
}

// record stores a payment, or its new number of confirmations.
func (p *plugin) record(address, hash string, paid payment) {
	for _, i := range p.invoices {
		if i.address == address {
			i.payments[hash] = paid
		}
	}
}
