package main

import (
	"context"
	"fmt"
	"strings"

	"glim/core/rpc"
	"glim/core/walletrpc"
	"glim/core/xmr"
)

// call asks the wallet service over HTTP; a failure names the operation.
func call[Req, Resp any](ctx context.Context, s *stage, m rpc.Method[Req, Resp], req Req) (Resp, error) {
	resp, err := rpc.Call(ctx, s.wallets, m, req)
	if err != nil {
		err = fmt.Errorf("%s: %w", m.Name, err)
	}
	return resp, err
}

// tell tells the story from the first wallet to the last balance.
func (s *stage) tell(ctx context.Context, o *outcome) error {
	words, err := s.aliceMines(ctx, o)
	if err != nil {
		return err
	}
	if err := s.aliceRestores(ctx, words, o); err != nil {
		return err
	}

	s.say.step("Bob makes a wallet",
		"Bob is another person with other keys. He makes an address for Alice alone: addresses of one wallet cannot be told to "+
			"belong together, except by its owner.")
	if err := s.create(ctx, "bob"); err != nil {
		return err
	}
	forAlice, err := call(ctx, s, walletrpc.CreateAddress, walletrpc.CreateAddressRequest{Count: 1, Label: "from Alice"})
	if err != nil {
		return err
	}
	s.say.facts("wallet", "bob", "address for Alice", forAlice.Address, "balance", money(0))

	s.say.step("Alice sends Bob money",
		"The transaction names neither of them nor the amount: the output it spends hides among 15 others, the amount in a "+
			"commitment. The fee goes to the miner. With the transaction key Alice can prove later that she paid.")
	if err := s.pay(ctx, "alice", "bob", gift, forAlice.Address, &o.Gift); err != nil {
		return err
	}
	s.say.step("Bob sends some back",
		"The same the other way: Bob spends the one output he has, and what is left of it comes back to him as change in the same "+
			"transaction.")
	if err := s.pay(ctx, "bob", "alice", giftBack, o.Address, &o.Back); err != nil {
		return err
	}

	s.say.step("Both copies of Alice's wallet",
		"The copy that was restored has been closed all the while. The chain tells it what happened; what it cannot tell are the "+
			"secret keys of transactions and whom they paid, which only the copy that sent them knows.")
	if o.AliceEnd, _, err = s.balanceOf(ctx, "alice"); err != nil {
		return err
	}
	if o.RestoredEnd, _, err = s.balanceOf(ctx, "alice-restored"); err != nil {
		return err
	}
	s.say.facts("alice", money(o.AliceEnd), "alice-restored", money(o.RestoredEnd)+verdict(o.AliceEnd == o.RestoredEnd))
	if o.AliceEnd != o.RestoredEnd {
		return fmt.Errorf("the two copies of one wallet disagree")
	}
	_, err = call(ctx, s, walletrpc.CloseWallet, walletrpc.CloseWalletRequest{AutosaveCurrent: true})
	return err
}

// aliceMines makes Alice's wallet and gives it money. It returns the seed words.
func (s *stage) aliceMines(ctx context.Context, o *outcome) (words string, err error) {
	s.say.step("Alice makes a wallet",
		"A wallet is a secret number. Its 25 seed words spell it out: whoever has them has the money, so real ones are written "+
			"on paper and shown to nobody. The address is what others pay to.")
	// Somebody has to mine later without anybody of the story being paid: a wallet without a name, gone when it closes.
	if err := s.create(ctx, ""); err != nil {
		return "", err
	}
	if s.stranger, err = s.address(ctx); err != nil {
		return "", err
	}
	if err := s.create(ctx, "alice"); err != nil {
		return "", err
	}
	if o.Address, err = s.address(ctx); err != nil {
		return "", err
	}
	seed, err := call(ctx, s, walletrpc.QueryKey, walletrpc.QueryKeyRequest{KeyType: "mnemonic"})
	if err != nil {
		return "", err
	}
	s.say.facts("wallet", "alice", "address", o.Address, "seed words", seed.Key)

	s.say.step("Alice mines",
		"New money comes from mining: whoever finds a block is paid by it. The first blocks pay Alice, the rest a stranger, "+
			fmt.Sprintf("for a reward can be spent only after %d blocks.", xmr.CoinbaseUnlock))
	if err := s.mine(ctx, aliceBlocks, o.Address, "blocks for Alice"); err != nil {
		return "", err
	}
	if err := s.mine(ctx, strangerBlocks, s.stranger, "blocks for a stranger"); err != nil {
		return "", err
	}
	if o.Mined, o.Unlocked, err = s.refreshed(ctx); err != nil {
		return "", err
	}
	read, err := call(ctx, s, walletrpc.GetHeight, walletrpc.Empty{})
	if err != nil {
		return "", err
	}
	s.say.facts("chain read", fmt.Sprint(read.Height, " blocks"), "balance", money(o.Mined), "of it spendable", money(o.Unlocked))
	return seed.Key, nil
}

