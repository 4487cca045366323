package service

import (
	"context"
	"crypto/rand"
	"testing"

	"github.com/stretchr/testify/require"

	"glim/core/rpc"
	"glim/core/walletrpc"
)

// TestConfigIsChecked checks that New reports missing required members, and that an operation reports a missing
// optional member that it needs.
func TestConfigIsChecked(t *testing.T) {
	now := func() uint64 { return 1 }
	for field, c := range map[string]Config{"Random": {Now: now}, "Now": {Random: rand.Reader}} {
		var missing *ConfigError
		_, err := New(c, DaemonConfig{})
		require.ErrorAs(t, err, &missing)
		require.Equal(t, field, missing.Field)
		_, err = NewWallets(c, DaemonConfig{})
		require.ErrorAs(t, err, &missing)
		require.Equal(t, field, missing.Field)
	}
	_, err := New(Config{Random: rand.Reader, Now: now}, DaemonConfig{Address: "here"})
	require.ErrorContains(t, err, "Connect")

	s, err := New(Config{Random: rand.Reader, Now: now, Files: newFolder()}, DaemonConfig{})
	require.NoError(t, err)
	defer s.Close()
	_, err = rpc.Call(t.Context(), s.Registry(), walletrpc.CreateWallet,
		walletrpc.CreateWalletRequest{Language: "English"})
	require.NoError(t, err)
	_, err = rpc.Call(t.Context(), s.Registry(), walletrpc.SetDaemon,
		walletrpc.SetDaemonRequest{Address: "here", SSLSupport: "disabled"})
	require.ErrorContains(t, err, "Connect")
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan struct{})
	go func() { defer close(ended); s.Run(ctx) }()
	cancel()
	<-ended
}

// reconfigure changes the configuration of a service, as if the service had been made with it.
func reconfigure(s *Service, change func(c *Config)) {
	change(&s.config)
	s.dialer = s.config.dialer()
	s.assemble(s.operations.files.only)
}
