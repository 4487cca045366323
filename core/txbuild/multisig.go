package txbuild

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
	"glim/core/internal/smallsort"
	"glim/core/keys"
	"glim/core/tx"
	"glim/core/xmr"
)

// MultisigTx is a transaction that the signers of a multisig wallet make together. It is complete except for the
// responses of the real ring members and the first challenges.
type MultisigTx struct {
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
	Entropy        keys.Secret       // the keys are derived from it, so that every signer can derive them
	Signatures     []*clsag.Multisig // one per input

	masks []*edwards.Scalar
}

// Mask returns the difference between the masks of input i and its pseudo-output. Only the signer who made the
// transaction knows it and responds with it; nil for others.
func (s *MultisigTx) Mask(i int) *edwards.Scalar {
	if s.masks == nil {
		return nil
	}
	return s.masks[i]
}

// NewMultisigTx makes the transaction of plan, which is settled, for wallet k, whose inputs have these key images. The
// transaction's keys are derived from randomness and the key images, so that no two transactions on a chain share an
// output key. It returns the errors of Construct; it needs no spend key.
// Source: src/multisig/multisig_tx_builder_ringct.cpp, tx_builder_ringct_t::init.
func NewMultisigTx(
	random io.Reader, k *keys.Keys, plan Plan, rings []decoy.Ring, images []xmr.KeyImage,
) (*MultisigTx, error) {
	d, err := sketch(random, k, plan, plan.Fee, rings)
	if err != nil {
		return nil, err
	}
	if d.change == 0 && !slices.ContainsFunc(d.outputs, func(o output) bool { return o.change && o.Amount == 0 }) {
		// Then nothing is change, not even a payment to the wallet itself: the other signers reconstruct it that way.
		d.plan.Change = address.Address{}
		for i := range d.outputs {
			d.outputs[i].change = false
		}
	}
	if err := d.setInputs(images); err != nil {
		return nil, err
	}
	entropy, err := edwards.RandomScalar(random)
	if err != nil {
		return nil, err
	}
	d.deriveTxKeys(edwards.EncodeScalar(entropy))
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
	s, err := d.multisigTx(random, edwards.EncodeScalar(entropy))
	if err != nil {
		return nil, err
	}
	s.masks = masks
	return s, nil
}

// MultisigTerms describe a multisig transaction according to its maker.
type MultisigTerms struct {
	Plan    Plan         // settled; Change is empty without change
	Rings   []decoy.Ring // one per input of the plan
	Images  []xmr.KeyImage
	Outputs []Destination // in the order of the transaction's, change included
	Change  uint64        // atomic units
	Entropy keys.Secret
}

// Reconstruct makes the transaction of terms again and returns it if t equals it: the same rings, keys, recipients,
// amounts, fee and payment ID, and valid proofs. Otherwise it returns ErrMismatch.
// Source: src/multisig/multisig_tx_builder_ringct.cpp, tx_builder_ringct_t::init with reconstruction.
func Reconstruct(random io.Reader, k *keys.Keys, terms *MultisigTerms, t *tx.Transaction) (*MultisigTx, error) {
	if len(terms.Plan.Inputs) == 0 || len(terms.Rings) != len(terms.Plan.Inputs) || len(terms.Outputs) < 2 ||
		len(terms.Outputs) > xmr.MaxOutputs {
		return nil, mismatch("invalid number of inputs or outputs")
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
		return nil, mismatch("inputs and outputs do not balance")
	}
	if err := d.setInputs(terms.Images); err != nil {
		return nil, err
	}
	if terms.Entropy == (keys.Secret{}) {
		return nil, mismatch("the transaction's keys cannot be derived")
	}
	d.deriveTxKeys(terms.Entropy)
	if err := d.lay(); err != nil {
		return nil, err
	}
	if err := d.compare(random, t); err != nil {
		return nil, err
	}
	d.tx = t
	return d.multisigTx(random, terms.Entropy)
}

// compare checks t against the draft.
func (d *draft) compare(random io.Reader, t *tx.Transaction) error {
	if t.PrefixHash() != d.tx.PrefixHash() {
		return mismatch("its inputs, outputs or extra bytes are not those described")
	}
	r := &t.RingCT
	if r.Type != tx.RingCTBulletproofPlus || r.Fee != d.fee || r.Prunable == nil ||
		len(r.Ecdh) != len(d.outputs) || len(r.Commitments) != len(d.outputs) {
		return mismatch("kind, fee or number of amounts differ")
	}
	for i := range d.outputs {
		e, mask := d.encryptedAmount(i)
		if r.Ecdh[i] != e || r.Commitments[i] != edwards.Commit(mask, d.outputs[i].Amount).Encode() {
			return mismatch("the amount of output %d is not the one described", i)
		}
	}
	p := r.Prunable
	if len(p.CLSAGs) != len(d.rings) || len(p.PseudoOuts) != len(d.rings) || len(p.BulletproofsPlus) != 1 {
		return mismatch("number of proofs differs")
	}
	return d.checkAmounts(random, t)
}

