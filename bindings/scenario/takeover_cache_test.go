package scenario

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"glim/bindings/peers"
	"glim/core/service"
	"glim/core/wallet"
	"glim/core/walletrpc"
)

// sharedFolder is a folder with wallets that the reference and glim use in turn.
type sharedFolder struct {
	t   *testing.T
	d   *peers.Daemon
	dir string // of the reference; wallets are in dir/wallets
}

func newSharedFolder(t *testing.T, d *peers.Daemon) *sharedFolder {
	peers.Require(t)
	return &sharedFolder{t, d, t.TempDir()}
}

func (h *sharedFolder) wallets() string { return filepath.Join(h.dir, "wallets") }

// reference starts the reference in the folder.
func (h *sharedFolder) reference(args ...string) *peers.WalletRPC {
	h.t.Helper()
	w := peers.NewWalletRPC(h.t, h.d, peers.Options{Dir: h.dir, Args: args})
	do(h.t, w, "auto_refresh", object{"enable": false})
	return w
}

func (h *sharedFolder) glim(o options) *glim {
	h.t.Helper()
	o.dir = h.wallets()
	return newGlim(h.t, h.d.URL, o)
}

// copied copies the reference's files of a wallet to another folder and opens them there with the reference.
func (h *sharedFolder) copied(name string) *peers.WalletRPC {
	h.t.Helper()
	other := newSharedFolder(h.t, h.d)
	require.NoError(h.t, os.MkdirAll(other.wallets(), 0o700))
	for _, file := range []string{name, name + ".keys"} {
		b, err := os.ReadFile(filepath.Join(h.wallets(), file))
		require.NoError(h.t, err)
		require.NoError(h.t, os.WriteFile(filepath.Join(other.wallets(), file), b, 0o600))
	}
	w := other.reference()
	open(h.t, w, name)
	return w
}

func open(t *testing.T, c caller, name string) {
	t.Helper()
	do(t, c, "open_wallet", object{"filename": name, "password": ""})
}

func createAddresses(t *testing.T, c caller, n int) []uint32 {
	t.Helper()
	return call[struct {
		Indices []uint32 `json:"address_indices"`
	}](t, c, "create_address", object{"account_index": 0, "count": n}).Indices
}

func takeoverOf(t *testing.T, c caller) walletrpc.GetTakeoverResponse {
	t.Helper()
	return call[walletrpc.GetTakeoverResponse](t, c, "get_takeover", nil)
}

// TestTakesOverAddresses opens a wallet of the reference that made addresses far beyond the lookahead of new wallets.
// glim finds payments to them, lists the addresses and hands out none twice.
func TestTakesOverAddresses(t *testing.T) {
	t.Parallel()
	d := newMined(t)
	h := newSharedFolder(t, d)
	reference := h.reference()
	restore(t, reference, "shop", dave)
	for range 5 {
		createAddresses(t, reference, 60)
	}
	payer := newGlim(t, d.URL, options{})
	restore(t, payer, "bob", bob)
	refresh(t, payer)
	pay(t, payer, []destination{{at(t, dave, 0, 290), 5 * coin}}, nil)
	mine(t, d, 10, at(t, nobody, 0, 0))
	refresh(t, reference)
	require.Equal(t, uint64(5*coin), ledger(t, reference).Balance)
	require.NoError(t, reference.Stop())
	before := files(t, h.wallets(), "shop", "shop.keys")

	ours := h.glim(options{})
	open(t, ours, "shop")
	follower, err := ours.Service().Follow(service.NewEventsOnly)
	require.NoError(t, err)
	events, err := follower.Next(deadline(t))
	require.NoError(t, err)
	require.Equal(t, walletrpc.EventTakeover, events[0].Type)
	require.Contains(t, events[0].Text, "1 accounts, 301 addresses (300 new)")
	refresh(t, ours)
	require.Equal(t, uint64(5*coin), ledger(t, ours).Balance)
	require.Equal(t, object{"major": 0.0, "minor": 290.0},
		call[struct{ Index object }](t, ours, "get_address_index", object{"address": at(t, dave, 0, 290)}).Index)
	require.Equal(t, []uint32{301}, createAddresses(t, ours, 1))
	listed := call[struct{ Addresses []object }](t, ours, "get_address", object{"account_index": 0}).Addresses
	require.Len(t, listed, 302)
	report := takeoverOf(t, ours)
	require.Equal(t, "cache", report.From)
	require.Equal(t, []uint64{1, 301, 300, 0},
		[]uint64{report.Accounts, report.Addresses, report.NewAddresses, report.Labels})
	do(t, ours, "close_wallet", nil)
	open(t, ours, "shop")
	require.Equal(t, []uint32{302}, createAddresses(t, ours, 1))
	require.Equal(t, report, takeoverOf(t, ours), "unchanged files are not imported again")
	require.Equal(t, before["shop.keys"], files(t, h.wallets(), "shop.keys")["shop.keys"], "the keys stay unchanged")
}

