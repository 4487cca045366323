/** The roles of the package's workers, in any environment. The first message selects the role. */
import { EmbeddedDaemon, serveDaemon, type DaemonQuestion, type DaemonStart } from "./embedded.js";
import type {
  Answer,
  ChainStore,
  Derive,
  DeriverAPI,
  DeriverHost,
  EngineAPI,
  EngineHost,
  FileStore,
  ScannerAPI,
  ScannerHost,
  SignerAPI,
  SignerHost,
} from "./host.js";
import { base64, fromBase64, isWallet } from "./portable.js";
import type { Reason } from "./errors.js";
import { checkNode, mixed, PublicNodes, type NodeState } from "./nodes.js";
import { post } from "./post.js";
import { memoryTaken, run } from "./program.js";
import type { Failure, FromEngine, Options, Request, ToEngine } from "./protocol.js";
import { Scanners } from "./scanners.js";
import type { SignerQuestion, SignerReply, SignerStart } from "./keeper.js";
import { Signer } from "./signer.js";
import type { WorkerLike } from "./spawn.js";
import { MemoryStore, named } from "./store.js";

type First =
  | ToEngine
  | { type: "scanner"; module: WebAssembly.Module }
  | SignerStart
  | { type: "deriver"; module: WebAssembly.Module; ask: Parameters<Derive> }
  | DaemonStart;

/** What a worker needs of its environment, a browser or Node. */
export interface Workplace {
  /** Registers a listener for messages of the worker's creator. */
  hear(listener: (message: unknown) => void): void;
  say(message: unknown, transfer?: Transferable[]): void;
  /** Ends this worker. */
  end(): void;
  spawn(url: string): WorkerLike;
  compile(url: string): Promise<WebAssembly.Module>;
  /** Opens the storage of wallets. */
  files(database: string): Promise<FileStore>;
  /** Opens the storage of an embedded daemon's chain. */
  chain(database: string): Promise<ChainStore>;
  /** Reads a text file of the package synchronously; empty if it is unavailable. */
  read(url: string): string;
  /** Resolves after a turn of the event loop, in which pending messages are handled. */
  turn(): Promise<void>;
}

let place: Workplace;
const early: unknown[] = [];
let hear = (message: unknown): void => {
  const first = message as First;
  hear = (later) => void early.push(later);
  if (first.type === "scanner") void playScanner(first.module);
  else if (first.type === "signer") void playSigner(first);
  else if (first.type === "deriver") void playDeriver(first.module, first.ask);
  else if (first.type === "daemon" && "wasm" in first) void playDaemon(first);
  else if (first.type === "start") void playEngine(first.options, first.keys);
};

/** Waits for the first message and takes the role that it names. */
export function play(workplace: Workplace): void {
  place = workplace;
  place.hear((message) => hear(message));
}

function listen(next: (message: unknown) => void): void {
  hear = next;
  for (const message of early.splice(0)) next(message);
}

async function playScanner(module: WebAssembly.Module): Promise<void> {
  const api = await run<ScannerHost, ScannerAPI>(module, { role: "scanner" }, (message) => {
    throw new Error(message);
  });
  listen((job) => {
    if (job === "memory") return place.say(memoryTaken());
    const result = api.scan(job as Uint8Array);
    if (result instanceof Error) place.say({ error: result.message });
    else place.say(result, [result.buffer as ArrayBuffer]);
  });
}

/** Answers the engine's requests in their order. */
async function playSigner({ module, options, words, worker, keys }: SignerStart): Promise<void> {
  const say = (reply: SignerReply): void => place.say(reply);
  const host: Omit<SignerHost, "ready" | "failed"> = {
    role: "signer",
    options: JSON.stringify(options),
    derive: deriver(module, () => place.spawn(worker)),
    words: (list) => place.read(words[list] ?? ""),
    log: (level, message) => say({ log: { level, message } }),
  };
  const api = await run<SignerHost, SignerAPI>(module, host, (message) => {
    throw new Error(message);
  });
  let last = Promise.resolve();
  keys.onmessage = ({ data }: MessageEvent<Uint8Array | "memory">) => {
    if (data === "memory") return keys.postMessage(memoryTaken());
    last = last.then(
      () =>
        new Promise((done) =>
          api.serve(data, (answer) => {
            keys.postMessage(answer, [answer.buffer as ArrayBuffer]);
            done();
          }),
        ),
    );
  };
  listen((question) => {
    const { id, op, params } = question as SignerQuestion;
    api.ask(op, params, (kind, code, text, reason) => say({ id, kind, code, text, reason }));
  });
}

