// Package openalias reads OpenAlias names and the TXT records that give their Monero addresses. It makes no queries.
package openalias

import (
	"errors"
	"strings"
	"unicode/utf8"

	"glim/core/address"
)

// Errors of this package, and of the functions that hosts provide to look up TXT records.
var (
	ErrName      = errors.New("openalias: not a domain name")
	ErrRecord    = errors.New("openalias: malformed record")
	ErrNoAddress = errors.New("openalias: no Monero address found")
	ErrSeveral   = errors.New("openalias: more than one Monero address found")
	// ErrUntrusted: the records of a name, or those they depend on, have no valid DNSSEC signatures.
	ErrUntrusted = errors.New("openalias: invalid DNSSEC")
	// ErrDisabled: the host looks up no names.
	ErrDisabled = errors.New("openalias: names are not looked up")
)

// Limits of a domain name. Source: RFC 1035, section 2.3.4, without the root's dot.
const (
	maxName  = 253
	maxLabel = 63
)

// Limits of a record.
const (
	maxRecord = 4096 // bytes
	maxFields = 64
)

// ParseName returns the domain name of an OpenAlias, in lower case and without a final dot. An @ stands for a dot, as
// in donate@getmonero.org. It returns ErrName unless text has at least two labels of ASCII letters, digits, hyphens and
// underscores, the last of them not a number. An address of Monero is never a name, because it has no dot.
// Source: src/common/dns_utils.cpp, get_dns_format_from_oa_address; openalias.org.
func ParseName(text string) (string, error) {
	name := strings.TrimSuffix(strings.Replace(text, "@", ".", 1), ".")
	if len(name) > maxName {
		return "", ErrName
	}
	labels := strings.Split(name, ".")
	if len(labels) < 2 || strings.Trim(labels[len(labels)-1], "0123456789") == "" {
		return "", ErrName
	}
	for _, l := range labels {
		if l == "" || len(l) > maxLabel || l[0] == '-' || l[len(l)-1] == '-' || strings.ContainsFunc(l, notInLabel) {
			return "", ErrName
		}
	}
	return strings.ToLower(name), nil // last, because the lower case of U+212A is the letter k
}

func notInLabel(r rune) bool {
	return !(r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '-' || r == '_')
}

// Record is a TXT record with an address of Monero. All members are as written by the owner of the name.
type Record struct {
	Address     string
	Name        string // of the recipient; may be empty, as the following may
	Description string // of a transaction
	Signature   string // of the address; not verified
	Checksum    string // of the record; not verified
}

// prefix begins a record with an address of Monero.
const prefix = "oa1:xmr"

// ParseRecord parses the text of a TXT record: oa1:xmr, a space, and fields of the form key=value, each ended by a
// semicolon, which the last may lack. In a value, a backslash takes the meaning from a following semicolon, quotation
// mark or backslash; a value may be in quotation marks. Fields with other keys are ignored. It returns ErrNoAddress if
// the text is not a record of Monero, and ErrRecord if it is malformed: longer than 4096 bytes, not UTF-8, with control
// characters, more than 64 fields, a known field given twice, or no recipient_address. The address may be invalid.
// Source: openalias.org; src/common/dns_utils.cpp, address_from_txt_record.
func ParseRecord(text string) (r Record, err error) {
	rest, ok := strings.CutPrefix(strings.TrimLeft(text, " "), prefix)
	if !ok || !strings.HasPrefix(rest, " ") {
		return r, ErrNoAddress
	}
	if len(text) > maxRecord || !utf8.ValidString(text) || strings.ContainsFunc(text, control) {
		return r, ErrRecord
	}
	fields := map[string]*string{
		"recipient_address": &r.Address, "recipient_name": &r.Name, "tx_description": &r.Description,
		"address_signature": &r.Signature, "checksum": &r.Checksum,
	}
	for n := 0; ; n++ {
		if rest = strings.TrimLeft(rest, " ;"); rest == "" {
			break
		}
		if n == maxFields {
			return Record{}, ErrRecord
		}
		var key, value string
		if key, rest, ok = strings.Cut(rest, "="); !ok {
			return Record{}, ErrRecord
		}
		if value, rest, ok = cutValue(rest); !ok {
			return Record{}, ErrRecord
		}
		key = strings.TrimSpace(key)
		to, known := fields[key]
		switch {
		case known && to == nil: // given before
			return Record{}, ErrRecord
		case known:
			*to, fields[key] = value, nil
		}
	}
	if r.Address == "" {
		return Record{}, ErrRecord
	}
	return r, nil
}

func control(r rune) bool { return r < ' ' || r >= 0x7f && r < 0xa0 }

// cutValue returns the value at the start of text, without its quotation marks and backslashes, and what follows its
// semicolon. It returns false if a quotation mark is not closed.
func cutValue(text string) (value, rest string, ok bool) {
	text = strings.TrimLeft(text, " ")
	var b strings.Builder
	quoted := strings.HasPrefix(text, `"`)
	i := 0
	if quoted {
		i = 1
	}
	for ; i < len(text); i++ {
		c := text[i]
		switch {
		case c == '\\' && i+1 < len(text) && strings.IndexByte(`\;"`, text[i+1]) >= 0:
			i++
			b.WriteByte(text[i])
		case quoted && c == '"':
			after := strings.TrimLeft(text[i+1:], " ")
			return b.String(), after, after == "" || after[0] == ';'
		case !quoted && c == ';':
			return strings.TrimRight(b.String(), " "), text[i+1:], true
		default:
			b.WriteByte(c)
		}
	}
	return strings.TrimRight(b.String(), " "), "", !quoted
}

// Select returns the record with the only address that accept allows, and that address. Texts that are no records of
// Monero, malformed ones and those with other addresses are ignored, and several records with one address count as one.
// It returns ErrNoAddress or ErrSeveral if there is not exactly one: DNS gives records in any order, so that the first
// of several would be any.
func Select(texts []string, accept func(address.Address) bool) (Record, address.Address, error) {
	var chosen Record
	var to address.Address
	for _, t := range texts {
		r, err := ParseRecord(t)
		if err != nil {
			continue
		}
		a, err := address.Parse(r.Address)
		if err != nil || !accept(a) || r.Address == chosen.Address {
			continue
		}
		if chosen.Address != "" {
			return Record{}, address.Address{}, ErrSeveral
		}
		chosen, to = r, a
	}
	if chosen.Address == "" {
		return Record{}, address.Address{}, ErrNoAddress
	}
	return chosen, to, nil
}
