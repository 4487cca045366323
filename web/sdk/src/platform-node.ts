/** What differs between a browser and Node: this is Node's, in the place of platform.ts. */

import { availableParallelism } from "node:os";
import { Worker, type TransferListItem } from "node:worker_threads";

import type { Worked } from "./platform.js";

export type { Worked };

/** Where the files of the package are. */
export const files = {
  worker: (): string => new URL("./node-worker.js", import.meta.url).href,
  wasm: (): string => new URL("./glim.wasm", import.meta.url).href,
  daemonWasm: (): string => new URL("./daemon.wasm", import.meta.url).href,
};

/** The folder where wallets are kept when nobody says. */
export const defaultDatabase = "glim";

/** Processors there are. */
export const processors = (): number => availableParallelism();

/** Starts a worker. hear gets what it says, fail why it cannot go on. */
export function spawn<T, R>(url: string, name: string, hear: (reply: R) => void, fail: (message: string) => void): Worked<T> {
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

/** Nothing is hidden here. */
export function watchRest(): () => void {
  return () => undefined;
}