func files(t *testing.T, folder string, names ...string) map[string]string {
	t.Helper()
	out := map[string]string{}
	for _, name := range names {
		b, err := os.ReadFile(filepath.Join(folder, name))
		require.NoError(t, err)
		out[name] = string(b)
	}
	return out
}

// TestLookaheadGrowsLater opens a wallet that was made with a smaller lookahead: it then uses the lookahead of the
// host, and a rescan finds payments within it.
func TestLookaheadGrowsLater(t *testing.T) {
	t.Parallel()
	d := newMined(t)
	payer := newGlim(t, d.URL, options{})
	restore(t, payer, "bob", bob)
	refresh(t, payer)
	pay(t, payer, []destination{{at(t, dave, 0, 40), coin}, {at(t, dave, 12, 90), 2 * coin}}, nil)
	mine(t, d, 1, at(t, nobody, 0, 0))

	dir := t.TempDir()
	ours := newGlim(t, d.URL, options{dir: dir})
	restore(t, ours, "shop", dave)
	refresh(t, ours)
	require.Zero(t, ledger(t, ours).Balance)
	require.NoError(t, ours.Close())
	for _, c := range []struct {
		lookahead wallet.Lookahead
		coins     uint64
	}{{wallet.Lookahead{Major: 1, Minor: 100}, 1}, {wallet.Lookahead{Major: 20, Minor: 1}, 3}, {near, 3}} {
		ours = newGlim(t, d.URL, options{dir: dir, lookahead: c.lookahead})
		open(t, ours, "shop")
		do(t, ours, "rescan_blockchain", nil)
		require.Equal(t, c.coins*coin, ledger(t, ours).Balance, c.lookahead)
		require.NoError(t, ours.Close())
	}
}

// TestUnreadableCache: a cache that cannot be read gives an error that lists what would be missing and how to continue,
// and no file is written. A wallet without a cache opens, and reports that.
func TestUnreadableCache(t *testing.T) {
	t.Parallel()
	h := newSharedFolder(t, newDaemon(t))
	reference := h.reference()
	restore(t, reference, "shop", dave)
	createAddresses(t, reference, 3)
	do(t, reference, "store", nil)
	restore(t, reference, "other", carol)
	require.NoError(t, reference.Stop())
	original := files(t, h.wallets(), "shop", "shop.keys", "other")
	good := original["shop"]
	put := func(name, content string) {
		require.NoError(t, os.WriteFile(filepath.Join(h.wallets(), name), []byte(content), 0o600))
	}

	flipped := []byte(good)
	flipped[20] ^= 1
	for name, content := range map[string]string{
		"empty": "", "cut": good[:len(good)/2], "cut by one byte": good[:len(good)-1], "longer": good + "x",
		"other bytes": strings.Repeat("wallet", 99),
		"flipped":     string(flipped), "another wallet's": original["other"],
	} {
		put("shop", content)
		ours := h.glim(options{})
		e := refusal(t, ours, "open_wallet", object{"filename": "shop", "password": ""})
		require.Equal(t, -1, e.Code, name)
		require.Contains(t, e.Message, "Failed to open wallet : monero-wallet-rpc's cache", name)
		for _, part := range []string{"labels", "transaction keys", "--without-cache"} {
			require.Contains(t, e.Message, part, name)
		}
		require.NoFileExists(t, filepath.Join(h.wallets(), "shop.glim"), name)
		require.NoError(t, ours.Close())
	}

	// On request it opens without the cache. Once the cache is readable again, it is imported.
	ours := h.glim(options{without: true})
	open(t, ours, "shop")
	require.Equal(t, "without-cache", takeoverOf(t, ours).From)
	require.Equal(t, []uint32{1}, createAddresses(t, ours, 1))
	require.NoError(t, ours.Close())
	ours = h.glim(options{})
	require.Contains(t, refusal(t, ours, "open_wallet", object{"filename": "shop", "password": ""}).Message,
		"--without-cache")
	put("shop", good)
	open(t, ours, "shop")
	require.Equal(t, "cache", takeoverOf(t, ours).From)
	require.Equal(t, []uint32{4}, createAddresses(t, ours, 1))

	// Without a cache.
	put("alone.keys", original["shop.keys"])
	open(t, ours, "alone")
	require.Equal(t, "keys", takeoverOf(t, ours).From)
	do(t, ours, "create_wallet", object{"filename": "own", "language": "English"})
	require.Empty(t, takeoverOf(t, ours).From)
}

