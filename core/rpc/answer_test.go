package rpc_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"glim/core/codec/epee"
	"glim/core/rpc"
)

// answersAsJSON decodes an answer with rpc.Call and compares the result with that of encoding/json. It skips texts with
// capitals, because encoding/json ignores the case of names, and texts with control characters, which answers may have
// in strings because monerod writes them.
func answersAsJSON(t *testing.T, text string, values bool) {
	t.Helper()
	if text != strings.ToLower(text) || strings.ContainsAny(text, "\\ſ\u212a") ||
		strings.ContainsFunc(text, func(c rune) bool { return c < ' ' }) {
		return
	}
	want := request{}
	require.NoError(t, rpc.Bind(nil, &want)) // the defaults
	expected := json.Unmarshal([]byte(text), &want)
	got, err := rpc.Call(
		context.Background(), answer(text), rpc.Method[struct{}, request]{Name: "x", Wire: rpc.Path}, struct{}{},
	)
	if expected != nil {
		require.ErrorIs(t, err, rpc.ErrAnswer, text)
		return
	}
	require.NoError(t, err, text)
	if values {
		require.Equal(t, want, got, text)
	}
}

var answerTexts = []string{
	`{}`, `null`, ` {"name" : "a" } `,
	`{"name":null,"amount":null,"indices":null,"to":null,"maybe":null,"raw":null,"inner":null}`,
	`{"indices":[]}`, `{"indices":[1,2,3,4,5,6,7,8,9]}`, `{"indices":[-1]}`, `{"indices":[1,null,3]}`,
	`{"indices":{}}`, `{"indices":[1.0]}`, `{"indices":[1e1]}`,
	`{"to":[{"amount":1,"address":"x"},{"address":"y"},{}]}`, `{"to":[{"amount":"1"}]}`, `{"to":[1]}`,
	`{"to":[{}`, `{"to":[{}]]}`,
	`{"name":1}`, `{"relay":true}`, `{"relay":1}`, `{"relay":"true"}`, `{"maybe":true}`, `{"maybe":7}`,
	`{"raw":[1, {"a":2}]}`, `{"raw":[}`, `{"unknown":[{"a":"b"}]}`, `{"unknown":[}`,
	`{"major":256}`, `{"major":255}`, `{"offset":-9223372036854775808}`, `{"offset":-9223372036854775809}`,
	`{"ring_size":18446744073709551615}`, `{"ring_size":18446744073709551616}`, `[]`, `5`, ``, `{"name":"a"}x`,
	`{"id":"` + strings.Repeat("ab", 32) + `"}`, `{"id":"` + strings.Repeat("ab", 31) + `"}`, `{"id":5}`,
}

func TestAnswersAsTheStandardLibrary(t *testing.T) {
	for _, text := range answerTexts {
		answersAsJSON(t, text, true)
	}
}

// FuzzAnswer: rpc.Call accepts and refuses the same texts as encoding/json.
func FuzzAnswer(f *testing.F) {
	for _, text := range answerTexts {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) { answersAsJSON(t, text, false) })
}

// TestAnswered: Options.Answered is called once for each request, with its operation and code.
func TestAnswered(t *testing.T) {
	r := rpc.NewRegistry()
	rpc.Handle(r, rpc.Method[struct{}, struct{}]{
		Name:       "a",
		Aliases:    []string{"b"},
		Restricted: true,
	}, func(context.Context, struct{}) (struct{}, error) {
		return struct{}{}, &rpc.Error{Code: -5}
	})
	rpc.Handle(
		r, rpc.Method[struct{}, struct{}]{Name: "p", Wire: rpc.Path},
		func(context.Context, struct{}) (struct{}, error) { return struct{}{}, nil },
	)
	rpc.Handle(r, rpc.Method[struct{}, struct{}]{
		Name: "q.bin", Wire: rpc.Binary,
	}, func(context.Context, struct{}) (struct{}, error) {
		return struct{}{}, errors.New("broken")
	})
	for _, c := range []struct {
		path, body string
		restricted bool
		want       string
	}{
		{"/json_rpc", `{"method":"b"}`, false, "a -5"},
		{"/json_rpc", `{"method":"a"}`, true, "a -32601"},
		{"/json_rpc", `{"method":"c"}`, false, "none -32601"},
		{"/json_rpc", `{"method":7}`, false, "none -32600"},
		{"/json_rpc", ` `, false, "none -32600"},
		{"/json_rpc", `[`, false, "none -32700"},
		{"/p", `{}`, false, "p 0"},
		{"/p", `[]`, false, "p -32700"},
		{"/q.bin", "", false, "q.bin -32700"},
		{"/x", "", false, "none -32601"},
	} {
		var reported []string
		_, _ = r.Serve(t.Context(), c.path, []byte(
			c.body,
		), rpc.Options{Restricted: c.restricted, Answered: func(op *rpc.Operation, code int) {
			name := "none"
			if op != nil {
				name = op.Name
			}
			reported = append(reported, fmt.Sprint(name, " ", code))
		}})
		require.Equal(t, []string{c.want}, reported, "%+v", c)
	}
}

