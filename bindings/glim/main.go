// Command glim runs the engine as a service of this machine.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"
)

const usage = `glim is a Monero wallet engine, with a private chain to try it on.

Usage:
  glim wallet-rpc --rpc-bind-port PORT (--wallet-dir DIR | --wallet-file FILE) [flags]
                    serve wallets to programs of this machine, as monero-wallet-rpc does
  glim export-keys --wallet-file FILE --as NAME [flags]
                    take a wallet to monero-wallet-rpc: write its keys to NAME.keys
  glim daemon --regtest [--fixed-difficulty 1] [flags]
                    keep a private chain in memory and serve it, as monerod --regtest does
  glim daemon [--stagenet | --testnet] --bootstrap-daemon-address HOST:PORT [flags]
                    ask another daemon, check and remember what it says, and serve that
  glim demo [--stay]
                    tell the story of a few payments on a private chain
  glim version      show the version
  glim help         show this

glim COMMAND --help shows the flags of a command.
`

func main() {
	ctx, stop := asked()
	if len(os.Args) > 1 && os.Args[1] == "wallet-rpc" {
		steadyHeap()
	}
	code := command(ctx, os.Args[1:], os.Stdin, os.Stdout, os.Stderr)
	stop()
	os.Exit(code)
}

// asked returns a context that ends when the process is asked to end: by SIGTERM, by Ctrl-C and, unless it was started so that it goes on (nohup),
// when its terminal goes. A second time ends the process at once, but for the terminal, which goes once and may say so twice.
func asked() (ctx context.Context, stop func()) {
	ends := []os.Signal{os.Interrupt, syscall.SIGTERM}
	if !signal.Ignored(syscall.SIGHUP) {
		ends = append(ends, syscall.SIGHUP)
	}
	ctx, stop = signal.NotifyContext(context.Background(), ends...)
	context.AfterFunc(ctx, func() {
		signal.Ignore(syscall.SIGHUP)
		stop()
	})
	// Who reads what is said may go, such as the other end of a pipe: nobody's payments end with him. That the signal is caught, not ignored, leaves
	// it as it was to commands that are started.
	signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE)
	return ctx, stop
}

// command runs one command line and returns the process's exit code: 0 when it did what was asked, 1 when it failed,
// 2 when the command line is not understood.
func command(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	name := "help"
	if len(args) > 0 {
		name, args = args[0], args[1:]
	}
	switch name {
	case "help", "--help", "-h":
		fmt.Fprint(stdout, usage)
		return 0
	case "version", "--version":
		fmt.Fprintln(stdout, version())
		return 0
	case "wallet-rpc":
		return walletRPC(ctx, args, stdin, stdout, stderr)
	case "export-keys":
		return exportKeys(ctx, args, stdin, stdout, stderr)
	case "daemon":
		return daemonCommand(ctx, args, stdout, stderr)
	case "demo":
		return demo(ctx, args, stdout, stderr)
	}
	fmt.Fprintf(stderr, "glim: unknown command %q\n\n%s", name, usage)
	return 2
}

func walletRPC(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	cfg, err := parseWalletRPC(args, os.Getenv, os.ReadFile)
	switch {
	case err != nil:
		return misused(stderr, "wallet-rpc", walletRPCUsage, err)
	case cfg.help:
		walletRPCHelp(stdout)
		return 0
	case cfg.version:
		fmt.Fprintln(stdout, version())
		return 0
	}
	if cfg.Detach {
		words := newFirstWords()
		if words == nil {
			return detach(append([]string{"wallet-rpc"}, args...), cfg.LogFile, stderr)
		}
		stderr, cfg.served = words, words.served
	}
	if err := run(ctx, cfg, openService, stdin, stderr); err != nil {
		cfg.failed(stderr, "glim wallet-rpc", err)
		return 1
	}
	return 0
}

const walletRPCUsage = `
Usage: glim wallet-rpc --rpc-bind-port PORT (--wallet-dir DIR | --wallet-file FILE) [flags]
`

func walletRPCHelp(w io.Writer) {
	fmt.Fprint(w, walletRPCUsage, `
Serves wallets over JSON-RPC at http://IP:PORT/json_rpc. Flags are monero-wallet-rpc's.
`)
	printFlags(w, walletRPCFlags)
	printOthers(w, walletRPCFlags)
}

// misused tells what is wrong with a command line, and how the command is used where that helps; it returns the code to exit with.
func misused(w io.Writer, name, usage string, err error) int {
	fmt.Fprintf(w, "glim %s: %v\n", name, err)
	if errors.Is(err, errUsage) {
		fmt.Fprintf(w, "%sglim %s --help shows the flags.\n", usage, name)
	}
	return 2
}
