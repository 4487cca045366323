package native

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/sha1"
	"crypto/sha256"
	"crypto/tls"
	"crypto/x509"
	"encoding/hex"
	"encoding/json"
	"encoding/pem"
	"fmt"
	"io"
	"math/big"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"glim/core/daemonrpc"
	"glim/core/rpc"
	"glim/core/rpc/digest"
)

func transport(t *testing.T, o TransportOptions) *Transport {
	t.Helper()
	tr, err := NewTransport(o)
	require.NoError(t, err)
	t.Cleanup(tr.Close)
	return tr
}

func echoServer(w http.ResponseWriter, r *http.Request) {
	b, _ := io.ReadAll(r.Body)
	fmt.Fprintf(w, "%s %s %s %s", r.Method, r.URL.Path, r.Header.Get("Content-Type"), b)
}

func host(s *httptest.Server) string { return s.Listener.Addr().String() }

func fingerprint(s *httptest.Server) (long, short string) {
	a, b := sha256.Sum256(s.Certificate().Raw), sha1.Sum(s.Certificate().Raw)
	return hex.EncodeToString(a[:]), hex.EncodeToString(b[:])
}

func quiet(h http.HandlerFunc) *httptest.Server {
	s := httptest.NewUnstartedServer(h)
	s.Config.ErrorLog = nil
	return s
}

func TestPlainAndEncrypted(t *testing.T) {
	plain := quiet(echoServer)
	plain.Start()
	defer plain.Close()
	secret := quiet(echoServer)
	secret.StartTLS()
	defer secret.Close()
	long, short := fingerprint(secret)
	other := strings.Repeat("ab", 32)
	ca := filepath.Join(t.TempDir(), "ca.pem")
	require.NoError(
		t,
		os.WriteFile(ca, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: secret.Certificate().Raw}), 0o600),
	)

	for _, c := range []struct {
		name      string
		address   string
		ssl       SSL
		encrypted bool
		fails     error
	}{
		{"autodetect finds plain", host(plain), SSL{}, false, nil},
		{"autodetect finds TLS and takes any certificate", host(secret), SSL{}, true, nil},
		{"disabled", host(plain), SSL{Mode: SSLDisabled}, false, nil},
		{"disabled does not speak TLS", host(secret), SSL{Mode: SSLDisabled}, false, ErrHTTP},
		{"http settles it", "http://" + host(plain), SSL{}, false, nil},
		{"https trusts the system only", "https://" + host(secret), SSL{}, true, ErrTLS},
		{"enabled trusts the system only", host(secret), SSL{Mode: SSLEnabled}, true, ErrTLS},
		{"enabled never goes plain", host(plain), SSL{Mode: SSLEnabled, AllowAnyCert: true}, true, ErrTLS},
		{"any certificate", host(secret), SSL{Mode: SSLEnabled, AllowAnyCert: true}, true, nil},
		{"SHA-256", host(secret), SSL{Mode: SSLEnabled, Fingerprints: []string{other, long}}, true, nil},
		{"SHA-1", host(secret), SSL{Mode: SSLEnabled, Fingerprints: []string{short}}, true, nil},
		{"another fingerprint", host(secret), SSL{Mode: SSLEnabled, Fingerprints: []string{other}}, true, ErrTLS},
		{"a fingerprint forbids plain", host(plain), SSL{Fingerprints: []string{long}}, true, ErrTLS},
		{"a fingerprint is strict in autodetect", host(secret), SSL{Fingerprints: []string{other}}, true, ErrTLS},
		{"CA file", host(secret), SSL{Mode: SSLEnabled, CAFile: ca}, true, nil},
		{"CA file or fingerprint", host(secret), SSL{CAFile: ca, Fingerprints: []string{other}}, true, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			tr := transport(t, TransportOptions{Address: c.address, SSL: c.ssl})
			for range 2 {
				got, err := tr.Post(t.Context(), "/get_outs.bin", []byte("hi"))
				if c.fails != nil {
					require.ErrorIs(t, err, c.fails)
					continue
				}
				require.NoError(t, err)
				require.Equal(t, "POST /get_outs.bin application/octet-stream hi", string(got))
			}
			require.Equal(t, c.encrypted, tr.Encrypted())
		})
	}
}

