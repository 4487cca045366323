// Package p2p is the peer-to-peer protocol of a daemon: which peers to connect to, how to answer them, which blocks to
// fetch from whom, what to relay and when, and whom to ban.
//
// It is a state machine without sockets, clock or goroutines. A host passes events to a Machine and carries out the
// Actions that it drains after each event. The behaviour depends only on the events, their times and the bytes of the
// random source. A Machine must be used from one goroutine.
//
// Source: src/p2p/net_node.inl, src/cryptonote_protocol/cryptonote_protocol_handler.inl and levin_notify.cpp.
package p2p
