package proof

import (
	"io"
	"strings"

	"glim/core/address"
	"glim/core/crypto/edwards"
	"glim/core/internal/codec/base58"
	"glim/core/internal/crypto/dleq"
	"glim/core/keys"
	"glim/core/tx"
	"glim/core/xmr"
)

// Prefixes of payment proofs.
const (
	sentV1     = "OutProofV1"
	sentV2     = "OutProofV2"
	receivedV1 = "InProofV1"
	receivedV2 = "InProofV2"
)

// Payment is the result of a payment proof.
type Payment struct {
	Amount  uint64 // received by the address, atomic units
	Sent    bool   // made with the transaction's secret keys, by the sender; otherwise with the address's view key
	Version dleq.Version
}

// link is the part of a proof for one transaction key: its shared secret with the address, and the proof of that.
type link struct {
	shared [32]byte
	proof  dleq.Proof
}

// publicKeys returns the transaction key and the additional ones, to which proofs refer. It returns ErrTransaction
// without any. If extra has several transaction keys, it uses the first, as the reference does: payments found with
// another one cannot be proven.
func publicKeys(id xmr.Hash, t *tx.Transaction) ([][32]byte, error) {
	if err := identify(id, t); err != nil {
		return nil, err
	}
	extra, _ := tx.ParseExtra(t.Extra)
	if len(extra.PublicKeys) == 0 || extra.PublicKeys[0] == (xmr.PublicKey{}) {
		return nil, ErrTransaction
	}
	out := [][32]byte{extra.PublicKeys[0]}
	for _, k := range extra.AdditionalKeys {
		out = append(out, k)
	}
	return out, nil
}

// base returns the base point of public keys of and for a: the spend key of a subaddress, or the generator.
func base(a address.Address) *[32]byte {
	if a.Kind != address.Subaddress {
		return nil
	}
	b := [32]byte(a.Spend)
	return &b
}

// ProveSent returns a proof, made with the secret keys of transaction id, that it paid a. It returns ErrNothing when it
// did not, or when k belongs to another transaction; ErrTxKey; ErrTransaction; the error of random. Constant time in
// the keys.
// Source: src/wallet/wallet2.cpp, get_tx_proof.
func ProveSent(
	random io.Reader, id xmr.Hash, t *tx.Transaction, k TxKey, a address.Address, message string,
) (string, error) {
	secrets, err := k.scalars()
	if err != nil {
		return "", err
	}
	if isCarrot(t) {
		links, err := carrotSent(random, id, t, secrets, a, message)
		if err != nil {
			return "", err
		}
		return finish(sentV2, links, id, t, a, message)
	}
	if public, err := publicKeys(id, t); err != nil {
		return "", err
	} else if len(public) != len(secrets) {
		return "", ErrTxKey
	}
	links := make([]link, len(secrets))
	for i, s := range secrets {
		st := dleq.Statement{Base: base(a), Other: a.View}
		// The key as it would be for a. Extra may have one for another address; its proof does not verify, and that of
		// the output's additional key does.
		if st.Base == nil {
			st.Public = new(edwards.Point).ScalarBaseMult(s).Encode()
		} else if st.Public, err = times(s, a.Spend); err != nil {
			return "", err
		}
		if links[i], err = prove(random, id, message, st, s); err != nil {
			return "", err
		}
	}
	return finish(sentV2, links, id, t, a, message)
}

// ProveReceived returns a proof, made with the view key of k, that transaction id paid its address i. It returns
// ErrNothing when it did not; ErrTransaction; the error of random. Constant time in the view key.
// Source: src/wallet/wallet2.cpp, get_tx_proof.
func ProveReceived(
	random io.Reader, id xmr.Hash, t *tx.Transaction, k *keys.Keys, i keys.Index, message string,
) (string, error) {
	a := address.Address{}
	a.Spend, a.View = k.Address(i)
	if i != (keys.Index{}) {
		a.Kind = address.Subaddress
	}
	if isCarrot(t) {
		links, err := carrotReceived(random, id, t, k, a, message)
		if err != nil {
			return "", err
		}
		return finish(receivedV2, links, id, t, a, message)
	}
	public, err := publicKeys(id, t)
	if err != nil {
		return "", err
	}
	view := k.ViewScalar()
	links := make([]link, len(public))
	for n, r := range public {
		statement := dleq.Statement{Base: base(a), Public: a.View, Other: r}
		if links[n], err = prove(random, id, message, statement, view); err != nil {
			return "", err
		}
	}
	return finish(receivedV2, links, id, t, a, message)
}

