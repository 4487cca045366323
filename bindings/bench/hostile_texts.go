package main

import (
	"context"
	"errors"
	"strings"
)

// textLength is the length of a stored text for an input of a size.
type textLength struct {
	kind string
	of   func(size int) int
}

// textLengths are several lengths, because a long text may be refused and a shorter one stored.
var textLengths = []textLength{
	{"half", func(size int) int { return size / 2 }},
	{"a sixteenth", func(size int) int { return size / 16 }},
	{"64 KiB", func(int) int { return 64 << 10 }},
	{"4000 bytes", func(int) int { return 4000 }},
	{"1000 bytes", func(int) int { return 1000 }},
}

// text returns a JSON string of that length.
func (l textLength) text(size int) string { return `"` + strings.Repeat("a", l.of(size)) + `"` }

// jsonList returns a list of as many copies of item as size allows.
func jsonList(item string, size int) string {
	return string(repeated("[", item, "]", min(size, (len(item)+1)*130_000)))
}

// textAttacks collects attacks by texts that a wallet stores.
type textAttacks struct {
	all           []attack
	address, txid string // of the wallet, as JSON
}

func (t *textAttacks) add(operation, kind string,
	run func(ctx context.Context, v *target, send func(method, params string), size int)) {
	attempt := func(ctx context.Context, v *target, size int) (sent int64, err error) {
		run(ctx, v, func(method, params string) {
			sent += together(ctx, v.url+"/json_rpc", call(method, []byte(params)), 1)
		}, size)
		v.wanted = true // no other attack can use this wallet
		if sent == 0 {
			return 0, errors.New("nothing was accepted")
		}
		return sent, nil
	}
	t.all = append(t.all, attack{"text that a wallet keeps", operation, kind, wallets, attempt})
}

// storedTexts returns texts that a wallet stores, and requests that return one of them as often as possible.
func storedTexts(w *testbed) ([]attack, error) {
	t := &textAttacks{address: w.known["address"], txid: w.known["txid"]}
	for _, length := range textLengths {
		t.labels(length)
		t.notes(length)
	}
	t.add("get_bulk_payments", "one payment ID again and again",
		func(ctx context.Context, v *target, send func(string, string), size int) {
			send("get_bulk_payments", `{"payment_ids":`+jsonList(`"0000000000000000"`, size)+`}`)
		})
	for _, method := range []string{"incoming_transfers", "get_transfers"} {
		t.add(method, "one address again and again",
			func(ctx context.Context, v *target, send func(string, string), size int) {
				send(method, `{"transfer_type":"all","in":true,"out":true,"subaddr_indices":`+jsonList("0", size)+`}`)
			})
	}
	return t.all, nil
}

// labels adds descriptions, tags and labels.
func (t *textAttacks) labels(length textLength) {
	address, long := t.address, length.text
	t.add("get_address_book", "a description of "+length.kind+", requested repeatedly",
		func(ctx context.Context, v *target, send func(string, string), size int) {
			send("add_address_book", `{"address":`+address+`,"description":`+long(size)+`}`)
			send("get_address_book", `{"entries":`+jsonList("0", size/2)+`}`)
		})
	t.add("get_accounts", "a tag of "+length.kind+" for many accounts",
		func(ctx context.Context, v *target, send func(string, string), size int) {
			for range 200 {
				_ = must(ctx, v, "create_account", nil, nil)
			}
			every := []byte("[")
			for i := range 201 {
				every = append(every, strings.Repeat(",", min(i, 1))+itoa(i)...)
			}
			send("tag_accounts", `{"tag":`+long(size)+`,"accounts":`+string(every)+`]}`)
			send("get_accounts", `{}`)
		})
	t.add("tag_accounts", "a tag of "+length.kind+" for one account again and again",
		func(ctx context.Context, v *target, send func(string, string), size int) {
			send("tag_accounts", `{"tag":`+long(size)+`,"accounts":`+jsonList("0", size/2)+`}`)
			send("get_accounts", `{}`)
			send("get_account_tags", `{}`)
		})
	t.add("get_address", "a label of "+length.kind+", requested repeatedly",
		func(ctx context.Context, v *target, send func(string, string), size int) {
			send("label_address", `{"index":{"major":0,"minor":0},"label":`+long(size)+`}`)
			send("get_address", `{"account_index":0,"address_index":`+jsonList("0", size/2)+`}`)
			send("get_balance", `{"account_index":0,"address_indices":`+jsonList("0", size/2)+`}`)
			send("get_accounts", `{}`)
		})
	t.add("create_address", "a label of "+length.kind+" for many addresses",
		func(ctx context.Context, v *target, send func(string, string), size int) {
			send("create_address", `{"account_index":0,"count":1000,"label":`+long(size)+`}`)
			send("get_address", `{"account_index":0}`)
		})
}

// notes adds notes, descriptions of tags and attributes.
func (t *textAttacks) notes(length textLength) {
	address, txid, long := t.address, t.txid, length.text
	t.add("get_tx_notes", "a note of "+length.kind+", requested repeatedly",
		func(ctx context.Context, v *target, send func(string, string), size int) {
			send("set_tx_notes", `{"txids":[`+txid+`],"notes":[`+long(size)+`]}`)
			send("get_tx_notes", `{"txids":`+jsonList(txid, size/2)+`}`)
			send("get_transfers",
				`{"in":true,"out":true,"pool":true,"pending":true,"subaddr_indices":`+jsonList("0", size/2)+`}`)
		})
	t.add("set_tx_notes", "one note of "+length.kind+", for many transactions",
		func(ctx context.Context, v *target, send func(string, string), size int) {
			send("set_tx_notes", `{"txids":`+jsonList(txid, size/2)+`,"notes":`+jsonList(`""`, size/2)+`}`)
		})
	t.add("set_account_tag_description", "a description of "+length.kind,
		func(ctx context.Context, v *target, send func(string, string), size int) {
			send("tag_accounts", `{"tag":"t","accounts":[0]}`)
			send("set_account_tag_description", `{"tag":"t","description":`+long(size)+`}`)
			send("get_account_tags", `{}`)
		})
	t.add("set_attribute", "a value of "+length.kind,
		func(ctx context.Context, v *target, send func(string, string), size int) {
			send("set_attribute", `{"key":"k","value":`+long(size)+`}`)
			send("get_attribute", `{"key":"k"}`)
			send("store", `{}`)
		})
	t.add("add_address_book", "descriptions of "+length.kind+" up to the size",
		func(ctx context.Context, v *target, send func(string, string), size int) {
			for range min(max(size/max(length.of(size), 1), 1), 500) {
				send("add_address_book", `{"address":`+address+`,"description":`+long(size)+`}`)
			}
			send("get_address_book", `{}`)
			send("store", `{}`)
		})
}
