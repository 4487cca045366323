import { GlimError, type Reason } from "./errors.js";
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

const ended = (message: string): GlimError => new GlimError("internal", message, 0, { reason: "EngineEnded" });

interface Waiting {
  resolve(result: string): void;
  reject(error: GlimError): void;
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
  readonly #following = new Map<number, (event: string) => void>();
  readonly #ready: Waiting;
  readonly #onLog: (level: number, message: string) => void;
  readonly #onEnd: (error: GlimError) => void;
  #last = 0;
  #ended: GlimError | undefined;

  private constructor(
    options: Options,
    ready: Waiting,
    onLog: Connection["onLog"],
    onEnd: (error: GlimError) => void,
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
   * asked to.
   */
  static start(
    options: Options,
    onLog: Connection["onLog"],
    onEnd: (error: GlimError) => void,
    begin: Begin,
  ): Promise<Connection> {
    return new Promise((resolve, reject) => {
      let connection: Connection | undefined;
      const ready: Waiting = { resolve: () => connection && resolve(connection), reject };
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
    if (this.#ended) return Promise.reject(this.#ended);
    if (signal?.aborted) return Promise.reject(new GlimError("aborted", "cancelled before it began"));
    const id = ++this.#last;
    return new Promise<string>((resolve, reject) => {
      const cancel = (): void => this.#thread.post({ type: "cancel", id });
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
          reject(error);
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

  /** Calls hear with each event of a wallet after cursor, until the returned function is called. */
  follow(wallet: string, cursor: bigint, hear: (event: string) => void): () => void {
    const id = ++this.#last;
    this.#following.set(id, hear);
    if (!this.#ended) this.#thread.post({ type: "follow", id, wallet, cursor: cursor.toString() });
    return () => {
      if (this.#following.delete(id) && !this.#ended) this.#thread.post({ type: "unfollow", id });
    };
  }

  /** Ends the worker at once; pending requests fail with error. */
  end(error: GlimError): void {
    if (this.#ended) return;
    this.#ended = error;
    this.#thread.terminate();
    this.#ready.reject(error);
    for (const waiting of [...this.#waiting.values()]) waiting.reject(error);
    this.#following.clear();
    this.#onEnd(error);
  }

  #hear(reply: Reply): void {
    switch (reply.type) {
      case "ready":
        this.#ready.resolve("");
        break;
      case "failed":
        this.end(ended(reply.message));
        break;
      case "result":
        this.#waiting.get(reply.id)?.resolve(reply.result);
        break;
      case "error":
        this.#waiting.get(reply.id)?.reject(failure(reply.error));
        break;
      case "event":
        this.#following.get(reply.id)?.(reply.event);
        break;
      case "log":
        this.#onLog(reply.level, reply.message);
        break;
    }
  }
}
