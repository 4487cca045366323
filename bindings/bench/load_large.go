package main

import (
	"context"
	"crypto/rand"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"time"

	"glim/bindings/native"
	"glim/bindings/peers"
	"glim/core/chaintest"
	"glim/core/journal"
	"glim/core/keys"
	"glim/core/session"
	"glim/core/wallet"
	"glim/core/xmr"
)

// makeAll is the measurement of making all addresses.
const makeAll = "create_address, all together"

// largeQuestions are the requests to a large wallet, in the order of the report.
var largeQuestions = []struct {
	name   string
	before []question // not measured
	question
}{
	{
		"get_balance of 1 address", nil,
		question{"get_balance", map[string]any{"account_index": 0, "address_indices": []uint32{77}}},
	},
	{"get_balance of all addresses", nil, question{"get_balance", map[string]any{"account_index": 0}}},
	{"get_accounts", nil, question{"get_accounts", map[string]any{}}},
	{
		"get_address of 1", nil,
		question{"get_address", map[string]any{"account_index": 0, "address_index": []uint32{77}}},
	},
	{"get_address of all", nil, question{"get_address", map[string]any{"account_index": 0}}},
	{"get_transfers of 10 blocks", nil,
		question{"get_transfers", map[string]any{"in": true, "out": true, "account_index": 0,
			"filter_by_height": true, "min_height": 300, "max_height": 310}}},
	{
		"get_transfers of all", nil,
		question{"get_transfers", map[string]any{"in": true, "out": true, "account_index": 0}},
	},
	{
		"incoming_transfers of all", nil,
		question{"incoming_transfers", map[string]any{"transfer_type": "all", "account_index": 0}},
	},
	{
		"get_bulk_payments of all", nil,
		question{"get_bulk_payments", map[string]any{"payment_ids": []string{}, "min_block_height": 0}},
	},
	{"create_address of 1", nil, question{"create_address", map[string]any{"account_index": 0}}},
	{
		"store after a change", []question{{"set_attribute", map[string]any{"key": "k", "value": "v"}}},
		question{"store", map[string]any{}},
	},
}

// large measures each request a few times, without other clients. The first time does not count.
func (l *load) large(ctx context.Context, s *service) error {
	client := &http.Client{Transport: &http.Transport{}}
	defer client.CloseIdleConnections()
	for _, q := range largeQuestions {
		for n := range 4 {
			for _, b := range q.before {
				if err := l.ask(ctx, client, s.URL, b); err != nil {
					return err
				}
			}
			start := time.Now()
			if err := l.ask(ctx, client, s.URL, q.question); err != nil {
				return err
			}
			if n > 0 {
				s.large[q.name] = append(s.large[q.name], time.Since(start))
			}
		}
	}
	return nil
}

// full measures glim alone with a wallet of more addresses and transfers than a chain made here could provide in a day.
// The wallet's file is written directly.
func (l *load) full(ctx context.Context) error {
	dir := filepath.Join(l.dir, "full")
	if err := l.writeFull(filepath.Join(dir, "wallets")); err != nil {
		return err
	}
	w, err := peers.StartWalletRPC(ctx, l.daemon, peers.Options{
		Dir: dir, Command: []string{l.glim, "wallet-rpc", "--regtest"},
	})
	if err != nil {
		return err
	}
	defer func() { _ = w.Kill() }() // after an error; otherwise it has stopped
	if err := w.JSON(ctx, "auto_refresh", map[string]any{"enable": false}, nil); err != nil {
		return err
	}
	s := &service{WalletRPC: w, name: "glim", large: map[string][]time.Duration{}}
	start := time.Now()
	if err := w.JSON(ctx, "open_wallet", map[string]any{"filename": "full", "password": ""}, nil); err != nil {
		return err
	}
	s.large["open_wallet"] = append(s.large["open_wallet"], time.Since(start))
	for range l.rounds {
		if err := l.large(ctx, s); err != nil {
			return err
		}
	}
	used, err := usage(w.PID())
	if err != nil {
		return err
	}
	l.reportFull(s, used)
	return w.Stop()
}

