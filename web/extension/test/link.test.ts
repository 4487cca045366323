import assert from "node:assert/strict";
import { test } from "node:test";
import { readLink } from "../src/lib/link.js";
import { Refusal } from "../src/lib/site.js";

const address = "8BSgcYE61XCH5kJZyCGiJj6t9NAuEzaM4GtxabzP4iNDTiXKNB3dD9EhTHpivVT5Brc3HChtCWfUsTgRRnAND3h3BzwQQ8k";

test("payment links", () => {
  const nothing = { address, amount: "", description: "", recipient: "" };
  const table: [string, Partial<ReturnType<typeof readLink>>][] = [
    ["", {}],
    ["?", {}],
    ["?tx_amount=1.5", { amount: "1500000000000" }],
    ["?tx_amount=0.000000000001", { amount: "1" }],
    ["?tx_amount=3.", { amount: "3000000000000" }],
    ["?tx_amount=0", {}],
    ["?tx_amount=", {}],
    [
      "?recipient_name=Caf%C3%A9%20Mond&tx_description=two+cups%20%26%20cake",
      { recipient: "Café Mond", description: "two+cups & cake" },
    ],
    ["?other=thing&tx_amount=2", { amount: "2000000000000" }],
  ];
  for (const [query, expected] of table)
    assert.deepEqual(readLink(`monero:${address}${query}`), { ...nothing, ...expected }, query);
  assert.deepEqual(readLink(`MONERO://${address}`), nothing);
});

test("links that are refused", () => {
  for (const href of [
    "",
    "monero:",
    `bitcoin:${address}`,
    `monero:${address.slice(0, -1)}z`,
    `monero:${address}/x`,
    `monero:${address}?tx_amount=1,5`,
    `monero:${address}?tx_amount=-1`,
    `monero:${address}?tx_amount=1e3`,
    `monero:${address}?tx_amount=.`,
    `monero:${address}?tx_amount=0.0000000000001`,
    `monero:${address}?tx_amount=18446744.073709551616`,
    `monero:${address}?tx_amount=1&tx_amount=2`,
    `monero:${address}?tx_amount`,
    `monero:${address}?=1`,
    `monero:${address}?tx_payment_id=0123456789abcdef`,
    `monero:${address}?tx_description=%ff`,
    `monero:${address}?tx_description=%E2%80%AEtxet`,
    `monero:${address}?recipient_name=${"x".repeat(201)}`,
    `monero:${address}?tx_description=${"%20".repeat(10_000)}`,
  ])
    assert.throws(() => readLink(href), Refusal, href.slice(0, 200));
});
