// Every page and every dialog, on a phone in the dark theme and on a desktop in the light one: axe finds nothing, every
// target on a phone is large enough for a finger, nothing is wider than the screen, and nothing moves if the user asked
// for less motion.
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { another, button, go, lock, login, nodeSettings, open, sendNow, shownWords } from "./acts.mjs";
import { barriers, still, targets, tooWide } from "./barriers.mjs";
import { picture, scenario, start } from "./browser.mjs";
import { eventually, patience } from "./eventually.mjs";

const password = "correct horse battery staple";
const sources = new URL("../src/", import.meta.url).pathname;
const phone = { width: 360, height: 740 };
const desktop = { width: 1280, height: 900 };
let app, page;
/** The pages and the files with dialogs that were looked at, and what is wrong with them. */
const seen = new Set();
const problems = [];

before(async () => {
  app = await start();
  ({ page } = app);
  await page.setViewportSize(phone);
});
after(() => app?.end());

/** Looks at what is on the screen. place is a page, or the file of a dialog. */
async function look(place, name = place) {
  seen.add(place);
  // After the first problem the test fails in any case, and does not wait again for each further one.
  const within = () => (problems.length > 0 ? 0 : patience);
  const check = (what) => what.catch((e) => problems.push(e.message));
  for (const [colorScheme, size] of Object.entries({ light: desktop, dark: phone })) {
    await page.setViewportSize(size);
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    await check(barriers(page, `${name} ${colorScheme}`, undefined, within()));
    await check(eventually(() => tooWide(page), 0, `${name} is wider than ${size.width}`, within()));
    await picture(page, `everywhere-${name.replaceAll(/\W+/g, "-")}-${colorScheme}`);
  }
  await check(still(page, name));
  await check(targets(page, name, within()));
}
const dialog = () => page.getByRole("dialog");
const close = async () => {
  await dialog().getByRole("button", { name: "Close", exact: true }).click();
  await dialog().waitFor({ state: "detached" });
};
const inMain = (name) => page.locator("main").getByRole("button", { name }).first();

test("every page and every dialog can be used", { timeout: 900_000 }, () =>
  scenario(page, "everywhere", async () => {
    try {
      await gate();
      await settings();
      await money();
      await others();
      await fromRightToLeft();
    } catch (e) {
      throw new Error(`${e.message}\n${[...new Set(problems)].join("\n")}`, { cause: e });
    }
    const files = readdirSync(sources, { recursive: true }).filter((name) => name.endsWith(".tsx"));
    const dialogs = files.filter(
      (name) => name !== "components/dialog.tsx" && readFileSync(join(sources, name), "utf8").includes("<Dialog"),
    );
    const [, list] = /export const pages = \[(.*?)\]/s.exec(readFileSync(join(sources, "lib/router.ts"), "utf8"));
    const pages = [...list.matchAll(/"(\w+)"/g)].map(([, name]) => name);
    assert.ok(pages.length > 10 && dialogs.length > 8);
    const missed = [...pages, ...dialogs].filter((place) => !seen.has(place));
    assert.deepEqual(missed, [], "places where nobody looked");
    assert.deepEqual([...new Set(problems)], []);
    assert.deepEqual(app.troubles, []);
  }),
);

/** What is there before a wallet is open, and a wallet whose seed words were not checked. */
async function gate() {
  await button(page, /Create a wallet/).waitFor();
  await look("welcome");
  await nodeSettings(page);
  await dialog().getByText("Login and trust").click();
  await look("pages/gate.tsx", "own node");
  await dialog().getByRole("radio", { name: "Public" }).click();
  await look("pages/gate.tsx", "public nodes");
  await close();
  await another(page, "Restore a wallet");
  for (const kind of ["Keys", "File", "Seed words"]) {
    await page.getByRole("radio", { name: kind }).click();
    await look("restore", `restore ${kind}`);
  }
  await page.goBack();
  await another(page, "Create a wallet");
  await page.getByText("Kind of seed and its language").click();
  await button(page, "Create wallet").click();
  await look("create", "create without input");
  await login(page, "Hurry", password);
  await button(page, "Create wallet").click();
  await button(page, "Show the words").click();
  await shownWords(page);
  await look("seed");
  await page.getByLabel("I have written them down").check();
  await button(page, "Continue").click();
  await page
    .getByLabel(/^Word \d+/)
    .first()
    .waitFor();
  await look("seed check");
  await page.reload();
  await page.getByRole("heading", { name: "Welcome back" }).waitFor();
  await button(page, "Unlock").click();
  await page.getByText("Wrong password").waitFor();
  await look("unlock", "unlock without input");
  await open(page, "Hurry", password);
  await button(page, "Back up now").waitFor();
  await look("home", "home not backed up");
  await button(page, "Back up now").click();
  await page.getByRole("heading", { name: "Back up the seed words" }).waitFor();
  await look("backup");
}

