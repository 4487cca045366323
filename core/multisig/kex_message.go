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
	"glim/core/smallfmt"
	"glim/core/xmr"
)

// Prefixes that identify the kind of a message.
// Source: src/multisig/multisig_kex_msg.cpp.
const (
	magicFirst = "MultisigxV2R1"
	magicLater = "MultisigxV2Rn"
	magicV1    = "MultisigV1"
	magicKexV1 = "MultisigxV1"
)

// maxKeys is the most keys of a message: those of the round in which each of 16 signers has the most.
const maxKeys = 6435

// KexMessage is a key exchange message of one signer to all others.
type KexMessage struct {
	Round  uint32 // from 1
	Signer xmr.PublicKey
	Secret keys.Secret     // of the first round: the signer's part of the view key
	Keys   []xmr.PublicKey // of later rounds
}

// String returns the signer and the round, not the secret.
func (m *KexMessage) String() string {
	return smallfmt.Sprintf("message of %s for round %d", m.Signer, m.Round)
}

// GoString is String.
func (m *KexMessage) GoString() string { return m.String() }

func (m *KexMessage) magic() string {
	if m.Round == 1 {
		return magicFirst
	}
	return magicLater
}

// digest returns the hash to sign.
// Source: src/multisig/multisig_kex_msg.cpp, get_msg_to_sign.
func (m *KexMessage) digest() [32]byte {
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

// Sign returns the message as text, signed with base, whose public key is Signer. The error is random's.
// Source: src/multisig/multisig_kex_msg.cpp, construct_msg.
func (m *KexMessage) Sign(random io.Reader, base *edwards.Scalar) (string, error) {
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

// ParseKexMessage reads a message and checks its signature and keys. It returns ErrMessage, ErrOld, ErrKey or
// ErrSignature.
// Source: src/multisig/multisig_kex_msg.cpp, parse_and_validate_msg.
func ParseKexMessage(text string) (*KexMessage, error) {
	return parseKexMessage(text, map[xmr.PublicKey]bool{})
}

// parseKexMessage is ParseKexMessage with a cache of valid keys.
func parseKexMessage(text string, good map[xmr.PublicKey]bool) (*KexMessage, error) {
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
	m := &KexMessage{Round: 1}
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
	// Verify the signature first: it is cheap, and invalid messages stop here.
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

// base58Length returns the most characters for n bytes.
func base58Length(n int) int { return (n/8 + 1) * 11 }

// checkKey returns ErrKey unless k is in the prime-order subgroup and not its identity. Multiplying a secret with
// another key would reveal something about the secret, and such keys could cancel others.
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
