package main

import (
	"errors"
	"fmt"
	"net"
	"net/netip"
	"slices"
	"strconv"
	"strings"

	"glim/bindings/native"
	"glim/core/rpc/digest"
)

// Serving configures how a service listens and whom it serves. Both services have it.
type Serving struct {
	BindIP              string
	BindPort            uint16
	BindIPv6            string
	UseIPv6             bool
	IgnoreIPv4          bool
	ConfirmExternalBind bool
	Login               digest.Login // zero for no login
	Restricted          bool
	Origins             []string
	SSL                 native.SSL // the certificate of the service, and those accepted from clients
	MaxConnections      int
	MaxPublic           int // connections from one public address
	MaxLocal            int // connections from one private address

	ssl       string
	seenLogin bool
	loginUser string      // of a login whose password is still to be entered
	served    func()      // called once the service runs; may be nil
	started   *startLines // never nil
}

// defaultServing returns the defaults. Source: src/rpc/rpc_args.cpp, src/cryptonote_config.h.
func defaultServing(port uint16) Serving {
	return Serving{
		BindIP: "127.0.0.1", BindPort: port, BindIPv6: "::1",
		MaxConnections: 100, MaxPublic: 3, MaxLocal: 25, ssl: "autodetect", started: &startLines{},
	}
}

// servingFlags returns the flags of monerod and monero-wallet-rpc about their servers, for the Serving in a
// configuration.
// Source: src/rpc/rpc_args.cpp.
func servingFlags[C any](of func(*C) *Serving, port string) []flag[C] {
	return slices.Concat(bindFlags(of, port), sslFlags(of), []flag[C]{
		{"rpc-max-connections", "N", "maximum number of connections (default 100)", groupServer,
			number(func(c *C) *int { return &of(c).MaxConnections }, 16)},
		{"rpc-max-connections-per-public-ip", "N", "maximum number of connections from one public address (default 3)",
			groupServer, number(func(c *C) *int { return &of(c).MaxPublic }, 16)},
		{"rpc-max-connections-per-private-ip", "N",
			"maximum number of connections from one private address (default 25)",
			groupServer, number(func(c *C) *int { return &of(c).MaxLocal }, 16)},
	})
}

func bindFlags[C any](of func(*C) *Serving, port string) []flag[C] {
	return []flag[C]{
		{"rpc-bind-port", "PORT", "listen on PORT (" + port + ")", groupServer,
			number(func(c *C) *uint16 { return &of(c).BindPort }, 16)},
		{"rpc-bind-ip", "IP", "listen on this IPv4 address (default 127.0.0.1)", groupServer,
			text(func(c *C) *string { return &of(c).BindIP })},
		{"rpc-bind-ipv6-address", "IP", "listen on this IPv6 address, with --rpc-use-ipv6 (default ::1)", groupServer,
			text(func(c *C) *string { return &of(c).BindIPv6 })},
		{"rpc-use-ipv6", "", "listen on IPv6 too", groupServer,
			boolean(func(c *C) *bool { return &of(c).UseIPv6 })},
		{"rpc-ignore-ipv4", "", "continue if listening on IPv4 fails", groupServer,
			boolean(func(c *C) *bool { return &of(c).IgnoreIPv4 })},
		{"confirm-external-bind", "", "allow listening on a non-loopback address", groupServer,
			boolean(func(c *C) *bool { return &of(c).ConfirmExternalBind })},
		{"rpc-login", "USER:PASSWORD",
			"login required of clients, also read from the environment variable RPC_LOGIN; " +
				"glim wallet-rpc prompts for a missing password",
			groupServer, func(c *C, v string) error { return of(c).login(v) }},
		{"rpc-access-control-origins", "LIST",
			"web origins that may use the service (CORS), comma-separated", groupServer,
			func(c *C, v string) error { of(c).Origins = list(v); return nil }},
	}
}

func sslFlags[C any](of func(*C) *Serving) []flag[C] {
	return []flag[C]{
		{"rpc-ssl", "MODE", "TLS: enabled, disabled, or autodetect for each client (default autodetect)", groupServer,
			text(func(c *C) *string { return &of(c).ssl })},
		{"rpc-ssl-certificate", "FILE", "TLS certificate, PEM; by default one is generated at each start", groupServer,
			text(func(c *C) *string { return &of(c).SSL.CertificateFile })},
		{"rpc-ssl-private-key", "FILE", "private key of the TLS certificate, PEM", groupServer,
			text(func(c *C) *string { return &of(c).SSL.PrivateKeyFile })},
		{"rpc-ssl-ca-certificates", "FILE",
			"accept only clients with one of these certificates or one issued by them, PEM", groupServer,
			text(func(c *C) *string { return &of(c).SSL.CAFile })},
		{"rpc-ssl-allowed-fingerprints", "LIST",
			"accept only clients whose certificate has one of these SHA-256 fingerprints, hex; " +
				"comma-separated or repeated",
			groupServer,
			func(c *C, v string) error {
				of(c).SSL.Fingerprints = append(of(c).SSL.Fingerprints, list(v)...)
				return nil
			}},
		{"rpc-ssl-allow-chained", "",
			"also accept clients whose certificate is issued through an intermediate certificate",
			groupServer, boolean(func(c *C) *bool { return &of(c).SSL.AllowChained })},
		{"rpc-ssl-allow-any-cert", "", "do not verify certificates of clients", groupServer,
			boolean(func(c *C) *bool { return &of(c).SSL.AllowAnyCert })},
	}
}

// placeholder is the password of the sample logins in scripts/deploy, the documents and --help.
const placeholder = "PASSWORD"

