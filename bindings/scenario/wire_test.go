package scenario

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"glim/bindings/peers"
)

// said is an HTTP answer as a client reads it.
type said struct {
	Status int
	Kind   string // content type
	Body   string // JSON in a normal form, other bodies as they are; how the connection ended without an answer
}

func (s said) String() string { return fmt.Sprintf("%d %q %s", s.Status, s.Kind, s.Body) }

// rawly sends a request byte for byte and returns the answer.
func rawly(t *testing.T, url, request string) said {
	t.Helper()
	c, err := net.Dial("tcp", strings.TrimPrefix(url, "http://"))
	require.NoError(t, err)
	defer c.Close()
	require.NoError(t, c.SetDeadline(time.Now().Add(patience)))
	_, err = io.WriteString(c, request)
	require.NoError(t, err)
	method, _, _ := strings.Cut(request, " ")
	res, err := http.ReadResponse(bufio.NewReader(c), &http.Request{Method: method})
	if err != nil {
		return said{Body: "hangs up"}
	}
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	require.NoError(t, err)
	kind, _, _ := strings.Cut(res.Header.Get("Content-Type"), ";")
	return said{res.StatusCode, kind, oneForm(body)}
}

// oneForm returns JSON in a normal form, and other bodies as they are.
func oneForm(body []byte) string {
	var v any
	if json.Unmarshal(body, &v) != nil {
		return string(body)
	}
	b, err := json.Marshal(v)
	if err != nil {
		return string(body)
	}
	return string(b)
}

// request is an HTTP request with a body and some headers.
func request(first, body string, headers ...string) string {
	return first + "\r\n" +
		strings.Join(append(headers, fmt.Sprintf("Content-Length: %d", len(body)), "", body), "\r\n")
}

const (
	hostHeader = "Host: localhost"
	jsonHeader = "Content-Type: application/json"
	asks       = `{"jsonrpc":"2.0","id":"0","method":"get_languages"}`
)

// oddHTTPRequests returns unusual and invalid HTTP requests to a wallet service.
func oddHTTPRequests() map[string]string {
	return map[string]string{
		"plain":                post(asks),
		"no content type":      request("POST /json_rpc HTTP/1.1", asks, hostHeader),
		"another content type": request("POST /json_rpc HTTP/1.1", asks, hostHeader, "Content-Type: text/plain"),
		"form": request("POST /json_rpc HTTP/1.1", asks, hostHeader,
			"Content-Type: application/x-www-form-urlencoded"),
		"GET with a body":        request("GET /json_rpc HTTP/1.1", asks, hostHeader, jsonHeader),
		"GET":                    "GET /json_rpc HTTP/1.1\r\n" + hostHeader + "\r\n\r\n",
		"PUT":                    request("PUT /json_rpc HTTP/1.1", asks, hostHeader, jsonHeader),
		"HEAD":                   "HEAD /json_rpc HTTP/1.1\r\n" + hostHeader + "\r\n\r\n",
		"OPTIONS":                "OPTIONS /json_rpc HTTP/1.1\r\n" + hostHeader + "\r\n\r\n",
		"DELETE":                 request("DELETE /json_rpc HTTP/1.1", asks, hostHeader, jsonHeader),
		"unknown method of HTTP": request("BREW /json_rpc HTTP/1.1", asks, hostHeader, jsonHeader),
		"unknown path":           request("POST /nothing HTTP/1.1", asks, hostHeader, jsonHeader),
		"unknown path, GET":      "GET / HTTP/1.1\r\n" + hostHeader + "\r\n\r\n",
		"query":                  request("POST /json_rpc?a=b HTTP/1.1", asks, hostHeader, jsonHeader),
		"slash":                  request("POST /json_rpc/ HTTP/1.1", asks, hostHeader, jsonHeader),
		"two slashes":            request("POST //json_rpc HTTP/1.1", asks, hostHeader, jsonHeader),
		"capitals":               request("POST /JSON_RPC HTTP/1.1", asks, hostHeader, jsonHeader),
		"a path for the method":  request("POST /get_languages HTTP/1.1", "{}", hostHeader, jsonHeader),
		"HTTP/1.0":               request("POST /json_rpc HTTP/1.0", asks, jsonHeader),
		"HTTP/1.1, no host":      request("POST /json_rpc HTTP/1.1", asks, jsonHeader),
		"chunked": "POST /json_rpc HTTP/1.1\r\n" + hostHeader + "\r\n" + jsonHeader + "\r\n" +
			"Transfer-Encoding: chunked\r\n\r\n" + fmt.Sprintf("%x\r\n%s\r\n0\r\n\r\n", len(asks), asks),
		"an unknown header": request("POST /json_rpc HTTP/1.1", asks, hostHeader, jsonHeader, "X-Other: yes"),
		"no HTTP":           "hello\r\n\r\n",
		"no length":         "POST /json_rpc HTTP/1.1\r\n" + hostHeader + "\r\n\r\n",
		"length of nothing": "POST /json_rpc HTTP/1.1\r\n" + hostHeader + "\r\nContent-Length: x\r\n\r\n",
	}
}

