package node

import (
	"context"
	"encoding/hex"
	"encoding/json"
	"errors"
	"runtime"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"glim/core/block"
	"glim/core/chain"
	"glim/core/codec/epee"
	"glim/core/daemon"
	"glim/core/daemonrpc"
	"glim/core/internal/codec/wire"
	"glim/core/rpc"
	"glim/core/tx"
	"glim/core/xmr"
)

// clock is a settable clock.
type clock struct{ now uint64 }

func (c *clock) read() uint64 { return c.now }

// zeros is a pseudo-random source for keys of tests.
type zeros struct{ n byte }

func (z *zeros) Read(p []byte) (int, error) {
	for i := range p {
		z.n = z.n*5 + 17
		p[i] = z.n
	}
	return len(p), nil
}

func newTest(t testing.TB) (*Regtest, *clock) {
	t.Helper()
	c := &clock{1_700_000_000}
	n, err := NewRegtest(c.read, &zeros{})
	require.NoError(t, err)
	return n, c
}

func ask[Req, Resp any](t *testing.T, r rpc.Transport, m rpc.Method[Req, Resp], req Req) Resp {
	t.Helper()
	resp, err := rpc.Call(context.Background(), r, m, req)
	require.NoError(t, err, m.Name)
	return resp
}

func refused[Req, Resp any](t *testing.T, r rpc.Transport, m rpc.Method[Req, Resp], req Req) *rpc.Error {
	t.Helper()
	_, err := rpc.Call(context.Background(), r, m, req)
	var e *rpc.Error
	require.ErrorAs(t, err, &e, m.Name)
	return e
}

// TestRegtest mines, reorganises and funds a private chain, observed through a daemon client.
func TestRegtest(t *testing.T) {
	n, _ := newTest(t)
	ctx := context.Background()
	client := daemon.New(n.Registry())
	require.EqualValues(t, 1, n.Height())
	ids, err := n.Mine(ctx, 5, UnspendableAddress())
	require.NoError(t, err)
	require.Len(t, ids, 5)
	info, err := client.Info(ctx)
	require.NoError(t, err)
	require.EqualValues(t, 6, info.Height)
	require.Equal(t, ids[4], info.Top)

	others, err := n.Reorganise(ctx, 2, UnspendableAddress())
	require.NoError(t, err)
	require.Len(t, others, 3)
	require.EqualValues(t, 7, n.Height())
	require.Equal(t, others[2].String(), ask(t, n.Registry(), daemonrpc.GetHeight, daemonrpc.None{}).Hash)
	off := ask(t, n.Registry(), daemonrpc.GetAltBlocksHashes, daemonrpc.PayerOnly{}).BlksHashes
	require.Len(t, off, 2)
	orphan := ask(t, n.Registry(), daemonrpc.GetBlockHeaderByHash,
		daemonrpc.GetBlockHeaderByHashRequest{Hash: off[0].String()}).BlockHeader
	require.True(t, orphan.OrphanStatus)
	require.NotZero(t, orphan.LongTermWeight)
	require.NoError(t, n.Fund(ctx, 2, UnspendableAddress()))
	require.EqualValues(t, 69, n.Height())

	hashes, err := client.Hashes(ctx, []xmr.Hash{ids[2], xmr.Regtest.GenesisHash()})
	require.NoError(t, err)
	require.Len(t, hashes.IDs, 66)
	_, err = n.Reorganise(ctx, 1000, UnspendableAddress())
	require.NoError(t, err)
	require.EqualValues(t, 1002, n.Height())

	cancelled, cancel := context.WithCancel(ctx)
	cancel()
	_, err = n.Mine(cancelled, 5, UnspendableAddress())
	require.Error(t, err)
	require.EqualValues(t, 1002, n.Height())
}

