package main

import (
	"log/slog"
	"net"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/miekg/dns"
	"github.com/stretchr/testify/require"

	"glim/core/rpc"
	"glim/core/walletrpc"
)

// unsignedNames starts a DNS server whose zone is not signed, and in which every name has someAddress. It returns its
// address and the number of its queries.
func unsignedNames(t *testing.T) (address string, queries *atomic.Int64) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	queries = new(atomic.Int64)
	started := make(chan struct{})
	s := &dns.Server{Listener: l, NotifyStartedFunc: func() { close(started) },
		Handler: dns.HandlerFunc(func(w dns.ResponseWriter, q *dns.Msg) {
			queries.Add(1)
			m := new(dns.Msg)
			m.SetReply(q)
			if q.Question[0].Qtype == dns.TypeTXT {
				h := dns.RR_Header{Name: q.Question[0].Name, Rrtype: dns.TypeTXT, Class: dns.ClassINET, Ttl: 300}
				m.Answer = []dns.RR{&dns.TXT{Hdr: h, Txt: []string{"oa1:xmr recipient_address=" + someAddress + ";"}}}
			}
			_ = w.WriteMsg(m)
		})}
	ended := make(chan error, 1)
	go func() { ended <- s.ActivateAndServe() }()
	<-started
	t.Cleanup(func() {
		require.NoError(t, s.Shutdown())
		require.NoError(t, <-ended)
	})
	return l.Addr().String(), queries
}

// TestOpenAlias: names without DNSSEC are refused in the reference's words; flags and the proxy decide who is asked.
// Source of the words: monero-wallet-rpc 0.18.5.1 with the same answer.
func TestOpenAlias(t *testing.T) {
	server, queries := unsignedNames(t)
	t.Setenv("DNS_PUBLIC", "tcp://"+server)
	const wrong = "WALLET_RPC_ERROR_CODE_WRONG_ADDRESS: donate@example.org"
	for flags, c := range map[string]struct {
		message string
		asked   bool
	}{
		"":          {"Invalid DNSSEC for donate@example.org", true},
		"--no-dns":  {wrong + " (names are not looked up, because of --no-dns)", false},
		"--offline": {wrong + " (names are not looked up, because of --offline)", false},
		"--proxy 127.0.0.1:1 --daemon-ssl-allow-any-cert": {wrong + " (dnssec: the DNS server did not answer", false},
	} {
		t.Run(flags, func(t *testing.T) {
			t.Chdir(t.TempDir())
			queries.Store(0)
			cfg, err := parse("--rpc-bind-port 1 --wallet-dir w --daemon-address 127.0.0.1:1 " + flags)
			require.NoError(t, err)
			s, closeService, err := openService(t.Context(), cfg, serviceEnv{log: slog.New(slog.DiscardHandler)})
			require.NoError(t, err)
			defer func() { require.NoError(t, closeService(t.Context())) }()
			client, ok := s.(rpc.Transport)
			require.True(t, ok)
			_, err = rpc.Call(t.Context(), client, walletrpc.CreateWallet,
				walletrpc.CreateWalletRequest{Filename: "x", Language: "English"})
			require.NoError(t, err)
			_, err = rpc.Call(t.Context(), client, walletrpc.AddAddressBook,
				walletrpc.AddAddressBookRequest{Address: "donate@example.org"})
			var refusal *rpc.Error
			require.ErrorAs(t, err, &refusal)
			require.Equal(t, walletrpc.CodeWrongAddress, refusal.Code)
			require.True(t, strings.HasPrefix(refusal.Message, c.message), refusal.Message)
			require.Equal(t, c.asked, queries.Load() > 0)
		})
	}
}
