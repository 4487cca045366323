package uri

import (
	"errors"
	"math"
	"strings"

	"glim/core/address"
	"glim/core/smallfmt"
	"glim/core/xmr"
)

// Errors of MakeLink and ParseLink besides those of Make and Parse. Retrying is pointless.
var (
	ErrVersion    = errors.New("URI has an unsupported version")
	ErrRecipients = errors.New("a payment link has 1 to 15 recipients") // a transaction has 16 outputs, one is change
)

// MaxRecipients is the largest number of recipients of a link: as many as one transaction pays.
const MaxRecipients = xmr.MaxOutputs - 1

// Recipient is one recipient of a Link.
type Recipient struct {
	Address string // as text; valid
	Amount  uint64 // atomic units; 0 leaves it to the payer
	Label   string
}

// Link is a request for one payment to several recipients.
type Link struct {
	Recipients  []Recipient // 1 to MaxRecipients; at most one has an integrated address
	Description string
}

const (
	versionKey = "version"
	version    = "2.0"
	unit       = "XMR"
)

// MakeLink returns the URI for l. For one recipient it is that of Make, and otherwise one of version 2.0: the first
// address, the version, and then each recipient's amount and label after its address. It returns ErrAddress,
// ErrRecipients, ErrAmount if the sum exceeds 64 bits, and ErrPaymentID for a second integrated address, as a
// transaction has one payment ID.
//
// Source: the grammar in monero-project/monero issue 7731 (31 August 2025), with tx_description for the text of the
// payment, as in pull request 9830. A release up to 0.18.5.1 refuses such a URI if more than one recipient has an
// amount, and otherwise reads the first address without an amount.
func MakeLink(n xmr.Network, l Link) (string, error) {
	if err := l.check(n); err != nil {
		return "", err
	}
	first := l.Recipients[0]
	if len(l.Recipients) == 1 {
		return Make(n, Payment{Address: first.Address, Amount: first.Amount, RecipientName: first.Label,
			Description: l.Description})
	}
	var b strings.Builder
	b.WriteString(scheme + first.Address + "?" + versionKey + "=" + version)
	for i, r := range l.Recipients {
		if i > 0 {
			b.WriteString("&address=" + r.Address)
		}
		if r.Amount > 0 {
			b.WriteString("&amount=" + shortAmount(r.Amount) + unit)
		}
		if r.Label != "" {
			b.WriteString("&label=" + encode(r.Label))
		}
	}
	if l.Description != "" {
		b.WriteString("&tx_description=" + encode(l.Description))
	}
	return b.String(), nil
}

// shortAmount formats an amount without trailing zeros.
func shortAmount(atomic uint64) string {
	return strings.TrimSuffix(strings.TrimRight(xmr.FormatAmount(atomic), "0"), ".")
}

// check returns the error of a link that cannot be paid by one transaction.
func (l *Link) check(n xmr.Network) error {
	if len(l.Recipients) == 0 || len(l.Recipients) > MaxRecipients {
		return ErrRecipients
	}
	sum, integrated := uint64(0), false
	for _, r := range l.Recipients {
		a, err := address.ParseFor(n, r.Address)
		if err != nil {
			return smallfmt.Errorf("%w: %s%w", ErrAddress, r.Address, hidden{err})
		}
		if a.Kind == address.Integrated {
			if integrated {
				return says{ErrPaymentID, "a payment has one payment id, so that one address can be integrated"}
			}
			integrated = true
		}
		if r.Amount > math.MaxUint64-sum {
			return smallfmt.Errorf("%w: the sum is too large", ErrAmount)
		}
		sum += r.Amount
	}
	return nil
}

