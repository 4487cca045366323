package generalizedbulletproofs

import "glim/core/crypto/helioselene"

// HeliosCircuit holds the weighted sums of a circuit's constraints, which are all that a verifier needs. The weight of
// constraint i is z^(i+1). A prover builds the circuit twice: first to compute its rows, and then for these sums.
type HeliosCircuit struct {
	left, right, output []helioselene.Element // sums of the factors of each variable
	committed           []helioselene.Element
	constant            helioselene.Element
	z, weight           helioselene.Element
	used                int           // rows
	solver              *heliosSolver // nil if the circuit computes sums
}

func newHeliosCircuit(rows, committed int, z *helioselene.Element) *HeliosCircuit {
	c := &HeliosCircuit{committed: make([]helioselene.Element, committed), z: *z}
	for _, list := range []*[]helioselene.Element{&c.left, &c.right, &c.output} {
		*list = make([]helioselene.Element, rows)
	}
	c.weight.SetUint64(1)
	return c
}

// Row returns the index of the next unused row. It panics if all are used. The constraints that follow must define two
// of the row's variables: see Plus.
func (c *HeliosCircuit) Row() int {
	if c.used == len(c.left) {
		panic("generalizedbulletproofs: the circuit has too few rows")
	}
	c.used++
	return c.used - 1
}

// GivenRow is Row for a row whose left and right variables a prover gives, in HeliosWitness.Given.
func (c *HeliosCircuit) GivenRow() int {
	row := c.Row()
	if c.solver != nil {
		c.solver.give(row)
	}
	return row
}

// Rows returns the number of rows in use.
func (c *HeliosCircuit) Rows() int { return c.used }

// Constrain begins a constraint. Add, AddCommitted and AddConstant add its terms.
func (c *HeliosCircuit) Constrain() {
	if c.solver != nil {
		c.solver.end()
		return
	}
	c.weight.Multiply(&c.weight, &c.z)
}

// Add adds factor·v to the constraint. It panics if v is not defined yet.
func (c *HeliosCircuit) Add(v Variable, factor *helioselene.Element) {
	if c.solver != nil {
		c.solver.add(v, factor)
		return
	}
	var t helioselene.Element
	t.Multiply(factor, &c.weight)
	sum := c.sum(v)
	sum.Add(sum, &t)
}

// Plus adds v to the constraint. The first constraint with a left, right or output variable defines it: the prover
// gives it the value that satisfies the constraint. A constraint defines one variable at most. Two variables of a row
// define the third.
func (c *HeliosCircuit) Plus(v Variable) {
	if c.solver != nil {
		c.solver.term(v, false)
		return
	}
	sum := c.sum(v)
	sum.Add(sum, &c.weight)
}

// Minus subtracts v from the constraint, and may define v as Plus does.
func (c *HeliosCircuit) Minus(v Variable) {
	if c.solver != nil {
		c.solver.term(v, true)
		return
	}
	sum := c.sum(v)
	sum.Subtract(sum, &c.weight)
}

func (c *HeliosCircuit) sum(v Variable) *helioselene.Element {
	switch v.kind {
	case kindLeft:
		return &c.left[v.index]
	case kindRight:
		return &c.right[v.index]
	case kindOutput:
		return &c.output[v.index]
	default:
		return &c.committed[v.index]
	}
}

// AddCommitted adds factors[i] times the committed number first + i to the constraint, for all i.
func (c *HeliosCircuit) AddCommitted(first int, factors []helioselene.Element) {
	if c.solver != nil {
		c.solver.addCommitted(first, factors)
		return
	}
	var t helioselene.Element
	sums := c.committed[first:][:len(factors)]
	for i := range factors {
		t.Multiply(&factors[i], &c.weight)
		sums[i].Add(&sums[i], &t)
	}
}

// SubtractCommitted subtracts what AddCommitted adds.
func (c *HeliosCircuit) SubtractCommitted(first int, factors []helioselene.Element) {
	if c.solver != nil {
		c.solver.subtractCommitted(first, factors)
		return
	}
	var t helioselene.Element
	sums := c.committed[first:][:len(factors)]
	for i := range factors {
		t.Multiply(&factors[i], &c.weight)
		sums[i].Subtract(&sums[i], &t)
	}
}

// AddConstant adds a constant to the constraint.
func (c *HeliosCircuit) AddConstant(constant *helioselene.Element) {
	if c.solver != nil {
		c.solver.sum.Add(&c.solver.sum, constant)
		return
	}
	var t helioselene.Element
	t.Multiply(constant, &c.weight)
	c.constant.Add(&c.constant, &t)
}
