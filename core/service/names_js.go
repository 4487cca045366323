package service

import (
	"context"
	"strings"

	"glim/core/address"
	"glim/core/walletrpc"
)

// address returns text. JavaScript hosts look up no names, which keeps the download of pages small, so it returns
// CodeWrongAddress for a text with a dot.
func (s *aliases) address(_ context.Context, text string) (string, error) {
	if strings.Contains(text, ".") {
		return "", walletrpc.Fail(walletrpc.CodeWrongAddress,
			"WALLET_RPC_ERROR_CODE_WRONG_ADDRESS: %s (names are not looked up)", text)
	}
	return text, nil
}

// validate returns an error, because no names are looked up.
func (s *aliases) validate(
	context.Context, string, func(address.Address) bool,
) (string, address.Address, error) {
	return "", address.Address{}, address.ErrMalformed
}
