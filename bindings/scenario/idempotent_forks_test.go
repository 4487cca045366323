package scenario

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"fmt"
	mathrand "math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"glim/bindings/engine"
	"glim/bindings/native"
	"glim/bindings/peers"
	"glim/core/daemonrpc"
	"glim/core/journal"
	"glim/core/mnemonic/languages"
	"glim/core/node"
	"glim/core/rpc"
	"glim/core/service"
	"glim/core/tx"
	"glim/core/xmr"
)

// forkedService is a wallet service whose daemon can switch between chains. It records every transaction that the
// service relays, and has its own clock.
type forkedService struct {
	t      *testing.T
	glim   *glim
	dir    string
	chains []*node.Regtest

	mu      sync.Mutex
	now     uint64
	current *node.Regtest
	refuse  func(request string) (reason string) // the reason to refuse a transaction; empty to accept it
	lose    bool                                 // whether answers to relayed transactions are lost
	relayed [][]byte
}

func newForkedService(t *testing.T) *forkedService {
	t.Helper()
	w := &forkedService{t: t, dir: t.TempDir(), now: uint64(time.Now().Unix())}
	w.show(w.newChain())
	w.start()
	return w
}

// newChain starts a new chain.
func (w *forkedService) newChain() *node.Regtest {
	w.t.Helper()
	n, err := node.NewRegtest(func() uint64 { return uint64(time.Now().Unix()) }, rand.Reader)
	require.NoError(w.t, err)
	w.chains = append(w.chains, n)
	return n
}

// fork starts a chain with the first blocks of n, up to height blocks.
func (w *forkedService) fork(n *node.Regtest, height uint64) *node.Regtest {
	w.t.Helper()
	other := w.newChain()
	for h := uint64(1); h < height; h++ {
		got, err := rpc.Call(deadline(w.t), n.Registry(), daemonrpc.GetBlocksByHeight,
			daemonrpc.GetBlocksByHeightRequest{Heights: []uint64{h}})
		require.NoError(w.t, err)
		for _, one := range got.Blocks[0].Txs {
			w.submit(other, []byte(one.Blob))
		}
		_, err = rpc.Call(deadline(w.t), other.Registry(), daemonrpc.SubmitBlock,
			[]string{hex.EncodeToString([]byte(got.Blocks[0].Block))})
		require.NoError(w.t, err)
	}
	return other
}

// submit adds a transaction to the pool of a chain and reports whether it was accepted.
func (w *forkedService) submit(n *node.Regtest, blob []byte) bool {
	w.t.Helper()
	got, err := rpc.Call(deadline(w.t), n.Registry(), daemonrpc.SendRawTransaction,
		daemonrpc.SendRawTransactionRequest{TxAsHex: hex.EncodeToString(blob)})
	require.NoError(w.t, err)
	return got.Status == daemonrpc.StatusOK
}

// start starts a service on the wallet folder, as after a restart of the process.
func (w *forkedService) start() {
	w.t.Helper()
	if w.glim != nil {
		require.NoError(w.t, w.glim.Close())
	}
	e, err := engine.New(service.Config{
		Network: xmr.Mainnet, Files: native.WalletDir(w.dir), Lookahead: near, KDF: journal.WeakestKDF(),
		Random: rand.Reader,
		Now:    w.clock, Workers: 2, Languages: languages.All(),
		Wait:    func(ctx context.Context, _ time.Duration) error { <-ctx.Done(); return ctx.Err() },
		Connect: func(service.DaemonConfig) (rpc.Transport, error) { return w, nil },
	}, service.DaemonConfig{Address: "in.process:1", Trusted: true})
	require.NoError(w.t, err)
	w.t.Cleanup(func() { _ = e.Close() })
	w.glim = &glim{e}
}

func (w *forkedService) show(n *node.Regtest) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.current = n
}

func (w *forkedService) clock() uint64 {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.now
}

func (w *forkedService) later(seconds uint64) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.now += seconds
}

