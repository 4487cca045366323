package service

import (
	"io"

	"glim/core/journal"
	"glim/core/say"
)

// Familiar is Storage that remembers, apart from its content, what was last written.
type Familiar interface {
	// Familiar reports whether the content is that, or goes on from it: it is no older copy, nor one that was written elsewhere.
	Familiar() bool
}

// Remembering is Storage that remembers, apart from its content, what was last written.
type Remembering interface {
	Familiar
	// Remembered reports whether anything is remembered of a content under this name, and how many bytes at least are missing of it.
	Remembered() (known bool, missing int64)
}

const putBack = " If there is a newer copy, put it back. What the chain knows comes back with rescan_blockchain; notes, labels and keys of transactions sent do not."

// warningOf returns what the owner of a file has to know of it: that its end is missing, or may be. Empty for a file that is whole as far as can be
// told. After a kill that lost nothing acknowledged, it is empty where storage remembers what was written last.
func warningOf(e journal.Ending, st io.Closer) string {
	missing := e.Missing
	r, remembers := st.(Remembering)
	known, familiar := false, false
	if remembers {
		familiar = r.Familiar()
		var gone int64
		known, gone = r.Remembered()
		missing = max(missing, gone)
	}
	switch {
	case missing > 0:
		return say.Sprintf("The wallet's file is cut short: at least %d bytes that were stored are missing.", missing) + putBack
	case known && !familiar:
		return "The wallet's file is not the one that was stored here last: it is an older copy, or was changed elsewhere." + putBack
	case remembers && !known && e.Markers && !e.Marked:
		return "The wallet's file was not closed, or its end is missing; what was stored here last is not known." + putBack
	}
	return ""
}
