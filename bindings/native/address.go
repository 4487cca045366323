package native

import (
	"errors"
	"fmt"
	"net"
	"net/url"
	"strconv"
	"strings"
)

// ErrAddress reports a daemon or proxy address that does not parse.
var ErrAddress = errors.New("native: malformed address")

// ParseAddress reads a daemon's host:port with an optional http:// or https:// in front; scheme is "" without one.
// Errors: ErrAddress.
func ParseAddress(s string, defaultPort int) (scheme, hostport string, err error) {
	rest := s
	if i := strings.Index(s, "://"); i >= 0 {
		scheme, rest = strings.ToLower(s[:i]), s[i+3:]
		if scheme != "http" && scheme != "https" {
			return "", "", fmt.Errorf("%w: %q is neither http nor https", ErrAddress, scheme)
		}
	}
	if strings.Contains(rest, "@") {
		return "", "", fmt.Errorf("%w: user name and password go beside the address, not into it", ErrAddress)
	}
	// Configurations often name the path of JSON-RPC, which the reference drops with any other path.
	u, err := url.Parse("//" + strings.TrimSuffix(strings.TrimSuffix(rest, "/"), "/json_rpc"))
	if err != nil || u.Hostname() == "" || u.Path != "" || u.RawQuery != "" || u.Fragment != "" {
		return "", "", fmt.Errorf("%w: want host:port", ErrAddress)
	}
	if strings.Contains(u.Hostname(), ":") && !strings.HasPrefix(u.Host, "[") {
		return "", "", fmt.Errorf("%w: want host:port, with an IPv6 address in brackets", ErrAddress)
	}
	port := u.Port()
	if port == "" {
		port = strconv.Itoa(defaultPort)
	}
	if n, err := strconv.ParseUint(port, 10, 16); err != nil || n == 0 {
		return "", "", fmt.Errorf("%w: no such port", ErrAddress)
	}
	hostport = net.JoinHostPort(u.Hostname(), port)
	if _, _, err := net.SplitHostPort(hostport); err != nil { // a bracket alone is a name to the URL's parser
		return "", "", fmt.Errorf("%w: want host:port", ErrAddress)
	}
	return scheme, hostport, nil
}

// parseProxy reads host:port, a SOCKS proxy, or a URL with socks5://, http:// or https:// in front; "" means no proxy.
func parseProxy(s string) (*url.URL, error) {
	if s == "" {
		return nil, nil
	}
	if !strings.Contains(s, "://") {
		s = "socks5://" + s
	}
	u, err := url.Parse(s)
	if err != nil || u.Hostname() == "" || u.Port() == "" || u.Path != "" && u.Path != "/" {
		return nil, fmt.Errorf("%w: the proxy should be host:port", ErrAddress) // without s: it may hold a password
	}
	switch u.Scheme {
	case "socks5", "socks5h", "http", "https":
		return u, nil
	}
	return nil, fmt.Errorf("%w: unknown kind of proxy %q", ErrAddress, u.Scheme)
}
