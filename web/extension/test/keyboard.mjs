// The consent window without a mouse.
import assert from "node:assert/strict";

import { closing } from "./chromium.mjs";

/**
 * Presses Tab until the button with this name, or the request itself, has the focus, which must be visible at each
 * step, on a target of at least 44 by 44.
 */
const tabTo = async (page, name) => {
  const passed = [];
  for (let presses = 1; presses < 30; presses++) {
    await page.keyboard.press("Tab");
    const now = await page.evaluate(() => {
      const e = document.activeElement;
      if (!e || e === document.body) return undefined;
      return e.classList.contains("rest") ? "request" : (e.getAttribute("aria-label") ?? e.textContent).trim();
    });
    if (now === undefined) continue;
    // The ring and scrolling come with a later frame.
    await page
      .waitForFunction(() => {
        const e = document.activeElement;
        const { outlineStyle, outlineWidth } = getComputedStyle(e);
        const { width, height, top, bottom } = e.getBoundingClientRect();
        const ring = outlineStyle !== "none" && Number.parseFloat(outlineWidth) >= 2;
        return ring && bottom > 0 && top < innerHeight && width >= 43.99 && height >= 43.99;
      })
      .catch((cause) => assert.fail(`the focus on ${now} is invisible, or its target small: ${cause.message}`));
    if (now === name) return;
    passed.push(now);
  }
  assert.fail(`Tab does not lead to ${name}: ${[...new Set(passed)].join(", ")}`);
};

/**
 * Signs, pays, connects and declines with the keyboard alone. page is a connected site that got the address, and other
 * the address of one that is not connected.
 */
export async function keyboardAlone({ page, other, address, browser, ask, asked, shot }) {
  const outcome = ask(page, "sign", { message: "typed" });
  const w = await asked();
  await w.getByRole("button", { name: "Sign", exact: true }).and(w.locator(":enabled")).waitFor();
  const first = await w.evaluate(() => document.activeElement?.closest(".answers")?.textContent);
  assert.equal(first, undefined, "a key that was meant for the page answers nothing");
  await tabTo(w, "Decline");
  await tabTo(w, "Sign");
  await closing(w, () => w.keyboard.press("Enter"));
  assert.match((await outcome).result.signature, /^SigV2/);

  // A long payment is scrolled with the keyboard before it can be accepted.
  const description = "a\n".repeat(100).trim();
  const paid = ask(page, "pay", { address, amount: "10000000000", description });
  const p = await asked();
  const yes = p.getByRole("button", { name: "Pay 0.01 XMR", exact: true });
  await p.getByText("Scroll through the whole request to continue.").waitFor();
  assert.equal(await yes.isEnabled(), false);
  await tabTo(p, "request");
  await p.keyboard.press("End");
  await yes.and(p.locator(":enabled")).waitFor();
  await shot(p, "pay-keyboard");
  await tabTo(p, "Pay 0.01 XMR");
  await closing(p, () => p.keyboard.press("Space"));
  const { result, message } = await paid;
  assert.ok(result, message);

  // Another site is connected, and then declined.
  const another = await browser.newPage();
  await another.goto(other);
  const connected = ask(another, "connect", {});
  const c = await asked();
  await c.getByRole("button", { name: "Connect", exact: true }).and(c.locator(":enabled")).waitFor();
  await tabTo(c, "Connect");
  await closing(c, () => c.keyboard.press("Enter"));
  assert.match((await connected).result.address, /^8/);
  const declined = ask(another, "sign", { message: "no" });
  const d = await asked();
  await d.getByRole("heading", { name: "Sign a message?" }).waitFor();
  await tabTo(d, "Decline");
  await closing(d, () => d.keyboard.press("Enter"));
  assert.equal((await declined).code, 4001);
  await ask(another, "disconnect");
  await another.close();
}
