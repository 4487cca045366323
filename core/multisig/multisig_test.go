package multisig

import (
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"glim/core/crypto/edwards"
	"glim/core/keys"
	"glim/core/xmr"
)

// source returns deterministic randomness.
func source(seed uint64) *rand.ChaCha8 {
	var b [32]byte
	binary.LittleEndian.PutUint64(b[:], seed)
	return rand.NewChaCha8(b)
}

// wallets returns the keys of n wallets.
func wallets(t testing.TB, n int) []*keys.Keys {
	out := make([]*keys.Keys, n)
	for i := range out {
		var err error
		out[i], err = keys.FromSeed([32]byte{byte(i + 1), 7})
		require.NoError(t, err)
	}
	return out
}

// others returns all texts except number i.
func others(texts []string, i int) []string { return slices.Delete(slices.Clone(texts), i, i+1) }

// begin returns the accounts after the first round, and their messages.
func begin(t testing.TB, threshold, total int) ([]*Account, []string) {
	first := make([]string, total)
	random := source(uint64(total))
	for i, k := range wallets(t, total) {
		var err error
		first[i], err = Prepare(random, k)
		require.NoError(t, err)
	}
	group, texts := make([]*Account, total), make([]string, total)
	for i, k := range wallets(t, total) {
		var err error
		group[i], texts[i], err = Make(random, k, uint32(threshold), others(first, i))
		require.NoError(t, err)
	}
	return group, texts
}

// step advances all accounts by one round.
func step(t testing.TB, group []*Account, texts []string) ([]*Account, []string) {
	next, out := make([]*Account, len(group)), make([]string, len(group))
	for i, a := range group {
		var err error
		next[i], out[i], err = a.Exchange(source(1), others(texts, i), false)
		require.NoError(t, err, "signer %d, round %d", i, a.Round()+1)
	}
	return next, out
}

// setUp returns the accounts of a complete group.
func setUp(t testing.TB, threshold, total int) []*Account {
	group, texts := begin(t, threshold, total)
	for !group[0].Ready() {
		group, texts = step(t, group, texts)
	}
	return group
}

// spendSecret returns the sum of all distinct shares of some signers.
func spendSecret(group []*Account) *edwards.Scalar {
	sum, seen := edwards.NewScalar(), map[[32]byte]bool{}
	for _, a := range group {
		for _, s := range a.Shares() {
			if b := edwards.EncodeScalar(s); !seen[b] {
				seen[b] = true
				sum.Add(sum, s)
			}
		}
	}
	return sum
}

// TestEveryGroup sets up every M of N up to six signers, and some groups of sixteen, and checks that any M signers have
// the key, and fewer do not.
func TestEveryGroup(t *testing.T) {
	type size struct{ m, n int }
	var sizes []size
	for n := 2; n <= 6; n++ {
		for m := 1; m <= n; m++ {
			sizes = append(sizes, size{m, n})
		}
	}
	sizes = append(sizes, size{9, 10}, size{15, 16}, size{16, 16})
	for _, s := range sizes {
		t.Run(fmt.Sprintf("%d of %d", s.m, s.n), func(t *testing.T) {
			group, texts := begin(t, s.m, s.n)
			rounds := 1
			for ; !group[0].Ready(); rounds++ {
				require.Equal(t, rounds >= s.n-s.m+1, group[0].Complete())
				require.Equal(t, group[0].Complete(), group[0].Spend() != identity)
				group, texts = step(t, group, texts)
			}
			require.Equal(t, s.n-s.m+2, rounds)
			for _, a := range group {
				require.Equal(t, group[0].Spend(), a.Spend())
				require.Equal(t, group[0].View(), a.View())
				require.Equal(t, group[0].Signers(), a.Signers())
				require.Len(t, a.Shares(), ShareCount(uint32(s.n), uint32(s.m)))
				require.EqualValues(t, s.m, a.Threshold())
				require.Equal(t, publicOf(a.BaseSecret()), a.Self())
				k, err := a.Keys()
				require.NoError(t, err)
				require.False(t, k.CanSpend())
				require.Equal(t, a.View(), k.ViewPublic)
				_, _, err = a.Exchange(source(1), others(texts, 0), false)
				require.ErrorIs(t, err, ErrDone)
			}
			for i := range group {
				some := slices.Concat(group, group)[i : i+s.m]
				require.Equal(t, group[0].Spend(), publicOf(spendSecret(some)))
				if s.m > 1 {
					require.NotEqual(t, group[0].Spend(), publicOf(spendSecret(some[1:])))
				}
			}
		})
	}
}

