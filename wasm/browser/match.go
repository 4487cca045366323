//go:build js && wasm

package main

import (
	"syscall/js"

	"glim/wasm/host"
)

// match is the service's Match, implemented with JavaScript's regular expressions.
func match(expression string) (func(text string) bool, error) {
	expressions := js.Global().Get("RegExp")
	if _, err := host.Try(js.Global().Get("Reflect"), "construct", expressions, []any{expression, "u"}); err != nil {
		return nil, err // reject an expression that would close the group below and open another
	}
	re, err := host.Try(js.Global().Get("Reflect"), "construct", expressions, []any{"^(?:" + expression + ")$", "u"})
	if err != nil {
		return nil, err
	}
	return func(text string) bool { return re.Call("test", text).Bool() }, nil
}
