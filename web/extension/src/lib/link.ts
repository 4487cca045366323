/** Payment links (monero:) on pages, which the extension opens if the user wants that. */
import { networkOf } from "./address.js";
import { Refusal, Code, readAsk } from "./site.js";

const key = "links";

/** Whether the user wants clicks on payment links to open the wallet. */
export const links = {
  /** The name of the setting in the extension's own storage. */
  key,
  async wanted(): Promise<boolean> {
    const { [key]: kept } = await chrome.storage.local.get(key);
    return kept === true;
  },
  want: (yes: boolean): Promise<void> => chrome.storage.local.set({ [key]: yes }),
};

/** What a payment link says. */
export interface Link {
  address: string;
  /** Atomic units as a decimal string; "" if the link leaves the amount to the user. */
  amount: string;
  description: string;
  /** The recipient's name, chosen by the author of the link. */
  recipient: string;
}

const decimals = 12;
const longest = 2048;

/**
 * Reads an untrusted payment link. It throws a Refusal if the link is invalid, or has a payment ID, which no wallet
 * can send any more. Source: src/wallet/wallet2.cpp, parse_uri.
 */
export function readLink(href: string): Link {
  const match = href.length <= longest ? /^monero:(?:\/\/)?([^?]*)(?:\?(.*))?$/is.exec(href) : null;
  if (!match) throw new Refusal(Code.Invalid, "not a payment link");
  const [, address = "", query = ""] = match;
  if (networkOf(address) === undefined) throw new Refusal(Code.Invalid, "address is not a Monero address");
  const given = new Map<string, string>();
  for (const part of query.split("&").filter((part) => part !== "")) {
    const cut = part.indexOf("=");
    const name = part.slice(0, Math.max(cut, 0));
    if (cut < 1 || given.has(name)) throw new Refusal(Code.Invalid, "not a payment link");
    given.set(name, text(part.slice(cut + 1)));
  }
  if (given.has("tx_payment_id")) throw new Refusal(Code.Invalid, "the link has a payment ID of its own");
  const amount = atomic(given.get("tx_amount") ?? "");
  // The texts and the amount must satisfy the same limits as those of a request.
  const checked = (description: string): string => {
    const ask = readAsk("pay", { address, amount: amount === "" ? "1" : amount, description });
    return "description" in ask ? ask.description : "";
  };
  return {
    address,
    amount,
    description: checked(given.get("tx_description") ?? ""),
    recipient: checked(given.get("recipient_name") ?? ""),
  };
}

/** Decodes a value. Spaces are %20, and a plus sign is itself. */
function text(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    throw new Refusal(Code.Invalid, "not a payment link");
  }
}

/** Returns the atomic units of an amount in XMR; "" for no amount, or zero. */
function atomic(xmr: string): string {
  if (xmr === "") return "";
  const match = /^(\d{1,8})(?:\.(\d{0,12}))?$/.exec(xmr);
  if (!match) throw new Refusal(Code.Invalid, "the link's amount is invalid");
  const [, whole = "", fraction = ""] = match;
  const n = BigInt(whole + fraction.padEnd(decimals, "0"));
  return n === 0n ? "" : n.toString();
}
