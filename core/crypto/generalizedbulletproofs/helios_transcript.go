package generalizedbulletproofs

import (
	"io"

	"glim/core/crypto/helioselene"
)

// HeliosCommitments reads vector commitments. A list of other commitments, which is empty here, follows them in the
// transcript.
func (t *Transcript) HeliosCommitments(n int) ([]helioselene.Helios, error) {
	t.count(n)
	list, err := t.heliosPoints(n)
	if err != nil {
		return nil, err
	}
	t.count(0)
	return list, nil
}

// WriteHeliosCommitments writes the vector commitments of a proof.
func (t *Transcript) WriteHeliosCommitments(list []helioselene.Helios) {
	t.count(len(list))
	t.writeHelios(list...)
	t.count(0)
}

func (t *Transcript) writeHelios(points ...helioselene.Helios) {
	for i := range points {
		t.write(kindPoint, points[i].Encode())
	}
}

func (t *Transcript) writeHeliosScalar(e *helioselene.Element) { t.write(kindScalar, e.Bytes()) }

// HeliosChallenge returns a challenge that is a scalar of Helios, or an error if it is 0, which never happens by
// chance.
func (t *Transcript) HeliosChallenge() (helioselene.Element, error) {
	b := t.Challenge()
	var e helioselene.Element
	if e.SetWide(&b).IsZero() {
		return e, ErrProof
	}
	return e, nil
}

func (t *Transcript) heliosPoints(n int) ([]helioselene.Helios, error) {
	list := make([]helioselene.Helios, n)
	for i := range list {
		b, err := t.read(kindPoint)
		if err != nil {
			return nil, err
		}
		p, err := helioselene.DecodeHelios(b)
		if err != nil {
			return nil, ErrProof
		}
		list[i] = *p
	}
	return list, nil
}

func (t *Transcript) heliosScalars(n int) ([]helioselene.Element, error) {
	list := make([]helioselene.Element, n)
	for i := range list {
		b, err := t.read(kindScalar)
		if err != nil {
			return nil, err
		}
		if list[i].SetBytes(b) != nil {
			return nil, ErrProof
		}
	}
	return list, nil
}

// randomHelios returns a uniform scalar of Helios, made of 64 bytes of rand.
func randomHelios(rand io.Reader) (e helioselene.Element, err error) {
	var b [64]byte
	if _, err := io.ReadFull(rand, b[:]); err != nil {
		return e, err
	}
	return *e.SetWide(&b), nil
}
