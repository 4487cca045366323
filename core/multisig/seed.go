package multisig

import (
	"encoding/binary"
	"encoding/hex"
	"errors"
	"strings"

	"glim/core/internal/codec/wire"
	"glim/core/keys"
	"glim/core/smallfmt"
	"glim/core/xmr"
)

// ErrSeed reports a text that is not a multisig seed.
var ErrSeed = errors.New("multisig: not the seed of a signer")

// Seed returns the contents of a Ready account in hexadecimal digits. Anyone with it can sign as this signer. It
// returns ErrRound before the account is Ready.
// Source: src/wallet/wallet2.cpp, get_multisig_seed.
func (a *Account) Seed() (string, error) {
	if !a.Ready() {
		return "", ErrRound
	}
	p := a.Data()
	b := binary.LittleEndian.AppendUint32(nil, p.Threshold)
	b = binary.LittleEndian.AppendUint32(b, a.Total())
	b = append(append(append(append(b, p.Base[:]...), p.Spend[:]...), p.View[:]...), a.viewKey[:]...)
	for i := range p.Shares {
		b = append(b, p.Shares[i][:]...)
	}
	for _, k := range p.Signers {
		b = append(b, k[:]...)
	}
	clear(p.Shares)
	clear(p.Base[:])
	defer clear(b)
	return hex.EncodeToString(b), nil
}

// maxSeed is the size of the longest seed in bytes.
const maxSeed = 8 + 32*(4+maxKeys+MaxSigners)

// FromSeed returns the account of a seed. It returns ErrSeed for other text.
// Source: src/wallet/wallet2.cpp, generate from multisig_data.
func FromSeed(text string) (*Account, error) {
	text = strings.TrimSpace(text)
	if len(text) > 2*maxSeed {
		return nil, ErrSeed
	}
	b, err := smallfmt.Unhex(text)
	if err != nil {
		return nil, ErrSeed
	}
	defer clear(b)
	r := wire.NewReader(b)
	p := AccountData{Threshold: r.Uint32()}
	total := r.Uint32()
	if checkGroup(total, p.Threshold) != nil || r.Len() != 32*(4+ShareCount(total, p.Threshold)+int(total)) {
		return nil, ErrSeed
	}
	p.Round = Rounds(total, p.Threshold)
	p.Base, p.Spend, p.View = r.Bytes32(), r.Bytes32(), r.Bytes32()
	view := xmr.PublicKey(r.Bytes32())
	p.Shares = make([]keys.Secret, ShareCount(total, p.Threshold))
	defer clear(p.Shares)
	for i := range p.Shares {
		p.Shares[i] = r.Bytes32()
	}
	for range total {
		p.Signers = append(p.Signers, r.Bytes32())
	}
	a, err := FromData(p)
	if err != nil || r.Close() != nil || a.viewKey != view {
		return nil, ErrSeed
	}
	return a, nil
}
