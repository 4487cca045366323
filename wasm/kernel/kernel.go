// Package kernel makes derivations and sums of multiples in WebAssembly's vector instructions, two at a time: a small module that
// edwards.Deriver and edwards.Sums hand their work to.
//
// Go's compiler has no vectors and sixteen variables; the module takes less than half the time. What it needs beyond ordinary vectors
// is the fused multiplication and addition of relaxed SIMD. Where a host lacks that, Start says so and nothing changes.
//
//go:generate go run ./make kernel.wasm
package kernel

// The module exports its memory and derive(n, end): with a program of edwards.Kernel at AtProgram, which ends at address end, and n
// pairs of keys at AtKeys, n positive, it leaves 8·a·R of each at AtOut, zeros for what is no point. From AtEnd to AtTables it works.
const (
	// Batch is how many keys a call takes.
	Batch = 256
	// Steps is how many bytes a program may have.
	Steps = 1024

	AtProgram = 1024
	AtKeys    = AtProgram + Steps
	AtOut     = AtKeys + 32*Batch
	AtPoints  = AtOut + 32*Batch
	AtTerms   = AtPoints + Point*Points
	AtSums    = AtTerms + Term*Terms
	AtEnd     = AtSums + 2*Point
	AtTables  = 4 << 16
	AtKept    = AtTables + 2*Entries*Multiple*PointTerms
	// Pages is how much memory the module begins with, in units of Page bytes. It can be made to grow.
	Pages = 32
	Page  = 1 << 16
)

// And it exports tables(from, to, pairs, entries) and sum(end, secret, both). The first makes tables of pairs of points, each point its
// four coordinates: so many multiples from 0·P on; of the second of a pair they begin eight bytes after those of the
// first. Terms of sums are at AtTerms up to end. A term is two, one for each lane: the addresses of their tables, the width of their digits,
// and their scalars. Every lane makes a sum of its own, which it leaves at AtSums, or, if both is not zero, both leave the sum of both.
//
// Scalars are written with what makes signed digits of windows of bits: half of what a digit can be is added at the place of each digit
// but the highest, whose place is bit Top. If secret is not zero nothing depends on the scalars: widths are Width then, the lanes' tables
// lie side by side, and terms are zeros afterwards.
const (
	Point  = 128  // bytes
	Points = 128  // that tables takes
	Terms  = 1200 // that sum takes
	// PointTerms is for how many terms of points there is room between AtTables and AtKept.
	PointTerms = 256
	Term       = 80 // bytes, of which these are at
	Top        = 252

	TermTables  = 0
	TermWidth   = 8
	TermScalars = 16

	// Width is that of digits of points, and Entries are the multiples it takes; KeptWidth and KeptEntries are those for points that stay.
	Width       = 4
	Entries     = 1<<(Width-1) + 1
	KeptWidth   = 6
	KeptEntries = 1<<(KeptWidth-1) + 1
	Multiple    = 160 // bytes of one, and twice as many of one of each of a pair
)
