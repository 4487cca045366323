package proof

import (
	"cmp"
	"context"
	"io"
	"slices"
	"strings"

	"glim/core/address"
	"glim/core/crypto/edwards"
	"glim/core/crypto/keccak"
	"glim/core/internal/crypto/dleq"
	"glim/core/internal/crypto/ringsig"
	"glim/core/internal/crypto/schnorr"
	"glim/core/internal/smallsort"
	"glim/core/keys"
	"glim/core/tx"
	"glim/core/xmr"
)

// Holding is an unspent output of the wallet.
type Holding struct {
	keys.OwnOutput
	TxID   xmr.Hash
	Image  xmr.KeyImage
	Amount uint64 // atomic units
}

// SelectReserve returns the outputs of an account for a proof of at least amount that reveals little: the smallest
// output that suffices alone, or else the largest ones. It returns ErrAmount or ErrNotEnough.
// Source: src/wallet/wallet2.cpp, get_reserve_proof.
func SelectReserve(all []Holding, account uint32, amount uint64) ([]Holding, error) {
	var own []Holding
	for _, h := range all {
		if h.Address.Major == account {
			own = append(own, h)
		}
	}
	smallsort.Stable(own, func(a, b Holding) int { return cmp.Compare(b.Amount, a.Amount) })
	if amount == 0 {
		return nil, ErrAmount
	}
	for len(own) >= 2 && own[1].Amount >= amount {
		own = own[1:]
	}
	var total uint64
	for i, h := range own {
		var err error
		if total, err = xmr.Sum(total, h.Amount); err != nil || total >= amount {
			return own[:i+1], nil
		}
	}
	return nil, ErrNotEnough
}

// ProveReserve returns a proof that the owner of k holds the outputs of all; txs are their transactions in the same
// order. It reveals the key images, and so when the outputs are spent. It returns ErrNotEnough without outputs;
// ErrViewOnly; ErrSecret when an output is not k's; ErrTransaction when a transaction does not contain its output, or
// two outputs have the same key, since only one of them can be spent; ErrMessage; the errors of random and of an
// ExternalProver. Constant time in the keys.
// Source: src/wallet/wallet2.cpp, get_reserve_proof.
func ProveReserve(
	random io.Reader, k *keys.Keys, all []Holding, txs []*tx.Transaction, message string,
) (string, error) {
	return proveReserve(random, dleq.V2, k, all, txs, message)
}

func proveReserve(
	random io.Reader, v dleq.Version, k *keys.Keys, all []Holding, txs []*tx.Transaction, message string,
) (string, error) {
	if !k.CanSpend() {
		return "", ErrViewOnly
	}
	if !safe(message) {
		return "", ErrMessage
	}
	if len(all) == 0 {
		return "", ErrNotEnough
	}
	if len(txs) != len(all) {
		return "", ErrTransaction
	}
	if k.External() {
		return proveExternally(k, func(ctx context.Context, p ExternalProver) (string, error) {
			return p.ProveReserve(ctx, all, txs, message)
		})
	}
	p := &Reserve{version: v, entries: make([]reserveEntry, len(all))}
	names := []keys.Index{{}}
	for i, h := range all {
		p.entries[i] = reserveEntry{txID: h.TxID, output: h.Index, image: h.Image}
		if !slices.Contains(names, h.Address) {
			names = append(names, h.Address)
		}
	}
	hash := p.hash(k.SpendPublic, k.ViewPublic, message)
	for i := range all {
		if err := p.entries[i].prove(random, v, k, &all[i], txs[i], hash); err != nil {
			return "", err
		}
	}
	for _, i := range names {
		n := signedName{}
		n.spend, _ = k.Address(i)
		x, view, _ := k.AddressSecrets(i)
		var err error
		n.sig, err = schnorr.Sign(random, hash, n.spend, x)
		edwards.Wipe(view)
		edwards.Wipe(x)
		if err != nil {
			return "", err
		}
		p.names = append(p.names, n)
	}
	if p.repeats() {
		return "", ErrTransaction
	}
	return p.Text(), nil
}

// safe reports whether the hashed data of a proof with this message cannot be that of another kind that the same keys
// sign: a signed message, or a transaction of version 1, which begins with that number. Both contain bytes that text
// does not.
func safe(message string) bool {
	return !strings.HasPrefix(message, messagePrefix) && !strings.HasPrefix(message, "\x01")
}

// hash binds the proof to the address, the message and the key images. As in the reference, its input does not begin
// with a length.
func (p *Reserve) hash(spend, view xmr.PublicKey, message string) [32]byte {
	b := slices.Concat([]byte(message), spend[:], view[:])
	for i := range p.entries {
		b = append(b, p.entries[i].image[:]...)
	}
	return keccak.Sum256(b)
}