func TestOptions(t *testing.T) {
	for _, bad := range []TransportOptions{
		{
			Address: "",
		}, {
			Address: "ftp://a:1",
		}, {Address: "a:0"}, {Address: "a:70000"}, {Address: "http://u:p@a:1"}, {Address: "a:1/x"},
		{Address: "a:1", Proxy: "gopher://b:1"}, {Address: "a:1", Proxy: "b"},
	} {
		_, err := NewTransport(bad)
		require.ErrorIs(t, err, ErrAddress, "%+v", bad)
	}
	long := filepath.Join(t.TempDir(), "long")
	require.NoError(t, os.WriteFile(long, make([]byte, maxPEM+1), 0o600))
	for _, bad := range []TransportOptions{
		{Address: "a", SSL: SSL{CAFile: "/dev/zero"}}, // endless
		{Address: "a", SSL: SSL{CAFile: long}},
		{Address: "a", SSL: SSL{CAFile: t.TempDir()}},
		{Address: "a", SSL: SSL{PrivateKeyFile: "/dev/zero", CertificateFile: "/dev/zero"}},
		{Address: "https://a", SSL: SSL{Mode: SSLDisabled}},
		{Address: "http://a", SSL: SSL{Mode: SSLEnabled}},
		{Address: "a", SSL: SSL{Fingerprints: []string{"abcd"}}},
		{Address: "a", SSL: SSL{CAFile: filepath.Join(t.TempDir(), "none")}},
		{Address: "a", SSL: SSL{PrivateKeyFile: "x"}},
		{Address: "a", SSL: SSL{PrivateKeyFile: "x", CertificateFile: "y"}},
	} {
		_, err := NewTransport(bad)
		require.ErrorIs(t, err, ErrSSL, "%+v", bad)
	}
	require.Equal(t, "[::1]:18081", transport(t, TransportOptions{Address: "http://[::1]/"}).Address())
	_, err := ParseSSLMode("perhaps")
	require.ErrorIs(t, err, ErrSSL)
}

// TestClientCertificate checks connections to a daemon that requires a client certificate.
func TestClientCertificate(t *testing.T) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	require.NoError(t, err)
	template := &x509.Certificate{SerialNumber: big.NewInt(1), NotAfter: time.Now().Add(time.Hour)}
	der, err := x509.CreateCertificate(rand.Reader, template, template, key.Public(), key)
	require.NoError(t, err)
	private, err := x509.MarshalPKCS8PrivateKey(key)
	require.NoError(t, err)
	dir := t.TempDir()
	certFile, keyFile := filepath.Join(dir, "cert.pem"), filepath.Join(dir, "key.pem")
	require.NoError(t, os.WriteFile(certFile, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}), 0o600))
	require.NoError(
		t, os.WriteFile(keyFile, pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: private}), 0o600),
	)

	s := quiet(echoServer)
	s.TLS = &tls.Config{ClientAuth: tls.RequireAnyClientCert, VerifyConnection: func(c tls.ConnectionState) error {
		if hex.EncodeToString(c.PeerCertificates[0].Raw) != hex.EncodeToString(der) {
			return errCertificate
		}
		return nil
	}}
	s.StartTLS()
	defer s.Close()
	ssl := SSL{Mode: SSLEnabled, AllowAnyCert: true, CertificateFile: certFile, PrivateKeyFile: keyFile}
	_, err = transport(t, TransportOptions{Address: host(s), SSL: ssl}).Post(t.Context(), "/", nil)
	require.NoError(t, err)
	ssl.CertificateFile, ssl.PrivateKeyFile = "", ""
	_, err = transport(t, TransportOptions{Address: host(s), SSL: ssl}).Post(t.Context(), "/", nil)
	require.Error(t, err)
}

