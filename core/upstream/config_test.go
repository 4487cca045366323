package upstream_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"glim/core/rpc"
	"glim/core/upstream"
)

// TestConfigIsChecked: New returns an error if a required field of Config is not set.
func TestConfigIsChecked(t *testing.T) {
	w := newWorld(t)
	whole := upstream.Config{
		Local: w.local, Now: w.clock.read,
		Connect: func(upstream.Server) (rpc.Transport, error) { return w.first, nil },
	}
	_, err := upstream.New(whole)
	require.NoError(t, err)
	for name, without := range map[string]func(*upstream.Config){
		"Local": func(c *upstream.Config) { c.Local = nil }, "Now": func(c *upstream.Config) { c.Now = nil },
		"Connect": func(c *upstream.Config) { c.Connect = nil },
	} {
		c := whole
		without(&c)
		_, err := upstream.New(c)
		require.ErrorContains(t, err, name)
	}
}
