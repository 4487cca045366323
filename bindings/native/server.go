package native

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"strconv"
	"time"

	"glim/bindings/internal/holder"
	"glim/bindings/native/digest"
	"glim/core/rpc"
)

// Service answers requests: an *rpc.Registry, or what stands before one.
type Service interface {
	Serve(ctx context.Context, path string, body []byte, o rpc.Options) ([]byte, error)
}

// ServerConfig says what a Server serves, to whom.
type ServerConfig struct {
	Service Service
	// Events returns what happens after cursor to the wallet that path names; service.FromNow begins with what is to come.
	// It is asked for paths that end in /events, and answers rpc.ErrNoPath where there is no such stream. An *rpc.Error is
	// told the client. Nil for a service without events.
	Events func(path string, cursor uint64) (EventStream, error)
	// Options go to the service with every request: Restricted and Deny make a restricted service.
	Options rpc.Options
	// Login is asked of every request but OPTIONS. Without one, a request from a web page is refused unless its
	// origin is listed, and one whose Host is not this machine's or in Hosts is refused always: a web page must not
	// reach a service that trusts whoever can connect.
	Login digest.Login
	// Origins are the web origins that may read answers. "*" stands for all.
	Origins []string
	// Hosts are names clients may call the machine by besides localhost and its addresses, without a port; "*" stands for all.
	Hosts []string
	// Kind is the type of answers; empty for what their bytes show.
	Kind string
	// Limits of what clients may take; zero values take the defaults.
	Limits ServerLimits
	// Random is where nonces come from; needed with a Login.
	Random io.Reader
	// Log receives what happens, or nothing does. It never sees bodies, logins or headers.
	Log *slog.Logger
	// Answered is told the status of every answer; nil is nobody.
	Answered func(status int)
}

// ServerLimits bound what clients may take. A zero takes the default.
type ServerLimits struct {
	Body              int64         // bytes of a request's body; 64 MiB
	Bodies            int64         // bytes of all bodies that are being sent or answered; 256 MiB
	Answers           int64         // bytes of all answers that are being written or taken; 512 MiB
	Header            int           // bytes of a request's header; 64 KiB
	Connections       int           // at once, on all listeners together; 100
	ConnectionsPublic int           // of them from one public address, or network of 2^64 IPv6 addresses; 3
	ConnectionsLocal  int           // of them from one private address, or from this machine; 25. No host gets all
	ReadHeader        time.Duration // to send a header; 10 s
	ReadBody          time.Duration // to send a body; 60 s
	Write             time.Duration // to take an answer; 60 s
	Idle              time.Duration // between requests; 2 minutes
	Streams           int           // of events at once; half of the connections from one local address
	Heartbeat         time.Duration // between signs of life of a stream; 15 s
	FailDelay         time.Duration // before a wrong login is answered; 250 ms
	FailsWaiting      int           // wrong logins delayed at once, those beyond wait for their turn; 16
}

func (l *ServerLimits) setDefaults() {
	set(&l.Body, 64<<20)
	set(&l.Bodies, 256<<20)
	set(&l.Answers, 512<<20)
	set(&l.Header, 64<<10)
	set(&l.Connections, 100)
	set(&l.ConnectionsPublic, 3)
	set(&l.ConnectionsLocal, 25)
	set(&l.ReadHeader, 10*time.Second)
	set(&l.ReadBody, time.Minute)
	set(&l.Write, time.Minute)
	set(&l.Idle, 2*time.Minute)
	set(&l.Streams, max(min(l.Connections, l.ConnectionsLocal)/2, 1))
	set(&l.Heartbeat, 15*time.Second)
	set(&l.FailDelay, 250*time.Millisecond)
	set(&l.FailsWaiting, 16)
}

func set[T comparable](v *T, standard T) {
	var zero T
	if *v == zero {
		*v = standard
	}
}

