package main

import (
	"context"
	"errors"
	"strings"
)

// storedTexts are texts that a wallet keeps, and requests that ask for one of them as often as they can.
func storedTexts(w *world) (all []attack, err error) {
	add := func(operation, kind string, run func(ctx context.Context, v *victim, send func(method, params string), size int)) {
		all = append(all, attack{"text that a wallet keeps", operation, kind, wallets, func(ctx context.Context, v *victim, size int) (sent int64, err error) {
			run(ctx, v, func(method, params string) { sent += together(ctx, v.url+"/json_rpc", call(method, []byte(params)), 1) }, size)
			v.wanted = true // whatever it keeps now is no start for another
			if sent == 0 {
				return 0, errors.New("nothing was taken")
			}
			return sent, nil
		}})
	}
	list := func(item string, size int) string {
		return string(repeated("[", item, "]", min(size, (len(item)+1)*130_000)))
	}
	address, txid := w.known["address"], w.known["txid"]
	// A text of a few sizes: one may be refused, and a shorter one be kept.
	for _, length := range []struct {
		kind string
		of   func(size int) int
	}{{"half", func(size int) int { return size / 2 }}, {"a sixteenth", func(size int) int { return size / 16 }}, {"64 KiB", func(int) int { return 64 << 10 }}, {"4000 bytes", func(int) int { return 4000 }}, {"1000 bytes", func(int) int { return 1000 }}} {
		long := func(size int) string { return `"` + strings.Repeat("a", length.of(size)) + `"` }
		add("get_address_book", "a description of "+length.kind+", asked for again and again", func(ctx context.Context, v *victim, send func(string, string), size int) {
			send("add_address_book", `{"address":`+address+`,"description":`+long(size)+`}`)
			send("get_address_book", `{"entries":`+list("0", size/2)+`}`)
		})
		add("get_accounts", "a tag of "+length.kind+" for many accounts", func(ctx context.Context, v *victim, send func(string, string), size int) {
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
		add("tag_accounts", "a tag of "+length.kind+" for one account again and again", func(ctx context.Context, v *victim, send func(string, string), size int) {
			send("tag_accounts", `{"tag":`+long(size)+`,"accounts":`+list("0", size/2)+`}`)
			send("get_accounts", `{}`)
			send("get_account_tags", `{}`)
		})
		add("get_address", "a label of "+length.kind+", asked for again and again", func(ctx context.Context, v *victim, send func(string, string), size int) {
			send("label_address", `{"index":{"major":0,"minor":0},"label":`+long(size)+`}`)
			send("get_address", `{"account_index":0,"address_index":`+list("0", size/2)+`}`)
			send("get_balance", `{"account_index":0,"address_indices":`+list("0", size/2)+`}`)
			send("get_accounts", `{}`)
		})
		add("create_address", "a label of "+length.kind+" for many addresses", func(ctx context.Context, v *victim, send func(string, string), size int) {
			send("create_address", `{"account_index":0,"count":1000,"label":`+long(size)+`}`)
			send("get_address", `{"account_index":0}`)
		})
		add("get_tx_notes", "a note of "+length.kind+", asked for again and again", func(ctx context.Context, v *victim, send func(string, string), size int) {
			send("set_tx_notes", `{"txids":[`+txid+`],"notes":[`+long(size)+`]}`)
			send("get_tx_notes", `{"txids":`+list(txid, size/2)+`}`)
			send("get_transfers", `{"in":true,"out":true,"pool":true,"pending":true,"subaddr_indices":`+list("0", size/2)+`}`)
		})
		add("set_tx_notes", "one note of "+length.kind+", and many of it", func(ctx context.Context, v *victim, send func(string, string), size int) {
			send("set_tx_notes", `{"txids":`+list(txid, size/2)+`,"notes":`+list(`""`, size/2)+`}`)
		})
		add("set_account_tag_description", "a description of "+length.kind, func(ctx context.Context, v *victim, send func(string, string), size int) {
			send("tag_accounts", `{"tag":"t","accounts":[0]}`)
			send("set_account_tag_description", `{"tag":"t","description":`+long(size)+`}`)
			send("get_account_tags", `{}`)
		})
		add("set_attribute", "a value of "+length.kind, func(ctx context.Context, v *victim, send func(string, string), size int) {
			send("set_attribute", `{"key":"k","value":`+long(size)+`}`)
			send("get_attribute", `{"key":"k"}`)
			send("store", `{}`)
		})
		add("add_address_book", "descriptions of "+length.kind+" until as much was sent", func(ctx context.Context, v *victim, send func(string, string), size int) {
			for range min(max(size/max(length.of(size), 1), 1), 500) {
				send("add_address_book", `{"address":`+address+`,"description":`+long(size)+`}`)
			}
			send("get_address_book", `{}`)
			send("store", `{}`)
		})
	}
	add("get_bulk_payments", "one payment ID again and again", func(ctx context.Context, v *victim, send func(string, string), size int) {
		send("get_bulk_payments", `{"payment_ids":`+list(`"0000000000000000"`, size)+`}`)
	})
	for _, method := range []string{"incoming_transfers", "get_transfers"} {
		add(method, "one address again and again", func(ctx context.Context, v *victim, send func(string, string), size int) {
			send(method, `{"transfer_type":"all","in":true,"out":true,"subaddr_indices":`+list("0", size)+`}`)
		})
	}
	return all, nil
}