// writeFull writes a wallet with l.aloneAddresses addresses and l.transfers transfers, ten in a block, a fifth of them
// outgoing.
func (l *load) writeFull(dir string) (err error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	st, err := native.WalletDir(dir).Create("full")
	if err != nil {
		return err
	}
	defer func() {
		if closed := st.Close(); err == nil {
			err = closed
		}
	}()
	s, err := session.Create(st, nil, journal.DefaultKDF(), wallet.Identity{
		Network: xmr.Regtest, Keys: ourKeys("full"), Language: "English",
	},
		wallet.DefaultLookahead, session.Host{Random: rand.Reader, Now: now, Workers: runtime.GOMAXPROCS(0)})
	if err != nil {
		return err
	}
	if err := s.Change(func(w *wallet.Wallet) (wallet.ChangeSet, []wallet.HostEvent, error) {
		c, _, err := w.DecideAddresses(0, uint32(l.aloneAddresses-1), "")
		return c, nil, err
	}); err != nil {
		return err
	}
	rnd := chaintest.NewRandom("full")
	var images []xmr.KeyImage
	var c wallet.ChangeSet
	for i := range l.transfers {
		h, id := uint64(i/10+1), xmr.Hash(rnd.Bytes32())
		at := loadIndex(i, l.aloneAddresses)
		if i%5 == 4 {
			image := images[len(images)-3]
			c.Chain.Spends = append(c.Chain.Spends,
				wallet.Spend{TxID: id, AmountIn: loadAmount, Fee: 1 << 20, Height: h, Timestamp: chaintest.StartTime,
					Indices: []uint32{at.Minor}, Images: []xmr.KeyImage{image}})
			c.User.Sent = append(c.User.Sent,
				wallet.Sent{TxID: id, AmountIn: loadAmount, Fee: 1 << 20, SentAt: chaintest.StartTime,
					Destinations: []wallet.Destination{{
						Address: addressOf(ourKeys("payer"), keys.Index{}).String(), Amount: loadAmount - 1<<20,
					}},
					Rings: []wallet.Ring{{Image: image, Indices: make([]uint64, xmr.RingSize)}}})
		} else {
			o := wallet.OwnedOutput{TxID: id, GlobalIndex: uint64(i) * 50, Amount: loadAmount, Mask: rnd.Bytes32(),
				Key: rnd.Bytes32(), Image: rnd.Bytes32(),
				ImageKnown: true, Derivation: rnd.Bytes32(), Height: h, Timestamp: chaintest.StartTime, RingCT: true,
				Address: at}
			images = append(images, o.Image)
			c.Chain.Outputs = append(c.Chain.Outputs, o)
			c.Chain.Payments = append(c.Chain.Payments,
				wallet.Payment{TxID: id, Amount: o.Amount, Amounts: []uint64{o.Amount}, Height: h,
					Timestamp: chaintest.StartTime, Address: at})
		}
		if i%10 == 9 {
			c.Chain.Blocks = append(c.Chain.Blocks, wallet.BlockID{Height: h, Hash: rnd.Bytes32()})
			c.Chain.Reward = 600_000_000_000
		}
		if i%1000 == 999 || i == l.transfers-1 {
			if err := s.Change(func(*wallet.Wallet) (wallet.ChangeSet, []wallet.HostEvent, error) {
				return c, nil, nil
			}); err != nil {
				return err
			}
			c = wallet.ChangeSet{}
		}
	}
	return s.Close()
}

func (l *load) report(reference, ours *service) {
	row := func(name string, cells ...any) {
		fmt.Fprintf(l.out, "%-38s %22s %22s %8s\n", append([]any{name}, cells...)...)
	}
	times := func(name string, a, b time.Duration) {
		row(name, fmt.Sprint(a.Round(10*time.Microsecond)), fmt.Sprint(b.Round(10*time.Microsecond)),
			fmt.Sprintf("%.4f", float64(b)/float64(a)))
	}
	fmt.Fprintf(l.out, "\n%d cores, %s, %s; other programs may be running\n", runtime.NumCPU(), runtime.Version(),
		time.Now().UTC().Format("2006-01-02"))
	fmt.Fprintf(l.out, "\n%d clients, each with a pause of %s after an answer, while a chain of %d blocks is read "+
		"again and again, %d × %s or as long as one reading takes\n\n",
		l.clients, l.pause, l.chain.Blocks, l.rounds, l.lasting)
	row("", reference.name, ours.name, "ratio")
	row("answers", fmt.Sprint(len(reference.mix)), fmt.Sprint(len(ours.mix)), "")
	row("readings of the chain", fmt.Sprint(len(reference.reads)), fmt.Sprint(len(ours.reads)), "")
	times("a reading, median", middle(reference.reads), middle(ours.reads))
	for _, q := range []struct {
		name string
		q    float64
	}{{"p50", 0.5}, {"p99", 0.99}, {"longest", 1}} {
		times("get_balance, "+q.name, reference.busy.at(q.q), ours.busy.at(q.q))
	}
	times("all requests, p50", reference.mix.at(0.5), ours.mix.at(0.5))
	times("all requests, p99", reference.mix.at(0.99), ours.mix.at(0.99))
	times("delay of a client timer, p50", reference.late.at(0.5), ours.late.at(0.5))
	times("delay of a client timer, p99", reference.late.at(0.99), ours.late.at(0.99))
	fmt.Fprintf(l.out, "\none client; both wallets hold %d addresses and %d transfers\n\n",
		l.addresses, ours.held.payments)
	row("median", reference.name, ours.name, "ratio")
	times(makeAll, middle(reference.large[makeAll]), middle(ours.large[makeAll]))
	for _, q := range largeQuestions {
		times(q.name, middle(reference.large[q.name]), middle(ours.large[q.name]))
	}
}

func (l *load) reportFull(s *service, used usageOf) {
	fmt.Fprintf(l.out,
		"\none client; a wallet of glim alone, which holds %d addresses and %d transfers\n\n%-38s %22s\n",
		l.aloneAddresses, l.transfers, "median", s.name)
	row := func(name string) {
		fmt.Fprintf(l.out, "%-38s %22s\n", name, middle(s.large[name]).Round(10*time.Microsecond))
	}
	row("open_wallet")
	for _, q := range largeQuestions {
		row(q.name)
	}
	fmt.Fprintf(l.out, "%-38s %22s\n", "memory at the end", fmt.Sprintf("%.1f MiB", used.memory))
}
