/** What a text of seed words is, by the number of its words. */
export type Seed = { kind: "none"; count: number } | { kind: "words" | "polyseed"; text: string; count: number };

/** Reads seed words as people paste them: numbers before the words, commas and line breaks are ignored. */
export function words(text: string): Seed {
  const list = text
    .normalize("NFKC")
    .split(/[\s,;]+/)
    .map((w) => w.replace(/^\d+[.):]*/, ""))
    .filter((w) => w !== "");
  const joined = list.join(" ");
  if (list.length === 16) return { kind: "polyseed", text: joined, count: 16 };
  // 24 words lack the checksum word; 13 and 12 are the oldest, short kind. A multisig seed is one word of hexadecimal
  // digits.
  if ([12, 13, 24, 25].includes(list.length) || (list.length === 1 && /^[0-9a-f]{128,}$/i.test(joined)))
    return { kind: "words", text: joined, count: list.length };
  return { kind: "none", count: list.length };
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
