package scenario

import (
	"crypto/rand"
	"fmt"
	"path/filepath"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"glim/bindings/peers"
	"glim/core/keys"
	"glim/core/multisig"
	"glim/core/wallet"
)

// closeBy is a lookahead so small that it costs no time.
var closeBy = wallet.Lookahead{Major: 2, Minor: 5}

// signer is one of a group: a wallet of ours or of the reference, each open in its own service.
type signer struct {
	caller
	reference bool
}

// newSigner opens wallet n in a service of ours, or in the reference's.
func newSigner(t *testing.T, d *peers.Daemon, reference caller, n byte) signer {
	t.Helper()
	s := signer{reference, true}
	if reference == nil {
		s = signer{newGlim(t, d.URL, options{lookahead: closeBy, connections: 1}), false}
	}
	restore(t, s.caller, fmt.Sprint("signer-", n), n)
	return s
}

type multisigInfo struct {
	Info    string `json:"multisig_info"`
	Address string `json:"address"`
}

type multisigState struct {
	Multisig, Ready  bool
	Threshold, Total uint32
}

// without returns all texts but number i.
func without(texts []string, i int) []string { return slices.Delete(slices.Clone(texts), i, i+1) }

// prepared returns the first message of every signer.
func prepared(t *testing.T, group []signer) []string {
	t.Helper()
	texts := make([]string, len(group))
	for i, s := range group {
		texts[i] = call[multisigInfo](t, s, "prepare_multisig", object{"enable_multisig_experimental": true}).Info
	}
	return texts
}

// madeMultisig runs the first round with every signer and returns the messages of the second.
func madeMultisig(t *testing.T, group []signer, threshold int) []string {
	t.Helper()
	first, next := prepared(t, group), make([]string, len(group))
	for i, s := range group {
		params := object{"multisig_info": without(first, i), "threshold": threshold, "password": ""}
		made := call[multisigInfo](t, s, "make_multisig", params)
		next[i] = made.Info
		if !s.reference {
			require.Equal(t, threshold == len(group), made.Address != "",
				"an address is returned once the group's key is known")
		}
	}
	return next
}

// exchangedKeys runs one key exchange round with every signer.
func exchangedKeys(t *testing.T, group []signer, texts []string) (next, addresses []string) {
	t.Helper()
	next, addresses = make([]string, len(group)), make([]string, len(group))
	for i, s := range group {
		got := call[multisigInfo](t, s, "exchange_multisig_keys", object{
			"multisig_info": without(texts, i), "password": "",
		})
		next[i], addresses[i] = got.Info, got.Address
	}
	return next, addresses
}

// setUpGroup runs all rounds with a group and returns its address.
func setUpGroup(t *testing.T, group []signer, threshold int) string {
	t.Helper()
	texts := madeMultisig(t, group, threshold)
	var addresses []string
	for round := 2; round <= len(group)-threshold+2; round++ {
		for _, s := range group {
			require.Equal(t, multisigState{true, false, uint32(threshold), uint32(len(group))},
				call[multisigState](t, s, "is_multisig", nil))
		}
		texts, addresses = exchangedKeys(t, group, texts)
	}
	for i, s := range group {
		require.Equal(t, multisigState{true, true, uint32(threshold), uint32(len(group))},
			call[multisigState](t, s, "is_multisig", nil))
		require.NotEmpty(t, addresses[i])
		require.Equal(t, addresses[0], addresses[i])
		require.Equal(t, addresses[0], call[struct {
			Address string
		}](t, s, "get_address", object{"account_index": 0}).Address)
		view := object{"key_type": "view_key"}
		require.Equal(t, call[object](t, group[0], "query_key", view), call[object](t, s, "query_key", view))
	}
	return addresses[0]
}

// sameRefusal sends both a request that they must refuse, with the same code and, unless the code is -1, the same
// message.
func sameRefusal(t *testing.T, reference, ours signer, method string, theirs, our object, name string) {
	t.Helper()
	want, got := refusal(t, reference, method, theirs), refusal(t, ours, method, our)
	require.Equal(t, want.Code, got.Code, "%s: %s: %s / %s", method, name, want.Message, got.Message)
	if want.Code != -1 {
		require.Equal(t, want, got, "%s: %s", method, name)
	}
	record(method, true)
}

// changedLetter returns text with one letter changed.
func changedLetter(text string, at int) string {
	b := []byte(text)
	if b[at] == '2' {
		b[at] = '3'
	} else {
		b[at] = '2'
	}
	return string(b)
}

