import assert from "node:assert/strict";
import { test } from "node:test";
import { readBackup } from "../src/lib/backup.js";
import { copyName, needsCopy, payments, savedPayments } from "../src/lib/copies.js";
import type { EngineWallet } from "../src/lib/engine.js";

/** A wallet with one attribute; "" if it was never set. */
const wallet = (value: string): Pick<EngineWallet, "rpc"> => ({
  rpc: {
    getAttribute: async () => {
      if (value === "")
        throw { kind: "contract", code: -45, reason: "AttributeNotFound", message: "attribute not found" };
      return { value };
    },
  } as unknown as EngineWallet["rpc"],
});

test("payments that seed words do not bring back are counted", () => {
  const types = ["in", "block", "pool", "out", "pending", "failed"] as const;
  assert.equal(payments(types.map((type) => ({ type }))), 2);
});

test("a copy is due after the first payment if the browser may delete the wallet, otherwise after ten", () => {
  assert.deepEqual(
    [
      needsCopy(0, 0, false),
      needsCopy(1, 0, false),
      needsCopy(5, 5, false),
      needsCopy(9, 0, true),
      needsCopy(15, 5, true),
    ],
    [false, true, false, false, true],
  );
});

test("unreadable records count as missing", async () => {
  assert.equal(await savedPayments(wallet("")), 0);
  assert.equal(await savedPayments(wallet("7")), 7);
  for (const odd of ["-1", "1.5", "text", "1e300"]) assert.equal(await savedPayments(wallet(odd)), 0, odd);
  assert.equal(await readBackup(wallet("")), "open");
  assert.equal(await readBackup(wallet("yes")), "open");
  assert.equal(await readBackup(wallet("verified")), "verified");
});

test("a copy is named after its wallet and the day", () => {
  assert.equal(copyName("Savings", new Date("2026-01-31T12:00:00Z")), "Savings-2026-01-31.glim");
});
