package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
)

// errNotTyped is returned when the process is asked to end before a password has come.
var errNotTyped = errors.New("no password was given")

// readPassword takes one line from stdin, so that a password can come through a pipe or be typed; a terminal does not show it.
func readPassword(ctx context.Context, stdin io.Reader, say io.Writer) (secret, error) {
	if f, ok := stdin.(*os.File); ok {
		if show, hidden := hide(f); hidden {
			defer func() {
				show()
				fmt.Fprintln(say) // nor does it show the end of the line
			}()
		}
	}
	fmt.Fprint(say, "Wallet password: ")
	type typed struct {
		line string
		err  error
	}
	came := make(chan typed, 1)
	go func() { // it may read until the process ends: nothing else takes its lines
		line, err := bufio.NewReader(io.LimitReader(stdin, 1<<16)).ReadString('\n')
		came <- typed{line, err}
	}()
	select {
	case <-ctx.Done():
		return "", errNotTyped
	case t := <-came:
		if t.err != nil && !errors.Is(t.err, io.EOF) {
			return "", fmt.Errorf("reading the password: %w", t.err)
		}
		return secret(strings.TrimRight(t.line, "\r\n")), nil
	}
}
