import type { Answer } from "./host.js";
import type { Network } from "./protocol.js";

/** Whether a node can be used, or why not. */
export type NodeState =
  /** It answers and is up to date. */
  | "good"
  /** It lacks blocks that most other nodes have, or says that it is synchronizing. */
  | "behind"
  /** It claims more blocks than most other nodes have. */
  | "ahead"
  | "wrong-network"
  /** It answers, but does not allow this origin to read its responses. */
  | "cors"
  /** It requires a user name and a password. */
  | "login"
  /** It does not respond like a Monero node. */
  | "odd"
  /** It is not encrypted, and a page loaded over https may not use it. */
  | "mixed"
  /** This device has no connection to a network. */
  | "offline"
  | "unreachable"
  /** It was not asked, because enough others could be used. */
  | "unasked";

/** The result of checking a node. */
export interface NodeCheck {
  /** The address of the node. */
  address: string;
  /** Whether it can be used, or why not. */
  state: NodeState;
  /** Number of blocks that it has; 0 if unknown. */
  height: number;
  /** Number of blocks that it knows of; 0 if unknown. */
  target: number;
  /** Its network as in get_info: "fakechain" for regtest. */
  network: string;
  /** Its version of Monero; empty if unknown. */
  version: string;
  /** Milliseconds that get_info took. */
  latency: number;
}

/** The public nodes of an engine. */
export interface NodesInUse {
  /** The node that the engine uses; empty if it has none. */
  first: string;
  /** The node that confirms the end of the chain and the fees; empty if it has none. */
  second: string;
  /** Every node of the list. */
  nodes: NodeCheck[];
}

const largest = 64 * 1024;
const here = /^http:\/\/(localhost|127\.|\[::1\])/;

/** Returns the result for a node that was not asked. */
export function unchecked(address: string, state: NodeState = "unasked"): NodeCheck {
  return { address, state, height: 0, target: 0, network: "", version: "", latency: 0 };
}

/** Checks a node with get_info. It does not throw: problems are part of the result. */
export async function checkNode(
  address: string,
  network: Network,
  { signal, timeout = 15_000 }: { signal?: AbortSignal; timeout?: number } = {},
): Promise<NodeCheck> {
  const origin = typeof location === "undefined" ? "" : location.origin;
  if (origin.startsWith("https:") && address.startsWith("http:") && !here.test(address))
    return unchecked(address, "mixed");
  const url = `${address}/get_info`;
  const began = performance.now();
  const within = AbortSignal.any([AbortSignal.timeout(timeout), ...(signal ? [signal] : [])]);
  const how = { signal: within, credentials: "omit", cache: "no-store", referrerPolicy: "no-referrer" } as const;
  try {
    const answer = await fetch(url, how);
    if (answer.status === 401) return unchecked(address, "login");
    const text = await answer.text();
    if (!answer.ok || text.length > largest) return unchecked(address, "odd");
    const info: unknown = JSON.parse(text);
    if (typeof info !== "object" || info === null) return unchecked(address, "odd");
    return judgeInfo(address, info as Record<string, unknown>, network, performance.now() - began);
  } catch (e) {
    if (e instanceof SyntaxError) return unchecked(address, "odd");
    if (typeof navigator !== "undefined" && navigator.onLine === false) return unchecked(address, "offline");
    // A browser does not say why it refused a request. If the same request succeeds in a mode in which the response is
    // unreadable, the node works but does not allow this origin to read it.
    try {
      await fetch(url, { ...how, mode: "no-cors" });
      return unchecked(address, "cors");
    } catch {
      return unchecked(address, "unreachable");
    }
  }
}

/** Judges the result of get_info. */
export function judgeInfo(
  address: string,
  info: Record<string, unknown>,
  network: Network,
  latency: number,
): NodeCheck {
  const height = Number(info.height ?? 0);
  const type = String(info.nettype ?? "");
  let state: NodeState = "good";
  if (!Number.isSafeInteger(height) || height < 1) state = "odd";
  else if (type !== (network === "regtest" ? "fakechain" : network)) state = "wrong-network";
  else if (info.synchronized === false) state = "behind";
  return {
    address,
    state,
    height,
    target: Math.max(height, Number(info.target_height ?? 0)),
    network: type,
    version: String(info.version ?? ""),
    latency: Math.round(latency),
  };
}

