// Package p2p decides what a daemon does in the peer-to-peer network: whom to call, what to answer, what to fetch from whom, what
// to pass on and when, and whom to send away.
//
// It is a state machine without sockets, clock or goroutines: a host feeds a Machine with events and carries out the Actions it
// drains after each. Everything depends on the events, the times that come with them and the bytes of the random source, and on
// nothing else. A Machine is used from one goroutine.
//
// Source: src/p2p/net_node.inl, src/cryptonote_protocol/cryptonote_protocol_handler.inl and levin_notify.cpp.
package p2p
