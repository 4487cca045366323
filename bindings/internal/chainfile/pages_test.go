package chainfile

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"glim/core/chain"
)

// TestCyclicPagesAreRejected checks that a file whose pages form a cycle is rejected.
func TestCyclicPagesAreRejected(t *testing.T) {
	folder := t.TempDir()
	f := open(t, folder, false)
	var put []chain.Record
	for i := range 2000 {
		put = append(put, chain.Record{Key: fmt.Appendf(nil, "%06d", i), Value: make([]byte, 100)})
	}
	require.NoError(t, f.Commit(put, nil))
	size := f.db.Info().PageSize
	require.NoError(t, f.Close())
	path := filepath.Join(folder, Name)
	content, err := os.ReadFile(path)
	require.NoError(t, err)
	circles := 0
	for _, name := range []string{
		"to the branch itself", "to the same leaf", "to the beginning", "beyond the end", "from the root",
	} {
		damaged := bytes.Clone(content)
		for at := 2 * size; at+size <= len(damaged); at += size {
			page := damaged[at : at+size]
			id, kind := uint64(at/size), binary.LittleEndian.Uint16(page[8:])
			first, second := page[pageHead+8:], page[pageHead+branchElement+8:]
			branch := kind == branchPage && binary.LittleEndian.Uint64(page) == id
			switch {
			case name == "from the root" && kind == leafPage && bytes.Contains(page, []byte(Chain.bucket)):
				binary.LittleEndian.PutUint16(page[8:], branchPage)
				binary.LittleEndian.PutUint16(page[10:], 1)
				binary.LittleEndian.PutUint64(first, id)
			case !branch:
				continue
			case name == "to the branch itself":
				binary.LittleEndian.PutUint64(second, id)
			case name == "to the same leaf":
				copy(second[:8], first)
			case name == "to the beginning":
				binary.LittleEndian.PutUint64(first, 0)
			case name == "beyond the end":
				binary.LittleEndian.PutUint64(first, 1<<40)
			default:
				continue
			}
			circles++
		}
		require.NotEqual(t, content, damaged, name)
		require.NoError(t, os.WriteFile(path, damaged, 0o600))
		_, err := Open(folder, false)
		require.ErrorIs(t, err, ErrForeign, name)
		require.ErrorIs(t, err, ErrDamaged, name)
		left, err := os.ReadFile(path)
		require.NoError(t, err)
		require.True(t, bytes.Equal(damaged, left), "the file is untouched")
	}
	require.GreaterOrEqual(t, circles, 5)
	require.NoError(t, os.WriteFile(path, content, 0o600))
	f = open(t, folder, false)
	require.Len(t, records(t, f), 2000)
	require.NoError(t, f.Close())
}
