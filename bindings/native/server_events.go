package native

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"time"

	"glim/core/rpc"
	"glim/core/service"
	"glim/core/walletrpc"
)

// EventStream is a stream of events of one wallet, such as service.EventStream.
type EventStream interface {
	// Next blocks until there are events. It returns io.EOF after the last one, and the error of ctx if ctx ends first.
	Next(ctx context.Context) ([]walletrpc.Event, error)
}

// isStream reports whether a path is that of an event stream: /events, or /wallets/NAME/events.
func isStream(path string) bool { return strings.HasSuffix(path, "/events") }

// cursorOf returns the cursor at which a stream begins: after the last event that the client received, at the cursor
// of the query, or from now on.
func cursorOf(r *http.Request) (uint64, error) {
	text := r.Header.Get("Last-Event-ID")
	if text == "" {
		text = r.URL.Query().Get("cursor")
	}
	if text == "" {
		return service.NewEventsOnly, nil
	}
	return strconv.ParseUint(text, 10, 64)
}

// stream sends server-sent events until the client disconnects, the wallet closes or the server shuts down.
// Source: HTML Living Standard, 9.2 Server-sent events.
func (s *Server) stream(w http.ResponseWriter, r *http.Request, rc *http.ResponseController) int {
	switch {
	case r.Method != http.MethodGet:
		return s.fail(w, http.StatusMethodNotAllowed)
	case s.cfg.Options.Restricted: // as get_events
		return s.fail(w, http.StatusForbidden)
	}
	cursor, err := cursorOf(r)
	if err != nil {
		return s.fail(w, http.StatusBadRequest)
	}
	select {
	case s.streams <- struct{}{}:
		defer func() { <-s.streams }()
	default:
		return s.fail(w, http.StatusServiceUnavailable)
	}
	events, err := s.cfg.Events(r.URL.Path, cursor)
	var refused *rpc.Error
	switch {
	case errors.Is(err, rpc.ErrNoPath):
		return s.fail(w, http.StatusNotFound)
	case errors.As(err, &refused):
		return s.refuseStream(w, refused)
	case err != nil:
		s.cfg.Log.Error("request failed", "path", r.URL.Path, "err", err)
		return s.fail(w, http.StatusInternalServerError)
	}
	h := w.Header()
	h.Set("Content-Type", "text/event-stream")
	h.Set("Cache-Control", "no-store")
	h.Set("X-Accel-Buffering", "no") // tells proxies not to buffer the stream
	h.Set("X-Content-Type-Options", "nosniff")
	w.WriteHeader(http.StatusOK)

	ctx, cancel := context.WithCancel(r.Context())
	defer cancel()
	defer context.AfterFunc(s.streaming, cancel)()
	out := eventWriter{w, rc, s.cfg.Limits.Write}
	if err := out.write(nil); err != nil {
		return http.StatusOK
	}
	for {
		wait, done := context.WithTimeout(ctx, s.cfg.Limits.Heartbeat)
		list, err := events.Next(wait)
		done()
		switch {
		case err == nil:
			cursor = list[len(list)-1].Cursor
		case s.streaming.Err() != nil:
			list = []walletrpc.Event{{Cursor: cursor, Type: walletrpc.EventShutdown}}
		case ctx.Err() == nil && errors.Is(err, context.DeadlineExceeded):
			err = nil // no event: send a heartbeat
		default:
			if !errors.Is(err, io.EOF) && ctx.Err() == nil {
				s.cfg.Log.Error("event stream failed", "path", r.URL.Path, "err", err)
			}
			return http.StatusOK
		}
		if out.write(list) != nil || err != nil {
			return http.StatusOK
		}
	}
}

// refuseStream responds with the error in a body, as JSON-RPC does.
func (s *Server) refuseStream(w http.ResponseWriter, why *rpc.Error) int {
	body, err := json.Marshal(map[string]*rpc.Error{"error": why})
	if err != nil {
		return s.fail(w, http.StatusInternalServerError)
	}
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Content-Length", fmt.Sprint(len(body)))
	w.WriteHeader(http.StatusConflict)
	_, _ = w.Write(body) // if it fails, the client has disconnected
	return http.StatusConflict
}

// eventWriter writes events, with a deadline for each write.
type eventWriter struct {
	w     http.ResponseWriter
	rc    *http.ResponseController
	limit time.Duration
}

// write sends events or, if list is empty, a comment as a heartbeat.
func (o eventWriter) write(list []walletrpc.Event) error {
	b, err := eventText(list)
	if err != nil {
		return err
	}
	if err := o.rc.SetWriteDeadline(time.Now().Add(o.limit)); err != nil {
		return err
	}
	if _, err := o.w.Write(b); err != nil {
		return err
	}
	return o.rc.Flush()
}

func eventText(list []walletrpc.Event) ([]byte, error) {
	if len(list) == 0 {
		return []byte(":\n\n"), nil
	}
	var b []byte
	for i := range list {
		data, err := rpc.Encode(&list[i])
		if err != nil {
			return nil, err
		}
		b = fmt.Appendf(b, "event: %s\nid: %d\ndata: %s\n\n", list[i].Type, list[i].Cursor, data)
	}
	return b, nil
}
