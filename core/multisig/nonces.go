package multisig

import (
	"bytes"
	"errors"
	"io"

	"glim/core/build"
	"glim/core/coldset"
	"glim/core/crypto/clsag"
	"glim/core/crypto/edwards"
	"glim/core/internal/order"
	"glim/core/keys"
	"glim/core/xmr"
)

// Errors of what signers tell each other of outputs. Messages are for people and reach the client.
var (
	// ErrNonce: a nonce's point that is none, has torsion or is told twice; or the part of a key image that is such a point.
	ErrNonce = errors.New("multisig: multisig info holds a value that is malformed, has torsion or comes twice")
	// ErrParts: parts of a key image that are not one for every share of the spend key.
	ErrParts = errors.New("multisig: the signers' parts of a key image do not fit together")
	// ErrImport: too few others told of an output for it to be spent.
	ErrImport = errors.New("multisig: not enough multisig data was found to sign: import multisig data from more other participants")
)

// NonceCount returns how many nonces a signer tells of for an output: for one response in every group that has the signer in it.
// Source: src/wallet/wallet2.cpp, export_multisig.
func (a *Account) NonceCount() int {
	return clsag.Nonces * choose(a.Total()-1, a.Total()-a.threshold)
}

// NewNonces returns fresh nonces for the output with a key, as many as NonceCount says. Besides random they hash this signer's
// secret, so that bad randomness alone tells nobody a nonce. The error is random's.
func (a *Account) NewNonces(random io.Reader, output xmr.PublicKey) ([]keys.Secret, error) {
	return a.freshNonces(random, output, a.NonceCount())
}

// freshNonces is NewNonces of any count. Where it is known already what they are for, that is hashed along: then not even randomness that
// repeats itself gives one nonce to two challenges.
func (a *Account) freshNonces(random io.Reader, output xmr.PublicKey, count int, purpose ...[]byte) ([]keys.Secret, error) {
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

// Tell returns what the others are told of the output with a key: what commits to nonces, and the parts of its key image that this
// signer's shares make. Constant time in the secrets. keys.ErrKey when a nonce is none.
// Source: src/wallet/wallet2.cpp, export_multisig; src/multisig/multisig.cpp, generate_multisig_key_image.
func (a *Account) Tell(output xmr.PublicKey, nonces []keys.Secret) (coldset.SharedOutput, error) {
	var o coldset.SharedOutput
	for i := range nonces {
		n, err := secret(nonces[i])
		if err != nil {
			return o, keys.ErrKey
		}
		l, r := clsag.NoncePoints(output, n)
		edwards.Wipe(n)
		o.Nonces = append(o.Nonces, coldset.NoncePair{L: l, R: r})
	}
	o.Images = a.parts(output)
	return o, nil
}

// parts returns share·Hp(P) of every share.
func (a *Account) parts(output xmr.PublicKey) []xmr.KeyImage {
	list := make([]xmr.KeyImage, len(a.shares))
	for i, s := range a.shares {
		list[i] = edwards.GenerateKeyImage(output, s)
	}
	return list
}

// Told is what another signer told of one output.
type Told struct {
	Signer xmr.PublicKey
	Nonces []coldset.NoncePair
}

// CheckInfos returns the infos of other signers, ascending by signer: without those of this signer itself, without second
// ones of one signer, and of as many outputs only as all tell of and the wallet has. Errors: ErrStranger, ErrMissing when they
// are of too few, ErrNonce.
// Source: src/wallet/wallet2.cpp, import_multisig.
func (a *Account) CheckInfos(list []*coldset.SharedInfo, outputs int) ([]*coldset.SharedInfo, error) {
	seen := map[xmr.PublicKey]bool{}
	var out []*coldset.SharedInfo
	for _, info := range list {
		if info.Signer == a.self || seen[info.Signer] {
			continue
		}
		if !a.isSigner(info.Signer) {
			return nil, ErrStranger
		}
		seen[info.Signer] = true
		out, outputs = append(out, info), min(outputs, len(info.Outputs))
	}
	if len(out)+1 < int(a.threshold) {
		return nil, ErrMissing
	}
	order.Sort(out, func(x, y *coldset.SharedInfo) int { return bytes.Compare(x.Signer[:], y.Signer[:]) })
	used := map[[32]byte]bool{}
	for n, info := range out {
		out[n] = &coldset.SharedInfo{Signer: info.Signer, Outputs: info.Outputs[:outputs]}
		for i := range out[n].Outputs {
			if err := checkTold(&info.Outputs[i], used); err != nil {
				return nil, err
			}
		}
	}
	return out, nil
}

// checkTold looks at the points of o; used are the nonces' points seen before.
func checkTold(o *coldset.SharedOutput, used map[[32]byte]bool) error {
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

// KeyImage returns the key image of an output of the group's, of this signer's parts and those others told. ErrParts when there are not
// as many different parts as the spend key has shares: somebody lies, or too few told.
// Source: src/multisig/multisig.cpp, generate_multisig_composite_key_image.
func (a *Account) KeyImage(k *keys.Keys, in *build.Input, told [][]xmr.KeyImage) (xmr.KeyImage, error) {
	secret := a.outputSecret(k, in)
	defer edwards.Wipe(secret)
	sum, err := edwards.DecodePoint(edwards.GenerateKeyImage(in.Key, secret))
	if err != nil {
		return xmr.KeyImage{}, ErrParts
	}
	known := map[xmr.KeyImage]bool{}
	for _, part := range a.parts(in.Key) {
		known[part] = true
	}
	for _, list := range told {
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

// outputSecret returns this signer's part of an output's secret key, with what all signers know of it.
func (a *Account) outputSecret(k *keys.Keys, in *build.Input) *edwards.Scalar {
	x := k.OutputOffset(edwards.Derivation(in.Derivation), in.Index, in.Address)
	for _, s := range a.shares {
		x.Add(x, s)
	}
	return x
}
