package main

import (
	"fmt"
	"sync"
)

// state records what the clients have seen, and counts it.
type state struct {
	mu       sync.Mutex
	payments map[string]payment // by transaction
	events   map[string]map[string]bool
	asked    map[string]int
	refused  map[string]int
	blocks   int
	reorgs   int
	samples  []sample
}

// payment is a payment for which a client has received a response.
type payment struct {
	from, to *account
	amount   uint64
	fee      uint64
	key      string
}

func newState() *state {
	return &state{
		payments: map[string]payment{}, events: map[string]map[string]bool{}, asked: map[string]int{},
		refused: map[string]int{},
	}
}

// increase adds one to a counter, which reports read concurrently.
func (s *state) increase(n *int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	*n++
}

// paid records a payment. It returns an error if an earlier payment had the same transaction.
func (s *state) paid(txid string, p payment) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if _, again := s.payments[txid]; again {
		return fmt.Errorf("%s is the transaction of two payments", txid)
	}
	s.payments[txid] = p
	return nil
}

// confirmed records that the events of a wallet reported a transaction as confirmed.
func (s *state) confirmed(name, txid string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.events[name] == nil {
		s.events[name] = map[string]bool{}
	}
	s.events[name][txid] = true
}

// count counts a request and, if it was refused, the reason.
func (s *state) count(method, refused string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.asked[method]++
	if refused != "" {
		s.refused[refused]++
	}
}
