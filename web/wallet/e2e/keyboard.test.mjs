// A person without a mouse: creates a wallet, backs it up, receives, sends and changes settings with Tab, Enter, Space,
// Escape, the arrows and letters. What has the focus is visible, and dialogs give it back.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { shownWords } from "./acts.mjs";
import { inFirefox, savedFile, scenario, start } from "./browser.mjs";
import { eventually } from "./eventually.mjs";

const password = "correct horse battery staple";
let app, page;
before(async () => {
  app = await start();
  ({ page } = app);
  await page.addInitScript(inPage);
  await page.evaluate(inPage);
});
after(() => app?.end());

const key = (name, times = 1) =>
  Array.from({ length: times }).reduce((before) => before.then(() => page.keyboard.press(name)), Promise.resolve());
const type = (text) => page.keyboard.type(text);

// What tests ask of the page: names are those that a screen reader gives.
const inPage = () => {
  const nameOf = (e) => {
    const name = e.getAttribute("aria-label") ?? [...(e.labels ?? [])].map((l) => l.textContent).join(" ");
    return (name || e.textContent || e.tagName).trim();
  };
  const seen = (e) => {
    // The ring is around the control itself, or around the label that contains it.
    const rings = [e, e.closest("label")].filter(Boolean).map((x) => getComputedStyle(x));
    const box = e.getBoundingClientRect();
    const ring = rings.some((s) => s.outlineStyle !== "none" && Number.parseFloat(s.outlineWidth) >= 2);
    return ring && box.bottom > 0 && box.top < innerHeight;
  };
  const current = () => (document.activeElement === document.body ? null : document.activeElement);
  const named = (e, name, pattern) => (pattern ? new RegExp(pattern).test(nameOf(e)) : nameOf(e) === name);
  const controls = "a[href], button, input, select, textarea, summary, [tabindex]";
  const reachable = (e) =>
    e.tabIndex >= 0 &&
    !e.matches(":disabled") &&
    !e.closest("[inert]") &&
    e.checkVisibility({ visibilityProperty: true }) &&
    // Tab leads to the chosen one of several radio buttons.
    (e.type !== "radio" || e.checked);
  window.glimFocus = {
    name: () => (current() ? nameOf(current()) : ""),
    visible: () => !current() || seen(current()),
    exists: (name, pattern) =>
      [...document.querySelectorAll("a, button, input, select, textarea, [tabindex]")].some((e) =>
        named(e, name, pattern),
      ),
    // Whether Tab reaches a control with this name, or any control without a name, before the end of the page.
    ahead: (name, pattern) => {
      const top = [...document.querySelectorAll("dialog[open]")].at(-1) ?? document;
      const from = current();
      return [...top.querySelectorAll(controls)].some(
        (e) =>
          reachable(e) &&
          (!from || from.compareDocumentPosition(e) & Node.DOCUMENT_POSITION_FOLLOWING) &&
          (name === undefined || named(e, name, pattern)),
      );
    },
  };
};

/** The name of what has the focus. */
const focused = () => page.evaluate(() => window.glimFocus.name());

/**
 * The key that leads to a control. In Chromium it is Tab, which goes on at the beginning of the page after its end. In
 * Firefox, Tab leads from the end of the page to the browser's own controls, where the protocol's keys do not arrive,
 * so it is Shift+Tab if the control comes before the present one. Without a name, it is Tab unless the last control of
 * the page or of its dialog has the focus.
 */
const way = async (...wanted) =>
  !inFirefox || (await page.evaluate((wanted) => window.glimFocus.ahead(...wanted), wanted)) ? "Tab" : "Shift+Tab";

/**
 * Presses Tab until something with this name has the focus, which must be visible at every step. It waits for the
 * control first: a page that changes under a person's hands may move what has the focus out of sight.
 */
async function tab(name) {
  const exact = typeof name === "string";
  const wanted = [exact ? name : "", exact ? "" : name.source];
  await page.waitForFunction((wanted) => window.glimFocus.exists(...wanted), wanted);
  const passed = [];
  for (let i = 0; i < 120; i++) {
    await key(await way(...wanted));
    const now = await focused();
    await page
      .waitForFunction(() => window.glimFocus.visible())
      .catch((cause) => assert.fail(`the focus on ${now} is invisible: ${cause.message}`));
    if (exact ? now === name : name.test(now)) return;
    passed.push(now);
  }
  assert.fail(`Tab does not lead to ${name}: ${[...new Set(passed)].join(", ")}`);
}
const press = async (name, how = "Enter") => {
  await tab(name);
  await key(how);
};
const appears = (text) => page.getByText(text).first().waitFor();
const focusOn = (name) => page.waitForFunction((name) => window.glimFocus.name() === name, name);

