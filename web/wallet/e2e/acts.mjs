// What a person does in the app, in their words.
import assert from "node:assert/strict";

export const button = (page, name) => page.getByRole("button", { name, exact: typeof name === "string" });

/** Goes to a page by the navigation that a phone has. */
export async function go(page, name) {
  const bar = page.getByRole("navigation", { name: "Main" });
  if (["Home", "Send", "Receive", "History"].includes(name)) return bar.getByRole("button", { name }).click();
  await bar.getByRole("button", { name: "More" }).click();
  if (name === "More") return;
  await page.locator("main").getByRole("button", { name, exact: true }).click();
}

export const lock = (page) => button(page, "Lock").click();

/** Fills in a new wallet's name and password. */
export async function login(page, name, password) {
  await page.getByLabel("Name of the wallet").fill(name);
  await page.getByLabel("Password", { exact: true }).fill(password);
  await page.getByLabel("Password again").fill(password);
}

/** Goes from wherever one is before a wallet is open to the page that makes one. */
export async function another(page, what) {
  const other = button(page, "Create or restore another");
  const first = button(page, what);
  await other.or(first).first().waitFor();
  if (await other.isVisible()) await other.click();
  await first.click();
}

/** Creates a wallet; shot is called on every step. Returns the words. */
export async function create(page, name, password, { kind = "polyseed", shot = async () => {} } = {}) {
  await another(page, "Create a wallet");
  await login(page, name, password);
  if (kind === "words") {
    await page.getByText("Kind of seed and its language").click();
    await page.getByRole("radio", { name: "25 words" }).click();
  }
  await shot("create");
  await button(page, "Create wallet").click();
  await button(page, "Show the words").click();
  await page.evaluate(() => history.back()); // leads nowhere before they are checked
  const words = (await page.locator("ol.words li").allInnerTexts()).map((t) => t.replace(/^\d+\s*/, "").trim());
  assert.equal(words.length, kind === "words" ? 25 : 16);
  await shot("seed");
  assert.equal(await button(page, "Continue").isEnabled(), false);
  await page.getByLabel("I have written them down").check();
  await button(page, "Continue").click();
  const fields = page.getByLabel(/^Word \d+/);
  await fields.first().waitFor();
  for (const field of await fields.all()) {
    const kept = await field.evaluate((e) => [e.autocomplete, e.autocapitalize, e.getAttribute("autocorrect"), e.spellcheck].join());
    assert.equal(kept, "off,none,off,false", "nothing remembers or corrects words");
    await field.fill("wrong");
  }
  await button(page, "Open the wallet").click();
  assert.equal(await page.getByText("That is not this word.").count(), 3);
  await shot("seed-check");
  for (const field of await fields.all()) {
    const label = await field.evaluate((e) => e.labels[0].textContent);
    await field.fill(words[Number(/\d+/.exec(label)[0]) - 1]);
  }
  await button(page, "Open the wallet").click();
  await page.getByText("Balance", { exact: true }).waitFor();
  // The words are nowhere in the page any more.
  assert.ok(!(await page.content()).includes(words.slice(0, 3).join(" ")));
  return words.join(" ");
}

export async function unlock(page, name, password) {
  const other = page.getByLabel("Wallet", { exact: true });
  await page.getByRole("heading", { name: "Welcome back" }).waitFor();
  if (await other.isVisible()) await other.selectOption(name);
  await page.getByLabel("Password", { exact: true }).fill(password);
  await button(page, "Unlock").click();
}

/** Unlocks and waits until the wallet is there. */
export async function open(page, name, password) {
  await unlock(page, name, password);
  await page.getByText("Balance", { exact: true }).waitFor();
}

/** Mines blocks to the open wallet. */
export async function mine(page, blocks) {
  await go(page, "Private chain");
  await page.getByLabel("Blocks").selectOption(String(blocks));
  await button(page, "Mine").click();
  await page.getByText(`${blocks} block${blocks === 1 ? "" : "s"} mined`).waitFor();
}

/** The first address of the open wallet. */
export async function address(page) {
  await go(page, "Receive");
  await page.getByLabel("Address", { exact: true }).selectOption("0");
  await page.locator(".address").first().waitFor();
  await button(page, "Copy").click();
  const text = await page.evaluate(() => navigator.clipboard.readText());
  assert.match(text, /^[1-9A-HJ-NP-Za-km-z]{95}$/);
  return text;
}

/** The text in a value's row, by its name. */
export const fact = (page, name) => page.locator("dl.facts > div", { has: page.locator("dt", { hasText: new RegExp(`^${name}$`) }) }).locator("dd");
