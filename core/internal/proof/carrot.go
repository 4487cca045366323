//go:build !nocarrot

package proof

import (
	"crypto/subtle"
	"io"

	"glim/core/address"
	"glim/core/carrot"
	"glim/core/crypto/edwards"
	"glim/core/fcmptx"
	"glim/core/internal/crypto/dleq"
	"glim/core/keys"
	"glim/core/tx"
	"glim/core/xmr"
)

// Proofs of payments in transactions of the next hard fork are those of today with other keys: the ephemeral keys of
// extra and the shared secrets are u-coordinates of Curve25519, and what is proven is about points of Ed25519 that have
// them. Such a coordinate belongs to two points. An ephemeral key means the one with an even x, and a shared secret
// either: its sign follows from that of the former. There is a link for each ephemeral key.
//
// Sources: github.com/jeffro256/monero, branch knowledge_proofs, src/carrot_impl/knowledge_proofs.cpp (pull request 270
// of seraphis-migration/monero, which is open; wallet2 does not use it yet); github.com/j-berman/monero, branch
// prep-v0.19.0.0-beta.2.1, src/wallet/wallet2.cpp, check_tx_key_helper.

// isCarrot reports whether t is a transaction of the next hard fork.
func isCarrot(t *tx.Transaction) bool { return t != nil && t.Carrot != nil }

// ephemeralKeys returns the ephemeral keys of t: one for each output, or one for all. It returns ErrTransaction if t
// does not have them.
func ephemeralKeys(id xmr.Hash, t *tx.Transaction) ([][32]byte, error) {
	if err := identify(id, t); err != nil {
		return nil, err
	}
	list := fcmptx.AppendEphemeral(nil, t)
	if len(list) == 0 || len(t.Carrot) != len(t.Outputs) {
		return nil, ErrTransaction
	}
	return list, nil
}

// carrotSent returns the links of a proof by the sender. A key that none of the secrets made for a has a link that
// proves nothing. It returns ErrTransaction, ErrNothing for an address that cannot be paid, and the error of random.
// Source: knowledge_proofs.cpp, generate_carrot_tx_proof_normal, which does not take constant time.
func carrotSent(
	random io.Reader, id xmr.Hash, t *tx.Transaction, secrets []*edwards.Scalar, a address.Address, message string,
) ([]link, error) {
	list, err := ephemeralKeys(id, t)
	if err != nil {
		return nil, err
	}
	made := make([]dleq.Statement, len(secrets))
	for i, s := range secrets {
		st := &made[i]
		*st = dleq.Statement{Base: base(a), Other: a.View}
		if st.Base == nil {
			st.Public = new(edwards.Point).ScalarBaseMult(s).Encode()
		} else if st.Public, err = times(s, a.Spend); err != nil {
			return nil, ErrNothing
		}
		even := evenSecret(s, &st.Public)
		defer edwards.Wipe(even)
		secrets[i] = even
	}
	links := make([]link, len(list))
	for n, key := range list {
		r, err := edwards.DecodeMontgomery(key)
		if err != nil {
			continue
		}
		for i := range made {
			if made[i].Public != r.Encode() {
				continue
			}
			if links[n], err = prove(random, id, message, made[i], secrets[i]); err != nil {
				return nil, err
			}
			break
		}
	}
	return inMontgomery(links), nil
}

// evenSecret returns s if the encoded point public has an even x, and otherwise its negation, and makes the point even.
// It is constant time.
func evenSecret(s *edwards.Scalar, public *[32]byte) *edwards.Scalar {
	odd := int(public[31] >> 7)
	public[31] &= 127
	negated := edwards.NewScalar().Negate(s)
	defer edwards.Wipe(negated)
	out, other := edwards.EncodeScalar(s), edwards.EncodeScalar(negated)
	defer clear(out[:])
	defer clear(other[:])
	subtle.ConstantTimeCopy(odd, out[:], other[:])
	even, err := edwards.DecodeScalar(out)
	if err != nil {
		panic("unreachable: both are reduced")
	}
	return even
}

// carrotReceived returns the links of a proof by the recipient. It returns ErrTransaction and the error of random.
// Source: knowledge_proofs.cpp, generate_carrot_tx_proof_receiver.
func carrotReceived(
	random io.Reader, id xmr.Hash, t *tx.Transaction, k *keys.Keys, a address.Address, message string,
) ([]link, error) {
	list, err := ephemeralKeys(id, t)
	if err != nil {
		return nil, err
	}
	view := k.ViewScalar()
	links := make([]link, len(list))
	for n, key := range list {
		r, err := edwards.DecodeMontgomery(key)
		if err != nil {
			continue
		}
		st := dleq.Statement{Base: base(a), Public: a.View, Other: r.Encode()}
		if links[n], err = prove(random, id, message, st, view); err != nil {
			return nil, err
		}
	}
	return inMontgomery(links), nil
}

