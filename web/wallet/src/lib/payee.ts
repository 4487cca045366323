/** What a pasted or scanned text is, judged by its shape alone; the engine judges whether it is right. */
export type Payee =
  | { kind: "address"; text: string }
  | { kind: "uri"; text: string }
  | { kind: "empty" }
  | { kind: "unknown"; text: string };

// Base58 as Monero uses it. Addresses have 95 characters, integrated ones 106.
const address = /^[1-9A-HJ-NP-Za-km-z]{95}$|^[1-9A-HJ-NP-Za-km-z]{106}$/;
const most = 8192;

/** Sorts what was pasted or scanned: an address, a payment link, or neither. White space inside an address is dropped. */
export function payee(raw: string): Payee {
  const text = raw.slice(0, most).trim();
  if (text === "") return { kind: "empty" };
  if (/^monero:/i.test(text)) return { kind: "uri", text: `monero:${text.slice("monero:".length).replace(/^\/\//, "")}` };
  const joined = text.replace(/\s+/g, "");
  if (address.test(joined)) return { kind: "address", text: joined };
  return { kind: "unknown", text };
}

/** Shortens an address or an ID for lists: its beginning and its end. */
export function short(text: string, head = 8, tail = 6): string {
  return text.length <= head + tail + 1 ? text : `${text.slice(0, head)}\u2026${text.slice(-tail)}`;
}

/** Splits an address in three: what people compare at both ends, and the middle in groups of five. */
export function ends(text: string): [string, string, string] {
  if (text.length < 24) return [text, "", ""];
  return [text.slice(0, 6), text.slice(6, -6).replace(/(.{5})/g, "$1\u200b"), text.slice(-6)];
}
