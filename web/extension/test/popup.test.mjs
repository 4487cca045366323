// The node settings in the extension's popup, which the browser closes when it asks the user for access to a node.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";

import { limit, start } from "./chromium.mjs";

let extension;
before(async () => {
  extension = await start();
});
after(() => extension?.end());

test("node settings survive a popup that closes while the browser asks for access", {
  timeout: 3 * limit,
}, async () => {
  const { base, open } = extension;
  const node = "http://127.0.0.1:28081";
  const settings = async (page) => {
    await page.locator("header").getByRole("button", { name: /node/i }).click();
    await page.getByRole("radio", { name: "My own" }).click();
    return page.getByLabel("Node address");
  };
  const popup = await open(`${base}popup.html`);
  await popup.evaluate(() => {
    // What the prompt of the browser does to a popup.
    chrome.permissions.request = () => {
      window.close();
      return new Promise(() => undefined);
    };
  });
  await (await settings(popup)).fill(node);
  const save = popup.getByRole("button", { name: "Save" });
  await Promise.all([
    popup.waitForEvent("close"),
    save.click().catch((error) => assert.ok(popup.isClosed(), error)), // the click may end with the popup
  ]);

  const again = await open(`${base}popup.html`);
  assert.equal(await (await settings(again)).inputValue(), node);
  await again.getByRole("button", { name: "Close" }).click();
  await again
    .locator("header")
    .getByRole("button", { name: /127\.0\.0\.1:28081/ })
    .waitFor();
});
