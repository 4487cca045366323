package node

import (
	"context"
	"errors"
	"fmt"

	"glim/core/chain"
	"glim/core/daemonrpc"
	"glim/core/xmr"
)

type infoMessage struct {
	Info infoFields `json:"info"`
}

type infoFields struct {
	Height                    uint64   `json:"height"`
	TargetHeight              uint64   `json:"target_height"` // at least Height
	TopBlockHeight            uint64   `json:"top_block_height"`
	Difficulty                uint64   `json:"difficulty"`
	DifficultyTop64           uint64   `json:"difficulty_top64"`
	Target                    uint64   `json:"target"` // seconds between blocks
	TxCount                   uint64   `json:"tx_count"`
	TxPoolSize                uint64   `json:"tx_pool_size"`
	AltBlocksCount            uint64   `json:"alt_blocks_count"`
	OutgoingConnectionsCount  uint64   `json:"outgoing_connections_count"`
	IncomingConnectionsCount  uint64   `json:"incoming_connections_count"`
	WhitePeerlistSize         uint64   `json:"white_peerlist_size"`
	GreyPeerlistSize          uint64   `json:"grey_peerlist_size"`
	Mainnet                   bool     `json:"mainnet"`
	Testnet                   bool     `json:"testnet"`
	Stagenet                  bool     `json:"stagenet"`
	NetType                   string   `json:"nettype"` // always empty, as in the reference
	TopBlockHash              xmr.Hash `json:"top_block_hash"`
	CumulativeDifficulty      uint64   `json:"cumulative_difficulty"`
	CumulativeDifficultyTop64 uint64   `json:"cumulative_difficulty_top64"`
	BlockSizeLimit            uint64   `json:"block_size_limit"`
	BlockWeightLimit          uint64   `json:"block_weight_limit"`
	BlockSizeMedian           uint64   `json:"block_size_median"`
	BlockWeightMedian         uint64   `json:"block_weight_median"`
	AdjustedTime              uint64   `json:"adjusted_time"`
	StartTime                 uint64   `json:"start_time"`
	Version                   string   `json:"version"`
}

// messageInfo describes the state of the daemon. Source: src/rpc/daemon_handler.cpp.
func (s service) messageInfo(ctx context.Context, _ struct{}) (r infoMessage, err error) {
	i, err := s.getInfo(ctx, daemonrpc.PayerOnly{})
	if err != nil {
		return r, err
	}
	top, err := xmr.ParseHash(i.TopBlockHash)
	r.Info = infoFields{
		Height: i.Height, TargetHeight: max(i.TargetHeight, i.Height), TopBlockHeight: i.Height - 1,
		Difficulty: i.Difficulty, DifficultyTop64: i.DifficultyTop64, Target: i.Target, TxCount: i.TxCount,
		TxPoolSize: i.TxPoolSize, AltBlocksCount: i.AltBlocksCount,
		OutgoingConnectionsCount: i.OutgoingConnectionsCount, IncomingConnectionsCount: i.IncomingConnectionsCount,
		WhitePeerlistSize: i.WhitePeerlistSize, GreyPeerlistSize: i.GreyPeerlistSize,
		Mainnet: i.Mainnet, Testnet: i.Testnet, Stagenet: i.Stagenet, TopBlockHash: top,
		CumulativeDifficulty: i.CumulativeDifficulty, CumulativeDifficultyTop64: i.CumulativeDifficultyTop64,
		BlockSizeLimit: i.BlockSizeLimit, BlockWeightLimit: i.BlockWeightLimit,
		BlockSizeMedian: i.BlockSizeMedian, BlockWeightMedian: i.BlockWeightMedian,
		AdjustedTime: i.AdjustedTime, StartTime: i.StartTime, Version: i.Version,
	}
	return r, err
}

type feesRequest struct {
	NumGraceBlocks uint64 `json:"num_grace_blocks"`
}

type feesMessage struct {
	Fees             []uint64 `json:"fees"` // atomic units per byte
	EstimatedBaseFee uint64   `json:"estimated_base_fee"`
	FeeMask          uint64   `json:"fee_mask"`
	SizeScale        uint32   `json:"size_scale"` // bytes
	HardForkVersion  uint8    `json:"hard_fork_version"`
}

func (s service) messageFees(ctx context.Context, req feesRequest) (r feesMessage, err error) {
	levels, err := s.getFeeEstimate(ctx, daemonrpc.GetFeeEstimateRequest{GraceBlocks: req.NumGraceBlocks})
	if err != nil {
		return r, daemonrpc.MessageError("Grace blocks invalid In 2021 fee scaling estimate.")
	}
	fork, err := s.hardForkInfo(ctx, daemonrpc.HardForkInfoRequest{})
	return feesMessage{levels.Fees, levels.Fee, levels.QuantizationMask, 1, fork.Version}, err
}

