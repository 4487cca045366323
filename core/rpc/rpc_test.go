package rpc_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"glim/core/codec/epee"
	"glim/core/rpc"
	"glim/core/xmr"
)

type Inner struct {
	Amount  uint64 `json:"amount"`
	Address string `json:"address" default:"nobody"`
}

type request struct {
	Inner   `epee:"-"`
	Name    string          `json:"name" default:"main"`
	Ring    uint64          `json:"ring_size" default:"16"`
	Major   uint32          `json:"major"`
	Level   uint8           `json:"level"`
	Offset  int64           `json:"offset"`
	Relay   bool            `json:"relay" default:"true"`
	Indices []uint32        `json:"indices"`
	To      []Inner         `json:"to"`
	Maybe   *bool           `json:"maybe" epee:"-"`
	ID      xmr.Hash        `json:"id"`
	Raw     json.RawMessage `json:"raw" epee:"-"`
	Hidden  string          `json:"-" epee:"-"`
}

type response struct {
	Zebra   string   `json:"zebra"`
	Amount  uint64   `json:"amount"`
	Signed  int64    `json:"signed"`
	Small   uint32   `json:"small"`
	Empty   []uint64 `json:"empty"`
	Listed  []uint64 `json:"listed"`
	Skipped string   `json:"skipped,omitempty" epee:"omitempty"`
	Inner   Inner    `json:"inner"`
	OK      bool     `json:"ok"`
}

func bound(t *testing.T, text string) request {
	t.Helper()
	var r request
	require.NoError(t, rpc.Bind([]byte(text), &r), text)
	return r
}

func TestBindDefaults(t *testing.T) {
	want := request{Name: "main", Ring: 16, Relay: true}
	want.Address = "nobody"
	for _, text := range []string{
		"", " ", "null", "{}", ` { "unknown" : [1] } `,
		`{"name":null,"ring_size":null,"relay":null,"indices":null,"id":null,"maybe":null}`,
		`{"Name":"case matters","RELAY":false}`, `{"Hidden":"x","-":"x"}`,
	} {
		require.Equal(t, want, bound(t, text), text)
	}
	got := bound(t, `{"to":[{},{"amount":3,"address":"a"}],"relay":false,"ring_size":0,"name":""}`)
	require.Equal(t, []Inner{{0, "nobody"}, {3, "a"}}, got.To)
	require.False(t, got.Relay)
	require.Zero(t, got.Ring)
	require.Empty(t, got.Name)
}

func TestBindValues(t *testing.T) {
	yes := true
	got := bound(t, `{"amount":18446744073709551615,"major":4294967295,"level":255,"offset":-9223372036854775808,
		"indices":[0,1],"maybe":true,"id":"`+strings.Repeat("Ab", 32)+`","raw":{"x": [1]},"name":"ü\n"}`)
	require.Equal(t, uint64(math.MaxUint64), got.Amount)
	require.Equal(t, uint32(math.MaxUint32), got.Major)
	require.Equal(t, uint8(255), got.Level)
	require.Equal(t, int64(math.MinInt64), got.Offset)
	require.Equal(t, []uint32{0, 1}, got.Indices)
	require.Equal(t, &yes, got.Maybe)
	require.Equal(t, byte(0xab), got.ID[31])
	require.JSONEq(t, `{"x":[1]}`, string(got.Raw))
	require.Equal(t, "ü\n", got.Name)

	// Callers whose numbers are exact only up to 2^53 send decimal strings.
	require.Equal(t, uint64(math.MaxUint64), bound(t, `{"amount":"18446744073709551615"}`).Amount)
	require.Equal(t, uint64(7), bound(t, `{"to":[{"amount":"7"}]}`).To[0].Amount)
}

// TestBindNoList: another value in place of a list is ignored, as in the reference.
func TestBindNoList(t *testing.T) {
	for _, v := range []string{"0", "5", `"5"`, "true", "{}", `""`} {
		got := bound(t, `{"indices":`+v+`,"to":`+v+`}`)
		require.Empty(t, got.Indices, v)
		require.Empty(t, got.To, v)
	}
}

