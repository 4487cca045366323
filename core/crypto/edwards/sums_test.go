package edwards

import (
	"bytes"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
)

// task makes sums from bytes: the number of terms, points with and without tables, some of them shared, and scalars of
// all kinds. want are the results, computed with the library.
func task(t testing.TB, secret bool, data []byte, points []*Point, tables []*Table) (s *Sums, want []*Point) {
	t.Helper()
	s = &Sums{Secret: secret}
	names := make([]int, 0, len(points)+len(tables))
	of := map[int]*Point{}
	for _, p := range points {
		name := s.Point(p)
		names, of[name] = append(names, name), p
	}
	for _, table := range tables {
		name := s.Table(table)
		names, of[name] = append(names, name), table.Point()
	}
	edges := edgeScalars()
	var scalars []*Scalar
	var places []*Point
	end := func() {
		s.End()
		want = append(want, naive(scalars, places))
		scalars, places = nil, nil
	}
	for i, b := range data {
		if b >= 0xd0 {
			end()
			continue
		}
		k := edges[int(b)%len(edges)]
		if b&1 == 0 {
			k = HashToScalar(data[:i+1])
		}
		name := names[int(b>>1)%len(names)]
		s.Add(k, name)
		scalars, places = append(scalars, k), append(places, of[name])
	}
	end()
	return s, want
}

// makers are all available ways to compute sums.
func makers() map[string]func(s *Sums, out []*Point) bool {
	all := wideMakers()
	all["everywhere"] = func(s *Sums, out []*Point) bool { s.makePortable(out); return true }
	all["as a host"] = func(s *Sums, out []*Point) bool {
		made := make([][128]byte, len(out))
		plainly(made, s)
		for i := range out {
			out[i] = pointOfCoordinates(&made[i])
		}
		return true
	}
	return all
}

// plainly is a SumsKernel that uses only the exported fields.
func plainly(out [][128]byte, s *Sums) bool {
	first := 0
	for i, end := range s.Ends {
		sum := Identity()
		for term := first; term < end; term++ {
			k, err := DecodeScalar(s.Scalars[term])
			if err != nil {
				return false
			}
			var b [128]byte
			if w := s.Which[term]; w >= 0 {
				b = s.Points[w].Coordinates()
			} else {
				b = s.Tables[^w].Point().Coordinates()
			}
			sum.Add(sum, new(Point).secretMult([]*Scalar{k}, []*Point{pointOfCoordinates(&b)}))
		}
		out[i], first = sum.Coordinates(), end
	}
	return true
}

func compareSums(t testing.TB, data []byte) {
	r := rand.NewChaCha8([32]byte{31})
	points := somePoints(t, r, 12)
	tables := NewPermanentTables(somePoints(t, r, 5), 5)
	for _, secret := range []bool{false, true} {
		for name, make := range makers() {
			s, want := task(t, secret, data, points, tables)
			got := append([]*Point(nil), want...)
			clear(got)
			if make(s, got) {
				for i := range want {
					require.True(t, got[i].Equal(want[i]), "%s, secret %v, sum %d of %x", name, secret, i, data)
				}
			}
		}
	}
}

// TestSums compares all ways to compute sums with the library: no, one and many sums, of few and many terms, with
// points and tables that are shared, neutral or have torsion, and scalars with long carries.
func TestSums(t *testing.T) {
	rng := rand.New(rand.NewPCG(61, 62))
	random := func(n int, ends float64) []byte {
		data := make([]byte, n)
		for i := range data {
			data[i] = byte(rng.IntN(0xd0))
			if rng.Float64() < ends {
				data[i] = 0xff
			}
		}
		return data
	}
	for _, data := range [][]byte{
		nil, {0xff}, {0}, {1, 0xff, 0xff, 2},
		random(40, 0), random(9, 0.4), random(33, 0.3), random(40, 0.05), random(24, 0.5),
	} {
		compareSums(t, data)
	}
}

func TestNoSums(t *testing.T) { require.Empty(t, new(Sums).Make()) }

// TestSecretSumsAreWiped: no scalar of secret sums remains in memory.
func TestSecretSumsAreWiped(t *testing.T) {
	s := &Sums{Secret: true}
	s.Add(minusOne, s.Point(Base()))
	s.End()
	scalars := s.Scalars
	require.True(t, s.Make()[0].Equal(new(Point).Negate(Base())))
	require.Equal(t, make([][32]byte, 1), scalars)

	s = &Sums{Secret: true}
	name := s.Point(Base())
	var lists [][][32]byte // all places the scalars were in
	for range 40 {
		s.Add(minusOne, name)
		lists = append(lists, s.Scalars)
	}
	s.End()
	s.Make()
	for _, list := range lists {
		require.Equal(t, make([][32]byte, len(list)), list)
	}
}

