// Package terminal is the command `glim wallet`: the wallets of a folder, for people at a terminal and for scripts.
//
// It uses package wallet, as any Go program does. Results go to standard output, and everything else (questions,
// progress, errors) to standard error. No secret is an argument: passwords, seeds and keys are lines of standard input,
// which a terminal does not echo.
package terminal

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"glim/bindings/dnssec"
	"glim/bindings/wallet"
	"glim/core/service"
)

// command is one of the commands of `glim wallet`.
type command struct {
	name     string
	args     string // the arguments, as shown in help texts
	min, max int    // number of arguments; max -1 means any
	wallet   bool   // the first argument is the name of a wallet, which an interactive shell leaves out
	outside  bool   // not a command of an interactive shell
	about    string
	more     string // further sentences of the help; may be empty
	options  []option
	run      func(ctx context.Context, c *call) error
}

// call is one command with its arguments.
type call struct {
	config
	command *command
	args    []string
	console *console
	out     io.Writer // results; everything else goes to the console
	opened  *session  // the wallet of an interactive shell; otherwise nil
	lookUp  service.TXTLookup
	names   map[string]string // the OpenAlias names of addresses that were looked up, for people
}

// session is the open wallet of an interactive shell.
type session struct {
	wallet *wallet.Wallet
	check  passwordCheck
}

// Run runs a command line, which follows `glim wallet`, and returns its exit code, see exitCodes. It ends soon after
// ctx, with everything that was read or recorded so far on disk.
func Run(ctx context.Context, line []string, stdin io.Reader, stdout, stderr io.Writer) int {
	if len(line) == 0 || line[0] == "help" || line[0] == "--help" || line[0] == "-h" {
		printHelp(stdout)
		return exitDone
	}
	names := dnssec.Host{Public: os.Getenv(dnssec.Variable), File: dnssec.File}
	c := &call{console: newConsole(stdin, stderr), out: stdout, lookUp: names.TXT}
	return c.execute(ctx, line)
}

// execute parses a command line, runs the command and returns the exit code.
func (c *call) execute(ctx context.Context, line []string) int {
	if c.command = c.find(line[0]); c.command == nil {
		fmt.Fprintf(c.console.out, "glim wallet: unknown command %s\nglim wallet help shows the commands.\n",
			printable(line[0]))
		return exitUsage
	}
	if c.opened != nil && c.command.wallet {
		c.args = []string{c.opened.wallet.Name()}
	}
	if err := c.parse(line[1:], os.ReadFile); err != nil {
		return c.failed(&usageError{err})
	}
	if c.help {
		c.printHelp(c.out)
		return exitDone
	}
	if n := len(c.args); n < c.command.min || c.command.max >= 0 && n > c.command.max {
		return c.failed(misuse("usage: %s", c.usage()))
	}
	if err := c.command.run(ctx, c); err != nil {
		return c.failed(err)
	}
	return exitDone
}

// find returns the command of this name; nil if it does not exist here.
func (c *call) find(name string) *command {
	for _, group := range groups() {
		for i := range group.commands {
			if k := &group.commands[i]; k.name == name && (c.opened == nil || !k.outside) {
				return k
			}
		}
	}
	return nil
}

// failed reports an error and returns the exit code.
func (c *call) failed(err error) int {
	var code reported
	if errors.As(err, &code) {
		return int(code)
	}
	e := explain(err, c.network)
	if c.json {
		_ = json.NewEncoder(c.console.out).Encode(map[string]jsonError{"error": {e.name, e.message, e.hint, e.code}})
		return e.code
	}
	name := "glim wallet " + c.command.name
	if c.opened != nil {
		name = c.command.name
	}
	fmt.Fprintf(c.console.out, "%s: %s\n", name, printable(e.message))
	if e.hint != "" {
		fmt.Fprintln(c.console.out, indented(e.hint, 0))
	}
	return e.code
}

// jsonError is what --json prints to standard error if a command fails.
type jsonError struct {
	Name     string `json:"name"`
	Message  string `json:"message"`
	Hint     string `json:"hint,omitempty"`
	ExitCode int    `json:"exit_code"`
}

// print writes a result: with --json v as JSON, otherwise the text that write writes.
func (c *call) print(v any, write func(w io.Writer)) error {
	if !c.json {
		write(c.out)
		return nil
	}
	e := json.NewEncoder(c.out)
	e.SetEscapeHTML(false)
	return e.Encode(v)
}

// group is a heading of the help with its commands.
type group struct {
	title    string
	commands []command
}

// groups returns all commands in the order of the help.
func groups() []group {
	return []group{
		{"Wallets", append(creatingCommands(), walletCommands()...)},
		{"Money", append(moneyCommands(), payingCommands()...)},
		{"Payment links and receipts", receiptCommands()},
		{"Signatures and proofs", proofCommands()},
	}
}

// usage returns the command line of the command.
func (c *call) usage() string {
	line, args := "glim wallet ", c.command.args
	if c.opened != nil {
		line = ""
		if c.command.wallet {
			args = strings.TrimPrefix(strings.TrimPrefix(args, "NAME"), " ")
		}
	}
	return line + strings.TrimSpace(c.command.name+" "+args) + " [flags]"
}

func (c *call) printHelp(w io.Writer) {
	fmt.Fprintf(w, "\nUsage: %s\n\n%s\n", c.usage(), indented(sentence(c.command.about), 0))
	if c.command.more != "" {
		fmt.Fprintf(w, "\n%s\n", indented(c.command.more, 0))
	}
	const column = 41
	group := ""
	for _, o := range c.options() {
		if o.help == "" {
			continue
		}
		if o.group != group {
			group = o.group
			fmt.Fprintf(w, "\n%s\n", group)
		}
		fmt.Fprintf(w, "  %-38s %s\n", strings.TrimSpace("--"+o.name+" "+o.arg), indented(o.help, column))
	}
}

// sentence returns a text with a capital at its beginning and a full stop at its end.
func sentence(s string) string { return strings.ToUpper(s[:1]) + s[1:] + "." }

func printHelp(w io.Writer) {
	fmt.Fprint(w, "\nUsage: glim wallet COMMAND [arguments] [flags]\n\n", indented(
		"Uses the wallets of a folder, which glim wallet-rpc and monero-wallet-rpc open, too. NAME is the name of a "+
			"wallet in --wallet-dir, or a path.", 0), "\n")
	const column = 14
	for _, group := range groups() {
		fmt.Fprintf(w, "\n%s\n", group.title)
		for _, k := range group.commands {
			fmt.Fprintf(w, "  %-*s %s\n", column-3, k.name, indented(k.about, column))
		}
	}
	fmt.Fprint(w, "\nExit codes\n")
	for _, e := range exitCodes {
		fmt.Fprintf(w, "  %-*d %s\n", column-3, e.code, indented(e.meaning, column))
	}
	fmt.Fprint(w, "\nglim wallet COMMAND --help shows the arguments and flags of a command.\n")
}

// helpWidth is the maximum length of lines of help.
const helpWidth = 110

// indented wraps a text. All lines but the first are indented to column, where the first line is to be printed.
func indented(text string, column int) string {
	var b strings.Builder
	at := column
	for i, word := range strings.Fields(text) {
		switch {
		case i == 0:
		case at+1+len(word) > helpWidth:
			b.WriteString("\n" + strings.Repeat(" ", column))
			at = column
		default:
			b.WriteByte(' ')
			at++
		}
		b.WriteString(word)
		at += len(word)
	}
	return b.String()
}

// errNotConfirmed is the error of a payment that was not confirmed.
var errNotConfirmed = errors.New("not confirmed; nothing was sent")
