package carrot

import (
	"encoding/binary"
	"encoding/hex"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"glim/core/crypto/edwards"
	"glim/core/crypto/keccak"
	"glim/core/keys"
	"glim/core/xmr"
)

// versions are the published rules, with the file of their values.
var versions = []struct {
	rules *Rules
	file  string
}{
	{Plain, "testdata/convergence-plain.txt"},
	{Personalised, "testdata/convergence-personalised.txt"},
}

// values are the lines of a file of published values, by name. A test takes them one by one.
type values struct {
	t    *testing.T
	left map[string]string
	used map[string]bool
}

func readValues(t *testing.T, file string) *values {
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	v := &values{t: t, left: map[string]string{}, used: map[string]bool{}}
	for line := range strings.Lines(string(text)) {
		if f := strings.Fields(line); f[0] != "#" {
			require.Len(t, f, 2)
			v.left[f[0]] = f[1]
		}
	}
	require.Len(t, v.left, 36)
	return v
}

func (v *values) text(name string) string {
	v.t.Helper()
	require.Contains(v.t, v.left, name)
	v.used[name] = true
	return v.left[name]
}

func (v *values) bytes(name string) []byte {
	v.t.Helper()
	b, err := hex.DecodeString(v.text(name))
	require.NoError(v.t, err)
	return b
}

func (v *values) key(name string) (out [32]byte) {
	v.t.Helper()
	return [32]byte(v.bytes(name))
}

func (v *values) number(name string) uint64 {
	v.t.Helper()
	n, err := strconv.ParseUint(v.text(name), 10, 64)
	require.NoError(v.t, err)
	return n
}

// equal requires that got is the published value.
func (v *values) equal(name string, got []byte) {
	v.t.Helper()
	require.Equal(v.t, v.text(name), hex.EncodeToString(got), name)
}

func (v *values) equalScalar(name string, got *edwards.Scalar) {
	v.t.Helper()
	v.equal(name, got.Bytes())
}

// TestConvergence computes every published value from the other ones.
func TestConvergence(t *testing.T) {
	for _, version := range versions {
		t.Run(version.rules.String(), func(t *testing.T) {
			v := readValues(t, version.file)
			v.accounts(version.rules)
			v.enotes(version.rules)
			for name := range v.left {
				require.True(t, v.used[name], "%s is not compared", name)
			}
		})
	}
}

// accounts compares the values of keys and addresses.
func (v *values) accounts(r *Rules) {
	m, err := NewMaster(r, v.key("s_master"))
	require.NoError(v.t, err)
	v.equalScalar("k_prove_spend", m.prove)
	partial := m.PartialSpendKey()
	v.equal("partial_spend_pubkey", partial[:])
	balance := [32]byte(m.BalanceSecret())
	v.equal("s_view_balance", balance[:])
	preimage := deriveSecret(&balance, "Carrot generate-image preimage secret")
	v.equal("s_generate_image_preimage", preimage[:])
	v.equalScalar("k_generate_image", m.image)
	view, address := m.ViewSecret(), m.AddressSecret()
	v.equal("k_view_incoming", view[:])
	v.equal("s_generate_address", address[:])
	spend, account, _ := m.AccountKeys()
	v.equal("account_spend_pubkey", spend[:])
	v.equal("account_view_pubkey", account[:])

	i := keys.Index{Major: uint32(v.number("address_index_major")), Minor: uint32(v.number("address_index_minor"))}
	var index [8]byte
	binary.LittleEndian.PutUint32(index[:4], i.Major)
	binary.LittleEndian.PutUint32(index[4:], i.Minor)
	first := addressPreimage1((*[32]byte)(&address), &index)
	v.equal("address_index_preimage_1", first[:])
	second := addressPreimage2(&first, &index, spend, account)
	v.equal("address_index_preimage_2", second[:])
	v.equalScalar("subaddress_scalar", subaddressScalar(&second, spend))
	v.equalScalar("subaddress_scalar", m.addressScalar(i))
	a := m.Address(xmr.Mainnet, i)
	v.equal("subaddress_spend_pubkey", a.Spend[:])
	v.equal("subaddress_view_pubkey", a.View[:])
	require.Equal(v.t, a.Spend, m.SpendKey(i))
}

