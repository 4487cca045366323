// The button for sites, in Chromium under a strict policy: without a wallet, with one, and with several. The wallets
// here are stand-ins; the extension's own tests use the button with a real one.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import { join } from "node:path";
import { after, before, test } from "node:test";

import { chromium } from "playwright-core";

import { patience, sdk } from "./tools.mjs";

const address = "48RZZ1PV97QQ8z2nNX5AePeAaDvWuoC1bgizAxJB6Tuhbq7Qit2zB1c653w8BdSy2UMdGWzQi7F3pZfjaxBibzQKEYxJh4U";
const pictures = process.env.GLIM_SCREENSHOTS;
const policy =
  "default-src 'none'; script-src 'self'; img-src data:; require-trusted-types-for 'script'; trusted-types";
let browser, site, server;

before(async () => {
  const files = {
    "/pay-button.js": ["text/javascript", readFileSync(join(sdk, "dist", "pay-button.js"))],
    "/log.js": [
      "text/javascript",
      `window.events = [];
       document.addEventListener("securitypolicyviolation", (e) => events.push(["violation", e.violatedDirective]));
       const button = document.querySelector("monero-pay-button");
       for (const name of ["requested", "paid", "refused", "error"])
         button.addEventListener(name, (e) => events.push([name, { ...e.detail, amount: String(e.detail.amount) }]));`,
    ],
    "/": [
      "text/html",
      `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="color-scheme" content="light dark">
       <meta name="viewport" content="width=device-width"><title>Shop</title><main><h1>Shop</h1>
       <monero-pay-button address="${address}" amount="0.25" description="Order 17: tea &amp; cake"
         recipient="Café Mond"></monero-pay-button></main>
       <script src="/log.js"></script><script type="module" src="/pay-button.js"></script></html>`,
    ],
  };
  server = createServer((req, res) => {
    const [type, body] = files[req.url] ?? [];
    if (type === undefined) return res.writeHead(404).end();
    res.writeHead(200, { "content-type": `${type}; charset=utf-8`, "content-security-policy": policy }).end(body);
  });
  await new Promise((r) => server.listen(0, "127.0.0.1", r));
  site = `http://127.0.0.1:${server.address().port}/`;
  browser = await chromium.launch({
    executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
    timeout: patience,
    args: ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"],
  });
});
after(async () => {
  await browser?.close();
  server?.close();
});

/** Opens the shop. wallets are stand-ins that announce themselves, by name with their answers to requests. */
async function shop(t, wallets = {}) {
  const context = await browser.newContext({
    viewport: { width: 400, height: 800 },
    permissions: ["clipboard-read", "clipboard-write"],
  });
  t.after(() => context.close());
  context.setDefaultTimeout(patience);
  const page = await context.newPage();
  await page.addInitScript((wallets) => {
    window.asked = [];
    const announce = () => {
      for (const [name, answers] of Object.entries(wallets)) {
        const request = async ({ method, params }) => {
          window.asked.push([name, method, params]);
          const answer = answers[method]?.[0];
          if (answers[method]?.length > 1) answers[method].shift();
          if (answer === undefined) await new Promise(() => undefined);
          if (answer.code !== undefined) throw Object.assign(new Error(answer.message), { code: answer.code });
          return answer;
        };
        const info = {
          uuid: name,
          name,
          icon: "data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg'/>",
          rdns: name,
        };
        dispatchEvent(new CustomEvent("monero:announceProvider", { detail: { info, provider: { request } } }));
      }
    };
    addEventListener("monero:requestProvider", announce);
  }, wallets);
  await page.goto(site);
  await page.locator("monero-pay-button[state=ready]").waitFor();
  return page;
}
const events = (page) => page.evaluate(() => window.events);
const pay = (page) => page.getByRole("button", { name: "Pay 0.25 XMR" });

/** Takes pictures in both themes at the sizes that people have, and measures that nothing is cut off. */
async function shot(page, name) {
  for (const width of [360, 400, 768, 1280]) {
    for (const colorScheme of ["light", "dark"]) {
      await page.setViewportSize({ width, height: 800 });
      await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
      if (pictures) await page.screenshot({ path: join(pictures, `pay-${name}-${width}-${colorScheme}.png`) });
      const over = await page.evaluate(
        () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
      );
      assert.ok(over <= 0, `${name} is wider than ${width}`);
      await barriers(page, `${name} ${width} ${colorScheme}`);
    }
  }
  await page.setViewportSize({ width: 400, height: 800 });
}

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
/** Fails if axe finds a violation of WCAG 2.2 AA, or if a target is smaller than 44 by 44. */
async function barriers(page, name) {
  if (!(await page.evaluate(() => "axe" in window))) await page.evaluate(axe);
  const found = await page.evaluate(async () => {
    const { violations } = await window.axe.run(document, { preload: false });
    return violations.map((v) => `${v.id}: ${v.nodes.map((n) => n.html.slice(0, 120)).join(" | ")}`);
  });
  assert.deepEqual(found, [], name);
  const small = await page.locator("monero-pay-button").evaluate((host) =>
    [...host.shadowRoot.querySelectorAll("button, a")]
      .map((e) => [e.outerHTML.slice(0, 80), e.getBoundingClientRect()])
      .filter(([, box]) => box.width > 0 && (box.width < 44 || box.height < 44))
      .map(([html, box]) => `${html} ${box.width}x${box.height}`),
  );
  assert.deepEqual(small, [], name);
}

