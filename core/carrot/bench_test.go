package carrot

import "testing"

// BenchmarkScanMiss scans an enote of others: the exchange, and a view tag that does not fit. Nearly all enotes of a
// chain are like this.
func BenchmarkScanMiss(b *testing.B) {
	s := send(b, Default, 70)[0]
	other := newRandom(71).master(b, Default)
	for b.Loop() {
		if _, ok := other.Scan(&s.enote, &s.id); ok {
			b.Fatal("found")
		}
	}
}

// BenchmarkScanMissShared is BenchmarkScanMiss without the exchange, as for the second enote of a transaction.
func BenchmarkScanMissShared(b *testing.B) {
	s := send(b, Default, 70)[0]
	other := newRandom(71).master(b, Default)
	shared := other.Shared(s.enote.Ephemeral)
	for b.Loop() {
		if _, ok := other.ScanShared(&s.enote, &s.id, shared); ok {
			b.Fatal("found")
		}
	}
}

// BenchmarkScanInternalMiss looks for an internal enote, which needs no exchange.
func BenchmarkScanInternalMiss(b *testing.B) {
	s := send(b, Default, 70)[0]
	other := newRandom(71).master(b, Default)
	for b.Loop() {
		if _, ok := other.ScanInternal(&s.enote); ok {
			b.Fatal("found")
		}
	}
}

// BenchmarkScan scans and opens enotes of the wallet.
func BenchmarkScan(b *testing.B) {
	for _, s := range send(b, Default, 70) {
		if s.index != indices[0] && s.index != indices[1] {
			continue
		}
		if _, ok := s.to.(*Master); !ok {
			continue
		}
		place := "main address"
		if s.index != indices[0] {
			place = "subaddress"
		}
		b.Run(string(s.kind)+"/"+place, func(b *testing.B) {
			for b.Loop() {
				if _, ok := s.scan(&s.enote, &s.id); !ok {
					b.Fatal("not found")
				}
			}
		})
	}
}

func BenchmarkNewOutput(b *testing.B) {
	random := newRandom(72)
	p := &Payment{To: random.master(b, Default).Address(0, indices[1]), Amount: 1, Anchor: random.anchor(b)}
	for b.Loop() {
		if _, _, err := Default.NewOutput(p, [32]byte{1}); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkKeyImage(b *testing.B) {
	s := send(b, Default, 70)[1]
	got, _ := s.scan(&s.enote, &s.id)
	for b.Loop() {
		if _, err := s.to.KeyImage(&got, s.index); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkAddress(b *testing.B) {
	m := newRandom(73).master(b, Default)
	for b.Loop() {
		m.Address(0, indices[2])
	}
}
