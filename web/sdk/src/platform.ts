/** What differs between a browser and Node: this is the browser's; platform-node.ts is in its place in Node. */

/** A worker as its page sees it: it is told T. */
export interface Worked<T> {
  post(message: T, transfer?: Transferable[]): void;
  terminate(): void;
}

/** Where the files of the package are. Bundlers know this pattern, and take the files along. */
export const files = {
  worker: (): string => new URL("./worker.js", import.meta.url).href,
  wasm: (): string => new URL("./glim.wasm", import.meta.url).href,
  daemonWasm: (): string => new URL("./daemon.wasm", import.meta.url).href,
};

/** Where wallets are kept when nobody says. */
export const defaultDatabase = "glim";

/** Processors there are. */
export const processors = (): number => navigator.hardwareConcurrency || 2;

/** Starts a worker. hear gets what it says, fail why it cannot go on. */
export function spawn<T, R>(url: string, name: string, hear: (reply: R) => void, fail: (message: string) => void): Worked<T> {
  // A worker's script must be of the page's origin; one of another, such as a content delivery network's, is imported by one that is.
  const foreign = new URL(url, location.href).origin !== location.origin;
  const blob = foreign ? URL.createObjectURL(new Blob([`import ${JSON.stringify(url)};`], { type: "text/javascript" })) : url;
  const worker = new Worker(blob, { type: "module", name });
  worker.onmessage = (message: MessageEvent<R>) => hear(message.data);
  worker.onerror = (event) => fail(event.message || `the worker ${url} cannot be loaded`);
  return {
    post: (message, transfer) => worker.postMessage(message, transfer ?? []),
    terminate: () => {
      worker.onmessage = worker.onerror = null;
      worker.terminate();
      if (foreign) URL.revokeObjectURL(blob);
    },
  };
}

/** Calls change when it is time to rest, the page being hidden or the network gone, and when it is no more. Returns what ends that. */
export function watchRest(change: (rest: boolean) => void): () => void {
  let resting = false;
  const page = typeof document === "undefined" ? undefined : document; // there is none in a worker
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
