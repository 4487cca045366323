package fcmp

import (
	"glim/core/crypto/helioselene"

	gbp "glim/core/crypto/generalizedbulletproofs"
)

// heliosDoublings are a generator times 1, 2, 4, …, as many as logarithms have coefficients.
type heliosDoublings []heliosXY

// heliosDoublingsOf returns the doublings of a generator.
func heliosDoublingsOf(generator *helioselene.Selene, bits int) heliosDoublings {
	points := make([]helioselene.Selene, bits)
	points[0] = *generator
	for i := 1; i < bits; i++ {
		points[i].Double(&points[i-1])
	}
	x, y := helioselene.SeleneXY(points)
	list := make(heliosDoublings, bits)
	for i := range list {
		list[i] = heliosXY{x[i], y[i]}
	}
	return list
}

// heliosLine are challenges for claims of discrete logarithms: two points, on a line with a slope.
type heliosLine struct {
	points [2]heliosXY
	slope  helioselene.Element
}

// drawHeliosLine returns challenges on a curve, or an error if they are unusable, which never happens by chance.
// Source: ec-gadgets, dlog.rs, discrete_log_challenge.
func drawHeliosLine(t *gbp.Transcript, curve *heliosWeierstrass) (line heliosLine, err error) {
	signs := t.Challenge()
	for i := range line.points {
		p := &line.points[i]
		for found := false; !found; {
			if p.x, err = t.HeliosChallenge(); err != nil {
				return line, err
			}
			square := curve.square(&p.x)
			found = p.y.Sqrt(&square)
		}
		if p.y.IsOdd() != signs[0]>>i&1 {
			p.y.Negate(&p.y)
		}
	}
	p, q := &line.points[0], &line.points[1]
	var t0 helioselene.Element
	t0.Subtract(&q.x, &p.x)
	if t0.IsZero() || p.y.IsZero() || q.y.IsZero() {
		return line, gbp.ErrProof
	}
	t0.Invert(&t0)
	line.slope.Subtract(&q.y, &p.y)
	line.slope.Multiply(&line.slope, &t0)
	return line, nil
}

// square returns x³ + a·x + b.
func (curve *heliosWeierstrass) square(x *helioselene.Element) (s helioselene.Element) {
	s.Square(x)
	s.Add(&s, &curve.a)
	s.Multiply(&s, x)
	s.Add(&s, &curve.b)
	return s
}

// heliosChallenge is what claims of discrete logarithms with the same challenges have in common.
type heliosChallenge struct {
	slope, intercept helioselene.Element
	evaluations      [3]heliosEvaluation
	weights          [][]helioselene.Element // 1/(μ − (y − λ·x)) of every doubling of each generator
}

// heliosEvaluation is the logarithmic derivative of a divisor at a challenge: numerator over denominator. They are
// linear in the divisor's coefficients, and have constants, because one coefficient is 1.
type heliosEvaluation struct {
	numerator, denominator                 []helioselene.Element
	numeratorConstant, denominatorConstant helioselene.Element
}

// expand returns the challenge of a line, for claims about multiples of generators. It returns an error if a doubling
// is on the line, which never happens by chance.
func (line *heliosLine) expand(curve *heliosWeierstrass, generators ...heliosDoublings) (*heliosChallenge, error) {
	c := &heliosChallenge{slope: line.slope}
	p, q := &line.points[0], &line.points[1]
	var t helioselene.Element
	c.intercept.Subtract(&p.y, t.Multiply(&line.slope, &p.x))
	third := heliosXY{} // the third point on the line
	third.x.Square(&line.slope)
	third.x.Subtract(&third.x, &p.x)
	third.x.Subtract(&third.x, &q.x)
	third.y.Multiply(&line.slope, &third.x)
	third.y.Add(&third.y, &c.intercept)

	bits := len(generators[0])
	for i, point := range []*heliosXY{p, q, &third} {
		c.evaluations[i] = newHeliosEvaluation(curve, point, &line.slope, bits)
	}
	weights := make([]helioselene.Element, 0, bits*len(generators))
	for _, doublings := range generators {
		for i := range doublings {
			var w helioselene.Element
			w.Multiply(&line.slope, &doublings[i].x)
			w.Add(&w, &c.intercept)
			if w.Subtract(&w, &doublings[i].y).IsZero() {
				return nil, gbp.ErrProof
			}
			weights = append(weights, w)
		}
	}
	helioselene.InvertElements(weights)
	for len(weights) > 0 {
		c.weights = append(c.weights, weights[:bits])
		weights = weights[bits:]
	}
	return c, nil
}

