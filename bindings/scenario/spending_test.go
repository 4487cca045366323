package scenario

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"glim/bindings/peers"
)

// drawn are the members of a payment's answer that differ each time, because inputs, keys and decoys are random.
var drawn = []string{"tx_hash", "tx_key", "tx_blob", "tx_metadata", "unsigned_txset", "fee", "weight", "key_images",
	"tx_hash_list", "tx_key_list", "tx_blob_list", "tx_metadata_list", "fee_list", "weight_list",
	"spent_key_images_list"}

// swept are those of a sweep, whose amount depends on the fee.
var swept = append([]string{"amount", "amount_list"}, drawn...)

// spending compares the operations that spend, as the test t.
func (p *pair) spending(t *testing.T, d *peers.Daemon) {
	q := *p
	q.t = t
	q.transfers()
	q.subtracting(at(t, bob, 0, 0))
	q.sweeps()
	q.singleSweeps()
	q.freezing()
	q.malformedMessages()
	sent := q.relays(d)
	q.dust(d)
	q.signatures(sent)
}

// testnetAddress is an address of another network.
const testnetAddress = "9wviCeWe2D8XS82k2ovp5EUYLzBt9pYNW2LXUFsZiv8S3Mt21FZ5qQaAroko1enzw3eGr9qC7X1D7Geoo2RrAotYPwq9Gm8"

func payTo(address string, amount any) object { return object{"address": address, "amount": amount} }

// integrated returns bob's address with a payment ID.
func (p *pair) integrated(id string) string {
	p.t.Helper()
	return call[struct {
		Address string `json:"integrated_address"`
	}](p.t, p.ours, "make_integrated_address", object{
		"payment_id": id, "standard_address": at(p.t, bob, 0, 0),
	}).Address
}

// available returns the key images of an account's spendable outputs.
func (p *pair) available(account int) (images []string) {
	p.t.Helper()
	for _, o := range call[struct {
		Transfers []struct {
			KeyImage string `json:"key_image"`
		}
	}](p.t, p.ours, "incoming_transfers", object{
		"transfer_type": "available", "account_index": account,
	}).Transfers {
		images = append(images, o.KeyImage)
	}
	return images
}

// transfers compares payments that are made and not relayed, and refused ones.
func (p *pair) transfers() {
	t, payee, to, integrated := p.t, at(p.t, bob, 0, 0), payTo, p.integrated
	one := []object{to(payee, coin)}
	for _, method := range []string{"transfer", "transfer_split"} {
		keys := object{"transfer": "get_tx_key", "transfer_split": "get_tx_keys"}[method].(string)
		// Accepted.
		for _, params := range []object{
			{"destinations": one},
			{"destinations": one, keys: true, "get_tx_hex": true, "get_tx_metadata": true},
			{"destinations": one, "ring_size": 5, "priority": 1, "subaddr_indices": []int{0, 0}},
			{"destinations": []object{to(integrated("0123456789abcdef"), coin)}},
			{"destinations": []object{to(payee, "1000000")}},
		} {
			p.alike(method, with(params, "do_not_relay", true), drawn...)
		}
		p.amountsByDestination(method)
		// Refused.
		for _, params := range []object{
			{},
			{"destinations": []object{}},
			{"destinations": []object{{}}},
			{"destinations": []object{{"address": payee}}},
			{"destinations": []object{to("", 1)}},
			{"destinations": []object{to("x", 1)}},
			{"destinations": []object{to(payee[1:], 1)}},
			{"destinations": []object{to(testnetAddress, 1)}},
			{"destinations": []object{to(payee, 0)}},
			{"destinations": []object{to(payee, coin), to(payee, 0)}},
			{"destinations": []object{to(payee, coin), to("x", 0)}},
			{"destinations": []object{to(payee, uint64(1)<<63)}},
			{"destinations": []object{to(payee, uint64(1)<<63), to(payee, uint64(1)<<63)}},
			{"destinations": []object{to(payee, ^uint64(0)), to(payee, 2)}},
			{"destinations": []object{to(payee, ^uint64(0))}},
			{"destinations": one, "payment_id": "x"},
			{"destinations": one, "payment_id": "0123456789abcdef"},
			{"destinations": one, "payment_id": strings.Repeat("01", 32)},
			{"destinations": []object{to(integrated("0123456789abcdef"), 1)}, "payment_id": "0123456789abcdef"},
			{"destinations": []object{to(integrated("0123456789abcdef"), 1), to(integrated("1123456789abcdef"), 1)}},
			{"destinations": one, "account_index": 4},
			{"destinations": one, "account_index": 99},
			{"destinations": one, "account_index": nowhere},
			{"destinations": one, "subaddr_indices": []int{3}}, {"destinations": one, "subaddr_indices": []int{999}},
			{"destinations": []object{to(payee, 1<<55)}},
			{"destinations": []object{to("x", 1)}, "account_index": 99},
		} {
			p.alike(method, with(params, "do_not_relay", true), drawn...)
		}
		require.Equal(t, invalidPriority,
			refusal(t, p.ours, method, object{"destinations": one, "priority": 5, "do_not_relay": true}))
		// Later releases refuse to lock outputs.
		locking := object{"destinations": one, "unlock_time": 1, "do_not_relay": true}
		if peers.Require(t).Release.AtLeast(0, 18, 3, 4) {
			p.alike(method, locking)
			continue
		}
		do(t, p.reference, method, locking)
		require.Equal(t, peers.Error{Code: -50, Message: "Transaction cannot have non-zero unlock time"},
			refusal(t, p.ours, method, locking))
	}
}

