package txbuild

import (
	"encoding/binary"
	"io"
	"slices"

	"glim/core/crypto/bulletproofsplus"
	"glim/core/crypto/clsag"
	"glim/core/crypto/edwards"
	"glim/core/internal/parallel"
	"glim/core/keys"
	"glim/core/tx"
	"glim/core/xmr"
)

// check parses the finished bytes again and compares them with the plan: inputs, rings, every recipient and amount,
// change, fee, balance and proofs. It returns the transaction's ID, or ErrMismatch.
func (d *draft) check(random io.Reader, blob []byte) (xmr.Hash, error) {
	t, id, err := tx.ParseWithHash(blob)
	if err != nil {
		return id, mismatch("it does not parse: %v", err)
	}
	if t.Version != 2 || t.UnlockTime != 0 || t.RingCT.Type != tx.RingCTBulletproofPlus || t.RingCT.Fee != d.fee {
		return id, mismatch("version, unlock time, kind or fee differ")
	}
	if err := d.checkInputs(t); err != nil {
		return id, err
	}
	if err := d.checkOutputs(t); err != nil {
		return id, err
	}
	in, out, err := d.plan.sums()
	if err != nil {
		return id, err
	}
	if total, err := xmr.Sum(out, d.change, d.fee); err != nil || total != in {
		return id, mismatch("inputs and outputs do not balance")
	}
	return id, d.checkProofs(random, t)
}

func (d *draft) checkInputs(t *tx.Transaction) error {
	if len(t.Inputs) != len(d.plan.Inputs) {
		return mismatch("number of inputs differs")
	}
	for i := range t.Inputs {
		in := &t.Inputs[i]
		if in.Coinbase || in.Amount != 0 || in.KeyImage != d.images[i] {
			return mismatch("input %d differs", i)
		}
		if i > 0 && slices.Compare(t.Inputs[i-1].KeyImage[:], in.KeyImage[:]) <= 0 {
			return mismatch("inputs are out of order")
		}
		indices := tx.AbsoluteOffsets(in.KeyOffsets)
		if len(indices) != xmr.RingSize {
			return mismatch("input %d has a ring of %d", i, len(indices))
		}
		for j, m := range d.rings[i].Members {
			if indices[j] != m.Index {
				return mismatch("the ring of input %d differs", i)
			}
		}
	}
	return nil
}

// checkOutputs decrypts every output with the sender's keys and pairs it with a requested one.
func (d *draft) checkOutputs(t *tx.Transaction) error {
	if len(t.Outputs) != len(d.outputs) || len(d.outputs) < 2 || len(t.RingCT.Ecdh) != len(d.outputs) ||
		len(t.RingCT.Commitments) != len(d.outputs) {
		return mismatch("number of outputs differs")
	}
	wanted := slices.Clone(d.plan.Destinations)
	for _, amount := range d.parts {
		wanted = append(wanted, Destination{Address: d.plan.Change, Amount: amount})
	}
	for i := range t.Outputs {
		derivation, err := d.derive(i)
		if err != nil {
			return err
		}
		out := &t.Outputs[i]
		spend, err := derivation.SpendKey(uint64(i), out.Key)
		if err != nil || !out.Tagged || out.Amount != 0 || out.ViewTag != derivation.ViewTag(uint64(i)) {
			return mismatch("output %d is malformed", i)
		}
		shared := derivation.Scalar(uint64(i))
		plain := keys.DecryptAmount(shared, [8]byte(t.RingCT.Ecdh[i].Amount[:8]))
		amount := binary.LittleEndian.Uint64(plain[:])
		if edwards.Commit(keys.CommitmentMask(shared), amount).Encode() != t.RingCT.Commitments[i] {
			return mismatch("the commitment of output %d does not open", i)
		}
		at := slices.IndexFunc(wanted, func(w Destination) bool {
			return w.Address.Spend == xmr.PublicKey(spend) && w.Amount == amount
		})
		switch {
		case at >= 0:
			wanted = slices.Delete(wanted, at, at+1)
		case amount != 0 || d.change != 0:
			return mismatch("output %d was not asked for", i)
		}
	}
	if len(wanted) != 0 {
		return mismatch("%d outputs are missing", len(wanted))
	}
	return nil
}

func (d *draft) checkProofs(random io.Reader, t *tx.Transaction) error {
	if err := countProofs(t); err != nil {
		return err
	}
	message, p := t.PreMLSAGHash(), t.RingCT.Prunable
	errs := make([]error, len(t.Inputs)+1)
	parallel.For(len(errs), func(i int) {
		if i == 0 {
			errs[i] = d.checkAmounts(random, t)
			return
		}
		i--
		var hint *clsag.Hint
		if d.hints != nil {
			hint = d.hints[i]
		}
		if err := hint.Verify(message, members(d.rings[i]), p.PseudoOuts[i], t.Inputs[i].KeyImage,
			clsag.Signature(p.CLSAGs[i])); err != nil {
			errs[i+1] = mismatch("the signature of input %d fails: %v", i, err)
		}
	})
	return firstOf(errs)
}

func countProofs(t *tx.Transaction) error {
	if p := t.RingCT.Prunable; len(p.PseudoOuts) != len(t.Inputs) || len(p.CLSAGs) != len(t.Inputs) ||
		len(p.BulletproofsPlus) != 1 {
		return mismatch("number of proofs differs")
	}
	return nil
}

// checkAmounts checks the balance and the range proof.
func (d *draft) checkAmounts(random io.Reader, t *tx.Transaction) error {
	if err := countProofs(t); err != nil {
		return err
	}
	r := &t.RingCT
	p := r.Prunable
	sum := new(edwards.Point).ScalarMult(edwards.ScalarFromUint64(r.Fee), edwards.H())
	for _, c := range r.Commitments {
		point, err := edwards.DecodePoint(c)
		if err != nil {
			return mismatch("a commitment is no point")
		}
		sum.Add(sum, point)
	}
	for _, c := range p.PseudoOuts {
		point, err := edwards.DecodePoint(c)
		if err != nil {
			return mismatch("a commitment is no point")
		}
		sum.Subtract(sum, point)
	}
	if !sum.IsIdentity() {
		return mismatch("commitments do not balance")
	}
	proof := bulletproofsplus.Proof(p.BulletproofsPlus[0])
	if err := bulletproofsplus.Verify(
		random, []bulletproofsplus.Proof{proof}, [][][32]byte{r.Commitments},
	); err != nil {
		return mismatch("the range proof fails: %v", err)
	}
	return nil
}
