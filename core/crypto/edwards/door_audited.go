//go:build auditedcurve

package edwards

// Audited is whether everything that may touch a secret is computed by filippo.io/edwards25519 alone: the build tag auditedcurve.
const Audited = true

type door = library
