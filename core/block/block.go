// Package block parses, hashes and serializes Monero blocks.
package block

import (
	"encoding/binary"
	"errors"
	"math"

	"glim/core/crypto/keccak"
	"glim/core/internal/codec/wire"
	"glim/core/tx"
	"glim/core/xmr"
)

// Errors of decoding and hashing, in addition to those of packages wire and tx. Retrying is pointless.
var (
	ErrCoinbase    = errors.New("block: first transaction is not a coinbase")
	ErrBlock202612 = errors.New("block: has the ID of block 202612, but not its content")
	ErrNextFork    = errors.New("block: is of the next hard fork, which only Parse reads")
)

// maxTxs is the maximum number of transactions in a block. Source: src/cryptonote_config.h,
// CRYPTONOTE_MAX_TX_PER_BLOCK.
const maxTxs = 0x10000000

// TreeVersion is the first version of blocks that commit to the tree of all outputs: that of the next hard fork.
// Source: src/cryptonote_config.h, HF_VERSION_FCMP_PLUS_PLUS, of the beta that package fcmptx names.
const TreeVersion = 17

// MaxLayers is the maximum number of layers of the tree. Source: the same file, FCMP_PLUS_PLUS_MAX_LAYERS.
const MaxLayers = 12

// Tree is the tree of all outputs before a block, as package curvetree computes it: its root, and the number of layers
// of hashes.
type Tree struct {
	Layers uint8
	Root   [32]byte
}

// Block is a header, the coinbase and the IDs of the other transactions.
// Source: src/cryptonote_basic/cryptonote_basic.h, block_header and block.
type Block struct {
	Major     uint8 // hard fork whose rules hold
	Minor     uint8 // hard fork the miner votes for
	Timestamp uint64
	Prev      xmr.Hash
	Nonce     uint32
	MinerTx   tx.Transaction
	TxHashes  []xmr.Hash
	Tree      *Tree // of a block with a coinbase of Carrot, otherwise nil
}

// Parse parses a block and refuses trailing bytes. A coinbase of Carrot makes it one of the next hard fork, with a
// tree. The coinbase's Extra aliases b. Parse returns errors of this package and of packages tx and wire. It checks
// neither the proof of work nor the transactions.
// Source: src/cryptonote_basic/cryptonote_format_utils.cpp, parse_and_validate_block_from_blob.
func Parse(b []byte) (*Block, error) {
	r := wire.NewReader(b)
	blk := new(Block)
	blk.header(r)
	if blk.Major < TreeVersion {
		blk.MinerTx.Decode(r)
	} else {
		blk.MinerTx.DecodeCoinbase(r)
	}
	if n := blk.rest(r); n > 0 {
		blk.TxHashes = make([]xmr.Hash, n)
		for i := range blk.TxHashes {
			blk.TxHashes[i] = r.Bytes32()
		}
	}
	if blk.MinerTx.Carrot != nil {
		blk.Tree = &Tree{Layers: r.Byte(), Root: r.Bytes32()}
		if r.Err() == nil && blk.Tree.Layers > MaxLayers {
			r.Fail(wire.ErrLimit)
		}
	}
	if err := r.Close(); err != nil {
		return nil, err
	}
	return blk, nil
}

// ParseWithIDs is Parse, and also returns the IDs of the block and of its coinbase, which it hashes from b without
// serializing the block again. The coinbase is allocated in a. It returns the errors of Parse, ErrBlock202612, and
// ErrNextFork for blocks with a tree.
func ParseWithIDs(a *tx.Arena, b []byte) (blk *Block, id, coinbase xmr.Hash, err error) {
	r := wire.NewReader(b)
	blk = new(Block)
	blk.header(r)
	header := r.Since(0)
	coinbase = blk.MinerTx.DecodeWithHash(r, a)
	leaves := make([]xmr.Hash, 1+blk.rest(r))
	leaves[0] = coinbase
	for i := range leaves[1:] {
		leaves[1+i] = r.Bytes32()
	}
	if err := r.Close(); err != nil {
		if blk.Major >= TreeVersion && errors.Is(err, tx.ErrOutput) {
			err = ErrNextFork
		}
		return nil, id, coinbase, err
	}
	if len(leaves) > 1 {
		blk.TxHashes = leaves[1:]
	}
	id = identify(appendHashing(append(make([]byte, 0, 96), header...), leaves, len(leaves)))
	if blk.Height() == exceptionHeight {
		if id, err = except(id, keccak.Sum256(b)); err != nil {
			return nil, id, coinbase, err
		}
	}
	return blk, id, coinbase, nil
}

// header reads the fields before the coinbase.
func (blk *Block) header(r *wire.Reader) {
	blk.Major = version(r)
	blk.Minor = version(r)
	blk.Timestamp = r.Varint()
	blk.Prev = r.Bytes32()
	blk.Nonce = r.Uint32()
}

// rest checks the coinbase and reads the number of the other transactions.
func (blk *Block) rest(r *wire.Reader) int {
	if r.Err() == nil && !blk.MinerTx.IsCoinbase() {
		r.Fail(ErrCoinbase)
	}
	return r.Count(maxTxs, 32)
}

