package openalias_test

import (
	"encoding/json"
	"fmt"
	"os"
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

// vectors are shared with the tests of the package for pages.
func vectors(t *testing.T) (v struct {
	Names     map[string]string
	NotNames  []string `json:"not_names"`
	Records   []recordVector
	NotOurs   []string `json:"not_records"`
	Malformed []string `json:"malformed_records"`
}) {
	t.Helper()
	data, err := os.ReadFile("testdata/openalias.json")
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(data, &v))
	return v
}

type recordVector struct {
	Text string
	openalias.Record
}

func TestParseName(t *testing.T) {
	for text, name := range vectors(t).Names {
		got, err := openalias.ParseName(text)
		require.NoError(t, err, text)
		require.Equal(t, name, got)
	}
	for _, text := range vectors(t).NotNames {
		_, err := openalias.ParseName(text)
		require.ErrorIs(t, err, openalias.ErrName, text)
	}
}

func TestParseRecord(t *testing.T) {
	v := vectors(t)
	for _, want := range v.Records {
		r, err := openalias.ParseRecord(want.Text)
		require.NoError(t, err, want.Text)
		require.Equal(t, want.Record, r)
	}
	for _, text := range v.NotOurs {
		r, err := openalias.ParseRecord(text)
		require.ErrorIs(t, err, openalias.ErrNoAddress, text)
		require.Zero(t, r)
	}
	invalid := "oa1:xmr recipient_address=" + one + ";recipient_name=\xff;"
	for _, text := range append(v.Malformed, invalid) {
		r, err := openalias.ParseRecord(text)
		require.ErrorIs(t, err, openalias.ErrRecord, text)
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
