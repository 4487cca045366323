package service

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"glim/core/chaintest"
	"glim/core/journal"
	"glim/core/keys"
	"glim/core/rpc"
	"glim/core/wallet"
	"glim/core/xmr"
)

// bigWallet returns a service whose wallet has that many addresses and transfers, ten per block. Of every five
// transfers, four are incoming, to random addresses, and one is outgoing, made by this wallet.
func bigWallet(t testing.TB, addresses, transfers uint32) *Service {
	t.Helper()
	s, err := New(Config{
		Network: xmr.Regtest, Files: newFolder(), Random: rand.Reader,
		Now:     func() uint64 { return 1_800_000_000 },
		Workers: 2, KDF: journal.WeakestKDF(), Lookahead: wallet.Lookahead{Major: 1, Minor: 1},
		Wait:    func(ctx context.Context, _ time.Duration) error { <-ctx.Done(); return ctx.Err() },
		Connect: func(DaemonConfig) (rpc.Transport, error) { return noDaemon{}, nil },
	}, DaemonConfig{})
	require.NoError(t, err)
	ask(t, s, "create_wallet", `{"filename":"big","password":"","language":"English"}`, nil)
	for made := uint32(1); made < addresses; {
		n := min(addresses-made, maxNewAddresses)
		ask(t, s, "create_address", fmt.Sprintf(`{"account_index":0,"count":%d}`, n), nil)
		made += n
	}
	o, err := s.current()
	require.NoError(t, err)
	rnd := chaintest.NewRandom("big")
	var images []xmr.KeyImage
	var c wallet.ChangeSet
	commit := func() {
		require.NoError(
			t, o.Change(func(*wallet.Wallet) (wallet.ChangeSet, []wallet.HostEvent, error) { return c, nil, nil }),
		)
		c = wallet.ChangeSet{}
	}
	for i := range transfers {
		h := uint64(i/10 + 1)
		at := keys.Index{Minor: uint32(rnd.IntN(int(addresses)))}
		id := xmr.Hash(rnd.Bytes32())
		if i%5 == 4 {
			image := images[len(images)-3]
			c.Chain.Spends = append(c.Chain.Spends,
				wallet.Spend{TxID: id, AmountIn: 1 << 40, Fee: 1 << 20, Change: 1 << 30, Height: h,
					Timestamp: 1_700_000_000, Indices: []uint32{at.Minor}, Images: []xmr.KeyImage{image}})
			c.User.Sent = append(c.User.Sent,
				wallet.Sent{TxID: id, AmountIn: 1 << 40, Fee: 1 << 20, Change: 1 << 30, SentAt: 1_700_000_000,
					Destinations: []wallet.Destination{{Address: "recipient", Amount: 1 << 39}}, Rings: []wallet.Ring{
						{Image: image, Indices: make([]uint64, 16)},
					}})
		} else {
			out := wallet.OwnedOutput{TxID: id, GlobalIndex: uint64(i) * 50, Amount: 1 << 40, Mask: rnd.Bytes32(),
				Key:   rnd.Bytes32(),
				Image: rnd.Bytes32(), ImageKnown: true, Derivation: rnd.Bytes32(), Height: h,
				Timestamp: 1_700_000_000, RingCT: true, Address: at}
			images = append(images, out.Image)
			c.Chain.Outputs = append(c.Chain.Outputs, out)
			c.Chain.Payments = append(c.Chain.Payments,
				wallet.Payment{TxID: id, PaymentID: xmr.Hash{byte(i), byte(i >> 8), byte(i >> 16)}, Amount: 1 << 40,
					Amounts: []uint64{1 << 40}, Height: h, Timestamp: 1_700_000_000, Address: at})
		}
		if i%10 == 9 {
			c.Chain.Blocks = append(c.Chain.Blocks, wallet.BlockID{Height: h, Hash: rnd.Bytes32()})
			c.Chain.Reward = 600_000_000_000
		}
		if i%1000 == 999 {
			commit()
		}
	}
	commit()
	return s
}

