package node

import (
	"glim/core/block"
	"glim/core/chain"
	"glim/core/daemonrpc"
	"glim/core/tx"
)

// Publisher publishes events of a chain by topic. Methods must be safe for concurrent use, and must not block or use
// the chain.
type Publisher interface {
	// HasSubscribers reports whether a topic has subscribers; otherwise messages are not even created.
	HasSubscribers(topic string) bool
	// Publish publishes a JSON text.
	Publish(topic string, text []byte)
}

// The topics. Source: src/rpc/zmq_pub.cpp, chain_contexts and others.
const (
	topicFullChain   = "json-full-chain_main"
	topicChain       = "json-minimal-chain_main"
	topicFullMiner   = "json-full-miner_data"
	topicFullPool    = "json-full-txpool_add"
	topicMinimalPool = "json-minimal-txpool_add"
)

// publish publishes the result of write if the topic has subscribers.
func publish(to Publisher, topic string, write func() []byte) {
	if to != nil && to.HasSubscribers(topic) {
		to.Publish(topic, write())
	}
}

// publishBlocks publishes blocks that have joined the main chain, one by one, and before them the miner data for the
// block after the newest. Source: src/cryptonote_core/blockchain.cpp, send_miner_notifications and m_block_notifiers.
func publishBlocks(to Publisher, v chain.View, a chain.Added) {
	if v.Top().ID == a.ID {
		// Subscribers see what restricted callers see.
		publish(to, topicFullMiner, func() []byte { return daemonrpc.PublishedMinerData(minerData(v, true)) })
	}
	for _, id := range a.Joined {
		b, _ := v.BlockByID(id)
		if b == nil {
			continue // replaced by another block in the same batch, and not kept as a branch
		}
		publish(to, topicFullChain, func() []byte { return daemonrpc.PublishedBlocks([]*block.Block{b.Block}) })
		publish(to, topicChain, func() []byte { return daemonrpc.PublishedIDs(b.Height, b.Block.Prev, id) })
	}
}

// publishPool publishes new transactions of the pool.
// Source: src/cryptonote_core/cryptonote_core.cpp, notify_txpool_event.
func publishPool(to Publisher, list []*chain.PoolTx) {
	publish(to, topicFullPool, func() []byte {
		txs := make([]*tx.Transaction, len(list))
		for i, p := range list {
			txs[i] = p.Tx.Tx
		}
		return daemonrpc.PublishedTxs(txs)
	})
	publish(to, topicMinimalPool, func() []byte {
		short := make([]daemonrpc.PublishedTx, len(list))
		for i, p := range list {
			short[i] = daemonrpc.PublishedTx{ID: p.ID, BlobSize: uint64(len(p.Blob)), Weight: p.Weight, Fee: p.Fee}
		}
		return daemonrpc.PublishedSummaries(short)
	})
}
