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

// secretOf returns the secret key of o. It returns ErrViewOnly without a spend secret, and ErrSecret when the output is
// not k's.
func secretOf(o *keys.OwnOutput, k *keys.Keys) (*edwards.Scalar, error) {
	x, ok := k.OutputSecret(o.Derivation, o.Index, o.Address)
	if !ok {
		return nil, ErrViewOnly
	}
	if new(edwards.Point).ScalarBaseMult(x).Encode() != [32]byte(o.Key) {
		edwards.Wipe(x)
		return nil, ErrSecret
	}
	return x, nil
}

// ProveSpend returns a proof that the owner of k made transaction id, without revealing which outputs it spent. rings
// and spent have one entry for each input that is not a coinbase, in order: the keys of the ring's members, by
// ascending global index, and the real one. It returns ErrViewOnly; ErrSecret when an output is not k's or not the
// input's; ErrTransaction when t has other inputs or the rings do not fit; the errors of random and of an
// ExternalProver. Constant time in the keys.
// Source: src/wallet/wallet2.cpp, get_spend_proof.
func ProveSpend(
	random io.Reader, id xmr.Hash, t *tx.Transaction, k *keys.Keys, rings [][]xmr.PublicKey, spent []keys.OwnOutput,
	message string,
) (string, error) {
	inputs, err := ringInputs(id, t, rings)
	if err != nil {
		return "", err
	}
	if len(spent) != len(inputs) || len(inputs) == 0 {
		return "", ErrTransaction
	}
	if k.External() {
		return proveExternally(k, func(ctx context.Context, p ExternalProver) (string, error) {
			return p.ProveSpend(ctx, id, t, rings, spent, message)
		})
	}
	text := spendV1
	for n, in := range inputs {
		x, err := secretOf(&spent[n], k)
		if err != nil {
			return "", err
		}
		position := -1
		for i, key := range rings[n] {
			if key == spent[n].Key {
				position = i
				break
			}
		}
		if position < 0 {
			edwards.Wipe(x)
			return "", ErrSecret
		}
		sigs, image, err := ringsig.Sign(random, bound(id, message), raw(rings[n]), position, x)
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

// CheckSpend checks the proof that its maker made transaction id. rings are as in ProveSpend, fetched for the
// transaction's own offsets: rings of other members prove nothing. It returns ErrMalformed; ErrInvalid, also for a
// proof of another length; ErrTransaction when the rings do not fit.
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

// ringInputs returns the inputs that are not a coinbase, and checks that each has a ring of its size.
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

func raw(list []xmr.PublicKey) [][32]byte {
	out := make([][32]byte, len(list))
	for i := range list {
		out[i] = list[i]
	}
	return out
}
