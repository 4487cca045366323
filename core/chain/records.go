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

// The first byte of a key is the type of the record. Records are stored in this order.
const (
	recordOrigin  = iota // the network; no further bytes
	recordBlock          // followed by the block's index, big-endian; the genesis block is not stored
	recordPool           // followed by the transaction's ID
	recordPruning        // the pruning seed, if there is one; no further bytes
)

// recordVersion is the version of the format of records.
const recordVersion = 1

// maxNetworkName is the maximum length of a network's name in bytes.
const maxNetworkName = 64

// Every value starts with a checksum of its key and the rest of the value. It detects damage that hashes do not: no
// hash covers the last block's ID, or how long a transaction has been in the pool.
const sumSize = 4

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// seal writes the checksum into the first bytes of value.
func seal(key, value []byte) Record {
	binary.LittleEndian.PutUint32(value, recordSum(key, value[sumSize:]))
	return Record{key, value}
}

func recordSum(key, rest []byte) uint32 {
	return crc32.Update(crc32.Checksum(key, castagnoli), castagnoli, rest)
}

// unseal checks the checksum and returns a copy of the rest of value.
func unseal(key, value []byte) ([]byte, error) {
	if len(value) < sumSize || binary.LittleEndian.Uint32(value) != recordSum(key, value[sumSize:]) {
		return nil, fmt.Errorf("%w: record %x: wrong checksum", ErrStored, key)
	}
	return slices.Clone(value[sumSize:]), nil
}

// originRecord returns the record of the chain's network.
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
		return fmt.Errorf("%w: format %d, want %d", ErrStored, version, recordVersion)
	}
	genesis := xmr.Hash(r.Bytes32())
	name := string(r.Bytes(r.Count(maxNetworkName, 1)))
	if err := r.Close(); err != nil {
		return fmt.Errorf("%w: origin: %w", ErrStored, err)
	}
	if n := c.o.Network; genesis != n.GenesisHash() || name != n.String() {
		return fmt.Errorf("%w: %q, want %q", ErrNetwork, name, n.String())
	}
	return nil
}

func blockKey(height uint64) []byte {
	return binary.BigEndian.AppendUint64([]byte{recordBlock}, height)
}

// Record returns the record of b in a store: its difficulty, its bytes and its transactions. All other values follow
// from these and the blocks before. The difficulty is stored because Options.FixedDifficulty may have had another
// value. A chain trusts the records of its store, so only validated blocks may be put there.
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
	if want := c.o.Forks.VersionAt(height); parsed.Major != want {
		return wrong(fmt.Sprintf("version %d, want %d: its hard forks are at other heights", parsed.Major, want))
	}
	follows := parsed.Prev == c.top().ID && parsed.Height() == height
	if difficulty.IsZero() || !follows || len(blobs) != len(parsed.TxHashes) {
		return wrong("inconsistent")
	}
	b.Difficulty, b.Txs = difficulty, make([]*Tx, 0, len(blobs))
	for i := range blobs {
		t, err := c.newTx(blobs[i])
		if err != nil {
			return wrong(err)
		}
		if t.ID != parsed.TxHashes[i] {
			return wrong("transaction does not match the block")
		}
		b.Txs = append(b.Txs, t)
	}
	c.measure(b)
	c.apply(b)
	return nil
}

func poolKey(id xmr.Hash) []byte { return append([]byte{recordPool}, id[:]...) }

// poolRecord returns the record of a transaction of the pool.
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

// flags returns the fields that are stored as bits, in this order.
func (t *PoolTx) flags() []*bool {
	return []*bool{&t.KeptByBlock, &t.Relayed, &t.DoNotRelay, &t.DoubleSpendSeen}
}

// numbers returns the fields that are stored as varints, in this order.
func (t *PoolTx) numbers() []*uint64 {
	return []*uint64{&t.MaxUsedHeight, &t.LastFailedHeight, &t.Received, &t.LastRelayed}
}

// readPool adds a stored transaction to the pool.
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
	if p.Tx, err = c.newTx(blob); err != nil {
		return wrong(err)
	}
	if string(key) != string(poolKey(p.ID)) {
		return wrong("ID does not match")
	}
	c.pool.add(p)
	return nil
}

// load reads the records of the store. If the store is empty, it stores the network.
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
			return fmt.Errorf("%w: record %x out of place", ErrStored, key)
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
		case recordPruning:
			return c.readPruning(key, rest)
		}
		return fmt.Errorf("%w: record %x of unknown type", ErrStored, key)
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
