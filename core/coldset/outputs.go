package coldset

import (
	"errors"
	"io"

	"glim/core/crypto/edwards"
	"glim/core/internal/codec/wire"
	"glim/core/keys"
	"glim/core/txbuild"
	"glim/core/xmr"
)

// ExportedOutput has the data that a signer needs to compute an output's key image.
// Source: src/wallet/wallet2.h, exported_transfer_details.
type ExportedOutput struct {
	// Version is 1, or 0 as written by 0.18.0.0, which lacks Address. Releases from 0.18.1.0 on refuse 0.
	Version        uint8
	Key            xmr.PublicKey
	Index          uint64 // in its transaction
	GlobalIndex    uint64
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
	// Carrot is nil except for an output of the next hard fork, which only AppendNext has a place for.
	Carrot *CarrotPart
}

const (
	outputVersion = 1
	outputSize    = 1 + 32 + 1 + 1 + 32 + 1 + 1 + 1 // at least

	// maxOutputIndex is where wallets stop believing an index. Source: src/wallet/wallet2.cpp, import_outputs.
	maxOutputIndex = 65536
)

func (o *ExportedOutput) flags() [6]*bool {
	return [...]*bool{&o.Spent, &o.Frozen, &o.RingCT, &o.ImageKnown, &o.ImageRequested, &o.ImagePartial}
}

// bits returns the flags, one a bit.
func (o *ExportedOutput) bits() (flags byte) {
	for i, f := range o.flags() {
		if *f {
			flags |= 1 << i
		}
	}
	return flags
}

// setBits reads the result of bits.
func (o *ExportedOutput) setBits(r *wire.Reader) {
	flags := r.Byte()
	for i, f := range o.flags() {
		*f = flags>>i&1 == 1
	}
	if flags>>len(o.flags()) != 0 {
		r.Fail(ErrMalformed)
	}
}

func (o *ExportedOutput) append(b []byte) []byte {
	b = append(wire.AppendVarint(b, uint64(o.Version)), o.Key[:]...)
	b = wire.AppendVarint(wire.AppendVarint(b, o.Index), o.GlobalIndex)
	b = append(b, o.TxKey[:]...)
	b = wire.AppendVarint(append(b, o.bits()), o.Amount)
	b = wire.AppendKeys(b, o.AdditionalKeys)
	if o.Version >= 1 {
		b = wire.AppendVarint(wire.AppendVarint(b, uint64(o.Address.Major)), uint64(o.Address.Minor))
	}
	return b
}

func (o *ExportedOutput) decode(r *wire.Reader) {
	o.Version = readVersion(r, outputVersion)
	o.Key = r.Bytes32()
	o.Index, o.GlobalIndex = r.Varint(), r.Varint()
	o.TxKey = r.Bytes32()
	o.setBits(r)
	o.Amount = r.Varint()
	o.AdditionalKeys = wire.ReadKeys[xmr.PublicKey](r, maxCount)
	if o.Version >= 1 {
		o.Address = keys.Index{Major: readUint32(r), Minor: readUint32(r)}
	}
}

// NewExportedOutput describes an output of the wallet k; the caller sets all flags except RingCT. It computes the
// transaction key from the shared secret, so that deriving with it gives that secret, whether the output belongs to the
// transaction key or an additional one.
func NewExportedOutput(k *keys.Keys, in *txbuild.Input) (ExportedOutput, error) {
	key, err := txKey(k, in.Derivation)
	return ExportedOutput{
		Version: outputVersion, Key: in.Key, Index: in.Index, GlobalIndex: in.GlobalIndex, TxKey: key,
		RingCT: in.RingCT,
		Amount: in.Amount, Address: in.Address,
	}, err
}

// txKey returns R from D = 8·a·R, by dividing D by 8·a in the prime-order subgroup.
func txKey(k *keys.Keys, derivation [32]byte) (xmr.PublicKey, error) {
	d, err := edwards.DecodePoint(derivation)
	if err != nil {
		return xmr.PublicKey{}, err
	}
	eight := edwards.ScalarFromUint64(8)
	divisor := edwards.NewScalar().Multiply(eight, k.ViewScalar())
	return d.ScalarMult(divisor.Invert(divisor), d).Encode(), nil
}

// Owned is the result of finding that an output is the wallet's.
type Owned struct {
	Address    keys.Index
	Derivation edwards.Derivation
}

