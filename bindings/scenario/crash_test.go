package scenario

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"glim/bindings/peers"
	"glim/core/wallet"
)

// crashRounds is how often the command is killed; make crash wants hundreds.
var crashRounds = flag.Int("crash.rounds", 4, "how often TestCrash kills the command")

// mortal is the command, which is killed in the middle of what it does, again and again.
type mortal struct {
	*testing.T
	*command
	d        *peers.Daemon
	dir      string
	wallet   string
	password string
	random   *rand.Rand
	took     map[string]time.Duration // how long an operation took when it was answered last
	lost     int                      // calls that were not answered
}

func newMortal(t *testing.T, d *peers.Daemon, wallet string, seed uint64) *mortal {
	t.Helper()
	dir := t.TempDir()
	m := &mortal{T: t, command: start(t, d, dir), d: d, dir: dir, wallet: wallet, random: rand.New(rand.NewPCG(seed, 3)), took: map[string]time.Duration{}}
	t.Logf("moments follow from %d", seed)
	return m
}

// killedDuring calls an operation, kills the process at some moment before it is answered or shortly after, and starts it again, with no
// wallet open. It returns whether the call was answered; a refusal fails the test.
func (m *mortal) killedDuring(method string, params, result any) (answered bool) {
	m.Helper()
	within := m.took[method]*5/4 + 20*time.Millisecond
	if m.took[method] == 0 {
		within = 300 * time.Millisecond
	}
	victim := m.command
	kill := time.AfterFunc(time.Duration(m.random.Int64N(int64(within))), func() { _ = victim.cmd.Process.Kill() })
	begun := time.Now()
	err := victim.JSON(deadline(m.T), method, params, result)
	var refused *peers.Error
	require.False(m, errors.As(err, &refused), "%s: %v", method, err)
	if answered = err == nil; answered {
		m.took[method] = time.Since(begun)
	} else {
		m.lost++
	}
	if kill.Stop() {
		_ = victim.cmd.Process.Kill()
	}
	<-victim.ended
	m.command = start(m.T, m.d, m.dir)
	return answered
}

func (m *mortal) open() {
	m.Helper()
	do(m.T, m, "open_wallet", object{"filename": m.wallet, "password": m.password})
	do(m.T, m, "auto_refresh", object{"enable": false})
}

// pooled returns the IDs of the transactions in the daemon's pool.
func pooled(t *testing.T, d *peers.Daemon) []string {
	t.Helper()
	var pool struct {
		IDs []string `json:"tx_hashes"`
	}
	require.NoError(t, d.Path(deadline(t), "/get_transaction_pool_hashes", nil, &pool))
	return pool.IDs
}

// sameMoney holds the money of a wallet that was killed against that of one that never was. They differ by payments that were written down
// and, as the end came just then, never sent: those are held back until they count as failed.
func sameMoney(t *testing.T, mirror, m caller) {
	t.Helper()
	unsent := call[struct {
		Pending []struct{ Amount, Fee uint64 } `json:"pending"`
	}](t, m, "get_transfers", object{"pending": true}).Pending
	was, is := call[json.RawMessage](t, mirror, "get_balance", nil), call[json.RawMessage](t, m, "get_balance", nil)
	if len(unsent) == 0 {
		require.JSONEq(t, string(was), string(is))
		return
	}
	var full, rest struct{ Balance uint64 }
	require.NoError(t, json.Unmarshal(was, &full))
	require.NoError(t, json.Unmarshal(is, &rest))
	for _, p := range unsent {
		rest.Balance += p.Amount + p.Fee
	}
	require.Equal(t, full.Balance, rest.Balance)
}

