// Several wallets in one browser: switching between them, names that change, and what reloading and locking leave.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { choose, saved, scenario, shot, start } from "./browser.mjs";
import { answerWords, button, create, go, lock, login, open, privateChain, shownWords } from "./acts.mjs";
import { eventually } from "./eventually.mjs";
import { hold, keeps } from "./hold.mjs";

const password = "correct horse battery staple";
const second = "another long password";
let app, page;
before(async () => {
  app = await start();
  ({ page } = app);
});
after(() => app?.end());

test("wallets are switched, renamed and locked", () => scenario(page, "wallets", wallets));

/** The button with the name of the open wallet. */
const current = (name) => page.getByRole("banner").getByRole("button", { name: `Wallet: ${name}` });
const passwordField = () => page.getByLabel("Password", { exact: true });
const dialog = () => page.getByRole("dialog");

async function wallets() {
  await create(page, "Savings", password);
  await page.evaluate(() => void Object.assign(globalThis, { sameDocument: true }));

  // A second wallet is made while the first one is open; one can also return to it.
  await current("Savings").click();
  await dialog().getByRole("button", { name: "Create or restore another" }).click();
  await button(page, "Back to your wallets").click();
  await current("Savings").click();
  await dialog().getByRole("button", { name: "Create or restore another" }).click();
  await button(page, "Create a wallet").waitFor();
  assert.equal(await button(page, /play money/).count(), 0, "no demo while a wallet is open");
  await button(page, "Create a wallet").click();
  await login(page, "Savings", second);
  await button(page, "Create wallet").click();
  await page.getByText("There is already a wallet with this name.").waitFor();
  await login(page, "Market", second);
  await keeps(page, passwordField(), "create_wallet", () => button(page, "Create wallet").click());
  await button(page, "Show the words").click();
  const words = await shownWords(page);
  await page.getByLabel("I have written them down").check();
  await button(page, "Continue").click();
  await answerWords(page, words);
  await button(page, "Open the wallet").click();
  await current("Market").waitFor();

  // Both are open: no password is needed, and every page belongs to the wallet that is shown.
  await go(page, "Address book");
  await current("Market").click();
  await dialog().getByText("Open", { exact: true }).waitFor();
  await shot(page, "wallets", { dark: true });
  // The list stays when the window becomes so wide that the side bar replaces the top bar.
  await page.setViewportSize({ width: 1280, height: 900 });
  await dialog()
    .getByRole("button", { name: /^Savings/ })
    .waitFor();
  await page.setViewportSize({ width: 400, height: 844 });
  await dialog()
    .getByRole("button", { name: /^Savings/ })
    .click();
  await current("Savings").waitFor();
  await page.getByText("Balance", { exact: true }).waitFor();
  await page.locator(".balance .amount").waitFor();
  // While the balance of another wallet is unknown, that of the wallet before is not shown under its name.
  const held = await hold(page, "get_balance");
  await current("Savings").click();
  await dialog()
    .getByRole("button", { name: /^Market/ })
    .click();
  await current("Market").waitFor();
  await held.asked();
  await eventually(() => page.locator(".balance").innerText(), "\u2013", "the balance of the other wallet is shown");
  await held.release();
  await page.locator(".balance .amount").waitFor();
  await current("Market").click();
  await dialog()
    .getByRole("button", { name: /^Savings/ })
    .click();
  await current("Savings").waitFor();

  // A name must be new; the file and the password stay.
  await current("Savings").click();
  await dialog().getByRole("button", { name: "Rename this wallet" }).click();
  await page.getByLabel("Wallet name").fill("Market");
  await page.getByText("There is already a wallet with this name.").waitFor();
  await shot(page, "rename");
  await page.getByLabel("Wallet name").fill("Rainy days");
  await button(page, "Rename").click();
  await current("Rainy days").waitFor();
  await go(page, "Settings");
  await page.getByRole("heading", { name: /^Wallet.*Rainy days/ }).waitFor();
  await button(page, "Save: Copy of this wallet").click();
  const file = await saved(page, () => button(page, "Save file").click());
  assert.equal(await page.evaluate(() => globalThis.sameDocument), true, "nothing was reloaded");

  // Locking locks both. The list of locked wallets shows the new name, and so it does after reloading.
  await lock(page);
  await page.getByRole("heading", { name: "Welcome back" }).waitFor();
  await page.reload();
  await page.getByRole("heading", { name: "Welcome back" }).waitFor();
  const options = async () =>
    (await page.getByLabel("Wallet", { exact: true }).locator("option").allInnerTexts()).sort();
  await eventually(options, ["Market", "Rainy days"]);
  await page.getByLabel("Wallet", { exact: true }).selectOption({ label: "Rainy days" });
  await passwordField().fill(password);
  await keeps(page, passwordField(), "open_wallet", () => button(page, "Unlock").click());
  await current("Rainy days").waitFor();

  // A locked one needs its own password.
  await current("Rainy days").click();
  await dialog()
    .getByRole("button", { name: /^Market/ })
    .click();
  await page.getByLabel("Password of Market").fill(password);
  await button(page, "Unlock").click();
  await page.getByText("Wrong password").waitFor();
  await shot(page, "switch-wrong");
  await page.getByLabel("Password of Market").fill(second);
  await button(page, "Unlock").click();
  await current("Market").waitFor();

  // After a while without input, both are locked.
  await current("Market").click();
  await dialog().getByText("Open", { exact: true }).waitFor();
  await page.keyboard.press("Escape");
  await lock(page);
  await page.clock.install();
  await open(page, "Market", second);
  await page.clock.fastForward("11:00");
  await page.getByRole("heading", { name: "Welcome back" }).waitFor();

  // The name travels in the file of the wallet.
  const other = await app.visit();
  await button(other, "Restore a wallet").click();
  await other.getByRole("radio", { name: "File" }).click();
  await choose(other, () => button(other, "Choose file").click(), "copy.glim", file);
  await other.getByLabel("Wallet name").fill("From a file");
  await other.getByLabel("File password").fill(password);
  await button(other, "Restore wallet").click();
  await other.getByRole("banner").getByRole("button", { name: "Wallet: Rainy days" }).waitFor();
  await privateChainIsApart(other);
  assert.deepEqual(app.troubles, []);
}

/** A wallet of a chain in memory does not take over a name from an earlier one. */
async function privateChainIsApart(other) {
  await lock(other);
  await privateChain(other);
  await create(other, "From a file", password);
  await other.getByRole("banner").getByRole("button", { name: "Wallet: From a file" }).waitFor();
}
