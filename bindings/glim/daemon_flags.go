package main

import "slices"

const (
	groupChain  = "Chain"
	groupMining = "Mining"
	groupNotify = "Notifications"
	groupStore  = "Storage"
)

type dflag = flag[DaemonConfig]

// implied accepts a flag of monerod that asks for what this daemon does anyway.
func implied(name, arg, why string) dflag {
	return taken[DaemonConfig](name, arg, why)
}

// ineffective accepts a flag of monerod for a feature that this daemon lacks, and logs a warning.
func ineffective(name, arg, why string) dflag {
	return without(name, arg, why, func(c *DaemonConfig) *[]string { return &c.Warnings })
}

// daemonFlags are the flags of monerod. Source: src/daemon/{main,command_line_args},
// src/cryptonote_core/cryptonote_core.cpp, src/cryptonote_basic/miner.cpp, src/rpc/{core_rpc_server,rpc_args}.cpp,
// src/p2p/net_node.cpp, src/blockchain_db/blockchain_db.cpp.
var daemonFlags = slices.Concat(
	generalFlags, chainFlags, storeFlags, upstreamFlags,
	servingFlags(func(c *DaemonConfig) *Serving { return &c.Serving }, "default 18081; stagenet 38081, testnet 28081"),
	restrictedFlags, messageFlags, miningFlags, notifyFlags, publishFlags,
	loggingFlags(func(c *DaemonConfig) *Logging { return &c.Logging }),
	metricsFlags(func(c *DaemonConfig) *Metrics { return &c.Metrics }),
	peerFlags, otherFlags,
)

var generalFlags = []dflag{
	{"help", "", "show this help", groupGeneral, boolean(func(c *DaemonConfig) *bool { return &c.help })},
	{"version", "", "show the version", groupGeneral, boolean(func(c *DaemonConfig) *bool { return &c.version })},
	{"os-version", "", "show the operating system and architecture of this build", groupGeneral,
		boolean(func(c *DaemonConfig) *bool { return &c.osVersion })},
	{configFlag, "FILE", "read flags from FILE, one name=value a line; the command line takes precedence", groupGeneral,
		text(func(c *DaemonConfig) *string { return &c.configFile })},
	{"pidfile", "FILE", "write the process ID to FILE", groupGeneral,
		text(func(c *DaemonConfig) *string { return &c.PIDFile })},
	{"detach", "",
		"run in the background once started; logs to glim-daemon.log unless --log-file is given", groupGeneral,
		boolean(func(c *DaemonConfig) *bool { return &c.Detach })},
	{"max-concurrency", "N", "use at most N cores (default 0: all)", groupGeneral,
		number(func(c *DaemonConfig) *int { return &c.MaxConcurrency }, 16)},
}

var chainFlags = []dflag{
	{"regtest", "", "run a private chain", groupChain, boolean(func(c *DaemonConfig) *bool { return &c.regtest })},
	{"fixed-difficulty", "N", "difficulty of every block (default 0: computed from block times; 1: mining is instant)",
		groupChain, number(func(c *DaemonConfig) *uint64 { return &c.FixedDifficulty }, 64)},
	{"fork-height", "N", "block from which on a private chain follows the next hard fork (default 0: none)", groupChain,
		number(func(c *DaemonConfig) *uint64 { return &c.ForkHeight }, 63)},
	{"fork-grace", "N", "blocks after --fork-height in which transactions with rings are still accepted (default 720)",
		groupChain, number(func(c *DaemonConfig) *uint64 { return &c.ForkGrace }, 62)},
	{"max-txpool-weight", "BYTES", "maximum weight of the transaction pool (default 648000000)", groupChain,
		number(func(c *DaemonConfig) *uint64 { return &c.MaxPoolWeight }, 64)},
}

var restrictedFlags = []dflag{
	{"restricted-rpc", "", "serve only restricted RPC, which is safe for public access", groupServer,
		boolean(func(c *DaemonConfig) *bool { return &c.Restricted })},
	{"rpc-restricted-bind-port", "PORT", "also serve restricted RPC on PORT", groupServer,
		number(func(c *DaemonConfig) *uint16 { return &c.RestrictedPort }, 16)},
	{"rpc-restricted-bind-ip", "IP", "IP address for restricted RPC (default 127.0.0.1)", groupServer,
		text(func(c *DaemonConfig) *string { return &c.RestrictedIP })},
	{"rpc-restricted-bind-ipv6-address", "IP", "IPv6 address for restricted RPC, with --rpc-use-ipv6 (default ::1)",
		groupServer, text(func(c *DaemonConfig) *string { return &c.RestrictedIPv6 })},
}

