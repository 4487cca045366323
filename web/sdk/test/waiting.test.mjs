// Cancelling what waits, and waiting for events.
import assert from "node:assert/strict";
import { createServer } from "node:http";
import { test } from "node:test";

import * as glim from "../dist/node.js";
import { folder, listen, wait } from "./tools.mjs";

const { Glim } = glim;
const abort = { name: "AbortError" };
const start = async (t, options) => {
  const engine = await Glim.start({
    network: "regtest",
    daemon: "embedded:",
    database: "",
    workers: 0,
    kdf: { time: 1, memory: 64 },
    ...options,
  });
  t.after(() => engine[Symbol.asyncDispose]());
  return engine;
};

/** A daemon that answers nothing. Returns its address and a promise of its first request. */
async function silent(t) {
  let asked;
  const first = new Promise((resolve) => (asked = resolve));
  const address = await listen(
    t,
    createServer((req) => asked(req.url)),
  );
  return { address, first };
}

test("an aborted signal refuses every call, and changes nothing", async (t) => {
  const engine = await start(t);
  const wallet = await engine.create({ name: "wallet", password: "p" });
  const [{ address }] = await wallet.addresses();
  const file = await engine.exportFile("wallet");
  const preview = new glim.Preview({}, made(["1"]), [{ address, amount: 1n }], "");
  const signal = AbortSignal.abort();
  const o = { signal };
  const calls = {
    start: () => Glim.start({ network: "regtest", database: "", signal }),
    wallets: () => engine.wallets(o),
    create: () => engine.create({ name: "other", password: "", signal }),
    restore: () => engine.restore({ name: "other", password: "", words: "abbey", signal }),
    open: () => engine.open("wallet", "p", o),
    attach: () => engine.attach("wallet", o),
    remove: () => engine.remove("wallet", o),
    exportFile: () => engine.exportFile("wallet", o),
    importFile: () => engine.importFile("other", file, o),
    nodes: () => engine.nodes(false, o),
    memory: () => engine.memory(o),
    balance: () => wallet.balance(0, o),
    accounts: () => wallet.accounts(o),
    createAccount: () => wallet.createAccount("", o),
    addresses: () => wallet.addresses(0, o),
    newAddress: () => wallet.newAddress({ label: "x", ...o }),
    label: () => wallet.label({ account: 0, index: 0 }, "x", o),
    height: () => wallet.height(o),
    sync: () => wallet.sync(o),
    send: () => wallet.send({ to: address, amount: 1n }, o),
    confirm: () => preview.confirm(o),
    history: () => wallet.history(o),
    note: () => wallet.note("00".repeat(32), "x", o),
    seed: () => wallet.seed(o),
    watch: () => wallet.watch(o),
    lock: () => wallet.lock("p", o),
    unlock: () => wallet.unlock("p", o),
    changePassword: () => wallet.changePassword("p", "q", o),
    once: () => wallet.once("height", o),
    events: () => wallet.events(o).next(),
    addressBook: () => wallet.addressBook.add(address, "x", o),
    proofs: () => wallet.proofs.sign("text", o),
    cold: () => wallet.cold.exportOutputs(true, o),
    multisig: () => wallet.multisig.prepare(o),
    rpc: () => wallet.rpc.createAddress({}, o),
    close: () => wallet.close(o),
  };
  for (const [name, call] of Object.entries(calls)) await assert.rejects(call, abort, name);
  assert.deepEqual(await engine.wallets(), ["wallet"]);
  assert.deepEqual(
    (await wallet.addresses()).map((a) => a.label),
    ["Primary account"],
  );
  assert.equal(await engine.open("wallet", "p"), wallet);
  const reason = new Error("the user went away");
  await assert.rejects(wallet.height({ signal: AbortSignal.abort(reason) }), reason);
});

const made = (metadata) => ({
  tx_hash_list: metadata,
  amount_list: metadata.map(() => 1n),
  fee_list: metadata.map(() => 1n),
  weight_list: metadata.map(() => 1n),
  tx_metadata_list: metadata,
  multisig_txset: "",
  unsigned_txset: "",
});

test("an engine that is cancelled while it starts leaves its folder usable", async (t) => {
  const database = folder(t);
  for (const turns of [0, 1, 20]) {
    const control = new AbortController();
    const ended = start(t, { database, signal: control.signal }).then(
      (engine) => engine.stop(), // on a machine that is busy it may have started before
      (error) => assert.equal(error.name, "AbortError"),
    );
    for (let i = 0; i < turns; i++) await new Promise((resolve) => setImmediate(resolve));
    control.abort();
    await ended;
  }
  const control = new AbortController();
  const engine = await start(t, { database, signal: control.signal });
  control.abort(); // too late
  const wallet = await engine.create({ name: "wallet", password: "" });
  assert.equal(await wallet.height(), 1);
});

