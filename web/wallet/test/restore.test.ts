import assert from "node:assert/strict";
import { test } from "node:test";
import { begin, words } from "../src/lib/restore.js";
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
    assert.deepEqual(words(text), { kind: "words", text: joined, count: 25 });
  }
  assert.equal(words(list.slice(0, 16).join("\u3000")).kind, "polyseed");
  assert.deepEqual(words(list.slice(0, 7).join(" ")), { kind: "none", count: 7 });
  assert.equal(words("").kind, "none");
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
