package bridge

import (
	"context"
	"fmt"
	"log/slog"
	"strings"
)

// Logger receives the engine's log line by line, on any thread. Its errors are ignored.
type Logger interface {
	// Log receives a line: level 0 is an error, 1 a warning, 2 information, 3 debugging output.
	Log(level int32, line string) error
}

// newLog returns a log that writes to l, or discards everything if l is nil.
func newLog(l Logger) *slog.Logger {
	if l == nil {
		return slog.New(slog.DiscardHandler)
	}
	return slog.New(&lines{to: l})
}

// lines is a slog.Handler that writes one line per record.
type lines struct {
	to     Logger
	prefix string // prefix of attribute names
	before string // attributes added with WithAttrs
}

func (*lines) Enabled(_ context.Context, level slog.Level) bool { return level >= slog.LevelInfo }

func (h *lines) Handle(_ context.Context, r slog.Record) error {
	var b strings.Builder
	b.WriteString(r.Message)
	b.WriteString(h.before)
	r.Attrs(func(a slog.Attr) bool {
		h.write(&b, a)
		return true
	})
	level := int32(3)
	switch {
	case r.Level >= slog.LevelError:
		level = 0
	case r.Level >= slog.LevelWarn:
		level = 1
	case r.Level >= slog.LevelInfo:
		level = 2
	}
	return h.to.Log(level, b.String())
}

func (h *lines) write(b *strings.Builder, a slog.Attr) {
	fmt.Fprintf(b, " %s%s=%v", h.prefix, a.Key, a.Value.Resolve())
}

// WithAttrs implements slog.Handler.
func (h *lines) WithAttrs(all []slog.Attr) slog.Handler {
	var b strings.Builder
	for _, a := range all {
		h.write(&b, a)
	}
	return &lines{h.to, h.prefix, h.before + b.String()}
}

// WithGroup implements slog.Handler.
func (h *lines) WithGroup(name string) slog.Handler {
	return &lines{h.to, h.prefix + name + ".", h.before}
}
