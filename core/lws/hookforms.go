package lws

import (
	"context"
	"io"

	"glim/core/xmr"
)

// Bodies of calls. They have the fields of monero-lws's webhooks; amounts are numbers here.
// Source: github.com/vtnerd/monero-lws, docs/api/admin.yaml and docs/api/zmq.md.
type (
	refForm struct {
		High uint64 `json:"high"` // the amount; 0 for RingCT
		Low  uint64 `json:"low"`
	}
	receivedForm struct {
		ID         *refForm      `json:"id,omitempty"`    // nil in the pool
		Block      *uint64       `json:"block,omitempty"` // nil in the pool
		Index      int           `json:"index"`
		Amount     uint64        `json:"amount"`
		Timestamp  uint64        `json:"timestamp"`
		TxHash     xmr.Hash      `json:"tx_hash"`
		PrefixHash xmr.Hash      `json:"tx_prefix_hash"`
		TxPublic   xmr.PublicKey `json:"tx_public"`
		RctMask    hexBytes      `json:"rct_mask,omitempty"`
		PaymentID  hexBytes      `json:"payment_id,omitempty"`
		UnlockTime uint64        `json:"unlock_time"`
		Mixin      uint32        `json:"mixin_count"`
		Coinbase   bool          `json:"coinbase"`
		Fee        uint64        `json:"fee"`
		Recipient  index         `json:"recipient"`
		Key        xmr.PublicKey `json:"pub"`
	}
	confirmationForm struct {
		Event         Event        `json:"event"`
		PaymentID     hexBytes     `json:"payment_id"`
		Token         string       `json:"token"`
		Confirmations uint32       `json:"confirmations"`
		ID            HookID       `json:"event_id"`
		Tx            receivedForm `json:"tx_info"`
	}
	inputForm struct {
		Height     uint64       `json:"height"`
		TxHash     xmr.Hash     `json:"tx_hash"`
		Image      xmr.KeyImage `json:"image"`
		Source     refForm      `json:"source"`
		Timestamp  uint64       `json:"timestamp"`
		UnlockTime uint64       `json:"unlock_time"`
		Mixin      uint32       `json:"mixin_count"`
		PaymentID  hexBytes     `json:"payment_id,omitempty"`
		Sender     index        `json:"sender"`
	}
	sourceForm struct {
		ID       refForm       `json:"id"`
		Amount   uint64        `json:"amount"`
		Mixin    uint32        `json:"mixin"`
		Index    int           `json:"index"`
		TxPublic xmr.PublicKey `json:"tx_public"`
	}
	spentInfo struct {
		Input  inputForm  `json:"input"`
		Source sourceForm `json:"source"`
	}
	spendCall struct {
		Event Event     `json:"event"`
		Token string    `json:"token"`
		ID    HookID    `json:"event_id"`
		Tx    spentInfo `json:"tx_info"`
	}
	accountForm struct {
		Event   Event  `json:"event"`
		ID      HookID `json:"event_id"`
		Token   string `json:"token"`
		Address string `json:"address"`
	}
)

func refOf(r Ref) refForm { return refForm{r.Amount, r.Index} }

// paymentForm returns the body of a call about a payment, without the number of confirmations.
func paymentForm(a *account, h *Hook, o *Output) confirmationForm {
	form := confirmationForm{
		Event: Confirmation, PaymentID: h.PaymentID[:], Token: h.Token, ID: h.ID, Tx: receivedForm{
			Index: o.Index, Amount: o.Amount, Timestamp: o.Timestamp, TxHash: o.TxID, PrefixHash: o.Prefix,
			TxPublic: o.TxKey, RctMask: plainMask(a, o), PaymentID: o.PaymentID, UnlockTime: o.UnlockTime,
			Mixin: o.Mixin, Coinbase: o.Coinbase, Fee: o.Fee, Recipient: index(o.At), Key: o.Key,
		},
	}
	if o.Height != NoBlock {
		ref := refOf(o.Ref)
		form.Tx.ID, form.Tx.Block = &ref, &o.Height
	}
	return form
}

// spentForm returns the body of a call about a ring that contains o.
func spentForm(h *Hook, s *Spend, o *Output) spendCall {
	return spendCall{Spent, h.Token, h.ID, spentInfo{
		inputForm{
			Height: s.Height, TxHash: s.TxID, Image: s.Image, Source: refOf(s.Source), Timestamp: s.Timestamp,
			UnlockTime: s.UnlockTime, Mixin: s.Mixin, PaymentID: s.PaymentID, Sender: index(o.At),
		},
		sourceForm{refOf(o.Ref), o.Amount, o.Mixin, o.Index, o.TxKey},
	}}
}

