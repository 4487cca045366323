// Package generalizedbulletproofs makes and verifies the arithmetic-circuit argument of Generalized Bulletproofs on
// the curves Helios and Selene, which the full-chain membership proofs (FCMP++) of Monero's next protocol consist of.
// Nobody has audited it.
//
// A circuit has rows. Each has a left, a right and an output variable, and the output is the product of the others.
// Further variables are numbers in vector commitments. Constraints are linear combinations of variables and a constant
// that are 0. A prover shows that it knows values that satisfy all constraints.
//
// A verifier reads a proof from a Transcript. BeginHelios reads its first part, from which the weights of constraints
// follow; the caller then adds the constraints to HeliosArgument.Circuit, and Finish adds the equations that the proof
// must satisfy to a HeliosBatch. HeliosBatch.Valid decides about all of them. The time of verifying depends on the
// proofs, which are public.
//
// A prover writes a proof to a Transcript: its commitments, which HeliosVector.Commit computes, and then the argument,
// with HeliosWitness.Prove. It adds the constraints with the same function as the verifier. Constraints and rows define
// the variables one after the other, so that a prover needs only the committed numbers and the rows of
// HeliosCircuit.GivenRow. The time of proving does not depend on the witness or the blinds.
//
// The same exists with Selene. The code of Selene is generated from that of Helios.
//
// Sources: Bulletproofs, eprint 2017/1066; the Rust crate generalized-bulletproofs of monero-oxide at revision
// 0e438aed2cce, which the beta of Monero 0.19 uses, named by file.
package generalizedbulletproofs
