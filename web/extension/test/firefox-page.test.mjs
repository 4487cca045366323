// The package in a page of Firefox: a complete payment, with the daemon in the page as well and wallets in IndexedDB.
import assert from "node:assert/strict";
import { join } from "node:path";
import { after, before, test } from "node:test";

import puppeteer from "puppeteer-core";

import { judge } from "../../sdk/test/payment.mjs";
import { sdk, serve } from "../../sdk/test/tools.mjs";

const limit = 600_000;
const ends = [];
let browser, site;
before(async () => {
  site = await serve(
    { after: (end) => ends.push(end) },
    { "/glim/": `${join(sdk, "dist")}/`, "/test/": `${join(sdk, "test")}/` },
  );
  browser = await puppeteer.launch({
    browser: "firefox",
    executablePath: process.env.FIREFOX ?? "/usr/bin/firefox-esr",
    headless: true,
    protocolTimeout: limit,
    timeout: limit,
  });
});
after(async () => {
  await browser?.close();
  for (const end of ends) await end();
});

test("a payment in a page of Firefox", { timeout: limit }, async () => {
  const page = await browser.newPage();
  await page.goto(`${site}/test/page.html`);
  await page.waitForFunction("window.ready", { timeout: limit });
  judge(assert, await page.evaluate(() => pay({ database: "payment" })));
});
