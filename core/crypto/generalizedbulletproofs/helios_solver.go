package generalizedbulletproofs

import "glim/core/crypto/helioselene"

// heliosSolver computes the rows of a circuit from the committed numbers and from the rows that the prover gives. Which
// variables are known when depends on the circuit alone, so that the time does not depend on values.
type heliosSolver struct {
	left, right, output []helioselene.Element // of each row
	committed           []helioselene.Element
	given               [][2]helioselene.Element // of the rows that are left
	known               []knownVariables         // of each row

	sum      helioselene.Element // of the known terms of the constraint
	unknown  *Variable           // that the constraint defines, and nil if there is no such variable yet
	negative bool                // the sum contains unknown with the factor −1

	wrong [size]byte // not 0 if a constraint or a row is not satisfied
}

func newHeliosSolver(
	rows int, committed []helioselene.Element, given [][2]helioselene.Element,
) *heliosSolver {
	s := &heliosSolver{committed: committed, given: given, known: make([]knownVariables, rows)}
	for _, list := range []*[]helioselene.Element{&s.left, &s.right, &s.output} {
		*list = make([]helioselene.Element, rows)
	}
	return s
}

// solve builds a circuit. It returns ErrWitness if the constraints are not satisfied.
func (s *heliosSolver) solve(build func(*HeliosCircuit) error) error {
	c := &HeliosCircuit{left: s.left, solver: s}
	if err := build(c); err != nil {
		return err
	}
	s.end()
	for _, known := range s.known[:c.used] {
		if known != knownAll {
			panic("generalizedbulletproofs: the constraints do not define all variables")
		}
	}
	if s.wrong != [size]byte{} {
		return ErrWitness
	}
	return nil
}

// value returns the value of a variable, and nil if it is not known.
func (s *heliosSolver) value(v Variable) *helioselene.Element {
	if v.kind == kindCommitted {
		return &s.committed[v.index]
	}
	if s.known[v.index]&(1<<v.kind) == 0 {
		return nil
	}
	return s.of(v)
}

// of returns where the value of a row's variable is.
func (s *heliosSolver) of(v Variable) *helioselene.Element {
	switch v.kind {
	case kindLeft:
		return &s.left[v.index]
	case kindRight:
		return &s.right[v.index]
	default:
		return &s.output[v.index]
	}
}

// add adds a term to the constraint, of a variable that is known.
func (s *heliosSolver) add(v Variable, factor *helioselene.Element) {
	value := s.value(v)
	if value == nil {
		panic("generalizedbulletproofs: a constraint defines a variable that has a factor")
	}
	var t helioselene.Element
	s.sum.Add(&s.sum, t.Multiply(value, factor))
}

// term adds v to the constraint, or subtracts it.
func (s *heliosSolver) term(v Variable, negative bool) {
	value := s.value(v)
	switch {
	case value == nil && s.unknown != nil:
		panic("generalizedbulletproofs: a constraint defines two variables")
	case value == nil:
		s.unknown, s.negative = &v, negative
	case negative:
		s.sum.Subtract(&s.sum, value)
	default:
		s.sum.Add(&s.sum, value)
	}
}

func (s *heliosSolver) addCommitted(first int, factors []helioselene.Element) {
	inner := innerHelios(s.committed[first:][:len(factors)], factors)
	s.sum.Add(&s.sum, &inner)
}

func (s *heliosSolver) subtractCommitted(first int, factors []helioselene.Element) {
	inner := innerHelios(s.committed[first:][:len(factors)], factors)
	s.sum.Subtract(&s.sum, &inner)
}

// end ends a constraint: it defines a variable or must be satisfied.
func (s *heliosSolver) end() {
	switch {
	case s.unknown == nil:
		s.zero(&s.sum)
	case s.negative:
		s.define(*s.unknown, &s.sum)
	default:
		s.define(*s.unknown, s.sum.Negate(&s.sum))
	}
	s.sum, s.unknown = helioselene.Element{}, nil
}

// give defines the left and the right variable of a row.
func (s *heliosSolver) give(row int) {
	if len(s.given) == 0 {
		panic("generalizedbulletproofs: the circuit has more given rows than the witness")
	}
	s.define(Left(row), &s.given[0][0])
	s.define(Right(row), &s.given[0][1])
	s.given = s.given[1:]
}

// define gives a row's variable a value. If two variables of the row are known then, they define the third.
func (s *heliosSolver) define(v Variable, value *helioselene.Element) {
	*s.of(v) = *value
	known := &s.known[v.index]
	*known |= 1 << v.kind
	left, right, output := &s.left[v.index], &s.right[v.index], &s.output[v.index]
	switch *known {
	case 1<<kindLeft | 1<<kindRight:
		output.Multiply(left, right)
	case 1<<kindLeft | 1<<kindOutput:
		right.Multiply(output, right.Invert(left))
	case 1<<kindRight | 1<<kindOutput:
		left.Multiply(output, left.Invert(right))
	default:
		return
	}
	*known = knownAll
	var t helioselene.Element // not 0 after a division by 0
	t.Multiply(left, right)
	s.zero(t.Subtract(&t, output))
}

// zero records that an element must be 0.
func (s *heliosSolver) zero(e *helioselene.Element) {
	for i, b := range e.Bytes() {
		s.wrong[i] |= b
	}
}

// wipe forgets what the solver computed.
func (s *heliosSolver) wipe() {
	clear(s.left)
	clear(s.right)
	clear(s.output)
	s.sum = helioselene.Element{}
}
