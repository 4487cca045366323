package walletseed

import (
	"encoding/hex"
	"encoding/json"
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"glim/core/address"
	"glim/core/bip39"
	"glim/core/internal/crypto/secp256k1"
	"glim/core/keys"
	"glim/core/mnemonic"
	"glim/core/xmr"
)

// vector has the keys of a seed. Its Source computed or published them.
type vector struct {
	Kind, Words, Passphrase    string
	Account                    uint32
	Seed, Spend, View, Address string
	Source                     string
}

func vectors(t *testing.T) (list []vector) {
	text, err := os.ReadFile("testdata/vectors.json")
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(text, &list))
	return list
}

func derive(t *testing.T, v vector) (*keys.Keys, error) {
	t.Helper()
	if v.Kind == "mymonero" {
		seed, _, err := mnemonic.Languages{mnemonic.English()}.DecodeMyMonero(v.Words)
		require.NoError(t, err)
		if v.Seed != "" {
			require.Equal(t, v.Seed, hex.EncodeToString(seed[:]))
		}
		return MyMonero(seed)
	}
	p, err := bip39.Decode(v.Words)
	require.NoError(t, err)
	seed, err := p.Seed(v.Passphrase)
	require.NoError(t, err)
	if v.Kind == "trezor" {
		return Trezor(seed, v.Account)
	}
	require.Equal(t, "ledger", v.Kind)
	return Ledger(seed, v.Account)
}

// TestPublishedWallets derives the keys and addresses that the makers of the wallets published, and others that another
// program computed.
func TestPublishedWallets(t *testing.T) {
	addresses := map[string]vector{}
	for _, v := range vectors(t) {
		k, err := derive(t, v)
		require.NoError(t, err)
		spend, ok := k.SpendSecret()
		require.True(t, ok)
		view := k.ViewSecret()
		at := address.At(xmr.Mainnet, keys.Index{}, k.SpendPublic, k.ViewPublic).String()
		for _, pair := range [][2]string{{v.Spend, hex.EncodeToString(spend[:])}, {v.View, hex.EncodeToString(view[:])},
			{v.Address, at}} {
			if pair[0] != "" {
				require.Equal(t, pair[0], pair[1], v)
			}
		}
		require.Equal(t, v.Kind != "mymonero", k.Deterministic(), "whether 25 words restore the wallet")
		require.NotContains(t, addresses, at, "every kind, passphrase and account is another wallet")
		addresses[at] = v
	}
	require.Len(t, addresses, 25)
}

// node2 is a key of the tree of test vector 2 of SLIP 10.
type node2 struct{ chain, private, public string }

// Source: github.com/satoshilabs/slips, slip-0010.md, test vectors 2 for secp256k1 and ed25519.
const seed2 = "fffcf9f6f3f0edeae7e4e1dedbd8d5d2cfccc9c6c3c0bdbab7b4b1aeaba8a5a29f9c999693908d8a8784817e7b7875726f6c" +
	"696663605d5a5754514e4b484542"

func seedOf2(t *testing.T) [bip39.SeedSize]byte {
	raw, err := hex.DecodeString(seed2)
	require.NoError(t, err)
	return [bip39.SeedSize]byte(raw)
}

func requireNode(t *testing.T, want node2, n *node) {
	t.Helper()
	require.Equal(t, want.chain, hex.EncodeToString(n.chain[:]))
	require.Equal(t, want.private, hex.EncodeToString(n.key[:]))
	if want.public != "" {
		public := secp256k1.PublicKey(&n.key)
		require.Equal(t, want.public, hex.EncodeToString(public[:]))
	}
}

