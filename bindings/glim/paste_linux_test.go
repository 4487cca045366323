package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"
)

// shells are the interactive shells into which the README's quick start is pasted, without user settings. With
// bracketed paste, a shell reads all pasted lines before it runs any.
var shells = []struct {
	name     string
	args     []string
	status   string // of the last command, in a prompt
	brackets bool
}{
	{"dash", []string{"dash", "-i"}, "$?", false},
	{"bash", []string{"bash", "--norc", "-i"}, "$?", true},
	{"zsh", []string{"zsh", "-f", "-i"}, "%?", true},
}

// Escape sequences of bracketed paste, and the one by which a shell enables it.
// Source: XTerm Control Sequences, Bracketed Paste Mode.
const (
	pasteBegins   = "\x1b[200~"
	pasteEnds     = "\x1b[201~"
	bracketsAsked = "\x1b[?2004h"
)

// tty is an interactive shell in a terminal.
type tty struct {
	keyboard io.Writer
	pasted   int
	mu       sync.Mutex
	shown    strings.Builder
	more     chan struct{} // has an element when something was shown since the last look
}

// newTTY starts a shell in a folder until the end of the test. Commands that it started are killed with it.
func newTTY(t *testing.T, args []string, status, dir string) *tty {
	t.Helper()
	program, err := exec.LookPath(args[0])
	require.NoError(t, err, "the README's commands are pasted into %s: make setup", args[0])
	keyboard, terminal := newTerminal(t)
	cmd := exec.Command(program, args[1:]...)
	cmd.Dir, cmd.Stdin, cmd.Stdout, cmd.Stderr = dir, terminal, terminal, terminal
	cmd.Env = append(os.Environ(), "TERM=xterm", "HISTFILE=/dev/null", "ENV=", "BASH_ENV=",
		"PS1=[status "+status+"] ", "PS2=> ")
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	require.NoError(t, cmd.Start())
	s := &tty{keyboard: keyboard, more: make(chan struct{}, 1)}
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		buffer := make([]byte, 64<<10)
		for {
			n, err := keyboard.Read(buffer)
			s.mu.Lock()
			s.shown.Write(buffer[:n])
			s.mu.Unlock()
			select {
			case s.more <- struct{}{}:
			default:
			}
			if err != nil {
				return
			}
		}
	}()
	t.Cleanup(func() {
		killSession(cmd.Process.Pid)
		_ = cmd.Wait() // it was killed
		_ = keyboard.Close()
		<-ended
	})
	s.await(t, "[status 0] ")
	return s
}

// killSession kills all processes of a session. An interactive shell puts jobs into separate process groups.
func killSession(session int) {
	stats, _ := filepath.Glob("/proc/[0-9]*/stat")
	for _, name := range stats {
		b, err := os.ReadFile(name)
		if err != nil {
			continue // it ended meanwhile
		}
		// Source: proc(5): the fields after the name in parentheses are state, parent, group, session.
		var pid, parent, group, of int
		var state string
		line := string(b)
		_, _ = fmt.Sscanf(line, "%d", &pid)
		_, _ = fmt.Sscanf(line[strings.LastIndexByte(line, ')')+1:], "%s %d %d %d", &state, &parent, &group, &of)
		if of == session {
			_ = unix.Kill(pid, unix.SIGKILL)
		}
	}
}

// text returns what the terminal displays.
func (s *tty) text() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.shown.String()
}

func (s *tty) await(t *testing.T, text string) {
	t.Helper()
	patience := time.After(4 * time.Minute)
	for !strings.Contains(s.text(), text) {
		select {
		case <-s.more:
		case <-patience:
			t.Fatalf("the terminal does not show %q:\n%s", text, s.text())
		}
	}
}

// paste pastes commands as a terminal does, with carriage returns for line ends. It returns what is displayed until the
// last command has run.
func (s *tty) paste(t *testing.T, commands string, bracketed bool) string {
	t.Helper()
	before := len(s.text())
	s.pasted++
	commands = strings.ReplaceAll(commands, "\n", "\r")
	if bracketed {
		s.await(t, bracketsAsked)
		commands = pasteBegins + commands + pasteEnds + "\r"
	}
	// The terminal displays this line when it is typed, and then its output.
	_, err := fmt.Fprintf(s.keyboard, "%sprintf 'all of %%s ran\\n' paste-%d\r", commands, s.pasted)
	require.NoError(t, err)
	s.await(t, fmt.Sprintf("all of paste-%d ran", s.pasted))
	return s.text()[before:]
}

