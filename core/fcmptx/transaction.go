package fcmptx

import (
	"glim/core/crypto/keccak"
	"glim/core/internal/codec/wire"
	"glim/core/tx"
	"glim/core/xmr"
)

// Tags and types. Source: src/cryptonote_basic/cryptonote_basic.h, VARIANT_TAG(binary_archive, …);
// src/ringct/rctTypes.h, RCTTypeFcmpPlusPlus.
const (
	tagCoinbase = 0xff
	tagToKey    = 0x02
	version     = 2
	typeFCMP    = 7
)

// Output is an output in the form of Carrot. Its amount and commitment are fields of the transaction.
// Source: src/cryptonote_basic/cryptonote_basic.h, tx_out and txout_to_carrot_v1.
type Output struct {
	Amount  uint64 // atomic units; 0 in valid transactions, but the format allows others
	Key     xmr.PublicKey
	ViewTag [3]byte
	Anchor  [16]byte // encrypted
}

// Transaction is a transaction of RingCT type 7.
// Source: src/cryptonote_basic/cryptonote_basic.h, transaction; src/ringct/rctTypes.h, rctSigBase.
type Transaction struct {
	UnlockTime uint64
	Inputs     []tx.Input // rings are empty in valid transactions, but the format allows others
	Outputs    []Output
	Extra      []byte // see Enotes; aliases the bytes it was parsed from

	Fee         uint64     // atomic units
	Amounts     [][8]byte  // encrypted, one per output
	Commitments [][32]byte // one per output
	Proofs      *Proofs    // nil when pruned
}

// Proofs are what a pruned node discards. Source: src/ringct/rctTypes.h, rctSigPrunable.
type Proofs struct {
	Range          tx.BulletproofPlus
	ReferenceBlock uint64     // the tree is that of the moment when this block entered the chain
	Layers         uint8      // of that tree
	Blob           []byte     // ProofSize bytes; aliases the bytes it was parsed from
	PseudoOuts     [][32]byte // commitments of the inputs
}

// Parse reads a complete transaction and refuses trailing bytes. It does not check points or proofs. It returns the
// errors of this package, of package wire, and tx.ErrProof.
// Source: src/cryptonote_basic/cryptonote_format_utils.cpp, parse_and_validate_tx_from_blob; src/ringct/rctTypes.h,
// serialize_rctsig_base and serialize_rctsig_prunable.
//
// It is stricter than that format: a transaction has RingCT type 7, and the number of outputs is limited. The rules of
// consensus have the same limits. For a coinbase it returns ErrCoinbase.
func (r *Rules) Parse(b []byte) (*Transaction, error) { return r.parse(b, true) }

// ParsePruned reads a transaction without Proofs, and refuses trailing bytes. It returns the errors of Parse.
// Source: src/cryptonote_basic/cryptonote_format_utils.cpp, parse_and_validate_tx_base_from_blob.
func (r *Rules) ParsePruned(b []byte) (*Transaction, error) { return r.parse(b, false) }

func (r *Rules) parse(b []byte, whole bool) (*Transaction, error) {
	t, in := new(Transaction), wire.NewReader(b)
	t.decode(r, in, whole)
	if err := in.Close(); err != nil {
		return nil, err
	}
	return t, nil
}

// decode reads a transaction. Errors are in's.
func (t *Transaction) decode(r *Rules, in *wire.Reader, whole bool) {
	if in.Varint() != version {
		in.Fail(ErrVersion)
	}
	t.UnlockTime = in.Varint()
	t.decodeInputs(r, in)
	t.decodeOutputs(r, in)
	t.Extra = in.Bytes(in.Count(in.Len(), 1))
	typ := in.Byte()
	if in.Err() == nil && typ != typeFCMP {
		in.Fail(ErrType)
	}
	if in.Err() != nil {
		return
	}
	t.decodeBase(in)
	if whole && in.Err() == nil {
		t.Proofs = new(Proofs)
		t.Proofs.decode(r, in, len(t.Inputs), len(t.Outputs))
	}
}

func (t *Transaction) decodeInputs(r *Rules, in *wire.Reader) {
	n := in.Count(in.Len(), 2)
	if n < 1 || n > r.MaxInputs {
		in.Fail(ErrInput)
	}
	if in.Err() != nil {
		return
	}
	t.Inputs = make([]tx.Input, n)
	for i := range t.Inputs {
		input := &t.Inputs[i]
		switch tag := in.Byte(); {
		case tag == tagCoinbase && n == 1:
			in.Fail(ErrCoinbase)
			return
		case tag == tagToKey:
			input.Amount = in.Varint()
			offsets := in.Count(in.Len(), 1)
			if in.Err() != nil {
				return
			}
			for range offsets {
				input.KeyOffsets = append(input.KeyOffsets, in.Varint())
			}
			input.KeyImage = in.Bytes32()
		default:
			in.Fail(ErrInput)
			return
		}
	}
}

func (t *Transaction) decodeOutputs(r *Rules, in *wire.Reader) {
	n := in.Count(in.Len(), 1+1+32+3+16)
	if n < 1 || n > r.MaxOutputs {
		in.Fail(ErrOutput)
	}
	if in.Err() != nil {
		return
	}
	t.Outputs = make([]Output, n)
	for i := range t.Outputs {
		o := &t.Outputs[i]
		o.Amount = in.Varint()
		if in.Byte() != r.OutputTag {
			in.Fail(ErrOutput)
			return
		}
		o.Key = in.Bytes32()
		copy(o.ViewTag[:], in.Bytes(3))
		copy(o.Anchor[:], in.Bytes(16))
	}
}

