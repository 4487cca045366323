import { Connection, type Begin } from "./connection.js";
import { DaemonOperations } from "./daemon-operations.js";
import { GlimError } from "./errors.js";
import { kept } from "./keeper.js";
import { Code, WalletOperations } from "./operations.js";
import { defaultDatabase, files, processors, watchRest } from "./platform.js";
import type { DaemonAddress, Network, Options } from "./protocol.js";
import { Wallet } from "./wallet.js";
import { words } from "./words.js";

/** How to start. */
export interface StartOptions {
  /** The network of the wallets and of the daemon. */
  network: Network;
  /**
   * The daemon to ask: http(s)://host:port, with its login when it has one, or "embedded:" for a private chain in a worker of its
   * own, with the network regtest. None when absent: then nothing is read from a chain, and nothing sent.
   */
  daemon?: string | DaemonAddress;
  /** Workers that scan, 0 to 8: as many as there are processors beside the page's, at most 4, when absent. */
  workers?: number;
  /** Where wallets are kept: the name of a database of the browser, of a folder in Node; "" keeps them in memory. "glim" when absent. */
  database?: string;
  /**
   * Rounds, and memory in KiB, that opening a wallet file takes of who guesses passwords; the engine's own choice when absent. Wallets that
   * were made with less are not opened.
   */
  kdf?: { time: number; memory: number };
  /** Whether to stop refreshing while the page is hidden or the network is gone; true when absent. Calls are answered all the same. */
  rest?: boolean;
  /** Log messages of this level and above are told: 0 debug, 1 info, 2 warning (when absent), 3 error. They hold no secrets. */
  logLevel?: number;
  /** Hears the log. */
  onLog?: (level: number, message: string) => void;
  /** Hears that the engine has ended without being asked to; every call fails from then on, and nothing that was answered is lost. */
  onFailed?: (error: GlimError) => void;
  /** Where the files of the package are, when they are not beside the script. */
  workerURL?: string | URL;
  /** The engine's program. */
  wasm?: string | URL;
  /** The embedded daemon's program. */
  daemonWasm?: string | URL;
  /**
   * Another way to a worker, or to an engine that runs already and outlives this page, such as that of an extension: then it has
   * options of its own, and stop() is what it makes of it.
   */
  thread?: Begin;
}

/** Words of the older kind: 24 and a checksum word, or a sixteen-word Polyseed, told apart by their number. */
export interface RestoreWords {
  /** The words, in their order, with white space between. */
  words: string;
  /** Passphrase over the words. */
  seedOffset?: string;
  /** Needed for the oldest kinds of words alone. */
  language?: string;
}

/** Sixteen words, which know their date. */
export interface RestorePolyseed {
  /** The words, in their order, with white space between. */
  polyseed: string;
  /** Of words that are encrypted. */
  passphrase?: string;
}

/** Keys, 64 hexadecimal digits each; without a spend key the wallet only watches. */
export interface RestoreKeys {
  /** The wallet's primary address. */
  address: string;
  /** The secret view key. */
  viewKey: string;
  /** The secret spend key. */
  spendKey?: string;
}

/** What a wallet is restored from, and where reading the chain begins: at the earlier of the two, or at its beginning without either. */
export type Restore = (RestoreWords | RestorePolyseed | RestoreKeys) & {
  /** What the wallet is to be called here; no wallet has that name yet. */
  name: string;
  /** What encrypts it here; it may be empty. */
  password: string;
  /** Index of the first block to read. */
  height?: number;
  /** A day on which the wallet did not exist yet; as text YYYY-MM-DD. */
  date?: Date | string;
};

/** A new wallet. */
export interface Create {
  /** What the wallet is to be called here; no wallet has that name yet. */
  name: string;
  /** What encrypts it here; it may be empty. */
  password: string;
  /** Of the words, by its English or its own name; "English" when absent. */
  language?: string;
  /** "words": twenty-five of them, when absent; "polyseed": sixteen, which know their date. */
  kind?: "words" | "polyseed";
}

/** Bytes of memory by who has taken them. */
export interface Memory {
  /** Of the worker that has the wallets. */
  engine: number;
  /** Of each worker that scans. */
  scanners: number[];
  /** Of the worker that has spend keys; 0 before one is needed. */
  signer: number;
}

/** Starts workers of the package, as start() does: for those who stand between an engine and its pages. */
export const browserThread: Begin = /* @__PURE__ */ kept(() => files.worker());

/** An engine in a worker of its own, with its wallets. */
export class Glim {
  /** Every operation of the wallet service on the plain path: those that need no wallet, and those that open one there. */
  readonly rpc: WalletOperations;
  /** The operations of the embedded daemon. */
  readonly daemon: DaemonOperations;
  /** As it was started. */
  readonly network: Network;
  readonly #connection: Connection;
  readonly #open = new Map<string, Wallet>();
  readonly #stopWatching: () => void;

  private constructor(connection: Connection, options: StartOptions, stopWatching: () => void) {
    this.#connection = connection;
    this.#stopWatching = stopWatching;
    this.network = options.network;
    this.rpc = new WalletOperations((method, params, o) => connection.ask({ type: "call", wallet: "", method, params }, o));
    this.daemon = new DaemonOperations((method, params, o) => connection.ask({ type: "daemon", method, params }, o));
  }

