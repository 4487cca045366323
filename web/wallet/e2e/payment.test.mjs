// One wallet pays another on the private chain in the page, visiting every page along the way.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { decodeQR } from "qr/decode.js";
import { saved, shot, start, scenario } from "./browser.mjs";
import {
  address,
  button,
  copied,
  create,
  fact,
  go,
  lock,
  mine,
  nodeSettings,
  open,
  privateChain,
  sendNow,
  unlock,
} from "./acts.mjs";
import { eventually } from "./eventually.mjs";
import { hold, keeps } from "./hold.mjs";

const password = "correct horse battery staple";
let app, page;
before(async () => {
  app = await start();
  ({ page } = app);
});
after(() => app?.end());

test("a payment between wallets, and all pages along the way", () => scenario(page, "payment", payment));

async function payment() {
  await button(page, "Create a wallet").waitFor();
  await shot(page, "welcome", { dark: true });
  await button(page, "Restore a wallet").click();
  await page.getByRole("heading", { name: "Restore a wallet" }).waitFor();
  await steps(page, "back");
  await button(page, "Create a wallet").waitFor();
  await nodeSettings(page);
  await button(page, "Test").click();
  await page.getByText("The node cannot be reached").first().waitFor();
  await shot(page, "node");
  await testedNode();
  await page.keyboard.press("Escape");
  await privateChain(page);

  await create(page, "Savings", password, { shot: (name) => shot(page, name) });
  await shot(page, "home-empty");
  const savings = await address(page);

  // When the wallet is locked, a wrong password does not open it.
  await lock(page);
  await unlock(page, "Savings", "not this one");
  await page.getByText("Wrong password").waitFor();
  await shot(page, "unlock", { dark: true });
  await page.getByLabel("Password", { exact: true }).fill(password);
  await button(page, "Unlock").click();
  await page.getByText("Balance", { exact: true }).waitFor();

  await mine(page, 80);
  await shot(page, "play");
  await lock(page);
  const market = await (async () => {
    await create(page, "Market", password, { kind: "words" });
    return address(page);
  })();
  await go(page, "Accounts");
  await button(page, "New account").click();
  await page.getByLabel("Label").fill("Stall");
  await button(page, "Done").click();
  await button(page, /Stall/).first().click();
  await button(page, "New address").click();
  await page.getByLabel("Label").fill("Apples");
  await button(page, "Done").click();
  await page.getByText("Apples").waitFor();
  await shot(page, "accounts");
  await button(page, /^Apples/).click();
  await page.getByLabel("Amount").fill("1.25");
  await page.getByLabel("Description").fill("Apples, 2 kg");
  await page.getByRole("img", { name: "QR code of the payment request" }).waitFor();
  await page.getByText("Apples", { exact: true }).first().waitFor();
  // The engine makes the link anew after each change.
  const link = await eventually(async () => {
    await button(page, "Copy payment link").click();
    return page.evaluate(() => navigator.clipboard.readText());
  }, /^monero:[1-9A-HJ-NP-Za-km-z]{95}\?(?=.*tx_amount=1\.25)(?=.*tx_description=Apples.*kg)/);
  await eventually(() => readQR(page), link);
  await shot(page, "receive", { dark: true });
  await earlier(link);
  await lock(page);

  await open(page, "Savings", password);
  await go(page, "Address book");
  await button(page, "New entry").click();
  await page.getByLabel("Name").fill("Market hall");
  await page.getByLabel("Address", { exact: true }).fill(market);
  await shot(page, "contact-edit");
  await keeps(page, page.getByLabel("Address", { exact: true }), "add_address_book", () =>
    button(page, "Save").click(),
  );
  await page.getByText("Market hall").waitFor();
  await shot(page, "contacts");

  // Impossible input is reported before anything is made.
  await go(page, "Send");
  await page
    .getByLabel("To", { exact: true })
    .fill("888tNkZrPN6JsEgekjMnABU4TBzc2Dt29EPAvkRxbANsAnjyPbb3iQ1YBRk1UXcdRsiKc9dhwMVgN5S9cQUiyoogDavup3H");
  await page.getByLabel("Amount").fill("0,5.1");
  await button(page, "Review").click();
  await page.getByText("This amount is ambiguous.").waitFor();
  await page.getByLabel("Amount").fill("0.5");
  await page.getByLabel("To", { exact: true }).fill(savings.slice(0, -1) + (savings.endsWith("A") ? "B" : "A"));
  await button(page, "Review").click();
  await page.getByText("This is not a Monero address.").waitFor();
  await shot(page, "send-wrong");

  // Everything is sent, except what is locked.
  await page.getByLabel("To", { exact: true }).fill(market);
  await page.getByLabel("Send everything in this account").check();
  const locked = page.locator(".notice", { hasText: "Part of it stays in the account" });
  await locked.getByText(/It unlocks in \d+ blocks/).waitFor();
  const stays = await locked.locator(".sr").innerText();
  await shot(page, "send-everything", { dark: true });
  await button(page, "Review").click();
  await page.getByText("Market hall, in your address book").waitFor();
  await fact(page, "Stays in the account").waitFor();
  const says = (name, amount) =>
    eventually(async () => atomic(await fact(page, name).locator(".sr").innerText()), amount, name);
  await says("Stays in the account", atomic(stays));
  await shot(page, "send-everything-review", { dark: true });
  await button(page, "Back to the form").click();
  await page.getByLabel("Send everything in this account").uncheck();

  // What is entered while the engine reads a payment link stays.
  const reading = await hold(page, "parse_uri");
  await page.getByLabel("To", { exact: true }).fill(link);
  await reading.asked();
  await page.getByLabel("To", { exact: true }).fill(market);
  await page.getByLabel("Amount").fill("0.75");
  await reading.release();
  await eventually(() => button(page, "Review").isEnabled(), true);
  assert.equal(await page.getByLabel("To", { exact: true }).inputValue(), market, "the link replaces the address");
  assert.equal(await page.getByLabel("Amount").inputValue(), "0.75");
  assert.equal(await page.getByLabel("Note").inputValue(), "");

  // A payment link fills in the form; a second recipient comes from the address book.
  await page.getByLabel("To", { exact: true }).fill(link);
  await page.waitForFunction(() => document.querySelector(".amount-input")?.value === "1.25");
  await eventually(() => page.getByLabel("Note").inputValue(), "Apples, 2 kg");
  await button(page, "Another recipient").click();
  await page.getByRole("group", { name: "Recipient 2" }).getByRole("button", { name: "Address book" }).click();
  await page
    .getByRole("dialog")
    .getByRole("button", { name: /Market hall/ })
    .click();
  const smallest = page.getByRole("group", { name: "Recipient 2" }).getByLabel("Amount");
  await smallest.fill("0.000000000001");
  await page.setViewportSize({ width: 360, height: 740 });
  await eventually(() => smallest.evaluate((e) => e.scrollWidth - e.clientWidth), 0, "the whole amount is in view");
  await shot(page, "send", { dark: true });
  const priority = await hold(page, "get_default_fee_priority");
  await keeps(page, smallest, "validate_address", () => button(page, "Review").click());
  // A speed that is chosen before the usual one is known stays chosen.
  await priority.asked();
  await page.getByRole("radio", { name: /^Fastest/ }).check();
  await priority.release();
  // The fee shown for each priority is that of transactions which were made.
  const fees = page.locator(".choice .amount .sr");
  await page.waitForFunction(() => document.querySelectorAll(".choice .amount").length === 4);
  await eventually(
    async () => (await fees.allInnerTexts()).map(Number.parseFloat),
    (shown) => {
      assert.equal(shown.length, 4);
      assert.ok(
        shown.every((fee, i) => fee > 0 && (i === 0 || fee > shown[i - 1])),
        shown.join(),
      );
    },
  );
  await page.getByText("Market hall, in your address book").waitFor();
  await page.getByRole("radio", { name: /^Fastest/, checked: true }).waitFor();
  await page.getByRole("radio", { name: /^Normal/ }).check();
  const sums = () => Promise.all(["Fee", "Total"].map((name) => fact(page, name).locator(".sr").last().innerText()));
  await eventually(sums, ([fee, total]) => assert.equal(atomic(total), atomic("1.250000000001") + atomic(fee)));
  await shot(page, "send-review", { dark: true });
  // Looking back changes nothing. Pressed twice, it is sent once, and going back from there must not lead to sending it
  // again.
  await steps(page, "back");
  await page.getByLabel("Note").waitFor();
  await eventually(() => page.getByRole("group", { name: "Recipient 1" }).getByLabel("Amount").inputValue(), "1.25");
  await steps(page, "forward");
  await page.locator(".choice", { hasText: "Normal" }).locator(".amount").waitFor();
  await page.getByRole("radio", { name: /^Normal/ }).check();
  await button(page, "Send 1.250000000001 XMR").and(page.locator(":enabled")).waitFor();
  await sendNow(page).evaluate((b) => {
    b.click();
    b.click();
  });
  await page.getByRole("heading", { name: "Sent" }).and(page.locator(":focus")).waitFor();
  await steps(page, "back");
  await page.waitForFunction(() => document.querySelector("textarea")?.value === "");
  await steps(page, "forward");
  await page.getByRole("heading", { name: "Sent" }).waitFor();
  const written = (name) => async () => (await fact(page, name).innerText()).trim().slice(0, 64);
  const txid = await eventually(written("Transaction ID"), /^[0-9a-f]{64}$/);
  const key = await eventually(written("Transaction key"), /^[0-9a-f]{64}$/);
  await shot(page, "sent");
  await button(page, "Show details").click();
  await page.getByText("Pending").waitFor();
  await page.getByLabel("Note").fill("Apples for the cake");
  await button(page, "Save note").click();
  await page.getByText("Note saved").waitFor();
  await shot(page, "transfer");

  await mine(page, 1);
  await go(page, "Home");
  await page.getByText("Apples for the cake").waitFor();
  await shot(page, "home", { dark: true });
  await go(page, "History");
  await page.getByLabel("Search").fill("cake");
  await page.getByText("1 transaction", { exact: true }).waitFor();
  await shot(page, "history-search");
  const table = (await saved(page, () => button(page, "Save as CSV").click())).toString();
  assert.match(table, new RegExp(`,out,-1\\.250000000001,[0-9.]+,\\d+,${txid},.*Apples for the cake`));
  await page.getByLabel("Search").fill("no such thing");
  await page.getByText("Nothing found").waitFor();
  await button(page, "Clear filters").click();
  await page.getByText("82 transactions").waitFor();
  await shot(page, "history", { dark: true });

  // The other wallet has received it.
  await lock(page);
  await open(page, "Market", password);
  await page.locator(".balance .sr", { hasText: "1.250000000001 XMR" }).waitFor();
  await shot(page, "home-received");
  await go(page, "More");
  await shot(page, "more");

  await proofs({ txid, key, market, savings });

  // Once unlocked, everything in an account is sent back, and the fee is deducted from it.
  await mine(page, 10);
  await lock(page);
  await open(page, "Market", password);
  // The outputs of another account are not listed while those of the chosen one are unknown.
  await go(page, "Outputs");
  await page.locator(".outputs > li").first().waitFor();
  const counting = await hold(page, "incoming_transfers");
  await page.getByLabel("Account").selectOption("1");
  await counting.asked();
  await eventually(() => page.locator(".outputs > li").count(), 0, "the outputs of the other account are listed");
  await counting.release();
  await page.locator(".outputs > li").first().waitFor();
  await go(page, "Send");
  await page.getByLabel("From", { exact: true }).selectOption("1");
  await page.getByLabel("To", { exact: true }).fill(savings);
  await page.getByLabel("Send everything in this account").check();
  await button(page, "Review").click();
  await page.waitForFunction(() => document.querySelectorAll(".choice .amount").length === 4);
  await says("Leaves the account", atomic("1.25"));
  await sendNow(page).click();
  await page.getByRole("heading", { name: "Sent" }).waitFor();
  await button(page, "Done").click();
  await page.locator(".balance .sr", { hasText: /^0\.000000000001 XMR$/ }).waitFor();
  assert.deepEqual(app.troubles, []);
}

