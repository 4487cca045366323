// Every page and every dialog, on a phone, in both themes: axe finds nothing, every target is large enough for a finger,
// nothing is wider than the screen, and nothing moves if a person asked for less motion.
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import {
  address,
  another,
  answerWords,
  button,
  go,
  lock,
  login,
  mine,
  nodeSettings,
  open,
  privateChain,
  sendNow,
  shownWords,
} from "./acts.mjs";
import { usable } from "./barriers.mjs";
import { pictures, scenario, start } from "./browser.mjs";

const password = "correct horse battery staple";
const sources = new URL("../src/", import.meta.url).pathname;
let app, page;
/** The pages and the files with dialogs that were looked at. */
const seen = new Set();

before(async () => {
  app = await start();
  ({ page } = app);
  await page.setViewportSize({ width: 360, height: 740 });
});
after(() => app?.end());

/** Looks at what is on the screen. place is a page, or the file of a dialog. All problems are reported at the end. */
const problems = [];
async function look(place, name = place) {
  seen.add(place);
  await usable(page, name).catch((e) => problems.push(e.message));
  const wide = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
  if (wide > 0) problems.push(`${name} is wider than the screen`);
  await page.screenshot({ path: join(pictures, `everywhere-${name.replaceAll(/\W+/g, "-")}.png`), fullPage: true });
}
const dialog = () => page.getByRole("dialog");
const close = () => dialog().getByRole("button", { name: "Close", exact: true }).click();
const section = (name) => page.locator("section", { has: page.getByRole("heading", { name, exact: true }) });
/** Looks at all choices of a group. */
async function each(group, place, within = page) {
  for (const radio of await within.getByRole("radiogroup", { name: group }).getByRole("radio").all()) {
    await radio.click();
    await look(place, `${place} ${group} ${await radio.evaluate((e) => e.closest("label").textContent)}`);
  }
}

test("every page and every dialog can be used", () => scenario(page, "everywhere", everywhere));

async function everywhere() {
  try {
    await gate();
    await money();
    await others();
    await settings();
    await unchecked();
  } catch (e) {
    throw new Error(`${e.message}\n${[...new Set(problems)].join("\n")}`, { cause: e });
  }
  const files = readdirSync(sources, { recursive: true }).filter((name) => name.endsWith(".tsx"));
  // The dialog of node-settings.tsx has the same content as that of gate.tsx.
  const same = ["components/dialog.tsx", "components/node-settings.tsx"];
  const dialogs = files.filter(
    (name) => !same.includes(name) && readFileSync(join(sources, name), "utf8").includes("<Dialog"),
  );
  const [, list] = /export const pages = \[(.*?)\]/s.exec(readFileSync(join(sources, "lib/router.ts"), "utf8"));
  const pages = [...list.matchAll(/"(\w+)"/g)].map(([, name]) => name);
  assert.ok(pages.length > 10 && dialogs.length > 8);
  assert.deepEqual(
    [...pages, ...dialogs].filter((place) => !seen.has(place)),
    [],
    "places where nobody looked",
  );
  assert.deepEqual([...new Set(problems)], []);
  assert.deepEqual(app.troubles, []);
}

/** What is there before a wallet is open. */
async function gate() {
  await button(page, /Create a wallet/).waitFor();
  await look("welcome");
  await nodeSettings(page);
  await each("Source of the chain", "pages/gate.tsx", dialog());
  await dialog().getByRole("radio", { name: "My own" }).click();
  await dialog().getByText("Login and trust").click();
  await look("pages/gate.tsx", "own node");
  await close();
  await privateChain(page);
  await another(page, "Restore a wallet");
  await each("From", "restore").catch(() => undefined);
  for (const name of ["Words", "Keys", "File"]) {
    const radio = page.getByRole("radio", { name: new RegExp(name, "i") }).first();
    if (!(await radio.isVisible())) continue;
    await radio.click();
    await look("restore", `restore ${name}`);
  }
  await page.goBack();
  await another(page, "Create a wallet");
  await page.getByText("Kind of seed and its language").click();
  await look("create");
  await button(page, "Create wallet").click();
  await look("create", "create without input");
  await login(page, "Everything", password);
  await button(page, "Create wallet").click();
  await button(page, "Show the words").waitFor();
  await look("seed", "seed hidden");
  await button(page, "Show the words").click();
  const words = await shownWords(page);
  await look("seed");
  await page.getByLabel("I have written them down").check();
  await button(page, "Continue").click();
  await page
    .getByLabel(/^Word \d+/)
    .first()
    .waitFor();
  await look("seed check");
  await answerWords(page, words);
  await button(page, "Open the wallet").click();
  await page.getByText("Balance", { exact: true }).waitFor();
}

