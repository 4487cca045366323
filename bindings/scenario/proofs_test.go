package scenario

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"glim/bindings/peers"
)

// payment is a payment that a test proves.
type payment struct {
	from, to     caller // the sender's program and the recipient's
	id           string
	destinations []destination
}

// signature returns the proof that an operation makes.
func signature(t *testing.T, c caller, method string, params object) string {
	t.Helper()
	s := call[struct{ Signature string }](t, c, method, params).Signature
	require.NotEmpty(t, s)
	return s
}

type judged struct {
	Good     bool   `json:"good"`
	Received uint64 `json:"received"`
	InPool   bool   `json:"in_pool"`
	Total    uint64 `json:"total"`
	Spent    uint64 `json:"spent"`
}

// judge has both programs check a proof, requires the same verdict, and returns it.
func judge(t *testing.T, reference, ours caller, method string, params object) judged {
	t.Helper()
	compare(t, reference, ours, method, params)
	return call[judged](t, ours, method, params)
}

// with returns a copy of params with additional members, given as names and values.
func with(params object, more ...any) object {
	out := object{}
	for k, v := range params {
		out[k] = v
	}
	for i := 0; i < len(more); i += 2 {
		out[more[i].(string)] = more[i+1]
	}
	return out
}

// checkPayment makes proofs of p as its sender and as its recipient, and checks each with both programs.
func checkPayment(t *testing.T, reference, ours caller, p payment, inPool bool) {
	t.Helper()
	key := call[struct {
		Key string `json:"tx_key"`
	}](t, p.from, "get_tx_key", object{"txid": p.id}).Key
	for _, to := range p.destinations {
		base := object{"txid": p.id, "address": to.Address}
		v := judge(t, reference, ours, "check_tx_key", with(base, "tx_key", key))
		require.Equal(t, judged{Received: to.Amount, InPool: inPool}, v)
		for _, prover := range []caller{p.from, p.to} {
			base["message"] = "for the " + to.Address[:6]
			good := with(base, "signature", signature(t, prover, "get_tx_proof", base))
			v := judge(t, reference, ours, "check_tx_proof", good)
			require.Equal(t, judged{Good: true, Received: to.Amount, InPool: inPool}, v)
			for _, bad := range []object{
				with(good, "message", "for another"),
				with(good, "address", at(t, carol, 0, 0)),
				with(good, "address", at(t, carol, 1, 2)),
			} {
				require.Zero(t, judge(t, reference, ours, "check_tx_proof", bad).Received)
			}
		}
	}
	for _, message := range []string{"", "mine, said ü"} {
		base := object{"txid": p.id, "message": message}
		good := with(base, "signature", signature(t, p.from, "get_spend_proof", base))
		require.True(t, judge(t, reference, ours, "check_spend_proof", good).Good)
		require.False(t, judge(t, reference, ours, "check_spend_proof", with(good, "message", "another")).Good)
	}
}

// TestProofs: each program accepts the proofs of the other and refuses altered ones.
func TestProofs(t *testing.T) {
	t.Parallel()
	d := newMined(t)
	reference := newReference(t, d)
	ours := newGlim(t, d.URL, options{})
	restore(t, reference, "bob", bob)
	restore(t, ours, "alice", alice)
	refresh(t, reference, ours)

	b := func(major, minor uint32, n uint64) destination {
		return destination{at(t, bob, major, minor), n * coin}
	}
	a := func(major, minor uint32, n uint64) destination {
		return destination{at(t, alice, major, minor), n * coin}
	}
	var all []payment
	for _, ds := range [][]destination{
		{b(0, 0, 1)},
		{b(0, 3, 2)},
		{b(0, 0, 3), b(1, 1, 4), {at(t, carol, 0, 1), coin}},
	} {
		all = append(all, payment{ours, reference, pay(t, ours, ds, nil).TxHash, ds[:min(2, len(ds))]})
	}
	for _, ds := range [][]destination{
		{a(0, 0, 1)},
		{a(0, 3, 2)},
		{a(0, 0, 3), a(1, 1, 4), {at(t, carol, 0, 1), coin}},
	} {
		all = append(all, payment{reference, ours, pay(t, reference, ds, nil).TxHash, ds[:min(2, len(ds))]})
	}
	for _, p := range all {
		checkPayment(t, reference, ours, p, true)
	}
	mine(t, d, 3, at(t, nobody, 0, 0))
	refresh(t, reference, ours)
	for _, p := range all {
		checkPayment(t, reference, ours, p, false)
	}
	checkReserves(t, d, reference, ours)
}