// Post answers from the current chain, and records relayed transactions.
func (w *forkedService) Post(ctx context.Context, path string, body []byte) ([]byte, error) {
	w.mu.Lock()
	current, lose := w.current, w.lose
	w.mu.Unlock()
	if !strings.Contains(path, "send_raw") && !strings.Contains(path, "sendraw") {
		return current.Registry().Post(ctx, path, body)
	}
	_, rest, _ := strings.Cut(string(body), `"tx_as_hex":"`)
	text, _, _ := strings.Cut(rest, `"`)
	blob, err := hex.DecodeString(text)
	if err != nil {
		return nil, err
	}
	w.mu.Lock()
	w.relayed = append(w.relayed, blob)
	reason := ""
	if w.refuse != nil {
		reason = w.refuse(text)
	}
	w.mu.Unlock()
	if reason != "" {
		return []byte(`{"status":"Failed","reason":"` + reason + `","` + reason + `":true}`), nil
	}
	answer, err := current.Registry().Post(ctx, path, body)
	if lose {
		return nil, context.DeadlineExceeded
	}
	return answer, err
}

// imagesOf returns the key images that a transaction spends.
func imagesOf(t *testing.T, blob []byte) (images []xmr.KeyImage) {
	t.Helper()
	parsed, err := tx.Parse(blob)
	require.NoError(t, err)
	for i := range parsed.Inputs {
		images = append(images, parsed.Inputs[i].KeyImage)
	}
	return images
}

// conflict reports whether two transactions can never be on the same chain, or are equal.
func conflict(t *testing.T, a, b []byte) bool {
	t.Helper()
	theirs := imagesOf(t, b)
	return slices.ContainsFunc(imagesOf(t, a), func(i xmr.KeyImage) bool { return slices.Contains(theirs, i) })
}

func (w *forkedService) mine(n *node.Regtest, blocks int, to string) {
	w.t.Helper()
	_, err := n.Mine(deadline(w.t), blocks, to)
	require.NoError(w.t, err)
}

// fail makes transactions count as failed that the wallet sent and the daemon does not know.
func (w *forkedService) fail() {
	w.t.Helper()
	refresh(w.t, w.glim)
	for range 2 {
		w.later(510)
		refresh(w.t, w.glim)
	}
}

// TestPaysOnceOnAnyFork: a payment is 65 blocks deep when the daemon switches to a chain of equal length without the
// output that it spent. A repeated request does not spend other outputs, because on the true chain both payments would
// be valid.
func TestPaysOnceOnAnyFork(t *testing.T) {
	t.Parallel()
	w := newForkedService(t)
	honest := w.current
	funder := newGlimOn(t, honest.Registry())
	restore(t, funder, "bob", bob)
	require.NoError(t, honest.Fund(deadline(t), 30, at(t, bob, 0, 0)))
	refresh(t, funder)
	small := make([]destination, 14)
	for i := range small {
		small[i] = destination{at(t, alice, 0, 0), coin / 2}
	}
	pay(t, funder, small, nil)
	w.mine(honest, 1, node.UnspendableAddress()) // so recent that no small output is spent with the large one
	height := honest.Height()
	refresh(t, funder)
	pay(t, funder, []destination{{at(t, alice, 0, 0), 10 * coin}}, nil)
	w.mine(honest, 12, node.UnspendableAddress())

	restore(t, w.glim, "alice", alice)
	refresh(t, w.glim)
	to := []destination{{at(t, carol, 0, 0), 5 * coin}}
	request := object{"idempotency_key": "invoice-1"}
	first := pay(t, w.glim, to, request)
	w.mine(honest, 65, node.UnspendableAddress())
	refresh(t, w.glim)
	require.Equal(t, "out", typeOf(t, w.glim, first.TxHash))

	false_ := w.fork(honest, height)
	w.mine(false_, int(honest.Height()-height), node.UnspendableAddress())
	require.Equal(t, honest.Height(), false_.Height())
	w.show(false_)
	w.fail()
	require.Equal(t, "failed", typeOf(t, w.glim, first.TxHash))
	balance := call[struct {
		Unlocked uint64 `json:"unlocked_balance"`
	}](t, w.glim, "get_balance", object{"account_index": 0})
	require.EqualValues(t, 7*coin, balance.Unlocked, "enough for another payment")
	var again transferred
	err := w.glim.JSON(deadline(t), "transfer", object{"destinations": to, "idempotency_key": "invoice-1"}, &again)
	for _, other := range w.relayed[1:] {
		require.True(t, conflict(t, w.relayed[0], other), "two payments that are both valid on the true chain")
	}
	var refused *peers.Error
	require.ErrorAs(t, err, &refused)
	require.Equal(t, -4, refused.Code)
	require.Contains(t, refused.Message, first.TxHash)

	// The same holds after a restart, and on the true chain the payment is as before.
	w.start()
	do(t, w.glim, "open_wallet", object{"filename": "alice", "password": ""})
	require.Equal(t, *refused,
		refusal(t, w.glim, "transfer", object{"destinations": to, "idempotency_key": "invoice-1"}))
	w.mine(honest, 1, node.UnspendableAddress())
	w.show(honest)
	refresh(t, w.glim)
	require.Equal(t, "out", typeOf(t, w.glim, first.TxHash))
	require.Equal(t, first.TxHash, pay(t, w.glim, to, request).TxHash)
	require.Equal(t, 1, len(w.relayed))
}