/** Receiving, sending and what is about them. */
async function money() {
  await look("home", "home empty");
  for (const [name, place] of [
    ["Send", "send"],
    ["History", "history"],
    ["More", "more"],
  ]) {
    await go(page, name);
    await look(place, `${place} empty`);
  }
  await go(page, "Receive");
  await look("receive");
  const own = await address(page);
  await go(page, "Private chain");
  await look("play");
  await mine(page, 80);
  await go(page, "Home");
  await page.getByText(/In sync at block 81/).waitFor();
  await look("home");
  await go(page, "Address book");
  await look("contacts", "contacts empty");
  await button(page, "New entry").click();
  await look("pages/contacts.tsx");
  await page.getByLabel("Name").fill("Grandmother");
  await page.getByLabel("Address", { exact: true }).fill(own);
  await button(page, "Save").click();
  await page.getByText("Grandmother").waitFor();
  await look("contacts");
  await go(page, "Send");
  await button(page, "Address book").click();
  await look("pages/send-form.tsx");
  await close();
  await page.getByRole("button", { name: /Scan/ }).first().click();
  await look("components/scanner.tsx");
  await close();
  await button(page, "Review").click();
  await look("send", "send without input");
  await page.getByLabel("To", { exact: true }).fill(own);
  await page.getByLabel("Amount").fill("1.5");
  await button(page, "Another recipient").click();
  await look("send");
  await page
    .getByRole("group", { name: "Recipient 2" })
    .getByRole("button", { name: /Remove/ })
    .click();
  await button(page, "Review").click();
  await page.waitForFunction(() => document.querySelectorAll(".choice .amount").length === 4);
  await look("send", "review");
  await sendNow(page).click();
  await page.getByRole("heading", { name: "Sent" }).waitFor();
  await look("send", "sent");
  await button(page, "Show details").click();
  await page.getByText("Pending").waitFor();
  await look("transfer");
  await go(page, "History");
  await look("history");
}

async function others() {
  await go(page, "Accounts");
  await look("accounts");
  await page.locator("main").getByRole("button", { name: /^New/ }).first().click();
  await look("pages/accounts.tsx");
  await close();
  await go(page, "Proofs");
  for (const side of ["Make", "Check"]) {
    await page.getByRole("radiogroup", { name: "Make or check" }).getByRole("radio", { name: side }).click();
    await each("Kind of proof", "proofs");
  }
  await go(page, "Cold signing");
  await look("cold");
  await button(page, "Export key images").click();
  await button(page, "Show as QR code").click();
  await page.getByText(/Code \d+ of \d+/).waitFor();
  await look("components/transport.tsx");
  await button(page, "Pause").click();
  await look("components/transport.tsx", "codes paused");
  await close();
  await go(page, "Multisig");
  await look("multisig");
  await button(page, "Make this wallet multisig").click();
  await section("Your message").waitFor();
  await look("multisig", "multisig setup");
}

async function settings() {
  await go(page, "Settings");
  await look("settings");
  for (const [name, place] of [
    [/^Change: Password/, "pages/settings.tsx password"],
    [/Rescan/, "pages/settings.tsx rescan"],
    [/^Remove: Remove/, "pages/settings.tsx remove"],
    [/^Save: Copy of this wallet/, "components/copies.tsx"],
    [/Seed and keys/, "pages/secrets.tsx"],
    ["Change", "pages/settings.tsx node"],
  ]) {
    await page.locator("main").getByRole("button", { name, exact: true }).first().click();
    await dialog().waitFor();
    await look(place.split(" ")[0], place);
    if (place === "pages/secrets.tsx") {
      await page.getByLabel("Wallet password").fill(password);
      await dialog().getByRole("button", { name: "Show", exact: true }).click();
      await button(page, "Show the words").waitFor();
      await page.getByText("Encrypt the words with a passphrase").click();
      await look(place, "secrets");
      await button(page, "Show the words").click();
      await look(place, "secrets shown");
    }
    await close();
  }
  await lock(page);
  await page.getByRole("heading", { name: "Welcome back" }).waitFor();
  await look("unlock");
  await button(page, "Unlock").click();
  await look("unlock", "unlock without input");
}

/** A wallet whose seed words were not checked. Without the private chain it stays when the page is reloaded. */
async function unchecked() {
  page = await app.visit();
  await nodeSettings(page);
  await page.getByRole("radio", { name: "None" }).click();
  await page.getByLabel("Network").selectOption("regtest");
  await button(page, "Save").click();
  await button(page, /^No node/).waitFor();
  await another(page, "Create a wallet");
  await login(page, "Hurry", password);
  await button(page, "Create wallet").click();
  await button(page, "Show the words").waitFor();
  await page.reload();
  await open(page, "Hurry", password);
  await button(page, "Back up now").waitFor();
  await look("home", "home not backed up");
  await button(page, "Back up now").click();
  await page.getByRole("heading", { name: "Back up the seed words" }).waitFor();
  await look("backup");
  await page.getByLabel("Wallet password").fill(password);
  await button(page, "Continue").click();
  await button(page, "Show the words").waitFor();
  await look("backup", "backup words");
}
