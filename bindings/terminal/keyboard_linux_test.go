package terminal

import (
	"context"
	"fmt"
	"os"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"
)

// keyboard types and reads at a pseudo-terminal on which a command runs.
type keyboard struct {
	t        *testing.T
	file     *os.File // typing is writing to it
	terminal *os.File
	ended    chan int // exit code of the command
	mu       sync.Mutex
	shown    strings.Builder
	read     int           // how much of shown was awaited
	more     chan struct{} // has an element when something was shown since the last look
}

// sit starts a command on a new pseudo-terminal of 100 columns. Its context ends with the test, or with stop.
func sit(t *testing.T, line []string) (k *keyboard, stop func()) {
	t.Helper()
	file, err := os.OpenFile("/dev/ptmx", os.O_RDWR|unix.O_NOCTTY, 0)
	require.NoError(t, err)
	c, err := file.SyscallConn() // with Fd, Close could not end blocked reads
	require.NoError(t, err)
	var n int
	require.NoError(t, c.Control(func(fd uintptr) {
		if err = unix.IoctlSetPointerInt(int(fd), unix.TIOCSPTLCK, 0); err == nil {
			n, err = unix.IoctlGetInt(int(fd), unix.TIOCGPTN)
		}
	}))
	require.NoError(t, err)
	terminal, err := os.OpenFile(fmt.Sprintf("/dev/pts/%d", n), os.O_RDWR|unix.O_NOCTTY, 0)
	require.NoError(t, err)
	require.NoError(t, unix.IoctlSetWinsize(int(terminal.Fd()), unix.TIOCSWINSZ, &unix.Winsize{Row: 50, Col: 100}))

	k = &keyboard{t: t, file: file, terminal: terminal, ended: make(chan int, 1), more: make(chan struct{}, 1)}
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	go func() { k.ended <- Run(ctx, line, terminal, terminal, terminal) }()
	reader := make(chan struct{})
	go func() {
		defer close(reader)
		k.collect()
	}()
	t.Cleanup(func() {
		cancel()
		_ = file.Close() // ends all reads
		<-reader
		_ = terminal.Close()
	})
	return k, cancel
}

// collect reads what is displayed until the terminal is closed.
func (k *keyboard) collect() {
	buffer := make([]byte, 64<<10)
	for {
		n, err := k.file.Read(buffer)
		k.mu.Lock()
		k.shown.Write(buffer[:n])
		k.mu.Unlock()
		select {
		case k.more <- struct{}{}:
		default:
		}
		if err != nil {
			return
		}
	}
}

// text returns all that was displayed.
func (k *keyboard) text() string {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.shown.String()
}

// await waits until a text is displayed after what was awaited before, and returns what precedes it.
func (k *keyboard) await(text string) string {
	k.t.Helper()
	late := time.After(patience)
	for {
		all := k.text()[k.read:]
		if before, _, found := strings.Cut(all, text); found {
			k.read += len(before) + len(text)
			return before
		}
		select {
		case <-k.more:
		case <-late:
			require.FailNow(k.t, "not displayed", "%q after:\n%q", text, k.text())
		}
	}
}

// answer waits for a question and types a line.
func (k *keyboard) answer(question, line string) {
	k.t.Helper()
	k.await(question)
	k.press(line + "\r")
}

// press types keys.
func (k *keyboard) press(keys string) {
	k.t.Helper()
	_, err := k.file.WriteString(keys)
	require.NoError(k.t, err)
}

// end waits for the end of the command, checks its exit code and that the terminal echoes again.
func (k *keyboard) end(code int) {
	k.t.Helper()
	select {
	case got := <-k.ended:
		require.Equal(k.t, code, got, "%q", k.text())
	case <-time.After(patience):
		require.FailNow(k.t, "the command does not end", "%q", k.text())
	}
	now, err := unix.IoctlGetTermios(int(k.terminal.Fd()), unix.TCGETS)
	require.NoError(k.t, err)
	require.NotZero(k.t, now.Lflag&unix.ECHO)
	require.NotZero(k.t, now.Lflag&unix.ISIG)
}