// Owned returns the address and derivation with which the wallet received the output, or ErrNotOurs. It considers the
// addresses of find and the one that the message claims.
func (o *ExportedOutput) Owned(k *keys.Keys, find AddressLookup) (Owned, error) {
	if o.Index >= maxOutputIndex {
		return Owned{}, ErrMalformed
	}
	return own(k, claimed(k, find, o.Address), o.Key, o.Index, o.TxKey, o.AdditionalKeys)
}

// KeyImage returns the output's key image. It returns ErrNotOurs or txbuild.ErrViewOnly.
func (o *ExportedOutput) KeyImage(k *keys.Keys, find AddressLookup) (xmr.KeyImage, error) {
	at, err := o.Owned(k, find)
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
		return image, txbuild.ErrViewOnly
	}
	return image, nil
}

// claimed extends find by the primary address and the given ones.
func claimed(k *keys.Keys, find AddressLookup, named ...keys.Index) AddressLookup {
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

// own tries the transaction key, then the output's additional key.
// Source: src/cryptonote_basic/cryptonote_format_utils.cpp, is_out_to_acc_precomp.
func own(
	k *keys.Keys, find AddressLookup, key xmr.PublicKey, index uint64, main xmr.PublicKey, additional []xmr.PublicKey,
) (Owned, error) {
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

// OutputSet has consecutive outputs of a wallet, in the order in which the wallet found them.
// Source: src/wallet/wallet2.cpp, export_outputs.
type OutputSet struct {
	// Paired marks the layout up to 0.18.1.0, which lacks Total. Releases read only their own layout.
	Paired    bool
	Offset    uint64 // of the first in the wallet's list
	Total     uint64 // length of that list; with Paired, the end of these
	Outputs   []ExportedOutput
	Transfers []TransferDetails // of wallets from before 2021, instead of Outputs
}

// Append serialises s after b.
func (s *OutputSet) Append(b []byte) []byte {
	if s.Paired {
		b = wire.AppendVarint(append(b, 2), s.Offset)
	} else {
		b = wire.AppendVarint(wire.AppendVarint(append(b, 3), s.Offset), s.Total)
	}
	if len(s.Transfers) > 0 {
		b = wire.AppendVarint(b, uint64(len(s.Transfers)))
		for i := range s.Transfers {
			b = s.Transfers[i].append(b)
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
		s.Transfers = make([]TransferDetails, r.Count(maxCount, transferDetailsSize))
		for i := range s.Transfers {
			if r.Err() == nil {
				s.Transfers[i].decode(r)
			}
		}
		count = len(s.Transfers)
	} else {
		s.Outputs = make([]ExportedOutput, r.Count(maxCount, outputSize))
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

// Exported returns the outputs in the current description.
func (s *OutputSet) Exported() ([]ExportedOutput, error) {
	if len(s.Transfers) == 0 {
		return s.Outputs, nil
	}
	out := make([]ExportedOutput, len(s.Transfers))
	for i := range out {
		var err error
		if out[i], err = s.Transfers[i].Exported(); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// Legacy returns s in the layout of 0.18.0.0, which later releases do not read.
func (s *OutputSet) Legacy() OutputSet {
	out := *s
	out.Paired, out.Outputs = true, append([]ExportedOutput(nil), s.Outputs...)
	for i := range out.Outputs {
		out.Outputs[i].Version, out.Outputs[i].Address = 0, keys.Index{}
	}
	out.Total = s.Offset + uint64(len(out.Outputs)+len(out.Transfers))
	return out
}

// ParseOutputSet reads what Append wrote, in any layout since 2021, and refuses trailing bytes.
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
func (b *Cipher) EncodeOutputs(random io.Reader, s *OutputSet) ([]byte, error) {
	return b.EncryptMessage(random, magicOutputs, s.Append(b.Header()))
}

// DecodeOutputs reads a message of the same wallet. It returns ErrMagic, ErrDeprecated, ErrVersion, ErrSeal,
// ErrAccount, or a decoding error.
// Source: src/wallet/wallet2.cpp, import_outputs_from_str.
func (b *Cipher) DecodeOutputs(message []byte) (*OutputSet, error) {
	plain, err := b.DecryptAddressed(message, magicOutputs)
	if err != nil {
		return nil, err
	}
	return ParseOutputSet(plain)
}