// TestReadyMessage: a finished signer can repeat its last message for others.
func TestReadyMessage(t *testing.T) {
	group, texts := begin(t, 2, 2)
	first, _, err := group[0].Exchange(source(1), texts[1:], false)
	require.NoError(t, err)
	require.True(t, first.Ready())
	again, err := first.Message(source(2))
	require.NoError(t, err)
	second, _, err := group[1].Exchange(source(1), []string{again}, false)
	require.NoError(t, err)
	require.True(t, second.Ready())
}

// TestKexAfterReload encodes and decodes every account after every round.
func TestKexAfterReload(t *testing.T) {
	for _, s := range []struct{ m, n int }{{2, 2}, {2, 3}, {2, 4}, {1, 3}} {
		group, texts := begin(t, s.m, s.n)
		for {
			for i, a := range group {
				back, err := Decode(a.Encode())
				require.NoError(t, err)
				require.Equal(t, a.Encode(), back.Encode())
				require.Equal(t, a.String(), back.String())
				group[i] = back
				texts[i], err = back.Message(source(9))
				require.NoError(t, err)
			}
			if group[0].Ready() {
				break
			}
			group, texts = step(t, group, texts)
		}
		seed, err := group[1].Seed()
		require.NoError(t, err)
		back, err := FromSeed(" " + strings.ToUpper(seed) + "\n")
		require.NoError(t, err)
		require.Equal(t, group[1].Encode(), back.Encode())
	}
}

func TestSeedRefusals(t *testing.T) {
	unready, _ := begin(t, 2, 2)
	_, err := unready[0].Seed()
	require.ErrorIs(t, err, ErrRound)

	group := setUp(t, 2, 3)
	seed, err := group[0].Seed()
	require.NoError(t, err)
	// Every field taken from another signer's account is detected, except a share.
	for name, at := range map[string]int{
		"threshold": 0, "total": 4, "own key": 8, "view key": 72, "its public half": 104, "signer": 200,
	} {
		b := []byte(seed)
		copy(b[2*at:], "11")
		if string(b) == seed {
			copy(b[2*at:], "22")
		}
		_, err := FromSeed(string(b))
		require.ErrorIs(t, err, ErrSeed, name)
	}
	for _, text := range []string{
		"", "x", seed[2:], seed + "00", strings.Repeat("0", len(seed)), strings.Repeat("f", len(seed)),
		strings.Repeat("00", maxSeed+1),
	} {
		_, err := FromSeed(text)
		require.ErrorIs(t, err, ErrSeed)
	}
}

func TestInvalidGroups(t *testing.T) {
	k := wallets(t, 17)
	var first []string
	for _, w := range k {
		text, err := Prepare(source(3), w)
		require.NoError(t, err)
		first = append(first, text)
	}
	for name, c := range map[string]struct {
		threshold uint32
		texts     []string
		err       error
	}{
		"alone":               {1, nil, ErrConfig},
		"own message only":    {1, first[:1], ErrConfig},
		"threshold 0":         {0, first[1:3], ErrConfig},
		"threshold too high":  {4, first[1:3], ErrConfig},
		"threshold of 2^32−1": {1<<32 - 1, first[1:3], ErrConfig},
		"seventeen signers":   {2, first[1:], ErrConfig},
		"seventeen with own":  {2, first, ErrConfig},
		"one signer twice":    {2, []string{first[1], first[2], first[1]}, ErrDuplicate},
		"own message twice":   {2, []string{first[0], first[1], first[0]}, ErrDuplicate},
	} {
		_, _, err := Make(source(1), k[0], c.threshold, c.texts)
		require.ErrorIs(t, err, c.err, name)
	}
	// The signer's own message among the others changes nothing.
	with, _, err := Make(source(1), k[0], 2, first[:3])
	require.NoError(t, err)
	without, _, err := Make(source(1), k[0], 2, first[1:3])
	require.NoError(t, err)
	require.Equal(t, without.Encode(), with.Encode())

	view, err := keys.ViewOnly(k[0].ViewSecret(), k[0].SpendPublic)
	require.NoError(t, err)
	_, err = Prepare(source(1), view)
	require.ErrorIs(t, err, keys.ErrKey)
	_, _, err = Make(source(1), view, 2, first[1:2])
	require.ErrorIs(t, err, keys.ErrKey)

	// A message with this signer's key and another view key is refused.
	base, _, err := initialSecrets(k[0])
	require.NoError(t, err)
	forged := KexMessage{Round: 1, Signer: publicOf(base), Secret: keys.Secret{1}}
	text, err := forged.Sign(source(1), base)
	require.NoError(t, err)
	_, _, err = Make(source(1), k[0], 2, []string{text, first[1]})
	require.ErrorIs(t, err, ErrDisagree)
}