/** While the engine is slow, nothing that belongs to what was entered before is shown or can be copied. */
async function earlier(link) {
  // The payment link of another amount.
  const [, of] = /^monero:(\w+)/.exec(link);
  const making = await hold(page, "make_uri");
  await page.getByLabel("Amount").fill("3");
  await making.asked();
  await eventually(() => button(page, "Copy payment link").isDisabled(), true, "the link can be copied");
  await eventually(() => readQR(page), of, "the QR code asks for no amount");
  await making.release();
  await eventually(async () => copied(page, () => button(page, "Copy payment link").click()), /tx_amount=3(\.0*)?&/);
  // The addresses of another account, here and in the list of accounts.
  const shown = async () => (await page.locator("main .address").allInnerTexts()).map((a) => a.replace(/\s/g, ""));
  await eventually(shown, [of]);
  let listing = await hold(page, "get_address");
  await page.getByLabel("Account").focus();
  await page.getByLabel("Account").selectOption("0");
  await listing.asked();
  await eventually(shown, [], "the address of the other account is shown");
  await page.getByLabel("Account").and(page.locator(":focus")).waitFor();
  await listing.release();
  await eventually(shown, ([a, ...more]) => assert.ok(a && a !== of && more.length === 0, a));
  await go(page, "Accounts");
  await button(page, /^1 Stall/).click();
  await button(page, /^Apples/).waitFor();
  listing = await hold(page, "get_address");
  await button(page, /^0 Primary account/).click();
  await listing.asked();
  await eventually(() => button(page, /^Apples/).count(), 0, "the addresses of the other account are listed");
  await listing.release();
  await button(page, /^First address/).waitFor();
}

