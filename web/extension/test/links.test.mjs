// Payment links, the pay button with the real wallet, and names of sites that can be mistaken, in Chromium.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { dirname, join } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";

import { create, mine } from "../../wallet/e2e/acts.mjs";
import { barriers, targets, tooWide } from "../../wallet/e2e/barriers.mjs";
import { eventually } from "../../wallet/e2e/eventually.mjs";
import { closing, onPrivateChain, start } from "./chromium.mjs";

const here = dirname(fileURLToPath(import.meta.url));
const pictures = process.env.GLIM_SCREENSHOTS;
const limit = Number(process.env.GLIM_PATIENCE ?? 180_000);
/** An address of the main network and of the private chain, which belongs to no wallet here. */
const elsewhere = "48RZZ1PV97QQ8z2nNX5AePeAaDvWuoC1bgizAxJB6Tuhbq7Qit2zB1c653w8BdSy2UMdGWzQi7F3pZfjaxBibzQKEYxJh4U";
/** An address of another network. */
const otherNetwork = "54SxXx2sQvKT3KJdCmYscJ38Ks94VfNcnCDvwkjHqjfAjQz71gMAdfR5G3fUVfamDbTHL2YVWSLjZRd4ubhzhCuWNgWUifT";
let extension, browser, base, find, open, server, shop;

const page = `<!doctype html><html lang="en"><meta charset="utf-8"><title>shop</title><h1>shop</h1>
<p><a id="whole"
href="monero:${elsewhere}?tx_amount=0.5&recipient_name=Caf%C3%A9&tx_description=two%20cups"><b>Pay</b></a>
<a id="open" href="monero:${elsewhere}">Donate</a>
<a id="broken" href="monero:nonsense">Broken</a>
<a id="other" href="monero:${otherNetwork}?tx_amount=1">Other network</a></p>
<monero-pay-button address="${elsewhere}" amount="0.25" description="Order 17"></monero-pay-button>
<script>
  // What the browser would do with a link that no extension takes.
  addEventListener("click", (e) => {
    window.left = (window.left ?? 0) + (e.defaultPrevented ? 0 : 1);
    if (e.target.closest("a")) e.preventDefault();
  });
</script>
<script type="module" src="/pay-button.js"></script></html>`;

before(async () => {
  const button = readFileSync(join(here, "../../sdk/dist/pay-button.js"));
  server = createServer((req, res) =>
    req.url === "/pay-button.js"
      ? res.writeHead(200, { "content-type": "text/javascript" }).end(button)
      : res.writeHead(200, { "content-type": "text/html" }).end(page),
  );
  await new Promise((r) => server.listen(0, "127.0.0.1", r));
  shop = `http://localhost:${server.address().port}/`;
  extension = await start();
  ({ base, browser, find, open } = extension);
});
after(async () => {
  await extension?.end();
  server?.close();
});

