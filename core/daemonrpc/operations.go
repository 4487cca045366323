package daemonrpc

import "glim/core/rpc"

// Operations returns every operation of a daemon, sorted by name, for parity tests and generators. The caller may
// modify the result.
func Operations() []*rpc.Operation {
	r := rpc.NewRegistry()
	for _, chapter := range []func(*rpc.Registry){
		listChain, listTransactions, listMining, listState, listControl, listPayments,
	} {
		chapter(r)
	}
	return r.Operations()
}

// list registers m without a handler.
func list[Req, Resp any](r *rpc.Registry, m rpc.Method[Req, Resp]) { rpc.Handle(r, m, nil) }

func listChain(r *rpc.Registry) {
	list(r, GetBlockCount)
	list(r, OnGetBlockHash)
	list(r, GetLastBlockHeader)
	list(r, GetBlockHeaderByHash)
	list(r, GetBlockHeaderByHeight)
	list(r, GetBlockHeadersRange)
	list(r, GetHeight)
	list(r, GetBlock)
	list(r, GetBlocks)
	list(r, GetBlocksByHeight)
	list(r, GetHashes)
	list(r, GetAltBlocksHashes)
	list(r, GetAlternateChains)
	list(r, PopBlocks)
	list(r, GetCoinbaseTxSum)
	list(r, PruneBlockchain)
	list(r, FlushCache)
	list(r, SaveBlockchain)
}

func listTransactions(r *rpc.Registry) {
	list(r, GetTransactions)
	list(r, IsKeyImageSpent)
	list(r, SendRawTransaction)
	list(r, RelayTx)
	list(r, GetOutputIndices)
	list(r, GetOutsBin)
	list(r, GetOuts)
	list(r, GetOutputHistogram)
	list(r, GetOutputDistributionBin)
	list(r, GetOutputDistribution)
	list(r, GetTransactionPool)
	list(r, GetTransactionPoolHashesBin)
	list(r, GetTransactionPoolHashes)
	list(r, GetTxPoolBacklog)
	list(r, GetTransactionPoolStats)
	list(r, FlushTxPool)
	list(r, GetFeeEstimate)
}

func listMining(r *rpc.Registry) {
	list(r, GetBlockTemplate)
	list(r, GetMinerData)
	list(r, CalcPow)
	list(r, AddAuxPow)
	list(r, SubmitBlock)
	list(r, GenerateBlocks)
	list(r, StartMining)
	list(r, StopMining)
	list(r, MiningStatus)
}

func listState(r *rpc.Registry) {
	list(r, GetInfo)
	list(r, GetInfoPath)
	list(r, HardForkInfo)
	list(r, GetVersion)
	list(r, SyncInfo)
	list(r, GetNetStats)
	list(r, GetConnections)
	list(r, GetPeerList)
	list(r, GetPublicNodes)
	list(r, GetLimit)
}

func listControl(r *rpc.Registry) {
	list(r, SetLimit)
	list(r, OutPeers)
	list(r, InPeers)
	list(r, SetBans)
	list(r, GetBans)
	list(r, Banned)
	list(r, SetLogHashRate)
	list(r, SetLogLevel)
	list(r, SetLogCategories)
	list(r, SetBootstrapDaemon)
	list(r, StopDaemon)
	list(r, Update)
}

func listPayments(r *rpc.Registry) {
	list(r, RPCAccessInfo)
	list(r, RPCAccessSubmitNonce)
	list(r, RPCAccessPay)
	list(r, RPCAccessTracking)
	list(r, RPCAccessData)
	list(r, RPCAccessAccount)
}