/** The result of testing a node is not shown for another one, whose address is entered meanwhile. */
async function testedNode() {
  let answer;
  const answered = new Promise((resolve) => (answer = resolve));
  const local = "http://127.0.0.1:18081/**";
  const asked = new Promise((resolve) => {
    void page.route(local, async (route) => {
      resolve();
      await answered;
      await route.abort();
    });
  });
  await button(page, "Test").click();
  await asked;
  await page.getByLabel("Node address").fill("http://127.0.0.1:18082");
  answer();
  await eventually(() => button(page, "Test").isEnabled(), true);
  await eventually(() => page.getByRole("dialog").getByText("The node cannot be reached").count(), 0);
  await page.unroute(local);
}

/** Presses the browser's back or forward button. */
const steps = (page, way) => page.evaluate((way) => history[way](), way);

/** Every kind of proof: made by one wallet, checked in the same or the other, and refused if one letter is changed. */
async function proofs({ txid, key, market, savings }) {
  const side = (name) => page.getByRole("radiogroup", { name: "Make or check" }).getByRole("radio", { name }).click();
  const kind = (name) =>
    page.getByRole("radiogroup", { name: "Kind of proof" }).getByRole("radio", { name, exact: true }).click();
  const made = (pattern) =>
    eventually(
      () => page.getByLabel("Proof", { exact: true }).and(page.locator("textarea[readonly]")).inputValue(),
      pattern,
    );
  const verdict = (text) => page.getByRole("status").getByText(text).first().waitFor();
  const check = () => button(page, "Check").click();
  const proofOf = {};

  // The recipient checks the sender's key, proves the receipt and a reserve, and signs.
  await go(page, "Proofs");
  // With the keyboard: skip the navigation, and move from one segment to the next.
  await button(page, "Skip to the content").press("Enter");
  await page.locator("main:focus").waitFor();
  await page.keyboard.press("Tab");
  await page.keyboard.press("ArrowRight");
  await page.getByRole("radio", { name: "Check", checked: true }).and(page.locator(":focus")).waitFor();
  await kind("Transaction key");
  await page.getByLabel("Transaction ID").fill(txid);
  await page.getByLabel("Address").fill(market);
  await page.getByRole("textbox", { name: "Transaction key" }).fill(key);
  await check();
  await verdict("0.000000000001 XMR");
  await shot(page, "proofs-check");
  await side("Make");
  await kind("Payment");
  await page.getByLabel("Transaction ID").fill(txid);
  // one of the two addresses that this transaction paid
  await page.getByLabel("Address that was paid").selectOption(market);
  const message = page.getByRole("textbox", { name: "Message" });
  await message.fill("for the tax office");
  await keeps(page, message, "get_tx_proof", () => button(page, "Make the proof").click());
  proofOf.payment = await made(/^InProofV2/);
  await shot(page, "proofs");
  await kind("Reserve");
  await page.getByRole("textbox", { name: "Message" }).fill("for the bank");
  await button(page, "Make the proof").click();
  proofOf.reserve = await made(/^ReserveProofV2/);
  await kind("Message");
  await page.getByLabel("Text to sign").fill("I sell apples.");
  await button(page, "Sign").click();
  proofOf.message = await made(/^SigV2/);
  await lock(page);

  // The sender proves the payment and the spend, and checks the recipient's proofs.
  await open(page, "Savings", password);
  await go(page, "Proofs");
  await kind("Spending");
  await page.getByLabel("Transaction ID").fill(txid);
  await button(page, "Make the proof").click();
  proofOf.spend = await made(/^SpendProofV1/);
  await side("Check");
  await kind("Spending");
  await page.getByLabel("Transaction ID").fill(txid);
  await page.getByLabel("Proof", { exact: true }).fill(proofOf.spend);
  await check();
  await verdict("made the transaction");
  await kind("Payment");
  await page.getByLabel("Transaction ID").fill(txid);
  await page.getByLabel("Address").fill(market);
  await page.getByRole("textbox", { name: "Message" }).fill("for the tax office");
  await page.getByLabel("Proof", { exact: true }).fill(proofOf.payment);
  await keeps(page, page.getByLabel("Address"), "check_tx_proof", check);
  await verdict(/^Valid$/);
  await page.getByRole("textbox", { name: "Message" }).fill("for somebody else");
  await check();
  await page.getByText("Not valid").waitFor();
  await kind("Reserve");
  await page.getByLabel("First address of the wallet").fill(market);
  await page.getByRole("textbox", { name: "Message" }).fill("for the bank");
  await page.getByLabel("Proof", { exact: true }).fill(proofOf.reserve);
  await check();
  await verdict("1.250000000001 XMR");
  await kind("Message");
  await page.getByLabel("Address").fill(market);
  await page.getByLabel("Text").fill("I sell apples.");
  await page.getByLabel("Signature").fill(proofOf.message);
  await check();
  await verdict(/^Valid$/);
  await page.getByLabel("Address").fill(savings);
  await check();
  await page.getByText("Not valid").waitFor();
}

