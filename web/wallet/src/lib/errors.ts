/** A failure of an engine, whatever its source. */
export interface Failure {
  kind: "contract" | "aborted" | "network" | "storage" | "internal";
  code: number;
  message: string;
}

/** A failure in plain words: what happened, and what to do next. */
export interface Plain {
  title: string;
  next: string;
  /** The engine's own message, for details. */
  detail: string;
  /** Whether another node may help. */
  node?: boolean;
}

const kinds = new Set(["contract", "aborted", "network", "storage", "internal"]);

/** Reads a thrown value. If it did not come from an engine, its kind is internal. */
export function failure(thrown: unknown): Failure {
  if (typeof thrown === "object" && thrown !== null) {
    const { kind, code, message, name } = thrown as {
      kind?: unknown;
      code?: unknown;
      message?: unknown;
      name?: unknown;
    };
    const text = typeof message === "string" ? message : String(thrown);
    if (typeof kind === "string" && kinds.has(kind)) {
      return { kind: kind as Failure["kind"], code: typeof code === "number" ? code : 0, message: text };
    }
    if (name === "AbortError") return { kind: "aborted", code: 0, message: text };
    return { kind: "internal", code: 0, message: text };
  }
  return { kind: "internal", code: 0, message: String(thrown) };
}

// By the service's error code, see core/walletrpc/errors.go: [what happened, what to do].
const contract: Record<number, readonly [string, string]> = {
  [-2]: [
    "This is not a Monero address of this network",
    "Check that you copied all of it, and that it belongs to this network.",
  ],
  [-3]: [
    "The node is busy",
    "It may still be syncing. Wait a minute and try again, or choose another node in Settings.",
  ],
  [-4]: ["The payment could not be made", "Nothing was sent. Wait until the wallet is in sync, then try again."],
  [-5]: [
    "This payment ID cannot be used",
    "Ask the recipient for an address without a payment ID, or for an integrated address.",
  ],
  [-7]: ["This is not allowed here", "The engine runs in restricted mode. Open the wallet where it was made."],
  [-8]: [
    "This is not a transaction of this wallet",
    "A transaction ID has 64 characters, 0 to 9 and a to f. Copy it again from the history.",
  ],
  [-9]: ["The signature is invalid", "Ask for it again. It must have been made for exactly this text and address."],
  [-10]: ["A key image is invalid", "Export the key images again on the signing device, and import the new file."],
  [-11]: ["This payment link cannot be read", "Ask for a new one, or enter the address and the amount by hand."],
  [-12]: ["This entry no longer exists", "It may have been removed in another window. Open the page again."],
  [-13]: ["No wallet is open", "Unlock the wallet and try again."],
  [-14]: ["There is no such account", "Choose one from the list of accounts."],
  [-15]: ["There is no such address", "Choose one from the list of addresses."],
  [-16]: [
    "This payment is not possible",
    "The amount and the fee do not fit what can be spent now. Try a smaller amount.",
  ],
  [-17]: [
    "Not enough money",
    "The amount and the fee are more than this account holds. Lower the amount, or send everything.",
  ],
  [-18]: ["The payment is too large for one transaction", "Send it in smaller parts."],
  [-19]: [
    "The node offers too few decoys",
    "The chain may be very short, or the node not in sync. Wait for more blocks, or choose another node.",
  ],
  [-20]: ["No recipient", "Enter an address to pay."],
  [-21]: ["A wallet with this name already exists", "Choose another name."],
  [-22]: ["Wrong password", "Check capital letters and the keyboard layout, then try again."],
  [-24]: [
    "The key of this transaction is not stored here",
    "Only the wallet that sent it has the key, and not if it has been restored since.",
  ],
  [-25]: ["This transaction key is invalid", "Each key has 64 characters. Copy it again."],
  [-26]: ["The data is damaged", "It was cut off or changed on the way. Export it again and use the complete file."],
  [-27]: ["The transaction cannot be read", "Make it again."],
  [-28]: ["This wallet is already multisig", "Create a new wallet for another group of signers."],
  [-29]: ["This wallet is view-only", "It has no spend key. Sign on the device that has it: see Cold signing."],
  [-30]: [
    "One of the signers' messages is wrong",
    "Check that there is one complete message of this round from each signer.",
  ],
  [-31]: ["This wallet is not multisig", "Set it up with the other signers first."],
  [-33]: ["Too few signers", "More signers must take part before you can continue."],
  [-34]: ["The multisig transaction cannot be read", "Ask the previous signer for it again."],
  [-35]: [
    "The multisig transaction could not be signed",
    "Exchange the signers' messages again, then make a new payment.",
  ],
  [-36]: [
    "The multisig transaction could not be sent",
    "Check that enough signers have signed and that the node is reachable.",
  ],
  [-37]: [
    "Not enough unlocked money",
    "Part of your money is still locked. A payment unlocks after 10 confirmations, about 20 minutes.",
  ],
  [-38]: ["The node cannot be reached", "Check your connection and the node in Settings."],
  [-39]: [
    "The unsigned transaction cannot be read",
    "Make it again in the view-only wallet, and bring the complete file.",
  ],
  [-40]: ["The signed transaction cannot be read", "Sign it again, and bring the complete file."],
  [-41]: [
    "The signed transaction was rejected",
    "It may have been sent before, or its outputs are already spent. Bring both wallets up to date and make it again.",
  ],
  [-42]: ["The transaction could not be signed", "Import the outputs of the view-only wallet here first, then sign."],
  [-43]: ["This wallet has no seed words", "It was made from keys. Back up its keys instead."],
  [-45]: ["Nothing is stored under this name", "It may never have been set."],
  [-46]: ["The amount is zero", "Enter an amount greater than zero."],
  [-48]: ["Multisig is not enabled", "Enable it for this wallet first."],
  [-50]: ["Time-locked payments are not possible", "The network no longer accepts them."],
  [-52]: ["The wallet is locked", "Unlock it with your password first."],
};