async function playDeriver(module: WebAssembly.Module, ask: Parameters<Derive>): Promise<void> {
  const api = await run<DeriverHost, DeriverAPI>(module, { role: "deriver" }, () => undefined);
  const key = api.derive(...ask);
  place.say(key, [key.buffer as ArrayBuffer]);
}

/** Starts one worker for each key derived from a password. */
function deriver(module: WebAssembly.Module, spawn: () => WorkerLike): Derive {
  return (...ask) =>
    new Promise((resolve, reject) => {
      const worker = spawn();
      const end = (settle: () => void): void => {
        worker.terminate();
        settle();
      };
      worker.onmessage = (key) => end(() => resolve(key as Uint8Array));
      worker.onerror = (message) => end(() => reject(new Error(message)));
      worker.postMessage({ type: "deriver", module, ask });
    });
}

async function playDaemon({ wasm, chain, forkHeight }: DaemonStart): Promise<void> {
  const ask = await serveDaemon(
    () => place.compile(wasm),
    async () => (chain === "" ? null : place.chain(chain)),
    forkHeight,
    (r) => place.say(r, r.body === null ? [] : [r.body.buffer as ArrayBuffer]),
  );
  listen((question) => ask(question as DaemonQuestion));
}

function tell(reply: FromEngine): void {
  place.say(reply);
}

async function playEngine(options: Options, keys: MessagePort): Promise<void> {
  try {
    const files: FileStore = options.database === "" ? new MemoryStore() : await place.files(options.database);
    const module = await program(options);
    tell({ type: "module", module });
    const spawn = () => place.spawn(options.worker);
    const scanners = options.scanners > 0 ? new Scanners(module, options.scanners, spawn) : null;
    const signer = new Signer(keys);
    const daemon = new EmbeddedDaemon(options, spawn);
    const nodes = publicNodes(options);
    const host: Omit<EngineHost, "ready" | "failed"> = {
      role: "engine",
      options: JSON.stringify(options),
      files,
      post: (address, path, body, authorization, signal) =>
        address === "embedded:"
          ? daemon.post(path, body, false)
          : address.startsWith("nodes:")
            ? nodes.post(address === "nodes:second", path, body, authorization, signal)
            : watched(address, options.network, post(address + path, body, authorization, signal)),
      scan: (job) => (scanners === null ? Promise.reject(new Error("there are no scanners")) : scanners.scan(job)),
      derive: deriver(module, spawn),
      vault: (request) => signer.ask(request),
      turn: () => place.turn(),
      words: (list) => place.read(options.words[list] ?? ""),
      log: (level, message) => tell({ type: "log", level, message }),
    };
    const api = await run<EngineHost, EngineAPI>(module, host, (message) => tell({ type: "failed", message }));
    tell({ type: "ready" });
    const stop = (id: number): void =>
      api.close((failure) => {
        scanners?.stop();
        signer.stop();
        daemon.stop();
        if (failure === "") tell({ type: "result", id, result: "{}" });
        else refuse(id, storage(failure));
        place.end();
      });
    const memory = async (): Promise<string> =>
      JSON.stringify({
        engine: memoryTaken(),
        scanners: (await scanners?.memory()) ?? [],
        signer: await signer.memory(),
      });
    listen((message) => {
      const q = message as ToEngine;
      if (q.type === "keys") signer.join(q.keys);
      else if (q.type === "nodes") answer(q.id, nodes.state(q.again).then(JSON.stringify));
      else serve(q, api, files, daemon, stop, memory);
    });
  } catch (e) {
    tell({ type: "failed", message: reason(e) });
  }
}

