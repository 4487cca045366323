package walletcache

import (
	"encoding/hex"
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"glim/core/internal/codec/wire"
	"glim/core/keys"
	"glim/core/tx"
	"glim/core/walletfile"
	"glim/core/xmr"
)

func read(t testing.TB, name string) []byte {
	t.Helper()
	b, err := os.ReadFile(filepath.Join("testdata", name))
	require.NoError(t, err)
	return b
}

func owner(t testing.TB, name, password string) *walletfile.Wallet {
	t.Helper()
	w, err := walletfile.Open(read(t, name), []byte(password), 1)
	require.NoError(t, err)
	return w
}

func appendVarint(v uint64) []byte { return wire.AppendVarint(nil, v) }

func digits[T ~[32]byte](t testing.TB, text string) (b T) {
	t.Helper()
	p, err := xmr.ParseKey(text)
	require.NoError(t, err)
	return T(p)
}

// TestPublishedWallet reads a wallet of release 0.10.2 with its published data.
// Source: tests/unit_tests/serialization.cpp, portability_wallet (release 0.18.5.1).
func TestPublishedWallet(t *testing.T) {
	w := owner(t, "../../walletfile/testdata/wallet_9svHk1.keys", "test")
	c, err := Open(read(t, "wallet_9svHk1"), []byte("test"), 1, w)
	require.NoError(t, err)
	require.True(t, c.Boost)
	require.EqualValues(t, 16, c.Version)
	require.Equal(t, []xmr.Hash{xmr.Testnet.GenesisHash()}, c.Chain.Hashes)
	require.Len(t, c.Transfers, 3)
	for i, v := range []struct{ image, key string }{
		{"c5680d3735b90871ca5e3d90cd82d6483eed1151b9ab75c2c8c3a7d89e00a5a8",
			"33f75f264574cb3a9ea5b24220a5312e183d36dc321c9091dfbb720922a4f7b0"},
		{"d54cbd435a8d636ad9b01b8d4f3eb13bd0cf1ce98eddf53ab1617f9b763e66c0",
			"5066ff2ce9861b1d131cf16eeaa01264933a49f28242b97b153e922ec7b4b3cb"},
		{"6c3cd6af97c4070a7aef9b1344e7463e29c7cd245076fdb65da447a34da3ca76",
			"0d8467e16e73d16510452b78823e082e05ee3a63788d40de577cf31eb555f0c8"},
	} {
		require.Equal(t, digits[xmr.KeyImage](t, v.image), c.Transfers[i].KeyImage)
		require.Equal(t, digits[xmr.PublicKey](t, v.key), c.Transfers[i].Key)
		require.Contains(t, c.KeyImages, ImageOf{c.Transfers[i].KeyImage, uint64(i)})
		require.Contains(t, c.OutputKeys, KeyOf{c.Transfers[i].Key, uint64(i)})
		p, ok := tx.ParseExtra(c.Transfers[i].Extra)
		require.True(t, ok)
		require.Len(t, p.PublicKeys, 1)
	}
	first := digits[xmr.Hash](t, "15024343b38e77a1a9860dfed29921fa17e833fec837191a6b04fa7cb9605b8e")
	second := digits[xmr.Hash](t, "ec34c9bb12b99af33d49691384eee5bed9171498ff04e59516505f35d1fc5efc")
	sent := digits[xmr.Hash](t, "6e7013684d35820f66c6679197ded9329bfe0e495effa47e7b25258799858dba")
	for i, id := range []xmr.Hash{first, second, sent} {
		require.Equal(t, id, c.Transfers[i].TxID)
	}
	require.ElementsMatch(t, []Payment{
		{TxID: first, Amount: 13400845012231, Height: 818424, UnlockTime: 818484, Timestamp: 1483263366},
		{TxID: second, Amount: 1200000000000, Height: 818522, Timestamp: 1483272963},
	}, c.Payments)
	require.ElementsMatch(t, []TxKey{
		{TxID: digits[xmr.Hash](t, "b9aac8c020ab33859e0c0b6331f46a8780d349e7ac17b067116e2d87bf48daad"),
			Key: digits[[32]byte](t, "bf3614c6de1d06c09add5d92a5265d8c76af706f7bc6ac830d6b0d109aa87701")},
		{TxID: sent, Key: digits[[32]byte](t, "e556884246df5a787def6732c6ea38f1e092fa13e5ea98f732b99c07a6332003")},
	}, c.TxKeys)
	require.Len(t, c.Confirmed, 1)
	require.Equal(t, sent, c.Confirmed[0].TxID)
	require.Empty(t, c.Pending)
	require.Empty(t, c.Pool)
	require.ElementsMatch(t, []Note{{first, "sample note"}, {sent, "sample note 2"}}, c.Notes)
	require.Equal(t, []Contact{{
		Spend:       digits[xmr.PublicKey](t, "9bc53a6ff7b0831c9470f71b6b972dbe5ad1e8606f72682868b1dda64e119fb3"),
		View:        digits[xmr.PublicKey](t, "49fece1ef97dc0c0f7a5e2106e75e96edd910f7e86b56e1e308cd0cf734df191"),
		Description: "testnet wallet 9y52S6",
	}}, c.AddressBook, "the payment ID of old is dropped, as later releases do")
}

