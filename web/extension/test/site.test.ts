import assert from "node:assert/strict";
import { test } from "node:test";
import { answered, leftAlone, type Bother } from "../src/lib/patience.js";
import { Code, mayAsk, readAsk, Refusal, tellsAddress } from "../src/lib/site.js";

const address = "8BSgcYE61XCH5kJZyCGiJj6t9NAuEzaM4GtxabzP4iNDTiXKNB3dD9EhTHpivVT5Brc3HChtCWfUsTgRRnAND3h3BzwQQ8k";
const txid = "0123456789abcdefABCDEF".padEnd(64, "0");

test("valid requests of a site", () => {
  for (const method of ["connect", "address", "disconnect"]) {
    for (const params of [undefined, null, {}, { more: 1 }]) assert.deepEqual(readAsk(method, params), { method });
  }
  assert.deepEqual(readAsk("pay", { address, amount: "1" }), { method: "pay", address, amount: 1n, description: "" });
  assert.deepEqual(readAsk("pay", { address, amount: "18446744073709551615", description: "tea\nand cake" }), {
    method: "pay",
    address,
    amount: 18446744073709551615n,
    description: "tea\nand cake",
  });
  assert.deepEqual(readAsk("prove", { txid, address }), {
    method: "prove",
    txid: txid.toLowerCase(),
    address,
    message: "",
  });
  assert.deepEqual(readAsk("sign", { message: "你好 – עברית ❤️" }), { method: "sign", message: "你好 – עברית ❤️" });
});

test("invalid requests, and their error codes", () => {
  const table: [unknown, unknown, number][] = [
    ["query_key", {}, Code.Unsupported],
    ["", {}, Code.Unsupported],
    ["constructor", {}, Code.Unsupported],
    [undefined, {}, Code.Unsupported],
    [["pay"], { address, amount: "1" }, Code.Unsupported],
    ["connect", [], Code.Invalid],
    ["connect", "text", Code.Invalid],
    ["pay", {}, Code.Invalid],
    ["pay", { address, amount: 1 }, Code.Invalid],
    ["pay", { address, amount: "0" }, Code.Invalid],
    ["pay", { address, amount: "-1" }, Code.Invalid],
    ["pay", { address, amount: "1.5" }, Code.Invalid],
    ["pay", { address, amount: "0x1" }, Code.Invalid],
    ["pay", { address, amount: " 1" }, Code.Invalid],
    ["pay", { address, amount: "1\n" }, Code.Invalid],
    ["pay", { address, amount: "18446744073709551616" }, Code.Invalid],
    ["pay", { address, amount: "1".repeat(21) }, Code.Invalid],
    ["pay", { address: `${address}\n`, amount: "1" }, Code.Invalid],
    ["pay", { address: address.slice(1), amount: "1" }, Code.Invalid],
    ["pay", { address: "0".repeat(95), amount: "1" }, Code.Invalid],
    ["pay", { address: "8".repeat(95), amount: "1" }, Code.Invalid],
    ["pay", { address: `${address.slice(0, -1)}j`, amount: "1" }, Code.Invalid],
    ["prove", { txid, address: `${address.slice(0, -1)}j` }, Code.Invalid],
    ["pay", { address: [address], amount: "1" }, Code.Invalid],
    ["pay", { address, amount: "1", description: "x".repeat(201) }, Code.Invalid],
    ["pay", { address, amount: "1", description: "\u202eeet" }, Code.Invalid],
    ["pay", { address, amount: "1", description: 5 }, Code.Invalid],
    ["prove", { txid: txid.slice(1), address }, Code.Invalid],
    ["prove", { txid, address: "" }, Code.Invalid],
    ["sign", {}, Code.Invalid],
    ["sign", { message: "" }, Code.Invalid],
    ["sign", { message: "x".repeat(4001) }, Code.Invalid],
    ["sign", { message: "a\u2066b" }, Code.Invalid],
    ["sign", { message: "a\u0000b" }, Code.Invalid],
    // A right-to-left override, a zero-width letter, a Hangul and a Braille character that look like a space, a tag, a
    // variation selector, half a surrogate pair, and an unassigned character.
    ...[
      "\u061c",
      "\u00ad",
      "\u3164",
      "\u2800",
      "\u{e0041}",
      "\ufe00",
      "\ud800",
      "\ue000",
      "\u0085",
      "\u2029",
      "\u{10ffff}",
    ].map((c): [unknown, unknown, number] => ["sign", { message: `a${c}b` }, Code.Invalid]),
  ];
  for (const [method, params, code] of table) {
    assert.throws(
      () => readAsk(method, params),
      (e) => e instanceof Refusal && e.code === code,
      JSON.stringify([method, params]),
    );
  }
});