// Requests and responses of administrators about webhooks.
type (
	hookParams struct {
		Event         *Event    `json:"type"`
		URL           string    `json:"url"`
		Token         string    `json:"token"`
		Address       *string   `json:"address"`
		PaymentID     *hexBytes `json:"payment_id"`
		Confirmations *uint32   `json:"confirmations"`
	}
	hookForm struct {
		PaymentID     hexBytes `json:"payment_id"`
		ID            HookID   `json:"event_id"`
		Token         string   `json:"token"`
		Confirmations uint32   `json:"confirmations"`
		URL           string   `json:"url"`
	}
	hookKeyForm struct {
		User  uint64 `json:"user"`
		Event Event  `json:"type"`
	}
	hookGroup struct {
		Key   hookKeyForm `json:"key"`
		Value []hookForm  `json:"value"`
	}
	hookListForm struct {
		Webhooks []hookGroup `json:"webhooks"`
	}
	deleteParams struct {
		Addresses addressList `json:"addresses"`
	}
	deleteIDParams struct {
		IDs []HookID `json:"event_ids"`
	}
)

// noAccount is the "user" of webhooks for NewAccount.
const noAccount = 1<<32 - 1

func formOf(h *Hook) hookForm { return hookForm{h.PaymentID[:], h.ID, h.Token, h.Confirmations, h.URL} }

// addHook answers /webhook_add.
func addHook(_ context.Context, a *API, body []byte) (any, error) {
	r, err := decode[adminBody[hookParams]](body)
	if err == nil {
		err = required("params", r.Params != nil)
	}
	if err != nil {
		return nil, err
	}
	p := r.Params
	if err := required("type", p.Event != nil); err != nil {
		return nil, err
	}
	if a.CheckURL == nil {
		return nil, &Error{501, "webhooks are not sent by this server"}
	}
	if a.CheckURL(p.URL) != nil {
		return nil, invalid("url must be an http or https URL; ZeroMQ is not served")
	}
	h := Hook{Event: *p.Event, Token: p.Token, Confirmations: 1, URL: p.URL}
	if p.Confirmations != nil {
		h.Confirmations = *p.Confirmations
	}
	if p.PaymentID != nil {
		if len(*p.PaymentID) != len(h.PaymentID) {
			return nil, invalid("payment_id must have %d hexadecimal digits", 2*len(h.PaymentID))
		}
		h.PaymentID = [8]byte(*p.PaymentID)
	}
	var address *Address
	if p.Address != nil {
		at, err := addressOf(a.network(), *p.Address)
		if err != nil {
			return nil, err
		}
		address = &at
	}
	if _, err := io.ReadFull(a.Random, h.ID[:]); err != nil {
		return nil, err
	}
	h.ID[6], h.ID[8] = h.ID[6]&0x0f|0x40, h.ID[8]&0x3f|0x80 // Source: RFC 9562, section 5.4
	if err := a.Book.AddHook(h, address); err != nil {
		return nil, err
	}
	return formOf(&h), nil
}

func deleteHooks(b *Book, p *deleteParams) (any, error) {
	list, err := p.Addresses.read(b.o.Network)
	if err != nil {
		return nil, err
	}
	return struct{}{}, b.DeleteHooks(nil, list)
}

func deleteHookIDs(b *Book, p *deleteIDParams) (any, error) {
	if err := required("event_ids", p.IDs != nil); err != nil {
		return nil, err
	}
	return struct{}{}, b.DeleteHooks(p.IDs, nil)
}

// listHooks answers /webhook_list.
func listHooks(_ context.Context, a *API, _ []byte) (any, error) {
	out := hookListForm{Webhooks: []hookGroup{}}
	for _, h := range a.Book.Hooks() {
		key := hookKeyForm{h.Account, h.Event}
		if h.Event == NewAccount {
			key.User = noAccount
		}
		last := len(out.Webhooks) - 1 // they are in the order of keys
		if last < 0 || out.Webhooks[last].Key != key {
			out.Webhooks = append(out.Webhooks, hookGroup{Key: key})
			last++
		}
		out.Webhooks[last].Value = append(out.Webhooks[last].Value, formOf(&h))
	}
	return out, nil
}
