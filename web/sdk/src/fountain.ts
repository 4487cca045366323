// Which fragments of a message each part of a UR contains. Parts 1 to count are the fragments themselves; every later
// part is the exclusive or of some of them, which its number and the message's checksum determine, so that a reader
// that missed a part can use any later one.
// Source: Blockchain Commons, BCR-2020-005 and BCR-2024-001; the reference implementation bc-ur.

import { sha256 } from "./sha256.js";

const low64 = (x: bigint): bigint => BigInt.asUintN(64, x);
const turn = (x: bigint, n: bigint): bigint => low64((x << n) | (x >> (64n - n)));

/** The generator Xoshiro256**, seeded with the SHA-256 hash of bytes. Source: prng.di.unimi.it/xoshiro256starstar.c. */
export class Xoshiro256 {
  readonly #s: [bigint, bigint, bigint, bigint];

  constructor(seed: Uint8Array) {
    const h = [...sha256(seed)].map(BigInt) as [bigint, bigint, bigint, bigint, bigint, bigint, bigint, bigint];
    this.#s = [(h[0] << 32n) | h[1], (h[2] << 32n) | h[3], (h[4] << 32n) | h[5], (h[6] << 32n) | h[7]];
  }

  /** Returns the next number of 64 bits. */
  next(): bigint {
    const s = this.#s;
    const result = low64(turn(low64(s[1] * 5n), 7n) * 9n);
    const t = low64(s[1] << 17n);
    s[2] ^= s[0];
    s[3] ^= s[1];
    s[1] ^= s[2];
    s[0] ^= s[3];
    s[2] ^= t;
    s[3] = turn(s[3], 45n);
    return result;
  }

  /** Returns a number from 0 to 1, rounded as the reference implementation does: it can be 1. */
  fraction(): number {
    return Number(this.next()) / 2 ** 64;
  }

  /** Returns an integer from 0 to count-1. */
  below(count: number): number {
    return Math.min(Math.floor(this.fraction() * count), count - 1);
  }
}

/**
 * Chooses numbers from 0 on with the given weights, by Walker's alias method. The order in which it goes through the
 * weights is that of the reference implementation, because every reader must choose alike.
 */
export class Sampler {
  readonly #limits: Float64Array;
  readonly #aliases: Uint32Array;

  constructor(weights: readonly number[]) {
    const n = weights.length;
    const sum = weights.reduce((a, b) => a + b, 0);
    const share = weights.map((w) => (w * n) / sum);
    const small: number[] = [];
    const large: number[] = [];
    for (let i = n - 1; i >= 0; i--) ((share[i] as number) < 1 ? small : large).push(i);
    this.#limits = new Float64Array(n).fill(1);
    this.#aliases = new Uint32Array(n);
    while (small.length > 0 && large.length > 0) {
      const [a, g] = [small.pop() as number, large.pop() as number];
      this.#limits[a] = share[a] as number;
      this.#aliases[a] = g;
      const rest = (share[g] as number) + ((share[a] as number) - 1);
      share[g] = rest;
      (rest < 1 ? small : large).push(g);
    }
  }

  next(random: Xoshiro256): number {
    const i = random.below(this.#limits.length);
    return random.fraction() < (this.#limits[i] as number) ? i : (this.#aliases[i] as number);
  }
}

/** Chooses the fragments of the parts of a message with count fragments and this CRC-32. */
export class Chooser {
  readonly #count: number;
  readonly #sum: number;
  #degrees: Sampler | undefined;

  constructor(count: number, sum: number) {
    this.#count = count;
    this.#sum = sum;
  }

  /** Returns the indexes of the fragments of part n, which counts from 1. */
  fragments(n: number): number[] {
    if (n <= this.#count) return [n - 1];
    const seed = new DataView(new ArrayBuffer(8));
    seed.setUint32(0, n);
    seed.setUint32(4, this.#sum);
    const random = new Xoshiro256(new Uint8Array(seed.buffer));
    this.#degrees ??= new Sampler(Array.from({ length: this.#count }, (_, i) => 1 / (i + 1)));
    const degree = this.#degrees.next(random) + 1;
    const left = Array.from({ length: this.#count }, (_, i) => i);
    return Array.from({ length: degree }, () => left.splice(random.below(left.length), 1)[0] as number);
  }
}

interface Row {
  /** One bit for each fragment that the row contains. */
  bits: Uint32Array;
  data: Uint32Array;
}

function xor(into: Uint32Array, other: Uint32Array): void {
  for (let i = 0; i < into.length; i++) (into[i] as number) ^= other[i] as number;
}

/** Returns the index of the lowest bit, or -1 for zero. */
function lowest(bits: Uint32Array): number {
  for (let i = 0; i < bits.length; i++) {
    const word = bits[i] as number;
    if (word !== 0) return 32 * i + 31 - Math.clz32(word & -word);
  }
  return -1;
}

/**
 * Solves for the fragments by elimination: it keeps at most one row for each fragment, so that neither its memory nor
 * the time for one part depends on the number of parts.
 */
export class Solver {
  readonly #rows: (Row | undefined)[];
  readonly #size: number;
  /** The number of fragments that the parts so far determine. */
  have = 0;

  constructor(count: number, size: number) {
    this.#rows = new Array<Row | undefined>(count).fill(undefined);
    this.#size = size;
  }

  /** Adds a part. It returns false if the part contradicts earlier ones. */
  add(fragments: readonly number[], part: Uint8Array): boolean {
    const row = {
      bits: new Uint32Array(Math.ceil(this.#rows.length / 32)),
      data: new Uint32Array(Math.ceil(this.#size / 4)),
    };
    for (const i of fragments) (row.bits[i >> 5] as number) ^= 1 << (i & 31);
    new Uint8Array(row.data.buffer).set(part);
    for (let first = lowest(row.bits); first >= 0; first = lowest(row.bits)) {
      const known = this.#rows[first];
      if (!known) {
        this.#rows[first] = row;
        this.have++;
        return true;
      }
      xor(row.bits, known.bits);
      xor(row.data, known.data);
    }
    return row.data.every((word) => word === 0);
  }

  /** Returns the fragments, one after another, once there are all of them. */
  solution(): Uint8Array {
    const all = new Uint8Array(this.#rows.length * this.#size);
    for (let i = this.#rows.length - 1; i >= 0; i--) {
      const row = this.#rows[i];
      if (!row) throw new Error("fragments are missing");
      for (let k = i + 1; k < this.#rows.length; k++) {
        const later = this.#rows[k];
        if (later && ((row.bits[k >> 5] as number) >>> (k & 31)) & 1) xor(row.data, later.data);
      }
      all.set(new Uint8Array(row.data.buffer, 0, this.#size), i * this.#size);
    }
    return all;
  }
}
