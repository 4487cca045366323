import assert from "node:assert/strict";
import { test } from "node:test";
import { amountIn, format, one, parse, parts } from "../src/lib/amount.js";

const amount = (text: string): bigint | string => {
  const e = parse(text);
  return "amount" in e ? e.amount : e.problem;
};

test("amounts are read as people type them", () => {
  for (const [text, want] of [
    ["1", one],
    ["1.5", 1_500_000_000_000n],
    ["1,5", 1_500_000_000_000n],
    ["0,500", 500_000_000_000n],
    ["1,25", 1_250_000_000_000n],
    [".5", 500_000_000_000n],
    ["0.000000000001", 1n],
    ["0.0000000000010", 1n],
    ["1 234.5 XMR", 1_234_500_000_000_000n],
    ["1,234.5", 1_234_500_000_000_000n],
    ["1'000", 1000n * one],
    ["18446744.073709551615", (1n << 64n) - 1n],
  ] as const) {
    assert.equal(amount(text), want, text);
  }
});

test("invalid amounts are refused, never rounded", () => {
  for (const text of [
    "",
    ".",
    "-1",
    "1e3",
    "0x10",
    "1.2.3",
    "1,2,3",
    "1.234,5",
    "12,34.5",
    "1,500",
    "12,345",
    "1,234,567",
    "0.0000000000001",
    "18446744.073709551616",
    "99999999999999999999999",
    "١",
  ]) {
    assert.equal(typeof amount(text), "string", text);
  }
});

test("parse reads what format writes", () => {
  let x = 1n;
  for (let i = 0; i < 500; i++) {
    x = (x * 6364136223846793005n + 1442695040888963407n) % (1n << 64n);
    const a = x >> BigInt(i % 64);
    assert.equal(amount(format(a)), a);
    assert.equal(amount(format(a, true)), a);
  }
});

test("parts show at least two decimals and lose none", () => {
  assert.deepEqual(parts(0n), { sign: "", whole: "0", head: "00", tail: "" });
  assert.deepEqual(parts(1_234_567n * one + 500_000_000_000n), {
    sign: "",
    whole: "1\u2009234\u2009567",
    head: "50",
    tail: "",
  });
  assert.deepEqual(parts(-35_184_338_534_400n), { sign: "\u2212", whole: "35", head: "1843", tail: "385344" });
});

test("the amount in a pasted text is found", () => {
  for (const text of ["1.5", " 1.5\n", "1.5 XMR", "XMR 1.5", "1.5xmr"]) assert.equal(amountIn(text), "1.5", text);
  assert.equal(amountIn("five"), "five", "the field says what is wrong");
  assert.equal(amountIn("9".repeat(1e6)).length, 40);
});
