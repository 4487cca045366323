package native

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
)

// Kinds of *Failure, for errors.Is.
var (
	ErrUnreachable = errors.New("the daemon cannot be reached")
	ErrTLS         = errors.New("no encrypted connection to the daemon")
	ErrUnlogged    = errors.New("the daemon demands another user name or password")
	ErrNoPath      = errors.New("the daemon does not offer this operation")
	ErrHTTP        = errors.New("the daemon refused the request")
	ErrTooLarge    = errors.New("the daemon's answer is too large")
	ErrTimeout     = errors.New("the daemon took too long")
	ErrBroken      = errors.New("the connection to the daemon broke")
)

// Failure describes why a request failed.
type Failure struct {
	Kind    error  // one of the kinds
	Address string // host:port of the daemon
	Status  int    // HTTP status; 0 without an answer
	Err     error  // error of the system; may be nil
}

// Error returns the kind, the address and the error of the system.
func (f *Failure) Error() string {
	s := fmt.Sprintf("%v (%s)", f.Kind, f.Address)
	if f.Status != 0 {
		s += fmt.Sprintf(": HTTP %d %s", f.Status, http.StatusText(f.Status))
	}
	if f.Err != nil {
		s += ": " + f.Err.Error()
	}
	return s
}

// Unwrap returns kind and cause.
func (f *Failure) Unwrap() []error {
	if f.Err == nil {
		return []error{f.Kind}
	}
	return []error{f.Kind, f.Err}
}

// classify converts an error of net/http to a Failure. connected tells whether a connection was established.
func classify(ctx context.Context, err error, address string, connected bool) error {
	if cause := ctx.Err(); cause != nil && !errors.Is(cause, context.DeadlineExceeded) {
		return cause
	}
	var u *url.Error
	if errors.As(err, &u) {
		err = u.Err // without the URL, which says nothing new
	}
	f := &Failure{Kind: ErrBroken, Address: address, Err: err}
	var timeout net.Error
	switch {
	case ctx.Err() != nil || errors.As(err, &timeout) && timeout.Timeout():
		f.Kind = ErrTimeout
	case isTLS(err):
		f.Kind = ErrTLS
	case !connected:
		f.Kind = ErrUnreachable
	}
	return f
}

func isTLS(err error) bool {
	var (
		record   tls.RecordHeaderError
		verify   *tls.CertificateVerificationError
		alert    tls.AlertError
		unknown  x509.UnknownAuthorityError
		hostname x509.HostnameError
		invalid  x509.CertificateInvalidError
	)
	return errors.As(err, &record) || errors.As(err, &verify) || errors.As(err, &alert) || errors.As(err, &unknown) ||
		errors.As(err, &hostname) || errors.As(err, &invalid) || errors.Is(err, errCertificate)
}
