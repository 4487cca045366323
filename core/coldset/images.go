package coldset

import (
	"bytes"
	"context"
	"io"
	"math"

	"glim/core/build"
	"glim/core/crypto/edwards"
	"glim/core/internal/codec/wire"
	"glim/core/internal/crypto/ringsig"
	"glim/core/keys"
	"glim/core/xmr"
)

// SignedImage is a key image with a proof of which output it belongs to.
type SignedImage struct {
	Image     xmr.KeyImage
	Signature ringsig.Signature
}

// SignImage returns the key image of output number index of a transaction with derivation, received at an address; or
// ErrNotOurs, build.ErrViewOnly, random's error.
// Source: src/wallet/wallet2.cpp, export_key_images.
func SignImage(random io.Reader, k *keys.Keys, at Owned, index uint64, key xmr.PublicKey) (SignedImage, error) {
	image, err := keyImage(k, at, index, key)
	if err != nil {
		return SignedImage{}, err
	}
	secret, ok := k.OutputSecret(at.Derivation, index, at.Address)
	if !ok {
		return SignedImage{}, build.ErrViewOnly
	}
	signatures, _, err := ringsig.Sign(random, image, [][32]byte{key}, 0, secret)
	edwards.Wipe(secret)
	if err != nil {
		return SignedImage{}, err
	}
	return SignedImage{Image: image, Signature: signatures[0]}, nil
}

// ImageSigner is a keys.Spender that signs key images.
type ImageSigner interface {
	SignImages(ctx context.Context, outputs []keys.Output) ([]SignedImage, error)
}

// signAtOnce is how many key images one request to an ImageSigner is for, so that it stays small.
const signAtOnce = 256

// SignImages returns SignImage of each of outputs. Errors are SignImage's; an ImageSigner's when the spend secret is elsewhere.
func SignImages(random io.Reader, k *keys.Keys, outputs []keys.Output) ([]SignedImage, error) {
	all := make([]SignedImage, 0, len(outputs))
	if !k.Away() {
		for _, o := range outputs {
			s, err := SignImage(random, k, Owned{Address: o.Address, Derivation: o.Derivation}, o.Index, o.Key)
			if err != nil {
				return nil, err
			}
			all = append(all, s)
		}
		return all, nil
	}
	place, ctx, err := k.Place()
	if err != nil {
		return nil, err
	}
	signer, ok := place.(ImageSigner)
	if !ok {
		return nil, keys.ErrAway
	}
	for len(outputs) > 0 {
		n := min(len(outputs), signAtOnce)
		part, err := signer.SignImages(ctx, outputs[:n])
		if err != nil {
			return nil, err
		}
		if len(part) != n {
			return nil, keys.ErrAway
		}
		all, outputs = append(all, part...), outputs[n:]
	}
	return all, nil
}

// Verify returns an error of package ringsig unless s is the key image of the output whose key is key.
// Source: src/wallet/wallet2.cpp, import_key_images.
func (s *SignedImage) Verify(key xmr.PublicKey) error {
	return ringsig.Verify(s.Image, [][32]byte{key}, s.Image, []ringsig.Signature{s.Signature})
}

// ImageSet is the key images of a run of a wallet's outputs.
type ImageSet struct {
	Offset uint32 // of the first in the wallet's list
	Images []SignedImage
}

const signedImageSize = 32 + 64

// EncodeImages returns s as a file of the wallet; over the service, key images travel one by one.
// Source: src/wallet/wallet2.cpp, export_key_images.
func (b *Box) EncodeImages(random io.Reader, s *ImageSet) ([]byte, error) {
	plain := append(appendUint32(nil, s.Offset), b.header()...)
	for i := range s.Images {
		plain = append(append(plain, s.Images[i].Image[:]...), s.Images[i].Signature.C[:]...)
		plain = append(plain, s.Images[i].Signature.R[:]...)
	}
	return b.sealed(random, magicImages, plain)
}

// DecodeImages reads a file of the same wallet. The signatures are for the caller to verify, who knows the outputs. Errors:
// ErrMagic, ErrDeprecated, ErrVersion, ErrSeal, ErrAccount, those of decoding.
// Source: src/wallet/wallet2.cpp, import_key_images.
func (b *Box) DecodeImages(message []byte) (*ImageSet, error) {
	plain, err := b.opened(message, magicImages)
	if err != nil {
		return nil, err
	}
	r := wire.NewReader(plain)
	s := &ImageSet{Offset: r.Uint32()}
	if header := r.Bytes(64); r.Err() == nil && !bytes.Equal(header, b.header()) {
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
