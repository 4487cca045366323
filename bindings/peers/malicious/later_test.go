package malicious_test

import (
	"bytes"
	"context"
	"encoding/json"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"glim/core/node"
	"glim/core/rpc"
	"glim/core/service"
	"glim/core/walletrpc"
)

// gone are members that daemons after the releases 0.18 do not send: those of bootstrap daemons and RPC payments.
var gone = []string{
	"untrusted", "credits", "top_hash", "bootstrap_daemon_address", "height_without_bootstrap",
	"was_bootstrap_ever_used",
}

// later answers as a restricted daemon after the releases 0.18.
type later struct {
	rpc.Transport
	removed atomic.Int64
}

func (d *later) Post(ctx context.Context, path string, body []byte) ([]byte, error) {
	if path == "/get_transaction_pool" {
		return nil, rpc.ErrNoPath
	}
	answer, err := d.Transport.Post(ctx, path, body)
	if err != nil {
		return nil, err
	}
	if strings.HasSuffix(path, ".bin") {
		return d.shorten(answer), nil
	}
	var members map[string]json.RawMessage
	if err := json.Unmarshal(answer, &members); err != nil {
		return nil, err
	}
	if members["result"] == nil {
		return d.drop(answer)
	}
	if members["result"], err = d.drop(members["result"]); err != nil {
		return nil, err
	}
	return json.Marshal(members)
}

// drop removes the members of gone from a JSON object.
func (d *later) drop(object []byte) ([]byte, error) {
	var members map[string]json.RawMessage
	if json.Unmarshal(object, &members) != nil { // a list or a string
		return object, nil
	}
	for _, name := range gone {
		if members[name] != nil {
			delete(members, name)
			d.removed.Add(1)
		}
	}
	return json.Marshal(members)
}

// shorten removes the members of gone from a message in epee. Each is a name with its length, a type and a value; the
// number of members, times four, follows the header of nine bytes.
func (d *later) shorten(message []byte) []byte {
	message = bytes.Clone(message)
	for _, entry := range []struct {
		head  string
		value int // bytes
	}{{"\x09untrusted\x0b", 1}, {"\x07credits\x05", 8}, {"\x08top_hash\x0a", 1}} { // an empty string has one byte
		if i := bytes.Index(message, []byte(entry.head)); i >= 0 {
			message = append(message[:i], message[i+len(entry.head)+entry.value:]...)
			message[9] -= 4
			d.removed.Add(1)
		}
	}
	return message
}

// TestMembersThatLaterDaemonsDropped checks that a wallet scans, pays and sees its payment in the pool with a daemon
// that sends no members of bootstrap daemons and RPC payments, and refuses the whole pool to strangers.
func TestMembersThatLaterDaemonsDropped(t *testing.T) {
	t.Parallel()
	chain := newChain(t)
	d := &later{Transport: chain.Restricted()}
	w := newWorldOf(t, d, func(n int, to string) { mine(t, chain, n, to) })
	s := w.restored(t, 1)
	require.NoError(t, refresh(s))
	require.Equal(t, w.balance, balance(t, s))
	sent, err := pay(s, node.UnspendableAddress())
	require.NoError(t, err)
	other := w.restored(t, 1)
	require.NoError(t, refresh(other))
	require.Contains(t, pending(t, other), sent.TxHash)
	w.mine(1, node.UnspendableAddress())
	require.NoError(t, refresh(s))
	require.Equal(t, w.balance-amount-sent.Fee, balance(t, s))
	require.Greater(t, d.removed.Load(), int64(100))
}

// pending returns the hashes of the wallet's transactions in the pool.
func pending(t *testing.T, s *service.Service) (hashes []string) {
	t.Helper()
	r := do(t, s, walletrpc.GetTransfers, walletrpc.GetTransfersRequest{Pool: true, Pending: true})
	for _, x := range append(r.Pool, r.Pending...) {
		hashes = append(hashes, x.TxID)
	}
	return hashes
}
