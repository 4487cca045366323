import type { Answer, ChainStore, DaemonAPI, DaemonHost } from "./host.js";
import { run } from "./program.js";
import type { Options } from "./protocol.js";
import type { Spawn, WorkerLike } from "./spawn.js";
import { named } from "./store.js";

/** The daemon of a private chain, in a worker that starts with the first request. */
export class EmbeddedDaemon {
  private worker: WorkerLike | null = null;
  private readonly waiting = new Map<number, { resolve: (a: Answer) => void; reject: (e: Error) => void }>();
  private last = 0;
  /** Why the worker ended; later requests fail with it. */
  private broken: Error | undefined;

  constructor(
    private readonly options: Pick<Options, "daemonWasm" | "chain" | "forkHeight">,
    private readonly spawn: Spawn,
  ) {}

  post(path: string, body: Uint8Array, bigStrings: boolean): Promise<Answer> {
    if (this.broken !== undefined) return Promise.reject(this.broken);
    if (this.worker === null) {
      this.worker = this.spawn();
      this.worker.onmessage = (data) => this.answered(data as DaemonReply);
      this.worker.onerror = (message) => this.fail(message);
      const { daemonWasm: wasm, chain = "", forkHeight = 0 } = this.options;
      const start: DaemonStart = { type: "daemon", wasm, chain, forkHeight };
      this.worker.postMessage(start);
    }
    const id = ++this.last;
    return new Promise((resolve, reject) => {
      this.waiting.set(id, { resolve, reject });
      this.worker?.postMessage({ id, path, body, bigStrings });
    });
  }

  stop(): void {
    this.worker?.terminate();
    this.worker = null;
    this.fail("the embedded daemon was stopped");
  }

  private answered(reply: DaemonReply): void {
    if (reply.id === 0) {
      this.fail(reply.message, reply.name);
      return;
    }
    const waiting = this.waiting.get(reply.id);
    this.waiting.delete(reply.id);
    waiting?.resolve({ status: reply.status, body: reply.body ?? new Uint8Array(), challenge: null });
  }

  private fail(message: string, name = "Error"): void {
    this.broken = named(name, message);
    for (const w of this.waiting.values()) w.reject(this.broken);
    this.waiting.clear();
  }
}

/** A reply of the daemon's worker. The id 0 says that it has ended, with the name and the message of the error. */
type DaemonReply = { id: number; status: number; body: Uint8Array | null; message: string; name?: string };

/**
 * How the daemon's worker starts: chain is the name of the database of the chain, "" keeps it in memory; forkHeight is
 * the index of the first block of the next hard fork, 0 for none.
 */
export interface DaemonStart {
  type: "daemon";
  wasm: string;
  chain: string;
  forkHeight: number;
}

/** Runs the embedded daemon in this worker. */
export async function serveDaemon(
  compile: () => Promise<WebAssembly.Module>,
  open: () => Promise<ChainStore | null>,
  forkHeight: number,
  reply: (r: DaemonReply) => void,
): Promise<(q: DaemonQuestion) => void> {
  const failed = (message: string, name?: string) =>
    reply({ id: 0, status: 0, body: null, message, ...(name && { name }) });
  try {
    const api = await run<DaemonHost, DaemonAPI>(await compile(), { store: await open(), forkHeight }, (message) =>
      failed(message),
    );
    return (q) =>
      api.post(q.path, q.body, q.bigStrings, (status, body) => reply({ id: q.id, status, body, message: "" }));
  } catch (e) {
    if (e instanceof Error) failed(e.message, e.name);
    else failed(String(e));
    return () => undefined;
  }
}

export interface DaemonQuestion {
  id: number;
  path: string;
  body: Uint8Array;
  bigStrings: boolean;
}
