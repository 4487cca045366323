package coldset

import (
	"io"

	"glim/core/internal/codec/wire"
	"glim/core/xmr"
)

// SharedInfo is what one signer of a multisig wallet tells the others of the wallet's outputs, before they can be spent.
// Source: src/wallet/wallet2.cpp, export_multisig.
type SharedInfo struct {
	Signer  xmr.PublicKey
	Outputs []SharedOutput // of the wallet's list, from its first on
}

// SharedOutput is one signer's part in an output: commitments to nonces, each good for one response, and the parts of the
// key image that its shares of the spend key make.
// Source: src/wallet/wallet2.h, multisig_info.
type SharedOutput struct {
	Nonces []NoncePair
	Images []xmr.KeyImage
}

// NoncePair commits to a nonce: its multiples of G and of the output's hash point.
// Source: src/wallet/wallet2.h, multisig_info::LR.
type NoncePair struct{ L, R [32]byte }

// Magic words of what signers of a multisig wallet exchange.
// Source: src/wallet/wallet2.cpp, MULTISIG_EXPORT_FILE_MAGIC and MULTISIG_UNSIGNED_TX_PREFIX.
const (
	magicSharedInfo = "Monero multisig export\x01"
	magicSharedSet  = "Monero multisig unsigned tx set\x01"

	sharedOutputSize = 32 + 1 + 1 // at least
)

// Append writes s behind b.
func (s *SharedInfo) Append(b []byte) []byte {
	b = append(b, s.Signer[:]...)
	b = wire.AppendVarint(b, uint64(len(s.Outputs)))
	for i := range s.Outputs {
		o := &s.Outputs[i]
		b = append(b, s.Signer[:]...)
		b = wire.AppendVarint(b, uint64(len(o.Nonces)))
		for j := range o.Nonces {
			b = append(append(b, o.Nonces[j].L[:]...), o.Nonces[j].R[:]...)
		}
		b = append32s(b, o.Images)
	}
	return b
}

// ParseSharedInfo reads what Append wrote and refuses bytes after it. ErrMalformed when an output names another signer.
// Points are not looked at.
// Source: src/wallet/wallet2.cpp, import_multisig.
func ParseSharedInfo(b []byte) (*SharedInfo, error) {
	r := wire.NewReader(b)
	s := &SharedInfo{Signer: r.Bytes32()}
	s.Outputs = make([]SharedOutput, r.Count(maxCount, sharedOutputSize))
	for i := range s.Outputs {
		if r.Bytes32() != [32]byte(s.Signer) {
			r.Fail(ErrMalformed)
		}
		if r.Err() != nil {
			break
		}
		o := &s.Outputs[i]
		o.Nonces = make([]NoncePair, r.Count(maxCount, 64))
		for j := range o.Nonces {
			o.Nonces[j] = NoncePair{L: r.Bytes32(), R: r.Bytes32()}
		}
		o.Images = read32s[xmr.KeyImage](r)
	}
	if err := r.Close(); err != nil {
		return nil, err
	}
	return s, nil
}

// EncodeSharedInfo returns s as a message of the wallet.
// Source: src/wallet/wallet2.cpp, export_multisig.
func (b *Box) EncodeSharedInfo(random io.Reader, s *SharedInfo) ([]byte, error) {
	return b.sealed(random, magicSharedInfo, s.Append(b.header()))
}

// DecodeSharedInfo reads a message of the same wallet. Errors: ErrMagic, ErrDeprecated, ErrVersion, ErrSeal, ErrAccount,
// those of decoding.
// Source: src/wallet/wallet2.cpp, import_multisig.
func (b *Box) DecodeSharedInfo(message []byte) (*SharedInfo, error) {
	plain, err := b.openedOwn(message, magicSharedInfo)
	if err != nil {
		return nil, err
	}
	return ParseSharedInfo(plain)
}
