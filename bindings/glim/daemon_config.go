package main

import (
	"fmt"

	"glim/core/chain"
	"glim/core/node"
	"glim/core/xmr"
)

// DaemonConfig is everything `glim daemon` can be told.
type DaemonConfig struct {
	Network         xmr.Network
	FixedDifficulty uint64 // of every block; 0 lets it follow the blocks' times
	MaxPoolWeight   uint64 // bytes
	MaxConcurrency  int    // 0 for every core

	DataDir string // the folder above the chain's; empty keeps it in memory
	Keep    bool   // go on with the chain that is there

	Serving        // Restricted: everybody is a stranger
	RestrictedIP   string
	RestrictedIPv6 string
	RestrictedPort uint16 // for strangers; 0 for none

	MineTo        string // address; empty for nobody
	MiningThreads uint64
	InBackground  bool
	IgnoreBattery bool
	Background    node.Background

	BlockNotify string   // command, %s is the block
	ReorgNotify string   // command, %s where it began, %h the height, %n blocks that are new, %d blocks discarded
	PublishAt   []string // addresses as ZeroMQ has them
	NoZMQ       bool
	Upstream
	Peers Peers

	Logging
	Metrics
	PIDFile string
	Detach  bool // go on in a process of its own

	Warnings []string // about flags that were accepted and have no effect

	regtest, help, version, osVersion bool
	confirmZMQ                        bool
	configFile                        string
}

// parseDaemon reads the arguments after the command's name. getenv and readFile are the system's.
func parseDaemon(args []string, getenv func(string) string, readFile func(string) ([]byte, error)) (DaemonConfig, error) {
	read := func(n xmr.Network) (c DaemonConfig, err error) {
		c = DaemonConfig{
			Serving: defaultServing(uint16(n.DaemonPort())), RestrictedIP: "127.0.0.1", RestrictedIPv6: "::1", Logging: defaultLogging(),
			MaxPoolWeight: chain.MaxPoolWeight, MiningThreads: 1,
			Peers: defaultPeers(n.DaemonPort() - 1),
		}
		return c, readFlags(&c, args, daemonFlags, readFile)
	}
	c, err := read(xmr.Mainnet)
	if err == nil && c.network().DaemonPort() != xmr.Mainnet.DaemonPort() {
		c, err = read(c.network()) // the port to listen on follows the network
	}
	c.Network = c.network()
	if err != nil {
		return c, err
	}
	if c.help || c.version || c.osVersion {
		return c, nil
	}
	if err := c.environment(getenv); err != nil {
		return c, err
	}
	if c.loginUser != "" {
		return c, fmt.Errorf("--rpc-login: %w", errLogin)
	}
	return c, c.finish()
}

// finish checks what flags say together.
func (c *DaemonConfig) finish() error {
	if err := c.checkNetwork(); err != nil {
		return err
	}
	if c.Network != xmr.Regtest && (c.DataDir != "" || c.Keep) {
		c.Warnings = append(c.Warnings, "--data-dir, --keep-fakechain: no effect; what another daemon says is kept in memory")
	}
	switch {
	case c.MineTo != "" && c.Network != xmr.Regtest:
		return fmt.Errorf("--start-mining needs --regtest: blocks of a network's chain are not made here")
	case c.Peers.Proxy != "" && len(c.Addresses) > 0 && c.UpstreamProxy == "":
		return fmt.Errorf("--proxy is for peers, and would not hold: --bootstrap-daemon-proxy is the way to other daemons")
	case c.BindPort == 0:
		return fmt.Errorf("--rpc-bind-port: not 0")
	case c.RestrictedPort == c.BindPort && (c.RestrictedIP == c.BindIP || c.UseIPv6 && c.RestrictedIPv6 == c.BindIPv6):
		return fmt.Errorf("--rpc-bind-port and --rpc-restricted-bind-port are the same")
	}
	if err := c.finishPeers(); err != nil {
		return err
	}
	if err := c.finishPublishing(); err != nil {
		return err
	}
	if c.Detach && c.LogFile == "" {
		c.LogFile = "glim-daemon.log"
	}
	more := []string{c.RestrictedIP}
	if c.UseIPv6 {
		more = append(more, c.RestrictedIPv6)
	}
	for _, f := range []struct {
		name           string
		value          uint64
		lowest, within uint64
	}{{"idle-threshold", uint64(c.Background.Idle), 1, 99}, {"min-idle-interval", c.Background.IdleAfter, 10, 3600}, {"miner-target", uint64(c.Background.Target), 1, 100}} {
		if f.value != 0 && (f.value < f.lowest || f.value > f.within) {
			return fmt.Errorf("--bg-mining-%s: %d to %d", f.name, f.lowest, f.within)
		}
	}
	if err := c.Serving.finish(more...); err != nil {
		return err
	}
	if err := c.Metrics.finish(c.ConfirmExternalBind); err != nil {
		return err
	}
	return c.Logging.finish()
}
