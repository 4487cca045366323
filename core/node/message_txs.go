package node

import (
	"context"
	"encoding/hex"
	"encoding/json"
	"errors"
	"math"
	"slices"
	"strings"

	"glim/core/chain"
	"glim/core/consensus"
	"glim/core/daemonrpc"
	"glim/core/tx"
	"glim/core/xmr"
)

type txsRequest struct {
	TxHashes []xmr.Hash `json:"tx_hashes"`
}

type txMessage struct {
	Height      uint64                         `json:"height"` // the largest number for one of the pool
	InPool      bool                           `json:"in_pool"`
	Transaction daemonrpc.PublishedTransaction `json:"transaction"`
}

type txsMessage struct {
	Txs          map[string]txMessage `json:"txs"` // by hash
	MissedHashes []xmr.Hash           `json:"missed_hashes"`
}

// messageTransactions returns transactions of the chain and of the pool that were relayed, each once.
func (s service) messageTransactions(_ context.Context, req txsRequest) (r txsMessage, err error) {
	if s.limited && len(req.TxHashes) > restrictedTxs {
		return r, failed("Too many transactions requested in restricted mode")
	}
	type located struct {
		txMessage
		tx *tx.Transaction
	}
	found := map[xmr.Hash]located{}
	var missed, waiting []xmr.Hash
	size := 0
	s.view(func(v chain.View) {
		for _, id := range req.TxHashes {
			at, mined := v.Tx(id)
			if _, twice := found[id]; !mined || twice {
				if !mined {
					missed = append(missed, id)
				}
				continue
			}
			b := v.Block(at.Height)
			t := &b.Block.MinerTx
			if at.Index > 0 {
				t = b.Txs[at.Index-1].Tx
				size += len(b.Txs[at.Index-1].Blob)
			}
			found[id] = located{txMessage{Height: at.Height}, t}
		}
		for _, id := range missed {
			p := v.PoolTx(id)
			if _, twice := found[id]; p == nil || p.DoNotRelay || twice {
				waiting = append(waiting, id)
				continue
			}
			size += len(p.Blob)
			found[id] = located{txMessage{Height: math.MaxUint64, InPool: true}, p.Tx.Tx}
		}
	})
	if size > maxMessageBlocks {
		return r, failed("Too many transactions requested")
	}
	r = txsMessage{map[string]txMessage{}, append([]xmr.Hash{}, waiting...)}
	for id, f := range found {
		f.Transaction = daemonrpc.PublishTransaction(f.tx, true)
		r.Txs[id.String()] = f.txMessage
	}
	return r, nil
}

type keyImagesRequest struct {
	KeyImages []xmr.KeyImage `json:"key_images"`
}

type keyImagesMessage struct {
	SpentStatus []uint64 `json:"spent_status"` // 0 unspent, 1 spent in the chain, 2 spent in the pool
}

func (s service) messageKeyImages(_ context.Context, req keyImagesRequest) (keyImagesMessage, error) {
	r := keyImagesMessage{[]uint64{}}
	if s.limited && len(req.KeyImages) > restrictedImages {
		return r, failed("Too many key images queried in restricted mode")
	}
	s.view(func(v chain.View) {
		for _, image := range req.KeyImages {
			// Unrelayed transactions do not count for any caller.
			r.SpentStatus = append(r.SpentStatus, uint64(service{s.Node, true}.spent(v, image)))
		}
	})
	return r, nil
}

type indicesRequest struct {
	TxHash xmr.Hash `json:"tx_hash"`
}

type indicesMessage struct {
	OutputIndices []uint64 `json:"output_indices"`
}

func (s service) messageIndices(_ context.Context, req indicesRequest) (r indicesMessage, err error) {
	s.view(func(v chain.View) {
		at, found := v.Tx(req.TxHash)
		if !found {
			err = failed("core::get_tx_outputs_gindexs() returned false")
			return
		}
		r.OutputIndices = append([]uint64{}, v.Block(at.Height).Indices[at.Index]...)
	})
	return r, err
}

type sendRequest struct {
	Tx    json.RawMessage `json:"tx"` // see daemonrpc.ParsePublished
	Relay bool            `json:"relay"`
}

type sendHexRequest struct {
	TxAsHex string `json:"tx_as_hex"`
	Relay   bool   `json:"relay"`
}

type sentMessage struct {
	Relayed bool `json:"relayed"`
}

func (s service) messageSend(_ context.Context, req sendRequest) (sentMessage, error) {
	t, err := daemonrpc.ParsePublished(req.Tx)
	if err != nil {
		return sentMessage{}, err
	}
	if t.RingCT.Type == tx.RingCTFCMP {
		return sentMessage{}, failed("this form has no place for membership proofs; use send_raw_tx_hex")
	}
	return s.send(t.Append(nil), req.Relay)
}

func (s service) messageSendHex(_ context.Context, req sendHexRequest) (sentMessage, error) {
	blob, err := hex.DecodeString(req.TxAsHex)
	if err != nil {
		return sentMessage{}, failed("Invalid hex")
	}
	return s.send(blob, req.Relay)
}

