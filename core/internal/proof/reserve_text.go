package proof

import (
	"slices"
	"strings"

	"glim/core/internal/codec/base58"
	"glim/core/internal/codec/wire"
	"glim/core/internal/crypto/dleq"
	"glim/core/internal/crypto/ringsig"
	"glim/core/internal/crypto/schnorr"
	"glim/core/xmr"
)

const (
	reserveV1 = "ReserveProofV1"
	reserveV2 = "ReserveProofV2"
)

// Minimal sizes of the parts of a reserve proof, in bytes.
const (
	entrySize = 1 + 32 + 1 + 32 + 32 + 64 + 64
	nameSize  = 1 + 32 + 64
)

// Reserve is a parsed reserve proof; Check verifies it.
type Reserve struct {
	version dleq.Version
	entries []reserveEntry
	names   []signedName // of the addresses that received the outputs, and of the primary one
}

// reserveEntry claims one output: that it was received (the shared secret), and its key image.
// Source: src/wallet/wallet2.h, reserve_proof_entry.
type reserveEntry struct {
	txID     xmr.Hash
	output   uint64
	shared   [32]byte
	image    xmr.KeyImage
	received dleq.Proof
	held     ringsig.Signature
}

// signedName is a public spend key with its own signature.
type signedName struct {
	spend xmr.PublicKey
	sig   schnorr.Signature
}

// ParseReserve reads a reserve proof. It returns ErrMalformed for other text and for a repeated output, key image or
// address.
//
// The reference can also read an older serialisation; this function cannot.
// Source: src/wallet/wallet2.cpp, check_reserve_proof; src/serialization.
func ParseReserve(text string) (*Reserve, error) {
	p := &Reserve{version: dleq.V2}
	body, ok := strings.CutPrefix(text, reserveV2)
	if !ok {
		p.version = dleq.V1
		if body, ok = strings.CutPrefix(text, reserveV1); !ok {
			return nil, ErrMalformed
		}
	}
	data, err := base58.Decode(body)
	if err != nil {
		return nil, ErrMalformed
	}
	r := wire.NewReader(data)
	p.entries = make([]reserveEntry, r.Count(len(data), entrySize))
	for i := range p.entries {
		p.entries[i].decode(r)
	}
	p.names = make([]signedName, r.Count(len(data), nameSize))
	for i := range p.names {
		if r.Varint() != 2 { // the number of things in a pair
			r.Fail(ErrMalformed)
		}
		p.names[i] = signedName{r.Bytes32(), schnorr.Signature{C: r.Bytes32(), R: r.Bytes32()}}
	}
	if r.Close() != nil || p.repeats() {
		return nil, ErrMalformed
	}
	return p, nil
}

func (e *reserveEntry) decode(r *wire.Reader) {
	if r.Varint() != 0 { // the version of the entry
		r.Fail(ErrMalformed)
	}
	e.txID, e.output = r.Bytes32(), r.Varint()
	e.shared, e.image = r.Bytes32(), r.Bytes32()
	e.received = dleq.Proof{C: r.Bytes32(), R: r.Bytes32()}
	e.held = ringsig.Signature{C: r.Bytes32(), R: r.Bytes32()}
}

// repeats reports whether an output, key image or address is repeated, which would count it twice.
func (p *Reserve) repeats() bool {
	type place struct {
		id     xmr.Hash
		output uint64
	}
	outputs, images, names := map[place]bool{}, map[xmr.KeyImage]bool{}, map[xmr.PublicKey]bool{}
	for i := range p.entries {
		e := &p.entries[i]
		outputs[place{e.txID, e.output}], images[e.image] = true, true
	}
	for i := range p.names {
		names[p.names[i].spend] = true
	}
	return len(outputs) != len(p.entries) || len(images) != len(p.entries) || len(names) != len(p.names)
}

// Text returns the proof in the format of ParseReserve.
func (p *Reserve) Text() string {
	b := wire.AppendVarint(nil, uint64(len(p.entries)))
	for i := range p.entries {
		e := &p.entries[i]
		b = wire.AppendVarint(append(append(b, 0), e.txID[:]...), e.output)
		b = slices.Concat(b, e.shared[:], e.image[:], e.received.C[:], e.received.R[:], e.held.C[:], e.held.R[:])
	}
	b = wire.AppendVarint(b, uint64(len(p.names)))
	for i := range p.names {
		n := &p.names[i]
		b = slices.Concat(b, []byte{2}, n.spend[:], n.sig.C[:], n.sig.R[:])
	}
	if p.version == dleq.V1 {
		return reserveV1 + base58.Encode(b)
	}
	return reserveV2 + base58.Encode(b)
}

// TxIDs returns the transactions of the outputs, in the proof's order; one may occur several times.
func (p *Reserve) TxIDs() []xmr.Hash {
	out := make([]xmr.Hash, len(p.entries))
	for i := range out {
		out[i] = p.entries[i].txID
	}
	return out
}

// KeyImages returns the key images of the outputs, in the proof's order.
func (p *Reserve) KeyImages() []xmr.KeyImage {
	out := make([]xmr.KeyImage, len(p.entries))
	for i := range out {
		out[i] = p.entries[i].image
	}
	return out
}
