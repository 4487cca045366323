package scenario

import (
	"bytes"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"glim/bindings/peers"
)

// overheard is a proxy of a daemon that records every request.
type overheard struct {
	*httptest.Server
	mu  sync.Mutex
	all bytes.Buffer
}

func overhear(t *testing.T, d *peers.Daemon) *overheard {
	t.Helper()
	to, err := url.Parse(d.URL)
	require.NoError(t, err)
	proxy := httputil.NewSingleHostReverseProxy(to)
	o := &overheard{}
	o.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			return
		}
		o.mu.Lock()
		fmt.Fprintf(&o.all, "%s %v\n", r.URL, r.Header)
		o.all.Write(body)
		o.mu.Unlock()
		r.Body = io.NopCloser(bytes.NewReader(body))
		proxy.ServeHTTP(w, r)
	}))
	t.Cleanup(o.Close)
	return o
}

// spellings returns the forms in which a secret could appear in text or bytes.
func spellings(secret string) (all []string) {
	all = []string{secret, strings.ToUpper(secret)}
	if raw, err := hex.DecodeString(secret); err == nil && len(raw) >= 16 {
		decimal := strings.Trim(fmt.Sprint(raw[:8]), "[]")
		all = append(all, string(raw), base64.StdEncoding.EncodeToString(raw)[:20],
			base64.URLEncoding.EncodeToString(raw)[:20],
			decimal, strings.ReplaceAll(decimal, " ", ","), strings.ReplaceAll(decimal, " ", ", "),
			fmt.Sprintf("%q", raw[:16]))
	}
	if words := strings.Fields(secret); len(words) >= 12 {
		for i := range len(words) - 3 { // four words in a row
			all = append(all, strings.Join(words[i:i+4], " "), strings.Join(words[i:i+4], ","))
		}
	}
	return all
}

// leakCheck is a service whose secrets and messages are collected.
type leakCheck struct {
	*testing.T
	c       *command
	d       *peers.Daemon
	secrets map[string]string // by name
	errors  strings.Builder   // messages of refused calls
}

// try calls an operation that may be refused.
func (l *leakCheck) try(method string, params object) {
	var answer object
	err := l.c.JSON(deadline(l.T), method, params, &answer)
	var e *peers.Error
	if errors.As(err, &e) {
		l.errors.WriteString(e.Message + "\n")
		return
	}
	require.NoError(l.T, err, method)
}

// secret adds a secret and returns it.
func (l *leakCheck) secret(name, value string) string {
	require.GreaterOrEqual(l.T, len(value), 8, name)
	l.secrets[name] = value
	return value
}

// keysOf adds the keys and the seed of the open wallet.
func (l *leakCheck) keysOf(name string) {
	for _, kind := range []string{"view_key", "spend_key", "mnemonic"} {
		l.secret(name+" "+kind, call[struct{ Key string }](l.T, l.c, "query_key", object{"key_type": kind}).Key)
	}
}

const firstPassword, secondPassword, wrongPassword = "correct-horse", "battery-staple", "tr0ub4dor-and-3"

// TestSecretsDoNotLeak runs everything that handles secrets at the highest log level, with successes and errors,
// and searches for each secret in each spelling in the log, in error messages and in all requests to the daemon.
func TestSecretsDoNotLeak(t *testing.T) {
	t.Parallel()
	d := newMined(t)
	proxy := overhear(t, d)
	dir, log := t.TempDir(), filepath.Join(t.TempDir(), "log")
	c := start(t, &peers.Daemon{Client: peers.Client{URL: proxy.URL}}, dir, "--log-level", "4", "--log-file", log)
	l := &leakCheck{T: t, c: c, d: d, secrets: map[string]string{"login": "pass word"}}
	l.opensWallets()
	l.pays()
	l.exports()
	l.makesOtherWallets()
	c.kill()

	written, err := os.ReadFile(log)
	require.NoError(t, err)
	require.Greater(t, bytes.Count(written, []byte("\n")), 50, "the log has entries")
	for len(c.lines) > 0 {
		l.errors.WriteString(<-c.lines + "\n")
	}
	require.Greater(t, strings.Count(l.errors.String(), "\n"), 8, "calls were refused")
	proxy.mu.Lock()
	defer proxy.mu.Unlock()
	require.Greater(t, proxy.all.Len(), 1000, "the daemon received requests")
	places := map[string]string{
		"the log": string(written), "an error": l.errors.String(), "a request to the daemon": proxy.all.String(),
	}
	for _, address := range []string{at(t, alice, 0, 0), at(t, bob, 0, 0)} {
		require.NotContains(t, places["a request to the daemon"], address)
	}
	require.Greater(t, len(l.secrets), 18)
	for name, value := range l.secrets {
		for _, spelled := range spellings(value) {
			for place, text := range places {
				if i := strings.Index(text, spelled); i >= 0 {
					t.Errorf("%s appears in %s: …%q…", name, place, text[max(0, i-80):i])
				}
			}
		}
	}
}

