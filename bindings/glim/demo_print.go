package main

import (
	"fmt"
	"io"
	"os"
	"runtime"
	"strings"
	"unicode/utf8"
)

// textWidth is where sentences wrap, in characters.
const textWidth = 96

// narrator writes the demonstration for people: numbered steps, sentences, aligned facts, progress. On a terminal
// headings are bold and progress stays on its line; anywhere else it writes plain lines.
type narrator struct {
	w        io.Writer
	terminal bool
	steps    int
	gone     func() // called when nobody reads any more
}

func newNarrator(w io.Writer) *narrator { return &narrator{w: w, terminal: isTerminal(w)} }

func isTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	if !ok || runtime.GOOS == "windows" || os.Getenv("TERM") == "dumb" || os.Getenv("NO_COLOR") != "" {
		return false
	}
	info, err := f.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}

func (n *narrator) printf(format string, args ...any) {
	if _, err := fmt.Fprintf(n.w, format, args...); err != nil && n.gone != nil {
		n.gone()
	}
}

// step begins the next step: what happens, and why in a sentence or two.
func (n *narrator) step(heading, why string) {
	n.steps++
	bold, plain := "", ""
	if n.terminal {
		bold, plain = "\x1b[1m", "\x1b[0m"
	}
	n.printf("\n%s%d. %s%s\n", bold, n.steps, heading, plain)
	n.sentence(why)
}

func (n *narrator) sentence(text string) {
	for _, line := range wrap(text, textWidth) {
		n.printf("   %s\n", line)
	}
}

const labelWidth = 20

// facts writes pairs of a label and a value in two columns. Values of many words go on in the second column.
func (n *narrator) facts(pairs ...string) {
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

// code writes lines to be copied into a shell.
func (n *narrator) code(commands ...string) {
	for _, c := range commands {
		for line := range strings.Lines(c) {
			n.printf("     %s\n", strings.TrimSuffix(line, "\n"))
		}
	}
}

// wait says what takes a moment; the function returned is called when it is over.
func (n *narrator) wait(what string) (done func()) {
	if !n.terminal {
		n.printf("     %s ...\n", what)
		return func() {}
	}
	n.printf("     %s ...", what)
	return n.erase
}

// erase takes back what stands on the line.
func (n *narrator) erase() { n.printf("\r\x1b[K") }

// progress counts up to total. The function returned takes how many are done.
func (n *narrator) progress(what string, total int) func(done int) {
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
		n.printf("\r\x1b[K     %s [%s%s] %d of %d", what, strings.Repeat("#", filled), strings.Repeat(".", bar-filled), done, total)
	}
	show(0)
	return func(done int) {
		if show(done); done >= total {
			n.erase()
			n.printf("     %s: %d\n", what, total)
		}
	}
}

// wrap breaks text between words into lines of at most width characters, as far as words allow.
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
