package carrot

import (
	"errors"
	"io"

	"glim/core/crypto/edwards"
	"glim/core/xmr"
)

// ImageProofSize is the size of an ImageProof in bytes.
const ImageProofSize = 3 * 32

// ImageProof proves which key image an output has whose key has a part of T: the challenge c and the answers s_x and
// s_y. The README has the statement and the transcript.
type ImageProof [ImageProofSize]byte

// ErrImageProof reports a key image that is not proven to be the output's. Retrying is pointless.
var ErrImageProof = errors.New("carrot: the key image is not proven to be that of the output")

// Domains of the hashes of proofs of key images.
const (
	imageProofDomain  = "glim key image proof 1"
	imageNonceDomain  = "glim key image nonce "
	imageRandomLength = 64
)

// imageGenerator returns the point I of the key image x·I of an output.
func (r *Rules) imageGenerator(f Format, output xmr.PublicKey) *edwards.Point {
	if f == LegacyOutput {
		return edwards.HashToPoint(output)
	}
	return r.HashToPoint(output[:])
}

// imageChallenge returns c for the commitments of nonces to G and T, and to I.
func imageChallenge(output xmr.PublicKey, image xmr.KeyImage, generator, key, linked *edwards.Point) *edwards.Scalar {
	points := edwards.EncodePoints(generator, key, linked)
	return deriveScalar(nil, imageProofDomain, output[:], image[:], points[0][:], points[1][:], points[2][:])
}

// ProveKeyImage returns the key image x·I of an output with the key x·G + y·T, and a proof of it, which reveals
// nothing else about x and y. It returns ErrMismatch if x and y do not open the output, ErrKey if x is zero, and
// random's error. Nonces are a hash of 64 bytes of random, the secrets and the output, so that bad randomness alone
// does not reveal secrets. Otherwise its time does not depend on secrets.
func (r *Rules) ProveKeyImage(
	random io.Reader, f Format, output xmr.PublicKey, x, y *edwards.Scalar,
) (image xmr.KeyImage, proof ImageProof, err error) {
	if isZero(x) {
		return image, proof, ErrKey
	}
	if r.outputKey(x, y).Encode() != [32]byte(output) {
		return image, proof, ErrMismatch
	}
	i := r.imageGenerator(f, output)
	image = new(edwards.Point).ScalarMult(x, i).Encode()

	var seed [imageRandomLength]byte
	defer clear(seed[:])
	if _, err := io.ReadFull(random, seed[:]); err != nil {
		return xmr.KeyImage{}, proof, err
	}
	encodedX, encodedY := edwards.EncodeScalar(x), edwards.EncodeScalar(y)
	defer clear(encodedX[:])
	defer clear(encodedY[:])
	nonce := func(name string) *edwards.Scalar {
		return deriveScalar(&encodedX, imageNonceDomain+name, encodedY[:], seed[:], output[:], image[:])
	}
	a, b := nonce("x"), nonce("y")
	defer edwards.Wipe(a)
	defer edwards.Wipe(b)
	c := imageChallenge(output, image, i, r.outputKey(a, b), new(edwards.Point).ScalarMult(a, i))
	for n, s := range []*edwards.Scalar{
		c, edwards.NewScalar().MultiplyAdd(c, x, a), edwards.NewScalar().MultiplyAdd(c, y, b),
	} {
		part := edwards.EncodeScalar(s)
		copy(proof[32*n:], part[:])
	}
	return image, proof, nil
}

// VerifyKeyImage returns ErrImageProof unless proof shows that image is the key image of an output. Whoever made it
// knows the secret keys of the output.
func (r *Rules) VerifyKeyImage(f Format, output xmr.PublicKey, image xmr.KeyImage, proof *ImageProof) error {
	key, ok1 := inSubgroup(output)
	link, ok2 := inSubgroup(image)
	c, err1 := edwards.DecodeScalar([32]byte(proof[:]))
	x, err2 := edwards.DecodeScalar([32]byte(proof[32:]))
	y, err3 := edwards.DecodeScalar([32]byte(proof[64:]))
	if !ok1 || !ok2 || err1 != nil || err2 != nil || err3 != nil {
		return ErrImageProof
	}
	i := r.imageGenerator(f, output)
	minus := edwards.NewScalar().Negate(c)
	opened := r.outputKey(x, y)
	opened.Add(opened, key.ScalarMult(minus, key))
	linked := new(edwards.Point).ScalarMult(x, i)
	linked.Add(linked, link.ScalarMult(minus, link))
	if imageChallenge(output, image, i, opened, linked).Equal(c) != 1 {
		return ErrImageProof
	}
	return nil
}
