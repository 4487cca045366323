package journal

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
)

var password = []byte("correct horse")

// random returns repeatable bytes for keys, salts and nonces.
func random(seed byte) *rand.ChaCha8 { return rand.NewChaCha8([32]byte{seed}) }

func sample() [][]byte {
	return [][]byte{[]byte("first"), {}, bytes.Repeat([]byte("long "), 20), []byte("last")}
}

// filled returns storage with the sample records, the offset of each record, and the offset of the end.
func filled(t testing.TB, seed byte) (*Memory, []int) {
	t.Helper()
	m := NewMemory()
	j, err := Create(m, password, random(seed), WeakestKDF(), []byte("public"))
	require.NoError(t, err)
	starts := []int{int(j.Size())}
	for _, r := range sample() {
		require.NoError(t, j.Append(r))
		starts = append(starts, int(j.Size()))
	}
	require.EqualValues(t, len(m.Content), j.Size())
	return m, starts
}

func sameRecords(t testing.TB, want, got [][]byte) {
	t.Helper()
	require.Equal(t, len(want), len(got))
	for i := range want {
		require.Equal(t, string(want[i]), string(got[i]), "record %d", i)
	}
}

func reopen(t testing.TB, m *Memory, want ...[]byte) *Journal {
	t.Helper()
	j, got, err := Open(m, password, random(99))
	require.NoError(t, err)
	sameRecords(t, want, got)
	require.EqualValues(t, len(m.Content), j.size+j.mark)
	return j
}

func TestCreateOpen(t *testing.T) {
	m, _ := filled(t, 1)
	require.False(t, bytes.Contains(m.Content, []byte("long long")))
	public, err := Public(m)
	require.NoError(t, err)
	require.Equal(t, "public", string(public))
	j := reopen(t, m, sample()...)
	require.Equal(t, "public", string(j.Public()))
	_, records, err := Open(m, []byte("wrong"), random(2))
	require.ErrorIs(t, err, ErrPassword)
	require.Empty(t, records)
	_, err = Create(m, password, random(2), WeakestKDF(), nil)
	require.ErrorIs(t, err, ErrExists)
	_, _, err = Open(NewMemory(), password, random(2))
	require.ErrorIs(t, err, ErrEmpty)
	_, _, err = Open(&Memory{Content: []byte("PK\x03\x04")}, password, random(2))
	require.ErrorIs(t, err, ErrFormat)

	m = NewMemory()
	_, err = Create(m, nil, random(3), DefaultKDF(), nil, sample()...)
	require.NoError(t, err)
	_, records, err = Open(m, nil, random(2))
	require.NoError(t, err)
	sameRecords(t, sample(), records)
}

// TestTornAtEveryByte truncates the file at every length: complete records remain, the rest is removed, and the
// journal can be appended to.
func TestTornAtEveryByte(t *testing.T) {
	whole, starts := filled(t, 1)
	for size := range len(whole.Content) + 1 {
		m := &Memory{Content: slices.Clone(whole.Content[:size])}
		if size < starts[0] {
			_, records, err := Open(m, password, random(2))
			require.Error(t, err)
			require.Empty(t, records)
			require.Equal(t, whole.Content[:size], m.Content)
			require.Equal(t, size == 0, errors.Is(err, ErrEmpty))
			require.Equal(t, size > 0, errors.Is(err, ErrCorrupt))
			continue
		}
		n := 0
		for n+1 < len(starts) && starts[n+1] <= size {
			n++
		}
		j := reopen(t, m, sample()[:n]...)
		require.EqualValues(t, starts[n], j.Size())
		require.NoError(t, j.Append([]byte("after")))
		reopen(t, m, append(sample()[:n], []byte("after"))...)

		// Some file systems leave zeros in place of unwritten data; truncation inside a tag then looks like damage.
		if n+1 < len(starts) && size <= starts[n+1]-tagSize {
			m := &Memory{Content: append(slices.Clone(whole.Content[:size]), make([]byte, starts[n+1]-size)...)}
			reopen(t, m, sample()[:n]...)
		}
	}
}

