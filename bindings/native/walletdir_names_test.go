package native

import (
	"testing"

	"github.com/stretchr/testify/require"

	"glim/core/service"
)

// TestNamesOfOtherFiles checks that no wallet can have the name of another wallet's auxiliary file, which would
// prevent opening that wallet.
func TestNamesOfOtherFiles(t *testing.T) {
	d := WalletDir(t.TempDir())
	st, err := d.Create("savings")
	require.NoError(t, err)
	require.NoError(t, st.Close())
	for _, name := range []string{"savings.keys", "savings.KEYS", "savings.glim", "other.Glim"} {
		_, err := d.Create(name)
		require.ErrorIs(t, err, service.ErrName, name)
	}
	st, err = d.Open("savings")
	require.NoError(t, err)
	require.NoError(t, st.Close())
}
