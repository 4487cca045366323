package epee

import (
	"encoding/binary"
	"math"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
	"testing/quick"

	"github.com/stretchr/testify/require"
)

type Leaf struct {
	Name string `json:"name"`
	Flag bool   `json:"flag"`
}

type record struct {
	ID hash
	N  uint16
	Ok bool
}

type named string

type zoo struct {
	Leaf
	Bool    bool      `json:"bool"`
	I8      int8      `json:"i8"`
	I16     int16     `json:"i16"`
	I32     int32     `json:"i32"`
	I64     int64     `json:"i64"`
	U8      uint8     `json:"u8"`
	U16     uint16    `json:"u16"`
	U32     uint32    `json:"u32"`
	U64     uint64    `json:"u64"`
	F64     float64   `json:"f64"`
	Text    named     `json:"text"`
	Fixed   hash      `json:"fixed"`
	Object  Leaf      `json:"object"`
	Texts   []string  `json:"texts"`
	Hashes  []hash    `json:"hashes"`
	Nums    []uint64  `json:"nums"`
	Small   []int8    `json:"small"`
	Bools   []bool    `json:"bools"`
	Floats  []float64 `json:"floats"`
	Objects []Leaf    `json:"objects"`
	IDs     []hash    `json:"ids" epee:"blob"`
	Counts  []uint64  `json:"counts" epee:"blob"`
	Records []record  `json:"records" epee:"blob"`
	One     record    `json:"one" epee:"blob"`
	Maybe   *Leaf     `json:"maybe"`
	MaybeN  *uint32   `json:"maybe_n"`
	Skipped string    `json:"-"`
	Hidden  string    `json:"hidden" epee:"-"`
}

// TestRoundTrip encodes and decodes random values. Empty slices become nil, because the format does not distinguish
// them.
func TestRoundTrip(t *testing.T) {
	check := func(in zoo) bool {
		in.Skipped, in.Hidden = "", ""
		for v, i := reflect.ValueOf(&in).Elem(), 0; i < v.NumField(); i++ {
			if f := v.Field(i); f.Kind() == reflect.Slice && f.Len() == 0 {
				f.SetZero()
			}
		}
		raw, err := Marshal(&in)
		require.NoError(t, err)
		var out zoo
		require.NoError(t, Unmarshal(raw, &out))
		require.Equal(t, in, out)
		require.NoError(t, Unmarshal(raw, new(struct{})))
		again, err := Marshal(out)
		require.NoError(t, err)
		return string(raw) == string(again)
	}
	require.NoError(t, quick.Check(check, nil))
}

// TestTruncatedAndTrailing decodes every prefix of a message, and a message with a trailing byte: all are refused.
func TestTruncatedAndTrailing(t *testing.T) {
	_, raw := golden(t, "get_blocks_pruned1")
	for n := range raw {
		require.Error(t, Unmarshal(raw[:n], new(getBlocksResponse)), n)
		require.Error(t, Unmarshal(raw[:n], new(struct{})), n)
	}
	require.ErrorIs(t, Unmarshal(append(raw, 0), new(getBlocksResponse)), ErrTrailing)
}

func TestBytesAliasTheInput(t *testing.T) {
	type msg struct {
		B []byte `json:"b"`
	}
	raw, err := Marshal(msg{[]byte("abc")})
	require.NoError(t, err)
	var m msg
	require.NoError(t, Unmarshal(raw, &m))
	raw[len(raw)-1] = 'x'
	require.Equal(t, "abx", string(m.B))
	require.Equal(t, len(m.B), cap(m.B), "appending must not write into the message")
}

func TestDefaultsAndOmission(t *testing.T) {
	type inner struct {
		N int16 `json:"n" default:"-7"`
	}
	type msg struct {
		On    bool    `json:"on" epee:"omitempty" default:"true"`
		N     uint8   `json:"n" default:"9"`
		S     string  `json:"s" epee:"omitempty" default:"abc"`
		B     []byte  `json:"b" epee:"omitempty"`
		Z     uint64  `json:"z" epee:"omitempty"`
		In    inner   `json:"in" epee:"omitempty"`
		Ptr   *inner  `json:"ptr"`
		Inner []inner `json:"inner"`
	}
	var m msg
	require.NoError(t, Unmarshal([]byte(header+"\x00"), &m))
	require.Equal(t, msg{On: true, N: 9, S: "abc", In: inner{-7}}, m)

	raw, err := Marshal(msg{On: true, N: 9, S: "abc", B: []byte{}})
	require.NoError(t, err)
	require.Equal(t, header+"\x04\x01n\x08\x09", string(raw))

	// A false that is not the default is written, and read back.
	raw, err = Marshal(msg{})
	require.NoError(t, err)
	require.Equal(t, header+"\x0c\x01n\x08\x00\x02on\x0b\x00\x01s\x0a\x00", string(raw))
	m = msg{On: true}
	require.NoError(t, Unmarshal(raw, &m))
	require.False(t, m.On)
	require.Zero(t, m.S)

	// Defaults apply to nested objects too.
	require.NoError(t, Unmarshal([]byte(header+"\x08\x03ptr\x0c\x00\x05inner\x8c\x08\x00\x00"), &m))
	require.Equal(t, []inner{{-7}, {-7}}, m.Inner)
	require.Equal(t, &inner{-7}, m.Ptr)
}

