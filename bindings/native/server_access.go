package native

import (
	"io"
	"net"
	"net/http"
	"net/netip"
	"slices"
	"strings"
	"time"

	"glim/bindings/native/digest"
)

// refuse is asked when there is no login: being able to connect is then all it takes, and a web page in a browser on
// this machine can connect. A page betrays itself by the Host it was led to (its own name, rebound to this machine's
// address), by its Origin, or by what its browser says of its site. Returns "" for a request to serve.
func (s *Server) refuse(r *http.Request, conn *connection) (reason string, status int) {
	if !s.isOurs(r.Host, conn.local) {
		return "host is not this machine", http.StatusForbidden
	}
	origin := r.Header.Get("Origin")
	if origin != "" {
		if !s.allows(origin) {
			return "origin is not allowed", http.StatusForbidden
		}
		// A page needs no leave of the server to send the other types; these make its browser ask first.
		if r.Method != http.MethodOptions && r.ContentLength != 0 && !isAskedFor(r.Header.Get("Content-Type")) {
			return "content type is one that pages may send unasked", http.StatusUnsupportedMediaType
		}
		return "", 0
	}
	// An image or a form of a page sends no Origin with GET.
	switch r.Header.Get("Sec-Fetch-Site") {
	case "", "none", "same-origin":
		return "", 0
	}
	return "sent by a web page", http.StatusForbidden
}

// forged reports whether a request may be a page's that uses the login its browser remembers. Browsers send that along with whatever they may send
// unasked: forms, images, links. A page of an origin that is allowed, one from here, and what a browser asks leave for first, are not meant.
func (s *Server) forged(r *http.Request) bool {
	origin := r.Header.Get("Origin")
	if origin != "" && s.allows(origin) || r.Method == http.MethodOptions {
		return false
	}
	switch r.Header.Get("Sec-Fetch-Site") {
	case "none", "same-origin":
		return false
	case "": // an old browser, or none
		if origin == "" {
			return false
		}
	}
	return !isAskedFor(r.Header.Get("Content-Type"))
}

func (s *Server) allows(origin string) bool {
	return slices.Contains(s.cfg.Origins, "*") || slices.Contains(s.cfg.Origins, origin)
}

// isOurs reports whether a Host header names this machine: localhost, a loopback address, the address the client
// called, or a configured name. HTTP/1.0 may leave it out.
func (s *Server) isOurs(host string, local netip.Addr) bool {
	if host == "" || slices.Contains(s.cfg.Hosts, "*") {
		return true
	}
	if h, _, err := net.SplitHostPort(host); err == nil {
		host = h
	}
	host = strings.TrimSuffix(strings.ToLower(host), ".")
	if a, err := netip.ParseAddr(strings.Trim(host, "[]")); err == nil {
		a = a.WithZone("").Unmap()
		return a.IsLoopback() || a == local
	}
	return host == "localhost" || slices.ContainsFunc(s.cfg.Hosts, func(h string) bool { return strings.EqualFold(h, host) })
}

// isAskedFor reports whether a type is that of requests for JSON or epee, which are none of those a page may send to anybody: see
// "CORS-safelisted request-header" in the Fetch standard.
func isAskedFor(contentType string) bool {
	kind, _, _ := strings.Cut(contentType, ";")
	kind = strings.ToLower(strings.TrimSpace(kind))
	return kind == "application/json" || kind == "application/octet-stream"
}

// authorize checks the login and answers 401 when it is not right. A wrong one waits first, a bounded number of them
// at a time and the others for their turn: guessing gets no faster by guessing at more.
func (s *Server) authorize(w http.ResponseWriter, r *http.Request, login *digest.Server) int {
	authorization := strings.Join(r.Header.Values("Authorization"), ",") // several make none
	ok, challenges, err := login.Check(r.Method, r.RequestURI, r.Host, authorization)
	if err != nil {
		s.cfg.Log.Error("no randomness for a nonce", "err", err)
		return s.fail(w, http.StatusInternalServerError)
	}
	if ok {
		return http.StatusOK
	}
	// A body left unread would end the connection, and with it the nonce the client needs for its next try. When it has been read it shows, too, when the
	// client goes.
	if _, err := io.Copy(io.Discard, http.MaxBytesReader(w, r.Body, s.cfg.Limits.Body)); err != nil {
		w.Header().Set("Connection", "close")
		return s.fail(w, http.StatusBadRequest)
	}
	if authorization != "" && !strings.HasSuffix(challenges[0], "stale=true") {
		s.cfg.Log.Warn("wrong login", "client", r.RemoteAddr)
		select {
		case s.delaying <- struct{}{}:
			wait := time.NewTimer(s.cfg.Limits.FailDelay)
			select {
			case <-wait.C:
			case <-r.Context().Done():
			}
			wait.Stop()
			<-s.delaying
		case <-r.Context().Done():
		}
	}
	h := w.Header()
	h["WWW-authenticate"] = challenges // spelled as the reference does: some clients look for just that
	h.Set("Content-Type", "text/html")
	w.WriteHeader(http.StatusUnauthorized)
	if r.Method != http.MethodHead {
		_, _ = w.Write([]byte(digest.Unauthorized))
	}
	return http.StatusUnauthorized
}
