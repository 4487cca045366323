// The names of failures, each from a real one.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { test } from "node:test";

import * as glim from "../dist/node.js";
import { browser, context, folder, listen, ownDaemon, port, root, sdk, serve } from "./tools.mjs";

const { Glim, GlimError, isGlimError } = glim;
const kdf = { time: 1, memory: 64 };
const start = (t, options) =>
  Glim.start({ network: "regtest", daemon: "embedded:", database: "", workers: 0, kdf, ...options }).then((engine) => {
    t.after(() => engine.stop().catch(() => undefined)); // a test may have stopped it
    return engine;
  });

/** Returns the error of a call. */
async function failure(call) {
  const error = await Promise.resolve()
    .then(call)
    .then(
      () => undefined,
      (e) => e,
    );
  assert.ok(isGlimError(error), String(error));
  return error;
}

/** Requires the reason and the code of the error of a call. */
async function fails(call, reason, code) {
  const error = await failure(call);
  assert.deepEqual([error.reason, error.code], [reason, code], error.message);
  assert.ok(isGlimError(error, "Internal", reason));
  return error;
}

test("every failure has a name, and every number of the contract has one", () => {
  for (const [name, code] of Object.entries(glim.Code)) {
    const { reason } = new GlimError("contract", "", code);
    const other = { "-2": "InvalidAddress", "-3": "NodeBusy", "-22": "WrongPassword", "-38": "NodeUnreachable" }[code];
    assert.equal(reason, other ?? name);
  }
  const known = readFileSync(join(sdk, "src", "errors.ts"), "utf8");
  const made = readFileSync(join(root, "core", "service", "reason.go"), "utf8");
  for (const [, name] of made.matchAll(/"([A-Z]\w+)"/g))
    assert.ok(known.includes(`"${name}"`) || name in glim.Code, `${name} is one of Reason`);
  assert.equal(new GlimError("contract", "", -1000).reason, "Unknown");
  assert.deepEqual(
    ["contract", "aborted", "network", "storage", "internal"].map((kind) => new GlimError(kind, "").reason),
    ["Unknown", "Aborted", "NodeUnreachable", "StorageFailed", "Internal"],
  );
  for (const other of [undefined, null, "text", new Error("x"), { name: "GlimError", reason: "Internal" }])
    assert.equal(isGlimError(other), false);
  assert.equal(isGlimError(new GlimError("internal", ""), "WrongPassword", "NodeCors"), false);
});

