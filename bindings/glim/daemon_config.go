package main

import (
	"fmt"
	"strconv"

	"glim/core/chain"
	"glim/core/consensus"
	"glim/core/node"
	"glim/core/xmr"
)

// DaemonConfig is the configuration of `glim daemon`.
type DaemonConfig struct {
	Network         xmr.Network
	FixedDifficulty uint64 // of every block; 0 computes it from block times
	ForkHeight      uint64 // first block of the next hard fork; 0 for none
	ForkGrace       uint64 // blocks from there on in which transactions may have rings
	SeedEpochBlocks uint64 // when the RandomX seed changes, for tests: see chain.Options
	SeedEpochLag    uint64
	MaxPoolWeight   uint64 // bytes
	MaxConcurrency  int    // 0 uses all cores

	DataDir string // parent of the chain's folder; empty keeps the chain in memory
	Keep    bool   // continue with the stored chain

	Serving        // with Restricted, all clients are restricted
	RestrictedIP   string
	RestrictedIPv6 string
	RestrictedPort uint16 // for restricted clients; 0 for none

	MineTo        string // address; empty disables mining
	MiningThreads uint64
	InBackground  bool
	IgnoreBattery bool
	Background    node.Background

	BlockNotify string // command; %s is the block ID
	// ReorgNotify is a command; %s is the split height, %h the height, %n and %d the numbers of new and discarded
	// blocks.
	ReorgNotify string
	PublishAt   []string // ZeroMQ addresses
	NoZMQ       bool
	Messages    Messages
	Upstream
	Peers Peers

	Logging
	Metrics
	PIDFile string
	Detach  bool // continue as a background process

	Warnings []string // about flags that were accepted without effect

	regtest, help, version, osVersion bool
	confirmZMQ                        bool
	configFile                        string
}

// parseDaemon parses the arguments after the command's name. getenv and readFile are those of the operating system.
func parseDaemon(
	args []string, getenv func(string) string, readFile func(string) ([]byte, error),
) (DaemonConfig, error) {
	read := func(n xmr.Network) (c DaemonConfig, err error) {
		c = DaemonConfig{
			Serving:        defaultServing(uint16(n.DaemonPort())),
			RestrictedIP:   "127.0.0.1",
			RestrictedIPv6: "::1",
			Logging:        defaultLogging(),
			MaxPoolWeight:  chain.MaxPoolWeight,
			MiningThreads:  1,
			ForkGrace:      consensus.GraceBlocks,
			Peers:          defaultPeers(n.DaemonPort() - 1),
		}
		return c, readFlags(&c, args, daemonFlags, readFile)
	}
	c, err := read(xmr.Mainnet)
	if err == nil && c.network().DaemonPort() != xmr.Mainnet.DaemonPort() {
		c, err = read(c.network()) // the default ports depend on the network
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
	// Like monerod, take no notice of values that are no numbers.
	c.SeedEpochBlocks, _ = strconv.ParseUint(getenv("SEEDHASH_EPOCH_BLOCKS"), 10, 64)
	c.SeedEpochLag, _ = strconv.ParseUint(getenv("SEEDHASH_EPOCH_LAG"), 10, 64)
	return c, c.finish()
}

// finish checks flags that depend on each other.
func (c *DaemonConfig) finish() error {
	if err := c.checkNetwork(); err != nil {
		return err
	}
	if c.Network != xmr.Regtest && (c.DataDir != "" || c.Keep) {
		c.Warnings = append(c.Warnings,
			"--data-dir, --keep-fakechain: no effect; data of another daemon is cached in memory only")
	}
	samePort := c.RestrictedPort == c.BindPort
	sameIP := c.RestrictedIP == c.BindIP || c.UseIPv6 && c.RestrictedIPv6 == c.BindIPv6
	switch {
	case c.MineTo != "" && c.Network != xmr.Regtest:
		return fmt.Errorf("--start-mining requires --regtest")
	case c.Peers.Proxy != "" && len(c.Addresses) > 0 && c.UpstreamProxy == "":
		return fmt.Errorf("--proxy applies to peers only; use --bootstrap-daemon-proxy to reach other daemons by proxy")
	case c.BindPort == 0:
		return fmt.Errorf("--rpc-bind-port must not be 0")
	case samePort && sameIP:
		return fmt.Errorf("--rpc-bind-port and --rpc-restricted-bind-port must differ")
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
	if err := c.checkBackgroundMining(); err != nil {
		return err
	}
	more := []string{c.RestrictedIP}
	if c.UseIPv6 {
		more = append(more, c.RestrictedIPv6)
	}
	if err := c.Serving.finish(more...); err != nil {
		return err
	}
	if err := c.Metrics.finish(c.ConfirmExternalBind); err != nil {
		return err
	}
	return c.Logging.finish()
}

func (c *DaemonConfig) checkBackgroundMining() error {
	b := c.Background
	for _, f := range []struct {
		name            string
		value           uint64
		lowest, highest uint64
	}{
		{"idle-threshold", uint64(b.Idle), 1, 99},
		{"min-idle-interval", b.IdleAfter, 10, 3600},
		{"miner-target", uint64(b.Target), 1, 100},
	} {
		if f.value != 0 && (f.value < f.lowest || f.value > f.highest) {
			return fmt.Errorf("--bg-mining-%s must be from %d to %d", f.name, f.lowest, f.highest)
		}
	}
	return nil
}
