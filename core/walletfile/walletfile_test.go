package walletfile

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/quick"

	"github.com/stretchr/testify/require"

	"glim/core/address"
	"glim/core/codec/epee"
	"glim/core/crypto/edwards"
	"glim/core/internal/codec/wire"
	"glim/core/internal/crypto/chacha"
	"glim/core/keys"
	"glim/core/multisig"
	"glim/core/xmr"
)

// recorded is the reference's data about a wallet whose file is in testdata.
type recorded struct {
	File, Password, Network, Address, Language string

	Threshold, Total uint32 // of a group of signers

	Rounds        int
	RestoreHeight *uint64 `json:"restore_height"`
	ViewKey       string  `json:"view_key"`
	SpendKey      string  `json:"spend_key"`
	ViewOnly      bool    `json:"view_only"`
	Created       uint64
}

func reference(t testing.TB) (list []recorded) {
	text, err := os.ReadFile("testdata/reference.json")
	require.NoError(t, err)
	var r struct{ Wallets []recorded }
	require.NoError(t, json.Unmarshal(text, &r))
	require.Len(t, r.Wallets, 9)
	return r.Wallets
}

func read(t testing.TB, name string) []byte {
	b, err := os.ReadFile(filepath.Join("testdata", name))
	require.NoError(t, err)
	return b
}

func TestReferenceFiles(t *testing.T) {
	for _, c := range reference(t) {
		file := read(t, c.File)
		before := bytes.Clone(file)
		w, err := Open(file, []byte(c.Password), c.Rounds)
		require.Equal(t, before, file, "untouched")
		require.NoError(t, err, c.File)
		require.Equal(t, c.Network, w.Network.String())
		require.True(t, w.NetworkKnown)
		require.Equal(t, c.Language, w.Language)
		if c.RestoreHeight != nil {
			require.Equal(t, *c.RestoreHeight, w.RestoreHeight)
		}
		if c.Created != 0 {
			require.Equal(t, c.Created, w.Created)
		}
		require.EqualValues(t, 50, w.LookaheadMajor)
		require.EqualValues(t, 200, w.LookaheadMinor)
		a := address.Address{
			Network: w.Network, Kind: address.Standard, Spend: w.Keys.SpendPublic, View: w.Keys.ViewPublic,
		}
		require.Equal(t, c.Address, a.String())
		view := w.Keys.ViewSecret()
		require.Equal(t, c.ViewKey, hex.EncodeToString(view[:]))
		if c.Total > 0 {
			require.False(t, w.Keys.CanSpend())
			require.Equal(t, c.SpendKey, hex.EncodeToString(w.Multisig.BaseSecret().Bytes()))
			require.Equal(t, [2]uint32{c.Threshold, c.Total}, [2]uint32{w.Multisig.Threshold(), w.Multisig.Total()})
			require.True(t, w.Multisig.Complete() && !w.Multisig.Ready())
			continue
		}
		require.Nil(t, w.Multisig)
		spend, ok := w.Keys.SpendSecret()
		require.Equal(t, !c.ViewOnly, ok)
		if ok {
			require.Equal(t, c.SpendKey, hex.EncodeToString(spend[:]))
		}
	}
	file := read(t, "rounds.keys")
	_, err := Open(file, []byte("px"), 3)
	require.ErrorIs(t, err, ErrPassword)
	_, err = Open(file, []byte("p"), 2)
	require.ErrorIs(t, err, ErrPassword)
}

// TestForeignFiles checks that truncated and extended files are refused with any password, and files of other kinds
// too.
func TestForeignFiles(t *testing.T) {
	file := read(t, reference(t)[0].File)
	for n := range file {
		_, err := Open(file[:n], nil, 1)
		require.ErrorIs(t, err, ErrFormat)
	}
	for _, b := range [][]byte{nil, []byte("{}"), append(bytes.Clone(file), 0), bytes.Repeat([]byte{0}, 9),
		bytes.Repeat([]byte{0xff}, 300), []byte("-----BEGIN PGP MESSAGE-----\n"),
		append(append(make([]byte, 8), 0x80, 0x80, 0x80, 0x80, 0x08), "short"...)} {
		_, err := Open(b, nil, 1)
		require.ErrorIs(t, err, ErrFormat, "%q", b)
	}
}

// seal encrypts an object's text with an IV of zeros.
func seal(text string, xor func(out, in []byte, key *[32]byte, iv [chacha.IVSize]byte), key [32]byte) []byte {
	sealed := []byte(text)
	xor(sealed, sealed, &key, [chacha.IVSize]byte{})
	return sealed
}

