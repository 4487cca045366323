package tx

import (
	"encoding/hex"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"glim/core/crypto/keccak"
	"glim/core/xmr"
)

// fixtures are real transactions; testdata/README.md names their sources. For type 6 every column is a real daemon's
// statement. For others the weight is the size, plus a clawback of 537 for four outputs and 3968 for sixteen; a zero
// fee, pruned size or prunable hash is not checked.
var fixtures = []struct {
	id       string
	version  uint64
	kind     RingCTType
	inputs   int
	outputs  int
	weight   uint64
	fee      uint64
	pruned   int // size
	prunable string
}{
	{"c88ce9783b4f11190d7b9c17a69c1c52200f9faaee8e98dd07e6811175177139", 1, RingCTNull, 1, 1, 80, 0, 80, ""},
	{
		"beb76a82ea17400cd6d7f595f70e1667d2018ed8f5a78d1ce07484222618c3cd", 1, RingCTNull, 1, 8, 776, 1000000,
		776 - 6*64, "",
	},
	{"b112711294c9367a17a647000a33128ae9040768dbf0c62632edf7cdd0d8ccf5", 2, RingCTNull, 1, 1, 95, 0, 95, ""},
	{"3ec6e78d89c8545319984c0ad23268d72566fadc03a2a34d60755d76c0b28b94", 2, RingCTNull, 1, 1, 86, 0, 86, ""},
	{"9d91c3a9b610ed37b46e4b7b37b3c0e59b5b646bc68d6bf53181d4a3c3d1ef36", 2, RingCTSimple, 2, 2, 13255, 0, 0, ""},
	{"01e55ee958ff3685fd5fc3207b5141788bcf44fde67560af3d4778f1ef83aa59", 2, RingCTBulletproof, 1, 2, 1870, 0, 0, ""},
	{
		"129872136b8be88aa831e7c9dbe8549fb330a1180b044b5494d327c312b7c35e", 2, RingCTBulletproof, 1, 4, 2194 + 537, 0,
		0, "",
	},
	{"40452499ae6e3fe2d28fed0d6e221e5d8be3e70ffffadf9ba3b9ed3d3be83c2c", 2, RingCTBulletproof2, 2, 2, 2608, 0, 0, ""},
	{"b8acdc2bf62b29abdf825313b7b5a96c938953cadd7dd6bdde6e4cf7497507cd", 2, RingCTBulletproof2, 6, 2, 5955, 0, 0, ""},
	{
		"35dfb74549590014e343a0fd2c51779027fd162af9e7734692aee8f80b48806d", 2, RingCTBulletproof2, 2, 4, 2931 + 537, 0,
		0, "",
	},
	{
		"6446ceb86bfff657e37dc8b1a55f365e14f935bd476b9f999b1a169d5b899f12", 2, RingCTBulletproof2, 1, 3, 1996 + 537, 0,
		0, "",
	},
	{
		"9dc047a15ba14b7e51777b94424c7d544bfdee0ac046967f84f6edaaeb3b2c6d", 2, RingCTBulletproof2, 2, 16, 4336 + 3968,
		0, 0, "",
	},
	{
		"7d51baf9a469991c21d516655d761dd2dac812b6245dcbb7f90f7618ed1d950c", 2, RingCTBulletproof2, 5, 16, 6828 + 3968,
		0, 0, "",
	},
	{
		"26fcdad755f4959a2e7dcd74a5fcc177112f8c4fe3ae86143868ab84a5a9687d", 2, RingCTBulletproofPlus, 2, 2, 2166,
		2605200000, 307,
		"8e48a2eecd680da3a79ec8a845515d595c3f7ea62d41db5adca50759207a9718",
	},
	{
		"4e29563827c996f2a759fb71078697fc40c7a22728d214c2d4fead5cb80a2667", 2, RingCTBulletproofPlus, 2, 3, 2853,
		3423600000, 470,
		"643c561a749556fab1af669a2563397a1540a6c7043391015bfad1ff509facc2",
	},
	{
		"58c319ea84e52ee895d7aebd344e13e0bd69a904e59c3a2dffaa0d4bbbd14d2f", 2, RingCTBulletproofPlus, 2, 5, 4104,
		4924800000, 684,
		"d09bc0405469e6f9e9dc90d8bb488634dd74a6591fab8ddfebe77f2ae54b024e",
	},
	{
		"4ea0230f5be3b0890baa0962a9be04ab370eb071361c592f8e6a9cfea6e46672", 2, RingCTBulletproofPlus, 2, 16, 6827,
		8278800000, 1346,
		"295dfcf7f9a649e0b3a5c4e83896132b9b88a2ef0d408c1663b1cc43998eca2f",
	},
}

func fixture(t testing.TB, id string) []byte {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", id+".hex"))
	require.NoError(t, err)
	b, err := hex.DecodeString(strings.TrimSpace(string(text)))
	require.NoError(t, err)
	return b
}

func hash(t testing.TB, s string) xmr.Hash {
	t.Helper()
	h, err := xmr.ParseHash(s)
	require.NoError(t, err)
	return h
}

