package build

import (
	"bytes"
	"encoding/binary"
	"io"
	"slices"

	"glim/core/address"
	"glim/core/crypto/clsag"
	"glim/core/crypto/edwards"
	"glim/core/crypto/keccak"
	"glim/core/decoy"
	"glim/core/internal/order"
	"glim/core/keys"
	"glim/core/tx"
	"glim/core/xmr"
)

// Shared is a transaction that several signers of one wallet make together. It is whole but for the responses of the real
// ring members and the first challenges, which only all of them can give.
type Shared struct {
	Tx             *tx.Transaction
	Weight         uint64
	Fee            uint64
	Change         uint64 // atomic units returned to ChangeTo
	PaymentID      xmr.Hash
	Inputs         []Input       // in the order of the transaction's inputs
	Rings          []decoy.Ring  // likewise
	Outputs        []Destination // in the order of the transaction's outputs, change included
	ChangeTo       address.Address
	Key            keys.Secret
	AdditionalKeys []keys.Secret
	Entropy        keys.Secret     // what the keys were made of, so that every signer can make them again
	Signatures     []*clsag.Shared // one an input

	masks []*edwards.Scalar
}

// Mask returns what the commitment of input i exceeds its pseudo-output's by, which only who made the transaction knows and
// responds with; nil for others.
func (s *Shared) Mask(i int) *edwards.Scalar {
	if s.masks == nil {
		return nil
	}
	return s.masks[i]
}

// NewShared makes the transaction of plan, which is settled, for the wallet k, whose inputs have these key images. The
// transaction's keys follow from randomness and the key images, so that no two transactions on a chain have an output
// in common. Errors: as Construct, but for spend keys, which are not needed.
// Source: src/multisig/multisig_tx_builder_ringct.cpp, tx_builder_ringct_t::init.
func NewShared(random io.Reader, k *keys.Keys, plan Plan, rings []decoy.Ring, images []xmr.KeyImage) (*Shared, error) {
	d, err := sketch(random, k, plan, plan.Fee, rings)
	if err != nil {
		return nil, err
	}
	if d.change == 0 && !slices.ContainsFunc(d.outputs, func(o output) bool { return o.change && o.Amount == 0 }) {
		// Nothing is change then, not even what is paid to the wallet itself: that is how others make it again.
		d.plan.Change = address.Address{}
		for i := range d.outputs {
			d.outputs[i].change = false
		}
	}
	if err := d.shareInputs(images); err != nil {
		return nil, err
	}
	entropy, err := edwards.RandomScalar(random)
	if err != nil {
		return nil, err
	}
	d.shareKeys(edwards.EncodeScalar(entropy))
	if err := d.lay(); err != nil {
		return nil, err
	}
	pseudo, err := d.prove(random)
	if err != nil {
		return nil, err
	}
	p := d.tx.RingCT.Prunable
	masks := make([]*edwards.Scalar, len(pseudo))
	for i, ring := range d.rings {
		mask, err := edwards.DecodeScalar(d.plan.Inputs[i].Mask)
		if err != nil {
			return nil, err
		}
		masks[i] = mask.Subtract(mask, pseudo[i])
		c := tx.CLSAG{S: make([][32]byte, len(ring.Members)), D: clsag.Auxiliary(d.plan.Inputs[i].Key, masks[i])}
		for j := range c.S {
			if j == ring.Real {
				continue
			}
			response, err := edwards.RandomScalar(random)
			if err != nil {
				return nil, err
			}
			c.S[j] = edwards.EncodeScalar(response)
		}
		p.CLSAGs = append(p.CLSAGs, c)
	}
	s, err := d.sharing(random, edwards.EncodeScalar(entropy))
	if err != nil {
		return nil, err
	}
	s.masks = masks
	return s, nil
}

// Terms are what a shared transaction is said to do, by who made it.
type Terms struct {
	Plan    Plan         // settled; Change is empty when nothing is change
	Rings   []decoy.Ring // one an input of the plan
	Images  []xmr.KeyImage
	Outputs []Destination // in the order of the transaction's, change included
	Change  uint64        // atomic units
	Entropy keys.Secret
}

