package txbuild

import (
	"bytes"
	"encoding/binary"
	"io"
	"slices"

	"glim/core/address"
	"glim/core/crypto/bulletproofsplus"
	"glim/core/crypto/clsag"
	"glim/core/crypto/edwards"
	"glim/core/decoy"
	"glim/core/internal/crypto/uniform"
	"glim/core/internal/parallel"
	"glim/core/internal/smallsort"
	"glim/core/keys"
	"glim/core/tx"
	"glim/core/xmr"
)

// Result is a finished transaction with the data that its sender should keep.
type Result struct {
	Tx             *tx.Transaction
	ID             xmr.Hash
	Blob           []byte
	Weight         uint64
	Fee            uint64
	Change         uint64        // atomic units returned to the change address
	ChangeParts    []uint64      // amounts of the outputs of change; empty without change
	Destinations   []Destination // with the final amounts
	PaymentID      xmr.Hash
	Inputs         []Input      // in the order of the transaction's inputs
	Rings          []decoy.Ring // likewise
	Key            keys.Secret
	AdditionalKeys []keys.Secret
}

// output is an output under construction. change marks one to the change address, whether it is change, a payment to
// the wallet itself, or the companion of a lone payment.
type output struct {
	Destination
	change bool
}

// draft is a transaction before its proofs.
type draft struct {
	plan    Plan
	rings   []decoy.Ring
	k       *keys.Keys
	fee     uint64
	change  uint64
	parts   []uint64 // the amounts of the outputs of change
	outputs []output

	key        *edwards.Scalar
	additional []*edwards.Scalar
	public     xmr.PublicKey

	secrets []*edwards.Scalar // one per input
	images  []xmr.KeyImage
	shared  []*edwards.Scalar // one per output
	tx      *tx.Transaction
	hints   []*clsag.Hint // one an input, once they are signed
	id      xmr.Hash      // payment ID, not encrypted
}

// Construct makes and signs the transaction of plan with one ring per input, in the plan's order, and checks the
// finished bytes against the plan. The exact fee follows from the finished weight; the difference to the estimate goes
// to change. It returns ErrNotPossible when the inputs cannot pay the exact fee, keys.ErrMismatch, ErrMismatch and the
// errors of random; with an external signer, which then makes and signs the transaction, keys.ErrNoSigner and the
// signer's errors.
// Source: src/cryptonote_core/cryptonote_tx_utils.cpp, construct_tx_with_tx_key; src/ringct/rctSigs.cpp, genRctSimple.
func Construct(random io.Reader, k *keys.Keys, plan Plan, rings []decoy.Ring, rate Rate) (*Result, error) {
	if k.External() {
		plan, err := Settle(random, k, plan, rings, rate)
		if err != nil {
			return nil, err
		}
		return signExternally(k, plan, rings)
	}
	d, err := settle(random, k, plan, rings, rate)
	if err != nil {
		return nil, err
	}
	return d.finish(random)
}

// forget wipes the inputs' secret keys: with the view key, each reveals the spend key.
func (d *draft) forget() {
	for _, s := range d.secrets {
		edwards.Wipe(s)
	}
}

// finish signs and checks the transaction and wipes the inputs' secret keys.
func (d *draft) finish(random io.Reader) (*Result, error) {
	err := d.sign(random)
	d.forget()
	if err != nil {
		return nil, err
	}
	result := &Result{
		Tx: d.tx, Blob: d.tx.Append(nil), Weight: d.tx.Weight(), Fee: d.fee, Change: d.change, PaymentID: d.id,
		ChangeParts: d.parts, Destinations: d.plan.Destinations, Inputs: d.plan.Inputs, Rings: d.rings,
		Key: edwards.EncodeScalar(d.key),
	}
	for _, s := range d.additional {
		result.AdditionalKeys = append(result.AdditionalKeys, edwards.EncodeScalar(s))
	}
	if result.ID, err = d.check(random, result.Blob); err != nil {
		return nil, err
	}
	return result, nil
}

