package xmr

// Protocol constants of hard fork 16. Source: src/cryptonote_config.h.
const (
	RingSize           = 16        // members of a ring, the real one included
	SpendableAge       = 10        // blocks before any output may be spent
	CoinbaseUnlock     = 60        // blocks before a coinbase output may be spent
	MaxHeightUnlock    = 500000000 // unlock times below count blocks, others are POSIX seconds
	TargetSeconds      = 120       // between blocks
	MaxOutputs         = 16        // of a Bulletproofs+ transaction
	MaxExtra           = 1060      // bytes of extra that daemons relay
	LockedDeltaBlocks  = 1         // CRYPTONOTE_LOCKED_TX_ALLOWED_DELTA_BLOCKS
	LockedDeltaSeconds = 120       // CRYPTONOTE_LOCKED_TX_ALLOWED_DELTA_SECONDS_V2
)