// Review makes the transaction of terms once more, from what it is said to do, and returns it if t is exactly that:
// the same rings, keys, recipients, amounts, fee and payment ID, and proofs that hold. Otherwise ErrInsane.
// Source: src/multisig/multisig_tx_builder_ringct.cpp, tx_builder_ringct_t::init with reconstruction.
func Review(random io.Reader, k *keys.Keys, terms *Terms, t *tx.Transaction) (*Shared, error) {
	if len(terms.Plan.Inputs) == 0 || len(terms.Rings) != len(terms.Plan.Inputs) || len(terms.Outputs) < 2 ||
		len(terms.Outputs) > xmr.MaxOutputs {
		return nil, insane("numbers of inputs or outputs that no transaction has")
	}
	d := &draft{plan: terms.Plan, rings: slices.Clone(terms.Rings), k: k, fee: terms.Plan.Fee, change: terms.Change}
	d.plan.Inputs = slices.Clone(terms.Plan.Inputs)
	in, _, err := d.plan.sums()
	if err != nil {
		return nil, err
	}
	out := d.fee
	for _, to := range terms.Outputs {
		if out, err = xmr.Sum(out, to.Amount); err != nil {
			return nil, err
		}
		d.outputs = append(d.outputs, output{to, sameKeys(to.Address, d.plan.Change)})
	}
	if in != out {
		return nil, insane("inputs and outputs do not balance")
	}
	if err := d.shareInputs(terms.Images); err != nil {
		return nil, err
	}
	if terms.Entropy == (keys.Secret{}) {
		return nil, insane("the transaction's keys cannot be made again")
	}
	d.shareKeys(terms.Entropy)
	if err := d.lay(); err != nil {
		return nil, err
	}
	if err := d.compare(random, t); err != nil {
		return nil, err
	}
	d.tx = t
	return d.sharing(random, terms.Entropy)
}

// compare holds t against the draft.
func (d *draft) compare(random io.Reader, t *tx.Transaction) error {
	if t.PrefixHash() != d.tx.PrefixHash() {
		return insane("its inputs, outputs or extra bytes are not those described")
	}
	r := &t.RingCT
	if r.Type != tx.RingCTBulletproofPlus || r.Fee != d.fee || r.Prunable == nil ||
		len(r.Ecdh) != len(d.outputs) || len(r.Commitments) != len(d.outputs) {
		return insane("kind, fee or number of amounts differ")
	}
	for i := range d.outputs {
		e, mask := d.sealed(i)
		if r.Ecdh[i] != e || r.Commitments[i] != edwards.Commit(mask, d.outputs[i].Amount).Encode() {
			return insane("the amount of output %d is not the one described", i)
		}
	}
	p := r.Prunable
	if len(p.CLSAGs) != len(d.rings) || len(p.PseudoOuts) != len(d.rings) || len(p.BulletproofsPlus) != 1 {
		return insane("number of proofs differs")
	}
	return d.checkAmounts(random, t)
}

// sealed returns the encrypted amount and the mask of output i.
func (d *draft) sealed(i int) (tx.EcdhInfo, *edwards.Scalar) {
	var plain [8]byte
	binary.LittleEndian.PutUint64(plain[:], d.outputs[i].Amount)
	sealed := keys.SealAmount(d.shared[i], plain)
	var e tx.EcdhInfo
	copy(e.Amount[:], sealed[:])
	return e, keys.CommitmentMask(d.shared[i])
}

// shareInputs sorts inputs by key image, the largest first, as the network demands.
func (d *draft) shareInputs(images []xmr.KeyImage) error {
	if len(images) != len(d.plan.Inputs) {
		return insane("%d inputs with %d key images", len(d.plan.Inputs), len(images))
	}
	largest := make([]int, len(images))
	for i := range largest {
		largest[i] = i
	}
	order.Sort(largest, func(a, b int) int { return bytes.Compare(images[b][:], images[a][:]) })
	inputs, rings := slices.Clone(d.plan.Inputs), slices.Clone(d.rings)
	for i, from := range largest {
		in, ring := inputs[from], rings[from]
		if i > 0 && images[from] == d.images[i-1] {
			return insane("two inputs have one key image")
		}
		if ring.Real < 0 || ring.Real >= len(ring.Members) || len(ring.Members) != xmr.RingSize ||
			ring.Members[ring.Real] != (decoy.Member{Index: in.Global, Key: in.Key, Commitment: in.Commitment()}) {
			return insane("the ring of an input does not hold it")
		}
		d.plan.Inputs[i], d.rings[i], d.images = in, ring, append(d.images, images[from])
	}
	return nil
}

