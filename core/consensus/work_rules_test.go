package consensus

import (
	_ "embed"
	"encoding/hex"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"glim/core/block"
	"glim/core/crypto/keccak"
	"glim/core/internal/codec/wire"
	"glim/core/internal/crypto/randomx"
	"glim/core/xmr"
)

//go:embed testdata/randomx.txt
var randomxWorks string

// TestWorkRules: the rules determine from which block version on each proof of work applies, for one blob and for many.
func TestWorkRules(t *testing.T) {
	const first, second, firstCommitment, secondCommitment = 0, 1, 2, 3 // columns of the file
	var seed xmr.Hash
	var blobs [][]byte
	var works [4][]xmr.Hash
	for line := range strings.Lines(randomxWorks) {
		fields := strings.Fields(line)
		seed = mustHash(fields[0])
		blob, err := hex.DecodeString(fields[1])
		require.NoError(t, err)
		blobs = append(blobs, blob)
		for i := range works {
			works[i] = append(works[i], mustHash(fields[2+i]))
		}
	}
	require.Len(t, blobs, 3)

	hasher := randomx.NewHasher(1)
	for _, c := range []struct {
		rules WorkRules
		want  map[uint8]int
	}{
		{WorkRules{}, map[uint8]int{12: first, 16: first, 17: first, 255: first}},
		{NextWork(), map[uint8]int{12: first, 16: first, 17: secondCommitment, 255: secondCommitment}},
		{WorkRules{RandomXV2: 18}, map[uint8]int{17: first, 18: second, 19: second}},
		{WorkRules{RandomXV2: 18, Commitment: 17}, map[uint8]int{16: first, 17: firstCommitment, 18: secondCommitment}},
	} {
		// The same blob has several proofs of work, so none may be remembered for another version.
		w := &work{rules: c.rules, hasher: hasher}
		for major, column := range c.want {
			got, err := w.many(major, 3000000, seed, blobs)
			require.NoError(t, err)
			require.Equal(t, works[column], got, "%+v, version %d", c.rules, major)
		}
		for major, column := range c.want {
			for _, w := range []*work{w, {rules: c.rules, hasher: hasher}} {
				got, err := w.one(major, 3000000, seed, blobs[0])
				require.NoError(t, err)
				require.Equal(t, works[column][0], got, "%+v, version %d", c.rules, major)
			}
		}
	}
}

// TestNextWorkIsNotReached: the networks of today have no block version whose proof of work NextWork changes.
func TestNextWorkIsNotReached(t *testing.T) {
	for _, n := range []xmr.Network{xmr.Mainnet, xmr.Testnet, xmr.Stagenet, xmr.Regtest} {
		for _, f := range Forks(n) {
			if f.Version >= randomxVersion {
				require.Equal(t, WorkRules{}.of(f.Version), NextWork().of(f.Version))
			}
		}
	}
}

//go:embed testdata/beta.txt
var betaBlocks string

// TestBetaBlocks: by the zero rules, blocks of versions 16 to 18 have the proof of work that they have in the beta.
// From version 17 on, the number of layers and the tree root follow the coinbase in the Merkle tree of the hashing
// blob, and the number of transactions does not count them.
func TestBetaBlocks(t *testing.T) {
	sections := strings.Split(betaBlocks, "\n\n")
	require.Len(t, sections, 3)
	general := factsOf(sections[0])
	seed := mustHash(general["seed"])
	pow := NewPoW(1)
	for i, section := range sections[1:] {
		facts := factsOf(section)
		height, err := strconv.ParseUint(facts["height"], 10, 64)
		require.NoError(t, err)
		layers, others := byte(1), []xmr.Hash(nil)
		if i == 1 {
			layers, others = 6, []xmr.Hash{keccak.Sum256([]byte("one")), keccak.Sum256([]byte("two"))}
		}
		coinbase := mustHash(facts["coinbase_id"])
		for major := uint8(16); major <= 18; major++ {
			of := func(name string) string { return facts[name+" "+strconv.Itoa(int(major))] }
			blob, err := hex.DecodeString(of("hashing_blob"))
			require.NoError(t, err)
			got, err := pow(major, height, seed, blob)
			require.NoError(t, err)
			require.Equal(t, of("pow"), got.String(), "height %d, version %d", height, major)
			if major > 16 { // at 16 the beta has outputs of Carrot in the coinbase all the same, which we do not read
				raw, err := hex.DecodeString(of("block"))
				require.NoError(t, err)
				parsed, err := block.Parse(raw)
				require.NoError(t, err)
				require.Equal(t, raw, parsed.Append(nil))
				hashing, err := parsed.HashingBlob()
				require.NoError(t, err)
				require.Equal(t, blob, hashing)
				id, err := parsed.Hash()
				require.NoError(t, err)
				require.Equal(t, of("block_id"), id.String())
			}

			leaves := []xmr.Hash{coinbase}
			bytes, header := of("block"), len(blob)-32-1
			if major > 16 {
				root := bytes[len(bytes)-2*33:]
				require.Equal(t, hex.EncodeToString([]byte{layers}), root[:2])
				leaves = append(leaves, xmr.Hash{layers}, mustHash(root[2:]))
			}
			leaves = append(leaves, others...)
			merkle := block.MerkleRoot(leaves)
			require.Equal(t, bytes[:2*header], hex.EncodeToString(blob[:header]))
			require.Equal(t, merkle[:], blob[header:header+32])
			require.Equal(t, byte(1+len(others)), blob[len(blob)-1])
			id := xmr.Hash(keccak.Sum256(wire.AppendVarint(nil, uint64(len(blob))), blob))
			require.Equal(t, of("block_id"), id.String())
		}
	}
}

// factsOf returns the last word of each line by the words before it.
func factsOf(section string) map[string]string {
	facts := make(map[string]string)
	for line := range strings.Lines(section) {
		name, value, _ := strings.Cut(strings.TrimSpace(line), " ")
		if number, rest, ok := strings.Cut(value, " "); ok {
			name, value = name+" "+number, rest
		}
		facts[name] = value
	}
	return facts
}
