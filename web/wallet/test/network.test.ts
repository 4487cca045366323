import assert from "node:assert/strict";
import { test } from "node:test";
import { testNetwork } from "../src/lib/network.js";

test("the network is named wherever money is worthless", () => {
  const node = "http://127.0.0.1:18081";
  assert.equal(testNetwork({ network: "mainnet", node }), "");
  assert.equal(testNetwork({ network: "stagenet", node }), "Stagenet");
  assert.equal(testNetwork({ network: "testnet", node }), "Testnet");
  assert.equal(testNetwork({ network: "regtest", node }), "Regtest");
  // The network of the settings is that of the user's node, which the private chain in the page does not use.
  assert.equal(testNetwork({ network: "mainnet", node: "embedded:" }), "Private chain");
});