// signKex signs a message with any round and keys, including messages that no honest signer sends.
func signKex(t testing.TB, a *Account, round uint32, list ...xmr.PublicKey) string {
	m := KexMessage{Round: round, Signer: a.self, Keys: list}
	text, err := m.Sign(source(5), a.base)
	require.NoError(t, err)
	return text
}

// torsioned returns k with a point of order two added.
func torsioned(t testing.TB, k xmr.PublicKey) xmr.PublicKey {
	p, err := edwards.DecodePoint(k)
	require.NoError(t, err)
	two := [32]byte{0xec, 31: 0x7f} // y = −1
	for i := 1; i < 31; i++ {
		two[i] = 0xff
	}
	q, err := edwards.DecodePoint(two)
	require.NoError(t, err)
	return p.Add(p, q).Encode()
}

// TestInvalidKexMessages passes messages of every invalid kind to a signer; each is refused and leaves the account
// unchanged.
func TestInvalidKexMessages(t *testing.T) {
	foreign, foreignTexts := begin(t, 3, 6)
	group, texts := begin(t, 3, 5) // rounds 2 and 3 make keys, 4 verifies
	me, forger := group[0], group[1]
	require.NotEqual(t, foreign[5].Self(), forger.Self())
	list := forger.kexKeys
	p, err := edwards.DecodePoint(list[0])
	require.NoError(t, err)
	minus := xmr.PublicKey(p.Negate(p).Encode())
	third, fourth := step(t, group, texts)
	// with returns messages in which k replaces one of forger's keys.
	with := func(k xmr.PublicKey) []string {
		return append(slices.Clone(texts[2:]), signKex(t, forger, 2, append(slices.Clone(list[1:]), k)...))
	}

	for name, c := range map[string]struct {
		texts []string
		err   error
	}{
		"empty":                    {nil, ErrMissing},
		"own message only":         {texts[:1], ErrMissing},
		"one missing":              {texts[1:4], ErrMissing},
		"one instead of another":   {[]string{texts[1], texts[1], texts[2], texts[3]}, ErrMissing},
		"own instead of another":   {texts[:4], ErrMissing},
		"foreign signer added":     {append(slices.Clone(texts[1:]), foreignTexts[5]), ErrForeignSigner},
		"foreign signer instead":   {append(slices.Clone(texts[1:4]), foreignTexts[5]), ErrForeignSigner},
		"message of another group": {append(slices.Clone(texts[2:]), foreignTexts[1]), ErrDisagree},
		"two different messages":   {append(slices.Clone(texts[1:]), foreignTexts[1]), ErrDuplicate},
		"of the next round":        {others(fourth, 0), ErrRound},
		"rounds mixed":             {append(slices.Clone(texts[1:4]), fourth[4]), ErrRound},
		"missing key":              {append(slices.Clone(texts[2:]), signKex(t, forger, 2, list[1:]...)), ErrDisagree},
		"additional key": {
			append(slices.Clone(texts[2:]), signKex(t, forger, 2, append(slices.Clone(list), forger.self)...)),
			ErrDisagree,
		},
		"a key twice":             {with(list[1]), ErrDisagree},
		"no key":                  {append(slices.Clone(texts[2:]), signKex(t, forger, 2)), ErrDisagree},
		"invented key":            {with(minus), ErrDisagree},
		"the identity":            {with(identity), ErrKey},
		"a key with torsion":      {with(torsioned(t, list[0])), ErrKey},
		"a key of small order":    {with(torsioned(t, identity)), ErrKey},
		"zeros":                   {with(xmr.PublicKey{}), ErrKey},
		"round after the last":    {append(slices.Clone(texts[2:]), signKex(t, forger, 18, list...)), ErrMessage},
		"more texts than signers": {manyTexts(t, forger, 40), ErrDuplicate},
	} {
		before := me.Encode()
		_, _, err := me.Exchange(source(1), c.texts, false)
		require.ErrorIs(t, err, c.err, name)
		require.Equal(t, before, me.Encode(), name)
	}
	// The same in later rounds: messages of earlier rounds are refused.
	_, _, err = third[0].Exchange(source(1), others(texts, 0), false)
	require.ErrorIs(t, err, ErrRound)

	// The signer's own message and a repeated message change nothing.
	want, _, err := me.Exchange(source(1), texts[1:], false)
	require.NoError(t, err)
	same := append(slices.Clone(texts), signKex(t, forger, 2, list...), texts[2])
	got, _, err := me.Exchange(source(1), same, false)
	require.NoError(t, err)
	require.Equal(t, want.Encode(), got.Encode())
}

