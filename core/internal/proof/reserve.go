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
	"glim/core/internal/order"
	"glim/core/keys"
	"glim/core/tx"
	"glim/core/xmr"
)

// Holding is an output of one's own that has not been spent.
type Holding struct {
	Owned
	TxID   xmr.Hash
	Image  xmr.KeyImage
	Amount uint64 // atomic units
}

// SelectReserve returns what of one account's holdings a proof of at least amount shows, which tells as little as
// possible: the smallest output that covers it alone or else the largest ones. Errors: ErrAmount, ErrNotEnough.
// Source: src/wallet/wallet2.cpp, get_reserve_proof.
func SelectReserve(all []Holding, account uint32, amount uint64) ([]Holding, error) {
	var own []Holding
	for _, h := range all {
		if h.Address.Major == account {
			own = append(own, h)
		}
	}
	order.Stable(own, func(a, b Holding) int { return cmp.Compare(b.Amount, a.Amount) })
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

// ProveReserve returns a proof that the owner of k holds the outputs of all, whose transactions are txs, by entry. It reveals
// their key images, thus when they are spent. Errors: ErrNotEnough for no outputs; ErrViewOnly; ErrSecret when an output is
// not k's; ErrTransaction when a transaction is not the output's; that of random; those of a Prover. Constant time in the keys.
// Of outputs with one key, of which only one can ever be spent, all may hold one: with two it is ErrTransaction. ErrMessage for a
// message that would have something else signed, too.
// Source: src/wallet/wallet2.cpp, get_reserve_proof.
func ProveReserve(random io.Reader, k *keys.Keys, all []Holding, txs []*tx.Transaction, message string) (string, error) {
	return proveReserve(random, dleq.V2, k, all, txs, message)
}

func proveReserve(random io.Reader, v dleq.Version, k *keys.Keys, all []Holding, txs []*tx.Transaction, message string) (string, error) {
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
	if k.Away() {
		return elsewhere(k, func(ctx context.Context, p Prover) (string, error) { return p.ProveReserve(ctx, all, txs, message) })
	}
	p := &Reserve{version: v, entries: make([]reserveEntry, len(all))}
	names := []keys.Index{{}}
	for i, h := range all {
		p.entries[i] = reserveEntry{txID: h.TxID, output: h.Output, image: h.Image}
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

// safe reports whether what is hashed of a message, with what follows it, cannot be another thing that the same keys sign: a signed
// message, or a transaction of version 1, which begins with that number. Both hold bytes that no text has.
func safe(message string) bool {
	return !strings.HasPrefix(message, messagePrefix) && !strings.HasPrefix(message, "\x01")
}

// hash binds every part of the proof to the address, the message and the key images. It does not begin with a length;
// the reference's does not either.
func (p *Reserve) hash(spend, view xmr.PublicKey, message string) [32]byte {
	b := slices.Concat([]byte(message), spend[:], view[:])
	for i := range p.entries {
		b = append(b, p.entries[i].image[:]...)
	}
	return keccak.Sum256(b)
}

func (e *reserveEntry) prove(random io.Reader, v dleq.Version, k *keys.Keys, h *Holding, t *tx.Transaction, hash [32]byte) error {
	if identify(h.TxID, t) != nil || h.Output >= uint64(len(t.Outputs)) || t.Outputs[h.Output].Key != h.Key {
		return ErrTransaction
	}
	x, err := h.secret(k)
	if err != nil {
		return err
	}
	view := k.ViewScalar()
	st := dleq.Statement{Public: k.ViewPublic}
	used := false
	for _, st.Other = range outputKeys(t, h.Output) {
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

// outputKeys returns the public keys of t that output o may have been made with. The reference looks at the first only,
// and at the additional one.
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

// Source is a transaction as somebody fetched it who vouches for the ID; of a whole one Check computes it.
type Source struct {
	ID    xmr.Hash
	Tx    *tx.Transaction
	Mined bool
}

// Check returns the sum of the outputs that the proof shows the owner of a to hold, and what of it was spent since, in atomic units.
// Txs and spent have an entry for each of TxIDs and KeyImages: the transaction, and whether the chain has the key image.
// An amount counts only when it opens its commitment, a key image only in the subgroup of prime order.
// Errors: ErrInvalid; ErrMalformed when the proof is not about a; ErrAddress; ErrTransaction, ErrUnconfirmed; xmr.ErrOverflow.
// Source: src/wallet/wallet2.cpp, check_reserve_proof.
func (p *Reserve) Check(a address.Address, message string, txs []Source, spent []bool) (total, gone uint64, err error) {
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

func (p *Reserve) checkEntry(e *reserveEntry, s Source, view xmr.PublicKey, hash [32]byte, names map[xmr.PublicKey]bool) (uint64, error) {
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
