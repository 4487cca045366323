package walletcache

import (
	"slices"

	"glim/core/internal/codec/wire"
	"glim/core/xmr"
)

// boost reads an archive.
//
// Source: external/boost/archive/portable_binary_iarchive.hpp. Boost.Serialization writes class information according
// to a type's implementation level: numbers, texts, arrays, and vectors and sets of numbers have none.
type boost struct {
	reader
	known    [classes]bool
	tracked  [classes]bool
	versions [classes]uint64
	objects  uint64 // read so far, of tracked classes
	blob     []byte // buffer of prefixes
}

// parseBoost reads an archive.
func parseBoost(data []byte) (*Cache, error) {
	b := &boost{reader: reader{Reader: wire.NewReader(data), budget: allowance(len(data))}}
	b.Bytes(len(archive))
	b.number() // the version of the library, which the reference always writes as 0
	switch order := b.Byte(); order {
	case 0, 0x80: // little-endian, implicitly or explicitly
	default:
		return nil, &VersionError{Part: "portable_binary_iarchive", Version: uint64(order)}
	}
	c := b.cache()
	if b.Close() != nil {
		return nil, failure(b.Err())
	}
	c.secret = data
	return c, nil
}

// number reads an integer: its length in bytes, which is negative for a negative integer, and its bytes in
// little-endian order.
func (b *boost) number() uint64 {
	size := int(int8(b.Byte()))
	negative := size < 0
	if negative {
		size = -size
	}
	if size > 8 {
		b.Fail(ErrFormat)
		return 0
	}
	var v uint64
	for i, c := range b.Bytes(size) {
		v |= uint64(c) << (8 * i)
	}
	if negative {
		v = -v
	}
	return v
}

func (b *boost) narrow() uint32 {
	v := b.number()
	if v > 1<<32-1 {
		b.Fail(ErrFormat)
	}
	return uint32(v)
}

func (b *boost) bool() bool { return b.number() != 0 }

// count reads the length of a collection whose elements take at least smallest bytes each.
func (b *boost) count(smallest int) int {
	n := b.number()
	if n > uint64(b.Len()/smallest) {
		b.Fail(wire.ErrShort)
		return 0
	}
	return int(n)
}

// class reads the information that precedes a value of class c, and returns the version of the class. The first value
// of a class is preceded by its description. Each value of a tracked class is preceded by its object number, which
// repeats for the same object; the reference never writes an object twice. Newer releases of Boost track variants, and
// nothing else here.
func (b *boost) class(c class) uint64 {
	if !b.known[c] {
		b.describe(c)
	}
	if b.tracked[c] {
		if b.number() != b.objects {
			b.Fail(ErrFormat)
		}
		b.objects++
	}
	return b.versions[c]
}

func (b *boost) describe(c class) {
	tracked := b.number()
	v := b.number()
	if tracked > 1 {
		b.Fail(ErrFormat)
	}
	if known, ok := versioned[c]; ok {
		if v < known.lowest || v > known.highest {
			b.Fail(&VersionError{Part: known.name, Version: v})
		}
	} else if v != 0 {
		b.Fail(ErrFormat)
	}
	b.known[c], b.tracked[c], b.versions[c] = true, tracked == 1, v
}

// fixed reads a class that consists of a byte array.
func (b *boost) fixed(c class, out []byte) {
	b.class(c)
	b.array(out)
}

func (b *boost) array(out []byte) {
	if b.number() != uint64(len(out)) {
		b.Fail(ErrFormat)
	}
	copy(out, b.Bytes(len(out)))
}

func (b *boost) part(c class) (out [32]byte) {
	b.fixed(c, out[:])
	return out
}

func (b *boost) text() string {
	n := b.count(1)
	if !b.spend(n, 1) {
		return ""
	}
	return string(b.Bytes(n))
}

// vector reads a Boost collection: its class, length, element version and elements.
func vector[T any](b *boost, c class, smallest int, read func(*T)) []T {
	b.class(c)
	return plain(b, smallest, read)
}

// plain reads a collection that has no class information.
func plain[T any](b *boost, smallest int, read func(*T)) []T {
	n := b.count(smallest)
	b.number()
	return many(&b.reader, n, read)
}

// table reads one of the collections that the reference serialises itself: class, length, elements.
// Source: src/common/unordered_containers_boost_serialization.h.
func table[T any](b *boost, c class, smallest int, read func(*T)) []T {
	b.class(c)
	return many(&b.reader, b.count(smallest), read)
}

