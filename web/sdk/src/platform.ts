/** What differs between a browser and Node. This is the browser's version; in Node, platform-node.ts replaces it. */
import { Helpers } from "./helpers.js";
import { startable } from "./script.js";

/** A worker, as the page that started it sees it; T is what it receives. */
export interface Worked<T> {
  post(message: T, transfer?: Transferable[]): void;
  terminate(): void;
}

/** URLs of the package's files. Bundlers recognise this pattern and include the files. */
export const files = {
  worker: (): string => new URL("./worker.js", import.meta.url).href,
  wasm: (): string => new URL("./glim.wasm", import.meta.url).href,
  daemonWasm: (): string => new URL("./daemon.wasm", import.meta.url).href,
  nextWasm: (): string => new URL("./glim-next.wasm", import.meta.url).href,
  nextDaemonWasm: (): string => new URL("./daemon-next.wasm", import.meta.url).href,
};

/** The default database of wallets. */
export const defaultDatabase = "glim";

/** Number of processors. */
export const processors = (): number => navigator.hardwareConcurrency || 2;

/**
 * Starts a worker, and those that it asks for. It calls hear with each message, and fail with the reason when the
 * worker ends.
 */
export function spawn<T, R>(
  url: string,
  name: string,
  hear: (reply: R) => void,
  fail: (message: string) => void,
): Worked<T> {
  const script = startable(url);
  const open = (): Worker => new Worker(script.url, { type: "module", name });
  const worker = open();
  const helpers = new Helpers(open, (failed) => worker.postMessage(failed));
  worker.onmessage = ({ data }: MessageEvent<R>) => {
    if (!helpers.served(data)) hear(data);
  };
  worker.onerror = (event) => fail(event.message || `the worker ${url} cannot be loaded`);
  return {
    post: (message, transfer) => worker.postMessage(message, transfer ?? []),
    terminate: () => {
      worker.onmessage = worker.onerror = null;
      worker.terminate();
      helpers.end();
      script.release();
    },
  };
}

/**
 * Calls change with true when the page is hidden or offline, and with false when it is visible and online again.
 * Returns a function that stops this.
 */
export function watchRest(change: (rest: boolean) => void): () => void {
  let resting = false;
  const page = typeof document === "undefined" ? undefined : document; // workers have no document
  const look = (): void => {
    const rest = !navigator.onLine || page?.visibilityState === "hidden";
    if (rest === resting) return;
    resting = rest;
    change(rest);
  };
  page?.addEventListener("visibilitychange", look);
  addEventListener("online", look);
  addEventListener("offline", look);
  look();
  return () => {
    page?.removeEventListener("visibilitychange", look);
    removeEventListener("online", look);
    removeEventListener("offline", look);
  };
}