// manyTexts returns n signed messages with the same contents.
func manyTexts(t testing.TB, a *Account, n int) (texts []string) {
	random := source(11)
	for range n {
		m := KexMessage{Round: 2, Signer: a.self, Keys: a.kexKeys}
		text, err := m.Sign(random, a.base)
		require.NoError(t, err)
		texts = append(texts, text)
	}
	return texts
}

// TestLastRoundShowsDisagreement: a signer who changes a share that only it holds gets another group key; the last
// round detects it.
func TestLastRoundShowsDisagreement(t *testing.T) {
	group, texts := begin(t, 2, 2)
	require.True(t, group[0].Complete())
	for name, text := range map[string]string{
		"another key":     signKex(t, group[1], 2, group[1].self, group[0].viewKey),
		"one key":         signKex(t, group[1], 2, group[0].spendKey),
		"three keys":      signKex(t, group[1], 2, group[0].spendKey, group[0].viewKey, group[0].self),
		"spend key twice": signKex(t, group[1], 2, group[0].spendKey, group[0].spendKey),
	} {
		_, _, err := group[0].Exchange(source(1), []string{text}, false)
		require.ErrorIs(t, err, ErrDisagree, name)
		_, _, err = group[0].Exchange(source(1), []string{text}, true)
		require.ErrorIs(t, err, ErrDisagree, name)
	}
	_, _, err := group[0].Exchange(source(1), texts[1:], false)
	require.NoError(t, err)
}

// TestOneOfMany: in the last key round of 1 of N all signers have the same key.
func TestOneOfMany(t *testing.T) {
	group, texts := begin(t, 1, 3)
	group, texts = step(t, group, texts)
	require.False(t, group[0].Complete())
	require.Len(t, group[0].Shares(), 1)
	for name, c := range map[string]struct {
		texts []string
		err   error
	}{
		"one missing":    {texts[1:2], ErrMissing},
		"twice the same": {[]string{texts[1], texts[1]}, ErrMissing},
		"another key":    {[]string{signKex(t, group[1], 3, group[1].self), texts[2]}, ErrDisagree},
		"no key":         {[]string{signKex(t, group[1], 3), texts[2]}, ErrDisagree},
	} {
		_, _, err := group[0].Exchange(source(1), c.texts, false)
		require.ErrorIs(t, err, c.err, name)
	}
	a, _, err := group[0].Exchange(source(1), texts[1:2], true)
	require.NoError(t, err)
	group, _ = step(t, group, texts)
	require.Equal(t, group[0].Encode(), a.Encode())
}

