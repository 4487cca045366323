// Details of pages that are easily lost: focus and place of fields, old errors, backdrops, the node's state, the mark.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { another, button, create, lock, privateChain } from "./acts.mjs";
import { scenario, shot, start } from "./browser.mjs";
import { eventually } from "./eventually.mjs";

const password = "correct horse battery staple";
const desktop = { width: 1280, height: 900 };
let app, page;
before(async () => {
  app = await start({ scrollbars: true });
  ({ page } = app);
  await privateChain(page);
});
after(() => app?.end());

test("the icons show the mark of the page", () => scenario(page, "icons", icons));
test("fields keep their place and the focus when something is wrong", () => scenario(page, "fields", fields));
test("the node's state leads to its settings, and a dialog darkens all of the window", () =>
  scenario(page, "frame", frame));

const focused = (page) => page.evaluate(() => document.activeElement?.labels?.[0]?.textContent?.trim());

async function fields() {
  await another(page, "Create a wallet");
  await page.setViewportSize({ width: 768, height: 1024 });
  const [first, again] = [page.getByLabel("Password", { exact: true }), page.getByLabel("Confirm password")];
  await first.fill("one password");
  await again.fill("another one");
  await page.getByLabel("Wallet name").focus();
  await button(page, "Create wallet").click();
  await page.getByText("The passwords don’t match.").waitFor();
  await page.waitForFunction(() => document.activeElement?.getAttribute("aria-invalid") === "true");
  await eventually(() => focused(page), "Confirm password");
  const heights = () => Promise.all([first, again].map(async (field) => (await field.boundingBox()).y));
  await eventually(heights, ([a, b]) => assert.equal(a, b, "fields next to each other are at the same height"));
  await shot(page, "create-wrong", { dark: true });
  await button(page, "Back").click();

  await create(page, "Purse", password);
  await lock(page);
  await page.getByLabel("Password", { exact: true }).fill("not this one");
  await button(page, "Unlock").click();
  await page.getByText("Wrong password").waitFor();
  await page.waitForFunction(() => document.activeElement?.getAttribute("type") === "password");
  await eventually(() => focused(page), "Password");

  // A failure of the engine goes away when the form is found wrong afterwards.
  await another(page, "Restore a wallet");
  const seed = page.getByRole("textbox", { name: "Seed words" });
  await seed.fill(`${"abbey ".repeat(24)}zebra`);
  await page.getByLabel("Wallet name").fill("Again");
  await page.getByLabel("Password", { exact: true }).fill(password);
  await page.getByLabel("Confirm password").fill(password);
  await button(page, "Restore wallet").click();
  await page.getByText("The seed words are wrong").waitFor();
  await seed.fill("abbey abbey");
  await button(page, "Restore wallet").click();
  await page
    .getByText("A seed has 25, 24, 16 or 13 words, or 12 to 24 from a hardware wallet. You entered 2.")
    .waitFor();
  await eventually(() => page.getByText("The seed words are wrong").count(), 0, "no old error beside the new one");
  await button(page, "Back").click();
}

async function frame() {
  await page.getByLabel("Password", { exact: true }).fill(password);
  await button(page, "Unlock").click();
  await page.getByText("Balance", { exact: true }).waitFor();
  await page.setViewportSize(desktop);
  await button(page, /^Private chain ?: Connected/).click();
  await page.getByRole("heading", { name: "Settings" }).waitFor();
  await button(page, "Remove: Remove this wallet").scrollIntoViewIfNeeded();
  for (const colorScheme of ["light", "dark"]) {
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    await button(page, "Change: Password").click();
    await page.getByRole("dialog").waitFor();
    // The column next to a short page's edge belongs to the scroll bar that it does not have.
    await page.keyboard.press("Escape");
    await button(page, "Home").first().click();
    await page.getByText("Balance", { exact: true }).waitFor();
    await page.evaluate(() => document.querySelector("main").append(document.createElement("dialog")));
    await page.evaluate(() => document.querySelector("main > dialog").showModal());
    const colours = async () =>
      pixels(await page.screenshot(), [
        [desktop.width - 60, 30],
        [desktop.width - 2, 30],
      ]);
    await eventually(colours, ([middle, edge]) =>
      assert.ok(
        middle.every((v, i) => Math.abs(v - edge[i]) <= 2),
        `${colorScheme}: ${middle} next to ${edge}`,
      ),
    );
    await page.evaluate(() => document.querySelector("main > dialog").remove());
    await button(page, "Settings").first().click();
  }
}

/** Returns the colours of points in a picture. */
async function pixels(png, points) {
  const blank = await app.browser.newPage();
  const found = await blank.evaluate(
    async ([url, points]) => {
      const bitmap = await createImageBitmap(await (await fetch(url)).blob());
      const canvas = new OffscreenCanvas(bitmap.width, bitmap.height).getContext("2d");
      canvas.drawImage(bitmap, 0, 0);
      return points.map(([x, y]) => [...canvas.getImageData(x, y, 1, 1).data.slice(0, 3)]);
    },
    [`data:image/png;base64,${png.toString("base64")}`, points],
  );
  await blank.close();
  return found;
}

async function icons() {
  const manifest = await page.evaluate(async () =>
    (await fetch(document.querySelector("link[rel=manifest]").href)).json(),
  );
  assert.deepEqual(
    manifest.icons.map((i) => `${i.sizes} ${i.type} ${i.purpose ?? ""}`.trim()),
    ["any image/svg+xml", "192x192 image/png", "512x512 image/png", "512x512 image/png maskable"],
  );
  const extension = new URL("../../extension/", import.meta.url);
  const { mark } = await import("../mark.mjs");
  const svg = readFileSync(new URL("../public/mark.svg", import.meta.url), "utf8");
  const sized = (size) =>
    Buffer.from(svg.replace("<svg ", `<svg width="${size}" height="${size}" `)).toString("base64");
  const { iconSizes } = await import(new URL("manifest.mjs", extension));
  assert.deepEqual(iconSizes, [16, 32, 48, 128]);
  const blank = await app.browser.newPage();
  for (const size of [...iconSizes, 192, 512]) {
    const difference = await blank.evaluate(
      async ([svg, png, size]) => {
        const draw = async (url) => {
          const image = new Image();
          image.src = url;
          await image.decode();
          const canvas = new OffscreenCanvas(size, size).getContext("2d");
          canvas.drawImage(image, 0, 0, size, size);
          if (image.src === png && image.naturalWidth !== size) throw new Error(`${image.naturalWidth} pixels`);
          return canvas.getImageData(0, 0, size, size).data;
        };
        const [a, b] = [await draw(svg), await draw(png)];
        return a.reduce((sum, v, i) => sum + Math.abs(v - b[i]), 0) / a.length;
      },
      [
        `data:image/svg+xml;base64,${sized(size)}`,
        `data:image/png;base64,${Buffer.from(mark(size)).toString("base64")}`,
        size,
      ],
    );
    assert.ok(difference < 8, `${size} pixels: ${difference} of 255 from the mark`);
  }
  // The mark in the page is the same drawing.
  const drawn = await page.evaluate(() =>
    [...document.querySelector(".brand svg").children].map((e) => e.getAttribute("d") ?? e.getAttribute("fill")),
  );
  for (const part of drawn) assert.ok(svg.includes(part), part);
  await blank.close();
}
