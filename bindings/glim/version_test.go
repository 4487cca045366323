package main

import (
	"encoding/json"
	"os"
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestVersion checks that the command, the npm packages and the changelog have the same version.
func TestVersion(t *testing.T) {
	require.Contains(t, version(), "glim "+release+" (")
	changes, err := os.ReadFile("../../core/CHANGELOG.md")
	require.NoError(t, err)
	first := regexp.MustCompile(`(?m)^## \[([0-9][^]]*)\] - \d{4}-\d\d-\d\d$`).FindSubmatch(changes)
	require.NotNil(t, first)
	require.Equal(t, release, string(first[1]))
	for _, name := range []string{"sdk", "wallet", "extension"} {
		text, err := os.ReadFile("../../web/" + name + "/package.json")
		require.NoError(t, err)
		var p struct{ Version string }
		require.NoError(t, json.Unmarshal(text, &p))
		require.Equal(t, release, p.Version, name)
	}
}
