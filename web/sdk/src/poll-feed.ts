import { fromNow, notOpen, pause, type Feed, type Tell } from "./feed.js";
import { Refused, type Service, type Told } from "./service.js";

/** An entry of get_transfers, with 64-bit numbers as strings or numbers. */
interface Entry {
  txid: string;
  type: string;
  amount: string | number;
  fee: string | number;
  height: string | number;
  timestamp: string | number;
  unlock_time: string | number;
  payment_id: string;
  locked: boolean;
  address: string;
  subaddr_index: { major: number; minor: number };
}
type Lists = Partial<Record<"in" | "out" | "pending" | "pool", Entry[]>>;

/** How many events are kept for cursors, as in a wallet's file. */
const kept = 65_536;

/**
 * The events of a wallet of monero-wallet-rpc, which sends none: they are the differences between its answers. Their
 * numbers begin anew with each feed, so that a cursor of an earlier one gets "lost".
 */
export class PollFeed implements Feed {
  readonly opened: Promise<void>;
  readonly #followers = new Set<number>();
  readonly #over = new AbortController();
  readonly #service: Service;
  readonly #interval: number;
  readonly #tell: Tell;
  /** Numbered events, oldest first; the first one has the number #first. */
  readonly #events: Told[] = [];
  #first = BigInt(Date.now()) * 1_000_000n;
  /** The transfers as last seen, by direction, transaction and address. */
  #seen: Map<string, Entry> | undefined;
  #height = "";
  #address = "";
  #wake = (): void => undefined;
  #nudged = false;

  /** Asks for news every interval milliseconds; ended is called when the wallet is no longer open. */
  constructor(service: Service, interval: number, tell: Tell, ended: () => void) {
    this.#service = service;
    this.#interval = interval;
    this.#tell = tell;
    this.opened = new Promise((opened) => void this.#run(opened, ended));
  }

  add(id: number, cursor: bigint): void {
    this.#followers.add(id);
    if (cursor === fromNow) return;
    const next = this.#first + BigInt(this.#events.length); // the number of the next event
    if (cursor !== 0n && (cursor < this.#first - 1n || cursor >= next))
      this.#tell(id, JSON.stringify({ type: "lost", cursor: String(next - 1n) }));
    else
      for (const event of this.#events) if (BigInt(event.cursor ?? 0) > cursor) this.#tell(id, JSON.stringify(event));
  }

  remove(id: number): boolean {
    this.#followers.delete(id);
    return true; // later followers may have cursors of this feed
  }

  nudge(): void {
    this.#nudged = true;
    this.#wake();
  }

  end(last?: Told): void {
    if (this.#over.signal.aborted) return;
    this.#over.abort();
    for (const id of this.#followers) {
      if (last) this.#tell(id, JSON.stringify(last));
      this.#tell(id);
    }
    this.#followers.clear();
  }

  async #run(opened: () => void, ended: () => void): Promise<void> {
    const { signal } = this.#over;
    while (!signal.aborted) {
      this.#nudged = false;
      try {
        await this.#look();
      } catch (error) {
        if (!signal.aborted && error instanceof Refused && error.failure.code === notOpen) {
          this.end({ type: "closed" });
          ended();
        }
      }
      opened();
      if (this.#nudged) continue;
      const wake = new AbortController();
      this.#wake = () => wake.abort();
      const stop = (): void => wake.abort();
      signal.addEventListener("abort", stop);
      await pause(this.#interval, wake.signal);
      signal.removeEventListener("abort", stop);
    }
  }

  #ask<T>(method: string, params: string): Promise<T> {
    return this.#service.call("/json_rpc", method, params, this.#over.signal) as Promise<T>;
  }

  async #look(): Promise<void> {
    const { address } = await this.#ask<{ address: string }>("get_address", '{"account_index":0,"address_index":[0]}');
    if (this.#address === "") this.#address = address;
    // Another client has opened another wallet in the service.
    if (address !== this.#address) throw new Refused({ kind: "contract", code: notOpen, message: "another wallet" });
    const all = (pool: boolean): Promise<Lists> =>
      this.#ask("get_transfers", `{"in":true,"out":true,"pending":true,"pool":${pool},"all_accounts":true}`);
    let pool = true;
    const lists = await all(true).catch((error: unknown) => {
      if (this.#over.signal.aborted) throw error;
      pool = false; // it comes from the daemon, which may be away
      return all(false);
    });
    const height = String((await this.#ask<{ height: string | number }>("get_height", "{}")).height);
    if (this.#over.signal.aborted) return;
    this.#compare(lists, pool);
    if (height !== this.#height) {
      this.#height = height;
      this.#say({ type: "height", height, cursor: String(this.#first + BigInt(this.#events.length) - 1n) });
    }
  }

  /** Makes events of the differences between the last transfers and these. Without pool, its part is unknown. */
  #compare(lists: Lists, pool: boolean): void {
    const before = this.#seen;
    const now = new Map<string, Entry>();
    const add = (entries: Entry[] | undefined, direction: "in" | "out"): void => {
      for (const e of entries ?? []) {
        const { major, minor } = e.subaddr_index;
        const key = `${direction} ${e.txid} ${direction === "in" ? `${major} ${minor}` : ""}`;
        if (!now.has(key) || placed(e)) now.set(key, e);
      }
    };
    add(lists.pool, "in");
    add(lists.in, "in");
    add(lists.pending, "out");
    add(lists.out, "out");
    if (!pool && before) for (const [key, e] of before) if (e.type === "pool" && !now.has(key)) now.set(key, e);
    this.#seen = now;
    if (!before) return;
    for (const [key, e] of before) {
      const after = now.get(key);
      if (placed(e) && after?.height !== e.height) this.#number("reorganised", key, e);
    }
    const changed = [...now].sort(([, a], [, b]) => Number(a.height || Infinity) - Number(b.height || Infinity));
    for (const [key, e] of changed) {
      const old = before.get(key);
      const same = old?.height === e.height;
      if (!same || !old) this.#number(placed(e) ? "confirmed" : "pool", key, e);
      if (placed(e) && !e.locked && (!same || old?.locked)) this.#number("unlocked", key, e);
    }
  }

  #number(type: string, key: string, e: Entry): void {
    const event: Told & Record<string, unknown> = {
      type,
      cursor: String(this.#first + BigInt(this.#events.length)),
      direction: key.startsWith("in") ? "in" : "out",
      txid: e.txid,
      payment_id: e.payment_id,
      subaddr_index: e.subaddr_index,
      address: e.address,
      amount: e.amount,
      fee: e.fee,
      height: e.height,
      timestamp: e.timestamp,
      unlock_time: e.unlock_time,
      coinbase: e.type === "block",
    };
    this.#events.push(event);
    if (this.#events.length > kept) {
      this.#events.shift();
      this.#first++;
    }
    this.#say(event);
  }

  #say(event: Told & Record<string, unknown>): void {
    for (const id of [...this.#followers]) this.#tell(id, JSON.stringify(event));
  }
}

/** Whether a transfer is in a block. */
const placed = (e: Entry): boolean => Number(e.height) > 0;
