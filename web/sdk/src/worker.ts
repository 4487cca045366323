/**
 * The script of every worker in a browser. It is built together with Go's support script, which defines the global
 * class Go.
 */
import { DatabaseChain } from "./chain-store.js";
import { play } from "./play.js";
import { browserWorker } from "./spawn.js";
import { DatabaseStore } from "./store.js";

const scope = globalThis as unknown as {
  postMessage(message: unknown, transfer: Transferable[]): void;
  onmessage: ((e: MessageEvent) => void) | null;
  close(): void;
};

// setTimeout would take four milliseconds.
const turns: (() => void)[] = [];
const channel = new MessageChannel();
channel.port2.onmessage = () => turns.shift()?.();

play({
  hear: (listener) => {
    scope.onmessage = (e) => listener(e.data);
  },
  say: (message, transfer) => scope.postMessage(message, transfer ?? []),
  end: () => scope.close(),
  spawn: browserWorker,
  compile,
  files: (database) => DatabaseStore.open(database),
  chain: (database) => DatabaseChain.open(database),
  read,
  turn,
});

function turn(): Promise<void> {
  return new Promise((resolve) => {
    turns.push(resolve);
    channel.port1.postMessage(0);
  });
}

/** Compiles a program while it downloads, if the server sends its media type. */
async function compile(url: string): Promise<WebAssembly.Module> {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${url}: HTTP ${response.status}`);
  if (response.headers.get("content-type")?.startsWith("application/wasm"))
    return WebAssembly.compileStreaming(response);
  return WebAssembly.compile(await response.arrayBuffer());
}

/** A synchronous request, which only workers may make: the engine needs the list while it looks up a word. */
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
