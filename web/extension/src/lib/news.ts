/** A step of an incoming payment. */
export interface News {
  /** The name of the wallet. */
  wallet: string;
  txid: string;
  /** Seen in the pool, included in a block, or removed from the chain with its block. */
  stage: "pool" | "confirmed" | "reorganised";
  /** Atomic units, as a decimal number. */
  amount: string;
}

/** Payments in blocks older than this many milliseconds are no news: a wallet finds them when it is restored. */
const recent = 86_400_000;

/** Returns what an event of a wallet says about an incoming payment; undefined if it is not news to the user. */
export function readNews(wallet: string, event: string, now = Date.now()): News | undefined {
  let e: unknown;
  try {
    e = JSON.parse(event);
  } catch {
    return undefined;
  }
  if (typeof e !== "object" || e === null) return undefined;
  const { type, direction, txid, amount, timestamp, coinbase } = e as Record<string, unknown>;
  if (direction !== "in" || coinbase === true) return undefined;
  if (type !== "pool" && type !== "confirmed" && type !== "reorganised") return undefined;
  if (typeof txid !== "string" || !/^[0-9a-f]{64}$/.test(txid)) return undefined;
  if (type === "confirmed" && now - Number(timestamp) * 1000 > recent) return undefined;
  return { wallet, txid, stage: type, amount: /^\d{1,20}$/.test(String(amount)) ? String(amount) : "0" };
}

/** How the user wants to learn of incoming payments. */
export type Notices = "off" | "badge" | "plain" | "amounts";

/** A payment that the user has not seen. */
export interface Unseen {
  wallet: string;
  txid: string;
  stage: "pool" | "confirmed";
}

/** Returns the unseen payments after news. Two outputs of one transaction count as one payment. */
export function after(unseen: readonly Unseen[], { wallet, txid, stage }: News): Unseen[] {
  const others = unseen.filter((u) => u.txid !== txid || u.wallet !== wallet);
  return stage === "reorganised" ? others : [...others, { wallet, txid, stage }];
}

/** Returns the text of the badge. */
export function badge(unseen: readonly Unseen[]): string {
  return unseen.length === 0 ? "" : unseen.length > 99 ? "99+" : String(unseen.length);
}
