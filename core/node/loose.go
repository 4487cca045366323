package node

import (
	"bytes"
	"context"
	"slices"

	"glim/core/chain"
	"glim/core/daemonrpc"
	"glim/core/xmr"
)

// Limits of get_txids_loose. Source: src/rpc/core_rpc_server.cpp, RESTRICTED_SPENT_KEY_IMAGES_COUNT.
const (
	restrictedLoose = 5000
	maxLoose        = 10 * restrictedLoose
)

// getTxIDsLoose returns the IDs of transactions that match a template.
// Source: src/rpc/core_rpc_server.cpp, on_get_txids_loose, master of August 2026.
func (s service) getTxIDsLoose(
	_ context.Context, req daemonrpc.GetTxIDsLooseRequest,
) (r daemonrpc.GetTxIDsLooseResponse, err error) {
	most, bits := maxLoose, req.NumMatchingBits
	if s.limited {
		most = restrictedLoose
	}
	if bits > 256 {
		return r, fail(daemonrpc.CodeWrongParam, "There are only 256 bits in a hash, you gave too many")
	}
	s.view(func(v chain.View) {
		if v.TxCount()>>min(bits, 63) > uint64(2*most) {
			err = fail(daemonrpc.CodeWrongParam,
				"Trying to search with too few matching bits, detected before fetching")
			return
		}
		var template xmr.Hash
		if template, err = parseHash(req.TxIDTemplate); err != nil {
			err = fail(daemonrpc.CodeWrongParam, "Could not decode hex txid")
			return
		}
		if template != daemonrpc.LooseTemplate(template, bits) {
			err = fail(daemonrpc.CodeWrongParam,
				"Txid template is not zeroed correctly for number of bits. You could be leaking true txid!")
			return
		}
		const last = len(template) - 1
		matches := func(id xmr.Hash) bool { // most IDs differ in the last byte
			return (bits < 8 || id[last] == template[last]) && daemonrpc.LooseTemplate(id, bits) == template
		}
		r.TxIDs = v.TxIDs(matches)
		var waiting []xmr.Hash
		for _, p := range s.pool(v) {
			if matches(p.ID) {
				waiting = append(waiting, p.ID)
			}
		}
		slices.SortFunc(r.TxIDs, compareReversed)
		slices.SortFunc(waiting, compareReversed)
		if r.TxIDs = append(r.TxIDs, waiting...); len(r.TxIDs) > most {
			r, err = daemonrpc.GetTxIDsLooseResponse{}, fail(
				daemonrpc.CodeWrongParam, "Trying to search with too few matching bits")
			return
		}
		r.Common = ok
	})
	return r, err
}

// compareReversed compares hashes as little-endian numbers.
func compareReversed(a, b xmr.Hash) int {
	slices.Reverse(a[:])
	slices.Reverse(b[:])
	return bytes.Compare(a[:], b[:])
}
