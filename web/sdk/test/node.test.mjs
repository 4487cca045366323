import assert from "node:assert/strict";
import { createServer } from "node:http";
import { join } from "node:path";
import { test } from "node:test";

import { build } from "esbuild";

import * as glim from "../dist/node.js";
import { judge, payment } from "./payment.mjs";
import { folder, listen, mine, ownDaemon, sdk, wait, wayTo } from "./tools.mjs";

/** Restores published seeds of other wallets, each only as what it is. */
async function requireOtherSeeds(glim) {
  const device = "alcohol woman abuse must during monitor noble actual mixed trade anger aisle";
  const short = "foxes selfish humid nexus juvenile dodge pepper ember biscuit elapse jazz vibrate biscuit";
  const wanted = [
    [{ words: device, type: "trezor" }, "8722520a581e2a50cc1adab4a1692401effd37b0d63b9d9b60fd7f34ea2b950e"],
    [{ words: device, type: "trezor", account: 1 }, "1f70b7d9e86c11b7a5bee883b75c43d6be189c8f812726ea1ecd94b06bb7db04"],
    [{ words: short, type: "mymonero" }, "7bea1907940afdd480eff7c4bcadb478a0fbb626df9e3ed74ae801e18f53e104"],
  ];
  for (const [i, [from, viewKey]] of wanted.entries()) {
    const wallet = await glim.restore({ name: `other ${i}`, password: "", ...from });
    assert.equal((await wallet.watch()).viewKey, viewKey);
    if (from.type === "mymonero") await assert.rejects(wallet.seed(), { kind: "contract", code: -43 });
    else assert.equal((await wallet.seed()).split(" ").length, 25);
  }
  for (const [words, type] of [
    [device, undefined],
    [device, "mymonero"],
    [short, undefined],
    [short, "ledger"],
  ])
    await assert.rejects(glim.restore({ name: "none", password: "", words, ...(type && { type }) }), (e) => {
      assert.equal(e.kind, "contract");
      assert.match(e.message, words === device ? /trezor or ledger/ : /mymonero/);
      return true;
    });
}

test("a payment in Node, wallets in memory", async () => judge(assert, await payment(glim, { database: "" })));

test("memory stays small with four workers", async () => {
  const engine = await glim.Glim.start({
    network: "regtest",
    daemon: "embedded:",
    workers: 4,
    database: "",
    kdf: { time: 1, memory: 64 },
  });
  const wallet = await engine.create({ name: "wallet", password: "" });
  const [{ address }] = await wallet.addresses();
  await engine.daemon.generateblocks({ amount_of_blocks: 100n, wallet_address: address, starting_nonce: 0 });
  await wallet.sync();
  await (await wallet.send({ to: address, amount: 1n })).confirm();
  const taken = await engine.memory();
  assert.equal(taken.scanners.length, 4);
  assert.ok(Math.min(taken.engine, taken.signer, ...taken.scanners) > 1e6, JSON.stringify(taken));
  const all = taken.engine + taken.signer + taken.scanners.reduce((a, b) => a + b, 0);
  assert.ok(all < 100e6, `${all} bytes: ${JSON.stringify(taken)}`);
  await engine.stop();
});

test("wallets in a folder can be opened again", async (t) => {
  const options = { network: "stagenet", database: folder(t), workers: 0, kdf: { time: 1, memory: 64 } };
  const first = await glim.Glim.start(options);
  const wallet = await first.create({ name: "wallet", password: "p", language: "German" });
  const words = await wallet.seed();
  const { address } = await wallet.newAddress({ label: "one" });
  const second = await glim.Glim.start(options);
  await assert.rejects(
    second.open("wallet", "p"),
    { name: "GlimError", kind: "contract" },
    "another engine has it open",
  );
  await first.stop();
  const again = await second.open("wallet", "p");
  assert.equal(await again.seed(), words);
  assert.equal((await again.addresses())[1].address, address);
  await assert.rejects(second.remove("wallet"), { name: "GlimError" });
  await again.close();
  await second.remove("wallet");
  assert.deepEqual(await second.wallets(), []);
  const restored = await second.restore({ name: "restored", password: "", words, date: "2026-01-01" });
  assert.equal((await restored.addresses())[0].address, (await restored.watch()).address);
  assert.equal(await restored.seed(), words);
  await requireOtherSeeds(second);
  await second.stop();
});

