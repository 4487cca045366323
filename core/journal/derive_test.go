package journal

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// TestDeriver checks that a Deriver is used, and that keys are derived locally if it fails.
func TestDeriver(t *testing.T) {
	defer deriver.Store(nil)
	salt := [saltSize]byte{1, 2, 3}
	want := WeakestKDF().derive([]byte("password"), salt)
	calls := 0
	SetDeriver(func(k KDF, password, salt []byte, size uint32) []byte {
		switch calls++; calls {
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
	require.Equal(t, 3, calls)
}
