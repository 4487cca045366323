package scenario

import (
	"compress/gzip"
	"crypto/rand"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"glim/bindings/peers"
	"glim/core/chain"
	"glim/core/consensus"
	"glim/core/daemonrpc"
	"glim/core/nextfork"
	"glim/core/node"
	"glim/core/xmr"
)

// betaVariable is the environment variable with the folder of monerod and, optionally, monero-wallet-rpc of the beta
// that core/node/testdata/README.md names.
const betaVariable = "GLIM_BETA"

// betaFactsVariable is the environment variable with the name of a file for what the beta says.
const betaFactsVariable = "GLIM_BETA_FACTS"

// betaPair is the beta's daemon and ours with the same hard forks, blocks and pool.
type betaPair struct {
	daemonPair
	programs peers.Programs
	forks    consensus.Schedule
	facts    io.Writer
}

// newBetaPair starts the beta's daemon and ours. It returns nil without the beta.
func newBetaPair(t *testing.T) *betaPair {
	t.Helper()
	dir := os.Getenv(betaVariable)
	if dir == "" {
		t.Logf("the exchange with the beta is left out: %s does not name a folder with its programs", betaVariable)
		return nil
	}
	b := &betaPair{facts: io.Discard, programs: peers.Programs{
		Daemon: filepath.Join(dir, "monerod"), WalletRPC: filepath.Join(dir, "monero-wallet-rpc"),
		Release: peers.Release{0, 19},
	}}
	if name := os.Getenv(betaFactsVariable); name != "" {
		file, err := os.Create(name)
		require.NoError(t, err)
		z, err := gzip.NewWriterLevel(file, gzip.BestCompression)
		require.NoError(t, err)
		t.Cleanup(func() {
			require.NoError(t, z.Close())
			require.NoError(t, file.Close())
		})
		b.facts = z
	}
	t.Setenv("BETA_FORK", "80 85") // for a build that can fork later than at block 1
	d, err := peers.StartDaemon(t.Context(), peers.Options{Dir: t.TempDir(), Programs: b.programs})
	require.NoError(t, err)
	t.Cleanup(func() { _ = d.Kill() })
	heights := map[uint8]uint64{}
	for _, f := range call[daemonrpc.GetVersionResponse](t, d, "get_version", nil).HardForks {
		heights[f.HFVersion] = f.Height
	}
	proof, ok := heights[consensus.ProofVersion]
	require.True(t, ok)
	tree, ok := heights[consensus.TreeVersion]
	if !ok {
		tree = proof
	}
	b.forks = consensus.RegtestForks(tree, proof)
	b.note("forks %d %d", tree, proof)
	n, err := node.New(node.Config{Chain: chain.Options{
		Network: xmr.Regtest, FixedDifficulty: 1, Now: func() uint64 { return uint64(time.Now().Unix()) },
		Random: rand.Reader, Forks: b.forks, Next: nextfork.Fork{},
	}})
	require.NoError(t, err)
	t.Cleanup(func() { _ = n.Close() })
	b.daemonPair = daemonPair{t, d, answering{n.Registry()}, &node.Regtest{Node: n}}
	return b
}

// note writes a line of facts.
func (b *betaPair) note(format string, args ...any) {
	_, err := fmt.Fprintf(b.facts, format+"\n", args...)
	if err != nil {
		panic(err)
	}
}

// version returns the version of the next block.
func (b *betaPair) version() uint8 { return b.forks.VersionAt(b.node.Height()) }

// verdict is what a daemon says about a transaction.
func verdict(r daemonrpc.SendRawTransactionResponse) string {
	return strings.TrimSpace(r.Status + " " + strings.TrimPrefix(r.Reason, "Not relayed"))
}

// send hands a transaction to both daemons, which must say the same, and returns it.
func (b *betaPair) send(name string, blob []byte) string {
	b.Helper()
	theirs, ours := verdict(handOver(b.T, b.reference, blob)), verdict(handOver(b.T, b.ours, blob))
	switch {
	case theirs == ours:
		b.note("tx %x : %s", blob, theirs)
	case theirs == daemonrpc.StatusFailed && strings.HasPrefix(ours, theirs),
		theirs == "Failed fee too low" && ours == "Failed tx-extra too big":
		// Where points cannot be decoded, the beta fails with an exception and gives no reason. And it looks at the fee
		// first, for a weight that is beyond all limits if extra is too long.
		b.Logf("%s: the beta says %q, we say %q", name, theirs, ours)
		b.note("tx %x : %s / %s", blob, theirs, ours)
	default:
		b.Errorf("%s: the beta says %q, we say %q", name, theirs, ours)
	}
	return theirs
}

// grow has each daemon mine in turns, and the other accept the blocks. Each block commits to the tree, so both have the
// same one.
func (b *betaPair) grow(blocks int, to string) {
	b.Helper()
	for range blocks {
		from := b.node.Height()
		if from%2 == 0 {
			mine(b.T, b.reference, 1, to)
			feed(b.T, b.reference, b.node.Chain(), from)
		} else {
			_, err := b.node.Mine(deadline(b.T), 1, to)
			require.NoError(b, err)
			b.follow(from)
		}
		b.agree(from)
	}
}

