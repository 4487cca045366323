// Uniform Resources (UR): data as one text or as many parts, each small enough for a QR code. Feather, Anonero,
// Keystone and others exchange the data of cold signing in this form.
// Source: Blockchain Commons, BCR-2020-005. The types of Monero are those of Feather, src/wizard/offline_tx_signing,
// and of Keystone, ur-registry/src/monero: a CBOR byte string with the bytes of wallet2's file.

import { crc32, fromBytewords, toBytewords } from "./bytewords.js";
import { Chooser, Solver } from "./fountain.js";

/** The UR types of the data of cold signing. */
export const UR_TYPES = {
  outputs: "xmr-output",
  keyImages: "xmr-keyimage",
  unsigned: "xmr-txunsigned",
  signed: "xmr-txsigned",
} as const;

/** The most fragments and bytes of a message, which limit the memory and the time that a reader needs. */
const maxFragments = 4096;
const maxMessage = 1 << 20;
/** More characters than the largest QR code has. */
const maxText = 8192;
const typePattern = /^[a-z0-9-]{1,64}$/;

/** Encodes the head of a CBOR item: its major type and its number. Source: RFC 8949, section 3. */
function head(major: number, n: number): number[] {
  const m = major << 5;
  if (n < 24) return [m | n];
  if (n < 0x100) return [m | 24, n];
  if (n < 0x10000) return [m | 25, n >> 8, n & 0xff];
  return [m | 26, n >>> 24, (n >> 16) & 0xff, (n >> 8) & 0xff, n & 0xff];
}

/** Reads numbers and byte strings of CBOR. Methods return undefined for anything else, or if bytes are missing. */
class Reader {
  readonly #bytes: Uint8Array;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  number(major: number): number | undefined {
    const first = this.#bytes[this.#at];
    if (first === undefined || first >> 5 !== major) return undefined;
    const kind = first & 31;
    const length = kind < 24 ? 0 : kind <= 26 ? 1 << (kind - 24) : -1;
    if (length < 0 || this.#at + 1 + length > this.#bytes.length) return undefined;
    let n = kind < 24 ? kind : 0;
    for (let i = 1; i <= length; i++) n = n * 256 + (this.#bytes[this.#at + i] as number);
    this.#at += 1 + length;
    return n;
  }

  /** Reads a byte string that must be the last item. */
  rest(): Uint8Array | undefined {
    const n = this.number(2);
    return n === this.#bytes.length - this.#at ? this.#bytes.slice(this.#at) : undefined;
  }
}

function byteString(data: Uint8Array): Uint8Array {
  const start = head(2, data.length);
  const all = new Uint8Array(start.length + data.length);
  all.set(start);
  all.set(data, start.length);
  return all;
}

/** Encodes bytes as a UR: the CBOR byte string of data, in parts of at most fragment bytes. */
export class UREncoder {
  /** The number of fragments. A reader needs at least this many parts. */
  readonly count: number;
  readonly #type: string;
  readonly #message: Uint8Array;
  readonly #size: number;
  readonly #sum: number;
  readonly #chooser: Chooser;

