package proof

import (
	"context"
	"io"
	"strings"

	"glim/core/crypto/edwards"
	"glim/core/internal/crypto/ringsig"
	"glim/core/keys"
	"glim/core/tx"
	"glim/core/xmr"
)

const spendV1 = "SpendProofV1"

// Owned names an output of one's own by how it was received.
type Owned struct {
	Derivation edwards.Derivation // of the transaction it is in
	Output     uint64             // its index there
	Address    keys.Index         // that received it
	Key        xmr.PublicKey
}

// secret returns the output's secret key. ErrViewOnly, or ErrSecret when the output is not k's.
func (o *Owned) secret(k *keys.Keys) (*edwards.Scalar, error) {
	x, ok := k.OutputSecret(o.Derivation, o.Output, o.Address)
	if !ok {
		return nil, ErrViewOnly
	}
	if new(edwards.Point).ScalarBaseMult(x).Encode() != [32]byte(o.Key) {
		edwards.Wipe(x)
		return nil, ErrSecret
	}
	return x, nil
}

// ProveSpend returns a proof that the owner of k made transaction id, without telling which outputs it spent. Rings
// and spent have one entry for each input that is no coinbase, in order: the keys of the ring's members, by ascending global
// index, and the one of them that is k's. Errors: ErrViewOnly; ErrSecret when an output is not k's or not the input's;
// ErrTransaction when t has no such inputs or the rings do not fit; that of random; those of a Prover. Constant time in the keys.
// Source: src/wallet/wallet2.cpp, get_spend_proof.
func ProveSpend(random io.Reader, id xmr.Hash, t *tx.Transaction, k *keys.Keys, rings [][]xmr.PublicKey, spent []Owned, message string) (string, error) {
	inputs, err := ringInputs(id, t, rings)
	if err != nil {
		return "", err
	}
	if len(spent) != len(inputs) || len(inputs) == 0 {
		return "", ErrTransaction
	}
	if k.Away() {
		return elsewhere(k, func(ctx context.Context, p Prover) (string, error) {
			return p.ProveSpend(ctx, id, t, rings, spent, message)
		})
	}
	text := spendV1
	for n, in := range inputs {
		x, err := spent[n].secret(k)
		if err != nil {
			return "", err
		}
		real := -1
		for i, key := range rings[n] {
			if key == spent[n].Key {
				real = i
				break
			}
		}
		if real < 0 {
			edwards.Wipe(x)
			return "", ErrSecret
		}
		sigs, image, err := ringsig.Sign(random, bound(id, message), raw(rings[n]), real, x)
		edwards.Wipe(x)
		if err == ringsig.ErrMalformed {
			return "", ErrTransaction
		} else if err != nil {
			return "", err
		}
		if image != [32]byte(in.KeyImage) {
			return "", ErrSecret
		}
		for _, s := range sigs {
			text += encodeSignature(s.C, s.R)
		}
	}
	return text, nil
}

// CheckSpend returns nil when text proves that its maker made transaction id. Rings are as in ProveSpend, fetched for
// the transaction's own offsets: with other members anybody could have signed. Errors: ErrMalformed, ErrInvalid, also for
// a proof of another length; ErrTransaction when the rings do not fit.
// Source: src/wallet/wallet2.cpp, check_spend_proof.
func CheckSpend(id xmr.Hash, t *tx.Transaction, rings [][]xmr.PublicKey, message, text string) error {
	body, ok := strings.CutPrefix(text, spendV1)
	if !ok {
		return ErrMalformed
	}
	inputs, err := ringInputs(id, t, rings)
	if err != nil {
		return err
	}
	members := 0
	for _, r := range rings {
		members += len(r)
	}
	if len(body) != members*signatureLetters || members == 0 {
		return ErrInvalid
	}
	all := make([]ringsig.Signature, members)
	for i := range all {
		if all[i].C, all[i].R, err = decodeSignature(body[i*signatureLetters:][:signatureLetters]); err != nil {
			return err
		}
	}
	for n, in := range inputs {
		if ringsig.Verify(bound(id, message), raw(rings[n]), in.KeyImage, all[:len(rings[n])]) != nil {
			return ErrInvalid
		}
		all = all[len(rings[n]):]
	}
	return nil
}

// ringInputs returns the inputs that spend outputs, each with a ring of its size.
func ringInputs(id xmr.Hash, t *tx.Transaction, rings [][]xmr.PublicKey) (inputs []*tx.Input, err error) {
	if err := identify(id, t); err != nil {
		return nil, err
	}
	for i := range t.Inputs {
		if !t.Inputs[i].Coinbase {
			inputs = append(inputs, &t.Inputs[i])
		}
	}
	if len(inputs) != len(rings) {
		return nil, ErrTransaction
	}
	for n, in := range inputs {
		if len(rings[n]) != len(in.KeyOffsets) {
			return nil, ErrTransaction
		}
	}
	return inputs, nil
}

func raw(keys []xmr.PublicKey) [][32]byte {
	out := make([][32]byte, len(keys))
	for i := range keys {
		out[i] = keys[i]
	}
	return out
}