func checkReserves(t *testing.T, d *peers.Daemon, reference, ours caller) {
	t.Helper()
	type proven struct {
		owner  byte
		params object
		total  uint64
	}
	var all []proven
	for owner, c := range map[byte]caller{alice: ours, bob: reference} {
		for _, ask := range []object{
			{"all": true}, {"all": true, "message": "mine"},
			{"account_index": 0, "amount": 1}, {"account_index": 0, "amount": 40 * coin, "message": "x"},
			{"account_index": 1, "amount": 4 * coin},
		} {
			p := object{"address": at(t, owner, 0, 0), "signature": signature(t, c, "get_reserve_proof", ask)}
			if m, ok := ask["message"]; ok {
				p["message"] = m
			}
			v := judge(t, reference, ours, "check_reserve_proof", p)
			require.True(t, v.Good)
			require.Zero(t, v.Spent)
			if amount, ok := ask["amount"].(int); ok {
				require.GreaterOrEqual(t, v.Total, uint64(amount))
			} else if ask["all"] == true {
				require.Equal(t, ledger(t, c).Balance, v.Total)
			}
			all = append(all, proven{owner, p, v.Total})
			require.False(t, judge(t, reference, ours, "check_reserve_proof", with(p, "message", "another")).Good)
			compare(t, reference, ours, "check_reserve_proof", with(p, "address", at(t, carol, 0, 0)))
			compare(t, reference, ours, "check_reserve_proof", with(p, "address", at(t, owner, 0, 1)))
		}
	}
	for _, c := range []caller{reference, ours} {
		do(t, c, "sweep_all", object{"address": at(t, carol, 0, 0), "account_index": 0})
	}
	mine(t, d, 1, at(t, nobody, 0, 0))
	for _, p := range all {
		v := judge(t, reference, ours, "check_reserve_proof", p.params)
		require.True(t, v.Good)
		require.Equal(t, p.total, v.Total)
		require.LessOrEqual(t, v.Spent, v.Total)
	}
	require.NotZero(t, judge(t, reference, ours, "check_reserve_proof", all[0].params).Spent)
}

