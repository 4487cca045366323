/** What an engine's failures look like, wherever they come from. */
export interface Failure {
  kind: "contract" | "aborted" | "network" | "storage" | "internal";
  code: number;
  message: string;
}

/** A failure in plain words: what happened, and what to do next. */
export interface Plain {
  title: string;
  next: string;
  /** What the engine said, for who wants to know. */
  detail: string;
}

const kinds = new Set(["contract", "aborted", "network", "storage", "internal"]);

/** Reads a thrown value; what is no engine's failure is of kind internal. */
export function failure(thrown: unknown): Failure {
  if (typeof thrown === "object" && thrown !== null) {
    const { kind, code, message, name } = thrown as { kind?: unknown; code?: unknown; message?: unknown; name?: unknown };
    const text = typeof message === "string" ? message : String(thrown);
    if (typeof kind === "string" && kinds.has(kind)) {
      return { kind: kind as Failure["kind"], code: typeof code === "number" ? code : 0, message: text };
    }
    if (name === "AbortError") return { kind: "aborted", code: 0, message: text };
    return { kind: "internal", code: 0, message: text };
  }
  return { kind: "internal", code: 0, message: String(thrown) };
}

// By code of the contract: core/walletrpc/errors.go. [what happened, what to do]
const contract: Record<number, readonly [string, string]> = {
  [-2]: ["That is not a Monero address of this network", "Check that it was copied whole, and that it belongs to the network you are on."],
  [-3]: ["The node is busy", "It may still be reading the chain itself. Wait a minute and try again, or choose another node in Settings."],
  [-4]: ["The payment could not be made", "Nothing was sent. Wait for the wallet to be in sync, then try again."],
  [-5]: ["That payment ID cannot be used", "Ask the recipient for an address without a payment ID, or for an integrated address."],
  [-7]: ["This is not allowed here", "The engine runs with restrictions. Open the wallet where it was made."],
  [-8]: ["That is not a transaction of this wallet", "A transaction ID has 64 characters, 0 to 9 and a to f. Copy it again from the history."],
  [-9]: ["The signature is not right", "Ask for it again; it must belong to exactly this text and address."],
  [-10]: ["That key image is not right", "Export the key images again on the machine that signs, and import that file."],
  [-11]: ["That payment link cannot be read", "Ask for it again, or type the address and the amount by hand."],
  [-12]: ["That entry is gone", "It may have been removed in another window. Open the page again."],
  [-13]: ["No wallet is open", "Unlock the wallet and try again."],
  [-14]: ["There is no such account", "Choose one from the list of accounts."],
  [-15]: ["There is no such address", "Choose one from the list of addresses."],
  [-16]: ["This payment is not possible", "The amount with its fee does not fit what can be spent now. Try a smaller amount."],
  [-17]: ["Not enough money", "The amount and the fee together are more than this account holds. Lower the amount, or send everything."],
  [-18]: ["The payment is too large for one transaction", "Send it in smaller parts."],
  [-19]: ["The node offers too few decoys", "The chain may be very young, or the node behind. Wait for more blocks or choose another node."],
  [-20]: ["No recipient", "Enter an address to pay."],
  [-21]: ["A wallet of that name exists already", "Choose another name."],
  [-22]: ["Wrong password", "Check capital letters and the keyboard layout, then try again."],
  [-24]: ["The key of this transaction is not kept here", "Only the wallet that sent it has it, and not when it was restored since."],
  [-25]: ["That transaction key is not right", "It has 64 characters for each key. Copy it again."],
  [-26]: ["That data is damaged", "It was cut off or changed on the way. Export it again and take the whole file."],
  [-27]: ["That transaction cannot be read", "Make it again."],
  [-28]: ["This wallet is multisig already", "Make a new wallet for another group."],
  [-29]: ["This wallet can only watch", "It has no spend key. Sign on the machine that has it: see Cold signing."],
  [-30]: ["One of the signers' messages is not right", "Check that each signer's message of this round is there once, and whole."],
  [-31]: ["This wallet is not multisig", "Set it up with the other signers first."],
  [-33]: ["Too few signers", "More signers must take part before this can go on."],
  [-34]: ["That multisig transaction cannot be read", "Ask the signer before you for it again."],
  [-35]: ["The multisig transaction could not be signed", "Exchange the signers' information again, then make the payment anew."],
  [-36]: ["The multisig transaction could not be sent", "Check that enough signers have signed and that the node is reachable."],
  [-37]: ["Not enough unlocked money", "Part of your money is waiting for confirmations. A payment unlocks after 10 blocks, about 20 minutes."],
  [-38]: ["The node cannot be reached", "Check your connection and the node in Settings."],
  [-39]: ["That unsigned transaction cannot be read", "Make it again with the wallet that watches, and bring the whole file."],
  [-40]: ["That signed transaction cannot be read", "Sign it again and bring the whole file."],
  [-41]: ["The signed transaction was refused", "It may have been sent before, or what it spends is spent. Bring both wallets up to date and make it again."],
  [-42]: ["The transaction could not be signed", "Import the watching wallet's outputs here first, then sign."],
  [-43]: ["This wallet has no seed words", "It was made from keys. Keep its keys instead."],
  [-45]: ["Nothing is kept under that name", "It may never have been set."],
  [-46]: ["The amount is zero", "Enter an amount greater than zero."],
  [-48]: ["Multisig is not switched on", "Switch it on for this wallet first."],
  [-50]: ["Locked payments are not possible", "The network does not take them any more."],
  [-52]: ["The wallet is locked", "Unlock it with your password first."],
};