// Server serves one service over HTTP/1 as the reference's servers do.
// Source: contrib/epee/include/net/http_server_handlers_map2.h, http_protocol_handler.inl, http_server_impl_base.h.
type Server struct {
	cfg      ServerConfig
	http     *http.Server
	plain    *plainConns
	calls    context.Context // of every running call
	cut      context.CancelFunc
	delaying chan struct{}
	bodies   bodies
	answers  bodies

	places *places

	streams    chan struct{}   // those open
	streaming  context.Context // ends them
	endStreams context.CancelFunc
}

// NewServer returns a server that listens nowhere yet.
func NewServer(cfg ServerConfig) *Server {
	cfg.Limits.setDefaults()
	if cfg.Log == nil {
		cfg.Log = slog.New(slog.DiscardHandler)
	}
	s := &Server{cfg: cfg, plain: newPlainConns(), delaying: make(chan struct{}, cfg.Limits.FailsWaiting)}
	s.places = newPlaces(cfg.Limits)
	s.bodies.most, s.answers.most = cfg.Limits.Bodies, cfg.Limits.Answers
	s.calls, s.cut = context.WithCancel(context.Background())
	s.streams = make(chan struct{}, cfg.Limits.Streams)
	s.streaming, s.endStreams = context.WithCancel(context.Background())
	s.http = &http.Server{
		Handler:           http.HandlerFunc(s.handle),
		ReadHeaderTimeout: cfg.Limits.ReadHeader,
		IdleTimeout:       cfg.Limits.Idle,
		MaxHeaderBytes:    cfg.Limits.Header,
		ConnContext:       s.newConnection,
		ConnState:         rests,
		// net/http writes about malformed requests and broken connections; what clients send is not for logs.
		ErrorLog:                     slog.NewLogLogger(slog.DiscardHandler, slog.LevelDebug),
		DisableGeneralOptionsHandler: true,
		Protocols:                    new(http.Protocols),
	}
	s.http.Protocols.SetHTTP1(true) // digest state is a connection's, so its requests must come one by one
	return s
}

// Serve answers clients of l until Shutdown, then returns nil. It closes l.
func (s *Server) Serve(l net.Listener) error {
	limited := limitConnections(l, s.places)
	limited.failed = func(err error) { s.cfg.Log.Error("no client can be let in; it is tried again", "error", err) }
	l = limited
	if s.cfg.Login.IsZero() {
		l = s.listenPlain(l)
	}
	l = framing{Listener: l, maxHead: s.cfg.Limits.Header + 16<<10, refused: func(client string) {
		s.cfg.Log.Warn("request refused", "client", client, "reason", "malformed or ambiguous")
	}}
	err := s.http.Serve(l)
	if errors.Is(err, http.ErrServerClosed) {
		return nil
	}
	return err
}

// Connections returns how many connections are open, and how many since the beginning were refused or cut because of limits.
func (s *Server) Connections() (open int, refused uint64) {
	open, refused, gaveWay := s.places.count()
	return open, refused + gaveWay
}

// Shutdown stops listening, ends streams and waits for the running calls, whose answers still arrive. When ctx ends first, their
// contexts are cancelled, the connections cut, and the error is ctx's.
func (s *Server) Shutdown(ctx context.Context) error {
	s.endStreams()
	s.plain.end()
	err := s.http.Shutdown(ctx)
	if ended := s.plain.wait(ctx); err == nil {
		err = ended
	}
	s.cut()
	if err != nil {
		return errors.Join(err, s.http.Close())
	}
	return nil
}

type connectionKey struct{}

// connection is what the server remembers of one connection.
type connection struct {
	login *digest.Server // nil without a login
	local netip.Addr     // the address the client called
	place *limitedConn
}

func (s *Server) newConnection(ctx context.Context, c net.Conn) context.Context {
	conn := &connection{local: holder.IP(c.LocalAddr()), place: placeOf(c)}
	if !s.cfg.Login.IsZero() {
		conn.login = digest.NewServer(s.cfg.Login, s.cfg.Random)
	}
	return context.WithValue(ctx, connectionKey{}, conn)
}