func (e *reserveEntry) prove(
	random io.Reader, v dleq.Version, k *keys.Keys, h *Holding, t *tx.Transaction, hash [32]byte,
) error {
	if identify(h.TxID, t) != nil || h.Index >= uint64(len(t.Outputs)) || t.Outputs[h.Index].Key != h.Key {
		return ErrTransaction
	}
	x, err := secretOf(&h.OwnOutput, k)
	if err != nil {
		return err
	}
	view := k.ViewScalar()
	st := dleq.Statement{Public: k.ViewPublic}
	used := false
	for _, st.Other = range outputKeys(t, h.Index) {
		d, err := edwards.Derive(view, st.Other)
		if err == nil && d == h.Derivation {
			used = true
			break
		}
	}
	if !used {
		return ErrTransaction
	}
	if st.Shared, err = times(view, st.Other); err != nil {
		return err
	}
	e.shared = st.Shared
	if e.received, err = dleq.Prove(random, v, hash, st, view); err != nil {
		return err
	}
	sigs, image, err := ringsig.Sign(random, hash, [][32]byte{h.Key}, 0, x)
	edwards.Wipe(x)
	if err != nil {
		return err
	}
	if image != [32]byte(h.Image) {
		return ErrSecret
	}
	e.held = sigs[0]
	return nil
}

// outputKeys returns the public keys of t that can belong to output o. The reference considers only the first and the
// additional one.
func outputKeys(t *tx.Transaction, o uint64) (out [][32]byte) {
	extra, _ := tx.ParseExtra(t.Extra)
	for _, k := range extra.PublicKeys {
		out = append(out, k)
	}
	if len(extra.AdditionalKeys) == len(t.Outputs) {
		out = append(out, extra.AdditionalKeys[o])
	}
	return out
}

// FetchedTx is a transaction with an ID for which the caller vouches; Check computes the ID of a complete one.
type FetchedTx struct {
	ID    xmr.Hash
	Tx    *tx.Transaction
	Mined bool
}

// Check returns the total of the outputs that the proof attributes to the owner of a, and how much of it was spent
// since, in atomic units. txs and spent have one entry for each of TxIDs and KeyImages: the transaction, and whether
// the key image is spent on the chain. An amount counts only if it opens its commitment, a key image only if it is in
// the prime-order subgroup. It returns ErrInvalid; ErrMalformed when the proof is not for a; ErrAddress;
// ErrTransaction; ErrUnconfirmed; xmr.ErrOverflow.
// Source: src/wallet/wallet2.cpp, check_reserve_proof.
func (p *Reserve) Check(
	a address.Address, message string, txs []FetchedTx, spent []bool,
) (total, gone uint64, err error) {
	if a.Kind == address.Subaddress {
		return 0, 0, ErrAddress
	}
	if len(txs) != len(p.entries) || len(spent) != len(p.entries) {
		return 0, 0, ErrTransaction
	}
	names := map[xmr.PublicKey]bool{}
	for i := range p.names {
		names[p.names[i].spend] = true
	}
	if !names[a.Spend] {
		return 0, 0, ErrMalformed
	}
	hash := p.hash(a.Spend, a.View, message)
	for i := range p.names {
		if schnorr.Verify(hash, p.names[i].spend, p.names[i].sig) != nil {
			return 0, 0, ErrInvalid
		}
	}
	for i := range p.entries {
		amount, err := p.checkEntry(&p.entries[i], txs[i], a.View, hash, names)
		if err != nil {
			return 0, 0, err
		}
		if total, err = xmr.Sum(total, amount); err != nil {
			return 0, 0, err
		}
		if spent[i] {
			gone += amount // at most total
		}
	}
	return total, gone, nil
}

func (p *Reserve) checkEntry(
	e *reserveEntry, s FetchedTx, view xmr.PublicKey, hash [32]byte, names map[xmr.PublicKey]bool,
) (uint64, error) {
	if s.ID != e.txID || identify(s.ID, s.Tx) != nil {
		return 0, ErrTransaction
	}
	if !s.Mined {
		return 0, ErrUnconfirmed
	}
	if e.output >= uint64(len(s.Tx.Outputs)) {
		return 0, ErrTransaction
	}
	key := s.Tx.Outputs[e.output].Key

	known := false
	for _, r := range outputKeys(s.Tx, e.output) {
		st := dleq.Statement{Public: view, Other: r, Shared: e.shared}
		known = known || dleq.Verify(p.version, hash, st, e.received) == nil
	}
	if !known || ringsig.Verify(hash, [][32]byte{key}, e.image, []ringsig.Signature{e.held}) != nil {
		return 0, ErrInvalid
	}
	d, err := derivation(e.shared)
	if err != nil {
		return 0, ErrInvalid
	}
	spend, err := d.SpendKey(e.output, key)
	if err != nil || !names[spend] {
		return 0, ErrInvalid
	}
	amount, ok := amountOf(s.Tx, int(e.output), d)
	if !ok {
		return 0, ErrInvalid
	}
	return amount, nil
}