// Failures without their own error code, recognised by the engine's message.
const texts: readonly (readonly [RegExp, string, string])[] = [
  [
    /invalid password|wrong password|password.*(wrong|not right)/i,
    "Wrong password",
    "Check capital letters and the keyboard layout, then try again.",
  ],
  [
    /passphrases? beyond ascii/i,
    "This passphrase cannot be used",
    "With 16 words, use only letters, digits and signs of an English keyboard.",
  ],
  [
    /checksum|word list verification|electrum|invalid.*seed|seed.*invalid|polyseed/i,
    "The seed words are wrong",
    "Check their spelling, order and number: 25 words, or 16 for a Polyseed.",
  ],
  [/already exists/i, "A wallet with this name already exists", "Choose another name."],
  [
    /under the password itself/i,
    "This wallet was made by another program",
    "Restore it here from its seed words or its keys, under another name.",
  ],
  [
    /not the file of a wallet/i,
    "This is not a copy of a wallet",
    "Choose a file that was saved in Settings. Its name usually ends in .glim",
  ],
  [
    /it is for (mainnet|stagenet|testnet|fakechain)/i,
    "This wallet belongs to another network",
    "Choose the network of the wallet in the node settings, then restore it there.",
  ],
  [
    /journal: damaged/i,
    "The file of the wallet is damaged",
    "Use another copy of it, or restore the wallet from its seed words.",
  ],
  [
    /hot wallets cannot import/i,
    "This wallet scans the chain itself",
    "It already knows its outputs. Continue with the key images.",
  ],
  [
    /another (tab|process|wallet program)|locked by|in use/i,
    "The wallet is open in another tab",
    "Close it there, then try again here.",
  ],
  [/quota/i, "The browser's storage is full", "Free some storage for this site, then try again."],
  [/gave up|cancel|abort/i, "Stopped", "Nothing was changed."],
];

// Codes of failures that another node may not have: see contract.
const nodeCodes = new Set([-3, -19, -38]);

// Failures of a node, recognised by the engine's message.
const nodeTexts: readonly (readonly [RegExp, string, string])[] = [
  [
    /the daemon and the second daemon disagree/i,
    "The node and a second node disagree",
    "Nothing was spent. One of them may be malicious or behind, and the wallet cannot tell which. Choose other nodes.",
  ],
  [
    /daemon: invalid response/i,
    "The node sent invalid data",
    "The wallet ignored it. Try again; if it happens again, choose another node.",
  ],
  [
    /untrusted|not trusted|trusted daemon/i,
    "This needs a node you trust",
    "The node would learn which outputs are yours. If it is your own, mark it as yours in Settings, then try again.",
  ],
];

/** Describes a failure in plain words. */
export function plain(thrown: unknown): Plain {
  const f = failure(thrown);
  const say = (title: string, next: string): Plain => ({
    title,
    next,
    detail: f.message,
    ...((f.kind === "network" || (f.kind === "contract" && nodeCodes.has(f.code))) && { node: true }),
  });
  for (const [pattern, title, next] of nodeTexts)
    if (pattern.test(f.message)) return { ...say(title, next), node: true };
  if (f.kind === "aborted") return say("Stopped", "Nothing was changed.");
  const known = f.kind === "contract" ? contract[f.code] : undefined;
  if (known) return say(known[0], known[1]);
  if (f.kind === "network")
    return say(
      "The node cannot be reached",
      "Check your connection and the node in Settings. Your money is safe: it is on the chain.",
    );
  for (const [pattern, title, next] of texts) if (pattern.test(f.message)) return say(title, next);
  if (f.kind === "storage")
    return say("The browser did not store the wallet", "Free some storage or leave private browsing, then try again.");
  if (f.kind === "contract") return say(sentence(f.message), "Check what you entered and try again.");
  return say("Something went wrong", "Reload the page and try again. Your wallet has not been changed.");
}

/**
 * Describes in plain words that sending a payment failed. The node may have received it all the same, because its
 * response can be lost. Sending again sends the same transactions.
 */
export function unsure(thrown: unknown): Plain {
  const f = failure(thrown);
  if (f.kind !== "network" && !(f.kind === "contract" && f.code === -4)) return plain(thrown);
  return {
    title: "The node did not confirm that it received the payment",
    next:
      "Do not make a new payment. Try again here: this sends the same payment, which is never paid twice. " +
      "If the network already has it, the history shows it.",
    detail: f.message,
    ...(f.kind === "network" && { node: true }),
  };
}

function sentence(text: string): string {
  const line = text.trim().replace(/[.\s]+$/, "");
  return line === "" ? "The request was refused" : line.charAt(0).toUpperCase() + line.slice(1);
}
