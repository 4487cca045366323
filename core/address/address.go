// Package address parses and formats Monero addresses. Use ParseFor to read a user's input on a known network, and
// Address.String to show an address.
package address

import (
	"errors"

	"glim/core/crypto/edwards"
	"glim/core/internal/codec/base58"
	"glim/core/keys"
	"glim/core/smallfmt"
	"glim/core/xmr"
)

// Errors of parsing. All except ErrNetwork mean that the text is mistyped or not an address.
var (
	ErrMalformed = errors.New("address: malformed") // also wraps an error of base58
	ErrPrefix    = errors.New("address: not an address of any known network")
	ErrKey       = errors.New("address: contains a key that is not a point of the curve")
	ErrNetwork   = errors.New("address: belongs to another network")

	// ErrKind reports a payment ID for an address other than a standard one.
	ErrKind = errors.New("address: only a standard address takes a payment ID")
)

// Kind is the type of an address.
type Kind uint8

// The kinds of addresses.
const (
	Standard   Kind = iota // account 0, address 0 of a wallet
	Subaddress             // any other address of a wallet
	Integrated             // a standard address with a payment ID
)

// String returns the kind's name in lower case.
func (k Kind) String() string {
	switch k {
	case Standard:
		return "standard"
	case Subaddress:
		return "subaddress"
	case Integrated:
		return "integrated"
	}
	return smallfmt.Sprintf("kind(%d)", uint8(k))
}

// Address is a Monero address. Two are equal (==) if all their fields are.
type Address struct {
	Network     xmr.Network
	Kind        Kind
	Spend, View xmr.PublicKey
	PaymentID   [8]byte // of an integrated address, otherwise zero
}

// At returns address i of a wallet on network n with these public keys: a standard address for index (0, 0), otherwise
// a subaddress.
func At(n xmr.Network, i keys.Index, spend, view xmr.PublicKey) Address {
	a := Address{Network: n, Kind: Subaddress, Spend: spend, View: view}
	if i == (keys.Index{}) {
		a.Kind = Standard
	}
	return a
}

// Parse reads an address of any network. Mainnet's prefixes, which Regtest shares, give xmr.Mainnet. Both keys must be
// canonical encodings of points. It returns ErrMalformed, ErrPrefix or ErrKey.
// Source: src/cryptonote_basic/cryptonote_basic_impl.cpp, get_account_address_from_str.
func Parse(s string) (Address, error) {
	tag, data, err := base58.DecodeAddr(s)
	if err != nil {
		return Address{}, smallfmt.Errorf("%w: %w", ErrMalformed, err)
	}
	a, err := fromTag(tag)
	if err != nil {
		return Address{}, err
	}
	size := 64
	if a.Kind == Integrated {
		size += len(a.PaymentID)
	}
	if len(data) != size {
		return Address{}, ErrMalformed
	}
	copy(a.Spend[:], data)
	copy(a.View[:], data[32:])
	copy(a.PaymentID[:], data[64:])
	for _, key := range [][32]byte{a.Spend, a.View} {
		if _, err := edwards.DecodePoint(key); err != nil {
			return Address{}, ErrKey
		}
	}
	return a, nil
}

func fromTag(tag uint64) (Address, error) {
	for _, n := range []xmr.Network{xmr.Mainnet, xmr.Testnet, xmr.Stagenet} {
		switch p := n.Prefixes(); tag {
		case p.Standard:
			return Address{Network: n, Kind: Standard}, nil
		case p.Subaddress:
			return Address{Network: n, Kind: Subaddress}, nil
		case p.Integrated:
			return Address{Network: n, Kind: Integrated}, nil
		}
	}
	return Address{}, ErrPrefix
}

// ParseFor reads an address of network n. The result's Network is n, even for Regtest. It returns the errors of Parse,
// and ErrNetwork for a valid address of another network.
func ParseFor(n xmr.Network, s string) (Address, error) {
	a, err := Parse(s)
	if err != nil {
		return Address{}, err
	}
	if a.Network != n.AddressNetwork() {
		return Address{}, ErrNetwork
	}
	a.Network = n
	return a, nil
}

// String returns the address as text that Parse accepts.
// Source: cryptonote_basic_impl.cpp, get_account_address_as_str and get_account_integrated_address_as_str.
func (a Address) String() string {
	p := a.Network.Prefixes()
	data := append(a.Spend[:], a.View[:]...)
	switch a.Kind {
	case Subaddress:
		return base58.EncodeAddr(p.Subaddress, data)
	case Integrated:
		return base58.EncodeAddr(p.Integrated, append(data, a.PaymentID[:]...))
	}
	return base58.EncodeAddr(p.Standard, data)
}

// WithPaymentID returns the integrated address of a and id. It returns ErrKind unless a is a standard address.
func (a Address) WithPaymentID(id [8]byte) (Address, error) {
	if a.Kind != Standard {
		return Address{}, ErrKind
	}
	a.Kind, a.PaymentID = Integrated, id
	return a, nil
}

// Standard returns a without its payment ID; other addresses are returned unchanged.
func (a Address) Standard() Address {
	if a.Kind == Integrated {
		a.Kind, a.PaymentID = Standard, [8]byte{}
	}
	return a
}
