package coldset

import (
	"io"

	"glim/core/internal/codec/wire"
	"glim/core/xmr"
)

// SignedSet has finished transactions, and key images for the view-only wallet.
// Source: src/wallet/wallet2.h, signed_tx_set.
type SignedSet struct {
	Transactions []PendingTx
	// KeyImages belong to the view-only wallet's outputs, from its first on. They have no proof: anyone with the view
	// key can invent others.
	KeyImages []xmr.KeyImage
	// Received has the key images of outputs that the transactions pay to the wallet itself.
	Received []ReceivedImage
}

// ReceivedImage is an output key with its key image.
type ReceivedImage struct {
	Key   xmr.PublicKey
	Image xmr.KeyImage
}

const (
	signedVersion     = 0
	receivedImageSize = 1 + 32 + 32
)

// Append serialises s after b.
func (s *SignedSet) Append(b []byte) []byte {
	b = AppendPendingTxs(append(b, signedVersion), s.Transactions)
	b = wire.AppendKeys(b, s.KeyImages)
	b = wire.AppendVarint(b, uint64(len(s.Received)))
	for i := range s.Received {
		b = append(append(b, 2), s.Received[i].Key[:]...)
		b = append(b, s.Received[i].Image[:]...)
	}
	return b
}

// ParseSignedSet reads what Append wrote and refuses trailing bytes.
func ParseSignedSet(b []byte) (*SignedSet, error) {
	s := new(SignedSet)
	r := wire.NewReader(b)
	readVersion(r, signedVersion)
	s.Transactions = ReadPendingTxs(r, false)
	s.KeyImages = wire.ReadKeys[xmr.KeyImage](r, maxCount)
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
func (b *Cipher) EncodeSigned(random io.Reader, s *SignedSet) ([]byte, error) {
	return b.EncryptMessage(random, magicSigned, s.Append(nil))
}

// DecodeSigned reads a message of the same wallet. It returns ErrMagic, ErrDeprecated, ErrVersion, ErrSeal,
// ErrMultisig, or a decoding error.
// Source: src/wallet/wallet2.cpp, parse_tx_from_str.
func (b *Cipher) DecodeSigned(message []byte) (*SignedSet, error) {
	plain, err := b.DecryptMessage(message, magicSigned)
	if err != nil {
		return nil, err
	}
	return ParseSignedSet(plain)
}
