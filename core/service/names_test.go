//go:build !js

package service

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"glim/core/journal"
	"glim/core/node"
	"glim/core/openalias"
	"glim/core/rpc"
	"glim/core/wallet"
	"glim/core/walletrpc"
	"glim/core/xmr"
)

// stagenetAddress is the address of the reference's documentation.
const stagenetAddress = "59McWTPGc745SRWrSMoh8oTjoXoQq6sPUgKZ66dQWXuKFQ2q19h9gvhJNZcFTizcnT12r63NFgHiGd6gBCjabzm" +
	"zHAMoyD6"

// dnsTable answers the look-ups of a service.
type dnsTable struct {
	texts map[string][]string
	errs  map[string]error
	asked []string // name and proxy
}

func (d *dnsTable) lookUp(_ context.Context, name, proxy string) ([]string, error) {
	d.asked = append(d.asked, name+" "+proxy)
	return d.texts[name], d.errs[name]
}

func oaRecord(to string) string {
	return "oa1:xmr recipient_address=" + to + "; recipient_name=Somebody;"
}

// named returns a service with a wallet that has money, and the table of its look-ups.
func named(t *testing.T, lookup TXTLookup) (p testChain, s *Service, at string) {
	t.Helper()
	p = newTestChain(t)
	s, err := New(Config{
		Network: xmr.Regtest, Files: newFolder(), Random: rand.Reader, Workers: 1, KDF: journal.WeakestKDF(),
		Now:       func() uint64 { return uint64(time.Now().Unix()) },
		Lookahead: wallet.Lookahead{Major: 3, Minor: 3}, TXT: lookup,
		Connect: func(DaemonConfig) (rpc.Transport, error) { return p.transport, nil },
	}, DaemonConfig{Address: "here", Trusted: true, Proxy: "127.0.0.1:9050"})
	require.NoError(t, err)
	t.Cleanup(func() { _ = s.Close() })
	do(t, s, walletrpc.CreateWallet, walletrpc.CreateWalletRequest{Filename: "w", Language: "English"})
	at = do(t, s, walletrpc.GetAddress, walletrpc.GetAddressRequest{}).Address
	_, err = p.chain.Mine(t.Context(), 20, at)
	require.NoError(t, err)
	require.NoError(t, p.chain.Fund(t.Context(), 100, node.UnspendableAddress()))
	p.mine(1, s)
	return p, s, at
}

