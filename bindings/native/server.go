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

	"glim/bindings/internal/clientaddr"
	"glim/core/rpc"
	"glim/core/rpc/digest"
)

// Service answers requests. *rpc.Registry is one. An error with a method HTTPStatus() int sets the status of the
// response.
type Service interface {
	Serve(ctx context.Context, path string, body []byte, o rpc.Options) ([]byte, error)
}

// Answer answers a request and returns the status of the response.
type Answer func(w http.ResponseWriter, r *http.Request) int

// ServerConfig configures a Server.
type ServerConfig struct {
	Service Service
	// Events returns the events after cursor of the wallet in path; service.NewEventsOnly skips all earlier events. It
	// is called for paths that end in /events, and returns rpc.ErrNoPath if there is no such stream. An *rpc.Error is
	// sent to the client. Nil means a service without events.
	Events func(path string, cursor uint64) (EventStream, error)
	// Front, if not nil, returns what answers a request in place of Service, or nil to pass the request on. It is
	// called before the login and the origin are checked. With known, the client has proven who it is: its connection
	// is then kept like one with a login.
	Front func(r *http.Request) (answer Answer, known bool)
	// Options are passed to Service with every request. Restricted or Deny makes the service restricted.
	Options rpc.Options
	// Login is required for every request except OPTIONS. The zero Login accepts every client. Because web pages must
	// not reach such a service, the server then refuses requests of web pages whose origin is not in Origins, and
	// requests whose Host is not this machine and is not in Hosts.
	Login digest.Login
	// Origins are the web origins that may read responses. "*" allows all.
	Origins []string
	// Hosts are allowed names in the Host field, without a port, in addition to localhost and the machine's addresses;
	// "*" allows all.
	Hosts []string
	// Kind is the content type of responses. If empty, it is detected.
	Kind string
	// Limits bound resources of clients; zero values mean the defaults.
	Limits ServerLimits
	// Random is the source of nonces. It is required with a Login.
	Random io.Reader
	// Log may be nil. Bodies, logins and headers are never logged.
	Log *slog.Logger
	// Answered, if not nil, is called with the status of every response.
	Answered func(status int)
}

// ServerLimits bound the resources of clients. Zero means the default.
type ServerLimits struct {
	Body              int64         // bytes of one request body; 100 MiB
	Bodies            int64         // bytes of all request bodies being received or processed; 256 MiB
	Answers           int64         // bytes of all responses being built or sent; 512 MiB
	Header            int           // bytes of one request header; 64 KiB
	Connections       int           // open connections on all listeners together; 100
	ConnectionsPublic int           // open connections per public IPv4 address or IPv6 /64 network; 3
	ConnectionsLocal  int           // per private address, and for this machine; 25, always below Connections
	ReadHeader        time.Duration // time to receive a header; 10 s
	ReadBody          time.Duration // time to receive a body; 60 s
	Write             time.Duration // time to send a response; 60 s
	Idle              time.Duration // time between requests of a connection; 2 minutes
	Streams           int           // open event streams; half of the connections of one local address
	Heartbeat         time.Duration // interval of keep-alive messages on event streams; 15 s
	FailDelay         time.Duration // delay of the response to a wrong login; 250 ms
	FailsWaiting      int           // wrong logins delayed at once; further ones queue; 16
}

func (l *ServerLimits) setDefaults() {
	set(&l.Body, 100<<20)
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
	cfg       ServerConfig
	http      *http.Server
	calls     context.Context // of every running call
	cancel    context.CancelFunc
	delayed   chan struct{} // one element for each wrong login that is being delayed
	bodies    budget        // of request bodies
	responses budget        // of response bodies
	places    *places

	streams    chan struct{}   // one element for each open event stream
	streaming  context.Context // ends when the streams must end
	endStreams context.CancelFunc
}

// NewServer returns a server without listeners.
func NewServer(cfg ServerConfig) *Server {
	cfg.Limits.setDefaults()
	if cfg.Log == nil {
		cfg.Log = slog.New(slog.DiscardHandler)
	}
	s := &Server{cfg: cfg, delayed: make(chan struct{}, cfg.Limits.FailsWaiting)}
	s.places = newPlaces(cfg.Limits)
	s.bodies.limit, s.responses.limit = cfg.Limits.Bodies, cfg.Limits.Answers
	s.calls, s.cancel = context.WithCancel(context.Background())
	s.streams = make(chan struct{}, cfg.Limits.Streams)
	s.streaming, s.endStreams = context.WithCancel(context.Background())
	s.http = &http.Server{
		Handler:           http.HandlerFunc(s.handle),
		ReadHeaderTimeout: cfg.Limits.ReadHeader,
		IdleTimeout:       cfg.Limits.Idle,
		MaxHeaderBytes:    cfg.Limits.Header,
		ConnContext:       s.newConnection,
		ConnState:         noteIdle,
		// net/http logs malformed requests and broken connections. What clients send does not belong in a log.
		ErrorLog:                     slog.NewLogLogger(slog.DiscardHandler, slog.LevelDebug),
		DisableGeneralOptionsHandler: true,
		Protocols:                    new(http.Protocols),
	}
	// HTTP/2 would send the requests of a connection concurrently, but digest state belongs to a connection.
	s.http.Protocols.SetHTTP1(true)
	return s
}

