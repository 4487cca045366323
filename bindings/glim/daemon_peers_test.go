package main

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"glim/core/daemonrpc"
	"glim/core/node"
	"glim/core/p2p/netaddr"
	"glim/core/rpc"
	"glim/core/rpc/digest"
)

// awaitSameChain waits until a and b have the same chain of several blocks, and b is connected to a.
func awaitSameChain(t *testing.T, a, b rpc.Transport) {
	t.Helper()
	eventually(t, func() bool {
		x, err := rpc.Call(t.Context(), a, daemonrpc.GetInfo, daemonrpc.PayerOnly{})
		require.NoError(t, err)
		y, err := rpc.Call(t.Context(), b, daemonrpc.GetInfo, daemonrpc.PayerOnly{})
		require.NoError(t, err)
		require.False(t, x.Offline)
		connected := x.IncomingConnectionsCount == 1 && y.OutgoingConnectionsCount == 1
		return connected && x.TopBlockHash == y.TopBlockHash && y.Height > 1
	})
}

func mineTwo(t *testing.T, d rpc.Transport) {
	t.Helper()
	req := daemonrpc.GenerateBlocksRequest{AmountOfBlocks: 2, WalletAddress: node.UnspendableAddress()}
	_, err := rpc.Call(t.Context(), d, daemonrpc.GenerateBlocks, req)
	require.NoError(t, err)
}

// TestDaemonsConnectByFlags connects two daemons by flags. It checks synchronisation, the operations about peers, and
// that peers and bans survive a restart.
func TestDaemonsConnectByFlags(t *testing.T) {
	aRPC, aPeer, bRPC, bPeer := aPort(t), aPort(t), aPort(t), aPort(t)
	aDir, bDir := t.TempDir(), t.TempDir()
	list := filepath.Join(t.TempDir(), "bans")
	require.NoError(t, os.WriteFile(list, []byte("# comment\n10.9.0.0/16 # comment\n\n10.8.7.6\n"), 0o600))
	daemon := func(dir, port, peer string, more ...string) <-chan int {
		return start(t, append(
			[]string{
				"daemon", "--regtest", "--fixed-difficulty", "1", "--data-dir", dir, "--keep-fakechain",
				"--rpc-bind-port", port, "--p2p-bind-ip", "127.0.0.1", "--p2p-bind-port", peer, "--allow-local-ip",
			},
			more...)...)
	}
	aEnded := daemon(aDir, aRPC, aPeer, "--ban-list", list, "--limit-rate-up", "100")
	ended := daemon(bDir, bRPC, bPeer, "--add-priority-node", "127.0.0.1:"+aPeer, "--out-peers", "3")
	a, b, ctx := dial(t, aRPC, digest.Login{}), dial(t, bRPC, digest.Login{}), t.Context()
	mineTwo(t, a)
	awaitSameChain(t, a, b)
	mineTwo(t, b)
	awaitSameChain(t, a, b)

	limits, err := rpc.Call(ctx, a, daemonrpc.GetLimit, daemonrpc.None{})
	require.NoError(t, err)
	require.Equal(t, [2]uint64{100, 32768}, [2]uint64{limits.LimitUp, limits.LimitDown})
	limits, err = rpc.Call(ctx, b, daemonrpc.GetLimit, daemonrpc.None{})
	require.NoError(t, err)
	require.Equal(t, [2]uint64{8192, 32768}, [2]uint64{limits.LimitUp, limits.LimitDown}, "as in 0.18.4.0")
	bans, err := rpc.Call(ctx, a, daemonrpc.GetBans, daemonrpc.None{})
	require.NoError(t, err)
	require.Len(t, bans.Bans, 2)
	require.Equal(t, "10.8.7.6", bans.Bans[0].Host)
	out, err := rpc.Call(ctx, b, daemonrpc.OutPeers, daemonrpc.OutPeersRequest{})
	require.NoError(t, err)
	require.EqualValues(t, 3, out.OutPeers)
	eventually(t, func() bool { // b announces its port, and is found there
		peers, err := rpc.Call(ctx, a, daemonrpc.GetPeerList, daemonrpc.GetPeerListRequest{PublicOnly: true})
		require.NoError(t, err)
		return len(peers.WhiteList) == 1 && peers.WhiteList[0].Host == "127.0.0.1"
	})
	sync, err := rpc.Call(ctx, b, daemonrpc.SyncInfo, daemonrpc.PayerOnly{})
	require.NoError(t, err)
	require.Len(t, sync.Peers, 1)
	require.Equal(t, "127.0.0.1:"+aPeer, sync.Peers[0].Info.Address)
	require.EqualValues(t, 5, sync.Height)
	stats, err := rpc.Call(ctx, b, daemonrpc.GetNetStats, daemonrpc.None{})
	require.NoError(t, err)
	require.Positive(t, stats.TotalBytesIn)
	nodes, err := rpc.Call(ctx, b, daemonrpc.GetPublicNodes, daemonrpc.GetPublicNodesRequest{White: true, Gray: true})
	require.NoError(t, err)
	require.Empty(t, nodes.White)

	_, err = rpc.Call(ctx, b, daemonrpc.SetBans,
		daemonrpc.SetBansRequest{Bans: []daemonrpc.BanOrder{{Host: "10.1.2.3", Ban: true, Seconds: 1000}}})
	require.NoError(t, err)

	// With no incoming connections allowed, a has none; then b restarts without a flag that names a.
	_, err = rpc.Call(ctx, a, daemonrpc.InPeers, daemonrpc.InPeersRequest{Set: true, InPeers: 0})
	require.NoError(t, err)
	eventually(t, func() bool {
		c, err := rpc.Call(ctx, a, daemonrpc.GetConnections, daemonrpc.None{})
		require.NoError(t, err)
		return len(c.Connections) == 0
	})
	_, err = rpc.Call(ctx, b, daemonrpc.StopDaemon, daemonrpc.None{})
	require.NoError(t, err)
	require.Zero(t, <-ended)
	_, err = rpc.Call(ctx, a, daemonrpc.InPeers, daemonrpc.InPeersRequest{Set: true, InPeers: 8})
	require.NoError(t, err)
	mineTwo(t, a)
	ended = daemon(bDir, bRPC, bPeer)
	awaitSameChain(t, a, b)
	bans, err = rpc.Call(ctx, b, daemonrpc.GetBans, daemonrpc.None{})
	require.NoError(t, err)
	require.Len(t, bans.Bans, 1)
	require.Equal(t, "10.1.2.3", bans.Bans[0].Host)
	for tr, ended := range map[rpc.Transport]<-chan int{a: aEnded, b: ended} {
		_, err = rpc.Call(ctx, tr, daemonrpc.StopDaemon, daemonrpc.None{})
		require.NoError(t, err)
		require.Zero(t, <-ended)
	}
}