// TestFixturesAreListed checks that every file of testdata is used.
func TestFixturesAreListed(t *testing.T) {
	files, err := filepath.Glob("testdata/*.hex")
	require.NoError(t, err)
	require.Len(t, files, len(fixtures))
}

// TestFixtures parses, writes and hashes real transactions, complete and pruned.
func TestFixtures(t *testing.T) {
	for _, f := range fixtures {
		t.Run(f.id[:8], func(t *testing.T) {
			b := fixture(t, f.id)
			x, id, err := ParseWithHash(b)
			require.NoError(t, err)
			require.Equal(t, hash(t, f.id), id)
			require.Equal(t, b, x.Append(nil))
			require.False(t, x.IsPruned())
			again, err := x.Hash()
			require.NoError(t, err)
			require.Equal(t, id, again)

			require.Equal(t, f.version, x.Version)
			require.Equal(t, f.kind, x.RingCT.Type)
			require.Len(t, x.Inputs, f.inputs)
			require.Len(t, x.Outputs, f.outputs)
			require.Equal(t, f.weight, x.Weight())
			fee, err := x.Fee()
			require.NoError(t, err)
			if f.fee != 0 {
				require.Equal(t, f.fee, fee)
			}

			pruned := x.AppendPruned(nil)
			require.Equal(t, b, x.AppendPrunable(pruned[:len(pruned):len(pruned)]))
			if f.pruned != 0 {
				require.Len(t, pruned, f.pruned)
			}
			prunable := x.PrunableHash()
			if f.prunable != "" {
				require.Equal(t, hash(t, f.prunable), prunable)
			}
			p, err := ParsePruned(pruned)
			require.NoError(t, err)
			require.Equal(t, pruned, p.Append(nil))
			require.Equal(t, x.Outputs, p.Outputs)
			require.Equal(t, x.Extra, p.Extra)
			require.Equal(t, x.PrefixHash(), p.PrefixHash())

			_, prunedID, err := ParsePrunedWithHash(pruned, prunable)
			if x.Version == 1 && !x.IsCoinbase() {
				require.True(t, p.IsPruned())
				require.ErrorIs(t, err, ErrPruned)
				_, err = p.Hash()
				require.ErrorIs(t, err, ErrPruned)
				require.Zero(t, p.PrunedHash(prunable))
				return
			}
			require.NoError(t, err)
			require.Equal(t, id, prunedID)
			require.Equal(t, id, p.PrunedHash(prunable))
			require.Equal(t, f.kind != RingCTNull, p.IsPruned())
			if p.IsPruned() {
				require.Zero(t, p.Weight())
				_, err = p.Hash()
				require.ErrorIs(t, err, ErrPruned)
			}
			weight, err := p.PrunedWeight()
			if f.kind >= RingCTBulletproof2 {
				require.NoError(t, err)
				require.Equal(t, f.weight, weight)
			} else {
				require.ErrorIs(t, err, ErrNoWeight)
			}
		})
	}
}

// TestDaemonPrunableHashOfCoinbase ignores the prunable hash that a daemon states for a coinbase, which is the hash of
// nothing.
func TestDaemonPrunableHashOfCoinbase(t *testing.T) {
	const id = "3ec6e78d89c8545319984c0ad23268d72566fadc03a2a34d60755d76c0b28b94"
	stated := hash(t, "c5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470")
	require.Equal(t, stated, xmr.Hash(keccak.Sum256()))
	x, got, err := ParsePrunedWithHash(fixture(t, id), stated)
	require.NoError(t, err)
	require.Equal(t, id, got.String())
	require.Equal(t, id, x.PrunedHash(stated).String())
}

// TestGenesis checks the first transaction of the three networks.
// Source: src/cryptonote_config.h, GENESIS_TX; IDs as block 0's miner_tx_hash (mainnet) or by the blocks they are in.
func TestGenesis(t *testing.T) {
	for tx, want := range map[string]uint64{
		"013c01ff0001ffffffffffff03029b2e4c0281c0b02e7c53291a94d1d0cbff8883f8024f5142ee494ffbbd08807121017767aafcde9b" +
			"e00dcfd098715ebcf7f410daebc582fda69d24a28e9d0bc890d1": 17592186044415,
		"013c01ff0001ffffffffffff0302df5d56da0c7d643ddd1ce61901c7bdc5fb1738bfe39fbe69c28a3a7032729c0f2101168d0c4ca86f" +
			"b55a4cf6a36d31431be1c53a3bd7411bb24e8832410289fa6f3b": 17592186044415,
	} {
		b, err := hex.DecodeString(tx)
		require.NoError(t, err)
		x, err := Parse(b)
		require.NoError(t, err)
		require.True(t, x.IsCoinbase())
		require.False(t, x.IsPruned())
		require.Equal(t, b, x.Append(nil))
		require.Equal(t, want, x.Outputs[0].Amount)
		require.EqualValues(t, 60, x.UnlockTime)
		extra, ok := ParseExtra(x.Extra)
		require.True(t, ok)
		require.Len(t, extra.PublicKeys, 1)
	}
}
