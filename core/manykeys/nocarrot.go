//go:build nocarrot

package manykeys

// runCarrot is never called: without Carrot no transaction of the next hard fork is parsed.
func (*piece) runCarrot() error { return nil }
