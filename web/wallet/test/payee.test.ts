import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { parseName } from "glim/openalias";
import { ends, payee, short, visible } from "../src/lib/payee.js";

// The donation address of the Monero project, getmonero.org/get-started/contributing.
const address = "888tNkZrPN6JsEgekjMnABU4TBzc2Dt29EPAvkRxbANsAnjyPbb3iQ1YBRk1UXcdRsiKc9dhwMVgN5S9cQUiyoogDavup3H";

test("an address is recognised by its form", () => {
  assert.deepEqual(payee(address), { kind: "address", text: address });
  assert.deepEqual(payee(`  ${address.slice(0, 40)}\n ${address.slice(40)}`), { kind: "address", text: address });
  for (const wrong of [
    address.slice(1),
    `${address}1`,
    address.replace("N", "0"),
    "bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq",
  ])
    assert.equal(payee(wrong).kind, "unknown", wrong);
});

test("characters without width are removed", () => {
  const split = address.replace(/(.{5})/g, "$1\u200b");
  for (const text of [split, `\ufeff${address}`, `\u2066${address}\u2069`, address.replace(/(.{9})/g, "$1\u200d")])
    assert.deepEqual(payee(text), { kind: "address", text: address });
  assert.equal(visible("a\u200bb\u00ad\u2060c\ufeff"), "abc");
  assert.equal(visible("👩\u200d💻"), "👩\u200d💻", "joiners stay");
});

test("a payment link is recognised by its scheme", () => {
  assert.deepEqual(payee(`monero:${address}?tx_amount=1`), { kind: "uri", text: `monero:${address}?tx_amount=1` });
  assert.deepEqual(payee(`MONERO://${address}`), { kind: "uri", text: `monero:${address}` });
  assert.deepEqual(payee("   "), { kind: "empty" });
  assert.equal(payee(`bitcoin:${address}`).kind, "unknown");
});

test("a name is recognised as the module that looks it up does", () => {
  const vectors = JSON.parse(readFileSync("../../core/openalias/testdata/openalias.json", "utf8")) as {
    names: Record<string, string>;
    not_names: string[];
  };
  for (const name of Object.keys(vectors.names)) assert.deepEqual(payee(` ${name} `), { kind: "name", text: name });
  for (const text of vectors.not_names) {
    const p = payee(text);
    if (p.kind === "name") assert.doesNotThrow(() => parseName(p.text), text); // white space around it is removed
    assert.ok(p.kind !== "name" || text !== p.text, text);
  }
  assert.equal(payee("https://example.org").kind, "unknown");
  assert.equal(payee("donate.ex\u00e4mple.org").kind, "unknown");
});

test("splitting an address loses nothing", () => {
  const [head, middle, tail] = ends(address);
  assert.equal(head + middle.join("") + tail, address);
  assert.equal(short(address), "888tNkZr…avup3H");
  assert.equal(short("abc"), "abc");
});
