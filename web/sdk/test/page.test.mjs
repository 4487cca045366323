// Wallets in the pages of a real browser.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";

import { judge } from "./payment.mjs";
import {
  browser,
  context as patient,
  haveReference,
  mine,
  ownDaemon,
  realDaemon,
  sdk,
  serve,
  wait,
  wayTo,
} from "./tools.mjs";
import { join } from "node:path";

let started;
let site;
// Closes what before() opened.
const ends = [];
before(async () => {
  const all = { after: (end) => ends.push(end) };
  started = await browser(all);
  site = await serve(all, { "/glim/": `${join(sdk, "dist")}/`, "/test/": `${join(sdk, "test")}/` });
});
after(async () => {
  for (const end of ends.reverse()) await end();
});

/** A new browser profile. */
async function profile(t) {
  const context = await patient(started);
  t.after(() => context.close());
  return context;
}

/** A tab with the package in its global scope. */
async function tab(context) {
  const page = await context.newPage();
  page.trouble = [];
  page.on("console", (m) => m.type() === "error" && page.trouble.push(m.text()));
  page.on("pageerror", (e) => page.trouble.push(e.message));
  await page.goto(`${site}/test/page.html`);
  await page.waitForFunction("window.ready");
  return page;
}

/** Makes a wallet in a tab. Returns its seed, its address, which has mined coins, and another wallet's address. */
async function rich(page, daemon, blocks) {
  const [words, address, recipient] = await page.evaluate(async () => {
    window.wallet = await engine.create({ name: "rich", password: "r" });
    await wallet.rpc.autoRefresh({ enable: false }); // the wallet must read only what a test requests
    window.other = await engine.create({ name: "other", password: "" });
    return [await wallet.seed(), (await wallet.addresses())[0].address, (await other.addresses())[0].address];
  });
  await mine(daemon, address, blocks);
  return { words, address, recipient };
}

/** Opens the wallet again; a tab that has just closed may hold it a moment longer. */
async function reopen(page) {
  for (let tries = 0; ; tries++) {
    const failed = await page.evaluate(async () => {
      try {
        window.wallet = await engine.open("rich", "r");
        return "";
      } catch (e) {
        return e.message;
      }
    });
    if (failed === "") return;
    if (tries === 2000 || !failed.includes("open in another")) throw new Error(failed);
    await wait(100);
  }
}

/** The balance, and the balance computed from the history. */
const books = async () => {
  const { total } = await wallet.balance();
  const list = await wallet.history();
  const sum = list.reduce(
    (s, t) =>
      t.type === "in" || t.type === "block"
        ? s + t.amount
        : t.type === "out" || t.type === "pending"
          ? s - t.amount - t.fee
          : s,
    0n,
  );
  return { total, sum, list: list.map((t) => `${t.type} ${t.txid} ${t.amount} ${t.height}`).sort() };
};

/** The state of a wallet that is restored from the same seed and scans the chain from its beginning. */
const fromWords = async ([daemon, words]) => {
  const other = await Glim.start({
    network: "regtest",
    daemon,
    database: "",
    workers: 1,
    kdf: { time: 1, memory: 64 },
  });
  const again = await other.restore({ name: "again", password: "", words });
  await again.sync();
  const { total } = await again.balance();
  const received = (await again.history({ types: ["in", "block"] })).length;
  await other.stop();
  return { total, received };
};

/** Ends a tab as a crash does. */
async function kill(page) {
  const crashed = page.waitForEvent("crash");
  const session = await page.context().newCDPSession(page);
  session.send("Page.crash").catch(() => undefined);
  await crashed;
  await page.close();
}

test("a payment in a page, with the daemon in the page as well", async (t) => {
  const page = await tab(await profile(t));
  judge(assert, await page.evaluate(() => pay({ database: "payment" })));
  assert.deepEqual(page.trouble, []);
});

test("a payment in a page, through glim's daemon in front of monerod", async (t) => {
  if (!haveReference()) return;
  const real = await realDaemon(t);
  const front = await ownDaemon(t, "--no-sync", "--bootstrap-daemon-address", new URL(real).host);
  const page = await tab(await profile(t));
  await page.evaluate((d) => begin(d), front);
  const { address, recipient } = await rich(page, real, 80);
  const [txid] = await page.evaluate(async (to) => {
    await wallet.sync();
    return (await wallet.send({ to, amount: 5n })).confirm();
  }, recipient);
  await mine(real, address, 10);
  const [received] = await page.evaluate(async () => {
    await other.sync();
    return other.history();
  });
  assert.deepEqual([received.txid, received.amount, received.confirmations, received.locked], [txid, 5n, 10, false]);
});

