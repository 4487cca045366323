package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"sync/atomic"

	"glim/bindings/peers"
	"glim/bindings/peers/liar"
	"glim/core/daemonrpc"
	"glim/core/rpc"
)

// bend returns shapes of an answer of an operation; honest is the true one, whose other members stay.
func (w *world) bend(op *rpc.Operation, honest []byte) ([]shape, error) {
	if op.Wire == rpc.Binary {
		entries, err := epeeSplit(honest)
		return epeeShapes(op.Response, entries), err
	}
	whole := map[string]json.RawMessage{}
	if err := json.Unmarshal(honest, &whole); err != nil {
		return nil, err
	}
	if op.Wire == rpc.Path {
		return w.paramsShapes(op.Response, whole), nil
	}
	result := map[string]json.RawMessage{}
	_ = json.Unmarshal(whole["result"], &result) // some are no objects
	var all []shape
	for _, s := range w.paramsShapes(op.Response, result) {
		all = append(all, shape{s.kind, func(size int) []byte { return with(whole, "result", s.make(size)) }})
	}
	return append(all,
		shape{"a long message of an error", func(size int) []byte {
			return fmt.Appendf(nil, `{"id":"0","error":{"code":-1,"message":%s}}`, repeated(`"`, "a", `"`, size))
		}},
		shape{"error again and again", func(size int) []byte { return repeated("{", `"error":{"code":-1,"message":"x"}`, "}", size) }},
	), nil
}

// step is something a client does.
type step struct{ path, body string }

// lieOnce makes the next answer to an operation the kind-th shape of it, and carries out steps until it was asked for. It returns the
// bytes of the answer.
func (w *world) lieOnce(ctx context.Context, url string, op *rpc.Operation, kind int, steps []step, size int) (int64, error) {
	var told atomic.Int64
	var broken atomic.Pointer[error]
	w.liar.Tell(liar.Bytes("hostile", op.Name, func(honest []byte) []byte {
		if !told.CompareAndSwap(0, 1) {
			return honest
		}
		shapes, err := w.bend(op, honest)
		if err != nil {
			broken.Store(&err)
			return honest
		}
		b := shapes[kind].make(size)
		told.Store(int64(len(b)))
		return b
	}))
	defer w.liar.Tell(liar.Lie{})
	for _, s := range steps {
		_, _, err := sendBody(ctx, url+s.path, []byte(s.body))
		if e := broken.Load(); e != nil {
			return 0, *e
		}
		if n := told.Load(); n > 0 {
			return n, nil
		}
		if err != nil {
			return 0, err
		}
	}
	return 0, errors.New("it was not asked for")
}

// answers returns attacks by answers of a daemon to what a place asks. steps make it ask.
func answers(w *world, family string, p *place, steps func(op *rpc.Operation) []step) (all []attack) {
	for _, op := range daemonOperations() {
		unasked := false
		n := len(w.answerShapes(op))
		for kind := range n {
			all = append(all, attack{family, op.Name, w.answerShapes(op)[kind].kind, p, func(ctx context.Context, v *victim, size int) (int64, error) {
				if unasked {
					return 0, errors.New("it is not asked for")
				}
				sent, err := w.lieOnce(ctx, v.url, op, kind, steps(op), size)
				unasked = err != nil && kind == 0
				return sent, err
			}})
		}
	}
	return all
}

// answerShapes returns the shapes that bend will return of an operation, for their names and their number.
func (w *world) answerShapes(op *rpc.Operation) []shape {
	honest := []byte(`{}`)
	if op.Wire == rpc.Binary {
		honest = epeeBody()
	}
	all, err := w.bend(op, honest)
	if err != nil {
		panic(err) // these are well formed
	}
	return all
}