func (b *boost) numbers() []uint64 { return plain(b, 1, func(n *uint64) { *n = b.number() }) }

func (b *boost) hash(h *xmr.Hash) { *h = b.part(classHash) }

// cache reads the whole cache. Source: wallet2.h, serialize of wallet2.
func (b *boost) cache() *Cache {
	c := &Cache{Boost: true, Version: b.class(classWallet)}
	if c.Version < 19 {
		c.Chain.Hashes = vector(b, classHashes, 34, b.hash)
		if len(c.Chain.Hashes) > 0 {
			c.Chain.Genesis = c.Chain.Hashes[0]
		}
	} else {
		b.class(classChain)
		c.Chain.Offset, c.Chain.Genesis = b.number(), b.part(classHash)
		c.Chain.Hashes = vector(b, classHashQueue, 34, b.hash)
	}
	c.Transfers = vector(b, classTransfers, 120, b.transfer)
	c.Spend, c.View = b.address()
	c.KeyImages = table(b, classImages, 35, func(i *ImageOf) {
		i.Image, i.Transfer = b.part(classKeyImage), b.number()
	})
	c.Pending = table(b, classUnconfirmeds, 80, b.unconfirmed)
	c.Payments = table(b, classPayments, 72, b.payment)
	c.TxKeys = table(b, classTxKeys, 68, func(k *TxKey) { k.TxID, k.Key = b.part(classHash), b.part(classSecretKey) })
	c.Confirmed = table(b, classConfirmeds, 75, b.confirmed)
	b.number() // refresh height; the keys file has it
	c.Notes = table(b, classTexts, 35, func(n *Note) { n.TxID, n.Text = b.part(classHash), b.text() })
	if c.Version < 17 {
		c.Pool = table(b, classPaymentMap, 72, b.formerPool)
	}
	c.OutputKeys = table(b, classOutputKeys, 35, func(k *KeyOf) {
		k.Key, k.Transfer = b.part(classPublicKey), b.number()
	})
	c.AddressBook = vector(b, classAddressBook, 68, b.contact)
	if c.Version >= 17 && c.Version < 22 {
		c.Pool = table(b, classPayments, 72, b.formerPool)
	}
	if c.Version >= 18 {
		for i := range c.ScannedPool {
			c.ScannedPool[i] = table(b, classHashSet, 34, b.hash)
		}
	}
	if c.Version >= 20 {
		b.names(c)
	}
	return c
}

// names reads the fields that exist since wallets have accounts.
func (b *boost) names(c *Cache) {
	seen := watched{}
	b.class(classSubaddresses)
	for range b.count(35) {
		b.part(classPublicKey)
		if i := b.index(); b.Err() == nil {
			seen.add(i)
		}
	}
	c.Table = seen.list(&b.reader)
	b.class(classSubaddressKeys) // the same addresses again
	for range b.count(35) {
		b.index()
		b.part(classPublicKey)
	}
	c.Labels = vector(b, classLabels, 2, func(labels *[]string) { *labels = b.texts() })
	additional := table(b, classAdditional, 35, func(k *TxKey) {
		k.TxID = b.part(classHash)
		k.Additional = vector(b, classSecretKeys, 34, func(p *[32]byte) { *p = b.part(classSecretKey) })
	})
	c.TxKeys = join(c.TxKeys, additional)
	if c.Version >= 21 {
		c.Attributes = table(b, classAttributes, 2, func(a *Attribute) { a.Key, a.Value = b.text(), b.text() })
	}
	if c.Version >= 22 {
		c.Pool = table(b, classPoolPayments, 73, func(p *PoolPayment) {
			p.PaymentID = b.part(classHash)
			b.class(classPoolPayment)
			b.details(&p.Payment)
			p.DoubleSpendSeen = b.bool()
		})
	}
	if c.Version >= 23 {
		b.class(classAccountTags)
		c.Tags = vector(b, classTags, 2, func(t *Tag) {
			b.class(classTag)
			t.Name, t.Description = b.text(), b.text()
		})
		c.AccountTags = b.texts()
	}
	if c.Version >= 24 {
		c.RingsSaved = b.bool()
	}
	if c.Version >= 25 {
		c.LastBlockReward = b.number()
	}
	if c.Version >= 26 {
		c.DeviceData = table(b, classTexts, 35, func(d *DeviceData) {
			d.TxID, d.Data = b.part(classHash), b.Bytes(b.count(1))
		})
	}
	if c.Version >= 27 {
		c.DeviceSynced = b.number()
	}
	if c.Version >= 28 {
		c.ColdKeyImages = table(b, classColdImages, 68, func(i *ColdImage) {
			i.Key, i.Image = b.part(classPublicKey), b.part(classKeyImage)
		})
	}
	if c.Version >= 29 {
		c.RPCClientSecret = b.part(classSecretKey)
	}
}

