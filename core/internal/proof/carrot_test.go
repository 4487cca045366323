//go:build !nocarrot

package proof

import (
	"bytes"
	"crypto/rand"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"glim/core/address"
	"glim/core/carrot"
	"glim/core/crypto/edwards"
	"glim/core/fcmptx"
	"glim/core/keys"
	"glim/core/tx"
	"glim/core/xmr"
)

// next is a transaction of the next hard fork with its secret keys.
type next struct {
	id  xmr.Hash
	tx  *tx.Transaction
	key TxKey
}

// pay returns a transaction by person 1, with change.
func pay(t testing.TB, payments ...carrot.Payment) next {
	t.Helper()
	sender, err := carrot.NewLegacyView(carrot.Default, person(t, 1))
	require.NoError(t, err)
	image := xmr.KeyImage(edwards.Base().Encode())
	change := carrot.SelfSend{Spend: person(t, 1).SpendPublic, Amount: 77, Type: carrot.ChangeEnote}
	if len(payments) > 1 {
		change.Ephemeral, err = carrot.RandomEphemeral(rand.Reader)
		require.NoError(t, err)
	}
	for i := range payments {
		payments[i].Anchor, err = carrot.RandomAnchor(rand.Reader)
		require.NoError(t, err)
	}
	outputs, pid, err := carrot.Default.NewOutputs(payments, []carrot.SelfSend{change}, sender, image, [8]byte{9})
	require.NoError(t, err)
	enotes := make([]carrot.Enote, len(outputs))
	for i := range outputs {
		enotes[i] = outputs[i].Enote
	}
	n := next{tx: fcmptx.New(enotes, []xmr.KeyImage{image}, 5, pid).ForWallet()}
	_, err = rand.Read(n.id[:])
	require.NoError(t, err)
	if len(payments) == 1 {
		n.key.Main = payments[0].EphemeralSecret(image)
		return n
	}
	n.key.Additional = make([]keys.Secret, len(outputs))
	for i := range payments {
		made, _, err := carrot.Default.NewOutput(&payments[i], image)
		require.NoError(t, err)
		for o := range outputs {
			if outputs[o].Key == made.Key {
				n.key.Additional[o] = payments[i].EphemeralSecret(image)
			}
		}
	}
	return n
}

// reward returns a coinbase that pays k.
func reward(t testing.TB, k *keys.Keys) next {
	t.Helper()
	anchor, err := carrot.RandomAnchor(rand.Reader)
	require.NoError(t, err)
	e, err := carrot.Default.NewCoinbaseEnote(
		&carrot.Payment{To: addressOf(k, keys.Index{}), Amount: 600, Anchor: anchor}, 70)
	require.NoError(t, err)
	made, err := fcmptx.NewCoinbase([]carrot.CoinbaseEnote{*e}, 70, nil)
	require.NoError(t, err)
	id, err := made.Hash()
	require.NoError(t, err)
	return next{id: id, tx: made}
}

// carrotPerson returns keys of Carrot.
func carrotPerson(t testing.TB) *keys.Keys {
	a, err := carrot.NewMasterAccount(carrot.Default, keys.Secret{5})
	require.NoError(t, err)
	k, err := a.Keys()
	require.NoError(t, err)
	return k
}

var subaddress = keys.Index{Major: 1, Minor: 2}

// recipient is an address with its owner.
type recipient struct {
	keys *keys.Keys
	at   keys.Index
	to   address.Address
}

// recipients are addresses of all kinds, of wallets with today's keys and with Carrot's.
func recipients(t testing.TB) map[string]recipient {
	out := map[string]recipient{}
	for name, k := range map[string]*keys.Keys{"today": person(t, 2), "carrot": carrotPerson(t)} {
		for kind, i := range map[string]keys.Index{"standard": {}, "subaddress": subaddress, "integrated": {}} {
			a := addressOf(k, i)
			if kind == "integrated" {
				a.Kind, a.PaymentID = address.Integrated, [8]byte{1, 2}
			}
			out[name+" "+kind] = recipient{k, i, a}
		}
	}
	return out
}

