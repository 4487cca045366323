/**
 * Letters that can stand in domain names, and the letter or digit of ASCII that each looks like in many fonts. Most are
 * in Unicode's confusables.txt, of UTS #39.
 */
const alike: Record<string, string> = {
  a: "аɑα",
  b: "Ьƅ",
  c: "сϲᴄ",
  d: "ԁժ",
  e: "еҽ℮",
  f: "ſẝք",
  g: "ɡց",
  h: "һհ",
  i: "іıɩι",
  j: "јϳ",
  k: "κк",
  l: "ӏǀןו",
  m: "м",
  n: "ոռп",
  o: "οσօоᴏסہە০૦௦൦๐໐",
  p: "рρ",
  q: "ԛգ",
  r: "гᴦ",
  s: "ѕꜱ",
  t: "тτ",
  u: "υսᴜ",
  v: "νѵᴠ",
  w: "ԝѡաᴡω",
  x: "х",
  y: "уγүყ",
  z: "ᴢ",
  "3": "зӡʒҙ",
};
const looks = new Map(Object.entries(alike).flatMap(([ascii, others]) => [...others].map((c) => [c, ascii] as const)));
/** Letters and digits of ASCII that are mistaken for each other. */
const pairs: readonly (readonly [string, string])[] = [
  ["0", "o"],
  ["1", "l"],
  ["i", "l"],
  ["rn", "m"],
  ["vv", "w"],
  ["cl", "d"],
];

/** Returns a name in the letters of ASCII that it looks like. Marks on letters are removed. */
export function latin(name: string): string {
  const plain = name.toLowerCase().normalize("NFKD").replace(/\p{M}/gu, "");
  return [...plain].map((c) => looks.get(c) ?? c).join("");
}

/** Returns what a name looks like at a glance: two names with the same look can be mistaken for each other. */
export function look(name: string): string {
  return pairs.reduce((text, [some, one]) => text.replaceAll(some, one), latin(name));
}
