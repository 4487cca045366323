import type { Begin, Thread } from "./connection.js";
import type { Login } from "./digest.js";
import { notOpen, StreamFeed, type Feed } from "./feed.js";
import { mostWallets } from "./http.js";
import type { CallOptions } from "./operation.js";
import { PollFeed } from "./poll-feed.js";
import type { Network, Reply, Request } from "./protocol.js";
import { Refused, refused, Service, trouble, type Told } from "./service.js";

export type { Login };

/** Options of Glim.connect. An aborted signal ends the attempt to connect. */
export interface ConnectOptions extends CallOptions {
  /** The network of the service's wallets. A service does not say which one that is, so it is not checked. */
  network: Network;
  /** The service's address, http(s)://host:port. A page needs one that allows its origin (CORS). */
  url: string;
  /** The login of the service, if it requires one. */
  login?: Login;
  /** A token that is sent with every request in place of a login, as "Authorization: Bearer". */
  token?: string;
  /**
   * How often monero-wallet-rpc is asked for news, in milliseconds, because it sends no events. Default: 5000. glim's
   * service sends them itself.
   */
  pollInterval?: number;
}

type Call = Extract<Request, { type: "call" }>;

/** Operations that create or open a wallet, and then need its name. */
const opening = new Set(["create_wallet", "open_wallet", "restore_deterministic_wallet", "generate_from_keys"]);

/** Operations after which there may be events. */
const moving = new Set([
  "refresh",
  "relay_tx",
  "transfer",
  "transfer_split",
  "sweep_all",
  "sweep_single",
  "sweep_dust",
  "submit_transfer",
  "submit_multisig",
  "rescan_blockchain",
  "scan_tx",
]);

/**
 * Members of requests that monero-wallet-rpc 0.18.5.1 ignores, because they are newer or glim's own. A call that relies
 * on one of them is refused. A test compares the list with that of bindings/scenario.
 */
export const ignored: Readonly<Record<string, readonly string[]>> = {
  transfer: ["subtract_fee_from_outputs", "idempotency_key", "key_images", "change_outputs", "allow_links", "mixin"],
  transfer_split: ["idempotency_key", "key_images", "change_outputs", "allow_links", "mixin"],
  sweep_all: ["idempotency_key", "key_images", "allow_links", "mixin"],
  sweep_single: ["idempotency_key", "allow_links", "mixin"],
  export_outputs: ["start", "count"],
  create_wallet: ["seed_type"],
  generate_from_keys: [
    "restore_date",
    "master_secret",
    "view_balance_secret",
    "partial_spend_key",
    "generate_address_secret",
  ],
  query_key: ["seed_offset"],
  restore_deterministic_wallet: ["enable_multisig_experimental", "restore_date", "seed_type", "account"],
  rescan_blockchain: ["keep_key_images"],
  import_multisig_info: ["refresh_after_import"],
  exchange_multisig_keys: ["force_update_use_with_caution"],
  set_daemon: ["proxy"],
  freeze: ["label"],
  thaw: ["label"],
  frozen: ["label"],
  get_accounts: ["regex"],
  add_address_book: ["payment_id"],
  edit_address_book: ["set_payment_id", "payment_id"],
};

const unknownMethod = -32601;
const noFolder = -23;

const unsupported = (message: string): Refused => refused(-1, message, "NotSupported");

/** Whether a member of a request says nothing. */
const empty = (value: unknown): boolean => !value || (Array.isArray(value) && value.length === 0);

/** Connects to a wallet service in place of an engine's worker. */
export const remote =
  (options: ConnectOptions): Begin =>
  (hear) =>
    new Remote(options, hear);

class Remote implements Thread {
  readonly #hear: (reply: Reply) => void;
  readonly #options: ConnectOptions;
  readonly #over = new AbortController();
  readonly #running = new Map<number, AbortController>();
  /** The feeds of open wallets, by their name. */
  readonly #feeds = new Map<string, Feed>();
  /** The wallet of each follower. */
  readonly #follows = new Map<number, string>();
  #service: Service | undefined;
  /** Whether the service has one wallet open at a time. */
  #single = false;
  /** Whether it sends events. */
  #events = false;
  /** With one wallet at a time: its name, as this connection opened it. */
  #current: string | undefined;

  constructor(options: ConnectOptions, hear: (reply: Reply) => void) {
    this.#options = options;
    this.#hear = hear;
  }

  post(request: Request): void {
    switch (request.type) {
      case "start":
        void this.#begin();
        break;
      case "call":
        void this.#answer(request);
        break;
      case "cancel":
        this.#running.get(request.id)?.abort();
        break;
      case "follow":
        this.#follow(request.id, request.wallet, BigInt(request.cursor));
        break;
      case "unfollow":
        this.#unfollow(request.id);
        break;
      case "pause":
      case "resume":
        break; // the service refreshes its wallets itself
      case "stop":
        this.#hear({ type: "result", id: request.id, result: "" });
        break;
      default:
        this.#fail(request.id, unsupported(`a wallet service has no "${request.type}"`));
    }
  }

