// Monero's next hard fork: wallets follow a private chain across it and pay after it.
import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";

import { Glim } from "../dist/node.js";
import { exec, folder, mine, ownDaemon, patience, sdk } from "./tools.mjs";

/** Calls use with an engine, and ends the engine. */
async function engine(options, use) {
  const started = await Glim.start({ network: "regtest", workers: 1, kdf: { time: 1, memory: 64 }, ...options });
  try {
    return await use(started);
  } finally {
    await started[Symbol.asyncDispose]();
  }
}

test("a wallet in a folder pays after the next hard fork, also when it is opened again", async (t) => {
  const daemon = await ownDaemon(t, "--fork-height", "20", "--fork-grace", "2");
  const database = folder(t);
  // An engine that starts before the fork reports it, and the next one finds out itself that the chain has forked.
  const [address, to] = await engine({ daemon, database }, async (glim) => {
    const payer = await glim.create({ name: "payer", password: "p" });
    const payee = await glim.create({ name: "payee", password: "p" });
    const [{ address }] = await payer.addresses();
    const [{ address: to }] = await payee.addresses();
    await mine(daemon, address, 24);
    await assert.rejects(payer.sync(), { name: "GlimError", reason: "NextFork" });
    return [address, to];
  });
  const first = await engine({ daemon, database }, async (glim) => {
    const payer = await glim.open("payer", "p");
    const payee = await glim.open("payee", "p");
    await payer.sync();
    const { total } = await payer.balance();
    await mine(daemon, address, 60);
    await payer.sync();
    const across = await payer.balance();
    assert.ok(across.total > total && across.unlocked > 0n, "rewards from both sides of the fork");

    const all = await payer.rpc.incomingTransfers({ transfer_type: "available" });
    const chosen = all.transfers.filter((o) => [19n, 20n].includes(BigInt(o.block_height)));
    assert.equal(chosen.length, 2, "an output from before the fork, and one from after it");
    const amount = BigInt(chosen[0].amount) + 1n;
    const paid = await payer.rpc.transfer({
      destinations: [{ address: to, amount }],
      key_images: chosen.map((o) => o.key_image),
    });
    await mine(daemon, address, 1);
    await payee.sync();
    assert.equal((await payee.balance()).total, amount);
    const { engine: used } = await glim.memory();
    assert.ok(used < 200e6, `${used} bytes`);
    return paid.tx_hash;
  });

  // The stored tree serves the next engine.
  await engine({ daemon, database, protocol: "next" }, async (glim) => {
    const payer = await glim.open("payer", "p");
    await payer.sync();
    assert.deepEqual(await glim.wallets(), ["payee", "payer"]);
    const given = new AbortController();
    const cancelled = assert.rejects(payer.send({ to, amount: 5n }, { signal: given.signal }), /not needed/);
    setTimeout(() => given.abort(new Error("not needed")), 100);
    await cancelled;
    const shares = [];
    const heard = payer.on("proving", (percent) => shares.push(percent));
    const [id] = await (await payer.send({ to, amount: 5n })).confirm();
    heard();
    assert.ok(shares.length > 0, "the progress of the proof");
    assert.deepEqual(
      shares,
      shares.toSorted((a, b) => a - b),
    );
    assert.match(id, /^[0-9a-f]{64}$/);
    assert.notEqual(id, first);
  });
});

test("the example of the README crosses the fork on a private chain in a worker, and pays", async (t) => {
  const [, example] = readFileSync(join(sdk, "README.md"), "utf8").match(
    /```js\n((?:(?!```)[\s\S])*forkHeight[\s\S]*?)```/,
  );
  const file = join(folder(t), "example.mjs");
  const ours = JSON.stringify(pathToFileURL(join(sdk, "dist", "node.js")).href);
  writeFileSync(file, example.replace('"glim"', ours));
  const { stdout } = await exec(process.execPath, [file], { timeout: patience });
  assert.match(stdout, /'[0-9a-f]{64}'/);
});
