package daemonrpc

import (
	"encoding/hex"
	"encoding/json"

	"glim/core/block"
	"glim/core/crypto/edwards"
	"glim/core/tx"
	"glim/core/xmr"
)

// The messages that a daemon publishes name the fields of blocks and transactions differently from its operations. As
// in these, only the forms that hard fork 16 accepts are described.
// Source: src/serialization/json_object.cpp, toJsonValue; src/rpc/zmq_pub.cpp.

type publishedFull struct {
	Version    uint64            `json:"version"`
	UnlockTime uint64            `json:"unlock_time"`
	Inputs     []publishedInput  `json:"inputs"`
	Outputs    []publishedOutput `json:"outputs"`
	Extra      string            `json:"extra"`
	Signatures *[]string         `json:"signatures,omitempty"` // empty since version 2; nil if pruned
	RingCT     publishedRingCT   `json:"ringct"`
}

type publishedInput struct {
	Gen   *jsonGen      `json:"gen,omitempty"`
	ToKey *publishedKey `json:"to_key,omitempty"`
}

type publishedKey struct {
	Amount     uint64   `json:"amount"`
	KeyOffsets []uint64 `json:"key_offsets"`
	KeyImage   key32    `json:"key_image"`
}

type publishedOutput struct {
	Amount      uint64      `json:"amount"`
	ToKey       *outputKey  `json:"to_key,omitempty"`
	ToTaggedKey *jsonTagged `json:"to_tagged_key,omitempty"`
	ToCarrot    *jsonCarrot `json:"to_carrot_v1,omitempty"`
}

type outputKey struct {
	Key key32 `json:"key"`
}

type publishedRingCT struct {
	Type        uint8              `json:"type"`
	Encrypted   *[]publishedEcdh   `json:"encrypted,omitempty"`
	Commitments *[]key32           `json:"commitments,omitempty"`
	Fee         *uint64            `json:"fee,omitempty"`
	Prunable    *publishedPrunable `json:"prunable,omitempty"`
}

type publishedEcdh struct {
	Mask   key32 `json:"mask"`
	Amount key32 `json:"amount"`
}

type publishedPrunable struct {
	RangeProofs      []string       `json:"range_proofs"` // always empty, as are Bulletproofs and MLSAGs
	Bulletproofs     []string       `json:"bulletproofs"`
	BulletproofsPlus []publishedBPP `json:"bulletproofs_plus"`
	MLSAGs           []string       `json:"mlsags"`
	CLSAGs           []jsonCLSAG    `json:"clsags"`
	PseudoOuts       []key32        `json:"pseudo_outs"`
}

type publishedBPP struct {
	V []key32 `json:"V"`
	jsonBPP
}

// eighth is the inverse of 8, by which range proofs multiply commitments. Source: src/ringct/rctOps.h, INV_EIGHT.
var eighth = edwards.NewScalar().Invert(edwards.ScalarFromUint64(8))

// divided returns each commitment multiplied by eighth. It returns zeros for an invalid point, which no verified
// transaction contains.
func divided(commitments [][32]byte) []key32 {
	list := make([]key32, len(commitments))
	for i, c := range commitments {
		if p, err := edwards.DecodePoint(c); err == nil {
			list[i] = p.ScalarMult(eighth, p).Encode()
		}
	}
	return list
}

