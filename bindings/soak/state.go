package main

import (
	"fmt"
	"sync"
)

// state is what the clients know to have happened, and counts of it.
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

// payment is what one transfer was answered with.
type payment struct {
	from, to *account
	amount   uint64
	fee      uint64
	key      string
}

func newState() *state {
	return &state{payments: map[string]payment{}, events: map[string]map[string]bool{}, asked: map[string]int{}, refused: map[string]int{}}
}

// increase adds one to a number of the state, which reports read meanwhile.
func (s *state) increase(n *int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	*n++
}

// paid notes a payment that was answered for. One transaction answers for one payment, however often it was asked for.
func (s *state) paid(txid string, p payment) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if _, again := s.payments[txid]; again {
		return fmt.Errorf("%s answers for two payments", txid)
	}
	s.payments[txid] = p
	return nil
}

// told notes that a wallet's events named a transaction as in a block.
func (s *state) told(name, txid string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.events[name] == nil {
		s.events[name] = map[string]bool{}
	}
	s.events[name][txid] = true
}

// count notes a question and, when it was refused, why.
func (s *state) count(method, refused string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.asked[method]++
	if refused != "" {
		s.refused[refused]++
	}
}
