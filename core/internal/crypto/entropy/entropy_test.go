package entropy_test

import (
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/require"

	"glim/core/internal/crypto/entropy"
)

func TestSource(t *testing.T) {
	wrong, broken := errors.New("the proof is wrong"), errors.New("the source broke")
	working := entropy.New(strings.NewReader("bytes"))
	b := make([]byte, 5)
	_, err := io.ReadFull(working, b)
	require.NoError(t, err)
	require.Equal(t, "bytes", string(b))
	require.Equal(t, wrong, working.Or(wrong))

	failing := entropy.New(iotest.ErrReader(broken))
	require.Equal(t, wrong, failing.Or(wrong), "before it has failed")
	_, err = io.ReadFull(failing, b)
	require.Equal(t, broken, err)
	require.Equal(t, broken, failing.Or(wrong))
}
