import type { Engine, EngineWallet } from "./engine.js";
import { failure, plain, type Plain } from "./errors.js";
import { TimeLeft } from "./progress.js";

/** What holds for a wallet as long as it is open. */
export interface Kind {
  viewOnly: boolean;
  multisig: { ready: boolean; threshold: number; total: number } | undefined;
}

/**
 * An open wallet as the pages see it: how far it is, and a count that grows whenever what it would answer may have changed. Pages ask the
 * engine again when the count grows; nothing of what it answers is kept here.
 */
export class Live {
  height = 0;
  target = 0;
  /** Milliseconds until it has caught up; undefined while that is not known. */
  left: number | undefined;
  version = 0;
  kind: Kind = { viewOnly: false, multisig: undefined };
  /** Set when the wallet was closed by somebody else: another tab, the engine's end. */
  ended = false;
  /** Why the chain could not be read when it was last asked for; undefined since something was read. */
  trouble: Plain | undefined;

  #reading = false;
  readonly #listeners = new Set<() => void>();
  readonly #off: (() => void)[] = [];
  readonly #timeLeft = new TimeLeft();
  #timer: ReturnType<typeof setTimeout> | undefined;

  private constructor(
    readonly wallet: EngineWallet,
    readonly engine: Engine,
  ) {
    this.#off.push(
      wallet.on("sync", (p) => this.#progress(p.height, p.target)),
      wallet.on("height", (height) => this.#progress(height, height)),
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
    const live = new Live(wallet, engine);
    await live.learn();
    live.height = Number((await wallet.rpc.getHeight()).height);
    return live;
  }

  /** Learns again what kind of wallet this is: setting up multisig changes it. */
  async learn(): Promise<void> {
    const m = await this.wallet.rpc.isMultisig();
    let viewOnly = false;
    if (!m.multisig) {
      // No operation says it; one that needs the spend key, asked for nothing, tells by how it refuses.
      viewOnly = await this.wallet.rpc.signTransfer({ unsigned_txset: "" }).then(
        () => false,
        (e: unknown) => failure(e).code === -29,
      );
    }
    this.kind = { viewOnly, multisig: m.multisig ? { ready: m.ready, threshold: m.threshold, total: m.total } : undefined };
    this.touch();
  }

  /**
   * Reads the chain to its end, to know why it cannot be read: the engine goes on by itself, and keeps that to its log. Not while the page is
   * hidden, for then the engine rests unless it is asked.
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

  /** Tells the pages to ask again. Many changes in a short time are one. */
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

  get syncing(): boolean {
    return this.target > this.height;
  }

  stop(): void {
    for (const off of this.#off) off();
    this.#listeners.clear();
  }

  #progress(height: number, target: number): void {
    if (height > this.height) this.trouble = undefined;
    this.height = height;
    this.target = Math.max(height, target);
    this.left = this.#timeLeft.report(performance.now(), this);
    this.touch();
  }
}
