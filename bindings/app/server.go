// Package app serves the web wallet of `glim app` to the browser of the user who started it, and to nobody else.
//
// The browser is opened with a ticket, which the page redeems once for the token of a session. The page keeps the token
// in its sessionStorage and sends it with every request. It is not a cookie: browsers send the cookies of 127.0.0.1 to
// every port of the machine, so that a server of another user could read them, and treat pages of such a server as the
// same site. A header that only scripts of this origin can add excludes every other page.
package app

import (
	"context"
	"io/fs"
	"net/http"
	"strings"
	"sync"
	"time"

	"glim/bindings/native"
)

// Info describes the running app to its page.
type Info struct {
	Network string `json:"network"`
	Folder  string `json:"folder"` // of the wallets
	Version string `json:"version"`
	Proxy   bool   `json:"proxy"` // whether the node is reached through a proxy
	Names   bool   `json:"names"` // whether OpenAlias names are looked up
}

// Node is the node that the wallets use, without its password.
type Node struct {
	Address  string `json:"address"` // http(s)://host:port, or empty for none
	Username string `json:"username"`
	Trusted  bool   `json:"trusted"`
	Sending  string `json:"sending"` // http(s)://host:port of the node that gets the transactions; empty for this one
	Chosen   bool   `json:"chosen"`  // whether the command line or the page chose it since the start
}

// NodeChoice is a node that the page chooses or checks.
type NodeChoice struct {
	Address  string `json:"address"`
	Username string `json:"username"`
	Password string `json:"password"`
	Trusted  bool   `json:"trusted"`
	Sending  string `json:"sending"` // see Node; not for checks
}

// String returns the address. It omits the login.
func (n NodeChoice) String() string { return n.Address }

// GoString returns String.
func (n NodeChoice) GoString() string { return n.String() }

// Nodes chooses the node of the wallets.
type Nodes interface {
	// Node returns the node in use.
	Node() Node
	// Choose closes all wallets and uses another node from then on.
	Choose(ctx context.Context, n NodeChoice) error
	// Check returns the response of a node to get_info, as JSON.
	Check(ctx context.Context, n NodeChoice) ([]byte, error)
}

// Wallets are the wallet files of the folder, such as native.WalletDir.
type Wallets interface {
	List() ([]string, error)
	Remove(name string) error
	File(name string) ([]byte, error)
	Add(name string, file []byte) error
}

// Settings stores texts of the page by a key.
type Settings interface {
	Read(key string) (value string, found bool, err error)
	Write(key, value string) error
}

// Config configures a Server. Every field is required.
type Config struct {
	Pages    fs.FS  // the built web wallet
	Host     string // 127.0.0.1:PORT, at which the server listens
	Owner    Token  // with which a second start of the command asks for a ticket
	Info     Info
	Nodes    Nodes
	Wallets  Wallets
	Settings Settings
	Now      func() time.Time
	Quit     func() // ends the app after the response
}

// Server decides which requests reach the wallet service, and answers those of the page that are not for it.
type Server struct {
	cfg      Config
	pages    map[string]page
	sessions sessions
	ended    chan struct{} // closed by End
	end      sync.Once
}

// New returns a server. It returns an error if a page cannot be read.
func New(c Config) (*Server, error) {
	pages, err := readPages(c.Pages)
	if err != nil {
		return nil, err
	}
	return &Server{cfg: c, pages: pages, sessions: sessions{now: c.Now}, ended: make(chan struct{})}, nil
}

// Ticket returns a ticket for one session.
func (s *Server) Ticket() Token { return s.sessions.ticket() }

// Origin returns the origin of the page.
func (s *Server) Origin() string { return "http://" + s.cfg.Host }

// End ends the streams by which open pages notice that the app ends.
func (s *Server) End() { s.end.Do(func() { close(s.ended) }) }

// Front is native.ServerConfig.Front. It passes on only requests for the wallet service that carry the token of a
// session.
func (s *Server) Front(r *http.Request) (answer native.Answer, known bool) {
	switch {
	case r.Host != s.cfg.Host: // a name that was rebound to this machine
		return refuse(http.StatusMisdirectedRequest), false
	case !s.sameOrigin(r):
		return refuse(http.StatusForbidden), false
	}
	if p, found := s.pages[strings.TrimPrefix(r.URL.Path, "/")]; found {
		return s.page(r, p), false
	}
	switch r.URL.Path {
	case "/app/session":
		return s.only(r, http.MethodPost, s.beginSession), false
	case "/app/ticket":
		if bearer(r).digest() != s.cfg.Owner.digest() {
			return refuse(http.StatusUnauthorized), false
		}
		return s.only(r, http.MethodPost, s.newTicket), true
	}
	if !s.sessions.knows(bearer(r)) {
		return refuse(http.StatusUnauthorized), false
	}
	if strings.HasPrefix(r.URL.Path, "/app/") {
		return s.endpoint(r), true
	}
	return nil, true
}

// sameOrigin reports whether a request comes from a page of this server, from a person who opens one, or from a program
// that is no browser. Other pages may only navigate to a page of this server, which without a ticket shows nothing.
func (s *Server) sameOrigin(r *http.Request) bool {
	origins := r.Header.Values("Origin")
	if len(origins) > 1 || len(origins) == 1 && origins[0] != s.Origin() {
		return false
	}
	switch r.Header.Get("Sec-Fetch-Site") {
	case "", "none", "same-origin":
		return true
	}
	return r.Method == http.MethodGet && r.Header.Get("Sec-Fetch-Mode") == "navigate" &&
		r.Header.Get("Sec-Fetch-Dest") == "document"
}

// bearer returns the token of a request, or an empty one. Source: RFC 6750, 2.1.
func bearer(r *http.Request) Token {
	all := r.Header.Values("Authorization")
	if len(all) != 1 {
		return ""
	}
	token, found := strings.CutPrefix(all[0], "Bearer ")
	if !found {
		return ""
	}
	return Token(token)
}

// only answers requests with another method with 405.
func (s *Server) only(r *http.Request, method string, answer native.Answer) native.Answer {
	if r.Method != method {
		return refuse(http.StatusMethodNotAllowed)
	}
	return answer
}

// refuse answers with a status and no body.
func refuse(status int) native.Answer {
	return func(w http.ResponseWriter, _ *http.Request) int {
		protect(w.Header())
		w.Header().Set("Connection", "close") // the body is not read
		w.Header().Set("Content-Length", "0")
		w.WriteHeader(status)
		return status
	}
}
