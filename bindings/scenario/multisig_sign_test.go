package scenario

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"glim/bindings/peers"
)

// multisigTransfer is the answer to a transfer of a multisig wallet.
type multisigTransfer struct {
	Set    string `json:"multisig_txset"`
	TxHash string `json:"tx_hash"`
	Fee    uint64 `json:"fee"`
	Weight uint64 `json:"weight"`
	Amount uint64 `json:"amount"`
	TxKey  string `json:"tx_key"`
}

type multisigSigned struct {
	Set string   `json:"tx_data_hex"`
	IDs []string `json:"tx_hash_list"`
}

type multisigBalance struct {
	Balance      uint64 `json:"balance"`
	Unlocked     uint64 `json:"unlocked_balance"`
	ImportNeeded bool   `json:"multisig_import_needed"`
}

// exportedInfos returns every signer's multisig info.
func exportedInfos(t *testing.T, group []signer) []string {
	t.Helper()
	infos := make([]string, len(group))
	for i, s := range group {
		infos[i] = call[struct{ Info string }](t, s, "export_multisig_info", nil).Info
	}
	return infos
}

// exchangeInfos imports the info of every signer into all others.
func exchangeInfos(t *testing.T, group []signer) {
	t.Helper()
	infos := exportedInfos(t, group)
	for i, s := range group {
		n := call[struct {
			N uint64 `json:"n_outputs"`
		}](t, s, "import_multisig_info", object{"info": without(infos, i)}).N
		require.NotZero(t, n)
	}
}

// fund mines blocks to the group's address, and more until they can be spent.
func fund(t *testing.T, d *peers.Daemon, group []signer, address string, blocks int) {
	t.Helper()
	mine(t, d, blocks, address)
	mine(t, d, 60, at(t, 250, 0, 0))
	refreshGroup(t, group)
}

func refreshGroup(t *testing.T, group []signer) {
	t.Helper()
	for _, s := range group {
		refresh(t, s)
	}
}

// signedBy has signers sign a set in turn and returns it with the IDs that the last one returns.
func signedBy(t *testing.T, group []signer, set string, by ...int) multisigSigned {
	t.Helper()
	var got multisigSigned
	for n, i := range by {
		begun := time.Now()
		got = call[multisigSigned](t, group[i], "sign_multisig", object{"tx_data_hex": set})
		t.Logf("signer %d of %d, the reference's: %v: signed in %v", i,
			len(group), group[i].reference, time.Since(begun))
		require.Equal(t, n == len(by)-1, len(got.IDs) > 0, "only the last signer returns IDs")
		set = got.Set
	}
	return got
}

// submitted submits a set and returns the IDs of its transactions.
func submitted(t *testing.T, s signer, set string) []string {
	t.Helper()
	return call[multisigSigned](t, s, "submit_multisig", object{"tx_data_hex": set}).IDs
}

// sameSpendingRefusals sends invalid sets and infos to the reference's signer and to ours, which refuse them alike.
func sameSpendingRefusals(t *testing.T, reference, ours signer, set string, theirInfo, ourInfo string) {
	t.Helper()
	same := func(method, name string, theirs, our object) {
		t.Helper()
		want, got := refusal(t, reference, method, theirs), refusal(t, ours, method, our)
		require.Equal(t, want.Code, got.Code, "%s, %s: %s / %s", method, name, want.Message, got.Message)
		if want.Code != -1 && want.Code != -35 {
			require.Equal(t, want.Message, got.Message, "%s, %s", method, name)
		}
		record(method, true)
	}
	for name, text := range map[string]string{
		"no hex": "x", "nothing": "", "too short": "00", "an info": theirInfo, "changed": damaged(t, set),
	} {
		for _, method := range []string{"sign_multisig", "submit_multisig"} {
			same(method, name, object{"tx_data_hex": text}, object{"tx_data_hex": text})
		}
		if text != "" {
			same("describe_transfer", name, object{"multisig_txset": text}, object{"multisig_txset": text})
		}
		if name != "an info" {
			same("import_multisig_info", name, object{"info": []string{text}}, object{"info": []string{text}})
		}
	}
	same("submit_multisig", "not signed by enough", object{"tx_data_hex": set}, object{"tx_data_hex": set})
	same("import_multisig_info", "none", object{"info": []string{}}, object{"info": []string{}})
	same("import_multisig_info", "a changed one", object{"info": []string{damaged(t, ourInfo)}},
		object{"info": []string{damaged(t, theirInfo)}})
	same("import_multisig_info", "one's own", object{"info": []string{theirInfo}}, object{"info": []string{ourInfo}})
	same("import_multisig_info", "a set", object{"info": []string{set}}, object{"info": []string{set}})
}

