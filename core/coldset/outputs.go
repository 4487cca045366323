package coldset

import (
	"errors"
	"io"

	"glim/core/build"
	"glim/core/crypto/edwards"
	"glim/core/internal/codec/wire"
	"glim/core/keys"
	"glim/core/xmr"
)

// Output is what a signer needs of an output to find its key image.
// Source: src/wallet/wallet2.h, exported_transfer_details.
type Output struct {
	// Version is 1, or 0 as written by 0.18.0.0, which lacks Address. Wallets from 0.18.1.0 on refuse 0.
	Version        uint8
	Key            xmr.PublicKey
	Index          uint64 // in its transaction
	Global         uint64
	TxKey          xmr.PublicKey
	Spent          bool
	Frozen         bool
	RingCT         bool
	ImageKnown     bool
	ImageRequested bool
	ImagePartial   bool   // multisig
	Amount         uint64 // atomic units
	AdditionalKeys []xmr.PublicKey
	Address        keys.Index
}

const (
	outputVersion = 1
	outputSize    = 1 + 32 + 1 + 1 + 32 + 1 + 1 + 1 // at least

	// maxOutputIndex is where wallets stop believing an index. Source: src/wallet/wallet2.cpp, import_outputs.
	maxOutputIndex = 65536
)

func (o *Output) flags() [6]*bool {
	return [...]*bool{&o.Spent, &o.Frozen, &o.RingCT, &o.ImageKnown, &o.ImageRequested, &o.ImagePartial}
}

func (o *Output) append(b []byte) []byte {
	b = append(wire.AppendVarint(b, uint64(o.Version)), o.Key[:]...)
	b = wire.AppendVarint(wire.AppendVarint(b, o.Index), o.Global)
	b = append(b, o.TxKey[:]...)
	flags := byte(0)
	for i, f := range o.flags() {
		if *f {
			flags |= 1 << i
		}
	}
	b = wire.AppendVarint(append(b, flags), o.Amount)
	b = append32s(b, o.AdditionalKeys)
	if o.Version >= 1 {
		b = wire.AppendVarint(wire.AppendVarint(b, uint64(o.Address.Major)), uint64(o.Address.Minor))
	}
	return b
}

func (o *Output) decode(r *wire.Reader) {
	o.Version = readVersion(r, outputVersion)
	o.Key = r.Bytes32()
	o.Index, o.Global = r.Varint(), r.Varint()
	o.TxKey = r.Bytes32()
	flags := r.Byte()
	for i, f := range o.flags() {
		*f = flags>>i&1 == 1
	}
	if flags>>len(o.flags()) != 0 {
		r.Fail(ErrMalformed)
	}
	o.Amount = r.Varint()
	o.AdditionalKeys = read32s[xmr.PublicKey](r)
	if o.Version >= 1 {
		o.Address = keys.Index{Major: readUint32(r), Minor: readUint32(r)}
	}
}

// NewOutput describes an output of the wallet k; flags but RingCT are left for the caller. The transaction key is
// computed back from the shared secret, so that whoever derives with it arrives at that secret, be the output's key
// the transaction's or an additional one.
func NewOutput(k *keys.Keys, in *build.Input) (Output, error) {
	key, err := txKey(k, in.Derivation)
	return Output{
		Version: outputVersion, Key: in.Key, Index: in.Index, Global: in.Global, TxKey: key, RingCT: in.RingCT,
		Amount: in.Amount, Address: in.Address,
	}, err
}

// txKey returns R of D = 8·a·R, which is D divided by 8·a in the prime-order subgroup.
func txKey(k *keys.Keys, derivation [32]byte) (xmr.PublicKey, error) {
	d, err := edwards.DecodePoint(derivation)
	if err != nil {
		return xmr.PublicKey{}, err
	}
	eight := edwards.ScalarFromUint64(8)
	divisor := edwards.NewScalar().Multiply(eight, k.ViewScalar())
	return d.ScalarMult(divisor.Invert(divisor), d).Encode(), nil
}

// Owned is an output found to be the wallet's.
type Owned struct {
	Address    keys.Index
	Derivation edwards.Derivation
}

// Own finds which address of the wallet the output went to. ErrNotOurs when to none. Besides what find knows it tries
// the address that the message claims.
func (o *Output) Own(k *keys.Keys, find Addresses) (Owned, error) {
	if o.Index >= maxOutputIndex {
		return Owned{}, ErrMalformed
	}
	return own(k, claimed(k, find, o.Address), o.Key, o.Index, o.TxKey, o.AdditionalKeys)
}

// KeyImage returns the output's key image. ErrNotOurs when the output is not the wallet's; build.ErrViewOnly.
func (o *Output) KeyImage(k *keys.Keys, find Addresses) (xmr.KeyImage, error) {
	at, err := o.Own(k, find)
	if err != nil {
		return xmr.KeyImage{}, err
	}
	return keyImage(k, at, o.Index, o.Key)
}

func keyImage(k *keys.Keys, at Owned, index uint64, key xmr.PublicKey) (xmr.KeyImage, error) {
	image, ok, err := k.KeyImage(at.Derivation, index, at.Address, key)
	if errors.Is(err, keys.ErrMismatch) {
		return image, ErrNotOurs
	}
	if err != nil {
		return image, err
	}
	if !ok {
		return image, build.ErrViewOnly
	}
	return image, nil
}

