package chain

import (
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"slices"

	"glim/core/block"
	"glim/core/consensus"
	"glim/core/internal/codec/wire"
	"glim/core/xmr"
)

// The first byte of a key tells what its record is. They come in this order.
const (
	recordOrigin = iota // which chain it is; no more bytes
	recordBlock         // then the block's index, most significant byte first; the first block of a chain is not stored
	recordPool          // then the transaction's ID
)

// recordVersion changes when records are no longer what they were.
const recordVersion = 1

// maxNetworkName bounds what is read of the name of a network, in bytes.
const maxNetworkName = 64

// Every value begins with a check sum of its key and the bytes behind the sum. That tells damage, which hashes do not
// tell everywhere: nothing names the last block, and nothing hashes how long a transaction has waited.
const sumSize = 4

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// seal returns a record whose value has room for the sum in front.
func seal(key, value []byte) Record {
	binary.LittleEndian.PutUint32(value, recordSum(key, value[sumSize:]))
	return Record{key, value}
}

func recordSum(key, rest []byte) uint32 {
	return crc32.Update(crc32.Checksum(key, castagnoli), castagnoli, rest)
}

// unseal returns what stands behind a good sum, in bytes of its own.
func unseal(key, value []byte) ([]byte, error) {
	if len(value) < sumSize || binary.LittleEndian.Uint32(value) != recordSum(key, value[sumSize:]) {
		return nil, fmt.Errorf("%w: record %x: wrong check sum", ErrStored, key)
	}
	return slices.Clone(value[sumSize:]), nil
}

// originRecord tells of which network the chain is.
func originRecord(n xmr.Network) Record {
	genesis := n.GenesisHash()
	v := append(make([]byte, sumSize), recordVersion)
	v = append(v, genesis[:]...)
	v = wire.AppendVarint(v, uint64(len(n.String())))
	return seal([]byte{recordOrigin}, append(v, n.String()...))
}

func (c *Chain) readOrigin(value []byte) error {
	r := wire.NewReader(value)
	version := r.Byte()
	if r.Err() == nil && version != recordVersion {
		return fmt.Errorf("%w: format %d instead of %d", ErrStored, version, recordVersion)
	}
	genesis := xmr.Hash(r.Bytes32())
	name := string(r.Bytes(r.Count(maxNetworkName, 1)))
	if err := r.Close(); err != nil {
		return fmt.Errorf("%w: origin: %w", ErrStored, err)
	}
	if n := c.o.Network; genesis != n.GenesisHash() || name != n.String() {
		return fmt.Errorf("%w: %q instead of %q", ErrNetwork, name, n.String())
	}
	return nil
}

func blockKey(height uint64) []byte {
	return binary.BigEndian.AppendUint64([]byte{recordBlock}, height)
}

// Record returns what a store holds of b: its difficulty, which may have been fixed to another number then, the block, and its
// transactions. What else is known of it follows from those and the blocks before. A chain does not judge again what it finds in its
// store, so who puts records there answers for them.
func (b *Block) Record() Record {
	size := sumSize + 4*binary.MaxVarintLen64 + len(b.Blob)
	for _, t := range b.Txs {
		size += binary.MaxVarintLen64 + len(t.Blob)
	}
	v := make([]byte, sumSize, size)
	v = wire.AppendVarint(v, b.Difficulty.Hi)
	v = wire.AppendVarint(v, b.Difficulty.Lo)
	v = wire.AppendVarint(v, uint64(len(b.Blob)))
	v = append(v, b.Blob...)
	v = wire.AppendVarint(v, uint64(len(b.Txs)))
	for _, t := range b.Txs {
		v = wire.AppendVarint(v, uint64(len(t.Blob)))
		v = append(v, t.Blob...)
	}
	return seal(blockKey(b.Height), v)
}

