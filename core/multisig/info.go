package multisig

import (
	"bytes"
	"errors"
	"io"

	"glim/core/crypto/clsag"
	"glim/core/crypto/edwards"
	"glim/core/internal/smallsort"
	"glim/core/keys"
	"glim/core/txbuild"
	"glim/core/xmr"
)

// Errors of multisig info. Their texts are shown to users.
var (
	// ErrNonce: a commitment to a nonce, or a part of a key image, that is not a valid point, has torsion or is
	// repeated.
	ErrNonce = errors.New("multisig: multisig info contains a value that is malformed, has torsion or is repeated")
	// ErrParts: the parts of a key image are not one for every share of the spend key.
	ErrParts = errors.New("multisig: the signers' parts of a key image are inconsistent")
	// ErrImport: info of too few other signers for an output.
	ErrImport = errors.New("multisig: not enough multisig data was found to sign: import multisig data from more " +
		"other participants")
)

// NonceCount returns how many nonces a signer offers for an output: enough for one response in every group with the
// signer.
// Source: src/wallet/wallet2.cpp, export_multisig.
func (a *Account) NonceCount() int {
	return clsag.Nonces * choose(a.Total()-1, a.Total()-a.threshold)
}

// NewNonces returns NonceCount fresh nonces for the output with a key. They are hashed from random and this signer's
// secret, so that weak randomness alone does not reveal a nonce. The error is random's.
func (a *Account) NewNonces(random io.Reader, output xmr.PublicKey) ([]keys.Secret, error) {
	return a.freshNonces(random, output, a.NonceCount())
}

// freshNonces is NewNonces for any count. If their purpose is already known it is hashed too, so that even repeated
// randomness gives different challenges different nonces.
func (a *Account) freshNonces(
	random io.Reader, output xmr.PublicKey, count int, purpose ...[]byte,
) ([]keys.Secret, error) {
	var seed [64]byte
	defer clear(seed[:])
	if _, err := io.ReadFull(random, seed[:]); err != nil {
		return nil, err
	}
	base := edwards.EncodeScalar(a.base)
	defer clear(base[:])
	list := make([]keys.Secret, count)
	for i := range list {
		n := edwards.HashToScalar(append([][]byte{[]byte("glim_multisig_nonce"), seed[:], base[:], output[:],
			{byte(i), byte(i >> 8), byte(i >> 16)}}, purpose...)...)
		list[i] = edwards.EncodeScalar(n)
		edwards.Wipe(n)
	}
	return list, nil
}

// NewOutputInfo returns this signer's info about the output with a key: commitments to nonces, and its parts of the key
// image. Constant time in the secrets. It returns keys.ErrKey for an invalid nonce.
// Source: src/wallet/wallet2.cpp, export_multisig; src/multisig/multisig.cpp, generate_multisig_key_image.
func (a *Account) NewOutputInfo(output xmr.PublicKey, nonces []keys.Secret) (OutputInfo, error) {
	var o OutputInfo
	for i := range nonces {
		n, err := secret(nonces[i])
		if err != nil {
			return o, keys.ErrKey
		}
		l, r := clsag.NoncePoints(output, n)
		edwards.Wipe(n)
		o.Nonces = append(o.Nonces, NoncePair{L: l, R: r})
	}
	o.Images = a.keyImageParts(output)
	return o, nil
}

// keyImageParts returns share·Hp(P) for every share.
func (a *Account) keyImageParts(output xmr.PublicKey) []xmr.KeyImage {
	list := make([]xmr.KeyImage, len(a.shares))
	for i, s := range a.shares {
		list[i] = edwards.GenerateKeyImage(output, s)
	}
	return list
}

// SignerNonces are another signer's nonces for one output.
type SignerNonces struct {
	Signer xmr.PublicKey
	Nonces []NoncePair
}

// CheckInfos returns the infos of other signers, ascending by signer: without this signer's own, without repeated
// signers, and only for the outputs that all infos and the wallet have. It returns ErrForeignSigner, ErrMissing for too
// few signers, or ErrNonce. Source: src/wallet/wallet2.cpp, import_multisig.
func (a *Account) CheckInfos(list []*Info, outputs int) ([]*Info, error) {
	seen := map[xmr.PublicKey]bool{}
	var out []*Info
	for _, info := range list {
		if info.Signer == a.self || seen[info.Signer] {
			continue
		}
		if !a.isSigner(info.Signer) {
			return nil, ErrForeignSigner
		}
		seen[info.Signer] = true
		out, outputs = append(out, info), min(outputs, len(info.Outputs))
	}
	if len(out)+1 < int(a.threshold) {
		return nil, ErrMissing
	}
	smallsort.Sort(out, func(x, y *Info) int { return bytes.Compare(x.Signer[:], y.Signer[:]) })
	used := map[[32]byte]bool{}
	for n, info := range out {
		out[n] = &Info{Signer: info.Signer, Outputs: info.Outputs[:outputs]}
		for i := range out[n].Outputs {
			if err := checkOutputInfo(&info.Outputs[i], used); err != nil {
				return nil, err
			}
		}
	}
	return out, nil
}

// checkOutputInfo checks the points of o; used has the nonce commitments seen before.
func checkOutputInfo(o *OutputInfo, used map[[32]byte]bool) error {
	for _, n := range o.Nonces {
		for _, b := range [...][32]byte{n.L, n.R} {
			if _, err := clsag.Nonce(b); err != nil || used[b] {
				return ErrNonce
			}
			used[b] = true
		}
	}
	parts := make(map[xmr.KeyImage]bool, len(o.Images))
	for _, image := range o.Images {
		if _, err := clsag.Nonce(image); err != nil || parts[image] {
			return ErrNonce
		}
		parts[image] = true
	}
	return nil
}

// KeyImage returns the key image of an output of the group, from this signer's parts and the others'. It returns
// ErrParts unless there are as many different parts as the spend key has shares: then a signer is malicious, or too few
// sent info.
// Source: src/multisig/multisig.cpp, generate_multisig_composite_key_image.
func (a *Account) KeyImage(k *keys.Keys, in *txbuild.Input, received [][]xmr.KeyImage) (xmr.KeyImage, error) {
	secret := a.outputSecret(k, in)
	defer edwards.Wipe(secret)
	sum, err := edwards.DecodePoint(edwards.GenerateKeyImage(in.Key, secret))
	if err != nil {
		return xmr.KeyImage{}, ErrParts
	}
	known := map[xmr.KeyImage]bool{}
	for _, part := range a.keyImageParts(in.Key) {
		known[part] = true
	}
	for _, list := range received {
		for _, part := range list {
			if known[part] {
				continue
			}
			known[part] = true
			p, err := edwards.DecodePoint(part)
			if err != nil {
				return xmr.KeyImage{}, ErrNonce
			}
			sum.Add(sum, p)
		}
	}
	if len(known) != choose(a.Total(), a.threshold-1) || sum.IsIdentity() {
		return xmr.KeyImage{}, ErrParts
	}
	return sum.Encode(), nil
}

// outputSecret returns this signer's part of an output's secret key, including the part that all signers know.
func (a *Account) outputSecret(k *keys.Keys, in *txbuild.Input) *edwards.Scalar {
	x := k.OutputOffset(edwards.Derivation(in.Derivation), in.Index, in.Address)
	for _, s := range a.shares {
		x.Add(x, s)
	}
	return x
}
