import assert from "node:assert/strict";
import { test } from "node:test";
import { chainLength, type Health } from "../src/lib/health.js";
import { Scanning } from "../src/lib/scanning.js";

/** A wallet whose events the test sends. */
function events(): {
  on: ConstructorParameters<typeof Scanning>[0]["on"];
  tell(height: number, target?: number): void;
} {
  const heard = new Map<string, (value: never) => void>();
  return {
    on: (name, listener) => {
      heard.set(name, listener as (value: never) => void);
      return () => void heard.delete(name);
    },
    tell(height, target) {
      if (target !== undefined) heard.get("sync")?.({ height, target } as never);
      heard.get("height")?.(height as never);
    },
  };
}

test("the length of the chain stays known between the blocks that are scanned, and so does the time left", (t) => {
  let now = 0;
  t.mock.method(performance, "now", () => now);
  const wallet = events();
  const s = new Scanning(wallet, () => undefined);
  s.begin(1000);
  assert.ok(!s.behind);
  // The engine sends the events sync and height for each step.
  wallet.tell(1000, 76_000);
  assert.deepEqual([s.height, s.target, s.behind], [1000, 76_000, true]);
  now = 10_000;
  wallet.tell(26_000, 76_000);
  assert.deepEqual([s.height, s.target, s.behind, s.left], [26_000, 76_000, true, 20_000]);
  wallet.tell(76_000, 76_000);
  assert.deepEqual([s.height, s.target, s.behind, s.left], [76_000, 76_000, false, undefined]);
  // A reorganisation to a chain that is not longer is nothing to wait for.
  wallet.tell(75_990);
  assert.deepEqual([s.height, s.target, s.behind], [75_990, 75_990, false]);
});

test("an event before the first answer is newer than that answer", () => {
  const wallet = events();
  const s = new Scanning(wallet, () => undefined);
  wallet.tell(500, 900);
  s.begin(400);
  assert.deepEqual([s.height, s.target], [500, 900]);
});

test("the node's chain counts before the wallet's first event", () => {
  let changes = 0;
  const s = new Scanning(events(), () => changes++);
  s.begin(31_001);
  changes = 0;
  s.know(106_000);
  assert.deepEqual([s.target, s.behind, s.behindNode, changes], [106_000, true, true, 1]);
  s.know(31_002); // the wallet may not have noticed the newest block yet
  assert.ok(!s.behind);
});

test("a wallet that knows how far it is behind still counts as behind its node", () => {
  const wallet = events();
  const s = new Scanning(wallet, () => undefined);
  wallet.tell(1, 81);
  s.know(81);
  assert.ok(s.behind && s.behindNode, "or a failure of scanning would never be asked for");
});

test("the chain of a node that catches up is as long as the one it catches up with", () => {
  const h: Health = {
    address: "",
    state: "behind",
    height: 31_001,
    target: 106_000,
    network: "",
    version: "",
    latency: 1,
  };
  assert.equal(chainLength(h), 106_000);
  assert.equal(chainLength({ ...h, state: "unreachable" }), 0);
  assert.equal(chainLength(undefined), 0);
});
