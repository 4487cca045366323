import assert from "node:assert/strict";
import { test } from "node:test";
import { ends, payee, short } from "../src/lib/payee.js";

// The donation address of the Monero project, getmonero.org/get-started/contributing.
const address = "888tNkZrPN6JsEgekjMnABU4TBzc2Dt29EPAvkRxbANsAnjyPbb3iQ1YBRk1UXcdRsiKc9dhwMVgN5S9cQUiyoogDavup3H";

test("an address is told by its shape", () => {
  assert.deepEqual(payee(address), { kind: "address", text: address });
  assert.deepEqual(payee(`  ${address.slice(0, 40)}\n ${address.slice(40)}`), { kind: "address", text: address });
  for (const wrong of [address.slice(1), `${address}1`, address.replace("N", "0"), "bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq"]) assert.equal(payee(wrong).kind, "unknown", wrong);
});

test("a payment link is told by its scheme", () => {
  assert.deepEqual(payee(`monero:${address}?tx_amount=1`), { kind: "uri", text: `monero:${address}?tx_amount=1` });
  assert.deepEqual(payee(`MONERO://${address}`), { kind: "uri", text: `monero:${address}` });
  assert.deepEqual(payee("   "), { kind: "empty" });
  assert.equal(payee(`bitcoin:${address}`).kind, "unknown");
});

test("nothing of an address is lost between its ends", () => {
  assert.equal(ends(address).join("").replaceAll("\u200b", ""), address);
  assert.equal(short(address), "888tNkZr…avup3H");
  assert.equal(short("abc"), "abc");
});
