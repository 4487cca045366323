// The extension, loaded unpacked and driven as a person and a site would: in Chromium, against the private chain.
import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";

import { chromium } from "playwright-core";

import { button, create, mine } from "../../wallet/e2e/acts.mjs";

const unpacked = join(dirname(fileURLToPath(import.meta.url)), "..", "dist", "chromium");
const pictures = process.env.GLIM_SCREENSHOTS;
const limit = 180_000;
let profile, browser, base, server, shop;

const find = async (kind, what) => {
  const until = Date.now() + limit;
  for (;;) {
    const found = kind().find(what);
    if (found) return found;
    assert.ok(Date.now() < until, "it did not come");
    await new Promise((r) => setTimeout(r, 50));
  }
};
const shot = (page, name) => pictures && page.screenshot({ path: join(pictures, `extension-${name}.png`) });

before(async () => {
  server = createServer((req, res) => res.writeHead(200, { "content-type": "text/html", ...(req.url === "/sandbox" && { "content-security-policy": "sandbox allow-scripts" }) }).end("<!doctype html><title>shop</title><h1>shop</h1>"));
  await new Promise((r) => server.listen(0, "127.0.0.1", r));
  shop = `http://127.0.0.1:${server.address().port}/`;
  profile = mkdtempSync(join(tmpdir(), "glim-extension-"));
  browser = await chromium.launchPersistentContext(profile, {
    executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
    timeout: limit,
    headless: true,
    viewport: { width: 400, height: 640 },
    args: [
      "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync",
      `--disable-extensions-except=${unpacked}`, `--load-extension=${unpacked}`,
    ],
  });
  browser.setDefaultTimeout(limit);
  const background = await find(() => browser.serviceWorkers(), (w) => w.url().startsWith("chrome-extension://"));
  base = new URL(".", background.url()).href;
});
after(async () => {
  await browser?.close();
  server?.close();
  if (profile) rmSync(profile, { recursive: true, force: true });
});

const background = () => find(() => browser.serviceWorkers(), (w) => w.url().startsWith(base));
const open = async (page) => {
  const p = await browser.newPage();
  await p.goto(base + page);
  return p;
};
/** The window in which a person is asked. */
const asked = () => find(() => browser.pages(), (p) => p.url().startsWith(`${base}consent.html`));
const gone = (page) => (page.isClosed() ? undefined : page.waitForEvent("close"));
/** Lets a page ask. The answer is awaited apart, for a person comes between. */
const ask = (page, method, params) =>
  page.evaluate(
    ([method, params]) => window.glim.request({ method, params }).then((result) => ({ result }), (e) => ({ code: e.code, message: e.message })),
    [method, params],
  );
/** Lets a page ask, and a person press a button. */
const answered = async (page, method, params, press, look = async () => {}) => {
  const outcome = ask(page, method, params);
  const window = await asked();
  await window.locator("[data-origin]").waitFor();
  assert.equal((await window.locator("[data-origin]").innerText()).trim(), new URL(shop).origin);
  await look(window);
  await window.getByRole("button", { name: press, exact: true }).click();
  const o = await outcome;
  await gone(window);
  return o;
};
/** Ends the background as the browser does when it has been quiet. */
const sleep = async (page) => {
  const devtools = await browser.newCDPSession(page);
  await devtools.send("ServiceWorker.enable");
  await devtools.send("ServiceWorker.stopAllWorkers");
  await devtools.detach();
};

