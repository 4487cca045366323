package smallfmt_test

import (
	"encoding/hex"
	"errors"
	"fmt"
	"math"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"glim/core/smallfmt"
)

type (
	number uint8
	name   string
	named  struct{}
)

func (named) String() string { return "named" }

func TestAsFmt(t *testing.T) {
	failed := errors.New("failed")
	for format, args := range map[string][]any{
		"nothing at all, 100%%": nil,
		"%s, %v, %q":            {"text", "text", "a \"text\"\n"},
		"%s|%s":                 {[]byte("bytes"), name("a name")},
		"%v %v %d":              {number(7), name("n"), number(8)},
		"%d %v %d %d":           {-1, int64(math.MinInt64), uint64(math.MaxUint64), int8(-128)},
		"%08x %x %012d %05d":    {uint32(0xbeef), 255, uint64(42), -42},
		"%t %v":                 {true, false},
		"%v %s %q":              {failed, failed, failed},
		"%v %s":                 {named{}, named{}},
		"%v %v":                 {time.Minute, []string{"a", "b"}},
		"%v, %v, %d":            {[]byte{1, 2}, []uint64{1, 2}, []int{3}},
		"%v":                    {nil},
		"%d":                    {time.Second},
		"%d and %s":             {1},
		"%T, %T":                {struct{ A int }{}, named{}},
		"half %":                nil,
	} {
		require.Equal(t, fmt.Sprintf(format, args...), smallfmt.Sprintf(format, args...), format)
	}
	wrong := "%d" // a variable, because go vet refuses such a literal
	require.Equal(t, "%!d(string)", smallfmt.Sprintf(wrong, "text"))
	require.Equal(t, "[1 2]", smallfmt.Sprintf("%v", []int{1, 2}))
}

func TestErrors(t *testing.T) {
	a, b := errors.New("a"), errors.New("b")
	err := smallfmt.Errorf("%w: record %d", a, 3)
	require.Equal(t, fmt.Errorf("%w: record %d", a, 3).Error(), err.Error())
	require.ErrorIs(t, err, a)
	require.Equal(t, a, errors.Unwrap(err))
	err = smallfmt.Errorf("%w: %w: %v", a, b, errors.New("c"))
	require.EqualError(t, err, "a: b: c")
	require.ErrorIs(t, err, a)
	require.ErrorIs(t, err, b)
	require.NoError(t, errors.Unwrap(err))
	require.NoError(t, errors.Unwrap(smallfmt.Errorf("nothing inside %v", a)))
}

func TestHex(t *testing.T) {
	for c := range 256 {
		for _, text := range [][]byte{{byte(c), '0'}, {'f', byte(c)}, {'F', 'e', byte(c)}} {
			want, failed := hex.DecodeString(string(text))
			got, err := smallfmt.Unhex(text)
			if failed != nil {
				require.ErrorIs(t, err, smallfmt.ErrHex)
				require.Nil(t, got)
				continue
			}
			require.NoError(t, err)
			require.Equal(t, want, got)
		}
	}
	got, err := smallfmt.Unhex("")
	require.NoError(t, err)
	require.Empty(t, got)
}

func FuzzSprintf(f *testing.F) {
	f.Add("%s: %d %x", "text", int64(-3), uint64(7))
	f.Add("%08d%%%q%v", "\xff", int64(math.MinInt64), uint64(math.MaxUint64))
	f.Fuzz(func(t *testing.T, format, text string, n int64, u uint64) {
		smallfmt.Sprintf(format, text, n, u) // must not panic for any format
		const verbs = "%s|%q|%v|%d|%x|%020d"
		require.Equal(t, fmt.Sprintf(verbs, text, text, text, n, u, u),
			smallfmt.Sprintf(verbs, text, text, text, n, u, u))
		want, failed := hex.DecodeString(text)
		got, err := smallfmt.Unhex(text)
		require.Equal(t, failed == nil, err == nil)
		if err == nil {
			require.Equal(t, want, got)
		}
	})
}