// TestRefusedObjects: with the right password, inconsistent contents are reported as damaged, and unsupported wallets
// by their kind.
func TestRefusedObjects(t *testing.T) {
	key := [32]byte{1, 2, 3}
	k, err := keys.FromSeed([32]byte{1})
	require.NoError(t, err)
	a := newAccount(&Wallet{Keys: k})
	good, err := appendObject(nil, &Wallet{Keys: k}, a)
	require.NoError(t, err)
	plain := func(members string) string { // the keys in it are not encrypted
		return string(bytes.Replace(good, []byte(`,"encrypted_secret_keys":1`), []byte(members), 1))
	}
	other := *a
	other.Keys.Spend = [32]byte{2}
	mismatch, err := appendObject(nil, &Wallet{Keys: k}, &other)
	require.NoError(t, err)
	mismatch = bytes.Replace(mismatch, []byte(`,"encrypted_secret_keys":1`), nil, 1)

	for _, c := range []struct {
		text string
		want error
	}{
		{plain(""), nil},
		{plain(`,"encrypted_secret_keys":0,"unknown":[1,{"a":"b"}],"auto_mine_for_rpc_payment":-1.5`), nil},
		{string(good), ErrFormat}, // the flag marks the keys as encrypted
		{string(mismatch), ErrFormat},
		{"{}", ErrFormat},
		{`{"key_data":"x"}`, ErrFormat},
		{`{"key_data":1}`, ErrFormat},
		{plain(`,"multisig_threshold":2`), nil},
		{string(bytes.Replace([]byte(plain("")), []byte(`"multisig":0`), []byte(`"multisig":1`), 1)), ErrMultisig},
		{
			string(bytes.Replace([]byte(plain("")), []byte(`"key_on_device":0`), []byte(`"key_on_device":2`), 1)),
			ErrDevice,
		},
		{string(bytes.Replace([]byte(plain("")), []byte(`"nettype":0`), []byte(`"nettype":4`), 1)), ErrFormat},
		{
			string(bytes.Replace([]byte(plain("")), []byte(`"refresh_height":0`), []byte(`"refresh_height":-1`), 1)),
			ErrFormat,
		},
		{
			string(bytes.Replace([]byte(plain("")), []byte(`"refresh_height":0`), []byte(`"refresh_height":"9"`), 1)),
			ErrFormat,
		},
		{plain(`,"seed_language":7`), ErrFormat},
		{plain(`,"watch_only":0`), ErrPassword}, // a duplicate member, which the reference never writes
		{plain("") + "{}", ErrPassword},
		{"[1]", ErrPassword},
		{`{"a":`, ErrPassword},
	} {
		for _, xor := range []func(out, in []byte, key *[32]byte, iv [chacha.IVSize]byte){chacha.XOR, chacha.XOR8} {
			w, err := (&Password{key: key}).unseal([chacha.IVSize]byte{}, seal(c.text, xor, key))
			require.ErrorIs(t, err, c.want, c.text)
			if c.want == nil {
				require.Equal(t, k.SpendPublic, w.Keys.SpendPublic)
			} else {
				require.Nil(t, w)
			}
		}
	}
	password := &Password{key: key}
	background := seal(plain(""), chacha.XOR, password.Derive(backgroundDomain))
	_, err = password.unseal([chacha.IVSize]byte{}, background)
	require.ErrorIs(t, err, ErrBackground)

	w, err := (&Password{key: key}).unseal([chacha.IVSize]byte{}, seal(plain(""), chacha.XOR, key))
	require.NoError(t, err)
	require.True(t, w.NetworkKnown)
	silent := bytes.Replace([]byte(plain("")), []byte(`,"nettype":0`), nil, 1)
	w, err = (&Password{key: key}).unseal([chacha.IVSize]byte{}, seal(string(silent), chacha.XOR, key))
	require.NoError(t, err)
	require.False(t, w.NetworkKnown)

	// The very first files had no object around the account.
	a.Created = 1400000000
	bare, err := epee.Marshal(a)
	require.NoError(t, err)
	w, err = (&Password{key: key}).unseal([chacha.IVSize]byte{}, seal(string(bare), chacha.XOR8, key))
	require.NoError(t, err)
	require.Equal(t, &Wallet{Keys: k, Created: a.Created}, w)
}