// TestTreeOnSecp256k1 derives published keys with steps of both sorts.
func TestTreeOnSecp256k1(t *testing.T) {
	path := []uint32{0, hardened | 2147483647, 1, hardened | 2147483646, 2}
	seed := seedOf2(t)
	for depth, want := range []node2{
		{"60499f801b896d83179a4374aeb7822aaeaceaa0db1f85ee3e904c4defbd9689",
			"4b03d6fc340455b363f51020ad3ecca4f0850280cf436c70c727923f6db46c3e",
			"03cbcaa9c98c877a26977d00825c956a238e8dddfbd322cce4f74b0b5bd6ace4a7"},
		{"f0909affaa7ee7abe5dd4e100598d4dc53cd709d5a5c2cac40e7412f232f7c9c",
			"abe74a98f6c7eabee0428f53798f0ab8aa1bd37873999041703c742f15ac7e1e",
			"02fc9e5af0ac8d9b3cecfe2a888e2117ba3d089d8585886c9c826b6b22a98d12ea"},
		{"be17a268474a6bb9c61e1d720cf6215e2a88c5406c4aee7b38547f585c9a37d9",
			"877c779ad9687164e9c2f4f0f4ff0340814392330693ce95a58fe18fd52e6e93",
			"03c01e7425647bdefa82b12d9bad5e3e6865bee0502694b94ca58b666abc0a5c3b"},
		{"f366f48f1ea9f2d1d3fe958c95ca84ea18e4c4ddb9366c336c927eb246fb38cb",
			"704addf544a06e5ee4bea37098463c23613da32020d604506da8c0518e1da4b7",
			"03a7d1d856deb74c508e05031f9895dab54626251b3806e16b4bd12e781a7df5b9"},
		{"637807030d55d01f9a0cb3a7839515d796bd07706386a6eddf06cc29a65a0e29",
			"f1c7c871a54a804afe328b4c83a1c33b8e5ff48f5087273f04efa83b247d6a2d",
			"02d2b36900396c9282fa14628566582f206a5dd0bcc8d5e892611806cafb0301f0"},
		{"9452b549be8cea3ecb7a84bec10dcfd94afe4d129ebfd3b3cb58eedf394ed271",
			"bb7d39bdb83ecf58f2fd82b6d918341cbef428661ef01ab97c28a4842125ac23",
			"024d902e1a2fc7a8755ab5b694c575fce742c48d9ff192e63df5193e4c7afe1f9c"},
	} {
		n, err := bip32(&seed, path[:depth])
		require.NoError(t, err)
		requireNode(t, want, &n)
	}
}

// TestTreeOfEd25519 derives published keys.
func TestTreeOfEd25519(t *testing.T) {
	seed := seedOf2(t)
	n := master("ed25519 seed", &seed)
	requireNode(t, node2{chain: "ef70a74db9c3a5af931b5fe73ed8e1a53464133654fd55e7a66f8570b8e33c3b",
		private: "171cb88b1b3c1db25add599712e36245d75bc65a1a5c9e18d76f9f2b1eab4012"}, &n)
	for _, step := range []struct {
		i uint32
		node2
	}{
		{0, node2{chain: "0b78a3226f915c082bf118f83618a618ab6dec793752624cbeb622acb562862d",
			private: "1559eb2bbec5790b0c65d8693e4d0875b1747f4970ae8b650486ed7470845635"}},
		{2147483647, node2{chain: "138f0b2551bcafeca6ff2aa88ba8ed0ed8de070841f0c4ef0165df8181eaad7f",
			private: "ea4f5bfe8694d8bb74b7b59404632fd5968b774ed545e810de9c32a4fb4192f4"}},
		{1, node2{chain: "73bd9fff1cfbde33a1b846c27085f711c0fe2d66fd32e139d3ebc28e5a4a6b90",
			private: "3757c7577170179c7868353ada796c839135b3d30554bbb74a4b1e4a5a58505c"}},
		{2147483646, node2{chain: "0902fe8a29f9140480a00ef244bd183e8a13288e4412d8389d140aac1794825a",
			private: "5837736c89570de861ebc173b1086da4f505d4adb387c6a1b1342d5e4ac9ec72"}},
		{2, node2{chain: "5d70af781f3a37b829f0d060924d5e960bdc02e85423494afc0b1a41bbe196d4",
			private: "551d333177df541ad876a60ea71f00447931c0a9da16f227c11ea080d7391b8d"}},
	} {
		n.key, n.chain = n.hardened(step.i)
		requireNode(t, step.node2, &n)
	}
}

// TestAccounts refuses accounts that are no hardened step.
func TestAccounts(t *testing.T) {
	for _, account := range []uint32{hardened, hardened | 1, 1<<32 - 1} {
		_, err := Trezor(seedOf2(t), account)
		require.ErrorIs(t, err, ErrAccount)
		_, err = Ledger(seedOf2(t), account)
		require.ErrorIs(t, err, ErrAccount)
	}
}