// TestTakesOverEverything compares, operation by operation, a wallet of the reference that holds content of every kind
// with the same wallet in glim.
func TestTakesOverEverything(t *testing.T) {
	t.Parallel()
	d := newMined(t)
	h := newSharedFolder(t, d)
	reference := h.reference()
	restore(t, reference, "alice", alice)
	refresh(t, reference)
	lived := live(t, d, reference)
	do(t, reference, "store", nil)
	mirror := h.copied("alice")
	require.NoError(t, reference.Stop())

	ours := h.glim(options{})
	open(t, ours, "alice")
	require.Empty(t, call[map[string]any](t, ours, "get_transfers", object{
		"in": true, "out": true, "failed": true, "all_accounts": true,
	}),
		"there are no transfers before a refresh",
	)
	refresh(t, mirror, ours)
	lived.compare(t, mirror, ours)
	report := takeoverOf(t, ours)
	require.Equal(t, []uint64{3, 2, 2, 2, 3, 5}, []uint64{
		report.Accounts, report.TaggedAccounts, report.Notes, report.Attributes, report.AddressBook,
		report.Destinations,
	})
	require.Equal(t, []uint64{1, 1}, []uint64{report.Unconfirmed, report.Frozen})
	require.Empty(t, report.Left)

	// The pending payment is mined.
	mine(t, d, 2, at(t, nobody, 0, 0))
	refresh(t, mirror, ours)
	lived.compare(t, mirror, ours)
	do(t, ours, "close_wallet", nil)
	open(t, ours, "alice")
	lived.compare(t, mirror, ours)
	do(t, ours, "rescan_blockchain", nil)
	lived.compare(t, mirror, ours)
	require.Equal(t, createAddresses(t, mirror, 2), createAddresses(t, ours, 2))
}

// life is the history of a wallet.
type life struct {
	txs    []string
	ids    []string // payment IDs
	payees []string
}

// live gives a wallet content of every kind. The last payment stays in the pool.
func live(t *testing.T, d *peers.Daemon, c caller) (l life) {
	t.Helper()
	for _, label := range []string{"shop", "ünïcode \u2028"} {
		do(t, c, "create_account", object{"label": label})
	}
	do(t, c, "create_address", object{"account_index": 0, "count": 3, "label": "invoice"})
	do(t, c, "create_address", object{"account_index": 1, "count": 40})
	do(t, c, "label_address", object{"index": object{"major": 1, "minor": 39}, "label": "last of all"})
	do(t, c, "label_account", object{"account_index": 0, "label": "main"})
	do(t, c, "tag_accounts", object{"tag": "till", "accounts": []int{0, 2}})
	do(t, c, "set_account_tag_description", object{"tag": "till", "description": "what the tills take"})
	for key, value := range map[string]string{"one": "value", "two": "\"\\ü"} {
		do(t, c, "set_attribute", object{"key": key, "value": value})
	}
	integrated := call[struct {
		Address string `json:"integrated_address"`
	}](t, c, "make_integrated_address", object{
		"standard_address": at(t, bob, 0, 0), "payment_id": "0123456789abcdef",
	}).Address
	for i, address := range []string{at(t, bob, 0, 0), at(t, bob, 1, 2), integrated} {
		do(t, c, "add_address_book", object{"address": address, "description": strings.Repeat("b", i)})
	}
	l.ids = []string{"0123456789abcdef", "1111111111111111"}
	own := call[struct {
		Address string `json:"integrated_address"`
	}](t, c, "make_integrated_address", object{"payment_id": l.ids[1]}).Address
	for _, to := range [][]destination{
		{{at(t, bob, 0, 0), coin}}, {{integrated, coin / 2}},
		{{at(t, bob, 0, 3), coin}, {at(t, bob, 0, 4), coin / 3}, {at(t, alice, 1, 35), coin}},
		{{own, coin / 7}},
	} {
		l.txs = append(l.txs, pay(t, c, to, nil).TxHash)
		for _, payee := range to {
			l.payees = append(l.payees, payee.Address)
		}
		mine(t, d, 1, at(t, nobody, 0, 0))
		refresh(t, c)
	}
	l.payees[1] = at(t, bob, 0, 0) // without the payment ID
	outputs := call[struct {
		Transfers []struct {
			Image string `json:"key_image"`
		}
	}](t, c, "incoming_transfers", object{"transfer_type": "available"}).Transfers
	do(t, c, "freeze", object{"key_image": outputs[len(outputs)-1].Image})
	l.txs = append(l.txs, pay(t, c, []destination{{at(t, bob, 0, 5), coin / 5}}, nil).TxHash)
	do(t, c, "set_tx_notes", object{"txids": []string{l.txs[0], l.txs[4]}, "notes": []string{"first", "on its\nway"}})
	return l
}

