// Incoming payments and fiat amounts in the extension, in Chromium. The permissions that a user would grant are in the
// manifest of a copy, because nobody answers the browser's questions here.
import assert from "node:assert/strict";
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";

import { chromium } from "playwright-core";

import { button, create, go, lock, mine, unlock } from "../../wallet/e2e/acts.mjs";
import { eventually } from "../../wallet/e2e/eventually.mjs";
import { rateSource } from "../../wallet/e2e/rate-source.mjs";

const built = join(dirname(fileURLToPath(import.meta.url)), "..", "dist", "chromium");
const pictures = process.env.GLIM_SCREENSHOTS;
const limit = Number(process.env.GLIM_PATIENCE ?? 180_000);
const password = "a good password";
/** An address of the private chain that belongs to no wallet here. */
const elsewhere = "48RZZ1PV97QQ8z2nNX5AePeAaDvWuoC1bgizAxJB6Tuhbq7Qit2zB1c653w8BdSy2UMdGWzQi7F3pZfjaxBibzQKEYxJh4U";
let folder, browser, base, source;

const until = async (what, look) => {
  const end = Date.now() + limit;
  for (let last; ; ) {
    last = await look();
    if (last) return last;
    assert.ok(Date.now() < end, `${what}: ${JSON.stringify(last)}`);
    await new Promise((r) => setTimeout(r, 100));
  }
};
const shot = async (page, name) => {
  if (!pictures) return;
  for (const [width, height] of [
    [380, 600],
    [360, 640],
    [768, 1024],
    [1280, 900],
  ].filter(([width]) => width <= 400 || !page.url().endsWith("popup.html")))
    for (const colorScheme of ["dark", "light"]) {
      await page.setViewportSize({ width, height });
      await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
      const dark = colorScheme === "dark" ? "-dark" : "";
      await page.screenshot({ path: join(pictures, `extension-${name}-${width}${dark}.png`) });
    }
  await page.setViewportSize({ width: 400, height: 640 });
};

before(async () => {
  source = await rateSource();
  folder = mkdtempSync(join(tmpdir(), "glim-money-"));
  const unpacked = join(folder, "extension");
  cpSync(built, unpacked, { recursive: true });
  const manifest = JSON.parse(readFileSync(join(built, "manifest.json"), "utf8"));
  assert.deepEqual(manifest.optional_permissions, ["notifications"]);
  assert.ok(!manifest.permissions.includes("notifications"), "not asked for at installation");
  assert.equal(manifest.host_permissions, undefined);
  manifest.permissions.push("notifications");
  delete manifest.optional_permissions;
  manifest.host_permissions = ["http://127.0.0.1/*"];
  writeFileSync(join(unpacked, "manifest.json"), JSON.stringify(manifest));
  assert.ok(JSON.parse(readFileSync(join(unpacked, "rates.json"), "utf8")).sources.length > 1);
  writeFileSync(join(unpacked, "rates.json"), JSON.stringify(source.rates));
  browser = await chromium.launchPersistentContext(join(folder, "profile"), {
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
      `--disable-extensions-except=${unpacked}`,
      `--load-extension=${unpacked}`,
    ],
  });
  browser.setDefaultTimeout(limit);
  base = new URL(".", (await background()).url()).href;
});
after(async () => {
  await browser?.close();
  source?.close();
  if (folder) rmSync(folder, { recursive: true, force: true });
});

const background = () =>
  until("the background", () => browser.serviceWorkers().find((w) => w.url().startsWith("chrome-extension://")));
const badge = async () => (await background()).evaluate(() => chrome.action.getBadgeText({}));
const title = async () => (await background()).evaluate(() => chrome.action.getTitle({}));
/** The notifications that the background made or changed since the last call. */
const said = async () =>
  (await background()).evaluate(() => {
    const { notifications } = chrome;
    if (!globalThis.said) {
      globalThis.said = [];
      const { create, update } = notifications;
      notifications.create = (id, o) => {
        globalThis.said.push([id, o.title, o.message]);
        return create.call(notifications, id, o);
      };
      notifications.update = (id, o) => {
        globalThis.said.push([id, o.title, o.message]);
        return update.call(notifications, id, o);
      };
    }
    return globalThis.said.splice(0);
  });
/**
 * Waits for the notification of a confirmed payment and returns it. The payment may have been announced before, because
 * the wallet may see it in the pool first.
 */