test("a pause holds up refreshing but not calls", async (t) => {
  const own = await ownDaemon(t);
  const way = await wayTo(t, own);
  const engine = await glim.Glim.start({
    network: "regtest",
    daemon: way.address,
    database: "",
    workers: 1,
    kdf: { time: 1, memory: 64 },
  });
  t.after(() => engine.stop());
  const wallet = await engine.create({ name: "wallet", password: "" });
  const [{ address }] = await wallet.addresses();
  let now, go;
  const reading = new Promise((resolve) => (now = resolve));
  const until = new Promise((resolve) => (go = resolve));
  way.seen = async (path) => {
    if (!path.endsWith("blocks.bin")) return;
    now();
    await until;
  };
  await wallet.rpc.autoRefresh({ enable: true, period: 1 });
  await mine(own, address, 5);
  await reading;
  engine.pause();
  await wallet.height(); // the wallet has processed the pause
  go();
  // A refresh now waits for the end of the pause, and blocks the wallet meanwhile.
  const late = wait(120_000, "no answer", { ref: false });
  assert.equal(await Promise.race([wallet.sync().then(() => wallet.height()), late]), 6);
  await mine(own, address, 1);
  const read = new Promise((resolve) => wallet.on("height", (height) => height === 7 && resolve(height)));
  engine.resume();
  assert.equal(await read, 7);
});

test("a payment that is being sent is completed, and never sent twice", async () => {
  const made = {
    tx_hash_list: ["a", "b", "c"],
    amount_list: [1n, 2n, 3n],
    fee_list: [1n, 1n, 1n],
    weight_list: [1n, 1n, 1n],
    tx_metadata_list: ["1", "2", "3"],
    multisig_txset: "",
    unsigned_txset: "",
  };
  const relayed = [];
  let fails = true;
  const rpc = {
    relayTx: async ({ hex }) => {
      if (hex === "2" && fails) throw new glim.GlimError("network", "no daemon");
      relayed.push(hex);
      return { tx_hash: "abc"[hex - 1] };
    },
  };
  const preview = new glim.Preview(rpc, made, [{ address: "4", amount: 6n }], "");
  await assert.rejects(preview.confirm(), { kind: "network" });
  fails = false;
  const [first, second] = [preview.confirm(), preview.confirm()];
  preview.discard();
  assert.deepEqual(await first, ["a", "b", "c"]);
  assert.deepEqual([await second, await preview.confirm()], [await first, await first]);
  assert.deepEqual(relayed, ["1", "2", "3"]);
});

test("a daemon whose answer stalls or never ends is abandoned", async (t) => {
  const { outputFiles } = await build({ entryPoints: [join(sdk, "src", "post.ts")], format: "esm", write: false });
  const { post } = await import(`data:text/javascript,${encodeURIComponent(outputFiles[0].text)}`);
  const answers = {
    "/mute": () => undefined,
    "/half": (res) => res.writeHead(200).write("half"),
    "/endless": (res) => {
      const more = () => res.destroyed || res.write(Buffer.alloc(65_536), () => setImmediate(more));
      res.writeHead(200);
      more();
    },
    "/parts": (res) => {
      res.writeHead(401, { "www-authenticate": "Digest" }).write("in ");
      setImmediate(() => res.end("parts"));
    },
    "/empty": (res) => res.end(),
  };
  const server = await listen(
    t,
    createServer((req, res) => req.resume().on("end", () => answers[req.url](res))),
  );
  const ask = (path, patience = {}, signal = new AbortController().signal) =>
    post(server + path, new Uint8Array(3), "", signal, { silence: 60_000, largest: 1_000_000, ...patience });
  await assert.rejects(ask("/mute", { silence: 100 }), /said nothing/);
  await assert.rejects(ask("/half", { silence: 100 }), /said nothing/);
  await assert.rejects(ask("/endless"), /larger than/);
  await assert.rejects(ask("/parts", {}, AbortSignal.abort()), { name: "AbortError" });
  const parts = await ask("/parts");
  assert.deepEqual([parts.status, parts.challenge, new TextDecoder().decode(parts.body)], [401, "Digest", "in parts"]);
  assert.equal((await ask("/empty")).body.length, 0);
});

test("amounts", () => {
  for (const [text, atomic] of [
    ["0", 0n],
    ["1", 10n ** 12n],
    ["0.000000000001", 1n],
    ["18446744.073709551615", 2n ** 64n - 1n],
    ["1.5", 15n * 10n ** 11n],
  ]) {
    assert.equal(glim.formatXMR(atomic), text);
    assert.equal(glim.parseXMR(text), atomic);
  }
  assert.equal(glim.formatXMR(-1_500_000_000_000n), "-1.5");
  assert.equal(glim.parseXMR(" .5 "), 5n * 10n ** 11n);
  assert.equal(glim.parseXMR("7."), 7n * 10n ** 12n);
  for (const text of ["", ".", "-1", "1e3", "1,5", "0.0000000000001", "1.2.3", "x", "100000000000"]) {
    assert.throws(() => glim.parseXMR(text), RangeError, text);
  }
});

