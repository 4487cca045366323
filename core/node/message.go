package node

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"

	"glim/core/daemonrpc"
)

// messageVersion is the rpc_version of every result. Source: src/rpc/daemon_rpc_version.h, DAEMON_RPC_VERSION_ZMQ.
const messageVersion = 2 << 16

// MaxMessage limits a message over ZeroMQ in bytes. Source: src/net/zmq.h, max_message_size.
const MaxMessage = 10 << 20

// messageError is an error of a message, as the reference names it.
// Source: src/rpc/message.cpp, Message::STATUS_FAILED and others.
type messageError struct{ kind, details string }

func (e messageError) Error() string { return e.kind + ": " + e.details }

const (
	messageFailed     = "Failed"
	messageBadRequest = "Invalid request type"
	messageBadJSON    = "Malformed json"
)

// failed is the error of a request that cannot be answered.
func failed(details string) error { return messageError{messageFailed, details} }

// messageHandler answers the parameters of a message.
type messageHandler func(s service, ctx context.Context, params json.RawMessage) (any, error)

// handled returns a handler that decodes the parameters. Those of a request without fields may be anything.
func handled[Q, R any](answer func(service, context.Context, Q) (R, error)) messageHandler {
	return func(s service, ctx context.Context, params json.RawMessage) (any, error) {
		var q Q
		if _, none := any(q).(struct{}); !none {
			if err := daemonrpc.DecodeFields(params, &q); err != nil {
				return nil, err
			}
		}
		return answer(s, ctx, q)
	}
}

// messages are the operations over ZeroMQ. Source: src/rpc/daemon_handler.cpp, handlers.
var messages = map[string]messageHandler{
	"get_block_hash":               handled(service.messageBlockHash),
	"get_block_header_by_hash":     handled(service.messageHeaderByHash),
	"get_block_header_by_height":   handled(service.messageHeaderByHeight),
	"get_block_headers_by_height":  handled(service.messageHeadersByHeight),
	"get_blocks_fast":              handled(service.messageBlocks),
	"get_dynamic_fee_estimate":     handled(service.messageFees),
	"get_hashes_fast":              handled(service.messageHashes),
	"get_height":                   handled(service.messageHeight),
	"get_info":                     handled(service.messageInfo),
	"get_last_block_header":        handled(service.messageLastHeader),
	"get_output_distribution":      handled(service.messageDistribution),
	"get_output_histogram":         handled(service.messageHistogram),
	"get_output_keys":              handled(service.messageOutputKeys),
	"get_peer_list":                handled(service.messagePeers),
	"get_rpc_version":              handled(service.messageRPCVersion),
	"get_transaction_pool":         handled(service.messagePool),
	"get_transactions":             handled(service.messageTransactions),
	"get_tx_global_output_indices": handled(service.messageIndices),
	"hard_fork_info":               handled(service.messageHardFork),
	"key_images_spent":             handled(service.messageKeyImages),
	"mining_status":                handled(service.messageMiningStatus),
	"save_bc":                      handled(service.messageSave),
	"send_raw_tx":                  handled(service.messageSend),
	"send_raw_tx_hex":              handled(service.messageSendHex),
	"set_log_level":                handled(service.messageLogLevel),
	"start_mining":                 handled(service.messageStartMining),
	"stop_mining":                  handled(service.messageStopMining),
}

// refusedToRestricted are the operations that restricted callers do not have.
// Source: src/rpc/zmq_restricted_methods.cpp.
var refusedToRestricted = map[string]bool{
	"flush_txpool": true, "get_peer_list": true, "mining_status": true, "relay_tx": true, "save_bc": true,
	"set_log_categories": true, "set_log_level": true, "start_mining": true, "stop_mining": true,
}

// Answer answers a request over ZeroMQ, which is a JSON-RPC object with the members jsonrpc, id, method and params,
// with a response of at most some 100 MiB. Every error is a response, too. Requests have at most MaxMessage bytes.
// Source: src/rpc/daemon_handler.cpp, handle; src/rpc/message.cpp.
func (n *Node) Answer(ctx context.Context, request []byte, restricted bool) []byte {
	id, result, err := service{n, restricted}.answer(ctx, request)
	var said messageError
	switch {
	case err == nil:
		return response(id, "result", result)
	case !errors.As(err, &said):
		id, said = nil, messageError{messageBadJSON, err.Error()}
	}
	return response(id, "error", struct {
		Code     int32  `json:"code"`
		ErrorStr string `json:"error_str"`
		Message  string `json:"message"`
	}{1, said.kind, said.details})
}

// answer returns the id of a request, and the result or an error. Errors other than messageError are about the
// request's form.
func (s service) answer(ctx context.Context, request []byte) (id json.RawMessage, result any, err error) {
	method, id, params, err := parseMessage(request)
	switch {
	case err != nil:
		return nil, nil, err
	case s.limited && refusedToRestricted[method]:
		return id, nil, failed("\"" + method + "\" is not available in restricted mode.")
	}
	handle := messages[method]
	if handle == nil {
		return id, nil, messageError{messageBadRequest, "\"" + method + "\" is not a valid request."}
	}
	if result, err = handle(s, ctx, params); err != nil {
		return id, nil, err
	}
	body := encoded(result)
	if len(body) > len("{}") {
		body = append([]byte(","), body[1:]...)
	} else {
		body = []byte("}")
	}
	version := encoded(struct {
		RPCVersion uint32 `json:"rpc_version"`
	}{messageVersion})
	return id, json.RawMessage(append(version[:len(version)-1], body...)), nil
}

var (
	errNoMessage = daemonrpc.ErrParse
	errMethod    = daemonrpc.WrongType("Expected string")
	errID        = daemonrpc.WrongType("Expected string, number or null")
)

// parseMessage checks the members that every request has.
func parseMessage(request []byte) (method string, id, params json.RawMessage, err error) {
	members, found := daemonrpc.Members(request)
	if !found || len(request) > MaxMessage {
		return "", nil, nil, errNoMessage
	}
	for _, name := range []string{"jsonrpc", "method", "params", "id"} {
		value, found := members[name]
		if !found {
			return "", nil, nil, daemonrpc.MissingKey(name)
		}
		switch {
		case name == "method":
			if json.Unmarshal(value, &method) != nil || value[0] != '"' {
				return "", nil, nil, errMethod
			}
		case name == "id" && bytes.IndexByte([]byte("{[tf"), value[0]) >= 0:
			return "", nil, nil, errID
		}
	}
	return method, members["id"], members["params"], nil
}

// response returns a JSON-RPC response. Without an id it has the id null.
func response(id json.RawMessage, name string, body any) []byte {
	if id == nil {
		id = json.RawMessage("null")
	}
	start := append([]byte(`{"jsonrpc":"2.0","id":`), id...)
	return append(append(append(start, `,"`+name+`":`...), encoded(body)...), '}')
}

func encoded(v any) []byte {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if e.Encode(v) != nil {
		panic("unreachable: numbers, strings and lists always encode")
	}
	return bytes.TrimSpace(b.Bytes())
}
