import assert from "node:assert/strict";
import { test } from "node:test";
import { Counterparty } from "../src/lib/counterparty.js";
import { demoPlatform, demoSettings, demoStorage, takeOver } from "../src/lib/demo.js";
import type { Engine, EngineWallet, Transfer } from "../src/lib/engine.js";
import type { Platform } from "../src/lib/platform.js";
import { defaults, engineOptions, keep, load } from "../src/lib/settings.js";

/** A platform that stores settings in a map. */
function memory(): { platform: Platform; kept: Map<string, string> } {
  const kept = new Map<string, string>();
  const platform = {
    read: async (key: string) => kept.get(key),
    write: async (key: string, value: string) => void kept.set(key, value),
  } as unknown as Platform;
  return { platform, kept };
}

test("the demo has settings, wallets and a chain of its own", async () => {
  const { platform, kept } = memory();
  const mine = {
    ...defaults,
    node: "https://node.example:18089",
    public: false,
    theme: "dark",
    last: "Savings",
  } as const;
  await keep(platform, mine);
  const before = kept.get("settings");
  await takeOver(platform, await load(platform));
  const apart = demoPlatform(platform);
  const settings = await demoSettings(apart);
  assert.equal(settings.theme, "dark", "it looks the same");
  assert.deepEqual([settings.node, settings.public, settings.autoLock, settings.last], ["embedded:", false, 0, ""]);
  await keep(apart, { ...settings, theme: "light", node: "https://node.example" });
  assert.equal((await demoSettings(apart)).theme, "light");
  assert.equal((await demoSettings(apart)).node, "embedded:", "no node can be chosen");
  assert.equal(kept.get("settings"), before);
  const { database, chain, network } = engineOptions(settings, "", undefined, demoStorage);
  assert.deepEqual([database, chain, network], ["glim-demo", "glim-demo", "regtest"]);
  assert.equal(engineOptions({ ...settings, node: "" }, "").database, "glim");
});

/** A chain with two wallets, as far as the counterparty looks at it. */
class Chain {
  height = 100n;
  pool = 0n;
  locked = 0n;
  received: { txid: string; type: "in" | "pool"; amount: bigint; note: string }[] = [];
  paid: bigint[] = [];
  /** How often the counterparty's money is still locked. */
  poor = 0;

  get engine(): Pick<Engine, "daemon"> {
    const daemon = {
      getInfo: async () => ({ height: this.height, tx_pool_size: this.pool }),
      generateblocks: async () => {
        this.height++;
        this.pool = 0n;
        if (this.locked > 0n) this.locked--;
        for (const t of this.received) t.type = "in";
      },
    };
    return { daemon } as unknown as Pick<Engine, "daemon">;
  }

  wallet(name: string): EngineWallet {
    return {
      name,
      rpc: {
        refresh: async () => ({}),
        getAddress: async () => ({ address: name }),
        getBalance: async () => ({ blocks_to_unlock: this.locked }),
        setTxNotes: async ({ txids, notes }: { txids: string[]; notes: string[] }) => {
          for (const t of this.received) if (t.txid === txids[0] && name === "other") t.note = notes[0] ?? "";
        },
      },
      history: async () => [...this.received].reverse() as unknown as Transfer[],
      send: async ({ amount }: { amount: bigint }) => ({
        confirm: async () => {
          if (this.poor-- > 0) throw { kind: "contract", code: -37, message: "not enough unlocked money" };
          this.paid.push(amount);
          this.pool++;
          this.locked = 10n;
          return ["back"];
        },
      }),
    } as unknown as EngineWallet;
  }
}

function around(chain: Chain): Counterparty {
  const wallets = { own: chain.wallet("own"), other: chain.wallet("other") };
  return new Counterparty(chain.engine, wallets, { look: 0, pool: 0, answer: 0, block: 0 });
}

test("a payment is confirmed, answered once with half of it, and unlocked", async () => {
  const chain = new Chain();
  chain.received.push({ txid: "a", type: "in", amount: 5n, note: "answered" });
  const other = around(chain);
  await other.turn();
  assert.deepEqual([other.stage.kind, chain.height], ["idle", 100n], "nothing is due");

  // Two outputs of one transaction are one payment.
  for (const amount of [7n, 4n]) chain.received.push({ txid: "b", type: "pool", amount, note: "" });
  chain.pool = 1n;
  chain.poor = 1;
  const stages = [];
  for (let i = 0; i < 20; i++) {
    await other.turn();
    stages.push(other.stage.kind);
  }
  assert.deepEqual(chain.paid, [5n]);
  assert.deepEqual(stages.slice(0, 4), ["pool", "answering", "answering", "pool"], "its money was locked at first");
  assert.deepEqual(stages.slice(4, 13), Array(9).fill("unlocking"));
  assert.equal(stages.at(-1), "idle");
  assert.equal(chain.height, 112n, "no more blocks than it takes");
});

test("without mining by itself it waits for blocks, but still answers", async () => {
  const chain = new Chain();
  const other = around(chain);
  other.setAutomatic(false);
  chain.received.push({ txid: "c", type: "pool", amount: 1n, note: "" });
  chain.pool = 1n;
  for (let i = 0; i < 3; i++) await other.turn();
  assert.deepEqual([other.stage, chain.height, chain.paid], [{ kind: "pool", paid: true }, 100n, []]);
  await other.mine(1);
  await other.turn();
  assert.deepEqual(chain.paid, [1n], "even the smallest amount is answered");
});

test("after stop it does nothing", async () => {
  const chain = new Chain();
  const other = around(chain);
  chain.pool = 1n;
  other.stop();
  await other.start();
  await other.turn();
  assert.equal(chain.height, 100n);
});
