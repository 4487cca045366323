package chaintest

import (
	"glim/core/address"
	"glim/core/carrot"
	"glim/core/fcmptx"
	"glim/core/keys"
	"glim/core/syncer"
	"glim/core/tx"
	"glim/core/xmr"
)

// carrot returns the transaction that s describes in the form of the next hard fork, as a daemon's answer would have
// it, parsed from its bytes. Its proofs are random. Fields of s that concern older transactions are ignored.
func (r *Random) carrot(s Spec, coinbase *uint64) (syncer.Tx, []MadeOutput) {
	var b []byte
	if coinbase != nil {
		b = r.carrotCoinbase(s, *coinbase).Append(nil)
	} else {
		b = fcmptx.Default.Append(nil, r.carrotPayment(s))
	}
	parsed, id, err := fcmptx.Default.ParseForWallet(b)
	must(err)
	made := make([]MadeOutput, len(s.Pay))
	for i := range s.Pay {
		p := &s.Pay[i]
		m := &made[i]
		*m = MadeOutput{
			TxID: id, Index: uint64(i), Owner: p.To, At: p.At, Amount: p.Amount, Flaw: p.Flaw,
			Key: parsed.Outputs[i].Key,
		}
		if p.To != nil && p.Flaw == NoFlaw {
			m.Image = r.carrotImage(parsed, p, i)
		}
	}
	return syncer.Tx{ID: id, Tx: parsed}, made
}

func must(err error) {
	if err != nil {
		panic("chaintest: " + err.Error())
	}
}

// carrotImage returns the key image of output i, or zeros for an owner without the spend key. It is computed by the
// tier of package carrot that has both keys.
func (r *Random) carrotImage(t *tx.Transaction, p *Payment, i int) (image xmr.KeyImage) {
	if a := carrot.AccountOf(p.To); a != nil {
		return accountImage(a, t, p.At, i)
	}
	m, err := carrot.NewLegacyMaster(carrot.Default, p.To)
	if err != nil {
		return image
	}
	got, ok := received(t, i, m.ScanCoinbase, m.Scan)
	if !ok {
		return image
	}
	image, err = m.KeyImage(&got, p.At)
	must(err)
	return image
}

// accountImage is carrotImage for an owner with the keys of Carrot: zeros below the tier view-all.
func accountImage(a *carrot.Account, t *tx.Transaction, at keys.Index, i int) (image xmr.KeyImage) {
	all, ok := a.ViewAll()
	if !ok {
		return image
	}
	got, ok := received(t, i, all.ScanCoinbase, all.ScanAll)
	if !ok {
		return image
	}
	image, err := all.KeyImage(&got, at)
	must(err)
	return image
}

// received returns output i of t as scanReward finds it in a coinbase and scan in another transaction.
func received(
	t *tx.Transaction, i int, scanReward func(*carrot.CoinbaseEnote) (carrot.Received, bool),
	scan func(*carrot.Enote, *[8]byte) (carrot.Received, bool),
) (carrot.Received, bool) {
	ephemeral := fcmptx.AppendEphemeral(nil, t)
	if t.IsCoinbase() {
		e := fcmptx.CoinbaseEnoteAt(t, ephemeral, i)
		return scanReward(&e)
	}
	e := fcmptx.EnoteAt(t, ephemeral, i)
	extra, _ := tx.ParseExtra(t.Extra)
	return scan(&e, extra.EncryptedPaymentID)
}

// payee returns the address of p, and for an unknown payee a random one.
func (r *Random) payee(p *Payment, id *[8]byte) address.Address {
	k := p.To
	if k == nil {
		var err error
		k, err = keys.FromSeed(r.Bytes32())
		must(err)
	}
	spend, view := k.Address(p.At)
	to := address.At(xmr.Regtest, p.At, spend, view)
	if id != nil {
		to.Kind, to.PaymentID = address.Integrated, *id
	}
	return to
}

func (r *Random) anchor() [16]byte {
	a, err := carrot.RandomAnchor(r)
	must(err)
	return a
}

