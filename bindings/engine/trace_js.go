package engine

import (
	"runtime"
	"strconv"
	"strings"
)

// trace returns the stack of this goroutine as function numbers, innermost first. A program for browsers does not
// contain function names; a separate file lists them, one per line.
func trace() string {
	var places [64]uintptr
	var b strings.Builder
	for i, place := range places[:runtime.Callers(2, places[:])] {
		if i > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(strconv.Itoa(int(place>>16) - firstFunction))
	}
	return b.String()
}

// firstFunction is the number that Go assigns to the first function of a program.
// Source: Go's src/cmd/link/internal/wasm/asm.go, funcValueOffset.
const firstFunction = 0x1000