test("everything works with the keyboard alone", () => scenario(page, "keyboard", keyboard));

async function keyboard() {
  await page.getByRole("button", { name: /Create a wallet/ }).waitFor();

  // A dialog keeps the focus, closes on Escape and gives the focus back.
  await tab(/^Public node/);
  const name = await focused();
  await key("Enter");
  const dialog = page.getByRole("dialog");
  await dialog.waitFor();
  for (let i = 0; i < 25; i++) {
    await key(await way());
    assert.ok(
      await page.evaluate(() => document.activeElement === document.body || !!document.activeElement.closest("dialog")),
      "the focus left the dialog",
    );
  }
  await key("Escape");
  await dialog.waitFor({ state: "detached" });
  await focusOn(name);

  // Choose the private chain with the arrows.
  await key("Enter");
  await dialog.waitFor();
  await tab("Public");
  await key("ArrowRight");
  await dialog.getByRole("radio", { name: "Private chain", checked: true }).and(page.locator(":focus")).waitFor();
  await press("Save");
  await appears("Private chain: the money here");

  // Create, with a mistake first: the focus goes to it.
  await press(/Create a wallet/);
  await tab("Wallet name");
  await type("Keys");
  await tab("Password");
  await type(password);
  await tab("Confirm password");
  await type("something else");
  await key("Enter");
  await page.locator("[aria-invalid=true]:focus").waitFor();
  await key("ControlOrMeta+a");
  await type(password);
  await key("Enter");
  await press("Show the words", "Space");
  const words = await shownWords(page);
  await tab(/I have written them down/);
  await key("Space");
  await press("Continue");
  // The page asks for three words, in an order by chance.
  const fields = page.getByLabel(/^Word \d+/);
  await fields.first().waitFor();
  for (const label of await fields.evaluateAll((all) => all.map((e) => e.labels[0].textContent.trim()))) {
    if ((await focused()) !== label) await tab(label);
    await type(words[Number(/\d+/.exec(label)[0]) - 1]);
  }
  await key("Enter");
  await appears("Balance");

  // Skip the navigation.
  await page.evaluate(() => document.activeElement?.blur());
  await press("Skip to the content");
  await page.locator("main:focus").waitFor();

  // Mine, with a choice from a list.
  await press("More");
  await page.getByRole("heading", { name: "More" }).waitFor();
  await press("Private chain");
  await tab("Blocks");
  await type("80");
  await eventually(() => page.getByLabel("Blocks").inputValue(), "80");
  await press("Mine");
  await appears("80 blocks mined");

  // Receive: copy the address.
  await press("Receive");
  await page.getByRole("heading", { name: "Receive" }).waitFor();
  await press(/^Copy/, "Space");
  await appears("Address copied");
  const own = await eventually(() => page.evaluate(() => navigator.clipboard.readText()), /^[1-9A-HJ-NP-Za-km-z]{95}$/);

  // Send.
  await press("Send");
  await tab("To");
  await type(own);
  await tab("Amount");
  await type("1.5");
  await press("Review");
  await page.getByRole("button", { name: "Send 1.5 XMR" }).and(page.locator(":enabled")).waitFor();
  await page.waitForFunction(() => document.querySelectorAll(".choice .amount").length === 4);
  await tab(/^(Slow|Normal|Fast)/);
  await key("ArrowDown");
  await key("ArrowUp");
  await press("Send 1.5 XMR");
  await page.getByRole("heading", { name: "Sent" }).and(page.locator(":focus")).waitFor();

  // Settings, and back up from there.
  await press("More");
  await press("Settings");
  await tab("Theme");
  await type("Dark");
  await page.waitForFunction(() => document.documentElement.dataset.theme === "dark");
  await press("Change: Password");
  await dialog.waitFor();
  await key("Escape");
  await dialog.waitFor({ state: "detached" });
  await focusOn("Change: Password");
  await press("Save: Copy of this wallet");
  await dialog.waitFor();
  const { name: file } = await savedFile(page, () => press("Save file"));
  assert.match(file, /^Keys-.*\.glim$/);
  await dialog.waitFor({ state: "detached" });
  await focusOn("Save: Copy of this wallet");
  await press("Lock");
  await page.getByRole("heading", { name: "Welcome back" }).waitFor();
  if ((await focused()) !== "Password") await tab("Password");
  await type(password);
  await key("Enter");
  await appears("Balance");
  assert.deepEqual(app.troubles, []);
}
