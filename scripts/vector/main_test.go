package main

import (
	"bytes"
	"os"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestWritten: the files are up to date.
func TestWritten(t *testing.T) {
	for name, content := range map[string][]byte{"edwards": write(), "keccak": writeKeccak()} {
		file, err := os.ReadFile("../../core/crypto/" + name + "/vector_amd64.s")
		require.NoError(t, err)
		require.True(t, bytes.Equal(content, file), "make gen, %s", name)
	}
}