// TestSetSumsKernel: a correct kernel is used, a wrong one is refused, and Go code computes what the kernel declines.
func TestSetSumsKernel(t *testing.T) {
	defer func() { sumsKernel = nil }()
	calls := 0
	count := func(out [][128]byte, s *Sums) bool { calls++; return plainly(out, s) }
	for name, wrong := range map[string]SumsKernel{
		"does nothing": func([][128]byte, *Sums) bool { return false },
		"no points":    func([][128]byte, *Sums) bool { return true },
		"no tables": func(out [][128]byte, s *Sums) bool {
			few := *s
			few.Tables = make([]*Table, len(s.Tables))
			for i := range few.Tables {
				few.Tables[i] = s.Tables[0]
			}
			return plainly(out, &few)
		},
		"wrong secrets": func(out [][128]byte, s *Sums) bool {
			plainly(out, s)
			if s.Secret {
				out[len(out)-1] = Base().Coordinates()
			}
			return true
		},
	} {
		require.False(t, SetSumsKernel(wrong), name)
		require.Nil(t, sumsKernel, name)
	}
	require.True(t, SetSumsKernel(count))
	calls = 0
	points := somePoints(t, rand.NewChaCha8([32]byte{32}), 3)
	scalars := edgeScalars()[2:5]
	want := naive(scalars, points)
	got := new(Point).VarTimeTableMult(scalars[:1], NewTables(points[:1], 5), scalars[1:], points[1:])
	require.True(t, want.Equal(got))
	require.True(t, want.Equal(new(Point).MultiScalarMult(scalars, points)))
	if Audited {
		require.Equal(t, 1, calls, "secret sums are for the library")
	} else {
		require.Equal(t, 2, calls)
	}
	require.True(t, SetSumsKernel(func(out [][128]byte, s *Sums) bool { return !s.Secret && plainly(out, s) }))
	require.True(t, want.Equal(new(Point).MultiScalarMult(scalars, points)))
}

// TestCoordinates converts points to coordinates and back, and refuses coordinates that are not a point.
func TestCoordinates(t *testing.T) {
	for _, p := range somePoints(t, rand.NewChaCha8([32]byte{33}), 10) {
		b := p.Coordinates()
		require.True(t, p.Equal(pointOfCoordinates(&b)))
		b[0] ^= 1
		require.Nil(t, pointOfCoordinates(&b))
	}
	require.Nil(t, pointOfCoordinates(new([128]byte)))
}

func TestTableNumbers(t *testing.T) {
	points := somePoints(t, rand.NewChaCha8([32]byte{34}), 6)
	kept := NewPermanentTables(points, 4)
	for i, table := range kept {
		require.True(t, points[i].Equal(table.Point()))
		require.Equal(t, kept[0].Number()+uint32(i), table.Number())
		require.NotZero(t, table.Number())
	}
	require.Zero(t, NewTables(points, 4)[0].Number())
}

// TestSplits compares sums of prepared points with the library.
func TestSplits(t *testing.T) {
	points := somePoints(t, rand.NewChaCha8([32]byte{36}), 11)
	splits := NewSplits(points)
	for name, make := range makers() {
		s := new(Sums)
		var want []*Point
		for i, k := range edgeScalars() {
			j := i % len(points)
			more := (i + 1) % len(points)
			s.AddSplit(k, splits[j])
			s.Add(k, s.Point(points[more]))
			s.AddSplit(minusOne, splits[more])
			s.End()
			want = append(want, naive([]*Scalar{k, k, minusOne}, []*Point{points[j], points[more], points[more]}))
		}
		got := append([]*Point(nil), want...)
		clear(got)
		if name == "as a host" {
			s.fill()
		}
		if !make(s, got) {
			continue
		}
		for i := range want {
			require.True(t, got[i].Equal(want[i]), "%s, sum %d", name, i)
		}
	}
}

func TestEncodePoints(t *testing.T) {
	points := somePoints(t, rand.NewChaCha8([32]byte{37}), 11)
	got := EncodePoints(points...)
	for i, p := range points {
		require.Equal(t, p.Encode(), got[i])
	}
	require.Empty(t, EncodePoints())
}