test("a wallet whose creation is cancelled exists as a whole or not at all", async (t) => {
  const { address, first } = await silent(t);
  const waiting = await start(t, { daemon: address });
  const control = new AbortController();
  const failed = assert.rejects(
    waiting.create({ name: "wallet", password: "p", signal: control.signal }),
    abort,
    "it waits for the daemon",
  );
  await first;
  control.abort();
  await failed;
  assert.deepEqual(await waiting.wallets(), []);

  const engine = await start(t, { database: folder(t), daemon: "", kdf: { time: 1, memory: 1024 } });
  const outcomes = new Set();
  for (let i = 0; i < 6; i++) {
    const name = `wallet${i}`;
    const control = new AbortController();
    const created = engine.create({ name, password: "p", signal: control.signal }).then(
      () => "created",
      (e) => e.name,
    );
    if (i > 0) await wait(i * 4); // somewhere in its creation
    control.abort();
    const outcome = await created;
    outcomes.add(outcome);
    const exists = (await engine.wallets()).includes(name);
    assert.ok(outcome === "AbortError" || (outcome === "created" && exists), outcome);
    if (!exists) continue;
    const wallet = await engine.open(name, "p");
    assert.equal((await wallet.seed()).split(" ").length, 25);
    await wallet.close();
  }
  assert.ok(outcomes.has("AbortError"), "the first is cancelled before it begins");
});

test("a sync that is cancelled keeps the wallet usable", async (t) => {
  const { address } = await silent(t);
  const engine = await start(t, { daemon: "" });
  const wallet = await engine.create({ name: "wallet", password: "" });
  await wallet.rpc.autoRefresh({ enable: false });
  await wallet.rpc.setDaemon({ address });
  const control = new AbortController();
  const failed = assert.rejects(wallet.sync({ signal: control.signal }), abort);
  control.abort();
  await failed;
  assert.equal(await wallet.height(), 1);
  await wallet.newAddress();
});

test("a payment whose sending is cancelled is sent later, and once", async () => {
  const relayed = [];
  let stuck = true;
  const reached = [];
  const rpc = {
    relayTx: ({ hex }, { signal } = {}) =>
      new Promise((resolve, reject) => {
        if (hex === "2" && stuck) {
          signal.addEventListener("abort", () => reject(signal.reason));
          for (const call of reached.splice(0)) call();
          return;
        }
        relayed.push(hex);
        resolve({ tx_hash: hex });
      }),
  };
  const preview = new glim.Preview(rpc, made(["1", "2", "3"]), [{ address: "4", amount: 3n }], "");
  const [one, two] = [new AbortController(), new AbortController()];
  const waits = new Promise((resolve) => reached.push(resolve));
  const sending = assert.rejects(preview.confirm({ signal: one.signal }), abort);
  await waits;
  const joined = assert.rejects(preview.confirm({ signal: two.signal }), abort);
  two.abort();
  await joined; // only its own wait ended
  const other = assert.rejects(preview.confirm(), abort);
  one.abort();
  await sending;
  await other;
  stuck = false;
  assert.deepEqual(await preview.confirm(), ["1", "2", "3"]);
  assert.deepEqual(relayed, ["1", "2", "3"]);
});

test("events in a loop, from a cursor, once, and until the wallet is closed", async (t) => {
  const engine = await start(t);
  const wallet = await engine.create({ name: "wallet", password: "" });
  const [{ address }] = await wallet.addresses();
  const mine = (blocks) =>
    engine.daemon.generateblocks({ amount_of_blocks: blocks, wallet_address: address, starting_nonce: 0 });
  const first = wallet.once("transfer");
  const live = wallet.events();
  await mine(3n);
  await wallet.sync();
  assert.equal((await first).type, "confirmed");
  const seen = [];
  for await (const event of live) if (seen.push(event) === 3) break;
  assert.deepEqual(
    seen.map((e) => [e.type, e.height]),
    [1, 2, 3].map((height) => ["confirmed", height]),
  );
  assert.deepEqual(await live.next(), { done: true, value: undefined });
  const later = [];
  for await (const event of wallet.events({ cursor: seen[0].cursor })) if (later.push(event) === 2) break;
  assert.deepEqual(later, seen.slice(1));

  const control = new AbortController();
  const stopped = (async () => {
    for await (const _ of wallet.events({ signal: control.signal })) assert.fail("there are no new events");
  })();
  control.abort();
  await assert.rejects(stopped, abort);
  const all = (async () => {
    const list = [];
    for await (const event of wallet.events({ cursor: 0n })) list.push(event);
    return list;
  })();
  const never = assert.rejects(wallet.once("transfer"), { reason: "NotOpen" });
  await wallet[Symbol.asyncDispose]();
  assert.deepEqual(await all, seen, "the loop has all events, and ends with the wallet");
  await never;
  await assert.rejects(wallet.once("height"), { reason: "NotOpen" });
  await wallet[Symbol.asyncDispose](); // again

  const again = await engine.open("wallet", "");
  const lost = again.events({ cursor: 2n ** 40n });
  await assert.rejects(lost.next(), { reason: "EventsLost" });
  const ending = again.events().next();
  await engine[Symbol.asyncDispose]();
  assert.equal((await ending).done, true);
  await engine[Symbol.asyncDispose]();
});

test("a wallet says whether it is view-only", async (t) => {
  const engine = await start(t);
  const wallet = await engine.create({ name: "wallet", password: "" });
  const watching = await engine.restore({ name: "watch", password: "", ...(await wallet.watch()) });
  assert.deepEqual([wallet.viewOnly, watching.viewOnly], [false, true]);
  await watching.close();
  await wallet.lock("");
  await wallet.close();
  assert.equal((await engine.open("watch", "")).viewOnly, true);
  assert.equal((await engine.open("wallet", "")).viewOnly, false);
  assert.equal((await engine.attach("watch")).viewOnly, true);
});
