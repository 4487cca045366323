package scenario

import (
	"maps"
	"strings"
	"testing"
)

func daemonPost(path, body string) string {
	return request("POST "+path+" HTTP/1.1", body, hostHeader, jsonHeader)
}

// oddDaemonRequests returns unusual and invalid requests to a daemon.
func oddDaemonRequests() map[string]string {
	count := `{"jsonrpc":"2.0","id":"0","method":"get_block_count"}`
	hash := strings.Repeat("0", 64)
	return map[string]string{
		"plain":                 daemonPost("/json_rpc", count),
		"an alias":              daemonPost("/json_rpc", `{"id":0,"method":"getblockcount"}`),
		"an alias of a path":    daemonPost("/getheight", ""),
		"path":                  daemonPost("/get_height", "{}"),
		"path, no body":         "GET /get_height HTTP/1.1\r\n" + hostHeader + "\r\n\r\n",
		"path, PUT":             request("PUT /get_height HTTP/1.1", "{}", hostHeader),
		"path, null":            daemonPost("/get_height", "null"),
		"path, list":            daemonPost("/get_height", "[]"),
		"path, number":          daemonPost("/get_height", "5"),
		"path, text":            daemonPost("/get_height", `"x"`),
		"path, half an object":  daemonPost("/get_height", `{"a":`),
		"path, junk after":      daemonPost("/get_height", "{}junk"),
		"path, not JSON":        daemonPost("/get_height", "hello"),
		"path, unknown member":  daemonPost("/get_height", `{"unknown":[1,{"a":null}]}`),
		"path, slash":           daemonPost("/get_height/", "{}"),
		"path, capitals":        daemonPost("/GET_HEIGHT", "{}"),
		"path, query":           daemonPost("/get_height?a=b", "{}"),
		"unknown path":          daemonPost("/get_nothing", "{}"),
		"method as a path":      daemonPost("/get_block_count", "{}"),
		"path as a method":      daemonPost("/json_rpc", `{"id":0,"method":"get_height"}`),
		"OPTIONS":               "OPTIONS /get_height HTTP/1.1\r\n" + hostHeader + "\r\n\r\n",
		"HEAD":                  "HEAD /get_height HTTP/1.1\r\n" + hostHeader + "\r\n\r\n",
		"params list":           daemonPost("/json_rpc", `{"id":0,"method":"on_get_block_hash","params":[0]}`),
		"params list of none":   daemonPost("/json_rpc", `{"id":0,"method":"on_get_block_hash","params":[]}`),
		"params list of two":    daemonPost("/json_rpc", `{"id":0,"method":"on_get_block_hash","params":[0,0]}`),
		"params list of a text": daemonPost("/json_rpc", `{"id":0,"method":"on_get_block_hash","params":["0"]}`),
		"params list, negative": daemonPost("/json_rpc", `{"id":0,"method":"on_get_block_hash","params":[-1]}`),
		"params missing":        daemonPost("/json_rpc", `{"id":0,"method":"on_get_block_hash"}`),
		"params object for a list": daemonPost("/json_rpc",
			`{"id":0,"method":"on_get_block_hash","params":{"height":0}}`),
		"height too high":  daemonPost("/json_rpc", `{"id":0,"method":"on_get_block_hash","params":[5]}`),
		"height as a text": daemonPost("/json_rpc", `{"id":0,"method":"get_block","params":{"height":"0"}}`),
		"height negative": daemonPost("/json_rpc",
			`{"id":0,"method":"get_block_header_by_height","params":{"height":-1}}`),
		"height a fraction": daemonPost("/json_rpc",
			`{"id":0,"method":"get_block_header_by_height","params":{"height":0.5}}`),
		"height too large": daemonPost("/json_rpc",
			`{"id":0,"method":"get_block_header_by_height","params":{"height":18446744073709551615}}`),
		"height a switch": daemonPost("/json_rpc",
			`{"id":0,"method":"get_block_header_by_height","params":{"height":true}}`),
		"hash too short": daemonPost("/json_rpc", `{"id":0,"method":"get_block","params":{"hash":"00"}}`),
		"hash no hash": daemonPost("/json_rpc",
			`{"id":0,"method":"get_block_header_by_hash","params":{"hash":"`+strings.Repeat("z", 64)+`"}}`),
		"hash of nothing": daemonPost("/json_rpc",
			`{"id":0,"method":"get_block_header_by_hash","params":{"hash":"`+hash+`"}}`),
		"submit nothing":            daemonPost("/json_rpc", `{"id":0,"method":"submit_block","params":[]}`),
		"submit no hexadecimal":     daemonPost("/json_rpc", `{"id":0,"method":"submit_block","params":["xyz"]}`),
		"submit odd digits":         daemonPost("/json_rpc", `{"id":0,"method":"submit_block","params":["0"]}`),
		"submit two":                daemonPost("/json_rpc", `{"id":0,"method":"submit_block","params":["00","00"]}`),
		"submit an object":          daemonPost("/json_rpc", `{"id":0,"method":"submit_block","params":[{}]}`),
		"path, wrong type":          daemonPost("/get_transactions", `{"txs_hashes":5}`),
		"path, list of null":        daemonPost("/get_transactions", `{"txs_hashes":[null]}`),
		"path, list of numbers":     daemonPost("/get_transactions", `{"txs_hashes":[1]}`),
		"path, no list":             daemonPost("/get_transactions", `{}`),
		"path, hash of nothing":     daemonPost("/get_transactions", `{"txs_hashes":["`+hash+`"]}`),
		"path, no hash":             daemonPost("/get_transactions", `{"txs_hashes":["x"]}`),
		"path, switch is a text":    daemonPost("/get_transactions", `{"txs_hashes":[],"prune":"yes"}`),
		"path, number is a text":    daemonPost("/pop_blocks", `{"nblocks":"x"}`),
		"path, number is negative":  daemonPost("/pop_blocks", `{"nblocks":-1}`),
		"path, number too large":    daemonPost("/set_log_level", `{"level":1000}`),
		"path, number is an object": daemonPost("/set_log_level", `{"level":{}}`),
		"path, text is a number":    daemonPost("/start_mining", `{"miner_address":5}`),
		"send nothing":              daemonPost("/send_raw_transaction", `{}`),
		"send no hexadecimal":       daemonPost("/send_raw_transaction", `{"tx_as_hex":"xyz"}`),
		"send a number":             daemonPost("/send_raw_transaction", `{"tx_as_hex":7}`),
		"nothing to pay": daemonPost("/json_rpc",
			`{"id":0,"method":"rpc_access_pay","params":{"payment":"x"}}`),
	}
}