// refusedTexts returns invalid sets of the messages that signer i receives in a round. foreign is a message of another
// group, old of another round.
func refusedTexts(texts []string, i int, foreign, old string) map[string][]string {
	good := without(texts, i)
	other := func(text string) []string { return append([]string{text}, good[1:]...) }
	return map[string][]string{
		"an empty message":         other(""),
		"no message":               other("MultisigxV2Rx"),
		"the magic alone":          other(good[0][:13]),
		"an older version":         other("MultisigV1" + good[0][10:]),
		"an older version of more": other("MultisigxV1" + good[0][11:]),
		"a letter of the key":      other(changedLetter(good[0], 40)),
		"a letter of the end":      other(changedLetter(good[0], len(good[0])-3)),
		"cut":                      other(good[0][:len(good[0])-11]),
		"of another round":         other(old),
		"of another group":         other(foreign),
	}
}

// refuseAlike sends every invalid set of messages to ours and to the reference: both refuse and stay in the same round.
func refuseAlike(t *testing.T, group []signer, method string, texts []string, foreign, old string, more object) {
	t.Helper()
	ours, reference := 0, 1
	require.True(t, group[reference].reference && !group[ours].reference)
	theirs, our := refusedTexts(texts, reference, foreign, old), refusedTexts(texts, ours, foreign, old)
	for name := range theirs {
		if name == "of another group" && method == "make_multisig" {
			continue // a first message makes its sender a member of the group
		}
		with := func(texts []string) object {
			params := object{"multisig_info": texts, "password": ""}
			for k, v := range more {
				params[k] = v
			}
			return params
		}
		sameRefusal(t, group[reference], group[ours], method, with(theirs[name]), with(our[name]), name)
	}
}

// TestMultisigSetup sets up groups that mix wallets of glim and of the reference in every position: all signers get the
// same address.
func TestMultisigSetup(t *testing.T) {
	t.Parallel()
	d := newDaemon(t)
	dir := t.TempDir()
	reference := peers.NewWalletRPC(t, d, peers.Options{Dir: dir})
	do(t, reference, "auto_refresh", object{"enable": false})
	g := &gathering{T: t, d: d, reference: reference, dir: dir, next: 1}
	for _, c := range []struct {
		threshold int
		who       string // in order: g is ours, r the reference's
	}{{2, "gr"}, {3, "rgg"}, {3, "gggr"}, {3, "ggrgg"}, {2, "gg"}, {4, "ggggg"}} {
		setUpGroup(t, g.gather(c.who), c.threshold)
	}
	g.refusals()
}

// gathering opens wallets with consecutive numbers as signers.
type gathering struct {
	*testing.T
	d         *peers.Daemon
	reference *peers.WalletRPC
	dir       string // of the reference
	next      byte   // number of the next wallet
}

// gather opens a signer for every letter of who: g is ours, r the reference's.
func (g *gathering) gather(who string) (group []signer) {
	g.Helper()
	for _, kind := range who {
		var r caller
		if kind == 'r' {
			r = g.reference
		}
		group = append(group, newSigner(g.T, g.d, r, g.next))
		g.next++
	}
	return group
}

// refusals sets up a group of two of three, and sends every invalid message on the way.
func (g *gathering) refusals() {
	t := g.T
	t.Helper()
	group := g.gather("grg")
	name := fmt.Sprint("signer-", g.next-2) // of the reference
	ours, theirs := group[0], group[1]
	strangers := g.gather("ggg")
	compare(t, theirs, ours, "is_multisig", nil)
	for method, params := range map[string]object{
		"exchange_multisig_keys": {"multisig_info": []string{"x", "y"}},
		"make_multisig":          {"multisig_info": []string{}, "threshold": 2},
	} {
		do(t, ours, "prepare_multisig", object{"enable_multisig_experimental": true})
		sameRefusal(t, theirs, ours, method, params, params, "too early")
	}
	foreign := madeMultisig(t, strangers, 2)
	first := prepared(t, group)
	record("prepare_multisig", false)
	short := object{"multisig_info": []string{"asd", "dsa"}, "threshold": 2}
	if peers.Require(t).Release.AtLeast(0, 18, 5, 1) {
		compare(t, theirs, ours, "make_multisig", short)
	} else { // 0.18.0.0 has the text of a C++ exception
		sameRefusal(t, theirs, ours, "make_multisig", short, short, "too short")
	}
	refuseFirstRound(t, group, first, foreign[0])
	second := madeMultisig(t, group, 2)
	record("make_multisig", false)
	compareStarted(t, theirs, ours, first, second)
	refuseAlike(t, group, "exchange_multisig_keys", second, foreign[0], first[2], nil)
	third, _ := exchangedKeys(t, group, second)
	compare(t, theirs, ours, "is_multisig", nil)
	foreignThird, _ := exchangedKeys(t, strangers, foreign)
	refuseAlike(t, group, "exchange_multisig_keys", third, foreignThird[0], second[2], nil)
	_, addresses := exchangedKeys(t, group, third)
	record("exchange_multisig_keys", false)
	require.Equal(t, addresses[1], addresses[0])
	require.Equal(t, addresses[1], addresses[2])
	compare(t, theirs, ours, "is_multisig", nil)
	compare(t, theirs, ours, "get_address", object{"account_index": 0})
	if peers.Require(t).Release.AtLeast(0, 18, 2) { // earlier releases have another code
		compare(t, theirs, ours, "exchange_multisig_keys", object{"multisig_info": without(third, 1)})
	}
	compare(t, theirs, ours, "get_reserve_proof", object{"all": true})
	compare(t, theirs, ours, "export_key_images", object{"all": true})
	g.movedOver(theirs, ours, name)
}

