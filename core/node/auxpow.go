package node

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"math/bits"

	"glim/core/block"
	"glim/core/daemonrpc"
	"glim/core/tx"
	"glim/core/xmr"
)

// Limits of merge mining. Source: src/rpc/core_rpc_server.cpp, on_add_aux_pow.
const (
	restrictedAux      = 10
	maxAux             = 256 // with more chains, the nonces do not suffice to avoid collisions
	maxAuxNonce        = 65535
	restrictedAuxNonce = 16384
)

// auxSlot returns the slot of a chain among n. Source: src/cryptonote_basic/merge_mining.cpp, get_aux_slot.
func auxSlot(id xmr.Hash, nonce, n uint32) uint32 {
	b := binary.LittleEndian.AppendUint32(id[:], nonce)
	h := sha256.Sum256(append(b, 'm'))
	return binary.LittleEndian.Uint32(h[:]) % n
}

// auxSlots returns the first nonce for which all chains have different slots, and the slot of each chain.
func auxSlots(ids []xmr.Hash, last uint32) (nonce uint32, slots []uint32, found bool) {
	n := uint32(len(ids))
	slots = make([]uint32, n)
	taken := make([]uint32, n) // the last nonce for which a slot was taken, plus one
next:
	for nonce := range last + 1 {
		for i, id := range ids {
			slot := auxSlot(id, nonce, n)
			if taken[slot] == nonce+1 {
				continue next
			}
			taken[slot], slots[i] = nonce+1, slot
		}
		return nonce, slots, true
	}
	return 0, nil, false
}

// auxDepth encodes the number of chains and the nonce. Source: src/cryptonote_basic/merge_mining.cpp, encode_mm_depth.
func auxDepth(n, nonce uint32) uint64 {
	size := max(bits.Len32(n-1), 1)
	return uint64(size-1) | uint64(n-1)<<3 | uint64(nonce)<<(3+size)
}

// addAuxPow adds a commitment to the blocks of other chains to a block template. The leaves of its tree are in the
// order of the chains' slots, by which their verifiers find them; releases 0.18 leave them in the order of the request.
// Source: src/rpc/core_rpc_server.cpp, on_add_aux_pow, master of August 2026.
func (s service) addAuxPow(
	_ context.Context, req daemonrpc.AddAuxPowRequest,
) (r daemonrpc.AddAuxPowResponse, err error) {
	last := uint32(maxAuxNonce)
	if s.limited {
		last = restrictedAuxNonce
		if len(req.AuxPow) > restrictedAux {
			return r, fail(daemonrpc.CodeRestricted, "Too many aux pow hashes")
		}
	}
	if len(req.AuxPow) == 0 {
		return r, fail(daemonrpc.CodeWrongParam, "Empty aux pow hash vector")
	}
	var ids, hashes []xmr.Hash
	for _, a := range req.AuxPow {
		id, err := parseHash(a.ID)
		if err != nil {
			return r, fail(daemonrpc.CodeWrongParam, "Invalid aux pow id")
		}
		hash, err := parseHash(a.Hash)
		if err != nil {
			return r, fail(daemonrpc.CodeWrongParam, "Invalid aux pow hash")
		}
		ids, hashes = append(ids, id), append(hashes, hash)
	}
	if len(ids) > maxAux {
		return r, noAuxNonce()
	}
	nonce, slots, found := auxSlots(ids, last)
	if !found {
		return r, noAuxNonce()
	}
	leaves, ordered := make([]xmr.Hash, len(ids)), make([]daemonrpc.AuxPow, len(ids))
	for i, slot := range slots {
		leaves[slot], ordered[slot] = hashes[i], daemonrpc.AuxPow{ID: ids[i].String(), Hash: hashes[i].String()}
	}
	blob, err := hex.DecodeString(req.BlockTemplateBlob)
	if err != nil {
		return r, fail(daemonrpc.CodeWrongParam, "Invalid blocktemplate_blob")
	}
	b, err := block.Parse(blob)
	if err != nil {
		return r, fail(daemonrpc.CodeWrongBlockBlob, "Wrong blocktemplate_blob")
	}
	root := block.MerkleRoot(leaves)
	r = daemonrpc.AddAuxPowResponse{
		Common: ok, MerkleRoot: root.String(), MerkleTreeDepth: auxDepth(uint32(len(ids)), nonce), AuxPow: ordered,
	}
	extra, whole := tx.RemoveMergeMining(b.MinerTx.Extra)
	if !whole {
		return r, fail(daemonrpc.CodeInternal, "Error removing existing merkle root")
	}
	b.MinerTx.Extra = tx.AppendMergeMining(extra, tx.MergeMining{Depth: r.MerkleTreeDepth, MerkleRoot: root})
	hashing, err := b.HashingBlob()
	if err != nil {
		return r, fail(daemonrpc.CodeWrongBlockBlob, "Wrong blocktemplate_blob")
	}
	r.BlockTemplateBlob, r.BlockHashingBlob = toHex(b.Append(nil)), toHex(hashing)
	return r, nil
}

func noAuxNonce() error { return fail(daemonrpc.CodeInternal, "Failed to find a suitable nonce") }

// calcPow computes the proof-of-work hash of a block. Source: src/rpc/core_rpc_server.cpp, on_calcpow.
func (s service) calcPow(_ context.Context, req daemonrpc.CalcPowRequest) (string, error) {
	blob, err := hex.DecodeString(req.BlockBlob)
	if err != nil {
		return "", fail(daemonrpc.CodeWrongBlockBlob, "Wrong block blob")
	}
	var seed xmr.Hash
	if req.SeedHash != "" {
		if seed, err = parseHash(req.SeedHash); err != nil {
			return "", fail(daemonrpc.CodeWrongParam, "Wrong seed hash")
		}
	} else if seed, err = s.seed(req.Height); err != nil {
		return "", err
	}
	if s.config.Chain.PoW == nil {
		return "", fail(daemonrpc.CodeInternal, "Internal error: proof of work cannot be computed here")
	}
	// One at a time, so that requests with different seeds need the memory of one seed only.
	s.calculating.Lock()
	defer s.calculating.Unlock()
	hash, err := s.config.Chain.PoW(req.MajorVersion, req.Height, seed, blob)
	if err != nil {
		return "", err
	}
	return hash.String(), nil
}
