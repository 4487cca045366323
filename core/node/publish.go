package node

import (
	"glim/core/block"
	"glim/core/chain"
	"glim/core/daemonrpc"
	"glim/core/tx"
)

// Publisher tells subscribers what happens to a chain, by topic. Methods may be called from several goroutines; they wait for nobody and
// call no chain.
type Publisher interface {
	// Wanted reports whether somebody subscribes to a topic: what nobody wants is not written.
	Wanted(topic string) bool
	// Publish tells them. The text is JSON.
	Publish(topic string, text []byte)
}

// The topics there are. Source: src/rpc/zmq_pub.cpp, chain_contexts and others.
const (
	topicFullChain   = "json-full-chain_main"
	topicChain       = "json-minimal-chain_main"
	topicFullMiner   = "json-full-miner_data"
	topicFullPool    = "json-full-txpool_add"
	topicMinimalPool = "json-minimal-txpool_add"
)

// publish tells a topic what write returns, if somebody wants it.
func publish(to Publisher, topic string, write func() []byte) {
	if to != nil && to.Wanted(topic) {
		to.Publish(topic, write())
	}
}

// publishBlocks tells what has joined the main chain, each block by itself, and before that, of the newest alone, what the next one is made
// with. Source: src/cryptonote_core/blockchain.cpp, send_miner_notifications and m_block_notifiers.
func publishBlocks(to Publisher, v chain.View, a chain.Added) {
	if v.Top().ID == a.ID {
		publish(to, topicFullMiner, func() []byte { return daemonrpc.PublishedMinerData(minerData(v, true)) }) // subscribers are strangers
	}
	for _, id := range a.Joined {
		b, _ := v.BlockByID(id)
		if b == nil {
			continue // another has overtaken it in the same batch, and there was no room for it beside
		}
		publish(to, topicFullChain, func() []byte { return daemonrpc.PublishedBlocks([]*block.Block{b.Block}) })
		publish(to, topicChain, func() []byte { return daemonrpc.PublishedIDs(b.Height, b.Block.Prev, id) })
	}
}

// publishPool tells what has come into the pool. Source: src/cryptonote_core/cryptonote_core.cpp, notify_txpool_event.
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