// readBlock makes a stored block the top.
func (c *Chain) readBlock(key, value []byte) error {
	height := c.height()
	wrong := func(why any) error { return fmt.Errorf("%w: block %d: %v", ErrStored, height, why) }
	if string(key) != string(blockKey(height)) {
		return wrong("missing")
	}
	r := wire.NewReader(value)
	difficulty := consensus.Difficulty{Hi: r.Varint(), Lo: r.Varint()}
	blob := r.Bytes(r.Count(len(value), 1))
	blobs := make([][]byte, r.Count(len(value), 1))
	for i := range blobs {
		blobs[i] = r.Bytes(r.Count(consensus.MaxTxSize, 1))
	}
	if err := r.Close(); err != nil {
		return wrong(err)
	}
	parsed, err := block.Parse(blob)
	if err != nil {
		return wrong(err)
	}
	b, err := newBlock(parsed, blob)
	if err != nil {
		return wrong(err)
	}
	if difficulty.IsZero() || parsed.Prev != c.top().ID || parsed.Height() != height || len(blobs) != len(parsed.TxHashes) {
		return wrong("does not fit")
	}
	b.Difficulty, b.Txs = difficulty, make([]*Tx, 0, len(blobs))
	for i := range blobs {
		t, err := newTx(blobs[i])
		if err != nil {
			return wrong(err)
		}
		if t.ID != parsed.TxHashes[i] {
			return wrong("another transaction")
		}
		b.Txs = append(b.Txs, t)
	}
	c.measure(b)
	c.apply(b)
	return nil
}

func poolKey(id xmr.Hash) []byte { return append([]byte{recordPool}, id[:]...) }

// poolRecord holds a transaction of the pool with its story.
func poolRecord(t *PoolTx) Record {
	v := make([]byte, sumSize, sumSize+1+4*binary.MaxVarintLen64+64+len(t.Blob))
	var flags byte
	for i, f := range t.flags() {
		if *f {
			flags |= 1 << i
		}
	}
	v = append(v, flags)
	for _, n := range t.numbers() {
		v = wire.AppendVarint(v, *n)
	}
	v = append(v, t.MaxUsedID[:]...)
	v = append(v, t.LastFailedID[:]...)
	return seal(poolKey(t.ID), append(v, t.Blob...))
}

// flags are stored as bits, in this order.
func (t *PoolTx) flags() []*bool {
	return []*bool{&t.KeptByBlock, &t.Relayed, &t.DoNotRelay, &t.DoubleSpendSeen}
}

// numbers are stored in this order.
func (t *PoolTx) numbers() []*uint64 {
	return []*uint64{&t.MaxUsedHeight, &t.LastFailedHeight, &t.Received, &t.LastRelayed}
}

// readPool puts a stored transaction back into the pool.
func (c *Chain) readPool(key, value []byte) error {
	wrong := func(why any) error { return fmt.Errorf("%w: transaction %x of the pool: %v", ErrStored, key[1:], why) }
	r := wire.NewReader(value)
	p := new(PoolTx)
	flags := r.Byte()
	for i, f := range p.flags() {
		*f = flags&(1<<i) != 0
	}
	for _, n := range p.numbers() {
		*n = r.Varint()
	}
	p.MaxUsedID, p.LastFailedID = r.Bytes32(), r.Bytes32()
	blob := r.Bytes(r.Len())
	if err := r.Close(); err != nil {
		return wrong(err)
	}
	var err error
	if p.Tx, err = newTx(blob); err != nil {
		return wrong(err)
	}
	if string(key) != string(poolKey(p.ID)) {
		return wrong("another one")
	}
	c.pool.add(p)
	return nil
}

// load reads what the store holds, and tells it of which network the chain is when that is nothing.
func (c *Chain) load() error {
	if c.o.Store == nil {
		c.settle()
		return nil
	}
	first := true
	err := c.o.Store.Load(func(key, value []byte) error {
		rest, err := unseal(key, value)
		if err != nil {
			return err
		}
		if len(key) == 0 || first != (len(key) == 1 && key[0] == recordOrigin) {
			return fmt.Errorf("%w: record %x where it cannot be", ErrStored, key)
		}
		if first {
			first = false
			return c.readOrigin(rest)
		}
		switch key[0] {
		case recordBlock:
			return c.readBlock(key, rest)
		case recordPool:
			return c.readPool(key, rest)
		}
		return fmt.Errorf("%w: record %x of no kind", ErrStored, key)
	})
	if err != nil {
		return err
	}
	c.settle()
	if first {
		return c.o.Store.Commit([]Record{originRecord(c.o.Network)}, nil)
	}
	return nil
}
