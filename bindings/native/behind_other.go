//go:build !linux

package native

// Behind runs work. Where threads have no priority of their own it is like any other.
func Behind(work func()) { work() }
