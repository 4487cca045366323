package invoice_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"glim/core/invoice"
	"glim/core/xmr"
)

// TestStatus: what has arrived, when, and how deep in the chain it is, decides about the state.
func TestStatus(t *testing.T) {
	const amount, deadline, height = 2 * xmr.Coin, 1_000_000, 200
	pool := func(amount uint64, seen int) invoice.Payment {
		return invoice.Payment{Amount: amount, Seen: uint64(deadline + seen)}
	}
	mined := func(amount, block uint64, seen int) invoice.Payment {
		return invoice.Payment{Amount: amount, Height: block, Seen: uint64(deadline + seen)}
	}
	locked := mined(amount, 100, -1)
	locked.Locked = true
	type list = []invoice.Payment
	for name, c := range map[string]struct {
		payments      list
		now           int // seconds after the deadline
		state         invoice.State
		received      uint64
		confirmations uint64
	}{
		"nothing, at the deadline":   {nil, 0, invoice.Pending, 0, 0},
		"nothing after it":           {nil, 1, invoice.Expired, 0, 0},
		"a part":                     {list{pool(amount-1, -1)}, -1, invoice.Underpaid, amount - 1, 0},
		"a part, after the deadline": {list{pool(amount-1, -1)}, 9, invoice.Underpaid, amount - 1, 0},
		"in the pool":                {list{pool(amount, 0)}, 9, invoice.Seen, amount, 0},
		"too few blocks":             {list{mined(amount, 198, -1)}, 9, invoice.Seen, amount, 2},
		"enough blocks":              {list{mined(amount, 197, -1)}, 9, invoice.Confirmed, amount, 3},
		"seen too late":              {list{mined(amount, 100, 1)}, 9, invoice.Late, amount, 100},
		"a rest that is late":        {list{mined(amount-1, 100, 0), mined(1, 190, 1)}, 9, invoice.Late, amount, 10},
		"too little, all late":       {list{mined(1, 100, 1)}, 9, invoice.Underpaid, 1, 0},
		"two parts, one in the pool": {list{pool(1, 0), mined(amount-1, 100, 0)}, -1, invoice.Seen, amount, 0},
		"more, and the rest in a pool": {list{pool(5, 0), mined(amount, 100, 0)}, -1,
			invoice.Overpaid, amount + 5, 100},
		"more, not confirmed": {list{pool(amount+1, 0)}, -1, invoice.Seen, amount + 1, 0},
		"more after the deadline": {list{mined(amount, 100, 0), pool(7, 1)}, 9,
			invoice.Overpaid, amount + 7, 100},
		"locked by the payer":           {list{locked}, -1, invoice.Pending, 0, 0},
		"a block above the known chain": {list{mined(amount, 300, 0)}, -1, invoice.Seen, amount, 0},
		"more than any amount": {list{mined(math.MaxUint64, 100, 0), mined(math.MaxUint64, 100, 0)}, -1,
			invoice.Overpaid, math.MaxUint64, 100},
	} {
		t.Run(name, func(t *testing.T) {
			i := invoice.Invoice{Amount: amount, Expires: deadline, Confirmations: 3}
			got := i.Status(c.payments, height, uint64(deadline+c.now))
			require.Equal(t, invoice.Status{State: c.state, Received: c.received, Confirmations: c.confirmations}, got)
			require.Contains(t, invoice.States(), got.State)
			i.Cancelled = true
			require.Equal(t, invoice.Cancelled, i.Status(c.payments, height, uint64(deadline+c.now)).State)
		})
	}
	never := invoice.Invoice{Amount: amount}
	require.Equal(t, invoice.Pending, never.Status(nil, height, math.MaxUint64).State)
	require.Equal(t, invoice.Confirmed, never.Status(list{pool(amount, 99)}, height, math.MaxUint64).State)
}

func TestText(t *testing.T) {
	i := invoice.Invoice{Account: 1, Address: math.MaxUint32, Amount: math.MaxUint64, Created: 5, Expires: 6,
		Confirmations: invoice.MaxConfirmations, Notice: 1 << 52, Cancelled: true}
	got, err := invoice.Parse(i.Text())
	require.NoError(t, err)
	require.Equal(t, i, got)
	require.LessOrEqual(t, len(i.Text()), 200)
	for _, text := range []string{"", "1", "1 0 0 1 0 0 0 0", "1 0 0 1 0 0 0 0 0 0", "2 0 0 1 0 0 0 0 0",
		"1 0 0 0 0 0 0 0 0", "1 0 0 01 0 0 0 0 0", "1 0 0 1 0 0 10001 0 0", "1 0 0 1 0 0 0 0 2", "1 -1 0 1 0 0 0 0 0",
		"1 4294967296 0 1 0 0 0 0 0", "1 0 0 18446744073709551616 0 0 0 0 0", " 1 0 0 1 0 0 0 0 0"} {
		_, err := invoice.Parse(text)
		require.ErrorIs(t, err, invoice.ErrText, text)
	}
}

// FuzzParse: a text that is accepted is the text of its invoice, and its status is one of the states.
func FuzzParse(f *testing.F) {
	f.Add("1 0 5 1000000000000 1700000000 1700003600 10 7 0", uint64(1), uint64(2), uint64(3))
	f.Add("1 4294967295 1 18446744073709551615 0 0 10000 0 1", uint64(math.MaxUint64), uint64(0), uint64(9))
	f.Fuzz(func(t *testing.T, text string, amount, block, seen uint64) {
		i, err := invoice.Parse(text)
		if err != nil {
			require.ErrorIs(t, err, invoice.ErrText)
			return
		}
		require.Equal(t, text, i.Text())
		s := i.Status([]invoice.Payment{{Amount: amount, Height: block, Seen: seen}}, 100, 50)
		require.Contains(t, invoice.States(), s.State)
	})
}