const confirmed = async () => {
  const all = [];
  await until("a confirmation", async () => {
    all.push(...(await said()));
    return all.some(([, title]) => title === "Payment confirmed");
  });
  const last = all.pop();
  assert.equal(last[1], "Payment confirmed");
  for (const [id, title, message] of all) {
    assert.deepEqual([id, title, message], [last[0], "A payment is on its way", last[2]]);
  }
  return last;
};
const standing = async () =>
  (await background()).evaluate(async () => Object.keys(await chrome.notifications.getAll()));
/** Shows or hides a page, as another tab in front of it would. */
const see = (page, state) =>
  page.evaluate((state) => {
    Object.defineProperty(document, "visibilityState", { configurable: true, get: () => state });
    document.dispatchEvent(new Event("visibilitychange"));
  }, state);

/** Pays from the open wallet to one of its own addresses. Returns the transaction's ID. */
async function pay(page, to, amount) {
  await go(page, "Send");
  await page.getByLabel("To", { exact: true }).fill(to);
  await page.getByLabel("Amount", { exact: true }).fill(amount);
  await button(page, "Review").click();
  await button(page, /^Send [\d.,]+ XMR$/)
    .and(page.locator(":enabled"))
    .waitFor();
  await button(page, /^Send [\d.,]+ XMR$/).click();
  await page.getByRole("heading", { name: "Sent" }).waitFor();
}

