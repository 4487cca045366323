package fcmp

import (
	"context"
	"crypto/subtle"
	"errors"
	"fmt"
	"io"
	"sync"

	"glim/core/carrot"
	"glim/core/crypto/curvetree"
	"glim/core/crypto/ecdivisors"
	"glim/core/crypto/edwards"
	"glim/core/crypto/helioselene"
	"glim/core/internal/parallel"

	gbp "glim/core/crypto/generalizedbulletproofs"
)

// Errors of ProveMembership for paths. Retrying is pointless for the same tree.
var (
	ErrLeaf = errors.New("fcmp: the output is not among the leaves of its path")
	ErrPath = errors.New("fcmp: the path does not lead from its leaves to the root")
)

// Path is the way from an output to the root of the tree: the children of each hash on it, the lowest hash first. It is
// secret for outputs to spend.
type Path struct {
	Leaves []curvetree.Leaf             // of the first layer: 1 to curvetree.SeleneWidth outputs
	Helios [][]helioselene.Element      // of the second layer, the fourth, …: 1 to curvetree.HeliosWidth children
	Selene [][]helioselene.Element25519 // of the third layer, the fifth, …: 1 to curvetree.SeleneWidth children
}

// Member is an output in the tree that a transaction spends, with the blinds that the spend proof has too. It is
// secret.
type Member struct {
	Output Output
	Blinds *Blinds
	Path   Path
}

// String returns a placeholder, because secrets do not belong in logs.
func (Path) String() string { return "fcmp.Path(redacted)" }

// GoString returns a placeholder.
func (p Path) GoString() string { return p.String() }

// String returns a placeholder, because secrets do not belong in logs.
func (Member) String() string { return "fcmp.Member(redacted)" }

// GoString returns a placeholder.
func (m Member) GoString() string { return m.String() }

// Progress is called with the share of the work that is done, in percent: never less than before, and not concurrently.
type Progress func(percent int)

// The shares of the steps in the time of a proof, in percent. Source: BenchmarkProveMembership, on one thread.
const (
	claimsShare  = 8
	seleneCommit = 26
	heliosCommit = 12
	seleneProof  = 37
)

// ProveMembership returns the inputs that the blinds make of outputs, with a proof that the outputs are in the tree
// with a root. All paths must be of the same state of the tree, that of the root.
//
// It returns ErrLimits for numbers of outputs and layers that MembershipProofSize does not allow. The other errors name
// the output with its index: ErrLeaf, ErrPath, or an error of Output.Blind. If ctx ends it returns its error before it
// is done, but not at once. The error may be rand's, which yields further blinds and must be unpredictable.
//
// The time depends on the numbers of outputs, layers and children, but not on which child a path goes through, nor on
// blinds. The first proof of a size takes longer, as it makes generators, which remain in memory.
// progress may be nil. Source: crate full-chain-membership-proofs, lib.rs, prove; prover/mod.rs; tape.rs.
func ProveMembership(
	ctx context.Context, rand io.Reader, rules *carrot.Rules, root curvetree.Root, members []Member,
	progress Progress,
) (*Membership, error) {
	if progress == nil {
		progress = func(int) {}
	}
	if MembershipProofSize(len(members), root.Layers) == 0 {
		return nil, ErrLimits
	}
	p := &membershipProver{ctx: ctx, rand: rand, layout: newLayout(len(members), root.Layers), members: members,
		progress: progress}
	defer p.wipe()
	p.result = &Membership{Root: root}
	if err := p.blind(rules); err != nil {
		return nil, err
	}
	for _, step := range []func() error{p.follow, p.claim, p.prove} {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if err := step(); err != nil {
			return nil, err
		}
	}
	progress(100)
	return p.result, nil
}

// membershipProver makes a proof.
type membershipProver struct {
	ctx       context.Context
	rand      io.Reader
	layout    *layout
	members   []Member
	progress  Progress
	result    *Membership
	doublings []seleneDoublings // of generators of Ed25519
	leaves    []curvetree.Leaf  // the outputs
	selene    *seleneWitness
	helios    *heliosWitness
}

func (p *membershipProver) wipe() {
	clear(p.leaves)
	if p.selene != nil {
		p.selene.wipe()
	}
	if p.helios != nil {
		p.helios.wipe()
	}
}

// blind makes the inputs.
func (p *membershipProver) blind(rules *carrot.Rules) (err error) {
	if p.doublings, err = doublingsOf(rules); err != nil {
		return err
	}
	p.leaves = make([]curvetree.Leaf, len(p.members))
	for i := range p.members {
		m := &p.members[i]
		points, err := m.Output.points()
		if err != nil {
			return fmt.Errorf("output %d: %w", i, err)
		}
		input, err := points.blind(rules, m.Blinds)
		if err != nil {
			return fmt.Errorf("output %d: %w", i, err)
		}
		p.result.Inputs = append(p.result.Inputs, input)
		x, y := curvetree.Weierstrass([]*edwards.Point{points.key, points.generator, points.commitment})
		for j := range x {
			p.leaves[i][2*j], p.leaves[i][2*j+1] = x[j], y[j]
		}
	}
	if p.selene, err = newSeleneWitness(p.rand, &p.layout.selene); err != nil {
		return err
	}
	p.helios, err = newHeliosWitness(p.rand, &p.layout.helios)
	return err
}

