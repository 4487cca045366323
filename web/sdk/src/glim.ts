/// <reference lib="esnext.disposable" preserve="true" />
import { Connection, type Begin } from "./connection.js";
import { DaemonOperations } from "./daemon-operations.js";
import { GlimError, isGlimError } from "./errors.js";
import { kept } from "./keeper.js";
import type { CallOptions } from "./operation.js";
import { Code, WalletOperations } from "./operations.js";
import { defaultDatabase, files, processors, watchRest } from "./platform.js";
import { base64, fromBase64 } from "./portable.js";
import type { NodesInUse } from "./nodes.js";
import type { DaemonAddress, Network, NodeList, Options } from "./protocol.js";
import type { ConnectOptions } from "./remote.js";
import { Wallet } from "./wallet.js";
import { words } from "./words.js";

/** Options of Glim.start. An aborted signal ends the engine while it starts. */
export interface StartOptions extends CallOptions {
  /** The network of the wallets and of the daemon. */
  network: Network;
  /**
   * The daemon: http(s)://host:port, with a login if it needs one, or "embedded:" for a private chain in its own
   * worker, with the network regtest. Without a daemon, nothing is scanned and nothing can be sent.
   */
  daemon?: string | DaemonAddress;
  /**
   * A second daemon: its chain and its fees are compared with the daemon's, and nothing is spent if they disagree.
   * Default: none.
   */
  witness?: string | DaemonAddress;
  /**
   * The daemon that transactions are handed over to, so that whoever sees what is read does not see what is sent. It is
   * asked for nothing else, and nothing is sent to the other daemons if it fails. Default: the one that is read.
   */
  sending?: string | DaemonAddress;
  /**
   * Public daemons, in place of daemon and witness. The engine uses the fastest one that has the network and the height
   * of most of them, a second one as witness, and another one when one fails.
   */
  nodes?: NodeList;
  /** Number of scanning workers, 0 to 8. Default: one less than there are processors, at least 1 and at most 4. */
  workers?: number;
  /**
   * Where wallets are stored: the name of an IndexedDB database, or of a folder in Node; "" keeps them in memory.
   * Default: "glim". The browser's name of the database is "glim:" and this name.
   */
  database?: string;
  /**
   * Where the private chain of "embedded:" is stored: the name of an IndexedDB database. One page at a time can have it
   * open. The browser's name of the database is "glim-chain:" and this name. Default: "", which keeps the chain in
   * memory; in Node nothing else is possible.
   */
  chain?: string;
  /**
   * Index of the block from which the private chain of "embedded:" follows Monero's next hard fork. Give a stored chain
   * the same one each time. Default: the chain does not fork.
   */
  forkHeight?: number;
  /**
   * "next" starts the program that knows Monero's next hard fork; it is a larger download, and unaudited. "auto" starts
   * it on a private chain if the daemon's last block is of the fork, and otherwise the usual one, which fails to
   * refresh from the fork on and says so: then start the engine again. On public networks, whose fork is not final,
   * "auto" does not look. Default: "auto".
   */
  protocol?: "auto" | "next";
  /**
   * Cost of deriving a wallet file's key from the password, in rounds and KiB of memory. A higher cost slows down
   * password guessing. Default: the engine's own choice. Files made with a lower cost cannot be opened.
   */
  kdf?: { time: number; memory: number };
  /** Whether to stop refreshing while the page is hidden or offline. Calls are still answered. Default: true. */
  rest?: boolean;
  /**
   * Lowest level of the log messages to report: 0 debug, 1 info, 2 warning (default), 3 error. They contain no secrets.
   */
  logLevel?: number;
  /** Receives log messages. */
  onLog?: (level: number, message: string) => void;
  /**
   * Called when the engine ends without being asked to. All later calls fail; everything that was answered is stored.
   */
  onFailed?: (error: GlimError) => void;
  /** URL of the worker script, if it is not next to this script. */
  workerURL?: string | URL;
  /** URL of the engine's program. */
  wasm?: string | URL;
  /** URL of the embedded daemon's program. */
  daemonWasm?: string | URL;
  /** URL of the engine's program for Monero's next hard fork. */
  nextWasm?: string | URL;
  /**
   * Connects to an engine in another way, for example to one that is already running and outlives this page, as in the
   * extension. That engine has its own options, and decides what stop() does.
   */
  thread?: Begin;
}

/**
 * A seed of 25 words (24 and a checksum word) or a Polyseed of 16 words, told apart by their number; with a type the
 * seed of another wallet.
 */
