package service

import (
	"io"

	"glim/core/journal"
	"glim/core/smallfmt"
)

const restoreAdvice = " If you have a newer copy, restore it. Otherwise rescan_blockchain restores what is on the " +
	"chain, but not notes, labels and the keys of sent transactions."

// fileWarning returns a warning for the owner if the end of a wallet's file is missing or may be missing, and "" if the
// file appears to be complete. If the storage detects missing content, a kill that lost no acknowledged change causes
// no warning.
func fileWarning(e journal.Ending, st io.Closer) string {
	missing := e.Missing
	r, remembers := st.(RollbackDetector)
	known, familiar := false, false
	if remembers {
		familiar = r.IsCurrent()
		var truncated int64
		known, truncated = r.LastWritten()
		missing = max(missing, truncated)
	}
	switch {
	case missing > 0:
		return smallfmt.Sprintf("The wallet file is truncated: at least %d bytes that were stored are missing.",
			missing) + restoreAdvice
	case known && !familiar:
		return "The wallet file is not the one stored here last: it is an older copy, or was changed elsewhere." +
			restoreAdvice
	case remembers && !known && e.Markers && !e.Marked:
		return "The wallet file was not closed, or its end is missing; its last stored state is unknown." +
			restoreAdvice
	}
	return ""
}
