package main

import (
	"log/slog"
	"os/exec"
	"strings"

	"glim/core/xmr"
)

// notify runs the user's command with %s replaced by the transaction's ID and does not wait for its end. The command is split at
// spaces and reaches no shell.
// Source: src/common/notify.cpp.
func notify(log *slog.Logger, command string, id xmr.Hash) {
	args := strings.Fields(command)
	if len(args) == 0 {
		return
	}
	for i := range args {
		args[i] = strings.ReplaceAll(args[i], "%s", id.String())
	}
	c := exec.Command(args[0], args[1:]...)
	if err := c.Start(); err != nil {
		log.Warn("--tx-notify: the command did not start", "error", err)
		return
	}
	go func() {
		if err := c.Wait(); err != nil {
			log.Warn("--tx-notify: the command failed", "error", err)
		}
	}()
}
