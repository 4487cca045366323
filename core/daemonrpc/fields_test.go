package daemonrpc

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"
)

const publishedExample = `{"version":2,"unlock_time":0,"inputs":[{"to_key":{"amount":0,"key_offsets":[5,6],` +
	`"key_image":"0101010101010101010101010101010101010101010101010101010101010101"}}],"outputs":[{"amount":0,` +
	`"to_tagged_key":{"key":"0202020202020202020202020202020202020202020202020202020202020202","view_tag":"ff"}}],` +
	`"extra":"0201","signatures":[],"ringct":{"type":6,"encrypted":[{` +
	`"mask":"0000000000000000000000000000000000000000000000000000000000000000",` +
	`"amount":"0300000000000000000000000000000000000000000000000000000000000000"}],` +
	`"commitments":["0202020202020202020202020202020202020202020202020202020202020202"],"fee":7,` +
	`"prunable":{"range_proofs":[],"bulletproofs":[],"bulletproofs_plus":[],"mlsags":[],"clsags":[],` +
	`"pseudo_outs":["0404040404040404040404040404040404040404040404040404040404040404"]}}}`

// TestPublishedTransactions: a transaction of a message is what its form says, and has the same form again.
func TestPublishedTransactions(t *testing.T) {
	p, err := ParsePublished([]byte(publishedExample))
	require.NoError(t, err)
	require.EqualValues(t, 7, p.RingCT.Fee)
	require.Equal(t, []uint64{5, 6}, p.Inputs[0].KeyOffsets)
	require.Equal(t, byte(255), p.Outputs[0].ViewTag)
	require.Equal(t, []byte{2, 1}, p.Extra)
	require.Len(t, p.RingCT.Prunable.PseudoOuts, 1)
	var form map[string]any
	b, err := json.Marshal(PublishTransaction(p, true))
	require.NoError(t, err)
	again, err := ParsePublished(withLists(t, b))
	require.NoError(t, err)
	require.Equal(t, p.Append(nil), again.Append(nil))
	b, err = json.Marshal(PublishTransaction(p, false))
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(b, &form))
	require.NotContains(t, form, "signatures")
	require.NotContains(t, form["ringct"], "prunable")
}

// withLists replaces null, which stands for empty proofs that no valid transaction has.
func withLists(t *testing.T, b []byte) []byte {
	t.Helper()
	var v map[string]any
	require.NoError(t, json.Unmarshal(b, &v))
	prunable := v["ringct"].(map[string]any)["prunable"].(map[string]any)
	for name, list := range prunable {
		if list == nil {
			prunable[name] = []any{}
		}
	}
	b, err := json.Marshal(v)
	require.NoError(t, err)
	return b
}

// FuzzParsePublished: no form makes decoding panic, and what it describes can be encoded.
func FuzzParsePublished(f *testing.F) {
	f.Add([]byte(publishedExample))
	f.Add([]byte(`{"version":2,"unlock_time":0,"inputs":[{"gen":{"height":5}}],"outputs":[],"extra":"",` +
		`"ringct":{"type":0}}`))
	f.Add([]byte(`{"version":2,"unlock_time":0,"inputs":[{"gen":{"height":5}}],"outputs":[{"amount":1,` +
		`"to_carrot_v1":{"view_tag":"010203","encrypted_janus_anchor":"01010101010101010101010101010101",` +
		`"key":"0202020202020202020202020202020202020202020202020202020202020202"}}],"extra":"",` +
		`"ringct":{"type":0}}`))
	f.Fuzz(func(t *testing.T, raw []byte) {
		if !json.Valid(raw) {
			return
		}
		if p, err := ParsePublished(raw); err == nil {
			p.Append(nil)
			_, err := json.Marshal(PublishTransaction(p, true))
			require.NoError(t, err)
		}
	})
}

// FuzzDecodeFields: no JSON makes decoding panic, and what is decoded is encoded to the same.
func FuzzDecodeFields(f *testing.F) {
	f.Add([]byte(`{"list":[1,2],"hash":"00ff","text":"a","yes":true,"small":-5,"more":{}}`))
	f.Fuzz(func(t *testing.T, raw []byte) {
		if !json.Valid(raw) {
			return
		}
		type fields struct {
			List  []uint64 `json:"list"`
			Hash  [2]byte  `json:"hash"`
			Text  string   `json:"text"`
			Yes   bool     `json:"yes"`
			Small int8     `json:"small"`
			Maybe *uint8   `json:"maybe"`
		}
		var v fields
		if DecodeFields(raw, &v) != nil {
			return
		}
		members, found := Members(raw)
		require.True(t, found)
		var list []uint64
		require.NoError(t, json.Unmarshal(members["list"], &list))
		require.Equal(t, list, v.List)
	})
}
