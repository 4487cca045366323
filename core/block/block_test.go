package block

import (
	"encoding/hex"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"glim/core/crypto/keccak"
	"glim/core/internal/codec/wire"
	"glim/core/tx"
	"glim/core/xmr"
)

// fixtures are real blocks; testdata/README.md names their sources.
var fixtures = []struct {
	id     string
	major  uint8
	height uint64
	txs    []string
}{
	{"418015bb9ae982a1975da7d79277c2705727a56894ba0fb246adaabb1f4632e3", 1, 0, nil},
	{"7d3113f562eac36f14afa08c22ae20bbbf8cffa31a4466d24850732cb96f80e9", 1, 110, []string{
		"beb76a82ea17400cd6d7f595f70e1667d2018ed8f5a78d1ce07484222618c3cd",
	}},
	{"9becf46fb4676d7eb219be432804150807da9ecbaf8a1aa0f94956a83c1c983a", 1, 111, nil},
	{"17ad8a8ecf1538e2d4ac0d81a6b4cf475de2d7d586f1dd3fde6028fb911333fc", 1, 316376, nil},
	{"4d6a78e270fdc9d90c5fa3605f4bd573c9b60ff49eab86109e4694b47d7cd000", 1, 316745, nil},
	{"a7fe0522c20e3568c9a5f80aea4ce43b1e1661acaa81fc6255f21ba5de4c7210", 16, 101, []string{
		"4ea0230f5be3b0890baa0962a9be04ab370eb071361c592f8e6a9cfea6e46672",
		"2a8f3e29bc6c6cd423786ad26927c57d957e1e14ba3d1e0eb77969a8c6281cf0",
		"26fcdad755f4959a2e7dcd74a5fcc177112f8c4fe3ae86143868ab84a5a9687d",
		"4e29563827c996f2a759fb71078697fc40c7a22728d214c2d4fead5cb80a2667",
		"58c319ea84e52ee895d7aebd344e13e0bd69a904e59c3a2dffaa0d4bbbd14d2f",
	}},
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

// TestFixturesAreListed: every file of testdata is used.
func TestFixturesAreListed(t *testing.T) {
	files, err := filepath.Glob("testdata/*.hex")
	require.NoError(t, err)
	require.Len(t, files, len(fixtures))
}

// TestFixtures parses, serializes and hashes real blocks, and refuses them with a byte more or less.
func TestFixtures(t *testing.T) {
	for _, f := range fixtures {
		t.Run(f.id[:8], func(t *testing.T) {
			b := fixture(t, f.id)
			blk, err := Parse(b)
			require.NoError(t, err)
			require.Equal(t, b, blk.Append(nil))
			id, err := blk.Hash()
			require.NoError(t, err)
			require.Equal(t, hash(t, f.id), id)
			require.Equal(t, f.major, blk.Major)
			require.Equal(t, f.height, blk.Height())
			require.Len(t, blk.TxHashes, len(f.txs))
			for i, want := range f.txs {
				require.Equal(t, want, blk.TxHashes[i].String())
			}
			for n := range b {
				_, err := Parse(b[:n])
				require.Error(t, err)
			}
			_, err = Parse(append(b, 0))
			require.ErrorIs(t, err, wire.ErrTrailing)
		})
	}
}

// TestChain checks that two consecutive blocks of mainnet are linked by the computed hash.
func TestChain(t *testing.T) {
	next, err := Parse(fixture(t, fixtures[2].id))
	require.NoError(t, err)
	require.Equal(t, fixtures[1].id, next.Prev.String())
}

// TestGenesis builds the first block of each network from its published facts.
// Source: src/cryptonote_config.h, GENESIS_TX and GENESIS_NONCE; cryptonote_tx_utils.cpp, generate_genesis_block.
func TestGenesis(t *testing.T) {
	const (
		main = "013c01ff0001ffffffffffff03029b2e4c0281c0b02e7c53291a94d1d0cbff8883f8024f5142ee494" +
			"ffbbd08807121017767aafcde9be00dcfd098715ebcf7f410daebc582fda69d24a28e9d0bc890d1"
		stage = "013c01ff0001ffffffffffff0302df5d56da0c7d643ddd1ce61901c7bdc5fb1738bfe39fbe69c28a3a7032729c0f" +
			"2101168d0c4ca86fb55a4cf6a36d31431be1c53a3bd7411bb24e8832410289fa6f3b"
	)
	for _, c := range []struct {
		network xmr.Network
		coin    string
		nonce   uint32
	}{{xmr.Mainnet, main, 10000}, {xmr.Testnet, main, 10001}, {xmr.Stagenet, stage, 10002}} {
		raw, err := hex.DecodeString(c.coin)
		require.NoError(t, err)
		coinbase, err := tx.Parse(raw)
		require.NoError(t, err)
		blk := &Block{Major: 1, Nonce: c.nonce, MinerTx: *coinbase}
		id, err := blk.Hash()
		require.NoError(t, err)
		require.Equal(t, c.network.GenesisHash(), id)
		again, err := Parse(blk.Append(nil))
		require.NoError(t, err)
		require.Equal(t, blk, again)
	}
}

// TestRefused violates each rule of the format separately.
func TestRefused(t *testing.T) {
	good, err := Parse(fixture(t, fixtures[0].id))
	require.NoError(t, err)
	b := good.Append(nil)

	_, err = Parse(append([]byte{0x80, 0x02}, b[1:]...)) // major 256
	require.ErrorIs(t, err, wire.ErrOverflow)
	_, err = Parse(append([]byte{0x81, 0x00}, b[1:]...))
	require.ErrorIs(t, err, wire.ErrNonCanonical)
	_, err = Parse(append(b[:len(b)-1:len(b)-1], 0xff, 0xff, 0xff, 0xff, 0x07)) // transactions that are not there
	require.ErrorIs(t, err, wire.ErrLimit)
	_, err = Parse(append(b[:len(b)-1:len(b)-1], 0x7f))
	require.ErrorIs(t, err, wire.ErrShort)

	spend := *good
	spend.MinerTx.Inputs = []tx.Input{{KeyOffsets: []uint64{1}}}
	spend.MinerTx.Signatures = [][]tx.Signature{{{}}}
	_, err = Parse(spend.Append(nil))
	require.ErrorIs(t, err, ErrCoinbase)
	require.Zero(t, spend.Height())
	spend.MinerTx.Signatures = nil
	_, err = spend.Hash()
	require.ErrorIs(t, err, tx.ErrPruned)
}

// TestException: only the content of block 202612 has its ID.
func TestException(t *testing.T) {
	other := xmr.Hash{1}
	got, err := except(other, exceptionBytes)
	require.NoError(t, err)
	require.Equal(t, "bbd604d2ba11ba27935e006ed39c9bfdd99b76bf4a50654bc1e1e61217962698", got.String())
	got, err = except(other, other)
	require.NoError(t, err)
	require.Equal(t, other, got)
	_, err = except(exceptionID, other)
	require.ErrorIs(t, err, ErrBlock202612)
}

// TestMerkleRoot runs the published vectors: one to sixteen leaves.
func TestMerkleRoot(t *testing.T) {
	text, err := os.ReadFile("testdata/tests-tree.txt")
	require.NoError(t, err)
	lines := strings.Split(strings.TrimSpace(string(text)), "\n")
	require.Len(t, lines, 16)
	for i, line := range lines {
		root, rest, ok := strings.Cut(line, " ")
		require.True(t, ok)
		raw, err := hex.DecodeString(rest)
		require.NoError(t, err)
		var leaves []xmr.Hash
		for ; len(raw) > 0; raw = raw[32:] {
			leaves = append(leaves, xmr.Hash(raw))
		}
		require.Len(t, leaves, i+1)
		before := append([]xmr.Hash(nil), leaves...)
		require.Equal(t, hash(t, root), MerkleRoot(leaves))
		require.Equal(t, before, leaves)
	}
	require.Zero(t, MerkleRoot(nil))
}

// TestMerkleRootOfMany compares trees that are hashed in parallel with trees that are hashed pair by pair.
func TestMerkleRootOfMany(t *testing.T) {
	var leaves []xmr.Hash
	for n := range 100 {
		leaves = append(leaves, keccak.Sum256([]byte{byte(n)}))
		p := 1
		for p*2 < len(leaves) {
			p *= 2
		}
		level := slices.Clone(leaves[:max(2*p-len(leaves), 0)])
		for rest := leaves[len(level):]; len(rest) > 1; rest = rest[2:] {
			level = append(level, keccak.Sum256(rest[0][:], rest[1][:]))
		}
		for len(level) > 1 {
			var next []xmr.Hash
			for i := 0; i < len(level); i += 2 {
				next = append(next, keccak.Sum256(level[i][:], level[i+1][:]))
			}
			level = next
		}
		require.Equal(t, level[0], MerkleRoot(leaves), len(leaves))
	}
}

// TestParseWithIDs: parsing into shared memory has the same result, and allocates only what the arena does not hold.
func TestParseWithIDs(t *testing.T) {
	arena := new(tx.Arena)
	var all []*Block
	for _, f := range fixtures {
		b := fixture(t, f.id)
		blk, id, coinbase, err := ParseWithIDs(arena, b)
		require.NoError(t, err)
		require.Equal(t, hash(t, f.id), id)
		want, err := blk.MinerTx.Hash()
		require.NoError(t, err)
		require.Equal(t, want, coinbase)
		all = append(all, blk)
		for n := range b {
			_, _, _, err := ParseWithIDs(arena, b[:n])
			require.Error(t, err)
		}
		_, _, _, err = ParseWithIDs(arena, append(b, 0))
		require.ErrorIs(t, err, wire.ErrTrailing)
	}
	for i, f := range fixtures { // others came after it
		require.Equal(t, fixture(t, f.id), all[i].Append(nil))
	}
	b := fixture(t, fixtures[5].id)
	require.LessOrEqual(t, testing.AllocsPerRun(300, func() { _, _, _, _ = ParseWithIDs(arena, b) }), 5.0)
}

// FuzzParse checks that parsed blocks are serialized to the same bytes, and that both ways to compute the ID agree.
func FuzzParse(f *testing.F) {
	for _, c := range fixtures {
		f.Add(fixture(f, c.id))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		blk, err := Parse(b)
		if err != nil {
			return
		}
		if string(blk.Append(nil)) != string(b) {
			t.Fatal("written differently")
		}
		want, err := blk.Hash()
		again, id, _, impostor := ParseWithIDs(new(tx.Arena), b)
		if (err != nil) != (impostor != nil) || err == nil && (id != want || string(again.Append(nil)) != string(b)) {
			t.Fatal("another block", err, impostor)
		}
	})
}

func BenchmarkParse(b *testing.B) {
	raw := fixture(b, "a7fe0522c20e3568c9a5f80aea4ce43b1e1661acaa81fc6255f21ba5de4c7210")
	b.ReportAllocs()
	for b.Loop() {
		_, _ = Parse(raw)
	}
}

func BenchmarkHash(b *testing.B) {
	blk, err := Parse(fixture(b, "a7fe0522c20e3568c9a5f80aea4ce43b1e1661acaa81fc6255f21ba5de4c7210"))
	require.NoError(b, err)
	b.ReportAllocs()
	for b.Loop() {
		_, _ = blk.Hash()
	}
}
