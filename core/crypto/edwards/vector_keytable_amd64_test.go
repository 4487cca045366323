//go:build !purego

package edwards

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// deriveOf computes derivations with one kind of vector instructions, or with none if unit is nil.
func deriveOf(t *testing.T, unit *vectorUnit, key [32]byte, uses int, list []*Scalar) []Derivation {
	t.Helper()
	var table KeyTable
	require.True(t, own{}.setTable(&table, &key, uses))
	if table.wide.unit = nil; unit != nil {
		table.wide.setOf(unit, &table)
	}
	out := make([]Derivation, len(list))
	own{}.deriveTable(&table, out, own{}.newViewKeys(list), 0)
	return out
}

// TestVectorKeyTables compares all kinds of vector instructions, the processor's and simulated ones, with Derive, and
// with portable code. Every digit occurs in every lane.
func TestVectorKeyTables(t *testing.T) {
	key := HashToPoint([32]byte{7}).Encode()
	for _, c := range []struct {
		units []vectorUnit
		views int
	}{{vectorUnits, 100}, {simulated(t), 16}} {
		list := make([]*Scalar, c.views)
		for i := range list {
			list[i] = HashToScalar([]byte{byte(i)})
		}
		want := make([]Derivation, len(list))
		for i := range list {
			d, err := Derive(list[i], key)
			require.NoError(t, err)
			want[i] = d
		}
		for _, uses := range []int{1, 1000} {
			require.Equal(t, want, deriveOf(t, nil, key, uses, list), "portable")
			for i := range c.units {
				require.Equal(t, want, deriveOf(t, &c.units[i], key, uses, list), c.units[i].name)
			}
		}
	}
}

// TestPick looks every digit up in every lane.
func TestPick(t *testing.T) {
	var table KeyTable
	key := HashToPoint([32]byte{8}).Encode()
	require.True(t, own{}.setTable(&table, &key, 1000))
	units := append(simulated(t), vectorUnits...)
	for i := range units {
		u := &units[i]
		table.wide.setOf(u, &table)
		for first := range uint8(32) {
			var digits [8]uint8
			for lane := range digits {
				digits[lane] = (first + 5*uint8(lane)) % 32
			}
			var got vectorAffine
			u.pick(&got, &table.wide.rows[3], &digits)
			for lane, digit := range digits {
				var want affineMultiple
				want.pick(table.row(3), digit)
				for k, e := range []*element{&want.plus, &want.minus, &want.td} {
					v := u.get(&got[k], lane)
					require.True(t, e.equal(&v), "%s, digit %d in lane %d", u.name, digit, lane)
				}
			}
		}
	}
}

// BenchmarkVectorKeyTables reports the time of one derivation with each kind of instructions.
func BenchmarkVectorKeyTables(b *testing.B) {
	list := make([]*Scalar, 256)
	for i := range list {
		list[i] = HashToScalar([]byte{byte(i), byte(i >> 8)})
	}
	views := own{}.newViewKeys(list)
	out := make([]Derivation, len(list))
	key := HashToPoint([32]byte{1}).Encode()
	run := func(name string, unit *vectorUnit) {
		b.Run(name, func(b *testing.B) {
			var table KeyTable
			own{}.setTable(&table, &key, 1000)
			if table.wide.unit = nil; unit != nil {
				table.wide.setOf(unit, &table)
			}
			for b.Loop() {
				own{}.deriveTable(&table, out, views, 0)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*len(out)), "ns/key")
		})
	}
	run("portable", nil)
	for i := range vectorUnits {
		run(vectorUnits[i].name, &vectorUnits[i])
	}
}
