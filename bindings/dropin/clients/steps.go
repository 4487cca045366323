package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strings"
)

// nobody is an address whose wallet is never opened.
const nobody = "44KEwUHiaF7cKk62hfMGJL8ZAAgzhd9DoVNGmMBb7Bbr2zzwiwd42PxTJC9bakSMoXgYwgqBFwGZpCRrvSUM5qD8C5oVi9L"

// steps are the calls in order: a method of the client and its request. {name} stands for a member of an earlier answer
// that keep names (of the first object if there are several). The method "mine" adds as many blocks as the request
// says.
var steps = []struct {
	method, request string
	keep            string // members of the answer that later requests name
}{
	{"GetLanguages", "", ""},
	{"GetHeight", "", ""},
	{"Refresh", `{"start_height":0}`, ""},
	{"GetHeight", "", ""},
	{"GetAddress", `{"account_index":0}`, "address"},
	{"GetBalance", `{"account_index":0}`, ""},
	{"GetBalance", `{"account_index":7}`, ""},
	{"CreateAccount", `{"label":"savings"}`, ""},
	{"CreateAddress", `{"account_index":1,"label":"shop"}`, ""},
	{"LabelAccount", `{"account_index":1,"label":"more"}`, ""},
	{"LabelAddress", `{"index":{"major":1,"minor":1},"label":"shop ü"}`, ""},
	{"GetAddress", `{"account_index":1,"address_index":[1]}`, ""},
	{"GetAddress", `{"account_index":1,"address_index":[9]}`, ""},
	{"GetAccounts", `{}`, ""},
	{"GetAddressIndex", `{"address":"{address}"}`, ""},
	{"GetAddressIndex", `{"address":"` + nobody + `"}`, ""},
	{"ValidateAddress", `{"address":"` + nobody + `","any_net_type":true}`, ""},
	{"ValidateAddress", `{"address":"nothing"}`, ""},
	{"TagAccounts", `{"tag":"t","accounts":[0,1]}`, ""},
	{"SetAccountTagDescription", `{"tag":"t","description":"why"}`, ""},
	{"GetAccountTags", "", ""},
	{"GetAccounts", `{"tag":"t"}`, ""},
	{"UntagAccounts", `{"accounts":[0,1]}`, ""},
	{"GetAccountTags", "", ""},
	{"MakeIntegratedAddress", `{"payment_id":"03284e41c342f036"}`, "integrated_address"},
	{"MakeIntegratedAddress", `{"payment_id":"nope"}`, ""},
	{"SplitIntegratedAddress", `{"integrated_address":"{integrated_address}"}`, ""},
	{"SplitIntegratedAddress", `{"integrated_address":"{address}"}`, ""},
	{
		"MakeURI",
		`{"address":"` + nobody + `","amount":1000000000000,"recipient_name":"x","tx_description":"for ü & co"}`, "uri",
	},
	{"ParseURI", `{"uri":"{uri}"}`, ""},
	{"ParseURI", `{"uri":"nothing"}`, ""},
	{"SetAttribute", `{"key":"k","value":"v ü"}`, ""},
	{"GetAttribute", `{"key":"k"}`, ""},
	{"GetAttribute", `{"key":"none"}`, ""},
	{"AddAddressBook", `{"address":"` + nobody + `","description":"one"}`, ""},
	{"GetAddressBook", `{"entries":[0]}`, ""},
	{"GetAddressBook", `{"entries":[9]}`, ""},
	{"DeleteAddressBook", `{"index":0}`, ""},
	{"DeleteAddressBook", `{"index":9}`, ""},
	{"Sign", `{"data":"text"}`, "signature"},
	{"Verify", `{"data":"text","address":"{address}","signature":"{signature}"}`, ""},
	{"Verify", `{"data":"next","address":"{address}","signature":"{signature}"}`, ""},
	{"Verify", `{"data":"text","address":"{address}","signature":"nothing"}`, ""},
	{"QueryKey", `{"key_type":"mnemonic"}`, ""},
	{"QueryKey", `{"key_type":"view_key"}`, ""},
	{"QueryKey", `{"key_type":"nothing"}`, ""},
	{"IsMultisig", "", ""},

	{"GetTransfers", `{"in":true,"out":true,"pending":true,"failed":true,"pool":true}`, ""},
	{"GetTransfers", `{"in":true,"filter_by_height":true,"min_height":20,"max_height":24}`, ""},
	{"IncomingTransfers", `{"transfer_type":"available"}`, ""},
	{"IncomingTransfers", `{"transfer_type":"unavailable"}`, ""},
	{"IncomingTransfers", `{"transfer_type":"nothing"}`, ""},
	{"GetPayments", `{"payment_id":"0000000000000000"}`, ""},
	{"GetPayments", `{"payment_id":"x"}`, ""},
	{"GetBulkPayments", `{"payment_ids":["0000000000000000"],"min_block_height":25}`, ""},
	{"GetTransferByTxID", `{"txid":"nothing"}`, ""},

	{
		"Transfer", `{"destinations":[{"amount":1500000000000,"address":"` + nobody + `"}],"get_tx_key":true}`,
		"tx_hash tx_key",
	},
	{"GetTransferByTxID", `{"txid":"{tx_hash}"}`, ""},
	{"GetTransfers", `{"pending":true,"pool":true}`, ""},
	{"mine", "1", ""},
	{"Refresh", `{"start_height":0}`, ""},
	{"GetTransferByTxID", `{"txid":"{tx_hash}"}`, ""},
	{"SetTxNotes", `{"txids":["{tx_hash}"],"notes":["note ü"]}`, ""},
	{"GetTxNotes", `{"txids":["{tx_hash}"]}`, ""},
	{"GetTxKey", `{"txid":"{tx_hash}"}`, ""},
	{"CheckTxKey", `{"txid":"{tx_hash}","tx_key":"{tx_key}","address":"` + nobody + `"}`, ""},
	{"GetTxProof", `{"txid":"{tx_hash}","address":"` + nobody + `","message":"m"}`, "signature"},
	{"CheckTxProof", `{"txid":"{tx_hash}","address":"` + nobody + `","message":"m","signature":"{signature}"}`, ""},
	{"CheckTxProof", `{"txid":"{tx_hash}","address":"` + nobody + `","message":"n","signature":"{signature}"}`, ""},
	{"GetSpendProof", `{"txid":"{tx_hash}","message":"m"}`, "signature"},
	{"CheckSpendProof", `{"txid":"{tx_hash}","message":"m","signature":"{signature}"}`, ""},
	{"GetReserveProof", `{"all":true,"message":"m"}`, "signature"},
	{"CheckReserveProof", `{"address":"{address}","message":"m","signature":"{signature}"}`, ""},
	{"Transfer", `{"destinations":[{"amount":1,"address":"nothing"}]}`, ""},
	{"Transfer", `{"destinations":[{"amount":18000000000000000000,"address":"` + nobody + `"}]}`, ""},
	{"Transfer", `{"destinations":[]}`, ""},
	{"Transfer", `{"account_index":1,"destinations":[{"amount":1000000000000,"address":"` + nobody + `"}]}`, ""},
	{"TransferSplit", `{"destinations":[{"amount":1000000000000,"address":"` + nobody + `"}],"get_tx_keys":true}`, ""},
	{"mine", "1", ""},
	{"Refresh", `{"start_height":0}`, ""},
	{"GetTransfers", `{"in":true,"out":true,"pending":true,"pool":true}`, ""},
	{"ExportKeyImages", "{}", ""},
	{"ExportOutputs", "{}", ""},
	{"SweepDust", "{}", ""},
	{"SweepAll", `{"address":"` + nobody + `","account_index":0}`, ""},
	{"SweepAll", `{"address":"` + nobody + `","account_index":1}`, ""},
	{"mine", "1", ""},
	{"Refresh", `{"start_height":0}`, ""},
	{"GetBalance", `{"account_index":0}`, ""},
	{"RescanSpent", "", ""},
	{"StopMining", "", ""},
	{"Store", "", ""},
	{"ChangeWalletPassword", `{"old_password":"wrong","new_password":"x"}`, ""},
	{"ChangeWalletPassword", `{"old_password":"pw","new_password":"wp"}`, ""},
	{"CloseWallet", "", ""},
	{"GetBalance", `{"account_index":0}`, ""},
	{"OpenWallet", `{"filename":"nowhere","password":""}`, ""},
	{"OpenWallet", `{"filename":"main","password":"pw"}`, ""},
	{"OpenWallet", `{"filename":"main","password":"wp"}`, ""},
	{"GetBalance", `{"account_index":0}`, ""},
	{"CreateWallet", `{"filename":"main","password":"","language":"English"}`, ""},
	{"CreateWallet", `{"filename":"other","password":"","language":"Klingon"}`, ""},
	{"CloseWallet", "", ""},
}

