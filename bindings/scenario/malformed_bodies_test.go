package scenario

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"glim/bindings/peers"
)

// nested returns value inside n copies of open and its closing bracket.
func nested(open, value string, n int) string {
	end := "}"
	if open[0] == '[' {
		end = "}]"
	}
	return strings.Repeat(open, n) + value + strings.Repeat(end, n)
}

// bodies are malformed requests, and valid ones that look malformed; %s stands for the name of an operation without
// parameters.
var bodies = func() map[string]string {
	all := map[string]string{
		"object without a comma":       `{"id":"0" "method":"%s"}`,
		"semicolon":                    `{"id":"0";"method":"%s"}`,
		"two commas":                   `{"id":"0",,"method":"%s"}`,
		"comma first":                  `{,"id":"0","method":"%s"}`,
		"name without quotes":          `{id:"0","method":"%s"}`,
		"single quotes":                `{'id':'0','method':'%s'}`,
		"method without quotes":        `{"id":"0","method":%s}`,
		"cut off in the method":        `{"id":"0","method":"%s`,
		"cut off in a number":          `{"id":"0","method":"%s","params":{"a":1`,
		"cut off after a colon":        `{"id":"0","method":"%s","params":{"a":`,
		"closing bracket alone":        `}%s`,
		"list":                         `[{"id":"0","method":"%s"}]`,
		"NUL before":                   "\x00" + `{"id":"0","method":"%s"}`,
		"NUL within":                   `{"id":"0",` + "\x00" + `"method":"%s"}`,
		"form feed before":             "\f" + `{"id":"0","method":"%s"}`,
		"space of Unicode before":      "\u00a0" + `{"id":"0","method":"%s"}`,
		"comment before":               "// x\n" + `{"id":"0","method":"%s"}`,
		"members in capitals":          `{"ID":"0","METHOD":"%s"}`,
		"two methods":                  `{"id":"0","method":"%s","method":"nothing"}`,
		"two methods, the other first": `{"id":"0","method":"nothing","method":"%s"}`,
		"method is an empty list":      `{"id":"0","method":[ ],"x":"%s"}`,
		"id is an empty list":          `{"id":[],"method":"%s"}`,
		"id is a list of null":         `{"id":[null],"method":"%s"}`,
		"id is a list in a list":       `{"id":[[1]],"method":"%s"}`,
		"list in a list elsewhere":     `{"x":[[1]],"id":"0","method":"%s"}`,
		"escaped name":                 `{"id":"0","m\u0065thod":"%s"}`,
		"Latin 1":                      `{"id":"0","method":"%s","params":{"a":"` + "\xfc" + `"}}`,
	}
	for _, v := range []string{
		`1`, `-1`, `0`, `1.5`, `1e3`, `"x"`, `""`, `true`, `[1]`, `["x"]`, `[{}]`, `[{"a":1}]`, `[null]`, `[[]]`,
		`[1,"x"]`, `18446744073709551616`, `-9223372036854775809`, `nul`, `tru`, `NaN`,
	} {
		all["params "+v] = `{"id":"0","method":"%s","params":` + v + `}`
	}
	for _, v := range []string{
		`18446744073709551615`, `18446744073709551616`, `-9223372036854775808`, `-9223372036854775809`, `1e308`,
		`1e309`, `-1e309`, `1e-310`, `2.2250738585072014e-308`, `1e-400`, `0e-999`, `-0.0`, `+1`, `.5`, `0x10`,
		`NaN`, `Infinity`, `[null]`, `[1,null]`, `[[]]`, `[[],[]]`, `[{},[]]`, `[1,"x"]`, `["x",1]`, `[1,-1]`,
		`[-1,1]`, `[-0,1]`, `[1,1.5]`, `[1e3,2]`, `[1e3,2.0]`, `[true,1]`, `[true,false]`, `[{},1]`,
		`[{},{"a":[null]}]`, `[1,]`, `[,1]`, `[1 2]`, `[1}`, `1]`, `{"b":{"c":[{"d":[[]]}]}}`, `"\u12"`, `"\ud800"`,
		`"\/"`, nested(`{"a":`, "1", 98), nested(`{"a":`, "1", 99), nested(`[{"a":`, "[1]", 98),
		nested(`[{"a":`, "[1]", 99),
	} {
		all["a member "+v] = `{"id":"0","method":"%s","params":{"a":` + v + `}}`
	}
	return all
}()

// laxly are bodies that are not JSON but that the reference accepts, because it is lenient about how numbers, texts and
// objects end. glim refuses them, so that a truncated or duplicated request cannot pay; see DIFFERENCES.md.
var laxly = []string{
	`{"id":"0","method":"%s","params":{"a":1,}}`, `{"id":"0","method":"%s","params":{"a":01}}`,
	`{"id":"0","method":"%s","params":{"a":5.}}`, `{"id":"0","method":"%s","params":{"a":1e}}`,
	`{"id":"0","method":"%s","params":{"a":-}}`, `{"id":"0","method":"%s","params":{"a":1-2}}`,
	`{"id":"0","method":"%s","params":{"a":"\x"}}`, `{"id":"0","method":"%s","params":{"a":"` + "\t" + `"}}`,
	`{"id":"0","method":"%s","params":{"a":TRUE}}`, `{"id":"0","method":"%s"`, `{"id":"0","method":"%s"}}`,
	`{"id":"0","method":"%s"}x`, `{"id":"0","method":"%s"} // x`, `{"id":"0",` + "\v" + `"method":"%s"}`,
	`{"id":"0","method":"%s","params":{"a":1}`, `{"id":"0","method":"%s","params":{`,
	`{"id":"0","method":"%s","params":[`, `{"id":"0","method":"%s","params":`,
}

// TestMalformedBodies compares the answers of both wallet services and both daemons to each body, with code, id and
// HTTP status.
func TestMalformedBodies(t *testing.T) {
	t.Parallel()
	peers.Require(t)
	path, err := build()
	require.NoError(t, err)
	theirs, ours := newDaemons(t, nil, nil)
	for _, p := range []struct{ reference, ours, asks, daemons string }{
		{
			peers.NewWalletRPC(t, nil, peers.Options{}).URL,
			peers.NewWalletRPC(t, nil, peers.Options{Command: []string{path, "wallet-rpc"}}).URL, "get_languages", "",
		},
		{theirs.URL, ours.URL, "get_block_count", "/get_transactions"},
	} {
		post := func(url, path, body string) said {
			return rawly(t, url, request("POST "+path+" HTTP/1.1", body, hostHeader, jsonHeader))
		}
		for name, body := range bodies {
			body = fmt.Sprintf(body, p.asks)
			want, got := post(p.reference, "/json_rpc", body), post(p.ours, "/json_rpc", body)
			require.Equal(t, want, got, "%s: %.200s", name, body)
			if p.daemons != "" {
				want, got = post(p.reference, p.daemons, body), post(p.ours, p.daemons, body)
				require.Equal(t, want.Status, got.Status, "%s: %.200s", name, body)
			}
		}
		for _, body := range laxly {
			body = fmt.Sprintf(body, p.asks)
			require.Equal(t, refused(-32700, "Parse error", "0"), post(p.ours, "/json_rpc", body), body)
			require.Contains(t, post(p.reference, "/json_rpc", body).Body, `"result"`, body)
		}
	}
}
