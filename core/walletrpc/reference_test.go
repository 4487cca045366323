package walletrpc

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"glim/core/rpc"
)

type referenceFile struct {
	Source string          `json:"source"`
	Method string          `json:"method"`
	Cases  []referenceCase `json:"cases"`
}

type referenceCase struct {
	Scenario string          `json:"scenario"`
	Params   json.RawMessage `json:"params"`
	Result   json.RawMessage `json:"result"`
	Error    *rpc.Error      `json:"error"`
}

// What the real program answered must fit the response types without a member left over, and writing it again must
// give the same members with the same values.
func TestReferenceAnswersFitTheTypes(t *testing.T) {
	methods := map[string]Info{}
	for _, m := range Methods() {
		methods[m.Name] = m
	}
	names, err := filepath.Glob("testdata/reference/*.json")
	require.NoError(t, err)
	require.Len(t, names, 26)
	results := 0
	for _, name := range names {
		text, err := os.ReadFile(name)
		require.NoError(t, err)
		var file referenceFile
		require.NoError(t, strict(text, &file), name)
		require.NotEmpty(t, file.Source, name)
		require.Equal(t, file.Method+".json", filepath.Base(name))
		m, ok := methods[file.Method]
		require.True(t, ok, file.Method)
		for _, c := range file.Cases {
			t.Run(file.Method+"/"+strings.ReplaceAll(c.Scenario, " ", "_"), func(t *testing.T) {
				require.NoError(t, rpc.Bind(c.Params, reflect.New(m.Request).Interface()))
				requireMembers(t, m.Request, c.Params)
				if c.Error != nil {
					require.Nil(t, c.Result)
					require.NotEmpty(t, c.Error.Message)
					return
				}
				v := reflect.New(m.Response)
				require.NoError(t, strict(c.Result, v.Interface()))
				again, err := rpc.Encode(v.Interface())
				require.NoError(t, err)
				require.Equal(t, plain(t, c.Result), plain(t, again))
			})
			if c.Error == nil {
				results++
			}
		}
	}
	require.Greater(t, results, 80)
}

// Fixed texts are what the real program says wherever it fails with that code.
func TestFixedTextsAreTheReferences(t *testing.T) {
	names, err := filepath.Glob("testdata/reference/*.json")
	require.NoError(t, err)
	checked := map[int]bool{}
	for _, name := range names {
		text, err := os.ReadFile(name)
		require.NoError(t, err)
		var file referenceFile
		require.NoError(t, strict(text, &file))
		for _, c := range file.Cases {
			if c.Error != nil && Text(c.Error.Code) != "" {
				require.Equal(t, c.Error.Message, Text(c.Error.Code), "%s: %s", file.Method, c.Scenario)
				checked[c.Error.Code] = true
			}
		}
	}
	require.Equal(t, map[int]bool{CodeTransferType: true, CodeNotOpen: true,
		CodeWalletAlreadyExists: true}, checked)
}

func strict(text []byte, v any) error {
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	return d.Decode(v)
}

// plain reads JSON with its numbers as they are written.
func plain(t *testing.T, text []byte) any {
	t.Helper()
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	var v any
	require.NoError(t, d.Decode(&v))
	return v
}

// requireMembers wants every member of params among the request's; their types are the scenario's business.
func requireMembers(t *testing.T, request reflect.Type, params []byte) {
	t.Helper()
	if len(params) == 0 {
		return
	}
	var members map[string]json.RawMessage
	require.NoError(t, json.Unmarshal(params, &members))
	known := map[string]bool{}
	for f := range request.Fields() {
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		known[name] = true
	}
	for name := range members {
		require.True(t, known[name], name)
	}
}