// runSteps runs the steps with a client.
func runSteps(ctx context.Context, client any, d daemon) error {
	kept := map[string]string{}
	for n, s := range steps {
		if s.method == "mine" {
			var blocks int
			if err := json.Unmarshal([]byte(s.request), &blocks); err != nil {
				return err
			}
			if err := d.mine(ctx, blocks, nobody); err != nil {
				return err
			}
			continue
		}
		request := s.request
		for name, value := range kept {
			request = strings.ReplaceAll(request, "{"+name+"}", value)
		}
		answer, refused, err := call(ctx, client, s.method, request)
		if err != nil {
			return fmt.Errorf("%s: %w", s.method, err)
		}
		for name := range strings.FieldsSeq(s.keep) {
			if kept[name], err = member(answer, name); err != nil {
				return err
			}
		}
		if err := write(fmt.Sprintf("%d %s %.200s", n, s.method, s.request), answer, refused); err != nil {
			return err
		}
	}
	return nil
}

// member returns a text member of an answer, or "nothing" if the client does not decode it.
func member(answer any, name string) (string, error) {
	b, err := json.Marshal(answer)
	if err != nil {
		return "", err
	}
	var members map[string]any
	if err := json.Unmarshal(b, &members); err != nil {
		return "", err
	}
	if text, ok := members[name].(string); ok {
		return text, nil
	}
	return "nothing", nil
}

// call calls a method by its name, in any case, with a request decoded from JSON. refused is the error of the client.
func call(ctx context.Context, client any, name, request string) (answer any, refused, err error) {
	v := reflect.ValueOf(client)
	var m reflect.Value
	for i := range v.NumMethod() {
		if strings.EqualFold(v.Type().Method(i).Name, name) {
			m = v.Method(i)
		}
	}
	if !m.IsValid() {
		return nil, nil, errors.New("the client has no such method")
	}
	var args []reflect.Value
	for i := range m.Type().NumIn() {
		t := m.Type().In(i)
		if t == reflect.TypeFor[context.Context]() {
			args = append(args, reflect.ValueOf(ctx))
			continue
		}
		arg := reflect.New(t.Elem())
		if request != "" {
			if err := json.Unmarshal([]byte(request), arg.Interface()); err != nil {
				return nil, nil, err
			}
		}
		args = append(args, arg)
	}
	results := m.Call(args)
	last := results[len(results)-1]
	if !last.IsNil() {
		refused = last.Interface().(error)
	}
	if len(results) > 1 && refused == nil {
		answer = results[0].Interface()
	}
	return answer, refused, nil
}