// Serve answers clients of l until Shutdown, then returns nil. It closes l.
func (s *Server) Serve(l net.Listener) error {
	limited := limitConnections(l, s.places)
	limited.failed = func(err error) { s.cfg.Log.Error("cannot accept connections; retrying", "error", err) }
	err := s.http.Serve(framing{Listener: limited, maxHead: s.cfg.Limits.Header + 16<<10, refused: func(client string) {
		s.cfg.Log.Warn("request refused", "client", client, "reason", "malformed or ambiguous")
	}})
	if errors.Is(err, http.ErrServerClosed) {
		return nil
	}
	return err
}

// Connections returns the number of open connections, and of those that were refused or closed because of limits
// since the server was made.
func (s *Server) Connections() (open int, refused uint64) {
	open, refused, gaveWay := s.places.count()
	return open, refused + gaveWay
}

// Shutdown stops listening, ends event streams and waits until the running calls are answered. If ctx ends first, it
// cancels their contexts, closes the connections and returns the error of ctx.
func (s *Server) Shutdown(ctx context.Context) error {
	s.endStreams()
	err := s.http.Shutdown(ctx)
	s.cancel()
	if err != nil {
		return errors.Join(err, s.http.Close())
	}
	return nil
}

type connectionKey struct{}

// connection is the server's state of one connection.
type connection struct {
	login *digest.Server // nil without a login
	local netip.Addr     // the address that the client connected to
	place *limitedConn
}

func (s *Server) newConnection(ctx context.Context, c net.Conn) context.Context {
	conn := &connection{local: clientaddr.IP(c.LocalAddr()), place: placeOf(c)}
	if !s.cfg.Login.IsZero() {
		conn.login = digest.NewServer(s.cfg.Login, s.cfg.Random)
	}
	return context.WithValue(ctx, connectionKey{}, conn)
}

// noteIdle notes that a connection waits for its next request.
func noteIdle(c net.Conn, state http.ConnState) {
	if state == http.StateIdle {
		placeOf(c).becomes(waiting)
	}
}

func (s *Server) handle(w http.ResponseWriter, r *http.Request) {
	start := time.Now()
	conn := r.Context().Value(connectionKey{}).(*connection)
	status := s.answer(w, r, conn, start)
	if s.cfg.Answered != nil {
		s.cfg.Answered(status)
	}
	if s.cfg.Log.Enabled(s.calls, slog.LevelDebug) {
		s.cfg.Log.Debug(
			"request", "client", r.RemoteAddr, "method", r.Method, "path", r.URL.Path, "status", status, "took",
			time.Since(start),
		)
	}
}

// serverName is the Server header of the reference, by which some clients recognise it.
const serverName = "Epee-based"

// answer answers a request and returns the status of the response.
func (s *Server) answer(w http.ResponseWriter, r *http.Request, conn *connection, start time.Time) int {
	w.Header().Set("Server", serverName)
	rc := http.NewResponseController(w)
	if err := errors.Join(rc.SetReadDeadline(start.Add(s.cfg.Limits.ReadBody)),
		rc.SetWriteDeadline(start.Add(s.cfg.Limits.ReadBody+s.cfg.Limits.Write))); err != nil {
		return s.fail(w, http.StatusInternalServerError)
	}
	if s.cfg.Front != nil {
		answer, known := s.cfg.Front(r)
		if answer != nil {
			return s.front(w, r, conn, answer, known)
		}
		if known {
			conn.place.loggedIn()
		}
	}
	if reason, status := s.refuse(r, conn); reason != "" {
		s.cfg.Log.Warn("request refused", "client", r.RemoteAddr, "reason", reason)
		return s.fail(w, status)
	}
	if closesAfter(r, conn.login != nil) {
		w.Header().Set("Connection", "close")
	}
	s.allowOrigin(w.Header(), r)
	if r.Method == http.MethodOptions {
		w.Header().Set("Content-Length", "0")
		w.WriteHeader(http.StatusOK)
		return http.StatusOK
	}
	reading := sending
	if conn.login != nil {
		if status := s.authorize(w, r, conn.login); status != http.StatusOK {
			return status
		}
		conn.place.loggedIn()
		reading = serving
	}
	if !conn.place.becomes(reading) {
		return s.fail(w, http.StatusServiceUnavailable)
	}

	reserved := reservation{of: &s.bodies}
	defer reserved.release()
	body, status := s.readBody(w, r, &reserved)
	if status != http.StatusOK {
		return s.fail(w, status)
	}
	if !conn.place.becomes(serving) {
		return s.fail(w, http.StatusServiceUnavailable)
	}
	// The duration of the call itself is not limited.
	if err := rc.SetReadDeadline(time.Time{}); err != nil {
		return s.fail(w, http.StatusInternalServerError)
	}
	if s.cfg.Events != nil && isStream(r.URL.Path) {
		return s.stream(w, r, rc)
	}
	return s.respond(w, r, rc, body)
}

