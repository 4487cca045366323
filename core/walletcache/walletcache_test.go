package walletcache

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"glim/core/crypto/keccak"
	"glim/core/internal/codec/wire"
	"glim/core/internal/crypto/chacha"
	"glim/core/keys"
	"glim/core/multisig"
	"glim/core/walletfile"
	"glim/core/xmr"
)

func times[T any](n int, make func() T) (list []T) {
	for range n {
		list = append(list, make())
	}
	return list
}

// everything returns a cache with all fields set and lists of size elements.
func everything(version uint64, size int) *Cache {
	n := new(counter)
	prefix := func(coinbase bool) []byte { p := n.prefix(coinbase, false); return p.AppendPrefix(nil) }
	hash := func() xmr.Hash { return n.key() }
	payment := func() Payment { p := n.payment(); p.PaymentID = n.key(); return p }
	sent := func(pending bool) func() Sent {
		return func() Sent {
			s := Sent{TxID: n.key(), AmountIn: n.number(), AmountOut: n.number(), Change: n.number(),
				Destinations: n.destinations(), PaymentID: n.key(), Timestamp: n.number()}
			if n.flag() {
				s.Prefix = prefix(false)
			}
			if pending {
				s.SentTime, s.State = n.number(), State(n.next()%3)
			} else {
				s.Height, s.UnlockTime = n.number(), n.number()
			}
			n.spent(&s)
			return s
		}
	}
	c := &Cache{Version: version, Spend: n.key(), View: n.key(), RingsSaved: true, LastBlockReward: n.number(),
		DeviceSynced: n.number(), RPCClientSecret: n.key(), EverRefreshed: version >= 1,
		Chain: Chain{n.number(), n.key(), times(size, hash)}}
	c.Transfers = times(size, func() Transfer {
		p := n.prefix(n.flag(), false)
		i := n.next() % 2
		return Transfer{Height: n.number(), Prefix: p.AppendPrefix(nil), Extra: p.Extra, TxID: n.key(), OutputIndex: i,
			GlobalIndex: n.number(), Key: p.Outputs[i].Key, Amount: n.number(), Mask: n.key(), RingCT: n.flag(),
			Spent: n.flag(), SpentHeight: n.number(), Frozen: n.flag(), Index: n.index(), PublicKey: n.number(),
			KeyImage: n.key(), KeyImageKnown: n.flag(), KeyImageRequested: n.flag(), KeyImagePartial: n.flag(),
			MultisigNonces: times(2, n.key),
			MultisigInfo: times(2, func() MultisigInfo {
				return MultisigInfo{n.key(), [][2][32]byte{{n.key(), n.key()}}, []xmr.KeyImage{n.key()}}
			}),
			Uses: times(2, func() Use { return Use{n.number(), n.key()} })}
	})
	c.Pending, c.Confirmed = times(size, sent(true)), times(size, sent(false))
	c.Payments = times(size, payment)
	c.Pool = times(size, func() PoolPayment { return PoolPayment{payment(), n.flag()} })
	c.TxKeys = times(size, func() TxKey { return TxKey{n.key(), n.key(), times(2, n.key)} })
	c.TxKeys = append(c.TxKeys, TxKey{TxID: n.key(), Key: n.key()}, TxKey{TxID: n.key(), Additional: times(1, n.key)})
	c.Labels = times(size, func() []string { return times(2, n.text) })
	for i := range size {
		c.Table = append(c.Table, Watched{uint32(i), uint32(n.next())})
	}
	c.Notes = times(size, func() Note { return Note{n.key(), n.text()} })
	c.Attributes = times(size, func() Attribute { return Attribute{n.text(), n.text()} })
	c.AddressBook = times(size, func() Contact {
		return Contact{n.key(), n.key(), n.flag(), [8]byte{7}, n.flag(), n.text()}
	})
	c.Tags, c.AccountTags = times(size, func() Tag { return Tag{n.text(), n.text()} }), times(size, n.text)
	c.KeyImages = times(size, func() ImageOf { return ImageOf{n.key(), n.next()} })
	c.OutputKeys = times(size, func() KeyOf { return KeyOf{n.key(), n.next()} })
	c.ScannedPool = [2][]xmr.Hash{times(size, hash), times(size, hash)}
	c.ColdKeyImages = times(size, func() ColdImage { return ColdImage{n.key(), n.key()} })
	c.DeviceData = times(size, func() DeviceData { return DeviceData{n.key(), []byte(n.text())} })
	if version >= 2 {
		c.BackgroundSynced = &Background{Refreshed: true, StartHeight: n.number(), RestoreHeight: n.number(),
			LookaheadMajor: n.number(), LookaheadMinor: n.number(), RefreshType: n.number(),
			Transactions: times(size, func() BackgroundTx {
				base := prefix(false)
				if n.flag() {
					base = append(append(base, 6, 9), make([]byte, 2*(8+32))...) // RingCT with a fee and two outputs
				} else {
					base = append(base, 0)
				}
				return BackgroundTx{n.key(), n.number(), base, []uint64{n.number()}, n.number(), n.number(), n.flag()}
			})}
	}
	return c
}

