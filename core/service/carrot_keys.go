//go:build !nocarrot

package service

import (
	"crypto/subtle"
	"encoding/hex"
	"io"

	"glim/core/address"
	"glim/core/carrot"
	"glim/core/internal/proof"
	"glim/core/keys"
	"glim/core/wallet"
	"glim/core/walletrpc"
	"glim/core/xmr"
)

// newCarrot returns a wallet with the keys of the next hard fork that follow from a random master secret.
func newCarrot(random io.Reader, network xmr.Network) (o wallet.Identity, err error) {
	var master keys.Secret
	defer clear(master[:])
	if _, err = io.ReadFull(random, master[:]); err != nil {
		return o, err
	}
	a, err := carrot.NewMasterAccount(carrot.Default, master)
	if err != nil {
		return o, err
	}
	k, err := a.Keys()
	return wallet.Identity{Network: network, Keys: k}, err
}

// exportable returns an error if a key file for the reference cannot have the keys.
func exportable(k *keys.Keys) error {
	if k.Hierarchy() != nil {
		return errCarrotFile
	}
	return nil
}

var errCarrotFile = refuse("the wallet has the keys of the next hard fork, which monero-wallet-rpc cannot have")

// What Monero has not settled yet. Source: pull request 270 of seraphis-migration/monero, which is open.
var (
	errCarrotSpend = refuse("spend proofs of transactions of the next hard fork do not exist yet, because Monero has " +
		"not settled their form; get_tx_proof proves payments of the transaction")
	errCarrotReserve = refuse("reserve proofs cannot contain outputs of the next hard fork yet, because Monero has " +
		"not settled their form; get_tx_proof proves that a transaction paid the wallet")
)

// carrotReserve returns errCarrotReserve if a reserve proof fails only because outputs of the next hard fork cannot be
// in it, and otherwise err.
func carrotReserve(w *wallet.Wallet, req walletrpc.GetReserveProofRequest, err error) error {
	carrot := holdings(w, true)
	switch {
	case len(carrot) == 0 || err == nil && !req.All:
		return err
	case req.All:
		return errCarrotReserve
	}
	everything := append(holdings(w, false), carrot...)
	if _, missing := proof.SelectReserve(everything, req.AccountIndex, req.Amount); missing != nil {
		return err
	}
	return errCarrotReserve
}

// carrotFromKeys returns the keys of the secrets of the next hard fork in req, and the text that reports the wallet. An
// address and a view key are compared with the result.
func carrotFromKeys(
	network xmr.Network, req *walletrpc.GenerateFromKeysRequest,
) (k *keys.Keys, text string, err error) {
	k, tier, err := carrotAccount(network, req)
	if err != nil {
		return nil, "", err
	}
	if req.Address != "" {
		switch to, err := address.ParseFor(network, req.Address); {
		case err != nil:
			return nil, "", walletrpc.Fail(walletrpc.CodeUnknown, "Failed to parse public address")
		case to.Spend != k.SpendPublic:
			return nil, "", walletrpc.Fail(walletrpc.CodeUnknown,
				"failed to generate new wallet: spend key does not match standard address")
		case to.View != k.ViewPublic:
			return nil, "", errOtherView()
		}
	}
	if req.ViewKey != "" {
		view, err := xmr.ParseKey(req.ViewKey)
		own := k.ViewSecret()
		same := subtle.ConstantTimeCompare(view[:], own[:]) == 1
		clear(view[:])
		clear(own[:])
		switch {
		case err != nil:
			return nil, "", walletrpc.Fail(walletrpc.CodeUnknown, "Failed to parse viewkey")
		case !same:
			return nil, "", errOtherView()
		}
	}
	return k, tier + " has been generated successfully.", nil
}

func errOtherView() error {
	return walletrpc.Fail(walletrpc.CodeUnknown,
		"failed to generate new wallet: view key does not match standard address")
}

// carrotAccount returns the keys of the one tier that req has secrets of, and the first words of the report.
func carrotAccount(network xmr.Network, req *walletrpc.GenerateFromKeysRequest) (k *keys.Keys, tier string, err error) {
	tiers := 0
	for _, field := range []string{
		req.MasterSecret, req.ViewBalanceSecret + req.PartialSpendKey, req.GenerateAddressSecret,
	} {
		if field != "" {
			tiers++
		}
	}
	switch {
	case req.SpendKey != "":
		return nil, "", refuse("spendkey is a key of today; it cannot be combined with secrets of the next hard fork")
	case tiers > 1:
		return nil, "", refuse("the secrets belong to several tiers; give those of one: master_secret, or " +
			"view_balance_secret and partial_spend_key, or generate_address_secret with viewkey and address")
	}
	parse := func(name, text string) (key [32]byte) {
		key, parseErr := xmr.ParseKey(text)
		if parseErr != nil && err == nil {
			err = walletrpc.Fail(walletrpc.CodeUnknown, "Failed to parse %s", name)
		}
		return key
	}
	finish := func(a *carrot.Account, fault error) {
		if err == nil && fault == nil {
			k, fault = a.Keys()
		}
		if err == nil && fault != nil {
			err = walletrpc.Fail(walletrpc.CodeUnknown, "failed to generate new wallet: these are not keys of Carrot")
		}
	}
	switch {
	case req.MasterSecret != "":
		finish(carrot.NewMasterAccount(carrot.Default, parse("master_secret", req.MasterSecret)))
		tier = "Wallet"
	case req.GenerateAddressSecret == "":
		finish(carrot.NewViewAllAccount(carrot.Default, parse("view_balance_secret", req.ViewBalanceSecret),
			parse("partial_spend_key", req.PartialSpendKey)))
		tier = "View-all wallet"
	default:
		secret, view := parse("generate_address_secret", req.GenerateAddressSecret), parse("viewkey", req.ViewKey)
		to, addressErr := address.ParseFor(network, req.Address)
		if addressErr != nil && err == nil {
			err = walletrpc.Fail(walletrpc.CodeUnknown, "Failed to parse public address")
		}
		finish(carrot.NewViewReceivedAccount(carrot.Default, view, secret, to.Spend))
		tier = "View-received wallet"
	}
	return k, tier, err
}

// carrotSecret returns the response of query_key for a secret of the next hard fork; known is false for other kinds.
func carrotSecret(k *keys.Keys, kind string) (text string, known bool, err error) {
	a := carrot.AccountOf(k)
	var secret keys.Secret
	ok := a != nil
	switch kind {
	case "master_secret":
		if ok {
			secret, ok = a.MasterSecret()
		}
	case "view_balance_secret", "partial_spend_key":
		var all *carrot.ViewAll
		if ok {
			all, ok = a.ViewAll()
		}
		if ok && kind == "partial_spend_key" {
			secret = keys.Secret(all.PartialSpendKey())
		} else if ok {
			secret = all.BalanceSecret()
		}
	case "generate_address_secret":
		if ok {
			secret = a.ViewReceived().AddressSecret()
		}
	default:
		return "", false, nil
	}
	defer clear(secret[:])
	switch {
	case a == nil:
		return "", true, refuse("The wallet has the keys of today, without " + kind)
	case !ok:
		return "", true, walletrpc.Fail(walletrpc.CodeWatchOnly, "The wallet is of the tier %s. Cannot retrieve %s.",
			a.Tier(), kind)
	}
	return hex.EncodeToString(secret[:]), true, nil
}
