// SHA-256 for data that is not secret. The browser's own is asynchronous, and pages without https do not have it.
// Source: FIPS 180-4.

/** The first 32 bits of the fractional part of a root of each of the first primes. */
function roots(count: number, exponent: number): Uint32Array {
  const found: number[] = [];
  for (let n = 2; found.length < count; n++) {
    let prime = true;
    for (let d = 2; d * d <= n; d++) prime &&= n % d !== 0;
    if (prime) found.push((n ** exponent % 1) * 2 ** 32);
  }
  return Uint32Array.from(found);
}
let constants: Uint32Array | undefined;

const turn = (x: number, n: number): number => (x >>> n) | (x << (32 - n));

/** Returns the SHA-256 hash of bytes, as eight numbers of 32 bits. */
export function sha256(bytes: Uint8Array): Uint32Array {
  const padded = new Uint8Array(((bytes.length + 8) & ~63) + 64);
  padded.set(bytes);
  padded[bytes.length] = 0x80;
  const view = new DataView(padded.buffer);
  view.setUint32(padded.length - 8, Math.floor(bytes.length / 2 ** 29));
  view.setUint32(padded.length - 4, (bytes.length << 3) >>> 0);
  const hash = roots(8, 1 / 2);
  constants ??= roots(64, 1 / 3);
  const w = new Uint32Array(64);
  for (let at = 0; at < padded.length; at += 64) {
    for (let i = 0; i < 16; i++) w[i] = view.getUint32(at + 4 * i);
    for (let i = 16; i < 64; i++) {
      const [x, y] = [w[i - 15] as number, w[i - 2] as number];
      const s0 = turn(x, 7) ^ turn(x, 18) ^ (x >>> 3);
      const s1 = turn(y, 17) ^ turn(y, 19) ^ (y >>> 10);
      w[i] = (w[i - 16] as number) + s0 + (w[i - 7] as number) + s1;
    }
    let [a, b, c, d, e, f, g, h] = hash as unknown as [number, number, number, number, number, number, number, number];
    for (let i = 0; i < 64; i++) {
      const s1 = turn(e, 6) ^ turn(e, 11) ^ turn(e, 25);
      const one = (h + s1 + ((e & f) ^ (~e & g)) + (constants[i] as number) + (w[i] as number)) >>> 0;
      const s0 = turn(a, 2) ^ turn(a, 13) ^ turn(a, 22);
      const two = (s0 + ((a & b) ^ (a & c) ^ (b & c))) >>> 0;
      [h, g, f, e, d, c, b, a] = [g, f, e, (d + one) >>> 0, c, b, a, (one + two) >>> 0];
    }
    for (const [i, v] of [a, b, c, d, e, f, g, h].entries()) hash[i] = (hash[i] as number) + v;
  }
  return hash;
}