// funded gives alice outputs on a new chain and opens her wallet.
func funded(t *testing.T) *forkedService {
	t.Helper()
	w := newForkedService(t)
	require.NoError(t, w.current.Fund(deadline(t), 20, at(t, alice, 0, 0)))
	restore(t, w.glim, "alice", alice)
	refresh(t, w.glim)
	return w
}

// refusing makes the daemon refuse transactions, from number n on, for a reason.
func (w *forkedService) refusing(reason string, from int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.refuse = func(string) string {
		if from--; from < 0 {
			return reason
		}
		return ""
	}
}

type draft struct {
	transferred
	Metadata string `json:"tx_metadata"`
}

// TestDraftsBelongToTheirKey: a transaction returned without relaying, under a key, is an attempt at that payment,
// whether it is relayed later or not.
func TestDraftsBelongToTheirKey(t *testing.T) {
	t.Parallel()
	w := funded(t)
	to := []destination{{at(t, carol, 0, 0), 5 * coin}}
	ask := func(key string, more object) draft {
		t.Helper()
		params := object{"destinations": to, "idempotency_key": key, "get_tx_hex": true, "get_tx_metadata": true}
		for k, v := range more {
			params[k] = v
		}
		return call[draft](t, w.glim, "transfer", params)
	}
	kept := object{"do_not_relay": true}
	again := func() {
		t.Helper()
		w.start()
		do(t, w.glim, "open_wallet", object{"filename": "alice", "password": ""})
	}

	// It is relayed before the request is repeated.
	one := ask("relayed", kept)
	again()
	do(t, w.glim, "relay_tx", object{"hex": one.Metadata})
	require.Equal(t, one.TxHash, ask("relayed", nil).TxHash)
	require.Equal(t, 1, len(w.relayed))

	// The request is repeated first: the payment conflicts with the draft, which can no longer be relayed.
	one = ask("first", kept)
	two := ask("first", kept)
	again()
	sent := ask("first", nil)
	for _, d := range []draft{one, two} {
		require.True(t, conflict(t, unhex(t, d.Blob), unhex(t, sent.Blob)))
		require.Equal(t, -4, refusal(t, w.glim, "relay_tx", object{"hex": d.Metadata}).Code)
	}
	require.True(t, conflict(t, unhex(t, one.Blob), unhex(t, two.Blob)))
	require.Equal(t, sent.TxHash, ask("first", kept).TxHash)

	// It is broadcast by another program.
	w.mine(w.current, 1, node.UnspendableAddress())
	refresh(t, w.glim)
	one = ask("elsewhere", kept)
	require.True(t, w.submit(w.current, unhex(t, one.Blob)))
	refresh(t, w.glim)
	require.Equal(t, one.TxHash, ask("elsewhere", nil).TxHash)
	w.mine(w.current, 1, node.UnspendableAddress())
	refresh(t, w.glim)
	require.Equal(t, one.TxHash, ask("elsewhere", nil).TxHash)

	// It was sent, its answer was lost, and it is relayed again from the metadata of that answer.
	w.refusing("double_spend", 0)
	meta := ask("metadata", kept)
	require.Error(t, w.glim.JSON(deadline(t), "relay_tx", object{"hex": meta.Metadata}, nil))
	w.refuse = nil
	do(t, w.glim, "relay_tx", object{"hex": meta.Metadata})
	require.Equal(t, meta.TxHash, ask("metadata", nil).TxHash)
}

