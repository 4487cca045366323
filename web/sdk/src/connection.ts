import { GlimError, isGlimError, type Reason } from "./errors.js";
import type { CallOptions } from "./operation.js";
import { Code } from "./operations.js";
import type { Failure, Options, Reply, Request } from "./protocol.js";

/** A request without its number. */
type Numberless<T> = T extends { id: number } ? Omit<T, "id"> : never;
type Question = Numberless<Exclude<Request, { type: "cancel" | "follow" | "unfollow" }>>;

/** The service has an error code for an unreachable daemon; its messages end with the code of the failure. */
function failure({ kind, code, message, reason, cause }: Failure): GlimError {
  const whose = kind === "contract" && code === Code.NoDaemonConnection ? "network" : kind;
  return new GlimError(whose, message.replace(` (${code})`, ""), code, {
    reason: (reason || undefined) as Reason | undefined,
    cause: cause && cause !== message ? new Error(cause) : undefined,
  });
}

/** Requests that change nothing: their replies may be ignored. */
const reads: ReadonlySet<Question["type"]> = new Set(["wallets", "memory", "nodes", "export"]);

const ended = (message: string): GlimError => new GlimError("internal", message, 0, { reason: "EngineEnded" });

interface Waiting {
  resolve(result: string): void;
  reject(error: unknown): void;
}

/** Receives the events of a wallet; ended is called after the last one. */
interface Following {
  hear(event: string): void;
  ended(): void;
}

/** The connection to an engine's worker. */
export interface Thread {
  /** Sends a request to the engine. */
  post(request: Request): void;
  /** Ends the worker, or disconnects from it. */
  terminate(): void;
}

/**
 * Starts an engine's worker or connects to one. It calls hear with each reply, and fail with the reason when the worker
 * ends.
 */
export type Begin = (hear: (reply: Reply) => void, fail: (message: string) => void) => Thread;

/** The connection to an engine's worker: requests, their replies, and events. */
export class Connection {
  readonly #thread: Thread;
  readonly #waiting = new Map<number, Waiting>();
  readonly #following = new Map<number, Following>();
  readonly #ready: Waiting;
  readonly #onLog: (level: number, message: string) => void;
  readonly #onEnd: (error: unknown) => void;
  #last = 0;
  #ended: { error: unknown } | undefined;

  private constructor(
    options: Options,
    ready: Waiting,
    onLog: Connection["onLog"],
    onEnd: (error: unknown) => void,
    begin: Begin,
  ) {
    this.#ready = ready;
    this.#onLog = onLog;
    this.#onEnd = onEnd;
    this.#thread = begin(
      (reply) => this.#hear(reply),
      (message) => this.end(ended(message)),
    );
    this.#thread.post({ type: "start", options });
  }

  /**
   * Starts a worker; the promise resolves when its engine is ready. onEnd is called when the worker ends without being
   * asked to. An aborted signal ends the worker unless it is ready.
   */
  static start(
    options: Options,
    onLog: Connection["onLog"],
    onEnd: (error: unknown) => void,
    begin: Begin,
    { signal }: CallOptions = {},
  ): Promise<Connection> {
    return new Promise((resolve, reject) => {
      signal?.throwIfAborted();
      let connection: Connection | undefined;
      const abort = (): void => connection?.end(signal?.reason);
      signal?.addEventListener("abort", abort);
      const ready: Waiting = {
        resolve: () => {
          signal?.removeEventListener("abort", abort);
          if (connection) resolve(connection);
        },
        reject: (error) => {
          signal?.removeEventListener("abort", abort);
          reject(error);
        },
      };
      connection = new Connection(options, ready, onLog, onEnd, begin);
    });
  }

  get onLog(): (level: number, message: string) => void {
    return this.#onLog;
  }

  /**
   * Sends a request and waits for its result. An aborted signal cancels it: the worker answers as soon as nothing would
   * be lost.
   */
  ask(question: Question, { signal }: CallOptions = {}): Promise<string> {
    if (signal?.aborted) return Promise.reject(signal.reason);
    if (this.#ended) return Promise.reject(this.#ended.error);
    const id = ++this.#last;
    return new Promise<string>((resolve, reject) => {
      const cancel = (): void => {
        if (question.type === "call") this.#thread.post({ type: "cancel", id });
        else if (reads.has(question.type)) this.#waiting.get(id)?.reject(signal?.reason);
      };
      const done = (): void => {
        this.#waiting.delete(id);
        signal?.removeEventListener("abort", cancel);
      };
      this.#waiting.set(id, {
        resolve: (result) => {
          done();
          resolve(result);
        },
        reject: (error) => {
          done();
          const aborted = signal?.aborted && isGlimError(error, "Aborted");
          reject(aborted ? signal.reason : error);
        },
      });
      signal?.addEventListener("abort", cancel);
      this.#thread.post({ ...question, id });
    });
  }

  /** Sends a request without waiting for a reply. */
  tell(request: Extract<Request, { type: "pause" | "resume" }>): void {
    if (!this.#ended) this.#thread.post(request);
  }

  /**
   * Calls hear with each event of a wallet after cursor, until the returned function is called, and ended when no more
   * can follow.
   */
  follow(wallet: string, cursor: bigint, hear: (event: string) => void, ended: () => void): () => void {
    const id = ++this.#last;
    if (this.#ended) {
      queueMicrotask(ended);
      return () => undefined;
    }
    this.#following.set(id, { hear, ended });
    this.#thread.post({ type: "follow", id, wallet, cursor: cursor.toString() });
    return () => {
      if (this.#following.delete(id) && !this.#ended) this.#thread.post({ type: "unfollow", id });
    };
  }

  /** Ends the worker at once; pending requests fail with error. */
  end(error: unknown): void {
    if (this.#ended) return;
    this.#ended = { error };
    this.#thread.terminate();
    this.#ready.reject(error);
    for (const waiting of [...this.#waiting.values()]) waiting.reject(error);
    const following = [...this.#following.values()];
    this.#following.clear();
    for (const f of following) f.ended();
    this.#onEnd(error);
  }

  #hear(reply: Reply): void {
    switch (reply.type) {
      case "ready":
        this.#ready.resolve("");
        break;
      case "failed":
        this.end(reply.error ? failure(reply.error) : ended(reply.message));
        break;
      case "result":
        this.#waiting.get(reply.id)?.resolve(reply.result);
        this.#unfollowed(reply.id);
        break;
      case "error":
        this.#waiting.get(reply.id)?.reject(failure(reply.error));
        break;
      case "event":
        this.#following.get(reply.id)?.hear(reply.event);
        break;
      case "log":
        this.#onLog(reply.level, reply.message);
        break;
    }
  }

  #unfollowed(id: number): void {
    const following = this.#following.get(id);
    this.#following.delete(id);
    following?.ended();
  }
}
