// What a user does in the app, in the user's terms.
import assert from "node:assert/strict";
import { eventually } from "./eventually.mjs";

export const button = (page, name) => page.getByRole("button", { name, exact: typeof name === "string" });

/** Opens a page through the navigation bar of a phone. */
export async function go(page, name) {
  const bar = page.getByRole("navigation", { name: "Main" });
  if (["Home", "Send", "Receive", "History"].includes(name)) return bar.getByRole("button", { name }).click();
  await bar.getByRole("button", { name: "More" }).click();
  if (name === "More") return;
  await page.locator("main").getByRole("button", { name, exact: true }).click();
}

/** Opens the settings of one's own node, from a page without an open wallet. */
export async function nodeSettings(page) {
  await page.locator("header").getByRole("button", { name: /node/i }).click();
  await page.getByRole("radio", { name: "My own" }).click();
}

/** Chooses the private chain in the page, which begins empty and ends with the page. */
export async function privateChain(page) {
  await page.locator("header").getByRole("button", { name: /node/i }).click();
  await page.getByRole("radio", { name: "Private chain" }).click();
  await button(page, "Save").click();
  await page.getByText("Private chain: the money here").waitFor();
}

/** The button that sends a payment, which names its amount. */
export const sendNow = (page) => button(page, /^Send [\d.]+ XMR$/);

export const lock = (page) => button(page, "Lock").click();

/** Fills in the name and the password of a new wallet. */
export async function login(page, name, password) {
  await page.getByLabel("Wallet name").fill(name);
  await page.getByLabel("Password", { exact: true }).fill(password);
  await page.getByLabel("Confirm password").fill(password);
}

/** Goes from any page shown without an open wallet to the page that makes one. */
export async function another(page, what) {
  const other = button(page, "Create or restore another");
  const first = button(page, what);
  await other.or(first).first().waitFor();
  if (await other.isVisible()) await other.click();
  await first.click();
}

/** Returns the seed words that the page shows. It waits for them. */
export async function shownWords(page) {
  const words = page.locator("ol.words:not(.veiled) li");
  await words.first().waitFor();
  return (await words.allInnerTexts()).map((t) => t.replace(/^\d+\s*/, "").trim());
}

/** Returns the text that a click puts on the clipboard, in the end one that matches the pattern. */
export async function copied(page, click, pattern = /./) {
  await page.evaluate(() => navigator.clipboard.writeText(""));
  await click();
  return eventually(() => page.evaluate(() => navigator.clipboard.readText()), pattern, "what was copied");
}

/** Fills in the words that the page asks for. */
export async function answerWords(page, words) {
  const fields = page.getByLabel(/^Word \d+/);
  await fields.first().waitFor();
  for (const field of await fields.all()) {
    const label = await field.evaluate((e) => e.labels[0].textContent);
    await field.fill(words[Number(/\d+/.exec(label)[0]) - 1]);
  }
}

/** Creates a wallet and calls shot at every step. Returns the seed words. */
export async function create(page, name, password, { kind = "polyseed", shot = async () => {} } = {}) {
  await another(page, "Create a wallet");
  await login(page, name, password);
  if (kind === "words") {
    await page.getByText("Kind of seed and its language").click();
    await page.getByRole("radio", { name: "25 words" }).click();
  }
  await shot("create");
  await button(page, "Create wallet").click();
  await button(page, "Show the words").waitFor();
  await eventually(() => page.getByLabel("I have written them down").isEnabled(), false, "the words are hidden");
  await button(page, "Show the words").click();
  await page.evaluate(() => history.back()); // must not leave the words before they are checked
  const words = await shownWords(page);
  assert.equal(words.length, kind === "words" ? 25 : 16);
  await shot("seed");
  await eventually(() => button(page, "Continue").isEnabled(), false);
  await page.getByLabel("I have written them down").check();
  await button(page, "Continue").click();
  const fields = page.getByLabel(/^Word \d+/);
  await fields.first().waitFor();
  for (const field of await fields.all()) {
    const kept = await field.evaluate((e) =>
      [e.autocomplete, e.autocapitalize, e.getAttribute("autocorrect"), e.spellcheck].join(),
    );
    assert.equal(kept, "off,none,off,false", "the browser does not store or correct seed words");
    await field.fill("wrong");
  }
  await button(page, "Open the wallet").click();
  await eventually(() => page.getByText("This is not the right word.").count(), 3);
  await shot("seed-check");
  await answerWords(page, words);
  await button(page, "Open the wallet").click();
  await page.getByText("Balance", { exact: true }).waitFor();
  // The words are no longer anywhere in the page.
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

/** Unlocks a wallet and waits until it is open. */
export async function open(page, name, password) {
  await unlock(page, name, password);
  await page.getByText("Balance", { exact: true }).waitFor();
}

/** Mines blocks to the open wallet. */
export async function mine(page, blocks) {
  await go(page, "Private chain");
  await page.getByLabel("Blocks").selectOption(String(blocks));
  await button(page, "Mine").click();
  await page.getByRole("progressbar", { name: "Mining" }).waitFor({ state: "detached" });
  // The message of an earlier time may still be there.
  await page
    .getByText(`${blocks} block${blocks === 1 ? "" : "s"} mined`)
    .last()
    .waitFor();
}

/** Returns the first address of the open wallet. */
export async function address(page) {
  await go(page, "Receive");
  await page.getByLabel("Address", { exact: true }).selectOption("0");
  await page.locator(".address").first().waitFor();
  const text = await copied(page, () => button(page, "Copy").click(), /^[1-9A-HJ-NP-Za-km-z]{95}$/);
  const selected = () =>
    page
      .locator(".address")
      .first()
      .evaluate((node) => {
        const selection = getSelection();
        selection.selectAllChildren(node);
        const copied = selection.toString();
        selection.removeAllRanges();
        return copied;
      });
  await eventually(selected, text, "copied from the page");
  return text;
}

/** The text of a fact, by its name. */
export const fact = (page, name) =>
  page.locator("dl.facts > div", { has: page.locator("dt", { hasText: new RegExp(`^${name}$`) }) }).locator("dd");
