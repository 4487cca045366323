package lws

import (
	"context"
	"crypto/subtle"
	"encoding/json"

	"glim/core/crypto/edwards"
	"glim/core/keys"
	"glim/core/rpc"
	"glim/core/xmr"
)

// Admin answers the requests of the operator, in the shapes of monero-lws's administrators' interface.
type Admin struct {
	API *API
	// Key is the value of "auth" that requests must have. OpenToAll accepts requests without it.
	Key       keys.Secret
	OpenToAll bool
}

// adminLimit limits the body of administrators' requests, in bytes.
const adminLimit = 50 << 10

// adminBody is the body of administrators' requests.
type adminBody[Params any] struct {
	Auth   *key    `json:"auth"`
	Params *Params `json:"params"`
}

// adminOn returns a call with typed parameters, which answer may only use if the body has them.
func adminOn[Params any](answer func(b *Book, p *Params) (any, error)) call {
	return call{limit: adminLimit, answer: func(_ context.Context, a *API, body []byte) (any, error) {
		r, err := decode[adminBody[Params]](body)
		if err != nil {
			return nil, err
		}
		if err := required("params", r.Params != nil); err != nil {
			return nil, err
		}
		return answer(a.Book, r.Params)
	}}
}

// adminCalls are the operations by path.
var adminCalls = map[string]call{
	"/accept_requests":       adminOn(func(b *Book, p *decideParams) (any, error) { return p.decide(b, true) }),
	"/reject_requests":       adminOn(func(b *Book, p *decideParams) (any, error) { return p.decide(b, false) }),
	"/add_account":           adminOn(addAccount),
	"/modify_account_status": adminOn(modifyStatus),
	"/rescan":                adminOn(rescan),
	"/validate":              adminOn(validate),
	"/list_accounts":         {limit: adminLimit, answer: listAccounts},
	"/list_requests":         {limit: adminLimit, answer: listRequests},
	"/webhook_add":           {limit: adminLimit, answer: addHook},
	"/webhook_delete":        adminOn(deleteHooks),
	"/webhook_delete_uuid":   adminOn(deleteHookIDs),
	"/webhook_list":          {limit: adminLimit, answer: listHooks},
}

// Serve answers the request for a path with a JSON object. It returns rpc.ErrNoPath for an unknown path, and otherwise
// an *Error, or an error of the store.
func (a *Admin) Serve(ctx context.Context, path string, body []byte, _ rpc.Options) ([]byte, error) {
	c, ok := adminCalls[path]
	if !ok {
		return nil, rpc.ErrNoPath
	}
	if len(body) > c.limit {
		return nil, invalid("the body exceeds %d bytes", c.limit)
	}
	if err := a.Allow(body); err != nil {
		return nil, err
	}
	return c.serve(ctx, a.API, body)
}

// Allow returns nil for a request that has the value of "auth", and otherwise an *Error.
func (a *Admin) Allow(body []byte) error {
	if a.OpenToAll {
		return nil
	}
	r, err := decode[adminBody[json.RawMessage]](body)
	if err != nil {
		return err
	}
	if r.Auth == nil || subtle.ConstantTimeCompare(r.Auth.Secret[:], a.Key[:]) != 1 {
		return &Error{403, "auth is missing or wrong"}
	}
	return nil
}

type (
	addressList []string

	updated struct {
		Updated []string `json:"updated,omitempty"`
	}
	decideParams struct {
		Type      *Kind       `json:"type"`
		Addresses addressList `json:"addresses"`
	}
	addParams struct {
		Address string `json:"address"`
		Key     *key   `json:"key"`
	}
	statusParams struct {
		Status    *Status     `json:"status"`
		Addresses addressList `json:"addresses"`
	}
	rescanParams struct {
		Height    *uint64     `json:"height"`
		Addresses addressList `json:"addresses"`
	}
	validateParams struct {
		SpendPublic string `json:"spend_public_hex"`
		ViewPublic  string `json:"view_public_hex"`
		ViewKey     string `json:"view_key_hex"`
	}
	listedAccount struct {
		Address    string `json:"address"`
		ScanHeight uint64 `json:"scan_height"`
		AccessTime uint64 `json:"access_time"`
	}
	listedRequest struct {
		Address     string    `json:"address"`
		StartHeight uint64    `json:"start_height"`
		Lookahead   Lookahead `json:"lookahead"`
	}
)

