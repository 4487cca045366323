package daemonrpc

import (
	"encoding/hex"
	"encoding/json"

	"glim/core/block"
	"glim/core/tx"
)

// The reference encodes blocks and transactions as JSON within a string. Supported are coinbases and transactions of
// RingCT type 6.
// Source: src/cryptonote_basic/cryptonote_basic.h and src/ringct/rctTypes.h, BEGIN_SERIALIZE_OBJECT.

type key32 [32]byte

func (k key32) MarshalText() ([]byte, error) { return []byte(hex.EncodeToString(k[:])), nil }

type jsonBlock[T any] struct {
	MajorVersion uint8   `json:"major_version"`
	MinorVersion uint8   `json:"minor_version"`
	Timestamp    uint64  `json:"timestamp"`
	PrevID       key32   `json:"prev_id"`
	Nonce        uint32  `json:"nonce"`
	MinerTx      *T      `json:"miner_tx"`
	TxHashes     []key32 `json:"tx_hashes"`
	TreeLayers   *uint8  `json:"fcmp_pp_n_tree_layers,omitempty"`
	TreeRoot     *key32  `json:"fcmp_pp_tree_root,omitempty"`
}

type jsonTx struct {
	Version    uint64        `json:"version"`
	UnlockTime uint64        `json:"unlock_time"`
	Vin        []jsonInput   `json:"vin"`
	Vout       []jsonOutput  `json:"vout"`
	Extra      []int         `json:"extra"`
	Signatures *[]string     `json:"signatures,omitempty"`
	RingCT     *jsonRingCT   `json:"rct_signatures,omitempty"`
	Prunable   *jsonPrunable `json:"rctsig_prunable,omitempty"`
}

type jsonInput struct {
	Gen *jsonGen `json:"gen,omitempty"`
	Key *jsonKey `json:"key,omitempty"`
}

type jsonGen struct {
	Height uint64 `json:"height"`
}

type jsonKey struct {
	Amount     uint64   `json:"amount"`
	KeyOffsets []uint64 `json:"key_offsets"`
	KImage     key32    `json:"k_image"`
}

type jsonOutput struct {
	Amount uint64     `json:"amount"`
	Target jsonTarget `json:"target"`
}

type jsonTarget struct {
	Key       *key32      `json:"key,omitempty"`
	TaggedKey *jsonTagged `json:"tagged_key,omitempty"`
	Carrot    *jsonCarrot `json:"carrot_v1,omitempty"`
}

type jsonCarrot struct {
	Key     key32  `json:"key"`
	ViewTag string `json:"view_tag"`
	Anchor  string `json:"encrypted_janus_anchor"`
}

// offsetsOf returns the key offsets of an input: an empty list, which JSON does not write as null, after the next hard
// fork.
func offsetsOf(in *tx.Input) []uint64 {
	if in.KeyOffsets == nil {
		return []uint64{}
	}
	return in.KeyOffsets
}

// carrotOf returns the JSON of output i of Carrot.
func carrotOf(t *tx.Transaction, i int) *jsonCarrot {
	c := &t.Carrot[i]
	return &jsonCarrot{key32(t.Outputs[i].Key), hex.EncodeToString(c.ViewTag[:]), hex.EncodeToString(c.Anchor[:])}
}

type jsonTagged struct {
	Key     key32  `json:"key"`
	ViewTag string `json:"view_tag"`
}

type jsonRingCT struct {
	Type     uint8      `json:"type"`
	TxnFee   *uint64    `json:"txnFee,omitempty"`
	EcdhInfo []jsonEcdh `json:"ecdhInfo,omitempty"`
	OutPk    []key32    `json:"outPk,omitempty"`
}

type jsonEcdh struct {
	Amount string `json:"amount"`
}

type jsonPrunable struct {
	NBP        int         `json:"nbp"`
	BPP        []jsonBPP   `json:"bpp"`
	CLSAGs     []jsonCLSAG `json:"CLSAGs"`
	PseudoOuts []key32     `json:"pseudoOuts"`
}

type jsonBPP struct {
	A  key32   `json:"A"`
	A1 key32   `json:"A1"`
	B  key32   `json:"B"`
	R1 key32   `json:"r1"`
	S1 key32   `json:"s1"`
	D1 key32   `json:"d1"`
	L  []key32 `json:"L"`
	R  []key32 `json:"R"`
}

type jsonCLSAG struct {
	S  []key32 `json:"s"`
	C1 key32   `json:"c1"`
	D  key32   `json:"D"`
}

func keys32[K ~[32]byte](list []K) []key32 {
	out := make([]key32, len(list))
	for i := range list {
		out[i] = key32(list[i])
	}
	return out
}