// front answers a request in place of the service.
func (s *Server) front(w http.ResponseWriter, r *http.Request, conn *connection, answer Answer, known bool) int {
	standing := sending
	if known {
		conn.place.loggedIn()
		standing = serving
	}
	if !conn.place.becomes(standing) {
		return s.fail(w, http.StatusServiceUnavailable)
	}
	r.Body = http.MaxBytesReader(w, r.Body, s.cfg.Limits.Body)
	return answer(w, r)
}

// readBody reads the body of a request within the limits. The status is that of the failure, or 200.
func (s *Server) readBody(w http.ResponseWriter, r *http.Request, reserved *reservation) (body []byte, status int) {
	limited := http.MaxBytesReader(w, r.Body, s.cfg.Limits.Body)
	body, err := io.ReadAll(&reservingReader{Reader: limited, reserved: reserved})
	switch tooLarge := (*http.MaxBytesError)(nil); {
	case err == nil:
		return body, http.StatusOK
	case errors.Is(err, errBodies):
		s.cfg.Log.Warn(
			"request refused", "client", r.RemoteAddr, "reason", "request bodies exceed the server's memory limit",
		)
		return nil, http.StatusServiceUnavailable
	case errors.As(err, &tooLarge):
		return nil, http.StatusRequestEntityTooLarge
	}
	w.Header().Set("Connection", "close") // the rest of the body may follow
	return nil, http.StatusBadRequest
}

// respond calls the service and writes its response.
func (s *Server) respond(w http.ResponseWriter, r *http.Request, rc *http.ResponseController, body []byte) int {
	reserved := reservation{of: &s.responses}
	defer reserved.release()
	response, status := s.serve(r.URL.Path, body, &reserved)
	if err := rc.SetWriteDeadline(time.Now().Add(s.cfg.Limits.Write)); err != nil {
		return s.fail(w, http.StatusInternalServerError)
	}
	if status != http.StatusOK {
		return s.fail(w, status)
	}
	h := w.Header()
	h.Set("Content-Type", s.contentType(response))
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Content-Length", strconv.Itoa(len(response)))
	if r.Method != http.MethodHead {
		_, _ = w.Write(response) // if it fails, the client has closed the connection
	}
	return http.StatusOK
}

// errResponses reports that the responses being written leave no memory for another.
var errResponses = errors.New("native: responses exceed the server's memory limit")

// serve calls the service and maps its error to a status. It reserves the memory of a large response before the
// service encodes it.
func (s *Server) serve(path string, body []byte, reserved *reservation) (response []byte, status int) {
	response, err := s.call(path, body, reserved)
	if err == nil && !reserved.grow(int64(len(response))) {
		err = errResponses
	}
	var chosen interface{ HTTPStatus() int }
	switch {
	case err == nil:
		return response, http.StatusOK
	case errors.Is(err, errResponses):
		s.cfg.Log.Warn("response not sent", "path", path, "reason", "responses exceed the server's memory limit")
		return nil, http.StatusServiceUnavailable
	case errors.Is(err, rpc.ErrNoPath):
		return nil, http.StatusNotFound
	case errors.Is(err, rpc.ErrRequest):
		return nil, http.StatusBadRequest
	case errors.As(err, &chosen):
		s.cfg.Log.Debug("request refused", "path", path, "err", err)
		return nil, chosen.HTTPStatus()
	}
	s.cfg.Log.Error("request failed", "path", path, "err", err)
	return nil, http.StatusInternalServerError
}

// contentType returns the configured content type, or that of the response's bytes.
func (s *Server) contentType(response []byte) string {
	switch {
	case s.cfg.Kind != "":
		return s.cfg.Kind
	case bytes.HasPrefix(response, epeeSignature):
		return "application/octet-stream"
	}
	return "application/json"
}

// epeeSignature begins every epee response. No JSON begins with it.
// Source: contrib/epee/include/storages/portable_storage_base.h.
var epeeSignature = []byte{0x01, 0x11, 0x01, 0x01, 0x01, 0x01, 0x02, 0x01, 0x01}

// call runs the service. A client that disconnects does not cancel the call: a payment that stops half-way would be
// worse than a response that is not read. A panic fails only this request.
func (s *Server) call(path string, body []byte, reserved *reservation) (response []byte, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("native: a handler panicked: %T", p)
		}
	}()
	o := s.cfg.Options
	o.Room = func(size int) error {
		if !reserved.grow(int64(size)) {
			return errResponses
		}
		return nil
	}
	return s.cfg.Service.Serve(s.calls, path, body, o)
}

// fail sends a response without a body. It closes the connection after an internal failure, as the reference does.
func (s *Server) fail(w http.ResponseWriter, status int) int {
	if status != http.StatusNotFound && status != http.StatusBadRequest {
		w.Header().Set("Connection", "close")
	}
	w.Header().Set("Content-Type", "text/plain")
	w.Header().Set("Content-Length", "0")
	w.WriteHeader(status)
	return status
}
