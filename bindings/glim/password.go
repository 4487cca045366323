package main

import (
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
// What follows the line stays unread, for the next password.
func readPassword(ctx context.Context, stdin io.Reader, say io.Writer, prompt string) (secret, error) {
	if f, ok := stdin.(*os.File); ok {
		if show, hidden := hide(f); hidden {
			defer func() {
				show()
				fmt.Fprintln(say) // nor does it show the end of the line
			}()
		}
	}
	fmt.Fprint(say, prompt)
	type typed struct {
		line string
		err  error
	}
	came := make(chan typed, 1)
	go func() { // it may read until the process ends: nothing else takes its lines
		line, err := readLine(io.LimitReader(stdin, 1<<16))
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

// readLine reads up to the end of a line, a byte at a time, so that nothing behind it is taken.
func readLine(r io.Reader) (string, error) {
	var line []byte
	b := make([]byte, 1)
	for {
		n, err := r.Read(b)
		if n == 1 {
			line = append(line, b[0])
		}
		if err != nil || n == 1 && b[0] == '\n' {
			return string(line), err
		}
	}
}
