package multisig

import (
	"io"
	"slices"

	"glim/core/coldset"
	"glim/core/internal/codec/wire"
	"glim/core/xmr"
)

// Magic words of the messages between the signers of a wallet. The last byte is the version of the layer below.
// Source: src/wallet/wallet2.cpp, MULTISIG_EXPORT_FILE_MAGIC and MULTISIG_UNSIGNED_TX_PREFIX.
const (
	magicInfo  = "Monero multisig export\x01"
	magicTxSet = "Monero multisig unsigned tx set\x01"

	maxCount       = 1 << 24    // of every list, besides what the bytes can hold
	outputInfoSize = 32 + 1 + 1 // at least
)

// Info is one signer's message to the others about the wallet's outputs, which they need before they can spend these.
// Source: src/wallet/wallet2.cpp, export_multisig.
type Info struct {
	Signer  xmr.PublicKey
	Outputs []OutputInfo // of the wallet's list, from its first on
}

// OutputInfo is one signer's contribution to spending an output: commitments to nonces, each for one response, and its
// parts of the key image, one for each of its shares of the spend key.
// Source: src/wallet/wallet2.h, multisig_info.
type OutputInfo struct {
	Nonces []NoncePair
	Images []xmr.KeyImage
}

// NoncePair commits to a nonce: its multiples of G and of the output's hash point.
// Source: src/wallet/wallet2.h, multisig_info::LR.
type NoncePair struct{ L, R [32]byte }

// Append writes s behind b.
func (s *Info) Append(b []byte) []byte {
	b = append(b, s.Signer[:]...)
	b = wire.AppendVarint(b, uint64(len(s.Outputs)))
	for i := range s.Outputs {
		o := &s.Outputs[i]
		b = append(b, s.Signer[:]...)
		b = wire.AppendVarint(b, uint64(len(o.Nonces)))
		for j := range o.Nonces {
			b = append(append(b, o.Nonces[j].L[:]...), o.Nonces[j].R[:]...)
		}
		b = wire.AppendKeys(b, o.Images)
	}
	return b
}

// ParseInfo reads what Append wrote and refuses bytes after it. It returns coldset.ErrMalformed when an output names
// another signer. It does not check points: see CheckInfos.
// Source: src/wallet/wallet2.cpp, import_multisig.
func ParseInfo(b []byte) (*Info, error) {
	r := wire.NewReader(b)
	s := &Info{Signer: r.Bytes32()}
	s.Outputs = make([]OutputInfo, r.Count(maxCount, outputInfoSize))
	for i := range s.Outputs {
		if r.Bytes32() != [32]byte(s.Signer) {
			r.Fail(coldset.ErrMalformed)
		}
		if r.Err() != nil {
			break
		}
		o := &s.Outputs[i]
		o.Nonces = make([]NoncePair, r.Count(maxCount, 64))
		for j := range o.Nonces {
			o.Nonces[j] = NoncePair{L: r.Bytes32(), R: r.Bytes32()}
		}
		o.Images = wire.ReadKeys[xmr.KeyImage](r, maxCount)
	}
	if err := r.Close(); err != nil {
		return nil, err
	}
	return s, nil
}

// Encode returns s as a message of the wallet of c.
// Source: src/wallet/wallet2.cpp, export_multisig.
func (s *Info) Encode(random io.Reader, c *coldset.Cipher) ([]byte, error) {
	return c.EncryptMessage(random, magicInfo, s.Append(c.Header()))
}

// DecodeInfo reads a message of the wallet of c. It returns the errors of coldset.Cipher.DecryptAddressed and
// ParseInfo.
// Source: src/wallet/wallet2.cpp, import_multisig.
func DecodeInfo(c *coldset.Cipher, message []byte) (*Info, error) {
	plain, err := c.DecryptAddressed(message, magicInfo)
	if err != nil {
		return nil, err
	}
	return ParseInfo(plain)
}

// TxSet is the transactions that the signers of a wallet pass on to each other until enough of them have signed.
// Source: src/wallet/wallet2.h, multisig_tx_set.
type TxSet struct {
	Transactions []coldset.PendingTx
	Signers      []xmr.PublicKey // that have signed
}

// Clone returns a copy to sign; signing it does not change s.
func (s *TxSet) Clone() *TxSet {
	c := &TxSet{Transactions: slices.Clone(s.Transactions), Signers: slices.Clone(s.Signers)}
	for i := range c.Transactions {
		sigs := make([]coldset.MultisigSig, len(c.Transactions[i].MultisigSigs))
		for j := range sigs {
			sigs[j] = s.Transactions[i].MultisigSigs[j].Clone()
		}
		c.Transactions[i].MultisigSigs = sigs
	}
	return c
}

// Append writes s behind b.
func (s *TxSet) Append(b []byte) []byte {
	return wire.AppendKeys(coldset.AppendPendingTxs(b, s.Transactions), s.Signers)
}

// ParseTxSet reads what Append wrote and refuses bytes after it.
// Source: src/wallet/wallet2.cpp, parse_multisig_tx_from_str.
func ParseTxSet(b []byte) (*TxSet, error) {
	s := new(TxSet)
	r := wire.NewReader(b)
	s.Transactions = coldset.ReadPendingTxs(r, true)
	s.Signers = coldset.ReadKeySet[xmr.PublicKey](r)
	if err := r.Close(); err != nil {
		return nil, err
	}
	return s, nil
}

// Encode returns s as a message of the wallet of c.
// Source: src/wallet/wallet2.cpp, save_multisig_tx.
func (s *TxSet) Encode(random io.Reader, c *coldset.Cipher) ([]byte, error) {
	return c.EncryptMessage(random, magicTxSet, s.Append(nil))
}

// DecodeTxSet reads a message of the wallet of c. It returns the errors of coldset.Cipher.DecryptMessage and
// ParseTxSet.
// Source: src/wallet/wallet2.cpp, parse_multisig_tx_from_str.
func DecodeTxSet(c *coldset.Cipher, message []byte) (*TxSet, error) {
	plain, err := c.DecryptMessage(message, magicTxSet)
	if err != nil {
		return nil, err
	}
	return ParseTxSet(plain)
}