export interface RestoreWords {
  /** The words in their order, separated by white space. */
  words: string;
  /** The passphrase of the seed (its seed offset). */
  seedOffset?: string;
  /** Needed only for the oldest kinds of seeds. */
  language?: string;
  /**
   * What made the words: MyMonero (13 words), or a Trezor or Ledger (12, 15, 18, 21 or 24 English words of BIP 39; a
   * Keystone is like a Ledger). Words are another wallet for each, so those that need a type are refused without it.
   */
  type?: "monero" | "polyseed" | "mymonero" | "trezor" | "ledger";
  /** Number of the account of a Trezor or Ledger. Default: 0. */
  account?: number;
}

/** A Polyseed: 16 words, which include the wallet's birthday. */
export interface RestorePolyseed {
  /** The words in their order, separated by white space. */
  polyseed: string;
  /** Needed if the Polyseed is encrypted. */
  passphrase?: string;
}

/** Keys, 64 hexadecimal digits each. Without a spend key the wallet is view-only. */
export interface RestoreKeys {
  /** The wallet's primary address. */
  address: string;
  /** The secret view key. */
  viewKey: string;
  /** The secret spend key. */
  spendKey?: string;
}

/**
 * What a wallet is restored from, and where scanning begins: at the earlier of height and date, or at the first block
 * without either.
 */
export type Restore = (RestoreWords | RestorePolyseed | RestoreKeys) &
  CallOptions & {
    /** Name of the wallet, which must be unused. */
    name: string;
    /** Password that encrypts the wallet; may be empty. */
    password: string;
    /** Index of the first block to scan. */
    height?: number;
    /** A day on which the wallet did not exist yet; as text, YYYY-MM-DD. */
    date?: Date | string;
  };

/** Options of glim.create. */
export interface Create extends CallOptions {
  /** Name of the wallet, which must be unused. */
  name: string;
  /** Password that encrypts the wallet; may be empty. */
  password: string;
  /** Language of the seed, by its English or its own name. Default: "English". */
  language?: string;
  /** "words" (default) for a seed of 25 words, "polyseed" for 16 words that include the wallet's birthday. */
  kind?: "words" | "polyseed";
}

/** Memory in use, in bytes. */
export interface Memory {
  /** Of the worker that runs the engine. */
  engine: number;
  /** Of each scanning worker. */
  scanners: number[];
  /** Of the worker that holds the spend keys; 0 before it is first needed. */
  signer: number;
}

/** Starts workers of the package, as start() does. For programs that connect pages to an engine. */
export const browserThread: Begin = /* @__PURE__ */ kept(() => files.worker());

/** An engine in its own worker, with its wallets. */
export class Glim {
  /** Every operation of the wallet service that does not need an open wallet, or that opens one in the service. */
  readonly rpc: WalletOperations;
  /** The operations of the embedded daemon. */
  readonly daemon: DaemonOperations;
  /** The network that the engine was started with. */
  readonly network: Network;
  readonly #connection: Connection;
  readonly #open = new Map<string, Wallet>();
  readonly #stopWatching: () => void;

  private constructor(connection: Connection, options: StartOptions, stopWatching: () => void) {
    this.#connection = connection;
    this.#stopWatching = stopWatching;
    this.network = options.network;
    this.rpc = new WalletOperations((method, params, o) =>
      connection.ask({ type: "call", wallet: "", method, params }, o),
    );
    this.daemon = new DaemonOperations((method, params, o) => connection.ask({ type: "daemon", method, params }, o));
  }

