import { GlimError } from "./errors.js";
import { readEvent, transferEvent, type TransferEvent } from "./events.js";
import type { CallOptions } from "./operation.js";

/** Options of wallet.events. */
export interface EventsOptions extends CallOptions {
  /** Number of the last known event; 0n begins with the first one that is stored. Default: only new events. */
  cursor?: bigint;
}

/** Calls hear with each event after cursor, and ended after the last one; returns a function that stops this. */
export type Follow = (cursor: bigint, hear: (event: string) => void, ended: () => void) => () => void;

/** Receives one result of an iteration. */
interface Taker {
  resolve(result: IteratorResult<TransferEvent, undefined>): void;
  reject(error: unknown): void;
}

/**
 * The events of a wallet's transfers, for "for await". Events that happen between two steps of the loop are kept. The
 * loop ends when the wallet is closed, and the stream when the loop ends.
 */
export class EventStream implements AsyncIterableIterator<TransferEvent, undefined> {
  readonly #ready: TransferEvent[] = [];
  readonly #takers: Taker[] = [];
  #stop: () => void = () => undefined;
  /** Set when no more events follow: the loop then ends, or fails with the error. */
  #over: { error?: unknown } | undefined;

  /** Created by wallet.events. */
  constructor(follow: Follow, cursor: bigint, { signal }: CallOptions) {
    const abort = (): void => this.#end({ error: signal?.reason });
    const unfollow = follow(
      cursor,
      (text) => this.#hear(text),
      () => this.#end({}),
    );
    this.#stop = () => {
      signal?.removeEventListener("abort", abort);
      unfollow();
    };
    if (this.#over) this.#stop(); // it ended at once
    if (signal?.aborted) abort();
    else signal?.addEventListener("abort", abort);
  }

  /** Returns the next event when there is one. */
  next(): Promise<IteratorResult<TransferEvent, undefined>> {
    const value = this.#ready.shift();
    if (value) return Promise.resolve({ done: false, value });
    if (this.#over && "error" in this.#over) {
      const { error } = this.#over;
      this.#over = {};
      return Promise.reject(error);
    }
    if (this.#over) return Promise.resolve({ done: true, value: undefined });
    return new Promise((resolve, reject) => this.#takers.push({ resolve, reject }));
  }

  /** Stops the events. */
  return(): Promise<IteratorResult<TransferEvent, undefined>> {
    this.#ready.length = 0;
    this.#end({});
    return Promise.resolve({ done: true, value: undefined });
  }

  /** Returns itself. */
  [Symbol.asyncIterator](): this {
    return this;
  }

  #hear(text: string): void {
    const event = readEvent(text);
    if (event.type === "lost") {
      const message = "some events after the cursor are no longer stored; history() has their contents";
      this.#end({ error: new GlimError("contract", message, 0, { reason: "EventsLost" }) });
    } else if (event.txid !== undefined) {
      const value = transferEvent(event);
      const taker = this.#takers.shift();
      if (taker) taker.resolve({ done: false, value });
      else this.#ready.push(value);
    }
  }

  #end(over: { error?: unknown }): void {
    if (this.#over) return;
    this.#over = over;
    this.#stop();
    const [first, ...others] = this.#takers.splice(0);
    if (first && "error" in over) {
      this.#over = {};
      first.reject(over.error);
    } else first?.resolve({ done: true, value: undefined });
    for (const taker of others) taker.resolve({ done: true, value: undefined });
  }
}
