package native

import (
	"bufio"
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/sha256"
	"crypto/tls"
	"crypto/x509"
	"encoding/hex"
	"encoding/pem"
	"io"
	"math/big"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// authority is a certificate with its key, in memory and in files.
type authority struct {
	cert      *x509.Certificate
	key       *ecdsa.PrivateKey
	certFile  string
	keyFile   string
	above     *authority
	withAbove string // file of the certificate and those of its issuers
}

// sign creates a certificate that a signs. If a is nil, the certificate is self-signed.
func (a *authority) sign(t *testing.T, number int64) *authority {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	require.NoError(t, err)
	template := &x509.Certificate{
		SerialNumber: big.NewInt(number), NotAfter: time.Now().Add(time.Hour), IsCA: true, BasicConstraintsValid: true,
		KeyUsage: x509.KeyUsageCertSign | x509.KeyUsageDigitalSignature,
	}
	parent, signer := template, key
	if a != nil {
		parent, signer = a.cert, a.key
	}
	der, err := x509.CreateCertificate(rand.Reader, template, parent, key.Public(), signer)
	require.NoError(t, err)
	cert, err := x509.ParseCertificate(der)
	require.NoError(t, err)
	private, err := x509.MarshalPKCS8PrivateKey(key)
	require.NoError(t, err)
	dir := t.TempDir()
	made := &authority{
		cert, key, filepath.Join(dir, "cert.pem"), filepath.Join(dir, "key.pem"), a, filepath.Join(dir, "chain.pem"),
	}
	text := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der})
	require.NoError(t, os.WriteFile(made.certFile, text, 0o600))
	require.NoError(
		t, os.WriteFile(made.keyFile, pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: private}), 0o600),
	)
	for up := a; up != nil; up = up.above {
		text = append(text, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: up.cert.Raw})...)
	}
	require.NoError(t, os.WriteFile(made.withAbove, text, 0o600))
	return made
}

// serveSSL serves until the test ends and returns the address.
func serveSSL(t *testing.T, s SSL) string {
	t.Helper()
	plain, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	l, err := ListenSSL(plain, s)
	require.NoError(t, err)
	server := NewServer(ServerConfig{Service: registry()})
	served := make(chan error, 1)
	go func() { served <- server.Serve(l) }()
	t.Cleanup(func() {
		require.NoError(t, server.Shutdown(context.Background())) // the test's own context has ended
		require.NoError(t, <-served)
	})
	return plain.Addr().String()
}

// asks sends one request with these settings and returns its error.
func asks(t *testing.T, address string, s SSL) error {
	t.Helper()
	c := transport(t, TransportOptions{Address: address, SSL: s})
	defer c.Close()
	_, err := c.Post(t.Context(), "/json_rpc", []byte(`{"id":0,"method":"none"}`))
	return err
}