/**
 * Compiles the program for the daemon's chain. The larger one is downloaded only if the chain has passed the next hard
 * fork. A daemon that does not answer soon is taken for one that has not. Until the rules are final, this looks at
 * private chains only, so that no other page waits for its node at the start.
 */
async function program(options: Options): Promise<WebAssembly.Module> {
  if (options.next) return place.compile(options.nextWasm);
  const usual = place.compile(options.wasm);
  usual.catch(() => undefined); // awaited below
  const forked = options.network === "regtest" && (await beyondFork(options.daemon.address));
  return forked ? place.compile(options.nextWasm) : usual;
}

/** Version of the first blocks of the next hard fork. */
const nextVersion = 17;

async function beyondFork(address: string): Promise<boolean> {
  if (!address.startsWith("http")) return false;
  const body = new TextEncoder().encode('{"jsonrpc":"2.0","id":"0","method":"get_last_block_header","params":{}}');
  const patience = AbortSignal.timeout(3_000);
  try {
    const answer = await post(`${address}/json_rpc`, body, "", patience, { silence: 3_000, largest: 100_000 });
    const { result } = JSON.parse(new TextDecoder().decode(answer.body)) as {
      result?: { block_header?: { major_version?: number } };
    };
    return Number(result?.block_header?.major_version) >= nextVersion;
  } catch {
    return false;
  }
}

/** The daemon whose last response was not readable, and the network it should have; undefined if all were. */
let failing: { address: string; network: Options["network"] } | undefined;

/** Remembers whether a daemon's response was readable. */
async function watched(address: string, network: Options["network"], asked: Promise<Answer>): Promise<Answer> {
  try {
    const answer = await asked;
    if (failing?.address === address) failing = undefined;
    return answer;
  } catch (e) {
    failing = { address, network };
    throw e;
  }
}

/** What a browser does not say about a request that failed. */
const reachability: Partial<Record<NodeState, { reason: Reason; message: string }>> = {
  cors: { reason: "NodeCors", message: "the daemon does not allow this page to read its responses (CORS)" },
  mixed: { reason: "NodeMixed", message: "a page loaded over https cannot use a daemon without https" },
  offline: { reason: "Offline", message: "this device has no connection to a network" },
};

/** Returns why the daemon cannot be reached, if more is known. */
async function unreachable(): Promise<Partial<Failure> | undefined> {
  if (!failing) return undefined;
  const { state } = await checkNode(failing.address, failing.network, { timeout: 5_000 });
  return reachability[state];
}

/** The public nodes of an engine with these options. */
function publicNodes({ network, nodes }: Options): PublicNodes {
  return new PublicNodes(nodes?.addresses ?? [], nodes?.preferred ?? "", {
    check: (address) => checkNode(address, network),
    send: post,
    now: () => performance.now(),
    mix: mixed,
  });
}

function serve(
  q: Exclude<Request, { type: "nodes" }>,
  api: EngineAPI,
  files: FileStore,
  daemon: EmbeddedDaemon,
  stop: (id: number) => void,
  memory: () => Promise<string>,
): void {
  switch (q.type) {
    case "call":
      api.call(q.id, q.wallet, q.method, q.params, (kind, code, text, reason, cause) => {
        if (kind === "") return tell({ type: "result", id: q.id, result: text });
        const failure: Failure = { kind: kind as Failure["kind"], code, message: text, reason, cause };
        if (reason !== "NodeUnreachable") return refuse(q.id, failure);
        void unreachable().then((found) => refuse(q.id, { ...failure, ...found }));
      });
      break;
    case "follow":
      api.follow(
        q.id,
        q.wallet,
        q.cursor,
        (event) => tell({ type: "event", id: q.id, event }),
        () => tell({ type: "result", id: q.id, result: "{}" }),
      );
      break;
    case "cancel":
    case "unfollow":
      api.cancel(q.id);
      break;
    case "pause":
      api.pause();
      break;
    case "resume":
      api.resume();
      break;
    case "stop":
      stop(q.id);
      break;
    case "daemon":
      answer(q.id, askDaemon(daemon, q.method, q.params));
      break;
    case "memory":
      answer(q.id, memory());
      break;
    case "wallets":
      answer(q.id, wallets(files));
      break;
    case "remove":
      answer(q.id, remove(files, q.wallet));
      break;
    case "export":
      answer(q.id, exported(files, q.wallet));
      break;
    case "import":
      answer(q.id, imported(files, q.wallet, q.file));
      break;
    case "start":
      break;
  }
}

