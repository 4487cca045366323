package main

import (
	"log/slog"
	"os/exec"
	"strconv"
	"strings"

	"glim/core/chain"
)

// notification is a command of the user's that is run when something happens. It is split at spaces and reaches no shell.
// Source: src/common/notify.cpp.
type notification struct {
	flag string // that named it
	args []string
	log  *slog.Logger
}

// newNotification returns the command a flag names, or nil when the flag is empty. A program that is missing is logged and may be installed
// later: the reference starts without it, too, so a container whose script comes with a mount must not fail to start.
// Source: src/wallet/wallet_rpc_server.cpp and src/wallet/wallet2.cpp, where tools::Notify's exception is logged and dropped.
func newNotification(log *slog.Logger, flag, command string) *notification {
	args := strings.Fields(command)
	if len(args) == 0 {
		return nil
	}
	n := &notification{flag, args, log.With(category, "hook")}
	if _, err := exec.LookPath(args[0]); err != nil {
		n.log.Error("--"+flag+": the program was not found; notifications fail until it is there", "error", err)
	}
	return n
}

// run runs the command, with what it says put in the place of each tag, and does not wait for its end. Nothing is run for nil.
func (n *notification) run(tags ...string) {
	if n == nil {
		return
	}
	args, tag := make([]string, len(n.args)), strings.NewReplacer(tags...)
	for i, a := range n.args {
		args[i] = tag.Replace(a)
	}
	c := exec.Command(args[0], args[1:]...)
	if err := c.Start(); err != nil {
		n.log.Warn("--"+n.flag+": the command did not start", "error", err)
		return
	}
	go func() {
		if err := c.Wait(); err != nil {
			n.log.Warn("--"+n.flag+": the command failed", "error", err)
		}
	}()
}

// notifyChain returns what tells both commands that blocks have joined a chain: first of a reorganisation, %s where it began, %h
// the blocks there are now, %n the new ones and %d those discarded; then of each block, %s its ID.
// Source: src/cryptonote_core/blockchain.cpp, switch_to_alternative_blockchain; src/cryptonote_core/cryptonote_core.cpp, init.
func notifyChain(block, reorganisation *notification) func(chain.View, chain.Added) {
	return func(_ chain.View, a chain.Added) {
		height := a.Height + 1
		if len(a.Joined) > 1 || len(a.Left) > 0 {
			count := func(n uint64) string { return strconv.FormatUint(n, 10) }
			reorganisation.run("%s", count(height-uint64(len(a.Joined))), "%h", count(height), "%n", count(uint64(len(a.Joined))),
				"%d", count(uint64(len(a.Left))))
		}
		for _, id := range a.Joined {
			block.run("%s", id.String())
		}
	}
}
