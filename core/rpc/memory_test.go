package rpc_test

import (
	"context"
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"glim/core/codec/epee"
	"glim/core/rpc"
)

// taken returns the number of bytes that f allocates, garbage included.
func taken(f func()) int {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	return int(after.TotalAlloc - before.TotalAlloc)
}

// factor is the number of bytes that decoding may allocate for each byte of the text, garbage included. Values may use
// four (see perByte). Replacing a byte of invalid UTF-8 needs three, which are allocated before they are counted.
const factor = 5

type listsRequest struct {
	IDs     []string `json:"ids"`
	From    uint64   `json:"from"`
	To      uint64   `json:"to"`
	Numbers []uint64 `json:"numbers"`
}

type listsResponse struct {
	ByNumber []uint64  `json:"by_number" max:"4"`
	ByIDs    []request `json:"by_ids" max:"ids"`
	ByRange  []Inner   `json:"by_range" max:"to-from"`
	Text     string    `json:"text"`
	Free     []request `json:"free"`
	Numbers  []uint64  `json:"numbers"`
	Words    []string  `json:"words"`
	Inner    struct {
		Words []string   `json:"words"`
		Deep  [][]string `json:"deep" epee:"-"`
	} `json:"inner"`
	Bytes []uint8 `json:"-"`
}

var (
	listsPath   = rpc.Method[listsRequest, listsResponse]{Name: "lists", Wire: rpc.Path}
	listsMethod = rpc.Method[listsRequest, listsResponse]{Name: "lists"}
	listsBin    = rpc.Method[listsRequest, listsResponse]{Name: "lists.bin", Wire: rpc.Binary}
)

func many(s string, bytes int) string { return strings.Repeat(s+",", bytes/(len(s)+1)) + s }

// TestAnswersAreBoundedByTheQuestion: a list that is longer than the request allows is refused before memory is
// allocated for it.
func TestAnswersAreBoundedByTheQuestion(t *testing.T) {
	q := listsRequest{IDs: []string{"a", "b"}, From: 5, To: 7}
	good := `{"by_number":[1,2,3,4],"by_ids":[{},{}],"by_range":[{},{},{}],"text":"ten bytes."}`
	for _, m := range []rpc.Method[listsRequest, listsResponse]{listsPath, listsMethod} {
		wrap := func(s string) answer {
			if m.Wire == rpc.JSONRPC {
				s = `{"id":"0","jsonrpc":"2.0","result":` + s + `}`
			}
			return answer(s)
		}
		r, err := rpc.Call(t.Context(), wrap(good), m, q)
		require.NoError(t, err)
		require.Len(t, r.ByNumber, 4)
		require.Len(t, r.ByIDs, 2)
		require.Len(t, r.ByRange, 3)
		for _, list := range []string{
			`"by_number":[1,2,3,4,` + many("1", 1<<20) + `]`, `"by_ids":[` + many("{}", 1<<20) + `]`, `"by_range":[` +
				many("{}", 1<<20) + `]`,
			`"by_number":[1,2,3,4,5]`, `"by_ids":[{},{},{}]`, `"by_range":[{},{},{},{}]`,
		} {
			text := wrap("{" + list + "}")
			n := taken(func() { _, err = rpc.Call(t.Context(), text, m, q) })
			require.ErrorIs(t, err, rpc.ErrAnswer, "%.20s", list)
			require.ErrorContains(t, err, "longer than the request allows", "%.20s", list)
			require.Less(t, n, len(text)+64<<10, "%.20s", list) // the stub copies its answer
		}
	}
	for _, c := range []struct {
		list listsResponse
		good bool
	}{
		{
			listsResponse{
				ByNumber: make([]uint64, 4), ByIDs: make([]request, 2), ByRange: make([]Inner, 3), Text: "ten bytes.",
			},
			true,
		},
		{listsResponse{ByNumber: make([]uint64, 5)}, false},
		{listsResponse{ByIDs: make([]request, 3)}, false},
		{listsResponse{ByRange: make([]Inner, 4)}, false},
	} {
		b, err := epee.Marshal(&c.list)
		require.NoError(t, err)
		_, err = rpc.Call(t.Context(), answer(b), listsBin, q)
		if c.good {
			require.NoError(t, err)
		} else {
			require.ErrorIs(t, err, epee.ErrListTooLong)
		}
	}
}

