import type { Begin, Thread } from "./connection.js";
import { spawn, type Worked } from "./platform.js";
import type { FromEngine, Options, Reply, Request, ToEngine } from "./protocol.js";

/**
 * How the signer's worker starts: keys is its connection to the engine, worker the package's script, for the workers
 * that it starts.
 */
export interface SignerStart {
  type: "signer";
  module: WebAssembly.Module;
  options: Pick<Options, "network" | "kdf">;
  words: Options["words"];
  worker: string;
  keys: MessagePort;
}

/** A request to the signer; wasm/browser/signer.go lists them. */
export interface SignerQuestion {
  id: number;
  op: "password" | "new" | "restore" | "keys" | "secret" | "reveal" | "hide" | "withdraw";
  params: string;
}

export type SignerReply =
  | { id: number; kind: string; code: number; text: string; reason: string }
  | { log: { level: number; message: string } };

type Call = Extract<Request, { type: "call" }>;
type Params = Record<string, unknown>;

/** Parameters that are a wallet's password, by operation; those in the second list are optional. */
const passwords: Readonly<Record<string, readonly string[]>> = {
  create_wallet: ["password"],
  open_wallet: ["password"],
  restore_deterministic_wallet: ["password"],
  generate_from_keys: ["password"],
  change_wallet_password: ["old_password", "new_password"],
  setup_background_sync: ["wallet_password"],
  stop_background_sync: ["wallet_password"],
  set_subaddress_lookahead: ["password"],
};
const optional: Readonly<Record<string, readonly string[]>> = {
  make_multisig: ["password"],
  exchange_multisig_keys: ["password"],
  finalize_multisig: ["password"],
};

/** The signer's reply after it received a seed or keys. birthday is that of a Polyseed, in POSIX seconds. */
interface Admitted {
  ticket: string;
  language: string;
  words: string;
  birthday: string;
  deprecated: boolean;
}

/** Whether a call or its result contains secrets. */
function concerns({ method, params }: Call): boolean {
  if (method === "query_key")
    return ["mnemonic", "spend_key"].includes(String((JSON.parse(params) as Params).key_type));
  return method in passwords || method in optional || method === "export_keys_file";
}

/** Operations that create or open a wallet. */
const opening = new Set(["create_wallet", "open_wallet", "restore_deterministic_wallet", "generate_from_keys"]);

/**
 * A pending call: its tickets, what to do with its result, and whether the engine may reveal a spend key until then.
 */
interface Changed {
  tickets: string[];
  finish: (result: string) => string;
  reveals: boolean;
}

/** A refusal of the signer; kind is one of a Failure's, or "gone" if the wallet is not open there. */
class Refused extends Error {
  constructor(
    readonly kind: string,
    readonly code: number,
    message: string,
    /** The name of the failure, or empty. */
    readonly reason = "",
  ) {
    super(message);
  }
}

/** Starts an engine's worker and the signer's; script is that of the package. */
export const kept =
  (script: () => string): Begin =>
  (hear, fail) =>
    new Keeper(script(), hear, fail);

/**
 * Connects a page to the engine's worker and to the signer's, which holds the spend keys. The engine parses what
 * daemons send, so it gets no secret except view keys: passwords, seeds and spend keys go directly to the signer, which
 * returns tickets for them, and come from it when the page asks to show them.
 */
class Keeper implements Thread {
  readonly #engine: Worked<ToEngine>;
  #signer: Worked<SignerStart | SignerQuestion> | undefined;
  #options: Options | undefined;
  #module: WebAssembly.Module | undefined;
  /** The signer's end of its channel to the engine, until it is handed over. */
  #port: MessagePort | undefined;
  /** Whether the signer has answered since it was started. */
  #works = false;
  #last = 0;
  readonly #asked = new Map<number, { resolve: (text: string) => void; reject: (e: Refused) => void }>();
  /** Calls whose secrets are being sent to the signer; false if they were cancelled meanwhile. */
  readonly #held = new Map<number, boolean>();
  /** Calls that were passed to the engine. */
  readonly #changed = new Map<number, Changed>();
  /** Calls made by this class; their numbers are negative. */
  readonly #own = new Map<number, { resolve: (result: string) => void; reject: (e: Refused) => void }>();
  /** Wallets that were opened with the password itself. */
  readonly #inFile = new Set<string>();

  constructor(
    private readonly script: string,
    private readonly hear: (reply: Reply) => void,
    private readonly fail: (message: string) => void,
  ) {
    this.#engine = spawn<ToEngine, FromEngine>(script, "glim", (reply) => this.#heard(reply), fail);
  }

