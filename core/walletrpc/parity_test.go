package walletrpc

import (
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"glim/core/rpc"
)

// The checked-in list and the Method values must be the same: names, aliases and who may call in restricted mode.
func TestMethodsAreTheReferences(t *testing.T) {
	text, err := os.ReadFile("testdata/methods.txt")
	require.NoError(t, err)
	want := map[string]Info{}
	for line := range strings.Lines(string(text)) {
		if strings.HasPrefix(line, "#") {
			continue
		}
		words := strings.Fields(line)
		require.GreaterOrEqual(t, len(words), 2, line)
		require.Contains(t, []string{"allowed", "restricted"}, words[0])
		want[words[1]] = Info{Name: words[1], Aliases: words[2:], Restricted: words[0] == "restricted"}
	}
	require.Len(t, want, 94)
	seen := map[string]bool{}
	for _, m := range Methods() {
		w, ok := want[m.Name]
		require.True(t, ok, "%s is not in the list", m.Name)
		require.Equal(t, w.Restricted, m.Restricted, m.Name)
		require.True(t, slices.Equal(w.Aliases, m.Aliases), m.Name)
		for _, n := range append([]string{m.Name}, m.Aliases...) {
			require.False(t, seen[n], "%s twice", n)
			seen[n] = true
		}
	}
	for name := range want {
		require.True(t, seen[name], "%s has no Method", name)
	}
	for _, m := range Beyond() {
		require.False(t, seen[m.Name], "%s is the reference's", m.Name)
	}
}

func TestAbsentMembersTakeTheReferencesDefaults(t *testing.T) {
	var transfers GetTransfersRequest
	require.NoError(t, rpc.Bind([]byte(`{"in":true}`), &transfers))
	require.Equal(t, GetTransfersRequest{In: true, MaxHeight: MaxBlockNumber}, transfers)

	var address CreateAddressRequest
	require.NoError(t, rpc.Bind(nil, &address))
	require.Equal(t, CreateAddressRequest{Count: 1}, address)

	var auto AutoRefreshRequest
	require.NoError(t, rpc.Bind([]byte(`{}`), &auto))
	require.Equal(t, AutoRefreshRequest{Enable: true}, auto)

	var export ExportOutputsRequest
	require.NoError(t, rpc.Bind([]byte(`{}`), &export))
	require.Equal(t, uint32(0xffffffff), export.Count)

	var daemon SetDaemonRequest
	require.NoError(t, rpc.Bind([]byte(`{"address":"h:1"}`), &daemon))
	require.Equal(t, SetDaemonRequest{Address: "h:1", SSLSupport: "autodetect"}, daemon)

	var size EstimateTxSizeAndWeightRequest
	require.NoError(t, rpc.Bind([]byte(`{"n_inputs":1}`), &size))
	require.Equal(t, EstimateTxSizeAndWeightRequest{NInputs: 1, Rct: true}, size)

	var sweep SweepAllRequest
	require.NoError(t, rpc.Bind([]byte(`{}`), &sweep))
	require.Equal(t, SweepAllRequest{Outputs: 1}, sweep)
}

func TestPublishedMembersAreAccepted(t *testing.T) {
	var accounts GetAccountsRequest
	require.NoError(t, rpc.Bind([]byte(`{"tag":"a.*","regex":true}`), &accounts))
	require.True(t, accounts.Regex)
	var book EditAddressBookRequest
	require.NoError(t, rpc.Bind([]byte(`{"index":1,"set_payment_id":true,"payment_id":"12"}`), &book))
	require.Equal(t, EditAddressBookRequest{Index: 1, SetPaymentID: true, PaymentID: "12"}, book)
}

func TestFail(t *testing.T) {
	require.Equal(t, &rpc.Error{Code: -13, Message: "No wallet file"}, Fail(CodeNotOpen, ""))
	require.Equal(
		t, &rpc.Error{Code: -1, Message: "Tag 50% is unregistered."},
		Fail(CodeUnknown, "Tag %s is unregistered.", "50%"),
	)
	require.Equal(t, "Command unavailable in restricted mode.", Fail(CodeDenied, "").Message)
}
