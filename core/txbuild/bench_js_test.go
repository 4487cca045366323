//go:build js && wasm

package txbuild

import (
	"testing"

	"github.com/stretchr/testify/require"

	"glim/wasm/kernel"
)

// BenchmarkConstructWithKernel is BenchmarkConstruct in a browser, with the host's vector instructions for sums.
func BenchmarkConstructWithKernel(b *testing.B) {
	require.NoError(b, kernel.Start(true))
	BenchmarkConstruct(b)
}