  post(request: Request): void {
    switch (request.type) {
      case "start": {
        this.#options = request.options;
        const { port1, port2 } = new MessageChannel();
        this.#port = port1;
        this.#engine.post({ ...request, keys: port2 }, [port2]);
        break;
      }
      case "cancel":
        if (this.#held.has(request.id)) this.#held.set(request.id, false);
        else this.#engine.post(request);
        break;
      case "call":
        if (concerns(request)) void this.#pass(request);
        else this.#engine.post(request);
        break;
      default:
        this.#engine.post(request);
    }
  }

  terminate(): void {
    this.#engine.terminate();
    this.#signer?.terminate();
    this.#signer = undefined;
  }

  #heard(reply: FromEngine): void {
    if (reply.type === "module") {
      // only the first, sent before the engine read anything from a daemon, can be trusted
      this.#module ??= reply.module;
      return;
    }
    if (reply.type !== "result" && reply.type !== "error") {
      this.hear(reply);
      return;
    }
    const own = this.#own.get(reply.id);
    if (own) {
      this.#own.delete(reply.id);
      if (reply.type === "result") own.resolve(reply.result);
      else own.reject(new Refused(reply.error.kind, reply.error.code, reply.error.message, reply.error.reason));
      return;
    }
    const changed = this.#changed.get(reply.id);
    this.#changed.delete(reply.id);
    if (changed) this.#over(changed);
    this.hear(changed && reply.type === "result" ? { ...reply, result: changed.finish(reply.result) } : reply);
  }

  /** Sends the secrets of a call to the signer, and the rest to the engine. */
  async #pass(call: Call): Promise<void> {
    const refuse = (kind: string, code: number, message: string, reason: string): void =>
      this.hear({
        type: "error",
        id: call.id,
        error: { kind: kind === "contract" || kind === "network" ? kind : "internal", code, message, reason },
      });
    this.#held.set(call.id, true);
    const changed: Changed = { tickets: [], finish: (result) => result, reveals: false };
    try {
      if (call.method === "query_key") {
        const shown = await this.#shown(call);
        if (shown !== undefined)
          return this.hear({ type: "result", id: call.id, result: JSON.stringify({ key: shown }) });
      }
      const request = {
        ...call,
        params: JSON.stringify(await this.#concealed(call, JSON.parse(call.params) as Params, changed)),
      };
      if (!this.#held.get(call.id)) {
        this.#over(changed);
        return this.hear({
          type: "error",
          id: call.id,
          error: { kind: "aborted", code: 0, message: "given up before it began" },
        });
      }
      this.#changed.set(call.id, changed);
      this.#engine.post(request);
    } catch (e) {
      this.#over(changed);
      if (e instanceof Refused) refuse(e.kind, e.code, e.message, e.reason);
      else refuse("internal", 0, e instanceof Error ? e.message : String(e), "");
    } finally {
      this.#held.delete(call.id);
    }
  }