// opensWallets restores, opens and closes wallets.
func (l *leakCheck) opensWallets() {
	t, c := l.T, l.c
	first, second := l.secret("password", firstPassword), l.secret("new password", secondPassword)
	wrong := l.secret("wrong password", wrongPassword)
	words := l.secret("alice's words", seed(t, alice))
	do(t, c, "restore_deterministic_wallet", object{"filename": "w", "password": first, "seed": words})
	l.keysOf("alice")
	l.try("restore_deterministic_wallet", object{"filename": "x", "password": first, "seed": words + " abbey"})
	l.try("restore_deterministic_wallet", object{
		"filename": "x", "password": first, "seed": strings.Replace(words, " ", " nonsense ", 1),
	})
	do(t, c, "restore_deterministic_wallet", object{
		"filename": "offset", "password": first, "seed": words,
		"seed_offset": l.secret("offset", "a passphrase over them"),
	})
	l.try("open_wallet", object{"filename": "w", "password": wrong})
	l.try("generate_from_keys", object{
		"filename": "y", "password": first, "address": at(t, bob, 0, 0), "viewkey": l.secrets["alice view_key"],
		"spendkey": l.secrets["alice spend_key"],
	})
	l.try("generate_from_keys", object{
		"filename": "y", "password": first, "address": at(t, alice, 0, 0), "viewkey": l.secrets["alice spend_key"][:63],
		"spendkey": "x" + l.secrets["alice spend_key"],
	})
	do(t, c, "open_wallet", object{"filename": "w", "password": first})
	refresh(t, c)
	l.try("change_wallet_password", object{"old_password": wrong, "new_password": second})
	do(t, c, "change_wallet_password", object{"old_password": first, "new_password": second})
}

// pays makes payments, and proves and checks them.
func (l *leakCheck) pays() {
	t, c, d := l.T, l.c, l.d
	for i := range 3 {
		sent := pay(t, c, []destination{{at(t, bob, 0, uint32(i)), coin}},
			object{"get_tx_hex": true, "get_tx_metadata": true})
		l.secret(fmt.Sprint("transaction key ", i), sent.TxKey)
		proof := call[struct {
			Signature string
		}](t, c, "get_tx_proof", object{"txid": sent.TxHash, "address": at(t, bob, 0, uint32(i)), "message": "m"})
		do(t, c, "check_tx_proof", object{
			"txid": sent.TxHash, "address": at(t, bob, 0, uint32(i)), "message": "m", "signature": proof.Signature,
		})
		l.try("check_tx_key", object{"txid": sent.TxHash, "tx_key": sent.TxKey, "address": at(t, carol, 0, 0)})
		l.try("check_tx_key", object{"txid": sent.TxHash, "tx_key": sent.TxKey[:62], "address": at(t, bob, 0, 0)})
		mine(t, d, 1, at(t, nobody, 0, 0))
		refresh(t, c)
	}
}

// exports signs, exports keys, and syncs in the background.
func (l *leakCheck) exports() {
	t, c := l.T, l.c
	const wrong, second = wrongPassword, secondPassword
	l.try("transfer", object{"destinations": []destination{{at(t, bob, 0, 0), 1 << 62}}})
	do(t, c, "sign", object{"data": "a text"})
	do(t, c, "get_reserve_proof", object{"all": true})
	do(t, c, "export_outputs", object{"all": true})
	do(t, c, "export_key_images", object{"all": true})
	do(t, c, "export_keys_file", object{
		"filename": "theirs", "password": l.secret("their password", "another-password"),
	})
	do(t, c, "setup_background_sync",
		object{"background_sync_type": "custom-background-password", "wallet_password": second,
			"background_cache_password": l.secret("background password", "behind-the-scenes")})
	do(t, c, "start_background_sync", nil)
	l.try("transfer", object{"destinations": []destination{{at(t, bob, 0, 0), coin}}})
	l.try("stop_background_sync", object{"wallet_password": wrong})
	do(t, c, "stop_background_sync", object{"wallet_password": second})
}

// makesOtherWallets makes a wallet from a Polyseed and a multisig wallet.
func (l *leakCheck) makesOtherWallets() {
	t, c, d := l.T, l.c, l.d
	const first, wrong = firstPassword, wrongPassword
	words := l.secrets["alice's words"]
	do(t, c, "create_wallet", object{
		"filename": "sixteen", "password": first, "language": "English", "seed_type": "polyseed",
	})
	l.keysOf("sixteen")
	do(t, c, "restore_deterministic_wallet", object{
		"filename": "signer", "password": "", "seed": l.secret("signer's words", seed(t, 90)),
	})
	group := []signer{{c, false}, newSigner(t, d, nil, 91)}
	setUpGroup(t, group, 2)
	l.keysOf("signer")
	l.try("exchange_multisig_keys", object{"multisig_info": []string{l.secrets["signer spend_key"]}, "password": wrong})
	l.try("no_such_operation", object{"seed": words})
}
