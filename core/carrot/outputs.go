package carrot

import (
	"bytes"
	"slices"

	"glim/core/xmr"
)

// SelfSender makes the enotes that a wallet sends to itself: ViewAll and Internal make internal enotes, and Incoming
// makes special ones, which wallets with legacy keys use.
type SelfSender interface {
	NewSelfSend(s *SelfSend, first xmr.KeyImage) (*Output, error)
}

var (
	_ SelfSender = (*Incoming)(nil)
	_ SelfSender = (*Internal)(nil)
)

// NewOutputs returns the outputs of a transaction with this first key image, in the order of the transaction, and its
// encrypted payment ID. There are at least two outputs, of which at least one is a self-send; the limit on top is the
// caller's. dummyID is the encrypted payment ID when no payment is to an integrated address, and should be random.
//
// It returns ErrOutputs for sets that Carrot does not allow or that would reveal a link: no self-send, several
// integrated addresses, anchors used twice, two self-sends of the same type alone in a transaction, or outputs with
// equal keys; ErrEphemeral if the ephemeral keys are not one for two outputs, and otherwise one for each; and the
// errors of NewOutput and NewSelfSend.
// Source: carrot.md, 7.1, 7.5, 7.8.3 and 7.8.4; output_set_finalization.cpp, get_output_enote_proposals.
func (r *Rules) NewOutputs(
	payments []Payment, selfSends []SelfSend, sender SelfSender, first xmr.KeyImage, dummyID [8]byte,
) ([]*Output, [8]byte, error) {
	two := len(payments)+len(selfSends) == 2
	if len(payments)+len(selfSends) < 2 || len(selfSends) == 0 || two && sameTypes(selfSends) {
		return nil, [8]byte{}, ErrOutputs
	}
	id, integrated := dummyID, 0
	var outputs []*Output
	var common [32]byte // the ephemeral key of a transaction with two outputs
	for i := range payments {
		o, encrypted, err := r.NewOutput(&payments[i], first)
		if err != nil {
			return nil, [8]byte{}, err
		}
		if payments[i].To.PaymentID != ([8]byte{}) {
			id = encrypted
			integrated++
		}
		common = o.Ephemeral
		outputs = append(outputs, o)
	}
	if integrated > 1 || repeatsAnchor(payments) {
		return nil, [8]byte{}, ErrOutputs
	}
	for _, s := range selfSends {
		if common == ([32]byte{}) {
			common = s.Ephemeral
		}
	}
	for _, s := range selfSends {
		if two && s.Ephemeral == ([32]byte{}) {
			s.Ephemeral = common
		}
		o, err := sender.NewSelfSend(&s, first)
		if err != nil {
			return nil, [8]byte{}, err
		}
		outputs = append(outputs, o)
	}
	slices.SortFunc(outputs, func(a, b *Output) int { return bytes.Compare(a.Key[:], b.Key[:]) })
	if err := checkOutputs(outputs); err != nil {
		return nil, [8]byte{}, err
	}
	return outputs, id, nil
}

// sameTypes reports whether there are two self-sends of one type.
func sameTypes(s []SelfSend) bool { return len(s) == 2 && s[0].Type == s[1].Type }

func repeatsAnchor(payments []Payment) bool {
	seen := map[[16]byte]bool{}
	for i := range payments {
		if seen[payments[i].Anchor] {
			return true
		}
		seen[payments[i].Anchor] = true
	}
	return false
}

// checkOutputs checks sorted outputs: keys differ, and ephemeral keys differ unless there are two outputs, which share
// one.
func checkOutputs(outputs []*Output) error {
	ephemeral := map[[32]byte]bool{}
	for i, o := range outputs {
		if i > 0 && o.Key == outputs[i-1].Key {
			return ErrOutputs
		}
		ephemeral[o.Ephemeral] = true
	}
	want := len(outputs)
	if want == 2 {
		want = 1
	}
	if len(ephemeral) != want {
		return ErrEphemeral
	}
	return nil
}

// NewCoinbaseEnotes returns the enotes of the coinbase transaction of the block at a height, in the order of the
// transaction. It returns ErrOutputs if there is no payment or anchors are used twice, and the errors of
// NewCoinbaseEnote. Source: carrot.md, 7.9; output_set_finalization.cpp, get_coinbase_output_enotes.
func (r *Rules) NewCoinbaseEnotes(payments []Payment, height uint64) ([]*CoinbaseEnote, error) {
	if len(payments) == 0 || repeatsAnchor(payments) {
		return nil, ErrOutputs
	}
	enotes := make([]*CoinbaseEnote, len(payments))
	for i := range payments {
		e, err := r.NewCoinbaseEnote(&payments[i], height)
		if err != nil {
			return nil, err
		}
		enotes[i] = e
	}
	slices.SortFunc(enotes, func(a, b *CoinbaseEnote) int { return bytes.Compare(a.Key[:], b.Key[:]) })
	return enotes, nil
}
