package main

import "glim/wasm/kernel"

// sums makes the functions for sums of multiples: tables and sum. In the elements of tables, lanes 0 and 1 belong to
// two points with separate tables; the second begins eight bytes after the first.
func (c *curve) sums() {
	c.tables()
	c.choosing()
	c.sum()
}

// neutral stores the neutral element at an address.
func (f *function) neutral(p code) code {
	return f.piece(func() {
		f.do(zero(p, constant32(point)))
		one := f.loadElement(at(atOne))
		f.storeElement(offset(p, atY), one)
		f.storeElement(offset(p, atZ), one)
	})
}

// tables makes tables(from, to, pairs, entries): for each pair of points at from, the multiples 0·P, 1·P and so on.
func (c *curve) tables() {
	f := c.function("tables", 4)
	const from, to, pairs, entries = 0, 1, 2, 3
	left := f.local(i32)
	f.do(repeat(get(pairs), f.piece(func() {
		for i := range 4 {
			f.do(call(c.limbs, at(atNext+i*size), offset(get(from), 32*i), constant32(kernel.Point)))
		}
		f.do(call(c.multiple, at(atTwice), at(atNext)), f.neutral(at(atNext)), set(left, get(entries)))
		f.do(repeat(get(left),
			call(c.multiple, get(to), at(atNext)), call(c.add, at(atNext), at(atTwice), constant32(0), constant32(1)),
			set(to, offset(get(to), point)), set(left, offset(get(left), -1)),
		))
		f.do(set(from, offset(get(from), 2*kernel.Point)), set(pairs, offset(get(pairs), -1)))
	})))
}

// choosing makes choose(table, other, digit, digitOfOther), which copies the multiples of lane 0 from one table and of
// lane 1 from the other to atTwice, and chooseSecret(table, digit, digitOfOther), which does so in constant time from
// interleaved tables.
func (c *curve) choosing() {
	negative := func(digit int) code { return i32ShrS(get(digit), constant32(31)) }
	magnitude := func(digit int) code { return i32Sub(i32Xor(get(digit), negative(digit)), negative(digit)) }

	f := c.function("", 4)
	var entry, turn [2]code
	for lane := range entry {
		entry[lane] = f.keep(i32, i32Add(get(lane), i32Mul(magnitude(2+lane), constant32(point))))
		turn[lane] = f.keep(i32, i32And(negative(2+lane), constant32(size)))
	}
	signs := func(f *function, first int) code { // all ones in lanes with a negative digit
		return f.keep(v128, withLane1(splat64(i64Ext(negative(first))), i64Ext(negative(first+1))))
	}
	sign := f.keep(v128, shl(signs(f, 2), 63))
	for i := range 5 {
		f.do(store(at(atTwice+atPlus), 16*i, gather(i32Add(entry[0], turn[0]), i32Add(entry[1], turn[1]), 16*i)))
		negated := gather(i32Sub(entry[0], turn[0]), i32Sub(entry[1], turn[1]), atMinus+16*i)
		f.do(store(at(atTwice+atMinus), 16*i, negated))
		f.do(store(at(atTwice+atTwiceZ), 16*i, gather(entry[0], entry[1], atTwiceZ+16*i)))
		f.do(store(at(atTwice+atT2d), 16*i, xor(gather(entry[0], entry[1], atT2d+16*i), sign)))
	}
	c.choose = f

	f = c.function("", 3)
	const table = 0
	size2 := f.keep(v128, withLane1(splat64(i64Ext(magnitude(1))), i64Ext(magnitude(2))))
	var hit [kernel.Entries]code
	for k := range hit {
		hit[k] = f.keep(v128, equal(size2, splat64(constant64(int64(k)))))
	}
	to := f.local(i32)
	f.do(set(to, at(atTwice)))
	f.do(repeat(i32LtU(get(to), at(atTwice+point)), f.piece(func() {
		chosen := and(load(get(table), 0), hit[0])
		for k := 1; k < len(hit); k++ {
			chosen = or(chosen, and(load(get(table), k*point), hit[k]))
		}
		f.do(store(get(to), 0, chosen), set(to, offset(get(to), 16)), set(table, offset(get(table), 16)))
	})))
	all := signs(f, 1)
	sign = f.keep(v128, shl(all, 63))
	for i := range 5 {
		plus := f.keep(v128, load(at(atTwice+atPlus), 16*i))
		minus := f.keep(v128, load(at(atTwice+atMinus), 16*i))
		f.do(store(at(atTwice+atPlus), 16*i, choose(minus, plus, all)),
			store(at(atTwice+atMinus), 16*i, choose(plus, minus, all)))
		f.do(store(at(atTwice+atT2d), 16*i, xor(load(at(atTwice+atT2d), 16*i), sign)))
	}
	c.chooseSecret = f
}