type forkRequest struct {
	Version uint8 `json:"version"` // 0 for the newest
}

type forkMessage struct {
	Info forkFields `json:"info"`
}

type forkFields struct {
	Version        uint8  `json:"version"`
	Enabled        bool   `json:"enabled"`
	Window         uint32 `json:"window"`
	Votes          uint32 `json:"votes"`
	Threshold      uint32 `json:"threshold"`
	Voting         uint8  `json:"voting"`
	State          uint32 `json:"state"`
	EarliestHeight uint64 `json:"earliest_height"`
}

func (s service) messageHardFork(ctx context.Context, req forkRequest) (r forkMessage, err error) {
	f, err := s.hardForkInfo(ctx, daemonrpc.HardForkInfoRequest{Version: req.Version})
	r.Info = forkFields{f.Version, f.Enabled, f.Window, f.Votes, f.Threshold, f.Voting, f.State, f.EarliestHeight}
	return r, err
}

type histogramRequest struct {
	Amounts      []uint64 `json:"amounts"`
	MinCount     uint64   `json:"min_count"`
	MaxCount     uint64   `json:"max_count"`
	Unlocked     bool     `json:"unlocked"`
	RecentCutoff uint64   `json:"recent_cutoff"` // POSIX seconds
}

type histogramMessage struct {
	Histogram []amountCount `json:"histogram"`
}

type amountCount struct {
	Amount        uint64 `json:"amount"`
	TotalCount    uint64 `json:"total_count"`
	UnlockedCount uint64 `json:"unlocked_count"`
	RecentCount   uint64 `json:"recent_count"`
}

// messageHistogram counts outputs. Restricted callers have to name a recent cutoff.
func (s service) messageHistogram(ctx context.Context, req histogramRequest) (histogramMessage, error) {
	old := false
	s.view(func(v chain.View) { old = req.RecentCutoff < v.Now()-min(restrictedCutoff, v.Now()) })
	if s.limited && len(req.Amounts) > 0 && old {
		return histogramMessage{}, failed("Recent cutoff is too old")
	}
	h, err := s.getOutputHistogram(ctx, daemonrpc.GetOutputHistogramRequest{
		Amounts: req.Amounts, MinCount: req.MinCount, MaxCount: req.MaxCount, Unlocked: req.Unlocked,
		RecentCutoff: req.RecentCutoff,
	})
	if err == nil && h.Status != daemonrpc.StatusOK {
		err = failed(h.Status)
	}
	r := histogramMessage{[]amountCount{}}
	for _, e := range h.Histogram {
		r.Histogram = append(r.Histogram,
			amountCount{e.Amount, e.TotalInstances, e.UnlockedInstances, e.RecentInstances})
	}
	return r, err
}

type outputKeysRequest struct {
	Outputs []outputOf `json:"outputs"`
}

type outputOf struct {
	Amount uint64 `json:"amount"`
	Index  uint64 `json:"index"`
}

type outputKeysMessage struct {
	Keys []outputKey `json:"keys"`
}

type outputKey struct {
	Key      xmr.PublicKey `json:"key"`
	Mask     xmr.PublicKey `json:"mask"` // commitment
	Unlocked bool          `json:"unlocked"`
}

func (s service) messageOutputKeys(_ context.Context, req outputKeysRequest) (outputKeysMessage, error) {
	r := outputKeysMessage{[]outputKey{}}
	refs := make([]daemonrpc.OutputRef, len(req.Outputs))
	for i, o := range req.Outputs {
		refs[i] = daemonrpc.OutputRef{Amount: o.Amount, Index: o.Index}
	}
	list, refused := s.outs(refs, false)
	if refused == daemonrpc.StatusFailed {
		return r, failed(s.missingOutput(refs))
	} else if refused != "" {
		return r, failed(refused)
	}
	for _, o := range list {
		r.Keys = append(r.Keys, outputKey{o.Key, o.Mask, o.Unlocked})
	}
	return r, nil
}

// missingOutput names the first output that does not exist.
// Source: src/blockchain_db/lmdb/db_lmdb.cpp, get_output_key.
func (s service) missingOutput(refs []daemonrpc.OutputRef) (text string) {
	s.view(func(v chain.View) {
		for _, o := range refs {
			if _, found := v.Output(o.Amount, o.Index); !found {
				text = fmt.Sprintf("Attempting to get output pubkey by index, but key does not exist: "+
					"amount %d, index %d", o.Amount, o.Index)
				return
			}
		}
	})
	return text
}