// miningFlags configure the daemon's own miner. Source of the limits: src/cryptonote_basic/miner.h,
// BACKGROUND_MINING_….
var miningFlags = []dflag{
	{"start-mining", "ADDRESS", "start mining to ADDRESS", groupMining,
		text(func(c *DaemonConfig) *string { return &c.MineTo })},
	{"mining-threads", "N", "number of mining threads (default 1)", groupMining,
		number(func(c *DaemonConfig) *uint64 { return &c.MiningThreads }, 32)},
	{"bg-mining-enable", "", "mine only while the machine is idle", groupMining,
		boolean(func(c *DaemonConfig) *bool { return &c.InBackground })},
	{"bg-mining-ignore-battery", "", "mine in the background on battery power too", groupMining,
		boolean(func(c *DaemonConfig) *bool { return &c.IgnoreBattery })},
	{"bg-mining-min-idle-interval", "SECONDS",
		"start background mining after SECONDS of idle time (default 10)", groupMining,
		number(func(c *DaemonConfig) *uint64 { return &c.Background.IdleAfter }, 16)},
	{"bg-mining-idle-threshold", "PERCENT",
		"idle CPU share above which the machine counts as idle (default 90)", groupMining,
		number(func(c *DaemonConfig) *uint8 { return &c.Background.Idle }, 8)},
	{"bg-mining-miner-target", "PERCENT", "CPU share that background mining uses (default 40)", groupMining,
		number(func(c *DaemonConfig) *uint8 { return &c.Background.Target }, 8)},
}

var notifyFlags = []dflag{
	{"block-notify", "COMMAND", "run COMMAND for each new block; %s is its ID", groupNotify,
		text(func(c *DaemonConfig) *string { return &c.BlockNotify })},
	{"reorg-notify", "COMMAND",
		"run COMMAND when the chain is reorganised; %s is the split height, %h the new height, " +
			"%n the number of new blocks, %d the number of discarded blocks",
		groupNotify, text(func(c *DaemonConfig) *string { return &c.ReorgNotify })},
}

// storeFlags configure where and how the chain is stored.
var storeFlags = []dflag{
	{"data-dir", "DIR", "store chain and pool in DIR/fake (default: memory)", groupStore,
		text(func(c *DaemonConfig) *string { return &c.DataDir })},
	{"keep-fakechain", "",
		"continue with the stored chain instead of replacing it; without --data-dir it is in ~/.glim",
		groupStore, boolean(func(c *DaemonConfig) *bool { return &c.Keep })},
	ineffective("prune-blockchain", "", "blocks are kept whole"),
	ineffective("keep-alt-blocks", "", "alternative blocks are kept in memory until the process ends"),
	{"db-sync-mode", "MODE",
		"a mode of monerod; in every mode, data is on disk before a request is answered", groupStore,
		func(_ *DaemonConfig, v string) error { return checkSyncMode(v) }},
	implied("db-salvage", "", "a damaged database is always rejected"),
}

const (
	debuggingOnly   = "it is for debugging monerod"
	noExtraMessages = "blocks mined here carry no messages; the extra_nonce of get_block_template can carry one"
	noPayments      = "RPC is served without payment; releases of monerod after 0.18 have removed RPC payments"
)

var otherFlags = []dflag{
	implied("non-interactive", "", "the daemon never prompts"),
	implied("disable-dns-checkpoints", "", "DNS is not used"),
	implied("enforce-dns-checkpointing", "", "a private chain has no checkpoints"),
	implied("check-updates", "MODE", "there is no update check"),
	implied("fast-block-sync", "N", "every block is verified in full"),
	implied("prep-blocks-threads", "N", "all cores are used"),
	implied("disable-rpc-ban", "", "RPC clients are never banned"),
	implied("rpc-response-soft-limit", "BYTES", "each connection has at most one response at a time"),
	implied("rpc-payment-allow-free-loopback", "", noPayments),
	ineffective("block-rate-notify", "COMMAND", "the block rate of a private chain has no meaning"),
	ineffective("show-time-stats", "N", "--log-level 2 logs how long requests take"),
	ineffective("rpc-payment-address", "ADDRESS", noPayments),
	ineffective("rpc-payment-difficulty", "N", noPayments),
	ineffective("rpc-payment-credits", "N", noPayments),
	ineffective("extra-messages-file", "FILE", noExtraMessages),
	ineffective("test-drop-download", "", debuggingOnly),
	ineffective("test-drop-download-height", "HEIGHT", debuggingOnly),
	ineffective("test-dbg-lock-sleep", "MS", debuggingOnly),
}