test("a stored private chain survives the page, and only one page can have it open", async (t) => {
  const context = await profile(t);
  const state = async () => {
    const { height, top_block_hash, tx_pool_size } = await engine.daemon.getInfo();
    const { tx_hashes } = await engine.daemon.getTransactionPoolHashes();
    return { height, top_block_hash, tx_pool_size, tx_hashes };
  };
  const first = await tab(context);
  await first.evaluate(async () => {
    await begin("embedded:", { chain: "kept", database: "kept" });
    const wallet = await engine.create({ name: "miner", password: "" });
    const [{ address }] = await wallet.addresses();
    await engine.daemon.generateblocks({ amount_of_blocks: 80n, wallet_address: address });
    await engine.daemon.popBlocks({ nblocks: 3n }); // so that records are deleted as well
    await wallet.sync();
    await (await wallet.send({ to: address, amount: 5n })).confirm();
  });
  const before = await first.evaluate(state);
  assert.equal(before.height, 78n);
  assert.equal(before.tx_hashes.length, 1);
  const second = await tab(context);
  const refused = await second.evaluate(async () => {
    await begin("embedded:", { chain: "kept", database: "elsewhere" });
    const messages = [];
    for (let i = 0; i < 2; i++) await engine.daemon.getInfo().catch((e) => messages.push(e.message));
    return messages;
  });
  assert.deepEqual(refused, Array(2).fill("the private chain is open in another page"));
  await kill(first);
  const third = await tab(context);
  await third.evaluate(() => begin("embedded:", { chain: "kept", database: "kept" }));
  assert.deepEqual(await third.evaluate(state), before);
  const mined = await third.evaluate(async () => {
    const wallet = await engine.open("miner", "");
    const [{ address }] = await wallet.addresses();
    await engine.daemon.generateblocks({ amount_of_blocks: 1n, wallet_address: address });
    await wallet.sync();
    return (await wallet.history({ types: ["out"] })).map((x) => x.confirmations);
  });
  assert.deepEqual(mined, [1]);
  assert.deepEqual(third.trouble, []);
});