const windows = () => browser.pages().filter((p) => p.url().startsWith(`${base}consent.html`));
// In front, because the browser draws no other window.
const asked = async () => {
  const window = await find(windows, () => true);
  await window.bringToFront();
  return window;
};
const wanted = (list) => list.getByLabel("Open payment links of sites in this wallet");
/** Changes the setting, and waits until it is kept. */
const want = async (list, yes) => {
  await wanted(list).click();
  const kept = () => list.evaluate(async () => (await chrome.storage.local.get("links")).links);
  await eventually(kept, yes, "it is not kept");
  await wanted(list)
    .and(list.locator(yes ? ":checked" : ":not(:checked)"))
    .waitFor();
};
/** Presses a button that closes the window. */
const press = (w, name) => closing(w, () => w.getByRole("button", { name, exact: true }).click());
const shot = async (p, name, sizes = [400]) => {
  for (const colorScheme of ["dark", "light"]) {
    for (const width of sizes) {
      await p.setViewportSize({ width, height: 640 });
      await p.emulateMedia({ colorScheme, reducedMotion: "reduce" });
      const dark = colorScheme === "dark" ? "-dark" : "";
      if (pictures) await p.screenshot({ path: join(pictures, `extension-${name}-${width}${dark}.png`) });
      await eventually(() => tooWide(p), 0, `${name} is wider than ${width}`);
      await barriers(p, `${name} ${width}${dark}`);
      if (width < 640) await targets(p, name);
    }
  }
};
/** The button that pays, once it can be pressed: after all of the request was visible. */
const pay = async (w, amount) => {
  const button = w.getByRole("button", { name: `Pay ${amount} XMR`, exact: true });
  await button.waitFor();
  // As a person does who reads it all: a little at a time.
  await w.locator(".rest").focus();
  for (const until = Date.now() + limit; !(await button.isEnabled()); ) {
    assert.ok(Date.now() < until, "the request cannot be accepted");
    await w.keyboard.press("ArrowDown");
    await w.evaluate(() => new Promise((r) => requestAnimationFrame(() => requestAnimationFrame(r))));
  }
  return button;
};