// aliceRestores makes Alice's wallet again from its words.
func (s *stage) aliceRestores(ctx context.Context, words string, o *outcome) error {
	s.say.step("Alice restores it from the words",
		"As after the loss of a computer: a second wallet under another name gets nothing but the words, and reads the chain for "+
			"what belongs to it.")
	made, err := call(ctx, s, walletrpc.RestoreDeterministicWallet, walletrpc.RestoreDeterministicWalletRequest{
		Filename: "alice-restored", Password: demoPassword, Seed: words})
	if err != nil {
		return err
	}
	o.RestoredAddress = made.Address
	if o.Restored, _, err = s.refreshed(ctx); err != nil {
		return err
	}
	s.say.facts("wallet", "alice-restored",
		"address", made.Address+verdict(made.Address == o.Address),
		"balance", money(o.Restored)+verdict(o.Restored == o.Mined))
	if made.Address != o.Address || o.Restored != o.Mined {
		return fmt.Errorf("the restored wallet differs from the first")
	}
	return nil
}

// pay lets one wallet send amount to an address of another and follows the money until it can be spent again.
func (s *stage) pay(ctx context.Context, from, to string, amount uint64, address string, m *movement) (err error) {
	payer, payee := title(from), title(to)
	if m.PaidBefore, _, err = s.balanceOf(ctx, to); err != nil {
		return err
	}
	if m.SenderBefore, _, err = s.balanceOf(ctx, from); err != nil {
		return err
	}
	done := s.say.wait("building, proving and signing the transaction")
	sent, err := call(ctx, s, walletrpc.Transfer, walletrpc.TransferRequest{
		Destinations: []walletrpc.Destination{{Amount: amount, Address: address}}, GetTxKey: true})
	done()
	if err != nil {
		return err
	}
	m.Sent, m.Fee, m.TxID, m.TxKey = sent.Amount, sent.Fee, sent.TxHash, sent.TxKey
	if m.SenderAfter, _, err = s.balance(ctx); err != nil {
		return err
	}
	s.say.facts("to", address, payer+" before", money(m.SenderBefore), "amount", minus(m.Sent), "fee", minus(m.Fee),
		payer+" after", money(m.SenderAfter)+verdict(m.SenderBefore == m.SenderAfter+m.Sent+m.Fee),
		"transaction", m.TxID, "transaction key", m.TxKey)
	if m.SenderBefore != m.SenderAfter+m.Sent+m.Fee {
		return fmt.Errorf("%s's balance does not add up", payer)
	}
	if err := s.onItsWay(ctx, payer, payee, to, m); err != nil {
		return err
	}
	return s.confirm(ctx, payer, payee, from, to, m)
}

// onItsWay shows the transaction in the pool, from both sides. The sender's wallet is open.
func (s *stage) onItsWay(ctx context.Context, payer, payee, to string, m *movement) error {
	s.say.step("The money is on its way",
		"The daemon keeps the transaction in its pool until a miner puts it into a block. "+payee+" sees it there already, and "+
			"cannot spend it yet: until it is in a block it may never get there.")
	pending, err := call(ctx, s, walletrpc.GetTransfers, walletrpc.GetTransfersRequest{Pending: true})
	if err != nil {
		return err
	}
	m.SeenPending = find(pending.Pending, m.TxID) != nil
	if _, _, err := s.balanceOf(ctx, to); err != nil {
		return err
	}
	pool, err := call(ctx, s, walletrpc.GetTransfers, walletrpc.GetTransfersRequest{Pool: true})
	if err != nil {
		return err
	}
	incoming := find(pool.Pool, m.TxID)
	if !m.SeenPending || incoming == nil {
		return fmt.Errorf("the transaction is not seen on its way")
	}
	m.PoolAmount = incoming.Amount
	s.say.facts(payer+" sees", "pending, not in a block", payee+" sees", money(incoming.Amount)+" in the pool, 0 confirmations")
	return nil
}