// TestReplacementsConflict: a transaction that the daemon refuses permanently is replaced by one that spends the same
// outputs, for transfers in one and in several transactions and for sweeps.
func TestReplacementsConflict(t *testing.T) {
	t.Parallel()
	w := funded(t)
	many := make([]destination, 20)
	for i := range many {
		many[i] = destination{at(t, carol, 0, uint32(i)), coin}
	}
	type answer struct {
		Hash   string   `json:"tx_hash"`
		Hashes []string `json:"tx_hash_list"`
	}
	type request struct {
		method string
		params object
		parts  int
	}
	for _, r := range []request{
		{"transfer", object{"destinations": many[:2]}, 1},
		{"transfer", object{"destinations": many[:2], "subtract_fee_from_outputs": []int{0, 1}}, 1},
		{"transfer_split", object{"destinations": many}, 2},
		{"sweep_single", object{"address": many[0].Address, "key_image": ""}, 1},
		{"sweep_all", object{"address": many[0].Address, "outputs": 2}, 1},
	} {
		key := object{"idempotency_key": "replaced " + r.method}
		if r.params["subtract_fee_from_outputs"] != nil {
			key["idempotency_key"] = "subtracted"
		}
		for k, v := range r.params {
			key[k] = v
		}
		if r.params["key_image"] != nil {
			key["key_image"] = call[struct {
				Transfers []struct {
					Image string `json:"key_image"`
				}
			}](t, w.glim, "incoming_transfers", object{"transfer_type": "available"}).Transfers[0].Image
		}
		first := len(w.relayed)
		w.refusing("fee_too_low", r.parts-1) // the last one
		require.Error(t, w.glim.JSON(deadline(t), r.method, key, nil), r.method)
		require.Equal(t, first+r.parts, len(w.relayed), r.method)
		// It is relayed once more and refused, and so is its replacement.
		require.Error(t, w.glim.JSON(deadline(t), r.method, key, nil))
		w.refusing("fee_too_low", 0)
		require.Error(t, w.glim.JSON(deadline(t), r.method, key, nil))
		w.start()
		do(t, w.glim, "open_wallet", object{"filename": "alice", "password": ""})
		// The newest is refused as invalid, and another one is accepted.
		refused := 0
		w.refuse = func(string) string {
			if refused++; refused == 1 {
				return "fee_too_low"
			}
			return ""
		}
		got := call[answer](t, w.glim, r.method, key)
		w.refuse = nil
		attempts := w.relayed[first+r.parts-1:] // of the last transaction
		require.Greater(t, len(attempts), 3)
		for _, a := range attempts {
			for _, b := range attempts {
				require.True(t, conflict(t, a, b), r.method)
			}
			if r.parts > 1 {
				require.False(t, conflict(t, a, w.relayed[first]), "the transactions spend different outputs")
			}
		}
		require.Equal(t, got, call[answer](t, w.glim, r.method, key))
	}
}

