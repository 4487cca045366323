package chaintest

import (
	"encoding/binary"

	"glim/core/crypto/edwards"
	"glim/core/keys"
	"glim/core/tx"
	"glim/core/xmr"
)

// Flaw is an error in an output.
type Flaw uint8

// The flaws. The owner cannot spend an output with one of them.
const (
	NoFlaw       Flaw = iota
	WrongAmount       // the commitment is to another amount
	WrongViewTag      // the view tag is wrong
	InvalidKey        // the output's key is not a point

	WrongAnchor // of the next hard fork: the ephemeral key was not made for the payee's address
)

// Payment is one output of a transaction.
type Payment struct {
	To     *keys.Keys // nil: unknown
	At     keys.Index
	Amount uint64 // atomic units
	Flaw   Flaw
	Key    *xmr.PublicKey // replaces the output's key
	// Change says that the payee itself sends this, with its view key. It matters from the next hard fork on.
	Change bool
	// Janus is another subaddress of the payee. The public key and the shared secret are made for it, and only the
	// output key for At. A sender who learns that the payment arrived knows that both addresses belong to one wallet
	// (Janus attack).
	// Source: github.com/monero-project/research-lab, issue 62.
	Janus *keys.Index
}

// keyed returns the index that the transaction public key and the shared secret are for.
func (p *Payment) keyed() keys.Index {
	if p.Janus != nil {
		return *p.Janus
	}
	return p.At
}

// Spec describes a transaction. Usually only Pay is set.
type Spec struct {
	Pay        []Payment
	Spend      []xmr.KeyImage
	Fee        uint64
	UnlockTime uint64

	Version    uint64 // 1: public amounts; 0 means 2
	Kind       tx.RingCTType
	NoViewTags bool // no view tags, as before hard fork 15

	Secret            *edwards.Scalar   // r; random if nil. Equal secrets give equal one-time keys
	Additional        bool              // one public key for each output, even if not needed
	AdditionalSecrets []*edwards.Scalar // secrets of these keys; random if nil
	RepeatPublicKey   bool              // write the public key twice
	KeysBefore        []xmr.PublicKey   // public keys before the right one
	KeysAfter         []xmr.PublicKey   // public keys after it
	NoPublicKey       bool              // write no public key
	PaymentID         *[8]byte          // encrypted for the first payee
	LongPaymentID     *xmr.Hash         // unencrypted
	ExtraPrefix       []byte            // first bytes of extra
	ExtraSuffix       []byte            // last bytes of extra
}

// MadeOutput is an output with the data of its owner.
type MadeOutput struct {
	TxID   xmr.Hash
	Index  uint64
	Owner  *keys.Keys // nil: unknown
	At     keys.Index
	Amount uint64
	Key    xmr.PublicKey
	Image  xmr.KeyImage // zero for view-only and unknown owners
	Flaw   Flaw
}

// maker makes one transaction.
type maker struct {
	r      *Random
	s      Spec
	t      *tx.Transaction
	secret *edwards.Scalar
	public xmr.PublicKey // R
	more   []xmr.PublicKey
	made   []MadeOutput
}

// make returns the transaction that s describes, without proofs. If coinbase is not nil, it is the coinbase of the
// block at that height.
func (r *Random) make(s Spec, coinbase *uint64) (*tx.Transaction, []MadeOutput) {
	m := &maker{r: r, s: s, t: &tx.Transaction{Version: 2, UnlockTime: s.UnlockTime}}
	if s.Version != 0 {
		m.t.Version = s.Version
	}
	m.inputs(coinbase)
	m.secret = s.Secret
	if m.secret == nil {
		m.secret = r.Scalar()
	}
	m.public = m.publicKey()
	if m.t.Version >= 2 && coinbase == nil {
		m.t.RingCT = tx.RingCT{Type: s.Kind, Fee: s.Fee}
		if s.Kind == tx.RingCTNull {
			m.t.RingCT.Type = tx.RingCTBulletproofPlus
		}
		if s.Kind == tx.RingCTSimple {
			m.t.RingCT.PseudoOuts = make([][32]byte, len(m.t.Inputs))
		}
	}
	for i := range s.Pay {
		m.output(i, coinbase != nil)
	}
	m.extra()
	return m.t, m.made
}

func (m *maker) inputs(coinbase *uint64) {
	if coinbase != nil {
		m.t.Inputs = []tx.Input{{Coinbase: true, Height: *coinbase}}
		return
	}
	images := m.s.Spend
	if len(images) == 0 {
		images = []xmr.KeyImage{m.r.Point()}
	}
	for _, image := range images {
		in := tx.Input{KeyOffsets: make([]uint64, xmr.RingSize), KeyImage: image}
		for i := range in.KeyOffsets {
			in.KeyOffsets[i] = 1 + m.r.Uint64()%1000
		}
		m.t.Inputs = append(m.t.Inputs, in)
	}
}

// publicKey returns R: r·D if there is one payee besides change, at a subaddress D, and otherwise r·G.
// Source: src/cryptonote_core/cryptonote_tx_utils.cpp, construct_tx_with_tx_key.
func (m *maker) publicKey() xmr.PublicKey {
	if p := m.s.Pay; len(p) > 0 && p[0].To != nil && p[0].At != (keys.Index{}) && !m.s.Additional {
		spend, _ := p[0].To.Address(p[0].keyed())
		return scaled(m.secret, spend)
	}
	return new(edwards.Point).ScalarBaseMult(m.secret).Encode()
}

