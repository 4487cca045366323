//go:build !linux

package native

// LowPriority runs work. Where threads have no priority of their own it is like any other.
func LowPriority(work func()) { work() }
