// The extension in Chromium, loaded unpacked and used by a person and a site, on the private chain.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { after, before, test } from "node:test";

import { button, create, mine } from "../../wallet/e2e/acts.mjs";
import { barriers, targets, tooWide } from "../../wallet/e2e/barriers.mjs";
import { eventually } from "../../wallet/e2e/eventually.mjs";
import { closing, limit, onPrivateChain, start } from "./chromium.mjs";
import { keyboardAlone } from "./keyboard.mjs";
import { walletNames } from "./names.mjs";
import { hidden, windows } from "./view.mjs";

const pictures = process.env.GLIM_SCREENSHOTS;
let extension, browser, base, find, server, shop;

/** Takes screenshots at all widths, or only at the present one if the name says it. */
const photograph = async (page, name, dark) => {
  const { width, height } = page.viewportSize() ?? { width: 400, height: 640 };
  const sized = /-\d+$/.test(name);
  for (const w of sized ? [width] : [360, 400, 768, 1280]) {
    await page.setViewportSize({ width: w, height });
    await page.screenshot({ path: join(pictures, `extension-${sized ? name : `${name}-${w}`}${dark}.png`) });
  }
  await page.setViewportSize({ width, height });
};
const shot = async (page, name) => {
  for (const colorScheme of ["dark", "light"]) {
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    const dark = colorScheme === "dark" ? "-dark" : "";
    if (pictures) await photograph(page, name, dark);
    await barriers(page, name + dark);
    if ((page.viewportSize()?.width ?? 400) < 640) await targets(page, name);
  }
};
/** An address of another network. */
const otherNetwork = "54SxXx2sQvKT3KJdCmYscJ38Ks94VfNcnCDvwkjHqjfAjQz71gMAdfR5G3fUVfamDbTHL2YVWSLjZRd4ubhzhCuWNgWUifT";
/** An address of the main network and of the private chain, which belongs to no wallet here. */
const elsewhere = "48RZZ1PV97QQ8z2nNX5AePeAaDvWuoC1bgizAxJB6Tuhbq7Qit2zB1c653w8BdSy2UMdGWzQi7F3pZfjaxBibzQKEYxJh4U";

before(async () => {
  server = createServer((req, res) =>
    res
      .writeHead(200, {
        "content-type": "text/html",
        ...(req.url === "/sandbox" && { "content-security-policy": "sandbox allow-scripts" }),
      })
      .end("<!doctype html><title>shop</title><h1>shop</h1>"),
  );
  await new Promise((r) => server.listen(0, "127.0.0.1", r));
  shop = `http://127.0.0.1:${server.address().port}/`;
  extension = await start();
  ({ base, browser, find } = extension);
});
after(async () => {
  await extension?.end();
  server?.close();
});

const open = (page) => extension.open(base + page);
/** The consent window. */
const asked = async () => {
  const window = await find(
    () => browser.pages(),
    (p) => p.url().startsWith(`${base}consent.html`),
  );
  // What a person has seen is known from frames, which the browser draws only for the window in front.
  await window.bringToFront();
  return window;
};
/** Scrolls a part of a window, as a person does, until a button is enabled. */
const scrolled = async (window, part, button, step) => {
  await window.locator(part).hover();
  for (const until = Date.now() + limit; !(await button.isEnabled()); ) {
    assert.ok(Date.now() < until, `scrolling ${part} does not enable the button`);
    await window.mouse.wheel(0, step);
    await window.evaluate(() => new Promise((r) => requestAnimationFrame(() => requestAnimationFrame(r))));
  }
};
/** Presses a button that closes the window. */
const press = (window, name) => closing(window, () => window.getByRole("button", { name, exact: true }).click());
/** Sends a request of a page. The outcome is awaited separately, because the user acts in between. */
const ask = (page, method, params) =>
  page.evaluate(
    ([method, params]) =>
      window.glim.request({ method, params }).then(
        (result) => ({ result }),
        (e) => ({ code: e.code, message: e.message }),
      ),
    [method, params],
  );
