package edwards

// secretArithmetic is what door has: the arithmetic for everything that may touch a secret: keys, nonces, masks, derivations, and points that are made of them.
// It is own, unless the build tag auditedcurve makes it library: door_own.go and door_audited.go choose. What remains own either way is
// sums of public points with public scalars, such as verifying takes. The test TestSecretsGoThroughTheDoor of package core lists the
// callers of those.
//
// Scalars are the library's either way, and so are sums, negatives and eightfolds of points.
type secretArithmetic interface {
	// mult returns Σ scalars[i]·points[i]. The slices have one length.
	mult(scalars []*Scalar, points []*Point) *Point
	baseMult(s *Scalar) *Point
	multH(s *Scalar) *Point
	// sums sets out to the sums of s, which is Secret.
	sums(s *Sums, out []*Point)
	// subset returns the sum of the points of tables whose bit is 1. The slices have one length.
	subset(bits []byte, tables []*Table) *Point
	// publicMult is VarTimeTableMult; the points may be secret, the scalars are public.
	publicMult(scalars []*Scalar, tables []*Table, more []*Scalar, points []*Point) *Point

	decode(b *[32]byte) (*Point, error)
	decodeAll(b [][32]byte) ([]*Point, error)
	encode(p *Point) [32]byte
	encodeAll(points []*Point) [][32]byte
	mapToPoint(b [32]byte) *Point
	hashToPoints(b [][32]byte) []*Point

	newDeriver(view *Scalar) *Deriver
	cloneDeriver(d *Deriver) *Deriver
	// derive is Deriver.Derive of a Deriver that newDeriver made.
	derive(d *Deriver, out []Derivation, keys [][32]byte)
	spendKeys(payments []Payment)
	addBaseMults(out [][32]byte, p [32]byte, scalars []Scalar) error
}

var (
	_ secretArithmetic = own{}
	_ secretArithmetic = library{}
)