/** How many blocks the heights of two nodes may differ, as in the engine's comparison of two daemons. */
const lag = 10;

/**
 * Ranks nodes: the usable ones come first, the fastest of them at the beginning; preferred, if usable, is before them.
 * Usable nodes have the height of the majority, and at least the height known from before: the state of the others
 * becomes "behind" or "ahead".
 */
export function rankNodes(checks: readonly NodeCheck[], preferred = "", known = 0): NodeCheck[] {
  const heights = checks.flatMap((c) => (c.state === "good" ? [c.height] : [])).sort((a, b) => b - a);
  const majority = Math.max(known, heights[(heights.length - 1) >> 1] ?? 0);
  const off = ({ height }: NodeCheck): NodeState =>
    height + lag < majority ? "behind" : height > majority + lag ? "ahead" : "good";
  const judged = checks.map((c) => (c.state === "good" ? { ...c, state: off(c) } : c));
  const cost = (c: NodeCheck): number =>
    c.state !== "good" ? Number.POSITIVE_INFINITY : c.address === preferred ? -1 : c.latency;
  return judged
    .map((check, at) => ({ check, at }))
    .sort((a, b) => Number(cost(a.check) > cost(b.check)) - Number(cost(a.check) < cost(b.check)) || a.at - b.at)
    .map(({ check }) => check);
}

/** Nodes that are asked at the same time: a node that is not needed does not learn of this device. */
const batch = 4;
/** Milliseconds until the nodes in use are checked again, and until the whole list is. */
const fresh = 25_000;
const stale = 300_000;
/** Milliseconds for which a node that failed a request is used only if there is no other. */
const grudge = 120_000;
/** Milliseconds between two attempts to find a node while none can be used. */
const pause = 5_000;

type Send = (url: string, body: Uint8Array, authorization: string, signal: AbortSignal) => Promise<Answer>;

/** What a PublicNodes needs of its environment. */
export interface NodesPlace {
  check(address: string): Promise<NodeCheck>;
  send: Send;
  /** Milliseconds of a clock that never goes back. */
  now(): number;
  /** Returns a list in random order, so that the first nodes do not get all users. */
  mix(list: readonly string[]): string[];
}

/**
 * Sends an engine's requests to the best of several public nodes, and to another one after a failure. A second node
 * confirms what the first one says.
 */
export class PublicNodes {
  readonly #place: NodesPlace;
  readonly #order: readonly string[];
  readonly #preferred: string;
  readonly #checks = new Map<string, NodeCheck>();
  readonly #failed = new Map<string, number>();
  #first = "";
  #second = "";
  /** The greatest height that two nodes in use had: when they fail, one that lacks blocks must not replace them. */
  #known = 0;
  #looking: Promise<void> | undefined;
  #seen = Number.NEGATIVE_INFINITY;
  #searched = Number.NEGATIVE_INFINITY;
  /** Ends the requests to the first node when another one replaces it. */
  #leave = new AbortController();

