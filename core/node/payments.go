package node

import (
	"cmp"
	"context"
	"slices"
	"sync"

	"glim/core/daemonrpc"
	"glim/core/rpc"
)

// RPC payments are not supported. The operations answer like a daemon without payments.
// Source: src/rpc/core_rpc_server.cpp, on_rpc_access_….

// paymentUnneeded is the status for clients that pay anyway.
const paymentUnneeded = "Payment not necessary"

func (s service) rpcAccessInfo(context.Context, daemonrpc.PayerOnly) (daemonrpc.RPCAccessInfoResponse, error) {
	return daemonrpc.RPCAccessInfoResponse{Metered: metered}, nil
}

func (s service) rpcAccessSubmitNonce(
	context.Context, daemonrpc.RPCAccessSubmitNonceRequest,
) (daemonrpc.PlainMetered, error) {
	return daemonrpc.PlainMetered{Metered: meteredStatus(paymentUnneeded)}, nil
}

func (s service) rpcAccessPay(context.Context, daemonrpc.RPCAccessPayRequest) (daemonrpc.PlainMetered, error) {
	return daemonrpc.PlainMetered{Metered: meteredStatus(paymentUnneeded)}, nil
}

func (s service) rpcAccessData(context.Context, daemonrpc.None) (r daemonrpc.RPCAccessDataResponse, err error) {
	return r, daemonrpc.Fail(daemonrpc.CodePaymentsNotEnabled)
}

func (s service) rpcAccessAccount(
	context.Context, daemonrpc.RPCAccessAccountRequest,
) (r daemonrpc.RPCAccessAccountResponse, err error) {
	return r, daemonrpc.Fail(daemonrpc.CodePaymentsNotEnabled)
}

// rpcAccessTracking returns the number and total duration of the calls of each operation.
func (s service) rpcAccessTracking(
	_ context.Context, req daemonrpc.RPCAccessTrackingRequest,
) (daemonrpc.RPCAccessTrackingResponse, error) {
	if req.Clear {
		s.tracker.clear()
		return daemonrpc.RPCAccessTrackingResponse{Common: ok}, nil
	}
	return daemonrpc.RPCAccessTrackingResponse{Common: ok, Data: s.tracker.list()}, nil
}

// tracker counts calls. Source: src/rpc/core_rpc_server.cpp, RPCTracker.
type tracker struct {
	micros func() uint64 // may be nil
	mu     sync.Mutex
	uses   map[string]daemonrpc.RPCUse // by operation
}

// before counts a call of op; see rpc.Registry.
func (t *tracker) before(op *rpc.Operation) (done func(), err error) {
	var began uint64
	if t.micros != nil {
		began = t.micros()
	}
	return func() {
		t.mu.Lock()
		defer t.mu.Unlock()
		u := t.uses[op.Name]
		u.RPC = op.Name
		u.Count++
		if t.micros != nil {
			u.Time += t.micros() - began
		}
		t.uses[op.Name] = u
	}, nil
}

func (t *tracker) clear() {
	t.mu.Lock()
	defer t.mu.Unlock()
	clear(t.uses)
}

func (t *tracker) list() (list []daemonrpc.RPCUse) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, u := range t.uses {
		list = append(list, u)
	}
	slices.SortFunc(list, func(a, b daemonrpc.RPCUse) int { return cmp.Compare(a.RPC, b.RPC) })
	return list
}
