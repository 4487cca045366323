package uri

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"glim/core/address"
	"glim/core/xmr"
)

// golden has the reference's answers; testdata/README.md names the program.
type golden struct {
	Make  []made   `json:"make"`
	Parse []parsed `json:"parse"`
}

type made struct {
	Address       string `json:"address"`
	PaymentID     string `json:"payment_id,omitempty"`
	Amount        uint64 `json:"amount,omitempty"`
	RecipientName string `json:"recipient_name,omitempty"`
	Description   string `json:"tx_description,omitempty"`
	URI           string `json:"uri"`
	Error         string `json:"error,omitempty"`
}

type parsed struct {
	URI     string   `json:"uri"`
	Result  made     `json:"result"`
	Unknown []string `json:"unknown_parameters,omitempty"`
	Error   string   `json:"error,omitempty"`
}

func load(t testing.TB) (g golden) {
	b, err := os.ReadFile("testdata/reference.json")
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(b, &g))
	require.NotEmpty(t, g.Make)
	require.NotEmpty(t, g.Parse)
	return g
}

// TestReference makes and parses the same URIs as the reference, with its messages.
func TestReference(t *testing.T) {
	g := load(t)
	for _, c := range g.Make {
		got, err := Make(xmr.Mainnet, Payment{c.Address, c.PaymentID, c.Amount, c.RecipientName, c.Description})
		if c.Error != "" {
			require.EqualError(t, err, strings.TrimPrefix(c.Error, "Cannot make URI from supplied parameters: "))
			continue
		}
		require.NoError(t, err)
		want := c.URI
		if strings.Contains(c.RecipientName, "=") { // the one difference: see Make
			head, name, _ := strings.Cut(want, "recipient_name=")
			want = head + "recipient_name=" + strings.ReplaceAll(name, "=", "%3D")
		}
		require.Equal(t, want, got)
		p, unknown, err := Parse(xmr.Mainnet, got)
		require.NoError(t, err)
		require.Empty(t, unknown)
		require.Equal(t, Payment{c.Address, c.PaymentID, c.Amount, c.RecipientName, c.Description}, p)
	}
	for _, c := range g.Parse {
		p, unknown, err := Parse(xmr.Mainnet, c.URI)
		if c.Error != "" {
			require.EqualError(t, err, strings.TrimPrefix(c.Error, "Error parsing URI: "), c.URI)
			continue
		}
		require.NoError(t, err, c.URI)
		r := c.Result
		require.Equal(t, Payment{r.Address, r.PaymentID, r.Amount, r.RecipientName, r.Description}, p, c.URI)
		require.Equal(t, c.Unknown, unknown, c.URI)
	}
}

func TestErrors(t *testing.T) {
	const sub = "monero:8AsN91rznfkBGTY8psSNkJBg9SZgxxGGRUhGwRptBhgr5XSQ1XzmA9m8QAnoxydecSh5aLJXdrgXwTDMMZ1AuXsN1EX5Mtm"
	const standard = "monero:42ey1afDFnn4886T7196doS9GPMzexD9gXpsZJDwVjeRVdFCSoHnv7KPbBeGpzJBzHRCAs9UxqeoyFQMYbqSWYTf" +
		"JJQAWDm"
	for text, want := range map[string]error{
		strings.ToUpper(standard[:7]) + standard[7:]: ErrScheme,
		"":                                ErrScheme,
		"monero:":                         ErrAddress,
		"monero:?tx_amount=1":             ErrAddress,
		standard + " ":                    ErrAddress,
		standard + "?&":                   ErrParameter,
		standard + "?a":                   ErrParameter,
		standard + "?a=b=c":               ErrParameter,
		standard + "?a=1&b=2&a=1":         ErrDuplicate,
		standard + "?tx_amount=-1":        ErrAmount,
		standard + "?tx_payment_id=12":    ErrPaymentID,
		sub + "?tx_payment_id=not%20hexa": ErrPaymentID,
	} {
		p, unknown, err := Parse(xmr.Mainnet, text)
		require.ErrorIs(t, err, want, text)
		require.Zero(t, p)
		require.Nil(t, unknown)
	}
	_, _, err := Parse(xmr.Stagenet, standard)
	require.ErrorIs(t, err, ErrAddress)
	require.ErrorIs(t, err, address.ErrNetwork)
	_, err = Make(xmr.Testnet, Payment{Address: standard[7:]})
	require.ErrorIs(t, err, ErrAddress)
	require.ErrorIs(t, err, address.ErrNetwork)
	_, err = Make(xmr.Regtest, Payment{Address: standard[7:]})
	require.NoError(t, err, "regtest shares mainnet's prefixes")
	_, err = Make(xmr.Mainnet, Payment{Address: standard[7:], PaymentID: "x"})
	require.ErrorIs(t, err, ErrPaymentID)
}

func FuzzParse(f *testing.F) {
	for _, c := range load(f).Parse {
		f.Add(c.URI)
	}
	f.Fuzz(func(t *testing.T, text string) {
		p, unknown, err := Parse(xmr.Mainnet, text)
		if err != nil {
			return
		}
		require.LessOrEqual(t, len(p.RecipientName)+len(p.Description)+len(strings.Join(unknown, "")), len(text))
		p.PaymentID = ""
		again, err := Make(xmr.Mainnet, p)
		require.NoError(t, err)
		q, none, err := Parse(xmr.Mainnet, again)
		require.NoError(t, err)
		require.Empty(t, none)
		require.Equal(t, p, q)
	})
}
