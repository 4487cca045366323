//go:build !js

package service

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"glim/core/address"
	"glim/core/coldset"
	"glim/core/keys"
	"glim/core/rpc"
	"glim/core/smallfmt"
	"glim/core/wallet"
	"glim/core/walletrpc"
	"glim/core/xmr"
)

const (
	// recentAge is the age in blocks up to which an output counts as spent soon after it was received. Outputs can be
	// spent from ten blocks on.
	recentAge = xmr.SpendableAge + 5
	// closeBy is the time in seconds within which payments of several accounts count as made together.
	closeBy = 3600
	// usualOutputs is the number of outputs of most transactions: a payment and its change.
	usualOutputs = 2
)

// links implements the operations on what payments link.
type links struct {
	active  *active
	signing *multisigSigning
	network xmr.Network
	now     func() uint64
}

// registerLinks lists the operations on what payments link.
func registerLinks(r *rpc.Registry, signing *multisigSigning) {
	s := &links{signing.active, signing, signing.network, signing.now}
	rpc.Handle(r, walletrpc.SetSeparateAccounts, s.setSeparateAccounts)
	rpc.Handle(r, walletrpc.GetSeparateAccounts, s.getSeparateAccounts)
	rpc.Handle(r, walletrpc.DescribeLinks, s.describeLinks)
}

func (s *links) setSeparateAccounts(_ context.Context, req walletrpc.SetSeparateAccountsRequest) (empty, error) {
	o, err := s.active.current()
	if err == nil {
		err = o.checkSpendKey() // background syncing does not keep attributes
	}
	if err != nil {
		return empty{}, err
	}
	return empty{}, s.active.change(func(w *wallet.Wallet) (c wallet.ChangeSet, err error) {
		text, err := separationText(w, req.Groups)
		c.User.Attrs = []wallet.Attribute{{Key: separateAttribute, Value: text}}
		return c, err
	})
}

func (s *links) getSeparateAccounts(
	context.Context, empty,
) (resp walletrpc.GetSeparateAccountsResponse, err error) {
	err = s.active.view(func(w *wallet.Wallet) error {
		groups, err := separationOf(w)
		resp.Groups = groups.groups()
		return err
	})
	return resp, err
}

// before orders addresses by account, then by their number in it.
func before(a, b walletrpc.SubaddressIndex) int {
	return cmp.Or(cmp.Compare(a.Major, b.Major), cmp.Compare(a.Minor, b.Minor))
}

func (s *links) describeLinks(
	_ context.Context, req walletrpc.DescribeLinksRequest,
) (resp walletrpc.DescribeLinksResponse, err error) {
	o, err := s.active.current()
	if err != nil {
		return resp, err
	}
	list, err := s.constructions(o, req)
	if err != nil {
		return resp, err
	}
	described, _, err := coldset.Describe(s.network, list)
	if err != nil {
		return resp, refuse("the transactions are not a payment of this wallet: " + err.Error())
	}
	o.View(func(w *wallet.Wallet) {
		r := linkReport{w: w, network: s.network, now: s.now(), resp: &resp}
		if r.groups, err = separationOf(w); err != nil {
			return
		}
		for i := range list {
			if err = r.add(&list[i], &described[i]); err != nil {
				return
			}
		}
		if len(list) > 1 {
			r.link("time", smallfmt.Sprintf("the payment takes %d transactions, sent at once: those who see them "+
				"arrive can tell that they belong together", len(list)), "", nil, nil)
		}
		r.others()
	})
	return resp, err
}

// constructions returns the transactions of the request.
func (s *links) constructions(
	o *openWallet, req walletrpc.DescribeLinksRequest,
) (list []coldset.Construction, err error) {
	given := 0
	for _, set := range []bool{len(req.TxMetadataList) > 0, req.UnsignedTxSet != "", req.MultisigTxSet != ""} {
		if set {
			given++
		}
	}
	switch {
	case given != 1:
		return nil, refuse("give tx_metadata_list, unsigned_txset or multisig_txset")
	case req.MultisigTxSet != "":
		list, _, err = s.signing.sharedConstructions(req.MultisigTxSet)
		return list, err
	case req.UnsignedTxSet != "":
		message, err := smallfmt.Unhex(req.UnsignedTxSet)
		if err != nil {
			return nil, walletrpc.Fail(walletrpc.CodeBadHex, "")
		}
		set, err := o.messages().DecodeUnsigned(message)
		if err != nil {
			return nil, walletrpc.Fail(walletrpc.CodeBadUnsignedTxData, "cannot load unsigned_txset")
		}
		return set.Transactions, nil
	}
	for _, text := range req.TxMetadataList {
		b, err := smallfmt.Unhex(text)
		if err != nil {
			return nil, walletrpc.Fail(walletrpc.CodeBadHex, "")
		}
		p, err := coldset.ParsePendingTx(b)
		if err != nil {
			return nil, walletrpc.Fail(walletrpc.CodeBadTxMetadata, "")
		}
		list = append(list, p.Construction)
	}
	return list, nil
}

