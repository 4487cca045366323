package epee

import (
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"
)

// size appends a length with four bytes.
func size(b []byte, n int) []byte {
	return append(b, byte(n<<2|2), byte(n>>6), byte(n>>14), byte(n>>22))
}

// TestMemoryOfMessages limits the memory for messages that are made to need much of it.
func TestMemoryOfMessages(t *testing.T) {
	array := func(name string, entry byte, elements []byte, n int) []byte {
		b := append([]byte(header), 1<<2, byte(len(name)))
		return append(size(append(append(b, name...), entry|flagArray), n), elements...)
	}
	var fields []byte
	const names = 150_000
	for i := range names {
		fields = append(fields, 3, byte(i), byte(i>>8), byte(i>>16), typeUint8, 0)
	}
	type wide struct {
		A, B, C, D, E, F string
		List             []uint64
	}
	type message struct {
		Objects []wide   `json:"objects"`
		Texts   []string `json:"texts"`
		Numbers []uint64 `json:"numbers"`
		Bools   []bool   `json:"bools"`
	}
	for name, raw := range map[string][]byte{
		"empty objects":         array("objects", typeObject, make([]byte, 190_000), 190_000),
		"empty texts":           array("texts", typeString, make([]byte, 190_000), 190_000),
		"numbers of one byte":   array("numbers", typeUint8, make([]byte, 1<<20), 1<<20),
		"truth values":          array("bools", typeBool, make([]byte, 1<<20), 1<<20),
		"unknown empty objects": array("unknown", typeObject, make([]byte, 190_000), 190_000),
		"unknown fields":        append(size([]byte(header), names), fields...),
		"only a length":         array("numbers", typeUint64, nil, 1<<28),
	} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		err := Unmarshal(raw, new(message))
		runtime.ReadMemStats(&after)
		n := int(after.TotalAlloc - before.TotalAlloc)
		require.Less(t, n, 5*len(raw)+256<<10, "%s: %d bytes for %d", name, n, len(raw))
		if name == "truth values" || name == "unknown empty objects" {
			require.NoError(t, err, name)
		} else {
			require.Error(t, err, name)
		}
	}
	trusted := array("numbers", typeUint8, make([]byte, 1<<20), 1<<20)
	require.NoError(t, UnmarshalTrusted(trusted, new(message)), "trusted data has no memory limit")
}