  /**
   * type is the UR type, such as UR_TYPES.outputs. It throws a RangeError for another form of type, or if there would
   * be more than 4096 fragments or 1 MiB.
   */
  constructor(type: string, data: Uint8Array, fragment = 200) {
    if (!typePattern.test(type)) throw new RangeError("not a UR type");
    this.#type = type;
    this.#message = byteString(data);
    const count = Math.ceil(this.#message.length / fragment);
    if (!(fragment >= 1) || count > maxFragments || this.#message.length > maxMessage)
      throw new RangeError("too large for QR codes; use a file");
    this.#size = Math.ceil(this.#message.length / count);
    this.count = Math.ceil(this.#message.length / this.#size);
    this.#sum = crc32(this.#message);
    this.#chooser = new Chooser(this.count, this.#sum);
  }

  /**
   * Returns part n, from 1 to 2^32-1, in lower case. Parts 1 to count contain everything; each later one replaces any
   * part that the reader missed. A message with one fragment has only one part.
   */
  part(n: number): string {
    if (!Number.isInteger(n) || n < 1 || n > 0xffffffff) throw new RangeError("parts are numbered from 1 to 2^32-1");
    if (this.count === 1) return `ur:${this.#type}/${toBytewords(this.#message)}`;
    const mixed = new Uint8Array(this.#size);
    for (const i of this.#chooser.fragments(n)) {
      const fragment = this.#message.subarray(i * this.#size, (i + 1) * this.#size);
      for (let k = 0; k < fragment.length; k++) (mixed[k] as number) ^= fragment[k] as number;
    }
    const start = [...head(4, 5), ...head(0, n), ...head(0, this.count), ...head(0, this.#message.length)];
    const part = Uint8Array.from([...start, ...head(0, this.#sum), ...byteString(mixed)]);
    return `ur:${this.#type}/${n}-${this.count}/${toBytewords(part)}`;
  }

  /** The number of QR codes to show again and again: all parts, and as many that replace missed ones. */
  get codeCount(): number {
    return this.count === 1 ? 1 : 2 * this.count;
  }

  /**
   * Returns the text of QR code i, from 0 to codeCount-1. It is in upper case, which makes a smaller code. One code
   * takes little time; all codes of a large message take longer than a page may be busy.
   */
  code(i: number): string {
    return this.part(i + 1).toUpperCase();
  }

  /** Returns the texts of all QR codes. */
  codes(): string[] {
    return Array.from({ length: this.codeCount }, (_, i) => this.code(i));
  }
}

/** What the reader knows after a text. */
export type URTaken =
  /** The text is not a UR. */
  | { state: "other" }
  /** The text is a UR that cannot be read: its checksum or form is wrong. Nothing that was read before is lost. */
  | { state: "invalid" }
  /** More parts are needed. have of total fragments are known. */
  | { state: "more"; have: number; total: number }
  /** The parts contradict each other or the checksum of the whole, and were discarded. */
  | { state: "damaged" }
  /** The data is complete. */
  | { state: "whole"; type: string; data: Uint8Array };

interface Part {
  type: string;
  n: number;
  count: number;
  length: number;
  sum: number;
  fragment: Uint8Array;
}

/** Reads a part; undefined if its form or checksum is wrong, or if it is larger than the limits. */
function readPart(type: string, sequence: string, body: string): Part | undefined {
  const match = /^([1-9]\d{0,9})-([1-9]\d{0,9})$/.exec(sequence);
  const bytes = match && fromBytewords(body);
  if (!bytes) return undefined;
  const r = new Reader(bytes);
  const items = r.number(4);
  const [n, count, length, sum] = [r.number(0), r.number(0), r.number(0), r.number(0)];
  const fragment = r.rest();
  if (items !== 5 || !n || !count || !length || sum === undefined || !fragment) return undefined;
  if (n !== Number(match[1]) || count !== Number(match[2])) return undefined;
  if (count > maxFragments || length > maxMessage) return undefined;
  // The last fragment is padded, and no fragment is padding only.
  if (fragment.length * count < length || fragment.length * (count - 1) >= length) return undefined;
  return { type, n, count, length, sum, fragment };
}

/**
 * Reads a UR whose data is a byte string from the texts of QR codes, in any order and with any of them missing. A part
 * of another UR starts over. Memory and time for each text are limited whatever the texts are.
 */
export class URDecoder {
  #first: Part | undefined;
  #chooser: Chooser | undefined;
  #solver: Solver | undefined;

  /** Takes a text and returns what is known after it. Upper and lower case are the same. */
  take(text: string): URTaken {
    if (!/^ur:/i.test(text)) return { state: "other" };
    if (text.length > maxText) return { state: "invalid" };
    const [type = "", ...path] = text.slice(3).toLowerCase().split("/");
    if (!typePattern.test(type)) return { state: "invalid" };
    if (path.length === 1) {
      const message = fromBytewords(path[0] as string);
      const data = message && new Reader(message).rest();
      return data ? { state: "whole", type, data } : { state: "invalid" };
    }
    const part = path.length === 2 ? readPart(type, path[0] as string, path[1] as string) : undefined;
    return part ? this.#add(part) : { state: "invalid" };
  }

  #add(part: Part): URTaken {
    if (!this.#first || !this.#chooser || !this.#solver || !sameMessage(this.#first, part)) {
      this.#first = part;
      this.#chooser = new Chooser(part.count, part.sum);
      this.#solver = new Solver(part.count, part.fragment.length);
    }
    const solver = this.#solver;
    const agrees = solver.add(this.#chooser.fragments(part.n), part.fragment);
    if (agrees && solver.have < part.count) return { state: "more", have: solver.have, total: part.count };
    this.#first = undefined;
    this.#chooser = undefined;
    this.#solver = undefined;
    if (!agrees) return { state: "damaged" };
    const message = solver.solution().subarray(0, part.length);
    const data = crc32(message) === part.sum ? new Reader(message).rest() : undefined;
    return data ? { state: "whole", type: part.type, data } : { state: "damaged" };
  }
}

function sameMessage(a: Part, b: Part): boolean {
  const { type, count, length, sum } = a;
  return (
    type === b.type &&
    count === b.count &&
    length === b.length &&
    sum === b.sum &&
    a.fragment.length === b.fragment.length
  );
}