// spendingGroup is a group of signers and what it does.
type spendingGroup struct {
	threshold int
	who       string  // in order: g is ours, r the reference's
	turns     [][]int // who makes, who signs in order; the last entry submits
	first     byte    // the number of the first signer's wallet
	group     []signer
}

func (g *spendingGroup) name() string { return fmt.Sprintf("%d of %s", g.threshold, g.who) }

// groupSpending has groups pay one payee.
type groupSpending struct {
	*testing.T
	d          *peers.Daemon
	payee      caller
	integrated string // an address of the payee with a payment ID
	paid       uint64
	kind       int // of the next payment
}

// TestMultisigSpend: groups of glim's wallets and one of the reference's pay; each signer makes, signs and submits in
// turn.
func TestMultisigSpend(t *testing.T) {
	t.Parallel()
	d := newMonerod(t) // verifies the transactions
	reference := newReference(t, d)
	payee := newGlim(t, d.URL, options{})
	restore(t, payee, "payee", 240)
	mine(t, d, 40, at(t, 250, 0, 0)) // decoys
	p := &groupSpending{T: t, d: d, payee: payee}
	p.integrated = call[struct {
		Address string `json:"integrated_address"`
	}](t, payee, "make_integrated_address", object{"payment_id": "0123456789abcdef"}).Address
	groups := []*spendingGroup{
		{threshold: 2, who: "gr", turns: [][]int{{0, 1, 1}, {1, 0, 0}}},
		{threshold: 2, who: "grg", turns: [][]int{{2, 1, 0}, {1, 2, 2}}},
		{threshold: 3, who: "rgg", turns: [][]int{{1, 0, 2, 1}}},
		{threshold: 3, who: "gggr", turns: [][]int{{0, 2, 3, 3}}},
		{threshold: 3, who: "ggrgg", turns: [][]int{{2, 0, 4, 1}}},
	}
	n := byte(60)
	for _, c := range groups {
		c.first = n
		for _, kind := range c.who {
			var r caller
			if kind == 'r' {
				r = reference
			}
			c.group = append(c.group, newSigner(t, d, r, n))
			n++
		}
		mine(t, d, len(c.turns)+1, setUpGroup(t, c.group, c.threshold))
	}
	mine(t, d, 60, at(t, 250, 0, 0)) // until all outputs are unlocked
	for _, c := range groups {
		p.spends(c)
	}
	for _, method := range []string{
		"export_multisig_info", "import_multisig_info", "sign_multisig", "submit_multisig",
	} {
		record(method, false)
	}
}

// spends makes all payments of a group.
func (p *groupSpending) spends(c *spendingGroup) {
	t, group, name := p.T, c.group, c.name()
	t.Helper()
	r := strings.IndexByte(c.who, 'r')
	do(t, group[r], "open_wallet", object{"filename": fmt.Sprint("signer-", int(c.first)+r), "password": ""})
	refreshGroup(t, group)
	for _, s := range group {
		require.True(t, call[multisigBalance](t, s, "get_balance", object{"account_index": 0}).ImportNeeded, name)
	}
	if c.who == "gr" { // nothing can be spent before infos are exchanged
		params := object{"destinations": []destination{{at(t, 240, 0, 0), coin}}}
		require.Equal(t, refusal(t, group[1], "transfer", params), refusal(t, group[0], "transfer", params))
	}
	for turn := range c.turns {
		p.takesTurn(c, turn)
	}
	if c.who == "grg" {
		p.sweeps(c)
	}
	refresh(t, p.payee)
	balance := call[multisigBalance](t, p.payee, "get_balance", object{"account_index": 0, "all_accounts": true})
	require.Equal(t, p.paid, balance.Balance, name)
}

