/** The script of every worker in Node: what a browser's workers find in their global scope, then the worker itself. */
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { parentPort, Worker, type TransferListItem } from "node:worker_threads";

interface Scope {
  onmessage?: ((event: { data: unknown }) => void) | null;
  postMessage(message: unknown, transfer?: readonly TransferListItem[]): void;
  close(): void;
  Worker: unknown;
  fetch: typeof fetch;
}

/** A worker with the face a browser gives it. */
class BrowserWorker {
  onmessage: ((event: { data: unknown }) => void) | null = null;
  onerror: ((event: { message: string }) => void) | null = null;
  readonly #worker: Worker;

  constructor(url: string) {
    this.#worker = new Worker(new URL(url));
    this.#worker.on("message", (data: unknown) => this.onmessage?.({ data }));
    this.#worker.on("error", (error) => this.onerror?.({ message: error.message }));
  }

  postMessage(message: unknown, transfer: readonly TransferListItem[] = []): void {
    this.#worker.postMessage(message, transfer);
  }

  terminate(): void {
    void this.#worker.terminate();
  }
}

const port = parentPort;
if (port === null) throw new Error("this is the script of a worker");
const scope = globalThis as unknown as Scope;
const remote = scope.fetch;
scope.Worker = BrowserWorker;
scope.postMessage = (message, transfer = []) => port.postMessage(message, transfer);
scope.close = () => port.close();
scope.fetch = async (input, init) => {
  const url = String(input);
  if (!url.startsWith("file:")) return remote(input, init);
  return new Response(await readFile(fileURLToPath(url)), { headers: { "content-type": "application/wasm" } });
};
port.on("message", (data: unknown) => scope.onmessage?.({ data }));
