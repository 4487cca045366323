package bridge

import (
	"testing"
	"time"

	"github.com/miekg/dns"
	"github.com/stretchr/testify/require"

	"glim/bindings/dnssec"
	"glim/bindings/dnssec/dnstest"
	"glim/core/node"
	"glim/core/walletrpc"
)

// TestNames: an app sees the address of a name before it pays, and a name with forged records gives none.
func TestNames(t *testing.T) {
	zone := dnstest.NewTree(t, dns.ED25519, 256)
	anchors, now = []string{zone.Anchor}, func() time.Time { return dnstest.Now }
	t.Cleanup(func() { anchors, now = dnssec.RootAnchors, time.Now })
	payee := node.UnspendableAddress()
	record := dnstest.TXT(dnstest.Name, "oa1:xmr recipient_address="+payee+";")
	zone.Sign(t, zone.Example, record)
	e := open(t, nil, func(o *Options) { o.Names = "tcp://" + zone.Address.String() })
	ask := params(t, object{"address": "donate@example.org", "allow_openalias": true, "any_net_type": true})
	got, err := e.Call("", walletrpc.ValidateAddress.Name, ask)
	require.NoError(t, err)
	require.Contains(t, got, `"openalias_address":"`+payee+`"`)

	zone.Sign(t, dnstest.NewKey(t, "example.org.", dns.ED25519, 256), record)
	got, err = e.Call("", walletrpc.ValidateAddress.Name, ask)
	require.NoError(t, err)
	require.NotContains(t, got, payee)
	zone.Queries()
	got, err = open(t, nil, nil).Call("", walletrpc.ValidateAddress.Name, ask)
	require.NoError(t, err)
	require.NotContains(t, got, payee)
	require.Empty(t, zone.Queries(), "names are off")

	_, err = Open(&Options{Names: "udp"})
	require.ErrorContains(t, err, "Names must be")
	_, err = Open(&Options{Names: "tcp", HTTP: &stack{}})
	require.ErrorContains(t, err, "HTTP and Names")
}
