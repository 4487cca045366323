package scenario

import (
	"context"
	"crypto/rand"
	"math"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"glim/bindings/peers"
	"glim/bindings/peers/inprocess"
	"glim/core/chain"
	"glim/core/crypto/keccak"
	"glim/core/node"
	"glim/core/xmr"
)

// newWorking starts a daemon of ours whose blocks need some work, with a hash function that is faster than RandomX. No
// hash is valid for a block that would make the chain longer than most.
func newWorking(t *testing.T, most *atomic.Uint64) *peers.Daemon {
	t.Helper()
	n, err := node.New(node.Config{Chain: chain.Options{
		Network: xmr.Regtest, FixedDifficulty: 50, Random: rand.Reader,
		Now: func() uint64 { return uint64(time.Now().Unix()) },
		PoW: func(_ uint8, height uint64, _ xmr.Hash, blob []byte) (h xmr.Hash, err error) {
			if h = keccak.Sum256(blob); height >= most.Load() {
				h[31] = 0xff
			}
			return h, nil
		},
	}})
	require.NoError(t, err)
	d, err := inprocess.Serve(context.Background(), &node.Regtest{Node: n})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, d.Kill()) })
	return d
}

// TestReferenceWalletWithOurDaemon runs an unmodified monero-wallet-rpc with our daemon: it mines, syncs, pays in
// every way, is paid, proves, follows a reorganisation and rescans, and always gives the same answers as our wallet.
func TestReferenceWalletWithOurDaemon(t *testing.T) {
	t.Parallel()
	var most atomic.Uint64
	most.Store(30)
	d := newWorking(t, &most)
	theirs := newReference(t, d)
	ours := newGlimOn(t, d.Chain.Registry())
	restore(t, theirs, "alice", alice)
	restore(t, ours, "alice", alice)
	equal := func() {
		t.Helper()
		refresh(t, theirs, ours)
		compareAll(t, theirs, ours, 1)
	}
	mineTo := func(n int, who byte) { t.Helper(); mine(t, d, n, at(t, who, 0, 0)) }

	// The wallet starts and stops mining.
	require.Equal(t, -1, refusal(t, theirs, "stop_mining", nil).Code, "nothing is mined yet")
	do(t, theirs, "start_mining", object{"threads_count": 1, "do_background_mining": false, "ignore_battery": true})
	until(t, func() bool { height, _ := chainTop(t, d); return height == most.Load() })
	do(t, theirs, "stop_mining", nil)
	most.Store(math.MaxUint64)
	mineTo(80, nobody) // with only a few more outputs than it requests, the reference selects decoys for ever
	equal()
	require.Greater(t, ledger(t, theirs).Unlocked, uint64(10*coin))

	payee := at(t, bob, 0, 0)
	sent := pay(t, theirs, []destination{{payee, 2 * coin}, {at(t, carol, 0, 3), coin}}, nil)
	require.Equal(t, "pending", typeOf(t, theirs, sent.TxHash))
	mineTo(1, nobody)
	equal()
	theirProofs(t, theirs, sent, payee)
	ourPayment := pay(t, ours, []destination{{at(t, bob, 0, 1), coin}}, nil)
	refresh(t, theirs)
	mineTo(2, nobody)
	equal()
	base := object{"txid": ourPayment.TxHash, "address": at(t, alice, 0, 0)}
	require.True(t,
		judge(t, theirs, ours, "check_tx_proof",
			with(base, "signature", signature(t, theirs, "get_tx_proof", base))).Good)

	type list struct {
		Hashes []string `json:"tx_hash_list"`
	}
	split := call[list](t, theirs, "transfer_split", object{
		"destinations": []destination{{payee, coin}, {at(t, bob, 1, 1), 3 * coin}},
	})
	require.NotEmpty(t, split.Hashes)
	free := call[struct {
		Transfers []struct {
			Image string `json:"key_image"`
		}
	}](t, theirs, "incoming_transfers", object{"transfer_type": "available"}).Transfers
	single := call[struct {
		Hash string `json:"tx_hash"`
	}](t, theirs, "sweep_single", object{"address": payee, "key_image": free[0].Image}).Hash
	mineTo(1, nobody)
	equal()
	for _, id := range append(split.Hashes, single) {
		require.Equal(t, "out", typeOf(t, theirs, id))
	}

	// A reorganisation: payments return to the pool and are mined in other blocks.
	_, err := d.Chain.Reorganise(deadline(t), 3, at(t, nobody, 0, 0))
	require.NoError(t, err)
	mineTo(11, nobody)
	equal()
	swept := call[list](t, theirs, "sweep_all", object{"address": at(t, alice, 0, 0)})
	require.NotEmpty(t, swept.Hashes)
	mineTo(1, nobody)
	equal()
	before := ledger(t, theirs)
	do(t, theirs, "rescan_spent", nil)
	require.Equal(t, before, ledger(t, theirs))
	do(t, theirs, "rescan_blockchain", nil)
	equal()
}

