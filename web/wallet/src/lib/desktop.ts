import { Glim, GlimError, judgeInfo, type NodeCheck, type Reason } from "glim";
import type { DaemonAddress, Engine, EngineOptions, Network } from "./engine.js";
import { webPage, type Platform } from "./platform.js";
import { defaults, type Settings } from "./settings.js";

// The connection to `glim app`. The browser was opened with a ticket after the # of the address, which is good for one
// session. The session's token is in sessionStorage: it belongs to this tab and this origin, and no browser sends it by
// itself.

/** What `glim app` says about itself. */
interface State {
  network: Network;
  folder: string;
  version: string;
  proxy: boolean;
  names: boolean;
  node: { address: string; username: string; trusted: boolean; sending: string; chosen: boolean };
}

const key = "glim.session";

/** The connection of a tab to `glim app`. */
export class Connected {
  readonly #token: string;
  readonly #over = new AbortController();
  readonly #onEnd: () => void;
  #engine: Glim | undefined;

  private constructor(token: string, onEnd: () => void) {
    this.#token = token;
    this.#onEnd = onEnd;
  }

  /** Redeems the ticket of the address, or continues the tab's session. Returns undefined without either. */
  static async open(onEnd: () => void): Promise<Connected | undefined> {
    const ticket = location.hash.slice(1);
    if (ticket !== "") history.replaceState(null, "", location.pathname);
    const token = (ticket !== "" && (await redeem(ticket))) || sessionStorage.getItem(key);
    if (!token) return undefined;
    const connected = new Connected(token, onEnd);
    const alive = await connected.#ask("GET", "alive").catch(() => undefined);
    if (!alive?.ok || !alive.body) return undefined;
    sessionStorage.setItem(key, token);
    // The browser ends the stream when the page is left or loaded anew, which ends only this connection.
    addEventListener("pagehide", () => connected.#over.abort());
    addEventListener("pageshow", (e) => e.persisted && location.reload());
    void connected.#watch(alive.body);
    return connected;
  }

  /** Starts the engine: it connects to the service, and chooses the node if another one is in use. */
  async start(options: EngineOptions): Promise<Engine> {
    const { node } = await this.#state();
    const next = (options.daemon ?? { address: "" }) as DaemonAddress;
    const { address, username = "", password = "", trusted = false } = next;
    const { sending = "" } = options;
    const given = { address, username, trusted, sending };
    const same = (Object.keys(given) as (keyof typeof given)[]).every((k) => node[k] === given[k]);
    if (!options.nodes && (!same || password !== ""))
      await this.#done("PUT", "node", JSON.stringify({ ...given, password }));
    const glim = await Glim.connect({ network: options.network, url: location.origin, token: this.#token });
    this.#engine = glim;
    return {
      rpc: glim.rpc,
      daemon: glim.daemon,
      wallets: async () => (await this.#json("GET", "wallets")) as string[],
      create: (o) => glim.create(o),
      restore: (o) => glim.restore(o),
      open: (name, password) => glim.open(name, password),
      attach: (name) => glim.attach(name),
      remove: (name) => this.#done("DELETE", wallet(name)),
      exportFile: async (name) => new Uint8Array(await (await this.#good("GET", wallet(name))).arrayBuffer()),
      importFile: (name, file) => this.#done("PUT", wallet(name), file as Uint8Array<ArrayBuffer>),
      nodes: () => glim.nodes(),
      stop: () => glim.stop(),
    };
  }

  /** Returns the platform of the page. Settings are stored by `glim app`, because the page's origin changes. */
  async platform(): Promise<Platform> {
    const { eraseDemo: _, ...page } = webPage();
    const { folder, names } = await this.#state();
    return {
      ...page,
      read: async (name) => {
        const stored = await this.#good("GET", `settings/${encodeURIComponent(name)}`);
        const text = stored.status === 204 ? undefined : await stored.text();
        return name === "settings" ? this.#inUse(text) : text;
      },
      write: (name, value) => this.#done("PUT", `settings/${encodeURIComponent(name)}`, value),
      nodeLists: async () => ({}),
      storageKept: async () => true,
      keepStorage: async () => true,
      desktop: {
        folder,
        names,
        check: (settings, signal) => this.#check(settings, signal),
        quit: async () => {
          await this.#done("POST", "quit");
          this.#end();
        },
      },
    };
  }

  /** Adds to stored settings what the running service uses: its network, and its node once one was chosen. */
  async #inUse(text: string | undefined): Promise<string> {
    const { network, node } = await this.#state();
    let kept: Partial<Settings> = {};
    try {
      kept = JSON.parse(text ?? "{}") as Partial<Settings>;
    } catch {
      // Unreadable settings are replaced when settings are next stored.
    }
    const { address, username, trusted, sending, chosen } = node;
    const used = chosen || typeof kept.node !== "string";
    return JSON.stringify({
      ...defaults,
      ...kept,
      network,
      public: false,
      ...(used && { node: address, nodeUser: username, trusted, sending }),
    });
  }

  async #check({ node, nodeUser, network }: Settings, signal?: AbortSignal): Promise<NodeCheck> {
    const began = performance.now();
    const nothing = { address: node, height: 0, target: 0, network: "", version: "", latency: 0 };
    try {
      const body = JSON.stringify({ address: node, username: nodeUser });
      const info = (await this.#json("POST", "node", body, signal)) as Record<string, unknown>;
      return judgeInfo(node, info, network, performance.now() - began);
    } catch (e) {
      return { ...nothing, state: e instanceof GlimError && e.reason === "NodeLogin" ? "login" : "unreachable" };
    }
  }

  /** Reads the stream that lasts as long as `glim app`. Afterwards nothing more is sent to its address. */
  async #watch(stream: ReadableStream<Uint8Array>): Promise<void> {
    try {
      for (const reader = stream.getReader(); !(await reader.read()).done; );
    } catch {
      // The connection broke, which is the end as well.
    }
    this.#end();
  }

  #end(): void {
    if (this.#over.signal.aborted) return;
    this.#over.abort();
    void this.#engine?.stop().catch(() => undefined);
    this.#onEnd();
  }

  async #state(): Promise<State> {
    return (await this.#json("GET", "state")) as State;
  }

  #ask(method: string, path: string, body?: BodyInit, signal?: AbortSignal): Promise<Response> {
    const signals = [this.#over.signal, ...(signal ? [signal] : [])];
    return fetch(`/app/${path}`, {
      ...common,
      method,
      signal: AbortSignal.any(signals),
      headers: { "content-type": "application/json", authorization: `Bearer ${this.#token}` },
      ...(body !== undefined && { body }),
    });
  }

  /** Returns a successful response. Otherwise it fails with the reason that the service states. */
  async #good(method: string, path: string, body?: BodyInit, signal?: AbortSignal): Promise<Response> {
    const response = await this.#ask(method, path, body, signal).catch((cause: unknown) => {
      throw new GlimError("network", "glim does not respond", 0, { reason: "ServiceUnreachable", cause });
    });
    if (response.ok) return response;
    if (response.status !== 422) throw new GlimError("internal", `glim responded with ${response.status}`);
    const { reason, message } = (await response.json()) as { reason: Reason; message: string };
    throw new GlimError("contract", message, 0, { reason });
  }

  async #json(method: string, path: string, body?: string, signal?: AbortSignal): Promise<unknown> {
    return (await this.#good(method, path, body, signal)).json();
  }

  async #done(method: string, path: string, body?: BodyInit): Promise<void> {
    await this.#good(method, path, body);
  }
}

const common = { credentials: "omit", cache: "no-store", referrerPolicy: "no-referrer", redirect: "error" } as const;

const wallet = (name: string): string => `wallets/${encodeURIComponent(name)}`;

/** Redeems a ticket. Returns the token of a session, or undefined if the ticket is used or too old. */
async function redeem(ticket: string): Promise<string | undefined> {
  const response = await fetch("/app/session", {
    ...common,
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ ticket }),
  });
  return response.ok ? ((await response.json()) as { token: string }).token : undefined;
}