// TestEveryOperationIsListed checks that all operations of the contract are served.
func TestEveryOperationIsListed(t *testing.T) {
	n, _ := newTest(t)
	served := map[string]bool{}
	for _, op := range n.Registry().Operations() {
		served[op.Name] = true
	}
	for _, op := range daemonrpc.Operations() {
		require.True(t, served[op.Name], op.Name)
	}
}

// TestRestrictedRPCLimits checks the limits of restricted RPC.
func TestRestrictedRPCLimits(t *testing.T) {
	n, c := newTest(t)
	_, err := n.Mine(context.Background(), 1200, UnspendableAddress())
	require.NoError(t, err)
	r := n.Restricted()
	var hashes, many []string
	for range 5001 {
		many = append(many, xmr.Hash{1}.String())
	}
	hashes = many[:101]
	require.Contains(t,
		ask(t, r, daemonrpc.GetTransactions, daemonrpc.GetTransactionsRequest{TxsHashes: hashes}).Status,
		"Too many transactions")
	require.Len(t,
		ask(t, n.Registry(), daemonrpc.GetTransactions, daemonrpc.GetTransactionsRequest{TxsHashes: hashes}).MissedTx,
		101)
	require.Contains(t, ask(t, r, daemonrpc.IsKeyImageSpent, daemonrpc.IsKeyImageSpentRequest{KeyImages: many}).Status,
		"Too many key images")
	require.Len(t,
		ask(t, r, daemonrpc.IsKeyImageSpent, daemonrpc.IsKeyImageSpentRequest{KeyImages: many[:5000]}).SpentStatus,
		5000)
	refs := make([]daemonrpc.OutputRef, 5001)
	require.Equal(t, "Too many outs requested",
		ask(t, r, daemonrpc.GetOutsBin, daemonrpc.GetOutsBinRequest{Outputs: refs}).Status)
	require.Equal(t, "Too many outs requested",
		ask(t, r, daemonrpc.GetOuts, daemonrpc.GetOutsRequest{Outputs: refs}).Status)
	require.Len(t, ask(t, n.Registry(), daemonrpc.GetOuts, daemonrpc.GetOutsRequest{Outputs: refs}).Outs, 5001)
	require.Contains(t, ask(t, r, daemonrpc.GetBlocksByHeight,
		daemonrpc.GetBlocksByHeightRequest{Heights: make([]uint64, 1001)}).Status,
		"Too many blocks")
	require.Equal(t, daemonrpc.CodeRestricted,
		refused(t, r, daemonrpc.GetBlockHeadersRange, daemonrpc.GetBlockHeadersRangeRequest{EndHeight: 1001}).Code)
	require.Len(t, ask(t, n.Registry(), daemonrpc.GetBlockHeadersRange,
		daemonrpc.GetBlockHeadersRangeRequest{EndHeight: 1001}).Headers,
		1002)
	require.Equal(t, daemonrpc.CodeRestricted,
		refused(t, r, daemonrpc.GetBlockHeaderByHash, daemonrpc.GetBlockHeaderByHashRequest{Hashes: many[:1001]}).Code)
	require.Equal(t, daemonrpc.CodeRestricted, refused(t, r, daemonrpc.GetOutputDistribution,
		daemonrpc.GetOutputDistributionRequest{Amounts: []uint64{5}}).Code)
	require.Equal(t, daemonrpc.CodeRestricted,
		refused(t, r, daemonrpc.AddAuxPow, daemonrpc.AddAuxPowRequest{AuxPow: make([]daemonrpc.AuxPow, 11)}).Code)
	require.Contains(t, ask(t, r, daemonrpc.GetOutputHistogram, daemonrpc.GetOutputHistogramRequest{}).Status,
		"Restricted RPC")
	require.Equal(t, "Recent cutoff is too old", ask(t, r, daemonrpc.GetOutputHistogram,
		daemonrpc.GetOutputHistogramRequest{Amounts: []uint64{0}, RecentCutoff: c.now - 4*86400}).Status)
	require.Equal(t, "OK", ask(t, r, daemonrpc.GetOutputHistogram,
		daemonrpc.GetOutputHistogramRequest{Amounts: []uint64{0}, RecentCutoff: 1<<64 - 1}).Status)
	require.Equal(t, daemonrpc.CodeInternal,
		refused(t, r, daemonrpc.GetFeeEstimate, daemonrpc.GetFeeEstimateRequest{GraceBlocks: 100}).Code)

	info := ask(t, r, daemonrpc.GetInfo, daemonrpc.PayerOnly{})
	require.True(t, info.Restricted)
	require.Zero(t, info.StartTime)
	require.EqualValues(t, uint64(1<<64-1), info.FreeSpace)
	require.Equal(t, c.now, ask(t, n.Registry(), daemonrpc.GetInfo, daemonrpc.PayerOnly{}).StartTime)

	// One response has at most a thousand blocks, also for unrestricted callers.
	blocks := ask(t, n.Registry(), daemonrpc.GetBlocks,
		daemonrpc.GetBlocksRequest{BlockIDs: []xmr.Hash{xmr.Regtest.GenesisHash()}})
	require.Len(t, blocks.Blocks, 1000)
	blocks = ask(t, n.Registry(), daemonrpc.GetBlocks, daemonrpc.GetBlocksRequest{StartHeight: 7, MaxBlockCount: 3})
	require.Len(t, blocks.Blocks, 3)
	require.Equal(t, "Failed, wrong requested info",
		ask(t, r, daemonrpc.GetBlocks, daemonrpc.GetBlocksRequest{RequestedInfo: 3}).Status)

	_, err = r.Serve(context.Background(), "/pop_blocks", nil, rpc.Options{Restricted: true})
	require.ErrorIs(t, err, rpc.ErrNoPath)
}

