package epee

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// stable requires that a decoded value has an encoding that decodes to the same value.
func stable[T any](t *testing.T, raw []byte) {
	var first, second T
	if Unmarshal(raw, &first) != nil {
		return
	}
	require.NoError(t, Unmarshal(raw, new(struct{})), "skipping must accept what decoding accepts")
	once, err := Marshal(&first)
	require.NoError(t, err)
	require.NoError(t, Unmarshal(once, &second))
	twice, err := Marshal(&second)
	require.NoError(t, err)
	require.Equal(t, once, twice)
}

func FuzzUnmarshal(f *testing.F) {
	for _, name := range []string{"get_blocks_pruned0", "get_blocks_pruned1", "get_outs", "get_output_distribution"} {
		request, response := golden(f, name)
		f.Add(request)
		f.Add(response)
	}
	n := uint32(3)
	raw, err := Marshal(zoo{
		Object: Leaf{Name: "a"}, Texts: []string{"", "b"}, Hashes: make([]hash, 2), Nums: []uint64{1},
		Small: []int8{-1}, Bools: []bool{true}, Floats: []float64{1.5}, Objects: make([]Leaf, 2),
		IDs: make([]hash, 1), Counts: []uint64{2}, Records: make([]record, 2), Maybe: new(Leaf), MaybeN: &n,
	})
	require.NoError(f, err)
	f.Add(raw)
	f.Fuzz(func(t *testing.T, raw []byte) {
		stable[zoo](t, raw)
		stable[getBlocksRequest](t, raw)
		stable[getBlocksResponse](t, raw)
		stable[getOutsResponse](t, raw)
		stable[distributionResponse](t, raw)
		var outs getOutsResponse
		if UnmarshalLimited(raw, &outs, func(string) int { return 2 }) == nil {
			require.LessOrEqual(t, len(outs.Outs), 2)
		}
	})
}