// decodeSimply is DecodePoints one by one.
func decodeSimply(b [][32]byte) (out []*Point, err error) {
	for i := range b {
		p, err := DecodePoint(b[i])
		if err != nil {
			return nil, err
		}
		out = append(out, p)
	}
	return out, nil
}

func compareDecoded(t testing.TB, b [][32]byte) {
	want, wantErr := decodeSimply(b)
	got, err := DecodePoints(b)
	require.Equal(t, wantErr, err)
	require.Len(t, got, len(want))
	for i := range want {
		require.True(t, want[i].Equal(got[i]))
		require.Equal(t, b[i], got[i].Encode())
	}
}

// TestDecodePoints decodes lists of every length with encodings of all kinds.
func TestDecodePoints(t *testing.T) {
	keys := oddKeys(t, rand.New(rand.NewPCG(63, 64)))
	var good [][32]byte
	for i, k := range keys {
		if _, err := DecodePoint(k); err == nil {
			good = append(good, k)
			continue
		}
		bad := slices.Insert(slices.Clone(good[:i%min(20, len(good))]), i%7%(1+i%min(20, len(good))), k)
		compareDecoded(t, bad)
	}
	for n := range 20 {
		compareDecoded(t, good[n:2*n])
	}
	compareDecoded(t, good)
}

func TestHashToPoints(t *testing.T) {
	keys := oddKeys(t, rand.New(rand.NewPCG(65, 66)))
	for n := range 20 {
		for i, p := range HashToPoints(keys[n : 2*n]) {
			require.Equal(t, HashToPoint(keys[n+i]).Encode(), p.Encode())
		}
	}
	for i, p := range HashToPoints(keys) {
		require.Equal(t, HashToPoint(keys[i]).Encode(), p.Encode())
	}
}

func TestVarTimeBaseMults(t *testing.T) {
	scalars := edgeScalars()
	for n := range scalars {
		for i, p := range VarTimeBaseMults(scalars[:n]) {
			require.True(t, naive(scalars[i:i+1], []*Point{Base()}).Equal(p))
		}
	}
}

func FuzzDecodePoints(f *testing.F) {
	g := Base().Encode()
	f.Add(bytes.Repeat(g[:], 4))
	f.Add(append(bytes.Repeat(g[:], 3), make([]byte, 32)...))
	f.Fuzz(func(t *testing.T, data []byte) {
		b := make([][32]byte, min(len(data)/32, 12))
		for i := range b {
			copy(b[i][:], data[32*i:])
		}
		compareDecoded(t, b)
		for i, p := range HashToPoints(b) {
			require.Equal(t, HashToPoint(b[i]).Encode(), p.Encode())
		}
	})
}

func FuzzSums(f *testing.F) {
	f.Add([]byte{})
	f.Add([]byte{0, 1, 2, 0xff, 3, 0xff, 0xff, 4, 17, 30})
	f.Fuzz(func(t *testing.T, data []byte) { compareSums(t, data[:min(len(data), 24)]) })
}

// BenchmarkSums compares the ways to compute sums, for a range proof, its verification, and a ring.
func BenchmarkSums(b *testing.B) {
	points := make([]*Point, 258)
	for i, key := range benchKeys(len(points)) {
		points[i] = HashToPoint(key)
	}
	tables := NewPermanentTables(points, 7)
	scalars := make([]*Scalar, 32)
	for i := range scalars {
		scalars[i] = HashToScalar([]byte{byte(i)})
	}
	all := wideMakers()
	all["everywhere"] = func(s *Sums, out []*Point) bool { s.makePortable(out); return true }
	delete(all, "as it comes")
	for _, shape := range []struct {
		name              string
		sums, fresh, kept int
		secret            bool
	}{
		{"one of 16 secret terms", 1, 16, 0, true},
		{"one of 64 tables", 1, 0, 64, false}, {"one of 258 tables", 1, 0, 258, false},
		{"16 of 2 points and a table", 16, 2, 1, false}, {"16 of 8 tables", 16, 0, 8, false},
	} {
		for name, make := range all {
			b.Run(shape.name+"/"+name, func(b *testing.B) {
				out := append([]*Point(nil), points[:shape.sums]...)
				for b.Loop() {
					s := &Sums{Secret: shape.secret}
					for i := range shape.sums {
						for j := range shape.fresh {
							s.Add(scalars[j%len(scalars)], s.Point(points[i*shape.fresh+j]))
						}
						for j := range shape.kept {
							s.Add(scalars[(i+j)%len(scalars)], s.Table(tables[(i*shape.kept+j)%len(tables)]))
						}
						s.End()
					}
					make(s, out)
				}
			})
		}
	}
}
