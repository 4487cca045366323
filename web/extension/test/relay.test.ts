import assert from "node:assert/strict";
import { test } from "node:test";
import type { Reply, Request } from "glim";
import { Relay, type Port } from "../src/lib/relay.js";

type Start = Extract<Request, { type: "start" }>;

/** A page's port, and what the page received. */
class Page implements Port {
  readonly heard: Reply[] = [];
  gone = false;
  private hear: (m: Request) => void = () => {};
  private left: () => void = () => {};
  readonly onMessage = {
    addListener: (hear: (m: Request) => void): void => {
      this.hear = hear;
    },
  };
  readonly onDisconnect = {
    addListener: (left: () => void): void => {
      this.left = left;
    },
  };
  constructor(relay: Relay) {
    relay.join(this);
  }
  postMessage(message: unknown): void {
    if (this.gone) throw new Error("disconnected port");
    this.heard.push(message as Reply);
  }
  say(request: Request): void {
    this.hear(request);
  }
  leave(): void {
    this.gone = true;
    this.left();
  }
  /** What was received since the last call. */
  get news(): Reply[] {
    return this.heard.splice(0);
  }
}

/** An engine's worker that the test controls. */
class Engine {
  readonly posted: Request[] = [];
  ended = false;
  constructor(
    readonly tell: (reply: Reply) => void,
    readonly fail: (message: string) => void,
  ) {}
  get news(): Request[] {
    return this.posted.splice(0);
  }
}

const start = (
  daemon = "https://node.example",
  password?: string,
  network: "mainnet" | "stagenet" = "mainnet",
): Start => ({
  type: "start",
  options: {
    network,
    daemon: { address: daemon, ...(password && { username: "u", password }) },
    scanners: 1,
    database: "glim",
    logLevel: 1,
    wasm: "",
    daemonWasm: "",
    nextWasm: "",
    next: false,
    words: {},
    worker: "",
  },
});
const call = (id: number, method = "get_balance"): Request => ({ type: "call", id, wallet: "w", method, params: "{}" });
const result = (id: number, text: string): Reply => ({ type: "result", id, result: text });

function world() {
  const engines: Engine[] = [];
  const clock = { now: 0 };
  const relay = new Relay(
    (hear, fail) => {
      const engine = new Engine(hear, fail);
      engines.push(engine);
      return {
        post: (r) => void engine.posted.push(r),
        terminate: () => {
          engine.ended = true;
        },
      };
    },
    () => clock.now,
  );
  const only = (): Engine => engines.at(-1)!;
  return { relay, engines, clock, only };
}
const number = (r: Request | undefined): number => (r && "id" in r ? r.id : assert.fail("a question with a number"));

test("two pages share one engine, and each receives its own replies", () => {
  const { relay, engines, only } = world();
  const a = new Page(relay),
    b = new Page(relay);
  a.say(start());
  b.say(start());
  assert.equal(engines.length, 1);
  assert.deepEqual([a.news, b.news], [[], []], "not before the engine is ready");
  only().tell({ type: "ready" });
  assert.deepEqual([a.news, b.news], [[{ type: "ready" }], [{ type: "ready" }]]);
  assert.deepEqual(only().news, [start()], "started once");

  a.say(call(1, "one"));
  b.say(call(1, "two"));
  const [one, two] = only().news;
  assert.notEqual(number(one), number(two), "numbers are unique in the engine");
  only().tell(result(number(two), "for b"));
  only().tell({ type: "error", id: number(one), error: { kind: "internal", code: 0, message: "for a" } });
  assert.deepEqual(b.news, [result(1, "for b")]);
  assert.deepEqual(a.news, [{ type: "error", id: 1, error: { kind: "internal", code: 0, message: "for a" } }]);
  only().tell(result(number(two), "again"));
  assert.deepEqual([a.news, b.news], [[], []], "an answer is delivered once");

  const late = new Page(relay);
  late.say(start());
  assert.deepEqual(late.news, [{ type: "ready" }]);
});