// login parses the login of clients. It rejects the placeholder, because the login of a wallet service can spend.
func (s *Serving) login(v string) (err error) {
	s.seenLogin = true
	if _, password, _ := strings.Cut(v, ":"); password == placeholder {
		return errPlaceholder
	}
	s.Login, s.loginUser, err = parseLogin(v)
	return err
}

// parseLogin parses USER:PASSWORD. For USER alone it returns a zero login, and the user whose password is to be
// entered.
// Source: src/common/password.cpp, login::parse.
func parseLogin(v string) (l digest.Login, promptUser string, err error) {
	user, password, both := strings.Cut(v, ":")
	switch {
	case user == "", both && password == "":
		return digest.Login{}, "", errLogin
	case !both:
		return digest.Login{}, user, nil
	}
	return digest.NewLogin(user, password), "", nil
}

// fullLogin parses USER:PASSWORD and rejects USER alone.
func fullLogin(v string) (digest.Login, error) {
	l, user, err := parseLogin(v)
	if err == nil && user != "" {
		err = errLogin
	}
	return l, err
}

var (
	errLogin       = errors.New("must be USER:PASSWORD")
	errPlaceholder = errors.New(
		"the password " + placeholder + " is the placeholder of the samples; choose another one",
	)
)

// environment reads the login from the environment unless a flag has set it.
func (s *Serving) environment(getenv func(string) string) error {
	env := getenv("RPC_LOGIN")
	if env == "" || s.seenLogin {
		return nil
	}
	if err := s.login(env); err != nil {
		return fmt.Errorf("RPC_LOGIN: %w", err)
	}
	return nil
}

// finish checks flags that depend on each other. more are further addresses to listen on.
func (s *Serving) finish(more ...string) (err error) {
	switch {
	case s.MaxConnections < max(s.MaxPublic, s.MaxLocal):
		return fmt.Errorf("--rpc-max-connections must not be below the limits for one address")
	case min(s.MaxPublic, s.MaxLocal) < 1:
		return fmt.Errorf("connection limits must be at least 1")
	case (s.SSL.CertificateFile == "") != (s.SSL.PrivateKeyFile == ""):
		return fmt.Errorf("--rpc-ssl-certificate and --rpc-ssl-private-key must be given together")
	case s.SSL.AllowAnyCert && (s.SSL.CAFile != "" || len(s.SSL.Fingerprints) > 0):
		return fmt.Errorf("--rpc-ssl-allow-any-cert cannot be combined with accepted client certificates")
	case s.ssl == "disabled" && (s.SSL.CAFile != "" || len(s.SSL.Fingerprints) > 0):
		return fmt.Errorf("--rpc-ssl=disabled cannot be combined with accepted client certificates")
	}
	if s.SSL.Mode, err = native.ParseSSLMode(s.ssl); err != nil {
		return fmt.Errorf("--rpc-ssl must be enabled, disabled or autodetect")
	}
	binds := append([]string{s.BindIP}, more...)
	if s.UseIPv6 {
		binds = append(binds, s.BindIPv6)
	}
	return loopback(s.ConfirmExternalBind, binds...)
}

// loopback returns an error for an invalid address, and for a non-loopback address unless external ones are allowed.
func loopback(allowExternal bool, ips ...string) error {
	for _, ip := range slices.Compact(ips) {
		a, err := netip.ParseAddr(strings.Trim(ip, "[]"))
		if err != nil {
			return fmt.Errorf("%q is not an IP address", ip)
		}
		if !a.IsLoopback() && !allowExternal {
			return fmt.Errorf("%s is not a loopback address; allow it with --confirm-external-bind", ip)
		}
	}
	return nil
}

// limits returns the limits of connections.
func (s Serving) limits() native.ServerLimits {
	return native.ServerLimits{
		Connections: s.MaxConnections, ConnectionsPublic: s.MaxPublic, ConnectionsLocal: s.MaxLocal,
	}
}

// listen opens the configured addresses.
func (s Serving) listen() ([]net.Listener, error) {
	return s.listenAt(s.BindIP, s.BindIPv6, s.BindPort)
}

// family returns the network for listening on an address. For 0.0.0.0, "tcp" would include all IPv6 addresses, which
// a firewall may not cover.
func family(ip string) string {
	a, err := netip.ParseAddr(strings.Trim(ip, "[]"))
	switch {
	case err != nil:
		return "tcp" // a host name
	case a.Is4():
		return "tcp4"
	}
	return "tcp6"
}

// listenAt listens on an IPv4 address and, if enabled, on an IPv6 address. After an error none stays open.
func (s Serving) listenAt(ip, ipv6 string, port uint16) (all []net.Listener, err error) {
	defer func() {
		if err != nil {
			err = errors.Join(err, closeAll(all))
			all = nil
		}
	}()
	add := func(network, ip string) error {
		l, err := net.Listen(network, net.JoinHostPort(strings.Trim(ip, "[]"), strconv.Itoa(int(port))))
		if err != nil {
			return err
		}
		secure, err := native.ListenSSL(l, s.SSL)
		if err != nil {
			return errors.Join(fmt.Errorf("--rpc-ssl: %w", err), l.Close())
		}
		all = append(all, secure)
		return nil
	}
	if err := add(family(ip), ip); err != nil && (!s.UseIPv6 || !s.IgnoreIPv4 || errors.Is(err, native.ErrSSL)) {
		return all, err
	}
	if s.UseIPv6 {
		return all, add("tcp6", ipv6)
	}
	return all, nil
}
