// Large data as a sequence of QR codes that is shown again and again, in one of two forms: URs, which other wallets
// read, and glim's own frames. Each of these is
//   GLIM/<kind>/<index>/<total>/<length>/<CRC-32 of the whole>/<part in base 45>
// so that a reader needs only the frames, in any order, and knows when it has all of them. All characters are in the
// alphanumeric mode of QR codes. The checksum detects reading errors; the data is authenticated by its own signature or
// encryption.

import { crc32, UR_TYPES, URDecoder, UREncoder } from "glim";

/**
 * The kinds of data, with the keys of their names: outputs, key images, an unsigned set, a signed set, a multisig
 * message, a multisig set.
 */
export const kinds = {
  O: "kind.outputs",
  K: "kind.keyImages",
  U: "kind.unsigned",
  S: "kind.signed",
  M: "kind.message",
  T: "kind.multisig",
} as const;
export type Kind = keyof typeof kinds;

/** The UR types of the kinds of data that other wallets exchange. */
export const urTypes: Partial<Record<Kind, string>> = {
  O: UR_TYPES.outputs,
  K: UR_TYPES.keyImages,
  U: UR_TYPES.unsigned,
  S: UR_TYPES.signed,
};

/** The form of the codes: UR for any wallet that reads URs, glim for glim before it did. */
export type Form = "ur" | "glim";

const alphabet = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ $%*+-./:";
const values = new Map([...alphabet].map((c, i) => [c, i]));

/** The most frames in a set and bytes in a frame, which together limit the size of the data. */
export const maxFrames = 4096;
const maxPart = 1024;

/** Encodes bytes in base 45. Source: RFC 9285, section 4. */
export function base45(bytes: Uint8Array): string {
  let text = "";
  for (let i = 0; i < bytes.length; i += 2) {
    const [first = 0, second] = bytes.subarray(i, i + 2);
    let n = second === undefined ? first : first * 256 + second;
    for (let k = second === undefined ? 2 : 3; k > 0; k--) {
      text += alphabet[n % 45];
      n = Math.floor(n / 45);
    }
  }
  return text;
}

/** Decodes a text in base 45; undefined if it is invalid. */
export function fromBase45(text: string): Uint8Array | undefined {
  if (text.length % 3 === 1) return undefined;
  const bytes = new Uint8Array(Math.floor(text.length / 3) * 2 + (text.length % 3 === 2 ? 1 : 0));
  for (let i = 0, at = 0; i < text.length; i += 3) {
    let n = 0;
    const group = text.slice(i, i + 3);
    for (let k = group.length - 1; k >= 0; k--) {
      const v = values.get(group.charAt(k));
      if (v === undefined) return undefined;
      n = n * 45 + v;
    }
    if (group.length === 3) {
      if (n > 0xffff) return undefined;
      bytes[at++] = n >> 8;
    } else if (n > 0xff) return undefined;
    bytes[at++] = n & 0xff;
  }
  return bytes;
}

/**
 * QR codes to show one after the other. Each is made when it is shown: making all codes of large data at once would
 * block the page for a second.
 */
export interface Codes {
  readonly length: number;
  /** Returns code i, from 0 to length-1. */
  at(i: number): string;
}

/** Returns the QR codes of data in a form that has its kind. It throws if there would be too many. */
export function codesOf(form: Form, kind: Kind, data: Uint8Array): Codes {
  const type = form === "ur" ? urTypes[kind] : undefined;
  if (!type) return framesOf(kind, data);
  const encoder = new UREncoder(type, data);
  return { length: encoder.codeCount, at: (i) => encoder.code(i) };
}

/** Returns the texts of all codes. */
export const allOf = (codes: Codes): string[] => Array.from({ length: codes.length }, (_, i) => codes.at(i));

/** Splits data into frames of at most size bytes. It throws if there would be more than maxFrames. */
export function framesOf(kind: Kind, data: Uint8Array, size = 300): Codes {
  const total = Math.max(1, Math.ceil(data.length / size));
  if (total > maxFrames || size > maxPart) throw new RangeError("too large for QR codes; use a file");
  const sum = crc32(data).toString(16).toUpperCase().padStart(8, "0");
  const at = (i: number): string =>
    ["GLIM", kind, i + 1, total, data.length, sum, base45(data.subarray(i * size, (i + 1) * size))].join("/");
  return { length: total, at };
}

interface Frame {
  kind: Kind;
  index: number;
  total: number;
  length: number;
  sum: string;
  part: Uint8Array;
}

function frame(text: string): Frame | undefined {
  const match = /^GLIM\/([OKUSMT])\/(\d{1,4})\/(\d{1,4})\/(\d{1,7})\/([0-9A-F]{8})\/([0-9A-Z $%*+\-./:]*)$/.exec(text);
  if (!match) return undefined;
  const [, kind, index, total, length, sum = "", body = ""] = match;
  const part = fromBase45(body);
  const f = { kind: kind as Kind, index: Number(index), total: Number(total), length: Number(length), sum };
  if (!part || part.length > maxPart || f.index < 1 || f.index > f.total || f.total > maxFrames) return undefined;
  if (f.length > f.total * maxPart) return undefined;
  return { ...f, part };
}

/** The result of a text: not a frame, another frame of the set, or the last. */
export type Taken =
  | { state: "other" }
  | { state: "more"; have: number; total: number }
  | { state: "damaged" }
  | { state: "whole"; kind: Kind; data: Uint8Array };

/** Collects the frames of one set, in any order. A frame of another set starts over. */
export class Collector {
  #first: Frame | undefined;
  #parts = new Map<number, Uint8Array>();

  take(text: string): Taken {
    const f = frame(text);
    if (!f) return { state: "other" };
    const first = this.#first;
    if (
      !first ||
      first.kind !== f.kind ||
      first.total !== f.total ||
      first.length !== f.length ||
      first.sum !== f.sum
    ) {
      this.#first = f;
      this.#parts = new Map();
    }
    this.#parts.set(f.index, f.part);
    if (this.#parts.size < f.total) return { state: "more", have: this.#parts.size, total: f.total };
    const data = new Uint8Array(f.length);
    let at = 0;
    let fits = true;
    for (let i = 1; i <= f.total; i++) {
      const part = this.#parts.get(i);
      if (!part || at + part.length > f.length) {
        fits = false;
        break;
      }
      data.set(part, at);
      at += part.length;
    }
    this.#first = undefined;
    this.#parts = new Map();
    if (!fits || at !== f.length || crc32(data) !== Number.parseInt(f.sum, 16)) return { state: "damaged" };
    return { state: "whole", kind: f.kind, data };
  }
}

/** Takes QR codes of either form. A code of the other form starts over. */
export class EitherCollector {
  #frames = new Collector();
  #urs = new URDecoder();
  #ur = false;

  /** Takes a text. A UR of a type that is not in urTypes is of another kind, and its data is not returned. */
  take(text: string): Taken {
    const ur = /^ur:/i.test(text);
    if (ur !== this.#ur) {
      this.#frames = new Collector();
      this.#urs = new URDecoder();
      this.#ur = ur;
    }
    if (!ur) return this.#frames.take(text);
    const taken = this.#urs.take(text);
    if (taken.state !== "whole") return taken.state === "invalid" ? { state: "damaged" } : taken;
    const kind = (Object.keys(urTypes) as Kind[]).find((k) => urTypes[k] === taken.type);
    return kind ? { state: "whole", kind, data: taken.data } : { state: "other" };
  }
}
