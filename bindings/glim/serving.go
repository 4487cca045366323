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
	"glim/bindings/native/digest"
)

// Serving is where a command listens and to whom: what the flags say that both services have.
type Serving struct {
	BindIP              string
	BindPort            uint16
	BindIPv6            string
	UseIPv6             bool
	IgnoreIPv4          bool
	ConfirmExternalBind bool
	Login               digest.Login // zero for none
	Restricted          bool
	Origins             []string
	SSL                 native.SSL // the service's certificate, and those of clients
	MaxConnections      int
	MaxPublic           int // from one public address
	MaxLocal            int // from one private address

	ssl       string
	seenLogin bool
	loginUser string // of a login whose password is still to be asked for
	served    func() // called once it serves, unless nil
}

// defaultServing is what holds where no flag says otherwise. Source: src/rpc/rpc_args.cpp, src/cryptonote_config.h.
func defaultServing(port uint16) Serving {
	return Serving{BindIP: "127.0.0.1", BindPort: port, BindIPv6: "::1", MaxConnections: 100, MaxPublic: 3, MaxLocal: 25, ssl: "autodetect"}
}

// servingFlags are the flags of monerod and monero-wallet-rpc about where they listen; of a configuration's Serving.
// Source: src/rpc/rpc_args.cpp.
func servingFlags[C any](of func(*C) *Serving, port string) []flag[C] {
	return []flag[C]{
		{"rpc-bind-port", "PORT", "listen on PORT (" + port + ")", groupServer, number(func(c *C) *uint16 { return &of(c).BindPort }, 16)},
		{"rpc-bind-ip", "IP", "listen on IP (127.0.0.1)", groupServer, text(func(c *C) *string { return &of(c).BindIP })},
		{"rpc-bind-ipv6-address", "IP", "listen on IP too, with --rpc-use-ipv6 (::1)", groupServer, text(func(c *C) *string { return &of(c).BindIPv6 })},
		{"rpc-use-ipv6", "", "listen on IPv6 too", groupServer, boolean(func(c *C) *bool { return &of(c).UseIPv6 })},
		{"rpc-ignore-ipv4", "", "go on when IPv4 cannot be listened on", groupServer, boolean(func(c *C) *bool { return &of(c).IgnoreIPv4 })},
		{"confirm-external-bind", "", "yes, listen on an address other machines can reach", groupServer, boolean(func(c *C) *bool { return &of(c).ConfirmExternalBind })},
		{"rpc-login", "USER:PASSWORD", "ask clients for this login; or in the environment as RPC_LOGIN; a wallet service asks for a password that is left out", groupServer, func(c *C, v string) error { return of(c).login(v) }},
		{"rpc-access-control-origins", "LIST", "web origins that may use the service, comma separated", groupServer, func(c *C, v string) error { of(c).Origins = list(v); return nil }},
		{"rpc-ssl", "MODE", "enabled, disabled, autodetect: what the client speaks (autodetect)", groupServer, text(func(c *C) *string { return &of(c).ssl })},
		{"rpc-ssl-certificate", "FILE", "certificate for TLS, PEM; without one it is made at each start", groupServer, text(func(c *C) *string { return &of(c).SSL.CertificateFile })},
		{"rpc-ssl-private-key", "FILE", "its private key, PEM", groupServer, text(func(c *C) *string { return &of(c).SSL.PrivateKeyFile })},
		{"rpc-ssl-ca-certificates", "FILE", "let in only clients with one of these certificates, or one they signed, PEM", groupServer, text(func(c *C) *string { return &of(c).SSL.CAFile })},
		{"rpc-ssl-allowed-fingerprints", "LIST", "let in only clients whose certificate has one of these SHA-256, hex, comma separated or given several times", groupServer,
			func(c *C, v string) error {
				of(c).SSL.Fingerprints = append(of(c).SSL.Fingerprints, list(v)...)
				return nil
			}},
		{"rpc-ssl-allow-chained", "", "let in clients, too, whose certificate was signed by one of those in turn", groupServer, boolean(func(c *C) *bool { return &of(c).SSL.AllowChained })},
		{"rpc-ssl-allow-any-cert", "", "judge no client's certificate", groupServer, boolean(func(c *C) *bool { return &of(c).SSL.AllowAnyCert })},
		{"rpc-max-connections", "N", "serve N connections at once (100)", groupServer, number(func(c *C) *int { return &of(c).MaxConnections }, 16)},
		{"rpc-max-connections-per-public-ip", "N", "of them, from one public address (3)", groupServer, number(func(c *C) *int { return &of(c).MaxPublic }, 16)},
		{"rpc-max-connections-per-private-ip", "N", "of them, from one private address (25)", groupServer, number(func(c *C) *int { return &of(c).MaxLocal }, 16)},
	}
}