// ask calls an operation that must succeed.
func ask(t testing.TB, s *Service, method, params string, out any) {
	t.Helper()
	answer, err := s.Serve(context.Background(), "/json_rpc",
		[]byte(`{"jsonrpc":"2.0","id":0,"method":"`+method+`","params":`+params+`}`), rpc.Options{})
	require.NoError(t, err)
	var a struct {
		Result json.RawMessage
		Error  *rpc.Error
	}
	require.NoError(t, json.Unmarshal(answer, &a))
	require.Nil(t, a.Error, method)
	if out != nil {
		require.NoError(t, json.Unmarshal(a.Result, out))
	}
}

// BenchmarkBigWallet measures requests to a wallet of a hundred thousand addresses and fifty thousand transfers, from
// the request's bytes to the response's.
func BenchmarkBigWallet(b *testing.B) {
	s := bigWallet(b, 100_000, 50_000)
	for _, c := range []struct{ name, method, params string }{
		{"get_balance of 1 address", "get_balance", `{"account_index":0,"address_indices":[77]}`},
		{"get_balance of 100 addresses", "get_balance", `{"account_index":0,"address_indices":` + upTo(100) + `}`},
		{"get_balance of all", "get_balance", `{"account_index":0}`},
		{"get_accounts", "get_accounts", `{}`},
		{"get_address of 1", "get_address", `{"account_index":0,"address_index":[77]}`},
		{"get_address of all", "get_address", `{"account_index":0}`},
		{"get_transfers of 10 blocks", "get_transfers",
			`{"in":true,"out":true,"filter_by_height":true,"min_height":2500,"max_height":2510}`},
		{"get_transfers of all", "get_transfers", `{"in":true,"out":true}`},
		{"get_transfer_by_txid", "get_transfer_by_txid", `{"txid":"` + someTx(b, s) + `"}`},
		{"incoming_transfers of 1 address", "incoming_transfers",
			`{"transfer_type":"available","account_index":0,"subaddr_indices":[77]}`},
		{"incoming_transfers of all", "incoming_transfers", `{"transfer_type":"all","account_index":0}`},
		{"get_payments", "get_payments", `{"payment_id":"0700000000000000"}`},
		{"get_bulk_payments of all", "get_bulk_payments", `{"payment_ids":[],"min_block_height":0}`},
	} {
		b.Run(c.name, func(b *testing.B) {
			ask(b, s, c.method, c.params, nil)
			b.ReportAllocs()
			for b.Loop() {
				ask(b, s, c.method, c.params, nil)
			}
		})
	}
	b.Run("store after a change", func(b *testing.B) {
		for b.Loop() {
			ask(b, s, "set_attribute", `{"key":"k","value":"v"}`, nil)
			ask(b, s, "store", `{}`, nil)
		}
	})
	b.Run("create_address of 1", func(b *testing.B) {
		for b.Loop() {
			ask(b, s, "create_address", `{"account_index":0}`, nil)
		}
	})
	b.Run("commit of a block with a payment", func(b *testing.B) {
		o, err := s.current()
		require.NoError(b, err)
		rnd, h := chaintest.NewRandom("commits"), uint64(1_000_000)
		for b.Loop() {
			h++
			id := xmr.Hash(rnd.Bytes32())
			var c wallet.ChangeSet
			c.Chain.Outputs = []wallet.OwnedOutput{{TxID: id, Amount: 5, Key: rnd.Bytes32(), Image: rnd.Bytes32(),
				ImageKnown: true, Height: h, Address: keys.Index{Minor: 5}}}
			c.Chain.Payments = []wallet.Payment{{TxID: id, Amount: 5, Height: h, Address: keys.Index{Minor: 5}}}
			c.Chain.Blocks = []wallet.BlockID{{Height: h, Hash: id}}
			require.NoError(b,
				o.Change(func(*wallet.Wallet) (wallet.ChangeSet, []wallet.HostEvent, error) { return c, nil, nil }))
		}
	})
}

func upTo(n uint32) string {
	text, err := json.Marshal(countUp(0, n))
	if err != nil {
		panic("unreachable: numbers always encode")
	}
	return string(text)
}

func someTx(t testing.TB, s *Service) (id string) {
	t.Helper()
	require.NoError(t, s.view(func(w *wallet.Wallet) error { id = w.Payments()[30_000].TxID.String(); return nil }))
	return id
}