// rests notes that a connection waits for its next request.
func rests(c net.Conn, state http.ConnState) {
	if state == http.StateIdle {
		placeOf(c).becomes(waiting)
	}
}

func (s *Server) handle(w http.ResponseWriter, r *http.Request) {
	start := time.Now()
	conn := r.Context().Value(connectionKey{}).(*connection)
	status := s.answer(w, r, conn, start)
	s.logRequest(r.RemoteAddr, r.Method, r.URL.Path, status, start)
}

// logRequest tells the log of a request that was answered.
func (s *Server) logRequest(client, method, path string, status int, start time.Time) {
	if s.cfg.Answered != nil {
		s.cfg.Answered(status)
	}
	if s.cfg.Log.Enabled(s.calls, slog.LevelDebug) {
		s.cfg.Log.Debug("request", "client", client, "method", method, "path", path, "status", status, "took", time.Since(start))
	}
}

// serverName is by what clients tell the reference's servers.
const serverName = "Epee-based"

// answer does everything a request asks for and returns the status it was answered with.
func (s *Server) answer(w http.ResponseWriter, r *http.Request, conn *connection, start time.Time) int {
	h := w.Header()
	h.Set("Server", serverName)
	rc := http.NewResponseController(w)
	if err := errors.Join(rc.SetReadDeadline(start.Add(s.cfg.Limits.ReadBody)),
		rc.SetWriteDeadline(start.Add(s.cfg.Limits.ReadBody+s.cfg.Limits.Write))); err != nil {
		return s.fail(w, http.StatusInternalServerError)
	}
	reason, status := "", http.StatusForbidden
	switch {
	case len(r.Header.Values("Origin")) > 1:
		reason = "more than one origin"
	case conn.login == nil:
		reason, status = s.refuse(r, conn)
	case s.forged(r):
		reason = "sent by a web page"
	}
	if reason != "" {
		s.cfg.Log.Warn("request refused", "client", r.RemoteAddr, "reason", reason)
		return s.fail(w, status)
	}
	if closesBehind(r, conn.login != nil) {
		h.Set("Connection", "close")
	}
	if origin := r.Header.Get("Origin"); origin != "" && s.allows(origin) {
		h.Set("Access-Control-Allow-Origin", origin)
		h.Set("Vary", "Origin")
		h.Set("Access-Control-Expose-Headers", "www-authenticate")
		if r.Method == http.MethodOptions {
			h.Set("Access-Control-Allow-Headers", "Content-Type, Authorization, X-Requested-With")
		}
		h.Set("Access-Control-Allow-Methods", "POST, PUT, GET, OPTIONS")
	}
	if r.Method == http.MethodOptions {
		h.Set("Content-Length", "0")
		w.WriteHeader(http.StatusOK)
		return http.StatusOK
	}
	stands := sending
	if conn.login != nil {
		if status := s.authorize(w, r, conn.login); status != http.StatusOK {
			return status
		}
		conn.place.loggedIn()
		stands = serving
	}
	if !conn.place.becomes(stands) {
		return s.fail(w, http.StatusServiceUnavailable)
	}

	share := share{of: &s.bodies}
	defer share.release()
	body, err := io.ReadAll(&shared{Reader: http.MaxBytesReader(w, r.Body, s.cfg.Limits.Body), share: &share})
	if err != nil {
		if errors.Is(err, errBodies) {
			s.cfg.Log.Warn("request refused", "client", r.RemoteAddr, "reason", "too much is being sent at once")
			return s.fail(w, http.StatusServiceUnavailable)
		}
		if tooLarge := (*http.MaxBytesError)(nil); errors.As(err, &tooLarge) {
			return s.fail(w, http.StatusRequestEntityTooLarge)
		}
		h.Set("Connection", "close") // what follows is the rest of the body, or may be
		return s.fail(w, http.StatusBadRequest)
	}
	if !conn.place.becomes(serving) {
		return s.fail(w, http.StatusServiceUnavailable)
	}
	// The call itself may take as long as it takes.
	if err := rc.SetReadDeadline(time.Time{}); err != nil {
		return s.fail(w, http.StatusInternalServerError)
	}
	if s.cfg.Events != nil && isStream(r.URL.Path) {
		return s.stream(w, r, rc)
	}
	answer, taken := s.reply(r.URL.Path, body)
	defer taken.release()
	if err := rc.SetWriteDeadline(time.Now().Add(s.cfg.Limits.Write)); err != nil {
		return s.fail(w, http.StatusInternalServerError)
	}
	if answer.status != http.StatusOK {
		return s.fail(w, answer.status)
	}
	h.Set("Content-Type", answer.kind(s.cfg.Kind))
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Content-Length", strconv.Itoa(len(answer.body)))
	if r.Method != http.MethodHead {
		_, _ = w.Write(answer.body) // the client is gone, and there is nobody to tell
	}
	return http.StatusOK
}

