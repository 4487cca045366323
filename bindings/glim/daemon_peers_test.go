package main

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"glim/bindings/native/digest"
	"glim/core/daemonrpc"
	"glim/core/node"
	"glim/core/p2p/netaddr"
	"glim/core/rpc"
)

// TestDaemonsMeet: two daemons that flags join become one network; what operations tell and change of it is what is there; peers and
// whom to keep away are kept in the folder.
func TestDaemonsMeet(t *testing.T) {
	aRPC, aPeer, bRPC, bPeer := aPort(t), aPort(t), aPort(t), aPort(t)
	aDir, bDir := t.TempDir(), t.TempDir()
	list := filepath.Join(t.TempDir(), "bans")
	require.NoError(t, os.WriteFile(list, []byte("# nobody\n10.9.0.0/16 # them\n\n10.8.7.6\n"), 0o600))
	daemon := func(dir, port, peer string, more ...string) <-chan int {
		return start(t, append([]string{"daemon", "--regtest", "--fixed-difficulty", "1", "--data-dir", dir, "--keep-fakechain", "--rpc-bind-port", port,
			"--p2p-bind-ip", "127.0.0.1", "--p2p-bind-port", peer, "--allow-local-ip"}, more...)...)
	}
	aEnded := daemon(aDir, aRPC, aPeer, "--ban-list", list, "--limit-rate-up", "100")
	ended := daemon(bDir, bRPC, bPeer, "--add-priority-node", "127.0.0.1:"+aPeer, "--out-peers", "3")
	a, b, ctx := dial(t, aRPC, digest.Login{}), dial(t, bRPC, digest.Login{}), t.Context()
	level := func() {
		t.Helper()
		eventually(t, func() bool {
			x, err := rpc.Call(ctx, a, daemonrpc.GetInfo, daemonrpc.PayerOnly{})
			require.NoError(t, err)
			y, err := rpc.Call(ctx, b, daemonrpc.GetInfo, daemonrpc.PayerOnly{})
			require.NoError(t, err)
			require.False(t, x.Offline)
			return x.TopBlockHash == y.TopBlockHash && x.IncomingConnectionsCount == 1 && y.OutgoingConnectionsCount == 1 && y.Height > 1
		})
	}
	mine := func(tr rpc.Transport) {
		t.Helper()
		_, err := rpc.Call(ctx, tr, daemonrpc.GenerateBlocks, daemonrpc.GenerateBlocksRequest{AmountOfBlocks: 2, WalletAddress: node.Nobody()})
		require.NoError(t, err)
	}
	mine(a)
	level()
	mine(b)
	level()

	limits, err := rpc.Call(ctx, a, daemonrpc.GetLimit, daemonrpc.None{})
	require.NoError(t, err)
	require.Equal(t, [2]uint64{100, 8192}, [2]uint64{limits.LimitUp, limits.LimitDown})
	bans, err := rpc.Call(ctx, a, daemonrpc.GetBans, daemonrpc.None{})
	require.NoError(t, err)
	require.Len(t, bans.Bans, 2)
	require.Equal(t, "10.8.7.6", bans.Bans[0].Host)
	out, err := rpc.Call(ctx, b, daemonrpc.OutPeers, daemonrpc.OutPeersRequest{})
	require.NoError(t, err)
	require.EqualValues(t, 3, out.OutPeers)
	eventually(t, func() bool { // b says where it is reached, and is found there
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

	_, err = rpc.Call(ctx, b, daemonrpc.SetBans, daemonrpc.SetBansRequest{Bans: []daemonrpc.BanOrder{{Host: "10.1.2.3", Ban: true, Seconds: 1000}}})
	require.NoError(t, err)

	// No peers may come in, and none is there; then b goes, and comes back without being told of a.
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
	mine(a)
	ended = daemon(bDir, bRPC, bPeer)
	level()
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

// eventually waits for what happens elsewhere in its own time.
func eventually(t *testing.T, done func() bool) {
	t.Helper()
	tick := time.NewTicker(50 * time.Millisecond)
	defer tick.Stop()
	for over := time.After(5 * time.Minute); !done(); {
		select {
		case <-tick.C:
		case <-over:
			t.Fatal("waited in vain")
		}
	}
}

// TestPeersByName: addresses are taken as they are, names looked up, and what is neither refused.
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

// FuzzBans: any file of bans is read or refused, and what is read is written and read again.
func FuzzBans(f *testing.F) {
	f.Add("1.2.3.4 1790000000\n10.0.0.0/8 5\n2001:db8::1 -1\n")
	f.Fuzz(func(t *testing.T, text string) {
		all, err := parseBans([]byte(text))
		if err != nil {
			return
		}
		var bans []node.Ban
		for _, b := range all {
			bans = append(bans, node.Ban{Who: b.who, Seconds: 5})
		}
		again, err := parseBans(writeBans(time.Unix(100, 0), bans, nil))
		require.NoError(t, err)
		require.Len(t, again, len(all))
		for i, b := range again {
			require.Equal(t, keptBan{all[i].who, time.Unix(105, 0)}, b)
		}
	})
}

// FuzzBanList: any file is read or refused, and what is read can be read again.
func FuzzBanList(f *testing.F) {
	f.Add("1.2.3.4\n10.0.0.0/8 # them\n[2001:db8::1]\n")
	f.Fuzz(func(t *testing.T, text string) {
		all, err := parseBanList([]byte(text))
		if err != nil {
			return
		}
		require.LessOrEqual(t, len(all), strings.Count(text, "\n")+1)
		for _, who := range all {
			again, err := netaddr.ParseSubnet(who.String())
			require.NoError(t, err)
			require.Equal(t, who, again)
		}
	})
}