// confirm mines the transaction, then the blocks that make the money spendable. The receiver's wallet is open.
func (s *stage) confirm(ctx context.Context, payer, payee, from, to string, m *movement) error {
	s.say.step("The payment is confirmed",
		fmt.Sprintf("A block takes the transaction in, and each block on top makes it harder to undo. After %d, %s can spend the money.",
			confirmations, payee))
	show := func() (*walletrpc.TransferEntry, uint64, error) {
		total, unlocked, err := s.refreshed(ctx)
		if err != nil {
			return nil, 0, err
		}
		in, err := call(ctx, s, walletrpc.GetTransferByTxID, walletrpc.GetTransferByTxIDRequest{TxID: m.TxID})
		if err != nil {
			return nil, 0, err
		}
		e := &in.Transfer
		s.say.facts("block", fmt.Sprint(e.Height), "confirmations", fmt.Sprint(e.Confirmations),
			payee+"'s balance", money(total), "of it spendable", money(unlocked))
		m.PaidAfter, m.Confirmations, m.Confirmed = total, e.Confirmations, e.Type == "in" && e.Height > 0
		return e, unlocked, nil
	}
	if err := s.mine(ctx, 1, s.stranger, "block"); err != nil {
		return err
	}
	if _, _, err := show(); err != nil {
		return err
	}
	if err := s.mine(ctx, confirmations-1, s.stranger, "blocks on top"); err != nil {
		return err
	}
	_, unlocked, err := show()
	if err != nil {
		return err
	}
	after, _, err := s.balanceOf(ctx, from)
	if err != nil {
		return err
	}
	s.say.facts(payer+"'s balance", money(after)+verdict(after == m.SenderAfter))
	switch {
	case !m.Confirmed || m.PaidAfter != m.PaidBefore+m.Sent || after != m.SenderAfter:
		return fmt.Errorf("the payment did not arrive as sent")
	case unlocked != m.PaidAfter:
		return fmt.Errorf("%s's money is still locked after %d blocks", payee, confirmations)
	}
	return nil
}

// find returns the entry of a transaction, or nil.
func find(entries []walletrpc.TransferEntry, id string) *walletrpc.TransferEntry {
	for i := range entries {
		if entries[i].TxID == id {
			return &entries[i]
		}
	}
	return nil
}

func (s *stage) create(ctx context.Context, name string) error {
	_, err := call(ctx, s, walletrpc.CreateWallet, walletrpc.CreateWalletRequest{Filename: name, Password: demoPassword, Language: "English"})
	return err
}

// balanceOf opens the wallet name, reads the chain to its end and returns what it holds and may spend.
func (s *stage) balanceOf(ctx context.Context, name string) (total, unlocked uint64, err error) {
	if _, err := call(ctx, s, walletrpc.OpenWallet, walletrpc.OpenWalletRequest{Filename: name, Password: demoPassword}); err != nil {
		return 0, 0, err
	}
	return s.refreshed(ctx)
}

func (s *stage) refreshed(ctx context.Context) (total, unlocked uint64, err error) {
	if _, err := call(ctx, s, walletrpc.Refresh, walletrpc.RefreshRequest{}); err != nil {
		return 0, 0, err
	}
	return s.balance(ctx)
}

func (s *stage) balance(ctx context.Context) (total, unlocked uint64, err error) {
	b, err := call(ctx, s, walletrpc.GetBalance, walletrpc.GetBalanceRequest{})
	return b.Balance, b.UnlockedBalance, err
}

func (s *stage) address(ctx context.Context) (string, error) {
	a, err := call(ctx, s, walletrpc.GetAddress, walletrpc.GetAddressRequest{})
	return a.Address, err
}

// mine has the daemon find n blocks that pay address, with progress.
func (s *stage) mine(ctx context.Context, n int, address, what string) error {
	progress := s.say.progress("mining "+what, n)
	for done := 0; done < n; {
		some := min(10, n-done)
		if err := s.daemon.Mine(ctx, some, address); err != nil {
			return err
		}
		done += some
		progress(done)
	}
	return nil
}

// money writes an amount with its unit, aligned with others.
func money(atomic uint64) string { return fmt.Sprintf("%18s XMR", xmr.FormatAmount(atomic)) }

// minus is money that leaves.
func minus(atomic uint64) string { return fmt.Sprintf("%18s XMR", "-"+xmr.FormatAmount(atomic)) }

// verdict marks what the story claims.
func verdict(holds bool) string {
	if holds {
		return "  ✓"
	}
	return "  ✗ differs"
}

func title(name string) string { return strings.ToUpper(name[:1]) + name[1:] }