// TestFlipEveryBit flips every bit: no record is changed or dropped silently, and the file stays as it is.
func TestFlipEveryBit(t *testing.T) {
	whole, starts := filled(t, 1)
	for i := range whole.Content {
		for bit := range 8 {
			m := &Memory{Content: slices.Clone(whole.Content)}
			m.Content[i] ^= 1 << bit
			before := slices.Clone(m.Content)
			j, records, err := Open(m, password, random(2))
			require.Nil(t, j)
			require.Equal(t, before, m.Content)
			if i < len(magic) {
				require.ErrorIs(t, err, ErrFormat)
				continue
			}
			require.ErrorIs(t, err, ErrCorrupt, "byte %d", i)
			n := 0
			for i >= starts[n] && starts[n+1] <= i {
				n++
			}
			sameRecords(t, sample()[:n], records)
		}
	}
}

// TestTampering changes files deliberately, with correct checksums.
func TestTampering(t *testing.T) {
	whole, starts := filled(t, 1)
	other, _ := filled(t, 2)
	record := func(m *Memory, i int) []byte { return m.Content[starts[i]:starts[i+1]] }
	for name, c := range map[string]struct {
		content []byte
		want    int
	}{
		"dropped": {slices.Concat(whole.Content[:starts[1]], whole.Content[starts[2]:]), 1},
		"reordered": {
			slices.Concat(whole.Content[:starts[0]], record(whole, 1), record(whole, 0), whole.Content[starts[2]:]),
			0,
		},
		"repeated": {slices.Concat(whole.Content, record(whole, 3)), 4},
		"foreign":  {slices.Concat(whole.Content[:starts[2]], other.Content[starts[2]:]), 2},
	} {
		_, records, err := Open(&Memory{Content: c.content}, password, random(2))
		require.ErrorIs(t, err, ErrCorrupt, name)
		sameRecords(t, sample()[:c.want], records)
	}

	// Two journals continue the same copy: a record of one cannot follow a record of the other.
	fork := func(r string) []byte {
		m := &Memory{Content: slices.Clone(whole.Content)}
		j, _, err := Open(m, password, random(r[0]))
		require.NoError(t, err)
		require.NoError(t, j.Append([]byte(r)))
		require.NoError(t, j.Append([]byte("same")))
		return m.Content
	}
	a, b := fork("a"), fork("b")
	seam := len(whole.Content) + overhead + 1
	_, records, err := Open(&Memory{Content: slices.Concat(a[:seam], b[seam:])}, password, random(2))
	require.ErrorIs(t, err, ErrCorrupt)
	require.Len(t, records, 5)

	header := func(change func(h []byte)) error {
		m := &Memory{Content: slices.Clone(whole.Content)}
		h := m.Content[:starts[0]]
		change(h)
		binary.LittleEndian.PutUint32(h[len(h)-sumSize:], crc32.Checksum(h[:len(h)-sumSize], castagnoli))
		_, _, err := Open(m, password, random(2))
		return err
	}
	require.NoError(t, header(func([]byte) {}))
	require.ErrorIs(t, header(func(h []byte) { h[fixedSize] ^= 1 }), ErrPassword, "public bytes are authenticated")
	require.ErrorIs(t, header(func(h []byte) { h[len(magic)] = 2 }), ErrPassword)
	for _, hostile := range []KDF{
		{0, 8, 1},
		{maxTime + 1, 8, 1},
		{1, 7, 1},
		{1, maxMemoryKiB + 1, 1},
		{1, 1 << 31, 1},
		{1, 8, 0},
		{1, 8, 2},
		{1, 1 << 12, maxLanes + 1},
		{1, 1 << 12, 256},
	} {
		require.ErrorIs(t, header(func(h []byte) {
			binary.LittleEndian.PutUint32(h[8:], hostile.Time)
			binary.LittleEndian.PutUint32(h[12:], hostile.MemoryKiB)
			binary.LittleEndian.PutUint32(h[16:], hostile.Lanes)
		}), ErrLimit, "%+v", hostile)
		_, err := Create(NewMemory(), password, random(1), hostile, nil)
		require.ErrorIs(t, err, ErrLimit)
	}
	_, err = Create(NewMemory(), password, random(1), WeakestKDF(), make([]byte, MaxPublic+1))
	require.ErrorIs(t, err, ErrLimit)
}

