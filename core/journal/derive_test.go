package journal

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// TestDeriver: a key is the same wherever it is made, and made here when it cannot be made there.
func TestDeriver(t *testing.T) {
	defer elsewhere.Store(nil)
	salt := [saltSize]byte{1, 2, 3}
	want := WeakestKDF().derive([]byte("password"), salt)
	asked := 0
	SetDeriver(func(k KDF, password, salt []byte, size uint32) []byte {
		switch asked++; asked {
		case 1:
			return k.DeriveKey(password, salt, size)
		case 2:
			return []byte("short")
		}
		return nil
	})
	for range 3 {
		require.Equal(t, want, WeakestKDF().derive([]byte("password"), salt))
	}
	require.Equal(t, 3, asked)
}
