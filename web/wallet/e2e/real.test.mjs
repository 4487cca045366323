// A payment through monerod behind glim's daemon, with interruptions: a tab that crashes, a malicious node, no network.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { haveReference, mine, ownDaemon, realDaemon, wayTo } from "../../sdk/test/tools.mjs";
import { address, button, create, fact, go, lock, nodeSettings, open, sendNow, unlock } from "./acts.mjs";
import { inFirefox, shot, start, scenario } from "./browser.mjs";
import { eventually, patience } from "./eventually.mjs";

const password = "correct horse battery staple";
let app, page, real, way;
const ends = [];
before(async () => {
  if (!haveReference()) return;
  const all = { after: (end) => ends.push(end) };
  real = await realDaemon(all);
  way = await wayTo(all, await ownDaemon(all, "--no-sync", "--bootstrap-daemon-address", new URL(real).host));
  app = await start();
  ({ page } = app);
});
after(async () => {
  await app?.end();
  for (const end of ends.reverse()) await end();
});

test("a wallet on monerod behind glim's daemon", async () => {
  if (app) await scenario(page, "real", payment);
});

async function payment() {
  await nodeSettings(page);
  await page.getByLabel("Network").selectOption("regtest");
  await page.getByLabel("Node address").fill(way.address);
  await button(page, "Test").click();
  await page.getByText("Connected", { exact: true }).waitFor();
  await button(page, "Save").click();
  await create(page, "Shop", password);
  const shop = await address(page);
  await lock(page);
  await create(page, "Purse", password, { kind: "words" });
  const purse = await address(page);
  await lock(page); // it must not scan by itself meanwhile
  await mine(real, purse, 80);

  // The tab crashes while the wallet scans the chain.
  await dies(/blocks\.bin$/, false, () => unlock(page, "Purse", password));

  // Forged blocks are rejected, and the page says so.
  way.change = (path, body) => {
    if (/blocks/.test(path)) body[body.length >> 1] ^= 1;
    return body;
  };
  await reopen("Purse");
  await page.getByText("The node sent invalid data").waitFor();
  await eventually(() => page.locator(".balance .sr").innerText(), "0 XMR");
  await shot(page, "home-invalid-data");
  way.change = (_, body) => body;
  await button(page, "Try again").click();
  await page.getByText(/In sync at block 81/).waitFor();

  // The tab crashes while it sends: the node has the payment, but the page has not received the response.
  await go(page, "Send");
  await page.getByLabel("To", { exact: true }).fill(shop);
  await page.getByLabel("Amount").fill("1.25");
  await button(page, "Review").click();
  await sendNow(page).and(page.locator(":enabled")).waitFor();
  await dies(/send_?raw_?transaction$/, true, () => sendNow(page).click());
  await reopen("Purse");
  await page.locator("main").getByRole("button", { name: /1\.25/ }).first().click();
  await page.getByText("Pending").waitFor();
  const shownID = async () => (await fact(page, "Transaction ID").innerText()).trim();
  const txid = await eventually(shownID, /^[0-9a-f]{64}$/);

  // Only one tab can have the wallet open; the other says so.
  const second = await tab();
  await unlock(second, "Purse", password);
  await second.getByText("The wallet is open in another tab").waitFor();
  await second.close();

  // Without a network everything known is shown, but nothing can be sent.
  await page.context().setOffline(true);
  await go(page, "Home");
  await page.getByText("You are offline", { exact: true }).waitFor();
  await go(page, "Send");
  await page.getByLabel("To", { exact: true }).fill(shop);
  await page.getByLabel("Amount").fill("0.5");
  await button(page, "Review").click();
  await page.getByText("The node cannot be reached").first().waitFor();
  await shot(page, "send-offline");
  await mine(real, purse, 10);
  await page.context().setOffline(false);
  await go(page, "Home");
  await page.getByText(/In sync at block 91/).waitFor();
  await lock(page);

  await unlock(page, "Shop", "not this one");
  await page.getByText("Wrong password").waitFor();
  await open(page, "Shop", password);
  await page.locator(".balance .sr", { hasText: "1.25 XMR" }).waitFor();
  await page.reload();
  await open(page, "Shop", password);
  await go(page, "History");
  await page.locator("main").getByRole("button", { name: /1\.25/ }).click();
  await eventually(shownID, txid);
  await fact(page, "Confirmations").getByText("10", { exact: true }).waitFor();
  assert.deepEqual(
    app.troubles.filter((text) => !/net::ERR|Failed to (load|fetch)/.test(text)),
    [],
  );
}

/** Opens another tab of the same browser. */
async function tab() {
  const opened = await page.context().newPage();
  await opened.goto(page.url());
  return opened;
}

/** Crashes the tab when it sends a request to a path of the node, which is passed on or not, and opens another tab. */
async function dies(path, passOn, act) {
  let now, end;
  const moment = new Promise((resolve) => (now = resolve));
  const over = new Promise((resolve) => (end = resolve));
  way.seen = async (asked) => {
    if (!path.test(asked)) return;
    now();
    if (!passOn) await over;
  };
  await act();
  await moment;
  const next = await tab();
  if (!inFirefox) {
    const crashed = page.waitForEvent("crash");
    const devtools = await page.context().newCDPSession(page);
    devtools.send("Page.crash").catch(() => undefined);
    await crashed;
  }
  // The protocol of Firefox cannot crash a page. Closing the tab ends its workers as suddenly.
  await page.close();
  page = next;
  // The service worker may have ended with the process, and with it what the other tab was loading: it recovers.
  end();
  way.seen = async () => undefined;
}

/** Opens a wallet that a tab which has just closed may hold a moment longer. */
async function reopen(name) {
  const there = page.getByText("Balance", { exact: true });
  const taken = page.getByText("The wallet is open in another tab");
  for (const until = Date.now() + patience; Date.now() < until; ) {
    await unlock(page, name, password);
    await there.or(taken).first().waitFor();
    if (await there.isVisible()) return;
  }
  assert.fail("the wallet stays in use");
}
