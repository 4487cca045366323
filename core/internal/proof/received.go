package proof

import (
	"encoding/hex"

	"glim/core/address"
	"glim/core/crypto/edwards"
	"glim/core/keys"
	"glim/core/scan"
	"glim/core/smallfmt"
	"glim/core/tx"
	"glim/core/xmr"
)

// TxKey has the secret keys of a transaction, with which its sender can prove payments. Formatting it never prints
// them.
type TxKey struct {
	Main       keys.Secret
	Additional []keys.Secret // one per output, or none
}

// Text returns all keys as one string of hexadecimal digits, as get_tx_key does.
// Source: src/wallet/wallet_rpc_server.cpp, on_get_tx_key.
func (k TxKey) Text() string {
	b := append([]byte(nil), k.Main[:]...)
	for i := range k.Additional {
		b = append(b, k.Additional[i][:]...)
	}
	return hex.EncodeToString(b)
}

// ParseTxKey reads the format of Text, in digits of either case. It returns ErrTxKey for other text or a key that is
// not reduced. Zero is valid and has received nothing.
// Source: src/wallet/wallet_rpc_server.cpp, on_check_tx_key.
func ParseTxKey(text string) (TxKey, error) {
	b, err := smallfmt.Unhex(text)
	if err != nil || len(b) == 0 || len(b)%32 != 0 {
		return TxKey{}, ErrTxKey
	}
	var k TxKey
	for i := 0; i < len(b); i += 32 {
		key := keys.Secret(b[i : i+32])
		if _, err := edwards.DecodeScalar(key); err != nil {
			return TxKey{}, ErrTxKey
		}
		if i == 0 {
			k.Main = key
		} else {
			k.Additional = append(k.Additional, key)
		}
	}
	return k, nil
}

// scalars returns the main key and the additional ones.
func (k TxKey) scalars() ([]*edwards.Scalar, error) {
	out := make([]*edwards.Scalar, 1+len(k.Additional))
	for i := range out {
		key := k.Main
		if i > 0 {
			key = k.Additional[i-1]
		}
		s, err := edwards.DecodeScalar(key)
		if err != nil {
			return nil, ErrTxKey
		}
		out[i] = s
	}
	return out, nil
}

// ReceivedByKey returns the amount that t paid to a, in atomic units, given its secret keys. Amounts count only if they
// open their commitments. It returns ErrTxKey, also for a wrong number of additional keys; edwards.ErrPoint for the
// address; xmr.ErrOverflow.
// Source: src/wallet/wallet2.cpp, check_tx_key.
func ReceivedByKey(t *tx.Transaction, k TxKey, a address.Address) (uint64, error) {
	if len(k.Additional) != 0 && len(k.Additional) != len(t.Outputs) {
		return 0, ErrTxKey
	}
	secrets, err := k.scalars()
	if err != nil {
		return 0, err
	}
	if isCarrot(t) {
		return carrotByKey(t, secrets, a)
	}
	shared := make([]*edwards.Derivation, len(secrets))
	for i, s := range secrets {
		d, err := edwards.Derive(s, a.View)
		if err != nil {
			return 0, err
		}
		shared[i] = &d
	}
	return received(t, shared, a.Spend)
}

// received sums the payments of t to the spend key, by the first derivation or by the output's additional one. A nil
// derivation is unknown.
// Source: src/wallet/wallet2.cpp, check_tx_key_helper and is_out_to_acc.
func received(t *tx.Transaction, shared []*edwards.Derivation, spend xmr.PublicKey) (total uint64, err error) {
	for o := range t.Outputs {
		for _, i := range []int{0, o + 1} {
			if i >= len(shared) || shared[i] == nil || !pays(&t.Outputs[o], o, *shared[i], spend) {
				continue
			}
			if amount, ok := amountOf(t, o, *shared[i]); ok {
				if total, err = xmr.Sum(total, amount); err != nil {
					return 0, err
				}
			}
			break
		}
	}
	return total, nil
}

// pays reports whether out, the output number o, is the one that d and the spend key give.
func pays(out *tx.Output, o int, d edwards.Derivation, spend xmr.PublicKey) bool {
	if out.Tagged && d.ViewTag(uint64(o)) != out.ViewTag {
		return false
	}
	key, err := d.PublicKey(uint64(o), spend)
	return err == nil && out.Key == key
}

// amountOf returns the amount of output o of t in atomic units; false when it does not open its commitment.
func amountOf(t *tx.Transaction, o int, d edwards.Derivation) (uint64, bool) {
	visible := t.Outputs[o].Amount
	if t.Version == 1 || t.RingCT.Type == tx.RingCTNull {
		return visible, true
	}
	if visible != 0 {
		return 0, false // RingCT amounts are hidden
	}
	amount, _, ok := scan.Amount(t, o, d)
	return amount, ok
}
