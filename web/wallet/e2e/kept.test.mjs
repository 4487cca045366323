// What stays in the browser and what does not: reloading, a second tab, locking after a while; and what the page says
// about nodes.
import assert from "node:assert/strict";
import { createServer } from "node:http";
import { once } from "node:events";
import { after, before, test } from "node:test";
import { inFirefox, shot, start, scenario } from "./browser.mjs";
import { eventually } from "./eventually.mjs";
import { keeps } from "./hold.mjs";
import { address, button, create, go, lock, nodeSettings, open, unlock } from "./acts.mjs";

const password = "correct horse battery staple";
let app, page;
before(async () => {
  app = await start();
  ({ page } = app);
});
after(() => app?.end());

test("the page reports the state of a node", () => scenario(page, "nodes", nodes));
test("a wallet is stored, but its secrets are not", () => scenario(page, "kept", kept));

async function nodes() {
  const info = { height: 3_000_000, target_height: 0, nettype: "stagenet", synchronized: true, version: "0.18.4.0" };
  const cases = [
    [{}, info, "The node does not allow web pages to use it"],
    [{ "access-control-allow-origin": "*" }, info, "The node is on another network"],
    [{ "access-control-allow-origin": "*" }, { ...info, nettype: "mainnet" }, "Connected"],
    [
      { "access-control-allow-origin": "*" },
      { ...info, nettype: "mainnet", synchronized: false, target_height: 3_000_100 },
      "The node is catching up",
    ],
    [{ "access-control-allow-origin": "*" }, "<html>", "This does not answer like a Monero node"],
  ];
  let now = cases[0];
  const server = createServer((_, response) =>
    response.writeHead(200, now[0]).end(typeof now[1] === "string" ? now[1] : JSON.stringify(now[1])),
  );
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  try {
    await nodeSettings(page);
    await page.getByLabel("Node address").fill(`127.0.0.1:${server.address().port}`);
    for (now of cases) {
      await button(page, "Test").click();
      await page.locator(".notice strong", { hasText: now[2] }).waitFor();
      if (now[2].includes("web pages")) await shot(page, "node-cors");
    }
  } finally {
    server.close();
  }
  // The browser itself logs requests refused by CORS.
  app.troubles.length = 0;
  await page.getByRole("radio", { name: "None" }).click();
  await page.getByLabel("Network").selectOption("regtest");
  await button(page, "Save").click();
  await button(page, /^No node/).waitFor();
}

async function kept() {
  // The policy stops every way to turn text into code or markup.
  const refused = await page.evaluate(() => {
    const tries = [
      () => (document.createElement("div").innerHTML = "<b></b>"),
      () => new Worker("data:text/javascript,1"),
      () => new Function("return 1")(),
    ];
    const fails = (act) => {
      try {
        act();
        return false;
      } catch {
        return true;
      }
    };
    // Code that the test tool evaluates is exempt from the policy, but code that it calls later is not.
    return new Promise((resolve) => setTimeout(() => resolve(tries.map(fails)), 0));
  });
  assert.deepEqual(refused, [true, true, true]);
  // The browser logs what it refused; Firefox says so a little later.
  if (inFirefox)
    await eventually(
      () => app.troubles,
      (log) => assert.ok(log.length >= refused.length, "Firefox does not log what it refused"),
    );
  app.troubles.length = 0;
  const words = await create(page, "Pocket", password);
  const own = await address(page);
  await go(page, "Address book");
  await button(page, "New entry").click();
  await page.getByLabel("Name").fill("Grandmother");
  await page.getByLabel("Address", { exact: true }).fill(own);
  await button(page, "Save").click();
  await page.getByText("Grandmother").waitFor();
  await go(page, "Settings");
  await page.getByLabel("Theme", { exact: true }).selectOption("dark");
  await page.waitForFunction(() => document.documentElement.dataset.theme === "dark");

  // After reloading, the wallet is locked, and everything is still there.
  await page.reload();
  await unlock(page, "Pocket", "not this one");
  await page.getByText("Wrong password").waitFor();
  await page.getByLabel("Password", { exact: true }).fill(password);
  await button(page, "Unlock").click();
  await page.getByText("Balance", { exact: true }).waitFor();
  await eventually(() => page.evaluate(() => document.documentElement.dataset.theme), "dark");
  await go(page, "Address book");
  await page.getByText("Grandmother").waitFor();
  const stored = await page.evaluate(
    () => JSON.stringify({ ...localStorage, ...sessionStorage }) + location.href + document.cookie,
  );
  for (const secret of [password, words, words.split(" ").slice(0, 2).join(" "), "Grandmother"])
    assert.ok(!stored.includes(secret), `kept in the open: ${secret}`);

  // The browser's back and forward buttons move between pages; a second tab learns where the wallet is open.
  await page.goBack();
  await page.getByRole("heading", { name: "More" }).waitFor();
  await page.goForward();
  await page.getByRole("heading", { name: "Address book" }).waitFor();
  const second = await page.context().newPage();
  await second.goto(page.url());
  await unlock(second, "Pocket", password);
  await second.getByText("The wallet is open in another tab").waitFor();
  await second.close();

  // After a change of the password, the old one no longer opens the wallet.
  await go(page, "Settings");
  await button(page, "Change: Password").click();
  await page.getByLabel("Current password").fill(password);
  await page.getByLabel("New password", { exact: true }).fill("another long password");
  await page.getByLabel("Confirm new password").fill("another long password");
  await shot(page, "password");
  const next = page.getByLabel("New password", { exact: true });
  await keeps(page, next, "change_wallet_password", () => button(page, "Change password").click());
  await page.getByText("Password changed").waitFor();
  await lock(page);
  await unlock(page, "Pocket", password);
  await page.getByText("Wrong password").waitFor();
  await page.clock.install();
  await open(page, "Pocket", "another long password");
  // The user is away for a while.
  await page.clock.fastForward("09:00");
  await page.getByText("Balance", { exact: true }).waitFor();
  await page.clock.fastForward("02:00");
  await page.getByRole("heading", { name: "Welcome back" }).waitFor();

  await open(page, "Pocket", "another long password");
  await go(page, "Settings");
  await button(page, "Remove: Remove this wallet").click();
  await page.getByLabel(/type the wallet’s name/).fill("Pocket");
  await page.getByLabel("Wallet password").fill("another long password");
  await shot(page, "remove");
  await button(page, "Remove permanently").click();
  await button(page, "Create a wallet").waitFor();
  assert.deepEqual(app.troubles, []);
}
