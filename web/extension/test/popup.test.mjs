// The node settings in the extension's popup, which the browser closes when it asks the user for access to a node.
import { after, before, test } from "node:test";

import { eventually } from "../../wallet/e2e/eventually.mjs";
import { closing, limit, start } from "./chromium.mjs";

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
  await closing(popup, () => save.click());

  const again = await open(`${base}popup.html`);
  const field = await settings(again);
  await eventually(() => field.inputValue(), node);
  await again.getByRole("button", { name: "Close" }).click();
  await again
    .locator("header")
    .getByRole("button", { name: /127\.0\.0\.1:28081/ })
    .waitFor();
});
