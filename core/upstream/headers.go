package upstream

import (
	"bytes"
	"context"
	"encoding/hex"
	"fmt"
	"strings"

	"glim/core/block"
	"glim/core/daemonrpc"
	"glim/core/smallfmt"
	"glim/core/xmr"
)

const (
	restrictedHeaders = 1000
	mostHeaders       = 10_000
	headerBytes       = 700 // estimated memory of a header
)

// checkHeader checks a header for plausibility, and against the block if that is cached. It returns the block ID.
// Reward, weight and difficulty cannot be checked.
func (f *Front) checkHeader(h *daemonrpc.BlockHeader) (id xmr.Hash, err error) {
	if id, err = xmr.ParseHash(h.Hash); err != nil {
		return id, invalid("block hash: %w", err)
	}
	if _, err := xmr.ParseHash(h.PrevHash); err != nil {
		return id, invalid("parent hash: %w", err)
	}
	if h.Height > maxHeight {
		return id, invalid("a block at height %d", h.Height)
	}
	if b, ok := get[*held](f.store, key{kind: ofBlock, n: h.Height}); ok && !h.OrphanStatus {
		switch {
		case b.id != id:
			return id, invalid("block %s at height %d, where %s is", id, h.Height, b.id)
		case b.prev.String() != h.PrevHash || b.time != h.Timestamp || b.coinbase.String() != h.MinerTxHash ||
			uint64(len(b.txs)) != h.NumTxes:
			return id, invalid("the header of block %s is another's", id)
		}
	}
	return id, nil
}

// knownHeader returns a cached header with its current depth.
func (s service) knownHeader(m memory, height uint64) (daemonrpc.BlockHeader, bool) {
	h, ok := get[daemonrpc.BlockHeader](s.store, key{kind: ofHeader, n: height})
	if ok {
		h.Depth = m.tip.height - 1 - height
	}
	return h, ok
}

func (s service) keepHeader(m memory, h daemonrpc.BlockHeader) {
	if !h.OrphanStatus {
		h.PowHash = ""
		m.put(key{kind: ofHeader, n: h.Height}, h.Height, h, headerBytes)
	}
}

func (s service) getLastBlockHeader(
	ctx context.Context, req daemonrpc.GetLastBlockHeaderRequest,
) (daemonrpc.BlockHeaderResponse, error) {
	req.FillPowHash = req.FillPowHash && !s.limited
	return pass(ctx, s.Front, daemonrpc.GetLastBlockHeader, req, func(r *daemonrpc.BlockHeaderResponse) error {
		_, err := s.checkHeader(&r.BlockHeader)
		return err
	})
}

func (s service) getBlockHeaderByHeight(
	ctx context.Context, req daemonrpc.GetBlockHeaderByHeightRequest,
) (r daemonrpc.BlockHeaderResponse, err error) {
	m, err := s.memory(ctx)
	if err != nil {
		return r, err
	}
	req.FillPowHash = req.FillPowHash && !s.limited
	if h, ok := s.knownHeader(m, req.Height); ok && !req.FillPowHash {
		return daemonrpc.BlockHeaderResponse{Metered: metered, BlockHeader: h}, nil
	}
	r, err = pass(ctx, s.Front, daemonrpc.GetBlockHeaderByHeight, req, func(r *daemonrpc.BlockHeaderResponse) error {
		if r.BlockHeader.Height != req.Height || r.BlockHeader.OrphanStatus {
			return invalid("block %d instead of %d", r.BlockHeader.Height, req.Height)
		}
		_, err := s.checkHeader(&r.BlockHeader)
		return err
	})
	if err == nil {
		s.keepHeader(m, r.BlockHeader)
	}
	return r, err
}

