package postgres

import (
	"context"
	"encoding/json"
	"time"

	"glim/core/lws"
)

// Webhooks and their calls belong to the part of their account, and the process that has the part makes the calls.
// Webhooks for new accounts belong to no part: every process reads them regularly, because each may create accounts.

// followHooks reads the webhooks for new accounts until ctx ends.
func (s *Server) followHooks(ctx context.Context, h *held) {
	tick := time.NewTicker(s.cfg.Lease / renewals)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		if err := s.readHooks(ctx, h); err != nil && ctx.Err() == nil {
			s.cfg.Log.Error("cannot read the webhooks for new accounts; retrying", "error", err)
		}
	}
}

// readHooks gives the Book of a share the webhooks for new accounts. It returns local.ErrSeal, lws.ErrRecord or an
// error of the database.
func (s *Server) readHooks(ctx context.Context, h *held) error {
	s.hooking.Lock()
	defer s.hooking.Unlock()
	rows, _ := s.d.pool.Query(ctx, "SELECT name, sealed FROM glim_lws.hook WHERE who IS NULL")
	list, err := collectSealed(rows)
	if err != nil {
		return err
	}
	records := make([]lws.Record, len(list))
	for i, r := range list {
		if records[i].Key, records[i].Value, err = s.d.record(nil, r); err != nil {
			return err
		}
	}
	return h.service.Book.ShareHooks(records)
}

// deleteHooks deletes webhooks: those of accounts by the processes that have the accounts.
func (s *Server) deleteHooks(ctx context.Context, ids []lws.HookID, body []byte) ([]byte, error) {
	names := make([][]byte, len(ids))
	for i, id := range ids {
		names[i] = s.d.seal.Name(lws.HookKey(id))
	}
	rows, _ := s.d.guest.Query(ctx, "SELECT name, who FROM glim_lws.hook WHERE name = ANY($1)", names)
	found, err := collectSealed(rows)
	if err != nil {
		s.cfg.Log.Error("a request failed", "path", "/webhook_delete_uuid", "error", err)
		return nil, errUnavailable
	}
	parts, shared := map[int32]bool{}, false
	for _, f := range found {
		if f.sealed == nil { // the account
			shared = true
		} else {
			parts[partOf(f.sealed)] = true
		}
	}
	for part := range parts {
		if _, err := s.administer(ctx, part, "/webhook_delete_uuid", body); err != nil {
			return nil, err
		}
	}
	if shared {
		if _, err := s.d.guest.Exec(ctx, "DELETE FROM glim_lws.hook WHERE who IS NULL AND name = ANY($1)",
			names); err != nil {
			s.cfg.Log.Error("a request failed", "path", "/webhook_delete_uuid", "error", err)
			return nil, errUnavailable
		}
		if err := s.readHooks(ctx, s.held()); err != nil {
			s.cfg.Log.Error("a webhook was deleted, but its calls that wait were not", "error", err)
		}
	}
	return json.Marshal(struct{}{})
}
