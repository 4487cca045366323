package main

import (
	"encoding/json"
	"os"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestVersion: the command and the packages for npm are of one release.
func TestVersion(t *testing.T) {
	require.Contains(t, version(), "glim "+release+" (")
	for _, name := range []string{"sdk", "wallet", "extension"} {
		text, err := os.ReadFile("../../web/" + name + "/package.json")
		require.NoError(t, err)
		var p struct{ Version string }
		require.NoError(t, json.Unmarshal(text, &p))
		require.Equal(t, release, p.Version, name)
	}
}
