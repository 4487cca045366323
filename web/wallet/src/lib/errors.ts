import type { Reason } from "glim";
import { t, type Key } from "./i18n.js";

/** The names of the failures that the catalogue describes: what happened, and under errorNext what to do. */
type Known = Key extends infer K ? (K extends `error.${infer N}` ? N : never) : never;

/** A failure of an engine, whatever its source. */
export interface Failure {
  kind: "contract" | "aborted" | "network" | "storage" | "internal";
  code: number;
  /** The name of the failure. */
  reason: Reason;
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
  const internal = (message: string): Failure => ({ kind: "internal", code: 0, reason: "Internal", message });
  if (typeof thrown !== "object" || thrown === null) return internal(String(thrown));
  const { kind, code, reason, message, name } = thrown as {
    kind?: unknown;
    code?: unknown;
    reason?: unknown;
    message?: unknown;
    name?: unknown;
  };
  const text = typeof message === "string" ? message : String(thrown);
  if (name === "AbortError") return { kind: "aborted", code: 0, reason: "Aborted", message: text };
  if (typeof kind !== "string" || !kinds.has(kind)) return internal(text);
  return {
    kind: kind as Failure["kind"],
    code: typeof code === "number" ? code : 0,
    reason: typeof reason === "string" ? (reason as Reason) : "Unknown",
    message: text,
  };
}

// By the name of the failure.
const byReason: Readonly<Partial<Record<Reason, Known>>> = {
  InvalidAddress: "wrongAddress",
  NodeBusy: "nodeBusy",
  GenericTransfer: "notMade",
  WrongPaymentID: "paymentId",
  Denied: "restricted",
  WrongTxID: "wrongTxid",
  WrongSignature: "signature",
  WrongKeyImage: "keyImage",
  WrongURI: "paymentLink",
  WrongIndex: "entryGone",
  NotOpen: "noWallet",
  AccountIndexOutOfBounds: "noAccount",
  AddressIndexOutOfBounds: "noAddress",
  TxNotPossible: "notPossible",
  NotEnoughMoney: "notEnough",
  TxTooLarge: "tooLarge",
  NotEnoughOutsToMix: "decoys",
  ZeroDestination: "noRecipient",
  WalletAlreadyExists: "nameTaken",
  WrongPassword: "password",
  NoTxKey: "noTxKey",
  WrongKey: "txKey",
  BadHex: "damagedData",
  BadTxMetadata: "txUnreadable",
  AlreadyMultisig: "alreadyMultisig",
  WatchOnly: "viewOnly",
  BadMultisigInfo: "signerMessage",
  NotMultisig: "notMultisig",
  ThresholdNotReached: "tooFewSigners",
  BadMultisigTxData: "multisigUnreadable",
  MultisigSignature: "multisigUnsigned",
  MultisigSubmission: "multisigUnsent",
  NotEnoughUnlockedMoney: "locked",
  BadUnsignedTxData: "unsignedUnreadable",
  BadSignedTxData: "signedUnreadable",
  SignedSubmission: "signedRejected",
  SignUnsigned: "notSigned",
  NonDeterministic: "noSeed",
  AttributeNotFound: "notStored",
  ZeroAmount: "zero",
  Disabled: "multisigDisabled",
  NonzeroUnlockTime: "timeLock",
  IsBackgroundSyncing: "walletLocked",
  InvalidPassphrase: "seedPassphrase",
  InvalidSeed: "seedWords",
  PassphraseNeeded: "seedWords",
  PasswordInFile: "otherProgram",
  InvalidFile: "notACopy",
  WrongNetwork: "otherNetwork",
  DamagedFile: "damagedFile",
  UnknownKeys: "unknownKeys",
  NotViewOnly: "scansItself",
  WalletInUse: "otherTab",
  ChainInUse: "otherTab",
  StorageFull: "quota",
  InvalidOutputs: "chosenOutputs",
  NodesDisagree: "nodesDisagree",
  NodeInvalid: "nodeInvalid",
  NodeUntrusted: "nodeUntrusted",
  Aborted: "stopped",
  Discarded: "stopped",
};

// Failures that another node may not have.
const nodeReasons = new Set<Reason>([
  "NodeBusy",
  "NotEnoughOutsToMix",
  "NodeUnreachable",
  "NodeWrongNetwork",
  "NodesDisagree",
  "NodeInvalid",
  "NodeUntrusted",
]);

/** Describes a failure in plain words. */
export function plain(thrown: unknown): Plain {
  if (thrown instanceof Told) return { title: thrown.message, next: thrown.next, detail: "" };
  const f = failure(thrown);
  const node = f.kind === "network" || nodeReasons.has(f.reason);
  const say = (title: string, next: string): Plain => ({ title, next, detail: f.message, ...(node && { node }) });
  const known = (name: Known): Plain => say(t(`error.${name}`), t(`errorNext.${name}`));
  if (f.kind === "aborted") return known("stopped");
  const name = byReason[f.reason];
  if (name) return known(name);
  if (f.kind === "network") return known("unreachableSafe");
  if (f.reason === "NodeUnreachable") return known("unreachable");
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