// TestSignaturesAndLinks: both programs verify signatures of texts and parse URIs alike, whichever of them made them.
func TestSignaturesAndLinks(t *testing.T) {
	t.Parallel()
	d := newDaemon(t)
	reference := newReference(t, d)
	ours := newGlim(t, d.URL, options{})
	both := []caller{reference, ours}
	for _, c := range both {
		restore(t, c, "alice", alice)
	}
	for _, signer := range both {
		for _, kind := range []string{"", "spend", "view"} {
			for _, i := range [][2]uint32{{0, 0}, {0, 5}, {3, 1}} {
				ask := object{
					"data": "what ü say", "account_index": i[0], "address_index": i[1], "signature_type": kind,
				}
				v := object{
					"data": "what ü say", "address": at(t, alice, i[0], i[1]),
					"signature": signature(t, signer, "sign", ask),
				}
				require.True(t, judge(t, reference, ours, "verify", v).Good)
				require.False(t, judge(t, reference, ours, "verify", with(v, "data", "what you say")).Good)
				require.False(t, judge(t, reference, ours, "verify", with(v, "address", at(t, bob, i[0], i[1]))).Good)
			}
		}
	}
	for _, text := range []string{
		"", "SigV1", "SigV2", "SigV2111", "garbage", "SigV2" + strings.Repeat("1", 88),
		"SigV1" + strings.Repeat("0", 88),
	} {
		require.False(t,
			judge(t, reference, ours, "verify", object{
				"data": "x", "address": at(t, alice, 0, 0), "signature": text,
			}).Good)
	}
	compare(t, reference, ours, "sign", object{"data": "x", "signature_type": "other"})
	nowhereAddress := object{"data": "x", "address": "nowhere", "signature": ""}
	require.Equal(t, peers.Error{Code: -2}, refusal(t, reference, "verify", nowhereAddress))
	require.Equal(t, peers.Error{Code: -2, Message: "WALLET_RPC_ERROR_CODE_WRONG_ADDRESS: nowhere"},
		refusal(t, ours, "verify", nowhereAddress))

	address := at(t, alice, 0, 0)
	for _, c := range []object{
		{"address": address},
		{"address": address, "amount": 1},
		{
			"address": at(t, alice, 2, 2), "amount": 12*coin + 345, "tx_description": "two  words & more",
			"recipient_name": "ü/?",
		},
		{"address": ""},
		{"address": "nowhere"},
		{"address": address, "payment_id": "0123456789abcdef"},
		{"address": address, "payment_id": "x"},
	} {
		compare(t, reference, ours, "make_uri", c)
	}
	// The reference does not escape the equals sign, which it then reads as the end of a name.
	type link struct {
		URI string `json:"uri"`
	}
	equation := object{"address": address, "tx_description": "a=b"}
	theirs, our := call[link](t, reference, "make_uri", equation).URI, call[link](t, ours, "make_uri", equation).URI
	require.Equal(t, theirs, strings.Replace(our, "%3D", "=", 1))
	require.Equal(t, -11, refusal(t, reference, "parse_uri", object{"uri": theirs}).Code)
	compare(t, reference, ours, "parse_uri", object{"uri": our})
	for _, text := range []string{
		"", "monero:", "bitcoin:" + address, "monero:" + address, "monero:" + address + "?",
		"monero:" + address + "?tx_amount=1.5&tx_amount=2",
		"monero:" + address + "?tx_amount=0.000000000001&recipient_name=el%20ni%C3%B1o&tx_description=a%26b" +
			"&other=1&more=2",

		"monero:" + address + "?tx_amount=x", "monero:" + address + "?tx_amount",
		"monero:" + address + "?tx_payment_id=12", "monero:nowhere?tx_amount=1",
		"monero:" + address + "?tx_payment_id=" + strings.Repeat("ab", 32),
	} {
		compare(t, reference, ours, "parse_uri", object{"uri": text})
	}
}

// refusedProofs is a payment with valid proofs, which the steps of TestProofRefusals alter.
type refusedProofs struct {
	*testing.T
	reference, ours          caller
	id, unknown, key         string // of the payment; of no transaction; a wrong transaction key
	address, foreign         string // the sender's and the recipient's
	coinbase                 string // the ID of a reward
	spend, payProof, reserve string // valid proofs
}

func (p *refusedProofs) both() []caller { return []caller{p.reference, p.ours} }

