package native

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"io"
	"math/big"
	"net"
	"sync"
	"sync/atomic"
	"time"
)

// madeDays is the validity of a generated certificate, in days. Source: contrib/epee/src/net_ssl.cpp,
// create_rsa_ssl_certificate.
const madeDays = 182

// ListenSSL returns a listener that applies s to the connections of l: SSLDisabled leaves them unencrypted, SSLEnabled
// requires TLS, and SSLAutodetect accepts both. With fingerprints or a CA file, it accepts only clients with a pinned
// certificate or one issued by the CA, unless AllowAnyCert is set. Without a certificate of its own, the server
// generates one for the life of the process. It returns ErrSSL for invalid settings.
//
// Source: src/rpc/rpc_args.cpp, do_process_ssl; contrib/epee/src/net_ssl.cpp, is_ssl and ssl_options_t::configure.
func ListenSSL(l net.Listener, s SSL) (net.Listener, error) {
	config, err := s.server()
	if err != nil {
		return nil, err
	}
	mode := s.Mode
	if config.ClientAuth != tls.NoClientCert {
		mode = SSLEnabled
	}
	switch mode {
	case SSLDisabled:
		return l, nil
	case SSLEnabled:
		return tls.NewListener(l, config), nil
	}
	return &detecting{l, config}, nil
}

// server returns the TLS settings of a server.
func (s SSL) server() (*tls.Config, error) {
	c, err := s.config(false)
	if err != nil {
		return nil, err
	}
	if c.VerifyConnection != nil {
		c.ClientAuth = tls.RequireAnyClientCert
	}
	if len(c.Certificates) == 0 {
		own := sync.OnceValues(makeCertificate)
		c.GetCertificate = func(*tls.ClientHelloInfo) (*tls.Certificate, error) { return own() }
	}
	return c, nil
}

// makeCertificate returns a new self-signed certificate.
func makeCertificate() (*tls.Certificate, error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, err
	}
	number, err := rand.Int(rand.Reader, new(big.Int).Lsh(big.NewInt(1), 127))
	if err != nil {
		return nil, err
	}
	now := time.Now()
	template := &x509.Certificate{
		SerialNumber: number, Subject: pkix.Name{CommonName: "localhost"},
		NotBefore: now.Add(-time.Hour), NotAfter: now.AddDate(0, 0, madeDays),
		KeyUsage: x509.KeyUsageDigitalSignature, ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth},
		DNSNames: []string{"localhost"}, IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1), net.IPv6loopback},
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, key.Public(), key)
	if err != nil {
		return nil, err
	}
	return &tls.Certificate{Certificate: [][]byte{der}, PrivateKey: key}, nil
}

// detecting is a listener that accepts both TLS and plain connections.
type detecting struct {
	net.Listener
	config *tls.Config
}

func (d *detecting) Accept() (net.Conn, error) {
	c, err := d.Listener.Accept()
	if err != nil {
		return nil, err
	}
	return &detected{Conn: c, config: d.config}, nil
}

// handshake is the first byte of a TLS connection, which no HTTP request begins with.
// Source: RFC 8446, section 5.1.
const handshake = 0x16

// detected is a connection that is TLS or plain depending on its first byte. That byte is read by the first Read or
// Write, under the server's deadlines.
type detected struct {
	net.Conn
	config *tls.Config
	once   sync.Once
	spoken atomic.Pointer[net.Conn]
}

// as returns the TLS or plain connection.
func (c *detected) as() net.Conn {
	c.once.Do(func() {
		first := make([]byte, 1)
		n, err := io.ReadFull(c.Conn, first)
		var spoken net.Conn = &replayed{Conn: c.Conn, first: first[:n], err: err}
		if n == 1 && first[0] == handshake {
			spoken = tls.Server(spoken, c.config)
		}
		c.spoken.Store(&spoken)
	})
	return *c.spoken.Load()
}

func (c *detected) Read(b []byte) (int, error)  { return c.as().Read(b) }
func (c *detected) Write(b []byte) (int, error) { return c.as().Write(b) }

// Close closes the TLS or plain connection, or the socket if nothing was read yet.
func (c *detected) Close() error {
	if spoken := c.spoken.Load(); spoken != nil {
		return (*spoken).Close()
	}
	return c.Conn.Close()
}

// replayed is a connection that first returns bytes that were read before.
type replayed struct {
	net.Conn
	first []byte
	err   error // of the earlier read
}

func (c *replayed) Read(b []byte) (int, error) {
	if len(c.first) > 0 && len(b) > 0 {
		n := copy(b, c.first)
		c.first = c.first[n:]
		return n, nil
	}
	if err := c.err; err != nil {
		c.err = nil
		return 0, err
	}
	return c.Conn.Read(b)
}
