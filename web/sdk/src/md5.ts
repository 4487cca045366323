// MD5, which the digest logins of HTTP need and WebCrypto lacks. Collisions are easy to make: use it for nothing else.
// Source: RFC 1321.

const turns = [
  [7, 12, 17, 22],
  [5, 9, 14, 20],
  [4, 11, 16, 23],
  [6, 10, 15, 21],
] as const;
const constants = Array.from({ length: 64 }, (_, i) => Math.floor(Math.abs(Math.sin(i + 1)) * 2 ** 32));

/** Returns the MD5 hash of a text's UTF-8 bytes, in hexadecimal digits. */
export function md5(text: string): string {
  const bytes = new TextEncoder().encode(text);
  const padded = new Uint8Array(((bytes.length + 8) & ~63) + 64);
  padded.set(bytes);
  padded[bytes.length] = 0x80;
  const view = new DataView(padded.buffer);
  view.setUint32(padded.length - 8, (bytes.length << 3) >>> 0, true);
  view.setUint32(padded.length - 4, Math.floor(bytes.length / 2 ** 29), true);
  const hash = Uint32Array.of(0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476);
  for (let at = 0; at < padded.length; at += 64) {
    let [a, b, c, d] = hash as unknown as [number, number, number, number];
    for (let i = 0; i < 64; i++) {
      const round = i >> 4;
      const [f, word] = (
        [
          [(b & c) | (~b & d), i],
          [(d & b) | (~d & c), 5 * i + 1],
          [b ^ c ^ d, 3 * i + 5],
          [c ^ (b | ~d), 7 * i],
        ] as const
      )[round as 0 | 1 | 2 | 3];
      const sum = (a + f + (constants[i] as number) + view.getUint32(at + 4 * (word & 15), true)) >>> 0;
      const by = turns[round as 0][(i & 3) as 0];
      [a, b, c, d] = [d, (b + ((sum << by) | (sum >>> (32 - by)))) >>> 0, b, c];
    }
    for (const [i, v] of [a, b, c, d].entries()) hash[i] = (hash[i] as number) + v;
  }
  const digits = new DataView(hash.buffer);
  hash.forEach((v, i) => {
    digits.setUint32(4 * i, v, true);
  });
  return [...new Uint8Array(hash.buffer)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}
