package engine

import (
	"runtime"
	"strconv"
	"strings"
)

// trace says where this goroutine is: functions by number, from the innermost. A program for browsers has no names of its functions
// in it; they stand beside it in a file, one a line.
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

// firstFunction is the number that the first function of a program has in the places of its code. Source: Go's src/cmd/link/internal/wasm/asm.go, funcValueOffset.
const firstFunction = 0x1000
