/** Node's counterpart of platform.ts. */

import { availableParallelism } from "node:os";
import { Worker, type TransferListItem } from "node:worker_threads";

import type { Worked } from "./platform.js";

export type { Worked };

/** URLs of the package's files. */
export const files = {
  worker: (): string => new URL("./node-worker.js", import.meta.url).href,
  wasm: (): string => new URL("./glim.wasm", import.meta.url).href,
  daemonWasm: (): string => new URL("./daemon.wasm", import.meta.url).href,
  nextWasm: (): string => new URL("./glim-next.wasm", import.meta.url).href,
  nextDaemonWasm: (): string => new URL("./daemon-next.wasm", import.meta.url).href,
};

/** The default folder of wallets. */
export const defaultDatabase = "glim";

/** Number of processors. */
export const processors = (): number => availableParallelism();

/** Starts a worker. It calls hear with each message, and fail with the reason when the worker ends. */
export function spawn<T, R>(
  url: string,
  name: string,
  hear: (reply: R) => void,
  fail: (message: string) => void,
): Worked<T> {
  const worker = new Worker(new URL(url), { name });
  let ended = false;
  worker.on("message", (reply: R) => hear(reply));
  worker.on("error", (error) => fail(error.message));
  worker.on("exit", () => ended || fail("the engine has ended"));
  return {
    post: (message, transfer) => worker.postMessage(message, (transfer ?? []) as unknown as TransferListItem[]),
    terminate: () => {
      ended = true;
      void worker.terminate();
    },
  };
}

/** Node has no page that could be hidden. */
export function watchRest(): () => void {
  return () => undefined;
}