// TestNames: every operation of the reference that accepts a name uses its address, and looks it up through the
// daemon's proxy.
func TestNames(t *testing.T) {
	payee := node.UnspendableAddress()
	table := &dnsTable{texts: map[string][]string{"donate.example.org": {"v=spf1 -all", oaRecord(payee)}}}
	p, s, at := named(t, table.lookUp)
	table.texts["me.example.org"] = []string{oaRecord(at)}
	const name, me = "donate@example.org", "me.example.org"
	once := func(of string) {
		t.Helper()
		require.Equal(t, []string{of + " 127.0.0.1:9050"}, table.asked)
		table.asked = nil
	}

	got := do(t, s, walletrpc.ValidateAddress, walletrpc.ValidateAddressRequest{Address: name, AllowOpenAlias: true})
	require.Equal(t, walletrpc.ValidateAddressResponse{Valid: true, NetType: "mainnet", OpenAliasAddress: payee}, got)
	once("donate.example.org")

	pay := walletrpc.TransferRequest{IdempotencyKey: "one",
		Destinations: []walletrpc.Destination{{Amount: xmr.Coin, Address: name}}}
	first := do(t, s, walletrpc.Transfer, pay)
	once("donate.example.org")
	require.Equal(t, first.TxHash, do(t, s, walletrpc.Transfer, pay).TxHash, "a repeated request pays nothing")
	once("donate.example.org")
	sent := do(t, s, walletrpc.GetTransferByTxID, walletrpc.GetTransferByTxIDRequest{TxID: first.TxHash}).Transfer
	require.Equal(t, payee, sent.Destinations[0].Address, "the address is recorded")

	// The owner of the name publishes another address: a repeated request is not another payment.
	table.texts["donate.example.org"] = []string{oaRecord(at)}
	require.Contains(t, refused(t, s, walletrpc.Transfer, pay).Message, "idempotency_key")
	table.texts["donate.example.org"] = []string{oaRecord(payee)}
	table.asked = nil

	p.mine(11, s)
	do(t, s, walletrpc.TransferSplit, walletrpc.TransferSplitRequest{Destinations: []walletrpc.Destination{
		{Amount: xmr.Coin, Address: payee}, {Amount: xmr.Coin, Address: name},
	}, DoNotRelay: true})
	once("donate.example.org")
	do(t, s, walletrpc.SweepAll, walletrpc.SweepAllRequest{Address: name, Outputs: 1, DoNotRelay: true})
	once("donate.example.org")
	do(t, s, walletrpc.SweepSingle, walletrpc.SweepSingleRequest{Address: name, Outputs: 1, DoNotRelay: true,
		KeyImage: unlockedOf(t, s)[0].KeyImage})
	once("donate.example.org")

	do(t, s, walletrpc.AddAddressBook, walletrpc.AddAddressBookRequest{Address: name})
	once("donate.example.org")
	book := func() string {
		return do(t, s, walletrpc.GetAddressBook, walletrpc.GetAddressBookRequest{}).Entries[0].Address
	}
	require.Equal(t, payee, book())
	do(t, s, walletrpc.EditAddressBook, walletrpc.EditAddressBookRequest{Address: me, SetDescription: true})
	require.Empty(t, table.asked, "the address is not used")
	refused(t, s, walletrpc.EditAddressBook, walletrpc.EditAddressBookRequest{Index: 1, Address: me, SetAddress: true})
	require.Empty(t, table.asked, "the entry is missing")
	do(t, s, walletrpc.EditAddressBook, walletrpc.EditAddressBookRequest{Address: me, SetAddress: true})
	once(me)
	require.Equal(t, at, book())

	signature := do(t, s, walletrpc.Sign, walletrpc.SignRequest{Data: "text"}).Signature
	require.True(t, do(t, s, walletrpc.Verify,
		walletrpc.VerifyRequest{Data: "text", Address: me, Signature: signature}).Good)
	once(me)
	require.False(t, do(t, s, walletrpc.Verify,
		walletrpc.VerifyRequest{Data: "text", Address: name, Signature: signature}).Good)
	table.asked = nil

	// Addresses, and texts that are neither addresses nor names, are not looked up, nor are names without the option.
	do(t, s, walletrpc.ValidateAddress, walletrpc.ValidateAddressRequest{Address: name})
	for _, text := range []string{at, at[:94], "abc", ""} {
		do(t, s, walletrpc.ValidateAddress, walletrpc.ValidateAddressRequest{Address: text, AllowOpenAlias: true})
	}
	require.Equal(t, "WALLET_RPC_ERROR_CODE_WRONG_ADDRESS: abc",
		refused(t, s, walletrpc.SweepAll, walletrpc.SweepAllRequest{Address: "abc", Outputs: 1}).Message)
	require.Empty(t, table.asked)

	do(t, s, walletrpc.CloseWallet, walletrpc.CloseWalletRequest{})
	require.Equal(t, walletrpc.CodeNotOpen, refused(t, s, walletrpc.Transfer, pay).Code)
	require.Empty(t, table.asked)
	require.True(t, do(t, s, walletrpc.ValidateAddress,
		walletrpc.ValidateAddressRequest{Address: name, AllowOpenAlias: true, AnyNetType: true}).Valid)
}

