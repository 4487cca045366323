package scenario

import (
	"encoding/hex"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"glim/core/address"
	"glim/core/coldset"
	"glim/core/keys"
)

// TestMultisigKilledWhileSigning: a signer whose process is killed at any moment of telling nonces and of signing uses none of them
// for two answers, whatever he is asked to sign afterwards, and goes on.
func TestMultisigKilledWhileSigning(t *testing.T) {
	t.Parallel()
	d := newDaemon(t)
	dir := t.TempDir()
	c := start(t, d, dir)
	group := []signer{{c, false}, newSigner(t, d, nil, 201)}
	restore(t, c, "signer", 200)
	mine(t, d, 60, at(t, 250, 0, 0)) // to hide among
	joint := setUpGroup(t, group, 2)
	fund(t, d, group, joint, max(12, *crashRounds))

	box := groupBox(t, group[1], joint)
	used := map[[32]byte]int{} // in which round a nonce was answered with
	answered := func(round int, set string) {
		t.Helper()
		message, err := hex.DecodeString(set)
		require.NoError(t, err)
		s, err := box.DecodeSharedSet(message)
		require.NoError(t, err)
		require.Len(t, s.Transactions, 1)
		require.Len(t, s.Transactions[0].Attempts, 1, "two of two sign in one way")
		require.NotEmpty(t, s.Transactions[0].Attempts[0].UsedL)
		for _, nonce := range s.Transactions[0].Attempts[0].UsedL {
			before, twice := used[nonce]
			require.False(t, twice, "a nonce of round %d is used again in round %d", before, round)
			used[nonce] = round
		}
	}
	const seedOfMoments = 20261122
	random := rand.New(rand.NewPCG(seedOfMoments, 1))
	took := map[string]time.Duration{} // how long an operation took when it was answered last
	// killedAt asks and kills the process at some moment, before or after it answers, and starts it again. The first time it is
	// answered, so that it is known how long that takes.
	killedAt := func(method string, params any, result any) (told bool) {
		t.Helper()
		own, moment := c, patience
		if took[method] != 0 {
			moment = time.Duration(random.Int64N(int64(took[method] * 5 / 4)))
		}
		kill := time.AfterFunc(moment, func() { _ = own.cmd.Process.Kill() })
		begun := time.Now()
		if told = c.JSON(deadline(t), method, params, result) == nil; told {
			took[method] = time.Since(begun)
		}
		if kill.Stop() {
			_ = c.cmd.Process.Kill() // it answered first
		}
		<-c.ended
		c = start(t, d, dir)
		group[0].caller = c
		do(t, c, "open_wallet", object{"filename": "signer", "password": ""})
		return told
	}
	lost, sent := 0, 0
	for round := range max(5, *crashRounds/4) {
		if round%2 == 1 {
			killedAt("export_multisig_info", nil, nil)
		}
		exchangeInfos(t, group)
		var sets []string
		for range 2 {
			made := call[multisigTransfer](t, group[1], "transfer", object{"destinations": []destination{{at(t, 240, 0, 0), coin}}})
			sets = append(sets, made.Set)
		}
		var signed []multisigSigned
		var first multisigSigned
		if killedAt("sign_multisig", object{"tx_data_hex": sets[0]}, &first) {
			answered(round, first.Set)
			signed = append(signed, first)
		} else {
			lost++
		}
		for _, set := range []string{sets[0], sets[1], sets[0], sets[1]} {
			var again multisigSigned
			if c.JSON(deadline(t), "sign_multisig", object{"tx_data_hex": set}, &again) == nil {
				answered(round, again.Set)
				signed = append(signed, again)
			}
		}
		if len(signed) > 0 {
			require.Equal(t, signed[0].IDs, submitted(t, group[1], signed[0].Set))
			sent++
		}
		mine(t, d, 10, at(t, 250, 0, 0))
		refreshGroup(t, group)
	}
	t.Logf("%d answers were lost, %d transactions sent, %d nonces used", lost, sent, len(used))
	require.NotZero(t, sent)

	exchangeInfos(t, group)
	made := call[multisigTransfer](t, group[0], "transfer", object{"destinations": []destination{{at(t, 240, 0, 0), coin}}})
	done := signedBy(t, group, made.Set, 1)
	require.Equal(t, done.IDs, submitted(t, group[0], done.Set), "and it goes on")
}

// groupBox opens what the signers of a group send each other.
func groupBox(t *testing.T, s signer, joint string) *coldset.Box {
	t.Helper()
	text := call[struct{ Key string }](t, s, "query_key", object{"key_type": "view_key"}).Key
	view, err := hex.DecodeString(text)
	require.NoError(t, err)
	a, err := address.Parse(joint)
	require.NoError(t, err)
	k, err := keys.ViewOnly([32]byte(view), a.Spend)
	require.NoError(t, err)
	return coldset.NewBox(k, 1)
}
