package scenario

import (
	"encoding/hex"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"glim/bindings/peers"
	"glim/core/address"
	"glim/core/coldset"
	"glim/core/keys"
	"glim/core/multisig"
)

// killedSigner is a group of two, whose first signer is a process that is killed again and again.
type killedSigner struct {
	*testing.T
	c      *command
	d      *peers.Daemon
	dir    string
	group  []signer
	box    *coldset.Cipher          // decodes the group's messages
	used   map[[32]byte]int         // the round in which each nonce was used
	took   map[string]time.Duration // how long the last answered call of an operation took
	random *rand.Rand
}

// checkNonces wants the nonces of a signed set to be new.
func (k *killedSigner) checkNonces(round int, set string) {
	t := k.T
	t.Helper()
	message, err := hex.DecodeString(set)
	require.NoError(t, err)
	s, err := multisig.DecodeTxSet(k.box, message)
	require.NoError(t, err)
	require.Len(t, s.Transactions, 1)
	require.Len(t, s.Transactions[0].MultisigSigs, 1, "two of two sign in one way")
	require.NotEmpty(t, s.Transactions[0].MultisigSigs[0].UsedL)
	for _, nonce := range s.Transactions[0].MultisigSigs[0].UsedL {
		before, twice := k.used[nonce]
		require.False(t, twice, "a nonce of round %d is used again in round %d", before, round)
		k.used[nonce] = round
	}
}

// killedAt calls an operation, kills the process at a random moment, before or after the answer, and starts it again.
// The first call of an operation is answered, which measures how long it takes.
func (k *killedSigner) killedAt(method string, params any, result any) (answered bool) {
	t := k.T
	t.Helper()
	own, moment := k.c, patience
	if k.took[method] != 0 {
		moment = time.Duration(k.random.Int64N(int64(k.took[method] * 5 / 4)))
	}
	kill := time.AfterFunc(moment, func() { _ = own.cmd.Process.Kill() })
	begun := time.Now()
	if answered = k.c.JSON(deadline(t), method, params, result) == nil; answered {
		k.took[method] = time.Since(begun)
	}
	if kill.Stop() {
		_ = k.c.cmd.Process.Kill() // it answered first
	}
	<-k.c.ended
	k.c = start(t, k.d, k.dir)
	k.group[0].caller = k.c
	do(t, k.c, "open_wallet", object{"filename": "signer", "password": ""})
	return answered
}

// TestMultisigKilledWhileSigning kills a signer's process at random moments of exporting nonces and of signing. It
// never uses a nonce for two answers, whatever it signs afterwards, and can continue.
func TestMultisigKilledWhileSigning(t *testing.T) {
	t.Parallel()
	d := newDaemon(t)
	const seedOfMoments = 20261122
	k := &killedSigner{
		T: t, d: d, dir: t.TempDir(), used: map[[32]byte]int{}, took: map[string]time.Duration{},
		random: rand.New(rand.NewPCG(seedOfMoments, 1)),
	}
	k.c = start(t, d, k.dir)
	k.group = []signer{{k.c, false}, newSigner(t, d, nil, 201)}
	restore(t, k.c, "signer", 200)
	mine(t, d, 60, at(t, 250, 0, 0)) // decoys
	joint := setUpGroup(t, k.group, 2)
	fund(t, d, k.group, joint, max(12, *crashRounds))
	k.box = groupBox(t, k.group[1], joint)
	lost, sent := 0, 0
	for round := range max(5, *crashRounds/4) {
		signed, answered := k.signs(round)
		if !answered {
			lost++
		}
		if len(signed) > 0 {
			require.Equal(t, signed[0].IDs, submitted(t, k.group[1], signed[0].Set))
			sent++
		}
		mine(t, d, 10, at(t, 250, 0, 0))
		refreshGroup(t, k.group)
	}
	t.Logf("%d answers were lost, %d transactions sent, %d nonces used", lost, sent, len(k.used))
	require.NotZero(t, sent)

	exchangeInfos(t, k.group)
	made := call[multisigTransfer](t, k.group[0], "transfer", object{
		"destinations": []destination{{at(t, 240, 0, 0), coin}},
	})
	done := signedBy(t, k.group, made.Set, 1)
	require.Equal(t, done.IDs, submitted(t, k.group[0], done.Set), "the group can continue")
}

// signs kills the process while it signs one of two sets, then has it sign both, twice. It returns the signed sets, and
// whether the call that was interrupted was answered.
func (k *killedSigner) signs(round int) (signed []multisigSigned, answered bool) {
	t := k.T
	t.Helper()
	if round%2 == 1 {
		k.killedAt("export_multisig_info", nil, nil)
	}
	exchangeInfos(t, k.group)
	var sets []string
	for range 2 {
		made := call[multisigTransfer](t, k.group[1], "transfer", object{
			"destinations": []destination{{at(t, 240, 0, 0), coin}},
		})
		sets = append(sets, made.Set)
	}
	var first multisigSigned
	if answered = k.killedAt("sign_multisig", object{"tx_data_hex": sets[0]}, &first); answered {
		k.checkNonces(round, first.Set)
		signed = append(signed, first)
	}
	for _, set := range []string{sets[0], sets[1], sets[0], sets[1]} {
		var again multisigSigned
		if k.c.JSON(deadline(t), "sign_multisig", object{"tx_data_hex": set}, &again) == nil {
			k.checkNonces(round, again.Set)
			signed = append(signed, again)
		}
	}
	return signed, answered
}

// groupBox returns the key that encrypts the messages of a group.
func groupBox(t *testing.T, s signer, joint string) *coldset.Cipher {
	t.Helper()
	text := call[struct{ Key string }](t, s, "query_key", object{"key_type": "view_key"}).Key
	view, err := hex.DecodeString(text)
	require.NoError(t, err)
	a, err := address.Parse(joint)
	require.NoError(t, err)
	k, err := keys.ViewOnly([32]byte(view), a.Spend)
	require.NoError(t, err)
	return coldset.NewCipher(k, 1)
}
