package main

import "slices"

const (
	groupChain  = "Chain"
	groupMining = "Mining"
	groupNotify = "Notifications"
	groupStore  = "Storage"
)

type dflag = flag[DaemonConfig]

// pointless accepts a flag of monerod that asks for what a private chain has anyway, or tunes what it does not do.
func pointless(name, arg, why string) dflag {
	return taken[DaemonConfig](name, arg, why)
}

// idle accepts a flag of monerod about something that is not there, and says so in the log.
func idle(name, arg, why string) dflag {
	return without(name, arg, why, func(c *DaemonConfig) *[]string { return &c.Warnings })
}

// daemonFlags are the flags of monerod. Source: src/daemon/{main,command_line_args}, src/cryptonote_core/cryptonote_core.cpp,
// src/cryptonote_basic/miner.cpp, src/rpc/{core_rpc_server,rpc_args}.cpp, src/p2p/net_node.cpp, src/blockchain_db/blockchain_db.cpp.
var daemonFlags = slices.Concat(
	generalFlags, chainFlags, storeFlags, upstreamFlags,
	servingFlags(func(c *DaemonConfig) *Serving { return &c.Serving }, "18081; stagenet 38081, testnet 28081"), strangersFlags, miningFlags, notifyFlags, publishFlags,
	loggingFlags(func(c *DaemonConfig) *Logging { return &c.Logging }),
	metricsFlags(func(c *DaemonConfig) *Metrics { return &c.Metrics }),
	peerFlags, otherFlags,
)

var generalFlags = []dflag{
	{"help", "", "show this", groupGeneral, boolean(func(c *DaemonConfig) *bool { return &c.help })},
	{"version", "", "show the version", groupGeneral, boolean(func(c *DaemonConfig) *bool { return &c.version })},
	{"os-version", "", "show the system it was built for", groupGeneral, boolean(func(c *DaemonConfig) *bool { return &c.osVersion })},
	{configFlag, "FILE", "read flags from FILE, a line name=value each; the command line wins", groupGeneral, text(func(c *DaemonConfig) *string { return &c.configFile })},
	{"pidfile", "FILE", "write the process's number to FILE", groupGeneral, text(func(c *DaemonConfig) *string { return &c.PIDFile })},
	{"detach", "", "go on in the background once it serves, and log to glim-daemon.log unless --log-file says otherwise", groupGeneral, boolean(func(c *DaemonConfig) *bool { return &c.Detach })},
	{"max-concurrency", "N", "use N cores at most (0: all)", groupGeneral, number(func(c *DaemonConfig) *int { return &c.MaxConcurrency }, 16)},
}

var chainFlags = []dflag{
	{"regtest", "", "keep a private chain", groupChain, boolean(func(c *DaemonConfig) *bool { return &c.regtest })},
	{"fixed-difficulty", "N", "difficulty of every block (0: as blocks come; 1 mines at once)", groupChain, number(func(c *DaemonConfig) *uint64 { return &c.FixedDifficulty }, 64)},
	{"max-txpool-weight", "BYTES", "hold so much in the pool (648000000)", groupChain, number(func(c *DaemonConfig) *uint64 { return &c.MaxPoolWeight }, 64)},
}

var strangersFlags = []dflag{
	{"restricted-rpc", "", "serve only what strangers may ask", groupServer, boolean(func(c *DaemonConfig) *bool { return &c.Restricted })},
	{"rpc-restricted-bind-port", "PORT", "listen on PORT for strangers", groupServer, number(func(c *DaemonConfig) *uint16 { return &c.RestrictedPort }, 16)},
	{"rpc-restricted-bind-ip", "IP", "on this IP (127.0.0.1)", groupServer, text(func(c *DaemonConfig) *string { return &c.RestrictedIP })},
	{"rpc-restricted-bind-ipv6-address", "IP", "and on this, with --rpc-use-ipv6 (::1)", groupServer, text(func(c *DaemonConfig) *string { return &c.RestrictedIPv6 })},
}