func TestEmbeddedFields(t *testing.T) {
	type deep struct {
		A uint8 `json:"a"`
		B uint8 `json:"b"`
	}
	type Named struct {
		C uint8 `json:"c"`
	}
	type msg struct {
		deep
		Named `json:"n"`
		A     uint8 `json:"a"`
	}
	in := msg{deep{1, 2}, Named{3}, 4}
	raw, err := Marshal(in)
	require.NoError(t, err)
	require.Equal(t, header+"\x0c\x01a\x08\x04\x01b\x08\x02\x01n\x0c\x04\x01c\x08\x03", string(raw))
	var out msg
	require.NoError(t, Unmarshal(raw, &out))
	require.Equal(t, msg{deep{0, 2}, Named{3}, 4}, out, "the inner a is hidden by the outer one")
}

func TestNumbers(t *testing.T) {
	type msg struct {
		U8  uint8  `json:"a"`
		I8  int8   `json:"b"`
		U64 uint64 `json:"c"`
		I64 int64  `json:"d"`
	}
	entry := func(name string, typ byte, v int64) []byte {
		b := append([]byte(header), 1<<2, 1, name[0], typ)
		return append(b, binary.LittleEndian.AppendUint64(nil, uint64(v))[:width(typ)]...)
	}
	for _, c := range []struct {
		name string
		typ  byte
		v    int64
		err  error
		want msg
	}{
		{"a", typeUint64, 255, nil, msg{U8: 255}},
		{"a", typeInt64, 255, nil, msg{U8: 255}},
		{"a", typeUint64, 256, ErrRange, msg{}},
		{"a", typeInt8, -1, ErrRange, msg{}},
		{"a", typeInt8, 127, nil, msg{U8: 127}},
		{"b", typeInt64, -128, nil, msg{I8: -128}},
		{"b", typeInt64, -129, ErrRange, msg{}},
		{"b", typeUint8, 128, ErrRange, msg{}},
		{"c", typeInt64, -1, ErrRange, msg{}},
		{"c", typeUint64, -1, nil, msg{U64: math.MaxUint64}},
		{"c", typeUint8, 7, nil, msg{U64: 7}},
		{"d", typeInt16, -2, nil, msg{I64: -2}},
		{"d", typeInt32, math.MinInt32, nil, msg{I64: math.MinInt32}},
		{"d", typeUint32, math.MaxUint32, nil, msg{I64: math.MaxUint32}},
		{"d", typeUint64, -1, ErrRange, msg{}},
		{"d", typeBool, 1, ErrType, msg{}},
		{"d", typeDouble, 1, ErrType, msg{}},
	} {
		var m msg
		err := Unmarshal(entry(c.name, c.typ, c.v), &m)
		require.ErrorIs(t, err, c.err, "%+v", c)
		if c.err == nil {
			require.Equal(t, c.want, m)
		} else {
			require.ErrorContains(t, err, c.name+": ")
		}
	}
}

