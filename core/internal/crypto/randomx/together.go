package randomx

// MaxTogether is the number of inputs that Sums hashes together.
const MaxTogether = lanes / 2

// hashTogether hashes up to MaxTogether inputs, each on its own machine with the same cache. The machines take every
// step at the same time, so that the dataset items of all are computed together.
func hashTogether(machines []*VM, inputs [][]byte) [][32]byte {
	for i, v := range machines {
		v.start(inputs[i])
	}
	for number := range programCount {
		for _, v := range machines {
			v.prepare(number)
		}
		runTogether(machines)
		for _, v := range machines {
			v.store(&v.registers)
		}
	}
	sums := make([][32]byte, len(machines))
	for i, v := range machines {
		sums[i] = v.finish()
	}
	return sums
}

// runTogether does what VM.run does on each machine.
func runTogether(machines []*VM) {
	var numbers [lanes]uint64
	var items [lanes]line
	for _, v := range machines {
		v.begin()
	}
	for i := range programIterations {
		for _, v := range machines {
			v.advance()
		}
		if i%2 == 0 {
			for j, v := range machines {
				numbers[2*j], numbers[2*j+1] = v.items()
			}
			machines[0].cache.itemsTogether(&numbers, &items)
		}
		for j, v := range machines {
			v.complete(&items[2*j+i%2])
		}
	}
}

// itemsTogether computes items of the dataset from their numbers, as items does. It overwrites the numbers.
func (c *Cache) itemsTogether(numbers *[lanes]uint64, items *[lanes]line) {
	var r [8]octet
	for j, n := range numbers {
		first := (n + 1) * seeds[0]
		r[0][j/4][j%4] = first
		for i := 1; i < len(r); i++ {
			r[i][j/4][j%4] = first ^ seeds[i]
		}
	}
	var from [lanes]*line
	var start [lanes]uint64
	for _, p := range c.programs {
		// Read the lines once, so that they are in the processor's cache when the program has run.
		for j, n := range numbers {
			from[j] = &c.lines[n%cacheLines]
			start[j] = from[j][0]
		}
		p.runTogether(&r)
		for j, x := range from {
			r[0][j/4][j%4] ^= start[j]
			for i := 1; i < len(r); i++ {
				r[i][j/4][j%4] ^= x[i]
			}
		}
		address := &r[p.address&7]
		for j := range numbers {
			numbers[j] = address[j/4][j%4]
		}
	}
	for j := range items {
		for i := range r {
			items[j][i] = r[i][j/4][j%4]
		}
	}
}
