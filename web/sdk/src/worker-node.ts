/** The script of every worker in Node. Like worker.ts, it is built together with Go's support script. */
import { readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { setFlagsFromString } from "node:v8";
import { parentPort, Worker, type TransferListItem } from "node:worker_threads";
import { FolderStore } from "./folder.js";
import { play } from "./play.js";
import type { WorkerLike } from "./spawn.js";

const port = parentPort;
if (port === null) throw new Error("this script runs only in a worker");

// Node 20 has the vector instructions that make scanning fastest only behind a flag; later versions have them by
// default.
if (process.versions.v8.startsWith("11.3.")) setFlagsFromString("--experimental-wasm-relaxed-simd");

play({
  hear: (listener) => void port.on("message", listener),
  say: (message, transfer) => port.postMessage(message, (transfer ?? []) as TransferListItem[]),
  end: () => port.close(),
  spawn,
  compile: async (url) => WebAssembly.compile(await readFile(fileURLToPath(url))),
  files: (folder) => FolderStore.open(folder),
  chain: () => Promise.reject(new Error("in Node the chain of the embedded daemon can only be in memory")),
  read,
  // A message to oneself would be handled at once, up to a thousand of them before the messages of others.
  turn: () => new Promise((resolve) => setImmediate(resolve)),
});

function spawn(url: string): WorkerLike {
  const worker = new Worker(new URL(url));
  const like: WorkerLike = {
    postMessage: (message, transfer) => worker.postMessage(message, (transfer ?? []) as TransferListItem[]),
    terminate: () => void worker.terminate(),
    onmessage: () => undefined,
    onerror: () => undefined,
  };
  worker.on("message", (message) => like.onmessage(message));
  worker.on("error", (e) => like.onerror(String(e)));
  return like;
}

function read(url: string): string {
  try {
    return readFileSync(fileURLToPath(url), "utf8");
  } catch {
    return "";
  }
}
