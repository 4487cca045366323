// Package phone is the part of a light wallet that the tests of the light-wallet server need: it pays, and recognises
// what it spent, from the answers of the server alone.
package phone

import (
	"bytes"
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"errors"
	"slices"
	"strconv"

	"glim/core/address"
	"glim/core/crypto/edwards"
	"glim/core/decoy"
	"glim/core/fee"
	"glim/core/keys"
	"glim/core/txbuild"
	"glim/core/xmr"
)

// Wallet is a wallet of a private chain. Its methods return errors of decoding, and those of package txbuild.
type Wallet struct{ Keys *keys.Keys }

// Address returns an address of the wallet.
func (w Wallet) Address(i keys.Index) address.Address {
	spend, view := w.Keys.Address(i)
	return address.At(xmr.Regtest, i, spend, view)
}

// ErrFew reports that the server has too few outputs for a ring.
var ErrFew = errors.New("phone: too few outputs")

type unspent struct {
	Fees    []uint64       `json:"fees"`
	Mask    uint64         `json:"fee_mask"`
	Outputs []unspentEntry `json:"outputs"`
}

type unspentEntry struct {
	Amount    string                        `json:"amount"`
	Key       string                        `json:"public_key"`
	Index     uint64                        `json:"index"`
	Global    uint64                        `json:"global_index"`
	Tx        string                        `json:"tx_hash"`
	TxKey     string                        `json:"tx_pub_key"`
	Height    uint64                        `json:"height"`
	Rct       string                        `json:"rct"`
	Recipient struct{ Maj_i, Min_i uint32 } `json:"recipient"`
}

// input returns an output as the input of a transaction.
func (w Wallet) input(o unspentEntry) (in txbuild.Input, err error) {
	var all []error
	key := func(text string) [32]byte {
		k, err := xmr.ParseKey(text)
		all = append(all, err)
		return k
	}
	amount, err := strconv.ParseUint(o.Amount, 10, 64)
	all = append(all, err)
	rct, err := hex.DecodeString(o.Rct)
	if err != nil || len(rct) != 96 {
		return in, errors.Join(err, errors.New("phone: rct must have 96 bytes"))
	}
	in = txbuild.Input{
		TxID: xmr.Hash(key(o.Tx)), Index: o.Index, GlobalIndex: o.Global, Amount: amount, Mask: [32]byte(rct[32:]),
		Key: key(o.Key), Height: o.Height, RingCT: true,
		Address: keys.Index{Major: o.Recipient.Maj_i, Minor: o.Recipient.Min_i},
	}
	txKey := key(o.TxKey)
	if err := errors.Join(all...); err != nil {
		return in, err
	}
	shared, err := edwards.Derive(w.Keys.ViewScalar(), txKey)
	if err != nil {
		return in, err
	}
	in.Derivation = shared
	if !bytes.Equal(rct[:32], make([]byte, 32)) { // no coinbase
		_, m := keys.DecryptLongAmount(shared.Scalar(o.Index), in.Mask, [32]byte(rct[64:]))
		in.Mask = edwards.EncodeScalar(m)
	}
	return in, nil
}

// ring returns a ring of an input and of outputs in an answer to /get_random_outs.
func ring(in txbuild.Input, answer []byte) (decoy.Ring, error) {
	var random struct {
		Rings []struct {
			Outputs []struct {
				Global string `json:"global_index"`
				Key    string `json:"public_key"`
				Rct    string `json:"rct"`
			} `json:"outputs"`
		} `json:"amount_outs"`
	}
	if err := json.Unmarshal(answer, &random); err != nil {
		return decoy.Ring{}, err
	}
	out := decoy.Ring{Members: []decoy.Member{{Index: in.GlobalIndex, Key: in.Key, Commitment: in.Commitment()}}}
	for _, list := range random.Rings {
		for _, r := range list.Outputs {
			n, err := strconv.ParseUint(r.Global, 10, 64)
			key, errKey := xmr.ParseKey(r.Key)
			commitment, errRct := xmr.ParseKey(r.Rct[:min(64, len(r.Rct))])
			if err := errors.Join(err, errKey, errRct); err != nil {
				return out, err
			}
			known := slices.ContainsFunc(out.Members, func(m decoy.Member) bool { return m.Index == n })
			if !known && len(out.Members) < xmr.RingSize {
				out.Members = append(out.Members, decoy.Member{Index: n, Key: key, Commitment: commitment})
			}
		}
	}
	if len(out.Members) != xmr.RingSize {
		return out, ErrFew
	}
	slices.SortFunc(out.Members, func(a, b decoy.Member) int { return int(int64(a.Index) - int64(b.Index)) })
	out.Real = slices.IndexFunc(out.Members, func(m decoy.Member) bool { return m.Index == in.GlobalIndex })
	return out, nil
}

// Pay returns a transaction that spends the first output of an answer to /get_unspent_outs, with decoys of an answer to
// /get_random_outs. It returns ErrFew if one of them has too few.
func (w Wallet) Pay(unspentOuts, randomOuts []byte, to address.Address, amount uint64) ([]byte, error) {
	var u unspent
	if err := json.Unmarshal(unspentOuts, &u); err != nil {
		return nil, err
	}
	if len(u.Outputs) == 0 {
		return nil, ErrFew
	}
	in, err := w.input(u.Outputs[0])
	if err != nil {
		return nil, err
	}
	r, err := ring(in, randomOuts)
	if err != nil {
		return nil, err
	}
	estimate, err := fee.NewEstimate(fee.CeilingFor(xmr.Regtest), u.Fees, u.Mask)
	if err != nil {
		return nil, err
	}
	made, err := txbuild.Construct(rand.Reader, w.Keys, txbuild.Plan{
		Inputs: []txbuild.Input{in}, Destinations: []txbuild.Destination{{Address: to, Amount: amount}},
		Change: w.Address(keys.Index{}),
	}, []decoy.Ring{r}, txbuild.Rate{Fees: estimate, Priority: fee.Slow})
	if err != nil {
		return nil, err
	}
	return made.Blob, nil
}

// Spend is a ring in an answer to /get_address_info that may spend an output of the wallet.
type Spend struct {
	Image  string `json:"key_image"`
	TxKey  string `json:"tx_pub_key"`
	Index  uint64 `json:"out_index"`
	Sender struct{ Maj_i, Min_i uint32 }
}

// Spent reports whether a ring spends an output of the wallet.
func (w Wallet) Spent(s Spend) (bool, error) {
	txKey, err := xmr.ParseKey(s.TxKey)
	if err != nil {
		return false, err
	}
	d, err := edwards.Derive(w.Keys.ViewScalar(), txKey)
	if err != nil {
		return false, err
	}
	at := keys.Index{Major: s.Sender.Maj_i, Minor: s.Sender.Min_i}
	public, err := d.PublicKey(s.Index, w.Keys.SpendKey(at))
	if err != nil {
		return false, err
	}
	image, ok, err := w.Keys.KeyImage(d, s.Index, at, public)
	return ok && image.String() == s.Image, err
}