test("events end when a page leaves; a page can only cancel its own requests", () => {
  const { relay, only } = world();
  const a = new Page(relay),
    b = new Page(relay);
  a.say(start());
  only().tell({ type: "ready" });
  void [a.news, only().news];
  a.say({ type: "follow", id: 7, wallet: "w", cursor: "0" });
  b.say(call(7));
  const [follow, other] = only().news;
  for (let i = 0; i < 3; i++) only().tell({ type: "event", id: number(follow), event: String(i) });
  assert.equal(a.news.length, 3);
  a.say({ type: "cancel", id: 7 });
  assert.deepEqual(only().news, [{ type: "cancel", id: number(follow) }], "not the other page's seventh");
  a.say({ type: "pause" });
  assert.deepEqual(only().news, [], "a pause of one page must not affect others");

  a.leave();
  assert.deepEqual(only().news, [{ type: "unfollow", id: number(follow) }]);
  only().tell({ type: "event", id: number(follow), event: "late" });
  only().tell({ type: "log", level: 1, message: "to who is here" });
  only().tell(result(number(other), "done"));
  assert.deepEqual(b.news, [{ type: "log", level: 1, message: "to who is here" }, result(7, "done")]);
});

test("a page whose port is closing does not affect others", () => {
  const { relay, only } = world();
  const a = new Page(relay),
    b = new Page(relay);
  a.say(start());
  b.say(start());
  a.gone = true;
  only().tell({ type: "ready" });
  assert.deepEqual(b.news, [{ type: "ready" }]);
});

test("when a page stops the engine, the others are notified, and the next start makes a new one", () => {
  const { relay, engines, only } = world();
  const a = new Page(relay),
    b = new Page(relay);
  a.say(start());
  b.say(start());
  only().tell({ type: "ready" });
  void [a.news, b.news, only().news];
  b.say(call(3));
  a.say({ type: "stop", id: 9 });
  const [, stop] = only().news;
  assert.equal(stop?.type, "stop");
  const early = new Page(relay);
  early.say(start("https://other.example"));
  assert.equal(engines.length, 1, "one engine at a time");
  assert.deepEqual(only().news, [], "it is already ending");
  const first = only();
  first.tell(result(number(stop), ""));
  assert.deepEqual(a.news, [result(9, "")]);
  assert.equal(b.news[0]?.type, "failed");
  assert.ok(first.ended);
  assert.equal(engines.length, 2);
  assert.deepEqual(only().news, [start("https://other.example")]);
  first.tell({ type: "ready" });
  first.fail("late");
  assert.deepEqual(early.news, [], "replies of the old engine are ignored");
  only().tell({ type: "ready" });
  assert.deepEqual(early.news, [{ type: "ready" }]);
});

test("a page with other settings gets an engine with these settings", () => {
  const { relay, engines, only } = world();
  const a = new Page(relay);
  a.say(start("https://node.example", "secret"));
  only().tell({ type: "ready" });
  const b = new Page(relay);
  b.say(start("https://node.example"));
  assert.deepEqual(b.news, [{ type: "ready" }], "a page without the node's password is served");
  void [a.news, only().news];
  const c = new Page(relay);
  c.say(start("https://node.example", undefined, "stagenet"));
  const [stop] = only().news;
  assert.equal(stop?.type, "stop");
  only().tell(result(number(stop), ""));
  assert.equal(engines.length, 2);
  assert.deepEqual([a.news[0]?.type, b.news[0]?.type, c.news.length], ["failed", "failed", 0]);
  only().tell({ type: "ready" });
  assert.deepEqual(c.news, [{ type: "ready" }]);
  a.say(call(1));
  assert.equal(number(only().news[1]) > 0, true);
});

test("an engine that is not ready yet is replaced at once", () => {
  const { relay, engines, only } = world();
  const a = new Page(relay);
  a.say(start());
  const b = new Page(relay);
  b.say(start("https://other.example"));
  assert.equal(engines.length, 2);
  assert.ok(engines[0]?.ended);
  assert.deepEqual(engines[0]?.posted, [start()], "an engine that is not ready gets no requests");
  only().tell({ type: "ready" });
  assert.deepEqual(
    [a.heard, b.heard],
    [[{ type: "ready" }], [{ type: "ready" }]],
    "a waiting page gets the next engine",
  );
});