func (r *Random) carrotCoinbase(s Spec, height uint64) *tx.Transaction {
	var enotes []carrot.CoinbaseEnote
	for i := range s.Pay {
		p := &s.Pay[i]
		p.At = keys.Index{} // a coinbase pays main addresses only
		e, err := carrot.Default.NewCoinbaseEnote(
			&carrot.Payment{To: r.payee(p, nil), Amount: p.Amount, Anchor: r.anchor()}, height)
		must(err)
		p.Flaw.apply(&e.Key, &e.ViewTag, &e.Anchor, nil)
		enotes = append(enotes, *e)
	}
	t, err := fcmptx.NewCoinbase(enotes, height, nil)
	must(err)
	t.UnlockTime = s.UnlockTime
	return t
}

func (r *Random) carrotPayment(s Spec) *fcmptx.Transaction {
	images := s.Spend
	if len(images) == 0 {
		images = []xmr.KeyImage{r.Point()}
	}
	var enotes []carrot.Enote
	var encrypted [8]byte
	for i := range s.Pay {
		p := &s.Pay[i]
		var o *carrot.Output
		var err error
		if p.Change {
			o, err = r.selfSend(p, images[0])
		} else {
			id := s.PaymentID
			if i > 0 {
				id = nil
			}
			var mask [8]byte
			pay := &carrot.Payment{To: r.payee(p, id), Amount: p.Amount, Anchor: r.anchor()}
			o, mask, err = carrot.Default.NewOutput(pay, images[0])
			if id != nil {
				encrypted = mask
			}
		}
		must(err)
		p.Flaw.apply(&o.Key, &o.ViewTag, &o.Anchor, &o.Commitment)
		enotes = append(enotes, o.Enote)
	}
	t := fcmptx.New(enotes, images, s.Fee, encrypted)
	t.UnlockTime = s.UnlockTime
	t.Proofs = r.proofs(len(images), len(enotes))
	return t
}

// selfSend returns change: an internal enote if the owner has the view-balance secret, otherwise a special one.
func (r *Random) selfSend(p *Payment, first xmr.KeyImage) (*carrot.Output, error) {
	v, err := carrot.NewIncoming(carrot.Default, p.To.ViewSecret(), p.To.SpendPublic)
	must(err)
	ephemeral, err := carrot.RandomEphemeral(r)
	must(err)
	s := &carrot.SelfSend{
		Spend: p.To.SpendKey(p.At), Amount: p.Amount, Type: carrot.ChangeEnote, Ephemeral: ephemeral,
	}
	if a := carrot.AccountOf(p.To); a != nil {
		if all, ok := a.ViewAll(); ok {
			return all.NewSelfSend(s, first)
		}
	}
	return v.NewSelfSend(s, first)
}

// apply changes the field of an enote that f names.
func (f Flaw) apply(key *xmr.PublicKey, tag *[3]byte, anchor *[16]byte, commitment *[32]byte) {
	switch f {
	case WrongAmount:
		if commitment != nil {
			commitment[0] ^= 1
		} else {
			key[0] ^= 1
		}
	case WrongViewTag:
		tag[1] ^= 1
	case InvalidKey:
		*key = InvalidPoint
	case WrongAnchor:
		anchor[5] ^= 1
	}
}

// proofs returns random bytes of the sizes of proofs.
func (r *Random) proofs(inputs, outputs int) *fcmptx.Proofs {
	rounds := 6
	for n := 1; n < outputs; n *= 2 {
		rounds++
	}
	list := func(n int) [][32]byte {
		out := make([][32]byte, n)
		for i := range out {
			out[i] = r.Bytes32()
		}
		return out
	}
	p := &fcmptx.Proofs{
		Layers: 1, Blob: make([]byte, fcmptx.ProofSize(inputs, 1)), PseudoOuts: list(inputs),
		Range: tx.BulletproofPlus{L: list(rounds), R: list(rounds)},
	}
	_, _ = r.Read(p.Blob)
	return p
}
