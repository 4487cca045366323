import { GlimError } from "./errors.js";
import type { CallOptions } from "./operation.js";
import { Code } from "./operations.js";
import type { Failure, Options, Reply, Request } from "./protocol.js";

/** A question without its number. */
type Numberless<T> = T extends { id: number } ? Omit<T, "id"> : never;
type Question = Numberless<Exclude<Request, { type: "cancel" | "follow" | "unfollow" }>>;

/** The contract has a number for a daemon that was not reached; its messages end with the number of the failure. */
function failure({ kind, code, message }: Failure): GlimError {
  const whose = kind === "contract" && code === Code.NoDaemonConnection ? "network" : kind;
  return new GlimError(whose, message.replace(` (${code})`, ""), code);
}

interface Waiting {
  resolve(result: string): void;
  reject(error: GlimError): void;
}

/** A way to an engine's worker. */
export interface Thread {
  /** Tells the engine something. */
  post(request: Request): void;
  /** Ends it, or lets go of it. */
  terminate(): void;
}

/** Starts an engine's worker, or finds a way to one: hear gets what it says, fail why it cannot go on. */
export type Begin = (hear: (reply: Reply) => void, fail: (message: string) => void) => Thread;

/** The way to an engine's worker: questions, their answers, and what it tells unasked. */
export class Connection {
  readonly #thread: Thread;
  readonly #waiting = new Map<number, Waiting>();
  readonly #following = new Map<number, (event: string) => void>();
  readonly #ready: Waiting;
  readonly #onLog: (level: number, message: string) => void;
  readonly #onEnd: (error: GlimError) => void;
  #last = 0;
  #ended: GlimError | undefined;

  private constructor(options: Options, ready: Waiting, onLog: Connection["onLog"], onEnd: (error: GlimError) => void, begin: Begin) {
    this.#ready = ready;
    this.#onLog = onLog;
    this.#onEnd = onEnd;
    this.#thread = begin((reply) => this.#hear(reply), (message) => this.end(new GlimError("internal", message)));
    this.#thread.post({ type: "start", options });
  }

  /** Starts a worker; the promise is kept when its engine is ready. onEnd hears of an end that nobody asked for. */
  static start(options: Options, onLog: Connection["onLog"], onEnd: (error: GlimError) => void, begin: Begin): Promise<Connection> {
    return new Promise((resolve, reject) => {
      let connection: Connection | undefined;
      const ready: Waiting = { resolve: () => connection && resolve(connection), reject };
      connection = new Connection(options, ready, onLog, onEnd, begin);
    });
  }

  get onLog(): (level: number, message: string) => void {
    return this.#onLog;
  }

  /** Asks and waits. An aborted signal tells the worker to give up; it answers as soon as nothing would be lost. */
  ask(question: Question, { signal }: CallOptions = {}): Promise<string> {
    if (this.#ended) return Promise.reject(this.#ended);
    if (signal?.aborted) return Promise.reject(new GlimError("aborted", "given up before it began"));
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

  /** Tells without waiting. */
  tell(request: Extract<Request, { type: "pause" | "resume" }>): void {
    if (!this.#ended) this.#thread.post(request);
  }

  /** Hears what happens to a wallet after cursor, until the function that is returned is called. */
  follow(wallet: string, cursor: bigint, hear: (event: string) => void): () => void {
    const id = ++this.#last;
    this.#following.set(id, hear);
    if (!this.#ended) this.#thread.post({ type: "follow", id, wallet, cursor: cursor.toString() });
    return () => {
      if (this.#following.delete(id) && !this.#ended) this.#thread.post({ type: "unfollow", id });
    };
  }

  /** Ends the worker at once; whoever waits for it gets error. */
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
        this.end(new GlimError("internal", reply.message));
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
