package randomx

import "math/bits"

// lanes is the number of items that runTogether computes at once.
const lanes = 8

// quad is the value of a register in half of the lanes.
type quad [lanes / 2]uint64

// octet is the value of a register in all lanes.
type octet [2]quad

func (d *quad) sub(f *quad) { d[0], d[1], d[2], d[3] = d[0]-f[0], d[1]-f[1], d[2]-f[2], d[3]-f[3] }
func (d *quad) xor(f *quad) { d[0], d[1], d[2], d[3] = d[0]^f[0], d[1]^f[1], d[2]^f[2], d[3]^f[3] }
func (d *quad) mul(f *quad) { d[0], d[1], d[2], d[3] = d[0]*f[0], d[1]*f[1], d[2]*f[2], d[3]*f[3] }

func (d *quad) addShift(f *quad, n uint64) {
	d[0], d[1], d[2], d[3] = d[0]+f[0]<<n, d[1]+f[1]<<n, d[2]+f[2]<<n, d[3]+f[3]<<n
}

func (d *quad) rotate(n int) {
	d[0], d[1] = bits.RotateLeft64(d[0], n), bits.RotateLeft64(d[1], n)
	d[2], d[3] = bits.RotateLeft64(d[2], n), bits.RotateLeft64(d[3], n)
}

func (d *quad) addC(k uint64) { d[0], d[1], d[2], d[3] = d[0]+k, d[1]+k, d[2]+k, d[3]+k }
func (d *quad) xorC(k uint64) { d[0], d[1], d[2], d[3] = d[0]^k, d[1]^k, d[2]^k, d[3]^k }
func (d *quad) mulC(k uint64) { d[0], d[1], d[2], d[3] = d[0]*k, d[1]*k, d[2]*k, d[3]*k }

func (d *quad) mulHigh(f *quad) {
	d[0], d[1], d[2], d[3] = mulHigh(d[0], f[0]), mulHigh(d[1], f[1]), mulHigh(d[2], f[2]), mulHigh(d[3], f[3])
}

func (d *quad) mulHighSigned(f *quad) {
	d[0], d[1] = mulHighSigned(d[0], f[0]), mulHighSigned(d[1], f[1])
	d[2], d[3] = mulHighSigned(d[2], f[2]), mulHighSigned(d[3], f[3])
}

// runTogether executes the program on eight sets of registers at once. It does the same as run2 for each.
func (s *superscalar) runTogether(r *[8]octet) {
	for _, w := range s.code {
		d, f := &r[w>>8&7], &r[w>>16&7]
		op := uint8(w)
		if op == ssMul {
			d[0].mul(&f[0])
			d[1].mul(&f[1])
			continue
		}
		if op <= ssAddShift {
			if op == ssSub {
				d[0].sub(&f[0])
				d[1].sub(&f[1])
				continue
			}
			if op == ssXor {
				d[0].xor(&f[0])
				d[1].xor(&f[1])
				continue
			}
			n := w >> 24 & 3
			d[0].addShift(&f[0], n)
			d[1].addShift(&f[1], n)
			continue
		}
		if op == ssRotate {
			n := -int(w >> 32)
			d[0].rotate(n)
			d[1].rotate(n)
			continue
		}
		constant := uint64(int64(w) >> 32)
		if op == ssAddC7 {
			d[0].addC(constant)
			d[1].addC(constant)
			continue
		}
		if op == ssXorC7 {
			d[0].xorC(constant)
			d[1].xorC(constant)
			continue
		}
		if op == ssMulReciprocal {
			k := s.reciprocals[constant%ssMaxSize]
			d[0].mulC(k)
			d[1].mulC(k)
			continue
		}
		if op == ssMulHigh {
			d[0].mulHigh(&f[0])
			d[1].mulHigh(&f[1])
			continue
		}
		d[0].mulHighSigned(&f[0])
		d[1].mulHighSigned(&f[1])
	}
}
