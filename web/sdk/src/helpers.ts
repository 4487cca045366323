/**
 * Workers that a worker needs, which the page starts for it. In Firefox (seen in 153 ESR), a worker that starts another
 * one itself can block for ever if the page is busy meanwhile: it waits for a signal that the other one may receive in
 * its place.
 */

/** What a worker sends to the page: first and port to start a helper, or neither to end it. */
export interface HelperRequest {
  /** Number of the helper. */
  helper: number;
  /** The helper's first message. It goes through the page, because ports do not carry programs in every browser. */
  first?: unknown;
  /** The helper's end of the channel for all other messages. */
  port?: MessagePort;
}

/** How a helper starts. */
export interface HelperStart {
  first: unknown;
  port: MessagePort;
}

/** Sent to the worker when its helper fails. */
export interface HelperFailed {
  helper: number;
  message: string;
}

/** The helpers of one worker. */
export class Helpers {
  readonly #running = new Map<number, Worker>();

  /** open starts a worker, and tell sends a message to the one that the helpers work for. */
  constructor(
    private readonly open: () => Worker,
    private readonly tell: (failed: HelperFailed) => void,
  ) {}

  /** Does what the worker asks for. It returns false if its message is about something else. */
  served(message: unknown): boolean {
    const { helper, first, port } = message as Partial<HelperRequest>;
    if (!helper) return false;
    if (port) {
      const worker = this.open();
      worker.onerror = (e) => this.tell({ helper, message: e.message || "a worker could not be started" });
      worker.postMessage({ first, port } satisfies HelperStart, [port]);
      this.#running.set(helper, worker);
    } else this.#end(helper);
    return true;
  }

  /** Ends all helpers. */
  end(): void {
    for (const helper of this.#running.keys()) this.#end(helper);
  }

  #end(helper: number): void {
    const worker = this.#running.get(helper);
    this.#running.delete(helper);
    if (!worker) return;
    worker.onerror = null;
    worker.terminate();
  }
}
