package openalias_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"glim/core/address"
	"glim/core/openalias"
	"glim/core/xmr"
)

// Addresses of mainnet, and one of stagenet. Source: core/walletrpc/testdata/reference.
const (
	one   = "44Kbx4sJ7JDRDV5aAhLJzQCjDz2ViLRduE3ijDZu3osWKBjMGkV1XPk4pfDUMqt1Aiezvephdqm6YD19GKFD9ZcXVUTp6BW"
	two   = "42ey1afDFnn4886T7196doS9GPMzexD9gXpsZJDwVjeRVdFCSoHnv7KPbBeGpzJBzHRCAs9UxqeoyFQMYbqSWYTfJJQAWDm"
	three = "82pP87g1Vkd3LUMssBCumk3MfyEsFqLAaGDf6oxddu61EgSFzt8gCwUD4tr3kp9TUfdPs2CnpD7xLZzyC1Ei9UsW3oyCWDf"
)

func mainnet(a address.Address) bool { return a.Network == xmr.Mainnet }

func TestParseName(t *testing.T) {
	for text, name := range map[string]string{
		"donate.getmonero.org":           "donate.getmonero.org",
		"donate@getmonero.org":           "donate.getmonero.org",
		"Donate@GetMonero.org.":          "donate.getmonero.org",
		"a.b":                            "a.b",
		"_pay.xn--bcher-kva.example":     "_pay.xn--bcher-kva.example",
		strings.Repeat("a", 63) + ".org": strings.Repeat("a", 63) + ".org",
	} {
		got, err := openalias.ParseName(text)
		require.NoError(t, err, text)
		require.Equal(t, name, got)
	}
	for _, text := range []string{
		"", ".", "@", "org", "a@b@c.org", "a..org", ".a.org", "-a.org", "a-.org", "a b.org", "a.org\n", "a/b.org",
		"bücher.example", "127.0.0.1", "a.1", "*.org", one, one + "\x00",
		strings.Repeat("a", 64) + ".org", strings.Repeat("a.", 126) + "org",
	} {
		_, err := openalias.ParseName(text)
		require.ErrorIs(t, err, openalias.ErrName, text)
	}
}

func TestParseRecord(t *testing.T) {
	full := openalias.Record{Address: one, Name: "Monero", Description: "a donation", Signature: "sig",
		Checksum: "D851342C"}
	for text, want := range map[string]openalias.Record{
		"oa1:xmr recipient_address=" + one + "; recipient_name=Monero; tx_description=a donation; " +
			"address_signature=sig; checksum=D851342C;": full,
		"  oa1:xmr checksum=D851342C;address_signature=sig;tx_description=a donation;recipient_name=Monero;" +
			"recipient_address=" + one: full,
		`oa1:xmr recipient_address="` + one + `" ; recipient_name=a\;b \"c\" \\ \x;`: {Address: one,
			Name: `a;b "c" \ \x`},
		`oa1:xmr unknown=a;b=;recipient_address=` + one + `;tx_description="a; b=c";;`: {Address: one,
			Description: "a; b=c"},
		"oa1:xmr recipient_address=anything": {Address: "anything"},
	} {
		r, err := openalias.ParseRecord(text)
		require.NoError(t, err, text)
		require.Equal(t, want, r)
	}
	for text, want := range map[string]error{
		"": openalias.ErrNoAddress, "v=spf1 -all": openalias.ErrNoAddress,
		"oa1:btc recipient_address=" + one + ";":  openalias.ErrNoAddress,
		"oa1:xmrx recipient_address=" + one + ";": openalias.ErrNoAddress,
		"oa1:xmr":                                   openalias.ErrNoAddress,
		"oa1:xmr ":                                  openalias.ErrRecord,
		"oa1:xmr recipient_address":                 openalias.ErrRecord,
		"oa1:xmr recipient_address=;":               openalias.ErrRecord,
		`oa1:xmr recipient_address="` + one:         openalias.ErrRecord,
		`oa1:xmr recipient_address="` + one + `"x;`: openalias.ErrRecord,
		"oa1:xmr recipient_address=" + one + ";recipient_address=" + two + ";":     openalias.ErrRecord,
		"oa1:xmr recipient_address=" + one + ";recipient_name=a;recipient_name=b;": openalias.ErrRecord,
		"oa1:xmr recipient_address=" + one + ";recipient_name=a\x1b[2J;":           openalias.ErrRecord,
		"oa1:xmr recipient_address=" + one + ";recipient_name=\xff;":               openalias.ErrRecord,
		"oa1:xmr recipient_address=" + one + strings.Repeat(";a=b", 65):            openalias.ErrRecord,
		"oa1:xmr recipient_address=" + one + ";a=" + strings.Repeat("b", 4096):     openalias.ErrRecord,
	} {
		r, err := openalias.ParseRecord(text)
		require.ErrorIs(t, err, want, text)
		require.Zero(t, r)
	}
}