// Failures without a code of their own, told by what the engine says.
const texts: readonly (readonly [RegExp, string, string])[] = [
  [/invalid password|wrong password|password.*(wrong|not right)/i, "Wrong password", "Check capital letters and the keyboard layout, then try again."],
  [/checksum|word list verification|electrum|invalid.*seed|seed.*invalid|polyseed/i, "Those seed words are not right", "Check the spelling, the order and the number of words: 25, or 16 for Polyseed."],
  [/already exists/i, "A wallet of that name exists already", "Choose another name."],
  [/under the password itself/i, "This wallet was made by another program", "Restore it here from its seed words or its keys, under another name."],
  [/passphrases? beyond ascii/i, "That passphrase has other characters", "For 16 words it takes the letters, digits and signs of an English keyboard."],
  [/the answer is not true/i, "The node says what cannot be true", "Nothing of it was taken. Try again, and if it stays so choose another node in Settings."],
  [/hot wallets cannot import/i, "This wallet reads the chain itself", "It knows its outputs already. Go on with the key images."],
  [/untrusted|not trusted|trusted daemon/i, "This needs a node you trust", "The node would learn about your money. Mark the node as your own in Settings, then try again."],
  [/another (tab|process|wallet program)|locked by|in use/i, "The wallet is open in another tab", "Close it there, then try again here."],
  [/quota/i, "The browser has no room left", "Free some storage for this site, then try again."],
  [/gave up|cancel|abort/i, "Stopped", "Nothing was changed."],
];

/** Says a failure in plain words. */
export function plain(thrown: unknown): Plain {
  const f = failure(thrown);
  const say = (title: string, next: string): Plain => ({ title, next, detail: f.message });
  if (f.kind === "aborted") return say("Stopped", "Nothing was changed.");
  const known = f.kind === "contract" ? contract[f.code] : undefined;
  if (known) return say(known[0], known[1]);
  if (f.kind === "network") return say("The node cannot be reached", "Check your connection and the node in Settings. Your money is safe; it is on the chain.");
  for (const [pattern, title, next] of texts) if (pattern.test(f.message)) return say(title, next);
  if (f.kind === "storage") return say("The browser did not keep the wallet", "Free some storage, leave private browsing, then try again.");
  if (f.kind === "contract") return say(sentence(f.message), "Check what you entered and try again.");
  return say("Something went wrong", "Reload the page and try again. Your wallet is kept as it was.");
}

/**
 * Says in plain words that handing over a payment failed. The node may have it all the same: its answer can be lost on the way back. Asked again the
 * same transactions are handed over.
 */
export function unsure(thrown: unknown): Plain {
  const f = failure(thrown);
  if (f.kind !== "network" && !(f.kind === "contract" && f.code === -4)) return plain(thrown);
  return {
    title: "The node did not say that it has the payment",
    next: "Try again: it is the same payment, and it is never paid twice. If the network has it already, the history shows it.",
    detail: f.message,
  };
}

function sentence(text: string): string {
  const line = text.trim().replace(/[.\s]+$/, "");
  return line === "" ? "That was refused" : line.charAt(0).toUpperCase() + line.slice(1);
}
