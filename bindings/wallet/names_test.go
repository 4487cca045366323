package wallet_test

import (
	"testing"

	"github.com/miekg/dns"
	"github.com/stretchr/testify/require"

	"glim/bindings/dnssec/dnstest"
	"glim/bindings/wallet"
)

// names returns the configuration that looks names up in a zone.
func names(zone *dnstest.Tree) wallet.Names {
	return wallet.Names{Server: "tcp://" + zone.Address.String(), Anchors: []string{zone.Anchor}}
}

// TestNames pays names with signed records, and none whose records are forged, missing or ambiguous.
func TestNames(t *testing.T) {
	t.Parallel()
	ctx, chain, c, m := setUp(t)
	payee, other := addressOf(t, funded(t, m, chain, "payee")), addressOf(t, funded(t, m, chain, "other"))
	zone := dnstest.NewTree(t, dns.ED25519, 256)
	record := func(to string) *dns.TXT {
		return dnstest.TXT(dnstest.Name, "oa1:xmr recipient_address="+to+"; recipient_name=Payee;")
	}
	zone.Sign(t, zone.Example, record(payee), dnstest.TXT(dnstest.Name, "v=spf1 -all"))
	c.Folder, c.Names = t.TempDir(), names(zone)
	m = newManager(t, c)
	w := funded(t, m, chain, "payer")
	const text = "Donate@example.org"
	want := wallet.Recipient{Name: "donate.example.org", Address: payee, Label: "Payee"}

	got, err := m.LookUp(ctx, text)
	require.NoError(t, err)
	require.Equal(t, want, got)
	payment := wallet.Payment{Key: "one", To: []wallet.Destination{{text, wallet.XMR}, {"donate.example.org.", 2}}}
	p, err := w.Send(ctx, payment)
	require.NoError(t, err)
	require.Equal(t, []wallet.Recipient{want}, p.Names)
	require.Equal(t, []wallet.Destination{{payee, wallet.XMR}, {payee, 2}}, p.To)
	require.Equal(t, text, payment.To[0].Address, "the caller's list is not changed")

	// What was previewed is paid, whatever the name stands for by then.
	zone.Sign(t, zone.Example, record(other))
	zone.Queries()
	ids, err := p.Confirm(ctx)
	require.NoError(t, err)
	require.Empty(t, zone.Queries(), "the name is not looked up again")
	_, err = w.Send(ctx, payment)
	require.ErrorIs(t, err, wallet.ErrKeyUsed, "another address under the key of a payment")
	require.NoError(t, chain.Mine(ctx, 1, ""))
	require.NoError(t, w.Sync(ctx, nil))
	sent, err := w.Transfers(ctx, ids[0])
	require.NoError(t, err)
	require.Equal(t, payee, sent[0].To[0].Address)

	forged, evil := record(other), dnstest.NewKey(t, "example.org.", dns.ED25519, 256)
	for why, spoil := range map[string]func(){
		"no signature": func() { zone.Put(forged) },
		"another key":  func() { zone.Sign(t, evil, forged) },
		"another text": func() { zone.Put(forged, dnstest.Sign(t, zone.Example, record(payee))) },
	} {
		spoil()
		_, err = w.Send(ctx, wallet.Payment{To: []wallet.Destination{{text, wallet.XMR}}})
		require.ErrorIs(t, err, wallet.ErrAliasUntrusted, why)
		require.NotErrorIs(t, err, wallet.ErrAlias)
		_, err = m.LookUp(ctx, text)
		require.ErrorIs(t, err, wallet.ErrAliasUntrusted, why)
		require.ErrorContains(t, err, "donate.example.org")
	}
	zone.Sign(t, zone.Example, record(payee), record(other))
	_, err = m.LookUp(ctx, text)
	require.ErrorIs(t, err, wallet.ErrAlias, "two addresses")
	zone.Sign(t, zone.Example, record("59McWTPGc745SRWrSMoh8oTjoXoQq6sPUgKZ66dQWXuKFQ2q19h9gvhJNZcFTizcnT12r63NFgHiG"+
		"d6gBCjabzmzHAMoyD6"))
	_, err = m.LookUp(ctx, text)
	require.ErrorIs(t, err, wallet.ErrAlias, "an address of stagenet")
	_, err = m.LookUp(ctx, payee)
	require.ErrorIs(t, err, wallet.ErrAlias, "an address is no name")
	zone.Queries()
	_, err = w.Send(ctx, wallet.Payment{To: []wallet.Destination{{payee[1:], wallet.XMR}}})
	require.ErrorIs(t, err, wallet.ErrAddress)
	require.Empty(t, zone.Queries(), "an address with an error is not looked up")
}

// TestNamesOff: nothing is looked up by a manager that is offline, closed, or told not to.
func TestNamesOff(t *testing.T) {
	t.Parallel()
	zone := dnstest.NewTree(t, dns.ED25519, 256)
	c := wallet.Config{Network: wallet.Regtest, Folder: t.TempDir(), Offline: true, Names: names(zone)}
	m := newManager(t, c)
	_, err := m.LookUp(t.Context(), dnstest.Name)
	require.ErrorIs(t, err, wallet.ErrAlias)
	require.ErrorContains(t, err, "Config.Offline")
	require.NoError(t, m.Close())
	_, err = m.LookUp(t.Context(), dnstest.Name)
	require.ErrorIs(t, err, wallet.ErrClosed)
	c.Offline, c.Transport, c.Names.Off = false, newChain(t), true
	_, err = newManager(t, c).LookUp(t.Context(), dnstest.Name)
	require.ErrorContains(t, err, "Config.Names.Off")
	require.Empty(t, zone.Queries())
}
