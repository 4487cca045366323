package main

import (
	"fmt"
	"log/slog"
	"net/netip"
	"slices"
	"strings"

	"glim/bindings/native/digest"
)

// DaemonConfig is everything `glim daemon` can be told.
type DaemonConfig struct {
	FixedDifficulty uint64 // of every block; 0 lets it follow the blocks' times

	BindIP              string
	BindPort            uint16
	RestrictedIP        string
	RestrictedPort      uint16 // for strangers; 0 for none
	Restricted          bool   // everybody is a stranger
	ConfirmExternalBind bool
	Login               digest.Login // zero for none
	Origins             []string

	LogLevel slog.Level
	LogFile  string

	regtest, help, version bool
	logLevel               string
}

const groupChain = "Chain"

// pointless accepts a flag of monerod that asks for what a private chain has anyway.
func pointless(name, arg string) flag[DaemonConfig] {
	return flag[DaemonConfig]{name: name, arg: arg, apply: func(*DaemonConfig, string) error { return nil }}
}

// daemonFlags are those flags of monerod that a private chain needs. Source: src/daemon/main.cpp,
// src/cryptonote_core/cryptonote_core.cpp, src/rpc/core_rpc_server.cpp, src/rpc/rpc_args.cpp.
var daemonFlags = []flag[DaemonConfig]{
	{"help", "", "show this", groupGeneral, boolean(func(c *DaemonConfig) *bool { return &c.help })},
	{"version", "", "show the version", groupGeneral, boolean(func(c *DaemonConfig) *bool { return &c.version })},

	{"regtest", "", "keep a private chain, in memory (required: there is no other yet)", groupChain, boolean(func(c *DaemonConfig) *bool { return &c.regtest })},
	{"fixed-difficulty", "N", "difficulty of every block (0: as blocks come; 1 mines at once)", groupChain, number(func(c *DaemonConfig) *uint64 { return &c.FixedDifficulty }, 64)},

	{"rpc-bind-port", "PORT", "listen on PORT (18081)", groupServer, number(func(c *DaemonConfig) *uint16 { return &c.BindPort }, 16)},
	{"rpc-bind-ip", "IP", "listen on IP (127.0.0.1)", groupServer, text(func(c *DaemonConfig) *string { return &c.BindIP })},
	{"rpc-restricted-bind-port", "PORT", "listen on PORT for strangers", groupServer, number(func(c *DaemonConfig) *uint16 { return &c.RestrictedPort }, 16)},
	{"rpc-restricted-bind-ip", "IP", "listen on IP for strangers (127.0.0.1)", groupServer, text(func(c *DaemonConfig) *string { return &c.RestrictedIP })},
	{"restricted-rpc", "", "serve only what strangers may ask", groupServer, boolean(func(c *DaemonConfig) *bool { return &c.Restricted })},
	{"confirm-external-bind", "", "yes, listen on an address other machines can reach", groupServer, boolean(func(c *DaemonConfig) *bool { return &c.ConfirmExternalBind })},
	{"rpc-login", "USER:PASSWORD", "ask clients for this login; or in the environment as RPC_LOGIN", groupServer, func(c *DaemonConfig, v string) (err error) { c.Login, err = parseLogin(v); return err }},
	{"rpc-access-control-origins", "LIST", "web origins that may use the service, comma separated", groupServer, func(c *DaemonConfig, v string) error { c.Origins = list(v); return nil }},

	{"log-level", "0-4", "how much to log (0)", groupLog, text(func(c *DaemonConfig) *string { return &c.logLevel })},
	{"log-file", "FILE", "log to FILE, not to standard error", groupLog, text(func(c *DaemonConfig) *string { return &c.LogFile })},

	pointless("offline", ""),
	pointless("non-interactive", ""),
	pointless("no-igd", ""),
	pointless("no-zmq", ""),
	pointless("hide-my-port", ""),
	pointless("disable-dns-checkpoints", ""),
	pointless("check-updates", "MODE"),
	pointless("p2p-bind-ip", "IP"),
	pointless("p2p-bind-port", "PORT"),
}

// parseDaemon reads the arguments after the command's name. getenv is the system's.
func parseDaemon(args []string, getenv func(string) string) (DaemonConfig, error) {
	c := DaemonConfig{BindIP: "127.0.0.1", BindPort: 18081, RestrictedIP: "127.0.0.1", logLevel: "0"}
	values, err := splitFlags(args, daemonFlags)
	if err != nil {
		return c, err
	}
	for _, v := range values {
		if err := findFlag(daemonFlags, v.name).apply(&c, v.text); err != nil {
			return c, fmt.Errorf("--%s: %w", v.name, err)
		}
	}
	if c.help || c.version {
		return c, nil
	}
	if env := getenv("RPC_LOGIN"); env != "" && c.Login.IsZero() {
		if c.Login, err = parseLogin(env); err != nil {
			return c, fmt.Errorf("RPC_LOGIN: %w", err)
		}
	}
	return c, c.finish()
}

// finish checks what flags say together.
func (c *DaemonConfig) finish() (err error) {
	switch {
	case !c.regtest:
		return fmt.Errorf("--regtest is required: glim keeps private chains only, so far: %w", errUsage)
	case c.BindPort == 0:
		return fmt.Errorf("--rpc-bind-port: not 0")
	case c.RestrictedPort == c.BindPort && c.RestrictedIP == c.BindIP:
		return fmt.Errorf("--rpc-bind-port and --rpc-restricted-bind-port are the same")
	}
	if err := loopback(c.ConfirmExternalBind, c.BindIP, c.RestrictedIP); err != nil {
		return err
	}
	c.LogLevel, err = logLevel(c.logLevel)
	return err
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