// TestBindNoObject: another value in place of an object is ignored, as in the reference, also within a list.
func TestBindNoObject(t *testing.T) {
	for _, v := range []string{"0", "5", `"5"`, "true", "[]", "[1]", `""`} {
		var r struct {
			Inner Inner  `json:"inner"`
			Maybe *Inner `json:"maybe"`
		}
		require.NoError(t, rpc.Bind([]byte(`{"inner":`+v+`,"maybe":`+v+`}`), &r), v)
		require.Equal(t, Inner{Address: "nobody"}, r.Inner, v)
		require.Nil(t, r.Maybe, v)
		require.Empty(t, bound(t, `{"to":[`+v+`]}`).To, v)
	}
}

func TestBindRefuses(t *testing.T) {
	for _, text := range []string{
		`[]`, `5`, `"x"`, `true`, `{`, `{"a"}`, `{} {}`, "\xff",
		`{"amount":-1}`, `{"amount":1.5}`, `{"amount":18446744073709551616}`, `{"amount":1e3}`,
		`{"amount":true}`, `{"amount":[]}`, `{"amount":{}}`,
		`{"amount":""}`, `{"amount":"x"}`, `{"amount":"-1"}`, `{"amount":"null"}`, `{"amount":" 1"}`,
		`{"amount":"1.0"}`, `{"amount":"18446744073709551616"}`,
		`{"major":4294967296}`, `{"major":-1}`, `{"major":"1"}`, `{"level":256}`, `{"offset":9223372036854775808}`,
		`{"name":5}`, `{"name":[]}`, `{"relay":1}`, `{"relay":"true"}`, `{"maybe":0}`,
		`{"id":""}`, `{"id":5}`, `{"id":"xy"}`,
		`{"indices":[-1]}`, `{"indices":["1"]}`, `{"indices":[null]}`, `{"indices":[4294967296]}`,
		`{"to":[null]}`, `{"to":[{"amount":-1}]}`,
	} {
		var r request
		require.ErrorIs(t, rpc.Bind([]byte(text), &r), rpc.ErrParams, text)
	}
}

func TestEncode(t *testing.T) {
	v := response{
		Zebra:  "\x01<ü\xff\"",
		Amount: math.MaxUint64,
		Signed: math.MinInt64,
		Small:  math.MaxUint32,
		Listed: []uint64{1, math.MaxUint64},
		Inner:  Inner{5, "a"},
		OK:     true,
	}
	plain, err := rpc.Encode(&v)
	require.NoError(t, err)
	require.True(t, json.Valid(plain))
	require.Equal(t, `{"amount":18446744073709551615,"inner":{"address":"a","amount":5},`+
		`"listed":[1,18446744073709551615],`+
		`"ok":true,"signed":-9223372036854775808,"small":4294967295,"zebra":"\u0001\u003cü\ufffd\""}`, string(plain))
	big, err := rpc.EncodeBigStrings(&v)
	require.NoError(t, err)
	require.Equal(t, `{"amount":"18446744073709551615","inner":{"address":"a","amount":"5"},`+
		`"listed":["1","18446744073709551615"],`+
		`"ok":true,"signed":"-9223372036854775808","small":4294967295,"zebra":"\u0001\u003cü\ufffd\""}`, string(big))
	for v, want := range map[any]string{
		nil:            "null",
		"x":            `"x"`,
		true:           "true",
		uint8(255):     "255",
		int32(-1):      "-1",
		1.5:            "1.5",
		xmr.Hash{0xab}: `"ab` + strings.Repeat("0", 62) + `"`,
		struct{}{}:     "{}",
		[2]uint8{1, 2}: "[1,2]",
	} {
		got, err := rpc.Encode(v)
		require.NoError(t, err)
		require.Equal(t, want, string(got))
	}
	var none *Inner
	got, err := rpc.Encode(struct {
		A *Inner          `json:"a"`
		B json.RawMessage `json:"b"`
		C map[string]int  `json:"c"`
		d int
	}{none, json.RawMessage(`[1]`), nil, 1})
	require.NoError(t, err)
	require.Equal(t, `{"a":null,"b":[1]}`, string(got))
	_, err = rpc.Encode(make(chan int))
	require.Error(t, err)
}

