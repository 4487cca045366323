/**
 * The script of every worker in a browser. It is built together with Go's support script, which puts the class Go into the global
 * scope.
 */
import { play } from "./play.js";
import { browserWorker } from "./spawn.js";
import { DatabaseStore } from "./store.js";

const scope = globalThis as unknown as {
  postMessage(message: unknown, transfer: Transferable[]): void;
  onmessage: ((e: MessageEvent) => void) | null;
  close(): void;
};

play({
  hear: (listener) => {
    scope.onmessage = (e) => listener(e.data);
  },
  say: (message, transfer) => scope.postMessage(message, transfer ?? []),
  end: () => scope.close(),
  spawn: browserWorker,
  compile,
  files: (database) => DatabaseStore.open(database),
  read,
});

/** Compiles a program while it arrives, where the server names its type. */
async function compile(url: string): Promise<WebAssembly.Module> {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${url}: HTTP ${response.status}`);
  if (response.headers.get("content-type")?.startsWith("application/wasm")) return WebAssembly.compileStreaming(response);
  return WebAssembly.compile(await response.arrayBuffer());
}

/** Only workers may wait for an answer like this; the engine asks in the middle of looking a word up. */
function read(url: string): string {
  try {
    const request = new XMLHttpRequest();
    request.open("GET", url, false);
    request.send();
    return request.status === 200 ? request.responseText : "";
  } catch {
    return "";
  }
}
