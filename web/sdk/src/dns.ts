/** Messages of the domain name system: RFC 1035, with EDNS (RFC 6891). */

const classIN = 1;
const typeCNAME = 5;
const typeTXT = 16;
const typeOPT = 41;

/** The bits of a header's second 16-bit number, and the mask of its last four, the response code. */
const response = 0x8000;
const otherOpcode = 0x7800;
const truncated = 0x0200;
const recursionDesired = 0x0100;
const authenticData = 0x0020;
const codeMask = 0x000f;

const noError = 0;
const nameError = 3;

/** Bytes of a query. All queries have the same size, so that it does not reveal the length of the name. */
const querySize = 320;

/** The longest chain of aliases that is followed. */
const mostAliases = 8;

/** A response that is not a well-formed answer to the query. */
export class DNSError extends Error {}

/** The texts of a name. */
export interface Texts {
  /** The text of each TXT record; its strings are joined. */
  texts: string[];
  /** Whether the resolver has validated the answer with DNSSEC. Sources: RFC 4035, section 3.2.3; RFC 6840, 5.8. */
  authentic: boolean;
}

/**
 * Returns the query for the TXT records of a name of at most 253 ASCII characters. It has the number 0, asks the
 * resolver to validate signatures, and is padded to one size. Sources: RFC 8484, section 4.1; RFC 7830.
 */
export function textQuery(name: string): Uint8Array {
  const labels = [...name.split("."), ""].flatMap((label) => [label.length, ...new TextEncoder().encode(label)]);
  const question = [...labels, ...pair(typeTXT), ...pair(classIN)];
  const head = [...pair(0), ...pair(recursionDesired | authenticData), ...pair(1), 0, 0, 0, 0, ...pair(1)];
  // The root's name, the type, the size of UDP responses, the extended flags with DO, and the size of the options.
  const options = querySize - head.length - question.length - 11;
  const extension = [0, ...pair(typeOPT), ...pair(4096), 0, 0, 0x80, 0, ...pair(options)];
  const query = new Uint8Array(querySize);
  query.set([...head, ...question, ...extension, ...pair(12), ...pair(options - 4)]); // option 12 is padding
  return query;
}

const pair = (n: number): number[] => [n >> 8, n & 0xff];

/**
 * Reads the response to textQuery(name). It follows the aliases in the answer. It throws DNSError if the message is
 * malformed, truncated, or answers something else, and if the resolver reports a failure.
 */
export function readTexts(message: Uint8Array, name: string): Texts {
  const r = new Reader(message);
  const number = r.pair();
  const flags = r.pair();
  const questions = r.pair();
  const answers = r.pair();
  r.skip(4);
  if (number !== 0 || (flags & response) === 0 || (flags & otherOpcode) !== 0)
    throw new DNSError("the message is not a response to the query");
  if ((flags & truncated) !== 0) throw new DNSError("the response is truncated");
  const code = flags & codeMask;
  if (code !== noError && code !== nameError) throw new DNSError(`the resolver failed with code ${code}`);
  if (questions !== 1 || r.name() !== name || r.pair() !== typeTXT || r.pair() !== classIN)
    throw new DNSError("the response is to another question");
  const authentic = (flags & authenticData) !== 0;
  const aliases = new Map<string, string>();
  const found: { owner: string; text: string }[] = [];
  for (let n = 0; n < answers; n++) {
    const owner = r.name();
    const type = r.pair();
    const inside = r.pair() === classIN;
    r.skip(4);
    const end = r.length();
    if (inside && type === typeCNAME) aliases.set(owner, r.name());
    else if (inside && type === typeTXT) found.push({ owner, text: r.strings(end) });
    else r.skip(end - r.at);
    if (r.at !== end) throw new DNSError("a record has the wrong size");
  }
  if (code === nameError) return { texts: [], authentic };
  let owner = name;
  for (let n = 0; aliases.has(owner); n++) {
    if (n === mostAliases) throw new DNSError("the name has too many aliases");
    owner = aliases.get(owner) as string;
  }
  return { texts: found.filter((f) => f.owner === owner).map((f) => f.text), authentic };
}

/** Reads a message from its beginning. It throws DNSError at the end of the message. */
class Reader {
  at = 0;
  readonly #bytes: Uint8Array;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  #byte(at: number): number {
    const b = this.#bytes[at];
    if (b === undefined) throw new DNSError("the response ends early");
    return b;
  }

  pair(): number {
    const n = (this.#byte(this.at) << 8) | this.#byte(this.at + 1);
    this.at += 2;
    return n;
  }

  skip(n: number): void {
    if (this.at + n > this.#bytes.length) throw new DNSError("the response ends early");
    this.at += n;
  }

  /** Reads the size of a record's data and returns where the data ends. */
  length(): number {
    const size = this.pair();
    if (this.at + size > this.#bytes.length) throw new DNSError("the response ends early");
    return this.at + size;
  }

  /** Reads a name, in lower case and without the last dot. Pointers lead only backwards, so that reading it ends. */
  name(): string {
    const labels: string[] = [];
    let at = this.at;
    let limit = at;
    let after = 0; // behind the first pointer
    for (let size = 0; ; ) {
      const n = this.#byte(at);
      if (n >= 0xc0) {
        const to = ((n & 0x3f) << 8) | this.#byte(at + 1);
        if (to >= limit) throw new DNSError("a name is malformed");
        after ||= at + 2;
        at = limit = to;
        continue;
      }
      size += n + 1;
      if (n > 63 || size > 255) throw new DNSError("a name is malformed");
      if (n === 0) {
        this.at = after || at + 1;
        return labels.join(".");
      }
      this.#byte(at + n);
      const label = String.fromCharCode(...this.#bytes.subarray(at + 1, at + 1 + n)).toLowerCase();
      if (label.includes(".")) throw new DNSError("a name is malformed");
      labels.push(label);
      at += n + 1;
    }
  }

  /** Reads the strings of a TXT record and joins them. Bytes that are not UTF-8 become U+FFFD. */
  strings(end: number): string {
    const parts: number[] = [];
    while (this.at < end) {
      const from = this.at + 1;
      const to = from + this.#byte(this.at);
      if (to > end) throw new DNSError("a text is malformed");
      for (const b of this.#bytes.subarray(from, to)) parts.push(b);
      this.at = to;
    }
    return new TextDecoder("utf-8", { ignoreBOM: true }).decode(Uint8Array.from(parts));
  }
}