func (t *Transaction) decodeBase(in *wire.Reader) {
	t.Fee = in.Varint()
	if len(t.Outputs) > in.Len()/(8+32) {
		in.Fail(wire.ErrShort)
		return
	}
	t.Amounts = make([][8]byte, len(t.Outputs))
	for i := range t.Amounts {
		copy(t.Amounts[i][:], in.Bytes(8))
	}
	t.Commitments = readKeys(in, len(t.Outputs))
}

func (p *Proofs) decode(r *Rules, in *wire.Reader, inputs, outputs int) {
	if in.Varint() != 1 {
		in.Fail(tx.ErrProof)
		return
	}
	p.Range.Decode(in, outputs)
	p.ReferenceBlock = in.Varint()
	p.Layers = in.Byte()
	if in.Err() == nil && (p.Layers == 0 || p.Layers > r.MaxLayers) {
		in.Fail(ErrLayers)
	}
	if in.Err() != nil {
		return
	}
	p.Blob = in.Bytes(ProofSize(inputs, p.Layers))
	p.PseudoOuts = readKeys(in, inputs)
}

// readKeys reads n fields of 32 bytes.
func readKeys(in *wire.Reader, n int) [][32]byte {
	if n > in.Len()/32 {
		in.Fail(wire.ErrShort)
		return nil
	}
	out := make([][32]byte, n)
	for i := range out {
		out[i] = in.Bytes32()
	}
	return out
}

// IsPruned reports whether t lacks its proofs.
func (t *Transaction) IsPruned() bool { return t.Proofs == nil }

// Append serialises t. It reproduces bytes that Parse or ParsePruned accepted under the same rules.
func (r *Rules) Append(b []byte, t *Transaction) []byte {
	return t.appendProofs(t.appendBase(r.appendPrefix(b, t)))
}

func (r *Rules) appendPrefix(b []byte, t *Transaction) []byte {
	b = wire.AppendVarint(wire.AppendVarint(b, version), t.UnlockTime)
	b = wire.AppendVarint(b, uint64(len(t.Inputs)))
	for i := range t.Inputs {
		input := &t.Inputs[i]
		b = wire.AppendVarint(append(b, tagToKey), input.Amount)
		b = wire.AppendVarint(b, uint64(len(input.KeyOffsets)))
		for _, o := range input.KeyOffsets {
			b = wire.AppendVarint(b, o)
		}
		b = append(b, input.KeyImage[:]...)
	}
	b = wire.AppendVarint(b, uint64(len(t.Outputs)))
	for i := range t.Outputs {
		o := &t.Outputs[i]
		b = append(append(wire.AppendVarint(b, o.Amount), r.OutputTag), o.Key[:]...)
		b = append(append(b, o.ViewTag[:]...), o.Anchor[:]...)
	}
	return append(wire.AppendVarint(b, uint64(len(t.Extra))), t.Extra...)
}

func (t *Transaction) appendBase(b []byte) []byte {
	b = wire.AppendVarint(append(b, typeFCMP), t.Fee)
	for i := range t.Amounts {
		b = append(b, t.Amounts[i][:]...)
	}
	return appendKeys(b, t.Commitments)
}

func (t *Transaction) appendProofs(b []byte) []byte {
	p := t.Proofs
	if p == nil {
		return b
	}
	b = p.Range.Append(wire.AppendVarint(b, 1))
	b = append(append(wire.AppendVarint(b, p.ReferenceBlock), p.Layers), p.Blob...)
	return appendKeys(b, p.PseudoOuts)
}

func appendKeys(b []byte, list [][32]byte) []byte {
	for i := range list {
		b = append(b, list[i][:]...)
	}
	return b
}

// Hash returns the transaction's ID. It returns ErrPruned for a pruned transaction; use PrunedHash then.
// Source: src/cryptonote_basic/cryptonote_format_utils.cpp, calculate_transaction_hash.
func (r *Rules) Hash(t *Transaction) (xmr.Hash, error) {
	if t.IsPruned() {
		return xmr.Hash{}, ErrPruned
	}
	return r.PrunedHash(t, t.PrunableHash()), nil
}

// PrunableHash returns the hash of Proofs, as it enters the ID; zero for a pruned transaction.
func (t *Transaction) PrunableHash() xmr.Hash {
	if t.Proofs == nil {
		return xmr.Hash{}
	}
	return keccak.Sum256(t.appendProofs(nil))
}

// PrunedHash returns the transaction's ID given the hash of its proofs.
// Source: src/cryptonote_basic/cryptonote_format_utils.cpp, get_pruned_transaction_hash.
func (r *Rules) PrunedHash(t *Transaction, prunable xmr.Hash) xmr.Hash {
	prefix, base := keccak.Sum256(r.appendPrefix(nil, t)), keccak.Sum256(t.appendBase(nil))
	return keccak.Sum256(prefix[:], base[:], prunable[:])
}

// SignableHash returns what the proofs of spend authorisation sign. It covers all but Proofs.
// Source: src/carrot_impl/format_utils.cpp, calculate_signable_fcmp_pp_transaction_hash.
func (r *Rules) SignableHash(t *Transaction) xmr.Hash {
	prefix, base := keccak.Sum256(r.appendPrefix(nil, t)), keccak.Sum256(t.appendBase(nil))
	return keccak.Sum256(prefix[:], base[:])
}
