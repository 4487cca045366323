package build

import (
	"bytes"
	"encoding/binary"
	"io"
	"slices"

	"glim/core/address"
	"glim/core/crypto/bulletproofsplus"
	"glim/core/crypto/clsag"
	"glim/core/crypto/edwards"
	"glim/core/crypto/keccak"
	"glim/core/decoy"
	"glim/core/internal/crypto/abreast"
	"glim/core/internal/crypto/uniform"
	"glim/core/internal/order"
	"glim/core/keys"
	"glim/core/tx"
	"glim/core/xmr"
)

// Result is a finished transaction with what its sender should keep.
type Result struct {
	Tx             *tx.Transaction
	ID             xmr.Hash
	Blob           []byte
	Weight         uint64
	Fee            uint64
	Change         uint64        // atomic units returned to the change address
	Destinations   []Destination // with what each got in the end
	PaymentID      xmr.Hash
	Inputs         []Input      // in the order of the transaction's inputs
	Rings          []decoy.Ring // likewise
	Key            keys.Secret
	AdditionalKeys []keys.Secret
}

// output is one output under construction. One to the change address is made as change is, be it change, a payment to
// oneself, or the companion of a lone payment.
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
	outputs []output

	key        *edwards.Scalar
	additional []*edwards.Scalar
	public     xmr.PublicKey

	secrets []*edwards.Scalar // one an input
	images  []xmr.KeyImage
	shared  []*edwards.Scalar // one an output
	tx      *tx.Transaction
	traces  []*clsag.Trace // one an input, once they are signed
	id      xmr.Hash       // payment ID in the clear
}

// Construct makes and signs the transaction of plan with rings, one an input in the plan's order, and checks the finished bytes
// against the plan. The exact fee follows from the finished weight; what the estimate exceeds it by goes to change.
// Errors: ErrNotPossible when the exact fee exceeds what the inputs leave; keys.ErrMismatch; ErrInsane; random's; for keys whose spend
// secret is elsewhere, keys.ErrAway and those of that place, which makes and signs it.
// Source: src/cryptonote_core/cryptonote_tx_utils.cpp, construct_tx_with_tx_key; src/ringct/rctSigs.cpp, genRctSimple.
func Construct(random io.Reader, k *keys.Keys, plan Plan, rings []decoy.Ring, rate Rate) (*Result, error) {
	if k.Away() {
		plan, err := Settle(random, k, plan, rings, rate)
		if err != nil {
			return nil, err
		}
		return signElsewhere(k, plan, rings)
	}
	d, err := settle(random, k, plan, rings, rate)
	if err != nil {
		return nil, err
	}
	return d.finish(random)
}

// forget wipes the inputs' secrets: each is the spend key but for what the view key knows.
func (d *draft) forget() {
	for _, s := range d.secrets {
		edwards.Wipe(s)
	}
}

// finish signs and checks the transaction, and forgets the inputs' secrets.
func (d *draft) finish(random io.Reader) (*Result, error) {
	err := d.sign(random)
	d.forget()
	if err != nil {
		return nil, err
	}
	result := &Result{
		Tx: d.tx, Blob: d.tx.Append(nil), Weight: d.tx.Weight(), Fee: d.fee, Change: d.change, PaymentID: d.id,
		Destinations: d.plan.Destinations, Inputs: d.plan.Inputs, Rings: d.rings, Key: edwards.EncodeScalar(d.key),
	}
	for _, s := range d.additional {
		result.AdditionalKeys = append(result.AdditionalKeys, edwards.EncodeScalar(s))
	}
	if result.ID, err = d.check(random, result.Blob); err != nil {
		return nil, err
	}
	return result, nil
}

// settle finds the fee that the finished weight asks for, and lays out the transaction with it. The proofs' length does
// not depend on the fee; its own length does, and so does whether there is change.
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

// newDraft lays out the transaction of plan with another fee. Opened inputs are taken from an earlier draft of the same plan, if there is
// one.
func newDraft(random io.Reader, k *keys.Keys, plan Plan, fee uint64, rings []decoy.Ring, earlier *draft) (*draft, error) {
	d, err := sketch(random, k, plan, fee, rings)
	if err != nil {
		return nil, err
	}
	if earlier != nil {
		d.plan.Inputs, d.rings, d.secrets, d.images = earlier.plan.Inputs, earlier.rings, earlier.secrets, earlier.images
	} else if err := d.openInputs(); err != nil {
		return nil, err
	}
	return d, d.lay()
}

