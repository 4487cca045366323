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

// overheard keeps all that passes on the way to a daemon.
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

// spellings are the ways in which a secret could stand in a text or in bytes.
func spellings(secret string) (all []string) {
	all = []string{secret, strings.ToUpper(secret)}
	if raw, err := hex.DecodeString(secret); err == nil && len(raw) >= 16 {
		decimal := strings.Trim(fmt.Sprint(raw[:8]), "[]")
		all = append(all, string(raw), base64.StdEncoding.EncodeToString(raw)[:20], base64.URLEncoding.EncodeToString(raw)[:20],
			decimal, strings.ReplaceAll(decimal, " ", ","), strings.ReplaceAll(decimal, " ", ", "), fmt.Sprintf("%q", raw[:16]))
	}
	if words := strings.Fields(secret); len(words) >= 12 {
		for i := range len(words) - 3 { // four words in a row
			all = append(all, strings.Join(words[i:i+4], " "), strings.Join(words[i:i+4], ","))
		}
	}
	return all
}

// TestNothingSecretGetsOut lives a long life at the highest level of the log, with everything that handles secrets, successes and refusals,
// and looks for each secret in each spelling: in the log, in the texts of errors, in all that the daemon is told.
func TestNothingSecretGetsOut(t *testing.T) {
	t.Parallel()
	d := newMined(t)
	way := overhear(t, d)
	dir, log := t.TempDir(), filepath.Join(t.TempDir(), "log")
	c := start(t, &peers.Daemon{Client: peers.Client{URL: way.URL}}, dir, "--log-level", "4", "--log-file", log)
	secrets := map[string]string{"login": "pass word"}
	var told strings.Builder
	// try calls what may be refused.
	try := func(method string, params object) {
		var answer object
		err := c.JSON(deadline(t), method, params, &answer)
		var e *peers.Error
		if errors.As(err, &e) {
			told.WriteString(e.Message + "\n")
			return
		}
		require.NoError(t, err, method)
	}
	secret := func(name, value string) string {
		require.GreaterOrEqual(t, len(value), 8, name)
		secrets[name] = value
		return value
	}
	keysOf := func(name string) {
		for _, kind := range []string{"view_key", "spend_key", "mnemonic"} {
			secret(name+" "+kind, call[struct{ Key string }](t, c, "query_key", object{"key_type": kind}).Key)
		}
	}
	first, second, wrong := secret("password", "correct-horse"), secret("new password", "battery-staple"), secret("wrong password", "tr0ub4dor-and-3")
	words := secret("alice's words", seed(t, alice))
	do(t, c, "restore_deterministic_wallet", object{"filename": "w", "password": first, "seed": words})
	keysOf("alice")
	try("restore_deterministic_wallet", object{"filename": "x", "password": first, "seed": words + " abbey"})
	try("restore_deterministic_wallet", object{"filename": "x", "password": first, "seed": strings.Replace(words, " ", " nonsense ", 1)})
	do(t, c, "restore_deterministic_wallet", object{"filename": "offset", "password": first, "seed": words, "seed_offset": secret("offset", "a passphrase over them")})
	try("open_wallet", object{"filename": "w", "password": wrong})
	try("generate_from_keys", object{"filename": "y", "password": first, "address": at(t, bob, 0, 0), "viewkey": secrets["alice view_key"], "spendkey": secrets["alice spend_key"]})
	try("generate_from_keys", object{"filename": "y", "password": first, "address": at(t, alice, 0, 0), "viewkey": secrets["alice spend_key"][:63], "spendkey": "x" + secrets["alice spend_key"]})
	do(t, c, "open_wallet", object{"filename": "w", "password": first})
	refresh(t, c)
	try("change_wallet_password", object{"old_password": wrong, "new_password": second})
	do(t, c, "change_wallet_password", object{"old_password": first, "new_password": second})

	for i := range 3 {
		sent := pay(t, c, []destination{{at(t, bob, 0, uint32(i)), coin}}, object{"get_tx_hex": true, "get_tx_metadata": true})
		secret(fmt.Sprint("transaction key ", i), sent.TxKey)
		proof := call[struct{ Signature string }](t, c, "get_tx_proof", object{"txid": sent.TxHash, "address": at(t, bob, 0, uint32(i)), "message": "m"})
		do(t, c, "check_tx_proof", object{"txid": sent.TxHash, "address": at(t, bob, 0, uint32(i)), "message": "m", "signature": proof.Signature})
		try("check_tx_key", object{"txid": sent.TxHash, "tx_key": sent.TxKey, "address": at(t, carol, 0, 0)})
		try("check_tx_key", object{"txid": sent.TxHash, "tx_key": sent.TxKey[:62], "address": at(t, bob, 0, 0)})
		mine(t, d, 1, at(t, nobody, 0, 0))
		refresh(t, c)
	}
	try("transfer", object{"destinations": []destination{{at(t, bob, 0, 0), 1 << 62}}})
	do(t, c, "sign", object{"data": "a text"})
	do(t, c, "get_reserve_proof", object{"all": true})
	do(t, c, "export_outputs", object{"all": true})
	do(t, c, "export_key_images", object{"all": true})
	do(t, c, "export_keys_file", object{"filename": "theirs", "password": secret("their password", "another-password")})
	do(t, c, "setup_background_sync", object{"background_sync_type": "custom-background-password", "wallet_password": second,
		"background_cache_password": secret("background password", "behind-the-scenes")})
	do(t, c, "start_background_sync", nil)
	try("transfer", object{"destinations": []destination{{at(t, bob, 0, 0), coin}}})
	try("stop_background_sync", object{"wallet_password": wrong})
	do(t, c, "stop_background_sync", object{"wallet_password": second})
	do(t, c, "create_wallet", object{"filename": "sixteen", "password": first, "language": "English", "seed_type": "polyseed"})
	keysOf("sixteen")
	do(t, c, "restore_deterministic_wallet", object{"filename": "signer", "password": "", "seed": secret("signer's words", seed(t, 90))})
	group := []signer{{c, false}, newSigner(t, d, nil, 91)}
	setUpGroup(t, group, 2)
	keysOf("signer")
	try("exchange_multisig_keys", object{"multisig_info": []string{secrets["signer spend_key"]}, "password": wrong})
	try("no_such_operation", object{"seed": words})
	c.kill()

	written, err := os.ReadFile(log)
	require.NoError(t, err)
	require.Greater(t, bytes.Count(written, []byte("\n")), 50, "the log tells what happens")
	for len(c.lines) > 0 {
		told.WriteString(<-c.lines + "\n")
	}
	require.Greater(t, strings.Count(told.String(), "\n"), 8, "there were refusals")
	way.mu.Lock()
	defer way.mu.Unlock()
	require.Greater(t, way.all.Len(), 1000, "the daemon was asked")
	places := map[string]string{"the log": string(written), "an error": told.String(), "what the daemon was told": way.all.String()}
	for _, address := range []string{at(t, alice, 0, 0), at(t, bob, 0, 0)} {
		require.NotContains(t, places["what the daemon was told"], address)
	}
	require.Greater(t, len(secrets), 18)
	for name, value := range secrets {
		for _, spelled := range spellings(value) {
			for place, text := range places {
				if i := strings.Index(text, spelled); i >= 0 {
					t.Errorf("%s stands in %s: …%q…", name, place, text[max(0, i-80):i])
				}
			}
		}
	}
}
