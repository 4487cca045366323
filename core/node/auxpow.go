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
	maxAux             = 256 // more chains do not find their places with the nonces allowed
	maxAuxNonce        = 65535
	restrictedAuxNonce = 16384
)

// auxSlot returns the place of a chain among n. Source: src/cryptonote_basic/merge_mining.cpp, get_aux_slot.
func auxSlot(id xmr.Hash, nonce, n uint32) uint32 {
	b := binary.LittleEndian.AppendUint32(id[:], nonce)
	h := sha256.Sum256(append(b, 'm'))
	return binary.LittleEndian.Uint32(h[:]) % n
}

// auxNonce returns the first nonce that gives every chain a place of its own.
func auxNonce(ids []xmr.Hash, last uint32) (uint32, bool) {
	n := uint32(len(ids))
	taken := make([]uint32, n) // the last nonce a place was taken with, plus one
next:
	for nonce := range last + 1 {
		for _, id := range ids {
			slot := auxSlot(id, nonce, n)
			if taken[slot] == nonce+1 {
				continue next
			}
			taken[slot] = nonce + 1
		}
		return nonce, true
	}
	return 0, false
}

// auxDepth packs the number of chains and the nonce. Source: src/cryptonote_basic/merge_mining.cpp, encode_mm_depth.
func auxDepth(n, nonce uint32) uint32 {
	size := max(uint32(bits.Len32(n-1)), 1)
	return (size - 1) | (n-1)<<3 | nonce<<(3+size)
}

// addAuxPow commits a block template to the blocks of other chains.
// Source: src/rpc/core_rpc_server.cpp, on_add_aux_pow.
func (s service) addAuxPow(_ context.Context, req daemonrpc.AddAuxPowRequest) (r daemonrpc.AddAuxPowResponse, err error) {
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
	nonce, found := uint32(0), false
	if len(ids) <= maxAux {
		nonce, found = auxNonce(ids, last)
	}
	if !found {
		return r, fail(daemonrpc.CodeInternal, "Failed to find a suitable nonce")
	}
	blob, err := hex.DecodeString(req.BlockTemplateBlob)
	if err != nil {
		return r, fail(daemonrpc.CodeWrongParam, "Invalid blocktemplate_blob")
	}
	b, err := block.Parse(blob)
	if err != nil {
		return r, fail(daemonrpc.CodeWrongBlockBlob, "Wrong blocktemplate_blob")
	}
	root := block.MerkleRoot(hashes)
	r = daemonrpc.AddAuxPowResponse{
		Common: ok, MerkleRoot: root.String(), MerkleTreeDepth: auxDepth(uint32(len(ids)), nonce), AuxPow: req.AuxPow,
	}
	extra, whole := tx.RemoveMergeMining(b.MinerTx.Extra)
	if !whole {
		return r, fail(daemonrpc.CodeInternal, "Error removing existing merkle root")
	}
	b.MinerTx.Extra = tx.AppendMergeMining(extra, tx.MergeMining{Depth: uint64(r.MerkleTreeDepth), MerkleRoot: root})
	hashing, err := b.HashingBlob()
	if err != nil {
		return r, fail(daemonrpc.CodeWrongBlockBlob, "Wrong blocktemplate_blob")
	}
	r.BlockTemplateBlob, r.BlockHashingBlob = toHex(b.Append(nil)), toHex(hashing)
	return r, nil
}

// calcPow hashes a block's bytes as given. Source: src/rpc/core_rpc_server.cpp, on_calcpow.
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
	// One at a time: who names another seed each time takes memory for one, not for as many as ask.
	s.calculating.Lock()
	defer s.calculating.Unlock()
	hash, err := s.config.Chain.PoW(req.MajorVersion, req.Height, seed, blob)
	if err != nil {
		return "", err
	}
	return hash.String(), nil
}
