import assert from "node:assert/strict";
import { test } from "node:test";
import { account, begin, words } from "../src/lib/restore.js";
import { asked } from "../src/lib/seed-check.js";

test("words are counted however they are pasted", () => {
  const list = Array.from({ length: 25 }, (_, i) => `word${"abcdefghijklmnopqrstuvwxyz"[i]}`);
  const joined = list.join(" ");
  for (const text of [
    joined,
    list.join("\n"),
    list.map((w, i) => `${i + 1}. ${w}`).join("\n"),
    list.join(", "),
    `  ${joined}  `,
  ]) {
    assert.deepEqual(words(text), { kind: "words", text: joined, count: 25, makers: ["monero"] });
  }
  assert.equal(words(list.slice(0, 16).join("\u3000")).kind, "polyseed");
  assert.deepEqual(words(list.slice(0, 7).join(" ")), { kind: "none", count: 7 });
  assert.equal(words("").kind, "none");
});

test("the number of words says which wallets can have made them", () => {
  const makers = (n: number): readonly string[] => {
    const seed = words(Array.from({ length: n }, () => "abandon").join(" "));
    return seed.kind === "words" ? seed.makers : [seed.kind];
  };
  for (const n of [12, 15, 18, 21]) assert.deepEqual(makers(n), ["trezor", "ledger"], String(n));
  assert.deepEqual(makers(24), ["monero", "trezor", "ledger"]);
  assert.deepEqual(makers(13), ["mymonero"]);
  for (const n of [0, 1, 11, 14, 17, 20, 22, 23, 26]) assert.deepEqual(makers(n), ["none"], String(n));
  const multisig = words("0a".repeat(100));
  assert.deepEqual(multisig.kind === "words" && multisig.makers, ["monero"]);
});

test("an account of a hardware wallet is a number below 2^31", () => {
  assert.deepEqual(["", " 0 ", "7", "2147483647"].map(account), [0, 0, 7, 2147483647]);
  for (const wrong of ["-1", "1.5", "2147483648", "99999999999", "one", "0x1"])
    assert.equal(account(wrong), undefined, wrong);
});

test("scanning starts at a date or a height", () => {
  assert.deepEqual(begin("2024-05-31"), { kind: "date", date: "2024-05-31" });
  assert.deepEqual(begin("2024/5/1"), { kind: "date", date: "2024-05-01" });
  assert.deepEqual(begin("3 100 000"), { kind: "height", height: 3100000 });
  assert.deepEqual(begin("3,100,000"), { kind: "height", height: 3100000 });
  assert.deepEqual(begin(" "), { kind: "empty" });
  for (const wrong of ["2024-02-30", "2024-13-01", "yesterday", "-5", "31.05.2024", "12345678901"])
    assert.equal(begin(wrong).kind, "wrong", wrong);
});

test("the seed check asks for different words, in their order", () => {
  for (let i = 0; i < 200; i++) {
    const places = asked(16, 3);
    assert.equal(new Set(places).size, 3);
    assert.deepEqual(
      places,
      [...places].sort((a, b) => a - b),
    );
    assert.ok(places.every((p) => p >= 0 && p < 16));
  }
  assert.deepEqual(
    asked(2, 5, () => 0),
    [0, 1],
  );
});