// opened parses data and drops the bytes that Wipe needs.
func opened(t testing.TB, data []byte) *Cache {
	t.Helper()
	c, err := parse(data)
	require.NoError(t, err)
	c.secret = nil
	return c
}

// TestEverything checks every field of every version, with indices of every width that the reference has written.
func TestEverything(t *testing.T) {
	for version := range uint64(3) {
		for _, indexSize := range []int{0, 8, 4} {
			for _, size := range []int{0, 1, 3, 40} {
				want := everything(version, size)
				got := opened(t, encode(want, indexSize))
				require.Equal(t, want, got, "version %d, indices of %d bytes", version, indexSize)
			}
		}
	}
}

// TestCachesThatAreRefused: truncated caches, trailing bytes and unknown versions are refused.
func TestCachesThatAreRefused(t *testing.T) {
	for _, data := range [][]byte{encode(everything(2, 1), 0), read(t, "boost-0.16.0.3.archive")} {
		for n := len(magic) + 6; n < len(data); n++ {
			_, err := parse(data[:n])
			require.ErrorIs(t, err, ErrFormat, n)
		}
		_, err := parse(append(bytes.Clone(data), 0))
		require.ErrorIs(t, err, ErrFormat)
	}
	for name, harm := range map[string]func(c *Cache){
		"an output missing in its transaction": func(c *Cache) { c.Transfers[0].OutputIndex = 2 },
		"an unknown state":                     func(c *Cache) { c.Pending[0].State = 3 },
		"an account without addresses":         func(c *Cache) { c.Table[0].Addresses = 0 },
	} {
		c := everything(2, 1)
		harm(c)
		_, err := parse(encode(c, 0))
		require.ErrorIs(t, err, ErrFormat, name)
	}
	later := func(data []byte, at int, part string, version uint64) {
		data = bytes.Clone(data)
		data[at] = byte(version)
		_, err := parse(data)
		require.ErrorIs(t, err, ErrVersion)
		var v *VersionError
		require.ErrorAs(t, err, &v)
		require.Equal(t, VersionError{part, version}, *v)
		require.ErrorContains(t, err, part)
	}
	data := encode(everything(2, 1), 0)
	later(data, len(magic), "wallet2", 3)
	later(data, len(magic)+1, "hashchain", 1)
	data = read(t, "boost-0.16.0.3.archive")
	later(data, len(archive)+4, "wallet2", 30)
	later(data, len(archive)+4, "wallet2", 15)
	later(data, len(archive)+1, "portable_binary_iarchive", 0x40)
	_, err := parse([]byte(unportable + "\x05\x04\x08"))
	require.ErrorIs(t, err, ErrVersion)
	require.ErrorContains(t, err, "binary_iarchive")
	for c, v := range versioned {
		b := &boost{reader: reader{Reader: wire.NewReader([]byte{0, 1, byte(v.highest + 1)})}}
		b.class(c)
		require.Equal(t, &VersionError{v.name, v.highest + 1}, failure(b.Err()))
	}
}

// sealed returns an encrypted file.
func sealed(data []byte, key [32]byte, xor cipher) []byte {
	iv := [chacha.IVSize]byte{1, 2, 3}
	file := wire.AppendVarint(append([]byte(nil), iv[:]...), uint64(len(data)))
	body := make([]byte, len(data))
	xor(body, data, &key, iv)
	return append(file, body...)
}