func (s service) getBlockHeaderByHash(
	ctx context.Context, req daemonrpc.GetBlockHeaderByHashRequest,
) (r daemonrpc.GetBlockHeaderByHashResponse, err error) {
	if len(req.Hashes) > mostHeaders || s.limited && len(req.Hashes) > restrictedHeaders {
		return r, fail(daemonrpc.CodeRestricted, "Too many block headers requested in restricted mode")
	}
	m, err := s.memory(ctx)
	if err != nil {
		return r, err
	}
	req.FillPowHash = req.FillPowHash && !s.limited
	if id, err := xmr.ParseHash(req.Hash); err == nil && len(req.Hashes) == 0 && !req.FillPowHash {
		if height, ok := s.store.heightOf(id); ok {
			if h, ok := s.knownHeader(m, height); ok && h.Hash == id.String() {
				return daemonrpc.GetBlockHeaderByHashResponse{Metered: metered, BlockHeader: h}, nil
			}
		}
	}
	r, err = pass(
		ctx, s.Front, daemonrpc.GetBlockHeaderByHash, req,
		func(r *daemonrpc.GetBlockHeaderByHashResponse) error {
			if len(r.BlockHeaders) != len(req.Hashes) {
				return invalid("%d headers for %d", len(r.BlockHeaders), len(req.Hashes))
			}
			check := func(h *daemonrpc.BlockHeader, asked string) error {
				if !strings.EqualFold(smallfmt.Short(h.Hash), asked) {
					return invalid("block %q instead of %q", smallfmt.Short(h.Hash), asked)
				}
				_, err := s.checkHeader(h)
				return err
			}
			for i := range r.BlockHeaders {
				if err := check(&r.BlockHeaders[i], req.Hashes[i]); err != nil {
					return err
				}
			}
			if req.Hash != "" {
				return check(&r.BlockHeader, req.Hash)
			}
			return nil
		},
	)
	if err == nil && req.Hash != "" {
		s.keepHeader(m, r.BlockHeader)
	}
	return r, err
}

func (s service) getBlockHeadersRange(
	ctx context.Context, req daemonrpc.GetBlockHeadersRangeRequest,
) (r daemonrpc.GetBlockHeadersRangeResponse, err error) {
	m, err := s.memoryOf(ctx, req.EndHeight)
	if err != nil {
		return r, err
	}
	most := uint64(mostHeaders)
	if s.limited {
		most = restrictedHeaders
	}
	switch {
	case req.StartHeight > req.EndHeight || req.EndHeight >= m.tip.height:
		return r, fail(daemonrpc.CodeTooBigHeight, "Invalid start/end heights.")
	case req.EndHeight-req.StartHeight > most:
		return r, fail(daemonrpc.CodeRestricted, "Too many block headers requested.")
	}
	req.FillPowHash = req.FillPowHash && !s.limited
	r.Metered = metered
	for h := req.StartHeight; h <= req.EndHeight && !req.FillPowHash; h++ {
		known, ok := s.knownHeader(m, h)
		if !ok {
			break
		}
		if r.Headers = append(r.Headers, known); h == req.EndHeight {
			return r, nil
		}
	}
	r, err = pass(
		ctx, s.Front, daemonrpc.GetBlockHeadersRange, req,
		func(r *daemonrpc.GetBlockHeadersRangeResponse) error {
			if uint64(len(r.Headers)) != req.EndHeight-req.StartHeight+1 {
				return invalid("%d headers for %d to %d", len(r.Headers), req.StartHeight, req.EndHeight)
			}
			for i := range r.Headers {
				h := &r.Headers[i]
				if h.Height != req.StartHeight+uint64(i) || i > 0 && h.PrevHash != r.Headers[i-1].Hash {
					return invalid("header %d does not follow the one before", h.Height)
				}
				if _, err := s.checkHeader(h); err != nil {
					return err
				}
			}
			return nil
		},
	)
	if err == nil {
		for _, h := range r.Headers {
			s.keepHeader(m, h)
		}
	}
	return r, err
}

// onGetBlockHash returns the ID of a block. The response is a string, which cannot be marked as untrusted.
func (s service) onGetBlockHash(ctx context.Context, req []uint64) (string, error) {
	if len(req) != 1 {
		return "", fail(daemonrpc.CodeWrongParam, "Wrong parameters, expected height")
	}
	m, err := s.memoryOf(ctx, req[0])
	if err != nil {
		return "", err
	}
	if req[0] >= m.tip.height {
		return "", fail(daemonrpc.CodeTooBigHeight,
			fmt.Sprintf("Requested block height: %d greater than current top block height: %d", req[0], m.tip.height-1))
	}
	if b, ok := get[*held](s.store, key{kind: ofBlock, n: req[0]}); ok {
		return b.id.String(), nil
	}
	r, err := s.getBlockHeaderByHeight(ctx, daemonrpc.GetBlockHeaderByHeightRequest{Height: req[0]})
	return r.BlockHeader.Hash, err
}

