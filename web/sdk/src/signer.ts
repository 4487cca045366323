import type { Spawn, WorkerLike } from "./spawn.js";

/** The worker that has the spend keys, started when it is first needed. What it is asked and answers belongs to the engine. */
export class Signer {
  private worker: WorkerLike | null = null;
  private asked: ((bytes: number) => void)[] = []; // how much memory it has taken
  private readonly waiting: { resolve: (answer: Uint8Array) => void; reject: (e: Error) => void }[] = [];

  constructor(
    private readonly module: WebAssembly.Module,
    private readonly script: string,
    private readonly spawn: Spawn,
  ) {}

  /** Asks; answers come in the order of questions. */
  ask(request: Uint8Array): Promise<Uint8Array> {
    if (this.worker === null) {
      this.worker = this.spawn();
      this.worker.onmessage = (answer) => {
        if (typeof answer === "number") this.asked.shift()?.(answer);
        else this.waiting.shift()?.resolve(answer as Uint8Array);
      };
      this.worker.onerror = (message) => this.fail(message);
      this.worker.postMessage({ type: "signer", module: this.module, worker: this.script });
    }
    return new Promise((resolve, reject) => {
      this.waiting.push({ resolve, reject });
      this.worker?.postMessage(request, [request.buffer as ArrayBuffer]);
    });
  }

  /** Bytes of memory that the worker has taken; none before it is needed. */
  memory(): Promise<number> {
    const worker = this.worker;
    if (worker === null) return Promise.resolve(0);
    return new Promise((resolve) => {
      this.asked.push(resolve);
      worker.postMessage("memory");
    });
  }

  stop(): void {
    this.fail("the signer was stopped");
  }

  /** Keys that are lost with a worker come back when wallets are opened again. */
  private fail(message: string): void {
    this.worker?.terminate();
    this.worker = null;
    for (const asked of this.asked.splice(0)) asked(0);
    for (const w of this.waiting.splice(0)) w.reject(new Error(message));
  }
}
