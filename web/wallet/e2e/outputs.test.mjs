// The outputs of a wallet: what the page says about each, freezing, and payments that spend only chosen ones. Then
// payments to OpenAlias names, from what is left.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { address, button, create, fact, go, mine, privateChain, sendNow } from "./acts.mjs";
import { scenario, shot, start } from "./browser.mjs";
import { eventually } from "./eventually.mjs";
import { resolver } from "./resolver.mjs";

const password = "correct horse battery staple";
/** An address of the private chain that belongs to no wallet here. */
const elsewhere = "48RZZ1PV97QQ8z2nNX5AePeAaDvWuoC1bgizAxJB6Tuhbq7Qit2zB1c653w8BdSy2UMdGWzQi7F3pZfjaxBibzQKEYxJh4U";
let app, page;
before(async () => {
  app = await start();
  ({ page } = app);
});
after(() => app?.end());

test("outputs are listed, frozen and chosen for a payment", () => scenario(page, "outputs", outputs));
test("names are looked up when the user wants it, and shown with their address", () => scenario(page, "names", names));

const atomic = (text) => {
  const [whole, rest = ""] = text.replace(/ XMR$/, "").split(".");
  return BigInt(whole + rest.padEnd(12, "0"));
};
/** The rows of the list, and the amounts of those that a payment can spend. */
const rows = (page) => page.locator("main .outputs > li");
const free = async (page) =>
  (
    await rows(page).filter({ hasNotText: "Locked" }).filter({ hasNotText: "Frozen" }).locator(".sr").allInnerTexts()
  ).map(atomic);
/** Writes atomic units in XMR. */
const written = (amount) =>
  `${amount / 1_000_000_000_000n}.${(amount % 1_000_000_000_000n).toString().padStart(12, "0")}`;
const total = (list) => list.reduce((a, b) => a + b, 0n);