// refuseFirstRound sends invalid requests of make_multisig.
func refuseFirstRound(t *testing.T, group []signer, first []string, foreign string) {
	t.Helper()
	ours, theirs := group[0], group[1]
	refuseAlike(t, group, "make_multisig", first, "", foreign, object{"threshold": 2})
	for name, c := range map[string]struct {
		threshold      int
		theirs, others []string
	}{
		"threshold 0":          {0, without(first, 1), without(first, 0)},
		"threshold 4":          {4, without(first, 1), without(first, 0)},
		"no other signer":      {2, nil, nil},
		"its own message only": {1, first[1:2], first[:1]},
		"a signer twice":       {2, []string{first[0], first[2], first[0]}, []string{first[1], first[2], first[1]}},
		"more than 16":         {2, manySigners(t, first), manySigners(t, first)},
	} {
		sameRefusal(t, theirs, ours, "make_multisig", object{"multisig_info": c.theirs, "threshold": c.threshold},
			object{"multisig_info": c.others, "threshold": c.threshold}, name)
	}
}

// compareStarted compares what signers answer after the first round.
func compareStarted(t *testing.T, theirs, ours signer, first, second []string) {
	t.Helper()
	compare(t, theirs, ours, "is_multisig", nil)
	for _, method := range []string{"prepare_multisig", "make_multisig"} {
		compare(t, theirs, ours, method, object{
			"multisig_info": without(first, 0), "threshold": 2, "enable_multisig_experimental": true,
		})
	}
	compare(t, theirs, ours, "query_key", object{"key_type": "mnemonic"})
	compare(t, theirs, ours, "query_key", object{"key_type": "view_key"})
	compare(t, theirs, ours, "exchange_multisig_keys", object{"multisig_info": second[2:]})
	compare(t, theirs, ours, "exchange_multisig_keys", object{})
	for _, params := range []object{{"unsigned_txset": "00"}, {"unsigned_txset": "x"}} {
		compare(t, theirs, ours, "sign_transfer", params)
	}
}

// movedOver moves a signer from the reference to glim and back, by seed and by keys file: nothing is lost. name is the
// reference's wallet.
func (g *gathering) movedOver(theirs, ours signer, name string) {
	t, d := g.T, g.d
	t.Helper()
	type key struct{ Key string }
	seedOf := func(c caller) string { return call[key](t, c, "query_key", object{"key_type": "mnemonic"}).Key }
	restored := newGlim(t, d.URL, options{lookahead: closeBy})
	do(t, restored, "restore_deterministic_wallet", object{
		"filename": "w", "seed": seedOf(theirs), "enable_multisig_experimental": true,
	})
	compare(t, theirs, restored, "is_multisig", nil)
	compare(t, theirs, restored, "get_address", object{"account_index": 0})
	compare(t, theirs, restored, "query_key", object{"key_type": "spend_key"})
	do(t, theirs, "close_wallet", nil)
	takenOver := newGlim(t, d.URL, options{lookahead: closeBy, dir: filepath.Join(g.dir, "wallets")})
	do(t, takenOver, "open_wallet", object{"filename": name})
	require.Equal(t, seedOf(restored), seedOf(takenOver))
	require.Equal(t, multisigState{true, true, 2, 3}, call[multisigState](t, takenOver, "is_multisig", nil))

	do(t, takenOver, "restore_deterministic_wallet", object{
		"filename": "ours", "seed": seedOf(ours), "enable_multisig_experimental": true,
	})
	do(t, takenOver, "export_keys_file", object{"filename": "exported", "password": "p"})
	do(t, theirs, "open_wallet", object{"filename": "exported", "password": "p"})
	compare(t, theirs, ours, "is_multisig", nil)
	compare(t, theirs, ours, "get_address", object{"account_index": 0})
	for _, kind := range []string{"view_key", "spend_key", "mnemonic"} {
		compare(t, theirs, ours, "query_key", object{"key_type": kind})
	}
}

// manySigners returns the first messages of sixteen signers and of the last one of the group.
func manySigners(t *testing.T, first []string) []string {
	t.Helper()
	all := slices.Clone(first[2:])
	for n := range byte(16) {
		k, err := keys.FromSeed([32]byte{n, 99})
		require.NoError(t, err)
		text, err := multisig.Prepare(rand.Reader, k)
		require.NoError(t, err)
		all = append(all, text)
	}
	return all
}
