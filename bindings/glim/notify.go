package main

import (
	"log/slog"
	"os/exec"
	"strconv"
	"strings"

	"glim/core/chain"
)

// notification is a user's command that runs on an event. It is split at spaces and run without a shell.
// Source: src/common/notify.cpp.
type notification struct {
	flag string // that configures it
	args []string
	log  *slog.Logger
}

// newNotification returns the notification that a flag configures, or nil if the flag is empty. A missing program is
// logged only, because it may be installed later, such as by a volume mounted into a container; the reference starts
// without it, too.
// Source: src/wallet/wallet_rpc_server.cpp and src/wallet/wallet2.cpp, which log and drop the exception of
// tools::Notify.
func newNotification(log *slog.Logger, flag, command string) *notification {
	args := strings.Fields(command)
	if len(args) == 0 {
		return nil
	}
	n := &notification{flag, args, log.With(category, "hook")}
	if _, err := exec.LookPath(args[0]); err != nil {
		n.log.Error("--"+flag+": program not found; notifications fail until it is installed", "error", err)
	}
	return n
}

// run starts the command with the tags replaced by their values, and does not wait for it. A nil notification does
// nothing.
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
		n.log.Warn("--"+n.flag+": starting the command failed", "error", err)
		return
	}
	go func() {
		if err := c.Wait(); err != nil {
			n.log.Warn("--"+n.flag+": the command failed", "error", err)
		}
	}()
}

// notifyChain returns a function that runs both commands when blocks are added to the chain: first, for a
// reorganisation, with the split height (%s), the new height (%h) and the numbers of new (%n) and discarded (%d)
// blocks; then for each block, with its ID (%s).
// Source: src/cryptonote_core/blockchain.cpp, switch_to_alternative_blockchain;
// src/cryptonote_core/cryptonote_core.cpp, init.
func notifyChain(block, reorganisation *notification) func(chain.View, chain.Added) {
	return func(_ chain.View, a chain.Added) {
		height := a.Height + 1
		if len(a.Joined) > 1 || len(a.Left) > 0 {
			count := func(n uint64) string { return strconv.FormatUint(n, 10) }
			reorganisation.run("%s", count(height-uint64(len(a.Joined))), "%h", count(height),
				"%n", count(uint64(len(a.Joined))), "%d", count(uint64(len(a.Left))))
		}
		for _, id := range a.Joined {
			block.run("%s", id.String())
		}
	}
}
