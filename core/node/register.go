package node

import (
	"glim/core/daemonrpc"
	"glim/core/rpc"
)

// register lists the operations.
func register(s service) *rpc.Registry {
	r := rpc.NewRegistry()

	rpc.Handle(r, daemonrpc.GetBlockCount, s.getBlockCount)
	rpc.Handle(r, daemonrpc.OnGetBlockHash, s.onGetBlockHash)
	rpc.Handle(r, daemonrpc.GetLastBlockHeader, s.getLastBlockHeader)
	rpc.Handle(r, daemonrpc.GetBlockHeaderByHash, s.getBlockHeaderByHash)
	rpc.Handle(r, daemonrpc.GetBlockHeaderByHeight, s.getBlockHeaderByHeight)
	rpc.Handle(r, daemonrpc.GetBlockHeadersRange, s.getBlockHeadersRange)
	rpc.Handle(r, daemonrpc.GetHeight, s.getHeight)
	rpc.Handle(r, daemonrpc.GetBlock, s.getBlock)
	rpc.Handle(r, daemonrpc.GetBlocks, s.getBlocks)
	rpc.Handle(r, daemonrpc.GetBlocksByHeight, s.getBlocksByHeight)
	rpc.Handle(r, daemonrpc.GetHashes, s.getHashes)
	rpc.Handle(r, daemonrpc.GetAltBlocksHashes, s.getAltBlocksHashes)
	rpc.Handle(r, daemonrpc.GetAlternateChains, s.getAlternateChains)
	rpc.Handle(r, daemonrpc.PopBlocks, s.popBlocks)
	rpc.Handle(r, daemonrpc.GetCoinbaseTxSum, s.getCoinbaseTxSum)

	rpc.Handle(r, daemonrpc.GetTransactions, s.getTransactions)
	rpc.Handle(r, daemonrpc.IsKeyImageSpent, s.isKeyImageSpent)
	rpc.Handle(r, daemonrpc.SendRawTransaction, s.sendRawTransaction)
	rpc.Handle(r, daemonrpc.RelayTx, s.relayTx)
	rpc.Handle(r, daemonrpc.GetOutputIndices, s.getOutputIndices)
	rpc.Handle(r, daemonrpc.GetOutsBin, s.getOutsBin)
	rpc.Handle(r, daemonrpc.GetOuts, s.getOuts)
	rpc.Handle(r, daemonrpc.GetOutputHistogram, s.getOutputHistogram)
	rpc.Handle(r, daemonrpc.GetOutputDistributionBin, s.getOutputDistributionBin)
	rpc.Handle(r, daemonrpc.GetOutputDistribution, s.getOutputDistribution)
	rpc.Handle(r, daemonrpc.GetTransactionPool, s.getTransactionPool)
	rpc.Handle(r, daemonrpc.GetTransactionPoolHashesBin, s.getTransactionPoolHashesBin)
	rpc.Handle(r, daemonrpc.GetTransactionPoolHashes, s.getTransactionPoolHashes)
	rpc.Handle(r, daemonrpc.GetTxPoolBacklog, s.getTxPoolBacklog)
	rpc.Handle(r, daemonrpc.GetTransactionPoolStats, s.getTransactionPoolStats)
	rpc.Handle(r, daemonrpc.FlushTxPool, s.flushTxPool)
	rpc.Handle(r, daemonrpc.GetFeeEstimate, s.getFeeEstimate)

	rpc.Handle(r, daemonrpc.GetBlockTemplate, s.getBlockTemplate)
	rpc.Handle(r, daemonrpc.GetMinerData, s.getMinerData)
	rpc.Handle(r, daemonrpc.SubmitBlock, s.submitBlock)
	rpc.Handle(r, daemonrpc.GenerateBlocks, s.generateBlocks)

	rpc.Handle(r, daemonrpc.GetInfo, s.getInfo)
	rpc.Handle(r, daemonrpc.GetInfoPath, s.getInfo)
	rpc.Handle(r, daemonrpc.HardForkInfo, s.hardForkInfo)
	rpc.Handle(r, daemonrpc.GetVersion, s.getVersion)
	return r
}
