// Nobody loses money to this browser: the seed words are asked for until they are backed up.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { mine, ownDaemon } from "../../sdk/test/tools.mjs";
import { choose, saved, scenario, shot, start } from "./browser.mjs";
import {
  address,
  another,
  answerWords,
  button,
  create,
  fact,
  go,
  lock,
  login,
  nodeSettings,
  open,
  sendNow,
  shownWords,
  unlock,
} from "./acts.mjs";
import { eventually } from "./eventually.mjs";

const password = "correct horse battery staple";
const reminder = "Your seed words are not backed up";
/** An address of the private chain that belongs to no wallet here. */
const elsewhere = "48RZZ1PV97QQ8z2nNX5AePeAaDvWuoC1bgizAxJB6Tuhbq7Qit2zB1c653w8BdSy2UMdGWzQi7F3pZfjaxBibzQKEYxJh4U";
const copyReminder = "The seed words bring your money back, but not the notes, labels and keys of your payments.";
let app, page;
const ends = [];
before(async () => {
  app = await start();
  ({ page } = app);
});
after(async () => {
  await app?.end();
  for (const end of ends.reverse()) await end();
});

test("the backup of the seed words cannot be skipped unnoticed", () => scenario(page, "backup", words));

test("a copy of the wallet brings everything back", () => scenario(page, "copies", copies));

/** Chooses a chain of its own without a node: wallets there stay when the page is reloaded. */
async function withoutNode(page) {
  await nodeSettings(page);
  await page.getByRole("radio", { name: "None" }).click();
  await page.getByLabel("Network").selectOption("regtest");
  await button(page, "Save").click();
  await button(page, /^No node/).waitFor();
}

async function words() {
  await withoutNode(page);
  await another(page, "Create a wallet");
  await login(page, "Hurry", password);
  await button(page, "Create wallet").click();
  await button(page, "Show the words").waitFor();
  await page.reload();

  await open(page, "Hurry", password);
  await page.getByText(reminder).waitFor();
  await shot(page, "home-not-backed-up", { dark: true });
  await go(page, "Receive");
  await page.getByText(reminder).waitFor();
  await shot(page, "receive-not-backed-up", { dark: true });
  await button(page, "Back up now").click();
  await page.getByRole("heading", { name: "Back up the seed words" }).waitFor();
  await page.getByLabel("Wallet password").fill("not this one");
  await button(page, "Continue").click();
  await page.getByText("Wrong password").waitFor();
  await shot(page, "backup", { dark: true });
  await page.getByLabel("Wallet password").fill(password);
  await button(page, "Continue").click();
  const written = page.getByLabel("I have written them down");
  await written.waitFor();
  await eventually(() => written.isEnabled(), false, "the words are hidden");
  await button(page, "Show the words").click();
  const words = await shownWords(page);
  await written.check();
  await shot(page, "backup-words", { dark: true });
  // Looking at the words is not enough.
  await go(page, "Home");
  await page.getByText(reminder).waitFor();
  await lock(page);
  await open(page, "Hurry", password);
  await page.getByText(reminder).waitFor();

  await go(page, "Settings");
  await page.getByText("Not verified yet").waitFor();
  await button(page, "Back up: Seed word backup").click();
  await page.getByLabel("Wallet password").fill(password);
  await button(page, "Continue").click();
  await button(page, "Show the words").click();
  assert.deepEqual(await shownWords(page), words);
  await written.check();
  await button(page, "Continue").click();
  await answerWords(
    page,
    words.map(() => "wrong"),
  );
  await button(page, "Finish the backup").click();
  await page.getByText("This is not the right word.").first().waitFor();
  await answerWords(page, words);
  await button(page, "Finish the backup").click();
  await page.getByText("Balance", { exact: true }).waitFor();
  await eventually(() => page.getByText(reminder).count(), 0);
  assert.ok(!(await page.content()).includes(words.slice(0, 3).join(" ")));

  // The wallet remembers it, not the page.
  await page.reload();
  await open(page, "Hurry", password);
  await eventually(() => page.getByText(reminder).count(), 0);
  await go(page, "Settings");
  await page.getByText("You have checked that you wrote them down").waitFor();
  await lock(page);

  // Neither a wallet that was checked while it was made nor a restored one needs a reminder.
  await create(page, "Careful", password);
  await eventually(() => page.getByText(reminder).count(), 0);
  await lock(page);
  await another(page, "Restore a wallet");
  await page.getByRole("textbox", { name: "Seed words" }).fill(words.join(" "));
  await login(page, "Again", password);
  await button(page, "Restore wallet").click();
  await page.getByText("Balance", { exact: true }).waitFor();
  await eventually(() => page.getByText(reminder).count(), 0);
  await lock(page);
  await unlock(page, "Again", password);
  await page.getByText("Balance", { exact: true }).waitFor();
  assert.deepEqual(app.troubles, []);
}

