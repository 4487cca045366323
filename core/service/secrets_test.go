package service

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestDaemonConfigHidesItsPassword checks that no format prints the password, alone or within another value.
func TestDaemonConfigHidesItsPassword(t *testing.T) {
	d := DaemonConfig{Address: "node:18081", Username: "me", Password: "hidden", Proxy: "socks5://me:hidden@proxy:9050"}
	for _, format := range []string{"%v", "%+v", "%#v", "%s"} {
		for _, v := range []any{d, &d, struct{ D DaemonConfig }{d}, []DaemonConfig{d}} {
			require.NotContains(t, fmt.Sprintf(format, v), "hidden", "%s of a %T", format, v)
		}
	}
	require.Contains(t, d.String(), "node:18081")
}