  constructor(addresses: readonly string[], preferred: string, place: NodesPlace) {
    this.#place = place;
    this.#preferred = preferred;
    this.#order = [
      ...(preferred === "" ? [] : [preferred]),
      ...place.mix([...new Set(addresses)].filter((a) => a !== preferred)),
    ];
  }

  /** Returns which nodes are in use, and what is known of all of them. With again, it asks all of them first. */
  async state(again = false): Promise<NodesInUse> {
    if (again || this.#place.now() - this.#seen >= fresh) await this.#look(again, again);
    const ranked = new Map(this.#ranked().map((c) => [c.address, c]));
    const nodes = this.#order.map((address) => ranked.get(address) ?? unchecked(address));
    return { first: this.#first, second: this.#second, nodes };
  }

  /** Sends a request to the first or to the second node; after a failure, to the node that takes its place. */
  async post(
    second: boolean,
    path: string,
    body: Uint8Array,
    authorization: string,
    signal: AbortSignal,
  ): Promise<Answer> {
    // A lost response does not mean that the transaction is lost: whoever sent it decides whether to send it again.
    const tries = /send_?raw_?transaction/.test(path) ? 1 : 2;
    for (let tried = 1; ; tried++) {
      const address = await this.#route(second);
      const within = second ? signal : AbortSignal.any([signal, this.#leave.signal]);
      try {
        const answer = await this.#place.send(address + path, body, authorization, within);
        // A node without an operation says 404, and the engine does without it.
        if (answer.status < 400 || answer.status === 404) return answer;
        await this.#lost(address);
        if (tried >= tries) return answer;
      } catch (e) {
        if (signal.aborted) throw e;
        await this.#lost(address);
        if (tried >= tries) throw e;
      }
    }
  }

  async #route(second: boolean): Promise<string> {
    const chosen = (): string => (second ? this.#second : this.#first);
    if (chosen() === "" && (!second || this.#first === "") && this.#place.now() - this.#searched >= pause)
      await this.#look(true);
    else await this.#looking;
    if (chosen() === "") throw new Error("no public node can be used");
    return chosen();
  }

  async #lost(address: string): Promise<void> {
    this.#failed.set(address, this.#place.now());
    if (address === this.#first || address === this.#second) await this.#look(true);
  }

  #look(search = false, all = false): Promise<void> {
    this.#looking ??= this.#ask(search, all).finally(() => {
      this.#looking = undefined;
    });
    return this.#looking;
  }

  async #ask(search: boolean, all: boolean): Promise<void> {
    const used = [this.#first, this.#second].filter((address) => address !== "");
    if (!search && used.length > 0 && this.#place.now() - this.#searched < stale) {
      const found = rankNodes(await this.#round(used), "", this.#known);
      if (found.every((c) => c.state === "good")) {
        this.#learn();
        this.#seen = this.#place.now();
        return;
      }
    }
    this.#checks.clear();
    const failing = (address: string): boolean =>
      this.#place.now() - (this.#failed.get(address) ?? Number.NEGATIVE_INFINITY) < grudge;
    const order = [...new Set([...used, ...this.#order])];
    const asked: string[] = [];
    while (asked.length < order.length) {
      asked.push(...order.slice(asked.length, all ? undefined : asked.length + batch));
      await this.#round(asked.filter((address) => !this.#checks.has(address)));
      const good = this.#ranked().filter((c) => c.state === "good" && !failing(c.address));
      if (good.length >= 2 && asked.length > 2) break;
    }
    this.#choose(failing);
    this.#seen = this.#searched = this.#place.now();
  }

  async #round(addresses: readonly string[]): Promise<NodeCheck[]> {
    const found = await Promise.all(addresses.map((address) => this.#place.check(address)));
    for (const c of found) this.#checks.set(c.address, c);
    return found;
  }

  #ranked(): NodeCheck[] {
    return rankNodes([...this.#checks.values()], this.#preferred, this.#known);
  }

  #learn(): void {
    const [a, b] = [this.#first, this.#second].map((address) => this.#checks.get(address)?.height ?? 0);
    this.#known = Math.max(this.#known, Math.min(a ?? 0, b ?? 0));
  }

  /** Chooses the nodes to use. The first one stays as long as it works, so that few nodes learn of this device. */
  #choose(failing: (address: string) => boolean): void {
    const good = this.#ranked()
      .filter((c) => c.state === "good")
      .map((c) => c.address);
    const ready = [...good.filter((a) => !failing(a)), ...good.filter(failing)];
    const stays = (address: string): boolean => good.includes(address) && !failing(address);
    const before = this.#first;
    const wanted = ready[0] ?? "";
    this.#first = stays(before) && wanted !== this.#preferred ? before : wanted;
    if (this.#second === this.#first || !stays(this.#second))
      this.#second = ready.find((address) => address !== this.#first) ?? "";
    this.#learn();
    if (before === this.#first) return;
    this.#leave.abort(new Error("another node replaces this one"));
    this.#leave = new AbortController();
  }
}

/** Returns a list in random order. */
export function mixed(list: readonly string[]): string[] {
  const numbers = crypto.getRandomValues(new Uint32Array(list.length));
  return list
    .map((address, i) => ({ address, by: numbers[i] ?? 0 }))
    .sort((a, b) => a.by - b.by)
    .map(({ address }) => address);
}
