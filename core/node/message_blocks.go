package node

import (
	"context"

	"glim/core/chain"
	"glim/core/daemonrpc"
	"glim/core/xmr"
)

// The types of this file and the others about messages have the fields of src/rpc/daemon_messages.h in their order.

// maxMessageBlocks limits the blocks and transactions of a message in bytes; as JSON they have about three times as
// many. A caller requests the rest afterwards.
const maxMessageBlocks = maxBlocksBytes / 4

type messageHeight struct {
	Height uint64 `json:"height"`
}

type messageHash struct {
	Hash xmr.Hash `json:"hash"`
}

func (s service) messageHeight(context.Context, struct{}) (r messageHeight, err error) {
	s.view(func(v chain.View) { r.Height = v.Height() })
	return r, nil
}

func (s service) messageBlockHash(_ context.Context, req messageHeight) (r messageHash, err error) {
	s.view(func(v chain.View) {
		b := v.Block(req.Height)
		if b == nil {
			err = failed("height given is higher than current chain height")
			return
		}
		r.Hash = b.ID
	})
	return r, err
}

type blockMessage struct {
	Block        daemonrpc.PublishedBlock         `json:"block"`
	Transactions []daemonrpc.PublishedTransaction `json:"transactions"`
}

type blocksMessageRequest struct {
	BlockIDs    []xmr.Hash `json:"block_ids"`
	StartHeight uint64     `json:"start_height"`
	Prune       bool       `json:"prune"`
}

type blocksMessage struct {
	Blocks        []blockMessage `json:"blocks"`
	StartHeight   uint64         `json:"start_height"`
	CurrentHeight uint64         `json:"current_height"`
	OutputIndices [][][]uint64   `json:"output_indices"`
}

// messageBlocks returns blocks from the first one after those that the caller has, or from a height.
// Source: src/cryptonote_core/blockchain.cpp, find_blockchain_supplement.
func (s service) messageBlocks(_ context.Context, req blocksMessageRequest) (r blocksMessage, err error) {
	var list []*chain.Block
	s.view(func(v chain.View) {
		start, found := req.StartHeight, req.StartHeight < v.Height()
		if start == 0 {
			start, found = v.Common(req.BlockIDs)
		}
		if !found {
			err = failed("core::find_blockchain_supplement() returned false")
			return
		}
		r = blocksMessage{[]blockMessage{}, start, v.Height(), [][][]uint64{}}
		size, txs := 0, 0
		for h := start; h < v.Height() && len(list) < maxBlocks; h++ {
			b := v.Block(h)
			if len(list) >= minBlocks && (size >= maxMessageBlocks || txs+len(b.Txs) > maxBlockTxs) {
				break
			}
			size += len(b.Blob)
			for _, t := range b.Txs {
				size += len(t.Blob)
			}
			txs += len(b.Txs)
			list = append(list, b)
			r.OutputIndices = append(r.OutputIndices, b.Indices)
		}
	})
	for _, b := range list { // outside the view, because describing takes long
		m := blockMessage{daemonrpc.PublishBlock(b.Block), make([]daemonrpc.PublishedTransaction, len(b.Txs))}
		for i, t := range b.Txs {
			m.Transactions[i] = daemonrpc.PublishTransaction(t.Tx, !req.Prune)
		}
		r.Blocks = append(r.Blocks, m)
	}
	return r, err
}

type hashesMessageRequest struct {
	KnownHashes []xmr.Hash `json:"known_hashes"`
	StartHeight uint64     `json:"start_height"`
}

type hashesMessage struct {
	Hashes        []xmr.Hash `json:"hashes"`
	StartHeight   uint64     `json:"start_height"`
	CurrentHeight uint64     `json:"current_height"`
}

// messageHashes returns block IDs from the last one that the caller has.
func (s service) messageHashes(ctx context.Context, req hashesMessageRequest) (r hashesMessage, err error) {
	list, err := s.getHashes(ctx, daemonrpc.GetHashesRequest{BlockIDs: req.KnownHashes})
	if err != nil || list.Status != daemonrpc.StatusOK {
		return r, failed("Blockchain::find_blockchain_supplement() returned false")
	}
	return hashesMessage{list.BlockIDs, list.StartHeight, list.CurrentHeight}, nil
}

type headerMessage struct {
	MajorVersion uint64   `json:"major_version"`
	MinorVersion uint64   `json:"minor_version"`
	Timestamp    uint64   `json:"timestamp"`
	PrevID       xmr.Hash `json:"prev_id"`
	Nonce        uint32   `json:"nonce"`
	Height       uint64   `json:"height"`
	Depth        uint64   `json:"depth"`
	Hash         xmr.Hash `json:"hash"`
	Difficulty   uint64   `json:"difficulty"` // the low 64 bits
	Reward       uint64   `json:"reward"`
}

type oneHeader struct {
	Header headerMessage `json:"header"`
}

// messageHeader describes a block. As in the reference, the difficulty is that of the main chain's block of the same
// height. Source: src/rpc/daemon_handler.cpp, getBlockHeaderByHash.
func messageHeader(v chain.View, b *chain.Block) headerMessage {
	h := headerMessage{
		MajorVersion: uint64(b.Block.Major), MinorVersion: uint64(b.Block.Minor), Timestamp: b.Block.Timestamp,
		PrevID: b.Block.Prev, Nonce: b.Block.Nonce, Height: b.Height, Depth: v.Height() - b.Height - 1, Hash: b.ID,
		Reward: b.Reward(),
	}
	if main := v.Block(b.Height); main != nil {
		h.Difficulty = main.Difficulty.Lo
	}
	return h
}

// headerOf returns the header of the block that find returns.
func (s service) headerOf(find func(chain.View) *chain.Block) (r oneHeader, err error) {
	s.view(func(v chain.View) {
		if b := find(v); b != nil {
			r.Header = messageHeader(v, b)
		} else {
			err = failed("Requested block does not exist")
		}
	})
	return r, err
}

func (s service) messageLastHeader(context.Context, struct{}) (oneHeader, error) {
	return s.headerOf(chain.View.Top)
}

func (s service) messageHeaderByHash(_ context.Context, req messageHash) (oneHeader, error) {
	return s.headerOf(func(v chain.View) *chain.Block {
		b, _ := v.BlockByID(req.Hash)
		return b
	})
}

func (s service) messageHeaderByHeight(_ context.Context, req messageHeight) (oneHeader, error) {
	return s.headerOf(func(v chain.View) *chain.Block { return v.Block(req.Height) })
}

type headersRequest struct {
	Heights []uint64 `json:"heights"`
}

type manyHeaders struct {
	Headers []headerMessage `json:"headers"`
}

func (s service) messageHeadersByHeight(_ context.Context, req headersRequest) (r manyHeaders, err error) {
	if s.limited && len(req.Heights) > restrictedHeaders {
		return r, failed("Too many block headers requested in restricted mode")
	}
	if len(req.Heights) > maxHeaders {
		return r, failed("Too many block headers requested")
	}
	r.Headers = []headerMessage{}
	s.view(func(v chain.View) {
		for _, height := range req.Heights {
			b := v.Block(height)
			if b == nil {
				err = failed("A requested block does not exist")
				return
			}
			r.Headers = append(r.Headers, messageHeader(v, b))
		}
	})
	return r, err
}
