package walletfile

import (
	"bytes"
	"strconv"
	"unicode/utf8"

	"glim/core/codec/epee"
	"glim/core/codec/jsontext"
	"glim/core/xmr"
)

// object is the JSON object around an account: settings of the reference's wallet by name.
type object map[string][]byte

// The reference writes arbitrary bytes into JSON strings. To parse these, bytes beyond ASCII are mapped to private-use
// characters, starting with this one, and back afterwards.
const private = 0xf700

// parseObject returns the members of an object; it refuses trailing data and repeated names.
func parseObject(b []byte) (object, error) {
	if len(b) == 0 || b[0] != '{' {
		return nil, ErrFormat // rejects most data decrypted with a wrong key early
	}
	text := mapped(b)
	defer clear(text)
	o := object{}
	if jsontext.Object(text, func(name, value []byte) error {
		if _, twice := o[string(name)]; twice {
			return ErrFormat
		}
		o[string(name)] = bytes.Clone(value)
		return nil
	}) != nil {
		return nil, ErrFormat
	}
	return o, nil
}

// mapped returns b with bytes beyond ASCII mapped to private-use characters.
func mapped(b []byte) []byte {
	text := make([]byte, 0, 2*len(b))
	for _, c := range b {
		if c < utf8.RuneSelf {
			text = append(text, c)
		} else {
			text = utf8.AppendRune(text, private+rune(c))
		}
	}
	return text
}

// bytes returns the bytes of the named string, or nil if it is missing.
func (o object) bytes(name string) ([]byte, error) {
	raw, ok := o[name]
	if !ok {
		return nil, nil
	}
	s, isText := jsontext.String(raw)
	if !isText {
		return nil, ErrFormat
	}
	out := make([]byte, 0, len(s))
	for _, r := range s {
		if r >= private+utf8.RuneSelf && r <= private+0xff {
			out = append(out, byte(r-private))
		} else {
			out = utf8.AppendRune(out, r)
		}
	}
	return out, nil
}

// number returns the named integer, which must fit into the given bits, or the value of otherwise if it is missing.
func (o object) number(name string, bits int, otherwise uint64) (uint64, error) {
	raw, ok := o[name]
	if !ok {
		return otherwise, nil
	}
	n, err := strconv.ParseUint(string(raw), 10, bits)
	if err != nil {
		return 0, ErrFormat
	}
	return n, nil
}

// wallet reads the members that glim uses. The reference's other settings affect only its own programs.
// Source: wallet2.cpp, load_keys_buf.
func (o object) wallet(p *Password) (*Wallet, error) {
	var failure error
	number := func(name string, bits int) uint64 {
		n, err := o.number(name, bits, 0)
		if err != nil {
			failure = err
		}
		return n
	}
	language, err := o.bytes("seed_language")
	if err != nil {
		return nil, err
	}
	w := &Wallet{
		Language:       string(language),
		RestoreHeight:  number("refresh_height", 64),
		LookaheadMajor: uint32(number("subaddress_lookahead_major", 32)),
		LookaheadMinor: uint32(number("subaddress_lookahead_minor", 32)),
	}
	_, w.NetworkKnown = o["nettype"]
	if _, said := o["max_reorg_depth"]; said {
		depth := number("max_reorg_depth", 64)
		w.MaxReorgDepth = &depth
	}
	network := number("nettype", 8)
	group, device := number("multisig", 31), number("key_on_device", 31)
	w.EnableMultisig = number("enable_multisig", 31) != 0
	viewOnly, encrypted := number("watch_only", 31) != 0, number("encrypted_secret_keys", 32) != 0
	if failure != nil {
		return nil, failure
	}
	switch {
	case device != 0:
		return nil, ErrDevice
	case network > uint64(xmr.Regtest):
		return nil, ErrFormat
	}
	w.Network = xmr.Network(network) // both use the same numbers
	data, err := o.bytes("key_data")
	if err != nil {
		return nil, err
	}
	defer clear(data)
	a, err := parseAccount(data)
	if err != nil {
		return nil, err
	}
	defer a.wipe()
	if encrypted {
		a.crypt(p)
	}
	if group != 0 {
		if w.Multisig, err = o.group(a); err == nil {
			w.Keys, err = w.Multisig.Keys()
		}
	} else {
		w.Keys, err = a.keys(viewOnly)
	}
	if err != nil {
		return nil, err
	}
	w.Created = a.Created
	return w, nil
}

// appendObject appends the object around an account. Omitted members have the reference's defaults.
func appendObject(b []byte, w *Wallet, a *account) ([]byte, error) {
	data, err := epee.Marshal(a)
	if err != nil {
		return nil, err
	}
	b = appendString(append(b, `{"key_data":`...), data)
	if w.Language != "" {
		b = appendString(append(b, `,"seed_language":`...), []byte(w.Language))
	}
	number := func(name string, n uint64) {
		b = append(append(append(b, `,"`...), name...), `":`...)
		b = strconv.AppendUint(b, n, 10)
	}
	viewOnly, group := uint64(1), uint64(0)
	if w.Keys.CanSpend() {
		viewOnly = 0
	}
	if w.Multisig != nil {
		viewOnly, group = 0, 1
		b = appendGroup(b, w.Multisig, w.EnableMultisig)
	}
	number("key_on_device", 0)
	number("watch_only", viewOnly)
	number("multisig", group)
	number("refresh_height", w.RestoreHeight)
	number("nettype", uint64(w.Network.AddressNetwork()))
	if w.LookaheadMajor != 0 && w.LookaheadMinor != 0 {
		number("subaddress_lookahead_major", uint64(w.LookaheadMajor))
		number("subaddress_lookahead_minor", uint64(w.LookaheadMinor))
	}
	if w.MaxReorgDepth != nil {
		number("max_reorg_depth", *w.MaxReorgDepth)
	}
	number("encrypted_secret_keys", 1)
	return append(b, '}'), nil
}

// appendString appends bytes as the reference writes them into JSON.
func appendString(b, s []byte) []byte {
	b = append(b, '"')
	for _, c := range s {
		switch {
		case c == '"' || c == '\\':
			b = append(b, '\\', c)
		case c < 0x20:
			b = append(b, '\\', 'u', '0', '0', "0123456789abcdef"[c>>4], "0123456789abcdef"[c&15])
		default:
			b = append(b, c)
		}
	}
	return append(b, '"')
}
