import type { Reason } from "./errors.js";

/**
 * What the messages of a wallet service mean whose code is shared by several failures. monero-wallet-rpc and glim's
 * service have the same texts. The first match counts.
 */
const texts: readonly (readonly [RegExp, Reason])[] = [
  [/^Failed to open wallet : Invalid password/, "WrongPassword"],
  [/^invalid password$/i, "WrongPassword"],
  [/^Failed to open wallet : file not found/, "WalletNotFound"],
  [/already exists/i, "WalletAlreadyExists"],
  [/opened by another wallet program/, "WalletInUse"],
  [/^Invalid filename$/, "InvalidName"],
  [/its passphrase is needed/, "PassphraseNeeded"],
  [/need Unicode's NFKD/, "InvalidPassphrase"],
  [/word list failed verification|^Failed to generate wallet$|seed is invalid/i, "InvalidSeed"],
  [/^Failed to parse (public address|(view|spend) key)/, "InvalidKeys"],
  [/(view|spend) key does not match/, "InvalidKeys"],
  [/different network|for another network/, "WrongNetwork"],
  [/^the daemon is on .*, the wallet on /, "NodeWrongNetwork"],
  [/requires a trusted daemon/, "NodeUntrusted"],
];

/** Returns the name of a failure that a service reports with code -1, or "" if the code says everything. */
export function refusal(message: string): Reason | "" {
  return texts.find(([text]) => text.test(message))?.[1] ?? "";
}