// settle finds the fee for the finished weight and lays out the transaction with it. The length of the proofs does not
// depend on the fee; the length of the fee itself does, and so does whether there is change.
func settle(random io.Reader, k *keys.Keys, plan Plan, rings []decoy.Ring, rate Rate) (*draft, error) {
	d, err := newDraft(random, k, plan, plan.Fee, rings, nil)
	if err != nil {
		return nil, err
	}
	for range 10 {
		fee, err := rate.fee(d.weight())
		if err != nil {
			return nil, err
		}
		if d, err = newDraft(random, k, plan, fee, rings, d); err != nil {
			return nil, err
		}
		needed, err := rate.fee(d.weight())
		if err != nil {
			return nil, err
		}
		if needed <= fee {
			return d, nil
		}
	}
	return nil, ErrNotPossible
}

// newDraft lays out the transaction of plan with the given fee. It reuses the opened inputs of an earlier draft of the
// same plan, if not nil.
func newDraft(
	random io.Reader, k *keys.Keys, plan Plan, fee uint64, rings []decoy.Ring, earlier *draft,
) (*draft, error) {
	d, err := sketch(random, k, plan, fee, rings)
	if err != nil {
		return nil, err
	}
	if earlier != nil {
		d.plan.Inputs, d.rings = earlier.plan.Inputs, earlier.rings
		d.secrets, d.images = earlier.secrets, earlier.images
	} else if err := d.openInputs(); err != nil {
		return nil, err
	}
	return d, d.lay()
}

// sketch determines amounts, outputs and transaction keys: everything that needs no spend key.
func sketch(random io.Reader, k *keys.Keys, plan Plan, fee uint64, rings []decoy.Ring) (*draft, error) {
	plan, err := plan.paying(fee)
	if err != nil {
		return nil, err
	}
	if len(plan.Inputs) == 0 || len(rings) != len(plan.Inputs) {
		return nil, mismatch("%d inputs with %d rings", len(plan.Inputs), len(rings))
	}
	in, out, err := plan.sums()
	if err != nil {
		return nil, err
	}
	if total, err := xmr.Sum(out, plan.Fee); err != nil || in < total {
		return nil, ErrNotPossible
	}
	d := &draft{plan: plan, rings: slices.Clone(rings), k: k, fee: plan.Fee, change: in - out - plan.Fee}
	d.parts = plan.ChangeParts(d.change)
	d.plan.Inputs = slices.Clone(plan.Inputs)
	if err := d.addOutputs(random); err != nil {
		return nil, err
	}
	if d.key, err = edwards.RandomScalar(random); err != nil {
		return nil, err
	}
	if d.needsAdditionalKeys() {
		for range d.outputs {
			s, err := edwards.RandomScalar(random)
			if err != nil {
				return nil, err
			}
			d.additional = append(d.additional, s)
		}
	}
	return d, nil
}

// addOutputs lists destinations and change in random order. A lone destination without change gets a companion of
// amount zero to an address whose keys are discarded, so that its recipient cannot identify the real ring member by the
// amount.
func (d *draft) addOutputs(random io.Reader) error {
	for _, to := range d.plan.Destinations {
		if to.Amount == 0 {
			return ErrZeroAmount
		}
		d.outputs = append(d.outputs, output{Destination: to})
	}
	for _, amount := range d.parts {
		d.outputs = append(d.outputs, output{Destination: Destination{Address: d.plan.Change, Amount: amount}})
	}
	if len(d.outputs) == 1 {
		dummy, err := nobody(random)
		if err != nil {
			return err
		}
		d.plan.Change = dummy
		d.outputs = append(d.outputs, output{Destination: Destination{Address: dummy}})
	}
	if len(d.outputs) > xmr.MaxOutputs {
		return ErrTooManyOutputs
	}
	for i := range d.outputs {
		d.outputs[i].change = sameKeys(d.outputs[i].Address, d.plan.Change)
	}
	return shuffle(random, d.outputs)
}

func nobody(random io.Reader) (address.Address, error) {
	var seed [32]byte
	if _, err := io.ReadFull(random, seed[:]); err != nil {
		return address.Address{}, err
	}
	k, err := keys.FromSeed(seed)
	if err != nil {
		return address.Address{}, err
	}
	return address.Address{Kind: address.Standard, Spend: k.SpendPublic, View: k.ViewPublic}, nil
}

