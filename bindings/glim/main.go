// Command glim is a Monero light wallet engine and daemon that runs as a local service.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"

	"glim/bindings/terminal"
)

const usage = `glim is a Monero wallet engine, with a private chain to try it on.

Usage:
  glim wallet-rpc --rpc-bind-port PORT (--wallet-dir DIR | --wallet-file FILE) [flags]
                    serve wallets to local programs, as monero-wallet-rpc does
  glim wallet COMMAND [arguments] [flags]
                    create, restore and use wallets at a terminal or in scripts; glim wallet help lists the commands
  glim export-keys --wallet-file FILE --as NAME [flags]
                    write a wallet's keys to NAME.keys for monero-wallet-rpc
  glim daemon --regtest [--fixed-difficulty 1] [flags]
                    run a private chain in memory, as monerod --regtest does
  glim daemon [--stagenet | --testnet] --bootstrap-daemon-address HOST:PORT [flags]
                    serve the data of another daemon, checked and cached
  glim lws --daemon HOST:PORT [flags]
                    serve wallets that deposit their view keys, as monero-lws-daemon does
  glim completion bash|zsh|fish
                    print the completion of glim's commands and flags for a shell
  glim app          open the web wallet in your browser, with the engine in this process
  glim demo [--stay]
                    demonstrate a few payments on a private chain
  glim version      show the version
  glim help         show this help

glim COMMAND --help shows the flags of a command.
`

func main() {
	ctx, stop := signalContext()
	if len(os.Args) > 1 && (os.Args[1] == "wallet-rpc" || os.Args[1] == "app") {
		limitGarbage()
	}
	code := command(ctx, os.Args[1:], os.Stdin, os.Stdout, os.Stderr)
	stop()
	os.Exit(code)
}

// signalContext returns a context that ends on SIGTERM, on SIGINT and, unless the process ignores it (nohup), on
// SIGHUP. A second signal ends the process at once; only a second SIGHUP is ignored, because a closing terminal may
// send two.
func signalContext() (ctx context.Context, stop func()) {
	ends := []os.Signal{os.Interrupt, syscall.SIGTERM}
	if !signal.Ignored(syscall.SIGHUP) {
		ends = append(ends, syscall.SIGHUP)
	}
	ctx, release := signal.NotifyContext(context.Background(), ends...)
	stop = func() {
		signal.Ignore(syscall.SIGHUP) // first, because release restores that it ends the process
		release()
	}
	context.AfterFunc(ctx, stop)
	// The reader of the output may exit, such as the other end of a pipe, which must not end the process. SIGPIPE is
	// caught rather than ignored, so that started commands do not inherit that it is ignored.
	signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE)
	return ctx, stop
}

// command runs a command line and returns the exit code: 0 for success, 1 for failure, and 2 for an invalid command
// line.
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
	case "wallet":
		return terminal.Run(ctx, args, stdin, stdout, stderr)
	case "wallet-rpc":
		return walletRPC(ctx, args, stdin, stdout, stderr)
	case "app":
		return appCommand(ctx, args, stdout, stderr)
	case "export-keys":
		return exportKeys(ctx, args, stdin, stdout, stderr)
	case "daemon":
		return daemonCommand(ctx, args, stdout, stderr)
	case "lws":
		return lwsCommand(ctx, args, stdout, stderr)
	case "completion":
		return completion(args, stdout, stderr)
	case completeCommand:
		printCandidates(args, stdout)
		return 0
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
	cfg.started = cfg.newStartLines(stdout)
	if cfg.Detach {
		startup := newStartupOutput()
		if startup == nil {
			return detach(append([]string{"wallet-rpc"}, args...), cfg.LogFile, stderr)
		}
		stderr, cfg.served = startup, startup.served
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
Serves wallets over JSON-RPC at http://IP:PORT/json_rpc. Flags are those of monero-wallet-rpc.
`)
	printFlags(w, walletRPCFlags)
	printOthers(w, walletRPCFlags)
}

// misused prints an error in a command line, with the command's usage if that helps. It returns the exit code.
func misused(w io.Writer, name, usage string, err error) int {
	fmt.Fprintf(w, "glim %s: %v\n", name, err)
	if errors.Is(err, errUsage) {
		fmt.Fprintf(w, "%sglim %s --help shows the flags.\n", usage, name)
	}
	return 2
}
