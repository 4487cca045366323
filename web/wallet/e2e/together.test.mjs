// Wallets that work together: view-only and cold, and two multisig signers. All are on the private chain in the page.
import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { UR_TYPES, UREncoder } from "glim";
import * as frames from "../dist-test/frames.mjs";
import { film } from "./camera.mjs";
import { choose, saved, shot, start, scenario } from "./browser.mjs";
import {
  address,
  another,
  button,
  copied,
  create,
  fact,
  go,
  lock,
  login,
  mine,
  nodeSettings,
  open,
  privateChain,
  sendNow,
  shownWords,
} from "./acts.mjs";
import { eventually } from "./eventually.mjs";
import { hold, keeps } from "./hold.mjs";

const password = "correct horse battery staple";
let app, page, folder, camera;
before(async () => {
  folder = mkdtempSync(join(tmpdir(), "glim-camera-"));
  camera = join(folder, "camera.y4m");
  app = await start({ camera });
  ({ page } = app);
  await privateChain(page);
});
after(async () => {
  await app?.end();
  rmSync(folder, { recursive: true, force: true });
});

test("a view-only wallet pays together with a cold wallet", () => scenario(page, "cold", cold));
test("two multisig signers set up a wallet, receive and pay", () => scenario(page, "multisig", multisig));

const part = (page, name) => page.locator("section", { has: page.getByRole("heading", { name, exact: true }) });
const note = (page, text) => page.locator(".notice", { hasText: text }).first().waitFor();