  /** Starts an engine. Several may run at the same time if each has its own database. */
  static async start(options: StartOptions): Promise<Glim> {
    const { nodes, sending } = options;
    const daemon = nodes ? "nodes:first" : (options.daemon ?? "");
    const witness = nodes ? "nodes:second" : options.witness;
    const address = (d: string | DaemonAddress): DaemonAddress => (typeof d === "string" ? { address: d } : { ...d });
    const text = (url: string | URL | undefined, ours: () => string): string =>
      url === undefined ? ours() : new URL(url, ours()).href;
    const all: Options = {
      network: options.network,
      daemon: address(daemon),
      ...(witness !== undefined && { witness: address(witness) }),
      ...(sending && { sending: address(sending) }),
      ...(nodes && { nodes: { ...nodes } }),
      scanners: options.workers ?? Math.min(4, Math.max(1, processors() - 1)),
      database: options.database ?? defaultDatabase,
      ...(options.chain && { chain: options.chain }),
      ...(options.kdf && { kdf: { ...options.kdf } }),
      logLevel: options.logLevel ?? 2,
      wasm: text(options.wasm, files.wasm),
      daemonWasm: text(options.daemonWasm, options.forkHeight ? files.nextDaemonWasm : files.daemonWasm),
      nextWasm: text(options.nextWasm, files.nextWasm),
      next: options.protocol === "next" || Boolean(options.forkHeight),
      ...(options.forkHeight && { forkHeight: options.forkHeight }),
      words: words(),
      worker: text(options.workerURL, files.worker),
    };
    let running = false;
    const connection = await Connection.start(
      all,
      (level, message) => options.onLog?.(level, message),
      (error) => running && isGlimError(error) && error.kind !== "aborted" && options.onFailed?.(error),
      options.thread ?? kept(() => all.worker),
      options,
    );
    running = true;
    const rest = (on: boolean): void => connection.tell({ type: on ? "pause" : "resume" });
    return new Glim(connection, options, options.rest === false ? () => undefined : watchRest(rest));
  }

  /**
   * Connects to a wallet service, glim wallet-rpc or monero-wallet-rpc, in place of starting an engine: the keys are
   * there, and what needs an engine's worker fails with the reason NotSupported. It fails with ServiceUnreachable,
   * ServiceLogin or ServiceInvalid. stop() ends the connection; the service's wallets stay open.
   */
  static async connect(options: ConnectOptions): Promise<Glim> {
    const { remote } = await import("./remote.js");
    const { network, signal } = options;
    return Glim.start({ network, rest: false, thread: remote(options), ...(signal && { signal }) });
  }

