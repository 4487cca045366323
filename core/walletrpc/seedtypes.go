package walletrpc

// Types of seeds, for seed_type. The same words can be seeds of several types, of a different wallet each.
const (
	SeedMonero   = "monero"   // 25 words, or 24 without the checksum
	SeedPolyseed = "polyseed" // 16 words
	SeedMyMonero = "mymonero" // 13 words of MyMonero
	// 12, 15, 18, 21 or 24 words of BIP 39 in English, from which a Trezor derives its Monero keys by SLIP 10
	SeedTrezor = "trezor"
	SeedLedger = "ledger" // the same words, from which a Ledger or a Keystone derives its Monero keys by BIP 32
)

// SeedKinds are the types of seeds that RestoreDeterministicWallet accepts.
var SeedKinds = []string{SeedMonero, SeedPolyseed, SeedMyMonero, SeedTrezor, SeedLedger}
