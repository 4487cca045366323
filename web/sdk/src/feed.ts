import { Refused, type Service, type Told } from "./service.js";

/** Receives the events of a wallet: the number of the request, and an event as JSON or, after the last, nothing. */
export type Tell = (id: number, event?: string) => void;

/** The events of one wallet, for any number of followers. */
export interface Feed {
  /** Resolves when no later event is missed, or when that cannot be reached for now. */
  readonly opened: Promise<void>;
  /** Tells a follower the events after cursor. */
  add(id: number, cursor: bigint): void;
  /** Removes a follower and returns whether there are others. */
  remove(id: number): boolean;
  /** Called after a call on the wallet that may have made events. */
  nudge(): void;
  /** Ends the feed; with an event, it is the last one that followers receive. */
  end(last?: Told): void;
}

/** The cursor of a follower that receives only future events. */
export const fromNow = 0xffff_ffff_ffff_ffffn;

/** The code of a call without an open wallet. */
export const notOpen = -13;

/** Waits some milliseconds, or until the signal is aborted. */
export function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      clearTimeout(timer);
      signal.removeEventListener("abort", done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    signal.addEventListener("abort", done);
    if (signal.aborted) done();
  });
}

/** The delays between attempts to reach a service again, in milliseconds. */
const delay = { first: 500, last: 30_000 };

/** The number of an event, or of the last one before it. */
const cursorOf = (event: Told): bigint => BigInt(event.cursor ?? 0);

/** A follower. While live is false, it is being sent stored events, and held are the events that came meanwhile. */
interface Follower {
  cursor: bigint;
  live: boolean;
  held: Told[];
}

/**
 * The event stream of glim's service. All followers of a wallet share one stream, because a page can have few
 * connections at the same time; what is stored for earlier cursors comes from get_events.
 */
export class StreamFeed implements Feed {
  readonly opened: Promise<void>;
  readonly #followers = new Map<number, Follower>();
  readonly #over = new AbortController();
  readonly #service: Service;
  readonly #path: string;
  readonly #tell: Tell;
  /** Number of the last event of the stream. */
  #cursor: bigint | undefined;

  /** Follows the events of the wallet whose paths begin with path; ended is called when it is closed. */
  constructor(service: Service, path: string, tell: Tell, ended: () => void) {
    this.#service = service;
    this.#path = path;
    this.#tell = tell;
    this.opened = new Promise((opened) => void this.#run(opened, ended));
  }

  add(id: number, cursor: bigint): void {
    const follower: Follower = { cursor: cursor === fromNow ? -1n : cursor, live: cursor === fromNow, held: [] };
    this.#followers.set(id, follower);
    if (!follower.live) void this.#catchUp(id, follower);
  }

  remove(id: number): boolean {
    this.#followers.delete(id);
    return this.#followers.size > 0;
  }

  nudge(): void {
    // The service sends events by itself.
  }

  end(last?: Told): void {
    if (this.#over.signal.aborted) return;
    this.#over.abort();
    for (const id of this.#followers.keys()) {
      if (last) this.#tell(id, JSON.stringify(last));
      this.#tell(id);
    }
    this.#followers.clear();
  }

  async #run(opened: () => void, ended: () => void): Promise<void> {
    const { signal } = this.#over;
    for (let wait = delay.first; !signal.aborted; wait = Math.min(2 * wait, delay.last)) {
      try {
        const from = this.#cursor === undefined ? "" : `?cursor=${this.#cursor}`;
        await this.#service.stream(
          `${this.#path}/events${from}`,
          signal,
          () => {
            opened();
            wait = delay.first;
          },
          (event) => this.#hear(event, ended),
        );
      } catch (error) {
        if (error instanceof Refused && error.failure.code === notOpen) this.#finish({ type: "closed" }, ended);
      }
      opened();
      await pause(wait, signal);
    }
  }

  #finish(last: Told, ended: () => void): void {
    if (this.#over.signal.aborted) return;
    this.end(last);
    ended();
  }

  #hear(event: Told, ended: () => void): void {
    if (this.#over.signal.aborted) return;
    this.#cursor = cursorOf(event);
    if (event.type === "closed" || event.type === "shutdown") {
      this.#finish(event, ended);
      return;
    }
    for (const [id, follower] of this.#followers) {
      if (follower.live) this.#give(id, follower, event);
      else if (event.txid !== undefined) follower.held.push(event);
    }
  }

  #give(id: number, follower: Follower, event: Told): void {
    if (event.txid !== undefined) {
      if (cursorOf(event) <= follower.cursor) return;
      follower.cursor = cursorOf(event);
    }
    this.#tell(id, JSON.stringify(event));
  }

  /** Tells a follower the stored events, then those that came meanwhile. */
  async #catchUp(id: number, follower: Follower): Promise<void> {
    await this.opened;
    const { signal } = this.#over;
    for (let wait = delay.first; !signal.aborted && this.#followers.has(id); ) {
      try {
        const params = `{"cursor":${follower.cursor},"limit":1000}`;
        const answer = (await this.#service.call(`${this.#path}/json_rpc`, "get_events", params, signal)) as {
          events?: Told[];
          cursor: string | number;
          lost?: boolean;
        };
        if (!this.#followers.has(id)) return;
        if (answer.lost) {
          follower.cursor = BigInt(answer.cursor);
          this.#tell(id, JSON.stringify({ type: "lost", cursor: answer.cursor }));
        } else if (answer.events && answer.events.length > 0) {
          for (const event of answer.events) this.#give(id, follower, event);
        } else {
          follower.live = true;
          for (const event of follower.held.splice(0)) this.#give(id, follower, event);
          return;
        }
      } catch {
        await pause(wait, signal); // the stream notices if the wallet was closed
        wait = Math.min(2 * wait, delay.last);
      }
    }
  }
}
