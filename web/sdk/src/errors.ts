import { Code } from "./operations.js";
import type { Failure } from "./protocol.js";

/** Failures of the contract whose reason differs from the name of their number in Code. */
const renamed = {
  /** Not an address of this network. */
  WrongAddress: "InvalidAddress",
  /** The password does not open the wallet. */
  InvalidPassword: "WrongPassword",
  /** The daemon is synchronising. */
  DaemonBusy: "NodeBusy",
  /** The daemon does not respond. */
  NoDaemonConnection: "NodeUnreachable",
} as const satisfies Partial<Record<keyof typeof Code, string>>;

type Renamed = typeof renamed;

/**
 * The name of a failure, which no version changes. A failure of the contract has the name of its number in Code, except
 * InvalidAddress (-2), NodeBusy (-3), WrongPassword (-22) and NodeUnreachable (-38). The others tell apart failures
 * that share a number or have none.
 */
export type Reason =
  | Exclude<keyof typeof Code, keyof Renamed>
  | Renamed[keyof Renamed]
  /** No wallet has the name. */
  | "WalletNotFound"
  /** The wallet is open elsewhere: in another tab, process or program. */
  | "WalletInUse"
  /** A wallet cannot have this name, or it is not a domain name. */
  | "InvalidName"
  /** The wallet is of another network. */
  | "WrongNetwork"
  /** An OpenAlias name has no address of the network. */
  | "NameNotFound"
  /** An OpenAlias name has several addresses. */
  | "NameAmbiguous"
  /** The address of an OpenAlias name is not protected by DNSSEC. */
  | "NameUnsigned"
  /** The resolver of OpenAlias names cannot be reached, or does not allow this page. */
  | "ResolverUnreachable"
  /** The answer is not that of a resolver, or its address is not one. */
  | "ResolverInvalid"
  /** The words are not a seed, or a word is wrong. */
  | "InvalidSeed"
  /** The seed is encrypted, and its passphrase is missing. */
  | "PassphraseNeeded"
  /** The passphrase contains characters that cannot be used. */
  | "InvalidPassphrase"
  /** The keys are malformed or do not belong to the address. */
  | "InvalidKeys"
  /** The bytes are not the file of a wallet. */
  | "InvalidFile"
  /** The wallet's file is damaged, or of a later version. */
  | "DamagedFile"
  /** The chain has passed the next hard fork since the engine started: start it again. */
  | "NextFork"
  /** The wallet has keys of the next hard fork, which only native programs know. */
  | "UnknownKeys"
  /** The file contains the wallet's keys: glim.open needs inFile. */
  | "PasswordInFile"
  /** The amount is not a bigint from 0 to 2^64-1. */
  | "InvalidAmount"
  /** The chosen outputs do not exist, cannot be spent or do not suffice. */
  | "InvalidOutputs"
  /** Some events after the cursor are no longer stored. */
  | "EventsLost"
  /** Only a view-only wallet that has not scanned the chain can do this. */
  | "NotViewOnly"
  /** The daemon works, but does not allow this page to read its responses. */
  | "NodeCors"
  /** The daemon is not encrypted, and a page loaded over https cannot use it. */
  | "NodeMixed"
  /** The daemon rejected the user name or the password. */
  | "NodeLogin"
  /** The daemon is of another network. */
  | "NodeWrongNetwork"
  /** The daemon sent invalid data. */
  | "NodeInvalid"
  /** The daemon and the second daemon contradict each other. */
  | "NodesDisagree"
  /** The operation needs a daemon of your own. */
  | "NodeUntrusted"
  /** This device has no connection to a network. */
  | "Offline"
  /** The private chain is open in another page. */
  | "ChainInUse"
  /** There is no space left for the data. */
  | "StorageFull"
  /** The data could not be stored or read. */
  | "StorageFailed"
  /** The wallet service of Glim.connect cannot be reached, or does not allow this page. */
  | "ServiceUnreachable"
  /** The wallet service requires a login, or rejected it. */
  | "ServiceLogin"
  /** The answer is not that of a wallet service. */
  | "ServiceInvalid"
  /** The wallet service cannot do this. */
  | "NotSupported"
  /** The wallet service has one wallet open at a time: close it first. */
  | "WalletLimit"
  /** The caller cancelled the call. */
  | "Aborted"
  /** The preview was discarded. */
  | "Discarded"
  /** The engine has ended or could not start. */
  | "EngineEnded";

/** The name of a code of the contract. */
function byCode(code: number): Reason | undefined {
  for (const [name, value] of Object.entries(Code))
    if (value === code) return renamed[name as keyof Renamed] ?? (name as Reason);
  return undefined;
}

const byKind: Readonly<Record<Failure["kind"], Reason>> = {
  contract: "Unknown",
  aborted: "Aborted",
  network: "NodeUnreachable",
  storage: "StorageFailed",
  internal: "Internal",
};

/**
 * A failed call. Programs compare its reason, with isGlimError; the message is for people and may change. Its kind is
 * "contract" if the service refused it, and code is then one of Code; "aborted" if the engine or the preview was
 * stopped; "network" if no daemon could be reached; "storage" if the browser did not store data; "internal" otherwise.
 * Its cause, if there is one, is the failure below it.
 */
export class GlimError extends Error {
  /** Always "GlimError". */
  override readonly name = "GlimError";
  /** The kind of failure. */
  readonly kind: Failure["kind"];
  /** The service's error code, one of Code, or 0. */
  readonly code: number;
  /** The name of the failure. */
  readonly reason: Reason;

  constructor(
    kind: Failure["kind"],
    message: string,
    code = 0,
    { reason, cause }: { reason?: Reason | undefined; cause?: unknown } = {},
  ) {
    super(message, cause === undefined ? undefined : { cause });
    this.kind = kind;
    this.code = code;
    this.reason = reason ?? byCode(code) ?? byKind[kind];
  }
}

/**
 * Whether a thrown value is a GlimError, and, if reasons are given, one of these. It also recognises errors of another
 * copy of this package.
 */
export function isGlimError<R extends Reason = Reason>(
  error: unknown,
  ...reasons: readonly R[]
): error is GlimError & Record<"reason", R> {
  if (!(error instanceof Error) || error.name !== "GlimError") return false;
  return reasons.length === 0 || (reasons as readonly unknown[]).includes((error as GlimError).reason);
}
