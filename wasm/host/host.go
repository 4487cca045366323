//go:build js && wasm

// Package host connects Go to the JavaScript that started it: bytes, promises, errors.
package host

import (
	"context"
	"syscall/js"
)

// Failure is an error that JavaScript threw, or with which a promise was rejected.
type Failure struct{ Name, Message string }

func (f *Failure) Error() string { return f.Message }

// Await waits for a promise without blocking other goroutines. It returns a *Failure or the context's error.
func Await(ctx context.Context, promise js.Value) (js.Value, error) {
	type settled struct {
		value js.Value
		err   error
	}
	done := make(chan settled, 1)
	var then, fail js.Func
	then = js.FuncOf(func(_ js.Value, args []js.Value) any {
		done <- settled{value: first(args)}
		return nil
	})
	fail = js.FuncOf(func(_ js.Value, args []js.Value) any {
		done <- settled{err: failure(first(args))}
		return nil
	})
	promise.Call("then", then, fail)
	select {
	case s := <-done:
		then.Release()
		fail.Release()
		return s.value, s.err
	case <-ctx.Done():
		go func() { // the callbacks will still be called
			<-done
			then.Release()
			fail.Release()
		}()
		return js.Undefined(), ctx.Err()
	}
}

func first(args []js.Value) js.Value {
	if len(args) == 0 {
		return js.Undefined()
	}
	return args[0]
}

func failure(v js.Value) error {
	if v.Type() != js.TypeObject {
		return &Failure{"Error", v.String()}
	}
	return &Failure{text(v, "name"), text(v, "message")}
}

func text(v js.Value, member string) string {
	if m := v.Get(member); m.Type() == js.TypeString {
		return m.String()
	}
	return ""
}

// Try calls a method that may throw. It returns a *Failure if it does.
func Try(v js.Value, method string, args ...any) (result js.Value, err error) {
	defer func() {
		if p := recover(); p != nil {
			thrown, ok := p.(js.Error)
			if !ok {
				panic(p)
			}
			err = failure(thrown.Value)
		}
	}()
	return v.Call(method, args...), nil
}

// Call calls a method that returns a promise, and waits for it. It returns a *Failure or the context's error.
func Call(ctx context.Context, v js.Value, method string, args ...any) (js.Value, error) {
	promise, err := Try(v, method, args...)
	if err != nil {
		return js.Undefined(), err
	}
	return Await(ctx, promise)
}

var uint8Array = js.Global().Get("Uint8Array")

// ToJS returns a copy of b as a Uint8Array.
func ToJS(b []byte) js.Value {
	v := uint8Array.New(len(b))
	js.CopyBytesToJS(v, b)
	return v
}

// FromJS returns a copy of a Uint8Array, or nil for anything else.
func FromJS(v js.Value) []byte {
	if !v.InstanceOf(uint8Array) {
		return nil
	}
	b := make([]byte, v.Length())
	js.CopyBytesToGo(b, v)
	return b
}

// Random is the host's cryptographic random source, crypto.getRandomValues.
type Random struct{}

// Read fills b.
func (Random) Read(b []byte) (int, error) {
	const most = 65536 // limit of a call in bytes
	crypto := js.Global().Get("crypto")
	for rest := b; len(rest) > 0; {
		n := min(len(rest), most)
		v := uint8Array.New(n)
		if _, err := Try(crypto, "getRandomValues", v); err != nil {
			return 0, err
		}
		js.CopyBytesToGo(rest, v)
		rest = rest[n:]
	}
	return len(b), nil
}