// TestNamesRefused: a name that gives no address, or one that is not to be trusted, is never paid.
func TestNamesRefused(t *testing.T) {
	payee := node.UnspendableAddress()
	table := &dnsTable{
		texts: map[string][]string{
			"untrusted.org": {oaRecord(payee)}, "stagenet.org": {oaRecord(stagenetAddress)},
			"other.org":   {"v=spf1 -all"},
			"invalid.org": {oaRecord(payee[:94])},
		},
		errs: map[string]error{
			"untrusted.org": fmt.Errorf("%w: a reason", openalias.ErrUntrusted),
			"failed.org":    errors.New("the server did not answer"),
			"off.org":       fmt.Errorf("%w, because of --no-dns", openalias.ErrDisabled),
		},
	}
	_, s, at := named(t, table.lookUp)
	table.texts["several.org"] = []string{oaRecord(payee), oaRecord(at)}
	do(t, s, walletrpc.AddAddressBook, walletrpc.AddAddressBookRequest{Address: payee})
	const wrong = "WALLET_RPC_ERROR_CODE_WRONG_ADDRESS: "
	for name, want := range map[string]string{
		"untrusted.org": "Invalid DNSSEC for untrusted.org",
		"Untrusted@org": "Invalid DNSSEC for Untrusted@org",
		"failed.org":    wrong + "failed.org (the server did not answer)",
		"off.org":       wrong + "off.org (names are not looked up, because of --no-dns)",
		"several.org":   wrong + "several.org (more than one Monero address found)",
		"other.org":     wrong + "other.org (no Monero address found)",
		"missing.org":   wrong + "missing.org (no Monero address found)",
		"stagenet.org":  wrong + "stagenet.org (no Monero address found)",
		"invalid.org":   wrong + "invalid.org (no Monero address found)",
	} {
		to := []walletrpc.Destination{{Amount: 1, Address: payee}, {Amount: 1, Address: name}}
		for _, e := range []rpc.Error{
			refused(t, s, walletrpc.Transfer, walletrpc.TransferRequest{Destinations: to}),
			refused(t, s, walletrpc.TransferSplit, walletrpc.TransferSplitRequest{Destinations: to}),
			refused(t, s, walletrpc.SweepAll, walletrpc.SweepAllRequest{Address: name, Outputs: 1}),
			refused(t, s, walletrpc.SweepSingle, walletrpc.SweepSingleRequest{Address: name, Outputs: 1}),
			refused(t, s, walletrpc.AddAddressBook, walletrpc.AddAddressBookRequest{Address: name}),
			refused(t, s, walletrpc.EditAddressBook, walletrpc.EditAddressBookRequest{Address: name, SetAddress: true}),
			refused(t, s, walletrpc.Verify, walletrpc.VerifyRequest{Address: name}),
		} {
			require.Equal(t, rpc.Error{Code: walletrpc.CodeWrongAddress, Message: want}, e)
		}
		require.Zero(t, do(t, s, walletrpc.ValidateAddress,
			walletrpc.ValidateAddressRequest{Address: name, AllowOpenAlias: true}))
	}
	require.Empty(t, do(t, s, walletrpc.GetTransfers,
		walletrpc.GetTransfersRequest{Out: true, Pending: true, Pool: true}).Pending)

	got := do(t, s, walletrpc.ValidateAddress,
		walletrpc.ValidateAddressRequest{Address: "stagenet.org", AllowOpenAlias: true, AnyNetType: true})
	require.Equal(t, "stagenet", got.NetType)
	require.Equal(t, stagenetAddress, got.OpenAliasAddress)
}

// TestNamesDisabled: without a lookup, names are refused with a reason.
func TestNamesDisabled(t *testing.T) {
	_, s, _ := named(t, nil)
	require.Equal(t, "WALLET_RPC_ERROR_CODE_WRONG_ADDRESS: a.org (names are not looked up)",
		refused(t, s, walletrpc.SweepAll, walletrpc.SweepAllRequest{Address: "a.org", Outputs: 1}).Message)
}