// enotes compares the values of enotes. They belong to a subaddress, but some are for one key and some for another.
func (v *values) enotes(r *Rules) {
	context := inputContext(v.bytes("input_context"))
	spend := xmr.PublicKey(v.key("subaddress_spend_pubkey"))
	spendPoint, err := edwards.DecodePoint(spend)
	require.NoError(v.t, err)
	viewPoint, err := edwards.DecodePoint(v.key("subaddress_view_pubkey"))
	require.NoError(v.t, err)

	anchor, id := [16]byte(v.bytes("anchor_norm")), [8]byte(v.bytes("payment_id"))
	e := ephemeralSecret(&anchor, &context, &spend, &id)
	v.equalScalar("enote_ephemeral_privkey", e)
	ofMain, ofSubaddress := ephemeralKey(e, nil), ephemeralKey(e, spendPoint)
	v.equal("enote_ephemeral_pubkey_cryptonote", ofMain[:])
	v.equal("enote_ephemeral_pubkey_subaddress", ofSubaddress[:])
	shared := senderShared(e, viewPoint)
	v.equal("s_sender_receiver", shared[:])
	incoming, err := NewIncoming(r, v.key("k_view_incoming"), v.key("account_spend_pubkey"))
	require.NoError(v.t, err)
	received := incoming.Shared(ofSubaddress)
	v.equal("s_sender_receiver", received[:])
	secret := contextualSecret(&shared, &ofSubaddress, &context)
	v.equal("s_sender_receiver_ctx", secret[:])

	amount := v.number("amount")
	mask := commitmentMask(&secret, amount, &spend, PaymentEnote)
	v.equalScalar("amount_blinding_factor_payment", mask)
	v.equalScalar("amount_blinding_factor_change", commitmentMask(&secret, amount, &spend, ChangeEnote))
	commitment := edwards.Commit(mask, amount).Encode()
	v.equal("amount_commitment", commitment[:])

	ofCoinbase := r.outputKey(coinbaseExtensions(&secret, amount, &spend))
	coinbase := ofCoinbase.Add(ofCoinbase, spendPoint).Encode()
	v.equal("onetime_address_coinbase", coinbase[:])
	output := r.seal(&secret, spend, spendPoint, amount, PaymentEnote)
	v.equal("onetime_address", output.Key[:])
	require.Equal(v.t, commitment, output.Commitment)

	tag := viewTag(&shared, &context, &output.Key)
	v.equal("view_tag", tag[:])
	ofAnchor, ofAmount, ofID := anchorMask(&secret, &output.Key), amountMask(&secret, &output.Key),
		paymentIDMask(&secret, &output.Key)
	v.equal("anchor_encryption_mask", ofAnchor[:])
	v.equal("amount_encryption_mask", ofAmount[:])
	v.equal("payment_id_encryption_mask", ofID[:])
	require.Equal(v.t, xor8(amountBytes(amount), ofAmount), output.Amount)
	view := v.key("k_view_incoming")
	special := specialAnchor(&view, &ofMain, &context, &output.Key)
	v.equal("anchor_special", special[:])
}

// TestGenerators derives the generators from their names. Source: src/crypto/generators.cpp, reproduce_generator_T and
// the functions after it.
func TestGenerators(t *testing.T) {
	for _, version := range versions {
		r := version.rules
		for name, want := range map[string]xmr.PublicKey{
			"Monero Generator T": r.T, "Monero FCMP++ Generator U": r.U, "Monero FCMP++ Generator V": r.V,
		} {
			seed := keccak.Sum256([]byte(name))
			require.Equal(t, want, xmr.PublicKey(r.HashToPoint(seed[:]).Encode()), "%s of %s", name, r)
		}
	}
	require.Same(t, Plain, Default)
	require.Equal(t, byte(0x61), Default.T[0])
}