test("no password, seed or spend key is in the worker that parses data from daemons", async (t) => {
  const page = await tab(await profile(t));
  const all = await page.evaluate(async (workerURL) => {
    await begin("embedded:", { database: "", workerURL });
    const password = "parsimonious quokka";
    const wallet = await engine.create({ name: "new", password });
    const sixteen = await engine.create({ name: "sixteen", password, kind: "polyseed" });
    const words = await wallet.seed();
    const offset = await wallet.seed({ passphrase: "over it" });
    const sixteenWords = await sixteen.seed();
    const hidden = await sixteen.seed({ passphrase: "over it" });
    const { key: spendKey } = await wallet.rpc.queryKey({ key_type: "spend_key" });
    const { key: sixteenKey } = await sixteen.rpc.queryKey({ key_type: "spend_key" });
    const [{ address }] = await wallet.addresses();

    // Every way to make a wallet, and every operation that takes a spend key or a password.
    const same = [];
    const again = async (what) => {
      const restored = await engine.restore({ name: `again${same.length}`, password, ...what });
      same.push((await restored.addresses())[0].address);
      return restored;
    };
    await again({ words });
    await again({ words: offset, seedOffset: "over it" });
    await again({ address, viewKey: (await wallet.watch()).viewKey, spendKey });
    await again(await wallet.watch());
    const other = (await sixteen.addresses())[0].address;
    const [first] = await (await again({ polyseed: hidden, passphrase: "over it" })).addresses();
    const restored = await engine.rpc.restoreDeterministicWallet({ filename: "raw", password, seed: sixteenWords });
    await engine.daemon.generateblocks({ amount_of_blocks: 80n, wallet_address: address, starting_nonce: 0 });
    await wallet.sync();
    await (await wallet.send({ to: other, amount: 5n })).confirm();
    await wallet.proofs.sign("text");
    await wallet.changePassword(password, "obstreperous numbat");
    await wallet.lock("obstreperous numbat");
    await wallet.unlock("obstreperous numbat");
    await wallet.close();
    const wrong = await failure(engine.open("new", password));
    await engine.open("new", "obstreperous numbat");
    // of the wallet "raw"
    const revealed = await failure(engine.rpc.queryKey({ key_type: "mnemonic", seed_offset: "" }));

    const hex = (text) => Uint8Array.from(text.match(/../g), (h) => parseInt(h, 16));
    const text = (t) => new TextEncoder().encode(t);
    const secrets = {
      password: text(password),
      "other password": text("obstreperous numbat"),
      passphrase: text("over it"),
      words: text(words.split(" ").slice(0, 4).join(" ")),
      offset: text(offset.split(" ").slice(0, 4).join(" ")),
      sixteen: text(sixteenWords.split(" ").slice(0, 4).join(" ")),
      hidden: text(hidden.split(" ").slice(0, 4).join(" ")),
      key: hex(spendKey),
      "key of sixteen": hex(sixteenKey),
      digits: text(spendKey),
      "digits of sixteen": text(sixteenKey),
      address: text(address),
    };
    const parts = {};
    const heard = new Promise((resolve) => {
      const channel = new BroadcastChannel("watched");
      channel.onmessage = ({ data: { part, size, has } }) => {
        parts[part] = { size, has: Object.keys(secrets).filter((_, i) => has[i]) };
        if (["start", "signer", "scanner", "daemon"].every((p) => p in parts)) resolve();
      };
      channel.postMessage(Object.values(secrets));
    });
    await heard;
    return {
      parts,
      same,
      address,
      sixteen: [first.address, restored.address, other],
      returned: [restored.seed === sixteenWords, words.split(" ").length],
      wrong,
      revealed,
    };
  }, `${site}/test/watched.js`);
  assert.deepEqual(all.same.slice(0, 4), Array(4).fill(all.address));
  assert.deepEqual(all.sixteen, Array(3).fill(all.sixteen[2]));
  assert.deepEqual(all.returned, [true, 25]);
  assert.deepEqual([all.wrong, all.revealed], ["contract -22", "nothing"]);
  assert.ok(all.parts.start.size > 1e7, String(all.parts.start.size));
  assert.deepEqual(all.parts.start.has, ["address"], "the engine");
  assert.deepEqual(all.parts.scanner.has, [], "a scanner");
  assert.deepEqual(all.parts.daemon.has, ["address"], "the daemon");
  for (const kept of ["key", "key of sixteen"])
    assert.ok(all.parts.signer.has.includes(kept), `the worker that has them is not found to have them: ${kept}`);
  assert.deepEqual(page.trouble, []);
});

test("reload, two tabs, offline, cancelling, a malicious daemon", async (t) => {
  const own = await ownDaemon(t);
  const way = await wayTo(t, own);
  const context = await profile(t);
  let page = await tab(context);
  await page.evaluate((d) => begin(d), way.address);
  const { words, address, recipient } = await rich(page, own, 80);

  await t.test("forged blocks", async () => {
    way.change = (path, body) => {
      if (/blocks|compact/.test(path)) body[body.length >> 1] ^= 1;
      return body;
    };
    assert.notEqual(await page.evaluate(() => failure(wallet.sync())), "nothing");
    assert.equal((await page.evaluate(() => wallet.balance())).total, 0n);
    way.change = (_path, body) => body;
  });

  await t.test("a cancelled call", async () => {
    let asked;
    let go;
    const was = new Promise((resolve) => (asked = resolve));
    const until = new Promise((resolve) => (go = resolve));
    way.seen = () => {
      asked();
      return until;
    };
    const given = page.evaluate(() => {
      window.control = new AbortController();
      return failure(wallet.sync({ signal: control.signal }));
    });
    await was;
    await page.evaluate(() => control.abort());
    assert.equal(await given, "undefined 20"); // an AbortError
    way.seen = async () => undefined;
    go();
    assert.equal((await page.evaluate(() => wallet.sync())).received, true);
  });

  let sent;
  await t.test("a second tab", async () => {
    const second = await tab(context);
    await second.evaluate((d) => begin(d), way.address);
    assert.equal(await second.evaluate(() => failure(engine.open("rich", "r"))), "contract -1");
    assert.equal(await second.evaluate(() => failure(engine.remove("rich"))), "storage 0");
    sent = await page.evaluate(async (to) => {
      const txids = await (await wallet.send({ to, amount: 7n })).confirm();
      await wallet.note(txids[0], "to another wallet");
      return txids[0];
    }, recipient);
    await page.close();
    page = second;
    await reopen(page);
  });

  await t.test("a reloaded page has everything", async () => {
    await mine(own, address, 10);
    await page.evaluate(() => wallet.sync());
    const before = await page.evaluate(books);
    await page.reload();
    await page.waitForFunction("window.ready");
    await page.evaluate((d) => begin(d), ""); // from the stored state alone
    assert.equal(await page.evaluate(() => failure(engine.open("rich", "x"))), "contract -22");
    await reopen(page);
    assert.deepEqual(await page.evaluate(books), before);
    const [out] = await page.evaluate(() => wallet.history({ types: ["out"] }));
    assert.deepEqual([out.txid, out.amount, out.note], [sent, 7n, "to another wallet"]);
    assert.equal(before.total, before.sum);
    await page.evaluate(() => engine.stop());
  });

  await t.test("without a network", async () => {
    await page.evaluate((d) => begin(d), way.address);
    await reopen(page);
    const before = await page.evaluate(books);
    await context.setOffline(true);
    way.gone = true;
    assert.equal(await page.evaluate(() => failure(wallet.sync())), "network -38");
    assert.equal(await page.evaluate((to) => failure(wallet.send({ to, amount: 1n })), address), "network -38");
    assert.deepEqual(await page.evaluate(books), before);
    way.gone = false;
    await context.setOffline(false);
    await mine(own, address, 1);
    assert.equal((await page.evaluate(() => wallet.sync())).blocks, 1);
    const { total, received } = await page.evaluate(fromWords, [own, words]);
    const now = await page.evaluate(books);
    assert.equal(total, now.total);
    assert.equal(received, now.list.filter((l) => /^(in|block) /.test(l)).length);
  });
  assert.deepEqual(
    page.trouble.filter((text) => !/Failed to load resource|net::ERR/.test(text)),
    [],
  );
});