// TestCarrotPayments: sender and recipient prove a payment to each kind of address, and whatever a proof binds cannot
// be changed.
func TestCarrotPayments(t *testing.T) {
	stranger := addressOf(person(t, 3), keys.Index{})
	for name, r := range recipients(t) {
		n := pay(t, carrot.Payment{To: r.to, Amount: 1234})
		got, err := ReceivedByKey(n.tx, n.key, r.to)
		require.NoError(t, err, name)
		require.Equal(t, uint64(1234), got, name)
		for _, a := range []address.Address{stranger, addressOf(person(t, 1), keys.Index{})} {
			got, err = ReceivedByKey(n.tx, n.key, a)
			require.NoError(t, err)
			require.Zero(t, got)
			_, err = ProveSent(rand.Reader, n.id, n.tx, n.key, a, "")
			require.ErrorIs(t, err, ErrNothing)
		}
		_, err = ProveReceived(rand.Reader, n.id, n.tx, person(t, 3), r.at, "")
		require.ErrorIs(t, err, ErrNothing)
		sent, err := ProveSent(rand.Reader, n.id, n.tx, n.key, r.to, "m")
		require.NoError(t, err, name)
		received, err := ProveReceived(rand.Reader, n.id, n.tx, r.keys, r.at, "m")
		require.NoError(t, err, name)
		for _, text := range []string{sent, received} {
			p, err := CheckPayment(n.id, n.tx, r.to, "m", text)
			require.NoError(t, err, name)
			require.Equal(t, Payment{Amount: 1234, Sent: text == sent, Version: 2}, p)
			n.requireBound(t, r.to, text)
		}
	}
}

// requireBound changes everything that a proof with the message "m" binds, one at a time.
func (n next) requireBound(t *testing.T, a address.Address, text string) {
	t.Helper()
	check := func(id xmr.Hash, a address.Address, message, text string) error {
		p, err := CheckPayment(id, n.tx, a, message, text)
		if err == nil && p.Amount == 0 {
			return ErrNothing
		}
		return err
	}
	name := strings.Index(text, "V2") + 2
	for i := name; i < len(text); i++ {
		require.Error(t, check(n.id, a, "m", letter(text, i)), i)
	}
	other := "InProofV2"
	if strings.HasPrefix(text, other) {
		other = "OutProofV2"
	}
	require.ErrorIs(t, check(n.id, a, "m", other+text[name:]), ErrInvalid)
	require.ErrorIs(t, check(n.id, a, "m", strings.Replace(text, "V2", "V1", 1)), ErrInvalid)
	require.ErrorIs(t, check(n.id, a, "m ", text), ErrInvalid)
	require.ErrorIs(t, check(xmr.Hash{1}, a, "m", text), ErrInvalid)
	for _, malformed := range []string{"", text[:name], text + "1", text[:len(text)-1], text + text[name:]} {
		require.ErrorIs(t, check(n.id, a, "m", malformed), ErrMalformed)
	}
	wrong := a
	wrong.Spend = person(t, 3).SpendPublic
	require.Error(t, check(n.id, wrong, "m", text))
	wrong = a
	wrong.View = person(t, 3).ViewPublic
	require.ErrorIs(t, check(n.id, wrong, "m", text), ErrInvalid)
	wrong = a
	wrong.Kind = address.Subaddress - a.Standard().Kind
	require.ErrorIs(t, check(n.id, wrong, "m", text), ErrInvalid)
}

// TestCarrotPaymentsOfMany: a transaction with several payments has a link and a secret key for each output; the proof
// counts those that the address received.
func TestCarrotPaymentsOfMany(t *testing.T) {
	var payments []carrot.Payment
	all := recipients(t)
	for _, name := range []string{"today standard", "today subaddress", "carrot subaddress", "carrot standard"} {
		payments = append(payments, carrot.Payment{To: all[name].to, Amount: 100})
	}
	payments = append(payments, carrot.Payment{To: payments[0].To, Amount: 23})
	n := pay(t, payments...)
	parsed, err := ParseTxKey(n.key.Text())
	require.NoError(t, err)
	require.Equal(t, n.key, parsed)
	for i, r := range []string{"today standard", "today subaddress", "carrot subaddress", "carrot standard"} {
		want := uint64(100)
		if i == 0 {
			want = 123
		}
		got, err := ReceivedByKey(n.tx, n.key, all[r].to)
		require.NoError(t, err)
		require.Equal(t, want, got, r)
		sent, err := ProveSent(rand.Reader, n.id, n.tx, n.key, all[r].to, "m")
		require.NoError(t, err)
		require.Len(t, sent, len(sentV2)+6*(keyLetters+signatureLetters))
		received, err := ProveReceived(rand.Reader, n.id, n.tx, all[r].keys, all[r].at, "m")
		require.NoError(t, err)
		for _, text := range []string{sent, received} {
			p, err := CheckPayment(n.id, n.tx, all[r].to, "m", text)
			require.NoError(t, err)
			require.Equal(t, want, p.Amount)
			_, err = CheckPayment(n.id, n.tx, all[r].to, "", text)
			require.ErrorIs(t, err, ErrInvalid)
		}
	}
	short := n.key
	short.Additional = short.Additional[1:]
	_, err = ReceivedByKey(n.tx, short, payments[0].To)
	require.ErrorIs(t, err, ErrTxKey)
	got, err := ReceivedByKey(n.tx, TxKey{}, payments[0].To)
	require.NoError(t, err)
	require.Zero(t, got)
	// The order of the keys does not matter to the sender's proof.
	turned := n.key
	turned.Additional = append(turned.Additional[1:len(turned.Additional):len(turned.Additional)], n.key.Additional[0])
	_, err = ProveSent(rand.Reader, n.id, n.tx, turned, payments[0].To, "")
	require.NoError(t, err)
}

