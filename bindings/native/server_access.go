package native

import (
	"context"
	"io"
	"net"
	"net/http"
	"net/netip"
	"slices"
	"strings"
	"time"

	"glim/core/rpc/digest"
)

// refuse decides whether a request is refused before its login is checked. It returns an empty reason if the request
// may go on.
func (s *Server) refuse(r *http.Request, conn *connection) (reason string, status int) {
	switch {
	case len(r.Header.Values("Origin")) > 1:
		return "more than one origin", http.StatusForbidden
	case conn.login == nil:
		return s.refuseWithoutLogin(r, conn)
	case s.forged(r):
		return "sent by a web page", http.StatusForbidden
	}
	return "", 0
}

// refuseWithoutLogin applies to servers without a login. Whoever can connect may use them, and so could a web page in
// a browser on this machine. A page is recognised by its Host (its own name, rebound to this machine's address), by
// its Origin, or by the site that its browser reports.
func (s *Server) refuseWithoutLogin(r *http.Request, conn *connection) (reason string, status int) {
	if !s.isOurs(r.Host, conn.local) {
		return "host is not this machine", http.StatusForbidden
	}
	origin := r.Header.Get("Origin")
	if origin != "" {
		if !s.allows(origin) {
			return "origin is not allowed", http.StatusForbidden
		}
		// A browser sends other content types without a preflight request.
		if r.Method != http.MethodOptions && r.ContentLength != 0 && !needsPreflight(r.Header.Get("Content-Type")) {
			return "content type does not need a preflight request", http.StatusUnsupportedMediaType
		}
		return "", 0
	}
	// A page's images and forms send no Origin with GET.
	switch r.Header.Get("Sec-Fetch-Site") {
	case "", "none", "same-origin":
		return "", 0
	}
	return "sent by a web page", http.StatusForbidden
}

// allowOrigin adds the CORS fields for an allowed origin.
func (s *Server) allowOrigin(h http.Header, r *http.Request) {
	origin := r.Header.Get("Origin")
	if origin == "" || !s.allows(origin) {
		return
	}
	h.Set("Access-Control-Allow-Origin", origin)
	h.Set("Vary", "Origin")
	h.Set("Access-Control-Expose-Headers", "www-authenticate")
	if r.Method == http.MethodOptions {
		h.Set("Access-Control-Allow-Headers", "Content-Type, Authorization, X-Requested-With")
	}
	h.Set("Access-Control-Allow-Methods", "POST, PUT, GET, OPTIONS")
}

// forged reports whether a web page may have sent a request with the login that its browser stores. Browsers add it to
// every request that needs no preflight: forms, images, links. Requests from allowed origins and from the service's
// own pages are not forged.
func (s *Server) forged(r *http.Request) bool {
	origin := r.Header.Get("Origin")
	if origin != "" && s.allows(origin) || r.Method == http.MethodOptions {
		return false
	}
	switch r.Header.Get("Sec-Fetch-Site") {
	case "none", "same-origin":
		return false
	case "": // an old browser, or another client
		if origin == "" {
			return false
		}
	}
	return !needsPreflight(r.Header.Get("Content-Type"))
}

func (s *Server) allows(origin string) bool {
	return slices.Contains(s.cfg.Origins, "*") || slices.Contains(s.cfg.Origins, origin)
}

// isOurs reports whether a Host header names this machine: localhost, a loopback address, the local address of the
// connection, or a configured name. HTTP/1.0 requests may omit it.
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
	return host == "localhost" ||
		slices.ContainsFunc(s.cfg.Hosts, func(h string) bool { return strings.EqualFold(h, host) })
}

// needsPreflight reports whether a content type is that of JSON or epee, which a browser sends to another origin only
// after a preflight request. Source: "CORS-safelisted request-header" in the Fetch standard.
func needsPreflight(contentType string) bool {
	kind, _, _ := strings.Cut(contentType, ";")
	kind = strings.ToLower(strings.TrimSpace(kind))
	return kind == "application/json" || kind == "application/octet-stream"
}

// authorize checks the login, and answers 401 if it is missing or wrong. The answer to a wrong login is delayed. Only
// a limited number of answers are delayed at the same time and the others queue, so concurrent guesses gain nothing.
func (s *Server) authorize(w http.ResponseWriter, r *http.Request, login *digest.Server) int {
	authorization := strings.Join(r.Header.Values("Authorization"), ",") // several do not parse as one
	ok, challenges, err := login.Check(r.Method, r.RequestURI, r.Host, authorization)
	if err != nil {
		s.cfg.Log.Error("cannot make a nonce", "err", err)
		return s.fail(w, http.StatusInternalServerError)
	}
	if ok {
		return http.StatusOK
	}
	// net/http closes a connection after an unread body, and the nonce would be lost with it. Also, only after the body
	// has been read does the request's context end when the client disconnects.
	if _, err := io.Copy(io.Discard, http.MaxBytesReader(w, r.Body, s.cfg.Limits.Body)); err != nil {
		w.Header().Set("Connection", "close")
		return s.fail(w, http.StatusBadRequest)
	}
	if authorization != "" && !strings.HasSuffix(challenges[0], "stale=true") {
		s.cfg.Log.Warn("wrong login", "client", r.RemoteAddr)
		s.delay(r.Context())
	}
	h := w.Header()
	h["WWW-authenticate"] = challenges // some clients match this spelling, which is the reference's
	h.Set("Content-Type", "text/html")
	w.WriteHeader(http.StatusUnauthorized)
	if r.Method != http.MethodHead {
		_, _ = w.Write([]byte(digest.Unauthorized))
	}
	return http.StatusUnauthorized
}

// delay returns after FailDelay, of which at most FailsWaiting run at the same time, or when ctx ends.
func (s *Server) delay(ctx context.Context) {
	select {
	case s.delayed <- struct{}{}:
		defer func() { <-s.delayed }()
	case <-ctx.Done():
		return
	}
	wait := time.NewTimer(s.cfg.Limits.FailDelay)
	defer wait.Stop()
	select {
	case <-wait.C:
	case <-ctx.Done():
	}
}