func TestRecordLimit(t *testing.T) {
	m, _ := filled(t, 1)
	j := reopen(t, m, sample()...)
	require.ErrorIs(t, j.Append(make([]byte, MaxRecord+1)), ErrLimit)
	require.ErrorIs(t, j.Compact(make([]byte, MaxRecord+1)), ErrLimit)
	require.NoError(t, j.Append([]byte("on")))
	reopen(t, m, append(sample(), []byte("on"))...)
}

var errFull = errors.New("disk full")

func TestFailedAppend(t *testing.T) {
	m, _ := filled(t, 1)
	j := reopen(t, m, sample()...)
	m.Fault = func(op Op, p []byte) (int, error) {
		if op == OpAppend {
			return len(p) / 2, errFull
		}
		return 0, nil
	}
	require.ErrorIs(t, j.Append([]byte("lost")), errFull)
	m.Fault = nil
	require.NoError(t, j.Append([]byte("kept")), "the partial record was removed")
	want := append(sample(), []byte("kept"))
	reopen(t, m, want...)

	for _, part := range []int{0, 1, frameSize, overhead + 3, overhead + 4} {
		j = reopen(t, m, want...)
		m.Fault = func(op Op, p []byte) (int, error) {
			if op == OpTruncate {
				return 0, errFull
			}
			return part, errFull
		}
		require.ErrorIs(t, j.Append([]byte("lost")), errFull)
		m.Fault = nil
		size := len(m.Content)
		require.ErrorIs(t, j.Append([]byte("never")), ErrBroken)
		require.ErrorIs(t, j.Compact(), ErrBroken)
		require.ErrorIs(t, j.ChangePassword(password, password), ErrBroken)
		require.Len(t, m.Content, size)
		if part == overhead+4 {
			want = append(want, []byte("lost")) // it was written completely, though not acknowledged
		}
		reopen(t, m, want...)
	}
}

// TestKilledInCompact makes a replacement fail before and after it takes effect: the file holds the complete old or
// new content.
func TestKilledInCompact(t *testing.T) {
	for _, password2 := range [][]byte{nil, []byte("new password")} {
		replace := func(j *Journal) error {
			if password2 != nil {
				return j.ChangePassword(password, password2)
			}
			return j.Compact([]byte("snapshot"))
		}
		m, _ := filled(t, 1)
		j := reopen(t, m, sample()...)
		m.Fault = func(Op, []byte) (int, error) { return 0, errFull }
		before := slices.Clone(m.Content)
		require.ErrorIs(t, replace(j), errFull)
		require.Equal(t, before, m.Content)
		m.Fault = nil
		require.NoError(t, j.Append([]byte("continued")), "the old content is still there, so the journal is usable")
		reopen(t, m, append(sample(), []byte("continued"))...)

		m, _ = filled(t, 1)
		j = reopen(t, m, sample()...)
		m.Fault = func(Op, []byte) (int, error) { return 1, errFull }
		require.ErrorIs(t, replace(j), errFull)
		m.Fault = nil
		require.ErrorIs(t, j.Append([]byte("no")), ErrBroken, "either content may have survived")
		if password2 != nil {
			_, records, err := Open(m, password2, random(3))
			require.NoError(t, err)
			sameRecords(t, sample(), records)
		} else {
			reopen(t, m, []byte("snapshot"))
		}
	}
}

