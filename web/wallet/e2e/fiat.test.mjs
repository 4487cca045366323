// Fiat amounts: off until a source is chosen, and what the source then sees.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { button, create, fact, go, mine, privateChain, sendNow } from "./acts.mjs";
import { scenario, shot, start } from "./browser.mjs";
import { eventually } from "./eventually.mjs";
import { rateSource } from "./rate-source.mjs";

const password = "correct horse battery staple";
/** An address of the private chain that belongs to no wallet here. */
const elsewhere = "48RZZ1PV97QQ8z2nNX5AePeAaDvWuoC1bgizAxJB6Tuhbq7Qit2zB1c653w8BdSy2UMdGWzQi7F3pZfjaxBibzQKEYxJh4U";
let app, page, source;
before(async () => {
  source = await rateSource();
  app = await start({ rates: source.rates });
  ({ page } = app);
});
after(() => {
  source?.close();
  return app?.end();
});

test("amounts in another currency", () => scenario(page, "fiat", fiat));

const worth = (page) => page.locator("main [data-fiat]");
const xmr = async (locator) => Number((await locator.innerText()).replace(" XMR", ""));
const asked = (n) => eventually(() => source.asked.length, n, "requests to the source");

async function fiat() {
  await privateChain(page);
  await create(page, "Purse", password);
  await mine(page, 80);
  for (const name of ["Home", "Send", "Receive"]) await go(page, name);
  assert.deepEqual(source.asked, [], "no source is asked before one is chosen");
  await eventually(() => worth(page).count(), 0);
  await button(page, /^Enter in/).waitFor({ state: "detached" });

  await go(page, "Settings");
  const from = page.getByLabel("Source of the rate");
  await eventually(() => from.inputValue(), "");
  await from.selectOption("local");
  await page.getByText("It sees your IP address").waitFor();
  await page.locator("[data-rate]", { hasText: "1 XMR = $151.93 Rate of Local, now" }).waitFor();
  await asked(1);
  const [first] = source.asked;
  assert.deepEqual([first.method, first.url], ["GET", "/rate/usd"], "it is asked for nothing but the rate");
  assert.deepEqual([first.headers.cookie, first.headers.referer], [undefined, undefined]);
  await shot(page, "fiat-settings", { dark: true });

  await go(page, "Home");
  await worth(page).waitFor();
  const both = async () => [
    await xmr(page.locator(".balance .sr")),
    await worth(page).locator("span").first().innerText(),
  ];
  await eventually(both, ([balance, shown]) => {
    const dollars = Number(/\$([\d,.]+)/.exec(shown)?.[1].replaceAll(",", ""));
    assert.ok(Math.abs(dollars - balance * 151.93) < 0.01, `${shown} for ${balance}`);
    assert.match(shown, /on the main network$/, "the coins of a private chain are worth nothing");
  });
  await shot(page, "fiat-home", { dark: true });

  // What is entered in the currency becomes an amount of XMR.
  await go(page, "Send");
  await page.getByLabel("To", { exact: true }).fill(elsewhere);
  await page.getByLabel("Amount", { exact: true }).fill("2");
  await worth(page).getByText("$303.86").waitFor();
  await button(page, "Enter in USD").click();
  await page.getByLabel("Amount in USD").fill("15,1.");
  await page.getByText("Enter the amount in digits, like 12.50").waitFor();
  await eventually(() => page.getByLabel("Amount", { exact: true }).inputValue(), "");
  await page.getByLabel("Amount in USD").fill("15.193");
  await eventually(() => page.getByLabel("Amount", { exact: true }).inputValue(), "0.1");
  await page.getByText("1 XMR = $151.93").waitFor();
  // It is not shown beside another amount.
  await page.getByLabel("Amount", { exact: true }).fill("3");
  await worth(page).getByText("$455.79").waitFor();
  await page.getByLabel("Amount in USD").waitFor({ state: "detached" });
  await button(page, "Enter in USD").click();
  await page.getByLabel("Amount in USD").fill("15.193");
  await eventually(() => page.getByLabel("Amount", { exact: true }).inputValue(), "0.1");
  await shot(page, "fiat-send", { dark: true });
  await button(page, "Review").click();
  await sendNow(page).and(page.locator(":enabled")).waitFor();
  await eventually(() => xmr(fact(page, "To").locator(".sr")), 0.1);
  const text = (name) => () => fact(page, name).innerText();
  await eventually(text("To"), (to) => assert.ok(to.indexOf("XMR") < to.indexOf("$15.19"), to));
  await eventually(text("Total"), (total) =>
    assert.ok(total.indexOf("XMR") < total.indexOf("$") && total.includes("Rate of Local"), total),
  );
  await shot(page, "fiat-review", { dark: true });
  await button(page, "Back to the form").click();

  // Another currency is another question; going from page to page asks nothing.
  for (const name of ["Home", "History", "Settings"]) await go(page, name);
  await asked(1);
  await page.getByLabel("Currency").selectOption("EUR");
  await page.locator("[data-rate]", { hasText: "\u20ac151.93" }).waitFor();
  await asked(2);
  assert.equal(source.asked[1].url, "/rate/eur");
  assert.deepEqual(app.troubles, []);

  // A source that fails leaves the last rate, which is marked when it is old.
  source.price = undefined;
  await page.evaluate(() => {
    const past = 20 * 60_000;
    const rate = JSON.parse(localStorage.getItem("glim.rate"));
    localStorage.setItem("glim.rate", JSON.stringify({ ...rate, at: rate.at - past, tried: rate.tried - past }));
  });
  await page.clock.install();
  await page.reload();
  await create(page, "Purse", password);
  await worth(page).getByText("Old rate of Local, 20 minutes ago").waitFor();
  await asked(3);
  await shot(page, "fiat-old", { dark: true });
  await go(page, "Settings");
  await page.getByText("Local does not answer.").waitFor();

  // It is asked again after some minutes, but not while the page is hidden.
  source.price = 160;
  const see = (state) =>
    page.evaluate((state) => {
      Object.defineProperty(document, "visibilityState", { configurable: true, get: () => state });
      document.dispatchEvent(new Event("visibilitychange"));
    }, state);
  await page.clock.fastForward("04:00");
  await see("hidden");
  await page.clock.fastForward("02:00");
  await go(page, "Home");
  await asked(3);
  await see("visible");
  await worth(page).getByText("Rate of Local, now").waitFor();
  await asked(4);

  // Without a source the amounts, the rate and the requests are gone.
  await go(page, "Settings");
  await page.getByLabel("Source of the rate").selectOption("");
  await page.locator("[data-rate]").waitFor({ state: "detached" });
  await go(page, "Home");
  await page.getByText("Balance", { exact: true }).waitFor();
  await eventually(() => worth(page).count(), 0);
  await eventually(() => page.evaluate(() => localStorage.getItem("glim.rate")), "{}");
  await asked(4);
}
