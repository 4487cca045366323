/** The messages between a site and the wallet, and the permitted requests. */
import type { Network } from "glim";
import { networkOf } from "./address.js";

/** The requests of window.glim. */
export type Ask =
  /** Connects the site: if the user agrees, it gets its own subaddress. */
  | { method: "connect" }
  /** Returns the site's subaddress, once connected. */
  | { method: "address" }
  /** Makes a payment. The amount is in atomic units. */
  | { method: "pay"; address: string; amount: bigint; description: string }
  /** Proves that a transaction paid an address. */
  | { method: "prove"; txid: string; address: string; message: string }
  /** Signs a message with the keys of the site's subaddress. */
  | { method: "sign"; message: string }
  | { method: "disconnect" };

/** Error codes that sites receive, as in wallets of other currencies. Source: EIP-1193, EIP-1474. */
export const Code = {
  Rejected: 4001,
  Unauthorized: 4100,
  Unsupported: 4200,
  Disconnected: 4900,
  Invalid: -32602,
  Busy: -32002,
  Internal: -32603,
} as const;

export class Refusal extends Error {
  constructor(
    readonly code: number,
    message: string,
  ) {
    super(message);
  }
}

const longest = { address: 106, description: 200, message: 4000 };
const most = 18_446_744_073_709_551_615n;

/** Reads an untrusted request. It throws a Refusal if the request is invalid. */
export function readAsk(method: unknown, params: unknown): Ask {
  const p = params === undefined || params === null ? {} : params;
  if (typeof p !== "object" || Array.isArray(p)) throw invalid("params must be an object");
  const members = p as Record<string, unknown>;
  switch (method) {
    case "connect":
    case "address":
    case "disconnect":
      return { method };
    case "pay":
      return {
        method,
        address: address(members.address),
        amount: amount(members.amount),
        description: text(members, "description", longest.description),
      };
    case "prove":
      return {
        method,
        txid: hash(members.txid),
        address: address(members.address),
        message: text(members, "message", longest.message),
      };
    case "sign": {
      const message = text(members, "message", longest.message);
      if (message === "") throw invalid("message is missing");
      return { method, message };
    }
  }
  throw new Refusal(Code.Unsupported, "unknown method");
}

function invalid(why: string): Refusal {
  return new Refusal(Code.Invalid, why);
}

/**
 * Characters that change the writing direction, are invisible, look like a space, or are unassigned: the user must see
 * what they agree to. Tabs, line feeds and the variation selector of emoji are allowed. Source: Unicode, general
 * categories and Default_Ignorable_Code_Point.
 */
const unseen = /(?![\t\n]|\ufe0f)[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]/u;

function text(from: Record<string, unknown>, name: string, limit: number): string {
  const value = from[name] ?? "";
  if (typeof value !== "string" || value.length > limit)
    throw invalid(`${name} must be a string of at most ${limit} characters`);
  if (unseen.test(value)) throw invalid(`${name} contains characters that cannot be displayed`);
  return value;
}

/** Rejects a mistyped address before it gets the user's attention. The wallet itself checks the keys in it. */
function address(value: unknown): string {
  if (typeof value !== "string" || value.length > longest.address || networkOf(value) === undefined)
    throw invalid("address is not a Monero address");
  return value;
}

function hash(value: unknown): string {
  if (typeof value !== "string" || !/^[0-9a-f]{64}$/i.test(value)) throw invalid("txid must be 64 hexadecimal digits");
  return value.toLowerCase();
}

function amount(value: unknown): bigint {
  if (typeof value !== "string" || !/^[0-9]{1,20}$/.test(value))
    throw invalid("amount must be a decimal string in atomic units");
  const n = BigInt(value);
  if (n === 0n || n > most) throw invalid("amount is out of range");
  return n;
}

/** Whether a page of this origin may send requests: its code must have been protected from changes in transit. */
export function mayAsk(origin: string): boolean {
  try {
    const { protocol, hostname } = new URL(origin);
    return protocol === "https:" || (protocol === "http:" && (hostname === "localhost" || hostname === "127.0.0.1"));
  } catch {
    return false;
  }
}

/** What a connected site was given. */
export interface Grant {
  origin: string;
  wallet: string;
  network: Network;
  address: string;
  /** Account of the subaddress. */
  account: number;
  index: number;
  /** Milliseconds since 1970. */
  since: number;
}

/**
 * Whether a proof would reveal to a site that an address, which it was not given, belongs to the wallet. A payment to
 * the wallet itself is proven with the keys of that address, which shows whose it is.
 */
export function tellsAddress(signature: string, address: string, grant: Grant | undefined): boolean {
  return !signature.startsWith("OutProof") && address !== grant?.address;
}

/** The outcome of a request. */
export type Outcome = { result: unknown } | { error: { code: number; message: string } };

/** A request that waits for the user. Amounts are texts because it is stored as JSON. */
export interface Pending {
  id: string;
  origin: string;
  tab: number;
  /** The document that sent the request; the next document in its tab does not receive the outcome. */
  page: string;
  /** The page's own number of the request. */
  question: number;
  /** "link" for a payment link that the user clicked; its outcome is not told to the page. */
  method: Ask["method"] | "link";
  params: Record<string, string>;
  window?: number;
  outcome?: Outcome;
  /** When it was sent, and after that when it was answered, in milliseconds since 1970. */
  since: number;
}

/** Messages of a content script to the background. */
export type SiteMessage =
  | { type: "ask"; page: string; question: number; method: unknown; params: unknown }
  | { type: "again"; page: string; questions: number[] };

/** Limits on a page's requests: the length of one as JSON text, and how many may wait at once. */
export const room = { text: 16_384, questions: 32 } as const;

/** Messages of the background to a content script. */
export type SiteReply = { type: "outcome"; question: number; outcome: Outcome } | { type: "disconnected" };