// invalidPriority is the error of releases after 0.18.5.1, which reads higher priorities as the highest.
var invalidPriority = peers.Error{Code: -53, Message: "Invalid priority value. Must be between 0 and 4."}

// amountsByDestination compares a payment to three destinations. The amounts are in the order of the request; later
// releases of the reference move the last destination behind the first, because they take the first away by putting the
// last in its place.
func (p *pair) amountsByDestination(method string) {
	t, payee := p.t, at(p.t, bob, 0, 0)
	params := object{"do_not_relay": true, "priority": 4, "destinations": []object{
		payTo(payee, coin), payTo(at(t, bob, 1, 1), 1), payTo(payee, coin),
	}}
	comparison{ignore: []string{"amounts_by_dest", "amounts_by_dest_list"}, alike: drawn}.
		ask(t, p.reference, p.ours, method, params, params)
	type amounts struct{ Amounts []uint64 }
	answer := call[struct {
		One  *amounts  `json:"amounts_by_dest"`
		List []amounts `json:"amounts_by_dest_list"`
	}](t, p.ours, method, params)
	if answer.One != nil {
		answer.List = []amounts{*answer.One}
	}
	require.Equal(t, []amounts{{[]uint64{coin, 1, coin}}}, answer.List)
}

// sweeps compares sweeps of an account.
func (p *pair) sweeps() {
	t, payee := p.t, at(p.t, bob, 0, 0)
	for _, params := range []object{
		{"address": payee},
		{"address": payee, "outputs": 3, "get_tx_keys": true, "get_tx_hex": true, "get_tx_metadata": true},
		{"address": at(t, bob, 1, 1), "outputs": 16, "below_amount": 35183264808960},
		{"address": payee, "subaddr_indices_all": true, "priority": 1},
		{"address": at(t, bob, 2, 2), "subaddr_indices": []int{0}, "below_amount": 35183264808960},
		{},
		{"address": "x"},
		{"address": payee, "outputs": 0},
		{"address": payee, "account_index": 4},
		{"address": payee, "account_index": 99},
		{"address": payee, "subaddr_indices": []int{3}},
		{"address": payee, "subaddr_indices": []int{999}},
		{"address": payee, "below_amount": 1},
		{"address": payee, "payment_id": "0123456789abcdef"},
		{"address": payee, "payment_id": "x"},
		{"address": p.integrated("0123456789abcdef"), "payment_id": "0123456789abcdef"},
	} {
		p.alike("sweep_all", with(params, "do_not_relay", true), swept...)
	}
	require.Equal(t, invalidPriority,
		refusal(t, p.ours, "sweep_all", object{"address": payee, "priority": 7, "do_not_relay": true}))
}

