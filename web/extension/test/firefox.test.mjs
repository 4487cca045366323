// The Firefox build, installed in Firefox: the background and its engine start, a wallet is made, and a site is
// connected, refused a payment, paid and given a signature, also with the keyboard alone. The window has no barriers.
// The protocol cannot stop the background, press the button in the toolbar, or answer the browser's questions for
// permissions: the tests in Chromium do what needs that.
import assert from "node:assert/strict";
import { createServer } from "node:http";
import { dirname, join } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";

import puppeteer from "puppeteer-core";

import { barriers, targets, tooWide } from "../../wallet/e2e/barriers.mjs";
import { eventually } from "../../wallet/e2e/eventually.mjs";

const unpacked = join(dirname(fileURLToPath(import.meta.url)), "..", "dist", "firefox");
const uuid = "5f1ad3d0-8e1c-4c55-9a0e-5c1f7f6b7c11";
const base = `moz-extension://${uuid}/`;
const limit = 300_000;
let browser, server, shop;

before(async () => {
  server = createServer((_, res) =>
    res.writeHead(200, { "content-type": "text/html" }).end("<!doctype html><title>shop</title><h1>shop</h1>"),
  );
  await new Promise((r) => server.listen(0, "127.0.0.1", r));
  shop = `http://127.0.0.1:${server.address().port}/`;
  browser = await puppeteer.launch({
    browser: "firefox",
    executablePath: process.env.FIREFOX ?? "/usr/bin/firefox-esr",
    headless: true,
    protocolTimeout: limit,
    timeout: limit,
    // Otherwise pages of extensions cannot be opened from outside.
    args: ["--remote-allow-system-access"],
    // Otherwise the address of the extension's pages is random.
    extraPrefsFirefox: { "extensions.webextensions.uuids": JSON.stringify({ "glim@glim.invalid": uuid }) },
  });
  await browser.installExtension(unpacked);
});
after(async () => {
  await browser?.close();
  server?.close();
});

const find = async (what) => {
  const until = Date.now() + limit;
  for (;;) {
    const found = (await browser.pages()).find((p) => what(p.url()));
    if (found) return found;
    assert.ok(Date.now() < until, "it did not appear");
    await new Promise((r) => setTimeout(r, 50));
  }
};
/** Opens a page of the extension. Firefox does not report when navigation from a plain page ends. */
const open = async (name) => {
  const page = await browser.newPage();
  page.goto(base + name, { timeout: 0 }).catch(() => undefined);
  return find((url) => url === base + name);
};
/** The consent window. Firefox does not report its address either, so ask each page for it. */
const consentWindow = async () => {
  const until = Date.now() + limit;
  for (;;) {
    for (const p of await browser.pages()) {
      const url = await Promise.race([
        p.evaluate(() => location.href).catch(() => ""),
        new Promise((r) => setTimeout(r, 5000, "")),
      ]);
      if (url.startsWith(`${base}consent.html`)) return p;
    }
    assert.ok(Date.now() < until, "it did not appear");
  }
};
/** Waits until a window has closed, so that it is not mistaken for the next one. */
const gone = async (page) => {
  const until = Date.now() + limit;
  while (!page.isClosed() && (await page.evaluate(() => true).catch(() => false))) {
    assert.ok(Date.now() < until, "the window did not close");
    await new Promise((r) => setTimeout(r, 100));
  }
};
/** Presses a button. Scroll to it first, because a click goes to a position, which a bar may cover. */
const press = async (page, name, within = "") => {
  const button = await page.waitForSelector(
    `::-p-xpath(${within}//button[(normalize-space()="${name}" or @aria-label="${name}") and not(@disabled)])`,
    { visible: true, timeout: limit },
  );
  await button.evaluate((e) => e.scrollIntoView({ block: "center", behavior: "instant" }));
  await button.click();
};
const go = (page, name) => press(page, name, '//nav[@aria-label="Main"]');
const reads = (page, text) => page.waitForSelector(`::-p-xpath(//*[contains(text(), "${text}")])`, { timeout: limit });
const field = (page, label) =>
  page.waitForSelector(`::-p-xpath(//input[@id=//label[normalize-space()="${label}"]/@for])`, {
    visible: true,
    timeout: limit,
  });

