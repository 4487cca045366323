//go:build auditedcurve

package edwards

// Audited reports whether filippo.io/edwards25519 alone computes everything that may depend on a secret. The build tag
// auditedcurve sets it.
const Audited = true

// secretArithmetic is the implementation that this build uses.
type secretArithmetic = library
