package fcmptx

import (
	"glim/core/carrot"
	"glim/core/tx"
	"glim/core/xmr"
)

// coinbaseUnlock is the number of blocks that a reward is locked for. Source: src/cryptonote_config.h,
// CRYPTONOTE_MINED_MONEY_UNLOCK_WINDOW.
const coinbaseUnlock = xmr.CoinbaseUnlock

// New returns a transaction with these outputs, in their order, without Proofs. The outputs must have been made for the
// first key image. paymentID is encrypted.
// Source: src/carrot_impl/format_utils.cpp, store_carrot_to_transaction_v1.
func New(outputs []carrot.Enote, images []xmr.KeyImage, fee uint64, paymentID [8]byte) *Transaction {
	t := &Transaction{Fee: fee}
	for _, image := range images {
		t.Inputs = append(t.Inputs, tx.Input{KeyImage: image})
	}
	ephemeral := make([][32]byte, len(outputs))
	for i := range outputs {
		e := &outputs[i]
		t.Outputs = append(t.Outputs, Output{Key: e.Key, ViewTag: e.ViewTag, Anchor: e.Anchor})
		t.Amounts = append(t.Amounts, e.Amount)
		t.Commitments = append(t.Commitments, e.Commitment)
		ephemeral[i] = e.Ephemeral
	}
	t.Extra = tx.AppendEncryptedPaymentID(appendEphemeral(nil, ephemeral), paymentID)
	return t
}

// NewCoinbase returns the coinbase of a block with these outputs, in their order. nonce is added to extra; it has at
// most 255 bytes, otherwise NewCoinbase returns an error of package wire.
// Source: src/carrot_impl/format_utils.cpp, store_carrot_to_coinbase_transaction_v1.
func NewCoinbase(outputs []carrot.CoinbaseEnote, height uint64, nonce []byte) (*tx.Transaction, error) {
	t := &tx.Transaction{
		Version: version, UnlockTime: height + coinbaseUnlock, Inputs: []tx.Input{{Coinbase: true, Height: height}},
	}
	ephemeral := make([][32]byte, len(outputs))
	for i := range outputs {
		e := &outputs[i]
		t.Outputs = append(t.Outputs, tx.Output{Amount: e.Amount, Key: e.Key})
		t.Carrot = append(t.Carrot, tx.Carrot{ViewTag: e.ViewTag, Anchor: e.Anchor})
		ephemeral[i] = e.Ephemeral
	}
	var err error
	t.Extra, err = tx.AppendNonce(appendEphemeral(nil, ephemeral), nonce)
	return t, err
}

// appendEphemeral adds ephemeral keys to extra: one as the transaction key if all outputs share it, which one or two
// outputs may do, otherwise all as additional keys.
// Source: src/carrot_impl/format_utils.cpp, store_carrot_ephemeral_pubkeys_to_extra.
func appendEphemeral(b []byte, keys [][32]byte) []byte {
	if len(keys) == 1 || len(keys) == 2 && keys[0] == keys[1] {
		return tx.AppendPublicKey(b, keys[0])
	}
	list := make([]xmr.PublicKey, len(keys))
	for i := range keys {
		list[i] = keys[i]
	}
	return tx.AppendAdditionalKeys(b, list)
}

// AppendEphemeral appends the ephemeral keys of a transaction of the fork: one for each output, or one that all outputs
// of a transaction other than a coinbase share. It appends nothing if extra does not have so many. The first
// transaction key counts if there is one, otherwise the additional keys. Fields after a malformed one are ignored.
// Source: src/carrot_impl/format_utils.cpp, try_load_carrot_ephemeral_pubkeys_from_extra,
// try_load_carrot_from_transaction_v1 and try_load_carrot_from_coinbase_transaction_v1.
func AppendEphemeral(keys [][32]byte, t *tx.Transaction) [][32]byte {
	start := len(keys)
	keys, additional := tx.AppendKeys(keys, nil, t.Extra)
	if len(keys) > start {
		keys = keys[:start+1]
	} else {
		keys = append(keys, additional...)
	}
	n := len(keys) - start
	if len(t.Inputs) == 0 || n != len(t.Outputs) && (n != 1 || t.IsCoinbase()) {
		return keys[:start]
	}
	return keys
}

// EnoteAt returns what package carrot scans of output o of a transaction of the fork that is not a coinbase. It needs
// the complete key image of the first input. keys are those of AppendEphemeral. Of a transaction without amounts and
// commitments, the enote has a view tag, and cannot be opened.
func EnoteAt(t *tx.Transaction, keys [][32]byte, o int) carrot.Enote {
	e := carrot.Enote{
		Key: t.Outputs[o].Key, Anchor: t.Carrot[o].Anchor, ViewTag: t.Carrot[o].ViewTag,
		Ephemeral: keys[min(o, len(keys)-1)], FirstKeyImage: t.Inputs[0].KeyImage,
	}
	if r := &t.RingCT; o < len(r.Ecdh) && o < len(r.Commitments) {
		e.Amount, e.Commitment = [8]byte(r.Ecdh[o].Amount[:8]), r.Commitments[o]
	}
	return e
}

// CoinbaseEnoteAt is EnoteAt for a coinbase.
func CoinbaseEnoteAt(t *tx.Transaction, keys [][32]byte, o int) carrot.CoinbaseEnote {
	return carrot.CoinbaseEnote{
		Key: t.Outputs[o].Key, Amount: t.Outputs[o].Amount, Anchor: t.Carrot[o].Anchor, ViewTag: t.Carrot[o].ViewTag,
		Ephemeral: keys[o], Height: t.Inputs[0].Height,
	}
}

// Enotes returns what package carrot scans of a transaction, and its encrypted payment ID, or nil. It returns
// ErrEphemeral if extra has neither one ephemeral key nor one for each output.
func (t *Transaction) Enotes() ([]carrot.Enote, *[8]byte, error) {
	w := t.ForWallet()
	keys := AppendEphemeral(nil, w)
	if len(keys) == 0 {
		return nil, nil, ErrEphemeral
	}
	out := make([]carrot.Enote, len(t.Outputs))
	for i := range out {
		out[i] = EnoteAt(w, keys, i)
	}
	extra, _ := tx.ParseExtra(t.Extra)
	return out, extra.EncryptedPaymentID, nil
}

// CoinbaseEnotes returns what package carrot scans of a coinbase. It returns ErrEphemeral if extra does not have one
// ephemeral key for each output, for a transaction that is not a coinbase, and for outputs that are not of Carrot.
func CoinbaseEnotes(t *tx.Transaction) ([]carrot.CoinbaseEnote, error) {
	keys := AppendEphemeral(nil, t)
	if !t.IsCoinbase() || len(keys) == 0 || len(t.Carrot) != len(t.Outputs) {
		return nil, ErrEphemeral
	}
	out := make([]carrot.CoinbaseEnote, len(t.Outputs))
	for i := range out {
		out[i] = CoinbaseEnoteAt(t, keys, i)
	}
	return out, nil
}