async function cold() {
  const words = await create(page, "Vault", password);
  const vault = await address(page);
  await mine(page, 80);

  // The seed and the keys are shown only after the password, and disappear with the dialog.
  await go(page, "Settings");
  await shot(page, "settings", { dark: true });
  await button(page, "Show: Seed and keys").click();
  await page.getByLabel("Wallet password").fill("not this one");
  await page.getByRole("dialog").getByRole("button", { name: "Show", exact: true }).click();
  await page.getByText("Wrong password").waitFor();
  await page.getByLabel("Wallet password").fill(password);
  await page.getByRole("dialog").getByRole("button", { name: "Show", exact: true }).click();
  // The password shows that there are secrets; each of them stays hidden until the user asks for it.
  await fact(page, "Secret spend key").getByText("\u2022".repeat(12)).waitFor();
  assert.ok(!/[0-9a-f]{64}/.test(await page.content()), "a key is in the page");
  await shot(page, "secrets-hidden", { dark: true });
  await button(page, "Show the words").click();
  const shown = async () => (await shownWords(page)).join(" ");
  await eventually(shown, words);
  await button(page, "Show: View key").click();
  const view = await eventually(
    async () => (await fact(page, "Secret view key").locator(".mono").innerText()).trim(),
    /^[0-9a-f]{64}$/,
  );
  await fact(page, "Secret spend key").getByText("\u2022".repeat(12)).waitFor();
  await page.getByText("Encrypt the words with a passphrase").click();
  const passphrase = page.getByLabel("Passphrase for the words");
  await passphrase.fill("under the lime tree");
  await keeps(page, passphrase, "query_key", () => button(page, "Show encrypted words").click());
  await page.getByText("The words above need the passphrase").waitFor();
  await button(page, "Show the words").click();
  const hidden = await shown();
  assert.notEqual(hidden, words);
  await button(page, "Hide the words").click();
  await shot(page, "secrets");
  await page.keyboard.press("Escape");
  await eventually(async () => (await page.content()).includes(view), false, "the key is still in the page");
  await lock(page);

  await another(page, "Restore a wallet");
  await shot(page, "restore");
  await page.getByRole("radio", { name: "Keys" }).click();
  await page.getByLabel("First address of the wallet").fill(vault);
  await page.getByLabel("Secret view key").fill(view);
  await page.getByLabel("When was the wallet created?").fill("0");
  await login(page, "Window", password);
  await shot(page, "restore-keys");
  await button(page, "Restore wallet").click();
  await page.getByText("View-only", { exact: true }).waitFor();
  await page.getByText(/In sync at block 81/).waitFor();
  await page.getByText("Outgoing payments are unknown").waitFor();
  await page.getByText("at most", { exact: true }).waitFor();
  assert.equal(await page.getByText(/can be spent now/).count(), 0);
  await shot(page, "home-view-only", { dark: true });
  await go(page, "Send");
  await page.getByText("Received, spent or not").waitFor();
  await page.getByText(/of it may already be spent/).waitFor();
  assert.equal(await page.getByText(/can be spent now/i).count(), 0);
  await shot(page, "send-view-only");

  await go(page, "Cold signing");
  await button(page, "Export outputs").click();
  // The outputs are transferred as QR codes: one page shows them to the camera of the other.
  await button(page, "Show as QR code").click();
  await page.getByText(/Code \d+ of \d+/).waitFor();
  await shot(page, "cold-qr");
  const total = async () => Number(/of (\d+)/.exec(await page.getByText(/Code \d+ of \d+/).innerText())[1]);
  const urs = await total();
  await page.getByRole("radio", { name: "Older glim" }).click();
  await page.getByText("Only glim can read these.").waitFor();
  await eventually(total, (older) => assert.ok(older < urs, `${older} codes instead of ${urs}`));
  await page.getByRole("radio", { name: "Feather, Keystone, glim" }).click();
  await page.getByText("Wallets that scan UR codes can read these").waitFor();
  await page.keyboard.press("Escape");
  const outputs = await saved(page, () =>
    part(page, "Export the outputs").getByRole("button", { name: "Save file" }).click(),
  );
  // Others show them in the same form, here in large codes. The camera misses some of them.
  const dense = new UREncoder(UR_TYPES.outputs, new Uint8Array(outputs), 700);
  assert.ok(dense.count > 3);
  const large = Array.from({ length: 3 * dense.count }, (_, i) => dense.code(i)).filter((_, i) => i % 7 !== 3);
  await shot(page, "cold-watching");
  await lock(page);

  // The cold wallet has no node and knows nothing of the chain.
  const signer = await app.visit();
  await nodeSettings(signer);
  await signer.getByRole("radio", { name: "None" }).click();
  await signer.getByLabel("Network").selectOption("regtest");
  await button(signer, "Save").click();
  await button(signer, /^No node/).waitFor();
  await another(signer, "Restore a wallet");
  await signer.getByRole("textbox", { name: "Seed words" }).fill(hidden);
  await signer.getByText("The seed has a passphrase").click();
  await signer.getByLabel("Seed passphrase").fill("under the lime tree");
  await login(signer, "Vault", password);
  await button(signer, "Restore wallet").click();
  await signer.getByText("Balance", { exact: true }).waitFor();
  await go(signer, "Cold signing");
  await film(signer, camera, large);
  await part(signer, "Import the outputs").getByRole("button", { name: "Scan QR code" }).click();
  await note(signer, "80 outputs imported");
  await button(signer, "Export key images").click();
  const images = await saved(signer, () =>
    part(signer, "Export the key images").getByRole("button", { name: "Save file" }).click(),
  );

  await open(page, "Window", password);
  await go(page, "Cold signing");
  const codes = frames.allOf(frames.codesOf("ur", "K", new Uint8Array(images)));
  assert.ok(codes.length > 10);
  await film(
    page,
    camera,
    codes.filter((_, i) => i % 7 !== 3),
  );
  await part(page, "Import the key images").getByRole("button", { name: "Scan QR code" }).click();
  await note(page, "Key images imported");
  await go(page, "Home");
  await page.getByText(/can be spent now/).waitFor();
  await eventually(() => page.getByText("Outgoing payments are unknown").count(), 0);
  await go(page, "Cold signing");
  await button(page, "Prepare a payment").click();
  await page.getByLabel("To", { exact: true }).fill(vault);
  await page.getByLabel("Amount").fill("2.5");
  await button(page, "Review").click();
  await page.getByRole("heading", { name: "Sign it on the device with the spend key" }).waitFor();
  await shot(page, "send-unsigned");
  const unsigned = await saved(page, () => button(page, "Save file").click());
  await button(page, "I have the signed transaction").click();

  await choose(
    signer,
    () => part(signer, "Sign").getByRole("button", { name: "Open file" }).click(),
    "wrong",
    Buffer.from("this is no transaction"),
  );
  await signer.locator(".notice.bad").waitFor();
  await choose(
    signer,
    () => part(signer, "Sign").getByRole("button", { name: "Open file" }).click(),
    "unsigned",
    unsigned,
  );
  await signer.getByText("Leaves the wallet").waitFor();
  await shot(signer, "cold-signing");
  await signing(signer, "Sign", "sign_transfer");
  await note(signer, "Signed");
  const signed = await saved(signer, () => part(signer, "Sign").getByRole("button", { name: "Save file" }).click());
  await signer.context().close();

  await choose(
    page,
    () => part(page, "Send the signed payment").getByRole("button", { name: "Open file" }).click(),
    "signed",
    signed,
  );
  await note(page, "Sent");
  await lock(page);
  assert.deepEqual(app.troubles, []);
}

