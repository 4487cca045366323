// Each recipe is copied, installed with its lock file and the packed package, built, and opened in Chromium or run.
import assert from "node:assert/strict";
import { cpSync } from "node:fs";
import { join } from "node:path";
import { before, test } from "node:test";

import { browser, context, exec, folder, patience, sdk, serve } from "../../test/tools.mjs";

/** What every recipe shows: an address, and a balance that has been mined. */
const shown = /4[1-9A-HJ-NP-Za-km-z]{94} has [1-9]\d*\.\d+ XMR/;

/** The recipes for pages, with the folder that their build writes. */
const pages = { vite: "dist", sveltekit: "build" };

let tarball;
before(async (t) => {
  const dir = folder(t);
  const { stdout } = await exec("npm", ["pack", "--json", "--pack-destination", dir], { cwd: sdk });
  tarball = join(dir, JSON.parse(stdout)[0].filename);
});

/** Copies and installs a recipe. Returns its folder. */
async function installed(t, name) {
  const dir = folder(t);
  const ours = join(sdk, "recipes", name);
  cpSync(ours, dir, { recursive: true, filter: (file) => !/node_modules|[/\\](dist|build|\.svelte-kit)$/.test(file) });
  const quiet = ["--no-audit", "--no-fund"];
  if (name in pages)
    await exec("npm", ["ci", "--ignore-scripts", "--prefer-offline", ...quiet], { cwd: dir, timeout: 2 * patience });
  await exec("npm", ["install", "--ignore-scripts", "--no-save", "--offline", ...quiet, tarball], {
    cwd: dir,
    timeout: 2 * patience,
  });
  return dir;
}

for (const [name, built] of Object.entries(pages)) {
  test(name, async (t) => {
    const dir = await installed(t, name);
    await exec("npm", ["run", "build"], { cwd: dir, timeout: 2 * patience }).catch((e) =>
      assert.fail(`${e.stdout}\n${e.stderr}`),
    );
    const tab = await (await context(await browser(t))).newPage();
    const trouble = [];
    tab.on("console", (m) => m.type() === "error" && trouble.push(m.text()));
    tab.on("pageerror", (e) => trouble.push(String(e)));
    await tab.goto(await serve(t, { "/": join(dir, built) }));
    await tab.getByText(shown).waitFor();
    assert.deepEqual(trouble, []);
  });
}

test("node", async (t) => {
  const dir = await installed(t, "node");
  const { stdout } = await exec("npm", ["start", "--silent"], { cwd: dir, timeout: patience });
  assert.match(stdout, shown);
});