func TestSelect(t *testing.T) {
	record := func(a string) string { return "oa1:xmr recipient_address=" + a + "; recipient_name=x;" }
	texts := []string{"v=spf1 -all", record("invalid"), "oa1:xmr broken", record(one)}
	r, a, err := openalias.Select(texts, mainnet)
	require.NoError(t, err)
	require.Equal(t, one, r.Address)
	require.Equal(t, one, a.String())

	r, _, err = openalias.Select(append(texts, record(one)), mainnet)
	require.NoError(t, err, "the same address twice")
	require.Equal(t, one, r.Address)

	for _, other := range []string{two, three} {
		r, a, err = openalias.Select(append(texts, record(other)), mainnet)
		require.ErrorIs(t, err, openalias.ErrSeveral)
		require.Zero(t, r)
		require.Zero(t, a)
	}
	_, _, err = openalias.Select(texts, func(a address.Address) bool { return a.Network == xmr.Stagenet })
	require.ErrorIs(t, err, openalias.ErrNoAddress)
	_, _, err = openalias.Select(nil, mainnet)
	require.ErrorIs(t, err, openalias.ErrNoAddress)
}

func FuzzParse(f *testing.F) {
	for _, s := range []string{
		"donate@getmonero.org", "oa1:xmr recipient_address=" + one + "; recipient_name=a\\;b;",
		`oa1:xmr recipient_address="` + one + `";`, "oa1:xmr ;;= ;", "oa1:btc recipient_address=x;",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if name, err := openalias.ParseName(text); err == nil {
			again, err := openalias.ParseName(name)
			require.NoError(t, err)
			require.Equal(t, name, again)
			require.LessOrEqual(t, len(name), 253)
			_, err = address.Parse(text)
			require.Error(t, err, "a name is no address")
		}
		r, err := openalias.ParseRecord(text)
		require.Equal(t, err == nil, r.Address != "")
		if chosen, a, err := openalias.Select([]string{text, "other"}, mainnet); err == nil {
			require.Equal(t, r, chosen)
			require.Equal(t, r.Address, a.String())
		}
	})
}

func ExampleSelect() {
	name, err := openalias.ParseName("donate@example.org")
	if err != nil {
		panic(err)
	}
	texts := []string{ // what DNS returns for the name; pay only if DNSSEC protects it
		"v=spf1 -all",
		"oa1:xmr recipient_address=" + one + "; recipient_name=An example; tx_description=Thanks\\; really;",
	}
	r, to, err := openalias.Select(texts, func(a address.Address) bool { return a.Network == xmr.Mainnet })
	if err != nil {
		panic(err)
	}
	fmt.Println(name, "is", r.Name)
	fmt.Println(r.Description)
	fmt.Println(to.Kind, to.Network, r.Address[:8])
	// Output:
	// donate.example.org is An example
	// Thanks; really
	// standard mainnet 44Kbx4sJ
}