// shuffle is a Fisher–Yates shuffle.
func shuffle[T any](random io.Reader, s []T) error {
	for i := len(s) - 1; i > 0; i-- {
		j, err := uniform.Below(random, i+1)
		if err != nil {
			return err
		}
		s[i], s[j] = s[j], s[i]
	}
	return nil
}

// openInputs derives the inputs' secret keys and sorts the inputs by key image in descending order, as consensus
// requires.
func (d *draft) openInputs() error {
	type input struct {
		in     Input
		ring   decoy.Ring
		secret *edwards.Scalar
		image  xmr.KeyImage
	}
	all := make([]input, len(d.plan.Inputs))
	for i, in := range d.plan.Inputs {
		secret, ok := d.k.OutputSecret(edwards.Derivation(in.Derivation), in.Index, in.Address)
		if !ok {
			return ErrViewOnly
		}
		if new(edwards.Point).ScalarBaseMult(secret).Encode() != [32]byte(in.Key) {
			return keys.ErrMismatch
		}
		ring := d.rings[i]
		if ring.Real < 0 || ring.Real >= len(ring.Members) || ring.Members[ring.Real].Index != in.GlobalIndex ||
			ring.Members[ring.Real].Key != in.Key {
			return mismatch("the ring of an input does not hold it")
		}
		all[i] = input{in, ring, secret, edwards.GenerateKeyImage(in.Key, secret)}
	}
	smallsort.Sort(all, func(a, b input) int { return bytes.Compare(b.image[:], a.image[:]) })
	for i, x := range all {
		d.plan.Inputs[i], d.rings[i] = x.in, x.ring
		d.secrets, d.images = append(d.secrets, x.secret), append(d.images, x.image)
	}
	return nil
}

// classify counts the different addresses paid, without change; one is the last subaddress.
// Source: src/cryptonote_core/cryptonote_tx_utils.cpp, classify_addresses.
func (d *draft) classify() (standard, sub int, one address.Address) {
	var seen []address.Address
	for i := range d.outputs {
		o := &d.outputs[i]
		if o.change || slices.ContainsFunc(seen, func(a address.Address) bool { return sameKeys(a, o.Address) }) {
			continue
		}
		seen = append(seen, o.Address)
		if o.subaddress() {
			sub, one = sub+1, o.Address
		} else {
			standard++
		}
	}
	return standard, sub, one
}

// needsAdditionalKeys reports whether a subaddress is paid along with other addresses: then each output needs its own
// public key.
func (d *draft) needsAdditionalKeys() bool {
	standard, sub, _ := d.classify()
	return sub > 0 && (standard > 0 || sub > 1)
}

// lay fills in everything except the fee, commitments and proofs.
func (d *draft) lay() error {
	t := &tx.Transaction{Version: 2}
	d.tx = t
	for i, ring := range d.rings {
		indices := make([]uint64, len(ring.Members))
		for j := range ring.Members {
			indices[j] = ring.Members[j].Index
			if j > 0 && indices[j] <= indices[j-1] {
				return mismatch("a ring is not in ascending order")
			}
		}
		t.Inputs = append(t.Inputs, tx.Input{KeyOffsets: tx.RelativeOffsets(indices), KeyImage: d.images[i]})
	}
	if err := d.layPublicKey(); err != nil {
		return err
	}
	additional := make([]xmr.PublicKey, len(d.additional))
	for i := range d.outputs {
		o := &d.outputs[i]
		if d.additional != nil {
			p, err := d.publicKeyFor(d.additional[i], o)
			if err != nil {
				return err
			}
			additional[i] = p
		}
		derivation, err := d.derive(i)
		if err != nil {
			return err
		}
		key, err := derivation.PublicKey(uint64(i), o.Address.Spend)
		if err != nil {
			return err
		}
		d.shared = append(d.shared, derivation.Scalar(uint64(i)))
		t.Outputs = append(t.Outputs, tx.Output{Key: key, Tagged: true, ViewTag: derivation.ViewTag(uint64(i))})
	}
	return d.layExtra(additional)
}

