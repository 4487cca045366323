package edwards

// pointArithmetic is the arithmetic for everything that may depend on a secret: keys, nonces, masks, derivations, and
// points computed from them. Its implementation secretArithmetic is own, or library with the build tag auditedcurve;
// see arithmetic_own.go and arithmetic_audited.go. Sums of public points with public scalars, as in verification,
// always use own code. TestSecretsUseSecretArithmetic in package core lists their callers.
//
// Both implementations use the library's scalars, and its addition, negation and multiplication of points by 8.
type pointArithmetic interface {
	// mult returns Σ scalars[i]·points[i]. The slices have the same length.
	mult(scalars []*Scalar, points []*Point) *Point
	baseMult(s *Scalar) *Point
	multH(s *Scalar) *Point
	// sums sets out to the sums of s, whose Secret is true.
	sums(s *Sums, out []*Point)
	// subset returns the sum of the tables' points whose bit is 1. The slices have the same length.
	subset(bits []byte, tables []*Table) *Point
	// publicMult is VarTimeTableMult; the points may be secret, the scalars are public.
	publicMult(scalars []*Scalar, tables []*Table, more []*Scalar, points []*Point) *Point

	decode(b *[32]byte) (*Point, error)
	decodeAll(b [][32]byte) ([]*Point, error)
	encode(p *Point) [32]byte
	encodeAll(points []*Point) [][32]byte
	mapToPoint(b [32]byte) *Point
	// ladder is X25519, and montgomery is Point.Montgomery.
	ladder(s *Scalar, u *[32]byte) [32]byte
	montgomery(p *Point) [32]byte
	// edwardsKeys and montgomeryKeys convert the keys and the results of an Exchanger, at most batch of them.
	edwardsKeys(out, us [][32]byte)
	montgomeryKeys(out [][32]byte, derivations []Derivation)
	hashToPoints(b [][32]byte) []*Point

	newDeriver(view *Scalar) *Deriver
	cloneDeriver(d *Deriver) *Deriver
	// derive is Deriver.Derive for a Deriver of newDeriver.
	derive(d *Deriver, out []Derivation, keys [][32]byte)
	// newViewKeys is NewViewKeys; setTable and deriveTable are KeyTable.Set and KeyTable.Derive.
	newViewKeys(views []*Scalar) *ViewKeys
	setTable(t *KeyTable, key *[32]byte, uses int) bool
	deriveTable(t *KeyTable, out []Derivation, views *ViewKeys, from int)
	spendKeys(payments []Payment)
	addBaseMults(out [][32]byte, p [32]byte, scalars []Scalar) error
}

var (
	_ pointArithmetic = own{}
	_ pointArithmetic = library{}
)
