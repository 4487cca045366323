// The app in other languages: the browser's is used and another can be chosen; long words fit on a small phone, and
// the layout turns for languages that are written from right to left.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { start } from "./browser.mjs";
import { eventually } from "./eventually.mjs";
import { button, create, go, privateChain } from "./acts.mjs";
import { en } from "../dist-test/english.mjs";

const phone = { width: 360, height: 780 };

/** Opens the app in a new browser context that prefers these languages. Returns its page and its context. */
async function visit(app, locale, prepare = async () => {}) {
  const context = await app.browser.newContext({ locale, viewport: phone, colorScheme: "light" });
  await prepare(context);
  const page = await context.newPage();
  page.on("pageerror", (e) => app.troubles.push(`error: ${e.message}`));
  await page.goto(app.page.url());
  await page.locator("h1").first().waitFor();
  return { page, context };
}

/** Returns the texts on a page that are cut off or wider than their place, and how much wider the page is. */
const misfits = (page) =>
  page.evaluate(() => {
    const found = [];
    const root = document.documentElement;
    if (root.scrollWidth > root.clientWidth) found.push(`the page, by ${root.scrollWidth - root.clientWidth}`);
    for (const e of document.querySelectorAll("button, label, legend, summary, h1, h2, h3, p, dt, dd, .tag, .title")) {
      const { display, overflowX } = getComputedStyle(e);
      // A text for screen readers is hidden on purpose; so is the name of the wallet, which the top bar shows.
      if (display === "inline" || !e.offsetParent || e.closest(".sr, .home-title, .skip")) continue;
      if (e.scrollWidth > e.clientWidth + 1) found.push(`${e.className || e.tagName} (${overflowX}): ${e.textContent}`);
    }
    return found;
  });

/** Visits the pages of an open wallet by their place in the bar and the list of further pages. */
async function everyPage(page, look) {
  for (const n of [0, 1, 2, 3]) {
    await page.locator(".tabbar button").nth(n).click();
    await look(`page ${n}`);
  }
  await page.locator(".tabbar button").nth(4).click();
  const entries = page.locator("main ul.list button");
  const all = await eventually(
    () => entries.count(),
    (found) => assert.ok(found > 8, `${found} entries`),
  );
  const count = all - 1; // the last one locks the wallet
  for (let n = 0; n < count; n++) {
    await page.locator(".tabbar button").nth(4).click();
    await look("more");
    await entries.nth(n).click();
    await look(`further page ${n}`);
  }
}

let app;
before(async () => {
  app = await start();
});
after(async () => {
  await app?.end();
});

test("a German browser gets German, and another language can be chosen", async () => {
  const { page, context } = await visit(app, "de-AT");
  await page.getByRole("heading", { name: "Geld, das nur du sehen und nur du ausgeben kannst." }).waitFor();
  await eventually(
    () => page.evaluate(() => [document.documentElement.lang, document.documentElement.dir]),
    ["de", "ltr"],
  );
  const choice = page.getByLabel("Sprache");
  await eventually(() => choice.locator("option:checked").innerText(), /Deutsch/);
  await choice.selectOption({ label: "日本語" });
  await page.getByRole("button", { name: "ウォレットを作成" }).waitFor();
  await eventually(() => page.evaluate(() => document.documentElement.lang), "ja");
  await page.reload(); // the choice is remembered
  await page.getByLabel("言語").selectOption("en");
  await button(page, "Create a wallet").waitFor();
  await page.getByLabel("Language").selectOption("auto");
  await button(page, "Wallet erstellen").waitFor();
  await context.close();
});

test("English is used if the browser's language is not there", async () => {
  const { page, context } = await visit(app, "cy-GB");
  await button(page, "Create a wallet").waitFor();
  await eventually(() => page.evaluate(() => document.documentElement.lang), "en");
  await context.close();
});

test("the texts fit on a small phone in every language, and in one with long words, in both directions", async () => {
  // A language in place of German: every message is half as long again, with accents and without a place to break.
  const longer = (text) =>
    text
      .split(/(\{\w+\}|<\/?\w+>)/)
      .map((part, i) => (i % 2 ? part : part.replace(/[a-z]{3,}/gi, (word) => `${word}${"ö".repeat(word.length / 2)}`)))
      .join("");
  const pseudo = Object.fromEntries(
    Object.entries(en).map(([key, message]) => [
      key,
      typeof message === "string"
        ? longer(message)
        : Object.fromEntries(Object.entries(message).map(([form, text]) => [form, longer(text)])),
    ]),
  );
  const { page, context } = await visit(app, "en-US", async (made) => {
    // In Firefox, the test tool does not see what the service worker loads.
    await made.addInitScript(() => delete Navigator.prototype.serviceWorker);
    await made.route(/\/de-[\w-]+\.js$/, (route) =>
      route.fulfill({
        contentType: "text/javascript",
        body: `export const messages = ${JSON.stringify(pseudo)};`,
      }),
    );
  });
  await privateChain(page);
  await button(page, "Create a wallet").waitFor();
  await create(page, "Till", "a good password");
  await go(page, "Settings");
  const choose = async (language) => {
    await page.locator(".tabbar button").nth(4).click();
    await page.locator("main ul.list li:nth-last-child(2) button").click(); // the settings are above the lock
    await page.locator("select:has(option[value=ja])").selectOption(language);
    await page.waitForFunction((code) => document.documentElement.lang === code, language);
  };
  const languages = await page
    .locator("option[value=en], option[value=en] ~ option")
    .evaluateAll((options) => options.map((o) => o.value));
  assert.equal(languages.length, 11);
  for (const language of languages) {
    await choose(language);
    await everyPage(page, (name) => eventually(() => misfits(page), [], `${language}: ${name}`));
  }
  await choose("de");
  await eventually(() => page.locator("main h1").innerText(), /ö{3}$/, "the language with long words is in use");
  await page.evaluate(() => (document.documentElement.dir = "rtl"));
  await everyPage(page, async (name) => {
    await eventually(() => misfits(page), [], `from right to left: ${name}`);
    const heading = () =>
      page.evaluate(() => {
        const range = document.createRange();
        range.selectNodeContents(document.querySelector("main h1"));
        return { right: range.getBoundingClientRect().right, width: innerWidth };
      });
    await eventually(heading, ({ right, width }) =>
      assert.ok(right > width - 80 || right <= 1, `the heading begins on the right: ${name}: ${right}`),
    );
    const turned = () =>
      page
        .locator("main .address, main .amount")
        .evaluateAll((all) => all.map((e) => getComputedStyle(e).direction).filter((d) => d !== "ltr"));
    await eventually(turned, [], name);
  });
  await page.locator(".tabbar button").nth(1).click();
  const boxes = () =>
    Promise.all(
      [".with-end > .unit", ".with-end > .input.num"].map((part) => page.locator(part).first().boundingBox()),
    );
  await eventually(boxes, ([unit, field]) =>
    assert.ok(unit.x > field.x + field.width / 2, "the unit stands after the amount"),
  );
  await page.locator(".tabbar button").nth(4).click();
  const arrow = page.locator("main .turns").first();
  const turn = () => arrow.evaluate((e) => new DOMMatrix(getComputedStyle(e).transform).a);
  await eventually(turn, -1, "arrows turn");
  await choose("en");
  await eventually(() => page.evaluate(() => document.documentElement.dir), "ltr");
  await page.locator(".tabbar button").nth(4).click();
  await eventually(turn, 1);
  await context.close();
  assert.deepEqual(app.troubles, []);
});