func TestFailures(t *testing.T) {
	block := make(chan struct{})
	mux := http.NewServeMux()
	mux.HandleFunc("/big", func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write(make([]byte, 2000)) })
	mux.HandleFunc("/endless", func(w http.ResponseWriter, r *http.Request) {
		for r.Context().Err() == nil {
			if _, err := w.Write(make([]byte, 1000)); err != nil {
				return
			}
			w.(http.Flusher).Flush()
		}
	})
	mux.HandleFunc("/slow", func(_ http.ResponseWriter, r *http.Request) {
		select {
		case <-block:
		case <-r.Context().Done():
		}
	})
	mux.HandleFunc("/500", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(500) })
	mux.HandleFunc("/401", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(401) })
	mux.HandleFunc(
		"/elsewhere", func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, "/big", http.StatusFound) },
	)
	mux.HandleFunc("/hangup", func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) })
	s := httptest.NewServer(mux)
	defer s.Close()
	defer close(block)
	tr := transport(t, TransportOptions{Address: s.URL, MaxAnswer: 1999})
	for path, want := range map[string]error{
		"/big": ErrTooLarge, "/endless": ErrTooLarge, "/500": ErrHTTP, "/401": ErrUnlogged, "/elsewhere": ErrHTTP,
		"/none": ErrNoPath, "/hangup": ErrBroken,
	} {
		_, err := tr.Post(t.Context(), path, nil)
		require.ErrorIs(t, err, want, path)
		require.ErrorContains(t, err, tr.Address())
	}
	exact := transport(t, TransportOptions{Address: s.URL, MaxAnswer: 2000})
	_, err := exact.Post(t.Context(), "/big", nil)
	require.NoError(t, err)

	quick := transport(t, TransportOptions{Address: s.URL, Timeout: 50 * time.Millisecond})
	_, err = quick.Post(t.Context(), "/slow", nil)
	require.ErrorIs(t, err, ErrTimeout)

	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err = tr.Post(ctx, "/slow", nil)
	require.ErrorIs(t, err, context.Canceled)

	const nobody = "127.0.0.1:1" // only privileged programs could listen on this port
	for _, mode := range []SSLMode{SSLAutodetect, SSLDisabled, SSLEnabled} {
		_, err = transport(t, TransportOptions{Address: nobody, SSL: SSL{Mode: mode}}).Post(t.Context(), "/", nil)
		require.ErrorIs(t, err, ErrUnreachable)
	}
}

type connKey struct{}

// guarded serves h with digest authentication, with separate nonces for each connection, as the reference does.
func guarded(l digest.Login, h http.HandlerFunc) *httptest.Server {
	s := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		ok, challenges, err := r.Context().Value(connKey{}).(*digest.Server).Check(
			r.Method, r.RequestURI, r.Host, r.Header.Get("Authorization"),
		)
		if err != nil || !ok {
			for _, c := range challenges {
				w.Header().Add("WWW-authenticate", c)
			}
			w.WriteHeader(http.StatusUnauthorized)
			_, _ = io.WriteString(w, digest.Unauthorized)
			return
		}
		h(w, r)
	}))
	s.Config.ConnContext = func(ctx context.Context, _ net.Conn) context.Context {
		return context.WithValue(ctx, connKey{}, digest.NewServer(l, rand.Reader))
	}
	s.Start()
	return s
}

func TestTransportLogin(t *testing.T) {
	l := digest.NewLogin("monero", "secret")
	s := guarded(l, echoServer)
	defer s.Close()
	tr := transport(t, TransportOptions{Address: s.URL, Login: l})
	var wg sync.WaitGroup
	failures := make(chan error, 64)
	for range 8 {
		wg.Go(func() {
			for range 8 {
				_, err := tr.Post(t.Context(), "/json_rpc", []byte("{}"))
				failures <- err
			}
		})
	}
	wg.Wait()
	for range 64 {
		require.NoError(t, <-failures)
	}
	s.CloseClientConnections() // which invalidates the nonces
	_, err := tr.Post(t.Context(), "/get_info", []byte("{}"))
	require.NoError(t, err)

	for _, wrong := range []digest.Login{{}, digest.NewLogin("monero", "guess")} {
		_, err := transport(t, TransportOptions{Address: s.URL, Login: wrong}).Post(t.Context(), "/json_rpc", nil)
		require.ErrorIs(t, err, ErrUnlogged)
		require.NotContains(t, err.Error(), "guess")
	}
}

