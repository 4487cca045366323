/** The wallets that can have made a seed. A Keystone is like a Ledger. */
export type Maker = "monero" | "mymonero" | "trezor" | "ledger";

/**
 * What a text of seed words is, by the number of its words, and the wallets that can have made it: the same words give
 * a different wallet for each.
 */
export type Seed =
  | { kind: "none"; count: number }
  | { kind: "words"; text: string; count: number; makers: readonly Maker[] }
  | { kind: "polyseed"; text: string; count: number };

/** Makers by the number of words. 24 words of Monero lack the checksum word. */
const makers: Readonly<Record<number, readonly Maker[]>> = {
  12: ["trezor", "ledger"],
  13: ["mymonero"],
  15: ["trezor", "ledger"],
  18: ["trezor", "ledger"],
  21: ["trezor", "ledger"],
  24: ["monero", "trezor", "ledger"],
  25: ["monero"],
};

/** Reads seed words as people paste them: numbers before the words, commas and line breaks are ignored. */
export function words(text: string): Seed {
  const list = text
    .normalize("NFKC")
    .split(/[\s,;]+/)
    .map((w) => w.replace(/^\d+[.):]*/, ""))
    .filter((w) => w !== "");
  const joined = list.join(" ");
  const count = list.length;
  if (count === 16) return { kind: "polyseed", text: joined, count };
  // A multisig seed is one word of hexadecimal digits.
  const known = count === 1 && /^[0-9a-f]{128,}$/i.test(joined) ? (["monero"] as const) : makers[count];
  return known ? { kind: "words", text: joined, count, makers: known } : { kind: "none", count };
}

/** Reads the number of a hardware wallet's account; empty means 0. It returns undefined for anything else. */
export function account(text: string): number | undefined {
  const t = text.trim();
  if (t === "") return 0;
  return /^\d{1,10}$/.test(t) && Number(t) < 2 ** 31 ? Number(t) : undefined;
}

/** Where scanning begins. */
export type Begin =
  | { kind: "empty" }
  | { kind: "wrong" }
  | { kind: "height"; height: number }
  | { kind: "date"; date: string };

/** Reads a date, YYYY-MM-DD, or the index of a block. */
export function begin(text: string): Begin {
  const t = text.trim();
  if (t === "") return { kind: "empty" };
  if (/^(\d{1,9}|\d{1,3}([\s,.'\u202f]\d{3}){1,2})$/.test(t))
    return { kind: "height", height: Number(t.replace(/\D/g, "")) };
  const match = /^(\d{4})[-./](\d{1,2})[-./](\d{1,2})$/.exec(t);
  if (!match) return { kind: "wrong" };
  const [, year, month = "", day = ""] = match;
  const date = `${year}-${month.padStart(2, "0")}-${day.padStart(2, "0")}`;
  const midnight = new Date(`${date}T00:00:00Z`);
  return Number.isNaN(midnight.getTime()) || midnight.toISOString().slice(0, 10) !== date
    ? { kind: "wrong" }
    : { kind: "date", date };
}
