// Package kernel computes key derivations and sums of multiples with WebAssembly's vector instructions, two at a time.
// A small module does the work for edwards.Deriver and edwards.Sums.
//
// Go's compiler does not use vector instructions; the module takes less than half the time. Besides ordinary vector
// instructions it needs the fused multiply-add of relaxed SIMD. If a host lacks it, Start returns an error and nothing
// changes.
//
//go:generate go run ./make kernel.wasm
package kernel

// The module exports its memory and derive(n, end). Given a program of edwards.Kernel at AtProgram, which ends at
// address end, and n > 0 pairs of keys at AtKeys, it stores 8·a·R of each at AtOut, and zeros for encodings that are
// not points. It uses the memory from AtEnd to AtTables.
const (
	// Batch is the number of keys in a call.
	Batch = 256
	// Steps is the largest size of a program, in bytes.
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
	// Pages is the initial size of the module's memory, in units of Page bytes. It can grow.
	Pages = 32
	Page  = 1 << 16
)

// The module also exports tables(from, to, pairs, entries) and sum(end, secret, both). tables makes tables for pairs of
// points, each given by four coordinates: entries multiples from 0·P on. The table of the second point of a pair begins
// eight bytes after that of the first. sum adds the terms from AtTerms to end. A term is a pair, one for each lane: the
// addresses of their tables, the width of their digits, and their scalars. Each lane computes its own sum at AtSums,
// or, if both is not zero, both lanes compute the sum of all terms.
//
// Scalars have an offset that yields signed window digits: half of a digit's range is added at the position of each
// digit except the highest, whose position is bit Top. If secret is not zero, the time and the memory accesses do not
// depend on the scalars: widths must be Width, the tables of the two lanes are interleaved, and the terms are zeroed
// afterwards.
const (
	Point  = 128  // bytes
	Points = 128  // points per call of tables
	Terms  = 1200 // terms per call of sum
	// PointTerms is the number of terms of points that fit between AtTables and AtKept.
	PointTerms = 256
	Term       = 80 // bytes, at these offsets:
	Top        = 252

	TermTables  = 0
	TermWidth   = 8
	TermScalars = 16

	// Width is the digit width for points, and Entries the number of multiples it needs; KeptWidth and KeptEntries are
	// the same for points whose tables are kept.
	Width       = 4
	Entries     = 1<<(Width-1) + 1
	KeptWidth   = 6
	KeptEntries = 1<<(KeptWidth-1) + 1
	Multiple    = 160 // bytes of one; interleaved pairs have twice as many
)
