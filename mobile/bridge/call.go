package bridge

import (
	"context"
	"errors"

	"glim/bindings/engine"
	"glim/core/rpc"
)

// Codes of failures for which the operations have no code; the other codes are those of walletrpc.
const (
	CodeCancelled int32 = -1001            // after Task.Cancel, or when the engine was closed
	CodeBroken    int32 = -1002            // an internal failure, or a failure of an object of the host
	CodeNoKey     int32 = engine.CodeNoKey // the key store did not provide the password
)

// Receiver gets the outcome of a call, once, on a thread of the engine. Errors of its methods are only logged.
type Receiver interface {
	// Result receives the operation's result, a JSON object in which 64-bit numbers are decimal strings.
	Result(json string) error
	// Failure receives the reason why there is no result.
	Failure(code int32, message string) error
}

// Task is a pending call.
type Task struct {
	cancel context.CancelFunc
	done   chan struct{}
}

// Cancel asks the call to end. Its receiver gets the outcome when the call has ended. Nothing is undone: a payment may
// have been sent, and calling again with the same idempotency_key shows whether it was.
func (t *Task) Cancel() {
	if t.cancel != nil {
		t.cancel()
	}
}

// Join returns when the receiver has received the outcome.
func (t *Task) Join() {
	if t.done != nil {
		<-t.done
	}
}

// Start begins an operation on the wallet with a name, or on the one opened without a name if wallet is empty. params
// is a JSON object or empty; 64-bit numbers in it may be decimal strings. It returns at once.
func (e *Engine) Start(wallet, method, params string, to Receiver) (t *Task) {
	root := e.ctx
	if root == nil {
		ended, end := context.WithCancel(context.Background())
		end()
		root = ended
	}
	ctx, cancel := context.WithCancel(root)
	t = &Task{cancel, make(chan struct{})}
	work := func() {
		defer close(t.done)
		defer cancel()
		result, code, message := e.outcome(ctx, wallet, method, params)
		var err error
		if to == nil {
			return
		}
		if code == 0 {
			err = to.Result(result)
		} else {
			err = to.Failure(code, message)
		}
		if err != nil {
			e.log.Warn("a receiver failed", "operation", method, "error", err)
		}
	}
	if e.work(work) != nil {
		go func() {
			defer e.report()
			work() // the context has ended; outcome reports that
		}()
	}
	return t
}

// outcome calls an operation. A code of 0 means success.
func (e *Engine) outcome(
	ctx context.Context, wallet, method, params string,
) (result string, code int32, message string) {
	b, err := e.call(ctx, wallet, method, params)
	var refused *rpc.Error
	switch {
	case err == nil:
		return string(b), 0, ""
	case ctx.Err() != nil:
		return "", CodeCancelled, "cancelled"
	case errors.As(err, &refused):
		return "", int32(refused.Code), refused.Message
	}
	return "", CodeBroken, err.Error()
}

func (e *Engine) call(ctx context.Context, wallet, method, params string) (result []byte, err error) {
	defer contain(&err)
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if wallet == "" {
		return e.engine.Call(ctx, method, []byte(params), true)
	}
	return e.engine.Wallet(wallet).Call(ctx, method, []byte(params), true)
}

// Call is like Start, but waits and returns the result, or an error whose text is the failure's message and code. Do
// not call it on the main thread.
func (e *Engine) Call(wallet, method, params string) (result string, err error) {
	defer contain(&err)
	if err := e.enter(); err != nil {
		return "", err
	}
	defer e.tasks.Done()
	result, code, message := e.outcome(e.ctx, wallet, method, params)
	if code != 0 {
		return "", &rpc.Error{Code: int(code), Message: message}
	}
	return result, nil
}

// enter makes Close wait until tasks.Done is called.
func (e *Engine) enter() error {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.closed || e.engine == nil {
		return errClosed
	}
	e.tasks.Add(1)
	return nil
}