// TestJavaScript reads caches of 32-bit programs, before and after the change of format.
func TestJavaScript(t *testing.T) {
	const password = "abctesting123"
	k, err := keys.FromSeed([32]byte{77, 7})
	require.NoError(t, err)
	spend, view := k.Address(keys.Index{Major: 1, Minor: 1})
	for _, v := range []struct {
		release string
		boost   bool
		version uint64
		whole   bool
		entries int // of the address book
	}{
		{"0.2.14", true, 29, false, 3}, {"0.4.6", false, 0, false, 3}, {"0.5.11", false, 0, true, 3},
		{"0.9.4", false, 1, true, 2}, {"0.11.15", false, 2, true, 2},
	} {
		w := owner(t, "javascript-"+v.release+".keys", password)
		require.Equal(t, k.SpendPublic, w.Keys.SpendPublic)
		file := read(t, "javascript-"+v.release)
		c, err := Open(file, []byte(password), 1, w)
		if v.whole {
			require.NoError(t, err)
			require.Equal(t, k.ViewPublic, c.View)
		} else {
			require.ErrorIs(t, err, ErrOwner)
			data, err := decrypt(file, []byte(password), 1, w)
			require.NoError(t, err)
			c, err = parse(data)
			require.NoError(t, err)
			require.Zero(t, c.Spend)
		}
		require.Equal(t, v.boost, c.Boost)
		require.Equal(t, v.version, c.Version)
		require.Equal(t, [][]string{{"Primary account", "later"}, {"second", "shop", "till"}, {"third"}}, c.Labels)
		require.Equal(t, []Watched{{0, 4}, {1, 5}, {2, 3}, {3, 3}}, c.Table)
		var one, all xmr.Hash
		for i := range one {
			one[i], all[i] = 1, 0xff
		}
		require.ElementsMatch(t, []Note{{one, "a note"}, {all, "another\nnote"}}, c.Notes)
		require.ElementsMatch(t, []Attribute{{"key", "value"}, {"empty", ""}}, c.Attributes)
		require.Equal(t, []Contact{
			{Spend: k.SpendPublic, View: k.ViewPublic, Description: "own"},
			{Spend: spend, View: view, IsSubaddress: true, Description: "shop of ours"},
			{Spend: k.SpendPublic, View: k.ViewPublic, HasPaymentID: true,
				PaymentID: [8]byte{0x01, 0x23, 0x45, 0x67, 0x89, 0xab, 0xcd, 0xef}, Description: "integrated"},
		}[:v.entries], c.AddressBook)
		require.Equal(t, v.version == 2, c.BackgroundSynced != nil)
		require.Equal(t, []xmr.Hash{xmr.Mainnet.GenesisHash()}, c.Chain.Hashes)
		require.EqualValues(t, 17592186044415, c.LastBlockReward, "of the first block")
		require.NotZero(t, c.RPCClientSecret)
	}
}

// counter returns the values of testdata/boost-*.archive in the order of their generation.
type counter uint64

func (n *counter) next() uint64 { *n++; return uint64(*n) }