func (l life) compare(t *testing.T, reference, ours caller) {
	t.Helper()
	same := func(method string, params any) {
		t.Helper()
		compare(t, reference, ours, method, params)
	}
	same("get_height", nil)
	for _, params := range []object{nil, {"tag": "till"}, {"tag": "none"}} {
		same("get_accounts", params)
	}
	for account := range 3 {
		same("get_address", object{"account_index": account})
		same("get_balance", object{"account_index": account})
		for _, kind := range []string{"all", "available", "unavailable"} {
			same("incoming_transfers", object{"transfer_type": kind, "account_index": account})
		}
	}
	same("get_account_tags", nil)
	same("get_tx_notes", object{"txids": append(l.txs, strings.Repeat("0", 64))})
	for _, key := range []string{"one", "two", "three"} {
		same("get_attribute", object{"key": key})
	}
	same("get_address_book", nil)
	same("get_address_book", object{"entries": []int{2}})
	for _, kind := range []string{"in", "out", "pending", "failed"} {
		same("get_transfers", object{kind: true, "all_accounts": true})
	}
	for i, id := range l.txs {
		same("get_tx_key", object{"txid": id})
		same("get_transfer_by_txid", object{"txid": id})
		for _, c := range []caller{reference, ours} {
			base := object{"txid": id, "address": l.payees[min(i, len(l.payees)-1)], "message": "m"}
			if i < 2 {
				proven := with(base, "signature", signature(t, c, "get_tx_proof", base))
				require.True(t, judge(t, reference, ours, "check_tx_proof", proven).Good)
			}
		}
	}
	for _, id := range l.ids {
		same("get_payments", object{"payment_id": id})
	}
	same("get_bulk_payments", object{"payment_ids": l.ids, "min_block_height": 0})
}

// content is what a wallet was given: notes and keys by transaction, labels by address index, the address book.
type content struct {
	notes, keys map[string]string
	labels      map[uint32]string
	book        []string
}

func newContent() *content {
	return &content{notes: map[string]string{}, keys: map[string]string{}, labels: map[uint32]string{}}
}

// workInTurns collects what the programs give a wallet that both use.
type workInTurns struct {
	*testing.T
	d    *peers.Daemon
	both *content
}

// work pays, and adds notes, labels and entries, as the program who.
func (w *workInTurns) work(who string, c caller, round int) {
	t, d := w.T, w.d
	t.Helper()
	mine(t, d, 10, at(t, nobody, 0, 0)) // so that change can be spent
	refresh(t, c)
	note, label := fmt.Sprint(who, " paid in round ", round), fmt.Sprint(who, " made in round ", round)
	sent := pay(t, c, []destination{{at(t, bob, 0, uint32(round)), coin / 10}}, nil)
	do(t, c, "set_tx_notes", object{"txids": []string{sent.TxHash}, "notes": []string{note}})
	do(t, c, "set_attribute", object{"key": "last", "value": note})
	do(t, c, "set_attribute", object{"key": who, "value": note})
	do(t, c, "add_address_book", object{"address": at(t, bob, 1, uint32(round)), "description": label})
	address := call[struct {
		Index uint32 `json:"address_index"`
	}](t, c, "create_address", object{"account_index": 0, "label": label})
	w.both.notes[sent.TxHash], w.both.keys[sent.TxHash] = note, sent.TxKey
	w.both.labels[address.Index] = label
	w.both.book = append(w.both.book, label)
	mine(t, d, 1, at(t, nobody, 0, 0))
	refresh(t, c)
}