// prove completes a statement and proves it. An invalid public key gives a link that proves nothing, so that the others
// remain usable.
func prove(random io.Reader, id xmr.Hash, message string, st dleq.Statement, s *edwards.Scalar) (l link, err error) {
	if l.shared, err = times(s, st.Other); err != nil {
		return link{}, nil
	}
	st.Shared = l.shared
	l.proof, err = dleq.Prove(random, dleq.V2, bound(id, message), st, s)
	return l, err
}

// finish serialises the proof. It returns ErrNothing if the proof shows no payment.
func finish(
	name string, links []link, id xmr.Hash, t *tx.Transaction, a address.Address, message string,
) (string, error) {
	text := name
	for _, l := range links {
		text += base58.Encode(l.shared[:]) + encodeSignature(l.proof.C, l.proof.R)
	}
	p, err := CheckPayment(id, t, a, message, text)
	if err == ErrInvalid || err == nil && p.Amount == 0 {
		return "", ErrNothing
	}
	return text, err
}

// CheckPayment checks the proof in text that transaction id paid a. Amounts count only if they open their commitments.
// A valid proof can show that nothing was received: check Amount. It returns ErrMalformed, ErrInvalid, ErrTransaction
// or xmr.ErrOverflow.
//
// Version 1 is supported for old proofs. It does not bind the address: accept it only for addresses known beforehand.
// Source: src/wallet/wallet2.cpp, check_tx_proof.
func CheckPayment(id xmr.Hash, t *tx.Transaction, a address.Address, message, text string) (Payment, error) {
	p, body, err := parseName(text)
	if err != nil {
		return Payment{}, err
	}
	if isCarrot(t) {
		return checkCarrot(id, t, a, message, p, body)
	}
	public, err := publicKeys(id, t)
	if err != nil {
		return Payment{}, err
	}
	if len(body) != len(public)*(keyLetters+signatureLetters) {
		return Payment{}, ErrMalformed
	}
	good := false
	derivations := make([]*edwards.Derivation, len(public))
	for i, r := range public {
		l, err := parseLink(body[i*(keyLetters+signatureLetters):][:keyLetters+signatureLetters])
		if err != nil {
			return Payment{}, err
		}
		st := dleq.Statement{Base: base(a), Public: r, Other: a.View, Shared: l.shared}
		if !p.Sent {
			st.Public, st.Other = a.View, r
		}
		if dleq.Verify(p.Version, bound(id, message), st, l.proof) != nil {
			continue
		}
		d, err := derivation(l.shared)
		if err != nil {
			continue
		}
		good, derivations[i] = true, &d
	}
	if !good {
		return Payment{}, ErrInvalid
	}
	p.Amount, err = received(t, derivations, a.Spend)
	if err != nil {
		return Payment{}, err
	}
	return p, nil
}

func parseName(text string) (Payment, string, error) {
	for name, p := range map[string]Payment{
		sentV1: {Sent: true, Version: dleq.V1}, sentV2: {Sent: true, Version: dleq.V2},
		receivedV1: {Version: dleq.V1}, receivedV2: {Version: dleq.V2},
	} {
		if body, ok := strings.CutPrefix(text, name); ok {
			return p, body, nil
		}
	}
	return Payment{}, "", ErrMalformed
}

func parseLink(s string) (l link, err error) {
	if l.shared, err = decodeKey(s[:keyLetters]); err != nil {
		return link{}, err
	}
	l.proof.C, l.proof.R, err = decodeSignature(s[keyLetters:])
	return l, err
}
