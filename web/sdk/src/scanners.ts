import type { Spawn, WorkerLike } from "./spawn.js";

/** The scanning workers. Each has two jobs at a time, so that it is busy while messages are on their way. */
export class Scanners {
  private readonly workers: Scanner[] = [];
  private readonly waiting: Job[] = [];
  private failure: Error | null = null;

  constructor(module: WebAssembly.Module, count: number, spawn: Spawn) {
    for (let i = 0; i < count; i++) {
      const worker = spawn();
      const scanner: Scanner = { worker, jobs: [], asked: [] };
      worker.onmessage = (data) => {
        if (typeof data === "number") scanner.asked.shift()?.(data);
        else this.answered(scanner, data as Uint8Array | { error: string });
      };
      worker.onerror = (message) => this.fail(new Error(message));
      worker.postMessage({ type: "scanner", module });
      this.workers.push(scanner);
    }
  }

  scan(job: Uint8Array): Promise<Uint8Array> {
    return new Promise((resolve, reject) => {
      if (this.failure !== null) return reject(this.failure);
      this.waiting.push({ bytes: job, resolve, reject });
      this.hand();
    });
  }

  /** Returns the memory of each worker, in bytes. */
  memory(): Promise<number[]> {
    const ask = (s: Scanner): Promise<number> =>
      new Promise((resolve) => {
        s.asked.push(resolve);
        s.worker.postMessage("memory");
      });
    return Promise.all(this.workers.map(ask));
  }

  stop(): void {
    for (const s of this.workers) s.worker.terminate();
    this.fail(new Error("the scanners were stopped"));
  }

  private hand(): void {
    for (;;) {
      const free = this.workers.reduce((a, b) => (b.jobs.length < a.jobs.length ? b : a));
      const job = free.jobs.length < 2 ? this.waiting.shift() : undefined;
      if (job === undefined) return;
      free.jobs.push(job);
      free.worker.postMessage(job.bytes, [job.bytes.buffer as ArrayBuffer]);
    }
  }

  private answered(from: Scanner, data: Uint8Array | { error: string }): void {
    const job = from.jobs.shift();
    if (job === undefined) return;
    if (data instanceof Uint8Array) job.resolve(data);
    else job.reject(new Error(data.error));
    this.hand();
  }

  /** Reports a failed worker to the engine, which would otherwise wait forever. */
  private fail(e: Error): void {
    this.failure = e;
    for (const job of [...this.workers.flatMap((s) => s.jobs), ...this.waiting]) job.reject(e);
    this.waiting.length = 0;
    for (const s of this.workers) s.jobs.length = 0;
  }
}

interface Scanner {
  worker: WorkerLike;
  jobs: Job[];
  asked: ((bytes: number) => void)[]; // pending requests for the worker's memory use
}

interface Job {
  bytes: Uint8Array;
  resolve: (result: Uint8Array) => void;
  reject: (e: Error) => void;
}