// TestProxy checks that a SOCKS5 proxy receives the host name unresolved, and that no connection bypasses it.
func TestProxy(t *testing.T) {
	s := httptest.NewServer(http.HandlerFunc(echoServer))
	defer s.Close()
	proxy, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	defer proxy.Close()
	asked := make(chan string, 1)
	go func() {
		c, err := proxy.Accept()
		if err != nil {
			return
		}
		defer c.Close()
		read := func(n int) []byte {
			b := make([]byte, n)
			_, _ = io.ReadFull(c, b)
			return b
		}
		read(int(read(2)[1]))
		_, _ = c.Write([]byte{5, 0})
		head := read(5) // version, connect, 0, kind, length of the name
		asked <- fmt.Sprint(head[3]) + string(read(int(head[4])))
		read(2)
		_, _ = c.Write([]byte{5, 0, 0, 1, 0, 0, 0, 0, 0, 0})
		up, err := net.Dial("tcp", host(s))
		if err != nil {
			return
		}
		defer up.Close()
		go func() { _, _ = io.Copy(up, c) }()
		_, _ = io.Copy(c, up)
	}()
	tr := transport(t, TransportOptions{Address: "http://node.onion:18081", Proxy: proxy.Addr().String()})
	_, err = tr.Post(t.Context(), "/get_info", nil)
	require.NoError(t, err)
	require.Equal(t, "3node.onion", <-asked)
	require.NoError(t, proxy.Close())
	tr.Close()
	other := transport(t, TransportOptions{Address: s.URL, Proxy: proxy.Addr().String()})
	_, err = other.Post(t.Context(), "/get_info", nil)
	require.ErrorIs(t, err, ErrUnreachable, "nothing goes around a dead proxy")
}

// TestReadOnlyRequestsAreRetried closes the connection of the first two requests of each method. Requests that change
// nothing must be repeated until there is a response; transactions and blocks must be submitted once.
func TestReadOnlyRequestsAreRetried(t *testing.T) {
	var mu sync.Mutex
	asked := map[string]int{}
	s := quiet(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		var named struct{ Method string }
		name := r.URL.Path
		if json.Unmarshal(body, &named) == nil && named.Method != "" {
			name = named.Method
		}
		mu.Lock()
		asked[name]++
		times := asked[name]
		mu.Unlock()
		if times <= 2 {
			panic(http.ErrAbortHandler)
		}
		_, _ = w.Write([]byte(`{"id":"0","jsonrpc":"2.0","result":{"status":"OK","height":5}}`))
	})
	s.Start()
	defer s.Close()
	tr := transport(t, TransportOptions{Address: s.URL})
	info, err := rpc.Call(t.Context(), tr, daemonrpc.GetInfo, daemonrpc.PayerOnly{})
	require.NoError(t, err)
	require.EqualValues(t, 5, info.Height)
	_, err = rpc.Call(t.Context(), tr, daemonrpc.GetInfoPath, daemonrpc.PayerOnly{})
	require.NoError(t, err)
	_, err = rpc.Call(t.Context(), tr, daemonrpc.SendRawTransaction, daemonrpc.SendRawTransactionRequest{})
	require.ErrorIs(t, err, ErrBroken)
	_, err = rpc.Call(t.Context(), tr, daemonrpc.SubmitBlock, nil)
	require.ErrorIs(t, err, ErrBroken)
	mu.Lock() // an aborted handler may still be running
	defer mu.Unlock()
	require.Equal(
		t, map[string]int{"get_info": 3, "/get_info": 3, "/send_raw_transaction": 1, "submit_block": 1}, asked,
	)
}
