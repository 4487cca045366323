import type { Begin, Reply, Request, Thread } from "glim";

/** The part of a page's port that the relay uses; the browser's runtime.Port has it. */
export interface Port {
  postMessage(message: unknown): void;
  onMessage: { addListener(hear: (message: Request) => void): void };
  onDisconnect: { addListener(left: () => void): void };
}

type Start = Extract<Request, { type: "start" }>;

/** Is told what happens in open wallets, also while no page is connected. */
export interface Watcher {
  /** A wallet reported an event, as JSON. */
  event(wallet: string, event: string): void;
  /** A wallet was closed. */
  closed(wallet: string): void;
}

/** The cursor that skips all past events. */
const fromNow = "18446744073709551615";

/** A pending request, with the page's own number for it. */
interface Asked {
  port: Port;
  id: number;
}

/**
 * Shares one engine among all pages of the extension. Pages open and close while the engine and its open wallets stay;
 * each page uses it like its own worker. Request numbers are made unique on the way.
 */
export class Relay {
  private thread: Thread | null = null;
  private ready = false;
  /** How the engine was started. */
  private running: Start | undefined;
  /** How to start the next engine, after this one has ended. */
  private next: Start | undefined;
  private readonly ports = new Set<Port>();
  /** Pages that wait until an engine is ready. */
  private readonly starting = new Set<Port>();
  private readonly asked = new Map<number, Asked>();
  private last = 0;
  /** The wallets whose events the watcher is told, by the number of the request. */
  private readonly watched = new Map<number, string>();
  /** The number of the request that stops the engine, or 0. */
  private stop = 0;
  private readonly closing: (() => void)[] = [];
  /** When the last page left or was expected, in milliseconds of now; undefined while a page is connected. */
  private left: number | undefined;

  constructor(
    private readonly begin: Begin,
    private readonly now: () => number = Date.now,
    private readonly watcher?: Watcher,
  ) {
    this.left = now();
  }

  /** Connects a page. */
  join(port: Port): void {
    this.ports.add(port);
    this.left = undefined;
    port.onMessage.addListener((request) => this.hear(port, request));
    port.onDisconnect.addListener(() => this.leave(port));
  }

  /** Announces that a page is about to connect, which restarts the idle time. */
  expect(): void {
    if (this.left !== undefined) this.left = this.now();
  }

  /**
   * Closes all wallets if no page has been connected for this many milliseconds. Returns whether there is now neither
   * an engine nor a page.
   */
  async rest(after: number): Promise<boolean> {
    if (this.left === undefined || this.now() - this.left < after) return false;
    await this.close();
    return this.thread === null && this.left !== undefined;
  }

  private close(): Promise<void> {
    if (this.thread === null) return Promise.resolve();
    return new Promise((resolve) => {
      this.closing.push(resolve);
      this.end();
    });
  }

  private end(): void {
    if (this.stop !== 0) return;
    // An engine that is not ready has no open wallets and handles no requests yet.
    if (!this.ready) {
      this.ended("the wallet's engine was closed");
      return;
    }
    this.stop = ++this.last;
    this.thread?.post({ type: "stop", id: this.stop });
  }

  private hear(port: Port, request: Request): void {
    switch (request.type) {
      case "start":
        this.starting.add(port);
        if (this.thread === null) {
          this.start(request);
        } else if (this.stop !== 0 || !agrees(request, this.running)) {
          // Only one engine at a time may use the stored wallets.
          this.next = request;
          this.end();
        } else if (this.ready) {
          this.welcome();
        }
        return;
      case "pause": // a pause for one page must not affect the others
      case "resume":
        return;
      case "cancel":
      case "unfollow": {
        for (const [number, a] of this.asked) {
          if (a.port === port && a.id === request.id) this.thread?.post({ type: request.type, id: number });
        }
        return;
      }
      default: {
        if (this.thread === null) {
          say(port, { type: "failed", message: "the wallet's engine was closed" });
          return;
        }
        const number = ++this.last;
        if (request.type === "stop") {
          if (this.stop === 0) this.stop = number;
        }
        this.asked.set(number, { port, id: request.id });
        this.thread.post({ ...request, id: number });
        if (request.type === "follow") this.watch(request.wallet);
      }
    }
  }