func version(r *wire.Reader) uint8 {
	v := r.Varint()
	if v > math.MaxUint8 {
		r.Fail(wire.ErrOverflow)
	}
	return uint8(v)
}

// Append appends the serialized block. For a block that Parse has returned, these are the same bytes.
func (blk *Block) Append(b []byte) []byte {
	b = blk.MinerTx.Append(blk.appendHeader(b))
	b = wire.AppendVarint(b, uint64(len(blk.TxHashes)))
	for i := range blk.TxHashes {
		b = append(b, blk.TxHashes[i][:]...)
	}
	if blk.Tree != nil {
		b = append(append(b, blk.Tree.Layers), blk.Tree.Root[:]...)
	}
	return b
}

func (blk *Block) appendHeader(b []byte) []byte {
	b = wire.AppendVarint(b, uint64(blk.Major))
	b = wire.AppendVarint(b, uint64(blk.Minor))
	b = wire.AppendVarint(b, blk.Timestamp)
	b = append(b, blk.Prev[:]...)
	return binary.LittleEndian.AppendUint32(b, blk.Nonce)
}

// Height returns the block's index in its chain as stated by its coinbase; the genesis block has 0.
// Source: src/cryptonote_basic/cryptonote_format_utils.cpp, get_block_height.
func (blk *Block) Height() uint64 {
	if !blk.MinerTx.IsCoinbase() {
		return 0
	}
	return blk.MinerTx.Inputs[0].Height
}

// HashingBlob returns the input of the proof of work: the header, the Merkle root of all transactions with the
// coinbase first, and their number. The layers and the root of the tree, if there is one, follow the coinbase in the
// Merkle tree, and are not counted. It returns tx.ErrPruned if the coinbase has no ID.
// Source: src/cryptonote_basic/cryptonote_format_utils.cpp, get_block_hashing_blob.
func (blk *Block) HashingBlob() ([]byte, error) {
	coinbase, err := blk.MinerTx.Hash()
	if err != nil {
		return nil, err
	}
	return blk.hashingBlob(coinbase), nil
}

func (blk *Block) hashingBlob(coinbase xmr.Hash) []byte {
	leaves := append(make([]xmr.Hash, 0, 3+len(blk.TxHashes)), coinbase)
	if t := blk.Tree; t != nil {
		leaves = append(leaves, xmr.Hash{t.Layers}, t.Root)
	}
	header := blk.appendHeader(make([]byte, 0, 96))
	return appendHashing(header, append(leaves, blk.TxHashes...), 1+len(blk.TxHashes))
}

// appendHashing appends to a header what follows it in the blob: the Merkle root, and the number of transactions.
func appendHashing(b []byte, leaves []xmr.Hash, txs int) []byte {
	root := MerkleRoot(leaves)
	return wire.AppendVarint(append(b, root[:]...), uint64(txs))
}

// Block 202612 of mainnet has more than 512 transactions, for which the software of that time computed a wrong Merkle
// root. It keeps that ID, and no other block may have it.
// Source: src/cryptonote_basic/cryptonote_format_utils.cpp, calculate_block_hash.
const exceptionHeight = 202612

var (
	exceptionBytes = mustHash("3a8a2b3a29b50fc86ff73dd087ea43c6f0d6b8f936c849194d5c84c737903966")
	exceptionID    = mustHash("bbd604d2ba11ba27935e006ed39c9bfdd99b76bf4a50654bc1e1e61217962698")
)

func mustHash(s string) xmr.Hash {
	h, err := xmr.ParseHash(s)
	if err != nil {
		panic("unreachable: constants are well-formed")
	}
	return h
}

// Hash returns the block's ID: the hash of the hashing blob with its length in front.
// Errors: those of HashingBlob, ErrBlock202612.
// Source: src/cryptonote_basic/cryptonote_format_utils.cpp, calculate_block_hash.
func (blk *Block) Hash() (xmr.Hash, error) {
	coinbase, err := blk.MinerTx.Hash()
	if err != nil {
		return xmr.Hash{}, err
	}
	return blk.HashWith(coinbase)
}

// HashWith is Hash with a given coinbase ID. It returns ErrBlock202612.
func (blk *Block) HashWith(coinbase xmr.Hash) (xmr.Hash, error) {
	id := identify(blk.hashingBlob(coinbase))
	if blk.MinerTx.IsCoinbase() && blk.Height() != exceptionHeight {
		return id, nil
	}
	return except(id, keccak.Sum256(blk.Append(nil)))
}

// identify returns the ID that follows from what proof of work is done on.
func identify(hashing []byte) xmr.Hash {
	var length [binary.MaxVarintLen64]byte
	return keccak.Sum256(wire.AppendVarint(length[:0], uint64(len(hashing))), hashing)
}

// except gives the exceptional block its ID, and that ID to no other.
func except(id, content xmr.Hash) (xmr.Hash, error) {
	if content == exceptionBytes {
		return exceptionID, nil
	}
	if id == exceptionID {
		return xmr.Hash{}, ErrBlock202612
	}
	return id, nil
}