async function outputs() {
  await privateChain(page);
  await create(page, "Coins", password);
  await go(page, "Outputs");
  await page.getByText("No outputs yet").waitFor();
  const own = await address(page);
  await mine(page, 80);

  // Rewards unlock after 60 blocks.
  await go(page, "Outputs");
  await page.waitForFunction(() => document.querySelectorAll(".outputs > li").length === 50);
  await button(page, "Show more").click();
  await page.waitForFunction(() => document.querySelectorAll(".outputs > li").length === 80);
  const before = await eventually(
    () => free(page),
    (all) => assert.ok(all.length >= 19 && all.length <= 21, `${all.length} can be spent`),
  );
  assert.equal(new Set(before).size, before.length, "each reward is smaller than the one before it");
  await says("Can be spent now", total(before));
  const newest = rows(page).first();
  await newest.getByText(/Locked for \d+ blocks, about/).waitFor();
  await newest.getByText(/First address|Primary account/).waitFor();
  await page.getByLabel("Order").selectOption("largest");
  await page.waitForFunction(() => !document.querySelector(".outputs > li")?.textContent.includes("Locked"));
  const [largest, second] = before.toSorted((a, b) => (a < b ? 1 : -1));
  await eventually(async () => atomic(await rows(page).first().locator(".sr").innerText()), largest);

  // An output leads to its transaction.
  await rows(page).first().locator("button.item").click();
  await page.getByRole("heading", { name: "Received" }).waitFor();
  await page.getByText("Transaction ID").waitFor();
  await button(page, "Back").click();

  // A frozen output is not spent, and cannot be chosen.
  await page.getByLabel("Order").selectOption("largest");
  await rows(page).first().getByRole("button", { name: "Freeze" }).click();
  await rows(page).first().getByText("Frozen").waitFor();
  await says("Frozen", largest);
  await shot(page, "outputs", { dark: true });
  const rest = total(before) - largest;
  await says("Can be spent now", rest);

  await go(page, "Send");
  await page.getByText("Spends any outputs").waitFor();
  await button(page, "Choose outputs").click();
  const dialog = page.getByRole("dialog");
  await dialog.getByText("0 outputs chosen").waitFor();
  await dialog.getByLabel("Order").selectOption("largest");
  const boxes = dialog.getByRole("checkbox");
  const amountAt = async (i) => atomic(await dialog.locator(".outputs > li").nth(i).locator(".sr").innerText());
  await eventually(() => amountAt(0), second, "those that cannot be spent come last");
  const frozen = dialog.locator(".outputs > li", { hasText: "Frozen" }).getByRole("checkbox");
  await eventually(() => frozen.isDisabled(), true);
  const picked = [];
  for (const i of [2, 4]) {
    await boxes.nth(i).check();
    picked.push(await amountAt(i));
  }
  await dialog.getByText("2 outputs chosen").waitFor();
  await shot(page, "outputs-choose", { dark: true });
  await dialog.getByRole("button", { name: "Use these outputs" }).click();
  await eventually(async () => atomic(await page.locator("[data-chosen] .sr").innerText()), total(picked));
  await page.getByLabel("To", { exact: true }).fill(elsewhere);
  await page.getByLabel("Amount").fill(`${total(picked) / 1_000_000_000_000n + 1n}`);
  await page.getByText("This is more than the chosen outputs hold.").waitFor();
  await shot(page, "outputs-send", { dark: true });

  // Exactly the sum leaves nothing for the fee, although the account has more.
  await page.getByLabel("Amount").fill(written(total(picked)));
  await button(page, "Review").click();
  await page.getByText("The chosen outputs cannot make this payment").first().waitFor();
  await button(page, "Back to the form").click();
  await page.getByText("2 outputs chosen").waitFor();

  // More than the larger one holds, so that both are needed.
  await page.getByLabel("Amount").fill(`${picked[0] / 1_000_000_000_000n + 1n}`);
  await button(page, "Review").click();
  await fact(page, "Spends only").getByText("2 outputs chosen").waitFor();
  await sendNow(page).and(page.locator(":enabled")).waitFor();
  await shot(page, "outputs-review", { dark: true });
  await sendNow(page).click();
  await page.getByRole("heading", { name: "Sent" }).waitFor();
  await go(page, "Outputs");
  await page.getByLabel("Order").selectOption("largest");
  await page.waitForFunction(() => document.querySelectorAll(".outputs > li").length > 0);
  await expectFree(rest - total(picked));
  await button(page, "Show more").click();
  const left = await eventually(
    () => free(page),
    (all) => assert.equal(all.length, before.length - 3, "two are spent, and one is frozen"),
  );
  assert.deepEqual(
    picked.filter((amount) => left.includes(amount)),
    [],
    "those that were chosen are spent",
  );

  // Everything in one chosen output goes out, and nothing comes back.
  await go(page, "Send");
  await button(page, "Choose outputs").click();
  await dialog.getByLabel("Order").selectOption("largest");
  await eventually(() => amountAt(0), second);
  await boxes.nth(1).check();
  const all = await amountAt(1);
  await dialog.getByRole("button", { name: "Use these outputs" }).click();
  await page.getByLabel("To", { exact: true }).fill(own);
  await page.getByLabel("Send everything in the chosen outputs").check();
  await button(page, "Review").click();
  await sendNow(page).and(page.locator(":enabled")).waitFor();
  await says("Leaves the account", all);
  await sendNow(page).click();
  await page.getByRole("heading", { name: "Sent" }).waitFor();
  await go(page, "Outputs");
  await expectFree(rest - total(picked) - all);

  await page.getByLabel("Order").selectOption("largest");
  await rows(page).first().getByRole("button", { name: "Thaw" }).click();
  await expectFree(rest - total(picked) - all + largest);
  assert.deepEqual(app.troubles, []);
}

/** Waits until a fact on the page is this amount. */
const says = (name, amount) =>
  eventually(async () => atomic(await fact(page, name).locator(".sr").innerText()), amount, name);

/** Waits until the page says that this much can be spent. */
async function expectFree(amount) {
  const text = written(amount);
  await fact(page, "Can be spent now")
    .locator(".sr", { hasText: text.replace(/\.?0+$/, "") })
    .waitFor({ state: "attached" });
}

