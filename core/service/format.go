package service

import (
	"encoding/hex"

	"glim/core/address"
	"glim/core/keys"
	"glim/core/wallet"
	"glim/core/walletrpc"
	"glim/core/xmr"
)

type empty = walletrpc.Empty

func index(i keys.Index) walletrpc.SubaddressIndex {
	return walletrpc.SubaddressIndex{Major: i.Major, Minor: i.Minor}
}

func indices(account uint32, ofAccount []uint32) (out []walletrpc.SubaddressIndex) {
	for _, minor := range ofAccount {
		out = append(out, walletrpc.SubaddressIndex{Major: account, Minor: minor})
	}
	return out
}

func destinations(ds []wallet.Destination) []walletrpc.Destination {
	out := make([]walletrpc.Destination, len(ds))
	for i, d := range ds {
		out[i] = walletrpc.Destination{Amount: d.Amount, Address: d.Address}
	}
	return out
}

// paymentIDText returns 16 digits for a short payment ID and 64 for a long one.
func paymentIDText(id xmr.Hash) string {
	if [24]byte(id[8:]) == ([24]byte{}) {
		return hex.EncodeToString(id[:8])
	}
	return id.String()
}

// txKeyText concatenates a transaction's secret keys, as the reference does.
func txKeyText(key keys.Secret, additional []keys.Secret) string {
	text := hex.EncodeToString(key[:])
	for _, k := range additional {
		text += hex.EncodeToString(k[:])
	}
	return text
}

// parseTxID parses a transaction ID. It returns CodeWrongTxID if the ID is malformed.
func parseTxID(text string) (xmr.Hash, error) {
	id, err := xmr.ParseHash(text)
	if err != nil {
		return id, walletrpc.Fail(walletrpc.CodeWrongTxID, "TX ID has invalid format")
	}
	return id, nil
}

// txIDs parses transaction IDs. It returns CodeWrongTxID if one is malformed.
func txIDs(texts []string) ([]xmr.Hash, error) {
	ids := make([]xmr.Hash, len(texts))
	for i, text := range texts {
		id, err := parseTxID(text)
		if err != nil {
			return nil, err
		}
		ids[i] = id
	}
	return ids, nil
}

func primary(o wallet.Identity) string {
	return address.Address{Network: o.Network, Kind: address.Standard, Spend: o.Keys.SpendPublic,
		View: o.Keys.ViewPublic}.String()
}

func first(list []string) string {
	if len(list) == 0 {
		return ""
	}
	return list[0]
}

// countUp returns count consecutive numbers, beginning with first.
func countUp(first, count uint32) []uint32 {
	out := make([]uint32, count)
	for i := range out {
		out[i] = first + uint32(i)
	}
	return out
}

// less subtracts amounts. Forged responses of a daemon could make the result negative; it is 0 then.
func less(amount uint64, taken ...uint64) uint64 {
	for _, t := range taken {
		amount -= min(t, amount)
	}
	return amount
}