func (b *boost) texts() []string {
	return vector(b, classStrings, 1, func(s *string) { *s = b.text() })
}

func (b *boost) address() (spend, view xmr.PublicKey) {
	b.class(classAddress)
	return b.part(classPublicKey), b.part(classPublicKey)
}

func (b *boost) index() Index {
	b.class(classIndex)
	return Index{b.narrow(), b.narrow()}
}

// transfer reads an output of the wallet.
func (b *boost) transfer(t *Transfer) {
	version := b.class(classTransfer)
	t.Height, t.GlobalIndex, t.OutputIndex = b.number(), b.number(), b.number()
	t.Prefix = b.prefix()
	t.Extra = b.extra
	if t.OutputIndex >= uint64(len(b.outputs)) {
		b.Fail(ErrFormat)
		return
	}
	t.Key = b.outputs[t.OutputIndex]
	t.Spent = b.bool()
	t.KeyImage, t.Mask = b.part(classKeyImage), b.part(classKey)
	t.Amount, t.SpentHeight = b.number(), b.number()
	t.TxID = b.part(classHash)
	t.RingCT, t.KeyImageKnown = b.bool(), b.bool()
	t.PublicKey = b.number()
	if version >= 8 {
		t.Index = b.index()
	}
	if version >= 9 {
		t.MultisigInfo = vector(b, classInfos, 36, b.info)
		t.MultisigNonces = vector(b, classKeys, 34, func(k *[32]byte) { *k = b.part(classKey) })
		t.KeyImagePartial = b.bool()
	}
	if version >= 10 {
		t.KeyImageRequested = b.bool()
	}
	if version >= 11 {
		t.Uses = vector(b, classUses, 35, func(u *Use) {
			b.class(classUse)
			u.Height, u.TxID = b.number(), b.part(classHash)
		})
	}
	if version >= 12 {
		t.Frozen = b.bool()
	}
}

func (b *boost) info(i *MultisigInfo) {
	b.class(classInfo)
	i.Signer = b.part(classPublicKey)
	i.Nonces = vector(b, classLRs, 68, func(n *[2][32]byte) {
		b.class(classLR)
		*n = [2][32]byte{b.part(classKey), b.part(classKey)}
	})
	i.PartialKeyImages = vector(b, classKeyImages, 34, func(k *xmr.KeyImage) { *k = b.part(classKeyImage) })
}

func (b *boost) unconfirmed(s *Sent) {
	s.TxID = b.part(classHash)
	version := b.class(classUnconfirmed)
	s.Change, s.SentTime = b.number(), b.number()
	s.Prefix = b.prefix()
	s.Destinations, s.PaymentID = b.destinations(), b.part(classHash)
	state := b.number()
	if state > uint64(StateFailed) {
		b.Fail(ErrFormat)
	}
	s.State = State(state)
	s.Timestamp, s.AmountIn, s.AmountOut = b.number(), b.number(), b.number()
	b.spent(s, version >= 7, version >= 8)
}

func (b *boost) confirmed(s *Sent) {
	s.TxID = b.part(classHash)
	version := b.class(classConfirmed)
	s.AmountIn, s.AmountOut, s.Change, s.Height = b.number(), b.number(), b.number(), b.number()
	s.Destinations, s.PaymentID = b.destinations(), b.part(classHash)
	s.Timestamp = b.number()
	if version >= 4 {
		s.UnlockTime = b.number()
	}
	b.spent(s, version >= 5, version >= 6)
}

// spent reads the fields about a transaction's inputs that only later versions have.
func (b *boost) spent(s *Sent, accounts, rings bool) {
	if accounts {
		s.Account = b.narrow()
		s.Addresses = plain(b, 1, func(n *uint32) { *n = b.narrow() })
	}
	if rings {
		s.Rings = vector(b, classRings, 36, func(ring *Ring) {
			b.class(classRing)
			ring.KeyImage, ring.Offsets = b.part(classKeyImage), b.numbers()
		})
	}
}

