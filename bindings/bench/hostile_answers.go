package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"sync/atomic"

	"glim/bindings/peers"
	"glim/bindings/peers/malicious"
	"glim/core/daemonrpc"
	"glim/core/rpc"
)

// unexpectedAnswers returns the hostile shapes of an operation's answer. honest is the correct one, whose other members
// are kept.
func (w *testbed) unexpectedAnswers(op *rpc.Operation, honest []byte) ([]shape, error) {
	if op.Wire == rpc.Binary {
		entries, err := epeeSplit(honest)
		return epeeShapes(op.Response, entries), err
	}
	complete := map[string]json.RawMessage{}
	if err := json.Unmarshal(honest, &complete); err != nil {
		return nil, err
	}
	if op.Wire == rpc.Path {
		return w.paramsShapes(op.Response, complete), nil
	}
	result := map[string]json.RawMessage{}
	_ = json.Unmarshal(complete["result"], &result) // some results are not objects
	var all []shape
	for _, s := range w.paramsShapes(op.Response, result) {
		all = append(all, shape{s.kind, func(size int) []byte { return with(complete, "result", s.make(size)) }})
	}
	return append(all,
		shape{"a long message of an error", func(size int) []byte {
			return fmt.Appendf(nil, `{"id":"0","error":{"code":-1,"message":%s}}`, repeated(`"`, "a", `"`, size))
		}},
		shape{"error again and again", func(size int) []byte {
			return repeated("{", `"error":{"code":-1,"message":"x"}`, "}", size)
		}},
	), nil
}

// step is a request of a client.
type step struct{ path, body string }

// answerOnce replaces the next answer to an operation by its shape number kind, and makes the requests of steps until
// the operation was called. It returns the size of the answer in bytes.
func (w *testbed) answerOnce(
	ctx context.Context, url string, op *rpc.Operation, kind int, steps []step, size int,
) (int64, error) {
	var sent atomic.Int64
	var broken atomic.Pointer[error]
	w.proxy.Inject(malicious.ModifyBytes("hostile", op.Name, func(honest []byte) []byte {
		if !sent.CompareAndSwap(0, 1) {
			return honest
		}
		shapes, err := w.unexpectedAnswers(op, honest)
		if err != nil {
			broken.Store(&err)
			return honest
		}
		b := shapes[kind].make(size)
		sent.Store(int64(len(b)))
		return b
	}))
	defer w.proxy.Inject(malicious.Fault{})
	for _, s := range steps {
		_, _, err := sendBody(ctx, url+s.path, []byte(s.body))
		if e := broken.Load(); e != nil {
			return 0, *e
		}
		if n := sent.Load(); n > 0 {
			return n, nil
		}
		if err != nil {
			return 0, err
		}
	}
	return 0, errors.New("it was not called")
}

// answers returns attacks by the answers of a daemon to requests of a place. steps trigger these requests.
func answers(w *testbed, family string, p *place, steps func(op *rpc.Operation) []step) (all []attack) {
	for _, op := range daemonOperations() {
		unused := false
		n := len(w.answerShapes(op))
		for kind := range n {
			run := func(ctx context.Context, v *target, size int) (int64, error) {
				if unused {
					return 0, errors.New("it is not called")
				}
				sent, err := w.answerOnce(ctx, v.url, op, kind, steps(op), size)
				unused = err != nil && kind == 0
				return sent, err
			}
			all = append(all, attack{family, op.Name, w.answerShapes(op)[kind].kind, p, run})
		}
	}
	return all
}

// answerShapes returns the shapes of an operation's answer, for their names and their number.
func (w *testbed) answerShapes(op *rpc.Operation) []shape {
	honest := []byte(`{}`)
	if op.Wire == rpc.Binary {
		honest = epeeBody()
	}
	all, err := w.unexpectedAnswers(op, honest)
	if err != nil {
		panic(err) // all are well formed
	}
	return all
}