// eventually waits until done returns true.
func eventually(t *testing.T, done func() bool) {
	t.Helper()
	tick := time.NewTicker(50 * time.Millisecond)
	defer tick.Stop()
	for over := time.After(5 * time.Minute); !done(); {
		select {
		case <-tick.C:
		case <-over:
			t.Fatal("timed out")
		}
	}
}

// TestPeersByName checks the addresses of peers, given as IP address or host name, with or without a port.
func TestPeersByName(t *testing.T) {
	all, err := resolve(t.Context(), []string{"10.0.0.1", "10.0.0.2:5", "[2001:db8::1]:6"}, 18080)
	require.NoError(t, err)
	var text []string
	for _, a := range all {
		text = append(text, a.String())
	}
	require.Equal(t, []string{"10.0.0.1:18080", "10.0.0.2:5", "[2001:db8::1]:6"}, text)
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	for _, bad := range []string{"name:0", "name:70000", "name.invalid"} {
		_, err := resolve(ended, []string{bad}, 1)
		require.Error(t, err, bad)
	}
}

func TestBanList(t *testing.T) {
	_, err := parseBanList([]byte("1.2.3.4\n1.2.3.4/40\n"))
	require.ErrorContains(t, err, "line 2")
	_, err = readBanList(filepath.Join(t.TempDir(), "none"))
	require.Error(t, err)
}

// FuzzBans checks that parsed bans can be written and parsed again.
func FuzzBans(f *testing.F) {
	f.Add("1.2.3.4 1790000000\n10.0.0.0/8 5\n2001:db8::1 -1\n")
	f.Fuzz(func(t *testing.T, text string) {
		all, err := parseBans([]byte(text))
		if err != nil {
			return
		}
		var bans []node.Ban
		for _, b := range all {
			bans = append(bans, node.Ban{Subnet: b.subnet, Seconds: 5})
		}
		again, err := parseBans(writeBans(time.Unix(100, 0), bans, nil))
		require.NoError(t, err)
		require.Len(t, again, len(all))
		for i, b := range again {
			require.Equal(t, storedBan{all[i].subnet, time.Unix(105, 0)}, b)
		}
	})
}

// FuzzBanList checks that parsed entries of a ban list can be parsed again.
func FuzzBanList(f *testing.F) {
	f.Add("1.2.3.4\n10.0.0.0/8 # them\n[2001:db8::1]\n")
	f.Fuzz(func(t *testing.T, text string) {
		all, err := parseBanList([]byte(text))
		if err != nil {
			return
		}
		require.LessOrEqual(t, len(all), strings.Count(text, "\n")+1)
		for _, subnet := range all {
			again, err := netaddr.ParseSubnet(subnet.String())
			require.NoError(t, err)
			require.Equal(t, subnet, again)
		}
	})
}
