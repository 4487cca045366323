package coldset

import (
	"bytes"
	"context"
	"io"
	"math"

	"glim/core/crypto/edwards"
	"glim/core/internal/codec/wire"
	"glim/core/internal/crypto/ringsig"
	"glim/core/keys"
	"glim/core/txbuild"
	"glim/core/xmr"
)

// SignedImage is a key image with a proof of the output to which it belongs.
type SignedImage struct {
	Image     xmr.KeyImage
	Signature ringsig.Signature
	// Opening is a carrot.ImageProof in place of Signature, for outputs whose keys have a part of T: those of the next
	// hard fork, and all of wallets with its keys.
	Opening *[OpeningSize]byte
}

// SignImage returns the key image of output number index of a transaction, received as at says. It returns ErrNotOurs,
// txbuild.ErrViewOnly or random's error.
// Source: src/wallet/wallet2.cpp, export_key_images.
func SignImage(random io.Reader, k *keys.Keys, at Owned, index uint64, key xmr.PublicKey) (SignedImage, error) {
	image, err := keyImage(k, at, index, key)
	if err != nil {
		return SignedImage{}, err
	}
	secret, ok := k.OutputSecret(at.Derivation, index, at.Address)
	if !ok {
		return SignedImage{}, txbuild.ErrViewOnly
	}
	signatures, _, err := ringsig.Sign(random, image, [][32]byte{key}, 0, secret)
	edwards.Wipe(secret)
	if err != nil {
		return SignedImage{}, err
	}
	return SignedImage{Image: image, Signature: signatures[0]}, nil
}

// ExternalImageSigner is a keys.ExternalSigner that signs key images.
type ExternalImageSigner interface {
	SignImages(ctx context.Context, outputs []keys.OwnOutput) ([]SignedImage, error)
}

// maxSign is the most key images of one request to an ExternalImageSigner, to keep requests small.
const maxSign = 256

// SignImages returns SignImage of each output. It returns the errors of SignImage, or of the external signer.
func SignImages(random io.Reader, k *keys.Keys, outputs []keys.OwnOutput) ([]SignedImage, error) {
	all := make([]SignedImage, 0, len(outputs))
	if !k.External() {
		for _, o := range outputs {
			s, err := SignImage(random, k, Owned{Address: o.Address, Derivation: o.Derivation}, o.Index, o.Key)
			if err != nil {
				return nil, err
			}
			all = append(all, s)
		}
		return all, nil
	}
	external, ctx, err := k.Signer()
	if err != nil {
		return nil, err
	}
	signer, ok := external.(ExternalImageSigner)
	if !ok {
		return nil, keys.ErrNoSigner
	}
	for len(outputs) > 0 {
		n := min(len(outputs), maxSign)
		part, err := signer.SignImages(ctx, outputs[:n])
		if err != nil {
			return nil, err
		}
		if len(part) != n {
			return nil, keys.ErrNoSigner
		}
		all, outputs = append(all, part...), outputs[n:]
	}
	return all, nil
}

// Verify returns an error of package ringsig unless s is the key image of the output with this key.
// Source: src/wallet/wallet2.cpp, import_key_images.
func (s *SignedImage) Verify(key xmr.PublicKey) error {
	return ringsig.Verify(s.Image, [][32]byte{key}, s.Image, []ringsig.Signature{s.Signature})
}

// ImageSet has the key images of consecutive outputs of a wallet.
type ImageSet struct {
	Offset uint32 // of the first in the wallet's list
	Images []SignedImage
}

const signedImageSize = 32 + 64

// EncodeImages returns s as a file of the wallet. The reference's RPC passes key images separately.
// Source: src/wallet/wallet2.cpp, export_key_images.
func (b *Cipher) EncodeImages(random io.Reader, s *ImageSet) ([]byte, error) {
	plain := append(appendUint32(nil, s.Offset), b.Header()...)
	for i := range s.Images {
		plain = append(append(plain, s.Images[i].Image[:]...), s.Images[i].Signature.C[:]...)
		plain = append(plain, s.Images[i].Signature.R[:]...)
	}
	return b.EncryptMessage(random, magicImages, plain)
}

// DecodeImages reads a file of the same wallet. The caller, who knows the outputs, verifies the signatures. It returns
// ErrMagic, ErrDeprecated, ErrVersion, ErrSeal, ErrAccount, or a decoding error.
// Source: src/wallet/wallet2.cpp, import_key_images.
func (b *Cipher) DecodeImages(message []byte) (*ImageSet, error) {
	plain, err := b.DecryptMessage(message, magicImages)
	if err != nil {
		return nil, err
	}
	r := wire.NewReader(plain)
	s := &ImageSet{Offset: r.Uint32()}
	if header := r.Bytes(64); r.Err() == nil && !bytes.Equal(header, b.Header()) {
		return nil, ErrAccount
	}
	s.Images = make([]SignedImage, r.Len()/signedImageSize)
	for i := range s.Images {
		s.Images[i] = SignedImage{Image: r.Bytes32(), Signature: ringsig.Signature{C: r.Bytes32(), R: r.Bytes32()}}
	}
	if uint64(s.Offset)+uint64(len(s.Images)) > math.MaxUint32 {
		r.Fail(ErrMalformed)
	}
	if err := r.Close(); err != nil {
		return nil, err
	}
	return s, nil
}