test("a killed tab loses nothing", async (t) => {
  const own = await ownDaemon(t);
  const way = await wayTo(t, own);
  const context = await profile(t);
  let page = await tab(context);
  await page.evaluate((d) => begin(d), way.address);
  const { words, address, recipient } = await rich(page, own, 120);

  /** Kills the tab when it sends a request to a path of the daemon, and opens the wallet in another tab. */
  const killed = async (path, passOn, act) => {
    let now;
    const moment = new Promise((resolve) => (now = resolve));
    let over;
    const held = new Promise((resolve) => (over = resolve));
    way.seen = async (asked) => {
      if (asked !== path) return;
      now();
      if (!passOn) {
        await held;
        throw new Error("the tab is gone");
      }
    };
    const ended = page.evaluate(...act).then(
      () => `${path} was not asked for`,
      (e) => e.message,
    );
    const early = await Promise.race([moment, ended]);
    assert.equal(early, undefined);
    await kill(page);
    over();
    way.seen = async () => undefined;
    page = await tab(context);
    await page.evaluate((d) => begin(d), way.address);
    await reopen(page);
  };

  await t.test("while it scans the chain", async () => {
    for (const [path, passOn] of [
      ["/get_blocks.bin", false],
      ["/get_blocks.bin", true],
    ])
      await killed(path, passOn, [() => wallet.sync()]);
    await page.evaluate(() => wallet.sync());
    const { total, received } = await page.evaluate(fromWords, [own, words]);
    const now = await page.evaluate(books);
    assert.deepEqual([now.total, now.list.length], [total, received]);
  });

  await t.test("while it sends", async () => {
    const send = [async (to) => (await wallet.send({ to, amount: 9n })).confirm(), recipient];
    for (const passOn of [false, true]) await killed("/send_raw_transaction", passOn, send);
    await mine(own, address, 10);
    await page.evaluate(() => wallet.sync());
    const { total } = await page.evaluate(fromWords, [own, words]);
    const now = await page.evaluate(books);
    const sent = await page.evaluate(() => wallet.history({ types: ["out", "pending"] }));
    // Both payments are known, even the one that never reached the daemon: its outputs stay reserved while it may still
    // be on its way.
    assert.deepEqual(
      sent.map((s) => [s.type, s.amount]),
      [
        ["pending", 9n],
        ["out", 9n],
      ],
    );
    assert.equal(now.total, now.sum);
    assert.equal(now.total, total - 9n - sent[0].fee);
    await page.evaluate(async (to) => (await wallet.send({ sweep: to })).confirm(), address);
  });
});