// agree requires that both have the same top, and notes the blocks from index from on.
func (b *betaPair) agree(from uint64) {
	b.Helper()
	_, top := chainTop(b.T, b.reference)
	b.node.Chain().View(func(v chain.View) {
		require.Equal(b, top, v.Top().ID.String())
		for h := from; h < v.Height(); h++ {
			b.note("block %x : %s", v.Block(h).Blob, v.Block(h).ID)
		}
	})
}

// betaOutput is an output as incoming_transfers tells it.
type betaOutput struct {
	Amount   uint64 `json:"amount"`
	KeyImage string `json:"key_image"`
	Height   uint64 `json:"block_height"`
	Unlocked bool   `json:"unlocked"`
}

// big reports whether an output is worth more than what spend leaves.
func big(o betaOutput) bool { return o.Amount > 5*coin }

// available returns the outputs that a wallet can spend.
func (b *betaPair) available(c caller, want func(o betaOutput) bool) []betaOutput {
	b.Helper()
	refresh(b.T, c)
	list := call[struct {
		Transfers []betaOutput `json:"transfers"`
	}](b.T, c, "incoming_transfers", object{"transfer_type": "available"}).Transfers
	return slices.DeleteFunc(list, func(o betaOutput) bool { return !o.Unlocked || !want(o) })
}

// spend has a wallet pay with all of some outputs, and both daemons accept it. The last recipient gets what is left but
// for one coin, which is returned as last.
func (b *betaPair) spend(name string, c caller, inputs []betaOutput, to []destination) (made transferred, last uint64) {
	b.Helper()
	made, last = b.prepare(name, c, inputs, to)
	require.Equal(b, daemonrpc.StatusOK, b.send(name, unhex(b.T, made.Blob)), name)
	return made, last
}

// prepare makes the transaction of spend, and has the wallet send it unless more says otherwise.
func (b *betaPair) prepare(
	name string, c caller, inputs []betaOutput, to []destination, more ...any,
) (made transferred, last uint64) {
	b.Helper()
	var images []string
	for _, o := range inputs {
		images = append(images, o.KeyImage)
		last += o.Amount
	}
	last -= coin
	for _, d := range to {
		last -= d.Amount
	}
	to = slices.Clone(to)
	to[len(to)-1].Amount = last
	params := with(object{"destinations": to, "get_tx_key": true, "get_tx_hex": true, "key_images": images}, more...)
	made = call[transferred](b.T, c, "transfer", params)
	require.Len(b, made.Images.KeyImages, len(inputs), name)
	b.Logf("%s: %d bytes", name, len(made.Blob)/2)
	return made, last
}

// received requires that a wallet has found a payment.
func (b *betaPair) received(c caller, id string, amounts ...uint64) {
	b.Helper()
	refresh(b.T, c)
	got := call[struct {
		In []struct {
			TxID   string `json:"txid"`
			Amount uint64 `json:"amount"`
		} `json:"in"`
	}](b.T, c, "get_transfers", object{"in": true, "all_accounts": true})
	var found []uint64
	for _, p := range got.In {
		if p.TxID == id {
			found = append(found, p.Amount)
		}
	}
	slices.Sort(found)
	slices.Sort(amounts)
	require.Equal(b, amounts, found, id)
}

