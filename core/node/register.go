package node

import (
	"glim/core/daemonrpc"
	"glim/core/rpc"
)

// register returns the registry of all operations.
func register(s service) *rpc.Registry {
	r := rpc.NewRegistry()
	r.Before = s.tracker.before
	s.registerBlocks(r)
	s.registerTransactions(r)
	s.registerMining(r)
	s.registerInfo(r)
	s.registerControl(r)
	s.registerPayments(r)
	return r
}

func (s service) registerBlocks(r *rpc.Registry) {
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
	rpc.Handle(r, daemonrpc.GetCompactBlocks, s.getCompactBlocks)
	rpc.Handle(r, daemonrpc.GetAltBlocksHashes, s.getAltBlocksHashes)
	rpc.Handle(r, daemonrpc.GetAlternateChains, s.getAlternateChains)
	rpc.Handle(r, daemonrpc.PopBlocks, s.popBlocks)
	rpc.Handle(r, daemonrpc.GetCoinbaseTxSum, s.getCoinbaseTxSum)
	rpc.Handle(r, daemonrpc.PruneBlockchain, s.pruneBlockchain)
	rpc.Handle(r, daemonrpc.FlushCache, s.flushCache)
	rpc.Handle(r, daemonrpc.SaveBlockchain, s.saveBlockchain)
}

func (s service) registerTransactions(r *rpc.Registry) {
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
	rpc.Handle(r, daemonrpc.GetTxIDsLoose, s.getTxIDsLoose)
	rpc.Handle(r, daemonrpc.GetFeeEstimate, s.getFeeEstimate)
}

func (s service) registerMining(r *rpc.Registry) {
	rpc.Handle(r, daemonrpc.GetBlockTemplate, s.getBlockTemplate)
	rpc.Handle(r, daemonrpc.GetMinerData, s.getMinerData)
	rpc.Handle(r, daemonrpc.SubmitBlock, s.submitBlock)
	rpc.Handle(r, daemonrpc.GenerateBlocks, s.generateBlocks)
	rpc.Handle(r, daemonrpc.CalcPow, s.calcPow)
	rpc.Handle(r, daemonrpc.AddAuxPow, s.addAuxPow)
	rpc.Handle(r, daemonrpc.StartMining, s.startMining)
	rpc.Handle(r, daemonrpc.StopMining, s.stopMining)
	rpc.Handle(r, daemonrpc.MiningStatus, s.miningStatus)
}

func (s service) registerInfo(r *rpc.Registry) {
	rpc.Handle(r, daemonrpc.GetInfo, s.getInfo)
	rpc.Handle(r, daemonrpc.GetInfoPath, s.getInfo)
	rpc.Handle(r, daemonrpc.HardForkInfo, s.hardForkInfo)
	rpc.Handle(r, daemonrpc.GetVersion, s.getVersion)
	rpc.Handle(r, daemonrpc.SyncInfo, s.syncInfo)
	rpc.Handle(r, daemonrpc.GetNetStats, s.getNetStats)
	rpc.Handle(r, daemonrpc.GetConnections, s.getConnections)
	rpc.Handle(r, daemonrpc.GetPeerList, s.getPeerList)
	rpc.Handle(r, daemonrpc.GetPublicNodes, s.getPublicNodes)
	rpc.Handle(r, daemonrpc.GetLimit, s.getLimit)
}

func (s service) registerControl(r *rpc.Registry) {
	rpc.Handle(r, daemonrpc.SetLimit, s.setLimit)
	rpc.Handle(r, daemonrpc.OutPeers, s.outPeers)
	rpc.Handle(r, daemonrpc.InPeers, s.inPeers)
	rpc.Handle(r, daemonrpc.SetBans, s.setBans)
	rpc.Handle(r, daemonrpc.GetBans, s.getBans)
	rpc.Handle(r, daemonrpc.Banned, s.banned)
	rpc.Handle(r, daemonrpc.SetLogHashRate, s.setLogHashRate)
	rpc.Handle(r, daemonrpc.SetLogLevel, s.setLogLevel)
	rpc.Handle(r, daemonrpc.SetLogCategories, s.setLogCategories)
	rpc.Handle(r, daemonrpc.SetBootstrapDaemon, s.setBootstrapDaemon)
	rpc.Handle(r, daemonrpc.StopDaemon, s.stopDaemon)
	rpc.Handle(r, daemonrpc.Update, s.update)
}

func (s service) registerPayments(r *rpc.Registry) {
	rpc.Handle(r, daemonrpc.RPCAccessInfo, s.rpcAccessInfo)
	rpc.Handle(r, daemonrpc.RPCAccessSubmitNonce, s.rpcAccessSubmitNonce)
	rpc.Handle(r, daemonrpc.RPCAccessPay, s.rpcAccessPay)
	rpc.Handle(r, daemonrpc.RPCAccessTracking, s.rpcAccessTracking)
	rpc.Handle(r, daemonrpc.RPCAccessData, s.rpcAccessData)
	rpc.Handle(r, daemonrpc.RPCAccessAccount, s.rpcAccessAccount)
}