// sketch settles amounts, outputs and transaction keys: all that takes no spend key.
func sketch(random io.Reader, k *keys.Keys, plan Plan, fee uint64, rings []decoy.Ring) (*draft, error) {
	plan, err := plan.paying(fee)
	if err != nil {
		return nil, err
	}
	if len(plan.Inputs) == 0 || len(rings) != len(plan.Inputs) {
		return nil, insane("%d inputs with %d rings", len(plan.Inputs), len(rings))
	}
	in, out, err := plan.sums()
	if err != nil {
		return nil, err
	}
	if total, err := xmr.Sum(out, plan.Fee); err != nil || in < total {
		return nil, ErrNotPossible
	}
	d := &draft{plan: plan, rings: slices.Clone(rings), k: k, fee: plan.Fee, change: in - out - plan.Fee}
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
// amount zero to an address nobody holds, so that the recipient cannot tell the ring's real member by the amount.
func (d *draft) addOutputs(random io.Reader) error {
	for _, to := range d.plan.Destinations {
		if to.Amount == 0 {
			return ErrZeroAmount
		}
		d.outputs = append(d.outputs, output{Destination: to})
	}
	switch {
	case d.change > 0:
		d.outputs = append(d.outputs, output{Destination: Destination{Address: d.plan.Change, Amount: d.change}})
	case len(d.outputs) == 1:
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

// shuffle is Fisher and Yates's.
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

// openInputs derives the inputs' secrets and sorts inputs by key image, the largest first, as the network demands.
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
		if ring.Real < 0 || ring.Real >= len(ring.Members) || ring.Members[ring.Real].Index != in.Global ||
			ring.Members[ring.Real].Key != in.Key {
			return insane("the ring of an input does not hold it")
		}
		all[i] = input{in, ring, secret, edwards.GenerateKeyImage(in.Key, secret)}
	}
	order.Sort(all, func(a, b input) int { return bytes.Compare(b.image[:], a.image[:]) })
	for i, x := range all {
		d.plan.Inputs[i], d.rings[i] = x.in, x.ring
		d.secrets, d.images = append(d.secrets, x.secret), append(d.images, x.image)
	}
	return nil
}

// classify counts the different addresses paid, change aside; one is the last subaddress.
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

// needsAdditionalKeys reports outputs to a subaddress among others, each of which needs a public key of its own.
func (d *draft) needsAdditionalKeys() bool {
	standard, sub, _ := d.classify()
	return sub > 0 && (standard > 0 || sub > 1)
}

// lay writes everything but fee, amounts' commitments and proofs.
func (d *draft) lay() error {
	t := &tx.Transaction{Version: 2}
	d.tx = t
	for i, ring := range d.rings {
		indices := make([]uint64, len(ring.Members))
		for j := range ring.Members {
			indices[j] = ring.Members[j].Index
			if j > 0 && indices[j] <= indices[j-1] {
				return insane("a ring is not in ascending order")
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

// layPublicKey sets R = r·G, or r·D when all goes to one subaddress D.
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

// derive returns the secret that output i's recipient will find: change is found by our own view key.
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

// layExtra writes the public keys and a payment ID: the one asked for, else in a transaction of two outputs an
// encrypted zero, so that it looks like one with.
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
		extra = tx.AppendEncryptedPaymentID(extra, keys.SealPaymentID(derivation, *id))
	} else if id != nil && *id != ([8]byte{}) {
		return ErrPaymentIDs
	}
	d.tx.Extra = extra
	if len(extra) > xmr.MaxExtra {
		return ErrTooManyOutputs
	}
	return nil
}

// paymentIDKey returns the view key of the one destination, or of change when there is no other; false when there
// are several.
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

// weight returns the finished transaction's weight, from proofs of the right length and no content.
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
	message := Message(d.tx)
	random64 := make([][64]byte, len(d.plan.Inputs)) // what each signature draws, for random is one after the other's
	defer clear(random64)
	for i := range random64 {
		if _, err := io.ReadFull(random, random64[i][:]); err != nil {
			return err
		}
	}
	p.CLSAGs = make([]tx.CLSAG, len(d.plan.Inputs))
	d.traces = make([]*clsag.Trace, len(p.CLSAGs))
	errs := make([]error, len(p.CLSAGs))
	abreast.Do(len(p.CLSAGs), func(i int) {
		p.CLSAGs[i], errs[i] = d.signInput(bytes.NewReader(random64[i][:]), i, message, pseudo[i], p.PseudoOuts[i])
	})
	return firstOf(errs)
}

func (d *draft) signInput(random io.Reader, i int, message [32]byte, pseudoMask *edwards.Scalar, pseudoOut [32]byte) (tx.CLSAG, error) {
	mask, err := edwards.DecodeScalar(d.plan.Inputs[i].Mask)
	if err != nil {
		return tx.CLSAG{}, err
	}
	signature, image, trace, err := clsag.SignTraced(random, message, members(d.rings[i]), d.rings[i].Real,
		clsag.Secret{Key: d.secrets[i], Mask: mask}, pseudoMask, pseudoOut)
	if err == nil && image != [32]byte(d.images[i]) {
		err = insane("a key image changed while signing")
	}
	d.traces[i] = trace
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

// prove fills in all but the ring signatures and returns the masks of the pseudo-outputs.
func (d *draft) prove(random io.Reader) ([]*edwards.Scalar, error) {
	amounts := make([]uint64, len(d.outputs))
	masks := make([]*edwards.Scalar, len(d.outputs))
	maskSum := edwards.NewScalar()
	r := tx.RingCT{Type: tx.RingCTBulletproofPlus, Fee: d.fee}
	for i := range d.outputs {
		amounts[i], masks[i] = d.outputs[i].Amount, keys.CommitmentMask(d.shared[i])
		maskSum.Add(maskSum, masks[i])
		var clear [8]byte
		binary.LittleEndian.PutUint64(clear[:], amounts[i])
		sealed := keys.SealAmount(d.shared[i], clear)
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

// Message returns what the ring signatures of t sign: prefix, amounts and range proof.
// Source: src/ringct/rctSigs.cpp, get_pre_mlsag_hash.
func Message(t *tx.Transaction) [32]byte {
	prefix, base := t.PrefixHash(), t.BaseHash()
	var proofs [][]byte
	for i := range t.RingCT.Prunable.BulletproofsPlus {
		b := &t.RingCT.Prunable.BulletproofsPlus[i]
		for _, x := range [...]*[32]byte{&b.A, &b.A1, &b.B, &b.R1, &b.S1, &b.D1} {
			proofs = append(proofs, x[:])
		}
		for _, list := range [...][][32]byte{b.L, b.R} {
			for j := range list {
				proofs = append(proofs, list[j][:])
			}
		}
	}
	proof := keccak.Sum256(proofs...)
	return keccak.Sum256(prefix[:], base[:], proof[:])
}
