package malicious_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"glim/bindings/native"
	"glim/bindings/peers"
)

// TestForgedAnswersOfMonerod runs some forgeries of each kind on the chain of a real monerod, which sends no compact
// blocks and verifies submitted transactions.
func TestForgedAnswersOfMonerod(t *testing.T) {
	t.Parallel()
	d := peers.NewDaemon(t, peers.Options{})
	connection, err := native.NewTransport(native.TransportOptions{Address: d.URL})
	require.NoError(t, err)
	t.Cleanup(connection.Close)
	w := newWorldOf(t, connection, func(n int, to string) { require.NoError(t, d.Mine(t.Context(), n, to)) })
	selected := map[string]bool{
		"fees a hundredfold":                 true,
		"torsioned decoys":                   true,
		"invented decoys":                    true,
		"the real output has another key":    true,
		"all outputs at the start":           true,
		"a transaction left out":             true,
		"a different chain":                  true,
		"forged confirmed payment":           true,
		"height a thousand blocks too large": true,
		"connection closed after submission": true,
		"oversized response":                 true,
	}
	for _, c := range w.forgeries(t) {
		if selected[c.fault.Name] {
			delete(selected, c.fault.Name)
			t.Run(c.fault.Name, func(t *testing.T) { w.checkForged(t, c) })
		}
	}
	require.Empty(t, selected, "no such cases")
}
