package uri

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"glim/core/address"
	"glim/core/xmr"
)

const (
	standardAddress = "42ey1afDFnn4886T7196doS9GPMzexD9gXpsZJDwVjeRVdFCSoHnv7KPbBeGpzJBzHRCAs9UxqeoyFQMYbqSWYTf" +
		"JJQAWDm"
	subaddress = "8AsN91rznfkBGTY8psSNkJBg9SZgxxGGRUhGwRptBhgr5XSQ1XzmA9m8QAnoxydecSh5aLJXdrgXwTDMMZ1AuXsN1EX5Mtm"
	integrated = "4CMe2PUhs4J4886T7196doS9GPMzexD9gXpsZJDwVjeRVdFCSoHnv7KPbBeGpzJBzHRCAs9UxqeoyFQMYbqSWYTfSbL8cUr" +
		"14Zk1woD9kC"
	newForm = "monero:" + standardAddress + "?version=2.0"
)

// TestLinks: links of both forms, as written and as read.
func TestLinks(t *testing.T) {
	tip := Link{[]Recipient{{standardAddress, 3 * xmr.Coin / 2, "bar & grill"}, {subaddress, 0, "tip"}}, "round 1"}
	for want, l := range map[string]Link{
		newForm + "&amount=1.5XMR&label=bar%20%26%20grill&address=" + subaddress +
			"&label=tip&tx_description=round%201": tip,
		newForm + "&address=" + subaddress + "&amount=0.000000000001XMR": {
			[]Recipient{{standardAddress, 0, ""}, {subaddress, 1, ""}}, ""},
		newForm + "&amount=20XMR&address=" + integrated + "&amount=100XMR": {
			[]Recipient{{standardAddress, 20 * xmr.Coin, ""}, {integrated, 100 * xmr.Coin, ""}}, ""},
		"monero:" + subaddress + "?tx_amount=1.000000000000&recipient_name=bar": {
			[]Recipient{{subaddress, xmr.Coin, "bar"}}, ""},
	} {
		text, err := MakeLink(xmr.Mainnet, l)
		require.NoError(t, err)
		require.Equal(t, want, text)
		got, unknown, err := ParseLink(xmr.Mainnet, text)
		require.NoError(t, err)
		require.Empty(t, unknown)
		require.Equal(t, l, got)
	}

	got, unknown, err := ParseLink(xmr.Mainnet,
		newForm+"&x=%20&amount=1&address="+subaddress+"&amount=2xmr&txlabel=a&y=")
	require.NoError(t, err)
	require.Equal(t, []string{"x=%20", "y="}, unknown)
	require.Equal(t, Link{[]Recipient{{standardAddress, xmr.Coin, ""}, {subaddress, 2 * xmr.Coin, ""}}, "a"}, got)
	got, _, err = ParseLink(xmr.Mainnet, newForm)
	require.NoError(t, err)
	require.Equal(t, Link{Recipients: []Recipient{{Address: standardAddress}}}, got)
}

// TestNoRecipientIsOverlooked: Parse, which reads one recipient as the reference does, refuses every link that asks for
// amounts for several.
func TestNoRecipientIsOverlooked(t *testing.T) {
	text, err := MakeLink(xmr.Mainnet, Link{Recipients: []Recipient{{standardAddress, 1, ""}, {subaddress, 2, ""}}})
	require.NoError(t, err)
	_, _, err = Parse(xmr.Mainnet, text)
	require.ErrorIs(t, err, ErrDuplicate)
}

func TestLinkErrors(t *testing.T) {
	old := "monero:" + standardAddress
	for text, want := range map[string]error{
		"":                                    ErrScheme,
		"bitcoin:x?version=2.0":               ErrScheme,
		"monero:?version=2.0":                 ErrAddress,
		newForm + "&address=":                 ErrAddress,
		newForm + "&address=" + old:           ErrAddress,
		old + "?version=3.0":                  ErrVersion,
		old + "?version=":                     ErrVersion,
		old + "?version=2.0.1":                ErrVersion,
		old + "?address=" + subaddress:        ErrVersion,
		old + "?amount=1":                     ErrVersion,
		old + "?tx_amount=1&version=2.0":      ErrVersion,
		old + ";" + subaddress:                ErrAddress,
		newForm + "&":                         ErrParameter,
		newForm + "&a":                        ErrParameter,
		newForm + "&version=2.0":              ErrParameter,
		newForm + "&tx_amount=1":              ErrParameter,
		newForm + "&recipient_name=a":         ErrParameter,
		newForm + "&tx_payment_id=1":          ErrParameter,
		newForm + "&amount=1&amount=1":        ErrDuplicate,
		newForm + "&label=&label=":            ErrDuplicate,
		newForm + "&x=1&x=1":                  ErrDuplicate,
		newForm + "&txlabel=&tx_description=": ErrDuplicate,
		newForm + "&amount=":                  ErrAmount,
		newForm + "&amount=XMR":               ErrAmount,
		newForm + "&amount=0":                 ErrAmount,
		newForm + "&amount=1USD":              ErrAmount,
		newForm + "&amount=-1":                ErrAmount,
		newForm + "&amount= 1":                ErrAmount,
		newForm + "&amount=18446744&address=" + subaddress + "&amount=1": ErrAmount,
		"monero:" + integrated + "?version=2.0&address=" + integrated:    ErrPaymentID,
		old + "?tx_payment_id=" + strings.Repeat("0", 64):                ErrPaymentID,
		newForm + strings.Repeat("&address="+subaddress, MaxRecipients):  ErrRecipients,
	} {
		l, unknown, err := ParseLink(xmr.Mainnet, text)
		require.ErrorIs(t, err, want, text)
		require.Zero(t, l)
		require.Nil(t, unknown)
	}
	_, _, err := ParseLink(xmr.Mainnet, newForm+strings.Repeat("&address="+subaddress, MaxRecipients-1))
	require.NoError(t, err)
	_, _, err = ParseLink(xmr.Stagenet, newForm)
	require.ErrorIs(t, err, address.ErrNetwork)

	for _, c := range []struct {
		recipients []Recipient
		err        error
	}{
		{nil, ErrRecipients},
		{make([]Recipient, MaxRecipients+1), ErrRecipients},
		{[]Recipient{{"x", 1, ""}, {subaddress, 1, ""}}, ErrAddress},
		{[]Recipient{{subaddress, 1, ""}, {"x", 1, ""}}, ErrAddress},
		{[]Recipient{{integrated, 1, ""}, {integrated, 1, ""}}, ErrPaymentID},
		{[]Recipient{{subaddress, 1, ""}, {subaddress, 1<<64 - 1, ""}}, ErrAmount},
	} {
		_, err := MakeLink(xmr.Mainnet, Link{Recipients: c.recipients})
		require.ErrorIs(t, err, c.err)
	}
}

func FuzzParseLink(f *testing.F) {
	for _, c := range load(f).Parse {
		f.Add(c.URI)
	}
	f.Add(newForm + "&amount=1.5XMR&label=a%20b&address=" + subaddress + "&label=tip&txlabel=b&x=y")
	f.Fuzz(func(t *testing.T, text string) {
		l, _, err := ParseLink(xmr.Mainnet, text)
		if err != nil {
			return
		}
		again, err := MakeLink(xmr.Mainnet, l)
		require.NoError(t, err)
		m, none, err := ParseLink(xmr.Mainnet, again)
		require.NoError(t, err)
		require.Empty(t, none)
		require.Equal(t, l, m)
	})
}
