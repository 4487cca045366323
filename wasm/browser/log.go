//go:build js && wasm

package main

import (
	"strings"
	"syscall/js"

	"glim/core/smallfmt"
)

// logger passes records of at least its level to the host's log: 0 debug, 1 info, 2 warning, 3 error.
type logger struct {
	host  js.Value
	least int
}

func (l logger) Debug(message string, args ...any) { l.tell(0, message, args) }
func (l logger) Info(message string, args ...any)  { l.tell(1, message, args) }
func (l logger) Warn(message string, args ...any)  { l.tell(2, message, args) }
func (l logger) Error(message string, args ...any) { l.tell(3, message, args) }

func (l logger) tell(level int, message string, args []any) {
	if level < l.least {
		return
	}
	var b strings.Builder
	b.WriteString(message)
	for i := 0; i+1 < len(args); i += 2 {
		b.WriteString(smallfmt.Sprintf(" %v=%v", args[i], args[i+1]))
	}
	l.host.Call("log", level, b.String())
}
