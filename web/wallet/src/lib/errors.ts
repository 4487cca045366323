import { t, type Key } from "./i18n.js";

/** The names of the failures that the catalogue describes: what happened, and under errorNext what to do. */
type Known = Key extends infer K ? (K extends `error.${infer N}` ? N : never) : never;

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

/** A failure that the app itself describes in the language in use. */
export class Told extends Error {
  constructor(
    message: string,
    readonly next = "",
  ) {
    super(message);
  }
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

// By the service's error code, see core/walletrpc/errors.go.
const contract: Readonly<Record<number, Known>> = {
  [-2]: "wrongAddress",
  [-3]: "nodeBusy",
  [-4]: "notMade",
  [-5]: "paymentId",
  [-7]: "restricted",
  [-8]: "wrongTxid",
  [-9]: "signature",
  [-10]: "keyImage",
  [-11]: "paymentLink",
  [-12]: "entryGone",
  [-13]: "noWallet",
  [-14]: "noAccount",
  [-15]: "noAddress",
  [-16]: "notPossible",
  [-17]: "notEnough",
  [-18]: "tooLarge",
  [-19]: "decoys",
  [-20]: "noRecipient",
  [-21]: "nameTaken",
  [-22]: "password",
  [-24]: "noTxKey",
  [-25]: "txKey",
  [-26]: "damagedData",
  [-27]: "txUnreadable",
  [-28]: "alreadyMultisig",
  [-29]: "viewOnly",
  [-30]: "signerMessage",
  [-31]: "notMultisig",
  [-33]: "tooFewSigners",
  [-34]: "multisigUnreadable",
  [-35]: "multisigUnsigned",
  [-36]: "multisigUnsent",
  [-37]: "locked",
  [-38]: "unreachable",
  [-39]: "unsignedUnreadable",
  [-40]: "signedUnreadable",
  [-41]: "signedRejected",
  [-42]: "notSigned",
  [-43]: "noSeed",
  [-45]: "notStored",
  [-46]: "zero",
  [-48]: "multisigDisabled",
  [-50]: "timeLock",
  [-52]: "walletLocked",
};

// Failures without their own error code, recognised by the engine's message.
const texts: readonly (readonly [RegExp, Known])[] = [
  [/invalid password|wrong password|password.*(wrong|not right)/i, "password"],
  [/passphrases? beyond ascii/i, "seedPassphrase"],
  [/checksum|word list verification|electrum|invalid.*seed|seed.*invalid|polyseed/i, "seedWords"],
  [/already exists/i, "nameTaken"],
  [/under the password itself/i, "otherProgram"],
  [/not the file of a wallet/i, "notACopy"],
  [/it is for (mainnet|stagenet|testnet|fakechain)/i, "otherNetwork"],
  [/journal: damaged/i, "damagedFile"],
  [/hot wallets cannot import/i, "scansItself"],
  [/another (tab|page|process|wallet program)|locked by|in use/i, "otherTab"],
  [/quota/i, "quota"],
  [/gave up|cancel|abort/i, "stopped"],
];

// Codes of failures that another node may not have: see contract.
const nodeCodes = new Set([-3, -19, -38]);

// Failures of a node, recognised by the engine's message.
const nodeTexts: readonly (readonly [RegExp, Known])[] = [
  [/the daemon and the second daemon disagree/i, "nodesDisagree"],
  [/daemon: invalid response/i, "nodeInvalid"],
  [/untrusted|not trusted|trusted daemon/i, "nodeUntrusted"],
];

/** Describes a failure in plain words. */
export function plain(thrown: unknown): Plain {
  if (thrown instanceof Told) return { title: thrown.message, next: thrown.next, detail: "" };
  const f = failure(thrown);
  const node = f.kind === "network" || (f.kind === "contract" && nodeCodes.has(f.code));
  const say = (title: string, next: string): Plain => ({ title, next, detail: f.message, ...(node && { node }) });
  const known = (name: Known): Plain => say(t(`error.${name}`), t(`errorNext.${name}`));
  for (const [pattern, name] of nodeTexts) if (pattern.test(f.message)) return { ...known(name), node: true };
  if (f.kind === "aborted") return known("stopped");
  if (f.kind === "contract" && f.message.startsWith("key_images:")) return known("chosenOutputs");
  const byCode = f.kind === "contract" ? contract[f.code] : undefined;
  if (byCode) return known(byCode);
  if (f.kind === "network") return known("unreachableSafe");
  for (const [pattern, name] of texts) if (pattern.test(f.message)) return known(name);
  if (f.kind === "storage") return known("notStoredHere");
  if (f.kind === "contract") return say(sentence(f.message), t("errors.checkEntry"));
  return known("internal");
}

/**
 * Describes in plain words that sending a payment failed. The node may have received it all the same, because its
 * response can be lost. Sending again sends the same transactions.
 */
export function unsure(thrown: unknown): Plain {
  const f = failure(thrown);
  if (f.kind !== "network" && !(f.kind === "contract" && f.code === -4)) return plain(thrown);
  return {
    title: t("error.unconfirmed"),
    next: t("errorNext.unconfirmed"),
    detail: f.message,
    ...(f.kind === "network" && { node: true }),
  };
}

function sentence(text: string): string {
  const line = text.trim().replace(/[.\s]+$/, "");
  return line === "" ? t("errors.refused") : line.charAt(0).toUpperCase() + line.slice(1);
}