test("random requests are read within the limits or refused", () => {
  let state = 1;
  // A linear congruential generator, so that the inputs are the same every time.
  const random = (n: number): number => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state % n;
  };
  const pool: (() => unknown)[] = [
    () => undefined,
    () => null,
    () => random(1 << 30) - (1 << 29),
    () => ({}),
    () => [],
    () => String(random(1 << 30)),
    () => address,
    () => txid,
    () => "x".repeat(random(5000)),
    () => String.fromCharCode(...Array.from({ length: random(12) }, () => random(0x10000))),
    () => Object.create(null),
  ];
  const any = (): unknown => pool[random(pool.length)]!();
  const methods = ["connect", "address", "pay", "prove", "sign", "disconnect"];
  let read = 0;
  for (let i = 0; i < 20_000; i++) {
    const method = random(10) === 0 ? any() : methods[random(methods.length)];
    const params =
      random(10) === 0 ? any() : { address: any(), amount: any(), description: any(), txid: any(), message: any() };
    try {
      const ask = readAsk(method, params);
      read++;
      assert.ok(methods.includes(ask.method));
      if (ask.method === "pay") {
        assert.ok(
          ask.amount > 0n && ask.amount < 1n << 64n && ask.address.length <= 106 && ask.description.length <= 200,
        );
      }
      if (ask.method === "sign" || ask.method === "prove") {
        assert.ok(
          ask.message.length <= 4000 &&
            !/[\u202a-\u202e\u2066-\u2069]/.test(ask.message) &&
            !ask.message.includes("\0"),
        );
      }
    } catch (e) {
      if (!(e instanceof Refusal)) throw e;
    }
  }
  assert.ok(read > 100, "some were read");
});

test("a proof reveals no address of the wallet except the site's own", () => {
  const grant = {
    origin: "https://shop.example",
    wallet: "w",
    network: "mainnet",
    address,
    account: 0,
    index: 1,
    since: 0,
  };
  assert.ok(!tellsAddress("OutProofV2abc", "8other", grant));
  assert.ok(!tellsAddress("InProofV2abc", address, grant));
  assert.ok(tellsAddress("InProofV2abc", "8other", grant));
  assert.ok(tellsAddress("InProofV2abc", address, undefined));
});

test("only pages loaded over https or from this machine may send requests", () => {
  for (const origin of [
    "https://shop.example",
    "https://shop.example:8443",
    "http://localhost:3000",
    "http://127.0.0.1",
  ])
    assert.ok(mayAsk(origin), origin);
  for (const origin of [
    "http://shop.example",
    "http://localhost.shop.example",
    "null",
    "",
    "file://",
    "ftp://localhost",
    "chrome-extension://abc",
  ])
    assert.ok(!mayAsk(origin), origin);
});

test("a site that was refused three times in a minute must wait until the minute is over", () => {
  let b: Bother | undefined;
  for (const at of [0, 1000, 2000]) {
    assert.ok(!leftAlone(b, at));
    b = answered(b, false, at);
  }
  assert.ok(leftAlone(b, 2001) && leftAlone(b, 59_999));
  assert.ok(!leftAlone(b, 60_000));
  assert.equal(answered(b, true, 3000), undefined, "a yes forgives");
  assert.deepEqual(answered(b, false, 60_000), { refusals: 1, since: 60_000 }, "a new minute");
  assert.ok(!leftAlone(b, -5), "a clock that was set back does not lock a site out");
});