// getBlock returns a block whose bytes hash to its ID.
func (s service) getBlock(
	ctx context.Context, req daemonrpc.GetBlockRequest,
) (r daemonrpc.GetBlockResponse, err error) {
	m, err := s.memory(ctx)
	if err != nil {
		return r, err
	}
	req.FillPowHash = req.FillPowHash && !s.limited
	height, known := req.Height, req.Hash == ""
	if id, err := xmr.ParseHash(req.Hash); err == nil {
		height, known = s.store.heightOf(id)
	}
	if known && !req.FillPowHash {
		if r, ok := get[daemonrpc.GetBlockResponse](s.store, key{kind: ofAnswer, n: height}); ok &&
			(req.Hash == "" || strings.EqualFold(r.BlockHeader.Hash, req.Hash)) {
			r.BlockHeader.Depth = m.tip.height - 1 - height
			return r, nil
		}
	}
	r, err = pass(
		ctx, s.Front, daemonrpc.GetBlock, req,
		func(r *daemonrpc.GetBlockResponse) error { return s.checkBlock(&req, r) },
	)
	if err != nil {
		return r, err
	}
	if h := r.BlockHeader; !h.OrphanStatus && !req.FillPowHash {
		kept := r
		kept.Untrusted = false
		m.put(key{kind: ofAnswer, n: h.Height}, h.Height, kept, headerBytes+len(r.Blob)+len(r.JSON)+40*len(r.TxHashes))
	}
	return r, nil
}

// checkBlock checks that the request, the header and the transaction IDs of a response match the block in it, and
// replaces its JSON.
func (f *Front) checkBlock(req *daemonrpc.GetBlockRequest, r *daemonrpc.GetBlockResponse) error {
	id, err := f.checkHeader(&r.BlockHeader)
	if err != nil {
		return err
	}
	blob, err := hex.DecodeString(r.Blob)
	if err != nil {
		return invalid("block %s is not hexadecimal", id)
	}
	b, err := block.Parse(blob)
	if err != nil {
		return invalid("block %s: %w", id, err)
	}
	is, err := b.Hash()
	if err != nil {
		return invalid("block %s: %w", id, err)
	}
	coinbase, err := b.MinerTx.Hash()
	h := &r.BlockHeader
	switch {
	case err != nil:
		return invalid("coinbase of block %s: %w", id, err)
	case is != id:
		return invalid("block %s for %s", is, id)
	case req.Hash != "" && !strings.EqualFold(req.Hash, h.Hash), req.Hash == "" && h.Height != req.Height:
		return invalid("not the requested block")
	case b.Height() != h.Height || b.Prev.String() != h.PrevHash || b.Timestamp != h.Timestamp || b.Nonce != h.Nonce,
		b.Major != h.MajorVersion || b.Minor != h.MinorVersion || h.NumTxes != uint64(len(b.TxHashes)):
		return invalid("the header of block %s is another's", id)
	case r.MinerTxHash != coinbase.String() || h.MinerTxHash != "" && h.MinerTxHash != r.MinerTxHash:
		return invalid("the coinbase of block %s is another's", id)
	case len(r.TxHashes) != len(b.TxHashes):
		return invalid("%d transactions for the %d of block %s", len(r.TxHashes), len(b.TxHashes), id)
	}
	for i := range b.TxHashes {
		if !bytes.Equal(b.TxHashes[i][:], r.TxHashes[i][:]) {
			return invalid("transaction %d of block %s is another", i, id)
		}
	}
	if text, ok := daemonrpc.BlockJSON(b); ok {
		r.JSON = text // made from the bytes, so that it cannot contradict them
	}
	return nil
}
