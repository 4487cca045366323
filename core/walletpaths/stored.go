package walletpaths

import (
	"errors"
	"io"

	"golang.org/x/crypto/chacha20poly1305"

	"glim/core/crypto/keccak"
	"glim/core/internal/codec/wire"
	"glim/core/keys"
	"glim/core/treecache"
	"glim/core/xmr"
)

// What is stored, encrypted with XChaCha20-Poly1305; numbers are varints:
//
//	8 "glimtre" and the version, which are the additional data
//	24 nonce
//	encrypted: 1 if a header has confirmed the tree, index of the first ID, number of IDs, IDs of 32 bytes; then the
//	encoding of treecache.Cache
const magic = "glimtre\x01"

// The tree is stored after this many blocks: while it reads many, and when it has all. After a crash, so many are read
// again.
const (
	saveEvery = 2000
	saveLast  = 100
)

var errStored = errors.New("walletpaths: damaged or unknown encoding")

func sealKey(k *keys.Keys) [32]byte {
	secret := k.ViewSecret()
	defer clear(secret[:])
	return keccak.Sum256([]byte("glim: paths of a wallet's outputs"), secret[:])
}

// save stores the tree if it has at least n blocks more than when it was stored last, or if blocks were dropped since.
func (p *Paths) save(n uint64) error {
	if p.store == nil || p.cache == nil || p.saved >= 0 && p.cache.Height() < uint64(p.saved)+n {
		return nil
	}
	sealed, err := p.seal()
	if err == nil {
		err = p.store.Save(sealed)
	}
	if err == nil {
		p.saved = int64(p.cache.Height())
	}
	return err
}

func (p *Paths) seal() ([]byte, error) {
	plain := []byte{0}
	if p.confirmed {
		plain[0] = 1
	}
	plain = wire.AppendVarint(plain, p.chain.first)
	plain = wire.AppendVarint(plain, uint64(len(p.chain.ids)))
	for _, id := range p.chain.ids {
		plain = append(plain, id[:]...)
	}
	plain = p.cache.Append(plain)
	defer clear(plain)
	var nonce [chacha20poly1305.NonceSizeX]byte
	if _, err := io.ReadFull(p.random, nonce[:]); err != nil {
		return nil, err
	}
	cipher, err := chacha20poly1305.NewX(p.key[:])
	if err != nil {
		return nil, err
	}
	return cipher.Seal(append([]byte(magic), nonce[:]...), nonce[:], plain, []byte(magic)), nil
}

// load reads what is stored. It reports whether that is a tree; if not, the tree begins anew.
func (p *Paths) load() bool {
	if p.store == nil {
		return false
	}
	sealed, err := p.store.Load()
	return err == nil && p.open(sealed) == nil
}

func (p *Paths) open(sealed []byte) error {
	if len(sealed) < len(magic)+chacha20poly1305.NonceSizeX || string(sealed[:len(magic)]) != magic {
		return errStored
	}
	cipher, err := chacha20poly1305.NewX(p.key[:])
	if err != nil {
		return err
	}
	nonce := sealed[len(magic):][:chacha20poly1305.NonceSizeX]
	plain, err := cipher.Open(nil, nonce, sealed[len(magic)+len(nonce):], []byte(magic))
	if err != nil {
		return err
	}
	defer clear(plain)
	return p.decode(plain)
}

// decode reads what seal has encrypted.
func (p *Paths) decode(plain []byte) error {
	r := wire.NewReader(plain)
	confirmed := r.Byte()
	next := blockIDs{genesis: p.chain.genesis, first: r.Varint()}
	for n := r.Count(r.Len()/len(xmr.Hash{}), len(xmr.Hash{})); n > 0; n-- {
		next.ids = append(next.ids, xmr.Hash(r.Bytes32()))
	}
	if r.Err() != nil || confirmed > 1 {
		return errStored
	}
	cache, err := treecache.Decode(p.rules, r.Bytes(r.Len()))
	if err != nil {
		return err
	}
	if next.first+uint64(len(next.ids)) != cache.Height() || len(next.ids) == 0 && cache.Height() > 0 {
		return errStored
	}
	p.cache, p.chain, p.confirmed, p.saved = cache, next, confirmed == 1, int64(cache.Height())
	p.own, p.loaded = map[place]treecache.Output{}, map[xmr.PublicKey][]treecache.Output{}
	for _, o := range cache.Own() {
		p.loaded[o.Key] = append(p.loaded[o.Key], o)
	}
	return nil
}
