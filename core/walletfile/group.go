package walletfile

import (
	"strconv"

	"glim/core/internal/codec/wire"
	"glim/core/keys"
	"glim/core/multisig"
	"glim/core/xmr"
)

// group reads the data of a multisig wallet. It returns ErrMultisig for wallets of older releases, which used a
// different key exchange.
// Source: wallet2.cpp, load_keys_buf; account.cpp, make_multisig.
func (o object) group(a *account) (*multisig.Account, error) {
	threshold, err := o.number("multisig_threshold", 32, 0)
	if err != nil {
		return nil, err
	}
	round, err := o.number("multisig_rounds_passed", 32, 0)
	if err != nil {
		return nil, err
	}
	p := multisig.AccountData{
		Threshold: uint32(threshold), Round: uint32(round), Base: a.Keys.Spend, View: a.Keys.View,
		Spend:  a.Keys.Address.Spend,
		Shares: make([]keys.Secret, len(a.Keys.Multisig)),
	}
	defer clear(p.Shares)
	for i, share := range a.Keys.Multisig {
		p.Shares[i] = share
	}
	if p.Signers, err = o.keys("multisig_signers"); err != nil {
		return nil, err
	}
	if p.KexKeys, err = o.keys("multisig_derivations"); err != nil {
		return nil, err
	}
	g, err := multisig.FromData(p)
	if err != nil {
		return nil, ErrMultisig
	}
	if g.View() != a.Keys.Address.View {
		return nil, ErrFormat
	}
	return g, nil
}

// maxKeys limits a list of public keys: no signer has more in a round.
const maxKeys = 6435

// keys returns the named list of public keys; empty if it is missing.
func (o object) keys(name string) ([]xmr.PublicKey, error) {
	b, err := o.bytes(name)
	if err != nil || b == nil {
		return nil, err
	}
	r := wire.NewReader(b)
	list := make([]xmr.PublicKey, r.Count(maxKeys, 32))
	for i := range list {
		list[i] = r.Bytes32()
	}
	if r.Close() != nil {
		return nil, ErrFormat
	}
	return list, nil
}

// appendGroup appends the members that group reads.
// Source: wallet2.cpp, get_keys_file_data.
func appendGroup(b []byte, g *multisig.Account, enabled bool) []byte {
	list := func(name string, list []xmr.PublicKey) {
		data := wire.AppendVarint(nil, uint64(len(list)))
		for _, k := range list {
			data = append(data, k[:]...)
		}
		b = appendString(append(append(append(b, `,"`...), name...), `":`...), data)
	}
	number := func(name string, n uint64) {
		b = append(append(append(b, `,"`...), name...), `":`...)
		b = strconv.AppendUint(b, n, 10)
	}
	p := g.Data()
	defer clear(p.Shares)
	number("multisig_threshold", uint64(p.Threshold))
	list("multisig_signers", p.Signers)
	list("multisig_derivations", p.KexKeys)
	number("multisig_rounds_passed", uint64(p.Round))
	if enabled {
		number("enable_multisig", 1)
	}
	return b
}