func TestRoundTrip(t *testing.T) {
	random := rand.NewChaCha8([32]byte{7})
	for _, w := range wallets(t) {
		password := make([]byte, random.Uint64()%40)
		_, _ = random.Read(password)
		file, err := Seal(w, password, 2, random)
		require.NoError(t, err)
		got, err := Open(file, password, 2)
		require.NoError(t, err)
		require.Equal(t, w, got)
	}
	_, err := Seal(&Wallet{}, nil, 1, random)
	require.ErrorIs(t, err, ErrNoKeys)
	w := wallets(t)[0]
	file, err := Seal(w, nil, 1, random)
	require.NoError(t, err)
	again, err := Seal(w, nil, 1, random)
	require.NoError(t, err)
	for i := 0; i+8 <= 24; i += 8 {
		require.NotEqual(t, file[i:i+8], again[i:i+8], "fresh numbers")
	}
	_, err = Seal(w, nil, 1, bytes.NewReader(make([]byte, 15)))
	require.ErrorIs(t, err, io.ErrUnexpectedEOF)
}

// wallets returns one wallet of each kind: from a seed, with unrelated keys, view-only.
func wallets(t testing.TB) []*Wallet {
	scalar := func(b byte) [32]byte { return edwards.EncodeScalar(edwards.ReduceScalar([32]byte{b, 31: 0xff})) }
	seed, err := keys.FromSeed(scalar(1))
	require.NoError(t, err)
	unrelated, err := keys.FromSecrets(scalar(2), scalar(3))
	require.NoError(t, err)
	require.False(t, unrelated.Deterministic())
	view, err := keys.ViewOnly(scalar(4), seed.SpendPublic)
	require.NoError(t, err)
	deep := uint64(1<<64 - 1)
	all := []*Wallet{
		{
			Keys: seed, Network: xmr.Mainnet, NetworkKnown: true, Language: "русский язык", RestoreHeight: 1<<64 - 1,
			Created: 1700000000,
		},
		{
			Keys: unrelated, Network: xmr.Stagenet, NetworkKnown: true, Language: `quote " and \ and` + "\n\x00\xff",
			LookaheadMajor: 3, LookaheadMinor: 1<<32 - 1, MaxReorgDepth: &deep,
		},
		{Keys: view, Network: xmr.Testnet, NetworkKnown: true, RestoreHeight: 5},
	}
	random := rand.NewChaCha8([32]byte{8})
	var first []string
	for i := range 3 {
		k, err := keys.FromSeed(scalar(byte(10 + i)))
		require.NoError(t, err)
		text, err := multisig.Prepare(random, k)
		require.NoError(t, err)
		first = append(first, text)
	}
	own, err := keys.FromSeed(scalar(10))
	require.NoError(t, err)
	// in this order: with keys to exchange, with shares in addition, with the key of the group
	for _, threshold := range []uint32{1, 2, 3} {
		a, _, err := multisig.Make(random, own, threshold, first)
		require.NoError(t, err)
		k, err := a.Keys()
		require.NoError(t, err)
		all = append(all, &Wallet{Keys: k, NetworkKnown: true, Multisig: a, EnableMultisig: threshold == 2})
	}
	return all
}

// TestGroups: incomplete multisig data is refused.
func TestGroups(t *testing.T) {
	w := wallets(t)[4]
	a := newAccount(w)
	good, err := appendObject(nil, w, a)
	require.NoError(t, err)
	good = bytes.Replace(good, []byte(`,"encrypted_secret_keys":1`), nil, 1)
	key := [32]byte{4}
	for name, c := range map[string]struct {
		old, new string
		want     error
	}{
		"unchanged":          {"", "", nil},
		"another threshold":  {`"multisig_threshold":2`, `"multisig_threshold":3`, ErrMultisig},
		"no threshold":       {`"multisig_threshold":2`, `"multisig_thresholds":2`, ErrMultisig},
		"negative threshold": {`"multisig_threshold":2`, `"multisig_threshold":-2`, ErrFormat},
		"round zero":         {`"multisig_rounds_passed":1`, `"multisig_rounds_passed":0`, ErrMultisig},
		"round as text":      {`"multisig_rounds_passed":1`, `"multisig_rounds_passed":"1"`, ErrFormat},
		"no signers":         {`"multisig_signers"`, `"multisig_singers"`, ErrMultisig},
		"signers as numbers": {`"multisig_signers":"`, `"multisig_signers":1,"x":"`, ErrFormat},
		"no derivations":     {`"multisig_derivations"`, `"derivations"`, ErrMultisig},
		"truncated list":     {`"multisig_derivations":"\u0002`, `"multisig_derivations":"\u0003`, ErrFormat},
		"trailing byte":      {`"multisig_derivations":"\u0002`, `"multisig_derivations":"\u0001`, ErrFormat},
	} {
		text := strings.Replace(string(good), c.old, c.new, 1)
		require.Equal(t, c.want == nil, text == string(good), name)
		got, err := (&Password{key: key}).unseal([chacha.IVSize]byte{}, seal(text, chacha.XOR, key))
		require.ErrorIs(t, err, c.want, name)
		require.Equal(t, c.want == nil, got != nil)
	}
	a.Keys.Address.View = xmr.PublicKey{1}
	foreign, err := appendObject(nil, w, a)
	require.NoError(t, err)
	foreign = bytes.Replace(foreign, []byte(`,"encrypted_secret_keys":1`), nil, 1)
	_, err = (&Password{key: key}).unseal([chacha.IVSize]byte{}, seal(string(foreign), chacha.XOR, key))
	require.ErrorIs(t, err, ErrFormat)
}

