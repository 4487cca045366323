//go:build nocarrot

package proof

import (
	"io"

	"glim/core/address"
	"glim/core/crypto/edwards"
	"glim/core/keys"
	"glim/core/tx"
	"glim/core/xmr"
)

// A program without Carrot reads no transactions of the next hard fork, so that the functions below are not called.

func isCarrot(*tx.Transaction) bool { return false }

func carrotSent(
	io.Reader, xmr.Hash, *tx.Transaction, []*edwards.Scalar, address.Address, string,
) ([]link, error) {
	return nil, ErrTransaction
}

func carrotReceived(
	io.Reader, xmr.Hash, *tx.Transaction, *keys.Keys, address.Address, string,
) ([]link, error) {
	return nil, ErrTransaction
}

func checkCarrot(xmr.Hash, *tx.Transaction, address.Address, string, Payment, string) (Payment, error) {
	return Payment{}, ErrTransaction
}

func carrotByKey(*tx.Transaction, []*edwards.Scalar, address.Address) (uint64, error) {
	return 0, ErrTransaction
}
