package main

import (
	"fmt"
	"io"
	"os"
	"runtime"
	"strings"
	"unicode/utf8"
)

// textWidth is the maximum length of lines, in characters.
const textWidth = 96

// printer prints the demonstration: numbered steps, sentences, aligned facts and progress. On a terminal, headings are
// bold and progress updates in place; otherwise the output is plain lines.
type printer struct {
	w        io.Writer
	terminal bool
	steps    int
	onError  func() // called if writing fails; may be nil
}

func newPrinter(w io.Writer) *printer { return &printer{w: w, terminal: isTerminal(w)} }

func isTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	if !ok || runtime.GOOS == "windows" || os.Getenv("TERM") == "dumb" || os.Getenv("NO_COLOR") != "" {
		return false
	}
	info, err := f.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}

func (n *printer) printf(format string, args ...any) {
	if _, err := fmt.Fprintf(n.w, format, args...); err != nil && n.onError != nil {
		n.onError()
	}
}

// step begins the next step with a heading and an explanation.
func (n *printer) step(heading, why string) {
	n.steps++
	bold, plain := "", ""
	if n.terminal {
		bold, plain = "\x1b[1m", "\x1b[0m"
	}
	n.printf("\n%s%d. %s%s\n", bold, n.steps, heading, plain)
	n.sentence(why)
}

func (n *printer) sentence(text string) {
	for _, line := range wrap(text, textWidth) {
		n.printf("   %s\n", line)
	}
}

const labelWidth = 20

// facts prints pairs of a label and a value in two columns, and wraps values of many words within the second.
func (n *printer) facts(pairs ...string) {
	for i := 0; i+1 < len(pairs); i += 2 {
		label := pairs[i] + strings.Repeat(" ", max(labelWidth-utf8.RuneCountInString(pairs[i]), 1))
		lines := []string{pairs[i+1]}
		if strings.Count(pairs[i+1], " ") > 12 && !strings.HasPrefix(pairs[i+1], " ") {
			lines = wrap(pairs[i+1], textWidth-labelWidth)
		}
		for _, line := range lines {
			n.printf("     %s%s\n", label, line)
			label = strings.Repeat(" ", labelWidth)
		}
	}
}

// code prints lines to copy into a shell.
func (n *printer) code(commands ...string) {
	for _, c := range commands {
		for line := range strings.Lines(c) {
			n.printf("     %s\n", strings.TrimSuffix(line, "\n"))
		}
	}
}

// wait prints what the user waits for. Call done when it is over.
func (n *printer) wait(what string) (done func()) {
	if !n.terminal {
		n.printf("     %s ...\n", what)
		return func() {}
	}
	n.printf("     %s ...", what)
	return n.erase
}

// erase clears the current line.
func (n *printer) erase() { n.printf("\r\x1b[K") }

// progress shows a count up to total. Call the returned function with the current count.
func (n *printer) progress(what string, total int) func(done int) {
	if !n.terminal {
		return func(done int) {
			if done >= total {
				n.printf("     %s: %d\n", what, total)
			}
		}
	}
	show := func(done int) {
		const bar = 20
		filled := bar * done / total
		n.printf(
			"\r\x1b[K     %s [%s%s] %d of %d",
			what,
			strings.Repeat("#", filled),
			strings.Repeat(".", bar-filled),
			done,
			total,
		)
	}
	show(0)
	return func(done int) {
		if show(done); done >= total {
			n.erase()
			n.printf("     %s: %d\n", what, total)
		}
	}
}

// wrap breaks text between words into lines of at most width characters; a longer word has a line of its own.
func wrap(text string, width int) (lines []string) {
	line := ""
	for word := range strings.FieldsSeq(text) {
		if line != "" && utf8.RuneCountInString(line)+1+utf8.RuneCountInString(word) > width {
			lines, line = append(lines, line), ""
		}
		if line != "" {
			line += " "
		}
		line += word
	}
	return append(lines, line)
}
