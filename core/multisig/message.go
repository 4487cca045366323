package multisig

import (
	"bytes"
	"encoding/binary"
	"io"
	"strings"

	"glim/core/crypto/edwards"
	"glim/core/crypto/keccak"
	"glim/core/internal/codec/base58"
	"glim/core/internal/codec/wire"
	"glim/core/internal/crypto/schnorr"
	"glim/core/keys"
	"glim/core/say"
	"glim/core/xmr"
)

// The first letters of a message say which kind it is.
// Source: src/multisig/multisig_kex_msg.cpp.
const (
	magicFirst = "MultisigxV2R1"
	magicLater = "MultisigxV2Rn"
	magicV1    = "MultisigV1"
	magicKexV1 = "MultisigxV1"
)

// maxKeys is the most keys a message can hold: those of the round in which each of 16 signers shares most.
const maxKeys = 6435

// Message is what one signer tells all others in one round.
type Message struct {
	Round  uint32 // from 1
	Signer xmr.PublicKey
	Secret keys.Secret     // of the first round: the signer's part of the view key
	Keys   []xmr.PublicKey // of later rounds
}

// String says who and when, without the secret.
func (m *Message) String() string {
	return say.Sprintf("message of %s for round %d", m.Signer, m.Round)
}

// GoString is String.
func (m *Message) GoString() string { return m.String() }

func (m *Message) magic() string {
	if m.Round == 1 {
		return magicFirst
	}
	return magicLater
}

// digest returns what is signed.
// Source: src/multisig/multisig_kex_msg.cpp, get_msg_to_sign.
func (m *Message) digest() [32]byte {
	b := binary.LittleEndian.AppendUint32([]byte(m.magic()), m.Round)
	b = append(b, m.Signer[:]...)
	if m.Round == 1 {
		b = append(b, m.Secret[:]...)
		defer clear(b)
	}
	for _, k := range m.Keys {
		b = append(b, k[:]...)
	}
	return keccak.Sum256(b)
}

// Sign returns the message as text, signed by base, whose public key is its Signer. The error is random's.
// Source: src/multisig/multisig_kex_msg.cpp, construct_msg.
func (m *Message) Sign(random io.Reader, base *edwards.Scalar) (string, error) {
	sig, err := schnorr.Sign(random, m.digest(), m.Signer, base)
	if err != nil {
		return "", err
	}
	var b []byte
	if m.Round == 1 {
		b = append(b, m.Secret[:]...)
		defer clear(b)
	} else {
		b = wire.AppendVarint(b, uint64(m.Round))
		b = wire.AppendVarint(b, uint64(len(m.Keys)))
		for _, k := range m.Keys {
			b = append(b, k[:]...)
		}
	}
	b = append(append(append(b, m.Signer[:]...), sig.C[:]...), sig.R[:]...)
	return m.magic() + base58.Encode(b), nil
}

// ParseMessage reads a message and checks its signature and its keys. Errors: ErrMessage, ErrOld, ErrKey, ErrSignature.
// Source: src/multisig/multisig_kex_msg.cpp, parse_and_validate_msg.
func ParseMessage(text string) (*Message, error) { return parseMessage(text, map[xmr.PublicKey]bool{}) }

// parseMessage is ParseMessage; keys in good are known to be good, and those found good are added.
func parseMessage(text string, good map[xmr.PublicKey]bool) (*Message, error) {
	if strings.HasPrefix(text, magicV1) || strings.HasPrefix(text, magicKexV1) {
		return nil, ErrOld
	}
	body, first := strings.CutPrefix(text, magicFirst)
	if !first {
		var later bool
		if body, later = strings.CutPrefix(text, magicLater); !later {
			return nil, ErrMessage
		}
	}
	if len(body) > base58Length(2*10+32*maxKeys+96) {
		return nil, ErrMessage
	}
	data, err := base58.Decode(body)
	if err != nil {
		return nil, ErrMessage
	}
	m := &Message{Round: 1}
	r := wire.NewReader(data)
	if first {
		m.Secret = r.Bytes32()
		defer clear(data)
	} else {
		round := r.Varint()
		if round < 2 || round > MaxSigners+1 {
			return nil, ErrMessage
		}
		m.Round = uint32(round)
		m.Keys = make([]xmr.PublicKey, r.Count(maxKeys, 32))
		for i := range m.Keys {
			m.Keys[i] = r.Bytes32()
		}
	}
	m.Signer = r.Bytes32()
	sig := schnorr.Signature{C: r.Bytes32(), R: r.Bytes32()}
	if r.Close() != nil {
		return nil, ErrMessage
	}
	// The signature first: it is cheap, and says whether anybody means this.
	if err := checkKey(m.Signer, good); err != nil {
		return nil, err
	}
	if schnorr.Verify(m.digest(), m.Signer, sig) != nil {
		return nil, ErrSignature
	}
	for _, k := range m.Keys {
		if err := checkKey(k, good); err != nil {
			return nil, err
		}
	}
	if first {
		if s, err := edwards.DecodeScalar(m.Secret); err != nil || s.Equal(edwards.NewScalar()) == 1 {
			return nil, ErrKey
		}
	}
	return m, nil
}

// base58Length returns how many letters n bytes take at most.
func base58Length(n int) int { return (n/8 + 1) * 11 }

// checkKey returns ErrKey unless k is a point of the prime-order group other than the identity. Other keys would tell a
// liar something about the secrets they are multiplied with, or cancel others.
func checkKey(k xmr.PublicKey, good map[xmr.PublicKey]bool) error {
	if good[k] {
		return nil
	}
	p, err := edwards.DecodePoint(k)
	if err != nil || p.IsIdentity() || !p.IsTorsionFree() {
		return ErrKey
	}
	good[k] = true
	return nil
}

func compareKeys(a, b xmr.PublicKey) int { return bytes.Compare(a[:], b[:]) }
