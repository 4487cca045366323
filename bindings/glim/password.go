package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"glim/bindings/terminal"
)

// errNotTyped is returned if the process is asked to end before the password was entered.
var errNotTyped = errors.New("no password was entered")

// readPassword reads one line from stdin, a terminal without echo or a pipe. The rest of the input is left for the next
// password.
func readPassword(ctx context.Context, stdin io.Reader, out io.Writer, prompt string) (secret, error) {
	if f, ok := stdin.(*os.File); ok {
		if show, hidden := hide(f); hidden {
			defer func() {
				show()
				fmt.Fprintln(out) // the end of the line was not echoed
			}()
		}
	}
	fmt.Fprint(out, prompt)
	type typed struct {
		line string
		err  error
	}
	entered := make(chan typed, 1)
	go func() { // may read until the process ends; nothing else reads stdin then
		line, err := terminal.ReadLine(io.LimitReader(stdin, 1<<16))
		entered <- typed{line, err}
	}()
	select {
	case <-ctx.Done():
		return "", errNotTyped
	case t := <-entered:
		if t.err != nil && !errors.Is(t.err, io.EOF) {
			return "", fmt.Errorf("reading the password: %w", t.err)
		}
		return secret(t.line), nil
	}
}
