/**
 * The script of every worker in a browser. It is built together with Go's support script, which defines the global
 * class Go.
 */
import { DatabaseChain } from "./chain-store.js";
import type { HelperFailed, HelperRequest, HelperStart } from "./helpers.js";
import { play } from "./play.js";
import type { WorkerLike } from "./spawn.js";
import { DatabaseStore } from "./store.js";

interface Creator {
  postMessage(message: unknown, transfer: Transferable[]): void;
}

const scope = globalThis as unknown as Creator & Pick<MessagePort, "onmessage" | "close">;

/** Where this worker's creator is: the page or, for a helper, another worker. */
let creator: Creator = scope;

const helpers = new Map<number, WorkerLike>();
let lastHelper = 0;

// setTimeout would take four milliseconds.
const turns: (() => void)[] = [];
const channel = new MessageChannel();
channel.port2.onmessage = () => turns.shift()?.();

play({
  hear: (listener) => {
    scope.onmessage = ({ data }) => {
      const { first, port, helper, message } = data as Partial<HelperStart & HelperFailed>;
      if (helper) helpers.get(helper)?.onerror(message ?? "");
      else if (port) {
        creator = port;
        listener(first);
        port.onmessage = (e) => listener(e.data);
      } else listener(data);
    };
  },
  say: (message, transfer) => creator.postMessage(message, transfer ?? []),
  end: () => scope.close(),
  spawn,
  compile,
  files: (database) => DatabaseStore.open(database),
  chain: (database) => DatabaseChain.open(database),
  read,
  turn,
});

/** Has the page start a worker with the first message. */
function spawn(): WorkerLike {
  const helper = ++lastHelper;
  const { port1, port2: port } = new MessageChannel();
  let started = false;
  const ask = (request: Omit<HelperRequest, "helper">, transfer: Transferable[]): void =>
    scope.postMessage({ helper, ...request } satisfies HelperRequest, transfer);
  const like: WorkerLike = {
    postMessage(message, transfer) {
      if (started) return port1.postMessage(message, transfer ?? []);
      started = true;
      ask({ first: message, port }, [port]);
    },
    terminate() {
      helpers.delete(helper);
      port1.close();
      ask({}, []);
    },
    onmessage: () => undefined,
    onerror: () => undefined,
  };
  port1.onmessage = (e) => like.onmessage(e.data);
  helpers.set(helper, like);
  return like;
}

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
