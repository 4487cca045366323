package postgres

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"time"

	local "glim/bindings/lws"
	"glim/core/address"
	"glim/core/keys"
	"glim/core/lws"
	"glim/core/rpc"
	"glim/core/xmr"
)

// Operations on an account: those that only read it are answered from the database, and the others by the process that
// has the account.
var (
	reads = map[string]bool{
		"/get_address_info": true, "/get_address_txs": true, "/get_unspent_outs": true, "/get_subaddrs": true,
	}
	writes = map[string]bool{
		"/login": true, "/import_wallet_request": true, "/upsert_subaddrs": true, "/provision_subaddrs": true,
	}
	// The operations of administrators on the accounts in params.addresses.
	onLists = map[string]bool{
		"/accept_requests": true, "/reject_requests": true, "/modify_account_status": true, "/rescan": true,
		"/webhook_delete": true,
	}
	lists = map[string]bool{"/list_accounts": true, "/list_requests": true, "/webhook_list": true}
	// The operations on the account in params.address.
	onAddress = map[string]bool{"/add_account": true, "/webhook_add": true}
)

// errUnavailable reports that the database does not answer.
var errUnavailable = &lws.Error{
	Status: http.StatusServiceUnavailable, Text: "the database does not answer; try again later",
}

// wallets answers the requests of wallets.
type wallets struct{ s *Server }

// Serve implements native.Service. Its errors are those of lws.API, errNoAnswer and errUnavailable.
func (w wallets) Serve(ctx context.Context, path string, body []byte, o rpc.Options) ([]byte, error) {
	s := w.s
	who := s.wallet(path, body)
	if who == nil { // the operation concerns no account, or it is malformed or not the owner's
		return s.held().service.Wallets().Serve(ctx, path, body, o)
	}
	return s.route(ctx, partOf(who), question{Path: path, Body: body},
		func(h *held) ([]byte, error) { return h.service.Wallets().Serve(ctx, path, body, o) },
		func() ([]byte, error) {
			if !reads[path] {
				return nil, errReadOnly
			}
			select {
			case s.reading <- struct{}{}:
			case <-ctx.Done():
				return nil, ctx.Err()
			}
			defer func() { <-s.reading }()
			b, err := s.d.account(ctx, s.cfg.Network, who)
			if err != nil {
				return nil, err
			}
			if err := s.held().service.Book.ShowPool(ctx, b); err != nil {
				return nil, err
			}
			api := lws.API{Book: b, Node: s.node, Random: s.cfg.Random, Now: local.Now, Version: s.cfg.Version}
			api.Rates = s.held().service.Wallets().Rates
			return api.Serve(ctx, path, body, o)
		})
}

// wallet returns the name of the account that an owner's request concerns, or nil. Requests without the account's view
// key do not reach the database.
func (s *Server) wallet(path string, body []byte) []byte {
	if !reads[path] && !writes[path] || len(body) > lws.MaxBody {
		return nil
	}
	var c struct {
		Address string    `json:"address"`
		ViewKey *xmr.Hash `json:"view_key"`
	}
	if json.Unmarshal(body, &c) != nil || c.ViewKey == nil {
		return nil
	}
	a, ok := s.primary(c.Address)
	if !ok || !a.Matches(keys.Secret(*c.ViewKey)) {
		return nil
	}
	return s.d.who(a)
}

func (s *Server) primary(text string) (lws.Address, bool) {
	a, err := address.ParseFor(s.cfg.Network, text)
	return lws.Address{Spend: a.Spend, View: a.View}, err == nil && a.Kind == address.Standard
}

// route answers a request for an account of a part: here, if this process has it, and otherwise by reading the
// database, or by the process that has the part if read returns errReadOnly.
func (s *Server) route(
	ctx context.Context, part int32, q question, here func(*held) ([]byte, error), read func() ([]byte, error),
) (answer []byte, err error) {
	deadline := time.Now().Add(errandPatience)
	for {
		h := s.held()
		if h.has(part) && h.fresh() {
			answer, err = here(h)
		} else if answer, err = read(); errors.Is(err, errReadOnly) {
			answer, err = s.d.send(ctx, s.cfg.Random, part, q)
		}
		var chosen *lws.Error
		switch {
		case err == nil || errors.As(err, &chosen) || errors.Is(err, rpc.ErrNoPath):
			return answer, err
		case !errors.Is(err, errLost):
			s.cfg.Log.Error("a request failed", "path", q.Path, "error", err)
			return nil, errUnavailable
		case time.Now().After(deadline):
			return nil, errNoAnswer
		}
		select { // the accounts are being divided
		case <-ctx.Done():
			return nil, errNoAnswer
		case <-time.After(errandPoll):
		}
	}
}

