import assert from "node:assert/strict";
import { test } from "node:test";
import { belongs, keccak256, networkOf } from "../src/lib/address.js";
import { vectors } from "../../../core/address/testdata/addresses.json";

test("keccak256 of the texts that its authors give", () => {
  const digest = (text: string): string => Buffer.from(keccak256(new TextEncoder().encode(text))).toString("hex");
  assert.equal(digest(""), "c5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470");
  assert.equal(digest("abc"), "4e03657aea45a94fc7d47ba826c8d667c0d1e6e33a64a036ec44f58fa12d6c45");
});

test("the addresses that the reference makes are recognised, with their network", () => {
  let checked = 0;
  for (const v of vectors) {
    for (const address of [v.standard, v.integrated, ...v.subaddresses]) {
      assert.equal(networkOf(address), v.network, address);
      checked++;
    }
  }
  assert.ok(checked >= 12, String(checked));
});

test("an address with one wrong character is not an address", () => {
  const [{ standard, integrated } = { standard: "", integrated: "" }] = vectors;
  for (const right of [standard, integrated]) {
    for (let i = 0; i < right.length; i++) {
      for (const c of "1z" as const) {
        if (right[i] === c) continue;
        const wrong = right.slice(0, i) + c + right.slice(i + 1);
        assert.equal(networkOf(wrong), undefined, wrong);
      }
    }
    for (const wrong of [right.slice(1), right.slice(0, -1), `${right}1`, ` ${right}`, right.slice(0, 11), ""])
      assert.equal(networkOf(wrong), undefined, wrong);
  }
});

test("a private chain has the addresses of mainnet", () => {
  assert.ok(belongs("mainnet", "mainnet") && belongs("mainnet", "regtest") && belongs("stagenet", "stagenet"));
  assert.ok(!belongs("stagenet", "regtest") && !belongs("mainnet", "stagenet") && !belongs("testnet", "mainnet"));
});