test("without a wallet it shows a link and a QR code", async (t) => {
  const page = await shop(t);
  await shot(page, "button");
  // With the keyboard alone: Tab, Enter, Tab, Space, Escape.
  await page.keyboard.press("Tab");
  await pay(page).and(page.locator(":focus")).waitFor();
  await page.keyboard.press("Enter");
  const dialog = page.getByRole("dialog", { name: "Pay with any Monero wallet" });
  await dialog.waitFor();
  await dialog.getByRole("img", { name: "QR code of the payment" }).waitFor();
  const texts = "recipient_name=Caf%C3%A9%20Mond&tx_description=Order%2017%3A%20tea%20%26%20cake";
  const link = `monero:${address}?tx_amount=0.25&${texts}`;
  assert.equal(await dialog.getByRole("link", { name: "Open a wallet" }).getAttribute("href"), link);
  await shot(page, "link");
  const path = [];
  for (let i = 0; i < 6; i++) {
    const name = await page.evaluate(() => {
      const at = document.activeElement.shadowRoot?.activeElement;
      return at?.getAttribute("aria-label") ?? at?.textContent ?? "";
    });
    path.push(name);
    if (name === "Copy the address") await page.keyboard.press("Space");
    await page.keyboard.press("Tab");
  }
  for (const name of ["Close", "Copy the amount", "Copy the address", "Open a wallet"])
    assert.ok(path.includes(name), `${name} in ${path}`);
  await page.getByText("Copied", { exact: true }).waitFor();
  assert.equal(await page.evaluate(() => navigator.clipboard.readText()), address);
  await page.keyboard.press("Escape");
  await pay(page).and(page.locator(":focus")).waitFor();
  await dialog.waitFor({ state: "detached" });
  const requested = { address, amount: "250000000000", description: "Order 17: tea & cake", recipient: "Café Mond" };
  assert.deepEqual(await events(page), [["requested", requested]], "and the page's policy allowed everything");
});

const connected = { address, network: "mainnet" };
const stranger = { code: 4100, message: "connect first" };
const done = { txids: ["ab".repeat(32)], amount: "250000000000", fee: "30000" };

test("with one wallet it connects and pays", async (t) => {
  const page = await shop(t, { Gleam: { address: [stranger], connect: [connected], pay: [done] } });
  await pay(page).press("Enter");
  await page.locator("monero-pay-button[state=paid]").waitFor();
  await page.getByRole("status").getByText("The payment was sent.").waitFor();
  assert.ok(await page.getByRole("button", { name: "Paid" }).isDisabled());
  await shot(page, "paid");
  const request = { address, amount: "250000000000", description: "Order 17: tea & cake" };
  assert.deepEqual(
    await page.evaluate(() => window.asked),
    [
      ["Gleam", "address", null],
      ["Gleam", "connect", null],
      ["Gleam", "pay", request],
    ].map(([name, method, params]) => [name, method, params ?? undefined]),
  );
  const [, paid] = await events(page);
  assert.deepEqual(paid, ["paid", { ...done, wallet: "Gleam" }]);
  await page.evaluate(() => document.querySelector("monero-pay-button").reset());
  await pay(page).waitFor();
});

test("a person declines, another request is waiting, a wallet fails", async (t) => {
  const page = await shop(t, {
    Gleam: {
      address: [connected],
      pay: [
        { code: 4001, message: "the user rejected the request" },
        { code: -32002, message: "busy" },
        { code: -32602, message: "the address belongs to another network" },
        { code: undefined },
      ],
    },
  });
  await pay(page).click();
  await page.getByText("You declined the payment.").waitFor();
  await shot(page, "refused");
  await page.getByRole("button", { name: "Another wallet" }).click();
  await page.getByRole("dialog").getByRole("link").waitFor();
  await page.getByRole("button", { name: "Close" }).click();
  await pay(page).click();
  await page.getByText("Another request is waiting in Gleam.").waitFor();
  await pay(page).click();
  await page.getByText("The wallet could not pay: the address belongs to another network").waitFor();
  assert.deepEqual(
    (await events(page)).filter(([name]) => name !== "requested").map(([name, e]) => [name, e.code]),
    [
      ["refused", undefined],
      ["error", -32002],
      ["error", -32602],
    ],
  );
});

test("while a wallet waits for the person, the button sends nothing more", async (t) => {
  const page = await shop(t, { Gleam: { address: [connected] } });
  await pay(page).press("Enter");
  await page.getByText("Continue in Gleam.").waitFor();
  await pay(page).and(page.locator(":focus")).waitFor(); // it keeps the focus
  await pay(page).press("Enter");
  await pay(page).press("Enter");
  const payments = () => window.asked.filter(([, method]) => method === "pay").length;
  await page.waitForFunction(payments);
  await page.evaluate(() => new Promise((r) => setTimeout(r, 0)));
  assert.equal(await page.evaluate(payments), 1);
});

