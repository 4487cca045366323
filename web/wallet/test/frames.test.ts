import assert from "node:assert/strict";
import { test } from "node:test";
import { base45, Collector, crc32, encode, fromBase45, maxFrames } from "../src/lib/frames.js";

const bytes = (n: number): Uint8Array => Uint8Array.from({ length: n }, (_, i) => (i * 167 + (i >> 8) * 31 + 5) & 0xff);
const text = new TextEncoder();

test("base 45 is that of RFC 9285, section 4.3 and 4.4", () => {
  assert.equal(base45(text.encode("AB")), "BB8");
  assert.equal(base45(text.encode("Hello!!")), "%69 VD92EX0");
  assert.equal(base45(text.encode("base-45")), "UJCLQE7W581");
  assert.deepEqual(fromBase45("QED8WEX0"), text.encode("ietf!"));
  for (const wrong of ["GGW", ":::", "A", "::", "ab1"]) assert.equal(fromBase45(wrong), undefined, wrong);
});

test("the checksum is that of ISO 3309", () => {
  assert.equal(crc32(text.encode("123456789")), 0xcbf43926);
});

test("data comes back whole, from frames in any order and more than once", () => {
  for (const n of [0, 1, 299, 300, 301, 5000]) {
    const frames = encode("U", bytes(n));
    const c = new Collector();
    const mixed = [...frames.slice(1).reverse(), ...frames.slice(1), frames[0]!];
    const states = mixed.map((f) => c.take(f));
    for (const s of states.slice(0, -1)) assert.equal(s.state, "more");
    const last = states.at(-1)!;
    assert.ok(last.state === "whole" && last.kind === "U");
    assert.deepEqual(last.data, bytes(n));
  }
});

test("a frame of another set begins anew", () => {
  const a = encode("O", bytes(700));
  const b = encode("O", bytes(701));
  const c = new Collector();
  c.take(a[0]!);
  c.take(a[1]!);
  assert.deepEqual(c.take(b[0]!), { state: "more", have: 1, total: 3 });
});

test("damage is found", () => {
  const [first, second] = encode("S", bytes(400)) as [string, string];
  const c = new Collector();
  c.take(first);
  const other = second.slice(0, -3) + base45(Uint8Array.of(1, 2));
  assert.notEqual(other, second);
  assert.equal(c.take(other).state, "damaged");
  assert.equal(c.take(first).state, "more");
  assert.equal(c.take(second).state, "whole");
});

test("what is no frame is said to be none", () => {
  const [frame] = encode("M", bytes(10)) as [string];
  for (const wrong of ["", "GLIM", "monero:4", frame.replace("GLIM", "glim"), frame.replace("/M/", "/X/"), frame.replace("/1/1/", "/2/1/"), frame.replace("/1/1/", "/0/1/"), frame.replace("/10/", "/9999999/"), `${frame}~`]) {
    assert.equal(new Collector().take(wrong).state, "other", wrong);
  }
});

test("sets are bounded", () => {
  assert.throws(() => encode("U", new Uint8Array(300 * maxFrames + 1)), RangeError);
});
