package webhook

import (
	"bytes"
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"strings"
	"time"
)

// ClientOptions configure a Client.
type ClientOptions struct {
	Proxy          string         // host:port of a SOCKS5 proxy for all hosts except this machine; empty for no proxy
	Roots          *x509.CertPool // root CAs that authenticate servers; nil for those of the system
	AnyCertificate bool           // accept every certificate, which protects only against eavesdropping
	Timeout        time.Duration  // of one attempt; the default is 30 seconds
}

// Client makes the requests of webhooks: without following redirects, and with limits of time and size.
type Client struct{ http *http.Client }

const standardTimeout = 30 * time.Second

// NewClient returns a Client.
func NewClient(o ClientOptions) *Client {
	if o.Timeout == 0 {
		o.Timeout = standardTimeout
	}
	return &Client{&http.Client{
		Timeout: o.Timeout,
		// Deliveries are meant for one URL, so redirects are not followed.
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		Transport: &http.Transport{
			Proxy:       o.proxy,
			DialContext: (&net.Dialer{Timeout: o.Timeout}).DialContext,
			TLSClientConfig: &tls.Config{
				MinVersion: tls.VersionTLS12, RootCAs: o.Roots,
				InsecureSkipVerify: o.AnyCertificate, //nolint:gosec // the operator's choice
			},
			TLSHandshakeTimeout:    o.Timeout,
			MaxResponseHeaderBytes: maxAnswer,
			MaxIdleConnsPerHost:    1,
			IdleConnTimeout:        time.Minute,
			DisableCompression:     true,
		},
	}}
}

// Post sends a body of JSON to a URL once. It returns nil only for a status from 200 to 299. Its errors do not contain
// the URL.
func (c *Client) Post(ctx context.Context, url string, body []byte) error {
	r, err := post(ctx, url, body)
	if err != nil {
		return err
	}
	return c.do(r)
}

// Get requests a URL once and returns at most 64 kB of the answer. It returns an error for a status other than 200 to
// 299. Its errors do not contain the URL.
func (c *Client) Get(ctx context.Context, url string) ([]byte, error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return nil, ErrURL
	}
	r.Header.Set("User-Agent", "glim")
	return c.answer(r)
}

func post(ctx context.Context, url string, body []byte) (*http.Request, error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, url, bytes.NewReader(body))
	if err != nil {
		return nil, ErrURL
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("User-Agent", "glim")
	return r, nil
}

// Close closes idle connections.
func (c *Client) Close() { c.http.CloseIdleConnections() }

// do sends a request once. Only the status of the answer matters.
func (c *Client) do(r *http.Request) error {
	_, err := c.answer(r)
	return err
}

// answer sends a request once and returns the beginning of the answer.
func (c *Client) answer(r *http.Request) ([]byte, error) {
	resp, err := c.http.Do(r)
	if err != nil {
		var failed *url.Error
		if errors.As(err, &failed) {
			err = failed.Err // without the URL
		}
		return nil, err
	}
	defer resp.Body.Close()
	body, _ := io.ReadAll(io.LimitReader(resp.Body, maxAnswer)) // an answer that is cut off is not read as a whole
	if resp.StatusCode < 200 || resp.StatusCode > 299 {
		return nil, fmt.Errorf("answered with status %d", resp.StatusCode)
	}
	return body, nil
}

func (o *ClientOptions) proxy(r *http.Request) (*url.URL, error) {
	if o.Proxy == "" || local(r.URL.Hostname()) {
		return nil, nil
	}
	return &url.URL{Scheme: "socks5h", Host: o.Proxy}, nil
}

// local reports whether a host is this machine.
func local(host string) bool {
	a, err := netip.ParseAddr(host)
	return err == nil && a.IsLoopback() || strings.EqualFold(host, "localhost")
}

// Host returns the host of a URL, which is the only part that belongs in logs, because the rest may be secret. It
// returns ErrURL unless the URL is one of http or https without a user and a fragment.
func Host(text string) (string, error) {
	u, err := url.Parse(text)
	if err != nil || u.Scheme != "https" && u.Scheme != "http" || u.Hostname() == "" || u.User != nil ||
		u.Fragment != "" {
		return "", ErrURL // without the URL, which may contain a password
	}
	return u.Host, nil
}

// WarnPlain logs a warning about a URL that Host accepts if calls of it cross a network without TLS.
func WarnPlain(log *slog.Logger, text string) {
	if u, err := url.Parse(text); err == nil && u.Scheme == "http" && !local(u.Hostname()) {
		log.Warn("a webhook without TLS: anyone on the network path can read its content", "host", u.Host)
	}
}