// singleSweeps compares sweeps of one output.
func (p *pair) singleSweeps() {
	t, payee, image := p.t, at(p.t, bob, 0, 0), p.available(0)[3]
	for _, params := range []object{
		{"address": payee, "key_image": image},
		{
			"address": at(t, bob, 1, 1), "key_image": image, "outputs": 2, "get_tx_key": true, "get_tx_hex": true,
			"get_tx_metadata": true,
		},
		{"address": payee, "key_image": image, "outputs": 16},
		{},
		{"address": "x", "key_image": image},
		{"address": payee, "key_image": "x"},
		{"address": payee, "key_image": ""},
		{"address": payee},
		{"address": payee, "key_image": strings.Repeat("01", 32)},
		{"address": payee, "key_image": image, "outputs": 0},
		{"address": payee, "key_image": image[2:]},
		{"address": payee, "key_image": image, "payment_id": "0123456789abcdef"},
	} {
		p.alike("sweep_single", with(params, "do_not_relay", true), swept...)
	}
	// The reference reports this one in other words, after it has built the transaction.
	tooMany := object{"address": payee, "key_image": image, "outputs": 17, "do_not_relay": true}
	require.Equal(t, refusal(t, p.reference, "sweep_single", tooMany).Code,
		refusal(t, p.ours, "sweep_single", tooMany).Code)
	for _, method := range []string{"sweep_dust", "sweep_unmixable"} {
		p.same(method, nil)
		p.same(method, object{"get_tx_keys": true, "get_tx_hex": true, "get_tx_metadata": true})
	}
}

// freezing compares freeze and thaw: a frozen output is not spent, and a wallet whose outputs are all frozen cannot
// pay.
func (p *pair) freezing() {
	payee, outputs := at(p.t, bob, 0, 0), p.available(0)
	image := outputs[3]
	for _, method := range []string{"freeze", "thaw", "frozen"} {
		for _, params := range []object{
			nil, {"key_image": ""}, {"key_image": "x"}, {"key_image": strings.Repeat("01", 32)},
			{"key_image": image[2:]}, {"key_image": image + "00"},
		} {
			p.same(method, params)
		}
	}
	for _, method := range []string{"frozen", "freeze", "freeze", "frozen"} {
		p.same(method, object{"key_image": image})
	}
	p.same("incoming_transfers", object{"transfer_type": "all"})
	p.alike("sweep_single", object{"address": payee, "key_image": image, "do_not_relay": true}, swept...)
	for _, o := range outputs {
		p.same("freeze", object{"key_image": o})
	}
	p.alike("transfer", object{"destinations": []object{payTo(payee, coin)}, "do_not_relay": true}, drawn...)
	p.alike("sweep_all", object{"address": payee, "do_not_relay": true}, swept...)
	p.same("get_balance", nil)
	for _, o := range outputs {
		p.same("thaw", object{"key_image": o})
	}
}

// malformedMessages compares how both refuse messages of other programs that are not valid.
func (p *pair) malformedMessages() {
	for _, params := range []object{
		nil, {"hex": ""}, {"hex": "x"}, {"hex": "00"}, {"hex": "zz"}, {"hex": strings.Repeat("01", 500)},
		{"hex": "abc"},
	} {
		p.same("relay_tx", params)
		if params != nil {
			p.same("submit_transfer", object{"tx_data_hex": params["hex"]})
			for _, method := range []string{"sign_transfer", "describe_transfer"} {
				p.same(method, object{"unsigned_txset": params["hex"]})
			}
			p.same("describe_transfer", object{"multisig_txset": params["hex"]})
			p.same("import_outputs", object{"outputs_data_hex": params["hex"]})
		}
	}
	for _, method := range []string{"submit_transfer", "sign_transfer", "describe_transfer", "import_outputs"} {
		p.same(method, nil)
	}
}

// relays has each program relay a transaction that the other made: afterwards both have the same payments, except for
// the transaction keys. It returns the payments of ours and of the reference.
func (p *pair) relays(d *peers.Daemon) (sent [2]string) {
	t := p.t
	for i, c := range [][2]caller{{p.ours, p.reference}, {p.reference, p.ours}} {
		made := call[struct {
			Metadata string `json:"tx_metadata"`
			ID       string `json:"tx_hash"`
		}](t, c[0], "transfer", object{
			"destinations": []object{payTo(at(t, bob, 0, 0), coin), payTo(at(t, alice, 4, 0), 1000)},
			"do_not_relay": true, "get_tx_metadata": true,
		})
		require.Equal(t, made.ID, call[struct {
			ID string `json:"tx_hash"`
		}](t, c[1], "relay_tx", object{"hex": made.Metadata}).ID)
		sent[i] = made.ID
		mine(t, d, 1, at(t, nobody, 0, 0))
		refresh(t, p.both()...)
		p.same("get_transfer_by_txid", object{"txid": made.ID}, local...)
	}
	record("relay_tx", false)
	return sent
}

