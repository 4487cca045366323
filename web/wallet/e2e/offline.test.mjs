// The service worker: the app starts without a network, and a newer version waits until the user agrees.
import assert from "node:assert/strict";
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { farewell, serviceWorker } from "../offline.mjs";
import { scenario, shot, start } from "./browser.mjs";
import { eventually } from "./eventually.mjs";
import { address, button, create, go, open } from "./acts.mjs";
import { serve } from "./serve.mjs";

const password = "correct horse battery staple";
const folder = mkdtempSync(join(tmpdir(), "glim-offline-"));
let app, page, site;
before(async () => {
  // The pages of this test have no node, and ask none.
  cpSync(join(import.meta.dirname, "../dist"), folder, { recursive: true });
  writeFileSync(join(folder, "nodes.json"), JSON.stringify({ mainnet: [{ address: "http://127.0.0.1:18081" }] }));
  app = await start();
  site = await serve(folder);
  page = app.page;
});
after(async () => {
  await site?.close();
  await app?.end();
  rmSync(folder, { recursive: true, force: true });
});

test("start offline, update on request, and go", () => scenario(page, "offline", offline));

/** Everything that the browser's caches contain. */
const stored = () =>
  page.evaluate(async () => {
    const all = [];
    for (const name of await caches.keys())
      for (const { url } of await (await caches.open(name)).keys()) all.push(`${name} ${new URL(url).pathname}`);
    return all.sort();
  });

/** Makes another version: the page has a mark in it. */
function publish(mark) {
  const file = join(folder, "index.html");
  const page = readFileSync(file, "utf8").replace(/<meta name="mark"[^>]*>/, "");
  writeFileSync(file, page.replace("<title>", `<meta name="mark" content="${mark}"><title>`));
  writeFileSync(join(folder, "sw.js"), serviceWorker(folder));
}

const look = () =>
  page.evaluate(() => navigator.serviceWorker.getRegistration().then((r) => r.update().catch(() => undefined)));
const marked = () => page.evaluate(() => document.querySelector("meta[name=mark]")?.content ?? "");
const pause = () => new Promise((resolve) => setTimeout(resolve, 100));
/** Waits until the page has no service worker. */
const gone = () =>
  eventually(() => page.evaluate(() => navigator.serviceWorker.getRegistrations().then((list) => list.length)), 0);
/** Reloads, and waits until the service worker controls the page. */
async function reload() {
  await page.reload();
  await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
}

async function offline() {
  await page.goto(site.url);
  await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
  const manifest = await page.evaluate(() =>
    fetch(document.querySelector("link[rel=manifest]").href).then((r) => r.json()),
  );
  assert.deepEqual([manifest.display, manifest.start_url, manifest.scope], ["standalone", "./", "./"]);
  assert.ok(manifest.icons.some((i) => i.purpose === "maskable"));
  await create(page, "Pocket", password);
  const own = await address(page);

  // Without the server: the page starts, the wallet opens and shows what it knows.
  await site.close();
  await reload();
  await open(page, "Pocket", password);
  assert.equal(await address(page), own);
  await go(page, "Home");
  await shot(page, "offline", { dark: true });
  const files = await stored();
  assert.ok(files.length > 5);
  assert.equal(new Set(files.map((f) => f.split(" ")[0])).size, 1, "one version is stored");
  const known =
    /^glim-files-\w+ \/(|mark\.svg|nodes\.json|rates\.json|manifest\.webmanifest|icon-\d+\.png|assets\/[\w.-]+)$/;
  assert.deepEqual(
    files.filter((f) => !known.test(f)),
    [],
    "only files of the app are stored",
  );

  // A newer version is stored beside, and nothing changes until the user agrees.
  const port = Number(new URL(site.url).port);
  publish("two");
  site = await serve(folder, port);
  await look();
  await page.getByText("A new version is ready.").waitFor();
  assert.equal(await marked(), "");
  await shot(page, "update", { dark: true });
  await go(page, "Send");
  await page.getByText("A new version is ready.").waitFor({ state: "detached" });
  await go(page, "Home");
  await button(page, "Later").click();
  await page.getByText("Balance", { exact: true }).waitFor();
  await reload();
  assert.equal(await marked(), "", "reloading alone is not an agreement");
  await open(page, "Pocket", password);
  await button(page, "Update now").click();
  await page.getByRole("heading", { name: "Welcome back" }).waitFor();
  await eventually(marked, "two");
  await open(page, "Pocket", password);

  // Another tab that runs the older version is told, and not reloaded.
  const other = await page.context().newPage();
  await other.goto(site.url);
  await other.getByRole("heading", { name: "Welcome back" }).waitFor();
  publish("three");
  await look();
  await other.getByText("A new version is ready.").waitFor();
  await button(other, "Update now").click();
  await other.waitForFunction(() => document.querySelector("meta[name=mark]")?.content === "three");
  await other.close();
  await page.getByText("A new version is ready.").waitFor();
  await page.getByText("Balance", { exact: true }).waitFor();
  assert.equal(await marked(), "two");
  await button(page, "Update now").click();
  await page.waitForFunction(() => document.querySelector("meta[name=mark]")?.content === "three");

  // A file that differs from what the service worker names is refused: the version is not taken.
  publish("four");
  writeFileSync(join(folder, "index.html"), readFileSync(join(folder, "index.html"), "utf8").replace("four", "five"));
  await look();
  const coming = () =>
    page.evaluate(async () => {
      const { installing, waiting } = await navigator.serviceWorker.getRegistration();
      return [installing, waiting].map((worker) => worker?.state ?? null);
    });
  await eventually(coming, [null, null], "a version that is not taken");
  await reload();
  await eventually(marked, "three");
  await page.getByRole("heading", { name: "Welcome back" }).waitFor();
  assert.equal(await page.getByText("A new version is ready.").count(), 0);

  // Closing every tab is an agreement as well.
  publish("six");
  await look();
  await page.getByText("A new version is ready.").waitFor();
  const context = page.context();
  await page.goto("about:blank");
  page = await context.newPage();
  await context.pages()[0].close();
  await page.goto(site.url);
  while ((await marked()) !== "six") {
    // The page was opened before the browser took the closing of the last tab for an agreement.
    await page.goto("about:blank");
    await pause();
    await page.goto(site.url);
  }

  // The owner turns it off: by a service worker that leaves, or by none.
  writeFileSync(join(folder, "sw.js"), farewell());
  await look();
  await gone();
  await eventually(stored, []);
  publish("seven");
  await reload();
  await eventually(marked, "seven");
  rmSync(join(folder, "sw.js"));
  await page.reload();
  await gone();
  await eventually(stored, []);
  await open(page, "Pocket", password);
  assert.deepEqual(
    app.troubles.filter(
      (t) => !/Failed to (load|find)|integrity|digest|ServiceWorker|download failed|NetworkError/i.test(t),
    ),
    [],
  );
}
