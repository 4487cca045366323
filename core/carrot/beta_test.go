package carrot

import (
	"encoding/hex"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"glim/core/address"
	"glim/core/crypto/edwards"
	"glim/core/keys"
	"glim/core/xmr"
)

// TestBetaCoinbases: the keys and the address of a wallet are those that the beta derives, and coinbases that the beta
// made for it contain what the beta finds in them. core/consensus/testdata/README.md describes the file.
func TestBetaCoinbases(t *testing.T) {
	text, err := os.ReadFile("../consensus/testdata/beta.txt")
	require.NoError(t, err)
	sections := strings.Split(string(text), "\n\n")
	require.Len(t, sections, 3)
	facts := func(section int) func(name string) string {
		return func(name string) string {
			for line := range strings.Lines(sections[section]) {
				if value, ok := strings.CutPrefix(line, name+" "); ok {
					return strings.TrimSpace(value)
				}
			}
			t.Fatal("no " + name)
			return ""
		}
	}
	raw := func(of string) []byte {
		b, err := hex.DecodeString(of)
		require.NoError(t, err)
		return b
	}

	general := facts(0)
	owner, err := keys.FromSeed(keys.Secret(raw(general("spend_key"))))
	require.NoError(t, err)
	view := owner.ViewSecret()
	require.Equal(t, raw(general("view_key")), view[:])
	main := address.Address{Network: xmr.Mainnet, Spend: owner.SpendPublic, View: owner.ViewPublic}
	require.Equal(t, general("address"), main.String())
	incoming, err := NewIncoming(Default, view, owner.SpendPublic)
	require.NoError(t, err)

	for i := range sections[1:] {
		of := facts(1 + i)
		number := func(name string) uint64 {
			n, err := strconv.ParseUint(of(name), 10, 64)
			require.NoError(t, err)
			return n
		}
		enote := CoinbaseEnote{
			Key: xmr.PublicKey(raw(of("onetime_address"))), Amount: number("amount"), Height: number("height"),
			Anchor: [16]byte(raw(of("anchor_enc"))), ViewTag: [3]byte(raw(of("view_tag"))),
			Ephemeral: [32]byte(raw(of("ephemeral_key"))),
		}
		shared := incoming.Shared(enote.Ephemeral)
		require.Equal(t, raw(of("shared_key")), shared[:])
		got, ok := incoming.ScanCoinbase(&enote)
		require.True(t, ok)
		g, h := edwards.EncodeScalar(got.ExtensionG), edwards.EncodeScalar(got.ExtensionT)
		require.Equal(t, raw(of("sender_extension_g")), g[:])
		require.Equal(t, raw(of("sender_extension_t")), h[:])
		require.Equal(t, number("amount"), got.Amount)
		enote.Amount++
		_, ok = incoming.ScanCoinbase(&enote)
		require.False(t, ok, "another amount has another key")
	}
}