func (n *counter) number() uint64 { v := n.next(); return v * v * v }

func (n *counter) flag() bool { return n.next()%2 == 1 }

func (n *counter) text() string { return "text " + strconv.FormatUint(n.next(), 10) }

func (n *counter) fill(b []byte) {
	v := n.next()
	for i := range b {
		b[i] = byte(v) + byte(i)
	}
}

func (n *counter) key() (k [32]byte) { n.fill(k[:]); return k }

func (n *counter) index() Index { v := uint32(n.next()); return Index{v % 3, v} }

// prefix makes a transaction; an imported one has no inputs and only its second output.
func (n *counter) prefix(coinbase, imported bool) (p tx.Transaction) {
	p.Version, p.UnlockTime = 2, n.number()
	if coinbase {
		p.Inputs = []tx.Input{{Coinbase: true, Height: n.number()}}
	} else {
		for range 2 {
			offsets := []uint64{n.number(), n.number(), n.number()}
			p.Inputs = append(p.Inputs, tx.Input{KeyOffsets: offsets, KeyImage: n.key()})
		}
	}
	for range 2 {
		p.Outputs = append(p.Outputs, tx.Output{Amount: n.number(), Key: n.key()})
	}
	for range 4 {
		p.Extra = append(p.Extra, byte(n.next()))
	}
	if imported {
		p.Version, p.Inputs = 1, nil
	}
	return p
}

func (n *counter) destinations() (list []Destination) {
	for range 2 {
		list = append(list, Destination{Original: n.text(), Amount: n.number(), Spend: n.key(), View: n.key(),
			IsSubaddress: n.flag(), IsIntegrated: n.flag()})
	}
	return list
}

func (n *counter) spent(s *Sent) {
	s.Account = uint32(n.next())
	s.Addresses = []uint32{uint32(n.next()), uint32(n.next())}
	for range 2 {
		s.Rings = append(s.Rings, Ring{KeyImage: n.key(), Offsets: []uint64{n.number(), n.number()}})
	}
}

func (n *counter) payment() Payment {
	return Payment{TxID: n.key(), Amount: n.number(), Amounts: []uint64{n.number(), n.number()}, Fee: n.number(),
		Height: n.number(), UnlockTime: n.number(), Timestamp: n.number(), Coinbase: n.flag(), Index: n.index()}
}

// release is a release with archives in testdata, and the versions of its classes.
// Source: wallet2.h, BOOST_CLASS_VERSION.
type release struct {
	name                                                             string
	wallet, transfer, payment, sent, confirmed, contact, destination uint64
}

var releases = []release{
	{"0.10.2", 16, 7, 1, 6, 3, 16, 0}, {"0.11.1.0", 18, 7, 1, 6, 4, 16, 0}, {"0.12.3.0", 24, 9, 3, 8, 6, 17, 1},
	{"0.13.0.4", 25, 9, 4, 8, 6, 17, 1}, {"0.14.1.2", 28, 12, 4, 8, 6, 17, 2}, {"0.16.0.3", 29, 12, 5, 8, 6, 18, 2},
}

// These methods drop the fields that archives of the release do not have.

func (r release) ofTransfer(t Transfer) Transfer {
	if r.transfer < 8 {
		t.Index = Index{}
	}
	if r.transfer < 9 {
		t.MultisigInfo, t.MultisigNonces, t.KeyImagePartial = nil, nil, false
	}
	if r.transfer < 10 {
		t.KeyImageRequested = false
	}
	if r.transfer < 11 {
		t.Uses = nil
	}
	if r.transfer < 12 {
		t.Frozen = false
	}
	return t
}

func (r release) ofPayment(p Payment) Payment {
	if r.payment < 2 {
		p.Index = Index{}
	}
	if r.payment < 3 {
		p.Fee = 0
	}
	if r.payment < 4 {
		p.Coinbase = false
	}
	if r.payment < 5 {
		p.Amounts = nil
	}
	return p
}

func (r release) ofSent(s Sent) Sent {
	if r.sent < 8 {
		s.Account, s.Addresses, s.Rings = 0, nil, nil
	}
	if r.confirmed < 4 {
		s.UnlockTime = 0
	}
	for i := range s.Destinations {
		if r.destination < 1 {
			s.Destinations[i].IsSubaddress = false
		}
		if r.destination < 2 {
			s.Destinations[i].Original, s.Destinations[i].IsIntegrated = "", false
		}
	}
	return s
}

