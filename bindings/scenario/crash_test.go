package scenario

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"glim/bindings/peers"
	"glim/core/wallet"
	"glim/core/walletfile"
)

// crashRounds is how often the command is killed; make crash sets it to hundreds.
var crashRounds = flag.Int("crash.rounds", 4, "how often TestCrash kills the command")

// mortal is the command, killed again and again in the middle of operations.
type mortal struct {
	*testing.T
	*command
	d        *peers.Daemon
	dir      string
	wallet   string
	password string
	random   *rand.Rand
	took     map[string]time.Duration // how long the last answered call of an operation took
	lost     int                      // calls that were not answered
}

func newMortal(t *testing.T, d *peers.Daemon, name string, seed uint64) *mortal {
	t.Helper()
	dir := t.TempDir()
	m := &mortal{
		T: t, command: start(t, d, dir), d: d, dir: dir, wallet: name, random: rand.New(rand.NewPCG(seed, 3)),
		took: map[string]time.Duration{},
	}
	t.Logf("the seed of the moments is %d", seed)
	return m
}

// killedDuring calls an operation, kills the process at a random moment before the answer or shortly after, and starts
// it again, with no wallet open. It reports whether the call was answered; an error answer fails the test.
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

// open opens the wallet, whose keys file for the reference then has the same password and keys.
func (m *mortal) open() {
	m.Helper()
	do(m.T, m, "open_wallet", object{"filename": m.wallet, "password": m.password})
	file, err := os.ReadFile(filepath.Join(m.dir, m.wallet+".keys"))
	require.NoError(m, err)
	found, err := walletfile.Open(file, []byte(m.password), walletfile.Rounds)
	require.NoError(m, err)
	require.Equal(m, call[multisigState](m.T, m, "is_multisig", nil).Multisig, found.Multisig != nil)
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

// sameMoney compares the balance of a wallet that was killed with that of one that was not. They differ by payments
// that were recorded but never relayed because of the kill: their inputs stay reserved until the payments count as
// failed.
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

// crashed is the command of TestCrash and its answers.
type crashed struct {
	*mortal
	mirror    caller // a copy of the wallet that is never killed
	known     answered
	relayed   map[string]bool
	attribute string
	passwords int
}

// TestCrash kills the command while it reads the chain, pays, changes its password and rewrites its file. Each time the
// wallet opens again with every answered change, has every transaction that was ever relayed, and has the balance of a
// wallet that was never killed.
func TestCrash(t *testing.T) {
	t.Parallel()
	d := newMined(t)
	mirror := newGlim(t, d.URL, options{})
	restore(t, mirror, "alice", alice)
	m := newMortal(t, d, "w", uint64(time.Now().UnixNano()))
	m.password = "p0"
	do(t, m, "restore_deterministic_wallet", object{
		"filename": m.wallet, "password": m.password, "seed": seed(t, alice),
	})
	do(t, m, "auto_refresh", object{"enable": false})
	refresh(t, m)
	c := crashed{
		mortal: m, mirror: mirror, relayed: map[string]bool{},
		known: answered{addresses: map[[2]uint32]destinationLabel{}, sent: map[string]transferred{}},
	}
	kinds := []func(){c.reading, c.paying, c.changingPassword, c.rewriting}
	do(t, m, "set_attribute", object{"key": "k", "value": ""})
	sequence := m.random.Perm(len(kinds))
	for round := range *crashRounds {
		kinds[sequence[round%len(kinds)]]()
		check(t, m, c.known)
		for _, id := range pooled(t, d) {
			c.relayed[id] = true
		}
		for id := range c.relayed {
			key := call[struct {
				Key string `json:"tx_key"`
			}](t, m, "get_tx_key", object{"txid": id}).Key
			require.NotEmpty(t, key, "a relayed transaction is missing")
		}
	}
	mine(t, d, 12, at(t, nobody, 0, 0))
	refresh(t, m, mirror)
	sameMoney(t, mirror, m)
	for id := range c.known.sent {
		require.True(t, c.relayed[id])
	}
	t.Logf("%d calls without an answer, %d relayed transactions, %d of them answered",
		m.lost, len(c.relayed), len(c.known.sent))
}

// reading kills the command while it reads blocks.
func (c *crashed) reading() {
	mine(c.T, c.d, 1+c.random.IntN(20), at(c.T, alice, 0, 0))
	mine(c.T, c.d, 1+c.random.IntN(20), at(c.T, nobody, 0, 0))
	c.killedDuring("refresh", nil, nil)
	c.open()
	refresh(c.T, c, c.mirror)
	require.Empty(c.T, pooled(c.T, c.d))
	sameMoney(c.T, c.mirror, c)
}

// paying kills the command while it pays.
func (c *crashed) paying() {
	var sent transferred
	to := []destination{{at(c.T, bob, 0, 0), coin + uint64(c.random.IntN(coin))}}
	if c.killedDuring("transfer", object{"destinations": to, "get_tx_key": true}, &sent) {
		c.known.sent[sent.TxHash] = sent
	}
	c.open()
}

// changingPassword kills the command while it changes the password: afterwards exactly one of the two passwords opens
// the wallet.
func (c *crashed) changingPassword() {
	c.passwords++
	next := fmt.Sprint("p", c.passwords)
	answered := c.killedDuring("change_wallet_password",
		object{"old_password": c.password, "new_password": next}, nil)
	old := c.password
	err := c.JSON(deadline(c.T), "open_wallet", object{"filename": c.wallet, "password": next}, nil)
	if err == nil {
		c.password, old = next, next+" is not"
	}
	require.True(c.T, err == nil || !answered, "%v", err)
	c.open()
	require.Equal(c.T, -1,
		refusal(c.T, c, "open_wallet", object{"filename": c.wallet, "password": old + " wrong"}).Code)
	c.open()
}

// rewriting stores so much that the command rewrites its file, and kills it meanwhile.
func (c *crashed) rewriting() {
	long := func() string { return strings.Repeat(fmt.Sprintf("%08d", c.random.IntN(1e8)), wallet.MaxValue/8) }
	for range 4 {
		c.attribute = long()
		do(c.T, c, "set_attribute", object{"key": "k", "value": c.attribute})
	}
	value := long()
	if c.random.IntN(2) == 0 {
		answered := c.killedDuring("set_attribute", object{"key": "k", "value": value}, nil)
		c.open()
		got := call[map[string]string](c.T, c, "get_attribute", object{"key": "k"})["value"]
		require.True(c.T, got == value || !answered && got == c.attribute)
		c.attribute = got
		return
	}
	do(c.T, c, "set_attribute", object{"key": "k", "value": value})
	c.attribute = value
	c.killedDuring("store", nil, nil)
	c.open()
	require.Equal(c.T, c.attribute, call[map[string]string](c.T, c, "get_attribute", object{"key": "k"})["value"])
}

// unsigned returns a message without the signature at its end, which is random.
func unsigned(m multisigInfo) multisigInfo {
	m.Info = m.Info[:min(len(m.Info), 100)]
	return m
}

// TestCrashInKeyRounds kills the command in every key exchange round of a multisig wallet. An answered round is
// complete; one without an answer is complete or can be repeated. All signers end with the same address.
func TestCrashInKeyRounds(t *testing.T) {
	t.Parallel()
	d := newDaemon(t)
	m := newMortal(t, d, "", uint64(time.Now().UnixNano()))
	force := object{"force_update_use_with_caution": true, "password": ""}
	for n := range max(1, *crashRounds/8) {
		m.wallet = fmt.Sprint("signer-", n)
		do(t, m, "restore_deterministic_wallet", object{
			"filename": m.wallet, "password": "", "seed": seed(t, byte(100+n%50)),
		})
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
			said[i+1] = call[multisigInfo](t, s, "make_multisig", object{
				"multisig_info": without(first, i+1), "threshold": 2, "password": "",
			}).Info
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
				theirs := call[multisigInfo](t, s, "exchange_multisig_keys", object{
					"multisig_info": without(said[:], i+1), "password": "",
				})
				require.Equal(t, got.Address, theirs.Address)
				next[i+1] = theirs.Info
			}
			said = next
		}
		require.Equal(t, multisigState{true, true, 2, 3}, call[multisigState](t, m, "is_multisig", nil))
	}
	t.Logf("%d calls without an answer", m.lost)
}