// TestAnswersAreBounded repeats elements of a request until the response would be too large.
func TestAnswersAreBounded(t *testing.T) {
	n, _ := newTest(t)
	ids, err := n.Mine(context.Background(), 1, UnspendableAddress())
	require.NoError(t, err)
	header := ask(t, n.Registry(), daemonrpc.GetLastBlockHeader, daemonrpc.GetLastBlockHeaderRequest{}).BlockHeader
	same := make([]string, rpc.MaxListed)
	for i := range same {
		same[i] = header.MinerTxHash
	}
	got := ask(t, n.Registry(), daemonrpc.GetTransactions,
		daemonrpc.GetTransactionsRequest{TxsHashes: same, DecodeAsJSON: true})
	require.Contains(t, got.Status, "too many transactions")
	require.Empty(t, got.Txs)
	for i := range same {
		same[i] = ids[0].String()
	}
	require.Equal(t, daemonrpc.CodeRestricted, refused(t, n.Registry(), daemonrpc.GetBlockHeaderByHash,
		daemonrpc.GetBlockHeaderByHashRequest{Hashes: same}).Code)

	// Each amount has one number for each block, even without outputs.
	_, err = n.Mine(context.Background(), 60, UnspendableAddress())
	require.NoError(t, err)
	amounts := make([]uint64, 75_000)
	for i := range amounts {
		amounts[i] = 1 + uint64(i)
	}
	all := daemonrpc.GetOutputDistributionRequest{Amounts: amounts}
	require.Equal(t, "Too many amounts requested",
		refused(t, n.Registry(), daemonrpc.GetOutputDistribution, all).Message)
	binary := daemonrpc.GetOutputDistributionRequest{Amounts: amounts, Binary: true, Compress: true}
	require.Equal(t, "Too many amounts requested",
		ask(t, n.Registry(), daemonrpc.GetOutputDistributionBin, binary).Status)
	all.Amounts = amounts[:1000]
	require.Len(t, ask(t, n.Registry(), daemonrpc.GetOutputDistribution, all).Distributions, 1000)

	// A large pool is not returned to restricted callers of messages.
	list := []*chain.PoolTx{{Tx: &chain.Tx{Blob: make([]byte, 60)}}, {Tx: &chain.Tx{Blob: make([]byte, 40)}}}
	require.True(t, poolFits(list, 100))
	require.False(t, poolFits(list, 99))
}