// placeholder is the password in the sample logins of scripts/deploy, the documents and --help.
const placeholder = "PASSWORD"

// login reads a login for clients. It refuses the samples' password, for anyone with the login of a wallet service can spend.
func (s *Serving) login(v string) (err error) {
	s.seenLogin = true
	if _, password, _ := strings.Cut(v, ":"); password == placeholder {
		return errPlaceholder
	}
	s.Login, s.loginUser, err = parseLogin(v)
	return err
}

// parseLogin reads USER:PASSWORD. For USER alone it returns the name, and the password is to be asked for; the login is then zero.
// Source: src/common/password.cpp, login::parse.
func parseLogin(v string) (l digest.Login, askFor string, err error) {
	user, password, both := strings.Cut(v, ":")
	switch {
	case user == "", both && password == "":
		return digest.Login{}, "", errLogin
	case !both:
		return digest.Login{}, user, nil
	}
	return digest.NewLogin(user, password), "", nil
}

// fullLogin reads USER:PASSWORD where nobody can be asked.
func fullLogin(v string) (digest.Login, error) {
	l, user, err := parseLogin(v)
	if err == nil && user != "" {
		err = errLogin
	}
	return l, err
}

var (
	errLogin       = errors.New("must be USER:PASSWORD")
	errPlaceholder = errors.New("the password " + placeholder + " is the placeholder of the samples; choose one of your own")
)

// environment takes the login from there when no flag has it.
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

// finish checks what flags say together. more are addresses listened on besides.
func (s *Serving) finish(more ...string) (err error) {
	switch {
	case s.MaxConnections < max(s.MaxPublic, s.MaxLocal):
		return fmt.Errorf("--rpc-max-connections is below the limits for one address")
	case min(s.MaxPublic, s.MaxLocal) < 1:
		return fmt.Errorf("limits of connections must be 1 or more")
	case (s.SSL.CertificateFile == "") != (s.SSL.PrivateKeyFile == ""):
		return fmt.Errorf("--rpc-ssl-certificate and --rpc-ssl-private-key need each other")
	case s.SSL.AllowAnyCert && (s.SSL.CAFile != "" || len(s.SSL.Fingerprints) > 0):
		return fmt.Errorf("--rpc-ssl-allow-any-cert and a choice of clients' certificates exclude each other")
	case s.ssl == "disabled" && (s.SSL.CAFile != "" || len(s.SSL.Fingerprints) > 0):
		return fmt.Errorf("--rpc-ssl=disabled and a choice of clients' certificates exclude each other")
	}
	if s.SSL.Mode, err = native.ParseSSLMode(s.ssl); err != nil {
		return fmt.Errorf("--rpc-ssl: enabled, disabled or autodetect")
	}
	binds := append([]string{s.BindIP}, more...)
	if s.UseIPv6 {
		binds = append(binds, s.BindIPv6)
	}
	return loopback(s.ConfirmExternalBind, binds...)
}

// loopback refuses addresses that are none, and those that other machines can reach, unless that is meant.
func loopback(meant bool, ips ...string) error {
	for _, ip := range slices.Compact(ips) {
		a, err := netip.ParseAddr(strings.Trim(ip, "[]"))
		if err != nil {
			return fmt.Errorf("%q is not an IP address", ip)
		}
		if !a.IsLoopback() && !meant {
			return fmt.Errorf("%s can be reached by other machines; --confirm-external-bind says that is meant", ip)
		}
	}
	return nil
}

// limits bounds what clients take.
func (s Serving) limits() native.ServerLimits {
	return native.ServerLimits{Connections: s.MaxConnections, ConnectionsPublic: s.MaxPublic, ConnectionsLocal: s.MaxLocal}
}

// listen opens the addresses the flags name.
func (s Serving) listen() ([]net.Listener, error) {
	return s.listenAt(s.BindIP, s.BindIPv6, s.BindPort)
}

// family returns the network that is listened at for an address, and no other: for 0.0.0.0 "tcp" would mean all of IPv6, too, where a firewall may not
// expect it.
func family(ip string) string {
	a, err := netip.ParseAddr(strings.Trim(ip, "[]"))
	switch {
	case err != nil:
		return "tcp" // a name
	case a.Is4():
		return "tcp4"
	}
	return "tcp6"
}

// listenAt opens a port of an IPv4 address and, when told to, of an IPv6 one. None stays open after an error.
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
