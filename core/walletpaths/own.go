package walletpaths

import (
	"glim/core/crypto/edwards"
	"glim/core/treecache"
	"glim/core/wallet"
)

// register registers the outputs that the wallet has, and forgets those whose spend no reorganisation reaches. If an
// output is in a block that the tree has, for example because the wallet has found it with a new subaddress, the blocks
// from there on are dropped, to be read again.
func (p *Paths) register(read func(func(*wallet.Wallet))) error {
	var found []wallet.OwnedOutput
	var gone []place
	var spent []treecache.Output
	read(func(w *wallet.Wallet) {
		list, top := w.Outputs(), w.Height()
		for i := range list {
			o := &list[i]
			at := place{o.TxID, o.Index}
			_, known := p.own[at]
			height, ok := w.SpentAt(o)
			switch final := ok && height+p.cache.Depth() < top; {
			case known && final:
				gone, spent = append(gone, at), append(spent, p.own[at])
			case final:
				spent = append(spent, p.loaded[o.Key]...)
			case !known && !final:
				found = append(found, *o)
			}
		}
	})
	for _, at := range gone {
		delete(p.own, at)
	}
	for i := range spent {
		p.cache.Unregister(spent[i])
	}
	p.loaded = nil
	late := p.cache.Height()
	for i := range found {
		o := &found[i]
		out, err := outputOf(o)
		if err != nil {
			return err
		}
		p.own[place{o.TxID, o.Index}] = out
		if !p.cache.Has(out) {
			p.cache.Register(out)
			late = min(late, o.Height)
		}
	}
	return p.detach(late)
}

// outputOf returns an output of the wallet as the tree has it. Its mask is secret.
func outputOf(o *wallet.OwnedOutput) (treecache.Output, error) {
	out := treecache.Output{Key: o.Key, Carrot: o.Carrot}
	mask, err := edwards.DecodeScalar(o.Mask)
	if err != nil {
		return out, err
	}
	if !o.RingCT { // the amount is public
		mask = edwards.ScalarFromUint64(1)
	}
	out.Commitment = edwards.Commit(mask, o.Amount).Encode()
	edwards.Wipe(mask)
	return out, nil
}
