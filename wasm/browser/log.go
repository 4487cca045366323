//go:build js && wasm

package main

import (
	"context"
	"log/slog"
	"strings"
	"syscall/js"
)

// newLog tells the host's log what is at or above a level: 0 debug, 1 info, 2 warning, 3 error.
func newLog(outside js.Value, level int) *slog.Logger {
	return slog.New(&logHandler{host: outside, least: slog.Level(4*level - 4)})
}

type logHandler struct {
	host  js.Value
	least slog.Level
	attrs []slog.Attr
}

func (h *logHandler) Enabled(_ context.Context, l slog.Level) bool { return l >= h.least }

func (h *logHandler) Handle(_ context.Context, r slog.Record) error {
	var b strings.Builder
	b.WriteString(r.Message)
	add := func(a slog.Attr) bool {
		b.WriteString(" " + a.Key + "=" + a.Value.String())
		return true
	}
	for _, a := range h.attrs {
		add(a)
	}
	r.Attrs(add)
	h.host.Call("log", int(r.Level+4)/4, b.String())
	return nil
}

func (h *logHandler) WithAttrs(attrs []slog.Attr) slog.Handler {
	return &logHandler{h.host, h.least, append(append([]slog.Attr(nil), h.attrs...), attrs...)}
}

func (h *logHandler) WithGroup(string) slog.Handler { return h }
