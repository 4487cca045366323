package multisig

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// TestBooster checks that a booster made of all messages has the keys of the next round's message, that one made of
// some messages has a part of them, and that the account does not change.
func TestBooster(t *testing.T) {
	for _, size := range [][2]int{{2, 3}, {2, 4}, {3, 5}, {1, 4}} {
		group, texts := begin(t, size[0], size[1])
		for group[0].Round()+1 < mainRounds(uint32(size[1]), uint32(size[0])) {
			before := group[0].Encode()
			whole, err := group[0].Booster(source(1), others(texts, 0))
			require.NoError(t, err, size)
			part, err := group[0].Booster(source(1), texts[1:2])
			require.NoError(t, err, size)
			require.Equal(t, before, group[0].Encode())
			group, texts = step(t, group, texts)
			next, all, some := parsed(t, texts[0]), parsed(t, whole), parsed(t, part)
			require.Equal(t, next.Keys, all.Keys, size)
			require.Equal(t, []any{next.Round, next.Signer}, []any{some.Round, some.Signer})
			require.NotEmpty(t, some.Keys)
			require.Subset(t, next.Keys, some.Keys)
		}
		_, err := group[0].Booster(source(1), others(texts, 0))
		require.ErrorIs(t, err, ErrDone)
	}
}

// TestBoosterCompletesARound: with a booster in the place of a message of the next round, another signer completes that
// round.
func TestBoosterCompletesARound(t *testing.T) {
	group, texts := begin(t, 2, 4)
	booster, err := group[0].Booster(source(1), others(texts, 0))
	require.NoError(t, err)
	group, texts = step(t, group, texts)
	want, _, err := group[1].Exchange(source(1), others(texts, 1), false)
	require.NoError(t, err)
	got, _, err := group[1].Exchange(source(1), []string{booster, texts[2], texts[3]}, false)
	require.NoError(t, err)
	require.Equal(t, want.Encode(), got.Encode())
}

// TestFirstBooster makes boosters before make_multisig. Where the message would contain secrets it is refused.
func TestFirstBooster(t *testing.T) {
	signers := wallets(t, 3)
	var first []string
	for _, k := range signers {
		text, err := Prepare(source(3), k)
		require.NoError(t, err)
		first = append(first, text)
	}
	booster, err := FirstBooster(source(1), signers[0], 2, 3, first)
	require.NoError(t, err)
	_, texts := begin(t, 2, 3)
	require.Equal(t, parsed(t, texts[0]).Keys, parsed(t, booster).Keys)

	for _, c := range []struct {
		threshold, total uint32
		texts            []string
		err              error
	}{
		{2, 4, first[1:], ErrRevealing},
		{3, 3, first[1:], ErrDone},
		{0, 3, first[1:], ErrConfig},
		{4, 3, first[1:], ErrConfig},
		{16, 17, first[1:], ErrConfig},
		{2, 3, nil, ErrMissing},
		{2, 3, first[:1], ErrMissing}, // only its own
		{2, 3, []string{first[1], first[1]}, ErrDuplicate},
		{2, 3, append(first[:3:3], first[1]), ErrDuplicate},
		{2, 3, texts[1:], ErrRound},
		{2, 3, []string{"x"}, ErrMessage},
	} {
		_, err := FirstBooster(source(1), signers[0], c.threshold, c.total, c.texts)
		require.ErrorIs(t, err, c.err, "%+v", c)
	}
}

func parsed(t *testing.T, text string) *KexMessage {
	t.Helper()
	m, err := ParseKexMessage(text)
	require.NoError(t, err)
	return m
}
