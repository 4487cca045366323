//go:build js && wasm

package build

import (
	"testing"

	"github.com/stretchr/testify/require"

	"glim/wasm/kernel"
)

// BenchmarkConstructWithKernel is BenchmarkConstruct in a browser: sums are made by the vectors of the host.
func BenchmarkConstructWithKernel(b *testing.B) {
	require.NoError(b, kernel.Start(true))
	BenchmarkConstruct(b)
}