// ParseLink reads a URI of either form. A URI whose first parameter is the version 2.0 has the new form. Every other is
// read as by Parse, and there the parameters of the new form are ErrVersion, so that no recipient is overlooked.
// Unknown parameters are returned verbatim, in order. It returns all errors of this package; ErrPaymentID also for a
// long payment ID, which no transaction has any more, and ErrAmount also for an amount of 0 or in another currency.
// Source: see MakeLink.
func ParseLink(n xmr.Network, text string) (l Link, unknown []string, err error) {
	where, body, _ := strings.Cut(text, "?")
	first, rest, more := strings.Cut(body, "&")
	key, value, _ := strings.Cut(first, "=")
	if key != versionKey {
		return parseOld(n, text)
	}
	if value != version {
		return Link{}, nil, smallfmt.Errorf("%w: %s", ErrVersion, value)
	}
	where, ok := strings.CutPrefix(where, scheme)
	if !ok {
		return Link{}, nil, smallfmt.Errorf("%w: %s", ErrScheme, text)
	}
	l.Recipients = []Recipient{{Address: where}}
	if more {
		if unknown, err = l.parse(rest); err != nil {
			return Link{}, nil, err
		}
	}
	if err := l.check(n); err != nil {
		return Link{}, nil, err
	}
	return l, unknown, nil
}

// newKeys are the parameters that only the new form has.
var newKeys = map[string]bool{versionKey: true, "address": true, "amount": true, "label": true, "txlabel": true}

func parseOld(n xmr.Network, text string) (l Link, unknown []string, err error) {
	p, unknown, err := Parse(n, text)
	if err != nil {
		return Link{}, nil, err
	}
	for _, argument := range unknown {
		if key, _, _ := strings.Cut(argument, "="); newKeys[key] {
			return Link{}, nil, smallfmt.Errorf("%w: %s without %s=%s in front", ErrVersion, key, versionKey, version)
		}
	}
	if p.PaymentID != "" {
		return Link{}, nil, says{ErrPaymentID, "Standalone payment id deprecated, use integrated address instead"}
	}
	return Link{[]Recipient{{p.Address, p.Amount, p.RecipientName}}, p.Description}, unknown, nil
}

// parse reads the parameters after the version.
func (l *Link) parse(body string) (unknown []string, err error) {
	seen := map[string]bool{}
	once := func(scope, key string) error {
		if seen[scope+key] {
			return smallfmt.Errorf("%w %s", ErrDuplicate, key)
		}
		seen[scope+key] = true
		return nil
	}
	for argument := range strings.SplitSeq(body, "&") {
		key, value, ok := strings.Cut(argument, "=")
		if !ok || strings.Contains(value, "=") {
			return nil, smallfmt.Errorf("%w: %s", ErrParameter, argument)
		}
		last := &l.Recipients[len(l.Recipients)-1]
		scope := smallfmt.Sprintf("%d ", len(l.Recipients))
		switch key {
		case "address":
			if len(l.Recipients) == MaxRecipients {
				return nil, ErrRecipients
			}
			l.Recipients = append(l.Recipients, Recipient{Address: value})
		case "amount":
			if err = once(scope, key); err == nil {
				last.Amount, err = parseAmount(value)
			}
		case "label":
			err, last.Label = once(scope, key), decode(value)
		case "tx_description", "txlabel":
			err, l.Description = once("", "tx_description"), decode(value)
		case versionKey, "tx_amount", "recipient_name", "tx_payment_id":
			err = smallfmt.Errorf("%w: %s", ErrParameter, argument)
		default:
			err = once("", key)
			unknown = append(unknown, argument)
		}
		if err != nil {
			return nil, err
		}
	}
	return unknown, nil
}

// parseAmount reads XMR, with or without the unit. It returns ErrAmount for 0, another unit and what is no amount.
func parseAmount(text string) (uint64, error) {
	number := text
	if at := len(text) - len(unit); at >= 0 && strings.EqualFold(text[at:], unit) {
		number = text[:at]
	}
	amount, err := xmr.ParseAmount(number)
	if err != nil || amount == 0 || strings.TrimSpace(number) != number {
		return 0, smallfmt.Errorf("%w: %s", ErrAmount, text)
	}
	return amount, nil
}
