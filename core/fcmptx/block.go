package fcmptx

import (
	"encoding/binary"

	"glim/core/block"
	"glim/core/crypto/keccak"
	"glim/core/internal/codec/wire"
	"glim/core/xmr"
)

// maxTxs is the maximum number of transactions in a block. Source: src/cryptonote_config.h,
// CRYPTONOTE_MAX_TX_PER_BLOCK.
const maxTxs = 0x10000000

// Block is a header, the coinbase, the IDs of the other transactions, and what the block commits to of the tree of all
// outputs. Source: src/cryptonote_basic/cryptonote_basic.h, block_header and block.
type Block struct {
	Major, Minor uint8
	Timestamp    uint64
	Prev         xmr.Hash
	Nonce        uint32
	Coinbase     Transaction
	TxHashes     []xmr.Hash
	Layers       uint8    // of the tree
	Root         [32]byte // of the tree, a point of Selene or Helios
}

// ParseBlock reads a block and refuses trailing bytes. It returns the errors of Parse, ErrCoinbase, ErrLayers, and
// ErrBlock for a block of an earlier version, which package block reads. It checks neither the proof of work nor the
// tree. Source: src/cryptonote_basic/cryptonote_basic.h, block.
func (r *Rules) ParseBlock(b []byte) (*Block, error) {
	in, blk := wire.NewReader(b), new(Block)
	blk.Major, blk.Minor = readVersion(in), readVersion(in)
	if in.Err() == nil && blk.Major < r.BlockVersion {
		return nil, ErrBlock
	}
	blk.Timestamp = in.Varint()
	blk.Prev = in.Bytes32()
	blk.Nonce = in.Uint32()
	blk.Coinbase.decode(r, in, true)
	if in.Err() == nil && !blk.Coinbase.IsCoinbase() {
		in.Fail(ErrCoinbase)
	}
	blk.TxHashes = wire.ReadKeys[xmr.Hash](in, maxTxs)
	blk.Layers = in.Byte()
	if in.Err() == nil && blk.Layers > r.MaxLayers {
		in.Fail(ErrLayers)
	}
	blk.Root = in.Bytes32()
	if err := in.Close(); err != nil {
		return nil, err
	}
	return blk, nil
}

func readVersion(in *wire.Reader) uint8 {
	v := in.Varint()
	if v > 255 {
		in.Fail(wire.ErrOverflow)
	}
	return uint8(v)
}

// AppendBlock serialises blk. It reproduces bytes that ParseBlock accepted under the same rules.
func (r *Rules) AppendBlock(b []byte, blk *Block) []byte {
	b = wire.AppendKeys(r.Append(blk.appendHeader(b), &blk.Coinbase), blk.TxHashes)
	return append(append(b, blk.Layers), blk.Root[:]...)
}

func (blk *Block) appendHeader(b []byte) []byte {
	b = wire.AppendVarint(wire.AppendVarint(b, uint64(blk.Major)), uint64(blk.Minor))
	b = append(wire.AppendVarint(b, blk.Timestamp), blk.Prev[:]...)
	return binary.LittleEndian.AppendUint32(b, blk.Nonce)
}

// ContentHash returns the Merkle root of the coinbase's ID, the number of layers, the root of the tree and the IDs of
// the other transactions, in this order. Source: src/cryptonote_basic/cryptonote_format_utils.cpp,
// get_block_content_hash.
func (r *Rules) ContentHash(blk *Block) (xmr.Hash, error) {
	coinbase, err := r.Hash(&blk.Coinbase)
	if err != nil {
		return xmr.Hash{}, err
	}
	leaves := append([]xmr.Hash{coinbase, {blk.Layers}, blk.Root}, blk.TxHashes...)
	return block.MerkleRoot(leaves), nil
}

// HashingBlob returns the input of the proof of work: the header, ContentHash, and the number of transactions, as in
// the beta. Source: src/cryptonote_basic/cryptonote_format_utils.cpp, get_block_hashing_blob.
func (r *Rules) HashingBlob(blk *Block) ([]byte, error) {
	content, err := r.ContentHash(blk)
	if err != nil {
		return nil, err
	}
	b := append(blk.appendHeader(make([]byte, 0, 96)), content[:]...)
	return wire.AppendVarint(b, uint64(len(blk.TxHashes))+1), nil
}

// BlockHash returns the block's ID: the hash of the hashing blob with its length in front.
// Source: src/cryptonote_basic/cryptonote_format_utils.cpp, calculate_block_hash.
func (r *Rules) BlockHash(blk *Block) (xmr.Hash, error) {
	b, err := r.HashingBlob(blk)
	if err != nil {
		return xmr.Hash{}, err
	}
	return keccak.Sum256(wire.AppendVarint(nil, uint64(len(b))), b), nil
}
