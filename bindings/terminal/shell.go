package terminal

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"glim/bindings/wallet"
)

// reported is the exit code of a command whose error was printed.
type reported int

func (r reported) Error() string { return fmt.Sprintf("exit code %d", int(r)) }

// openShell opens a wallet, reads new blocks, and runs commands line by line.
func openShell(ctx context.Context, c *call) error {
	return c.opening(ctx, func(w *wallet.Wallet, password wallet.Secret) error {
		if err := c.refresh(ctx, w); err != nil {
			c.failed(err) // the wallet can be used nevertheless
			if ctx.Err() != nil {
				return reported(exitInterrupted)
			}
		}
		shell := *c
		shell.opened = &session{w, newPasswordCheck(password)}
		if c.console.file != nil {
			c.console.editor.AutoCompleteCallback = shell.tab
			c.note("Opened %s. Type help for the commands, and exit at the end.", printable(w.Name()))
		}
		for {
			c.console.past.on = true
			line, err := c.console.ask(ctx, printable(w.Name())+"> ", false)
			c.console.past.on = false
			switch {
			case errors.Is(err, errEnded), errors.Is(err, context.Canceled) && ctx.Err() == nil:
				return nil // Ctrl-D or Ctrl-C at the prompt
			case err != nil:
				return err
			}
			words, err := split(line)
			if err != nil {
				words = []string{"help"}
				fmt.Fprintln(c.console.out, err)
			}
			switch {
			case len(words) == 0:
			case words[0] == "exit" || words[0] == "quit":
				return nil
			case words[0] == "help":
				shell.printCommands(c.out)
			default:
				one := shell
				one.args = nil
				code := one.execute(ctx, words)
				if ctx.Err() != nil || code != exitDone && c.console.file == nil {
					return reported(code)
				}
			}
		}
	})
}

// printCommands prints the commands of an interactive shell.
func (c *call) printCommands(out io.Writer) {
	const column = 14
	for _, group := range groups() {
		for _, k := range group.commands {
			if !k.outside {
				fmt.Fprintf(out, "  %-*s %s\n", column-3, k.name, indented(k.about, column))
			}
		}
	}
	fmt.Fprintf(out, "  %-*s %s\n", column-3, "exit", "close the wallet")
	fmt.Fprintln(out, "COMMAND --help shows the arguments and flags of a command.")
}

// split returns the words of a line, which spaces separate. Quotation marks of either kind keep the spaces in a word.
func split(line string) ([]string, error) {
	var words []string
	var word strings.Builder
	quote, begun := rune(0), false
	for _, r := range line {
		switch {
		case quote != 0 && r == quote:
			quote = 0
		case quote == 0 && (r == '"' || r == '\''):
			quote, begun = r, true
		case quote == 0 && (r == ' ' || r == '\t'):
			if begun {
				words = append(words, word.String())
				word.Reset()
				begun = false
			}
		default:
			word.WriteRune(r)
			begun = true
		}
	}
	if quote != 0 {
		return nil, fmt.Errorf("the quotation mark %c is not closed", quote)
	}
	if begun {
		words = append(words, word.String())
	}
	return words, nil
}

// tab completes the word before the cursor for the tabulator key. It implements term.Terminal.AutoCompleteCallback.
func (c *call) tab(line string, at int, key rune) (completed string, cursor int, ok bool) {
	if key != '\t' {
		return "", 0, false
	}
	words := strings.Fields(line[:at])
	if at == 0 || line[at-1] == ' ' {
		words = append(words, "")
	}
	common, found := "", c.candidates(words)
	for i, word := range found {
		if i == 0 {
			common = word + " "
		}
		for !strings.HasPrefix(word+" ", common) {
			common = common[:len(common)-1]
		}
	}
	typed := words[len(words)-1]
	if len(common) <= len(typed) {
		return line, at, true
	}
	begin := line[:at-len(typed)] + common
	return begin + line[at:], len(begin), true
}
