import assert from "node:assert/strict";
import { test } from "node:test";
import { UR_TYPES, UREncoder } from "glim";
import {
  allOf,
  base45,
  codesOf,
  Collector,
  EitherCollector,
  framesOf,
  fromBase45,
  kinds,
  maxFrames,
  type Kind,
} from "../src/lib/frames.js";

const bytes = (n: number): Uint8Array => Uint8Array.from({ length: n }, (_, i) => (i * 167 + (i >> 8) * 31 + 5) & 0xff);
const text = new TextEncoder();

test("base 45 is that of RFC 9285, section 4.3 and 4.4", () => {
  assert.equal(base45(text.encode("AB")), "BB8");
  assert.equal(base45(text.encode("Hello!!")), "%69 VD92EX0");
  assert.equal(base45(text.encode("base-45")), "UJCLQE7W581");
  assert.deepEqual(fromBase45("QED8WEX0"), text.encode("ietf!"));
  for (const wrong of ["GGW", ":::", "A", "::", "ab1"]) assert.equal(fromBase45(wrong), undefined, wrong);
});

test("data is complete after frames in any order, with repetitions", () => {
  for (const n of [0, 1, 299, 300, 301, 5000]) {
    const frames = allOf(framesOf("U", bytes(n)));
    const c = new Collector();
    const mixed = [...frames.slice(1).reverse(), ...frames.slice(1), frames[0]!];
    const states = mixed.map((f) => c.take(f));
    for (const s of states.slice(0, -1)) assert.equal(s.state, "more");
    const last = states.at(-1)!;
    assert.ok(last.state === "whole" && last.kind === "U");
    assert.deepEqual(last.data, bytes(n));
  }
});

test("a frame of another set starts over", () => {
  const a = allOf(framesOf("O", bytes(700)));
  const b = allOf(framesOf("O", bytes(701)));
  const c = new Collector();
  c.take(a[0]!);
  c.take(a[1]!);
  assert.deepEqual(c.take(b[0]!), { state: "more", have: 1, total: 3 });
});

test("damage is detected", () => {
  const [first, second] = allOf(framesOf("S", bytes(400))) as [string, string];
  const c = new Collector();
  c.take(first);
  const other = second.slice(0, -3) + base45(Uint8Array.of(1, 2));
  assert.notEqual(other, second);
  assert.equal(c.take(other).state, "damaged");
  assert.equal(c.take(first).state, "more");
  assert.equal(c.take(second).state, "whole");
});

test("other texts are not taken for frames", () => {
  const [frame] = allOf(framesOf("M", bytes(10))) as [string];
  for (const wrong of [
    "",
    "GLIM",
    "monero:4",
    frame.replace("GLIM", "glim"),
    frame.replace("/M/", "/X/"),
    frame.replace("/1/1/", "/2/1/"),
    frame.replace("/1/1/", "/0/1/"),
    frame.replace("/10/", "/9999999/"),
    `${frame}~`,
  ]) {
    assert.equal(new Collector().take(wrong).state, "other", wrong);
  }
});

test("the size of a set is limited", () => {
  assert.throws(() => framesOf("U", new Uint8Array(300 * maxFrames + 1)), RangeError);
});

test("codes of either form are read, with some missed", () => {
  const data = bytes(5000);
  const c = new EitherCollector();
  for (const kind of Object.keys(kinds) as Kind[]) {
    for (const form of ["ur", "glim", "ur"] as const) {
      const codes = allOf(codesOf(form, kind, data));
      const ur = form === "ur" && "OKUS".includes(kind);
      assert.ok(codes.every((code) => code.startsWith(ur ? "UR:XMR-" : `GLIM/${kind}/`)));
      const seen = ur ? codes.filter((_, i) => i % 9 !== 4) : codes;
      const whole = seen.map((code) => c.take(code)).find((taken) => taken.state === "whole");
      assert.ok(whole?.state === "whole" && whole.kind === kind, `${kind} ${form}`);
      assert.deepEqual(whole.data, data);
    }
  }
});

test("a code of the other form starts over, and damaged and other URs are reported", () => {
  const data = bytes(700);
  const c = new EitherCollector();
  const [one, two] = [allOf(codesOf("ur", "O", data)), allOf(codesOf("glim", "O", data))];
  assert.equal(c.take(one[0]!).state, "more");
  assert.equal(c.take(two[0]!).state, "more");
  assert.deepEqual(c.take(one[1]!), { state: "more", have: 1, total: one.length / 2 });
  assert.equal(c.take(one[2]!.slice(0, -2)).state, "damaged");
  assert.deepEqual(c.take(one[2]!), { state: "more", have: 2, total: one.length / 2 });
  assert.equal(c.take("monero:4").state, "other");
  assert.equal(c.take(new UREncoder("bytes", bytes(9)).part(1)).state, "other");
  const small = c.take(new UREncoder(UR_TYPES.signed, bytes(9)).part(1));
  assert.ok(small.state === "whole" && small.kind === "S");
});

test("a code of large data is made when it is shown", (t) => {
  const data = bytes(256 << 10);
  const made = t.mock.method(UREncoder.prototype, "part");
  const codes = codesOf("ur", "U", data);
  assert.equal(made.mock.callCount(), 0);
  const last = codes.at(codes.length - 1);
  assert.equal(made.mock.callCount(), 1);
  assert.equal(last, new UREncoder(UR_TYPES.unsigned, data).codes().at(-1));
  assert.equal(codes.length, 2 * new UREncoder(UR_TYPES.unsigned, data).count);
});