// TestCrash kills the command while it reads the chain, pays, changes its password and writes its file anew. Each time the wallet opens
// again with what was answered, knows every transaction that was ever relayed, and has the money that a wallet has that was never killed.
func TestCrash(t *testing.T) {
	t.Parallel()
	d := newMined(t)
	mirror := newGlim(t, d.URL, options{})
	restore(t, mirror, "alice", alice)
	m := newMortal(t, d, "w", uint64(time.Now().UnixNano()))
	m.password = "p0"
	do(t, m, "restore_deterministic_wallet", object{"filename": m.wallet, "password": m.password, "seed": seed(t, alice)})
	do(t, m, "auto_refresh", object{"enable": false})
	refresh(t, m)
	known := answered{addresses: map[[2]uint32]destinationLabel{}, sent: map[string]transferred{}}
	attribute, passwords, relayed := "", 0, map[string]bool{}

	kinds := []func(){
		func() { // reading the chain
			mine(t, d, 1+m.random.IntN(20), at(t, alice, 0, 0))
			mine(t, d, 1+m.random.IntN(20), at(t, nobody, 0, 0))
			m.killedDuring("refresh", nil, nil)
			m.open()
			refresh(t, m, mirror)
			require.Empty(t, pooled(t, d))
			sameMoney(t, mirror, m)
		},
		func() { // paying
			var sent transferred
			to := []destination{{at(t, bob, 0, 0), coin + uint64(m.random.IntN(coin))}}
			if m.killedDuring("transfer", object{"destinations": to, "get_tx_key": true}, &sent) {
				known.sent[sent.TxHash] = sent
			}
			m.open()
		},
		func() { // another password: the old one opens or the new one, never both nor none
			passwords++
			next := fmt.Sprint("p", passwords)
			answered := m.killedDuring("change_wallet_password", object{"old_password": m.password, "new_password": next}, nil)
			old := m.password
			err := m.JSON(deadline(t), "open_wallet", object{"filename": m.wallet, "password": next}, nil)
			if err == nil {
				m.password, old = next, next+" is not"
			}
			require.True(t, err == nil || !answered, "%v", err)
			m.open()
			require.Equal(t, -1, refusal(t, m, "open_wallet", object{"filename": m.wallet, "password": old + " wrong"}).Code)
			m.open()
		},
		func() { // so much is written that the file is worth writing anew
			long := func() string { return strings.Repeat(fmt.Sprintf("%08d", m.random.IntN(1e8)), wallet.MaxValue/8) }
			for range 4 {
				attribute = long()
				do(t, m, "set_attribute", object{"key": "k", "value": attribute})
			}
			value := long()
			if m.random.IntN(2) == 0 {
				answered := m.killedDuring("set_attribute", object{"key": "k", "value": value}, nil)
				m.open()
				got := call[map[string]string](t, m, "get_attribute", object{"key": "k"})["value"]
				require.True(t, got == value || !answered && got == attribute)
				attribute = got
				return
			}
			do(t, m, "set_attribute", object{"key": "k", "value": value})
			attribute = value
			m.killedDuring("store", nil, nil)
			m.open()
			require.Equal(t, attribute, call[map[string]string](t, m, "get_attribute", object{"key": "k"})["value"])
		},
	}
	do(t, m, "set_attribute", object{"key": "k", "value": ""})
	order := m.random.Perm(len(kinds))
	for round := range *crashRounds {
		kinds[order[round%len(kinds)]]()
		check(t, m, known)
		for _, id := range pooled(t, d) {
			relayed[id] = true
		}
		for id := range relayed {
			key := call[struct {
				Key string `json:"tx_key"`
			}](t, m, "get_tx_key", object{"txid": id}).Key
			require.NotEmpty(t, key, "a transaction that was relayed is not known")
		}
	}
	mine(t, d, 12, at(t, nobody, 0, 0))
	refresh(t, m, mirror)
	sameMoney(t, mirror, m)
	for id := range known.sent {
		require.True(t, relayed[id])
	}
	t.Logf("%d calls were not answered, %d transactions relayed, %d of them answered", m.lost, len(relayed), len(known.sent))
}

// unsigned returns a message without its end, a signature, which is another one each time.
func unsigned(m multisigInfo) multisigInfo {
	m.Info = m.Info[:min(len(m.Info), 100)]
	return m
}

// TestCrashInKeyRounds kills the command in every round that makes the keys of a multisig wallet. A round that was answered is done, one
// that was not is done or can be done again, and all signers end at one address.
func TestCrashInKeyRounds(t *testing.T) {
	t.Parallel()
	d := newDaemon(t)
	m := newMortal(t, d, "", uint64(time.Now().UnixNano()))
	force := object{"force_update_use_with_caution": true, "password": ""}
	for n := range max(1, *crashRounds/8) {
		m.wallet = fmt.Sprint("signer-", n)
		do(t, m, "restore_deterministic_wallet", object{"filename": m.wallet, "password": "", "seed": seed(t, byte(100+n%50))})
		others := []signer{newSigner(t, d, nil, byte(150+n%50)), newSigner(t, d, nil, byte(200+n%50))}
		first := prepared(t, append([]signer{{m, false}}, others...))

		var said [3]string
		params := object{"multisig_info": first[1:], "threshold": 2, "password": ""}
		var made multisigInfo
		answered := m.killedDuring("make_multisig", params, &made)
		m.open()
		if state := call[multisigState](t, m, "is_multisig", nil); !state.Multisig {
			require.False(t, answered)
			made = call[multisigInfo](t, m, "make_multisig", params)
		} else if again := call[multisigInfo](t, m, "exchange_multisig_keys", force); answered {
			require.Equal(t, unsigned(made), unsigned(again))
		} else {
			made = again
		}
		said[0] = made.Info
		for i, s := range others {
			said[i+1] = call[multisigInfo](t, s, "make_multisig", object{"multisig_info": without(first, i+1), "threshold": 2, "password": ""}).Info
		}
		for round := range 2 {
			var next [3]string
			params := object{"multisig_info": said[1:], "password": ""}
			var got multisigInfo
			answered := m.killedDuring("exchange_multisig_keys", params, &got)
			m.open()
			switch now := call[multisigInfo](t, m, "exchange_multisig_keys", force); {
			case answered:
				require.Equal(t, unsigned(got), unsigned(now))
			case unsigned(now) == unsigned(multisigInfo{Info: said[0]}):
				got = call[multisigInfo](t, m, "exchange_multisig_keys", params)
			default:
				got = now
			}
			require.Equal(t, round == 1, got.Address != "")
			next[0] = got.Info
			for i, s := range others {
				theirs := call[multisigInfo](t, s, "exchange_multisig_keys", object{"multisig_info": without(said[:], i+1), "password": ""})
				require.Equal(t, got.Address, theirs.Address)
				next[i+1] = theirs.Info
			}
			said = next
		}
		require.Equal(t, multisigState{true, true, 2, 3}, call[multisigState](t, m, "is_multisig", nil))
	}
	t.Logf("%d calls were not answered", m.lost)
}