// TestProofRefusals: both refuse what cannot be proven or read with the same codes, and with the same messages where
// only one thing is wrong.
func TestProofRefusals(t *testing.T) {
	t.Parallel()
	d := newMined(t)
	reference := newReference(t, d)
	ours := newGlim(t, d.URL, options{})
	both := []caller{reference, ours}
	operations := []string{"check_tx_key", "get_tx_proof", "check_tx_proof", "get_spend_proof", "check_spend_proof",
		"get_reserve_proof", "check_reserve_proof", "sign", "verify", "make_uri", "parse_uri", "scan_tx"}
	for _, m := range operations {
		compare(t, reference, ours, m, object{})
		require.Equal(t, -13, refusal(t, ours, m, object{}).Code, m)
	}
	for _, c := range both {
		restore(t, c, "dave", dave)
		refresh(t, c)
	}
	compare(t, reference, ours, "get_reserve_proof", object{"all": true}) // of nothing
	for _, c := range both {
		restore(t, c, "alice", alice)
		refresh(t, c)
	}
	p := &refusedProofs{
		T: t, reference: reference, ours: ours, unknown: unknownHash, key: strings.Repeat("01", 31) + "00",
		address: at(t, alice, 0, 0), foreign: at(t, bob, 0, 0),
	}
	p.id = pay(t, ours, []destination{{p.foreign, coin}}, nil).TxHash
	mine(t, d, 1, at(t, nobody, 0, 0))
	refresh(t, both...)
	top, _ := chainTop(t, d)
	p.coinbase = call[struct {
		Header struct {
			Miner string `json:"miner_tx_hash"`
		} `json:"block_header"`
	}](t, d, "get_block_header_by_height", object{"height": top - 1}).Header.Miner
	p.spend = signature(t, ours, "get_spend_proof", object{"txid": p.id})
	p.payProof = signature(t, ours, "get_tx_proof", object{"txid": p.id, "address": p.foreign})
	p.reserve = signature(t, ours, "get_reserve_proof", object{"all": true})

	p.invalid()
	p.malformed()
	p.viewOnly()

	require.NoError(t, d.Kill())
	p.withoutDaemon()
}

// invalid sends wrong and missing values, one in each request.
func (p *refusedProofs) invalid() {
	t := p.T
	t.Helper()
	id, unknown, key, address, foreign := p.id, p.unknown, p.key, p.address, p.foreign
	spend, payProof, reserve := p.spend, p.payProof, p.reserve
	for _, c := range []struct {
		method string
		params object
	}{
		{"check_tx_key", object{"txid": "x", "tx_key": key, "address": address}},
		{"check_tx_key", object{"txid": id, "tx_key": "", "address": address}},
		{"check_tx_key", object{"txid": id, "tx_key": key[1:], "address": address}},
		{"check_tx_key", object{"txid": id, "tx_key": strings.Repeat("x", 64), "address": address}},
		{"check_tx_key", object{"txid": id, "tx_key": key, "address": "x"}},
		{"check_tx_key", object{"txid": unknown, "tx_key": key, "address": address}},
		{"check_tx_key", object{"txid": id, "tx_key": key + key, "address": address}},
		{"get_tx_proof", object{"txid": id[1:], "address": address}},
		{"get_tx_proof", object{"txid": id, "address": ""}},
		{"get_tx_proof", object{"txid": unknown, "address": address}},
		{"get_tx_proof", object{"txid": p.coinbase, "address": foreign}},
		{"get_tx_proof", object{"txid": p.coinbase, "address": address}},
		{"check_tx_proof", object{"txid": "", "address": address, "signature": payProof}},
		{"check_tx_proof", object{"txid": id, "address": "y", "signature": payProof}},
		{"check_tx_proof", object{"txid": unknown, "address": foreign, "signature": payProof}},
		{"get_spend_proof", object{"txid": "zz"}},
		{"get_spend_proof", object{"txid": unknown}},
		{"check_spend_proof", object{"txid": "zz", "signature": spend}},
		{"check_spend_proof", object{"txid": unknown, "signature": spend}},
		{"check_spend_proof", object{"txid": id, "signature": ""}},
		{"check_spend_proof", object{"txid": id, "signature": "SpendProofV2" + spend[12:]}},
		{"check_spend_proof", object{"txid": id, "signature": spend + "1"}},
		{"check_spend_proof", object{"txid": id, "signature": "SpendProofV1"}},
		{"check_spend_proof", object{"txid": id, "signature": strings.ReplaceAll(spend, spend[20:30], "0000000000")}},
		{"get_reserve_proof", object{"account_index": 9, "amount": 1}},
		{"get_reserve_proof", object{"account_index": 0, "amount": 0}},
		{"get_reserve_proof", object{"account_index": 0, "amount": uint64(1) << 62}},
		{"check_reserve_proof", object{"address": "x", "signature": reserve}},
		{"check_reserve_proof", object{"address": at(t, alice, 0, 1), "signature": reserve}},
		{"check_reserve_proof", object{"address": foreign, "signature": reserve}},
		{"check_reserve_proof", object{"address": address, "signature": ""}},
		{"check_reserve_proof", object{"address": address, "signature": "ReserveProofV3" + reserve[14:]}},
		{"check_reserve_proof", object{"address": address, "signature": reserve[:14] + "0" + reserve[15:]}},
		{"scan_tx", object{"txids": []string{id, "zz"}}},
		{"scan_tx", object{"txids": []string{unknown}}},
		{"scan_tx", object{"txids": []string{}}},
	} {
		compare(t, p.reference, p.ours, c.method, c.params)
	}
}

