// What the stories share: the built app behind a server, a browser, pictures of pages, and judging them.
import { mkdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import assert from "node:assert/strict";
import { chromium } from "playwright-core";
import { serve } from "./serve.mjs";

const here = new URL(".", import.meta.url).pathname;
const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
/** Where pictures go. */
export const pictures = process.env.GLIM_SCREENSHOTS ?? join(here, "../../../bin/screenshots");

/** A step waits this long for the page: machines may be busy. */
export const patience = Number(process.env.GLIM_PATIENCE ?? 180_000);

const phone = { width: 390, height: 844 };
const desktop = { width: 1280, height: 900 };

/** Starts a browser with the app open in a page. camera is a file of video that plays the camera's part. */
export async function start({ camera = join(tmpdir(), "glim-no-camera.y4m") } = {}) {
  mkdirSync(pictures, { recursive: true });
  const site = await serve(join(here, "../dist"));
  const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
    timeout: patience,
    args: [
      "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync",
      "--use-fake-ui-for-media-stream", "--use-fake-device-for-media-stream", `--use-file-for-fake-video-capture=${camera}`,
    ],
  });
  const troubles = [];
  /** Opens the app as on a device of its own. */
  const visit = async () => {
    const context = await browser.newContext({ viewport: phone, colorScheme: "light", permissions: ["clipboard-read", "clipboard-write", "camera"], acceptDownloads: true });
    context.setDefaultTimeout(patience);
    const page = await context.newPage();
    page.on("pageerror", (e) => troubles.push(`error: ${e.message}`));
    page.on("console", (m) => {
      // The node of the first settings is not there: that is for the page to say, and it does.
      if (m.type() === "error" && !m.location().url.startsWith("http://127.0.0.1:18081")) troubles.push(`console: ${m.text()}`);
    });
    // It asks this origin and the node of its user, which is on this machine here, and nobody else.
    context.on("request", (r) => {
      const { protocol, hostname } = new URL(r.url());
      if (/^https?:/.test(protocol) && hostname !== "127.0.0.1") troubles.push(`request: ${r.url()}`);
    });
    await page.goto(site.url);
    return page;
  };
  const end = async () => {
    await browser.close();
    return site.close();
  };
  return { page: await visit(), visit, troubles, end };
}

/** Takes a picture of a page at both widths, of the phone's in the dark, too, when asked, and judges it: nothing wider than the screen, no known barrier. */
export async function shot(page, name, { dark = false } = {}) {
  await page.evaluate(() => {
    scrollTo(0, 0);
    return document.fonts.ready.then(() => undefined);
  });
  for (const [width, size] of [["phone", phone], ["desktop", desktop]]) {
    await page.setViewportSize(size);
    for (const scheme of dark && width === "phone" ? ["dark", "light"] : ["light"]) {
      await page.emulateMedia({ colorScheme: scheme, reducedMotion: "reduce" });
      // As high as the page is, so that what is fixed at its end is at its end.
      const height = await page.evaluate(() => document.documentElement.scrollHeight);
      await page.setViewportSize({ width: size.width, height: Math.max(size.height, height) });
      await page.screenshot({ path: join(pictures, `${name}-${width}${scheme === "dark" ? "-dark" : ""}.png`) });
      if (width === "phone") await barriers(page, `${name} ${width} ${scheme}`);
    }
    const wide = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
    assert.ok(wide <= 0, `${name} is wider than the ${width}`);
  }
  await page.setViewportSize(phone);
}

/** Fails for what axe knows to be a barrier, of the rules of WCAG 2.1 AA. */
async function barriers(page, name) {
  if (!(await page.evaluate(() => "axe" in globalThis))) await page.evaluate(axe);
  const found = await page.evaluate(() =>
    globalThis.axe.run(document, { runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa"], resultTypes: ["violations"] }).then((r) =>
      r.violations.map((v) => `${v.id}: ${v.help}: ${v.nodes.map((n) => `${n.html.slice(0, 160)} ${(n.failureSummary ?? "").split("\n")[1]}`).join(" | ")}`),
    ),
  );
  assert.deepEqual(found, [], `barriers on ${name}`);
}

/** What a click saves as a file. */
export async function saved(page, click) {
  const [download] = await Promise.all([page.waitForEvent("download"), click()]);
  return readFileSync(await download.path());
}

/** Chooses a file in the dialog a click opens. */
export async function choose(page, click, name, buffer) {
  const [chooser] = await Promise.all([page.waitForEvent("filechooser"), click()]);
  await chooser.setFiles({ name, mimeType: "application/octet-stream", buffer });
}

/** Runs a story; when it fails, leaves a picture of where it was. */
export async function story(page, name, tell) {
  try {
    await tell();
  } catch (e) {
    await page.screenshot({ path: join(pictures, `failed-${name}.png`), fullPage: true }).catch(() => undefined);
    throw e;
  }
}
