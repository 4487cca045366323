package wallet

import (
	"bytes"
	"errors"
	"maps"
	"slices"

	"glim/core/coldset"
	"glim/core/internal/order"
	"glim/core/keys"
	"glim/core/multisig"
	"glim/core/xmr"
)

// ErrNonces reports that nonces were used or replaced meanwhile.
var ErrNonces = errors.New("wallet: nonces that are not there any more")

// ErrOtherOutputs reports outputs that changed places, as when the chain took another way.
var ErrOtherOutputs = errors.New("wallet: the outputs changed meanwhile; try again")

// OutputNonces are the nonces this signer has told the others for one output, in that order. They are all used up at once: then
// there are none.
type OutputNonces struct {
	Key     xmr.PublicKey `json:"key"`
	Secrets []keys.Secret `json:"secrets" epee:"blob"`
}

// OutputTold is what the other signers told of one output: all of it, in the place of what they told before.
type OutputTold struct {
	Key xmr.PublicKey `json:"key"`
	By  []ToldBy      `json:"by"`
}

// ToldBy is one signer's commitments to nonces.
type ToldBy struct {
	Signer xmr.PublicKey `json:"signer"`
	L      [][32]byte    `json:"l" epee:"blob"` // multiples of G
	R      [][32]byte    `json:"r" epee:"blob"` // multiples of the output's hash point
}

// cosigning is what a wallet of a group keeps between messages.
type cosigning struct {
	nonces map[xmr.PublicKey][]keys.Secret
	told   map[xmr.PublicKey][]ToldBy
}

func newCosigning() cosigning {
	return cosigning{nonces: map[xmr.PublicKey][]keys.Secret{}, told: map[xmr.PublicKey][]ToldBy{}}
}

// Nonces returns a copy of the nonces told for the output with a key and not used; the caller wipes it.
func (w *Wallet) Nonces(output xmr.PublicKey) []keys.Secret {
	return slices.Clone(w.cosigning.nonces[output])
}

// Told returns what other signers told of the output with a key, ascending by signer.
func (w *Wallet) Told(output xmr.PublicKey) (list []multisig.Told) {
	for _, by := range w.cosigning.told[output] {
		t := multisig.Told{Signer: by.Signer}
		for i := range min(len(by.L), len(by.R)) {
			t.Nonces = append(t.Nonces, coldset.NoncePair{L: by.L[i], R: by.R[i]})
		}
		list = append(list, t)
	}
	return list
}

// ImagesMissing reports outputs of a group's wallet whose key images are not known: the other signers' infos are needed.
// Source: src/wallet/wallet2.cpp, has_multisig_partial_key_images.
func (w *Wallet) ImagesMissing() bool {
	return w.origin.Multisig != nil && slices.ContainsFunc(w.outputs, func(o Output) bool { return !o.ImageKnown })
}

// DecideExport keeps fresh nonces in the place of all there were. It must be committed before anything of them is told.
func (w *Wallet) DecideExport(fresh []OutputNonces) ChangeSet {
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

// DecideUse uses up the nonces of some outputs, of which the caller has a copy. It must be committed before a response is made
// with any of them. ErrNonces when they are not those the wallet has.
func (w *Wallet) DecideUse(taken []OutputNonces) (ChangeSet, error) {
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

// DecideToldBy keeps what the other signers told of outputs.
func (w *Wallet) DecideToldBy(told []OutputTold) ChangeSet {
	return ChangeSet{User: UserChange{Told: told}}
}

// DecideParts takes the key images that follow from what the other signers told of the wallet's first outputs, in order. Where one is
// news, the chain is read again from there, as of now, POSIX seconds: again says so. Errors: ErrOtherOutputs, ErrImage when an image is another output's.
func (w *Wallet) DecideParts(images []KnownImage, now uint64) (c ChangeSet, again bool, err error) {
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
	for _, t := range u.Told {
		delete(w.cosigning.told, t.Key)
		if len(t.By) > 0 {
			w.cosigning.told[t.Key] = t.By
		}
	}
}

// snapshot adds the records of nonces and of what was told.
func (c *cosigning) snapshot(s *snapshot) {
	byKey := func(a, b xmr.PublicKey) int { return bytes.Compare(a[:], b[:]) }
	var nonces []OutputNonces
	for _, key := range order.Sorted(maps.Keys(c.nonces), byKey) {
		nonces = append(nonces, OutputNonces{key, c.nonces[key]})
	}
	var told []OutputTold
	for _, key := range order.Sorted(maps.Keys(c.told), byKey) {
		told = append(told, OutputTold{key, c.told[key]})
	}
	addParts(s, nonces, partLarge, func(c *ChangeSet, part []OutputNonces) { c.User.Nonces = part })
	addParts(s, told, partLarge, func(c *ChangeSet, part []OutputTold) { c.User.Told = part })
}