var (
	errTyped   = &rpc.Error{Code: -13, Message: "No wallet file"}
	errMapped  = errors.New("something the map knows")
	echoMethod = rpc.Method[request, response]{Name: "echo", Aliases: []string{"Echo", "repeat"}}
	pathMethod = rpc.Method[request, response]{Name: "path", Aliases: []string{"path.old"}, Wire: rpc.Path}
	binMethod  = rpc.Method[request, response]{Name: "binary.bin", Wire: rpc.Binary}
	secret     = rpc.Method[request, response]{Name: "secret", Restricted: true}
	secretPath = rpc.Method[request, response]{Name: "secret_path", Wire: rpc.Path, Restricted: true}
	fails      = rpc.Method[request, response]{Name: "fails"}
)

func echo(_ context.Context, r request) (response, error) {
	return response{
		Zebra:  r.Name,
		Amount: r.Ring,
		Signed: r.Offset,
		Small:  r.Major,
		OK:     r.Relay,
		Inner:  Inner{Address: fmt.Sprint(len(r.To))},
	}, nil
}

func registry() *rpc.Registry {
	r := rpc.NewRegistry()
	for _, m := range []rpc.Method[request, response]{echoMethod, pathMethod, binMethod, secret, secretPath} {
		rpc.Handle(r, m, echo)
	}
	rpc.Handle(r, fails, func(_ context.Context, r request) (response, error) {
		switch r.Name {
		case "typed":
			return response{}, fmt.Errorf("around: %w", errTyped)
		case "mapped":
			return response{}, errMapped
		}
		return response{}, errors.New("unknown \"trouble\"")
	})
	return r
}

func serve(t *testing.T, r *rpc.Registry, body string, o rpc.Options) string {
	t.Helper()
	b, err := r.Serve(context.Background(), "/json_rpc", []byte(body), o)
	require.NoError(t, err)
	require.True(t, json.Valid(b), string(b))
	return string(b)
}

func TestJSONRPC(t *testing.T) {
	r := registry()
	const result = `"jsonrpc":"2.0","result":{"amount":16,"inner":{"address":"0","amount":0},"ok":true,` +
		`"signed":0,"small":0,"zebra":"main"}}`
	failure := func(id string, code int, message string) string {
		return fmt.Sprintf(`{"error":{"code":%d,"message":%s},"id":%s,"jsonrpc":"2.0"}`, code, message, id)
	}
	for body, want := range map[string]string{
		// The response repeats the id; an absent one becomes 0.
		`{"jsonrpc":"2.0","id":"0","method":"echo"}`:          `{"id":"0",` + result,
		`{"id":7,"method":"echo","params":{}}`:                `{"id":7,` + result,
		`{"id":{"a":[1]},"method":"echo","params":null}`:      `{"id":{"a":[1]},` + result,
		`{"id":null,"method":"echo"}`:                         `{"id":0,` + result,
		`{"method":"echo"}`:                                   `{"id":0,` + result,
		`{"jsonrpc":"1.0","id":-1.5,"method":"Echo"}`:         `{"id":-1.5,` + result,
		`{"id":1,"method":"repeat"}`:                          `{"id":1,` + result,
		`{"id":1,"method":"echo","params":{"name":5}}`:        failure(`1`, -32602, `"Invalid params"`),
		`{"id":1,"method":"echo","params":[ ]}`:               `{"id":1,` + result,
		`{"id":1,"method":"echo","params":[{}]}`:              `{"id":1,` + result,
		`{"id":1,"method":"echo","params":5}`:                 `{"id":1,` + result,
		`{"id":1,"method":"echo","params":"x"}`:               `{"id":1,` + result,
		`{"id":[ ],"method":"echo"}`:                          `{"id":0,` + result,
		`{"id":1,"method":[]}`:                                failure(`0`, -32600, `"Invalid Request"`),
		`{"id":"x","method":"nothing"}`:                       failure(`"x"`, -32601, `"Method not found"`),
		`{"method":"nothing"}`:                                failure(`""`, -32601, `"Method not found"`),
		`{"id":1,"method":"path"}`:                            failure(`1`, -32601, `"Method not found"`),
		`{"id":1}`:                                            failure(`0`, -32600, `"Invalid Request"`),
		`{"id":1,"method":5}`:                                 failure(`1`, -32600, `"Invalid Request"`),
		`[{"id":1,"method":"echo"}]`:                          failure(`0`, -32700, `"Parse error"`),
		`5`:                                                   failure(`0`, -32700, `"Parse error"`),
		``:                                                    failure(`0`, -32600, `"Invalid Request"`),
		`{"id":1,`:                                            failure(`0`, -32700, `"Parse error"`),
		`{"id":1,"method":"fails","params":{"name":"typed"}}`: failure(`1`, -13, `"No wallet file"`),
		`{"id":1,"method":"fails"}`:                           failure(`1`, -32603, `"unknown \"trouble\""`),
	} {
		require.Equal(t, want, serve(t, r, body, rpc.Options{}), body)
	}
	r.MapError = func(err error) *rpc.Error {
		if errors.Is(err, errMapped) {
			return &rpc.Error{Code: -4, Message: "mapped"}
		}
		return &rpc.Error{Code: -1, Message: "other"}
	}
	require.Contains(t, serve(t, r, `{"method":"fails","params":{"name":"mapped"}}`, rpc.Options{}), `"code":-4`)
	require.Contains(t, serve(t, r, `{"method":"fails","params":{"name":"typed"}}`, rpc.Options{}), `"code":-13`)
	require.Contains(t, serve(t, r, `{"method":"fails"}`, rpc.Options{}), `"code":-1,`)
	require.Contains(t, serve(t, r, `{"method":"echo","params":{"name":5}}`, rpc.Options{}), `"code":-32602`)
	require.Contains(t, serve(t, r, `{"method":"echo"}`, rpc.Options{BigStrings: true}), `"amount":"16"`)
}