// send adds a transaction to the pool and relays it if relay is set.
// Source: src/rpc/daemon_handler.cpp, handleTxBlob.
func (s service) send(blob []byte, relay bool) (r sentMessage, err error) {
	if w := s.network(); w != nil {
		if _, synchronized, _ := w.Sync(); !synchronized {
			return r, failed("Not ready to accept transactions; try again later")
		}
	}
	id, err := s.chain.AddTx(blob, !relay)
	switch {
	case err == nil && relay:
		s.passOn(id)
		return sentMessage{true}, nil
	case err == nil, errors.Is(err, chain.ErrMined), errors.Is(err, chain.ErrInPool):
		return r, nil
	case errors.Is(err, chain.ErrNotStored):
		return r, failed(errNotStored.Error())
	}
	var reasons []string
	for _, reason := range []struct {
		text  string
		kinds []error
	}{
		{"mixin too low", []error{consensus.ErrRingSize}},
		{"double spend", []error{consensus.ErrDoubleSpend}},
		{"invalid input", []error{
			consensus.ErrInput, consensus.ErrBadInput, consensus.ErrRingSize, consensus.ErrTooFewOutputs,
		}},
		{"invalid output", []error{consensus.ErrOutput}},
		{"too big", []error{consensus.ErrTooBig}},
		{"overspend", []error{consensus.ErrOverspend}},
		{"fee too low", []error{consensus.ErrFeeTooLow}},
		{"too few outputs", []error{consensus.ErrTooFewOutputs}},
		{"tx_extra too long", []error{consensus.ErrExtraTooBig}},
		{"non-zero unlock time", []error{consensus.ErrUnlockTime}},
	} {
		if slices.ContainsFunc(reason.kinds, func(kind error) bool { return errors.Is(err, kind) }) {
			reasons = append(reasons, reason.text)
		}
	}
	if reasons == nil {
		reasons = []string{"an unknown issue was found with the transaction"}
	}
	return r, failed(strings.Join(reasons, " and "))
}

type poolTxMessage struct {
	Tx                    daemonrpc.PublishedTransaction `json:"tx"`
	TxHash                xmr.Hash                       `json:"tx_hash"`
	BlobSize              uint64                         `json:"blob_size"`
	Weight                uint64                         `json:"weight"`
	Fee                   uint64                         `json:"fee"`
	MaxUsedBlockHash      xmr.Hash                       `json:"max_used_block_hash"`
	MaxUsedBlockHeight    uint64                         `json:"max_used_block_height"`
	KeptByBlock           bool                           `json:"kept_by_block"`
	LastFailedBlockHash   xmr.Hash                       `json:"last_failed_block_hash"`
	LastFailedBlockHeight uint64                         `json:"last_failed_block_height"`
	ReceiveTime           uint64                         `json:"receive_time"`
	LastRelayedTime       uint64                         `json:"last_relayed_time"`
	Relayed               bool                           `json:"relayed"`
	DoNotRelay            bool                           `json:"do_not_relay"`
	DoubleSpendSeen       bool                           `json:"double_spend_seen"`
}

type poolMessage struct {
	Transactions []poolTxMessage       `json:"transactions"`
	KeyImages    map[string][]xmr.Hash `json:"key_images"` // hashes of transactions by key image
}

// restrictedPool limits the pool in a restricted response, in bytes of its transactions; the response is several times
// larger. The reference has no limit.
const restrictedPool = 8 << 20

// poolFits reports whether transactions have at most this many bytes.
func poolFits(list []*chain.PoolTx, most int) bool {
	for _, p := range list {
		most -= len(p.Blob)
	}
	return most >= 0
}

// messagePool returns the transactions of the pool that were relayed. Restricted callers do not see when.
// Source: src/cryptonote_core/tx_pool.cpp, get_pool_for_rpc.
func (s service) messagePool(context.Context, struct{}) (r poolMessage, err error) {
	var list []*chain.PoolTx
	r = poolMessage{[]poolTxMessage{}, map[string][]xmr.Hash{}}
	s.view(func(v chain.View) {
		list = slices.DeleteFunc(v.Pool(), func(p *chain.PoolTx) bool { return p.DoNotRelay })
		most := maxMessageBlocks
		if s.limited {
			most = restrictedPool
		}
		if !poolFits(list, most) {
			err = failed("Too many transactions")
			return
		}
		for _, p := range list {
			for i := range p.Tx.Tx.Inputs {
				image := p.Tx.Tx.Inputs[i].KeyImage.String()
				r.KeyImages[image] = append(r.KeyImages[image], p.ID)
			}
		}
	})
	if err != nil {
		return r, err
	}
	for _, p := range list { // outside the view, because describing takes long
		m := poolTxMessage{
			Tx: daemonrpc.PublishTransaction(p.Tx.Tx, true), TxHash: p.ID, BlobSize: uint64(len(p.Blob)),
			Weight: p.Weight, Fee: p.Fee, MaxUsedBlockHash: p.MaxUsedID, MaxUsedBlockHeight: p.MaxUsedHeight,
			KeptByBlock: p.KeptByBlock, LastFailedBlockHash: p.LastFailedID,
			LastFailedBlockHeight: p.LastFailedHeight, Relayed: p.Relayed, DoNotRelay: p.DoNotRelay,
			DoubleSpendSeen: p.DoubleSpendSeen,
		}
		if !s.limited {
			m.ReceiveTime, m.LastRelayedTime = p.Received, p.LastRelayed
		}
		r.Transactions = append(r.Transactions, m)
	}
	return r, nil
}
