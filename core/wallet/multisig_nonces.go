package wallet

import (
	"bytes"
	"errors"
	"maps"
	"slices"

	"glim/core/internal/smallsort"
	"glim/core/keys"
	"glim/core/multisig"
	"glim/core/xmr"
)

// ErrNonces reports that nonces were used or replaced in the meantime.
var ErrNonces = errors.New("wallet: the nonces were used or replaced")

// ErrOtherOutputs reports that outputs changed their order, for example after a reorganisation.
var ErrOtherOutputs = errors.New("wallet: the outputs changed meanwhile; try again")

// OutputNonces are the secret nonces whose commitments this signer has sent to the others, for one output, in that
// order. All are used at once; an entry without secrets removes them.
type OutputNonces struct {
	Key     xmr.PublicKey `json:"key"`
	Secrets []keys.Secret `json:"secrets" epee:"blob"`
}

// CosignerNonces are the nonce commitments of the other signers for one output. They replace earlier ones.
type CosignerNonces struct {
	Key xmr.PublicKey  `json:"key"`
	By  []SignerNonces `json:"by"`
}

// SignerNonces are one signer's commitments to nonces.
type SignerNonces struct {
	Signer xmr.PublicKey `json:"signer"`
	L      [][32]byte    `json:"l" epee:"blob"` // multiples of G
	R      [][32]byte    `json:"r" epee:"blob"` // multiples of Hp of the output key
}

// cosigning is the state that a multisig wallet keeps between messages.
type cosigning struct {
	nonces   map[xmr.PublicKey][]keys.Secret
	received map[xmr.PublicKey][]SignerNonces
}

func newCosigning() cosigning {
	return cosigning{nonces: map[xmr.PublicKey][]keys.Secret{}, received: map[xmr.PublicKey][]SignerNonces{}}
}

// Nonces returns a copy of the unused nonces for the output with this key. The caller wipes it.
func (w *Wallet) Nonces(output xmr.PublicKey) []keys.Secret {
	return slices.Clone(w.cosigning.nonces[output])
}

// CosignerNonces returns the other signers' nonce commitments for the output with this key, ascending by signer.
func (w *Wallet) CosignerNonces(output xmr.PublicKey) (list []multisig.SignerNonces) {
	for _, by := range w.cosigning.received[output] {
		t := multisig.SignerNonces{Signer: by.Signer}
		for i := range min(len(by.L), len(by.R)) {
			t.Nonces = append(t.Nonces, multisig.NoncePair{L: by.L[i], R: by.R[i]})
		}
		list = append(list, t)
	}
	return list
}

// ImagesMissing reports whether a multisig wallet has outputs with unknown key images: it then needs the other
// signers' multisig info.
// Source: src/wallet/wallet2.cpp, has_multisig_partial_key_images.
func (w *Wallet) ImagesMissing() bool {
	missing := func(o OwnedOutput) bool { return !o.ImageKnown }
	return w.identity.Multisig != nil && slices.ContainsFunc(w.outputs, missing)
}

// DecideNewNonces replaces all nonces with fresh ones. It must be committed before their commitments are sent to
// others.
func (w *Wallet) DecideNewNonces(fresh []OutputNonces) ChangeSet {
	u := UserChange{Nonces: fresh}
	replaced := map[xmr.PublicKey]bool{}
	for i := range fresh {
		replaced[fresh[i].Key] = true
	}
	for key := range w.cosigning.nonces {
		if !replaced[key] {
			u.Nonces = append(u.Nonces, OutputNonces{Key: key})
		}
	}
	return ChangeSet{User: u}
}

// DecideUseNonces removes the nonces of some outputs, of which the caller has a copy. It must be committed before a
// response is computed with any of them. It returns ErrNonces if they are not the wallet's current nonces.
func (w *Wallet) DecideUseNonces(taken []OutputNonces) (ChangeSet, error) {
	var u UserChange
	for i := range taken {
		if len(taken[i].Secrets) > 0 && !slices.Equal(w.cosigning.nonces[taken[i].Key], taken[i].Secrets) {
			return ChangeSet{}, ErrNonces
		}
		if len(taken[i].Secrets) > 0 {
			u.Nonces = append(u.Nonces, OutputNonces{Key: taken[i].Key})
		}
	}
	return ChangeSet{User: u}, nil
}

// DecideCosignerNonces stores nonce commitments of the other signers.
func (w *Wallet) DecideCosignerNonces(list []CosignerNonces) ChangeSet {
	return ChangeSet{User: UserChange{CosignerNonces: list}}
}

// DecideMultisigImages stores the key images, computed with the other signers' info, of the wallet's first outputs,
// in their order. If an image is new, again is true and the chain is to be scanned again from the first such output.
// now is in POSIX seconds. Errors: ErrOtherOutputs, ErrImage if an image belongs to another output.
func (w *Wallet) DecideMultisigImages(images []KnownImage, now uint64) (c ChangeSet, again bool, err error) {
	from := uint64(0)
	for i := range images {
		if i >= len(w.outputs) || w.outputs[i].Key != images[i].Key {
			return ChangeSet{}, false, ErrOtherOutputs
		}
		o := &w.outputs[i]
		if first := w.FirstSeen(o); (!o.ImageKnown || o.Image != images[i].Image) && (!again || first < from) {
			from, again = first, true
		}
	}
	known, err := w.DecideImages(images)
	if err != nil || !again {
		return known, again, err
	}
	c = w.DecideRescan(from, now)
	c.User.Images = known.User.Images
	return c, again, nil
}

func (w *Wallet) commitCosigning(u *UserChange) {
	for _, n := range u.Nonces {
		clear(w.cosigning.nonces[n.Key])
		delete(w.cosigning.nonces, n.Key)
		if len(n.Secrets) > 0 {
			w.cosigning.nonces[n.Key] = slices.Clone(n.Secrets)
		}
	}
	for _, t := range u.CosignerNonces {
		delete(w.cosigning.received, t.Key)
		if len(t.By) > 0 {
			w.cosigning.received[t.Key] = t.By
		}
	}
}

// snapshot adds the records of nonces and of nonce commitments.
func (c *cosigning) snapshot(s *snapshot) {
	byKey := func(a, b xmr.PublicKey) int { return bytes.Compare(a[:], b[:]) }
	var nonces []OutputNonces
	for _, key := range smallsort.Sorted(maps.Keys(c.nonces), byKey) {
		nonces = append(nonces, OutputNonces{key, c.nonces[key]})
	}
	var list []CosignerNonces
	for _, key := range smallsort.Sorted(maps.Keys(c.received), byKey) {
		list = append(list, CosignerNonces{key, c.received[key]})
	}
	addParts(s, nonces, partLarge, func(c *ChangeSet, part []OutputNonces) { c.User.Nonces = part })
	addParts(s, list, partLarge, func(c *ChangeSet, part []CosignerNonces) { c.User.CosignerNonces = part })
}
