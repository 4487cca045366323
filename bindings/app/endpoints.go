package app

import (
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"

	"glim/bindings/native"
	"glim/core/service"
)

// maxMessage is the maximum size of a request in bytes, except for wallet files.
const maxMessage = 1 << 20

// heartbeat is the interval of messages on the stream that says that the app runs.
const heartbeat = 10 * time.Second

// beginSession redeems a ticket.
func (s *Server) beginSession(w http.ResponseWriter, r *http.Request) int {
	var in struct {
		Ticket Token `json:"ticket"`
	}
	if !read(r, &in) {
		return refuse(http.StatusBadRequest)(w, r)
	}
	token, ok := s.sessions.begin(in.Ticket)
	if !ok {
		return refuse(http.StatusUnauthorized)(w, r)
	}
	return reply(w, map[string]string{"token": string(token)})
}

// newTicket returns a ticket to a second start of the command.
func (s *Server) newTicket(w http.ResponseWriter, _ *http.Request) int {
	return reply(w, map[string]string{"ticket": string(s.Ticket())})
}

// endpoint returns what answers a request of the page that has a session.
func (s *Server) endpoint(r *http.Request) native.Answer {
	part := strings.TrimPrefix(r.URL.EscapedPath(), "/app/")
	switch r.Method + " " + part {
	case "GET state":
		return s.state
	case "GET alive":
		return s.alive
	case "POST quit":
		return s.quit
	case "PUT node":
		return s.chooseNode
	case "POST node":
		return s.checkNode
	case "GET wallets":
		return s.listWallets
	}
	kind, rest, _ := strings.Cut(part, "/")
	name, err := url.PathUnescape(rest)
	if err != nil {
		return refuse(http.StatusBadRequest)
	}
	switch r.Method + " " + kind {
	case "GET settings":
		return func(w http.ResponseWriter, _ *http.Request) int { return s.readSetting(w, name) }
	case "PUT settings":
		return func(w http.ResponseWriter, r *http.Request) int { return s.writeSetting(w, r, name) }
	case "GET wallets":
		return func(w http.ResponseWriter, _ *http.Request) int { return s.exportWallet(w, name) }
	case "PUT wallets":
		return func(w http.ResponseWriter, r *http.Request) int { return s.importWallet(w, r, name) }
	case "DELETE wallets":
		return func(w http.ResponseWriter, _ *http.Request) int { return done(w, s.cfg.Wallets.Remove(name)) }
	}
	return refuse(http.StatusNotFound)
}

// state describes the app and its node.
func (s *Server) state(w http.ResponseWriter, _ *http.Request) int {
	return reply(w, struct {
		Info
		Node Node `json:"node"`
	}{s.cfg.Info, s.cfg.Nodes.Node()})
}

// alive sends a byte from time to time until the app or the client ends. When the stream ends, the page knows that
// another program may soon listen at its address, and sends nothing more.
func (s *Server) alive(w http.ResponseWriter, r *http.Request) int {
	protect(w.Header())
	w.Header().Set("Content-Type", "text/plain")
	w.WriteHeader(http.StatusOK)
	rc := http.NewResponseController(w)
	if rc.SetReadDeadline(time.Time{}) != nil {
		return http.StatusOK
	}
	tick := time.NewTicker(heartbeat)
	defer tick.Stop()
	for {
		if rc.SetWriteDeadline(time.Now().Add(time.Minute)) != nil {
			return http.StatusOK
		}
		if _, err := io.WriteString(w, "\n"); err != nil || rc.Flush() != nil {
			return http.StatusOK
		}
		select {
		case <-s.ended:
			return http.StatusOK
		case <-r.Context().Done():
			return http.StatusOK
		case <-tick.C:
		}
	}
}

// quit ends the app. Running calls are answered first.
func (s *Server) quit(w http.ResponseWriter, _ *http.Request) int {
	status := done(w, nil)
	s.End()
	s.cfg.Quit()
	return status
}