// TestRogueKey: in a rogue key attack, a signer sends a target key minus the other signers' keys. Because of the
// coefficients, the group's key is not the target.
func TestRogueKey(t *testing.T) {
	victim := publicOf(edwards.ScalarFromUint64(77))
	secret := edwards.ScalarFromUint64(99)
	v, err := edwards.DecodePoint(victim)
	require.NoError(t, err)
	rogue := new(edwards.Point).Subtract(new(edwards.Point).ScalarBaseMult(secret), v).Encode()
	a := Account{shares: []*edwards.Scalar{edwards.ScalarFromUint64(77)}}
	require.NoError(t, a.aggregate([]xmr.PublicKey{rogue}))
	require.NotEqual(t, publicOf(secret), a.spendKey)
	// A key cannot be repeated.
	require.ErrorIs(t, (&Account{shares: a.shares}).aggregate([]xmr.PublicKey{publicOf(a.shares[0])}), ErrDisagree)
}

// TestIncomplete continues without some signers, as far as the keys of the others suffice.
func TestIncomplete(t *testing.T) {
	group, texts := begin(t, 3, 5)
	all, next := step(t, group, texts)

	// Round 2: one signer may be missing, not two; the others must be consistent.
	_, _, err := group[0].Exchange(source(1), texts[1:4], false)
	require.ErrorIs(t, err, ErrMissing)
	_, _, err = group[0].Exchange(source(1), texts[1:3], true)
	require.ErrorIs(t, err, ErrMissing)
	_, _, err = group[0].Exchange(
		source(1), append(slices.Clone(texts[2:4]), signKex(t, group[1], 2, group[1].kexKeys[1:]...)), true,
	)
	require.ErrorIs(t, err, ErrDisagree)
	a, _, err := group[0].Exchange(source(1), texts[1:4], true)
	require.NoError(t, err)
	require.Equal(t, all[0].Encode(), a.Encode())

	// Round 3: two may be missing.
	done, last := step(t, all, next)
	_, _, err = all[0].Exchange(source(1), next[1:2], true)
	require.ErrorIs(t, err, ErrMissing)
	a, _, err = all[0].Exchange(source(1), next[1:3], true)
	require.NoError(t, err)
	require.Equal(t, done[0].Encode(), a.Encode())

	// The last round: any message suffices.
	_, _, err = done[0].Exchange(source(1), nil, true)
	require.ErrorIs(t, err, ErrMissing)
	a, _, err = done[0].Exchange(source(1), last[3:4], true)
	require.NoError(t, err)
	require.True(t, a.Ready())
}

func TestMessageRefusals(t *testing.T) {
	k := wallets(t, 1)[0]
	first, err := Prepare(source(1), k)
	require.NoError(t, err)
	group, texts := begin(t, 2, 3)
	for name, c := range map[string]struct {
		text string
		err  error
	}{
		"empty":                  {"", ErrMessage},
		"the magic alone":        {magicFirst, ErrMessage},
		"another magic":          {"MultisigxV2R2" + first[len(magicFirst):], ErrMessage},
		"version 1":              {"MultisigV1" + first[10:], ErrOld},
		"version 1, later round": {"MultisigxV1" + first[11:], ErrOld},
		"magic of a later round": {magicLater + first[len(magicFirst):], ErrMessage},
		"truncated":              {first[:len(first)-11], ErrMessage},
		"invalid letter":         {first[:20] + "0" + first[21:], ErrMessage},
		"too long":               {magicLater + strings.Repeat("1", 1<<20), ErrMessage},
		"trailing bytes":         {texts[0] + "11", ErrMessage},
	} {
		_, err := ParseKexMessage(c.text)
		require.ErrorIs(t, err, c.err, name)
	}
	// No changed letter is accepted.
	for _, text := range []string{first, texts[0]} {
		for i := len(magicFirst); i < len(text); i += 3 {
			b := []byte(text)
			if b[i] = '2'; b[i] == text[i] {
				b[i] = '3'
			}
			_, err := ParseKexMessage(string(b))
			require.Error(t, err, "letter %d", i)
		}
	}
	m, err := ParseKexMessage(first)
	require.NoError(t, err)
	require.EqualValues(t, 1, m.Round)
	require.NotContains(t, fmt.Sprintf("%v %+v %#v", m, m, m), fmt.Sprintf("%x", m.Secret[:]))

	// A first message with a zero key, and a signature by a key of small order, are refused.
	zero := KexMessage{Round: 1, Signer: group[0].self}
	text, err := zero.Sign(source(1), group[0].base)
	require.NoError(t, err)
	_, err = ParseKexMessage(text)
	require.ErrorIs(t, err, ErrKey)
}