// encryptedAmount returns the encrypted amount and the mask of output i.
func (d *draft) encryptedAmount(i int) (tx.EcdhInfo, *edwards.Scalar) {
	var plain [8]byte
	binary.LittleEndian.PutUint64(plain[:], d.outputs[i].Amount)
	sealed := keys.EncryptAmount(d.shared[i], plain)
	var e tx.EcdhInfo
	copy(e.Amount[:], sealed[:])
	return e, keys.CommitmentMask(d.shared[i])
}

// setInputs sorts inputs by key image in descending order, as consensus requires.
func (d *draft) setInputs(images []xmr.KeyImage) error {
	if len(images) != len(d.plan.Inputs) {
		return mismatch("%d inputs with %d key images", len(d.plan.Inputs), len(images))
	}
	largest := make([]int, len(images))
	for i := range largest {
		largest[i] = i
	}
	smallsort.Sort(largest, func(a, b int) int { return bytes.Compare(images[b][:], images[a][:]) })
	inputs, rings := slices.Clone(d.plan.Inputs), slices.Clone(d.rings)
	for i, from := range largest {
		in, ring := inputs[from], rings[from]
		if i > 0 && images[from] == d.images[i-1] {
			return mismatch("two inputs have one key image")
		}
		if ring.Real < 0 || ring.Real >= len(ring.Members) || len(ring.Members) != xmr.RingSize ||
			ring.Members[ring.Real] != (decoy.Member{Index: in.GlobalIndex, Key: in.Key, Commitment: in.Commitment()}) {
			return mismatch("the ring of an input does not hold it")
		}
		d.plan.Inputs[i], d.rings[i], d.images = in, ring, append(d.images, images[from])
	}
	return nil
}

// deriveTxKeys derives the transaction's keys from entropy and the key images, as a chain of hashes.
// Source: src/multisig/multisig_tx_builder_ringct.cpp, make_tx_secret_key_seed and make_tx_secret_keys;
// src/cryptonote_config.h, HASH_KEY_MULTISIG_TX_PRIVKEYS_SEED and HASH_KEY_MULTISIG_TX_PRIVKEYS.
func (d *draft) deriveTxKeys(entropy [32]byte) {
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

// multisigTx returns the draft as a transaction for the signers.
func (d *draft) multisigTx(random io.Reader, entropy [32]byte) (*MultisigTx, error) {
	if err := d.checkAmounts(random, d.tx); err != nil {
		return nil, err
	}
	s := &MultisigTx{
		Tx: d.tx, Weight: d.weight(), Fee: d.fee, Change: d.change, PaymentID: d.id, Inputs: d.plan.Inputs,
		Rings:    d.rings,
		ChangeTo: d.plan.Change, Key: edwards.EncodeScalar(d.key), Entropy: entropy,
	}
	for i := range d.outputs {
		s.Outputs = append(s.Outputs, d.outputs[i].Destination)
	}
	for _, k := range d.additional {
		s.AdditionalKeys = append(s.AdditionalKeys, edwards.EncodeScalar(k))
	}
	message, p := d.tx.PreMLSAGHash(), d.tx.RingCT.Prunable
	for i := range d.rings {
		signature, err := clsag.NewMultisig(message, members(d.rings[i]), d.rings[i].Real, p.PseudoOuts[i], d.images[i],
			p.CLSAGs[i].D, p.CLSAGs[i].S)
		if err != nil {
			return nil, mismatch("the signature of input %d cannot be begun: %v", i, err)
		}
		s.Signatures = append(s.Signatures, signature)
	}
	return s, nil
}

// Complete returns the transaction with its missing parts: for each input the first challenge and the sum of the
// signers' responses. It verifies the signatures and returns ErrMismatch when one fails, for example because of a wrong
// response.
func (s *MultisigTx) Complete(first, responses [][32]byte) (*tx.Transaction, xmr.Hash, error) {
	t := *s.Tx
	p := *s.Tx.RingCT.Prunable
	p.CLSAGs = slices.Clone(p.CLSAGs)
	t.RingCT.Prunable = &p
	if len(first) != len(p.CLSAGs) || len(responses) != len(p.CLSAGs) {
		return nil, xmr.Hash{}, mismatch("number of responses differs")
	}
	message := t.PreMLSAGHash()
	for i := range p.CLSAGs {
		c := &p.CLSAGs[i]
		c.S = slices.Clone(c.S)
		c.C1, c.S[s.Rings[i].Real] = first[i], responses[i]
		if err := clsag.Verify(
			message, members(s.Rings[i]), p.PseudoOuts[i], t.Inputs[i].KeyImage, clsag.Signature(*c),
		); err != nil {
			return nil, xmr.Hash{}, mismatch("the signature of input %d fails: %v", i, err)
		}
	}
	id, err := t.Hash()
	return &t, id, err
}

// Verify returns ErrMismatch unless the transaction's signatures are valid as they are.
func (s *MultisigTx) Verify() error {
	p := s.Tx.RingCT.Prunable
	first, responses := make([][32]byte, len(p.CLSAGs)), make([][32]byte, len(p.CLSAGs))
	for i := range p.CLSAGs {
		first[i], responses[i] = p.CLSAGs[i].C1, p.CLSAGs[i].S[s.Rings[i].Real]
	}
	_, _, err := s.Complete(first, responses)
	return err
}
