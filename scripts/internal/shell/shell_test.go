package shell

import (
	"os/exec"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestQuote: a shell reads the words again.
func TestQuote(t *testing.T) {
	sh, err := exec.LookPath("sh")
	if err != nil {
		t.Log("this system has no POSIX shell")
		return
	}
	out, err := exec.Command(sh, "-c", `printf '%s|' `+Quote("a b", "it's", "$HOME", `\`, "")).Output()
	require.NoError(t, err)
	require.Equal(t, `a b|it's|$HOME|\||`, string(out))
}