// TestKeysOfCaches: a cache opens with every key that a release has used, and with no other.
func TestKeysOfCaches(t *testing.T) {
	seed, err := keys.FromSeed([32]byte{5})
	require.NoError(t, err)
	viewing, err := keys.ViewOnly(seed.ViewSecret(), seed.SpendPublic)
	require.NoError(t, err)
	random := rand.NewChaCha8([32]byte{8})
	message, err := multisig.Prepare(random, seed)
	require.NoError(t, err)
	other, err := keys.FromSeed([32]byte{6})
	require.NoError(t, err)
	second, err := multisig.Prepare(random, other)
	require.NoError(t, err)
	signer, _, err := multisig.Make(random, seed, 2, []string{message, second})
	require.NoError(t, err)
	group, err := signer.Keys()
	require.NoError(t, err)

	password := []byte("p")
	const rounds = 2
	hash := chacha.Key(password, rounds)
	current := keccak.Sum256(hash[:], []byte{0x8d})
	accountKey := func(view, spend []byte) [32]byte {
		return chacha.Key(slices.Concat(view, spend, []byte{0x8c}), rounds)
	}
	view, base := seed.ViewSecret(), signer.BaseSecret().Bytes()
	spend, _ := seed.SpendSecret()
	shared := group.ViewSecret()
	for _, c := range []struct {
		name   string
		wallet *walletfile.Wallet
		old    [32]byte
	}{
		{"whole", &walletfile.Wallet{Keys: seed}, accountKey(view[:], spend[:])},
		{"viewing", &walletfile.Wallet{Keys: viewing}, accountKey(view[:], make([]byte, 32))},
		{"group", &walletfile.Wallet{Keys: group, Multisig: signer}, accountKey(shared[:], base)},
	} {
		content := everything(2, 1)
		content.Spend, content.View = c.wallet.Keys.SpendPublic, c.wallet.Keys.ViewPublic
		data := encode(content, 0)
		for _, file := range [][]byte{sealed(data, current, chacha.XOR), sealed(data, c.old, chacha.XOR),
			sealed(data, c.old, chacha.XOR8)} {
			before := bytes.Clone(file)
			got, err := Open(file, password, rounds, c.wallet)
			require.NoError(t, err, c.name)
			require.Equal(t, before, file, "untouched")
			require.Equal(t, content.Notes, got.Notes)
		}
		_, err := Open(sealed(data, [32]byte{1}, chacha.XOR), password, rounds, c.wallet)
		require.ErrorIs(t, err, ErrPassword)
		_, err = Open(sealed(data, current, chacha.XOR), password, rounds+1, c.wallet)
		require.ErrorIs(t, err, ErrPassword)
		_, err = Open(sealed(data[:len(data)-1], current, chacha.XOR), password, rounds, c.wallet)
		require.ErrorIs(t, err, ErrFormat)
		content.View[0]++
		_, err = Open(sealed(encode(content, 0), current, chacha.XOR), password, rounds, c.wallet)
		require.ErrorIs(t, err, ErrOwner)
	}
	// The first archives were not encrypted.
	_, err = Open(read(t, "boost-0.16.0.3.archive"), password, rounds, &walletfile.Wallet{Keys: seed})
	require.ErrorIs(t, err, ErrOwner)
	for _, b := range [][]byte{nil, []byte("x"), bytes.Repeat([]byte{0xff}, 300), make([]byte, 8),
		append(make([]byte, 8), 0xff, 0xff, 0xff, 0x7f)} {
		_, err := Open(b, password, 1, &walletfile.Wallet{Keys: seed})
		require.ErrorIs(t, err, ErrFormat, "%x", b)
	}
}

// TestWipe: Wipe leaves no secrets.
func TestWipe(t *testing.T) {
	data := encode(everything(2, 2), 0)
	c, err := parse(data)
	require.NoError(t, err)
	c.Wipe()
	require.Equal(t, make([]byte, len(data)), data)
	require.Zero(t, c.RPCClientSecret)
	for _, k := range c.TxKeys {
		require.Zero(t, k.Key)
		for _, a := range k.Additional {
			require.Zero(t, a)
		}
	}
	for _, o := range c.Transfers {
		require.Equal(t, [][32]byte{{}, {}}, o.MultisigNonces)
	}
}