// theirProofs makes and checks every kind of proof of a payment, both with the reference.
func theirProofs(t *testing.T, c caller, sent transferred, to string) {
	t.Helper()
	good := func(method string, params object) {
		t.Helper()
		require.True(t, call[judged](t, c, method, params).Good, method)
	}
	require.NotZero(t,
		call[judged](t, c, "check_tx_key", object{"txid": sent.TxHash, "tx_key": sent.TxKey, "address": to}).Received)
	paid := object{"txid": sent.TxHash, "address": to, "message": "paid"}
	good("check_tx_proof", with(paid, "signature", signature(t, c, "get_tx_proof", paid)))
	spent := object{"txid": sent.TxHash, "message": "spent"}
	good("check_spend_proof", with(spent, "signature", signature(t, c, "get_spend_proof", spent)))
	have := object{"message": "have"}
	good("check_reserve_proof",
		with(have, "address", at(t, alice, 0, 0), "signature",
			signature(t, c, "get_reserve_proof", with(have, "all", true))))
}

// TestReferenceSignersWithOurDaemon: wallets of the reference that sign together do so with our daemon: a view-only
// wallet with its cold signer, and two signers of a multisig wallet.
func TestReferenceSignersWithOurDaemon(t *testing.T) {
	t.Parallel()
	d := newMined(t)
	s := theirSigners{t, d, newReference(t, d), newReference(t, d)}
	s.cold()
	s.multisig()
}

// signedSet is any answer of operations that make, sign and submit transactions.
type signedSet struct {
	Unsigned string   `json:"unsigned_txset"`
	Multisig string   `json:"multisig_txset"`
	Signed   string   `json:"signed_txset"`
	Data     string   `json:"tx_data_hex"`
	Info     string   `json:"info"`
	IDs      []string `json:"tx_hash_list"`
}

// theirSigners are two wallet services of the reference.
type theirSigners struct {
	*testing.T
	d        *peers.Daemon
	one, two caller
}

// paid mines a transaction and finds it in a wallet.
func (s *theirSigners) paid(c caller, ids []string) {
	s.Helper()
	require.Len(s, ids, 1)
	mine(s.T, s.d, 1, at(s.T, nobody, 0, 0))
	refresh(s.T, c)
	require.Equal(s, "out", typeOf(s.T, c, ids[0]))
}

// cold pays from a view-only wallet, one, with its cold signer, two.
func (s *theirSigners) cold() {
	t, one, two := s.T, s.one, s.two
	t.Helper()
	restore(t, two, "cold", alice)
	view := call[struct{ Key string }](t, two, "query_key", object{"key_type": "view_key"}).Key
	do(t, one, "generate_from_keys", object{
		"filename": "hot", "password": "", "address": at(t, alice, 0, 0), "viewkey": view, "restore_height": 0,
	})
	refresh(t, one)
	pair := signers{hot: one, cold: two}
	require.NotZero(t, pair.share(t, true).Unspent)
	to := object{"destinations": []destination{{at(t, bob, 0, 0), coin}, {at(t, carol, 0, 1), 2 * coin}}}
	made := call[signedSet](t, one, "transfer", to)
	made = call[signedSet](t, two, "sign_transfer", object{"unsigned_txset": made.Unsigned})
	s.paid(one, call[signedSet](t, one, "submit_transfer", object{"tx_data_hex": made.Signed}).IDs)
}

// multisig sets up a 2-of-2 wallet and pays from it.
func (s *theirSigners) multisig() {
	t, d, one, two := s.T, s.d, s.one, s.two
	t.Helper()
	both := []caller{one, two}
	type shared struct {
		Address string `json:"address"`
		Info    string `json:"multisig_info"`
	}
	round := func(method string, said []shared, more object) (now []shared) {
		t.Helper()
		for i, c := range both {
			params := object{}
			if said != nil {
				params["multisig_info"] = []string{said[1-i].Info}
			}
			for k, v := range more {
				params[k] = v
			}
			now = append(now, call[shared](t, c, method, params))
		}
		return now
	}
	for _, c := range both {
		do(t, c, "create_wallet", object{"filename": "half", "language": "English"})
	}
	said := round("prepare_multisig", nil, object{"enable_multisig_experimental": true})
	said = round("make_multisig", said, object{"threshold": 2, "password": ""})
	said = round("exchange_multisig_keys", said, object{"password": ""})
	require.True(t, call[struct{ Ready bool }](t, two, "is_multisig", nil).Ready)
	address := said[0].Address
	require.Equal(t, address, said[1].Address)

	mine(t, d, 2, address)
	mine(t, d, 60, at(t, nobody, 0, 0))
	refresh(t, both...)
	require.NotZero(t, ledger(t, one).Unlocked)
	require.Equal(t, ledger(t, one), ledger(t, two))
	var infos []string
	for _, c := range both {
		infos = append(infos, call[signedSet](t, c, "export_multisig_info", nil).Info)
	}
	for i, c := range both {
		do(t, c, "import_multisig_info", object{"info": infos[1-i : 2-i]})
	}
	made := call[signedSet](t, one, "transfer", object{"destinations": []destination{{at(t, bob, 0, 0), coin}}})
	made = call[signedSet](t, two, "sign_multisig", object{"tx_data_hex": made.Multisig})
	require.Len(t, made.IDs, 1)
	s.paid(two, call[signedSet](t, two, "submit_multisig", object{"tx_data_hex": made.Data}).IDs)
}