// TestReadersAndWriters calls all operations concurrently while blocks are added and removed.
func TestReadersAndWriters(t *testing.T) {
	n, _ := newTest(t)
	ctx := context.Background()
	_, err := n.Mine(ctx, 20, UnspendableAddress())
	require.NoError(t, err)
	stop := make(chan struct{})
	var readers sync.WaitGroup
	for i := range 4 {
		readers.Add(1)
		go func() {
			defer readers.Done()
			ops := daemonrpc.Operations()
			for at := i; ; at++ {
				select {
				case <-stop:
					return
				default:
				}
				op := ops[at%len(ops)]
				switch {
				case op.Name == "pop_blocks" || op.Name == "stop_daemon":
				case op.Wire == rpc.JSONRPC:
					_, _ = n.Registry().
						Post(ctx, "/json_rpc", []byte(`{"method":"`+op.Name+`","params":{"height":3,"amounts":[0]}}`))
				default:
					_, _ = n.Registry().Post(ctx, "/"+op.Name, nil)
				}
			}
		}()
	}
	for range 15 {
		_, err := n.Mine(ctx, 3, UnspendableAddress())
		require.NoError(t, err)
		_, err = n.Reorganise(ctx, 2, UnspendableAddress())
		require.NoError(t, err)
	}
	close(stop)
	readers.Wait()
	require.EqualValues(t, 1+20+15*4, n.Height())
}

// TestBans sets, lists, expires and lifts bans.
func TestBans(t *testing.T) {
	n, c := newTest(t)
	r := n.Registry()
	ask(t, r, daemonrpc.SetBans, daemonrpc.SetBansRequest{Bans: []daemonrpc.BanOrder{
		{
			Host:    "1.2.3.4",
			Ban:     true,
			Seconds: 100,
		}, {Host: "10.1.0.0/16", Ban: true, Seconds: 50}, {IP: 0x08080808, Ban: true, Seconds: 10},
		{Host: "abc.onion", Ban: true, Seconds: 70}, {Host: "[2001:db8::7]", Ban: true, Seconds: 60},
	}})
	bans := ask(t, r, daemonrpc.GetBans, daemonrpc.None{}).Bans
	require.Equal(t, []daemonrpc.Ban{
		{
			Host:    "1.2.3.4",
			IP:      0x04030201,
			Seconds: 100,
		},
		{Host: "2001:db8::7", Seconds: 60},
		{Host: "8.8.8.8", IP: 0x08080808, Seconds: 10},
		{Host: "abc.onion", Seconds: 70},
		{Host: "10.1.0.0/16", Seconds: 50},
	}, bans)
	require.Equal(t, daemonrpc.BannedResponse{Status: "OK", Banned: true, Seconds: 50},
		ask(t, r, daemonrpc.Banned, daemonrpc.BannedRequest{Address: "10.1.77.3:18080"}))
	require.False(t, ask(t, r, daemonrpc.Banned, daemonrpc.BannedRequest{Address: "10.2.77.3"}).Banned)
	require.True(t, ask(t, r, daemonrpc.Banned, daemonrpc.BannedRequest{Address: "abc.onion:80"}).Banned)
	c.now += 60
	require.Len(t, ask(t, r, daemonrpc.GetBans, daemonrpc.None{}).Bans, 2)
	ask(t, r, daemonrpc.SetBans,
		daemonrpc.SetBansRequest{Bans: []daemonrpc.BanOrder{{Host: "1.2.3.4"}, {Host: "9.9.9.9"}}})
	require.False(t, ask(t, r, daemonrpc.Banned, daemonrpc.BannedRequest{Address: "1.2.3.4"}).Banned)
	for _, bad := range []string{
		"1.2.3", "1.2.3.256", "01.2.3.4", "1.2.3.4/33", "1.2.3.4/", "host", "1.2.3.4.5", ":::",
	} {
		require.Equal(t, daemonrpc.CodeWrongParam, refused(t, r, daemonrpc.SetBans,
			daemonrpc.SetBansRequest{Bans: []daemonrpc.BanOrder{{Host: bad, Ban: true}}}).Code,
			bad)
	}
	require.Equal(t, "No ip/host supplied", refused(t, r, daemonrpc.SetBans,
		daemonrpc.SetBansRequest{Bans: []daemonrpc.BanOrder{{Ban: true, Seconds: 5}}}).Message)
	ask(t, r, daemonrpc.SetBans, daemonrpc.SetBansRequest{Bans: []daemonrpc.BanOrder{
		{Host: "7.7.7.7", Ban: true, Seconds: 50}, {Host: "7.7.0.0/16", Ban: true, Seconds: 50},
	}})
	require.NotEmpty(t, ask(t, r, daemonrpc.GetBans, daemonrpc.None{}).Bans)
	ask(t, r, daemonrpc.SetBans, daemonrpc.SetBansRequest{Bans: []daemonrpc.BanOrder{{Host: daemonrpc.AllHosts}}})
	require.Empty(t, ask(t, r, daemonrpc.GetBans, daemonrpc.None{}).Bans)
}

