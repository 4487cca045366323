package terminal

import (
	"context"
	"crypto/sha256"
	"crypto/subtle"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"golang.org/x/term"

	"glim/bindings/wallet"
)

// console is where a command asks questions. They are shown only if the answers come from a terminal.
type console struct {
	in     io.Reader
	out    io.Writer // questions, progress and messages: standard error
	file   *os.File  // the terminal that in is; otherwise nil
	editor *term.Terminal
	past   history
}

func newConsole(in io.Reader, out io.Writer) *console {
	c := &console{in: in, out: out}
	if f, ok := in.(*os.File); ok && term.IsTerminal(int(f.Fd())) {
		c.file = f
		c.editor = term.NewTerminal(struct {
			io.Reader
			io.Writer
		}{in, out}, "")
		c.editor.History = &c.past
	}
	return c
}

// columns returns the width of the terminal to which messages go, or 0 if they go elsewhere.
func (c *console) columns() int {
	f, ok := c.out.(*os.File)
	if !ok {
		return 0
	}
	width, _, err := term.GetSize(int(f.Fd()))
	if err != nil {
		return 0
	}
	return width
}

// maxAnswer limits the length of a line that does not come from a terminal, in bytes.
const maxAnswer = 1 << 16

var (
	// errEnded is returned if the input has ended before the answer.
	errEnded = errors.New("standard input has ended")
	// errNoPassword is the same, for a password.
	errNoPassword = errors.New("no password was entered")
)

// ask returns one line of the input, without its end. A terminal does not show a hidden one. The error is errEnded if
// the input has ended, or that of ctx if it ends before; Ctrl-C on a terminal is context.Canceled.
func (c *console) ask(ctx context.Context, prompt string, hidden bool) (string, error) {
	read := func() (string, error) {
		line, err := ReadLine(io.LimitReader(c.in, maxAnswer))
		if len(line) == maxAnswer {
			return "", fmt.Errorf("a line has %d bytes or more", maxAnswer)
		}
		if errors.Is(err, io.EOF) && line != "" {
			err = nil
		}
		return line, err
	}
	if c.file != nil {
		restore, err := c.raw()
		if err != nil {
			return "", err
		}
		defer restore()
		read = func() (string, error) { return c.edit(prompt, hidden) }
	}
	type typed struct {
		line string
		err  error
	}
	entered := make(chan typed, 1)
	go func() { // may read until the process ends; nothing else reads the input then
		line, err := read()
		entered <- typed{line, err}
	}()
	select {
	case <-ctx.Done():
		if c.file != nil {
			fmt.Fprint(c.out, "\r\n")
		}
		return "", ctx.Err()
	case t := <-entered:
		switch {
		case errors.Is(t.err, io.EOF):
			return "", errEnded
		case errors.Is(t.err, context.Canceled):
			return "", t.err
		case t.err != nil:
			return "", fmt.Errorf("reading standard input: %w", t.err)
		}
		return t.line, nil
	}
}

// raw makes the terminal pass on every key and echo none, until restore is called.
func (c *console) raw() (restore func(), err error) {
	fd := int(c.file.Fd())
	was, err := term.MakeRaw(fd)
	if err != nil {
		return nil, fmt.Errorf("the terminal: %w", err)
	}
	if width := c.columns(); width > 0 {
		_ = c.editor.SetSize(width, 1) // only the width counts, for lines that do not fit
	}
	return func() { _ = term.Restore(fd, was) }, nil // the terminal may be closed
}

// edit reads a line from the terminal, with the keys that edit it. The editor reports both Ctrl-C and Ctrl-D as the end
// of the input, so this is context.Canceled.
func (c *console) edit(prompt string, hidden bool) (line string, err error) {
	if hidden {
		line, err = c.editor.ReadPassword(prompt)
	} else {
		c.editor.SetPrompt(prompt)
		line, err = c.editor.ReadLine()
	}
	switch {
	case errors.Is(err, term.ErrPasteIndicator):
		return line, nil
	case errors.Is(err, io.EOF):
		fmt.Fprint(c.out, "\r\n")
		return "", context.Canceled
	}
	return line, err
}

// ReadLine reads a line, one byte at a time, so that it does not consume what follows, and returns it without its end.
// With an error, which is r's, it returns what came before.
func ReadLine(r io.Reader) (string, error) {
	var line []byte
	b := make([]byte, 1)
	for {
		n, err := r.Read(b)
		if n == 1 {
			line = append(line, b[0])
		}
		if err != nil || n == 1 && b[0] == '\n' {
			return strings.TrimRight(string(line), "\r\n"), err
		}
	}
}

// history has the commands of an interactive shell, which the arrow keys repeat. Answers to questions are not in it.
type history struct {
	lines []string
	on    bool
}

// maxHistory is how many commands are kept.
const maxHistory = 100

// Add implements term.History.
func (h *history) Add(line string) {
	if h.on && line != "" {
		h.lines = append(h.lines[max(0, len(h.lines)-maxHistory+1):], line)
	}
}

// Len implements term.History.
func (h *history) Len() int { return len(h.lines) }

// At implements term.History: index 0 is the newest.
func (h *history) At(i int) string { return h.lines[len(h.lines)-1-i] }

// confirm asks a question and reports whether the answer is yes.
func (c *console) confirm(ctx context.Context, question string) (bool, error) {
	answer, err := c.ask(ctx, question+" [y/N] ", false)
	if errors.Is(err, errEnded) {
		return false, nil
	}
	answer = strings.ToLower(strings.TrimSpace(answer))
	return answer == "y" || answer == "yes", err
}

// note prints something beside the result.
func (c *call) note(format string, args ...any) {
	if !c.json {
		fmt.Fprintf(c.console.out, format, args...)
		fmt.Fprintln(c.console.out)
	}
}

// password returns the password of an existing wallet: from --password-file, or as one line of the input.
func (c *call) password(ctx context.Context) (wallet.Secret, error) {
	return c.passwordFrom(ctx, c.passwordFile, "Wallet password: ")
}

func (c *call) passwordFrom(ctx context.Context, file, prompt string) (wallet.Secret, error) {
	if file == "" || file == "-" {
		line, err := c.console.ask(ctx, prompt, true)
		if errors.Is(err, errEnded) {
			err = errNoPassword
		}
		return wallet.Secret(line), err
	}
	content, err := os.ReadFile(file)
	if err != nil {
		return "", misuse("reading the password: %w", err)
	}
	return wallet.Secret(strings.TrimRight(string(content), "\r\n")), nil
}

// newPassword returns the password of a new wallet. It is typed twice on a terminal.
func (c *call) newPassword(ctx context.Context, file string) (wallet.Secret, error) {
	first, err := c.passwordFrom(ctx, file, "New password: ")
	if err != nil {
		return "", err
	}
	if c.console.file != nil && (file == "" || file == "-") {
		second, err := c.console.ask(ctx, "The same password again: ", true)
		if err != nil {
			return "", err
		}
		if string(first) != second {
			return "", errDifferent
		}
	}
	if first == "" {
		c.note("The wallet gets no password: anyone with its files can spend its money.")
	}
	return first, nil
}

var errDifferent = errors.New("the two passwords differ; nothing was changed")

// passwordCheck recognises a password that was entered before, without keeping it.
type passwordCheck [sha256.Size]byte

func newPasswordCheck(p wallet.Secret) passwordCheck { return sha256.Sum256([]byte(p)) }

func (k passwordCheck) is(p wallet.Secret) bool {
	other := newPasswordCheck(p)
	return subtle.ConstantTimeCompare(k[:], other[:]) == 1
}