// oddBinaryRequests returns unusual and invalid requests in epee.
func oddBinaryRequests() map[string]string {
	return map[string]string{
		"binary, nothing":        daemonPost("/get_blocks.bin", ""),
		"binary, JSON":           daemonPost("/get_blocks.bin", "{}"),
		"binary, half a header":  daemonPost("/get_blocks.bin", epeeHeader[:5]),
		"binary, header alone":   daemonPost("/get_blocks.bin", epeeHeader),
		"binary, fields claimed": daemonPost("/get_blocks.bin", epeeHeader+size(1<<60)),
		"binary, GET":            "GET /get_blocks.bin HTTP/1.1\r\n" + hostHeader + "\r\n\r\n",
		"binary, wrong type": daemonPost("/get_outs.bin",
			epeeHeader+size(1)+entry("outputs", 5, strings.Repeat("\x01", 8))),
		"binary, half a number":  daemonPost("/get_blocks.bin", epeeHeader+size(1)+entry("start_height", 5, "\x01")),
		"binary, unknown type":   daemonPost("/get_blocks.bin", epeeHeader+size(1)+entry("start_height", 77, "\x01")),
		"binary, another's path": daemonPost("/get_blocks", epeeHeader+size(0)),
		"JSON-RPC, epee":         daemonPost("/json_rpc", epeeHeader+size(0)),
	}
}

// TestUnusualDaemonRequests: both daemons give the same answers to unusual and invalid requests, down to the bytes.
func TestUnusualDaemonRequests(t *testing.T) {
	t.Parallel()
	theirs, ours := newDaemons(t, nil, nil)
	probes := oddDaemonRequests()
	maps.Copy(probes, oddBinaryRequests())
	always := daemonSaid(t, theirs.URL, probes["path"])
	otherwise := maps.Clone(otherwiseDaemon)
	if !referenceAtLeast(t, 0, 18, 5) {
		// It returns a hash of zeros.
		otherwise["height too high"] = refused(
			-2, "Requested block height: 5 greater than current top block height: 0", "0",
		)
	}
	sameSaid(t, probes, otherwise, always, func(probe string) (want, got said) {
		return daemonSaid(t, theirs.URL, probe), daemonSaid(t, ours.URL, probe)
	})
}

// daemonSaid returns a daemon's answer without the members that are not compared.
func daemonSaid(t *testing.T, url, probe string) said {
	t.Helper()
	got := rawly(t, url, probe)
	if got.Kind == "application/json" && got.Body != "" {
		got.Body = string(text(t, loose(plain(t, []byte(got.Body), notCompared(t)))))
	}
	return got
}

// malformed is the answer to a body that the operation cannot read.
var malformed = said{400, "text/plain", ""}

// otherwiseDaemon lists our answers to requests that we answer differently on purpose.
var otherwiseDaemon = map[string]said{
	// We accept exactly one JSON object.
	"path, junk after":     malformed,
	"path, half an object": malformed,
	// We refuse another type where a list belongs. The reference treats it as absent.
	"binary, wrong type": malformed,
	// We ignore the query when we select the operation.
	"path, query": asAlways,
}