func scaled(s *edwards.Scalar, point xmr.PublicKey) xmr.PublicKey {
	p, err := edwards.DecodePoint(point)
	if err != nil {
		panic("unreachable: addresses hold points")
	}
	return p.ScalarMult(s, p).Encode()
}

// derivation returns the shared secret with the payee of output i, and adds the output's additional public key if
// there is one.
func (m *maker) derivation(i int) edwards.Derivation {
	p := &m.s.Pay[i]
	secret := m.secret
	if m.s.Additional {
		if i < len(m.s.AdditionalSecrets) {
			secret = m.s.AdditionalSecrets[i]
		} else {
			secret = m.r.Scalar()
		}
		public := xmr.PublicKey(new(edwards.Point).ScalarBaseMult(secret).Encode())
		if p.To != nil && p.At != (keys.Index{}) {
			spend, _ := p.To.Address(p.keyed())
			public = scaled(secret, spend)
		}
		m.more = append(m.more, public)
		if p.At == (keys.Index{}) {
			secret = m.secret // primary addresses use R nevertheless
		}
	}
	if p.To == nil {
		return edwards.Derivation(m.r.Bytes32())
	}
	view := p.To.ViewPublic
	switch {
	case p.At != (keys.Index{}):
		_, view = p.To.Address(p.keyed())
	case !m.s.Additional && i > 0 && m.s.Pay[0].At != (keys.Index{}):
		// Change of a payment to a subaddress: the sender uses a·R.
		d, err := edwards.Derive(p.To.ViewScalar(), m.public)
		if err != nil {
			panic("unreachable: R is a point")
		}
		return d
	}
	d, err := edwards.Derive(secret, view)
	if err != nil {
		panic("unreachable: addresses hold points")
	}
	return d
}

func (m *maker) output(i int, coinbase bool) {
	p := &m.s.Pay[i]
	d := m.derivation(i)
	made := MadeOutput{Index: uint64(i), Owner: p.To, At: p.At, Amount: p.Amount, Flaw: p.Flaw}
	spend := xmr.PublicKey(m.r.Point())
	if p.To != nil {
		spend, _ = p.To.Address(p.At)
	}
	key, err := d.PublicKey(uint64(i), spend)
	if err != nil {
		panic("unreachable: addresses hold points")
	}
	if p.To != nil {
		if x, ok := p.To.OutputSecret(d, uint64(i), p.At); ok {
			made.Image = edwards.GenerateKeyImage(key, x)
		} else if p.To.Hierarchy() != nil {
			made.Image, _, _ = p.To.KeyImage(d, uint64(i), p.At, key)
		}
	}
	if p.Flaw == InvalidKey {
		key = InvalidPoint
	}
	if p.Key != nil {
		key = *p.Key
	}
	made.Key = key
	o := tx.Output{Key: key, Tagged: !m.s.NoViewTags}
	if o.Tagged {
		o.ViewTag = d.ViewTag(uint64(i))
		if p.Flaw == WrongViewTag {
			o.ViewTag ^= 1
		}
	}
	if coinbase || m.t.Version < 2 {
		o.Amount = p.Amount
	} else {
		m.conceal(d.Scalar(uint64(i)), p)
	}
	m.t.Outputs = append(m.t.Outputs, o)
	m.made = append(m.made, made)
}

// conceal adds the commitment to the amount, and the encrypted amount and mask.
func (m *maker) conceal(shared *edwards.Scalar, p *Payment) {
	var info tx.EcdhInfo
	var mask *edwards.Scalar
	if m.t.RingCT.Type >= tx.RingCTBulletproof2 {
		mask = keys.CommitmentMask(shared)
		var plain [8]byte
		binary.LittleEndian.PutUint64(plain[:], p.Amount)
		sealed := keys.EncryptAmount(shared, plain)
		copy(info.Amount[:], sealed[:])
	} else {
		mask = m.r.Scalar()
		first := edwards.HashToScalar(shared.Bytes())
		second := edwards.HashToScalar(first.Bytes())
		info.Mask = edwards.EncodeScalar(first.Add(first, mask))
		info.Amount = edwards.EncodeScalar(second.Add(second, edwards.ScalarFromUint64(p.Amount)))
	}
	committed := p.Amount
	if p.Flaw == WrongAmount {
		committed++
	}
	m.t.RingCT.Ecdh = append(m.t.RingCT.Ecdh, info)
	m.t.RingCT.Commitments = append(m.t.RingCT.Commitments, edwards.Commit(mask, committed).Encode())
}

func (m *maker) extra() {
	b := append([]byte(nil), m.s.ExtraPrefix...)
	for _, k := range m.s.KeysBefore {
		b = tx.AppendPublicKey(b, k)
	}
	if !m.s.NoPublicKey {
		b = tx.AppendPublicKey(b, m.public)
		if m.s.RepeatPublicKey {
			b = tx.AppendPublicKey(b, m.public)
		}
	}
	for _, k := range m.s.KeysAfter {
		b = tx.AppendPublicKey(b, k)
	}
	if len(m.more) > 0 {
		b = tx.AppendAdditionalKeys(b, m.more)
	}
	if m.s.PaymentID != nil && m.s.Pay[0].To != nil {
		d, err := edwards.Derive(m.s.Pay[0].To.ViewScalar(), m.public)
		if err != nil {
			panic("unreachable: R is a point")
		}
		b = tx.AppendEncryptedPaymentID(b, keys.EncryptPaymentID(d, *m.s.PaymentID))
	}
	if m.s.LongPaymentID != nil {
		b = tx.AppendPaymentID(b, *m.s.LongPaymentID)
	}
	m.t.Extra = append(b, m.s.ExtraSuffix...)
}
