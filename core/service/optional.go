package service

import "glim/core/syncer"

// Package session uses these optional interfaces only if a source implements them, so a missing method would not fail
// to compile otherwise.
var (
	_ syncer.Prover         = (*connection)(nil)
	_ syncer.RinglessSource = (*connection)(nil)
	_ syncer.Prover         = fullConnection{}
)