// TestReplacementSpendsAnOriginalInput: a payment with two inputs is replaced after the wallet has received an output
// that would suffice alone. The replacement still spends one of the two inputs.
func TestReplacementSpendsAnOriginalInput(t *testing.T) {
	t.Parallel()
	w := funded(t)
	request := object{"destinations": []destination{{at(t, carol, 0, 0), 60 * coin}}, "idempotency_key": "two outputs"}
	w.refusing("fee_too_low", 0)
	require.Error(t, w.glim.JSON(deadline(t), "transfer", request, nil))
	w.refuse = nil
	spent := imagesOf(t, w.relayed[0])
	require.Len(t, spent, 2)
	for _, image := range spent {
		do(t, w.glim, "freeze", object{"key_image": image.String()})
	}
	require.Contains(t, refusal(t, w.glim, "transfer", request).Message, "may still be mined", "frozen")
	pay(t, w.glim, []destination{{at(t, alice, 0, 0), 200 * coin}}, nil)
	w.mine(w.current, 11, node.UnspendableAddress())
	refresh(t, w.glim)
	for _, image := range spent {
		do(t, w.glim, "thaw", object{"key_image": image.String()})
	}
	before := len(w.relayed)
	w.refusing("fee_too_low", 0)
	require.Error(t, w.glim.JSON(deadline(t), "transfer", request, nil), "relayed once more, and then its replacement")
	w.refuse = nil
	require.Equal(t, before+2, len(w.relayed))
	require.True(t, conflict(t, w.relayed[0], w.relayed[before+1]))
	require.NotEqual(t, w.relayed[0], w.relayed[before+1])
}

// TestPaymentsInPart: some transactions of a payment were relayed. A repeated request relays the others, and none
// twice.
func TestPaymentsInPart(t *testing.T) {
	t.Parallel()
	w := funded(t)
	many := make([]destination, 20)
	for i := range many {
		many[i] = destination{at(t, carol, 0, uint32(i)), coin}
	}
	request := object{"destinations": many, "idempotency_key": "in part"}
	w.refusing("double_spend", 1)
	require.Error(t, w.glim.JSON(deadline(t), "transfer_split", request, nil))
	w.refuse = nil
	w.start()
	do(t, w.glim, "open_wallet", object{"filename": "alice", "password": ""})
	type answer struct {
		Hashes  []string `json:"tx_hash_list"`
		Amounts []uint64 `json:"amount_list"`
	}
	got := call[answer](t, w.glim, "transfer_split", request)
	require.Len(t, got.Hashes, 2)
	require.EqualValues(t, 20*coin, got.Amounts[0]+got.Amounts[1])
	require.Equal(t, 3, len(w.relayed))
	require.Equal(t, w.relayed[1], w.relayed[2])
	require.Equal(t, got, call[answer](t, w.glim, "transfer_split", request))
	require.Equal(t, 3, len(w.relayed))
	w.mine(w.current, 1, node.UnspendableAddress())
	refresh(t, w.glim)
	for _, id := range got.Hashes {
		require.Equal(t, "out", typeOf(t, w.glim, id))
	}
}

// TestKeysIdentifyOnePayment: a key of one payment is refused for another, whether the first was made or failed, and
// for transactions that others have to sign.
func TestKeysIdentifyOnePayment(t *testing.T) {
	t.Parallel()
	w := funded(t)
	do(t, w.glim, "create_account", nil)
	to := []destination{{at(t, carol, 0, 0), coin}, {at(t, bob, 0, 0), 2 * coin}}
	for _, failed := range []bool{false, true} {
		key := "made"
		if failed {
			key = "failed"
			w.refusing("double_spend", 0)
		}
		err := w.glim.JSON(deadline(t), "transfer", object{"destinations": to, "idempotency_key": key}, nil)
		require.Equal(t, failed, err != nil)
		w.refuse = nil
		handed := len(w.relayed)
		for what, other := range map[string]object{
			"amount":     {"destinations": []destination{to[0], {to[1].Address, 3 * coin}}},
			"more":       {"destinations": append(slices.Clone(to), destination{at(t, dave, 0, 0), 1})},
			"less":       {"destinations": to[:1]},
			"recipient":  {"destinations": []destination{to[0], {at(t, dave, 0, 0), 2 * coin}}},
			"account":    {"destinations": to, "account_index": 1},
			"subtracted": {"destinations": to, "subtract_fee_from_outputs": []int{0}},
		} {
			other["idempotency_key"] = key
			e := refusal(t, w.glim, "transfer", other)
			require.Equal(t, -4, e.Code, what)
			require.Contains(t, e.Message, "another payment", what)
		}
		require.Contains(t,
			refusal(t, w.glim, "sweep_all", object{"address": at(t, dave, 0, 0), "idempotency_key": key}).Message,
			"another payment")
		require.Equal(t, handed, len(w.relayed))
		slices.Reverse(to) // the order does not matter
		do(t, w.glim, "transfer", object{"destinations": to, "idempotency_key": key})
	}
	view := call[struct{ Key string }](t, w.glim, "query_key", object{"key_type": "view_key"}).Key
	do(t, w.glim, "generate_from_keys", object{
		"filename": "view", "password": "", "address": at(t, alice, 0, 0), "viewkey": view,
	})
	refresh(t, w.glim)
	e := refusal(t, w.glim, "transfer", object{"destinations": to, "idempotency_key": "unsigned"})
	require.Equal(t, -1, e.Code)
	require.Contains(t, e.Message, "view-only")
}

