package upstream

import (
	"glim/core/daemonrpc"
	"glim/core/rpc"
)

// register returns the operations that the local daemon does not handle while upstreams are in use.
func register(s service) *rpc.Registry {
	r := rpc.NewRegistry()
	rpc.Handle(r, daemonrpc.SetBootstrapDaemon, s.setBootstrapDaemon)
	rpc.Handle(r, daemonrpc.GetInfo, s.infoOver(rpc.JSONRPC))
	rpc.Handle(r, daemonrpc.GetInfoPath, s.infoOver(rpc.Path))

	handle(r, daemonrpc.GetBlockCount, s.getBlockCount)
	rpc.Handle(r, daemonrpc.OnGetBlockHash, s.onGetBlockHash)
	handle(r, daemonrpc.GetLastBlockHeader, s.getLastBlockHeader)
	handle(r, daemonrpc.GetBlockHeaderByHash, s.getBlockHeaderByHash)
	handle(r, daemonrpc.GetBlockHeaderByHeight, s.getBlockHeaderByHeight)
	handle(r, daemonrpc.GetBlockHeadersRange, s.getBlockHeadersRange)
	handle(r, daemonrpc.GetHeight, s.getHeight)
	handle(r, daemonrpc.GetBlock, s.getBlock)
	handle(r, daemonrpc.GetBlocks, s.getBlocks)
	handle(r, daemonrpc.GetBlocksByHeight, s.getBlocksByHeight)
	handle(r, daemonrpc.GetHashes, s.getHashes)
	handle(r, daemonrpc.GetCompactBlocks, s.getCompactBlocks)

	handle(r, daemonrpc.GetTransactions, s.getTransactions)
	handle(r, daemonrpc.IsKeyImageSpent, s.isKeyImageSpent)
	handle(r, daemonrpc.SendRawTransaction, s.sendRawTransaction)
	handle(r, daemonrpc.GetOutputIndices, s.getOutputIndices)
	handle(r, daemonrpc.GetOutsBin, s.getOutsBin)
	handle(r, daemonrpc.GetOuts, s.getOuts)
	handle(r, daemonrpc.GetOutputHistogram, s.getOutputHistogram)
	handle(r, daemonrpc.GetOutputDistributionBin, s.getOutputDistributionBin)
	handle(r, daemonrpc.GetOutputDistribution, s.getOutputDistribution)
	handle(r, daemonrpc.GetTxIDsLoose, s.getTxIDsLoose)
	handle(r, daemonrpc.GetTransactionPool, s.getTransactionPool)
	handle(r, daemonrpc.GetTransactionPoolHashesBin, s.getTransactionPoolHashesBin)
	handle(r, daemonrpc.GetTransactionPoolHashes, s.getTransactionPoolHashes)
	handle(r, daemonrpc.GetTxPoolBacklog, s.getTxPoolBacklog)
	handle(r, daemonrpc.GetTransactionPoolStats, s.getTransactionPoolStats)
	handle(r, daemonrpc.GetFeeEstimate, s.getFeeEstimate)
	handle(r, daemonrpc.HardForkInfo, s.hardForkInfo)
	handle(r, daemonrpc.GetVersion, s.getVersion)

	// The upstream chooses whom a template pays, and the choice cannot be checked here.
	deny(r, daemonrpc.GetBlockTemplate)
	deny(r, daemonrpc.GetMinerData)
	deny(r, daemonrpc.SubmitBlock)
	if s.c.Always { // these need a local chain
		deny(r, daemonrpc.GenerateBlocks)
		deny(r, daemonrpc.StartMining)
		deny(r, daemonrpc.PopBlocks)
		deny(r, daemonrpc.PruneBlockchain)
		deny(r, daemonrpc.RelayTx)
		deny(r, daemonrpc.FlushTxPool)
		deny(r, daemonrpc.GetCoinbaseTxSum)
		deny(r, daemonrpc.GetAlternateChains)
		deny(r, daemonrpc.GetAltBlocksHashes)
	}
	return r
}
