import { t } from "./i18n.js";

/** What a pasted or scanned text is, by its form alone. The engine decides whether it is valid. */
export type Payee =
  | { kind: "address"; text: string }
  | { kind: "uri"; text: string }
  /** A name for OpenAlias: a domain name, which may have an @ in place of a dot. */
  | { kind: "name"; text: string }
  | { kind: "empty" }
  | { kind: "unknown"; text: string };

// Monero's base58. Addresses have 95 characters, integrated addresses 106.
const address = /^[1-9A-HJ-NP-Za-km-z]{95}$|^[1-9A-HJ-NP-Za-km-z]{106}$/;
const most = 8192;
/** A label of a domain name. It is of ASCII alone: letters that look alike could name somebody else's domain. */
const label = /^(?!-)[A-Za-z0-9_-]{1,63}(?<!-)$/;
const longestName = 253;

/**
 * Recognises a pasted or scanned text: an address, a payment link, a name, or none of them. White space and characters
 * without width inside an address are removed.
 */
export function payee(raw: string): Payee {
  const text = visible(raw.slice(0, most)).trim();
  if (text === "") return { kind: "empty" };
  if (/^monero:/i.test(text))
    return { kind: "uri", text: `monero:${text.slice("monero:".length).replace(/^\/\//, "")}` };
  const joined = text.replace(/[\s\p{Cf}]+/gu, "");
  if (address.test(joined)) return { kind: "address", text: joined };
  if (isName(text)) return { kind: "name", text };
  return { kind: "unknown", text };
}

/** Whether glim/openalias accepts a text as a name. That module is not loaded before a name is looked up. */
function isName(text: string): boolean {
  const name = text.replace("@", ".").replace(/\.$/, "");
  const labels = name.split(".");
  return (
    name.length <= longestName &&
    labels.length > 1 &&
    labels.every((l) => label.test(l)) &&
    !/^[0-9]+$/.test(labels.at(-1) ?? "")
  );
}

/**
 * Returns who a recipient is, in words: the entry of the address book with this address, otherwise the name in the
 * payment link, which its author chose. "" if neither names it.
 */
export function nameOf(
  recipient: { address: string; name: string },
  book: readonly { address: string; description: string }[] | undefined,
): string {
  const known = book?.find((e) => e.address === recipient.address && e.description !== "");
  if (known) return t("payee.known", { name: known.description });
  return recipient.name === "" ? "" : t("payee.says", { name: recipient.name });
}

/** Shortens an address or ID for lists to its beginning and its end. */
export function short(text: string, head = 8, tail = 6): string {
  return text.length <= head + tail + 1 ? text : `${text.slice(0, head)}\u2026${text.slice(-tail)}`;
}

/** Splits an address in three: both ends, which people compare, and the middle in groups of five. */
export function ends(text: string): [string, string[], string] {
  if (text.length < 24) return [text, [], ""];
  return [text.slice(0, 6), text.slice(6, -6).match(/.{1,5}/g) ?? [], text.slice(-6)];
}

/**
 * Removes characters without width that copying from other programs leaves in a text. Joiners stay, because some
 * scripts and emoji need them.
 */
export function visible(text: string): string {
  return text.replace(/[\u00ad\u200b\u2060\ufeff]/g, "");
}