// TestReads: JSON that the reference cannot read is refused wherever it occurs, also by operations with their own path.
func TestReads(t *testing.T) {
	r := registry()
	nested := func(n int) string { return strings.Repeat(`{"x":[`, n) + strings.Repeat(`]}`, n) }
	for value, taken := range map[string]bool{
		`18446744073709551615`: true, `18446744073709551616`: false, `-9223372036854775808`: true,
		`-9223372036854775809`: false, `-0`: true, `1e308`: true, `1e309`: false, `-1.7976931348623157e308`: true,
		`2.2250738585072014e-308`: true, `1e-310`: false, `1e-400`: false, `0.0`: true, `-0e-999`: true,
		`0.00e99`: true, `null`: true, `[]`: true, `[null]`: false, `[1,null]`: false, `[[]]`: false,
		`[[1],[2]]`: false, `[1,2]`: true, `[1,-2]`: false, `[-1,-2]`: true, `[-0,1]`: false, `[1,2.0]`: false,
		`[1e3,2.0,-3.5]`: true, `["x","1"]`: true, `["x",1]`: false, `[true,false]`: true, `[true,1]`: false,
		`[false,"x"]`: false, `[{},{"a":1}]`: true, `[{},1]`: false, `[{},[]]`: false, `[{"a":[null]}]`: false,
		`{"a":{"b":[1,"x"]}}`: false, `[1,18446744073709551616]`: false, nested(98): true, nested(99): false,
		nested(5000): false, strings.Repeat("[", 9000) + strings.Repeat("]", 9000): false,
	} {
		for _, body := range []string{
			`{"id":"0","method":"echo","params":{"unknown":%s}}`,
			`{"id":"0","method":"echo","params":{"unknown":{"a":1}},"x":{"y": %s }}`,
		} {
			got := serve(t, r, fmt.Sprintf(body, value), rpc.Options{})
			if taken {
				require.Contains(t, got, `"result"`, value)
			} else {
				require.Equal(t, `{"error":{"code":-32700,"message":"Parse error"},"id":0,"jsonrpc":"2.0"}`, got, value)
			}
		}
		_, err := r.Post(context.Background(), "/path", []byte(`{"x":{"unknown":`+value+`}}`))
		require.Equal(t, !taken, errors.Is(err, rpc.ErrRequest), "%s: %v", value, err)
	}
}

func TestRestricted(t *testing.T) {
	r := registry()
	ctx := context.Background()
	require.Contains(t, serve(t, r, `{"method":"secret"}`, rpc.Options{}), `"result"`)
	require.Contains(t, serve(t, r, `{"method":"secret"}`, rpc.Options{Restricted: true}), `-32601`)
	require.Contains(
		t,
		serve(
			t, r, `{"method":"secret"}`, rpc.Options{Restricted: true, Deny: &rpc.Error{Code: -7, Message: "denied"}},
		),
		`-7`,
	)
	require.Contains(t, serve(t, r, `{"method":"echo"}`, rpc.Options{Restricted: true}), `"result"`)
	_, err := r.Serve(ctx, "/secret_path", nil, rpc.Options{Restricted: true})
	require.ErrorIs(t, err, rpc.ErrNoPath)
	_, err = r.Serve(ctx, "/secret_path", nil, rpc.Options{})
	require.NoError(t, err)
}

