import assert from "node:assert/strict";
import { test } from "node:test";
import type { EngineWallet } from "../src/lib/engine.js";
import { readOutputs, sorted, spendable, sumOf } from "../src/lib/outputs.js";

const output = (n: number, more: Record<string, unknown> = {}): Record<string, unknown> => ({
  key_image: `image ${n}`,
  amount: BigInt(n) * 10n,
  tx_hash: `tx ${n}`,
  block_height: BigInt(100 + n),
  subaddr_index: { major: 2, minor: n % 2 },
  frozen: false,
  unlocked: true,
  ...more,
});

/** A wallet that answers with these outputs and this history. */
function wallet(transfers: unknown[] | undefined, history: unknown[]): EngineWallet {
  return {
    rpc: {
      incomingTransfers: async (request: unknown) => {
        assert.deepEqual(request, { transfer_type: "available", account_index: 2 });
        return { transfers };
      },
      getAddress: async () => ({ addresses: [{ address_index: 1, label: "Apples" }] }),
    },
    history: async () => history,
  } as unknown as EngineWallet;
}

test("an output has its address's label, its age and its lock", async () => {
  const date = new Date(1_700_000_000_000);
  const list = await readOutputs(
    wallet(
      [output(1), output(2), output(3, { unlocked: false }), output(4, { unlocked: false })],
      [
        { txid: "tx 1", date, unlockTime: 0n },
        // A payment to oneself is listed twice; only the entry of the recipient has the unlock time.
        { txid: "tx 3", date, unlockTime: 163n },
        { txid: "tx 3", date, unlockTime: 0n },
        { txid: "tx 4", date, unlockTime: 1_800_000_000n },
      ],
    ),
    2,
  );
  assert.deepEqual(
    list.map((o) => [o.label, o.date, o.unlocks.height, o.unlocks.date?.getTime()]),
    [
      ["Apples", date, 111, undefined],
      ["", undefined, 112, undefined],
      ["Apples", date, 163, undefined],
      ["", date, 114, 1_800_000_000_000],
    ],
  );
  assert.deepEqual(await readOutputs(wallet(undefined, []), 2), []);
});

test("only unlocked outputs with a known key image that are not frozen can be spent", async () => {
  const list = await readOutputs(
    wallet([output(5), output(6, { frozen: true }), output(7, { unlocked: false }), output(8, { key_image: "" })], []),
    2,
  );
  assert.deepEqual(list.map(spendable), [true, false, false, false]);
  assert.equal(sumOf(list), 260n);
  const amounts = (order: "newest" | "largest"): bigint[] => sorted(list, order).map((o) => o.amount);
  assert.deepEqual(amounts("newest"), [80n, 70n, 60n, 50n]);
  const same = [...list, { ...list[0]!, amount: 80n, height: 1, image: "z" }];
  assert.deepEqual(
    sorted(same, "largest").map((o) => o.height),
    [108, 1, 107, 106, 105],
  );
});