// reply is what a call is answered with. Failures have no body.
type reply struct {
	status int
	body   []byte
}

// errAnswers reports that there is no room for an answer now.
var errAnswers = errors.New("native: too much is being answered at once")

// reply calls the service. The answer counts until taken is released; for a large one room is asked before it is written.
func (s *Server) reply(path string, body []byte) (answer reply, taken share) {
	taken.of = &s.answers
	bytes, err := s.call(path, body, &taken)
	if err == nil && !taken.grow(int64(len(bytes))) {
		err = errAnswers
	}
	switch {
	case err == nil:
		return reply{http.StatusOK, bytes}, taken
	case errors.Is(err, errAnswers):
		s.cfg.Log.Warn("answer not given", "path", path, "reason", "too much is being answered at once")
		return reply{status: http.StatusServiceUnavailable}, taken
	case errors.Is(err, rpc.ErrNoPath):
		return reply{status: http.StatusNotFound}, taken
	case errors.Is(err, rpc.ErrRequest):
		return reply{status: http.StatusBadRequest}, taken
	}
	s.cfg.Log.Error("request failed", "path", path, "err", err)
	return reply{status: http.StatusInternalServerError}, taken
}

// kind returns the answer's type, which is the server's when that has one.
func (a reply) kind(ofServer string) string {
	switch {
	case a.status != http.StatusOK:
		return "text/plain"
	case ofServer != "":
		return ofServer
	case bytes.HasPrefix(a.body, epeeSignature):
		return "application/octet-stream"
	}
	return "application/json"
}

// keeps reports whether a connection goes on after the answer. After an internal failure it ends, as in the reference.
func (a reply) keeps() bool { return a.status < http.StatusInternalServerError }

// epeeSignature begins every binary answer and no JSON. Source: contrib/epee/include/storages/portable_storage_base.h.
var epeeSignature = []byte{0x01, 0x11, 0x01, 0x01, 0x01, 0x01, 0x02, 0x01, 0x01}

// call runs the service. A client that goes away does not end it: a payment half made is worse than an answer nobody
// reads. A panic is a failure of this one request.
func (s *Server) call(path string, body []byte, taken *share) (answer []byte, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("native: a handler panicked: %T", p)
		}
	}()
	o := s.cfg.Options
	o.Room = func(size int) error {
		if !taken.grow(int64(size)) {
			return errAnswers
		}
		return nil
	}
	return s.cfg.Service.Serve(s.calls, path, body, o)
}

// fail answers without a body. After an internal failure the connection ends, as in the reference.
func (s *Server) fail(w http.ResponseWriter, status int) int {
	if status != http.StatusNotFound && status != http.StatusBadRequest {
		w.Header().Set("Connection", "close")
	}
	w.Header().Set("Content-Type", "text/plain")
	w.Header().Set("Content-Length", "0")
	w.WriteHeader(status)
	return status
}
