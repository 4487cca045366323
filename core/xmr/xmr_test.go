package xmr_test

import (
	"encoding/json"
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"glim/core/xmr"
)

func TestSum(t *testing.T) {
	for _, c := range []struct {
		amounts []uint64
		want    uint64
		err     error
	}{
		{nil, 0, nil},
		{[]uint64{1, 2, 3}, 6, nil},
		{[]uint64{math.MaxUint64, 0}, math.MaxUint64, nil},
		{[]uint64{math.MaxUint64, 1}, 0, xmr.ErrOverflow},
		{[]uint64{1 << 63, 1 << 63, 5}, 0, xmr.ErrOverflow},
	} {
		got, err := xmr.Sum(c.amounts...)
		require.ErrorIs(t, err, c.err)
		require.Equal(t, c.want, got)
	}
}

func TestFormatAmount(t *testing.T) {
	for v, want := range map[uint64]string{
		0: "0.000000000000", 1: "0.000000000001", xmr.Coin: "1.000000000000", 3 * xmr.Coin / 2: "1.500000000000",
		math.MaxUint64: "18446744.073709551615",
	} {
		require.Equal(t, want, xmr.FormatAmount(v))
	}
}

func TestHex(t *testing.T) {
	text := strings.Repeat("0123456789abcdef", 4)
	h, err := xmr.ParseHash(strings.ToUpper(text))
	require.NoError(t, err)
	require.Equal(t, text, h.String())
	require.False(t, h.IsZero())
	require.True(t, xmr.Hash{}.IsZero())
	k, err := xmr.ParseKey(text)
	require.NoError(t, err)
	require.Equal(t, [32]byte(h), k)
	type all struct {
		H xmr.Hash
		P xmr.PublicKey
		I xmr.KeyImage
	}
	b, err := json.Marshal(all{h, xmr.PublicKey(h), xmr.KeyImage(h)})
	require.NoError(t, err)
	require.Equal(t, 3, strings.Count(string(b), text))
	var back all
	require.NoError(t, json.Unmarshal(b, &back))
	require.Equal(t, all{h, xmr.PublicKey(h), xmr.KeyImage(h)}, back)
	require.Equal(t, text, back.P.String())
	require.Equal(t, text, back.I.String())
	for _, bad := range []string{
		"", text[1:], text + "0", "0x" + text[2:], text[:63] + "g", text[:63] + " ", strings.Repeat("é", 32),
	} {
		was := h
		require.ErrorIs(t, h.UnmarshalText([]byte(bad)), xmr.ErrHex, bad)
		require.Equal(t, was, h, "unchanged after an error")
		_, err := xmr.ParseKey(bad)
		require.ErrorIs(t, err, xmr.ErrHex)
	}
}

// TestNetworks checks that networks differ where they must, and that regtest equals mainnet where it must.
// Source: src/cryptonote_config.h.
func TestNetworks(t *testing.T) {
	names, tags, genesis := map[string]bool{}, map[uint64]bool{}, map[xmr.Hash]bool{}
	for _, n := range []xmr.Network{xmr.Mainnet, xmr.Testnet, xmr.Stagenet} {
		p := n.Prefixes()
		for _, tag := range []uint64{p.Standard, p.Integrated, p.Subaddress} {
			require.False(t, tags[tag])
			tags[tag] = true
		}
		require.False(t, names[n.String()])
		require.False(t, genesis[n.GenesisHash()])
		names[n.String()], genesis[n.GenesisHash()] = true, true
		require.Equal(t, n, n.AddressNetwork())
	}
	require.Equal(t, xmr.Mainnet, xmr.Regtest.AddressNetwork())
	require.Equal(t, xmr.Mainnet.Prefixes(), xmr.Regtest.Prefixes())
	require.Equal(t, xmr.Mainnet.GenesisHash(), xmr.Regtest.GenesisHash())
	require.Equal(t, "fakechain", xmr.Regtest.String())
	require.Equal(t, "network(9)", xmr.Network(9).String())
	require.Equal(t, []int{18081, 28081, 38081, 18081},
		[]int{xmr.Mainnet.DaemonPort(), xmr.Testnet.DaemonPort(), xmr.Stagenet.DaemonPort(), xmr.Regtest.DaemonPort()})
}