// shareKeys makes the transaction's keys from entropy and the key images, as a chain of hashes.
// Source: src/multisig/multisig_tx_builder_ringct.cpp, make_tx_secret_key_seed and make_tx_secret_keys;
// src/cryptonote_config.h, HASH_KEY_MULTISIG_TX_PRIVKEYS_SEED and HASH_KEY_MULTISIG_TX_PRIVKEYS.
func (d *draft) shareKeys(entropy [32]byte) {
	domain := keccak.Sum256([]byte("multisig_tx_privkeys_seed"))
	parts := [][]byte{domain[:], entropy[:]}
	for i := range d.images {
		parts = append(parts, d.images[i][:])
	}
	seed := keccak.Sum256(parts...)
	defer clear(seed[:])
	last := keccak.Sum256([]byte("multisig_tx_privkeys"))
	defer clear(last[:])
	next := func() *edwards.Scalar {
		key := edwards.HashToScalar(seed[:], last[:])
		last = edwards.EncodeScalar(key)
		return key
	}
	d.key, d.additional = next(), nil
	if d.needsAdditionalKeys() {
		for range d.outputs {
			d.additional = append(d.additional, next())
		}
	}
}

// sharing returns what the signers sign.
func (d *draft) sharing(random io.Reader, entropy [32]byte) (*Shared, error) {
	if err := d.checkAmounts(random, d.tx); err != nil {
		return nil, err
	}
	s := &Shared{
		Tx: d.tx, Weight: d.weight(), Fee: d.fee, Change: d.change, PaymentID: d.id, Inputs: d.plan.Inputs, Rings: d.rings,
		ChangeTo: d.plan.Change, Key: edwards.EncodeScalar(d.key), Entropy: entropy,
	}
	for i := range d.outputs {
		s.Outputs = append(s.Outputs, d.outputs[i].Destination)
	}
	for _, k := range d.additional {
		s.AdditionalKeys = append(s.AdditionalKeys, edwards.EncodeScalar(k))
	}
	message, p := Message(d.tx), d.tx.RingCT.Prunable
	for i := range d.rings {
		signature, err := clsag.NewShared(message, members(d.rings[i]), d.rings[i].Real, p.PseudoOuts[i], d.images[i],
			p.CLSAGs[i].D, p.CLSAGs[i].S)
		if err != nil {
			return nil, insane("the signature of input %d cannot be begun: %v", i, err)
		}
		s.Signatures = append(s.Signatures, signature)
	}
	return s, nil
}

// Complete returns the transaction with its last parts: for each input the first challenge and the sum of the signers' responses. It
// is checked as the network would; ErrInsane when it does not hold, as when a signer's response is wrong.
func (s *Shared) Complete(first, responses [][32]byte) (*tx.Transaction, xmr.Hash, error) {
	t := *s.Tx
	p := *s.Tx.RingCT.Prunable
	p.CLSAGs = slices.Clone(p.CLSAGs)
	t.RingCT.Prunable = &p
	if len(first) != len(p.CLSAGs) || len(responses) != len(p.CLSAGs) {
		return nil, xmr.Hash{}, insane("number of responses differs")
	}
	message := Message(&t)
	for i := range p.CLSAGs {
		c := &p.CLSAGs[i]
		c.S = slices.Clone(c.S)
		c.C1, c.S[s.Rings[i].Real] = first[i], responses[i]
		if err := clsag.Verify(message, members(s.Rings[i]), p.PseudoOuts[i], t.Inputs[i].KeyImage, clsag.Signature(*c)); err != nil {
			return nil, xmr.Hash{}, insane("the signature of input %d fails: %v", i, err)
		}
	}
	id, err := t.Hash()
	return &t, id, err
}

// Verify returns ErrInsane unless the transaction's signatures hold as they are.
func (s *Shared) Verify() error {
	p := s.Tx.RingCT.Prunable
	first, responses := make([][32]byte, len(p.CLSAGs)), make([][32]byte, len(p.CLSAGs))
	for i := range p.CLSAGs {
		first[i], responses[i] = p.CLSAGs[i].C1, p.CLSAGs[i].S[s.Rings[i].Real]
	}
	_, _, err := s.Complete(first, responses)
	return err
}
