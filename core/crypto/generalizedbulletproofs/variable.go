package generalizedbulletproofs

// Variable is a variable of a circuit.
type Variable struct {
	kind  variableKind
	index int
}

type variableKind uint8

const (
	kindLeft variableKind = iota
	kindRight
	kindOutput
	kindCommitted
)

// Left returns the left variable of a row.
func Left(row int) Variable { return Variable{kindLeft, row} }

// Right returns the right variable of a row.
func Right(row int) Variable { return Variable{kindRight, row} }

// Output returns the output variable of a row, the product of the others.
func Output(row int) Variable { return Variable{kindOutput, row} }

// Committed returns a number in a vector commitment. Numbers are counted through all commitments of a proof, each of
// which has as many as the sizes say with which the argument began.
func Committed(index int) Variable { return Variable{kindCommitted, index} }

// knownVariables are the variables of a row that a prover knows: for each kind, a bit.
type knownVariables uint8

const knownAll = 1<<kindLeft | 1<<kindRight | 1<<kindOutput
