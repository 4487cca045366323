import { keepBackup, readBackup, type Backup } from "./backup.js";
import type { Engine, EngineWallet } from "./engine.js";
import { failure, plain, type Plain } from "./errors.js";
import { Scanning } from "./scanning.js";

/** Properties that stay the same while a wallet is open. */
export interface Kind {
  viewOnly: boolean;
  multisig: { ready: boolean; threshold: number; total: number } | undefined;
}

/**
 * An open wallet as the pages see it: its progress, and a counter that increases whenever its answers may have changed.
 * Pages then query the engine again; no answers are stored here.
 */
export class Live {
  version = 0;
  kind: Kind = { viewOnly: false, multisig: undefined };
  /** Whether the seed words are backed up. */
  backup: Backup = "none";
  /** Set when the wallet was closed elsewhere: by another tab, or by the end of the engine. */
  ended = false;
  /** Why the last attempt to scan the chain failed; undefined once a block was scanned. */
  trouble: Plain | undefined;

  #reading = false;
  readonly #listeners = new Set<() => void>();
  readonly #off: (() => void)[] = [];
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** How far it has scanned the chain. */
  readonly scanning: Scanning;
  /** What the engine says about the wallet's file if a part of it is missing; otherwise "". */
  warning = "";
  #height = 0;

  private constructor(
    readonly wallet: EngineWallet,
    readonly engine: Engine,
  ) {
    this.scanning = new Scanning(wallet, () => {
      if (this.height > this.#height) this.trouble = undefined;
      this.#height = this.height;
      this.touch();
    });
    this.#off.push(
      () => this.scanning.stop(),
      wallet.on("warning", (text) => {
        this.warning = text;
        this.touch();
      }),
      wallet.on("transfer", () => this.touch()),
      wallet.on("lost", () => this.touch()),
      wallet.on("closed", () => {
        this.ended = true;
        this.touch();
      }),
    );
  }

  /** Returns the live view of a wallet that was just opened. */
  static async of(wallet: EngineWallet, engine: Engine): Promise<Live> {
    const live = new Live(wallet, engine); // at once, because some events come only once
    live.scanning.begin(Number((await wallet.rpc.getHeight()).height));
    await live.learn();
    return live;
  }

  /** Number of blocks scanned. */
  get height(): number {
    return this.scanning.height;
  }

  /** Determines the kind of the wallet again: setting up multisig changes it. */
  async learn(): Promise<void> {
    const m = await this.wallet.rpc.isMultisig();
    let viewOnly = false;
    if (!m.multisig) {
      // No operation returns this. signTransfer needs the spend key, and without one refuses even an empty set.
      viewOnly = await this.wallet.rpc.signTransfer({ unsigned_txset: "" }).then(
        () => false,
        (e: unknown) => failure(e).code === -29,
      );
    }
    this.kind = {
      viewOnly,
      multisig: m.multisig ? { ready: m.ready, threshold: m.threshold, total: m.total } : undefined,
    };
    this.backup = viewOnly || m.multisig ? "none" : await readBackup(this.wallet);
    this.touch();
  }

  /** Records that the user has the seed words. */
  async backedUp(): Promise<void> {
    await keepBackup(this.wallet);
    this.backup = "verified";
    this.touch();
  }

  /**
   * Scans to the end of the chain in order to learn why that fails: the engine's own refresh only logs it. While the
   * page is hidden it does nothing, so that the engine can rest.
   */
  async catchUp(): Promise<void> {
    if (this.#reading || document.visibilityState === "hidden") return;
    this.#reading = true;
    const rest = new AbortController();
    const look = (): void => void (document.visibilityState === "hidden" && rest.abort());
    document.addEventListener("visibilitychange", look);
    try {
      await this.wallet.rpc.refresh({}, { signal: rest.signal });
      this.trouble = undefined;
    } catch (e) {
      if (failure(e).kind !== "aborted") this.trouble = plain(e);
    } finally {
      document.removeEventListener("visibilitychange", look);
      this.#reading = false;
      this.touch();
    }
  }

  /** Makes the pages query again. Many changes in a short time count as one. */
  touch(): void {
    this.version++;
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      for (const listener of [...this.#listeners]) listener();
    }, 60);
  }

  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  stop(): void {
    for (const off of this.#off) off();
    this.#listeners.clear();
  }
}
