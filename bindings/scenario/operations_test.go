package scenario

import (
	"strings"
	"testing"

	"glim/bindings/peers"
)

// pair is the reference and our service with the same wallet open.
type pair struct {
	t               *testing.T
	reference, ours caller
}

func newPair(t *testing.T, d *peers.Daemon) *pair {
	t.Helper()
	return &pair{t, newReference(t, d), newGlim(t, d.URL, options{lookahead: far})}
}

func (p *pair) both() []caller { return []caller{p.reference, p.ours} }

// same requires the same answer, or the same error, from both.
func (p *pair) same(method string, params object, ignore ...string) {
	p.t.Helper()
	compare(p.t, p.reference, p.ours, method, params, ignore...)
}

// alike requires answers that differ only in random members.
func (p *pair) alike(method string, params object, drawn ...string) {
	p.t.Helper()
	comparison{alike: drawn}.ask(p.t, p.reference, p.ours, method, params, params)
}

// TestOperationsEqual sends valid and invalid requests of every operation to both programs, which give the same
// answers.
func TestOperationsEqual(t *testing.T) {
	t.Parallel()
	d := newMinedMonerod(t)
	p := newPair(t, d)
	for _, c := range p.both() {
		restoreFar(t, c, "alice", alice)
	}
	refresh(t, p.both()...)
	t.Run("accounts", func(t *testing.T) {
		q := p.in(t)
		q.accounts()
		q.balances()
		q.tags()
		q.validation()
	})
	t.Run("texts", func(t *testing.T) {
		q := p.in(t)
		q.notes()
		q.integratedAddresses()
		q.addressBook()
		q.keysAndSettings()
	})
	t.Run("history", p.history)
	t.Run("spending", func(t *testing.T) { p.spending(t, d) })
}

// in returns p for a subtest.
func (p *pair) in(t *testing.T) *pair {
	q := *p
	q.t = t
	return &q
}

// nowhere is an index that no account and no address has.
const nowhere = uint32(1) << 31

// accounts compares operations about accounts and addresses.
func (p *pair) accounts() {
	t := p.t
	for _, label := range []string{"", "second", "ü\n\"\\", "<b>&"} {
		p.same("create_account", object{"label": label})
	}
	p.same("create_account", nil)
	for _, params := range []object{{}, {"account_index": 0}, {"account_index": 1, "label": "x"},
		{"account_index": 1, "count": 3, "label": "many"},
		{"account_index": 5}, {"account_index": 6}, {"account_index": nowhere}, {"account_index": 1, "count": 64}} {
		p.same("create_address", params)
	}
	for _, params := range []object{{}, {"index": object{}, "label": "primary"},
		{"index": object{"major": 1, "minor": 2}, "label": "y"},
		{"index": object{"major": 1, "minor": 999}, "label": "y"},
		{"index": object{"major": 99, "minor": 0}},
		{"index": object{"major": nowhere, "minor": nowhere}}} {
		p.same("label_address", params)
	}
	for _, params := range []object{
		{},
		{"account_index": 1, "label": "first"},
		{"account_index": 99, "label": "none"},
		{"account_index": 0, "label": "Primary account"},
	} {
		p.same("label_account", params)
	}
	for _, name := range []string{"get_address", "getaddress"} {
		for _, params := range []object{{}, {"account_index": 1}, {"account_index": 1, "address_index": []int{}},
			{"account_index": 1, "address_index": []int{3, 1, 1}},
			{"account_index": 1, "address_index": []int{0, 500}}, {"account_index": 99}, {"account_index": nowhere}} {
			p.same(name, params)
		}
	}
	for _, a := range []string{
		at(t, alice, 0, 0), at(t, alice, 1, 2), at(t, alice, 1, 60), at(t, alice, 4, 150), at(t, alice, 49, 199),
		at(t, bob, 0, 0), "", "x", at(t, bob, 1, 1),
	} {
		p.same("get_address_index", object{"address": a})
	}
	p.same("get_address_index", nil)
}

// balances compares balances and heights.
func (p *pair) balances() {
	for _, name := range []string{"get_balance", "getbalance"} {
		for _, params := range []object{{}, {"account_index": 1, "address_indices": []int{5, 1, 1}},
			{"account_index": 99}, {"account_index": 99, "address_indices": []int{0}},
			{"account_index": 0, "address_indices": []int{900}},
			{"all_accounts": true, "account_index": 99, "address_indices": []int{4}},
			{"strict": true, "all_accounts": true}} {
			p.same(name, params)
		}
	}
	for _, name := range []string{"get_height", "getheight"} {
		p.same(name, nil)
	}
}

