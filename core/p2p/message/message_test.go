package message

import (
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"glim/core/block"
	"glim/core/p2p/levin"
	"glim/core/p2p/netaddr"
	"glim/core/tx"
	"glim/core/xmr"
)

// recorded returns the frames of a file in testdata.
func recorded(t testing.TB, name string) (list []levin.Frame) {
	b, err := os.ReadFile("testdata/" + name)
	require.NoError(t, err)
	d := levin.Decoder{Max: levin.MaxAfter, Limit: MaxBytes}
	d.Write(b)
	for {
		f, ok, err := d.Next()
		require.NoError(t, err)
		if !ok {
			return list
		}
		list = append(list, f)
	}
}

// empty returns a value to decode the body of a frame into, or nil for an unknown command.
func empty(f levin.Frame) any {
	if f.IsResponse() {
		switch f.Command {
		case Handshake:
			return new(HandshakeResponse)
		case TimedSync:
			return new(TimedSyncResponse)
		case Ping:
			return new(PingResponse)
		case SupportFlags:
			return new(SupportFlagsResponse)
		}
		return nil
	}
	switch f.Command {
	case Handshake:
		return new(HandshakeRequest)
	case TimedSync:
		return new(TimedSyncRequest)
	case Ping, SupportFlags:
		return new(Empty)
	case NewBlock, NewFluffyBlock:
		return new(BlockNotice)
	case NewTxs:
		return new(TxsNotice)
	case GetObjects:
		return new(ObjectsRequest)
	case Objects:
		return new(ObjectsResponse)
	case GetChain:
		return new(ChainRequest)
	case Chain:
		return new(ChainResponse)
	case GetMissingTxs:
		return new(MissingTxsRequest)
	case PoolComplement:
		return new(PoolRequest)
	}
	return nil
}

// TestRecorded checks that all messages recorded between two monerod are decoded, and encoded byte for byte.
func TestRecorded(t *testing.T) {
	commands := map[uint32]bool{}
	for _, name := range []string{"caller.bin", "called.bin"} {
		for i, f := range recorded(t, name) {
			v := empty(f)
			require.NotNil(t, v, "%s, frame %d", name, i)
			require.NoError(t, Decode(f.Body, v))
			require.Equal(t, f.Body, Encode(v), "%s, frame %d, command %d", name, i, f.Command)
			require.Equal(t, f.Command < 2000 && !f.IsResponse(), f.Expect)
			if f.IsResponse() {
				require.EqualValues(t, levin.OK, f.Code)
			}
			commands[f.Command] = true
		}
	}
	require.Equal(t,
		map[uint32]bool{Handshake: true, TimedSync: true, GetChain: true, Chain: true, GetObjects: true, Objects: true,
			PoolComplement: true, NewTxs: true, NewFluffyBlock: true},
		commands)
}

// TestRecordedContents checks values in recorded messages.
func TestRecordedContents(t *testing.T) {
	caller, called := recorded(t, "caller.bin"), recorded(t, "called.bin")
	var hello HandshakeRequest
	require.NoError(t, Decode(caller[0].Body, &hello))
	require.Equal(t, NetworkID(xmr.Regtest), hello.Node.NetworkID)
	require.EqualValues(t, FluffyBlocks, hello.Node.SupportFlags)
	require.Equal(t, SyncData{Height: 1, Cumulative: 1, TopID: xmr.Regtest.GenesisHash(), TopVersion: 1}, hello.Sync)
	var answer HandshakeResponse
	require.NoError(t, Decode(called[0].Body, &answer))
	require.EqualValues(t, 81, answer.Sync.Height)
	require.EqualValues(t, 16, answer.Sync.TopVersion)
	require.EqualValues(t, 81, answer.Sync.Cumulative)
	require.NotZero(t, answer.Node.PeerID)
	require.NotZero(t, answer.Node.Port)

	var chain ChainResponse
	require.NoError(t, Decode(called[1].Body, &chain))
	require.Len(t, chain.IDs, 81)
	require.Len(t, chain.Weights, 81)
	require.Equal(t, answer.Sync.TopID, chain.IDs[80])
	height := 1
	for _, f := range called[2:6] {
		var objects ObjectsResponse
		require.NoError(t, Decode(f.Body, &objects))
		for _, b := range objects.Blocks {
			parsed, err := block.Parse(b.Blob)
			require.NoError(t, err)
			id, err := parsed.Hash()
			require.NoError(t, err)
			require.Equal(t, chain.IDs[height], id)
			height++
		}
	}
	require.Equal(t, 81, height)
	first, err := block.Parse(chain.FirstBlock)
	require.NoError(t, err)
	id, err := first.Hash()
	require.NoError(t, err)
	require.Equal(t, chain.IDs[1], id)

	var txs TxsNotice
	require.NoError(t, Decode(caller[7].Body, &txs))
	require.False(t, txs.Fluff, "on the stem")
	require.Len(t, txs.Txs, 1)
	paid, err := tx.Parse(txs.Txs[0])
	require.NoError(t, err)
	paidID, err := paid.Hash()
	require.NoError(t, err)
	var notice BlockNotice
	require.NoError(t, Decode(caller[8].Body, &notice))
	require.EqualValues(t, 82, notice.Height)
	require.Empty(t, notice.Block.Txs)
	parsed, err := block.Parse(notice.Block.Blob)
	require.NoError(t, err)
	require.Equal(t, []xmr.Hash{paidID}, parsed.TxHashes)
}