test("payment links and the pay button", { timeout: 900_000 }, async (t) => {
  const wallet = await open(`${base}page.html`);
  await onPrivateChain(wallet);
  await create(wallet, "purse", "a good password");
  await mine(wallet, 80);
  const site = await open(shop);
  const left = () => site.evaluate(() => window.left ?? 0);

  await t.test("links are left alone until the user wants them opened", async () => {
    await site.locator("#whole").click();
    await eventually(left, 1, "the browser follows the link");
    const list = await open(`${base}sites.html`);
    const box = wanted(list);
    await eventually(() => box.isChecked(), false);
    await want(list, true);
    await shot(list, "links-setting", [360, 400, 768, 1280]);
    await list.reload();
    await eventually(() => box.isChecked(), true);
    await list.close();
  });

  await t.test("only the user's own click opens the wallet", async () => {
    await site.bringToFront();
    await site.evaluate(() => {
      const link = document.querySelector("#whole");
      link.click();
      link.dispatchEvent(new MouseEvent("click", { bubbles: true, cancelable: true, composed: true }));
    });
    await eventually(left, 3, "clicks of a script stay with the page");
    const before = await left();
    await site.locator("#whole b").click();
    const w = await asked();
    assert.equal(windows().length, 1, "one window, for the last click");
    assert.equal(await left(), before);
    await eventually(async () => (await w.locator("[data-origin]").innerText()).trim(), new URL(shop).origin);
    await w.getByText("Café").waitFor();
    await w.getByText("two cups").waitFor();
    await pay(w, "0.5");
    await shot(w, "link", [360, 400, 768]);
    // Another click shows the same window.
    await site.locator("#whole").click();
    assert.equal(windows().length, 1);
    await (await pay(w, "0.5")).click();
    await w.getByText("Sent", { exact: true }).waitFor();
    await eventually(() => w.locator("dd .mono").innerText(), /^[0-9a-f]{64}$/);
    await shot(w, "link-sent");
    await press(w, "Close");
    const kept = async () => Object.keys(await wallet.evaluate(() => chrome.storage.session.get(null)));
    await eventually(
      async () => (await kept()).filter((name) => name.startsWith("ask.")),
      [],
      "no outcome waits for the page",
    );
  });

  await t.test("with the keyboard, a link that leaves the amount to the user", async () => {
    await site.bringToFront();
    await site.locator("#open").focus();
    await site.keyboard.press("Enter");
    const w = await asked();
    await w.getByRole("heading", { name: "Pay how much?" }).waitFor();
    await w.getByRole("button", { name: "Continue" }).click();
    await w.getByText("Enter an amount.").waitFor();
    await w.getByLabel("Amount").fill("0.125");
    await shot(w, "link-amount", [360, 400, 768]);
    await w.getByLabel("Amount").press("Enter");
    await pay(w, "0.125");
    await press(w, "Decline");
  });

  await t.test("links that cannot be paid", async () => {
    for (const [id, text] of [
      ["#broken", "incomplete or damaged"],
      ["#other", "not one of regtest"],
    ]) {
      await wallet.evaluate(() => chrome.storage.session.clear());
      await site.bringToFront();
      await site.locator(id).click();
      const w = await asked();
      await w.getByRole("heading", { name: "This link cannot be paid" }).waitFor();
      await w.getByText(text).waitFor();
      await shot(w, `link-${id.slice(1)}`);
      await press(w, "Close");
    }
    await wallet.evaluate(() => chrome.storage.session.clear());
  });

  await t.test("a site with almost the name of a connected one", async () => {
    const grants = ["https://1ocalhost", "https://example.test"].map((origin, n) => ({
      origin,
      wallet: "purse",
      network: "regtest",
      address: elsewhere,
      account: 0,
      index: 1 + n,
      since: 1_700_000_000_000 + n,
    }));
    await wallet.evaluate(
      (grants) => chrome.storage.local.set({ sites: Object.fromEntries(grants.map((g) => [g.origin, g])) }),
      grants,
    );
    await site.bringToFront();
    const events = site.evaluate(
      () =>
        new Promise((resolve) => {
          const button = document.querySelector("monero-pay-button");
          for (const name of ["paid", "refused", "error"])
            button.addEventListener(name, (e) => resolve([name, e.detail.txids?.length ?? e.detail]), { once: true });
        }),
    );
    await site.getByRole("button", { name: "Pay 0.25 XMR" }).click();
    const connect = await asked();
    await connect.getByRole("heading", { name: "Connect this site?" }).waitFor();
    await connect.locator(".notice", { hasText: "This site is not 1ocalhost" }).waitFor();
    await eventually(() => connect.locator(".notice.warn").count(), 1, "example.test has another name");
    await connect.getByRole("button", { name: "Connect", exact: true }).and(connect.locator(":enabled")).waitFor();
    await shot(connect, "look-alike", [360, 400, 768]);
    await press(connect, "Connect");
    // The button goes on with the payment.
    const w = await asked();
    await w.locator(".notice", { hasText: "This site is not 1ocalhost" }).waitFor();
    await w.getByText("Order 17").waitFor();
    await shot(w, "look-alike-pay", [360, 400]);
    await pay(w, "0.25");
    await press(w, "Pay 0.25 XMR");
    assert.deepEqual(await events, ["paid", 1]);
    await site.locator("monero-pay-button[state=paid]").waitFor();
    const list = await open(`${base}sites.html`);
    const own = list.locator("section", { has: list.getByRole("heading", { name: new URL(shop).origin }) });
    await own.getByText("This site is not 1ocalhost").waitFor();
    await eventually(() => list.locator(".notice.warn").count(), 1, "the site that was there first is not blamed");
    await shot(list, "look-alike-sites", [360, 400, 768, 1280]);
    await list.close();
  });

  await t.test("a person declines what the button asks for", async () => {
    await site.evaluate(() => document.querySelector("monero-pay-button").reset());
    await site.bringToFront();
    await site.getByRole("button", { name: "Pay 0.25 XMR" }).click();
    const w = await asked();
    await press(w, "Decline");
    await site.getByText("You declined the payment.").waitFor();
    // Its link opens in the same wallet.
    await site.getByRole("button", { name: "Another wallet" }).click();
    await site.getByRole("link", { name: "Open a wallet" }).click();
    const link = await asked();
    await pay(link, "0.25");
    await press(link, "Decline");
  });

  await t.test("once switched off, links are left alone again", async () => {
    const list = await open(`${base}sites.html`);
    await want(list, false);
    await list.close();
    await site.reload();
    await site.locator("#whole").click();
    await eventually(left, 1);
    assert.equal(windows().length, 0);
  });
});
