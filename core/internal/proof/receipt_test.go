package proof

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

var aReceipt = Receipt{"monero:A?tx_description=a%20b", "ab",
	[]AddressProof{{"A", "OutProofV2x"}, {"B", "OutProofV2y"}}}

func TestReceiptText(t *testing.T) {
	text := aReceipt.Text()
	require.Equal(t, "Monero payment receipt 1\nlink: monero:A?tx_description=a%20b\ntransaction: ab\n"+
		"proof: A OutProofV2x\nproof: B OutProofV2y\n", text)
	for _, same := range []string{text, strings.TrimSpace(text), "\n " + text, strings.ReplaceAll(text, "\n", "\r\n")} {
		got, err := ParseReceipt(same)
		require.NoError(t, err)
		require.Equal(t, aReceipt, got)
	}
	lines := strings.SplitAfter(text, "\n")
	for _, malformed := range []string{
		"", strings.Join(lines[1:], ""), strings.Join(lines[:3], ""),
		strings.ReplaceAll(text, "receipt 1", "receipt 2"),
		strings.Replace(text, "link: ", "link:", 1), strings.Replace(text, "transaction: ", "", 1),
		strings.ReplaceAll(text, "proof: ", "proof:"), text + "more\n", text + "proof: A  x\n", text + "\nproof: A x\n",
		text + strings.Repeat("proof: A x\n", MaxReceiptProofs),
	} {
		_, err := ParseReceipt(malformed)
		require.ErrorIs(t, err, ErrMalformed, malformed)
	}
}

func FuzzParseReceipt(f *testing.F) {
	f.Add(aReceipt.Text())
	f.Fuzz(func(t *testing.T, text string) {
		r, err := ParseReceipt(text)
		if err != nil {
			return
		}
		again, err := ParseReceipt(r.Text())
		require.NoError(t, err)
		require.Equal(t, r, again)
	})
}