// follow commits to the branches of all paths, and checks that each path leads to the root.
func (p *membershipProver) follow() error {
	l := p.layout
	for i := range p.members {
		err := p.setBranches(i)
		if err == nil && i == 0 && p.hashRoot() != p.result.Root.Hash {
			err = ErrPath
		}
		if err != nil {
			return fmt.Errorf("output %d: %w", i, err)
		}
	}
	selene := make([]helioselene.Selene, l.inputs*l.openedSelene())
	parallel.For(len(selene), func(i int) { selene[i] = *p.selene.hashBranch(i) })
	helios := make([]helioselene.Helios, l.inputs*l.openedHelios())
	parallel.For(len(helios), func(i int) { helios[i] = *p.helios.hashBranch(i) })
	ofSelene, ofSeleneY := helioselene.SeleneXY(selene)
	ofHelios, ofHeliosY := helioselene.HeliosXY(helios)
	for i := range ofSelene {
		input, layer := i/l.openedSelene(), i%l.openedSelene()
		if !containsHelios(p.helios.branch(l.heliosBranch(input, layer)), &ofSelene[i]) {
			return fmt.Errorf("output %d: %w", input, ErrPath)
		}
		p.helios.given = append(p.helios.given, [2]helioselene.Element{ofSelene[i], ofSeleneY[i]})
	}
	for i := range ofHelios {
		input, layer := i/l.openedHelios(), i%l.openedHelios()
		if !containsSelene(p.selene.branch(l.seleneBranch(input, layer+1)), &ofHelios[i]) {
			return fmt.Errorf("output %d: %w", input, ErrPath)
		}
		p.selene.given = append(p.selene.given, [2]helioselene.Element25519{ofHelios[i], ofHeliosY[i]})
	}
	return nil
}

// hashRoot commits to the branch of the root and returns the root.
func (p *membershipProver) hashRoot() [size]byte {
	if l := p.layout; l.rootOnSelene() {
		return p.selene.hashBranch(len(l.selene.branches) - 1).Encode()
	}
	return p.helios.hashBranch(len(p.layout.helios.branches) - 1).Encode()
}

// setBranches sets the numbers of the branches of a path. That of the root must be the same for all.
func (p *membershipProver) setBranches(i int) error {
	l, path := p.layout, &p.members[i].Path
	if len(path.Helios) != l.layers/2 || len(path.Selene) != (l.layers-1)/2 {
		return ErrPath
	}
	if len(path.Leaves) > curvetree.SeleneWidth {
		return ErrPath
	}
	leaves := make([]helioselene.Element25519, 0, leafWidth)
	found := 0
	for j := range path.Leaves {
		leaves = append(leaves, path.Leaves[j][:]...)
		found |= equalLeaves(&path.Leaves[j], &p.leaves[i])
	}
	if found == 0 {
		return ErrLeaf
	}
	for j, children := range append([][]helioselene.Element25519{leaves}, path.Selene...) {
		known := i > 0 && j == l.openedSelene()
		if err := setBranch(p.selene.branch(l.seleneBranch(i, j)), children, known); err != nil {
			return err
		}
	}
	for j, children := range path.Helios {
		known := i > 0 && j == l.openedHelios()
		if err := setBranch(p.helios.branch(l.heliosBranch(i, j)), children, known); err != nil {
			return err
		}
	}
	return nil
}

// setBranch sets the numbers of a branch, with zeros at the end. If they are known already, it checks that they are the
// same.
func setBranch[E any, P interface {
	*E
	Equal(*E) bool
}](branch, children []E, known bool) error {
	if len(children) == 0 || len(children) > len(branch) {
		return ErrPath
	}
	if !known {
		copy(branch, children)
		return nil
	}
	var zero E
	for i := range branch {
		child := &zero
		if i < len(children) {
			child = &children[i]
		}
		if !P(&branch[i]).Equal(child) {
			return ErrPath
		}
	}
	return nil
}

// equalLeaves returns 1 if a = b, and 0 otherwise.
func equalLeaves(a, b *curvetree.Leaf) int {
	equal := 1
	for i := range a {
		x, y := a[i].Bytes(), b[i].Bytes()
		equal &= subtle.ConstantTimeCompare(x[:], y[:])
	}
	return equal
}