test("a failed engine is reported to every page, and requests without an engine fail", () => {
  const { relay, engines, only } = world();
  const a = new Page(relay),
    b = new Page(relay);
  a.say(start());
  b.say(start());
  only().fail("out of memory");
  assert.deepEqual(
    [a.news, b.news],
    [[{ type: "failed", message: "out of memory" }], [{ type: "failed", message: "out of memory" }]],
  );
  a.say(call(1));
  assert.equal(a.news[0]?.type, "failed");
  a.say(start());
  assert.equal(engines.length, 2);
});

test("wallets are closed after the idle time, and not sooner", async () => {
  const { relay, clock, only } = world();
  assert.equal(await relay.rest(100), false, "a page may be about to connect");
  clock.now = 100;
  assert.equal(await relay.rest(100), true, "no engine was requested");
  relay.expect();
  assert.equal(await relay.rest(100), false);
  const a = new Page(relay);
  a.say(start());
  only().tell({ type: "ready" });
  void only().news;
  clock.now = 10_000;
  assert.equal(await relay.rest(100), false, "a page is here");
  a.leave();
  clock.now += 99;
  assert.equal(await relay.rest(100), false);
  clock.now++;
  const rested = relay.rest(100),
    again = relay.rest(100);
  const posted = only().news;
  assert.deepEqual(
    posted.map((r) => r.type),
    ["stop"],
    "asked once",
  );
  const b = new Page(relay);
  b.say(start());
  only().tell(result(number(posted[0]), ""));
  assert.deepEqual([await rested, await again], [false, false], "a page connected meanwhile");
  only().tell({ type: "ready" });
  assert.deepEqual(b.news, [{ type: "ready" }]);
});

test("a watcher is told the events of every open wallet, also after the pages left, until it is closed", () => {
  const engines: Engine[] = [];
  const told: string[] = [];
  const relay = new Relay(
    (hear, fail) => {
      const engine = new Engine(hear, fail);
      engines.push(engine);
      return { post: (r) => void engine.posted.push(r), terminate: () => undefined };
    },
    () => 0,
    { event: (wallet, event) => told.push(`${wallet} ${event}`), closed: (wallet) => told.push(`${wallet} closed`) },
  );
  const only = (): Engine => engines.at(-1)!;
  const a = new Page(relay),
    b = new Page(relay);
  a.say(start());
  only().tell({ type: "ready" });
  void [a.news, only().news];
  a.say({ type: "follow", id: 1, wallet: "w", cursor: "0" });
  const [theirs, ours, ...more] = only().news;
  assert.deepEqual(more, []);
  assert.deepEqual(ours, { type: "follow", id: number(ours), wallet: "w", cursor: "18446744073709551615" });
  b.say(start());
  b.say({ type: "follow", id: 1, wallet: "w", cursor: "0" });
  assert.equal(only().news.length, 1, "a wallet is watched once");
  only().tell({ type: "event", id: number(theirs), event: "for the page" });
  assert.deepEqual(told, [], "events of the pages are theirs");
  a.leave();
  b.leave();
  void only().news;
  const say = (event: string, id = number(ours)): void => only().tell({ type: "event", id, event });
  say('{"type":"pool"}');
  say('{"type":"lost"}');
  const [again] = only().news;
  assert.equal(again?.type, "follow", "lost events are followed by new ones");
  say('{"type":"confirmed"}', number(again));
  say('{"type":"closed"}', number(again));
  say('{"type":"pool"}', number(again));
  assert.deepEqual(told.splice(0), [
    'w {"type":"pool"}',
    'w {"type":"lost"}',
    'w {"type":"confirmed"}',
    'w {"type":"closed"}',
    "w closed",
  ]);

  const c = new Page(relay);
  c.say(start());
  c.say({ type: "follow", id: 1, wallet: "w", cursor: "0" });
  only().fail("broken");
  assert.deepEqual(told, ["w closed"], "the end of the engine closes its wallets");
});
