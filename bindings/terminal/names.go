package terminal

import (
	"context"
	"strings"

	"glim/core/address"
	"glim/core/openalias"
)

// nameError reports an OpenAlias name that gives no address.
type nameError struct {
	name string
	err  error
}

func (e *nameError) Error() string {
	return e.name + " gives no address: " + strings.TrimPrefix(e.err.Error(), "openalias: ")
}

func (e *nameError) Unwrap() error { return e.err }

const nameHint = "Only names with DNSSEC are paid. If your DNS server leaves out the signatures, or is not found, " +
	"set the environment variable DNS_PUBLIC to tcp, or to tcp:// and the address of another server."

// recipient returns text if it is an address of the network, and otherwise the address of the OpenAlias name that text
// is. The preview of the payment shows the name next to the address.
func (c *call) recipient(ctx context.Context, text string) (string, error) {
	name, err := openalias.ParseName(text)
	if err != nil {
		return text, c.checkAddress(text)
	}
	texts, err := c.lookUp(ctx, name, c.daemon.Proxy)
	var r openalias.Record
	if err == nil {
		r, _, err = openalias.Select(texts,
			func(a address.Address) bool { return a.Network == c.network.AddressNetwork() })
	}
	if err != nil {
		return "", &nameError{name, err}
	}
	if c.names == nil {
		c.names = map[string]string{}
	}
	c.names[r.Address] = name
	if r.Name != "" {
		c.names[r.Address] += " (" + printable(r.Name) + ")"
	}
	return r.Address, nil
}