// claim makes the claims of all blinds, and commits to them.
func (p *membershipProver) claim() error {
	var work []func() error
	for i := range p.members {
		work = append(work, p.inputClaims(i)...)
	}
	l := p.layout
	if n := l.inputs * l.openedHelios(); n > 0 {
		generator := doublingsOfHelios().multiples(&heliosCurve)
		for i := range n {
			work = append(work, func() error {
				return p.selene.claimOf(l.claimOfHelios(i), ecdivisors.Helios, p.helios.minusBlind(i), generator)
			})
		}
	}
	if n := l.inputs * l.openedSelene(); n > 0 {
		generator := doublingsOfSelene().multiples(&seleneCurve)
		for i := range n {
			work = append(work, func() error {
				return p.helios.claimOf(l.claimOfSelene(i), ecdivisors.Selene, p.selene.minusBlind(i), generator)
			})
		}
	}
	errs := make([]error, len(work))
	var mu sync.Mutex
	done := 0
	parallel.For(len(work), func(i int) {
		if errs[i] = p.ctx.Err(); errs[i] == nil {
			errs[i] = work[i]()
		}
		mu.Lock()
		defer mu.Unlock()
		done++
		p.progress(claimsShare * done / len(work))
	})
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	p.selene.commit()
	p.progress(claimsShare + seleneCommit)
	if err := p.ctx.Err(); err != nil {
		return err
	}
	p.helios.commit()
	p.progress(claimsShare + seleneCommit + heliosCommit)
	return p.ctx.Err()
}

// inputClaims returns functions that make the claims of an input. Those of T, U and G are about the points that undo
// blinds, and so are negative; that of R is about its blind itself.
func (p *membershipProver) inputClaims(i int) []func() error {
	blinds, claims, w, leaf := p.members[i].Blinds, p.layout.claimsOf(i), p.selene, &p.leaves[i]
	for j, c := range []claim{claims.key, claims.generator, claims.commitment} {
		copy(w.numbers[c.spareIndex():], leaf[2*j:2*j+2])
	}
	encode := func(s *edwards.Scalar, negative bool) [size]byte {
		if negative {
			s = edwards.NewScalar().Negate(s)
			defer edwards.Wipe(s)
		}
		return edwards.EncodeScalar(s)
	}
	of := func(c claim, generator int, blind *edwards.Scalar, negative bool) func() error {
		return func() error {
			multiples := p.doublings[generator].multiples(&wei25519)
			return w.claimOf(c, ecdivisors.Ed25519, encode(blind, negative), multiples)
		}
	}
	return []func() error{
		of(claims.key, logarithmT, blinds.Key, true),
		of(claims.generator, logarithmU, blinds.Generator, true),
		func() error { // the coefficients of V are those of U
			scalar := encode(blinds.Generator, true)
			defer clear(scalar[:])
			l, err := ecdivisors.Ed25519.Decompose(&scalar)
			if err != nil {
				return err
			}
			defer clear(l)
			m, err := p.doublings[logarithmV].multiples(&wei25519).Multiple(l)
			if err != nil {
				return err
			}
			defer m.Wipe()
			copy(w.numbers[claims.v.divisor:], m.Divisor)
			copy(w.numbers[claims.r.spareIndex():], []helioselene.Element25519{m.X, m.Y})
			return nil
		},
		of(claims.r, logarithmT, blinds.R, false),
		of(claims.commitment, logarithmG, blinds.Commitment, true),
	}
}

// prove writes the proof.
func (p *membershipProver) prove() error {
	l, m := p.layout, p.result
	inputs, err := m.coordinates()
	if err != nil {
		return err
	}
	t, opening, err := p.begin(inputs)
	if err != nil {
		return err
	}
	drawn, err := drawChallenges(t, l)
	if err != nil {
		return err
	}
	public := &commitments{selene: p.selene.commitments, helios: p.helios.commitments}
	hashes, err := public.hashes(l)
	if err != nil {
		return err
	}
	err = p.selene.prove(p.rand, t, func(c *gbp.SeleneCircuit) error {
		return drawn.buildSelene(c, l, inputs, hashes, p.doublings)
	})
	if err != nil {
		return err
	}
	p.progress(claimsShare + seleneCommit + heliosCommit + seleneProof)
	if err := p.ctx.Err(); err != nil {
		return err
	}
	err = p.helios.prove(p.rand, t, func(c *gbp.HeliosCircuit) error { return drawn.buildHelios(c, l, hashes) })
	if err != nil {
		return err
	}
	m.Proof = append(t.Written(), opening...)
	return nil
}

// begin writes the commitments, and returns the proof of the root's blind, which the end of the whole proof is.
func (p *membershipProver) begin(inputs []inputPoints) (t *gbp.Transcript, opening []byte, err error) {
	l, m := p.layout, p.result
	write := func(nonce [size]byte) {
		t = gbp.NewTranscript(m.context(l, inputs, nonce[:]), nil)
		t.WriteSeleneCommitments(p.selene.commitments)
		t.WriteHeliosCommitments(p.helios.commitments)
	}
	if l.rootOnSelene() {
		o, err := newSeleneOpening(p.rand)
		if err != nil {
			return nil, nil, err
		}
		write(o.point)
		opening, err = o.answer(t, &p.selene.blinds[len(l.selene.branches)-1])
		return t, opening, err
	}
	o, err := newHeliosOpening(p.rand)
	if err != nil {
		return nil, nil, err
	}
	write(o.point)
	opening, err = o.answer(t, &p.helios.blinds[len(l.helios.branches)-1])
	return t, opening, err
}
