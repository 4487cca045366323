package node

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"glim/core/daemonrpc"
)

// answerTo returns the result of a message, or its error as "kind: message".
func answerTo(
	t *testing.T, n *Regtest, restricted bool, method, params string,
) (result map[string]any, failure string) {
	t.Helper()
	var r struct {
		Jsonrpc string
		ID      any
		Result  map[string]any
		Error   *struct {
			Code    int
			Kind    string `json:"error_str"`
			Message string
		}
	}
	request := `{"jsonrpc":"2.0","id":"x","method":"` + method + `","params":` + params + `}`
	require.NoError(t, json.Unmarshal(n.Answer(context.Background(), []byte(request), restricted), &r))
	require.Equal(t, "2.0", r.Jsonrpc)
	if r.Error == nil {
		require.Equal(t, "x", r.ID)
		require.EqualValues(t, messageVersion, r.Result["rpc_version"])
		return r.Result, ""
	}
	require.Equal(t, 1, r.Error.Code)
	return nil, r.Error.Kind + ": " + r.Error.Message
}

// TestMessages checks answers, errors and the refusals of restricted callers. TestMessagesEqual compares them with the
// reference's.
func TestMessages(t *testing.T) {
	n, _ := newTest(t)
	r, _ := answerTo(t, n, false, "get_height", `null`)
	require.EqualValues(t, 1, r["height"])
	for _, c := range []struct{ method, params, want string }{
		{"get_block_hash", `[]`, "Malformed json: Json value has incorrect type, expected: json object"},
		{"get_block_hash", `{"height":5}`, "Failed: height given is higher than current chain height"},
		{"get_block_hash", `{"height":"5"}`,
			"Malformed json: Json value has incorrect type, expected: unsigned integer"},
		{"get_block_hash", `{}`, `Malformed json: Key "height" missing from object.`},
		{"get_block_headers_by_height", `{"heights":{}}`,
			"Malformed json: Json value has incorrect type, expected: json array"},
		{"key_images_spent", `{"key_images":["5"]}`,
			"Malformed json: An item failed to convert from json object to native object"},
		{"get_peer_list", `{}`, "Failed: RPC method not yet implemented."},
		{"get_bans", `{}`, `Invalid request type: "get_bans" is not a valid request.`},
	} {
		_, failure := answerTo(t, n, false, c.method, c.params)
		require.Equal(t, c.want, failure)
	}
	for method := range refusedToRestricted {
		_, failure := answerTo(t, n, true, method, `{}`)
		require.Equal(t, `Failed: "`+method+`" is not available in restricted mode.`, failure)
	}
	_, failure := answerTo(t, n, false, "save_bc", `{}`)
	require.Empty(t, failure)
}

// TestEveryMessageTakesAnyParameters checks that no parameters make an operation panic.
func TestEveryMessageTakesAnyParameters(t *testing.T) {
	n, _ := newTest(t)
	odd := []string{`null`, `[]`, `""`, `5`, `{}`, `true`, `[[]]`, `{"tx":{"inputs":[{}],"outputs":[{}]}}`}
	hash := `"` + strings.Repeat("0", 64) + `"`
	for _, v := range []string{`null`, `{}`, `[]`, `[null]`, `[{}]`, `"5"`, `-1`, `1e3`, `true`, hash} {
		var members []string
		for _, name := range []string{
			"height", "heights", "hash", "block_ids", "start_height", "prune", "known_hashes", "tx_hashes", "tx_hash",
			"key_images", "tx", "tx_as_hex", "relay", "miner_address", "version", "amounts", "outputs", "level",
			"num_grace_blocks",
		} {
			members = append(members, `"`+name+`":`+v)
		}
		odd = append(odd, "{"+strings.Join(members, ",")+"}")
	}
	for method := range messages {
		for _, params := range odd {
			answerTo(t, n, false, method, params)
		}
	}
}

// FuzzMessage: every message gets an answer that is JSON.
func FuzzMessage(f *testing.F) {
	f.Add([]byte(`{"jsonrpc":"2.0","id":1,"method":"get_info","params":{}}`))
	f.Add([]byte(`{"jsonrpc":"2.0","id":1,"method":"send_raw_tx","params":{"tx":{"version":2,"unlock_time":0,` +
		`"inputs":[{"gen":{"height":5}}],"outputs":[],"extra":"","ringct":{"type":0}},"relay":true}}`))
	n, _ := newTest(f)
	f.Fuzz(func(t *testing.T, request []byte) {
		require.True(t, json.Valid(n.Answer(context.Background(), request, false)))
	})
}

// TestFieldsOfMessages checks what DecodeFields accepts beyond the operations' own fields.
func TestFieldsOfMessages(t *testing.T) {
	type fields struct {
		Small int8            `json:"small"`
		Text  string          `json:"text"`
		Bytes []byte          `json:"bytes"`
		Maybe *uint64         `json:"maybe"`
		Any   json.RawMessage `json:"any"`
		None  int             `json:"-"`
	}
	var f fields
	raw := `{"small":-128,"text":"a\u0000b","bytes":"00ff","any":[1, 2],"small":3,"more":5,"-":4}`
	require.NoError(t, daemonrpc.DecodeFields([]byte(raw), &f))
	require.Equal(t, fields{Small: -128, Text: "a", Bytes: []byte{0, 255}, Any: json.RawMessage(`[1, 2]`)}, f)
	for raw, want := range map[string]string{
		`{"small":-129}`:                          "Json value has incorrect type, expected: numeric underflow",
		`{"small":128}`:                           "Json value has incorrect type, expected: numeric overflow",
		`{"small":2147483648}`:                    "Json value has incorrect type, expected: integer",
		`{"small":1,"text":5}`:                    "Json value has incorrect type, expected: string",
		`{"small":1,"text":"","bytes":"5"}`:       "An item failed to convert from json object to native object",
		`{"small":1,"text":"","bytes":""}`:        `Key "any" missing from object.`,
		`{"small":1,"text":"","bytes":"","any":5`: "Json value has incorrect type, expected: json object",
	} {
		require.EqualError(t, daemonrpc.DecodeFields([]byte(raw), &f), want)
	}
}
