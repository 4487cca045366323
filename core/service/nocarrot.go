//go:build nocarrot

package service

import (
	"io"

	"glim/core/keys"
	"glim/core/wallet"
	"glim/core/walletrpc"
	"glim/core/xmr"
)

// A program without Carrot makes no wallets with its keys, and opens none. Of the
// following, exportable and carrotReserve are reached.

func exportable(*keys.Keys) error { return nil }

func carrotReserve(_ *wallet.Wallet, _ walletrpc.GetReserveProofRequest, err error) error { return err }

func newCarrot(io.Reader, xmr.Network) (o wallet.Identity, err error) { return o, nil }

func carrotFromKeys(xmr.Network, *walletrpc.GenerateFromKeysRequest) (k *keys.Keys, text string, err error) {
	return nil, "", nil
}

func carrotSecret(*keys.Keys, string) (text string, known bool, err error) { return "", false, nil }