// linkReport collects what the transactions of a payment link.
type linkReport struct {
	w        *wallet.Wallet
	network  xmr.Network
	now      uint64
	groups   separation
	accounts []uint32 // that pay
	resp     *walletrpc.DescribeLinksResponse
}

// link adds something that the payment reveals.
func (r *linkReport) link(kind, text, recipient string, addresses []walletrpc.SubaddressIndex, txIDs []string) {
	r.resp.Links = append(r.resp.Links, walletrpc.Linkage{Kind: kind, Text: text, SubaddrIndices: addresses,
		TxIDs: txIDs, Recipient: recipient})
}

// add adds one transaction.
func (r *linkReport) add(c *coldset.Construction, d *coldset.Description) error {
	one := walletrpc.LinkedTx{Recipients: recipients(d.Recipients), Outputs: uint64(len(c.Outputs)),
		ChangeAmount: c.Change.Amount}
	for i := range c.Sources {
		o, ok := r.w.OutputByKey(c.Sources[i].Ring[c.Sources[i].Real].Key)
		if !ok {
			return refuse(smallfmt.Sprintf("input %d spends an output that this wallet does not know: refresh, or "+
				"import_outputs into a wallet that signs", i))
		}
		one.Spent = append(one.Spent, r.output(o))
	}
	r.accounts = append(r.accounts, c.Account)
	r.separate(c.Account, one.Recipients)
	r.inputs(one.Spent)
	r.change(&one, c)
	r.recipients(c.Account, d.Recipients)
	r.resp.Transactions = append(r.resp.Transactions, one)
	return nil
}

func (r *linkReport) output(o *wallet.OwnedOutput) walletrpc.LinkedOutput {
	spend, own := r.w.SpendOf(o.TxID)
	return walletrpc.LinkedOutput{TxID: o.TxID.String(), Amount: o.Amount, Height: o.Height,
		SubaddrIndex: index(o.Address), Address: r.w.Address(o.Address).String(), Label: r.w.Label(o.Address),
		Change: own && spend.Account == o.Address.Major}
}

// separate adds the accounts that set_separate_accounts keeps apart.
func (r *linkReport) separate(account uint32, to []walletrpc.Recipient) {
	texts := make([]string, len(to))
	for i := range to {
		texts[i] = to[i].Address
	}
	for _, l := range r.groups.linkedAccounts(r.w, r.network, account, texts) {
		var addresses []walletrpc.SubaddressIndex
		var ids []string
		if l.txID == (xmr.Hash{}) {
			addresses = append(addresses, index(l.at))
		} else {
			ids = append(ids, l.txID.String())
		}
		r.link("separate_accounts", l.text(account)+"; they are to be kept apart", l.to, addresses, ids)
	}
}

// inputs adds what the outputs reveal that one transaction spends together.
func (r *linkReport) inputs(spent []walletrpc.LinkedOutput) {
	var addresses []walletrpc.SubaddressIndex
	var ids, twice, recent []string
	for i := range spent {
		o := &spent[i]
		if !slices.Contains(addresses, o.SubaddrIndex) {
			addresses = append(addresses, o.SubaddrIndex)
		}
		if !slices.Contains(ids, o.TxID) {
			ids = append(ids, o.TxID)
		} else if !slices.Contains(twice, o.TxID) {
			twice = append(twice, o.TxID)
		}
		if r.w.Height() < o.Height+recentAge && !slices.Contains(recent, o.TxID) {
			recent = append(recent, o.TxID)
		}
	}
	slices.SortFunc(addresses, before)
	if len(twice) > 0 {
		r.link("same_transaction", "it spends several outputs of one earlier transaction: everybody who sees the "+
			"chain can suspect that, because rings seldom have such decoys", "", addresses, twice)
	}
	switch {
	case len(addresses) > 1:
		r.link("addresses", smallfmt.Sprintf("it spends outputs of the addresses %s together: those who paid to "+
			"two of them can tell that both are one person's", r.names(addresses)), "", addresses, ids)
	case len(ids) > 1:
		r.link("receipts", smallfmt.Sprintf("it spends outputs of %d transactions together: a payer who made two "+
			"of them can tell that they have one owner and, as the recipient of this payment, that the owner is "+
			"you", len(ids)), "", addresses, ids)
	}
	if len(recent) > 0 {
		r.link("recent", smallfmt.Sprintf("it spends outputs that were received less than %d blocks ago: their "+
			"payers see them in a ring at once", recentAge), "", nil, recent)
	}
}