func TestRefusals(t *testing.T) {
	type msg struct {
		Flag  bool     `json:"flag"`
		Fixed hash     `json:"fixed"`
		Text  string   `json:"text"`
		Nums  []uint64 `json:"nums"`
		IDs   []hash   `json:"ids" epee:"blob"`
		Leaf  Leaf     `json:"leaf"`
		Rec   record   `json:"rec" epee:"blob"`
	}
	for name, c := range map[string]struct {
		raw string
		err error
	}{
		"no header":              {"", ErrSignature},
		"other version":          {header[:8] + "\x02\x00", ErrSignature},
		"no root":                {header, ErrShort},
		"bool of 2":              {header + "\x04\x04flag\x0b\x02", ErrNonCanonical},
		"unknown bool of 2":      {header + "\x04\x01x\x0b\x02", ErrNonCanonical},
		"unknown bools of 2":     {header + "\x04\x01x\x8b\x08\x01\x02", ErrNonCanonical},
		"number for bool":        {header + "\x04\x04flag\x08\x01", ErrType},
		"string for fixed":       {header + "\x04\x05fixed\x0a\x04a", ErrRange},
		"scalar for array":       {header + "\x04\x04nums\x08\x01", ErrType},
		"array for scalar":       {header + "\x04\x04text\x8a\x04\x04a", ErrType},
		"strings for numbers":    {header + "\x04\x04nums\x8a\x04\x04a", ErrType},
		"string for object":      {header + "\x04\x04leaf\x0a\x04a", ErrType},
		"blob of a fraction":     {header + "\x04\x03ids\x0a\x04a", ErrRange},
		"record too short":       {header + "\x04\x03rec\x0a\x04a", ErrRange},
		"bool of 2 in a record":  {header + "\x04\x03rec\x0a\x8c" + strings.Repeat("a", 34) + "\x02", ErrNonCanonical},
		"long size":              {header + "\x04\x04text\x0a\x05\x00a", ErrNonCanonical},
		"longer size":            {header + "\x04\x04text\x0a\x06\x00\x00\x00a", ErrNonCanonical},
		"longest size":           {header + "\x04\x04text\x0a\x07\x00\x00\x00\x00\x00\x00\x00a", ErrNonCanonical},
		"huge size":              {header + "\x04\x04text\x0a\xff\xff\xff\xff\xff\xff\xff\xff", ErrShort},
		"huge array":             {header + "\x04\x04nums\x85\xff\xff\xff\xff\xff\xff\xff\xff", ErrShort},
		"array beyond input":     {header + "\x04\x04nums\x85\x08aaaaaaaabbbbbbb", ErrShort},
		"empty name":             {header + "\x04\x00\x08\x01a", ErrNonCanonical},
		"type 0":                 {header + "\x04\x01x\x00\x01", ErrType},
		"type 14":                {header + "\x04\x01x\x0e\x01", ErrType},
		"array of type 0":        {header + "\x04\x01x\x80\x04\x01", ErrType},
		"array of arrays":        {header + "\x04\x01x\x8d\x04\x88\x04\x01", ErrType},
		"array entry of scalar":  {header + "\x04\x01x\x0d\x08\x01", ErrType},
		"duplicate":              {header + "\x08\x04text\x0a\x04a\x04text\x0a\x04b", ErrDuplicate},
		"duplicate unknown":      {header + "\x08\x01x\x08\x01\x01x\x08\x01", ErrDuplicate},
		"duplicate not adjacent": {header + "\x0c\x01x\x08\x01\x01a\x08\x01\x01x\x08\x01", ErrDuplicate},
		"duplicate inside":       {header + "\x04\x01o\x0c\x08\x01x\x08\x01\x01x\x08\x01", ErrDuplicate},
	} {
		require.ErrorIs(t, Unmarshal([]byte(c.raw), new(msg)), c.err, name)
	}
}

// TestTolerated decodes forms that the reference reads but does not write.
func TestTolerated(t *testing.T) {
	type msg struct {
		A    uint8    `json:"a"`
		B    uint8    `json:"b"`
		Nums []uint64 `json:"nums"`
		Blob []uint64 `json:"blob" epee:"blob"`
		Leaf []Leaf   `json:"leaf"`
	}
	var m msg
	require.NoError(t, Unmarshal([]byte(header+"\x08\x01b\x08\x02\x01a\x08\x01"), &m), "fields out of order")
	require.Equal(t, msg{A: 1, B: 2}, m)
	require.NoError(t, Unmarshal([]byte(header+"\x04\x04nums\x0d\x88\x08\x01\x02"), &m), "an array entry")
	require.Equal(t, []uint64{1, 2}, m.Nums)
	require.NoError(t, Unmarshal([]byte(header+"\x04\x04leaf\x88\x00"), &m), "an empty array of another type")
	require.Nil(t, m.Leaf)
	require.NoError(t, Unmarshal([]byte(header+"\x04\x04blob\x88\x08\x01\x02"), &m), "a blob as an array")
	require.Equal(t, []uint64{1, 2}, m.Blob)
}