function answer(id: number, result: Promise<string>): void {
  result.then(
    (text) => tell({ type: "result", id, result: text }),
    (e: unknown) => refuse(id, e instanceof Refusal ? e.failure : storage(e)),
  );
}

function refuse(id: number, error: Failure): void {
  tell({ type: "error", id, error });
}

/** The names of failures of the storage, by the name of the error. */
const storageReasons: Readonly<Record<string, Reason>> = {
  ExistsError: "WalletAlreadyExists",
  MissingError: "WalletNotFound",
  InUseError: "WalletInUse",
  ChainInUseError: "ChainInUse",
  QuotaExceededError: "StorageFull",
};

function storage(e: unknown): Failure {
  const why = e instanceof Error ? storageReasons[e.name] : undefined;
  return { kind: "storage", code: 0, message: reason(e), ...(why && { reason: why }) };
}

class Refusal extends Error {
  constructor(readonly failure: Failure) {
    super(failure.message);
  }
}

/** Files that belong to a wallet and are named after it. */
const companions = [".keys", ".glim", ".background", ".paths"];

async function wallets(files: FileStore): Promise<string> {
  const names = await files.names();
  const taken = names.filter((n) => n.endsWith(".keys")).map((n) => n.slice(0, -".keys".length));
  const own = names.filter((n) => !companions.some((c) => n.endsWith(c)));
  return JSON.stringify([...new Set([...own, ...taken])].sort());
}

async function remove(files: FileStore, wallet: string): Promise<string> {
  let found = false;
  for (const name of [wallet, ...companions.map((c) => wallet + c)]) {
    if (!(await files.exists(name))) continue;
    await files.remove(name);
    found = true;
  }
  if (!found) throw named("MissingError", "there is no wallet of that name");
  return "{}";
}

async function exported(files: FileStore, wallet: string): Promise<string> {
  // The file of a wallet that was taken over from the reference is next to the reference's.
  const name = (await files.exists(`${wallet}.keys`)) ? `${wallet}.glim` : wallet;
  return base64(await files.read(name));
}

async function imported(files: FileStore, wallet: string, text: string): Promise<string> {
  const bytes = fromBase64(text);
  if (!isWallet(bytes)) throw refused("this is not the file of a wallet", "InvalidFile");
  const bad = wallet === "" || /[/\\\0]/.test(wallet) || companions.some((c) => wallet.endsWith(c));
  if (bad) throw refused("a wallet cannot have this name", "InvalidName");
  if ((await wallets(files)).includes(JSON.stringify(wallet)))
    throw refused("the wallet exists already", "WalletAlreadyExists");
  const file = await files.create(wallet);
  try {
    await file.replace(bytes);
  } finally {
    await file.close();
  }
  return "{}";
}

const refused = (message: string, why: Reason): Refusal =>
  new Refusal({ kind: "contract", code: -1, message, reason: why });

async function askDaemon(daemon: EmbeddedDaemon, method: string, params: string): Promise<string> {
  const path = method.startsWith("/");
  const body = path ? params : `{"jsonrpc":"2.0","id":"0","method":${JSON.stringify(method)},"params":${params}}`;
  const { status, body: bytes } = await daemon.post(path ? method : "/json_rpc", new TextEncoder().encode(body), true);
  const text = new TextDecoder().decode(bytes);
  if (status !== 200)
    throw new Refusal({
      kind: "network",
      code: 0,
      message: `the daemon does not offer ${method}`,
      reason: "MethodNotFound",
    });
  if (path) return text;
  const parsed = JSON.parse(text) as { result?: unknown; error?: { code: number; message: string } };
  if (parsed.error !== undefined) throw new Refusal({ kind: "contract", ...parsed.error });
  return JSON.stringify(parsed.result);
}

function reason(e: unknown): string {
  return e instanceof Error ? e.message : String(e);
}