test("JSON encoding of requests and responses", async () => {
  const { outputFiles } = await build({ entryPoints: [join(sdk, "src", "json.ts")], format: "esm", write: false });
  const { read, write } = await import(`data:text/javascript,${encodeURIComponent(outputFiles[0].text)}`);
  assert.equal(
    write({ a: 2n ** 64n - 1n, b: [1, "x\n", null, true], c: undefined, d: { e: -1n } }),
    '{"a":18446744073709551615,"b":[1,"x\\n",null,true],"d":{"e":-1}}',
  );
  for (const bad of [2 ** 53, NaN, Infinity, () => 0, Symbol("s"), undefined])
    assert.throws(() => write({ a: [bad] }), TypeError);
  const shapes = { Outer: { n: "n", list: "n[]", inner: "Inner", inners: "Inner[]", texts: "[]" }, Inner: { n: "n" } };
  assert.deepEqual(
    read(
      '{"n":"18446744073709551615","list":["1","2"],"inner":{"n":"3"},"inners":[{"n":"4"}],"text":"5"}',
      "Outer",
      shapes,
    ),
    {
      n: 2n ** 64n - 1n,
      list: [1n, 2n],
      inner: { n: 3n },
      inners: [{ n: 4n }],
      texts: [],
      text: "5",
    },
  );
  assert.deepEqual(read('{"inner":null}', "Outer", shapes), { inner: null, list: [], inners: [], texts: [] });
  for (const bad of ['{"n":true}', '{"list":5}', '{"inner":[]}', "[]", '{"n":"x"}'])
    assert.throws(() => read(bad, "Outer", shapes), bad);
});

test("a wallet's file is exported while it is open, and opens elsewhere with everything in it", async (t) => {
  const options = { network: "regtest", daemon: "embedded:", workers: 0, kdf: { time: 1, memory: 64 } };
  const first = await glim.Glim.start({ ...options, database: "" });
  const wallet = await first.create({ name: "wallet", password: "p" });
  const words = await wallet.seed();
  const { address } = await wallet.newAddress({ label: "one" });
  const [own] = await wallet.addresses();
  await first.daemon.generateblocks({ amount_of_blocks: 80n, wallet_address: own.address, starting_nonce: 0 });
  await wallet.sync();
  const txids = await (await wallet.send({ to: address, amount: 1n })).confirm();
  await wallet.rpc.setTxNotes({ txids, notes: ["for the roof"] });
  const { tx_key: key } = await wallet.rpc.getTxKey({ txid: txids[0] });
  const file = await first.exportFile("wallet");
  await first.stop();
  assert.ok(!Buffer.from(file).includes("for the roof"), "it is encrypted");

  for (const database of ["", folder(t)]) {
    const second = await glim.Glim.start({ ...options, database });
    await second.importFile("copy", file);
    await assert.rejects(second.open("copy", "not p"), { name: "GlimError", kind: "contract" });
    const copy = await second.open("copy", "p");
    assert.equal(await copy.seed(), words);
    assert.equal((await copy.addresses())[1].label, "one");
    assert.deepEqual((await copy.rpc.getTxNotes({ txids })).notes, ["for the roof"]);
    assert.equal((await copy.rpc.getTxKey({ txid: txids[0] })).tx_key, key);
    await assert.rejects(second.importFile("copy", file), { kind: "contract" }, "the name is taken");
    for (const name of ["", "a/b", "other.keys"])
      await assert.rejects(second.importFile(name, file), { kind: "contract" });
    await assert.rejects(second.importFile("text", Buffer.from("no wallet")), { kind: "contract" });
    await assert.rejects(second.exportFile("nothing"), { name: "GlimError" });
    await second.importFile("half", file.slice(0, 100));
    await assert.rejects(second.open("half", "p"), { name: "GlimError" });
    await second.remove("half");
    assert.deepEqual(await second.wallets(), ["copy"]);
    await second.stop();
  }
  const other = await glim.Glim.start({ network: "stagenet", workers: 0, kdf: options.kdf, database: "" });
  await other.importFile("copy", file);
  await assert.rejects(other.open("copy", "p"), { name: "GlimError" }, "a wallet of another network");
  await other.stop();
});
