package jsontext_test

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"glim/core/codec/jsontext"
)

// texts are inputs for tests, and seeds for fuzzing.
var texts = []string{
	"", " ", "null", " true ", "false", "nul", "truex", "0", "-0", "01", "-", "1.5e-7", "1.", ".5", "1e",
	"1E+5", "+1", "0x1", "1 2", `""`, `"a"`, `"\u00e9\n\/\b\f\t\r\"\\"`, `"\ud83d\ude00 \ud83d \ude00\ud83d"`,
	`"\ud83d\u0041"`, `"\x"`, `"\u12g4"`, `"\u12`, "\"\x01\"", "\"\xff\"", `"`, `"\`, `{}`, `{ }`,
	`{"a":1,"b":[1,2,{"c":null}],"a":"again"}`, `{"a"}`, `{"a":}`, `{"a":1,}`, `{,}`, `{a:1}`, `{"a":1 "b":2}`,
	`{"\u0061":[]}`, `{"a":1}}`, `[]`, `[ ]`, `[1,2]`, `[1,]`, `[,1]`, `[1 2]`, `[`, `[[[]]`, `[[],{},"",0]`,
	`[}`, `{]`, "\t[\n1\r,2 ] \n", "\v1", "\u00a01",
}

// agree compares all functions of this package with encoding/json.
func agree(t *testing.T, b []byte) {
	t.Helper()
	valid := json.Valid(b)
	require.Equal(t, valid, jsontext.Valid(b), "%q", b)

	var s *string
	wantString := json.Unmarshal(b, &s) == nil && s != nil
	got, ok := jsontext.String(b)
	require.Equal(t, wantString, ok, "%q", b)
	if ok {
		require.Equal(t, *s, got, "%q", b)
		quoted, err := json.Marshal(got)
		require.NoError(t, err)
		require.Equal(t, string(quoted), string(jsontext.AppendString(nil, got)))
	}

	var list []json.RawMessage
	var elements []string
	err := jsontext.Array(b, func(v []byte) error {
		require.True(t, jsontext.Valid(v))
		elements = append(elements, string(v))
		return nil
	})
	if json.Unmarshal(b, &list) == nil && list != nil {
		require.NoError(t, err, "%q", b)
		require.Len(t, elements, len(list))
		for i, raw := range list {
			require.Equal(t, string(raw), elements[i])
		}
	} else {
		require.ErrorIs(t, err, jsontext.ErrSyntax, "%q", b)
	}

	var object map[string]json.RawMessage
	members := map[string]string{}
	err = jsontext.Object(b, func(name, v []byte) error {
		require.True(t, jsontext.Valid(v))
		members[string(name)] = string(v)
		return nil
	})
	if json.Unmarshal(b, &object) == nil && object != nil {
		require.NoError(t, err, "%q", b)
		require.Len(t, members, len(object))
		for name, raw := range object {
			require.Equal(t, string(raw), members[name], name)
		}
	} else {
		require.ErrorIs(t, err, jsontext.ErrSyntax, "%q", b)
	}
}

// TestEqualsEncodingJSON compares with encoding/json, also at the limit of depth.
func TestEqualsEncodingJSON(t *testing.T) {
	for _, s := range texts {
		agree(t, []byte(s))
	}
	for _, depth := range []int{jsontext.MaxDepth - 1, jsontext.MaxDepth, jsontext.MaxDepth + 1} {
		for _, s := range []string{
			strings.Repeat("[", depth) + strings.Repeat("]", depth),
			strings.Repeat(`{"a":`, depth) + "1" + strings.Repeat("}", depth),
		} {
			require.Equal(t, json.Valid([]byte(s)), jsontext.Valid([]byte(s)), depth)
		}
	}
}

// TestCallbackErrors: an error of a callback ends the iteration.
func TestCallbackErrors(t *testing.T) {
	enough := errors.New("enough")
	n := 0
	require.ErrorIs(t, jsontext.Array([]byte("[1,2,3,x"), func([]byte) error { n++; return enough }), enough)
	require.ErrorIs(t, jsontext.Object([]byte(`{"a":1,x`), func(_, _ []byte) error { n++; return enough }), enough)
	require.Equal(t, 2, n)
}

// TestStrings quotes and reads strings with every byte and many characters.
func TestStrings(t *testing.T) {
	for c := range 256 {
		one := string([]byte{byte(c)})
		for _, s := range []string{one, "a" + one + "z", string(rune(c)), string(rune(0x2000 + c))} {
			want, err := json.Marshal(s)
			require.NoError(t, err)
			require.Equal(t, string(want), string(jsontext.AppendString(nil, s)))
			agree(t, want)
		}
	}
}

// FuzzJSON compares with encoding/json for arbitrary texts.
func FuzzJSON(f *testing.F) {
	for _, s := range texts {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, b []byte) { agree(t, b) })
}