// TestHost checks the functions that the host provides.
func TestHost(t *testing.T) {
	var logged []string
	stopped := 0
	c := &clock{1_700_000_000}
	n, err := New(Config{
		Chain:   chain.Options{Network: xmr.Stagenet, FixedDifficulty: 1, Now: c.read, Random: &zeros{}},
		Version: "7.8", FreeSpace: func() uint64 { return 42 }, Stop: func() { stopped++ },
		SetLog: func(level string) string {
			logged = append(logged, level)
			return "now " + level
		},
	})
	require.NoError(t, err)
	r := n.Registry()
	info := ask(t, r, daemonrpc.GetInfoPath, daemonrpc.PayerOnly{})
	require.Equal(t, "7.8", info.Version)
	require.EqualValues(t, 42, info.FreeSpace)
	require.True(t, info.Stagenet)
	ask(t, r, daemonrpc.SetLogLevel, daemonrpc.SetLogLevelRequest{Level: 3})
	require.Equal(t, "now *:INFO",
		ask(t, r, daemonrpc.SetLogCategories, daemonrpc.SetLogCategoriesRequest{Categories: "*:INFO"}).Categories)
	require.Equal(t, []string{"3", "*:INFO"}, logged)
	ask(t, r, daemonrpc.StopDaemon, daemonrpc.None{})
	require.Equal(t, 1, stopped)
	require.Equal(t, daemonrpc.CodeRegtestRequired,
		refused(t, r, daemonrpc.GenerateBlocks, daemonrpc.GenerateBlocksRequest{AmountOfBlocks: 1}).Code)
}

