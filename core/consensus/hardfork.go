package consensus

import (
	"glim/core/block"
	"glim/core/xmr"
)

// Fork is a hard fork of a chain.
type Fork struct {
	Version uint8
	Height  uint64 // index of the first block
	Time    uint64 // when its height was set, in POSIX seconds; 0 on regtest
}

// Schedule lists the hard forks of a chain, ordered by version and by height. It determines the version of each block,
// and so the rules that the block has to obey.
type Schedule []Fork

// Forks returns the hard forks of a network. The caller may modify the list. On regtest the genesis block has version 1
// and all others have version 16; RegtestForks returns other schedules.
// Source: src/hardforks/hardforks.cpp; src/cryptonote_core/cryptonote_core.cpp, regtest_hard_forks.
func Forks(n xmr.Network) Schedule {
	switch n {
	case xmr.Mainnet:
		return Schedule{
			{1, 1, 1341378000}, {2, 1009827, 1442763710}, {3, 1141317, 1458558528}, {4, 1220516, 1483574400},
			{5, 1288616, 1489520158}, {6, 1400000, 1503046577}, {7, 1546000, 1521303150}, {8, 1685555, 1535889547},
			{9, 1686275, 1535889548}, {10, 1788000, 1549792439}, {11, 1788720, 1550225678}, {12, 1978433, 1571419280},
			{13, 2210000, 1598180817}, {14, 2210720, 1598180818}, {15, 2688888, 1656629117}, {16, 2689608, 1656629118},
		}
	case xmr.Testnet:
		return Schedule{
			{1, 1, 1341378000}, {2, 624634, 1445355000}, {3, 800500, 1472415034}, {4, 801219, 1472415035},
			{5, 802660, 1472415036 + 86400*180}, {6, 971400, 1501709789}, {7, 1057027, 1512211236},
			{8, 1057058, 1533211200}, {9, 1057778, 1533297600}, {10, 1154318, 1550153694}, {11, 1155038, 1550225678},
			{12, 1308737, 1569582000}, {13, 1543939, 1599069376}, {14, 1544659, 1599069377}, {15, 1982800, 1652727000},
			{16, 1983520, 1652813400},
		}
	case xmr.Stagenet:
		return Schedule{
			{1, 1, 1341378000}, {2, 32000, 1521000000}, {3, 33000, 1521120000}, {4, 34000, 1521240000},
			{5, 35000, 1521360000}, {6, 36000, 1521480000}, {7, 37000, 1521600000}, {8, 176456, 1537821770},
			{9, 177176, 1537821771}, {10, 269000, 1550153694}, {11, 269720, 1550225678}, {12, 454721, 1571419280},
			{13, 675405, 1598180817}, {14, 676125, 1598180818}, {15, 1151000, 1656629117}, {16, 1151720, 1656629118},
		}
	}
	return Schedule{{1, 0, 0}, {Version, 1, 1}}
}

// Versions of the next hard fork: from TreeVersion on blocks have a tree and coinbases of Carrot, and from ProofVersion
// on transactions need membership proofs; between them rings are allowed as well.
// Source: src/cryptonote_config.h, HF_VERSION_FCMP_PLUS_PLUS, of the beta that package fcmptx names; the number 18 is
// in its src/hardforks/hardforks.cpp.
const (
	TreeVersion  = block.TreeVersion
	ProofVersion = TreeVersion + 1
)

// GraceBlocks is the number of blocks for which the next hard fork allows rings, unless a schedule says otherwise: a
// day. Source: src/hardforks/hardforks.cpp of the beta, testnet_hard_forks.
const GraceBlocks = 720

// RegtestForks returns the schedule of a private chain that reaches the next hard fork: blocks have version 16 up to
// height tree, TreeVersion from there up to height proof, and ProofVersion from there on. With both 1 it is the
// schedule of the beta's private chains. It panics unless 0 < tree ≤ proof.
func RegtestForks(tree, proof uint64) Schedule {
	if tree == 0 || proof < tree {
		panic("consensus: heights of hard forks must be positive and ascending")
	}
	s := Schedule{{1, 0, 0}}
	if tree > 1 {
		s = append(s, Fork{Version, 1, 1})
	}
	if proof > tree {
		s = append(s, Fork{TreeVersion, tree, 1})
	}
	return append(s, Fork{ProofVersion, proof, 1})
}

// VersionAt returns the version of the block at an index.
func (s Schedule) VersionAt(height uint64) uint8 {
	version := uint8(1)
	for _, f := range s {
		if f.Height <= height {
			version = f.Version
		}
	}
	return version
}

// Last returns the highest version, which miners vote for.
func (s Schedule) Last() uint8 {
	if len(s) == 0 {
		return 1
	}
	return s[len(s)-1].Version
}

// HasTree reports whether the chain reaches TreeVersion.
func (s Schedule) HasTree() bool { return s.Last() >= TreeVersion }

// CheckVersion returns nil if the block at height has the right version and does not vote for an earlier one. It
// returns ErrVersion otherwise, and for all heights before hard fork 16, whose rules this package does not have.
// Source: src/cryptonote_basic/hardfork.cpp, do_check_for_height and get_block_vote.
func (s Schedule) CheckVersion(height uint64, major, minor uint8) error {
	want := s.VersionAt(height)
	if want < Version || want > ProofVersion {
		return refuse(ErrVersion, "height %[2]d has version %[1]d, whose rules are not supported", want, height)
	}
	if major != want || minor < want {
		return refuse(ErrVersion, "version %d with vote %d, want %d", major, minor, want)
	}
	return nil
}
