import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { bothers, pending } from "../src/lib/pending.js";
import { Code, type Outcome, type Pending } from "../src/lib/site.js";
import { sites } from "../src/lib/sites.js";

/** Stands in for a storage area of the browser. */
function area() {
  const kept = new Map<string, unknown>();
  return {
    get: async (name: string | null) => Object.fromEntries([...kept].filter(([key]) => name === null || key === name)),
    set: async (values: object) => {
      for (const [key, value] of Object.entries(values)) kept.set(key, value);
    },
    remove: async (name: string) => void kept.delete(name),
  };
}

const origin = "https://shop.example";
const ask: Pending = {
  id: "a",
  origin,
  tab: 1,
  page: "p",
  question: 1,
  method: "sign",
  params: { message: "tea" },
  since: 0,
};
const closed: Outcome = { error: { code: Code.Rejected, message: "closed" } };

beforeEach(() => {
  Object.assign(globalThis, { chrome: { storage: { session: area(), local: area() } } });
});

test("a request that several callers settle at once counts as one refusal", async () => {
  await pending.put(ask);
  const settled = await Promise.all([1, 2, 3].map(() => pending.settle(ask.id, closed)));
  assert.deepEqual(
    settled.map((s) => s?.outcome),
    [closed, undefined, undefined],
  );
  assert.equal((await bothers.of(origin))?.refusals, 1);
});

test("a request that was settled while its window opened stays settled", async () => {
  await pending.put(ask);
  const [settled, shown] = await Promise.all([pending.settle(ask.id, closed), pending.shownIn(ask.id, 7)]);
  assert.deepEqual([settled?.outcome, shown], [closed, false]);
  assert.equal((await pending.get(ask.id))?.window, undefined);
});

test("the window of a request is recorded", async () => {
  await pending.put(ask);
  assert.equal(await pending.shownIn(ask.id, 7), true);
  assert.equal((await pending.get(ask.id))?.window, 7);
  assert.equal(await pending.shownIn("another", 7), false);
});

test("a failed change does not block the next", async () => {
  await pending.put(ask);
  const { session } = chrome.storage;
  const set = session.set;
  session.set = () => Promise.reject(new Error("full"));
  await assert.rejects(pending.settle(ask.id, closed), /full/);
  session.set = set;
  assert.deepEqual((await pending.settle(ask.id, closed))?.outcome, closed);
});

test("sites connected at the same time are both kept", async () => {
  const grant = { wallet: "till", network: "regtest", address: "8", account: 0, index: 1, since: 1 };
  const origins = [origin, "https://other.example"];
  await Promise.all(origins.map((o) => sites.grant({ ...grant, origin: o })));
  assert.deepEqual((await sites.all()).map((g) => g.origin).sort(), origins.sort());
  assert.deepEqual(await Promise.all(origins.map((o) => sites.revoke(o))), [true, true]);
  assert.deepEqual(await sites.all(), []);
});
