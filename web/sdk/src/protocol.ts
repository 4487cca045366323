/**
 * The messages between a page and the engine's worker. All of them can be cloned structurally. Parameters and results
 * are JSON text in which 64-bit numbers are decimal strings, as the engine writes them.
 */

/** How to start an engine. */
export interface Options {
  network: Network;
  /** The daemon: http(s)://host[:port], "embedded:" for the regtest daemon in its own worker, or empty for none. */
  daemon: DaemonAddress;
  /**
   * A second daemon, which confirms the end of the chain and the fees. Both daemons may be "nodes:first" and
   * "nodes:second", which the worker chooses among nodes.
   */
  witness?: DaemonAddress;
  /** The daemon that transactions are handed over to, in place of daemon. It is asked for nothing else. */
  sending?: DaemonAddress;
  nodes?: NodeList;
  /** Number of scanning workers besides the engine's own; with 0 the engine scans itself. */
  scanners: number;
  /** Name of the IndexedDB database of wallets; empty keeps them in memory. */
  database: string;
  /** Name of the IndexedDB database of the embedded daemon's chain. Without it the chain is in memory. */
  chain?: string;
  /** Rounds, and memory in KiB, of the derivation of a wallet file's key. Default: the engine's own choice. */
  kdf?: { time: number; memory: number };
  /** Lowest level of the log messages to report: 0 debug, 1 info, 2 warning, 3 error. */
  logLevel: number;
  /** Absolute URLs of the programs of the engine and the embedded daemon. */
  wasm: string;
  daemonWasm: string;
  /** Absolute URL of the engine's program for chains with the next hard fork. */
  nextWasm: string;
  /** Whether that program runs on any chain. Otherwise it runs if the daemon's chain has passed the fork. */
  next: boolean;
  /** Index of the first block of the next hard fork on the embedded daemon's chain. Without it the chain has none. */
  forkHeight?: number;
  /** Absolute URLs of the word lists by name, such as seeds/german. They are fetched when needed. */
  words: Record<string, string>;
  /** URL of the worker's own script, for the workers that it starts. */
  worker: string;
}

/** The networks; regtest is a private chain. */
export type Network = "mainnet" | "stagenet" | "testnet" | "regtest";

/** Public daemons among which the engine chooses. */
export interface NodeList {
  /** http(s)://host[:port] of each. */
  addresses: string[];
  /** The one that is used whenever it works, such as the gateway of the page's own server. */
  preferred?: string;
}

/** A daemon, and its login if it needs one. */
export interface DaemonAddress {
  /** http(s)://host[:port], or "embedded:". */
  address: string;
  /** User name of the login. */
  username?: string;
  /** Password of the login. */
  password?: string;
  /** Whether the daemon is your own. Operations that reveal much to the daemon are refused with any other. */
  trusted?: boolean;
}

/** A request of a page to the engine's worker. */
export type Request =
  | { type: "start"; options: Options }
  /**
   * Calls an operation of the wallet service. wallet is the name of a wallet; if it is empty, the call goes to the
   * service's open wallet. Passwords and seeds go to the worker that holds the spend keys, and the engine gets tickets
   * for them (see src/keeper.ts). With inFile, the engine gets the password itself, for wallets that were not made with
   * such a worker.
   */
  | { type: "call"; id: number; wallet: string; method: string; params: string; inFile?: boolean }
  /** Cancels a call: it ends with kind "aborted" as soon as nothing would be lost. */
  | { type: "cancel"; id: number }
  /**
   * Requests the events of a wallet after cursor, as "event" replies, until "unfollow" or until the wallet is closed.
   */
  | { type: "follow"; id: number; wallet: string; cursor: string }
  | { type: "unfollow"; id: number }
  /** Calls an operation of the embedded daemon: a JSON-RPC method, or a path starting with a slash. */
  | { type: "daemon"; id: number; method: string; params: string }
  /** Requests the names of the stored wallets. */
  | { type: "wallets"; id: number }
  /** Requests the memory use of the engine and the workers it started. */
  | { type: "memory"; id: number }
  /** Requests which of the nodes are in use; with again, after asking all of them. */
  | { type: "nodes"; id: number; again: boolean }
  /** Deletes a wallet that is not open anywhere. */
  | { type: "remove"; id: number; wallet: string }
  /** Requests a wallet's file, in base64. */
  | { type: "export"; id: number; wallet: string }
  /** Stores a wallet's file, in base64, under an unused name. */
  | { type: "import"; id: number; wallet: string; file: string }
  /** Stops refreshing until "resume", because the page is hidden or offline. */
  | { type: "pause" }
  | { type: "resume" }
  /** Closes all wallets; a "result" follows, and the worker ends. */
  | { type: "stop"; id: number };

/** A reply of the engine's worker to a page. */
export type Reply =
  | { type: "ready" }
  /** The engine could not start, or ended without being asked to. error is the failure if it has another name. */
  | { type: "failed"; message: string; error?: Failure }
  | { type: "result"; id: number; result: string }
  | { type: "error"; id: number; error: Failure }
  /** JSON of an Event of the operation get_events. The last event has the type "closed", "lost" or "shutdown". */
  | { type: "event"; id: number; event: string }
  | { type: "log"; level: number; message: string };

/** Further messages of src/keeper.ts to the engine's worker: the channel to the worker that holds the spend keys. */
export type ToEngine =
  | Exclude<Request, { type: "start" }>
  | { type: "start"; options: Options; keys: MessagePort }
  /** A new channel, after that worker ended and another one started. */
  | { type: "keys"; keys: MessagePort };

/** Further messages of the engine's worker to src/keeper.ts. */
export type FromEngine =
  | Reply
  /**
   * The compiled program, for the worker that holds the spend keys. It is sent before the engine reads anything from a
   * daemon.
   */
  | { type: "module"; module: WebAssembly.Module };

export interface Failure {
  /**
   * contract: the service refused the call, and code says why. aborted: the caller cancelled it. network: no daemon
   * could be reached. storage: the browser did not store data. internal: everything else.
   */
  kind: "contract" | "aborted" | "network" | "storage" | "internal";
  /** The service's error code; 0 for other kinds. */
  code: number;
  message: string;
  /** The name of the failure, see Reason in src/errors.ts; empty or missing if kind and code say everything. */
  reason?: string;
  /** The text of the failure below this one, if it differs from the message. */
  cause?: string;
}