// TestBeta: our wallets follow the chain of the beta's daemon across the next hard fork and pay in it with membership
// proofs, our daemon accepts its blocks and transactions and it accepts ours, both refuse the same altered ones, and
// its wallet and ours pay each other.
func TestBeta(t *testing.T) {
	b := newBetaPair(t)
	if b == nil {
		return // TestBetaExchange in core/node compares what it said before
	}
	at := func(n byte, major, minor uint32) string { return at(t, n, major, minor) }
	payer, payee, fresh := newGlim(t, b.reference.URL, options{}), newGlim(t, b.reference.URL, options{}),
		newGlim(t, b.reference.URL, options{})
	restore(t, payer, "alice", alice)
	restore(t, payee, "bob", bob)
	toFresh := call[struct{ Address string }](t, fresh, "generate_from_keys", object{
		"filename": "carrot", "password": "", "master_secret": strings.Repeat("2a", 31) + "00", "restore_height": 0,
	}).Address
	freshSub := call[struct{ Address string }](t, fresh, "create_address", object{"account_index": 0}).Address

	b.grow(16, at(alice, 0, 0))
	if b.version() < consensus.TreeVersion { // rings up to the fork
		b.grow(60, at(nobody, 0, 0))
		list := b.available(payer, big)
		b.spend("rings", payer, list[:1],
			[]destination{{at(alice, 0, 1), coin}, {at(bob, 0, 1), coin}, {at(bob, 0, 0), 0}})
		for b.grow(1, at(nobody, 0, 0)); b.version() < consensus.TreeVersion; {
			b.grow(1, at(nobody, 0, 0))
		}
	}
	b.grow(14, at(alice, 0, 0))
	b.grow(4, toFresh)
	b.grow(60, at(nobody, 0, 0))
	rewards := b.available(payer, big)
	require.GreaterOrEqual(t, len(rewards), 25)
	old, carrots := rewards[:len(rewards)-14], rewards[len(rewards)-14:]

	// Payments of one to eight inputs, to all kinds of addresses.
	integrated := call[struct {
		Address string `json:"integrated_address"`
	}](t, payee, "make_integrated_address", object{"payment_id": "0102030405060708"}).Address
	type payment struct {
		to      caller
		id      string
		amounts []uint64
	}
	var paid []payment
	pay := func(name string, from, to caller, inputs []betaOutput, address string) {
		t.Helper()
		made, amount := b.spend(name, from, inputs, []destination{{address, 0}})
		paid = append(paid, payment{to, made.TxHash, []uint64{amount}})
	}
	pay("one input from before the fork", payer, payee, old[:1], at(bob, 0, 0))
	pay("one input", payer, payee, carrots[:1], at(bob, 0, 2))
	pay("two inputs of both kinds", payer, payee, []betaOutput{old[1], carrots[1]}, integrated)
	pay("four inputs", payer, payee, []betaOutput{old[2], carrots[2], carrots[3], carrots[4]}, at(bob, 1, 1))
	pay("eight inputs", payer, fresh, slices.Concat(old[4:8], carrots[6:10]), freshSub)
	b.spend("to itself", payer, old[3:4], []destination{{at(alice, 0, 3), 0}})
	var many []destination
	var amounts []uint64
	for i := range uint32(14) {
		amounts = append(amounts, coin/100*uint64(i+1))
		many = append(many, destination{at(bob, i/7, i%7), amounts[i]})
	}
	all, rest := b.spend("sixteen outputs", payer, carrots[5:6], append(many, destination{toFresh, 0}))
	paid = append(paid, payment{payee, all.TxHash, amounts}, payment{fresh, all.TxHash, []uint64{rest}})
	own := b.available(fresh, big)
	require.GreaterOrEqual(t, len(own), 4)
	pay("keys of Carrot", fresh, payee, own[:1], at(bob, 0, 0))
	b.spend("keys of Carrot, to itself", fresh, own[1:3], []destination{{freshSub, 0}})
	b.grow(2, at(nobody, 0, 0))
	for _, p := range paid {
		b.received(p.to, p.id, p.amounts...)
	}
	for _, c := range []caller{payer, payee, fresh} {
		refresh(t, c)
		pool := call[struct {
			Pending []any `json:"pending"`
		}](t, c, "get_transfers", object{"pending": true, "pool": true})
		require.Empty(t, pool.Pending)
	}

	// Altered transactions are refused by both for the same reason.
	base, _ := b.prepare("to be altered", payer, []betaOutput{old[8], carrots[10]}, []destination{{at(bob, 0, 0), 0}},
		"do_not_relay", true)
	b.alter(unhex(t, base.Blob), xmrImage(t, all.Images.KeyImages[0]))
	require.Equal(t, daemonrpc.StatusOK, b.send("unaltered", unhex(t, base.Blob)))

	// Blocks are replaced by a branch, then popped. Transactions return and are mined again.
	b.grow(1, at(nobody, 0, 0))
	second, amount := b.spend("before a reorganisation", payer, carrots[11:12], []destination{{at(bob, 0, 0), 0}})
	b.grow(2, at(nobody, 0, 0))
	from := b.node.Height() - 2
	_, err := b.node.Reorganise(deadline(t), 2, at(dave, 0, 0)) // the beta makes no templates for branches
	require.NoError(t, err)
	b.follow(from)
	b.agree(from)
	b.grow(2, at(nobody, 0, 0))
	b.received(payee, second.TxHash, amount)
	left := b.node.Height() - 3
	for _, d := range []daemon{b.reference, b.ours} {
		var popped struct{ Height uint64 }
		require.NoError(t, d.Path(deadline(t), "/pop_blocks", object{"nblocks": 3}, &popped))
		require.Equal(t, left, popped.Height)
	}
	b.note("pop 3")
	b.grow(10, at(nobody, 0, 0))
	b.received(payee, second.TxHash, amount)

	// What was received is spent.
	b.spend("received", payee, b.available(payee, big)[:2], []destination{{at(alice, 0, 0), 0}})
	b.spend("received with keys of Carrot", fresh, b.available(fresh, big)[:2], []destination{{at(bob, 0, 0), 0}})
	b.grow(2, at(nobody, 0, 0))
	sameChain(t, b.reference, b.node.Chain(), 0)
	if _, err := os.Stat(b.programs.WalletRPC); err != nil {
		t.Logf("the beta's wallet is left out: %v", err)
		return
	}
	b.exchangeWithWallet(payer)
}

// xmrImage reads a key image.
func xmrImage(t *testing.T, text string) (k xmr.KeyImage) {
	t.Helper()
	require.Equal(t, len(k), copy(k[:], unhex(t, text)))
	return k
}