func TestChangePassword(t *testing.T) {
	m, _ := filled(t, 1)
	old := slices.Clone(m.Content)
	j := reopen(t, m, sample()...)
	require.ErrorIs(t, j.ChangePassword([]byte("wrong"), []byte("next")), ErrPassword)
	require.Equal(t, old, m.Content)
	require.NoError(t, j.ChangePassword(password, []byte("next")))
	require.NoError(t, j.Append([]byte("more")))
	_, _, err := Open(m, password, random(2))
	require.ErrorIs(t, err, ErrPassword)
	j, records, err := Open(m, []byte("next"), random(2))
	require.NoError(t, err)
	sameRecords(t, append(sample(), []byte("more")), records)
	require.Equal(t, "public", string(j.Public()))
	require.NoError(t, j.ChangePassword([]byte("next"), password), "twice")
	reopen(t, m, append(sample(), []byte("more"))...)
	require.NotContains(t, string(m.Content), string(old[fixedSize+6:fixedSize+6+sealedSize]), "a fresh data key")

	m.Content = old // another program restored a copy
	require.ErrorIs(t, j.ChangePassword(password, []byte("x")), ErrCorrupt)
	require.Equal(t, old, m.Content)
}

// TestLanes checks that a file with fewer lanes opens, and gets the default number of lanes with its next password.
// Passes and memory stay; with too little memory the lanes stay as well.
func TestLanes(t *testing.T) {
	for _, c := range []struct{ had, has KDF }{
		{KDF{2, 64, 1}, KDF{2, 64, 4}},
		{KDF{1, 32, 3}, KDF{1, 32, 4}},
		{KDF{1, 64, 8}, KDF{1, 64, 8}},
		{KDF{1, 31, 1}, KDF{1, 31, 1}},
		{WeakestKDF(), WeakestKDF()},
	} {
		m := NewMemory()
		_, err := Create(m, password, random(1), c.had, nil, sample()...)
		require.NoError(t, err)
		was := func() (k KDF) {
			h, err := parseHeader(m.Content)
			require.NoError(t, err)
			return h.kdf
		}
		require.Equal(t, c.had, was())
		j := reopen(t, m, sample()...)
		require.NoError(t, j.Compact(sample()...))
		require.Equal(t, c.had, was(), "the key stays until the password changes")
		m.Fault = func(Op, []byte) (int, error) { return 0, errFull }
		require.Error(t, j.ChangePassword(password, []byte("next")))
		m.Fault = nil
		require.NoError(t, j.CheckPassword(password))
		require.NoError(t, j.ChangePassword(password, []byte("next")))
		require.Equal(t, c.has, was())
		require.NoError(t, j.CheckPassword([]byte("next")))
		_, records, err := Open(m, []byte("next"), random(2))
		require.NoError(t, err)
		sameRecords(t, sample(), records)
		_, _, err = Open(m, password, random(2))
		require.ErrorIs(t, err, ErrPassword)
	}
	require.Equal(t, DefaultKDF(), KDF{3, 64 << 10, 1}.ForNewPassword())
	require.NoError(t, DefaultKDF().check())
}