// TestCarrotRewards: a miner proves a reward.
func TestCarrotRewards(t *testing.T) {
	for _, k := range []*keys.Keys{person(t, 2), carrotPerson(t)} {
		n := reward(t, k)
		a := addressOf(k, keys.Index{})
		text, err := ProveReceived(rand.Reader, n.id, n.tx, k, keys.Index{}, "m")
		require.NoError(t, err)
		p, err := CheckPayment(n.id, n.tx, a, "m", text)
		require.NoError(t, err)
		require.Equal(t, uint64(600), p.Amount)
		for i := len(receivedV2); i < len(text); i++ {
			_, err := CheckPayment(n.id, n.tx, a, "m", letter(text, i))
			require.Error(t, err, i)
		}
		_, err = ProveReceived(rand.Reader, n.id, n.tx, k, subaddress, "m")
		require.ErrorIs(t, err, ErrNothing)
		_, err = CheckPayment(xmr.Hash{}, n.tx, a, "m", text)
		require.ErrorIs(t, err, ErrTransaction)
	}
}

// TestCarrotChange: nobody can check the anchor of change but the wallet itself, so it is not proven.
func TestCarrotChange(t *testing.T) {
	n := pay(t, carrot.Payment{To: addressOf(person(t, 2), keys.Index{}), Amount: 5})
	_, err := ProveReceived(rand.Reader, n.id, n.tx, person(t, 1), keys.Index{}, "")
	require.ErrorIs(t, err, ErrNothing)
}

// TestCarrotFlaws: ephemeral keys that are not points, missing ones, and wrong shared secrets prove nothing.
func TestCarrotFlaws(t *testing.T) {
	a := addressOf(person(t, 2), keys.Index{})
	n := pay(t, carrot.Payment{To: a, Amount: 5})
	text, err := ProveReceived(rand.Reader, n.id, n.tx, person(t, 2), keys.Index{}, "m")
	require.NoError(t, err)
	ephemeral := fcmptx.AppendEphemeral(nil, n.tx)[0]
	flawed := *n.tx
	for _, key := range [][32]byte{{}, {1}, {2}, {3}, [32]byte(bytes.Repeat([]byte{255}, 32)), {31: 128}} {
		flawed.Extra = bytes.Replace(n.tx.Extra, ephemeral[:], key[:], 1)
		_, err := CheckPayment(n.id, &flawed, a, "m", text)
		require.ErrorIs(t, err, ErrInvalid)
		_, err = ProveReceived(rand.Reader, n.id, &flawed, person(t, 2), keys.Index{}, "m")
		require.ErrorIs(t, err, ErrNothing)
		_, err = ProveSent(rand.Reader, n.id, &flawed, n.key, a, "m")
		require.ErrorIs(t, err, ErrNothing)
	}
	flawed.Extra = nil
	_, err = CheckPayment(n.id, &flawed, a, "m", text)
	require.ErrorIs(t, err, ErrTransaction)
	_, err = ProveReceived(rand.Reader, n.id, &flawed, person(t, 2), keys.Index{}, "m")
	require.ErrorIs(t, err, ErrTransaction)
	_, err = ProveSent(rand.Reader, n.id, &flawed, n.key, a, "m")
	require.ErrorIs(t, err, ErrTransaction)
	_, err = ReceivedByKey(&flawed, n.key, a)
	require.ErrorIs(t, err, ErrTransaction)
	a.View = xmr.PublicKey{2}
	_, err = ReceivedByKey(n.tx, n.key, a)
	require.ErrorIs(t, err, edwards.ErrPoint)
}

// FuzzCarrotPayment: no text is accepted as the proof of a payment that its maker could not prove.
func FuzzCarrotPayment(f *testing.F) {
	a := addressOf(person(f, 2), keys.Index{})
	n := pay(f, carrot.Payment{To: a, Amount: 5})
	for _, name := range []string{sentV1, sentV2, receivedV1, receivedV2} {
		f.Add(name + strings.Repeat("1", keyLetters+signatureLetters))
		f.Add(name)
	}
	f.Fuzz(func(t *testing.T, text string) {
		_, err := CheckPayment(n.id, n.tx, a, "m", text)
		require.Error(t, err)
	})
}