func post(body string) string {
	return request("POST /json_rpc HTTP/1.1", body, hostHeader, jsonHeader)
}

// oddBodies returns requests with unusual and invalid bodies.
func oddBodies() map[string]string {
	probes := map[string]string{
		"empty":              post(""),
		"null":               post("null"),
		"number":             post("5"),
		"text":               post(`"x"`),
		"broken":             post(`{"jsonrpc":"2.0","id":"0","method":`),
		"not JSON":           post("hello"),
		"batch":              post("[" + asks + "," + asks + "]"),
		"batch of none":      post("[]"),
		"junk after":         post(asks + "junk"),
		"two":                post(asks + asks),
		"space around":       post("\r\n\t " + asks + " \n"),
		"byte order mark":    post("\ufeff" + asks),
		"trailing comma":     post(`{"jsonrpc":"2.0","id":"0","method":"get_languages",}`),
		"comment":            post(`{"jsonrpc":"2.0",/* x */"id":"0","method":"get_languages"}`),
		"twice the same":     post(`{"jsonrpc":"2.0","id":"0","id":"1","method":"get_height"}`),
		"no jsonrpc":         post(`{"id":"0","method":"get_height"}`),
		"old jsonrpc":        post(`{"jsonrpc":"1.0","id":"0","method":"get_height"}`),
		"no id":              post(`{"jsonrpc":"2.0","method":"get_height"}`),
		"no id, unknown":     post(`{"jsonrpc":"2.0","method":"nothing"}`),
		"no method":          post(`{"jsonrpc":"2.0","id":"0"}`),
		"empty method":       post(`{"jsonrpc":"2.0","id":"0","method":""}`),
		"method is a number": post(`{"jsonrpc":"2.0","id":"0","method":5}`),
		"method is null":     post(`{"jsonrpc":"2.0","id":"0","method":null}`),
		"unknown method":     post(`{"jsonrpc":"2.0","id":"0","method":"nothing"}`),
		"method in capitals": post(`{"jsonrpc":"2.0","id":"0","method":"GET_HEIGHT"}`),
		"params null":        post(`{"jsonrpc":"2.0","id":"0","method":"get_languages","params":null}`),
		"params list":        post(`{"jsonrpc":"2.0","id":"0","method":"get_languages","params":[]}`),
		"params list of one": post(`{"jsonrpc":"2.0","id":"0","method":"get_languages","params":[1]}`),
		"params list of an object": post(`{"jsonrpc":"2.0","id":"0","method":"validate_address",` +
			`"params":[{"address":"x","any_net_type":true}]}`),
		"params text":          post(`{"jsonrpc":"2.0","id":"0","method":"get_languages","params":"x"}`),
		"params number":        post(`{"jsonrpc":"2.0","id":"0","method":"get_languages","params":1}`),
		"nothing but a member": post(`{}`),
		"escapes":              post(`{"jsonrpc":"2.0","id":"\u00fc \"\\\/ \n","method":"get_height"}`),
		"raw letters":          post(`{"jsonrpc":"2.0","id":"ü €","method":"get_height"}`),
	}
	for name, id := range map[string]string{"number": "7", "below nothing": "-7", "fraction": "1.5", "null": "null",
		"true": "true", "object": `{"a":1}`,
		"list": "[1]", "empty text": `""`, "large": "18446744073709551615", "larger": "18446744073709551616",
		"text": `"abc"`} {
		probes["id: "+name] = post(`{"jsonrpc":"2.0","id":` + id + `,"method":"get_height"}`)
		probes["id, unknown method: "+name] = post(`{"jsonrpc":"2.0","id":` + id + `,"method":"nothing"}`)
	}
	return probes
}