  /** Revokes what a call was given. */
  #over({ tickets, reveals }: Changed): void {
    if (tickets.length > 0) void this.#ask("withdraw", { tickets }).catch(() => undefined);
    if (reveals) void this.#ask("hide", {}).catch(() => undefined);
  }

  /** Returns the parameters of a call with tickets in place of secrets. */
  async #concealed({ method, wallet, inFile }: Call, p: Params, changed: Changed): Promise<Params> {
    const text = (member: string): string => (typeof p[member] === "string" ? p[member] : "");
    const ticket = (t: string): string => {
      changed.tickets.push(t);
      return t;
    };
    const admitted = async (op: "new" | "restore" | "keys", params: Params): Promise<Admitted> => {
      const a = JSON.parse(await this.#ask(op, params)) as Admitted;
      ticket(a.ticket);
      return a;
    };
    if (opening.has(method)) {
      if (inFile) this.#inFile.add(wallet);
      else this.#inFile.delete(wallet);
    }
    const plain = this.#inFile.has(wallet);
    if (plain && method === "change_wallet_password") {
      changed.finish = (result) => {
        this.#inFile.delete(wallet); // the file is now encrypted with a ticket
        return result;
      };
    }
    for (const member of [...(passwords[method] ?? []), ...(optional[method] ?? [])]) {
      if (plain && member !== "new_password") continue;
      if (text(member) === "" && optional[method]) continue;
      p[member] = ticket(await this.#ask("password", { password: text(member) }));
    }
    switch (method) {
      case "create_wallet":
        if (p.seed_type === "polyseed") p.seed_type = (await admitted("new", { language: text("language") })).ticket;
        break;
      case "restore_deterministic_wallet": {
        // The seed of a multisig signer is not the spend key: the engine needs it.
        if (p.enable_multisig_experimental === true || text("seed") === "") break;
        const a = await admitted("restore", {
          words: text("seed"),
          offset: text("seed_offset"),
          language: text("language"),
          seed_type: text("seed_type"),
          account: p.account ?? 0,
        });
        p = { ...p, seed: a.ticket, seed_offset: "", language: a.language, seed_type: "", account: 0 };
        if (a.birthday !== "0" && !p.restore_height && !p.restore_date) p.restore_date = Number(a.birthday);
        changed.finish = (result) =>
          JSON.stringify({ ...(JSON.parse(result) as Params), seed: a.words, was_deprecated: a.deprecated });
        break;
      }
      case "generate_from_keys":
        if (text("spendkey") !== "")
          p.spendkey = (
            await admitted("keys", { address: text("address"), view: text("viewkey"), spend: text("spendkey") })
          ).ticket;
        break;
      case "export_keys_file":
        changed.reveals = true; // the engine writes the spend key into the file
        await this.#ask("reveal", {});
        break;
      case "query_key":
        // the engine refuses a seed offset here, so any text will do
        if (!plain && text("seed_offset") !== "") p.seed_offset = "some";
        break;
    }
    return p;
  }

  /**
   * Returns the seed or the spend key of a wallet, from the signer; undefined if the engine should report why there is
   * none.
   */
  async #shown({ wallet, params }: Call): Promise<string | undefined> {
    const { key_type: kind, seed_offset: offset = "" } = JSON.parse(params) as Params;
    const [at, key] = await Promise.all([
      this.#call(wallet, "get_address", { account_index: 0, address_index: [0] }),
      this.#call(wallet, "query_key", { key_type: "seed_language" }),
    ]).catch(() => []);
    if (at === undefined || key === undefined) return undefined;
    const [{ address }, { key: language }] = [JSON.parse(at) as Params, JSON.parse(key) as Params];
    try {
      return await this.#ask("secret", { kind, address, language, offset });
    } catch (e) {
      if (e instanceof Refused && e.kind === "gone") return undefined;
      throw e;
    }
  }

  /** Calls an operation of the engine. */
  #call(wallet: string, method: string, params: Params): Promise<string> {
    const id = -++this.#last;
    return new Promise((resolve, reject) => {
      this.#own.set(id, { resolve, reject });
      this.#engine.post({ type: "call", id, wallet, method, params: JSON.stringify(params) });
    });
  }

  #ask(op: SignerQuestion["op"], params: Params): Promise<string> {
    this.#signer ??= this.#startSigner();
    const id = ++this.#last;
    return new Promise((resolve, reject) => {
      this.#asked.set(id, { resolve, reject });
      this.#signer?.post({ id, op, params: JSON.stringify(params) });
    });
  }

  #startSigner(): Worked<SignerStart | SignerQuestion> | undefined {
    const [options, module, keys] = [this.#options, this.#module, this.#port];
    if (!options || !module || !keys) throw new Refused("internal", 0, "the engine has not started yet");
    const signer = spawn<SignerStart | SignerQuestion, SignerReply>(
      this.script,
      "glim keys",
      (reply) => this.#answered(reply),
      (message) => this.#lost(message),
    );
    const { network, kdf } = options;
    signer.post(
      {
        type: "signer",
        module,
        options: { network, ...(kdf && { kdf }) },
        words: options.words,
        worker: options.worker,
        keys,
      },
      [keys],
    );
    this.#port = undefined;
    return signer;
  }

  #answered(reply: SignerReply): void {
    this.#works = true;
    if ("log" in reply) {
      this.hear({ type: "log", ...reply.log });
      return;
    }
    const asked = this.#asked.get(reply.id);
    this.#asked.delete(reply.id);
    if (reply.kind === "") asked?.resolve(reply.text);
    else asked?.reject(new Refused(reply.kind, reply.code, reply.text, reply.reason));
  }

  /** Keys that were lost with a worker are loaded into the next one when wallets are opened again. */
  #lost(message: string): void {
    this.#signer?.terminate();
    this.#signer = undefined;
    for (const a of this.#asked.values()) a.reject(new Refused("internal", 0, message));
    this.#asked.clear();
    if (!this.#works) {
      this.fail(message); // the next worker would fail as well
      return;
    }
    this.#works = false;
    const { port1, port2 } = new MessageChannel();
    this.#port = port1;
    this.#engine.post({ type: "keys", keys: port2 }, [port2]);
    this.#signer = this.#startSigner();
  }
}