test("the names of failures of wallets, seeds, keys and payments", async (t) => {
  const database = folder(t);
  const engine = await start(t, { database });
  const wallet = await engine.create({ name: "wallet", password: "p", kind: "polyseed" });
  const [{ address }] = await wallet.addresses();
  const wrong = await fails(() => engine.open("wallet", "q"), "WrongPassword", -22);
  assert.ok(isGlimError(wrong.cause, "WrongPassword"));
  await fails(() => wallet.changePassword("q", "p"), "WrongPassword", -22);
  await fails(() => engine.open("nothing", ""), "WalletNotFound", -1);
  await fails(() => engine.exportFile("nothing"), "WalletNotFound", 0);
  await fails(() => engine.remove("nothing"), "WalletNotFound", 0);
  await fails(() => engine.remove("wallet"), "WalletInUse", 0);
  await fails(() => engine.create({ name: "", password: "" }), "InvalidName", -1);
  await fails(() => engine.create({ name: "wallet", password: "" }), "WalletAlreadyExists", -21);
  const file = await engine.exportFile("wallet");
  await fails(() => engine.importFile("wallet", file), "WalletAlreadyExists", -1);
  await fails(() => engine.importFile("a/b", file), "InvalidName", -1);
  await fails(() => engine.importFile("text", Buffer.from("no wallet")), "InvalidFile", -1);
  for (let i = 0; i < 4; i++) await wallet.newAddress();
  const longer = await engine.exportFile("wallet");
  longer[(file.length + longer.length) >> 1] ^= 1; // in one of the changes, neither the first nor the last
  await engine.importFile("damaged", longer);
  await fails(() => engine.open("damaged", "p"), "DamagedFile", -1);
  await engine.importFile("half", file.slice(0, 100)); // what says that the keys are elsewhere is missing
  await fails(() => engine.open("half", "p"), "PasswordInFile", -1);
  // Made by wallet-rpc on regtest: create_wallet with the seed_type carrot and the password p.
  const carrot = Buffer.from(readFileSync(join(sdk, "test", "testdata", "carrot-wallet.txt"), "utf8"), "base64");
  await engine.importFile("carrot", carrot);
  const unknown = await fails(() => engine.open("carrot", "p", { inFile: true }), "UnknownKeys", -1);
  assert.match(unknown.message, /not damaged/);

  const restore = (from) => () => engine.restore({ name: "restored", password: "", ...from });
  await fails(restore({ words: "abbey ".repeat(25) }), "InvalidSeed", -1); // of the key 0
  await fails(restore({ words: `${"abbey ".repeat(24)}abducts` }), "InvalidSeed", -1);
  await fails(restore({ words: `${"abandon ".repeat(15)}zoo` }), "InvalidSeed", -1);
  const encrypted = await wallet.seed({ passphrase: "abbey" });
  await fails(restore({ polyseed: encrypted }), "PassphraseNeeded", -1);
  await fails(restore({ polyseed: encrypted, passphrase: "über" }), "InvalidPassphrase", -1);
  const keys = await wallet.watch();
  await fails(restore({ ...keys, viewKey: "00".repeat(32) }), "InvalidKeys", -1);
  await fails(restore({ ...keys, viewKey: `${"11".repeat(31)}01`, spendKey: "x" }), "InvalidKeys", -1);

  const pay = (amount, to = address) => wallet.send({ to, amount });
  const message = async (amount) => (await fails(() => pay(amount), "InvalidAmount", -32602)).message;
  assert.match(await message(1.5), /^the amount 1\.5 is a number: .*bigint.*parseXMR\("1\.5"\)/);
  assert.match(await message("1"), /^the amount is a string/);
  assert.match(await message(-1n), /^the amount -1n is out of range/);
  assert.match(await message(2n ** 64n), /is out of range/);
  await fails(() => wallet.send({ destinations: [{ address, amount: 1 }] }), "InvalidAmount", -32602);
  await fails(() => pay(undefined), "ZeroAmount", -46);
  await fails(() => pay(1n, "nobody"), "InvalidAddress", -2);
  await fails(() => pay(1n), "NotEnoughMoney", -17);
  await fails(
    () => wallet.send({ to: address, amount: 1n }, { keyImages: ["00".repeat(32)] }),
    "InvalidOutputs",
    glim.Code.GenericTransfer,
  );
  await fails(() => wallet.note("x"), "WrongTxID", -8);
  await engine.daemon.generateblocks({ amount_of_blocks: 80n, wallet_address: address, starting_nonce: 0 });
  await wallet.sync();
  const preview = await pay(1n);
  preview.discard();
  await fails(() => preview.confirm(), "Discarded", 0);
  await fails(() => engine.daemon.flushTxpool({ txids: ["x"] }).then(() => engine.rpc.getHeight()), "NotOpen", -13);

  const second = await start(t, { database });
  await fails(() => second.open("wallet", "p"), "WalletInUse", -1);
  const other = await start(t, { network: "stagenet", daemon: "" });
  await other.importFile("copy", file);
  await fails(() => other.open("copy", "p"), "WrongNetwork", -1);
  await engine.stop();
  await fails(() => wallet.height(), "EngineEnded", 0);
});

test("the names of failures of daemons", async (t) => {
  const engine = await start(t, { daemon: "", network: "stagenet" });
  const wallet = await engine.create({ name: "wallet", password: "" });
  await wallet.rpc.autoRefresh({ enable: false });
  const syncing = async (address) => {
    await wallet.rpc.setDaemon({ address });
    return () => wallet.sync();
  };
  const answering = (answer) =>
    listen(
      t,
      createServer((req, res) => req.resume().on("end", () => answer(res))),
    );
  const daemon = `http://127.0.0.1:${await port()}`;
  const away = await fails(await syncing(daemon), "NodeUnreachable", -38);
  assert.equal(away.kind, "network");
  assert.ok(away.cause.message.includes(daemon), away.cause.message);
  await fails(await syncing(await answering((res) => res.end("{}"))), "NodeInvalid", -1);
  await fails(await syncing(await answering((res) => res.writeHead(401).end())), "NodeLogin", -38);
  await fails(await syncing(await ownDaemon(t)), "NodeWrongNetwork", -1);
});

test("a page learns that a daemon does not allow it", async (t) => {
  const site = await serve(t, { "/glim/": `${join(sdk, "dist")}/`, "/test/": `${join(sdk, "test")}/` });
  const page = await (await context(await browser(t))).newPage();
  await page.goto(`${site}/test/page.html`);
  await page.waitForFunction("window.ready");
  const closed = await listen(
    t,
    createServer((req, res) => req.resume().on("end", () => res.end("{}"))),
  );
  const found = await page.evaluate(async (daemon) => {
    await begin(daemon, { database: "" });
    const wallet = await engine.create({ name: "wallet", password: "" });
    return wallet
      .sync()
      .catch((e) => ({ kind: e.kind, code: e.code, reason: e.reason, known: isGlimError(e, "NodeCors") }));
  }, closed);
  assert.deepEqual(found, { kind: "network", code: -38, reason: "NodeCors", known: true });
});