// TestMiningWithWork mines with a proof-of-work function.
func TestMiningWithWork(t *testing.T) {
	c := &clock{1_700_000_000}
	tried := 0
	n, err := New(Config{Chain: chain.Options{
		Network: xmr.Regtest, FixedDifficulty: 4, Now: c.read, Random: &zeros{},
		PoW: func(_ uint8, _ uint64, _ xmr.Hash, blob []byte) (h xmr.Hash, err error) {
			tried++
			h[31] = blob[39] * 37 // from the nonce
			return h, nil
		},
	}})
	require.NoError(t, err)
	r := n.Registry()
	req := daemonrpc.GenerateBlocksRequest{AmountOfBlocks: 2, WalletAddress: UnspendableAddress(), StartingNonce: 2}
	require.Len(t, ask(t, r, daemonrpc.GenerateBlocks, req).Blocks, 2)
	require.Greater(t, tried, 4)
	last := ask(t, r, daemonrpc.GetLastBlockHeader, daemonrpc.GetLastBlockHeaderRequest{FillPowHash: true}).BlockHeader
	require.EqualValues(t, 4, last.Difficulty)
	require.EqualValues(t, 9, last.CumulativeDifficulty)
	require.Len(t, last.PowHash, 64)
	b := ask(t, r, daemonrpc.GetBlock, daemonrpc.GetBlockRequest{Hash: last.Hash})
	blob, err := hex.DecodeString(b.Blob)
	require.NoError(t, err)
	require.NotEmpty(t, blob)
	require.True(t, json.Valid([]byte(b.JSON)))
	var template daemonrpc.GetBlockTemplateResponse
	var raw []byte
	for _, size := range []uint64{255, 128, 127, 8} { // a length of 128 takes two bytes
		template = ask(t, r, daemonrpc.GetBlockTemplate,
			daemonrpc.GetBlockTemplateRequest{WalletAddress: UnspendableAddress(), ReserveSize: size})
		raw, err = hex.DecodeString(template.BlockTemplateBlob)
		require.NoError(t, err)
		reserved := raw[template.ReservedOffset : template.ReservedOffset+size]
		require.Equal(t, make([]byte, size), reserved)
		require.Equal(t, wire.AppendVarint([]byte{2}, size)[1:],
			raw[int(template.ReservedOffset)-wire.VarintLen(size):template.ReservedOffset])
		// The reserved bytes are the extra nonce of the coinbase; changing them changes nothing else.
		reserved[0], reserved[size-1] = 0xaa, 0xbb
		b, err := block.Parse(raw)
		require.NoError(t, err)
		extra, whole := tx.ParseExtra(b.MinerTx.Extra)
		require.True(t, whole)
		require.Equal(t, reserved, extra.Nonce)
		reserved[0], reserved[size-1] = 0, 0
	}
	hash := ask(t, r, daemonrpc.CalcPow,
		daemonrpc.CalcPowRequest{MajorVersion: 16, Height: 2, BlockBlob: template.BlockHashingBlob})
	require.Len(t, hash, 64)
	for i := range raw {
		raw[i] ^= 1
		_, err := rpc.Call(context.Background(), r, daemonrpc.SubmitBlock, []string{hex.EncodeToString(raw)})
		raw[i] ^= 1
		var e *rpc.Error
		require.True(t, err == nil || errors.As(err, &e))
	}
}

// TestMining starts, observes and stops mining threads.
func TestMining(t *testing.T) {
	c := &clock{1_700_000_000}
	n, err := New(Config{Chain: chain.Options{
		Network: xmr.Regtest, FixedDifficulty: 3, Now: c.read, Random: &locked{},
		PoW: func(_ uint8, _ uint64, _ xmr.Hash, blob []byte) (h xmr.Hash, err error) {
			h[31] = blob[39] * 37
			return h, nil
		},
	}})
	require.NoError(t, err)
	r := n.Registry()
	to := UnspendableAddress()
	require.False(t, ask(t, r, daemonrpc.MiningStatus, daemonrpc.None{}).Active)
	require.Equal(t, "Mining never started", ask(t, r, daemonrpc.StopMining, daemonrpc.None{}).Status)
	require.Equal(t, daemonrpc.StatusNotMining,
		ask(t, r, daemonrpc.SetLogHashRate, daemonrpc.SetLogHashRateRequest{}).Status)
	for _, bad := range []daemonrpc.StartMiningRequest{
		{}, {MinerAddress: "x"}, {MinerAddress: to, ThreadsCount: 1 << 40},
		{MinerAddress: to, DoBackgroundMining: true},
	} {
		require.Contains(t, ask(t, r, daemonrpc.StartMining, bad).Status, "Failed")
	}
	start := daemonrpc.StartMiningRequest{MinerAddress: to, ThreadsCount: 2}
	require.Equal(t, "OK", ask(t, r, daemonrpc.StartMining, start).Status)
	require.Equal(t, "Already mining", ask(t, r, daemonrpc.StartMining, start).Status)
	for ask(t, r, daemonrpc.GetHeight, daemonrpc.None{}).Height < 10 {
		runtime.Gosched()
	}
	status := ask(t, r, daemonrpc.MiningStatus, daemonrpc.None{})
	require.True(t, status.Active)
	require.Equal(t, to, status.Address)
	require.EqualValues(t, 2, status.ThreadsCount)
	require.Positive(t, status.Speed)
	require.Positive(t, status.BlockReward)
	require.EqualValues(t, 3, status.Difficulty)
	require.Equal(t, "OK", ask(t, r, daemonrpc.SetLogHashRate, daemonrpc.SetLogHashRateRequest{}).Status)
	require.Equal(t, "OK", ask(t, r, daemonrpc.StopMining, daemonrpc.None{}).Status)
	height := ask(t, r, daemonrpc.GetHeight, daemonrpc.None{}).Height
	require.False(t, ask(t, r, daemonrpc.MiningStatus, daemonrpc.None{}).Active)
	require.Equal(t, height, ask(t, r, daemonrpc.GetHeight, daemonrpc.None{}).Height)
	require.Equal(t, "OK", ask(t, r, daemonrpc.StartMining, start).Status)
	n.Close()
	require.False(t, ask(t, r, daemonrpc.MiningStatus, daemonrpc.None{}).Active)

	// Without a proof-of-work function, mining does not start.
	plain, _ := newTest(t)
	require.Equal(t, "Failed, mining not started", ask(t, plain.Registry(), daemonrpc.StartMining, start).Status)
}

