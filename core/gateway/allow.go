package gateway

import (
	"encoding/json"
	"strings"
)

// kind decides how a request is handled.
type kind uint8

const (
	unknown       kind = iota // refused with an HTTP status
	refused                   // refused with a JSON-RPC error
	passed                    // sent to a daemon, or served from the cache
	compactBlocks             // handled by Gateway.compact
)

// paths holds the permitted paths. An alias has the name of its operation as value.
var paths = map[string]string{
	"get_blocks.bin": "", "getblocks.bin": "get_blocks.bin",
	"get_blocks_by_height.bin": "", "getblocks_by_height.bin": "get_blocks_by_height.bin",
	"get_hashes.bin": "", "gethashes.bin": "get_hashes.bin",
	"get_o_indexes.bin": "", "get_outs.bin": "", "get_output_distribution.bin": "",
	"get_transaction_pool_hashes.bin": "",
	"get_height":                      "", "getheight": "get_height",
	"get_transactions": "", "gettransactions": "get_transactions",
	"is_key_image_spent": "", "get_outs": "",
	"send_raw_transaction": "", "sendrawtransaction": "send_raw_transaction",
	"get_transaction_pool_hashes": "", "get_transaction_pool_stats": "",
	"get_info": "", "getinfo": "get_info",
}

// methods holds the permitted JSON-RPC methods in the form of paths.
var methods = map[string]string{
	"get_block_count": "", "getblockcount": "get_block_count",
	"on_get_block_hash": "", "on_getblockhash": "on_get_block_hash",
	"get_last_block_header": "", "getlastblockheader": "get_last_block_header",
	"get_block_header_by_hash": "", "getblockheaderbyhash": "get_block_header_by_hash",
	"get_block_header_by_height": "", "getblockheaderbyheight": "get_block_header_by_height",
	"get_block_headers_range": "", "getblockheadersrange": "get_block_headers_range",
	"get_block": "", "getblock": "get_block",
	"get_info": "", "hard_fork_info": "", "get_version": "", "get_fee_estimate": "",
	"get_output_histogram": "", "get_output_distribution": "", "get_txpool_backlog": "",
}

// find returns the operation of a request, with aliases resolved.
func find(path string, body []byte) (string, kind) {
	path, found := strings.CutPrefix(path, "/")
	switch {
	case !found:
		return "", unknown
	case path == "json_rpc":
		if !json.Valid(body) {
			return "", refused
		}
		method := stringOf(body, "method")
		real, ok := methods[method]
		if !ok {
			return "", refused
		}
		if real == "" {
			real = method
		}
		return real, passed
	case path == compactPath:
		return path, compactBlocks
	}
	real, ok := paths[path]
	if !ok {
		return "", unknown
	}
	if real == "" {
		real = path
	}
	return real, passed
}

// plainCall encodes a JSON-RPC request anew, so that a daemon cannot find a method in it other than the one checked
// here.
func plainCall(method string, body []byte) []byte {
	out := append([]byte(`{"jsonrpc":"2.0","method":"`), method...)
	out = append(out, `","id":`...)
	if id, ok := member(body, "id"); ok {
		out = append(out, id...)
	} else {
		out = append(out, '0')
	}
	if params, ok := member(body, "params"); ok {
		out = append(append(out, `,"params":`...), params...)
	}
	return append(out, '}')
}

// compactPath is the path of requests for compact blocks.
const compactPath = "get_compact_blocks.bin"