type repeated struct {
	Status string   `json:"status"`
	Texts  []string `json:"texts"`
	Count  uint64   `json:"count"`
}

// repeater is a registry with one operation for each wire. Each returns a list of listed texts.
type repeater struct {
	registry *rpc.Registry
	options  rpc.Options
	listed   int
	asked    []int // sizes for which Room was called during the last request
	full     error // what Room returns
}

const (
	largestAnswer = 1 << 20
	mostListed    = 1 << 17
)

func newRepeater() *repeater {
	texts := make([]string, mostListed)
	for i := range texts {
		texts[i] = strings.Repeat("<", 1<<10)
	}
	p := &repeater{registry: rpc.NewRegistry()}
	h := func(context.Context, struct{}) (repeated, error) {
		return repeated{Status: "OK", Texts: texts[:p.listed], Count: 7}, nil
	}
	rpc.Handle(p.registry, rpc.Method[struct{}, repeated]{Name: "call"}, h)
	rpc.Handle(p.registry, rpc.Method[struct{}, repeated]{Name: "path", Wire: rpc.Path}, h)
	rpc.Handle(p.registry, rpc.Method[struct{}, repeated]{Name: "binary.bin", Wire: rpc.Binary}, h)
	p.options = rpc.Options{MaxAnswer: largestAnswer, Room: func(size int) error {
		p.asked = append(p.asked, size)
		return p.full
	}}
	return p
}

func (p *repeater) request(t *testing.T, wire string) (string, error) {
	t.Helper()
	path, body := "/"+wire, []byte(nil)
	switch wire {
	case "call":
		path, body = "/json_rpc", []byte(`{"id":1,"method":"call"}`)
	case "binary.bin":
		var err error
		body, err = epee.Marshal(struct{}{})
		require.NoError(t, err)
	}
	p.asked = nil
	answer, err := p.registry.Serve(t.Context(), path, body, p.options)
	return string(answer), err
}

var allWires = []string{"call", "path", "binary.bin"}

func TestAnswersAreBounded(t *testing.T) {
	t.Run("too large", checkTooLarge)
	t.Run("exactly the limit", checkLargest)
	t.Run("no room", checkNoRoom)
}

// checkTooLarge repeats a text until the response exceeds the limit. Every wire then returns a short error and
// allocates little memory.
func checkTooLarge(t *testing.T) {
	p := newRepeater()
	p.listed = mostListed
	for _, wire := range allWires {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		answer, err := p.request(t, wire)
		runtime.ReadMemStats(&after)
		require.NoError(t, err)
		require.Contains(t, answer, "larger than 1048576 bytes", wire)
		require.Less(t, len(answer), 300, wire)
		require.Empty(t, p.asked, wire)
		require.Less(t, after.TotalAlloc-before.TotalAlloc, uint64(8*largestAnswer), wire)
	}
	answer, err := p.request(t, "call")
	require.NoError(t, err)
	require.Equal(
		t,
		`{"error":{"code":-32603,"message":"The answer is larger than 1048576 bytes. Request less at once."},`+
			`"id":1,"jsonrpc":"2.0"}`,
		answer,
	)
}

// checkLargest: a response of exactly the limit is sent, and Room is called with its exact size.
func checkLargest(t *testing.T) {
	p := newRepeater()
	for _, wire := range allWires {
		for _, n := range []int{0, 1, 20, 41, 42, 43, 300} {
			p.listed = n
			p.options.MaxAnswer = 0
			whole, err := p.request(t, wire)
			require.NoError(t, err)
			if len(whole) > 256<<10 {
				require.Equal(t, []int{len(whole)}, p.asked, "%s %d", wire, n)
			} else if len(whole) < 256<<10 {
				require.Empty(t, p.asked, "%s %d", wire, n)
			}
			p.options.MaxAnswer = len(whole)
			exact, err := p.request(t, wire)
			require.NoError(t, err)
			require.Equal(t, whole, exact)
			if p.options.MaxAnswer--; n > 0 {
				less, err := p.request(t, wire)
				require.NoError(t, err)
				require.Contains(t, less, "Request less at once", "%s %d", wire, n)
			}
		}
	}
}

// checkNoRoom: a large response fails if Room fails; a small one does not need Room.
func checkNoRoom(t *testing.T) {
	p := newRepeater()
	p.full = errors.New("no room")
	p.options.MaxAnswer = 0
	for _, wire := range allWires {
		p.listed = 300
		_, err := p.request(t, wire)
		require.ErrorIs(t, err, p.full)
		p.listed = 1
		_, err = p.request(t, wire)
		require.NoError(t, err)
	}
}