  /** Starts an engine. Several may run side by side, with databases of their own. */
  static async start(options: StartOptions): Promise<Glim> {
    const daemon = options.daemon ?? "";
    const text = (url: string | URL | undefined, ours: () => string): string => (url === undefined ? ours() : new URL(url, ours()).href);
    const all: Options = {
      network: options.network,
      daemon: typeof daemon === "string" ? { address: daemon } : { ...daemon },
      scanners: options.workers ?? Math.min(4, Math.max(1, processors() - 1)),
      database: options.database ?? defaultDatabase,
      ...(options.kdf && { kdf: { ...options.kdf } }),
      logLevel: options.logLevel ?? 2,
      wasm: text(options.wasm, files.wasm),
      daemonWasm: text(options.daemonWasm, files.daemonWasm),
      words: words(),
      worker: text(options.workerURL, files.worker),
    };
    let running = false;
    const connection = await Connection.start(
      all,
      (level, message) => options.onLog?.(level, message),
      (error) => running && error.kind !== "aborted" && options.onFailed?.(error),
      options.thread ?? kept(() => all.worker),
    );
    running = true;
    const rest = (on: boolean): void => connection.tell({ type: on ? "pause" : "resume" });
    return new Glim(connection, options, options.rest === false ? () => undefined : watchRest(rest));
  }

  /** Names of the wallets kept here, sorted. */
  async wallets(): Promise<string[]> {
    const names: unknown = JSON.parse(await this.#connection.ask({ type: "wallets" }));
    if (!Array.isArray(names)) throw new GlimError("internal", "the engine answered no list of names");
    return names.map(String).sort();
  }

  /** Makes a wallet of random keys, and opens it. Its words are what wallet.seed() returns: they are to be written down. */
  async create({ name, password, language = "English", kind = "words" }: Create): Promise<Wallet> {
    const params = { password, language, ...(kind === "polyseed" && { seed_type: "polyseed" }) };
    await this.#on(name).createWallet(params);
    return this.#opened(name);
  }

  /** Makes a wallet of what there is of it, and opens it. Its history comes from the chain: wallet.sync() waits for that. */
  async restore(from: Restore): Promise<Wallet> {
    const { name, password, height, date } = from;
    const common = {
      password,
      ...(height !== undefined && { restore_height: BigInt(height) }),
      ...(date !== undefined && { restore_date: date instanceof Date ? Math.floor(date.getTime() / 1000) : date }),
    };
    const rpc = this.#on(name);
    if ("viewKey" in from) {
      await rpc.generateFromKeys({ ...common, address: from.address, viewkey: from.viewKey, spendkey: from.spendKey ?? "" });
    } else if ("polyseed" in from) {
      await rpc.restoreDeterministicWallet({ ...common, seed: from.polyseed, seed_offset: from.passphrase ?? "" });
    } else {
      const words = { seed: from.words, seed_offset: from.seedOffset ?? "", language: from.language ?? "" };
      await rpc.restoreDeterministicWallet({ ...common, ...words });
    }
    return this.#opened(name);
  }

  /**
   * Opens a wallet. One that is open already is the same Wallet, for who knows its password. A wrong password is the contract's
   * Code.InvalidPassword. With inFile the engine itself gets the password: for a wallet that was made elsewhere, by glim's command or by
   * the reference, whose keys are in its file and so with the engine, until wallet.changePassword() takes them to where passwords stay.
   */
  async open(name: string, password: string, { inFile = false } = {}): Promise<Wallet> {
    try {
      await this.#on(name, inFile).openWallet({ password });
    } catch (error) {
      // The operation has one number for whatever keeps a wallet from being opened, as the reference has.
      const wrong = error instanceof GlimError && error.kind === "contract" && /invalid password/i.test(error.message);
      throw wrong ? new GlimError("contract", "the password is wrong", Code.InvalidPassword) : error;
    }
    return this.#opened(name);
  }

  /** The wallet of a name that this engine has open, such as one shared with other pages; undefined when it is not. */
  async attach(name: string): Promise<Wallet | undefined> {
    try {
      await this.#on(name).getHeight();
    } catch (error) {
      if (error instanceof GlimError && error.code === Code.NotOpen) return undefined;
      throw error;
    }
    return this.#opened(name);
  }

  /** Removes a wallet that is not open, for ever: without its words its money is lost. */
  async remove(name: string): Promise<void> {
    await this.#connection.ask({ type: "remove", wallet: name });
  }

  /** Bytes of WebAssembly's memory that the engine and its workers have taken. It is never given back but by workers that end. */
  async memory(): Promise<Memory> {
    return JSON.parse(await this.#connection.ask({ type: "memory" })) as Memory;
  }

  /** Ends refreshing until resume(). */
  pause(): void {
    this.#connection.tell({ type: "pause" });
  }

  /** Lets wallets refresh themselves again. */
  resume(): void {
    this.#connection.tell({ type: "resume" });
  }

  /** Closes every wallet and ends the engine. A page that just goes away loses nothing either. */
  async stop(): Promise<void> {
    this.#stopWatching();
    await this.#connection.ask({ type: "stop" });
    this.#connection.end(new GlimError("aborted", "the engine was stopped"));
    this.#open.clear();
  }

  #on(name: string, inFile = false): WalletOperations {
    if (name === "") throw new GlimError("contract", "a wallet needs a name", Code.Unknown);
    const call = { type: "call", wallet: name, ...(inFile && { inFile }) } as const;
    return new WalletOperations((method, params, o) => this.#connection.ask({ ...call, method, params }, o));
  }

  #opened(name: string): Wallet {
    const known = this.#open.get(name);
    if (known) return known;
    const wallet = new Wallet(
      name,
      this.#on(name),
      (cursor, hear) => this.#connection.follow(name, cursor, hear),
      () => this.#open.get(name) === wallet && this.#open.delete(name),
    );
    this.#open.set(name, wallet);
    return wallet;
  }
}
