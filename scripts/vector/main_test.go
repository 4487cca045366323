package main

import (
	"bytes"
	"os"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestWritten: the file is what this program writes.
func TestWritten(t *testing.T) {
	file, err := os.ReadFile("../../core/crypto/edwards/vector_amd64.s")
	require.NoError(t, err)
	require.True(t, bytes.Equal(write(), file), "go run ./scripts/vector core/crypto/edwards/vector_amd64.s")
}