// locked is a source for concurrent use.
type locked struct {
	mu sync.Mutex
	z  zeros
}

func (l *locked) Read(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.z.Read(p)
}

// FuzzServe sends arbitrary requests. Nothing may panic, and responses must be well-formed.
func FuzzServe(f *testing.F) {
	n, _ := newTest(f)
	if _, err := n.Mine(context.Background(), 3, UnspendableAddress()); err != nil {
		f.Fatal(err)
	}
	ops := daemonrpc.Operations()
	for i, op := range ops {
		f.Add(
			uint8(i),
			[]byte(`{"height":1,"hash":"00","txs_hashes":["00"],"outputs":[{"amount":0,"index":1}],"amounts":[0]}`),
		)
		if op.Wire == rpc.Binary {
			b, err := epee.Marshal(&daemonrpc.GetBlocksRequest{StartHeight: 1})
			if err != nil {
				f.Fatal(err)
			}
			f.Add(uint8(i), b)
		}
	}
	f.Fuzz(func(t *testing.T, which uint8, body []byte) {
		op := ops[int(which)%len(ops)]
		path := "/" + op.Name
		switch op.Name {
		case "generateblocks", "pop_blocks":
			return // they may run for as long as requested
		}
		if op.Wire == rpc.JSONRPC {
			if !json.Valid(body) {
				return
			}
			path, body = "/json_rpc", []byte(`{"method":"`+op.Name+`","params":`+string(body)+`}`)
		}
		for _, r := range []*rpc.Registry{n.Registry(), n.Restricted()} {
			answer, err := r.Serve(context.Background(), path, body, rpc.Options{})
			raw := op.Name == "get_txpool_backlog" || op.Name == "get_transaction_pool_hashes.bin" ||
				op.Name == "get_output_distribution"
			if err == nil && op.Wire != rpc.Binary && !raw && !json.Valid(answer) {
				t.Fatalf("%s: %q", op.Name, answer)
			}
		}
	})
}

// TestOptionsAreChecked checks that missing options are reported.
func TestOptionsAreChecked(t *testing.T) {
	_, err := NewRegtest(nil, &zeros{})
	require.ErrorContains(t, err, "Now")
	_, err = NewRegtest(func() uint64 { return 1 }, nil)
	require.ErrorContains(t, err, "random")
	_, err = New(Config{})
	require.ErrorContains(t, err, "Now")
}