/** Sends a request of a page, and presses a button in the consent window. */
const answered = async (page, method, params, name, look = async () => {}) => {
  const outcome = ask(page, method, params);
  // A request that is refused opens no window.
  const early = outcome.then((o) => assert.fail(`answered without the user: ${JSON.stringify(o)}`));
  const window = await Promise.race([asked(), early]);
  await window.locator("[data-origin]").waitFor();
  await eventually(async () => (await window.locator("[data-origin]").innerText()).trim(), new URL(shop).origin);
  await look(window);
  await press(window, name);
  return outcome;
};
/** Stops the background, as the browser does when it is idle. */
const sleep = async (page) => {
  const devtools = await browser.newCDPSession(page);
  await devtools.send("ServiceWorker.enable");
  await devtools.send("ServiceWorker.stopAllWorkers");
  await devtools.detach();
};

test("a wallet in the extension, and the requests of a site", { timeout: 900_000 }, async (t) => {
  const wallet = await open("page.html");
  await onPrivateChain(wallet);
  const page = await browser.newPage();
  await page.goto(shop);
  let address = "";

  await t.test("what a site can do without being connected", async () => {
    assert.deepEqual(await page.evaluate(() => [window.glim.isGlim, window.glim.version]), [true, 1]);
    const announced = await page.evaluate(
      () =>
        new Promise((resolve) => {
          addEventListener("glim:announce", (e) => resolve(e.detail.info.name + (e.detail.provider === window.glim)));
          dispatchEvent(new Event("glim:request"));
        }),
    );
    assert.equal(announced, "glimtrue");
    const found = await page.evaluate(
      async (code) => {
        const { findMoneroProviders } = await import(
          URL.createObjectURL(new Blob([code], { type: "text/javascript" }))
        );
        const all = [];
        const stop = findMoneroProviders((wallet) => all.push(wallet));
        dispatchEvent(new Event("monero:requestProvider")); // a second announcement is not another wallet
        for (const detail of [undefined, {}, { info: { uuid: "1" }, provider: {} }])
          dispatchEvent(new CustomEvent("monero:announceProvider", { detail }));
        stop();
        const [{ info, provider }] = all;
        const image = Object.assign(new Image(), { src: info.icon });
        await image.decode();
        return {
          n: all.length,
          info,
          same: provider === window.glim,
          frozen: Object.isFrozen(provider),
          w: image.width,
        };
      },
      readFileSync(new URL("../../sdk/dist/provider.js", import.meta.url), "utf8"),
    );
    assert.deepEqual(
      [found.n, found.same, found.frozen, found.info.name, found.info.rdns],
      [1, true, true, "glim", "glim.wallet"],
    );
    assert.match(found.info.uuid, /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    assert.ok(found.w > 0, "the icon is an image");
    for (const [method, params, code] of [
      ["pay", { address: elsewhere, amount: "1" }, 4100],
      ["address", {}, 4100],
      ["query_key", { key_type: "mnemonic" }, 4200],
      ["pay", { address: "nonsense", amount: "1" }, -32602],
      ["pay", { address: elsewhere, amount: 1 }, -32602],
      ["sign", { message: "\u202etxet desrever" }, -32602],
      ["connect", [], -32602],
      [{ a: 1 }, {}, 4200],
    ])
      assert.equal((await ask(page, method, params)).code, code, JSON.stringify(method) + JSON.stringify(params));
    const long = await ask(page, "sign", { message: "x".repeat(1_000_000) });
    assert.equal(long.code, -32602);
    // The wallet is unavailable in a frame of another origin.
    await page.evaluate(
      (url) => document.body.appendChild(Object.assign(document.createElement("iframe"), { src: url })),
      shop.replace("127.0.0.1", "localhost"),
    );
    const frame = await find(
      () => page.frames(),
      (f) => f.url().includes("//localhost:"),
    );
    await frame.getByRole("heading", { name: "shop" }).waitFor();
    assert.equal(await frame.evaluate(() => typeof window.glim), "undefined");
    const sandbox = await browser.newPage();
    await sandbox.goto(`${shop}sandbox`);
    assert.deepEqual(
      await sandbox.evaluate(() => [window.origin, typeof window.glim]),
      ["null", "undefined"],
      "a sandboxed page does not act for its site",
    );
    await sandbox.close();
    assert.equal(
      await page.evaluate(() => typeof chrome.runtime?.sendMessage),
      "undefined",
      "the page cannot message the extension directly",
    );
  });

  await t.test("a popup opens a tab to make a wallet", async () => {
    for (const [press, heading] of [
      ["Create a wallet", "Create a wallet"],
      ["Restore a wallet", "Restore a wallet"],
    ]) {
      const popup = await open("popup.html");
      await popup.setViewportSize({ width: 380, height: 600 });
      const start = popup.getByRole("button", { name: press });
      await start.waitFor();
      // In a tab, as on phones, it fills the window.
      for (const width of [768, 360, 380]) {
        await popup.setViewportSize({ width, height: 600 });
        await eventually(() => popup.evaluate(() => document.body.getBoundingClientRect().width), width);
        await eventually(() => tooWide(popup), 0);
      }
      await shot(popup, "popup-welcome");
      await start.click();
      const tab = await find(
        () => browser.pages(),
        (p) => p !== wallet && p.url().startsWith(`${base}page.html`),
      );
      await tab.getByRole("heading", { name: heading }).waitFor();
      assert.equal(await popup.getByRole("heading", { name: heading }).count(), 0);
      await Promise.all([tab.close(), popup.close()]);
    }
  });

  await t.test("without a wallet, a request waits for one, and is not answered as rejected", async () => {
    const outcome = await answered(page, "connect", {}, "Not now", async (w) => {
      await w.getByRole("heading", { name: "You have no wallet yet" }).waitFor();
      await shot(w, "no-wallet");
    });
    assert.equal(outcome.code, 4900, JSON.stringify(outcome));
    const waiting = ask(page, "connect", {});
    const w = await asked();
    await w.getByRole("button", { name: "Set up a wallet" }).click();
    const tab = await find(
      () => browser.pages(),
      (p) => p !== wallet && p.url().startsWith(`${base}page.html`),
    );
    await create(tab, "till", "a good password");
    await w.getByRole("heading", { name: "Connect this site?" }).waitFor();
    await press(w, "Decline");
    assert.equal((await waiting).code, 4001);
    await tab.close();
    await wallet.evaluate(() => chrome.storage.session.clear()); // a site that was refused thrice must wait
  });

  await t.test("mine to the wallet in the extension's page", async () => {
    await wallet.reload();
    await wallet.getByText("Balance", { exact: true }).waitFor();
    await mine(wallet, 80);
  });

  await t.test("connect a site, or decline", async () => {
    const looks = async (w) => {
      const [age, yes] = await w.evaluate(() => [
        performance.now(),
        [...document.querySelectorAll("button.primary")].some((b) => !b.disabled),
      ]);
      assert.ok(age > 1000 || !yes, "a request cannot be accepted at once");
      await w.getByRole("button", { name: "Connect", exact: true }).and(w.locator(":enabled")).waitFor();
      await shot(w, "connect");
    };
    assert.equal((await answered(page, "connect", {}, "Decline", looks)).code, 4001);
    assert.equal((await ask(page, "address")).code, 4100);
    // A site that floods the wallet with requests gets one window.
    const flood = page.evaluate(() =>
      Promise.all(Array.from({ length: 100 }, () => window.glim.request({ method: "connect" }).catch((e) => e.code))),
    );
    const window = await asked();
    await window.getByRole("heading", { name: "Connect this site?" }).waitFor();
    assert.equal((await ask(page, "connect")).code, -32002, "one question at a time");
    assert.equal(browser.pages().filter((p) => p.url().startsWith(`${base}consent.html`)).length, 1);
    await window.close();
    assert.deepEqual((await flood).sort(), [...Array(99).fill(-32002), 4001]);

    const { result } = await answered(page, "connect", {}, "Connect");
    assert.match(result.address, /^8[1-9A-HJ-NP-Za-km-z]{94}$/, "its own subaddress");
    assert.equal(result.network, "regtest");
    address = result.address;
    assert.deepEqual(await ask(page, "address"), { result });
    assert.deepEqual(await ask(page, "connect"), { result }, "a user who agreed is not asked again");
  });

  await t.test("a mistyped address, or one of another network, opens no window", async () => {
    for (const [method, wrong] of [
      ["pay", address.slice(0, -1) + (address.endsWith("A") ? "B" : "A")],
      ["prove", `${address.slice(0, 40)}${address[40] === "a" ? "b" : "a"}${address.slice(41)}`],
      ["pay", otherNetwork],
    ]) {
      const o = await ask(page, method, { address: wrong, amount: "1", txid: "0".repeat(64) });
      assert.equal(o.code, -32602, JSON.stringify(o));
    }
    assert.ok(!browser.pages().some((p) => p.url().startsWith(`${base}consent.html`)));
  });

  await t.test("amount, recipient, fee, total and errors are in view before a payment can be made", async () => {
    const facts = ["[data-origin]", ".price", ".first .address", ".first .sum dd", "[data-network]"];
    const pay = (w) => w.getByRole("button", { name: "Pay 0.123456789012 XMR", exact: true });
    for (const [k, size] of windows.entries()) {
      // A line break for each word makes the longest description that a site can send.
      const description = k === 0 ? "Order 17" : "a\n".repeat(100).trim();
      const outcome = ask(page, "pay", { address: elsewhere, amount: "123456789012", description });
      const w = await asked();
      await w.setViewportSize(size);
      await w.reload();
      await w.locator(".sum.total .amount").waitFor();
      await w.getByRole("banner").getByText("Private chain", { exact: true }).waitFor();
      await eventually(() => hidden(w, [...facts, ".answers button"]), [], `at ${size.width}`);
      if (k > 0) {
        await w.getByText("Scroll through the whole request to continue.").waitFor();
        assert.equal(await pay(w).isEnabled(), false);
        await shot(w, `pay-long-${size.width}`);
        await scrolled(w, ".rest", pay(w), 10_000);
      }
      await pay(w).and(w.locator(":enabled")).waitFor();
      await eventually(() => hidden(w, [...facts, ".answers button"]), [], `scrolled, at ${size.width}`);
      await shot(w, `pay-${size.width}`);
      await press(w, "Decline");
      assert.equal((await outcome).code, 4001);
      await wallet.evaluate(() => chrome.storage.session.clear()); // a site that was refused thrice must wait
    }
    const outcome = ask(page, "pay", { address: elsewhere, amount: "5000000000000000", description: "all of it" });
    const w = await asked();
    for (const size of windows) {
      await w.setViewportSize(size);
      await w.getByRole("alert").getByText("Not enough money", { exact: true }).waitFor();
      const all = [...facts.filter((fact) => !fact.includes(".sum")), ".notice.bad strong", ".answers button"];
      await eventually(() => hidden(w, all), [], `at ${size.width}`);
      await shot(w, `pay-poor-${size.width}`);
    }
    assert.equal(await w.getByRole("button", { name: /^Pay/ }).isEnabled(), false);
    await press(w, "Decline");
    assert.equal((await outcome).code, 4001);
    await wallet.evaluate(() => chrome.storage.session.clear());

    // In a window too low for all facts, nothing is payable before the rest was scrolled into view.
    const low = ask(page, "pay", { address: elsewhere, amount: "123456789012" });
    const l = await asked();
    await l.setViewportSize({ width: 400, height: 300 });
    await l.reload(); // all of it may have been in view before the window was made smaller
    await l.locator(".sum.total .amount").waitFor();
    await l.getByText("Scroll through the whole request to continue.").waitFor();
    assert.equal(await pay(l).isEnabled(), false);
    await scrolled(l, "main", pay(l), 60);
    await shot(l, "pay-low");
    await l.close();
    assert.equal((await low).code, 4001);
    await wallet.evaluate(() => chrome.storage.session.clear());
  });

  await t.test("a payment, with the background stopped while the user reads it", async () => {
    const outcome = ask(page, "pay", { address, amount: "250000000000", description: "one <b>coffee</b>" });
    const window = await asked();
    await window.getByText("one <b>coffee</b>").waitFor();
    await window.getByText("0.25").first().waitFor();
    await window.getByRole("button", { name: "Pay 0.25 XMR" }).and(window.locator(":enabled")).waitFor();
    await shot(window, "pay");
    await sleep(wallet);
    await press(window, "Pay 0.25 XMR");
    const { result, message } = await outcome;
    assert.ok(result, message);
    assert.equal(result.amount, "250000000000");
    assert.match(result.txids[0], /^[0-9a-f]{64}$/);
    const proof = await answered(
      page,
      "prove",
      { txid: result.txids[0], address, message: "for the shop" },
      "Prove it",
      (w) => shot(w, "prove"),
    );
    assert.match(proof.result.signature, /^(In|Out)ProofV2/);
    // Another site was not given that address: a proof would reveal whose it is, so the extension makes no proof. The
    // site only learns of a rejection.
    const other = await browser.newPage();
    await other.goto(shop.replace("127.0.0.1", "localhost"));
    const connected = ask(other, "connect", {});
    const yes = await asked();
    await press(yes, "Connect");
    assert.notEqual((await connected).result.address, address);
    const asks = ask(other, "prove", { txid: result.txids[0], address });
    const prove = await asked();
    await prove.getByRole("button", { name: "Prove it" }).click();
    await prove.getByRole("alert").getByText("That address is your own").waitFor();
    await press(prove, "Decline");
    assert.equal((await asks).code, 4001);
    await ask(other, "disconnect");
    await other.close();
    const signed = await answered(page, "sign", { message: "I am who paid" }, "Sign", (w) => shot(w, "sign"));
    assert.match(signed.result.signature, /^SigV2/);
    assert.equal(signed.result.address, address);
    assert.equal(
      (
        await answered(page, "pay", { address, amount: "18446744073709551615" }, "Decline", (w) =>
          w.getByRole("alert").waitFor(),
        )
      ).code,
      4001,
      "no wallet has as much",
    );

    const unanswered = ask(page, "sign", { message: "later" });
    const left = await asked();
    await left.getByRole("heading", { name: "Sign a message?" }).waitFor();
    await sleep(wallet);
    await left.close();
    assert.equal(
      (await unanswered).code,
      4001,
      "a window closed while the background is stopped counts as a rejection",
    );
    const refusals = () =>
      wallet.evaluate(
        async (site) => (await chrome.storage.session.get(null))[`bother.${site}`].refusals,
        new URL(shop).origin,
      );
    await eventually(refusals, (n) =>
      assert.ok(n <= 2, `the declined payment and the closed window count as ${n} refusals`),
    );
  });

  await t.test("the keyboard alone answers requests, with a visible focus", () =>
    keyboardAlone({ page, other: shop.replace("127.0.0.1", "localhost"), address, browser, ask, asked, shot }),
  );

  await t.test("the window shows the name that the user gave the wallet", () =>
    walletNames({ wallet, page, address: elsewhere, ask, asked, open }),
  );

  await t.test("the wallet stays open when a popup opens and closes", async () => {
    const popup = await open("popup.html");
    await popup.getByText("Balance", { exact: true }).waitFor();
    await shot(popup, "popup");
    await popup.close();
    const panel = await open("panel.html");
    await panel.getByText("Balance", { exact: true }).waitFor();
    await panel.close();
  });

  await t.test("while the wallet is locked, a request waits for the password", async () => {
    await button(wallet, "Lock").first().click();
    const signed = await answered(page, "sign", { message: "again" }, "Sign", async (w) => {
      await shot(w, "unlock");
      await w.getByLabel(/^Password/).fill("not the password");
      await w.getByRole("button", { name: "Unlock" }).click();
      await w.getByRole("alert").waitFor();
      const field = w.getByLabel("Password of Corner shop");
      await field.fill("a good password");
      const fixed = await field.evaluateHandle((input) => {
        const seen = { fixed: false };
        new MutationObserver(() => (seen.fixed ||= input.readOnly)).observe(input, { attributes: true });
        return seen;
      });
      await w.getByRole("button", { name: "Unlock" }).click();
      await w.getByRole("heading", { name: "Sign a message?" }).waitFor();
      assert.deepEqual(await fixed.jsonValue(), { fixed: true }, "it cannot be changed while the engine uses it");
    });
    assert.match(signed.result.signature, /^SigV2/);
  });

  await t.test("the window and the list of sites speak the language of the settings", async () => {
    const speak = (language) =>
      wallet.evaluate(async (chosen) => {
        const { "glim.settings": kept } = await chrome.storage.local.get("glim.settings");
        await chrome.storage.local.set({ "glim.settings": JSON.stringify({ ...JSON.parse(kept), language: chosen }) });
      }, language);
    for (const [language, title, sign, decline, sites] of [
      ["de", "Eine Nachricht signieren?", "Signieren", "Ablehnen", "Verbundene Websites"],
      ["ru", "Подписать сообщение?", "Подписать", "Отклонить", "Подключённые сайты"],
    ]) {
      await speak(language);
      const outcome = ask(page, "sign", { message: "in your language" });
      const window = await asked();
      await window.getByRole("heading", { name: title }).waitFor();
      await eventually(() => window.evaluate(() => document.documentElement.lang), language);
      for (const size of windows) {
        await window.setViewportSize(size);
        await window.getByRole("button", { name: sign, exact: true }).waitFor();
        await eventually(() => hidden(window, [".answers .btn", "h1", ".said"]), [], `${language} ${size.width}`);
      }
      await shot(window, `sign-${language}`);
      await press(window, decline);
      assert.equal((await outcome).code, 4001);
      const list = await open("sites.html");
      await list.getByRole("heading", { name: sites }).waitFor();
      await list.close();
    }
    await speak("auto");
    // The names of the folders are those that browsers know.
    const described = await wallet.evaluate(() => chrome.runtime.getManifest().description);
    assert.equal(described, "A Monero wallet whose keys never leave this browser.");
  });

  await t.test("disconnect a site", async () => {
    const gone = page.evaluate(() => new Promise((resolve) => window.glim.on("disconnect", () => resolve(true))));
    const list = await open("sites.html");
    await list.getByText(new URL(shop).origin).waitFor();
    await shot(list, "sites");
    await list.getByRole("button", { name: "Disconnect" }).click();
    await list.getByText("No site is connected.").waitFor();
    assert.equal(await gone, true);
    assert.equal((await ask(page, "address")).code, 4100);
  });

  await t.test("the icons in the manifest have their sizes", async () => {
    const sizes = await wallet.evaluate(async () => {
      const { icons, action } = chrome.runtime.getManifest();
      const found = [];
      for (const [size, path] of [...Object.entries(icons), ...Object.entries(action.default_icon)]) {
        const image = new Image();
        image.src = chrome.runtime.getURL(path);
        await image.decode();
        found.push(`${size}: ${image.naturalWidth} x ${image.naturalHeight}`);
      }
      return found;
    });
    assert.deepEqual(
      sizes,
      [16, 32, 48, 128, 16, 32].map((n) => `${n}: ${n} x ${n}`),
    );
  });

  await t.test("the content security policy in the manifest", async () => {
    const { content_security_policy: policy } = await wallet.evaluate(() => chrome.runtime.getManifest());
    assert.ok(!policy.extension_pages.includes("'unsafe-eval'"));
    // Code that the test tool evaluates is exempt from the policy, but code that it calls later is not.
    const evaluated = await wallet.evaluate(
      () =>
        new Promise((resolve) =>
          setTimeout(() => {
            try {
              resolve(new Function("return 1")());
            } catch {
              resolve("refused");
            }
          }, 0),
        ),
    );
    assert.equal(evaluated, "refused");
  });
});