// layPublicKey sets R = r·G, or r·D when the only recipient is a subaddress with spend key D.
func (d *draft) layPublicKey() error {
	d.public = new(edwards.Point).ScalarBaseMult(d.key).Encode()
	if standard, sub, one := d.classify(); standard == 0 && sub == 1 {
		p, err := edwards.DecodePoint(one.Spend)
		if err != nil {
			return err
		}
		d.public = p.ScalarMult(d.key, p).Encode()
	}
	return nil
}

func (d *draft) publicKeyFor(s *edwards.Scalar, o *output) (xmr.PublicKey, error) {
	if !o.subaddress() {
		return new(edwards.Point).ScalarBaseMult(s).Encode(), nil
	}
	p, err := edwards.DecodePoint(o.Address.Spend)
	if err != nil {
		return xmr.PublicKey{}, err
	}
	return p.ScalarMult(s, p).Encode(), nil
}

// derive returns the shared secret that output i's recipient will find: for change, our own view key finds it.
// Source: src/device/device_default.cpp, generate_output_ephemeral_keys.
func (d *draft) derive(i int) (edwards.Derivation, error) {
	o := &d.outputs[i]
	switch {
	case o.change:
		return edwards.Derive(d.k.ViewScalar(), d.public)
	case d.additional != nil && o.subaddress():
		return edwards.Derive(d.additional[i], o.Address.View)
	}
	return edwards.Derive(d.key, o.Address.View)
}

// layExtra writes the public keys and the payment ID. Without one, a transaction of two outputs gets an encrypted zero,
// so that both kinds look alike.
func (d *draft) layExtra(additional []xmr.PublicKey) error {
	extra := tx.AppendPublicKey(nil, d.public)
	if len(additional) > 0 {
		extra = tx.AppendAdditionalKeys(extra, additional)
	}
	id, err := paymentID(d.plan.Destinations)
	if err != nil {
		return err
	}
	if id == nil && len(d.outputs) <= 2 {
		id = new([8]byte)
	}
	if view, ok := d.paymentIDKey(); ok && id != nil {
		derivation, err := edwards.Derive(d.key, view)
		if err != nil {
			return err
		}
		copy(d.id[:], id[:])
		extra = tx.AppendEncryptedPaymentID(extra, keys.EncryptPaymentID(derivation, *id))
	} else if id != nil && *id != ([8]byte{}) {
		return ErrPaymentIDs
	}
	d.tx.Extra = extra
	if len(extra) > xmr.MaxExtra {
		return ErrTooManyOutputs
	}
	return nil
}

// paymentIDKey returns the view key of the only destination, or of change without any; false when there are several.
// Source: src/cryptonote_core/cryptonote_tx_utils.cpp, get_destination_view_key_pub.
func (d *draft) paymentIDKey() (xmr.PublicKey, bool) {
	var found *address.Address
	for i := range d.outputs {
		o := &d.outputs[i]
		if o.Amount == 0 || o.change || found != nil && sameKeys(*found, o.Address) {
			continue
		}
		if found != nil {
			return xmr.PublicKey{}, false
		}
		found = &o.Address
	}
	if found == nil {
		return d.plan.Change.View, true
	}
	return found.View, true
}

// weight returns the finished transaction's weight, from empty proofs of the right length.
func (d *draft) weight() uint64 {
	t := *d.tx
	t.RingCT = tx.RingCT{
		Type: tx.RingCTBulletproofPlus, Fee: d.fee,
		Ecdh: make([]tx.EcdhInfo, len(d.outputs)), Commitments: make([][32]byte, len(d.outputs)),
	}
	rounds := 6
	for 1<<(rounds-6) < len(d.outputs) {
		rounds++
	}
	p := &tx.Prunable{
		BulletproofsPlus: []tx.BulletproofPlus{{L: make([][32]byte, rounds), R: make([][32]byte, rounds)}},
		PseudoOuts:       make([][32]byte, len(d.rings)),
	}
	for _, r := range d.rings {
		p.CLSAGs = append(p.CLSAGs, tx.CLSAG{S: make([][32]byte, len(r.Members))})
	}
	t.RingCT.Prunable = p
	return t.Weight()
}