// names lists addresses with their labels.
func (r *linkReport) names(list []walletrpc.SubaddressIndex) string {
	var texts []string
	for _, a := range list {
		text := smallfmt.Sprintf("%d/%d", a.Major, a.Minor)
		if label := r.w.Label(keys.Index{Major: a.Major, Minor: a.Minor}); label != "" {
			text += smallfmt.Sprintf(" (%s)", label)
		}
		texts = append(texts, text)
	}
	return strings.Join(texts, ", ")
}

// change adds where change goes, and into how many outputs.
func (r *linkReport) change(one *walletrpc.LinkedTx, c *coldset.Construction) {
	if c.Change.Amount > 0 {
		at, ok := r.w.IndexOf(c.Change.Spend)
		if !ok {
			return
		}
		one.ChangeAddress = r.w.Address(at).String()
		joined := []walletrpc.SubaddressIndex{index(at)}
		for i := range one.Spent {
			if !slices.Contains(joined, one.Spent[i].SubaddrIndex) {
				joined = append(joined, one.Spent[i].SubaddrIndex)
			}
		}
		if slices.SortFunc(joined, before); len(joined) > 1 {
			r.link("change", smallfmt.Sprintf("change goes to the address %s: a later payment that spends it "+
				"together with other outputs of that address links these with the addresses %s",
				r.names([]walletrpc.SubaddressIndex{index(at)}), r.names(joined)), "", joined, nil)
		}
	}
	if one.Outputs > usualOutputs {
		r.link("outputs", smallfmt.Sprintf("it has %d outputs, where most transactions have %d: everybody who "+
			"sees the chain can tell", one.Outputs, usualOutputs), "", nil, nil)
	}
}

// recipients adds own addresses that the payment pays, and recipients that were paid before.
func (r *linkReport) recipients(account uint32, list []coldset.Recipient) {
	for i := range list {
		text := list[i].Address.String()
		if at, ok := ownAddress(r.w, list[i].Address); ok {
			own := []walletrpc.SubaddressIndex{index(at)}
			r.link("own_address", smallfmt.Sprintf("it pays the address %s of this wallet: spending that together "+
				"with other outputs of account %d links these with account %d", r.names(own), at.Major, account),
				text, own, nil)
			continue
		}
		if ids := r.paidBefore(list[i].Address); len(ids) > 0 {
			r.link("paid_before", "this wallet has paid the same address before, which its owner sees: if only "+
				"one payer has it, its owner can tell that one person made all these payments", text, nil, ids)
		}
	}
}

// paidBefore returns the IDs of the transactions of this wallet that paid an address.
func (r *linkReport) paidBefore(to address.Address) (ids []string) {
	for _, one := range sentTransactions(r.w) {
		for _, d := range one.Destinations {
			a, err := address.ParseFor(r.network, d.Address)
			if err == nil && a.Spend == to.Spend && a.View == to.View {
				ids = append(ids, one.TxID.String())
				break
			}
		}
	}
	return ids
}

// others adds payments that other accounts have made shortly before.
func (r *linkReport) others() {
	var ids []string
	for _, one := range sentTransactions(r.w) {
		if one.SentAt+closeBy > r.now && !slices.Contains(r.accounts, one.Account) {
			ids = append(ids, one.TxID.String())
		}
	}
	if len(ids) > 0 {
		r.link("time", "another account has paid less than an hour ago: the daemon, and those who see both "+
			"payments arrive, can suspect that they are one person's", "", nil, ids)
	}
}
