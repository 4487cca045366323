/**
 * A Monero light wallet engine for web pages: keys never leave the page, and scanning uses all cores.
 *
 * @module glim
 */

export {
  browserThread,
  Glim,
  type Create,
  type Memory,
  type Restore,
  type RestoreKeys,
  type RestorePolyseed,
  type RestoreWords,
  type StartOptions,
} from "./glim.js";
export {
  Wallet,
  type Account,
  type Address,
  type Balance,
  type SyncOptions,
  type SyncProgress,
  type Watch,
} from "./wallet.js";
export { Preview, type PreparedTransaction, type Send, type SendOptions } from "./send.js";
export { GlimError, isGlimError, type Reason } from "./errors.js";
export { ATOMIC_UNITS, formatXMR, parseXMR } from "./money.js";
export { EventStream, type EventsOptions } from "./event-stream.js";
export type { Progress, TransferEvent, WalletEvents } from "./events.js";
export type { HistoryOptions, Transfer } from "./history.js";
export type { AddressBook, Contact } from "./address-book.js";
export type { Cold, KeyImages } from "./cold.js";
export { crc32 } from "./bytewords.js";
export { UR_TYPES, URDecoder, UREncoder, type URTaken } from "./ur.js";
export type { Multisig, Round } from "./multisig.js";
export type { Proofs } from "./proofs.js";
export type { CallOptions } from "./operation.js";
export type { JSONValue } from "./json.js";
export type { ConnectOptions, Login } from "./remote.js";
export type { Begin, Thread } from "./connection.js";
export { checkNode, judgeInfo, type NodeCheck, type NodesInUse, type NodeState } from "./nodes.js";
export type { DaemonAddress, Network, NodeList, Reply, Request } from "./protocol.js";
export type * from "./operations.js";
export { Code, WalletOperations } from "./operations.js";
/** The types of the embedded daemon's operations. */
export type * as daemon from "./daemon-operations.js";