// TestServerSpeaksTLS checks that one port accepts plain and encrypted connections, or only the configured kind.
func TestServerSpeaksTLS(t *testing.T) {
	own := (*authority)(nil).sign(t, 1)
	both, only, never := serveSSL(t, SSL{}), serveSSL(t, SSL{Mode: SSLEnabled}), serveSSL(t, SSL{Mode: SSLDisabled})
	with := serveSSL(t, SSL{CertificateFile: own.certFile, PrivateKeyFile: own.keyFile})
	plain, encrypted := SSL{Mode: SSLDisabled}, SSL{Mode: SSLEnabled, AllowAnyCert: true}
	for _, c := range []struct {
		address          string
		plain, encrypted bool
	}{{both, true, true}, {only, false, true}, {never, true, false}, {with, true, true}} {
		require.Equal(t, c.plain, asks(t, c.address, plain) == nil)
		require.Equal(t, c.encrypted, asks(t, c.address, encrypted) == nil)
	}
	require.NoError(t, asks(t, with, SSL{Mode: SSLEnabled, CAFile: own.certFile}), "its own certificate is shown")
	require.Error(t, asks(t, both, SSL{Mode: SSLEnabled, CAFile: own.certFile}))

	// The certificate stays the same for the lifetime of the server.
	var seen [2][]byte
	for i := range seen {
		c, err := tls.Dial("tcp", both, &tls.Config{InsecureSkipVerify: true})
		require.NoError(t, err)
		seen[i] = c.ConnectionState().PeerCertificates[0].Raw
		_, err = io.WriteString(c, "GET /nothing HTTP/1.1\r\nHost: localhost\r\n\r\n")
		require.NoError(t, err)
		answer, err := http.ReadResponse(bufio.NewReader(c), nil)
		require.NoError(t, err)
		require.Equal(t, http.StatusNotFound, answer.StatusCode)
		require.NoError(t, c.Close())
	}
	require.Equal(t, seen[0], seen[1])

	// Silent clients and incomplete handshakes do not affect other clients.
	for _, text := range []string{"", "\x16", "\x16\x03\x01\x02\x00\x01", "\x16GET / HTTP/1.1\r\n\r\n"} {
		c, err := net.Dial("tcp", both)
		require.NoError(t, err)
		_, err = io.WriteString(c, text)
		require.NoError(t, err)
		require.NoError(t, c.Close())
	}
	require.NoError(t, asks(t, both, plain))
}

// TestServerJudgesClients checks that the server accepts only clients with a pinned certificate or one issued by a
// configured CA.
func TestServerJudgesClients(t *testing.T) {
	root := (*authority)(nil).sign(t, 1)
	first := root.sign(t, 2)
	second := first.sign(t, 3)
	other := (*authority)(nil).sign(t, 4)
	shows := func(a *authority) SSL {
		return SSL{Mode: SSLEnabled, AllowAnyCert: true, CertificateFile: a.withAbove, PrivateKeyFile: a.keyFile}
	}
	sum := sha256.Sum256(second.cert.Raw)
	for name, c := range map[string]struct {
		s      SSL
		in     []*authority
		others []*authority
	}{
		"authority": {SSL{CAFile: root.certFile}, []*authority{root, first}, []*authority{second, other}},
		"authority, in turn": {
			SSL{CAFile: root.certFile, AllowChained: true},
			[]*authority{root, first, second},
			[]*authority{other},
		},
		"fingerprint": {
			SSL{Fingerprints: []string{hex.EncodeToString(sum[:])}},
			[]*authority{second},
			[]*authority{root, first, other},
		},
		"any, although named": {SSL{CAFile: root.certFile, AllowAnyCert: true}, []*authority{root, other}, nil},
	} {
		address := serveSSL(t, c.s)
		for _, a := range c.in {
			require.NoError(t, asks(t, address, shows(a)), "%s: %v", name, a.cert.SerialNumber)
		}
		for _, a := range c.others {
			require.Error(t, asks(t, address, shows(a)), "%s: %v", name, a.cert.SerialNumber)
		}
		if !c.s.AllowAnyCert {
			require.Error(t, asks(t, address, SSL{Mode: SSLDisabled}), name)
			require.Error(t, asks(t, address, SSL{Mode: SSLEnabled, AllowAnyCert: true}), name)
		}
	}
	// The same checks for the certificate of a daemon.
	address := serveSSL(t, SSL{CertificateFile: second.withAbove, PrivateKeyFile: second.keyFile})
	require.Error(t, asks(t, address, SSL{Mode: SSLEnabled, CAFile: root.certFile}))
	require.NoError(t, asks(t, address, SSL{Mode: SSLEnabled, CAFile: root.certFile, AllowChained: true}))
}

func TestInvalidServerSettings(t *testing.T) {
	for _, s := range []SSL{
		{
			CertificateFile: "none", PrivateKeyFile: "none",
		}, {CertificateFile: "alone"}, {CAFile: filepath.Join(t.TempDir(), "none")},
		{Fingerprints: []string{"aa"}},
	} {
		_, err := ListenSSL(nil, s)
		require.ErrorIs(t, err, ErrSSL)
	}
}