// administrators answers the requests of administrators.
type administrators struct{ s *Server }

// Serve implements native.Service. Its errors are those of lws.Admin, errNoAnswer and errUnavailable.
func (a administrators) Serve(ctx context.Context, path string, body []byte, o rpc.Options) ([]byte, error) {
	s := a.s
	admin := s.held().service.Administrators()
	var r struct {
		Params map[string]json.RawMessage `json:"params"`
	}
	if !onLists[path] && !lists[path] && !onAddress[path] && path != "/webhook_delete_uuid" ||
		admin.Allow(body) != nil || json.Unmarshal(body, &r) != nil {
		return admin.Serve(ctx, path, body, o)
	}
	if lists[path] {
		b, err := s.d.all(ctx, s.cfg.Network)
		if err != nil {
			s.cfg.Log.Error("a request failed", "path", path, "error", err)
			return nil, errUnavailable
		}
		all := lws.Admin{API: &lws.API{Book: b, Node: s.node, Random: s.cfg.Random, Now: local.Now}, OpenToAll: true}
		return all.Serve(ctx, path, body, o)
	}
	if path == "/webhook_delete_uuid" {
		var ids []lws.HookID
		if json.Unmarshal(r.Params["event_ids"], &ids) != nil {
			return admin.Serve(ctx, path, body, o)
		}
		return s.deleteHooks(ctx, ids, body)
	}
	if path == "/webhook_add" && r.Params["address"] == nil {
		s.hooking.Lock()
		defer s.hooking.Unlock()
		return admin.Serve(ctx, path, body, o)
	}
	if onAddress[path] {
		var text string
		if json.Unmarshal(r.Params["address"], &text) != nil {
			return admin.Serve(ctx, path, body, o)
		}
		at, ok := s.primary(text)
		if !ok {
			return admin.Serve(ctx, path, body, o)
		}
		return s.administer(ctx, partOf(s.d.who(at)), path, body)
	}
	var addresses []string
	if json.Unmarshal(r.Params["addresses"], &addresses) != nil || len(addresses) == 0 {
		return admin.Serve(ctx, path, body, o)
	}
	byPart, order := map[int32][]string{}, []int32(nil)
	for _, text := range addresses {
		at, ok := s.primary(text)
		if !ok {
			return admin.Serve(ctx, path, body, o) // it refuses the whole list
		}
		part := partOf(s.d.who(at))
		if byPart[part] == nil {
			order = append(order, part)
		}
		byPart[part] = append(byPart[part], text)
	}
	return s.administerAll(ctx, path, r.Params, byPart, order)
}

// administerAll runs an operation on the accounts of several parts, and joins the lists of changed addresses. After an
// error it returns those that changed before, if any, as lws.Admin does.
func (s *Server) administerAll(
	ctx context.Context, path string, params map[string]json.RawMessage, byPart map[int32][]string, order []int32,
) ([]byte, error) {
	type updated struct {
		Updated []string `json:"updated,omitempty"`
	}
	var all updated
	for _, part := range order {
		text, err := json.Marshal(byPart[part])
		if err != nil {
			return nil, err
		}
		params["addresses"] = text
		body, err := json.Marshal(map[string]any{"params": params})
		if err != nil {
			return nil, err
		}
		one, err := s.administer(ctx, part, path, body)
		var u updated
		if err == nil {
			err = json.Unmarshal(one, &u)
		}
		if err != nil && len(all.Updated) == 0 {
			return nil, err
		}
		if err != nil {
			break
		}
		all.Updated = append(all.Updated, u.Updated...)
	}
	return json.Marshal(all)
}

// administer runs an operation of an authenticated administrator on accounts of a part.
func (s *Server) administer(ctx context.Context, part int32, path string, body []byte) ([]byte, error) {
	return s.route(ctx, part, question{Admin: true, Path: path, Body: body},
		func(h *held) ([]byte, error) {
			open := lws.Admin{API: h.service.Wallets(), OpenToAll: true}
			return open.Serve(ctx, path, body, rpc.Options{})
		},
		func() ([]byte, error) { return nil, errReadOnly })
}