async function settings() {
  await go(page, "Settings");
  await look("settings");
  for (const [name, place] of [
    [/^Change: Password/, "pages/settings.tsx password"],
    [/^Remove: Remove/, "pages/settings.tsx remove"],
    [/^Save: Copy of this wallet/, "components/copies.tsx"],
    [/Seed and keys/, "pages/secrets.tsx"],
    [/^Change: Node|^Change$/, "components/node-settings.tsx"],
  ]) {
    await inMain(name).click();
    await dialog().waitFor();
    await look(place.split(" ")[0], place);
    if (place === "pages/secrets.tsx") {
      await page.getByLabel("Wallet password").fill(password);
      await dialog().getByRole("button", { name: "Show", exact: true }).click();
      await button(page, "Show the words").click();
      await look(place, "secrets shown");
    }
    await close();
  }
  await lock(page);
  await page.getByRole("heading", { name: "Welcome back" }).waitFor();
}

/** Receiving, sending and what is about them, with the money of the demo. */
async function money() {
  await button(page, "Create or restore another").click();
  await button(page, /Try it with play money/).click();
  await page.getByText("Balance", { exact: true }).waitFor();
  await page.getByText("Nothing here has any value.").waitFor();
  await look("home", "home demo");
  await page
    .getByRole("banner")
    .getByRole("button", { name: /^Wallet: / })
    .click();
  await look("components/switcher.tsx");
  await button(page, "Rename this wallet").click();
  await look("components/switcher.tsx", "rename");
  await close();
  await go(page, "Receive");
  await page.locator(".address").first().waitFor();
  await look("receive");
  await go(page, "Address book");
  await look("contacts");
  await button(page, "New entry").click();
  await look("pages/contacts.tsx");
  await close();
  await go(page, "Send");
  await button(page, "Review").click();
  await look("send", "send without input");
  await page.getByRole("button", { name: /Scan/ }).first().click();
  await dialog().waitFor();
  await look("components/scanner.tsx");
  await close();
  await button(page, "Choose outputs").click();
  await dialog().getByRole("checkbox").first().waitFor();
  await look("components/choose-outputs.tsx");
  await close();
  await button(page, "Address book").click();
  await dialog().waitFor();
  await look("pages/send-form.tsx");
  await dialog()
    .getByRole("button", { name: /^Corner café/ })
    .click();
  await page.getByLabel("Amount").fill("0.5");
  await button(page, "Review").click();
  await sendNow(page).and(page.locator(":enabled")).waitFor();
  await look("send", "review");
  await sendNow(page).click();
  await page.getByRole("heading", { name: "Sent" }).waitFor();
  await look("send", "sent");
  await button(page, "Show details").click();
  await page.getByText("Transaction ID").waitFor();
  await look("transfer");
  await go(page, "History");
  await look("history");
}

async function others() {
  await go(page, "More");
  await look("more");
  await go(page, "Outputs");
  await inMain("Freeze").waitFor();
  await look("outputs");
  await go(page, "Accounts");
  await look("accounts");
  await inMain(/^New/).click();
  await look("pages/accounts.tsx");
  await close();
  await go(page, "Proofs");
  for (const side of ["Make", "Check"]) {
    await page.getByRole("radiogroup", { name: "Make or check" }).getByRole("radio", { name: side }).click();
    await look("proofs", `proofs ${side}`);
  }
  await go(page, "Cold signing");
  await look("cold");
  await button(page, "Export key images").click();
  await button(page, "Show as QR code").click();
  await dialog().waitFor();
  await look("components/transport.tsx");
  await close();
  await go(page, "Multisig");
  await look("multisig");
  await go(page, "Demo");
  await look("play");
  await button(page, "End the demo").click();
  await look("pages/demo.tsx");
  await close();
}

/** The main pages once more, with the layout of a language that is written from right to left. */
async function fromRightToLeft() {
  await page.evaluate(() => (document.documentElement.dir = "rtl"));
  for (const name of ["Home", "Send", "Receive", "History", "Settings"]) {
    await go(page, name);
    await look(name.toLowerCase(), `${name} from right to left`);
  }
}