// tags compares operations about tags of accounts.
func (p *pair) tags() {
	for _, params := range []object{{}, {"tag": "", "accounts": []int{0}}, {"tag": "a", "accounts": []int{}},
		{"tag": "a", "accounts": []int{0, 2}},
		{"tag": "b", "accounts": []int{1, 1}},
		{"tag": "b", "accounts": []int{1, 99}},
		{"tag": "a", "accounts": []int{3}},
		{"tag": "shop 1", "accounts": []int{4}}} {
		p.same("tag_accounts", params)
		p.same("get_account_tags", nil)
	}
	for _, params := range []object{
		{},
		{"tag": "a", "description": "about a"},
		{"tag": "none", "description": "x"},
		{"tag": "b", "description": ""},
		{"tag": "", "description": "x"},
	} {
		p.same("set_account_tag_description", params)
	}
	p.same("get_account_tags", nil)
	for _, params := range []object{{}, {"tag": "a"}, {"tag": "none"}, {"tag": "a|b", "regexp": true},
		{"tag": "zzz", "regexp": true}, {"tag": ".*", "regexp": true},
		{"tag": "", "regexp": true},
		{"tag": "shop", "regexp": true},
		{"tag": "shop [0-9]", "regexp": true},
		{"strict_balances": true}} {
		p.same("get_accounts", params)
	}
	for _, params := range []object{
		{},
		{"accounts": []int{}},
		{"accounts": []int{2}},
		{"accounts": []int{2, 2}},
		{"accounts": []int{99}},
		{"accounts": []int{0, 1, 3, 4}},
	} {
		p.same("untag_accounts", params)
		p.same("get_account_tags", nil)
	}
}

// validation compares what both report about addresses.
func (p *pair) validation() {
	t := p.t
	for _, a := range []string{at(t, alice, 0, 0), at(t, bob, 1, 1), "", "x", at(t, alice, 0, 0)[1:],
		"9" + at(t, alice, 0, 0)[1:],
		"55LTR8KniP4LQGJSPtbYDacR7dz8RBFnsfAKMaMuwUNYX6aQbBcovzDPyrQF9KXF9tVU6Xk3K8no1BywnJX6GvZX8yJsXvt",
		testnetAddress} {
		for _, more := range []object{{}, {"any_net_type": true}, {"allow_openalias": false}} {
			p.same("validate_address", with(more, "address", a))
		}
	}
	p.same("validate_address", nil)
}

// notes compares operations about notes and attributes.
func (p *pair) notes() {
	id, other := strings.Repeat("ab", 32), strings.Repeat("01", 32)
	for _, params := range []object{{}, {"txids": []string{id}}, {"notes": []string{"x"}},
		{"txids": []string{id, other}, "notes": []string{"one ü", ""}},
		{"txids": []string{"x"}, "notes": []string{"x"}},
		{"txids": []string{id[1:]}, "notes": []string{"x"}},
		{"txids": []string{id, id}, "notes": []string{"y", "z"}},
		{"txids": []string{strings.ToUpper(other)}, "notes": []string{"upper"}},
		{"txids": []string{other, "zz"}, "notes": []string{"a", "b"}}} {
		p.same("set_tx_notes", params)
		p.same("get_tx_notes", object{"txids": []string{id, other, strings.Repeat("02", 32)}})
	}
	for _, params := range []object{
		{},
		{"txids": []string{}},
		{"txids": []string{"x"}},
		{"txids": []string{id, "x"}},
		{"txids": []string{id + "00"}},
	} {
		p.same("get_tx_notes", params)
	}
	for _, params := range []object{
		{},
		{"key": "k"},
		{"key": "k", "value": "v"},
		{"key": "", "value": "empty"},
		{"key": "ü", "value": "ö\n"},
	} {
		p.same("set_attribute", params)
		p.same("get_attribute", params)
	}
	for _, params := range []object{{}, {"key": "none"}, {"key": "k"}} {
		p.same("get_attribute", params)
	}
}

// integratedAddresses compares operations about integrated addresses.
func (p *pair) integratedAddresses() {
	t, integrated := p.t, integratedAddress(p.t, p.ours, "0123456789abcdef")
	for _, params := range []object{{"payment_id": "0123456789abcdef"}, {"payment_id": "0123456789ABCDEF"},
		{"payment_id": "0123"}, {"payment_id": "x123456789abcdef"},
		{"payment_id": strings.Repeat("01", 32)},
		{"payment_id": "0000000000000000"},
		{"payment_id": "0123456789abcdef", "standard_address": at(t, bob, 0, 0)},
		{"payment_id": "0123456789abcdef", "standard_address": at(t, bob, 0, 1)},
		{"payment_id": "0123456789abcdef", "standard_address": integrated},
		{"payment_id": "0123456789abcdef", "standard_address": "x"}, {"standard_address": "x"}} {
		p.same("make_integrated_address", params)
	}
	p.alike("make_integrated_address", nil, "integrated_address", "payment_id")
	for _, a := range []string{integrated, at(t, bob, 0, 0), at(t, bob, 1, 0), "", "x"} {
		p.same("split_integrated_address", object{"integrated_address": a})
		p.same("get_address_index", object{"address": a})
	}
	p.same("split_integrated_address", nil)
}

