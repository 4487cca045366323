import { startable } from "./script.js";

/** A worker as its creator sees it, in a browser or in Node. */
export interface WorkerLike {
  postMessage(message: unknown, transfer?: Transferable[]): void;
  terminate(): void;
  onmessage: (data: unknown) => void;
  onerror: (message: string) => void;
}

/** Starts another worker of the package. */
export type Spawn = () => WorkerLike;

/** Starts browser workers from the script at url. */
export function browserWorker(url: string): WorkerLike {
  const script = startable(url);
  const worker = new Worker(script.url, { type: "module" });
  const like: WorkerLike = {
    postMessage: (message, transfer) => worker.postMessage(message, transfer ?? []),
    terminate: () => {
      worker.terminate();
      script.release();
    },
    onmessage: () => undefined,
    onerror: () => undefined,
  };
  worker.onmessage = (e) => like.onmessage(e.data);
  worker.onerror = (e) => like.onerror(e.message || "a worker could not be started");
  return like;
}
