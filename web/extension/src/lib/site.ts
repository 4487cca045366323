/** What a site and the wallet say to each other, and what may be asked. */

/** What a site may ask of window.glim. */
export type Ask =
  /** To be known to the wallet: consent gives the site a subaddress of its own. */
  | { method: "connect" }
  /** The site's subaddress, once it is connected. */
  | { method: "address" }
  /** A payment. Amount is in atomic units. */
  | { method: "pay"; address: string; amount: bigint; description: string }
  /** A proof that a transaction paid an address. */
  | { method: "prove"; txid: string; address: string; message: string }
  /** A message signed with the keys of the site's subaddress. */
  | { method: "sign"; message: string }
  | { method: "disconnect" };

/** Errors that a site gets; numbers as wallets of other currencies have them. Source: EIP-1193, EIP-1474. */
export const Code = { Rejected: 4001, Unauthorized: 4100, Unsupported: 4200, Disconnected: 4900, Invalid: -32602, Busy: -32002, Internal: -32603 } as const;

export class Refusal extends Error {
  constructor(
    readonly code: number,
    message: string,
  ) {
    super(message);
  }
}

const longest = { description: 200, message: 4000 };
const most = 18_446_744_073_709_551_615n;

/** Reads what a page asked, which may be anything. Errors: Refusal. */
export function readAsk(method: unknown, params: unknown): Ask {
  const p = params === undefined || params === null ? {} : params;
  if (typeof p !== "object" || Array.isArray(p)) throw invalid("params is an object");
  const members = p as Record<string, unknown>;
  switch (method) {
    case "connect":
    case "address":
    case "disconnect":
      return { method };
    case "pay":
      return { method, address: address(members.address), amount: amount(members.amount), description: text(members, "description", longest.description) };
    case "prove":
      return { method, txid: hash(members.txid), address: address(members.address), message: text(members, "message", longest.message) };
    case "sign": {
      const message = text(members, "message", longest.message);
      if (message === "") throw invalid("message is missing");
      return { method, message };
    }
  }
  throw new Refusal(Code.Unsupported, "this wallet does not know that method");
}

function invalid(why: string): Refusal {
  return new Refusal(Code.Invalid, why);
}

/**
 * Characters that turn the direction of writing, hide, look like a space and are none, or mean nothing: what a person consents to is what
 * they see. Tabs and line feeds are seen, and what makes an emoji
 * of a sign. Source: Unicode, general categories and Default_Ignorable_Code_Point.
 */
const unseen = /(?![\t\n]|\ufe0f)[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]/u;

function text(from: Record<string, unknown>, name: string, limit: number): string {
  const value = from[name] ?? "";
  if (typeof value !== "string" || value.length > limit) throw invalid(`${name} is a text of at most ${limit} characters`);
  if (unseen.test(value)) throw invalid(`${name} has characters that cannot be shown`);
  return value;
}

/** The wallet judges the address itself; this only keeps nonsense from asking for a person's attention. */
function address(value: unknown): string {
  if (typeof value !== "string" || !/^[1-9A-HJ-NP-Za-km-z]{95,106}$/.test(value)) throw invalid("address is no Monero address");
  return value;
}

function hash(value: unknown): string {
  if (typeof value !== "string" || !/^[0-9a-f]{64}$/i.test(value)) throw invalid("txid is 64 hexadecimal digits");
  return value.toLowerCase();
}

function amount(value: unknown): bigint {
  if (typeof value !== "string" || !/^[0-9]{1,20}$/.test(value)) throw invalid("amount is a decimal string, in atomic units");
  const n = BigInt(value);
  if (n === 0n || n > most) throw invalid("amount is out of range");
  return n;
}

/** Whether a page of this origin may ask at all: its code must come over a way nobody can change. */
export function mayAsk(origin: string): boolean {
  try {
    const { protocol, hostname } = new URL(origin);
    return protocol === "https:" || (protocol === "http:" && (hostname === "localhost" || hostname === "127.0.0.1"));
  } catch {
    return false;
  }
}

/** What a site was given. */
export interface Grant {
  origin: string;
  wallet: string;
  network: string;
  address: string;
  /** Of the subaddress. */
  account: number;
  index: number;
  /** Milliseconds since 1970. */
  since: number;
}

/**
 * Whether a proof would tell a site of an address that it was not given. A payment to the wallet itself is proven with the keys of the address, and so says
 * whose that is.
 */
export function tellsAddress(signature: string, address: string, grant: Grant | undefined): boolean {
  return !signature.startsWith("OutProof") && address !== grant?.address;
}

/** What becomes of an ask. */
export type Outcome = { result: unknown } | { error: { code: number; message: string } };

/** An ask on its way to a person. Amounts are texts, for it is kept as JSON. */
export interface Pending {
  id: string;
  origin: string;
  tab: number;
  /** The document there that asked: another that follows in its tab hears nothing of it. */
  page: string;
  /** The number the page gave its question. */
  question: number;
  method: Ask["method"];
  params: Record<string, string>;
  window?: number;
  outcome?: Outcome;
  /** When it was asked, and then when it was answered, in milliseconds since 1970. */
  since: number;
}

/** What a content script says to the background. */
export type SiteMessage =
  | { type: "ask"; page: string; question: number; method: unknown; params: unknown }
  | { type: "again"; page: string; questions: number[] };

/** What a page's question has room for, as JSON text; and how many of its questions wait at once. */
export const room = { text: 16_384, questions: 32 } as const;

/** What it hears. */
export type SiteReply = { type: "outcome"; question: number; outcome: Outcome } | { type: "disconnected" };