func (s *Server) chooseNode(w http.ResponseWriter, r *http.Request) int {
	var n NodeChoice
	if !read(r, &n) {
		return refuse(http.StatusBadRequest)(w, r)
	}
	return done(w, s.cfg.Nodes.Choose(r.Context(), n))
}

func (s *Server) checkNode(w http.ResponseWriter, r *http.Request) int {
	var n NodeChoice
	if !read(r, &n) {
		return refuse(http.StatusBadRequest)(w, r)
	}
	info, err := s.cfg.Nodes.Check(r.Context(), n)
	if err != nil {
		return done(w, err)
	}
	return send(w, "application/json", info, true)
}

func (s *Server) listWallets(w http.ResponseWriter, _ *http.Request) int {
	names, err := s.cfg.Wallets.List()
	if err != nil {
		return done(w, err)
	}
	return reply(w, names)
}

func (s *Server) exportWallet(w http.ResponseWriter, name string) int {
	file, err := s.cfg.Wallets.File(name)
	if err != nil {
		return done(w, err)
	}
	return send(w, "application/octet-stream", file, true)
}

func (s *Server) importWallet(w http.ResponseWriter, r *http.Request, name string) int {
	file, err := io.ReadAll(r.Body)
	if err != nil {
		return refuse(http.StatusBadRequest)(w, r)
	}
	return done(w, s.cfg.Wallets.Add(name, file))
}

func (s *Server) readSetting(w http.ResponseWriter, key string) int {
	value, found, err := s.cfg.Settings.Read(key)
	switch {
	case err != nil:
		return done(w, err)
	case !found:
		return done(w, nil)
	}
	return send(w, "text/plain; charset=utf-8", []byte(value), true)
}

func (s *Server) writeSetting(w http.ResponseWriter, r *http.Request, key string) int {
	value, err := io.ReadAll(io.LimitReader(r.Body, maxMessage+1))
	if err != nil || len(value) > maxMessage {
		return refuse(http.StatusBadRequest)(w, r)
	}
	return done(w, s.cfg.Settings.Write(key, string(value)))
}

// Reasons are names of failures for the page, as in the SDK's type Reason.
var reasons = []struct {
	err  error
	name string
}{
	{service.ErrExists, "WalletAlreadyExists"},
	{service.ErrNoWallet, "WalletNotFound"},
	{service.ErrInUse, "WalletInUse"},
	{service.ErrName, "InvalidName"},
	{native.ErrNoWalletFile, "InvalidFile"},
	{ErrLogin, "NodeLogin"},
	{ErrNode, "NodeUnreachable"},
}

// ErrLogin means that a node rejected the login or needs one.
var ErrLogin = errors.New("the node needs a user name and a password")

// ErrNode means that a node cannot be used.
var ErrNode = errors.New("the node cannot be reached")

// done responds with 204, or with the error in a body and 422.
func done(w http.ResponseWriter, err error) int {
	protect(w.Header())
	if err == nil {
		w.WriteHeader(http.StatusNoContent)
		return http.StatusNoContent
	}
	reason := "Internal"
	for _, r := range reasons {
		if errors.Is(err, r.err) {
			reason = r.name
			break
		}
	}
	body, _ := json.Marshal(map[string]string{"reason": reason, "message": err.Error()}) // texts can be encoded
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(http.StatusUnprocessableEntity)
	_, _ = w.Write(body) // if it fails, the client has disconnected
	return http.StatusUnprocessableEntity
}

// reply responds with a value as JSON.
func reply(w http.ResponseWriter, v any) int {
	body, err := json.Marshal(v)
	if err != nil {
		return done(w, err)
	}
	return send(w, "application/json", body, true)
}

// read decodes the body of a request, which must be JSON: browsers send that to another origin only after asking.
func read(r *http.Request, v any) bool {
	if r.Header.Get("Content-Type") != "application/json" {
		return false
	}
	return json.NewDecoder(io.LimitReader(r.Body, maxMessage)).Decode(v) == nil
}