// dust compares sweeps of an output that is worth less than its fee.
func (p *pair) dust(d *peers.Daemon) {
	t, payee := p.t, at(p.t, bob, 0, 0)
	mine(t, d, 9, at(t, nobody, 0, 0))
	refresh(t, p.both()...)
	image := p.available(4)[0]
	p.same("sweep_all", object{"address": payee, "account_index": 4})
	p.same("sweep_single", object{"address": payee, "key_image": image})
}

// signatures compares what both sign and export, for the payments that each of them has the key of.
func (p *pair) signatures(sent [2]string) {
	t, payee := p.t, at(p.t, bob, 0, 0)
	proofs := comparison{alike: []string{"tx_key", "signature"}}
	for method, more := range map[string]object{
		"get_tx_key":      {},
		"get_tx_proof":    {"address": payee, "message": "m"},
		"get_spend_proof": {"message": "m"},
	} {
		proofs.ask(t, p.reference, p.ours, method, with(more, "txid", sent[0]), with(more, "txid", sent[1]))
		for _, id := range []string{"", "x", strings.Repeat("ab", 32), sent[0] + "00"} {
			p.same(method, with(more, "txid", id))
		}
	}
	p.alike("get_reserve_proof", object{"all": true, "message": "m"}, "signature")
	p.alike("get_reserve_proof", object{"account_index": 0, "amount": coin}, "signature")
	for _, kind := range []string{"", "spend", "view"} {
		p.alike("sign", object{"data": "text", "signature_type": kind, "address_index": 1}, "signature")
	}
	// A key image that the wallet has already is accepted without a valid signature.
	signed := call[struct {
		Images []object `json:"signed_key_images"`
	}](t, p.ours, "export_key_images", object{"all": true}).Images
	for _, i := range []int{0, 1} { // one image, and two
		p.same("import_key_images", object{
			"signed_key_images": []object{with(signed[i], "signature", strings.Repeat("00", 64))},
		})
	}
	for _, all := range []bool{true, false} {
		p.alike("export_outputs", object{"all": all}, "outputs_data_hex")
		p.alike("export_key_images", object{"all": all}, "signature")
	}
}

// subtracting has destinations pay the fee, which the installed reference does not support yet. A destination listed
// twice pays once, and an index out of range is refused in the words of later releases.
func (p *pair) subtracting(to string) {
	t := p.t
	t.Helper()
	ask := func(n int, indices ...uint32) object {
		ds := make([]destination, n)
		for i := range ds {
			ds[i] = destination{to, coin}
		}
		return object{"destinations": ds, "subtract_fee_from_outputs": indices, "do_not_relay": true}
	}
	for _, indices := range [][]uint32{{0}, {0, 0}, {1, 0, 1}} {
		made := call[struct {
			Fee, Amount uint64
			ByDest      struct{ Amounts []uint64 } `json:"amounts_by_dest"`
		}](t, p.ours, "transfer", ask(2, indices...))
		require.EqualValues(t, 2*coin, made.Amount+made.Fee)
		require.Len(t, made.ByDest.Amounts, 2)
		require.Less(t, made.ByDest.Amounts[0], uint64(coin))
		require.Equal(t, len(indices) == 3, made.ByDest.Amounts[1] < coin)
	}
	for _, indices := range [][]uint32{{2}, {0, 4294967295}} {
		want := fmt.Sprintf("subtractfeefrom: bad index: %d (indexes are 0-based)", indices[len(indices)-1])
		require.Equal(t, peers.Error{Code: -4, Message: want}, refusal(t, p.ours, "transfer", ask(2, indices...)))
	}
	const want = "subtractfeefrom transfers cannot be split over multiple transactions yet"
	require.Equal(t, peers.Error{Code: -4, Message: want}, refusal(t, p.ours, "transfer", ask(16, 0)))
}