// TestPerson creates, restores and uses wallets at a terminal.
func TestPerson(t *testing.T) {
	s := newStage(t)
	k, _ := sit(t, s.line("create", "alice"))
	k.answer("New password: ", "hunter2")
	k.answer("The same password again: ", "hunter3")
	k.await("the two passwords differ")
	k.end(exitPassword)
	require.NotContains(t, k.text(), "hunter")

	k, _ = sit(t, s.line("create", "alice"))
	k.answer("New password: ", "hunter2")
	k.answer("The same password again: ", "hunter2")
	k.await("Address: ")
	alice := strings.TrimSpace(k.await("\n"))
	k.await("glim wallet seed alice")
	k.end(exitDone)
	require.NotContains(t, k.text(), "hunter")
	s.fund(t, alice)

	words := s.object(t, "hunter2\n", "seed", "alice")["seed"].(string)
	k, _ = sit(t, s.line("restore", "again"))
	k.answer("Seed words: ", words)
	k.answer("First block or date (YYYY-MM-DD) of the wallet, or empty to read all: ", "79")
	k.answer("New password: ", "")
	k.answer("The same password again: ", "")
	k.await("The wallet gets no password")
	k.await(alice)
	k.end(exitDone)
	require.NotContains(t, k.text(), strings.Join(strings.Fields(words)[2:5], " "))

	bob := s.create(t, "bob")
	k, _ = sit(t, s.line("open", "alice"))
	k.answer("Wallet password: ", "hunter2")
	k.answer("alice> ", "help")
	k.await("transfer")
	k.answer("alice> ", "balance")
	k.await("Balance: ")

	// Only yes sends.
	k.answer("alice> ", "transfer "+bob+" 2.5")
	k.await("Recipient: " + bob)
	k.await("Fee:       0.0")
	k.answer("Send this payment? [y/N] ", "")
	k.await("not confirmed")
	k.await("alice> ")
	k.press("\x1b[A") // the arrow key repeats the command
	k.await("transfer " + bob[:20])
	k.press("\r")
	k.answer("Send this payment? [y/N] ", "yes")
	k.await("Sent: transaction ")
	id := strings.TrimSpace(k.await("\n"))
	require.Regexp(t, regexp.MustCompile("^[0-9a-f]{64}$"), id)
	k.await("alice> ")
	k.press("his\t\r") // the tabulator completes the command
	k.await(id)

	// The seed is shown after the password was entered again.
	k.answer("alice> ", "seed")
	k.answer("Wallet password: ", "hunter3")
	k.await("wrong password")
	k.answer("alice> ", "seed")
	k.answer("Wallet password: ", "hunter2")
	require.NotContains(t, k.await("alice> "), "Wallet password")
	require.Equal(t, 1, strings.Count(k.text(), words))
	k.press("address --index 0 --qr\r")
	k.await(alice)
	drawn := k.await("alice> ")
	require.Equal(t, "monero:"+alice, readQRCode(t, strings.ReplaceAll(drawn, "\r\n", "\n")))
	k.press("exit\r")
	k.end(exitDone)
	require.NotContains(t, k.text(), "hunter")

	s.mine(t, 10)
	k, _ = sit(t, s.line("sweep", "bob", alice))
	k.answer("Wallet password: ", "secret")
	k.await("Left:      0.00 XMR")
	k.answer("Send this payment? [y/N] ", "y")
	k.await("Sent: transaction ")
	k.end(exitDone)
}

// TestProgressBar draws the bar on a terminal of 100 columns, and removes it.
func TestProgressBar(t *testing.T) {
	k, _ := sit(t, []string{"help"})
	k.end(exitDone)
	k.await("shows the arguments and flags of a command.\r\n")
	p := newProgress(newConsole(k.terminal, k.terminal))
	now := time.Now()
	p.now = func() time.Time { return now }
	p.show(1000, 3000)
	k.await("\rReading blocks " + strings.Repeat("░", 40) + "   0%  block 1000 of 3000\x1b[K")
	p.show(1001, 3000) // too soon after the last drawing
	now = now.Add(90 * time.Second)
	p.show(1500, 3000)
	drawn := k.await("4 min 30 s left\x1b[K")
	require.Equal(t, "\rReading blocks "+strings.Repeat("█", 10)+strings.Repeat("░", 30)+
		"  25%  block 1500 of 3000  ", drawn)
	p.show(3000, 3000)
	k.await("100%  block 3000 of 3000\x1b[K")
	p.clear()
	require.Empty(t, k.await("\r\x1b[K"))

	// A narrow terminal shows the numbers only.
	require.NoError(t, unix.IoctlSetWinsize(int(k.terminal.Fd()), unix.TIOCSWINSZ, &unix.Winsize{Row: 50, Col: 40}))
	now = now.Add(time.Second)
	p.show(2000, 3000)
	require.Len(t, k.await("\x1b[K"), len("\r")+39)

	// Nothing is drawn elsewhere.
	var file strings.Builder
	p = newProgress(newConsole(k.terminal, &file))
	p.show(1, 2)
	p.clear()
	require.Empty(t, file.String())
}

// TestInterrupted checks that Ctrl-C and the end of the context end a question, and restore the terminal.
func TestInterrupted(t *testing.T) {
	s := newStage(t)
	s.create(t, "alice")
	k, _ := sit(t, s.line("balance", "alice"))
	k.await("Wallet password: ")
	k.press("secr\x03")
	k.await("interrupted")
	k.end(exitInterrupted)

	k, stop := sit(t, s.line("balance", "alice"))
	k.await("Wallet password: ")
	k.press("secr")
	stop()
	k.await("interrupted")
	k.end(exitInterrupted)

	k, _ = sit(t, s.line("open", "alice"))
	k.answer("Wallet password: ", "secret")
	k.await("alice> ")
	k.press("\x04") // Ctrl-D
	k.end(exitDone)
}
