package service

import (
	"context"

	"glim/core/xmr"
)

// TXTLookup returns the texts of the TXT records of a domain name, which openalias.ParseName has returned; nothing if
// there are none. It returns texts only if DNSSEC proves that they are the owner's, and otherwise an error that wraps
// openalias.ErrUntrusted. If proxy is not empty, all queries go through it; it is a DaemonConfig's. An error that wraps
// openalias.ErrDisabled says why no names are looked up.
type TXTLookup func(ctx context.Context, name, proxy string) (texts []string, err error)

// aliases finds the addresses of OpenAlias names.
type aliases struct {
	active  *active
	network xmr.Network
	lookup  TXTLookup // may be nil
	log     Log
}