async function names() {
  const own = await address(page);
  let answer;
  const known = {
    "donate.example.org": { address: elsewhere },
    "slow.example.org": { address: own, wait: new Promise((r) => (answer = r)) },
    "plain.example.org": { address: elsewhere, signed: false },
  };
  const dns = await resolver(known);
  try {
    await payNames(dns, own, answer);
  } finally {
    answer();
    dns.close();
  }
}

async function payNames(dns, own, answer) {
  const to = page.getByLabel("To", { exact: true });
  const shown = (text) =>
    eventually(() => page.locator(".alias .address").innerText(), text, "the address of the name");

  // Off until the user chooses a resolver.
  await go(page, "Send");
  await to.fill("donate.example.org");
  await page.getByLabel("Amount").fill("1");
  await button(page, "Review").click();
  await page.getByText("Names are not looked up. Choose a resolver in Settings").waitFor();
  await shot(page, "names-off");
  await go(page, "Settings");
  const field = page.getByLabel("Resolver (DNS over HTTPS)");
  await field.fill("http://dns.example/dns-query");
  await page.getByText("Enter it like https://dns.example/dns-query").waitFor();
  await field.fill(dns.url);
  await button(page, "Save: OpenAlias names").click();
  await page.getByText("Names are looked up from now on").waitFor();
  await shot(page, "names-settings", { dark: true });

  // Typing asks nothing; leaving the field does, once for each name.
  await go(page, "Send");
  await page.getByLabel("Amount").fill("1");
  await to.pressSequentially("donate.example.org");
  await page.getByText("The name is looked up when you leave this field").waitFor();
  assert.deepEqual(dns.asked, []);
  await to.press("Tab");
  await shown(elsewhere);
  await shot(page, "names-send", { dark: true });

  // A late response belongs to its own name.
  await to.fill("slow.example.org");
  await to.press("Tab");
  await page.getByText("Looking up slow.example.org").waitFor();
  await eventually(() => dns.asked.at(-1), "slow.example.org");
  await to.fill("Donate@example.org");
  await shown(elsewhere);
  answer();
  await to.fill("slow.example.org");
  await shown(own);
  await to.fill("donate.example.org");
  await shown(elsewhere);
  await to.fill("none.example.org");
  await to.press("Tab");
  await page.getByText("none.example.org has no Monero address of this network.").waitFor();
  assert.deepEqual(dns.asked, ["donate.example.org", "slow.example.org", "none.example.org"]);

  // Nothing vouches for this name: it is not paid until the user accepts it. Review looks it up.
  await to.fill("plain.example.org");
  await button(page, "Review").click();
  await page.getByText("plain.example.org is not protected by DNSSEC").waitFor();
  await sendNow(page).waitFor();
  await eventually(() => sendNow(page).isEnabled(), false, "a name without signatures is not paid");
  await shot(page, "names-unsigned", { dark: true });
  await page.getByLabel("Pay plain.example.org even so").check();
  await sendNow(page).and(page.locator(":enabled")).waitFor();
  await page.getByLabel("Pay plain.example.org even so").uncheck();
  await eventually(() => sendNow(page).isEnabled(), false);
  await button(page, "Back to the form").click();
  await eventually(() => to.inputValue(), "plain.example.org");

  // The page before sending shows the name and the address, and this address is paid.
  await to.fill("donate.example.org");
  await to.press("Tab");
  await shown(elsewhere);
  await button(page, "Review").click();
  const recipient = fact(page, "To");
  await recipient.getByText("Address of donate.example.org").waitFor();
  await eventually(() => recipient.locator(".address").innerText(), elsewhere);
  await sendNow(page).and(page.locator(":enabled")).waitFor();
  await shot(page, "names-review", { dark: true });
  await sendNow(page).click();
  await page.getByRole("heading", { name: "Sent" }).waitFor();
  await button(page, "Show details").click();
  await eventually(() => page.locator("main .address").first().innerText(), elsewhere);
  assert.deepEqual(app.troubles, []);
}
