/**
 * Recognises names of sites that are made to be mistaken for another site. It compares with the connected sites only,
 * and asks nobody.
 */
import { latin, look } from "./confusables.js";
import { readable } from "./punycode.js";

/** Why a site's name deserves a second look. name is how browsers may show it, other a connected site. */
export type Suspicion =
  /** Letters of several scripts in one word. */
  | { kind: "mixed"; name: string }
  /** Letters of another script only, which look like Latin ones. */
  | { kind: "foreign"; name: string; looks: string }
  /** The same look as a connected site. */
  | { kind: "alike"; name: string; other: string }
  /** One character inserted, deleted, replaced or two transposed. */
  | { kind: "near"; name: string; other: string }
  /** The name of a connected site, with the domain of another behind it. */
  | { kind: "inside"; name: string; other: string };

const scripts = (
  "Latin Greek Cyrillic Armenian Hebrew Arabic Devanagari Bengali Tamil Thai Georgian Hangul Hiragana " +
  "Katakana Bopomofo Han Cherokee Ethiopic Khmer Lao Lisu Coptic"
)
  .split(" ")
  .map((name) => [name, new RegExp(`\\p{Script=${name}}`, "u")] as const);
/** Scripts that are written together, with Latin. Source: UTS #39, section 5.2, "Highly Restrictive". */
const together = [
  ["Latin", "Han", "Hiragana", "Katakana"],
  ["Latin", "Han", "Bopomofo"],
  ["Latin", "Han", "Hangul"],
];

/** Returns the suspicions about a site, given the origins of the connected sites. Origins are those of URLs. */
export function suspicions(origin: string, connected: readonly string[]): Suspicion[] {
  const host = hostOf(origin);
  if (host === undefined) return [];
  const name = shown(host);
  const found: Suspicion[] = [];
  const labels = name.split(".");
  if (labels.some(mixes)) found.push({ kind: "mixed", name });
  else if (labels.some(imitates)) found.push({ kind: "foreign", name, looks: labels.map(latin).join(".") });
  for (const other of new Set(connected.map(hostOf))) {
    if (other === undefined || other === host) continue;
    const kind = compare(name, shown(other));
    if (kind !== undefined) found.push({ kind, name, other: shown(other) });
  }
  return found;
}

/** Returns the host of an origin; undefined for one that has no name, such as an IP address. */
function hostOf(origin: string): string | undefined {
  try {
    const { hostname } = new URL(origin);
    return /^[\d.]+$|^\[/.test(hostname) || hostname === "" ? undefined : hostname.replace(/\.$/, "");
  } catch {
    return undefined;
  }
}

const shown = (host: string): string => host.split(".").map(readable).join(".");

function mixes(label: string): boolean {
  const used = scripts.filter(([, pattern]) => pattern.test(label)).map(([name]) => name);
  return used.length > 1 && !together.some((set) => used.every((name) => set.includes(name)));
}

/** Whether a label has letters outside ASCII, and looks as if all were Latin. */
function imitates(label: string): boolean {
  return !/\p{Script=Latin}/u.test(label) && /[^\x20-\x7e]/.test(label) && /^[a-z0-9-]+$/.test(latin(label));
}

function compare(name: string, other: string): "alike" | "near" | "inside" | undefined {
  if (name.startsWith(`${other}.`) || name.includes(`.${other}.`)) return "inside";
  let near = false;
  for (const a of domains(name)) {
    for (const b of domains(other)) {
      if (a === b) continue;
      if (look(a) === look(b)) return "alike";
      near ||= oneAway(a, b);
    }
  }
  return near ? "near" : undefined;
}

/**
 * Returns a name and the domains that contain it. A domain that begins with a short label may be a registry's, such as
 * co.uk, which says nothing about its owner.
 */
function domains(name: string): string[] {
  const labels = name.split(".");
  return labels.map((_, i) => labels.slice(i).join(".")).filter((_, i) => i === 0 || isOwn(labels.slice(i)));
}

const isOwn = (labels: readonly string[]): boolean => labels.length > 1 && (labels[0] ?? "").length > 3;

/** Whether one insertion, deletion, replacement or transposition of neighbours makes two texts equal. */
export function oneAway(a: string, b: string): boolean {
  const [x, y] = [[...a], [...b]];
  if (Math.abs(x.length - y.length) > 1 || a === b) return false;
  let start = 0;
  while (start < x.length && x[start] === y[start]) start++;
  const rest = (text: readonly string[], from: number): string => text.slice(from).join("");
  if (x.length < y.length) return rest(x, start) === rest(y, start + 1);
  if (x.length > y.length) return rest(x, start + 1) === rest(y, start);
  if (rest(x, start + 1) === rest(y, start + 1)) return true;
  return x[start] === y[start + 1] && x[start + 1] === y[start] && rest(x, start + 2) === rest(y, start + 2);
}