test("a wallet in the extension, and a site that asks", { timeout: 900_000 }, async (t) => {
  const wallet = await open("page.html");
  await wallet.evaluate(() => chrome.storage.local.set({ "glim.settings": JSON.stringify({ network: "regtest", node: "embedded:", workers: 1, last: "", autoLock: 10 }) }));
  await wallet.reload();
  const page = await browser.newPage();
  await page.goto(shop);
  let address = "";

  await t.test("what a site gets unasked", async () => {
    assert.deepEqual(await page.evaluate(() => [window.glim.isGlim, window.glim.version]), [true, 1]);
    const announced = await page.evaluate(
      () => new Promise((resolve) => {
        addEventListener("glim:announce", (e) => resolve(e.detail.info.name + (e.detail.provider === window.glim)));
        dispatchEvent(new Event("glim:request"));
      }),
    );
    assert.equal(announced, "glimtrue");
    for (const [method, params, code] of [
      ["pay", { address: "4".repeat(95), amount: "1" }, 4100],
      ["address", {}, 4100],
      ["query_key", { key_type: "mnemonic" }, 4200],
      ["pay", { address: "nonsense", amount: "1" }, -32602],
      ["pay", { address: "4".repeat(95), amount: 1 }, -32602],
      ["sign", { message: "\u202etxet desrever" }, -32602],
      ["connect", [], -32602],
      [{ a: 1 }, {}, 4200],
    ]) assert.equal((await ask(page, method, params)).code, code, JSON.stringify(method) + JSON.stringify(params));
    const long = await ask(page, "sign", { message: "x".repeat(1_000_000) });
    assert.equal(long.code, -32602);
    // A page of another origin in a frame has no wallet.
    await page.evaluate((url) => document.body.appendChild(Object.assign(document.createElement("iframe"), { src: url })), shop.replace("127.0.0.1", "localhost"));
    const frame = await find(() => page.frames(), (f) => f.url().includes("//localhost:"));
    await frame.getByRole("heading", { name: "shop" }).waitFor();
    assert.equal(await frame.evaluate(() => typeof window.glim), "undefined");
    const sandbox = await browser.newPage();
    await sandbox.goto(`${shop}sandbox`);
    assert.deepEqual(await sandbox.evaluate(() => [window.origin, typeof window.glim]), ["null", "undefined"], "what a site shows in a sandbox does not speak for it");
    await sandbox.close();
    assert.equal(await page.evaluate(() => typeof chrome.runtime?.sendMessage), "undefined", "the page cannot speak to the extension itself");
  });

  await t.test("a wallet is made in the extension's page and earns", async () => {
    await create(wallet, "till", "a good password");
    await mine(wallet, 80);
  });

  await t.test("a site is let in, or not", async () => {
    const looks = async (w) => {
      const [age, yes] = await w.evaluate(() => [performance.now(), [...document.querySelectorAll("button.primary")].some((b) => !b.disabled)]);
      assert.ok(age > 1000 || !yes, "nobody says yes to what just came");
      await w.getByRole("button", { name: "Connect", exact: true }).and(w.locator(":enabled")).waitFor();
      await shot(w, "connect");
    };
    assert.equal((await answered(page, "connect", {}, "Decline", looks)).code, 4001);
    assert.equal((await ask(page, "address")).code, 4100);
    // A site that floods gets one window.
    const flood = page.evaluate(() => Promise.all(Array.from({ length: 100 }, () => window.glim.request({ method: "connect" }).catch((e) => e.code))));
    const window = await asked();
    await window.getByRole("heading", { name: "Connect this site?" }).waitFor();
    assert.equal((await ask(page, "connect")).code, -32002, "one question at a time");
    assert.equal(browser.pages().filter((p) => p.url().startsWith(`${base}consent.html`)).length, 1);
    await window.close();
    assert.deepEqual((await flood).sort(), [...Array(99).fill(-32002), 4001]);

    const { result } = await answered(page, "connect", {}, "Connect");
    assert.match(result.address, /^8[1-9A-HJ-NP-Za-km-z]{94}$/, "a subaddress of its own");
    assert.equal(result.network, "regtest");
    address = result.address;
    assert.deepEqual(await ask(page, "address"), { result });
    assert.deepEqual(await ask(page, "connect"), { result }, "a person who said yes is not asked again");
  });

  await t.test("a payment, with the background put to sleep while the person reads", async () => {
    const outcome = ask(page, "pay", { address, amount: "250000000000", description: "one <b>coffee</b>" });
    const window = await asked();
    await window.getByText("one <b>coffee</b>").waitFor();
    await window.getByText("0.25").first().waitFor();
    await window.getByRole("button", { name: "Pay now" }).and(window.locator(":enabled")).waitFor();
    await shot(window, "pay");
    await sleep(wallet);
    await window.getByRole("button", { name: "Pay now" }).click();
    await gone(window);
    const { result, message } = await outcome;
    assert.ok(result, message);
    assert.equal(result.amount, "250000000000");
    assert.match(result.txids[0], /^[0-9a-f]{64}$/);
    const proof = await answered(page, "prove", { txid: result.txids[0], address, message: "for the shop" }, "Prove it", (w) => shot(w, "prove"));
    assert.match(proof.result.signature, /^(In|Out)ProofV2/);
    // Another site was not given that address: a proof would say whose it is, and is not made. The site hears of a no.
    const other = await browser.newPage();
    await other.goto(shop.replace("127.0.0.1", "localhost"));
    const connected = ask(other, "connect", {});
    const yes = await asked();
    await yes.getByRole("button", { name: "Connect", exact: true }).click();
    assert.notEqual((await connected).result.address, address);
    await gone(yes);
    const asks = ask(other, "prove", { txid: result.txids[0], address });
    const prove = await asked();
    await prove.getByRole("button", { name: "Prove it" }).click();
    await prove.getByRole("alert").getByText("That address is your own").waitFor();
    await prove.getByRole("button", { name: "Decline" }).click();
    assert.equal((await asks).code, 4001);
    await gone(prove);
    await ask(other, "disconnect");
    await other.close();
    const signed = await answered(page, "sign", { message: "I am who paid" }, "Sign", (w) => shot(w, "sign"));
    assert.match(signed.result.signature, /^SigV2/);
    assert.equal(signed.result.address, address);
    assert.equal((await answered(page, "pay", { address, amount: "18446744073709551615" }, "Decline", (w) => w.getByRole("alert").waitFor())).code, 4001, "nobody has as much");

    const unanswered = ask(page, "sign", { message: "later" });
    const left = await asked();
    await left.getByRole("heading", { name: "Sign a message?" }).waitFor();
    await sleep(wallet);
    await left.close();
    assert.equal((await unanswered).code, 4001, "a window that is closed while the background sleeps is an answer");
  });

  await t.test("a popup that comes and goes finds the wallet open", async () => {
    const popup = await open("popup.html");
    await popup.getByText("Balance", { exact: true }).waitFor();
    await shot(popup, "popup");
    await popup.close();
    const panel = await open("panel.html");
    await panel.getByText("Balance", { exact: true }).waitFor();
    await panel.close();
  });

  await t.test("locked, a site's question waits for the password", async () => {
    await button(wallet, "Lock").first().click();
    const signed = await answered(page, "sign", { message: "again" }, "Sign", async (w) => {
      await shot(w, "unlock");
      await w.getByLabel(/^Password/).fill("not the password");
      await w.getByRole("button", { name: "Unlock" }).click();
      await w.getByRole("alert").waitFor();
      await w.getByLabel(/^Password/).fill("a good password");
      await w.getByRole("button", { name: "Unlock" }).click();
      await w.getByRole("heading", { name: "Sign a message?" }).waitFor();
    });
    assert.match(signed.result.signature, /^SigV2/);
  });

  await t.test("a site is sent away", async () => {
    const told = page.evaluate(() => new Promise((resolve) => window.glim.on("disconnect", () => resolve(true))));
    const list = await open("sites.html");
    await list.getByText(new URL(shop).origin).waitFor();
    await shot(list, "sites");
    await list.getByRole("button", { name: "Disconnect" }).click();
    await list.getByText("No site is connected.").waitFor();
    assert.equal(await told, true);
    assert.equal((await ask(page, "address")).code, 4100);
  });

  await t.test("what the manifest allows", async () => {
    await background();
    const { content_security_policy: policy } = await wallet.evaluate(() => chrome.runtime.getManifest());
    assert.ok(!policy.extension_pages.includes("'unsafe-eval'"));
    // What the tools evaluate is excused from the policy, what it calls later is not.
    const evaluated = await wallet.evaluate(
      () => new Promise((resolve) => setTimeout(() => {
        try {
          resolve(new Function("return 1")());
        } catch {
          resolve("refused");
        }
      }, 0)),
    );
    assert.equal(evaluated, "refused");
  });
});