async function multisig() {
  const names = ["Anna", "Bert"];
  const messages = {};
  for (const name of names) {
    await create(page, name, password);
    await go(page, "Multisig");
    await button(page, "Make this wallet multisig").click();
    messages[name] = await message(part(page, "Your message"));
    if (name === "Anna") await shot(page, "multisig-setup");
    await lock(page);
  }
  // Two equal rounds: import the other's message, export your own, until there is an address.
  const addresses = {};
  for (let round = 0; Object.keys(addresses).length < 2; round++) {
    assert.ok(round < 4);
    const next = {};
    for (const [name, other] of [names, [...names].reverse()]) {
      await open(page, name, password);
      await go(page, "Multisig");
      if (round === 0) {
        await button(page, "Make this wallet multisig").click();
        await page.getByLabel("Number of signers").selectOption("2");
      }
      await part(page, "Your message").getByRole("button", { name: "Copy" }).waitFor();
      await paste(part(page, "Messages from the other signers"), messages[other]);
      await page.getByLabel("Wallet password").fill(password);
      await button(page, round === 0 ? "Continue" : "Next round").click();
      const joined = page.getByText("The multisig wallet is ready");
      await joined.or(page.getByText("Your next message is ready")).first().waitFor();
      if (await joined.isVisible()) {
        addresses[name] = await address(page);
      } else {
        next[name] = await message(part(page, "Your message"));
      }
      await lock(page);
    }
    Object.assign(messages, next);
  }
  assert.equal(addresses.Anna, addresses.Bert);

  await open(page, "Anna", password);
  await mine(page, 80);
  await lock(page);
  const infos = {};
  for (const name of names) {
    await open(page, name, password);
    await page.getByText(/In sync at block 161/).waitFor();
    await go(page, "Multisig");
    await button(page, "Create my message").click();
    infos[name] = await message(part(page, "Before a payment"));
    await lock(page);
  }
  for (const [name, other] of [names, [...names].reverse()]) {
    await open(page, name, password);
    await go(page, "Multisig");
    await paste(part(page, "Before a payment"), infos[other]);
    await button(page, "Import messages").click();
    await page.getByText(/outputs? can be spent now/).waitFor();
    if (name === "Bert") await shot(page, "multisig");
    await lock(page);
  }

  await open(page, "Anna", password);
  await go(page, "Send");
  await page.getByLabel("To", { exact: true }).fill(addresses.Anna);
  await page.getByLabel("Amount").fill("0.75");
  await button(page, "Review").click();
  await page.getByRole("heading", { name: "Pass it to the next signer" }).waitFor();
  const set = await saved(page, () => button(page, "Save file").click());
  await lock(page);

  await open(page, "Bert", password);
  await go(page, "Multisig");
  await choose(page, () => part(page, "Sign a payment").getByRole("button", { name: "Open file" }).click(), "set", set);
  await page.getByText("Leaves the wallet").waitFor();
  await shot(page, "multisig-sign");
  await signing(page, "Sign a payment", "sign_multisig");
  await note(page, "All the signatures needed are there.");
  await sendNow(page).click();
  await note(page, "Sent");
  assert.deepEqual(app.troubles, []);
}

/** Signs, and checks that meanwhile no other payment can take the place of the one that is signed. */
async function signing(page, where, method) {
  const held = await hold(page, method);
  await part(page, where).getByRole("button", { name: "Sign", exact: true }).click();
  await held.asked();
  for (const name of ["Open file", "Scan QR code", "Don’t sign"])
    await eventually(
      () => part(page, where).getByRole("button", { name }).isEnabled(),
      false,
      `${name} during ${method}`,
    );
  await held.release();
}

/** Returns what the copy button in a part of the page copies. */
const message = (where) => copied(page, () => where.getByRole("button", { name: "Copy" }).click());

async function paste(where, text) {
  await where.getByRole("button", { name: "Paste" }).click();
  await where.getByLabel("Pasted text").fill(text);
  await where.getByRole("button", { name: "Add", exact: true }).click();
  await where.getByText("1 of 1", { exact: true }).waitFor();
}
