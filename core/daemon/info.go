package daemon

import (
	"context"

	"glim/core/daemonrpc"
	"glim/core/say"
	"glim/core/xmr"
)

// Info is what a daemon says about itself, all of it unproven. A lying daemon can pretend to be synchronised and hide
// the newest blocks, and so payments and the spending of outputs, or claim a height that never comes, so that a
// wallet shows itself as behind.
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

// Info asks the daemon about itself.
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
		return Info{}, lie("a chain of %d blocks, %d in the network", r.Height, r.TargetHeight)
	}
	if i.Top, err = xmr.ParseHash(r.TopBlockHash); err != nil {
		return Info{}, lie("top block: %w", err)
	}
	for _, n := range []xmr.Network{xmr.Mainnet, xmr.Testnet, xmr.Stagenet, xmr.Regtest} {
		if r.NetType == n.String() {
			i.Network = n
			return i, nil
		}
	}
	return Info{}, lie("unknown network %q", say.Short(r.NetType))
}

// Header is what a daemon says about a block, unproven but for its being about the block asked for. A lying daemon
// can shift times, and so where a search by date begins.
type Header struct {
	Height    uint64 // index
	Hash      xmr.Hash
	Prev      xmr.Hash
	Timestamp uint64 // seconds since 1970
	Major     uint8  // hard fork
	Weight    uint64 // bytes
	Reward    uint64 // atomic units
}

// Header asks for the header of the block at an index of the main chain.
func (c *Client) Header(ctx context.Context, height uint64) (Header, error) {
	r, err := call(ctx, c, daemonrpc.GetBlockHeaderByHeight, daemonrpc.GetBlockHeaderByHeightRequest{Height: height})
	if err != nil {
		return Header{}, err
	}
	b := r.BlockHeader
	h := Header{Height: b.Height, Timestamp: b.Timestamp, Major: b.MajorVersion, Weight: b.BlockWeight, Reward: b.Reward}
	if h.Height != height {
		return Header{}, lie("block %d instead of %d", h.Height, height)
	}
	if h.Hash, err = xmr.ParseHash(b.Hash); err != nil {
		return Header{}, lie("block hash: %w", err)
	}
	if h.Prev, err = xmr.ParseHash(b.PrevHash); err != nil {
		return Header{}, lie("parent hash: %w", err)
	}
	return h, nil
}

// HardFork is what a daemon says about a version of the protocol, unproven. A lying daemon can make a wallet build
// transactions that the network refuses.
type HardFork struct {
	Version        uint8
	Enabled        bool
	EarliestHeight uint64 // index
}

// HardFork asks about a version of the protocol; 0 for the current one.
func (c *Client) HardFork(ctx context.Context, version uint8) (HardFork, error) {
	r, err := call(ctx, c, daemonrpc.HardForkInfo, daemonrpc.HardForkInfoRequest{Version: version})
	if err != nil {
		return HardFork{}, err
	}
	if version != 0 && r.Version != version {
		return HardFork{}, lie("hard fork %d instead of %d", r.Version, version)
	}
	return HardFork{r.Version, r.Enabled, r.EarliestHeight}, nil
}

// Version is what a daemon says it speaks.
type Version struct{ Major, Minor uint16 }

// PoolInfo reports whether /get_blocks.bin brings changes of the pool along: since 3.11.
func (v Version) PoolInfo() bool { return v.Major > 3 || v.Major == 3 && v.Minor >= 11 }

// Version asks for the version of the daemon's interface.
func (c *Client) Version(ctx context.Context) (Version, error) {
	r, err := call(ctx, c, daemonrpc.GetVersion, daemonrpc.None{})
	if err != nil {
		return Version{}, err
	}
	return Version{uint16(r.Version >> 16), uint16(r.Version & 0xffff)}, nil
}

// FeeEstimate asks for fees, in atomic units a byte of weight by priority, lowest first, and for the number that
// transaction fees are rounded up to a multiple of. Nothing of it is proven: a lying daemon can make a wallet overpay
// or mark its transactions by odd fees, so the numbers need bounds before use.
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
			return nil, 0, lie("a fee of nothing")
		}
	}
	if r.QuantizationMask == 0 {
		return nil, 0, lie("fees rounded to multiples of 0")
	}
	return fees, r.QuantizationMask, nil
}