// walletAnswers are answers to what a wallet asks.
func walletAnswers(w *world) ([]attack, error) {
	rpcStep := func(method, params string) step { return step{"/json_rpc", string(call(method, []byte(params)))} }
	address, txid, key, image := w.known["address"], w.known["txid"], w.known["tx_key"], w.known["signed_key_image"]
	transfer := `{"destinations":` + w.known["destinations"] + `,"priority":0}`
	steps := []step{
		rpcStep("get_height", "{}"), rpcStep("refresh", "{}"), rpcStep("get_default_fee_priority", "{}"), rpcStep("transfer", transfer), rpcStep("rescan_spent", "{}"),
		rpcStep("estimate_tx_size_and_weight", `{"n_inputs":1,"n_outputs":2,"ring_size":16,"rct":true}`),
		rpcStep("scan_tx", `{"txids":[`+txid+`]}`), rpcStep("check_tx_key", `{"txid":`+txid+`,"tx_key":`+key+`,"address":`+address+`}`),
		rpcStep("get_tx_proof", `{"txid":`+txid+`,"address":`+address+`}`), rpcStep("get_spend_proof", `{"txid":`+txid+`}`),
		rpcStep("check_spend_proof", `{"txid":`+txid+`,"message":"","signature":"SpendProofV1"}`),
		rpcStep("get_reserve_proof", `{"all":true}`), rpcStep("import_key_images", `{"signed_key_images":[`+image+`]}`),
		rpcStep("start_mining", `{"threads_count":1}`), rpcStep("stop_mining", `{}`), rpcStep("rescan_blockchain", "{}"), rpcStep("sweep_all", `{"address":`+address+`}`),
		rpcStep("restore_deterministic_wallet", `{"filename":"y","seed":"x","restore_height":50}`),
		rpcStep("generate_from_keys", `{"filename":"z","address":`+address+`,"viewkey":"`+w.viewKey+`","restore_date":"2024-01-01"}`), rpcStep("refresh", "{}"),
	}
	return answers(w, "answer to a wallet", wallets, func(*rpc.Operation) []step { return steps }), nil
}

// frontAnswers are answers to what daemons in front of others ask.
func frontAnswers(w *world) (all []attack, err error) {
	for _, p := range []*place{fronts, gateways} {
		var steps []step
		for _, op := range daemonOperations() {
			steps = append(steps, w.question(op))
		}
		family := "answer to a daemon in front of others"
		door := func(v *victim) string { return v.url }
		if p == gateways {
			family, door = "answer to a gateway", func(v *victim) string { return v.strangers }
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
			list[i].run = func(ctx context.Context, v *victim, size int) (int64, error) {
				other := *v
				other.url = door(v)
				return run(ctx, &other, size)
			}
		}
		all = append(all, list...)
	}
	return all, nil
}

// question is a harmless question for an operation of a daemon.
func (w *world) question(op *rpc.Operation) step {
	if op.Wire == rpc.Binary {
		switch op.Name {
		case daemonrpc.GetBlocks.Name, daemonrpc.GetHashes.Name, daemonrpc.GetCompactBlocks.Name:
			return step{"/" + op.Name, string(epeeBody(epeeEntry("block_ids", epeeString, append(epeeSize(32), w.genesis[:]...)), epeeEntry("start_height", epeeUint64, make([]byte, 8))))}
		case daemonrpc.GetBlocksByHeight.Name:
			return step{"/" + op.Name, string(epeeBody(epeeEntry("heights", epeeUint64|epeeList, append(epeeSize(1), 50, 0, 0, 0, 0, 0, 0, 0))))}
		case daemonrpc.GetOutputIndices.Name:
			return step{"/" + op.Name, string(epeeBody(epeeEntry("txid", epeeString, append(epeeSize(32), w.tx[:]...))))}
		case daemonrpc.GetOutsBin.Name:
			return step{"/" + op.Name, string(epeeBody(epeeEntry("outputs", epeeObject|epeeList, append(epeeSize(1), epeeSize(0)...))))}
		case daemonrpc.GetOutputDistributionBin.Name:
			return step{"/" + op.Name, string(epeeBody(epeeEntry("amounts", epeeUint64|epeeList, append(epeeSize(1), make([]byte, 8)...)), epeeEntry("binary", epeeBool, []byte{1})))}
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

// must carries out a call that prepares an attack.
func must(ctx context.Context, v *victim, method string, params any, out any) error {
	return peers.Client{URL: v.url}.JSON(ctx, method, params, out)
}
