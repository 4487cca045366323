package carrot

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"glim/core/address"
	"glim/core/crypto/edwards"
	"glim/core/keys"
	"glim/core/xmr"
)

// spender is a tier that spends.
type spender interface {
	SelfSender
	Address(n xmr.Network, i keys.Index) address.Address
	Integrated(n xmr.Network, id [8]byte) address.Address
	SpendKey(i keys.Index) xmr.PublicKey
	Opening(o *Received, i keys.Index) (x, y *edwards.Scalar, err error)
	KeyImage(o *Received, i keys.Index) (xmr.KeyImage, error)
	Scan(e *Enote, paymentID *[8]byte) (Received, bool)
	ScanCoinbase(e *CoinbaseEnote) (Received, bool)
}

var (
	_ spender = (*Master)(nil)
	_ spender = (*LegacyMaster)(nil)
)

// random is a source of bytes that a seed determines.
type random struct{ *rand.ChaCha8 }

func newRandom(seed byte) random { return random{rand.NewChaCha8([32]byte{seed})} }

func (r random) bytes32() (out [32]byte) {
	_, _ = r.Read(out[:])
	return out
}

func (r random) id() (out [8]byte) {
	_, _ = r.Read(out[:])
	return out
}

func (r random) anchor(t testing.TB) [16]byte {
	a, err := RandomAnchor(r)
	require.NoError(t, err)
	return a
}

func (r random) ephemeral(t testing.TB) [32]byte {
	e, err := RandomEphemeral(r)
	require.NoError(t, err)
	return e
}

func (r random) master(t testing.TB, rules *Rules) *Master {
	m, err := NewMaster(rules, r.bytes32())
	require.NoError(t, err)
	return m
}

func (r random) legacy(t testing.TB, rules *Rules) *LegacyMaster {
	k, err := keys.FromSeed(r.bytes32())
	require.NoError(t, err)
	m, err := NewLegacyMaster(rules, k)
	require.NoError(t, err)
	return m
}

// indices are the main address and subaddresses.
var indices = []keys.Index{{}, {Major: 0, Minor: 1}, {Major: 5, Minor: 16}, {Major: 1<<32 - 1, Minor: 1<<32 - 1}}

// kindOf is what an enote was made as.
type kindOf string

const (
	normal     kindOf = "payment"
	integrated kindOf = "payment to an integrated address"
	special    kindOf = "special"
	internal   kindOf = "internal"
)

// sent is an enote that one of the wallets received, and everything that is known about it.
type sent struct {
	kind   kindOf
	to     spender
	index  keys.Index
	output *Output
	enote  Enote
	id     [8]byte // encrypted, of the transaction
	plain  [8]byte // payment ID
	typ    EnoteType
	note   [16]byte // message
}

// scan returns what the recipient finds. Only a Carrot wallet has internal enotes.
func (s *sent) scan(e *Enote, id *[8]byte) (Received, bool) {
	if s.kind == internal {
		return s.to.(*Master).ScanInternal(e)
	}
	return s.to.Scan(e, id)
}

// send returns enotes of all kinds for all addresses of both kinds of wallets.
func send(t testing.TB, r *Rules, seed byte) (all []*sent) {
	random := newRandom(seed)
	carrot, legacy := random.master(t, r), random.legacy(t, r)
	for _, w := range []spender{carrot, legacy} {
		for _, i := range indices {
			s := &sent{kind: normal, to: w, index: i, id: random.id()}
			p := &Payment{To: w.Address(xmr.Mainnet, i), Amount: random.Uint64(), Anchor: random.anchor(t)}
			s.make(r.NewOutput(p, random.bytes32()))
			all = append(all, s.checked(t))
		}
		s := &sent{kind: integrated, to: w, plain: [8]byte{1, 2, 3}}
		p := &Payment{To: w.Integrated(xmr.Mainnet, s.plain), Amount: 1, Anchor: random.anchor(t)}
		s.make(r.NewOutput(p, random.bytes32()))
		all = append(all, s.checked(t))
	}
	for _, sender := range []struct {
		kind kindOf
		to   spender
		from SelfSender
	}{{special, carrot, &carrot.Incoming}, {special, legacy, legacy}, {internal, carrot, carrot}} {
		for n, i := range indices {
			s := &sent{kind: sender.kind, to: sender.to, index: i, typ: EnoteType(n % 2)}
			if s.kind == internal {
				s.note = random.anchor(t)
			}
			o, err := sender.from.NewSelfSend(&SelfSend{
				Spend: sender.to.SpendKey(i), Amount: random.Uint64(), Type: s.typ, Message: s.note,
				Ephemeral: random.ephemeral(t),
			}, random.bytes32())
			s.make(o, random.id(), err)
			all = append(all, s.checked(t))
		}
	}
	return all
}

func (s *sent) make(o *Output, id [8]byte, err error) {
	if err != nil {
		panic(err)
	}
	s.output, s.enote = o, o.Enote
	if s.kind != normal {
		s.id = id
	}
}

// checked requires that the recipient finds what was sent, and returns s.
func (s *sent) checked(t testing.TB) *sent {
	got, ok := s.scan(&s.enote, &s.id)
	require.True(t, ok, s.kind)
	require.Equal(t, s.to.SpendKey(s.index), got.Spend)
	require.Equal(t, s.output.Value, got.Amount)
	require.Equal(t, 1, s.output.Mask.Equal(got.Mask))
	require.Equal(t, s.typ, got.Type)
	require.Equal(t, s.kind == internal, got.Internal)
	require.Equal(t, s.plain, got.PaymentID)
	require.Equal(t, s.note, got.Message)
	require.Equal(t, s.enote.Key, got.Key)
	return s
}