func (b *boost) destinations() []Destination {
	return vector(b, classDestinations, 69, func(d *Destination) {
		version := b.class(classDestination)
		d.Amount = b.number()
		d.Spend, d.View = b.address()
		if version >= 1 {
			d.IsSubaddress = b.bool()
		}
		if version >= 2 {
			d.Original, d.IsIntegrated = b.text(), b.bool()
		}
	})
}

func (b *boost) payment(p *Payment) {
	p.PaymentID = b.part(classHash)
	b.details(p)
}

func (b *boost) formerPool(p *PoolPayment) { b.payment(&p.Payment) }

func (b *boost) details(p *Payment) {
	version := b.class(classPayment)
	p.TxID = b.part(classHash)
	p.Amount, p.Height, p.UnlockTime, p.Timestamp = b.number(), b.number(), b.number(), b.number()
	if version >= 2 {
		p.Index = b.index()
	}
	if version >= 3 {
		p.Fee = b.number()
	}
	if version >= 4 {
		p.Coinbase = b.bool()
	}
	if version >= 5 {
		p.Amounts = b.numbers()
	}
}

// contact reads an address book entry. It drops long payment IDs, as later releases do.
func (b *boost) contact(c *Contact) {
	version := b.class(classContact)
	c.Spend, c.View = b.address()
	if version < 18 {
		id := b.part(classHash)
		if long := [24]byte(id[8:]); long == [24]byte{} {
			c.PaymentID = [8]byte(id[:8])
			c.HasPaymentID = c.PaymentID != [8]byte{}
		}
	}
	c.Description = b.text()
	if version >= 17 {
		c.IsSubaddress = b.bool()
	}
	if version >= 18 {
		if c.HasPaymentID = b.bool(); c.HasPaymentID {
			b.fixed(classHash8, c.PaymentID[:])
		}
	}
}

// prefix reads a transaction prefix, returns it in the chain's serialisation, and remembers its outputs.
// Source: src/cryptonote_basic/cryptonote_boost_serialization.h.
func (b *boost) prefix() []byte {
	b.class(classPrefix)
	start := len(b.blob)
	b.put(b.number())
	b.put(b.number()) // unlock time
	b.class(classInputs)
	inputs := b.count(2)
	b.number()
	b.put(uint64(inputs))
	for range inputs {
		b.class(classInput)
		switch b.number() {
		case 0:
			b.class(classGen)
			b.blob = append(b.blob, tagGen)
			b.put(b.number())
		case 3:
			b.class(classToKey)
			b.blob = append(b.blob, tagToKey)
			b.put(b.number())
			offsets := b.count(1)
			b.number()
			b.put(uint64(offsets))
			for range offsets {
				b.put(b.number())
			}
			image := b.part(classKeyImage)
			b.blob = append(b.blob, image[:]...)
		default:
			b.Fail(ErrFormat)
			return nil
		}
	}
	b.class(classOutputs)
	outputs := b.count(4)
	b.number()
	if outputs > maxOutputs {
		b.Fail(ErrFormat)
		return nil
	}
	b.put(uint64(outputs))
	b.outputs = slices.Grow(b.outputs[:0], outputs)
	for range outputs {
		b.class(classOutput)
		b.put(b.number()) // amount
		b.class(classTarget)
		var key xmr.PublicKey
		switch b.number() {
		case 0:
			b.class(classTargetScript)
			b.class(classPublicKeys)
			for range 4 { // lengths and versions of no keys and no script
				if b.number() != 0 {
					b.Fail(ErrFormat)
				}
			}
			b.blob = append(b.blob, tagScript, 0, 0)
		case 2:
			b.class(classTargetKey)
			key = b.part(classPublicKey)
			b.blob = append(append(b.blob, tagToKey), key[:]...)
		default:
			b.Fail(ErrFormat)
		}
		if b.Err() != nil {
			return nil
		}
		b.outputs = append(b.outputs, key)
	}
	extra := b.count(1)
	b.number()
	b.extra = b.Bytes(extra)
	b.put(uint64(extra))
	b.blob = append(b.blob, b.extra...)
	if b.Err() != nil || inputs == 0 && outputs == 0 {
		b.blob = b.blob[:start]
		return nil
	}
	return b.blob[start:len(b.blob):len(b.blob)]
}

func (b *boost) put(n uint64) { b.blob = wire.AppendVarint(b.blob, n) }