type distributionRequest struct {
	Amounts    []uint64 `json:"amounts"`
	FromHeight uint64   `json:"from_height"`
	ToHeight   uint64   `json:"to_height"` // 0 for the top block
	Cumulative bool     `json:"cumulative"`
}

type distributionsMessage struct {
	Status        string                `json:"status"`
	Distributions []distributionMessage `json:"distributions"`
}

type distributionMessage struct {
	Distribution []uint64 `json:"distribution"`
	Amount       uint64   `json:"amount"`
	StartHeight  uint64   `json:"start_height"`
	Base         uint64   `json:"base"`
}

func (s service) messageDistribution(_ context.Context, req distributionRequest) (distributionsMessage, error) {
	r := distributionsMessage{daemonrpc.StatusOK, []distributionMessage{}}
	if s.limited && (len(req.Amounts) != 1 || req.Amounts[0] != 0) {
		return r, failed(onlyRingCT)
	}
	var err error
	s.view(func(v chain.View) {
		all := 0
		for _, amount := range req.Amounts {
			numbers, start, base, found := distribution(v, amount, req.FromHeight, req.ToHeight, req.Cumulative)
			all += len(numbers)
			switch {
			case !found:
				err = failed(noDistribution)
			case all > maxNumbers && len(r.Distributions) > 0:
				err = failed(tooManyAmounts)
			}
			if err != nil {
				return
			}
			r.Distributions = append(r.Distributions, distributionMessage{numbers, amount, start, base})
		}
	})
	return r, err
}

type versionMessage struct {
	Version uint32 `json:"version"`
}

func (s service) messageRPCVersion(context.Context, struct{}) (versionMessage, error) {
	return versionMessage{messageVersion}, nil
}

// messagePeers fails, as in the reference.
func (s service) messagePeers(context.Context, struct{}) (struct{}, error) {
	return struct{}{}, failed("RPC method not yet implemented.")
}

type startMiningRequest struct {
	MinerAddress       string `json:"miner_address"`
	ThreadsCount       uint64 `json:"threads_count"`
	DoBackgroundMining bool   `json:"do_background_mining"`
	IgnoreBattery      bool   `json:"ignore_battery"`
}

// messageStartMining starts mining. The reference has other texts for some errors than over HTTP.
func (s service) messageStartMining(_ context.Context, req startMiningRequest) (struct{}, error) {
	err := s.StartMining(req.MinerAddress, req.ThreadsCount, req.DoBackgroundMining, req.IgnoreBattery)
	switch {
	case err == nil:
		return struct{}{}, nil
	case errors.Is(err, errMinerSubaddress):
		return struct{}{}, failed("Failed, mining to subaddress isn't supported yet")
	case errors.Is(err, errMinerRuns):
		return struct{}{}, failed(errMinerFails.Error())
	}
	return struct{}{}, failed(err.Error())
}

func (s service) messageStopMining(context.Context, struct{}) (struct{}, error) {
	s.miner.halt()
	return struct{}{}, nil
}

type miningMessage struct {
	Active                    bool   `json:"active"`
	Speed                     uint64 `json:"speed"` // hashes a second
	ThreadsCount              uint64 `json:"threads_count"`
	Address                   string `json:"address"`
	IsBackgroundMiningEnabled bool   `json:"is_background_mining_enabled"`
}

func (s service) messageMiningStatus(ctx context.Context, _ struct{}) (miningMessage, error) {
	m, err := s.miningStatus(ctx, daemonrpc.None{})
	return miningMessage{m.Active, m.Speed, uint64(m.ThreadsCount), m.Address, m.IsBackgroundMiningEnabled}, err
}

func (s service) messageSave(context.Context, struct{}) (struct{}, error) {
	if err := s.chain.Save(); err != nil {
		return struct{}{}, failed("Error storing the blockchain")
	}
	return struct{}{}, nil
}

type logLevelRequest struct {
	Level int8 `json:"level"`
}

func (s service) messageLogLevel(ctx context.Context, req logLevelRequest) (struct{}, error) {
	if req.Level < 0 || req.Level > 4 {
		return struct{}{}, failed("Error: log level not valid")
	}
	_, err := s.setLogLevel(ctx, daemonrpc.SetLogLevelRequest{Level: req.Level})
	return struct{}{}, err
}
