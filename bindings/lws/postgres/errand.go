package postgres

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"time"

	"github.com/jackc/pgx/v5"

	local "glim/bindings/lws"
	"glim/core/lws"
	"glim/core/rpc"
)

// An errand is a request for the process that has an account: another process writes it to the database, sealed, and
// reads the answer there.

// question is the content of an errand.
type question struct {
	Admin bool // by an administrator, who is authenticated already
	Path  string
	Body  []byte
}

// answer is the answer to an errand: a body, or an error with the HTTP status of the response.
type answer struct {
	Status int
	Text   string `json:",omitempty"`
	Body   []byte `json:",omitempty"`
}

const (
	// errandPoll is how often a process looks for errands, and for answers to its own.
	errandPoll = 50 * time.Millisecond
	// errandPatience is how long a request waits for the process that has the account. An account of a process that
	// ended moves to another one within this time.
	errandPatience = 30 * time.Second
	// errandLife is after how long an errand without an answer is dropped.
	errandLife = time.Minute
)

// errNoAnswer reports that no process answered an errand.
var errNoAnswer = &lws.Error{Status: http.StatusServiceUnavailable,
	Text: "the process that has the account does not answer; try again later"}

func answerKey(name []byte) []byte { return append([]byte("answer "), name...) }

// send sends an errand to the process that has a part, and returns the answer. It returns errNoAnswer, the error of
// the other process, or an error of the database or of random.
func (d *database) send(ctx context.Context, random io.Reader, part int32, q question) ([]byte, error) {
	key := make([]byte, 32)
	if _, err := io.ReadFull(random, key); err != nil {
		return nil, err
	}
	text, err := json.Marshal(q)
	if err != nil {
		return nil, err
	}
	name, sealed, err := d.seal.Close(append([]byte("errand "), key...), text)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, errandPatience)
	defer cancel()
	if _, err := d.guest.Exec(ctx, "INSERT INTO glim_lws.errand (name, part, question) VALUES ($1, $2, $3)",
		name, part, sealed); err != nil {
		return nil, err
	}
	defer d.forget(name)
	for {
		err := d.guest.QueryRow(ctx, "SELECT answer FROM glim_lws.errand WHERE name = $1 AND answer IS NOT NULL",
			name).Scan(&sealed)
		if err == nil {
			return d.answered(name, sealed)
		}
		if !errors.Is(err, pgx.ErrNoRows) && ctx.Err() == nil {
			return nil, err
		}
		select {
		case <-ctx.Done():
			return nil, errNoAnswer
		case <-time.After(errandPoll):
		}
	}
}

// forget removes an errand.
func (d *database) forget(name []byte) {
	ctx, cancel := context.WithTimeout(context.Background(), d.lease)
	defer cancel()
	_, _ = d.guest.Exec(ctx, "DELETE FROM glim_lws.errand WHERE name = $1", name) // otherwise it is too old soon
}

// answered opens an answer. It returns the error of the other process, or local.ErrSeal.
func (d *database) answered(name, sealed []byte) ([]byte, error) {
	key := answerKey(name)
	_, text, err := d.seal.Open(d.seal.Name(key), sealed)
	var a answer
	if err != nil || json.Unmarshal(text, &a) != nil {
		return nil, local.ErrSeal
	}
	if a.Status != http.StatusOK {
		return nil, &lws.Error{Status: a.Status, Text: a.Text}
	}
	return a.Body, nil
}

// errands does the errands for a share until ctx ends. It returns local.ErrSeal for one that was dropped.
func (s *share) errands(ctx context.Context, service *local.Service) error {
	tick := time.NewTicker(errandPoll)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-tick.C:
		}
		if !s.fresh() || len(s.parts) == 0 {
			continue
		}
		rows, _ := s.d.pool.Query(s.ctx, "SELECT name, question FROM glim_lws.errand WHERE answer IS NULL "+
			"AND part = ANY($1) AND posted > clock_timestamp() - $2::interval ORDER BY posted LIMIT 100",
			s.parts, errandLife)
		list, err := collectSealed(rows)
		if err != nil {
			continue // renew notices a database that stays away
		}
		for _, r := range list {
			if err := s.do(service, r); err != nil {
				return err
			}
		}
	}
}

// do does an errand. It returns local.ErrSeal for one that was not sealed with this key. What fails because the share
// is lost is left to the process that takes the account.
func (s *share) do(service *local.Service, r sealedRow) error {
	_, text, err := s.d.seal.Open(r.name, r.sealed)
	var q question
	if err != nil || json.Unmarshal(text, &q) != nil {
		_, _ = s.d.pool.Exec(s.ctx, "DELETE FROM glim_lws.errand WHERE name = $1", r.name)
		return local.ErrSeal
	}
	a := answer{Status: http.StatusOK}
	if q.Admin {
		open := *service.Administrators()
		open.OpenToAll = true
		a.Body, err = open.Serve(s.ctx, q.Path, q.Body, rpc.Options{})
	} else {
		a.Body, err = service.Wallets().Serve(s.ctx, q.Path, q.Body, rpc.Options{})
	}
	var chosen *lws.Error
	switch {
	case errors.As(err, &chosen):
		a = answer{Status: chosen.Status, Text: chosen.Text}
	case errors.Is(err, errLost) || s.ctx.Err() != nil:
		return nil
	case err != nil:
		a = answer{Status: http.StatusInternalServerError, Text: "the process that has the account failed"}
	}
	text, err = json.Marshal(a)
	if err != nil {
		return err
	}
	_, sealed, err := s.d.seal.Close(answerKey(r.name), text)
	if err != nil {
		return err
	}
	// A process that has lost the part meanwhile does not answer for the account.
	_, _ = s.d.pool.Exec(s.ctx, "UPDATE glim_lws.errand e SET answer = $2 WHERE name = $1 AND answer IS NULL "+
		"AND EXISTS (SELECT FROM glim_lws.part p WHERE p.part = e.part AND p.epoch = $3)", r.name, sealed, s.epoch)
	return nil
}
