package consensus

// Rules are the numbers that differ between the versions of blocks.
type Rules struct {
	Version        uint8
	FullRewardZone uint64 // bytes of block weight without penalty
	SurgeFactor    uint64 // maximum ratio of the short-term to the long-term median
	MaxTxWeight    uint64 // bytes

	// A long-term weight is between the long-term median divided and multiplied by growth[0]/growth[1].
	growth          [2]uint64
	referenceWeight uint64 // bytes; the weight of a transaction that the fees of the next hard fork follow from
}

var (
	today = &Rules{
		Version: Version, FullRewardZone: FullRewardZone, SurgeFactor: SurgeFactor, MaxTxWeight: MaxTxWeight,
		growth: [2]uint64{17, 10},
	}
	// Source of the numbers: src/cryptonote_config.h of the beta that package fcmptx names, HF_VERSION_2026_SCALING,
	// CRYPTONOTE_BLOCK_GRANTED_FULL_REWARD_ZONE_V17, CRYPTONOTE_SHORT_TERM_BLOCK_SURGE_FACTOR_V17,
	// FCMP_PLUS_PLUS_MAX_TX_WEIGHT and DYNAMIC_FEE_REFERENCE_TRANSACTION_WEIGHT_V17;
	// src/cryptonote_core/blockchain.cpp, get_next_long_term_block_weight.
	treeRules = &Rules{
		Version: TreeVersion, FullRewardZone: 625_000, SurgeFactor: 8, MaxTxWeight: 178_063,
		growth: [2]uint64{6, 5}, referenceWeight: 12_500,
	}
	proofRules = func() *Rules {
		r := *treeRules
		r.Version = ProofVersion
		return &r
	}()
)

// RulesOf returns the rules of a version of blocks: those of version 16 for all up to 16.
func RulesOf(version uint8) *Rules {
	switch {
	case version >= ProofVersion:
		return proofRules
	case version >= TreeVersion:
		return treeRules
	}
	return today
}

// HasTree reports whether blocks have a tree and coinbases of Carrot.
func (r *Rules) HasTree() bool { return r.Version >= TreeVersion }