/** What a site does with the button's attributes when its order changes. */
const change = (page, attributes) =>
  page.evaluate((attributes) => {
    const button = document.querySelector("monero-pay-button");
    for (const [name, value] of Object.entries(attributes)) button.setAttribute(name, value);
  }, attributes);

test("an order that changes meanwhile is paid, and shown, as it is then", async (t) => {
  const wallet = { address: [connected], pay: [done] };
  const page = await shop(t, { Gleam: wallet, Other: wallet });
  await pay(page).click();
  const choice = page.getByRole("dialog", { name: "Choose a wallet" });
  await choice.waitFor();
  await change(page, { amount: "0.5", description: "Order 18" });
  await choice.getByRole("button", { name: "Gleam" }).click();
  await page.locator("monero-pay-button[state=paid]").waitFor();
  const paid = await page.evaluate(() => window.asked.find(([, method]) => method === "pay")[2]);
  assert.deepEqual(paid, { address, amount: "500000000000", description: "Order 18" });

  const other = await shop(t);
  await pay(other).click();
  const dialog = other.getByRole("dialog", { name: "Pay with any Monero wallet" });
  await dialog.getByRole("link", { name: "Open a wallet" }).waitFor();
  await change(other, { amount: "0.5", description: "Order 18" });
  await dialog.getByText("0.5 XMR").waitFor();
  const link = `monero:${address}?tx_amount=0.5&recipient_name=Caf%C3%A9%20Mond&tx_description=Order%2018`;
  assert.deepEqual(await dialog.getByRole("link").evaluateAll((all) => all.map((a) => a.href)), [link]);
  await change(other, { amount: "nothing" });
  await dialog.waitFor({ state: "detached" });
});

test("with several wallets the person chooses", async (t) => {
  const wallet = { address: [connected], pay: [done] };
  const page = await shop(t, { Gleam: wallet, "<b>Other</b>": wallet });
  await pay(page).press("Enter");
  const dialog = page.getByRole("dialog", { name: "Choose a wallet" });
  await dialog.waitFor();
  await shot(page, "choose");
  await page.keyboard.press("Escape");
  await dialog.waitFor({ state: "detached" });
  await pay(page).and(page.locator(":focus")).waitFor();
  await page.keyboard.press("Enter");
  await dialog.getByRole("button", { name: "Another wallet" }).click();
  await page.getByRole("dialog", { name: "Pay with any Monero wallet" }).waitFor();
  await page.keyboard.press("Escape");
  await pay(page).press("Enter");
  await dialog.getByRole("button", { name: "<b>Other</b>" }).press("Enter"); // a name is text
  await page.locator("monero-pay-button[state=paid]").waitFor();
  const names = await page.evaluate(() => new Set(window.asked.map(([name]) => name)).size);
  assert.equal(names, 1);
  assert.equal((await events(page)).at(-1)[1].wallet, "<b>Other</b>");
  assert.deepEqual(
    (await events(page)).filter(([name]) => name === "violation"),
    [],
  );
});

test("attributes: none for the amount, invalid ones, other texts, and a listener that takes over", async (t) => {
  const page = await shop(t, { Gleam: { address: [connected], pay: [done] } });
  const change = (attributes) =>
    page.evaluate((attributes) => {
      const button = document.querySelector("monero-pay-button");
      for (const [name, value] of Object.entries(attributes))
        if (value === null) button.removeAttribute(name);
        else button.setAttribute(name, value);
    }, attributes);
  await change({ amount: null });
  await page.getByRole("button", { name: "Pay with Monero" }).click();
  const href = await page.getByRole("dialog").getByRole("link").getAttribute("href");
  assert.ok(!href.includes("tx_amount"), href);
  await page.keyboard.press("Escape");
  for (const [attributes, message] of [
    [{ amount: "1,5" }, "amount is not an amount"],
    [{ amount: "0" }, "amount must be between"],
    [{ amount: "18446744.073709551616" }, "amount must be between"],
    [{ amount: "1", address: `${address}1` }, "address is not a Monero address"],
    [{ address, description: "x".repeat(201) }, "longer than 200"],
  ]) {
    await change(attributes);
    await page.getByRole("button", { name: /^Pay / }).click();
    const [name, { message: said }] = (await events(page)).at(-1);
    assert.equal(name, "error");
    assert.ok(said.includes(message), said);
  }
  await change({ description: null, amount: "1.50", label: "Buy the book" });
  await page.evaluate(() => {
    const button = document.querySelector("monero-pay-button");
    button.texts = { sent: "Bezahlt, danke!" };
    button.addEventListener("requested", (e) => {
      e.preventDefault();
      button.setAttribute("amount", "2");
      button.pay();
    });
  });
  await page.getByRole("button", { name: "Buy the book" }).click();
  await page.getByText("Bezahlt, danke!").waitFor();
  assert.equal(await page.evaluate(() => window.asked.at(-1)[2].amount), "2000000000000");
});