// TestEverythingInAnArchive reads archives with all fields, written by Boost itself.
func TestEverythingInAnArchive(t *testing.T) {
	for _, r := range releases {
		t.Run(r.name, func(t *testing.T) { testArchive(t, r) })
	}
}

func testArchive(t *testing.T, r release) {
	c, err := parse(read(t, "boost-"+r.name+".archive"))
	require.NoError(t, err)
	require.True(t, c.Boost)
	require.Equal(t, r.wallet, c.Version)
	n := new(counter)
	chain := Chain{Offset: n.number(), Genesis: n.key(), Hashes: []xmr.Hash{n.key(), n.key(), n.key()}}
	if r.wallet < 19 {
		chain.Offset, chain.Genesis = 0, chain.Hashes[0]
	}
	require.Equal(t, chain, c.Chain)
	checkTransfers(t, r, c, n)
	require.Equal(t, []xmr.PublicKey{n.key(), n.key()}, []xmr.PublicKey{c.Spend, c.View})
	require.ElementsMatch(t, []ImageOf{{n.key(), n.number()}, {n.key(), n.number()}}, c.KeyImages)
	var pending, confirmed []Sent
	for i := range 2 {
		s := Sent{TxID: n.key()}
		p := n.prefix(false, false)
		s.Prefix = p.AppendPrefix(nil)
		s.AmountIn, s.AmountOut, s.Change = n.number(), n.number(), 1<<64-1
		if i == 0 {
			s.Change = n.number()
		}
		s.SentTime, s.Destinations, s.PaymentID = n.number(), n.destinations(), n.key()
		s.State, s.Timestamp = []State{StatePending, StateFailed}[i], n.number()
		n.spent(&s)
		pending = append(pending, r.ofSent(s))
	}
	require.ElementsMatch(t, pending, c.Pending)
	paymentOf := func() Payment { id := n.key(); p := n.payment(); p.PaymentID = id; return r.ofPayment(p) }
	require.ElementsMatch(t, []Payment{paymentOf(), paymentOf()}, c.Payments)
	txKeys := []TxKey{{TxID: n.key(), Key: n.key()}, {TxID: n.key(), Key: n.key()}}
	for range 2 {
		s := Sent{TxID: n.key(), AmountIn: n.number(), AmountOut: n.number(), Change: n.number(), Height: n.number()}
		s.Destinations, s.PaymentID, s.Timestamp, s.UnlockTime = n.destinations(), n.key(), n.number(), n.number()
		n.spent(&s)
		confirmed = append(confirmed, r.ofSent(s))
	}
	require.ElementsMatch(t, confirmed, c.Confirmed)
	require.ElementsMatch(t, []Note{{n.key(), n.text()}, {n.key(), n.text()}}, c.Notes)
	pool := []PoolPayment{{paymentOf(), n.flag()}, {paymentOf(), n.flag()}}
	for i := range pool {
		pool[i].DoubleSpendSeen = pool[i].DoubleSpendSeen && r.wallet >= 22
	}
	require.ElementsMatch(t, pool, c.Pool)
	require.ElementsMatch(t, []KeyOf{{n.key(), n.number()}, {n.key(), n.number()}}, c.OutputKeys)
	checkAddressBook(t, r, c, n)
	checkNewerFields(t, r, c, n, txKeys)
	require.EqualValues(t, 391, *n)
}