// takesTurn makes, signs and submits one payment.
func (p *groupSpending) takesTurn(c *spendingGroup, turn int) {
	t, group, name := p.T, c.group, c.name()
	t.Helper()
	exchangeInfos(t, group)
	for _, s := range group {
		require.False(t, call[multisigBalance](t, s, "get_balance", object{"account_index": 0}).ImportNeeded, name)
	}
	roles := c.turns[turn]
	maker, signers, submitter := roles[0], roles[1:len(roles)-1], roles[len(roles)-1]
	amount := uint64(coin + int(c.first))
	if c.who == "grg" && turn == 0 {
		amount *= 40 // needs two inputs
	}
	to := [][]destination{
		{{at(t, 240, 0, 0), amount}},
		{{at(t, 240, 0, 1), amount}, {at(t, 240, 0, 0), 2 * amount}},
		{{p.integrated, amount}},
		{{at(t, 240, 1, 0), amount}},
	}[p.kind%4]
	p.kind++
	made := call[multisigTransfer](t, group[maker], "transfer", object{"destinations": to, "get_tx_key": true})
	require.NotEmpty(t, made.Set, name)
	require.Empty(t, made.TxHash, name)
	require.NotEmpty(t, made.TxKey, name)
	for _, s := range group {
		about := call[described](t, s, "describe_transfer", object{"multisig_txset": made.Set})
		require.Len(t, about.Desc, 1, name)
		if !s.reference { // the installed release has no summary yet
			require.ElementsMatch(t, to, about.Summary.Recipients, name)
		}
	}
	if c.who == "gr" && turn == 0 {
		infos := exportedInfos(t, group[:1])
		theirs := exportedInfos(t, group[1:])
		sameSpendingRefusals(t, group[1], group[0], made.Set, theirs[0], infos[0])
		exchangeInfos(t, group) // these exports made the earlier ones void
		made = call[multisigTransfer](t, group[maker], "transfer", object{"destinations": to, "get_tx_key": true})
	}
	done := signedBy(t, group, made.Set, signers...)
	require.Equal(t, done.IDs, submitted(t, group[submitter], done.Set), name)
	require.Equal(t, made.TxKey, call[struct {
		Key string `json:"tx_key"`
	}](t, group[submitter], "get_tx_key", object{"txid": done.IDs[0]}).Key, name)
	p.paid += made.Amount
	mine(t, p.d, 10, at(t, 250, 0, 0))
	refreshGroup(t, group)
}

// sweeps spends everything that is left in a group.
func (p *groupSpending) sweeps(c *spendingGroup) {
	t, group := p.T, c.group
	t.Helper()
	exchangeInfos(t, group)
	swept := call[struct {
		Set     string   `json:"multisig_txset"`
		Amounts []uint64 `json:"amount_list"`
	}](t, group[1], "sweep_all", object{"address": at(t, 240, 0, 2), "account_index": 0})
	done := signedBy(t, group, swept.Set, 0)
	require.Equal(t, done.IDs, submitted(t, group[2], done.Set))
	for _, amount := range swept.Amounts {
		p.paid += amount
	}
	mine(t, p.d, 10, at(t, 250, 0, 0))
	refreshGroup(t, group)
	for _, s := range group {
		require.Zero(t, call[multisigBalance](t, s, "get_balance", object{"account_index": 0}).Balance)
	}
}