// miningFlags are about the daemon's own miner. What they bound is miner.h's, BACKGROUND_MINING_….
var miningFlags = []dflag{
	{"start-mining", "ADDRESS", "mine to ADDRESS from the start", groupMining, text(func(c *DaemonConfig) *string { return &c.MineTo })},
	{"mining-threads", "N", "with N threads (1)", groupMining, number(func(c *DaemonConfig) *uint64 { return &c.MiningThreads }, 32)},
	{"bg-mining-enable", "", "only while the machine is idle", groupMining, boolean(func(c *DaemonConfig) *bool { return &c.InBackground })},
	{"bg-mining-ignore-battery", "", "on its battery, too", groupMining, boolean(func(c *DaemonConfig) *bool { return &c.IgnoreBattery })},
	{"bg-mining-min-idle-interval", "SECONDS", "begin after it was idle so long (10)", groupMining, number(func(c *DaemonConfig) *uint64 { return &c.Background.IdleAfter }, 16)},
	{"bg-mining-idle-threshold", "PERCENT", "of it that has nothing else to do (90)", groupMining, number(func(c *DaemonConfig) *uint8 { return &c.Background.Idle }, 8)},
	{"bg-mining-miner-target", "PERCENT", "of it that mining takes (40)", groupMining, number(func(c *DaemonConfig) *uint8 { return &c.Background.Target }, 8)},
}

var notifyFlags = []dflag{
	{"block-notify", "COMMAND", "run COMMAND for each new block, %s is its ID", groupNotify, text(func(c *DaemonConfig) *string { return &c.BlockNotify })},
	{"reorg-notify", "COMMAND", "run COMMAND when the chain is reorganised, %s is the height where, %h the height now, %n how many blocks are new, %d how many went", groupNotify,
		text(func(c *DaemonConfig) *string { return &c.ReorgNotify })},
}

// storeFlags are about where the chain is kept.
var storeFlags = []dflag{
	{"data-dir", "DIR", "keep chain and pool in DIR/fake (in memory)", groupStore, text(func(c *DaemonConfig) *string { return &c.DataDir })},
	{"keep-fakechain", "", "go on with the chain that is there, without --data-dir in ~/.glim; a new one takes its place else", groupStore, boolean(func(c *DaemonConfig) *bool { return &c.Keep })},
	idle("prune-blockchain", "", "blocks are kept whole"),
	idle("keep-alt-blocks", "", "blocks off the main chain are kept in memory, and end with the process"),
	{"db-sync-mode", "MODE", "as monerod takes it; what is answered is on disk in every mode", groupStore, func(_ *DaemonConfig, v string) error { return checkSyncMode(v) }},
	pointless("db-salvage", "", "a chain's file that is damaged is refused"),
}

var otherFlags = []dflag{
	pointless("non-interactive", "", "nothing is ever asked"),
	pointless("disable-dns-checkpoints", "", "DNS is not asked"),
	pointless("enforce-dns-checkpointing", "", "a private chain has no checkpoints"),
	pointless("check-updates", "MODE", "nobody is asked for updates"),
	pointless("fast-block-sync", "N", "every block is judged in full"),
	pointless("prep-blocks-threads", "N", "every core is used"),
	pointless("disable-rpc-ban", "", "no address is banned for what it asks"),
	pointless("rpc-response-soft-limit", "BYTES", "a connection has one answer at a time"),
	pointless("rpc-payment-allow-free-loopback", "", "calls cost nothing"),
	idle("block-rate-notify", "COMMAND", "the rate of a private chain says nothing"),
	idle("show-time-stats", "N", "--log-level 2 shows how long requests take"),
	refused[DaemonConfig]("rpc-payment-address", "ADDRESS", "calls cost nothing; releases after 0.18 have no payments either"),
	idle("rpc-payment-difficulty", "N", "calls cost nothing"),
	idle("rpc-payment-credits", "N", "calls cost nothing"),
	refused[DaemonConfig]("zmq-rpc-bind-ip", "IP", "operations are served over HTTP alone; --zmq-pub is for what is published"),
	refused[DaemonConfig]("zmq-rpc-bind-port", "PORT", "operations are served over HTTP alone; --zmq-pub is for what is published"),
	pointless("restricted-zmq-rpc", "", "no operation is served over ZMQ"),
	refused[DaemonConfig]("extra-messages-file", "FILE", "blocks mined here carry no messages; get_block_template puts one in, as extra_nonce"),
	refused[DaemonConfig]("test-drop-download", "", "it is for debugging monerod"),
	refused[DaemonConfig]("test-drop-download-height", "HEIGHT", "it is for debugging monerod"),
	refused[DaemonConfig]("test-dbg-lock-sleep", "MS", "it is for debugging monerod"),
}