func checkTransfers(t *testing.T, r release, c *Cache, n *counter) {
	t.Helper()
	require.Len(t, c.Transfers, 3)
	for i, got := range c.Transfers {
		want := Transfer{Height: n.number()}
		p := n.prefix(i == 1, i == 2)
		want.Extra, want.TxID, want.OutputIndex = p.Extra, n.key(), uint64(min(i, 1))
		want.Key = p.Outputs[want.OutputIndex].Key
		if i < 2 {
			want.Prefix = p.AppendPrefix(nil)
		} else {
			// The empty output before the imported one has no amount and no key.
			text := "01" + hex.EncodeToString(appendVarint(p.UnlockTime)) + "00" + "02" + "00000000" +
				hex.EncodeToString(appendVarint(p.Outputs[1].Amount)) + "02" + p.Outputs[1].Key.String() + "04"
			var err error
			want.Prefix, err = hex.DecodeString(text)
			require.NoError(t, err)
			want.Prefix = append(want.Prefix, p.Extra...)
		}
		want.GlobalIndex, want.Spent, want.Frozen, want.SpentHeight = n.number(), n.flag(), n.flag(), n.number()
		want.KeyImage, want.Mask, want.Amount = n.key(), n.key(), n.number()
		want.RingCT, want.KeyImageKnown, want.KeyImageRequested = n.flag(), n.flag(), n.flag()
		want.PublicKey, want.Index, want.KeyImagePartial = n.number(), n.index(), n.flag()
		for range i {
			want.MultisigNonces = append(want.MultisigNonces, n.key())
		}
		for range i {
			info := MultisigInfo{Signer: n.key(), Nonces: [][2][32]byte{{n.key(), n.key()}, {n.key(), n.key()}}}
			info.PartialKeyImages = []xmr.KeyImage{n.key()}
			want.MultisigInfo = append(want.MultisigInfo, info)
		}
		for range i {
			want.Uses = append(want.Uses, Use{Height: n.number(), TxID: n.key()})
		}
		require.Equal(t, r.ofTransfer(want), got)
	}
}

func checkAddressBook(t *testing.T, r release, c *Cache, n *counter) {
	t.Helper()
	require.Len(t, c.AddressBook, 2)
	for i, got := range c.AddressBook {
		want := Contact{Spend: n.key(), View: n.key()}
		n.fill(want.PaymentID[:])
		if want.HasPaymentID = i == 0; !want.HasPaymentID {
			want.PaymentID = [8]byte{} // is not written
		}
		want.Description, want.IsSubaddress = n.text(), n.flag()
		want.IsSubaddress = want.IsSubaddress && r.contact >= 17
		require.Equal(t, want, got)
	}
}

// checkNewerFields checks the fields that archives have since some version, and txKeys with the additional keys.
func checkNewerFields(t *testing.T, r release, c *Cache, n *counter, txKeys []TxKey) {
	t.Helper()
	since := func(version uint64, want, got any) {
		t.Helper()
		if r.wallet >= version {
			require.ElementsMatch(t, want, got)
		} else {
			require.Empty(t, got)
		}
	}
	for _, got := range c.ScannedPool {
		since(18, []xmr.Hash{n.key(), n.key()}, got)
	}
	*n += 4 + 5 + 6 // addresses
	since(20, []Watched{{0, 4}, {1, 5}, {2, 6}}, c.Table)
	since(20, [][]string{{n.text(), n.text()}, nil, {n.text()}}, c.Labels)
	for range 2 {
		k := TxKey{TxID: n.key(), Additional: [][32]byte{n.key(), n.key()}}
		if r.wallet >= 20 {
			txKeys = append(txKeys, k)
		}
	}
	require.ElementsMatch(t, txKeys, c.TxKeys)
	since(21, []Attribute{{n.text(), n.text()}, {n.text(), n.text()}}, c.Attributes)
	since(23, []Tag{{n.text(), n.text()}, {n.text(), n.text()}}, c.Tags)
	since(23, []string{n.text(), "", n.text()}, c.AccountTags)
	require.Equal(t, r.wallet >= 24, c.RingsSaved)
	once := func(version, want, got uint64) {
		t.Helper()
		if r.wallet < version {
			want = 0
		}
		require.Equal(t, want, got)
	}
	once(25, n.number(), c.LastBlockReward)
	since(26, []DeviceData{{n.key(), []byte(n.text())}, {n.key(), []byte(n.text())}}, c.DeviceData)
	once(27, n.number(), c.DeviceSynced)
	since(28, []ColdImage{{n.key(), n.key()}, {n.key(), n.key()}}, c.ColdKeyImages)
	secret := n.key()
	if r.wallet < 29 {
		secret = [32]byte{}
	}
	require.Equal(t, secret, c.RPCClientSecret)
}