// inMontgomery replaces the shared points of links by their u-coordinates.
func inMontgomery(links []link) []link {
	for i := range links {
		if p, err := edwards.DecodePoint(links[i].shared); err == nil {
			links[i].shared = p.Montgomery()
		}
	}
	return links
}

// checkCarrot checks the proof of a payment to a in body; p is what its name says. It returns the errors of
// CheckPayment.
// Source: knowledge_proofs.cpp, check_carrot_tx_proof_normal and check_carrot_tx_proof_receiver.
func checkCarrot(
	id xmr.Hash, t *tx.Transaction, a address.Address, message string, p Payment, body string,
) (Payment, error) {
	list, err := ephemeralKeys(id, t)
	if err != nil {
		return Payment{}, err
	}
	const letters = keyLetters + signatureLetters
	if len(body) != len(list)*letters {
		return Payment{}, ErrMalformed
	}
	if p.Version != dleq.V2 {
		return Payment{}, ErrInvalid
	}
	good := false
	shared := make([]*carrot.Shared, len(list))
	for i, key := range list {
		l, err := parseLink(body[i*letters:][:letters])
		if err != nil {
			return Payment{}, err
		}
		r, err := edwards.DecodeMontgomery(key)
		if err != nil || !p.proven(id, a, message, r.Encode(), &l) {
			continue
		}
		good, shared[i] = true, (*carrot.Shared)(&l.shared)
	}
	if !good {
		return Payment{}, ErrInvalid
	}
	p.Amount, err = carrotAmount(t, list, shared, a)
	return p, err
}

// proven reports whether l proves its shared secret for a and the ephemeral key r.
func (p *Payment) proven(id xmr.Hash, a address.Address, message string, r [32]byte, l *link) bool {
	d, err := edwards.DecodeMontgomery(l.shared)
	if err != nil {
		return false
	}
	st := dleq.Statement{Base: base(a), Public: r, Other: a.View, Shared: d.Encode()}
	if !p.Sent {
		st.Public, st.Other = a.View, r
	}
	for range 2 {
		if dleq.Verify(p.Version, bound(id, message), st, l.proof) == nil {
			return true
		}
		st.Shared[31] ^= 128
	}
	return false
}

// carrotByKey returns the amount that t paid to a, given the transaction's secret keys: one, or a first one that does
// not matter and one for each output. It returns the errors of ReceivedByKey.
func carrotByKey(t *tx.Transaction, secrets []*edwards.Scalar, a address.Address) (uint64, error) {
	list := fcmptx.AppendEphemeral(nil, t)
	if len(list) == 0 || len(t.Carrot) != len(t.Outputs) {
		return 0, ErrTransaction
	}
	if len(secrets) > 1 {
		secrets = secrets[1:]
	}
	shared := make([]*carrot.Shared, len(t.Outputs))
	for o := range shared {
		key := edwards.EncodeScalar(secrets[min(o, len(secrets)-1)])
		got, err := carrot.SharedBySender(key, a.View)
		clear(key[:])
		if err != nil {
			return 0, edwards.ErrPoint
		}
		shared[o] = &got
	}
	return carrotAmount(t, list, shared, a)
}

// carrotAmount sums what the outputs of t paid to a, given the shared secret of each or of all; a nil one is unknown.
// It returns xmr.ErrOverflow.
func carrotAmount(
	t *tx.Transaction, list [][32]byte, shared []*carrot.Shared, a address.Address,
) (total uint64, err error) {
	extra, _ := tx.ParseExtra(t.Extra)
	for o := range t.Outputs {
		s := shared[min(o, len(shared)-1)]
		if s == nil {
			continue
		}
		var got carrot.Received
		var paid bool
		if t.IsCoinbase() {
			e := fcmptx.CoinbaseEnoteAt(t, list, o)
			got, paid = carrot.Default.OpenCoinbase(&e, &a, *s)
		} else {
			e := fcmptx.EnoteAt(t, list, o)
			got, paid = carrot.Default.OpenPayment(&e, extra.EncryptedPaymentID, &a, *s)
		}
		if !paid {
			continue
		}
		if total, err = xmr.Sum(total, got.Amount); err != nil {
			return 0, err
		}
	}
	return total, nil
}
