package describe

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
)

const root = "../../.."

func TestWallet(t *testing.T) {
	s, err := Wallet(root)
	require.NoError(t, err)
	i := slices.IndexFunc(s.Operations, func(o Operation) bool { return o.Name == "get_events" })
	require.GreaterOrEqual(t, i, 90)
	op := s.Operations[i]
	require.Equal(t, "GetEvents", op.GoName)
	require.True(t, op.Restricted)
	require.Equal(t, "Returns the events of transfers after a cursor. An extension of glim.", op.Doc)
	require.Equal(t, Value{Kind: Object, Type: "GetEventsRequest"}, op.Request)

	request := s.Find(op.Request.Type)
	require.True(t, request.Request)
	require.False(t, request.Response)
	require.Equal(t, "The position to continue from.", request.Doc)
	require.Equal(t,
		Field{
			Name: "limit", GoName: "Limit", Doc: "largest number of events, up to MaxEvents",
			Value:   Value{Kind: Big, Bits: 64},
			Default: "1000",
		},
		request.Fields[1])

	event := s.Find("Event")
	require.Contains(t, event.Fields,
		Field{Name: "subaddr_index", GoName: "SubaddrIndex",
			Doc:   "the receiving address; for an outgoing transfer, the first address of the account",
			Value: Value{Kind: Object, Type: "SubaddressIndex"}, Optional: true})
	events := s.Find("GetEventsResponse").Fields[0]
	require.Equal(t, Value{Kind: List, Elem: &Value{Kind: Object, Type: "Event"}}, events.Value)

	index := s.Find("SubaddressIndex")
	require.True(t, index.Request && index.Response, "label_address takes it, payments hold it")
	require.Equal(t, Value{Kind: Integer, Bits: 32}, index.Fields[0].Value)
	require.Contains(t, s.Codes, Code{"WrongURI", -11, ""})
	require.Contains(t, s.Codes, Code{"InvalidParams", -32602, ""})
	require.Contains(t, s.Codes, Code{"InvalidFeePriority", -53, "from 0.19 on"})
	everythingIsSaid(t, s)
}

func TestDaemon(t *testing.T) {
	s, err := Daemon(root)
	require.NoError(t, err)
	i := slices.IndexFunc(s.Operations, func(o Operation) bool { return o.Name == "generateblocks" })
	require.GreaterOrEqual(t, i, 0)
	paths := 0
	for _, op := range s.Operations {
		if op.Path {
			paths++
		}
	}
	require.Greater(t, paths, 10)
	entry := s.Find("TxEntry")
	i = slices.IndexFunc(entry.Fields, func(f Field) bool { return f.Name == "block_height" })
	require.Equal(t, Value{Kind: Big, Bits: 64}, entry.Fields[i].Value)
	require.True(t, entry.Fields[i].Optional)
	require.False(t, entry.Fields[i].Nullable)
	// Embedded members are in their place.
	require.Equal(t, "status", s.Find("GetInfoResponse").Fields[0].Name)
	require.Contains(t, s.Codes, Code{"Internal", -5, ""})
	require.Contains(t, s.Codes, Code{"RPCInternal", -32603, ""})
	everythingIsSaid(t, s)
}

// everythingIsSaid: every operation and every object has a comment, names are unique, and references exist.
func everythingIsSaid(t *testing.T, s *Service) {
	t.Helper()
	seen := map[string]bool{}
	var known func(v Value)
	known = func(v Value) {
		switch v.Kind {
		case Object:
			require.True(t, slices.ContainsFunc(s.Types, func(t Type) bool { return t.Name == v.Type }), v.Type)
		case List:
			known(*v.Elem)
		}
	}
	for _, op := range s.Operations {
		require.NotEmpty(t, op.Doc, op.Name)
		require.False(t, seen[op.Name], op.Name)
		seen[op.Name] = true
		known(op.Request)
		known(op.Response)
	}
	for i, typ := range s.Types {
		require.NotEmpty(t, typ.Doc, typ.Name)
		require.True(t, typ.Request || typ.Response, typ.Name)
		require.True(t, i == 0 || s.Types[i-1].Name < typ.Name, typ.Name)
		for _, f := range typ.Fields {
			known(f.Value)
		}
	}
}

func TestSentence(t *testing.T) {
	for _, c := range [][3]string{
		{"GetBalance", "GetBalance returns what\nan account holds.\n", "Returns what an account holds."},
		{"AccountInfo", "AccountInfo is one account.\n", "One account."},
		{"Lost", "atomic units", "atomic units"},
		{"X", "X does.\n\nY follows,\ntoo.\n", "Does.\nY follows, too."},
		{"X", "", ""},
	} {
		require.Equal(t, c[2], Sentence(c[0], c[1]))
	}
}
