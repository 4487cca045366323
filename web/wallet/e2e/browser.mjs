// Shared by the tests: the built app on a server, a browser, and screenshots with accessibility checks.
import { mkdirSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromium } from "playwright-core";
import { barriers, tooWide, wcag } from "./barriers.mjs";
import { eventually, patience } from "./eventually.mjs";
import { holdable } from "./hold.mjs";
import { serve } from "./serve.mjs";

const here = new URL(".", import.meta.url).pathname;
/** Folder of the screenshots; undefined if none are wanted, since drawing and writing them takes time. */
const pictures = process.env.GLIM_SCREENSHOTS;
/** Folder of the screenshots of tests that fail. */
const failures = pictures ?? join(here, "../../../bin/screenshots");

const phone = { width: 400, height: 844 };
const screens = { small: { width: 360, height: 640 }, phone, tablet: { width: 768, height: 1024 } };
const desktop = { width: 1280, height: 900 };

/** Whether the tests run in Firefox: "make firefox". Otherwise they run in Chromium. */
export const inFirefox = process.env.GLIM_BROWSER === "firefox";

/** The hash of an empty style, with which the test tool waits for the animations of a page in Firefox. */
const toolStyle = "sha256-YjaKGiklmzC6wjXA513HAMmzus8VE61XCOT+SmwNZWA=";

/** A list with a node that does not exist here. */
const unusable = { mainnet: [{ address: "http://127.0.0.1:18081" }] };

const launchChromium = (camera, scrollbars) =>
  chromium.launch({
    executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
    timeout: patience,
    ...(scrollbars && { ignoreDefaultArgs: ["--hide-scrollbars"] }),
    args: [
      "--no-sandbox",
      "--disable-gpu",
      "--disable-quic",
      "--no-first-run",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
      "--use-fake-ui-for-media-stream",
      "--use-fake-device-for-media-stream",
      `--use-file-for-fake-video-capture=${camera}`,
    ],
  });

// Firefox's own protocol, WebDriver BiDi. Later releases of this package need a newer Firefox than Debian's. It is
// loaded for Firefox only, because that takes a second.
const launchFirefox = async () => {
  const { firefox } = await import("playwright-firefox");
  return firefox.launch({
    channel: "moz-firefox",
    executablePath: process.env.FIREFOX ?? "/usr/bin/firefox-esr",
    timeout: patience,
    firefoxUserPrefs: {
      // Pages may use the clipboard and the camera without asking a person.
      "dom.events.testing.asyncClipboard": true,
      "media.navigator.permission.disabled": true,
      "media.navigator.streams.fake": true,
      // The list of downloads would take the focus from the page.
      "browser.download.alwaysOpenPanel": false,
    },
  });
};

/**
 * Starts a browser with the app in a page. camera is a video file that replaces the camera; with scrollbars, they take
 * space as on a desktop. nodes is the list of public nodes, and rates that of the sources of exchange rates.
 */
