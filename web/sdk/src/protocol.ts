/**
 * What a page and the engine's worker say to each other. Everything is structured-clonable; parameters and results are JSON text
 * in which numbers of 64 bits are decimal strings, as the engine writes them.
 */

/** How an engine starts. */
export interface Options {
  network: Network;
  /** Where daemons are: http(s)://host[:port], or "embedded:" for the regtest daemon in a worker of its own. Empty for none. */
  daemon: DaemonAddress;
  /** Workers that scan, beside the engine's own; 0 lets the engine scan by itself. */
  scanners: number;
  /** Where wallets are kept: in IndexedDB under this name, or in memory alone when it is empty. */
  database: string;
  /** Rounds, memory in KiB of the derivation of a wallet file's key; the engine's own choice when absent. */
  kdf?: { time: number; memory: number };
  /** Log messages of this level and above are told: 0 debug, 1 info, 2 warning, 3 error. */
  logLevel: number;
  /** Where the engine's and the embedded daemon's code are, absolute. */
  wasm: string;
  daemonWasm: string;
  /** Where the lists of words are, absolute, by name, such as seeds/german: they are fetched when needed. */
  words: Record<string, string>;
  /** Where the worker's own script is, for those it starts. */
  worker: string;
}

/** The networks there are; regtest is a private chain. */
export type Network = "mainnet" | "stagenet" | "testnet" | "regtest";

/** A daemon, and its login where it has one. */
export interface DaemonAddress {
  /** http(s)://host[:port], or "embedded:". */
  address: string;
  /** Of its login. */
  username?: string;
  /** Of its login. */
  password?: string;
  /** Whether it is one's own: operations that tell a daemon much are refused with others. */
  trusted?: boolean;
}

/** What a page tells the engine's worker. */
export type Request =
  | { type: "start"; options: Options }
  /**
   * Carries out an operation of the wallet service. wallet is the name of a wallet, or empty for the one of the plain path. Passwords and
   * seeds in it go to the worker that has the spend keys, and the engine gets tickets for them, see src/keeper.ts; inFile has the
   * engine get the password itself, for a wallet that was made where there is no such worker.
   */
  | { type: "call"; id: number; wallet: string; method: string; params: string; inFile?: boolean }
  /** Gives up a call: it ends with kind "aborted" as soon as nothing would be lost. */
  | { type: "cancel"; id: number }
  /** Sends what happens to a wallet after cursor, as "event", until "unfollow" or the wallet closes. */
  | { type: "follow"; id: number; wallet: string; cursor: string }
  | { type: "unfollow"; id: number }
  /** Calls an operation of the embedded daemon: a JSON-RPC method, or a path with its slash. */
  | { type: "daemon"; id: number; method: string; params: string }
  /** The names of the wallets kept here. */
  | { type: "wallets"; id: number }
  /** How much memory the engine and the workers it started have taken. */
  | { type: "memory"; id: number }
  /** Removes a wallet that is not open anywhere. */
  | { type: "remove"; id: number; wallet: string }
  /** No refreshing of its own until "resume": the page is hidden, or there is no network. */
  | { type: "pause" }
  | { type: "resume" }
  /** Closes every wallet; "result" follows, and the worker ends. */
  | { type: "stop"; id: number };

/** What the engine's worker tells a page. */
export type Reply =
  | { type: "ready" }
  /** The engine cannot start, or has ended without being asked to. */
  | { type: "failed"; message: string }
  | { type: "result"; id: number; result: string }
  | { type: "error"; id: number; error: Failure }
  /** JSON of an Event of the operation get_events. The last one of a following is of type "closed", "lost" or "shutdown". */
  | { type: "event"; id: number; event: string }
  | { type: "log"; level: number; message: string };

/** What src/keeper.ts, which stands between, tells the engine's worker besides: its way to the worker that has the spend keys. */
export type ToEngine =
  | Exclude<Request, { type: "start" }>
  | { type: "start"; options: Options; keys: MessagePort }
  /** Another way, because that worker ended and another one has begun. */
  | { type: "keys"; keys: MessagePort };

/** What the engine's worker tells it besides. */
export type FromEngine =
  | Reply
  /** The program, compiled, for the worker that has the spend keys; before anything was heard of a daemon. */
  | { type: "module"; module: WebAssembly.Module };

export interface Failure {
  /** contract: the service refused, code says why. aborted: given up by the caller. network: a daemon was not reached. storage: the
   * browser did not keep what it was given. internal: everything else. */
  kind: "contract" | "aborted" | "network" | "storage" | "internal";
  /** The contract's error code; 0 for other kinds. */
  code: number;
  message: string;
}