// TestRound encodes and decodes messages that were not recorded.
func TestRound(t *testing.T) {
	for _, c := range []struct{ v, empty any }{
		{&HandshakeResponse{
			Node: Node{PeerID: 7, Port: 18080, RPCPort: 18081, RPCCredits: 3},
			Sync: SyncData{Height: 9, PruningSeed: 385},
			Peers: []Peer{
				{
					Address: FromAddress(netaddr.FromBytes([]byte{1, 2, 3, 4}, 18080)),
					ID:      5, RPCPort: 1, PruningSeed: 384, LastSeen: 8,
				},
				{Address: FromAddress(netaddr.FromBytes([]byte{0x20, 1, 15: 9}, 28080)), ID: 6},
			}}, new(HandshakeResponse)},
		{&PingResponse{Status: PingOK, PeerID: 1 << 63}, new(PingResponse)},
		{&SupportFlagsResponse{SupportFlags: 1}, new(SupportFlagsResponse)},
		{&MissingTxsRequest{ID: xmr.Hash{4}, Height: 5, Indices: []uint64{0, 1 << 40}}, new(MissingTxsRequest)},
		{&ObjectsRequest{Blocks: []xmr.Hash{{1}, {2}}, Prune: true}, new(ObjectsRequest)},
		{&ObjectsResponse{Height: 1, Missed: []xmr.Hash{{7}}, Blocks: []Block{
			{Blob: []byte("whole"), Txs: []Tx{{Blob: []byte("a")}, {Blob: []byte("b")}}},
			{
				Blob: []byte("pruned"), Pruned: true, Weight: 99,
				Txs: []Tx{{Blob: []byte("c"), Prunable: xmr.Hash{3}, Pruned: true}},
			}}},
			new(ObjectsResponse)},
		{&TxsNotice{Txs: [][]byte{{1}}, Padding: []byte("  "), Fluff: true}, new(TxsNotice)},
	} {
		require.NoError(t, Decode(Encode(c.v), c.empty))
		require.Equal(t, c.v, c.empty)
	}
	// Without the field, a notice is in the fluff phase, as before Dandelion++.
	var n TxsNotice
	require.NoError(t, Decode(Encode(Empty{}), &n))
	require.True(t, n.Fluff)
}

// TestAddresses checks address types. Source: contrib/epee/include/net/enums.h, address_type.
func TestAddresses(t *testing.T) {
	for _, a := range []netaddr.Address{
		netaddr.FromBytes([]byte{127, 0, 0, 1}, 1), netaddr.FromBytes([]byte{0xfe, 0x80, 15: 1}, 65535),
	} {
		require.Equal(t, a, FromAddress(a).Address())
	}
	four := uint32(0x0100007f)
	require.Equal(t, "127.0.0.1:80", Address{Type: 1, Addr: AddressBody{IPv4: &four, Port: 80}}.Address().String())
	for _, bad := range []Address{
		{}, {Type: 1}, {Type: 2, Addr: AddressBody{IPv4: &four}}, {Type: 2, Addr: AddressBody{IPv6: make([]byte, 4)}},
		{Type: 4, Addr: AddressBody{IPv4: &four}},
		{Type: 2, Addr: AddressBody{IPv6: []byte{10: 0xff, 11: 0xff, 12: 8, 15: 8}, Port: 80}}, // IPv4-mapped
	} {
		require.False(t, bad.Address().Valid())
	}
}

func TestNetworkIDs(t *testing.T) {
	require.Equal(t, NetworkID(xmr.Mainnet), NetworkID(xmr.Regtest))
	require.NotEqual(t, NetworkID(xmr.Mainnet), NetworkID(xmr.Testnet))
	require.NotEqual(t, NetworkID(xmr.Stagenet), NetworkID(xmr.Testnet))
}

// FuzzMessages checks that decoded messages can be encoded and decoded again.
func FuzzMessages(f *testing.F) {
	for _, name := range []string{"caller.bin", "called.bin"} {
		for _, frame := range recorded(f, name) {
			f.Add(frame.Command, frame.IsResponse(), frame.Body)
		}
	}
	f.Add(uint32(Objects), false, Encode(ObjectsResponse{Blocks: []Block{{Pruned: true, Txs: []Tx{{Pruned: true}}}}}))
	f.Add(
		uint32(TimedSync),
		true,
		Encode(TimedSyncResponse{Peers: []Peer{{Address: FromAddress(netaddr.FromBytes(make([]byte, 16), 1))}}}),
	)
	f.Fuzz(func(t *testing.T, command uint32, response bool, body []byte) {
		frame := levin.Frame{Command: command, Body: body}
		if response {
			frame.Flags = levin.Response
		}
		v, again := empty(frame), empty(frame)
		if v == nil || Decode(body, v) != nil {
			return
		}
		once := Encode(v)
		require.NoError(t, Decode(once, again))
		require.Equal(t, once, Encode(again))
	})
}