// malformed sends proofs that are damaged.
func (p *refusedProofs) malformed() {
	t, reference, ours := p.T, p.reference, p.ours
	t.Helper()
	payProof, reserve := p.payProof, p.reserve
	for _, text := range []string{"", "x"} { // the reference answers a message of its standard library
		params := object{"txid": p.id, "address": p.foreign, "signature": text}
		require.Equal(t, refusal(t, reference, "check_tx_proof", params).Code,
			refusal(t, ours, "check_tx_proof", params).Code, text)
	}
	for _, text := range []string{
		"garbage", "OutProofV2", "InProofV2", payProof[:len(payProof)-1], payProof + "1",
		payProof[:10] + "0" + payProof[11:], payProof + payProof[10:], payProof[10:],
	} {
		compare(t, reference, ours, "check_tx_proof", object{"txid": p.id, "address": p.foreign, "signature": text})
	}
	// Whether the reference can read a truncated proof in its older format depends on the random bytes of the proof.
	short := object{"address": p.address, "signature": reserve[:len(reserve)-11]}
	require.Equal(t, refusal(t, reference, "check_reserve_proof", short).Code,
		refusal(t, ours, "check_reserve_proof", short).Code)
}

// viewOnly asks a view-only wallet for proofs.
func (p *refusedProofs) viewOnly() {
	t, reference, ours, address := p.T, p.reference, p.ours, p.address
	t.Helper()
	view := call[struct{ Key string }](t, ours, "query_key", object{"key_type": "view_key"}).Key
	for _, c := range p.both() {
		do(t, c, "generate_from_keys", object{"filename": "watch", "password": "", "address": address, "viewkey": view})
		refresh(t, c)
	}
	compare(t, reference, ours, "get_spend_proof", object{"txid": p.id})
	compare(t, reference, ours, "get_reserve_proof", object{"all": true})
	require.Equal(t, -29, refusal(t, ours, "sign", object{"data": "x"}).Code)
	signed := object{
		"data": "x", "address": address,
		"signature": signature(t, ours, "sign", object{"data": "x", "signature_type": "view"}),
	}
	require.True(t, judge(t, reference, ours, "verify", signed).Good)
}

// withoutDaemon checks proofs after the daemon was stopped.
func (p *refusedProofs) withoutDaemon() {
	t := p.T
	t.Helper()
	id, key, address, foreign := p.id, p.key, p.address, p.foreign
	for _, c := range []struct {
		method string
		params object
	}{
		{"get_tx_proof", object{"txid": id, "address": foreign}},
		{"check_tx_proof", object{"txid": id, "address": foreign, "signature": p.payProof}},
		{"check_tx_key", object{"txid": id, "tx_key": key, "address": address}},
		{"check_spend_proof", object{"txid": id, "signature": p.spend}},
		{"check_reserve_proof", object{"address": address, "signature": p.reserve}},
	} {
		require.Equal(t, refusal(t, p.reference, c.method, c.params).Code,
			refusal(t, p.ours, c.method, c.params).Code, c.method)
	}
	// Both check the connection before the signature: clients use that to learn whether the service has a daemon.
	malformed := object{"address": address, "signature": ""}
	for _, c := range []caller{p.reference, p.ours} {
		require.Contains(t, refusal(t, c, "check_reserve_proof", malformed).Message, "Failed to connect to daemon")
	}
}