/** Looks at a page of the extension on screens of several widths. */
const look = async (page, name) => {
  for (const width of [1280, 768, 360, 400]) {
    await page.setViewport({ width, height: 640 });
    await eventually(() => tooWide(page), 0, `${name} is wider than ${width}`);
  }
  await barriers(page, name);
  await targets(page, name);
};
/** Presses Tab until a button has the focus, which must be visible. */
const tabTo = async (page, name) => {
  const passed = [];
  for (let presses = 0; presses < 20; presses++) {
    await page.keyboard.press("Tab");
    const now = await page.evaluate(() => document.activeElement?.textContent.trim() ?? "");
    if (now === name) {
      const ring = () => page.evaluate(() => getComputedStyle(document.activeElement).outlineStyle);
      return eventually(ring, "solid", `the focus on ${name} is visible`);
    }
    passed.push(now.slice(0, 40));
  }
  assert.fail(`Tab does not lead to ${name}: ${passed.join(", ")}`);
};

test("a wallet in Firefox, and the requests of a site", { timeout: 1_200_000 }, async () => {
  const page = await open("page.html");
  await page.waitForSelector("button", { timeout: limit });
  await page.evaluate(() =>
    chrome.storage.local.set({
      "glim.settings": JSON.stringify({ network: "regtest", node: "embedded:", workers: 1, last: "", autoLock: 10 }),
    }),
  );
  await page.evaluate(() => void setTimeout(() => location.reload(), 0));
  await page.waitForSelector(`::-p-xpath(//header[contains(., "Private chain")])`, { timeout: limit });
  await press(page, "Create a wallet");
  await (await field(page, "Wallet name")).type("till");
  await (await field(page, "Password")).type("a good password");
  await (await field(page, "Confirm password")).type("a good password");
  await press(page, "Create wallet");
  await press(page, "Show the words");
  await page.waitForSelector("ol.words li", { timeout: limit });
  const words = await page.$$eval("ol.words li", (all) =>
    all.map((e) => e.textContent.replace(/^\s*\d+\s*/, "").trim()),
  );
  assert.equal(words.length, 16);
  await page.click("input[type=checkbox]");
  await press(page, "Continue");
  await page.waitForSelector("form input", { timeout: limit });
  for (const input of await page.$$("form input")) {
    const label = await input.evaluate((e) => e.labels[0].textContent);
    await input.type(words[Number(/\d+/.exec(label)[0]) - 1]);
  }
  await press(page, "Open the wallet");
  await page.waitForSelector(`::-p-xpath(//*[normalize-space()="Balance"])`, { timeout: limit });
  await go(page, "More");
  await press(page, "Private chain", "//main");
  await page.select("main select", "80");
  await press(page, "Mine");
  await reads(page, "80 blocks mined");

  const site = await browser.newPage();
  await site.goto(shop);
  /** Sends a request of the site. Its outcome is read later, because the user acts in between. */
  const ask = (method, params) =>
    site.evaluate(
      (method, params) => {
        window.outcome = window.glim.request({ method, params }).catch((e) => ({ code: e.code }));
      },
      method,
      params,
    );
  /** Sends a request of the site, checks the texts in the consent window, and presses a button there. */
  const answered = async (method, params, button, read) => {
    await ask(method, params);
    const consent = await consentWindow();
    assert.equal(
      await (await consent.waitForSelector("[data-origin]", { timeout: limit })).evaluate((e) => e.textContent.trim()),
      new URL(shop).origin,
    );
    for (const text of read ?? []) await reads(consent, text);
    await press(consent, button);
    const outcome = await site.evaluate(() => window.outcome);
    await gone(consent);
    return outcome;
  };
  assert.equal((await answered("connect", {}, "Decline")).code, 4001);
  const { address, network } = await answered("connect", {}, "Connect");
  assert.match(address, /^8[1-9A-HJ-NP-Za-km-z]{94}$/);
  assert.equal(network, "regtest");
  assert.deepEqual(await site.evaluate(() => window.glim.request({ method: "address" })), { address, network });
  const pay = { address, amount: "250000000000", description: "one coffee" };
  assert.equal((await answered("pay", pay, "Decline", ["one coffee", "0.25"])).code, 4001);
  const { txids, amount } = await answered("pay", pay, "Pay 0.25 XMR", ["one coffee"]);
  assert.match(txids[0], /^[0-9a-f]{64}$/);
  assert.equal(amount, pay.amount);
  // The wallet's own page shows the payment.
  await page.bringToFront();
  await go(page, "History");
  await reads(page, "one coffee");
  await site.bringToFront();
  assert.match((await answered("sign", { message: "I am who paid" }, "Sign", ["I am who paid"])).signature, /^SigV2/);

  // With the keyboard alone.
  await ask("sign", { message: "typed" });
  const typed = await consentWindow();
  await typed.waitForSelector(`::-p-xpath(//button[normalize-space()="Sign" and not(@disabled)])`, { timeout: limit });
  await look(typed, "sign");
  await tabTo(typed, "Sign");
  await typed.keyboard.press("Enter").catch(() => undefined);
  assert.match((await site.evaluate(() => window.outcome)).signature, /^SigV2/);
  await gone(typed);
});