// TestStrings: strings of arbitrary bytes survive the object.
func TestStrings(t *testing.T) {
	require.NoError(t, quick.Check(func(s []byte) bool {
		o, err := parseObject(append(appendString([]byte(`{"s":`), s), '}'))
		require.NoError(t, err)
		got, err := o.bytes("s")
		require.NoError(t, err)
		return bytes.Equal(s, got)
	}, nil))
	o, err := parseObject([]byte("{\"s\":\"\\u0001\\u00e9\\b\\f\\n\\r\\t\\/\xe9\x7f\"}"))
	require.NoError(t, err)
	got, err := o.bytes("s")
	require.NoError(t, err)
	require.Equal(t, "\x01é\b\f\n\r\t/\xe9\x7f", string(got))
}

// FuzzObject: reading decrypted data never fails except with an error, and the result can be written.
func FuzzObject(f *testing.F) {
	for _, c := range reference(f) {
		iv, sealed, err := split(read(f, c.File))
		require.NoError(f, err)
		key := chacha.Key([]byte(c.Password), c.Rounds)
		plain := make([]byte, len(sealed))
		chacha.XOR(plain, sealed, &key, iv)
		f.Add(plain)
	}
	k, err := keys.FromSeed([32]byte{1})
	require.NoError(f, err)
	plain, err := appendObject(nil, &Wallet{Keys: k}, newAccount(&Wallet{Keys: k}))
	require.NoError(f, err)
	f.Add(bytes.Replace(plain, []byte(`,"encrypted_secret_keys":1`), nil, 1))
	for _, w := range wallets(f)[3:] {
		plain, err := appendObject(nil, w, newAccount(w))
		require.NoError(f, err)
		f.Add(bytes.Replace(plain, []byte(`,"encrypted_secret_keys":1`), nil, 1))
	}
	f.Fuzz(func(t *testing.T, plain []byte) {
		o, err := parseObject(plain)
		if err != nil {
			return
		}
		delete(o, "encrypted_secret_keys") // the slow hash has its own tests
		w, err := o.wallet(new(Password))
		if err != nil {
			return
		}
		a := newAccount(w)
		b, err := appendObject(nil, w, a)
		require.NoError(t, err)
		o, err = parseObject(b)
		require.NoError(t, err)
		delete(o, "encrypted_secret_keys")
		again, err := o.wallet(new(Password))
		require.NoError(t, err)
		require.Equal(t, w.Keys, again.Keys)
		require.Equal(t, w.Multisig, again.Multisig)
		require.Equal(t, w.Language, again.Language)
		require.Equal(t, w.RestoreHeight, again.RestoreHeight)
	})
}

func FuzzFile(f *testing.F) {
	f.Add(read(f, reference(f)[0].File))
	f.Add([]byte{8: 1, 9: 'x'})
	f.Fuzz(func(t *testing.T, file []byte) {
		iv, sealed, err := split(file)
		if err != nil {
			require.ErrorIs(t, err, ErrFormat)
			return
		}
		require.Equal(t, file, append(wire.AppendVarint(iv[:], uint64(len(sealed))), sealed...))
	})
}

