import { answered, type DemoWallets } from "./demo-start.js";
import type { Engine, Transfer } from "./engine.js";
import { failure, plain, type Plain } from "./errors.js";
import { t } from "./i18n.js";

/** What happens on the demo's chain. */
export type Stage =
  | { kind: "idle" }
  /** Transactions are in the pool; from is whether the user's payment is among them. */
  | { kind: "pool"; paid: boolean }
  /** The counterparty is making a payment back. */
  | { kind: "answering" }
  /** So many blocks are missing until all of the user's money can be spent. */
  | { kind: "unlocking"; blocks: number };

/** How long things take, in milliseconds: long enough to be watched. */
export interface Pace {
  /** Between two looks at the chain. */
  look: number;
  /** In the pool, before a block is mined. */
  pool: number;
  /** After a payment is confirmed, before it is answered. */
  answer: number;
  /** Between two blocks that unlock money. */
  block: number;
}

const calm: Pace = { look: 1000, pool: 5000, answer: 3000, block: 2000 };

/** The engine's error codes for money that is missing or locked: core/walletrpc/errors.go. */
const unaffordable = [-17, -37];

/**
 * The other side of the demo. It mines a block when a transaction waits in the pool, pays half of each payment back,
 * and mines on until the user's money is unlocked. What is left to do follows from the chain and the wallets, so that
 * it continues after the page was reloaded.
 */
export class Counterparty {
  stage: Stage = { kind: "idle" };
  /** Why the last attempt to do something failed. */
  trouble: Plain | undefined;
  /** Whether blocks are mined without being asked for. */
  automatic = true;
  readonly #listeners = new Set<() => void>();
  readonly #end = new AbortController();

  constructor(
    readonly engine: Pick<Engine, "daemon">,
    readonly wallets: DemoWallets,
    readonly pace: Pace = calm,
  ) {}

  /** Begins to act, until stop is called. */
  async start(): Promise<void> {
    while (!this.#end.signal.aborted) {
      try {
        await this.turn();
        this.trouble = undefined;
      } catch (e) {
        if (failure(e).kind !== "aborted") this.trouble = plain(e);
        this.#tell();
      }
      await this.#wait(this.pace.look);
    }
  }

  stop(): void {
    this.#end.abort();
    this.#listeners.clear();
  }

  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Chooses whether blocks are mined without being asked for. */
  setAutomatic(on: boolean): void {
    this.automatic = on;
    this.#tell();
  }

  /** Mines blocks, whose rewards go to the counterparty. */
  async mine(count: number): Promise<void> {
    const { address } = await this.wallets.other.rpc.getAddress();
    await this.engine.daemon.generateblocks({ amount_of_blocks: BigInt(count), wallet_address: address });
    await this.#read();
  }

  /** Pays the user, with a note in the user's wallet. */
  async pay(amount: bigint, note: string): Promise<void> {
    const { own, other } = this.wallets;
    const { address } = await own.rpc.getAddress();
    const txids = await (await other.send({ to: address, amount })).confirm();
    await own.rpc.setTxNotes({ txids, notes: txids.map(() => note) });
    await this.#read();
  }

  /** Does what is due, at most one thing. */
  async turn(): Promise<void> {
    const open = await this.#unanswered();
    const done = open.find((t) => t.type === "in");
    if (done) return this.#answer(done.txid, open);
    const { tx_pool_size: pool } = await this.engine.daemon.getInfo();
    if (pool > 0n) return this.#pass({ kind: "pool", paid: open.length > 0 }, this.pace.pool);
    const { blocks_to_unlock: left } = await this.wallets.own.rpc.getBalance({ all_accounts: true });
    if (left > 0n) return this.#pass({ kind: "unlocking", blocks: Number(left) }, this.pace.block);
    this.#at({ kind: "idle" });
  }

  /** Returns the payments that the counterparty received and has not answered, the oldest first. */
  async #unanswered(): Promise<Transfer[]> {
    const all = await this.wallets.other.history({ types: ["in", "pool"] });
    return all.filter((t) => t.note !== answered).reverse();
  }

  /** Pays half of a transaction's amount back. */
  async #answer(txid: string, open: readonly Transfer[]): Promise<void> {
    this.#at({ kind: "answering" });
    await this.#wait(this.pace.answer);
    if (this.#end.signal.aborted) return;
    const amount = open.filter((t) => t.txid === txid).reduce((sum, t) => sum + t.amount, 0n);
    try {
      await this.pay(amount > 1n ? amount / 2n : 1n, t("demo.noteAnswer", { name: this.wallets.other.name }));
    } catch (e) {
      // Its money is in change that has not returned yet: a block brings it nearer.
      if (!unaffordable.includes(failure(e).code)) throw e;
      await this.mine(1);
      return;
    }
    await this.wallets.other.rpc.setTxNotes({ txids: [txid], notes: [answered] });
  }

  /** Shows a stage for a while, and then mines a block, unless one was mined meanwhile. */
  async #pass(stage: Stage, time: number): Promise<void> {
    this.#at(stage);
    if (!this.automatic) return;
    const before = (await this.engine.daemon.getInfo()).height;
    await this.#wait(time);
    if (this.#end.signal.aborted || !this.automatic) return;
    if ((await this.engine.daemon.getInfo()).height === before) await this.mine(1);
  }

  async #read(): Promise<void> {
    await Promise.all(Object.values(this.wallets).map((w) => w.rpc.refresh()));
    this.#tell();
  }

  #at(stage: Stage): void {
    if (JSON.stringify(stage) === JSON.stringify(this.stage)) return;
    this.stage = stage;
    this.#tell();
  }

  #tell(): void {
    for (const listener of [...this.#listeners]) listener();
  }

  #wait(time: number): Promise<void> {
    return new Promise((resolve) => {
      const { signal } = this.#end;
      if (signal.aborted) return resolve();
      const end = (): void => {
        clearTimeout(timer);
        signal.removeEventListener("abort", end);
        resolve();
      };
      const timer = setTimeout(end, time);
      signal.addEventListener("abort", end);
    });
  }
}
