// How far the wallet has scanned a long chain, on every page, from the first second on.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { mine, ownDaemon, wait, wayTo } from "../../sdk/test/tools.mjs";
import { another, button, create, go, lock, login, nodeSettings } from "./acts.mjs";
import { shot, start, scenario } from "./browser.mjs";
import { eventually } from "./eventually.mjs";

const password = "correct horse battery staple";
const blocks = 4000;
/** An address of the private chain that belongs to no wallet here. */
const elsewhere = "48RZZ1PV97QQ8z2nNX5AePeAaDvWuoC1bgizAxJB6Tuhbq7Qit2zB1c653w8BdSy2UMdGWzQi7F3pZfjaxBibzQKEYxJh4U";
let app, page, way;
const ends = [];
before(async () => {
  const all = { after: (end) => ends.push(end) };
  const own = await ownDaemon(all, "--offline");
  await mine(own, elsewhere, blocks);
  way = await wayTo(all, own);
  app = await start();
  ({ page } = app);
});
after(async () => {
  await app?.end();
  for (const end of ends.reverse()) await end();
});

test("the progress of scanning a long chain", () => scenario(page, "scan", scan));

async function scan() {
  await nodeSettings(page);
  await page.getByLabel("Network").selectOption("regtest");
  await page.getByLabel("Node address").fill(way.address);
  await button(page, "Save").click();
  const words = await create(page, "Old", password, { kind: "words" });
  await lock(page);

  // Nothing about blocks arrives before the test lets it through.
  let open;
  let gate = new Promise((resolve) => (open = resolve));
  way.seen = async (path) => {
    if (/blocks/.test(path)) await gate;
  };
  await another(page, "Restore a wallet");
  await page.getByRole("textbox", { name: "Seed words" }).fill(words);
  await page.getByLabel("When was the wallet created?").fill("0");
  await login(page, "Again", password);
  await button(page, "Restore wallet").click();
  const bar = page.getByRole("progressbar", { name: "Scanning the chain" });
  await bar.waitFor();
  await eventually(() => bar.getAttribute("aria-valuemax"), String(blocks + 1));
  await page.getByText("Block 1 of 4,001").waitFor();
  await page.getByText("Estimating the time left").waitFor();
  assert.equal(await page.getByText(/In sync|Scanned up to/).count(), 0);
  await shot(page, "scan-begins", { dark: true });

  // The time left appears while blocks arrive, here slowly, and stays between them.
  way.seen = async (path) => {
    if (/blocks/.test(path)) await wait(1600);
  };
  open();
  await page.getByText("less than a minute left").waitFor();
  gate = new Promise((resolve) => (open = resolve));
  way.seen = async (path) => {
    if (/blocks/.test(path)) await gate;
  };
  const left = page.getByText(/left$/);
  await left.waitFor();
  for (const name of ["Send", "Receive", "History", "Accounts", "Settings", "More"]) {
    await go(page, name);
    await bar.waitFor();
    await left.waitFor();
    await eventually(() => bar.getAttribute("aria-valuemax"), String(blocks + 1), name);
    if (name === "Send" || name === "History") await shot(page, `scan-${name.toLowerCase()}`, { dark: true });
  }
  await go(page, "Home");
  way.seen = async () => undefined;
  open();
  await page.getByText("In sync at block 4,001").waitFor();
  await eventually(() => bar.count(), 0);
  assert.deepEqual(app.troubles, []);
}