func TestPaths(t *testing.T) {
	r := registry()
	ctx := context.Background()
	for _, path := range []string{"/path", "/path.old"} {
		for _, body := range []string{"", " \n", "{}"} {
			b, err := r.Post(ctx, path, []byte(body))
			require.NoError(t, err)
			require.Contains(t, string(b), `"zebra":"main"`)
		}
	}
	_, err := r.Post(ctx, "/path", []byte("{"))
	require.ErrorIs(t, err, rpc.ErrRequest)
	_, err = r.Post(ctx, "/path", []byte(`{"name":5}`))
	require.ErrorIs(t, err, rpc.ErrParams)
	_, err = r.Post(ctx, "/binary.bin", []byte("{}"))
	require.ErrorIs(t, err, epee.ErrSignature)
	for _, path := range []string{"", "/", "path", "/echo", "/json_rpc/", "/nothing"} {
		_, err := r.Post(ctx, path, nil)
		require.ErrorIs(t, err, rpc.ErrNoPath, path)
	}
}

// TestCall calls operations in the same process, over each wire.
func TestCall(t *testing.T) {
	r := registry()
	ctx := context.Background()
	req := request{
		Name:   "ü",
		Ring:   math.MaxUint64,
		Offset: math.MinInt64,
		Major:  9,
		Relay:  true,
		To:     []Inner{{1, "a"}, {2, "b"}},
	}
	want := response{
		Zebra:  "ü",
		Amount: math.MaxUint64,
		Signed: math.MinInt64,
		Small:  9,
		OK:     true,
		Inner:  Inner{Address: "2"},
	}
	for _, m := range []rpc.Method[request, response]{echoMethod, pathMethod, binMethod, secret} {
		got, err := rpc.Call(ctx, r, m, req)
		require.NoError(t, err, m.Name)
		require.Equal(t, want, got, m.Name)
	}
	var stated *rpc.Error
	_, err := rpc.Call(ctx, r, fails, request{Name: "typed"})
	require.ErrorAs(t, err, &stated)
	require.Equal(t, errTyped, stated)
	require.Equal(t, "No wallet file (-13)", err.Error())
	_, err = rpc.Call(ctx, r, rpc.Method[request, response]{Name: "nothing"}, req)
	require.ErrorAs(t, err, &stated)
	require.Equal(t, rpc.CodeMethodNotFound, stated.Code)
	_, err = rpc.Call(ctx, r, rpc.Method[request, response]{Name: "nothing", Wire: rpc.Path}, req)
	require.ErrorIs(t, err, rpc.ErrNoPath)
}

// answer is a service that returns the same response to every request.
type answer string

func (a answer) Post(context.Context, string, []byte) ([]byte, error) { return []byte(a), nil }

func TestCallRefusesMalformedAnswers(t *testing.T) {
	ctx := context.Background()
	for _, a := range []answer{
		"", "x", "[]", "{}", `{"id":0,"jsonrpc":"2.0"}`, `{"result":{"amount":-1}}`, `{"result":{"amount":"5"}}`,
		`{"result":5}`, `{"error":5}`,
	} {
		_, err := rpc.Call(ctx, a, echoMethod, request{})
		require.ErrorIs(t, err, rpc.ErrAnswer, string(a))
	}
	for _, a := range []answer{"", "x", "[]", `{"amount":-1}`} {
		_, err := rpc.Call(ctx, a, pathMethod, request{})
		require.ErrorIs(t, err, rpc.ErrAnswer, string(a))
		_, err = rpc.Call(ctx, a, binMethod, request{})
		require.ErrorIs(t, err, rpc.ErrAnswer, string(a))
	}
	got, err := rpc.Call(ctx, answer(`{"result":{"amount":5,"new":1}}`), echoMethod, request{})
	require.NoError(t, err)
	require.Equal(t, uint64(5), got.Amount)
	require.Equal(t, "nobody", got.Inner.Address, "an absent member is its default")
}