// TestMemoryOfCaches: parsing data crafted to use much memory uses a small multiple of its length.
func TestMemoryOfCaches(t *testing.T) {
	const n = 1 << 20
	empty := encode(&Cache{Version: 1}, 0)
	// after is the number of bytes that follow the list's length in an empty cache.
	list := func(after int, length uint64, elements []byte) []byte {
		at := len(empty) - after
		return slices.Concat(empty[:at-1], wire.AppendVarint(nil, length), elements, empty[at:])
	}
	// Tags, whether rings are saved, a reward, device data and their time, cold key images, a secret, a flag.
	const attributes = 3 + 1 + 8 + 1 + 8 + 1 + 32 + 1
	const labels = attributes + 2
	require.Len(t, opened(t, list(labels, 3, make([]byte, 3))).Labels, 3, "the right place")
	require.Len(t, opened(t, list(attributes, 1, []byte{2, 0, 0})).Attributes, 1, "the right place")
	pairs := bytes.Repeat([]byte{2, 0, 0}, n/3)
	inputs := everything(0, 0)
	inputs.Transfers = []Transfer{{
		Prefix: slices.Concat([]byte{2, 0, 0}, wire.AppendVarint(nil, 1<<15), make([]byte, 4<<15), []byte{0})}}
	for name, data := range map[string][]byte{
		"accounts without labels": list(labels, n, make([]byte, n)),
		"empty labels":            list(labels, 1, append(wire.AppendVarint(nil, n), make([]byte, n)...)),
		"empty attributes":        list(attributes, n/3, pairs),
		"announced alone":         list(labels, 1<<62, nil),
		"announced hashes": slices.Concat([]byte(magic), []byte{2, 0, 0}, make([]byte, 32),
			wire.AppendVarint(nil, 1<<40)),
		"outputs": encode(inputs, 0),
		"an archive's hashes": slices.Concat([]byte(archive), []byte{0, 0, 0, 1, 29, 0, 0, 0, 0, 0, 1, 32},
			make([]byte, 32), []byte{0, 0, 0xff, 1, 0}), // 2^64−1 of them
	} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		c, err := parse(data)
		runtime.ReadMemStats(&after)
		took := int(after.TotalAlloc - before.TotalAlloc)
		t.Logf("%s: %d bytes for %d, %v", name, took, len(data), err)
		require.Less(t, took, 10*len(data)+2<<20, name)
		require.Equal(t, name == "outputs", err == nil, "%v %v", name, c)
	}
	// Real caches take about as much memory as their length.
	data := encode(everything(2, 2000), 0)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	_, err := parse(data)
	runtime.ReadMemStats(&after)
	require.NoError(t, err)
	took := int(after.TotalAlloc - before.TotalAlloc)
	t.Logf("%d bytes for %d", took, len(data))
	require.Less(t, took, 3*len(data))
}

// FuzzRead: parsing fails only with the package's errors, and the result can be written and parsed again.
func FuzzRead(f *testing.F) {
	for version := range uint64(3) {
		for _, indexSize := range []int{0, 8, 4} {
			f.Add(encode(everything(version, 1), indexSize))
		}
	}
	for _, r := range releases {
		f.Add(read(f, "boost-"+r.name+".archive"))
	}
	f.Add([]byte(unportable))
	real := func(name, keys, password string) {
		data, err := decrypt(read(f, name), []byte(password), 1, owner(f, keys, password))
		require.NoError(f, err)
		f.Add(data)
	}
	real("wallet_9svHk1", "../../walletfile/testdata/wallet_9svHk1.keys", "test")
	for _, name := range []string{"javascript-0.2.14", "javascript-0.4.6", "javascript-0.9.4", "javascript-0.11.15"} {
		real(name, name+".keys", "abctesting123")
	}
	for _, name := range []string{"0.18.0.0-shop", "0.18.0.0-group", "0.18.5.1-watch", "0.18.5.1-group"} {
		real(name, name+".keys", "p ä")
	}
	byID := func(a, b TxKey) int {
		return bytes.Compare(append(a.TxID[:], a.Key[:]...), append(b.TxID[:], b.Key[:]...))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		c, err := parse(data)
		if err != nil {
			require.True(t, errors.Is(err, ErrFormat) || errors.Is(err, ErrVersion))
			return
		}
		for _, o := range c.Transfers {
			require.NotEmpty(t, o.Prefix)
		}
		c.secret = nil
		if c.Boost {
			c.Boost, c.Version = false, 0
		}
		again := opened(t, encode(c, 0))
		slices.SortStableFunc(c.TxKeys, byID)
		slices.SortStableFunc(again.TxKeys, byID)
		require.Equal(t, c, again)
	})
}

// BenchmarkOpen parses a cache of a hundred thousand outputs.
func BenchmarkOpen(b *testing.B) {
	c := everything(2, 1)
	t := c.Transfers[0]
	t.MultisigInfo, t.MultisigNonces, t.Uses = nil, nil, nil
	n := new(counter)
	c.Transfers = times(100_000, func() Transfer { t.TxID = n.key(); return t })
	c.KeyImages = times(100_000, func() ImageOf { return ImageOf{n.key(), n.next()} })
	c.OutputKeys = times(100_000, func() KeyOf { return KeyOf{n.key(), n.next()} })
	p := c.Payments[0]
	c.Payments = times(100_000, func() Payment { p.TxID = n.key(); return p })
	k, err := keys.FromSeed([32]byte{1})
	require.NoError(b, err)
	w := &walletfile.Wallet{Keys: k}
	c.Spend, c.View = k.SpendPublic, k.ViewPublic
	hash := chacha.Key(nil, 1)
	file := sealed(encode(c, 0), keccak.Sum256(hash[:], []byte{0x8d}), chacha.XOR)
	b.SetBytes(int64(len(file)))
	b.ReportAllocs()
	for b.Loop() {
		_, err := Open(file, nil, 1, w)
		require.NoError(b, err)
	}
}
