/** Checks Monero addresses without the engine, so that a mistyped one never gets the user's attention. */

const alphabet = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz";
/** Bytes encoded by a block of so many characters; -1 if no block has this length. */
const sizes = [0, -1, 1, 2, -1, 3, 4, 5, -1, 6, 7, 8] as const;
const block = 11;
const checksumSize = 4;

/** The kinds of addresses by their first byte, and the length of what follows it, without the checksum. */
const kinds: Record<number, { network: AddressNetwork; size: number }> = {};
for (const [network, standard, integrated, subaddress] of [
  ["mainnet", 18, 19, 42],
  ["testnet", 53, 54, 63],
  ["stagenet", 24, 25, 36],
] as const) {
  kinds[standard] = kinds[subaddress] = { network, size: 64 };
  kinds[integrated] = { network, size: 72 };
}

/** The networks that addresses tell apart. Addresses of a private chain (regtest) are those of mainnet. */
export type AddressNetwork = "mainnet" | "testnet" | "stagenet";

/**
 * Returns the network of an address, or undefined if the text is not an address: characters, length, checksum and first
 * byte are checked. Whether its keys are points of the curve is left to the engine.
 * Source: src/cryptonote_basic/cryptonote_basic_impl.cpp, get_account_address_from_str; src/common/base58.cpp.
 */
export function networkOf(text: string): AddressNetwork | undefined {
  const bytes = decode(text);
  if (bytes === undefined || bytes.length <= checksumSize) return undefined;
  const data = bytes.subarray(0, -checksumSize);
  const sum = keccak256(data);
  if (bytes.subarray(-checksumSize).some((byte, i) => byte !== sum[i])) return undefined;
  const kind = kinds[data[0] ?? 0];
  return kind !== undefined && data.length === 1 + kind.size ? kind.network : undefined;
}

/** Returns whether addresses of this network may be used on a chain. */
export function belongs(network: AddressNetwork, chain: string): boolean {
  return network === (chain === "regtest" ? "mainnet" : chain);
}

/** Decodes Monero's base58, in which each block of 11 characters is 8 bytes. */
function decode(text: string): Uint8Array | undefined {
  const out: number[] = [];
  for (let at = 0; at < text.length; at += block) {
    const part = text.slice(at, at + block);
    const size = sizes[part.length] ?? -1;
    if (size < 0) return undefined;
    let value = 0n;
    for (const c of part) {
      const digit = alphabet.indexOf(c);
      if (digit < 0) return undefined;
      value = value * 58n + BigInt(digit);
    }
    if (value >> BigInt(8 * size) !== 0n) return undefined;
    for (let i = size - 1; i >= 0; i--) out.push(Number((value >> BigInt(8 * i)) & 0xffn));
  }
  return Uint8Array.from(out);
}

const rate = 136;
const mask = 0xffff_ffff_ffff_ffffn;
const turn = (x: bigint, by: number): bigint => ((x << BigInt(by)) | (x >> BigInt(64 - by))) & mask;

/** Keccak-256 with the padding from before it became SHA-3, as Monero and Ethereum use it. */
export function keccak256(data: Uint8Array): Uint8Array {
  const padded = new Uint8Array((Math.floor(data.length / rate) + 1) * rate);
  padded.set(data);
  padded[data.length] = (padded[data.length] ?? 0) ^ 0x01;
  padded[padded.length - 1] = (padded[padded.length - 1] ?? 0) ^ 0x80;
  const view = new DataView(padded.buffer);
  const state = new BigUint64Array(25);
  for (let at = 0; at < padded.length; at += rate) {
    for (let i = 0; i < rate / 8; i++) state[i] = word(state, i) ^ view.getBigUint64(at + 8 * i, true);
    permute(state);
  }
  const out = new DataView(new ArrayBuffer(32));
  for (let i = 0; i < 4; i++) out.setBigUint64(8 * i, word(state, i), true);
  return new Uint8Array(out.buffer);
}

const word = (state: BigUint64Array, i: number): bigint => state[i] ?? 0n;

/** Keccak-f[1600]. Source: FIPS 202, sections 3.2 and 3.3. */
function permute(a: BigUint64Array): void {
  let register = 1;
  for (let round = 0; round < 24; round++) {
    // Theta.
    const column = [0, 1, 2, 3, 4].map((x) => [0, 5, 10, 15, 20].reduce((sum, y) => sum ^ word(a, x + y), 0n));
    for (let i = 0; i < 25; i++) a[i] = word(a, i) ^ (column[(i + 4) % 5] ?? 0n) ^ turn(column[(i + 1) % 5] ?? 0n, 1);
    // Rho and pi.
    let [x, y] = [1, 0];
    let moved = word(a, 1);
    for (let t = 0; t < 24; t++) {
      [x, y] = [y, (2 * x + 3 * y) % 5];
      const next = word(a, x + 5 * y);
      a[x + 5 * y] = turn(moved, (((t + 1) * (t + 2)) / 2) % 64);
      moved = next;
    }
    // Chi.
    for (let row = 0; row < 25; row += 5) {
      const old = a.slice(row, row + 5);
      for (let i = 0; i < 5; i++) a[row + i] = word(old, i) ^ (~word(old, (i + 1) % 5) & mask & word(old, (i + 2) % 5));
    }
    // Iota: the constants come from a linear feedback shift register.
    for (let j = 0; j < 7; j++) {
      if (register & 1) a[0] = word(a, 0) ^ (1n << BigInt(2 ** j - 1));
      register = (register << 1) ^ (register >> 7 ? 0x171 : 0);
    }
  }
}
