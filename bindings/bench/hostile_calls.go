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

// largestBody is slightly less than the longest request that a daemon reads, in bytes. Source: src/cryptonote_config.h,
// MAX_RPC_CONTENT_LENGTH.
const largestBody = 1<<20 - 1<<10

// base returns the other members of a request with a hostile one: valid texts and numbers.
func (w *testbed) base(t reflect.Type) map[string]json.RawMessage {
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

// walletCalls returns calls of every operation of the wallet service.
func walletCalls(w *testbed) (all []attack, err error) {
	add := func(op, kind string, body func(size int) []byte) {
		run := func(ctx context.Context, v *target, size int) (int64, error) {
			v.wanted = v.wanted || op == "stop_wallet"
			b := body(size)
			return max(together(ctx, v.url+"/json_rpc", b, 1), int64(len(b))), nil
		}
		all = append(all, attack{"call of the wallet service", op, kind, wallets, run})
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

// call returns the body of a JSON-RPC call.
func call(method string, params []byte) []byte {
	return slices.Concat([]byte(`{"jsonrpc":"2.0","id":"0","method":"`+method+`","params":`), params, []byte("}"))
}

// rush is how many requests are sent to a daemon at once, because it reads no long ones.
const rush = 24

// daemonCalls returns calls of every operation of a daemon, on both of its ports, and of daemons that forward requests.
func daemonCalls(w *testbed) (all []attack, err error) {
	for _, at := range []struct {
		family string
		place  *place
		port   func(v *target) string
	}{
		{"call of the daemon, unrestricted port", daemons, func(v *target) string { return v.url }},
		{"call of the daemon, restricted port", daemons, func(v *target) string { return v.restricted }},
		{"call of the daemon in front of others", fronts, func(v *target) string { return v.restricted }},
		{"call of the gateway", gateways, func(v *target) string { return v.restricted }},
	} {
		unrestricted := at.place == daemons && strings.Contains(at.family, "unrestricted")
		add := func(op, path, kind string, body func(size int) []byte) {
			run := func(ctx context.Context, v *target, size int) (int64, error) {
				v.wanted = v.wanted || op == daemonrpc.StopDaemon.Name
				b := body(min(size, largestBody))
				return max(together(ctx, at.port(v)+path, b, rush), int64(len(b))), nil
			}
			all = append(all, attack{at.family, op, kind, at.place, run})
		}
		for _, s := range envelopes("get_version") {
			add("any", "/json_rpc", s.kind, s.make)
		}
		for _, op := range daemonOperations() {
			// Operations of the restricted port are called only there: the code is the same.
			if op.Restricted != unrestricted && !(unrestricted && op.Name == "get_blocks_by_height.bin") {
				continue
			}
			base := w.base(op.Request)
			if op.Name == "start_mining" || op.Name == "generateblocks" {
				base["wallet_address"], base["miner_address"] = json.RawMessage(`"x"`), json.RawMessage(`"x"`)
			}
			switch op.Wire {
			case rpc.JSONRPC:
				for _, s := range w.paramsShapes(op.Request, base) {
					add(op.Name, "/json_rpc", s.kind, func(size int) []byte {
						return call(op.Name, s.make(size-len(op.Name)-100))
					})
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

// daemonOperations returns the operations of the reference and our own.
func daemonOperations() []*rpc.Operation {
	return slices.Concat(daemonrpc.Operations(), daemonrpc.Extensions())
}