// addressBook compares operations about the address book.
func (p *pair) addressBook() {
	t, integrated := p.t, integratedAddress(p.t, p.ours, "0123456789abcdef")
	p.same("get_address_book", nil)
	for _, params := range []object{{}, {"address": at(t, bob, 0, 0)},
		{"address": at(t, bob, 1, 1), "description": "sub ü"}, {"address": integrated, "description": "with ID"},
		{"address": "x"},
		{"address": at(t, bob, 0, 0), "description": "again"},
		{"address": at(t, alice, 0, 0), "description": "me"}} {
		p.same("add_address_book", params)
	}
	p.same("get_address_book", nil)
	for _, params := range []object{
		{},
		{"entries": []int{}},
		{"entries": []int{1}},
		{"entries": []int{2, 0, 0}},
		{"entries": []int{0, 50}},
		{"entries": []int{50}},
	} {
		p.same("get_address_book", params)
	}
	for _, params := range []object{{}, {"index": 50}, {"index": 0, "set_description": true, "description": "new"},
		{"index": 0, "description": "not set"},
		{"index": 1, "set_address": true, "address": at(t, carol, 0, 0)},
		{"index": 1, "set_address": true, "address": "x"},
		{"index": 1, "set_address": true},
		{"index": 3, "set_address": true, "address": at(t, carol, 2, 0), "set_description": true, "description": ""},
		{"index": 50, "set_address": true, "address": "x"}} {
		p.same("edit_address_book", params)
		p.same("get_address_book", nil)
	}
	for _, params := range []object{{"index": 50}, {"index": 1}, {}, {"index": 3}} {
		p.same("delete_address_book", params)
		p.same("get_address_book", nil)
	}
}

// keysAndSettings compares keys, settings and estimates of weights.
func (p *pair) keysAndSettings() {
	for _, kind := range []string{"", "x", "mnemonic", "view_key", "spend_key", "VIEW_KEY"} {
		p.same("query_key", object{"key_type": kind})
	}
	p.same("query_key", nil)
	p.same("get_languages", nil)
	p.same("is_multisig", nil)
	for _, level := range []int{-1, 5, 0, 127} {
		p.same("set_log_level", object{"level": level})
	}
	p.same("set_log_categories", object{"categories": "*:ERROR"})
	for _, params := range []object{{}, {"n_inputs": 1, "n_outputs": 2},
		{"n_inputs": 1, "n_outputs": 2, "ring_size": 16}, {"n_inputs": 3, "n_outputs": 16, "ring_size": 11},
		{"n_inputs": 1, "n_outputs": 2, "rct": false},
		{"n_inputs": 0, "n_outputs": 2},
		{"n_inputs": 2, "n_outputs": 0},
		{"n_inputs": 100, "n_outputs": 17}} {
		p.same("estimate_tx_size_and_weight", params)
	}
}

func (p *pair) history(t *testing.T) {
	q := *p
	q.t = t
	for _, kind := range []string{"", "all", "available", "unavailable", "x"} {
		for _, more := range []object{
			{},
			{"account_index": 0, "subaddr_indices": []int{0}},
			{"subaddr_indices": []int{7}},
			{"account_index": 99},
		} {
			q.same("incoming_transfers", with(more, "transfer_type", kind))
		}
	}
	q.same("incoming_transfers", nil)
	for _, params := range []object{{}, {"in": true}, {"in": true, "account_index": 99},
		{"in": true, "subaddr_indices": []int{99}}, {"in": true, "filter_by_height": true},
		{"in": true, "filter_by_height": true, "min_height": 10, "max_height": 12},
		{"in": true, "filter_by_height": true, "min_height": 12, "max_height": 10},
		{"in": true, "min_height": 12},
		{"in": true, "out": true, "pending": true, "failed": true, "pool": true},
		{"in": true, "filter_by_height": true, "max_height": uint64(1) << 63}} {
		q.same("get_transfers", params)
	}
	id := strings.Repeat("ab", 32)
	mined := call[struct {
		In []struct {
			TxID string `json:"txid"`
		} `json:"in"`
	}](t, q.ours, "get_transfers", object{"in": true}).In[0].TxID
	for _, params := range []object{{}, {"txid": ""}, {"txid": "x"}, {"txid": id}, {"txid": id[2:]}, {"txid": mined},
		{"txid": mined, "account_index": 1},
		{"txid": mined, "account_index": 99}, {"txid": strings.ToUpper(mined)}} {
		q.same("get_transfer_by_txid", params)
	}
	for _, payment := range []string{
		"", "x", "0123456789abcdef", strings.Repeat("00", 32), strings.Repeat("00", 8), "0123", strings.Repeat("0x", 8),
	} {
		q.same("get_payments", object{"payment_id": payment})
		q.same("get_bulk_payments", object{"payment_ids": []string{payment}})
		q.same("get_bulk_payments", object{
			"payment_ids": []string{strings.Repeat("00", 8), payment}, "min_block_height": 12,
		})
	}
	q.same("get_payments", nil)
	for _, params := range []object{
		nil, {"payment_ids": []string{}}, {"min_block_height": 15},
		{"payment_ids": []string{}, "min_block_height": 1 << 40},
	} {
		q.same("get_bulk_payments", params)
	}
}