func publishedTx(t *tx.Transaction) *publishedFull {
	j := &publishedFull{
		Version:    t.Version,
		UnlockTime: t.UnlockTime,
		Extra:      hex.EncodeToString(t.Extra),
		Signatures: &[]string{},
	}
	for i := range t.Inputs {
		in := &t.Inputs[i]
		if in.Coinbase {
			j.Inputs = append(j.Inputs, publishedInput{Gen: &jsonGen{in.Height}})
		} else {
			j.Inputs = append(
				j.Inputs, publishedInput{ToKey: &publishedKey{in.Amount, offsetsOf(in), key32(in.KeyImage)}},
			)
		}
	}
	for i := range t.Outputs {
		out := &t.Outputs[i]
		o := publishedOutput{
			Amount: out.Amount, ToTaggedKey: &jsonTagged{key32(out.Key), hex.EncodeToString([]byte{out.ViewTag})},
		}
		if !out.Tagged {
			o.ToTaggedKey, o.ToKey = nil, &outputKey{key32(out.Key)}
		}
		if t.Carrot != nil {
			o.ToKey, o.ToCarrot = nil, carrotOf(t, i)
		}
		j.Outputs = append(j.Outputs, o)
	}
	j.RingCT.Type = uint8(t.RingCT.Type)
	if t.RingCT.Type == tx.RingCTNull {
		return j
	}
	fee, commitments := t.RingCT.Fee, keys32(t.RingCT.Commitments)
	encrypted := make([]publishedEcdh, len(t.RingCT.Ecdh))
	for i, e := range t.RingCT.Ecdh {
		encrypted[i] = publishedEcdh{e.Mask, e.Amount}
	}
	j.RingCT.Fee, j.RingCT.Commitments, j.RingCT.Encrypted = &fee, &commitments, &encrypted
	if p := t.RingCT.Prunable; p != nil {
		q := &publishedPrunable{
			RangeProofs:  []string{},
			Bulletproofs: []string{},
			MLSAGs:       []string{},
			PseudoOuts:   keys32(p.PseudoOuts),
		}
		for i := range p.BulletproofsPlus {
			q.BulletproofsPlus = append(
				q.BulletproofsPlus, publishedBPP{divided(t.RingCT.Commitments), describeProof(&p.BulletproofsPlus[i])},
			)
		}
		for i := range p.CLSAGs {
			q.CLSAGs = append(q.CLSAGs, describeSignature(&p.CLSAGs[i]))
		}
		j.RingCT.Prunable = q
	}
	return j
}

// PublishedBlocks returns the json-full-chain_main message of blocks.
func PublishedBlocks(list []*block.Block) []byte {
	all := make([]jsonBlock[publishedFull], len(list))
	for i, b := range list {
		all[i] = blockWith(b, publishedTx(&b.MinerTx))
	}
	return published(all)
}

// PublishedTxs returns the json-full-txpool_add message of transactions.
func PublishedTxs(list []*tx.Transaction) []byte {
	all := make([]*publishedFull, len(list))
	for i, t := range list {
		all[i] = publishedTx(t)
	}
	return published(all)
}

// PublishedTx is a transaction in json-minimal-txpool_add.
type PublishedTx struct {
	ID       xmr.Hash `json:"id"`
	BlobSize uint64   `json:"blob_size"` // bytes
	Weight   uint64   `json:"weight"`    // bytes
	Fee      uint64   `json:"fee"`       // atomic units
}

// PublishedSummaries returns the json-minimal-txpool_add message of transactions.
func PublishedSummaries(list []PublishedTx) []byte { return published(list) }

// PublishedIDs returns the json-minimal-chain_main message of blocks: the height and parent of the first, and all IDs.
func PublishedIDs(height uint64, prev xmr.Hash, ids ...xmr.Hash) []byte {
	return published(struct {
		FirstHeight uint64     `json:"first_height"`
		FirstPrevID xmr.Hash   `json:"first_prev_id"`
		IDs         []xmr.Hash `json:"ids"`
	}{height, prev, ids})
}

// PublishedMinerData returns the json-full-miner_data message: the fields of get_miner_data without those of Common.
func PublishedMinerData(r GetMinerDataResponse) []byte {
	backlog := r.TxBacklog
	if backlog == nil {
		backlog = []BacklogTx{}
	}
	return published(struct {
		MajorVersion          uint8       `json:"major_version"`
		Height                uint64      `json:"height"`
		PrevID                string      `json:"prev_id"`
		TreeLayers            *uint8      `json:"fcmp_pp_n_tree_layers,omitempty"`
		TreeRoot              string      `json:"fcmp_pp_tree_root,omitempty"`
		SeedHash              string      `json:"seed_hash"`
		Difficulty            string      `json:"difficulty"`
		MedianWeight          uint64      `json:"median_weight"`
		AlreadyGeneratedCoins uint64      `json:"already_generated_coins"`
		TxBacklog             []BacklogTx `json:"tx_backlog"`
	}{
		r.MajorVersion, r.Height, r.PrevID, r.TreeLayers, r.TreeRoot, r.SeedHash, r.Difficulty, r.MedianWeight,
		r.AlreadyGeneratedCoins, backlog,
	})
}

func published(v any) []byte {
	b, err := json.Marshal(v)
	if err != nil {
		panic("unreachable: numbers, strings and lists always encode")
	}
	return b
}