var (
	statuses = regexp.MustCompile(`\[status (\d+)\] `)
	// Error messages of shells and services. The word "error" alone is also a seed word.
	refusals = regexp.MustCompile(
		`(?i)not found|no matches|no such file|syntax error|parse error|bad pattern|unmatched|"error"`)
)

// failures returns the errors in the displayed output of pasted commands.
func failures(shown string) error {
	var all []error
	for _, m := range statuses.FindAllStringSubmatch(shown, -1) {
		if m[1] != "0" {
			all = append(all, fmt.Errorf("a command ended with %s", m[1]))
		}
	}
	for _, m := range refusals.FindAllString(shown, -1) {
		all = append(all, errors.New(m))
	}
	return errors.Join(all...)
}

// surroundings replaces ports and a folder in the README's commands by free ones, and makes curl retry for longer.
func surroundings(t *testing.T) *strings.Replacer {
	t.Helper()
	return strings.NewReplacer(
		"48081", aPort(t), "48083", aPort(t), "playground", t.TempDir(), "--retry 30", "--retry 120",
	)
}

// TestReadmePasted pastes the quick start into common shells, line by line or bracketed, and twice: the second time the
// folder and a wallet exist.
func TestReadmePasted(t *testing.T) {
	needCurl(t)
	blocks, _ := readme(t)
	build := exec.Command("make", "-C", "../..", "build")
	out, err := build.CombinedOutput() // once, so that pasted ones have nothing left to do
	require.NoError(t, err, string(out))
	for _, shell := range shells {
		for _, bracketed := range []bool{false, true} {
			if bracketed && !shell.brackets {
				continue
			}
			name := shell.name
			if bracketed {
				name += "/bracketed"
			}
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				here := surroundings(t)
				s := newTTY(t, shell.args, shell.status, "../..")
				for range 2 {
					shown := s.paste(t, here.Replace(strings.Join(blocks, "")), bracketed)
					require.NoError(t, failures(shown), shown)
					for _, want := range []string{
						`"key":"(\w+ ){24}\w+"`, `"tx_key":"[0-9a-f]{64}"`, `"type":"pending"`,
						`"balance":1500000000000,`, `"status":"OK"`,
					} {
						require.Regexp(t, want, shown)
					}
				}
				if !bracketed {
					require.Greater(t, len(statuses.FindAllString(s.text(), -1)), 40,
						"the terminal shows how commands ended")
				}
			})
		}
	}
}

// TestReadmePastedAgainMidway pastes the quick start again without stopping the programs: the first ones continue, and
// the second ones end because the ports are in use.
func TestReadmePastedAgainMidway(t *testing.T) {
	needCurl(t)
	blocks, _ := readme(t)
	here := surroundings(t)
	s := newTTY(t, shells[0].args, shells[0].status, "../..")
	end := len(blocks) - 1
	for range 2 {
		shown := s.paste(t, here.Replace(strings.Join(blocks[:end], "")), false)
		require.NoError(t, failures(shown), shown)
		require.Contains(t, shown, `"balance":1500000000000,`)
	}
	shown := s.paste(t, here.Replace(blocks[end]), false)
	require.NoError(t, failures(shown), shown)
}

// TestPasteReportsFailures checks that failing commands are noticed, such as a comment in zsh.
func TestPasteReportsFailures(t *testing.T) {
	s := newTTY(t, shells[2].args, shells[2].status, t.TempDir())
	require.NoError(t, failures(s.paste(t, "echo fine\n", false)))
	for _, line := range []string{"# a comment\n", "echo fine?\n", "false\n", "no-such-program\n"} {
		require.Error(t, failures(s.paste(t, line, false)), line)
		s.paste(t, "true\n", false) // the next prompt's status is of this
	}
}
