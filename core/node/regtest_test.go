package node

import (
	"bytes"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"glim/core/chain"
)

// records is a store in memory.
type records map[string][]byte

func (r records) Load(visit func(key, value []byte) error) error {
	keys := make([]string, 0, len(r))
	for key := range r {
		keys = append(keys, key)
	}
	slices.Sort(keys)
	for _, key := range keys {
		if err := visit([]byte(key), r[key]); err != nil {
			return err
		}
	}
	return nil
}

func (r records) Commit(put []chain.Record, drop [][]byte) error {
	for _, one := range put {
		r[string(one.Key)] = bytes.Clone(one.Value)
	}
	for _, key := range drop {
		delete(r, string(key))
	}
	return nil
}

// TestOpenRegtest checks that a private chain continues from its store, also after blocks were removed.
func TestOpenRegtest(t *testing.T) {
	c, kept := &clock{1_700_000_000}, records{}
	open := func() *Regtest {
		r, err := OpenRegtest(c.read, &zeros{}, kept)
		require.NoError(t, err)
		return r
	}
	first := open()
	ids, err := first.Mine(t.Context(), 5, UnspendableAddress())
	require.NoError(t, err)
	replaced, err := first.Reorganise(t.Context(), 2, UnspendableAddress())
	require.NoError(t, err)

	second := open()
	require.EqualValues(t, 7, second.Height())
	for height, id := range append(ids[:3:3], replaced...) {
		second.chain.View(func(v chain.View) { require.Equal(t, id, v.Block(uint64(height)+1).ID) })
	}
	_, err = second.Mine(t.Context(), 1, UnspendableAddress())
	require.NoError(t, err)
	require.EqualValues(t, 8, open().Height())
}