// walletAnswers returns attacks by answers to requests of a wallet.
func walletAnswers(w *testbed) ([]attack, error) {
	rpcStep := func(method, params string) step { return step{"/json_rpc", string(call(method, []byte(params)))} }
	address, txid, key, image := w.known["address"], w.known["txid"], w.known["tx_key"], w.known["signed_key_image"]
	transfer := `{"destinations":` + w.known["destinations"] + `,"priority":0}`
	steps := []step{
		rpcStep("get_height", "{}"), rpcStep("refresh", "{}"), rpcStep("get_default_fee_priority", "{}"),
		rpcStep("transfer", transfer), rpcStep("rescan_spent", "{}"),
		rpcStep("estimate_tx_size_and_weight", `{"n_inputs":1,"n_outputs":2,"ring_size":16,"rct":true}`),
		rpcStep("scan_tx", `{"txids":[`+txid+`]}`),
		rpcStep("check_tx_key", `{"txid":`+txid+`,"tx_key":`+key+`,"address":`+address+`}`),
		rpcStep("get_tx_proof", `{"txid":`+txid+`,"address":`+address+`}`),
		rpcStep("get_spend_proof", `{"txid":`+txid+`}`),
		rpcStep("check_spend_proof", `{"txid":`+txid+`,"message":"","signature":"SpendProofV1"}`),
		rpcStep("get_reserve_proof", `{"all":true}`), rpcStep("import_key_images", `{"signed_key_images":[`+image+`]}`),
		rpcStep("start_mining", `{"threads_count":1}`), rpcStep("stop_mining", `{}`),
		rpcStep("rescan_blockchain", "{}"), rpcStep("sweep_all", `{"address":`+address+`}`),
		rpcStep("restore_deterministic_wallet", `{"filename":"y","seed":"x","restore_height":50}`),
		rpcStep("generate_from_keys",
			`{"filename":"z","address":`+address+`,"viewkey":"`+w.viewKey+`","restore_date":"2024-01-01"}`),
		rpcStep("refresh", "{}"),
	}
	return answers(w, "answer to a wallet", wallets, func(*rpc.Operation) []step { return steps }), nil
}

// forwardedAnswers returns attacks by answers to daemons that forward requests to other daemons.
func forwardedAnswers(w *testbed) (all []attack, err error) {
	for _, p := range []*place{fronts, gateways} {
		var steps []step
		for _, op := range daemonOperations() {
			steps = append(steps, w.question(op))
		}
		family := "answer to a daemon in front of others"
		port := func(v *target) string { return v.url }
		if p == gateways {
			family, port = "answer to a gateway", func(v *target) string { return v.restricted }
		}
		list := answers(w, family, p, func(op *rpc.Operation) []step {
			all := []step{w.question(op)}
			if op.Restricted {
				return all
			}
			for _, s := range steps {
				if s.path != "/stop_daemon" {
					all = append(all, s)
				}
			}
			return all
		})
		for i := range list {
			run := list[i].run
			list[i].run = func(ctx context.Context, v *target, size int) (int64, error) {
				other := *v
				other.url = port(v)
				return run(ctx, &other, size)
			}
		}
		all = append(all, list...)
	}
	return all, nil
}

// question returns a harmless request of a daemon operation.
func (w *testbed) question(op *rpc.Operation) step {
	if op.Wire == rpc.Binary {
		switch op.Name {
		case daemonrpc.GetBlocks.Name, daemonrpc.GetHashes.Name, daemonrpc.GetCompactBlocks.Name:
			return step{
				"/" + op.Name,
				string(epeeBody(epeeEntry("block_ids", epeeString, append(epeeSize(32), w.genesis[:]...)),
					epeeEntry("start_height", epeeUint64, make([]byte, 8)))),
			}
		case daemonrpc.GetBlocksByHeight.Name:
			return step{
				"/" + op.Name,
				string(epeeBody(epeeEntry("heights", epeeUint64|epeeList,
					append(epeeSize(1), 50, 0, 0, 0, 0, 0, 0, 0)))),
			}
		case daemonrpc.GetOutputIndices.Name:
			return step{
				"/" + op.Name, string(epeeBody(epeeEntry("txid", epeeString, append(epeeSize(32), w.tx[:]...)))),
			}
		case daemonrpc.GetOutsBin.Name:
			return step{
				"/" + op.Name,
				string(epeeBody(epeeEntry("outputs", epeeObject|epeeList, append(epeeSize(1), epeeSize(0)...)))),
			}
		case daemonrpc.GetOutputDistributionBin.Name:
			return step{
				"/" + op.Name,
				string(epeeBody(epeeEntry("amounts", epeeUint64|epeeList, append(epeeSize(1), make([]byte, 8)...)),
					epeeEntry("binary", epeeBool, []byte{1}))),
			}
		}
		return step{"/" + op.Name, string(epeeBody())}
	}
	params := w.sample("params", op.Request)
	if op.Request.Kind() == reflect.Struct {
		base := w.base(op.Request)
		for _, m := range jsonMembers(op.Request) {
			if m.kind.Kind() == reflect.Slice {
				base[m.name] = json.RawMessage(w.sample(m.name, m.kind))
			}
		}
		b, err := json.Marshal(base)
		if err != nil {
			panic(err) // all are well formed
		}
		params = string(b)
	}
	if op.Wire == rpc.Path {
		return step{"/" + op.Name, params}
	}
	return step{"/json_rpc", string(call(op.Name, []byte(params)))}
}

// must makes a call that prepares an attack.
func must(ctx context.Context, v *target, method string, params any, out any) error {
	return peers.Client{URL: v.url}.JSON(ctx, method, params, out)
}