async function copies() {
  const node = await ownDaemon({ after: (end) => ends.push(end) }, "--offline");
  page = await app.visit();
  // The browser refuses to keep the data at first. Whether it was asked is counted.
  await page.addInitScript(() => {
    const answer = async () => localStorage.getItem("test.kept") === "yes";
    navigator.storage.persisted = answer;
    navigator.storage.persist = () => {
      localStorage.setItem("test.asked", String(Number(localStorage.getItem("test.asked")) + 1));
      return answer();
    };
  });
  await page.reload();
  await useNode(page, node);
  const asked = () => page.evaluate(() => Number(localStorage.getItem("test.asked")));
  assert.equal(await asked(), 0);
  await create(page, "Shop", password);
  await eventually(asked, 1, "once there is a wallet");
  const own = await address(page);
  await mine(node, own, 80);
  await go(page, "Home");
  await page.getByText("In sync at block 81").waitFor();
  await eventually(() => page.getByText(copyReminder).count(), 0, "the seed words bring everything back");

  // A payment has a key and a note that seed words do not bring back.
  await go(page, "Send");
  await page.getByLabel("To", { exact: true }).fill(elsewhere);
  await page.getByLabel("Amount").fill("1.25");
  await page.getByLabel("Note").fill("for the roof");
  await button(page, "Review").click();
  await sendNow(page).and(page.locator(":enabled")).waitFor();
  await sendNow(page).click();
  await page.getByRole("heading", { name: "Sent" }).waitFor();
  const key = await eventually(
    async () => (await fact(page, "Transaction key").locator(".mono").innerText()).trim(),
    /^[0-9a-f]{64,}$/,
  );
  await go(page, "Home");
  await page.getByText(copyReminder).waitFor();
  await page.getByText("The browser may delete it when storage runs short.").waitFor();
  await shot(page, "home-no-copy", { dark: true });
  await go(page, "Settings");
  await page.getByText("The browser may delete your wallets").waitFor();
  await shot(page, "settings-storage", { dark: true });
  await button(page, "Ask the browser to keep them").click();
  await page.getByText("The browser refused.").waitFor();
  await page.evaluate(() => localStorage.setItem("test.kept", "yes"));
  await button(page, "Ask the browser to keep them").click();
  await page.locator(".notice", { hasText: "The browser keeps your wallets" }).waitFor();
  await eventually(asked, 3);
  await go(page, "Home");
  await page.locator("main").getByRole("button", { name: /1\.25/ }).first().waitFor();
  await eventually(() => page.getByText(copyReminder).count(), 0, "a single payment, and the browser keeps it");
  await page.evaluate(() => localStorage.removeItem("test.kept"));
  await page.reload();
  await open(page, "Shop", password);
  await page.getByText(copyReminder).waitFor();

  await button(page, "Save a copy").click();
  await page.getByText("It is encrypted with the wallet’s current password").waitFor();
  await shot(page, "save-copy", { dark: true });
  const file = await saved(page, () => button(page, "Save file").click());
  assert.ok(!file.includes("for the roof"));
  await page.getByText(copyReminder).waitFor({ state: "detached" });

  // Another browser, which has never seen the wallet.
  const other = await app.visit();
  await useNode(other, node);
  await another(other, "Restore a wallet");
  await other.getByRole("radio", { name: "File" }).click();
  await shot(other, "restore-file", { dark: true });
  await button(other, "Restore wallet").click();
  await other.getByText("Choose the wallet’s file.").waitFor();
  await choose(other, () => button(other, "Choose file").click(), "photo.glim", Buffer.from("no wallet"));
  await other.getByLabel("File password").fill(password);
  await button(other, "Restore wallet").click();
  await other.getByText("This is not a copy of a wallet").waitFor();
  await choose(other, () => button(other, "Choose another file").click(), "Shop-2026-01-31.glim", file);
  await eventually(() => other.getByText("This is not a copy of a wallet").count(), 0, "the old error is gone");
  await eventually(() => other.getByLabel("Wallet name").inputValue(), "Shop");
  await other.getByLabel("File password").fill("not this one");
  await button(other, "Restore wallet").click();
  await other.getByText("Wrong password").waitFor();
  await shot(other, "restore-file-wrong", { dark: true });
  await other.getByLabel("File password").fill(password);
  await button(other, "Restore wallet").click();
  await other.getByText("Balance", { exact: true }).waitFor();
  await eventually(() => other.getByText(reminder).count(), 0, "the copy knows that the words are backed up");
  await other.locator("main").getByRole("button", { name: /1\.25/ }).first().click();
  await eventually(() => other.getByLabel("Note").inputValue(), "for the roof");
  await button(other, "Show transaction key").click();
  await other.getByText(key).waitFor();
  await lock(other);
  await open(other, "Shop", password);

  // A copy that was cut off on the way opens, and says so. A change of the password writes the file anew.
  await go(other, "Settings");
  await button(other, "Change: Password").click();
  await other.getByLabel("Current password").fill(password);
  await other.getByLabel("New password", { exact: true }).fill("another long password");
  await other.getByLabel("Confirm new password").fill("another long password");
  await button(other, "Change password").click();
  await other.getByText("Password changed").waitFor();
  await button(other, "Save: Copy of this wallet").click();
  const next = await saved(other, () => button(other, "Save file").click());
  await lock(other);
  await another(other, "Restore a wallet");
  await other.getByRole("radio", { name: "File" }).click();
  await choose(other, () => button(other, "Choose file").click(), "cut.glim", next.subarray(0, -300));
  await other.getByLabel("File password").fill("another long password");
  await button(other, "Restore wallet").click();
  await other.getByText("Part of this wallet’s file is missing").waitFor();
  await shot(other, "home-cut-off", { dark: true });
  await lock(other);
  assert.deepEqual(app.troubles, []);
}

/** Chooses a node of a private chain. */
async function useNode(page, node) {
  await nodeSettings(page);
  await page.getByLabel("Network").selectOption("regtest");
  await page.getByLabel("Node address").fill(node);
  await button(page, "Save").click();
  await button(page, new RegExp(new URL(node).host.replaceAll(".", "\\."))).waitFor();
}
