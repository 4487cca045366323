package coldset

import (
	"io"
	"math"

	"glim/core/internal/codec/wire"
	"glim/core/keys"
	"glim/core/xmr"
)

// Messages with outputs and key images of the next hard fork, for which the reference has no form yet. The last byte of
// the magic words is the version of what follows. Messages about outputs from before the fork only keep the reference's
// form.
const (
	magicNextImages  = "glim key images\x01"
	magicNextOutputs = "glim outputs\x01"
)

// Kinds of outputs and of proofs of key images in these messages.
const (
	kindToday = 0 // as in the reference's messages
	kindNext  = 1
)

// OpeningSize is the size of SignedImage.Opening in bytes.
const OpeningSize = 96

// CarrotPart is what the description of an output of the next hard fork has in place of Version, TxKey and
// AdditionalKeys, see wallet.OwnedOutput.
type CarrotPart struct {
	Secret    [32]byte // carrot.EnoteSecret, which is shared with the sender
	Mask      [32]byte // of the commitment
	EnoteType uint8    // 0 or 1
	Coinbase  bool
}

const (
	nextOutputSize = 32 + 1 + 1 + 1 + 1 + 2 + 2 + 2*32 // at least

	maxEnoteType = 1
)

func (o *ExportedOutput) appendNext(b []byte) []byte {
	c := o.Carrot
	if c == nil {
		return o.append(append(b, kindToday))
	}
	b = append(append(b, kindNext), o.Key[:]...)
	b = wire.AppendVarint(wire.AppendVarint(b, o.Index), o.GlobalIndex)
	b = wire.AppendVarint(append(b, o.bits()), o.Amount)
	b = wire.AppendVarint(wire.AppendVarint(b, uint64(o.Address.Major)), uint64(o.Address.Minor))
	b = appendBool(append(b, c.EnoteType), c.Coinbase)
	return append(append(b, c.Secret[:]...), c.Mask[:]...)
}

func (o *ExportedOutput) decodeNext(r *wire.Reader) {
	switch r.Byte() {
	case kindToday:
		o.decode(r)
		return
	case kindNext:
	default:
		r.Fail(ErrMalformed)
		return
	}
	o.Key, o.Index, o.GlobalIndex = r.Bytes32(), r.Varint(), r.Varint()
	o.setBits(r)
	o.Amount = r.Varint()
	o.Address = keys.Index{Major: readUint32(r), Minor: readUint32(r)}
	c := &CarrotPart{EnoteType: r.Byte(), Coinbase: readBool(r)}
	c.Secret, c.Mask, o.Carrot = r.Bytes32(), r.Bytes32(), c
	if c.EnoteType > maxEnoteType || o.Index >= maxOutputIndex {
		r.Fail(ErrMalformed)
	}
}

// AppendNext serialises s after b in the form that has a place for outputs of the next hard fork: offset, total, and
// the number of outputs, then these.
func (s *OutputSet) AppendNext(b []byte) []byte {
	b = wire.AppendVarint(wire.AppendVarint(b, s.Offset), s.Total)
	b = wire.AppendVarint(b, uint64(len(s.Outputs)))
	for i := range s.Outputs {
		b = s.Outputs[i].appendNext(b)
	}
	return b
}

// ParseNextOutputSet reads what AppendNext wrote. It returns ErrMalformed, ErrVersion, or an error of package wire.
func ParseNextOutputSet(b []byte) (*OutputSet, error) {
	r := wire.NewReader(b)
	s := &OutputSet{Offset: r.Varint(), Total: r.Varint()}
	s.Outputs = make([]ExportedOutput, r.Count(maxCount, 1+min(outputSize, nextOutputSize)))
	for i := range s.Outputs {
		s.Outputs[i].decodeNext(r)
	}
	if end := s.Offset + uint64(len(s.Outputs)); end < s.Offset || end > s.Total {
		r.Fail(ErrMalformed)
	}
	if err := r.Close(); err != nil {
		return nil, err
	}
	return s, nil
}

// EncodeNextOutputs returns s as a message of the wallet. The error is random's.
func (b *Cipher) EncodeNextOutputs(random io.Reader, s *OutputSet) ([]byte, error) {
	plain := s.AppendNext(b.Header())
	defer clear(plain)
	return b.EncryptMessage(random, magicNextOutputs, plain)
}

// DecodeNextOutputs reads a message of the same wallet. It returns ErrMagic for one of the reference's form, and the
// errors of DecryptAddressed and ParseNextOutputSet.
func (b *Cipher) DecodeNextOutputs(message []byte) (*OutputSet, error) {
	plain, err := b.DecryptAddressed(message, magicNextOutputs)
	if err != nil {
		return nil, err
	}
	defer clear(plain)
	return ParseNextOutputSet(plain)
}

// EncodeNextImages returns s as a message of the wallet. The error is random's.
func (b *Cipher) EncodeNextImages(random io.Reader, s *ImageSet) ([]byte, error) {
	plain := appendUint32(b.Header(), s.Offset)
	for i := range s.Images {
		image := &s.Images[i]
		if image.Opening != nil {
			plain = append(append(append(plain, kindNext), image.Image[:]...), image.Opening[:]...)
			continue
		}
		plain = append(append(plain, kindToday), image.Image[:]...)
		plain = append(append(plain, image.Signature.C[:]...), image.Signature.R[:]...)
	}
	return b.EncryptMessage(random, magicNextImages, plain)
}

// DecodeNextImages reads a message of the same wallet. The caller, who knows the outputs, verifies the proofs. It
// returns ErrMagic for one of the reference's form, the errors of DecryptAddressed, ErrMalformed, or an error of
// package wire.
func (b *Cipher) DecodeNextImages(message []byte) (*ImageSet, error) {
	plain, err := b.DecryptAddressed(message, magicNextImages)
	if err != nil {
		return nil, err
	}
	r := wire.NewReader(plain)
	s := &ImageSet{Offset: r.Uint32()}
	for r.Err() == nil && r.Len() > 0 {
		kind, image := r.Byte(), SignedImage{Image: xmr.KeyImage(r.Bytes32())}
		switch kind {
		case kindToday:
			image.Signature.C, image.Signature.R = r.Bytes32(), r.Bytes32()
		case kindNext:
			image.Opening = new([OpeningSize]byte)
			copy(image.Opening[:], r.Bytes(OpeningSize))
		default:
			r.Fail(ErrMalformed)
		}
		s.Images = append(s.Images, image)
	}
	if uint64(s.Offset)+uint64(len(s.Images)) > math.MaxUint32 {
		r.Fail(ErrMalformed)
	}
	if err := r.Close(); err != nil {
		return nil, err
	}
	return s, nil
}