func TestLimits(t *testing.T) {
	// Objects within objects: root{x{x{…}}}.
	nested := func(n int) []byte { return []byte(header + strings.Repeat("\x04\x01x\x0c", n) + "\x00") }
	type node struct {
		X *struct{} `json:"x"`
	}
	require.NoError(t, Unmarshal(nested(maxDepth), new(node)))
	require.ErrorIs(t, Unmarshal(nested(maxDepth+1), new(node)), ErrDepth)

	array := func(entry byte, n int, elem string) []byte {
		b := append([]byte(header), "\x04\x01x"...)
		b = append(b, entry|flagArray)
		b = binary.LittleEndian.AppendUint32(b, uint32(n)<<2|2)
		return append(b, strings.Repeat(elem, n)...)
	}
	for _, v := range []any{new(struct{}), new(struct {
		X []struct{} `json:"x"`
	})} {
		require.NoError(t, Unmarshal(array(typeObject, maxObjects, "\x00"), v))
		require.ErrorIs(t, Unmarshal(array(typeObject, maxObjects+1, "\x00"), v), ErrLimit)
	}
	require.NoError(t, Unmarshal(array(typeString, maxStrings, "\x00"), new(struct{})))
	require.ErrorIs(t, Unmarshal(array(typeString, maxStrings+1, "\x00"), new(struct{})), ErrLimit)
	fields := "\x08\x01a\x08\x00\x01b\x08\x00"
	require.NoError(t, Unmarshal(array(typeObject, maxFields/2-1, fields), new(struct{})))
	require.ErrorIs(t, Unmarshal(array(typeObject, maxFields/2, fields), new(struct{})), ErrLimit)
}

func TestSelfContainingType(t *testing.T) {
	type tree struct {
		N    uint8  `json:"n"`
		Kids []tree `json:"kids"`
		Next *tree  `json:"next"`
	}
	in := tree{N: 1, Kids: []tree{{N: 2, Kids: []tree{{N: 3}}}}, Next: &tree{N: 4}}
	raw, err := Marshal(&in)
	require.NoError(t, err)
	var out tree
	require.NoError(t, Unmarshal(raw, &out))
	require.Equal(t, in, out)
	in.Next = &in
	_, err = Marshal(&in)
	require.ErrorIs(t, err, ErrDepth)
}

func TestGoTypes(t *testing.T) {
	for _, v := range []any{
		nil, 7, "x", (*Leaf)(nil), []Leaf{}, map[string]int{},
		struct{ M map[string]int }{},
		struct{ A any }{},
		struct{ F float32 }{},
		struct{ A [3]uint16 }{},
		struct{ A [][]uint64 }{},
		struct{ A []*Leaf }{},
		struct{ A *[]uint64 }{},
		struct {
			A []string `epee:"blob"`
		}{},
		struct {
			A uint8 `epee:"blob"`
		}{},
		struct {
			A uint8 `epee:"omitempt"`
		}{},
		struct {
			A uint8 `default:"256"`
		}{},
		struct {
			A []byte `default:"x"`
		}{},
		struct {
			A uint8
			B uint8 `json:"A"`
		}{},
	} {
		_, err := Marshal(v)
		require.ErrorIs(t, err, ErrGoType, "%T", v)
	}
	require.ErrorIs(t, Unmarshal(nil, Leaf{}), ErrGoType)
}

// TestAllocations: decoding allocates for slices only, not for fields.
func TestAllocations(t *testing.T) {
	raw := manyBlocks(t, 100, 20)
	n := testing.AllocsPerRun(5, func() {
		var r getBlocksResponse
		if err := Unmarshal(raw, &r); err != nil {
			panic(err)
		}
	})
	// Two slices with reflect's header for each block, and one slice for each transaction.
	require.Less(t, n, float64(100*(2*2+21)+50))
}

// manyBlocks returns a response of get_blocks.bin with random content.
func manyBlocks(t testing.TB, blocks, txs int) []byte {
	rnd := rand.NewChaCha8([32]byte{1})
	blob := func(n int) []byte { b := make([]byte, n); rnd.Read(b); return b }
	var r getBlocksResponse
	r.Status = "OK"
	for range blocks {
		b, x := blockEntry{Pruned: true, Block: blob(200 + 32*txs)}, blockIndices{make([]txIndices, txs+1)}
		for i := range txs {
			b.Txs = append(b.Txs, txBlob{Blob: blob(1500), PrunableHash: hash(blob(32))})
			x.Indices[i].Indices = []uint64{1, 2}
		}
		r.Blocks, r.OutputIndices = append(r.Blocks, b), append(r.OutputIndices, x)
	}
	raw, err := Marshal(&r)
	require.NoError(t, err)
	return raw
}

func BenchmarkUnmarshalBlocks(b *testing.B) {
	raw := manyBlocks(b, 200, 20)
	b.SetBytes(int64(len(raw)))
	b.ReportAllocs()
	for b.Loop() {
		var r getBlocksResponse
		if err := Unmarshal(raw, &r); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkMarshalBlocks(b *testing.B) {
	var r getBlocksResponse
	if err := Unmarshal(manyBlocks(b, 200, 20), &r); err != nil {
		b.Fatal(err)
	}
	var out []byte
	for b.Loop() {
		out, _ = Append(out[:0], &r)
		b.SetBytes(int64(len(out)))
	}
}
