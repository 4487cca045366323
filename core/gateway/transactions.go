package gateway

import (
	"bytes"
	"context"
	"slices"
	"strconv"

	"glim/core/smallfmt"
)

const (
	maxTransactions    = 100 // in one request. Source: src/rpc/core_rpc_server.cpp, RESTRICTED_TRANSACTIONS_COUNT
	transactionSeconds = 5   // lifetime of a transaction entry that may still change
)

// transactions handles get_transactions for each transaction separately. New transactions, which many wallets request
// at the same time, are cached for some seconds. Those in segments are cached for long if two daemons agree on them,
// and their confirmations are updated. ok is false if the request must be passed to a daemon.
func (g *Gateway) transactions(ctx context.Context, body []byte) (answer []byte, ok bool, err error) {
	ids, flags := transactionsAsked(body)
	if len(ids) == 0 || len(ids) > maxTransactions {
		return nil, false, nil
	}
	end, err := g.tip(ctx, 0)
	if err != nil {
		return nil, false, err
	}
	settled, stays, err := g.settled(ctx, end)
	if err != nil {
		return nil, false, err
	}
	name := func(id, state string) string {
		return "transaction-1-" + g.c.Network + "-" + digest(id, flags, state)
	}
	known := map[string][]byte{}
	var missing, past []string
	for _, id := range ids {
		if known[id] != nil || slices.Contains(missing, id) {
			continue
		}
		for _, state := range []string{settled, "now"} {
			if b, found := g.recall(ctx, name(id, state)); found && known[id] == nil {
				known[id] = b
			}
		}
		if known[id] == nil {
			missing = append(missing, id)
		}
	}
	if len(missing) > 0 {
		b, err := g.ask(ctx, "/get_transactions", transactionsQuestion(missing, flags), func(b []byte) error {
			_, err := transactionsOf(b)
			return err
		})
		if err != nil {
			return nil, false, err
		}
		found, err := transactionsOf(b)
		if err != nil {
			return nil, false, err
		}
		for id, b := range found {
			known[id] = b
			g.keep(ctx, name(id, "now"), b, transactionSeconds)
			if at, mined := numberOf(b, "block_height"); mined && at < stays && slices.Contains(missing, id) {
				past = append(past, id)
			}
		}
	}
	if len(past) > 0 {
		slices.Sort(past)
		b, sure, err := g.agreed(
			ctx, "/get_transactions", transactionsQuestion(past, flags),
			func(b []byte) (string, error) { return transactionsSense(b, past) },
		)
		if err != nil {
			return nil, false, err
		}
		found, err := transactionsOf(b)
		if err != nil {
			return nil, false, err
		}
		for id, b := range found {
			known[id] = b
			if sure && slices.Contains(past, id) {
				g.keep(ctx, name(id, settled), b, maxKeep)
			}
		}
	}
	return writeTransactions(ids, known, end.height), true, nil
}

// transactionsAsked returns the IDs of a request and its flags as JSON text for transactionsQuestion. It returns no IDs
// if it cannot handle the request.
func transactionsAsked(body []byte) (ids []string, flags string) {
	raw, ok := member(body, "txs_hashes")
	if !ok {
		return nil, ""
	}
	for _, e := range elements(raw) {
		id := plainText(e)
		if _, ok := hashOf(id); !ok || id != string(bytes.ToLower([]byte(id))) {
			return nil, ""
		}
		ids = append(ids, id)
	}
	for _, flag := range []string{"decode_as_json", "prune", "split"} {
		if v, ok := member(body, flag); ok && string(v) == "true" {
			flags += `,"` + flag + `":true`
		} else if ok && string(v) != "false" {
			return nil, ""
		}
	}
	return ids, flags
}

func transactionsQuestion(ids []string, flags string) []byte {
	b := []byte(`{"txs_hashes":[`)
	for i, id := range ids {
		if i > 0 {
			b = append(b, ',')
		}
		b = strconv.AppendQuote(b, id)
	}
	return append(append(append(b, ']'), flags...), '}')
}

// transactionsOf returns the transaction entries of a response by ID.
func transactionsOf(b []byte) (map[string][]byte, error) {
	if stringOf(b, "status") != "OK" {
		return nil, wrong("get_transactions returns the status %q", smallfmt.Short(stringOf(b, "status")))
	}
	found := map[string][]byte{}
	txs, _ := member(b, "txs")
	for _, t := range elements(txs) {
		id := stringOf(t, "tx_hash")
		if _, ok := hashOf(id); !ok {
			return nil, wrong("get_transactions returns a transaction without an ID")
		}
		found[id] = t
	}
	return found, nil
}

// transactionsSense returns a digest of the parts of a response on which two daemons must agree.
func transactionsSense(b []byte, ids []string) (string, error) {
	found, err := transactionsOf(b)
	if err != nil {
		return "", err
	}
	var parts []string
	for _, id := range ids {
		parts = append(parts, id)
		for _, name := range []string{
			"as_hex", "pruned_as_hex", "prunable_as_hex", "prunable_hash", "as_json", "block_height", "block_timestamp",
		} {
			raw, _ := member(found[id], name)
			parts = append(parts, string(raw))
		}
		indices, _ := member(found[id], "output_indices")
		parts = append(parts, string(bytes.Join(elements(indices), []byte{','})))
	}
	return digest(parts...), nil
}

// writeTransactions encodes a response like a daemon's, with the transactions in the order of the request.
func writeTransactions(ids []string, known map[string][]byte, height uint64) []byte {
	var txs, hexes, texts, missed [][]byte
	for _, id := range ids {
		t := known[id]
		if t == nil {
			missed = append(missed, strconv.AppendQuote(nil, id))
			continue
		}
		txs = append(txs, confirmed(t, height))
		if h, ok := member(t, "as_hex"); ok {
			hexes = append(hexes, h)
		}
		if j, ok := member(t, "as_json"); ok && len(j) > 2 {
			texts = append(texts, j)
		}
	}
	b := []byte(`{"credits":0,"top_hash":"","untrusted":false,"status":"OK"`)
	for _, list := range []struct {
		name   string
		values [][]byte
	}{{"txs", txs}, {"txs_as_hex", hexes}, {"txs_as_json", texts}, {"missed_tx", missed}} {
		if len(list.values) > 0 {
			b = append(append(b, `,"`+list.name+`":[`...), bytes.Join(list.values, []byte{','})...)
			b = append(b, ']')
		}
	}
	return append(b, '}')
}

// confirmed returns a transaction entry with its confirmations updated for a chain of height blocks.
func confirmed(t []byte, height uint64) []byte {
	said, ok := member(t, "confirmations")
	at, mined := numberOf(t, "block_height")
	if !ok || !mined || at >= height {
		return t
	}
	i := cap(t) - cap(said) // the offset of said, which is a slice of t
	return slices.Concat(t[:i], strconv.AppendUint(nil, height-at, 10), t[i+len(said):])
}
