import type {
  AccountInfo,
  AddressBookEntry,
  AddressInfo,
  Create,
  DaemonAddress,
  Glim,
  HistoryOptions,
  Network,
  Preview,
  Restore,
  Send,
  SendOptions,
  Transfer,
  TxDescription,
  WalletEvents,
  WalletOperations,
} from "glim";

// The app is written against what the package glim offers, not against its classes: an extension hands in the same members, carried out
// in another process.

export type { AccountInfo, AddressBookEntry, AddressInfo, DaemonAddress, Network, Restore, Transfer, TxDescription };

/** Every operation of the wallet service, typed. */
export type WalletCalls = Pick<WalletOperations, keyof WalletOperations>;

/** Every operation of the embedded daemon, typed. */
export type DaemonCalls = Pick<Glim["daemon"], keyof Glim["daemon"]>;

/** Transactions that are made and not sent. */
export type Draft = Pick<Preview, keyof Preview>;

/** What the app tells an engine that starts. */
export interface EngineOptions {
  network: Network;
  daemon: string | DaemonAddress;
  database: string;
  workers?: number;
  kdf?: { time: number; memory: number };
}

/** A wallet that is open. */
export interface EngineWallet {
  readonly name: string;
  readonly rpc: WalletCalls;
  on<K extends keyof WalletEvents>(name: K, listener: (value: WalletEvents[K]) => void): () => void;
  send(what: Send, options?: SendOptions): Promise<Draft>;
  history(options?: HistoryOptions): Promise<Transfer[]>;
  close(): Promise<void>;
}

/** An engine that runs. */
export interface Engine {
  readonly rpc: WalletCalls;
  readonly daemon: DaemonCalls;
  wallets(): Promise<string[]>;
  create(options: Create): Promise<EngineWallet>;
  restore(options: Restore): Promise<EngineWallet>;
  open(name: string, password: string): Promise<EngineWallet>;
  /** A wallet that the engine has open already, for it may outlive this page. */
  attach(name: string): Promise<EngineWallet | undefined>;
  remove(name: string): Promise<void>;
  stop(): Promise<void>;
}

/** Starts an engine. onEnd hears when it ends without being asked to. */
export type StartEngine = (options: EngineOptions, onEnd: (error: unknown) => void) => Promise<Engine>;

/** The daemon that runs in the page itself. */
export const embedded = "embedded:";