  terminate(): void {
    this.#over.abort();
    for (const running of this.#running.values()) running.abort();
    for (const feed of this.#feeds.values()) feed.end();
    this.#feeds.clear();
  }

  #fail(id: number, error: unknown): void {
    const error_ = error instanceof Refused ? error : trouble("Internal", String(error), error);
    this.#hear({ type: "error", id, error: error_.failure });
  }

  /** Finds out what the service is. */
  async #begin(): Promise<void> {
    try {
      const { url, login, token } = this.#options;
      this.#service = new Service(url, login, token);
      const probe = (path: string, method: string): Promise<number> =>
        (this.#service as Service).call(path, method, '{"cursor":0,"limit":1}', this.#over.signal).then(
          () => 0,
          (error: unknown) => {
            if (error instanceof Refused && error.failure.kind === "contract") return error.failure.code;
            throw error;
          },
        );
      const events = await probe("/json_rpc", "get_events");
      this.#events = events !== unknownMethod;
      if (!this.#events && (await probe("/json_rpc", "get_languages")) === unknownMethod)
        throw trouble("ServiceInvalid", "this is not a wallet service: does a daemon answer there?");
      // Only glim's service with a folder of wallets has a path for each. No wallet can have this name.
      this.#single = !this.#events || (await probe("/wallets/%5C/json_rpc", "open_wallet")) === noFolder;
      this.#hear({ type: "ready" });
    } catch (error) {
      if (this.#over.signal.aborted) return;
      const { failure } = error instanceof Refused ? error : refused(-32602, (error as Error).message);
      this.#hear({ type: "failed", message: failure.message, error: failure });
    }
  }

  /** Returns the beginning of the paths of a wallet; "" is the service's open wallet. */
  #path(wallet: string): string {
    if (wallet === "") return "";
    if (wallet.includes("/") || wallet === "." || wallet === "..") throw refused(-1, "Invalid filename", "InvalidName");
    return this.#single ? "" : `/wallets/${encodeURIComponent(wallet)}`;
  }

  async #answer({ id, wallet, method, params }: Call): Promise<void> {
    const running = new AbortController();
    this.#running.set(id, running);
    try {
      const path = this.#path(wallet);
      if (wallet !== "" && !this.#feeds.has(wallet) && this.#feeds.size >= mostWallets)
        throw refused(-1, `close a wallet first: a page can have ${mostWallets} of a service open`, "WalletLimit");
      await this.#feeds.get(wallet)?.opened; // it must not miss what this call does
      const result = await (this.#service as Service).call(
        `${path}/json_rpc`,
        method,
        this.#single ? this.#adapted(wallet, method, params) : params,
        running.signal,
      );
      if (this.#single && wallet !== "" && opening.has(method)) this.#current = wallet;
      if (method === "close_wallet" || method === "stop_wallet") this.#closed(wallet);
      else if (moving.has(method)) this.#feeds.get(wallet)?.nudge();
      this.#hear({ type: "result", id, result: JSON.stringify(result) });
    } catch (error) {
      if (running.signal.aborted) this.#fail(id, new Refused({ kind: "aborted", code: 0, message: "cancelled" }));
      else this.#fail(id, this.#explained(error, method));
    } finally {
      this.#running.delete(id);
    }
  }

  /** Names what monero-wallet-rpc cannot do. */
  #explained(error: unknown, method: string): unknown {
    const unknown =
      error instanceof Refused && error.failure.kind === "contract" && error.failure.code === unknownMethod;
    return unknown && !this.#events ? unsupported(`monero-wallet-rpc has no ${method}`) : error;
  }

  /** Returns the parameters of a call to a service with one wallet. */
  #adapted(wallet: string, method: string, params: string): string {
    if (wallet !== "" && this.#current !== undefined && wallet !== this.#current) {
      if (opening.has(method))
        throw refused(-1, `close "${this.#current}" first: the service has one wallet open at a time`, "WalletLimit");
      throw refused(notOpen, `"${wallet}" is not open: the service has one wallet open at a time`);
    }
    if (!this.#events && ignored[method]) {
      const members = JSON.parse(params) as Record<string, unknown>;
      for (const member of ignored[method])
        if (!empty(members[member])) throw unsupported(`monero-wallet-rpc has no ${member} in ${method}`);
    }
    if (wallet === "" || !opening.has(method)) return params;
    return `{"filename":${JSON.stringify(wallet)},${params.slice(1)}`;
  }

  #follow(id: number, wallet: string, cursor: bigint): void {
    let feed = this.#feeds.get(wallet);
    if (!feed) {
      const service = this.#service as Service;
      const tell = (to: number, event?: string): void =>
        this.#hear(event === undefined ? { type: "result", id: to, result: "" } : { type: "event", id: to, event });
      const ended = (): void => this.#closed(wallet);
      feed = this.#events
        ? new StreamFeed(service, this.#path(wallet), tell, ended)
        : new PollFeed(service, this.#options.pollInterval ?? 5000, tell, ended);
      this.#feeds.set(wallet, feed);
    }
    this.#follows.set(id, wallet);
    feed.add(id, cursor);
  }

  #unfollow(id: number): void {
    const wallet = this.#follows.get(id);
    this.#follows.delete(id);
    const feed = wallet === undefined ? undefined : this.#feeds.get(wallet);
    if (!feed || feed.remove(id)) return;
    feed.end();
    this.#feeds.delete(wallet as string);
  }

  /** Tells the followers of a wallet that it is closed. */
  #closed(wallet: string): void {
    const name = wallet === "" && this.#current !== undefined ? this.#current : wallet;
    if (name === this.#current) this.#current = undefined;
    const last: Told = { type: "closed" };
    this.#feeds.get(name)?.end(last);
    this.#feeds.delete(name);
  }
}
