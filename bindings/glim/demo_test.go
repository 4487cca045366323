package main

import (
	"bytes"
	"context"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"glim/bindings/peers"
	"glim/core/xmr"
)

// TestDemo runs the demonstration with only glim installed, and checks the balances.
func TestDemo(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	wholeDemo(t, demoOptions{})
}

// TestDemoOnMonerod runs the demonstration with monerod.
func TestDemoOnMonerod(t *testing.T) {
	t.Parallel()
	peers.Require(t)
	wholeDemo(t, demoOptions{monerod: true})
}

// TestDemoAfterTheFork runs the demonstration on a chain that crosses the next hard fork.
func TestDemoAfterTheFork(t *testing.T) {
	t.Parallel()
	text := wholeDemo(t, demoOptions{fork: lastDemoFork})
	require.Contains(t, text, "a membership proof shows")
}

func wholeDemo(t *testing.T, p demoOptions) (text string) {
	t.Helper()
	var out bytes.Buffer
	o, err := runDemo(t.Context(), newPrinter(&out), p, (*stage).tell)
	require.NoError(t, err, out.String())

	require.Equal(t, o.Address, o.RestoredAddress)
	require.NotZero(t, o.Mined)
	require.Equal(t, o.Mined, o.Unlocked)
	require.Equal(t, o.Mined, o.Restored)
	for name, m := range map[string]payment{"gift": o.Gift, "back": o.Back} {
		require.NotZero(t, m.Fee, name)
		require.Less(t, m.Fee, uint64(xmr.Coin/10), name)
		require.Equal(t, m.SenderBefore, m.SenderAfter+m.Sent+m.Fee, name)
		require.Equal(t, m.PaidAfter, m.PaidBefore+m.Sent, name)
		require.Equal(t, m.Sent, m.PoolAmount, name)
		require.True(t, m.SeenPending, name)
		require.True(t, m.Confirmed, name)
		require.EqualValues(t, xmr.SpendableAge, m.Confirmations, name)
	}
	require.EqualValues(t, gift, o.Gift.Sent)
	require.EqualValues(t, giftBack, o.Back.Sent)
	require.Equal(t, o.Mined, o.AliceEnd+o.Gift.Sent+o.Gift.Fee-o.Back.Sent,
		"what Alice had is what she has, gave and paid, less what came back")
	require.Equal(t, o.AliceEnd, o.RestoredEnd)
	require.NoDirExists(t, o.Dir)

	text = out.String()
	require.NotContains(t, text, "\x1b", "no colours where no terminal is")
	require.NotContains(t, text, "\r")
	require.NotContains(t, text, "differs")
	for _, fact := range []string{
		o.Address, o.Gift.TxID, o.Gift.TxKey, o.Back.TxID, o.Back.TxKey, xmr.FormatAmount(o.Gift.Fee),
		xmr.FormatAmount(o.Mined), xmr.FormatAmount(o.Gift.SenderAfter), xmr.FormatAmount(o.AliceEnd)} {
		require.Contains(t, text, fact)
	}
	_, next, found := strings.Cut(text, "What to try next")
	require.True(t, found)
	require.Contains(t, next, "curl -s --digest")
	return text
}

// writes is a writer that calls a function.
type writes func(string)

func (f writes) Write(b []byte) (int, error) { f(string(b)); return len(b), nil }

// TestDemoInterrupted interrupts the demonstration, which must stop its programs and remove its folder.
func TestDemoInterrupted(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	o, err := runDemo(ctx, newPrinter(writes(func(s string) {
		if strings.Contains(s, "Alice mines") {
			cancel()
		}
	})), demoOptions{}, (*stage).tell)
	require.ErrorIs(t, err, context.Canceled)
	require.NotEmpty(t, o.Address, "it had begun")
	require.Zero(t, o.Mined)
	require.NoDirExists(t, o.Dir)
}

// TestDemoStays checks that --stay keeps the programs running until the interrupt, which is not a failure.
func TestDemoStays(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	var out strings.Builder
	var set *stage
	_, err := runDemo(ctx, newPrinter(writes(func(s string) {
		out.WriteString(s)
		if strings.Contains(s, "README.md") {
			_, err := set.address(ctx)
			require.ErrorContains(t, err, "No wallet file", "the service still answers")
			cancel()
		}
	})), demoOptions{stay: true}, func(s *stage, _ context.Context, _ *outcome) error { set = s; return nil })
	require.NoError(t, err)
	require.Contains(t, out.String(), `"method":"generateblocks"`)
	require.Contains(t, out.String(), set.url)
}

// TestDemoWithoutPrograms checks the message if monerod is not installed.
func TestDemoWithoutPrograms(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	t.Setenv("GLIM_REFERENCE", "")
	var out, errs bytes.Buffer
	require.Equal(t, 1, demo(t.Context(), []string{"--daemon=monerod"}, &out, &errs))
	require.Empty(t, out.String())
	require.Equal(t, 1, strings.Count(errs.String(), "\n"), "one line")
	require.Contains(t, errs.String(), "apt-get install monero")
}

func TestDemoArguments(t *testing.T) {
	code, out, _ := runCommand(t, "demo", "--help")
	require.Zero(t, code)
	require.Contains(t, out, "--stay")
	code, _, errs := runCommand(t, "demo", "now")
	require.Equal(t, 2, code)
	require.Contains(t, errs, `unknown argument "now"`)
	for _, bad := range [][]string{{"--daemon"}, {"--daemon="}, {"--daemon", "none"}} {
		code, _, errs = runCommand(t, append([]string{"demo"}, bad...)...)
		require.Equal(t, 2, code)
		require.Contains(t, errs, "--daemon must be glim or monerod")
	}
	for _, bad := range [][]string{{"--fork-height"}, {"--fork-height=0"}, {"--fork-height", "81"}} {
		code, _, errs = runCommand(t, append([]string{"demo"}, bad...)...)
		require.Equal(t, 2, code)
		require.Contains(t, errs, "--fork-height must be a number from 1 to 80")
	}
	_, err := parseDemo([]string{"--fork-height", "5", "--daemon", "monerod"})
	require.ErrorContains(t, err, "--fork-height needs glim's daemon")
	p, err := parseDemo([]string{"--daemon", "monerod", "--stay"})
	require.NoError(t, err)
	require.Equal(t, demoOptions{monerod: true, stay: true}, p)
	_, out, _ = runCommand(t, "--help")
	require.Contains(t, out, "glim demo")
}

func TestPrinterOnATerminal(t *testing.T) {
	var out bytes.Buffer
	n := &printer{w: &out, terminal: true}
	n.step("Heading", "Why.")
	done := n.progress("mining", 2)
	done(1)
	done(2)
	require.Equal(t, "\n\x1b[1m1. Heading\x1b[0m\n   Why.\n"+
		"\r\x1b[K     mining [....................] 0 of 2\r\x1b[K     mining [##########..........] 1 of 2"+
		"\r\x1b[K     mining [####################] 2 of 2\r\x1b[K     mining: 2\n", out.String())
}

func TestWrap(t *testing.T) {
	require.Equal(t, []string{"one two", "three", "toolongforit", "x"}, wrap(" one  two three\ntoolongforit x", 8))
	require.Equal(t, []string{"ä ö", "ü"}, wrap("ä ö ü", 3), "characters, not bytes")
}
