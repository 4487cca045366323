//go:build !wasm && !386 && !arm && !mips && !mipsle

package field25519

// Element is an integer modulo p.
type Element = Words