// claimed is find, with the primary address and those that a message names.
func claimed(k *keys.Keys, find Addresses, named ...keys.Index) Addresses {
	return func(spend xmr.PublicKey) (keys.Index, bool) {
		if spend == k.SpendPublic {
			return keys.Index{}, true
		}
		if find != nil {
			if i, ok := find(spend); ok {
				return i, true
			}
		}
		for _, i := range named {
			if k.SpendKey(i) == spend {
				return i, true
			}
		}
		return keys.Index{}, false
	}
}

// own tries the transaction's key, then the output's own.
// Source: src/cryptonote_basic/cryptonote_format_utils.cpp, is_out_to_acc_precomp.
func own(k *keys.Keys, find Addresses, key xmr.PublicKey, index uint64, main xmr.PublicKey, additional []xmr.PublicKey) (Owned, error) {
	try := []xmr.PublicKey{main}
	if index < uint64(len(additional)) {
		try = append(try, additional[index])
	}
	for _, public := range try {
		d, err := edwards.Derive(k.ViewScalar(), public)
		if err != nil {
			continue
		}
		spend, err := d.SpendKey(index, key)
		if err != nil {
			return Owned{}, ErrNotOurs
		}
		if at, ok := find(spend); ok {
			return Owned{Address: at, Derivation: d}, nil
		}
	}
	return Owned{}, ErrNotOurs
}

// OutputSet is a run of a wallet's outputs, in the order the wallet found them.
// Source: src/wallet/wallet2.cpp, export_outputs.
type OutputSet struct {
	// Paired is the layout of wallets up to 0.18.1.0, which does not say Total. Neither kind reads the other's.
	Paired  bool
	Offset  uint64 // of the first in the wallet's list
	Total   uint64 // length of that list; with Paired where the run ends
	Outputs []Output
	Old     []OldOutput // the element of wallets from before 2021, instead of Outputs
}

// Append writes s behind b.
func (s *OutputSet) Append(b []byte) []byte {
	if s.Paired {
		b = wire.AppendVarint(append(b, 2), s.Offset)
	} else {
		b = wire.AppendVarint(wire.AppendVarint(append(b, 3), s.Offset), s.Total)
	}
	if len(s.Old) > 0 {
		b = wire.AppendVarint(b, uint64(len(s.Old)))
		for i := range s.Old {
			b = s.Old[i].append(b)
		}
		return b
	}
	b = wire.AppendVarint(b, uint64(len(s.Outputs)))
	for i := range s.Outputs {
		b = s.Outputs[i].append(b)
	}
	return b
}

func (s *OutputSet) decode(r *wire.Reader, paired, old bool) {
	size := byte(3)
	if paired {
		size = 2
	}
	if r.Byte() != size {
		r.Fail(ErrMalformed)
	}
	s.Paired, s.Offset = paired, r.Varint()
	if !paired {
		s.Total = r.Varint()
	}
	count := 0
	if old {
		s.Old = make([]OldOutput, r.Count(maxCount, oldOutputSize))
		for i := range s.Old {
			if r.Err() == nil {
				s.Old[i].decode(r)
			}
		}
		count = len(s.Old)
	} else {
		s.Outputs = make([]Output, r.Count(maxCount, outputSize))
		for i := range s.Outputs {
			s.Outputs[i].decode(r)
		}
		count = len(s.Outputs)
	}
	end := s.Offset + uint64(count)
	if paired {
		s.Total = end
	}
	if end < s.Offset || count > 0 && end > s.Total {
		r.Fail(ErrMalformed)
	}
}

// Current returns the run's outputs as wallets of today describe them.
func (s *OutputSet) Current() ([]Output, error) {
	if len(s.Old) == 0 {
		return s.Outputs, nil
	}
	out := make([]Output, len(s.Old))
	for i := range out {
		var err error
		if out[i], err = s.Old[i].Output(); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// For2022 returns s in the layout that 0.18.0.0 reads, which later wallets do not.
func (s *OutputSet) For2022() OutputSet {
	out := *s
	out.Paired, out.Outputs = true, append([]Output(nil), s.Outputs...)
	for i := range out.Outputs {
		out.Outputs[i].Version, out.Outputs[i].Address = 0, keys.Index{}
	}
	out.Total = s.Offset + uint64(len(out.Outputs)+len(out.Old))
	return out
}

// ParseOutputSet reads what Append wrote, in any of the layouts wallets have had since 2021, and refuses bytes after it.
// Source: src/wallet/wallet2.cpp, import_outputs_from_str.
func ParseOutputSet(b []byte) (*OutputSet, error) {
	if len(b) == 0 {
		return nil, wire.ErrShort
	}
	var first error
	for _, old := range []bool{false, true} {
		s := new(OutputSet)
		r := wire.NewReader(b)
		s.decode(r, b[0] == 2, old)
		err := r.Close()
		if err == nil {
			return s, nil
		}
		if first == nil {
			first = err
		}
	}
	return nil, first
}

// EncodeOutputs returns s as a message of the wallet.
// Source: src/wallet/wallet2.cpp, export_outputs_to_str.
func (b *Box) EncodeOutputs(random io.Reader, s *OutputSet) ([]byte, error) {
	return b.sealed(random, magicOutputs, s.Append(b.header()))
}

// DecodeOutputs reads a message of the same wallet. Errors: ErrMagic, ErrDeprecated, ErrVersion, ErrSeal, ErrAccount,
// those of decoding.
// Source: src/wallet/wallet2.cpp, import_outputs_from_str.
func (b *Box) DecodeOutputs(message []byte) (*OutputSet, error) {
	plain, err := b.openedOwn(message, magicOutputs)
	if err != nil {
		return nil, err
	}
	return ParseOutputSet(plain)
}