// TestHostileFiles: files written with a known password, or combined from other files, give an error or a wallet whose
// keys match.
func TestHostileFiles(t *testing.T) {
	key := [32]byte{9}
	k, err := keys.FromSeed([32]byte{1})
	require.NoError(t, err)
	other, err := keys.FromSeed([32]byte{2})
	require.NoError(t, err)
	read := func(members string, change func(*account)) (*Wallet, error) {
		a := newAccount(&Wallet{Keys: k})
		change(a)
		text, err := appendObject(nil, &Wallet{Keys: k}, a)
		require.NoError(t, err)
		text = bytes.Replace(text, []byte(`,"encrypted_secret_keys":1`), nil, 1)
		text = bytes.Replace(text, []byte(`"watch_only":0`), []byte(members), 1)
		return (&Password{key: key}).unseal([chacha.IVSize]byte{}, seal(string(text), chacha.XOR, key))
	}
	noPoint, outOfField := xmr.PublicKey{2}, xmr.PublicKey{}
	for i := range outOfField {
		outOfField[i] = 0xff
	}
	for name, change := range map[string]func(*account){
		"another's spend key": func(a *account) { a.Keys.Spend = spendOf(t, other) },
		"another's view key":  func(a *account) { a.Keys.View = other.ViewSecret() },
		"another's address": func(a *account) {
			a.Keys.Address = accountAddress{other.SpendPublic, other.ViewPublic}
		},
		"another's public spend key": func(a *account) { a.Keys.Address.Spend = other.SpendPublic },
		"another's public view key":  func(a *account) { a.Keys.Address.View = other.ViewPublic },
		"no spend key":               func(a *account) { a.Keys.Spend = [32]byte{} },
		"no view key":                func(a *account) { a.Keys.View = [32]byte{} },
		"no point":                   func(a *account) { a.Keys.Address.Spend = noPoint },
		"a key above the order":      func(a *account) { a.Keys.Spend = outOfField },
		"a view key above the order": func(a *account) { a.Keys.View = [32]byte(outOfField) },
	} {
		w, err := read(`"watch_only":0`, change)
		require.ErrorIs(t, err, ErrFormat, name)
		require.Nil(t, w)
	}
	for name, change := range map[string]func(*account){
		"no point":              func(a *account) { a.Keys.Address.Spend = noPoint },
		"out of the field":      func(a *account) { a.Keys.Address.Spend = outOfField },
		"another's view key":    func(a *account) { a.Keys.View = other.ViewSecret() },
		"another's public view": func(a *account) { a.Keys.Address.View = other.ViewPublic },
		"no view key":           func(a *account) { a.Keys.View = [32]byte{} },
	} {
		w, err := read(`"watch_only":1`, change)
		require.ErrorIs(t, err, ErrFormat, name)
		require.Nil(t, w)
	}

	deep := strings.Repeat("[", 1<<19)
	var many strings.Builder
	for i := range 1 << 16 {
		many.WriteString(`,"` + hex.EncodeToString([]byte{byte(i >> 8), byte(i)}) + `":0`)
	}
	for name, c := range map[string]struct {
		members string
		want    error
	}{
		"unchanged":           {`"watch_only":0`, nil},
		"deep":                {`"watch_only":0,"x":` + deep, ErrPassword},
		"deep and closed":     {`"watch_only":0,"x":` + deep + strings.Repeat("]", 1<<19), ErrPassword},
		"many members":        {`"watch_only":0` + many.String(), nil},
		"the same many times": {`"watch_only":0` + strings.Repeat(`,"x":0`, 1<<16), ErrPassword},
		"a long number":       {`"watch_only":0,"subaddress_lookahead_major":` + strings.Repeat("9", 1<<19), ErrFormat},
		"a fraction":          {`"watch_only":0.5`, ErrFormat},
		"an exponent":         {`"watch_only":0e999999999`, ErrFormat},
		"a boolean":           {`"watch_only":true`, ErrFormat},
		"nothing":             {`"watch_only":null`, ErrFormat},
		"a list":              {`"watch_only":[0]`, ErrFormat},
		"unpaired surrogate":  {`"watch_only":0,"seed_language":"\ud800"`, nil},
	} {
		w, err := read(c.members, func(*account) {})
		require.ErrorIs(t, err, c.want, name)
		require.Equal(t, c.want == nil, w != nil, name)
	}
}

func spendOf(t testing.TB, k *keys.Keys) [32]byte {
	spend, ok := k.SpendSecret()
	require.True(t, ok)
	return spend
}