  /** Follows a wallet for the watcher. A page follows each wallet that it opens. */
  private watch(wallet: string): void {
    if (!this.watcher || [...this.watched.values()].includes(wallet)) return;
    const id = ++this.last;
    this.watched.set(id, wallet);
    this.thread?.post({ type: "follow", id, wallet, cursor: fromNow });
  }

  /** Tells the watcher an event. The last one of a wallet ends it, except that lost events are followed by new ones. */
  private tellWatcher(id: number, wallet: string, event: string): void {
    const type = /"type"\s*:\s*"(\w+)"/.exec(event)?.[1];
    this.watcher?.event(wallet, event);
    if (type !== "closed" && type !== "shutdown" && type !== "lost") return;
    this.watched.delete(id);
    if (type === "lost") this.watch(wallet);
    else this.watcher?.closed(wallet);
  }

  private start(request: Start): void {
    this.running = request;
    // Ignore replies of an engine that has been replaced.
    let thread: Thread | null = null;
    const mine = (): boolean => thread === null || this.thread === thread;
    thread = this.begin(
      (reply) => mine() && this.tell(reply),
      (message) => mine() && this.tell({ type: "failed", message }),
    );
    this.thread = thread;
    thread.post(request);
  }

  private welcome(): void {
    const all = [...this.starting];
    this.starting.clear();
    for (const port of all) say(port, { type: "ready" });
  }

  private tell(reply: Reply): void {
    switch (reply.type) {
      case "ready":
        this.ready = true;
        this.welcome();
        return;
      case "failed":
        this.ended(reply.message);
        return;
      case "log":
        for (const port of this.ports) say(port, reply);
        return;
      default: {
        const wallet = this.watched.get(reply.id);
        if (wallet !== undefined) {
          if (reply.type === "event") this.tellWatcher(reply.id, wallet, reply.event);
          else this.watched.delete(reply.id);
          return;
        }
        const to = this.asked.get(reply.id);
        if (reply.type !== "event") this.asked.delete(reply.id);
        if (to) say(to.port, { ...reply, id: to.id });
        if (reply.id === this.stop) this.ended("the wallet's engine was closed", to?.port);
      }
    }
  }

  /**
   * Tells the pages that the engine ended, except the one that asked for it and those that wait for the next engine.
   */
  private ended(message: string, asker?: Port): void {
    this.thread?.terminate();
    this.thread = null;
    this.ready = false;
    this.asked.clear();
    for (const wallet of this.watched.values()) this.watcher?.closed(wallet);
    this.watched.clear();
    this.stop = 0;
    const next = this.next;
    this.next = undefined;
    for (const port of this.ports) {
      if (port !== asker && !(next && this.starting.has(port))) say(port, { type: "failed", message });
    }
    for (const resolve of this.closing.splice(0)) resolve();
    if (next) this.start(next);
    else this.starting.clear();
  }

  private leave(port: Port): void {
    this.ports.delete(port);
    this.starting.delete(port);
    if (this.ports.size === 0) this.left = this.now();
    for (const [number, a] of [...this.asked]) {
      if (a.port !== port) continue;
      // The page no longer receives events; its requests are carried out all the same.
      this.thread?.post({ type: "unfollow", id: number });
      this.asked.delete(number);
    }
  }
}

/**
 * Whether the running engine serves a page that wants one with these options. Not every page knows the node's password.
 */
function agrees({ options: want }: Start, running: Start | undefined): boolean {
  if (running === undefined) return false;
  const have = running.options;
  const same =
    want.network === have.network &&
    want.database === have.database &&
    want.daemon.address === have.daemon.address &&
    JSON.stringify(want.nodes) === JSON.stringify(have.nodes);
  return (
    same &&
    (!want.daemon.password ||
      (want.daemon.password === have.daemon.password && want.daemon.username === have.daemon.username))
  );
}

function say(port: Port, reply: Reply): void {
  try {
    port.postMessage(reply);
  } catch {
    // The page was just closed; onDisconnect follows.
  }
}