/** Reads the QR code on the page as a camera would. */
async function readQR(page) {
  const small = page.viewportSize();
  await page.setViewportSize({ width: 1280, height: 1400 }); // so that no bar covers it
  const picture = await page.locator("figure.qr").screenshot();
  await page.setViewportSize(small);
  const { url, width, height } = await page.evaluate(async (base64) => {
    const bytes = Uint8Array.from(atob(base64), (c) => c.charCodeAt(0));
    const bitmap = await createImageBitmap(new Blob([bytes], { type: "image/png" }));
    const canvas = new OffscreenCanvas(bitmap.width, bitmap.height);
    const c = canvas.getContext("2d");
    c.drawImage(bitmap, 0, 0);
    const { data, width, height } = c.getImageData(0, 0, bitmap.width, bitmap.height);
    // As text: an array of millions of numbers takes seconds to hand over.
    const reader = new FileReader();
    const read = new Promise((resolve) => reader.addEventListener("load", resolve));
    reader.readAsDataURL(new Blob([data]));
    await read;
    return { url: reader.result, width, height };
  }, picture.toString("base64"));
  const data = Buffer.from(url.slice(url.indexOf(",") + 1), "base64");
  return decodeQR({ data: new Uint8ClampedArray(data), width, height });
}

function atomic(text) {
  const [whole, rest = ""] = text.replace(/[^\d.]/g, "").split(".");
  return BigInt(whole) * 10n ** 12n + BigInt(rest.padEnd(12, "0"));
}