// checkContent requires a wallet to have all of m.
func checkContent(t *testing.T, c caller, m *content) {
	t.Helper()
	for id, note := range m.notes {
		noted := call[struct{ Notes []string }](t, c, "get_tx_notes", object{"txids": []string{id}}).Notes
		require.Equal(t, []string{note}, noted)
		require.Equal(t, m.keys[id], call[struct {
			Key string `json:"tx_key"`
		}](t, c, "get_tx_key", object{"txid": id}).Key)
		transfer := call[struct {
			Transfer struct {
				Type         string
				Destinations []destination
			}
		}](t, c, "get_transfer_by_txid", object{"txid": id}).Transfer
		require.Equal(t, "out", transfer.Type)
		require.Len(t, transfer.Destinations, 1)
	}
	for index, label := range m.labels {
		require.Equal(t, label, call[struct {
			Addresses []struct{ Label string }
		}](t, c, "get_address", object{"account_index": 0, "address_index": []uint32{index}}).Addresses[0].Label)
	}
	var book []string
	for _, e := range call[struct {
		Entries []struct{ Description string }
	}](t, c, "get_address_book", nil).Entries {
		book = append(book, e.Description)
	}
	require.ElementsMatch(t, m.book, book)
}

// TestWalletUsedInTurns uses a wallet with the reference and with glim in turn. Each has everything of both: labels,
// notes, the address book, keys and destinations of transactions. No address is handed out twice, and glim keeps what
// the reference has scanned.
func TestWalletUsedInTurns(t *testing.T) {
	t.Parallel()
	d := newMined(t)
	h := newSharedFolder(t, d)
	reference := h.reference()
	restore(t, reference, "alice", alice)
	refresh(t, reference)
	ours := h.glim(options{})

	w := &workInTurns{T: t, d: d, both: newContent()}
	for round := range 4 {
		if round > 0 {
			reference = h.reference()
			open(t, reference, "alice")
			refresh(t, reference)
			checkContent(t, reference, w.both)
		}
		w.work("reference", reference, round)
		balance := ledger(t, reference)
		require.NoError(t, reference.Stop())

		before := files(t, h.wallets(), "alice", "alice.keys")
		open(t, ours, "alice")
		do(t, ours, "close_wallet", nil)
		require.Equal(t, before, files(t, h.wallets(), "alice", "alice.keys"), "glim adds nothing")
		open(t, ours, "alice")
		refresh(t, ours)
		require.Equal(t, balance, ledger(t, ours))
		checkContent(t, ours, w.both)
		last := call[struct{ Value string }](t, ours, "get_attribute", object{"key": "last"}).Value
		require.Equal(t, fmt.Sprint("reference paid in round ", round), last, "the last change wins")
		w.work("glim", ours, round)
		checkContent(t, ours, w.both)
		do(t, ours, "close_wallet", nil)
		if round%2 == 0 {
			open(t, ours, "alice") // the reference did not use it meanwhile
			checkContent(t, ours, w.both)
			do(t, ours, "close_wallet", nil)
		}
		require.Equal(t, before["alice.keys"], files(t, h.wallets(), "alice.keys")["alice.keys"])
	}
	require.Len(t, w.both.labels, 8, "no address was handed out twice")
}

// TestPasswordChangedByReference: the reference changes the password of its files. glim then opens the wallet with the
// new password, and says so if it gets the old one.
func TestPasswordChangedByReference(t *testing.T) {
	t.Parallel()
	h := newSharedFolder(t, newDaemon(t))
	reference := h.reference()
	restore(t, reference, "shop", dave)
	do(t, reference, "close_wallet", nil)
	ours := h.glim(options{})
	open(t, ours, "shop")
	do(t, ours, "close_wallet", nil)
	open(t, reference, "shop")
	createAddresses(t, reference, 7)
	do(t, reference, "change_wallet_password", object{"old_password": "", "new_password": "other"})
	require.NoError(t, reference.Stop())

	e := refusal(t, ours, "open_wallet", object{"filename": "shop", "password": ""})
	require.Contains(t, e.Message, "if monero-wallet-rpc changed the wallet's password, open the wallet with that one")
	do(t, ours, "open_wallet", object{"filename": "shop", "password": "other"})
	require.Equal(t, []uint32{8}, createAddresses(t, ours, 1))
}
