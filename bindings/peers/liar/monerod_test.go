package liar_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"glim/bindings/native"
	"glim/bindings/peers"
)

// TestLiesAboutMonerod tells a wallet some of each kind of lies about the chain of a real monerod, which has no compact blocks and judges
// what is sent.
func TestLiesAboutMonerod(t *testing.T) {
	t.Parallel()
	d := peers.NewDaemon(t, peers.Options{})
	way, err := native.NewTransport(native.TransportOptions{Address: d.URL})
	require.NoError(t, err)
	t.Cleanup(way.Close)
	w := newWorldOf(t, way, func(n int, to string) { require.NoError(t, d.Mine(t.Context(), n, to)) })
	some := map[string]bool{"fees a hundredfold": true, "torsioned decoys": true, "decoys that nobody made": true,
		"the real output has another key": true, "all outputs are old": true, "a transaction left out": true,
		"a chain of its own": true, "a payment nobody made, with confirmations": true, "a thousand blocks that do not come": true,
		"it hangs up when it has what is sent": true, "more than anybody asked for": true}
	for _, c := range w.lies(t) {
		if some[c.lie.Name] {
			delete(some, c.lie.Name)
			t.Run(c.lie.Name, func(t *testing.T) { w.endure(t, c) })
		}
	}
	require.Empty(t, some, "there are no such lies")
}