// TestScanTx: wallets with a restore height that is too high find earlier transactions by ID, with the same result in
// both programs.
func TestScanTx(t *testing.T) {
	t.Parallel()
	d := newMined(t)
	other, reference := newGlim(t, d.URL, options{}), newReference(t, d)
	ours := newGlim(t, d.URL, options{})
	restore(t, other, "bob", bob)
	refresh(t, other)
	a := func(major, minor uint32, n uint64) destination {
		return destination{at(t, dave, major, minor), n * coin}
	}
	ids := []string{pay(t, other, []destination{a(0, 0, 3), a(1, 2, 4)}, nil).TxHash}
	mine(t, d, 1, at(t, nobody, 0, 0))
	ids = append(ids, pay(t, other, []destination{a(0, 1, 5)}, nil).TxHash)
	mine(t, d, 12, at(t, nobody, 0, 0))
	restore(t, ours, "early", dave)
	refresh(t, ours)
	spent := pay(t, ours, []destination{{at(t, bob, 0, 0), coin}}, object{"account_index": 1})
	mine(t, d, 2, at(t, nobody, 0, 0))
	ids = append(ids, spent.TxHash)

	top, _ := chainTop(t, d)
	for _, c := range []caller{reference, ours} {
		do(t, c, "restore_deterministic_wallet", object{
			"filename": "late", "password": "", "seed": seed(t, dave), "restore_height": top - 1,
		})
		refresh(t, c)
		require.Zero(t, ledger(t, c).Balance)
		do(t, c, "scan_tx", object{"txids": ids})
	}
	left := 12*coin - coin - spent.Fee
	require.Equal(t, left, ledger(t, ours).Balance)
	compareAll(t, reference, ours, 2)

	// In reverse order, one at a time and twice: the spend is found once its input is.
	do(t, ours, "restore_deterministic_wallet", object{
		"filename": "late again", "password": "", "seed": seed(t, dave), "restore_height": top - 1,
	})
	refresh(t, ours)
	for _, i := range []int{2, 1, 0, 2, 1, 0, 0} {
		do(t, ours, "scan_tx", object{"txids": ids[i : i+1]})
	}
	compareAll(t, reference, ours, 2)
	for range 2 { // the result is stored
		do(t, ours, "close_wallet", nil)
		do(t, ours, "open_wallet", object{"filename": "late again", "password": ""})
		compareAll(t, reference, ours, 2)
		refresh(t, ours)
	}

	// An untrusted daemon does not learn which other transactions belong to the wallet.
	do(t, ours, "set_daemon", object{"address": d.URL, "trusted": false, "ssl_support": "disabled"})
	do(t, ours, "scan_tx", object{"txids": ids})
	require.Equal(t,
		peers.Error{Code: -1,
			Message: "The wallet has already seen 1 or more recent transactions than the scanned tx. " +
				"Either connect to a trusted daemon or rescan the chain."},
		refusal(t, ours, "scan_tx", object{"txids": ids[:1]}))

	// A transaction in the pool is listed there; one in a block that was not read yet is found by a refresh.
	refresh(t, other)
	next := pay(t, other, []destination{a(0, 0, 1)}, nil).TxHash
	do(t, ours, "scan_tx", object{"txids": []string{next}})
	pool := call[map[string]json.RawMessage](t, ours, "get_transfers", object{"pool": true})["pool"]
	require.Contains(t, string(pool), next)
	mine(t, d, 1, at(t, nobody, 0, 0))
	do(t, ours, "scan_tx", object{"txids": []string{next}})
	require.Equal(t, left+coin, ledger(t, ours).Balance)

	// A wallet that has not scanned the chain is at its top afterwards.
	do(t, ours, "restore_deterministic_wallet", object{"filename": "unread", "password": "", "seed": seed(t, dave)})
	do(t, ours, "scan_tx", object{"txids": ids[:1]})
	require.Equal(t, left+coin, ledger(t, ours).Balance)
	top, _ = chainTop(t, d)
	require.Equal(t, top, call[struct{ Height uint64 }](t, ours, "get_height", nil).Height)
}
