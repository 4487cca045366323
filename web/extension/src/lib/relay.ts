import type { Begin, Reply, Request, Thread } from "glim";

type Port = chrome.runtime.Port;

/** A question of a page on its way: its own number there. */
interface Asked {
  port: Port;
  id: number;
}

/**
 * One engine for all pages of the extension. Pages come and go, the engine and its open wallets stay: each page talks to it as to a
 * worker of its own. Numbers of questions are made unique on the way.
 */
export class Relay {
  private thread: Thread | null = null;
  private ready = false;
  private readonly ports = new Set<Port>();
  private readonly asked = new Map<number, Asked>();
  private last = 0;
  /** The number of the question that ends the engine. */
  private stop = 0;
  private readonly closing: (() => void)[] = [];
  /** When the last page left, in milliseconds; undefined while one is here. */
  private left: number | undefined = Date.now();

  constructor(private readonly begin: Begin) {}

  /** Takes in a page. */
  join(port: Port): void {
    this.ports.add(port);
    this.left = undefined;
    port.onMessage.addListener((request: Request) => this.hear(port, request));
    port.onDisconnect.addListener(() => this.leave(port));
  }

  /** Closes all wallets when no page has been here for so many milliseconds. Returns whether there is no engine now. */
  async rest(after: number): Promise<boolean> {
    if (this.thread === null) return this.ports.size === 0;
    if (this.left === undefined || Date.now() - this.left < after) return false;
    await this.close();
    return this.thread === null && this.ports.size === 0;
  }

  private async close(): Promise<void> {
    const thread = this.thread;
    if (thread === null) return;
    await new Promise<void>((resolve) => {
      this.closing.push(resolve);
      this.stop = ++this.last;
      thread.post({ type: "stop", id: this.stop });
    });
  }

  private hear(port: Port, request: Request): void {
    switch (request.type) {
      case "start":
        if (this.thread === null) this.start(request);
        else if (this.ready) port.postMessage({ type: "ready" } satisfies Reply);
        return;
      case "pause": // what one page does not need, another may
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
        const number = ++this.last;
        if (request.type === "stop") this.stop = number;
        this.asked.set(number, { port, id: request.id });
        this.thread?.post({ ...request, id: number });
      }
    }
  }

  private start(request: Extract<Request, { type: "start" }>): void {
    this.thread = this.begin(
      (reply) => this.tell(reply),
      (message) => this.tell({ type: "failed", message }),
    );
    this.thread.post(request);
  }

  private tell(reply: Reply): void {
    switch (reply.type) {
      case "ready":
        this.ready = true;
        return this.all(reply);
      case "failed":
        this.all(reply);
        return this.ended();
      case "log":
        return this.all(reply);
      default: {
        const to = this.asked.get(reply.id);
        if (reply.type !== "event") this.asked.delete(reply.id);
        to?.port.postMessage({ ...reply, id: to.id });
        if (reply.id === this.stop) this.ended();
      }
    }
  }

  private all(reply: Reply): void {
    for (const port of this.ports) port.postMessage(reply);
  }

  private ended(): void {
    this.thread?.terminate();
    this.thread = null;
    this.ready = false;
    this.asked.clear();
    this.stop = 0;
    for (const resolve of this.closing.splice(0)) resolve();
  }

  private leave(port: Port): void {
    this.ports.delete(port);
    if (this.ports.size === 0) this.left = Date.now();
    for (const [number, a] of [...this.asked]) {
      // Nobody hears what follows any more; what was asked for is carried out all the same.
      if (a.port === port) {
        this.thread?.post({ type: "unfollow", id: number });
        this.asked.delete(number);
      }
    }
  }
}