func TestNothingIsPrinted(t *testing.T) {
	group, _ := begin(t, 2, 3)
	a := group[0]
	text := fmt.Sprintf("%v %+v %#v %s", a, a, a, a)
	for _, s := range append(a.Shares(), a.base, a.view) {
		require.NotContains(t, text, fmt.Sprintf("%x", s.Bytes()))
		require.NotContains(t, text, fmt.Sprint(s.Bytes()))
	}
}

func TestAccountDataRefusals(t *testing.T) {
	group := setUp(t, 2, 3)
	begun, _ := begin(t, 2, 3)
	for name, c := range map[string]struct {
		of     *Account
		change func(*AccountData)
		err    error
	}{
		"one signer":       {group[0], func(p *AccountData) { p.Signers = p.Signers[:1] }, ErrConfig},
		"seventeen":        {group[0], func(p *AccountData) { p.Signers = make([]xmr.PublicKey, 17) }, ErrConfig},
		"threshold":        {group[0], func(p *AccountData) { p.Threshold = 4 }, ErrConfig},
		"round 0":          {group[0], func(p *AccountData) { p.Round = 0 }, ErrRound},
		"round too high":   {group[0], func(p *AccountData) { p.Round = 4 }, ErrRound},
		"no key":           {group[0], func(p *AccountData) { p.Base = keys.Secret{} }, ErrKey},
		"no view key":      {group[0], func(p *AccountData) { p.View = keys.Secret{31: 255} }, ErrKey},
		"an empty share":   {group[0], func(p *AccountData) { p.Shares[0] = keys.Secret{} }, ErrKey},
		"another base key": {group[0], func(p *AccountData) { p.Base = keys.Secret{1} }, ErrForeignSigner},
		"a signer twice":   {group[0], func(p *AccountData) { p.Signers[0] = p.Signers[1] }, ErrDuplicate},
		"no signer": {group[0], func(p *AccountData) {
			p.Signers[slices.IndexFunc(p.Signers, func(k xmr.PublicKey) bool { return k != group[0].self })] = identity
		}, ErrKey},
		"no spend key":       {group[0], func(p *AccountData) { p.Spend = identity }, ErrKey},
		"missing share":      {group[0], func(p *AccountData) { p.Shares = p.Shares[1:] }, ErrDisagree},
		"keys at the end":    {group[0], func(p *AccountData) { p.KexKeys = p.Signers }, ErrDisagree},
		"keys missing":       {begun[0], func(p *AccountData) { p.KexKeys = p.KexKeys[1:] }, ErrDisagree},
		"a key twice":        {begun[0], func(p *AccountData) { p.KexKeys[1] = p.KexKeys[0] }, ErrDuplicate},
		"no point":           {begun[0], func(p *AccountData) { p.KexKeys[0] = xmr.PublicKey{2} }, ErrKey},
		"spend key too soon": {begun[0], func(p *AccountData) { p.Spend = group[0].spendKey }, ErrDisagree},
	} {
		p := c.of.Data()
		c.change(&p)
		_, err := FromData(p)
		require.ErrorIs(t, err, c.err, name)
	}
	b := group[0].Encode()
	for i := range b {
		_, err := Decode(b[:i])
		require.Error(t, err)
	}
	_, err := Decode(append(b, 0))
	require.ErrorIs(t, err, ErrMessage)
}

// BenchmarkKeyExchange runs all rounds of all signers.
func BenchmarkKeyExchange(b *testing.B) {
	for _, s := range []struct{ m, n int }{{2, 3}, {3, 5}, {8, 16}} {
		b.Run(fmt.Sprintf("%d-of-%d", s.m, s.n), func(b *testing.B) {
			for b.Loop() {
				setUp(b, s.m, s.n)
			}
		})
	}
}
