// Seeds that other wallets made: the page asks which one, and restores that wallet.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { address, another, button, lock, login } from "./acts.mjs";
import { scenario, shot, start } from "./browser.mjs";
import { keeps } from "./hold.mjs";

const password = "correct horse battery staple";
/** The usual phrase of BIP 39 for tests. The addresses are in core/walletseed/testdata. */
const phrase = `${"abandon ".repeat(11)}about`;
const trezor = "43gVG8hoX8UL6wMn3Eai9dQVdP6BfQXiuSB5TqNBfHvPW5VUmx9WXV2Vnfta9b2S4v6gZwbsGF3MJ48JWh3pgnXSQQ3NhiL";
const ledger = "49vDbkSo7eve3J41sBdjvjaBUyz8qHohsQcGtRf63qEUTMBvmA45fpp5pSacMdSg7A3b71RejLzB8EkGbfjp5PELVF2N4Zn";
const myMonero = "foxes selfish humid nexus juvenile dodge pepper ember biscuit elapse jazz vibrate biscuit";

let app, page;
before(async () => {
  app = await start();
  ({ page } = app);
});
after(() => app?.end());

test("seeds of other wallets are restored as what they are", () => scenario(page, "restore", seeds));

const maker = () => page.getByLabel("Which wallet made these words?");
const account = () => page.getByLabel("Account number");

async function seeds() {
  await begin("Device", phrase);
  await button(page, "Restore wallet").click();
  await page.getByText("Choose the wallet that made the words.").waitFor();
  await maker().selectOption("Trezor");
  await account().fill("minus one");
  await button(page, "Restore wallet").click();
  await page.getByText("Enter a whole number, 0 or more.").waitFor();
  await shot(page, "restore-maker", { dark: true });
  await account().fill("1");
  assert.equal(await restored(), trezor);

  await begin("Other device", phrase);
  await maker().selectOption("Ledger, Keystone");
  assert.equal(await restored(), ledger);

  // These words cannot be of a Monero wallet, and the engine says so.
  await begin("Third device", `${"abandon ".repeat(23)}art`);
  await maker().selectOption("A Monero wallet (the last word is missing)");
  await button(page, "Restore wallet").click();
  await page.getByRole("alert").waitFor();
  await maker().selectOption("Trezor");
  await restored();

  await begin("Phone", myMonero);
  await page.getByText("13 words: a seed of MyMonero.").waitFor();
  assert.match(await restored(), /^4/);
}

/** Fills in a new wallet's name and the words of its seed. */
async function begin(name, words) {
  await another(page, "Restore a wallet");
  await page.getByRole("textbox", { name: "Seed words" }).fill(words);
  await login(page, name, password);
}

/** Restores the wallet and locks it. Returns its address. The words cannot be changed meanwhile. */
async function restored() {
  const words = page.getByRole("textbox", { name: "Seed words" });
  await keeps(page, words, "restore_deterministic_wallet", () => button(page, "Restore wallet").click());
  await page.getByText("Balance", { exact: true }).waitFor();
  const first = await address(page);
  await lock(page);
  return first;
}
