// The demo: play money, a counterparty that answers, and a chain that survives reloading.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { scenario, shot, start } from "./browser.mjs";
import { button, create, go, lock, open, sendNow } from "./acts.mjs";
import { eventually } from "./eventually.mjs";

const password = "correct horse battery staple";
let app, page;
before(async () => {
  app = await start();
  ({ page } = app);
});
after(() => app?.end());

test("play money: pay, be answered, reload, end", () => scenario(page, "demo", demo));

const banner = () => page.getByRole("complementary", { name: "Demo" });
const spent = (text) => page.locator("main").getByText(text).first();

/** What the browser keeps for the user: settings and databases, apart from the demo's. */
const own = () =>
  page.evaluate(async () => ({
    settings: Object.fromEntries(Object.entries(localStorage).filter(([key]) => !key.startsWith("glim.demo"))),
    databases: (await indexedDB.databases())
      .map((d) => d.name)
      .filter((name) => !name.includes("demo"))
      .sort(),
  }));

async function demo() {
  // A wallet of the user, which the demo must leave alone.
  await create(page, "Savings", password);
  await lock(page);
  await page.getByRole("heading", { name: "Welcome back" }).waitFor();
  const before = await own();

  await button(page, "Create or restore another").click();
  await shot(page, "welcome-demo", { dark: true });
  await button(page, /Try it with play money/).click();
  // No password, no words: the wallet is there, with money and a history.
  await page.getByText("Balance", { exact: true }).waitFor();
  const contacted = [];
  page.context().on("request", (r) => {
    const { origin } = new URL(r.url());
    if (/^http/.test(origin) && origin !== new URL(page.url()).origin) contacted.push(r.url());
  });
  await banner().getByText("Play money.").waitFor();
  for (const note of ["Play money to start with", "Ada: my half of the rent", "Two coffees and a croissant"])
    await spent(note).waitFor();
  await eventually(() => page.getByText("not backed up").count(), 0);
  await banner().getByText("Nothing here has any value.").waitFor();
  await shot(page, "demo-home", { dark: true });
  const first = await eventually(balance, (xmr) => assert.ok(xmr > 15, `${xmr} XMR to begin with`));

  // The history goes back over days, because the blocks of the chain do.
  await spent(/^[A-Z][a-z]{2} \d{1,2}(, \d{4})?\s/).waitFor();
  await go(page, "History");
  await page.waitForFunction(() => document.querySelectorAll("main h2.day").length === 5);
  await shot(page, "demo-history", { dark: true });

  // A payment: in the pool, confirmed by a block that the user mines, answered with half of it.
  await byItself(false);
  await go(page, "Home");
  await button(page, "Pay Corner café").click();
  await page.getByLabel("Amount").fill("2");
  await page.getByLabel("Note").fill("A round for everybody");
  await button(page, "Review").click();
  await page.getByText("Corner café, in your address book").waitFor();
  await sendNow(page).click();
  await page.getByRole("heading", { name: "Sent" }).waitFor();
  await go(page, "Home");
  const payment = page.locator("main li", { hasText: "A round for everybody" });
  await payment.getByText("Pending").waitFor();
  await banner().getByText("Corner café sees your payment in the pool.").waitFor();
  await shot(page, "demo-pool", { dark: true });
  await banner().getByRole("button", { name: "Mine a block" }).click();
  await payment.getByText("Pending").waitFor({ state: "detached" });
  const answer = page.locator("main li", { hasText: "Corner café: thank you, here is half of it back" });
  await answer.getByText("Pending").waitFor();
  await shot(page, "demo-answered");

  // Reloading continues where it was: by itself, until everything is unlocked.
  await page.reload();
  await page.getByText("Balance", { exact: true }).waitFor();
  await answer.waitFor();
  await answer.getByText("Pending").waitFor({ state: "detached" });
  await banner().getByText("Nothing here has any value.").waitFor();
  await answer.getByText("Locked").waitFor({ state: "detached" });
  await eventually(() => answer.count(), 1);
  await eventually(balance, (now) => assert.ok(now > first - 1.01 && now < first - 1, `${first} - 2 + 1 = ${now}`));

  // Mining and asking for a payment by hand.
  await byItself(false);
  const blocks = page.locator("dl.facts dd").first();
  const height = async () => Number((await blocks.innerText()).replaceAll(",", ""));
  const h = await eventually(height, (n) => assert.ok(n > 100, `${n} blocks`));
  await button(page, "10 blocks").click();
  await page.getByText("10 blocks mined").waitFor();
  // A block that was being made by itself may come on top.
  await eventually(height, (n) => assert.ok(n >= h + 10, `${h} and 10 more blocks make ${n}`));
  await shot(page, "demo", { dark: true });
  await button(page, "Ask for a payment").click();
  await banner().getByText("A payment is waiting in the pool.").waitFor();
  await banner().getByRole("button", { name: "Mine a block" }).click();
  await banner()
    .getByText(/unlocks in \d+ block/)
    .waitFor();
  // Secrets need no password either, and the node cannot be changed.
  await go(page, "Settings");
  await button(page, "Show: Seed and keys").click();
  await shot(page, "demo-secrets");
  await page.keyboard.press("Escape");
  await shot(page, "demo-settings");

  // A second tab says why it cannot show the demo.
  const second = await page.context().newPage();
  await second.goto(page.url());
  await second.getByRole("heading", { name: "The demo did not start" }).waitFor();
  await second.getByText("open in another tab").waitFor();
  await second.close();

  assert.deepEqual(contacted, [], "no node is contacted");

  // The end: nothing of it is left, and the user's wallet is as before.
  await go(page, "Demo");
  await button(page, "End the demo").click();
  await shot(page, "demo-end");
  await button(page, "End and remove").click();
  await page.getByRole("heading", { name: "Welcome back" }).waitFor();
  await eventually(own, before);
  const left = () =>
    page.evaluate(async () => [
      ...Object.keys(localStorage).filter((key) => key.includes("demo")),
      ...(await indexedDB.databases()).map((d) => d.name).filter((name) => name.includes("demo")),
    ]);
  await eventually(left, []);
  await open(page, "Savings", password);
  assert.deepEqual(app.troubles, []);
}

/** Goes to the page of the demo, and chooses whether it mines by itself. */
async function byItself(on) {
  await go(page, "Demo");
  await page.getByLabel("Mine automatically").setChecked(on);
}

/** The balance shown, in XMR. */
async function balance() {
  await go(page, "Home");
  return Number.parseFloat((await page.locator(".balance .sr").first().innerText()).replaceAll(",", ""));
}