// TestUnusualRequests: both wallet services give the same answers to unusual and invalid requests, down to the bytes.
func TestUnusualRequests(t *testing.T) {
	t.Parallel()
	peers.Require(t)
	path, err := build()
	require.NoError(t, err)
	reference := peers.NewWalletRPC(t, nil, peers.Options{})
	ours := peers.NewWalletRPC(t, nil, peers.Options{Command: []string{path, "wallet-rpc"}})
	probes := oddHTTPRequests()
	maps.Copy(probes, oddBodies())
	languages := rawly(t, ours.URL, probes["plain"])
	require.Equal(t, 200, languages.Status)
	sameSaid(t, probes, otherwiseHTTP, languages, func(probe string) (want, got said) {
		return rawly(t, reference.URL, probe), rawly(t, ours.URL, probe)
	})
}

// sameSaid compares the answers of the reference and of ours to probes. We answer those of otherwise as listed there,
// and the reference differently. asAlways stands for the answer always.
func sameSaid(t *testing.T, probes map[string]string, otherwise map[string]said, always said,
	ask func(probe string) (want, got said)) {
	t.Helper()
	for name, probe := range probes {
		want, got := ask(probe)
		if differs, ok := otherwise[name]; ok {
			if differs == asAlways {
				differs = always
			}
			require.Equal(t, differs, got, name)
			require.NotEqual(t, want, got, name)
			continue
		}
		if want != got {
			t.Errorf("%s:\n the reference says %v\n we say             %v", name, want, got)
		}
	}
	for name := range otherwise {
		require.Contains(t, probes, name)
	}
}

// refused is the answer of JSON-RPC with an error.
func refused(code int, message, id string) said {
	return said{
		200, "application/json",
		fmt.Sprintf(`{"error":{"code":%d,"message":%q},"id":%s,"jsonrpc":"2.0"}`, code, message, id),
	}
}

// asAlways stands for the answer to a plain request.
var asAlways = said{Body: "as always"}

// otherwiseHTTP lists our answers to requests that we answer differently on purpose.
var otherwiseHTTP = map[string]said{
	// We accept exactly one JSON object. The reference ignores trailing data, and accepts trailing commas and truncated
	// objects.
	"junk after":     refused(-32700, "Parse error", "0"),
	"two":            refused(-32700, "Parse error", "0"),
	"trailing comma": refused(-32700, "Parse error", "0"),
	"broken":         refused(-32700, "Parse error", "0"),
	// The reference fails internally.
	"method is a number": refused(-32600, "Invalid Request", `"0"`),
	// As HTTP is specified.
	"HTTP/1.1, no host":      {400, "text/plain", "400 Bad Request"},
	"no HTTP":                {400, "text/plain", "400 Bad Request"},
	"length of nothing":      {400, "text/plain", "400 Bad Request"},
	"chunked":                asAlways,
	"query":                  asAlways,
	"unknown method of HTTP": asAlways,
}