// DescribeBlock returns the JSON of a block of hard fork 1 or 16, or of the next one.
func DescribeBlock(b *block.Block) string {
	return jsonText(blockWith(b, describe(&b.MinerTx, true)))
}

// blockWith returns the JSON form of a block with the given coinbase.
func blockWith[T any](b *block.Block, coinbase *T) jsonBlock[T] {
	j := jsonBlock[T]{
		MajorVersion: b.Major, MinorVersion: b.Minor, Timestamp: b.Timestamp, PrevID: key32(b.Prev), Nonce: b.Nonce,
		MinerTx: coinbase, TxHashes: keys32(b.TxHashes),
	}
	if b.Tree != nil {
		j.TreeLayers, j.TreeRoot = &b.Tree.Layers, (*key32)(&b.Tree.Root)
	}
	return j
}

// BlockJSON returns the JSON of a block as in get_block, or false if the coinbase has version 1, as before hard fork 4.
func BlockJSON(b *block.Block) (string, bool) {
	if b.MinerTx.Version == 1 {
		return "", false
	}
	return DescribeBlock(b), true
}

// TxJSON returns the JSON of a transaction as in get_transactions, with its proofs if whole is set. It returns false
// for transactions that hard fork 16 does not allow.
func TxJSON(t *tx.Transaction, whole bool) (string, bool) {
	if t.Version == 1 || t.RingCT.Type != tx.RingCTNull && t.RingCT.Type != tx.RingCTBulletproofPlus {
		return "", false
	}
	return DescribeTx(t, whole), true
}

// DescribeTx returns the JSON of a transaction that hard fork 16 allows, with its proofs if whole is set.
func DescribeTx(t *tx.Transaction, whole bool) string { return jsonText(describe(t, whole)) }

func jsonText(v any) string {
	b, err := json.MarshalIndent(v, "", "  ")
	if err != nil {
		panic("unreachable: numbers, strings and lists always encode")
	}
	return string(b)
}

func describe(t *tx.Transaction, whole bool) *jsonTx {
	j := &jsonTx{Version: t.Version, UnlockTime: t.UnlockTime, Extra: make([]int, len(t.Extra))}
	for i, c := range t.Extra {
		j.Extra[i] = int(c)
	}
	for i := range t.Inputs {
		in := &t.Inputs[i]
		if in.Coinbase {
			j.Vin = append(j.Vin, jsonInput{Gen: &jsonGen{in.Height}})
		} else {
			j.Vin = append(j.Vin, jsonInput{Key: &jsonKey{in.Amount, offsetsOf(in), key32(in.KeyImage)}})
		}
	}
	for i := range t.Outputs {
		out := &t.Outputs[i]
		target := jsonTarget{TaggedKey: &jsonTagged{key32(out.Key), hex.EncodeToString([]byte{out.ViewTag})}}
		if !out.Tagged {
			key := key32(out.Key)
			target = jsonTarget{Key: &key}
		}
		if t.Carrot != nil {
			target = jsonTarget{Carrot: carrotOf(t, i)}
		}
		j.Vout = append(j.Vout, jsonOutput{out.Amount, target})
	}
	if t.Version == 1 {
		if whole {
			j.Signatures = &[]string{}
		}
		return j
	}
	j.RingCT = &jsonRingCT{Type: uint8(t.RingCT.Type)}
	if t.RingCT.Type == tx.RingCTNull {
		return j
	}
	fee := t.RingCT.Fee
	j.RingCT.TxnFee, j.RingCT.OutPk = &fee, keys32(t.RingCT.Commitments)
	for i := range t.RingCT.Ecdh {
		j.RingCT.EcdhInfo = append(j.RingCT.EcdhInfo, jsonEcdh{hex.EncodeToString(t.RingCT.Ecdh[i].Amount[:8])})
	}
	if p := t.RingCT.Prunable; whole && p != nil {
		j.Prunable = &jsonPrunable{NBP: len(p.BulletproofsPlus), PseudoOuts: keys32(p.PseudoOuts)}
		for i := range p.BulletproofsPlus {
			j.Prunable.BPP = append(j.Prunable.BPP, describeProof(&p.BulletproofsPlus[i]))
		}
		for i := range p.CLSAGs {
			j.Prunable.CLSAGs = append(j.Prunable.CLSAGs, describeSignature(&p.CLSAGs[i]))
		}
	}
	return j
}

func describeProof(b *tx.BulletproofPlus) jsonBPP {
	return jsonBPP{b.A, b.A1, b.B, b.R1, b.S1, b.D1, keys32(b.L), keys32(b.R)}
}

func describeSignature(c *tx.CLSAG) jsonCLSAG { return jsonCLSAG{keys32(c.S), c.C1, c.D} }
