// The package in WebKit: a page in WebKitGTK's MiniBrowser, driven through WebDriver, restores a wallet, scans a
// private chain and pays.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { test } from "node:test";

import { patience, port, sdk, serve, wait } from "../test/tools.mjs";

/** Starts a program, and ends it with the test. */
function started(t, program, args, options) {
  const child = spawn(program, args, options);
  t.after(async () => {
    if (child.exitCode === null && child.signalCode === null) {
      child.kill();
      await once(child, "exit");
    }
  });
  return child;
}

/** Starts a screen in memory. Returns its name. */
async function screen(t) {
  const child = started(t, "Xvfb", ["-displayfd", "3", "-screen", "0", "1024x768x24", "-nolisten", "tcp"], {
    stdio: ["ignore", "ignore", "inherit", "pipe"],
  });
  const [number] = await once(child.stdio[3], "data");
  return `:${String(number).trim()}`;
}

/** Starts MiniBrowser. Returns a function that sends a command to it. */
async function webkit(t) {
  const at = await port();
  let session;
  t.after(() => session && send("DELETE", `/session/${session}`)); // before the driver and the screen end
  started(t, "WebKitWebDriver", [`--port=${at}`], {
    stdio: ["ignore", "ignore", "inherit"],
    env: { ...process.env, DISPLAY: await screen(t), GDK_BACKEND: "x11", WEBKIT_DISABLE_COMPOSITING_MODE: "1" },
  });
  const send = async (method, path, body) => {
    const answer = await fetch(`http://127.0.0.1:${at}${path}`, {
      method,
      ...(body && { body: JSON.stringify(body), headers: { "content-type": "application/json" } }),
    });
    const { value } = await answer.json();
    if (!answer.ok) throw new Error(`${path}: ${value.error}: ${value.message}`);
    return value;
  };
  for (const until = Date.now() + patience; ; await wait(100)) {
    const ready = await send("GET", "/status").then(
      (s) => s.ready,
      () => false,
    );
    if (ready) break;
    assert.ok(Date.now() < until, "WebKitWebDriver does not answer");
  }
  const { sessionId, capabilities } = await send("POST", "/session", {
    capabilities: { alwaysMatch: { "webkitgtk:browserOptions": { args: ["--automation"] } } },
  });
  session = sessionId;
  t.diagnostic(`${capabilities.browserName} ${capabilities.browserVersion}`);
  const command = (path, body) => send("POST", `/session/${sessionId}/${path}`, body);
  await command("timeouts", { script: patience, pageLoad: patience });
  return command;
}

/** Runs in the page: what has been restored is scanned and pays; then it is opened again from the database. */
const story = `
  const done = arguments[arguments.length - 1];
  (async () => {
    const { Glim } = await import("/glim/index.js");
    const options = { network: "regtest", daemon: "embedded:", workers: 1, kdf: { time: 1, memory: 64 } };
    const glim = await Glim.start({ ...options, database: "webkit" });
    const first = await glim.create({ name: "first", password: "p" });
    const words = await first.seed();
    const [{ address }] = await first.addresses();
    await first.close();
    await glim.daemon.generateblocks({ amount_of_blocks: 80n, wallet_address: address, starting_nonce: 0 });
    const restored = await glim.restore({ name: "restored", password: "q", words, height: 0 });
    await restored.sync();
    const height = await restored.height();
    const { unlocked } = await restored.balance();
    const other = await glim.create({ name: "other", password: "" });
    const [to] = await other.addresses();
    const [txid] = await (await restored.send({ to: to.address, amount: 5000000000n })).confirm();
    await glim.daemon.generateblocks({ amount_of_blocks: 10n, wallet_address: address, starting_nonce: 0 });
    await other.sync();
    await restored.sync();
    const received = (await other.balance()).unlocked;
    const [out] = await restored.history({ types: ["out"] });
    const total = (await restored.balance()).total;
    await glim.stop();
    const again = await Glim.start({ network: "regtest", workers: 0, kdf: options.kdf, database: "webkit" });
    const wrong = await again.open("restored", "p").catch((e) => e.reason);
    const stored = (await (await again.open("restored", "q")).balance()).total === total;
    const names = await again.wallets();
    await again.stop();
    return { height, rich: unlocked > 0n, txid, sent: out.txid, received: String(received), wrong, stored, names };
  })().then(done, (e) => done({ failed: e.name + ": " + e.message + " " + e.reason }));
`;

test("WebKit restores a wallet, scans a private chain and pays", async (t) => {
  const site = await serve(t, { "/glim/": join(sdk, "dist"), "/": join(sdk, "test") });
  const command = await webkit(t);
  await command("url", { url: `${site}/empty.html` });
  const got = await command("execute/async", { script: story, args: [] });
  assert.match(got.txid ?? "", /^[0-9a-f]{64}$/, JSON.stringify(got));
  assert.deepEqual(got, {
    height: 81,
    rich: true,
    txid: got.txid,
    sent: got.txid,
    received: "5000000000",
    wrong: "WrongPassword",
    stored: true,
    names: ["first", "other", "restored"],
  });
});
