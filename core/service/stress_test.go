package service

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"glim/core/chaintest"
	"glim/core/daemonrpc"
	"glim/core/journal"
	"glim/core/rpc"
	"glim/core/wallet"
	"glim/core/xmr"
)

// folder stores wallets in memory; each can be open only once.
type folder struct {
	mu    sync.Mutex
	files map[string]*memoryFile
}

type memoryFile struct {
	*journal.Memory
	in   *folder
	open bool
}

func (s *memoryFile) Close() error {
	s.in.mu.Lock()
	defer s.in.mu.Unlock()
	s.open = false
	return nil
}

func (f *folder) Create(name string) (Storage, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.files[name] != nil {
		return nil, ErrExists
	}
	f.files[name] = &memoryFile{journal.NewMemory(), f, true}
	return f.files[name], nil
}

func (f *folder) Open(name string) (Storage, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	s := f.files[name]
	switch {
	case s == nil:
		return nil, ErrNoWallet
	case s.open:
		return nil, ErrInUse
	}
	s.open = true
	return s, nil
}

func (f *folder) Keys(string) ([]byte, error)                    { return nil, ErrNoWallet }
func (f *folder) CreateForTakeover(name string) (Storage, error) { return f.Create(name) }

func (f *folder) Export(name string, keys []byte) error {
	st, err := f.Create(name)
	if err == nil {
		err = errors.Join(st.Append(keys), st.Close())
	}
	return err
}

func (f *folder) Background(name string) (Storage, error) {
	st, err := f.Open(name + ".background")
	if errors.Is(err, ErrNoWallet) {
		return f.Create(name + ".background")
	}
	return st, err
}

func (f *folder) DropBackground(name string) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	delete(f.files, name+".background")
	return nil
}

// fakeDaemon serves the height of a chain, but no blocks.
func fakeDaemon(c *chaintest.Chain) *rpc.Registry {
	r := rpc.NewRegistry()
	rpc.Handle(r, daemonrpc.GetInfo,
		func(context.Context, daemonrpc.PayerOnly) (resp daemonrpc.GetInfoResponse, err error) {
			resp.Status, resp.Height, resp.NetType = daemonrpc.StatusOK, c.Height(), "fakechain"
			resp.TopBlockHash = c.Blocks[c.Height()-1].Hash.String()
			return resp, nil
		})
	rpc.Handle(r, daemonrpc.GetVersion,
		func(context.Context, daemonrpc.None) (resp daemonrpc.GetVersionResponse, err error) {
			resp.Status, resp.Version = daemonrpc.StatusOK, 3<<16|13
			return resp, nil
		})
	rpc.Handle(r, daemonrpc.GetBlocks,
		func(context.Context, daemonrpc.GetBlocksRequest) (resp daemonrpc.GetBlocksResponse, err error) {
			resp.Status, resp.CurrentHeight, resp.DaemonTime = daemonrpc.StatusOK, c.Height(), 7
			resp.PoolInfoExtent = daemonrpc.PoolInfoFull
			return resp, nil
		})
	return r
}

