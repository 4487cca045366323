package scenario

import (
	"context"
	"encoding/json"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"glim/bindings/peers"
	"glim/core/rpc"
	"glim/core/walletrpc"
)

// restrictedGlim is the restricted interface of a wallet service of ours.
type restrictedGlim struct{ *glim }

func (s restrictedGlim) JSON(ctx context.Context, method string, params, out any) error {
	body, err := json.Marshal(object{"jsonrpc": "2.0", "id": "0", "method": method, "params": params})
	if err != nil {
		return err
	}
	text, err := s.Serve(ctx, "/json_rpc", body, rpc.Options{Restricted: true})
	if err != nil {
		return err
	}
	var answer struct {
		Result json.RawMessage
		Error  *peers.Error
	}
	if err := json.Unmarshal(text, &answer); err != nil {
		return err
	}
	if answer.Error != nil {
		return answer.Error
	}
	if out == nil {
		return nil
	}
	return json.Unmarshal(answer.Result, out)
}

// TestRestrictedWithoutWallet: where an operation is restricted and no wallet is open, both say that it is restricted.
func TestRestrictedWithoutWallet(t *testing.T) {
	t.Parallel()
	d := newDaemon(t)
	reference := peers.NewWalletRPC(t, d, peers.Options{Args: []string{"--restricted-rpc"}})
	ours := restrictedGlim{newGlim(t, d.URL, options{})}
	later := []string{"get_transfers", "get_transfer_by_txid"} // not restricted in releases after 0.18.5.1
	// The first one answers the version, and the newest releases do not have the others.
	otherwise := append([]string{"get_version", "finalize_multisig", "get_multisig_key_exchange_booster"}, later...)
	refused := 0
	for _, op := range walletrpc.Methods() {
		if slices.Contains(otherwise, op.Name) {
			continue
		}
		if referenceAtLeast(t, 0, 18, 4) {
			comparison{barred: true}.ask(t, reference, ours, op.Name, object{}, object{})
		}
		if op.Restricted {
			refused++
			require.Equal(t, -7, refusal(t, ours, op.Name, object{}).Code, op.Name)
		}
	}
	require.Greater(t, refused, 30)
	for _, name := range later {
		require.Equal(t, -13, refusal(t, ours, name, object{}).Code)
	}
}