func (l addressList) read(n xmr.Network) (out []Address, err error) {
	if l == nil {
		return nil, required("addresses", false)
	}
	for _, s := range l {
		a, err := addressOf(n, s)
		if err != nil {
			return nil, err
		}
		out = append(out, a)
	}
	return out, nil
}

// updatedOf returns the answer that lists addresses. After an error, it lists those that changed before, if any.
func updatedOf(n xmr.Network, list []Address, err error) (any, error) {
	if err != nil && len(list) == 0 {
		return nil, err
	}
	out := updated{}
	for _, a := range list {
		out.Updated = append(out.Updated, a.text(n))
	}
	return out, nil
}

func (p *decideParams) decide(b *Book, accept bool) (any, error) {
	list, err := p.Addresses.read(b.o.Network)
	if err == nil {
		err = required("type", p.Type != nil)
	}
	if err != nil {
		return nil, err
	}
	done, err := b.Decide(*p.Type, list, accept)
	return updatedOf(b.o.Network, done, err)
}

func addAccount(b *Book, p *addParams) (any, error) {
	if err := required("key", p.Key != nil); err != nil {
		return nil, err
	}
	a, err := addressOf(b.o.Network, p.Address)
	if err == nil {
		err = b.Add(a, p.Key.Secret)
	}
	if err != nil {
		return nil, err
	}
	return updatedOf(b.o.Network, []Address{a}, nil)
}

func modifyStatus(b *Book, p *statusParams) (any, error) {
	list, err := p.Addresses.read(b.o.Network)
	if err == nil {
		err = required("status", p.Status != nil)
	}
	if err != nil {
		return nil, err
	}
	done, err := b.SetStatus(*p.Status, list)
	return updatedOf(b.o.Network, done, err)
}

func rescan(b *Book, p *rescanParams) (any, error) {
	list, err := p.Addresses.read(b.o.Network)
	if err == nil {
		err = required("height", p.Height != nil)
	}
	if err != nil {
		return nil, err
	}
	done, err := b.Rescan(*p.Height, list)
	return updatedOf(b.o.Network, done, err)
}

// validate checks that keys belong together. It answers with their address, or with the field that is wrong.
func validate(b *Book, p *validateParams) (any, error) {
	type mistake struct {
		Field   string `json:"field"`
		Details string `json:"details"`
	}
	wrong := func(field, details string) (any, error) {
		return map[string]mistake{"error": {field, details}}, nil
	}
	spend, err := xmr.ParseKey(p.SpendPublic)
	if err != nil {
		return wrong("spend_public_hex", "must have 64 hexadecimal digits")
	}
	view, err := xmr.ParseKey(p.ViewPublic)
	if err != nil {
		return wrong("view_public_hex", "must have 64 hexadecimal digits")
	}
	secret, err := xmr.ParseKey(p.ViewKey)
	if err != nil {
		return wrong("view_key_hex", "must have 64 hexadecimal digits")
	}
	a := Address{spend, view}
	_, errSpend := edwards.DecodePoint(spend)
	_, errView := edwards.DecodePoint(view)
	switch {
	case errSpend != nil:
		return wrong("spend_public_hex", "is not a public key")
	case errView != nil:
		return wrong("view_public_hex", "is not a public key")
	case spend == view:
		return wrong("spend_public_hex", "must differ from view_public_hex")
	case !matches(a, secret):
		return wrong("view_key_hex", "is not the secret key of view_public_hex")
	}
	return map[string]string{"address": a.text(b.o.Network)}, nil
}

func listAccounts(_ context.Context, a *API, _ []byte) (any, error) {
	out := map[Status][]listedAccount{}
	for _, l := range a.Book.Accounts() {
		out[l.Status] = append(out[l.Status], listedAccount{l.Address.text(a.network()), l.Scanned, l.Access})
	}
	return out, nil
}

func listRequests(_ context.Context, a *API, _ []byte) (any, error) {
	out := map[Kind][]listedRequest{}
	for _, k := range []Kind{Create, Import} {
		for _, r := range a.Book.Requests(k) {
			out[k] = append(out[k], listedRequest{r.Address.text(a.network()), r.Start, r.Lookahead})
		}
	}
	return out, nil
}
