//go:build !js && !wasip1

package uri

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"glim/bindings/peers"
)

var record = flag.Bool("record", false, "write the answers of the real program to testdata")

// visible has every character that JSON encodes in one byte except '=', and some with two to four bytes.
func visible() string {
	var b strings.Builder
	for c := rune(1); c < 128; c++ {
		if c != '=' {
			b.WriteRune(c)
		}
	}
	return b.String() + "éß€漢😀"
}

func questions() (g golden) {
	const (
		standard   = "42ey1afDFnn4886T7196doS9GPMzexD9gXpsZJDwVjeRVdFCSoHnv7KPbBeGpzJBzHRCAs9UxqeoyFQMYbqSWYTfJJQAWDm"
		sub        = "8AsN91rznfkBGTY8psSNkJBg9SZgxxGGRUhGwRptBhgr5XSQ1XzmA9m8QAnoxydecSh5aLJXdrgXwTDMMZ1AuXsN1EX5Mtm"
		integrated = "4CMe2PUhs4J4886T7196doS9GPMzexD9gXpsZJDwVjeRVdFCSoHnv7KPbBeGpzJBzHRCAs9UxqeoyFQMYbqSWYTfSbL8cUr" +
			"14Zk1woD9kC"
		stagenet = "55LTR8KniP4LQGJSPtbYDacR7dz8RBFnsfAKMaMuwUNYX6aQbBcovzDPyrQF9KXF9tVU6Xk3K8no1BywnJX6GvZX8yJsXvt"
		id       = "0123456789abcdef0123456789ABCDEF0123456789abcdef0123456789abcdef"
	)
	g.Make = []made{
		{Address: standard}, {Address: sub}, {Address: integrated}, {Address: stagenet}, {Address: ""},
		{Address: standard + "x"},
		{Address: standard, Amount: 1}, {Address: sub, Amount: 1_500_000_000_000},
		{Address: standard, Amount: 1<<64 - 1},
		{Address: standard, RecipientName: visible()}, {Address: standard, Description: visible()},
		{Address: standard, RecipientName: "a=b&c"}, {Address: integrated, Amount: 239_390_140_000_000,
			RecipientName: "el00ruobuob Stagenet wallet", Description: "Testing out the make_uri function."},
		{Address: standard, PaymentID: id}, {Address: standard, PaymentID: "x"}, {Address: integrated, PaymentID: id},
	}
	m := "monero:" + standard
	for _, u := range []string{
		m, "monero:" + sub, "monero:" + integrated, "monero:" + stagenet, "", "monero", "monero:", "Monero:" + standard,
		"bitcoin:" + standard,
		"MONERO:" + standard, "monero://" + standard, " " + m, m + " ", m + "?", m + "?&", m + "&", m + "?tx_amount",
		m + "?=", m + "?=&=", m + "?a=", m + "?a=1&",
		m + "??a=1", m + "?a=1?b=2", m + "?a=1&a=1", m + "?tx_amount=1&tx_amount=1", m + "?tx_amount=1&tx_amount=2",
		m + "?x=1&y=%20&Tx_amount=7",
		m + "?tx_amount=", m + "?tx_amount=.", m + "?tx_amount=0", m + "?tx_amount=1", m + "?tx_amount=1.",
		m + "?tx_amount=.5", m + "?tx_amount=00001.50",
		m + "?tx_amount=0.000000000001", m + "?tx_amount=0.0000000000001", m + "?tx_amount=0.00000000000100000",
		m + "?tx_amount=1.000000000000000",
		m + "?tx_amount=18446744.073709551615", m + "?tx_amount=18446744.073709551616", m + "?tx_amount=99999999999",
		m + "?tx_amount=1.2.3", m + "?tx_amount=-1",
		m + "?tx_amount=+1", m + "?tx_amount=1e3", m + "?tx_amount=0x10", m + "?tx_amount=1,5", m + "?tx_amount= 1 ",
		m + "?tx_amount=\t1\v\n", m + "?tx_amount=%31",
		m + "?tx_amount=1 1", m + "?tx_amount=0.0000000000000000000000",
		m + "?tx_amount=000000000000000000000000000000000001", m + "?tx_amount=1.23456789012a",
		m + "?tx_amount=1.1234567890123", m + "?tx_amount=.0000000000000",
		m + "?tx_payment_id=" + id, m + "?tx_payment_id=" + id[:16], m + "?tx_payment_id=",
		m + "?tx_payment_id=" + id[1:] + "g", "monero:" + sub + "?tx_payment_id=" + id,
		"monero:" + integrated + "?tx_payment_id=" + id, m + "?recipient_name=%e9%C3%A9%20+a%2",
		m + "?recipient_name=%zz%4%41%4g%%41", m + "?recipient_name=%",
		m + "?recipient_name=é漢", m + "?recipient_name=a%3Db%26c",
		m + "?tx_description=Testing%20out%20the%20make_uri%20function.&tx_amount=2.5&foo=bar&bar=%20",
		m + "?tx_description=a b", m + "?tx_description=&recipient_name=", m + "?recipient_name=a%4",
		m + "?recipient_name=a%41", m + "#?a=1", m + "?a=b#c",
	} {
		if !strings.Contains(u, "%e9") { // what is no UTF-8 has no place in JSON
			g.Parse = append(g.Parse, parsed{URI: u})
		}
	}
	return g
}

// TestRealProgram compares the recorded answers with those of a reference wallet RPC.
func TestRealProgram(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Minute)
	defer cancel()
	w := peers.NewWalletRPC(t, nil, peers.Options{})
	require.NoError(t, w.JSON(ctx, "create_wallet", map[string]any{"filename": "w", "language": "English"}, nil))
	g := questions()
	for i := range g.Make {
		c := &g.Make[i]
		c.Error = refusal(t, w.JSON(ctx, "make_uri", c, c))
	}
	for i := range g.Parse {
		c := &g.Parse[i]
		answer := struct {
			URI     *made     `json:"uri"`
			Unknown *[]string `json:"unknown_parameters"`
		}{&c.Result, &c.Unknown}
		c.Error = refusal(t, w.JSON(ctx, "parse_uri", map[string]any{"uri": c.URI}, &answer))
	}
	b, err := json.MarshalIndent(g, "", " ")
	require.NoError(t, err)
	if *record {
		require.NoError(t, os.WriteFile("testdata/reference.json", append(b, '\n'), 0o644))
	}
	want, err := os.ReadFile("testdata/reference.json")
	require.NoError(t, err)
	require.Equal(t, string(want), string(b)+"\n")
}

func refusal(t *testing.T, err error) string {
	var refused *peers.Error
	if errors.As(err, &refused) {
		require.Equal(t, -11, refused.Code)
		return refused.Message
	}
	require.NoError(t, err)
	return ""
}