func TestOperations(t *testing.T) {
	r := registry()
	var names []string
	for _, o := range r.Operations() {
		names = append(names, o.Name)
		require.Equal(t, "request", o.Request.Name())
		require.Equal(t, "response", o.Response.Name())
	}
	require.Equal(t, []string{"binary.bin", "echo", "fails", "path", "secret", "secret_path"}, names)
	require.Panics(
		t, func() { rpc.Handle(r, rpc.Method[request, response]{Name: "repeat"}, echo) }, "a name that is taken",
	)
	require.Panics(t, func() {
		rpc.Handle(r, rpc.Method[request, response]{Name: "other", Aliases: []string{"path"}, Wire: rpc.Path}, echo)
	})
	require.NotPanics(
		t, func() { rpc.Handle(r, rpc.Method[request, response]{Name: "echo", Wire: rpc.Path}, echo) }, "another wire",
	)
}

// FuzzBind: if Bind accepts a text, it also accepts the encoding of the result, and that has the same encoding.
func FuzzBind(f *testing.F) {
	for _, s := range []string{
		`{}`, `null`, `{"amount":"5","indices":[1,2],"to":[{"amount":1}],"maybe":null,"raw":[]}`,
		`{"id":"` + strings.Repeat("00", 32) + `"}`,
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		var r request
		if err := rpc.Bind(b, &r); err != nil {
			require.ErrorIs(t, err, rpc.ErrParams)
			return
		}
		if r.Raw == nil {
			r.Raw = json.RawMessage("1")
		}
		once, err := rpc.Encode(&r)
		require.NoError(t, err)
		var again request
		require.NoError(t, rpc.Bind(once, &again), string(once))
		twice, err := rpc.Encode(&again)
		require.NoError(t, err)
		require.Equal(t, string(once), string(twice))
		strings, err := rpc.EncodeBigStrings(&r)
		require.NoError(t, err)
		require.True(t, json.Valid(strings), string(strings))
	})
}

// FuzzServe sends arbitrary bytes to every path. The response of JSON-RPC is always JSON.
func FuzzServe(f *testing.F) {
	body, err := epee.Marshal(&request{Name: "x", Indices: []uint32{1}, To: []Inner{{1, "a"}}})
	require.NoError(f, err)
	for _, s := range [][]byte{
		[]byte(`{"id":1,"method":"echo","params":{}}`), []byte(`{"id":{},"method":"fails"}`), []byte(`[]`), body,
	} {
		f.Add(s)
	}
	r := registry()
	f.Fuzz(func(t *testing.T, b []byte) {
		got, err := r.Post(context.Background(), "/json_rpc", b)
		require.NoError(t, err)
		require.True(t, json.Valid(got), string(got))
		var a struct {
			Result, Error json.RawMessage
		}
		require.NoError(t, json.Unmarshal(got, &a))
		require.True(t, (a.Result == nil) != (a.Error == nil), string(got))
		for _, path := range []string{"/path", "/binary.bin"} {
			_, _ = r.Post(context.Background(), path, b)
		}
	})
}

// TestStringsAsMarshal encodes every byte, alone and between others, and compares with json.Marshal.
func TestStringsAsMarshal(t *testing.T) {
	for c := range 256 {
		for _, s := range []string{
			string([]byte{byte(c)}), "a" + string([]byte{byte(c)}) + "z", string(rune(c)), string(rune(0x2000 + c)),
		} {
			want, err := json.Marshal(s)
			require.NoError(t, err)
			got, err := rpc.Encode(s)
			require.NoError(t, err)
			require.Equal(t, string(want), string(got))
		}
	}
}

// TestFind: Find returns the operation that a request would run.
func TestFind(t *testing.T) {
	r := registry()
	for _, c := range []struct{ path, body, want string }{
		{
			"/json_rpc", `{"method":"echo"}`, "echo",
		}, {"/json_rpc", `{"method":"Echo","params":[1]}`, "echo"}, {"/json_rpc", `{"method":"path"}`, ""},
		{
			"/json_rpc", `{"method":5}`, "",
		}, {"/json_rpc", `[`, ""}, {"/path", "", "path"}, {"/path.old", "x", "path"}, {"/echo", "", ""}, {"", "", ""},
	} {
		name := ""
		if op := r.Find(c.path, []byte(c.body)); op != nil {
			name = op.Name
		}
		require.Equal(t, c.want, name, c)
	}
}