// newHeliosEvaluation returns what the evaluation at p multiplies a divisor's coefficients with: those of y; y·x,
// y·x² and so on; x², x³ and so on; 1.
// Source: ec-gadgets, dlog.rs, ChallengePoint and divisor_challenge_eval.
func newHeliosEvaluation(
	curve *heliosWeierstrass, p *heliosXY, slope *helioselene.Element, bits int,
) (e heliosEvaluation) {
	withY, withoutY := (bits+2)/2-2, (bits+1)/2-1
	var tangent, twoY, factor, t helioselene.Element
	twoY.Add(&p.y, &p.y)
	t.Square(&p.x)
	tangent.Add(&t, &t)
	tangent.Add(&tangent, &t)
	tangent.Add(&tangent, &curve.a) // 3·x² + a
	factor.Subtract(&tangent, t.Multiply(slope, &twoY))

	powers := make([]helioselene.Element, withoutY+2) // of x
	powers[0].SetUint64(1)
	for i := 1; i < len(powers); i++ {
		powers[i].Multiply(&powers[i-1], &p.x)
	}
	e.numerator = make([]helioselene.Element, 0, withY+withoutY+2)
	e.denominator = make([]helioselene.Element, 0, withY+withoutY+2)
	term := func(numerator, denominator helioselene.Element) {
		e.numerator = append(e.numerator, numerator)
		denominator.Multiply(&denominator, &factor)
		e.denominator = append(e.denominator, denominator)
	}
	var twoYY, n, d, one, exponent helioselene.Element
	one.SetUint64(1)
	twoYY.Multiply(&twoY, &p.y)
	term(tangent, p.y)
	for i := 1; i <= withY; i++ { // the derivatives of y·xⁱ are xⁱ and i·y·xⁱ⁻¹
		exponent.Add(&exponent, &one)
		n.Multiply(&powers[i], &tangent)
		t.Multiply(&powers[i-1], &exponent)
		n.Add(&n, t.Multiply(&t, &twoYY))
		term(n, *d.Multiply(&powers[i], &p.y))
	}
	exponent = one
	for i := 2; i <= withoutY+1; i++ { // the derivatives of xⁱ are 0 and i·xⁱ⁻¹
		exponent.Add(&exponent, &one)
		n.Multiply(&powers[i-1], &exponent)
		term(*n.Multiply(&n, &twoY), powers[i])
	}
	term(helioselene.Element{}, one)
	e.numeratorConstant = twoY
	e.denominatorConstant.Multiply(&p.x, &factor)
	return e
}

// logarithm constrains a claimed point to be on a curve and a multiple of the generator with an index in the challenge.
// Source: ec-gadgets, dlog.rs, discrete_log.
func (c heliosGadgets) logarithm(curve *heliosWeierstrass, challenge *heliosChallenge, generator int, claim claim) {
	c.onCurve(curve, claim.point)
	var quotients [3]gbp.Variable
	for i := range quotients {
		e := &challenge.evaluations[i]
		row := c.Row()
		c.Constrain()
		c.AddCommitted(claim.divisor, e.denominator)
		c.plus(&e.denominatorConstant)
		c.Minus(gbp.Left(row))
		c.Constrain()
		c.AddCommitted(claim.divisor, e.numerator)
		c.plus(&e.numeratorConstant)
		c.Minus(gbp.Output(row))
		quotients[i] = gbp.Right(row)
	}
	row := c.Row() // of μ + y + λ·x and its inverse
	c.Constrain()
	c.Plus(claim.point.y)
	c.Add(claim.point.x, &challenge.slope)
	c.plus(&challenge.intercept)
	c.Minus(gbp.Left(row))
	c.one(row)

	c.Constrain()
	for _, v := range quotients {
		c.Plus(v)
	}
	c.SubtractCommitted(claim.coefficients, challenge.weights[generator])
	c.Minus(gbp.Right(row))
}

// through sets curve to the curve with a = −3, as Helios and Selene have, on which a point is.
func (curve *heliosWeierstrass) through(x, y *helioselene.Element) {
	*curve = heliosWeierstrass{}
	curve.a.SetUint64(3)
	curve.a.Negate(&curve.a)
	rest := curve.square(x)
	curve.b.Square(y)
	curve.b.Subtract(&curve.b, &rest)
}
