package walletfile

import (
	"glim/core/codec/epee"
	"glim/core/internal/crypto/chacha"
	"glim/core/keys"
	"glim/core/xmr"
)

// account is the reference's serialised account. Source: src/cryptonote_basic/account.h.
type account struct {
	Created uint64      `json:"m_creation_timestamp"`
	Keys    accountKeys `json:"m_keys"`
}

type accountKeys struct {
	Address  accountAddress      `json:"m_account_address"`
	IV       [chacha.IVSize]byte `json:"m_encryption_iv"`
	Multisig [][32]byte          `json:"m_multisig_keys" epee:"blob"`
	Spend    [32]byte            `json:"m_spend_secret_key"`
	View     [32]byte            `json:"m_view_secret_key"`
}

type accountAddress struct {
	Spend xmr.PublicKey `json:"m_spend_public_key"`
	View  xmr.PublicKey `json:"m_view_public_key"`
}

func parseAccount(b []byte) (*account, error) {
	a := new(account)
	if err := epee.Unmarshal(b, a); err != nil {
		return nil, ErrFormat
	}
	return a, nil
}

func newAccount(w *Wallet) *account {
	a := &account{Created: w.Created}
	a.Keys.Address = accountAddress{w.Keys.SpendPublic, w.Keys.ViewPublic}
	a.Keys.View = w.Keys.ViewSecret()
	if spend, ok := w.Keys.SpendSecret(); ok {
		a.Keys.Spend = spend // stays zero in a view-only wallet
	}
	if w.Multisig != nil {
		p := w.Multisig.Data()
		a.Keys.Spend = p.Base
		for _, share := range p.Shares {
			a.Keys.Multisig = append(a.Keys.Multisig, share)
		}
		clear(p.Shares)
	}
	return a
}

func (a *account) wipe() {
	clear(a.Keys.Spend[:])
	clear(a.Keys.View[:])
	clear(a.Keys.Multisig)
}

// crypt encrypts or decrypts the secret keys. Source: account.cpp, xor_with_key_stream.
func (a *account) crypt(p *Password) {
	all := append(append(make([]byte, 0, 64+32*len(a.Keys.Multisig)), a.Keys.Spend[:]...), a.Keys.View[:]...)
	for i := range a.Keys.Multisig {
		all = append(all, a.Keys.Multisig[i][:]...)
	}
	defer clear(all)
	chacha.XOR(all, all, p.secretKeys(), a.Keys.IV)
	a.Keys.Spend, a.Keys.View = [32]byte(all[:32]), [32]byte(all[32:64])
	for i := range a.Keys.Multisig {
		copy(a.Keys.Multisig[i][:], all[64+32*i:])
	}
}

// keys returns the account's keys after comparing them with its address. The error is ErrFormat.
func (a *account) keys(viewOnly bool) (k *keys.Keys, err error) {
	if viewOnly {
		k, err = keys.ViewOnly(a.Keys.View, a.Keys.Address.Spend)
	} else {
		k, err = keys.FromSecrets(a.Keys.Spend, a.Keys.View)
	}
	if err != nil || k.SpendPublic != a.Keys.Address.Spend || k.ViewPublic != a.Keys.Address.View {
		return nil, ErrFormat
	}
	return k, nil
}