export async function start({
  nodes = unusable,
  rates,
  camera = join(tmpdir(), "glim-no-camera.y4m"),
  scrollbars = false,
} = {}) {
  const site = await serve(join(here, "../dist"), 0, {
    "/nodes.json": JSON.stringify(nodes),
    ...(rates && { "/rates.json": JSON.stringify(rates) }),
  });
  const browser = await (inFirefox ? launchFirefox() : launchChromium(camera, scrollbars));
  const troubles = [];
  /** Opens the app in a new browser context, as on another device. */
  const visit = async () => {
    const context = await browser.newContext({
      viewport: phone,
      colorScheme: "light",
      ...(!inFirefox && { permissions: ["clipboard-read", "clipboard-write", "camera"] }),
      acceptDownloads: true,
    });
    context.setDefaultTimeout(patience);
    // Reading QR codes is tested with the library, which most browsers on desktops need.
    await context.addInitScript(() => delete globalThis.BarcodeDetector);
    await context.addInitScript(holdable);
    if (inFirefox) await context.addInitScript(keepSaved);
    const page = await context.newPage();
    // Firefox reports the style of the test tool on the console, as an error of the page, or both.
    const ofTool = (text) => inFirefox && text.includes(toolStyle);
    // The default node does not exist here: the page reports that itself. Firefox reports it as an error of the page.
    const noNode = "http://127.0.0.1:18081";
    page.on("pageerror", (e) => {
      if (!ofTool(e.message) && !(inFirefox && e.message.includes(`remote resource at ${noNode}/`)))
        troubles.push(`error: ${e.message}`);
    });
    page.on("console", (m) => {
      if (ofTool(m.text())) return;
      if (m.type() === "error" && !m.location().url.startsWith(noNode)) troubles.push(`console: ${m.text()}`);
    });
    // The app may send requests only to its own origin and to the user's node, which is on this machine.
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
  return { page: await visit(), visit, troubles, end, browser };
}

/** Takes a screenshot of what is in the window, if screenshots are wanted. */
export async function picture(page, name) {
  if (!pictures) return;
  mkdirSync(pictures, { recursive: true });
  await page.screenshot({ path: join(pictures, `${name}.png`) });
}

/**
 * Checks a page at four sizes, and with dark also in the dark theme: nothing may be wider than the screen, and axe must
 * find nothing. Takes screenshots of all of them if they are wanted.
 */
export async function shot(page, name, { dark = false } = {}) {
  await page.evaluate(() => {
    scrollTo(0, 0);
    return document.fonts.ready.then(() => undefined);
  });
  for (const [width, size] of Object.entries({ ...screens, desktop })) {
    await page.setViewportSize(size);
    const judged = width === "phone" && !inFirefox;
    for (const scheme of judged || pictures ? (dark ? ["dark", "light"] : ["light"]) : []) {
      await page.emulateMedia({ colorScheme: scheme, reducedMotion: "reduce" });
      // Make the window as tall as the page, so that a fixed bar is at its end.
      const height = await page.evaluate(() => document.documentElement.scrollHeight);
      await page.setViewportSize({ width: size.width, height: Math.max(size.height, height) });
      await picture(page, `${name}-${width}${scheme === "dark" ? "-dark" : ""}`);
      if (judged) await barriers(page, `${name} ${width} ${scheme}`, wcag);
    }
    await eventually(() => tooWide(page), 0, `${name} is wider than the ${width}`);
  }
  await page.setViewportSize(phone);
}

/** Keeps the file that the page saves last, because the protocol does not report downloads of Firefox. */
const keepSaved = () => {
  const blobs = new Map();
  const create = URL.createObjectURL.bind(URL);
  URL.createObjectURL = (blob) => {
    const url = create(blob);
    blobs.set(url, blob);
    return url;
  };
  HTMLAnchorElement.prototype.click = function () {
    if (this.download) window.glimSaved = { name: this.download, blob: blobs.get(this.href) };
    HTMLElement.prototype.click.call(this);
  };
};

/** Returns the name and the bytes of the file that a click saves. */
export async function savedFile(page, click) {
  if (!inFirefox) {
    const [download] = await Promise.all([page.waitForEvent("download"), click()]);
    return { name: download.suggestedFilename(), bytes: readFileSync(await download.path()) };
  }
  await page.evaluate(() => {
    window.glimSaved = undefined;
  });
  await click();
  await page.waitForFunction(() => window.glimSaved);
  const { name, bytes } = await page.evaluate(async () => {
    const { name, blob } = window.glimSaved;
    return { name, bytes: [...new Uint8Array(await blob.arrayBuffer())] };
  });
  return { name, bytes: Buffer.from(bytes) };
}

/** Returns the bytes of the file that a click saves. */
export const saved = async (page, click) => (await savedFile(page, click)).bytes;

/** Chooses a file in the dialog that a click opens. */
export async function choose(page, click, name, buffer) {
  const [chooser] = await Promise.all([page.waitForEvent("filechooser"), click()]);
  await chooser.setFiles({ name, mimeType: "application/octet-stream", buffer });
}

/** Runs a scenario; if it fails, it leaves a screenshot. */
export async function scenario(page, name, tell) {
  try {
    await tell();
  } catch (e) {
    mkdirSync(failures, { recursive: true });
    await page.screenshot({ path: join(failures, `failed-${name}.png`), fullPage: true }).catch(() => undefined);
    throw e;
  }
}
