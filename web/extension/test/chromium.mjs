// Chromium with the extension, loaded unpacked.
import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

import { chromium } from "playwright-core";

import { eventually } from "../../wallet/e2e/eventually.mjs";

const unpacked = join(dirname(fileURLToPath(import.meta.url)), "..", "dist", "chromium");
/** Timeout of each step, in milliseconds: machines may be busy. */
export const limit = Number(process.env.GLIM_PATIENCE ?? 180_000);

/**
 * Starts the browser. Returns it, the address of the extension's pages, functions that open a page and find one, and
 * one that ends it all.
 */
export async function start() {
  const profile = mkdtempSync(join(tmpdir(), "glim-extension-"));
  const browser = await chromium.launchPersistentContext(profile, {
    executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
    timeout: limit,
    headless: true,
    viewport: { width: 400, height: 640 },
    args: [
      "--no-sandbox",
      "--disable-gpu",
      "--disable-quic",
      "--no-first-run",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
      "--host-resolver-rules=MAP localhost 127.0.0.1",
      `--disable-extensions-except=${unpacked}`,
      `--load-extension=${unpacked}`,
    ],
  });
  browser.setDefaultTimeout(limit);
  const find = async (kind, what) => {
    const until = Date.now() + limit;
    for (;;) {
      const found = kind().find(what);
      if (found) return found;
      assert.ok(Date.now() < until, "it did not appear");
      await new Promise((r) => setTimeout(r, 50));
    }
  };
  const open = async (url) => {
    const page = await browser.newPage();
    await page.goto(url);
    return page;
  };
  const background = await find(
    () => browser.serviceWorkers(),
    (w) => w.url().startsWith("chrome-extension://"),
  );
  const end = async () => {
    await browser.close();
    rmSync(profile, { recursive: true, force: true });
  };
  return { browser, base: new URL(".", background.url()).href, find, open, end };
}

/** Does what closes a window, which may be gone before the act is reported as done. Waits until it is closed. */
export async function closing(window, act) {
  const failure = await act().then(
    () => undefined,
    (e) => e,
  );
  await eventually(() => window.isClosed(), true, "the window stays open").catch((e) => {
    throw failure ?? e;
  });
}

/** Chooses the private chain in the extension's page. */
export async function onPrivateChain(page) {
  await page.evaluate(() =>
    chrome.storage.local.set({
      "glim.settings": JSON.stringify({ network: "regtest", node: "embedded:", workers: 1, last: "", autoLock: 10 }),
    }),
  );
  await page.reload();
}
