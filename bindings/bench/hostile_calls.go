package main

import (
	"context"
	"encoding/json"
	"reflect"
	"slices"
	"strings"

	"glim/core/daemonrpc"
	"glim/core/rpc"
	"glim/core/walletrpc"
)

// largestBody is what a daemon reads of a request, in bytes, a little less. Source: src/cryptonote_config.h, MAX_RPC_CONTENT_LENGTH.
const largestBody = 1<<20 - 1<<10

// base returns the members that stand beside a hostile one: texts and numbers an operation goes on with.
func (w *world) base(t reflect.Type) map[string]json.RawMessage {
	all := map[string]json.RawMessage{}
	if t.Kind() != reflect.Struct {
		return all
	}
	for _, m := range jsonMembers(t) {
		if m.kind.Kind() == reflect.Bool || m.kind.Kind() == reflect.Slice && w.known[m.name] == "" {
			continue
		}
		all[m.name] = json.RawMessage(w.sample(m.name, m.kind))
	}
	return all
}

// walletCalls are calls of every operation of the wallet service.
func walletCalls(w *world) (all []attack, err error) {
	add := func(op, kind string, body func(size int) []byte) {
		all = append(all, attack{"call of the wallet service", op, kind, wallets, func(ctx context.Context, v *victim, size int) (int64, error) {
			v.wanted = v.wanted || op == "stop_wallet"
			b := body(size)
			return max(together(ctx, v.url+"/json_rpc", b, 1), int64(len(b))), nil
		}})
	}
	for _, s := range envelopes("get_version") {
		add("any", s.kind, s.make)
	}
	for _, op := range slices.Concat(walletrpc.Methods(), walletrpc.Beyond()) {
		for _, s := range w.paramsShapes(op.Request, w.base(op.Request)) {
			add(op.Name, s.kind, func(size int) []byte { return call(op.Name, s.make(size)) })
		}
	}
	return all, nil
}

// call is a call of JSON-RPC.
func call(method string, params []byte) []byte {
	return slices.Concat([]byte(`{"jsonrpc":"2.0","id":"0","method":"`+method+`","params":`), params, []byte("}"))
}

// rush is how many requests are sent to a daemon at once, which reads no long ones.
const rush = 24

// daemonCalls are calls of every operation of a daemon: of its owner, of strangers, and of those in front of other daemons.
func daemonCalls(w *world) (all []attack, err error) {
	for _, at := range []struct {
		family string
		place  *place
		door   func(v *victim) string
	}{
		{"call of the daemon, its owner's port", daemons, func(v *victim) string { return v.url }},
		{"call of the daemon, the strangers' port", daemons, func(v *victim) string { return v.strangers }},
		{"call of the daemon in front of others", fronts, func(v *victim) string { return v.strangers }},
		{"call of the gateway", gateways, func(v *victim) string { return v.strangers }},
	} {
		whole := at.place == daemons && !strings.Contains(at.family, "strangers")
		add := func(op, path, kind string, body func(size int) []byte) {
			all = append(all, attack{at.family, op, kind, at.place, func(ctx context.Context, v *victim, size int) (int64, error) {
				v.wanted = v.wanted || op == daemonrpc.StopDaemon.Name
				b := body(min(size, largestBody))
				return max(together(ctx, at.door(v)+path, b, rush), int64(len(b))), nil
			}})
		}
		for _, s := range envelopes("get_version") {
			add("any", "/json_rpc", s.kind, s.make)
		}
		for _, op := range daemonOperations() {
			// What strangers may ask is asked at their port alone: it is the same code.
			if op.Restricted != whole && !(whole && op.Name == "get_blocks_by_height.bin") {
				continue
			}
			base := w.base(op.Request)
			if op.Name == "start_mining" || op.Name == "generateblocks" {
				base["wallet_address"], base["miner_address"] = json.RawMessage(`"x"`), json.RawMessage(`"x"`)
			}
			switch op.Wire {
			case rpc.JSONRPC:
				for _, s := range w.paramsShapes(op.Request, base) {
					add(op.Name, "/json_rpc", s.kind, func(size int) []byte { return call(op.Name, s.make(size-len(op.Name)-100)) })
				}
			case rpc.Path:
				for _, s := range w.paramsShapes(op.Request, base) {
					add(op.Name, "/"+op.Name, s.kind, s.make)
				}
			case rpc.Binary:
				for _, s := range epeeShapes(op.Request, nil) {
					add(op.Name, "/"+op.Name, s.kind, s.make)
				}
			}
		}
	}
	return all, nil
}

// daemonOperations are those of the reference and ours.
func daemonOperations() []*rpc.Operation {
	return slices.Concat(daemonrpc.Operations(), daemonrpc.Extensions())
}
