import type {
  AccountInfo,
  AddressBookEntry,
  AddressInfo,
  Create,
  DaemonAddress,
  Glim,
  HistoryOptions,
  Network,
  NodeList,
  NodesInUse,
  Preview,
  Restore,
  Send,
  SendOptions,
  Transfer,
  TxDescription,
  WalletEvents,
  WalletOperations,
} from "glim";

// The app uses the interface of the package glim, not its classes: the extension provides the same members, implemented
// in another process.

export type {
  AccountInfo,
  AddressBookEntry,
  AddressInfo,
  DaemonAddress,
  Network,
  NodeList,
  Restore,
  Transfer,
  TxDescription,
};

/** Every operation of the wallet service. */
export type WalletCalls = Pick<WalletOperations, keyof WalletOperations>;

/** Every operation of the embedded daemon. */
export type DaemonCalls = Pick<Glim["daemon"], keyof Glim["daemon"]>;

/** Transactions that are made but not sent. */
export type Draft = Pick<Preview, keyof Preview>;

/** The options with which the app starts an engine. */
export interface EngineOptions {
  network: Network;
  daemon?: string | DaemonAddress;
  /** The node that transactions are handed over to, in place of the one that is read. */
  sending?: string;
  /** Public nodes in place of daemon. */
  nodes?: NodeList;
  database: string;
  /** Where the embedded daemon's chain is stored; without it, in memory. */
  chain?: string;
  workers?: number;
  kdf?: { time: number; memory: number };
}

/** An open wallet. */
export interface EngineWallet {
  readonly name: string;
  readonly rpc: WalletCalls;
  on<K extends keyof WalletEvents>(name: K, listener: (value: WalletEvents[K]) => void): () => void;
  send(what: Send, options?: SendOptions): Promise<Draft>;
  history(options?: HistoryOptions): Promise<Transfer[]>;
  close(): Promise<void>;
}

/** A running engine. */
export interface Engine {
  readonly rpc: WalletCalls;
  readonly daemon: DaemonCalls;
  wallets(): Promise<string[]>;
  create(options: Create): Promise<EngineWallet>;
  restore(options: Restore): Promise<EngineWallet>;
  open(name: string, password: string): Promise<EngineWallet>;
  /** Returns a wallet that the engine already has open, because it may outlive this page. */
  attach(name: string): Promise<EngineWallet | undefined>;
  remove(name: string): Promise<void>;
  /** Returns the file of a wallet, encrypted with its password. */
  exportFile(name: string): Promise<Uint8Array>;
  /** Stores such a file under an unused name. */
  importFile(name: string, file: Uint8Array): Promise<void>;
  /** Returns the public nodes; with again, after asking all of them. */
  nodes(again?: boolean): Promise<NodesInUse>;
  stop(): Promise<void>;
}

/** Starts an engine. onEnd is called when it ends without being asked to. */
export type StartEngine = (options: EngineOptions, onEnd: (error: unknown) => void) => Promise<Engine>;

/** The daemon that runs in the page itself. */
export const embedded = "embedded:";
