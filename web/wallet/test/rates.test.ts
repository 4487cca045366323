import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { ago, money } from "../src/lib/i18n.js";
import {
  addressOf,
  bought,
  fiatValue,
  findPrice,
  parseFiat,
  readSources,
  stale,
  worth,
  type Rate,
} from "../src/lib/rates.js";

const file = readFileSync(new URL("../public/rates.json", import.meta.url), "utf8");
const rate = (price: bigint): Rate => ({ source: "here", currency: "EUR", price, at: 0 });

test("the list of sources is complete, and its addresses contain only the currency", () => {
  const all = readSources(file);
  assert.deepEqual(
    all.map((s) => s.id),
    (JSON.parse(file) as { sources: { id: string }[] }).sources.map((s) => s.id),
  );
  for (const source of all) {
    assert.match(source.terms, /^https:/);
    for (const currency of source.currencies) {
      const url = new URL(addressOf(source, currency));
      assert.equal(url.protocol, "https:");
      assert.doesNotMatch(url.href, /[{}]/);
      assert.match(url.href, new RegExp(currency, "i"));
    }
  }
});

test("entries that are not sources are left out", () => {
  const good = {
    id: "a",
    name: "A",
    url: "https://a.example/{currency}",
    rate: ["x"],
    currencies: ["EUR"],
    sees: { en: "it" },
  };
  const bad = [
    null,
    7,
    {},
    { ...good, id: "" },
    { ...good, url: "ftp://a.example/" },
    { ...good, url: "javascript:alert(1)" },
    { ...good, rate: "x" },
    { ...good, rate: [{}] },
    { ...good, currencies: [] },
    { ...good, currencies: ["euro"] },
    { ...good, sees: undefined },
    { ...good, sees: "it" },
    { ...good, sees: { de: "es" } },
    { ...good, sees: { en: 1 } },
  ];
  assert.equal(readSources(JSON.stringify({ sources: [good] })).length, 1);
  for (const entry of bad)
    assert.deepEqual(readSources(JSON.stringify({ sources: [entry] })), [], JSON.stringify(entry));
  assert.deepEqual(readSources("[]"), []);
});

test("the price is found in the answers of the sources, and nothing else is taken for one", () => {
  const [gecko, paprika, kraken] = readSources(file);
  assert.ok(gecko && paprika && kraken);
  assert.equal(findPrice('{"monero":{"eur":151.93}}', gecko, "EUR"), 15_193_000_000n);
  assert.equal(findPrice('{"quotes":{"EUR":{"price":151.123456789}}}', paprika, "EUR"), 15_112_345_679n);
  assert.equal(
    findPrice('{"error":[],"result":{"XXMRZEUR":{"c":["151.25000000","1"]}}}', kraken, "EUR"),
    15_125_000_000n,
  );
  for (const wrong of [
    "",
    "null",
    "[]",
    "{}",
    '{"monero":null}',
    '{"monero":{"usd":1}}',
    '{"monero":{"eur":0}}',
    '{"monero":{"eur":-1}}',
    '{"monero":{"eur":1e300}}',
    '{"monero":{"eur":"1e5"}}',
    '{"monero":{"eur":{}}}',
    '{"monero":{"eur":true}}',
    '{"__proto__":{"eur":1}}',
  ])
    assert.equal(findPrice(wrong, gecko, "EUR"), undefined, wrong);
});

test("amounts are converted exactly, and back to less than a millionth", () => {
  const r = rate(15_193_000_000n);
  assert.equal(worth(1_000_000_000_000n, r), r.price);
  assert.equal(worth(0n, r), 0n);
  assert.equal(worth((1n << 64n) - 1n, r), (((1n << 64n) - 1n) * r.price) / 1_000_000_000_000n);
  assert.equal(bought(r.price, r), 1_000_000_000_000n);
  for (let fiat = 1_000_000n; fiat < 10n ** 16n; fiat = fiat * 3n + 7n) {
    const xmr = bought(fiat, r);
    assert.equal(xmr % 1_000_000n, 0n);
    assert.ok(worth(xmr, r) <= fiat && fiat - worth(xmr + 1_000_000n, r) <= 0n, fiat.toString());
  }
});

test("fiat amounts are read as people type them, and written with their currency", () => {
  assert.equal(parseFiat("12.50"), 1_250_000_000n);
  assert.equal(parseFiat("12,5"), 1_250_000_000n);
  assert.equal(parseFiat(" 1 000 "), 100_000_000_000n);
  assert.equal(parseFiat(".5"), 50_000_000n);
  for (const wrong of ["", ".", "1.2.3", "1,2,3", "x", "-1", "1e5"]) assert.equal(parseFiat(wrong), undefined, wrong);
  assert.equal(money(fiatValue(15_193_000_000n), "EUR"), "\u20ac151.93");
});

test("a rate is marked when it is old, and its age is told in words", () => {
  assert.equal(stale({ ...rate(1n), at: 1_000 }, 901_000), false);
  assert.equal(stale({ ...rate(1n), at: 1_000 }, 901_001), true);
  const now = Date.parse("2026-06-01T12:00:00Z");
  for (const [past, words] of [
    [0, "now"],
    [59 * 60_000, "59 minutes ago"],
    [3 * 3_600_000, "3 hours ago"],
    [40 * 86_400_000, "1 month ago"],
    [800 * 86_400_000, "2 years ago"],
  ] as const)
    assert.equal(ago(new Date(now - past), now), words);
});