// sign fills in amounts and proofs.
func (d *draft) sign(random io.Reader) error {
	pseudo, err := d.prove(random)
	if err != nil {
		return err
	}
	p := d.tx.RingCT.Prunable
	message := d.tx.PreMLSAGHash()
	// Draw the randomness of all signatures first: random serves one goroutine.
	random64 := make([][64]byte, len(d.plan.Inputs))
	defer clear(random64)
	for i := range random64 {
		if _, err := io.ReadFull(random, random64[i][:]); err != nil {
			return err
		}
	}
	p.CLSAGs = make([]tx.CLSAG, len(d.plan.Inputs))
	d.hints = make([]*clsag.Hint, len(p.CLSAGs))
	errs := make([]error, len(p.CLSAGs))
	parallel.For(len(p.CLSAGs), func(i int) {
		p.CLSAGs[i], errs[i] = d.signInput(bytes.NewReader(random64[i][:]), i, message, pseudo[i], p.PseudoOuts[i])
	})
	return firstOf(errs)
}

func (d *draft) signInput(
	random io.Reader, i int, message [32]byte, pseudoMask *edwards.Scalar, pseudoOut [32]byte,
) (tx.CLSAG, error) {
	mask, err := edwards.DecodeScalar(d.plan.Inputs[i].Mask)
	if err != nil {
		return tx.CLSAG{}, err
	}
	signature, image, hint, err := clsag.SignWithHint(random, message, members(d.rings[i]), d.rings[i].Real,
		clsag.Secret{Key: d.secrets[i], Mask: mask}, pseudoMask, pseudoOut)
	if err == nil && image != [32]byte(d.images[i]) {
		err = mismatch("a key image changed while signing")
	}
	d.hints[i] = hint
	return tx.CLSAG(signature), err
}

func firstOf(errs []error) error {
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

// prove fills in everything except the ring signatures and returns the masks of the pseudo-outputs.
func (d *draft) prove(random io.Reader) ([]*edwards.Scalar, error) {
	amounts := make([]uint64, len(d.outputs))
	masks := make([]*edwards.Scalar, len(d.outputs))
	maskSum := edwards.NewScalar()
	r := tx.RingCT{Type: tx.RingCTBulletproofPlus, Fee: d.fee}
	for i := range d.outputs {
		amounts[i], masks[i] = d.outputs[i].Amount, keys.CommitmentMask(d.shared[i])
		maskSum.Add(maskSum, masks[i])
		var plain [8]byte
		binary.LittleEndian.PutUint64(plain[:], amounts[i])
		sealed := keys.EncryptAmount(d.shared[i], plain)
		var e tx.EcdhInfo
		copy(e.Amount[:], sealed[:])
		r.Ecdh = append(r.Ecdh, e)
	}
	proof, commitments, err := bulletproofsplus.Prove(random, amounts, masks)
	if err != nil {
		return nil, err
	}
	r.Commitments = commitments
	p := &tx.Prunable{BulletproofsPlus: []tx.BulletproofPlus{tx.BulletproofPlus(proof)}}
	r.Prunable = p

	// The pseudo-outputs commit to the inputs' amounts with masks that sum to the outputs'.
	pseudo := make([]*edwards.Scalar, len(d.plan.Inputs))
	for i := range pseudo {
		if i == len(pseudo)-1 {
			pseudo[i] = maskSum
		} else if pseudo[i], err = edwards.RandomScalar(random); err != nil {
			return nil, err
		}
		maskSum = edwards.NewScalar().Subtract(maskSum, pseudo[i])
		p.PseudoOuts = append(p.PseudoOuts, edwards.Commit(pseudo[i], d.plan.Inputs[i].Amount).Encode())
	}
	d.tx.RingCT = r
	return pseudo, nil
}

func members(r decoy.Ring) []clsag.Member {
	out := make([]clsag.Member, len(r.Members))
	for i, m := range r.Members {
		out[i] = clsag.Member{Key: m.Key, Commitment: m.Commitment}
	}
	return out
}