// stressCalls are requests of every kind, most of them invalid.
func stressCalls() []string {
	const address = "44AFFq5kSiGBoZ4NMDwYtN18obc8AemS33DBLWs3H7otXft3XjrpDtQGv7SqSsaBYBb98uNbr2VBBEt7f2wfn3RVGQBEP3A"
	long := strings.Repeat("a", 1<<16)
	return []string{
		`"create_wallet","params":{"filename":"a","password":"p","language":"English"}`,
		`"create_wallet","params":{"filename":"b","password":"p","language":"English"}`,
		`"create_wallet","params":{"filename":"../x","password":"p","language":"English"}`,
		`"open_wallet","params":{"filename":"a","password":"p"}`,
		`"open_wallet","params":{"filename":"b","password":"p"}`,
		`"open_wallet","params":{"filename":"b","password":"wrong"}`,
		`"close_wallet"`, `"refresh","params":{"start_height":18446744073709551615}`, `"refresh"`, `"store"`,
		`"stop_wallet"`,
		`"change_wallet_password","params":{"old_password":"p","new_password":"p"}`,
		`"rescan_blockchain"`, `"rescan_spent"`, `"get_balance","params":{"all_accounts":true}`,
		`"get_balance","params":{"account_index":4294967295,"address_indices":[4294967295,0,0]}`,
		`"get_address","params":{"account_index":4294967295}`,
		`"get_address","params":{"account_index":0,"address_index":[4294967295]}`,
		`"create_address","params":{"account_index":0,"count":3,"label":"x"}`,
		`"create_address","params":{"account_index":0,"count":4294967295}`,
		`"create_address","params":{"account_index":0,"count":65536,"label":"` + long + `"}`,
		`"create_account","params":{"label":"x"}`,
		`"label_address","params":{"index":{"major":4294967295,"minor":4294967295},"label":"x"}`,
		`"get_accounts"`, `"get_accounts","params":{"tag":"(((","regex":true}`, `"get_height"`,
		`"transfer","params":{"destinations":[{"amount":18446744073709551615,"address":"` + address + `"}],` +
			`"account_index":4294967295,"subtract_fee_from_outputs":[4294967295]}`,
		`"transfer","params":{"destinations":[{"amount":-1,"address":"x"}]}`,
		`"transfer_split","params":{"destinations":[{"amount":1,"address":"` + address + `"}],"priority":4294967295}`,
		`"sweep_all","params":{"address":"` + address + `","outputs":18446744073709551615}`,
		`"sweep_all","params":{"address":"` + address + `","outputs":1,"subaddr_indices_all":true}`,
		`"sweep_single","params":{"address":"` + address + `","outputs":0,"key_image":"` + strings.Repeat("0", 64) +
			`"}`,
		`"estimate_tx_size_and_weight","params":{"n_inputs":4294967295,"n_outputs":4294967295,"ring_size":4294967295}`,
		`"estimate_tx_size_and_weight","params":{"n_inputs":0,"n_outputs":0,"ring_size":1,"rct":true}`,
		`"set_subaddress_lookahead","params":{"password":"p","major_idx":4294967295,"minor_idx":4294967295}`,
		`"set_subaddress_lookahead","params":{"password":"p","major_idx":3,"minor_idx":3}`,
		`"get_transfers","params":{"in":true,"out":true,"pending":true,"failed":true,"pool":true,"all_accounts":true}`,
		`"get_transfers","params":{"in":true,"filter_by_height":true,"min_height":18446744073709551615,"max_height":0}`,
		`"get_events","params":{"cursor":18446744073709551615,"limit":18446744073709551615}`,
		`"get_events","params":{"limit":0}`,
		`"get_transfer_by_txid","params":{"txid":"` + strings.Repeat("1", 64) + `"}`,
		`"incoming_transfers","params":{"transfer_type":"all","account_index":4294967295}`,
		`"get_bulk_payments","params":{"payment_ids":["0000000000000000"],"min_block_height":18446744073709551615}`,
		`"export_outputs","params":{"all":true,"start":4294967295,"count":4294967295}`,
		`"export_key_images","params":{"all":true}`,
		`"import_key_images","params":{"offset":4294967295,"signed_key_images":[]}`,
		`"import_outputs","params":{"outputs_data_hex":"00"}`,
		`"get_address_book","params":{"entries":[18446744073709551615]}`,
		`"delete_address_book","params":{"index":18446744073709551615}`,
		`"edit_address_book","params":{"index":18446744073709551615,"set_description":true,"description":"x"}`,
		`"set_attribute","params":{"key":"k","value":"v"}`, `"get_attribute","params":{"key":"k"}`,
		`"set_tx_notes","params":{"txids":["` + strings.Repeat("1", 64) + `"],"notes":[]}`,
		`"tag_accounts","params":{"tag":"t","accounts":[0,4294967295]}`, `"freeze","params":{"key_image":"00"}`,
		`"scan_tx","params":{"txids":["` + strings.Repeat("1", 64) + `"]}`,
		`"auto_refresh","params":{"enable":true,"period":4294967295}`, `"auto_refresh","params":{"enable":false}`,
		`"set_daemon","params":{"address":"elsewhere","password":"hidden","trusted":true,"ssl_support":"autodetect"}`,
		`"sign","params":{"data":"x","account_index":4294967295}`, `"query_key","params":{"key_type":"mnemonic"}`,
		`"get_reserve_proof","params":{"all":false,"account_index":4294967295,"amount":18446744073709551615}`,
		`"make_integrated_address","params":{"payment_id":"zz"}`, `"parse_uri","params":{"uri":"monero:"}`,
		`"split_integrated_address","params":{"integrated_address":"x"}`, `"relay_tx","params":{"hex":"00"}`,
		`"describe_transfer","params":{"unsigned_txset":"00"}`, `"sign_transfer","params":{"unsigned_txset":"00"}`,
		`"submit_transfer","params":{"tx_data_hex":"00"}`, `"set_log_categories","params":{"categories":"x"}`,
	}
}

// TestConcurrentOperations calls operations of all kinds from many goroutines. Every call gets a response and none
// panics, also under the race detector.
func TestConcurrentOperations(t *testing.T) {
	chain := chaintest.New("stress", xmr.Regtest)
	chain.Grow(20)
	dir := newFolder()
	s, err := New(Config{
		Network: xmr.Regtest, Files: dir, Random: rand.Reader, Now: func() uint64 { return 1000 }, Workers: 2,
		KDF: journal.WeakestKDF(), Lookahead: wallet.Lookahead{Major: 2, Minor: 2},
		Wait:    func(ctx context.Context, _ time.Duration) error { <-ctx.Done(); return ctx.Err() },
		Connect: func(DaemonConfig) (rpc.Transport, error) { return fakeDaemon(chain), nil },
		Event:   func(string, wallet.HostEvent) {},
		Stop:    func() {},
	}, DaemonConfig{Address: "here", Trusted: true})
	require.NoError(t, err)
	ctx, cancel := context.WithCancel(context.Background())
	var running sync.WaitGroup
	running.Go(func() { s.Run(ctx) })

	calls := stressCalls()
	var workers sync.WaitGroup
	for g := range 8 {
		workers.Go(func() {
			for n := range 2 * len(calls) {
				call := calls[(n*(2*g+1)+g)%len(calls)] // each goroutine in another order
				answer, err := s.Serve(ctx, "/json_rpc", fmt.Appendf(nil, `{"id":0,"method":%s}`, call),
					rpc.Options{Restricted: g == 7})
				if err != nil || !json.Valid(answer) {
					t.Errorf("%.80s: %v, %.80s", call, err, answer)
				}
				if bytes.Contains(answer, []byte("hidden")) {
					t.Errorf("%.80s: reveals the daemon's password: %s", call, answer)
				}
			}
		})
	}
	workers.Wait()
	cancel()
	require.NoError(t, s.Close())
	running.Wait()
	for name, f := range dir.files {
		require.False(t, f.open, name)
	}
}
