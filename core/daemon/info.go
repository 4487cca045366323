package daemon

import (
	"context"

	"glim/core/daemonrpc"
	"glim/core/smallfmt"
	"glim/core/xmr"
)

// Info is what a daemon reports about itself. It is not proven: a malicious daemon can claim to be synchronised and
// hide the newest blocks with their payments and spends, or claim a height that is never reached, so that a wallet
// appears to be behind.
type Info struct {
	Network      xmr.Network
	Height       uint64   // count of blocks
	TargetHeight uint64   // count the network has, never less than Height
	Top          xmr.Hash // block Height−1
	Synchronized bool
	Untrusted    bool // the answer comes from the daemon's bootstrap daemon
	Restricted   bool
	Offline      bool
	PoolSize     uint64
	WeightLimit  uint64 // bytes a block may have
	WeightMedian uint64 // bytes; fees depend on it
	Target       uint64 // seconds between blocks
	Version      string
}

// Info requests the state of the daemon.
func (c *Client) Info(ctx context.Context) (Info, error) {
	r, err := call(ctx, c, daemonrpc.GetInfo, daemonrpc.PayerOnly{})
	if err != nil {
		return Info{}, err
	}
	i := Info{
		Height: r.Height, TargetHeight: max(r.Height, r.TargetHeight), Synchronized: r.Synchronized,
		Untrusted: r.Untrusted, Restricted: r.Restricted, Offline: r.Offline, PoolSize: r.TxPoolSize,
		WeightLimit: r.BlockWeightLimit, WeightMedian: r.BlockWeightMedian, Target: r.Target, Version: r.Version,
	}
	if i.Height == 0 || i.TargetHeight > maxHeight {
		return Info{}, invalid("a chain of %d blocks, %d in the network", r.Height, r.TargetHeight)
	}
	if i.Top, err = xmr.ParseHash(r.TopBlockHash); err != nil {
		return Info{}, invalid("top block: %w", err)
	}
	for _, n := range []xmr.Network{xmr.Mainnet, xmr.Testnet, xmr.Stagenet, xmr.Regtest} {
		if r.NetType == n.String() {
			i.Network = n
			return i, nil
		}
	}
	return Info{}, invalid("unknown network %q", smallfmt.Short(r.NetType))
}

// BlockHeader is a header as reported by a daemon. Only its height is checked against the request. A malicious daemon
// can change timestamps, and with them the start of a search by date.
type BlockHeader struct {
	Height    uint64 // index
	Hash      xmr.Hash
	Prev      xmr.Hash
	Timestamp uint64 // seconds since 1970
	Major     uint8  // hard fork
	Weight    uint64 // bytes
	Reward    uint64 // atomic units
}

// BlockHeader requests the header of the block at an index of the main chain.
func (c *Client) BlockHeader(ctx context.Context, height uint64) (BlockHeader, error) {
	r, err := call(ctx, c, daemonrpc.GetBlockHeaderByHeight, daemonrpc.GetBlockHeaderByHeightRequest{Height: height})
	if err != nil {
		return BlockHeader{}, err
	}
	b := r.BlockHeader
	h := BlockHeader{
		Height: b.Height, Timestamp: b.Timestamp, Major: b.MajorVersion, Weight: b.BlockWeight, Reward: b.Reward,
	}
	if h.Height != height {
		return BlockHeader{}, invalid("block %d instead of %d", h.Height, height)
	}
	if h.Hash, err = xmr.ParseHash(b.Hash); err != nil {
		return BlockHeader{}, invalid("block hash: %w", err)
	}
	if h.Prev, err = xmr.ParseHash(b.PrevHash); err != nil {
		return BlockHeader{}, invalid("parent hash: %w", err)
	}
	return h, nil
}

// HardFork describes a version of the protocol. It is not proven: a malicious daemon can make a wallet build
// transactions that the network rejects.
type HardFork struct {
	Version        uint8
	Enabled        bool
	EarliestHeight uint64 // index
}

// HardFork requests the state of a version of the protocol; 0 for the current one.
func (c *Client) HardFork(ctx context.Context, version uint8) (HardFork, error) {
	r, err := call(ctx, c, daemonrpc.HardForkInfo, daemonrpc.HardForkInfoRequest{Version: version})
	if err != nil {
		return HardFork{}, err
	}
	if version != 0 && r.Version != version {
		return HardFork{}, invalid("hard fork %d instead of %d", r.Version, version)
	}
	return HardFork{r.Version, r.Enabled, r.EarliestHeight}, nil
}

// Version is the version of the interface that a daemon reports.
type Version struct{ Major, Minor uint16 }

// PoolInfo reports whether /get_blocks.bin includes changes of the pool: from 3.11 on.
func (v Version) PoolInfo() bool { return v.Major > 3 || v.Major == 3 && v.Minor >= 11 }

// Version requests the version of the daemon's interface.
func (c *Client) Version(ctx context.Context) (Version, error) {
	r, err := call(ctx, c, daemonrpc.GetVersion, daemonrpc.None{})
	if err != nil {
		return Version{}, err
	}
	return Version{uint16(r.Version >> 16), uint16(r.Version & 0xffff)}, nil
}

// FeeEstimate requests fees in atomic units per byte of weight, lowest priority first, and the quantization mask, to a
// multiple of which transaction fees are rounded up. They are not proven: a malicious daemon can make a wallet
// overpay, or mark its transactions by unusual fees, so the caller must bound them.
func (c *Client) FeeEstimate(ctx context.Context) (fees []uint64, mask uint64, err error) {
	r, err := call(ctx, c, daemonrpc.GetFeeEstimate, daemonrpc.GetFeeEstimateRequest{})
	if err != nil {
		return nil, 0, err
	}
	fees = r.Fees
	if len(fees) == 0 { // before hard fork 15
		fees = []uint64{r.Fee}
	}
	for _, f := range fees {
		if f == 0 {
			return nil, 0, invalid("a fee of nothing")
		}
	}
	if r.QuantizationMask == 0 {
		return nil, 0, invalid("fees rounded to multiples of 0")
	}
	return fees, r.QuantizationMask, nil
}
