//go:build !js

package service

import (
	"context"
	"errors"
	"strings"

	"glim/core/address"
	"glim/core/openalias"
	"glim/core/walletrpc"
)

// address returns the address for a text of a client. If the text is an OpenAlias name, that is the address of its
// record, and otherwise the text itself, which need not be an address. It returns CodeWrongAddress for a name without
// exactly one address of the network, and for one that DNSSEC does not protect, and CodeNotOpen if no wallet is open.
// Source: src/wallet/wallet_rpc_server.cpp, validate_transfer.
func (s *aliases) address(ctx context.Context, text string) (string, error) {
	name, err := openalias.ParseName(text)
	if err != nil {
		return text, nil
	}
	if _, err := s.active.current(); err != nil {
		return "", err
	}
	r, _, err := s.find(ctx, name, func(a address.Address) bool { return a.Network == s.network.AddressNetwork() })
	switch {
	case err == nil:
		return r.Address, nil
	case errors.Is(err, openalias.ErrUntrusted):
		return "", &codedError{walletrpc.Fail(walletrpc.CodeWrongAddress, "Invalid DNSSEC for %s", text), err}
	}
	return "", &codedError{walletrpc.Fail(walletrpc.CodeWrongAddress, "WALLET_RPC_ERROR_CODE_WRONG_ADDRESS: %s (%s)",
		text, strings.TrimPrefix(err.Error(), "openalias: ")), err}
}

// find looks up a name, and returns its record with the only address that accept allows. It returns the errors of the
// lookup, openalias.ErrNoAddress and openalias.ErrSeveral, and logs them.
func (s *aliases) find(
	ctx context.Context, name string, accept func(address.Address) bool,
) (r openalias.Record, a address.Address, err error) {
	err = openalias.ErrDisabled
	if s.lookup != nil {
		var texts []string
		if texts, err = s.lookup(ctx, name, s.active.connection().config.Proxy); err == nil {
			r, a, err = openalias.Select(texts, accept)
		}
	}
	if err != nil {
		s.log.Warn("the OpenAlias name gives no address", "name", name, "error", err)
		return r, a, err
	}
	s.log.Info("the OpenAlias name gives an address", "name", name, "address", r.Address)
	return r, a, nil
}

// validate returns the address of the name that text is, also as text; see find. It returns openalias.ErrName if text
// is not a name.
func (s *aliases) validate(
	ctx context.Context, text string, accept func(address.Address) bool,
) (string, address.Address, error) {
	name, err := openalias.ParseName(text)
	if err != nil {
		return "", address.Address{}, err
	}
	r, a, err := s.find(ctx, name, accept)
	return r.Address, a, err
}
