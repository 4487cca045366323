package daemonrpc

import (
	"context"
	"reflect"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"glim/core/codec/epee"
	"glim/core/rpc"
)

// lists calls f for each list among the fields of a response.
func lists(t reflect.Type, f func(field reflect.StructField)) {
	if t.Kind() != reflect.Struct {
		return
	}
	for i := range t.NumField() {
		switch field := t.Field(i); {
		case field.Anonymous:
			lists(field.Type, f)
		case field.Type.Kind() == reflect.Slice && field.Type.Elem().Kind() != reflect.Uint8:
			f(field)
		}
	}
}

// fieldOf returns the field of a request with the given JSON name.
func fieldOf(t reflect.Type, name string) (found reflect.StructField) {
	for _, f := range reflect.VisibleFields(t) {
		if n, _, _ := strings.Cut(f.Tag.Get("json"), ","); n == name {
			return f
		}
	}
	return found
}

// TestEveryListHasABound: each list in a response has a limit, which is a number or depends on the request.
func TestEveryListHasABound(t *testing.T) {
	for _, op := range Operations() {
		lists(op.Response, func(f reflect.StructField) {
			bound := f.Tag.Get("max")
			require.NotEmpty(t, bound, "%s.%s", op.Name, f.Name)
			if _, err := strconv.Atoi(bound); err == nil {
				return
			}
			last, first, isRange := strings.Cut(bound, "-")
			for _, name := range []string{last, first} {
				want := reflect.Slice
				if isRange {
					want = reflect.Uint64
				}
				if name != "" {
					field := fieldOf(op.Request, name)
					require.NotNil(t, field.Type, "%s.%s: no %q in the question", op.Name, f.Name, name)
					require.Equal(t, want, field.Type.Kind(), "%s.%s", op.Name, f.Name)
				}
			}
		})
	}
}

// fill sets the parts of an element that are never empty: the bytes of a block, the outputs of a transaction.
func fill(v reflect.Value) {
	switch {
	case v.Kind() == reflect.Struct:
		for i := range v.NumField() {
			if f := v.Field(i); f.CanSet() && (v.NumField() == 1 || f.Type() == reflect.TypeFor[[]byte]()) {
				fill(f)
			}
		}
	case v.Type() == reflect.TypeFor[[]byte]():
		v.SetBytes(make([]byte, 80))
	case v.Kind() == reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 1, 1))
	}
}

// fixed is a service that returns the same response to every request.
type fixed []byte

func (f fixed) Post(context.Context, string, []byte) ([]byte, error) { return f, nil }

// TestTrueAnswersAreNotTooLarge: lists of the shortest elements that the reference writes stay within the memory limit.
func TestTrueAnswersAreNotTooLarge(t *testing.T) {
	const n = 10000
	for _, op := range Operations() {
		resp := reflect.New(op.Response)
		found := false
		lists(op.Response, func(f reflect.StructField) {
			v := resp.Elem().FieldByName(f.Name)
			if f.Type.Kind() == reflect.Slice {
				v.Set(reflect.MakeSlice(f.Type, n, n))
				for i := range n {
					fill(v.Index(i))
				}
				found = true
			}
		})
		if !found {
			continue
		}
		write, read := rpc.Encode, func(b []byte, v any) error { return rpc.Bind(b, v) }
		if op.Wire == rpc.Binary {
			write, read = epee.Marshal, epee.Unmarshal
		}
		b, err := write(resp.Interface())
		require.NoError(t, err, op.Name)
		require.NoError(t, read(b, reflect.New(op.Response).Interface()), op.Name)
	}
}

// TestLongAnswers: a list that is longer than its request allows is refused.
func TestLongAnswers(t *testing.T) {
	many := func(s string) string { return strings.Repeat(s+",", 100000) + s }
	_, err := rpc.Call(
		t.Context(), fixed(`{"status":"OK","txs":[`+many("{}")+`]}`), GetTransactions,
		GetTransactionsRequest{TxsHashes: []string{"a"}},
	)
	require.ErrorContains(t, err, "longer than the request allows")
	_, err = rpc.Call(
		t.Context(), fixed(`{"result":{"status":"OK","fees":[`+many("1")+`]}}`), GetFeeEstimate,
		GetFeeEstimateRequest{},
	)
	require.ErrorContains(t, err, "longer than the request allows")
	_, err = rpc.Call(
		t.Context(), fixed(`{"result":{"status":"OK","headers":[`+many("{}")+`]}}`), GetBlockHeadersRange,
		GetBlockHeadersRangeRequest{StartHeight: 5, EndHeight: 9},
	)
	require.ErrorContains(t, err, "longer than the request allows")
	b, err := epee.Marshal(&GetOutsBinResponse{Outs: make([]OutKeyBin, 3)})
	require.NoError(t, err)
	_, err = rpc.Call(t.Context(), fixed(b), GetOutsBin, GetOutsBinRequest{Outputs: make([]OutputRef, 2)})
	require.ErrorIs(t, err, epee.ErrListTooLong)
}
