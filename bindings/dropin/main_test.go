package main

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func lines(t *testing.T, text string) []line {
	t.Helper()
	all, err := read(strings.NewReader(text), false)
	require.NoError(t, err)
	return all
}

// TestCompare: a run passes only with equal steps, equal answers and every intended difference.
func TestCompare(t *testing.T) {
	known := map[string]string{"c": "why"}
	want := lines(t, `{"step":"a","answer":1}
{"step":"b","refused":{"code":-1}}
{"step":"c","answer":2}`)
	for text, passes := range map[string]bool{
		`{"step":"a","answer":1}
{"step":"b","refused":{"code":-1}}
{"step":"c","answer":3}`: true,
		`{"step":"a","answer":2}
{"step":"b","refused":{"code":-1}}
{"step":"c","answer":3}`: false,
		`{"step":"a","answer":1}
{"step":"b","answer":{"code":-1}}
{"step":"c","answer":3}`: false,
		`{"step":"a","answer":1}
{"step":"b","refused":{"code":-1}}
{"step":"c","answer":2}`: false, // the intended difference is missing
		`{"step":"a","answer":1}
{"step":"b","refused":{"code":-1}}`: false,
	} {
		_, err := compare(want, lines(t, text), known)
		require.Equal(t, passes, err == nil, "%s: %v", text, err)
	}
	_, err := compare(want[:2], want[:2], known)
	require.Error(t, err, "an intended difference without a step")
	_, err = read(strings.NewReader("no line"), false)
	require.Error(t, err)
}
