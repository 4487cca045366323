package fcmpbuild

import (
	"errors"

	"glim/core/address"
	"glim/core/carrot"
	"glim/core/crypto/edwards"
	"glim/core/fcmp"
	"glim/core/internal/codec/wire"
	"glim/core/keys"
	"glim/core/txbuild"
	"glim/core/xmr"
)

// UnsignedSet is what a view-only wallet asks its signer to sign.
type UnsignedSet struct {
	Network xmr.Network
	// Height is that of the chain. It tells a signer without a chain whether it is a short private one, whose fees may
	// be higher.
	Height       uint64
	Transactions []Unsigned // 1 to MaxSet
}

// SignedSet is what the signer returns.
type SignedSet struct {
	Transactions []Signed // 1 to MaxSet
}

// MaxSet is the largest number of transactions in a set.
const MaxSet = 256

// ErrSet reports bytes that are not a set. Retrying is pointless.
var ErrSet = errors.New("fcmpbuild: not a set of transactions to be signed, or of signed ones")

// Smallest sizes of encoded parts, in bytes.
const (
	minInput       = 1 + 2 + 32 + 1 + 3*32
	minDestination = 1 + 2*32 + 1
	minUnsigned    = 32 + 1 + 2 + 1 + minInput + 1 + minDestination + 1
)

// Append appends the encoding of s, which does not contain key images. Numbers are varints, and lists begin with their
// length. The caller encrypts it.
func (s *UnsignedSet) Append(b []byte) []byte {
	b = append(b, byte(s.Network))
	b = wire.AppendVarint(wire.AppendVarint(b, s.Height), uint64(len(s.Transactions)))
	for i := range s.Transactions {
		b = s.Transactions[i].append(b)
	}
	return b
}

// ParseUnsignedSet reads the result of Append. Destinations get Text. It returns ErrSet.
func ParseUnsignedSet(b []byte) (*UnsignedSet, error) {
	r := wire.NewReader(b)
	s := &UnsignedSet{Network: xmr.Network(r.Byte()), Height: r.Varint()}
	s.Transactions = make([]Unsigned, r.Count(MaxSet, minUnsigned))
	for i := range s.Transactions {
		s.Transactions[i].read(r, s.Network)
	}
	if r.Close() != nil || len(s.Transactions) == 0 {
		return nil, ErrSet
	}
	return s, nil
}

// Append appends the encoding of s for a network. The caller encrypts it.
func (s *SignedSet) Append(b []byte, network xmr.Network) []byte {
	b = append(b, byte(network))
	b = wire.AppendVarint(b, uint64(len(s.Transactions)))
	for i := range s.Transactions {
		t := &s.Transactions[i]
		b = t.append(b)
		for _, image := range t.Images {
			b = append(b, image[:]...)
		}
		for _, proof := range t.Proofs {
			b = append(b, proof...)
		}
	}
	return b
}

// ParseSignedSet reads the result of Append for a network. It does not verify proofs. It returns ErrSet.
func ParseSignedSet(b []byte, network xmr.Network) (*SignedSet, error) {
	r := wire.NewReader(b)
	if xmr.Network(r.Byte()) != network {
		return nil, ErrSet
	}
	s := &SignedSet{Transactions: make([]Signed, r.Count(MaxSet, minUnsigned+32+fcmp.SpendProofSize))}
	for i := range s.Transactions {
		t := &s.Transactions[i]
		t.read(r, network)
		for range t.Inputs {
			t.Images = append(t.Images, r.Bytes32())
		}
		for range t.Inputs {
			t.Proofs = append(t.Proofs, r.Bytes(fcmp.SpendProofSize))
		}
	}
	if r.Close() != nil || len(s.Transactions) == 0 {
		return nil, ErrSet
	}
	return s, nil
}

func (u *Unsigned) append(b []byte) []byte {
	b = append(b, u.Seed[:]...)
	b = wire.AppendVarint(b, u.PerByte)
	b = appendIndex(b, u.Change)
	b = wire.AppendVarint(b, uint64(len(u.Inputs)))
	for i := range u.Inputs {
		in := &u.Inputs[i]
		r := &in.Received
		b = appendIndex(append(b, byte(in.Format)), in.Address)
		b = wire.AppendVarint(append(b, r.Key[:]...), r.Amount)
		for _, s := range []*edwards.Scalar{r.Mask, r.ExtensionG, r.ExtensionT} {
			encoded := edwards.EncodeScalar(s)
			b = append(b, encoded[:]...)
		}
	}
	b = wire.AppendVarint(b, uint64(len(u.Destinations)))
	for i := range u.Destinations {
		to := &u.Destinations[i].Address
		b = append(b, byte(to.Kind))
		b = append(append(b, to.Spend[:]...), to.View[:]...)
		if to.Kind == address.Integrated {
			b = append(b, to.PaymentID[:]...)
		}
		b = wire.AppendVarint(b, u.Destinations[i].Amount)
	}
	b = wire.AppendVarint(b, uint64(len(u.ChangeShares)))
	for _, share := range u.ChangeShares {
		b = wire.AppendVarint(b, share)
	}
	return b
}

func (u *Unsigned) read(r *wire.Reader, network xmr.Network) {
	u.Seed, u.PerByte, u.Change = r.Bytes32(), r.Varint(), readIndex(r)
	u.Inputs = make([]Input, r.Count(format.MaxInputs, minInput))
	for i := range u.Inputs {
		u.Inputs[i].read(r)
	}
	u.Destinations = make([]txbuild.Destination, r.Count(format.MaxOutputs-1, minDestination))
	for i := range u.Destinations {
		u.Destinations[i] = readDestination(r, network)
	}
	if n := r.Count(format.MaxOutputs-1, 1); n > 0 {
		u.ChangeShares = make([]uint64, n)
	}
	for i := range u.ChangeShares {
		u.ChangeShares[i] = r.Varint()
	}
	if len(u.Inputs) == 0 || len(u.Destinations) == 0 {
		r.Fail(ErrSet)
	}
}

func (in *Input) read(r *wire.Reader) {
	if in.Format = carrot.Format(r.Byte()); in.Format > carrot.CarrotOutput {
		r.Fail(ErrSet)
	}
	in.Address = readIndex(r)
	out := &in.Received
	out.Key, out.Amount = r.Bytes32(), r.Varint()
	for _, s := range []**edwards.Scalar{&out.Mask, &out.ExtensionG, &out.ExtensionT} {
		var err error
		if *s, err = edwards.DecodeScalar(r.Bytes32()); err != nil {
			r.Fail(ErrSet)
		}
	}
}

func readDestination(r *wire.Reader, network xmr.Network) (d txbuild.Destination) {
	to := &d.Address
	to.Network, to.Kind = network, address.Kind(r.Byte())
	to.Spend, to.View = r.Bytes32(), r.Bytes32()
	switch to.Kind {
	case address.Standard, address.Subaddress:
	case address.Integrated:
		copy(to.PaymentID[:], r.Bytes(len(to.PaymentID)))
	default:
		r.Fail(ErrSet)
		return txbuild.Destination{}
	}
	d.Amount = r.Varint()
	d.Text = to.String()
	return d
}

func appendIndex(b []byte, i keys.Index) []byte {
	return wire.AppendVarint(wire.AppendVarint(b, uint64(i.Major)), uint64(i.Minor))
}

func readIndex(r *wire.Reader) keys.Index {
	major, minor := r.Varint(), r.Varint()
	if major > 1<<32-1 || minor > 1<<32-1 {
		r.Fail(ErrSet)
	}
	return keys.Index{Major: uint32(major), Minor: uint32(minor)}
}
