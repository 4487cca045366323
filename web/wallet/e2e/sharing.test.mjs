// Pasting into fields and sharing addresses, where the browser allows it and where it does not.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { inFirefox, scenario, shot, start } from "./browser.mjs";
import { address, button, create, go } from "./acts.mjs";
import { eventually } from "./eventually.mjs";

const password = "correct horse battery staple";
let app, page;
before(async () => {
  app = await start();
  ({ page } = app);
});
after(() => app?.end());

test("paste and share", () => scenario(page, "sharing", sharing));

const put = (text) => page.evaluate((t) => navigator.clipboard.writeText(t), text);

/** Replaces the browser's sharing; how is "works", "closed" or "fails". Without it, pages cannot share. */
const sharingIs = (how) =>
  page.evaluate((how) => {
    globalThis.shared = [];
    globalThis.tried = 0;
    navigator.share = async ({ text }) => {
      globalThis.tried++;
      if (how === "closed") throw new DOMException("closed", "AbortError");
      if (how === "fails") throw new DOMException("not allowed", "NotAllowedError");
      globalThis.shared.push(text);
    };
  }, how);

async function sharing() {
  await create(page, "Pocket", password);
  const own = await address(page);
  assert.equal(await button(page, "Share").count(), 0, "this browser cannot share");
  const link = `monero:${own}?tx_amount=1.25&tx_description=Apples`;

  // An address, a payment link and amounts.
  await go(page, "Send");
  await put(`  ${own.slice(0, 40)}\n${own.slice(40)} `);
  await button(page, "Paste: Address").click();
  await page.waitForFunction((a) => document.querySelector("textarea").value === a, own);
  await put(" 0.5 XMR\n");
  await button(page, "Paste: Amount").click();
  await page.waitForFunction(() => document.querySelector(".amount-input").value === "0.5");
  await put("half of it");
  await button(page, "Paste: Amount").click();
  await page.getByText("Enter the amount in digits").waitFor();
  await put(link);
  await button(page, "Paste: Address").click();
  await page.waitForFunction(() => document.querySelector(".amount-input").value === "1.25");
  await eventually(() => page.getByLabel("Note").inputValue(), "Apples");
  await shot(page, "send-paste", { dark: true });
  await put("");
  await button(page, "Paste: Address").click();
  await page.getByText("There is no text on the clipboard.").waitFor();
  await go(page, "Address book");
  await button(page, "New entry").click();
  await put(link);
  await button(page, "Paste: Address").click();
  await page.waitForFunction((a) => document.querySelector("dialog textarea").value === a, own);
  await shot(page, "contact-paste", { dark: true });
  await page.keyboard.press("Escape");

  // Where the browser refuses, the page says so. The protocol cannot make Firefox refuse.
  await go(page, "Send");
  if (!inFirefox) {
    await page.context().clearPermissions();
    await page.context().grantPermissions(["clipboard-write"]);
    await button(page, "Paste: Address").click();
    await page.getByText("The browser did not allow reading the clipboard.").waitFor();
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  }

  // Sharing the address, and a payment link.
  await page.addInitScript(() => {
    navigator.share = () => Promise.resolve();
  });
  await page.reload();
  await page.getByLabel("Password", { exact: true }).fill(password);
  await button(page, "Unlock").click();
  await page.getByText("Balance", { exact: true }).waitFor();
  await go(page, "Receive");
  await page.getByLabel("Address", { exact: true }).selectOption("0");
  await sharingIs("works");
  await button(page, "Share").click();
  await page.getByLabel("Amount").fill("2");
  await page.getByRole("img", { name: "QR code of the payment request" }).waitFor();
  // The engine makes the link anew after each change.
  const second = await eventually(async () => {
    await button(page, "Share").click();
    return page.evaluate(() => globalThis.shared.at(-1));
  }, /^monero:[1-9A-HJ-NP-Za-km-z]{95}\?.*tx_amount=2/);
  assert.equal(await page.evaluate(() => globalThis.shared[0]), own);
  await shot(page, "receive-share", { dark: true });

  // Closing the list of apps is no failure; if sharing fails, the text is copied.
  await put("before");
  await sharingIs("closed");
  await button(page, "Share").click();
  await page.waitForFunction(() => globalThis.tried === 1);
  assert.equal(await page.evaluate(() => navigator.clipboard.readText()), "before");
  await sharingIs("fails");
  await button(page, "Share").click();
  await page.getByText("Payment link copied").waitFor();
  await eventually(() => page.evaluate(() => navigator.clipboard.readText()), second);
  assert.deepEqual(app.troubles, []);
}
