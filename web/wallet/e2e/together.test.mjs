// Wallets that need each other: one that watches with one that signs, and two signers of a group. All on the private chain in the page.
import assert from "node:assert/strict";
import { once } from "node:events";
import { createWriteStream, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { encode } from "uqr";
import * as frames from "../dist-test/frames.mjs";
import { choose, saved, shot, start, story } from "./browser.mjs";
import { another, address, button, create, fact, go, lock, login, mine, open } from "./acts.mjs";

const password = "correct horse battery staple";
let app, page, folder;
before(async () => {
  folder = mkdtempSync(join(tmpdir(), "glim-camera-"));
  app = await start({ camera: join(folder, "camera.y4m") });
  ({ page } = app);
  await button(page, /Try it on a private chain/).click();
  await page.getByText("Private chain: the money here").waitFor();
});
after(async () => {
  await app?.end();
  rmSync(folder, { recursive: true, force: true });
});

test("a wallet that watches pays with one that signs", () => story(page, "cold", cold));
test("two signers set up a wallet, are paid, and pay", () => story(page, "multisig", multisig));

const part = (page, name) => page.locator("section", { has: page.getByRole("heading", { name, exact: true }) });
const note = (page, text) => page.locator(".notice", { hasText: text }).first().waitFor();

async function cold() {
  const words = await create(page, "Vault", password);
  const vault = await address(page);
  await mine(page, 80);

  // The seed and the keys are shown behind the password, and gone when the dialog is.
  await go(page, "Settings");
  await shot(page, "settings", { dark: true });
  await button(page, "Show: Seed and keys").click();
  await page.getByLabel("Password of this wallet").fill("not this one");
  await page.getByRole("dialog").getByRole("button", { name: "Show", exact: true }).click();
  await page.getByText("Wrong password").waitFor();
  await page.getByLabel("Password of this wallet").fill(password);
  await page.getByRole("dialog").getByRole("button", { name: "Show", exact: true }).click();
  await button(page, "Show the words").click();
  const shown = async () => (await page.locator("ol.words li").allInnerTexts()).map((t) => t.replace(/^\d+\s*/, "").trim()).join(" ");
  assert.equal(await shown(), words);
  const view = (await fact(page, "Secret view key").locator(".mono").innerText()).trim();
  assert.match(view, /^[0-9a-f]{64}$/);
  await page.getByText("Words with a passphrase").click();
  await page.getByLabel("Passphrase over the words").fill("under the lime tree");
  await button(page, "Make these words").click();
  await page.getByText("The words above need the passphrase").waitFor();
  await button(page, "Show the words").click();
  const hidden = await shown();
  assert.notEqual(hidden, words);
  await button(page, "Hide the words").click();
  await shot(page, "secrets");
  await page.keyboard.press("Escape");
  assert.ok(!(await page.content()).includes(view));
  await lock(page);

  await another(page, "Restore a wallet");
  await shot(page, "restore");
  await page.getByRole("radio", { name: "Keys" }).click();
  await page.getByLabel("First address of the wallet").fill(vault);
  await page.getByLabel("Secret view key").fill(view);
  await page.getByLabel("When was it made?").fill("0");
  await login(page, "Window", password);
  await shot(page, "restore-keys");
  await button(page, "Restore wallet").click();
  await page.getByText("Watch only", { exact: true }).waitFor();
  await page.getByText(/Up to date at block 81/).waitFor();

  await go(page, "Cold signing");
  await button(page, "Export outputs").click();
  // The outputs travel as QR codes: what the screen shows is what the camera of the other sees.
  await button(page, "Show as QR").click();
  await page.getByText(/Code \d+ of \d+/).waitFor();
  await shot(page, "cold-qr");
  await page.keyboard.press("Escape");
  const outputs = await saved(page, () => part(page, "Export the outputs").getByRole("button", { name: "Save file" }).click());
  await film(join(folder, "camera.y4m"), "O", outputs);
  await shot(page, "cold-watching");
  await lock(page);

  // The machine that signs has no node and knows nothing of the chain.
  const signer = await app.visit();
  await button(signer, /127\.0\.0\.1:18081/).click();
  await signer.getByRole("radio", { name: "None" }).click();
  await signer.getByLabel("Network").selectOption("regtest");
  await button(signer, "Use this").click();
  await button(signer, /^No node/).waitFor();
  await another(signer, "Restore a wallet");
  await signer.getByRole("textbox", { name: "Seed words" }).fill(hidden);
  await signer.getByText("The seed has a passphrase").click();
  await signer.getByLabel("Passphrase over the seed").fill("under the lime tree");
  await login(signer, "Vault", password);
  await button(signer, "Restore wallet").click();
  await signer.getByText("Balance", { exact: true }).waitFor();
  await go(signer, "Cold signing");
  await part(signer, "Import the outputs").getByRole("button", { name: "Scan QR" }).click();
  await note(signer, "80 outputs taken");
  await button(signer, "Export key images").click();
  const images = await saved(signer, () => part(signer, "Export the key images").getByRole("button", { name: "Save file" }).click());

  await open(page, "Window", password);
  await go(page, "Cold signing");
  await choose(page, () => part(page, "Import the key images").getByRole("button", { name: "Open file" }).click(), "images.json", images);
  await note(page, "Key images taken");
  await button(page, "Prepare a payment").click();
  await page.getByLabel("To", { exact: true }).fill(vault);
  await page.getByLabel("Amount").fill("2.5");
  await button(page, "Review").click();
  await page.getByRole("heading", { name: "Sign it where the spend key is" }).waitFor();
  await shot(page, "send-unsigned");
  const unsigned = await saved(page, () => button(page, "Save file").click());
  await button(page, "I have the signed transaction").click();

  await choose(signer, () => part(signer, "Sign").getByRole("button", { name: "Open file" }).click(), "wrong", Buffer.from("this is no transaction"));
  await signer.locator(".notice.bad").waitFor();
  await choose(signer, () => part(signer, "Sign").getByRole("button", { name: "Open file" }).click(), "unsigned", unsigned);
  await signer.getByText("Leaves the wallet").waitFor();
  await shot(signer, "cold-signing");
  await part(signer, "Sign").getByRole("button", { name: "Sign", exact: true }).click();
  await note(signer, "Signed");
  const signed = await saved(signer, () => part(signer, "Sign").getByRole("button", { name: "Save file" }).click());
  await signer.context().close();

  await choose(page, () => part(page, "Send what was signed").getByRole("button", { name: "Open file" }).click(), "signed", signed);
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
    messages[name] = await copied(part(page, "Your message"));
    if (name === "Anna") await shot(page, "multisig-setup");
    await lock(page);
  }
  // Two rounds, each the same: the other's message in, one's own out, until there is an address.
  const addresses = {};
  for (let round = 0; Object.keys(addresses).length < 2; round++) {
    assert.ok(round < 4);
    const next = {};
    for (const [name, other] of [names, [...names].reverse()]) {
      await open(page, name, password);
      await go(page, "Multisig");
      if (round === 0) {
        await button(page, "Make this wallet multisig").click();
        await page.getByLabel("Signers in all").selectOption("2");
      }
      await part(page, "Your message").getByRole("button", { name: "Copy" }).waitFor();
      await paste(part(page, "The others' messages"), messages[other]);
      await page.getByLabel("Password of this wallet").fill(password);
      await button(page, round === 0 ? "Join them" : "Next round").click();
      const joined = page.getByText("All signers are joined");
      await joined.or(page.getByText("The next message is ready")).first().waitFor();
      if (await joined.isVisible()) {
        addresses[name] = await address(page);
      } else {
        next[name] = await copied(part(page, "Your message"));
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
    await page.getByText(/Up to date at block 161/).waitFor();
    await go(page, "Multisig");
    await button(page, "Make my message").click();
    infos[name] = await copied(part(page, "Before a payment"));
    await lock(page);
  }
  for (const [name, other] of [names, [...names].reverse()]) {
    await open(page, name, password);
    await go(page, "Multisig");
    await paste(part(page, "Before a payment"), infos[other]);
    await button(page, "Take them in").click();
    await page.getByText(/can be spent together now/).waitFor();
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
  await part(page, "Sign a payment").getByRole("button", { name: "Sign", exact: true }).click();
  await note(page, "Enough have signed.");
  await button(page, "Send now").click();
  await note(page, "Sent");
  assert.deepEqual(app.troubles, []);
}

/** What the copy button of a part of the page copies. */
async function copied(where) {
  await where.getByRole("button", { name: "Copy" }).click();
  return page.evaluate(() => navigator.clipboard.readText());
}

async function paste(where, text) {
  await where.getByRole("button", { name: "Paste" }).click();
  await where.getByLabel("Pasted text").fill(text);
  await where.getByRole("button", { name: "Take it" }).click();
  await where.getByText("1 of 1", { exact: true }).waitFor();
}

/** Films the animated QR codes of some data, as a camera's raw video: three pictures a code. */
async function film(path, kind, bytes) {
  const texts = frames.encode(kind, new Uint8Array(bytes));
  const [width, height] = [640, 640];
  const out = createWriteStream(path);
  out.write(`YUV4MPEG2 W${width} H${height} F10:1 Ip A1:1 C420jpeg\n`);
  const grey = Buffer.alloc((width * height) / 2, 128);
  for (const text of texts) {
    const code = encode(text, { ecc: "M", border: 4 });
    const scale = Math.floor(width / code.size);
    const light = Buffer.alloc(width * height, 255);
    for (const [y, line] of code.data.entries()) {
      for (const [x, dark] of line.entries()) {
        if (dark) for (let k = 0; k < scale; k++) light.fill(0, (y * scale + k) * width + x * scale, (y * scale + k) * width + (x + 1) * scale);
      }
    }
    for (let k = 0; k < 3; k++) {
      out.write("FRAME\n");
      out.write(light);
      out.write(grey);
    }
  }
  out.end();
  await once(out, "finish");
}
