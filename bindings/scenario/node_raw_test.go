package scenario

import (
	"strings"
	"testing"
)

// What is odd about a request to a daemon is answered alike, on the wire.
func TestOddDaemonRequests(t *testing.T) {
	t.Parallel()
	theirs, ours := newDaemons(t, nil, nil)
	post := func(path, body string) string { return request("POST "+path+" HTTP/1.1", body, hostHeader, jsonHeader) }
	count := `{"jsonrpc":"2.0","id":"0","method":"get_block_count"}`
	hash := strings.Repeat("0", 64)
	probes := map[string]string{
		"plain":                     post("/json_rpc", count),
		"an alias":                  post("/json_rpc", `{"id":0,"method":"getblockcount"}`),
		"an alias of a path":        post("/getheight", ""),
		"path":                      post("/get_height", "{}"),
		"path, no body":             "GET /get_height HTTP/1.1\r\n" + hostHeader + "\r\n\r\n",
		"path, PUT":                 request("PUT /get_height HTTP/1.1", "{}", hostHeader),
		"path, null":                post("/get_height", "null"),
		"path, list":                post("/get_height", "[]"),
		"path, number":              post("/get_height", "5"),
		"path, text":                post("/get_height", `"x"`),
		"path, half an object":      post("/get_height", `{"a":`),
		"path, junk after":          post("/get_height", "{}junk"),
		"path, not JSON":            post("/get_height", "hello"),
		"path, unknown member":      post("/get_height", `{"unknown":[1,{"a":null}]}`),
		"path, slash":               post("/get_height/", "{}"),
		"path, capitals":            post("/GET_HEIGHT", "{}"),
		"path, query":               post("/get_height?a=b", "{}"),
		"unknown path":              post("/get_nothing", "{}"),
		"method as a path":          post("/get_block_count", "{}"),
		"path as a method":          post("/json_rpc", `{"id":0,"method":"get_height"}`),
		"OPTIONS":                   "OPTIONS /get_height HTTP/1.1\r\n" + hostHeader + "\r\n\r\n",
		"HEAD":                      "HEAD /get_height HTTP/1.1\r\n" + hostHeader + "\r\n\r\n",
		"params list":               post("/json_rpc", `{"id":0,"method":"on_get_block_hash","params":[0]}`),
		"params list of none":       post("/json_rpc", `{"id":0,"method":"on_get_block_hash","params":[]}`),
		"params list of two":        post("/json_rpc", `{"id":0,"method":"on_get_block_hash","params":[0,0]}`),
		"params list of a text":     post("/json_rpc", `{"id":0,"method":"on_get_block_hash","params":["0"]}`),
		"params list, negative":     post("/json_rpc", `{"id":0,"method":"on_get_block_hash","params":[-1]}`),
		"params missing":            post("/json_rpc", `{"id":0,"method":"on_get_block_hash"}`),
		"params object for a list":  post("/json_rpc", `{"id":0,"method":"on_get_block_hash","params":{"height":0}}`),
		"height too high":           post("/json_rpc", `{"id":0,"method":"on_get_block_hash","params":[5]}`),
		"height as a text":          post("/json_rpc", `{"id":0,"method":"get_block","params":{"height":"0"}}`),
		"height negative":           post("/json_rpc", `{"id":0,"method":"get_block_header_by_height","params":{"height":-1}}`),
		"height a fraction":         post("/json_rpc", `{"id":0,"method":"get_block_header_by_height","params":{"height":0.5}}`),
		"height too large":          post("/json_rpc", `{"id":0,"method":"get_block_header_by_height","params":{"height":18446744073709551615}}`),
		"height a switch":           post("/json_rpc", `{"id":0,"method":"get_block_header_by_height","params":{"height":true}}`),
		"hash too short":            post("/json_rpc", `{"id":0,"method":"get_block","params":{"hash":"00"}}`),
		"hash no hash":              post("/json_rpc", `{"id":0,"method":"get_block_header_by_hash","params":{"hash":"`+strings.Repeat("z", 64)+`"}}`),
		"hash of nothing":           post("/json_rpc", `{"id":0,"method":"get_block_header_by_hash","params":{"hash":"`+hash+`"}}`),
		"submit nothing":            post("/json_rpc", `{"id":0,"method":"submit_block","params":[]}`),
		"submit no hexadecimal":     post("/json_rpc", `{"id":0,"method":"submit_block","params":["xyz"]}`),
		"submit odd digits":         post("/json_rpc", `{"id":0,"method":"submit_block","params":["0"]}`),
		"submit two":                post("/json_rpc", `{"id":0,"method":"submit_block","params":["00","00"]}`),
		"submit an object":          post("/json_rpc", `{"id":0,"method":"submit_block","params":[{}]}`),
		"path, wrong type":          post("/get_transactions", `{"txs_hashes":5}`),
		"path, list of null":        post("/get_transactions", `{"txs_hashes":[null]}`),
		"path, list of numbers":     post("/get_transactions", `{"txs_hashes":[1]}`),
		"path, no list":             post("/get_transactions", `{}`),
		"path, hash of nothing":     post("/get_transactions", `{"txs_hashes":["`+hash+`"]}`),
		"path, no hash":             post("/get_transactions", `{"txs_hashes":["x"]}`),
		"path, switch is a text":    post("/get_transactions", `{"txs_hashes":[],"prune":"yes"}`),
		"path, number is a text":    post("/pop_blocks", `{"nblocks":"x"}`),
		"path, number is negative":  post("/pop_blocks", `{"nblocks":-1}`),
		"path, number too large":    post("/set_log_level", `{"level":1000}`),
		"path, number is an object": post("/set_log_level", `{"level":{}}`),
		"path, text is a number":    post("/start_mining", `{"miner_address":5}`),
		"send nothing":              post("/send_raw_transaction", `{}`),
		"send no hexadecimal":       post("/send_raw_transaction", `{"tx_as_hex":"xyz"}`),
		"send a number":             post("/send_raw_transaction", `{"tx_as_hex":7}`),
		"binary, nothing":           post("/get_blocks.bin", ""),
		"binary, JSON":              post("/get_blocks.bin", "{}"),
		"binary, half a header":     post("/get_blocks.bin", epeeHeader[:5]),
		"binary, header alone":      post("/get_blocks.bin", epeeHeader),
		"binary, fields claimed":    post("/get_blocks.bin", epeeHeader+size(1<<60)),
		"binary, GET":               "GET /get_blocks.bin HTTP/1.1\r\n" + hostHeader + "\r\n\r\n",
		"binary, wrong type":        post("/get_outs.bin", epeeHeader+size(1)+entry("outputs", 5, strings.Repeat("\x01", 8))),
		"binary, half a number":     post("/get_blocks.bin", epeeHeader+size(1)+entry("start_height", 5, "\x01")),
		"binary, unknown type":      post("/get_blocks.bin", epeeHeader+size(1)+entry("start_height", 77, "\x01")),
		"binary, another's path":    post("/get_blocks", epeeHeader+size(0)),
		"JSON-RPC, epee":            post("/json_rpc", epeeHeader+size(0)),
		"nothing to pay":            post("/json_rpc", `{"id":0,"method":"rpc_access_pay","params":{"payment":"x"}}`),
	}
	always := daemonSaid(t, theirs.URL, probes["path"])
	sameSaid(t, probes, otherwiseDaemon, always, func(probe string) (want, got said) {
		return daemonSaid(t, theirs.URL, probe), daemonSaid(t, ours.URL, probe)
	})
}

// daemonSaid is what a daemon answers, but for what tells of the moment or that newer releases added.
func daemonSaid(t *testing.T, url, probe string) said {
	t.Helper()
	got := rawly(t, url, probe)
	if got.Kind == "application/json" && got.Body != "" {
		got.Body = string(text(t, loose(plain(t, []byte(got.Body), momentary))))
	}
	return got
}

// malformed is the answer to a body that is none of the operation's.
var malformed = said{400, "text/plain", ""}

// otherwiseDaemon are the requests that are answered otherwise on purpose, with what we say.
var otherwiseDaemon = map[string]said{
	// A request is one JSON object, from its beginning to its end.
	"path, junk after":     malformed,
	"path, half an object": malformed,
	// What stands in the place of a list and is none is refused. The reference takes it for absent.
	"binary, wrong type": malformed,
	// What stands behind ? does not change which operation is meant.
	"path, query": asAlways,
	// The reference answers a hash of zeros.
	"height too high": refused(-2, "Requested block height: 5 greater than current top block height: 0", "0"),
}