// sum makes the exported function sum.
func (c *curve) sum() {
	f := c.function("sum", 3)
	const end, secret, both = 0, 1, 2
	bit, term, width := f.local(i32), f.local(i32), f.local(i32)
	top, mask, bias := f.local(i32), f.local(i32), f.local(i32)
	digits := [2]int{f.local(i32), f.local(i32)}
	f.do(f.neutral(at(atPoint)), set(bit, constant32(kernel.Top)))
	f.do(repeat(i32LtS(constant32(-1), get(bit)), f.piece(func() {
		f.do(set(top, i32Eq(get(bit), constant32(kernel.Top))), set(term, at(kernel.AtTerms)))
		f.do(repeat(i32LtU(get(term), get(end)), f.piece(func() {
			f.do(set(width, load32(get(term), kernel.TermWidth)))
			f.do(when(i32Eqz(i32RemU(get(bit), get(width))), f.piece(func() {
				// The highest digit consists of the remaining bits; the others are offset by half of their range.
				f.do(set(mask, i32Sub(i32Shl(constant32(1), get(width)), constant32(1))))
				f.do(set(bias, i32ShrU(i32Add(get(mask), constant32(1)), constant32(1))))
				f.do(when(get(top), set(mask, constant32(15)), set(bias, constant32(0))))
				for lane, d := range digits {
					word := load32(i32Add(get(term), i32ShrU(get(bit), constant32(3))), kernel.TermScalars+32*lane)
					f.do(set(d, i32Sub(i32And(i32ShrU(word, i32And(get(bit), constant32(7))), get(mask)), get(bias))))
				}
				table, other := load32(get(term), kernel.TermTables), load32(get(term), kernel.TermTables+4)
				f.do(when(get(secret), call(c.chooseSecret, table, get(digits[0]), get(digits[1]))))
				f.do(when(i32Eqz(get(secret)), call(c.choose, table, other, get(digits[0]), get(digits[1]))))
				f.do(call(c.add, at(atPoint), at(atTwice), constant32(0),
					i32Or(i32LtU(offset(get(term), kernel.Term), get(end)), i32Eqz(get(bit)))))
			})))
			f.do(set(term, offset(get(term), kernel.Term)))
		})))
		f.do(set(bit, offset(get(bit), -1)))
		// Windows have four bits or six; T is needed if an addition follows.
		f.do(when(i32LtS(constant32(-1), get(bit)), call(c.double, at(atPoint),
			i32Or(i32Eqz(i32And(get(bit), constant32(3))), i32Eqz(i32RemU(get(bit), constant32(6)))))))
	})))
	f.do(when(get(both), f.piece(func() {
		f.do(call(c.multiple, at(atTwice), at(atPoint)))
		for i := range 20 {
			f.do(store(at(atTwice), 16*i, swapped(f.keep(v128, load(at(atTwice), 16*i)))))
		}
		f.do(call(c.add, at(atPoint), at(atTwice), constant32(0), constant32(1)))
	})))
	for lane := range 2 {
		for i := range 4 {
			f.do(call(c.number, at(kernel.AtSums+kernel.Point*lane+32*i), at(atPoint+i*size+8*lane)))
		}
	}
	f.do(when(get(secret), zero(at(kernel.AtTerms), constant32(kernel.Term*kernel.Terms))))
}
