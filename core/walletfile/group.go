package walletfile

import (
	"strconv"

	"glim/core/internal/codec/wire"
	"glim/core/keys"
	"glim/core/multisig"
	"glim/core/xmr"
)

// group reads what makes the wallet of an account one of a group of signers. ErrMultisig for groups of older releases, whose key
// exchange is not that of today.
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
	p := multisig.Parts{
		Threshold: uint32(threshold), Round: uint32(round), Base: a.Keys.Spend, View: a.Keys.View, Spend: a.Keys.Address.Spend,
		Shares: make([]keys.Secret, len(a.Keys.Multisig)),
	}
	defer clear(p.Shares)
	for i, share := range a.Keys.Multisig {
		p.Shares[i] = share
	}
	if p.Signers, err = o.keys("multisig_signers"); err != nil {
		return nil, err
	}
	if p.Shared, err = o.keys("multisig_derivations"); err != nil {
		return nil, err
	}
	g, err := multisig.FromParts(p)
	if err != nil {
		return nil, ErrMultisig
	}
	if g.View() != a.Keys.Address.View {
		return nil, ErrFormat
	}
	return g, nil
}

// maxKeys bounds a list of public keys: no group's signer has more in a round.
const maxKeys = 6435

// keys returns a list of public keys; none when there is none of that name.
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
	p := g.Parts()
	defer clear(p.Shares)
	number("multisig_threshold", uint64(p.Threshold))
	list("multisig_signers", p.Signers)
	list("multisig_derivations", p.Shared)
	number("multisig_rounds_passed", uint64(p.Round))
	if enabled {
		number("enable_multisig", 1)
	}
	return b
}