// TestMemoryOfAnswers decodes answers of a megabyte that are made to use much memory.
func TestMemoryOfAnswers(t *testing.T) {
	const size = 1 << 20
	q := listsRequest{IDs: make([]string, 1<<14), To: 1 << 30}
	for name, text := range map[string]string{
		"empty objects":        `{"free":[` + many("{}", size) + `]}`,
		"as many as asked for": `{"by_ids":[` + many("{}", 3<<14-3) + `]}`,
		"nulls":                `{"free":[` + many("null", size) + `]}`,
		"numbers of one digit": `{"numbers":[` + many("1", size) + `]}`,
		"empty texts":          `{"words":[` + many(`""`, size) + `]}`,
		"objects in objects": `{"free":[` +
			many(`{"to":[{},{},{},{},{},{},{},{},{},{},{},{}],"maybe":true}`, size) + `]}`,
		"empty lists":               `{"inner":{"deep":[` + many("[]", size) + `]}}`,
		"one name a thousand times": `{` + many(`"free":[`+many("{}", 1<<10)+`]`, size) + `}`,
		"one text many times":       `{` + many(`"text":"`+strings.Repeat("\xff", 9)+`"`, size) + `}`,
		"a text that is no UTF-8":   `{"words":["` + strings.Repeat("\xff", size) + `"]}`,
		"a text of escapes":         `{"words":["` + strings.Repeat(`\n`, size/2) + `"]}`,
		"a number of many digits":   `{"numbers":[` + strings.Repeat("1", size) + `]}`,
		"raw values":                `{"free":[` + many(`{"raw":[`+many("1", 1<<10)+`]}`, size) + `]}`,
		"unknown members":           `{` + many(`"unknown":[{},{},[[[]]]]`, size) + `}`,
		"unknown names":             `{` + many(`"\u0061`+strings.Repeat("b", 1000)+`":1`, size) + `}`,
		"nested deeply": `{"unknown":[` + many(strings.Repeat("[", 9000)+strings.Repeat("]", 9000), size) +
			`]}`,
		"a long status": `{"text":"` + strings.Repeat("x", size) + `"}`,
		"cut off":       `{"free":[` + many("{}", size),
	} {
		for _, m := range []rpc.Method[listsRequest, listsResponse]{listsPath, listsMethod} {
			body := answer(text)
			if m.Wire == rpc.JSONRPC {
				body = answer(`{"result":` + text + `}`)
			}
			asked := taken(func() { _, _ = rpc.Call(context.Background(), answer("{}"), m, q) })
			n := taken(func() { _, _ = rpc.Call(context.Background(), body, m, q) }) - asked - len(body)
			require.Less(t, n, factor*len(body)+256<<10, "%s: %d bytes for %d", name, n, len(body))
		}
	}
	stated := answer(`{"error":{"code":-1,"message":"` + strings.Repeat("\xff", size) + `"}}`)
	require.Less(
		t, taken(func() { _, _ = rpc.Call(context.Background(), stated, listsMethod, listsRequest{}) }),
		(factor+1)*len(stated)+256<<10,
	)
}

// TestMemoryOfRequests sends requests of a megabyte that are made to use much memory, over each wire.
func TestMemoryOfRequests(t *testing.T) {
	const size = 1 << 20
	r := registry()
	for name, text := range map[string]string{
		"empty objects":             `{"to":[` + many("{}", size) + `]}`,
		"fewer empty objects":       `{"to":[` + many("{}", rpc.MaxListed) + `]}`,
		"nulls":                     `{"to":[` + many("null", size) + `]}`,
		"numbers":                   `{"indices":[` + many("1", size) + `]}`,
		"a list for parameters":     `[` + many("{}", size) + `]`,
		"a list of empty lists":     `[` + many("[]", size) + `]`,
		"one name a thousand times": `{` + many(`"to":[`+many("{}", 1<<10)+`]`, size) + `}`,
		"unknown members":           `{` + many(`"unknown":[{},{},[[[]]]]`, size) + `}`,
		"a text that is no UTF-8":   `{"to":[{"address":"` + strings.Repeat("\xff", size) + `"}]}`,
		"a number in quotes":        `{"amount":"` + strings.Repeat("1", size) + `"}`,
		"raw values":                `{"raw":[` + many("1", size) + `]}`,
		"nested deeply": `{"unknown":[` + many(strings.Repeat("[", 9000)+strings.Repeat("]", 9000), size) +
			`]}`,
	} {
		for path, body := range map[string]string{
			"/path":     text,
			"/json_rpc": `{"id":1,"method":"echo","params":` + text + `}`,
		} {
			b := []byte(body)
			n := taken(func() { _, _ = r.Serve(t.Context(), path, b, rpc.Options{}) })
			require.Less(t, n, factor*len(body)+256<<10, "%s, %s: %d bytes for %d", path, name, n, len(body))
		}
	}
	for _, body := range []string{
		many(
			`{"method":"echo"}`, size,
		), `[` + many(`{"method":"echo"}`, size) + `]`, `{"method":"` + strings.Repeat("\xff", size) + `"}`,
		`{` + many(`"method":"echo"`, size) + `}`, `{` + many(`"params":[]`, size) + `}`,
	} {
		b := []byte(body)
		n := taken(func() { _, _ = r.Serve(t.Context(), "/json_rpc", b, rpc.Options{}) })
		require.Less(t, n, factor*len(body)+256<<10, "%.20s: %d bytes for %d", body, n, len(body))
	}
	bin, err := epee.Marshal(&request{Indices: make([]uint32, rpc.MaxListed+1)})
	require.NoError(t, err)
	_, err = r.Serve(t.Context(), "/binary.bin", bin, rpc.Options{})
	require.ErrorIs(t, err, epee.ErrListTooLong)
}

// TestLongListsAreNotRead: a list that is too long is refused without reading the rest of the text, which is not JSON.
func TestLongListsAreNotRead(t *testing.T) {
	_, err := rpc.Call(t.Context(), answer(`{"by_number":[1,2,3,4,5,?`), listsPath, listsRequest{})
	require.ErrorContains(t, err, "longer than the request allows")
	var v request
	err = rpc.Bind(fmt.Appendf(nil, `{"to":[%s]}`, many("{}", 3*rpc.MaxListed)), &v)
	require.ErrorIs(t, err, rpc.ErrParams)
	require.ErrorContains(t, err, "131072")
}
