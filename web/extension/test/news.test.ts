import assert from "node:assert/strict";
import { test } from "node:test";
import { after, badge, readNews, type News } from "../src/lib/news.js";

const id = "ab".repeat(32);
const now = 1_800_000_000_000;
const event = (more: Record<string, unknown>): string =>
  JSON.stringify({ type: "pool", direction: "in", txid: id, amount: "1500000000000", timestamp: now / 1000, ...more });

test("only incoming payments that just happened are news", () => {
  assert.deepEqual(readNews("w", event({}), now), { wallet: "w", txid: id, stage: "pool", amount: "1500000000000" });
  assert.equal(readNews("w", event({ type: "confirmed" }), now)?.stage, "confirmed");
  assert.equal(readNews("w", event({ type: "reorganised" }), now)?.stage, "reorganised");
  for (const other of [
    event({ direction: "out" }),
    event({ coinbase: true }),
    event({ type: "unlocked" }),
    event({ type: "height" }),
    event({ txid: "x" }),
    event({ txid: undefined }),
    event({ type: "confirmed", timestamp: now / 1000 - 90_000 }),
    "",
    "null",
    "[]",
    '"pool"',
  ])
    assert.equal(readNews("w", other, now), undefined, other);
});

test("a payment counts once from the pool to its block, and not after its block is gone", () => {
  const news = (stage: News["stage"], txid = id): News => ({ wallet: "w", txid, stage, amount: "1" });
  let list = after([], news("pool"));
  list = after(list, news("pool"));
  assert.equal(badge(list), "1");
  list = after(list, news("confirmed"));
  assert.deepEqual([badge(list), list[0]?.stage], ["1", "confirmed"]);
  list = after(list, news("pool", "cd".repeat(32)));
  assert.equal(badge(list), "2");
  assert.equal(badge(after(list, { ...news("pool"), wallet: "other" })), "3");
  list = after(list, news("reorganised"));
  assert.equal(badge(list), "1");
  assert.equal(badge([]), "");
  for (let n = 0; n < 120; n++) list = after(list, news("pool", String(n)));
  assert.equal(badge(list), "99+");
});