// TestPaysOnceWhateverHappens: chains fork at random, daemons refuse transactions and lose answers, the service
// restarts, and a client repeats its requests. At most one transaction of each payment can be on any chain.
func TestPaysOnceWhateverHappens(t *testing.T) {
	t.Parallel()
	w := newForkedService(t)
	rnd := mathrand.New(mathrand.NewPCG(1, 18))
	w.mine(w.current, 40, node.UnspendableAddress())
	base := w.current.Height()
	require.NoError(t, w.current.Fund(deadline(t), 6, at(t, alice, 0, 0)))
	restore(t, w.glim, "alice", alice)
	refresh(t, w.glim)
	left := map[string][][]byte{}
	answered, refused, retried := 0, 0, 0
	for range 90 {
		w.mu.Lock()
		w.lose, w.refuse = rnd.IntN(3) == 0, nil
		w.mu.Unlock()
		if rnd.IntN(3) == 0 {
			w.refusing([]string{"fee_too_low", "double_spend"}[rnd.IntN(2)], 0)
		}
		switch rnd.IntN(8) {
		case 0, 1, 2:
			key := fmt.Sprint("key ", rnd.IntN(4))
			keep := rnd.IntN(4) == 0
			before := len(w.relayed)
			var got transferred
			err := w.glim.JSON(deadline(t), "transfer",
				object{"destinations": []destination{{at(t, carol, 0, 0), 40 * coin}}, "idempotency_key": key,
					"do_not_relay": keep, "get_tx_hex": true}, &got)
			if len(left[key]) > 0 {
				retried++
			}
			left[key] = append(left[key], w.relayed[before:]...)
			switch {
			case err != nil:
				refused++
			case got.Blob != "":
				left[key] = append(left[key], unhex(t, got.Blob))
				answered++
			}
		case 3:
			w.mine(w.current, 1+rnd.IntN(4), at(t, alice, 0, 0))
			refresh(t, w.glim)
		case 4:
			height := max(base, w.current.Height()-uint64(rnd.IntN(70)))
			other := w.fork(w.current, height)
			w.mine(other, int(w.current.Height()-height)+rnd.IntN(3), at(t, alice, 0, 0))
			w.show(other)
			refresh(t, w.glim)
		case 5:
			w.show(w.chains[rnd.IntN(len(w.chains))])
			refresh(t, w.glim)
		case 6:
			w.fail()
		default:
			w.start()
			do(t, w.glim, "open_wallet", object{"filename": "alice", "password": ""})
		}
		for key, list := range left {
			for i := range list {
				for j := range i {
					require.True(t, conflict(t, list[i], list[j]), "two payments of %s", key)
				}
			}
		}
	}
	t.Logf("%d answered, %d refused, %d retried", answered, refused, retried)
	require.Positive(t, answered)
	require.Positive(t, refused)
	require.Greater(t, retried, 5)
}
