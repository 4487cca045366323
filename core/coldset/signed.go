package coldset

import (
	"io"

	"glim/core/internal/codec/wire"
	"glim/core/xmr"
)

// SignedSet is finished transactions, with key images for the view-only wallet to learn.
// Source: src/wallet/wallet2.h, signed_tx_set.
type SignedSet struct {
	Transactions []Pending
	// KeyImages are those of the view-only wallet's outputs, from its first on. They come without proof: who holds the view
	// key can make up others.
	KeyImages []xmr.KeyImage
	// Received are those of the outputs that the transactions themselves pay to the wallet.
	Received []ReceivedImage
}

// ReceivedImage is the key image of the output with a key.
type ReceivedImage struct {
	Key   xmr.PublicKey
	Image xmr.KeyImage
}

const (
	signedVersion     = 0
	receivedImageSize = 1 + 32 + 32
)

// Append writes s behind b.
func (s *SignedSet) Append(b []byte) []byte {
	b = wire.AppendVarint(append(b, signedVersion), uint64(len(s.Transactions)))
	for i := range s.Transactions {
		b = s.Transactions[i].Append(b)
	}
	b = append32s(b, s.KeyImages)
	b = wire.AppendVarint(b, uint64(len(s.Received)))
	for i := range s.Received {
		b = append(append(b, 2), s.Received[i].Key[:]...)
		b = append(b, s.Received[i].Image[:]...)
	}
	return b
}

// ParseSignedSet reads what Append wrote and refuses bytes after it.
func ParseSignedSet(b []byte) (*SignedSet, error) {
	s := new(SignedSet)
	r := wire.NewReader(b)
	readVersion(r, signedVersion)
	s.Transactions = make([]Pending, r.Count(maxCount, pendingSize))
	for i := range s.Transactions {
		if r.Err() == nil {
			s.Transactions[i].decode(r, false)
		}
	}
	s.KeyImages = read32s[xmr.KeyImage](r)
	s.Received = make([]ReceivedImage, r.Count(maxCount, receivedImageSize))
	seen := make(map[xmr.PublicKey]bool, len(s.Received))
	for i := range s.Received {
		if r.Byte() != 2 {
			r.Fail(ErrMalformed)
		}
		s.Received[i] = ReceivedImage{Key: r.Bytes32(), Image: r.Bytes32()}
		if seen[s.Received[i].Key] {
			r.Fail(ErrMalformed)
		}
		seen[s.Received[i].Key] = true
	}
	if err := r.Close(); err != nil {
		return nil, err
	}
	return s, nil
}

// EncodeSigned returns s as a message of the wallet.
// Source: src/wallet/wallet2.cpp, sign_tx_dump_to_str.
func (b *Box) EncodeSigned(random io.Reader, s *SignedSet) ([]byte, error) {
	return b.sealed(random, magicSigned, s.Append(nil))
}

// DecodeSigned reads a message of the same wallet. Errors: ErrMagic, ErrDeprecated, ErrVersion, ErrSeal, ErrMultisig, those
// of decoding.
// Source: src/wallet/wallet2.cpp, parse_tx_from_str.
func (b *Box) DecodeSigned(message []byte) (*SignedSet, error) {
	plain, err := b.opened(message, magicSigned)
	if err != nil {
		return nil, err
	}
	return ParseSignedSet(plain)
}