// TestModel performs random operations with faults and reopening: the journal always holds the same records as a
// plain list. No nonce is used twice, even for data that did not reach the storage.
func TestModel(t *testing.T) {
	for seed := range byte(40) {
		r := rand.New(random(seed))
		source := random(seed + 100)
		m := NewMemory()
		nonces := map[string]bool{}
		watch := func(p []byte) {
			if len(p) >= frameSize {
				nonce := string(p[8:frameSize])
				require.False(t, nonces[nonce])
				nonces[nonce] = true
			}
		}
		fail := false
		m.Fault = func(op Op, p []byte) (int, error) {
			if op == OpAppend {
				watch(p)
			}
			if fail && op != OpTruncate {
				return map[Op]int{OpAppend: r.IntN(len(p) + 1)}[op], errFull
			}
			return 0, nil
		}
		key := password
		j, err := Create(m, key, source, WeakestKDF(), nil)
		require.NoError(t, err)
		var want [][]byte
		record := func() []byte { return []byte(fmt.Sprint("record ", r.Uint64(), string(make([]byte, r.IntN(50))))) }
		for range 200 {
			fail = r.IntN(4) == 0
			switch r.IntN(10) {
			case 0:
				snapshot := [][]byte{record(), record()}[:r.IntN(3)]
				err := j.Compact(snapshot...)
				require.Equal(t, fail, err != nil)
				if !fail {
					want = snapshot
				}
			case 1:
				next := record()
				err := j.ChangePassword(key, next)
				require.Equal(t, fail, err != nil)
				if !fail {
					key = next
				}
			case 2:
				var got [][]byte
				if r.IntN(2) == 0 { // killed during an append
					m.Content = append(m.Content, make([]byte, r.IntN(frameSize))...)
				}
				j, got, err = Open(m, key, source)
				require.NoError(t, err)
				sameRecords(t, want, got)
			default:
				next := record()
				err := j.Append(next)
				require.Equal(t, fail, err != nil)
				if !fail {
					want = append(slices.Clip(want), next)
				}
			}
		}
	}
}

func FuzzOpen(f *testing.F) {
	m, starts := filled(f, 1)
	f.Add(m.Content)
	f.Add(m.Content[:starts[0]])
	f.Add(m.Content[:starts[2]+7])
	f.Add([]byte(magic))
	f.Add([]byte{})
	f.Fuzz(func(t *testing.T, content []byte) {
		m := &Memory{Content: slices.Clone(content)}
		j, records, err := Open(m, password, random(2))
		if err != nil {
			require.Nil(t, j)
			require.Equal(t, string(content), string(m.Content))
			return
		}
		require.NoError(t, j.Append([]byte("next")))
		reopen(t, m, append(slices.Clip(records), []byte("next"))...)
	})
}

const many = 50_000

func BenchmarkAppend50000(b *testing.B) {
	record := make([]byte, 100)
	for b.Loop() {
		j, err := Create(NewMemory(), password, random(1), WeakestKDF(), nil)
		require.NoError(b, err)
		for range many {
			if err := j.Append(record); err != nil {
				b.Fatal(err)
			}
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/many, "ns/record")
}

func BenchmarkOpen50000(b *testing.B) {
	m := NewMemory()
	_, err := Create(m, password, random(1), WeakestKDF(), nil, slices.Repeat([][]byte{make([]byte, 100)}, many)...)
	require.NoError(b, err)
	for b.Loop() {
		_, records, err := Open(m, password, random(2))
		require.NoError(b, err)
		require.Len(b, records, many)
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/many, "ns/record")
}

// BenchmarkDefaultKDF derives a key with the default parameters, and with one lane.
func BenchmarkDefaultKDF(b *testing.B) {
	one := DefaultKDF()
	one.Lanes = 1
	for _, k := range []KDF{DefaultKDF(), one} {
		b.Run(fmt.Sprint("lanes=", k.Lanes), func(b *testing.B) {
			for b.Loop() {
				k.derive(password, [saltSize]byte{})
			}
		})
	}
}

// beginner is storage that can load only the start of its content.
type beginner struct{ *Memory }

func (beginner) Load() ([]byte, error) { return nil, errors.New("complete load") }

func TestHeaderIsReadAlone(t *testing.T) {
	m := NewMemory()
	j, err := Create(m, password, random(1), WeakestKDF(), bytes.Repeat([]byte("p"), MaxPublic))
	require.NoError(t, err)
	require.NoError(t, j.Append(make([]byte, 1<<16)))
	public, err := Public(beginner{m})
	require.NoError(t, err)
	require.Len(t, public, MaxPublic)
	require.NoError(t, CheckPassword(beginner{m}, password))
	require.ErrorIs(t, CheckPassword(beginner{m}, []byte("other")), ErrPassword)
}
