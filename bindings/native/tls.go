package native

import (
	"crypto/sha1" //nolint:gosec // the reference also accepts SHA-1 fingerprints
	"crypto/sha256"
	"crypto/subtle"
	"crypto/tls"
	"crypto/x509"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
)

// SSLMode selects whether a connection is encrypted.
type SSLMode uint8

// The modes.
const (
	SSLAutodetect SSLMode = iota // use TLS if the daemon supports it
	SSLDisabled
	SSLEnabled
)

// ErrSSL reports contradictory or unusable encryption settings.
var ErrSSL = errors.New("native: unusable ssl settings")

// ParseSSLMode reads "autodetect", "enabled" or "disabled"; "" is autodetect.
func ParseSSLMode(s string) (SSLMode, error) {
	switch s {
	case "", "autodetect":
		return SSLAutodetect, nil
	case "disabled":
		return SSLDisabled, nil
	case "enabled":
		return SSLEnabled, nil
	}
	return 0, fmt.Errorf("%w: mode must be autodetect, enabled or disabled", ErrSSL)
}

// SSL configures how the certificate of a daemon is verified or, with ListenSSL, those of clients.
//
// With fingerprints or a CA file, the daemon must present one of those certificates, or one issued by the CA, whatever
// its name. Autodetection then does not fall back to plain HTTP, because an attacker could force that. Without them,
// SSLEnabled trusts the system's CAs, and autodetection accepts any certificate, which protects only against
// eavesdropping.
//
// Source: contrib/epee/src/net_ssl.cpp, ssl_options_t::configure.
type SSL struct {
	Mode            SSLMode
	AllowAnyCert    bool     // accept every certificate
	CAFile          string   // PEM
	AllowChained    bool     // accept intermediate certificates
	Fingerprints    []string // hexadecimal SHA-256, or SHA-1, of the certificate; colons are ignored
	PrivateKeyFile  string   // PEM, of the certificate to present
	CertificateFile string   // PEM, to present
}

func (s SSL) pinned() bool { return s.CAFile != "" || len(s.Fingerprints) > 0 }

// config returns the TLS settings. If strict is false, an unknown certificate is accepted, which is better than no
// encryption.
func (s SSL) config(strict bool) (*tls.Config, error) {
	c := &tls.Config{MinVersion: tls.VersionTLS12}
	if (s.PrivateKeyFile == "") != (s.CertificateFile == "") {
		return nil, fmt.Errorf("%w: a private key and a certificate go together", ErrSSL)
	}
	if s.PrivateKeyFile != "" {
		pair, err := s.pair()
		if err != nil {
			return nil, fmt.Errorf(
				"%w: certificate %s with key %s: %w", ErrSSL, s.CertificateFile, s.PrivateKeyFile, err,
			)
		}
		c.Certificates = []tls.Certificate{pair}
	}
	judge, err := s.judge()
	if err != nil {
		return nil, err
	}
	switch {
	case s.AllowAnyCert || !s.pinned() && !strict:
		c.InsecureSkipVerify = true
	case s.pinned():
		c.InsecureSkipVerify = true // replaced by VerifyConnection, which ignores names
		c.VerifyConnection = judge
	}
	return c, nil
}

func (s SSL) pair() (tls.Certificate, error) {
	certificate, err := readPEM(s.CertificateFile)
	if err != nil {
		return tls.Certificate{}, err
	}
	key, err := readPEM(s.PrivateKeyFile)
	if err != nil {
		return tls.Certificate{}, err
	}
	return tls.X509KeyPair(certificate, key)
}

// maxPEM is the largest certificate file in bytes. The CA bundles of systems have about 200,000.
const maxPEM = 4 << 20

// readPEM reads a file whose path may come from a client. It refuses pipes, devices and large files.
func readPEM(path string) ([]byte, error) {
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return nil, err
	case !info.Mode().IsRegular():
		return nil, fmt.Errorf("%s is no file of certificates", path)
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	b, err := io.ReadAll(io.LimitReader(f, maxPEM+1))
	if err == nil && len(b) > maxPEM {
		err = fmt.Errorf("%s is longer than %d bytes", path, maxPEM)
	}
	return b, err
}

// judge returns a function that verifies that the peer has a pinned certificate.
func (s SSL) judge() (func(tls.ConnectionState) error, error) {
	var pins [][]byte
	for _, f := range s.Fingerprints {
		pin, err := hex.DecodeString(strings.ReplaceAll(f, ":", ""))
		if err != nil || len(pin) != sha256.Size && len(pin) != sha1.Size {
			return nil, fmt.Errorf("%w: a fingerprint is 64 (SHA-256) or 40 (SHA-1) hexadecimal digits", ErrSSL)
		}
		pins = append(pins, pin)
	}
	var roots *x509.CertPool
	if s.CAFile != "" {
		pem, err := readPEM(s.CAFile)
		if err != nil {
			return nil, fmt.Errorf("%w: %w", ErrSSL, err)
		}
		roots = x509.NewCertPool()
		if !roots.AppendCertsFromPEM(pem) {
			return nil, fmt.Errorf("%w: %s holds no certificate", ErrSSL, s.CAFile)
		}
	}
	return func(state tls.ConnectionState) error { return s.judgeState(state, pins, roots) }, nil
}

var errCertificate = errors.New("the certificate of the peer is not allowed")

func (s SSL) judgeState(state tls.ConnectionState, pins [][]byte, roots *x509.CertPool) error {
	if len(state.PeerCertificates) == 0 {
		return errCertificate
	}
	leaf := state.PeerCertificates[0]
	long, short := sha256.Sum256(leaf.Raw), sha1.Sum(leaf.Raw) //nolint:gosec // see the import
	for _, pin := range pins {
		if subtle.ConstantTimeCompare(pin, long[:])|subtle.ConstantTimeCompare(pin, short[:]) == 1 {
			return nil
		}
	}
	if roots == nil {
		return errCertificate
	}
	between := x509.NewCertPool()
	if s.AllowChained {
		for _, c := range state.PeerCertificates[1:] {
			between.AddCert(c)
		}
	}
	if _, err := leaf.Verify(x509.VerifyOptions{Roots: roots, Intermediates: between,
		KeyUsages: []x509.ExtKeyUsage{x509.ExtKeyUsageAny}}); err != nil {
		return fmt.Errorf("%w: %w", errCertificate, err)
	}
	return nil
}
