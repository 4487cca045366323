/** The script of every worker in Node. It is built together with Go's support script, as worker.ts is. */
import { readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { parentPort, Worker, type TransferListItem } from "node:worker_threads";
import { FolderStore } from "./folder.js";
import { play } from "./play.js";
import type { WorkerLike } from "./spawn.js";

const port = parentPort;
if (port === null) throw new Error("this script is a worker's");

play({
  hear: (listener) => void port.on("message", listener),
  say: (message, transfer) => port.postMessage(message, (transfer ?? []) as TransferListItem[]),
  end: () => port.close(),
  spawn,
  compile: async (url) => WebAssembly.compile(await readFile(fileURLToPath(url))),
  files: (folder) => FolderStore.open(folder),
  read,
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
