package proof

import "strings"

// MaxReceiptProofs is the largest number of proofs in a receipt: as many as a transaction has outputs besides change.
const MaxReceiptProofs = 15

// Receipt is a payment with the link that asked for it, and proofs that the payment was made. The message of each proof
// is the link.
type Receipt struct {
	Link   string
	TxID   string
	Proofs []AddressProof // one for each address of the link; 1 to MaxReceiptProofs
}

// AddressProof is a proof of payment to an address.
type AddressProof struct{ Address, Signature string }

// The lines of a receipt.
const (
	receiptTitle = "Monero payment receipt 1"
	linkLine     = "link: "
	txLine       = "transaction: "
	proofLine    = "proof: "
)

// Text returns r as lines of text, of which the last one ends, too. ParseReceipt reads it.
func (r *Receipt) Text() string {
	var b strings.Builder
	b.WriteString(receiptTitle + "\n" + linkLine + r.Link + "\n" + txLine + r.TxID + "\n")
	for _, p := range r.Proofs {
		b.WriteString(proofLine + p.Address + " " + p.Signature + "\n")
	}
	return b.String()
}

// ParseReceipt reads the text of a receipt, in which lines may also end in CR LF. It does not check the proofs. It
// returns ErrMalformed.
func ParseReceipt(text string) (r Receipt, err error) {
	lines := strings.Split(strings.TrimSpace(strings.ReplaceAll(text, "\r\n", "\n")), "\n")
	if len(lines) < 4 || len(lines) > 3+MaxReceiptProofs || lines[0] != receiptTitle {
		return Receipt{}, ErrMalformed
	}
	var ok bool
	if r.Link, ok = strings.CutPrefix(lines[1], linkLine); !ok {
		return Receipt{}, ErrMalformed
	}
	if r.TxID, ok = strings.CutPrefix(lines[2], txLine); !ok {
		return Receipt{}, ErrMalformed
	}
	for _, line := range lines[3:] {
		words := strings.Split(line, " ")
		if len(words) != 3 || words[0]+" " != proofLine {
			return Receipt{}, ErrMalformed
		}
		r.Proofs = append(r.Proofs, AddressProof{words[1], words[2]})
	}
	return r, nil
}