  /** Returns the names of the stored wallets, sorted. */
  async wallets(options: CallOptions = {}): Promise<string[]> {
    const names: unknown = JSON.parse(await this.#connection.ask({ type: "wallets" }, options));
    if (!Array.isArray(names)) throw new GlimError("internal", "the engine returned no names");
    return names.map(String).sort();
  }

  /**
   * Creates a wallet with random keys, and opens it. Show the user wallet.seed(): it must be written down. If it is
   * cancelled, the wallet exists as a whole or not at all.
   */
  async create({ name, password, language = "English", kind = "words", ...options }: Create): Promise<Wallet> {
    const params = { password, language, ...(kind === "polyseed" && { seed_type: "polyseed" }) };
    await this.#on(name).createWallet(params, options);
    return this.#opened(name, false);
  }

  /**
   * Restores a wallet, and opens it. Its history comes from the chain: wallet.sync() waits until it is scanned. If it
   * is cancelled, the wallet exists as a whole or not at all.
   */
  async restore(from: Restore): Promise<Wallet> {
    const { name, password, height, date, signal } = from;
    const options = signal ? { signal } : {};
    const common = {
      password,
      ...(height !== undefined && { restore_height: BigInt(height) }),
      ...(date !== undefined && { restore_date: date instanceof Date ? Math.floor(date.getTime() / 1000) : date }),
    };
    const rpc = this.#on(name);
    if ("viewKey" in from) {
      const keys = { address: from.address, viewkey: from.viewKey, spendkey: from.spendKey ?? "" };
      await rpc.generateFromKeys({ ...common, ...keys }, options);
    } else if ("polyseed" in from) {
      const words = { seed: from.polyseed, seed_offset: from.passphrase ?? "" };
      await rpc.restoreDeterministicWallet({ ...common, ...words }, options);
    } else {
      const { words: seed, seedOffset = "", language = "", type = "", account = 0 } = from;
      const words = { seed, seed_offset: seedOffset, language, seed_type: type, account };
      await rpc.restoreDeterministicWallet({ ...common, ...words }, options);
    }
    return this.#opened(name, "viewKey" in from && !from.spendKey);
  }

  /**
   * Opens a wallet. If it is already open, and the password is right, it returns the same Wallet. A wrong password
   * fails with the reason WrongPassword. With inFile, the engine itself gets the password. That is needed for wallets
   * made by glim's command or monero-wallet-rpc, whose file contains the keys, until wallet.changePassword() moves the
   * keys to the worker that keeps secrets.
   */
  async open(
    name: string,
    password: string,
    { inFile = false, ...options }: { inFile?: boolean } & CallOptions = {},
  ): Promise<Wallet> {
    try {
      await this.#on(name, inFile).openWallet({ password }, options);
    } catch (error) {
      // As in monero-wallet-rpc, the operation has one code for every failure to open a wallet.
      throw isGlimError(error, "WrongPassword")
        ? new GlimError("contract", "the password is wrong", Code.InvalidPassword, { cause: error })
        : error;
    }
    return this.#opened(name);
  }

  /**
   * Returns a wallet that this engine has open, for example one shared with other pages, or undefined if it is not
   * open.
   */
  async attach(name: string, options: CallOptions = {}): Promise<Wallet | undefined> {
    try {
      await this.#on(name).getHeight({}, options);
    } catch (error) {
      if (isGlimError(error, "NotOpen")) return undefined;
      throw error;
    }
    return this.#opened(name);
  }

  /** Deletes a wallet that is not open. This cannot be undone: without its seed the money is lost. */
  async remove(name: string, options: CallOptions = {}): Promise<void> {
    await this.#connection.ask({ type: "remove", wallet: name }, options);
  }

  /**
   * Returns the file of a wallet, open or not: everything that is stored of it, encrypted with its password as of now.
   * importFile reads it, here or elsewhere.
   */
  async exportFile(name: string, options: CallOptions = {}): Promise<Uint8Array> {
    return fromBase64(await this.#connection.ask({ type: "export", wallet: name }, options));
  }

  /**
   * Stores a file that exportFile returned, under an unused name. It can then be opened with its own password. A file
   * that is not a wallet's fails with kind "contract"; whether it is complete shows when it is opened.
   */
  async importFile(name: string, file: Uint8Array, options: CallOptions = {}): Promise<void> {
    await this.#connection.ask({ type: "import", wallet: name, file: base64(file) }, options);
  }

  /**
   * Returns which of the public nodes are in use and what is known of the others. With again, it asks all of them
   * first; otherwise only those in use are asked, if they have not been for a while.
   */
  async nodes(again = false, options: CallOptions = {}): Promise<NodesInUse> {
    return JSON.parse(await this.#connection.ask({ type: "nodes", again }, options)) as NodesInUse;
  }

  /** Returns the memory that the engine and its workers use. WebAssembly memory is freed only when a worker ends. */
  async memory(options: CallOptions = {}): Promise<Memory> {
    return JSON.parse(await this.#connection.ask({ type: "memory" }, options)) as Memory;
  }

  /** Stops refreshing until resume(). */
  pause(): void {
    this.#connection.tell({ type: "pause" });
  }

  /** Resumes refreshing. */
  resume(): void {
    this.#connection.tell({ type: "resume" });
  }

  /** Closes all wallets and ends the engine. Nothing is lost if a page closes without calling it. */
  async stop(): Promise<void> {
    this.#stopWatching();
    await this.#connection.ask({ type: "stop" });
    this.#connection.end(new GlimError("aborted", "the engine was stopped", 0, { reason: "EngineEnded" }));
    this.#open.clear();
  }

  /** Stops the engine unless it has ended, for "await using". */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop().catch((error: unknown) => {
      if (!isGlimError(error, "EngineEnded")) throw error;
    });
  }

  #on(name: string, inFile = false): WalletOperations {
    if (name === "" || name.includes("/")) {
      const problem = name === "" ? "a wallet needs a name" : "the name of a wallet contains no slash";
      throw new GlimError("contract", problem, Code.Unknown, { reason: "InvalidName" });
    }
    const call = { type: "call", wallet: name, ...(inFile && { inFile }) } as const;
    return new WalletOperations((method, params, o) => this.#connection.ask({ ...call, method, params }, o));
  }

  /** Returns the object of an open wallet. Without viewOnly, it asks the engine. */
  async #opened(name: string, viewOnly?: boolean): Promise<Wallet> {
    const open = this.#open.get(name);
    if (open) return open;
    const rpc = this.#on(name);
    // No operation says whether there is a spend key. Without one, this refuses even an empty set.
    viewOnly ??= await rpc.signTransfer({ unsigned_txset: "" }).then(
      () => false,
      (error: unknown) => isGlimError(error, "WatchOnly"),
    );
    const meanwhile = this.#open.get(name);
    if (meanwhile) return meanwhile;
    const wallet = new Wallet(
      name,
      rpc,
      (cursor, hear, ended) => this.#connection.follow(name, cursor, hear, ended),
      () => this.#open.get(name) === wallet && this.#open.delete(name),
      viewOnly,
    );
    this.#open.set(name, wallet);
    return wallet;
  }
}