test("incoming payments and fiat amounts", { timeout: 900_000 }, async (t) => {
  // Keeps the message with which the page starts the engine, to use the same engine without the wallet's page.
  await browser.addInitScript(() => {
    if (!globalThis.chrome?.runtime?.connect) return;
    const { connect } = chrome.runtime;
    chrome.runtime.connect = (...a) => {
      const port = connect.apply(chrome.runtime, a);
      const { postMessage } = port;
      port.postMessage = (m) => {
        if (m.type === "start") globalThis.start = m;
        return postMessage.call(port, m);
      };
      return port;
    };
  });
  let wallet = await browser.newPage();
  await wallet.goto(`${base}page.html`);
  await wallet.evaluate(() =>
    chrome.storage.local.set({
      "glim.settings": JSON.stringify({ network: "regtest", node: "embedded:", workers: 1, last: "", autoLock: 10 }),
    }),
  );
  await wallet.reload();
  await create(wallet, "till", password);
  await mine(wallet, 80);
  await go(wallet, "Accounts");
  await button(wallet, "New account").click();
  await wallet.getByLabel("Label").fill("Stall");
  await button(wallet, "Done").click();
  await button(wallet, /Stall/).first().click();
  await wallet.getByRole("heading", { name: /Addresses.*Stall/ }).waitFor();
  await wallet.locator("main section button.item").first().click();
  await wallet.getByRole("heading", { name: "Receive" }).waitFor();
  const address = await eventually(
    async () => (await wallet.locator(".address").first().innerText()).replace(/\s/g, ""),
    /^8[1-9A-HJ-NP-Za-km-z]{94}$/,
  );

  await t.test("a payment that the page shows makes no badge, another one does until it is seen", async () => {
    await said();
    await pay(wallet, address, "0.5");
    await go(wallet, "History");
    await wallet.locator(".tag", { hasText: "Pending" }).first().waitFor();
    await mine(wallet, 1);
    await go(wallet, "History");
    await wallet.locator(".tag", { hasText: "Pending" }).first().waitFor({ state: "detached" });
    assert.equal(await badge(), "");

    await pay(wallet, address, "0.25");
    await see(wallet, "hidden");
    await mine(wallet, 1);
    await until("the badge", async () => (await badge()) === "1");
    await eventually(title, "glim: new payments: 1");
    assert.deepEqual([await said(), await standing()], [[], []], "notifications are off until they are chosen");
    await see(wallet, "visible");
    await until("the badge is gone", async () => (await badge()) === "");
    await eventually(title, "glim");
  });

  await t.test("notifications say an amount only if the user wants it and the wallet is unlocked", async () => {
    await go(wallet, "Settings");
    const choice = wallet.getByLabel("Incoming payments");
    await eventually(() => choice.inputValue(), "badge");
    await choice.selectOption("plain");
    await wallet.waitForFunction(async () => {
      const { "glim.settings": text } = await chrome.storage.local.get("glim.settings");
      return JSON.parse(text).notices === "plain";
    });
    await choice.scrollIntoViewIfNeeded();
    await shot(wallet, "notices");
    await pay(wallet, address, "0.125");
    await see(wallet, "hidden");
    await mine(wallet, 1);
    const [id, , message] = await confirmed();
    assert.match(id, /^payment [0-9a-f]{64}$/);
    assert.doesNotMatch(message, /\d/);
    await eventually(standing, [id]);
    await see(wallet, "visible");
    await until("the notification is gone", async () => (await standing()).length === 0);

    await go(wallet, "Settings");
    await choice.selectOption("amounts");
    await wallet.waitForFunction(async () => {
      const { "glim.settings": text } = await chrome.storage.local.get("glim.settings");
      return JSON.parse(text).notices === "amounts";
    });
    await pay(wallet, address, "0.0625");
    await see(wallet, "hidden");
    await mine(wallet, 1);
    const first = await confirmed();
    assert.equal(first[2], "0.0625 XMR");
    await lock(wallet);
    const hidden = await until("the amount is gone", async () => (await said())[0]);
    assert.equal(hidden[0], first[0]);
    assert.doesNotMatch(hidden[2], /\d/);
    await see(wallet, "visible");
    await eventually(badge, "1", "a locked wallet shows nothing, so the payment is not seen");
    await unlock(wallet, "till", password);
    await wallet.getByText("Balance", { exact: true }).waitFor();
    await until("the badge is gone", async () => (await badge()) === "");
  });

  await t.test("the engine tells of a payment while no page shows the wallet", async () => {
    await pay(wallet, address, "0.03");
    const start = await wallet.evaluate(() => globalThis.start);
    const other = await browser.newPage();
    await other.goto(`${base}sites.html`);
    await wallet.close();
    await other.evaluate(
      ([start, to]) =>
        new Promise((resolve, reject) => {
          const port = chrome.runtime.connect({ name: "engine" });
          const params = { amount_of_blocks: 1, wallet_address: to, starting_nonce: 0 };
          port.onMessage.addListener((reply) => {
            if (reply.type === "ready")
              port.postMessage({ type: "daemon", id: 1, method: "generateblocks", params: JSON.stringify(params) });
            else if (reply.type === "result") resolve(port.disconnect());
            else if (reply.type !== "log") reject(new Error(JSON.stringify(reply)));
          });
          port.postMessage(start);
        }),
      [start, elsewhere],
    );
    await until("the badge", async () => (await badge()) === "1");
    assert.equal((await confirmed())[2], "0.03 XMR");

    // Opening the wallet is seeing it.
    wallet = await browser.newPage();
    await wallet.goto(`${base}popup.html`);
    await wallet.setViewportSize({ width: 380, height: 600 });
    await wallet.getByText("Balance", { exact: true }).waitFor();
    await until("the badge is gone", async () => (await badge()) === "");
    await until("the notification is gone", async () => (await standing()).length === 0);
    await other.close();
  });

  await t.test("fiat amounts need the permission for their source, and its rate is shared by all pages", async () => {
    await go(wallet, "Settings");
    // The user declines: the source is not asked, and the page says so.
    await wallet.evaluate(() => {
      const { contains } = chrome.permissions;
      chrome.permissions.request = async () => false;
      chrome.permissions.contains = async (p) => !p.origins && contains.call(chrome.permissions, p);
    });
    await wallet.getByLabel("Source of the rate").selectOption("local");
    await wallet.getByText("Local may not be asked for the rate.").waitFor();
    assert.deepEqual(source.asked, []);
    await button(wallet, "Allow access").scrollIntoViewIfNeeded();
    await shot(wallet, "fiat-denied");
    await wallet.evaluate(() => {
      chrome.permissions.request = async () => true;
      chrome.permissions.contains = async () => true;
    });
    await button(wallet, "Allow access").click();
    await wallet.locator("[data-rate]", { hasText: "1 XMR = $151.93" }).waitFor();
    await eventually(() => source.asked.length, 1);
    assert.equal(source.asked[0].url, "/rate/usd");
    assert.deepEqual([source.asked[0].headers.cookie, source.asked[0].headers.referer], [undefined, undefined]);
    await go(wallet, "Home");
    await wallet.locator("[data-fiat]").first().waitFor();
    await shot(wallet, "fiat-home");
    const page = await browser.newPage();
    await page.goto(`${base}page.html`);
    await page.getByText("Balance", { exact: true }).waitFor();
    await page.locator("[data-fiat]", { hasText: "Rate of Local" }).waitFor();
    assert.equal(source.asked.length, 1, "the other page did not ask again");
    await go(page, "Send");
    await button(page, "Choose outputs").click();
    await page.getByRole("dialog").getByRole("checkbox").and(page.locator(":enabled")).first().check();
    await page.getByText("1 output chosen").waitFor();
    await shot(page, "outputs-choose");
  });
});
