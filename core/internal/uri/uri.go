// Package uri makes and parses monero: URIs, which request a payment.
package uri

import (
	"errors"
	"strings"

	"glim/core/address"
	"glim/core/smallfmt"
	"glim/core/xmr"
)

// Errors of Make and Parse. All mean that the text or a value is invalid; retrying is pointless. Their messages, with
// the appended text, equal the reference's.
var (
	ErrScheme    = errors.New(`URI has wrong scheme (expected "monero:")`)
	ErrAddress   = errors.New("wrong address") // also matches the error of package address beneath
	ErrParameter = errors.New("URI has wrong parameter")
	ErrDuplicate = errors.New("URI has more than one instance of")
	ErrAmount    = errors.New("URI has invalid amount")

	// ErrPaymentID: a payment ID that is malformed or accompanies an integrated address; for Make, any payment ID.
	ErrPaymentID = errors.New("wrong payment id")
)

const scheme = "monero:"

// Payment is a payment request.
type Payment struct {
	Address       string // as text; valid
	PaymentID     string // a long one: 64 hexadecimal digits as written, or empty
	Amount        uint64 // atomic units; 0 leaves it to the payer
	RecipientName string
	Description   string
}

// Make returns the URI for p. Amounts have twelve decimals; names and descriptions are percent-encoded. It returns
// ErrAddress when the address is invalid on network n, and ErrPaymentID when there is a payment ID: these are
// deprecated in favour of integrated addresses.
//
// Source: src/wallet/wallet2.cpp, make_uri. One character differs: '=' is encoded too; without that the reference and
// Parse refuse the URI.
func Make(n xmr.Network, p Payment) (string, error) {
	a, err := address.ParseFor(n, p.Address)
	if err != nil {
		return "", smallfmt.Errorf("%w: %s%w", ErrAddress, p.Address, hidden{err})
	}
	if p.PaymentID != "" {
		if a.Kind == address.Integrated {
			return "", says{ErrPaymentID, "A single payment id is allowed"}
		}
		return "", says{ErrPaymentID, "Standalone payment id deprecated, use integrated address instead"}
	}
	var parameters []string
	if p.Amount > 0 {
		parameters = append(parameters, "tx_amount="+xmr.FormatAmount(p.Amount))
	}
	if p.RecipientName != "" {
		parameters = append(parameters, "recipient_name="+encode(p.RecipientName))
	}
	if p.Description != "" {
		parameters = append(parameters, "tx_description="+encode(p.Description))
	}
	if parameters == nil {
		return scheme + p.Address, nil
	}
	return scheme + p.Address + "?" + strings.Join(parameters, "&"), nil
}

// Parse reads a URI. Unknown parameters are returned verbatim, in order. The scheme is case-sensitive, and the address
// must be one of network n. It returns all errors of this package.
// Source: src/wallet/wallet2.cpp, parse_uri.
func Parse(n xmr.Network, text string) (p Payment, unknown []string, err error) {
	rest, ok := strings.CutPrefix(text, scheme)
	if !ok {
		return Payment{}, nil, smallfmt.Errorf("%w: %s", ErrScheme, text)
	}
	where, body, _ := strings.Cut(rest, "?")
	a, err := address.ParseFor(n, where)
	if err != nil {
		return Payment{}, nil, smallfmt.Errorf("URI has %w: %s%w", ErrAddress, where, hidden{err})
	}
	p.Address = where
	if body == "" {
		return p, nil, nil
	}
	seen := map[string]bool{}
	for argument := range strings.SplitSeq(body, "&") {
		key, value, ok := strings.Cut(argument, "=")
		if !ok || strings.Contains(value, "=") {
			return Payment{}, nil, smallfmt.Errorf("%w: %s", ErrParameter, argument)
		}
		if seen[key] {
			return Payment{}, nil, smallfmt.Errorf("%w %s", ErrDuplicate, key)
		}
		seen[key] = true
		known, err := p.set(a.Kind, key, value)
		if err != nil {
			return Payment{}, nil, err
		}
		if !known {
			unknown = append(unknown, argument)
		}
	}
	return p, unknown, nil
}

func (p *Payment) set(kind address.Kind, key, value string) (known bool, err error) {
	switch key {
	case "tx_amount":
		if p.Amount, err = xmr.ParseAmount(value); err != nil {
			return true, smallfmt.Errorf("%w: %s", ErrAmount, value)
		}
	case "tx_payment_id":
		if kind == address.Integrated {
			return true, says{ErrPaymentID, "Separate payment id given with an integrated address"}
		}
		if _, err := xmr.ParseHash(value); err != nil {
			return true, says{ErrPaymentID, "Invalid payment id: " + value}
		}
		p.PaymentID = value
	case "recipient_name":
		p.RecipientName = decode(value)
	case "tx_description":
		p.Description = decode(value)
	default:
		return false, nil
	}
	return true, nil
}

// says is an error of a kind with its own text.
type says struct {
	kind error
	text string
}

func (s says) Error() string { return s.text }
func (s says) Unwrap() error { return s.kind }

// hidden can be matched but prints nothing: the reference does not say what is wrong with an address.
type hidden struct{ error }

func (hidden) Error() string   { return "" }
func (h hidden) Unwrap() error { return h.error }
